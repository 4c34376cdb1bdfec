//! Generated workloads for a cluster, as ordinary entries of its scenario. The same seed gives the same text.

use super::samples::Random;
use crate::api::SchedulerChoice;
use crate::apps::scenario::read::KINDS;
use crate::config::fair::elements::paths;
use crate::config::properties::PREFIX;
use crate::model::limits::{APPLICATIONS, INSTANCES};
use crate::model::{Millis, Problem, Severity};
use crate::scenario::units::{memory_text, parse_time, time_text};
use crate::scenario::{Scenario, edit, read};
use toml_edit::{DocumentMut, Item, Table, Value};

/// A workload that can be generated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Load {
    /// An application in every leaf queue that requests the whole cluster.
    FillQueues,
    /// A single user who submits many applications with small containers to one queue.
    NoisyUser,
    /// The applications of the first hour, repeated after it, each twice.
    HourAgain,
}

impl Load {
    /// All workloads, with their names on the command line and descriptions.
    pub const ALL: [(&'static str, Load, &'static str); 3] = [
        ("fill-queues", Load::FillQueues, "fill every queue"),
        ("noisy-user", Load::NoisyUser, "one noisy user"),
        ("hour-again", Load::HourAgain, "this hour again, twice as large"),
    ];
}

/// A scenario with a workload added.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Loaded {
    pub text: String,
    /// The number of applications added.
    pub added: usize,
    /// Remarks on what was left out.
    pub remarks: Vec<String>,
}

/// One hour.
const HOUR: Millis = 3_600_000;
/// The maximum number of containers of one generated application.
const MOST_CONTAINERS: i64 = 500;
/// The number of the noisy user's applications.
const NOISY: usize = 40;

/// Adds a workload to a scenario. Errors: the text's problems.
pub fn generate(text: &str, load: Load, seed: u64) -> Result<Loaded, Vec<Problem>> {
    let read = read(text);
    let Some(scenario) = read.scenario else { return Err(read.problems) };
    let fault = |what: String| vec![Problem::error("scenario", None, what)];
    let mut random = Random::new(seed);
    let loaded = match load {
        Load::FillQueues => fill(text, &scenario, &mut random),
        Load::NoisyUser => noisy(text, &scenario, &mut random),
        Load::HourAgain => again(text, &scenario),
    };
    let loaded = loaded.map_err(fault)?;
    let problems = crate::scenario::read(&loaded.text).problems;
    let errors: Vec<Problem> = problems.into_iter().filter(|p| p.severity == Severity::Error).collect();
    if errors.is_empty() { Ok(loaded) } else { Err(errors) }
}

/// Returns the paths of the queues that accept applications.
pub fn leaves(s: &Scenario) -> Vec<String> {
    match s.settings.scheduler {
        SchedulerChoice::Fifo => vec!["default".into()],
        SchedulerChoice::Fair => {
            let named = s.settings.fair_allocations.as_deref().map(paths).unwrap_or_default();
            let mut leaves: Vec<String> = named.into_iter().filter(|(_, leaf)| *leaf).map(|(path, _)| path).collect();
            if leaves.is_empty() {
                leaves.push("root.default".into());
            }
            leaves
        }
        SchedulerChoice::Capacity => {
            let (mut leaves, mut todo) = (Vec::new(), vec!["root".to_owned()]);
            while let Some(path) = todo.pop() {
                let below = s.settings.capacity_scheduler.get(&format!("{PREFIX}{path}.queues"));
                let names = below.into_iter().flat_map(|names| names.split(',')).map(str::trim);
                let names: Vec<&str> = names.filter(|name| !name.is_empty()).collect();
                if names.is_empty() || path.split('.').count() > 50 {
                    // Applications go to the queues that such a parent creates, not to itself.
                    leaves.extend((!creates_children(s, &path)).then_some(path));
                } else {
                    todo.extend(names.iter().rev().map(|name| format!("{path}.{name}")));
                }
            }
            leaves
        }
    }
}

/// Returns whether a queue of the CapacityScheduler is a parent that creates its children.
fn creates_children(s: &Scenario, path: &str) -> bool {
    ["auto-queue-creation-v2.enabled", "auto-create-child-queue.enabled"].iter().any(|key| {
        let set = s.settings.capacity_scheduler.get(&format!("{PREFIX}{path}.{key}"));
        set.is_some_and(|value| value.trim().eq_ignore_ascii_case("true"))
    })
}

/// Returns the queues that accept applications, without those of the CapacityScheduler that are stopped.
fn running_leaves(s: &Scenario) -> Vec<String> {
    let stopped = |path: &str| {
        let state = s.settings.capacity_scheduler.get(&format!("{PREFIX}{path}.state"));
        state.is_some_and(|state| state.trim().eq_ignore_ascii_case("STOPPED"))
    };
    let takes = |path: &String| {
        let ends = path.match_indices('.').map(|(at, _)| at).chain([path.len()]);
        s.settings.scheduler != SchedulerChoice::Capacity || ends.into_iter().all(|end| !stopped(&path[..end]))
    };
    leaves(s).into_iter().filter(takes).collect()
}

/// Returns the label that an application of a queue asks for where every node has one: the first that the queue may use.
fn label_of(s: &Scenario, queue: &str) -> Option<String> {
    if s.nodes.is_empty() || s.nodes.iter().any(|node| node.spec.label.is_none()) {
        return None;
    }
    let mut above = Some(queue);
    let mut listed = None;
    while let (None, Some(path)) = (listed, above) {
        listed = s.settings.capacity_scheduler.get(&format!("{PREFIX}{path}.accessible-node-labels"));
        above = path.rsplit_once('.').map(|(parent, _)| parent);
    }
    let all = || s.settings.labels.first().map(|label| label.name.clone());
    match listed {
        Some(list) => match list.split(',').map(str::trim).find(|label| !label.is_empty()) {
            Some("*") => all(),
            named => named.map(str::to_owned),
        },
        None => all(),
    }
}

/// Returns the memory of a generated container in MiB: a quarter of the smallest node, at most 4 GB.
fn container(s: &Scenario) -> i64 {
    let least = s.nodes.iter().map(|n| n.spec.total.memory_mb()).min().unwrap_or(8192);
    (least / 4).clamp(1, 4096)
}

/// Returns a random time between two, in whole seconds.
fn between(random: &mut Random, from: Millis, to: Millis) -> Millis {
    let seconds = ((to - from) / 1000) as f64 * random.uniform();
    from + seconds as Millis * 1000
}

/// Returns a name that no application has.
fn free(s: &Scenario, wanted: &str) -> String {
    let taken = |name: &str| s.apps.iter().any(|app| app.name == name);
    let numbered = (2..).map(|n| format!("{wanted}-{n}"));
    std::iter::once(wanted.to_owned()).chain(numbered).find(|name| !taken(name)).unwrap_or_default()
}

fn push(text: &str, entry: &[(&str, Value)], label: Option<String>) -> Result<String, String> {
    let mut table = Table::new();
    entry.iter().for_each(|(key, value)| _ = table.insert(key, Item::Value(value.clone())));
    label.into_iter().for_each(|label| _ = table.insert("label", Item::Value(label.into())));
    edit::push_entry(text, "apps", &table.to_string())
}

/// Returns the tasks of one group as TOML.
fn tasks(count: i64, memory_mb: i64, ms: Millis) -> Value {
    let mut group = toml_edit::InlineTable::new();
    group.insert("count", count.into());
    group.insert("size", format!("{}/1", memory_text(memory_mb)).into());
    group.insert("duration", time_text(ms).into());
    let mut list = toml_edit::Array::new();
    list.push(group);
    list.into()
}

fn fill(text: &str, s: &Scenario, random: &mut Random) -> Result<Loaded, String> {
    let mut out = Loaded { text: text.to_owned(), ..Loaded::default() };
    let memory: i64 = s.nodes.iter().map(|n| n.spec.total.memory_mb()).sum();
    let size = container(s);
    let count = (memory / size).clamp(1, MOST_CONTAINERS.min(INSTANCES as i64));
    for queue in running_leaves(s) {
        let short = queue.rsplit('.').next().unwrap_or(&queue);
        let taken: Scenario = read(&out.text).scenario.unwrap_or_else(|| s.clone());
        let entry = [
            ("name", free(&taken, &format!("fill-{short}")).into()),
            ("queue", queue.as_str().into()),
            ("user", format!("user-of-{short}").into()),
            ("at", time_text(between(random, 0, 60_000)).into()),
            ("tasks", tasks(count, size, between(random, 60_000, 600_000))),
        ];
        out.text = push(&out.text, &entry, label_of(s, &queue))?;
        out.added += 1;
    }
    Ok(out)
}

fn noisy(text: &str, s: &Scenario, random: &mut Random) -> Result<Loaded, String> {
    let mut out = Loaded { text: text.to_owned(), ..Loaded::default() };
    // The queue with the most applications, else the first.
    let leaves = running_leaves(s);
    let busy = |queue: &String| {
        s.apps.iter().filter(|a| a.queue == *queue || queue.ends_with(&format!(".{}", a.queue))).count()
    };
    let queue = leaves.iter().rev().max_by_key(|queue| busy(queue)).cloned().unwrap_or_else(|| "default".into());
    let (size, every) = ((container(s) / 4).max(1), between(random, 5_000, 15_000));
    let entry = [
        ("name", free(s, "noisy{1}").into()),
        ("copies", (NOISY as i64).into()),
        ("every", time_text(every).into()),
        ("queue", queue.as_str().into()),
        ("user", "noisy".into()),
        ("tasks", tasks(20, size, between(random, 20_000, 120_000))),
    ];
    out.text = push(&out.text, &entry, label_of(s, &queue))?;
    out.added = NOISY;
    Ok(out)
}

fn again(text: &str, s: &Scenario) -> Result<Loaded, String> {
    let mut document: DocumentMut = text.parse().map_err(|e: toml_edit::TomlError| e.message().to_owned())?;
    let span = s.until.map_or(HOUR, |until| until.min(HOUR)).max(1000);
    let Some(Item::ArrayOfTables(apps)) = document.get_mut("apps") else {
        return Err("No applications are written as [[apps]].".into());
    };
    let mut out = Loaded::default();
    let mut left_out = 0;
    let entries: Vec<Table> = apps.iter().cloned().collect();
    for mut entry in entries {
        let at = entry.get("at").map_or(Ok(0), |at| parse_time(at.as_str().unwrap_or(at.to_string().trim())))?;
        let kind = entry.get("kind").and_then(Item::as_str).unwrap_or("batch");
        let submitted = !entry.contains_key("now") && KINDS.iter().any(|row| row.makes_load && row.name == kind);
        if at >= span || !submitted {
            left_out += usize::from(!submitted);
            continue;
        }
        let name = entry.get("name").and_then(Item::as_str).unwrap_or_default();
        let counted = entry.get("copies").and_then(Item::as_integer);
        let name = if name.contains('{') { format!("again-{name}") } else { format!("again-{name}-{{1}}") };
        let copies = counted.unwrap_or(1).saturating_mul(2);
        out.added += usize::try_from(copies).unwrap_or(0);
        if s.apps.len() + out.added > APPLICATIONS {
            return Err(format!("There would be more than {APPLICATIONS} applications."));
        }
        entry.insert("name", name.into_item());
        entry.insert("copies", copies.into_item());
        entry.insert("at", time_text(at + span).into_item());
        // Twice as many in the same time.
        if let Some(every) = entry.get("every").and_then(Item::as_str).and_then(|every| parse_time(every).ok()) {
            entry.insert("every", time_text(every / 2).into_item());
        }
        entry.set_position(None);
        apps.push(entry);
    }
    if let Some(until) = s.until {
        document["until"] = time_text(until + span).into_item();
    }
    if left_out > 0 {
        out.remarks.push(format!(
            "{left_out} applications are not repeated: they run since before the scenario, or for ever."
        ));
    }
    out.text = document.to_string();
    Ok(out)
}

/// A value as an item of a table.
trait IntoItem {
    fn into_item(self) -> Item;
}

impl<T: Into<Value>> IntoItem for T {
    fn into_item(self) -> Item {
        Item::Value(self.into())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "heddle = 1\nscheduling = \"heartbeat\"\nuntil = \"10 min\"\n[capacity-scheduler]\nroot.queues = \"a,b\"\nroot.a.capacity = 40\n\
        root.a.queues = \"c\"\nroot.a.c.capacity = 100\nroot.b.capacity = 60\n[[nodes]]\nname = \"n{1}\"\ncount = 4\nsize = \"16 GB/16\"\n\
        [[apps]] # mine\nname = \"etl\"\nqueue = \"b\"\nat = \"30 s\"\ntasks = [{ count = 2, duration = \"1 min\" }]\n\
        [[apps]]\nname = \"j{1}\"\ncopies = 3\nevery = \"10 s\"\nqueue = \"b\"\ntasks = [{ count = 1 }]\n";

    fn made(load: Load, seed: u64) -> (Loaded, Scenario) {
        let loaded = generate(TEXT, load, seed).unwrap_or_else(|problems| panic!("{problems:#?}"));
        let scenario = read(&loaded.text).scenario.expect("it can be read");
        assert!(loaded.text.starts_with(&TEXT[..TEXT.find("until").unwrap_or(0)]), "{}", loaded.text);
        assert!(loaded.text.contains("[[apps]] # mine\nname = \"etl\""), "{}", loaded.text);
        (loaded, scenario)
    }

    /// Queues that no application can be submitted to get none; where every node has a label, one is asked for.
    #[test]
    fn the_load_goes_where_applications_can_run() {
        let queues = "heddle = 1\nscheduling = \"heartbeat\"\nlabels = [\"gpu\", \"ssd\"]\n[yarn-site]\nnode-labels.enabled = true\n[capacity-scheduler]\n\
            root.queues = \"a,b,c\"\nroot.a.capacity = 40\nroot.a.auto-queue-creation-v2.enabled = true\nroot.b.capacity = 30\nroot.b.state = \"STOPPED\"\n\
            root.c.capacity = 30\nroot.c.accessible-node-labels = \"ssd\"\n[[nodes]]\nname = \"n\"\nsize = \"16 GB/16\"\nlabel = \"ssd\"\n";
        let loaded = generate(queues, Load::FillQueues, 7).unwrap_or_else(|problems| panic!("{problems:#?}"));
        let s = read(&loaded.text).scenario.expect("it can be read");
        let apps: Vec<_> = s.apps.iter().map(|app| (app.queue.as_str(), app.label.as_deref())).collect();
        assert_eq!(apps, [("root.c", Some("ssd"))], "{}", loaded.text);
        assert_eq!(leaves(&s), ["root.b", "root.c"], "one may submit to a stopped queue, to see it refused");
        let fair = "<allocations><queue name='a' type='parent'/><queue name='b'/></allocations>";
        assert_eq!(paths(fair), [("root.a".to_owned(), false), ("root.b".to_owned(), true)]);
    }

    #[test]
    fn every_queue_gets_an_application_that_asks_for_everything() {
        let (loaded, s) = made(Load::FillQueues, 7);
        assert_eq!(loaded.added, 2);
        let added: Vec<_> = s.apps.iter().skip(4).map(|a| (a.name.as_str(), a.queue.as_str())).collect();
        assert_eq!(added, [("fill-c", "root.a.c"), ("fill-b", "root.b")]);
        assert_eq!(s.apps[4].kind.tasks()[0].count, 16);
        assert_eq!(made(Load::FillQueues, 7).0, loaded);
        assert_ne!(made(Load::FillQueues, 8).0, loaded);
        // The same workload a second time.
        let twice = generate(&loaded.text, Load::FillQueues, 7).expect("it can be added twice");
        assert!(twice.text.contains("\"fill-c-2\""));
    }

    #[test]
    fn one_user_submits_to_the_busiest_queue() {
        let (loaded, s) = made(Load::NoisyUser, 1);
        assert_eq!((loaded.added, s.apps.len()), (NOISY, 4 + NOISY));
        assert!(s.apps.iter().skip(4).all(|a| a.user == "noisy" && a.queue == "root.b"));
    }

    #[test]
    fn the_hour_comes_again_twice_as_large() {
        let (loaded, s) = made(Load::HourAgain, 1);
        assert_eq!((loaded.added, s.until), (8, Some(1_200_000)));
        let at: Vec<_> = s.apps.iter().skip(4).map(|a| (a.name.as_str(), a.at)).collect();
        assert_eq!(at[..3], [("again-etl-1", 630_000), ("again-etl-2", 630_000), ("again-j1", 600_000)]);
        assert_eq!(at[3].1, 605_000);
        assert!(loaded.remarks.is_empty());
    }

    #[test]
    fn leaves_of_the_other_schedulers() {
        let of = |text: &str| leaves(&read(text).scenario.expect("it can be read"));
        let fair = "heddle = 1\nscheduler = \"fair\"\n[files]\n\"fair-scheduler.xml\" = '''<allocations><queue name=\"a\"><queue name=\"b\"/></queue><queue name=\"c\"/></allocations>'''\n";
        assert_eq!(of(fair), ["root.a.b", "root.c"]);
        assert_eq!(of("heddle = 1\nscheduler = \"fifo\"\n"), ["default"]);
    }

    #[test]
    fn what_cannot_be_read_is_told() {
        assert!(generate("heddle = 1\n[[nodes]]\nname = 3\n", Load::FillQueues, 1).is_err());
        assert!(generate("heddle = 1\n", Load::HourAgain, 1).is_err());
    }
}
