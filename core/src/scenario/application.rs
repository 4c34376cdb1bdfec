//! Applications of a scenario: what is submitted, and what the ApplicationMaster will do.

use crate::api::{AmPreemptionPolicy, AskPlace, AskRow, ClientRefusal};
use crate::apps::scenario::AppKind;
use crate::constraint::{Constraint, Spec};
use crate::model::{Millis, RequestKey, Resource, Span};
use serde::{Deserialize, Serialize};

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct App {
    /// Its name, unique in the scenario.
    pub name: String,
    /// When it is submitted.
    pub at: Millis,
    /// Queue asked for, as written.
    pub queue: String,
    pub user: String,
    /// Priority; `None`: the queue's default.
    pub priority: Option<i32>,
    pub tags: Vec<String>,
    /// Node label expression of the application.
    pub label: Option<String>,
    /// Attempts at most; `None`: `yarn.resourcemanager.am.max-attempts`.
    pub max_attempts: Option<i32>,
    /// Failures of attempts that are older do not count (attemptFailuresValidityInterval); `None`: all count.
    pub failures_window: Option<Millis>,
    /// It is killed when it is this old (whole seconds count); `None`: as its queue says.
    pub lifetime: Option<Millis>,
    pub am: Am,
    /// Constraints that the AM sends when it registers.
    pub constraints: Vec<TaggedConstraint>,
    /// What it has already when the run begins; `None`: it is submitted in the run.
    pub now: Option<Box<AppNow>>,
    pub kind: AppKind,
    /// Why its client does not submit it, where its files alone decide that.
    pub refused: Option<ClientRefusal>,
    /// Which entry of `[[apps]]` (from 0) it stands in.
    pub entry: usize,
    /// Where its entry starts in the scenario's text.
    pub span: Span,
    /// Where its queue is written.
    pub queue_span: Option<Span>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Am {
    /// Does it take no container (an unmanaged AM)?
    pub unmanaged: bool,
    /// Size of its container.
    pub size: Resource,
    /// Partition asked for; `None`: the application's, else the queue's default.
    pub label: Option<String>,
    /// Hosts and racks asked for; empty: anywhere.
    pub places: Vec<AskPlace>,
    /// From the start of its process to its registration.
    pub start: Millis,
    /// Between two of its heartbeats.
    pub heartbeat: Millis,
    /// Localisation and start of processes of this application.
    pub launch: Millis,
    /// Do its running containers outlive it, if it is not the last (keepContainersAcrossApplicationAttempts)? Slider's do.
    pub keep_containers: bool,
    /// Its process ends by itself so long after registration, with this exit code (each attempt does).
    pub fails_after: Option<(Millis, i32)>,
    /// What it does when containers are asked back (batch).
    pub preemption_policy: AmPreemptionPolicy,
}

/// What an application has when the run begins.
#[derive(Clone, Debug, PartialEq, Default, Serialize, Deserialize)]
pub struct AppNow {
    /// Its present attempt, from 1.
    pub attempt: u32,
    /// Whether its queue has activated it.
    pub active: bool,
    /// Whether its ApplicationMaster has registered.
    pub registered: bool,
    /// YARN's words for why its ApplicationMaster does not run, as they were before the run.
    pub diagnostics: Option<String>,
    /// The number of its next container, if it is known.
    pub next: Option<u64>,
    /// What the scheduler counts as used by it in the default partition, where that is not what its containers take.
    pub used: Option<Resource>,
    /// Under the FairScheduler: its demand as of the latest update, where it is another one by now.
    pub demand: Option<Resource>,
    /// Its containers, in the order in which they were given.
    pub running: Vec<ContainerNow>,
    pub reserved: Vec<ContainerNow>,
    /// Its requests that still wait.
    pub asks: Vec<Ask>,
    /// Hosts and racks on its blacklist.
    pub blacklist: Vec<String>,
}

/// A container or a reservation that is there when the run begins.
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
    /// Whether its node has told the ResourceManager that it runs.
    pub reported: bool,
    /// The label that it was asked for with; `None`: that of its node.
    pub label: Option<String>,
    /// Of an ApplicationMaster: the label whose AM limit it is charged to; `None`: the one that it was asked for with.
    pub charged: Option<String>,
    /// How long it works yet; `None`: for ever.
    pub duration: Option<Millis>,
    /// Of a reservation: how many times the scheduler has reserved it again.
    pub again: i64,
    /// Where it is written.
    pub span: Span,
}

/// A constraint for the requests that carry certain allocation tags.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct TaggedConstraint {
    /// Source tags.
    pub tags: Vec<String>,
    pub constraint: ConstraintText,
}

/// A PlacementSpec as written, and as it was read.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SpecText {
    pub text: String,
    /// Where the text stands in the scenario; positions in it count from the start of this.
    pub span: Span,
    pub read: Spec,
}

/// A constraint as written.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ConstraintText {
    pub text: String,
    /// Where the text stands in the scenario; positions in it count from the start of this.
    pub span: Span,
    /// The tree, if it is a single constraint that could be read.
    pub tree: Option<Constraint>,
}

/// Tasks that are alike.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct TaskGroup {
    /// Its name, unique in the application.
    pub name: String,
    pub count: u32,
    /// Size of each one's container.
    pub size: Resource,
    /// How long each works; `None`: for ever.
    pub duration: Option<Millis>,
    /// Each works until the application of this name is over, as a launcher's task waits for the job that it submitted.
    pub until: Option<String>,
    /// Priority of the requests; a lower number is more urgent.
    pub priority: i32,
    /// Hosts and racks asked for; empty: anywhere.
    pub places: Vec<String>,
    /// May it go further out than the places named?
    pub relax: bool,
    /// Node label expression of the requests.
    pub label: Option<String>,
    /// Groups that must be done before this one is asked for.
    pub after: Vec<String>,
    /// Waits so long after registration, or after the last of `after` is done.
    pub delay: Millis,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Shell {
    /// The PlacementSpec, if one is given.
    pub spec: Option<SpecText>,
    /// `-num_containers`.
    pub containers: u32,
    /// Size of each container.
    pub size: Resource,
    /// How long each works; `None`: for ever.
    pub duration: Option<Millis>,
    /// `-shell_cmd_priority`.
    pub priority: i32,
    /// Node label expression of the requests (without a spec).
    pub label: Option<String>,
}

/// An allocate call, sent with the first heartbeat of the AM at or after its time.
#[derive(Clone, Debug, PartialEq, Default, Serialize, Deserialize)]
pub struct Call {
    /// When, at the earliest.
    pub at: Millis,
    /// Requests, absolute counts.
    pub asks: Vec<Ask>,
    /// Requests with tags and constraints.
    pub scheduling: Vec<TaggedAsk>,
    /// Containers given back, by their number in the application (0 is normally the AM).
    pub release: Vec<usize>,
    /// Hosts and racks not wanted.
    pub blacklist_add: Vec<String>,
    /// Hosts and racks wanted again.
    pub blacklist_remove: Vec<String>,
    /// The AM is done: it unregisters after this call.
    pub unregister: bool,
    /// Where it is written.
    pub span: Span,
}

/// A row of an allocate call.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Ask {
    pub row: AskRow,
    /// How long containers given for this priority and id work; `None`: for ever.
    pub duration: Option<Millis>,
}

/// A scheduling request of an allocate call.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct TaggedAsk {
    pub allocation_request_id: i64,
    pub priority: i32,
    pub tags: Vec<String>,
    pub count: i64,
    /// Size of one container.
    pub size: Resource,
    /// The request's own constraint.
    pub constraint: Option<ConstraintText>,
    /// How long its containers work; `None`: for ever.
    pub duration: Option<Millis>,
}

impl TaggedAsk {
    pub fn key(&self) -> RequestKey {
        RequestKey { priority: self.priority, allocation_request_id: self.allocation_request_id }
    }
}
