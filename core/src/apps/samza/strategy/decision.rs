//! What goes into Samza's ApplicationMaster and what comes out: events and operations. The reasons of every decision, told
//! by the code that takes it, are entries of the journal.

use super::requests::Request;
use crate::model::ContainerId;
use std::collections::BTreeMap;

pub use crate::apps::samza::journal::{
    AfterFailure, AskReason, Buffer, Clash, Decision, Ended, Failed, FailoverTo, Fallback, Fault, Hit, ReleaseReason,
    RequestId, Status, StopReason, Unread, Wish,
};

/// Something that reaches the ApplicationMaster.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Event {
    /// The allocator's thread passes once.
    Tick,
    /// YARN hands over containers, each with its host.
    Granted(Vec<(ContainerId, String)>),
    /// A NodeManager has started a container.
    Started(ContainerId),
    /// A NodeManager could not start a container on this host.
    LaunchFailed(ContainerId, String),
    /// A NodeManager could not stop a container.
    StopFailed(ContainerId),
    /// YARN reports containers that ended, with their exit statuses.
    Completed(Vec<(ContainerId, i32)>),
    /// The placement messages are read once.
    ReadPlacements,
    /// The running nodes are these now, each with its rack. Samza sees it when it reads the list the next time.
    Nodes(BTreeMap<String, String>),
}

/// What Samza asks of YARN, in this order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Operation {
    /// One container.
    Request(Request),
    /// The request is withdrawn, unserved.
    Withdraw(RequestId),
    /// A container is used for a request, which is withdrawn: its start is sent to the NodeManager.
    Launch {
        /// The container.
        container: ContainerId,
        /// What is to run in it.
        processor: String,
        /// The request.
        request: RequestId,
    },
    /// Give a container back.
    Release(ContainerId),
    /// Have the NodeManager stop a container.
    Stop(ContainerId),
}

/// What came of an event.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Report {
    /// For YARN.
    pub operations: Vec<Operation>,
    /// Every decision, in order.
    pub decisions: Vec<Decision>,
    /// An exception that left the event's handling: what came before it is done.
    pub fault: Option<Fault>,
}

impl Report {
    pub(super) fn release(&mut self, container: ContainerId, why: ReleaseReason) {
        self.operations.push(Operation::Release(container));
        self.decisions.push(Decision::Released { container, why });
    }
}
