//! Slider applications in a simulation: what restarts restore, what outlives an ApplicationMaster, what users do.

use crate::apps::slider::journal::Decision;
use crate::journal::{Entry, MasterAct};
use crate::rm::AppState;
use crate::sim::fixtures::{GATE, Played, happens};

/// Returns a cluster with the node `gate` for ApplicationMasters and three others, one of which a tenant fills from 2:00 to
/// 4:00.
fn cluster(scheduler: &str, components: &str, more: &str) -> String {
    format!(
        r#"
heddle = 1
scheduling = "heartbeat"
scheduler = "{scheduler}"
until = "8 min"
[yarn-site]
"yarn.scheduler.fair.user-as-default-queue" = false
{GATE}
[[nodes]]
name = "n{{1}}"
count = 3
size = "8 GB/8"
[[apps]]
name = "web"
kind = "slider"
am = {{ places = ["gate"] }}
{components}
{more}
"#
    )
}

fn component(policy: i32, count: i64) -> String {
    format!(
        "[[apps.components]]\nname = \"w\"\nyarn.role.priority = 1\nyarn.component.instances = {count}\n\
         yarn.component.placement.policy = {policy}\nyarn.memory = 3072\n"
    )
}

impl Played {
    /// Returns the hosts of its instances, sorted.
    fn instance_hosts(&self) -> Vec<String> {
        let app = self.sim.apps()[0].id.expect("it is submitted");
        let containers = self.sim.rm().containers_of(app).filter(|c| !c.am);
        let host = |c: &crate::scheduler::Container| self.sim.rm().node(c.node).expect("a node").host.clone();
        let mut out: Vec<String> = containers.map(host).collect();
        out.sort();
        out
    }

    fn slider_decisions(&self) -> Vec<&Decision> {
        let acts = self.journal.entries.iter();
        acts.filter_map(|(_, e)| match e {
            Entry::Acted(MasterAct::Slider(act)) => Some(&act.decision),
            _ => None,
        })
        .collect()
    }
}

/// Stops the application at 2:00 and starts it at 2:10; its first host is full by then.
fn restarted(scheduler: &str, policy: i32) -> (String, Played) {
    let tenant = |host: &str| {
        format!(
            "[[apps]]\nname = \"tenant\"\nat = \"121 s\"\nam = {{ unmanaged = true }}\n\
             tasks = [{{ size = \"8 GB/1\", duration = \"3 min\", places = [\"{host}\"], relax = false }}]\n"
        )
    };
    let restart = happens("2 min", "do = \"restart_app\"\napp = \"web\"\nafter = \"10 s\"");
    let first = {
        let mut before = Played::of(&cluster(scheduler, &component(policy, 1), ""));
        before.to(100).instance_hosts()[0].clone()
    };
    let played = Played::of(&cluster(scheduler, &component(policy, 1), &format!("{}{restart}", tenant(&first))));
    (first, played)
}

#[test]
fn a_restart_under_each_policy() {
    for policy in [0, 1, 2, 4] {
        let (first, mut played) = restarted("capacity", policy);
        assert_eq!(played.to(100).instance_hosts(), std::slice::from_ref(&first));
        let soon = played.to(140).instance_hosts();
        let later = played.to(220).instance_hosts();
        let last = played.to(320).instance_hosts();
        match policy {
            0 => assert!(soon.is_empty() && later.len() == 1 && later[0] != first, "relaxed: {later:?}"),
            1 => assert!(soon.is_empty() && later.is_empty() && last == [first], "back when there is room: {last:?}"),
            _ => assert!(soon.len() == 1 && soon[0] != first, "policy {policy} waits for nobody: {soon:?}"),
        }
    }
}

#[test]
fn it_runs_under_every_scheduler() {
    for scheduler in ["capacity", "fair", "fifo"] {
        let (_, mut played) = restarted(scheduler, 2);
        assert_eq!(played.to(100).instance_hosts().len(), 1, "{scheduler}");
        assert_eq!(played.to(150).instance_hosts().len(), 1, "{scheduler}, again");
    }
}

/// Containers outlive the ApplicationMaster, and the next one knows them.
#[test]
fn containers_are_kept_across_attempts() {
    for scheduler in ["capacity", "fair", "fifo"] {
        let end = happens("2 min", "do = \"finish_container\"\napp = \"web\"\ncontainer = 0\nexit_code = 1");
        let one = happens("4 min", "do = \"finish_container\"\napp = \"web\"\ncontainer = 1\nexit_code = 1");
        let mut played = Played::of(&cluster(scheduler, &component(4, 2), &format!("{end}{one}")));
        let before = played.to(100).instance_hosts();
        assert_eq!(before.len(), 2, "{scheduler}");
        assert_eq!(played.to(122).instance_hosts(), before, "{scheduler}: while no ApplicationMaster runs");
        played.to(200);
        let slider = played.sim.slider(0).and_then(|m| m.attempt()).expect("the second one").slider();
        assert_eq!((slider.live(), slider.active_requests()), (2, 0), "{scheduler}: nothing is asked for again");
        assert_eq!(
            played.to(300).instance_hosts().len(),
            2,
            "{scheduler}: one of the first attempt has ended and is replaced"
        );
        let ids = |attempt| {
            let app = played.sim.apps()[0].id.expect("it is submitted");
            played.sim.rm().containers_of(app).filter(|c| !c.am && c.id.attempt == attempt).count()
        };
        assert_eq!((ids(1), ids(2)), (1, 1), "{scheduler}");
    }
}

/// Without the flag, or with the last attempt, nothing is kept.
#[test]
fn without_the_flag_nothing_is_kept() {
    let end = happens("2 min", "do = \"finish_container\"\napp = \"web\"\ncontainer = 0\nexit_code = 1");
    for (from, to) in [("am = {", "am = { keep_containers = false,"), ("am = {", "max_attempts = 1\nam = {")] {
        let mut played = Played::of(&cluster("capacity", &component(2, 2), &end).replace(from, to));
        assert_eq!(played.to(100).instance_hosts().len(), 2);
        assert!(played.to(121).instance_hosts().is_empty(), "{to}");
    }
}

#[test]
fn a_damaged_file_is_named_and_the_one_before_it_taken() {
    let damage = happens("2 min", "do = \"damage_history\"\napp = \"web\"");
    let restart = happens("2 min", "do = \"restart_app\"\napp = \"web\"");
    let mut played = Played::of(&cluster("capacity", &component(4, 2), &format!("{damage}{restart}")));
    let files = played.to(119).sim.history_files(0);
    let newest: Vec<String> = files.candidates().take(2).map(String::from).collect();
    played.to(140);
    let skipped = played
        .slider_decisions()
        .iter()
        .any(|d| matches!(d, Decision::HistorySkipped { name, .. } if *name == newest[0]));
    let taken = played
        .slider_decisions()
        .iter()
        .any(|d| matches!(d, Decision::HistoryLoaded { name, .. } if *name == newest[1]));
    assert!(skipped && taken, "{newest:?}");
}

#[test]
fn without_history_it_starts_from_scratch() {
    let text = |with: &str| {
        let restart = happens("2 min", "do = \"restart_app\"\napp = \"web\"\nafter = \"5 s\"");
        cluster("capacity", &component(1, 1), &format!("{restart}{with}"))
    };
    let loaded = |text: &str| {
        let mut played = Played::of(text);
        played.to(140);
        played.slider_decisions().iter().any(|d| matches!(d, Decision::HistoryLoaded { .. }))
    };
    assert!(loaded(&text("")));
    assert!(!loaded(&text(&happens("121 s", "do = \"delete_history\"\napp = \"web\""))));
}

#[test]
fn a_flex_is_taken_by_who_runs_and_by_who_comes() {
    let flex = |at: &str, count: i64| {
        happens(at, &format!("do = \"flex_app\"\napp = \"web\"\ncomponents = {{ w = {count} }}"))
    };
    let restart = happens("4 min", "do = \"restart_app\"\napp = \"web\"");
    let all = format!("{}{}{restart}{}", flex("1 min", 3), flex("2 min", 1), flex("4 min 1 s", 2));
    let mut played = Played::of(&cluster("capacity", &component(2, 2), &all));
    assert_eq!(played.to(50).instance_hosts().len(), 2);
    assert_eq!(played.to(110).instance_hosts().len(), 3);
    assert_eq!(played.to(200).instance_hosts().len(), 1);
    assert_eq!(played.to(300).instance_hosts().len(), 2, "flexed while no ApplicationMaster ran");
}

/// Instances that fail repeatedly end the application.
#[test]
fn too_many_failures_end_it() {
    let fails = component(2, 1).replace("name = \"w\"", "name = \"w\"\nduration = \"5 s\"\nexit_code = 1");
    let mut played = Played::of(&cluster("capacity", &fails, ""));
    played.to(400);
    let app = played.sim.apps()[0].id.expect("it is submitted");
    assert_eq!(played.sim.rm().app(app).map(|a| a.state), Some(AppState::Finished));
    assert_eq!(played.sim.apps()[0].succeeded, Some(false));
    assert!(
        played
            .slider_decisions()
            .iter()
            .any(|d| matches!(d, Decision::Stopped(s) if s.failed_recently == 6 && s.threshold == 5))
    );
}

/// A run without events skips checks that would find nothing. The first check that is late enough relaxes the request: the
/// second one, since the request is made 30 s before the first.
#[test]
fn checks_that_find_nothing_are_left_out() {
    let (_, mut played) = restarted("capacity", 0);
    played.to(460);
    let when = |wanted: &dyn Fn(&Decision) -> bool| {
        let mut acts = played.journal.entries.iter().rev();
        acts.find(|(_, e)| matches!(e, Entry::Acted(MasterAct::Slider(act)) if wanted(&act.decision)))
            .map(|(at, _)| *at)
    };
    let started = when(&|d| matches!(d, Decision::HistoryLoaded { .. })).expect("a second start");
    assert_eq!(when(&|d| matches!(d, Decision::Escalated { .. })), Some(started + 60_000));
}

/// Containers are counted by component, also across ApplicationMasters.
#[test]
fn containers_are_numbered_by_component() {
    let second = "[[apps.components]]\nname = \"proxy\"\nyarn.role.priority = 2\nyarn.component.instances = 2\n";
    let end = happens("2 min", "do = \"finish_container\"\napp = \"web\"\ncontainer = 0\nexit_code = 1");
    let grow = happens("4 min", "do = \"flex_app\"\napp = \"web\"\ncomponents = { w = 3 }");
    let mut played = Played::of(&cluster("capacity", &format!("{}{second}", component(2, 2)), &format!("{end}{grow}")));
    played.to(300);
    let tasks = played.sim.apps()[0].containers.iter().filter(|got| !got.am);
    let mut names: Vec<String> =
        tasks.map(|got| format!("{}-{}", got.tag.as_deref().unwrap_or("?"), got.number)).collect();
    names.sort();
    // One more proxy is granted than is wanted: it has a number too.
    assert_eq!(names, ["proxy-1", "proxy-2", "proxy-3", "w-1", "w-2", "w-3"]);
}

/// A heartbeat of a node serves the longest wait, and the ApplicationMaster's next heartbeat is not skipped. The FifoScheduler
/// would not wait, as it ignores relaxLocality (fair-scheduler.md 21).
#[test]
fn what_is_granted_at_last_is_taken_at_the_next_heartbeat() {
    for scheduler in ["capacity", "fair"] {
        let first = Played::of(&cluster(scheduler, &component(1, 1), "")).to(100).instance_hosts()[0].clone();
        let leaves = happens("2 min", &format!("do = \"remove_node\"\nnode = \"{first}\""));
        let returns = happens("4 min", &format!("do = \"return_node\"\nnode = \"{first}\""));
        let mut played = Played::of(&cluster(scheduler, &component(1, 1), &format!("{leaves}{returns}")));
        assert!(played.to(239).instance_hosts().is_empty(), "{scheduler}: it waits for its host");
        played.to(244);
        assert_eq!(played.instance_hosts(), [first], "{scheduler}");
        let live = played.sim.slider(0).and_then(|m| m.attempt()).map(|attempt| attempt.slider().live());
        assert_eq!(live, Some(1), "{scheduler}: its ApplicationMaster has heard of it");
    }
}

/// The ApplicationMaster learns at its next heartbeat of containers that ended by an unhealthy node's heartbeat, and asks for
/// them again.
#[test]
fn what_a_sick_node_ends_is_heard_of_at_once() {
    let first = Played::of(&cluster("capacity", &component(0, 1), "")).to(100).instance_hosts()[0].clone();
    let sick = happens("2 min", &format!("do = \"unhealthy_node\"\nnode = \"{first}\""));
    let mut played = Played::of(&cluster("capacity", &component(0, 1), &sick));
    let later = played.to(126).instance_hosts();
    assert!(later.len() == 1 && later[0] != first, "{later:?}");
}
