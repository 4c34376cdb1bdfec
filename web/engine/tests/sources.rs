//! Every snippet and every worked example of the five documents that this project began with (tests/sources/snippets.json):
//! pasted into the page it is accepted and does what the document says, or a message says why not. An example without a
//! snippet is a scenario of the gallery, which plays it.

use heddle_core::api::SchedulerChoice;
use heddle_core::model::Severity;
use heddle_core::scenario;
use heddle_engine::server::Server;
use heddle_player::Player;
use heddle_view::protocol::{Ask, Reply, Request};
use heddle_view::{ImportTarget, Report};
use serde_json::Value;

const SNIPPETS: &str = include_str!("../../../tests/sources/snippets.json");
const DOCUMENTS: [&str; 5] = [
    "capacity-scheduler-preemption",
    "fair-scheduler-demystified",
    "samza-host-affinity",
    "slider-placement",
    "yarn-placement-constraints",
];

/// The scenario that a snippet is pasted into, with constraints enabled as in the documents.
const BEFORE: &str = "heddle = 1\nscheduling = \"heartbeat\"\nuntil = \"1 min\"\n\n\
    [[nodes]]\nname = \"n{1}\"\ncount = 8\nracks = 2\nsize = \"16 GB/16\"\n";

/// Pastes a text, as the page's import does.
fn paste(name: &str, text: &str) -> (Option<String>, Report) {
    let mut server = Server::default();
    let write = Request::Write { text: BEFORE.into(), version: 1 };
    let import = Request::Import {
        name: name.into(),
        text: text.into(),
        more: vec![],
        target: ImportTarget::Open,
        with: vec![],
        version: 2,
    };
    for (id, request) in [(1, write), (2, import)] {
        server.hear(Ask { id, request });
        server.turn(&|| 0.0);
    }
    let imported = server.answers().into_iter().find_map(|a| match a.reply {
        Reply::Imported { text, report, .. } => Some((text, *report)),
        _ => None,
    });
    imported.unwrap_or_else(|| panic!("{text}: nothing is told"))
}

fn strings(value: &Value) -> Vec<&str> {
    value.as_array().into_iter().flatten().filter_map(Value::as_str).collect()
}

/// Returns what is wrong with a snippet.
fn wrong(snippet: &Value) -> Vec<String> {
    let mut out = Vec::new();
    if let Some(name) = snippet["plays"].as_str() {
        let path = format!("{}/../../scenarios/{name}.toml", env!("CARGO_MANIFEST_DIR"));
        match std::fs::read_to_string(&path) {
            Ok(text) if scenario::read(&text).scenario.is_some_and(|s| !s.expectations.is_empty()) => {}
            Ok(_) => out.push(format!("{name} expects nothing")),
            Err(e) => out.push(format!("{path}: {e}")),
        }
    }
    let Some(text) = snippet["paste"].as_str() else {
        if snippet["plays"].is_null() {
            out.push("neither a text nor a scenario".into());
        }
        return out;
    };
    let (next, report) = paste(snippet["name"].as_str().unwrap_or_default(), text);
    let problems = report.problems.iter().map(|p| format!("{} {}", p.what, p.mend));
    let said: Vec<String> = std::iter::once(report.what.clone()).chain(report.facts.clone()).chain(problems).collect();
    let said = said.join("\n");
    for words in strings(&snippet["told"]) {
        if !said.contains(words) {
            out.push(format!("not told: {words}; but: {said}"));
        }
    }
    let taken = &snippet["taken"];
    let Some(next) = next else {
        if !taken.is_null() {
            out.push(format!("it is not taken: {said}"));
        }
        return out;
    };
    if taken.is_null() && snippet["name"].is_null() {
        out.push(format!("it is taken: {said}"));
    }
    let read = scenario::read(&next);
    let errors: Vec<&str> =
        read.problems.iter().filter(|p| p.severity == Severity::Error).map(|p| p.what.as_str()).collect();
    let Some(scenario) = read.scenario else {
        out.push(format!("the scenario has errors with it: {errors:?}"));
        return out;
    };
    for (key, value) in taken["site"].as_object().into_iter().flatten() {
        let set = scenario.settings.yarn_site.get(key).map(String::as_str);
        if set != value.as_str() {
            out.push(format!("{key} is {set:?}"));
        }
    }
    if taken["scheduler"] == "fair" && scenario.settings.scheduler != SchedulerChoice::Fair {
        out.push(format!("{:?} runs", scenario.settings.scheduler));
    }
    if let Some(containers) = taken["containers"].as_i64() {
        // As in the document: with a handler, the containers are requested.
        let handler = "[yarn-site]\nresourcemanager.placement-constraints.handler = \"placement-processor\"\n";
        let text = next.replacen("[[nodes]]", &format!("{handler}[[nodes]]"), 1);
        let mut player = Player::load(&text).player.expect("it can be played");
        player.seek(60_000);
        let shot = player.snapshot(None);
        let app = shot.apps.first().map(|a| (a.asked, a.placed, a.rejected, a.done));
        // What the placement processor rejects is requested once more.
        if app.is_none_or(|(asked, ..)| asked < containers) {
            out.push(format!("{containers} are asked for, and it is {app:?}: {}", shot.headline));
        }
    }
    out
}

#[test]
fn every_snippet_is_taken_or_says_why_not() {
    let snippets: Vec<Value> = serde_json::from_str(SNIPPETS).expect("JSON");
    let mut told = Vec::new();
    for snippet in &snippets {
        let what = format!("{}, {}", snippet["source"], snippet["what"]);
        assert!(snippet["source"].as_str().is_some_and(|s| DOCUMENTS.contains(&s)), "{what}");
        told.extend(wrong(snippet).into_iter().map(|why| format!("{what}: {why}")));
    }
    for document in DOCUMENTS {
        let of = snippets.iter().filter(|s| s["source"] == document).count();
        assert!(of >= 4, "{document}: {of} snippets");
    }
    assert!(told.is_empty(), "{} of {}:\n{}", told.len(), snippets.len(), told.join("\n"));
}
