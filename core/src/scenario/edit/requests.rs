//! Requests that are written call by call: lists inside an application, and a PlacementSpec converted to them.

use super::{Setting, Step, misplaced, parse, put, walk};
use toml_edit::{Array, Item, TableLike, Value};

/// Appends an entry, a TOML table, to the list at a path such as `["apps", 2, "calls", 0, "scheduling"]`.
pub fn append(text: &str, path: &[Step], entry: &str) -> Result<String, String> {
    let mut document = parse(text)?;
    let value: Value = entry.parse().map_err(|_| format!("`{entry}` is not a TOML value."))?;
    let Some((Step::Name(name), way)) = path.split_last() else { return Err(misplaced(path)) };
    let table = walk(document.as_table_mut(), way, true).ok_or_else(|| misplaced(path))?;
    bracketed(table, name);
    match table.get_mut(name) {
        Some(Item::Value(Value::Array(list))) => list.push(value),
        Some(Item::ArrayOfTables(list)) => match value {
            Value::InlineTable(inline) => list.push(inline.into_table()),
            _ => return Err(misplaced(path)),
        },
        None | Some(Item::None) => {
            table.insert(name, Item::Value(Value::Array(Array::from_iter([value]))));
        }
        Some(_) => return Err(misplaced(path)),
    }
    Ok(document.to_string())
}

/// Adds brackets around a list of one entry, which may be written without them.
fn bracketed(table: &mut dyn TableLike, name: &str) {
    if let Some(Item::Value(one @ Value::InlineTable(_))) = table.get_mut(name) {
        let list = Array::from_iter([std::mem::replace(one, Value::from(0))]);
        *one = Value::Array(list);
    }
}

/// Removes the entry at a path such as `["apps", 2, "calls", 0, "scheduling", 1]`.
pub fn take_away(text: &str, path: &[Step]) -> Result<String, String> {
    let mut document = parse(text)?;
    let [way @ .., Step::Name(name), Step::At(at)] = path else { return Err(misplaced(path)) };
    let table = walk(document.as_table_mut(), way, false).ok_or_else(|| misplaced(path))?;
    bracketed(table, name);
    match table.get_mut(name) {
        Some(Item::Value(Value::Array(list))) if *at < list.len() => {
            list.remove(*at);
        }
        Some(Item::ArrayOfTables(list)) if *at < list.len() => {
            list.remove(*at);
        }
        _ => return Err(misplaced(path)),
    }
    Ok(document.to_string())
}

/// Sets a field of an application's AM, which may be written as its size alone.
pub fn set_am(text: &str, app: usize, field: &str, setting: &Setting) -> Result<String, String> {
    let mut document = parse(text)?;
    let path = [Step::from("apps"), Step::from(app)];
    let fail = || misplaced(&[&path[..], &[Step::from("am"), Step::from(field)]].concat());
    let table = walk(document.as_table_mut(), &path, false).ok_or_else(fail)?;
    let value = setting.value()?.ok_or_else(fail)?;
    match table.get_mut("am").and_then(Item::as_table_like_mut) {
        Some(am) => put(am, field, value),
        None if field == "size" => put(table, "am", value),
        None => None,
    }
    .ok_or_else(fail)?;
    Ok(document.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scenario::edit::spec_as_requests;
    use crate::scenario::read;

    const SHELL: &str = "heddle = 1\n[yarn-site]\nresourcemanager.placement-constraints.handler = \"scheduler\"\n[[nodes]]\nname = \"n1\"\n\
        size = \"8 GB/8\"\n\n[[apps]] # mine\nname = \"zk\"\nkind = \"distributed-shell\"\nspec = \"zk(3),NOTIN,NODE,zk:hb(1)\"\nsize = \"1 GB/1\"\n";

    #[test]
    fn a_masters_size_is_set_however_it_is_written() {
        let size = Setting::Text("512 MB/1".into());
        for (am, wanted) in [
            ("am = \"2 GB\" # big", "am = \"512 MB/1\" # big"),
            ("am = { size = \"2 GB\", start = \"1 s\" }", "am = { size = \"512 MB/1\", start = \"1 s\" }"),
            ("priority = 1", "priority = 1\nam = \"512 MB/1\""),
        ] {
            let text = format!("heddle = 1\n[[apps]]\nname = \"a\"\n{am}\ntasks = [{{ count = 1 }}]\n");
            let set = set_am(&text, 0, "size", &size).unwrap();
            assert!(set.contains(wanted) || am == "priority = 1" && set.contains("am = \"512 MB/1\""), "{set}");
            assert_eq!(read(&set).scenario.unwrap().apps[0].am.size.memory_mb(), 512);
        }
        assert!(set_am("heddle = 1\n", 0, "size", &size).is_err());
    }

    #[test]
    fn a_spec_becomes_requests_that_a_form_can_change() {
        let text = spec_as_requests(SHELL, 0).unwrap();
        let path = |s: usize| ["apps".into(), 0.into(), "calls".into(), 0.into(), "scheduling".into(), Step::from(s)];
        let text = append(&text, &path(0)[..5], "{ id = 9, tags = \"x\", size = \"1 GB/1\" }").unwrap();
        let text = take_away(&text, &path(1)).unwrap();
        let scenario = read(&text).scenario.unwrap_or_else(|| panic!("{text}"));
        let calls = scenario.apps[0].kind.calls();
        let asks: Vec<_> = calls[0].scheduling.iter().map(|a| (a.allocation_request_id, a.count)).collect();
        assert_eq!(asks, [(1, 3), (9, 1)]);
        assert!(text.contains("# mine") && text.contains("constraint = \"NOTIN,NODE,zk\""), "{text}");
        assert!(take_away(&text, &path(7)).is_err() && spec_as_requests(&text, 0).is_err());
    }
}
