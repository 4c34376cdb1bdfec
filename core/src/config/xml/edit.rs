//! Edits a configuration file's text: changes single values in place, so that comments, order and everything unknown
//! stay (formats.md 1.7, "Writing XML"); and writes new files.

use super::document::{XmlProperty, read};
use crate::api::Properties;
use crate::model::Span;
use std::fmt::Write as _;

/// Escapes a value for an element; an empty one is written as one blank, because Hadoop ignores empty elements.
pub fn escape(value: &str) -> String {
    if value.is_empty() {
        return " ".into();
    }
    value.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

fn replace(text: &str, span: Span, with: &str) -> String {
    format!("{}{with}{}", &text[..span.start], &text[span.end..])
}

fn block(name: &str, value: &str) -> String {
    format!("  <property>\n    <name>{}</name>\n    <value>{}</value>\n  </property>\n", escape(name), escape(value))
}

/// A new file with these properties.
pub fn write(properties: &Properties) -> String {
    let mut out = String::from("<?xml version=\"1.0\"?>\n<configuration>\n");
    for (name, value) in properties {
        let _ = write!(out, "{}", block(name, value));
    }
    out.push_str("</configuration>\n");
    out
}

/// The text with a property set: the value that counts is changed in place; a new key follows its nearest relative. For
/// a text that is not a configuration file, returns a new one with that property only.
pub fn set(text: &str, name: &str, value: &str) -> String {
    let (document, _) = read("", text);
    if document.root.is_empty() {
        return write(&Properties::from([(name.to_string(), value.to_string())]));
    }
    let entries: Vec<&XmlProperty> = document.entries().collect();
    let own: Vec<&&XmlProperty> = entries.iter().filter(|e| e.name == name).collect();
    let counting = own.iter().find(|e| e.is_final).or(own.last());
    if let Some(entry) = counting {
        return set_value(text, entry, value);
    }
    let near =
        entries.iter().max_by_key(|e| (common(&e.name, name), e.span.start)).filter(|e| common(&e.name, name) > 0);
    let at = match near.or(entries.last()) {
        Some(entry) => entry.span.end,
        None => document.content.start,
    };
    if document.content.start == document.content.end && entries.is_empty() && text[..at].ends_with("/>") {
        let open = text[..at].trim_end_matches("/>").trim_end();
        return format!("{open}>\n{}</{}>{}", block(name, value), document.root, &text[at..]);
    }
    let line_end = text[at..].starts_with('\n');
    let inserted = format!("\n{}", block(name, value));
    let inserted = if line_end { inserted.trim_end_matches('\n') } else { &inserted };
    format!("{}{inserted}{}", &text[..at], &text[at..])
}

/// The number of leading segments that two keys share.
fn common(a: &str, b: &str) -> usize {
    a.split('.').zip(b.split('.')).take_while(|(x, y)| x == y).count()
}

fn set_value(text: &str, entry: &XmlProperty, value: &str) -> String {
    let old = &text[entry.value_span.start..entry.value_span.end];
    // The span is the content of <value>, an attribute's value, or, without a value, an element.
    if old.starts_with("<value") {
        return replace(text, entry.value_span, &format!("<value>{}</value>", escape(value)));
    }
    if entry.value_span == entry.span {
        let close = text[entry.span.start..entry.span.end].rfind("</").map(|at| entry.span.start + at);
        let at = close.unwrap_or(entry.name_span.end);
        return replace(text, Span::new(at, at), &format!("<value>{}</value>", escape(value)));
    }
    let quoted = text[..entry.value_span.start].ends_with(['"', '\'']);
    let escaped = if quoted { escape(value).replace('"', "&quot;").replace('\'', "&apos;") } else { escape(value) };
    replace(text, entry.value_span, &escaped)
}

/// The text without a property, including every occurrence and the lines that become empty.
pub fn remove(text: &str, name: &str) -> String {
    let (document, _) = read("", text);
    let (mut out, mut from) = (String::with_capacity(text.len()), 0);
    for span in document.entries().filter(|e| e.name == name).map(|e| e.span) {
        let kept = &text[from..span.start];
        let line = kept.trim_end_matches([' ', '\t']);
        out.push_str(line.strip_suffix('\n').unwrap_or(kept));
        from = span.end;
    }
    out + &text[from..]
}

#[cfg(test)]
mod tests {
    use super::*;

    const FILE: &str = "<?xml version=\"1.0\"?>\n<!-- ours -->\n<configuration>\n  <property>\n    <name>a.b</name>\n    <value>1</value> <!-- one -->\n  </property>\n  <property name=\"c\" value=\"2\"/>\n  <property><name>d</name><value/></property>\n</configuration>\n";

    fn value(text: &str, name: &str) -> Option<String> {
        read("t", text).0.properties().get(name).cloned()
    }

    #[test]
    fn a_value_changes_and_nothing_else() {
        assert_eq!(set(FILE, "a.b", "<7>"), FILE.replace("<value>1</value>", "<value>&lt;7&gt;</value>"));
        for (name, with) in [("a.b", "x & y"), ("c", "\"q\""), ("d", "3"), ("a.e", "new"), ("z", "new")] {
            let changed = set(FILE, name, with);
            assert_eq!(value(&changed, name).as_deref(), Some(with), "{changed}");
            assert!(changed.contains("<!-- ours -->") && changed.contains("<!-- one -->"));
        }
        assert_eq!(value(&set("<configuration/>", "k", "v"), "k").as_deref(), Some("v"));
        assert_eq!(value(&set("", "k", ""), "k").as_deref(), Some(" "));
    }

    #[test]
    fn a_removed_property_takes_its_line_along() {
        let without = remove(FILE, "c");
        assert_eq!(without, FILE.replace("  <property name=\"c\" value=\"2\"/>\n", ""));
        assert_eq!(value(&without, "c"), None);
    }
}
