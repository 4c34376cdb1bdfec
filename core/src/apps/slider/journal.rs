//! The decisions of a Slider ApplicationMaster and their reasons, recorded by the code that decides
//! ([`crate::apps::slider::strategy`]). Times are those of the simulation; times before its start are negative.

pub use crate::check::LeftOut;

use crate::check::{Check, Failure};
use crate::model::{AppId, ContainerId, Millis, RequestKey};
use std::sync::Arc;

/// A decision of a Slider application, as recorded in the journal.
#[derive(Clone, Debug, PartialEq)]
pub struct SliderAct {
    /// The application.
    pub app: AppId,
    /// The name of the component that it is about.
    pub component: Option<Arc<str>>,
    /// YARN's key of the request, if it is about one that was made.
    pub key: Option<RequestKey>,
    /// The host, if it is about a container.
    pub host: Option<Arc<str>>,
    pub decision: Decision,
}

/// The reason why a host of the recent list was not taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Skip {
    /// The number of instances that stay there.
    Active(i64),
    /// Its state.
    Offline(NodeState),
    /// Recent failures of the component there, and its threshold.
    Failures(i64, i32),
}

/// How the target of a request was chosen.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TargetChoice {
    /// The policy does not use the history.
    NoHistoryWanted,
    /// The first usable host of the recent list.
    Recent {
        /// The host.
        host: String,
        /// The time at which the component's last container ended there.
        last_used: Millis,
        /// Hosts before it that were skipped.
        skipped: Vec<(String, Skip)>,
    },
    /// No host of the recent list can be used.
    NoRecent {
        /// All of its hosts.
        skipped: Vec<(String, Skip)>,
    },
    /// Every host that can take an anti-affine instance.
    Eligible {
        /// The number of hosts.
        hosts: usize,
        /// The hosts that were left out.
        left_out: LeftOut,
    },
}

/// The reason why a request is withdrawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CancelReason {
    /// It is met.
    Met,
    /// Fewer are wanted.
    Shrinking,
    /// It waited long enough for its host.
    Escalated,
    /// The cluster changed; the anti-affine request is made again.
    ClusterChanged,
}

/// The reason why a container is given back.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ReleaseReason {
    /// Fewer are wanted; this is one of the most recently created.
    Shrinking,
    /// More were granted than are wanted.
    Surplus,
    /// Its agent no longer reports.
    AgentLost,
}

/// How Slider treats a container that ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ended {
    /// It was being released.
    Released,
    /// It was surplus.
    Surplus,
    /// Slider does not know it.
    Unknown,
    /// It ended unexpectedly.
    Failed {
        /// The meaning of the exit status.
        outcome: ContainerOutcome,
        /// Whether it was short-lived: then its node is charged whatever the outcome.
        short_lived: bool,
        /// Recent failures of its component including this one, if it counts as one.
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
        /// The reason for its target.
        why: TargetChoice,
    },
    /// A request for the same host replaced another one in Slider's tables; YARN still has the old one.
    Replaced {
        /// The component.
        component: i32,
        /// The request that is forgotten.
        ask: AskId,
    },
    /// A request was relaxed: a new one replaces it.
    Escalated {
        /// The component.
        component: i32,
        /// The old request.
        old: AskId,
        /// The new one.
        new: AskId,
        /// The host that the old request waited for.
        host: String,
        /// The start of the wait.
        since: Millis,
    },
    /// A request was withdrawn.
    Cancelled {
        /// The component.
        component: i32,
        /// The request.
        ask: AskId,
        /// The reason.
        why: CancelReason,
    },
    /// A request was dropped without being withdrawn, since the component has all that it wants; YARN may still grant it.
    Dropped {
        /// The component.
        component: i32,
        /// The request.
        ask: AskId,
    },
    /// Anti-affine instances are pending.
    Pending {
        /// The component.
        component: i32,
        /// The number of instances.
        count: i64,
        /// The check that keeps them from being requested.
        why: Failure,
    },
    /// A container was allocated.
    Granted {
        /// The container.
        container: ContainerId,
        /// The component.
        component: i32,
        /// The request that it met.
        ask: Option<AskId>,
        /// How it was matched; `None`: it is surplus.
        used: Option<Match>,
    },
    /// An allocated container belongs to no component.
    NotOurs {
        /// The container.
        container: ContainerId,
        /// The component id encoded in its priority.
        component: i32,
    },
    /// A container is given back.
    Released {
        /// The container.
        container: ContainerId,
        /// The component.
        component: i32,
        /// The reason.
        why: ReleaseReason,
    },
    /// More containers are to be released than there are.
    TooFewToRelease {
        /// The component.
        component: i32,
        /// The number of missing containers.
        missing: i64,
    },
    /// A container could not be started. It is requested again when YARN reports its end.
    LaunchFailed {
        /// The container.
        container: ContainerId,
        /// The component.
        component: i32,
    },
    /// A container ended.
    Ended {
        /// The container.
        container: ContainerId,
        /// How Slider treats it.
        how: Ended,
    },
    /// A node was blacklisted.
    Blacklisted {
        /// The host.
        host: String,
        /// The component that failed there.
        component: i32,
        /// Its recent failures there.
        failures: i64,
        /// Its threshold.
        threshold: i32,
    },
    /// A node is no longer blacklisted.
    Restored {
        /// The host.
        host: String,
    },
    /// A node report changed what can be placed.
    ClusterChanged {
        /// The host.
        host: String,
        /// The kind of change.
        why: NodeChange,
    },
    /// A history file was loaded.
    HistoryLoaded {
        /// Its name.
        name: String,
        /// The time at which it was saved.
        saved: Millis,
        /// Records of components that do not exist.
        discarded: usize,
    },
    /// A history file could not be read.
    HistorySkipped {
        /// Its name.
        name: String,
        /// The reason, and its position in the file.
        fault: TextFault,
    },
    /// No history file can be read.
    HistoryMissing {
        /// The number of files that could not be read.
        skipped: usize,
    },
    /// The number of wanted containers changed.
    Flexed {
        /// The component.
        component: i32,
        /// The previous number.
        from: i64,
        /// The new number.
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
        /// Whether it is a change of a running application; otherwise its ApplicationMaster cannot start.
        flex: bool,
    },
}

impl Decision {
    /// Returns the container that it is about.
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

    /// Returns the check that kept an instance from being requested, if the decision records one.
    pub fn check(&self) -> Option<Check> {
        if let Decision::Pending { why, .. } = self { Some(why.check) } else { None }
    }

    /// Returns the id of the component that it is about.
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

    /// Returns the decision with its times shifted.
    pub fn shifted(mut self, by: Millis) -> Self {
        match &mut self {
            Decision::Asked { why: TargetChoice::Recent { last_used: time, .. }, .. }
            | Decision::Escalated { since: time, .. }
            | Decision::HistoryLoaded { saved: time, .. } => *time = time.saturating_add(by),
            _ => {}
        }
        self
    }
}

/// The reason why the whole application was stopped as failed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stopped {
    /// The component.
    pub component: String,
    /// The desired number of instances if it is negative, which is then the reason.
    pub negative: Option<i64>,
    /// Its failures, recent and older ones.
    pub failed: i64,
    /// Failures at the start.
    pub start_failed: i64,
    /// Recent failures.
    pub failed_recently: i64,
    /// The number of recent failures that it may have.
    pub threshold: i32,
    /// How the last one failed.
    pub last: Option<LastFailure>,
}

/// A request as YARN gets it, numbered in the order in which one attempt makes them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct AskId(pub u64);

/// How a granted container was matched.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Match {
    /// On the host that a request names.
    Placed,
    /// The request named a host and was relaxed; in 0.93 the container may be on any host.
    Escalated,
    /// By priority and size.
    Open,
    /// It meets no request.
    Unallocated,
}

/// A node's state as YARN reports it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum NodeState {
    /// In order; also assumed for a host that was never reported.
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

/// The reason why a report counts as a change of the cluster.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NodeChange {
    /// The node was not reported before.
    New,
    /// It can be used again.
    Back,
    /// It has another label.
    Relabelled,
}

/// The meaning of an exit status.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ContainerOutcome {
    /// Ended by itself, or was taken away without a fault of its own.
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

/// The reason why a text is refused, and its position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TextFault {
    /// The byte offset.
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
        /// The container.
        container: ContainerId,
        /// The host.
        host: String,
        /// Its exit status.
        exit_status: i32,
    },
}
