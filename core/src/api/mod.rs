//! What goes into and comes out of the ResourceManager, as plain data.

mod call;
mod client;
mod present;
mod refusal;
mod settings_rule;

use crate::constraint::Constraint;
use crate::model::{AppId, AttemptId, ContainerId, EndCause, Millis, NodeId, RequestKey, Resource};
pub use call::Call;
pub use client::{ClientRefusal, ClientStage, Submitted};
use indexmap::IndexMap;
pub use present::{Present, PresentContainer, QueueShare, Said};
pub use refusal::{ApplicationsBasis, BadConstraint, Cut, Refusal, RefusalRule, TooLarge};
use serde::{Deserialize, Serialize};
pub use settings_rule::SettingsRule;
use std::sync::Arc;

/// Properties under their real names, in the order of their file.
pub type Properties = IndexMap<String, String>;

pub use heddle_view::SchedulerChoice;

/// Returns whether an exit code counts against the node (Apps.shouldCountTowardsNodeBlacklisting,
/// lifecycles-and-timing.md section 3).
pub fn blames_node(exit_code: i32) -> bool {
    !matches!(exit_code, 0 | -107..=-100)
}

/// A cluster node label.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct NodeLabel {
    pub name: String,
    /// Whether it is exclusive (the default); otherwise its idle resources may be lent to requests of the default
    /// partition.
    pub exclusive: bool,
}

/// Everything that a ResourceManager is started with.
#[derive(Clone, Debug, PartialEq, Default, Serialize, Deserialize)]
pub struct RmSettings {
    pub scheduler: SchedulerChoice,
    /// yarn-site.xml and resource-types.xml, effective values.
    pub yarn_site: Properties,
    /// capacity-scheduler.xml, effective values.
    pub capacity_scheduler: Properties,
    /// Text of the FairScheduler's allocation file.
    pub fair_allocations: Option<String>,
    pub labels: Vec<NodeLabel>,
    /// The groups of users; a user without an entry has one group, named like the user.
    pub groups: IndexMap<String, Vec<String>>,
    /// The clock when the ResourceManager starts.
    pub clock_ms: Millis,
    /// The seed of what is random in the real system (start of an asynchronous walk).
    pub seed: u64,
}

/// When the proposals of a walk are committed. The real scheduler has a thread for it, whose timing lies between these
/// two.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Commits {
    /// Each one before the next visit.
    AtOnce,
    /// All of them, in order, after the walk.
    AfterWalk,
}

/// A NodeManager that registers.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct NodeSpec {
    pub host: String,
    /// Port; it matters only to orders that depend on hashes of node ids.
    pub port: i32,
    /// Rack, such as `/r1`.
    pub rack: String,
    pub total: Resource,
    /// The node's label; `None` keeps the one that a node of this name had before.
    pub label: Option<String>,
}

/// The ApplicationMaster's own container.
#[derive(Clone, Debug, PartialEq, Default, Serialize, Deserialize)]
pub struct AmAsk {
    pub size: Resource,
    /// Requested partition; `None`: the application's, else the queue's default.
    pub label: Option<String>,
    /// The rows for hosts and racks, with their relaxLocality, and `*` if the row for any place does not relax; empty:
    /// anywhere.
    pub places: Vec<AskPlace>,
}

/// A named place of an AM ask.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct AskPlace {
    pub name: String,
    /// Whether locality may be relaxed beyond it.
    pub relax: bool,
}

/// An application that is submitted.
#[derive(Clone, Debug, PartialEq, Default, Serialize, Deserialize)]
pub struct Submission {
    /// Application name, which mapping rules may use.
    pub name: String,
    /// The requested queue, as written.
    pub queue: String,
    pub user: String,
    /// Priority; `None`: the queue's default.
    pub priority: Option<i32>,
    pub tags: Vec<String>,
    /// Node label expression of the application.
    pub label: Option<String>,
    /// The maximum number of attempts; `None`: `yarn.resourcemanager.am.max-attempts`.
    pub max_attempts: Option<i32>,
    /// Attempt failures that are older than this do not count (attemptFailuresValidityInterval); `None`: all count.
    pub failures_window: Option<Millis>,
    /// Lifetime in seconds, after which it is killed (ApplicationTimeoutType.LIFETIME); `None`: the queue's default.
    pub lifetime_s: Option<i64>,
    /// Whether running containers survive an attempt that is not the last (keepContainersAcrossApplicationAttempts).
    pub keep_containers: bool,
    /// The ApplicationMaster's container; `None` for an unmanaged one, which needs none.
    pub am: Option<AmAsk>,
    /// Constraints that the AM sends when it registers: source tags and constraint.
    pub constraints: Vec<(Vec<String>, Constraint)>,
}

/// One ResourceRequest of an allocate call.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct AskRow {
    /// Priority; a lower number is more urgent.
    pub priority: i32,
    /// `*`, a rack or a host.
    pub place: String,
    /// Size of one container.
    pub size: Resource,
    /// The number of containers, absolute.
    pub count: i64,
    pub relax: bool,
    /// Node label expression; `None` when not given.
    pub label: Option<String>,
    /// Allocation request id, −1 when not given.
    pub allocation_request_id: i64,
}

impl AskRow {
    /// Requests `count` containers of a size, anywhere, without a label or an allocation request id.
    pub fn anywhere(priority: i32, size: Resource, count: i64) -> Self {
        AskRow { priority, place: "*".into(), size, count, relax: true, label: None, allocation_request_id: -1 }
    }

    /// The request key.
    pub fn key(&self) -> RequestKey {
        RequestKey { priority: self.priority, allocation_request_id: self.allocation_request_id }
    }
}

/// One SchedulingRequest of an allocate call.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SchedulingAsk {
    pub allocation_request_id: i64,
    pub priority: i32,
    /// Allocation tags (source tags).
    pub tags: Vec<String>,
    pub count: i64,
    /// Size of one container.
    pub size: Resource,
    /// The request's own constraint, shared by all equal ones.
    pub constraint: Option<Arc<Constraint>>,
    /// OPPORTUNISTIC instead of GUARANTEED; YARN refuses it here.
    pub opportunistic: bool,
}

impl SchedulingAsk {
    /// The request key.
    pub fn key(&self) -> RequestKey {
        RequestKey { priority: self.priority, allocation_request_id: self.allocation_request_id }
    }
}

/// One allocate call of an ApplicationMaster.
#[derive(Clone, Debug, PartialEq, Default, Serialize, Deserialize)]
pub struct AllocateCall {
    /// Requests with absolute counts; a request with the same name replaces the earlier one.
    pub asks: Vec<AskRow>,
    pub releases: Vec<ContainerId>,
    /// Hosts and racks to add to the blacklist.
    pub blacklist_add: Vec<String>,
    /// Hosts and racks to remove from the blacklist.
    pub blacklist_remove: Vec<String>,
    /// Requests with tags and constraints.
    pub scheduling: Vec<SchedulingAsk>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Granted {
    pub id: ContainerId,
    pub node: NodeId,
    pub size: Resource,
    /// The priority of its request.
    pub priority: i32,
    pub allocation_request_id: i64,
    pub tags: Vec<String>,
}

impl Granted {
    /// The request key.
    pub fn key(&self) -> RequestKey {
        RequestKey { priority: self.priority, allocation_request_id: self.allocation_request_id }
    }
}

/// A container that ended.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Completed {
    pub id: ContainerId,
    /// Exit code (lifecycles-and-timing.md section 3).
    pub exit_code: i32,
    /// YARN's message.
    pub diagnostics: String,
}

/// A scheduling request that was rejected.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RejectedRequest {
    pub allocation_request_id: i64,
    /// The number of its rejected allocations.
    pub count: i64,
    /// YARN's reason: COULD_NOT_PLACE_ON_NODE, COULD_NOT_SCHEDULE_ON_NODE.
    pub reason: String,
    /// Whether a node was found for it and the scheduler refused: the second reason.
    pub placed: bool,
}

/// Containers that an AM is asked to give back before they are killed (PreemptionMessage). No answer is required.
#[derive(Clone, Debug, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct PreemptionMessage {
    /// Exactly these containers (strict contract): the FairScheduler's way, repeated until they are gone.
    pub strict: Vec<ContainerId>,
    /// These, or others of the same amount (negotiable contract): the CapacityScheduler's way, sent once.
    pub negotiable: Option<NegotiableContract>,
}

impl PreemptionMessage {
    /// Returns whether nothing is asked back.
    pub fn is_empty(&self) -> bool {
        self.containers().next().is_none()
    }

    /// All containers that the message names.
    pub fn containers(&self) -> impl Iterator<Item = ContainerId> + '_ {
        let negotiable = self.negotiable.iter().flat_map(|contract| &contract.containers);
        self.strict.iter().chain(negotiable).copied()
    }
}

/// What an ApplicationMaster does when containers are asked back (`mapreduce.job.am.preemption.policy` and the like;
/// lifecycles-and-timing.md 6.4).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum AmPreemptionPolicy {
    /// Nothing: containers that are still asked back at the deadline are killed, and their work is lost
    /// (NoopAMPreemptionPolicy).
    #[default]
    None,
    /// Stops the named containers at once (KillAMPreemptionPolicy).
    Kill,
    /// Stops others of the same amount that have worked for a shorter time, if the contract is negotiable.
    Cheapest,
    /// Stops the newest containers up to the amount, and keeps their work (CheckpointAMPreemptionPolicy).
    Checkpoint,
}

impl AmPreemptionPolicy {
    /// All policies with their names in a scenario.
    pub const ALL: [(&'static str, AmPreemptionPolicy); 4] = [
        ("none", AmPreemptionPolicy::None),
        ("kill", AmPreemptionPolicy::Kill),
        ("cheapest", AmPreemptionPolicy::Cheapest),
        ("checkpoint", AmPreemptionPolicy::Checkpoint),
    ];
}

/// Containers to be given back, or others of the same amount.
#[derive(Clone, Debug, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct NegotiableContract {
    /// The containers that are killed otherwise.
    pub containers: Vec<ContainerId>,
    /// The size of one container of the amount.
    pub size: Resource,
    /// The number of containers of that size, anywhere.
    pub count: i64,
}

/// State of a node (RMNodeImpl).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum NodeState {
    /// Takes containers.
    Running,
    /// Keeps its containers and gets no new ones.
    Decommissioning,
    /// Removed for good.
    Decommissioned,
    /// Reported itself unhealthy: removed until it reports that it is healthy.
    Unhealthy,
    Lost,
    /// Known, but not registered yet.
    New,
    /// Out of sync with the ResourceManager: removed until it registers again.
    Rebooted,
    /// Its NodeManager has unregistered, or its host is no longer listed.
    Shutdown,
}

impl NodeState {
    /// All states with YARN's names.
    pub const ALL: [(&'static str, NodeState); 8] = [
        ("NEW", NodeState::New),
        ("RUNNING", NodeState::Running),
        ("UNHEALTHY", NodeState::Unhealthy),
        ("DECOMMISSIONING", NodeState::Decommissioning),
        ("DECOMMISSIONED", NodeState::Decommissioned),
        ("LOST", NodeState::Lost),
        ("REBOOTED", NodeState::Rebooted),
        ("SHUTDOWN", NodeState::Shutdown),
    ];

    /// YARN's name.
    pub fn text(self) -> &'static str {
        Self::ALL.iter().find(|(_, state)| *state == self).map_or("", |(name, _)| name)
    }

    /// Returns the state with this YARN name, ignoring case.
    pub fn of(name: &str) -> Option<Self> {
        Self::ALL.iter().find(|(n, _)| n.eq_ignore_ascii_case(name)).map(|(_, state)| *state)
    }

    /// Returns whether it is none of UNHEALTHY, LOST, DECOMMISSIONED and SHUTDOWN (NodeState.isUnusable).
    pub fn usable(self) -> bool {
        match self {
            NodeState::New | NodeState::Running | NodeState::Decommissioning | NodeState::Rebooted => true,
            NodeState::Unhealthy | NodeState::Lost | NodeState::Decommissioned | NodeState::Shutdown => false,
        }
    }

    /// Returns whether nodes in this state are inactive (RMContext.getInactiveRMNodes).
    pub fn is_out(self) -> bool {
        match self {
            NodeState::Lost | NodeState::Decommissioned | NodeState::Rebooted | NodeState::Shutdown => true,
            NodeState::New | NodeState::Running | NodeState::Decommissioning | NodeState::Unhealthy => false,
        }
    }
}

/// A node as an ApplicationMaster sees it (NodeReport).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct NodeUpdate {
    pub node: NodeId,
    pub host: String,
    pub rack: String,
    /// Its label; empty for none.
    pub label: String,
    pub state: NodeState,
}

impl NodeUpdate {
    /// Returns whether it takes containers, or may again without registering.
    pub fn usable(&self) -> bool {
        self.state.usable()
    }
}

/// The answer to an allocate call.
#[derive(Clone, Debug, PartialEq, Default, Serialize, Deserialize)]
pub struct AllocateResponse {
    /// Containers allocated since the last call, in the order of allocation.
    pub allocated: Vec<Granted>,
    /// Containers that ended since the last call.
    pub completed: Vec<Completed>,
    /// Containers that are asked back.
    pub preempt: PreemptionMessage,
    /// The application's headroom.
    pub headroom: Resource,
    pub rejected: Vec<RejectedRequest>,
    /// The number of nodes of the cluster.
    pub nodes: usize,
    /// Nodes that came, left or changed since the last call, as they are now (RMAppImpl.pullRMNodeUpdates).
    pub updated_nodes: Vec<NodeUpdate>,
}

/// A node's report in a heartbeat.
#[derive(Clone, Debug, PartialEq, Default, Serialize, Deserialize)]
pub struct NodeReport {
    /// Containers reported as running.
    pub running: Vec<ContainerId>,
    /// Containers reported complete, with their exit codes.
    pub completed: Vec<(ContainerId, i32)>,
    /// Whether the node is unhealthy; it then leaves the scheduler until it reports that it is healthy.
    pub unhealthy: bool,
    /// Applications to keep alive, though none of their containers runs there.
    pub kept_alive: Vec<AppId>,
    /// All containers that run there, if the node lists them all: one that it listed before and lists no more has
    /// vanished.
    pub all: Option<Vec<ContainerId>>,
}

/// The action that a node has to take.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default, Serialize, Deserialize)]
pub enum NodeAction {
    #[default]
    Normal,
    /// Register again.
    Resync,
    /// Exit.
    Shutdown,
}

impl NodeAction {
    /// YARN's name.
    pub fn text(self) -> &'static str {
        match self {
            NodeAction::Normal => "NORMAL",
            NodeAction::Resync => "RESYNC",
            NodeAction::Shutdown => "SHUTDOWN",
        }
    }
}

/// The answer to a node's heartbeat (NodeHeartbeatResponse).
#[derive(Clone, Debug, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct HeartbeatAnswer {
    pub action: NodeAction,
    /// YARN's message for an action that is not normal.
    pub diagnostics: String,
    /// Containers that the node has to stop.
    pub stop: Vec<ContainerId>,
    /// Applications that are over.
    pub finished: Vec<AppId>,
    /// Containers whose end their AM knows: the node may stop reporting them.
    pub forget: Vec<ContainerId>,
}

impl HeartbeatAnswer {
    /// An answer with an action and nothing else.
    pub fn of(action: NodeAction, diagnostics: String) -> Self {
        HeartbeatAnswer { action, diagnostics, ..HeartbeatAnswer::default() }
    }

    /// Empties it, and keeps its allocations.
    pub fn clear(&mut self) {
        let HeartbeatAnswer { action, diagnostics, stop, finished, forget } = self;
        *action = NodeAction::default();
        diagnostics.clear();
        stop.clear();
        finished.clear();
        forget.clear();
    }
}

/// A NodeManager that registers, with what it reports about itself.
#[derive(Clone, Debug, PartialEq)]
pub struct NodeRegistration {
    pub spec: NodeSpec,
    /// Whether it reports itself unhealthy.
    pub unhealthy: bool,
    /// Applications that it reports as running there: it has restarted and kept their containers.
    pub running_apps: Vec<AppId>,
    /// The port of its web server; another port makes it another node object.
    pub http_port: i32,
}

impl NodeRegistration {
    /// A healthy node that runs nothing.
    pub fn of(spec: NodeSpec) -> Self {
        NodeRegistration { spec, unhealthy: false, running_apps: Vec::new(), http_port: 0 }
    }
}

/// A container that the ResourceManager has ended, while its node may still run it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ContainerStop {
    pub node: NodeId,
    pub container: ContainerId,
    pub size: Resource,
    pub why: EndCause,
}

/// Actions that the ResourceManager wants from outside, in the order in which they arose.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum RmEvent {
    /// The AM's container was allocated (and acquired by the ResourceManager) and has to be launched.
    LaunchAm { attempt: AttemptId, container: ContainerId, node: NodeId },
    /// A node has to stop a container that it may be running (released, killed, preempted, application over).
    StopContainer(ContainerStop),
    /// An attempt is over; its AM may not call again.
    AttemptOver {
        attempt: AttemptId,
        /// YARN's message.
        diagnostics: String,
    },
    /// An application reached a final state.
    AppOver {
        app: AppId,
        /// FINISHED, FAILED, KILLED.
        state: String,
        /// YARN's message.
        diagnostics: String,
        at: Millis,
    },
}

/// Splits a name of the scheduler load simulator, `/rack/host`: the last part is the host, the rest the rack, which may
/// contain slashes (SLSUtils.getRackHostName).
pub fn rack_and_host(name: &str) -> (String, String) {
    let name = name.strip_prefix('/').unwrap_or(name);
    match name.rsplit_once('/') {
        Some((rack, host)) => (rack.to_string(), host.to_string()),
        None => (String::new(), name.to_string()),
    }
}
