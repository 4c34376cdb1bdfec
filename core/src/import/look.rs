//! What a reader has before it: the text, and what its form is.

use super::json::{self, Documents};
use crate::config::xml;
use crate::scenario::pasted::with_root;
use std::borrow::Cow;

/// A text with its form.
pub struct Look<'t> {
    /// Name for problems; decides nothing.
    pub name: &'t str,
    /// The whole text.
    pub text: &'t str,
    pub form: Form<'t>,
}

/// The form of a text.
pub enum Form<'t> {
    /// XML, by its root element; empty if there is none that can be read.
    Xml {
        root: String,
        /// The text with a root, if it has none of its own: documents show properties without it.
        whole: Cow<'t, str>,
    },
    /// JSON, readable at least at its beginning.
    Json(Documents),
    /// Anything else: lines.
    Lines,
}

impl<'t> Look<'t> {
    /// Looks at a text.
    pub fn at(name: &'t str, text: &'t str) -> Look<'t> {
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
        Look { name, text, form }
    }

    /// The root element of XML.
    pub fn root(&self) -> Option<&str> {
        match &self.form {
            Form::Xml { root, .. } => Some(root),
            _ => None,
        }
    }

    /// The values of JSON.
    pub fn json(&self) -> Option<&Documents> {
        match &self.form {
            Form::Json(documents) => Some(documents),
            _ => None,
        }
    }

    /// The text with its root element.
    pub fn whole(&self) -> &str {
        match &self.form {
            Form::Xml { whole, .. } => whole,
            _ => self.text,
        }
    }

    /// Returns whether the first value of JSON, or one in a list that it is, has one of these fields.
    pub fn has_field(&self, names: &[&str]) -> bool {
        use super::json::Loose;
        let Some(documents) = self.json() else { return false };
        let has = |node: &crate::client::json::Node| names.iter().any(|name| node.field(name).is_some());
        documents.values.iter().take(4).any(|v| has(v) || v.list(&[]).iter().take(4).any(|item| has(item)))
    }

    /// What Hadoop's reader of configurations finds in it.
    pub fn configuration(&self) -> xml::Document {
        xml::read(self.name, self.whole()).0
    }
}

/// Returns whether a text that begins with a bracket can be JSON: a table of TOML and a date in brackets cannot.
fn opens_json(text: &str) -> bool {
    let mut letters = text.chars().filter(|c| !c.is_whitespace());
    match (letters.next(), letters.next()) {
        (Some('{'), next) => matches!(next, Some('"' | '}' | '/') | None),
        (Some('['), next) => match next {
            Some('{') | Some(']') | Some('"') | None => true,
            // `[[nodes]]` is no list of lists.
            Some('[') => matches!(letters.next(), Some('{' | '[' | '"')),
            Some(c) => c.is_ascii_digit() || c == '-' || text[1..].trim_start().starts_with("null"),
        },
        _ => false,
    }
}

/// The name of the root element, without its namespace: what is before it may be a declaration, comments and a document type.
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
