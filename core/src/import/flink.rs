//! Flink on YARN: `flink run` and `yarn-session.sh` with their options. The parallelism determines the number of
//! TaskManagers.

use super::InputText;
use super::launched::{Launched, bytes};
use crate::api::Properties;
use crate::model::{Problem, Span};
use crate::scenario::units::Size;

const MB: i64 = 1 << 20;
/// Current and former options, and the settings that they set.
const OPTIONS: [(&[&str], &str); 10] = [
    (&["-jm", "-yjm", "--jobManagerMemory", "--yarnjobManagerMemory"], "jobmanager.memory.process.size"),
    (&["-tm", "-ytm", "--taskManagerMemory", "--yarntaskManagerMemory"], "taskmanager.memory.process.size"),
    (&["-s", "-ys", "--slots", "--yarnslots"], "taskmanager.numberOfTaskSlots"),
    (&["-p", "--parallelism"], "parallelism.default"),
    (&["-qu", "-yqu", "--queue", "--yarnqueue"], "yarn.application.queue"),
    (&["-nm", "-ynm", "--name", "--yarnname"], "yarn.application.name"),
    (&["-nl", "-ynl", "--nodeLabel", "--yarnnodeLabel"], "yarn.application.node-label"),
    (&["-n", "-yn", "--container", "--yarncontainer"], "containers"),
    (&["-t", "--target", "-m", "--jobmanager"], "target"),
    (&["-c", "--class", "-C", "-z", "--fromSavepoint"], "class"),
];

/// Returns where the options begin, if these are the words of one of Flink's commands.
pub(super) fn options_at(words: &[String]) -> Option<usize> {
    let name = |at: usize| words.get(at).map(|word| word.rsplit('/').next().unwrap_or(word));
    (0..words.len().min(4)).find_map(|at| match (name(at)?, name(at + 1)) {
        ("yarn-session.sh", _) => Some(at + 1),
        ("flink", Some("run" | "run-application")) => Some(at + 2),
        _ => None,
    })
}

/// Reads the options of a command. Reports invalid amounts of memory.
pub(super) fn application(options: &[String], at: Span, look: &InputText<'_>, problems: &mut Vec<Problem>) -> Launched {
    let mut conf = Properties::new();
    // `-s` is a savepoint for `flink run`, and slots for a session.
    let mut words = options.iter();
    while let Some(word) = words.next() {
        if let Some(pair) = word.strip_prefix("-yD").or_else(|| word.strip_prefix("-D")) {
            let pair = if pair.is_empty() { words.next().cloned().unwrap_or_default() } else { pair.to_owned() };
            if let Some((key, value)) = pair.split_once('=') {
                conf.insert(key.trim().to_owned(), value.to_owned());
            }
        } else if let Some((_, key)) = OPTIONS.iter().find(|(names, _)| names.contains(&word.as_str())) {
            conf.extend(words.next().map(|value| ((*key).to_owned(), value.clone())));
        } else if !word.starts_with('-') {
            break;
        }
    }
    let number = |key: &str| conf.get(key).and_then(|v| v.trim().parse::<i64>().ok()).filter(|n| *n > 0);
    let text = |key: &str| conf.get(key).map(|v| v.trim().to_owned()).filter(|v| !v.is_empty());
    let mut memory = |key: &str, default: i64| {
        let Some(value) = conf.get(key) else { return default };
        bytes(value, MB).map(|bytes| bytes / MB).unwrap_or_else(|| {
            let what = format!("`{value}` of {key} is no amount of memory.");
            problems.push(Problem::error(look.name, at, what).mend("Write 4096m or 4g."));
            default
        })
    };
    let (job_manager, task_manager) =
        (memory("jobmanager.memory.process.size", 1600), memory("taskmanager.memory.process.size", 1728));
    let slots = number("taskmanager.numberOfTaskSlots").unwrap_or(1);
    let parallelism = number("parallelism.default").unwrap_or(1);
    let needed = (parallelism.saturating_sub(1) / slots) + 1;
    let tags = text("yarn.tags").unwrap_or_default();
    Launched {
        name: text("yarn.application.name"),
        kind: "flink-app",
        queue: text("yarn.application.queue"),
        user: None,
        tags: tags.split(',').map(|t| t.trim().to_owned()).filter(|t| !t.is_empty()).collect(),
        priority: number("yarn.application.priority"),
        am: Size {
            memory_mb: Some(job_manager),
            vcores: Some(number("yarn.appmaster.vcores").unwrap_or(1)),
            more: Vec::new(),
        },
        am_label: None,
        label: text("yarn.application.node-label"),
        parts: "taskmanagers",
        count: number("containers").unwrap_or(needed).min(1_000_000),
        size: Size {
            memory_mb: Some(task_manager),
            vcores: Some(number("yarn.containers.vcores").unwrap_or(slots)),
            more: number("external-resource.gpu.amount").map(|n| ("yarn.io/gpu".to_owned(), n)).into_iter().collect(),
        },
    }
}
