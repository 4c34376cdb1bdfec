//! Who got the room that became free while a request waited: counted in the log, with the order that the last offer to each
//! recorded.

use super::Player;
use crate::explain::checks::Table;
use crate::explain::names::Names;
use crate::explain::record::{self, PassRecord, RecordedOffers, Watch, Watched};
use crate::explain::request::{self, Explained};
use crate::explain::say;
use crate::explain::taken::{self, OvertakingCause, Placed, Taker};
use crate::explain::view::WhyView;
use crate::explain::waiting::Waiting;
use heddle_core::journal::{Change, Entry};
use heddle_core::model::Millis;

/// The number of takers shown; on more than [`LARGE`] nodes only the first, as each costs a replay.
const TOLD: usize = 4;
const LARGE: usize = 500;

impl Player {
    /// Adds to the answer who took the room while a request waited.
    pub(super) fn add_taken(&self, e: &Explained, why: &mut WhyView) {
        let names = Names::at(&self.cursor, self.clock);
        let (placed, since) = self.placed_in_its_turn(e);
        let (takers, itself) = taken::takers(names, e, placed);
        let told = if names.rm().nodes().len() > LARGE { 1 } else { TOLD };
        let all: Vec<OvertakingCause<'_>> = takers.iter().take(told).map(|taker| self.why_first(e, taker)).collect();
        if all.is_empty() {
            return;
        }
        let sentence = taken::sentence(names, &e.waiting, &all, (itself, since));
        if !sentence.is_empty() {
            why.sentence = say::then(&why.sentence, &sentence);
        }
        why.taken = taken::table(names, &all, (itself, since), takers.len() - all.len());
    }

    /// Adds to the answer that the request's application has a lower priority than it asked for, if others got room while it
    /// waited or the nodes lack it.
    pub(super) fn add_priority(&self, e: &Explained, why: &mut WhyView) {
        let names = Names::at(&self.cursor, self.clock);
        if e.table.as_ref().is_some_and(Table::none_has_room) || !why.taken.rows.is_empty() {
            let told = taken::of_lower_priority(names, e.waiting.app);
            told.into_iter().for_each(|told| why.sentence = say::then(&why.sentence, &told));
        }
    }

    /// Adds to the answer that the queue gives its default label to requests that name none.
    pub(super) fn add_default_label(&self, e: &Explained, why: &mut WhyView) {
        let (names, w) = (Names::at(&self.cursor, self.clock), &e.waiting);
        if let Some(queue) = request::default_label(names, w) {
            why.sentence = say::then(&why.sentence, &say::gives_label(queue, names.partition(w.partition)));
        }
    }

    /// Returns what was placed since a request waits, and the moment from which that counts. Nobody goes before an
    /// application while a limit holds it back.
    fn placed_in_its_turn(&self, e: &Explained) -> (Vec<Placed>, Millis) {
        let w = &e.waiting;
        let lines = || self.here().lines();
        let placed = lines().filter_map(|l| match l.entry {
            Entry::Changed(Change::Allocated { container, node, size, key, .. }) if l.first >= w.since => {
                Some((l.event, Placed { at: l.first, container, key, node, size }))
            }
            _ => None,
        });
        let mut placed: Vec<(u64, Placed)> = placed.collect();
        let held_back = lines().any(|l| match &l.entry {
            Entry::Changed(Change::NotRunnable { app, .. } | Change::NotActivated { app, .. }) => *app == w.app,
            _ => false,
        });
        let mut since = w.since;
        if held_back {
            let has_turns = |event: u64| {
                self.state_before(event).rm().scheduled(w.app).is_some_and(|app| app.runnable && app.active)
            };
            let before = placed.partition_point(|(event, _)| !has_turns(*event));
            placed.drain(..before);
            since = placed.first().filter(|_| before > 0).map_or(since, |(_, first)| first.at);
        }
        (placed.into_iter().map(|(_, placed)| placed).collect(), since)
    }

    /// Returns whether the answer for a waiting request says that somebody else goes first.
    pub(super) fn is_outrun(&self, e: &Explained) -> bool {
        let mut why = WhyView::default();
        self.add_taken(e, &mut why);
        !why.sentence.is_empty()
    }

    /// Returns why somebody went first for its latest container, and since which container by the same key.
    fn why_first<'t>(&self, e: &Explained, taker: &'t Taker) -> OvertakingCause<'t> {
        let names = self.here().names();
        let offer =
            |placed| OvertakingCause { taker, promised: false, looks: self.looks_when(&e.waiting, placed), from: 0 };
        let mut why = OvertakingCause { promised: self.was_promised(taker), ..offer(taker.last) };
        let Some(order) = why.order(names) else { return why };
        let same = |i: usize| offer(taker.placed[i]).order(names).as_ref() == Some(&order);
        // Finds where the key changed, by bisection.
        let (mut before, mut from) = (0, taker.placed.len() - 1);
        if names.rm().nodes().len() > LARGE || from == 0 || same(0) {
            return why;
        }
        while from - before > 1 {
            let middle = before + (from - before) / 2;
            if same(middle) {
                from = middle;
            } else {
                before = middle;
            }
        }
        why.from = from;
        why
    }

    /// Returns what the offer that placed a container recorded about a request.
    fn looks_when(&self, w: &Waiting, placed: Placed) -> Vec<PassRecord> {
        let here = self.here();
        let entries = here.watched(Watch::of(Watched::requests([w])), placed.at);
        record::looks_at(&RecordedOffers::of(&entries), &record::subject(w, &here.path_of(w)), placed.at, placed.node)
    }

    /// Returns whether the room of a taker's latest container was promised to it.
    fn was_promised(&self, taker: &Taker) -> bool {
        let placed = taker.last;
        self.track.log().lines.iter().any(|line| match line.entry {
            Entry::Changed(Change::Warned { node, starved, kill_at, .. }) => {
                let mine = (node, starved) == (placed.node, taker.app);
                mine && taker.own.is_none() && kill_at <= placed.at
            }
            _ => false,
        })
    }
}
