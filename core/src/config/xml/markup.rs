//! A small XML parser: elements with the positions of all their parts. Namespaces are prefixes. Entities other than the
//! five built-in ones and numbers are errors, and so is every DOCTYPE with a subset or an external part.

use crate::model::limits::{TEXT_BYTES, XML_DEPTH};
use crate::model::{Problem, Span};

/// The maximum number of attributes of one element.
const ATTRIBUTES: usize = 1000;

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Attribute {
    /// Name without prefix.
    pub name: String,
    /// Value, with references replaced.
    pub value: String,
    /// The value between its quotes.
    pub span: Span,
}

/// The content of an element.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Child {
    /// An element, by its place in [`Markup::elements`].
    Element(usize),
    /// Text, with references replaced.
    Text(String),
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Element {
    /// Name without prefix.
    pub name: String,
    /// Attributes in order.
    pub attributes: Vec<Attribute>,
    /// Texts and elements in order.
    pub children: Vec<Child>,
    /// From `<` to the end of the closing tag.
    pub span: Span,
    /// The opening tag.
    pub open: Span,
    /// Between the tags; empty at the end of the opening tag for `<a/>`.
    pub content: Span,
    /// Whether it is written `<a/>`.
    pub empty: bool,
}

/// A document. The first element is the root.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Markup {
    /// Elements, each before its children.
    pub elements: Vec<Element>,
}

impl Markup {
    /// All text below an element, joined.
    pub fn text(&self, element: usize) -> String {
        let mut out = String::new();
        let mut todo: Vec<&Child> =
            self.elements.get(element).map_or_else(Vec::new, |e| e.children.iter().rev().collect());
        while let Some(child) = todo.pop() {
            match child {
                Child::Text(text) => out.push_str(text),
                Child::Element(e) => {
                    todo.extend(self.elements.get(*e).into_iter().flat_map(|e| e.children.iter().rev()))
                }
            }
        }
        out
    }

    /// The text at the beginning of an element. `None`: it has no content, or begins with an element.
    pub fn first_text(&self, element: usize) -> Option<String> {
        let children = &self.elements.get(element)?.children;
        let texts = children.iter().map_while(|c| match c {
            Child::Text(text) => Some(text.as_str()),
            Child::Element(_) => None,
        });
        matches!(children.first(), Some(Child::Text(_))).then(|| texts.collect())
    }

    /// The direct child elements.
    pub fn inside(&self, element: usize) -> impl Iterator<Item = usize> {
        self.elements.get(element).into_iter().flat_map(|e| &e.children).filter_map(|c| match c {
            Child::Element(e) => Some(*e),
            Child::Text(_) => None,
        })
    }
}

struct Reader<'a> {
    text: &'a str,
    at: usize,
    out: Markup,
    open: Vec<usize>,
    has_doctype: bool,
}

/// An error: its position, what is wrong, and how to mend it.
struct MarkupFault(Span, String, String);

type Step<T> = Result<T, MarkupFault>;

/// Parses a text. `source` names it in problems. Errors: one, at the position where parsing ends.
pub fn parse(source: &str, text: &str) -> Result<Markup, Box<Problem>> {
    if text.len() > TEXT_BYTES {
        let what = format!("The text has {} bytes; at most {TEXT_BYTES} are read.", text.len());
        return Err(Box::new(Problem::error(source, None, what)));
    }
    let mut reader = Reader { text, at: 0, out: Markup::default(), open: Vec::new(), has_doctype: false };
    match reader.document() {
        Ok(()) => Ok(reader.out),
        Err(MarkupFault(span, what, mend)) => Err(Box::new(Problem::error(source, span, what).mend(mend))),
    }
}

/// Parses a text as far as it is XML: returns what was parsed, and the problem at the position where parsing ended.
pub fn parse_part(source: &str, text: &str) -> (Markup, Option<Problem>) {
    let mut reader = Reader { text, at: 0, out: Markup::default(), open: Vec::new(), has_doctype: false };
    let problem =
        reader.document().err().map(|MarkupFault(span, what, mend)| Problem::error(source, span, what).mend(mend));
    (reader.out, problem)
}

fn fault<T>(span: Span, what: impl Into<String>, mend: impl Into<String>) -> Step<T> {
    Err(MarkupFault(span, what.into(), mend.into()))
}

fn is_name(c: char) -> bool {
    c.is_alphanumeric() || matches!(c, '_' | ':' | '-' | '.')
}

impl<'a> Reader<'a> {
    fn rest(&self) -> &'a str {
        &self.text[self.at..]
    }

    fn here(&self) -> Span {
        let len = self.rest().chars().next().map_or(0, char::len_utf8);
        Span::new(self.at, self.at + len)
    }

    fn blanks(&mut self) {
        let rest = self.rest();
        self.at += rest.len() - rest.trim_start_matches([' ', '\t', '\r', '\n']).len();
    }

    /// Skips past `until`, beginning after `from` bytes; `what` names the construct.
    fn over(&mut self, from: usize, until: &str, what: &str) -> Step<()> {
        let start = self.at;
        match self.rest().get(from..).and_then(|r| r.find(until)) {
            Some(at) => {
                self.at += from + at + until.len();
                Ok(())
            }
            None => fault(
                Span::new(start, self.text.len()),
                format!("This {what} is not ended."),
                format!("End it with {until}."),
            ),
        }
    }

    fn document(&mut self) -> Step<()> {
        if self.text.starts_with('\u{feff}') {
            self.at = '\u{feff}'.len_utf8();
        }
        while self.at < self.text.len() {
            let rest = self.rest();
            if rest.starts_with("<!--") {
                self.comment()?;
            } else if rest.starts_with("<?") {
                self.instruction()?;
            } else if rest.starts_with("<![CDATA[") && !self.open.is_empty() {
                self.cdata()?;
            } else if rest.starts_with("<!") {
                self.doctype()?;
            } else if rest.starts_with("</") {
                self.close()?;
            } else if rest.starts_with('<') {
                self.start()?;
            } else {
                self.characters()?;
            }
        }
        if let Some(element) = self.open.last().and_then(|e| self.out.elements.get(*e)) {
            let (line, col) = element.open.line_col(self.text);
            return fault(
                Span::new(self.text.len(), self.text.len()),
                format!("The text ends, but <{}> (opened at {line}:{col}) is still open.", element.name),
                format!("Add </{}>.", element.name),
            );
        }
        if self.out.elements.is_empty() {
            return fault(Span::new(0, 0), "There is no XML element in this text.", "Give a whole configuration file.");
        }
        Ok(())
    }

    /// Parses `<? … ?>`; an XML declaration must be first in the file, and have an existing version.
    fn instruction(&mut self) -> Step<()> {
        let start = self.at;
        self.over(2, "?>", "processing instruction")?;
        let (span, inside) = (Span::new(start, self.at), &self.text[start + 2..self.at - 2]);
        let (name, rest) = inside.split_at(inside.find(|c| !is_name(c)).unwrap_or(inside.len()));
        if !name.eq_ignore_ascii_case("xml") {
            return Ok(());
        }
        if !self.text[..start].trim_start_matches('\u{feff}').is_empty() {
            let what = "`<?xml …?>` is not the first in the file: Hadoop does not load it.";
            return fault(span, what, "Take away what stands before it, blank lines and comments too.");
        }
        let version = rest.trim_start().strip_prefix("version").and_then(|v| v.trim_start().strip_prefix('='));
        match version.map(|v| v.trim_start().get(1..4).unwrap_or_default()) {
            Some("1.0" | "1.1") => Ok(()),
            _ => fault(span, "This is no version of XML that Hadoop reads.", "Write version=\"1.0\"."),
        }
    }

    fn comment(&mut self) -> Step<()> {
        let start = self.at;
        self.over("<!--".len(), "-->", "comment")?;
        match self.text[start + 4..self.at - 1].find("--").filter(|at| start + 4 + at < self.at - 3) {
            None => Ok(()),
            Some(at) => fault(
                Span::new(start + 4 + at, start + 6 + at),
                "The string \"--\" is not permitted within comments.",
                "Write something else there: `--` is only a comment's end, and Hadoop does not load the file.",
            ),
        }
    }

    fn cdata(&mut self) -> Step<()> {
        let start = self.at + "<![CDATA[".len();
        self.over("<![CDATA[".len(), "]]>", "CDATA section")?;
        let text = self.text[start..self.at - 3].replace("\r\n", "\n").replace('\r', "\n");
        self.add_text(text);
        Ok(())
    }

    fn doctype(&mut self) -> Step<()> {
        let rest = self.rest();
        let end = rest.find(['>', '[']).unwrap_or(rest.len());
        let span = Span::new(self.at, self.at + end);
        let bare = rest
            .strip_prefix("<!DOCTYPE")
            .and_then(|r| r.get(..end.saturating_sub("<!DOCTYPE".len())))
            .is_some_and(|name| name.starts_with(char::is_whitespace) && name.trim().chars().all(is_name));
        if bare && rest[end..].starts_with('>') && self.out.elements.is_empty() {
            if std::mem::replace(&mut self.has_doctype, true) {
                return fault(span, "A second DOCTYPE.", "Take it out.");
            }
            self.at += end + 1;
            return Ok(());
        }
        if !rest.starts_with("<!DOCTYPE") {
            return fault(span, "Here begins a declaration that has no place in a configuration file.", "Take it out.");
        }
        fault(
            span,
            "A DOCTYPE with definitions or an external part is refused: nothing in it is expanded or fetched.",
            "Take the DOCTYPE out and write the values where the entities stand.",
        )
    }

    fn name(&mut self) -> Step<&'a str> {
        let rest = self.rest();
        let len = rest.find(|c| !is_name(c)).unwrap_or(rest.len());
        if len == 0 || rest.starts_with(|c: char| c.is_ascii_digit() || matches!(c, '-' | '.')) {
            return fault(self.here(), "A name is expected here.", "Write &lt; for a < that is text.");
        }
        self.at += len;
        Ok(&rest[..len])
    }

    fn start(&mut self) -> Step<()> {
        let from = self.at;
        self.at += 1;
        let full = self.name()?;
        if self.open.is_empty() && !self.out.elements.is_empty() {
            return fault(
                Span::new(from, self.at),
                "The markup in the document following the root element must be well-formed.",
                format!("Keep everything in one root element: <{full}> is a second one."),
            );
        }
        if self.open.len() >= XML_DEPTH {
            return fault(Span::new(from, self.at), format!("Elements are nested more than {XML_DEPTH} deep."), "");
        }
        let mut attributes: Vec<Attribute> = Vec::new();
        let empty = loop {
            let gap = self.at;
            self.blanks();
            let rest = self.rest();
            if rest.starts_with("/>") {
                self.at += 2;
                break true;
            }
            if rest.starts_with('>') {
                self.at += 1;
                break false;
            }
            if rest.is_empty() {
                return fault(Span::new(from, self.at), format!("The tag <{full}> is not ended."), "End it with >.");
            }
            if gap == self.at {
                return fault(self.here(), format!("Unexpected character in the tag <{full}>."), "");
            }
            let attribute = self.attribute(full)?;
            if attributes.iter().any(|a| a.name == attribute.name) {
                return fault(
                    attribute.span,
                    format!("Attribute \"{}\" was already specified for element \"{full}\".", attribute.name),
                    "Keep one of them.",
                );
            }
            attributes.push(attribute);
            if attributes.len() > ATTRIBUTES {
                return fault(Span::new(from, self.at), format!("More than {ATTRIBUTES} attributes."), "");
            }
        };
        let place = self.out.elements.len();
        let open = Span::new(from, self.at);
        let name = local(full).to_string();
        let content = Span::new(self.at, self.at);
        self.out.elements.push(Element { name, attributes, children: Vec::new(), span: open, open, content, empty });
        if let Some(parent) = self.open.last().and_then(|p| self.out.elements.get_mut(*p)) {
            parent.children.push(Child::Element(place));
        }
        if !empty {
            self.open.push(place);
        }
        Ok(())
    }

    fn attribute(&mut self, tag: &str) -> Step<Attribute> {
        let name = local(self.name()?).to_string();
        self.blanks();
        if !self.rest().starts_with('=') {
            return fault(self.here(), format!("= is expected after the attribute {name} of <{tag}>."), "");
        }
        self.at += 1;
        self.blanks();
        let Some(quote) = self.rest().chars().next().filter(|c| matches!(c, '"' | '\'')) else {
            return fault(self.here(), format!("The value of the attribute {name} needs quotes."), "");
        };
        let start = self.at + 1;
        let Some(len) = self.text[start..].find(quote) else {
            return fault(
                Span::new(self.at, self.text.len()),
                format!("The value of the attribute {name} is not ended."),
                format!("End it with {quote}."),
            );
        };
        let span = Span::new(start, start + len);
        let raw = &self.text[start..start + len];
        if let Some(at) = raw.find('<') {
            return fault(Span::new(start + at, start + at + 1), "< in an attribute's value.", "Write &lt;.");
        }
        let value = decode(raw, start)?.replace(['\n', '\t', '\r'], " ");
        self.at = start + len + 1;
        Ok(Attribute { name, value, span })
    }

    fn close(&mut self) -> Step<()> {
        let from = self.at;
        self.at += 2;
        let name = local(self.name()?);
        self.blanks();
        let Some(place) = self.open.pop() else {
            let what = "The markup in the document following the root element must be well-formed.";
            return fault(Span::new(from, self.at), what, format!("Take it out: </{name}> closes nothing."));
        };
        let Some(element) = self.out.elements.get_mut(place) else { return Ok(()) };
        if element.name != name {
            let (line, col) = element.open.line_col(self.text);
            return fault(
                Span::new(from, self.at),
                format!(
                    "The element type \"{0}\" must be terminated by the matching end-tag \"</{0}>\".",
                    element.name
                ),
                format!("It was opened at {line}:{col}; </{name}> does not close it."),
            );
        }
        if !self.text[self.at..].starts_with('>') {
            return fault(self.here(), format!("The closing tag </{name}> is not ended."), "End it with >.");
        }
        self.at += 1;
        element.content = Span::new(element.content.start, from);
        element.span = Span::new(element.span.start, self.at);
        Ok(())
    }

    fn characters(&mut self) -> Step<()> {
        let rest = self.rest();
        let len = rest.find('<').unwrap_or(rest.len());
        let raw = &rest[..len];
        if self.open.is_empty() {
            if let Some(at) = raw.find(|c: char| !matches!(c, ' ' | '\t' | '\r' | '\n')) {
                let start = self.at + at;
                return fault(Span::new(start, self.at + len), "Text outside the root element.", "Take it out.");
            }
        } else {
            if let Some(at) = raw.find("]]>") {
                let span = Span::new(self.at + at, self.at + at + 3);
                return fault(
                    span,
                    "`]]>` ends no CDATA section here: Hadoop does not load the file.",
                    "Write ]]&gt;.",
                );
            }
            let text = decode(raw, self.at)?;
            self.add_text(text);
        }
        self.at += len;
        Ok(())
    }

    fn add_text(&mut self, text: String) {
        if let Some(element) = self.open.last().and_then(|p| self.out.elements.get_mut(*p)) {
            element.children.push(Child::Text(text));
        }
    }
}

fn local(name: &str) -> &str {
    name.rsplit(':').next().unwrap_or(name)
}

/// Replaces references and line ends; `start` is the position of `raw` in the text.
fn decode(raw: &str, start: usize) -> Step<String> {
    let mut out = String::with_capacity(raw.len());
    let mut at = 0;
    while let Some(c) = raw.get(at..).and_then(|r| r.chars().next()) {
        let here = Span::new(start + at, start + at + c.len_utf8());
        match c {
            '&' => {
                let end = raw[at..].find(';').filter(|len| *len <= 12);
                let name = end.map_or("", |len| &raw[at + 1..at + len]);
                let Some(replaced) = reference(name) else {
                    return fault(
                        here,
                        if name.is_empty() {
                            "A lone &.".to_string()
                        } else {
                            format!("The reference &{name}; is not known.")
                        },
                        "Write &amp; for a & that is text.",
                    );
                };
                out.push(replaced);
                at += name.len() + 2;
                continue;
            }
            '\r' => {
                if !raw[at + 1..].starts_with('\n') {
                    out.push('\n');
                }
            }
            '\t' | '\n' => out.push(c),
            c if c < ' ' || matches!(c, '\u{fffe}' | '\u{ffff}') => {
                return fault(
                    here,
                    format!("The control character U+{:04X} is not allowed in XML.", c as u32),
                    "Take it out.",
                );
            }
            c => out.push(c),
        }
        at += c.len_utf8();
    }
    Ok(out)
}

/// The character of a built-in reference, or of a number that XML allows.
fn reference(name: &str) -> Option<char> {
    match name {
        "lt" => Some('<'),
        "gt" => Some('>'),
        "amp" => Some('&'),
        "quot" => Some('"'),
        "apos" => Some('\''),
        _ => {
            let number = name.strip_prefix('#')?;
            let code = match number.strip_prefix('x') {
                Some(hex) if hex.bytes().all(|b| b.is_ascii_hexdigit()) => u32::from_str_radix(hex, 16).ok()?,
                None if number.bytes().all(|b| b.is_ascii_digit()) => number.parse().ok()?,
                _ => return None,
            };
            let c = char::from_u32(code)?;
            (matches!(c, '\t' | '\n' | '\r') || (c >= ' ' && !matches!(c, '\u{fffe}' | '\u{ffff}'))).then_some(c)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spans_are_where_things_stand() {
        let text = "<a><b x='1'>q&lt;<!-- c -->r<![CDATA[<]]></b><c/></a>";
        let markup = parse("t", text).unwrap();
        let b = &markup.elements[1];
        assert_eq!(&text[b.span.start..b.span.end], "<b x='1'>q&lt;<!-- c -->r<![CDATA[<]]></b>");
        assert_eq!(&text[b.content.start..b.content.end], "q&lt;<!-- c -->r<![CDATA[<]]>");
        assert_eq!(markup.text(1), "q<r<");
        assert!(markup.elements[2].empty);
    }

    #[test]
    fn what_is_wrong_says_where() {
        let fails = |text: &str| parse("t", text).unwrap_err().render(text);
        assert_eq!(
            fails("<a>\n <b>x</c></a>"),
            "t:2:6: error: The element type \"b\" must be terminated by the matching end-tag \"</b>\". It was opened at 2:2; </c> does not close it."
        );
        assert!(fails("<a><b>").starts_with("t:1:7: error: The text ends, but <b> (opened at 1:4)"));
        assert!(
            fails("<?xml version='1.0'?>\n<!DOCTYPE a [<!ENTITY x 'y'>]><a>&x;</a>")
                .starts_with("t:2:1: error: A DOCTYPE")
        );
        assert!(parse("t", "<!DOCTYPE configuration>\n<configuration/>").is_ok());
        assert!(fails("\n<?xml version='1.0'?><a/>").starts_with("t:2:1: error: `<?xml …?>` is not the first"));
        for good in [
            "\u{feff}<?xml version=\"1.0\" encoding='x'?><a/>",
            "<?xml version = '1.1' ?><!-- x --><?xml-stylesheet y?><a/>",
        ] {
            assert!(parse("t", good).is_ok(), "{good}");
        }
        for bad in [
            "<!-- x --><?xml version='1.0'?><a/>",
            "<?xml version='2.0'?><a/>",
            "<a>x]]></a>",
            "<!DOCTYPE a><!DOCTYPE a><a/>",
            "",
            "x",
            "<a",
            "<a b>",
            "<a b=c/>",
            "<a b='1' b='2'/>",
            "<a>&x;</a>",
            "<a>&#0;</a>",
            "<a/><b/>",
            "</a>",
            "<a>\u{1}</a>",
            "<!-- x",
            "<a><![CDATA[x</a>",
        ] {
            assert!(parse("t", bad).is_err(), "{bad}");
        }
        assert!(fails(&"<a>".repeat(100)).contains("nested more than 64 deep"));
    }
}
