//! Short cut: a leaf rests if the user of every application in it that may have requests is at the user's limit. Its
//! parent skips it until something in it changes; a visit would change nothing but the limit that the leaf publishes
//! (capacity-scheduler.md 8.1(1)). That limit is computed when it is read, from the parent's record of the offers that
//! it would have passed on.
//!
//! Used only if nothing is recorded (a record has each visit), and in clusters of one partition.

use crate::model::{PartitionId, QueueId, Resource};
use crate::scheduler::Cluster;
use crate::scheduler::capacity::books::Accounting;
use crate::scheduler::capacity::offer::{Candidates, Limits, Offer};
use crate::scheduler::capacity::users::Mode;
use std::ops::Range;

/// The largest number of stretches that are recorded.
const STRETCHES: usize = 256;

/// The state of a leaf that rests.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Resting {
    /// Its key in the parent's order of trial.
    key: u128,
    /// The latest offer of the parent that the leaf's limit takes into account.
    since: u64,
}

/// A parent's record of the offers that skipped resting children.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct OffersPastResting {
    /// The number of resting children.
    resting: usize,
    /// The number of offers while any child rested.
    offers: u64,
    /// The resources that offers left for the children before their winners, the latest offer for each child: `upto`
    /// falls, offers rise.
    stretches: Vec<VisitedRange>,
}

/// The children of a parent that an offer visited.
#[derive(Clone, Debug)]
pub struct GoneThrough {
    pub parent: QueueId,
    /// The key of its winner; the children before it were visited.
    pub upto: u128,
    /// The blocked children, each with the resources withheld from those after it (7.2(6)).
    pub blocked: Vec<(u128, Resource)>,
}

/// The keys below `upto`: an offer visited all children that have them.
#[derive(Clone, Copy, Debug, PartialEq)]
struct VisitedRange {
    upto: u128,
    offer: u64,
    /// The resources that they could have got beyond their usage.
    left: Resource,
}

/// Returns whether a leaf that has `left` beyond its usage passes the check of its limit (capacity-scheduler.md 7.3);
/// `None`: that depends on its usage.
fn passes(c: &Cluster, left: Resource) -> Option<bool> {
    let calc = c.calculator;
    // With three or more types, a type that the cluster lacks is not compared.
    let step = c.minimum.zip(c.total, |m, total| if total == 0 && calc.types > 2 { 0 } else { m.max(1) });
    match (calc.fits_in(&step, &left), calc.any_above_zero(&left)) {
        _ if c.minimum.memory_mb() <= 0 => None,
        (true, _) => Some(true),
        (false, false) => Some(false),
        (false, true) => None,
    }
}

impl Accounting {
    /// Returns whether any child of a parent rests.
    #[inline]
    pub fn any_rests_below(&self, parent: QueueId) -> bool {
        self.queue(parent).passed.resting > 0
    }

    /// Wakes a leaf if it rests, because something in it changes.
    #[inline]
    pub fn wake(&mut self, c: &Cluster, leaf: QueueId) {
        if self.queue(leaf).rests() {
            self.wake_now(c, leaf);
        }
    }

    fn wake_now(&mut self, c: &Cluster, leaf: QueueId) {
        self.make_up(c, leaf);
        let q = &mut self.queues[leaf.index()];
        debug_assert!(q.parent.is_some(), "a leaf rests below a parent");
        let (place, Some(parent)) = (q.place, q.parent) else { return };
        if let Some(l) = &mut q.leaf {
            l.listed.resting = None;
        }
        let above = &mut self.queues[parent.index()];
        above.orders[0].need_changed(place);
        above.passed.resting -= 1;
        if above.passed.resting == 0 {
            above.passed.stretches.clear();
        }
    }

    /// Wakes a parent's resting children, because their order changes.
    pub(in crate::scheduler::capacity::books) fn wake_children(&mut self, c: &Cluster, parent: QueueId) {
        for i in 0..self.queue(parent).children.len() {
            self.wake(c, self.queue(parent).children[i]);
        }
    }

    /// Publishes the limit that a resting leaf would have published if it had been visited.
    pub fn make_up(&mut self, c: &Cluster, leaf: QueueId) {
        let q = self.queue(leaf);
        let Some(rest) = q.leaf.as_ref().and_then(|l| l.listed.resting) else { return };
        debug_assert!(q.parent.is_some(), "a leaf rests below a parent");
        let Some(parent) = q.parent else { return };
        let passed = &self.queue(parent).passed;
        let offers = passed.offers;
        let covering = passed.stretches.partition_point(|s| s.upto > rest.key).checked_sub(1);
        let stretch = covering.map(|at| passed.stretches[at]).filter(|s| s.offer > rest.since);
        if let Some(stretch) = stretch {
            let limit = self.limit_left(c, leaf, stretch.left);
            self.note_limit(c, leaf, &limit);
        }
        let Some(l) = self.queues[leaf.index()].known_leaf_mut() else { return };
        if stretch.is_some() {
            l.current_limit = l.noted_limit;
        }
        l.listed.resting = Some(Resting { since: offers, ..rest });
    }

    /// Returns the limit that the parent gives a child that may have `left` beyond its usage (7.2(5)).
    fn limit_left(&self, c: &Cluster, leaf: QueueId, left: Resource) -> Resource {
        let used = self.queue(leaf).part(PartitionId::DEFAULT).used;
        c.calculator.round_down(&(left + used), &c.minimum)
    }
}

impl Offer<'_> {
    /// Lets a leaf rest after a visit that gave nothing, if the user of every application is at its limit.
    #[cold]
    pub(in crate::scheduler::capacity) fn may_rest(&mut self, c: &Cluster, leaf: QueueId) {
        let one =
            c.partitions.len() == 1 && self.terms.mode == Mode::Respect && self.terms.candidates == Candidates::One;
        if !self.skips
            || !one
            || self.books.preemption.is_lazy()
            || c.placement.settings.handler == crate::constraint::Handler::Processor
        {
            return;
        }
        let (Some(l), Some(parent)) = (&self.queue(leaf).leaf, self.queue(leaf).parent) else { return };
        if l.listed.resting.is_some() || l.listed.wanting.is_empty() && l.listed.aside.is_empty() {
            return;
        }
        let Some(limit) = l.users.known_limit(self.terms.partition, self.terms.mode) else { return };
        if !l.listed.wanting.iter().all(|app| self.would_be_set_aside(c, leaf, *app, limit)) {
            return;
        }
        let place = self.queue(leaf).place;
        let above = &mut self.books.queues[parent.index()];
        let Some(key) = above.orders[0].wanting_key(place) else { return };
        let rest = Resting { key, since: above.passed.offers };
        above.passed.resting += 1;
        above.orders[0].need_changed(place);
        if let Some(l) = &mut self.books.queues[leaf.index()].leaf {
            l.listed.resting = Some(rest);
        }
    }

    /// Records an offer that has gone through the children of a parent and skipped those that rest.
    #[cold]
    pub(in crate::scheduler::capacity) fn pass_over_resting(
        &mut self,
        c: &Cluster,
        limit: Resource,
        children: &GoneThrough,
    ) {
        let GoneThrough { parent, upto, ref blocked } = *children;
        let own = self.queue(parent).part(self.terms.partition);
        let left = *c.calculator.min(&c.total, &limit, &own.shares.effective_max) - own.used;
        let passed = &mut self.books.queues[parent.index()].passed;
        passed.offers += 1;
        let offer = passed.offers;
        let ends = blocked.iter().map(|(key, _)| *key).chain([upto]);
        let withheld = [Resource::ZERO].into_iter().chain(blocked.iter().map(|(_, sum)| *sum));
        let mut fresh: Vec<VisitedRange> = Vec::new();
        let (mut from, mut unsure) = (0, false);
        for (upto, withheld) in ends.zip(withheld) {
            match passes(c, left - withheld) {
                Some(true) => fresh.push(VisitedRange { upto, offer, left: left - withheld }),
                // Later children have less left.
                Some(false) => break,
                None => {
                    unsure = true;
                    break;
                }
            }
            from = upto;
        }
        if let Some(last) = fresh.last() {
            while passed.stretches.last().is_some_and(|s| s.upto <= last.upto) {
                passed.stretches.pop();
            }
            passed.stretches.extend(fresh.into_iter().rev());
        }
        if unsure || self.queue(parent).passed.stretches.len() > STRETCHES {
            self.publish_each(c, children, left, unsure.then_some(from..upto));
        }
    }

    /// Updates each resting child by itself: publishes the limit of earlier offers and, for the keys in `unsure`, whose
    /// check depends on the child's usage, that of the current offer.
    fn publish_each(&mut self, c: &Cluster, children: &GoneThrough, left: Resource, unsure: Option<Range<u128>>) {
        let GoneThrough { parent, ref blocked, .. } = *children;
        for i in 0..self.queue(parent).children.len() {
            let leaf = self.queue(parent).children[i];
            let Some(rest) = self.queue(leaf).leaf.as_ref().and_then(|l| l.listed.resting) else { continue };
            self.books.make_up(c, leaf);
            if !unsure.as_ref().is_some_and(|keys| keys.contains(&rest.key)) {
                continue;
            }
            let withheld = blocked.iter().rfind(|(key, _)| *key < rest.key).map_or(Resource::ZERO, |(_, sum)| *sum);
            let limit = self.books.limit_left(c, leaf, left - withheld);
            self.books.note_limit(c, leaf, &limit);
            if self.check_limit(c, leaf, &mut Limits::of(limit), Resource::default).is_ok()
                && let Some(l) = &mut self.books.queues[leaf.index()].leaf
            {
                l.current_limit = l.noted_limit;
            }
        }
        if unsure.is_none() {
            self.books.queues[parent.index()].passed.stretches.clear();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::api::{AllocateCall, AskRow, NodeReport, RmEvent};
    use crate::journal::{Full, Recorder, Silent};
    use crate::model::{AppId, ContainerId, NodeId};
    use crate::rm::testing::{Fixture, properties};

    const QUEUES: &str = "root.queues a,b,c\n root.a.capacity 60\n root.b.capacity 15\n root.c.capacity 25\n \
         root.a.queues 1,2,3,4,5,6\n root.a.1.capacity 10\n root.a.2.capacity 10\n root.a.3.capacity 20\n \
         root.a.4.capacity 20\n root.a.5.capacity 20\n root.a.6.capacity 20\n root.a.maximum-capacity 90\n \
         root.b.maximum-capacity 40\n root.a.2.user-limit-factor 0.5\n root.a.3.minimum-user-limit-percent 40\n \
         root.a.4.ordering-policy fair\n root.a.5.maximum-capacity 30\n root.c.user-limit-factor 2\n \
         maximum-am-resource-percent 1\n per-node-heartbeat.maximum-offswitch-assignments 4";

    struct Random(u64);

    impl Random {
        fn below(&mut self, n: usize) -> usize {
            self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (self.0 >> 33) as usize % n
        }
    }

    /// Returns the observations of each step, and how often leaves were found resting.
    fn play<R: Recorder>(seed: u64, settings: &str, site: &str, rec: &mut R) -> (Vec<String>, usize) {
        let mut w = Fixture::new(&format!("{QUEUES}\n{settings}"), site);
        let mut random = Random(seed);
        let mut nodes: Vec<NodeId> = (0..5).map(|i| w.node(&format!("n{i}"), 32)).collect();
        let mut apps: Vec<AppId> = Vec::new();
        let (mut seen, mut rested) = (Vec::new(), 0);
        let leaves = ["root.a.1", "root.a.2", "root.a.3", "root.a.4", "root.a.5", "root.a.6", "root.b", "root.c"];
        for step in 0..900 {
            if step % 90 < 12 {
                apps.push(w.submit(leaves[random.below(leaves.len())], ["u", "v", "w"][random.below(3)]));
            }
            let app = apps[random.below(apps.len())];
            match random.below(24) {
                0 => {
                    let key = format!("root.a.{}.user-limit-factor", 1 + random.below(6));
                    let more = format!("{QUEUES}\n{settings}\n{key} {}", ["0.7", "1", "3"][random.below(3)]);
                    let _ = w.rm.refresh(properties(&more, "yarn.scheduler.capacity."), rec);
                }
                1 if nodes.len() < 8 => nodes.push(w.node(&format!("n{}", nodes.len()), 20)),
                2 => {
                    let _ = w.rm.move_app(app, leaves[random.below(leaves.len())], rec);
                }
                3 if apps.len() > 6 => {
                    w.rm.kill_app(app, rec);
                }
                4..=9 => {
                    let priority = 1 + random.below(2) as i32;
                    let size = Resource::new([1024, 1024, 3072, 9216][random.below(4)], 1);
                    let ask = AskRow::anywhere(priority, size, random.below(12) as i64);
                    let _ = w.rm.allocate(app, AllocateCall { asks: vec![ask], ..AllocateCall::default() }, rec);
                }
                _ => {}
            }
            let node = nodes[random.below(nodes.len())];
            let running: Vec<ContainerId> = w.rm.containers_on(node).filter(|c| !c.am).map(|c| c.id).collect();
            let completed = running.into_iter().filter(|_| random.below(8) == 0).map(|id| (id, 0)).collect();
            w.rm.heartbeat(node, NodeReport { completed, ..NodeReport::default() }, rec);
            for event in w.rm.take_events() {
                if let RmEvent::LaunchAm { attempt, .. } = event {
                    let _ = w.rm.register(attempt.app, rec);
                }
            }
            rested +=
                w.rm.queues().iter().filter(|q| q.leaf.as_ref().is_some_and(|l| l.listed.resting.is_some())).count();
            let on_node: Vec<_> = w.rm.containers_on(node).map(|c| c.id).collect();
            // Only some ask for their headroom: limits that nobody reads are computed later.
            let other = apps[random.below(apps.len())];
            let answer = (random.below(3) == 0).then(|| w.rm.allocate(other, AllocateCall::default(), rec));
            seen.push(format!("{on_node:?} {:?}", answer.map(|a| a.map(|a| a.headroom).map_err(|e| e.message))));
        }
        (seen, rested)
    }

    #[test]
    fn resting_changes_neither_a_decision_nor_a_headroom() {
        let dominant = "resource-calculator org.apache.hadoop.yarn.util.resource.DominantResourceCalculator";
        // The nodes are no multiple of this minimum, so less than the minimum may be left.
        let odd = "yarn.scheduler.minimum-allocation-mb 1000";
        for (settings, site) in
            [("", ""), (dominant, ""), ("", odd), ("root.a.ordering-policy priority-utilization", "")]
        {
            let mut rested = 0;
            for seed in 0..4 {
                let (with_reasons, never) = play(seed, settings, site, &mut Full::default());
                let (silently, resting) = play(seed, settings, site, &mut Silent);
                assert_eq!(never, 0, "each visit is a reason");
                rested += resting;
                for (step, (l, r)) in with_reasons.iter().zip(&silently).enumerate() {
                    assert_eq!(l, r, "seed {seed}, step {step} of `{settings}` `{site}`");
                }
            }
            assert!(rested > 300, "leaves rest often: {rested}");
        }
    }
}
