//! Short cut: an offer with the same result as an earlier one is not made, but recorded once more.
//!
//! * An offer that gave nothing before it visited any node (a queue at its maximum, users at their limits, headroom too
//!   small) gives nothing on every node of the partition, for the same reasons, until the accounting changes. Most
//!   heartbeats of a busy cluster are of this kind.
//! * An offer on a node where every request that got as far as the node failed its placement constraint has the same
//!   result on that node until the accounting, the tags or the constraints change. It changes nothing but the counts of
//!   missed opportunities, which are updated later. Only in clusters of one partition.

use super::Version;
use crate::journal::{Collected, Detail, EntryRoom, OfferFindings, Recorder};
use crate::model::{AppId, NodeId, OpenKey, PartitionId};
use crate::scheduler::Cluster;
use crate::scheduler::capacity::books::Accounting;
use std::sync::Arc;

/// The maximum number of earlier offers that an offer is compared with.
const COMPARED: usize = 8;

/// The maximum number of kept entries of offers on nodes; offers beyond it are made again.
const KEPT_ENTRIES: usize = 400_000;

/// A request that an offer tried on its node.
#[derive(Clone, Debug, PartialEq, Eq)]
struct TriedRequest {
    app: AppId,
    attempt: u32,
    place: u32,
    /// The requests behind it that are alike and had the same result.
    others: Option<Arc<[OpenKey]>>,
    /// Whether it is for the default partition, so that missed opportunities are counted (capacity-scheduler.md
    /// 8.3(5)).
    counts: bool,
    /// The number of the leaf of its constraint that failed.
    failing: u32,
}

/// An offer that gave nothing, kept once for several nodes.
#[derive(Debug)]
struct PastOffer {
    asked: Vec<TriedRequest>,
    found: Option<Arc<OfferFindings>>,
}

/// An offer that gave nothing and visited no node.
#[derive(Clone, Debug)]
struct Anywhere {
    version: Version,
    partition: PartitionId,
    found: Option<Arc<OfferFindings>>,
}

/// Offers that are known to give nothing.
#[derive(Clone, Debug, Default)]
pub(super) struct Repeats {
    /// The latest offer, if it visited no node.
    anywhere: Option<Anywhere>,
    /// The version that the fields below are valid for.
    version: Version,
    past: Vec<Arc<PastOffer>>,
    /// The number of entries in `past`.
    entries: usize,
    /// The index in `past` of each node's offer.
    nodes: Vec<Option<u32>>,
    present: Present,
    /// The repeated offer, and the number of its repetitions whose missed opportunities are not counted yet.
    owed: Option<(Arc<PastOffer>, i64)>,
}

/// The actions of the current offer so far.
#[derive(Clone, Debug, Default)]
struct Present {
    /// Whether it visited its node, or left state that another offer would find changed.
    looked: bool,
    /// Whether it depends on its node by more than constraints.
    spoiled: bool,
    /// The number of requests that it tried on the node; `asked` has those whose constraint does not hold.
    visits: usize,
    asked: Vec<TriedRequest>,
}

/// Returns whether the entries have the detail that the recorder keeps.
fn tells<R: Recorder>(found: Option<&Arc<OfferFindings>>, rec: &R) -> bool {
    found.map_or(Detail::Nothing, |found| found.detail()) == Detail::of(rec)
}

impl Accounting {
    /// Records that the current offer depends on its node, or counts something.
    #[inline]
    pub fn node_matters(&mut self) {
        let present = &mut self.offers.repeats.present;
        (present.looked, present.spoiled) = (true, true);
    }

    /// Records that a request gets as far as the node.
    #[inline]
    pub(in crate::scheduler::capacity) fn asks_node(&mut self) {
        let present = &mut self.offers.repeats.present;
        present.looked = true;
        present.visits += 1;
    }

    /// Records that the constraint of a request does not hold on the node.
    pub(in crate::scheduler::capacity) fn unmet(&mut self, c: &Cluster, app: AppId, place: usize, failing: u32) {
        let a = c.app(app);
        let counts = a.asks.at(place).partition.is_default();
        let asked =
            TriedRequest { app, attempt: a.attempt_id().attempt, place: place as u32, others: None, counts, failing };
        self.offers.repeats.present.asked.push(asked);
    }

    /// Records that the constraints of the requests behind it that are alike do not hold either.
    pub(in crate::scheduler::capacity) fn unmet_alike(&mut self, others: Arc<[OpenKey]>) {
        if let Some(asked) = self.offers.repeats.present.asked.last_mut() {
            asked.others = Some(others);
        }
    }

    /// Repeats the latest offer of the partition, or of the node, if the result of a new one is known to be the same.
    /// Returns whether it did.
    pub(in crate::scheduler::capacity) fn repeat_offer<R: Recorder>(
        &mut self,
        c: &mut Cluster,
        node: NodeId,
        rec: &mut R,
    ) -> bool {
        debug_assert!(c.short_cuts.taken() || self.offers.repeats.anywhere.is_none());
        self.offers.repeats.present.looked = false;
        let (version, partition) = (self.version(c), c.node(node).partition);
        let repeats = &self.offers.repeats;
        if let Some(known) = &repeats.anywhere
            && known.version.books == version.books
            && known.partition == partition
            && tells(known.found.as_ref(), rec)
        {
            known.found.iter().for_each(|found| rec.again(c.now, node, found));
            return true;
        }
        let known = repeats.nodes.get(node.index()).copied().flatten().filter(|_| repeats.version == version);
        let known = known.and_then(|i| repeats.past.get(i as usize)).filter(|past| tells(past.found.as_ref(), rec));
        if let Some(known) = known.cloned() {
            known.found.iter().for_each(|found| rec.again(c.now, node, found));
            match &mut self.offers.repeats.owed {
                Some((of, times)) if Arc::ptr_eq(of, &known) => *times += 1,
                _ => {
                    self.count_owed(c);
                    self.offers.repeats.owed = Some((known, 1));
                }
            }
            return true;
        }
        self.count_owed(c);
        let present = &mut self.offers.repeats.present;
        present.asked.clear();
        (present.visits, present.spoiled) = (0, false);
        false
    }

    /// Counts the opportunities missed in repeated offers.
    pub(crate) fn count_owed(&mut self, c: &mut Cluster) {
        let Some((offer, times)) = self.offers.repeats.owed.take() else { return };
        for asked in offer.asked.iter().filter(|a| a.counts) {
            let app = c.app_mut(asked.app);
            // An attempt that is over has forgotten its requests.
            let same = app.attempt_id().attempt == asked.attempt;
            if same {
                app.asks.count_missed_at(asked.place as usize, asked.others.as_ref(), times);
            }
        }
    }

    /// Returns whether the latest offer is known to have no effect if it is repeated.
    #[cfg(test)]
    pub(in crate::scheduler::capacity::books) fn knows_nothing_comes(&self) -> bool {
        self.offers.repeats.anywhere.as_ref().is_some_and(|known| known.version.books == self.offers.books)
    }

    /// Invalidates the kept results after an offer with a proposal: even if that is refused, limits were published.
    pub fn came_to_something(&mut self) {
        self.forget();
    }

    /// Keeps an offer that gave nothing on a node with room, with its collected entries, if it may be repeated. Returns
    /// the room for the next one.
    pub(in crate::scheduler::capacity) fn came_to_nothing<R: Recorder>(
        &mut self,
        c: &Cluster,
        node: NodeId,
        collected: Collected<'_, R>,
    ) -> EntryRoom {
        if !c.short_cuts.taken() {
            return collected.hand_over();
        }
        let version = self.version(c);
        let repeats = &mut self.offers.repeats;
        repeats.anywhere = None;
        if !repeats.present.looked {
            let found = collected.share(node);
            repeats.anywhere = Some(Anywhere { version, partition: c.node(node).partition, found });
            return EntryRoom::default();
        }
        repeats.keep_on_node(c, version, node, collected)
    }
}

impl Repeats {
    fn keep_on_node<R: Recorder>(
        &mut self,
        c: &Cluster,
        version: Version,
        node: NodeId,
        collected: Collected<'_, R>,
    ) -> EntryRoom {
        if self.version != version {
            self.version = version;
            self.past.clear();
            self.entries = 0;
            self.nodes.iter_mut().for_each(|known| *known = None);
        }
        if self.nodes.len() <= node.index() {
            self.nodes.resize(c.nodes.len(), None);
        }
        debug_assert!(node.index() < self.nodes.len(), "only nodes of the cluster are offered");
        let Present { spoiled, visits, asked, .. } = &self.present;
        let alone = *spoiled || asked.is_empty() || asked.len() != *visits || c.partitions.len() > 1;
        let Some(place) = self.nodes.get_mut(node.index()) else { return collected.hand_over() };
        *place = None;
        if alone {
            return collected.hand_over();
        }
        // The latest first: neighbouring nodes are alike.
        let latest = self.past.len().saturating_sub(COMPARED);
        let detail = collected.detail();
        let same = |past: &Arc<PastOffer>| {
            past.asked == *asked && past.found.as_ref().map_or(Detail::Nothing, |found| found.detail()) == detail
        };
        let (known, room) = match self.past[latest..].iter().rposition(same) {
            Some(i) => {
                let found = self.past[latest + i].found.as_ref();
                (latest + i, found.map_or_else(EntryRoom::default, |found| collected.share_as(node, found)))
            }
            None if self.entries + collected.len() > KEPT_ENTRIES => return collected.hand_over(),
            None => {
                self.entries += collected.len();
                self.past.push(Arc::new(PastOffer { asked: asked.clone(), found: collected.share(node) }));
                (self.past.len() - 1, EntryRoom::default())
            }
        };
        *place = Some(known as u32);
        room
    }
}
