//! Changes of a scenario, as functions from text to text. They touch only the place that changes: comments, order and
//! layout stay, so undo is a list of texts and nothing that was typed is lost.
//!
//! Errors are sentences for the person who edits.

mod fair;
mod happenings;
mod names;
mod nodes;
mod present;
mod queues;
mod requests;
mod schedulers;

use super::document::Node;
use super::read::read;
use super::units;
use crate::model::{Millis, Resource, limits};
use toml_edit::{ArrayOfTables, DocumentMut, InlineTable, Item, Table, TableLike, Value};

pub use crate::apps::scenario::edits::*;
pub use fair::{allocations_with, set_allocation, set_allocation_brought};
pub use happenings::set_flexed;
pub use heddle_view::Step;
pub use names::rename;
pub use nodes::{isolate_node, remove_node, set_node};
pub use present::set_run_times;
pub use queues::{Change, change_properties, change_queues, file_in_force, in_force, in_force_but, refreshed_at};
pub use requests::{append, set_am, take_away};
pub use schedulers::{add_other_schedulers, name_queues_in_full};

/// A value to write.
#[derive(Clone, Debug, PartialEq)]
pub enum Setting {
    /// A text. Several lines are written between `'''`, verbatim, if possible.
    Text(String),
    /// A whole number.
    Number(i64),
    /// A number with a fraction.
    Float(f64),
    /// True or false.
    Flag(bool),
    /// A list of texts.
    List(Vec<String>),
    /// A value in TOML syntax.
    Toml(String),
    /// No value: the key is removed.
    Nothing,
}

impl Setting {
    /// Returns the setting for text typed into a field: a whole number as a number, nothing as [`Setting::Nothing`],
    /// anything else as a text.
    pub fn typed(text: &str) -> Setting {
        let text = text.trim();
        match text.parse::<i64>() {
            _ if text.is_empty() => Setting::Nothing,
            Ok(n) if !text.starts_with('+') => Setting::Number(n),
            _ => Setting::Text(text.into()),
        }
    }

    fn value(&self) -> Result<Option<Value>, String> {
        Ok(Some(match self {
            Setting::Text(text) => text_value(text),
            Setting::Number(n) => Value::from(*n),
            Setting::Float(f) if f.is_finite() => Value::from(*f),
            Setting::Float(f) => return Err(format!("{f} cannot be written as a number.")),
            Setting::Flag(b) => Value::from(*b),
            Setting::List(list) => Value::from_iter(list.iter().map(String::as_str)),
            Setting::Toml(toml) => {
                toml.trim().parse::<Value>().map_err(|e| format!("`{toml}` is not a TOML value: {}.", e.message()))?
            }
            Setting::Nothing => return Ok(None),
        }))
    }
}

/// Returns a text as a value. Several lines are written between `'''`, verbatim, if possible.
pub(crate) fn text_value(text: &str) -> Value {
    let odd = |c: char| c.is_control() && c != '\n' && c != '\t';
    let plain = text.contains('\n') && !text.contains("'''") && !text.ends_with('\'') && !text.contains(odd);
    match format!("'''\n{text}'''").parse::<Value>() {
        Ok(value) if plain => value,
        _ => Value::from(text),
    }
}

pub(crate) fn parse(text: &str) -> Result<DocumentMut, String> {
    if text.len() > limits::TEXT_BYTES {
        return Err(format!("The text has more than {} MB.", limits::TEXT_BYTES >> 20));
    }
    text.parse().map_err(|_| "The text has an error; mend it first, then a form can change it.".to_string())
}

/// Returns the entries of a list.
pub(crate) fn tables(list: Option<&Item>) -> Vec<&dyn TableLike> {
    match list {
        Some(Item::ArrayOfTables(all)) => all.iter().map(|t| t as &dyn TableLike).collect(),
        Some(Item::Value(Value::Array(all))) => {
            all.iter().filter_map(|v| v.as_inline_table()).map(|t| t as &dyn TableLike).collect()
        }
        _ => Vec::new(),
    }
}

pub(crate) fn misplaced(path: &[Step]) -> String {
    let names: Vec<String> = path
        .iter()
        .map(|step| match step {
            Step::Name(name) => name.clone(),
            Step::At(at) => format!("entry {}", at + 1),
        })
        .collect();
    format!("`{}` is not written as a form expects it; change it in the text.", names.join(" › "))
}

/// Sets the value at a path such as `["apps", 2, "spec"]`, or removes it ([`Setting::Nothing`]). Missing tables on the way
/// are created; list entries must exist.
pub fn set(text: &str, path: &[Step], setting: &Setting) -> Result<String, String> {
    let mut document = parse(text)?;
    let Some((Step::Name(name), way)) = path.split_last() else { return Err(misplaced(path)) };
    let value = setting.value()?;
    let table = walk(document.as_table_mut(), way, value.is_some());
    match (table, value) {
        (Some(table), Some(value)) => put(table, name, value).ok_or_else(|| misplaced(path))?,
        (Some(table), None) => {
            table.remove(name);
        }
        (None, Some(_)) => return Err(misplaced(path)),
        (None, None) => {}
    }
    Ok(document.to_string())
}

/// Writes a size as one text, in place of a table and of the separate keys beside it, which would contradict it. Errors:
/// see [`set`].
pub fn set_size(text: &str, path: &[Step], setting: &Setting) -> Result<String, String> {
    let Some((Step::Name(name), way)) = path.split_last() else { return Err(misplaced(path)) };
    let mut document = parse(text)?;
    if let Some(table) = walk(document.as_table_mut(), way, false) {
        for part in ["memory", "vcores", "resources"] {
            table.remove(part);
        }
        if table.get(name).is_some_and(Item::is_table) {
            table.remove(name);
        }
    }
    set(&document.to_string(), path, setting)
}

/// Sets a value in a table: in place of an old one, whose comments it keeps, else at the end. `None`: a table stands there.
fn put(table: &mut dyn TableLike, name: &str, mut value: Value) -> Option<()> {
    match table.get_mut(name) {
        Some(Item::Value(old)) => {
            *value.decor_mut() = old.decor().clone();
            *old = value;
        }
        Some(Item::None) | None => {
            table.insert(name, Item::Value(value));
        }
        Some(_) => return None,
    }
    Some(())
}

pub(crate) fn walk<'d>(table: &'d mut dyn TableLike, way: &[Step], make: bool) -> Option<&'d mut dyn TableLike> {
    let Some((Step::Name(name), rest)) = way.split_first() else { return way.is_empty().then_some(table) };
    if make && table.get(name).is_none_or(Item::is_none) {
        let fresh = if rest.is_empty() || matches!(rest.first(), Some(Step::Name(_))) {
            Item::Table(Table::new())
        } else {
            return None;
        };
        table.insert(name, fresh);
    }
    let item = table.get_mut(name)?;
    match rest.split_first() {
        Some((Step::At(at), rest)) => match item {
            Item::ArrayOfTables(list) => walk(list.get_mut(*at)?, rest, make),
            Item::Value(Value::Array(list)) => walk(list.get_mut(*at)?.as_inline_table_mut()?, rest, make),
            // A list of one entry may be written without brackets.
            _ if *at == 0 => walk(item.as_table_like_mut()?, rest, make),
            _ => None,
        },
        _ => walk(item.as_table_like_mut()?, rest, make),
    }
}

/// Adds an entry at the end of a list of tables (`nodes`, `apps`, `happenings`, `expect`, …).
pub fn push(text: &str, list: &str, fields: &[(&str, Setting)]) -> Result<String, String> {
    let mut document = parse(text)?;
    let mut table = Table::new();
    for (name, setting) in fields {
        if let Some(value) = setting.value()? {
            table.insert(name, Item::Value(value));
        }
    }
    push_table(&mut document, list, table)?;
    Ok(document.to_string())
}

fn push_table(document: &mut DocumentMut, list: &str, mut table: Table) -> Result<(), String> {
    let item = document.entry(list).or_insert_with(|| Item::ArrayOfTables(ArrayOfTables::new()));
    match item {
        Item::ArrayOfTables(tables) => {
            table.decor_mut().set_prefix("\n");
            tables.push(table);
        }
        Item::Value(Value::Array(array)) => {
            let mut inline: InlineTable = table.into_inline_table();
            inline.fmt();
            array.push(Value::InlineTable(inline));
        }
        _ => return Err(misplaced(&[Step::from(list)])),
    }
    Ok(())
}

/// Adds an entry, written as lines of TOML, at the end of a list of tables. Errors: it cannot be read.
pub fn push_entry(text: &str, list: &str, entry: &str) -> Result<String, String> {
    let mut document = parse(text)?;
    let table = entry.parse::<DocumentMut>().map_err(|e| format!("the entry cannot be read: {}.", e.message()))?;
    push_table(&mut document, list, table.into_table())?;
    Ok(document.to_string())
}

/// Removes an entry from a list of tables.
pub fn remove_entry(text: &str, list: &str, at: usize) -> Result<String, String> {
    let mut document = parse(text)?;
    match document.get_mut(list) {
        Some(Item::ArrayOfTables(tables)) if at < tables.len() => {
            tables.remove(at);
        }
        Some(Item::Value(Value::Array(array))) if at < array.len() => {
            array.remove(at);
        }
        _ => return Err(misplaced(&[Step::from(list), Step::from(at)])),
    }
    Ok(document.to_string())
}

pub fn set_title(text: &str, title: &str) -> Result<String, String> {
    set(text, &["title".into()], &Setting::Text(title.into()))
}

/// Puts a file into the scenario, verbatim; it replaces one of the same name.
pub fn set_file(text: &str, name: &str, content: &str) -> Result<String, String> {
    set(text, &["files".into(), name.into()], &Setting::Text(content.into()))
}

/// Sets a property in short form, in `[capacity-scheduler]` or `[yarn-site]`; the short form overrides a file. The property
/// may be written in full or short, in nested tables or as one quoted key.
pub fn set_property(text: &str, table: &str, property: &str, setting: &Setting) -> Result<String, String> {
    set_properties(text, table, std::iter::once((property, setting.clone())))
}

/// Sets several properties, and parses the text only once.
fn set_properties<'p>(
    text: &str,
    table: &str,
    settings: impl Iterator<Item = (&'p str, Setting)>,
) -> Result<String, String> {
    let prefix = if table == "capacity-scheduler" { "yarn.scheduler.capacity." } else { "yarn." };
    let mut document = parse(text)?;
    if document.get(table).is_none() {
        let mut fresh = Table::new();
        fresh.decor_mut().set_prefix("\n");
        document.insert(table, Item::Table(fresh));
    }
    for (property, setting) in settings {
        let fail = || misplaced(&[Step::from(table), Step::from(property)]);
        let short = property.strip_prefix(prefix).unwrap_or(property);
        let found = document.get_mut(table).and_then(Item::as_table_like_mut).ok_or_else(fail)?;
        put_property(found, property, short, setting.value()?).ok_or_else(fail)?;
    }
    Ok(document.to_string())
}

/// Sets a property where the table already has it, in whichever form, else under its short name; `None` removes it. Fails
/// if something else stands there.
fn put_property(found: &mut dyn TableLike, property: &str, short: &str, value: Option<Value>) -> Option<()> {
    for name in [property, short] {
        if let Some((holder, key)) = find_property(found, name) {
            match value {
                Some(value) => put(holder, &key, value)?,
                None => {
                    holder.remove(&key);
                }
            }
            return Some(());
        }
    }
    if let Some(value) = value {
        found.insert(short, Item::Value(value));
    }
    Some(())
}

/// Returns the table and the key under which a dotted name has a value.
fn find_property<'d>(table: &'d mut dyn TableLike, name: &str) -> Option<(&'d mut dyn TableLike, String)> {
    if table.get(name).is_some_and(Item::is_value) && table.get(name).is_some_and(|i| i.as_table_like().is_none()) {
        return Some((table, name.to_string()));
    }
    let cuts: Vec<usize> = name.match_indices('.').map(|(i, _)| i).collect();
    let cut = cuts.into_iter().find(|i| {
        let inner = table.get(&name[..*i]).and_then(Item::as_table_like);
        inner.is_some_and(|t| has_property(t, &name[i + 1..]))
    })?;
    find_property(table.get_mut(&name[..cut])?.as_table_like_mut()?, &name[cut + 1..])
}

fn has_property(table: &dyn TableLike, name: &str) -> bool {
    table.get(name).is_some_and(|i| i.as_table_like().is_none())
        || name.match_indices('.').any(|(i, _)| {
            table.get(&name[..i]).and_then(Item::as_table_like).is_some_and(|t| has_property(t, &name[i + 1..]))
        })
}

/// Adds a node like the last one, under this name, on its rack or on `rack`: from the start if `at` is 0, else joining at
/// that moment.
pub fn add_node_like_last(text: &str, name: &str, rack: Option<&str>, at: Millis) -> Result<String, String> {
    let scenario = read(text).scenario.ok_or("The text has an error; mend it first, then a form can change it.")?;
    let like = scenario.nodes.last().map(|n| n.spec.host.as_str());
    let label = scenario.nodes.last().and_then(|n| n.spec.label.as_deref()).unwrap_or("");
    add_node_like(text, &NodeLike { name, like, label, size: None, rack }, at)
}

/// A node to add.
#[derive(Clone, Copy, Debug)]
pub struct NodeLike<'a> {
    pub name: &'a str,
    /// The node to copy.
    pub like: Option<&'a str>,
    /// Its label; "" for none.
    pub label: &'a str,
    /// Its size, if it differs from that of `like`.
    pub size: Option<Resource>,
    /// Its rack, if it differs from that of `like`.
    pub rack: Option<&'a str>,
}

/// Adds a node like another one: from the start if `at` is 0 or there is no other, else joining at that moment.
pub fn add_node_like(text: &str, node: &NodeLike<'_>, at: Millis) -> Result<String, String> {
    let scenario = read(text).scenario.ok_or("The text has an error; mend it first, then a form can change it.")?;
    let mut fields = Vec::new();
    let at = if scenario.nodes.is_empty() { 0 } else { at };
    if at > 0 {
        fields.push(("at", Setting::Text(units::time_text(at))));
        fields.push(("do", Setting::Text("add_node".into())));
    }
    fields.push(("name", Setting::Text(node.name.into())));
    match scenario.nodes.iter().find(|n| Some(n.spec.host.as_str()) == node.like) {
        Some(like) => {
            let mut like = like.clone();
            like.spec.label = (!node.label.is_empty()).then(|| node.label.to_string());
            like.spec.total = node.size.unwrap_or(like.spec.total);
            if let Some(rack) = node.rack {
                like.spec.rack = rack.to_string();
            }
            fields.extend(node_fields(&like, scenario.resource_types.names()));
        }
        None => {
            let size = node.size.unwrap_or(Resource::new(65_536, 16));
            fields.push(("size", Setting::Text(format!("{}/{}", units::memory_text(size.memory_mb()), size.vcores()))));
            fields.extend(node.rack.map(|rack| ("rack", Setting::Text(rack.into()))));
            if !node.label.is_empty() {
                fields.push(("label", Setting::Text(node.label.into())));
            }
        }
    }
    push(text, if at > 0 { "happenings" } else { "nodes" }, &fields)
}

/// Returns the fields of a node's entry, without its name.
fn node_fields(node: &Node, types: &[String]) -> Vec<(&'static str, Setting)> {
    let total = &node.spec.total;
    let mut size = format!("{}/{}", units::memory_text(total.memory_mb()), total.vcores());
    for (name, amount) in types.iter().zip(total.0).skip(2) {
        if amount != 0 {
            size.push_str(&format!(", {name}={amount}"));
        }
    }
    let mut fields = vec![("rack", Setting::Text(node.spec.rack.clone())), ("size", Setting::Text(size))];
    if let Some(label) = &node.spec.label {
        fields.push(("label", Setting::Text(label.clone())));
    }
    if !node.attributes.is_empty() {
        let mut inline = InlineTable::new();
        for (name, value) in &node.attributes {
            inline.insert(name, Value::from(value.as_str()));
        }
        fields.push(("attributes", Setting::Toml(inline.to_string())));
    }
    fields
}

#[cfg(test)]
mod tests;
