//! YARN services: the answers about them and the tables of their state.

use crate::explain::view::{LedgerView, Selection};
use crate::fixtures;
use crate::{EventFilter, Player};

const GALLERY: &str = include_str!("../../../../scenarios/service-1-dependencies-and-ends.toml");

/// Returns what happened to the service up to a second, each with its reason.
fn told(player: &mut Player, second: i64, about: &str) -> Vec<String> {
    player.seek(second * 1000);
    let events = player.events(&EventFilter { until_now: true, skips: true, ..EventFilter::default() });
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
    let mut player = fixtures::at(GALLERY, 0);
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
    let mut player = fixtures::at(GALLERY, 0);
    let early = books(&mut player, 20);
    assert_eq!(early.law, "YARN service");
    assert_eq!(early.came_to[0], "**shop** wants 4 instances; 0 are ready.");
    assert_eq!(early.came_to[1], "**front** starts when those it depends on are ready: database has 0 of 1 ready.");
    // Ids follow the order of dependencies: id, wanted, ready, in containers, waiting, over, policy, waits for.
    assert_eq!(row(&early, "front"), ["2", "2", "0", "0", "2", "0", "ALWAYS", "database has 0 of 1 ready"]);
    assert_eq!(row(&early, "loader")[..5], ["1", "1", "0", "1", "0"]);
    let later = books(&mut player, 100);
    assert_eq!(later.came_to, ["**shop** wants 4 instances; 3 are ready, and 1 over."]);
    assert_eq!(row(&later, "front")[..5], ["2", "2", "2", "2", "0"]);
    // An upgrade costs readiness but no container.
    assert_eq!(row(&books(&mut player, 245), "database")[1..4], ["1", "0", "1"]);
}

#[test]
fn why_of_a_component_that_does_not_fit_is_that_of_its_request() {
    let mut player = fixtures::at(&GALLERY.replace("count = 4\nsize = \"8 GB/8\"", "count = 1\nsize = \"8 GB/8\""), 0);
    player.seek(100_000);
    let why = player.why(&Selection::App("shop".into()));
    let parts = ["waits for 1 of 2 GB · 1 vcore", "the cluster has 1 GB free of 8 GB"];
    assert!(parts.iter().all(|part| why.sentence.contains(part)), "{}", why.sentence);
    let row = row(&books(&mut player, 100), "front");
    assert_eq!((row[1].as_str(), row[4].as_str()), ("2", "1"));
}

/// A refused call is the cause for all waiting instances, and no other cause is guessed beside it.
#[test]
fn a_refused_call_is_the_cause() {
    let off = |text: String| text.replace("= \"scheduler\"", "= \"disabled\"");
    for (components, waits) in [
        (part("w", 1, "2 GB/1", "constraint = \"notin,node,w\""), "1 instance of **w** waits"),
        (part("w", 2, "2 GB/1", "constraint = \"notin,node,w\""), "2 instances of **w** wait"),
        // One constraint turns the requests of all components into scheduling requests.
        (
            format!("{}{}", part("p", 3, "1 GB/1", ""), part("w", 1, "2 GB/1", "constraint = \"notin,node,w\"")),
            "3 instances of **p** wait",
        ),
    ] {
        let mut player = fixtures::at(&off(scenario(&components)), 0);
        player.seek(60_000);
        let sentence = player.why(&Selection::App("shop".into())).sentence;
        for part in [waits, "it refused the call at 0:05", "placement constraints, and their handler is switched off"] {
            assert!(sentence.contains(part), "{part}: {sentence}");
        }
        assert!(sentence.starts_with("A call of **shop** was refused at 0:05"), "the cause comes first: {sentence}");
        for guess in ["a later request", "was rejected", "does not ask again", "nothing of it waits"] {
            assert!(!sentence.contains(guess), "{guess}: {sentence}");
        }
        let books = player.service(None).came_to;
        let last = books.last().map(String::as_str).unwrap_or_default();
        assert!(last.starts_with("A call of **shop** was refused at 0:05: it comes with"), "{books:?}");
    }
}

/// Returns the answer about a service at a second, and the lines of its tab.
fn at(components: &str, more: &str, second: i64) -> (String, Vec<String>) {
    let mut player = fixtures::at(&scenario(&format!("{components}{more}")), 0);
    player.seek(second * 1000);
    let why = player.why(&Selection::App("shop".into()));
    (why.sentence, player.service(None).came_to)
}

/// Returns the text of a service with these components on three nodes.
fn scenario(components: &str) -> String {
    let head = "heddle = 1\nscheduling = \"heartbeat\"\nuntil = \"10 min\"\n[yarn-site]\n\
                \"yarn.resourcemanager.placement-constraints.handler\" = \"scheduler\"\n[capacity-scheduler]\n\
                maximum-am-resource-percent = 0.9\nroot.queues = \"default\"\nroot.default.capacity = 100\n\
                [[nodes]]\nname = \"n{1}\"\ncount = 3\nsize = \"8 GB/8\"\n\
                [[apps]]\nname = \"shop\"\nkind = \"yarn-service\"\n";
    format!("{head}{components}")
}

fn part(name: &str, count: i64, size: &str, more: &str) -> String {
    format!("[[apps.components]]\nname = \"{name}\"\ncount = {count}\nsize = \"{size}\"\n{more}\n")
}

fn happens(at: &str, what: &str) -> String {
    format!("[[happenings]]\nat = \"{at}\"\n{what}\n")
}

/// Situations of people who run services, each with words that must be there.
#[test]
fn what_is_said_of_a_service_is_what_holds() {
    let lost = happens("100 s", "do = \"remove_node\"\nnode = \"n2\"");
    let back = happens("200 s", "do = \"return_node\"\nnode = \"n2\"");
    // Two instances are lost at once, and each has a request of its own; YARN keeps the later one.
    let apart = part("w", 6, "2 GB/1", "constraint = \"cardinality,node,w,0,1\"");
    let (sentence, books) = at(&apart, &format!("{lost}{back}"), 300);
    assert!(sentence.contains("1 instance of **w** waits, and YARN has no request for it"), "{sentence}");
    assert_eq!((books[0].as_str(), books.len()), ("**shop** wants 6 instances; 5 are ready.", 2));
    // It cannot be requested at all: its client does not submit it.
    let (sentence, _) = at(&part("w", 1, "20 GB/1", ""), "", 60);
    let words = "Component w: specified memory size (20480) is larger than configured max container memory size (8192)";
    assert!(
        sentence.starts_with("The client of **shop** refused to submit it at 0:00") && sentence.contains(words),
        "{sentence}"
    );
    // A flex that comes too early is lost, and the tab still shows it.
    let parts = format!("{}{}", part("db", 20, "2 GB/1", ""), part("front", 1, "1 GB/1", "dependencies = [\"db\"]"));
    let flex = happens("60 s", "do = \"flex_app\"\napp = \"shop\"\ncomponents = { front = 3 }");
    let (_, books) = at(&parts, &flex, 100);
    assert!(
        books[1].starts_with("**front** starts when those it depends on are ready: db has 11 of 20 ready"),
        "{books:?}"
    );
    assert!(books[2].starts_with("**front** was to have 3 instances, and keeps 1"), "{books:?}");
    // A component that wants no instances is ready at once.
    let parts = format!("{}{}", part("db", 0, "2 GB/1", ""), part("front", 1, "1 GB/1", "dependencies = [\"db\"]"));
    assert_eq!(at(&parts, "", 60).1, ["**shop** wants 1 instance; 1 is ready."]);
    // A lost node is a failure if nothing is requested again.
    let never = part("w", 3, "2 GB/1", "restart_policy = \"NEVER\"\nduration = \"3 min\"");
    let (sentence, _) = at(&never, &lost, 300);
    assert!(sentence.contains("1 of its containers failed, and its AM gave up"), "{sentence}");
    // Its only host is avoided.
    let fails = part("w", 1, "7 GB/1", "duration = \"2 s\"\nexit_code = 137");
    let gone = ["n2", "n3"].map(|n| happens("0 s", &format!("do = \"remove_node\"\nnode = \"{n}\""))).concat();
    let (sentence, _) = at(&fails, &gone, 120);
    assert!(sentence.contains("**n1** is blacklisted"), "{sentence}");
}

#[test]
fn the_headline_of_a_loss_has_the_service_as_its_subject() {
    let mut player = fixtures::at(GALLERY, 0);
    player.seek(200_000);
    let headline = player.snapshot(None).headline;
    assert!(headline.starts_with("shop hears of the end at 3:01: front-0 ended with 137"), "{headline}");
}
