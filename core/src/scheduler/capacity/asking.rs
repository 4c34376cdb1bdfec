//! Updates of requests (AppSchedulingInfo.updateResourceRequests; capacity-scheduler.md 11.1, and the active users of
//! section 6).

use super::books::Accounting;
use crate::model::{AppId, PartitionId, RequestKey};
use crate::scheduler::{Cluster, PlaceId, RequestRow};

impl Accounting {
    /// Updates the rows of one key, in the order in which they were sent, each name once. `partition` is that of the
    /// ANY row.
    pub(crate) fn update_asks(
        &mut self,
        c: &mut Cluster,
        app: AppId,
        key: RequestKey,
        rows: &[(PlaceId, RequestRow)],
        partition: PartitionId,
    ) {
        self.asks_change();
        let a = c.app_mut(app);
        let place = a.asks.key_place(key);
        let mut any = None;
        for (name, row) in rows {
            let last = a.asks.at_mut(place).put(*name, *row);
            if *name == PlaceId::ANY {
                any = Some((last, *row));
            }
        }
        let Some((last, new)) = any else { return };
        if let Err(at) = a.requested_partitions.binary_search(&partition) {
            a.requested_partitions.insert(at, partition);
        }
        let asks = a.asks.at_mut(place);
        let last_partition = std::mem::replace(&mut asks.partition, partition);
        let last_count = last.map_or(0, |r| r.count);
        if new.count <= 0 {
            asks.clear();
            a.asks.close_key(place);
            self.asks_may_have_ended(c, app);
        } else if last_count <= 0 {
            a.asks.open_key(place);
            self.asks_begin(c, app);
        }
        if let Some(last) = last {
            self.change_pending(c, app, last_partition, last.size, -last.count);
        }
        // A negative count is added as it is. Nothing reverts it: the key is forgotten at once (quirk).
        self.change_pending(c, app, partition, new.size, new.count);
        self.demand_updated(c, app);
    }

    /// Marks a running AM's application to be sorted again after a request, if the fair order weighs by demand (11.5).
    /// An allocation lowers the demand too, but does not mark the application.
    pub(super) fn demand_updated(&mut self, c: &Cluster, app: AppId) {
        let a = c.app(app);
        if !a.waiting_for_am && self.queue(a.queue).conf.leaf_ordering.is_size_based() {
            self.mark(a.queue, app);
        }
    }

    /// Makes the user active when a new key has pending requests, if the user has an active application in the leaf.
    pub(super) fn asks_begin(&mut self, c: &mut Cluster, app: AppId) {
        let weight = self.queue(c.app(app).queue).user_weight(c, c.app(app).user);
        let Some(l) = self.leaf_mut(c, c.app(app).queue) else { return };
        let a = c.app_mut(app);
        if a.asking || l.users.get(a.user).is_some_and(|u| u.active_apps <= 0) {
            return;
        }
        a.asking = true;
        l.users.ask_begins(a.user, weight);
    }

    /// Stops counting the application among its user's asking ones if it has no open key.
    pub(super) fn asks_may_have_ended(&mut self, c: &mut Cluster, app: AppId) {
        if c.app(app).asks.open().is_empty() {
            self.asks_end(c, app);
        }
    }

    /// Stops counting the application among its user's asking ones.
    pub(super) fn asks_end(&mut self, c: &mut Cluster, app: AppId) {
        let a = c.app_mut(app);
        if !a.asking {
            return;
        }
        a.asking = false;
        let (leaf, user) = (a.queue, a.user);
        if let Some(l) = self.leaf_mut(c, leaf) {
            l.users.ask_ends(user);
        }
    }
}
