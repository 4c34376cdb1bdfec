//! Checks whether an imported cluster reports what the real one reported. A dump has YARN's diagnostics of the applications
//! that wait for their ApplicationMaster; these are computed again from the accounting and compared.

use heddle_core::journal::Silent;
use heddle_core::model::AppId;
use heddle_core::scenario::Scenario;
use heddle_core::sim::Simulation;
use serde::Serialize;
use std::sync::Arc;

/// The result of the comparison.
#[derive(Clone, Debug, PartialEq, Eq, Default, Serialize)]
pub struct Agreement {
    /// The number of applications whose diagnostics are in the dump and come from the accounting.
    pub compared: usize,
    pub differ: Vec<Difference>,
}

/// Diagnostics that differ.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Difference {
    /// The application's name in the scenario.
    pub app: String,
    /// The diagnostics in the dump.
    pub dump: String,
    /// The diagnostics computed here.
    pub here: String,
}

/// The most events to play until all applications that are present when the run begins have been added.
const EVENTS: usize = 10_000;

/// Compares the diagnostics of a scenario's waiting applications with those that its accounting gives.
pub fn agreement(scenario: &Scenario) -> Agreement {
    let said: Vec<(String, String)> = { scenario.apps.iter() }
        .filter_map(|app| Some((app.name.clone(), app.now.as_ref()?.diagnostics.clone()?)))
        .collect();
    if said.is_empty() {
        return Agreement::default();
    }
    let mut blind = scenario.clone();
    blind.apps.iter_mut().filter_map(|app| app.now.as_mut()).for_each(|now| now.diagnostics = None);
    let there = blind.apps.iter().filter(|app| app.now.is_some()).count();
    let Ok(mut sim) = Simulation::new(Arc::new(blind)) else { return Agreement::default() };
    for _ in 0..EVENTS {
        if sim.rm().apps().len() >= there || sim.step_for(&mut Silent).is_none() {
            break;
        }
    }
    let mut out = Agreement::default();
    for (app, dump) in said {
        let id = sim.rm().apps().iter().position(|known| known.submission.name == app);
        let Some(id) = id else { continue };
        let here = sim.rm().am_diagnostics(AppId::from(id));
        // The scenario does not have what offers found before the dump.
        if here.trim().is_empty() {
            continue;
        }
        out.compared += 1;
        if here.trim() != dump.trim() {
            out.differ.push(Difference { app, dump, here });
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use heddle_core::scenario::read;

    const TEXT: &str = "heddle = 1\nscheduling = \"heartbeat\"\n[capacity-scheduler]\nroot.queues = \"default\"\nroot.default.capacity = 100\n\
        maximum-am-resource-percent = 0.1\n[[nodes]]\nname = \"n\"\nsize = \"8 GB/8\"\n\
        [[apps]]\nname = \"first\"\nkind = \"requests\"\nam = \"1 GB/1\"\n[apps.now]\nrunning = [{ node = \"n\", am = true, size = \"1 GB/1\" }]\n\
        [[apps]]\nname = \"second\"\nkind = \"requests\"\nam = \"1 GB/1\"\n[apps.now]\nactive = false\ndiagnostics = \"SAID\"\n";

    fn of(said: &str) -> Agreement {
        agreement(&read(&TEXT.replace("SAID", said)).scenario.expect("it can be read"))
    }

    #[test]
    fn a_difference_is_told_and_the_same_words_agree() {
        let told = of("Application is added to the scheduler.");
        let [Difference { app, here, .. }] = told.differ.as_slice() else { panic!("{told:?}") };
        assert!(app == "second" && here.contains("Queue's AM resource limit exceeded"), "{here}");
        assert_eq!(of(here), Agreement { compared: 1, differ: Vec::new() });
    }

    #[test]
    fn without_diagnostics_nothing_is_compared() {
        let text = TEXT.replace("diagnostics = \"SAID\"\n", "");
        assert_eq!(agreement(&read(&text).scenario.expect("it can be read")), Agreement::default());
    }
}
