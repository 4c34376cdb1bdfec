//! Changes of a running scheduler's configuration by REST: `PUT …/scheduler-conf` (formats.md 2.4 and 2.5;
//! SchedConfUpdateInfo, ConfigurationUpdateAssembler, SchedConfCLI of Hadoop). Parses both forms, applies them, finds
//! the change between two configurations and writes it.

mod command;
mod text;

pub use command::parse_command;
pub use text::{parse_json, parse_xml};

use super::capacity::{PREFIX, ROOT};
use super::check::mend;
use super::values::{list, trim};
use crate::api::{Properties, Refusal, SettingsRule};
use crate::model::{CappedProblems, Problem, Span, limits};
use indexmap::{IndexMap, IndexSet};

/// Keys and values to set; `None` unsets. Keys are relative to the queue.
pub type Params = IndexMap<String, Option<String>>;

#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Mutation {
    /// Full paths of queues to remove.
    pub remove: Vec<String>,
    /// Full paths of new queues, with their properties.
    pub add: Vec<(String, Params)>,
    /// Full paths of queues with changed properties.
    pub update: Vec<(String, Params)>,
    /// Changed global properties, with full keys.
    pub global: Params,
}

/// The source of problems of a change.
pub const SOURCE: &str = "change of the queues";

/// A part of a change.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ChangePart<'a> {
    /// `remove-queue`, `add-queue`, `update-queue`, `global-updates`.
    pub kind: &'static str,
    /// The index within that kind, from 0.
    pub index: usize,
    /// Its queue or key.
    pub path: &'a str,
}

impl ChangePart<'_> {
    /// Its position in the text of the change.
    fn find(&self, text: &str) -> Option<Span> {
        let start = text.find(self.kind)?;
        let at = start + text.get(start..)?.find(self.path)?;
        Some(Span::new(at, at + self.path.len()))
    }
}

impl std::fmt::Display for ChangePart<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}[{}] {}", self.kind, self.index, self.path)
    }
}

fn children(properties: &Properties, path: &str) -> Vec<String> {
    let text = properties.get(&format!("{PREFIX}{path}.queues")).map_or("", String::as_str);
    list(text).iter().map(|n| trim(n).to_string()).filter(|n| !n.is_empty()).collect()
}

fn set(properties: &mut Properties, key: String, value: Option<&String>) {
    match value.filter(|v| !v.is_empty()) {
        Some(value) => {
            properties.insert(key, value.clone());
        }
        None => {
            properties.shift_remove(&key);
        }
    }
}

/// Sets a queue's list of children, or unsets it when it is empty.
fn set_children(properties: &mut Properties, path: &str, names: &[String]) {
    let key = format!("{PREFIX}{path}.queues");
    if names.is_empty() {
        properties.shift_remove(&key);
        properties.shift_remove(&format!("{PREFIX}{path}.ordering-policy"));
    } else {
        properties.insert(key, names.join(","));
    }
}

impl Mutation {
    /// Returns whether nothing changes.
    pub fn is_empty(&self) -> bool {
        self.remove.is_empty() && self.add.is_empty() && self.update.is_empty() && self.global.is_empty()
    }

    /// The configuration after the change: removals, additions, updates, global ones, whatever the order in the text.
    /// Does not check whether the result is accepted. Errors: the first one, with Hadoop's message.
    pub fn apply(&self, properties: &Properties) -> Result<Properties, Refusal> {
        let (out, refused) = self.apply_all(properties);
        refused.into_iter().next().map_or(Ok(out), |(_, why)| Err(why))
    }

    /// Like [`Mutation::apply`], but goes on after a refusal: refused parts are skipped and returned with their places.
    pub fn apply_all(&self, properties: &Properties) -> (Properties, Vec<(ChangePart<'_>, Refusal)>) {
        let mut out = properties.clone();
        let mut refused = Vec::new();
        for (index, path) in self.remove.iter().enumerate() {
            let place = ChangePart { kind: "remove-queue", index, path };
            refused.extend(remove_queue(&mut out, path).err().map(|why| (place, why)));
        }
        for (index, (path, params)) in self.add.iter().enumerate() {
            let place = ChangePart { kind: "add-queue", index, path };
            refused.extend(add_queue(&mut out, path, params).err().map(|why| (place, why)));
        }
        for (path, params) in &self.update {
            for (key, value) in params {
                set(&mut out, format!("{PREFIX}{path}.{key}"), value.as_ref());
            }
        }
        for (key, value) in &self.global {
            set(&mut out, key.clone(), value.as_ref());
        }
        (out, refused)
    }

    /// The configuration after the change in `text`, without its refused parts (like [`Mutation::apply_all`]), and the
    /// problems of the change: an error for each part that the ResourceManager refuses, and a remark for each that it
    /// silently accepts without effect.
    pub fn apply_and_check(&self, properties: &Properties, text: &str) -> (Properties, Vec<Problem>) {
        let (after, refused) = self.apply_all(properties);
        let (mut out, mut looked) = (CappedProblems::default(), 0);
        // Only the first ones get a position: each is searched for in the whole text.
        let mut find = |place: &ChangePart<'_>| {
            looked += 1;
            if looked > limits::PROBLEMS { None } else { place.find(text) }
        };
        for (place, why) in refused {
            let what = format!("{place}: the ResourceManager refuses it: {}", why.message);
            out.add(Problem::error(SOURCE, find(&place), what).mend(mend(&why)));
        }
        let known: IndexSet<String> =
            paths(properties).into_iter().chain(self.add.iter().map(|(added, _)| added.clone())).collect();
        for (index, (path, _)) in self.update.iter().enumerate() {
            if path != ROOT && !known.contains(path) {
                let place = ChangePart { kind: "update-queue", index, path };
                let what = format!("{place}: there is no such queue; its properties are set and do nothing.");
                out.add(Problem::warning(SOURCE, find(&place), what).mend("Add the queue, or correct its path."));
            }
        }
        for (index, key) in self.global.keys().enumerate().filter(|(_, key)| !key.starts_with("yarn.")) {
            let place = ChangePart { kind: "global-updates", index, path: key };
            let what = format!("{place}: this is set as it stands and does nothing: global keys are written in full.");
            out.add(Problem::warning(SOURCE, find(&place), what).mend(format!("Write {PREFIX}{key}.")));
        }
        (after, out.into_list(SOURCE))
    }

    /// The change that turns one configuration into another. Only considers keys of the CapacityScheduler.
    pub fn between(from: &Properties, to: &Properties) -> Mutation {
        let (before, after) = (paths(from), paths(to));
        let gone = |p: &&String| !after.contains(*p);
        let parent_gone = |p: &String| {
            p.rsplit_once('.').is_some_and(|(above, _)| above != ROOT && !after.iter().any(|a| a == above))
        };
        let mut out = Mutation {
            remove: before.iter().filter(gone).filter(|p| !parent_gone(p)).cloned().collect(),
            ..Mutation::default()
        };
        // Parents come first in the list; Hadoop extends the list of children when a child is added.
        out.add = after.iter().filter(|p| !before.contains(*p)).map(|p| (p.clone(), Params::new())).collect();
        let keys = from.keys().chain(to.keys().filter(|k| !from.contains_key(*k)));
        for key in keys.filter(|k| k.starts_with(PREFIX) && from.get(*k) != to.get(*k)) {
            let rest = &key[PREFIX.len()..];
            let queue = before
                .iter()
                .chain(&after)
                .filter(|p| rest.strip_prefix(p.as_str()).is_some_and(|r| r.starts_with('.')));
            match queue.max_by_key(|p| p.len()) {
                None => {
                    out.global.insert(key.clone(), to.get(key).cloned());
                }
                Some(queue) if after.contains(queue) => {
                    let name = &rest[queue.len() + 1..];
                    if name == "queues" {
                        continue;
                    }
                    let slot = out.add.iter().position(|(p, _)| p == queue);
                    let params = match slot {
                        Some(slot) => &mut out.add[slot].1,
                        None => {
                            let at = out.update.iter().position(|(p, _)| p == queue).unwrap_or_else(|| {
                                out.update.push((queue.clone(), Params::new()));
                                out.update.len() - 1
                            });
                            &mut out.update[at].1
                        }
                    };
                    params.insert(name.to_string(), to.get(key).cloned());
                }
                Some(_) => {}
            }
        }
        out
    }
}

/// Paths of all queues besides root, parents first.
fn paths(properties: &Properties) -> Vec<String> {
    let mut out = vec![ROOT.to_string()];
    let mut at = 0;
    while let Some(path) = out.get(at).cloned() {
        at += 1;
        if out.len() > crate::model::limits::QUEUES || path.split('.').count() >= crate::model::limits::QUEUE_DEPTH {
            continue;
        }
        for name in children(properties, &path) {
            let child = format!("{path}.{name}");
            if out.len() <= crate::model::limits::QUEUES && !out.contains(&child) {
                out.push(child);
            }
        }
    }
    out.remove(0);
    out
}

fn remove_queue(properties: &mut Properties, path: &str) -> Result<(), Refusal> {
    let Some((parent, name)) = path.rsplit_once('.').filter(|_| path != ROOT) else {
        return Err(Refusal::of(SettingsRule::RemoveUnknown, format!("Can't remove queue {path}")));
    };
    let mut names = children(properties, parent);
    let Some(place) = names.iter().position(|n| n == name) else {
        return Err(Refusal::of(SettingsRule::NotFound, format!("Queue {path} not found")));
    };
    names.remove(place);
    set_children(properties, parent, &names);
    // Hadoop's own bug: it searches for the path anywhere in a key, with any character for each dot.
    properties.retain(|key, _| !holds_path(key, path));
    Ok(())
}

/// Returns whether a key contains the path followed by a dot, with any character for each dot of the path.
fn holds_path(key: &str, path: &str) -> bool {
    let pattern: Vec<char> = path.chars().chain(['.']).collect();
    let key: Vec<char> = key.chars().collect();
    let last = pattern.len() - 1;
    key.windows(pattern.len())
        .any(|window| window.iter().zip(&pattern).enumerate().all(|(i, (k, p))| k == p || (*p == '.' && i != last)))
}

fn add_queue(properties: &mut Properties, path: &str, params: &Params) -> Result<(), Refusal> {
    let Some((parent, name)) = path.rsplit_once('.').filter(|_| path != ROOT) else {
        return Err(Refusal::of(SettingsRule::QueueInvalid, format!("Can't add invalid queue {path}")));
    };
    let mut names = children(properties, parent);
    if names.iter().any(|n| n == name) {
        return Err(Refusal::of(SettingsRule::QueueExists, format!("Can't add existing queue {path}")));
    }
    names.push(name.to_string());
    let first = names.len() == 1;
    set_children(properties, parent, &names);
    for (key, value) in params {
        set(properties, format!("{PREFIX}{path}.{key}"), value.as_ref());
    }
    if first {
        properties.shift_remove(&format!("{PREFIX}{parent}.ordering-policy"));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn properties(rows: &[(&str, &str)]) -> Properties {
        rows.iter().map(|(k, v)| (format!("{PREFIX}{k}"), v.to_string())).collect()
    }

    #[test]
    fn a_change_leads_from_one_configuration_to_the_other() {
        let from = properties(&[
            ("root.queues", "a,b"),
            ("root.a.capacity", "50"),
            ("root.b.capacity", "50"),
            ("root.b.queues", "b1"),
            ("root.b.b1.capacity", "100"),
            ("maximum-applications", "5"),
        ]);
        let to = properties(&[
            ("root.queues", "a,c"),
            ("root.a.capacity", "30"),
            ("root.c.capacity", "70"),
            ("node-locality-delay", "1"),
        ]);
        let change = Mutation::between(&from, &to);
        assert_eq!(change.remove, ["root.b"]);
        let result = change.apply(&from).unwrap();
        assert!(to.iter().all(|(k, v)| result.get(k) == Some(v)) && result.len() == to.len(), "{result:?}");
        assert_eq!(parse_json(&change.to_json()).unwrap().0, change);
        assert_eq!(parse_xml(&change.to_xml()).unwrap(), change);
    }

    #[test]
    fn everything_that_is_wrong_with_a_change_is_told_with_its_place() {
        let text = include_str!("../../../tests/samples/sched-conf.bad.json");
        let (change, remarks) = parse_json(text).unwrap();
        let p = properties(&[
            ("root.queues", "prod"),
            ("root.prod.queues", "etl"),
            ("root.prod.capacity", "100"),
            ("root.prod.etl.capacity", "100"),
        ]);
        let told: Vec<(usize, String)> = change
            .apply_and_check(&p, text)
            .1
            .iter()
            .map(|p| (p.span.map_or(0, |s| s.line_col(text).0), format!("{} {}", p.what, p.mend)))
            .collect();
        for (line, part) in [
            (20, "remove-queue[0] root.nowhere: the ResourceManager refuses it: Queue root.nowhere not found"),
            (4, "add-queue[0] root.prod.etl: the ResourceManager refuses it: Can't add existing queue root.prod.etl"),
            (15, "add-queue[1] lonely: the ResourceManager refuses it: Can't add invalid queue lonely"),
        ] {
            assert!(told.iter().any(|(at, t)| *at == line && t.contains(part)), "{line} {part} in {told:#?}");
        }
        assert_eq!(told.len(), 3, "{told:#?}");
        for part in ["update-queue[0] root.prod", "global-updates: maximum-applications"] {
            assert!(remarks.iter().any(|r| r.contains(part)), "{part} in {remarks:?}");
        }
        // Silently accepted, without effect.
        let (idle, _) = parse_json(
            r#"{"update-queue":{"queue-name":"root.x","params":{"entry":{"key":"capacity","value":"1"}}},"global-updates":{"entry":{"key":"maximum-applications","value":"10"}}}"#,
        )
        .unwrap();
        let (_, told) = idle.apply_and_check(&p, "");
        assert!(told[0].what.contains("update-queue[0] root.x: there is no such queue"), "{told:?}");
        assert_eq!(told[1].mend, "Write yarn.scheduler.capacity.maximum-applications.");
        // The rest of a change can still be applied.
        assert!(change.apply(&p).is_err() && !change.apply_all(&p).0.contains_key("root.nowhere"));
    }

    #[test]
    fn removal_is_as_greedy_as_hadoops() {
        let change = Mutation { remove: vec!["root.a".into()], ..Mutation::default() };
        let p = properties(&[("root.queues", "a,b"), ("root.a.capacity", "1"), ("root-a.x", "1"), ("root.ab.x", "1")]);
        assert_eq!(change.apply(&p).unwrap(), properties(&[("root.queues", "b"), ("root.ab.x", "1")]));
    }
}
