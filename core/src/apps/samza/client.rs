//! `run-job.sh` up to the submission: how Samza's client processes a job's properties, what it refuses, and what it submits to
//! YARN (YarnJobFactory, YarnJob, ClientHelper of Samza 1.8.0; compared with the real one in the conformance area `clients`).
//! The properties are those that the AM starts with, after planners and rewriters.

use crate::api::{ClientRefusal, ClientStage, Submitted};
use crate::apps::samza::strategy::job::Config;
use crate::apps::samza::strategy::job::keys::{self, Key};
use crate::client::path::{Hadoop, Path};
use crate::model::java;
use crate::model::java_number::parse_int;

/// The default type of the application.
pub const TYPE: &str = "Samza";

/// How the files of a job are looked up.
#[derive(Clone, Copy)]
pub enum Files<'a> {
    /// All files exist: the job's package and those that its file names.
    There,
    /// The function checks a path. Errors: the exception of the file system.
    Looked(&'a dyn Fn(&Path) -> Result<(), ClientRefusal>),
}

/// A refusal, and the property that it is about.
#[derive(Clone, Debug, PartialEq)]
pub struct RefusedProperty {
    pub refusal: ClientRefusal,
    pub key: String,
}

impl RefusedProperty {
    fn about(refusal: ClientRefusal, key: impl Into<String>) -> Self {
        RefusedProperty { refusal, key: key.into() }
    }
}

fn refuse(key: &str, exception: &str, message: impl Into<String>, mend: impl Into<String>) -> RefusedProperty {
    RefusedProperty::about(ClientRefusal::new(ClientStage::Submit, exception, message).mend(mend), key)
}

/// Exceptions of the client, by their simple names.
const CONFIG: &str = "ConfigException";
const SAMZA: &str = "SamzaException";
const ILLEGAL: &str = "IllegalArgumentException";
const COORDINATOR_FACTORY: &str = "job.coordinatorstream.config.factory";
const KNOWN_FACTORY: &str = "org.apache.samza.util.DefaultCoordinatorStreamConfigFactory";
const COORDINATOR: &str = "job.coordinator.system";
const LOADER: &str = "job.config.loader.factory";
const PACKAGE: &str = "yarn.package.path";
const RESOURCES: &str = "yarn.resources.";

/// Submits a job. `maximum`: memory in MB and vcores of the largest container, as YARN reports it to the client. Errors: the
/// client refuses, and submits nothing.
pub fn submit(config: &Config, maximum: (i64, i64), files: Files<'_>) -> Result<Submitted, RefusedProperty> {
    let get = |key: &str| config.get(key).map(String::as_str);
    let look = |path: &Path| match files {
        Files::There => Ok(()),
        Files::Looked(look) => look(path),
    };
    let nameless = "Write `job.name=` and a name.";
    let strict = matches!(files, Files::Looked(_));
    // The environment of the ApplicationMaster.
    if get(LOADER).is_none() {
        match get(COORDINATOR_FACTORY) {
            Some(class) if class != KNOWN_FACTORY => {
                return Err(refuse(
                    COORDINATOR_FACTORY,
                    "ClassNotFoundException",
                    class,
                    format!("Leave `{COORDINATOR_FACTORY}` out."),
                ));
            }
            _ => {}
        }
        if get(keys::JOB_NAME.name).is_none() {
            return Err(refuse(keys::JOB_NAME.name, CONFIG, "Missing required config: job.name", nameless));
        }
        if strict && get(COORDINATOR).or(get("job.default.system")).is_none() {
            let words = "Missing job.coordinator.system configuration. Cannot proceed with job execution.";
            let mend = format!("Name the system of the coordinator stream in `{COORDINATOR}`.");
            return Err(refuse(COORDINATOR, CONFIG, words, mend));
        }
    }
    let Some(name) = get(keys::JOB_NAME.name) else {
        return Err(refuse(keys::JOB_NAME.name, "NoSuchElementException", "No value present", nameless));
    };
    let id = get(keys::JOB_ID.name).unwrap_or("1");
    // The submission.
    let where_it_is = || format!("Say in `{PACKAGE}` where the job's package is.");
    let package = match get(PACKAGE).map(|text| Path::new(text, Hadoop::Two)) {
        None if strict => {
            return Err(refuse(PACKAGE, SAMZA, "No YARN package path defined in config.", where_it_is()));
        }
        read => read.transpose().map_err(|words| refuse(PACKAGE, ILLEGAL, words, where_it_is()))?,
    };
    let memory = number(config, keys::AM_MEMORY)?;
    let vcores = number(config, keys::AM_VCORES)?;
    let (most_memory, most_vcores) = maximum;
    let above = |what: &str, asked: i64, most: i64, key: Key| {
        let words = format!("You're asking for more {what} ({asked}) than is allowed by YARN: {most}");
        refuse(key.name, SAMZA, words, format!("Set `{}` to {most} or less.", key.name))
    };
    if memory > most_memory {
        return Err(above("memory", memory, most_memory, keys::AM_MEMORY));
    }
    if vcores > most_vcores {
        return Err(above("CPU", vcores, most_vcores, keys::AM_VCORES));
    }
    if let Some(path) = package {
        look(&path).map_err(|why| RefusedProperty::about(why, PACKAGE))?;
    }
    resources(config, &look)?;
    Ok(Submitted {
        name: format!("{name}_{id}"),
        kind: get("yarn.application.type").unwrap_or(TYPE).to_string(),
        queue: get(keys::QUEUE.name).map(str::to_string),
        tags: Vec::new(),
        priority: None,
        label: get(keys::AM_LABEL.name).map(str::to_string),
        am: (memory, vcores),
        max_attempts: 0,
        keep_containers: get(keys::AM_HA.name).is_some_and(|v| v.eq_ignore_ascii_case("true")),
        attempt_failures_validity_ms: -1,
        lifetime_s: None,
    })
}

fn number(config: &Config, key: Key) -> Result<i64, RefusedProperty> {
    let text = config.get(key.name).map(String::as_str).or(key.default).unwrap_or_default();
    parse_int(text).map(i64::from).map_err(|e| {
        let mend = format!("Write digits only for `{}`, without a unit and without blanks.", key.name);
        refuse(key.name, "NumberFormatException", e.0, mend)
    })
}

/// Returns the names of further files of the ApplicationMaster, in the order in which the client checks them: `Config.subset`
/// collects all keys below `yarn.resources.` in a HashMap, and copies them into another one, sized for their number.
fn resource_names(config: &Config) -> impl Iterator<Item = &str> {
    let below: Vec<&str> = config.keys().filter_map(|key| key.strip_prefix(RESOURCES)).collect();
    let gathered = java::set_walk(&below);
    let hashes: Vec<i32> = gathered.iter().map(|key| java::string_hash(key)).collect();
    let walk = java::hash_walk_in(&hashes, java::copied_capacity(hashes.len()));
    walk.into_iter().filter_map(move |i| gathered[i].strip_suffix(".path"))
}

/// Checks the further files of the ApplicationMaster (LocalizerResourceConfig, LocalizerResourceMapper).
fn resources(config: &Config, look: &dyn Fn(&Path) -> Result<(), ClientRefusal>) -> Result<(), RefusedProperty> {
    let mut local: Vec<&str> = Vec::new();
    for name in resource_names(config) {
        let of = |what: &str| config.get(&format!("{RESOURCES}{name}.{what}")).map(String::as_str);
        let kinds = [
            ("local.type", "LocalResourceType", &["ARCHIVE", "FILE", "PATTERN"], "FILE"),
            ("local.visibility", "LocalResourceVisibility", &["PUBLIC", "PRIVATE", "APPLICATION"], "APPLICATION"),
        ];
        for (key, class, known, default) in kinds {
            let value = of(key).unwrap_or(default).to_uppercase();
            if !known.contains(&value.as_str()) {
                let words = format!("No enum constant org.apache.hadoop.yarn.api.records.{class}.{value}");
                return Err(refuse(
                    &format!("{RESOURCES}{name}.{key}"),
                    ILLEGAL,
                    words,
                    format!("Write one of {}.", known.join(", ")),
                ));
            }
        }
        let path = of("path").unwrap_or_default();
        let mapping = || {
            let mend = format!("Put the file there, or correct `{RESOURCES}{name}.path`.");
            refuse(&format!("{RESOURCES}{name}.path"), SAMZA, "Exception during resource mapping from config.", mend)
        };
        if path.is_empty() {
            return Err(mapping());
        }
        let path = Path::new(path, Hadoop::Two).map_err(|words| {
            let mend = format!("Correct `{RESOURCES}{name}.path`.");
            refuse(&format!("{RESOURCES}{name}.path"), ILLEGAL, words, mend)
        })?;
        look(&path).map_err(|_| mapping())?;
        let as_named = of("local.name").unwrap_or(name);
        if local.contains(&as_named) {
            let words = format!("Multiple entries with same key: {as_named}");
            return Err(refuse(
                &format!("{RESOURCES}{name}.path"),
                ILLEGAL,
                words,
                "Give each file a `local.name` of its own.",
            ));
        }
        local.push(as_named);
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    const BIG: (i64, i64) = (8192, 4);

    fn config(more: &[(&str, &str)]) -> Config {
        let base = [("job.name", "views")];
        base.iter().chain(more).map(|(key, value)| (key.to_string(), value.to_string())).collect()
    }

    /// Tries every property that the client checks, at and beyond its limits.
    #[test]
    fn every_property_is_looked_at() {
        let rows = [
            ("yarn.am.container.memory.mb", "8192", ""),
            (
                "yarn.am.container.memory.mb",
                "8193",
                "You're asking for more memory (8193) than is allowed by YARN: 8192",
            ),
            ("yarn.am.container.memory.mb", "-1", ""),
            ("yarn.am.container.memory.mb", "", "For input string: \"\""),
            ("yarn.am.container.memory.mb", "1024 ", "For input string: \"1024 \""),
            ("yarn.am.container.cpu.cores", "4", ""),
            ("yarn.am.container.cpu.cores", "5", "You're asking for more CPU (5) than is allowed by YARN: 4"),
            ("yarn.am.container.cpu.cores", "1.5", "For input string: \"1.5\""),
            ("cluster-manager.container.memory.mb", "x", ""),
            ("yarn.package.path", "", "Can not create a Path from an empty string"),
            ("yarn.package.path", "pkg:1", "java.net.URISyntaxException: Relative path in absolute URI: pkg:1"),
            ("yarn.package.path", "hdfs://nn/a:b", ""),
            ("yarn.resources.x.path", "", "Exception during resource mapping from config."),
            ("yarn.resources.x.path", "a:b c", "java.net.URISyntaxException: Relative path in absolute URI: a:b%20c"),
        ];
        for (key, value, words) in rows {
            let refused = submit(&config(&[(key, value)]), BIG, Files::There).err();
            if let Some(why) = &refused {
                assert_eq!(why.key, key);
                assert!(!why.refusal.mend.is_empty(), "{key}");
            }
            assert_eq!(refused.map_or(String::new(), |why| why.refusal.message), words, "{key}={value}");
        }
        let nameless = submit(&Config::new(), BIG, Files::There).expect_err("no name");
        assert_eq!(nameless.refusal.words(), "Missing required config: job.name");
    }

    /// Of several faulty files the client reports the first in its iteration order; a key that names no file changes the order.
    #[test]
    fn the_first_faulty_file_is_that_of_javas_walk() {
        let files = [("yarn.resources.extra.path", ""), ("yarn.resources.x.path", ":")];
        for (more, first) in [(vec![], "extra"), (vec![("yarn.resources.r.local.type", "file")], "x")] {
            let more: Vec<_> = files.into_iter().chain(more).collect();
            let refused = submit(&config(&more), BIG, Files::There).expect_err("no file can be read");
            assert_eq!(refused.key, format!("yarn.resources.{first}.path"), "{more:?}");
        }
    }

    #[test]
    fn the_label_of_the_master_is_the_whole_jobs() {
        let more = [("yarn.am.container.label", "am"), ("yarn.container.label", "ssd"), ("job.id", "7")];
        let s = submit(&config(&more), BIG, Files::There).expect("it is submitted");
        assert_eq!((s.name.as_str(), s.label.as_deref(), s.priority, s.tags.len()), ("views_7", Some("am"), None, 0));
        assert_eq!((s.kind.as_str(), s.queue, s.max_attempts, s.keep_containers), (TYPE, None, 0, false));
    }
}
