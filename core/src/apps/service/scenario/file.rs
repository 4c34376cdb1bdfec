//! Imports a YARN service's `yarnfile` (JSON) as an application of a scenario: what its client reads, checks and submits
//! (`service::client`), and what its ApplicationMaster asks for, with sizes, counts, constraints, dependencies and restart
//! policies.
//!
//! Other contents of a file that placement depends on are reported: readiness probes, thresholds of failures and health.

use crate::apps::service::client::{self as service, Component, Service, ServiceClientFault, Site};
use crate::config::capacity::PREFIX;
use crate::config::resource_text::{CALCULATOR, DOMINANT, TYPES};
use crate::config::units;
use crate::model::names::{hidden_in_file, problem_in_file};
use crate::model::{CappedProblems, Problem, Severity, Span, limits};
use crate::scenario::notation;
use crate::scenario::units::{TIME_MAX, time_text};
use toml_edit::{Array, InlineTable};

/// The name of the input in messages.
const SOURCE: &str = "yarnfile";
/// The largest number of attempts in a scenario; the cluster's limit is far below.
const MOST_ATTEMPTS: i64 = 1000;
/// Keys that a file may have, and why they are not imported.
const NOT_PLAYED: [(&str, &str); 4] = [
    ("readiness_check", "an instance counts as ready at the first readiness check after its process is up"),
    ("decommissioned_instances", "instances are not decommissioned by name"),
    ("yarn.service.container-failure", "failures are counted, and processes started again, as is the default"),
    ("yarn.service.container-health", "the health of components is not watched"),
];

/// A yarnfile as an entry of `[[apps]]`.
#[derive(Clone, Debug, PartialEq)]
pub struct Import {
    /// The fields of the entry, as TOML lines; `None` if its client or its ApplicationMaster refuses the service.
    pub entry: Option<String>,
    /// The service's name.
    pub name: String,
    /// The number of components, and the number of their constraints.
    pub counts: (usize, usize),
    /// Resource types other than memory and vcores that it asks for.
    pub types: Vec<String>,
    /// The problems, with their positions, and what is not modelled.
    pub problems: Vec<Problem>,
}

/// Returns whether a text looks like a yarnfile.
pub fn is_yarnfile(text: &str) -> bool {
    text.trim_start().starts_with('{') && text.contains("\"components\"")
}

/// Imports a yarnfile. Never panics, whatever the text.
pub fn import(text: &str) -> Import {
    let holds_hidden = |entry: &str| hidden_in_file(entry).is_some();
    let mut out = Import { entry: None, name: String::new(), counts: (0, 0), types: Vec::new(), problems: Vec::new() };
    if text.len() > limits::TEXT_BYTES {
        out.problems.extend(crate::scenario::read::too_long(SOURCE, text.len()));
        return out;
    }
    let mut told = CappedProblems::default();
    let (read, mut faults) = service::read(text);
    if read.is_none() && faults.is_empty() {
        told.add(
            Problem::error(SOURCE, Span::new(0, 0), "A yarnfile is one JSON object.")
                .mend("Put the service between { and }."),
        );
    }
    if let Some(mut service) = read {
        // The files, settings and maximum of the cluster are not known here: the run checks these.
        let site = Site::default();
        faults.extend(service::check(&mut service, "user", &site));
        out.name = service.name.clone().unwrap_or_default();
        out.counts = counts(&service);
        if faults.is_empty() {
            out.entry = taken(&service, &site, &mut faults, &mut out.types, &mut told);
            // Keys that are not imported, such as a launch command, may contain anything.
            if let Some(problem) =
                problem_in_file(SOURCE, text).filter(|_| out.entry.as_deref().is_some_and(holds_hidden))
            {
                told.add(problem);
                out.entry = None;
            }
        }
    }
    for (i, fault) in faults.iter().enumerate() {
        told.add(refused(fault, i == 0));
    }
    for (key, what) in NOT_PLAYED {
        let quoted = format!("\"{key}");
        if let Some(at) = text.find(&quoted) {
            let span = Span::new(at, at + quoted.len());
            told.add(Problem::note(SOURCE, span, format!("`{key}` is not taken over: {what}.")));
        }
    }
    out.problems = told.into_list(SOURCE);
    if out.problems.iter().any(|p| p.severity == Severity::Error) {
        out.entry = None;
    }
    out
}

/// Returns the settings that a scenario needs for these resource types, as lines of TOML: the types are listed, and the
/// CapacityScheduler counts them.
pub fn settings(types: &[String]) -> String {
    let types = toml_edit::Value::from(types.join(","));
    let calculator = CALCULATOR.trim_start_matches(PREFIX);
    format!("[yarn-site]\n\"{TYPES}\" = {types}\n\n[capacity-scheduler]\n{calculator} = \"{DOMINANT}\"\n")
}

fn counts(service: &Service) -> (usize, usize) {
    let constraints = |c: &Component| {
        let policy = c.placement_policy.as_ref();
        policy.and_then(|p| p.constraints.as_ref()).map_or(0, Vec::len)
    };
    (service.components().count(), service.components().map(constraints).sum())
}

/// Returns a problem with a fault in the client's words. The client itself reports only the first fault.
fn refused(fault: &ServiceClientFault, first: bool) -> Problem {
    let words = fault.refusal.words().trim_end_matches('.');
    let what = match first {
        true => format!("The client of YARN services refuses this file: {words}."),
        false => format!("Once that is mended, the client refuses: {words}."),
    };
    Problem::error(SOURCE, fault.at.unwrap_or(Span::new(0, 0)), what).mend(fault.refusal.mend.clone())
}

/// Returns the entry of a checked service.
fn taken(
    service: &Service,
    site: &Site,
    faults: &mut Vec<ServiceClientFault>,
    types: &mut Vec<String>,
    told: &mut CappedProblems,
) -> Option<String> {
    let submitted = match service::submission(service, site) {
        Ok((submitted, _)) => submitted,
        Err(fault) => {
            faults.push(*fault);
            return None;
        }
    };
    let saved = service.clone().saved();
    for component in saved.components() {
        for (name, _) in component.resource.iter().flat_map(|r| r.additional.iter().flatten()) {
            if !types.contains(name) && !["memory-mb", "vcores"].contains(&name.as_str()) {
                types.push(name.clone());
            }
        }
    }
    let known: Vec<&str> = types.iter().map(String::as_str).collect();
    let plan = match service::plan(&saved, &known) {
        Ok(plan) => plan,
        Err(why) => {
            let words =
                if why.message.is_empty() { String::new() } else { format!(": {}", why.message.trim_end_matches('.')) };
            let what = format!(
                "The client submits it, and its ApplicationMaster ends when it makes its requests: {}{words}.",
                why.exception
            );
            let at = service.places.of("components").unwrap_or(Span::new(0, 0));
            told.add(
                Problem::error(SOURCE, at, what)
                    .mend("Write no null into resources and placement policies, and a unit that Hadoop knows."),
            );
            return None;
        }
    };
    let says = |name: &str| service.configuration.as_ref().is_some_and(|c| c.property(name).is_some());
    let mut entry = InlineTable::new();
    entry.insert("name", submitted.name.as_str().into());
    entry.insert("kind", "yarn-service".into());
    if let Some(queue) = service.queue.as_deref().filter(|queue| !queue.is_empty()) {
        entry.insert("queue", queue.into());
    }
    if submitted.am.0 < 0 {
        let at = service.configuration.as_ref().and_then(|c| c.places.of("properties"));
        let what = format!("The ResourceManager refuses an ApplicationMaster of {} MB.", submitted.am.0);
        told.add(
            Problem::error(SOURCE, at.unwrap_or(Span::new(0, 0)), what)
                .mend("Write yarn.service.am-resource.memory as 1 or more."),
        );
    }
    // Values that the file leaves to the cluster's settings are left to those of the scenario.
    if says("yarn.service.am-resource.memory") {
        entry.insert("am", format!("{} MB/{}", submitted.am.0, submitted.am.1).into());
    }
    if says("yarn.service.am-restart.max-attempts") {
        // 0 and less mean the cluster's limit.
        let attempts = if submitted.max_attempts > 0 { submitted.max_attempts.into() } else { MOST_ATTEMPTS };
        entry.insert("max_attempts", attempts.min(MOST_ATTEMPTS).into());
    }
    if says("yarn.service.am-failure.validity-interval-ms") {
        // 0 and less mean that every failure counts.
        let ms = submitted.attempt_failures_validity_ms.clamp(0, TIME_MAX);
        entry.insert("failures_window", time_text(ms).into());
    }
    if let Some(seconds) = submitted.lifetime_s {
        entry.insert("lifetime", format!("{seconds} s").into());
    }
    if plan.readiness != crate::apps::service::strategy::plan::READINESS_MS {
        entry.insert("readiness_check", format!("{} s", plan.readiness / 1000).into());
    }
    let constrained = plan.components.iter().any(|c| c.constraint.is_some());
    if plan.scheduling && !constrained {
        entry.insert("scheduling_requests", true.into());
    }
    let names: Vec<&str> = saved.components().filter_map(|c| c.name.as_deref()).collect();
    let mut parts = Array::new();
    for component in saved.components() {
        let spec = plan.components.iter().find(|spec| component.name.as_ref() == Some(&spec.name));
        let constraint = spec.and_then(|spec| spec.constraint.as_ref());
        let mut part = one(component, spec.map_or(0, |spec| spec.size.memory_mb()), told);
        if let Some(constraint) = constraint {
            part.insert("constraint", notation::value(constraint));
        }
        let policy = component.placement_policy.iter().flat_map(|p| p.constraints.iter().flatten());
        for constraint in policy.flatten() {
            let at = constraint.places.at.unwrap_or(Span::new(0, 0));
            for words in constraint.constraint.warnings(component.name.as_deref().unwrap_or_default(), &names) {
                told.add(Problem::warning(SOURCE, at, words));
            }
        }
        part.fmt();
        parts.push(toml_edit::Value::InlineTable(part));
    }
    entry.insert("components", toml_edit::Value::Array(parts));
    let lines = entry.iter().map(|(key, value)| format!("{key} = {}\n", value.to_string().trim()));
    Some(lines.collect())
}

/// Returns a component without its constraint.
fn one(component: &Component, memory: i64, told: &mut CappedProblems) -> InlineTable {
    let mut part = InlineTable::new();
    let name = component.name.as_deref().unwrap_or_default();
    part.insert("name", name.into());
    part.insert("count", component.number_of_containers.unwrap_or(0).clamp(0, i64::from(i32::MAX)).into());
    part.insert("memory", format!("{memory} MB").into());
    if let Some(resource) = &component.resource {
        let at = |key: &str| resource.places.of(key).unwrap_or(Span::new(0, 0));
        if memory < 0 {
            let what = format!("The ResourceManager refuses requests of {name} for {memory} MB.");
            told.add(Problem::error(SOURCE, at("memory"), what).mend("Write a memory of 1 or more."));
        }
        part.insert("vcores", i64::from(resource.cpus.unwrap_or(1)).into());
        let mut more = InlineTable::new();
        for (kind, amount) in resource.additional.iter().flatten() {
            let (Some(amount), false) = (amount, ["memory-mb", "vcores"].contains(&kind.as_str())) else { continue };
            let value = amount.value.unwrap_or(0);
            let plain = units::convert(value, &amount.unit, "").unwrap_or(i64::MAX);
            let place = amount.places.of("value").unwrap_or(at("additional"));
            if plain < 0 {
                let what = format!("The ResourceManager refuses requests of {name} for {plain} of {kind}.");
                told.add(Problem::error(SOURCE, place, what).mend("Write 0 or more."));
            } else if plain != value {
                let what = format!("{value} {} of {kind} are taken over as {plain}.", amount.unit);
                let mend =
                    format!("Where yarn.resource-types.{kind}.units gives the type a unit, write the number in that.");
                told.add(Problem::note(SOURCE, place, what).mend(mend));
            }
            more.insert(kind.as_str(), plain.max(0).into());
        }
        if !more.is_empty() {
            part.insert("resources", toml_edit::Value::InlineTable(more));
        }
    }
    if let Some(policy) = component.restart_policy.filter(|policy| *policy != "ALWAYS") {
        part.insert("restart_policy", policy.into());
    }
    let dependencies: Vec<&String> = component.dependencies.iter().flatten().flatten().collect();
    if !dependencies.is_empty() {
        part.insert("dependencies", Array::from_iter(dependencies).into());
    }
    part
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::apps::service::strategy::RestartPolicy;
    use crate::scenario::{Scenario, ServiceApp, read};

    const FILE: &str = r#"{
  "name": "web", "version": "1.0.0", "queue": "root.default", "lifetime": "3600",
  "components": [
    { "name": "front", "number_of_containers": 3, "launch_command": "run", "resource": { "cpus": 4, "memory": "2048" },
      "placement_policy": { "constraints": [
        { "type": "ANTI_AFFINITY", "scope": "node", "target_tags": ["front"], "node_partitions": ["ssd"] } ] } },
    { "name": "cache", "number_of_containers": 2, "launch_command": "run", "resource": { "cpus": 1, "memory": "1024" } }
  ]
}"#;

    fn played(found: &Import) -> Scenario {
        let entry = found.entry.as_ref().unwrap_or_else(|| panic!("an entry: {:?}", found.problems));
        let text = format!("heddle = 1\n[[apps]]\n{entry}");
        read(&text).scenario.unwrap_or_else(|| panic!("{text}: {:?}", read(&text).problems))
    }

    #[test]
    fn a_service_becomes_an_application_with_its_constraints() {
        let found = import(FILE);
        assert!(is_yarnfile(FILE) && found.problems.iter().all(|p| p.severity != Severity::Error));
        assert_eq!((found.name.as_str(), found.counts), ("web", (2, 1)));
        let scenario = played(&found);
        let service = scenario.apps[0].kind.get::<ServiceApp>().expect("a service");
        let front = &service.components[0];
        assert_eq!((front.count, front.name.as_str(), front.size.memory_mb()), (3, "front", 2048));
        let tree = front.constraint.as_ref().expect("its constraint");
        assert_eq!(tree.leaves()[0].targets.len(), 2);
        assert!(service.components[1].constraint.is_none() && service.scheduling);
        let app = &scenario.apps[0];
        assert_eq!((app.lifetime, app.max_attempts, app.am.size.memory_mb()), (Some(3_600_000), Some(20), 1024));
        assert_eq!((app.tags.as_slice(), app.am.keep_containers), (["name: web".to_string()].as_slice(), true));
        // The only problem is a partition as anti-affinity target.
        assert_eq!(found.problems.len(), 1, "{:?}", found.problems);
    }

    #[test]
    fn the_rest_of_its_life_is_taken_over() {
        let text = FILE
            .replacen("\"number_of_containers\": 3", "\"dependencies\": [\"cache\"], \"number_of_containers\": 3", 1)
            .replacen("\"number_of_containers\": 2", "\"restart_policy\": \"NEVER\", \"number_of_containers\": 2", 1)
            .replacen("\"lifetime\": \"3600\"", "\"configuration\": {\"properties\": {\"yarn.service.am-failure.validity-interval-ms\": \"90500\", \"yarn.service.readiness-check-interval.seconds\": \"5\", \"yarn.service.am-resource.memory\": 2048, \"yarn.service.am-restart.max-attempts\": \"3\", \"yarn.service.container-health-threshold.percent\": 90}}", 1);
        let found = import(&text);
        let scenario = played(&found);
        let service = scenario.apps[0].kind.get::<ServiceApp>().expect("a service");
        // The component without dependencies comes first.
        assert_eq!((service.components[0].name.as_str(), service.entries.as_slice()), ("cache", [1, 0].as_slice()));
        assert_eq!((service.components[0].restart_policy, service.readiness), (RestartPolicy::Never, 5_000));
        assert_eq!((scenario.apps[0].am.size.memory_mb(), scenario.apps[0].max_attempts), (2048, Some(3)));
        assert_eq!(scenario.apps[0].failures_window, Some(90_500));
        assert!(found.problems.iter().any(|p| p.what.contains("health of components")), "{:?}", found.problems);
        assert!(!found.problems.iter().any(|p| p.what.contains("am-failure")), "{:?}", found.problems);
        for (from, to, part) in [
            ("NEVER", "SOMETIMES", "not one of the values accepted for Enum class: [ON_FAILURE, NEVER, ALWAYS]"),
            ("[\"cache\"]", "[\"front\"]", "a cycle may exist"),
            ("[\"cache\"]", "[\"none\"]", "Dependency none for component front is invalid"),
        ] {
            let told = import(&text.replacen(from, to, 1));
            assert!(told.entry.is_none() && told.problems.iter().any(|p| p.what.contains(part)), "{:?}", told.problems);
        }
    }

    /// Tries each value in each place: the file's own property, the cluster's, the scenario's entry; the first that is set
    /// counts.
    #[test]
    fn the_window_of_failures_is_that_of_the_client() {
        let window = |file: Option<&str>, site: Option<&str>, entry: Option<&str>| {
            let key = "yarn.service.am-failure.validity-interval-ms";
            let own = file.map(|value| format!("\"configuration\": {{\"properties\": {{\"{key}\": \"{value}\"}}}}"));
            let text = FILE.replacen("\"lifetime\": \"3600\"", &own.unwrap_or("\"lifetime\": \"3600\"".into()), 1);
            let found = import(&text);
            let taken = found.entry.unwrap_or_else(|| panic!("{:?}", found.problems));
            let entry = entry.map_or(String::new(), |value| format!("failures_window = \"{value}\"\n"));
            let site = site.map_or(String::new(), |value| format!("[yarn-site]\n\"{key}\" = \"{value}\"\n"));
            let read = read(&format!("heddle = 1\n{site}[[apps]]\n{taken}{entry}"));
            read.scenario.unwrap_or_else(|| panic!("{:?}", read.problems)).apps[0].failures_window
        };
        for (file, site, entry, got) in [
            (None, None, None, None),
            (Some("60000"), None, None, Some(60_000)),
            (Some("1"), None, None, Some(1)),
            (Some("0"), None, None, None),
            (Some("-1"), Some("60000"), None, None),
            (Some("9223372036854775807"), None, None, Some(TIME_MAX)),
            (None, Some("60000"), None, Some(60_000)),
            (None, Some("-1"), None, None),
            (None, Some("9223372036854775807"), None, Some(TIME_MAX)),
            (Some("60000"), Some("5"), None, Some(60_000)),
            (None, Some("5"), Some("2 s"), Some(2000)),
            (None, Some("5"), Some("0 s"), None),
        ] {
            assert_eq!(window(file, site, entry), got, "{file:?} {site:?} {entry:?}");
        }
    }

    #[test]
    fn the_samples_are_told_about() {
        let good = import(include_str!("../../../../../tests/samples/yarnfile.json"));
        assert_eq!(good.counts, (2, 3));
        assert!(good.entry.is_some_and(|e| e.contains("AFFINITY") || e.contains("and = [")), "{:?}", good.problems);
        let bad = import(include_str!("../../../../../tests/samples/yarnfile.bad.json"));
        let words: Vec<&str> = bad.problems.iter().map(|p| p.what.as_str()).collect();
        assert!(bad.entry.is_none(), "YARN starts nothing of a service that its client refuses");
        for part in [
            "Invalid format: Web_1",
            "Version of service",
            "launch_command is required",
            "\"NEAR\"",
            "Scope not specified",
        ] {
            assert_eq!(words.iter().filter(|w| w.contains(part)).count(), 1, "{part}: {words:#?}");
        }
        // The client reports only the first fault, which is what it cannot read.
        assert!(
            words[0].starts_with("The client of YARN services refuses this file: Cannot deserialize"),
            "{words:#?}"
        );
        assert!(words[1..].iter().all(|w| w.starts_with("Once that is mended, the client refuses:")), "{words:#?}");
    }

    /// Tries each possible fault: the client's words, and the position.
    #[test]
    fn faults_have_their_place() {
        for (from, to, part, line) in [
            (r#""name": "web""#, r#""name": "Web_1""#, "can not use '_'", 2),
            (r#""name": "web""#, r#""name": "Web""#, "Invalid name Web does not match", 2),
            (r#""name": "front""#, r#""name": "web""#, "must not be same as service name", 4),
            (r#""name": "front""#, r#""name": "cache""#, "Component name collision: cache", 7),
            (r#""scope": "node""#, r#""scope": "NODE""#, "accepted for Enum class: [node, rack]", 6),
            (r#""scope": "node", "#, "", "Scope not specified", 6),
            (r#""type": "ANTI_AFFINITY", "#, "", "Type not specified", 6),
            (r#""ANTI_AFFINITY""#, r#""NEAR""#, "String \"NEAR\": not one of the values", 6),
            (r#""2048""#, r#""2 GB""#, "For input string: \"2 GB\"", 4),
            (r#""cpus": 4"#, r#""cpus": 0"#, "Unacceptable no of cpus", 4),
            (r#""number_of_containers": 3"#, r#""number_of_containers": -1"#, "Invalid no of containers", 4),
            (
                r#""launch_command": "run", "resource": { "cpus": 4"#,
                r#""resource": { "cpus": 4"#,
                "launch_command is required",
                4,
            ),
            (r#""version": "1.0.0", "#, "", "Version of service web is either empty", 1),
            (r#""components""#, r#""parts""#, "No component specified for web", 1),
            ("3,", "3;", "not JSON", 4),
        ] {
            let text = FILE.replacen(from, to, 1);
            let told = import(&text).problems;
            let found = told.iter().find(|p| p.what.contains(part)).unwrap_or_else(|| panic!("{to}: {told:?}"));
            assert_eq!(found.span.map(|s| s.line_col(&text).0), Some(line), "{to}: {}", found.what);
            assert!(!found.mend.is_empty(), "{to}: {}", found.what);
        }
    }

    #[test]
    fn what_is_only_wrong_for_the_master_is_told_as_that() {
        for (from, to, part) in [
            (r#"["front"]"#, "null", "its ApplicationMaster ends when it makes its requests: NullPointerException"),
            (
                r#""memory": "2048""#,
                r#""memory": "2048", "additional": {"disk": {"value": 2, "unit": "GB"}}"#,
                "Unknown unit 'GB'",
            ),
            (r#""2048""#, r#""-5""#, "The ResourceManager refuses requests of front for -5 MB"),
        ] {
            let told = import(&FILE.replacen(from, to, 1));
            assert!(
                told.entry.is_none() && told.problems.iter().any(|p| p.what.contains(part)),
                "{to}: {:?}",
                told.problems
            );
        }
        let disk = FILE.replacen(
            r#""memory": "2048""#,
            r#""memory": "2048", "additional": {"disk": {"value": 2, "unit": "Ki"}}"#,
            1,
        );
        let found = import(&disk);
        assert!(found.entry.as_ref().is_some_and(|e| e.contains("disk = 2048")), "{:?}", found.entry);
        assert_eq!(found.types, ["disk"]);
        // With a policy that names nothing the requests of all components change their form.
        let nothing = FILE.replacen(r#""target_tags": ["front"], "node_partitions": ["ssd"] "#, "", 1).replacen(
            "\"node\",  }",
            "\"node\" }",
            1,
        );
        let nothing = nothing.replacen(r#""scope": "node", }"#, r#""scope": "node" }"#, 1);
        let found = import(&nothing);
        assert!(found.entry.as_ref().is_some_and(|e| e.contains("scheduling_requests = true")), "{:?}", found.problems);
    }
}
