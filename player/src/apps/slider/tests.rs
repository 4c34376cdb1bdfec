//! Answers about Slider applications: the names of their containers, and sentences that once were false or clumsy.

use crate::explain::view::EventView;
use crate::{EventFilter, Player};

const CLUSTER: &str = r#"
heddle = 1
scheduling = "heartbeat"
until = "14 min"
[capacity-scheduler]
maximum-am-resource-percent = 0.9
root.queues = "default"
root.default.capacity = 100
[[nodes]]
name = "gate"
size = "3 GB/8"
[[nodes]]
name = "n{1}"
count = 3
size = "8 GB/8"
[[apps]]
name = "kafka"
kind = "slider"
am = { places = ["gate"] }
[[apps.components]]
name = "broker"
yarn.role.priority = 1
yarn.component.instances = 3
yarn.component.placement.policy = 2
yarn.memory = 2048
[[apps.components]]
name = "proxy"
yarn.role.priority = 2
yarn.component.instances = 1
yarn.memory = 2048
"#;

fn events(happenings: &str) -> Vec<EventView> {
    let text = format!("{CLUSTER}{happenings}");
    let mut player = Player::load(&text).player.expect(&text);
    player.seek(14 * 60_000);
    player.events(&EventFilter { about: None, skips: true, until_now: true, last: 0 })
}

fn names<'a>(events: &'a [EventView], verb: &str) -> Vec<&'a str> {
    let mut out: Vec<&str> = events.iter().filter(|e| e.verb == verb).map(|e| e.name.as_str()).collect();
    out.sort_unstable();
    out
}

fn whys<'a>(events: &'a [EventView], verb: &str) -> Vec<&'a str> {
    events.iter().filter(|e| e.verb == verb).map(|e| e.why.as_str()).collect()
}

/// Names have component and number before and after the ApplicationMaster learns of the container; a reservation has them
/// too.
#[test]
fn containers_are_named_by_component() {
    let events = events("");
    let all = ["kafka broker-1", "kafka broker-2", "kafka broker-3", "kafka proxy-1"];
    assert_eq!(names(&events, "takes"), all);
    assert!(events.iter().all(|e| !e.name.contains("slider-appmaster")), "{events:#?}");
}

#[test]
fn an_instance_that_is_given_back_is_named_by_its_component() {
    let flex = "[[happenings]]\nat = \"1 min\"\ndo = \"flex_app\"\napp = \"kafka\"\ncomponents = { broker = 2 }\n";
    let events = events(flex);
    assert!(whys(&events, "hears of the end").contains(&"It was given back."), "{events:#?}");
}

/// A file that cannot be read hides all before it: no older one is promised.
#[test]
fn a_start_after_damage_says_that_no_history_is_left() {
    let happen = |at: &str, what: &str| format!("[[happenings]]\nat = \"{at}\"\napp = \"kafka\"\n{what}\n");
    let damaged =
        happen("3 min", "do = \"restart_app\"\nafter = \"30 s\"") + &happen("3 min 10 s", "do = \"delete_history\"");
    let events = events(&damaged);
    let none = "There is no history file: its components have no host to return to.";
    assert_eq!(whys(&events, "starts without a history"), [none, none]);
}

/// The node falls silent between the allocation and the launch.
#[test]
fn a_failed_launch_is_told() {
    let crash = |n: &str| format!("[[happenings]]\nat = \"4.9 s\"\ndo = \"crash_node\"\nnode = \"{n}\"\n");
    let events = events(&(crash("n1") + &crash("n2") + &crash("n3")));
    let failed = whys(&events, "cannot be launched");
    assert!(!failed.is_empty(), "{events:#?}");
    let charged = "Its host is charged with a failure, and once more when YARN reports the container's end; only then is it \
                   asked for again.";
    assert!(failed.iter().all(|why| why.ends_with(charged)), "{failed:?}");
    assert!(whys(&events, "hears of the end").iter().any(|why| why.contains("recent failure")), "{events:#?}");
}
