//! What forms do with the scenario's text: reading what is written in a field, and writing what was typed. The changes
//! themselves are the core's ([`heddle_core::scenario::edit`]); here is what fields need beyond them.

use heddle_core::scenario::edit::{self, Setting};
use toml_edit::{ArrayOfTables, DocumentMut, InlineTable, Item, Table, Value};

pub use heddle_core::scenario::edit::{Step as Key, set_file};

/// A path such as `["apps", 2, "spec"]`.
#[macro_export]
macro_rules! path {
    ($($key:expr),+ $(,)?) => { &[$($crate::edits::Key::from($key)),+] };
}

/// Puts a value at a path.
pub fn set(text: &str, path: &[Key], setting: Setting) -> Result<String, String> {
    edit::set(text, path, &setting)
}

/// Takes away what stands at a path; nothing there is fine.
pub fn remove(text: &str, path: &[Key]) -> Result<String, String> {
    match path {
        [Key::Name(list), Key::At(at)] => edit::remove_entry(text, list, *at),
        [.., Key::At(_)] => change_list(text, path, |list, at| match list {
            List::Tables(l) => {
                l.remove(at);
            }
            List::Array(l) => {
                l.remove(at);
            }
        }),
        _ => edit::set(text, path, &Setting::Nothing),
    }
}

/// Puts what was typed at a path; nothing typed takes it away.
pub fn put(text: &str, path: &[Key], written: &str) -> Result<String, String> {
    edit::set(text, path, &Setting::typed(written))
}

/// The same, always as a text.
pub fn put_text(text: &str, path: &[Key], written: &str) -> Result<String, String> {
    let setting = if written.trim().is_empty() { Setting::Nothing } else { Setting::Text(written.trim().into()) };
    edit::set(text, path, &setting)
}

/// Puts a comma-separated list of texts.
pub fn put_list(text: &str, path: &[Key], written: &str) -> Result<String, String> {
    let list: Vec<String> = written.split(',').map(str::trim).filter(|p| !p.is_empty()).map(str::to_owned).collect();
    edit::set(text, path, &if list.is_empty() { Setting::Nothing } else { Setting::List(list) })
}

/// Puts a table of `name=value` pairs.
pub fn put_pairs(text: &str, path: &[Key], written: &str) -> Result<String, String> {
    let mut table = InlineTable::new();
    for pair in written.split(',').map(str::trim).filter(|p| !p.is_empty()) {
        let (name, value) = pair.split_once('=').ok_or_else(|| format!("`{pair}` has no `=`: write name=value."))?;
        table.insert(name.trim(), Value::from(value.trim()));
    }
    let toml = Value::InlineTable(table.clone()).to_string();
    edit::set(text, path, &if table.is_empty() { Setting::Nothing } else { Setting::Toml(toml) })
}

/// Sets a property in the scenario's short form.
pub fn put_property(text: &str, table: &str, property: &str, written: &str) -> Result<String, String> {
    edit::set_property(text, table, property, &Setting::typed(written))
}

/// Adds an entry at the end of a list of tables; `entry` is TOML, such as `name = "n3"`.
pub fn push(text: &str, list: &str, entry: &str) -> Result<String, String> {
    let table = entry.parse::<DocumentMut>().map_err(|e| e.to_string())?;
    let fields: Vec<(&str, Setting)> =
        table.iter().filter_map(|(k, i)| Some((k, Setting::Toml(i.as_value()?.to_string())))).collect();
    edit::push(text, list, &fields)
}

/// Adds an entry to a list inside an application, such as its tasks.
pub fn push_tasks(text: &str, app: usize, entry: &str) -> Result<String, String> {
    let table: Table = entry.parse::<DocumentMut>().map_err(|e| e.to_string())?.as_table().clone();
    change_list(text, path!["apps", app, "tasks", 0], |list, _| match list {
        List::Tables(l) => l.push(table.clone()),
        List::Array(l) => {
            let mut inline = table.clone().into_inline_table();
            inline.fmt();
            l.push(Value::InlineTable(inline));
        }
    })
}

/// A list inside an entry of a list.
enum List<'a> {
    Tables(&'a mut ArrayOfTables),
    Array(&'a mut toml_edit::Array),
}

/// Changes the list at `[LIST, AT, NAME, at]`.
fn change_list(text: &str, path: &[Key], change: impl FnOnce(List<'_>, usize)) -> Result<String, String> {
    let wrong = || "This is not written as the form expects it; change it in the text.".to_owned();
    let mut document: DocumentMut = text.parse().map_err(|_| "The text has an error; mend it first.".to_owned())?;
    let [Key::Name(outer), Key::At(entry), Key::Name(inner), Key::At(at)] = path else { return Err(wrong()) };
    let entries = document.get_mut(outer).and_then(Item::as_array_of_tables_mut).ok_or_else(wrong)?;
    let entry = entries.get_mut(*entry).ok_or_else(wrong)?;
    // A list of one may be written without its brackets.
    if let Some(Item::Value(Value::InlineTable(one))) = entry.get_mut(inner) {
        let mut list = toml_edit::Array::new();
        list.push(std::mem::take(one));
        entry.insert(inner, Item::Value(Value::Array(list)));
    }
    match entry.get_mut(inner) {
        Some(Item::ArrayOfTables(list)) if *at < list.len().max(1) => change(List::Tables(list), *at),
        Some(Item::Value(Value::Array(list))) if *at < list.len().max(1) => change(List::Array(list), *at),
        _ => return Err(wrong()),
    }
    Ok(document.to_string())
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
                // A list of one may be written without its brackets.
                (Here::Item(i), Key::At(0)) if i.is_table_like() => Here::Item(i),
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

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "heddle = 1\ntitle = \"a\" # why\n\n[[nodes]] # two\nname = \"n\"\ncount = 2\nsize = \"8 GB/4\"\n\n\
        [[apps]]\nname = \"zk\"\ntasks = [{ count = 4 }]\n";

    #[test]
    fn fields_read_and_write() {
        let text = put(TEXT, path!["apps", 0, "tasks", 0, "count"], "5").unwrap();
        assert_eq!(Written::new(&text).text(path!["apps", 0, "tasks", 0, "count"]), "5");
        let text = put_pairs(&text, path!["nodes", 0, "attributes"], "java=17, os=l").unwrap();
        assert_eq!(Written::new(&text).pairs(path!["nodes", 0, "attributes"]), "java=17, os=l");
        let text = put_list(&text, path!["apps", 0, "tags"], "a, b").unwrap();
        assert_eq!(Written::new(&text).text(path!["apps", 0, "tags"]), "a, b");
        let text = put_text(&text, path!["apps", 0, "name"], "").unwrap();
        assert_eq!(Written::new(&text).text(path!["apps", 0, "name"]), "");
        assert!(text.contains("[[nodes]] # two") && text.contains("\"a\" # why"));
    }

    #[test]
    fn entries_come_and_go() {
        let text = push(TEXT, "apps", "name = \"b\"\nat = \"5 s\"\ntasks = [{ count = 1 }]").unwrap();
        assert_eq!(Written::new(&text).len(path!["apps"]), 2);
        let text = push_tasks(&text, 1, "count = 2").unwrap();
        assert_eq!(Written::new(&text).len(path!["apps", 1, "tasks"]), 2);
        let text = remove(&text, path!["apps", 1, "tasks", 0]).unwrap();
        assert_eq!(Written::new(&text).text(path!["apps", 1, "tasks", 0, "count"]), "2");
        let text = remove(&text, path!["apps", 0]).unwrap();
        assert!(!text.contains("zk") && text.contains("\"b\""));
        assert!(put("= =", path!["title"], "x").is_err());
        // A list of one without its brackets.
        let one = "[[apps]]\ntasks = { count = 3 }\n";
        assert_eq!(Written::new(one).text(path!["apps", 0, "tasks", 0, "count"]), "3");
        let four = put(one, path!["apps", 0, "tasks", 0, "count"], "4").unwrap();
        assert_eq!(Written::new(&four).text(path!["apps", 0, "tasks", 0, "count"]), "4");
        let two = push_tasks(&four, 0, "count = 2").unwrap();
        assert_eq!(Written::new(&two).text(path!["apps", 0, "tasks", 1, "count"]), "2");
        assert_eq!(
            Written::new(&remove(&two, path!["apps", 0, "tasks", 0]).unwrap())
                .text(path!["apps", 0, "tasks", 0, "count"]),
            "2"
        );
    }
}
