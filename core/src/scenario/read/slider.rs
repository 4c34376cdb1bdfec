//! Applications of Apache Slider: their components, as a table for each or as resources.json; history files.

use super::super::slider::{HistoryFile, SliderApp};
use super::constraints::add_inside;
use super::fields::{Fields, Reader};
use super::settings::value_text;
use crate::model::Span;
use crate::strategy::Work;
use crate::strategy::slider::definition::{Parts, Row, SCHEMA, Section, judge, read};
use crate::strategy::slider::settings::MASTER;
use crate::strategy::slider::{Definition, Version, files};
use std::collections::BTreeMap;

/// What an entry of `components` says besides the keys of resources.json.
const OWN: [&str; 3] = ["name", "duration", "exit_code"];
/// What keys of resources.json begin with; what its client refuses among them it says itself.
const BEGIN: [&str; 3] = ["yarn", "component", "internal"];
const RESOURCES: &str = "resources.json";

/// Reads what is Slider's of an application.
pub fn slider(r: &mut Reader<'_>, f: &mut Fields<'_>) -> SliderApp {
    let version = match f.text_at(r, "version") {
        None => Version::default(),
        Some((text, span)) => match text.as_str() {
            "0.92" => Version::V092,
            "0.93" => Version::V093,
            _ => {
                r.error(span, format!("There is no Slider {text} here."), "Write \"0.92\" or \"0.93\".");
                Version::default()
            }
        },
    };
    let check_seconds = f.time(r, "escalation_check").map(|ms| i32::try_from(ms / 1000).unwrap_or(i32::MAX).max(1));
    let written = f.text_at(r, RESOURCES);
    let mut parts = Parts { schema: Some((SCHEMA.into(), f.span)), strict: true, ..Parts::default() };
    if let Some(mut global) = f.table(r, "global", "`global`") {
        rows(r, &mut global, &[], "", &mut parts.global);
    }
    let mut work = BTreeMap::new();
    let entries = f.tables(r, "components", "a component");
    if entries.is_empty() && written.is_none() {
        r.error(f.span, "A Slider application needs `components` or `resources.json`.", "Add [[apps.components]].");
    }
    for mut c in entries {
        let Some((name, at)) = c.required_name(r, "name") else { continue };
        let run_ms = c.time_or_forever(r, "duration").unwrap_or(None);
        let exit_code = c.int32(r, "exit_code").unwrap_or(0);
        let twice = parts.components.iter().any(|s| s.name == name);
        if twice {
            r.error(at, format!("Two components are called `{name}`."), "Rename one.");
        }
        if name == MASTER && (run_ms.is_some() || exit_code != 0) {
            r.error(at, "The ApplicationMaster works as `am` says.", "Write am = { fails_after = … }.");
        }
        work.insert(name.clone(), Work { run_ms, exit_code });
        let mut section = Section { name, at, rows: Vec::new() };
        rows(r, &mut c, &OWN, "", &mut section.rows);
        parts.components.push(section);
    }
    let definition = match written {
        Some((text, span)) => from_text(r, &text, span, &parts),
        None => from_parts(r, &parts),
    };
    if let Some(definition) = &definition {
        for name in work.keys().filter(|name| !definition.components.contains_key(*name)) {
            let what = format!("resources.json has no component `{name}`.");
            r.error(f.span, what, "Name one that it has.");
        }
    }
    SliderApp { version, definition: definition.unwrap_or_default(), check_seconds, work, history: history(r, f) }
}

/// resources.json as a text. What stands in entries then is only how long instances work.
fn from_text(r: &mut Reader<'_>, text: &str, span: Span, parts: &Parts) -> Option<Definition> {
    let beside = parts.global.iter().chain(parts.components.iter().flat_map(|s| &s.rows));
    for row in beside {
        let what = format!("`{}` stands beside resources.json, which says all of that.", row.key);
        r.error(row.at, what, "Write it there.");
    }
    let (definition, problems) = read(text);
    let place = r.content_offset(span, text);
    let whole = r.content_span(span, text);
    problems.into_iter().for_each(|p| add_inside(r, p, whole, place));
    definition
}

fn from_parts(r: &mut Reader<'_>, parts: &Parts) -> Option<Definition> {
    let (definition, problems) = judge(parts, Vec::new());
    problems.into_iter().for_each(|p| add_inside(r, p, Span::default(), Some(0)));
    definition
}

/// Keys of resources.json: nested tables are joined with dots, numbers and flags become texts.
fn rows(r: &mut Reader<'_>, f: &mut Fields<'_>, but: &[&str], path: &str, out: &mut Vec<Row>) {
    for (key, item, value_at) in f.entries() {
        if path.is_empty() && but.contains(&key) {
            continue;
        }
        let at = f.key_span(key).unwrap_or(value_at);
        if path.is_empty() && !BEGIN.iter().any(|b| key == *b || key.starts_with(&format!("{b}."))) {
            let mend = match r.nearest(key, but.iter().copied()) {
                Some(near) => format!("Did you mean `{near}`?"),
                None => "Keys of resources.json begin with `yarn.`.".to_string(),
            };
            r.error(at, format!("`{key}` is not known in a component."), mend);
            continue;
        }
        let path = if path.is_empty() { key.to_string() } else { format!("{path}.{key}") };
        if let Some(table) = item.as_table_like() {
            rows(r, &mut Fields::new(table, value_at, "a component"), &[], &path, out);
            continue;
        }
        match item.as_value().and_then(value_text) {
            Some(value) => out.push(Row { key: path, at, value, value_at }),
            None => r.error(value_at, format!("`{path}` has no value."), "Write a text, a number or true or false."),
        }
    }
}

fn history(r: &mut Reader<'_>, f: &mut Fields<'_>) -> Vec<HistoryFile> {
    let mut out: Vec<HistoryFile> = Vec::new();
    for mut h in f.tables(r, "history", "a history file") {
        let text = h.text(r, "text").unwrap_or_default();
        if let Some((name, span)) = h.required_name(r, "name") {
            if !files::is_history(&name) {
                let what = format!("Slider does not look at `{name}`.");
                r.warning(span, what, "History files are called rolehistory-<time in hexadecimal digits>.json.");
            }
            if out.iter().any(|file| file.name == name) {
                r.error(span, format!("Two history files are called `{name}`."), "Rename one.");
            }
            out.push(HistoryFile { name, text, span });
        }
        h.finish(r);
    }
    out
}
