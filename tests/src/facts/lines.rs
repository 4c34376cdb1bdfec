//! Pasted lines (area formats, kinds `line` and `diagnostic`): how a text is recognised, its figures, and whether the
//! scenario built from it prints that very line.

use crate::conformance::compare::Difference;
use crate::conformance::{Case, Driver, Outcome};
use heddle_core::import::lines::{self, Ours, RecognisedLine};
use heddle_core::import::{Given, import};
use heddle_player::Player;
use heddle_player::explain::view::{Selection, WhyView};
use serde_json::{Value, json};

/// Returns the driver for a kind of cases.
pub(super) fn driver(kind: &str) -> Option<Driver> {
    match kind {
        "line" => Some(line),
        "diagnostic" => Some(diagnostic),
        _ => None,
    }
}

fn text<'v>(value: &'v Value, key: &str) -> &'v str {
    value.get(key).and_then(Value::as_str).unwrap_or_default()
}

/// Returns all differences as one.
fn outcome(wrong: Vec<Difference>) -> Outcome {
    let mut wrong = wrong.into_iter();
    let Some(first) = wrong.next() else { return Outcome::Passed };
    let rest: Vec<String> = wrong.map(|d| format!("{}: {} but {}", d.at, d.expected, d.got)).collect();
    let got = if rest.is_empty() { first.got } else { format!("{}; and {}", first.got, rest.join("; ")) };
    Outcome::Failed(Difference::new(first.at, first.expected, got))
}

fn line(case: &Case) -> Outcome {
    let pasted = text(&case.given, "text");
    let Some(line) = lines::recognise(pasted) else {
        let near: Vec<&str> = lines::near(pasted).iter().map(|row| row.what).collect();
        let wanted = text(&case.expect, "recognised");
        return Outcome::Failed(Difference::new("recognised", wanted, format!("nothing; near: {}", near.join(", "))));
    };
    let mut wrong = Vec::new();
    let mut same = |at: &str, expected: String, got: String| {
        if expected != got {
            wrong.push(Difference::new(at, expected, got));
        }
    };
    same("ours", text(&case.expect, "ours").into(), line.row.ours.text().into());
    same("pattern", ids(text(&case.expect, "pattern")), ids(&line.pattern()));
    let whose = text(&case.expect, "words");
    if !whose.is_empty() {
        same("words", whose.into(), line.words.text().into());
    }
    for (name, value) in case.given.get("values").and_then(Value::as_object).into_iter().flatten() {
        let got = line.figures.0.get(name).map_or(Value::Null, |figure| figure.json());
        if !alike(value, &got) {
            same(&format!("values.{name}"), value.to_string(), got.to_string());
        }
    }
    let ours = line.row.ours;
    let silent = |wanted: &str, got: bool| !wanted.is_empty() && !got;
    if silent(text(&case.expect, "say"), !line.say().is_empty()) {
        same("say", text(&case.expect, "say").into(), String::new());
    }
    if ours != Ours::No && silent(text(&case.expect, "why"), !line.row.why.is_empty()) {
        same("why", text(&case.expect, "why").into(), String::new());
    }
    played(&line, pasted, &case.expect, &mut wrong);
    outcome(wrong)
}

/// Plays the scenario built from the line.
fn played(line: &RecognisedLine, pasted: &str, expect: &Value, wrong: &mut Vec<Difference>) {
    let emit = text(expect, "emit");
    if text(expect, "ours") == "no" {
        return;
    }
    let made = import(&[Given { name: "line", text: pasted }]);
    let Some(scenario) = made.scenario else {
        if !emit.is_empty() || text(expect, "ours") == "yes" {
            let why: Vec<String> = made.unknown.iter().map(|u| u.what.clone()).collect();
            wrong.push(Difference::new("scenario", "one", format!("none: {}", why.join(" "))));
        }
        return;
    };
    let why = match why(&scenario, made.moment.at_ms, &made.moment.what) {
        Ok(why) => why,
        Err(fault) => {
            wrong.push(Difference::new("scenario", "one that plays", format!("{fault}\n{scenario}")));
            return;
        }
    };
    if !emit.is_empty() && !why.yarn.iter().any(|(words, _)| says(words, emit)) {
        let words: Vec<&str> = why.yarn.iter().map(|(words, _)| words.as_str()).collect();
        wrong.push(Difference::new("emit", emit, words.join(" | ")));
    }
    if why.sentence.is_empty() && why.limits.is_empty() && why.facts.is_empty() {
        wrong.push(Difference::new("why", text(expect, "why"), "nothing"));
    }
    let assumed = expect.get("assumed").and_then(Value::as_array).is_some_and(|list| !list.is_empty());
    let built = lines::build(line).map(|built| built.remarks.assumed.len()).unwrap_or_default();
    if assumed && built == 0 {
        wrong.push(Difference::new("assumed", &expect["assumed"], "nothing"));
    }
}

/// Returns WHY's answer about something at a moment. Errors: the scenario has an error, or lacks the subject.
pub fn why(scenario: &str, at_ms: i64, what: &str) -> Result<WhyView, String> {
    let loaded = Player::load(scenario);
    let problems = loaded.problems;
    let mut player = loaded.player.ok_or_else(|| format!("{problems:?}"))?;
    if let Some(problem) = problems.iter().find(|p| p.severity == heddle_core::model::Severity::Error) {
        return Err(format!("{problem:?}"));
    }
    player.seek(at_ms);
    let about = match what {
        "" => player.snapshot(None).headline_about,
        what => Some(what.parse::<Selection>()?),
    };
    match about {
        Some(about) => match player.not_there(&about) {
            Some(fault) => Err(fault),
            None => Ok(player.why(&about)),
        },
        None => Err("nothing that could be asked about".into()),
    }
}

/// Returns the ids of patterns in a text, without remarks in brackets; `none` if there are none.
fn ids(pattern: &str) -> String {
    let before = pattern.split('(').next().unwrap_or_default();
    let is_id = |word: &&str| {
        let mut letters = word.chars();
        matches!(letters.next(), Some('D' | 'L' | 'V')) && letters.next().is_some_and(|c| c.is_ascii_digit())
    };
    let found: Vec<&str> = before.split(|c: char| !c.is_alphanumeric()).filter(is_id).collect();
    if found.is_empty() { "none".to_string() } else { found.join(" + ") }
}

/// Compares numbers by value, and lists and tables part by part.
fn alike(one: &Value, other: &Value) -> bool {
    match (one, other) {
        (Value::Number(a), Value::Number(b)) => {
            a == b || a.as_f64().zip(b.as_f64()).is_some_and(|(a, b)| (a - b).abs() < 1e-9)
        }
        (Value::Array(a), Value::Array(b)) => a.len() == b.len() && a.iter().zip(b).all(|(a, b)| alike(a, b)),
        (Value::Object(a), Value::Object(b)) => a.iter().all(|(key, a)| b.get(key).is_some_and(|b| alike(a, b))),
        (a, b) => a == b,
    }
}

/// Returns whether a text is, or contains, the expected one: blanks are squeezed, ids compared by kind, and `*` matches any
/// figure or name.
pub fn says(words: &str, expected: &str) -> bool {
    let (words, expected) = (plain(words), plain(expected));
    let parts: Vec<&str> = expected.split('*').map(str::trim).collect();
    // The stars of "*lost*" are not wildcards.
    if expected.contains("*lost*") {
        return words.contains(expected.trim_end_matches([';', ' ']));
    }
    let mut rest = words.as_str();
    for part in parts {
        let part = part.trim_end_matches([';', ' ']);
        match rest.find(part) {
            Some(at) => rest = &rest[at + part.len()..],
            None => return false,
        }
    }
    true
}

fn plain(text: &str) -> String {
    let mut out: Vec<String> = Vec::new();
    for word in text.split_whitespace() {
        let mut word = word.to_string();
        for kind in ["application_", "appattempt_", "container_"] {
            while let Some(at) = word
                .find(kind)
                .filter(|at| word[at + kind.len()..].starts_with(|c: char| c.is_ascii_digit() || c == 'e'))
            {
                let end = word[at + kind.len()..]
                    .find(|c: char| !(c.is_ascii_digit() || c == '_' || c == 'e'))
                    .map_or(word.len(), |i| at + kind.len() + i);
                word.replace_range(at..end, &kind.trim_end_matches('_').to_uppercase());
            }
        }
        out.push(word);
    }
    out.join(" ")
}

/// The names of figures in facts.
const NAMES: [(&str, &str); 10] = [
    ("am_request", "ask"),
    ("request", "ask"),
    ("max_allowed", "max_now"),
    ("requested_memory", "ask_mb"),
    ("max_memory", "max_mb"),
    ("capacity", "got"),
    ("host", "node"),
    ("available", "free"),
    ("target_type", "target"),
    ("exit_code", "exit"),
];

fn diagnostic(case: &Case) -> Outcome {
    let pasted = text(&case.given, "text");
    let Some(line) = lines::recognise(pasted) else {
        return Outcome::Failed(Difference::new("pattern", text(&case.expect, "pattern"), "nothing"));
    };
    let mut wrong = Vec::new();
    for (key, value) in case.expect.as_object().into_iter().flatten() {
        let got = match key.as_str() {
            "pattern" => json!(line.row.id),
            "also" => json!(line.row.with),
            key => {
                let name = NAMES.iter().find(|(fact, _)| *fact == key).map_or(key, |(_, name)| name);
                line.figures.0.get(name).or(line.figures.0.get(key)).map_or(Value::Null, |figure| figure.json())
            }
        };
        if !alike(value, &got) {
            wrong.push(Difference::new(key.as_str(), value, got));
        }
    }
    outcome(wrong)
}
