//! Changes of the queues, from the scenario's start or by a refresh at a moment.

use super::{FormText, child, remove, share};
use crate::path;
use heddle_core::config::capacity::PREFIX;
use heddle_core::config::properties::{self, File, Property};
use heddle_core::rm::Properties;
use heddle_core::scenario::Scenario;
use heddle_core::scenario::edit::{self, Change};
use heddle_view::{Draft, QueueChange, SchedulerChoice};

/// The queues' file.
const FILE: &str = "capacity-scheduler.xml";

/// Returns the file in force at a time, if the queues are written as a file.
pub fn file(text: &str, at: Option<i64>, scenario: Option<&Scenario>) -> Option<String> {
    match (at, scenario) {
        (Some(at), Some(scenario)) => edit::file_in_force(text, scenario, at),
        _ => Some(FormText::new(text).text(&path!["files", FILE])).filter(|f| !f.is_empty()),
    }
}

/// Makes a change through the core; a first file takes over what was in short form.
pub fn put(text: &str, at: Option<i64>, change: Change<'_>) -> Result<String, String> {
    let first = at.is_none() && matches!(change, Change::File(_)) && file(text, None, None).is_none();
    let text = edit::change_queues(text, at, change)?;
    if first { remove(&text, &path!["capacity-scheduler"]) } else { Ok(text) }
}

/// Returns the text with a change.
pub fn change(
    text: &str,
    at: Option<i64>,
    change: &QueueChange,
    typed: &str,
    scenario: Option<&Scenario>,
) -> Result<String, String> {
    if scenario.is_some_and(|s| s.settings.scheduler == SchedulerChoice::Fair) {
        return super::fair::change(text, change, typed);
    }
    let none = Properties::default();
    let now = scenario.map_or(&none, |s| edit::in_force(s, at.unwrap_or(-1)));
    let several = match change {
        QueueChange::File => return put(text, at, Change::File(typed)),
        QueueChange::Property { name, blank } => vec![(name.clone(), cut(typed, *blank).to_owned())],
        QueueChange::Named(draft) => vec![named(draft)?],
        QueueChange::Share { queue } => {
            let share = typed.parse().map_err(|_| format!("`{typed}` is not a number."))?;
            share::moved(now, queue, share)
        }
        QueueChange::Child { parent, name } => {
            let name = if typed.trim().is_empty() { name } else { typed.trim() };
            child::made(now, parent, name)?
        }
        QueueChange::Remove { queue } => child::removed(now, queue),
    };
    several.iter().try_fold(text.to_owned(), |t, (name, value)| put(&t, at, Change::Property(name, value)))
}

/// Returns typed text without surrounding blanks; blanks alone become one blank if that has a meaning.
pub fn cut(typed: &str, blank: bool) -> &str {
    match typed.trim() {
        "" if blank && !typed.is_empty() => " ",
        text => text,
    }
}

/// Returns the property that is being typed, the meaning of its value (`None` if unknown), and its full name.
pub fn named_key(draft: &Draft) -> Option<(&'static Property, Option<&'static Property>, String)> {
    let whole = draft.owner.is_empty();
    let table = properties::table(if whole { File::Scheduler } else { File::Queue }, true);
    let by = table.get(draft.kind).or(table.first()).copied()?;
    let name = draft.name.trim();
    let meaning = match by.named_by() {
        Some("property") => properties::of_queue(name).and_then(|f| f.meaning()),
        _ => Some(by),
    };
    let queue = draft.queue.as_deref().unwrap_or(&draft.owner).trim();
    let start = if whole { PREFIX.to_owned() } else { format!("{PREFIX}{queue}.") };
    Some((by, meaning, format!("{start}{}", by.named(name))))
}

fn named(draft: &Draft) -> Result<(String, String), String> {
    let (by, meaning, key) = named_key(draft).ok_or("There is no such property.")?;
    let value = cut(&draft.value, meaning.unwrap_or(by).takes_blank());
    // Keys contain no blanks.
    if draft.name.trim().is_empty() || key.contains(char::is_whitespace) || value.is_empty() {
        return Err("A property needs a name without blanks, and a value.".to_owned());
    }
    Ok((key, value.to_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "heddle = 1\nscheduling = \"heartbeat\"\n[capacity-scheduler]\nroot.queues = \"a,b\"\nroot.a.capacity = 30\nroot.b.capacity = 70\n";

    fn with(text: &str, at: Option<i64>, of: QueueChange, typed: &str) -> Result<String, String> {
        let scenario = heddle_core::scenario::read(text).scenario;
        change(text, at, &of, typed, scenario.as_ref())
    }

    #[test]
    fn a_blank_is_kept_where_it_says_something() {
        assert_eq!((cut("  ", true), cut("  ", false), cut("", true), cut(" a b ", true)), (" ", "", "", "a b"));
    }

    #[test]
    fn a_share_moves_its_siblings_now_or_by_a_refresh() {
        let share = || QueueChange::Share { queue: "root.a".into() };
        let text = with(TEXT, None, share(), "40").unwrap();
        assert!(text.contains("root.a.capacity = 40\nroot.b.capacity = 60"), "{text}");
        let text = with(TEXT, Some(60_000), share(), "40").unwrap();
        assert!(text.contains("root.a.capacity = 30") && text.contains("do = \"refresh\""), "{text}");
        let later = heddle_core::scenario::read(&text).scenario.unwrap();
        assert_eq!(edit::in_force(&later, 60_000)[&share::key("root.b", "capacity")], "60");
        assert!(with(TEXT, None, share(), "x").is_err());
    }

    #[test]
    fn a_first_file_takes_the_place_of_the_short_form() {
        let file = "<configuration>\n</configuration>\n";
        let text = with(TEXT, None, QueueChange::File, file).unwrap();
        assert!(!text.contains("[capacity-scheduler]") && text.contains("<configuration>"), "{text}");
    }

    #[test]
    fn a_property_with_a_name_in_its_name_is_put_together() {
        let kind = |n: &str| properties::table(File::Queue, true).iter().position(|p| p.named_by() == Some(n)).unwrap();
        let draft = |n, name: &str, value: &str| Draft {
            owner: "root.a".into(),
            kind: kind(n),
            name: name.into(),
            value: value.into(),
            queue: None,
        };
        let (by, meaning, key) = named_key(&draft("label", " gpu ", "50")).unwrap();
        assert!(meaning == Some(by) && key.starts_with("yarn.scheduler.capacity.root.a.accessible-node-labels.gpu."));
        let (by, meaning, _) = named_key(&draft("property", "capacity", "")).unwrap();
        assert_eq!((by.named_by(), meaning.map(|p| p.name)), (Some("property"), Some("capacity")));
        assert!(named_key(&draft("property", "no-such", "")).unwrap().1.is_none());
        let text = with(TEXT, None, QueueChange::Named(draft("label", "gpu", "50")), "").unwrap();
        assert!(text.contains("accessible-node-labels.gpu") && text.contains("50"), "{text}");
        for (name, value) in [("", "1"), ("a b", "1"), ("gpu", " ")] {
            assert!(with(TEXT, None, QueueChange::Named(draft("label", name, value)), "").is_err(), "{name}");
        }
    }
}
