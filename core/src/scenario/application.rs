//! The applications of a scenario: what is submitted, and what the ApplicationMaster will do.

use crate::api::{AmPreemptionPolicy, AskPlace, AskRow, ClientRefusal};
use crate::apps::scenario::AppKind;
use crate::constraint::{Constraint, Spec, Target};
use crate::model::{Millis, RequestKey, Resource, Span};
use serde::{Deserialize, Serialize};

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct App {
    /// The name, unique in the scenario.
    pub name: String,
    /// The time of its submission.
    pub at: Millis,
    /// The requested queue, as written.
    pub queue: String,
    pub user: String,
    /// The priority; `None`: the queue's default.
    pub priority: Option<i32>,
    pub tags: Vec<String>,
    /// The application's node label expression.
    pub label: Option<String>,
    /// The maximum number of attempts; `None`: `yarn.resourcemanager.am.max-attempts`.
    pub max_attempts: Option<i32>,
    /// The age beyond which failures do not count (attemptFailuresValidityInterval); `None`: all count.
    pub failures_window: Option<Millis>,
    /// The age at which it is killed (whole seconds count); `None`: as set for its queue.
    pub lifetime: Option<Millis>,
    pub am: Am,
    /// The constraints that the AM sends when it registers.
    pub constraints: Vec<TaggedConstraint>,
    /// What the application holds when the run begins; `None`: it is submitted during the run.
    pub now: Option<Box<AppNow>>,
    pub kind: AppKind,
    /// The reason why its client does not submit it, if its files alone decide that.
    pub refused: Option<ClientRefusal>,
    /// The index of its entry in `[[apps]]`, from 0.
    pub entry: usize,
    /// The start of its entry in the scenario's text.
    pub span: Span,
    /// The place where its queue is written.
    pub queue_span: Option<Span>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Am {
    /// Whether the AM is unmanaged and takes no container.
    pub unmanaged: bool,
    /// The size of the AM's container.
    pub size: Resource,
    /// The requested partition; `None`: the application's, or else the queue's default.
    pub label: Option<String>,
    /// The requested hosts and racks; empty: anywhere.
    pub places: Vec<AskPlace>,
    /// The time from the start of its process to its registration.
    pub start: Millis,
    /// The interval of its heartbeats.
    pub heartbeat: Millis,
    /// The time that localising and starting a process of this application takes.
    pub launch: Millis,
    /// Whether its running containers outlive it, unless it is the last attempt (keepContainersAcrossApplicationAttempts).
    /// Slider sets this.
    pub keep_containers: bool,
    /// The time from registration until its process ends by itself, with its exit code (in every attempt).
    pub fails_after: Option<(Millis, i32)>,
    /// Its reaction when preemption asks for containers (batch).
    pub preemption_policy: AmPreemptionPolicy,
}

/// The state of an application when the run begins.
#[derive(Clone, Debug, PartialEq, Default, Serialize, Deserialize)]
pub struct AppNow {
    /// The current attempt, from 1.
    pub attempt: u32,
    /// Whether the queue has activated it.
    pub active: bool,
    /// Whether its ApplicationMaster has registered.
    pub registered: bool,
    /// YARN's diagnostics from before the run on why the ApplicationMaster does not run.
    pub diagnostics: Option<String>,
    /// The number of its next container, if known.
    pub next: Option<u64>,
    /// The usage that the scheduler records in the default partition, if it differs from the sum of the containers.
    pub used: Option<Resource>,
    /// Under the FairScheduler: its demand as of the latest update, if it has changed since.
    pub demand: Option<Resource>,
    /// Its containers, in the order of their allocation.
    pub running: Vec<ContainerNow>,
    pub reserved: Vec<ContainerNow>,
    /// Its outstanding requests.
    pub asks: Vec<Ask>,
    /// The hosts and racks on its blacklist.
    pub blacklist: Vec<String>,
}

/// A container or a reservation that exists when the run begins.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ContainerNow {
    /// Its number within the attempt; `None`: the next one.
    pub number: Option<u64>,
    pub node: String,
    pub size: Resource,
    pub priority: i32,
    pub allocation_request_id: i64,
    /// Whether it is the ApplicationMaster's.
    pub am: bool,
    /// Whether its node has reported it as running.
    pub reported: bool,
    /// The label that it was requested with; `None`: its node's.
    pub label: Option<String>,
    /// Of an ApplicationMaster: the label whose AM limit it is charged to; `None`: the one that it was asked for with.
    pub charged: Option<String>,
    /// The time that it still works; `None`: for ever.
    pub duration: Option<Millis>,
    /// The number of times that the scheduler has reserved the reservation again.
    pub again: i64,
    /// Where it is written.
    pub span: Span,
}

impl App {
    /// Returns the node attributes that its constraints name, each with a value.
    pub fn attributes(&self) -> Vec<(&str, &str)> {
        let registered = self.constraints.iter().filter_map(|tagged| tagged.constraint.tree.as_ref());
        let all = registered.chain(self.kind.constraints());
        let targets = all.flat_map(Constraint::leaves).flat_map(|leaf| &leaf.targets);
        let named = targets.flat_map(|target| match target {
            Target::Attribute { name, values } => values.iter().map(|value| (name.as_str(), value.as_str())).collect(),
            Target::Tags { .. } | Target::Partition { .. } => Vec::new(),
        });
        named.collect()
    }
}

/// A constraint for the requests that carry certain allocation tags.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct TaggedConstraint {
    /// The source tags.
    pub tags: Vec<String>,
    pub constraint: ConstraintText,
}

/// A PlacementSpec as written and as parsed.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SpecText {
    pub text: String,
    /// The place of the text in the scenario; positions in the text count from its start.
    pub span: Span,
    pub read: Spec,
}

/// A constraint as written.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ConstraintText {
    pub text: String,
    /// The place of the text in the scenario; positions in the text count from its start.
    pub span: Span,
    /// The tree, if the text is a single valid constraint.
    pub tree: Option<Constraint>,
}

/// A group of identical tasks.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct TaskGroup {
    /// The name, unique in the application.
    pub name: String,
    pub count: u32,
    /// The size of each task's container.
    pub size: Resource,
    /// The run time of each task; `None`: for ever.
    pub duration: Option<Millis>,
    /// The application whose end ends each task, as a launcher's task waits for the job that it submitted.
    pub until: Option<String>,
    /// The priority of the requests; a lower number is more urgent.
    pub priority: i32,
    /// The requested hosts and racks; empty: anywhere.
    pub places: Vec<String>,
    /// Whether locality may be relaxed beyond the named places.
    pub relax: bool,
    /// The node label expression of the requests.
    pub label: Option<String>,
    /// The groups that must finish before this one is requested.
    pub after: Vec<String>,
    /// The delay after registration, or after the last group of `after` has finished.
    pub delay: Millis,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Shell {
    /// The PlacementSpec, if given.
    pub spec: Option<SpecText>,
    /// `-num_containers`.
    pub containers: u32,
    /// The size of each container.
    pub size: Resource,
    /// The run time of each container; `None`: for ever.
    pub duration: Option<Millis>,
    /// `-shell_cmd_priority`.
    pub priority: i32,
    /// The node label expression of the requests (without a spec).
    pub label: Option<String>,
}

/// An allocate call, sent with the AM's first heartbeat at or after its time.
#[derive(Clone, Debug, PartialEq, Default, Serialize, Deserialize)]
pub struct Call {
    /// The earliest time.
    pub at: Millis,
    /// Requests with absolute counts.
    pub asks: Vec<Ask>,
    /// Scheduling requests, with tags and constraints.
    pub scheduling: Vec<TaggedAsk>,
    /// The containers to release, by their number in the application (0 is normally the AM).
    pub release: Vec<usize>,
    /// Hosts and racks to blacklist.
    pub blacklist_add: Vec<String>,
    /// Hosts and racks to take off the blacklist.
    pub blacklist_remove: Vec<String>,
    /// Whether the AM unregisters after this call.
    pub unregister: bool,
    /// Where it is written.
    pub span: Span,
}

/// A row of an allocate call.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Ask {
    pub row: AskRow,
    /// The run time of containers allocated for this priority and id; `None`: for ever.
    pub duration: Option<Millis>,
}

/// A scheduling request of an allocate call.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct TaggedAsk {
    pub allocation_request_id: i64,
    pub priority: i32,
    pub tags: Vec<String>,
    pub count: i64,
    /// The size of one container.
    pub size: Resource,
    /// The request's own constraint.
    pub constraint: Option<ConstraintText>,
    /// The run time of its containers; `None`: for ever.
    pub duration: Option<Millis>,
}

impl TaggedAsk {
    pub fn key(&self) -> RequestKey {
        RequestKey { priority: self.priority, allocation_request_id: self.allocation_request_id }
    }
}
