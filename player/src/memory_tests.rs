//! The memory of a run is estimated, bounded and shown; a run that would need more is cut off, and the player says so.

use super::explain::view::StepBy;
use super::{Player, SeekGoal};
use heddle_core::model::{Severity, limits};
use heddle_core::scenario::{read, weight};

fn scenario(apps: usize, tasks: usize) -> String {
    format!(
        "heddle = 1\nscheduling = \"heartbeat\"\nuntil = \"10 min\"\n[capacity-scheduler]\nroot.queues = \"default\"\n\
         root.default.capacity = 100\nmaximum-am-resource-percent = 0.5\n[[nodes]]\nname = \"n{{1}}\"\ncount = 10\n\
         size = \"64 GB/32\"\n[[apps]]\nname = \"job{{1}}\"\ncopies = {apps}\nuser = \"ann\"\nam = \"1 GB/1\"\n\
         tasks = [{{ count = {tasks}, size = \"2 GB/1\", duration = \"20 s\" }}]\n\
         [[expect]]\nat = \"9 min\"\napp = \"job1\"\nplaced = 0\n[[expect]]\nat = \"end\"\napp = \"job1\"\nplaced = 0\n"
    )
}

fn player(text: &str, most_bytes: usize) -> Player {
    let scenario = read(text).scenario.expect("a scenario");
    let mut player = Player::begin(scenario, text).expect("it starts");
    player.track = player.track.with_most_bytes(most_bytes);
    player
}

#[test]
fn a_run_that_takes_too_much_is_cut_off_and_says_so() {
    let text = scenario(60, 4);
    let mut whole = player(&text, usize::MAX);
    whole.run_to_end();
    assert!(whole.snapshot(None).cut_off.is_none() && whole.verdicts().iter().all(|v| v.passed));
    let most = whole.weight() / 2;
    let mut cut = player(&text, most);
    let progress = cut.run_to_end();
    assert!(progress.done && progress.events < whole.progress().events);
    assert!(cut.weight() > most && cut.weight() < most + most / 4, "{} {most}", cut.weight());
    // The run is cut off at the same event on every machine, and what was played can still be viewed.
    let mut slices = player(&text, most);
    while !slices.run(7).done {}
    assert_eq!(slices.progress(), progress);
    cut.seek(i64::MAX / 8);
    assert_eq!(cut.now(), progress.known_ms, "nothing is shown of what was not played");
    let words = cut.snapshot(None).cut_off.expect("it says so");
    assert!(words.starts_with("Stopped after") && words.contains("MB, and more is not kept"), "{words}");
    cut.step(StepBy::Change, true);
    cut.step(StepBy::Change, false);
    cut.step(StepBy::Change, false);
    assert_eq!(cut.position(), progress.events);
    let verdicts = cut.verdicts();
    assert!(verdicts.iter().all(|v| !v.passed && v.what.contains("does not come that far")), "{verdicts:?}");
}

/// The estimate before a run is close to what the run takes.
#[test]
fn what_a_run_will_take_is_known_before() {
    for (apps, tasks) in [(40, 20), (300, 1)] {
        let text = scenario(apps, tasks);
        let before = weight(&read(&text).scenario.expect("a scenario")) as usize;
        let mut played = player(&text, usize::MAX);
        let nothing = played.weight();
        played.run_to_end();
        let takes = played.weight() - nothing.min(played.weight());
        assert!(before / 4 < takes && takes < before * 4, "{apps} × {tasks}: {before} before, {takes} after");
    }
    let large = read(&scenario(20_000, 90)).problems;
    let told = large.iter().find(|p| p.what.contains("this run takes about")).expect("it is told");
    assert!(told.severity == Severity::Warning && told.what.contains(&format!("{} MB.", limits::RUN_BYTES >> 20)));
    assert!(read(&scenario(6_500, 4)).problems.is_empty());
}

/// A step forward is searched for in slices, so that a user can stop it.
#[test]
fn where_a_step_leads_is_found_in_slices() {
    let text = scenario(1, 1).replace("am = \"1 GB/1\"", "am = \"1 GB/1\"\nat = \"5 min\"");
    let mut at_once = player(&text, usize::MAX);
    let mut slices = at_once.clone();
    for by in [StepBy::Change, StepBy::Change, StepBy::Decision, StepBy::Heartbeat, StepBy::Round] {
        at_once.step(by, false);
        let mut n = 0;
        while !slices.foresees(by, 1) {
            n += 1;
            assert!(n < 100_000);
        }
        slices.step(by, false);
        assert_eq!((slices.position(), slices.now()), (at_once.position(), at_once.now()), "{by:?}");
    }
}

/// Going back also works in slices and leads to the same state; the present moment does not change until then.
#[test]
fn any_moment_is_reached_in_slices() {
    let text = scenario(5, 3);
    let mut at_once = player(&text, usize::MAX);
    at_once.run_to_end();
    at_once.seek(300_000);
    let mut slices = at_once.clone();
    let state = |p: &Player| (p.position(), p.now(), p.snapshot(None));
    let mut sliced = 0;
    for goal in [
        SeekGoal::Time(200_500),
        SeekGoal::Time(100),
        SeekGoal::Event(77),
        SeekGoal::Event(1),
        SeekGoal::Time(299_999),
        SeekGoal::Time(0),
    ] {
        match goal {
            SeekGoal::Time(ms) => at_once.seek(ms),
            SeekGoal::Event(event) => at_once.seek_event(event),
        }
        let before = (slices.position(), slices.now());
        for n in 0.. {
            if slices.walk(goal, 3) {
                sliced += usize::from(n > 2);
                break;
            }
            assert_eq!((slices.position(), slices.now()), before);
            assert!(slices.walked().is_some());
        }
        assert!(state(&slices) == state(&at_once) && slices.walked().is_none(), "{goal:?}");
    }
    assert!(sliced > 2, "some ways were long");
    // A cancelled seek leaves nothing behind.
    at_once.seek(150_000);
    slices.seek(150_000);
    assert!(!slices.walk(SeekGoal::Event(90), 1));
    slices.stay();
    assert!(slices.walked().is_none() && state(&slices) == state(&at_once));
}
