//! Writes the list of the gallery: the files of `scenarios/`, name and text.

use std::path::{Path, PathBuf};

fn main() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../scenarios");
    println!("cargo:rerun-if-changed={}", folder.display());
    let mut files: Vec<PathBuf> = std::fs::read_dir(&folder)
        .map(|entries| {
            entries.flatten().map(|e| e.path()).filter(|p| p.extension().is_some_and(|x| x == "toml")).collect()
        })
        .unwrap_or_default();
    files.sort();
    let rows: String = files
        .iter()
        .map(|p| {
            format!(
                "({:?}, include_str!({:?})),\n",
                p.file_stem().unwrap_or_default().to_string_lossy(),
                p.display().to_string()
            )
        })
        .collect();
    let out = PathBuf::from(std::env::var_os("OUT_DIR").expect("cargo gives a folder")).join("gallery.rs");
    std::fs::write(out, format!("&[{rows}]")).expect("the list is written");
}
