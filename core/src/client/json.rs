//! JSON as a tree with a position for every value, over the tokens that Slider's reader takes: numbers keep their text,
//! and text after the first value is ignored, as in Jackson.

use crate::apps::slider::strategy::json::{Kind, TextFault, Token, Tokens};
use crate::model::Span;

/// The maximum nesting of objects and arrays (Jackson's StreamReadConstraints has 1000).
const DEPTH: usize = 500;

/// A value and its position.
#[derive(Clone, Debug, PartialEq)]
pub struct Node {
    pub value: Value,
    /// From its first character to its last; for an object or array its opening bracket.
    pub span: Span,
}

#[derive(Clone, Debug, PartialEq)]
pub enum Value {
    Null,
    Bool(bool),
    /// A number without point and exponent, as written.
    Int(String),
    /// Another number, as written.
    Float(String),
    Text(String),
    Array(Vec<Node>),
    /// Fields in the order of the text; a name may occur twice.
    Object(Vec<Field>),
}

/// A field of an object.
#[derive(Clone, Debug, PartialEq)]
pub struct Field {
    pub name: String,
    /// The position of the name, with its quotes.
    pub name_span: Span,
    pub node: Node,
}

/// The result of parsing a text.
#[derive(Clone, Debug, PartialEq)]
pub struct Parsed {
    /// Its first value, up to the fault if there is one; `None`: it has no value.
    pub node: Option<Node>,
    /// The fault, if it is not JSON or ends too early.
    pub fault: Option<NotJson>,
}

/// Why a text is not JSON.
#[derive(Clone, Debug, PartialEq)]
pub struct NotJson {
    pub at: usize,
    /// A short description, without a full stop.
    pub what: String,
    /// Whether the text ends within a value.
    pub cut: bool,
    /// The field of the outermost object that contains the fault, if its value has begun.
    pub within: Option<String>,
}

/// Parses the first value of a text.
pub fn parse(text: &str) -> Parsed {
    let bare = text.trim_end();
    let word = bare.ends_with(|c: char| c.is_ascii_alphabetic());
    let mut reader = Reader { tokens: Tokens::new(text), end: bare.len(), word, fault: None };
    let first = reader.next();
    let node = first.and_then(|first| reader.node(first, 0));
    Parsed { node, fault: reader.fault }
}

struct Reader<'t> {
    tokens: Tokens<'t>,
    end: usize,
    /// Whether the text ends in a letter: Jackson reports a word that is cut off as misspelt.
    word: bool,
    fault: Option<NotJson>,
}

impl Reader<'_> {
    /// Returns the next token; `None` at the end of the text or after a fault.
    fn next(&mut self) -> Option<Token> {
        if self.fault.is_some() {
            return None;
        }
        self.tokens.next_token().unwrap_or_else(|fault| {
            self.fail(fault);
            None
        })
    }

    fn fail(&mut self, TextFault { at, what }: TextFault) {
        let cut = at >= self.end && (self.tokens.within_text() || !self.word);
        self.fault = Some(NotJson { at, what, cut, within: None });
    }

    /// Reads the value that begins with a token, up to a fault if there is one.
    fn node(&mut self, first: Token, depth: usize) -> Option<Node> {
        let Token { kind, text, span } = first;
        if depth > DEPTH {
            let what = format!("more than {DEPTH} objects and lists stand within each other");
            self.fail(TextFault { at: span.start, what });
            return None;
        }
        let value = match kind {
            Kind::Null => Value::Null,
            Kind::Bool => Value::Bool(text == "true"),
            Kind::Int => Value::Int(text),
            Kind::Float => Value::Float(text),
            Kind::Text => Value::Text(text),
            Kind::ArrayStart => Value::Array(self.items(depth)),
            Kind::ObjectStart => Value::Object(self.fields(depth)),
            Kind::ObjectEnd | Kind::ArrayEnd | Kind::Name => return None,
        };
        Some(Node { value, span })
    }

    fn items(&mut self, depth: usize) -> Vec<Node> {
        let mut items = Vec::new();
        while let Some(token) = self.next().filter(|token| token.kind != Kind::ArrayEnd) {
            items.extend(self.node(token, depth + 1));
        }
        items
    }

    fn fields(&mut self, depth: usize) -> Vec<Field> {
        let mut fields = Vec::new();
        while let Some(name) = self.next().filter(|token| token.kind == Kind::Name) {
            let before = self.fault.is_some();
            let first = self.next();
            // The opening quote or bracket has been read: the value has begun.
            let begun = first.is_some() || (self.fault.is_some() && self.tokens.within_text());
            let node = first.and_then(|first| self.node(first, depth + 1));
            if depth == 0
                && !before
                && begun
                && let Some(fault) = &mut self.fault
            {
                fault.within = Some(name.text.clone());
            }
            let Some(node) = node else { break };
            fields.push(Field { name: name.text, name_span: name.span, node });
        }
        fields
    }
}

impl Node {
    /// The fields of an object; empty for other values.
    pub fn fields(&self) -> &[Field] {
        match &self.value {
            Value::Object(fields) => fields,
            _ => &[],
        }
    }

    /// The field with this name, the last one if there are several.
    pub fn field(&self, name: &str) -> Option<&Field> {
        self.fields().iter().rev().find(|f| f.name == name)
    }

    /// The name of the kind of value in messages.
    pub fn kind(&self) -> &'static str {
        match self.value {
            Value::Null => "null",
            Value::Bool(_) => "true or false",
            Value::Int(_) | Value::Float(_) => "a number",
            Value::Text(_) => "a text",
            Value::Array(_) => "a list",
            Value::Object(_) => "an object",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_keep_their_text_and_place_and_the_rest_is_not_read() {
        let text = "{\"a\": 1.50, \"b\": [null, true], \"a\": -0} }junk";
        let Parsed { node: Some(read), fault: None } = parse(text) else { panic!("a value") };
        assert_eq!(read.fields().len(), 3);
        assert_eq!(read.fields()[0].node.value, Value::Float("1.50".into()));
        let last = read.field("a").unwrap();
        assert_eq!((&last.node.value, last.node.span), (&Value::Int("-0".into()), Span::new(36, 38)));
        let Value::Array(items) = &read.field("b").unwrap().node.value else { panic!("a list") };
        assert_eq!((items[0].kind(), items[1].kind()), ("null", "true or false"));
    }

    #[test]
    fn what_is_not_json_is_told_with_its_place() {
        assert_eq!(parse(" \n"), Parsed { node: None, fault: None });
        for (text, cut, within) in [
            ("{", true, None),
            ("{\"a\"", true, None),
            ("{\"a\": [1,", true, Some("a")),
            ("\"x", true, None),
            ("{\"a\": \"x", true, Some("a")),
            ("{\"a\":}", false, None),
            ("{\"a\": {\"b\": 01}}", false, Some("a")),
            ("name: x", false, None),
            ("tru", false, None),
            ("{,}", false, None),
            ("[1,]", false, None),
            ("{\"a\" \"b\"}", false, None),
        ] {
            let fault = parse(text).fault.unwrap_or_else(|| panic!("{text}"));
            assert_eq!((fault.cut, fault.within.as_deref()), (cut, within), "{text}: {fault:?}");
        }
        assert!(parse(&"[".repeat(100_000)).fault.is_some());
        let Parsed { node: Some(part), fault: Some(_) } = parse("{\"a\": 1, \"b\": [2, 3") else { panic!("a part") };
        assert_eq!(part.fields().len(), 2);
    }
}
