//! The ledger of preemption rounds: the list of rounds, the findings of the latest one before the present moment, and who got
//! the freed room.

use super::Player;
use super::rounds::{RoundGroup, fate_of};
use crate::explain::say::{ledger as say, shares as say_shares};
use crate::explain::view::{LedgerStop, LedgerView, STOPS_MAX, Selection, Snapshot};
use crate::explain::words::clock;
use crate::explain::{self, Names};
use heddle_core::journal::{Change, Entry, FoldedLine, Full};
use heddle_core::model::{ContainerId, EndCause, Millis, NodeId};
use heddle_core::preemption::Round;
use std::collections::BTreeMap;
use std::sync::Arc;

/// How long a node shows that preemption freed room on it.
const FREED_MS: Millis = 30_000;
/// The most lines of the log searched for freed room.
const FREED_LINES: usize = 5_000;

impl Player {
    /// Returns the ledger of the latest preemption round; `about` is the current selection.
    pub fn ledger(&self, about: Option<&Selection>) -> LedgerView {
        let names = Names::at(&self.cursor, self.clock);
        if let Some(scheduler) = names.rm().fair() {
            let mut view = explain::ledger::fair(names, scheduler, about);
            let searches = self.searches();
            let here = searches.partition_point(|(event, ..)| *event < self.at).checked_sub(1);
            let from = here.unwrap_or(0).saturating_sub(STOPS_MAX / 2);
            let stops = searches.into_iter().skip(from).take(STOPS_MAX);
            view.stops = stops.map(|(_, time_ms, text)| LedgerStop { time_ms, text }).collect();
            view.here = here.map(|i| i - from);
            view.complete = self.track.complete();
            view.of = about.map_or_else(Vec::new, |about| self.fate(names, about));
            return view;
        }
        let rounds = &self.track.rounds;
        let here = rounds.before(self.at);
        let entry = here.map(|i| rounds.all()[i]);
        let lost = rounds.full().filter(|from| *from <= self.clock).map(|from| say::not_kept(&clock(from)));
        let none = explain::ledger::absent(names).map(str::to_string).or(lost);
        let told = entry.filter(|_| none.is_none()).and_then(|e| Some((e, self.told(&e)?)));
        let mut view = match told {
            Some((entry, round)) => {
                let (number, at) = names
                    .rm()
                    .preemption_monitor()
                    .and_then(|m| m.latest_at(self.clock))
                    .unwrap_or((round.number, round.at));
                let mut view = explain::ledger::ledger(names, &round);
                view.title = say::title(number, &clock(at));
                let closed = here.and_then(|i| rounds.all().get(i + 1)).map(|_| entry.last);
                if closed.map_or(number, |(n, _)| n) > entry.number {
                    let last = closed.map(|(n, at)| (n, clock(at)));
                    let last = last.as_ref().map(|(n, at)| (*n, at.as_str()));
                    view.came_to.insert(0, say::alike((entry.number, &clock(entry.first)), last));
                }
                view.came_to.insert(0, stop_text(&entry));
                view
            }
            None => {
                let none = none.unwrap_or_else(|| say::NONE_YET.to_string());
                LedgerView {
                    law: say::LAW.to_string(),
                    none,
                    title: say::NO_ROUND.to_string(),
                    ..LedgerView::default()
                }
            }
        };
        let from = here.unwrap_or(0).saturating_sub(STOPS_MAX / 2);
        let stops = rounds.all().iter().skip(from).take(STOPS_MAX);
        view.stops = stops.map(|e| LedgerStop { time_ms: e.first, text: stop_text(e) }).collect();
        view.here = here.map(|i| i - from);
        view.complete = self.track.complete();
        view.of = about.map_or_else(Vec::new, |about| self.fate(names, about));
        view
    }

    /// Returns when a container was first marked, and when it was killed.
    fn fate(&self, names: Names<'_>, about: &Selection) -> Vec<LedgerStop> {
        let Selection::Container { app, k } = about else { return Vec::new() };
        let Some(id) = names.find_app(app).and_then(|a| names.nth(a, *k)) else { return Vec::new() };
        let (marked, killed) = fate_of(&self.track.log().lines, id);
        let name = names.container_name(id);
        let stops = [(marked, say::was_marked(&name)), (killed, say::was_killed(&name))];
        stops.into_iter().filter_map(|(at, text)| Some(LedgerStop { time_ms: at?, text })).collect()
    }

    /// Returns the full record of a round, by playing it again.
    fn told(&self, entry: &RoundGroup) -> Option<Arc<Round>> {
        if let Some((event, round)) = self.round.borrow().as_ref()
            && *event == entry.event
        {
            return Some(round.clone());
        }
        let mut sim = self.state_before(entry.event);
        sim.step_for(&mut Full::default())?;
        let round = sim.latest_preemption()?.clone();
        *self.round.borrow_mut() = Some((entry.event, round.clone()));
        Some(round)
    }

    /// Returns the known searches of the FairScheduler for containers to preempt: event, time, and the starved applications.
    /// time, for whom.
    fn searches(&self) -> Vec<(u64, i64, String)> {
        let names = Names::new(&self.track.front);
        let mut out: Vec<(u64, i64, String)> = Vec::new();
        for line in &self.track.log().lines {
            let Entry::Changed(Change::Starved { app, chosen, .. }) = &line.entry else { continue };
            let text = say_shares::stop(names.app(*app), *chosen);
            match out.last_mut() {
                Some((event, _, said)) if *event == line.event => *said = format!("{said}; {text}"),
                _ => out.push((line.event, line.first, text)),
            }
        }
        out
    }

    /// Returns the event count after the next round with other findings, or after the one before. Under the FairScheduler
    /// these are the next and the previous search.
    pub(super) fn round_from_here(&self, back: bool) -> u64 {
        if !back {
            return self.next_round().unwrap_or(self.track.known());
        }
        if self.cursor.rm().fair().is_some() {
            let before = |(event, ..): &(u64, i64, String)| event + 1 < self.at;
            return self.searches().into_iter().rfind(before).map_or(0, |(event, ..)| event + 1);
        }
        let here = self.track.rounds.before(self.at);
        // Going back stops at the beginning of the current round first.
        let entries = self.track.rounds.all();
        let to = here.and_then(|i| if self.at > entries[i].event + 1 { Some(i) } else { i.checked_sub(1) });
        to.map_or(0, |i| entries[i].event + 1)
    }

    /// Returns the event count after the next round with other findings, if it is known.
    pub(super) fn next_round(&self) -> Option<u64> {
        if self.cursor.rm().fair().is_some() {
            let after = self.track.log().lines.iter().rev().take_while(|l| l.event >= self.at);
            return after.filter(|l| is_search(l)).last().map(|l| l.event + 1);
        }
        let next = self.track.rounds.before(self.at).map_or(0, |i| i + 1);
        self.track.rounds.all().get(next).map(|entry| entry.event + 1)
    }

    /// Returns whether the latest known event was a round with new findings.
    pub(super) fn is_round_latest(&self) -> bool {
        let event = self.track.known().saturating_sub(1);
        if self.cursor.rm().fair().is_some() {
            return self.track.log().lines.iter().rev().take_while(|l| l.event == event).any(is_search);
        }
        self.track.rounds.all().last().is_some_and(|entry| entry.event == event)
    }

    /// Shows on each node where preemption has just freed room: whose containers were killed, and which were placed since.
    pub(super) fn show_freed(&self, snapshot: &mut Snapshot) {
        let since = self.clock - FREED_MS;
        let lines = self.here().lines().rev().take(FREED_LINES);
        // By node: the killed containers, when the first of them was killed, and those placed since; the walk goes backwards.
        let mut came: BTreeMap<NodeId, Vec<ContainerId>> = BTreeMap::new();
        let mut freed: BTreeMap<NodeId, (Vec<ContainerId>, Millis, Vec<ContainerId>)> = BTreeMap::new();
        for line in lines.take_while(|l| l.first >= since) {
            match &line.entry {
                Entry::Changed(Change::Allocated { container, node, .. }) => {
                    came.entry(*node).or_default().push(*container);
                }
                Entry::Changed(Change::Completed { container, node, why: EndCause::Preempted, .. }) => {
                    let (killed, _, since) = freed.entry(*node).or_insert((Vec::new(), line.first, Vec::new()));
                    killed.push(*container);
                    since.splice(0..0, came.remove(node).into_iter().flatten().rev());
                }
                _ => {}
            }
        }
        let names = Names::at(&self.cursor, self.clock);
        for view in snapshot.racks.iter_mut().flat_map(|r| &mut r.nodes) {
            let Some((killed, at, since)) = names.rm().node_by_host(&view.name).and_then(|id| freed.get(&id)) else {
                continue;
            };
            let called = |ids: &[ContainerId]| ids.iter().map(|id| names.container_name(*id)).collect::<Vec<_>>();
            let (mut killed, since) = (called(killed), called(since));
            killed.reverse();
            view.freed = say::freed(&killed, &clock(*at), &since);
        }
    }
}

/// Returns whether the FairScheduler searched for containers to preempt for a starved application.
fn is_search(line: &FoldedLine) -> bool {
    matches!(line.entry, Entry::Changed(Change::Starved { .. }))
}

/// "1 marked, 2 waiting"
fn stop_text(entry: &RoundGroup) -> String {
    let c = &entry.counts;
    if c.failed {
        return say::FAILED.to_string();
    }
    say::came_to(c.marked, c.waiting, c.killed, c.dropped, c.moved)
}
