//! resources.json as a text: read with a place for everything that is wrong, and written (slider-placement.md 3.1, 3.2).

use super::json::{Fault, Kind, Token, Tokens, quoted};
use super::policy::Policy;
use super::settings::{Definition, Keys, MASTER, decode, key};
use crate::model::{Problem, Span, limits, nearest};
use std::fmt::Write as _;

/// How messages name the input.
const SOURCE: &str = "resources.json";
/// What `schema` has to be.
pub const SCHEMA: &str = "http://example.org/specification/v2.0.0";

/// A key with its value, and their places.
pub struct Row {
    pub key: String,
    pub at: Span,
    pub value: String,
    pub value_at: Span,
}

/// A component and its rows.
pub struct Section {
    pub name: String,
    pub at: Span,
    pub rows: Vec<Row>,
}

/// A definition, taken apart.
#[derive(Default)]
pub struct Parts {
    pub schema: Option<(String, Span)>,
    pub global: Vec<Row>,
    pub components: Vec<Section>,
    /// Is a key that nothing comes of an error? Slider's client takes it.
    pub strict: bool,
}

struct Reader<'t> {
    tokens: Tokens<'t>,
    problems: Vec<Problem>,
}

/// Reads resources.json. `None`: Slider's client refuses it; the problems say why. Never panics, whatever the text.
pub fn read(text: &str) -> (Option<Definition>, Vec<Problem>) {
    if text.len() > limits::TEXT_BYTES {
        let what = format!("The text has {} bytes; {} is the most.", text.len(), limits::TEXT_BYTES);
        return (None, vec![Problem::error(SOURCE, None, what)]);
    }
    let mut r = Reader { tokens: Tokens::new(text), problems: Vec::new() };
    let parts = match r.document() {
        Ok(parts) => parts,
        Err(fault) => {
            let at = Span::new(fault.at, fault.at);
            r.problems.push(Problem::error(SOURCE, at, format!("This is not as it has to be: {}.", fault.what)));
            return (None, r.problems);
        }
    };
    judge(&parts, r.problems)
}

/// The definition from its parts, wherever they were written. `problems`: those of reading them.
pub fn judge(parts: &Parts, mut problems: Vec<Problem>) -> (Option<Definition>, Vec<Problem>) {
    check(parts, &mut problems);
    let refused = problems.iter().any(|p| p.severity == crate::model::Severity::Error);
    let keys = |rows: &[Row]| rows.iter().map(|r| (r.key.clone(), r.value.clone())).collect::<Keys>();
    let components = parts.components.iter().map(|s| (s.name.clone(), keys(&s.rows))).collect();
    let definition = Definition { global: keys(&parts.global), components };
    ((!refused).then_some(definition), problems)
}

/// Writes it as Slider's tools do.
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

impl Reader<'_> {
    fn take(&mut self) -> Result<Token, Fault> {
        let at = self.tokens.seen();
        self.tokens.next_token()?.ok_or(Fault { at, what: "the text ends here".into() })
    }

    fn open(&mut self) -> Result<(), Fault> {
        match self.take()? {
            Token { kind: Kind::ObjectStart, .. } => Ok(()),
            other => Err(Fault { at: other.span.start, what: "an object is expected, between { and }".into() }),
        }
    }

    /// The name of the next field; `None` at the object's end.
    fn name(&mut self) -> Result<Option<Token>, Fault> {
        let token = self.take()?;
        Ok((token.kind == Kind::Name).then_some(token))
    }

    fn document(&mut self) -> Result<Parts, Fault> {
        let mut parts = Parts::default();
        self.open()?;
        while let Some(name) = self.name()? {
            match name.text.as_str() {
                "schema" => {
                    let token = self.take()?;
                    parts.schema = Some((token.text, token.span));
                }
                "global" => parts.global = self.rows()?,
                "components" => {
                    self.open()?;
                    while let Some(name) = self.name()? {
                        let rows = self.rows()?;
                        let twice = parts.components.iter().position(|s| s.name == name.text);
                        if let Some(at) = twice {
                            let what = format!("The component `{}` stands twice; the last one counts.", name.text);
                            self.problems.push(Problem::warning(SOURCE, name.span, what));
                            parts.components.remove(at);
                        }
                        parts.components.push(Section { name: name.text, at: name.span, rows });
                    }
                }
                "metadata" => self.pass()?,
                other => {
                    let what = format!("Slider does not know `{other}`.");
                    self.problems.push(Problem::warning(SOURCE, name.span, what).mend("Delete it."));
                    self.pass()?;
                }
            }
        }
        if let Some(token) = self.tokens.next_token()? {
            return Err(Fault { at: token.span.start, what: "the definition is over here".into() });
        }
        Ok(parts)
    }

    /// Passes over a value.
    fn pass(&mut self) -> Result<(), Fault> {
        let mut level = 0usize;
        loop {
            match self.take()?.kind {
                Kind::ObjectStart | Kind::ArrayStart => level += 1,
                Kind::ObjectEnd | Kind::ArrayEnd => level = level.saturating_sub(1),
                _ => {}
            }
            if level == 0 {
                return Ok(());
            }
        }
    }

    fn rows(&mut self) -> Result<Vec<Row>, Fault> {
        self.open()?;
        let mut rows: Vec<Row> = Vec::new();
        while let Some(name) = self.name()? {
            let value = self.take()?;
            match value.kind {
                Kind::Text => {}
                Kind::Int | Kind::Float | Kind::Bool => {
                    let what = format!("The value of `{}` has no quotes; Slider takes it as a text.", name.text);
                    let fix = quoted(&value.text);
                    self.problems
                        .push(Problem::warning(SOURCE, value.span, what).mend("Put quotes around it.").fix(fix));
                }
                _ => {
                    let what = format!("the value of `{}` has to be a text", name.text);
                    return Err(Fault { at: value.span.start, what });
                }
            }
            if let Some(at) = rows.iter().position(|r| r.key == name.text) {
                let what = format!("`{}` stands twice; the last one counts.", name.text);
                self.problems.push(Problem::warning(SOURCE, name.span, what));
                rows.remove(at);
            }
            rows.push(Row { key: name.text, at: name.span, value: value.text, value_at: value.span });
        }
        Ok(rows)
    }
}

/// What the client and the ApplicationMaster refuse, and what is probably not meant.
fn check(parts: &Parts, problems: &mut Vec<Problem>) {
    match &parts.schema {
        Some((schema, _)) if schema == SCHEMA => {}
        Some((schema, at)) => problems.push(
            Problem::error(SOURCE, *at, format!("The schema is `{schema}`."))
                .mend(format!("It has to be `{SCHEMA}`."))
                .fix(quoted(SCHEMA)),
        ),
        None => problems.push(
            Problem::error(SOURCE, Span::new(0, 0), "The definition has no `schema`.")
                .mend(format!("Add \"schema\": \"{SCHEMA}\".")),
        ),
    }
    for row in &parts.global {
        check_row(row, parts.strict, problems);
    }
    let ids: Vec<Option<(i32, Span)>> = parts.components.iter().map(|s| component(parts, s, problems)).collect();
    // With the ApplicationMaster's own.
    let own = parts.components.iter().any(|s| s.name == MASTER);
    let count = parts.components.len() + usize::from(!own);
    for (i, id) in ids.iter().enumerate() {
        let Some((id, at)) = id else { continue };
        let name = &parts.components[i].name;
        let first = ids[..i].iter().position(|other| other.is_some_and(|(other, _)| other == *id));
        if let Some(other) = first {
            let what = format!("`{name}` and `{}` have the same id {id}.", parts.components[other].name);
            problems.push(Problem::error(SOURCE, *at, what).mend("Give every component an id of its own."));
        } else if usize::try_from(*id).is_ok_and(|id| id >= count) {
            let what = format!(
                "Where `{name}` ran is not remembered: its id {id} is not below {count}, the number of components with \
                 the ApplicationMaster's."
            );
            problems.push(Problem::warning(SOURCE, *at, what).mend("Number the components 1, 2, 3 without gaps."));
        }
    }
}

/// A component's own rules; its id and where that stands.
fn component(parts: &Parts, section: &Section, problems: &mut Vec<Problem>) -> Option<(i32, Span)> {
    for row in &section.rows {
        check_row(row, parts.strict, problems);
    }
    if section.name == MASTER {
        return None;
    }
    let find = |name: &str| section.rows.iter().chain(&parts.global).find(|r| r.key == name);
    let name = &section.name;
    if find(key::INSTANCES).is_none() {
        let what = format!("`{name}` does not say how many instances it has.");
        problems.push(Problem::error(SOURCE, section.at, what).mend(format!("Add `{}`.", key::INSTANCES)));
    }
    let Some(row) = find(key::PRIORITY) else {
        let what = format!("`{name}` has no id.");
        problems.push(Problem::error(SOURCE, section.at, what).mend(format!("Add `{}`.", key::PRIORITY)));
        return None;
    };
    decode(row.value.trim()).filter(|id| *id >= 1).map(|id| (id, row.value_at))
}

/// Keys that something comes of.
const KNOWN: [&str; 20] = [
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
];

/// The lowest number that a key takes, and whether it also takes `max`; `None`: it takes no number.
fn numeric(name: &str) -> Option<(i32, bool)> {
    Some(match name {
        key::PRIORITY => (1, false),
        key::INSTANCES | key::POLICY => (0, false),
        key::MEMORY | key::VCORES => (i32::MIN, true),
        key::ESCALATE | key::NODE_FAILURES | key::FAILURES | key::SHORT_LIFE | key::HEALTH => (i32::MIN, false),
        name if name.starts_with(key::WINDOW) => (0, false),
        _ => return None,
    })
}

fn check_row(row: &Row, strict: bool, problems: &mut Vec<Problem>) {
    let Row { key: name, value, .. } = row;
    if !name.starts_with("yarn.") && name != key::UNIQUE {
        let what = format!("Slider's client refuses the key `{name}`: it does not begin with `yarn.`.");
        problems.push(Problem::error(SOURCE, row.at, what).mend("Put it into appConfig.json, or delete it."));
        return;
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
    let warn = |what: String| Problem::warning(SOURCE, row.value_at, what);
    if let Some((low, max)) = numeric(name)
        && !(max && value == "max")
    {
        match decode(value.trim()) {
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
    if name == key::LABEL && (value.contains("&&") || value.contains("||")) {
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
        only("v2.0.0", "v1", "resources.json:2:13: error: The schema is");
        only("\"1\"", "\"0\"", "resources.json:9:29: error: `yarn.role.priority` is 0");
        only("\"1\"", "\"one\"", "resources.json:9:29: error");
        only("\"3\"", "\"-3\"", "resources.json:10:35: error");
        only("\"3\"", "3", "resources.json:10:35: warning: The value of");
        only("yarn.memory", "memory", "resources.json:5:5: error: Slider's client refuses");
        only("\"yarn.memory\": \"512\"", "\"yarn.label.expression\": \"a&&b\"", "resources.json:5:30: error");
        only("\"yarn.memory\": \"512\"", "\"yarn.component.placement.policy\": \"3\"", "resources.json:5:40: warning");
        only("\"1\"", "\"7\"", "resources.json:9:29: warning: Where `web` ran is not remembered");
        only("\"yarn.role.priority\": \"1\",", "", "resources.json:8:5: error: `web` has no id");
        only("\"3\"", "[]", "resources.json:10:35: error: This is not as it has to be");
        only("\n}\n", "", "resources.json:12:4: error");
        let twice = r#"}, "db": { "yarn.role.priority": "1", "yarn.component.instances": "1" }"#;
        let found = with("    }\n  }", &format!("    {twice}\n  }}"));
        assert!(found.len() == 1 && found[0].contains("the same id 1"), "{found:?}");
    }
}
