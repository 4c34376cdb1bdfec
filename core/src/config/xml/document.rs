//! The properties of configuration files, as Hadoop's `Configuration` reads them, with their positions
//! (Configuration.Parser, loadProperty of Hadoop 3.5.0; formats.md 1.1, 1.2, 1.5).

use super::markup::{self, Element, Markup};
use crate::api::Properties;
use crate::config::values::trim;
use crate::model::{Problem, Span};
use indexmap::IndexMap;
use std::collections::BTreeSet;

/// The maximum number of properties of one file.
const PROPERTIES: usize = 200_000;
/// The maximum size of one value, in bytes.
const VALUE_BYTES: usize = 1 << 20;

/// A property in the file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct XmlProperty {
    pub name: String,
    /// Its value, verbatim; `None` if it is empty or missing, which leaves the property unset.
    pub value: Option<String>,
    /// `<final>true</final>`.
    pub is_final: bool,
    /// `<source>`, in order.
    pub sources: Vec<String>,
    /// The whole property.
    pub span: Span,
    /// The key's text.
    pub name_span: Span,
    /// The value's text, or the property if it is missing.
    pub value_span: Span,
}

/// A property, or an included file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Item {
    Property(XmlProperty),
    /// `<xi:include href="…">`.
    Include(Include),
}

/// `<xi:include>`; nothing is ever fetched.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Include {
    pub href: String,
    /// Properties of its `<xi:fallback>`.
    pub fallback: Option<Vec<XmlProperty>>,
    pub span: Span,
}

/// A configuration file.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Document {
    /// Its name in problems.
    pub source: String,
    /// Its items, in order.
    pub items: Vec<Item>,
    /// The local name of the root element; empty if the text is not XML.
    pub root: String,
    /// The root element's content.
    pub content: Span,
}

/// The origin of an effective value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Origin {
    pub document: usize,
    /// The whole property.
    pub span: Span,
    /// The key's text.
    pub name_span: Span,
    /// The value's text.
    pub value_span: Span,
}

/// The combined properties of several files.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Effective {
    /// Values by key, raw (variables not replaced), in the order of the keys' first occurrence.
    pub values: Properties,
    /// The origin of each value.
    pub origins: IndexMap<String, Origin>,
    /// The final keys.
    pub finals: BTreeSet<String>,
    /// Later, different values that a final one overrode: key and origin.
    pub refused: Vec<(String, Origin)>,
    /// Values that a later one replaced: key, and the origins of the old and the new value.
    pub replaced: Vec<(String, Origin, Origin)>,
    /// The `<source>` elements of each value.
    pub sources: IndexMap<String, Vec<String>>,
}

/// Reads a file. Malformed XML gives no items and one error; the other problems are what Hadoop would ignore.
pub fn read(source: &str, text: &str) -> (Document, Vec<Problem>) {
    let mut problems = Vec::new();
    let mut document = Document { source: source.to_string(), ..Document::default() };
    if let Some(at) = text.find('\u{fffd}') {
        let span = Span::new(at, at + '\u{fffd}'.len_utf8());
        let what = "The text holds the sign for unreadable characters: it was decoded with the wrong encoding.";
        problems.push(Problem::warning(source, span, what).mend("Save the file as UTF-8 and add it again."));
    }
    match markup::parse(source, text) {
        Ok(markup) => {
            if let Some(root) = markup.elements.first() {
                document.root = root.name.clone();
                document.content = root.content;
                if root.name != "configuration" {
                    let what = format!("The root element is <{}>, not <configuration>.", root.name);
                    problems.push(Problem::warning(source, root.open, what).mend("Check that this is the right file."));
                }
            }
            Collector { source, markup: &markup, problems: &mut problems }.below(0, &mut document.items);
        }
        Err(problem) => problems.push(*problem),
    }
    (document, problems)
}

struct Collector<'a> {
    source: &'a str,
    markup: &'a Markup,
    problems: &'a mut Vec<Problem>,
}

impl Collector<'_> {
    /// Reads the elements in order; the markup parser limits the depth.
    fn below(&mut self, element: usize, items: &mut Vec<Item>) {
        if self.markup.elements.get(element).is_some_and(|e| e.name == "property") {
            self.property(element, items);
            return;
        }
        for inside in self.markup.inside(element) {
            match self.markup.elements.get(inside).map(|e| e.name.as_str()) {
                Some("property") => self.property(inside, items),
                Some("include") => self.include(inside, items),
                _ => self.below(inside, items),
            }
        }
    }

    fn include(&mut self, element: usize, items: &mut Vec<Item>) {
        let Some(include) = self.markup.elements.get(element) else { return };
        let href = include.attributes.iter().find(|a| a.name == "href").map_or(String::new(), |a| a.value.clone());
        let fallback =
            self.markup.inside(element).find(|e| self.markup.elements[*e].name == "fallback").map(|fallback| {
                let mut inner = Vec::new();
                self.below(fallback, &mut inner);
                inner.into_iter().filter_map(|i| if let Item::Property(p) = i { Some(p) } else { None }).collect()
            });
        let rest = if fallback.is_some() { " Its fallback is not taken unless you say so." } else { "" };
        let what = format!("This file includes `{href}`, which is never fetched.{rest}");
        self.problems.push(Problem::warning(self.source, include.span, what).mend(format!("Add the file {href} too.")));
        items.push(Item::Include(Include { href, fallback, span: include.span }));
    }

    fn property(&mut self, element: usize, items: &mut Vec<Item>) {
        let Some(property) = self.markup.elements.get(element) else { return };
        if items.len() >= PROPERTIES {
            if items.len() == PROPERTIES {
                let what = format!("More than {PROPERTIES} properties; the rest is not read.");
                self.problems.push(Problem::error(self.source, property.span, what));
            }
            return;
        }
        let mut entry = self.attributes_of(property);
        let mut empty_value = None;
        for inside in self.markup.inside(element) {
            let Some(part) = self.markup.elements.get(inside) else { continue };
            let text = self.markup.text(inside);
            match part.name.as_str() {
                "name" if !text.is_empty() => {
                    entry.name = trim(&text).to_string();
                    entry.name_span = part.content;
                }
                "value" if !text.is_empty() => {
                    entry.value = Some(text);
                    entry.value_span = part.content;
                }
                "value" => empty_value = Some(part.span),
                "final" => entry.is_final = text == "true",
                "source" => entry.sources.push(text),
                _ => {}
            }
        }
        if let Some(value) = entry.value.as_ref().filter(|v| v.len() > VALUE_BYTES) {
            let what = format!("The value has {} bytes; at most {VALUE_BYTES} are taken.", value.len());
            self.problems.push(Problem::error(self.source, entry.span, what));
            return;
        }
        if entry.name.is_empty() {
            let what = "A property without a name: Hadoop drops it silently.";
            self.problems.push(Problem::warning(self.source, entry.span, what).mend("Give it a name, or take it out."));
            return;
        }
        if entry.value.is_none() {
            let place = empty_value.unwrap_or(entry.span);
            let what = format!("The value of {} is empty: Hadoop ignores the property, it is not set.", entry.name);
            let mend = "Write one blank as value if it has to be empty, or take the property out.";
            self.problems.push(Problem::warning(self.source, place, what).mend(mend));
            entry.value_span = place;
        }
        items.push(Item::Property(entry));
    }

    fn attributes_of(&self, property: &Element) -> XmlProperty {
        let mut entry = XmlProperty {
            name: String::new(),
            value: None,
            is_final: false,
            sources: Vec::new(),
            span: property.span,
            name_span: property.open,
            value_span: property.span,
        };
        for attribute in &property.attributes {
            match attribute.name.as_str() {
                "name" => {
                    entry.name = attribute.value.clone();
                    entry.name_span = attribute.span;
                }
                "value" => {
                    entry.value = Some(attribute.value.clone());
                    entry.value_span = attribute.span;
                }
                "final" => entry.is_final = attribute.value == "true",
                "source" => entry.sources.push(attribute.value.clone()),
                _ => {}
            }
        }
        entry
    }
}

impl Document {
    /// Its properties in order, without includes.
    pub fn entries(&self) -> impl Iterator<Item = &XmlProperty> {
        self.items.iter().filter_map(|i| match i {
            Item::Property(entry) => Some(entry),
            Item::Include(_) => None,
        })
    }

    /// Its effective properties, raw.
    pub fn properties(&self) -> Properties {
        effective(&[self], &|_| None).values
    }

    fn origin(&self, place: usize, entry: &XmlProperty) -> Origin {
        Origin { document: place, span: entry.span, name_span: entry.name_span, value_span: entry.value_span }
    }
}

/// Combines files in the order of loading: the last value wins unless an earlier one is final. `included` returns the
/// file for an include, as its place in `documents` (such a document is not loaded by itself).
pub fn effective(documents: &[&Document], included: &dyn Fn(&str) -> Option<usize>) -> Effective {
    let mut out = Effective::default();
    let of_include = |document: &Document| {
        document.items.iter().filter_map(|i| if let Item::Include(i) = i { included(&i.href) } else { None }).collect()
    };
    let inner: BTreeSet<usize> = documents.iter().flat_map(|d| -> Vec<usize> { of_include(d) }).collect();
    for place in (0..documents.len()).filter(|p| !inner.contains(p)) {
        load(documents, place, place, included, 0, &mut out);
    }
    out
}

/// The maximum depth of nested includes.
const INCLUDE_DEPTH: usize = 16;

/// `top` is the loaded file, which also counts as the source of its includes.
fn load(
    documents: &[&Document],
    place: usize,
    top: usize,
    included: &dyn Fn(&str) -> Option<usize>,
    depth: usize,
    out: &mut Effective,
) {
    let Some(document) = documents.get(place).filter(|_| depth < INCLUDE_DEPTH) else { return };
    let source = documents.get(top).map_or("", |d| d.source.as_str());
    for item in &document.items {
        match item {
            Item::Property(entry) => out.take(entry, document.origin(place, entry), source),
            Item::Include(include) => match included(&include.href) {
                Some(other) => load(documents, other, top, included, depth + 1, out),
                None => {
                    for entry in include.fallback.iter().flatten() {
                        out.take(entry, document.origin(place, entry), source);
                    }
                }
            },
        }
    }
}

impl Effective {
    fn take(&mut self, entry: &XmlProperty, origin: Origin, source: &str) {
        if let Some(value) = &entry.value {
            if !self.finals.contains(&entry.name) {
                if let Some(before) = self.origins.insert(entry.name.clone(), origin) {
                    self.replaced.push((entry.name.clone(), before, origin));
                }
                self.values.insert(entry.name.clone(), value.clone());
                let sources = entry.sources.iter().cloned().chain([source.to_string()]).collect();
                self.sources.insert(entry.name.clone(), sources);
            } else if self.values.get(&entry.name).is_some_and(|v| v != value) {
                self.refused.push((entry.name.clone(), origin));
            }
        }
        if entry.is_final {
            self.finals.insert(entry.name.clone());
        }
    }
}
