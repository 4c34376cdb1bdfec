//! The input of a reader: the text and its form.

use super::json::{self, Documents, Loose};
use super::lines::{self, RecognisedLine};
use crate::client::json::{Field, Node, Value};
use crate::config::xml::{self, markup};
use crate::model::{Problem, Span};
use crate::scenario::pasted::with_root;
use std::borrow::Cow;
use std::cell::OnceCell;

/// A text with its form.
pub struct InputText<'t> {
    /// The name for problems; it does not affect recognition.
    pub name: &'t str,
    /// The whole text.
    pub text: &'t str,
    pub form: Form<'t>,
    line: OnceCell<Option<RecognisedLine>>,
    configuration: OnceCell<xml::Document>,
}

/// The form of a text.
pub enum Form<'t> {
    /// XML, by its root element; empty if no root can be read.
    Xml {
        root: String,
        /// The text with a root, added if it has none: documents show properties without it.
        whole: Cow<'t, str>,
    },
    /// JSON, readable at least at its beginning.
    Json(Documents),
    /// Any other text: lines.
    Lines,
}

impl<'t> InputText<'t> {
    /// Determines the form of a text.
    pub fn at(name: &'t str, text: &'t str) -> InputText<'t> {
        let bare = text.trim_start_matches(|c: char| c.is_whitespace() || c == '\u{feff}');
        let form = match bare.chars().next() {
            Some('<') => {
                let whole = with_root(text).map_or(Cow::Borrowed(text), Cow::Owned);
                let root = root_of(&whole).unwrap_or_default().to_owned();
                Form::Xml { root, whole }
            }
            Some('{' | '[') if opens_json(bare) => Form::Json(json::read(text)),
            _ => Form::Lines,
        };
        InputText { name, text, form, line: OnceCell::new(), configuration: OnceCell::new() }
    }

    /// Makes an input of values that were read from the text already.
    pub(super) fn of_json(name: &'t str, text: &'t str, documents: Documents) -> InputText<'t> {
        InputText { name, text, form: Form::Json(documents), line: OnceCell::new(), configuration: OnceCell::new() }
    }

    /// Returns the values of a text of JSON.
    pub(super) fn into_json(self) -> Documents {
        match self.form {
            Form::Json(documents) => documents,
            Form::Xml { .. } | Form::Lines => Documents::default(),
        }
    }

    /// The number of values of JSON.
    pub(super) fn values(&self) -> usize {
        self.json().map_or(0, |documents| documents.values.len())
    }

    /// Returns whether it is a list without elements: what is left of a list that was read in parts.
    pub(super) fn is_empty_list(&self) -> bool {
        let [only] = self.json().map_or(&[][..], |documents| &documents.values) else { return false };
        matches!(&only.value, Value::Array(items) if items.is_empty())
    }

    /// Divides a text of JSON into its values, each as a text of its own; a fault behind them is the last one's.
    pub(super) fn each(self) -> impl Iterator<Item = InputText<'t>> {
        let (name, text) = (self.name, self.text);
        let Documents { values, mut fault, comments: _, twice } = self.into_json();
        let (last, mut twice) = (values.len().saturating_sub(1), Some(twice));
        values.into_iter().enumerate().map(move |(i, value)| {
            let end = i == last;
            let fault = if end { fault.take() } else { None };
            let twice = if end { twice.take() } else { None }.unwrap_or_default();
            InputText::of_json(name, text, Documents { values: vec![value], fault, comments: Vec::new(), twice })
        })
    }

    /// Returns the root element of XML.
    pub fn root(&self) -> Option<&str> {
        match &self.form {
            Form::Xml { root, .. } => Some(root),
            _ => None,
        }
    }

    /// Returns the values of JSON.
    pub fn json(&self) -> Option<&Documents> {
        match &self.form {
            Form::Json(documents) => Some(documents),
            _ => None,
        }
    }

    /// Returns the text with its root element.
    pub fn whole(&self) -> &str {
        match &self.form {
            Form::Xml { whole, .. } => whole,
            _ => self.text,
        }
    }

    /// Returns whether the first JSON value, or an element if it is a list, has one of these fields.
    pub fn has_field(&self, names: &[&str]) -> bool {
        self.has_record(|node| names.iter().any(|name| node.field(name).is_some()))
    }

    /// Returns whether a word of the first JSON value, or of an element if it is a list, begins like this.
    pub(super) fn has_word(&self, field: &str, begins: &str) -> bool {
        self.has_record(|node| node.word(field).is_some_and(|word| word.starts_with(begins)))
    }

    /// Returns whether one of the first JSON values, or of the elements of one, is like this.
    fn has_record(&self, is: impl Fn(&Node) -> bool) -> bool {
        let Some(documents) = self.json() else { return false };
        documents.values.iter().take(4).any(|v| is(v) || v.list(&[]).iter().take(4).any(|item| is(item)))
    }

    /// Returns whether the root key of JSON, or the root element of XML, is one of these.
    pub fn is_answer(&self, names: &[&str]) -> bool {
        self.root().is_some_and(|root| names.contains(&root)) || self.has_field(names)
    }

    /// Returns the text as a tree, up to its first fault, and its problems. XML gives the same tree as JSON: elements of
    /// the same name form a list.
    pub fn tree(&self) -> (Option<Cow<'_, Node>>, Vec<Problem>) {
        match &self.form {
            Form::Json(documents) => {
                let fault = documents.fault.as_ref().map(|fault| {
                    let what =
                        format!("This is not JSON from here on: {}. What stands before it was read.", fault.what);
                    Problem::error(self.name, Span::new(fault.at, fault.at), what)
                });
                let twice = documents.twice.iter().take(10);
                let twice = twice.map(|at| {
                    Problem::warning(self.name, *at, "This name stands twice in its object: the last one counts.")
                });
                (documents.values.first().map(Cow::Borrowed), fault.into_iter().chain(twice).collect())
            }
            Form::Xml { whole, .. } => {
                let (markup, problem) = markup::parse_part(self.name, whole);
                (tree_of(&markup).map(Cow::Owned), problem.into_iter().collect())
            }
            Form::Lines => (None, Vec::new()),
        }
    }

    /// Returns the text as Hadoop's configuration reader parses it.
    pub fn configuration(&self) -> &xml::Document {
        self.configuration.get_or_init(|| xml::read(self.name, self.whole()).0)
    }

    /// Returns the recognised line, if a pattern matches.
    pub fn line(&self) -> Option<&RecognisedLine> {
        self.line.get_or_init(|| lines::recognise(self.text)).as_ref()
    }
}

/// Returns whether a line stands before an answer as it comes from a terminal: the command, or a header of HTTP.
fn is_of_terminal(line: &str, headers: bool) -> bool {
    let header = |line: &str| {
        let name = line.split_once(':').map_or("", |(name, _)| name);
        !name.is_empty() && name.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'-')
    };
    // The meter of curl stands on standard error, and both go to one file.
    let meter = line.starts_with("% Total") || line.starts_with("Dload") || line.contains("--:--:--");
    meter || ["HTTP/", "$ ", "curl "].iter().any(|begins| line.starts_with(begins)) || (headers && header(line))
}

/// Returns a text of JSON or XML with blanks for the lines before it that are comments, a command or headers of HTTP, and where
/// these stand; `None`: it has none, or is something else.
pub(super) fn without_lines_before(text: &str) -> Option<(String, Span)> {
    let is_comment = |line: &str| line.starts_with('#') || line.starts_with("//");
    let mut headers = false;
    let mut skipped = |line: &&str| {
        let line = line.trim();
        headers |= line.starts_with("HTTP/");
        line.is_empty() || is_comment(line) || is_of_terminal(line, headers)
    };
    let head: usize = text.split_inclusive('\n').take_while(|line| skipped(line)).map(str::len).sum();
    let (before, rest) = text.split_at(head);
    let bare = rest.trim_start();
    let opens_xml =
        bare.strip_prefix('<').is_some_and(|rest| rest.starts_with(|c: char| "?!".contains(c) || c.is_alphabetic()));
    if before.trim().is_empty() || !(opens_json(bare) || opens_xml) {
        return None;
    }
    let blank: String = before.bytes().map(|b| if b == b'\n' { '\n' } else { ' ' }).collect();
    let start = before.len() - before.trim_start().len();
    Some((blank + rest, Span::new(start, before.trim_end().len())))
}

/// Returns whether a text that begins with a bracket can be JSON, unlike a TOML table or a date in brackets.
pub(super) fn opens_json(text: &str) -> bool {
    let mut letters = text.chars().filter(|c| !c.is_whitespace());
    match (letters.next(), letters.next()) {
        (Some('{'), next) => matches!(next, Some('"' | '}' | '/') | None),
        (Some('['), next) => match next {
            Some('{') | Some(']') | Some('"') | None => true,
            // `[[nodes]]` is not a list of lists.
            Some('[') => matches!(letters.next(), Some('{' | '[' | '"')),
            Some(c) => c.is_ascii_digit() || c == '-' || text[1..].trim_start().starts_with("null"),
        },
        _ => false,
    }
}

/// Returns the name of the root element, without its namespace. It may follow a declaration, comments and a document type.
fn root_of(text: &str) -> Option<&str> {
    let mut rest = text;
    loop {
        rest = rest.get(rest.find('<')?..)?;
        let end = if rest.starts_with("<!--") {
            "-->"
        } else if rest.starts_with("<?") {
            "?>"
        } else if rest.starts_with("<!") {
            ">"
        } else {
            break;
        };
        rest = rest.split_once(end)?.1;
    }
    let name = rest.get(1..)?;
    let end = name.find(|c: char| c.is_whitespace() || c == '>' || c == '/').unwrap_or(name.len());
    let name = &name[..end];
    Some(name.rsplit(':').next().unwrap_or(name))
}

/// Returns XML as a tree: an object for each element that has elements or attributes, with the root as the only field.
fn tree_of(markup: &markup::Markup) -> Option<Node> {
    let mut nodes: Vec<Option<Node>> = vec![None; markup.elements.len()];
    for (at, element) in markup.elements.iter().enumerate().rev() {
        let mut fields: indexmap::IndexMap<&str, Vec<Node>> = indexmap::IndexMap::new();
        for attribute in element.attributes.iter().filter(|a| a.name == "type") {
            let value = Value::Text(attribute.value.clone());
            fields.entry("type").or_default().push(Node { value, span: attribute.span });
        }
        let mut elements = 0;
        for child in markup.inside(at) {
            elements += 1;
            let Some(node) = nodes.get_mut(child).and_then(Option::take) else { continue };
            fields.entry(markup.elements[child].name.as_str()).or_default().push(node);
        }
        let value = if elements == 0 {
            let text = markup.text(at);
            if fields.is_empty() || !text.trim().is_empty() { Value::Text(text) } else { Value::Object(Vec::new()) }
        } else {
            let field = |(name, mut nodes): (&str, Vec<Node>)| {
                let span = nodes.first().map_or(element.open, |n| n.span);
                let node = match nodes.pop() {
                    Some(only) if nodes.is_empty() => only,
                    last => {
                        nodes.extend(last);
                        Node { value: Value::Array(nodes), span }
                    }
                };
                Field { name: name.to_owned(), name_span: span, node }
            };
            Value::Object(fields.into_iter().map(field).collect())
        };
        nodes[at] = Some(Node { value, span: element.open });
    }
    let root = nodes.first_mut()?.take()?;
    let name = markup.elements.first()?.name.clone();
    let span = root.span;
    Some(Node { value: Value::Object(vec![Field { name, name_span: span, node: root }]), span })
}
