//! DynoYARN workloads: one application per line (formats.md 6.3).

use super::super::json::Loose;
use super::super::{Gathered, InputText, ReadOutcome};
use super::{Job, Report, Runs, Stage, add, form, objects};
use crate::client::json::Node;
use crate::model::{Millis, Severity, Span};
use crate::scenario::units::Size;

/// The fields of an application, and of its requests.
const OF_APP: [&str; 9] = [
    "appId",
    "appType",
    "submitTime",
    "user",
    "queue",
    "nodeLabel",
    "applicationTags",
    "amResourceRequest",
    "resourceRequestSpecs",
];
const OF_SPEC: [&str; 7] =
    ["delay", "priority", "numInstances", "runtimes", "averageRuntime", "resource", "utilizations"];
const OF_RESOURCE: [&str; 3] = ["memoryMB", "vcores", "gpus"];
/// The resource type of GPUs.
const GPU: &str = "yarn.io/gpu";

/// Returns whether a text is a workload.
pub(in super::super) fn is(look: &InputText<'_>) -> bool {
    look.has_field(&["resourceRequestSpecs", "amResourceRequest"])
}

/// Reads a workload into the scenario: times are relative to the first submission.
pub(in super::super) fn read(look: &InputText<'_>, gathered: &mut Gathered) -> ReadOutcome {
    let mut report = Report::new(look.name);
    let mut jobs = jobs(look, &mut report);
    form(look, &mut report);
    empty_lines(look.text, &mut report);
    jobs.sort_by(|a, b| (a.submit_ms, &a.id).cmp(&(b.submit_ms, &b.id)));
    let first = jobs.first().map_or(0, |job| job.submit_ms);
    jobs.iter_mut().for_each(|job| job.submit_ms = job.submit_ms.saturating_sub(first));
    if first != 0 {
        gathered.infer("Time 0 is the first submission.", format!("{}: submitTime {first}", look.name));
    }
    add(look, &mut report, gathered, jobs)
}

/// Reads the applications, with times as written.
pub(in super::super) fn jobs(look: &InputText<'_>, report: &mut Report<'_>) -> Vec<Job> {
    objects(look).into_iter().filter_map(|node| job(node, report)).collect()
}

/// Returns the applications of a text, for callers that want no scenario.
pub fn applications(text: &str) -> Vec<Job> {
    jobs(&InputText::at("", text), &mut Report::new(""))
}

fn empty_lines(text: &str, report: &mut Report<'_>) {
    let mut at = 0;
    for line in text.trim_end().split_inclusive('\n') {
        if line.trim().is_empty() && at > 0 {
            report.warning(Span::new(at, at), "An empty line stops DynoYARN; it was skipped.", "Take it out.");
        }
        at += line.len();
    }
}

fn unknown(node: &Node, known: &[&str], report: &mut Report<'_>) {
    for field in node.fields().iter().filter(|f| !known.contains(&f.name.as_str())) {
        let what = format!("DynoYARN knows no field `{}` here and refuses the line; it was skipped.", field.name);
        report.warning(field.name_span, what, format!("Take it out. Known are {}.", known.join(", ")));
    }
}

fn job(node: &Node, report: &mut Report<'_>) -> Option<Job> {
    let before = report.problems.len();
    unknown(node, &OF_APP, report);
    let submit_ms = match node.get("submitTime") {
        None => Some(0),
        Some(_) => report.natural(node, "submitTime"),
    };
    let stages: Vec<Stage> = {
        let specs = node.list(&["resourceRequestSpecs"]);
        specs.into_iter().enumerate().map(|(place, spec)| stage(spec, place, report)).collect()
    };
    let wrong = report.problems[before..].iter().any(|p| p.severity == Severity::Error);
    let submit_ms = submit_ms.filter(|_| !wrong)?;
    if stages.is_empty() {
        let what = "The application asks for nothing: it has no `resourceRequestSpecs`.";
        report.error(node.span, what, "Add what it asks for.");
        return None;
    }
    let word = |name: &str| node.word(name).map(str::to_owned);
    Some(Job {
        id: word("appId"),
        submit_ms,
        queue: word("queue"),
        user: word("user"),
        kind: word("appType"),
        label: word("nodeLabel"),
        tags: node.list(&["applicationTags"]).iter().filter_map(|tag| Some(tag.text()?.to_owned())).collect(),
        am: node.get("amResourceRequest").map(|am| resource(am, report)).unwrap_or_default(),
        copies: 1,
        stages,
    })
}

fn resource(node: &Node, report: &mut Report<'_>) -> Size {
    unknown(node, &OF_RESOURCE, report);
    let mut amount = |name| report.natural(node, name).unwrap_or(0);
    let (memory, vcores, gpus) = (amount("memoryMB"), amount("vcores"), amount("gpus"));
    let more = if gpus > 0 { vec![(GPU.to_owned(), gpus)] } else { Vec::new() };
    Size { memory_mb: Some(memory), vcores: Some(vcores), more }
}

fn stage(node: &Node, place: usize, report: &mut Report<'_>) -> Stage {
    unknown(node, &OF_SPEC, report);
    let count = report.natural(node, "numInstances").unwrap_or(0);
    let average = report.natural(node, "averageRuntime");
    let runtimes = node.list(&["runtimes"]);
    let each: Vec<Millis> = runtimes.iter().filter_map(|ms| ms.int().filter(|ms| *ms >= 0)).collect();
    if each.len() < runtimes.len()
        && let Some(field) = node.field("runtimes")
    {
        report.error(field.name_span, "`runtimes` has something that is no time.", "Write milliseconds.");
    }
    let told = i64::try_from(each.len()).unwrap_or(i64::MAX);
    let (count, runs) = match (each.is_empty(), count) {
        (true, count) => (count, Runs::All(average.unwrap_or(0))),
        (false, count) => {
            if count > 0 && count != told {
                let what = format!("`numInstances` is {count}, and `runtimes` has {told}: {told} count.");
                report.warning(node.span, what, "Make them agree.");
            }
            (told, Runs::Each(each))
        }
    };
    Stage {
        name: None,
        count,
        runs,
        priority: report.number(node, "priority").unwrap_or(0),
        size: node.get("resource").map(|size| resource(size, report)).unwrap_or_default(),
        places: Vec::new(),
        delay_ms: report.natural(node, "delay").unwrap_or(0),
        // The next one is requested when all containers of the previous one have finished.
        after: place.checked_sub(1).into_iter().collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const GOOD: &str = r#"{"appId": "application_1_0002", "submitTime": 5000, "user": "ann", "queue": "etl", "appType": "SPARK",
        "applicationTags": ["t"], "amResourceRequest": {"memoryMB": 2048, "vcores": 1},
        "resourceRequestSpecs": [{"runtimes": [10, 20, 10], "numInstances": 3, "resource": {"memoryMB": 4096, "vcores": 1}, "priority": 20},
        {"averageRuntime": 7, "numInstances": 2, "resource": {"memoryMB": 8192, "vcores": 2, "gpus": 1}, "priority": 10, "delay": 30}]}"#;

    fn told(text: &str) -> (Vec<Job>, Vec<String>) {
        let mut report = Report::new("x");
        let jobs = jobs(&InputText::at("x", text), &mut report);
        (jobs, report.problems.into_iter().map(|p| p.what).collect())
    }

    #[test]
    fn stages_follow_each_other_and_each_container_has_its_time() {
        let (jobs, problems) = told(GOOD);
        assert_eq!(problems, Vec::<String>::new());
        let job = &jobs[0];
        assert_eq!((job.submit_ms, job.kind.as_deref()), (5000, Some("SPARK")));
        assert_eq!(job.stages[0].runs, Runs::Each(vec![10, 20, 10]));
        assert_eq!((job.stages[1].count, &job.stages[1].after[..], job.stages[1].delay_ms), (2, &[0][..], 30));
        assert_eq!(job.stages[1].size.more, [(GPU.to_owned(), 1)]);
    }

    #[test]
    fn a_broken_line_does_not_take_the_others_with_it() {
        let text = format!(
            "{GOOD}\n\n{}\n{}\n{}",
            r#"{"appId": "x", "submitTime": "soon", "resourceRequestSpecs": [{}]}"#,
            r#"{"appId": "y", "amResourceRequest": 5, "memory": 5}"#,
            r#"{"appId": "z", "resourceRequestSpecs": [{"runtimes": [1], "numInstances": 2}]}"#
        );
        let (jobs, problems) = told(&text);
        let ids: Vec<&str> = jobs.iter().filter_map(|j| j.id.as_deref()).collect();
        assert_eq!(ids, ["application_1_0002", "z"]);
        for part in ["`submitTime` is no whole number", "no field `memory`", "asks for nothing", "`runtimes` has 1"] {
            assert!(problems.iter().any(|p| p.contains(part)), "{part}: {problems:?}");
        }
    }
}
