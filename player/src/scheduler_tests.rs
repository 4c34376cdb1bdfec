//! The player's answers under each scheduler.

use super::*;

fn gallery(name: &str) -> Player {
    let path = format!("{}/../scenarios/{name}.toml", env!("CARGO_MANIFEST_DIR"));
    let text = std::fs::read_to_string(&path).expect(&path);
    let mut player = Player::load(&text).player.expect(name);
    player.seek(60_000);
    player
}

#[test]
fn the_fair_scheduler_tells_what_decided_its_order_and_who_its_users_are() {
    let mut player = gallery("q48-fair-share");
    player.seek(12_000);
    let a_job = Selection::Request { app: "a-job".into(), key: "20_-1".into() };
    let why = player.why(&a_job);
    let order = why.orders.first().expect("the children of root");
    assert_eq!(order.keys[2], "used ÷ weight");
    // 6 GB by 1 is less than 17 GB by 2.
    assert_eq!(order.rows.iter().map(|(name, _)| name.as_str()).collect::<Vec<_>>(), ["root.b", "root.a"]);
    assert_eq!(order.decided, [None, Some(2)]);
    // Only its own messages, none of the CapacityScheduler's.
    assert!(why.yarn.iter().all(|(words, _)| words.starts_with("exceeds the available resources")), "{:?}", why.yarn);
    let users = player.snapshot(None).users;
    let told: Vec<(&str, &str, i64, (usize, usize))> =
        users.iter().map(|u| (u.user.as_str(), u.queue.as_str(), u.used.memory_mb, u.apps)).collect();
    assert_eq!(told, [("ann", "root.a", 17 * 1024, (1, 0)), ("bob", "root.b", 6 * 1024, (1, 0))]);
    let bob = player.why(&Selection::User("bob".into()));
    assert!(bob.facts.iter().any(|f| f.name == "used in root.b" && f.value == "6 GB · 5 vcores"), "{:?}", bob.facts);
}

#[test]
fn what_an_application_is_told_that_it_may_get_is_explained_as_its_scheduler_works_it_out() {
    let formula = |name: &str, app: &str| {
        let why = gallery(name).why(&Selection::App(app.into()));
        let told = why.facts.iter().find(|f| f.name == "headroom told to its AM").expect("it is told").formula.clone();
        told.join("; ")
    };
    assert!(formula("q48-fair-share", "a-job").contains("fair share − used of its queue"));
    assert!(formula("q38e-fifo-scheduler", "etl").contains("had free when a node"));
    assert!(formula("q40-chicken-and-egg", "app").contains("user limit − used"));
}

#[test]
fn every_resource_that_the_scheduler_looks_at_has_its_line() {
    let lines = |player: &Player| -> Vec<String> {
        player.series().iter().map(|s| format!("{}{}", s.name, s.resource)).collect()
    };
    let memory = gallery("q32-vcores-do-not-count");
    assert_eq!(lines(&memory), ["root", "root.default"]);
    let all = gallery("q32b-dominant-resource");
    assert_eq!(lines(&all), ["root", "rootvcores", "root.default", "root.defaultvcores"]);
    let vcores = all.series().into_iter().find(|s| s.name == "root.default" && s.resource == "vcores").expect("a line");
    assert_eq!(vcores.points.last().map(|p| (p.used, p.maximum)), Some((6, 8)));
}

#[test]
fn an_application_that_runs_and_waits_tells_yarns_words_and_its_order() {
    let mut player = gallery("q40-chicken-and-egg");
    player.seek(30_000);
    let why = player.why(&Selection::App("app".into()));
    let words = "Node does not match partition or placement constraints";
    assert!(why.yarn.iter().any(|(text, nodes)| text == words && *nodes == 2), "{:?}", why.yarn);
    // Among three requests of one priority the ids decide.
    let order = why.orders.iter().find(|o| o.title.starts_with("requests of app")).expect("an order");
    assert_eq!(order.decided, [None, Some(1), Some(1)]);
}

#[test]
fn who_waits_for_whom_goes_round() {
    let mut player = gallery("q24-nested-jobs");
    player.seek(120_000);
    let arrows = |player: &Player, about: Selection| -> Vec<String> {
        player.why(&about).waits_for.iter().map(|(who, whom, _)| format!("{who} {whom}")).collect()
    };
    assert_eq!(arrows(&player, Selection::App("child".into())), ["child AM app:launcher", "launcher app:child"]);
    assert_eq!(arrows(&player, Selection::App("launcher".into())), ["launcher app:child"]);
}
