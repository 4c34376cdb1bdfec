//! The ApplicationMasters: what an application asks of YARN, and how it reacts to the answers.
//!
//! Each is a pure state machine behind [`ApplicationMaster`]: it receives events, returns what its next heartbeat sends
//! (lifecycles-and-timing.md section 6, "Common"), and acts, records and stores things through its [`Turn`]. It has no
//! time of its own: the simulation calls it at its heartbeats, when one of its timers fires and when a node answers.
//! The file of a strategy says what it does not model.

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

/// The id of a timer, chosen by the master.
pub type TimerId = u32;

/// The actions of an ApplicationMaster besides its calls to the ResourceManager.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum AmAction {
    /// Starts a task in a container that was granted, now or earlier.
    Launch {
        container: ContainerId,
        /// How long the work takes once the process is up; `None`: until the container is stopped.
        run_ms: Option<Millis>,
        /// The exit code of the process when its work is done.
        exit_code: i32,
    },
    /// Has the node restart the process in a running container (NMClient.reInitializeContainer).
    Reinitialize {
        container: ContainerId,
        /// Like the `run_ms` of a launch.
        run_ms: Option<Millis>,
        exit_code: i32,
    },
    /// Has the node stop a container at once, without the ResourceManager (NMClient.stopContainer).
    Stop { container: ContainerId },
    /// Stops a container, like `Stop`, because it was asked back.
    GiveBack {
        container: ContainerId,
        /// Whether its work is kept and resumed later.
        keeps: bool,
    },
    /// Unregisters and exits with code 0: everything is done.
    Unregister {
        /// Whether it succeeded (`FinalApplicationStatus`).
        succeeded: bool,
    },
    /// Unregisters with failure, for this reason.
    GiveUp(GiveUp),
    /// Exits without notifying the ResourceManager: the attempt fails.
    Fail { exit_code: i32 },
    /// Sets a timer. A timer that is set again is moved.
    SetTimer { timer: TimerId, at: Millis },
    /// Sets a periodic callback, first after one period. Like a heartbeat it does not keep a run going.
    SetTick { timer: TimerId, period_ms: Millis },
    /// Cancels this timer or tick.
    CancelTimer { timer: TimerId },
}

/// A user's order to an application.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Order {
    /// Reload its definition, or the requests to it, from its store.
    Flex,
    /// Restart its processes with the version that its store has.
    Upgrade,
    /// Stop, with success.
    Stop,
}

/// Counts that the user sees of an application; none includes the ApplicationMaster's own container.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Progress {
    /// Containers requested so far, repeated requests included.
    pub asked: i64,
    /// Containers that ended with code 0.
    pub done: i64,
    /// Containers that ended otherwise and counted as failed.
    pub failed: i64,
    /// Requests that were rejected.
    pub rejected: i64,
    /// Tasks that were restarted from the beginning.
    pub begun_again: i64,
    /// Tasks that were resumed where they had stopped.
    pub resumed: i64,
}

/// An ApplicationMaster: one attempt of one application. Only the simulation calls its methods.
pub trait ApplicationMaster {
    /// The time from registration to the first heartbeat.
    fn first_heartbeat_ms(&self) -> Millis;

    /// The time from a heartbeat to the next one.
    fn heartbeat_ms(&self) -> Millis {
        1000
    }

    /// Callback after registration: reads what earlier attempts have stored, and sets timers.
    fn registered(&mut self, _turn: &mut Turn<'_>) {}

    /// Returns what the heartbeat at this moment sends.
    fn call(&mut self, turn: &mut Turn<'_>) -> AllocateCall;

    /// Callback for a refused call (InvalidResourceRequestException and the like): nothing in it takes effect.
    fn refused(&mut self, turn: &mut Turn<'_>);

    /// Callback for nodes that came, left or changed. Called before [`Self::answer`].
    fn nodes_updated(&mut self, _turn: &mut Turn<'_>, _nodes: &[NodeUpdate]) {}

    /// Callback for containers that are asked back. Called before [`Self::answer`].
    fn preemption_message(&mut self, _turn: &mut Turn<'_>, _message: &PreemptionMessage) {}

    /// Callback for the answer; its acts take effect at once, its requests go out with the next call.
    fn answer(&mut self, turn: &mut Turn<'_>, answer: &AllocateResponse);

    /// Callback: the node has accepted the order to start a container (NMClientAsync.onContainerStarted).
    fn container_started(&mut self, _turn: &mut Turn<'_>, _container: ContainerId) {}

    /// Callback: the node could not be reached, or the container is over already.
    fn start_failed(&mut self, _turn: &mut Turn<'_>, _container: ContainerId) {}

    /// Handles a user's order (from its own client program). Errors: it refuses, with its own message.
    fn order(&mut self, _turn: &mut Turn<'_>, _order: Order) -> Result<(), String> {
        Ok(())
    }

    /// Callback for a timer or tick.
    fn timer(&mut self, _turn: &mut Turn<'_>, _timer: TimerId) {}

    /// Returns whether a heartbeat with an empty answer, or a tick, would change nothing, now and at any later time
    /// before [`Self::wakes_at`]. Lets the simulation skip idle stretches.
    fn is_quiet(&self) -> bool;

    /// When a quiet master next has something to send of its own accord.
    fn wakes_at(&self) -> Option<Millis> {
        None
    }

    /// The counts so far.
    fn progress(&self) -> Progress;

    /// The log of its asks.
    fn asks(&self) -> &AskLog;

    /// What it wants and does not have, whatever it has requested so far: the number for each part that it knows (a
    /// component, a container of Samza), 0 for parts that lack nothing. Empty if it requests everything at once.
    fn lacking(&self) -> Vec<(u32, i64)> {
        Vec::new()
    }

    /// The parts that a request serves, numbered as in [`Self::lacking`].
    fn parts_of(&self, _key: RequestKey) -> Vec<u32> {
        Vec::new()
    }

    /// The requests that it sends one by one, each with a number of its own.
    fn spec(&self) -> Option<&std::sync::Arc<SpecAsks>> {
        None
    }

    /// The number of a request among the application's, from 1, if requests have numbers of their own (one allocation
    /// request id each); also the name of its tag if the application has several.
    fn numbered(&self, key: RequestKey) -> Option<(Option<String>, usize)> {
        self.spec()?.numbered(key)
    }

    /// The component that a request serves, if the application has components, which count their containers.
    fn component(&self, _key: RequestKey) -> Option<&str> {
        None
    }
}

/// The grants of an answer, without those that the same answer reports as over: YARN hands out a container that was
/// killed before it was pulled, and has restored its ask itself.
pub(crate) fn to_launch(answer: &AllocateResponse) -> impl Iterator<Item = &crate::api::Granted> {
    answer.allocated.iter().filter(|g| answer.completed.iter().all(|c| c.id != g.id))
}

/// Exit codes by which the ResourceManager or the node took the container away: the work is lost, and nobody is to
/// blame (lifecycles-and-timing.md section 3).
pub mod exit {
    /// Released, node lost, expired, application over.
    pub const ABORTED: i32 = -100;
    /// Preempted by the scheduler.
    pub const PREEMPTED: i32 = -102;
    /// Stopped by the node at the AM's request.
    pub const KILLED_BY_APPMASTER: i32 = -105;
    /// Killed by the ResourceManager.
    pub const KILLED_BY_RM: i32 = -106;
}
