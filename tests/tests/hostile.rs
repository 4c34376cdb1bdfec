//! Malformed texts: scenarios, configuration files, links, JSON, and runs of whatever can be read of them. Each case is a
//! good text with a few edits, drawn anew in every run and shrunk if it fails: proptest then prints the remaining edits.
//! `HEDDLE_CASES=5000 cargo test -p heddle-tests --test hostile` tries more.

#![cfg(not(target_arch = "wasm32"))]

use heddle_core::apps::{
    samza::scenario::file as job_file, service::scenario::file as yarnfile, slider::scenario::file as slider_file,
};
use heddle_core::config::check::check;
use heddle_core::config::mutation::{parse_json, parse_xml};
use heddle_core::constraint::{english, parse_spec, print};
use heddle_core::import::{Given, import};
use heddle_core::model::{Problem, Severity};
use heddle_core::rm::Properties;
use heddle_core::scenario::link::{self, View};
use heddle_core::scenario::{SamzaApp, Scenario, read};
use heddle_player::Player;
use heddle_player::explain::view::StepBy;
use proptest::prelude::*;
use std::sync::LazyLock;

/// The most events played of a hostile scenario.
const EVENTS: u64 = 1_500;

/// The inserted words: numbers at the limits of what can be written, and words that belong elsewhere.
const WORDS: &[&str] = &[
    "9223372036854775807",
    "-9223372036854775808",
    "9223372036854775807w",
    "2147483648",
    "-1",
    "0",
    "1e308",
    "nan",
    "\"1 XB\"",
    "\"9007199254740993 GB/1\"",
    "[memory=9223372036854775807,vcores=1]",
    "\u{0}",
    "\u{feff}",
    "ü",
    "'''",
    "\"\"\"",
    "]",
    "[[",
    "{",
    "}",
    "=",
    ",",
    "\n",
    "<",
    "</property>",
    "<!--",
    "&#0;",
    "&amp;",
    "${x}",
    "..",
    "forever",
    "zk(3),NOTIN,NODE,zk",
    "and(",
    "default",
    "root",
    "true",
];

/// One edit: its place in parts of 65 536 of the text's length, the number of characters removed, the place of a copied part,
/// and the inserted word.
type Edit = (u16, usize, Option<u16>, Option<prop::sample::Index>);

fn edits() -> impl Strategy<Value = Vec<Edit>> {
    let word = prop::option::of(any::<prop::sample::Index>());
    prop::collection::vec((any::<u16>(), 0usize..12, prop::option::of(any::<u16>()), word), 1..6)
}

fn edited(text: &str, edits: &[Edit]) -> String {
    let mut chars: Vec<char> = text.chars().collect();
    let place = |chars: &[char], part: u16| chars.len() * usize::from(part) / 65_536;
    for (at, gone, copied, word) in edits {
        let at = place(&chars, *at);
        let copied: Vec<char> = copied.map_or_else(Vec::new, |from| {
            let from = place(&chars, from);
            chars[from..chars.len().min(from + 40)].to_vec()
        });
        let word = word.map_or("", |word| *word.get::<&str>(WORDS));
        let end = chars.len().min(at + gone);
        chars.splice(at..end, word.chars().chain(copied));
    }
    chars.into_iter().collect()
}

/// Returns whether a problem's place is within its text.
fn lies_in(problem: &Problem, text: &str) -> bool {
    problem.span.is_none_or(|s| text.get(s.start..s.end).is_some())
}

/// Plays what can be played: forwards, explained, and a step back.
fn played(scenario: Scenario, text: &str) -> Result<(), TestCaseError> {
    let Ok(mut player) = Player::begin(scenario, text) else { return Ok(()) };
    player.run(EVENTS);
    player.seek(player.progress().known_ms);
    let snapshot = player.snapshot(None);
    prop_assert_eq!(&snapshot.invariants.broken, &None);
    if let Some(about) = &snapshot.headline_about {
        player.why(about);
    }
    player.step(StepBy::Change, true);
    player.snapshot(None);
    Ok(())
}

fn cases() -> ProptestConfig {
    let cases = std::env::var("HEDDLE_CASES").ok().and_then(|n| n.parse().ok()).unwrap_or(48);
    ProptestConfig { cases, failure_persistence: None, ..ProptestConfig::default() }
}

const SCENARIOS: &[&str] = &[
    include_str!("../../scenarios/q39-anti-affinity.toml"),
    include_str!("../../scenarios/q16-user-limits.toml"),
    include_str!("../../scenarios/q27-reservation.toml"),
    include_str!("../../scenarios/q14-nothing-happens.toml"),
    include_str!("../../scenarios/q33-label-without-capacity.toml"),
    include_str!("../../scenarios/q48-fair-share.toml"),
    include_str!("../../scenarios/slider-1-restart-by-policy.toml"),
    include_str!("../../scenarios/service-1-dependencies-and-ends.toml"),
];
const SPECS: &[&str] = &[
    "zk(3),NOTIN,NODE,zk",
    "a(2),and(in,node,b:notin,rack,c):b(1),cardinality,rack,a,1,3:c=4,node,java=1.8",
    "x=2,or(notin,node,app-label/y,in,node,not-self/z):y(2),IN,RACK,all/x",
    "zk(2),delayed_or(notin,node,zk,5;notin,rack,zk,9)",
];
const FILES: &[&str] = &[
    include_str!("../samples/capacity-scheduler.quirks.xml"),
    include_str!("../samples/capacity-scheduler.medium-labels.xml"),
    include_str!("../samples/fair-scheduler.xml"),
    include_str!("../samples/yarn-site.xml"),
];

/// Real inputs: the samples, and every text of several lines in a fact about formats or pasted lines.
static HELD: LazyLock<Vec<String>> = LazyLock::new(|| {
    let tests = std::path::Path::new(env!("CARGO_MANIFEST_DIR"));
    let samples = std::fs::read_dir(tests.join("samples")).expect("the samples").flatten();
    let mut held: Vec<String> = samples.filter_map(|file| std::fs::read_to_string(file.path()).ok()).collect();
    for facts in ["formats", "lines"] {
        let text = std::fs::read_to_string(tests.join(format!("conformance/{facts}.json"))).expect("the facts");
        texts(&serde_json::from_str(&text).expect("JSON"), &mut held);
    }
    held.sort();
    held
});

fn texts(of: &serde_json::Value, held: &mut Vec<String>) {
    match of {
        serde_json::Value::String(text) if text.len() > 40 => held.push(text.clone()),
        serde_json::Value::Array(items) => items.iter().for_each(|item| texts(item, held)),
        serde_json::Value::Object(items) => items.values().for_each(|item| texts(item, held)),
        _ => {}
    }
}

proptest! {
    #![proptest_config(cases())]

    #[test]
    fn hostile_imports_are_reported_and_played_without_a_panic(
        one in prop::sample::select(HELD.as_slice()),
        other in prop::option::of(prop::sample::select(HELD.as_slice())),
        edits in edits(),
    ) {
        let text = edited(&one, &edits);
        let other = other.map(|text| Given { name: "other", text: text.leak() });
        let given: Vec<Given<'_>> = [Given { name: "one", text: &text }].into_iter().chain(other).collect();
        let found = import(&given);
        // A byte order mark is not part of the text.
        let read_text = text.strip_prefix('\u{feff}').unwrap_or(&text);
        for p in &found.files[0].problems {
            prop_assert!(lies_in(p, read_text), "{:?}", p);
        }
        let Some(written) = found.scenario else { return Ok(()) };
        let read = read(&written);
        let Some(scenario) = read.scenario else {
            let told = found.files.iter().flat_map(|file| &file.problems).any(|p| p.severity == Severity::Error);
            prop_assert!(told, "{:?} in\n{}", read.problems, written);
            return Ok(());
        };
        played(scenario, &written)?;
    }

    #[test]
    fn hostile_scenarios_are_read_and_played_without_a_panic(text in prop::sample::select(SCENARIOS), edits in edits()) {
        let text = edited(text, &edits);
        let found = read(&text);
        for p in &found.problems {
            prop_assert!(lies_in(p, &text), "{:?}", p);
        }
        let Some(scenario) = found.scenario else { return Ok(()) };
        played(scenario, &text)?;
    }

    #[test]
    fn hostile_files_are_reported_without_a_panic(text in prop::sample::select(FILES), edits in edits()) {
        let text = edited(text, &edits);
        for p in check("x.xml", &text, &Properties::new(), &[]).problems {
            prop_assert!(lies_in(&p, &text), "{:?}", p);
        }
        let _ = parse_xml(&text);
    }

    #[test]
    fn hostile_json_is_reported_without_a_panic(edits in edits()) {
        let text = edited(include_str!("../samples/yarnfile.json"), &edits);
        for p in yarnfile::import(&text).problems {
            prop_assert!(lies_in(&p, &text), "{:?}", p);
        }
        let _ = parse_json(&text);
    }

    #[test]
    fn hostile_slider_files_are_reported_without_a_panic(edits in edits()) {
        let text = edited(include_str!("../samples/resources.json"), &edits);
        slider_file::is_resources(&text);
        let found = slider_file::import(&text);
        for p in found.problems {
            prop_assert!(lies_in(&p, &text), "{:?}", p);
        }
        let Some(entry) = found.entry else { return Ok(()) };
        let nodes = "[[nodes]]\nname = \"n\"\nsize = \"8 GB/8\"\n";
        let text = format!("heddle = 1\nuntil = \"1 min\"\n{nodes}[[apps]]\n{entry}");
        let Some(scenario) = read(&text).scenario else { return Ok(()) };
        played(scenario, &text)?;
    }

    #[test]
    fn hostile_specs_are_explained_without_a_panic(text in prop::sample::select(SPECS), edits in edits()) {
        let text = edited(text, &edits);
        match parse_spec(&text) {
            Ok(spec) => {
                english::spec(&spec);
                // Printed text can be read again.
                if let Ok(printed) = print::spec(&spec) {
                    prop_assert!(parse_spec(&printed).is_ok(), "{}", printed);
                }
            }
            Err(e) => prop_assert!(lies_in(&e.problem, &text), "{:?}", e),
        }
        // As the constraint of an application that is played.
        let shell = format!("heddle = 1\nuntil = \"5 min\"\n[yarn-site]\nresourcemanager.placement-constraints.handler = \"scheduler\"\n\
            [[nodes]]\nname = \"n{{1}}\"\ncount = 3\nsize = \"8 GB/8\"\n[[apps]]\nname = \"a\"\nkind = \"distributed-shell\"\n\
            spec = {text:?}\n");
        let Some(scenario) = read(&shell).scenario else { return Ok(()) };
        played(scenario, &shell)?;
    }

    #[test]
    fn hostile_job_files_are_reported_without_a_panic(edits in edits()) {
        let text = edited(include_str!("../samples/job.properties"), &edits);
        let found = job_file::import(&text);
        for p in found.problems {
            prop_assert!(lies_in(&p, &text), "{:?}", p);
        }
        if let Some(entry) = found.entry {
            let scenario = read(&format!("heddle = 1\n[[apps]]\n{entry}")).scenario;
            let app = scenario.and_then(|mut s| s.apps.pop()).map(|app| app.kind);
            if let Some(app) = app.as_ref().and_then(|kind| kind.get::<SamzaApp>()) {
                prop_assert_eq!(&app.properties, &text, "letter for letter");
            }
        }
    }

    #[test]
    fn hostile_links_are_opened_without_a_panic(text in prop::sample::select(SCENARIOS), edits in edits()) {
        let view = View { time_ms: Some(20_000), event: Some(7), select: Some("app:zk".into()), ..View::default() };
        let link = link::write(text, &view, None).expect("a link");
        let opened = link::open(&edited(&link, &edits));
        prop_assert!(opened.text.is_some() || !opened.problems.is_empty());
    }
}
