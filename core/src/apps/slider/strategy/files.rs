//! The directory of history files: their names, which one is loaded at a start, and which are deleted then (slider-placement.md
//! 14.1 to 14.3).

use super::json::TextFault;
use super::records::{self, Records};
use crate::model::Millis;
use std::collections::BTreeMap;
use std::sync::Arc;

/// The prefix and the suffix of their names.
const NAME: (&str, &str) = ("rolehistory-", ".json");

/// Returns the name of a file written at this time: names sort by time.
pub fn name(saved: Millis) -> String {
    format!("{}{saved:016x}{}", NAME.0, NAME.1)
}

/// Returns whether it is the name of a history file. Slider does not check that the middle is a number.
pub fn is_history(name: &str) -> bool {
    name.strip_prefix(NAME.0).is_some_and(|rest| rest.ends_with(NAME.1))
}

/// Returns when the file of this name was saved, if the name contains a time.
pub fn saved(name: &str) -> Option<Millis> {
    let digits = name.strip_prefix(NAME.0)?.strip_suffix(NAME.1)?;
    Millis::from_str_radix(digits, 16).ok()
}

/// Orders names from the newest to the oldest.
pub fn compare(a: &str, b: &str) -> std::cmp::Ordering {
    b.cmp(a)
}

/// The files of the directory `history`, by name. Texts are shared, so that a checkpoint of a run does not copy them.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct Files(BTreeMap<String, Arc<str>>);

/// The result of a start's search.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct Loaded {
    /// The file that was loaded, with its name and contents; `None` if none could be read.
    pub taken: Option<(String, Records)>,
    /// Newer files that could not be read, with the reasons.
    pub skipped: Vec<(String, TextFault)>,
}

/// The error that no file has the given name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NoSuchFile;

impl Files {
    /// Writes a file, and replaces one of the same name.
    pub fn put(&mut self, name: impl Into<String>, text: impl Into<Arc<str>>) {
        self.0.insert(name.into(), text.into());
    }

    /// Deletes a file. Returns whether it existed.
    pub fn delete(&mut self, name: &str) -> bool {
        self.0.remove(name).is_some()
    }

    /// Returns a file's text.
    pub fn text(&self, name: &str) -> Option<&str> {
        self.0.get(name).map(|t| &**t)
    }

    /// Returns names and texts of all files, in the order of the names.
    pub fn iter(&self) -> impl DoubleEndedIterator<Item = (&str, &str)> {
        self.0.iter().map(|(name, text)| (name.as_str(), &**text))
    }

    /// Returns the number of files.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Returns whether there is no file.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Returns the names of the non-empty history files, newest first.
    pub fn candidates(&self) -> impl Iterator<Item = &str> {
        self.iter().rev().filter(|(name, text)| is_history(name) && !text.is_empty()).map(|(name, _)| name)
    }

    /// Writes the current history.
    pub fn save(&mut self, records: &Records) {
        self.put(name(records.saved), records::write(records));
    }

    /// Loads the newest readable file, and returns the faults of newer ones.
    pub fn load(&self) -> Loaded {
        let mut out = Loaded::default();
        for name in self.candidates() {
            match records::read(self.text(name).unwrap_or_default()) {
                Ok(records) => {
                    out.taken = Some((name.into(), records));
                    break;
                }
                Err(fault) => out.skipped.push((name.into(), fault)),
            }
        }
        out
    }

    /// Deletes the history files that are older than this one. Returns their number.
    pub fn purge(&mut self, keep: &str) -> Result<usize, NoSuchFile> {
        if !self.0.contains_key(keep) {
            return Err(NoSuchFile);
        }
        let before = self.0.len();
        self.0.retain(|name, _| name.as_str() >= keep || !is_history(name));
        Ok(before - self.0.len())
    }

    /// Keeps only the newest `count` history files.
    pub fn keep_newest(&mut self, count: usize) {
        let oldest =
            self.iter().rev().filter(|(name, _)| is_history(name)).map(|(name, _)| name.to_string()).nth(count);
        if let Some(oldest) = oldest {
            self.0.retain(|name, _| *name > oldest || !is_history(name));
        }
    }
}
