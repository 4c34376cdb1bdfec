//! What masters may do, played by one that does all of it.

use crate::journal::{Entry, Full, GiveUp, MasterAct};
use crate::rm::AppState;
use crate::scenario::read;
use crate::sim::Simulation;
use crate::strategy::probe::{Do, Probe};
use std::sync::Arc;

const TEXT: &str = r#"
heddle = 1
scheduling = "heartbeat"
until = "3 min"
[[nodes]]
name = "n1"
size = "4 GB/4"
[[nodes]]
name = "n2"
size = "4 GB/4"
[[apps]]
name = "a"
user = "ann"
am = { size = "1 GB/1", start = "1 s" }
tasks = [{ count = 1, size = "1 GB/1" }]
"#;

struct Played {
    sim: Simulation,
    heard: Vec<String>,
    acts: Vec<MasterAct>,
}

fn play(text: &str, probe: Probe) -> Played {
    let scenario = read(text);
    let scenario = scenario.scenario.unwrap_or_else(|| panic!("{:?}", scenario.problems));
    let mut sim = Simulation::new(Arc::new(scenario)).expect("it starts");
    sim.probe = Some(probe);
    let mut journal = Full::default();
    while sim.step(&mut journal).is_some() {}
    let heard = sim.apps()[0].store.iter().map(|(_, text)| text.to_string()).collect();
    let acts =
        journal.entries.into_iter().filter_map(|(_, e)| if let Entry::Acted(act) = e { Some(act) } else { None });
    Played { acts: acts.collect(), sim, heard }
}

fn probe(asks: i64, scripts: &[&[(i64, Do)]]) -> Probe {
    Probe { asks, scripts: scripts.iter().map(|s| s.to_vec()).collect(), ..Probe::default() }
}

fn about<'a>(played: &'a Played, what: &str) -> Vec<&'a str> {
    played.heard.iter().map(String::as_str).filter(|line| line.contains(what)).collect()
}

fn happenings(list: &[(i64, &str, &str)]) -> String {
    let one =
        |(at, what, rest): &(i64, &str, &str)| format!("[[happenings]]\nat = \"{at} s\"\ndo = \"{what}\"\n{rest}\n");
    format!("{TEXT}{}", list.iter().map(one).collect::<String>().replace("\\n", "\n"))
}

#[test]
fn what_an_attempt_keeps_is_there_for_the_next() {
    let first: &[_] = &[(5_000, Do::Launch(0)), (9_000, Do::Stop(0)), (14_000, Do::Fail)];
    let played = play(TEXT, probe(2, &[first, &[(3_000, Do::Unregister)]]));
    let attempts = about(&played, "attempt");
    assert_eq!(attempts.len(), 2, "{:?}", played.heard);
    let before = played.heard.iter().position(|line| line == attempts[1]).expect("it is there");
    assert!(attempts[1].contains(&format!("attempt 2 finds {before} lines")), "{attempts:?}");
    // Launched by a timer long after it was granted, stopped without the ResourceManager.
    assert_eq!(about(&played, "2 started").len(), 1, "{:?}", played.heard);
    assert_eq!(about(&played, "2 over: -105").len(), 1, "{:?}", played.heard);
    let app = &played.sim.rm().apps()[0];
    assert_eq!((app.state, app.failures), (AppState::Finished, 1));
    assert_eq!(played.acts, [MasterAct::GaveUp { app: app.id, why: GiveUp::TaskFailures { failures: 1 } }]);
}

#[test]
fn timers_fire_once_and_ticks_until_they_are_cancelled() {
    let mut ticking = probe(0, &[&[(7_000, Do::CancelTick), (20_000, Do::Nothing), (30_000, Do::Unregister)]]);
    (ticking.tick_ms, ticking.busy) = (Some(2_000), true);
    let played = play(TEXT, ticking);
    let ticks: Vec<i64> =
        about(&played, "tick").iter().map(|l| l.split(' ').next().unwrap().parse().unwrap()).collect();
    let at: i64 = played.heard[0].split(' ').next().unwrap().parse().unwrap();
    assert_eq!(ticks, [at + 2_000, at + 4_000, at + 6_000]);
    assert_eq!(played.sim.rm().apps()[0].finished_at.map(|t| t >= at + 30_000), Some(true));
}

#[test]
fn idle_ticks_are_jumped_over_and_keep_no_run_going() {
    let mut ticking = probe(0, &[&[(100_000, Do::Nothing)]]);
    ticking.tick_ms = Some(2_000);
    let played = play(&TEXT.replace("until = \"3 min\"\n", ""), ticking);
    assert_eq!(played.sim.ended(), Some(crate::sim::Ended::Idle));
    assert!(about(&played, "tick").len() < 20, "{:?}", played.heard);
    // It goes on to the timer, and from there on the ticks are where they would have been.
    assert!(played.sim.now() >= 100_000, "{}", played.sim.now());
    let odd = about(&played, "tick").into_iter().filter(|l| !l.contains("000 ")).count();
    assert_eq!(odd, 0, "{:?}", played.heard);
}

#[test]
fn nodes_that_come_and_go_are_told() {
    let text = happenings(&[
        (10, "add_node", r#"name = "n3"\nsize = "4 GB/4""#),
        (20, "decommission_node", r#"node = "n3""#),
        (30, "remove_node", r#"node = "n2""#),
    ]);
    let played = play(&text, probe(0, &[&[]]));
    assert!(played.heard[0].ends_with("nodes +n1 +n2"), "{:?}", played.heard);
    // A decommissioning node can still be used: it is told of twice.
    let told: Vec<&str> = about(&played, " nodes ").into_iter().skip(1).collect();
    assert_eq!(told.len(), 4, "{told:?}");
    for (line, what) in told.iter().zip(["+n3", "+n3", "-n3", "-n2"]) {
        assert!(line.ends_with(what), "{told:?}");
    }
}

#[test]
fn a_container_on_a_node_that_is_gone_does_not_start_and_one_too_many_may_be_preempted() {
    let small = |node: &str| format!("node = \"{node}\"\nsize = \"1 GB/1\"\novercommit_timeout = \"50 s\"");
    let text = happenings(&[
        (20, "resize_node", &small("n1")),
        (20, "resize_node", &small("n2")),
        (30, "crash_node", r#"node = "n2""#),
    ]);
    let steps: Vec<(i64, Do)> = (0..5).map(|k| (35_000 + k as i64, Do::Launch(k))).collect();
    let played = play(&text, probe(5, &[&steps]));
    assert!(!about(&played, "may be preempted").is_empty(), "{:?}", played.heard);
    let (up, not) = (about(&played, " started"), about(&played, "not started"));
    assert!(!not.is_empty() && up.len() == 5 && not.len() < 5, "{:?}", played.heard);
}

#[test]
fn a_call_that_is_refused_is_told() {
    let played = play(&TEXT.replace("4 GB/4", "2 GB/2"), Probe { asks: 1, size_mb: 16_384, ..Probe::default() });
    assert_eq!(about(&played, "refused").len(), 1, "{:?}", played.heard);
    let app = played.sim.rm().apps()[0].id;
    assert_eq!(played.acts, [MasterAct::GaveUp { app, why: GiveUp::CallRefused }]);
    assert_eq!(played.sim.apps()[0].succeeded, Some(false));
}
