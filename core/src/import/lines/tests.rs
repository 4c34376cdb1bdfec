use super::*;
use crate::import::Given;
use std::collections::BTreeSet;

/// Every row is found by its own words, or an earlier row takes them for the same thing or a part of it.
#[test]
fn no_row_is_hidden_by_another_thing() {
    let mut hidden = Vec::new();
    for row in rows() {
        // The template with a plausible figure in each hole.
        let mut text = String::new();
        let mut rest = row.template;
        while let Some((before, after)) = rest.split_once('{') {
            let (hole, after) = after.split_once('}').expect("a hole is closed");
            text.push_str(before);
            text.push_str(match hole.split_once(':') {
                Some((_, "n")) => "7",
                Some((_, "f")) => "7.5",
                Some((_, "r")) => "<memory:7, vCores:7>",
                _ => "name7",
            });
            rest = after;
        }
        text.push_str(rest);
        for words in row.also {
            text = format!("{words} {text}");
        }
        match recognise(&text) {
            Some(found) if found.row.id == row.id && (found.row.what == row.what || found.row.scene == row.scene) => {}
            found => hidden.push((row.what, text, found.map(|line| line.row.what))),
        }
    }
    let known: BTreeSet<&str> = hidden.iter().map(|(what, ..)| *what).collect();
    assert!(hidden.is_empty(), "{} rows: {known:?}\n{hidden:#?}", hidden.len());
}

/// A row that Heddle does not play says why in one sentence; any other row has a scenario.
#[test]
fn each_row_says_or_builds() {
    for row in rows() {
        match row.ours {
            Ours::No => assert!(row.say.ends_with('.') && row.scene == build::Scene::None, "{row:?}"),
            Ours::Partly => assert!(row.say.ends_with('.'), "{row:?}"),
            Ours::Yes => assert!(
                row.scene != build::Scene::None && !(row.why.is_empty() && row.kind != LineTopic::Submission),
                "{row:?}"
            ),
        }
    }
}

/// A line about the cluster that is open is told there: by the application that it names, else by its queue.
#[test]
fn a_line_joins_the_cluster_that_is_open() {
    const OPEN: &str = "heddle = 1\n[capacity-scheduler]\nroot.queues = \"a,b\"\nroot.a.capacity = 50\nroot.b.capacity = 50\n\
        [[nodes]]\nname = \"n\"\nsize = \"8 GB/8\"\n[[apps]]\nname = \"application_7_0001\"\nkind = \"requests\"\nqueue = \"root.a\"\n\
        am = \"1 GB/1\"\n[apps.now]\nrunning = [{ node = \"n\", am = true, size = \"1 GB/1\" }]\n";
    let open = |text: &str| crate::scenario::read(text).scenario.expect("it can be read");
    let of =
        |text: &str, scenario: &str| joins(&recognise(text).expect("a line"), text, &open(scenario)).map(|m| m.what);
    let full = "org.apache.hadoop.security.AccessControlException: Queue root.b already has 10000 applications, cannot accept submission of application: application_9_0003";
    assert_eq!(of(full, OPEN).as_deref(), Some("queue:root.b"));
    assert_eq!(of(&full.replace("9_0003", "7_0001"), OPEN).as_deref(), Some("app:application_7_0001"));
    assert_eq!(of(&full.replace("root.b", "root.c"), OPEN), None);
    // A longer id is another application; so is every one of a scenario that is of no cluster.
    assert_eq!(of(&full.replace("root.b", "root.c").replace("9_0003", "7_00011"), OPEN), None);
    assert_eq!(of(full, &OPEN[..OPEN.find("[apps.now]").expect("now")]), None);
    // The line among the files of an import opens there as well.
    let given = [Given { name: "s", text: OPEN }, Given { name: "l", text: full }];
    let found = crate::import::import(&given);
    assert_eq!((found.moment.what.as_str(), found.scenario.as_deref()), ("queue:root.b", Some(OPEN)));
    // The other texts are the cluster, whichever comes first; a line of another cluster is only told.
    const NODES: &str = r#"{"nodes": {"node": [{"id": "n1:1", "state": "RUNNING", "usedMemoryMB": 0, "availMemoryMB": 8192, "usedVirtualCores": 0, "availableVirtualCores": 8}]}}"#;
    const APPS: &str =
        r#"{"apps": {"app": [{"id": "application_7_0001", "state": "ACCEPTED", "queue": "root.a", "user": "u"}]}}"#;
    let named = full.replace("9_0003", "7_0001");
    for (line, what, told) in [(named.as_str(), "app:application_7_0001", 0), (full, "", 1)] {
        let (nodes, apps) = (Given { name: "n", text: NODES }, Given { name: "a", text: APPS });
        let line = Given { name: "l", text: line };
        for given in [[line, nodes, apps], [nodes, line, apps], [nodes, apps, line]] {
            let found = crate::import::import(&given);
            let scenario = open(&found.scenario.expect("a scenario"));
            assert_eq!((scenario.nodes.len(), scenario.apps.len(), found.moment.what.as_str()), (1, 1, what));
            let lost = found.unknown.iter().filter(|lack| lack.what.contains("neither the application nor the queue"));
            assert_eq!(lost.count(), told, "{:?}", found.unknown);
        }
    }
}

/// The report around diagnostics says whose application it is.
#[test]
fn a_report_around_a_line_names_its_application() {
    const REPORT: &str = "Application Report :\n\tApplication-Id : application_17_0042\n\tApplication-Name : nightly-agg\n\tUser : svc_etl\n\t\
        Queue : etl.nightly\n\tApplication Priority : 3\n\tState : ACCEPTED\n\tAM Host : N/A\n\tAggregate Resource Allocation : 7 MB-seconds, 2 \
        vcore-seconds\n\tDiagnostics : Application is added to the scheduler and is not yet activated. Queue's AM resource limit exceeded.  \
        Details : AM Partition = <DEFAULT_PARTITION>; AM Resource Request = <memory:4096, vCores:1>; Queue Resource Limit for AM = \
        <memory:8192, vCores:2>; User AM Resource Limit of the queue = <memory:8192, vCores:2>; Queue AM Resource Usage = <memory:8192, \
        vCores:2>;\n";
    let found = crate::import::import(&[Given { name: "status", text: REPORT }]);
    let scenario = found.scenario.expect("a scenario");
    assert_eq!(found.moment.what, "app:nightly-agg");
    for part in ["user = \"svc_etl\"", "queue = \"root.etl.nightly\"", "priority = 3"] {
        assert!(scenario.contains(part), "{part}: {scenario}");
    }
    let line = recognise(REPORT).expect("a line");
    assert_eq!((line.figures.text("am_host"), line.figures.number("mb_seconds")), (None, Some(7)));
}

/// Lines of one log fill what the one that is taken leaves open, and the others are counted.
#[test]
fn lines_of_a_log_fill_what_one_leaves_open() {
    const LOG: &str = "2024-06-03 11:12:13,456 INFO a.LeafQueue: Application application_17_0042 from user: bob activated in queue: batch\n\
        2024-06-03 11:12:14,456 WARN a.LeafQueue: maximum-am-resource-percent is insufficient to start a single application in queue, it is \
        likely set too low. skipping enforcement to allow at least one application to start\n\
        2024-06-03 11:12:15,456 INFO a.SchedulerNode: Assigned container container_17_0042_01_000001 of capacity <memory:2048, vCores:1> on \
        host dn1.corp:45454, which has 1 containers, <memory:2048, vCores:1> used and <memory:14336, vCores:7> available after allocation\n";
    let found = crate::import::import(&[Given { name: "rm.log", text: LOG }]);
    let scenario = found.scenario.expect("a scenario");
    assert!(scenario.contains("name = \"dn1.corp\"\nsize = \"16384 MB/8\""), "{scenario}");
    assert!(found.inferred.iter().any(|r| r.source.contains("L02")), "{:?}", found.inferred);
    assert!(found.unknown.iter().any(|r| r.what.contains("1 more known line nothing is used")), "{:?}", found.unknown);
    // Another line that has a name of its own keeps it.
    let (of, _) = LOG.split_once('\n').expect("lines");
    assert_eq!(recognise(of).expect("a line").figures.text("user"), Some("bob"));
}

/// A line whose figures the scenario cannot have is not told as read.
#[test]
fn a_line_that_does_not_come_back_says_so() {
    let full = "Application is Activated, waiting for resources to be assigned for AM.  Last Node which was processed for the application : \
        w1:1 ( Partition : [], Total resource : <memory:4096, vCores:4>, Available resource : <memory:0, vCores:2> ). Details : AM Partition \
        = <DEFAULT_PARTITION> ; Partition Resource = <memory:4096, vCores:4> ; Queue's Absolute capacity = 100.0 % ; Queue's Absolute used \
        capacity = 100.0 % ; Queue's Absolute max capacity = 100.0 % ; ";
    let mut found = crate::import::import(&[Given { name: "l", text: full }]);
    assert_eq!(found.files[0].status, crate::import::Status::Partly);
    assert!(found.files[0].problems[0].what.contains("passed over"), "{:?}", found.files);
    assert!(found.line.is_none() && found.scenario.is_some());
    // Played, the words decide.
    let line = "Queue root.a already has 3 applications, cannot accept submission of application: application_9_0003";
    for (said, status) in [(line.to_owned(), 0), (line.replace('3', "4"), 1), ("nothing".to_owned(), 1)] {
        found = crate::import::import(&[Given { name: "l", text: line }]);
        found.check_line(|_, _, _| Some(vec![said.clone()]));
        assert_eq!(found.files[0].problems.len(), status, "{said}: {:?}", found.files);
    }
}

/// What a table counts and the scenario does not have is said.
#[test]
fn what_a_table_has_and_the_scenario_leaves_out_is_said() {
    let nodes = "Total Nodes:3\n         Node-Id\t     Node-State\tNode-Http-Address\tNumber-of-Running-Containers\n\
        dn1.corp:45454\t        RUNNING\t   dn1.corp:8042\t                           4\n\
        dn2.corp:45454\t        RUNNING\t   dn2.corp:8042\t                           0\n\
        dn3.corp:45454\t           LOST\t   dn3.corp:8042\t                           0\n";
    let queue = "Queue Information : \nQueue Name : batch\n\tState : RUNNING\n\tCapacity : 40.00%\n\tCurrent Capacity : 125.00%\n\
        \tMaximum Capacity : 60.00%\n\tDefault Node Label expression : <DEFAULT_PARTITION>\n\tAccessible Node Labels : *\n\
        \tPreemption : disabled\n\tIntra-queue Preemption : disabled\n";
    for (text, told) in [
        (nodes, "1 node left out"),
        (nodes, "though the table counts 4 containers"),
        (queue, "though queues are in use"),
    ] {
        let found = crate::import::import(&[Given { name: "l", text }]);
        assert!(found.inferred.iter().any(|r| r.what.contains(told)), "{told}: {:?}", found.inferred);
        assert!(!found.scenario.expect("a scenario").contains("dn3"));
    }
}
