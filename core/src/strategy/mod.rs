//! The ApplicationMasters: what an application asks of YARN, and what it does with the answers.
//!
//! Each is a pure state machine behind [`ApplicationMaster`]: it hears what happens, says what travels with its next
//! heartbeat (lifecycles-and-timing.md section 6, "Common"), and acts, records and keeps things through its [`Turn`]. It
//! has no time of its own: the simulation calls it, at its heartbeats, when one of its timers fires and when a node
//! answers. What a strategy does not model it says in its own file.

pub mod amrm_client;
pub mod ask_table;
pub(crate) mod asked_back;
pub mod asks;
#[cfg(test)]
pub(crate) mod probe;
mod store;
#[cfg(test)]
pub(crate) mod testing;
mod turn;

pub use crate::apps::strategy::*;
pub use asks::AskLog;
pub use store::Store;
pub use turn::{Reports, Turn};

use crate::api::{AllocateCall, AllocateResponse, NodeUpdate, PreemptionMessage};
use crate::journal::GiveUp;
use crate::model::{ContainerId, Millis, RequestKey};
use serde::{Deserialize, Serialize};

/// Names a timer of a master, which chooses the numbers.
pub type TimerId = u32;

/// What an ApplicationMaster does besides talking to the ResourceManager.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Act {
    /// Start a task in a container that was granted, now or earlier.
    Launch {
        container: ContainerId,
        /// How long the work takes once the process is up; `None`: until somebody ends it.
        run_ms: Option<Millis>,
        /// What the process returns when its work is done.
        exit_code: i32,
    },
    /// Have the node start the process anew in a container that runs (NMClient.reInitializeContainer).
    Reinitialize {
        container: ContainerId,
        /// As of a launch.
        run_ms: Option<Millis>,
        exit_code: i32,
    },
    /// Have the node stop a container: at once, without the ResourceManager (NMClient.stopContainer).
    Stop { container: ContainerId },
    /// The same, since room was asked back.
    GiveBack {
        container: ContainerId,
        /// Is its work kept, to go on from there?
        keeps: bool,
    },
    /// Everything is done: unregister and exit with code 0.
    Unregister {
        /// Did it succeed (`FinalApplicationStatus`)?
        succeeded: bool,
    },
    /// The same, with failure, for this reason.
    GiveUp(GiveUp),
    /// Exit without a word to the ResourceManager: the attempt fails.
    Fail { exit_code: i32 },
    /// Be called at this time. A timer that is set again is moved.
    SetTimer { timer: TimerId, at: Millis },
    /// Be called again and again, first after one period. Like a heartbeat it keeps no run going by itself.
    SetTick { timer: TimerId, period_ms: Millis },
    /// Not to be called by this timer or tick any more.
    CancelTimer { timer: TimerId },
}

/// What a user has an application do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Order {
    /// Read anew what it is to do, or what it is asked: its store has it.
    Flex,
    /// Start its processes anew with another version of what they run: its store has which.
    Upgrade,
    /// End, with success.
    Stop,
}

/// Counts that a person wants to see of an application; none includes the ApplicationMaster's own container.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Progress {
    /// Containers asked for so far, asking again included.
    pub asked: i64,
    /// Containers that ended with code 0.
    pub done: i64,
    /// Containers that ended in another way and counted as failed.
    pub failed: i64,
    /// Requests that were rejected.
    pub rejected: i64,
    /// Tasks that were begun once more from their start.
    pub begun_again: i64,
    /// Tasks that were begun once more from where they had come to.
    pub resumed: i64,
}

/// A master of applications: one attempt of one application. Every method is called by the simulation only.
pub trait ApplicationMaster {
    /// How long after registration the first heartbeat comes.
    fn first_heartbeat_ms(&self) -> Millis;

    /// How long after a heartbeat the next one comes.
    fn heartbeat_ms(&self) -> Millis {
        1000
    }

    /// It has registered: time to read what earlier attempts have kept, and to set timers.
    fn registered(&mut self, _turn: &mut Turn<'_>) {}

    /// What travels with the heartbeat of this moment.
    fn call(&mut self, turn: &mut Turn<'_>) -> AllocateCall;

    /// The call was refused (InvalidResourceRequestException and the like): nothing of it counts.
    fn refused(&mut self, turn: &mut Turn<'_>);

    /// The answer tells of nodes that came, left or changed. Heard before [`Self::answer`].
    fn nodes_updated(&mut self, _turn: &mut Turn<'_>, _nodes: &[NodeUpdate]) {}

    /// The answer asks for containers back. Heard before [`Self::answer`].
    fn preemption_message(&mut self, _turn: &mut Turn<'_>, _message: &PreemptionMessage) {}

    /// Hears the answer; what it does about it takes effect at once, what it asks travels with the next call.
    fn answer(&mut self, turn: &mut Turn<'_>, answer: &AllocateResponse);

    /// The node has taken the order to start a container (NMClientAsync.onContainerStarted).
    fn container_started(&mut self, _turn: &mut Turn<'_>, _container: ContainerId) {}

    /// The node could not be reached, or the container is over already.
    fn start_failed(&mut self, _turn: &mut Turn<'_>, _container: ContainerId) {}

    /// A user has an order for it (its own client program). Errors: it refuses, in its own words.
    fn order(&mut self, _turn: &mut Turn<'_>, _order: Order) -> Result<(), String> {
        Ok(())
    }

    /// A timer or tick fires.
    fn timer(&mut self, _turn: &mut Turn<'_>, _timer: TimerId) {}

    /// Would a heartbeat or a tick now, the former with an empty answer, change nothing, at this time and at any later
    /// one before [`Self::wakes_at`]? Lets the simulation jump over idle stretches.
    fn is_quiet(&self) -> bool;

    /// When a master that is quiet wants to say something of its own accord.
    fn wakes_at(&self) -> Option<Millis> {
        None
    }

    /// Counts so far.
    fn progress(&self) -> Progress;

    /// When it asked for what.
    fn asks(&self) -> &AskLog;

    /// What it wants and has not, whatever it has asked for so far: how many of each part that it knows (a component, a
    /// container of Samza), 0 where nothing lacks. Empty where all that it wants is asked for at once.
    fn lacking(&self) -> Vec<(u32, i64)> {
        Vec::new()
    }

    /// The parts that a request is for, as [`Self::lacking`] numbers them.
    fn parts_of(&self, _key: RequestKey) -> Vec<u32> {
        Vec::new()
    }

    /// The requests that it sends one by one, of which each has a number of its own.
    fn spec(&self) -> Option<&std::sync::Arc<SpecAsks>> {
        None
    }

    /// Number of a request among the application's, from 1, where requests have numbers of their own (one
    /// allocation request id each); also the name of its tag if the application has several.
    fn numbered(&self, key: RequestKey) -> Option<(Option<String>, usize)> {
        self.spec()?.numbered(key)
    }

    /// The component that a request is for, where the application has components: its containers are counted by it.
    fn component(&self, _key: RequestKey) -> Option<&str> {
        None
    }
}

/// The grants of an answer, without those that the same answer says are over: YARN hands out a container that was
/// killed before it was pulled, and has restored its ask itself.
pub(crate) fn to_launch(answer: &AllocateResponse) -> impl Iterator<Item = &crate::api::Granted> {
    answer.allocated.iter().filter(|g| answer.completed.iter().all(|c| c.id != g.id))
}

/// Exit codes that say the ResourceManager or the node took the container away: the work is lost, nobody is to
/// blame (lifecycles-and-timing.md section 3).
pub mod exit {
    /// Released, node lost, expired, application over.
    pub const ABORTED: i32 = -100;
    /// Preempted by the scheduler.
    pub const PREEMPTED: i32 = -102;
    /// Stopped by the AM, which asked the node for it.
    pub const KILLED_BY_APPMASTER: i32 = -105;
    /// Killed by order of the ResourceManager.
    pub const KILLED_BY_RM: i32 = -106;
}
