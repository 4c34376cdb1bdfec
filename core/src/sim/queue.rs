//! The event queue, in the canonical order of simultaneous events (lifecycles-and-timing.md 2.5): time, then rank, then
//! the tie rule of the rank. Heartbeats and ticks are kept apart, so that idle stretches can be skipped.

use super::monitors::Monitor;
use crate::model::{AppId, AttemptId, ContainerId, Millis};
use crate::strategy::TimerId;
use std::collections::BTreeMap;

/// A planned event.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Event {
    /// A node of the scenario registers (by its place among the machines).
    Join(usize),
    /// A happening of the scenario (by its place there).
    Happening(usize),
    /// A process on a node ends.
    ProcessEnds(ContainerId),
    /// The process of a container is up, where its kind of application waits for that.
    ProcessUp(ContainerId),
    /// A process has restored its state from elsewhere, if nothing changes before.
    RestoreEnds,
    /// The disks of all hosts are checked for state that nobody needs.
    CleanUp,
    /// An application of the scenario is submitted (by its place there).
    Submit(usize),
    Register(AttemptId),
    AmHeartbeat(AttemptId),
    /// A timer of an ApplicationMaster fires.
    AmTimer(AttemptId, TimerId),
    /// A tick of an ApplicationMaster.
    AmTick(AttemptId, TimerId),
    /// A node's heartbeat (by its place among the machines).
    NodeHeartbeat(usize),
    /// The asynchronous scheduler offers all nodes.
    Walk,
    /// A round of a monitor.
    Round(Monitor),
    /// The ResourceManager expires a silent node (by its place among the machines).
    NodeExpiry(usize),
    /// The ResourceManager expires a silent ApplicationMaster.
    AmExpiry(AttemptId),
    /// The ResourceManager expires a container that was never launched.
    AllocationExpiry(ContainerId),
    /// The ResourceManager polls a silent decommissioning node (by its place among the machines).
    DecommissionPoll(usize),
    /// The ResourceManager checks the lifetime of an application.
    LifetimeCheck(AppId),
}

/// The order of events at equal times.
type Key = (Millis, u8, [u64; 4]);

impl Event {
    fn key(self, at: Millis) -> Key {
        let container = |c: ContainerId| [u64::from(c.app.0), u64::from(c.attempt), c.seq, 0];
        let attempt = |a: AttemptId, step: u64| [u64::from(a.app.0), u64::from(a.attempt), step, 0];
        let (rank, tie) = match self {
            Event::Join(i) => (0, [0, i as u64, 0, 0]),
            Event::Happening(i) => (0, [1, i as u64, 0, 0]),
            Event::ProcessEnds(c) => (1, container(c)),
            Event::ProcessUp(c) => {
                let [app, number, seq, _] = container(c);
                (1, [u64::MAX, app, number, seq])
            }
            Event::RestoreEnds => (1, [u64::MAX; 4]),
            Event::Submit(i) => (2, [i as u64, 0, 0, 0]),
            Event::Register(a) => (3, attempt(a, 0)),
            Event::AmHeartbeat(a) => (3, attempt(a, 1)),
            Event::AmTimer(a, timer) | Event::AmTick(a, timer) => {
                let [app, number, step, _] = attempt(a, 2);
                (3, [app, number, step, u64::from(timer)])
            }
            Event::Round(Monitor::FairUpdate) => (4, [0; 4]),
            Event::Round(Monitor::FairKills) => (4, [1, 0, 0, 0]),
            Event::NodeHeartbeat(i) => (5, [i as u64, 0, 0, 0]),
            Event::Walk => (6, [0; 4]),
            Event::Round(Monitor::ContinuousScheduling) => (6, [1, 0, 0, 0]),
            Event::Round(Monitor::QueueManagement) => (7, [0; 4]),
            Event::Round(Monitor::QueueDeletion) => (7, [1, 0, 0, 0]),
            Event::Round(Monitor::FairQueues) => (7, [2, 0, 0, 0]),
            Event::Round(Monitor::Lifetimes) => (7, [3, 0, 0, 0]),
            Event::Round(Monitor::Preemption) => (7, [4, 0, 0, 0]),
            Event::CleanUp => (7, [5, 0, 0, 0]),
            Event::NodeExpiry(i) => (8, [0, i as u64, 0, 0]),
            Event::AmExpiry(a) => (8, [1, u64::from(a.app.0), u64::from(a.attempt), 0]),
            Event::AllocationExpiry(c) => {
                let [a, b, s, _] = container(c);
                (8, [2, a, b, s])
            }
            Event::DecommissionPoll(i) => (8, [3, i as u64, 0, 0]),
            Event::LifetimeCheck(app) => (8, [4, u64::from(app.0), 0, 0]),
        };
        (at, rank, tie)
    }

    /// Returns whether this event comes before another one of the same time.
    pub(crate) fn comes_before(self, other: Event) -> bool {
        self.key(0) < other.key(0)
    }

    /// Returns whether it is a heartbeat or tick, which changes nothing where there is nothing to report.
    pub fn is_beat(self) -> bool {
        matches!(self, Event::AmHeartbeat(_) | Event::NodeHeartbeat(_) | Event::AmTick(..))
    }
}

/// The planned events.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct EventQueue {
    /// Heartbeats and ticks.
    beats: BTreeMap<Key, Event>,
    /// All other events.
    rest: BTreeMap<Key, Event>,
}

impl EventQueue {
    /// Plans an event.
    pub fn add(&mut self, at: Millis, event: Event) {
        let queue = if event.is_beat() { &mut self.beats } else { &mut self.rest };
        queue.insert(event.key(at), event);
    }

    /// Cancels an event.
    pub fn remove(&mut self, at: Millis, event: Event) {
        let queue = if event.is_beat() { &mut self.beats } else { &mut self.rest };
        queue.remove(&event.key(at));
    }

    /// Returns the next event and its time.
    pub fn next(&self) -> Option<(Millis, Event)> {
        let beat = self.beats.first_key_value();
        let other = self.rest.first_key_value();
        let ((at, _, _), event) = match (beat, other) {
            (Some(b), Some(o)) => {
                if b.0 <= o.0 {
                    b
                } else {
                    o
                }
            }
            (b, o) => b.or(o)?,
        };
        Some((*at, *event))
    }

    /// Returns the time of the next event that is no heartbeat or tick.
    pub fn next_but_beats(&self) -> Option<Millis> {
        self.rest.first_key_value().map(|((at, _, _), _)| *at)
    }

    /// Returns all planned heartbeats and ticks.
    pub fn beats(&self) -> impl Iterator<Item = (Millis, Event)> + '_ {
        self.beats.iter().map(|((at, _, _), event)| (*at, *event))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::AppId;

    #[test]
    fn simultaneous_events_come_in_the_canonical_order() {
        let attempt = AttemptId { app: AppId(0), attempt: 1 };
        let container = ContainerId { app: AppId(0), attempt: 1, seq: 2 };
        let order = [
            Event::Happening(0),
            Event::Happening(1),
            Event::ProcessEnds(container),
            Event::Submit(0),
            Event::Register(attempt),
            Event::AmHeartbeat(attempt),
            Event::AmTimer(attempt, 0),
            Event::AmTick(attempt, 1),
            Event::NodeHeartbeat(0),
            Event::NodeHeartbeat(1),
            Event::Walk,
            Event::NodeExpiry(0),
        ];
        let mut queue = EventQueue::default();
        for event in order.iter().rev() {
            queue.add(1000, *event);
        }
        queue.add(999, Event::NodeExpiry(3));
        assert_eq!(queue.next(), Some((999, Event::NodeExpiry(3))));
        queue.remove(999, Event::NodeExpiry(3));
        for event in order {
            assert_eq!(queue.next(), Some((1000, event)));
            queue.remove(1000, event);
        }
        assert_eq!(queue.next(), None);
    }
}
