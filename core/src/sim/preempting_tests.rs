//! Preemption in a whole simulation: its monitor while settings change, runs that have no end of their own, what it costs.

use super::{Ended, Event, Monitor, Simulation};
use crate::journal::Silent;
use crate::model::{Millis, Resource};
use crate::scenario::read;
use std::sync::Arc;

/// Two queues of 8 GB together; `first` has all of it when `second` comes for its half at 30 s.
fn start(enable: bool, head: &str, first: &str, rest: &str) -> Simulation {
    let text = format!(
        r#"
heddle = 1
scheduling = "heartbeat"
{head}
[yarn-site]
"yarn.resourcemanager.scheduler.monitor.enable" = {enable}
"yarn.resourcemanager.monitor.capacity.preemption.total_preemption_per_round" = "1.0"
"yarn.resourcemanager.monitor.capacity.preemption.natural_termination_factor" = "1.0"
[capacity-scheduler]
"yarn.scheduler.capacity.root.queues" = "a,b"
"yarn.scheduler.capacity.root.a.capacity" = "50"
"yarn.scheduler.capacity.root.b.capacity" = "50"
"yarn.scheduler.capacity.root.a.user-limit-factor" = "2"
[[nodes]]
name = "n"
size = "8 GB/8"
[[apps]]
name = "first"
user = "ann"
queue = "a"
am = "1 GB/1"
{first}
[[apps]]
name = "second"
user = "bob"
queue = "b"
am = {{ size = "1 GB/1", unmanaged = true }}
at = "30 s"
tasks = [{{ count = 4, size = "1 GB/1", duration = "forever" }}]
{rest}
"#
    );
    let read = read(&text);
    let scenario = read.scenario.unwrap_or_else(|| panic!("{:?}", read.problems));
    Simulation::new(Arc::new(scenario)).expect("it starts")
}

const FOREVER: &str = "tasks = [{ count = 7, size = \"1 GB/1\", duration = \"forever\" }]";

fn refresh(at: &str, key: &str, value: &str) -> String {
    let key = format!("yarn.{key}");
    format!("[[happenings]]\nat = \"{at}\"\ndo = \"refresh\"\ncapacity-scheduler = {{ \"{key}\" = \"{value}\" }}\n")
}

/// Times of the monitor's rounds to the end of the run.
fn rounds(mut sim: Simulation) -> (Simulation, Vec<Millis>) {
    let mut out = Vec::new();
    while let Some(step) = sim.step(&mut Silent) {
        if step.event == Event::Round(Monitor::Preemption) {
            out.push(step.at);
        }
    }
    (sim, out)
}

fn killed(sim: &Simulation) -> i64 {
    sim.apps()[0].toll.killed
}

#[test]
fn a_refresh_switches_the_monitor_on_and_off() {
    let on = refresh("40 s", "resourcemanager.scheduler.monitor.enable", "true");
    let off = refresh("50 s", "resourcemanager.scheduler.monitor.enable", "false");
    let again = refresh("70 s", "resourcemanager.scheduler.monitor.enable", "true");
    let (sim, at) = rounds(start(false, "until = \"84 s\"", FOREVER, &format!("{on}{off}{again}")).with_every_round());
    let seen: Vec<Millis> = at.iter().copied().filter(|at| *at < 50_000 || *at >= 70_000).collect();
    assert_eq!(seen, [40_000, 43_000, 46_000, 49_000, 70_000, 73_000, 76_000, 79_000, 82_000]);
    assert_eq!(killed(&sim), 0, "a monitor that was off has forgotten its marks");
    assert_eq!(sim.rm().preemption_monitor().map(|m| m.marks().len()), Some(4));
    assert_eq!(sim.notices(), []);
}

#[test]
fn a_refresh_that_switches_it_on_with_what_cannot_be_read_is_refused() {
    let wait = refresh("40 s", "resourcemanager.monitor.capacity.preemption.max_wait_before_kill", "15s");
    let on = refresh("45 s", "resourcemanager.scheduler.monitor.enable", "true");
    let (sim, at) = rounds(start(false, "until = \"84 s\"", FOREVER, &format!("{wait}{on}")));
    assert_eq!((at.len(), sim.notices().len()), (0, 1), "{:?}", sim.notices());
    assert!(sim.rm().preemption_monitor().is_none());
}

#[test]
fn another_interval_counts_from_the_wake_up_after_the_round_that_reads_it() {
    let slower = refresh("31 s", "resourcemanager.monitor.capacity.preemption.monitoring_interval", "10000");
    let (_, at) = rounds(start(true, "until = \"57 s\"", FOREVER, &slower).with_every_round());
    let late: Vec<Millis> = at.into_iter().filter(|at| *at >= 30_000).collect();
    assert_eq!(late, [30_000, 33_000, 36_000, 46_000, 56_000]);
}

/// What waits for ever does not keep a run going: with a monitor that has done what it could, only watches, or has nobody
/// to take from.
#[test]
fn a_run_without_an_end_stops_when_rounds_would_find_the_same() {
    let watch = refresh("1 s", "resourcemanager.monitor.capacity.preemption.observe_only", "true");
    let protect = refresh("1 s", "scheduler.capacity.root.a.disable_preemption", "true");
    for (rest, kills) in [(String::new(), 4), (watch, 0), (protect, 0)] {
        let mut sim = start(true, "", FOREVER, &rest);
        while sim.step(&mut Silent).is_some() {}
        assert_eq!((sim.ended(), killed(&sim)), (Some(Ended::Stalled), kills), "{rest}");
        assert!(sim.events() < 3_000, "{} events until {} ms: {rest}", sim.events(), sim.now());
    }
}

#[test]
fn an_idle_stretch_is_jumped_over_with_the_monitor_on() {
    // It does not ask again for what it loses: nothing waits in the end.
    let once = "kind = \"requests\"\ncalls = [{ asks = [{ count = 7, size = \"1 GB/1\" }] }]";
    let (sim, at) = rounds(start(true, "until = \"24 h\"", once, ""));
    assert_eq!((sim.ended(), killed(&sim)), (Some(Ended::Until), 4));
    assert!(sim.events() < 1_000 && at.len() < 40, "{} events, rounds at {at:?}", sim.events());
}

#[test]
fn work_is_counted_once_and_from_the_start_of_the_process() {
    // The node takes a minute to stop a container: the ResourceManager kills it in the meantime.
    let slow = "until = \"90 s\"\ntiming = { stop = \"1 min\", launch = \"2 s\" }";
    for policy in ["none", "kill"] {
        let first = format!("preemption_policy = \"{policy}\"\n{FOREVER}");
        let (sim, _) = rounds(start(true, slow, &first, ""));
        let toll = sim.apps()[0].toll;
        let gave = if policy == "kill" { 4 } else { 0 };
        assert_eq!((toll.killed, toll.given_back, toll.masters), (4, gave, 0), "{policy}");
        let got = &sim.apps()[0].containers;
        assert!(got.len() >= 8, "{got:?}");
        let seconds = toll.lost.memory_mb() / 1024 / 1000;
        // Four containers that came between 6 and 13 s, started 2 s later, killed at 48 s or stopped from 33 s on.
        let (least, most) = if policy == "kill" { (4 * 18, 4 * 24) } else { (4 * 33, 4 * 39) };
        assert!((least..=most).contains(&seconds), "{policy}: {seconds} s");
        assert_eq!(toll.lost.vcores(), toll.lost.memory_mb() / 1024);
        assert_eq!(toll.saved, Resource::ZERO);
    }
}

#[test]
fn a_task_goes_on_from_where_it_had_come_to() {
    let of = |policy: &str| {
        let tasks = "tasks = [{ count = 7, size = \"1 GB/1\", duration = \"60 s\" }]";
        // The other application is gone soon.
        let kill = "[[happenings]]\nat = \"55 s\"\ndo = \"kill_app\"\napp = \"second\"\n";
        let first = format!("preemption_policy = \"{policy}\"\n{tasks}");
        let (sim, _) = rounds(start(true, "until = \"5 min\"", &first, kill));
        let run = &sim.apps()[0];
        let ended = run.id.and_then(|id| sim.rm().app(id)?.finished_at).expect("it is done");
        let progress = run.progress();
        assert_eq!(progress.done, 7, "{policy}");
        (ended, progress.begun_again, progress.resumed, run.toll.lost.is_zero())
    };
    let (kept, kept_again, resumed, kept_all) = of("checkpoint");
    let (lost, again, none, lost_none) = of("kill");
    assert_eq!((kept_again, resumed, kept_all), (0, 4, true));
    assert_eq!((again, none, lost_none), (4, 0, false));
    assert!(lost - kept >= 15_000, "{kept} and {lost} ms");
}
