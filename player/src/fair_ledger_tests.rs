//! The FairScheduler's ledger as an operator reads it: how shares are computed, who is asked first and why, whose clock runs,
//! where a user's applications land; and the same workload under the other schedulers.

use super::fixtures::at;
use crate::explain::view::{LedgerRow, LedgerTable, LedgerView, Selection, StepBy};

const APPS: &str = "[[apps]]\nname = \"a-job\"\nqueue = \"root.a\"\nuser = \"ann\"\nam = \"1 GB/1\"\ntasks = { count = 40, size = \"1 GB/1\", duration = \"forever\" }\n\
    [[apps]]\nname = \"b-job\"\nqueue = \"root.b\"\nuser = \"bob\"\nam = \"1 GB/1\"\ntasks = { count = 40, size = \"1 GB/1\", duration = \"forever\" }\n";

fn scenario(site: &str, file: &str, apps: &str) -> String {
    format!(
        "heddle = 1\nscheduler = \"fair\"\nuntil = \"2 min\"\n[yarn-site]\n{site}\n[files]\n\"fair-scheduler.xml\" = '''\n<allocations>{file}</allocations>\n'''\n\
         [[nodes]]\nname = \"n{{1}}\"\ncount = 2\nsize = \"12 GB/12\"\n{apps}"
    )
}

fn table<'l>(ledger: &'l LedgerView, title: &str) -> &'l LedgerTable {
    let titles: Vec<&str> = ledger.tables.iter().map(|t| t.title.as_str()).collect();
    ledger.tables.iter().find(|t| t.title.starts_with(title)).unwrap_or_else(|| panic!("{title} is not in {titles:?}"))
}

fn row<'t>(table: &'t LedgerTable, name: &str) -> &'t LedgerRow {
    table.rows.iter().find(|r| r.name == name).unwrap_or_else(|| panic!("{name} is not in {table:#?}"))
}

fn cell<'t>(table: &'t LedgerTable, name: &str, column: &str) -> (&'t str, &'t [String]) {
    let i = table.columns.iter().position(|c| c.name == column).unwrap_or_else(|| panic!("{column}: {table:#?}"));
    let cell = &row(table, name).cells[i];
    (&cell.text, &cell.formula)
}

#[test]
fn each_share_tells_what_a_weight_was_worth_and_what_fixed_it() {
    let file = "<queue name=\"a\"><weight>2</weight></queue><queue name=\"b\"><maxResources>6144 mb, 6 vcores</maxResources></queue>\
        <queue name=\"c\"/><queue name=\"d\"><minResources>10240 mb, 2 vcores</minResources></queue>";
    let player = at(&scenario("", file, APPS), 40);
    let ledger = player.ledger(None);
    assert!(ledger.none.is_empty() && ledger.places && ledger.title.starts_with("update at 0:"), "{ledger:#?}");
    let shares = table(&ledger, "Fair shares, memory");
    let of = |queue| (cell(shares, queue, "fair share").0, cell(shares, queue, "set by").0);
    assert_eq!(of("a"), ("18", "its weight"));
    assert_eq!(of("b"), ("6", "its maximum"));
    assert_eq!(of("c"), ("0", "nothing ran"));
    let how = cell(shares, "b", "fair share").1;
    assert!(how[0].starts_with("24 GB of root are divided among 2 of its 4 children"), "{how:?}");
    assert!(
        how.last().is_some_and(|l| l.ends_with("is no less than its maximum: it gets the maximum of 6 GB")),
        "{how:?}"
    );
    // Steady shares also count queues that run nothing: a weight of 1 is worth 3.5 GB beside d's minimum.
    assert_eq!(cell(shares, "d", "steady share").0, "10");
    assert_eq!((cell(shares, "a", "steady share").0, cell(shares, "c", "steady share").0), ("7", "3.5"));
    let how = cell(shares, "d", "steady share").1;
    assert!(how.last().is_some_and(|l| l.contains("is less than its minimum")), "{how:?}");
    // A queue that cannot use the rest has its share set by its maximum, even if it shares with nobody.
    let alone = at(&scenario("", "<queue name=\"b\"><maxResources>6144 mb, 6 vcores</maxResources></queue>", APPS), 8);
    let ledger = alone.ledger(None);
    assert_eq!(cell(table(&ledger, "Fair shares, memory"), "b", "set by").0, "its maximum");
    // The charts have both shares over time.
    let series = player.series();
    let a = series.iter().find(|s| s.name == "root.a").expect("a line");
    let last = a.points.last().expect("a point");
    assert_eq!((last.guaranteed, last.steady), (18 << 10, 7 << 10));
}

#[test]
fn keys_stand_in_the_order_of_the_comparison_and_tell_what_decided() {
    let file = "<queue name=\"a\"/><queue name=\"b\"><minResources>20480 mb, 20 vcores</minResources></queue><queue name=\"c\"/>";
    let player = at(&scenario("", file, APPS), 8);
    let ledger = player.ledger(Some(&Selection::Queue("root.b".into())));
    let keys = table(&ledger, "Children of root as they would be asked now");
    let order: Vec<&str> = keys.rows.iter().map(|r| r.name.as_str()).collect();
    assert_eq!(order, ["b", "a", "c"]);
    let by = |queue| cell(keys, queue, "behind the one above by").0;
    assert_eq!((by("b"), by("a"), by("c")), ("", "below its minimum", "wants something"));
    assert_eq!(cell(keys, "c", "wants something").0, "no");
}

const ON: &str = "scheduler.fair.preemption = true\nscheduler.fair.waitTimeBeforeKill = 10000\n";

#[test]
fn clocks_tell_what_they_wait_for_and_searches_are_stops() {
    let late = APPS.replacen("queue = \"root.b\"", "at = \"30 s\"\nqueue = \"root.b\"", 1);
    let file = "<queue name=\"a\"/><queue name=\"b\"><fairSharePreemptionTimeout>5</fairSharePreemptionTimeout>\
        <fairSharePreemptionThreshold>1.0</fairSharePreemptionThreshold></queue>";
    let text = scenario(ON, file, &late);
    let player = at(&text, 33);
    let ledger = player.ledger(None);
    let clocks = table(&ledger, "Clocks of starvation");
    let (what, _) = cell(clocks, "b-job", "what comes of it");
    assert!(what.starts_with("running since 0:3") && what.contains("starved from 0:3"), "{what}");
    assert_eq!(cell(clocks, "b-job", "patience").0, "5 s");
    assert_eq!((ledger.here, ledger.stops.len() > 1), (None, true), "{:?}", ledger.stops);
    // Steps to the first search, and its findings.
    let mut player = player;
    player.step(StepBy::Round, false);
    let ledger = player.ledger(None);
    assert_eq!((ledger.here, ledger.stops[0].time_ms), (Some(0), player.now()));
    assert!(ledger.came_to[0].contains("**b-job** is starved"), "{:?}", ledger.came_to);
    let search = table(&ledger, "Room looked for");
    assert!(!row(search, "b-job").cells[2].names.is_empty(), "{search:#?}");
    player.step(StepBy::Round, false);
    assert_eq!(player.ledger(None).here, Some(1));
    player.step(StepBy::Round, true);
    assert_eq!(player.ledger(None).here, Some(0));
    // What stops the clocks.
    let idle = at(
        &scenario(&format!("{ON}\"scheduler.fair.preemption.cluster-utilization-threshold\" = 1\n"), file, &late),
        33,
    );
    assert!(idle.ledger(None).came_to[0].contains("nobody counts as starved"), "{:?}", idle.ledger(None).came_to);
    let off = at(&scenario("", file, &late), 33);
    assert!(off.ledger(None).came_to[0].starts_with("Preemption is off"), "{:?}", off.ledger(None).came_to);
}

#[test]
fn where_a_users_applications_would_land_and_by_which_rule() {
    let rules = "<queue name=\"a\"/><queue name=\"b\"/><queuePlacementPolicy><rule name=\"specified\" create=\"false\"/>\
        <rule name=\"user\" create=\"false\"/><rule name=\"default\" queue=\"misc\"/></queuePlacementPolicy>";
    let player = at(&scenario("", rules, APPS), 40);
    let of = |user: &str, fact: &str| {
        let why = player.why(&Selection::User(user.into()));
        let found = why.facts.iter().find(|f| f.name == fact).cloned();
        found.unwrap_or_else(|| panic!("{fact}: {:#?}", why.facts))
    };
    let fact = of("a", "asking for no queue");
    assert_eq!(fact.value, "root.a", "also for who is not in the scenario");
    assert_eq!(fact.formula[0], "rule 1, specified: no queue was asked for; the next rule is asked");
    assert_eq!(fact.formula[1], "rule 2, user: gives root.a", "{fact:?}");
    let fact = of("zoe", "asking for no queue");
    assert_eq!(fact.value, "root.misc, which is made for it");
    assert!(fact.formula[1].contains("root.zoe is not in the allocation file"), "{fact:?}");
    assert_eq!(of("bob", "asking for root.b").value, "root.b");
    // The landing question leaves no trace in the run.
    assert_eq!(player.simulation().rm().apps().len(), 2);
}
