//! The ApplicationMasters: what an application asks of YARN, and what it does with the answers.
//!
//! Each is a pure state machine behind [`ApplicationMaster`]: it hears the answers to its heartbeats and says what
//! travels with the next one (lifecycles-and-timing.md section 6, "Common"). It has no time of its own; the
//! simulation calls it at its heartbeats. What a strategy does not model it says in its own file.

pub mod asks;
pub mod batch;
pub mod distributed_shell;
pub mod raw;
pub mod slider;

pub use asks::AskLog;
pub use batch::{Batch, TaskGroup};
pub use distributed_shell::{DistributedShell, ShellAsks, SpecAsks};
pub use raw::{Raw, RawCall};

use crate::model::{ContainerId, Millis, RequestKey};
use crate::rm::{AllocateCall, AllocateResponse};
use serde::{Deserialize, Serialize};

/// What an ApplicationMaster does besides talking to the ResourceManager.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Act {
    /// Start a task in a container that was granted.
    Launch {
        /// Where.
        container: ContainerId,
        /// How long the work takes once the process is up; `None`: until somebody ends it.
        run_ms: Option<Millis>,
        /// What the process returns when its work is done.
        exit_code: i32,
    },
    /// Everything is done: unregister and exit with code 0.
    Unregister {
        /// Did it succeed (`FinalApplicationStatus`)?
        succeeded: bool,
    },
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
}

/// A master of applications: one attempt of one application. Every method is called by the simulation only.
pub trait ApplicationMaster {
    /// How long after registration the first heartbeat comes.
    fn first_heartbeat_ms(&self) -> Millis;

    /// How long after a heartbeat the next one comes.
    fn heartbeat_ms(&self) -> Millis {
        1000
    }

    /// What travels with the heartbeat of this moment.
    fn call(&mut self, now: Millis) -> AllocateCall;

    /// The call was refused (InvalidResourceRequestException and the like): nothing of it counts.
    fn refused(&mut self, now: Millis);

    /// Hears the answer; what it does about it takes effect at once, what it asks travels with the next call.
    fn answer(&mut self, now: Millis, answer: &AllocateResponse) -> Vec<Act>;

    /// Would a heartbeat now and with an empty answer change nothing, at this time and at any later one before
    /// [`Self::wakes_at`]? Lets the simulation jump over idle stretches.
    fn is_quiet(&self) -> bool;

    /// When a master that is quiet wants to say something of its own accord.
    fn wakes_at(&self) -> Option<Millis> {
        None
    }

    /// Counts so far.
    fn progress(&self) -> Progress;

    /// When it asked for what.
    fn asks(&self) -> &AskLog;

    /// Number of a request among the application's, from 1, where requests have numbers of their own (one
    /// allocation request id each); also the name of its tag if the application has several.
    fn numbered(&self, _key: RequestKey) -> Option<(Option<String>, usize)> {
        None
    }
}

/// One of the known masters.
#[derive(Clone, Debug, PartialEq)]
pub enum Master {
    /// Groups of tasks.
    Batch(Batch),
    /// The distributed shell.
    DistributedShell(DistributedShell),
    /// Calls written out.
    Raw(Raw),
}

impl Master {
    fn inner(&self) -> &dyn ApplicationMaster {
        match self {
            Master::Batch(m) => m,
            Master::DistributedShell(m) => m,
            Master::Raw(m) => m,
        }
    }

    fn inner_mut(&mut self) -> &mut dyn ApplicationMaster {
        match self {
            Master::Batch(m) => m,
            Master::DistributedShell(m) => m,
            Master::Raw(m) => m,
        }
    }
}

impl ApplicationMaster for Master {
    fn first_heartbeat_ms(&self) -> Millis {
        self.inner().first_heartbeat_ms()
    }
    fn heartbeat_ms(&self) -> Millis {
        self.inner().heartbeat_ms()
    }
    fn call(&mut self, now: Millis) -> AllocateCall {
        self.inner_mut().call(now)
    }
    fn refused(&mut self, now: Millis) {
        self.inner_mut().refused(now);
    }
    fn answer(&mut self, now: Millis, answer: &AllocateResponse) -> Vec<Act> {
        self.inner_mut().answer(now, answer)
    }
    fn is_quiet(&self) -> bool {
        self.inner().is_quiet()
    }
    fn wakes_at(&self) -> Option<Millis> {
        self.inner().wakes_at()
    }
    fn progress(&self) -> Progress {
        self.inner().progress()
    }
    fn asks(&self) -> &AskLog {
        self.inner().asks()
    }
    fn numbered(&self, key: RequestKey) -> Option<(Option<String>, usize)> {
        self.inner().numbered(key)
    }
}

/// The grants of an answer, without those that the same answer says are over: YARN hands out a container that was
/// killed before it was pulled, and has restored its ask itself.
fn to_launch(answer: &AllocateResponse) -> impl Iterator<Item = &crate::rm::Granted> {
    answer.allocated.iter().filter(|g| answer.completed.iter().all(|c| c.id != g.id))
}

/// Exit codes that say the ResourceManager or the node took the container away: the work is lost, nobody is to
/// blame (lifecycles-and-timing.md section 3).
pub mod exit {
    /// Released, node lost, expired, application over.
    pub const ABORTED: i32 = -100;
    /// Preempted by the scheduler.
    pub const PREEMPTED: i32 = -102;
    /// Killed by order of the ResourceManager.
    pub const KILLED_BY_RM: i32 = -106;
}
