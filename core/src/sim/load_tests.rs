//! Many requests with constraints that cannot be placed: what is done for them is bounded, whatever the time it takes.

use super::Simulation;
use crate::journal::{Entry, Folded, Full, PlainLog, Recorder, SameOutcome, Silent};
use crate::model::Millis;
use crate::scheduler::ShortCuts;
use std::sync::Arc;

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

/// Twenty nodes that all run one `block`, and thirty requests that may not be where one is.
fn barred() -> String {
    let apps = shell("block", 1, 1, "block(20),NOTIN,NODE,block") + &shell("zk", 30, 40, "zk(1),NOTIN,NODE,all/block");
    scenario("scheduler", "capacity", 20, &apps)
}

/// A load like that of [`barred`], where nodes are looked at when they report, instead of in walks of the scheduler's own.
fn by_heartbeats() -> String {
    barred().replace("heddle = 1\n", "heddle = 1\nscheduling = \"heartbeat\"\n")
}

fn evaluations(sim: &Simulation) -> u64 {
    sim.rm().capacity().map_or(0, |s| s.evaluations())
}

fn play<R: Recorder>(text: &str, rec: &mut R) -> Simulation {
    play_with(ShortCuts::TAKEN, text, rec)
}

fn play_with<R: Recorder>(short_cuts: ShortCuts, text: &str, rec: &mut R) -> Simulation {
    let scenario = crate::scenario::read(text).scenario.expect("a scenario");
    let mut sim = Simulation::new(Arc::new(scenario)).expect("it starts").with_short_cuts(short_cuts);
    while sim.step(rec).is_some() {}
    sim
}

#[test]
fn what_came_to_nothing_on_a_node_is_not_evaluated_again_before_something_changes() {
    // What `not-self` means depends on who asks, so that each application's request is evaluated for itself.
    let text = barred().replace("all/block", "not-self/block");
    let (mut sim, mut told) = (play(&text, &mut Silent), play_with(ShortCuts::NONE, &text, &mut Full::default()));
    let (once, each_time) = (evaluations(&sim), evaluations(&told));
    assert!(once >= 20 * 30, "each was evaluated on each node: {once}");
    assert_eq!(evaluations(&play(&text, &mut Full::default())), once, "whatever is recorded");
    // Without short cuts it is done each time.
    assert!(each_time >= once + 2 * 20 * 30, "{once} {each_time}");
    // The chances that were missed are the same.
    let missed = |sim: &Simulation| {
        let apps = sim.rm().cluster().apps.iter();
        apps.flat_map(|a| a.asks.keys().iter().map(|k| k.missed_non_partitioned)).max()
    };
    sim.count_chances();
    told.count_chances();
    assert_eq!(missed(&sim), missed(&told));
    assert!(missed(&told) >= Some(40));
}

/// Thirty applications come to ask within a second, in which every call of theirs changes the books.
#[test]
fn alike_requests_of_different_applications_are_evaluated_once_in_an_attempt() {
    let heartbeats = 20 * 60;
    let alike = evaluations(&play(&by_heartbeats(), &mut Folded::new(1_000)));
    assert!((20..4 * heartbeats).contains(&alike), "{alike}");
    // For each application another meaning: each is evaluated, in every round in which another one comes to ask.
    let own = by_heartbeats().replace("all/block", "not-self/block");
    let own = evaluations(&play(&own, &mut Folded::new(1_000)));
    assert!(own >= 20 * 30 && own > 5 * alike, "{own} {alike}");
}

#[test]
fn requests_that_are_alike_are_evaluated_once_in_an_attempt() {
    let text = scenario("scheduler", "capacity", 5, &shell("zk", 1, 1, "zk(400),NOTIN,NODE,zk"));
    let mut log = Folded::new(1_000);
    let sim = play(&text, &mut log);
    // Five are placed; each attempt before all nodes are known evaluates once for what it looks at, and once at the commit.
    assert!(evaluations(&sim) < 60, "{}", evaluations(&sim));
    assert!(log.lines.iter().filter(|l| l.times >= 2).count() >= 5 * 395, "each is told of, again and again");
}

#[test]
fn a_log_of_repeated_attempts_is_as_if_told() {
    for text in [barred(), by_heartbeats()] {
        let (mut log, mut told) = (Folded::new(1_000), PlainLog(Folded::new(1_000)));
        play(&text, &mut log);
        play(&text, &mut told);
        assert!(log.lines == told.0.lines, "{text}");
    }
}

/// Keeps everything, and counts the requests that it hears of in common.
#[derive(Default)]
struct InCommon {
    full: Full,
    requests: usize,
}

impl Recorder for InCommon {
    fn on(&self) -> bool {
        true
    }

    fn keep(&mut self, at: Millis, entry: Entry) {
        self.full.keep(at, entry);
    }

    fn alike(&mut self, at: Millis, alike: &SameOutcome<'_>) {
        self.requests += alike.others.len();
        self.full.alike(at, alike);
    }
}

/// Of two tags, of two applications, and with constraints that hold on some nodes.
#[test]
fn requests_that_are_alike_are_passed_over_in_common() {
    let apps = shell("zk", 2, 1, "zk(40),NOTIN,NODE,zk:hb(30),NOTIN,RACK,hb:yarn(3),IN,NODE,zk")
        + &shell("mk", 2, 9, "mk(50),IN,NODE,all/hb");
    for text in [
        scenario("scheduler", "capacity", 5, &apps),
        scenario("scheduler", "capacity", 5, &apps).replace("heddle = 1\n", "heddle = 1\nscheduling = \"heartbeat\"\n"),
    ] {
        let (mut common, mut each) = (InCommon::default(), Full::default());
        let (sim, step_by_step) = (play(&text, &mut common), play_with(ShortCuts::NONE, &text, &mut each));
        assert!(common.requests > 10_000, "{}", common.requests);
        assert_eq!(common.full.entries.len(), each.entries.len());
        let differs = common.full.entries.iter().zip(&each.entries).find(|(a, b)| a != b);
        assert!(differs.is_none(), "in common, each: {differs:#?}");
        assert!(sim.rm().settled() == step_by_step.rm().settled(), "chances that were missed count too");
    }
}

/// More of them than the log has lines for.
#[test]
fn a_log_of_more_alike_requests_than_it_has_room_for_is_as_if_told() {
    let apps = shell("zk", 1, 1, "zk(20000),NOTIN,NODE,zk");
    let text = scenario("scheduler", "capacity", 3, &apps).replace("until = \"1 min\"", "until = \"6 s\"");
    let (mut log, mut told) = (Folded::new(1_000), PlainLog(Folded::new(1_000)));
    play(&text, &mut log);
    play(&text, &mut told);
    assert!(log.dropped > 0);
    assert_eq!((log.dropped, log.lines.len()), (told.0.dropped, told.0.lines.len()));
    assert!(log.lines == told.0.lines);
}
