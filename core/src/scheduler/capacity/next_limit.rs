//! The limit that would stop a request next, for people to read; nothing here is part of a decision or changes one.

use super::CapacityScheduler;
use crate::check::{About, Amounts, Check, Checked};
use crate::model::{AppId, PartitionId, QueueId, RequestKey, Resource};
use crate::scheduler::Cluster;

const ROOT: QueueId = QueueId(0);

/// The limits before a node, in the order of the checks.
const ORDER: [Check; 8] = [
    Check::UserParallelApps,
    Check::QueueParallelApps,
    Check::QueueAmLimit,
    Check::UserAmLimit,
    Check::QueueLimit,
    Check::LeafHeadroom,
    Check::UserLimit,
    Check::Headroom,
];

impl CapacityScheduler {
    /// Returns the first limit that would stop a request in its own partition now, before any node. Of queues the
    /// maxima count, and last the whole partition, but not what siblings leave of it.
    pub fn first_limit(&self, c: &Cluster, app: AppId, key: RequestKey, p: PartitionId) -> Option<Checked> {
        self.limits_in_order(c, app, key, p).into_iter().next()
    }

    /// Returns the first limit that would stop the request if `stop` did not.
    pub fn next_limit(
        &self,
        c: &Cluster,
        (app, key, p): (AppId, RequestKey, PartitionId),
        stop: &Checked,
    ) -> Option<Checked> {
        let rank = |check: Check| ORDER.iter().position(|known| *known == check);
        let at = rank(stop.check)?;
        let depth = |checked: &Checked| checked.queue().map(|queue| self.books.path_up(queue).count());
        let is_behind = |limit: &Checked| {
            let is = |check: Check, behind: Check| (stop.check, limit.check) == (check, behind);
            let deeper = is(Check::QueueLimit, Check::QueueLimit) && depth(limit) > depth(stop);
            let of_another = is(Check::QueueParallelApps, Check::QueueParallelApps) && limit.about != stop.about;
            // The leaf's headroom repeats a maximum, and one property limits the AMs of the queue and of its users.
            let again = is(Check::QueueLimit, Check::Headroom)
                || is(Check::LeafHeadroom, Check::Headroom)
                || is(Check::QueueAmLimit, Check::UserAmLimit);
            deeper || of_another || rank(limit.check) > Some(at) && !again
        };
        // A queue without any share is reported before everything else.
        let nothing = |limit: &Checked| limit.figures.as_amounts().is_some_and(|amounts| amounts.limit.is_zero());
        let next = self.limits_in_order(c, app, key, p).into_iter().find(is_behind)?;
        (next.check != Check::QueueLimit || !nothing(&next)).then_some(next)
    }

    fn limits_in_order(&self, c: &Cluster, app: AppId, key: RequestKey, p: PartitionId) -> Vec<Checked> {
        let mut out = Vec::new();
        if !c.app(app).runnable {
            out.extend(self.parallel_stops(c, app));
        }
        if !c.app(app).active {
            out.extend(self.books.am_stops(c, app));
        }
        // A partition without nodes is itself the reason.
        if c.partition_total(p).is_zero() {
            return out;
        }
        out.extend(self.limits_were_nodes_free(c, app, key, p));
        if !out.iter().any(|limit| limit.check == Check::Headroom) {
            out.extend(self.whole_partition(c, app, key, p));
        }
        out
    }

    /// Returns what is left of the whole partition, if the request does not fit in it; reserved resources count as
    /// used.
    fn whole_partition(&self, c: &Cluster, app: AppId, key: RequestKey, p: PartitionId) -> Option<Checked> {
        let a = c.app(app);
        let need = a.asks.find(key).and_then(|place| a.asks.at(place).any())?.size;
        let own = match self.conf.reservations_continue_look {
            true => a.reserved.get(p.index()).copied().unwrap_or_default(),
            false => Resource::ZERO,
        };
        let left = *c.partition_total(p) - self.queue(ROOT).part(p).used + own;
        let failed = || Amounts::fit(need, left).of_queue(ROOT).into();
        (!c.calculator.fits_in(&need, &left))
            .then(|| Checked::failed(Check::Headroom, About::Request(app, key), failed()))
    }
}
