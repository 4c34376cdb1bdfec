//! Replays what came before a moment for an answer: at once or in slices, as a round of many nodes takes long.

use super::walk::play;
use super::why::Insight;
use super::{Player, SeekGoal};
use crate::explain::record::{Watch, Watched};
use crate::explain::waiting::{Waiting, waiting};
use heddle_core::journal::Entry;
use heddle_core::model::Millis;
use heddle_core::sim::Simulation;
use std::rc::Rc;

/// A replay in progress.
#[derive(Clone, Debug)]
pub(super) struct Replay {
    sim: Simulation,
    /// The number of events that have happened.
    at: u64,
    /// Nothing is recorded before this goal is reached.
    quiet: Option<SeekGoal>,
    /// The number of events after which it ends.
    end: u64,
    watch: Watch,
}

impl Replay {
    /// Starts a replay from a state after `at` events; it records from `goal` on and ends after `end` events.
    pub(super) fn new((at, sim): (u64, Simulation), goal: SeekGoal, end: u64, watch: Watch) -> Self {
        Replay { sim, at, quiet: Some(goal), end, watch }
    }

    /// Plays at most `events` events. Returns whether the replay is over.
    pub(super) fn go(&mut self, events: u64) -> bool {
        if let Some(goal) = self.quiet {
            if play(&mut self.sim, &mut self.at, self.end, goal, events) {
                self.quiet = None;
            }
            return false;
        }
        for _ in 0..events {
            if self.at >= self.end || self.sim.step_for(&mut self.watch).is_none() {
                return true;
            }
            self.at += 1;
        }
        false
    }

    pub(super) fn entries(mut self) -> Vec<(Millis, Entry)> {
        while !self.go(u64::MAX) {}
        self.watch.entries
    }
}

/// What the insight into a moment is made from.
#[derive(Clone, Debug)]
pub(super) struct InsightWork {
    pub(super) at: (u64, Millis),
    pub(super) waiting: Vec<Waiting>,
    /// The number of waiting requests, from the first, to be explained.
    pub(super) first: usize,
    pub(super) replay: Option<Replay>,
}

impl Player {
    /// Works out what is known at the present moment beyond its state, and plays at most `events` events for that. Returns
    /// whether it was known already.
    pub fn look(&mut self, events: u64) -> bool {
        if self.seen().is_some() {
            return true;
        }
        let here = (self.at, self.clock);
        let known = self.looking.take().filter(|l| l.at == here);
        let mut looking = known.unwrap_or_else(|| Box::new(self.begin_to_look()));
        if looking.replay.as_mut().is_none_or(|r| r.go(events)) {
            self.see(*looking);
        } else {
            self.looking = Some(looking);
        }
        false
    }

    fn begin_to_look(&self) -> InsightWork {
        let waiting = waiting(&self.cursor);
        let first = self.explained_first(waiting.len());
        let watch = Watch::of(Watched::requests(waiting.iter().take(first)));
        InsightWork { at: (self.at, self.clock), waiting, first, replay: self.here().replay(watch, self.clock) }
    }

    /// Returns what is known at the present moment beyond its state; computed once for each moment.
    pub(super) fn insight(&self) -> Rc<Insight> {
        self.seen().unwrap_or_else(|| self.see(self.begin_to_look()))
    }
}
