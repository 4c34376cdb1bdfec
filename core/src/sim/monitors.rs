//! Work that is done again and again, apart from heartbeats: the monitors of the CapacityScheduler, the FairScheduler's
//! threads, the ResourceManager's monitors of what expires (capacity-scheduler.md 4, fair-scheduler.md 1, 7, 17;
//! lifecycles-and-timing.md 2.4). A round that could change nothing is not played: it is planned only when there is
//! something for it to do. When that is stands in [`Simulation::next_round`], and nowhere else.

use super::queue::Event;
use super::run::Simulation;
use crate::api::Call;
use crate::journal::{Entry, Recorder};
use crate::model::{AppId, Millis, NodeId, Resource};
use crate::preemption;
use crate::preemption::fair::Search;
use crate::scheduler::Scheduler;
use std::sync::Arc;

/// The period of the FairScheduler's file watcher, which also removes queues.
pub(crate) const CHECK_MS: Millis = 10_000;

/// `decommissioning-nodes-watcher.poll-interval-secs`, as it is by default.
const DECOMMISSION_POLL_MS: Millis = 20_000;

/// Something that works in rounds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Monitor {
    /// QueueManagementDynamicEditPolicy: gives leaves of the older form of automatic creation their guarantees.
    QueueManagement,
    /// AutoCreatedQueueDeletionPolicy: removes queues that were made and are idle.
    QueueDeletion,
    /// The FairScheduler's update of demand and shares. With preemption, applications that it finds starved are served
    /// at once.
    FairUpdate,
    /// The FairScheduler's kills of containers that starved applications are to get the room of.
    FairKills,
    /// The FairScheduler's offers of nodes without their heartbeats. What it finds are attempts, each with its own
    /// entries.
    ContinuousScheduling,
    /// What the FairScheduler's file watcher does: queues that are empty go, those that wait for it change, and a
    /// changed allocation file is loaded.
    FairQueues,
    /// ProportionalCapacityPreemptionPolicy: asks containers back from queues that have more than they are owed.
    Preemption,
    /// The ResourceManager's monitor of lifetimes.
    Lifetimes,
}

/// The number of monitors.
const MONITORS: usize = Monitor::Lifetimes as usize + 1;

impl Monitor {
    /// Returns whether a round that is planned may be played earlier; rounds of other monitors keep their times.
    fn comes_forward(self) -> bool {
        use Monitor::{ContinuousScheduling, FairKills, FairUpdate, Preemption};
        matches!(self, FairUpdate | FairKills | ContinuousScheduling | Preemption)
    }
}

/// A round that was played.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Round {
    pub at: Millis,
    /// Whether it changed anything.
    pub changed: bool,
    /// The entries that it recorded, also where the run's recorder keeps none.
    pub found: Vec<Entry>,
}

/// The rounds of one monitor.
#[derive(Clone, Debug, Default, PartialEq)]
struct Rounds {
    next: Option<Millis>,
    /// The value of `Simulation::stirs` at the end of the latest one.
    stirs: u64,
    /// The number of allocations and reservations by then, which an empty heartbeat may make.
    given: u64,
    /// The size of the cluster by then, which an empty heartbeat of a node that drains may change.
    total: Resource,
    /// The latest round. Checkpoints share it.
    latest: Option<Arc<Round>>,
}

/// The rounds of all monitors, and what decides when the next ones are due.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Plans {
    /// The rounds of monitors that have events of their own; other monitors have one with each thing that they check.
    run: &'static [Monitor],
    rounds: [Rounds; MONITORS],
    /// The number of nodes at the latest planning.
    nodes: usize,
    /// The latest searches of the FairScheduler's preemption thread for starved applications. Checkpoints share them.
    pub(crate) searches: Arc<Vec<Search>>,
    /// The happening (by its place) that wrote the allocation file, and its time, until the file is loaded.
    pub(crate) written: Option<(usize, Millis)>,
    /// Whether a share was updated since the latest pass of continuous scheduling, or that pass changed anything.
    fresh: bool,
    /// The latest round of preemption with each of its steps. Checkpoints share it.
    preemption: Option<Arc<preemption::Round>>,
    /// Whether every round of preemption is an event.
    pub(crate) every_round: bool,
}

impl Plans {
    pub(crate) fn of(scheduler: &Scheduler) -> Self {
        let run: &[Monitor] = match scheduler {
            // A refresh may switch each of them on.
            Scheduler::Capacity(_) => &[Monitor::Preemption, Monitor::QueueManagement, Monitor::QueueDeletion],
            Scheduler::Fair(s) if s.conf().migration => &[],
            Scheduler::Fair(s) if s.conf().continuous => {
                &[Monitor::FairUpdate, Monitor::FairKills, Monitor::FairQueues, Monitor::ContinuousScheduling]
            }
            Scheduler::Fair(_) => &[Monitor::FairUpdate, Monitor::FairKills, Monitor::FairQueues],
            Scheduler::Fifo(_) => &[],
        };
        Plans { run, ..Plans::default() }
    }
}

/// Passes entries on to a recorder, and keeps them as what a round found.
struct RoundRecorder<'a, R> {
    rec: &'a mut R,
    found: Vec<Entry>,
}

impl<R: Recorder> Recorder for RoundRecorder<'_, R> {
    fn on(&self) -> bool {
        true
    }

    fn details(&self) -> bool {
        self.rec.details()
    }

    fn hears_calls(&self) -> bool {
        self.rec.hears_calls()
    }

    fn called(&mut self, at: Millis, call: Call) {
        self.rec.called(at, call);
    }

    fn keep(&mut self, at: Millis, entry: Entry) {
        if self.rec.on() {
            self.rec.keep(at, entry.clone());
        }
        self.found.push(entry);
    }
}

/// Returns the first multiple of `period` after `now`.
pub(crate) fn next_of(now: Millis, period: Millis) -> Millis {
    let period = period.max(1);
    now.div_euclid(period).saturating_add(1).saturating_mul(period)
}

impl Simulation {
    /// Returns the latest round of a monitor and what it found; `None`: it has had none that could have changed
    /// anything.
    pub fn latest_round(&self, monitor: Monitor) -> Option<&Round> {
        self.plans.rounds[monitor as usize].latest.as_deref()
    }

    /// Returns the time of a monitor's next round; `None`: it would change nothing as things stand.
    pub fn planned_round(&self, monitor: Monitor) -> Option<Millis> {
        self.plans.rounds[monitor as usize].next
    }

    /// Returns the latest round of preemption, with each of its steps. Rounds after it that were not played would find
    /// the same.
    pub fn latest_preemption(&self) -> Option<&Arc<preemption::Round>> {
        self.plans.preemption.as_ref()
    }

    /// Returns the time at which a monitor's next round is due after an event; `None`: it would find nothing to do.
    fn next_round(&self, monitor: Monitor, nodes_changed: bool, after: Event) -> Option<Millis> {
        let now = self.now;
        let done = &self.plans.rounds[monitor as usize];
        let stirred = done.stirs != self.stirs || done.given != self.rm.cluster().given_changed;
        match monitor {
            Monitor::QueueManagement => self.rm.queue_management_ms().map(|period| next_of(now, period)),
            Monitor::QueueDeletion => self.rm.queue_deletion_ms().map(|period| next_of(now, period)),
            Monitor::FairUpdate => {
                let period = self.rm.fair()?.conf().update_interval_ms;
                let still_to_come = now % period == 0 && after.comes_before(Event::Round(monitor));
                // A node that comes or goes has the shares updated at once.
                let at = if nodes_changed || still_to_come { now } else { next_of(now, period) };
                if nodes_changed || stirred || done.total != self.rm.cluster().total {
                    return Some(at);
                }
                // Nothing else changes, but a starvation timeout ends.
                self.rm.fair()?.next_starvation().map(|end| at.max(next_of(end.saturating_sub(1), period)))
            }
            Monitor::FairKills => self.rm.next_kill(),
            Monitor::FairQueues => {
                let wanted = stirred && self.rm.fair()?.wants_checking() || self.plans.written.is_some();
                wanted.then(|| next_of(now, CHECK_MS))
            }
            Monitor::ContinuousScheduling => {
                let scheduler = self.rm.fair()?;
                let sleep = scheduler.conf().continuous_sleep_ms;
                let last = done.latest.as_ref().map(|round| round.at);
                let earliest = last.map_or(now, |at| at.saturating_add(sleep)).max(now);
                if last.is_none() || stirred || self.plans.fresh {
                    return Some(earliest);
                }
                scheduler.next_relaxation(self.rm.cluster()).map(|at| at.max(earliest))
            }
            Monitor::Preemption => {
                let monitor = self.rm.preemption_monitor()?;
                let still_to_come = after.comes_before(Event::Round(Monitor::Preemption));
                let due = monitor.wake_from(if still_to_come { now } else { now.saturating_add(1) })?;
                // A planned round stays planned, whatever else holds.
                if done.next.is_some_and(|planned| planned <= due) {
                    return Some(due);
                }
                let reserved = || self.rm.reservations().next().is_some();
                let settled = !stirred && done.latest.is_some() && monitor.is_settled(self.stirred_at, now, reserved);
                (!settled || self.plans.every_round).then_some(due)
            }
            // Planned for each application by itself (`lifetime_check`).
            Monitor::Lifetimes => None,
        }
    }

    /// Plans the rounds that are due after an event.
    pub(crate) fn plan_rounds(&mut self, after: Event) {
        if self.plans.run.is_empty() {
            return;
        }
        let nodes = self.rm.cluster().node_count;
        let nodes_changed = std::mem::replace(&mut self.plans.nodes, nodes) != nodes;
        for monitor in self.plans.run.iter().copied() {
            let planned = self.plans.rounds[monitor as usize].next;
            if planned.is_some() && !monitor.comes_forward() {
                continue;
            }
            let Some(at) = self.next_round(monitor, nodes_changed, after) else { continue };
            match planned {
                Some(before) if before <= at => continue,
                Some(before) => self.queue.remove(before, Event::Round(monitor)),
                None => {}
            }
            self.plans.rounds[monitor as usize].next = Some(at);
            self.queue.add(at, Event::Round(monitor));
        }
    }

    /// Plays a round of a monitor.
    pub(crate) fn round<R: Recorder>(&mut self, monitor: Monitor, rec: &mut R) {
        self.plans.rounds[monitor as usize].next = None;
        let stirs = self.stirs;
        let now = self.now;
        let mut rec = RoundRecorder { rec, found: Vec::new() };
        let (changed, stirring) = match monitor {
            Monitor::QueueManagement => {
                rec.tell_call(now, || Call::ManageQueues);
                (self.rm.manage_queues(), true)
            }
            Monitor::QueueDeletion => {
                rec.tell_call(now, || Call::RemoveIdleQueues);
                (self.rm.remove_idle_queues(&mut rec), true)
            }
            Monitor::FairQueues => {
                rec.tell_call(now, || Call::CheckQueues);
                (self.rm.check_queues() | self.take_file(&mut rec), true)
            }
            Monitor::FairUpdate => {
                self.fair_update(&mut rec);
                self.plans.fresh = true;
                (true, false)
            }
            Monitor::FairKills => {
                rec.tell_call(now, || Call::FairKills);
                (self.rm.kill_warned(&mut rec) > 0, true)
            }
            Monitor::ContinuousScheduling => {
                rec.tell_call(now, || Call::ContinuousPass);
                self.plans.fresh = self.rm.continuous_pass(rec.rec);
                (self.plans.fresh, false)
            }
            Monitor::Preemption => match self.rm.wake_preemption(&mut rec) {
                Some(round) => {
                    let changed = round.changes_anything();
                    self.plans.preemption = Some(Arc::new(round));
                    (changed, true)
                }
                None => (false, false),
            },
            Monitor::Lifetimes => (false, false),
        };
        debug_assert!(monitor != Monitor::Lifetimes, "its rounds come with what they look at");
        if changed && stirring {
            self.stir();
        }
        // An update, a pass or a file check need not run again for what it changed itself.
        let seen = if monitor == Monitor::FairQueues { self.stirs } else { stirs };
        let found = rec.found;
        let (given, total) = (self.rm.cluster().given_changed, self.rm.cluster().total);
        let rounds = &mut self.plans.rounds[monitor as usize];
        (rounds.given, rounds.total) = (given, total);
        rounds.stirs = seen;
        rounds.latest = Some(Arc::new(Round { at: self.now, changed, found }));
    }

    // ---- what expires

    /// Returns the time at which a monitor that checks every third of `expiry` finds something expired whose last sign
    /// was at `last` (lifecycles-and-timing.md 2.4: strictly more than the expiry, at fixed times).
    pub fn check_time(last: Millis, expiry: Millis) -> Millis {
        next_of(last.saturating_add(expiry), expiry / 3)
    }

    /// Returns the time of the first check of lifetimes after the end of the application's lifetime; `None`: it has
    /// none.
    pub(crate) fn lifetime_check(&self, app: AppId) -> Option<Millis> {
        let expires = self.rm.app(app).filter(|a| !a.state.is_final())?.expires_at?;
        Some(next_of(expires, self.rm.site().lifetime_interval_ms))
    }

    /// Kills an application whose lifetime is over; all checks of one time are one round.
    pub(crate) fn check_lifetime<R: Recorder>(&mut self, app: AppId, rec: &mut R) {
        self.stir();
        let mut rec = RoundRecorder { rec, found: Vec::new() };
        rec.tell_call(self.now, || Call::CheckLifetime(app));
        let changed = self.rm.check_lifetime(app, &mut rec);
        let (now, found) = (self.now, rec.found);
        let latest = &mut self.plans.rounds[Monitor::Lifetimes as usize].latest;
        let mut round =
            latest.take().filter(|r| r.at == now).map_or(Round { at: now, ..Round::default() }, |r| (*r).clone());
        round.changed |= changed;
        round.found.extend(found);
        *latest = Some(Arc::new(round));
    }

    /// Returns the time at which the decommissioning timeout of a silent node is noticed; `last`: the node's latest
    /// heartbeat. The watcher polls nodes that have been silent for five seconds.
    pub(crate) fn decommission_poll(&self, node: NodeId, last: Millis) -> Option<Millis> {
        let deadline = self.rm.decommission_deadline(node)?;
        let from = (deadline + 1).max(last + 5_000).max(self.now);
        Some(next_of(from - 1, DECOMMISSION_POLL_MS))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::journal::{Change, Full, Silent};
    use crate::rm::AppState;
    use crate::scenario::read;

    fn start(text: &str) -> Simulation {
        let scenario = read(text);
        let scenario = scenario.scenario.unwrap_or_else(|| panic!("{:?}", scenario.problems));
        Simulation::new(Arc::new(scenario)).expect("it starts")
    }

    #[test]
    fn the_first_time_after_now() {
        assert_eq!([0, 1, 2999, 3000].map(|now| next_of(now, 3000)), [3000, 3000, 3000, 6000]);
        assert_eq!(Simulation::check_time(1_000, 600_000), 800_000);
    }

    const LIFETIMES: &str = r#"
heddle = 1
scheduling = "heartbeat"
until = "1 min"
[[nodes]]
name = "n"
size = "80 GB/80"
[[apps]]
name = "a{}"
copies = 2
user = "ann"
am = "1 GB/1"
lifetime = "10 s"
tasks = [{ count = 1, size = "1 GB/1" }]
"#;

    #[test]
    fn what_the_latest_round_found_can_be_asked_long_after_and_whoever_listened() {
        let (mut silent, mut full) = (start(LIFETIMES), start(LIFETIMES));
        silent.run_until(11_999, &mut Silent);
        assert_eq!(silent.latest_round(Monitor::Lifetimes), None);
        silent.run_until(30_000, &mut Silent);
        full.run_until(30_000, &mut Full::default());
        let round = silent.latest_round(Monitor::Lifetimes).expect("there was one");
        assert_eq!((round.at, round.changed), (12_000, true));
        let ended = |e: &&Entry| matches!(e, Entry::Changed(Change::AppEnded { .. }));
        assert_eq!(round.found.iter().filter(ended).count(), 2, "both of one time are one round: {:?}", round.found);
        assert_eq!(Some(round), full.latest_round(Monitor::Lifetimes));
        assert!(silent.rm().apps().iter().all(|a| a.state == AppState::Killed));
    }

    const TWO_QUEUES: &str = include_str!("../../../tests/fixtures/two-queues.toml");

    #[test]
    fn a_queue_below_its_guarantee_gets_room_by_rounds_of_preemption() {
        let mut sim = start(TWO_QUEUES);
        let mut full = Full::default();
        sim.run_until(30_000, &mut full);
        assert_eq!(sim.latest_preemption().map(|r| r.acts.len()), Some(1), "the AM that waits is wanted at once");
        sim.run_until(44_999, &mut full);
        let marked: Vec<_> = sim.rm().preemption_monitor().expect("it is on").marks().ids().collect();
        assert_eq!(marked.len(), 1);
        assert_eq!(sim.rm().container(marked[0]).map(|c| c.am), Some(false), "no AM while there are others");
        sim.run_until(45_000, &mut full);
        assert_eq!(sim.rm().preemption_monitor().map(|m| m.marks().len()), Some(0), "killed after 15 s");
        sim.run_until(120_000, &mut full);
        assert_eq!(sim.apps()[1].progress().done, 1, "{:?}", sim.notices());
        let late = sim.latest_preemption().expect("rounds went on");
        assert!(late.acts.is_empty() && late.at < 110_000, "rounds that find the same are not played: {}", late.at);
    }

    #[test]
    fn a_monitor_with_nothing_to_do_has_no_rounds() {
        let fair = LIFETIMES.replace("heddle = 1", "heddle = 1\nscheduler = \"fair\"");
        let mut sim = start(&fair);
        sim.run_until(60_000, &mut Silent);
        let at = sim.latest_round(Monitor::FairUpdate).map(|r| r.at);
        assert!(at.is_some_and(|at| at % 500 == 0 && at < 30_000), "{at:?}");
        assert_eq!(sim.latest_round(Monitor::ContinuousScheduling), None);
        assert_eq!(sim.latest_round(Monitor::QueueDeletion), None);
    }
}
