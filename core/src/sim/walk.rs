//! Asynchronous scheduling: when the scheduler offers all nodes, and at which of them it begins (capacity-scheduler.md
//! 13).

use super::Simulation;
use super::queue::Event;
use crate::api::Call;
use crate::journal::Recorder;
use crate::rm::Commits;

/// The number of fruitless walks after which the scheduler counts as idle, besides those that missed opportunities of
/// requests need.
const FRUITLESS_WALKS: u64 = 3;

impl Simulation {
    /// Plans the next walk of the scheduler's thread, after its pause.
    pub(crate) fn plan_walk(&mut self) {
        let interval = self.scenario.timing.async_interval.max(1);
        let earliest = self.walked_at.map_or(self.now, |at| at.saturating_add(interval));
        let at = earliest.max(self.now);
        if self.walk_at.is_none_or(|planned| planned > at) {
            if let Some(planned) = self.walk_at {
                self.queue.remove(planned, Event::Walk);
            }
            self.walk_at = Some(at);
            self.queue.add(at, Event::Walk);
        }
    }

    pub(crate) fn walk<R: Recorder>(&mut self, rec: &mut R) {
        self.walk_at = None;
        self.walked_at = Some(self.now);
        let start = self.next_random() as usize;
        rec.tell_call(self.now, || Call::Walk { start: start as u64 });
        if self.rm.async_walk(start, Commits::AtOnce, rec) {
            self.stir();
        } else {
            self.fruitless += 1;
            if self.fruitless < FRUITLESS_WALKS + self.opportunities_needed() {
                self.plan_walk();
            }
        }
    }

    /// Returns the number of walks after which requests that name places may go anywhere (capacity-scheduler.md 8.4).
    pub(crate) fn opportunities_needed(&self) -> u64 {
        let nodes = self.rm.cluster().node_count.max(1) as u64;
        let apps = &self.rm.cluster().apps;
        let named = apps
            .iter()
            .filter(|a| a.alive)
            .flat_map(|a| a.asks.open().iter().map(|(_, place)| a.asks.at(*place as usize)));
        named.filter(|k| k.unique_names() > 1).map(|k| k.outstanding() as u64 / nodes + 2).max().unwrap_or(0)
    }

    pub(crate) fn next_random(&mut self) -> u64 {
        // SplitMix64 (Steele, Lea, Flood 2014).
        self.random = self.random.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.random;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }
}
