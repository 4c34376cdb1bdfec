//! What all texts say together, before it is written as a scenario.

use super::changes::Change;
use super::seen::{Amount, Seen};
use super::shown::ListedQueue;
use super::spark::Submission;
use super::workloads::{Job, Largest, TraceNode};
use super::{Moment, Remark};
use crate::api::{NodeLabel, Properties, SchedulerChoice};
use crate::apps::import::Beside;
use crate::model::DEFAULT_PARTITION;
use crate::scenario::Release;
use indexmap::{IndexMap, IndexSet};

/// The queue of what names none.
pub const DEFAULT_QUEUE: &str = "default";

/// An application that a file describes, as an entry of `[[apps]]`.
#[derive(Clone, Debug, PartialEq)]
pub struct Entry {
    pub name: String,
    /// The fields of the entry, as TOML lines.
    pub toml: String,
    /// Resource types besides memory and vcores that it asks for.
    pub types: Vec<String>,
}

/// What traces of other simulators say.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Traced {
    pub jobs: Vec<Job>,
    /// Nodes of a file of nodes.
    pub listed: Vec<TraceNode>,
    /// Nodes that jobs speak of; a file of nodes goes before them.
    pub implied: Vec<TraceNode>,
    /// What the largest of the jobs needs; `None` without jobs.
    pub largest: Option<Largest>,
    /// Settings of SLS, which have the sizes that traces leave out.
    pub settings: Properties,
}

/// What all texts say together.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Gathered {
    /// Which scheduler a text names or is of, and the text.
    pub scheduler: Option<(SchedulerChoice, String)>,
    /// The release that somebody names.
    pub release: Option<Release>,
    /// The version that the ResourceManager names, and the text.
    pub version: Option<(String, String)>,
    /// Files that the scenario keeps letter for letter, by the name that it has for them.
    pub files: IndexMap<&'static str, String>,
    /// Properties that were given in another form than a file: they go before the file.
    pub capacity: Properties,
    pub site: Properties,
    /// What yarn-site.xml has to say for the other files to hold, as long as no text says otherwise.
    pub assumed_site: Properties,
    /// Settings of Spark, and the text that they came from.
    pub spark: Properties,
    pub spark_source: Option<String>,
    /// Files that go into the entry of another one.
    pub beside: Beside,
    /// Queues of lists and reports, by their paths.
    pub listed_queues: IndexMap<String, ListedQueue>,
    /// Hosts that texts name without a word of their size.
    pub named_hosts: IndexSet<String>,
    /// Submissions of Spark; what was set for it goes into each.
    pub submissions: Vec<Submission>,
    /// Changes of the queues, which are made at the end.
    pub changes: Vec<Change>,
    /// Queues that changes need to be there.
    pub changed_queues: IndexSet<String>,
    /// Attributes of hosts, with their prefixes.
    pub attributes: IndexMap<String, Vec<(String, String)>>,
    /// Racks of hosts.
    pub racks: IndexMap<String, String>,
    /// Labels with their exclusivity, if a text says it.
    pub labels: IndexMap<String, Option<bool>>,
    pub entries: Vec<Entry>,
    /// Queues that entries and jobs name; the default one for those that name none.
    pub named_queues: IndexSet<String>,
    /// What happens at the start, as entries of `[[happenings]]`.
    pub happenings: Vec<String>,
    /// The running cluster.
    pub seen: Seen,
    /// Demands of applications as of the FairScheduler's latest update, where they are others by now.
    pub demands: IndexMap<String, Amount>,
    pub traced: Traced,
    /// Labels of nodes, by `host:port`; port 0 is the whole host.
    pub labels_of_nodes: IndexMap<String, String>,
    /// A scenario that was given: what else is given goes into it.
    pub scenario: Option<String>,
    pub inferred: Vec<Remark>,
    pub unknown: Vec<Remark>,
    pub moment: Moment,
}

impl Gathered {
    /// An application is submitted to this queue; `None`: it names none, and goes to the default one.
    pub fn names_queue(&mut self, queue: Option<&str>) {
        self.named_queues.insert(queue.unwrap_or(DEFAULT_QUEUE).to_owned());
    }

    /// Adds a value that no text says as it stands.
    pub fn infer(&mut self, what: impl Into<String>, source: impl Into<String>) {
        self.inferred.push(Remark { what: what.into(), source: source.into() });
    }

    /// Adds something that no text says, with what would.
    pub fn lack(&mut self, what: impl Into<String>, source: impl Into<String>) {
        self.unknown.push(Remark { what: what.into(), source: source.into() });
    }

    /// Takes the scheduler that a text is of, unless one was named before.
    pub fn runs(&mut self, scheduler: SchedulerChoice, source: &str) {
        self.scheduler.get_or_insert_with(|| (scheduler, source.to_owned()));
    }

    /// Takes a label, and whether it is exclusive if a text says it. Returns false of the default partition, which is none.
    pub fn label(&mut self, name: &str, exclusive: Option<bool>) -> bool {
        if name.is_empty() || name == DEFAULT_PARTITION {
            return false;
        }
        let known = self.labels.entry(name.to_owned()).or_insert(None);
        *known = exclusive.or(*known);
        true
    }

    /// Whether a text has given queues of the CapacityScheduler.
    pub fn has_capacity_queues(&self) -> bool {
        let of_queue = |key: &String| key.starts_with("yarn.scheduler.capacity.root.");
        self.files.contains_key("capacity-scheduler.xml") || self.capacity.keys().any(of_queue)
    }

    /// The labels as the scenario has them; those of unknown exclusivity are exclusive.
    pub fn node_labels(&self) -> Vec<NodeLabel> {
        let label = |(name, exclusive): (&String, &Option<bool>)| NodeLabel {
            name: name.clone(),
            exclusive: exclusive.unwrap_or(true),
        };
        self.labels.iter().map(label).collect()
    }

    /// A name that no application has yet.
    pub fn free_name(&self, wanted: &str) -> String {
        let taken = |name: &str| self.entries.iter().any(|e| e.name == name);
        if !taken(wanted) {
            return wanted.to_owned();
        }
        (2..).map(|n| format!("{wanted}-{n}")).find(|name| !taken(name)).unwrap_or_default()
    }
}
