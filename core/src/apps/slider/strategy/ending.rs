//! How containers end, and how Slider counts their ends (slider-placement.md section 10).

use super::component::Counters;
pub use crate::apps::slider::journal::ContainerOutcome;

impl ContainerOutcome {
    /// Returns the outcome of an exit status (ContainerOutcome.fromExitStatus).
    pub fn of(exit_status: i32) -> Self {
        match exit_status {
            0 | -100 | -105 | -106 | -107 => ContainerOutcome::Completed,
            -101 => ContainerOutcome::NodeFailure,
            -102 => ContainerOutcome::Preempted,
            -103 | -104 => ContainerOutcome::LimitsExceeded,
            _ => ContainerOutcome::Failed,
        }
    }

    /// Returns Slider's name.
    pub fn name(self) -> &'static str {
        match self {
            ContainerOutcome::Completed => "Completed",
            ContainerOutcome::Failed => "Failed",
            ContainerOutcome::NodeFailure => "Node_failure",
            ContainerOutcome::Preempted => "Preempted",
            ContainerOutcome::LimitsExceeded => "Failed_limits_exceeded",
        }
    }

    /// Returns the outcome of this name.
    pub fn named(name: &str) -> Option<Self> {
        use ContainerOutcome::*;
        [Completed, Failed, NodeFailure, Preempted, LimitsExceeded].into_iter().find(|o| o.name() == name)
    }
}

/// Updates a component's counters at the end of a container that was not being released. `completed_counts`: an end that is
/// nobody's fault counts as a failure (0.92; not in 0.93).
pub fn charge(counters: &mut Counters, startup_failure: bool, outcome: ContainerOutcome, completed_counts: bool) {
    match outcome {
        ContainerOutcome::Preempted => counters.preempted += 1,
        ContainerOutcome::NodeFailure => {
            counters.node_failed += 1;
            counters.failed += 1;
        }
        ContainerOutcome::Completed if !completed_counts => {}
        ContainerOutcome::LimitsExceeded | ContainerOutcome::Failed | ContainerOutcome::Completed => {
            counters.limits_exceeded += i64::from(outcome == ContainerOutcome::LimitsExceeded);
            counters.failed += 1;
            counters.failed_recently += 1;
            counters.start_failed += i64::from(startup_failure);
        }
    }
}
