//! Renames an application or a node, with all references to it.

use super::{Setting, Step, parse, set};
use crate::scenario::document::Scenario;
use crate::scenario::read::read;
use std::collections::BTreeMap;
use toml_edit::{Item, TableLike, Value};

/// Lists whose entries refer to applications and nodes.
const NAMING: [&str; 2] = ["expect", "happenings"];

/// Renames entry number `at` of `apps` or `nodes`. Expectations, happenings, tasks that last until another application
/// ends, and captions that point at it are updated.
pub fn rename(text: &str, list: &str, at: usize, name: &Setting) -> Result<String, String> {
    let renamed = set(text, &[Step::from(list), Step::from(at), Step::from("name")], name)?;
    let names = |text: &str| read(text).scenario.map(|s| names(&s, list, at)).unwrap_or_default();
    let (before, after) = (names(text), names(&renamed));
    if before.len() != after.len() {
        return Ok(renamed);
    }
    let new: BTreeMap<String, String> = before.into_iter().zip(after).filter(|(old, new)| old != new).collect();
    let mut document = parse(&renamed)?;
    let key = if list == "apps" { "app" } else { "node" };
    for naming in NAMING {
        each(document.get_mut(naming), &mut |entry| follow(entry, key, &|old| new.get(old).cloned()));
    }
    if list == "apps" {
        each(document.get_mut("apps"), &mut |app| {
            each(app.get_mut("tasks"), &mut |tasks| follow(tasks, "until", &|old| new.get(old).cloned()));
        });
        each(document.get_mut("captions"), &mut |caption| {
            follow(caption, "select", &|about| {
                let (kind, rest) = about.split_once(':')?;
                let (old, more) = rest.split_at(rest.find('/').unwrap_or(rest.len()));
                let of_app = matches!(kind, "app" | "container" | "request" | "clause");
                let new = new.get(old).filter(|_| of_app)?;
                Some(format!("{kind}:{new}{more}"))
            });
        });
    }
    Ok(document.to_string())
}

/// Returns the names of an entry's applications or nodes.
fn names(s: &Scenario, list: &str, at: usize) -> Vec<String> {
    match list {
        "apps" => s.apps.iter().filter(|a| a.entry == at).map(|a| a.name.clone()).collect(),
        _ => s.nodes.iter().filter(|n| n.entry == at).map(|n| n.spec.host.clone()).collect(),
    }
}

/// Calls `act` for every entry of a list of tables, however the list is written.
fn each(item: Option<&mut Item>, act: &mut dyn FnMut(&mut dyn TableLike)) {
    match item {
        Some(Item::ArrayOfTables(tables)) => tables.iter_mut().for_each(|table| act(table)),
        Some(Item::Value(Value::Array(array))) => {
            array.iter_mut().filter_map(Value::as_inline_table_mut).for_each(|table| act(table));
        }
        Some(item) => {
            if let Some(table) = item.as_table_like_mut() {
                act(table);
            }
        }
        None => {}
    }
}

/// Replaces the text under a key if `new` has a new one.
fn follow(entry: &mut dyn TableLike, key: &str, new: &dyn Fn(&str) -> Option<String>) {
    if let Some(Item::Value(value)) = entry.get_mut(key)
        && let Some(new) = value.as_str().and_then(new)
    {
        let decor = value.decor().clone();
        *value = Value::from(new);
        *value.decor_mut() = decor;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "heddle = 1\n[[nodes]]\nname = \"n{1}\"\ncount = 2\nsize = \"8 GB/8\"\n[[apps]] # first\nname = \"a{1}\"\ncopies = 2\ntasks = [{ count = 1 }]\n\
        [[apps]]\nname = \"b\"\ntasks = [{ count = 1, until = \"a2\" }]\n[[captions]]\nat = \"1 s\"\ntext = \"a1\"\nselect = \"request:a1/0_1\"\n\
        [[happenings]]\nat = \"3 s\"\ndo = \"kill_app\"\napp = \"a1\" # gone\n[[expect]]\nat = \"2 s\"\napp = \"a2\"\nplaced = 1\n\
        [[expect]]\nat = \"2 s\"\nnode = \"n2\"\nplaced = 1\n";

    #[test]
    fn what_names_it_follows_and_nothing_else_changes() {
        let text = rename(TEXT, "apps", 0, &Setting::Text("etl-{1}".into())).expect("it is renamed");
        let wanted = TEXT
            .replace("a{1}", "etl-{1}")
            .replace("until = \"a2\"", "until = \"etl-2\"")
            .replace("request:a1/", "request:etl-1/")
            .replace("app = \"a1\"", "app = \"etl-1\"")
            .replace("app = \"a2\"", "app = \"etl-2\"");
        assert_eq!(text, wanted);
        assert!(read(&text).problems.is_empty(), "{:?}", read(&text).problems);
        let text = rename(TEXT, "nodes", 0, &Setting::Text("w{1}".into())).expect("it is renamed");
        assert_eq!(text, TEXT.replace("n{1}", "w{1}").replace("node = \"n2\"", "node = \"w2\""));
    }

    #[test]
    fn a_name_that_cannot_be_leaves_the_others() {
        let text = rename(TEXT, "apps", 0, &Setting::Nothing).expect("it is taken away");
        assert!(text.contains("app = \"a2\"") && !text.contains("a{1}"), "{text}");
    }
}
