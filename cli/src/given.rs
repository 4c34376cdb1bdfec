//! The inputs of `heddle import`: files, folders with everything below them, archives, standard input. One after the other is
//! passed on and let go, so that memory holds a single file.

use crate::output::EarlyEnd;
use heddle_core::import::packed::{EachFile, Unpacked};
use heddle_core::model::limits::FOLDERS;
use std::fs;
use std::io::{self, Read};
use std::path::Path;

/// The files so far.
#[derive(Default)]
pub struct GivenFiles {
    unpacked: Unpacked,
}

impl GivenFiles {
    /// Passes on the files at a path; `-` is standard input. Errors: nothing is there, or there is too much.
    pub fn add(&mut self, path: &Path, each: &mut EachFile<'_>) -> Result<(), EarlyEnd> {
        if path.as_os_str() == "-" {
            return self.stream("standard input", io::stdin().lock(), each);
        }
        let name = path.display().to_string();
        let failed = |e: io::Error| EarlyEnd::Told(format!("{name}: {e}"));
        if fs::metadata(path).map_err(failed)?.is_dir() {
            return self.folder(path, 0, each);
        }
        self.stream(&name, fs::File::open(path).map_err(failed)?, each)
    }

    /// Passes on all files below a folder, in the order of their names. Symbolic links are not followed.
    fn folder(&mut self, path: &Path, depth: usize, each: &mut EachFile<'_>) -> Result<(), EarlyEnd> {
        let failed = |e: io::Error| EarlyEnd::Told(format!("{}: {e}", path.display()));
        if depth > FOLDERS {
            return Err(EarlyEnd::Told(format!(
                "{}: more than {FOLDERS} folders are within each other",
                path.display()
            )));
        }
        let mut entries = fs::read_dir(path).map_err(failed)?.collect::<Result<Vec<_>, _>>().map_err(failed)?;
        entries.sort_by_key(fs::DirEntry::file_name);
        for entry in entries {
            let kind = entry.file_type().map_err(failed)?;
            let hidden = entry.file_name().to_string_lossy().starts_with('.');
            if hidden || kind.is_symlink() {
                continue;
            }
            if kind.is_dir() {
                self.folder(&entry.path(), depth + 1, each)?;
            } else if kind.is_file() {
                self.add(&entry.path(), each)?;
            }
        }
        Ok(())
    }

    fn stream(&mut self, name: &str, from: impl Read, each: &mut EachFile<'_>) -> Result<(), EarlyEnd> {
        let mut bytes = Vec::new();
        let failed = |e: io::Error| EarlyEnd::Told(format!("{name}: {e}"));
        // One byte beyond the limit is enough for the error.
        from.take(self.unpacked.left() as u64 + 1).read_to_end(&mut bytes).map_err(failed)?;
        self.unpacked.add(name, bytes, each).map_err(EarlyEnd::Told)
    }
}
