//! Seeking: to a moment, or to the state after so many events, at once or in slices.

use super::track::Track;
use super::{EVENTS_AT_ONCE, Player};
use heddle_core::journal::Silent;
use heddle_core::model::Millis;
use heddle_core::sim::Simulation;

/// The goal of a seek.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SeekGoal {
    /// The state after everything that happens at or before this time.
    Time(Millis),
    /// The state after this many events.
    Event(u64),
}

/// A seek in progress.
#[derive(Clone, Debug)]
pub struct Seek {
    goal: SeekGoal,
    /// The number of events that have happened.
    at: u64,
    sim: Simulation,
}

/// Plays at most `events` of the known events. Returns whether the goal is reached.
pub(super) fn play(sim: &mut Simulation, at: &mut u64, known: u64, goal: SeekGoal, events: u64) -> bool {
    let mut left = events;
    loop {
        let there = match goal {
            SeekGoal::Time(ms) => *at >= known || sim.next_at().is_none_or(|next| next > ms),
            SeekGoal::Event(event) => *at >= event,
        };
        if there || left == 0 {
            return there;
        }
        if sim.step_for(&mut Silent).is_none() {
            return true;
        }
        *at += 1;
        left -= 1;
    }
}

impl Player {
    /// Goes to a time: everything at or before it has happened.
    pub fn seek(&mut self, ms: Millis) {
        self.go(SeekGoal::Time(ms));
    }

    /// Goes to the state after `event` events.
    pub fn seek_event(&mut self, event: u64) {
        self.go(SeekGoal::Event(event));
    }

    pub(super) fn go(&mut self, goal: SeekGoal) {
        let goal = self.within_reach(goal);
        match goal {
            SeekGoal::Time(ms) => {
                self.track.advance_to(ms, EVENTS_AT_ONCE);
            }
            SeekGoal::Event(event) => self.track.advance_to_event(event),
        }
        self.take(goal, u64::MAX);
    }

    /// Advances towards a goal within the known part of the run, by at most `events` events. Returns whether it is reached;
    /// the present moment does not change until then.
    pub fn walk(&mut self, goal: SeekGoal, events: u64) -> bool {
        let goal = self.within_reach(goal);
        self.take(goal, events)
    }

    /// The time that the seek in progress has reached.
    pub fn walked(&self) -> Option<Millis> {
        self.walk.as_ref().map(|walk| walk.sim.now())
    }

    /// Cancels the seek in progress.
    pub fn stay(&mut self) {
        self.walk = None;
    }

    fn within_reach(&self, goal: SeekGoal) -> SeekGoal {
        match goal {
            SeekGoal::Time(ms) => SeekGoal::Time(ms.clamp(0, self.latest().max(0))),
            event => event,
        }
    }

    /// The latest time that can be sought.
    pub(super) fn latest(&self) -> Millis {
        match (self.scenario.until, self.track.complete()) {
            (Some(until), false) => until,
            (Some(until), true) if self.track.whole() => until.max(self.track.front.now()),
            (_, true) => self.track.front.now(),
            (None, false) => Millis::MAX / 4,
        }
    }

    fn take(&mut self, goal: SeekGoal, events: u64) -> bool {
        let known = self.track.known();
        let goal = if let SeekGoal::Event(event) = goal { SeekGoal::Event(event.min(known)) } else { goal };
        let mut walk = match self.walk.take().filter(|walk| walk.goal == goal) {
            Some(walk) => walk,
            None => {
                let (from, checkpoint) = match goal {
                    SeekGoal::Time(ms) => self.track.before_time(ms),
                    SeekGoal::Event(event) => self.track.before_event(event),
                };
                let here = match goal {
                    SeekGoal::Time(ms) => self.cursor.now() <= ms && self.at >= *from && (self.at > 0 || *from == 0),
                    SeekGoal::Event(event) => self.at <= event && self.at >= *from,
                };
                let at = if here { self.at } else { *from };
                // A short seek needs no copy of the present moment, which it replaces at once.
                if far(&self.track, goal, at) <= events {
                    if !here {
                        (self.cursor, self.at) = (checkpoint.checkpoint(), at);
                    }
                    play(&mut self.cursor, &mut self.at, known, goal, u64::MAX);
                    return self.arrive(goal);
                }
                let sim = if here { self.cursor.checkpoint() } else { checkpoint.checkpoint() };
                Seek { goal, at, sim }
            }
        };
        let there = play(&mut walk.sim, &mut walk.at, known, goal, events);
        if there {
            (self.cursor, self.at) = (walk.sim, walk.at);
            return self.arrive(goal);
        }
        self.walk = Some(walk);
        false
    }

    fn arrive(&mut self, goal: SeekGoal) -> bool {
        self.clock = if let SeekGoal::Time(ms) = goal { ms } else { self.cursor.now() };
        true
    }
}

/// Returns the most events from here to a goal.
fn far(track: &Track, goal: SeekGoal, at: u64) -> u64 {
    let end = match goal {
        SeekGoal::Time(_) => track.checkpoint_after(at).unwrap_or(track.known()),
        SeekGoal::Event(event) => event,
    };
    end.saturating_sub(at)
}
