//! Stretches in which nothing happens but empty heartbeats: the run skips them, or ends.

use super::queue::Event;
use super::{Ended, Simulation};
use crate::model::Millis;

/// How long a run without `until` goes on when nothing changes any more while something still waits.
const STALL_MS: Millis = 60_000;

impl Simulation {
    /// Returns whether anything waits that a heartbeat could serve.
    fn anything_waits(&self) -> bool {
        self.rm.cluster().apps.iter().any(|a| a.alive && !a.asks.open().is_empty())
            || self.rm.reservations().next().is_some()
    }

    /// Returns whether a container was granted or completed and its AM has not yet got the answer that says so.
    fn anything_untold(&self) -> bool {
        let news = |app| self.rm.scheduled(app).is_some_and(|a| !a.granted.is_empty() || !a.ended.is_empty());
        self.apps.iter().any(|run| run.master.is_some() && run.id.is_some_and(news))
    }

    /// Skips heartbeats that change nothing: once every node and every AM has sent an empty one since the last other
    /// event, and nothing waits, only the last heartbeat of each before the next event is played.
    pub(crate) fn jump_over_idle(&mut self) {
        let beaters = self.machines.len() + self.apps.len();
        if self.empty_beats < beaters.max(2) {
            return;
        }
        self.empty_beats = 0;
        let stirs = self.stirs;
        let calm = self
            .machines
            .iter()
            .all(|m| !m.alive || m.calm == stirs && m.is_quiet() && m.id.is_none_or(|id| !self.rm.has_orders(id)))
            && self.apps.iter().all(|a| a.master.is_none() || a.calm == stirs);
        let untold = self.anything_untold();
        let waits = untold || !self.asynchronous && self.anything_waits();
        let wakes = self.apps.iter().filter_map(|a| a.master.as_ref()?.wakes_at()).min();
        let other = self.queue.next_but_beats();
        let deadline = self.rm.cluster().next_node_deadline().map(|at| at.max(self.now.saturating_add(1)));
        let next = [other, wakes, deadline].into_iter().flatten().min();
        if next.is_none() && self.scenario.until.is_none() {
            // A locality delay can take one round of heartbeats for each outstanding container.
            let patience = STALL_MS.saturating_add(self.opportunities_needed() as i64 * 1_000);
            if calm && !untold && !self.anything_waits() {
                self.ended = Some(Ended::Idle);
            } else if self.now.saturating_sub(self.stirred_at) >= patience {
                self.ended = Some(Ended::Stalled);
            }
            return;
        }
        if !calm || waits {
            return;
        }
        let until = self.scenario.until.map(|u| u.saturating_add(1));
        let Some(to) = [next, until].into_iter().flatten().min() else { return };
        let beats: Vec<(Millis, Event)> = self.queue.beats().take_while(|(at, _)| *at < to).collect();
        for (at, event) in beats {
            let interval = match event {
                Event::AmHeartbeat(a) => self
                    .place_of(a.app)
                    .and_then(|i| self.apps.get(i)?.master.as_ref().map(|m| m.heartbeat_ms()))
                    .unwrap_or(1),
                Event::AmTick(a, timer) => {
                    let run = self.place_of(a.app).and_then(|i| self.apps.get(i));
                    run.and_then(|run| run.period(timer)).unwrap_or(1)
                }
                _ => self.scenario.timing.node_heartbeat,
            }
            .max(1);
            let later = at + (to - 1 - at) / interval * interval;
            if later > at {
                self.queue.remove(at, event);
                self.queue.add(later, event);
                match event {
                    Event::NodeHeartbeat(m) => self.machines[m].next_heartbeat = later,
                    Event::AmHeartbeat(a) => {
                        if let Some(i) = self.place_of(a.app) {
                            self.apps[i].next_heartbeat = Some(later);
                        }
                    }
                    Event::AmTick(a, timer) => {
                        let run = self.place_of(a.app).and_then(|i| self.apps.get_mut(i));
                        if let Some(timer) = run.and_then(|run| run.timer_mut(timer)) {
                            timer.at = later;
                        }
                    }
                    _ => {}
                }
            }
        }
    }
}
