//! Imports of real inputs play: workloads of other simulators to their end, settings and commands without a fault.
#![cfg(not(target_arch = "wasm32"))]

use heddle_core::import::{Given, Status, import};
use heddle_core::journal::Silent;
use heddle_core::model::AppId;
use heddle_core::scenario;
use heddle_core::sim::Simulation;
use std::sync::Arc;

macro_rules! samples {
    ($($name:literal),* $(,)?) => { [$(($name, include_str!(concat!("../samples/", $name)))),*] };
}

/// Each sample × whether all its applications end by themselves.
#[test]
fn samples_play_when_they_are_imported() {
    let traces = samples!["sls-jobs.json", "sls-synth.json", "dynoyarn.jsonl"];
    let others = samples!["ambari.txt", "commands.txt", "sched-conf.json", "yarn-node-list.txt"];
    let all = traces.into_iter().map(|one| (one, true)).chain(others.into_iter().map(|one| (one, false)));
    for ((name, text), ends) in all {
        let found = import(&[Given { name: "x", text }]);
        let file = &found.files[0];
        assert!(file.status == Status::Read || name == "sched-conf.json", "{name}: {:?}", file.problems);
        let written = found.scenario.unwrap_or_else(|| panic!("{name}: {file:?}"));
        let read = scenario::read(&written);
        let scenario = read.scenario.unwrap_or_else(|| panic!("{name}: {:?}\n{written}", read.problems));
        let (apps, until) = (scenario.apps.len(), scenario.until.expect("an end"));
        let mut sim = Simulation::new(Arc::new(scenario)).unwrap_or_else(|why| panic!("{name}: {why:?}"));
        sim.run_until(until, &mut Silent);
        let live = |at: &usize| sim.rm().app(AppId::from(*at)).is_none_or(|app| !app.state.is_final());
        assert!(!ends || (apps > 0 && (0..apps).filter(live).count() == 0), "{name}: applications go on");
    }
}

const SLIDER: &str = r#"{"schema":"http://example.org/specification/v2.0.0","components":{"slider-appmaster":{},"s":{
    "yarn.role.priority":"1","yarn.component.instances":"1","yarn.memory":"256","yarn.label.expression":"ssd"}}}"#;
const SPARK: &str = "spark-submit --master yarn --queue etl a.jar\nspark-submit --master yarn b.jar\n";
const REPORT: &str = "Application Report : \n\tApplication-Id : application_1700000000000_0042\n\tApplication-Name : agg\n\t\
    Application-Type : SPARK\n\tUser : ann\n\tQueue : etl.nightly\n\tState : ACCEPTED\n\tFinal-State : UNDEFINED\n\tDiagnostics : \
    [Sun Nov 08 09:19:56 +0000 2026] Application is added to the scheduler and is not yet activated. Queue's AM resource limit \
    exceeded.  Details : AM Partition = <DEFAULT_PARTITION>; AM Resource Request = <memory:4096, vCores:1>; \
    Queue Resource Limit for AM = <memory:8192, vCores:2>; User AM Resource Limit of the queue = <memory:8192, vCores:2>; \
    Queue AM Resource Usage = <memory:8192, vCores:2>; \n";
const NODES: &str = "Total Nodes:1\n         Node-Id\t     Node-State\tNode-Http-Address\tNumber-of-Running-Containers\n\
    w01:8041\t        RUNNING\tw01:8042\t                           3\n";

/// Assumptions made for an application let it in: its queue, including the default one, its labels, a path without its root.
#[test]
fn nothing_is_refused_for_what_is_assumed() {
    let given = |texts: &[&'static str]| -> Vec<Given<'static>> {
        texts.iter().map(|text| Given { name: "x", text }).collect()
    };
    for (name, texts) in
        [("Slider", given(&[SLIDER])), ("Spark", given(&[SPARK])), ("a report", given(&[REPORT, NODES]))]
    {
        let written = import(&texts).scenario.unwrap_or_else(|| panic!("{name} gives a scenario"));
        let read = scenario::read(&written);
        assert!(read.problems.iter().all(|p| !p.what.contains("no queue")), "{name}: {:?}", read.problems);
        let scenario = read.scenario.unwrap_or_else(|| panic!("{name}: {:?}\n{written}", read.problems));
        let apps = scenario.apps.len();
        let mut sim = Simulation::new(Arc::new(scenario)).unwrap_or_else(|why| panic!("{name}: {why:?}"));
        sim.run_until(60_000, &mut Silent);
        assert!(sim.notices().is_empty(), "{name}: {:?}\n{written}", sim.notices());
        assert!(
            (0..apps).all(|at| sim.rm().app(AppId::from(at)).is_some_and(|app| app.rejected().is_none())),
            "{name}"
        );
        assert!(name != "a report" || written.contains("am = { size = \"4 GB/1\" }"), "{written}");
    }
}

/// A cluster with GPUs, labels and large containers, each answer alone and all together: the ResourceManager starts, and refuses
/// no application that runs there.
#[test]
fn what_runs_there_runs_here() {
    let size = |memory: i64, vcores: i64, gpus: i64| {
        format!(
            r#"{{"memory": {memory}, "vCores": {vcores}, "resourceInformations": {{"resourceInformation": [
                {{"name": "memory-mb", "value": {memory}}}, {{"name": "vcores", "value": {vcores}}}, {{"name": "yarn.io/gpu", "value": {gpus}}}]}}}}"#
        )
    };
    let nodes = format!(
        r#"{{"nodes": {{"node": [{{"id": "g1:1", "state": "RUNNING", "numContainers": 1, "nodeLabels": ["gpu"],
            "usedResource": {}, "availableResource": {}, "totalResource": {}}}]}}}}"#,
        size(49_152, 8, 2),
        size(81_920, 24, 6),
        size(131_072, 32, 8)
    );
    let apps = format!(
        r#"{{"apps": {{"app": [{{"id": "application_1_0001", "user": "ann", "name": "train", "queue": "root.ml", "state": "RUNNING",
            "allocatedMB": 49152, "allocatedVCores": 8, "runningContainers": 1, "masterNodeId": "g1:1", "amNodeLabelExpression": "gpu",
            "resourceRequests": [{{"priority": 1, "resourceName": "*", "numContainers": 3, "nodeLabelExpression": "gpu", "capability": {}}}]}}]}}}}"#,
        size(65_536, 8, 2)
    );
    let nodes = Given { name: "nodes.json", text: &nodes };
    let apps = Given { name: "apps.json", text: &apps };
    for given in [vec![nodes], vec![nodes, apps], vec![apps, nodes]] {
        let names: Vec<&str> = given.iter().map(|one| one.name).collect();
        let found = import(&given);
        let written = found.scenario.unwrap_or_else(|| panic!("{names:?}: {:?}", found.files));
        let read = scenario::read(&written);
        let scenario = read.scenario.unwrap_or_else(|| panic!("{names:?}: {:?}\n{written}", read.problems));
        assert!(read.problems.iter().all(|p| !p.what.contains("no label")), "{names:?}: {:?}", read.problems);
        let apps = scenario.apps.len();
        let mut sim = Simulation::new(Arc::new(scenario)).unwrap_or_else(|why| panic!("{names:?}: {why:?}\n{written}"));
        sim.run_until(1_000, &mut Silent);
        assert_eq!(sim.rm().apps().len(), apps, "{names:?}: nothing is refused\n{written}");
        assert!(
            (0..apps).all(|at| sim.rm().app(AppId::from(at)).is_some_and(|app| !app.state.is_final())),
            "{names:?}"
        );
    }
}
