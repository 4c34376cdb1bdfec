//! The state of a Slider application as tables, the hosts that its requests prefer, and the answers under a scheduler that
//! ignores hosts.

use crate::explain::view::{LedgerTable, LedgerView, Selection};
use crate::{EventFilter, Player};

/// Three nodes; `kafka` is stopped at 2:00 and started at 2:10, when a tenant has filled its broker's host. `policy` is the
/// placement policy.
fn player(scheduler: &str, policy: i32, more: &str) -> Player {
    let text = format!(
        r#"
heddle = 1
scheduling = "heartbeat"
scheduler = "{scheduler}"
until = "8 min"
[capacity-scheduler]
maximum-am-resource-percent = 0.9
root.queues = "default"
root.default.capacity = 100
[[nodes]]
name = "gate"
size = "1 GB/8"
[[nodes]]
name = "n1"
size = "8 GB/8"
[[nodes]]
name = "n2"
at = "100 s"
size = "8 GB/8"
[[apps]]
name = "kafka"
kind = "slider"
am = {{ places = ["gate"], relax = false }}
[[apps.components]]
name = "broker"
yarn.role.priority = 1
yarn.component.instances = 1
yarn.component.placement.policy = {policy}
yarn.memory = 3072
[[apps]]
name = "tenant"
at = "121 s"
am = {{ unmanaged = true }}
tasks = [{{ size = "8 GB/1", duration = "3 min", places = ["n1"], relax = false }}]
[[happenings]]
at = "2 min"
do = "restart_app"
app = "kafka"
after = "10 s"
{more}
"#
    );
    let loaded = Player::load(&text);
    let mut player = loaded.player.unwrap_or_else(|| panic!("{:#?}", loaded.problems));
    player.run_to_end();
    player
}

fn table<'b>(books: &'b LedgerView, title: &str) -> &'b LedgerTable {
    let found = books.tables.iter().find(|t| t.title.starts_with(title));
    found.unwrap_or_else(|| panic!("{title} is not among {books:#?}"))
}

fn cell<'t>(table: &'t LedgerTable, row: &str, column: &str) -> &'t str {
    let at = table.columns.iter().position(|c| c.name == column).expect(column);
    let row = table.rows.iter().find(|r| r.name == row).unwrap_or_else(|| panic!("{row}: {table:#?}"));
    &row.cells[at].text
}

#[test]
fn a_request_counts_down_to_its_escalation() {
    let mut player = player("capacity", 0, "");
    let at = |player: &mut Player, ms: i64| {
        player.seek(ms);
        player.service(None)
    };
    let books = at(&mut player, 140_000);
    assert_eq!((books.law.as_str(), books.title.as_str()), ("Apache Slider 0.92", "kafka at 2:20"));
    let requests = table(&books, "Requests");
    assert_eq!(cell(requests, "broker", "kind"), "placed");
    assert_eq!((cell(requests, "broker", "priority"), cell(requests, "broker", "host")), ("1", "n1"));
    let left: i64 = cell(requests, "broker", "relaxed").trim_matches(|c: char| !c.is_ascii_digit()).parse().expect("s");
    // The announced time is when it happens, and not before.
    let due = 140_000 + left * 1_000;
    assert!((60_000..=66_000).contains(&(due - 130_000)), "{left} s left");
    let before = at(&mut player, due - 1_500);
    assert_eq!(cell(table(&before, "Requests"), "broker", "kind"), "placed");
    let relaxed = player.events(&EventFilter { about: None, skips: true, until_now: false, last: 0 });
    let relaxed = relaxed.iter().find(|e| e.verb == "relaxes").map(|e| e.time_ms);
    assert!(relaxed.is_some_and(|at| (at - due).abs() < 1_000), "{relaxed:?}, told for {due}");
    let row = &requests.rows[0];
    assert_eq!(row.about, Some(Selection::Request { app: "kafka".into(), key: "1_-1".into() }));
    let how = &row.cells[5].formula;
    assert!(how[0].contains("yarn.placement.escalate.seconds") && how[1].contains("the first check after"), "{how:?}");
}

#[test]
fn the_node_map_tells_who_ran_where_when_and_how_often_it_failed_there() {
    let fails = |at: &str, k: usize| {
        format!(
            "[[happenings]]\nat = \"{at}\"\ndo = \"finish_container\"\napp = \"kafka\"\ncontainer = {k}\nexit_code = 1\n"
        )
    };
    let mut player = player("capacity", 0, &fails("80 s", 1));
    player.seek(70_000);
    let books = player.service(None);
    assert_eq!(cell(table(&books, "Role history"), "n1", "broker"), "1 there");
    let components = table(&books, "Components");
    assert_eq!((cell(components, "broker", "wanted"), cell(components, "broker", "there")), ("1", "1"));
    player.seek(80_500);
    player.seek(82_000);
    let books = player.service(None);
    let there = cell(table(&books, "Role history"), "n1", "broker");
    assert!(there.contains("1 failed recently"), "{there}");
    let told: Vec<String> = table(&books, "Components").rows[0].cells[5].formula.clone();
    assert!(
        told.iter().any(|line| line == "1 of at most 5 recent ones (yarn.container.failure.threshold)"),
        "{told:?}"
    );
    // After the restart: the host with the time of its last use, first in the list until it is taken.
    player.seek(140_000);
    let books = player.service(None);
    let there = cell(table(&books, "Role history"), "n1", "broker");
    assert!(there.starts_with("until 2:0") || there.starts_with("until 1:"), "{there}");
    assert!(books.facts.iter().any(|f| f.name == "history taken up" && f.value.starts_with("saved at ")));
    assert!(books.came_to[0].contains("1 is outstanding"), "{:?}", books.came_to);
}

#[test]
fn the_files_tell_which_one_the_next_start_takes() {
    let damage = "[[happenings]]\nat = \"110 s\"\ndo = \"damage_history\"\napp = \"kafka\"\n";
    let mut player = player("capacity", 2, &damage.replace("110 s", "6 min"));
    player.seek(359_000);
    let books = player.service(None);
    let files = table(&books, "History files");
    let states = |files: &LedgerTable| files.rows.iter().map(|r| r.cells[3].text.clone()).collect::<Vec<_>>();
    assert_eq!(states(files)[0], "takes it up");
    player.seek(361_000);
    let books = player.service(None);
    let after = states(table(&books, "History files"));
    assert!(after[0].starts_with("skips it: ") && after[1] == "takes it up", "{after:?}");
}

#[test]
fn a_ghost_stands_where_its_component_would_like_to_be() {
    for (policy, text) in [(0, "waits for this host, relaxed at "), (1, "waits for this host and no other")] {
        let mut player = player("capacity", policy, "");
        player.seek(140_000);
        let snapshot = player.snapshot(None);
        let mut nodes = snapshot.racks.iter().flat_map(|r| &r.nodes);
        let wished = &nodes.find(|n| n.name == "n1").expect("n1").wished;
        assert_eq!(wished.len(), 1);
        assert!(wished[0].text.starts_with(text) && wished[0].name == "kafka broker", "{wished:?}");
        assert!(snapshot.waiting.iter().any(|w| w.id == wished[0].id), "it is the request that waits");
        // There are no wishes while all instances are there.
        player.seek(100_000);
        assert!(player.snapshot(None).racks.iter().flat_map(|r| &r.nodes).all(|n| n.wished.is_empty()));
    }
}

/// The FifoScheduler ignores relaxLocality: a request for a full host gets another one, and no answer says otherwise.
#[test]
fn under_the_fifo_scheduler_a_strict_request_goes_anywhere() {
    let mut player = player("fifo", 1, "");
    player.seek(150_000);
    let snapshot = player.snapshot(None);
    let of_kafka = snapshot.racks.iter().flat_map(|r| &r.nodes).flat_map(|n| n.containers.iter().map(move |c| (n, c)));
    let hosts: Vec<&str> = of_kafka.filter(|(_, c)| c.app == "kafka" && !c.am).map(|(n, _)| n.name.as_str()).collect();
    assert_eq!(hosts, ["n2"], "the request for n1 was met on n2");
    let lost = "[[happenings]]\nat = \"125 s\"\ndo = \"remove_node\"\nnode = \"n1\"\n[[happenings]]\nat = \"125 s\"\n\
                do = \"remove_node\"\nnode = \"n2\"\n";
    let mut player = self::player("fifo", 1, lost);
    player.seek(150_000);
    let why = player.why(&Selection::App("kafka".into()));
    let told: Vec<&String> = why.facts.iter().flat_map(|f| &f.formula).collect();
    let said = |part: &str| told.iter().any(|line| line.contains(part));
    assert!(said("The FifoScheduler takes no notice of that"), "{told:#?}");
    assert!(!said("strict placement waits for it"), "{told:#?}");
}

/// A container allocated while its ApplicationMaster is gone is still named by its component.
#[test]
fn what_is_granted_without_an_application_master_has_a_name() {
    let end = "[[happenings]]\nat = \"60.5 s\"\ndo = \"finish_container\"\napp = \"kafka\"\ncontainer = 0\nexit_code = 1\n\
               [[happenings]]\nat = \"60 s\"\ndo = \"flex_app\"\napp = \"kafka\"\ncomponents = { broker = 2 }\n";
    let mut player = player("capacity", 2, end);
    for ms in (59_000..66_000).step_by(100) {
        player.seek(ms);
        let snapshot = player.snapshot(None);
        let names =
            snapshot.racks.iter().flat_map(|r| &r.nodes).flat_map(|n| &n.containers).filter(|c| c.app == "kafka");
        for c in names {
            assert!(c.am || c.name.starts_with("kafka broker-"), "{} at {ms}", c.name);
        }
    }
}
