//! Reading what is written in a field.

use heddle_view::{Span, Step};
use toml_edit::{Document, Item, Table, Value};

/// What stands in the text, for forms: values as they are written, without quotes.
#[derive(Default)]
pub struct Written {
    document: Option<Document<String>>,
}

impl Written {
    /// Reads the text; one with an error has nothing in it.
    pub fn new(text: &str) -> Self {
        Written { document: Document::parse(text.to_owned()).ok() }
    }

    /// Can the text be read at all, so that forms can change it?
    pub fn readable(&self) -> bool {
        self.document.is_some()
    }

    fn item(&self, path: &[Step]) -> Option<Here<'_>> {
        let mut here = Here::Item(self.document.as_ref()?.as_item());
        for key in path {
            here = match (here, key) {
                (Here::Item(i), Step::Name(name)) => Here::Item(i.as_table_like()?.get(name)?),
                // A list of one may be written without its brackets.
                (Here::Item(i), Step::At(0)) if i.is_table_like() => Here::Item(i),
                (Here::Item(i), Step::At(at)) => match i.as_array_of_tables() {
                    Some(list) => Here::Table(list.get(*at)?),
                    None => Here::Value(i.as_array()?.get(*at)?),
                },
                (Here::Table(t), Step::Name(name)) => Here::Item(t.get(name)?),
                (Here::Value(v), Step::Name(name)) => Here::Value(v.as_inline_table()?.get(name)?),
                (Here::Value(v), Step::At(at)) => Here::Value(v.as_array()?.get(*at)?),
                (Here::Table(_), Step::At(_)) => return None,
            };
        }
        Some(here)
    }

    /// A value; "" when it is not there. Lists are joined with commas.
    pub fn text(&self, path: &[Step]) -> String {
        let value = match self.item(path) {
            Some(Here::Item(Item::Value(v)) | Here::Value(v)) => v,
            _ => return String::new(),
        };
        plain(value)
    }

    /// Where a value stands in the text.
    pub fn span(&self, path: &[Step]) -> Option<Span> {
        let span = match self.item(path)? {
            Here::Item(i) => i.span(),
            Here::Table(t) => t.span(),
            Here::Value(v) => v.span(),
        };
        span.map(|s| Span::new(s.start, s.end))
    }

    /// How many entries a list has.
    pub fn len(&self, path: &[Step]) -> usize {
        match self.item(path) {
            Some(Here::Item(Item::ArrayOfTables(l))) => l.len(),
            Some(Here::Item(Item::Value(Value::Array(l))) | Here::Value(Value::Array(l))) => l.len(),
            _ => 0,
        }
    }

    /// `name=value` pairs of a table, joined with commas.
    pub fn pairs(&self, path: &[Step]) -> String {
        let pairs: Vec<String> = match self.item(path) {
            Some(Here::Item(i)) => match i.as_table_like() {
                Some(t) => t.iter().filter_map(|(k, i)| Some(format!("{k}={}", plain(i.as_value()?)))).collect(),
                None => vec![],
            },
            Some(Here::Value(Value::InlineTable(t))) => t.iter().map(|(k, v)| format!("{k}={}", plain(v))).collect(),
            _ => vec![],
        };
        pairs.join(", ")
    }
}

/// A place in a text that is only read.
enum Here<'a> {
    Item(&'a Item),
    Table(&'a Table),
    Value(&'a Value),
}

fn plain(value: &Value) -> String {
    match value {
        Value::String(s) => s.value().clone(),
        Value::Integer(n) => n.value().to_string(),
        Value::Float(f) => f.value().to_string(),
        Value::Boolean(b) => b.value().to_string(),
        Value::Datetime(d) => d.value().to_string(),
        Value::Array(a) => a.iter().map(plain).collect::<Vec<_>>().join(", "),
        Value::InlineTable(_) => String::new(),
    }
}
