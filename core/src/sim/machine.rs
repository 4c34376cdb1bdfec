//! The NodeManagers' side: machines, the processes on them, and what each will say in its next heartbeat
//! (lifecycles-and-timing.md 1.4, 2.2). Every state of a container but the last is reported as running.

use crate::model::{ContainerId, Millis, NodeId};
use crate::rm::{NodeReport, NodeSpec};

/// A machine that may run a NodeManager.
#[derive(Clone, Debug, PartialEq)]
pub struct Machine {
    /// What it registers with.
    pub spec: NodeSpec,
    /// Attributes that it registers with, until it has.
    pub attributes: Vec<(String, String)>,
    /// Its number in the ResourceManager, once it has registered.
    pub id: Option<NodeId>,
    pub alive: bool,
    /// Does it report itself unhealthy?
    pub unhealthy: bool,
    /// When it beats next, while it is alive.
    pub next_heartbeat: Millis,
    /// When it last beat (or registered).
    pub last_heartbeat: Millis,
    /// Containers to be reported as running for the first time.
    pub started: Vec<ContainerId>,
    /// Containers to be reported as complete.
    pub ended: Vec<(ContainerId, i32)>,
    /// What it reported since it is unhealthy. The ResourceManager does not listen then; a NodeManager repeats what it knows
    /// with every heartbeat, so it is heard later (NodeStatusUpdaterImpl.getContainerStatuses).
    unheard: NodeReport,
    /// `Simulation::stirs` as of its latest empty heartbeat: nothing has happened since if they are still the same.
    pub calm: u64,
}

impl Machine {
    /// A machine that has not registered yet.
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

    /// Has it nothing new to say?
    pub fn is_quiet(&self) -> bool {
        let unheard = !self.unheard.running.is_empty() || !self.unheard.completed.is_empty();
        self.started.is_empty() && self.ended.is_empty() && (self.unhealthy || !unheard)
    }

    /// What the heartbeat of this moment says.
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

    /// Forgets everything of its processes: it starts anew, empty.
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
    /// When it was launched (localisation begins).
    pub launched_at: Millis,
    /// When the work begins: localised and started.
    pub up_at: Millis,
    /// When it ends and with which exit code, if that is known.
    pub end: Option<(Millis, i32)>,
    /// Has it been told to stop?
    pub stopping: bool,
}
