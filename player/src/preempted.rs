//! Preemption at the present moment: what the journal and its rounds have about a container, and cycles.

use super::Player;
use crate::explain::preempted::{self, Chosen, Cycle, PreemptionHistory, Retaker, UnusedKills};
use crate::explain::view::{EventOutcome, WhyView};
use crate::explain::waiting::Waiting;
use crate::explain::{Names, say, words};
use heddle_core::journal::{Change, Entry, FoldedLine, Full, MasterAct, Silent};
use heddle_core::model::{AppId, ContainerId, EndCause, Millis, QueueId};
use heddle_core::preemption::fair::Search;
use heddle_core::preemption::{PreemptionAction, Round};
use heddle_core::sim::Simulation;
use std::sync::Arc;

/// The most lines of the log searched for a cycle.
const CYCLE_LINES: usize = 20_000;

impl Player {
    /// Adds to the answer how preemption affects a waiting request.
    pub(super) fn add_preemption(&self, w: &Waiting, why: &mut WhyView) {
        let names = Names::at(&self.cursor, self.clock);
        let told = match names.rm().fair() {
            Some(_) => preempted::fair::waiting(names, w, self.search_for(w.app).as_ref()),
            None => preempted::waiting(names, w, |leaf, since| self.taken_again(leaf, since)),
        };
        let Some(mut told) = told else { return };
        told.short = self.with_takers(w, told.short);
        let leaf = names.rm().scheduled(w.app).map(|a| a.queue);
        let cycle = self.cycle().filter(|c| leaf.is_some_and(|leaf| c.has(leaf)));
        // The next kill's gain does not matter if the former kills gained nothing.
        if !told.short.is_empty() && !cycle.as_ref().is_some_and(Cycle::goes_on) {
            why.sentence = say::then(&why.sentence, &told.short);
        }
        if let Some(cycle) = cycle {
            why.sentence = say::then(&why.sentence, &cycle.sentence(names));
        }
        why.preemption = Some(told);
    }

    /// Appends to `short` who got the room that the FairScheduler freed for an application so far. Between two kills `short`
    /// is empty, yet others may have got that room.
    pub(super) fn with_takers(&self, w: &Waiting, short: String) -> String {
        let names = Names::at(&self.cursor, self.clock);
        if names.rm().fair().is_none() {
            return short;
        }
        let told = preempted::taken_for(w.app, self.clock, self.here().lines().map(|l| (l.first, &l.entry)));
        let Some(UnusedKills { killed, since, taker }) = told else { return short };
        let taker = taker.map(|again| (names.app(again.app), again.times as i64, words::clock(again.since)));
        match taker {
            Some((who, times, since)) if !short.is_empty() => say::preemption::freed_before(&short, who, times, &since),
            None if !short.is_empty() => short,
            taker => {
                let taker = taker.as_ref().map(|(who, times, _)| (*who, *times));
                say::preemption::freed_for_nothing(names.app(w.app), killed as i64, &words::clock(since), taker)
            }
        }
    }

    /// Returns the application that most often got what rounds preempted from it for others of a leaf since a moment.
    pub(super) fn taken_again(&self, leaf: QueueId, since: Millis) -> Option<Retaker> {
        let names = Names::at(&self.cursor, self.clock);
        preempted::taken_again(names, (leaf, since), self.here().lines().map(|l| (l.first, &l.entry)))
    }

    /// Adds preemption of the first of several waiting requests to the answer.
    pub(super) fn tell_preemption(&self, mine: &[&Waiting], why: &mut WhyView) {
        if let Some(first) = mine.first() {
            self.add_preemption(first, why);
        }
    }

    /// Returns a preemption cycle that frees nothing at the present moment.
    pub(super) fn cycle(&self) -> Option<Cycle> {
        let names = Names::at(&self.cursor, self.clock);
        names.rm().preemption_monitor()?;
        let lines = self.here().lines().as_slice();
        let latest = &lines[lines.len().saturating_sub(CYCLE_LINES)..];
        preempted::cycle(names, latest.iter().map(|l| (l.first, &l.entry)))
    }

    /// Adds to the answer why the preemption monitor chose a container or did not.
    pub(super) fn add_preemption_of(&self, id: ContainerId, why: &mut WhyView) {
        let names = Names::at(&self.cursor, self.clock);
        if names.rm().fair().is_some() {
            return self.add_fair_preemption_of(id, why);
        }
        if names.rm().capacity().is_none() {
            return;
        }
        let story = self.story(id);
        if let Some((at, _)) = story.preempted {
            why.status = say::preemption::preempted_at(&words::clock(at));
            why.fate = Some(EventOutcome::Preempting);
        }
        why.preemption = preempted::container(names, id, &story);
    }

    /// Adds to the answer why the FairScheduler's preemption chose a container or did not.
    fn add_fair_preemption_of(&self, id: ContainerId, why: &mut WhyView) {
        let names = Names::at(&self.cursor, self.clock);
        let mut story = preempted::fair::WarningHistory::default();
        for line in self.here().lines().filter(|l| l.entry.subject().container == Some(id)) {
            let Entry::Changed(change) = &line.entry else { continue };
            match change {
                Change::Warned { starved, kill_at, .. } => {
                    let (starved, kill_at) = (*starved, *kill_at);
                    let search = self.searches_after(line.event).into_iter().find(|s| s.app == starved);
                    story.warned = Some(preempted::fair::Warned { at: line.first, starved, kill_at, search });
                }
                Change::Completed { why: EndCause::Preempted, .. } => story.killed = Some(line.first),
                Change::Completed { .. } => story.ended = Some(line.first),
                _ => {}
            }
        }
        if let Some(at) = story.killed {
            why.status = say::preemption::preempted_at(&words::clock(at));
            why.fate = Some(EventOutcome::Preempting);
        }
        let latest = self.here().lines().rfind(|l| matches!(l.entry, Entry::Changed(Change::Starved { .. })));
        let searches = latest.map(|l| self.searches_after(l.event)).unwrap_or_default();
        why.preemption = preempted::fair::container(names, id, &story, &searches);
    }

    /// Returns the latest search for a starved application.
    pub(super) fn search_for(&self, app: AppId) -> Option<Search> {
        let its = |l: &&FoldedLine| matches!(&l.entry, Entry::Changed(Change::Starved { app: a, .. }) if *a == app);
        let line = self.here().lines().rfind(its)?;
        self.searches_after(line.event).into_iter().find(|search| search.app == app)
    }

    /// Returns the searches of an event with everything they examined.
    fn searches_after(&self, event: u64) -> Vec<Search> {
        let mut sim = self.state_before(event);
        sim.step_for(&mut Full::default());
        sim.latest_searches().to_vec()
    }

    /// Returns what happened to a container, as far as preemption is concerned.
    fn story(&self, id: ContainerId) -> PreemptionHistory {
        let mut story = PreemptionHistory::default();
        let lines = || self.here().lines();
        let mine = |l: &&FoldedLine| l.entry.subject().container == Some(id);
        let (mut marked, mut end) = (None, None);
        for line in lines().filter(mine) {
            if let Entry::Acted(MasterAct::GaveBack { asked, keeps, .. }) = &line.entry {
                story.given_back = Some((line.first, *asked, *keeps));
            }
            let Entry::Changed(change) = &line.entry else { continue };
            match change {
                Change::Marked { by, killed_at, .. } => marked = Some((line.event, line.first, *by, *killed_at)),
                Change::MadeKillable { .. } => story.killable = Some(line.first),
                Change::Preempted { node, what_for, .. } => {
                    story.preempted = Some((line.first, *what_for));
                    story.next = lines().filter(|l| l.event > line.event).find_map(|l| match &l.entry {
                        Entry::Changed(Change::Allocated { container, node: n, .. }) if n == node => {
                            Some((l.first, *container, *n))
                        }
                        _ => None,
                    });
                }
                Change::Completed { why, .. } if *why != EndCause::Preempted => {
                    story.ended = Some(line.first);
                    end = Some(line.event);
                }
                _ => {}
            }
        }
        // A mark that was dropped without a kill explains nothing about now or about the container's end.
        let act = match end {
            Some(event) => act_on(&self.state_before(event), id),
            None => act_on(&self.cursor, id),
        };
        let counts = story.preempted.is_some() || story.killable.is_some() || act.is_some();
        story.marked = marked.filter(|_| counts).map(|(event, at, by, killed_at)| {
            let round = self.round_after(event).filter(|r| r.at == at);
            // A change of settings since may have moved it.
            let killed_at = act.map_or(killed_at, |act| act.killed_at);
            Chosen { at, by, killed_at, round }
        });
        story
    }

    /// Returns the latest preemption round right after an event.
    fn round_after(&self, event: u64) -> Option<Arc<Round>> {
        let mut sim = self.state_before(event);
        sim.step_for(&mut Silent);
        sim.latest_preemption().cloned()
    }
}

/// Returns what the latest round does with a marked container, if it chose it.
fn act_on(sim: &Simulation, id: ContainerId) -> Option<PreemptionAction> {
    let marked = sim.rm().preemption_monitor().is_some_and(|m| m.marks().contains(id));
    sim.latest_preemption().filter(|_| marked)?.acts.iter().find(|a| a.container == id).copied()
}
