//! Changes of the queues, wherever they are written: in the short form, in capacity-scheduler.xml, or from a moment on in
//! `[[happenings]]` with `do = "refresh"`, an administrator's `-refreshQueues`.

use super::super::document::Scenario;
use super::super::happening::Act;
use super::super::read::read;
use super::super::units;
use super::{
    Setting, Step, has_property, misplaced, parse, push, put, put_property, set_file, set_properties, set_property,
    text_value,
};
use crate::api::Properties;
use crate::config::xml;
use crate::model::Millis;
use toml_edit::{DocumentMut, Item, Table, TableLike, Value};

const FILE: &str = "capacity-scheduler.xml";
const TABLE: &str = "capacity-scheduler";

/// A change of the queues.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Change<'a> {
    /// Sets a property; "" removes it, while blanks become a single blank, which means nobody, or no label.
    Property(&'a str, &'a str),
    /// Replaces the whole file.
    File(&'a str),
}

/// Returns the capacity-scheduler properties in force at a moment, including those of a refresh at that very moment.
pub fn in_force(scenario: &Scenario, at: Millis) -> &Properties {
    in_force_but(scenario, at, &[])
}

/// Like [`in_force`], but leaves out the refreshes that the ResourceManager refused, given by their indices among the
/// happenings.
pub fn in_force_but<'s>(scenario: &'s Scenario, at: Millis, refused: &[usize]) -> &'s Properties {
    let earlier = scenario.happenings.iter().enumerate().filter(|(_, h)| h.at <= at);
    let refreshed = earlier.rev().find_map(|(i, h)| match &h.act {
        Act::Refresh { capacity_scheduler, .. } if !refused.contains(&i) => Some(capacity_scheduler),
        _ => None,
    });
    refreshed.unwrap_or(&scenario.settings.capacity_scheduler)
}

/// Returns capacity-scheduler.xml as it is in force at a moment: the last whole file up to then, with the properties
/// refreshed after it. `None`: the queues are not written as a file.
pub fn file_in_force(text: &str, scenario: &Scenario, at: Millis) -> Option<String> {
    let document = text.parse().ok()?;
    let whole = refreshes(&document).into_iter().filter(|r| r.at <= at).rev().find_map(|r| Some((r.file?, r.at)));
    let (mut file, before) = match whole {
        Some((file, since)) => (file, in_force(scenario, since)),
        None => (scenario.files.get(FILE)?.text.clone(), &scenario.settings.capacity_scheduler),
    };
    let now = in_force(scenario, at);
    for (name, value) in now.iter().filter(|(name, value)| before.get(*name) != Some(*value)) {
        file = xml::set(&file, name, value);
    }
    for name in before.keys().filter(|name| !now.contains_key(*name)) {
        file = xml::remove(&file, name);
    }
    Some(file)
}

/// Changes the queues from the start, or by the refresh at a moment, which is created if there is none. Queues that are
/// written as a file are changed in it, and refreshed with a whole file, so that its comments and the parts that are not
/// modelled stay.
pub fn change_queues(text: &str, at: Option<Millis>, change: Change<'_>) -> Result<String, String> {
    match (at, change) {
        (Some(at), change) => refresh(text, at, change),
        (None, Change::File(file)) => set_file(text, FILE, file),
        (None, Change::Property(name, value)) => {
            let document = parse(text)?;
            let file = document.get("files").and_then(|f| f.get(FILE)).and_then(Item::as_str).filter(|f| !f.is_empty());
            let short = document.get(TABLE).and_then(Item::as_table_like);
            let in_short = short.is_some_and(|t| has_property(t, name) || has_property(t, short_name(name)));
            match file {
                Some(file) if !in_short => set_file(text, FILE, &in_file(file, name, value)),
                _ => set_property(text, TABLE, name, &given(value)),
            }
        }
    }
}

/// Sets several properties of the queues from the start, as [`change_queues`] does one.
pub fn change_properties(text: &str, rows: &[(&str, &str)]) -> Result<String, String> {
    if parse(text)?.get("files").and_then(|f| f.get(FILE)).is_none() {
        return set_properties(text, TABLE, rows.iter().map(|(name, value)| (*name, given(value))));
    }
    let one = |text: String, (name, value): &(&str, &str)| change_queues(&text, None, Change::Property(name, value));
    rows.iter().try_fold(text.to_string(), one)
}

fn short_name(name: &str) -> &str {
    name.strip_prefix("yarn.scheduler.capacity.").unwrap_or(name)
}

fn in_file(file: &str, name: &str, value: &str) -> String {
    match (value, value.trim()) {
        ("", _) => xml::remove(file, name),
        (_, "") => xml::set(file, name, " "),
        (_, value) => xml::set(file, name, value),
    }
}

/// Returns a property's value in the short form.
fn given(value: &str) -> Setting {
    if value.trim().is_empty() && !value.is_empty() { Setting::Text(" ".into()) } else { Setting::typed(value) }
}

fn refresh(text: &str, at: Millis, change: Change<'_>) -> Result<String, String> {
    let file = match change {
        Change::File(file) => Some(file.to_string()),
        Change::Property(name, value) => {
            let scenario = read(text).scenario.ok_or("The text has an error; mend it first.")?;
            file_in_force(text, &scenario, at).map(|file| in_file(&file, name, value))
        }
    };
    let (text, entry) = entry_at(text, at)?;
    let mut document = parse(&text)?;
    let fail = || misplaced(&[Step::from("happenings"), Step::from(entry)]);
    let table = happening(&mut document, entry).ok_or_else(fail)?;
    match (file, change) {
        (Some(file), _) => {
            // The whole file replaces the other settings of the refresh.
            table.remove(TABLE);
            table.remove("unset");
            put(table, FILE, text_value(&file)).ok_or_else(fail)?;
        }
        (None, Change::Property(name, value)) => {
            if table.get(TABLE).is_none_or(Item::is_none) {
                table.insert(TABLE, Item::Table(Table::new()));
            }
            let short = short_name(name);
            unset(table, short, value.is_empty());
            let inner = table.get_mut(TABLE).and_then(Item::as_table_like_mut).ok_or_else(fail)?;
            put_property(inner, name, short, given(value).value()?).ok_or_else(fail)?;
        }
        (None, Change::File(_)) => {}
    }
    Ok(document.to_string())
}

/// Returns the moments at which queues are refreshed, each with its entry of `happenings`, in order of time.
pub fn refreshed_at(text: &str) -> Vec<(Millis, usize)> {
    let document = text.parse().unwrap_or_default();
    refreshes(&document).into_iter().map(|r| (r.at, r.entry)).collect()
}

struct Refresh {
    entry: usize,
    at: Millis,
    file: Option<String>,
}

fn refreshes(document: &DocumentMut) -> Vec<Refresh> {
    let mut out = Vec::new();
    let mut add = |entry: usize, table: &dyn TableLike| {
        let text = |key: &str| table.get(key).and_then(Item::as_str);
        let at = text("at").and_then(|at| units::parse_time(at).ok());
        if let Some(at) = at.filter(|_| text("do") == Some("refresh")) {
            out.push(Refresh { entry, at, file: text(FILE).map(str::to_string) });
        }
    };
    match document.get("happenings") {
        Some(Item::ArrayOfTables(list)) => list.iter().enumerate().for_each(|(i, t)| add(i, t)),
        Some(Item::Value(Value::Array(list))) => {
            list.iter().enumerate().filter_map(|(i, v)| Some((i, v.as_inline_table()?))).for_each(|(i, t)| add(i, t));
        }
        _ => {}
    }
    crate::model::order::sort_by_key(&mut out, |r| r.at);
    out
}

/// Returns the text with a refresh at this moment, and the index of its entry.
fn entry_at(text: &str, at: Millis) -> Result<(String, usize), String> {
    let document = parse(text)?;
    if let Some(found) = refreshes(&document).into_iter().rev().find(|r| r.at == at) {
        return Ok((text.to_string(), found.entry));
    }
    let fields = [("at", Setting::Text(units::time_text(at))), ("do", Setting::Text("refresh".into()))];
    let text = push(text, "happenings", &fields)?;
    let made = parse(&text)?;
    let last = match made.get("happenings") {
        Some(Item::ArrayOfTables(list)) => list.len(),
        Some(Item::Value(Value::Array(list))) => list.len(),
        _ => 0,
    };
    Ok((text, last.saturating_sub(1)))
}

fn happening(document: &mut DocumentMut, entry: usize) -> Option<&mut dyn TableLike> {
    match document.get_mut("happenings")? {
        Item::ArrayOfTables(list) => list.get_mut(entry).map(|t| t as &mut dyn TableLike),
        Item::Value(Value::Array(list)) => list.get_mut(entry)?.as_inline_table_mut().map(|t| t as &mut dyn TableLike),
        _ => None,
    }
}

/// Adds a name to the list of removed properties, or takes it off.
fn unset(table: &mut dyn TableLike, name: &str, on: bool) {
    let full = format!("yarn.scheduler.capacity.{name}");
    let mut names: Vec<String> = match table.get("unset") {
        Some(Item::Value(Value::Array(list))) => list.iter().filter_map(Value::as_str).map(str::to_string).collect(),
        _ => Vec::new(),
    };
    names.retain(|n| n != name && *n != full);
    if on {
        names.push(name.to_string());
    }
    if names.is_empty() {
        table.remove("unset");
    } else {
        table.insert("unset", Item::Value(Value::from_iter(names)));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SHORT: &str = "heddle = 1\nscheduling = \"heartbeat\"\n[capacity-scheduler]\nroot.queues = \"a,b\"\nroot.a.capacity = 60\n\
        root.b.capacity = 40\nroot.a.maximum-capacity = 80\n[[nodes]]\nname = \"n\"\nsize = \"8 GB/8\"\n";
    const A: &str = "yarn.scheduler.capacity.root.a.capacity";
    const MAX: &str = "yarn.scheduler.capacity.root.a.maximum-capacity";

    fn scenario(text: &str) -> Scenario {
        let found = read(text);
        found.scenario.unwrap_or_else(|| panic!("{text}\n{:?}", found.problems))
    }

    #[test]
    fn a_property_is_refreshed_and_taken_away() {
        let text = change_queues(SHORT, Some(12_500), Change::Property(A, "50")).unwrap();
        let text = change_queues(&text, Some(12_500), Change::Property(MAX, "")).unwrap();
        let s = scenario(&text);
        assert_eq!(refreshed_at(&text).len(), 1, "{text}");
        assert_eq!((in_force(&s, 12_499)[A].as_str(), in_force(&s, 12_500)[A].as_str()), ("60", "50"));
        assert!(in_force(&s, 0).contains_key(MAX) && !in_force(&s, 20_000).contains_key(MAX), "{text}");
        let text = change_queues(&text, Some(12_500), Change::Property(MAX, "70")).unwrap();
        assert_eq!(in_force(&scenario(&text), 12_500)[MAX], "70", "{text}");
        assert!(!text.contains("unset"), "{text}");
    }

    #[test]
    fn a_file_is_refreshed_whole_with_its_comments() {
        let xml = "<configuration>\n  <!-- mine -->\n  <property><name>yarn.scheduler.capacity.root.queues</name><value>a</value></property>\n\
            \x20 <property><name>yarn.scheduler.capacity.root.a.capacity</name><value>100</value></property>\n\
            \x20 <property><name>acme.own</name><value>1</value></property>\n</configuration>\n";
        let base = crate::scenario::edit::set_file("heddle = 1\nscheduling = \"heartbeat\"\n", FILE, xml).unwrap();
        let text = change_queues(&base, Some(5_000), Change::Property(MAX, "90")).unwrap();
        let s = scenario(&text);
        assert_eq!(file_in_force(&text, &s, 4_999).as_deref(), Some(xml));
        let file = file_in_force(&text, &s, 5_000).unwrap();
        assert!(file.contains("<!-- mine -->") && file.contains("acme.own") && file.contains(MAX), "{file}");
        assert_eq!(in_force(&s, 5_000)[MAX], "90");
        // A later refresh begins with the properties in force then.
        let text = change_queues(&text, Some(9_000), Change::Property(A, "99")).unwrap();
        let s = scenario(&text);
        assert_eq!((in_force(&s, 9_000)[MAX].as_str(), in_force(&s, 9_000)[A].as_str()), ("90", "99"));
        let text = change_queues(&text, Some(9_000), Change::File(xml)).unwrap();
        assert_eq!(file_in_force(&text, &scenario(&text), 10_000).as_deref(), Some(xml));
    }

    #[test]
    fn from_the_start_a_property_goes_where_it_is_written() {
        let base = set_file(SHORT, FILE, "<configuration><!-- c --></configuration>").unwrap();
        let text = change_queues(&base, None, Change::Property(A, "70")).unwrap();
        assert!(
            text.contains("root.a.capacity = 70") && !text.contains(A),
            "the short form goes before a file: {text}"
        );
        let text =
            change_queues(&text, None, Change::Property("yarn.scheduler.capacity.root.b.state", "STOPPED")).unwrap();
        assert!(text.contains("<value>STOPPED</value>") && text.contains("<!-- c -->"), "{text}");
    }

    /// A single blank is a value: nobody, or no label. It differs from no value.
    #[test]
    fn a_blank_is_written_and_nothing_takes_away() {
        const ACL: &str = "yarn.scheduler.capacity.root.b.acl_submit_applications";
        let xml = "<configuration><property><name>yarn.scheduler.capacity.root.queues</name><value>a,b</value></property></configuration>";
        let file = set_file("heddle = 1\nscheduling = \"heartbeat\"\n", FILE, xml).unwrap();
        for base in [SHORT, &file] {
            for at in [None, Some(5_000)] {
                let text = change_queues(base, at, Change::Property(ACL, "  ")).unwrap();
                assert_eq!(in_force(&scenario(&text), 9_000)[ACL], " ", "{text}");
                let text = change_queues(&text, at, Change::Property(ACL, "")).unwrap();
                assert!(!in_force(&scenario(&text), 9_000).contains_key(ACL), "{text}");
            }
        }
    }
}
