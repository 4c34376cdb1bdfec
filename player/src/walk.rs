//! Ways through a run: to a moment, or to the state after so many events, at once or in slices.

use super::track::Track;
use super::{EVENTS_AT_ONCE, Player};
use heddle_core::journal::Silent;
use heddle_core::model::Millis;
use heddle_core::sim::Simulation;

/// Where a way leads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Goal {
    /// To the state after everything that happens at or before this time.
    Time(Millis),
    /// To the state after so many events.
    Event(u64),
}

/// A state on its way.
#[derive(Clone, Debug)]
pub struct Walk {
    goal: Goal,
    /// So many events have happened.
    at: u64,
    sim: Simulation,
}

/// Plays at most so many events of those that are known; is the goal reached?
pub(super) fn play(sim: &mut Simulation, at: &mut u64, known: u64, goal: Goal, events: u64) -> bool {
    let mut left = events;
    loop {
        let there = match goal {
            Goal::Time(ms) => *at >= known || sim.next_at().is_none_or(|next| next > ms),
            Goal::Event(event) => *at >= event,
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
    /// Goes to a time: everything that happens at or before it has happened.
    pub fn seek(&mut self, ms: Millis) {
        self.go(Goal::Time(ms));
    }

    /// Goes to the state after so many events.
    pub fn seek_event(&mut self, event: u64) {
        self.go(Goal::Event(event));
    }

    pub(super) fn go(&mut self, goal: Goal) {
        let goal = self.within_reach(goal);
        match goal {
            Goal::Time(ms) => {
                self.track.advance_to(ms, EVENTS_AT_ONCE);
            }
            Goal::Event(event) => self.track.advance_to_event(event),
        }
        self.take(goal, u64::MAX);
    }

    /// Goes on towards a goal within what is known of the run, by at most so many events. Is it reached? The present moment
    /// stays until then.
    pub fn walk(&mut self, goal: Goal, events: u64) -> bool {
        let goal = self.within_reach(goal);
        self.take(goal, events)
    }

    /// Where the way is that is under way.
    pub fn walked(&self) -> Option<Millis> {
        self.walk.as_ref().map(|walk| walk.sim.now())
    }

    /// Leaves the way that is under way.
    pub fn stay(&mut self) {
        self.walk = None;
    }

    fn within_reach(&self, goal: Goal) -> Goal {
        match goal {
            Goal::Time(ms) => Goal::Time(ms.clamp(0, self.latest().max(0))),
            event => event,
        }
    }

    /// The latest time that can be gone to.
    pub(super) fn latest(&self) -> Millis {
        match (self.scenario.until, self.track.complete()) {
            (Some(until), false) => until,
            (Some(until), true) if self.track.whole() => until.max(self.track.front.now()),
            (_, true) => self.track.front.now(),
            (None, false) => Millis::MAX / 4,
        }
    }

    fn take(&mut self, goal: Goal, events: u64) -> bool {
        let known = self.track.known();
        let goal = if let Goal::Event(event) = goal { Goal::Event(event.min(known)) } else { goal };
        let mut walk = match self.walk.take().filter(|walk| walk.goal == goal) {
            Some(walk) => walk,
            None => {
                let (from, checkpoint) = match goal {
                    Goal::Time(ms) => self.track.before_time(ms),
                    Goal::Event(event) => self.track.before_event(event),
                };
                let here = match goal {
                    Goal::Time(ms) => self.cursor.now() <= ms && self.at >= *from && (self.at > 0 || *from == 0),
                    Goal::Event(event) => self.at <= event && self.at >= *from,
                };
                let at = if here { self.at } else { *from };
                // A way that is surely short needs no copy of the present moment, which is there at once.
                if far(&self.track, goal, at) <= events {
                    if !here {
                        (self.cursor, self.at) = (checkpoint.checkpoint(), at);
                    }
                    play(&mut self.cursor, &mut self.at, known, goal, u64::MAX);
                    return self.arrive(goal);
                }
                let sim = if here { self.cursor.checkpoint() } else { checkpoint.checkpoint() };
                Walk { goal, at, sim }
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

    fn arrive(&mut self, goal: Goal) -> bool {
        self.clock = if let Goal::Time(ms) = goal { ms } else { self.cursor.now() };
        true
    }
}

/// Events from here to a goal, at most.
fn far(track: &Track, goal: Goal, at: u64) -> u64 {
    let end = match goal {
        Goal::Time(_) => track.checkpoint_after(at).unwrap_or(track.known()),
        Goal::Event(event) => event,
    };
    end.saturating_sub(at)
}
