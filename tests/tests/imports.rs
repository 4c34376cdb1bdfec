//! What people hold of a cluster plays when it is imported: workloads of other simulators to their end, settings and commands without
//! a fault.
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
