//! The storage of an application outside its ApplicationMaster: a directory of HDFS, a stream.

use std::collections::BTreeMap;
use std::sync::Arc;

/// Texts under keys. The store outlives the attempts and the restarts of its application: the simulation hands it to
/// each. Texts are shared: a checkpoint of a run does not copy them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Store {
    texts: BTreeMap<String, Arc<str>>,
}

impl Store {
    pub fn get(&self, key: &str) -> Option<&str> {
        self.texts.get(key).map(|text| &**text)
    }

    /// Replaces the text under this key.
    pub fn put(&mut self, key: impl Into<String>, text: impl Into<Arc<str>>) {
        self.texts.insert(key.into(), text.into());
    }

    pub fn remove(&mut self, key: &str) -> Option<Arc<str>> {
        self.texts.remove(key)
    }

    /// All entries, in the order of the keys.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &str)> {
        self.texts.iter().map(|(key, text)| (key.as_str(), &**text))
    }

    /// The approximate size of a copy, in bytes.
    pub fn weight(&self) -> usize {
        self.iter().map(|(key, text)| key.len() + text.len() + 64).sum()
    }
}
