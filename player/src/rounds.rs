//! The preemption rounds of a run, with an entry for each that found something other than the one before. The rounds until
//! the next entry found the same, whether they were played or not. The findings of a round are not kept: viewing it plays it
//! again.

use heddle_core::journal::{Change, Entry, FoldedLine};
use heddle_core::model::{ContainerId, EndCause, Millis};
use heddle_core::preemption::{PreemptionStep, Round};
use std::sync::Arc;

/// The most entries kept; only the number of later rounds is known.
const KEPT: usize = 20_000;

/// The counts of a round's results.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Containers whose ApplicationMaster is asked to give them back.
    pub marked: usize,
    /// Containers that were marked before and are still chosen.
    pub waiting: usize,
    /// Containers that are killed or made killable.
    pub killed: usize,
    /// Reservations that move to other nodes.
    pub moved: usize,
    /// Reservations that are dropped.
    pub dropped: usize,
    /// Whether the round ended with an error.
    pub failed: bool,
}

impl Counts {
    /// Counts the results of a round.
    pub fn of(round: &Round) -> Self {
        let of = |deed: PreemptionStep| round.acts.iter().filter(|a| a.deed == deed).count();
        Counts {
            marked: of(PreemptionStep::Mark),
            waiting: of(PreemptionStep::Wait),
            killed: of(PreemptionStep::Kill),
            moved: round.moves.len(),
            dropped: round.drops.len(),
            failed: round.failed.is_some(),
        }
    }
}

/// Consecutive rounds with the same findings.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RoundGroup {
    /// The event number of the first of them.
    pub event: u64,
    /// The number of the first of them.
    pub number: u64,
    /// The time of the first of them.
    pub first: Millis,
    /// The number and time of the last of them that is known.
    pub last: (u64, Millis),
    /// The counts of each of them.
    pub counts: Counts,
}

/// The rounds of a run as far as it is known.
#[derive(Clone, Debug, Default)]
pub struct Rounds {
    entries: Vec<RoundGroup>,
    latest: Option<Arc<Round>>,
    /// The time of the first round without an entry, because [`KEPT`] entries are kept already.
    full: Option<Millis>,
}

impl Rounds {
    /// Records the round that an event played.
    pub fn note(&mut self, event: u64, round: &Arc<Round>) {
        if self.latest.as_ref().is_some_and(|latest| Arc::ptr_eq(latest, round)) {
            return;
        }
        let latest = self.latest.replace(round.clone());
        if self.full.is_some() {
            return;
        }
        // A monitor that was switched off and on counts from 1 again.
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
        self.entries.push(RoundGroup { event, number, first, last: (number, first), counts });
    }

    /// All entries, in order.
    pub fn all(&self) -> &[RoundGroup] {
        &self.entries
    }

    /// Returns the index of the entry with the latest round before an event.
    pub fn before(&self, event: u64) -> Option<usize> {
        self.entries.partition_point(|e| e.event < event).checked_sub(1)
    }

    /// The time from which on there are no entries.
    pub fn full(&self) -> Option<Millis> {
        self.full
    }
}

/// Returns when a container was first marked, and when it was killed or made killable.
pub fn fate_of(lines: &[FoldedLine], id: ContainerId) -> (Option<Millis>, Option<Millis>) {
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
