//! Spark on YARN: `spark-submit` with its options, and spark-defaults.conf (formats.md 7). An executor's container is its
//! memory plus the overhead that Spark adds.

use super::launched::{self, Launched, bytes};
use super::{Gathered, InputText};
use crate::api::Properties;
use crate::model::{Problem, Span};
use crate::scenario::units::Size;

const MB: i64 = 1 << 20;
/// The overhead that Spark adds to memory: a share, and its minimum in MB.
const OVERHEAD: f64 = 0.10;
const OVERHEAD_LEAST: i64 = 384;
/// Options and the properties that they set.
const OPTIONS: [(&str, &str); 11] = [
    ("--num-executors", "spark.executor.instances"),
    ("--executor-memory", "spark.executor.memory"),
    ("--executor-cores", "spark.executor.cores"),
    ("--queue", "spark.yarn.queue"),
    ("--driver-memory", "spark.driver.memory"),
    ("--driver-cores", "spark.driver.cores"),
    ("--name", "spark.app.name"),
    ("--deploy-mode", "spark.submit.deployMode"),
    ("--master", "spark.master"),
    ("--proxy-user", "proxy-user"),
    ("--total-executor-cores", "spark.cores.max"),
];
/// Options with a value that has no effect here; the later ones are of the shells, and of other masters.
const OTHERS: [&str; 25] = [
    "--class",
    "--jars",
    "--packages",
    "--files",
    "--py-files",
    "--archives",
    "--principal",
    "--keytab",
    "--repositories",
    "--exclude-packages",
    "--driver-java-options",
    "--driver-library-path",
    "--driver-class-path",
    "--remote",
    "--status",
    "--kill",
    "-e",
    "-f",
    "-i",
    "-d",
    "-I",
    "--database",
    "--define",
    "--hiveconf",
    "--hivevar",
];
/// Options without a value.
const FLAGS: [&str; 8] = ["--verbose", "-v", "--version", "--supervise", "--help", "-h", "-S", "--silent"];

/// A submission: the properties that its options set.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Submission {
    properties: Properties,
    source: String,
}

/// Returns where the options begin, if these are the words of a submission.
pub(super) fn options_at(words: &[String]) -> Option<usize> {
    let program = |word: &String| {
        let name = word.rsplit('/').next().unwrap_or(word);
        matches!(name, "spark-submit" | "spark2-submit" | "spark3-submit" | "spark-shell" | "pyspark" | "spark-sql")
            || word == "org.apache.spark.deploy.SparkSubmit"
    };
    words.iter().take(8).position(program).map(|at| at + 1)
}

/// Reads the options of a submission.
pub(super) fn submission(
    options: &[String],
    at: Span,
    look: &InputText<'_>,
    problems: &mut Vec<Problem>,
) -> Submission {
    let mut out = Submission { source: look.name.to_owned(), ..Submission::default() };
    let mut words = options.iter();
    while let Some(word) = words.next() {
        let (option, inline) = match word.split_once('=') {
            Some((option, value)) if word.starts_with("--") => (option, Some(value.to_owned())),
            _ => (word.as_str(), None),
        };
        let mut value = || inline.clone().or_else(|| words.next().cloned());
        if let Some((_, key)) = OPTIONS.iter().find(|(known, _)| *known == option) {
            out.properties.extend(value().map(|value| ((*key).to_owned(), value)));
        } else if matches!(option, "--conf" | "-c") {
            match value().as_deref().and_then(|pair| pair.split_once('=').map(|(k, v)| (k.to_owned(), v.to_owned()))) {
                Some((key, value)) => {
                    out.properties.insert(key.trim().to_owned(), value);
                }
                None => problems.push(
                    Problem::error(look.name, at, "`--conf` is not followed by a property with its value.")
                        .mend("Write --conf KEY=VALUE."),
                ),
            }
        } else if OTHERS.contains(&option) {
            value();
        } else if option == "--properties-file" {
            if let Some(file) = value() {
                let what = format!("`{file}` has further settings.");
                problems.push(Problem::note(look.name, at, what).mend("Give that file as well."));
            }
        } else if option.starts_with('-') {
            if !FLAGS.contains(&option) {
                let what = format!("`{option}` is no option of spark-submit.");
                problems.push(Problem::warning(look.name, at, what).mend("Mend it, or take it out."));
            }
        } else {
            // The program; the words after it are its own arguments.
            break;
        }
    }
    for key in out.properties.keys().filter(|key| SIZES.contains(&key.as_str())) {
        let value = &out.properties[key];
        if bytes(value, MB).is_none() {
            let what = format!("`{value}` of {key} is no amount of memory.");
            problems.push(Problem::error(look.name, at, what).mend("Write 4g or 4096m."));
        }
    }
    out
}

/// Properties that are amounts of memory.
const SIZES: [&str; 4] =
    ["spark.executor.memory", "spark.driver.memory", "spark.yarn.am.memory", "spark.executor.memoryOverhead"];

/// Adds the submissions to the scenario, with the settings that were given beside them.
pub(super) fn entries(g: &mut Gathered) {
    let mut all = std::mem::take(&mut g.submissions);
    let defaults = std::mem::take(&mut g.spark);
    if all.is_empty()
        && let Some(source) = g.spark_source.clone()
        && g.scenario.is_none()
    {
        all.push(Submission { source, ..Submission::default() });
    }
    for Submission { properties, source } in all {
        let mut conf = defaults.clone();
        conf.extend(properties);
        let app = application(&Conf(&conf), &source, g);
        launched::add(app, &source, g);
    }
}

struct Conf<'p>(&'p Properties);

impl Conf<'_> {
    fn text(&self, keys: &[&str]) -> Option<String> {
        keys.iter().find_map(|key| self.0.get(*key)).map(|v| v.trim().to_owned()).filter(|v| !v.is_empty())
    }

    fn number(&self, keys: &[&str]) -> Option<i64> {
        self.text(keys)?.parse().ok().filter(|n| *n >= 0)
    }

    fn is(&self, key: &str) -> bool {
        self.0.get(key).is_some_and(|v| v.trim().eq_ignore_ascii_case("true"))
    }

    fn mb(&self, keys: &[&str]) -> Option<i64> {
        self.text(keys).and_then(|text| bytes(&text, MB)).map(|bytes| bytes / MB)
    }

    /// Returns the memory with Spark's overhead.
    fn with_overhead(&self, memory: i64, overhead: &[&str], factor: &[&str]) -> i64 {
        let share = self.text(factor).and_then(|f| f.parse::<f64>().ok()).filter(|f| (0.0..100.0).contains(f));
        let least = self.mb(&["spark.executor.minMemoryOverhead"]).unwrap_or(OVERHEAD_LEAST);
        let added = || ((memory as f64 * share.unwrap_or(OVERHEAD)) as i64).max(least);
        memory.saturating_add(self.mb(overhead).unwrap_or_else(added))
    }

    /// Returns the requested resource types, which have names of Spark's and of YARN's.
    fn types(&self, roles: &[&str]) -> Vec<(String, i64)> {
        let mut out: Vec<(String, i64)> = Vec::new();
        for (key, value) in self.0 {
            let of_role = |role: &&str| key.strip_prefix(role)?.strip_prefix(".resource.")?.strip_suffix(".amount");
            let Some(kind) = roles.iter().find_map(of_role) else { continue };
            let kind = match kind {
                "gpu" | "fpga" => format!("yarn.io/{kind}"),
                // Memory and vcores have options of their own.
                "memory" | "memory-mb" | "cores" | "vcores" => continue,
                other => other.to_owned(),
            };
            let amount = value.trim().parse::<i64>().ok().filter(|n| *n > 0);
            if let Some(amount) = amount
                && out.iter().all(|(known, _)| *known != kind)
            {
                out.push((kind, amount));
            }
        }
        out
    }
}

fn application(conf: &Conf<'_>, source: &str, g: &mut Gathered) -> Launched {
    let cluster = conf.text(&["spark.submit.deployMode"]).as_deref() == Some("cluster")
        || conf.text(&["spark.master"]).as_deref() == Some("yarn-cluster");
    let am = if cluster {
        let memory = conf.mb(&["spark.driver.memory"]).unwrap_or(1024);
        let overhead = ["spark.driver.memoryOverhead", "spark.yarn.driver.memoryOverhead"];
        Size {
            memory_mb: Some(conf.with_overhead(memory, &overhead, &["spark.driver.memoryOverheadFactor"])),
            vcores: Some(conf.number(&["spark.driver.cores"]).unwrap_or(1)),
            more: conf.types(&["spark.driver", "spark.yarn.driver"]),
        }
    } else {
        let memory = conf.mb(&["spark.yarn.am.memory"]).unwrap_or(512);
        Size {
            memory_mb: Some(conf.with_overhead(memory, &["spark.yarn.am.memoryOverhead"], &[])),
            vcores: Some(conf.number(&["spark.yarn.am.cores"]).unwrap_or(1)),
            more: conf.types(&["spark.yarn.am"]),
        }
    };
    Launched {
        name: conf.text(&["spark.app.name"]),
        kind: "spark-app",
        queue: conf.text(&["spark.yarn.queue"]),
        user: conf.text(&["proxy-user"]),
        tags: conf
            .text(&["spark.yarn.tags"])
            .map(|tags| tags.split(',').map(|t| t.trim().to_owned()).filter(|t| !t.is_empty()).collect())
            .unwrap_or_default(),
        priority: conf.number(&["spark.yarn.priority"]),
        am,
        am_label: conf.text(&["spark.yarn.am.nodeLabelExpression"]),
        label: conf.text(&["spark.yarn.executor.nodeLabelExpression"]),
        parts: "executors",
        count: executors(conf, source, g),
        size: executor(conf),
    }
}

fn executor(conf: &Conf<'_>) -> Size {
    let memory = conf.mb(&["spark.executor.memory"]).unwrap_or(1024);
    let overhead = ["spark.executor.memoryOverhead", "spark.yarn.executor.memoryOverhead"];
    let mut sum = conf.with_overhead(memory, &overhead, &["spark.executor.memoryOverheadFactor"]);
    if conf.is("spark.memory.offHeap.enabled") {
        let size = conf.text(&["spark.memory.offHeap.size"]).and_then(|text| bytes(&text, 1)).unwrap_or(0);
        sum = sum.saturating_add(size / MB);
    }
    sum = sum.saturating_add(conf.mb(&["spark.executor.pyspark.memory"]).unwrap_or(0));
    Size {
        memory_mb: Some(sum),
        vcores: Some(conf.number(&["spark.executor.cores"]).unwrap_or(1)),
        more: conf.types(&["spark.executor", "spark.yarn.executor"]),
    }
}

/// Returns the number of executors; with dynamic allocation, the maximum.
fn executors(conf: &Conf<'_>, source: &str, g: &mut Gathered) -> i64 {
    let instances = conf.number(&["spark.executor.instances"]);
    if !conf.is("spark.dynamicAllocation.enabled") {
        return instances.unwrap_or(2).min(1_000_000);
    }
    let bound = |name: &str| conf.number(&[format!("spark.dynamicAllocation.{name}").as_str()]);
    let first = [instances, bound("minExecutors"), bound("initialExecutors")].into_iter().flatten().max().unwrap_or(0);
    let most = bound("maxExecutors").unwrap_or(first.max(2)).max(first).min(1_000_000);
    let what = format!(
        "{most} executors are asked for: with dynamic allocation Spark begins with {first}, and asks for more while tasks wait."
    );
    g.infer(what, source);
    most
}
