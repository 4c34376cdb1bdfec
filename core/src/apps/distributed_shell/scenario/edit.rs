//! Rewrites a distributed shell as another kind of application.

use crate::apps::distributed_shell::constraint::plan;
use crate::constraint::read_spec;
use crate::model::limits::INSTANCES;
use crate::scenario::edit::{Step, misplaced, parse, walk};
use crate::scenario::notation;
use toml_edit::{Array, InlineTable, Item, TableLike, Value};

/// Rewrites a distributed shell as an application that sends the same requests itself, so that their constraints can say what a
/// PlacementSpec cannot. Requests that the shell sends one by one become one request with a count.
pub fn spec_as_requests(text: &str, app: usize) -> Result<String, String> {
    let mut document = parse(text)?;
    let path = [Step::from("apps"), Step::from(app)];
    let table = walk(document.as_table_mut(), &path, false).ok_or_else(|| misplaced(&path))?;
    let written = |table: &dyn TableLike, key: &str| table.get(key).and_then(Item::as_value).cloned();
    let spec = written(table, "spec").and_then(|v| v.as_str().map(String::from)).unwrap_or_default();
    let containers = written(table, "containers").and_then(|v| v.as_integer()).unwrap_or(1);
    let spec = read_spec(&spec).map_err(|e| e.problem.what)?;
    let plan = plan(&spec, i32::try_from(containers).unwrap_or(i32::MAX), INSTANCES as i64)?;
    let mut list = Array::new();
    let mut requests = plan.requests.as_slice();
    while let Some(first) = requests.first() {
        let alike = requests.iter().take_while(|r| r.tag == first.tag).count();
        let mut entry = InlineTable::new();
        entry.insert("id", first.allocation_request_id.into());
        if !first.tag.is_empty() {
            entry.insert("tags", Value::from_iter([first.tag.as_str()]));
        }
        entry.insert("count", (alike as i64).into());
        for key in ["size", "memory", "vcores", "resources", "duration"] {
            if let Some(mut value) = written(table, key) {
                value.decor_mut().clear();
                entry.insert(key, value);
            }
        }
        // The shell's default is 10 MB.
        if !["size", "memory", "vcores"].iter().any(|key| table.contains_key(key)) {
            entry.insert("size", "10 MB/1".into());
        }
        if let Some(priority) = written(table, "container_priority") {
            entry.insert("priority", priority);
        }
        if let Some(constraint) = &first.constraint {
            entry.insert("constraint", notation::value(constraint));
        }
        entry.fmt();
        list.push(Value::InlineTable(entry));
        requests = &requests[alike..];
    }
    let mut call = InlineTable::new();
    call.insert("scheduling", list.into());
    call.fmt();
    let gone = ["spec", "containers", "container_priority", "container_label"];
    for key in gone.iter().chain(&["size", "memory", "vcores", "resources", "duration"]) {
        table.remove(key);
    }
    table.insert("kind", Item::Value("requests".into()));
    table.insert("calls", Item::Value(Value::Array(Array::from_iter([call]))));
    Ok(document.to_string())
}
