//! The load of an imported cluster: the applications that came with it, or generated ones in their place or beside them.
//!
//! A generated application is known by its name and its user, as [`generate`] and [`case`] write them. So the text alone says
//! which load it has, after an undo too.

use super::remove;
use crate::path;
use heddle_core::import::workloads::generate::{self as workloads, generate};
use heddle_core::model::Severity;
use heddle_core::scenario::{self, App, Scenario, edit};
use heddle_view::Load;
use std::fmt::Write;
use toml_edit::{DocumentMut, Item, Table, Value};

pub use workloads::leaves;

/// The seed of generated loads: the same file gives the same run.
const SEED: u64 = 1;
/// The name of one's own case, and of its user.
pub const CASE: &str = "my-case";
const ME: &str = "me";

/// Returns which load generated an application; `None`: somebody wrote it.
pub fn of(app: &App) -> Option<Load> {
    if app.now.is_some() {
        return None;
    }
    if app.name.starts_with("fill-") && app.user.starts_with("user-of-") {
        Some(Load::FillQueues)
    } else if app.name.starts_with("noisy") && app.user == "noisy" {
        Some(Load::NoisyUser)
    } else {
        (app.name == CASE).then_some(Load::MyCase)
    }
}

/// Returns the load that a scenario has.
pub fn now(scenario: &Scenario) -> Load {
    let generated = scenario.apps.iter().find_map(of);
    generated.unwrap_or(if scenario.apps.is_empty() { Load::Nothing } else { Load::Given })
}

/// Returns the text with another load; `opened` is the text as it was imported, whose own applications come back.
pub fn load(text: &str, opened: &str, load: Load) -> Result<String, String> {
    let error = "The scenario has an error; mend it first.";
    let scenario = scenario::read(text).scenario.ok_or(error)?;
    let of_opened = scenario::read(opened).scenario.map(|s| s.apps).unwrap_or_default();
    let own = |app: &App| of_opened.iter().any(|o| o.name == app.name) && of(app).is_none();
    let gone = |app: &App| of(app).is_some() || (load == Load::Nothing && own(app));
    let mut entries: Vec<usize> = scenario.apps.iter().filter(|app| gone(app)).map(|app| app.entry).collect();
    entries.dedup();
    let mut next = text.to_owned();
    for entry in entries.into_iter().rev() {
        next = remove(&next, &path!["apps", entry])?;
    }
    if load != Load::Nothing {
        next = bring_back(&next, opened, &of_opened)?;
    }
    let generated = |what| {
        let problems = |problems: Vec<heddle_view::Problem>| {
            problems.into_iter().find(|p| p.severity == Severity::Error).map_or_else(String::new, |p| p.what)
        };
        generate(&next, what, SEED).map(|loaded| loaded.text).map_err(problems)
    };
    match load {
        Load::Given | Load::Nothing => Ok(next),
        Load::FillQueues => generated(workloads::Load::FillQueues),
        Load::NoisyUser => generated(workloads::Load::NoisyUser),
        Load::MyCase => case(&next),
    }
}

/// Generates the load of `before` anew, for other settings; `None`: it has none.
pub fn again(text: &str, before: &str) -> Option<String> {
    let before_of = scenario::read(before).scenario?;
    let generated = before_of.apps.iter().find_map(of)?;
    // One's own case stays as it was typed.
    if generated == Load::MyCase { None } else { load(text, before, generated).ok() }
}

/// Generates the load anew for another cluster, unless somebody changed what was generated.
pub fn refilled(text: &str, before: &str) -> String {
    let generated = scenario::read(before).scenario.and_then(|s| s.apps.iter().find_map(of));
    let untouched = |generated| load(before, before, generated).is_ok_and(|again| again.trim() == before.trim());
    match generated {
        Some(generated) if untouched(generated) => again(text, before).unwrap_or_else(|| text.to_owned()),
        _ => text.to_owned(),
    }
}

/// Brings back the applications of the import that are not there.
fn bring_back(text: &str, opened: &str, of_opened: &[App]) -> Result<String, String> {
    let there = scenario::read(text).scenario.map(|s| s.apps).unwrap_or_default();
    let lacking = of_opened.iter().filter(|app| of(app).is_none() && there.iter().all(|t| t.name != app.name));
    let mut entries: Vec<usize> = lacking.map(|app| app.entry).collect();
    entries.dedup();
    if entries.is_empty() {
        return Ok(text.to_owned());
    }
    let document: DocumentMut = opened.parse().map_err(|e: toml_edit::TomlError| e.message().to_owned())?;
    let Some(Item::ArrayOfTables(apps)) = document.get("apps") else { return Ok(text.to_owned()) };
    let mut next = text.trim_end().to_owned();
    for table in entries.into_iter().filter_map(|entry| apps.get(entry)) {
        let table: &Table = table;
        let _ = write!(next, "\n\n[[apps]]\n{}", whole(table));
    }
    Ok(next + "\n")
}

/// Prints a table with those in it under its own header.
fn whole(table: &Table) -> String {
    let mut document = DocumentMut::new();
    let mut list = toml_edit::ArrayOfTables::new();
    let mut table = table.clone();
    table.set_position(None);
    list.push(table);
    document.insert("apps", Item::ArrayOfTables(list));
    let text = document.to_string();
    text.trim_start().strip_prefix("[[apps]]").map_or(text.clone(), |rest| rest.trim_start().to_owned())
}

/// Adds one's own case: ten containers in the first queue, to be changed in its fields.
fn case(text: &str) -> Result<String, String> {
    let scenario = scenario::read(text).scenario.ok_or("The scenario has an error; mend it first.")?;
    let queue = leaves(&scenario).into_iter().next().unwrap_or_else(|| "default".to_owned());
    let entry = format!(
        "name = {}\nqueue = {}\nuser = {}\nam = \"1 GB/1\"\ntasks = [{{ count = 10, size = \"4 GB/1\", duration = \"10 min\" }}]\n",
        Value::from(CASE),
        Value::from(queue),
        Value::from(ME)
    );
    edit::push_entry(text, "apps", &entry)
}

#[cfg(test)]
mod tests {
    use super::*;

    const DUMP: &str = "heddle = 1\nscheduling = \"heartbeat\"\nuntil = \"10 min\"\n[capacity-scheduler]\nroot.queues = \"a,b\"\n\
        root.a.capacity = 40\nroot.b.capacity = 60\n[[nodes]]\nname = \"n{1}\"\ncount = 4\nsize = \"16 GB/16\"\n\
        [[apps]]\nname = \"there\"\nkind = \"requests\"\nqueue = \"a\"\nam = \"1 GB/1\"\n[apps.now]\n\
        running = [{ node = \"n1\", am = true, size = \"1 GB/1\" }]\n\
        [[apps]]\nname = \"other\"\nqueue = \"b\"\ntasks = [{ count = 2 }]\n";

    fn names(text: &str) -> Vec<String> {
        let read = scenario::read(text);
        let scenario = read.scenario.unwrap_or_else(|| panic!("{:?}\n{text}", read.problems));
        scenario.apps.into_iter().map(|app| app.name).collect()
    }

    /// A load that was generated fills another cluster; one that was changed since stays as it is.
    #[test]
    fn a_load_is_generated_anew_for_another_cluster() {
        let before = load(DUMP, DUMP, Load::FillQueues).expect("a load");
        let larger = |text: &str| text.replace("count = 4", "count = 8");
        let counts = |text: &str| -> Vec<u32> {
            let scenario = scenario::read(text).scenario.expect("it can be read");
            scenario.apps.iter().filter(|app| of(app).is_some()).map(|app| app.kind.tasks()[0].count).collect()
        };
        let after = refilled(&larger(&before), &before);
        assert_eq!(counts(&after), counts(&before).iter().map(|n| n * 2).collect::<Vec<_>>());
        let mine = before.replace("duration = ", "duration= ").replacen("user-of-", "user-of-me-", 1);
        assert_eq!(refilled(&larger(&mine), &mine), larger(&mine));
    }

    /// From each load to each other one: nothing of the former is left, and what came with the import is there.
    #[test]
    fn one_load_takes_the_place_of_another() {
        let all = [Load::Given, Load::FillQueues, Load::NoisyUser, Load::MyCase, Load::Nothing];
        for from in all {
            let before = load(DUMP, DUMP, from).expect("a load");
            for to in all {
                let after = load(&before, DUMP, to).unwrap_or_else(|why| panic!("{from:?} {to:?}: {why}"));
                let scenario = scenario::read(&after).scenario.unwrap_or_else(|| panic!("{from:?} {to:?}: {after}"));
                assert_eq!(now(&scenario), to, "{from:?}: {after}");
                let names = names(&after);
                assert_eq!(names.iter().any(|n| n == "there"), to != Load::Nothing, "{from:?} {to:?}: {names:?}");
                assert_eq!(names.iter().filter(|n| *n == "other").count(), usize::from(to != Load::Nothing));
                let of_kind = scenario.apps.iter().filter_map(of).all(|of| of == to);
                assert!(of_kind, "{from:?} {to:?}: {names:?}");
            }
        }
        // What is running comes back as it was.
        let without = load(DUMP, DUMP, Load::Nothing).expect("a load");
        let again = load(&without, DUMP, Load::Given).expect("a load");
        let apps = |text: &str| scenario::read(text).scenario.expect("it can be read").apps;
        let there = |text: &str| apps(text).into_iter().find(|a| a.name == "there").and_then(|a| a.now);
        let runs = |text: &str| there(text).map(|now| (now.active, now.running[0].node.clone(), now.running[0].size));
        assert_eq!(runs(&again), runs(DUMP));
        assert!(runs(&again).is_some());
    }
}
