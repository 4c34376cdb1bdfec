//! Names in the files of a scenario: Hadoop's XML, the FairScheduler's allocations, JSON. Files of one kind of application
//! are handled in the kind's folder (`anonymise`).
//!
//! XML is written anew, with only what Heddle reads from it; in the other formats texts are replaced in place.

use super::{NameKind, Visit, settings, text};
use crate::client::json::{self, Node, Value};
use crate::config::fair;
use crate::config::xml::edit::escape;
use crate::config::xml::markup::{Child, Element, Markup, parse};
use crate::config::xml::{Item, read};
use crate::model::Span;
use std::fmt::Write as _;

/// Returns whether a scenario holds a file of Hadoop's under this name.
pub(super) fn is_known(name: &str) -> bool {
    matches!(name, "capacity-scheduler.xml" | "yarn-site.xml" | "resource-types.xml") || name == fair::FILE
}

/// Anonymises a file of a scenario by its name. Nothing remains of a file that is not read.
pub(super) fn file(name: &str, text: &str, v: &mut dyn Visit) -> String {
    match name {
        "capacity-scheduler.xml" | "yarn-site.xml" | "resource-types.xml" => configuration(text, v),
        fair::FILE => allocations(text, v),
        _ if text.trim_start().starts_with('{') => mapping_rules(text, v),
        _ => String::new(),
    }
}

/// Anonymises a configuration file of Hadoop's.
pub(super) fn configuration(text: &str, v: &mut dyn Visit) -> String {
    let (document, _) = read("", text);
    if document.root.is_empty() {
        return v.words(text).unwrap_or_else(|| text.to_owned());
    }
    // A property that another value refers to keeps its name, and stays even if it is unknown.
    let named = |key: &str| {
        let named = format!("${{{key}}}");
        document.entries().any(|e| e.value.as_ref().is_some_and(|value| value.contains(&named)))
    };
    let mut out = String::from("<configuration>\n");
    for item in &document.items {
        let entries = match item {
            Item::Property(entry) => std::slice::from_ref(entry),
            Item::Include(include) => include.fallback.as_deref().unwrap_or_default(),
        };
        for entry in entries {
            let value = entry.value.as_deref().unwrap_or_default();
            let written = settings::property(&entry.name, value, v);
            if !written.known && !named(&entry.name) {
                continue;
            }
            let key = if named(&entry.name) { &entry.name } else { &written.key };
            let last = if entry.is_final { "<final>true</final>" } else { "" };
            let value = entry.value.as_ref().map(|_| escape(&written.value)).unwrap_or_default();
            let _ = writeln!(out, "<property><name>{}</name><value>{value}</value>{last}</property>", escape(key));
        }
    }
    out.push_str("</configuration>\n");
    out
}

/// Anonymises the FairScheduler's allocation file.
pub(super) fn allocations(text: &str, v: &mut dyn Visit) -> String {
    match parse("", text) {
        Ok(markup) if !markup.elements.is_empty() => {
            let mut out = String::new();
            element(&markup, 0, 0, v, &mut out);
            out
        }
        _ => v.words(text).unwrap_or_else(|| text.to_owned()),
    }
}

fn element(markup: &Markup, at: usize, depth: usize, v: &mut dyn Visit, out: &mut String) {
    let Some(e) = markup.elements.get(at) else { return };
    let indent = "  ".repeat(depth);
    let _ = write!(out, "{indent}<{}", e.name);
    for attribute in &e.attributes {
        let new = attribute_value(e, &attribute.name, &attribute.value, v);
        let value = new.as_deref().unwrap_or(&attribute.value);
        let _ = write!(out, " {}=\"{}\"", attribute.name, escape(value).replace('"', "&quot;"));
    }
    let inside: Vec<usize> = markup.inside(at).collect();
    if inside.is_empty() {
        let text: String = e.children.iter().map(|c| if let Child::Text(t) = c { t.as_str() } else { "" }).collect();
        if e.empty {
            out.push_str("/>\n");
            return;
        }
        let new = content(&e.name, &text, v);
        let text = new.as_deref().unwrap_or(&text);
        let text = if text.is_empty() { String::new() } else { escape(text) };
        let _ = writeln!(out, ">{text}</{}>", e.name);
        return;
    }
    out.push_str(">\n");
    inside.into_iter().for_each(|child| element(markup, child, depth + 1, v, out));
    let _ = writeln!(out, "{indent}</{}>", e.name);
}

/// Returns the new value of an attribute in the allocation file.
fn attribute_value(e: &Element, name: &str, value: &str, v: &mut dyn Visit) -> Option<String> {
    match (e.name.as_str(), name) {
        // The name of a rule is its type.
        ("rule", "name") | (_, "type" | "create" | "allowUndeclared") => None,
        ("rule", "queue") => text::queue(value, v),
        ("user", "name") => v.name(NameKind::User, value.trim()),
        (_, "name") => text::queue(value, v),
        _ => v.words(value),
    }
}

/// Returns the new text of an element of the allocation file.
fn content(name: &str, value: &str, v: &mut dyn Visit) -> Option<String> {
    match name {
        "aclSubmitApps"
        | "aclAdministerApps"
        | "aclAdministerReservations"
        | "aclListReservations"
        | "aclSubmitReservations" => text::acl(value, v),
        _ if value.contains(char::is_alphabetic) && !is_word(name) => v.words(value),
        _ => None,
    }
}

/// Returns whether an element of the allocation file holds a number, one of YARN's words, or an amount.
fn is_word(name: &str) -> bool {
    use fair::elements::{Level, role};
    [Level::File, Level::Queue, Level::User].into_iter().any(|level| role(name, level).is_some())
}

/// Replaces texts and field names of a JSON text in place. `act` gets the names of the fields around each.
pub(crate) fn replaced(text: &str, act: &mut dyn FnMut(&[&str], &Part<'_>) -> Option<String>) -> String {
    let Some(node) = json::parse(text).node else { return text.to_owned() };
    let mut cuts: Vec<(Span, String)> = Vec::new();
    inside(&node, None, &mut Vec::new(), act, &mut cuts);
    cuts.sort_by_key(|(span, _)| span.start);
    let (mut out, mut at) = (String::with_capacity(text.len()), 0);
    for (span, new) in cuts {
        if span.start < at {
            continue;
        }
        out.push_str(text.get(at..span.start).unwrap_or_default());
        out.push_str(&serde_json::Value::from(new).to_string());
        at = span.end;
    }
    out.push_str(text.get(at..).unwrap_or_default());
    out
}

/// A part of a JSON text.
pub(crate) enum Part<'t> {
    /// The name of a field.
    Name(&'t str),
    /// A text, and the object that contains it.
    Text(&'t str, Option<&'t Node>),
}

fn inside<'n>(
    node: &'n Node,
    within: Option<&'n Node>,
    path: &mut Vec<&'n str>,
    act: &mut dyn FnMut(&[&str], &Part<'_>) -> Option<String>,
    cuts: &mut Vec<(Span, String)>,
) {
    match &node.value {
        Value::Text(text) => cuts.extend(act(path, &Part::Text(text, within)).map(|new| (node.span, new))),
        Value::Array(items) => items.iter().for_each(|item| inside(item, within, path, act, cuts)),
        Value::Object(fields) => {
            for field in fields {
                cuts.extend(act(path, &Part::Name(&field.name)).map(|new| (field.name_span, new)));
                path.push(&field.name);
                inside(&field.node, Some(node), path, act, cuts);
                path.pop();
            }
        }
        Value::Null | Value::Bool(_) | Value::Int(_) | Value::Float(_) => {}
    }
}

/// Anonymises mapping rules in JSON.
pub(super) fn mapping_rules(text: &str, v: &mut dyn Visit) -> String {
    replaced(text, &mut |path, part| match part {
        Part::Name(_) => None,
        Part::Text(text, rule) => match path.last().copied().unwrap_or_default() {
            "policy" | "type" | "fallbackResult" => None,
            "matches" => {
                let of = rule.and_then(|rule| rule.field("type")).map(|field| &field.node.value);
                let kind = match of {
                    Some(Value::Text(kind)) if kind == "group" => NameKind::Group,
                    Some(Value::Text(kind)) if kind == "application" => NameKind::App,
                    _ => NameKind::User,
                };
                v.name(kind, text)
            }
            "parentQueue" | "customPlacement" | "value" => super::text::queue(text, v),
            _ => v.words(text),
        },
    })
}

/// Returns the new value of an unknown option: another path, address or class; in any other value the names are replaced.
pub(crate) fn option(key: &str, value: &str, v: &mut dyn Visit) -> Option<String> {
    let apache = value.starts_with("org.apache.") || value.starts_with("java");
    let class = value.contains('.') && value.contains(|c: char| c.is_ascii_uppercase()) && !value.contains(' ');
    let elsewhere = value.contains('/') || value.contains(':') || (class && !apache);
    if elsewhere && !key.starts_with("yarn.") { v.name(NameKind::Path, value.trim()) } else { v.words(value) }
}
