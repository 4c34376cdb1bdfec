//! What stops a request before any node: a check that failed, or what was visited before it. There is nothing else: every
//! reason is a [`Check`], and its words, its classes and what may be changed about it are views of that.

use crate::explain::say;
use heddle_core::check::{Check, Checked, Under};
use heddle_core::model::AppId;
use heddle_core::scheduler::Scheduler;

/// What stops a request.
#[derive(Clone, Debug, PartialEq)]
pub enum StoppedBy {
    /// A check that failed.
    Check(Box<Checked>),
    /// No node has the request's label, so that none is offered.
    NoOffer,
    /// Another application, which was visited before it.
    App(AppId),
    /// A more urgent request of its own application, which was visited before it.
    OwnRequest,
    /// Its own reservations: only their nodes are tried for it.
    OwnReservations,
    /// It is not active, its AM fits in the limits, and nothing made YARN look again.
    Unasked,
}

impl StoppedBy {
    /// Returns the check, if a check failed.
    pub fn checked(&self) -> Option<&Checked> {
        if let StoppedBy::Check(checked) = self { Some(checked) } else { None }
    }

    /// Returns whether `check` is the one that failed.
    pub fn is(&self, check: Check) -> bool {
        self.checked().is_some_and(|checked| checked.check == check)
    }

    /// Returns three words for it.
    pub fn short(&self) -> &'static str {
        match self {
            StoppedBy::Check(checked) => say::verdicts::short(checked),
            StoppedBy::NoOffer => say::NO_SUCH_LABEL,
            StoppedBy::App(_) | StoppedBy::OwnRequest => say::BEHIND_ANOTHER,
            StoppedBy::OwnReservations => say::WAITS_FOR_ITS_NODE,
            StoppedBy::Unasked => say::NOT_ACTIVATED_YET,
        }
    }

    /// Returns the class and method that decide it.
    pub fn decided_by(&self, scheduler: &Scheduler) -> String {
        let under = under(scheduler);
        let sources = |check: Check| check.sources(under).join(", ");
        // The code that iterates over a queue's applications, or over an application's requests: no check of the FairScheduler
        // names it.
        let (of_apps, of_requests) = match under {
            Under::Fair => ("FSParentQueue.assignContainer".to_string(), decides_on_node(scheduler).to_string()),
            Under::Capacity | Under::Fifo => (sources(Check::LeafHeadroom), sources(Check::AppPending)),
        };
        match self {
            StoppedBy::Check(checked) => sources(checked.check),
            StoppedBy::NoOffer => sources(Check::PartitionAccess),
            StoppedBy::App(_) => of_apps,
            StoppedBy::OwnRequest | StoppedBy::OwnReservations => of_requests,
            StoppedBy::Unasked => sources(Check::QueueAmLimit),
        }
    }

    /// Returns whether it stops an application before it is active, so that queues and nodes do not matter yet.
    pub fn is_of_activation(&self) -> bool {
        *self == StoppedBy::Unasked || self.checked().is_some_and(|checked| checked.check.is_of_activation())
    }
}

/// Returns the class and method that tries a node for a request that no limit stops.
pub fn decides_on_node(scheduler: &Scheduler) -> &'static str {
    match under(scheduler) {
        Under::Capacity => "RegularContainerAllocator.assignContainer",
        Under::Fair => "FSAppAttempt.assignContainer",
        Under::Fifo => "FifoScheduler.assignContainers",
    }
}

/// Returns the scheduler as the table of checks names it.
pub fn under(scheduler: &Scheduler) -> Under {
    match scheduler {
        Scheduler::Capacity(_) => Under::Capacity,
        Scheduler::Fair(_) => Under::Fair,
        Scheduler::Fifo(_) => Under::Fifo,
    }
}
