//! The project's own files, for tests that read them.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// Folders that tools create.
const MADE: [&str; 6] = [".git", "target", "dist", ".tools", "node_modules", "screenshots"];

/// Returns the project's root.
pub fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("..")
}

/// Returns all files of the project, by their paths from its root.
///
/// # Panics
///
/// If a folder cannot be read.
pub fn files() -> BTreeSet<String> {
    fn walk(folder: &Path, path: &str, out: &mut BTreeSet<String>) {
        for entry in std::fs::read_dir(folder).unwrap_or_else(|e| panic!("{}: {e}", folder.display())) {
            let entry = entry.expect("a file");
            let name = entry.file_name().to_string_lossy().into_owned();
            if MADE.contains(&name.as_str()) {
                continue;
            }
            let path = if path.is_empty() { name } else { format!("{path}/{name}") };
            if entry.path().is_dir() && !entry.path().is_symlink() {
                walk(&entry.path(), &path, out);
            } else {
                out.insert(path);
            }
        }
    }
    let mut out = BTreeSet::new();
    walk(&root(), "", &mut out);
    out
}
