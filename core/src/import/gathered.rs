//! The combined contents of all texts, before they are written as a scenario.

use super::changes::Change;
use super::lines::HeldLine;
use super::seen::{Amount, SeenCluster};
use super::shown::ListedQueue;
use super::spark::Submission;
use super::workloads::{Job, Largest, TraceNode};
use super::{Moment, Remark, RemarkAbout};
use crate::api::{NodeLabel, Properties, SchedulerChoice};
use crate::apps::import::Beside;
use crate::model::DEFAULT_PARTITION;
use crate::scenario::Release;
use indexmap::{IndexMap, IndexSet};
use std::collections::BTreeMap;

/// The queue of applications that name none.
pub const DEFAULT_QUEUE: &str = "default";

/// An application that a file describes, as an entry of `[[apps]]`.
#[derive(Clone, Debug, PartialEq)]
pub struct GatheredApp {
    pub name: String,
    /// The fields of the entry, as lines of TOML.
    pub toml: String,
    /// The resource types besides memory and vcores that it requests.
    pub types: Vec<String>,
}

/// The contents of other simulators' traces.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Traced {
    pub jobs: Vec<Job>,
    /// The nodes of a file of nodes.
    pub listed: Vec<TraceNode>,
    /// The nodes that jobs mention; a file of nodes overrides them.
    pub implied: Vec<TraceNode>,
    /// The needs of the largest jobs; `None` without jobs.
    pub largest: Option<Largest>,
    /// SLS settings, which have the sizes that traces leave out.
    pub settings: Properties,
}

/// The combined contents of all texts.
#[derive(Clone, Debug, Default)]
pub struct Gathered {
    /// The scheduler that a text names or belongs to, and the text.
    pub scheduler: Option<(SchedulerChoice, String)>,
    /// The release that somebody names.
    pub release: Option<Release>,
    /// The version that the ResourceManager names, and the text.
    pub version: Option<(String, String)>,
    /// Files that the scenario keeps verbatim, by their names in the scenario.
    pub files: IndexMap<&'static str, String>,
    /// Properties that were not given as a file: they override the file.
    pub capacity: Properties,
    pub site: Properties,
    /// Properties of yarn-site.xml that the other files require, unless a text sets them.
    pub assumed_site: Properties,
    /// Spark settings, and the text that they came from.
    pub spark: Properties,
    pub spark_source: Option<String>,
    /// Files that are merged into the entry of another one.
    pub beside: Beside,
    /// Queues of lists and reports, by their paths.
    pub listed_queues: IndexMap<String, ListedQueue>,
    /// Hosts that texts name without a size.
    pub named_hosts: IndexSet<String>,
    /// Spark submissions; the Spark settings apply to each.
    pub submissions: Vec<Submission>,
    /// Changes of the queues, which are applied at the end.
    pub changes: Vec<Change>,
    /// Queues that the changes require.
    pub changed_queues: IndexSet<String>,
    /// The attributes of hosts, with their prefixes.
    pub attributes: IndexMap<String, Vec<(String, String)>>,
    /// The racks of hosts.
    pub racks: IndexMap<String, String>,
    /// Labels with their exclusivity, if known.
    pub labels: IndexMap<String, Option<bool>>,
    pub entries: Vec<GatheredApp>,
    /// The queues that entries and jobs name, with the default queue for those that name none.
    pub named_queues: IndexSet<String>,
    /// Happenings at the start, as entries of `[[happenings]]`.
    pub happenings: Vec<String>,
    /// The running cluster.
    pub seen: SeenCluster,
    /// The applications' demands as of the FairScheduler's latest update, if they have changed since.
    pub demands: IndexMap<String, Amount>,
    pub traced: Traced,
    /// The labels of nodes, by `host:port`; port 0 means the whole host.
    pub labels_of_nodes: IndexMap<String, String>,
    /// Pasted lines, in their order.
    pub lines: Vec<HeldLine>,
    /// The line that the scenario was made of, where YARN prints it.
    pub line_said: Option<super::lines::RecognisedLine>,
    /// Whether the moment is that of a list of nodes, which is about all of them.
    pub lists_nodes: bool,
    /// A scenario that was given; everything else is added to it.
    pub scenario: Option<String>,
    pub inferred: Vec<Remark>,
    pub unknown: Vec<Remark>,
    pub moment: Moment,
    /// Counts in the present text so far; a large text is read in parts.
    pub tallies: BTreeMap<&'static str, usize>,
}

impl Gathered {
    /// Adds to a count of the present text, and returns the sum.
    pub fn tally(&mut self, of: &'static str, more: usize) -> usize {
        let tally = self.tallies.entry(of).or_default();
        *tally += more;
        *tally
    }

    /// Notes that an application is submitted to this queue; `None`: to the default queue.
    pub fn names_queue(&mut self, queue: Option<&str>) {
        self.named_queues.insert(queue.unwrap_or(DEFAULT_QUEUE).to_owned());
    }

    /// Records an inferred value.
    pub fn infer(&mut self, what: impl Into<String>, source: impl Into<String>) {
        self.inferred.push(Remark { what: what.into(), source: source.into(), about: vec![] });
    }

    /// Records an inferred value that can be changed.
    pub fn infer_of(&mut self, about: RemarkAbout, what: impl Into<String>, source: impl Into<String>) {
        self.inferred.push(Remark { what: what.into(), source: source.into(), about: vec![about] });
    }

    /// Records an unknown value, with the text that would give it.
    pub fn lack(&mut self, what: impl Into<String>, source: impl Into<String>) {
        self.unknown.push(Remark { what: what.into(), source: source.into(), about: vec![] });
    }

    /// Records an unknown value that can be set.
    pub fn lack_of(&mut self, about: impl Into<Vec<RemarkAbout>>, what: impl Into<String>, source: impl Into<String>) {
        self.unknown.push(Remark { what: what.into(), source: source.into(), about: about.into() });
    }

    /// Sets the scheduler that a text belongs to, unless one was named before.
    pub fn runs(&mut self, scheduler: SchedulerChoice, source: &str) {
        self.scheduler.get_or_insert_with(|| (scheduler, source.to_owned()));
    }

    /// Adds a label, with its exclusivity if known. Returns false for the default partition, which is not a label.
    pub fn label(&mut self, name: &str, exclusive: Option<bool>) -> bool {
        if name.is_empty() || name == DEFAULT_PARTITION {
            return false;
        }
        let known = self.labels.entry(name.to_owned()).or_insert(None);
        *known = exclusive.or(*known);
        true
    }

    /// Returns whether a text has CapacityScheduler queues.
    pub fn has_capacity_queues(&self) -> bool {
        let of_queue = |key: &String| key.starts_with("yarn.scheduler.capacity.root.");
        self.files.contains_key("capacity-scheduler.xml") || self.capacity.keys().any(of_queue)
    }

    /// Returns the labels for the scenario; those of unknown exclusivity are exclusive.
    pub fn node_labels(&self) -> Vec<NodeLabel> {
        let label = |(name, exclusive): (&String, &Option<bool>)| NodeLabel {
            name: name.clone(),
            exclusive: exclusive.unwrap_or(true),
        };
        self.labels.iter().map(label).collect()
    }

    /// Returns a name that no application has yet.
    pub fn free_name(&self, wanted: &str) -> String {
        let taken = |name: &str| self.entries.iter().any(|e| e.name == name);
        if !taken(wanted) {
            return wanted.to_owned();
        }
        (2..).map(|n| format!("{wanted}-{n}")).find(|name| !taken(name)).unwrap_or_default()
    }
}
