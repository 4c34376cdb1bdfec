//! Whether a leaf and its applications are starved (FSLeafQueue.updateStarvedApps, FSAppAttempt.fairShareStarvation;
//! preemption.md B2).

use super::record::Standing;
use crate::config::fair::Patience;
use crate::model::{AppId, Millis, QueueId, Resource};
use crate::preemption::measure::{Measure, less};

/// A leaf, as an update sees it.
#[derive(Clone, Debug, PartialEq)]
pub struct Leaf {
    /// Which.
    pub queue: QueueId,
    /// By which its policy compares.
    pub measure: Measure,
    /// How long it waits, and for what.
    pub patience: Patience,
    /// Minimum share.
    pub minimum: Resource,
    /// Used and wanted.
    pub demand: Resource,
    /// Used.
    pub used: Resource,
    /// When it last was not below its minimum share.
    pub at_minimum: Millis,
    /// Applications that want more and are to be looked at, in the policy's order.
    pub apps: Vec<Hungry>,
}

/// An application that wants more.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Hungry {
    /// Which.
    pub app: AppId,
    /// Used.
    pub used: Resource,
    /// Used and wanted.
    pub demand: Resource,
    /// Fair share.
    pub share: Resource,
    /// When it last was not below the part of its share that counts.
    pub at_share: Millis,
    /// What it was last found to lack of its share.
    pub lack: Resource,
}

/// What was found of a leaf.
#[derive(Clone, Debug, PartialEq)]
pub struct LeafLook {
    /// Which.
    pub queue: QueueId,
    /// Applications that were looked at, in order: it ends with the first that is not starved.
    pub apps: Vec<AppLook>,
    /// Its minimum share.
    pub minimum: Minimum,
    /// What each application that wants more is to get of that, in order.
    pub of_minimum: Vec<OfMinimum>,
}

/// What the latest update found, where preemption is on.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct Looks {
    /// Used of the cluster: of memory or of vcores, whatever is more. `None`: there is nothing to use.
    pub used: Option<f32>,
    /// Is enough of it used for anybody to count as starved? Else no leaf is looked at.
    pub busy: bool,
    /// All leaves, in the order of the look.
    pub leaves: Vec<LeafLook>,
}

/// The part of what a leaf lacks of its minimum share that one application is to get.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct OfMinimum {
    /// Which.
    pub app: AppId,
    /// How much.
    pub amount: Resource,
    /// Was anything left when its turn came? Then it counts as starved, whatever the amount.
    pub starved: bool,
}

/// What was found of an application.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct AppLook {
    /// Which.
    pub app: AppId,
    /// Used.
    pub used: Resource,
    /// Fair share.
    pub share: Resource,
    /// The part of it that counts, at most what it wants.
    pub due: Resource,
    /// How it stands.
    pub standing: Standing,
}

/// A leaf and its minimum share.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Minimum {
    /// Used.
    pub used: Resource,
    /// The part of it that it wants.
    pub due: Resource,
    /// What it lacks of it, as far as it wants it.
    pub lack: Resource,
    /// How it stands.
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
    /// When a clock of it runs out, if nothing else happens.
    pub fn wakes_at(&self) -> Option<Millis> {
        let standings = self.apps.iter().map(|a| a.standing).chain([self.minimum.standing]);
        let until = standings.filter_map(|s| match s {
            Standing::Waiting { until, .. } if until < Millis::MAX => Some(until),
            _ => None,
        });
        until.min()
    }
}

/// Looks at a leaf.
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
                // What it wants beyond what is left, not what is left (quirk).
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
