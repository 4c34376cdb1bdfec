//! Many requests with constraints that cannot be placed: a picture, a step and their list work out only what is viewed. Tests
//! of the core's simulation bound the scheduler's work for them.

use super::{EVENTS_AT_LOAD, Player};
use crate::explain::record::{Watch, Watched};
use crate::explain::view::StepBy;
use heddle_core::journal::{Full, Recorder};
use heddle_core::model::Millis;

fn scenario(handler: &str, scheduler: &str, nodes: usize, apps: &str) -> String {
    format!(
        "heddle = 1\nscheduler = \"{scheduler}\"\nuntil = \"1 min\"\n[yarn-site]\n\
         resourcemanager.placement-constraints.handler = \"{handler}\"\n\
         [[nodes]]\nname = \"n{{1}}\"\ncount = {nodes}\nsize = \"16 GB/16\"\n{apps}"
    )
}

fn shell(name: &str, copies: usize, at: u32, spec: &str) -> String {
    format!(
        "[[apps]]\nname = \"{name}{{1}}\"\ncopies = {copies}\nat = \"{at} s\"\nuser = \"ann\"\nam = {{ unmanaged = true }}\n\
         kind = \"distributed-shell\"\nspec = \"{spec}\"\nsize = \"1 GB/1\"\nduration = \"forever\"\n"
    )
}

/// Twenty nodes that each run one `block`, and thirty requests that may not be beside one. The scheduler offers nodes at
/// their heartbeats.
fn by_heartbeats() -> String {
    let apps = shell("block", 1, 1, "block(20),NOTIN,NODE,block") + &shell("zk", 30, 40, "zk(1),NOTIN,NODE,all/block");
    scenario("scheduler", "capacity", 20, &apps).replace("heddle = 1\n", "heddle = 1\nscheduling = \"heartbeat\"\n")
}

#[test]
fn a_round_is_replayed_with_the_entries_that_a_full_one_has() {
    let mut player = Player::load(&by_heartbeats()).player.expect("a player");
    player.seek(44_900);
    let app = player.insight().waiting.first().expect("somebody waits").app;
    let watched = player.here().watched(Watch::of(Watched::default().and([app])), player.now());
    let (mut at, mut sim) = player.here().earlier(player.simulation().now() - player.here().round());
    let mut full = Full::default();
    while at < player.position() && sim.step(&mut full).is_some() {
        at += 1;
    }
    let mut kept = Watch::of(Watched::default().and([app]));
    full.entries.into_iter().for_each(|(at, entry)| kept.keep(at, entry));
    assert!(watched.len() > 20);
    assert_eq!(watched, kept.entries);
}

/// Slices of one event give the same result, and no slice plays more.
#[test]
fn a_picture_is_prepared_in_slices() {
    let mut player = Player::load(&by_heartbeats()).player.expect("a player");
    player.seek(44_900);
    let mut other = player.clone();
    let insight = player.insight();
    let mut slices = 0;
    while !other.look(1) {
        slices += 1;
    }
    // Each of twenty nodes reports once.
    assert!(slices > 20, "{slices}");
    let seen = other.seen().expect("it is known");
    assert_eq!((&seen.waiting, &seen.explained), (&insight.waiting, &insight.explained));
    assert_eq!(other.snapshot(None), player.snapshot(None));
    // Another moment is worked out again.
    other.seek(43_000);
    assert!(!other.look(1) && other.seen().is_none());
}

/// A step works out what is viewed, not everything that waits.
#[test]
fn a_step_explains_a_few_requests_of_thousands() {
    let text = scenario("scheduler", "capacity", 5, &shell("zk", 1, 1, "zk(2000),NOTIN,NODE,zk"));
    let mut player = Player::load(&text).player.expect("a player");
    player.seek(30_000);
    player.step(StepBy::Heartbeat, true);
    assert_eq!(player.insight().waiting.len(), 1_995);
    assert!(player.insight().explained.len() <= 64);
    assert!(player.progress().events < EVENTS_AT_LOAD);
    let told = player.here().watched(Watch::of(Watched::requests(&player.insight().waiting)), player.now());
    // A request's visit, its node's, a check that passed and one that failed.
    assert!(told.len() < 5 * (8 * 1_995 + 100), "{}", told.len());
}

#[test]
fn thousands_of_rejections_have_names() {
    let text = scenario("placement-processor", "fair", 5, &shell("zk", 1, 1, "zk(3000),NOTIN,NODE,zk"));
    let mut player = Player::load(&text).player.expect("a player");
    player.run_to_end();
    let rejected = player.events(&super::EventFilter::default()).into_iter().filter(|e| e.name.starts_with("zk"));
    let names: std::collections::BTreeSet<String> = rejected.map(|e| e.name).collect();
    assert!(names.len() > 2_900, "each has a name of its own: {}", names.len());
}

/// However a run is played and however often it is viewed meanwhile, pending applications are explained the same.
#[test]
fn what_is_told_of_pending_applications_is_as_of_now() {
    let text = "heddle = 1\nscheduling = \"heartbeat\"\n[capacity-scheduler]\nroot.queues = \"default\"\n\
                root.default.capacity = 100\nmaximum-am-resource-percent = 0.5\n[[nodes]]\nname = \"n1\"\n\
                size = \"8 GB/8\"\n[[apps]]\nname = \"job{1}\"\ncopies = 60\nuser = \"ann\"\nam = \"1 GB/1\"\n\
                tasks = [{ count = 1, size = \"1 GB/1\", duration = \"5 s\" }]\n";
    let every = super::EventFilter { skips: true, ..super::EventFilter::default() };
    let passes = |player: &Player, ms| {
        let events = player.events(&every);
        let of_last = |e: &&crate::explain::view::EventView| e.name == "job60" && e.verb == "not activated";
        let times: u64 = events.iter().filter(of_last).map(|e| e.times).sum();
        let ends = events.iter().filter(|e| e.verb == "activated" && e.time_ms <= ms).count() as u64;
        (times, ends, events.iter().rfind(|e| of_last(e)).map(|e| e.last_ms))
    };
    let load =
        || Player::begin(heddle_core::scenario::read(text).scenario.expect("a scenario"), text).expect("it starts");
    let (mut whole, mut steps) = (load(), load());
    whole.run_to_end();
    // It is refused when it is submitted, with 4 others running, and at each completion but the one that admits it.
    let (times, activated, last) = passes(&whole, Millis::MAX);
    assert_eq!((times, activated), (1 + 55, 60));
    assert!(last > Some(60_000), "{last:?}");
    while !steps.run(7).done {
        let (times, activated, last) = passes(&steps, Millis::MAX);
        assert!(times.max(4) + 4 >= activated && last.is_none_or(|last| last <= steps.progress().known_ms));
        if steps.progress().events % 100 < 7 {
            steps.seek(steps.progress().known_ms / 2);
            steps.step(StepBy::Decision, false);
        }
    }
    assert_eq!(steps.events(&every), whole.events(&every));
}
