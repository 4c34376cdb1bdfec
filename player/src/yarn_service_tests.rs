//! A YARN service: what is told of it, and what stands in its books.

use super::{EventFilter, Player};
use crate::explain::view::{LedgerView, Selection};

const GALLERY: &str = include_str!("../../scenarios/service-1-dependencies-and-ends.toml");

fn player(text: &str) -> Player {
    let loaded = Player::load(text);
    let mut player = loaded.player.unwrap_or_else(|| panic!("{:#?}", loaded.problems));
    player.run_to_end();
    player
}

/// What happened to the service up to a second, each with its reason.
fn told(player: &mut Player, second: i64, about: &str) -> Vec<String> {
    player.seek(second * 1000);
    let events = player.events(&EventFilter { until_now: true, ..EventFilter::default() });
    let of = |e: &&crate::explain::view::EventView| e.name.starts_with(about);
    events.iter().filter(of).map(|e| format!("{} {}: {}", e.name, e.verb, e.why)).collect()
}

fn books(player: &mut Player, second: i64) -> LedgerView {
    player.seek(second * 1000);
    player.service(Some(&Selection::App("shop".into())))
}

fn row(books: &LedgerView, component: &str) -> Vec<String> {
    let rows = books.tables.iter().flat_map(|t| &t.rows);
    let found = rows.into_iter().find(|r| r.name == component).unwrap_or_else(|| panic!("{books:#?}"));
    found.cells.iter().map(|c| c.text.clone()).collect()
}

#[test]
fn what_a_service_decides_is_told_with_its_reason() {
    let mut player = player(GALLERY);
    let told = told(&mut player, 360, "shop");
    for part in [
        "holds back: front starts when those it depends on are ready: database has 0 of 1 ready.",
        "asks: front starts: 2 containers asked for.",
        "database-0 passes the readiness check.",
        "loader-0 ended with 0 and has succeeded.",
        "front is to have more instances: 2 containers asked for.",
        "ended with 137: another container is asked for, anywhere.",
        "upgrades: 1 instance of database: the processes start anew in their containers",
        "is upgraded: All instances of database are ready again.",
    ] {
        assert!(told.iter().any(|t| t.contains(part)), "{part}: {told:#?}");
    }
}

#[test]
fn the_books_say_who_is_ready_and_what_holds_the_others_back() {
    let mut player = player(GALLERY);
    let early = books(&mut player, 20);
    assert_eq!(early.law, "YARN service");
    assert_eq!(early.came_to[0], "**shop** wants 4 instances; 0 are ready.");
    assert_eq!(early.came_to[1], "**front** starts when those it depends on are ready: database has 0 of 1 ready.");
    // Ids are in the order of dependencies: id, wanted, ready, in containers, waiting, over, policy, waits for.
    assert_eq!(row(&early, "front"), ["2", "2", "0", "0", "2", "0", "ALWAYS", "database has 0 of 1 ready"]);
    assert_eq!(row(&early, "loader")[..5], ["1", "1", "0", "1", "0"]);
    let later = books(&mut player, 100);
    assert_eq!(later.came_to, ["**shop** wants 4 instances; 3 are ready, and 1 over."]);
    assert_eq!(row(&later, "front")[..5], ["2", "2", "2", "2", "0"]);
    // An upgrade takes readiness, and no container.
    assert_eq!(row(&books(&mut player, 245), "database")[1..4], ["1", "0", "1"]);
}

#[test]
fn why_of_a_component_that_does_not_fit_is_that_of_its_request() {
    let mut player = player(&GALLERY.replace("count = 4\nsize = \"8 GB/8\"", "count = 1\nsize = \"8 GB/8\""));
    player.seek(100_000);
    let why = player.why(&Selection::App("shop".into()));
    let text = format!("{why:?}");
    assert!(text.contains("front") && text.contains("free"), "{text}");
    let row = row(&books(&mut player, 100), "front");
    assert_eq!((row[1].as_str(), row[4].as_str()), ("2", "1"));
}
