//! Scenarios with thousands of requests whose constraints nowhere hold, driven as the page does: loaded, stepped through
//! and asked about. docs/performance.md describes them.

use crate::speed::Clock;
use heddle_player::Player;
use heddle_player::explain::view::StepBy;

/// A scenario to play.
#[derive(Clone, Debug)]
pub struct Constrained {
    pub name: &'static str,
    pub text: String,
}

fn scenario(scheduler: &str, handler: &str, nodes: usize, racks: usize, apps: &str) -> String {
    let masters = "[capacity-scheduler]\nmaximum-am-resource-percent = 1.0\n";
    let (masters, scheduling) =
        if scheduler == "capacity" { (masters, "scheduling = \"heartbeat\"\n") } else { ("", "") };
    format!(
        "heddle = 1\nscheduler = \"{scheduler}\"\n{scheduling}until = \"1 min\"\n{masters}[yarn-site]\n\
         resourcemanager.placement-constraints.handler = \"{handler}\"\n\
         [[nodes]]\nname = \"n{{0001}}\"\ncount = {nodes}\nsize = \"16 GB/16\"\nracks = {racks}\n{apps}"
    )
}

fn shell(name: &str, copies: usize, at: u32, spec: &str) -> String {
    format!(
        "[[apps]]\nname = \"{name}\"\ncopies = {copies}\nat = \"{at} s\"\nuser = \"ann\"\nkind = \"distributed-shell\"\n\
         spec = \"{spec}\"\nsize = \"1 GB/1\"\nduration = \"forever\"\n"
    )
}

pub fn scenarios() -> Vec<Constrained> {
    let blocked = shell("block{1}", 1, 0, "block(2000),NOTIN,NODE,block")
        + &shell("zk{0001}", 2003, 10, "zk(1),NOTIN,NODE,all/block");
    let many = shell("zk{1}", 1, 0, "zk(20000),NOTIN,NODE,zk");
    let of = |name, text| Constrained { name, text };
    vec![
        of(
            "one of 2 003, 2 000 nodes",
            scenario("capacity", "scheduler", 2000, 50, &shell("zk{1}", 1, 0, "zk(2003),NOTIN,NODE,zk")),
        ),
        of("2 003 of one each, 2 000 nodes", scenario("capacity", "scheduler", 2000, 50, &blocked)),
        of("one of 20 000, 5 nodes", scenario("capacity", "scheduler", 5, 1, &many)),
        of("the same, processor", scenario("capacity", "placement-processor", 5, 1, &many)),
        of("the same, processor, FairScheduler", scenario("fair", "placement-processor", 5, 1, &many)),
    ]
}

/// Prints the processor seconds of the page's actions.
pub fn report(clock: &Clock<'_>, print: &mut dyn FnMut(&str)) {
    print("Requests whose constraints hold nowhere, CPU s:");
    print(
        "| scenario | load | to 30 s | its slowest second | picture | step back, picture | why | to the end, events | \
         fingerprint |",
    );
    print("|---|---|---|---|---|---|---|---|---|");
    for case in scenarios() {
        let mut last = (clock.cpu)();
        let mut lap = || {
            let now = (clock.cpu)();
            let took = now - last;
            last = now;
            took
        };
        let Some(mut player) = Player::load(&case.text).player else {
            print(&format!("| {} | is refused |", case.name));
            continue;
        };
        let load = lap();
        let (mut seek, mut slowest) = (0.0, 0.0f64);
        for second in 1..=30 {
            player.seek(second * 1_000);
            let took = lap();
            (seek, slowest) = (seek + took, slowest.max(took));
        }
        let picture = player.snapshot(None);
        let snapshot = lap();
        player.step(StepBy::Heartbeat, true);
        let _ = player.snapshot(None);
        let step = lap();
        if let Some(about) = &picture.headline_about {
            let _ = player.why(about);
        }
        let why = lap();
        player.run_to_end();
        let _ = player.events(&heddle_player::EventFilter::default());
        let end = lap();
        print(&format!(
            "| {} | {load:.2} | {seek:.2} | {slowest:.2} | {snapshot:.2} | {step:.2} | {why:.2} | {end:.2} | {:016x} |",
            case.name,
            player.fingerprint()
        ));
    }
}
