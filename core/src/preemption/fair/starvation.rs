//! Whether a leaf and its applications are starved (FSLeafQueue.updateStarvedApps, FSAppAttempt.fairShareStarvation;
//! preemption.md B2).

use super::record::Standing;
use crate::config::fair::Patience;
use crate::model::{AppId, Millis, QueueId, Resource};
use crate::preemption::measure::{Measure, less};

/// A leaf at an update.
#[derive(Clone, Debug, PartialEq)]
pub struct Leaf {
    /// The leaf.
    pub queue: QueueId,
    /// The measure of its policy.
    pub measure: Measure,
    /// Its timeouts and thresholds.
    pub patience: Patience,
    /// Minimum share.
    pub minimum: Resource,
    /// Usage plus what is wanted.
    pub demand: Resource,
    /// Its usage.
    pub used: Resource,
    /// The last time when it was not below its minimum share.
    pub at_minimum: Millis,
    /// The applications to check that want more, in the policy's order.
    pub apps: Vec<WantingApp>,
}

/// An application that wants more.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct WantingApp {
    /// The application.
    pub app: AppId,
    /// Its usage.
    pub used: Resource,
    /// Usage plus what is wanted.
    pub demand: Resource,
    /// Fair share.
    pub share: Resource,
    /// The last time when it was not below the protected part of its share.
    pub at_share: Millis,
    /// The part of its share that the latest check found missing.
    pub lack: Resource,
}

/// The result of checking a leaf.
#[derive(Clone, Debug, PartialEq)]
pub struct LeafLook {
    /// The leaf.
    pub queue: QueueId,
    /// The checked applications, in order; the list ends with the first that is not starved.
    pub apps: Vec<AppLook>,
    /// The state of its minimum share.
    pub minimum: Minimum,
    /// The part of the missing minimum share for each application that wants more, in order.
    pub of_minimum: Vec<OfMinimum>,
}

/// The results of the latest update, if preemption is on.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct StarvationFindings {
    /// The used fraction of the cluster: of memory or of vcores, whichever is more. `None`: the cluster is empty.
    pub used: Option<f32>,
    /// Whether enough is used for anybody to count as starved; otherwise no leaf is checked.
    pub busy: bool,
    /// All leaves, in the order of the checks.
    pub leaves: Vec<LeafLook>,
}

/// One application's part of what a leaf lacks of its minimum share.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct OfMinimum {
    /// The application.
    pub app: AppId,
    /// The amount.
    pub amount: Resource,
    /// Whether anything was left at its turn; it then counts as starved, whatever the amount.
    pub starved: bool,
}

/// The result of checking an application.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct AppLook {
    /// The application.
    pub app: AppId,
    /// Its usage.
    pub used: Resource,
    /// Fair share.
    pub share: Resource,
    /// The protected part of it, at most its demand.
    pub due: Resource,
    /// Its standing.
    pub standing: Standing,
}

/// A leaf's usage against its minimum share.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Minimum {
    /// Its usage.
    pub used: Resource,
    /// The minimum share, at most its demand.
    pub due: Resource,
    /// The missing part of that.
    pub lack: Resource,
    /// Its standing.
    pub standing: Standing,
}

fn standing(lacks: bool, since: Millis, patience: Millis, now: Millis) -> Standing {
    let until = since.saturating_add(patience);
    match lacks {
        false => Standing::Served,
        true if now < until => Standing::Waiting { since, until },
        true => Standing::Starved { since },
    }
}

impl LeafLook {
    /// The time when one of its timeouts ends, if nothing else happens.
    pub fn wakes_at(&self) -> Option<Millis> {
        let standings = self.apps.iter().map(|a| a.standing).chain([self.minimum.standing]);
        let until = standings.filter_map(|s| match s {
            Standing::Waiting { until, .. } if until < Millis::MAX => Some(until),
            _ => None,
        });
        until.min()
    }
}

/// Checks a leaf.
pub fn look(leaf: &Leaf, now: Millis) -> LeafLook {
    let mut apps = Vec::new();
    let mut lacks: Vec<Resource> = leaf.apps.iter().map(|a| a.lack).collect();
    let mut sum = Resource::ZERO;
    for (a, lack) in leaf.apps.iter().zip(&mut lacks) {
        let due = a.share.multiply_round_down(leaf.patience.threshold).component_min(a.demand);
        let below = leaf.measure.below(a.used, due);
        let standing = standing(below, a.at_share, leaf.patience.fair_ms, now);
        apps.push(AppLook { app: a.app, used: a.used, share: a.share, due, standing });
        *lack = if let Standing::Starved { .. } = standing { less(due, a.used) } else { Resource::ZERO };
        if lack.is_zero() {
            break;
        }
        sum += *lack;
    }
    let due = leaf.minimum.component_min(leaf.demand);
    let lack = less(due, leaf.used);
    let standing = standing(!lack.is_zero(), leaf.at_minimum, leaf.patience.minimum_ms, now);
    let starved = matches!(standing, Standing::Starved { .. });
    let mut left = if starved { less(lack, sum) } else { less(Resource::ZERO, sum) };
    let mut of_minimum = Vec::new();
    for (a, fair) in leaf.apps.iter().zip(&lacks) {
        let mut own = Resource::ZERO;
        let starved = !left.is_zero();
        if starved {
            own = less(a.demand - a.used, *fair);
            if leaf.measure.above(own, left) {
                // Its demand beyond the rest, not the rest itself (quirk).
                own = less(own, left);
                left = Resource::ZERO;
            } else {
                left = less(left, own);
            }
        }
        of_minimum.push(OfMinimum { app: a.app, amount: own, starved });
    }
    LeafLook { queue: leaf.queue, apps, minimum: Minimum { used: leaf.used, due, lack, standing }, of_minimum }
}
