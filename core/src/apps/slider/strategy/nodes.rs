//! Slider's knowledge of a host: its state, and what each component did there (slider-placement.md 4.2).

use super::ending::ContainerOutcome;
pub use crate::apps::slider::journal::{NodeChange, NodeState};
use crate::model::Millis;
use std::cmp::Ordering;
use std::collections::BTreeMap;

impl NodeState {
    /// Returns YARN's name.
    pub fn name(self) -> &'static str {
        match self {
            NodeState::Running => "RUNNING",
            NodeState::Rebooted => "REBOOTED",
            NodeState::Unhealthy => "UNHEALTHY",
            NodeState::Decommissioned => "DECOMMISSIONED",
            NodeState::Lost => "LOST",
            NodeState::Shutdown => "SHUTDOWN",
        }
    }

    /// Returns the state of this name.
    pub fn of(name: &str) -> Option<Self> {
        use NodeState::*;
        [Running, Rebooted, Unhealthy, Decommissioned, Lost, Shutdown].into_iter().find(|s| s.name() == name)
    }

    /// Returns whether containers can run there.
    pub fn usable(self) -> bool {
        matches!(self, NodeState::Running | NodeState::Rebooted)
    }
}

/// A report of a node.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NodeReport {
    /// The host.
    pub host: String,
    /// Its current state.
    pub state: NodeState,
    /// Its label, empty without one.
    pub label: String,
}

/// Counters of one component on one host.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct NodeEntry {
    /// Requested. Stays 0: Slider never raises this counter.
    pub requested: i64,
    /// Granted, and not started yet.
    pub starting: i64,
    /// Started.
    pub live: i64,
    /// Being released.
    pub releasing: i64,
    /// Ended before they had run long enough.
    pub start_failed: i64,
    /// Ended through the node's fault, since the ApplicationMaster's start.
    pub failed: i64,
    /// Ended through the node's fault, since the last reset.
    pub failed_recently: i64,
    /// Preempted.
    pub preempted: i64,
    /// The last time at which a container ended here and left the host free.
    pub last_used: Millis,
}

/// Decrements a counter, but not below 0.
pub(super) fn less(count: &mut i64) {
    *count = (*count - 1).max(0);
}

impl NodeEntry {
    /// Returns whether the component has no container here, nor one to come.
    pub fn available(&self) -> bool {
        self.live + self.requested + self.starting - self.releasing <= 0
    }

    /// Returns the number of containers that stay.
    pub fn active(&self) -> i64 {
        self.live - self.releasing
    }

    /// Records that a container was granted here and will be used.
    pub fn assigned(&mut self) {
        self.starting += 1;
    }

    /// Records that it runs.
    pub fn started(&mut self) {
        less(&mut self.starting);
        self.live += 1;
    }

    /// Records that it is being released.
    pub fn release(&mut self) {
        self.releasing += 1;
    }

    /// Records that it could not be started, or was short-lived. Returns whether it leaves the host free.
    pub fn start_failed(&mut self) -> bool {
        less(&mut self.starting);
        self.start_failed += 1;
        self.completed(false, ContainerOutcome::Failed)
    }

    /// Records that it ended. Returns whether it leaves the host free.
    pub fn completed(&mut self, was_released: bool, outcome: ContainerOutcome) -> bool {
        match outcome {
            _ if was_released => less(&mut self.releasing),
            ContainerOutcome::Failed | ContainerOutcome::NodeFailure => {
                self.failed += 1;
                self.failed_recently += 1;
            }
            ContainerOutcome::Preempted => self.preempted += 1,
            ContainerOutcome::Completed | ContainerOutcome::LimitsExceeded => {}
        }
        less(&mut self.live);
        self.available()
    }
}

/// A host.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Node {
    /// Its state as last reported.
    pub state: NodeState,
    /// Its label, empty without one.
    pub label: String,
    /// Whether it is withheld from the application.
    pub blacklisted: bool,
    /// What components did here, by their ids.
    pub entries: BTreeMap<i32, NodeEntry>,
}

impl Node {
    /// Returns the entry of a component, and creates it if there is none.
    pub fn entry(&mut self, id: i32) -> &mut NodeEntry {
        self.entries.entry(id).or_default()
    }

    /// Returns the number of a component's containers that stay.
    pub fn active(&self, id: i32) -> i64 {
        self.entries.get(&id).map_or(0, NodeEntry::active)
    }

    /// Returns the number of a component's recent failures.
    pub fn failed_recently(&self, id: i32) -> i64 {
        self.entries.get(&id).map_or(0, |e| e.failed_recently)
    }

    /// Returns whether a component has failed here too often. A negative threshold means always.
    pub fn exceeds(&self, id: i32, threshold: i32) -> bool {
        threshold < 0 || self.failed_recently(id) > i64::from(threshold)
    }

    /// Applies a report. Returns why it is a change for placement, if it is one. `known`: the host was reported before.
    pub fn report(&mut self, report: &NodeReport, known: bool) -> Option<NodeChange> {
        let was_usable = std::mem::replace(&mut self.state, report.state).usable();
        let label = report.label.trim();
        let relabelled = self.label != label;
        if relabelled {
            self.label = label.into();
        }
        match self.state.usable() {
            _ if !known => Some(NodeChange::New),
            true if !was_usable => Some(NodeChange::Back),
            true if relabelled => Some(NodeChange::Relabelled),
            _ => None,
        }
    }

    /// Returns what bars an instance that must be the only one here.
    pub fn bars(&self, id: i32, label: Option<&str>) -> Option<Barred> {
        if !self.state.usable() {
            Some(Barred::Offline)
        } else if label.is_some_and(|l| !l.is_empty() && l != self.label) {
            Some(Barred::Label)
        } else if self.entries.get(&id).is_some_and(|e| !e.available()) {
            Some(Barred::Occupied)
        } else {
            None
        }
    }

    /// Like [`Self::bars`], but creates the component's entry, as Slider does when it checks; the entry is saved with the
    /// history.
    pub fn can_host(&mut self, id: i32, label: Option<&str>) -> Result<(), Barred> {
        let bar = self.bars(id, label);
        if !matches!(bar, Some(Barred::Offline | Barred::Label)) {
            self.entry(id);
        }
        bar.map_or(Ok(()), Err)
    }
}

/// The reason why a host cannot take an anti-affine instance.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Barred {
    /// Its state.
    Offline,
    /// It lacks the component's label.
    Label,
    /// An instance runs or starts there.
    Occupied,
}

/// Compares hosts for the recent list: the last used comes first; a host without an entry comes last.
pub fn preferred(a: &Node, b: &Node, id: i32) -> Ordering {
    let used = |n: &Node| n.entries.get(&id).map_or(-1, |e| e.last_used);
    used(b).cmp(&used(a))
}

/// Compares hosts by containers that stay, most first.
pub fn most_active(a: &Node, b: &Node, id: i32) -> Ordering {
    b.active(id).cmp(&a.active(id))
}
