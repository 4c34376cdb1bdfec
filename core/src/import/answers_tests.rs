//! Answers as operators have them: filtered, of old releases, of two moments, incomplete.

use super::{Given, Import, import};
use crate::scenario::Scenario;

fn of(texts: &[&str]) -> (Scenario, Import) {
    let given: Vec<Given<'_>> = texts.iter().map(|text| Given { name: "x", text }).collect();
    let found = import(&given);
    let text = found.scenario.clone().unwrap_or_else(|| panic!("{texts:?}: {:?}", found.files));
    let read = crate::scenario::read(&text);
    (read.scenario.unwrap_or_else(|| panic!("{:?}\n{text}", read.problems)), found)
}

fn says(found: &Import, part: &str) -> bool {
    let told = found.inferred.iter().chain(&found.unknown).map(|remark| &remark.what);
    let problems = found.files.iter().flat_map(|file| &file.problems).map(|problem| &problem.what);
    told.chain(problems).any(|what| what.contains(part))
}

const APP: &str = r#"{"id": "application_17_0007", "user": "etl", "name": "n", "queue": "batch", "state": "RUNNING", "allocatedMB": 5120, "allocatedVCores": 3, "runningContainers": 3, "amHostHttpAddress": "a1:8042"}"#;
const WAITS: &str = r#"{"id": "application_17_0008", "user": "bob", "name": "w", "queue": "batch", "state": "ACCEPTED", "diagnostics": "x"}"#;
const NODE: &str = r#"{"id": "a1:8041", "nodeHostName": "a1", "rack": "/r1", "state": "RUNNING", "usedMemoryMB": 5120, "availMemoryMB": 3072, "usedVirtualCores": 3, "availableVirtualCores": 5}"#;

/// Each form × what it holds: the answer, the list that a filter leaves, and one record a line.
#[test]
fn records_are_read_with_and_without_their_list() {
    let node2 = NODE.replace("a1", "a2");
    for nodes in [
        format!(r#"{{"nodes": {{"node": [{NODE}, {node2}]}}}}"#),
        format!("[{NODE}, {node2}]"),
        format!("{NODE}\n{node2}"),
        format!(
            "  % Total    % Received\n                 Dload  Upload\n100  117    0 --:--:-- 1245\n[{NODE}, {node2}]"
        ),
    ] {
        assert_eq!(of(&[&nodes]).0.nodes.len(), 2, "{nodes}");
    }
    for apps in
        [format!(r#"{{"apps": {{"app": [{APP}, {WAITS}]}}}}"#), format!("[{APP}, {WAITS}]"), format!("{APP}\n{WAITS}")]
    {
        let (scenario, _) = of(&[&apps, &format!("[{NODE}]")]);
        assert_eq!((scenario.apps.len(), scenario.apps[1].queue.as_str()), (2, "batch"), "{apps}");
    }
}

/// Each set of answers × the containers that run: none is lost for want of a node.
#[test]
fn what_runs_has_a_node_whatever_is_missing() {
    let metrics = r#"{"clusterMetrics": {"activeNodes": 3, "totalMB": 24576, "totalVirtualCores": 24}}"#;
    let no_host = APP.replace(r#", "amHostHttpAddress": "a1:8042""#, "");
    for (texts, nodes) in [
        (vec![format!("[{APP}]")], 1),
        (vec![format!("[{no_host}]")], 4),
        (vec![format!("[{no_host}]"), metrics.to_owned()], 3),
        (vec![format!("[{APP}]"), format!("[{NODE}]")], 1),
    ] {
        let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
        let (scenario, _) = of(&texts);
        let running = scenario.apps[0].now.as_ref().map_or(0, |now| now.running.len());
        assert_eq!((running, scenario.nodes.len()), (3, nodes), "{texts:?}");
    }
}

#[test]
fn queues_that_are_inferred_are_as_the_release_takes_them() {
    let other = APP.replace("batch", "etl").replace("_0007", "_0009");
    let third = APP.replace("batch", "adhoc").replace("_0007", "_0010");
    let apps = format!("[{APP}, {other}, {third}]");
    for (version, capacity) in [("2.7.3", "33.334"), ("3.3.6", "33.334"), ("3.4.1", "1w"), ("3.5.0", "1w")] {
        let info = format!(r#"{{"clusterInfo": {{"hadoopVersion": "{version}"}}}}"#);
        let (scenario, _) = of(&[&info, &apps]);
        let first = &scenario.settings.capacity_scheduler["yarn.scheduler.capacity.root.batch.capacity"];
        assert_eq!(first, capacity, "{version}");
    }
}

/// What a queue says of its ApplicationMasters, of the user before all.
#[test]
fn an_application_master_has_what_those_of_its_queue_have() {
    let queue = |users: &str, of_all: &str| {
        format!(
            r#"{{"scheduler": {{"schedulerInfo": {{"type": "capacityScheduler", "capacity": 100.0, "queueName": "root", "queues": {{"queue": [
            {{"type": "capacitySchedulerLeafQueueInfo", "queueName": "batch", "capacity": 100.0, "maxCapacity": 100.0{of_all}, "users": {users}}}]}}}}}}}}"#
        )
    };
    let user = r#"{"user": [{"username": "etl", "resourcesUsed": {"memory": 5120, "vCores": 3}, "numActiveApplications": 2, "AMResourceUsed": {"memory": 4096, "vCores": 2}}]}"#;
    let all = r#", "numActiveApplications": 3, "usedAMResource": {"memory": 4608, "vCores": 3}"#;
    for (scheduler, memory, told) in [
        (queue(user, all), 2048, "on average"),
        (queue("null", all), 1536, "on average"),
        (queue("null", ""), 1024, "is assumed"),
    ] {
        let (scenario, found) = of(&[&scheduler, &format!("[{APP}]"), &format!("[{NODE}]")]);
        assert_eq!(scenario.apps[0].am.size.memory_mb(), memory, "{scheduler}");
        assert!(says(&found, told), "{:?}", found.inferred);
    }
}

/// Each contradiction × what is said of it.
#[test]
fn answers_that_contradict_each_other_are_told() {
    let small = NODE.replace("5120", "1024");
    let later = NODE.replace("5120", "6144").replace("3072", "2048");
    let (of_3, of_2) =
        (r#"{"clusterInfo": {"hadoopVersion": "3.3.4"}}"#, r#"{"clusterInfo": {"hadoopVersion": "2.7.3"}}"#);
    let other = APP.replace("_17_", "_18_");
    let parts = format!(
        "[{}, {}]",
        NODE.replace("\"rack\"", "\"subClusterId\": \"SC-1\", \"rack\""),
        NODE.replace("a1", "z1").replace("\"rack\"", "\"subClusterId\": \"SC-2\", \"rack\"")
    );
    for (texts, told) in [
        (vec![format!("[{APP}]"), format!("[{small}]")], "Which is right"),
        (vec![format!("[{NODE}]"), format!("[{later}]")], "is there twice"),
        (vec![of_3.to_owned(), of_2.to_owned(), format!("[{NODE}]")], "3.3.4 is taken"),
        (vec![format!("[{APP}, {other}]"), format!("[{NODE}]")], "2 starts of a ResourceManager"),
        (vec![parts], "2 sub-clusters, SC-1, SC-2"),
        (vec![format!("[{NODE}]").replace("\"availMemoryMB\": 3072", "\"availMemoryMB\": 1e400")], "cannot be read"),
        (vec![r#"{"nodes": null}"#.to_owned()], "No node is in it"),
    ] {
        let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
        let (_, found) = of(&texts);
        assert!(says(&found, told), "{told}: {:?} {:?} {:?}", found.inferred, found.unknown, found.files);
    }
    let (_, found) = of(&[&format!("[{APP}]"), &format!("[{NODE}]")]);
    assert!(says(&found, "so that the sums of nodes and applications agree") && !says(&found, "Which is right"));
}

#[test]
fn bounds_of_the_fifo_scheduler_and_labels_alone_are_in_force() {
    let fifo = r#"{"scheduler": {"schedulerInfo": {"type": "fifoScheduler", "qstate": "RUNNING", "minQueueMemoryCapacity": 512, "maxQueueMemoryCapacity": 4096, "numNodes": 2, "totalNodeCapacity": 16384}}}"#;
    let (scenario, _) = of(&[fifo]);
    let site = &scenario.settings.yarn_site;
    assert_eq!(site["yarn.scheduler.minimum-allocation-mb"], "512");
    assert_eq!(site["yarn.scheduler.maximum-allocation-mb"], "4096");
    let labels = r#"{"nodeLabelInfo": [{"name": "gpu", "exclusivity": false}]}"#;
    let (scenario, _) = of(&[labels]);
    assert_eq!(scenario.settings.yarn_site["yarn.node-labels.enabled"], "true");
    // A command with a label can be placed.
    let command = "yarn jar x-distributedshell-3.3.6.jar -jar x.jar -shell_command date -node_label_expression gpu";
    let (scenario, _) = of(&[command]);
    assert_eq!(scenario.settings.yarn_site["yarn.node-labels.enabled"], "true");
    let key = "yarn.scheduler.capacity.root.default.accessible-node-labels.gpu.capacity";
    assert!(scenario.settings.capacity_scheduler.contains_key(key), "{:?}", scenario.settings.capacity_scheduler);
}
