//! Imports a Samza job's `.properties` file as an application of a scenario: the file verbatim, and with it what a run needs
//! and no such file contains (samza-host-affinity.md sections 2 and 16).

use crate::api::{ClientRefusal, Submitted};
use crate::apps::samza::client::{Files, submit};
use crate::apps::samza::strategy::job::properties::SOURCE;
use crate::apps::samza::strategy::job::{Properties, Settings, check};
use crate::model::names::problem_in_file;
use crate::model::{Problem, Severity, Span};
use crate::scenario::edit::text_value;
use toml_edit::{Array, InlineTable, Value};

/// The assumed number of partitions of an input stream, and the assumed size of a task's store.
const PARTITIONS: i64 = 8;
const STORE: &str = "1 GB";
/// The name of a job without a name.
const NAMELESS: &str = "samza-job";
/// Prefixes of keys that only the file of a job has.
const OF_JOBS: [&str; 5] = ["yarn.samza.", "job.host-affinity", "yarn.container.", "stores.", "cluster-manager."];
/// Keys at the start of lines that no other file has.
const OURS: [&str; 6] =
    ["job.name", "job.factory.class", "job.host-affinity", "job.container.count", "task.inputs", "app.class"];

/// A job as an entry of `[[apps]]`.
#[derive(Clone, Debug, PartialEq)]
pub struct Import {
    /// The fields of the entry, as TOML lines; `None` if the job does not start with it.
    pub entry: Option<String>,
    /// The job's name, with its id unless that is 1.
    pub name: String,
    /// The number of containers, and the number of stores.
    pub counts: (i64, usize),
    /// The queue that it names.
    pub queue: Option<String>,
    /// The problems, with their positions, and the assumptions.
    pub problems: Vec<Problem>,
}

/// Returns whether a text looks like a job's file.
pub fn is_job(name: &str, text: &str) -> bool {
    let ours = |line: &str| OURS.iter().any(|key| line.trim_start().starts_with(key));
    let markup = |c: char| c == '<' || c == '{';
    !text.trim_start().starts_with(markup) && (name.ends_with(".properties") || text.lines().any(ours))
}

/// Returns the problems of a job's file for the client that submits it and for the ApplicationMaster, with positions; and what
/// the client submits on a cluster without a size limit for containers.
pub fn read(text: &str) -> (Properties, Option<Settings>, Vec<Problem>, Result<Submitted, ClientRefusal>) {
    let (properties, settings, mut problems) = check::read(text);
    let any = (i64::MAX, i64::MAX);
    let submitted = submit(&properties.config(), any, Files::There).map_err(|why| {
        let at = properties.entry(&why.key).map_or(Span::new(0, 0), |entry| entry.value_at);
        let words = why.refusal.words().trim_end_matches('.');
        let what = format!("Samza's client refuses to submit this: {words}.");
        problems.push(Problem::warning(SOURCE, at, what).mend(why.refusal.mend.clone()));
        why.refusal
    });
    (properties, settings, problems, submitted)
}

/// Imports a job's file. Never panics, whatever the text.
pub fn import(text: &str) -> Import {
    let none = Import { entry: None, name: String::new(), counts: (0, 0), queue: None, problems: Vec::new() };
    if let Some(problem) = crate::scenario::read::too_long(SOURCE, text.len()) {
        return Import { problems: vec![problem], ..none };
    }
    if let Some(problem) = problem_in_file(SOURCE, text) {
        return Import { problems: vec![problem], ..none };
    }
    let (properties, settings, mut problems, submitted) = read(text);
    if submitted.is_err() {
        // In a scenario the run reports the refusal when it submits; an import of the file would be useless.
        let last = problems.last_mut();
        last.into_iter().for_each(|problem| problem.severity = Severity::Error);
    }
    let Some(settings) = settings.filter(|_| submitted.is_ok()) else { return Import { problems, ..none } };
    let name = settings.name.clone().filter(|name| !name.trim().is_empty()).unwrap_or_else(|| NAMELESS.into());
    let name = if settings.id == "1" { name } else { format!("{name}-{}", settings.id) };
    let containers = i64::from(settings.containers);
    let (streams, stores) = beside(&properties, &settings, &mut problems);
    let mut lines = vec![("name", Value::from(name.as_str())), ("kind", Value::from("samza"))];
    let counts = (containers, stores.len());
    lines.extend((!streams.is_empty()).then(|| ("streams", Value::from(streams))));
    lines.extend((!stores.is_empty()).then(|| ("stores", Value::from(stores))));
    lines.push(("\"job.properties\"", text_value(text)));
    let entry = lines.into_iter().map(|(key, value)| format!("{key} = {value}\n")).collect();
    Import { entry: Some(entry), name, counts, queue: settings.queue, problems }
}

/// Returns assumptions for what the file does not contain: the partitions of its streams, and the sizes of its stores. Each is
/// reported at the position of the key that it is about.
fn beside(properties: &Properties, settings: &Settings, problems: &mut Vec<Problem>) -> (InlineTable, Array) {
    let at = |key: &str| properties.entry(key).map_or(Span::new(0, 0), |e| e.value_at);
    let (mut streams, mut stores) = (InlineTable::new(), Array::new());
    let partitions = PARTITIONS.max(settings.containers.into());
    for input in &settings.inputs {
        streams.insert(input, partitions.into());
        let what = format!("How many partitions `{input}` has is not said: {partitions} are assumed.");
        problems.push(Problem::note(SOURCE, at("task.inputs"), what).mend("Change `streams` of the application."));
    }
    if settings.inputs.is_empty() {
        let what = "No input is named: a job whose inputs stand in its code has no tasks here, and cannot start.";
        let mend = "Name them in `task.inputs`, as system.stream, and how many partitions they have in `streams`.";
        problems.push(Problem::warning(SOURCE, Span::new(0, 0), what).mend(mend));
    }
    for store in settings.stores.iter().filter(|s| s.factory.is_some()) {
        let mut entry = InlineTable::new();
        entry.insert("name", store.name.as_str().into());
        entry.insert("size", STORE.into());
        stores.push(Value::InlineTable(entry));
        let what = format!("How much `{}` holds is not said: {STORE} for each task is assumed.", store.name);
        let of = at(&format!("stores.{}.factory", store.name));
        problems.push(Problem::note(SOURCE, of, what).mend("Change `stores` of the application."));
    }
    (streams, stores)
}

/// Returns where a line of the file belongs that was pasted alone.
pub fn pasted(key: &str) -> Option<String> {
    OF_JOBS.iter().any(|of| key.starts_with(of)).then(|| {
        format!(
            "`{key}` is a line of a Samza job's .properties. It belongs to a job with `job.name`: add one, or give the whole file."
        )
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scenario::{SamzaApp, edit, read};

    /// A file as users have it: an old name, a long line, a comment, a backslash.
    const JOB: &str = include_str!("../../../../../tests/samples/job.properties");

    fn whole(entry: &str) -> String {
        format!("heddle = 1\n[[nodes]]\nname = \"n\"\nsize = \"8 GB/4\"\n[[apps]]\n{entry}")
    }

    fn played(text: &str) -> crate::scenario::SamzaApp {
        let read = read(text);
        let scenario = read.scenario.unwrap_or_else(|| panic!("{:#?}\n{text}", read.problems));
        scenario.apps[0].kind.get::<SamzaApp>().cloned().expect("a Samza job")
    }

    #[test]
    fn a_file_becomes_an_application_letter_for_letter() {
        for text in [JOB.to_string(), JOB.replace('\n', "\r\n"), format!("{JOB}x='''\n")] {
            let found = import(&text);
            assert_eq!((found.name.as_str(), found.counts), ("page-views", (4, 2)), "{:#?}", found.problems);
            let app = played(&whole(&found.entry.expect("it starts")));
            assert_eq!(app.properties, text);
            assert_eq!(app.streams.values().collect::<Vec<_>>(), [&8, &8]);
            assert_eq!(app.stores.keys().collect::<Vec<_>>(), ["sessions", "views"]);
        }
    }

    #[test]
    fn a_property_is_one_line_of_difference() {
        for text in [JOB.to_string(), JOB.replace('\n', "\r\n")] {
            let scenario = whole(&import(&text).entry.expect("it starts"));
            let with = |key: &str, value: &str| {
                played(&edit::set_job_property(&scenario, 0, key, value).expect("it is written")).properties
            };
            assert_eq!(with("job.container.count", "6"), text.replace("count=4", "count=6"));
            assert_eq!(with("task.opts", ""), text[..text.find("task.opts").expect("there")]);
            assert_eq!(with("job.id", "2"), format!("{text}job.id=2\n"));
            assert_eq!(with("job.name", "page-views"), text);
        }
        let double =
            whole("name = \"a\"\nkind = \"samza\"\n\"job.properties\" = \"\"\"\njob.name=a\njob.id=1\n\"\"\"\n");
        let changed = edit::set_job_property(&double, 0, "job.id", "2").expect("it is written");
        assert_eq!(changed, double.replace("job.id=1", "job.id=2"), "the quotes stay");
        assert!(edit::set_job_property("heddle = 1\n", 0, "job.id", "2").is_err());
    }

    #[test]
    fn what_is_wrong_or_assumed_has_its_place() {
        let told = |text: &str| -> Vec<String> { import(text).problems.iter().map(|p| p.render(text)).collect() };
        let all = told(JOB);
        for part in [
            "job.properties:5:1: note: `yarn.samza.host-affinity.enabled` is the old name",
            "job.properties:7:13: note: How many partitions `kafka.page-views` has is not said: 8 are assumed.",
            "How much `views` holds is not said: 1 GB for each task is assumed.",
        ] {
            assert!(all.iter().any(|t| t.contains(part)), "{part}: {all:#?}");
        }
        let bad = JOB.replace("job.container.count=4", "job.container.count=four");
        assert!(import(&bad).entry.is_none());
        let place = "job.properties:6:21: error: `job.container.count` is `four`";
        assert!(told(&bad).iter().any(|t| t.starts_with(place)), "{:#?}", told(&bad));
        let nameless = import("job.id=2\n");
        assert!(nameless.entry.is_none() && nameless.problems[0].what.contains("Missing required config: job.name"));
        let wrong = "job.properties:2:29: error: Samza's client refuses to submit this: For input string: \"2g\".";
        let all = told("job.name=a\nyarn.am.container.memory.mb=2g\n");
        assert!(all.iter().any(|t| t.starts_with(wrong)), "{all:#?}");
        let coded = import("job.name=x\n");
        assert!(coded.entry.is_some() && coded.problems.iter().any(|p| p.what.starts_with("No input is named")));
    }

    #[test]
    fn files_are_told_apart() {
        assert!(is_job("x.properties", "a=1") && is_job("", "# c\njob.name = x\n") && is_job("", JOB));
        assert!(!is_job("", "hello") && !is_job("x.xml", "<a/>") && !is_job("x.properties", " {}"));
    }
}
