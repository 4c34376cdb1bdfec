//! The description of a job of Apache Samza: its job.properties, its input streams, the contents of its stores, how long
//! containers work; and the settings that all jobs of the cluster share.

pub(crate) mod anonymise;
pub(crate) mod edit;
pub mod file;
mod happening;
pub(crate) mod read;

use crate::api::ClientRefusal;
use crate::apps::samza::client::{Files, submit};
use crate::apps::samza::strategy::RequestMode;
use crate::apps::samza::strategy::job::{Properties, Settings, keys};
use crate::apps::samza::strategy::state::Volume;
use crate::apps::samza::strategy::state::monitor::OFFSET_TTL_MS;
use crate::apps::samza::strategy::stream::StreamMessageKind;
use crate::apps::scenario::{self as kinds, Components, Kind, KindAct, NotApplicable};
use crate::model::{Millis, RequestKey, Resource, Span};
use crate::scenario::application::App;
use crate::scenario::edit::Step;
use crate::scenario::happening::Act;
use crate::strategy::{SamzaPlan, Work};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::sync::Arc;

pub use happening::{SamzaHappening, unheard};

/// The default throughput of a changelog system, bytes per second.
pub const BANDWIDTH: u64 = 100 << 20;
/// The default share of one container in it, bytes per second.
pub const RESTORE_CAP: u64 = 50 << 20;

/// A job.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SamzaApp {
    /// job.properties, verbatim.
    pub properties: String,
    /// Its span in the scenario, and the offset of its first letter if it is written without escapes.
    pub span: Span,
    pub offset: Option<usize>,
    /// Partitions of the input streams.
    pub streams: BTreeMap<String, u32>,
    pub mode: RequestMode,
    /// The contents of stores, by name, for each task.
    pub stores: BTreeMap<String, Volume>,
    /// The highest read rate of a restoring container, bytes per second; `None`: no limit.
    pub restore_cap: Option<u64>,
    /// The work of processors, once their state is restored; the empty name stands for all others. The default is forever.
    pub work: BTreeMap<String, Work>,
    /// Hosts where containers fail.
    pub failures: Vec<HostFails>,
    pub before: Before,
    /// Racks of hosts as its ApplicationMaster sees them, where they differ from the ResourceManager's.
    pub racks: BTreeMap<String, String>,
}

/// The state that earlier runs have left.
#[derive(Clone, Debug, PartialEq, Default, Serialize, Deserialize)]
pub struct Before {
    /// The last host of each processor, where its stores are as of its end.
    pub hosts: BTreeMap<String, String>,
    /// The time from their end to the start of the scenario.
    pub stopped: Millis,
}

/// A host where the processes of the job's containers fail.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct HostFails {
    pub host: String,
    /// The time from the start of the process to its failure; 0: before it has written anything.
    pub after: Millis,
    pub exit_code: i32,
    /// The start of the failures.
    pub from: Millis,
    /// Their end, if there is one.
    pub to: Option<Millis>,
}

/// Settings that all Samza jobs of a cluster share.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SamzaCluster {
    /// `LOGGED_STORE_BASE_DIR` of the NodeManagers, if it is set.
    pub base: Option<String>,
    /// The throughput of changelog systems, bytes per second; the default is [`BANDWIDTH`].
    pub changelogs: BTreeMap<String, u64>,
    /// The period of clean-ups of unused stores; `None`: never.
    pub clean_up: Option<Millis>,
    /// The age at which offset files of unused stores are deleted (`job.offset.ttl.ms`).
    pub offset_ttl: Millis,
}

impl Default for SamzaCluster {
    fn default() -> Self {
        let (base, changelogs) = (Some("/data/samza".into()), BTreeMap::new());
        SamzaCluster { base, changelogs, clean_up: None, offset_ttl: OFFSET_TTL_MS }
    }
}

impl SamzaCluster {
    /// Returns the throughput of a changelog system, bytes per second.
    pub fn bandwidth(&self, system: &str) -> u64 {
        self.changelogs.get(system).copied().unwrap_or(BANDWIDTH)
    }
}

/// The changes of an upgrade.
#[derive(Clone, Debug, PartialEq, Default, Serialize, Deserialize)]
pub struct SamzaChange {
    /// Properties with their new values; `None`: removed.
    pub set: Vec<(String, Option<String>)>,
    /// Input streams with their new numbers of partitions.
    pub streams: BTreeMap<String, u32>,
}

impl SamzaChange {
    /// Returns the text with the changes made.
    pub fn apply(&self, text: &str) -> String {
        let (mut properties, _) = Properties::read(text);
        for (key, value) in &self.set {
            match value {
                Some(value) => properties.set(key, value),
                None => properties.remove(key),
            }
        }
        properties.text().to_string()
    }

    /// Returns whether it changes nothing.
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }
}

/// A placement message.
#[derive(Clone, Debug, PartialEq, Default, Serialize, Deserialize)]
pub struct SamzaMessage {
    pub processor: String,
    /// A host, `ANY_HOST`, `LAST_SEEN` or `FORCE_RESTART_LAST_SEEN`.
    pub to: String,
    /// The age at which its request expires.
    pub expiry: Option<Millis>,
    /// The deployment that it names; `None`: the running one.
    pub run: Option<String>,
}

/// A row of the coordinator stream; a row without a value is deleted.
pub type StreamRow = (StreamMessageKind, String, Option<String>);

impl SamzaApp {
    /// Returns its settings at its first start.
    pub fn settings(&self) -> Settings {
        Settings::read(&Properties::read(&self.properties).0.config()).0
    }

    /// Returns the name under which its client submits it. `maximum`: the largest container, as YARN reports it to the client.
    /// Errors: the client refuses.
    pub fn submitted_name(&self, app: &App, maximum: Resource) -> Result<String, ClientRefusal> {
        let mut config = Properties::read(&self.properties).0.config();
        config.insert(keys::AM_MEMORY.name.into(), app.am.size.memory_mb().to_string());
        config.insert(keys::AM_VCORES.name.into(), app.am.size.vcores().to_string());
        let submitted = submit(&config, (maximum.memory_mb(), maximum.vcores()), Files::There);
        submitted.map(|s| s.name).map_err(|why| why.refusal)
    }

    /// Returns the application as its client submits it after a change of its file: only what differs between the two files is
    /// changed.
    pub fn with_file(&self, app: &App, text: &str) -> App {
        let of = |text: &str| submit(&Properties::read(text).0.config(), (i64::MAX, i64::MAX), Files::There);
        let mut out = app.clone();
        out.kind = SamzaApp { properties: text.into(), ..self.clone() }.into();
        let new = match of(text) {
            Ok(new) => new,
            Err(why) => return App { refused: Some(why.refusal), ..out },
        };
        out.refused = None;
        let old = of(&self.properties).ok();
        let old = old.as_ref();
        if old.map(|s| &s.label) != Some(&new.label) {
            out.label = new.label;
        }
        if old.map(|s| s.am) != Some(new.am) {
            out.am.size = Resource::new(new.am.0, new.am.1);
        }
        if old.map(|s| &s.queue) != Some(&new.queue) {
            out.queue = new.queue.unwrap_or_else(|| "default".into());
        }
        if old.map(|s| s.keep_containers) != Some(new.keep_containers) {
            out.am.keep_containers = new.keep_containers;
        }
        out
    }

    /// Returns the contents of a task's store.
    pub fn volume(&self, store: &str) -> Volume {
        self.stores.get(store).copied().unwrap_or(Volume { size: 0, rate: 0, overhead: 1000 })
    }

    /// Returns how a process that starts now on a host fails.
    pub fn failure_on(&self, host: &str, now: Millis) -> Option<(Millis, i32)> {
        let now_there = |f: &&HostFails| f.host == host && f.from <= now && f.to.is_none_or(|to| now < to);
        self.failures.iter().find(now_there).map(|f| (f.after, f.exit_code))
    }

    /// Returns the plan that its ApplicationMasters start with.
    pub fn plan(&self, heartbeat: Millis) -> Arc<SamzaPlan> {
        Arc::new(SamzaPlan {
            properties: self.properties.clone(),
            streams: self.streams.clone(),
            mode: self.mode,
            heartbeat,
            racks: self.racks.clone(),
        })
    }
}

impl Kind for SamzaApp {
    fn is_long_running(&self) -> bool {
        true
    }

    fn asks_for_ever(&self) -> Option<&'static str> {
        Some("A Samza job")
    }

    fn components_of<'a>(&'a self, name: &str, act: &'a Act) -> Result<Components<'a>, NotApplicable> {
        match act {
            Act::Restart { .. } | Act::OfKind(KindAct::Samza(_)) => Ok(Components::default()),
            act => Err(kinds::unheard(name, act)),
        }
    }

    fn one_by_one_after(&self, act: &Act) -> Option<u64> {
        let Act::Restart { changed, .. } = act else { return None };
        let restarted = SamzaApp { properties: changed.samza.apply(&self.properties), ..self.clone() };
        Some(Kind::containers(&restarted))
    }

    // Standby containers count.
    fn containers(&self) -> u64 {
        let settings = self.settings();
        u64::from(settings.containers.unsigned_abs()) * u64::from(settings.replication.max(1).unsigned_abs())
    }

    fn one_by_one(&self) -> u64 {
        self.containers()
    }

    // The lines of its file count, and the entries beside it.
    fn parts(&self) -> usize {
        let beside = self.streams.len() + self.stores.len() + self.work.len() + self.failures.len();
        1 + self.properties.len() / 100 + beside + self.before.hosts.len() + self.racks.len()
    }

    fn sizes(&self, _priority: i32) -> Vec<Resource> {
        vec![self.settings().size]
    }

    fn places(&self) -> Vec<&str> {
        self.before.hosts.values().map(String::as_str).collect()
    }

    fn labels(&self) -> Vec<String> {
        self.settings().label.into_iter().collect()
    }

    fn names(&self) -> Vec<(&'static str, &str)> {
        let streams = self.streams.keys().map(|name| ("The name of a stream", name.as_str()));
        streams.chain(self.stores.keys().map(|name| ("The name of a store", name.as_str()))).collect()
    }

    // The sizes are properties, under other names.
    fn rows(&self, _key: RequestKey) -> Vec<Vec<Step>> {
        Vec::new()
    }
}
