//! Checks whether an imported cluster reports what the real one reported. A dump has YARN's diagnostics of the applications
//! that wait for their ApplicationMaster; these are computed again from the accounting and compared.

use crate::Player;
use crate::explain::view::Selection;
use heddle_core::api::{NodeReport, Said};
use heddle_core::journal::{Entry, Finding, Full, Silent};
use heddle_core::model::{AppId, Millis, without_figures};
use heddle_core::rm::ResourceManager;
use heddle_core::scenario::Scenario;
use heddle_core::scheduler::capacity::activities;
use heddle_core::sim::Simulation;
use serde::Serialize;
use std::collections::BTreeSet;
use std::sync::Arc;

/// The result of the comparison.
#[derive(Clone, Debug, PartialEq, Eq, Default, Serialize)]
pub struct Agreement {
    /// The number of applications whose diagnostics are in the dump and come from the accounting.
    pub compared: usize,
    /// Those that say the same with the figures of an earlier moment: YARN keeps its words until it has others.
    pub older: usize,
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

/// The most events to play until all applications that are present when the run begins have been added, beside one for each node
/// and application.
const EVENTS: usize = 10_000;

/// Nodes that copies of the cluster have in sum: each host whose offer is compared takes a copy.
const COPIED_NODES: usize = 1_000_000;

/// Compares an imported cluster with what its dump says: the diagnostics of waiting applications with those that the accounting
/// gives, and, of each of these hosts, what its latest offer found with what an offer finds now.
pub fn compare(scenario: &Scenario, offered: &[(String, Vec<Said>)]) -> (Agreement, OffersAgreement) {
    let said: Vec<(String, String)> = { scenario.apps.iter() }
        .filter_map(|app| Some((app.name.clone(), app.now.as_ref()?.diagnostics.clone()?)))
        .filter(|(_, said)| !said.trim().is_empty())
        .collect();
    if said.is_empty() && offered.is_empty() {
        return Default::default();
    }
    let Some(sim) = begun(scenario) else { return Default::default() };
    (agreement(&sim, said), offers(&sim, offered))
}

fn agreement(sim: &Simulation, said: Vec<(String, String)>) -> Agreement {
    let mut out = Agreement::default();
    for (app, dump) in said {
        let id = sim.rm().apps().iter().position(|known| known.submission.name == app);
        let Some(id) = id else { continue };
        let here = sim.rm().am_diagnostics(AppId::from(id));
        // The scenario does not have what offers found before the dump; which limit keeps it from being active it would have.
        let active = sim.rm().scheduled(AppId::from(id)).is_none_or(|app| app.active);
        if here.trim().is_empty() && active {
            continue;
        }
        out.compared += 1;
        if here.trim() == dump.trim() {
            continue;
        }
        if without_figures(here.trim()) == without_figures(dump.trim()) {
            out.older += 1;
        } else {
            out.differ.push(Difference { app, dump, here });
        }
    }
    out
}

/// Returns YARN's words of WHY about something at a moment; `None`: the scenario has an error, or lacks what it is about.
pub fn yarn_words(scenario: &str, at_ms: Millis, what: &str) -> Option<Vec<String>> {
    let mut player = Player::load(scenario).player?;
    player.seek(at_ms);
    let about = match what {
        "" => player.snapshot(None).headline_about?,
        what => what.parse::<Selection>().ok()?,
    };
    if player.not_there(&about).is_some() {
        return Some(Vec::new());
    }
    Some(player.why(&about).yarn.into_iter().map(|(words, _)| words).collect())
}

/// The simulation when all applications are there that are there when the run begins, without what a dump says of them.
fn begun(scenario: &Scenario) -> Option<Simulation> {
    let mut blind = scenario.clone();
    blind.apps.iter_mut().filter_map(|app| app.now.as_mut()).for_each(|now| now.diagnostics = None);
    let there = blind.apps.iter().filter(|app| app.now.is_some()).count();
    let mut sim = Simulation::new(Arc::new(blind)).ok()?;
    for _ in 0..EVENTS + scenario.nodes.len() + scenario.apps.len() {
        if sim.rm().apps().len() >= there || sim.step_for(&mut Silent).is_none() {
            break;
        }
    }
    Some(sim)
}

/// What became of the comparison of offers.
#[derive(Clone, Debug, PartialEq, Eq, Default, Serialize)]
pub struct OffersAgreement {
    /// Hosts whose offers were compared.
    pub compared: usize,
    /// Hosts that were left out, since the cluster is large.
    pub left_out: usize,
    pub differ: Vec<OfferDifference>,
}

impl OffersAgreement {
    /// Returns the number of hosts all of whose offers agree.
    pub fn agreeing(&self) -> usize {
        let hosts: BTreeSet<&str> = self.differ.iter().map(|d| d.host.as_str()).collect();
        self.compared.saturating_sub(hosts.len())
    }
}

/// What an offer found of an application or a queue, by the activities of the dump and here.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct OfferDifference {
    pub host: String,
    /// The application or the queue.
    pub about: String,
    pub dump: String,
    pub here: String,
}

/// Offers each of these hosts to the scheduler, each in a copy of its own, and compares what is found of applications and
/// queues with what the dump's activities say of its latest offer. Nothing is compared where nodes are not offered one by one.
fn offers(sim: &Simulation, said: &[(String, Vec<Said>)]) -> OffersAgreement {
    let most = (COPIED_NODES / sim.rm().nodes().len().max(1)).clamp(1, said.len().max(1));
    let mut out = OffersAgreement { left_out: said.len().saturating_sub(most), ..OffersAgreement::default() };
    for (host, dump) in said.iter().take(most) {
        let mut rm = sim.rm().clone();
        let Some(node) = rm.node_by_host(host) else { continue };
        let running = rm.containers_on(node).map(|c| c.id).collect();
        let mut journal = Full::default();
        rm.heartbeat(node, NodeReport { running, ..NodeReport::default() }, &mut journal);
        let Some(here) = found(&rm, journal) else { continue };
        out.compared += 1;
        let about = |all: &[Said]| all.iter().map(|s| s.name.clone()).collect::<BTreeSet<String>>();
        for name in about(dump).union(&about(&here)) {
            let words = |all: &[Said]| {
                let of: Vec<&str> = all.iter().filter(|s| s.name == *name).map(|s| s.words.as_str()).collect();
                of.join("; ")
            };
            let (dump, here) = (words(dump), words(&here));
            if dump != here {
                out.differ.push(OfferDifference { host: host.clone(), about: name.clone(), dump, here });
            }
        }
    }
    out
}

/// What the first offer of a journal found, in YARN's words; `None`: there was none.
fn found(rm: &ResourceManager, journal: Full) -> Option<Vec<Said>> {
    let entries: Vec<Entry> = journal.entries.into_iter().map(|(_, entry)| entry).collect();
    let begins = |e: &Entry| matches!(e, Entry::Found(Finding::Offer { .. }));
    let from = entries.iter().position(begins)?;
    let to = entries[from + 1..].iter().position(begins).map_or(entries.len(), |n| from + 1 + n);
    let name = |id: AppId| rm.apps().get(id.index()).map_or_else(String::new, |a| a.submission.name.clone());
    let first = activities(rm.capacity()?, rm.cluster(), &entries[from..to], name).into_iter().next()?;
    let mut said = Vec::new();
    let mut above: Vec<String> = Vec::new();
    for row in first.rows {
        above.truncate(row.depth);
        // A row for a request or a node is about its application.
        let own = row.name == "root" || row.name.starts_with("root.") || row.depth < 2 || {
            rm.apps().iter().any(|a| a.submission.name == row.name)
        };
        let about = if own { row.name } else { above.last().cloned().unwrap_or_default() };
        above.resize(row.depth, about.clone());
        above.push(about.clone());
        if !row.diagnostic.trim().is_empty() {
            said.push(Said { name: about, words: row.diagnostic.trim().to_owned() });
        }
    }
    Some(said)
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
        compare(&read(&TEXT.replace("SAID", said)).scenario.expect("it can be read"), &[]).0
    }

    #[test]
    fn a_difference_is_told_and_the_same_words_agree() {
        let told = of("Application is added to the scheduler.");
        let [Difference { app, here, .. }] = told.differ.as_slice() else { panic!("{told:?}") };
        assert!(app == "second" && here.contains("Queue's AM resource limit exceeded"), "{here}");
        assert_eq!(of(here), Agreement { compared: 1, older: 0, differ: Vec::new() });
    }

    /// In the scenario nothing keeps it from being active: that differs, and WHY says what YARN waits for.
    #[test]
    fn one_that_would_fit_is_a_difference() {
        let text = TEXT.replace("percent = 0.1", "percent = 0.5").replace("SAID", "not yet activated");
        let told = compare(&read(&text).scenario.expect("it can be read"), &[]).0;
        let [Difference { app, here, .. }] = told.differ.as_slice() else { panic!("{told:?}") };
        assert_eq!((app.as_str(), here.as_str()), ("second", ""));
        let mut player = Player::load(&text).player.expect("it loads");
        player.seek(5_000);
        let why = player.why(&Selection::App("second".into()));
        assert!(why.sentence.contains("so 1 GB more fits, but YARN has not looked since"), "{}", why.sentence);
        assert!(why.yarn.iter().any(|(words, _)| words == "not yet activated"), "{:?}", why.yarn);
    }

    #[test]
    fn figures_of_an_earlier_moment_are_no_other_reason() {
        let told = of("Application is added to the scheduler.");
        let earlier = told.differ[0].here.replace("memory:1024", "memory:2048");
        assert_ne!(earlier, told.differ[0].here);
        assert_eq!(of(&earlier), Agreement { compared: 1, older: 1, differ: Vec::new() });
    }

    #[test]
    fn an_offer_finds_what_the_activities_say_or_the_difference_is_told() {
        let text = TEXT.replace("diagnostics = \"SAID\"\n", "")
            + "[[apps]]\nname = \"third\"\nkind = \"requests\"\nam = \"1 GB/1\"\n[apps.now]\n\
               running = [{ node = \"n\", am = true, size = \"1 GB/1\" }]\nasks = [{ size = \"8 GB/1\", count = 1 }]\n";
        let scenario = read(&text).scenario.expect("it can be read");
        let said = |all: &[(&str, &str)]| {
            let said = all.iter().map(|(name, words)| Said { name: (*name).into(), words: (*words).into() });
            vec![("n".to_owned(), said.collect())]
        };
        // What the offer finds here and the dump has not is told as well.
        let offers = |said: &[(String, Vec<Said>)]| compare(&scenario, said).1;
        let told = offers(&said(&[]));
        let here: Vec<(&str, &str)> = told.differ.iter().map(|d| (d.about.as_str(), d.here.as_str())).collect();
        assert_eq!(here.iter().map(|(about, _)| *about).collect::<Vec<_>>(), ["first", "root.default", "third"]);
        assert_eq!(here[2].1, "Queue does not have enough headroom for inner highest-priority request");
        assert_eq!(offers(&said(&here)), OffersAgreement { compared: 1, ..OffersAgreement::default() });
        let other = offers(&said(&[here[0], here[1], ("third", "SAID")]));
        let [OfferDifference { about, dump, here, .. }] = other.differ.as_slice() else { panic!("{other:?}") };
        assert!(
            about == "third" && dump == "SAID" && here.starts_with("Queue does not have enough headroom"),
            "{other:?}"
        );
    }

    #[test]
    fn without_diagnostics_nothing_is_compared() {
        let text = TEXT.replace("diagnostics = \"SAID\"\n", "");
        assert_eq!(compare(&read(&text).scenario.expect("it can be read"), &[]), Default::default());
    }
}
