use super::*;

const XML: &str = "<configuration>\n<property><name>KEY</name><value>VALUE</value></property>\n</configuration>";

fn property(key: &str, value: &str) -> String {
    XML.replace("KEY", key).replace("VALUE", value)
}

fn queues() -> String {
    let capacity = "<property><name>yarn.scheduler.capacity.root.default.capacity</name><value>100</value></property>";
    property("yarn.scheduler.capacity.root.queues", "default").replace("</conf", &format!("{capacity}</conf"))
}

const NODES: &str = r#"{"nodes": {"node": [
    {"id": "n1:1", "rack": "/r1", "state": "RUNNING", "usedMemoryMB": 3072, "availMemoryMB": 5120, "usedVirtualCores": 2, "availableVirtualCores": 6},
    {"id": "n2:1", "rack": "/r1", "state": "LOST", "usedMemoryMB": 0, "availMemoryMB": 0}]}}"#;
const APPS: &str = r#"{"apps": {"app": [{"id": "application_1_0001", "user": "ann", "name": "job", "queue": "root.a", "state": "RUNNING",
    "runningContainers": 2, "allocatedMB": 3072, "allocatedVCores": 2, "masterNodeId": "n1:1", "startedTime": 1000, "elapsedTime": 5000,
    "resourceRequests": [{"priority": 1, "resourceName": "*", "capability": {"memory": 2048, "vCores": 1}, "numContainers": 7}]}]}}"#;
const CONTAINERS: &str = r#"{"container": [
    {"containerId": "container_1_0001_01_000002", "allocatedMB": 2048, "allocatedVCores": 1, "assignedNodeId": "n1:1", "priority": 1, "startedTime": 2000},
    {"containerId": "container_1_0001_01_000001", "allocatedMB": 1024, "allocatedVCores": 1, "assignedNodeId": "n1:1", "priority": 0, "startedTime": 1500}]}"#;
const QUEUES: &str = r#"{"scheduler": {"schedulerInfo": {"type": "capacityScheduler", "queueName": "root", "capacity": 100.0, "queues": {"queue": [
    {"type": "capacitySchedulerLeafQueueInfo", "queueName": "a", "capacity": 100.0, "maxCapacity": 100.0, "state": "RUNNING", "userLimit": 100,
     "userLimitFactor": 2.0, "maxApplications": 100, "configuredMaxAMResourceLimit": 0.5}]}}}}"#;

/// Each way of giving the same cluster, from its applications alone to all of it: yields a scenario that assumes only what
/// is missing, and in which nodes hold the containers that the answers say.
#[test]
fn less_gives_less_and_says_so() {
    let all = [("q", QUEUES), ("n", NODES), ("a", APPS), ("c", CONTAINERS)];
    let mut unknown = usize::MAX;
    for given in [&all[2..3], &all[1..3], &all[0..3], &all[0..4]] {
        let found = read_all(given);
        let scenario = sound(&found);
        let app = scenario.app("application_1_0001").expect("the application");
        let now = app.now.as_deref().expect("it is there");
        assert_eq!((now.running.len(), now.asks[0].row.count), (2, 7), "{given:?}");
        assert!(now.running[0].am, "{given:?}");
        let sum: i64 = now.running.iter().map(|c| c.size.memory_mb()).sum();
        assert_eq!(sum, 3072, "{given:?}");
        assert!(found.unknown.len() <= unknown, "more is known with more: {given:?}: {:?}", found.unknown);
        unknown = found.unknown.len();
        let assumed = found.inferred.iter().any(|r| r.what.contains("spread"));
        assert_eq!(assumed, given.len() < 4, "{given:?}: {:?}", found.inferred);
        if given.len() >= 3 {
            assert_eq!(scenario.settings.capacity_scheduler["yarn.scheduler.capacity.root.a.user-limit-factor"], "2");
            let mut sim = crate::sim::Simulation::new(std::sync::Arc::new(scenario)).expect("it begins");
            sim.run_until(0, &mut crate::journal::Silent);
            let node = sim.rm().node_by_host("n1").and_then(|n| sim.rm().node(n)).expect("n1");
            assert!(node.allocated.memory_mb() >= 3072, "{given:?}: {:?}", node.allocated);
        }
    }
}

/// Each answer × each cut of it: no panic, and what was whole is read.
#[test]
fn a_text_that_ends_in_the_middle_is_read_as_far_as_it_goes() {
    for text in [QUEUES, NODES, APPS, CONTAINERS] {
        for end in (0..text.len()).filter(|end| text.is_char_boundary(*end)).step_by(3) {
            let found = read_all(&[("x", &text[..end])]);
            assert!(found.files[0].status != Status::Read || end == text.len(), "{}", &text[..end]);
        }
    }
    let cut = NODES.find("{\"id\": \"n2").expect("the second");
    let found = read_all(&[("n", &NODES[..cut])]);
    assert_eq!(
        (found.files[0].status, sound(&found).nodes.len()),
        (Status::Partly, 1),
        "{:?}",
        found.files[0].problems
    );
}

/// XML gives the same as JSON.
#[test]
fn answers_in_xml_are_read_alike() {
    let xml = "<?xml version=\"1.0\"?><nodes><node><rack>/r1</rack><state>RUNNING</state><id>n1:1</id><usedMemoryMB>1024</usedMemoryMB>\
        <availMemoryMB>7168</availMemoryMB><usedVirtualCores>1</usedVirtualCores><availableVirtualCores>7</availableVirtualCores></node></nodes>";
    let found = read_all(&[("n", xml)]);
    let scenario = sound(&found);
    assert_eq!((scenario.nodes.len(), scenario.nodes[0].spec.total.memory_mb()), (1, 8192));
}

const SLIDER_HISTORY: &str = concat!(
    r#"{"entry":{"org.apache.slider.server.avro.RoleHistoryHeader":{"version":1,"saved":1794000000000,"savedx":"1a1b3155400","savedate":"6 Nov 2026 21:20:00 GMT","roles":2}}}"#,
    "\n",
    r#"{"entry":{"org.apache.slider.server.avro.NodeEntryRecord":{"host":"n7","role":1,"active":true,"last_used":0}}}"#,
    "\n",
    r#"{"entry":{"org.apache.slider.server.avro.RoleHistoryFooter":{"count":1}}}"#,
    "\n"
);

/// A history goes into the application that it is given with, and its hosts become nodes.
#[test]
fn a_role_history_goes_beside_its_resources() {
    let resources = r#"{"components": {"web": {"yarn.role.priority": "1", "yarn.component.instances": "1"}}}"#;
    let history = SLIDER_HISTORY.replace("{\"entry\":{\"org.apache.slider.server.avro.RoleHistoryFooter\":{\"count\":1}}}", concat!(
        r#"{"entry":{"org.apache.slider.server.avro.NodeEntryRecord":{"host":"n8","role":1,"active":false,"last_used":5}}}"#,
        "\n",
        r#"{"entry":{"org.apache.slider.server.avro.RoleHistoryFooter":{"count":2}}}"#
    ));
    for texts in [[("r", resources), ("h", &*history)], [("h", &*history), ("r", resources)]] {
        let found = read_all(&texts);
        let scenario = sound(&found);
        assert_eq!(scenario.nodes.iter().map(|n| n.spec.host.as_str()).collect::<Vec<_>>(), ["n7", "n8"]);
        let text = found.scenario.as_deref().unwrap_or_default();
        assert!(text.contains("rolehistory-") && text.contains("RoleHistoryFooter"), "{text}");
    }
    let cut = &SLIDER_HISTORY[..SLIDER_HISTORY.len() - 30];
    let found = read_all(&[("h", cut)]);
    assert!(found.files[0].problems.iter().any(|p| p.place.is_some()), "{:?}", found.files[0]);
}

/// Returns a text of each kind.
fn samples() -> Vec<(TextKind, String)> {
    vec![
        (TextKind::Scenario, "heddle = 1\n[[nodes]]\nname = \"n\"\nsize = \"8 GB/8\"\n".into()),
        (TextKind::CapacityScheduler, queues()),
        (TextKind::FairScheduler, "<allocations><queue name=\"a\"/></allocations>".into()),
        (TextKind::Site, property("yarn.scheduler.minimum-allocation-mb", "512")),
        (
            TextKind::Slider,
            r#"{"components": {"web": {"yarn.role.priority": "1", "yarn.component.instances": "3"}}}"#.into(),
        ),
        (TextKind::Service, include_str!("../../../tests/samples/yarnfile.json").into()),
        (TextKind::Samza, include_str!("../../../tests/samples/job.properties").into()),
        (TextKind::DistributedShell, "zk(3),NOTIN,NODE,zk".into()),
        (TextKind::ClusterInfo, r#"{"clusterInfo": {"id": 1, "hadoopVersion": "3.4.1"}}"#.into()),
        (TextKind::ClusterMetrics, r#"{"clusterMetrics": {"activeNodes": 2}}"#.into()),
        (TextKind::Scheduler, QUEUES.into()),
        (
            TextKind::SchedulerOverview,
            r#"{"scheduler": {"schedulerType": "x", "minimumAllocation": {"memory": 512, "vCores": 1}}}"#.into(),
        ),
        (TextKind::Nodes, NODES.into()),
        (TextKind::Apps, APPS.into()),
        (
            TextKind::Attempts,
            r#"{"appAttempts": {"appAttempt": [{"id": 1, "containerId": "container_1_0001_01_000001"}]}}"#.into(),
        ),
        (TextKind::Containers, CONTAINERS.into()),
        (TextKind::NodeLabels, r#"{"nodeLabelInfo": [{"name": "gpu", "exclusivity": false}]}"#.into()),
        (
            TextKind::NodesOfLabels,
            r#"{"nodeToLabels": {"entry": [{"key": "n1:1", "value": {"nodeLabelInfo": [{"name": "gpu"}]}}]}}"#.into(),
        ),
        (TextKind::Activities, r#"{"activities": {"nodeId": "n1:1", "allocations": []}}"#.into()),
        (TextKind::AppActivities, r#"{"appActivities": {"applicationId": "application_1_0001"}}"#.into()),
        (TextKind::Line, "Container preempted by scheduler".into()),
        (TextKind::Log, "2026-11-08 09:19:00,001 INFO x: Container preempted by scheduler\n".repeat(1200)),
        (
            TextKind::SliderConfig,
            r#"{"schema": "http://example.org/specification/v2.0.0", "global": {"application.def": "a.zip"}, "components": {}}"#.into(),
        ),
        (TextKind::SliderHistory, SLIDER_HISTORY.into()),
        (
            TextKind::Shown,
            "Node-Id Node-State Node-Http-Address Number-of-Running-Containers\nn1:1 RUNNING n1:2 0\n\
            Detailed Node Information :\n Configured Resources : <memory:8192, vCores:8>\n"
                .into(),
        ),
        (TextKind::OtherSettings, property("hadoop.proxyuser.hive.hosts", "*")),
        (TextKind::PropertyLines, "yarn.scheduler.capacity.root.queues=default\nyarn.scheduler.capacity.root.default.capacity=100\n".into()),
        (
            TextKind::Conf,
            r#"{"properties": [{"key": "yarn.scheduler.minimum-allocation-mb", "value": "512", "isFinal": false}]}"#.into(),
        ),
        (
            TextKind::SchedulerConf,
            r#"{"property": [{"name": "yarn.scheduler.capacity.root.queues", "value": "default"},
            {"name": "yarn.scheduler.capacity.root.default.capacity", "value": "100"}]}"#
                .into(),
        ),
        (
            TextKind::Emr,
            r#"[{"Classification": "yarn-site", "Properties": {"yarn.scheduler.minimum-allocation-mb": "512"}}]"#.into(),
        ),
        (
            TextKind::Ambari,
            r#"{"configurations": [{"yarn-site": {"properties": {"yarn.scheduler.minimum-allocation-mb": "512"}}}]}"#.into(),
        ),
        (
            TextKind::Cloudera,
            r#"{"items": [{"name": "yarn_scheduler_minimum_allocation_mb", "value": "512"}]}"#.into(),
        ),
        (
            TextKind::Change,
            r#"{"update-queue": {"queue-name": "root.a", "params": {"entry": {"key": "capacity", "value": "2w"}}}}"#.into(),
        ),
        (TextKind::Commands, "spark-submit --executor-memory 4g a.jar".into()),
        (TextKind::Topology, "n1\t/r1\nn2\t/r2\n".into()),
        (TextKind::LabelList, "Node Labels: <gpu:exclusivity=true>,<ssd:exclusivity=false>".into()),
        (TextKind::SparkDefaults, "spark.executor.memory 4g\n".into()),
        (
            TextKind::SlsJobs,
            r#"{"job.start.ms": 0, "job.queue.name": "q", "job.tasks": [{"container.duration.ms": 1000}]}"#.into(),
        ),
        (TextKind::SlsNodes, r#"{"rack": "r1", "nodes": [{"node": "n1"}]}"#.into()),
        (
            TextKind::SlsSynth,
            r#"{"num_jobs": 1, "workloads": [{"queue_name": "q", "job_classes": [{"tasks": [{"count": {"val": 1}}]}]}]}"#.into(),
        ),
        (
            TextKind::Dynoyarn,
            r#"{"appId": "a", "resourceRequestSpecs": [{"numInstances": 1, "averageRuntime": 5}]}"#.into(),
        ),
    ]
}

/// Imports these texts.
fn read_all(texts: &[(&str, &str)]) -> Import {
    let given: Vec<Given<'_>> = texts.iter().map(|(name, text)| Given { name, text }).collect();
    import(&given)
}

/// Returns the scenario, which has no error.
fn sound(found: &Import) -> crate::scenario::Scenario {
    let text = found.scenario.as_deref().expect("a scenario");
    let read = crate::scenario::read(text);
    read.scenario.unwrap_or_else(|| panic!("{:?}\n{text}", read.problems))
}

#[test]
fn each_kind_is_recognised_by_its_content_whatever_its_name_is_and_gives_a_scenario() {
    let samples = samples();
    for kind in KINDS.iter().filter(|kind| kind.what != TextKind::RemoteException) {
        assert!(samples.iter().any(|(what, _)| *what == kind.what), "no sample of {}", kind.name);
    }
    for (what, text) in samples {
        for name in ["", "x", "a.toml", "a.xml", "yarn-site.xml", "a.properties", "a.json"] {
            for text in [text.clone(), format!("\u{feff}{text}"), format!("\n\n{text}\n\n")] {
                let found = read_all(&[(name, &text)]);
                // Cluster metrics given alone are read as a pasted line.
                let sums = what == TextKind::ClusterMetrics;
                let (what, status) = if sums { (TextKind::Line, Status::Partly) } else { (what, Status::Read) };
                assert_eq!(found.files[0].kind, Some(what), "{name}: {text}");
                assert_eq!(found.files[0].status, status, "{name}: {:?}", found.files[0].problems);
                if !sums {
                    sound(&found);
                }
            }
        }
    }
}

/// Each kind of JSON and XML after comment lines, as people keep them in files.
#[test]
fn what_stands_behind_comment_lines_is_recognised_as_what_it_is() {
    for (what, text) in samples() {
        if !text.trim_start().starts_with(['{', '[', '<']) || !text.contains(['{', '<']) {
            continue;
        }
        let plain = read_all(&[("x", &text)]);
        for comment in ["# what it is\n", "\n  # é\r\n\n#\n", "// what it is\n", "#{\n"] {
            let found = read_all(&[("x", &format!("{comment}{text}"))]);
            assert_eq!(found.files[0].kind, plain.files[0].kind, "{what:?}: {comment}{text}");
            assert_eq!(found.files[0].status, plain.files[0].status, "{comment}{text}");
            let told = &found.files[0].problems;
            assert!(told.iter().any(|p| p.what.starts_with("These lines are comments")), "{told:?}");
        }
    }
    // Texts that only resemble this stay as they are.
    for text in ["# a\n[yarn-site]\n", "# only\n", "{}"] {
        assert_eq!(look::without_lines_before(text), None, "{text}");
    }
}

/// Each kind × each way to damage its sample: no panic, every error has a place or a fix, and the scenario can be read.
#[test]
fn a_spoiled_text_is_told_and_never_a_panic() {
    let mut wrong: Vec<String> = Vec::new();
    for (what, text) in samples() {
        let mut bad: Vec<String> = Vec::new();
        let places: Vec<usize> = (0..text.len()).filter(|at| text.is_char_boundary(*at)).collect();
        let step = places.len().div_ceil(60).max(1);
        for at in places.iter().copied().step_by(step) {
            bad.push(text[..at].to_owned());
            bad.push(format!("{}\u{202e}{}", &text[..at], &text[at..]));
            bad.push(format!("{}\"{}", &text[..at], &text[at..]));
        }
        let digits = places.iter().copied().filter(|at| text[*at..].starts_with(|c: char| c.is_ascii_digit()));
        for at in digits.step_by(step) {
            for number in ["99999999999999999999", "-1", "1e400", "9223372036854775807", "x"] {
                bad.push(format!("{}{number}{}", &text[..at], &text[at + 1..]));
            }
        }
        for text in bad {
            let found = read_all(&[("x", &text)]);
            let recognised = found.files[0].kind.is_some();
            let errors = found.files[0].problems.iter().filter(|p| p.severity == Severity::Error);
            let bare = errors.filter(|e| recognised && e.span.is_none() && e.mend.is_empty());
            wrong.extend(bare.map(|error| format!("{what:?}: {error:?}\n{text}")));
            if let Some(scenario) = &found.scenario {
                crate::scenario::read(scenario);
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n\n"));
}

#[test]
fn what_is_none_of_ours_is_told_with_its_place_and_gives_nothing() {
    for (text, part) in [
        ("", "empty"),
        ("# only\n", "only comments"),
        ("<!DOCTYPE html><html></html>", "web page"),
        ("<project/>", "<project>"),
        ("hello", "nothing that is read"),
        ("{\"a\": 1}", "None of its fields"),
        ("{\"a\": ", "not JSON"),
    ] {
        let found = read_all(&[("x", text)]);
        assert!(found.scenario.is_none() && found.files[0].status == Status::NotRead, "{text}");
        assert!(found.files[0].problems.iter().any(|p| p.what.contains(part)), "{text}: {:?}", found.files[0].problems);
    }
}

#[test]
fn files_come_together_in_one_scenario() {
    let capacity = queues();
    let site = property("yarn.nodemanager.resource.memory-mb", "65536");
    let found = read_all(&[
        ("a", &capacity),
        ("b", &site),
        ("c", include_str!("../../../tests/samples/yarnfile.json")),
        ("d", include_str!("../../../tests/samples/yarnfile.json")),
        ("e", "hello"),
    ]);
    let scenario = sound(&found);
    assert_eq!(scenario.files.len(), 2);
    assert_eq!(scenario.apps.len(), 2);
    assert_ne!(scenario.apps[0].name, scenario.apps[1].name);
    assert_eq!(scenario.nodes[0].spec.total.memory_mb(), 65536);
    assert_eq!(found.files.iter().filter(|f| f.status == Status::NotRead).count(), 1);
    assert!(!found.inferred.is_empty() && !found.unknown.is_empty());
}

/// Labels in an answer, with and without a default label of the queue: an empty one means no label and must not become the
/// default; a missing one must.
#[test]
fn an_empty_label_is_not_the_queues_default() {
    let answer = |of_am: &str, of_app: &str, of_ask: &str| {
        format!(
            r#"{{"apps": {{"app": [{{"id": "application_1_0001", "user": "u", "queue": "root.default", "state": "RUNNING",
            "amNodeLabelExpression": {of_am}, "appNodeLabelExpression": {of_app}, "amHostHttpAddress": "n1:8042",
            "allocatedMB": 1024, "allocatedVCores": 1, "runningContainers": 1, "resourceRequests": [{{"priority": 1,
            "resourceName": "*", "capability": {{"memory": 1024, "vCores": 1}}, "numContainers": 3, "relaxLocality": true,
            "nodeLabelExpression": {of_ask}}}]}}]}}}}"#
        )
    };
    let default = "<property><name>yarn.scheduler.capacity.root.default.default-node-label-expression</name><value>x</value></property>";
    let with_default = queues().replace("</conf", &format!("{default}</conf"));
    let nodes = r#"{"nodes": {"node": [{"id": "n1:1", "nodeHostName": "n1", "state": "RUNNING", "rack": "/r",
        "usedMemoryMB": 1024, "availMemoryMB": 7168, "usedVirtualCores": 1, "availableVirtualCores": 7}]}}"#;
    for (config, said, app, am_and_ask) in [
        (&with_default, "\"\"", Some(""), Some("")),
        (&with_default, "null", None, None),
        (&with_default, "\"x\"", Some("x"), Some("x")),
        // No default label to distinguish it from.
        (&queues(), "\"\"", Some(""), None),
    ] {
        let found = read_all(&[("c", config), ("n", nodes), ("a", &answer(said, said, said))]);
        let scenario = sound(&found);
        let there = &scenario.apps[0];
        let ask = there.now.as_ref().and_then(|now| now.asks.first()).map(|ask| ask.row.label.as_deref());
        assert_eq!(there.label.as_deref(), app, "{said}");
        assert_eq!(there.am.label.as_deref(), am_and_ask, "{said}");
        assert_eq!(ask, Some(am_and_ask), "{said}");
    }
}

/// What the report says that it does not know, and what it takes over of the FairScheduler's latest figures.
#[test]
fn figures_of_an_earlier_moment_are_told_and_those_of_the_answer_taken() {
    const FAIR: &str = r#"{"scheduler": {"schedulerInfo": {"type": "fairScheduler", "rootQueue": {"queueName": "root",
        "fairResources": {"memory": 8192, "vCores": 8}, "steadyFairResources": {"memory": 8192, "vCores": 8}, "demandResources": {"memory": 3072, "vCores": 2},
        "childQueues": {"queue": [{"type": "fairSchedulerLeafQueueInfo", "queueName": "root.a", "fairResources": {"memory": 8192, "vCores": 8},
        "steadyFairResources": {"memory": 4096, "vCores": 4}, "demandResources": {"memory": 3072, "vCores": 2}}]}}}}}"#;
    let scenario = sound(&read_all(&[("q", FAIR), ("n", NODES), ("a", APPS), ("c", CONTAINERS)]));
    let steady = scenario.shares.iter().find(|s| s.queue == "root.a").and_then(|s| s.steady).expect("a steady share");
    assert_eq!(steady.memory_mb(), 4096);
    let mut sim = crate::sim::Simulation::new(std::sync::Arc::new(scenario)).expect("it begins");
    sim.run_until(0, &mut crate::journal::Silent);
    let fair = sim.rm().fair().expect("the FairScheduler");
    assert_eq!(fair.living().find(|q| q.path == "root.a").map(|q| q.steady_share.memory_mb()), Some(4096));
    let unknown = |q: &str| -> String {
        let found = read_all(&[("q", q), ("n", NODES), ("a", APPS), ("c", CONTAINERS)]);
        found.unknown.iter().map(|r| r.what.as_str()).collect::<Vec<_>>().join("\n")
    };
    assert!(unknown(QUEUES).contains("when the scheduler last looked at each queue"), "{}", unknown(QUEUES));
    assert!(!unknown(FAIR).contains("last looked at each queue"));
}

#[test]
fn an_application_that_waits_for_nothing_needs_no_list_of_requests() {
    let cut = APPS.find(",\n    \"resourceRequests\"").expect("requests");
    let usage = r#", "resourceInfo": {"resourceUsagesByPartition": [{"partitionName": "", "pending": {"memory": 0, "vCores": 0}}]}}]}}"#;
    let said = |apps: &str| read_all(&[("n", NODES), ("a", apps)]).unknown.iter().any(|r| r.what.contains("wait for"));
    assert!(!said(&format!("{}{usage}", &APPS[..cut])));
    assert!(said(&format!("{}{}", &APPS[..cut], usage.replace("\"memory\": 0", "\"memory\": 1024"))));
}

#[test]
fn room_that_no_application_uses_is_told() {
    let said = |nodes: &str| {
        let found = read_all(&[("n", nodes), ("a", APPS), ("c", CONTAINERS)]);
        found.unknown.iter().any(|r| r.what.starts_with("1 GB") && r.what.contains("belongs to no application"))
    };
    assert!(said(&NODES.replace(
        "\"usedMemoryMB\": 3072, \"availMemoryMB\": 5120",
        "\"usedMemoryMB\": 4096, \"availMemoryMB\": 4096"
    )));
    assert!(!said(NODES));
}

#[test]
fn like_remarks_are_counted_from_the_fourth_on() {
    let remark = |n: usize| Remark {
        what: format!("application_1_{n:04} reserves 2 GB on n{n}."),
        source: "apps".into(),
        about: vec![],
    };
    let other = Remark { what: "2 nodes drain.".into(), source: "nodes".into(), about: vec![] };
    let folded = fold((1..=200).map(remark).chain([other.clone()]).collect());
    assert_eq!(folded.len(), 2, "{folded:?}");
    assert_eq!(folded[0].what, "application_1_0001 reserves 2 GB on n1. 199 more like this.");
    assert_eq!(folded[1], other);
    assert_eq!(fold((1..=3).map(remark).collect()).len(), 3);
}

#[test]
fn an_answer_without_anything_is_no_error_and_no_scenario() {
    for text in ["{}", "null", " [] \n"] {
        let found = read_all(&[("labels", text)]);
        assert!(found.files[0].what == "an empty answer" && found.scenario.is_none(), "{text}: {:?}", found.files);
        assert!(found.files[0].problems.iter().all(|p| p.severity == Severity::Note), "{text}: {:?}", found.files);
    }
}

/// The release that is named or that /info says: what it says it changes is changed.
#[test]
fn a_release_changes_what_it_says() {
    let queues = queues().replace(
        "</configuration>",
        &property("yarn.scheduler.capacity.root.max-parallel-apps", "3")["<configuration>".len()..],
    );
    let of = |release, version: &str| {
        let info = format!(r#"{{"clusterInfo": {{"hadoopVersion": "{version}"}}}}"#);
        let given = [Given { name: "q", text: &queues }, Given { name: "i", text: &info }];
        import_of(&given, release)
    };
    let of = |release, version| {
        let found = of(release, version);
        let said = found.inferred.iter().chain(&found.unknown).map(|r| r.what.clone()).collect::<Vec<_>>().join("\n");
        (sound(&found), said)
    };
    let limit = "yarn.scheduler.capacity.root.max-parallel-apps";
    let expiry = "yarn.am.liveness-monitor.expiry-interval-ms";
    // 3.3 has the limit, 3.2 not.
    let (scenario, said) = of(None, "3.3.6");
    assert!(scenario.settings.capacity_scheduler.contains_key(limit), "{said}");
    assert!(
        scenario.settings.yarn_site[expiry] == "600000" && said.contains("is 600000, the default of Hadoop 3.3"),
        "{said}"
    );
    let (scenario, said) = of(None, "3.2.4");
    assert!(!scenario.settings.capacity_scheduler.contains_key(limit), "{said}");
    assert!(said.contains("Hadoop 3.2 ignores") && said.contains("since 3.3"), "{said}");
    // What is named goes before what /info says; 3.5 changes nothing.
    let (scenario, said) = of(Some(Release::V3_5), "3.2.4");
    assert!(!scenario.settings.yarn_site.contains_key(expiry) && said.contains("those of Hadoop 3.5"), "{said}");
    // A vendor's 3.1 that has settings of 3.3.
    let (scenario, said) = of(None, "3.1.1.7.1.7.0-551");
    assert!(scenario.release == Some(Release::V3_3) && said.contains("is taken for 3.3"), "{said}");
    // Rules that are not played are told.
    assert!(of(None, "3.0.3").1.contains("YARN-6592"));
    // Without a word of it, it is asked for.
    let found = read_all(&[("q", &queues)]);
    assert!(found.unknown.iter().any(|r| r.what.starts_with("Which release of Hadoop runs")), "{:?}", found.unknown);
}

#[test]
fn what_a_release_refuses_is_told_with_its_words() {
    let weights = queues().replace("<value>100</value>", "<value>2w</value>");
    let given = [Given { name: "q", text: &weights }];
    let found = import_of(&given, Some(Release::V3_3));
    let told = found.files[0].problems.iter().find(|p| p.severity == Severity::Error).expect("it is refused");
    assert!(told.what.contains("For input string: \"2w\"") && told.what.contains("YARN-10504"), "{told:?}");
    assert!(import_of(&given, Some(Release::V3_4)).files[0].problems.iter().all(|p| p.severity != Severity::Error));
}

/// As a terminal shows them: the command and headers before an answer, several answers one after the other.
#[test]
fn answers_come_as_a_terminal_prints_them() {
    let plain = read_all(&[("n", NODES), ("a", APPS), ("q", QUEUES)]).scenario;
    for (between, before) in [
        ("", ""),
        ("\n", "$ curl -s http://rm:8088/ws/v1/cluster/{nodes,apps,scheduler}\n"),
        (
            "\r\n",
            "HTTP/1.1 200 OK\r\nContent-Type: application/json;charset=utf-8\r\nX-Frame-Options: SAMEORIGIN\r\n\r\n",
        ),
    ] {
        let text = format!("{before}{}", [NODES, APPS, QUEUES].join(between));
        let found = read_all(&[("all", &text)]);
        assert_eq!(found.files.len(), 1);
        assert!(found.files[0].status == Status::Read, "{:?}", found.files);
        for part in ["/nodes", "/apps", "/scheduler"] {
            assert!(found.files[0].what.contains(part), "{:?}", found.files);
        }
        assert_eq!(found.scenario, plain, "{before:?}");
        assert_eq!(found.files[0].problems.len(), usize::from(!before.is_empty()), "{:?}", found.files);
    }
    // Something else behind them is told.
    let found = read_all(&[("all", &format!("{NODES}{{\"x\": 1}}{APPS}"))]);
    assert!(found.files[0].status == Status::Partly && found.scenario.is_some(), "{:?}", found.files);
}
