//! resources.json as a text: read with a position for every problem, and written (slider-placement.md 3.1, 3.2).

use super::json::quoted;
use super::policy::Policy;
use super::settings::{Definition, Keys, MASTER, key};
use super::tree::{ConfRow, Parts, Section, parse};
use crate::model::java_number::decode_int;
use crate::model::{Problem, Span, nearest};
use std::fmt::Write as _;

/// The name of the input in messages.
const SOURCE: &str = "resources.json";
/// The required value of `schema`, if it is present.
pub const SCHEMA: &str = "http://example.org/specification/v2.0.0";

/// Reads resources.json as the ApplicationMaster does. `None`: it cannot be read, or the ApplicationMaster does not start with
/// it; the problems say why. Never panics, whatever the text.
pub fn read(text: &str) -> (Option<Definition>, Vec<Problem>) {
    match parse(text, SOURCE) {
        Ok((parts, problems)) => judge(&parts, problems),
        Err(fault) => {
            let at = Span::new(fault.at, fault.at);
            let what = format!("This is not as it has to be: {}.", fault.what);
            (None, vec![Problem::error(SOURCE, at, what)])
        }
    }
}

/// Returns the definition of these parts, wherever they were written, and what the ApplicationMaster refuses in it. The
/// client's refusals, which come before, are in [`crate::apps::slider::client`]. `problems`: those found by reading the parts.
pub fn judge(parts: &Parts, mut problems: Vec<Problem>) -> (Option<Definition>, Vec<Problem>) {
    check(parts, &mut problems);
    let refused = problems.iter().any(|p| p.severity == crate::model::Severity::Error);
    let keys = |rows: &[ConfRow]| -> Keys {
        let mut keys = Keys::new();
        for row in rows {
            match &row.value {
                Some(value) => _ = keys.insert(row.key.clone(), value.clone()),
                None => _ = keys.shift_remove(&row.key),
            }
        }
        keys
    };
    let components = parts.components.iter().map(|s| (s.name.clone(), keys(&s.rows))).collect();
    let definition = Definition { global: keys(&parts.global), components };
    ((!refused).then_some(definition), problems)
}

/// Writes the definition as Slider's tools do.
pub fn write(definition: &Definition) -> String {
    let keys = |keys: &Keys, indent: &str| {
        let rows: Vec<String> =
            keys.iter().map(|(key, value)| format!("{indent}  {}: {}", quoted(key), quoted(value))).collect();
        if rows.is_empty() { "{}".to_string() } else { format!("{{\n{}\n{indent}}}", rows.join(",\n")) }
    };
    let mut out = format!("{{\n  \"schema\": {},\n  \"metadata\": {{}},\n", quoted(SCHEMA));
    let _ = write!(out, "  \"global\": {},\n  \"components\": {{", keys(&definition.global, "  "));
    for (i, (name, own)) in definition.components.iter().enumerate() {
        let comma = if i == 0 { "" } else { "," };
        let _ = write!(out, "{comma}\n    {}: {}", quoted(name), keys(own, "    "));
    }
    out.push_str(if definition.components.is_empty() { "}\n}\n" } else { "\n  }\n}\n" });
    out
}

/// Reports what the ApplicationMaster refuses, and what is probably a mistake.
fn check(parts: &Parts, problems: &mut Vec<Problem>) {
    for row in &parts.global {
        check_row(row, None, parts.strict, problems);
    }
    // The ApplicationMaster's own component counts.
    let own = parts.components.iter().any(|s| s.name == MASTER);
    let count = parts.components.len() + usize::from(!own);
    for section in &parts.components {
        for row in &section.rows {
            check_row(row, Some(&section.name), parts.strict, problems);
        }
        let Some((id, at)) = id(section) else { continue };
        if section.name != MASTER && usize::try_from(id).is_ok_and(|id| id >= count) {
            let what = format!(
                "Where `{}` ran is not remembered: its id {id} is not below {count}, the number of components with the \
                 ApplicationMaster's.",
                section.name
            );
            problems.push(Problem::warning(SOURCE, at, what).mend("Number the components 1, 2, 3 without gaps."));
        }
    }
}

/// Returns a component's id, and its position.
fn id(section: &Section) -> Option<(i32, Span)> {
    let row = section.rows.iter().find(|row| row.key == key::PRIORITY)?;
    decode_int(row.value.as_deref()?.trim()).ok().map(|id| (id, row.value_at))
}

/// Keys that Slider knows.
const KNOWN: [&str; 24] = [
    key::PRIORITY,
    key::INSTANCES,
    key::POLICY,
    key::ESCALATE,
    key::LABEL,
    key::MEMORY,
    key::VCORES,
    key::NORMALIZE,
    key::NODE_FAILURES,
    key::FAILURES,
    "yarn.container.failure.window.days",
    "yarn.container.failure.window.hours",
    "yarn.container.failure.window.minutes",
    "yarn.container.failure.window.seconds",
    key::UNIQUE,
    key::HEALTH,
    "yarn.container.health.threshold.poll.frequency.secs",
    "yarn.container.health.threshold.window.secs",
    "yarn.container.health.threshold.init.delay.secs",
    key::SHORT_LIFE,
    key::FAILURES_WINDOW,
    "yarn.log.include.patterns",
    "yarn.log.exclude.patterns",
    "yarn.resource-profile-name",
];

/// Returns the lowest number that the ApplicationMaster accepts for a key, and whether it also accepts `max`; `None`: the key
/// has no number, or the client has checked it before.
fn numeric(name: &str) -> Option<(i32, bool)> {
    Some(match name {
        key::POLICY => (0, false),
        key::MEMORY | key::VCORES => (i32::MIN, true),
        key::ESCALATE | key::NODE_FAILURES | key::FAILURES | key::SHORT_LIFE | key::HEALTH => (i32::MIN, false),
        name if name.starts_with(key::WINDOW) => (0, false),
        _ => return None,
    })
}

/// Checks one key; `component`: its component, `None` for `global`.
fn check_row(row: &ConfRow, component: Option<&str>, strict: bool, problems: &mut Vec<Problem>) {
    let ConfRow { key: name, value: Some(value), .. } = row else { return };
    if !name.starts_with("yarn.") && name != key::UNIQUE && name != key::SHORT_LIFE {
        // The client refuses it before.
        return;
    }
    if name == key::FAILURES_WINDOW && component.is_some() {
        let what = format!("`{name}` counts in `global` only.");
        problems.push(Problem::warning(SOURCE, row.at, what).mend("Move it there."));
    }
    if !KNOWN.contains(&name.as_str()) {
        let what = format!("No part of Slider's placement looks at `{name}`.");
        let mend = match nearest(name, KNOWN) {
            Some(near) => format!("Did you mean `{near}`?"),
            None => "It changes nothing here.".to_string(),
        };
        let problem = match strict {
            true => Problem::error(SOURCE, row.at, what),
            false => Problem::warning(SOURCE, row.at, what),
        };
        problems.push(problem.mend(mend));
        return;
    }
    // The ApplicationMaster reads nothing of its own section: the client has done so.
    if component == Some(MASTER) {
        return;
    }
    let warn = |what: String| Problem::warning(SOURCE, row.value_at, what);
    if let Some((low, max)) = numeric(name)
        && !(max && value == "max")
    {
        match decode_int(value.trim()).ok() {
            None => {
                let what = format!("`{name}` is `{value}`, no whole number.");
                problems.push(Problem::error(SOURCE, row.value_at, what).mend("Write a whole number."));
            }
            Some(n) if n < low => {
                let what = format!("`{name}` is {n}, and {low} is the least.");
                problems.push(Problem::error(SOURCE, row.value_at, what).fix(quoted(&low.to_string())));
            }
            Some(n) => match name.as_str() {
                key::POLICY if !Policy(n).defined() => {
                    let policy = Policy(n).named();
                    let what = format!("The outcome of policy {n} is undefined; this Slider takes it for {policy}.");
                    problems.push(warn(what).mend("Use 0, 1, 2 or 4."));
                }
                key::NODE_FAILURES if n < 0 => {
                    let what = format!("A threshold of {n} blacklists every node, for it is always exceeded.");
                    problems.push(warn(what).mend("Use a large number for no limit."));
                }
                key::HEALTH if n > 0 => {
                    let what = "Slider 0.92 has no health monitor: the key does nothing.".to_string();
                    problems.push(Problem::note(SOURCE, row.at, what));
                }
                _ => {}
            },
        }
    }
    // A label in `global` first applies to the application: YARN refuses the submission.
    if name == key::LABEL && component.is_some() && (value.contains("&&") || value.contains("||")) {
        let what = format!("The label expression `{value}` combines labels, which requests are refused for.");
        problems.push(Problem::error(SOURCE, row.value_at, what).mend("Name one label."));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const GOOD: &str = r#"{
  "schema": "http://example.org/specification/v2.0.0",
  "metadata": {},
  "global": {
    "yarn.memory": "512"
  },
  "components": {
    "web": {
      "yarn.role.priority": "1",
      "yarn.component.instances": "3"
    }
  }
}
"#;

    fn problems(text: &str) -> Vec<String> {
        read(text).1.iter().map(|p| p.render(text)).collect()
    }

    #[test]
    fn what_is_read_is_written() {
        let (definition, problems) = read(GOOD);
        assert_eq!(problems, []);
        assert_eq!(write(&definition.expect("accepted")), GOOD);
    }

    #[test]
    fn every_rule_names_the_place() {
        let with = |from: &str, to: &str| problems(&GOOD.replace(from, to));
        let only = |from: &str, to: &str, start: &str| {
            let found = with(from, to);
            assert!(found.len() == 1 && found[0].starts_with(start), "{from} -> {to}: {found:?}");
        };
        only("\"3\"", "3", "resources.json:10:35: warning: The value of");
        only("\"1\",", "\"1\", \"yarn.label.expression\": \"a&&b\",", "resources.json:9:59: error");
        only("\"yarn.memory\": \"512\"", "\"yarn.component.placement.policy\": \"3\"", "resources.json:5:40: warning");
        only("\"1\"", "\"7\"", "resources.json:9:29: warning: Where `web` ran is not remembered");
        only("\"512\"", "null", "resources.json:5:20: warning: `yarn.memory` is null");
        only("\"512\"", "\"two\"", "resources.json:5:20: error");
        only("\n}\n", "\n} x", "resources.json:13:3: warning: The definition is over here");
        only("\"3\"", "[]", "resources.json:10:35: error: This is not as it has to be");
        only("\n}\n", "", "resources.json:12:4: error");
    }
}
