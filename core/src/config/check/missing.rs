//! Settings that would change the run and are not modelled: reported first, and not counted as modelled.

use super::File;
use crate::config::properties::PREFIX;
use crate::config::values::{parse_boolean, trim};
use crate::model::{Problem, Span};

/// The beginning of these reports.
pub(super) const START: &str = "Not modelled: ";

/// The values of a setting that change something.
enum When {
    True,
    /// A number above 1.
    Several,
    /// Any value except this one.
    NotThis(&'static str),
}

use When::{NotThis, Several, True};

/// By the end of the key, since queues have some of these settings.
const CHANGING: &[(&str, When, &str)] = &[
    (
        "yarn.scheduler.capacity.schedule-asynchronously.maximum-threads",
        Several,
        "threads that place at the same time. One is played.",
    ),
    (
        ".reservable",
        True,
        "reservations. The queue is played as a leaf of its own, without those that are made for reservations.",
    ),
    (
        "yarn.resourcemanager.reservation-system.enable",
        True,
        "reservations. Applications get what is free, not what was reserved ahead of time.",
    ),
    (
        "yarn.resourcemanager.nodemanagers.heartbeat-interval-scaling-enable",
        True,
        "heartbeats that follow a node's load. All nodes have the same interval.",
    ),
    ("yarn.scheduler.include-port-in-node-name", True, "ports in the names of nodes. A node is called by its host."),
    (
        "yarn.resourcemanager.application-tag-based-placement.enable",
        True,
        "placement by an application's tag. The user who submits decides.",
    ),
    (
        "yarn.resourcemanager.placement-constraints.algorithm.pool-size",
        Several,
        "several threads of the placement processor. One is played.",
    ),
    (
        "yarn.resourcemanager.placement-constraints.scheduler.pool-size",
        Several,
        "several threads of the placement processor. One is played.",
    ),
    (
        "yarn.scheduler.configuration.store.class",
        NotThis("file"),
        "a store of settings. Once it is filled, the ResourceManager reads the queues from there and not from \
         capacity-scheduler.xml; here the file counts.",
    ),
    (
        "net.topology.script.file.name",
        NotThis(""),
        "a script that gives racks. Nodes have the racks that the scenario gives them.",
    ),
    // Its name in Hadoop 1, which Hadoop still reads.
    (
        "topology.script.file.name",
        NotThis(""),
        "a script that gives racks. Nodes have the racks that the scenario gives them.",
    ),
    (
        "net.topology.table.file.name",
        NotThis(""),
        "a table of racks. Nodes have the racks that the scenario gives them.",
    ),
    (
        "yarn.resourcemanager.opportunistic-container-allocation.enabled",
        True,
        "opportunistic containers. All containers are guaranteed ones.",
    ),
    ("yarn.federation.enabled", True, "federation. There is one ResourceManager, with all nodes."),
    (
        "yarn.nodemanager.distributed-scheduling.enabled",
        True,
        "scheduling by the nodes. Only the ResourceManager places containers.",
    ),
];

/// Returns what is not modelled, if this value of this property would change the run without being modelled.
pub(super) fn of(key: &str, value: &str) -> Option<String> {
    let fits = |name: &str| match name.strip_prefix('.') {
        Some(_) => key.starts_with(PREFIX) && key.ends_with(name),
        None => key == name,
    };
    let (_, when, what) = CHANGING.iter().find(|(name, ..)| fits(name))?;
    let value = trim(value);
    let changes = match when {
        True => parse_boolean(value) == Some(true),
        Several => value.parse::<i64>().is_ok_and(|n| n > 1),
        NotThis(usual) => !value.is_empty() && value != *usual,
    };
    changes.then(|| format!("{START}{what} ({key} = {value})"))
}

/// Reports something that is not modelled.
pub(super) fn tell(file: &mut File<'_>, span: Option<Span>, what: String) {
    file.problems.push(Problem::warning(file.source, span, what));
}

/// Returns whether this is reported first.
pub(super) fn is(problem: &Problem) -> bool {
    problem.what.starts_with(START)
}

#[cfg(test)]
mod tests {
    use super::super::check;
    use crate::api::Properties;

    #[test]
    fn what_is_not_modelled_comes_first_and_does_not_count_as_modelled() {
        let entry = |(k, v): (&str, &str)| format!("<property><name>yarn.{k}</name><value>{v}</value></property>\n");
        let plain = [("scheduler.minimum-allocation-mb", "odd"), ("scheduler.include-port-in-node-name", "false")];
        let text = |more: &[(&str, &str)]| {
            let entries: String = plain.iter().chain(more).map(|p| entry(*p)).collect();
            format!("<configuration>\n{entries}</configuration>")
        };
        let said = |text: &str| {
            let report = check("yarn-site.xml", text, &Properties::new(), &[]);
            let first = report.problems[0].what.clone();
            (first, report.counts.modelled, report.counts.kept)
        };
        let (first, modelled, kept) = said(&text(&[]));
        assert!(!first.starts_with("Not modelled") && (modelled, kept) == (1, 1), "{first}");
        let (first, modelled, kept) = said(&text(&[("federation.enabled", "true")]));
        assert_eq!(
            first,
            "Not modelled: federation. There is one ResourceManager, with all nodes. (yarn.federation.enabled = true)"
        );
        assert_eq!((modelled, kept), (1, 2));
        let (first, ..) = said(&text(&[("scheduler.configuration.store.class", "leveldb")]));
        assert!(first.starts_with("Not modelled: a store of settings."), "{first}");
        let (first, ..) = said(&text(&[("scheduler.configuration.store.class", "file")]));
        assert!(!first.starts_with("Not modelled"), "{first}");
    }
}
