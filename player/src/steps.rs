//! Steps from one event of a kind to the next.

use super::track::{CHANGE, DECISION, HEARTBEAT};
use super::{EVENTS_AT_ONCE, Player, SeekGoal};
use crate::explain::view::StepBy;

/// Returns the flag of the events that a step of this kind leads to.
fn flag(by: StepBy) -> u8 {
    match by {
        StepBy::Decision => DECISION,
        StepBy::Heartbeat => HEARTBEAT,
        StepBy::Change => CHANGE,
        StepBy::Round | StepBy::Second => 0,
    }
}

impl Player {
    /// Steps forward or back. Does nothing at either end.
    pub fn step(&mut self, by: StepBy, back: bool) {
        while !back && !self.foresees(by, EVENTS_AT_ONCE) {}
        self.go(self.leads(by, back));
    }

    /// Returns where a step leads within the known part of the run; call [`foresees`](Player::foresees) before a step
    /// forward.
    pub fn leads(&self, by: StepBy, back: bool) -> SeekGoal {
        let wanted = match by {
            StepBy::Decision | StepBy::Heartbeat | StepBy::Change => flag(by),
            StepBy::Round => return SeekGoal::Event(self.round_from_here(back)),
            StepBy::Second => {
                let second = self.clock.div_euclid(1000);
                let whole = self.clock % 1000 == 0;
                let to = if back { if whole { second - 1 } else { second } } else { second + 1 };
                return SeekGoal::Time((to * 1000).max(0));
            }
        };
        let is_one = |flags: &u8| flags & wanted != 0;
        if back {
            let before = self.track.flags.get(..self.at as usize).unwrap_or_default();
            let last = before.iter().rposition(is_one);
            let to = match last {
                Some(i) if i + 1 == before.len() => before[..i].iter().rposition(is_one).map_or(0, |j| j + 1),
                Some(i) => i + 1,
                None => 0,
            };
            return SeekGoal::Event(to as u64);
        }
        let after = self.track.flags.get(self.at as usize..).unwrap_or_default();
        SeekGoal::Event(after.iter().position(is_one).map_or(self.track.known(), |i| self.at + i as u64 + 1))
    }

    /// Returns the number of events that have happened, if more of them follow at the present moment.
    pub fn within(&mut self) -> Option<u64> {
        (self.cursor.next_at() == Some(self.clock)).then_some(self.at)
    }

    /// Goes to the state after `event` events, if it belongs to the present moment.
    pub fn seek_within(&mut self, event: u64) {
        let (now, at) = (self.clock, self.at);
        if event >= at {
            return;
        }
        self.seek_event(event);
        if self.clock != now {
            self.seek(now);
        }
    }

    /// Plays at most `events` more events. Returns whether it is known then where a step forward leads.
    pub fn foresees(&mut self, by: StepBy, events: u64) -> bool {
        self.knows(by) || self.finds(by, events)
    }

    /// Returns whether it is known where a step forward leads. Searches the whole known part of the run.
    pub fn knows(&self, by: StepBy) -> bool {
        let wanted = flag(by);
        let after = self.track.flags.get(self.at as usize..).unwrap_or_default();
        let known =
            if by == StepBy::Round { self.next_round().is_some() } else { after.iter().any(|f| f & wanted != 0) };
        by == StepBy::Second || known
    }

    /// Plays at most `events` more events. Returns whether one of them ends a step, or the run is over.
    pub fn finds(&mut self, by: StepBy, events: u64) -> bool {
        let found = self.goes_on_to(by, events);
        self.track.settle();
        found
    }

    fn goes_on_to(&mut self, by: StepBy, events: u64) -> bool {
        for _ in 0..events {
            if !self.track.advance() || by == StepBy::Round && self.is_round_latest() {
                return true;
            }
            if self.track.flags.last().is_some_and(|flags| flags & flag(by) != 0) {
                return true;
            }
        }
        false
    }
}
