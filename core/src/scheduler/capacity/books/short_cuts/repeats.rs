//! A short cut: an offer that would come to what an earlier one came to is not made, but recorded once more.
//!
//! * An offer that came to nothing before any node was looked at (a queue at its maximum, users at their limits, headroom
//!   too small) comes to nothing on every node of the partition, for the same reasons, until the books change. Most
//!   heartbeats of a busy cluster are such.
//! * An offer on a node in which every request that got as far as the node met a placement constraint that does not hold
//!   there comes to the same on that node until the books, the tags or the constraints change. It leaves nothing behind
//!   but a count of missed chances, which is made up for. Only in clusters of one partition.

use super::Version;
use crate::journal::{Collected, Detail, EntryRoom, Found, Recorder};
use crate::model::{AppId, NodeId, OpenKey, PartitionId};
use crate::scheduler::Cluster;
use crate::scheduler::capacity::books::Books;
use std::sync::Arc;

/// An offer is compared with so many others at most.
const COMPARED: usize = 8;

/// So many entries of offers on nodes are kept at most; what is beyond is offered anew.
const KEPT_ENTRIES: usize = 400_000;

/// The request at a place of an offer's asks.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Asked {
    app: AppId,
    attempt: u32,
    place: u32,
    /// Those behind it that are alike, which came to the same.
    others: Option<Arc<[OpenKey]>>,
    /// Whether it is for the default partition, so that missed opportunities are counted (capacity-scheduler.md
    /// 8.3(5)).
    counts: bool,
    /// Which leaf of its constraint failed.
    failing: u32,
}

/// An offer that came to nothing, the same on several nodes.
#[derive(Debug)]
struct PastOffer {
    asked: Vec<Asked>,
    found: Option<Arc<Found>>,
}

/// An offer that no node was looked at in.
#[derive(Clone, Debug)]
struct Anywhere {
    version: Version,
    partition: PartitionId,
    found: Option<Arc<Found>>,
}

/// Offers that are known to come to nothing.
#[derive(Clone, Debug, Default)]
pub(super) struct Repeats {
    /// The last offer, where it looked at no node.
    anywhere: Option<Anywhere>,
    /// When what follows was found.
    version: Version,
    past: Vec<Arc<PastOffer>>,
    /// Entries in them.
    entries: usize,
    /// By node: which of them.
    nodes: Vec<Option<u32>>,
    present: Present,
    /// Repeated so often since the chances were last counted.
    owed: Option<(Arc<PastOffer>, i64)>,
}

/// What the present offer did so far.
#[derive(Clone, Debug, Default)]
struct Present {
    /// It looked at its node, or left something behind that another one would find different.
    looked: bool,
    /// It depends on its node in another way than by constraints.
    spoiled: bool,
    /// Requests that it looked at the node for, and those of them whose constraint does not hold.
    visits: usize,
    asked: Vec<Asked>,
}

/// Whether entries tell as much as a recorder keeps.
fn tells<R: Recorder>(found: Option<&Arc<Found>>, rec: &R) -> bool {
    found.map_or(Detail::Nothing, |found| found.detail()) == Detail::of(rec)
}

impl Books {
    /// The present offer depends on its node, or counts something.
    #[inline]
    pub fn node_matters(&mut self) {
        let present = &mut self.offers.repeats.present;
        (present.looked, present.spoiled) = (true, true);
    }

    /// A request gets as far as the node: it is looked at there.
    #[inline]
    pub(in crate::scheduler::capacity) fn asks_node(&mut self) {
        let present = &mut self.offers.repeats.present;
        present.looked = true;
        present.visits += 1;
    }

    /// The constraint of a request that was looked at does not hold.
    pub(in crate::scheduler::capacity) fn unmet(&mut self, c: &Cluster, app: AppId, place: usize, failing: u32) {
        let a = c.app(app);
        let counts = a.asks.at(place).partition.is_default();
        let asked = Asked { app, attempt: a.attempt_id().attempt, place: place as u32, others: None, counts, failing };
        self.offers.repeats.present.asked.push(asked);
    }

    /// Nor does that of those behind it that are alike.
    pub(in crate::scheduler::capacity) fn unmet_alike(&mut self, others: Arc<[OpenKey]>) {
        if let Some(asked) = self.offers.repeats.present.asked.last_mut() {
            asked.others = Some(others);
        }
    }

    /// Repeats the last offer of the partition, or of the node, instead of making one, where it is known to come to the same.
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

    /// Counts the chances missed in offers that were repeated.
    pub(crate) fn count_owed(&mut self, c: &mut Cluster) {
        let Some((offer, times)) = self.offers.repeats.owed.take() else { return };
        for asked in offer.asked.iter().filter(|a| a.counts) {
            let app = c.app_mut(asked.app);
            // One that is over has forgotten its asks.
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

    /// The offer came to a proposal: even if that is refused, limits were published.
    pub fn came_to_something(&mut self) {
        self.forget();
    }

    /// The offer on a node with room came to nothing, and found what was collected: keeps it if it may be repeated. Returns the
    /// room for the next one.
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
        // The latest first: neighbours are alike.
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
