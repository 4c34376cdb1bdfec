//! What an application keeps outside of its ApplicationMaster: a directory of HDFS, a stream.

use std::collections::BTreeMap;

/// Texts under keys. It outlives the attempts of its application; the simulation hands it to each.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Store {
    texts: BTreeMap<String, String>,
}

impl Store {
    pub fn get(&self, key: &str) -> Option<&str> {
        self.texts.get(key).map(String::as_str)
    }

    /// Replaces what was under this key.
    pub fn put(&mut self, key: impl Into<String>, text: impl Into<String>) {
        self.texts.insert(key.into(), text.into());
    }

    pub fn remove(&mut self, key: &str) -> Option<String> {
        self.texts.remove(key)
    }

    /// All of it, in the order of the keys.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &str)> {
        self.texts.iter().map(|(key, text)| (key.as_str(), text.as_str()))
    }

    /// What a copy of it takes, in bytes, roughly.
    pub fn weight(&self) -> usize {
        self.iter().map(|(key, text)| key.len() + text.len() + 64).sum()
    }
}
