//! The inputs of `heddle import`: files, folders with everything below them, zip and tar.gz archives, standard input. The
//! unpacked size is limited, whatever an archive claims.

use crate::input::decode;
use crate::output::EarlyEnd;
use flate2::read::MultiGzDecoder;
use heddle_core::model::limits::{IMPORT_BYTES, IMPORT_TEXTS, TEXT_BYTES};
use std::fs;
use std::io::{self, Cursor, Read};
use std::path::Path;

/// The maximum depth of folders.
const DEPTH: usize = 32;

/// A text, or the reason why it is not one.
pub struct Text {
    /// The given path; within an archive, the archive's name and the path in it.
    pub name: String,
    pub text: Result<String, String>,
}

/// All texts so far.
#[derive(Default)]
pub struct Texts {
    pub texts: Vec<Text>,
    bytes: usize,
}

impl Texts {
    /// Adds the texts at a path; `-` is standard input. Errors: nothing is there, or there is too much.
    pub fn add(&mut self, path: &Path) -> Result<(), EarlyEnd> {
        if path.as_os_str() == "-" {
            return self.stream("standard input", io::stdin().lock());
        }
        let name = path.display().to_string();
        let failed = |e: io::Error| EarlyEnd::Told(format!("{name}: {e}"));
        if fs::metadata(path).map_err(failed)?.is_dir() {
            return self.folder(path, 0);
        }
        self.stream(&name, fs::File::open(path).map_err(failed)?)
    }

    /// Adds all files below a folder, in the order of their names. Symbolic links are not followed.
    fn folder(&mut self, path: &Path, depth: usize) -> Result<(), EarlyEnd> {
        let failed = |e: io::Error| EarlyEnd::Told(format!("{}: {e}", path.display()));
        if depth > DEPTH {
            return Err(EarlyEnd::Told(format!("{}: more than {DEPTH} folders are within each other", path.display())));
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
                self.folder(&entry.path(), depth + 1)?;
            } else if kind.is_file() {
                self.add(&entry.path())?;
            }
        }
        Ok(())
    }

    /// Adds the contents of a stream: a text, or an archive, recognised by its first bytes.
    fn stream(&mut self, name: &str, from: impl Read) -> Result<(), EarlyEnd> {
        let bytes = self.take(name, from)?;
        self.packed(name, bytes, 0)
    }

    fn packed(&mut self, name: &str, bytes: Vec<u8>, depth: usize) -> Result<(), EarlyEnd> {
        if depth <= 1 && bytes.starts_with(b"PK\x03\x04") {
            return self.zip(name, bytes, depth);
        }
        if depth <= 1 && bytes.starts_with(&[0x1f, 0x8b]) {
            let unpacked = self.take(name, MultiGzDecoder::new(Cursor::new(bytes)))?;
            return if is_tar(&unpacked) { self.tar(name, unpacked, depth) } else { self.text(name, unpacked) };
        }
        if depth <= 1 && is_tar(&bytes) {
            return self.tar(name, bytes, depth);
        }
        self.text(name, bytes)
    }

    fn zip(&mut self, name: &str, bytes: Vec<u8>, depth: usize) -> Result<(), EarlyEnd> {
        let failed = |e: zip::result::ZipError| EarlyEnd::Told(format!("{name}: this zip archive cannot be read: {e}"));
        let mut archive = zip::ZipArchive::new(Cursor::new(bytes)).map_err(failed)?;
        if archive.len() > IMPORT_TEXTS {
            return Err(too_many(name));
        }
        for at in 0..archive.len() {
            let file = archive.by_index(at).map_err(failed)?;
            if file.is_dir() || aside(file.name()) {
                continue;
            }
            let inner = format!("{name}/{}", file.name());
            let bytes = self.take(&inner, file)?;
            self.packed(&inner, bytes, depth + 1)?;
        }
        Ok(())
    }

    fn tar(&mut self, name: &str, bytes: Vec<u8>, depth: usize) -> Result<(), EarlyEnd> {
        let failed = |e: io::Error| EarlyEnd::Told(format!("{name}: this tar archive cannot be read: {e}"));
        let mut archive = tar::Archive::new(Cursor::new(bytes));
        for entry in archive.entries().map_err(failed)? {
            let entry = entry.map_err(failed)?;
            let path = entry.path().map_err(failed)?.display().to_string();
            if !entry.header().entry_type().is_file() || aside(&path) {
                continue;
            }
            let inner = format!("{name}/{path}");
            let bytes = self.take(&inner, entry)?;
            self.packed(&inner, bytes, depth + 1)?;
        }
        Ok(())
    }

    /// Reads a stream to its end, unless the total exceeds the limits.
    fn take(&mut self, name: &str, from: impl Read) -> Result<Vec<u8>, EarlyEnd> {
        let left = IMPORT_BYTES.saturating_sub(self.bytes);
        let mut bytes = Vec::new();
        from.take(left as u64 + 1).read_to_end(&mut bytes).map_err(|e| EarlyEnd::Told(format!("{name}: {e}")))?;
        if bytes.len() > left {
            let most = IMPORT_BYTES >> 20;
            return Err(EarlyEnd::Told(format!(
                "{name}: with it there are more than {most} MB, which is all that can be read"
            )));
        }
        Ok(bytes)
    }

    fn text(&mut self, name: &str, bytes: Vec<u8>) -> Result<(), EarlyEnd> {
        if self.texts.len() >= IMPORT_TEXTS {
            return Err(too_many(name));
        }
        self.bytes += bytes.len();
        let most = TEXT_BYTES;
        let text = if bytes.len() > most {
            Err(format!("It is longer than {} MB, which is all that can be read.", most >> 20))
        } else {
            decode(bytes)
        };
        self.texts.push(Text { name: name.to_owned(), text });
        Ok(())
    }
}

fn too_many(name: &str) -> EarlyEnd {
    EarlyEnd::Told(format!("{name}: with it there are more than {IMPORT_TEXTS} files"))
}

/// Returns whether a path was added by an archiver: hidden files, and the resource forks of macOS.
fn aside(path: &str) -> bool {
    path.split('/').any(|part| part.starts_with('.') || part == "__MACOSX")
}

fn is_tar(bytes: &[u8]) -> bool {
    bytes.get(257..262) == Some(b"ustar")
}
