//! Edits of the forms ([`heddle_view::Edit`]) written into the scenario's text. The changes themselves are the core's
//! ([`heddle_core::scenario::edit`]); here is what forms need beyond them.

use heddle_core::scenario::Scenario;
use heddle_core::scenario::edit::{self, Setting};
use heddle_view::{Change, Edit, Step};

/// The text with an edit, given what was typed. `scenario`: the last one that could be read, which the form showed.
/// Errors are sentences for the person who edits.
pub fn apply(text: &str, edit: &Edit, typed: &str, _scenario: Option<&Scenario>) -> Result<String, String> {
    match &edit.change {
        Change::Title => edit::set_title(text, typed.trim()),
        Change::Remove(path) => remove(text, path),
        Change::NodeLikeLast { name, at_ms } => edit::add_node_like_last(text, name, *at_ms),
        Change::Worlds { property } => worlds(text, property, typed),
        Change::Release => {
            let text = edit::set(text, &["release".into()], &Setting::Text(typed.to_owned()))?;
            remove(&text, &["scheduling".into()])
        }
    }
}

/// Takes away what stands at a path; nothing there is fine.
pub fn remove(text: &str, path: &[Step]) -> Result<String, String> {
    match path {
        [Step::Name(list), Step::At(at)] => edit::remove_entry(text, list, *at),
        [.., Step::At(_)] => edit::take_away(text, path),
        _ => edit::set(text, path, &Setting::Nothing),
    }
}

/// Adds an entry at the end of a list of tables; `entry` is TOML, such as `name = "n3"`.
pub fn push(text: &str, list: &str, entry: &str) -> Result<String, String> {
    let table = entry.parse::<toml_edit::DocumentMut>().map_err(|e| e.to_string())?;
    let fields: Vec<(&str, Setting)> =
        table.iter().filter_map(|(k, i)| Some((k, Setting::Toml(i.as_value()?.to_string())))).collect();
    edit::push(text, list, &fields)
}

fn worlds(text: &str, property: &str, values: &str) -> Result<String, String> {
    let values: toml_edit::Array = values.split(',').map(str::trim).filter(|v| !v.is_empty()).collect();
    if property.trim().is_empty() || values.is_empty() {
        return Err("A world needs a property and at least one value.".to_owned());
    }
    let property = Setting::Text(property.trim().to_owned());
    edit::push(text, "worlds", &[("property", property), ("values", Setting::Toml(values.to_string()))])
}
