//! The findings of an offer, kept as entries. A later offer with the same findings is recorded from them
//! ([`Recorder::again`]).

use super::{Entry, Finding, Recorder};
use crate::check::About;
use crate::model::{Millis, NodeId, OpenKey, RequestKey};
use std::ops::Range;
use std::sync::Arc;

/// The amount of detail that a recorder keeps of an offer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Detail {
    Nothing,
    /// Failed checks, allocations and reservations.
    Reasons,
    /// Also the enter and leave steps, orders and passed checks.
    All,
}

impl Detail {
    /// The detail that this recorder keeps.
    #[inline]
    pub fn of<R: Recorder>(rec: &R) -> Self {
        match (rec.on(), rec.details()) {
            (false, _) => Detail::Nothing,
            (true, false) => Detail::Reasons,
            (true, true) => Detail::All,
        }
    }
}

/// The entries of an offer, from after its [`Finding::Offer`] to its end.
#[derive(Debug)]
pub struct OfferFindings {
    detail: Detail,
    entries: Vec<Entry>,
    series: Vec<Series>,
    /// Whether any entry names the node.
    names_node: bool,
}

/// Requests with the same outcome: the range of the first one's entries, and the others.
#[derive(Clone, Debug, PartialEq)]
struct Series {
    first: Range<usize>,
    others: Arc<[OpenKey]>,
}

/// Requests of an application with the same outcome as another one.
pub struct SameOutcome<'a> {
    /// The entries of that request.
    pub entries: &'a [Entry],
    /// The others, in the order in which they would have been visited after it.
    pub others: &'a [OpenKey],
}

impl SameOutcome<'_> {
    /// Records some of the others as if each had been visited.
    pub fn tell<R: Recorder + ?Sized>(&self, at: Millis, keys: impl IntoIterator<Item = RequestKey>, rec: &mut R) {
        for key in keys {
            self.entries.iter().for_each(|entry| rec.keep(at, entry.of_request(key)));
        }
    }

    /// The keys of the others.
    pub fn keys(&self) -> impl Iterator<Item = RequestKey> + '_ {
        self.others.iter().map(|(key, _)| *key)
    }
}

impl OfferFindings {
    /// The detail of the entries.
    pub fn detail(&self) -> Detail {
        self.detail
    }

    /// Records the findings for an offer of another node.
    pub fn tell<R: Recorder + ?Sized>(&self, at: Millis, node: NodeId, rec: &mut R) {
        let mut from = 0;
        for series in &self.series {
            let to = series.first.end;
            self.entries[from..to].iter().for_each(|entry| rec.keep(at, entry.on(node)));
            let first: Vec<Entry> = self.entries[series.first.clone()].iter().map(|entry| entry.on(node)).collect();
            rec.alike(at, &SameOutcome { entries: &first, others: &series.others });
            from = to;
        }
        self.entries[from..].iter().for_each(|entry| rec.keep(at, entry.on(node)));
    }

    /// Returns whether an offer of this node has the same findings.
    fn is(&self, entries: &[Entry], series: &[Series], node: NodeId) -> bool {
        self.series == series && self.entries.iter().map(|entry| entry.on(node)).eq(entries.iter().cloned())
    }

    /// Returns whether the entries differ from node to node.
    pub fn names_node(&self) -> bool {
        self.names_node
    }
}

impl Entry {
    /// The same entry for another node.
    pub fn on(&self, node: NodeId) -> Entry {
        self.about(|about| about.on(node))
    }

    /// The same entry for another request.
    fn of_request(&self, key: RequestKey) -> Entry {
        self.about(|about| about.of_request(key))
    }

    fn about(&self, other: impl FnOnce(About) -> About) -> Entry {
        let mut entry = self.clone();
        if let Entry::Found(Finding::Enter(about) | Finding::Leave { about, .. }) = &mut entry {
            *about = other(*about);
        } else if let Entry::Found(Finding::Checked(checked)) = &mut entry {
            checked.about = other(checked.about);
        }
        entry
    }

    fn names_node(&self) -> bool {
        self.subject().node.is_some()
    }
}

/// Buffers the entries of one offer until it is known whether they are worth keeping.
pub struct Collected<'a, R: Recorder> {
    rec: &'a mut R,
    at: Millis,
    /// `None` before the first entry: an offer that records nothing passes only a pointer along.
    kept: Option<Box<BufferedEntries>>,
}

/// The buffered entries, and which of them hold for other requests too.
#[derive(Debug, Default)]
struct BufferedEntries {
    entries: Vec<Entry>,
    series: Vec<Series>,
}

/// A buffer that is reused from offer to offer, without a new allocation for each. It is empty between offers, so any
/// two compare equal, and a copy starts without one.
#[derive(Debug, Default)]
pub struct EntryRoom(Option<Box<BufferedEntries>>);

impl EntryRoom {
    /// Takes the buffer for one offer.
    #[inline]
    pub fn take(&mut self) -> EntryRoom {
        EntryRoom(self.0.take())
    }
}

impl Clone for EntryRoom {
    fn clone(&self) -> Self {
        EntryRoom::default()
    }
}

impl PartialEq for EntryRoom {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

impl<'a, R: Recorder> Collected<'a, R> {
    /// Collects the entries of an offer at this moment.
    #[inline]
    pub fn new(rec: &'a mut R, at: Millis, room: EntryRoom) -> Self {
        debug_assert!(
            room.0.as_ref().is_none_or(|kept| kept.entries.is_empty()),
            "nothing is left over from another offer"
        );
        Collected { rec, at, kept: room.0 }
    }

    /// The detail that is collected.
    pub fn detail(&self) -> Detail {
        Detail::of(self.rec)
    }

    fn entries(&self) -> &[Entry] {
        self.kept.as_ref().map_or(&[], |kept| &kept.entries)
    }

    /// The number of entries.
    #[allow(clippy::len_without_is_empty)] // nobody asks
    pub fn len(&self) -> usize {
        self.entries().len()
    }

    /// Records that the entries of the last request hold for these others of its application too.
    pub fn alike(&mut self, others: &Arc<[OpenKey]>) {
        let Some(BufferedEntries { entries, series }) =
            self.kept.as_deref_mut().filter(|kept| !kept.entries.is_empty())
        else {
            return;
        };
        let request = |entry: &Entry| {
            let subject = entry.subject();
            subject.app.zip(subject.key)
        };
        let last = entries.last().and_then(request);
        let of_last = entries.iter().rev().take_while(|entry| last.is_some() && request(entry) == last).count();
        debug_assert!(of_last > 0, "what was collected last is of a request");
        series.push(Series { first: entries.len() - of_last..entries.len(), others: others.clone() });
    }

    /// Hands the entries to the recorder; returns the buffer for the next offer.
    #[inline]
    pub fn hand_over(self) -> EntryRoom {
        let Collected { rec, at, kept } = self;
        EntryRoom(kept.map(|kept| hand_over(kept, at, rec)))
    }

    /// Hands the entries of an offer of this node to the recorder and keeps them. `None`: nothing is recorded.
    pub fn share(self, node: NodeId) -> Option<Arc<OfferFindings>> {
        let detail = self.detail();
        let Collected { rec, at, kept } = self;
        if detail == Detail::Nothing {
            return None;
        }
        let BufferedEntries { entries, series } = kept.map_or_else(BufferedEntries::default, |kept| *kept);
        let names_node = entries.iter().any(Entry::names_node);
        let found = Arc::new(OfferFindings { detail, entries, series, names_node });
        rec.again(at, node, &found);
        Some(found)
    }

    /// Drops the entries in favour of those of an offer with the same findings.
    pub fn share_as(self, node: NodeId, found: &Arc<OfferFindings>) -> EntryRoom {
        let Collected { rec, at, kept } = self;
        debug_assert!(
            kept.as_ref().map_or(found.entries.is_empty(), |kept| found.is(&kept.entries, &kept.series, node)),
            "two offers have found the same"
        );
        rec.again(at, node, found);
        EntryRoom(kept.map(emptied))
    }
}

fn hand_over<R: Recorder>(mut kept: Box<BufferedEntries>, at: Millis, rec: &mut R) -> Box<BufferedEntries> {
    let BufferedEntries { entries, series } = &mut *kept;
    let mut from = 0;
    for Series { first, others } in series.drain(..) {
        entries[from..first.end].iter().for_each(|entry| rec.keep(at, entry.clone()));
        from = first.end;
        rec.alike(at, &SameOutcome { entries: &entries[first], others: &others });
    }
    entries.drain(from..).for_each(|entry| rec.keep(at, entry));
    emptied(kept)
}

fn emptied(mut kept: Box<BufferedEntries>) -> Box<BufferedEntries> {
    kept.entries.clear();
    kept.series.clear();
    kept
}

impl<R: Recorder> Recorder for Collected<'_, R> {
    #[inline]
    fn on(&self) -> bool {
        self.rec.on()
    }

    #[inline]
    fn details(&self) -> bool {
        self.rec.details()
    }

    fn keep(&mut self, at: Millis, entry: Entry) {
        debug_assert_eq!(at, self.at, "an offer takes no time");
        self.kept.get_or_insert_default().entries.push(entry);
    }
}
