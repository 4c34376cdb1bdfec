//! The places of a scenario's text where names stand. Everything that is not replaced stays verbatim.

use super::{NameKind, Visit, files, settings, text};
use crate::apps::scenario::anonymise as own;
use crate::config::properties;
use crate::scenario::read::settings::{CAPACITY, full_name, value_text};
use std::ops::Range;
use toml_edit::{Document, Item, Key, TableLike, Value};

/// The prefix that names in the `[yarn-site]` table leave out.
const SITE: &str = "yarn.";

/// The meaning of a text of the scenario.
#[derive(Clone, Copy)]
pub(crate) enum TextMeaning {
    /// A keyword of the format, an amount or a time, but no name.
    Format,
    /// The author's prose, or a text of unknown meaning.
    Words,
    Name(NameKind),
    /// A name, or a pattern of several names.
    Names(NameKind),
    /// A text with names in it.
    Of(fn(&str, &mut dyn Visit) -> Option<String>),
    /// A file, by its name.
    File(&'static str),
    /// The text of a file under `[files]`, or a mapping file.
    AnyFile,
    /// A file of one kind of application.
    OwnFile(fn(&str, &mut dyn Visit) -> String),
}

use TextMeaning::{AnyFile, File, Format, Name, Names, Of, OwnFile, Words};

/// Walks a scenario's text. Returns it with the replacements; `None`: it is not TOML.
pub(super) fn walk(text: &str, v: &mut dyn Visit) -> Option<String> {
    let document = Document::parse(text).ok()?;
    let mut walk = Walk { text, v, cuts: Vec::new() };
    walk.table(document.as_table(), &mut Vec::new());
    walk.done()
}

struct Walk<'w> {
    text: &'w str,
    v: &'w mut dyn Visit,
    cuts: Vec<(Range<usize>, String)>,
}

impl Walk<'_> {
    fn done(mut self) -> Option<String> {
        self.cuts.sort_by_key(|(at, _)| at.start);
        let (mut out, mut at) = (String::with_capacity(self.text.len()), 0);
        for (range, with) in self.cuts {
            if range.start < at {
                continue;
            }
            out.push_str(self.text.get(at..range.start)?);
            out.push_str(&with);
            at = range.end;
        }
        out.push_str(self.text.get(at..)?);
        Some(out)
    }

    fn table<'d>(&mut self, table: &'d dyn TableLike, path: &mut Vec<&'d str>) {
        for (name, item) in table.iter() {
            path.push(name);
            match item {
                Item::None => {}
                Item::Value(value) => self.value(table, value, path, true),
                Item::Table(inner) => {
                    if !inner.is_dotted() && !inner.is_implicit() {
                        self.header(inner.span(), path);
                    }
                    self.table(inner, path);
                }
                Item::ArrayOfTables(list) => {
                    for inner in list {
                        self.header(inner.span(), path);
                        self.table(inner, path);
                    }
                }
            }
            path.pop();
        }
    }

    /// Visits a value. `keyed`: its key stands before it.
    fn value<'d>(&mut self, table: &'d dyn TableLike, value: &'d Value, path: &mut Vec<&'d str>, keyed: bool) {
        match value {
            Value::InlineTable(inner) => {
                // In braces the keys of `a.b = 1` stand before the value.
                self.key(value, path, keyed && !inner.is_dotted());
                return self.table(inner, path);
            }
            Value::Array(list) => {
                self.key(value, path, keyed);
                return list.iter().for_each(|item| self.value(table, item, path, false));
            }
            Value::String(_) | Value::Integer(_) | Value::Float(_) | Value::Boolean(_) | Value::Datetime(_) => {}
        }
        self.key(value, path, keyed);
        if let Some((full, _)) = property(path) {
            let Some(text) = value_text(value) else { return };
            let new = written(path, &full, &text, self.v).value;
            if new != text {
                self.put(value, &new);
            }
            return;
        }
        let Some(text) = value.as_str() else { return };
        let new = match place(path, table) {
            Format => None,
            Words => self.v.words(text),
            Name(kind) => self.v.name(kind, text),
            Names(kind) if text.contains('{') => self.v.numbered(kind, text),
            // Without braces the number is appended.
            Names(kind) if table.contains_key("count") || table.contains_key("copies") => {
                let counted = matches!(kind, NameKind::Host | NameKind::App);
                if counted { self.v.numbered(kind, text) } else { self.v.name(kind, text) }
            }
            Names(kind) => self.v.name(kind, text),
            Of(names) => names(text, self.v),
            File(name) => Some(files::file(name, text, self.v)),
            AnyFile => Some(files::file(path.last().copied().unwrap_or_default(), text, self.v)),
            OwnFile(names) => Some(names(text, self.v)),
        };
        if let Some(new) = new.filter(|new| new != text) {
            self.put(value, &new);
        }
    }

    /// Replaces a value with another text.
    fn put(&mut self, value: &Value, with: &str) {
        let Some(at) = value.span() else { return };
        let plain = |c: char| matches!(c, '\n' | '\t') || !c.is_control();
        let lines = with.contains('\n') && !with.contains("'''") && with.chars().all(plain);
        let quoted = if lines { format!("'''\n{with}'''") } else { quoted(with) };
        self.cuts.push((at, quoted));
    }

    /// Replaces the key before a value, as many of its parts as stand there.
    fn key(&mut self, value: &Value, path: &[&str], keyed: bool) {
        let Some(at) = value.span().filter(|_| keyed).and_then(|at| key_before(self.text, at.start)) else { return };
        self.keys(at, path);
    }

    /// Replaces the names in a table's header: `[capacity-scheduler.root.a]`.
    fn header(&mut self, at: Option<Range<usize>>, path: &[&str]) {
        let Some(line) = at.and_then(|at| Some((at.start, self.text.get(at.start..)?.lines().next()?))) else { return };
        let (start, line) = line;
        let open = line.len() - line.trim_start_matches('[').len();
        let Some(close) = line.rfind(']') else { return };
        let inner = line.get(open..close).map(|inner| inner.trim_end_matches(']'));
        let Some(inner) = inner.filter(|inner| open > 0 && !inner.is_empty()) else { return };
        self.keys(start + open..start + open + inner.len(), path);
    }

    /// Replaces the keys in a range of the text, which are the last ones of a path.
    fn keys(&mut self, at: Range<usize>, path: &[&str]) {
        let Some(written) = self.text.get(at.clone()).and_then(|keys| Key::parse(keys).ok()) else { return };
        let Some(first) = path.len().checked_sub(written.len()) else { return };
        let new: Vec<String> = (first..path.len()).map(|n| self.new_key(path, n)).collect();
        if new.iter().zip(&path[first..]).all(|(new, old)| new == old) {
            return;
        }
        let keys: Vec<String> = new.iter().map(|key| key_text(key)).collect();
        self.cuts.push((at, keys.join(".")));
    }

    /// Returns the new name of key number `n` of a path.
    fn new_key(&mut self, path: &[&str], n: usize) -> String {
        let (before, name) = (path.get(..n).unwrap_or_default(), path.get(n).copied().unwrap_or_default());
        if let Some((full, start)) = property(path)
            && n >= start
        {
            return property_part(path, &full, start, n, self.v);
        }
        let new = match before {
            ["users"] => self.v.name(NameKind::User, name),
            ["files"] if !files::is_known(name) => self.v.name(NameKind::Path, name),
            [.., "attributes"] => text::attribute(name, self.v),
            ["expect", "on"] => self.v.name(NameKind::Host, name),
            ["happenings", "components"] => self.v.name(NameKind::Component, name),
            path => match own::keys(path) {
                Some(Name(kind)) => self.v.name(kind, name),
                Some(Of(names)) => names(name, self.v),
                _ => None,
            },
        };
        new.unwrap_or_else(|| name.to_owned())
    }
}

/// Returns the full name of the property that a path leads to, and where in the path its name begins.
fn property(path: &[&str]) -> Option<(String, usize)> {
    let (prefix, start) = match path {
        ["capacity-scheduler", _, ..] => (CAPACITY, 1),
        ["yarn-site", _, ..] => (SITE, 1),
        ["happenings", "capacity-scheduler", _, ..] | ["worlds", "set", _, ..] => (CAPACITY, 2),
        // Changes that a restart makes to an application's own file.
        ["happenings", "set", _, ..] => ("", 2),
        _ => return None,
    };
    let name = path.get(start..)?.join(".");
    let full = if prefix.is_empty() { name } else { full_name(prefix, &name) };
    Some((full, start))
}

/// Anonymises a property.
fn written(path: &[&str], full: &str, value: &str, v: &mut dyn Visit) -> settings::AnonymisedProperty {
    if let ["happenings", "set", ..] = path {
        let (key, value) = own::restart_property(full, value, v);
        return settings::AnonymisedProperty { key, value, known: true };
    }
    // A world may also set properties of applications: `hbase.worker.yarn.memory`.
    if let ["worlds", "set", rest @ ..] = path {
        let name = rest.join(".");
        if let Some((app, key)) = app_property(&name, v) {
            let app_new = v.name(NameKind::App, app).unwrap_or_else(|| app.to_owned());
            let (key, value) = own::own_setting(key, value, v);
            return settings::AnonymisedProperty { key: format!("{CAPACITY}{app_new}.{key}"), value, known: true };
        }
    }
    settings::property(full, value, v)
}

/// Returns the application that a property's name starts with, and the rest of the name.
fn app_property<'n>(name: &'n str, v: &dyn Visit) -> Option<(&'n str, &'n str)> {
    let mut dots = name.match_indices('.');
    dots.find_map(|(at, _)| v.is_app(name.get(..at)?).then(|| (&name[..at], &name[at + 1..])))
}

/// Returns the new text of one part of a property's name, as the tables of the text divide it.
fn property_part(path: &[&str], full: &str, start: usize, n: usize, v: &mut dyn Visit) -> String {
    let name = path.get(start..).unwrap_or_default().join(".");
    let old = path.get(n).copied().unwrap_or_default();
    let new = written(path, full, "", v).key;
    // The part of the prefix that the text leaves out.
    let Some(left_out) = full.strip_suffix(name.as_str()) else { return old.to_owned() };
    let Some(new) = new.strip_prefix(left_out) else { return old.to_owned() };
    let dots = |keys: &[&str]| keys.iter().map(|key| key.split('.').count()).sum::<usize>();
    let parts: Vec<&str> = new.split('.').collect();
    let own = old.split('.').count();
    if parts.len() == dots(&path[start..]) {
        let skip = dots(&path[start..n]);
        return parts.get(skip..skip + own).unwrap_or_default().join(".");
    }
    // The new name of a dotted name has no dots: the key is one part.
    if path.len() == start + 1 { new.to_owned() } else { old.to_owned() }
}

/// Returns the meaning of the text at a path; `table`: the table that contains it.
fn place(path: &[&str], table: &dyn TableLike) -> TextMeaning {
    match path {
        ["title" | "note"] | ["card", ..] | ["captions", "text"] | ["worlds", "name"] => Words,
        ["expect", "headline" | "reason" | "yarn" | "because"] => Words,
        ["heddle" | "seed" | "until" | "start_at" | "release" | "scheduler" | "scheduling"] => Format,
        ["timing", ..] | ["worlds", "scheduler"] | ["expect", "state"] => Format,
        ["labels"] | ["labels", "name"] => Of(text::labels),
        ["captions", "select"] => Of(text::selection),
        ["files", ..] => AnyFile,
        ["users", _] => Of(|text, v| text::list(text, NameKind::Group, v)),
        ["worlds", "property"] => Of(property_name),
        ["worlds", "values"] => match table.get("property").and_then(Item::as_str) {
            Some(name) if is_label_property(name) => Of(text::labels),
            Some(name) if name.ends_with(".queues") => Of(|text, v| text::list(text, NameKind::Queue, v)),
            _ => Words,
        },
        [.., "capacity-scheduler.xml"] => File("capacity-scheduler.xml"),
        [.., "fair-scheduler.xml"] => File("fair-scheduler.xml"),
        path => own::place(path).unwrap_or_else(|| general_place(path, table)),
    }
}

/// Returns the meaning of the text at a path if it does not depend on the kind of application.
fn general_place(path: &[&str], table: &dyn TableLike) -> TextMeaning {
    match path {
        ["nodes" | "happenings", "name"] => Names(NameKind::Host),
        ["apps", "name"] => Names(NameKind::App),
        ["apps", "user"] => Names(NameKind::User),
        ["apps", "tags"] => Of(|text, v| text::parts(text, &[','], &mut |tag| text::app_tag(tag, v))),
        ["apps", "tasks", "name" | "after"] => Of(|text, v| text::list(text, NameKind::Task, v)),
        ["apps", "tasks", "until"] | [_, "app"] => Name(NameKind::App),
        ["apps", "components", "name"] => Name(NameKind::Component),
        ["apps", "components", "dependencies"] => Of(|text, v| text::list(text, NameKind::Component, v)),
        ["happenings", "components"] => Of(|text, v| text::list(text, NameKind::Component, v)),
        ["apps", "components", .., "duration" | "restart_policy" | "size"] => Format,
        [.., "constraint" | "constraints" | "and" | "or" | "delayed_or", last]
        | [.., last @ ("targets" | "constraint")] => in_constraint(last, table),
        [.., "targets", last] => in_constraint(last, table),
        [.., "spec"] => Of(text::constraint),
        [.., "tags"] => Of(|text, v| text::list(text, NameKind::Tag, v)),
        [.., "attributes", _] => Name(NameKind::Value),
        [.., "queue"] => Of(text::queue),
        [.., "user"] => Name(NameKind::User),
        [.., "node"] | ["happenings", "to"] => Of(text::host),
        [.., "rack" | "racks"] => Of(|text, v| text::parts(text, &[','], &mut |rack| text::rack(rack, v))),
        [.., "place" | "places" | "blacklist" | "blacklist_add" | "blacklist_remove"] => {
            Of(|text, v| text::parts(text, &[','], &mut |place| text::place(place, v)))
        }
        [.., "label" | "container_label" | "charged"] => Of(text::labels),
        ["happenings", "unset"] => Of(|text, v| text::parts(text, &[','], &mut |name| property_name(name, v))),
        [.., "kind" | "do" | "how" | "requests" | "preemption_policy" | "version" | "processor" | "id" | "policy"] => {
            Format
        }
        [.., "at" | "by" | "from" | "to" | "every" | "duration" | "size" | "am" | "lifetime" | "launch" | "start"] => {
            Format
        }
        [.., "heartbeat" | "delay" | "after" | "timeout" | "expiry" | "failures_window" | "fails_after" | "used"] => {
            Format
        }
        [.., "demand" | "fair_share" | "steady" | "restore_cap" | "rate" | "readiness_check" | "escalation_check"] => {
            Format
        }
        [.., "overcommit_timeout" | "stopped" | "clean_up" | "offset_ttl"] => Format,
        ["expect", ..] => Format,
        _ => Words,
    }
}

/// Returns the meaning of a text in a constraint, or of a constraint written as a text.
fn in_constraint(key: &str, table: &dyn TableLike) -> TextMeaning {
    match key {
        "scope" | "op" | "delay" => Format,
        "namespace" => Of(text::namespace),
        "attribute" => Of(text::attribute),
        "values" if table.contains_key("attribute") => Name(NameKind::Value),
        "values" if table.contains_key("partition") => Of(text::labels),
        "values" => Name(NameKind::Tag),
        "tags" => Of(|text, v| text::list(text, NameKind::Tag, v)),
        _ => Of(text::constraint),
    }
}

/// Returns the new name of a property.
fn property_name(name: &str, v: &mut dyn Visit) -> Option<String> {
    let full = full_name(CAPACITY, name);
    let left_out = full.strip_suffix(name)?.to_owned();
    if let Some((app, key)) = app_property(name, v) {
        let app_new = v.name(NameKind::App, app)?;
        let component = key.split_once(".yarn.").map(|(component, _)| component);
        let new = component.and_then(|component| Some((component, v.name(NameKind::Component, component)?)));
        let key = new.map_or_else(|| key.to_owned(), |(old, new)| format!("{new}{}", &key[old.len()..]));
        return Some(format!("{app_new}.{key}"));
    }
    settings::property(&full, "", v).key.strip_prefix(left_out.as_str()).map(str::to_owned)
}

/// Returns whether the values of a property are labels.
fn is_label_property(name: &str) -> bool {
    let last = name.rsplit('.').next().unwrap_or(name);
    properties::of_queue(last).is_some() && last.contains("node-label")
}

/// Returns a key as TOML writes it.
fn key_text(key: &str) -> String {
    let bare = !key.is_empty() && key.bytes().all(|b| b.is_ascii_alphanumeric() || matches!(b, b'-' | b'_'));
    if bare { key.to_owned() } else { quoted(key) }
}

/// Returns a text in quotes, on one line.
fn quoted(text: &str) -> String {
    toml_edit::Value::from(text).to_string()
}

/// Returns the range of the keys before the value that begins at `end`: `a."b.c" = `.
fn key_before(text: &str, end: usize) -> Option<Range<usize>> {
    let before = text.get(..end)?.trim_end_matches([' ', '\t']).strip_suffix('=')?.trim_end_matches([' ', '\t']);
    let bytes = before.as_bytes();
    let mut at = before.len();
    loop {
        at = match bytes.get(at.checked_sub(1)?)? {
            quote @ (b'"' | b'\'') => {
                let mut open = at - 1;
                loop {
                    open = open.checked_sub(1)?;
                    if bytes.get(open) == Some(quote) && (open == 0 || bytes.get(open - 1) != Some(&b'\\')) {
                        break open;
                    }
                }
            }
            _ => {
                let is_bare = |b: &&u8| b.is_ascii_alphanumeric() || matches!(b, b'-' | b'_');
                at - bytes.get(..at)?.iter().rev().take_while(is_bare).count()
            }
        };
        let trimmed = before.get(..at)?.trim_end_matches([' ', '\t']);
        match trimmed.strip_suffix('.') {
            Some(rest) => at = rest.trim_end_matches([' ', '\t']).len(),
            None => return Some(at..before.len()),
        }
    }
}
