//! Archives that people pack their files in: zip, tar, and what gzip made of either or of a text. The unpacked size is limited,
//! whatever an archive claims.

use crate::model::limits::{IMPORT_BYTES, IMPORT_TEXTS};
use flate2::read::MultiGzDecoder;
use std::io::{Cursor, Read};

/// Archives within each other.
const DEPTH: usize = 1;

/// The receiver of each file's name and bytes.
pub type EachFile<'e> = dyn FnMut(&str, Vec<u8>) + 'e;

/// Files being unpacked, with the limits of all of them together.
#[derive(Debug, Default)]
pub struct Unpacked {
    texts: usize,
    bytes: usize,
}

impl Unpacked {
    /// Passes on a file's bytes under its name, or if it is an archive those of each file in it, under the archive's name and
    /// the path in it. Errors: it is broken, or too much.
    pub fn add(&mut self, name: &str, bytes: Vec<u8>, each: &mut EachFile<'_>) -> Result<(), String> {
        if bytes.len() > self.left() {
            return Err(too_large(name));
        }
        self.packed(name, bytes, 0, each)
    }

    /// The number of bytes that may come still.
    pub fn left(&self) -> usize {
        IMPORT_BYTES.saturating_sub(self.bytes)
    }

    fn packed(&mut self, name: &str, bytes: Vec<u8>, depth: usize, each: &mut EachFile<'_>) -> Result<(), String> {
        if depth <= DEPTH && bytes.starts_with(b"PK\x03\x04") {
            return self.zip(name, bytes, depth, each);
        }
        if depth <= DEPTH && bytes.starts_with(&[0x1f, 0x8b]) {
            let unpacked = self.take(name, MultiGzDecoder::new(Cursor::new(bytes)))?;
            return if is_tar(&unpacked) {
                self.tar(name, unpacked, depth, each)
            } else {
                self.file(name, unpacked, each)
            };
        }
        if depth <= DEPTH && is_tar(&bytes) {
            return self.tar(name, bytes, depth, each);
        }
        self.file(name, bytes, each)
    }

    fn zip(&mut self, name: &str, bytes: Vec<u8>, depth: usize, each: &mut EachFile<'_>) -> Result<(), String> {
        let failed = |e: zip::result::ZipError| format!("{name}: this zip archive cannot be read: {e}");
        let mut archive = zip::ZipArchive::new(Cursor::new(bytes)).map_err(failed)?;
        if archive.len() > IMPORT_TEXTS {
            return Err(too_many(name));
        }
        for at in 0..archive.len() {
            let file = archive.by_index(at).map_err(failed)?;
            if file.is_dir() || is_aside(file.name()) {
                continue;
            }
            let inner = format!("{name}/{}", file.name());
            let bytes = self.take(&inner, file)?;
            self.packed(&inner, bytes, depth + 1, each)?;
        }
        Ok(())
    }

    fn tar(&mut self, name: &str, bytes: Vec<u8>, depth: usize, each: &mut EachFile<'_>) -> Result<(), String> {
        let failed = |e: std::io::Error| format!("{name}: this tar archive cannot be read: {e}");
        let mut archive = tar::Archive::new(Cursor::new(bytes));
        for entry in archive.entries().map_err(failed)? {
            let entry = entry.map_err(failed)?;
            let path = String::from_utf8_lossy(&entry.path_bytes()).into_owned();
            if !entry.header().entry_type().is_file() || is_aside(&path) {
                continue;
            }
            let inner = format!("{name}/{path}");
            let bytes = self.take(&inner, entry)?;
            self.packed(&inner, bytes, depth + 1, each)?;
        }
        Ok(())
    }

    /// Unpacks to the end, unless that exceeds the limit.
    fn take(&mut self, name: &str, from: impl Read) -> Result<Vec<u8>, String> {
        let left = self.left();
        let mut bytes = Vec::new();
        from.take(left as u64 + 1).read_to_end(&mut bytes).map_err(|e| format!("{name}: {e}"))?;
        if bytes.len() > left { Err(too_large(name)) } else { Ok(bytes) }
    }

    fn file(&mut self, name: &str, bytes: Vec<u8>, each: &mut EachFile<'_>) -> Result<(), String> {
        if self.texts >= IMPORT_TEXTS {
            return Err(too_many(name));
        }
        self.texts += 1;
        self.bytes += bytes.len();
        each(name, bytes);
        Ok(())
    }
}

fn too_many(name: &str) -> String {
    format!("{name}: with it there are more than {IMPORT_TEXTS} files")
}

fn too_large(name: &str) -> String {
    format!("{name}: with it there are more than {} MB, which is all that can be read", IMPORT_BYTES >> 20)
}

/// Returns whether a path is what archivers and systems add: hidden files, and the resource forks of macOS.
pub fn is_aside(path: &str) -> bool {
    path.split('/').any(|part| part.starts_with('.') && part != "." || part == "__MACOSX")
}

fn is_tar(bytes: &[u8]) -> bool {
    bytes.get(257..262) == Some(b"ustar")
}
