//! Edits properties of a Samza job in its job.properties.

use crate::apps::samza::scenario::SamzaApp;
use crate::apps::samza::strategy::Properties;
use crate::scenario::edit::{Setting, Step, misplaced, parse, set, tables};
use crate::scenario::read;
use toml_edit::Value;

/// Sets a property of a job, or removes it if `value` is empty: one line of its file is changed, added or removed. `app`: the
/// application's entry.
pub fn set_job_property(text: &str, app: usize, key: &str, value: &str) -> Result<String, String> {
    let path = [Step::from("apps"), Step::from(app), Step::from("job.properties")];
    let document = parse(text)?;
    let apps = tables(document.get("apps"));
    let old = apps.get(app).and_then(|entry| entry.get("job.properties")).ok_or_else(|| misplaced(&path))?;
    let file = old.as_str().ok_or_else(|| misplaced(&path))?;
    let mut properties = Properties::read(file).0;
    match value {
        "" => properties.remove(key),
        value => properties.set(key, value),
    }
    let next = properties.text();
    // A text between """ keeps its quotes if it can: otherwise every line of a short file would differ.
    let double = format!("\"\"\"\n{next}\"\"\"");
    let written = old.as_value().map(|v| v.to_string()).unwrap_or_default();
    let stays =
        written.trim_start().starts_with("\"\"\"") && double.parse::<Value>().is_ok_and(|v| v.as_str() == Some(next));
    let setting = if stays { Setting::Toml(double) } else { Setting::Text(next.to_string()) };
    if next == file { Ok(text.to_string()) } else { set(text, &path, &setting) }
}

/// Returns whether a name is `<job>.<property>`.
pub fn has_setting(text: &str, name: &str) -> bool {
    of_job(text, name).is_some()
}

/// Sets `<job>.<property>`.
pub fn set_setting(text: &str, name: &str, value: &str) -> Result<String, String> {
    let (app, key) = of_job(text, name).ok_or_else(|| format!("No Samza job has `{name}`."))?;
    set_job_property(text, app, &key, value)
}

/// Returns the entry of the job, and the property, if the name is `<job>.<property>`.
fn of_job(text: &str, name: &str) -> Option<(usize, String)> {
    let apps = read(text).scenario?.apps;
    apps.iter().filter(|app| app.kind.is::<SamzaApp>()).find_map(|app| {
        let key = name.strip_prefix(app.name.as_str())?.strip_prefix('.')?;
        Some((app.entry, key.to_string()))
    })
}
