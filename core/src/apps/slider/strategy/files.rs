//! The directory of history files: their names, which one is taken up at a start, which are deleted then
//! (slider-placement.md 14.1 to 14.3).

use super::json::Fault;
use super::records::{self, Records};
use crate::model::Millis;
use std::collections::BTreeMap;
use std::sync::Arc;

/// What the name of each begins and ends with.
const NAME: (&str, &str) = ("rolehistory-", ".json");

/// The name of a file that is written at this moment: the order of names is that of time.
pub fn name(saved: Millis) -> String {
    format!("{}{saved:016x}{}", NAME.0, NAME.1)
}

/// Is it the name of a history file? Whether the middle is a number nobody looks.
pub fn is_history(name: &str) -> bool {
    name.strip_prefix(NAME.0).is_some_and(|rest| rest.ends_with(NAME.1))
}

/// When the file of this name was saved, if the name tells.
pub fn saved(name: &str) -> Option<Millis> {
    let digits = name.strip_prefix(NAME.0)?.strip_suffix(NAME.1)?;
    Millis::from_str_radix(digits, 16).ok()
}

/// Newest first.
pub fn compare(a: &str, b: &str) -> std::cmp::Ordering {
    b.cmp(a)
}

/// The files of the directory `history`, by name. Texts are shared: a checkpoint of a run costs nothing.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct Files(BTreeMap<String, Arc<str>>);

/// What a start found.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct Loaded {
    /// The file that was taken up: its name and content; `None` if none could be read.
    pub taken: Option<(String, Records)>,
    /// Newer ones that could not be read: why.
    pub skipped: Vec<(String, Fault)>,
}

/// A name that no file has.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NoSuchFile;

impl Files {
    /// Puts a file down, over one of the same name.
    pub fn put(&mut self, name: impl Into<String>, text: impl Into<Arc<str>>) {
        self.0.insert(name.into(), text.into());
    }

    /// Deletes a file.
    pub fn delete(&mut self, name: &str) -> bool {
        self.0.remove(name).is_some()
    }

    /// A file's text.
    pub fn text(&self, name: &str) -> Option<&str> {
        self.0.get(name).map(|t| &**t)
    }

    /// Names and texts of all files, in the order of their names.
    pub fn iter(&self) -> impl DoubleEndedIterator<Item = (&str, &str)> {
        self.0.iter().map(|(name, text)| (name.as_str(), &**text))
    }

    /// How many files there are.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// None at all?
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Names of the history files that are not empty, newest first.
    pub fn candidates(&self) -> impl Iterator<Item = &str> {
        self.iter().rev().filter(|(name, text)| is_history(name) && !text.is_empty()).map(|(name, _)| name)
    }

    /// Writes the history of this moment.
    pub fn save(&mut self, records: &Records) {
        self.put(name(records.saved), records::write(records));
    }

    /// The newest file that can be read, and what was wrong with newer ones.
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

    /// Deletes the history files that are older than this one; how many.
    pub fn purge(&mut self, keep: &str) -> Result<usize, NoSuchFile> {
        if !self.0.contains_key(keep) {
            return Err(NoSuchFile);
        }
        let before = self.0.len();
        self.0.retain(|name, _| name.as_str() >= keep || !is_history(name));
        Ok(before - self.0.len())
    }

    /// Leaves the newest `count` history files.
    pub fn keep_newest(&mut self, count: usize) {
        let oldest =
            self.iter().rev().filter(|(name, _)| is_history(name)).map(|(name, _)| name.to_string()).nth(count);
        if let Some(oldest) = oldest {
            self.0.retain(|name, _| *name > oldest || !is_history(name));
        }
    }
}
