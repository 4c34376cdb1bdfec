//! The scenario: one readable document with a cluster, its settings, applications, timed happenings and expectations. This
//! module has the types; `read` builds them from text, `edit` changes the text.
//!
//! Times are milliseconds from the start of the run; memory is in MiB.

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

/// The version of the text form that this core writes, and the highest that it reads (`heddle = 1`).
pub const FORMAT: i64 = 1;

/// A whole scenario, as read. The text remains the truth: edits change the text, and it is read again.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Scenario {
    pub title: String,
    /// A note for readers, in plain text.
    pub note: String,
    /// What the gallery shows, if the scenario is a gallery card.
    pub card: Option<Card>,
    /// The seed of all randomness.
    pub seed: u64,
    /// The moment at which a page opens the scenario.
    pub start_at: Millis,
    /// The end of the run; `None`: when nothing more can happen.
    pub until: Option<Millis>,
    /// The Hadoop release whose defaults apply, if the scenario names one.
    pub release: Option<Release>,
    /// How the CapacityScheduler is driven.
    pub scheduling: Scheduling,
    /// Delays and intervals.
    pub timing: Timing,
    /// The ResourceManager's configuration: effective properties of files and short form, labels, groups.
    pub settings: RmSettings,
    /// Where each effective property was written.
    pub origins: Origins,
    /// The files by name, verbatim.
    pub files: IndexMap<String, FileText>,
    /// The resource types: those of `yarn.resource-types`, or, if that is not set, those that the nodes have.
    pub resource_types: ResourceTypes,
    /// The nodes in the order written; groups with a `count` are unrolled.
    pub nodes: Vec<Node>,
    /// Settings that all applications of a kind share.
    pub shared: Shared,
    /// The applications in the order written; `copies` are unrolled.
    pub apps: Vec<App>,
    /// The queues' shares from the FairScheduler's latest update before the run.
    pub shares: Vec<QueueShare>,
    /// The happenings in the order of their times; those at the same time as written.
    pub happenings: Vec<Happening>,
    /// A teacher's captions for key steps, in the order of their times.
    pub captions: Vec<Caption>,
    /// The variants of the scenario, which differ in a few settings and are compared with it.
    pub worlds: Vec<World>,
    /// The expectations, in the order written.
    pub expectations: Vec<Expectation>,
}

/// A gallery card: a question that somebody really asked.
#[derive(Clone, Debug, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Card {
    /// A short id such as `Q39`.
    pub id: String,
    /// The question in the asker's words.
    pub question: String,
    /// Where it was asked.
    pub source: String,
    /// The answer in one or two sentences.
    pub answer: String,
    /// What to look at on the page.
    pub look: String,
    /// The group of the gallery: `accepted`, `preemption`, `sharing`, `size`, `constraints`, ….
    pub topic: String,
}

impl Release {
    /// Returns the release's default scheduling mode (`yarn.scheduler.capacity.schedule-asynchronously.enable` became true
    /// with 3.5.0).
    pub fn scheduling(self) -> Mode {
        if self >= Release::V3_5 { Mode::Async } else { Mode::Heartbeat }
    }
}

/// The event upon which the CapacityScheduler tries a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Mode {
    /// The node's heartbeat.
    Heartbeat,
    /// The scheduler's own threads, which walk over all nodes.
    Async,
}

/// The scheduling mode of the CapacityScheduler, and what decided it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Scheduling {
    /// The mode in effect.
    pub mode: Mode,
    pub because: Because,
}

/// What decided the scheduling mode.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Because {
    /// `yarn.scheduler.capacity.schedule-asynchronously.enable` is set.
    Property,
    /// The scenario's `scheduling` key.
    Scenario,
    /// The default of the `release` that the scenario names.
    Release,
    /// The default of Hadoop 3.5, since nothing is set. A page should ask.
    Default,
}

/// The spread of the nodes' heartbeats over their interval.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Phases {
    /// Evenly: node i of n sends its first heartbeat `i · interval / n` after it registers.
    #[default]
    Spread,
    /// All at once, as soon as they register.
    Aligned,
    /// Randomly from the seed, as in Hadoop's own load simulator.
    Seeded,
}

/// Intervals and delays (lifecycles-and-timing.md sections 2.1 and 2.3), all in milliseconds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Timing {
    /// The interval of a node's heartbeats (`yarn.resourcemanager.nodemanagers.heartbeat-interval-ms`, 1000).
    pub node_heartbeat: Millis,
    /// The times of the nodes' first heartbeats.
    pub phases: Phases,
    /// Whether a node sends a heartbeat at once when a container ends on it, as a real NodeManager does.
    pub extra_heartbeat: bool,
    /// The interval of an ApplicationMaster's heartbeats.
    pub am_heartbeat: Millis,
    /// The time that localising and starting a process takes.
    pub launch: Millis,
    /// The time from the start of an ApplicationMaster's process to its registration.
    pub am_start: Millis,
    /// The time from the order to stop to the end of a process.
    pub stop: Millis,
    /// The silence after which a node is lost (`yarn.nm.liveness-monitor.expiry-interval-ms`).
    pub node_expiry: Millis,
    /// The silence after which an ApplicationMaster is lost (`yarn.am.liveness-monitor.expiry-interval-ms`).
    pub am_expiry: Millis,
    /// The time after which a container that was acquired but not started is released
    /// (`yarn.resourcemanager.rm.container-allocation.expiry-interval-ms`).
    pub allocation_expiry: Millis,
    /// The pause of the asynchronous scheduler after each walk
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
    /// The start of the text in the scenario, if it stands there verbatim (as in a `'''` string).
    pub offset: Option<usize>,
    /// The whole value in the scenario, with its quotes.
    pub span: Span,
}

impl FileText {
    /// Maps a span of the file to a span of the scenario's text: exact if the file stands there verbatim, else the whole
    /// value.
    pub fn in_scenario(&self, span: Option<Span>) -> Span {
        match (self.offset, span) {
            (Some(offset), Some(span)) => span.shift(offset),
            _ => self.span,
        }
    }
}

/// The places where effective properties were written.
#[derive(Clone, Debug, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Origins {
    /// Origins of capacity-scheduler properties, by full name.
    pub capacity_scheduler: IndexMap<String, Origin>,
    /// Origins of yarn-site and resource-types properties, by full name.
    pub yarn_site: IndexMap<String, Origin>,
}

/// The place where one property was written.
#[derive(Clone, Debug, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Origin {
    /// The file's name, or the name of the short form's table, such as `[capacity-scheduler]`.
    pub source: String,
    /// The place in that file, or in the scenario's text for a table.
    pub span: Option<Span>,
    /// The place in the scenario's text.
    pub in_scenario: Span,
}

/// One node of the cluster.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Node {
    /// Its registration.
    pub spec: NodeSpec,
    /// Its attributes: name, with its prefix if it has one, and value.
    pub attributes: Vec<(String, String)>,
    /// The time of its registration.
    pub at: Millis,
    /// The index of its entry in `[[nodes]]`, from 0.
    pub entry: usize,
    /// The start of its entry in the scenario's text.
    pub span: Span,
}

/// A sentence that is shown from a moment until the next caption.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Caption {
    pub at: Millis,
    pub text: String,
    /// The selection that it is about (`request:zk/0_3`); empty for none.
    pub select: String,
    /// Where it is written.
    pub span: Span,
}

impl Scenario {
    /// Builds a resource from its parts. Types that the scenario does not know are left out; reading has reported them.
    pub fn resource(&self, memory_mb: i64, vcores: i64, more: &[(String, i64)]) -> Resource {
        let mut out = Resource::new(memory_mb, vcores);
        for (name, amount) in more {
            if let Some(place) = self.resource_types.place(name) {
                out[place] = *amount;
            }
        }
        out
    }

    /// Returns the application with this name.
    pub fn app(&self, name: &str) -> Option<&App> {
        self.apps.iter().find(|a| a.name == name)
    }

    /// Returns the caption that is shown at a moment.
    pub fn caption(&self, at: Millis) -> Option<&Caption> {
        self.captions.iter().rev().find(|c| c.at <= at)
    }
}
