//! Reading the values for fields from the text.

use heddle_core::scenario::units;
use heddle_view::{How, Span, Step};
use toml_edit::{Document, Item, Table, Value};

/// The contents of the text for forms: values as they are written, without quotes.
#[derive(Default)]
pub struct FormText {
    document: Option<Document<String>>,
}

impl FormText {
    /// Reads the text; a text with an error appears empty.
    pub fn new(text: &str) -> Self {
        FormText { document: Document::parse(text.to_owned()).ok() }
    }

    /// Returns whether the text can be read, so that forms can change it.
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

    /// Returns a value, or "" if there is none. Lists are joined with commas.
    pub fn text(&self, path: &[Step]) -> String {
        let value = match self.item(path) {
            Some(Here::Item(Item::Value(v)) | Here::Value(v)) => v,
            _ => return String::new(),
        };
        plain(value)
    }

    /// Returns a value in the form that its field shows and writes.
    pub fn value(&self, path: &[Step], how: How) -> String {
        if how == How::Size { self.size(path) } else { self.text(path) }
    }

    /// Returns a size as one text, such as `8 GB/4, yarn.io/gpu=2`, whether it is written as a text, as a table, or in
    /// separate keys.
    pub fn size(&self, path: &[Step]) -> String {
        let value = |path: &[Step], key: &str| {
            let path: Vec<Step> = path.iter().cloned().chain([Step::from(key)]).collect();
            self.text(&path)
        };
        let Some((_, entry)) = path.split_last() else { return String::new() };
        let whole = self.text(path);
        let resources: Vec<Step> = entry.iter().cloned().chain([Step::from("resources")]).collect();
        let mut more = self.named(path, &["memory", "vcores"]);
        more.extend(self.named(&resources, &[]));
        let part = |key: &str| Some(value(entry, key)).filter(|t| !t.is_empty()).unwrap_or_else(|| value(path, key));
        let (memory, vcores) = (part("memory"), part("vcores"));
        if memory.is_empty() && vcores.is_empty() && more.is_empty() {
            return whole;
        }
        // Separate keys override what the text has.
        let said = units::parse_size(&whole).unwrap_or_default();
        let in_mb = memory.parse::<i64>().map(|mb| format!("{mb} MB"));
        let memory = match (in_mb, said.memory_mb) {
            (Ok(memory), _) => memory,
            (Err(_), Some(mb)) if memory.is_empty() => units::memory_text(mb),
            (Err(_), _) => memory,
        };
        let vcores = if vcores.is_empty() { said.vcores.map(|n| n.to_string()).unwrap_or_default() } else { vcores };
        let first = match (memory.is_empty(), vcores.is_empty()) {
            (false, false) => format!("{memory}/{vcores}"),
            (false, true) => memory,
            (true, false) => format!("vcores={vcores}"),
            (true, true) => String::new(),
        };
        let said = said.more.into_iter().filter(|(name, _)| !more.iter().any(|(n, _)| n == name)).collect::<Vec<_>>();
        let said = said.iter().map(|(name, n)| format!("{name}={n}"));
        let more = more.iter().map(|(name, n)| format!("{name}={n}"));
        [first].into_iter().filter(|first| !first.is_empty()).chain(said).chain(more).collect::<Vec<_>>().join(", ")
    }

    /// Returns the values of a table by their names, except some.
    fn named(&self, path: &[Step], but: &[&str]) -> Vec<(String, String)> {
        let named = |k: &str, v: &Value| (!but.contains(&k)).then(|| (k.to_owned(), plain(v)));
        match self.item(path) {
            Some(Here::Item(i)) => {
                let table = i.as_table_like().into_iter().flat_map(|t| t.iter());
                table.filter_map(|(k, i)| named(k, i.as_value()?)).collect()
            }
            Some(Here::Value(Value::InlineTable(t))) => t.iter().filter_map(|(k, v)| named(k, v)).collect(),
            _ => Vec::new(),
        }
    }

    /// Returns the place of a value in the text.
    pub fn span(&self, path: &[Step]) -> Option<Span> {
        let span = match self.item(path)? {
            Here::Item(i) => i.span(),
            Here::Table(t) => t.span(),
            Here::Value(v) => v.span(),
        };
        span.map(|s| Span::new(s.start, s.end))
    }

    /// Returns the number of entries in a list.
    pub fn len(&self, path: &[Step]) -> usize {
        match self.item(path) {
            Some(Here::Item(Item::ArrayOfTables(l))) => l.len(),
            Some(Here::Item(Item::Value(Value::Array(l))) | Here::Value(Value::Array(l))) => l.len(),
            _ => 0,
        }
    }

    /// Returns the `name=value` pairs of a table, joined with commas.
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

/// A place in a text opened for reading only.
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
