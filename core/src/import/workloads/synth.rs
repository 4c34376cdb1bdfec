//! Synthetic workloads of YARN's Scheduler Load Simulator (formats.md 6.2): distributions that jobs are drawn from. The
//! distributions are the same as in SLS, but the random numbers differ from Java's.

use super::super::json::Loose;
use super::super::{Gathered, InputText, ReadOutcome};
use super::samples::{NoSample, Random, Sample, can_choose};
use super::{Job, Report, Runs, Stage, add, form, sls};
use crate::client::json::Node;
use crate::model::limits::{APPLICATIONS, CONTAINERS_ALIVE, NODES};
use crate::model::{Millis, Span};
use crate::scenario::units::Size;

/// The priorities of maps and reduces in the older form of classes.
const MAP: i64 = 20;
const REDUCE: i64 = 10;

/// Returns whether a text is a synthetic workload.
pub(in super::super) fn is(look: &InputText<'_>) -> bool {
    look.has_field(&["workloads"])
}

/// Draws the jobs of a workload into the scenario.
pub(in super::super) fn read(look: &InputText<'_>, gathered: &mut Gathered) -> ReadOutcome {
    let mut report = Report::new(look.name);
    let root = look.json().and_then(|documents| documents.values.first());
    let mut jobs = Vec::new();
    if let Some(root) = root {
        nodes(root, &mut report, gathered);
        jobs = draw(root, &mut report);
    }
    form(look, &mut report);
    if !jobs.is_empty() {
        let what = "Which jobs are drawn: SLS draws others from the same distributions.";
        gathered.infer(what, format!("{}: rand_seed", look.name));
    }
    add(look, &mut report, gathered, jobs)
}

fn nodes(root: &Node, report: &mut Report<'_>, gathered: &mut Gathered) {
    let count = report.natural(root, "num_nodes").unwrap_or(0);
    let per_rack = report.number(root, "nodes_per_rack").unwrap_or(1).max(1);
    if count > NODES as i64 {
        report.error(root.span, format!("{count} nodes are more than {NODES}."), "Lower `num_nodes`.");
        return;
    }
    gathered.traced.implied.extend(sls::generate(count, count / per_rack));
}

/// An alternative with its weight.
struct Weighed<T> {
    weight: f64,
    what: T,
}

struct Workload {
    queue: Option<String>,
    classes: Vec<Weighed<Class>>,
    /// The start of each bucket in seconds, with its weight.
    times: Vec<Weighed<f64>>,
}

struct Class {
    name: String,
    user: Option<String>,
    kind: Option<String>,
    tasks: Vec<Task>,
}

struct Task {
    kind: String,
    priority: i64,
    count: Sample,
    seconds: Sample,
    memory: Sample,
    vcores: Sample,
    /// Whether it starts when the previous tasks have finished.
    after: bool,
}

fn draw(root: &Node, report: &mut Report<'_>) -> Vec<Job> {
    let wanted = report.natural(root, "num_jobs").unwrap_or(0);
    if wanted > APPLICATIONS as i64 {
        report.error(root.span, format!("{wanted} jobs are more than {APPLICATIONS}."), "Lower `num_jobs`.");
        return Vec::new();
    }
    let workloads: Vec<Weighed<Workload>> =
        root.list(&["workloads"]).into_iter().filter_map(|w| workload(w, report)).collect();
    let seed = root.get("rand_seed").and_then(|s| s.int()).unwrap_or(0);
    let mut random = Random::new(seed.cast_unsigned());
    let (mut jobs, mut containers) = (Vec::new(), 0i64);
    for number in 1..=wanted {
        let Some(workload) = choose(&workloads, &mut random) else {
            report.error(root.span, "There is no workload to draw a job from.", "Give workloads positive weights.");
            break;
        };
        let submit_ms = submission(&workload.times, &mut random);
        let Some(class) = choose(&workload.classes, &mut random) else { break };
        let job = job(class, workload, number, submit_ms, &mut random);
        containers = job.stages.iter().fold(containers, |sum, stage| sum.saturating_add(stage.count));
        if containers > CONTAINERS_ALIVE as i64 {
            let what = format!("The jobs have more than {CONTAINERS_ALIVE} tasks; the first {} are taken.", number - 1);
            report.error(root.span, what, "Lower `num_jobs`, or the counts of tasks.");
            break;
        }
        jobs.push(job);
    }
    jobs.sort_by_key(|job: &Job| job.submit_ms);
    jobs
}

fn choose<'w, T>(all: &'w [Weighed<T>], random: &mut Random) -> Option<&'w T> {
    let weights: Vec<f64> = all.iter().map(|one| one.weight).collect();
    random.choose(&weights).and_then(|at| all.get(at)).map(|one| &one.what)
}

/// Draws a submission time: chooses a bucket, and a time between its start and that of the next one.
fn submission(times: &[Weighed<f64>], random: &mut Random) -> Millis {
    let weights: Vec<f64> = times.iter().map(|time| time.weight).collect();
    let Some(at) = random.choose(&weights) else { return 0 };
    let begin = times[at].what;
    let end = times.get(at + 1).map_or(begin, |next| next.what);
    ((begin + random.uniform() * (end - begin).max(0.0)) * 1000.0) as Millis
}

/// Draws the tasks of a job, grouped by size.
fn job(class: &Class, workload: &Workload, number: i64, submit_ms: Millis, random: &mut Random) -> Job {
    let (mut stages, mut before) = (Vec::<Stage>::new(), Vec::new());
    for task in &class.tasks {
        let first = stages.len();
        // Limits the count before anything is stored, since the distribution has no limit.
        let count = task.count.draw_int(random).clamp(0, CONTAINERS_ALIVE as i64 + 1);
        for _ in 0..count.min(CONTAINERS_ALIVE as i64) {
            let ms = task.seconds.draw_int(random).clamp(1, 1 << 40).saturating_mul(1000);
            let size = Size {
                memory_mb: Some(task.memory.draw_int(random).max(1)),
                vcores: Some(task.vcores.draw_int(random).max(1)),
                more: Vec::new(),
            };
            match stages[first..].iter_mut().find(|stage| stage.size == size) {
                Some(Stage { count, runs: Runs::Each(each), .. }) => {
                    *count += 1;
                    each.push(ms);
                }
                _ => stages.push(Stage {
                    name: Some(task.kind.clone()),
                    count: 1,
                    runs: Runs::Each(vec![ms]),
                    priority: task.priority,
                    size,
                    places: Vec::new(),
                    delay_ms: 0,
                    after: if task.after { before.clone() } else { Vec::new() },
                }),
            }
        }
        before.extend(first..stages.len());
    }
    Job {
        id: Some(format!("{}-{number}", class.name)),
        submit_ms,
        queue: workload.queue.clone(),
        user: class.user.clone(),
        kind: class.kind.clone(),
        copies: 1,
        stages,
        ..Job::default()
    }
}

fn workload(node: &Node, report: &mut Report<'_>) -> Option<Weighed<Workload>> {
    let classes: Vec<Weighed<Class>> =
        node.list(&["job_classes"]).into_iter().filter_map(|c| class(c, report)).collect();
    let times: Vec<Weighed<f64>> = node
        .list(&["time_distribution"])
        .into_iter()
        .filter_map(|time| {
            let seconds = time.get("time").and_then(|t| t.float()).filter(|t| (0.0..1e9).contains(t));
            if seconds.is_none() {
                report.error(time.span, "A time of submissions is no number of seconds.", "Write `time` in seconds.");
            }
            Some(Weighed { weight: weight(time, &["weight", "jobs"], report), what: seconds? })
        })
        .collect();
    let weights: Vec<f64> = classes.iter().map(|class| class.weight).collect();
    if !can_choose(&weights) {
        report.error(node.span, "A workload has no class that can be drawn.", "Give it `job_classes` with weights.");
        return None;
    }
    let what = Workload { queue: node.word("queue_name").map(str::to_owned), classes, times };
    Some(Weighed { weight: weight(node, &["workload_weight"], report), what })
}

fn weight(node: &Node, names: &[&str], report: &mut Report<'_>) -> f64 {
    let Some(value) = names.iter().find_map(|name| node.get(name)) else { return 1.0 };
    let weight = value.float().filter(|weight| *weight >= 0.0);
    if weight.is_none() {
        report.error(value.span, "A weight is no number, or negative.", "Write 0 or more.");
    }
    weight.unwrap_or(0.0)
}

fn class(node: &Node, report: &mut Report<'_>) -> Option<Weighed<Class>> {
    let list = node.list(&["tasks"]);
    let tasks: Option<Vec<Task>> =
        if list.is_empty() { older_tasks(node, report) } else { list.into_iter().map(|t| task(t, report)).collect() };
    let mut tasks = tasks?;
    let kind = node.word("type").map(str::to_owned);
    if kind.as_deref().is_none_or(|kind| kind == "mapreduce") {
        tasks.iter_mut().for_each(|task| task.after = task.kind == "reduce");
    }
    let name = node.word("class_name").unwrap_or("job").to_owned();
    let what = Class { name, user: node.word("user_name").map(str::to_owned), kind, tasks };
    Some(Weighed { weight: weight(node, &["class_weight"], report), what })
}

/// Reads a value, and reports its problems.
fn sample(node: &Node, name: &str, default: f64, report: &mut Report<'_>) -> Option<Sample> {
    let Some(value) = node.get(name) else { return Some(Sample::Constant(default)) };
    let read = Sample::read(value);
    if let Err(NoSample { at, what }) = &read {
        let mend = "Write {\"val\": 5}, {\"val\": 5, \"std\": 1}, or {\"discrete\": [1, 2], \"weights\": [3, 1]}.";
        report.error(*at, format!("`{name}` is no value: {what}."), mend);
    }
    read.ok()
}

fn task(node: &Node, report: &mut Report<'_>) -> Option<Task> {
    Some(Task {
        kind: node.word("type").unwrap_or("map").to_owned(),
        priority: report.number(node, "priority").unwrap_or(MAP),
        count: sample(node, "count", 1.0, report)?,
        seconds: sample(node, "time", 1.0, report)?,
        memory: sample(node, "max_memory", 1024.0, report)?,
        vcores: sample(node, "max_vcores", 1.0, report)?,
        after: false,
    })
}

/// Reads the tasks of a class in its older form: `mtasks_avg` and `mtasks_stddev`, with `r` for reduces.
fn older_tasks(node: &Node, report: &mut Report<'_>) -> Option<Vec<Task>> {
    let mut out = Vec::new();
    for (kind, letter, long, priority) in [("map", "m", "map", MAP), ("reduce", "r", "reduce", REDUCE)] {
        if node.get(&format!("{letter}tasks_avg")).is_none() {
            continue;
        }
        let mut pair = |name: String, default: f64| -> Option<Sample> {
            let mut number = |end: &str| {
                let value = node.get(&format!("{name}_{end}"))?;
                let number = value.float();
                if number.is_none() {
                    report.error(value.span, format!("`{name}_{end}` is no number."), "Write a number.");
                }
                number
            };
            let mean = number("avg").unwrap_or(default);
            Some(match number("stddev") {
                Some(deviation) if deviation > 0.0 && mean > 0.0 => Sample::LogNormal { mean, deviation },
                _ => Sample::Constant(mean),
            })
        };
        out.push(Task {
            kind: kind.into(),
            priority,
            count: pair(format!("{letter}tasks"), 1.0)?,
            seconds: pair(format!("{letter}time"), 1.0)?,
            memory: pair(format!("{long}_max_memory"), 1024.0)?,
            vcores: pair(format!("{long}_max_vcores"), 1.0)?,
            after: false,
        });
    }
    if out.is_empty() {
        report.error(node.span, "A class has no tasks.", "Give it `tasks`.");
        return None;
    }
    Some(out)
}

/// Reads one value of the format and draws from it, for callers that want no scenario. Errors: why it is not a value.
pub fn drawn(text: &str, seed: u64) -> Result<f64, NoSample> {
    let look = InputText::at("", text);
    let node = look.json().and_then(|documents| documents.values.first());
    let nothing = NoSample { at: Span::new(0, 0), what: "there is no value".into() };
    Sample::read(node.ok_or(nothing)?).map(|sample| sample.draw(&mut Random::new(seed)))
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = r#"{"num_nodes": 4, "nodes_per_rack": 2, "num_jobs": 50, "rand_seed": 7, "workloads": [
        {"workload_name": "day", "workload_weight": 1, "queue_name": "batch", "job_classes": [
            {"class_name": "mr", "user_name": "ann", "class_weight": 1, "type": "mapreduce", "tasks": [
                {"type": "map", "priority": 20, "count": {"val": 6, "std": 2}, "time": {"val": 20, "std": 4}, "max_memory": {"val": 1024}, "max_vcores": {"val": 1}},
                {"type": "reduce", "priority": 10, "count": {"discrete": ["1", "2"]}, "time": {"val": 30}, "max_memory": {"val": 2048}, "max_vcores": {"val": 2}}]}],
         "time_distribution": [{"time": 10, "weight": 100}, {"time": 600, "weight": 0}]}]}"#;

    fn jobs(text: &str) -> (Gathered, ReadOutcome) {
        let mut gathered = Gathered::default();
        let outcome = read(&InputText::at("x", text), &mut gathered);
        (gathered, outcome)
    }

    #[test]
    fn jobs_are_drawn_alike_each_time_and_within_their_times() {
        let (gathered, outcome) = jobs(TEXT);
        assert_eq!(outcome.problems, []);
        let drawn = &gathered.traced.jobs;
        assert_eq!((drawn.len(), gathered.traced.implied.len()), (50, 4));
        assert_eq!(drawn, &jobs(TEXT).0.traced.jobs);
        assert!(drawn.iter().all(|j| (10_000..600_000).contains(&j.submit_ms)));
        assert!(drawn.windows(2).all(|two| two[0].submit_ms <= two[1].submit_ms));
        let reduces: Vec<&Stage> = drawn.iter().filter_map(|j| j.stages.last()).collect();
        assert!(reduces.iter().all(|s| s.after == [0] && s.priority == 10 && (1..=2).contains(&s.count)));
        assert_ne!(drawn, &jobs(&TEXT.replace("\"rand_seed\": 7", "\"rand_seed\": 8")).0.traced.jobs);
    }

    #[test]
    fn the_older_form_of_classes_is_read() {
        let tasks = TEXT.find("\"tasks\"").unwrap()..TEXT.find("}],\n         \"time_dist").unwrap();
        let old =
            r#""mtasks_avg": 5, "mtasks_stddev": 1, "mtime_avg": 9, "rtasks_avg": 2, "reduce_max_memory_avg": 3000"#;
        let mut text = TEXT.to_owned();
        text.replace_range(tasks, old);
        let (gathered, outcome) = jobs(&text);
        assert_eq!(outcome.problems, []);
        let stages = &gathered.traced.jobs[0].stages;
        assert_eq!((stages[1].count, stages[1].size.memory_mb, &stages[1].after[..]), (2, Some(3000), &[0][..]));
    }

    /// Each fault × its report.
    #[test]
    fn what_cannot_be_drawn_from_is_told_with_its_place() {
        for (good, bad, part) in [
            ("\"num_jobs\": 50", "\"num_jobs\": 1000000000", "are more than"),
            ("\"num_nodes\": 4", "\"num_nodes\": 1000000000", "are more than"),
            ("{\"val\": 6, \"std\": 2}", "{\"val\": 6, \"dist\": \"NORM\"}", "`dist` needs `std`"),
            ("\"workload_weight\": 1", "\"workload_weight\": -1", "A weight"),
            ("\"class_weight\": 1", "\"class_weight\": 0", "no class that can be drawn"),
            ("\"time\": 600", "\"time\": \"x\"", "no number of seconds"),
            ("{\"val\": 6, \"std\": 2}", "{\"val\": 90000000}", "more than"),
        ] {
            let (_, outcome) = jobs(&TEXT.replace(good, bad));
            let told = outcome.problems.iter().any(|p| p.what.contains(part) && p.span.is_some());
            assert!(told, "{bad}: {:?}", outcome.problems);
        }
    }
}
