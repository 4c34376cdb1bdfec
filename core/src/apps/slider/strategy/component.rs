//! A component's state in Slider (slider-placement.md 4.1).

use super::requests::AskId;
use super::settings::Settings;
pub use crate::apps::slider::journal::LastFailure;
use crate::model::Resource;

/// Counters of a component; none goes below 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct Counters {
    /// Wanted.
    pub desired: i64,
    /// Accepted and not ended; one that is being released still counts.
    pub actual: i64,
    /// Requested from YARN.
    pub requested: i64,
    /// Being released.
    pub releasing: i64,
    /// Anti-affine instances that are not requested yet.
    pub pending_aa: i64,
    /// Started.
    pub started: i64,
    /// Released and ended.
    pub completed: i64,
    /// Failed.
    pub failed: i64,
    /// Failed since the last reset.
    pub failed_recently: i64,
    /// Failed at their start.
    pub start_failed: i64,
    /// Failed with their node.
    pub node_failed: i64,
    /// Preempted.
    pub preempted: i64,
    /// Ended for exceeding their limits.
    pub limits_exceeded: i64,
    /// Requested from YARN since the start.
    pub total_requested: i64,
}

impl Counters {
    /// Returns how many more (or, if negative, fewer) are needed.
    pub fn delta(&self) -> i64 {
        match self.desired - (self.actual + self.requested) {
            delta if delta < 0 => (delta + self.releasing).min(0),
            delta => delta,
        }
    }

    pub(super) fn ask(&mut self) {
        self.requested += 1;
        self.total_requested += 1;
    }
}

/// A component.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Component {
    /// Its name.
    pub name: String,
    /// The name in resources.json; it differs from `name` where every instance has its own name.
    pub group: String,
    /// The settings read when it was created.
    pub settings: Settings,
    /// Its counters.
    pub counters: Counters,
    /// The size of its containers.
    pub size: Resource,
    /// The current anti-affine request. It may be missing in the list of open requests (8.6).
    pub aa_outstanding: Option<AskId>,
    /// How the last one failed.
    pub last_failure: Option<LastFailure>,
}

impl Component {
    /// Creates a component with zero counters.
    pub fn new(name: impl Into<String>, group: impl Into<String>, settings: Settings) -> Self {
        Component {
            name: name.into(),
            group: group.into(),
            settings,
            counters: Counters::default(),
            size: Resource::ZERO,
            aa_outstanding: None,
            last_failure: None,
        }
    }

    /// Returns its id.
    pub fn id(&self) -> i32 {
        self.settings.id
    }

    /// Forgets the current anti-affine request, after a change of the cluster.
    pub(super) fn forget_aa(&mut self) -> Option<AskId> {
        let ask = self.aa_outstanding.take()?;
        self.counters.pending_aa = 0;
        super::nodes::less(&mut self.counters.requested);
        Some(ask)
    }
}
