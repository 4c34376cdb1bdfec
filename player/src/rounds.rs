//! Which rounds of preemption there were: an entry for each that found something else than the one before it. The rounds
//! after it, until the next entry, were like it, whether they were played or not. What a round found is not kept: it is
//! played once more when somebody looks at it.

use heddle_core::journal::{Change, Entry, Line};
use heddle_core::model::{ContainerId, EndCause, Millis};
use heddle_core::preemption::{Deed, Round};
use std::sync::Arc;

/// Entries that are kept at most; of later rounds only their number is known.
const KEPT: usize = 20_000;

/// What a round came to.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Containers that an ApplicationMaster is asked for.
    pub marked: usize,
    /// Containers that were asked for before, and are chosen still.
    pub waiting: usize,
    /// Containers that are killed, or made killable.
    pub killed: usize,
    /// Reservations that go to other nodes.
    pub moved: usize,
    /// Reservations that are dropped.
    pub dropped: usize,
    /// Did it end with an error?
    pub failed: bool,
}

impl Counts {
    /// Those of a round.
    pub fn of(round: &Round) -> Self {
        let of = |deed: Deed| round.acts.iter().filter(|a| a.deed == deed).count();
        Counts {
            marked: of(Deed::Mark),
            waiting: of(Deed::Wait),
            killed: of(Deed::Kill),
            moved: round.moves.len(),
            dropped: round.drops.len(),
            failed: round.failed.is_some(),
        }
    }
}

/// Rounds that find the same, one after the other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Alike {
    /// Number of the event that was the first of them.
    pub event: u64,
    /// Number of the first of them.
    pub number: u64,
    /// When it was.
    pub first: Millis,
    /// Number of the last of them that is known, and when it was.
    pub last: (u64, Millis),
    /// What they come to; each of them.
    pub counts: Counts,
}

/// The rounds of a run as far as it is known.
#[derive(Clone, Debug, Default)]
pub struct Rounds {
    entries: Vec<Alike>,
    latest: Option<Arc<Round>>,
    /// The first round of which no entry could be kept for want of room.
    full: Option<Millis>,
}

impl Rounds {
    /// A round was played by this event.
    pub fn note(&mut self, event: u64, round: &Arc<Round>) {
        if self.latest.as_ref().is_some_and(|latest| Arc::ptr_eq(latest, round)) {
            return;
        }
        let latest = self.latest.replace(round.clone());
        if self.full.is_some() {
            return;
        }
        // One that was switched off and on counts from 1 again.
        let goes_on = latest.as_ref().is_some_and(|l| l.number < round.number);
        if let (Some(entry), Some(before), true) = (self.entries.last_mut(), round.before, goes_on) {
            entry.last = (round.number - 1, before);
            if latest.is_some_and(|l| l.finds_the_same(round)) {
                entry.last = (round.number, round.at);
                return;
            }
        }
        if self.entries.len() >= KEPT {
            self.full = Some(round.at);
            return;
        }
        let (number, first, counts) = (round.number, round.at, Counts::of(round));
        self.entries.push(Alike { event, number, first, last: (number, first), counts });
    }

    /// All entries, in order.
    pub fn all(&self) -> &[Alike] {
        &self.entries
    }

    /// Place of the entry that the latest round before an event belongs to.
    pub fn before(&self, event: u64) -> Option<usize> {
        self.entries.partition_point(|e| e.event < event).checked_sub(1)
    }

    /// From when on there are no entries any more.
    pub fn full(&self) -> Option<Millis> {
        self.full
    }
}

/// When a container was asked back for the first time, and when it was killed or made killable.
pub fn fate_of(lines: &[Line], id: ContainerId) -> (Option<Millis>, Option<Millis>) {
    let mut out = (None, None);
    for line in lines {
        let Entry::Changed(change) = &line.entry else { continue };
        match change {
            Change::Marked { container, .. } | Change::Warned { container, .. } if *container == id => {
                out.0 = out.0.or(Some(line.first))
            }
            Change::MadeKillable { container, .. } | Change::Completed { container, why: EndCause::Preempted, .. }
                if *container == id =>
            {
                out.1 = out.1.or(Some(line.first));
            }
            _ => {}
        }
    }
    out
}
