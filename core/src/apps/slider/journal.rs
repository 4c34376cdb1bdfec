//! What a Slider ApplicationMaster decided, and why: told by the code that takes the decision
//! ([`crate::apps::slider::strategy`]). Times are of the simulation;
//! what was before its start is below 0.

pub use crate::check::LeftOut;

use crate::check::{Check, Failure};
use crate::model::{AppId, ContainerId, Millis, RequestKey};
use std::sync::Arc;

/// A decision of a Slider, as the journal has it.
#[derive(Clone, Debug, PartialEq)]
pub struct SliderAct {
    /// The application.
    pub app: AppId,
    /// The component that it is about, by name.
    pub component: Option<Arc<str>>,
    /// What YARN knows the request by, where it is about one that was made.
    pub key: Option<RequestKey>,
    /// The host, where it is about a container.
    pub host: Option<Arc<str>>,
    pub decision: Decision,
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
        /// Recent failures of its component by now, if this is one of them.
        recent: Option<i64>,
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
        /// The check that keeps them from being asked for.
        why: Failure,
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
    /// A container could not be started. It is asked for again when YARN reports its end.
    LaunchFailed {
        /// Which.
        container: ContainerId,
        /// The component.
        component: i32,
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
    /// No history file can be read.
    HistoryMissing {
        /// How many could not.
        skipped: usize,
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
    /// A component failed too often: the application is stopped as failed.
    Stopped(Stopped),
    /// The definition is refused, in Slider's words.
    DefinitionRefused {
        /// What is wrong.
        what: String,
        /// Is it a change of a running application? Otherwise its ApplicationMaster cannot start.
        flex: bool,
    },
}

impl Decision {
    /// The container that it is about.
    pub fn container(&self) -> Option<ContainerId> {
        match self {
            Decision::Granted { container, .. }
            | Decision::NotOurs { container, .. }
            | Decision::Released { container, .. }
            | Decision::LaunchFailed { container, .. }
            | Decision::Ended { container, .. } => Some(*container),
            _ => None,
        }
    }

    /// The check that kept an instance from being asked for, if it tells that.
    pub fn check(&self) -> Option<Check> {
        if let Decision::Pending { why, .. } = self { Some(why.check) } else { None }
    }

    /// The id of the component that it is about.
    pub fn component(&self) -> Option<i32> {
        match self {
            Decision::Asked { component, .. }
            | Decision::Replaced { component, .. }
            | Decision::Escalated { component, .. }
            | Decision::Cancelled { component, .. }
            | Decision::Dropped { component, .. }
            | Decision::Pending { component, .. }
            | Decision::Granted { component, .. }
            | Decision::NotOurs { component, .. }
            | Decision::Released { component, .. }
            | Decision::LaunchFailed { component, .. }
            | Decision::TooFewToRelease { component, .. }
            | Decision::Blacklisted { component, .. }
            | Decision::Flexed { component, .. } => Some(*component),
            _ => None,
        }
    }

    /// The same with its times shifted.
    pub fn shifted(mut self, by: Millis) -> Self {
        match &mut self {
            Decision::Asked { why: Choice::Recent { last_used: time, .. }, .. }
            | Decision::Escalated { since: time, .. }
            | Decision::HistoryLoaded { saved: time, .. } => *time = time.saturating_add(by),
            _ => {}
        }
        self
    }
}

/// Why the whole application was stopped as failed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stopped {
    /// The component.
    pub component: String,
    /// How many instances it is to have, where that is less than 0: then that is why.
    pub negative: Option<i64>,
    /// Its failures, recent and not.
    pub failed: i64,
    /// Failures at the start.
    pub start_failed: i64,
    /// Recent failures.
    pub failed_recently: i64,
    /// How many recent ones it may have.
    pub threshold: i32,
    /// How the last one failed.
    pub last: Option<LastFailure>,
}

/// A request as YARN gets it, numbered in the order of being made within one attempt.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct AskId(pub u64);

/// How a granted container was matched.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Match {
    /// On the host that a request names.
    Placed,
    /// The same, relaxed by now.
    Escalated,
    /// By priority and size.
    Open,
    /// No request is met.
    Unallocated,
}

/// A node's state as YARN reports it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum NodeState {
    /// In order; also presumed of a host that nobody has told of.
    #[default]
    Running,
    /// Back after a restart.
    Rebooted,
    /// Its health check fails.
    Unhealthy,
    /// Taken out of the cluster.
    Decommissioned,
    /// No heartbeat.
    Lost,
    /// Shut down (Hadoop 2.8 and later).
    Shutdown,
}

/// Why a report counts as a change of the cluster.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NodeChange {
    /// Nobody had told of it.
    New,
    /// It can be used again.
    Back,
    /// It has another label.
    Relabelled,
}

/// What an exit status stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// Ended by itself, or was taken away without anybody's fault.
    Completed,
    /// Failed.
    Failed,
    /// The node's disks failed.
    NodeFailure,
    /// Preempted.
    Preempted,
    /// Used more memory than it may.
    LimitsExceeded,
}

/// Why a text is refused, and where.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// The byte.
    pub at: usize,
    /// What is wrong there.
    pub what: String,
}

/// How a container failed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum LastFailure {
    /// The node could not start it.
    AtLaunch,
    /// It ended.
    Ended {
        /// Which.
        container: ContainerId,
        /// Where.
        host: String,
        /// With what.
        exit_status: i32,
    },
}
