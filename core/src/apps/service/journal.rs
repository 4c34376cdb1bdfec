//! The decisions of the ApplicationMaster of a YARN service and their reasons, recorded by the code that decides
//! ([`crate::apps::service::strategy`], and [`crate::sim`] for decisions of nodes).

use crate::check::Check;
use crate::model::{AppId, ContainerId, RequestKey};
use std::sync::Arc;

/// A decision, as recorded in the journal.
#[derive(Clone, Debug, PartialEq)]
pub struct ServiceAct {
    pub app: AppId,
    /// The component that it is about; `None`: the service.
    pub component: Option<Arc<str>>,
    /// YARN's key of the component's requests.
    pub key: Option<RequestKey>,
    pub decision: Decision,
}

/// A component that others wait for: how many of its instances count as ready, and how many must.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Need {
    pub component: String,
    pub ready: i64,
    pub wanted: i64,
}

/// The reason why containers are requested.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AskReason {
    /// The component starts.
    Start,
    /// The component starts in another attempt, which does not know the instances that succeeded or failed before.
    StartAgain,
    /// More instances are wanted.
    Flex,
    /// The container that an instance had in the previous attempt was not recovered.
    NotRecovered,
}

/// The consequence of a container's end for its instance.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Then {
    /// Another container is requested.
    AskedAgain,
    Succeeded,
    Failed,
    /// The instance was being upgraded: no other container is requested.
    UpgradeFailed,
}

/// A decision with its reason. Instances have the numbers that the service gives them, from 0.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Decision {
    /// The component does not start, since these components are not ready.
    Held {
        needs: Vec<Need>,
    },
    Asked {
        count: i64,
        why: AskReason,
    },
    /// A change of the component's number is deferred, since these components are not ready.
    FlexDeferred {
        to: i64,
        needs: Vec<Need>,
    },
    /// The component had not started: it starts with its former number, not with the new one.
    FlexTooEarly {
        to: i64,
        starts_with: i64,
    },
    /// Fewer instances are wanted: the newest ones are stopped.
    Shrunk {
        from: i64,
        to: i64,
    },
    Assigned {
        container: ContainerId,
        instance: i64,
    },
    /// The container is given back, as no instance waits for one.
    Surplus {
        container: ContainerId,
    },
    /// A container of the previous attempt is taken over.
    Recovered {
        container: ContainerId,
        instance: i64,
    },
    /// A container of the previous attempt is not taken over: its instance is unknown, or no longer wanted.
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
    /// The node restarts the process by itself; the ApplicationMaster does not learn of it.
    Relaunched {
        container: ContainerId,
        exit_code: i32,
        attempt: usize,
        most: usize,
    },
    /// Too many instances failed on this host, so it is avoided.
    HostAvoided {
        host: String,
        failures: i64,
        most: i64,
    },
    /// Failures are forgotten; these hosts are no longer avoided.
    HostsBack {
        hosts: Vec<String>,
    },
    /// The component failed more often than it may: the ApplicationMaster exits.
    TooManyFailures {
        failures: i64,
        most: i64,
    },
    /// All components have completed.
    Done {
        succeeded: bool,
    },
    /// Processes of instances are restarted in their containers.
    Upgrading {
        count: i64,
    },
    Upgraded,
    /// Its restart policy allows no upgrade.
    NotUpgraded,
}

impl Decision {
    /// Returns the check that keeps the component from its instances, if the decision records one.
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

    /// Returns the container that it is about.
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
