//! A lenient JSON reader: several values in a row, comments, `NaN`, truncated texts. Everything before a fault is kept.
//! Numbers keep their text; each value has its place. Depth is limited, work is linear.

use crate::client::json::{Field, Node, Value};
use crate::model::Span;

/// The maximum nesting of objects and lists (formats.md 10).
const DEPTH: usize = 64;

/// The reason why a text is not JSON from a place on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct JsonFault {
    pub at: usize,
    /// The reason in a few words, without a full stop.
    pub what: String,
}

/// The values of a text, up to its first fault.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Documents {
    pub values: Vec<Node>,
    pub fault: Option<JsonFault>,
    /// The places of comments, which are not JSON.
    pub comments: Vec<Span>,
    /// The later places of names that an object has twice.
    pub twice: Vec<Span>,
}

/// Reads all values of a text.
pub fn read(text: &str) -> Documents {
    Reader::of(text, None).all()
}

/// The reaction to a part of a text.
#[derive(Debug, PartialEq)]
pub enum PartResult {
    /// It was used.
    Taken,
    /// The text has to be read as a whole.
    Whole(Documents),
    /// The text is not needed.
    Leave,
}

/// Reads a text in parts of about `bytes` bytes, so that it need not fit in memory as a tree. `take` gets each part but the last,
/// with the position up to which it was read; the last part is returned, with the comments and the names that stand twice of
/// all parts. A part is some values in a row, or some elements of a list of records: one that is a value itself, or is called
/// by one of the names `lists`; the objects around it are in each part.
pub fn read_parts(
    text: &str,
    bytes: usize,
    lists: &[&str],
    take: &mut dyn FnMut(Documents, usize) -> PartResult,
) -> Documents {
    Reader::of(text, Some(Parting { bytes, since: 0, lists, take })).all()
}

/// The division of a text into parts.
struct Parting<'p> {
    bytes: usize,
    /// The beginning of the present part.
    since: usize,
    /// The names of lists that may be divided.
    lists: &'p [&'p str],
    take: &'p mut dyn FnMut(Documents, usize) -> PartResult,
}

struct Reader<'t, 'p> {
    text: &'t str,
    at: usize,
    /// The values of the present part.
    values: Vec<Node>,
    fault: Option<JsonFault>,
    comments: Vec<Span>,
    twice: Vec<Span>,
    /// The fields that lead to the present value, with the places of their names and objects.
    path: Vec<(String, Span, Span)>,
    parting: Option<Parting<'p>>,
}

impl<'t, 'p> Reader<'t, 'p> {
    fn of(text: &'t str, parting: Option<Parting<'p>>) -> Self {
        let (values, comments, twice, path) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
        Reader { text, at: 0, values, fault: None, comments, twice, path, parting }
    }

    fn all(mut self) -> Documents {
        let mut first = true;
        while self.fault.is_none() {
            self.blanks();
            // Values in a row may be separated by commas.
            while !first && self.eat(b',') {
                self.blanks();
            }
            if self.at >= self.text.len() {
                break;
            }
            first = false;
            let value = self.value(0);
            self.values.extend(value);
            if self.part_is_full() {
                self.part(None);
            }
        }
        let Reader { values, fault, comments, twice, .. } = self;
        Documents { values, fault, comments, twice }
    }

    fn part_is_full(&self) -> bool {
        self.parting.as_ref().is_some_and(|parting| self.at - parting.since >= parting.bytes) && self.fault.is_none()
    }

    /// Returns whether the present list, so deep, may be divided. One within another list may not.
    fn may_divide(&self, depth: usize) -> bool {
        let named = |(name, ..): &(String, Span, Span)| {
            self.parting.as_ref().is_some_and(|parting| parting.lists.contains(&name.as_str()))
        };
        self.path.len() == depth && self.path.last().is_none_or(named)
    }

    /// Passes on the present part, with the elements of a list that is not read to its end. Returns those that were not taken.
    fn part(&mut self, list: Option<Node>) -> Option<Node> {
        let Some(parting) = &mut self.parting else { return list };
        let in_list = list.is_some();
        let wrapped = list.map(|list| {
            self.path.iter().rev().fold(list, |node, (name, name_span, span)| Node {
                value: Value::Object(vec![Field { name: name.clone(), name_span: *name_span, node }]),
                span: *span,
            })
        });
        let mut values = std::mem::take(&mut self.values);
        values.extend(wrapped);
        parting.since = self.at;
        let documents = Documents { values, fault: None, comments: Vec::new(), twice: Vec::new() };
        match (parting.take)(documents, self.at) {
            PartResult::Taken => None,
            PartResult::Leave => self.fail(self.at, "the rest was not read"),
            PartResult::Whole(documents) => {
                self.parting = None;
                self.values = documents.values;
                let mut list = if in_list { self.values.pop() } else { None };
                for _ in 0..self.path.len() {
                    list = list.and_then(|node| match node.value {
                        Value::Object(mut fields) => fields.pop().map(|field| field.node),
                        _ => None,
                    });
                }
                list
            }
        }
    }

    fn peek(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at).copied()
    }

    fn rest(&self) -> &'t str {
        self.text.get(self.at..).unwrap_or("")
    }

    fn eat(&mut self, byte: u8) -> bool {
        let there = self.peek() == Some(byte);
        self.at += usize::from(there);
        there
    }

    fn fail<T>(&mut self, at: usize, what: impl Into<String>) -> Option<T> {
        if self.fault.is_none() {
            self.fault = Some(JsonFault { at, what: what.into() });
        }
        None
    }

    /// Skips blanks and C comments.
    fn blanks(&mut self) {
        loop {
            let rest = self.rest();
            let bare = rest.trim_start_matches(|c: char| c.is_whitespace() || c == '\u{feff}');
            self.at += rest.len() - bare.len();
            let start = self.at;
            let len = if bare.starts_with("//") {
                bare.find('\n').unwrap_or(bare.len())
            } else if bare.starts_with("/*") {
                bare.find("*/").map_or(bare.len(), |end| end + 2)
            } else {
                return;
            };
            self.at += len;
            self.comments.push(Span::new(start, self.at));
        }
    }

    fn value(&mut self, depth: usize) -> Option<Node> {
        let start = self.at;
        if depth > DEPTH {
            return self.fail(start, format!("more than {DEPTH} objects and lists stand within each other"));
        }
        let value = match self.peek() {
            None => return self.fail(start, "the text ends where a value has to be"),
            Some(b'{') => return Some(self.object(depth)),
            Some(b'[') => return Some(self.list(depth)),
            Some(b'"') => Value::Text(self.text()?),
            Some(b'-' | b'0'..=b'9') => self.number(),
            Some(_) => self.word()?,
        };
        Some(Node { value, span: Span::new(start, self.at) })
    }

    fn number(&mut self) -> Value {
        let rest = self.rest();
        let end = rest.find(|c: char| !(c.is_ascii_alphanumeric() || "+-.".contains(c))).unwrap_or(rest.len());
        let word = rest[..end].to_owned();
        self.at += end;
        let whole = word.strip_prefix('-').unwrap_or(&word).bytes().all(|b| b.is_ascii_digit());
        if whole { Value::Int(word) } else { Value::Float(word) }
    }

    fn word(&mut self) -> Option<Value> {
        let rest = self.rest();
        let end = rest.find(|c: char| !c.is_ascii_alphanumeric()).unwrap_or(rest.len());
        let word = &rest[..end];
        let value = match word {
            "true" => Value::Bool(true),
            "false" => Value::Bool(false),
            "null" => Value::Null,
            // The ResourceManager's answers contain these unquoted (formats.md 5.1).
            "NaN" | "Infinity" => Value::Float(word.to_owned()),
            _ => {
                let shown: String = rest.chars().take(end.clamp(1, 20)).collect();
                return self.fail(self.at, format!("`{shown}` is no value"));
            }
        };
        self.at += end;
        Some(value)
    }

    fn text(&mut self) -> Option<String> {
        let start = self.at;
        self.at += 1;
        let mut out = String::new();
        loop {
            let rest = self.rest();
            let Some(stop) = rest.find(['"', '\\']) else {
                self.at = self.text.len();
                return self.fail(start, "a text begins here and does not end");
            };
            out.push_str(&rest[..stop]);
            let quote = rest.as_bytes()[stop] == b'"';
            self.at += stop + 1;
            if quote {
                return Some(out);
            }
            let at = self.at - 1;
            let Some(letter) = self.rest().chars().next() else {
                return self.fail(start, "a text begins here and does not end");
            };
            self.at += letter.len_utf8();
            match letter {
                'n' => out.push('\n'),
                't' => out.push('\t'),
                'r' => out.push('\r'),
                'b' => out.push('\u{8}'),
                'f' => out.push('\u{c}'),
                'u' => match self.unicode() {
                    Some(c) => out.push(c),
                    None => return self.fail(at, "`\\u` without four digits"),
                },
                other => out.push(other),
            }
        }
    }

    fn unit(&mut self) -> Option<u32> {
        let digits = self.rest().get(..4)?;
        let unit = u32::from_str_radix(digits, 16).ok()?;
        self.at += 4;
        Some(unit)
    }

    /// Reads the character of an escape; an unpaired surrogate becomes the replacement character.
    fn unicode(&mut self) -> Option<char> {
        let high = self.unit()?;
        if (0xd800..0xdc00).contains(&high) && self.rest().starts_with("\\u") {
            let before = self.at;
            self.at += 2;
            if let Some(low) = self.unit().filter(|low| (0xdc00..0xe000).contains(low)) {
                return char::from_u32(0x1_0000 + ((high - 0xd800) << 10) + (low - 0xdc00));
            }
            self.at = before;
        }
        Some(char::from_u32(high).unwrap_or('\u{fffd}'))
    }

    fn object(&mut self, depth: usize) -> Node {
        let span = Span::new(self.at, self.at + 1);
        self.at += 1;
        let mut fields: Vec<Field> = Vec::new();
        let mut names = std::collections::BTreeSet::new();
        loop {
            self.blanks();
            if self.eat(b'}') {
                break;
            }
            if !fields.is_empty() && !self.eat(b',') {
                let _: Option<()> = self.fail(self.at, "a comma or } has to be here");
                break;
            }
            self.blanks();
            let start = self.at;
            if self.eat(b'}') {
                // A trailing comma.
                break;
            }
            if self.peek() != Some(b'"') {
                let what = if self.at >= self.text.len() {
                    "the text ends within an object"
                } else {
                    "a name in quotes has to be here"
                };
                let _: Option<()> = self.fail(start, what);
                break;
            }
            let Some(name) = self.text() else { break };
            let name_span = Span::new(start, self.at);
            self.blanks();
            if !self.eat(b':') {
                let _: Option<()> = self.fail(self.at, "a colon has to be here");
                break;
            }
            self.blanks();
            if !names.insert(name.clone()) {
                self.twice.push(name_span);
            }
            // Lists of records are not deeper.
            let leads = self.parting.is_some() && depth < 2;
            if leads {
                self.path.push((name.clone(), name_span, span));
            }
            let node = self.value(depth + 1);
            if leads {
                self.path.pop();
            }
            let Some(node) = node else { break };
            fields.push(Field { name, name_span, node });
            if self.fault.is_some() {
                break;
            }
        }
        Node { value: Value::Object(fields), span }
    }

    fn list(&mut self, depth: usize) -> Node {
        let span = Span::new(self.at, self.at + 1);
        self.at += 1;
        let mut items: Vec<Node> = Vec::new();
        let mut first = true;
        loop {
            self.blanks();
            if self.eat(b']') {
                break;
            }
            if !first && !self.eat(b',') {
                let what = if self.at >= self.text.len() {
                    "the text ends within a list"
                } else {
                    "a comma or ] has to be here"
                };
                let _: Option<()> = self.fail(self.at, what);
                break;
            }
            self.blanks();
            if self.eat(b']') {
                break;
            }
            let Some(item) = self.value(depth + 1) else { break };
            first = false;
            items.push(item);
            if self.fault.is_some() {
                break;
            }
            if self.part_is_full() && self.may_divide(depth) {
                let part = Node { value: Value::Array(std::mem::take(&mut items)), span };
                if let Some(Node { value: Value::Array(left), .. }) = self.part(Some(part)) {
                    items = left;
                }
            }
        }
        Node { value: Value::Array(items), span }
    }
}

/// Accessors that read the output of the ResourceManager's two JSON writers and XML alike (formats.md 5.1).
pub trait Loose {
    /// Returns the value of a field; `None` for null or a missing field.
    fn get(&self, name: &str) -> Option<&Node>;
    /// Returns the values at the end of a path of fields, each of which is a list or a single element.
    fn list(&self, path: &[&str]) -> Vec<&Node>;
    /// Returns a text, a number or a truth value, as a text.
    fn text(&self) -> Option<&str>;
    /// Returns a whole number, even if written as a text or with `.0`.
    fn int(&self) -> Option<i64>;
    fn float(&self) -> Option<f64>;
    fn bool(&self) -> Option<bool>;
    /// Returns a map: `{"entry": [{"key", "value"}]}`, one entry as an object, or a plain object.
    fn map(&self) -> Vec<(&str, &Node)>;
    /// Returns the text of a field, if present and not empty.
    fn word(&self, name: &str) -> Option<&str> {
        self.get(name).and_then(|n| n.text()).filter(|t| !t.is_empty())
    }
    /// Returns the whole number of a field.
    fn number(&self, name: &str) -> Option<i64> {
        self.get(name).and_then(|n| n.int())
    }
}

impl Loose for Node {
    fn get(&self, name: &str) -> Option<&Node> {
        self.field(name).map(|f| &f.node).filter(|n| n.value != Value::Null)
    }

    fn list(&self, path: &[&str]) -> Vec<&Node> {
        let mut at = self;
        for name in path {
            let Some(next) = at.get(name) else { return Vec::new() };
            at = next;
        }
        match &at.value {
            Value::Array(items) => items.iter().collect(),
            Value::Object(fields) if fields.is_empty() => Vec::new(),
            Value::Text(text) if text.is_empty() => Vec::new(),
            Value::Null => Vec::new(),
            _ => vec![at],
        }
    }

    fn text(&self) -> Option<&str> {
        match &self.value {
            Value::Text(t) | Value::Int(t) | Value::Float(t) => Some(t),
            Value::Bool(true) => Some("true"),
            Value::Bool(false) => Some("false"),
            Value::Array(items) => match items.as_slice() {
                [one] => one.text(),
                _ => None,
            },
            Value::Null | Value::Object(_) => None,
        }
    }

    fn int(&self) -> Option<i64> {
        let text = self.text()?.trim();
        let whole = text.parse::<i64>().ok();
        whole.or_else(|| {
            text.parse::<f64>().ok().filter(|f| f.is_finite() && f.fract() == 0.0 && f.abs() < 9e15).map(|f| f as i64)
        })
    }

    fn float(&self) -> Option<f64> {
        self.text()?.trim().parse::<f64>().ok().filter(|f| f.is_finite())
    }

    fn bool(&self) -> Option<bool> {
        match self.text()?.trim() {
            "true" => Some(true),
            "false" => Some(false),
            _ => None,
        }
    }

    fn map(&self) -> Vec<(&str, &Node)> {
        if self.get("entry").is_some() {
            return self
                .list(&["entry"])
                .into_iter()
                .filter_map(|e| Some((e.field("key")?.node.text()?, &e.field("value")?.node)))
                .collect();
        }
        self.fields().iter().map(|f| (f.name.as_str(), &f.node)).collect()
    }
}
