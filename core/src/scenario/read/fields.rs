//! Reads the tables of the document: each known key is asked for once, and the remaining keys are reported with the nearest
//! known name.

use super::super::units;
use crate::model::limits::PROBLEMS;
use crate::model::names::{self, NameFault};
pub use crate::model::nearest;
use crate::model::{CappedProblems, Millis, Problem, Resource, ResourceTypes, Span};
use std::ops::RangeInclusive;
use toml_edit::{Item, TableLike, Value};

/// The name of the input in problems.
pub const SOURCE: &str = "scenario";

/// The number of names that are searched for the intended one.
const NEAR: usize = 2_000;

/// The state of reading a document.
pub struct Reader<'t> {
    pub text: &'t str,
    /// The problems so far.
    pub problems: CappedProblems,
    /// The resource types that sizes may name.
    pub types: ResourceTypes,
    /// Whether an entry could not be read, so that a name may be missing.
    pub lost: bool,
}

impl<'t> Reader<'t> {
    /// Creates a reader for a text, with no problems yet.
    pub fn new(text: &'t str) -> Self {
        Reader { text, problems: CappedProblems::default(), types: ResourceTypes::default(), lost: false }
    }

    /// Reads an entry. One that yields nothing because of its problems counts as lost.
    pub fn entry<T>(&mut self, read: impl FnOnce(&mut Self) -> Vec<T>) -> Vec<T> {
        let before = self.count();
        let group = read(self);
        self.lost |= group.is_empty() && self.count() > before;
        group
    }

    pub fn add(&mut self, problem: Problem) {
        self.problems.add(problem);
    }

    /// Returns the number of problems so far.
    pub fn count(&self) -> usize {
        self.problems.count()
    }

    pub fn error(&mut self, span: Span, what: impl Into<String>, mend: impl Into<String>) {
        self.add(Problem::error(SOURCE, span, what).mend(mend));
    }

    pub fn warning(&mut self, span: Span, what: impl Into<String>, mend: impl Into<String>) {
        self.add(Problem::warning(SOURCE, span, what).mend(mend));
    }

    /// Returns the name that was probably meant. Does not search once so many problems are found that further ones are not
    /// listed.
    pub fn nearest<'n>(&self, wrong: &str, known: impl IntoIterator<Item = &'n str>) -> Option<&'n str> {
        if self.count() < PROBLEMS { nearest(wrong, known.into_iter().take(NEAR)) } else { None }
    }

    /// Returns where the content of a string value begins, if it stands there verbatim.
    pub fn content_offset(&self, span: Span, content: &str) -> Option<usize> {
        let raw = self.text.get(span.start..span.end)?;
        let mut skip = if raw.starts_with("'''") || raw.starts_with("\"\"\"") { 3 } else { 1 };
        if skip == 3 {
            // The line break right after the opening quotes is not part of the content.
            let rest = raw.get(3..)?;
            skip += if rest.starts_with("\r\n") { 2 } else { usize::from(rest.starts_with('\n')) };
        }
        raw.get(skip..)?.starts_with(content).then_some(span.start + skip)
    }

    /// Returns the span of a string's content if it stands there verbatim, else of the whole value.
    pub fn content_span(&self, span: Span, content: &str) -> Span {
        match self.content_offset(span, content) {
            Some(at) => Span::new(at, at + content.len()),
            None => span,
        }
    }
}

/// Returns the span of an item.
pub fn span_of(item: &Item) -> Option<Span> {
    item.span().map(|s| Span::new(s.start, s.end))
}

fn kind_of(item: &Item) -> &'static str {
    match item {
        Item::Value(Value::String(_)) => "a text",
        Item::Value(Value::Integer(_)) => "a whole number",
        Item::Value(Value::Float(_)) => "a number with a fraction",
        Item::Value(Value::Boolean(_)) => "true or false",
        Item::Value(Value::Datetime(_)) => "a date",
        Item::Value(Value::Array(_)) => "a list",
        Item::ArrayOfTables(_) => "a list of tables",
        _ => "a table",
    }
}

/// A table that is being read.
pub struct Fields<'a> {
    table: &'a dyn TableLike,
    /// The start of the table.
    pub span: Span,
    /// The table's description in messages: `a node`.
    what: &'static str,
    asked: Vec<&'static str>,
}

impl<'a> Fields<'a> {
    /// Begins to read a table.
    pub fn new(table: &'a dyn TableLike, span: Span, what: &'static str) -> Self {
        Fields { table, span, what, asked: Vec::new() }
    }

    /// Returns the item under a key, and its place.
    pub fn item(&mut self, key: &'static str) -> Option<(&'a Item, Span)> {
        if !self.asked.contains(&key) {
            self.asked.push(key);
        }
        let item = self.table.get(key)?;
        let span = span_of(item).or_else(|| self.key_span(key)).unwrap_or(self.span);
        Some((item, span))
    }

    /// Returns whether the key exists.
    pub fn has(&self, key: &str) -> bool {
        self.table.contains_key(key)
    }

    /// Returns where a key is written.
    pub fn key_span(&self, key: &str) -> Option<Span> {
        self.table.key(key).and_then(|k| k.span()).map(|s| Span::new(s.start, s.end))
    }

    fn mismatch(&self, r: &mut Reader<'_>, key: &str, item: &Item, span: Span, wanted: &str) {
        r.error(span, format!("`{key}` is {}; {wanted} is expected.", kind_of(item)), "");
    }

    pub fn text(&mut self, r: &mut Reader<'_>, key: &'static str) -> Option<String> {
        self.text_at(r, key).map(|(text, _)| text)
    }

    /// Reads a text and its place.
    pub fn text_at(&mut self, r: &mut Reader<'_>, key: &'static str) -> Option<(String, Span)> {
        let (item, span) = self.item(key)?;
        match item.as_str() {
            Some(text) => Some((text.to_string(), span)),
            None => {
                self.mismatch(r, key, item, span, "a text in quotes");
                None
            }
        }
    }

    /// Reads a name that is valid by [`names`].
    pub fn name(&mut self, r: &mut Reader<'_>, key: &'static str) -> Option<(String, Span)> {
        let (name, span) = self.text_at(r, key)?;
        match names::fault(&name) {
            None => Some((name, span)),
            // Hidden characters are reported with all texts of the document; line breaks and tabs are allowed in texts
            // other than names.
            Some(NameFault::Hidden(c, _)) if !matches!(c, '\n' | '\r' | '\t') => None,
            Some(fault) => {
                r.error(span, fault.what(&format!("`{key}`")), fault.mend());
                None
            }
        }
    }

    /// Reads a required name.
    pub fn required_name(&mut self, r: &mut Reader<'_>, key: &'static str) -> Option<(String, Span)> {
        if !self.has(key) {
            self.asked.push(key);
            r.error(self.span, format!("{} needs `{key}`.", capital(self.what)), format!("Add `{key} = \"…\"`."));
            return None;
        }
        self.name(r, key)
    }

    /// Reads a whole number within a range.
    pub fn integer(&mut self, r: &mut Reader<'_>, key: &'static str, range: RangeInclusive<i64>) -> Option<i64> {
        let (item, span) = self.item(key)?;
        match item.as_integer() {
            Some(n) if range.contains(&n) => Some(n),
            Some(n) => {
                r.error(
                    span,
                    format!("`{key}` is {n}; it can be {} to {}.", range.start(), range.end()),
                    "Change the number.",
                );
                None
            }
            None => {
                self.mismatch(r, key, item, span, "a whole number");
                None
            }
        }
    }

    /// Reads a whole number that fits Java's int.
    pub fn int32(&mut self, r: &mut Reader<'_>, key: &'static str) -> Option<i32> {
        self.integer(r, key, i64::from(i32::MIN)..=i64::from(i32::MAX)).and_then(|n| i32::try_from(n).ok())
    }

    /// Reads true or false.
    pub fn boolean(&mut self, r: &mut Reader<'_>, key: &'static str) -> Option<bool> {
        let (item, span) = self.item(key)?;
        if item.as_bool().is_none() {
            self.mismatch(r, key, item, span, "true or false");
        }
        item.as_bool()
    }

    pub fn time(&mut self, r: &mut Reader<'_>, key: &'static str) -> Option<Millis> {
        let (item, span) = self.item(key)?;
        let read = match item {
            Item::Value(Value::String(s)) => units::parse_time(s.value()),
            Item::Value(Value::Integer(n)) => units::parse_time(&n.value().to_string()),
            Item::Value(Value::Float(f)) if *f.value() >= 0.0 && *f.value() <= units::TIME_MAX as f64 => {
                units::parse_time(&format!("{:.3}", f.value()))
            }
            _ => Err(format!("`{key}` is not a time")),
        };
        match read {
            Ok(ms) => Some(ms),
            Err(what) => {
                r.error(span, format!("{what}."), "Write seconds as a number, or a text such as \"90 s\" or \"1:30\".");
                None
            }
        }
    }

    /// Reads a time, or `"forever"` as `Some(None)`.
    pub fn time_or_forever(&mut self, r: &mut Reader<'_>, key: &'static str) -> Option<Option<Millis>> {
        match self.item(key)?.0.as_str() {
            Some("forever" | "for ever") => Some(None),
            _ => self.time(r, key).map(Some),
        }
    }

    /// Reads a list of texts, or one text with commas. Trims each, and drops empty ones.
    pub fn texts(&mut self, r: &mut Reader<'_>, key: &'static str) -> Vec<String> {
        let Some((item, span)) = self.item(key) else { return Vec::new() };
        let mut out = Vec::new();
        match item {
            Item::Value(Value::String(s)) => {
                out.extend(s.value().split(',').map(str::trim).filter(|t| !t.is_empty()).map(String::from));
            }
            Item::Value(Value::Array(a)) => {
                for value in a {
                    match value.as_str() {
                        Some(text) => out.push(text.trim().to_string()),
                        None => {
                            let span = value.span().map_or(span, |s| Span::new(s.start, s.end));
                            r.error(span, format!("`{key}` holds something that is not a text."), "");
                        }
                    }
                }
                out.retain(|t| !t.is_empty());
            }
            _ => self.mismatch(r, key, item, span, "a list of texts"),
        }
        out
    }

    /// Reads the tables under a key: `[[key]]`, a list of inline tables, or one table.
    pub fn tables(&mut self, r: &mut Reader<'_>, key: &'static str, what: &'static str) -> Vec<Fields<'a>> {
        let Some((item, span)) = self.item(key) else { return Vec::new() };
        match item {
            Item::ArrayOfTables(list) => list
                .iter()
                .map(|t| Fields::new(t, t.span().map_or(span, |s| Span::new(s.start, s.end)), what))
                .collect(),
            Item::Value(Value::Array(list)) => {
                let mut out = Vec::new();
                for value in list {
                    let at = value.span().map_or(span, |s| Span::new(s.start, s.end));
                    match value.as_inline_table() {
                        Some(t) => out.push(Fields::new(t, at, what)),
                        None => r.error(at, format!("`{key}` is a list of tables."), "Write { … }."),
                    }
                }
                out
            }
            Item::Value(Value::InlineTable(t)) => vec![Fields::new(t, span, what)],
            Item::Table(t) => vec![Fields::new(t, span, what)],
            _ => {
                self.mismatch(r, key, item, span, "a table");
                Vec::new()
            }
        }
    }

    /// Reads the table under a key.
    pub fn table(&mut self, r: &mut Reader<'_>, key: &'static str, what: &'static str) -> Option<Fields<'a>> {
        let (item, span) = self.item(key)?;
        match item.as_table_like() {
            Some(t) => Some(Fields::new(t, span, what)),
            None => {
                self.mismatch(r, key, item, span, "a table");
                None
            }
        }
    }

    /// Returns everything in the table, as key, item and the item's place; marks all keys as read.
    pub fn entries(&mut self) -> Vec<(&'a str, &'a Item, Span)> {
        self.asked.clear();
        self.asked.push("*");
        let fallback = self.span;
        self.table.iter().map(|(key, item)| (key, item, span_of(item).unwrap_or(fallback))).collect()
    }

    /// Reads the size under one key: a text or a table. Missing parts are taken from `default` (MiB, vcores); `None`: the
    /// size is not given.
    pub fn size_value(&mut self, r: &mut Reader<'_>, key: &'static str, default: (i64, i64)) -> Option<Resource> {
        let mut size = units::Size::default();
        let said = self.size_under(r, key, &mut size);
        if said { Some(self.resource(r, size, default)) } else { None }
    }

    /// Reads a size: `size = "2 GB/1"` or a table, or separate keys `memory`, `vcores`, `resources`. Missing parts are
    /// taken from `default` (MiB, vcores); `None`: the size is not given.
    pub fn size(&mut self, r: &mut Reader<'_>, key: &'static str, default: (i64, i64)) -> Option<Resource> {
        let mut size = units::Size::default();
        let mut said = self.size_under(r, key, &mut size);
        said |= self.has("memory") || self.has("vcores") || self.has("resources");
        self.size_parts(r, &mut size, false);
        if said { Some(self.resource(r, size, default)) } else { None }
    }

    fn size_under(&mut self, r: &mut Reader<'_>, key: &'static str, size: &mut units::Size) -> bool {
        let Some((item, span)) = self.item(key) else { return false };
        match item {
            Item::Value(Value::String(s)) => match units::parse_size(s.value()) {
                Ok(read) => *size = read,
                Err(what) => r.error(span, format!("{what}."), "Write memory and vcores: \"2 GB/1\"."),
            },
            Item::Value(Value::Integer(n)) if (0..=units::AMOUNT_MAX).contains(n.value()) => {
                size.memory_mb = Some(*n.value());
            }
            _ => match item.as_table_like() {
                Some(t) => Fields::new(t, span, "a size").size_parts(r, size, true),
                None => self.mismatch(r, key, item, span, "a size such as \"2 GB/1\""),
            },
        }
        true
    }

    fn resource(&self, r: &mut Reader<'_>, size: units::Size, default: (i64, i64)) -> Resource {
        let mut out = Resource::new(size.memory_mb.unwrap_or(default.0), size.vcores.unwrap_or(default.1));
        for (name, amount) in size.more {
            match r.types.place(&name) {
                Some(place) => out[place] = amount,
                None => {
                    let known = r.types.names().join(", ");
                    r.error(
                        self.span,
                        format!("`{name}` is not a resource type here; known are {known}."),
                        "Give a node some of it, or list it in yarn.resource-types.",
                    );
                }
            }
        }
        out
    }

    fn size_parts(&mut self, r: &mut Reader<'_>, size: &mut units::Size, all: bool) {
        if let Some((item, span)) = self.item("memory") {
            let read = match item {
                Item::Value(Value::String(s)) => units::parse_memory(s.value()),
                Item::Value(Value::Integer(n)) => units::parse_memory(&n.value().to_string()),
                _ => Err("`memory` is not an amount of memory".into()),
            };
            match read {
                Ok(mb) => size.memory_mb = Some(mb),
                Err(what) => r.error(span, format!("{what}."), "Write \"64 GB\" or a number of MB."),
            }
        }
        if let Some(n) = self.integer(r, "vcores", 0..=units::AMOUNT_MAX) {
            size.vcores = Some(n);
        }
        if all {
            for (key, item, span) in self.entries() {
                if !matches!(key, "memory" | "vcores") {
                    amount(r, key, item, span, size);
                }
            }
        } else if let Some(mut more) = self.table(r, "resources", "resources") {
            for (key, item, span) in more.entries() {
                amount(r, key, item, span, size);
            }
        }
    }

    /// Reports keys that were never asked for.
    pub fn finish(&self, r: &mut Reader<'_>) {
        if self.asked.contains(&"*") {
            return;
        }
        for (key, item) in self.table.iter() {
            if self.asked.contains(&key) {
                continue;
            }
            let span = self.key_span(key).or_else(|| span_of(item)).unwrap_or(self.span);
            let problem = Problem::error(SOURCE, span, format!("`{key}` is not known in {}.", self.what));
            let near = r.nearest(key, self.asked.iter().copied());
            r.add(match near {
                Some(near) => problem.mend(format!("Did you mean `{near}`?")).fix(near),
                None => problem.mend(format!("Known are {}.", self.asked.join(", "))),
            });
        }
    }
}

fn amount(r: &mut Reader<'_>, key: &str, item: &Item, span: Span, size: &mut units::Size) {
    match item.as_integer() {
        Some(n) if (0..=units::AMOUNT_MAX).contains(&n) => size.more.push((key.to_string(), n)),
        _ => r.error(span, format!("`{key}` is not a whole number from 0 to {}.", units::AMOUNT_MAX), ""),
    }
}

fn capital(text: &str) -> String {
    let mut chars = text.chars();
    match chars.next() {
        Some(first) => first.to_uppercase().chain(chars).collect(),
        None => String::new(),
    }
}
