//! Writes the jobs and nodes of traces as entries of a scenario.

use super::super::seen::{Amount, SeenNode};
use super::super::write::quoted;
use super::super::{Gathered, InputText, ReadOutcome, count};
use super::{Job, Report, Runs, Stage, TraceNode};
use crate::api::NodeLabel;
use crate::config::resource_text::is_type_name;
use crate::model::limits::{APPLICATIONS, CONTAINERS_ALIVE};
use crate::model::{Millis, names};
use crate::scenario::units::{AMOUNT_MAX, Size, TIME_MAX, size_text, time_text};
use indexmap::{IndexMap, IndexSet};
use std::fmt::Write;

/// SLS defaults for containers, ApplicationMasters and nodes: the properties with their values.
const CONTAINER: [(&str, i64); 2] = [("yarn.sls.container.memory.mb", 1024), ("yarn.sls.container.vcores", 1)];
const MASTER: [(&str, i64); 2] = [("yarn.sls.am.container.memory", 1024), ("yarn.sls.am.container.vcores", 1)];
const NODE: [(&str, i64); 2] = [("yarn.sls.nm.memory.mb", 10240), ("yarn.sls.nm.vcores", 10)];

/// Adds the jobs of a trace. Reports those beyond the limits; the text counts as not read if none is left.
pub(in super::super) fn add(
    look: &InputText<'_>,
    report: &mut Report<'_>,
    gathered: &mut Gathered,
    jobs: Vec<Job>,
) -> ReadOutcome {
    let (mut apps, mut containers) = size_of(&gathered.traced.jobs);
    let (before, mut taken) = (gathered.traced.jobs.len(), 0usize);
    let start = crate::model::Span::new(0, look.text.find('\n').unwrap_or(look.text.len()));
    for job in jobs {
        if let Some(what) = beyond(&job) {
            let name = job.id.as_deref().unwrap_or("without an id");
            report.error(start, format!("The job {name} is left out: {what}."), "Mend it, or leave it out.");
            continue;
        }
        gathered.traced.largest.get_or_insert_default().take(&job);
        let (more_apps, more_containers) = size_of(std::slice::from_ref(&job));
        apps = apps.saturating_add(more_apps);
        containers = containers.saturating_add(more_containers);
        if apps > APPLICATIONS as i64 || containers > CONTAINERS_ALIVE as i64 {
            let what = format!("The jobs are more than {APPLICATIONS}, or have more than {CONTAINERS_ALIVE} tasks.");
            report.error(start, what, format!("The first {taken} are taken. Give fewer, or lower their counts."));
            break;
        }
        gathered.names_queue(job.queue.as_deref());
        gathered.traced.jobs.push(job);
        taken += 1;
    }
    let problems = std::mem::take(&mut report.problems);
    if taken == 0 && gathered.traced.implied.is_empty() {
        return ReadOutcome::not_read(problems);
    }
    let jobs = &gathered.traced.jobs[before..];
    let (apps, containers) = size_of(jobs);
    let holds = format!(
        "{} with {}",
        count(usize::try_from(apps).unwrap_or(0), "application"),
        count(usize::try_from(containers).unwrap_or(0), "container")
    );
    let labels: Vec<String> = jobs.iter().filter_map(|job| job.label.clone()).collect();
    labels.iter().for_each(|label| {
        gathered.label(label, None);
    });
    ReadOutcome::of(holds, problems)
}

/// Returns why no scenario can hold a job; `None`: one can.
fn beyond(job: &Job) -> Option<&'static str> {
    let amounts = |size: &Size| {
        let more = size.more.iter().map(|(_, n)| *n);
        size.memory_mb.into_iter().chain(size.vcores).chain(more).all(|n| (0..=AMOUNT_MAX).contains(&n))
    };
    let time = |ms: Millis| (0..=TIME_MAX).contains(&ms);
    let runs = |stage: &Stage| match &stage.runs {
        Runs::All(ms) => time(*ms),
        Runs::Each(each) => each.iter().all(|ms| time(*ms)),
    };
    let texts = [&job.queue, &job.user, &job.label].into_iter().flatten().chain(&job.tags);
    let kinds = job.stages.iter().flat_map(|s| &s.size.more).chain(&job.am.more).map(|(kind, _)| kind);
    let counts = job.stages.iter().all(|s| (0..=i64::from(u32::MAX >> 1)).contains(&s.count));
    match () {
        () if !job.stages.iter().map(|s| &s.size).chain([&job.am]).all(amounts) => Some("an amount is too large"),
        () if !time(job.submit_ms) || !job.stages.iter().all(|s| time(s.delay_ms) && runs(s)) => {
            Some("a time is too long")
        }
        () if job.stages.iter().any(|s| i32::try_from(s.priority).is_err()) => Some("a priority is too large"),
        () if !counts => Some("it has too many containers"),
        () if !kinds.into_iter().all(|kind| is_type_name(kind)) => {
            Some("it asks for something that is no resource type")
        }
        () if texts.into_iter().chain(job.stages.iter().flat_map(|s| &s.places)).any(|t| names::fault(t).is_some()) => {
            Some("a name in it cannot be shown")
        }
        () => None,
    }
}

/// The needs of a cluster that can play the jobs.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Largest {
    /// The largest container, by resource type.
    pub size: Amount,
    /// The end of the last job if none had to wait.
    pub end_ms: Millis,
}

impl Largest {
    fn take(&mut self, job: &Job) {
        let sizes = job.stages.iter().map(|stage| &stage.size).chain([&job.am]);
        for size in sizes {
            self.size.memory = self.size.memory.max(size.memory_mb.unwrap_or(0));
            self.size.vcores = self.size.vcores.max(size.vcores.unwrap_or(0));
        }
        let each = job.stages.iter().map(|stage| match &stage.runs {
            Runs::All(ms) => stage.delay_ms.saturating_add(*ms),
            Runs::Each(each) => stage.delay_ms.saturating_add(each.iter().copied().max().unwrap_or(0)),
        });
        self.end_ms = self.end_ms.max(each.fold(job.submit_ms, Millis::saturating_add));
    }
}

/// Returns the number of applications and of containers that jobs amount to.
fn size_of(jobs: &[Job]) -> (i64, i64) {
    jobs.iter().fold((0i64, 0i64), |(apps, containers), job| {
        let each = job.stages.iter().fold(0i64, |sum, stage| sum.saturating_add(stage.count.max(0)));
        (apps.saturating_add(job.copies), containers.saturating_add(each.saturating_mul(job.copies)))
    })
}

/// Adds the nodes of traces to the cluster: those of a file of nodes, else those that jobs mention.
pub(in super::super) fn nodes(g: &mut Gathered) {
    let listed = !g.traced.listed.is_empty();
    let nodes = std::mem::take(if listed { &mut g.traced.listed } else { &mut g.traced.implied });
    if nodes.is_empty() || !g.seen.nodes.is_empty() {
        return;
    }
    let default = defaults(g, &NODE);
    let unsaid = nodes.iter().any(|n| n.size.memory_mb.is_none() || n.size.vcores.is_none());
    for node in nodes {
        let id = node.host.clone();
        g.seen.nodes.entry(id).or_insert_with(|| seen(node, default));
    }
    if unsaid {
        let size = size_text(default.0, default.1, std::iter::empty());
        g.infer(format!("Nodes whose size no text says have {size}."), "yarn.sls.nm of SLS");
    }
    if !listed {
        g.infer(
            format!("{}.", count(g.seen.nodes.len(), "node")),
            "the trace: num.nodes, and hosts that tasks ask for",
        );
    }
}

fn seen(node: TraceNode, default: (i64, i64)) -> SeenNode {
    let (memory, vcores) = (node.size.memory_mb.unwrap_or(default.0), node.size.vcores.unwrap_or(default.1));
    let bound = |n: i64| n.clamp(0, AMOUNT_MAX);
    let more = node.size.more.into_iter().map(|(kind, n)| (kind, bound(n))).collect();
    let total = Amount { memory: bound(memory), vcores: bound(vcores), more };
    SeenNode {
        id: node.host,
        rack: Some(node.rack),
        total: Some(total),
        label: node.labels.first().map(|label: &NodeLabel| label.name.clone()),
        ..SeenNode::default()
    }
}

/// Returns memory and vcores from two SLS properties.
fn defaults(g: &Gathered, properties: &[(&str, i64); 2]) -> (i64, i64) {
    let value = |(key, default): (&str, i64)| {
        g.traced.settings.get(key).and_then(|v| v.trim().parse::<i64>().ok()).filter(|n| *n > 0).unwrap_or(default)
    };
    (value(properties[0]), value(properties[1]))
}

/// Returns the entries of all jobs, as fields in TOML, and the further resource types that they request.
pub(in super::super) fn entries(g: &mut Gathered) -> (Vec<String>, IndexSet<String>) {
    let jobs = std::mem::take(&mut g.traced.jobs);
    let (master, container) = (defaults(g, &MASTER), defaults(g, &CONTAINER));
    let mut taken: IndexSet<String> = g.entries.iter().map(|e| e.name.clone()).collect();
    let (mut out, mut types) = (Vec::with_capacity(jobs.len()), IndexSet::new());
    for (place, job) in jobs.iter().enumerate() {
        let name = name_of(job, place, &mut taken);
        let sizes = job.stages.iter().map(|s| &s.size).chain([&job.am]);
        types.extend(sizes.flat_map(|size| size.more.iter().map(|(kind, _)| kind.clone())));
        out.push(entry(job, &name, master, container));
    }
    (out, types)
}

/// Returns a name that no other application has; for copies, the pattern of names.
fn name_of(job: &Job, place: usize, taken: &mut IndexSet<String>) -> String {
    let plain = |name: &&String| names::fault(name).is_none() && !name.contains(['{', '}']);
    let wanted = job.id.as_ref().filter(plain).cloned().unwrap_or_else(|| format!("job-{}", place + 1));
    let mut name = wanted.clone();
    let mut n = 2;
    while !taken.insert(name.clone()) {
        name = format!("{wanted}-{n}");
        n += 1;
    }
    if job.copies > 1 { format!("{name}.{{}}") } else { name }
}

fn entry(job: &Job, name: &str, master: (i64, i64), container: (i64, i64)) -> String {
    let mut out = format!("name = {}\nkind = \"batch\"\n", quoted(name));
    let mut field = |key: &str, value: String| {
        let _ = writeln!(out, "{key} = {value}");
    };
    if job.submit_ms > 0 {
        field("at", quoted(&time_text(job.submit_ms)));
    }
    if job.copies > 1 {
        field("copies", job.copies.to_string());
    }
    for (key, value) in [("queue", &job.queue), ("user", &job.user), ("label", &job.label)] {
        if let Some(value) = value {
            field(key, quoted(value));
        }
    }
    if !job.tags.is_empty() {
        field("tags", format!("[{}]", job.tags.iter().map(|tag| quoted(tag)).collect::<Vec<_>>().join(", ")));
    }
    field("am", quoted(&size(&job.am, master)));
    let tasks: Vec<String> = groups(&job.stages).iter().map(|group| task(group, container)).collect();
    let _ = writeln!(out, "tasks = [\n    {},\n]", tasks.join(",\n    "));
    out
}

fn size(size: &Size, default: (i64, i64)) -> String {
    let more = size.more.iter().filter(|(_, n)| *n != 0).map(|(kind, n)| (kind.as_str(), *n));
    size_text(size.memory_mb.unwrap_or(default.0), size.vcores.unwrap_or(default.1), more)
}

/// Identical tasks, including their run time.
struct Group<'s> {
    stage: &'s Stage,
    name: String,
    count: i64,
    ms: Millis,
    after: Vec<String>,
}

fn groups(stages: &[Stage]) -> Vec<Group<'_>> {
    let mut out: Vec<Group<'_>> = Vec::new();
    let mut names: Vec<Vec<String>> = Vec::with_capacity(stages.len());
    for (place, stage) in stages.iter().enumerate() {
        let runs: IndexMap<Millis, i64> = match &stage.runs {
            Runs::All(ms) => IndexMap::from([(*ms, stage.count)]),
            Runs::Each(each) => each.iter().fold(IndexMap::new(), |mut runs, ms| {
                *runs.entry(*ms).or_insert(0) += 1;
                runs
            }),
        };
        // A stage without containers finishes as soon as the stages before it.
        let after: Vec<String> = stage.after.iter().filter_map(|at| names.get(*at)).flatten().cloned().collect();
        let plain = stage.name.as_deref().filter(|name| names::fault(name).is_none()).unwrap_or("stage");
        let mut own = Vec::new();
        let several = runs.len() > 1;
        for (number, (ms, count)) in runs.into_iter().filter(|(_, count)| *count > 0).enumerate() {
            let part = if several { format!(".{}", number + 1) } else { String::new() };
            let name = format!("{plain}{}{part}", place + 1);
            own.push(name.clone());
            out.push(Group { stage, name, count, ms, after: after.clone() });
        }
        names.push(if own.is_empty() { after } else { own });
    }
    out
}

fn task(group: &Group<'_>, container: (i64, i64)) -> String {
    let Group { stage, name, count, ms, after } = group;
    let list = |texts: &[String]| format!("[{}]", texts.iter().map(|t| quoted(t)).collect::<Vec<_>>().join(", "));
    let mut out = format!(
        "{{ name = {}, count = {count}, size = {}, duration = {}, priority = {}",
        quoted(name),
        quoted(&size(&stage.size, container)),
        quoted(&time_text(*ms)),
        stage.priority
    );
    if !stage.places.is_empty() {
        let _ = write!(out, ", places = {}", list(&stage.places));
    }
    if !after.is_empty() {
        let _ = write!(out, ", after = {}", list(after));
    }
    if stage.delay_ms > 0 {
        let _ = write!(out, ", delay = {}", quoted(&time_text(stage.delay_ms)));
    }
    out.push_str(" }");
    out
}
