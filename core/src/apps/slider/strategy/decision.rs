//! What goes into Slider and what comes out: events, operations, and every decision with its reason
//! ([`crate::apps::slider::journal`]).

use super::nodes::{Barred, NodeReport};
use super::requests::{Ask, AskId};
use super::settings::{Definition, Refused};
pub use crate::apps::slider::journal::{CancelReason, Choice, Decision, Ended, LeftOut, ReleaseReason, Skip, Stopped};
use crate::model::{ContainerId, Resource};

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

impl LeftOut {
    pub(super) fn count(&mut self, why: Barred) {
        match why {
            Barred::Offline => self.offline += 1,
            Barred::Label => self.label += 1,
            Barred::Occupied => self.occupied += 1,
        }
    }
}

impl Stopped {
    /// Slider's exit code: deployment failed.
    pub const EXIT: i32 = 72;

    /// Slider's message; containers are named by the function.
    pub fn message(&self, name: &dyn Fn(ContainerId) -> String) -> String {
        use super::component::LastFailure;
        if let Some(count) = self.negative {
            return format!("Negative component count of {count} desired for component {}", self.component);
        }
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
