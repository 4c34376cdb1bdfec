//! Applications that a client program launches on YARN, read from its command line or its settings: an ApplicationMaster
//! and identical containers.

use super::write::quoted;
use super::{Gathered, GatheredApp};
use crate::config::resource_text::is_type_name;
use crate::model::names;
use crate::scenario::units::{AMOUNT_MAX, Size, size_text};
use std::fmt::Write;

/// An application as its client submits it.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Launched {
    pub name: Option<String>,
    /// Its name if it has none of its own.
    pub kind: &'static str,
    pub queue: Option<String>,
    pub user: Option<String>,
    pub tags: Vec<String>,
    pub priority: Option<i64>,
    pub am: Size,
    pub am_label: Option<String>,
    pub label: Option<String>,
    /// The name of its containers: `executors`.
    pub parts: &'static str,
    pub count: i64,
    pub size: Size,
}

/// Adds an application to the scenario.
pub(super) fn add(mut app: Launched, source: &str, g: &mut Gathered) {
    for name in [&mut app.queue, &mut app.user, &mut app.am_label, &mut app.label] {
        if name.as_ref().is_some_and(|name| names::fault(name).is_some()) {
            *name = None;
            g.lack("A name in the command that cannot be shown: it is left out.", source);
        }
    }
    let plain = |name: &String| names::fault(name).is_none() && !name.contains(['{', '}']);
    let name = g.free_name(app.name.as_ref().filter(|name| plain(name)).map_or(app.kind, |name| name));
    let largest = g.traced.largest.get_or_insert_default();
    for size in [&app.am, &app.size] {
        largest.size.memory = largest.size.memory.max(size.memory_mb.unwrap_or(0)).min(AMOUNT_MAX);
        largest.size.vcores = largest.size.vcores.max(size.vcores.unwrap_or(0)).min(AMOUNT_MAX);
    }
    g.names_queue(app.queue.as_deref());
    for label in app.am_label.iter().chain(&app.label) {
        g.label(label, None);
    }
    g.lack(format!("How long the {} of {name} run: for ever is assumed.", app.parts), source);
    let types = app.am.more.iter().chain(&app.size.more).map(|(kind, _)| kind.clone());
    let types: Vec<String> = types.filter(|kind| is_type_name(kind)).collect();
    g.entries.push(GatheredApp { toml: entry(&app, &name), name, types });
}

fn entry(app: &Launched, name: &str) -> String {
    let mut out = format!("name = {}\nkind = \"batch\"\n", quoted(name));
    let mut field = |key: &str, value: String| {
        let _ = writeln!(out, "{key} = {value}");
    };
    for (key, value) in [("queue", &app.queue), ("user", &app.user)] {
        if let Some(value) = value {
            field(key, quoted(value));
        }
    }
    if let Some(priority) = app.priority {
        field("priority", priority.min(i64::from(i32::MAX)).to_string());
    }
    if !app.tags.is_empty() {
        field("tags", format!("[{}]", app.tags.iter().map(|tag| quoted(tag)).collect::<Vec<_>>().join(", ")));
    }
    let am = quoted(&size(&app.am));
    match &app.am_label {
        Some(label) => field("am", format!("{{ size = {am}, label = {} }}", quoted(label))),
        None => field("am", am),
    }
    let label = app.label.as_ref().map(|label| format!(", label = {}", quoted(label))).unwrap_or_default();
    let tasks = format!(
        "[{{ name = {}, count = {}, size = {}, duration = \"forever\", priority = 1{label} }}]",
        quoted(app.parts),
        app.count,
        quoted(&size(&app.size))
    );
    field("tasks", tasks);
    out
}

fn size(size: &Size) -> String {
    let bound = |n: i64| n.clamp(0, AMOUNT_MAX);
    let more = size.more.iter().filter(|(kind, _)| is_type_name(kind)).map(|(kind, n)| (kind.as_str(), bound(*n)));
    size_text(bound(size.memory_mb.unwrap_or(0)), bound(size.vcores.unwrap_or(1)), more)
}

/// Reads an amount of memory with a unit, in bytes: `20g`, `1536m`, `2 GB`. `unit`: the unit of a plain number, in bytes.
pub(super) fn bytes(text: &str, unit: i64) -> Option<i64> {
    let text = text.trim().to_ascii_lowercase();
    let digits = text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len());
    let number: i64 = text[..digits].parse().ok()?;
    let scale = match text[digits..].trim().trim_end_matches("ytes").trim_end_matches('b').trim_end_matches('i') {
        "" if text[digits..].trim().is_empty() => unit,
        "" => 1,
        "k" => 1 << 10,
        "m" | "mega" => 1 << 20,
        "g" | "giga" => 1 << 30,
        "t" => 1 << 40,
        _ => return None,
    };
    number.checked_mul(scale)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn memory_is_read_with_its_unit() {
        let mb = 1 << 20;
        for (text, wanted) in [
            ("20g", Some(20 << 30)),
            ("512", Some(512 * mb)),
            ("1536m", Some(1536 * mb)),
            ("2 GB", Some(2 << 30)),
            ("1k", Some(1024)),
            ("5b", Some(5)),
            ("1.5g", None),
            ("x", None),
            ("", None),
            ("9223372036854775807t", None),
        ] {
            assert_eq!(bytes(text, mb), wanted, "{text}");
        }
    }
}
