//! Jobs and nodes of YARN's Scheduler Load Simulator (formats.md 6.1): a sequence of objects.

use super::super::json::Loose;
use super::super::{Gathered, InputText, ReadOutcome, count};
use super::{Job, Report, Runs, Stage, TraceNode, add, form, objects};
use crate::api::rack_and_host;
use crate::client::json::{Node, Value};
use crate::config::node_labels::parse_label_list;
use crate::model::limits::NODES;
use crate::model::{Severity, Span};
use crate::scenario::units::Size;

/// The fields of a job; sizes of its ApplicationMaster begin with `am.`.
const OF_JOB: [&str; 12] = [
    "num.nodes",
    "num.racks",
    "yarn.sls.am.type",
    "am.type",
    "job.start.ms",
    "job.end.ms",
    "job.queue.name",
    "job.user",
    "job.id",
    "job.count",
    "job.label.expression",
    "job.tasks",
];
/// The fields of a task that are not sizes.
const OF_TASK: [&str; 10] = [
    "container.host",
    "container.start.ms",
    "container.end.ms",
    "container.duration.ms",
    "container.priority",
    "container.type",
    "container.execution.type",
    "container.allocation.id",
    "container.request.delay",
    "container.splits",
];
/// The default priority of a task.
const PRIORITY: i64 = 20;

/// Returns whether a text has jobs, or the number of nodes.
pub(in super::super) fn is_jobs(look: &InputText<'_>) -> bool {
    look.has_field(&["job.tasks", "job.start.ms", "num.nodes"])
}

/// Returns whether a text has nodes by racks.
pub(in super::super) fn is_nodes(look: &InputText<'_>) -> bool {
    look.has_field(&["rack"]) && look.has_field(&["nodes"])
}

/// Reads jobs into the scenario, and the nodes that they mention.
pub(in super::super) fn read_jobs(look: &InputText<'_>, gathered: &mut Gathered) -> ReadOutcome {
    let mut report = Report::new(look.name);
    let mut jobs = Vec::new();
    for node in objects(look) {
        if node.get("num.nodes").is_some() {
            let wanted = report.natural(node, "num.nodes").unwrap_or(0);
            let racks = report.number(node, "num.racks").unwrap_or(1);
            if wanted > NODES as i64 {
                report.error(node.span, format!("{wanted} nodes are more than {NODES}."), "Lower `num.nodes`.");
            } else {
                gathered.traced.implied.extend(generate(wanted, racks));
            }
        }
        let bare = node.get("num.nodes").is_some() && !node.fields().iter().any(|f| f.name.starts_with("job."));
        if !bare && let Some(job) = job(node, &mut report) {
            jobs.push(job);
        }
    }
    form(look, &mut report);
    for path in jobs.iter().flat_map(|job| &job.stages).flat_map(|stage| &stage.places) {
        gathered.traced.implied.push(node_of(path));
    }
    for place in jobs.iter_mut().flat_map(|job| &mut job.stages).flat_map(|stage| &mut stage.places) {
        *place = rack_and_host(place).1;
    }
    add(look, &mut report, gathered, jobs)
}

/// Generates nodes as SLS does: round-robin over the racks.
pub fn generate(nodes: i64, racks: i64) -> Vec<TraceNode> {
    let racks = racks.clamp(1, nodes.max(1));
    let node =
        |i: i64| TraceNode { rack: format!("/rack{}", i % racks), host: format!("node{i}"), ..TraceNode::default() };
    (0..nodes.clamp(0, NODES as i64)).map(node).collect()
}

/// Creates a node from its path, `/rack/host`.
fn node_of(path: &str) -> TraceNode {
    let (rack, host) = rack_and_host(path);
    TraceNode { rack: format!("/{}", rack.trim_start_matches('/')), host, ..TraceNode::default() }
}

fn job(node: &Node, report: &mut Report<'_>) -> Option<Job> {
    let before = report.problems.len();
    unknown(node, &OF_JOB, "am.", report);
    let submit_ms = match node.get("job.start.ms") {
        Some(_) => report.natural(node, "job.start.ms"),
        None => missing(node, "job.start.ms", report),
    };
    let queue = match node.word("job.queue.name") {
        Some(queue) => Some(queue.to_owned()),
        None => missing(node, "job.queue.name", report),
    };
    let copies = report.number(node, "job.count").unwrap_or(1).max(1);
    let kind = node.word("yarn.sls.am.type").or(node.word("am.type")).unwrap_or("mapreduce");
    let tasks = node.list(&["job.tasks"]);
    if tasks.is_empty() {
        let what = "The job has no tasks; SLS says \u{201c}No task for the job!\u{201d} and leaves it out.";
        report.error(node.field("job.tasks").map_or(node.span, |f| f.name_span), what, "Give it tasks.");
    }
    let mut stages: Vec<Stage> = tasks.iter().map(|task| stage(task, report)).collect();
    if kind == "mapreduce" {
        maps_before_reduces(&mut stages);
    }
    if report.problems[before..].iter().any(|p| p.severity == Severity::Error) {
        return None;
    }
    Some(Job {
        id: node.word("job.id").filter(|_| copies == 1).map(str::to_owned),
        submit_ms: submit_ms?,
        queue,
        user: Some(node.word("job.user").unwrap_or("default").to_owned()),
        kind: Some(kind.to_owned()),
        label: node.word("job.label.expression").map(str::to_owned),
        tags: Vec::new(),
        am: size(node, "am.", report),
        copies,
        stages,
    })
}

fn missing<T>(node: &Node, name: &str, report: &mut Report<'_>) -> Option<T> {
    let what = format!("The job has no `{name}`; SLS leaves it out.");
    report.error(node.span, what, format!("Add `{name}`."));
    None
}

/// Delays reduces until all maps have finished, as the simulator's MapReduce ApplicationMaster does.
fn maps_before_reduces(stages: &mut [Stage]) {
    let is_reduce = |stage: &Stage| stage.name.as_deref() == Some("reduce");
    let maps: Vec<usize> = (0..stages.len()).filter(|at| !is_reduce(&stages[*at])).collect();
    for stage in stages.iter_mut().filter(|stage| is_reduce(stage)) {
        stage.after.clone_from(&maps);
    }
}

fn stage(node: &Node, report: &mut Report<'_>) -> Stage {
    unknown(node, &OF_TASK, "container.", report);
    let fixed = ["container.duration.ms", "duration.ms"];
    let known = fixed.into_iter().find(|name| node.get(name).is_some());
    let (duration, at) = match known {
        Some(name) => (report.number(node, name), node.field(name).map(|f| f.node.span)),
        None => {
            let times = report.number(node, "container.end.ms").zip(report.number(node, "container.start.ms"));
            let at = node.field("container.end.ms").map(|f| f.node.span);
            (times.map(|(end, start)| end.saturating_sub(start)), at)
        }
    };
    if duration.is_none_or(|ms| ms <= 0) {
        let what = "A task takes no time; SLS says \u{201c}Duration of a task shouldn't be less or equal to 0!\u{201d}";
        let mend = "Write a positive `container.duration.ms`, or an end that is later than the start.";
        report.error(at.unwrap_or(node.span), what, mend);
    }
    if node.word("container.execution.type").is_some_and(|kind| kind != "GUARANTEED")
        && let Some(field) = node.field("container.execution.type")
    {
        let what = "Opportunistic containers are not played: a guaranteed one is.";
        report.warning(field.node.span, what, "Leave it out.");
    }
    Stage {
        name: Some(node.word("container.type").unwrap_or("map").to_owned()),
        count: report.number(node, "count").unwrap_or(1).max(1),
        runs: Runs::All(duration.unwrap_or(0)),
        priority: report.number(node, "container.priority").unwrap_or(PRIORITY),
        size: size(node, "container.", report),
        places: node.word("container.host").map(str::to_owned).into_iter().collect(),
        delay_ms: report.natural(node, "container.request.delay").unwrap_or(0),
        after: Vec::new(),
    }
}

/// Returns whether a field after a prefix is an amount: `memory-mb`, `vcores`, or a resource type.
fn is_amount(node: &Node, name: &str, known: &[&str]) -> bool {
    !known.contains(&name) && node.get(name).is_some_and(|value| value.int().is_some())
}

/// Reads the amounts after a prefix: `container.memory-mb`.
fn size(node: &Node, prefix: &str, report: &mut Report<'_>) -> Size {
    let mut out = Size::default();
    let known: &[&str] = if prefix == "am." { &OF_JOB } else { &OF_TASK };
    for field in node.fields() {
        let Some(kind) = field.name.strip_prefix(prefix).filter(|_| is_amount(node, &field.name, known)) else {
            continue;
        };
        let amount = report.natural(node, &field.name);
        match kind {
            "memory-mb" => out.memory_mb = amount,
            "vcores" => out.vcores = amount,
            _ => out.more.extend(amount.map(|amount| (kind.to_owned(), amount))),
        }
    }
    out
}

/// Reports fields that SLS does not read.
fn unknown(node: &Node, known: &[&str], prefix: &str, report: &mut Report<'_>) {
    let others = ["count", "duration.ms"];
    for field in node.fields() {
        let name = field.name.as_str();
        let amount = name.starts_with(prefix) && is_amount(node, name, known);
        if known.contains(&name) || amount || (prefix == "container." && others.contains(&name)) {
            continue;
        }
        report.warning(field.name_span, format!("SLS reads no `{name}` here; it was skipped."), "Take it out.");
    }
}

/// Reads a file of nodes.
pub(in super::super) fn read_nodes(look: &InputText<'_>, gathered: &mut Gathered) -> ReadOutcome {
    let mut report = Report::new(look.name);
    let nodes = nodes(look, &mut report);
    form(look, &mut report);
    if nodes.is_empty() {
        return ReadOutcome::not_read(report.problems);
    }
    let holds = count(nodes.len(), "node");
    for label in nodes.iter().flat_map(|node| &node.labels) {
        gathered.label(&label.name, Some(label.exclusive));
    }
    gathered.traced.listed.extend(nodes);
    gathered.seen.sources.insert("nodes", look.name.to_owned());
    ReadOutcome::of(holds, report.problems)
}

/// Reads the nodes of a text.
pub(in super::super) fn nodes(look: &InputText<'_>, report: &mut Report<'_>) -> Vec<TraceNode> {
    let mut out: Vec<TraceNode> = Vec::new();
    for rack in objects(look) {
        let Some(name) = rack.word("rack") else {
            report.error(rack.span, "A rack has no name.", "Add `rack`.");
            continue;
        };
        let path = format!("/{}", name.trim_start_matches('/'));
        for one in rack.list(&["nodes"]) {
            if out.len() >= NODES {
                report.error(one.span, format!("More than {NODES} nodes."), "Give fewer.");
                return out;
            }
            out.extend(node(one, &path, report));
        }
    }
    out
}

/// Returns the nodes of a text, for callers that want no scenario.
pub fn nodes_of(text: &str) -> Vec<TraceNode> {
    nodes(&InputText::at("", text), &mut Report::new(""))
}

fn node(node: &Node, rack: &str, report: &mut Report<'_>) -> Option<TraceNode> {
    let Some(host) = node.word("node") else {
        report.error(node.span, "A node has no name; it is left out.", "Add `node`.");
        return None;
    };
    let mut out = TraceNode { rack: rack.into(), host: host.into(), ..TraceNode::default() };
    for field in node.fields() {
        match field.name.as_str() {
            "node" => {}
            "memory-mb" => out.size.memory_mb = report.natural(node, "memory-mb"),
            "vcores" => out.size.vcores = report.natural(node, "vcores"),
            "labels" => out.labels = labels(&field.node, field.node.span, report),
            kind => match &field.node.value {
                Value::Int(_) => out.size.more.extend(report.natural(node, kind).map(|n| (kind.to_owned(), n))),
                _ => report.warning(field.name_span, format!("`{kind}` is no amount; it was skipped."), "Take it out."),
            },
        }
    }
    Some(out)
}

fn labels(node: &Node, at: Span, report: &mut Report<'_>) -> Vec<crate::api::NodeLabel> {
    let labels = match parse_label_list(node.text().unwrap_or("")) {
        Ok(labels) => labels,
        Err(why) => {
            report.error(at, why.message, "Write name or name(exclusive=false), with commas between.");
            return Vec::new();
        }
    };
    if labels.len() > 1 {
        let what = format!("A node of YARN has one label: `{}` is taken.", labels[0].name);
        report.warning(at, what, "Leave one.");
    }
    labels
}

#[cfg(test)]
mod tests {
    use super::*;

    const JOB: &str = r#"{"job.start.ms": 20, "job.queue.name": "q", "job.count": 2, "am.memory-mb": 512, "job.tasks": [
        {"count": 3, "container.host": "/r/h", "container.start.ms": 10, "container.end.ms": 40},
        {"duration.ms": 50, "container.type": "reduce", "container.priority": 10, "container.vcores": 2, "container.gpu": 1}]}"#;

    fn read(text: &str) -> (Gathered, ReadOutcome) {
        let mut gathered = Gathered::default();
        let outcome = read_jobs(&InputText::at("x", text), &mut gathered);
        (gathered, outcome)
    }

    #[test]
    fn a_job_has_stages_and_its_hosts_are_nodes() {
        let (gathered, outcome) = read(&format!("{{\"num.nodes\": 3, \"num.racks\": 2}} {JOB}"));
        assert_eq!(outcome.problems, []);
        let job = &gathered.traced.jobs[0];
        assert_eq!((job.submit_ms, job.copies, job.am.memory_mb), (20, 2, Some(512)));
        assert_eq!((&job.stages[0].runs, &job.stages[0].places[..]), (&Runs::All(30), &["h".to_owned()][..]));
        assert_eq!((&job.stages[1].after[..], &job.stages[1].size.more[..]), (&[0][..], &[("gpu".to_owned(), 1)][..]));
        let paths: Vec<String> = gathered.traced.implied.iter().map(|n| format!("{}/{}", n.rack, n.host)).collect();
        assert_eq!(paths, ["/rack0/node0", "/rack1/node1", "/rack0/node2", "/r/h"]);
    }

    /// Each fault × its report; the valid job beside it stays.
    #[test]
    fn a_job_that_sls_leaves_out_is_left_out_alone() {
        for (bad, part) in [
            (r#"{"job.start.ms": 0, "job.queue.name": "q", "job.tasks": []}"#, "has no tasks"),
            (r#"{"job.start.ms": 0, "job.tasks": [{"duration.ms": 1}]}"#, "has no `job.queue.name`"),
            (r#"{"job.queue.name": "q", "job.tasks": [{"duration.ms": 1}]}"#, "has no `job.start.ms`"),
            (r#"{"job.start.ms": 0, "job.queue.name": "q", "job.tasks": [{"duration.ms": 0}]}"#, "takes no time"),
            (r#"{"job.start.ms": 0, "job.queue.name": "q", "job.tasks": [{}]}"#, "takes no time"),
            (r#"{"job.start.ms": "x", "job.queue.name": "q", "job.tasks": [{"duration.ms": 1}]}"#, "no whole number"),
            (r#"{"job.start.ms": -1, "job.queue.name": "q", "job.tasks": [{"duration.ms": 1}]}"#, "is negative"),
            (r#"{"num.nodes": 1000000000}"#, "are more than"),
        ] {
            let (gathered, outcome) = read(&format!("{JOB}\n{bad}"));
            assert_eq!(gathered.traced.jobs.len(), 1, "{bad}");
            assert!(outcome.problems.iter().any(|p| p.what.contains(part)), "{bad}: {:?}", outcome.problems);
            assert!(outcome.problems.iter().all(|p| !p.mend.is_empty()), "{bad}");
        }
    }

    #[test]
    fn nodes_have_sizes_and_labels_as_far_as_they_are_told() {
        let nodes = nodes_of(
            r#"{"rack": "r", "nodes": [{"node": "a", "memory-mb": 5, "gpu": 2}, {"node": "b", "labels": "x(exclusive=false), y"}, {}]}"#,
        );
        assert_eq!(nodes.len(), 2);
        assert_eq!((nodes[0].rack.as_str(), nodes[0].size.memory_mb, nodes[0].size.vcores), ("/r", Some(5), None));
        assert_eq!((nodes[1].labels.len(), nodes[1].labels[0].exclusive), (2, false));
        assert_eq!(generate(3, 9).iter().map(|n| n.rack.as_str()).collect::<Vec<_>>(), ["/rack0", "/rack1", "/rack2"]);
        assert_eq!(generate(i64::MAX, 0).len(), NODES);
    }
}
