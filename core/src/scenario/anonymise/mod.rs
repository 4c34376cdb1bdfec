//! Anonymises a scenario: gives every queue, user, group, host, rack, label, attribute, tag, application, component, stream
//! and path another name, the same one everywhere.
//!
//! | what is kept | how |
//! |---|---|
//! | identity | one table for all kinds: a user `ann` and the queue `root.ann` keep the same name |
//! | depth | paths of queues and racks keep their parts; a group of nodes or copies keeps its numbers |
//! | order | new names are in the order of the old ones (`String.compareTo`), between the names that stay |
//! | hash walks | new names fall into the same buckets of Java's maps as the old ones (`choose`) |
//! | Hadoop's names | `root`, `default`, `user`, `/default-rack`, resource types and classes of Apache stay |
//!
//! Only buckets and order remain of a name: a few bits, described in docs/formats.md. The same code (`places`) walks a text
//! twice: once to find the names, once to replace them. In the author's prose, names of three characters and more are
//! replaced wherever they occur (`words`). Comments, descriptions and settings that Heddle does not know are left out of
//! files.

mod choose;
pub(crate) mod files;
pub(crate) mod places;
mod settings;
pub(crate) mod text;
mod words;

use super::document::Scenario;
use super::read;
use crate::api::Properties;
use crate::apps::scenario::anonymise as own;
use crate::config::fair::elements::paths;
use crate::config::properties;
use crate::model::Problem;
use choose::{NameNeeds, New};
use std::collections::BTreeSet;

/// The kind of thing that a name denotes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum NameKind {
    Queue,
    User,
    Group,
    Host,
    Rack,
    Label,
    Attribute,
    /// An attribute's value.
    Value,
    Tag,
    App,
    Component,
    /// A task group.
    Task,
    Stream,
    Store,
    /// A file, a directory, an address, a class.
    Path,
}

impl NameKind {
    /// All kinds, each with its word.
    pub const ALL: [(NameKind, &'static str); 15] = [
        (NameKind::Queue, "queue"),
        (NameKind::User, "user"),
        (NameKind::Group, "group"),
        (NameKind::Host, "host"),
        (NameKind::Rack, "rack"),
        (NameKind::Label, "label"),
        (NameKind::Attribute, "attribute"),
        (NameKind::Value, "value of an attribute"),
        (NameKind::Tag, "tag"),
        (NameKind::App, "application"),
        (NameKind::Component, "component"),
        (NameKind::Task, "group of tasks"),
        (NameKind::Stream, "stream"),
        (NameKind::Store, "store"),
        (NameKind::Path, "path"),
    ];
}

/// A scenario with its names replaced.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Anonymised {
    pub text: String,
    /// The old names with the new ones, in the order of the old ones.
    pub names: Vec<(String, String)>,
    /// Remarks on what is not kept, or remains in the text.
    pub remarks: Vec<String>,
}

impl Anonymised {
    /// Replaces the names in a selection such as `app:zk`.
    pub fn selection(&self, selection: &str) -> String {
        let new = New::of_pairs(self.names.clone());
        let known = Known { queues: BTreeSet::new(), apps: BTreeSet::new(), racks_counted: false };
        let of = &mut Replace { known: &known, new: &new };
        text::selection(selection, of).unwrap_or_else(|| selection.to_owned())
    }
}

/// Hadoop's and Heddle's own names, which stay.
const STAY: [&str; 7] = ["root", "default", "user", "default-rack", "*", own::COMPONENT, "localhost"];

/// Returns whether a name stays as it is.
fn stays(name: &str) -> bool {
    let number = name.len() <= 3 && name.bytes().all(|b| b.is_ascii_digit());
    // The default names of task groups.
    let tasks = name.strip_prefix("tasks").is_some_and(|n| n.bytes().all(|b| b.is_ascii_digit()));
    number
        || tasks
        || STAY.contains(&name)
        || own::STAY.contains(&name)
        || name.starts_with('%')
        || !name.contains(char::is_alphanumeric)
}

/// Handles what a walk over a text finds.
pub(crate) trait Visit {
    /// Handles a name. Returns the new one; `None`: it stays.
    fn name(&mut self, kind: NameKind, name: &str) -> Option<String>;
    /// Handles a pattern of numbered names, such as `n{1}`.
    fn numbered(&mut self, kind: NameKind, pattern: &str) -> Option<String>;
    /// Handles the author's prose, or a text of unknown meaning.
    fn words(&mut self, words: &str) -> Option<String>;
    /// Returns whether a queue with this path is known.
    fn is_queue(&self, path: &str) -> bool;
    /// Returns whether an application has this name.
    fn is_app(&self, name: &str) -> bool;
}

/// Facts about a scenario that are collected before its names are replaced.
struct Known {
    /// The paths of the queues.
    queues: BTreeSet<String>,
    apps: BTreeSet<String>,
    /// Whether racks are only counted, and therefore called `/r1`, `/r2` …
    racks_counted: bool,
}

impl Known {
    /// Returns whether Heddle itself gives this name.
    fn is_counted(&self, kind: NameKind, name: &str) -> bool {
        let number = name.strip_prefix('r').unwrap_or_default();
        kind == NameKind::Rack && self.racks_counted && !number.is_empty() && number.bytes().all(|b| b.is_ascii_digit())
    }

    fn of(s: &Scenario, text: &str) -> Known {
        let mut queues: BTreeSet<String> = BTreeSet::from(["root".to_owned()]);
        let mut all: Vec<&Properties> = vec![&s.settings.capacity_scheduler];
        for happening in &s.happenings {
            if let super::happening::Act::Refresh { capacity_scheduler, .. } = &happening.act {
                all.push(capacity_scheduler);
            }
        }
        all.into_iter().for_each(|properties| below("root", properties, &mut queues));
        for file in [&s.settings.fair_allocations].into_iter().flatten() {
            queues.extend(paths(file).into_iter().map(|(path, _)| path));
        }
        for world in &s.worlds {
            below("root", &world.set.iter().cloned().collect(), &mut queues);
        }
        Known { queues, apps: s.apps.iter().map(|a| a.name.clone()).collect(), racks_counted: racks_counted(text) }
    }
}

/// Returns whether an entry of nodes gives only the number of its racks.
fn racks_counted(text: &str) -> bool {
    let document = text.parse::<toml_edit::DocumentMut>().ok();
    let nodes = document.as_ref().and_then(|d| d.get("nodes"));
    let counted = |table: &dyn toml_edit::TableLike| table.get("racks").is_some_and(|racks| racks.is_integer());
    match nodes {
        Some(toml_edit::Item::ArrayOfTables(list)) => list.iter().any(|t| counted(t)),
        Some(toml_edit::Item::Value(toml_edit::Value::Array(list))) => {
            list.iter().filter_map(toml_edit::Value::as_inline_table).any(|t| counted(t))
        }
        _ => false,
    }
}

/// Adds the queues that properties list below a queue.
fn below(path: &str, of: &Properties, out: &mut BTreeSet<String>) {
    let mut todo = vec![path.to_owned()];
    while let Some(path) = todo.pop() {
        let Some(children) = of.get(&format!("{}{path}.queues", properties::PREFIX)) else { continue };
        for child in children.split(',').map(str::trim).filter(|c| !c.is_empty()) {
            let child = format!("{path}.{child}");
            if out.insert(child.clone()) {
                todo.push(child);
            }
        }
    }
}

/// Collects the names.
struct Find<'k> {
    known: &'k Known,
    found: NameNeeds,
}

impl Visit for Find<'_> {
    fn name(&mut self, kind: NameKind, name: &str) -> Option<String> {
        // A number as an attribute's value may also be a number of containers (`zk=3`).
        let number = kind == NameKind::Value && !name.contains(char::is_alphabetic);
        if !stays(name) && !number && !self.known.is_counted(kind, name) {
            self.found.name(kind, name);
        }
        None
    }

    fn numbered(&mut self, _: NameKind, pattern: &str) -> Option<String> {
        self.found.numbered(pattern);
        None
    }

    fn words(&mut self, words: &str) -> Option<String> {
        self.found.stamps(words);
        None
    }

    fn is_queue(&self, path: &str) -> bool {
        self.known.queues.contains(path)
    }

    fn is_app(&self, name: &str) -> bool {
        self.known.apps.contains(name)
    }
}

/// Replaces the names.
struct Replace<'k> {
    known: &'k Known,
    new: &'k New,
}

impl Visit for Replace<'_> {
    fn name(&mut self, kind: NameKind, name: &str) -> Option<String> {
        if self.known.is_counted(kind, name) { None } else { self.new.of(name) }
    }

    fn numbered(&mut self, _: NameKind, pattern: &str) -> Option<String> {
        self.new.of_pattern(pattern)
    }

    fn words(&mut self, words: &str) -> Option<String> {
        words::replaced(words, self.new)
    }

    fn is_queue(&self, path: &str) -> bool {
        self.known.queues.contains(path)
    }

    fn is_app(&self, name: &str) -> bool {
        self.known.apps.contains(name)
    }
}

/// Anonymises the text of a scenario. Errors: the text's problems.
pub fn anonymise(text: &str) -> Result<Anonymised, Vec<Problem>> {
    let read = read(text);
    let Some(scenario) = read.scenario else { return Err(read.problems) };
    let known = Known::of(&scenario, text);
    let mut find = Find { known: &known, found: NameNeeds::of(&scenario, &known.queues) };
    places::walk(text, &mut find).ok_or_else(Vec::new)?;
    let new = New::choose(find.found);
    let replaced = places::walk(text, &mut Replace { known: &known, new: &new }).ok_or_else(Vec::new)?;
    let text = words::comments(&replaced, &new);
    let mut remarks = new.remarks.clone();
    remarks.extend(left(&text, &new));
    Ok(Anonymised { text, names: new.pairs(), remarks })
}

/// Restores the old names in a text that was written or changed after anonymising. `None`: it cannot be read.
pub fn with_names(text: &str, names: &[(String, String)]) -> Option<String> {
    let scenario = read(text).scenario?;
    let known = Known::of(&scenario, text);
    let new = New::of_pairs(names.iter().map(|(old, new)| (new.clone(), old.clone())).collect());
    let replaced = places::walk(text, &mut Replace { known: &known, new: &new })?;
    Some(words::comments(&replaced, &new))
}

/// Returns a remark on the old names of three characters and more that still occur in a text as words.
fn left(text: &str, new: &New) -> Option<String> {
    let text = text.to_lowercase();
    let mut left: Vec<String> = Vec::new();
    let is_part = |c: Option<char>| c.is_some_and(char::is_alphanumeric);
    let stands = |name: &str| {
        let mut found = text.match_indices(name);
        found
            .any(|(at, _)| !is_part(text[..at].chars().next_back()) && !is_part(text[at + name.len()..].chars().next()))
    };
    let long = new.olds().filter(|name| name.chars().count() >= words::SHORTEST);
    left.extend(long.filter(|name| stands(&name.to_lowercase())).map(|name| format!("`{name}`")));
    let last = left.pop()?;
    let (these, stand) = match left.is_empty() {
        true => (last, "still stands in the text: it is a word of the format"),
        false => (format!("{} and {last}", left.join(", ")), "still stand in the text: they are words of the format"),
    };
    Some(format!("{these} {stand}, or of a name that stays."))
}

#[cfg(test)]
mod tests;
