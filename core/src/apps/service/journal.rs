//! What the ApplicationMaster of a YARN service decided, and why: told by the code that takes the decision
//! ([`crate::apps::service::strategy`], and [`crate::sim`] for what a node does by itself).

use crate::check::Check;
use crate::model::{AppId, ContainerId, RequestKey};
use std::sync::Arc;

/// A decision, as the journal has it.
#[derive(Clone, Debug, PartialEq)]
pub struct ServiceAct {
    pub app: AppId,
    /// The component that it is about; none: the service.
    pub component: Option<Arc<str>>,
    /// What YARN knows the component's requests by.
    pub key: Option<RequestKey>,
    pub decision: Decision,
}

/// A component that is waited for: how many of its instances count as ready, and how many must.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Need {
    pub component: String,
    pub ready: i64,
    pub wanted: i64,
}

/// Why containers are asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AskReason {
    /// The component starts.
    Start,
    /// It starts in another attempt, which knows nothing of instances that succeeded or failed before.
    StartAgain,
    /// More instances are wanted.
    Flex,
    /// An instance whose container the attempt before had was not handed over.
    NotRecovered,
}

/// What comes of an instance whose container ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Then {
    /// Another container is asked for.
    AskedAgain,
    Succeeded,
    Failed,
    /// It was being upgraded: no other container is asked for.
    UpgradeFailed,
}

/// A decision with its reason. Instances have the numbers that the service gives them, from 0.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Decision {
    /// The component does not start: these are not ready.
    Held {
        needs: Vec<Need>,
    },
    Asked {
        count: i64,
        why: AskReason,
    },
    /// A change of its number is put aside, since these are not ready.
    FlexDeferred {
        to: i64,
        needs: Vec<Need>,
    },
    /// It had not started: it starts with the number that it had, and not with the new one.
    FlexTooEarly {
        to: i64,
        starts_with: i64,
    },
    /// Fewer are wanted: the newest instances go.
    Shrunk {
        from: i64,
        to: i64,
    },
    Assigned {
        container: ContainerId,
        instance: i64,
    },
    /// No instance waits for it: it is given back.
    Surplus {
        container: ContainerId,
    },
    /// A container of the attempt before is taken up.
    Recovered {
        container: ContainerId,
        instance: i64,
    },
    /// A container of the attempt before whose instance is not known, or not wanted any more.
    NotTakenUp {
        container: ContainerId,
    },
    /// An instance passed the readiness check.
    Ready {
        container: ContainerId,
        instance: i64,
    },
    Ended {
        container: ContainerId,
        instance: i64,
        exit_code: i32,
        then: Then,
    },
    /// The node starts the process again by itself; the ApplicationMaster is not told.
    Relaunched {
        container: ContainerId,
        exit_code: i32,
        attempt: usize,
        most: usize,
    },
    /// Too many failed on this host.
    HostAvoided {
        host: String,
        failures: i64,
        most: i64,
    },
    /// Failures are forgotten; these hosts are not avoided any more.
    HostsBack {
        hosts: Vec<String>,
    },
    /// The component failed more often than it may: the ApplicationMaster exits.
    TooManyFailures {
        failures: i64,
        most: i64,
    },
    /// All components are done.
    Done {
        succeeded: bool,
    },
    /// So many instances start anew in their containers.
    Upgrading {
        count: i64,
    },
    Upgraded,
    /// Its restart policy allows no upgrade.
    NotUpgraded,
}

impl Decision {
    /// The check that keeps the component from its instances, if it tells that.
    pub fn check(&self) -> Option<Check> {
        match self {
            Decision::Held { .. } | Decision::FlexDeferred { .. } => Some(Check::DependenciesReady),
            Decision::HostAvoided { .. } => Some(Check::Blacklist),
            Decision::Asked { .. }
            | Decision::FlexTooEarly { .. }
            | Decision::Shrunk { .. }
            | Decision::Assigned { .. }
            | Decision::Surplus { .. }
            | Decision::Recovered { .. }
            | Decision::NotTakenUp { .. }
            | Decision::Ready { .. }
            | Decision::Ended { .. }
            | Decision::Relaunched { .. }
            | Decision::HostsBack { .. }
            | Decision::TooManyFailures { .. }
            | Decision::Done { .. }
            | Decision::Upgrading { .. }
            | Decision::Upgraded
            | Decision::NotUpgraded => None,
        }
    }

    /// The container that it is about.
    pub fn container(&self) -> Option<ContainerId> {
        match self {
            Decision::Assigned { container, .. }
            | Decision::Surplus { container }
            | Decision::Recovered { container, .. }
            | Decision::NotTakenUp { container }
            | Decision::Ready { container, .. }
            | Decision::Ended { container, .. }
            | Decision::Relaunched { container, .. } => Some(*container),
            _ => None,
        }
    }
}
