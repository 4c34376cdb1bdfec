//! The NodeManagers' side: machines, the processes on them, and what each reports in its next heartbeat
//! (lifecycles-and-timing.md 1.4, 2.2). Every state of a container but the last is reported as running.

use crate::model::{ContainerId, Millis, NodeId};
use crate::rm::{NodeReport, NodeSpec};

/// A machine that may run a NodeManager.
#[derive(Clone, Debug, PartialEq)]
pub struct Machine {
    /// The size, labels and address that it registers with.
    pub spec: NodeSpec,
    /// The attributes that it registers with; empty once it has registered.
    pub attributes: Vec<(String, String)>,
    /// Its number in the ResourceManager, once it has registered.
    pub id: Option<NodeId>,
    pub alive: bool,
    /// Whether it reports itself unhealthy.
    pub unhealthy: bool,
    /// The time of its next heartbeat, while it is alive.
    pub next_heartbeat: Millis,
    /// The time of its latest heartbeat or registration.
    pub last_heartbeat: Millis,
    /// Containers to be reported as running for the first time.
    pub started: Vec<ContainerId>,
    /// Containers to be reported as complete.
    pub ended: Vec<(ContainerId, i32)>,
    /// What it has reported since it became unhealthy. The ResourceManager ignores that; a NodeManager repeats all
    /// statuses with every heartbeat, so they count once it is healthy again
    /// (NodeStatusUpdaterImpl.getContainerStatuses).
    unheard: NodeReport,
    /// The value of `Simulation::stirs` at its latest empty heartbeat: if it is still the same, nothing has happened
    /// since.
    pub calm: u64,
}

impl Machine {
    /// Makes a machine that has not registered yet.
    pub fn new(spec: NodeSpec, attributes: Vec<(String, String)>) -> Self {
        Machine {
            spec,
            attributes,
            id: None,
            alive: false,
            unhealthy: false,
            next_heartbeat: 0,
            last_heartbeat: 0,
            started: Vec::new(),
            ended: Vec::new(),
            unheard: NodeReport::default(),
            calm: 0,
        }
    }

    /// Returns whether it has nothing new to report.
    pub fn is_quiet(&self) -> bool {
        let unheard = !self.unheard.running.is_empty() || !self.unheard.completed.is_empty();
        self.started.is_empty() && self.ended.is_empty() && (self.unhealthy || !unheard)
    }

    /// Takes what the heartbeat of this moment reports.
    pub fn report(&mut self) -> NodeReport {
        let NodeReport { mut running, mut completed, .. } = std::mem::take(&mut self.unheard);
        running.append(&mut self.started);
        completed.append(&mut self.ended);
        let report = NodeReport { running, completed, unhealthy: self.unhealthy, ..NodeReport::default() };
        if self.unhealthy {
            let ended = |id: &ContainerId| report.completed.iter().any(|(done, _)| done == id);
            self.unheard.running = report.running.iter().filter(|id| !ended(id)).copied().collect();
            self.unheard.completed.clone_from(&report.completed);
        }
        report
    }

    /// Forgets its processes: the NodeManager starts empty.
    pub fn clear(&mut self) {
        self.started.clear();
        self.ended.clear();
        self.unheard = NodeReport::default();
        self.unhealthy = false;
    }
}

/// A container's process on a machine.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Process {
    pub machine: usize,
    /// The time of its launch, when localisation begins.
    pub launched_at: Millis,
    /// The time at which the work begins, after localisation and start.
    pub up_at: Millis,
    /// The time of its end and the exit code, if they are known.
    pub end: Option<(Millis, i32)>,
    /// Whether it was ordered to stop.
    pub stopping: bool,
}
