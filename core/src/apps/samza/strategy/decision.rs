//! The inputs and outputs of Samza's ApplicationMaster: events and operations. The reasons of decisions are journal entries,
//! recorded by the code that decides.

use super::requests::Request;
use crate::model::ContainerId;
use std::collections::BTreeMap;

pub use crate::apps::samza::journal::{
    AfterFailure, AskReason, Buffer, Clash, Decision, Ended, Failed, FailoverTo, Fallback, Hit, ReleaseReason,
    RequestId, SamzaException, Status, StopReason, Unread, Wish,
};

/// An event that reaches the ApplicationMaster.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Event {
    /// The allocator's thread makes one pass.
    Tick,
    /// YARN grants containers, each with its host.
    Granted(Vec<(ContainerId, String)>),
    /// A NodeManager has started a container.
    Started(ContainerId),
    /// A NodeManager could not start a container on this host.
    LaunchFailed(ContainerId, String),
    /// A NodeManager could not stop a container.
    StopFailed(ContainerId),
    /// YARN reports containers that ended, with their exit statuses.
    Completed(Vec<(ContainerId, i32)>),
    /// The placement messages are read.
    ReadPlacements,
    /// The running nodes change, each with its rack. Samza sees it when it next reads the list.
    Nodes(BTreeMap<String, String>),
}

/// A request of Samza to YARN.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Operation {
    /// Asks for one container.
    Request(Request),
    /// Withdraws a request that was not served.
    Withdraw(RequestId),
    /// Uses a container for a request, which is withdrawn, and sends its start to the NodeManager.
    Launch {
        /// The container.
        container: ContainerId,
        /// The processor that runs in it.
        processor: String,
        /// The request.
        request: RequestId,
    },
    /// Gives a container back.
    Release(ContainerId),
    /// Has the NodeManager stop a container.
    Stop(ContainerId),
}

/// The results of an event.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Report {
    /// Operations for YARN, in order.
    pub operations: Vec<Operation>,
    /// Every decision, in order.
    pub decisions: Vec<Decision>,
    /// An exception that ended the event's handling; its earlier effects stay.
    pub fault: Option<SamzaException>,
}

impl Report {
    pub(super) fn release(&mut self, container: ContainerId, why: ReleaseReason) {
        self.operations.push(Operation::Release(container));
        self.decisions.push(Decision::Released { container, why });
    }
}
