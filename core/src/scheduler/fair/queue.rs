//! A queue (FSQueue, FSLeafQueue, FSParentQueue).

use super::keys::{Asked, Key};
use super::short_cuts::{Idle, Stopped};
use crate::config::fair::{Amount, Patience, Policy, unlimited};
use crate::model::{AppId, Millis, QueueId, Resource};

/// A queue: settings, lists, and figures. Of demand and fair share the figures are those of the last update.
#[derive(Clone, Debug, PartialEq)]
pub struct FairQueue {
    pub id: QueueId,
    pub path: String,
    pub parent: Option<QueueId>,
    /// Its children, in the order in which they were made.
    pub children: Vec<QueueId>,
    /// Whether it exists.
    pub alive: bool,
    pub leaf: bool,
    /// Was it made for an application, or taken out of the file? Then it goes when it is empty.
    pub dynamic: bool,
    /// How it divides.
    pub policy: Policy,
    /// minResources.
    pub minimum: Resource,
    /// maxResources.
    pub maximum: Amount,
    /// The most that it may use of the present cluster: its maximum, but no less than its minimum.
    pub(super) most: Resource,
    /// maxContainerAllocation.
    pub max_container: Option<Resource>,
    /// maxChildResources.
    pub max_child: Option<Amount>,
    /// maxRunningApps.
    pub max_apps: i32,
    /// maxAMShare; about −1 means no limit.
    pub max_am_share: f32,
    pub weight: f32,
    /// How long it and its applications wait before they are starved.
    pub patience: Patience,
    /// Nothing is taken from it by preemption, for the sake of this queue: itself or one above it.
    pub protected: Option<QueueId>,
    /// When it last was not below its minimum share, as far as that was looked at; at first, when it was made.
    pub at_minimum: Millis,
    /// Its instantaneous fair share.
    pub fair_share: Resource,
    /// Its steady fair share, for display.
    pub steady_share: Resource,
    /// Used and wanted below it, at most its maximum.
    pub demand: Resource,
    /// Used below it; reservations do not count.
    pub used: Resource,
    /// Runnable applications of a leaf, in the order in which they came.
    pub runnable: Vec<AppId>,
    /// Applications of a leaf that a limit holds back.
    pub waiting: Vec<AppId>,
    /// Applications accepted whose attempt is still to come.
    pub(super) assigned: Vec<AppId>,
    /// Runnable applications below it.
    pub running_apps: i64,
    /// Used by AMs of a leaf.
    pub am_used: Resource,
    /// Children of a parent, runnable applications of a leaf, as they are asked, if that is known.
    pub(super) children_asked: Vec<Asked<QueueId>>,
    pub(super) apps_asked: Vec<Asked<AppId>>,
    pub(super) in_order: bool,
    /// Those of a leaf without pending demand.
    pub(super) idle: Idle,
    /// Those of a leaf that its limit of AMs stops.
    pub(super) stopped: Stopped,
    /// Its place among its siblings, where their order is known.
    pub(super) key: Key,
    /// Its place among their names.
    pub(super) rank: u32,
}

impl FairQueue {
    /// The most that it may use of so much: its maximum, but no less than its minimum.
    pub(super) fn most_of(&self, total: Resource) -> Resource {
        self.maximum.of(total).component_max(self.minimum)
    }

    pub(super) fn new(id: QueueId, path: &str, parent: Option<QueueId>, leaf: bool, now: Millis) -> Self {
        FairQueue {
            id,
            path: path.to_string(),
            parent,
            children: Vec::new(),
            alive: true,
            leaf,
            dynamic: parent.is_some(),
            policy: Policy::Fair,
            minimum: Resource::ZERO,
            maximum: Amount::Absolute(unlimited()),
            most: unlimited(),
            max_container: None,
            max_child: None,
            max_apps: i32::MAX,
            max_am_share: 0.5,
            weight: 1.0,
            patience: Patience::default(),
            protected: None,
            at_minimum: now,
            fair_share: Resource::ZERO,
            steady_share: Resource::ZERO,
            demand: Resource::ZERO,
            used: Resource::ZERO,
            runnable: Vec::new(),
            waiting: Vec::new(),
            assigned: Vec::new(),
            running_apps: 0,
            am_used: Resource::ZERO,
            children_asked: Vec::new(),
            apps_asked: Vec::new(),
            in_order: false,
            idle: Idle::default(),
            stopped: Stopped::default(),
            key: Key::default(),
            rank: 0,
        }
    }

    /// Last part of its path.
    pub fn name(&self) -> &str {
        self.path.rsplit('.').next().unwrap_or(&self.path)
    }

    /// Has it an application? A waiting one counts.
    pub(super) fn has_apps(&self) -> bool {
        !(self.runnable.is_empty() && self.waiting.is_empty() && self.assigned.is_empty())
    }

    /// Returns whether the limit of its running applications is reached.
    pub(super) fn is_full(&self) -> bool {
        self.running_apps >= i64::from(self.max_apps)
    }
}
