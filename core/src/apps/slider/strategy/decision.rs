//! Slider's inputs and outputs: events, operations, and every decision with its reason ([`crate::apps::slider::journal`]).

use super::nodes::{Barred, NodeReport};
use super::requests::{Ask, AskId};
use super::settings::{Definition, SliderException};
pub use crate::apps::slider::journal::{
    CancelReason, Decision, Ended, LeftOut, ReleaseReason, Skip, Stopped, TargetChoice,
};
use crate::model::{ContainerId, Resource};

/// A container that YARN grants.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Grant {
    /// The container.
    pub container: ContainerId,
    /// The host.
    pub host: String,
    /// The priority of the request that it was granted for.
    pub priority: i32,
    /// Its size.
    pub size: Resource,
}

/// An event that reaches the ApplicationMaster. The events of one heartbeat come in the order nodes, completed, granted.
#[derive(Clone, Debug, PartialEq)]
pub enum Event {
    /// YARN reports nodes.
    Nodes(Vec<NodeReport>),
    /// The definition is changed.
    Flex(Definition),
    /// A queued review runs.
    Review,
    /// YARN grants containers.
    Granted(Vec<Grant>),
    /// Launches were submitted, in this order.
    Launched(Vec<ContainerId>),
    /// NodeManagers started containers.
    Started(Vec<ContainerId>),
    /// A NodeManager could not start a container.
    LaunchFailed(ContainerId),
    /// YARN reports containers that ended, with their exit statuses.
    Completed(Vec<(ContainerId, i32)>),
    /// A container's agent no longer reports.
    AgentLost(ContainerId),
    /// The escalation timer fires.
    EscalationCheck,
    /// The failure window ends.
    FailureWindow,
}

/// A request of Slider to YARN.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Operation {
    /// Asks for one container.
    Request(Ask),
    /// Withdraws the request; after a grant this only corrects the client's table.
    Cancel(AskId),
    /// Gives a container back.
    Release(ContainerId),
    /// Adds hosts to the blacklist, and removes others.
    Blacklist {
        /// The hosts to add.
        add: Vec<String>,
        /// The hosts to remove.
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
    /// Slider's exit code for a failed deployment.
    pub const EXIT: i32 = 72;

    /// Returns Slider's message; `name` gives the names of containers.
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

/// The results of an event.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct Report {
    /// Operations for YARN, in order.
    pub operations: Vec<Operation>,
    /// Every decision, in order.
    pub decisions: Vec<Decision>,
    /// Whether a review is to be queued.
    pub review: bool,
    /// The reason, if the application was stopped.
    pub stopped: Option<Stopped>,
    /// The refusal, if the event was refused.
    pub refused: Option<SliderException>,
}
