//! A queue (FSQueue, FSLeafQueue, FSParentQueue).

use super::keys::{Key, SortedEntry};
use super::short_cuts::{AmStoppedRow, Idle};
use crate::config::fair::{Amount, Patience, Policy, unlimited};
use crate::model::{AppId, Millis, QueueId, Resource};

/// A queue: settings, lists, and figures. Demand and fair share are those of the last update.
#[derive(Clone, Debug, PartialEq)]
pub struct FairQueue {
    pub id: QueueId,
    pub path: String,
    pub parent: Option<QueueId>,
    /// The children, in the order in which they were created.
    pub children: Vec<QueueId>,
    /// Whether it exists.
    pub alive: bool,
    pub leaf: bool,
    /// Whether it was created for an application, or removed from the file. Then it is removed when it is empty.
    pub dynamic: bool,
    /// The policy by which it divides its share.
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
    /// How long it and its applications wait before they count as starved.
    pub patience: Patience,
    /// The queue that protects it from preemption: itself or one above it.
    pub protected: Option<QueueId>,
    /// The last time at which it was found not below its minimum share; at first the time of its creation.
    pub at_minimum: Millis,
    /// The instantaneous fair share.
    pub fair_share: Resource,
    /// The steady fair share, for display.
    pub steady_share: Resource,
    /// The usage and pending requests below it, at most its maximum.
    pub demand: Resource,
    /// The usage below it, without reservations.
    pub used: Resource,
    /// The runnable applications of a leaf, in the order in which they came.
    pub runnable: Vec<AppId>,
    /// The applications of a leaf that a limit holds back.
    pub waiting: Vec<AppId>,
    /// The accepted applications whose attempt is still to come.
    pub(super) assigned: Vec<AppId>,
    /// The number of runnable applications below it.
    pub running_apps: i64,
    /// The AM usage of a leaf.
    pub am_used: Resource,
    /// The children of a parent, or the runnable applications of a leaf, in the order of trial, if that is known.
    pub(super) children_asked: Vec<SortedEntry<QueueId>>,
    pub(super) apps_asked: Vec<SortedEntry<AppId>>,
    pub(super) in_order: bool,
    /// The applications of a leaf without pending demand.
    pub(super) idle: Idle,
    /// The applications of a leaf that its AM limit stops.
    pub(super) stopped: AmStoppedRow,
    /// Its sort key among its siblings, if their order is known.
    pub(super) key: Key,
    /// Its place among its siblings by name.
    pub(super) rank: u32,
}

impl FairQueue {
    /// Returns the most that it may use of a total: its maximum, but no less than its minimum.
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
            stopped: AmStoppedRow::default(),
            key: Key::default(),
            rank: 0,
        }
    }

    /// Returns the last part of its path.
    pub fn name(&self) -> &str {
        self.path.rsplit('.').next().unwrap_or(&self.path)
    }

    /// Returns whether it has an application, even a waiting one.
    pub(super) fn has_apps(&self) -> bool {
        !(self.runnable.is_empty() && self.waiting.is_empty() && self.assigned.is_empty())
    }

    /// Returns whether the limit of its running applications is reached.
    pub(super) fn is_full(&self) -> bool {
        self.running_apps >= i64::from(self.max_apps)
    }
}
