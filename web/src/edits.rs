//! What forms do to the scenario's text. Only the place that changes is touched: comments and layout stay.

use crate::path;
use heddle_core::scenario::units::time_text;
use toml_edit::{Array, ArrayOfTables, DocumentMut, InlineTable, Item, Table, TableLike, Value, value};

/// One step into the document.
#[derive(Clone, Debug, PartialEq)]
pub enum Key {
    /// Into a table.
    Name(String),
    /// Into a list of tables.
    At(usize),
}

impl From<&str> for Key {
    fn from(name: &str) -> Self {
        Key::Name(name.to_owned())
    }
}
impl From<String> for Key {
    fn from(name: String) -> Self {
        Key::Name(name)
    }
}
impl From<usize> for Key {
    fn from(at: usize) -> Self {
        Key::At(at)
    }
}

/// A path such as `["apps", 2, "spec"]`.
#[macro_export]
macro_rules! path {
    ($($key:expr),+ $(,)?) => { &[$($crate::edits::Key::from($key)),+] };
}

fn parse(text: &str) -> Result<DocumentMut, String> {
    text.parse().map_err(|_| "The text has an error; mend it first, then the form can change it.".to_owned())
}

/// A text as a value: with more than one line it stands between `'''` if it can, letter for letter.
pub fn text_value(text: &str) -> Value {
    if text.contains('\n') && !text.contains("'''") && !text.ends_with('\'') && !text.contains('\r') {
        if let Ok(value) = format!("'''\n{text}'''").parse::<Value>() {
            return value;
        }
    }
    Value::from(text)
}

/// Puts a value at a path; tables on the way are made.
pub fn set(text: &str, path: &[Key], new: impl Into<Value>) -> Result<String, String> {
    let mut document = parse(text)?;
    let (Key::Name(name), way) = path.split_last().ok_or("nothing to set")? else {
        return Err(gone(path));
    };
    let Some(Place::Table(table)) = walk(&mut document, way, true) else { return Err(gone(path)) };
    match table.get_mut(name).and_then(Item::as_value_mut) {
        Some(old) => {
            let decor = old.decor().clone();
            *old = new.into();
            *old.decor_mut() = decor;
        }
        None => {
            table.insert(name, value(new));
        }
    }
    Ok(document.to_string())
}

/// Takes away what stands at a path; nothing there is fine.
pub fn remove(text: &str, path: &[Key]) -> Result<String, String> {
    let mut document = parse(text)?;
    let (last, way) = path.split_last().ok_or("nothing to remove")?;
    match (walk(&mut document, way, false), last) {
        (Some(Place::Table(table)), Key::Name(name)) => {
            table.remove(name);
        }
        (Some(Place::Tables(list)), Key::At(at)) if *at < list.len() => {
            list.remove(*at);
        }
        (Some(Place::Array(list)), Key::At(at)) if *at < list.len() => {
            list.remove(*at);
        }
        _ => {}
    }
    Ok(document.to_string())
}

/// Adds an entry at the end of a list of tables; `entry` is TOML, such as `name = "n3"`.
pub fn push(text: &str, list: &str, entry: &str) -> Result<String, String> {
    push_in(text, &[], list, entry)
}

/// The same for a list inside a table.
pub fn push_in(text: &str, way: &[Key], list: &str, entry: &str) -> Result<String, String> {
    let mut document = parse(text)?;
    let mut table: Table = entry.parse::<DocumentMut>().map_err(|e| e.to_string())?.as_table().clone();
    table.set_implicit(false);
    let Some(Place::Table(parent)) = walk(&mut document, way, true) else { return Err(gone(way)) };
    let item = parent.entry(list).or_insert_with(|| Item::ArrayOfTables(ArrayOfTables::new()));
    match place(item) {
        Some(Place::Tables(tables)) => {
            table.decor_mut().set_prefix("\n");
            tables.push(table);
        }
        Some(Place::Array(array)) => {
            let mut inline = table.into_inline_table();
            inline.fmt();
            array.push(Value::InlineTable(inline));
        }
        _ => return Err(gone(&[Key::from(list)])),
    }
    Ok(document.to_string())
}

fn gone(path: &[Key]) -> String {
    let names: Vec<String> = path
        .iter()
        .map(|k| match k {
            Key::Name(n) => n.clone(),
            Key::At(i) => (i + 1).to_string(),
        })
        .collect();
    format!("`{}` is not written as this form expects; change it in the text.", names.join(" "))
}

/// What stands in the text, for forms: values as they are written, without quotes.
pub struct Written {
    document: Option<DocumentMut>,
}

impl Written {
    /// Reads the text; one with an error has nothing in it.
    pub fn new(text: &str) -> Self {
        Written { document: text.parse().ok() }
    }

    /// Can the text be read at all, so that forms can change it?
    pub fn readable(&self) -> bool {
        self.document.is_some()
    }

    fn item(&self, path: &[Key]) -> Option<Here<'_>> {
        let mut here = Here::Item(self.document.as_ref()?.as_item());
        for key in path {
            here = match (here, key) {
                (Here::Item(i), Key::Name(name)) => Here::Item(i.as_table_like()?.get(name)?),
                (Here::Item(i), Key::At(at)) => match i.as_array_of_tables() {
                    Some(list) => Here::Table(list.get(*at)?),
                    None => Here::Value(i.as_array()?.get(*at)?),
                },
                (Here::Table(t), Key::Name(name)) => Here::Item(t.get(name)?),
                (Here::Value(v), Key::Name(name)) => Here::Value(v.as_inline_table()?.get(name)?),
                (Here::Value(v), Key::At(at)) => Here::Value(v.as_array()?.get(*at)?),
                (Here::Table(_), Key::At(_)) => return None,
            };
        }
        Some(here)
    }

    /// A value; "" when it is not there. Lists are joined with commas.
    pub fn text(&self, path: &[Key]) -> String {
        let value = match self.item(path) {
            Some(Here::Item(Item::Value(v)) | Here::Value(v)) => v,
            _ => return String::new(),
        };
        plain(value)
    }

    /// How many entries a list has.
    pub fn len(&self, path: &[Key]) -> usize {
        match self.item(path) {
            Some(Here::Item(Item::ArrayOfTables(l))) => l.len(),
            Some(Here::Item(Item::Value(Value::Array(l))) | Here::Value(Value::Array(l))) => l.len(),
            _ => 0,
        }
    }

    /// `name=value` pairs of a table, joined with commas.
    pub fn pairs(&self, path: &[Key]) -> String {
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

/// What was typed into a field, as TOML: a whole number as one, everything else as a text.
pub fn typed(text: &str) -> Value {
    match text.trim().parse::<i64>() {
        Ok(n) if !text.trim().starts_with('+') => Value::from(n),
        _ => Value::from(text.trim()),
    }
}

/// Puts what was typed at a path; nothing typed takes it away.
pub fn put(text: &str, path: &[Key], written: &str) -> Result<String, String> {
    if written.trim().is_empty() { remove(text, path) } else { set(text, path, typed(written)) }
}

/// The same, always as a text.
pub fn put_text(text: &str, path: &[Key], written: &str) -> Result<String, String> {
    if written.trim().is_empty() { remove(text, path) } else { set(text, path, written.trim()) }
}

/// Puts a table of `name=value` pairs.
pub fn put_pairs(text: &str, path: &[Key], written: &str) -> Result<String, String> {
    let mut table = InlineTable::new();
    for pair in written.split(',').map(str::trim).filter(|p| !p.is_empty()) {
        let (name, value) = pair.split_once('=').ok_or_else(|| format!("`{pair}` has no `=`: write name=value."))?;
        table.insert(name.trim(), Value::from(value.trim()));
    }
    if table.is_empty() { remove(text, path) } else { set(text, path, table) }
}

/// Something with things in it.
enum Place<'a> {
    /// A table, written either way.
    Table(&'a mut dyn TableLike),
    /// `[[list]]`.
    Tables(&'a mut ArrayOfTables),
    /// `[ … ]`.
    Array(&'a mut Array),
}

fn place(item: &mut Item) -> Option<Place<'_>> {
    match item {
        Item::Table(t) => Some(Place::Table(t)),
        Item::ArrayOfTables(l) => Some(Place::Tables(l)),
        Item::Value(v) => value_place(v),
        Item::None => None,
    }
}

fn value_place(value: &mut Value) -> Option<Place<'_>> {
    match value {
        Value::InlineTable(t) => Some(Place::Table(t)),
        Value::Array(l) => Some(Place::Array(l)),
        _ => None,
    }
}

fn walk<'a>(document: &'a mut DocumentMut, way: &[Key], make: bool) -> Option<Place<'a>> {
    let mut here = Place::Table(document.as_table_mut());
    for (depth, key) in way.iter().enumerate() {
        here = match (here, key) {
            (Place::Table(t), Key::Name(name)) => {
                if make && t.get(name).is_none() {
                    let mut new = Table::new();
                    // `[capacity-scheduler]` gets a heading, `root.a.capacity` in it stays one line.
                    new.set_dotted(depth > 0);
                    t.insert(name, Item::Table(new));
                }
                place(t.get_mut(name)?)?
            }
            (Place::Tables(l), Key::At(at)) => Place::Table(l.get_mut(*at)?),
            (Place::Array(l), Key::At(at)) => value_place(l.get_mut(*at)?)?,
            _ => return None,
        };
    }
    Some(here)
}

/// The title.
pub fn set_title(text: &str, title: &str) -> Result<String, String> {
    set(text, path!["title"], title)
}

/// The text of a file of the scenario.
pub fn set_file(text: &str, name: &str, content: &str) -> Result<String, String> {
    set(text, path!["files", name], text_value(content))
}

/// A node of this name, otherwise like the last one written; it registers at `at_ms`.
pub fn add_node_like_last(text: &str, name: &str, at_ms: i64) -> Result<String, String> {
    let mut document = parse(text)?;
    let list = document.get_mut("nodes").ok_or_else(|| gone(path!["nodes"]))?;
    let change = |t: &mut dyn TableLike| {
        for key in ["count", "racks", "at", "port"] {
            t.remove(key);
        }
        t.insert("name", value(name));
        if at_ms > 0 {
            t.insert("at", value(time_text(at_ms)));
        }
    };
    match place(list) {
        Some(Place::Tables(list)) => {
            let mut last = list.iter().last().cloned().ok_or_else(|| gone(path!["nodes"]))?;
            // A group over several racks: the new one joins the last of them.
            if let Some(rack) = last_rack(&last) {
                last.insert("rack", value(rack));
            }
            change(&mut last);
            last.set_position(None);
            last.decor_mut().set_prefix("\n");
            list.push(last);
        }
        Some(Place::Array(list)) => {
            let last = list.iter().last().and_then(Value::as_inline_table).cloned();
            let mut last = last.ok_or_else(|| gone(path!["nodes"]))?;
            change(&mut last);
            list.push(last);
        }
        _ => return Err(gone(path!["nodes"])),
    }
    Ok(document.to_string())
}

fn last_rack(node: &Table) -> Option<String> {
    let racks = node.get("racks")?;
    match racks.as_integer() {
        Some(n) => Some(format!("/r{n}")),
        None => racks.as_array()?.iter().last()?.as_str().map(str::to_owned),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "heddle = 1\ntitle = \"a\" # why\n\n[[nodes]] # two\nname = \"n\"\ncount = 2\nsize = \"8 GB/4\"\n\n\
        [[apps]]\nname = \"zk\"\ntasks = [{ count = 4 }]\n";

    #[test]
    fn comments_stay() {
        let text = set_title(TEXT, "b").unwrap();
        assert!(text.contains("title = \"b\" # why"), "{text}");
        let text = set(&text, path!["apps", 0, "tasks", 0, "count"], 5).unwrap();
        assert!(text.contains("tasks = [{ count = 5 }]"), "{text}");
        let text = set(&text, path!["timing", "launch"], "2 s").unwrap();
        assert!(text.contains("[timing]\nlaunch = \"2 s\""), "{text}");
        assert!(text.contains("[[nodes]] # two"));
    }

    #[test]
    fn a_node_like_the_last() {
        let text = add_node_like_last(TEXT, "n3", 37_000).unwrap();
        let scenario = heddle_core::scenario::read(&text);
        let scenario = scenario.scenario.expect("reads");
        assert_eq!(scenario.nodes.len(), 3);
        assert_eq!((scenario.nodes[2].spec.host.as_str(), scenario.nodes[2].at), ("n3", 37_000));
    }

    #[test]
    fn entries_come_and_go() {
        let text = push(TEXT, "apps", "name = \"b\"\nat = \"5 s\"\ntasks = [{ count = 1 }]").unwrap();
        assert_eq!(heddle_core::scenario::read(&text).scenario.expect("reads").apps.len(), 2);
        let text = remove(&text, path!["apps", 0]).unwrap();
        assert!(!text.contains("zk") && text.contains("\"b\""));
        assert_eq!(remove("a = 1\n", path!["b", "c"]), Ok("a = 1\n".into()));
        assert!(set("= =", path!["title"], "x").is_err());
    }

    #[test]
    fn files_stand_letter_for_letter() {
        let xml = "<configuration>\n  <property/>\n</configuration>\n";
        let text = set_file(TEXT, "capacity-scheduler.xml", xml).unwrap();
        assert!(text.contains(xml), "{text}");
        let odd = "it's '''\n";
        let text = set_file(TEXT, "yarn-site.xml", odd).unwrap();
        let document: DocumentMut = text.parse().unwrap();
        assert_eq!(document["files"]["yarn-site.xml"].as_str(), Some(odd));
    }
}
