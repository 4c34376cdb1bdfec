//! A YARN service's `yarnfile` (JSON) as an application of a scenario: its components with their sizes, counts and
//! `placement_policy` (formats.md section 7; placement-constraints.md section 11).
//!
//! Dependencies, restart policies and the life time are taken over with them. What a file says besides that, and
//! placement hangs on, is told: readiness probes, thresholds of failures and health.

use super::notation;
use crate::constraint::service::{PlacementPolicy, PolicyError, PolicyScope, PolicyType, ServiceConstraint};
use crate::model::{Few, Problem, Severity, Span, limits};
use crate::strategy::service::plan::{ComponentSpec, RestartPolicy, by_dependencies};
use serde_json::{Map, Value};
use std::collections::BTreeSet;
use toml_edit::{Array, InlineTable};

/// How messages name the input.
const SOURCE: &str = "yarnfile";
/// Values that are looked for in vain: each is a walk through the text.
const MISSES: usize = 20;
/// `yarn.service.am-resource.memory`.
const AM_MB: i64 = 1024;
/// The property that says how often readiness is checked.
const READINESS: &str = "yarn.service.readiness-check-interval.seconds";
/// Keys that a file may have, and why they are not taken over.
const NOT_PLAYED: [(&str, &str); 4] = [
    ("readiness_check", "an instance counts as ready at the first readiness check after its process is up"),
    ("decommissioned_instances", "instances are not decommissioned by name"),
    ("yarn.service.container-failure", "failures are counted, and processes started again, as is the default"),
    ("yarn.service.container-health", "the health of components is not watched"),
];

/// A yarnfile as an entry of `[[apps]]`.
#[derive(Clone, Debug, PartialEq)]
pub struct Import {
    /// The fields of the entry, as TOML lines; `None` if YARN refuses the service.
    pub entry: Option<String>,
    /// The service's name.
    pub name: String,
    /// How many components, and how many constraints they have.
    pub counts: (usize, usize),
    /// Resource types besides memory and vcores that it asks for.
    pub types: Vec<String>,
    /// What is wrong with it, with places, and what is not modelled.
    pub problems: Vec<Problem>,
}

/// Does a text look like a yarnfile?
pub fn is_yarnfile(text: &str) -> bool {
    text.trim_start().starts_with('{') && text.contains("\"components\"")
}

/// Reads one. Never panics, whatever the text.
pub fn import(text: &str) -> Import {
    let mut r = Reader { text, at: 0, gone: BTreeSet::new(), misses: 0, problems: Few::default() };
    let mut out = Import { entry: None, name: String::new(), counts: (0, 0), types: Vec::new(), problems: Vec::new() };
    if text.len() > limits::TEXT_BYTES {
        out.problems.extend(super::read::too_long(SOURCE, text.len()));
        return out;
    }
    let root = match serde_json::from_str::<Value>(text) {
        Ok(Value::Object(root)) => root,
        Ok(_) => {
            r.error(Span::new(0, 0), "A yarnfile is one JSON object.", "Put the service between { and }.");
            return Import { problems: r.problems.into_list(SOURCE), ..out };
        }
        Err(e) => {
            let start: usize = text.lines().take(e.line().saturating_sub(1)).map(|l| l.len() + 1).sum();
            let near = (start + e.column().saturating_sub(1)).min(text.len());
            let at = (0..=near).rev().find(|at| text.is_char_boundary(*at)).unwrap_or(0);
            r.error(Span::new(at, at), format!("This is not JSON: {e}."), "Mend it.");
            return Import { problems: r.problems.into_list(SOURCE), ..out };
        }
    };
    let mut entry = InlineTable::new();
    let name = root.get("name").and_then(Value::as_str).unwrap_or_default();
    let place = r.find("name");
    let plain = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-';
    if name.is_empty() || name.len() > 63 || !name.chars().all(plain) {
        let mend = "Use lower case letters, digits and `-`, at most 63 of them.";
        r.error(place, format!("The service cannot be called `{name}`."), mend);
    }
    if root.get("version").and_then(Value::as_str).is_none() {
        r.error(Span::new(0, 0), "The service has no `version`.", "Add \"version\": \"1.0.0\".");
    }
    out.name = name.to_string();
    entry.insert("name", name.into());
    entry.insert("kind", "yarn-service".into());
    if let Some(queue) = root.get("queue").and_then(Value::as_str) {
        entry.insert("queue", queue.into());
    }
    entry.insert("am", format!("{AM_MB} MB/1").into());
    if let Some(seconds) = root.get("lifetime").and_then(seconds).filter(|s| *s > 0) {
        entry.insert("lifetime", format!("{seconds} s").into());
    }
    let property = |key: &str| root.get("configuration")?.get("properties")?.get(key);
    if let Some(seconds) = property(READINESS).and_then(seconds).filter(|s| *s > 0) {
        entry.insert("readiness_check", format!("{seconds} s").into());
    }
    let mut parts = Array::new();
    let default = root.get("resource");
    let components = root.get("components").and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default();
    if components.is_empty() {
        r.error(Span::new(0, 0), "The service has no `components`.", "Add one with a name and number_of_containers.");
    }
    let mut known = Vec::new();
    r.find("components");
    for (i, component) in components.iter().enumerate() {
        let Value::Object(component) = component else {
            let at = r.here();
            r.error(at, format!("Component {} is not an object.", i + 1), "Write { \"name\": … }.");
            continue;
        };
        let mut part = InlineTable::new();
        out.counts.0 += 1;
        out.counts.1 += one(&mut r, component, default, &mut part);
        known.push(life(&mut r, component, &mut part));
        for kind in part.get("resources").and_then(|r| r.as_inline_table()).into_iter().flat_map(InlineTable::iter) {
            if !out.types.iter().any(|known| known == kind.0) {
                out.types.push(kind.0.to_string());
            }
        }
        part.fmt();
        parts.push(toml_edit::Value::InlineTable(part));
    }
    if let Err(stuck) = by_dependencies(&known) {
        let at = text.find("\"dependencies\"").unwrap_or(0);
        let what = format!("The dependencies of {} are not there, or go round in a circle.", stuck.join(", "));
        r.error(Span::new(at, at), what, "YARN refuses the service.");
    }
    for (key, what) in NOT_PLAYED {
        let quoted = format!("\"{key}");
        if let Some(at) = text.find(&quoted) {
            let span = Span::new(at, at + quoted.len());
            r.problems.add(Problem::note(SOURCE, span, format!("`{key}` is not taken over: {what}.")));
        }
    }
    out.problems = r.problems.into_list(SOURCE);
    let refused = out.problems.iter().any(|p| p.severity == Severity::Error);
    if !refused && !parts.is_empty() {
        entry.insert("components", toml_edit::Value::Array(parts));
        let lines = entry.iter().map(|(key, value)| format!("{key} = {}\n", value.to_string().trim()));
        out.entry = Some(lines.collect());
    }
    out
}

/// Seconds, as a number or as a text.
fn seconds(value: &Value) -> Option<i64> {
    value.as_i64().or_else(|| value.as_str()?.trim().parse().ok())
}

/// What becomes of a component: its restart policy and what it depends on.
fn life(r: &mut Reader<'_>, component: &Map<String, Value>, part: &mut InlineTable) -> ComponentSpec {
    let text = |key: &str| component.get(key).and_then(Value::as_str).unwrap_or_default().to_string();
    let policy = text("restart_policy");
    if !policy.is_empty() {
        let at = r.peek(&policy).unwrap_or(r.here());
        match RestartPolicy::ALL.iter().any(|(name, _)| *name == policy) {
            true => _ = part.insert("restart_policy", policy.into()),
            false => {
                r.error(at, format!("`{policy}` is not a restart policy."), "Known are ALWAYS, ON_FAILURE and NEVER.")
            }
        }
    }
    let listed = component.get("dependencies").and_then(Value::as_array).into_iter().flatten();
    let dependencies: Vec<String> = listed.filter_map(Value::as_str).map(String::from).collect();
    if !dependencies.is_empty() {
        part.insert("dependencies", Array::from_iter(&dependencies).into());
    }
    ComponentSpec { name: text("name"), dependencies, ..ComponentSpec::default() }
}

/// One component; how many constraints it has.
fn one(r: &mut Reader<'_>, component: &Map<String, Value>, default: Option<&Value>, part: &mut InlineTable) -> usize {
    let name = component.get("name").and_then(Value::as_str).unwrap_or_default();
    let here = r.find_text("name", name);
    if name.is_empty() || name.len() > 44 {
        r.error(here, format!("A component cannot be called `{name}`."), "Its name has 1 to 44 letters.");
    }
    part.insert("name", name.into());
    let count = component.get("number_of_containers").and_then(Value::as_i64).unwrap_or(0);
    if count < 0 {
        r.error(here, format!("number_of_containers of `{name}` is {count}."), "It is 0 or more.");
    }
    part.insert("count", count.clamp(0, i64::from(i32::MAX)).into());
    let resource = component.get("resource").or(default);
    if let Some(profile) = resource.and_then(|r| r.get("profile")).and_then(Value::as_str) {
        let at = r.find_text("profile", profile);
        if resource.is_some_and(|r| r.get("cpus").is_some() || r.get("memory").is_some()) {
            r.error(at, "A resource names a profile and cpus or memory as well.", "Give one or the other.");
        } else {
            r.error(at, format!("The resource profile `{profile}` is not known here."), "Give cpus and memory.");
        }
    }
    let number = |key: &str| {
        resource.and_then(|r| r.get(key)).map(|v| match v {
            Value::String(text) => text.trim().parse::<i64>().map_err(|_| text.clone()),
            other => other.as_i64().ok_or_else(|| other.to_string()),
        })
    };
    match number("memory") {
        Some(Ok(mb)) => {
            part.insert("memory", format!("{mb} MB").into());
        }
        Some(Err(text)) => {
            let at = r.find_text("memory", &text);
            r.error(at, format!("`{text}` is not an amount of memory."), "Write a number of MB without a unit.");
        }
        None => r.error(here, format!("`{name}` has no memory."), "Add resource.memory, in MB."),
    }
    if let Some(Ok(cpus)) = number("cpus") {
        part.insert("vcores", cpus.into());
    }
    if let Some(more) = resource.and_then(|r| r.get("additional")).and_then(Value::as_object) {
        let mut table = InlineTable::new();
        for (kind, amount) in more {
            let value = amount.get("value").and_then(Value::as_i64).unwrap_or(0);
            table.insert(kind.as_str(), value.into());
        }
        part.insert("resources", toml_edit::Value::InlineTable(table));
    }
    if let Some(written) = component.get("placement_policy") {
        policy(r, name, written, here, part);
    }
    component.get("placement_policy").and_then(|p| p.get("constraints")).and_then(Value::as_array).map_or(0, Vec::len)
}

/// The component's policy: each fault at its constraint, with what is accepted and yet cannot work. The service itself
/// tells the first fault only.
fn policy(r: &mut Reader<'_>, name: &str, written: &Value, here: Span, part: &mut InlineTable) {
    let before = r.problems.count();
    let mut policy = PlacementPolicy::default();
    let listed = written.get("constraints").and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default();
    let mut place = r.find("placement_policy");
    for one in listed {
        let mut one = one.clone();
        for (key, known) in
            [("type", &["AFFINITY", "ANTI_AFFINITY", "AFFINITY_WITH_CARDINALITY"][..]), ("scope", &["NODE", "RACK"])]
        {
            let Some(text) = one.get(key).and_then(Value::as_str) else { continue };
            place = r.find_text(key, text);
            if !known.contains(&text) {
                let what = format!("`{text}` is not a {key} of placement constraints.");
                r.error(place, what, format!("Known are {}.", known.join(", ")));
                // Something known in its place, so that the rest is looked at as well.
                one[key] = known[0].into();
            }
        }
        let mut read = match serde_json::from_value::<ServiceConstraint>(one) {
            Ok(read) => read,
            Err(e) => {
                r.error(place, format!("This constraint cannot be read: {e}."), "");
                continue;
            }
        };
        while let Err(fault) = read.validate(name) {
            let mut at = place;
            match &fault {
                PolicyError::TypeMissing => read.kind = Some(PolicyType::AntiAffinity),
                PolicyError::ScopeMissing => read.scope = Some(PolicyScope::Node),
                PolicyError::TagsMissing => read.target_tags = vec![name.to_string()],
                PolicyError::ForeignTag(tag) => {
                    at = r.peek(tag).unwrap_or(place);
                    read.target_tags.retain(|t| t != tag);
                    read.target_tags.push(name.to_string());
                }
            }
            r.error(at, fault.to_string(), "YARN refuses the service.");
        }
        policy.constraints.push(read);
    }
    if r.problems.count() > before {
        return;
    }
    for words in policy.warnings(name) {
        r.problems.add(Problem::warning(SOURCE, place, words));
    }
    match policy.constraint(name) {
        Ok(Some(constraint)) => {
            part.insert("constraint", notation::value(&constraint));
        }
        Ok(None) => {}
        Err(fault) => r.error(here, fault.to_string(), ""),
    }
}

/// Finds keys in the text in the order in which they are read, for the places of problems.
struct Reader<'t> {
    text: &'t str,
    at: usize,
    /// What does not come any more.
    gone: BTreeSet<String>,
    /// How often a value was not found where it is written otherwise, with escapes.
    misses: usize,
    problems: Few,
}

impl Reader<'_> {
    fn error(&mut self, span: Span, what: impl Into<String>, mend: impl Into<String>) {
        self.problems.add(Problem::error(SOURCE, span, what.into()).mend(mend));
    }

    fn here(&self) -> Span {
        Span::new(self.at, self.at)
    }

    /// A quoted text at or after where reading stands.
    fn peek(&mut self, text: &str) -> Option<Span> {
        if self.gone.contains(text) {
            return None;
        }
        let quoted = format!("\"{text}\"");
        let Some(ahead) = self.text.get(self.at..).and_then(|rest| rest.find(&quoted)) else {
            self.gone.insert(text.to_string());
            return None;
        };
        let start = self.at + ahead;
        Some(Span::new(start, start + quoted.len()))
    }

    /// The next such key; reading goes on behind it.
    fn find(&mut self, key: &str) -> Span {
        match self.peek(key) {
            Some(span) => {
                self.at = span.end;
                span
            }
            None => self.here(),
        }
    }

    /// The value of the next such key.
    fn find_text(&mut self, key: &str, value: &str) -> Span {
        let at = self.at;
        if self.misses > MISSES {
            return self.here();
        }
        while let Some(span) = self.peek(key) {
            self.at = span.end;
            let rest = self.text[span.end..].trim_start_matches([' ', '\t', '\r', '\n', ':']);
            if rest.starts_with(&format!("\"{value}\"")) {
                let start = self.text.len() - rest.len();
                return Span::new(start, start + value.len() + 2);
            }
        }
        // From where reading stands there may be such keys, though none with this value.
        (self.at, self.misses) = (at, self.misses + 1);
        self.gone.remove(key);
        self.here()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scenario::{AppKind, read};

    const FILE: &str = r#"{
  "name": "web", "version": "1.0.0", "queue": "root.default", "lifetime": "3600",
  "components": [
    { "name": "front", "number_of_containers": 3, "resource": { "cpus": 4, "memory": "2048" },
      "placement_policy": { "constraints": [
        { "type": "ANTI_AFFINITY", "scope": "NODE", "target_tags": ["front"], "node_partitions": ["ssd"] } ] } },
    { "name": "cache", "number_of_containers": 2, "resource": { "cpus": 1, "memory": "1024" } }
  ]
}"#;

    #[test]
    fn a_service_becomes_an_application_with_its_constraints() {
        let found = import(FILE);
        assert!(is_yarnfile(FILE) && found.problems.iter().all(|p| p.severity != crate::model::Severity::Error));
        assert_eq!((found.name.as_str(), found.counts), ("web", (2, 1)));
        let text = format!("heddle = 1\n[[apps]]\n{}", found.entry.expect("an entry"));
        let scenario = read(&text).scenario.unwrap_or_else(|| panic!("{text}: {:?}", read(&text).problems));
        let AppKind::Service(service) = &scenario.apps[0].kind else { panic!("a service") };
        let front = &service.components[0];
        assert_eq!((front.count, front.name.as_str(), front.size.memory_mb()), (3, "front", 2048));
        let tree = front.constraint.as_ref().expect("its constraint");
        assert_eq!(tree.leaves()[0].targets.len(), 2);
        assert!(service.components[1].constraint.is_none());
        assert_eq!(scenario.apps[0].lifetime, Some(3_600_000));
        // One turned-round partition.
        assert_eq!(found.problems.len(), 1, "{:?}", found.problems);
    }

    #[test]
    fn the_rest_of_its_life_is_taken_over() {
        let text = FILE
            .replacen("\"number_of_containers\": 3", "\"dependencies\": [\"cache\"], \"number_of_containers\": 3", 1)
            .replacen("\"number_of_containers\": 2", "\"restart_policy\": \"NEVER\", \"number_of_containers\": 2", 1)
            .replacen("\"lifetime\": \"3600\"", "\"configuration\": {\"properties\": {\"yarn.service.readiness-check-interval.seconds\": \"5\", \"yarn.service.container-health-threshold.percent\": 90}}", 1);
        let found = import(&text);
        let entry = format!("heddle = 1\n[[apps]]\n{}", found.entry.expect("an entry"));
        let scenario = read(&entry).scenario.unwrap_or_else(|| panic!("{entry}: {:?}", read(&entry).problems));
        let AppKind::Service(service) = &scenario.apps[0].kind else { panic!("a service") };
        // The one that nothing holds up comes first.
        assert_eq!((service.components[0].name.as_str(), service.entries.as_slice()), ("cache", [1, 0].as_slice()));
        assert_eq!((service.components[0].restart_policy, service.readiness), (RestartPolicy::Never, 5_000));
        assert!(found.problems.iter().any(|p| p.what.contains("health of components")), "{:?}", found.problems);
        for (from, to, part) in
            [("NEVER", "SOMETIMES", "not a restart policy"), ("[\"cache\"]", "[\"front\"]", "in a circle")]
        {
            let told = import(&text.replacen(from, to, 1));
            assert!(told.entry.is_none() && told.problems.iter().any(|p| p.what.contains(part)), "{:?}", told.problems);
        }
    }

    #[test]
    fn the_samples_are_told_about() {
        let good = import(include_str!("../../../tests/samples/yarnfile.json"));
        assert_eq!(good.counts, (2, 3));
        assert!(good.entry.is_some_and(|e| e.contains("AFFINITY") || e.contains("and = [")), "{:?}", good.problems);
        let bad = import(include_str!("../../../tests/samples/yarnfile.bad.json"));
        let words: Vec<&str> = bad.problems.iter().map(|p| p.what.as_str()).collect();
        assert!(bad.entry.is_none(), "YARN starts nothing of a service that it refuses");
        for part in ["`Web_1`", "no `version`", "a profile and cpus", "`1 GB`", "`NEAR`", "no scope", "`b`"] {
            assert_eq!(words.iter().filter(|w| w.contains(part)).count(), 1, "{part}: {words:#?}");
        }
    }

    #[test]
    fn faults_have_their_place() {
        for (from, to, part, line) in [
            (r#""name": "web""#, r#""name": "Web_1""#, "cannot be called `Web_1`", 2),
            (r#"["front"]"#, r#"["cache"]"#, "not the component's own name", 6),
            (r#""scope": "NODE", "#, "", "no scope", 6),
            (r#""2048""#, r#""2 GB""#, "`2 GB` is not an amount of memory", 4),
            (r#""ANTI_AFFINITY""#, r#""NEAR""#, "`NEAR` is not a type", 6),
            (r#""version": "1.0.0", "#, "", "no `version`", 1),
            (r#""components""#, r#""parts""#, "no `components`", 1),
            ("3,", "3;", "not JSON", 4),
        ] {
            let text = FILE.replacen(from, to, 1);
            let told = import(&text).problems;
            let found = told.iter().find(|p| p.what.contains(part)).unwrap_or_else(|| panic!("{to}: {told:?}"));
            assert_eq!(found.span.map(|s| s.line_col(&text).0), Some(line), "{to}: {}", found.what);
        }
    }
}
