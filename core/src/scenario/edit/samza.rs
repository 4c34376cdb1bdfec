//! Properties of a Samza job, in its job.properties.

use super::{Setting, Step, misplaced, parse, set};
use crate::strategy::samza::Properties;
use toml_edit::Item;

/// Sets a property of a job, or takes it away where `value` is empty: in its file one line changes, or comes, or goes.
/// `app`: the application's entry.
pub fn set_job_property(text: &str, app: usize, key: &str, value: &str) -> Result<String, String> {
    let path = [Step::from("apps"), Step::from(app), Step::from("job.properties")];
    let document = parse(text)?;
    let apps = super::slider::tables(document.get("apps"));
    let file = apps.get(app).and_then(|entry| entry.get("job.properties")).and_then(Item::as_str);
    let mut properties = Properties::read(file.ok_or_else(|| misplaced(&path))?).0;
    match value {
        "" => properties.remove(key),
        value => properties.set(key, value),
    }
    set(text, &path, &Setting::Text(properties.text().to_string()))
}
