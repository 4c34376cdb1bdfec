//! The FairScheduler's threads in a run.

use super::Simulation;
use super::monitors::Monitor;
use super::queue::Event;
use crate::journal::{Change, Entry, Full, Silent};
use crate::model::Millis;
use crate::scenario::read;
use crate::scheduler::app::EndCause;
use std::sync::Arc;

fn start(text: &str) -> Simulation {
    let scenario = read(text);
    let scenario = scenario.scenario.unwrap_or_else(|| panic!("{:?}", scenario.problems));
    Simulation::new(Arc::new(scenario)).expect("it starts")
}

const STARVES: &str = r#"
heddle = 1
scheduler = "fair"
until = "2 min"
[yarn-site]
scheduler.fair.preemption = true
scheduler.fair.waitTimeBeforeKill = 7300
[files]
"fair-scheduler.xml" = """
<allocations>
  <queue name="a"/>
  <queue name="b">
    <minResources>2048 mb, 2 vcores</minResources>
    <minSharePreemptionTimeout>11</minSharePreemptionTimeout>
    <fairSharePreemptionTimeout>17</fairSharePreemptionTimeout>
    <maxAMShare>-1</maxAMShare>
  </queue>
</allocations>
"""
[[nodes]]
name = "n{1}"
count = 2
size = "8 GB/8"
[[apps]]
name = "a"
queue = "root.a"
user = "ann"
am = "1 GB/1"
tasks = { count = 30, size = "1 GB/1", duration = "forever" }
[[apps]]
name = "b"
queue = "root.b"
user = "bob"
at = "30.2 s"
am = "1 GB/1"
tasks = { count = 30, size = "1 GB/1", duration = "forever" }
"#;

/// What preemption did, in a run: times with entries.
fn preempted(text: &str) -> (Vec<(Millis, Change)>, usize) {
    let mut sim = start(text);
    let mut rec = Full::default();
    let mut updates = 0;
    while let Some(stepped) = sim.step(&mut rec) {
        updates += usize::from(stepped.event == Event::Round(Monitor::FairUpdate));
    }
    let of = |entry: &Entry| match entry {
        Entry::Changed(change @ (Change::Starved { .. } | Change::Warned { .. })) => Some(change.clone()),
        Entry::Changed(change @ Change::Completed { why: EndCause::Preempted, .. }) => Some(change.clone()),
        _ => None,
    };
    (rec.entries.iter().filter_map(|(at, entry)| Some((*at, of(entry)?))).collect(), updates)
}

#[test]
fn starvation_is_found_when_a_clock_runs_out_and_its_kill_comes_a_wait_later() {
    let (found, _) = preempted(STARVES);
    // Last seen with its minimum share by the update at 30.0 s; the first one after 11 s finds it starved.
    let starved = found.iter().find(|(_, c)| matches!(c, Change::Starved { .. })).expect("somebody is starved");
    assert_eq!(starved.0, 41_000);
    assert!(matches!(starved.1, Change::Starved { minimum_since: 30_000, chosen: 1, .. }), "{:?}", starved.1);
    let warned = found.iter().find(|(_, c)| matches!(c, Change::Warned { .. })).expect("somebody is warned");
    assert!(matches!(warned.1, Change::Warned { kill_at: 48_300, .. }), "{:?}", warned.1);
    let killed = found.iter().find(|(_, c)| matches!(c, Change::Completed { .. })).expect("somebody is killed");
    let Change::Completed { exit_code, .. } = killed.1 else { panic!() };
    assert_eq!((killed.0, exit_code), (48_300, -102));
}

/// Updates that could change nothing are left out. Where something irrelevant happens all the time none is; the same
/// must come of it.
#[test]
fn updates_that_are_left_out_are_not_missed() {
    let (calm, few) = preempted(STARVES);
    let noise: String = (0..480)
            .map(|i| {
                let (s, part) = (i / 4, 25 * (i % 4));
                format!("[[happenings]]\nat = \"{s}.{part:02} s\"\ndo = \"change_attributes\"\nnode = \"n1\"\nattributes = {{ x = \"{i}\" }}\n")
            })
            .collect();
    let (noisy, many) = preempted(&format!("{STARVES}{noise}"));
    assert!(!calm.is_empty() && few * 2 < many, "{few} updates, and {many}");
    assert_eq!(calm, noisy);
}

#[test]
fn a_written_allocation_file_is_found_by_a_look_more_than_five_seconds_later() {
    let written = |at: &str, queue: &str| {
        format!(
            "[[happenings]]\nat = \"{at}\"\ndo = \"write_allocations\"\n\"fair-scheduler.xml\" = \"<allocations><queue name='{queue}'/></allocations>\"\n"
        )
    };
    let there = |text: &str, at: Millis, queue: &str| {
        let mut sim = start(text);
        sim.run_until(at, &mut Silent);
        sim.rm().fair().is_some_and(|s| s.find_queue(queue).is_some())
    };
    let early = format!("{STARVES}{}", written("14 s", "c"));
    assert!(!there(&early, 19_999, "root.c") && there(&early, 20_000, "root.c"));
    // At 20 s it is not more than five seconds old.
    let late = format!("{STARVES}{}", written("15 s", "c"));
    assert!(!there(&late, 29_999, "root.c") && there(&late, 30_000, "root.c"));
    // Written again meanwhile.
    let twice = format!("{STARVES}{}{}", written("14 s", "c"), written("18 s", "d"));
    assert!(!there(&twice, 29_999, "root.d") && there(&twice, 30_000, "root.d") && !there(&twice, 30_000, "root.c"));
}

#[test]
fn in_migration_mode_nothing_is_updated_and_nothing_placed() {
    let text = STARVES.replace("[yarn-site]", "[yarn-site]\nscheduler.fair.migration.mode = true");
    let mut sim = start(&text);
    sim.run_until(120_000, &mut Silent);
    assert_eq!(sim.rm().cluster().apps.iter().map(|a| a.live.iter().count()).sum::<usize>(), 0);
}
