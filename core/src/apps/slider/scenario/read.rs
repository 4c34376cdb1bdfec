//! Reads applications of Apache Slider: their components, as a table for each or as resources.json; history files.

use crate::apps::scenario::AppKind;
use crate::apps::scenario::KindAct;
use crate::apps::scenario::read::{ClientSubmits, EntrySoFar, ReadKind};
use crate::apps::slider::client::{About, Args, Create, Metainfo, Package, check_name, create};
use crate::apps::slider::scenario::file::{place_of, refused};
use crate::apps::slider::scenario::{HistoryChange, HistoryEdit, HistoryFile, SliderApp};
use crate::apps::slider::strategy::definition::{self, judge};
use crate::apps::slider::strategy::settings::{Keys, MASTER, key};
use crate::apps::slider::strategy::tree::{ConfRow, Parts, Section, parse};
use crate::apps::slider::strategy::{Definition, Version, files};
use crate::model::{Problem, Severity, Span};
use crate::scenario::application::App;
use crate::scenario::happening::Act;
use crate::scenario::read::constraints::add_inside;
use crate::scenario::read::fields::{Fields, Reader};
use crate::scenario::read::happenings::name;
use crate::scenario::read::settings::value_text;
use crate::strategy::Work;
use std::collections::BTreeMap;

/// Keys of an entry of `components` other than those of resources.json.
const OWN: [&str; 3] = ["name", "duration", "exit_code"];
/// Prefixes of keys of resources.json; Slider's client itself reports which of these keys it refuses.
const BEGIN: [&str; 3] = ["yarn", "component", "internal"];
const RESOURCES: &str = "resources.json";
const APP_CONFIG: &str = "appConfig.json";
/// A name that the client accepts: the names of the entries are checked later, when they are known.
const ANY_NAME: &str = "app";

/// A text of the entry, and its position.
struct WrittenParts {
    parts: Parts,
    whole: Span,
    /// The offset of its first letter, if the text is written without escapes.
    place: Option<usize>,
}

/// An entry of `kind = "slider"`.
pub struct SliderEntry;

impl ReadKind for SliderEntry {
    fn takes_up_containers(&self) -> bool {
        true
    }

    fn read(&mut self, r: &mut Reader<'_>, f: &mut Fields<'_>, entry: EntrySoFar) -> (AppKind, Option<ClientSubmits>) {
        let (slider, submits) = slider(r, f, entry);
        (slider.into(), Some(submits))
    }

    fn check_names(&self, r: &mut Reader<'_>, app: &App, names: &[String]) {
        if let Some(why) = names.iter().find_map(|name| check_name(name).err()) {
            r.warning(app.span, refused(&why.refusal), why.refusal.mend);
        }
    }
}

/// Reads the keys of an application that are Slider's, and what Slider's client makes of them.
fn slider(r: &mut Reader<'_>, f: &mut Fields<'_>, entry: EntrySoFar) -> (SliderApp, ClientSubmits) {
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
    let (has_text, resources) = (f.has(RESOURCES), written(r, f, RESOURCES));
    let app_config = written(r, f, APP_CONFIG);
    let metainfo = f.table(r, "package", "`package`").map(|mut t| package(r, &mut t));
    let mut parts = Parts { strict: true, ..Parts::default() };
    if let Some(mut global) = f.table(r, "global", "`global`") {
        rows(r, &mut global, &[], "", &mut parts.global);
    }
    let mut work = BTreeMap::new();
    let entries = f.tables(r, "components", "a component");
    if entries.is_empty() && !has_text {
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
    let (here, definition) = match resources {
        Some(text) => {
            let beside = parts.global.iter().chain(parts.components.iter().flat_map(|s| &s.rows));
            for row in beside {
                let what = format!("`{}` stands beside resources.json, which says all of that.", row.key);
                r.error(row.at, what, "Write it there.");
            }
            let definition = judged(r, &text);
            for name in work.keys().filter(|name| text.parts.components.iter().all(|s| s.name != **name)) {
                let what = format!("resources.json has no component `{name}`.");
                r.error(f.span, what, "Name one that it has.");
            }
            (text, definition)
        }
        None => {
            let here = WrittenParts { parts, whole: f.span, place: Some(0) };
            let definition = judged(r, &here);
            (here, definition)
        }
    };
    let args = Args { queue: entry.queue, ..Args::default() };
    let created = create(&Create {
        name: ANY_NAME,
        resources: Some(Ok(&here.parts)),
        app_config: app_config.as_ref().map(|file| Ok(&file.parts)),
        settings: &Keys::new(),
        args: &args,
        package: Package::Fits(metainfo.as_ref()),
    });
    let submitted = match created {
        Ok(created) => Ok(created.submitted),
        Err(why) => {
            let problem = Problem::warning(RESOURCES, place_of(&here.parts, &why.about), refused(&why.refusal));
            let file = if why.about == About::AppConfig { app_config.as_ref().unwrap_or(&here) } else { &here };
            add_inside(
                r,
                problem.mend(why.refusal.mend.clone()),
                file.whole,
                file.place.filter(|_| why.about != About::AppConfig),
            );
            Err(why.refusal)
        }
    };
    let own = here.parts.components.iter().find(|s| s.name == MASTER);
    let says = own.is_some_and(|s| s.rows.iter().any(|row| row.key == key::MEMORY || row.key == key::VCORES));
    if let (Some(at), true) = (entry.am_size_at, says) {
        let what = format!("How large the ApplicationMaster is stands here and in `{MASTER}`, which counts.");
        r.warning(at, what, "Delete it here.");
    }
    let history = history(r, f);
    let definition = definition.unwrap_or_default();
    let slider = SliderApp { version, definition, check_seconds, work, history };
    (slider, ClientSubmits { submitted, size: says || entry.am_size_at.is_none() })
}

/// Reads one of Slider's files.
fn written(r: &mut Reader<'_>, f: &mut Fields<'_>, name: &'static str) -> Option<WrittenParts> {
    let (text, span) = f.text_at(r, name)?;
    let (place, whole) = (r.content_offset(span, &text), r.content_span(span, &text));
    match parse(&text, name) {
        Ok((parts, problems)) => {
            problems.into_iter().for_each(|p| add_inside(r, p, whole, place));
            Some(WrittenParts { parts, whole, place })
        }
        Err(fault) => {
            let at = Span::new(fault.at, fault.at);
            let what = format!("This is not as it has to be: {}.", fault.what);
            add_inside(r, Problem::error(name, at, what), whole, place);
            None
        }
    }
}

/// Returns the definition that the ApplicationMaster starts with.
fn judged(r: &mut Reader<'_>, file: &WrittenParts) -> Option<Definition> {
    let (definition, problems) = judge(&file.parts, Vec::new());
    debug_assert!(definition.is_some() || problems.iter().any(|p| p.severity == Severity::Error));
    problems.into_iter().for_each(|p| add_inside(r, p, file.whole, file.place));
    definition
}

/// Reads the application package's metadata.
fn package(r: &mut Reader<'_>, t: &mut Fields<'_>) -> Metainfo {
    let text = |r: &mut Reader<'_>, t: &mut Fields<'_>, key| t.text(r, key).unwrap_or_default();
    let (name, version) = (text(r, t, "name"), text(r, t, "version"));
    let comment = text(r, t, "comment");
    t.finish(r);
    Metainfo { name, version, comment, components: None }
}

/// Collects keys of resources.json: nested tables are joined with dots; numbers and flags become texts.
fn rows(r: &mut Reader<'_>, f: &mut Fields<'_>, but: &[&str], path: &str, out: &mut Vec<ConfRow>) {
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
            Some(value) => out.push(ConfRow { key: path, at, value: Some(value), value_at }),
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

/// Reads an event that only Slider applications know. `None`: it is another event; `Some(None)`: an error was reported.
pub fn happening(r: &mut Reader<'_>, f: &mut Fields<'_>, verb: &str) -> Option<Option<Act>> {
    matches!(verb, "write_history" | "damage_history" | "delete_history").then(|| change_history(r, f, verb))
}

fn change_history(r: &mut Reader<'_>, f: &mut Fields<'_>, verb: &str) -> Option<Act> {
    let file = f.name(r, "file").map(|(name, _)| name);
    let change = match verb {
        "write_history" => {
            if !f.has("text") {
                r.error(f.span, "write_history needs `text`.", "Add what the file has to say.");
            }
            HistoryChange::Write(f.text(r, "text")?)
        }
        "damage_history" => HistoryChange::Damage,
        _ => HistoryChange::Delete,
    };
    Some(Act::OfKind(KindAct::Slider(HistoryEdit { app: name(r, f, "app")?, file, change })))
}

/// Reads the resources.json that a flex gives an application.
pub fn definition(r: &mut Reader<'_>, f: &mut Fields<'_>) -> Option<Definition> {
    let (text, span) = f.text_at(r, RESOURCES)?;
    let (definition, problems) = definition::read(&text);
    let (place, whole) = (r.content_offset(span, &text), r.content_span(span, &text));
    problems.into_iter().for_each(|p| add_inside(r, p, whole, place));
    definition
}
