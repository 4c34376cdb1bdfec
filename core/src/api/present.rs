//! What a ResourceManager finds when it starts: applications with their containers, as after a restart that preserves
//! work (RMAppImpl's recovery, AbstractYarnScheduler.recoverContainersOnNode).

use super::{AllocateCall, Submission};
use crate::model::{RequestKey, Resource};
use serde::{Deserialize, Serialize};

/// An application that exists when the run begins.
#[derive(Clone, Debug, PartialEq)]
pub struct Present {
    pub submission: Submission,
    /// Its present attempt, from 1.
    pub attempt: u32,
    /// Whether its leaf has activated it. The limits for ApplicationMasters are not checked.
    pub active: bool,
    /// Whether its ApplicationMaster has registered.
    pub registered: bool,
    /// Its containers, in the order of allocation.
    pub containers: Vec<PresentContainer>,
    pub reserved: Vec<PresentContainer>,
    /// Its pending requests, and the hosts and racks on its blacklist.
    pub call: AllocateCall,
    /// Its usage in the default partition by the scheduler's accounting, if that differs from the sum of its
    /// containers.
    pub used: Option<Resource>,
    /// Its demand at the FairScheduler's latest update, if it has changed since.
    pub demand: Option<Resource>,
    /// YARN's message for why its ApplicationMaster does not run, as it was before the run.
    pub diagnostics: Option<String>,
    /// The number of its next container, if known; otherwise one more than the highest.
    pub next: Option<u64>,
}

/// A container or a reservation that exists when the run begins.
#[derive(Clone, Debug, PartialEq)]
pub struct PresentContainer {
    /// Its number within the attempt, from 1; `None`: the next one.
    pub number: Option<u64>,
    pub host: String,
    pub size: Resource,
    pub key: RequestKey,
    /// Whether it is the ApplicationMaster's.
    pub am: bool,
    /// Whether its node has reported that it runs.
    pub reported: bool,
    /// The label of its request; `None`: that of its node.
    pub label: Option<String>,
    /// Of an ApplicationMaster: the label whose AM limit it is charged to; `None`: the one that it was asked for with.
    pub charged: Option<String>,
    /// For a reservation: how many times the scheduler has reserved it again.
    pub again: i64,
}

/// A queue of the FairScheduler at its latest update before the run.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct QueueShare {
    /// Full path.
    pub queue: String,
    pub demand: Resource,
    pub fair_share: Resource,
    /// Its steady fair share, if it is known: it is worked out when queues or nodes change, and may be an older one.
    pub steady: Option<Resource>,
}

/// YARN's words on an application or a queue in a record of an offer.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Said {
    pub name: String,
    pub words: String,
}
