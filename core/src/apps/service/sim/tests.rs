//! YARN services in a simulation: what starts when, what follows the ends of instances, what users do.

use crate::apps::service::journal::{AskReason, Decision, Then};
use crate::journal::{Entry, MasterAct};
use crate::model::ContainerId;
use crate::rm::AppState;
use crate::sim::fixtures::{GATE, Played, happens};
use crate::sim::{Tried, TriedOutcome};

/// Returns a cluster with the node `gate` for ApplicationMasters and three others; containers are up a second after they were
/// granted.
fn cluster(components: &str, more: &str) -> String {
    format!(
        r#"
heddle = 1
scheduling = "heartbeat"
until = "20 min"
timing = {{ launch = "1 s" }}
[yarn-site]
"yarn.resourcemanager.placement-constraints.handler" = "scheduler"
{GATE}
[[nodes]]
name = "n{{1}}"
count = 3
size = "8 GB/8"
[[apps]]
name = "web"
kind = "yarn-service"
am = {{ places = ["gate"] }}
{components}
{more}
"#
    )
}

fn component(name: &str, count: i64, more: &str) -> String {
    format!("[[apps.components]]\nname = \"{name}\"\ncount = {count}\nsize = \"2 GB/1\"\n{more}\n")
}

impl Played {
    /// Returns the decisions about a component, with their times in seconds.
    fn decided(&self, name: &str) -> Vec<(i64, &Decision)> {
        let acts = self.journal.entries.iter().filter_map(|(at, e)| match e {
            Entry::Acted(MasterAct::Service(act)) => Some((*at / 1000, act)),
            _ => None,
        });
        acts.filter(|(_, a)| a.component.as_deref() == Some(name)).map(|(at, a)| (at, &a.decision)).collect()
    }

    fn running(&self) -> Vec<ContainerId> {
        let app = self.sim.apps()[0].id.expect("it is submitted");
        self.sim.rm().containers_of(app).filter(|c| !c.am).map(|c| c.id).collect()
    }

    fn ends(&self, name: &str) -> Vec<(i64, i32, Then)> {
        let ended = |(at, d): (i64, &Decision)| match d {
            Decision::Ended { exit_code, then, .. } => Some((at, *exit_code, *then)),
            _ => None,
        };
        self.decided(name).into_iter().filter_map(ended).collect()
    }

    /// Returns the messages of clients that refused.
    fn not_submitted(&self) -> Vec<&str> {
        let told = self.sim.notices().iter().filter_map(|n| match (&n.tried, &n.outcome) {
            (Tried::Submission(_), TriedOutcome::Refused(r)) => Some(r.message.as_str()),
            _ => None,
        });
        told.collect()
    }

    fn refusals(&self) -> Vec<&str> {
        let told = self.sim.notices().iter().filter(|n| matches!(n.tried, Tried::Happening(_)));
        told.filter_map(|n| if let TriedOutcome::Refused(r) = &n.outcome { Some(r.message.as_str()) } else { None })
            .collect()
    }

    fn state(&self) -> (AppState, Option<bool>) {
        let run = &self.sim.apps()[0];
        (self.sim.rm().app(run.id.expect("an id")).expect("known").state, run.succeeded)
    }
}

#[test]
fn a_component_starts_at_the_readiness_check_that_finds_its_dependencies_ready() {
    let front = component("front", 2, "dependencies = [\"cache\"]");
    let mut played = Played::of(&cluster(&format!("{front}{}", component("cache", 2, "")), ""));
    played.to(90);
    let asked = |name: &str| {
        let is = |d: &Decision| matches!(d, Decision::Asked { count: 2, why: AskReason::Start });
        played.decided(name).into_iter().find(|(_, d)| is(d)).map(|(at, _)| at)
    };
    let ready: Vec<i64> = played
        .decided("cache")
        .iter()
        .filter(|(_, d)| matches!(d, Decision::Ready { .. }))
        .map(|(at, _)| *at)
        .collect();
    assert_eq!((ready.len(), ready.first(), asked("front")), (2, ready.last(), ready.last().copied()));
    assert!(asked("cache").is_some_and(|at| ready[0] - at == 30), "the first check, 30 s after its start");
    let Decision::Held { needs } = played.decided("front")[0].1 else { panic!("held") };
    assert_eq!((needs[0].component.as_str(), needs[0].ready, needs[0].wanted), ("cache", 0, 2));
    // Components are in the order of dependencies, not in that of the file: cache has id 0.
    let names: Vec<&str> = played.sim.service(0).expect("it runs").components().map(|(s, _)| s.name.as_str()).collect();
    assert_eq!((names, played.running().len()), (vec!["cache", "front"], 4));
}

#[test]
fn each_restart_policy_does_its_own_with_ends() {
    let lasts =
        |policy: &str, code: i32| format!("restart_policy = \"{policy}\"\nduration = \"20 s\"\nexit_code = {code}");
    let mut played = Played::of(&cluster(&component("w", 1, &lasts("ALWAYS", 0)), ""));
    let ends = played.to(100).ends("w");
    assert!(ends.len() >= 3 && ends.iter().all(|(_, code, then)| (*code, *then) == (0, Then::AskedAgain)), "{ends:?}");
    for (policy, code, then, succeeded) in [
        ("ON_FAILURE", 0, Then::Succeeded, true),
        ("NEVER", 0, Then::Succeeded, true),
        ("NEVER", 3, Then::Failed, false),
    ] {
        let mut played = Played::of(&cluster(&component("w", 2, &lasts(policy, code)), ""));
        played.to(100);
        assert!(played.ends("w").iter().all(|end| (end.1, end.2) == (code, then)), "{policy} {code}");
        assert_eq!(played.state(), (AppState::Finished, Some(succeeded)), "{policy} {code}");
    }
    // The service does not end while another component runs.
    let both = format!("{}{}", component("w", 2, &lasts("NEVER", 0)), component("v", 1, ""));
    let mut played = Played::of(&cluster(&both, ""));
    assert_eq!((played.to(100).ends("w").len(), played.state()), (2, (AppState::Running, None)));
}

#[test]
fn a_process_that_fails_is_started_again_by_its_node_ten_times_before_the_service_hears_of_it() {
    let fails = "duration = \"5 s\"\nexit_code = 1";
    let mut played = Played::of(&cluster(&component("w", 1, fails), ""));
    played.to(500);
    let again = played.decided("w").iter().filter(|(_, d)| matches!(d, Decision::Relaunched { .. })).count();
    // Each round takes 35 s; the eleventh failure is reported.
    let told = played.ends("w");
    assert_eq!(told[..].iter().map(|end| (end.1, end.2)).collect::<Vec<_>>(), [(1, Then::AskedAgain)]);
    assert!(again >= 10 && told[0].0 > 350, "{again} {told:?}");
    // Processes with NEVER are not restarted, nor are those that were killed from outside.
    let mut played = Played::of(&cluster(&component("w", 1, &format!("restart_policy = \"NEVER\"\n{fails}")), ""));
    assert_eq!(played.to(60).ends("w").len(), 1);
    let kill = happens("30 s", "do = \"finish_container\"\napp = \"web\"\ncontainer = 1\nexit_code = 137");
    let mut played = Played::of(&cluster(&component("w", 1, ""), &kill));
    assert_eq!(played.to(60).ends("w")[0].1, 137);
}

#[test]
fn the_newest_instances_go_when_fewer_are_wanted_and_grants_that_come_late_are_given_back() {
    let flex = |at: &str, n: i64| happens(at, &format!("do = \"flex_app\"\napp = \"web\"\ncomponents = {{ w = {n} }}"));
    let mut played = Played::of(&cluster(&component("w", 2, ""), &format!("{}{}", flex("60 s", 4), flex("120 s", 1))));
    let first = played.to(59).running();
    assert_eq!(played.to(100).running().len(), 4);
    assert_eq!(played.to(130).running(), [first[0]], "the oldest");
    // Requests are not withdrawn: 20 of 2 GB do not fit, and after the flex down a node joins.
    let node = happens("120 s", "do = \"add_node\"\nname = \"late\"\nsize = \"64 GB/64\"");
    let mut played = Played::of(&cluster(&component("w", 20, ""), &format!("{}{node}", flex("60 s", 12))));
    played.to(110);
    assert_eq!(played.running().len(), 12, "{:?}", played.decided("w"));
    played.to(150);
    let surplus = played.decided("w").iter().filter(|(_, d)| matches!(d, Decision::Surplus { .. })).count();
    // The client's counts are absolute: a container granted before its next call may be requested again.
    assert!(played.running().len() == 12 && surplus >= 8, "{surplus}");
}

#[test]
fn a_flex_before_the_dependencies_are_ready_is_put_aside_and_the_component_starts_as_it_was() {
    let parts = format!("{}{}", component("cache", 1, ""), component("front", 1, "dependencies = [\"cache\"]"));
    let flex = happens("15 s", "do = \"flex_app\"\napp = \"web\"\ncomponents = { front = 3 }");
    let mut played = Played::of(&cluster(&parts, &flex));
    played.to(120);
    assert!(played.decided("front").iter().any(|(_, d)| matches!(d, Decision::FlexDeferred { to: 3, .. })));
    assert_eq!(played.running().len(), 2);
    // The definition has the new number, which the next start uses.
    assert_eq!(played.sim.service_counts(0), [("cache", 1), ("front", 3)]);
}

/// Requests that a client refuses never reach YARN; a distributed shell's queue is looked up, and its sizes are capped.
#[test]
fn what_a_client_refuses_and_cuts() {
    let large = component("w", 1, "").replace("2 GB/1", "9 GB/1");
    let mut played = Played::of(&cluster(&large, ""));
    let words = "Component w: specified memory size (9216) is larger than configured max container memory size (8192)";
    assert_eq!(played.to(60).not_submitted(), [words]);
    assert!(played.sim.rm().apps().is_empty(), "YARN never heard of it");
    let shell = |name: &str, more: &str| {
        format!("[[apps]]\nname = \"{name}\"\nkind = \"distributed-shell\"\nam = {{ places = [\"gate\"] }}\n{more}\n")
    };
    let lost = shell("lost", "queue = \"nowhere\"");
    let shells = format!("{lost}{}", shell("cut", "containers = 1\nsize = \"9 GB/1\""));
    let mut played = Played::of(&cluster(&component("w", 1, ""), &shells));
    assert_eq!(played.to(60).not_submitted(), ["Queue nowhere not present in scheduler configuration."]);
    // The client uses the application's name as a folder name.
    let mut named = Played::of(&cluster(&component("w", 1, ""), &shell("a:b", "")));
    let told = named.to(60).not_submitted().concat();
    assert!(
        told.starts_with("java.net.URISyntaxException: Relative path in absolute URI: a:b/application_0_"),
        "{told}"
    );
    let cuts: Vec<i64> = played
        .sim
        .notices()
        .iter()
        .filter_map(|n| if let TriedOutcome::Cut(cut) = &n.outcome { Some(cut.given.memory_mb()) } else { None })
        .collect();
    assert_eq!(cuts, [8192]);
}

#[test]
fn an_upgrade_starts_processes_anew_where_they_are_one_component_after_the_other() {
    let parts = format!("{}{}", component("a", 2, ""), component("b", 1, ""));
    let upgrade = happens("100 s", "do = \"upgrade_app\"\napp = \"web\"\ncomponents = [\"b\", \"a\"]");
    let early = happens("5 s", "do = \"upgrade_app\"\napp = \"web\"\ncomponents = [\"a\"]");
    let flex = happens("110 s", "do = \"flex_app\"\napp = \"web\"\ncomponents = { a = 3 }");
    let mut played = Played::of(&cluster(&parts, &format!("{early}{upgrade}{flex}")));
    let before = played.to(99).running();
    played.to(101);
    let process = |played: &Played, id| played.sim.process(id).expect("a process").launched_at;
    assert_eq!(process(&played, before[0]), 100_000);
    assert_eq!((played.running(), played.sim.service(0).expect("it runs").ready(0)), (before.clone(), (0, 2)));
    played.to(300);
    assert_eq!(played.running(), before, "no container was asked for");
    let done = |name: &str| {
        let at = |d: &Decision| matches!(d, Decision::Upgraded);
        played.decided(name).into_iter().find(|(_, d)| at(d)).map_or(0, |(at, _)| at)
    };
    assert!(done("a") >= 130 && done("b") > done("a"), "{} {}", done("a"), done("b"));
    let told = played.refusals();
    assert!(told[0].contains("STABLE") && told[1].contains("when service is upgrading"), "{told:?}");
}

#[test]
fn the_next_attempt_takes_up_what_the_registry_knows_and_waits_for_the_rest() {
    let hang = happens("100 s", "do = \"finish_container\"\napp = \"web\"\ncontainer = 0\nexit_code = 1");
    // One container ends while no ApplicationMaster runs.
    let lose = happens("101 s", "do = \"finish_container\"\napp = \"web\"\ncontainer = 2\nexit_code = 137");
    let mut played = Played::of(&cluster(&component("w", 3, ""), &format!("{hang}{lose}")));
    let before = played.to(99).running();
    played.to(200);
    assert_eq!(played.sim.apps()[0].attempt, 2);
    let recovered = played.decided("w").iter().filter(|(_, d)| matches!(d, Decision::Recovered { .. })).count();
    let kept = played.running();
    assert_eq!((recovered, kept.len()), (2, 2), "{:?}", played.decided("w"));
    assert!(kept.iter().all(|id| before.contains(id)));
    assert_eq!(played.to(300).running().len(), 3, "asked for after two minutes");
}

#[test]
fn the_next_attempt_knows_nothing_of_what_succeeded() {
    let hang = happens("100 s", "do = \"finish_container\"\napp = \"web\"\ncontainer = 0\nexit_code = 1");
    let once = component("load", 1, "restart_policy = \"NEVER\"\nduration = \"20 s\"");
    let mut played = Played::of(&cluster(&format!("{once}{}", component("w", 1, "")), &hang));
    assert_eq!(played.to(200).ends("load").len(), 2);
    assert!(
        played.decided("load").iter().any(|(_, d)| matches!(d, Decision::Asked { why: AskReason::StartAgain, .. }))
    );
}

#[test]
fn hosts_are_avoided_after_four_failures_also_by_the_next_attempt_and_the_master_exits_after_eleven() {
    // A node does not restart a process that exited with 137.
    let fails = "duration = \"2 s\"\nexit_code = 137";
    let mut played = Played::of(&cluster(&component("w", 1, fails), ""));
    played.to(400);
    let avoided =
        played.decided("w").iter().filter(|(_, d)| matches!(d, Decision::HostAvoided { failures: 4, .. })).count();
    let gave_up = played.decided("w").iter().any(|(_, d)| matches!(d, Decision::TooManyFailures { failures: 11, .. }));
    assert!(avoided >= 1 && gave_up, "{:?}", played.decided("w"));
    // Hosts that the first attempt had YARN avoid are carried over with the containers that are kept, of which there are none:
    // the second attempt fails four times on the remaining host, and then has no host left.
    assert_eq!((played.sim.apps()[0].attempt, played.state().0), (2, AppState::Running));
    let app = played.sim.apps()[0].id.expect("an id");
    assert_eq!(played.sim.rm().scheduled(app).map(|a| a.blacklist.len()), Some(4), "the three nodes and the gate");
}

#[test]
fn components_ask_with_constraints_as_soon_as_one_has_any() {
    let apart = "constraint = \"notin,node,w\"";
    let parts = format!("{}{}", component("w", 3, apart), component("v", 2, ""));
    let mut played = Played::of(&cluster(&parts, ""));
    played.to(60);
    let app = played.sim.apps()[0].id.expect("an id");
    let of = |priority: i32| {
        let mine = played.sim.rm().containers_of(app).filter(|c| !c.am && c.key.priority == priority);
        mine.map(|c| c.node.0).collect::<std::collections::BTreeSet<u32>>().len()
    };
    assert_eq!((played.running().len(), of(0)), (5, 3));
}

/// Failures of its ApplicationMaster that are older than the client's window do not count: with a window it is restarted
/// forever, without one it is started twice.
#[test]
fn failures_beyond_the_window_do_not_end_it() {
    for (site, entry, goes_on) in [
        ("", "", false),
        ("60000", "", true),
        ("600000", "", false),
        ("-1", "", false),
        ("", "failures_window = \"1 min\"", true),
        ("60000", "failures_window = \"0 s\"", false),
    ] {
        let key = "\"yarn.service.am-failure.validity-interval-ms\"";
        let site = if site.is_empty() { String::new() } else { format!("[yarn-site]\n{key} = \"{site}\"\n") };
        let fails = format!("am = {{ places = [\"gate\"], fails_after = \"90 s\" }}\n{entry}");
        let text = cluster(&component("w", 1, ""), "").replace("am = { places = [\"gate\"] }", &fails);
        let mut played =
            Played::of(&text.replace("[yarn-site]\n", if site.is_empty() { "[yarn-site]\n" } else { &site }));
        played.to(900);
        let app = &played.sim.rm().apps()[0];
        let attempts = played.sim.apps()[0].attempt;
        assert_eq!((!app.state.is_final(), attempts > 2), (goes_on, goes_on), "{site} {entry}: {attempts}");
    }
}
