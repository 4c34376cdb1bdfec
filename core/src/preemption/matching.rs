//! Matches applications within a queue: who gives to whom (A8.1 step 7).

use super::measure::Measure;
use super::record::{IntraUser, LeafApp};
use super::snapshot::{AppDemand, UserShare};
use crate::config::capacity::preemption::IntraQueueOrder;
use crate::model::{Resource, UserId};
use std::collections::BTreeMap;

const ZERO: Resource = Resource::ZERO;

/// An application of the queue.
#[derive(Clone, Copy, Debug)]
pub(super) struct TempApp {
    pub app: AppDemand,
    /// The amount that earlier selectors selected from it.
    pub selected: Resource,
    /// The amount to be assigned, and what its user could still get, at its turn.
    pub unassigned: Resource,
    pub user_left: Resource,
    pub ideal: Resource,
    pub from_others: Resource,
    /// The amount that may be taken from it.
    pub owed: Resource,
    /// The amount that the round wants from it.
    pub wanted: Resource,
}

impl TempApp {
    pub fn of(app: &AppDemand) -> Self {
        TempApp {
            app: *app,
            selected: ZERO,
            unassigned: ZERO,
            user_left: ZERO,
            ideal: ZERO,
            from_others: ZERO,
            owed: ZERO,
            wanted: ZERO,
        }
    }
}

impl From<&TempApp> for LeafApp {
    fn from(e: &TempApp) -> Self {
        LeafApp {
            app: e.app.app,
            user: e.app.user,
            priority: e.app.priority,
            used: e.app.used,
            am: e.app.am,
            pending: e.app.pending,
            selected: e.selected,
            unassigned: e.unassigned,
            user_left: e.user_left,
            ideal: e.ideal,
            from_others: e.from_others,
            owed: e.owed,
            wanted: e.wanted,
        }
    }
}

/// A user of the queue; usage and limit exclude ApplicationMasters.
#[derive(Clone, Copy, Debug)]
pub(super) struct UserEntry {
    pub used: Resource,
    pub am: Resource,
    pub limit: Resource,
    pub ideal: Resource,
    pub selected: Resource,
    pub capped: bool,
}

impl UserEntry {
    pub fn of(u: &UserShare) -> Self {
        let (used, limit) = (u.used - u.am, u.limit - u.am);
        UserEntry { used, am: u.am, limit, ideal: ZERO, selected: ZERO, capped: false }
    }

    fn over(&self, by: &Measure) -> bool {
        by.above(self.used, self.limit)
    }
}

impl From<&UserEntry> for IntraUser {
    fn from(u: &UserEntry) -> Self {
        IntraUser {
            user: UserId(0),
            used: u.used,
            am: u.am,
            limit: u.limit,
            ideal: u.ideal,
            selected: u.selected,
            capped: u.capped,
        }
    }
}

/// Matches from the most important application that is short to the least important one that may give.
pub(super) fn match_up(
    by: &Measure,
    order: IntraQueueOrder,
    apps: &mut [TempApp],
    users: &mut BTreeMap<UserId, UserEntry>,
) {
    for high in 0..apps.len() {
        for low in (0..apps.len()).rev().filter(|low| *low != high) {
            if !by.positive(apps[high].from_others) {
                break;
            }
            let gives = may_give(by, order, &apps[high], &apps[low], users);
            if by.positive(gives) {
                let gives = by.min(apps[high].from_others, gives);
                apps[high].from_others -= gives;
                apps[low].wanted += gives;
            }
        }
    }
}

/// The amount that one application may give to another.
fn may_give(
    by: &Measure,
    order: IntraQueueOrder,
    high: &TempApp,
    low: &TempApp,
    users: &mut BTreeMap<UserId, UserEntry>,
) -> Resource {
    let same_user = high.app.user == low.app.user;
    let may_not = same_user && low.app.priority >= high.app.priority;
    if may_not || !by.positive(low.owed) || !by.above(low.owed, low.wanted) {
        return ZERO;
    }
    let left = low.owed - low.wanted;
    let Some(user) = users.get_mut(&low.app.user) else { return left };
    if same_user {
        return left;
    }
    let over = user.over(by);
    if order == IntraQueueOrder::UserLimitFirst && !over {
        return ZERO;
    }
    if high.app.priority != low.app.priority || !over {
        return left;
    }
    // Reduces the user to its limit, once.
    let down = if user.capped { ZERO } else { user.used - user.selected - user.limit };
    if by.compare(down, left).is_lt() {
        user.capped = true;
        return down;
    }
    left
}
