//! JSON as a tree with a place for every value, over the tokens that Slider's reader takes: numbers keep their text, and
//! what follows the first value is not looked at, as Jackson reads a document.

use crate::model::Span;
use crate::strategy::slider::json::{Fault, Kind, Token, Tokens};

/// Objects and arrays within each other at most (Jackson's StreamReadConstraints has 1000).
const DEPTH: usize = 500;

/// A value and where it stands.
#[derive(Clone, Debug, PartialEq)]
pub struct Node {
    pub value: Value,
    /// From its first letter to its last; of an object or array its opening bracket.
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
    /// Fields in the order of the text; a name may stand twice.
    Object(Vec<Field>),
}

/// A field of an object.
#[derive(Clone, Debug, PartialEq)]
pub struct Field {
    pub name: String,
    /// Where the name stands, with its quotes.
    pub name_span: Span,
    pub node: Node,
}

/// Why a text has no value.
#[derive(Clone, Debug, PartialEq)]
pub enum NotJson {
    /// Nothing but blanks.
    Empty,
    /// Something that is not JSON.
    Broken(Fault),
    /// The text ends within a value.
    Cut(Fault),
}

/// The first value of a text.
pub fn parse(text: &str) -> Result<Node, NotJson> {
    let mut tokens = Tokens::new(text);
    match tokens.next_token() {
        Ok(Some(first)) => node(&mut tokens, first, 0).map_err(|fault| classed(text, fault)),
        Ok(None) => Err(NotJson::Empty),
        Err(fault) => Err(classed(text, fault)),
    }
}

fn classed(text: &str, fault: Fault) -> NotJson {
    if fault.at >= text.trim_end().len() { NotJson::Cut(fault) } else { NotJson::Broken(fault) }
}

fn next(tokens: &mut Tokens<'_>) -> Result<Token, Fault> {
    let end = tokens.seen();
    tokens.next_token()?.ok_or(Fault { at: end, what: "the text ends inside an object or a list".into() })
}

fn node(tokens: &mut Tokens<'_>, first: Token, depth: usize) -> Result<Node, Fault> {
    let Token { kind, text, span } = first;
    if depth > DEPTH {
        return Err(Fault { at: span.start, what: format!("more than {DEPTH} objects and lists within each other") });
    }
    let value = match kind {
        Kind::Null => Value::Null,
        Kind::Bool => Value::Bool(text == "true"),
        Kind::Int => Value::Int(text),
        Kind::Float => Value::Float(text),
        Kind::Text => Value::Text(text),
        Kind::ArrayStart => {
            let mut items = Vec::new();
            loop {
                match next(tokens)? {
                    Token { kind: Kind::ArrayEnd, .. } => break Value::Array(items),
                    token => items.push(node(tokens, token, depth + 1)?),
                }
            }
        }
        Kind::ObjectStart => {
            let mut fields = Vec::new();
            loop {
                let name = next(tokens)?;
                if name.kind != Kind::Name {
                    break Value::Object(fields);
                }
                let first = next(tokens)?;
                let node = node(tokens, first, depth + 1)?;
                fields.push(Field { name: name.text, name_span: name.span, node });
            }
        }
        Kind::ObjectEnd | Kind::ArrayEnd | Kind::Name => {
            return Err(Fault { at: span.start, what: "a value is missing".into() });
        }
    };
    Ok(Node { value, span })
}

impl Node {
    /// The fields of an object; of another value none.
    pub fn fields(&self) -> &[Field] {
        match &self.value {
            Value::Object(fields) => fields,
            _ => &[],
        }
    }

    /// The field of this name, the last if there are several.
    pub fn field(&self, name: &str) -> Option<&Field> {
        self.fields().iter().rev().find(|f| f.name == name)
    }

    /// What the value is called in messages.
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
        let read = parse(text).unwrap();
        assert_eq!(read.fields().len(), 3);
        assert_eq!(read.fields()[0].node.value, Value::Float("1.50".into()));
        let last = read.field("a").unwrap();
        assert_eq!((&last.node.value, last.node.span), (&Value::Int("-0".into()), Span::new(37, 39)));
        let Value::Array(items) = &read.field("b").unwrap().node.value else { panic!("a list") };
        assert_eq!((items[0].kind(), items[1].kind()), ("null", "true or false"));
    }

    #[test]
    fn what_is_not_json_is_told_apart() {
        assert_eq!(parse(" \n"), Err(NotJson::Empty));
        for cut in ["{", "{\"a\"", "{\"a\": [1,", "\"x", "[1, 2 "] {
            assert!(matches!(parse(cut), Err(NotJson::Cut(_))), "{cut}: {:?}", parse(cut));
        }
        for broken in ["{\"a\":}", "name: x", "{,}", "[1,]", "{\"a\" \"b\"}"] {
            assert!(matches!(parse(broken), Err(NotJson::Broken(_))), "{broken}: {:?}", parse(broken));
        }
        assert!(matches!(parse(&"[".repeat(100_000)), Err(NotJson::Broken(_) | NotJson::Cut(_))));
    }
}
