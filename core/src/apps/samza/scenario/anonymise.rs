//! Names in the texts of Samza jobs: job.properties, streams, stores.

use crate::apps::samza::strategy::job::properties::Properties;
use crate::scenario::anonymise::files::option;
use crate::scenario::anonymise::places::TextMeaning;
use crate::scenario::anonymise::{NameKind, Visit, text};
use std::fmt::Write as _;

/// Returns the kind of text at this path of a scenario, if the path is Samza's.
pub fn place(path: &[&str]) -> Option<TextMeaning> {
    Some(match path {
        [.., "job.properties"] => TextMeaning::OwnFile(file),
        ["apps", "stores", "name"] => TextMeaning::Name(NameKind::Store),
        ["apps", "racks_seen", _] => TextMeaning::Of(text::place),
        ["apps", "before", "hosts", _] => TextMeaning::Of(text::host),
        ["samza", "logged_store_base_dir"] => TextMeaning::Name(NameKind::Path),
        ["samza", "changelogs", _] => TextMeaning::Format,
        _ => return None,
    })
}

/// Returns the kind of the keys in the table at this path, if the path is Samza's.
pub fn keys(path: &[&str]) -> Option<TextMeaning> {
    Some(match path {
        [.., "streams"] => TextMeaning::Of(stream),
        ["samza", "changelogs"] => TextMeaning::Name(NameKind::Stream),
        ["apps", "racks_seen"] => TextMeaning::Name(NameKind::Host),
        _ => return None,
    })
}

/// Replaces the names in job.properties.
fn file(text: &str, v: &mut dyn Visit) -> String {
    let (properties, _) = Properties::read(text);
    let mut out = String::new();
    for entry in properties.entries() {
        let (key, value) = property(&entry.key, &entry.value, v);
        let _ = writeln!(out, "{key}={}", value.replace('\\', "\\\\").replace('\n', "\\n"));
    }
    out
}

/// Replaces the names in a property. Returns its key and its value.
pub fn property(key: &str, value: &str, v: &mut dyn Visit) -> (String, String) {
    let parts: Vec<&str> = key.split('.').collect();
    let (kind, at) = match parts.as_slice() {
        ["systems" | "streams", _, ..] => (NameKind::Stream, 1),
        ["stores", _, ..] => (NameKind::Store, 1),
        ["serializers", "registry", _, ..] | ["metrics", "reporter", _, ..] => (NameKind::Store, 2),
        _ => (NameKind::Store, usize::MAX),
    };
    let new = parts.iter().enumerate().map(|(i, part)| match i == at {
        true => v.name(kind, part).unwrap_or_else(|| (*part).to_owned()),
        false => (*part).to_owned(),
    });
    let key_new = new.collect::<Vec<_>>().join(".");
    let value_new = match (key, parts.last().copied().unwrap_or_default()) {
        ("job.name" | "app.name" | "app.id" | "job.id", _) => v.name(NameKind::App, value),
        ("task.inputs" | "task.broadcast.inputs", _) => text::parts(value, &[','], &mut |name| stream(name, v)),
        ("job.coordinator.system" | "job.changelog.system" | "task.checkpoint.system" | "job.default.system", _) => {
            v.name(NameKind::Stream, value)
        }
        ("yarn.queue", _) => text::queue(value, v),
        (_, "changelog" | "physical") => stream(value, v),
        (_, "serde") if key.starts_with("stores.") || key.starts_with("systems.") => v.name(NameKind::Store, value),
        ("yarn.container.label" | "yarn.am.container.label", _) => text::labels(value, v),
        _ => option(key, value, v),
    };
    (key_new, value_new.unwrap_or_else(|| value.to_owned()))
}

/// Replaces the names of a stream and its system: `kafka.clicks`.
fn stream(name: &str, v: &mut dyn Visit) -> Option<String> {
    let (system, stream) = name.split_once('.').map_or((name, None), |(system, stream)| (system, Some(stream)));
    let new = v.name(NameKind::Stream, system);
    let Some(stream) = stream else { return new };
    // Partitions of a broadcast input follow a `#`.
    let (bare, rest) = stream.split_at(stream.find('#').unwrap_or(stream.len()));
    let new_stream = v.name(NameKind::Stream, bare);
    if new.is_none() && new_stream.is_none() {
        return None;
    }
    Some(format!("{}.{}{rest}", new.as_deref().unwrap_or(system), new_stream.as_deref().unwrap_or(bare)))
}
