//! The ledger of rounds over a run, and how the picture shows preemption.

use super::Player;
use super::fixtures::at;
use crate::explain::view::{LedgerCell, LedgerView, Selection, Snapshot, StepBy};

const TWO_QUEUES: &str = include_str!("../../tests/fixtures/two-queues.toml");

fn player(text: &str) -> Player {
    at(text, 0)
}

fn cell(view: &LedgerView, table: usize, row: &str, column: &str) -> LedgerCell {
    let table = &view.tables[table];
    let row = table.rows.iter().find(|r| r.name == row).unwrap_or_else(|| panic!("no row {row}: {table:#?}"));
    let place = table.columns.iter().position(|c| c.name == column).unwrap_or_else(|| panic!("no column {column}"));
    row.cells[place].clone()
}

fn row(view: &LedgerView, name: &str) -> Vec<String> {
    let row = view.tables[0].rows.iter().find(|r| r.name == name).expect("a row");
    row.cells[..9].iter().map(|c| c.text.clone()).collect()
}

#[test]
fn a_round_is_told_with_every_figure_and_how_it_came_about() {
    let mut player = player(TWO_QUEUES);
    player.seek(30_000);
    let view = player.ledger(None);
    assert_eq!((view.title.as_str(), &view.came_to[..]), ("round 11 at 0:30", &["1 marked".to_string()][..]));
    let columns: Vec<&str> = view.tables[0].columns.iter().map(|c| c.name.as_str()).collect();
    let named = ["guaranteed", "used", "pending", "ideal", "over by", "dead zone", "owes", "this round", "chosen"];
    assert_eq!(columns[..9], named);
    assert_eq!(row(&view, "a"), ["4", "8", "0", "7", "4", "4.4", "1", "1", "1"]);
    assert_eq!(row(&view, "b"), ["4", "0", "1", "1", "–", "4.4", "–", "–", "–"]);
    assert_eq!(row(&view, "root"), ["8", "8", "1", "8", "–", "", "", "", "–"]);
    let sums = view.tables[0].sums.as_ref().expect("sums");
    assert_eq!(sums.cells[..4].iter().map(|c| c.text.as_str()).collect::<Vec<_>>(), ["8", "8", "1", "8"]);
    let names = cell(&view, 0, "a", "victims").names;
    assert_eq!(names.iter().map(|(_, text)| text.as_str()).collect::<Vec<_>>(), ["first-7, 15 s left"]);
    assert_eq!(names[0].0, Selection::Container { app: "first".into(), k: 7 });
    assert_eq!(cell(&view, 0, "b", "victims").text, "below its guarantee");

    let how = |row: &str, column: &str| cell(&view, 0, row, column).formula;
    assert_eq!(how("b", "pending"), ["second wants 1 GB, and bob may have 4 GB more: counted 1 GB", "pending = 1 GB"]);
    assert_eq!(
        how("a", "ideal"),
        [
            "to begin with, its guarantee, of each type at most what it uses: 4 GB",
            "3 GB unassigned, it weighs 100 % of those that want more: offered 3 GB, takes 3 GB",
            "goes up to what it wants (used 8 GB + pending 0 MB), to its maximum 8 GB at most, and to no more than its use or \
             its guarantee 4 GB",
            "ideal = 7 GB",
        ]
    );
    assert_eq!(
        how("a", "owes"),
        [
            "keeps 7 GB: the larger of its ideal 7 GB and of what it uses and wants (8 GB + 0 MB), up to its guarantee 4 GB",
            "used 8 GB − keeps 7 GB = 1 GB"
        ]
    );
    let round = how("a", "this round");
    assert_eq!(round[0], "owes 1 GB × natural_termination_factor 1, to the nearest MB = 1 GB");
    assert!(round[1].ends_with("natural_termination_factor = 1.0 ([yarn-site])"), "{round:?}");
    assert_eq!(
        how("a", "chosen"),
        ["first-7 1 GB", "1 GB for 1 GB wanted: a container goes whole, and none beyond the round's budget"]
    );
    let budget = view.facts.iter().find(|f| f.name == "budget of a round").expect("the budget");
    assert_eq!(
        (budget.value.as_str(), budget.formula[0].as_str()),
        ("8 GB", "8 GB in all × total_preemption_per_round 1 = 8 GB, over all partitions")
    );
    assert_eq!(
        cell(&view, 1, "first-7", "what happens").text,
        "marked; killed at 0:45 if it is chosen then (15 s left)"
    );
}

#[test]
fn rounds_that_repeat_fold_and_steps_go_from_one_change_to_the_next() {
    let mut player = player(TWO_QUEUES);
    // Nothing could differ earlier: those rounds were not played, but are counted.
    player.seek(29_999);
    let view = player.ledger(None);
    assert_eq!(view.title, "round 10 at 0:27");
    player.seek(30_000);
    player.step(StepBy::Round, false);
    let view = player.ledger(None);
    assert_eq!((player.now(), view.title.as_str()), (33_000, "round 12 at 0:33"));
    assert_eq!(view.came_to, ["1 waiting", "4 rounds alike, 0:33 to 0:42"]);
    // Any moment of the fold shows its own time and the remaining grace period.
    player.seek(40_000);
    let view = player.ledger(None);
    assert_eq!(view.title, "round 14 at 0:39");
    assert_eq!(cell(&view, 0, "a", "victims").names[0].1, "first-7, 5 s left");
    player.step(StepBy::Round, false);
    assert_eq!((player.now(), player.ledger(None).came_to), (45_000, vec!["1 killed".to_string()]));
    // Back: first the beginning of the current round, then the one before it.
    player.seek(44_000);
    let stops: Vec<i64> = (0..3)
        .map(|_| {
            player.step(StepBy::Round, true);
            player.now()
        })
        .collect();
    assert_eq!(stops, [33_000, 30_000, stops[2]]);
    assert!(stops[2] < 30_000);
    let told = player.ledger(None);
    let at = told.here.expect("a stop");
    assert_eq!(told.stops[at].time_ms, stops[2]);
    assert!(told.stops.windows(2).all(|w| w[0].time_ms < w[1].time_ms));
    // A moment is the same however it is reached.
    let mut other = Player::load(TWO_QUEUES).player.expect("it loads");
    other.run_to_end();
    for ms in [50_000, 36_000, 30_000, 0] {
        other.seek(ms);
        player.seek(ms);
        assert_eq!(other.ledger(None), player.ledger(None), "{ms}");
    }
}

#[test]
fn a_victim_leads_to_its_rounds() {
    let mut player = player(TWO_QUEUES);
    player.seek(36_000);
    let victim = Selection::Container { app: "first".into(), k: 7 };
    let of = player.ledger(Some(&victim)).of;
    let told: Vec<(i64, &str)> = of.iter().map(|s| (s.time_ms, s.text.as_str())).collect();
    assert_eq!(told, [(30_000, "first-7 marked"), (45_000, "first-7 killed")]);
    let spared = Selection::Container { app: "first".into(), k: 2 };
    assert!(player.ledger(Some(&spared)).of.is_empty());
}

/// Returns the marked containers: name, remaining grace period, whole grace period.
fn asked_back(s: &Snapshot) -> Vec<(&str, i64, i64)> {
    let all = s.racks.iter().flat_map(|r| &r.nodes).flat_map(|n| &n.containers);
    all.filter_map(|c| Some((c.name.as_str(), c.preempting_ms?, c.grace_ms))).collect()
}

#[test]
fn the_picture_counts_down_and_says_who_took_the_room() {
    let mut player = player(TWO_QUEUES);
    player.seek(36_500);
    let snapshot = player.snapshot(None);
    assert_eq!(asked_back(&snapshot), [("first-7", 8_500, 15_000)]);
    assert_eq!(snapshot.tally.preempting, 1);
    player.seek(45_000);
    let snapshot = player.snapshot(None);
    assert_eq!((asked_back(&snapshot), snapshot.tally.preempting), (vec![], 0));
    assert_eq!(snapshot.racks[0].nodes[0].freed, "first-7 killed at 0:45; nobody has come since");
    player.seek(50_000);
    assert_eq!(player.snapshot(None).racks[0].nodes[0].freed, "first-7 killed at 0:45; since then second AM");
    player.seek(170_000);
    assert_eq!(player.snapshot(None).racks[0].nodes[0].freed, "", "that was long ago");
}

#[test]
fn without_a_monitor_the_ledger_says_why() {
    let none = |text: &str| player(text).ledger(None).none;
    assert_eq!(none(TWO_QUEUES), "");
    let off = TWO_QUEUES.replace("monitor.enable\" = \"true", "monitor.enable\" = \"false");
    assert!(none(&off).contains("Set yarn.resourcemanager.scheduler.monitor.enable to true"), "{}", none(&off));
    let other = "[yarn-site]\n\"yarn.resourcemanager.scheduler.monitor.policies\" = \"org.apache.hadoop.yarn.server.\
        resourcemanager.scheduler.capacity.QueueConfigurationAutoRefreshPolicy\"";
    assert!(none(&TWO_QUEUES.replace("[yarn-site]", other)).contains("does not name"));
    let never = "[yarn-site]\n\"yarn.resourcemanager.monitor.capacity.preemption.monitoring_interval\" = \"0\"";
    assert!(none(&TWO_QUEUES.replace("[yarn-site]", never)).contains("not above 0"));
    let fifo = "heddle = 1\nscheduler = \"fifo\"\nscheduling = \"heartbeat\"\nuntil = \"1 min\"\n";
    assert!(none(fifo).contains("FifoScheduler"));
    assert!(none(&fifo.replace("fifo", "fair")).contains("FairScheduler"));
}

#[test]
fn another_interval_moves_the_rounds_after_it_though_none_of_them_is_played() {
    let slower = r#"
[[happenings]]
at = "61 s"
do = "refresh"
capacity-scheduler = { "yarn.resourcemanager.monitor.capacity.preemption.monitoring_interval" = "7000" }
"#;
    let late = "[[apps]]\nname = \"late\"\nuser = \"bob\"\nqueue = \"b\"\nat = \"151 s\"\nam = \"1 GB/1\"\n\
        tasks = [{ count = 1, size = \"1 GB/1\", duration = \"30 s\" }]\n";
    let mut player = player(&format!("{TWO_QUEUES}{late}{slower}"));
    // The round at 1:03 reads it; the wake-up at 1:06 switches to every 7 s, with a round at once.
    for (ms, title) in [(63_000, "round 22 at 1:03"), (65_999, "round 22 at 1:03"), (149_999, "round 34 at 2:23")] {
        player.seek(ms);
        assert_eq!(player.ledger(None).title, title, "{ms}");
    }
    player.seek(179_000);
    let stops = player.ledger(None).stops;
    let after: Vec<i64> = stops.iter().map(|s| s.time_ms).filter(|at| *at > 66_000).collect();
    assert!(after.contains(&157_000), "the first after the application came: {after:?}");
    assert!(after.iter().all(|at| (at - 66_000) % 7_000 == 0), "{after:?}");
}
