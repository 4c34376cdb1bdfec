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
pub use refusal::{ApplicationsBasis, BadConstraint, Cut, Refusal, Refused, TooLarge};
use serde::{Deserialize, Serialize};
pub use settings_rule::SettingsRule;
use std::sync::Arc;

/// Properties under their real names, in the order of their file.
pub type Properties = IndexMap<String, String>;

pub use heddle_view::SchedulerChoice;

/// Does an exit code speak against the node (Apps.shouldCountTowardsNodeBlacklisting, lifecycles-and-timing.md section 3)?
pub fn blames_node(exit_code: i32) -> bool {
    !matches!(exit_code, 0 | -107..=-100)
}

/// A cluster node label.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct NodeLabel {
    pub name: String,
    /// Exclusive (the default), or may idle room be lent to the default partition's requests?
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
    /// Groups of users; a user without an entry has one group of the same name.
    pub groups: IndexMap<String, Vec<String>>,
    /// What the clock shows when the ResourceManager starts.
    pub clock_ms: Millis,
    /// Seed of whatever the real system leaves to chance (start of an asynchronous walk).
    pub seed: u64,
}

/// When the proposals of a walk are committed. The real scheduler has a thread for it, which may be as quick or as slow
/// as these.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Commits {
    /// Each before the next visit.
    AtOnce,
    /// All of them, in their order, when the walk is over.
    AfterWalk,
}

/// A NodeManager that registers.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct NodeSpec {
    pub host: String,
    /// Port; only orders that depend on hashes of node ids see it.
    pub port: i32,
    /// Rack, such as `/r1`.
    pub rack: String,
    pub total: Resource,
    /// Its label; `None` keeps the one a node of this name had before.
    pub label: Option<String>,
}

/// The ApplicationMaster's own container.
#[derive(Clone, Debug, PartialEq, Default, Serialize, Deserialize)]
pub struct AmAsk {
    pub size: Resource,
    /// Partition asked for; `None`: the application's, else the queue's default.
    pub label: Option<String>,
    /// The rows for hosts and racks, with their relaxLocality, and `*` where the row for any place does not relax;
    /// empty: anywhere.
    pub places: Vec<AskPlace>,
}

/// A named place of an AM ask.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct AskPlace {
    pub name: String,
    /// May it go further out?
    pub relax: bool,
}

/// An application that is submitted.
#[derive(Clone, Debug, PartialEq, Default, Serialize, Deserialize)]
pub struct Submission {
    /// Application name (mapping rules look at it).
    pub name: String,
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
    /// Failures of attempts that are older than this do not count (attemptFailuresValidityInterval); `None`: all count.
    pub failures_window: Option<Millis>,
    /// Lifetime in seconds, after which it is killed (ApplicationTimeoutType.LIFETIME); `None`: the queue's default.
    pub lifetime_s: Option<i64>,
    /// Do running containers outlive an attempt that is not the last (keepContainersAcrossApplicationAttempts)?
    pub keep_containers: bool,
    /// The ApplicationMaster; `None` for an unmanaged one, which takes no container.
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
    /// How many, absolute.
    pub count: i64,
    pub relax: bool,
    /// Node label expression; `None` when not given.
    pub label: Option<String>,
    /// Allocation request id, −1 when not given.
    pub allocation_request_id: i64,
}

impl AskRow {
    /// So many containers of a size, anywhere, without a label or an allocation request id.
    pub fn anywhere(priority: i32, size: Resource, count: i64) -> Self {
        AskRow { priority, place: "*".into(), size, count, relax: true, label: None, allocation_request_id: -1 }
    }

    /// What it is asked for under.
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
    /// The request's own constraint: one for all that are alike.
    pub constraint: Option<Arc<Constraint>>,
    /// OPPORTUNISTIC instead of GUARANTEED (refused by YARN here).
    pub opportunistic: bool,
}

impl SchedulingAsk {
    /// What it is asked for under.
    pub fn key(&self) -> RequestKey {
        RequestKey { priority: self.priority, allocation_request_id: self.allocation_request_id }
    }
}

/// One allocate call of an ApplicationMaster.
#[derive(Clone, Debug, PartialEq, Default, Serialize, Deserialize)]
pub struct AllocateCall {
    /// Requests, absolute counts; the same name sent again replaces.
    pub asks: Vec<AskRow>,
    pub releases: Vec<ContainerId>,
    /// Hosts and racks not wanted.
    pub blacklist_add: Vec<String>,
    /// Hosts and racks wanted again.
    pub blacklist_remove: Vec<String>,
    /// Requests with tags and constraints.
    pub scheduling: Vec<SchedulingAsk>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Granted {
    pub id: ContainerId,
    pub node: NodeId,
    pub size: Resource,
    /// Priority it was asked at.
    pub priority: i32,
    pub allocation_request_id: i64,
    pub tags: Vec<String>,
}

impl Granted {
    /// What it is asked for under.
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
    /// YARN's words.
    pub diagnostics: String,
}

/// A scheduling request that was rejected.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RejectedRequest {
    pub allocation_request_id: i64,
    /// How many allocations of it.
    pub count: i64,
    /// YARN's reason: COULD_NOT_PLACE_ON_NODE, COULD_NOT_SCHEDULE_ON_NODE.
    pub reason: String,
    /// Was a node found for it, which the scheduler then refused? The second reason.
    pub placed: bool,
}

/// Containers that an AM is asked to give back before they are killed (PreemptionMessage). Nothing has to be answered.
#[derive(Clone, Debug, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct PreemptionMessage {
    /// These, and no others in their stead (strict contract): the FairScheduler's way, told until they are gone.
    pub strict: Vec<ContainerId>,
    /// These, or others of the same amount (negotiable contract): the CapacityScheduler's way, told once.
    pub negotiable: Option<NegotiableContract>,
}

impl PreemptionMessage {
    /// Is nothing asked back?
    pub fn is_empty(&self) -> bool {
        self.containers().next().is_none()
    }

    /// All containers that are named.
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
    /// Nothing: what is still asked back when its time is over is killed, and its work is lost (NoopAMPreemptionPolicy).
    #[default]
    None,
    /// Stops those that are asked back at once (KillAMPreemptionPolicy).
    Kill,
    /// Stops others of the same amount where they have worked for a shorter time: a contract that can be negotiated.
    Cheapest,
    /// Stops the newest ones up to the amount, and keeps their work (CheckpointAMPreemptionPolicy).
    Checkpoint,
}

impl AmPreemptionPolicy {
    /// Each with its word in a scenario.
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
    /// Those that are killed otherwise.
    pub containers: Vec<ContainerId>,
    /// The amount: so many times this size,
    pub size: Resource,
    /// anywhere.
    pub count: i64,
}

/// State of a node (RMNodeImpl).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum NodeState {
    /// Takes containers.
    Running,
    /// Runs what it has, gets nothing more.
    Decommissioning,
    /// Out for good.
    Decommissioned,
    /// Reported itself unhealthy: out until it reports otherwise.
    Unhealthy,
    Lost,
    /// Known, and not registered yet.
    New,
    /// Out of step with the ResourceManager: out until it registers anew.
    Rebooted,
    /// Its NodeManager has said goodbye, or its host is in no list any more.
    Shutdown,
}

impl NodeState {
    /// Each with YARN's name.
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

    /// By YARN's name, in any case of its letters.
    pub fn of(name: &str) -> Option<Self> {
        Self::ALL.iter().find(|(n, _)| n.eq_ignore_ascii_case(name)).map(|(_, state)| *state)
    }

    /// Not UNHEALTHY, LOST, DECOMMISSIONED or SHUTDOWN (NodeState.isUnusable).
    pub fn usable(self) -> bool {
        match self {
            NodeState::New | NodeState::Running | NodeState::Decommissioning | NodeState::Rebooted => true,
            NodeState::Unhealthy | NodeState::Lost | NodeState::Decommissioned | NodeState::Shutdown => false,
        }
    }

    /// Is a node in this state among those that are out (RMContext.getInactiveRMNodes)?
    pub fn is_out(self) -> bool {
        match self {
            NodeState::Lost | NodeState::Decommissioned | NodeState::Rebooted | NodeState::Shutdown => true,
            NodeState::New | NodeState::Running | NodeState::Decommissioning | NodeState::Unhealthy => false,
        }
    }
}

/// A node as an ApplicationMaster is told of it (NodeReport).
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
    /// Whether it takes containers, or may again without registering.
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
    /// What is asked back.
    pub preempt: PreemptionMessage,
    /// What the application may still get.
    pub headroom: Resource,
    pub rejected: Vec<RejectedRequest>,
    /// Nodes of the cluster.
    pub nodes: usize,
    /// Nodes that came, left or changed since the last call, as they are now (RMAppImpl.pullRMNodeUpdates).
    pub updated_nodes: Vec<NodeUpdate>,
}

/// What a node says in a heartbeat.
#[derive(Clone, Debug, PartialEq, Default, Serialize, Deserialize)]
pub struct NodeReport {
    /// Containers reported as running.
    pub running: Vec<ContainerId>,
    /// Containers reported complete, with their exit codes.
    pub completed: Vec<(ContainerId, i32)>,
    /// `false`: the node is unhealthy and leaves the scheduler until it reports otherwise.
    pub unhealthy: bool,
    /// Applications that it is to keep alive, though no container of them runs there.
    pub kept_alive: Vec<AppId>,
    /// All containers that run there, where it lists them all: what it listed before and does not any more has vanished.
    pub all: Option<Vec<ContainerId>>,
}

/// What a node is to do.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default, Serialize, Deserialize)]
pub enum NodeAction {
    #[default]
    Normal,
    /// Register anew.
    Resync,
    /// End.
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
    /// YARN's words on an action that is not normal.
    pub diagnostics: String,
    /// Containers that it has to end.
    pub stop: Vec<ContainerId>,
    /// Applications that are over.
    pub finished: Vec<AppId>,
    /// Containers whose end is known to their AM: the node need not tell of it any more.
    pub forget: Vec<ContainerId>,
}

impl HeartbeatAnswer {
    /// One that says no more than what to do.
    pub fn of(action: NodeAction, diagnostics: String) -> Self {
        HeartbeatAnswer { action, diagnostics, ..HeartbeatAnswer::default() }
    }

    /// Empties it, and keeps its room.
    pub fn clear(&mut self) {
        let HeartbeatAnswer { action, diagnostics, stop, finished, forget } = self;
        *action = NodeAction::default();
        diagnostics.clear();
        stop.clear();
        finished.clear();
        forget.clear();
    }
}

/// A NodeManager that registers, with what it says of itself.
#[derive(Clone, Debug, PartialEq)]
pub struct NodeRegistration {
    pub spec: NodeSpec,
    /// Does it say that it is unhealthy?
    pub unhealthy: bool,
    /// Applications that it says are running there: it has been restarted and kept their containers.
    pub running_apps: Vec<AppId>,
    /// Port of its web server: with another one it is another node object.
    pub http_port: i32,
}

impl NodeRegistration {
    /// A healthy one that comes empty.
    pub fn of(spec: NodeSpec) -> Self {
        NodeRegistration { spec, unhealthy: false, running_apps: Vec::new(), http_port: 0 }
    }
}

/// A container that the ResourceManager has ended, and its node may be running.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Stop {
    pub node: NodeId,
    pub container: ContainerId,
    pub size: Resource,
    pub why: EndCause,
}

/// What the ResourceManager wants done outside it, in the order in which it came up.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum RmEvent {
    /// The AM's container was allocated (and acquired by the ResourceManager): launch it.
    LaunchAm { attempt: AttemptId, container: ContainerId, node: NodeId },
    /// A node has to end a container that it may be running (released, killed, preempted, application over).
    StopContainer(Stop),
    /// An attempt is over; its AM must not call any more.
    AttemptOver {
        attempt: AttemptId,
        /// YARN's words.
        diagnostics: String,
    },
    /// An application reached a final state.
    AppOver {
        app: AppId,
        /// FINISHED, FAILED, KILLED.
        state: String,
        /// YARN's words.
        diagnostics: String,
        at: Millis,
    },
}

/// Rack and host of a name as the scheduler load simulator writes it, `/rack/host`: the last part is the host, what is
/// before it the rack, which may have slashes (SLSUtils.getRackHostName).
pub fn rack_and_host(name: &str) -> (String, String) {
    let name = name.strip_prefix('/').unwrap_or(name);
    match name.rsplit_once('/') {
        Some((rack, host)) => (rack.to_string(), host.to_string()),
        None => (String::new(), name.to_string()),
    }
}
