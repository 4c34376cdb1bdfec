//! What goes into Slider and what comes out: events, operations, and the reasons of every decision, told by the code
//! that takes it.

use super::ending::Outcome;
use super::json::Fault;
use super::nodes::{Barred, NodeChange, NodeReport, NodeState};
use super::requests::{Ask, AskId, Match};
use super::settings::{Definition, Refused};
use crate::model::{ContainerId, Millis, Resource};

/// A container that YARN hands over.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Grant {
    /// Which.
    pub container: ContainerId,
    /// Where.
    pub host: String,
    /// The priority of the request that it was granted for.
    pub priority: i32,
    /// Its size.
    pub size: Resource,
}

/// Something that reaches the ApplicationMaster. Those of one heartbeat come in the order nodes, completed, granted.
#[derive(Clone, Debug, PartialEq)]
pub enum Event {
    /// YARN reports nodes.
    Nodes(Vec<NodeReport>),
    /// Somebody changes the definition.
    Flex(Definition),
    /// A review that was queued runs.
    Review,
    /// YARN hands over containers.
    Granted(Vec<Grant>),
    /// Launches were submitted, in this order.
    Launched(Vec<ContainerId>),
    /// NodeManagers started containers.
    Started(Vec<ContainerId>),
    /// A NodeManager could not start a container.
    LaunchFailed(ContainerId),
    /// YARN reports containers that ended, with their exit statuses.
    Completed(Vec<(ContainerId, i32)>),
    /// A container's agent is not heard of any more.
    AgentLost(ContainerId),
    /// The escalation timer fires.
    EscalationCheck,
    /// The failure window ends.
    FailureWindow,
}

/// What Slider asks of YARN, in this order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Operation {
    /// One container.
    Request(Ask),
    /// The request is withdrawn; after a grant this only puts the client's table right.
    Cancel(AskId),
    /// Give a container back.
    Release(ContainerId),
    /// Withhold hosts from the application, and no longer withhold others.
    Blacklist {
        /// From now on.
        add: Vec<String>,
        /// No longer.
        remove: Vec<String>,
    },
}

/// Why a host of the recent list was not taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Skip {
    /// So many instances stay there.
    Active(i64),
    /// Its state.
    Offline(NodeState),
    /// Recent failures of the component there, and its threshold.
    Failures(i64, i32),
}

/// Hosts that cannot take an anti-affine instance, counted by reason.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct LeftOut {
    /// Not usable.
    pub offline: usize,
    /// Without the component's label.
    pub label: usize,
    /// With an instance.
    pub occupied: usize,
}

impl LeftOut {
    pub(super) fn count(&mut self, why: Barred) {
        match why {
            Barred::Offline => self.offline += 1,
            Barred::Label => self.label += 1,
            Barred::Occupied => self.occupied += 1,
        }
    }
}

/// How the target of a request was chosen.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Choice {
    /// The policy does not look at the history.
    NoHistoryWanted,
    /// The first usable host of the recent list.
    Recent {
        /// The host.
        host: String,
        /// When the component's last container ended there.
        last_used: Millis,
        /// Hosts before it that were passed over.
        skipped: Vec<(String, Skip)>,
    },
    /// No host of the recent list can be used.
    NoRecent {
        /// All of them.
        skipped: Vec<(String, Skip)>,
    },
    /// Every host that can take an anti-affine instance.
    Eligible {
        /// How many.
        hosts: usize,
        /// The others.
        left_out: LeftOut,
    },
}

/// Why a request is withdrawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CancelReason {
    /// It is met.
    Met,
    /// Fewer are wanted.
    Shrinking,
    /// It waited long enough for its host.
    Escalated,
    /// The cluster changed; the anti-affine request is made anew.
    ClusterChanged,
}

/// Why a container is given back.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ReleaseReason {
    /// Fewer are wanted; this is one of the most recently created.
    Shrinking,
    /// More were granted than are wanted.
    Surplus,
    /// Its agent is not heard of any more.
    AgentLost,
}

/// Why anti-affine instances are not asked for yet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pending {
    /// No node was ever reported.
    NoNodeMap,
    /// One request at a time.
    OneByOne,
    /// No host is left.
    NoHost(LeftOut),
}

/// What became of a container that ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ended {
    /// It was being released.
    Released,
    /// It was surplus.
    Surplus,
    /// Slider does not know it.
    Unknown,
    /// It was not to end.
    Failed {
        /// What the exit status stands for.
        outcome: Outcome,
        /// Did it live shortly? Then its node is charged whatever the outcome.
        short_lived: bool,
    },
}

/// A decision with its reason.
#[derive(Clone, Debug, PartialEq)]
pub enum Decision {
    /// A request was made.
    Asked {
        /// The component.
        component: i32,
        /// The request.
        ask: AskId,
        /// Why there.
        why: Choice,
    },
    /// A request for the same host put another one out of sight; YARN still has that.
    Replaced {
        /// The component.
        component: i32,
        /// The one that is forgotten.
        ask: AskId,
    },
    /// A request was relaxed: another one takes its place.
    Escalated {
        /// The component.
        component: i32,
        /// The old request.
        old: AskId,
        /// The new one.
        new: AskId,
        /// The host that was waited for.
        host: String,
        /// Since when.
        since: Millis,
    },
    /// A request was withdrawn.
    Cancelled {
        /// The component.
        component: i32,
        /// The request.
        ask: AskId,
        /// Why.
        why: CancelReason,
    },
    /// A request was dropped and not withdrawn, for the component has all that it wants; YARN may still grant it.
    Dropped {
        /// The component.
        component: i32,
        /// The request.
        ask: AskId,
    },
    /// Anti-affine instances wait.
    Pending {
        /// The component.
        component: i32,
        /// How many.
        count: i64,
        /// Why.
        why: Pending,
    },
    /// A container was handed over.
    Granted {
        /// Which.
        container: ContainerId,
        /// The component.
        component: i32,
        /// The request that it met.
        ask: Option<AskId>,
        /// How it was matched; `None`: it is surplus.
        used: Option<Match>,
    },
    /// A container was handed over that belongs to no component.
    NotOurs {
        /// Which.
        container: ContainerId,
        /// The id that its priority stands for.
        component: i32,
    },
    /// A container is given back.
    Released {
        /// Which.
        container: ContainerId,
        /// The component.
        component: i32,
        /// Why.
        why: ReleaseReason,
    },
    /// More are to be released than there are.
    TooFewToRelease {
        /// The component.
        component: i32,
        /// How many are missing.
        missing: i64,
    },
    /// A container ended.
    Ended {
        /// Which.
        container: ContainerId,
        /// What became of it.
        how: Ended,
    },
    /// A node was withheld from the application: the component that failed there, how often recently, its threshold.
    Blacklisted {
        /// The host.
        host: String,
        /// The component.
        component: i32,
        /// Its recent failures there.
        failures: i64,
        /// Its threshold.
        threshold: i32,
    },
    /// A node is no longer withheld.
    Restored {
        /// The host.
        host: String,
    },
    /// A report of a node changed what can be placed.
    ClusterChanged {
        /// The host.
        host: String,
        /// In what way.
        why: NodeChange,
    },
    /// A history file was taken up.
    HistoryLoaded {
        /// Its name.
        name: String,
        /// When it was saved.
        saved: Millis,
        /// Records of components that there are not.
        discarded: usize,
    },
    /// A history file could not be read.
    HistorySkipped {
        /// Its name.
        name: String,
        /// Why, and where.
        fault: Fault,
    },
    /// The number of wanted containers changed.
    Flexed {
        /// The component.
        component: i32,
        /// Before.
        from: i64,
        /// Now.
        to: i64,
    },
    /// Recent failures were forgotten.
    FailuresReset,
}

/// Why the whole application was stopped as failed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stopped {
    /// The component.
    pub component: String,
    /// Its failures, recent and not.
    pub failed: i64,
    /// Failures at the start.
    pub start_failed: i64,
    /// Recent failures.
    pub failed_recently: i64,
    /// How many recent ones it may have.
    pub threshold: i32,
    /// How the last one failed.
    pub last: Option<super::component::LastFailure>,
}

impl Stopped {
    /// Slider's exit code: deployment failed.
    pub const EXIT: i32 = 72;

    /// Slider's message; containers are named by the function.
    pub fn message(&self, name: &dyn Fn(ContainerId) -> String) -> String {
        use super::component::LastFailure;
        let last = match &self.last {
            None => String::new(),
            Some(LastFailure::AtLaunch) => "container start failure".into(),
            Some(LastFailure::Ended { container, host, exit_status }) => {
                format!("Failure {} on host {host} ({exit_status}): ", name(*container))
            }
        };
        format!(
            "Unstable Application Instance : - failed with component {} failed 'recently' {} times ({} in startup); \
             threshold is {} - last failure: {last}",
            self.component, self.failed, self.start_failed, self.threshold
        )
    }
}

/// What came of an event.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct Report {
    /// For YARN.
    pub operations: Vec<Operation>,
    /// Every decision, in order.
    pub decisions: Vec<Decision>,
    /// A review is to be queued.
    pub review: bool,
    /// The application was stopped.
    pub stopped: Option<Stopped>,
    /// The event was refused.
    pub refused: Option<Refused>,
}
