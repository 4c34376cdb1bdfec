//! The scenario: one readable document with a cluster, its settings, applications, timed happenings and what is
//! expected of the run. These are the types; `read` makes them from text, `edit` changes the text.
//!
//! Times are milliseconds from the start of the run, memory is in MiB.

use super::application::App;
use super::expect::Expectation;
use super::happening::Happening;
use super::world::World;
use crate::api::{NodeSpec, QueueShare, RmSettings};
use crate::apps::scenario::Shared;
pub use crate::config::releases::Release;
use crate::model::{Millis, Resource, ResourceTypes, Span};
use indexmap::IndexMap;
use serde::{Deserialize, Serialize};

/// The number of the text form that this core writes, and the highest that it reads (`heddle = 1`).
pub const FORMAT: i64 = 1;

/// A whole scenario, as read. The text remains the truth: edits change the text, and it is read again.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Scenario {
    pub title: String,
    /// What a reader should know, in plain text.
    pub note: String,
    /// What the gallery shows of it, if it is a gallery card.
    pub card: Option<Card>,
    /// Seed of everything left to chance.
    pub seed: u64,
    /// The moment at which a page opens it.
    pub start_at: Millis,
    /// Where the run ends; `None`: where nothing more can happen.
    pub until: Option<Millis>,
    /// Which Hadoop release the defaults follow, if the scenario says so.
    pub release: Option<Release>,
    /// How the CapacityScheduler is driven.
    pub scheduling: Scheduling,
    /// Delays and intervals.
    pub timing: Timing,
    /// What the ResourceManager is started with: effective properties of files and short form, labels, groups.
    pub settings: RmSettings,
    /// Where each effective property was written.
    pub origins: Origins,
    /// The files as written, by name, verbatim.
    pub files: IndexMap<String, FileText>,
    /// Resource types: those of `yarn.resource-types`, or, where that is not set, those that the nodes have.
    pub resource_types: ResourceTypes,
    /// Nodes in the order written, groups with a `count` unrolled.
    pub nodes: Vec<Node>,
    /// What all applications of a kind share.
    pub shared: Shared,
    /// Applications in the order written, `copies` unrolled.
    pub apps: Vec<App>,
    /// What the FairScheduler's latest update before the run found of queues.
    pub shares: Vec<QueueShare>,
    /// Happenings in the order of their times, those of equal time as written.
    pub happenings: Vec<Happening>,
    /// Sentences for a teacher's key steps, in the order of their times.
    pub captions: Vec<Caption>,
    /// The same but for a few settings, to be compared with.
    pub worlds: Vec<World>,
    /// What must hold, in the order written.
    pub expectations: Vec<Expectation>,
}

/// A gallery card: a question that somebody really asked.
#[derive(Clone, Debug, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Card {
    /// Short id such as `Q39`.
    pub id: String,
    /// The question in the asker's voice.
    pub question: String,
    /// Where it was asked.
    pub source: String,
    /// The answer in one or two sentences.
    pub answer: String,
    /// What to look at on the page.
    pub look: String,
    /// Group of the gallery: `accepted`, `preemption`, `sharing`, `size`, `constraints`, ….
    pub topic: String,
}

impl Release {
    /// How the CapacityScheduler of this release is driven by default
    /// (`yarn.scheduler.capacity.schedule-asynchronously.enable` became true with 3.5.0).
    pub fn scheduling(self) -> Mode {
        if self >= Release::V3_5 { Mode::Async } else { Mode::Heartbeat }
    }
}

/// What makes the CapacityScheduler look at a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Mode {
    /// The node's heartbeat.
    Heartbeat,
    /// Threads of its own that walk over all nodes.
    Async,
}

/// How the CapacityScheduler is driven, and who said so.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Scheduling {
    /// The mode in effect.
    pub mode: Mode,
    pub because: Because,
}

/// Who decided the scheduling mode.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Because {
    /// `yarn.scheduler.capacity.schedule-asynchronously.enable` is set.
    Property,
    /// The scenario's `scheduling` says so.
    Scenario,
    /// The scenario names a `release`, whose default this is.
    Release,
    /// Nothing says so: the default of Hadoop 3.5. A page should ask.
    Default,
}

/// How the heartbeats of the nodes are spread over their interval.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Phases {
    /// Evenly: node i of n first beats `i · interval / n` after it registers.
    #[default]
    Spread,
    /// All at once, as soon as they register.
    Aligned,
    /// At random from the seed, as Hadoop's own load simulator does.
    Seeded,
}

/// Intervals and delays (lifecycles-and-timing.md sections 2.1 and 2.3), all in milliseconds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Timing {
    /// Between two heartbeats of a node (`yarn.resourcemanager.nodemanagers.heartbeat-interval-ms`, 1000).
    pub node_heartbeat: Millis,
    /// First heartbeats of the nodes.
    pub phases: Phases,
    /// Does a node beat at once when a container ends on it (a real NodeManager does)?
    pub extra_heartbeat: bool,
    /// Between two heartbeats of an ApplicationMaster.
    pub am_heartbeat: Millis,
    /// Localisation and start of a process.
    pub launch: Millis,
    /// From the start of an ApplicationMaster's process to its registration.
    pub am_start: Millis,
    /// From the order to stop to the end of a process.
    pub stop: Millis,
    /// A silent node is lost after this (`yarn.nm.liveness-monitor.expiry-interval-ms`).
    pub node_expiry: Millis,
    /// A silent ApplicationMaster is lost after this (`yarn.am.liveness-monitor.expiry-interval-ms`).
    pub am_expiry: Millis,
    /// A container acquired but not started is taken back after this
    /// (`yarn.resourcemanager.rm.container-allocation.expiry-interval-ms`).
    pub allocation_expiry: Millis,
    /// Pause of the asynchronous scheduler after each walk
    /// (`yarn.scheduler.capacity.schedule-asynchronously.scheduling-interval-ms`).
    pub async_interval: Millis,
}

impl Default for Timing {
    fn default() -> Self {
        Timing {
            node_heartbeat: 1_000,
            phases: Phases::Spread,
            extra_heartbeat: true,
            am_heartbeat: 1_000,
            launch: 1_000,
            am_start: 3_000,
            stop: 250,
            node_expiry: 600_000,
            am_expiry: 900_000,
            allocation_expiry: 600_000,
            async_interval: 5,
        }
    }
}

/// A file of the scenario, verbatim.
#[derive(Clone, Debug, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct FileText {
    pub text: String,
    /// Where the text begins in the scenario, if it stands there letter for letter (a `'''` string does).
    pub offset: Option<usize>,
    /// The whole value in the scenario, quotes included.
    pub span: Span,
}

impl FileText {
    /// A stretch of the file as a stretch of the scenario's text: exact if the file stands there letter for letter.
    pub fn in_scenario(&self, span: Option<Span>) -> Span {
        match (self.offset, span) {
            (Some(offset), Some(span)) => span.shift(offset),
            _ => self.span,
        }
    }
}

/// Where effective properties were written.
#[derive(Clone, Debug, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Origins {
    /// Of capacity-scheduler properties, by full name.
    pub capacity_scheduler: IndexMap<String, Origin>,
    /// Of yarn-site and resource-types properties, by full name.
    pub yarn_site: IndexMap<String, Origin>,
}

/// Where one property was written.
#[derive(Clone, Debug, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Origin {
    /// The file's name, or the name of the short form's table, such as `[capacity-scheduler]`.
    pub source: String,
    /// Where in that file (for a file), else in the scenario's text.
    pub span: Option<Span>,
    /// Where in the scenario's text.
    pub in_scenario: Span,
}

/// One node of the cluster.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Node {
    /// What it registers with.
    pub spec: NodeSpec,
    /// Attributes: name, with its prefix if it has one, and value.
    pub attributes: Vec<(String, String)>,
    /// When it registers.
    pub at: Millis,
    /// Which entry of `[[nodes]]` (from 0) it stands in.
    pub entry: usize,
    /// Where its entry starts in the scenario's text.
    pub span: Span,
}

/// A sentence shown from a moment on, until the next one.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Caption {
    pub at: Millis,
    pub text: String,
    /// What it is about, as a selection (`request:zk/0_3`), empty for nothing.
    pub select: String,
    /// Where it is written.
    pub span: Span,
}

impl Scenario {
    /// An amount from its parts. Types that the scenario does not know are left out; reading has reported them.
    pub fn resource(&self, memory_mb: i64, vcores: i64, more: &[(String, i64)]) -> Resource {
        let mut out = Resource::new(memory_mb, vcores);
        for (name, amount) in more {
            if let Some(place) = self.resource_types.place(name) {
                out[place] = *amount;
            }
        }
        out
    }

    /// The application of this name.
    pub fn app(&self, name: &str) -> Option<&App> {
        self.apps.iter().find(|a| a.name == name)
    }

    /// The caption that is shown at a moment.
    pub fn caption(&self, at: Millis) -> Option<&Caption> {
        self.captions.iter().rev().find(|c| c.at <= at)
    }
}
