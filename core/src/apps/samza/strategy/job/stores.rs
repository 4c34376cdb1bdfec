//! The stores that a job's configuration defines (samza-host-affinity.md 2.3).

use super::Config;
use super::keys;
use super::settings::{Reader, RefusedValue, Rule};

/// The only factory whose stores are not on disk.
const IN_MEMORY: &str = "org.apache.samza.storage.kv.inmemory.InMemoryKeyValueStorageEngineFactory";
const PREFIX: &str = "stores.";
const FACTORY: &str = ".factory";
const SIDE_INPUT_FACTORY: &str = ".side.inputs.processor.factory";

/// A store.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StoreSettings {
    /// Its name.
    pub name: String,
    /// The class that creates it.
    pub factory: Option<String>,
    /// The stream that every write also goes to, as `system.stream`.
    pub changelog: Option<String>,
    /// The age from which on a copy on disk is stale.
    pub retention_ms: i64,
    /// How long the changelog keeps every entry.
    pub compaction_lag_ms: i64,
    /// Whether the copy on disk is deleted at each start.
    pub clean_on_start: bool,
    /// Streams that fill it from outside.
    pub side_inputs: Vec<String>,
}

impl StoreSettings {
    /// Returns whether it is on disk.
    pub fn persistent(&self) -> bool {
        self.factory.as_deref() != Some(IN_MEMORY)
    }

    /// Returns whether it has a changelog.
    pub fn logged(&self) -> bool {
        self.changelog.is_some()
    }

    /// Returns the settings of a store, whether or not the configuration defines it.
    pub fn of(config: &Config, name: &str) -> Result<Self, RefusedValue> {
        let mut r = Reader::new(config);
        let store = Self::read(name, &mut r);
        r.first().map_or(Ok(store), Err)
    }

    pub(super) fn read(name: &str, r: &mut Reader<'_>) -> Self {
        let key = |what: &str| format!("{PREFIX}{name}.{what}");
        let text = |what: &str| r.config.get(&key(what)).map(String::as_str);
        let factory = text("factory").map(str::to_string);
        let side_inputs = text("side.inputs").map(super::settings::list).unwrap_or_default();
        let clean_on_start = text("clean.on.container.start").is_some_and(|v| v.eq_ignore_ascii_case("true"));
        let lag = r.number(keys::DEFAULT_COMPACTION_LAG);
        StoreSettings {
            name: name.into(),
            factory,
            changelog: changelog(&key("changelog"), r),
            retention_ms: r.long(&key("changelog.delete.retention.ms")).unwrap_or(86_400_000),
            compaction_lag_ms: r.long(&key("changelog.min.compaction.lag.ms")).unwrap_or(lag),
            clean_on_start,
            side_inputs,
        }
    }
}

fn changelog(key: &str, r: &mut Reader<'_>) -> Option<String> {
    let stream = r.config.get(key)?.trim().to_string();
    if stream.is_empty() {
        return None;
    }
    if stream.contains('.') {
        return Some(stream);
    }
    let system = keys::CHANGELOG_SYSTEM.text(r.config).or(keys::DEFAULT_SYSTEM.text(r.config));
    match system {
        Some(system) => Some(format!("{system}.{stream}")),
        None => {
            r.refuse(key, Rule::NoSystem);
            None
        }
    }
}

/// Returns the names of the stores, in text order.
pub fn names(config: &Config) -> Vec<String> {
    let mut names: Vec<String> = config
        .keys()
        .filter_map(|k| k.strip_prefix(PREFIX))
        .filter_map(|k| k.strip_suffix(SIDE_INPUT_FACTORY).or(k.strip_suffix(FACTORY)))
        .map(str::to_string)
        .collect();
    names.sort_unstable();
    names.dedup();
    names
}

/// Returns whether any key is called a changelog, which is Samza's own test whether a job has state to keep.
pub fn durable(config: &Config) -> bool {
    config.keys().any(|k| k.starts_with(PREFIX) && k.ends_with(".changelog"))
}
