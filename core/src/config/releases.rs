//! Hadoop's releases as data: which settings each knows, what it takes where nothing is set, and what it refuses. The data are
//! those of the latest of each line (2.7.7, 2.8.5, 2.9.2, 2.10.2, 3.0.3, 3.1.4, 3.2.4, 3.3.6, 3.4.1, 3.5.0), read from their
//! published jars; which settings came with which is [`super::properties::Property::since`].
//!
//! [`apply`] makes the settings of a release of what is written: settings that it does not know are taken away, defaults that
//! were others are put in. The scheduler then decides by the rules of 3.5; [`RULES`] lists those that were others.

use super::capacity::PREFIX;
use super::properties::{self, File};
use crate::api::{Properties, SchedulerChoice};
use crate::model::java::float_text;
use serde::{Deserialize, Serialize};

/// A line of Hadoop's releases.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum Release {
    #[serde(rename = "2.7")]
    V2_7,
    #[serde(rename = "2.8")]
    V2_8,
    #[serde(rename = "2.9")]
    V2_9,
    #[serde(rename = "2.10")]
    V2_10,
    #[serde(rename = "3.0")]
    V3_0,
    #[serde(rename = "3.1")]
    V3_1,
    #[serde(rename = "3.2")]
    V3_2,
    #[serde(rename = "3.3")]
    V3_3,
    #[serde(rename = "3.4")]
    V3_4,
    #[serde(rename = "3.5")]
    V3_5,
}

impl Release {
    /// All that can be named, oldest first.
    pub const ALL: [(&'static str, Release); 10] = [
        ("2.7", Release::V2_7),
        ("2.8", Release::V2_8),
        ("2.9", Release::V2_9),
        ("2.10", Release::V2_10),
        ("3.0", Release::V3_0),
        ("3.1", Release::V3_1),
        ("3.2", Release::V3_2),
        ("3.3", Release::V3_3),
        ("3.4", Release::V3_4),
        ("3.5", Release::V3_5),
    ];

    /// `3.5`.
    pub fn name(self) -> &'static str {
        Self::ALL.iter().find(|(_, release)| *release == self).map_or("", |(name, _)| name)
    }

    /// Returns the release of a text: `3.3`, `3.3.6`, `3.3.6-amzn-1`.
    pub fn named(text: &str) -> Option<Release> {
        let begins = |name: &str| text.strip_prefix(name).is_some_and(|rest| rest.is_empty() || rest.starts_with('.'));
        Self::ALL.iter().find(|(name, _)| begins(name)).map(|(_, release)| *release)
    }

    /// Returns the release whose data a version has: of older ones the oldest, of newer ones the newest that is known.
    pub fn nearest(version: &str) -> Option<Release> {
        let mut parts = version.trim().split(['.', '-']).map(|p| p.parse::<u32>());
        let (Some(Ok(major)), Some(Ok(minor))) = (parts.next(), parts.next()) else { return None };
        let number = |name: &str| {
            let (major, minor) = name.split_once('.')?;
            Some((major.parse::<u32>().ok()?, minor.parse::<u32>().ok()?))
        };
        let known = Self::ALL.iter().rev().find(|(name, _)| number(name).is_some_and(|known| known <= (major, minor)));
        Some(known.map_or(Release::V2_7, |(_, release)| *release))
    }
}

/// A default that some releases have, and 3.5 has not.
struct FormerDefault {
    file: File,
    key: &'static str,
    value: &'static str,
    of: fn(Release) -> bool,
}

/// Defaults that were others. `schedule-asynchronously.enable` is [`Release::scheduling`].
const DEFAULTS: &[FormerDefault] = &[
    FormerDefault {
        file: File::Site,
        key: "yarn.am.liveness-monitor.expiry-interval-ms",
        value: "600000",
        of: |release| release < Release::V3_4,
    },
    FormerDefault {
        file: File::Site,
        key: "yarn.scheduler.maximum-allocation-vcores",
        value: "32",
        of: |release| release < Release::V2_8,
    },
    FormerDefault {
        file: File::Scheduler,
        key: "yarn.scheduler.capacity.node-locality-delay",
        value: "-1",
        of: |release| release < Release::V2_8,
    },
    FormerDefault {
        file: File::Scheduler,
        key: "yarn.scheduler.capacity.per-node-heartbeat.maximum-container-assignments",
        value: "-1",
        of: |release| release <= Release::V2_9 || release == Release::V3_0,
    },
];

/// A rule of the schedulers that older releases did not have.
pub struct Rule {
    /// Which release brought it.
    pub since: Release,
    /// Which scheduler has it.
    pub of: SchedulerChoice,
    /// What older ones did, as a sentence.
    pub before: &'static str,
}

/// Rules that are played as 3.5 has them whatever the release is, those that matter most. The releases are those
/// whose jars have the classes of the rule.
pub const RULES: &[Rule] = &[
    Rule {
        since: Release::V3_4,
        of: SchedulerChoice::Capacity,
        before: "A queue mapping that matches and cannot be used left the application in the queue that it asked for, or refused it.",
    },
    Rule {
        since: Release::V3_1,
        of: SchedulerChoice::Capacity,
        before: "Placement constraints were unknown (YARN-6592).",
    },
    Rule {
        since: Release::V2_9,
        of: SchedulerChoice::Capacity,
        before: "No container was proposed and then rejected: one thread decided and allocated (YARN-5139).",
    },
    Rule {
        since: Release::V2_9,
        of: SchedulerChoice::Fair,
        before: "Preemption chose containers by queue, and not by the node that a starved request needs (YARN-4752).",
    },
];

/// How a release differs from what is written, at a key.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Difference {
    pub file: File,
    pub key: String,
    pub what: What,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum What {
    /// The release does not know the key, or not in this form; it is taken away. The release that does.
    Ignored(Release),
    /// The release refuses the value, with these words of YARN's, and does not start. The release that takes it, and what brought it.
    Refused { words: String, since: Release, by: &'static str },
    /// This value is taken where nothing is set.
    Default(&'static str),
    /// It is played as later ones play it; what this one does.
    Otherwise(&'static str),
}

impl Difference {
    /// Returns the difference as a sentence, and what to do about it.
    pub fn said(&self, release: Release) -> (String, Option<String>) {
        let (key, name) = (&self.key, release.name());
        match &self.what {
            What::Ignored(since) => {
                let since = since.name();
                (
                    format!("Hadoop {name} ignores {key}: it knows it since {since}."),
                    Some(format!("Take it away, or write release = \"{since}\".")),
                )
            }
            What::Refused { words, since, by } => {
                let (since, by) = (since.name(), if by.is_empty() { String::new() } else { format!(" ({by})") });
                (
                    format!(
                        "Hadoop {name} refuses {key} and does not start: {words}. Since {since}{by} it is allowed."
                    ),
                    Some(format!("Change it, or write release = \"{since}\".")),
                )
            }
            What::Default(value) => (format!("{key} is {value}, the default of Hadoop {name}."), None),
            What::Otherwise(before) => {
                (format!("{key}: Hadoop {name} plays it otherwise than later ones, and than here: {before}"), None)
            }
        }
    }
}

/// Returns the part of a queue's key after its path, of a capacity or a maximum capacity, also of a label.
fn is_capacity(key: &str) -> bool {
    key.starts_with(PREFIX) && (key.ends_with(".capacity") || key.ends_with(".maximum-capacity"))
}

/// Names that a user's weight could be set for before 3.4.
fn is_plain(user: &str) -> bool {
    user.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_')
}

/// Makes the settings of a release of those that are written. Returns the differences, sorted by file and key.
pub fn apply(
    release: Release,
    scheduler: SchedulerChoice,
    capacity: &mut Properties,
    site: &mut Properties,
) -> Vec<Difference> {
    let mut out = Vec::new();
    for (properties, of_site) in [(&mut *capacity, false), (&mut *site, true)] {
        let unknown = |key: &str| -> Option<Difference> {
            let found = properties::find(key, &|_| false)?;
            let since = Release::named(found.property.since).filter(|since| release < *since);
            // The name of a user whose weight is set could not hold everything.
            let odd = (found.property.name == "user-settings.<u>.weight" && release < Release::V3_4)
                .then_some(Release::V3_4)
                .filter(|_| found.variable.as_deref().is_some_and(|user| !is_plain(user)));
            let what = What::Ignored(since.or(odd)?);
            Some(Difference { file: found.property.file, key: key.to_owned(), what })
        };
        let unknown: Vec<Difference> = properties.keys().filter_map(|key| unknown(key)).collect();
        for difference in &unknown {
            properties.shift_remove(&difference.key);
        }
        out.extend(unknown);
        for default in DEFAULTS.iter().filter(|d| (d.file == File::Site) == of_site && (d.of)(release)) {
            let reads = of_site || scheduler == SchedulerChoice::Capacity;
            if reads && !properties.contains_key(default.key) {
                properties.insert(default.key.into(), default.value.into());
                let what = What::Default(default.value);
                out.push(Difference { file: default.file, key: default.key.into(), what });
            }
        }
    }
    if scheduler == SchedulerChoice::Capacity {
        out.extend(refused(release, capacity));
    }
    out.sort_by(|a, b| (a.file == File::Site, &a.key).cmp(&(b.file == File::Site, &b.key)));
    out
}

/// Values that a release refuses, in the words of the class that reads them.
fn refused(release: Release, capacity: &Properties) -> Vec<Difference> {
    let mut out = Vec::new();
    let mut add = |key: &str, what: What| out.push(Difference { file: File::Queue, key: key.to_owned(), what });
    for (key, value) in capacity {
        let value = value.trim();
        let not_a_number = || format!("For input string: \"{value}\"");
        if is_capacity(key) && value.ends_with('w') && release < Release::V3_4 {
            add(key, What::Refused { words: not_a_number(), since: Release::V3_4, by: "weights, YARN-10504" });
        } else if is_capacity(key) && value.starts_with('[') && release < Release::V3_1 {
            add(
                key,
                What::Refused { words: not_a_number(), since: Release::V3_1, by: "absolute resources, YARN-5881" },
            );
        } else if let Some(words) = above_maximum(key, capacity).filter(|_| release < Release::V3_4) {
            add(key, What::Refused { words, since: Release::V3_4, by: "" });
        } else if key.ends_with(".minimum-user-limit-percent")
            && value.parse::<i32>().is_err()
            && release < Release::V3_4
        {
            add(key, What::Refused { words: not_a_number(), since: Release::V3_4, by: "" });
        } else if key.ends_with(".user-limit-factor") && value.parse::<f32>() == Ok(-1.0) && release < Release::V3_4 {
            add(
                key,
                What::Otherwise(
                    "it rejects every application of the queue, which \u{201c}already has 0 applications from user\u{201d}.",
                ),
            );
        }
    }
    if release < Release::V3_3 {
        out.extend(same_names(capacity));
    }
    out
}

/// Returns what is said of a queue whose capacity is above its maximum, if this is its maximum and all are percentages.
fn above_maximum(key: &str, capacity: &Properties) -> Option<String> {
    let number = |key: &str| capacity.get(key).map_or(Some(100.0), |v| v.trim().parse::<f32>().ok());
    let queue = key.strip_prefix(PREFIX)?.strip_suffix(".maximum-capacity")?;
    if queue.contains(".accessible-node-labels.") {
        return None;
    }
    let mut path = String::new();
    let (mut least, mut most) = (1.0_f32, 1.0_f32);
    for part in queue.split('.') {
        path.push_str(if path.is_empty() { "" } else { "." });
        path.push_str(part);
        least *= number(&format!("{PREFIX}{path}.capacity"))? / 100.0;
        let own = number(&format!("{PREFIX}{path}.maximum-capacity")).filter(|own| *own >= 0.0).unwrap_or(100.0);
        most *= own / 100.0;
    }
    let (least_text, most_text) = (float_text(least), float_text(most));
    (least > most).then(|| {
        format!("Illegal queue capacity setting (abs-capacity={least_text}) > (abs-maximum-capacity={most_text}) for queue=[{queue}],label=[]")
    })
}

/// Leaf queues with the name of another one (YARN-9879).
fn same_names(capacity: &Properties) -> Vec<Difference> {
    let mut seen: indexmap::IndexMap<&str, String> = indexmap::IndexMap::new();
    let mut out = Vec::new();
    for (key, children) in capacity {
        let Some(parent) = key.strip_prefix(PREFIX).and_then(|rest| rest.strip_suffix(".queues")) else { continue };
        for name in children.split(',').map(str::trim).filter(|name| !name.is_empty()) {
            let path = format!("{parent}.{name}");
            if capacity.contains_key(&format!("{PREFIX}{path}.queues")) {
                continue;
            }
            if let Some(other) = seen.insert(name, path.clone()) {
                let words = format!("Two leaf queues were named {name}. Leaf queue names must be distinct");
                let what = What::Refused { words, since: Release::V3_3, by: "YARN-9879" };
                out.push(Difference { file: File::Queue, key: key.clone(), what });
                seen.insert(name, other);
            }
        }
    }
    out
}

/// Adds the queue root.default to an allocation file, where a release before 3.4 always has it. Returns nothing where the file
/// has it itself, or the release is another one.
pub fn with_default_queue(release: Release, allocations: &str) -> Option<String> {
    let has = |name: &str| ['"', '\''].iter().any(|q| allocations.contains(&format!("{q}{name}{q}")));
    if release >= Release::V3_4 || has("default") || has("root.default") {
        return None;
    }
    let end = allocations.rfind("</allocations>")?;
    // Beside a queue that is the root nothing may stand: it goes in there.
    let at = if has("root") { allocations[..end].rfind("</queue>")? } else { end };
    Some(format!("{}<queue name=\"default\"/>{}", &allocations[..at], &allocations[at..]))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn properties(text: &[(&str, &str)]) -> Properties {
        text.iter().map(|(key, value)| (format!("{PREFIX}{key}"), (*value).to_owned())).collect()
    }

    fn of(release: Release, text: &[(&str, &str)]) -> (Properties, Properties, Vec<Difference>) {
        let (mut capacity, mut site) = (properties(text), Properties::default());
        let found = apply(release, SchedulerChoice::Capacity, &mut capacity, &mut site);
        (capacity, site, found)
    }

    #[test]
    fn versions_of_vendors_have_the_release_that_they_begin_with() {
        assert_eq!(Release::named("3.3.6"), Some(Release::V3_3));
        assert_eq!(Release::named("2.1"), None);
        assert_eq!(Release::named("2.10.1"), Some(Release::V2_10));
        assert_eq!(Release::nearest("3.3.6-amzn-1"), Some(Release::V3_3));
        assert_eq!(Release::nearest("2.6.0-cdh5.16"), Some(Release::V2_7));
        assert_eq!(Release::nearest("3.6.1"), Some(Release::V3_5));
        assert_eq!(Release::nearest("trunk"), None);
        assert!(Release::V2_9 < Release::V2_10);
    }

    #[test]
    fn each_since_is_a_release() {
        for property in properties::all() {
            let known = property.since.is_empty() || Release::named(property.since).is_some();
            assert!(known || property.since == "2.0", "{}: {}", property.name, property.since);
        }
    }

    #[test]
    fn keys_of_later_releases_are_taken_away() {
        let text =
            [("root.queues", "a"), ("root.a.capacity", "100"), ("root.a.auto-queue-creation-v2.enabled", "true")];
        let (capacity, _, found) = of(Release::V3_3, &text);
        assert!(!capacity.keys().any(|key| key.contains("v2")), "{capacity:?}");
        let ignored = |d: &&Difference| matches!(d.what, What::Ignored(Release::V3_4));
        assert_eq!(found.iter().filter(ignored).count(), 1, "{found:?}");
        let (capacity, _, found) = of(Release::V3_4, &text);
        assert!(capacity.len() == 3 && found.is_empty(), "{found:?}");
    }

    #[test]
    fn defaults_are_those_of_the_release() {
        let (capacity, site, _) = of(Release::V2_7, &[]);
        assert_eq!(site.get("yarn.am.liveness-monitor.expiry-interval-ms").map(String::as_str), Some("600000"));
        assert_eq!(site.get("yarn.scheduler.maximum-allocation-vcores").map(String::as_str), Some("32"));
        assert_eq!(capacity.get("yarn.scheduler.capacity.node-locality-delay").map(String::as_str), Some("-1"));
        let (capacity, site, found) = of(Release::V3_4, &[("node-locality-delay", "3")]);
        assert!(site.is_empty() && capacity.len() == 1 && found.is_empty(), "{found:?}");
    }

    /// What 3.3.6 itself refused and took (tests/conformance/traces/own-release-3.3.json), and what older ones refuse.
    #[test]
    fn forms_of_later_releases_are_refused() {
        let two = [("root.queues", "a,b"), ("root.a.capacity", "50"), ("root.b.capacity", "50")];
        let with = |more: &[(&'static str, &'static str)]| [&two[..], more].concat();
        let words = |release, more: &[(&'static str, &'static str)]| -> Vec<String> {
            let (_, _, found) = of(release, &with(more));
            let words = |d: Difference| match d.what {
                What::Refused { words, .. } => Some(words),
                _ => None,
            };
            found.into_iter().filter_map(words).collect()
        };
        assert_eq!(words(Release::V3_3, &[("root.a.capacity", "2w")]), ["For input string: \"2w\""]);
        assert!(words(Release::V3_4, &[("root.a.capacity", "2w")]).is_empty());
        assert_eq!(words(Release::V3_0, &[("root.a.capacity", "[memory=1,vcores=1]")]).len(), 1);
        assert!(words(Release::V3_3, &[("root.a.capacity", "[memory=1,vcores=1]")]).is_empty());
        assert_eq!(words(Release::V3_3, &[("root.a.maximum-capacity", "20")]).len(), 1);
        assert!(words(Release::V3_3, &[("root.a.maximum-capacity", "-1")]).is_empty());
        assert_eq!(words(Release::V3_3, &[("root.a.minimum-user-limit-percent", "33.3")]).len(), 1);
        let leaves = [("root.a.queues", "x"), ("root.b.queues", "x")];
        assert_eq!(words(Release::V3_2, &leaves).len(), 1);
        assert!(words(Release::V3_3, &leaves).is_empty());
    }

    #[test]
    fn weights_of_users_with_odd_names_are_ignored_before_3_4() {
        let text = [("root.a.user-settings.svc-etl.weight", "2"), ("root.a.user-settings.etl.weight", "2")];
        let (capacity, _, _) = of(Release::V3_3, &text);
        assert!(
            capacity.keys().any(|k| k.contains(".etl.")) && !capacity.keys().any(|k| k.contains("svc")),
            "{capacity:?}"
        );
    }

    #[test]
    fn root_default_is_there_before_3_4() {
        let file = "<allocations><queue name=\"a\"/></allocations>";
        let with = with_default_queue(Release::V3_3, file).expect("it is added");
        assert!(with.contains("<queue name=\"default\"/></allocations>"), "{with}");
        assert_eq!(with_default_queue(Release::V3_4, file), None);
        assert_eq!(with_default_queue(Release::V3_3, &with), None);
        let file = "<allocations><queue name='root'><queue name='a'></queue></queue></allocations>";
        let with = with_default_queue(Release::V3_3, file).expect("it is added");
        assert!(with.contains("</queue><queue name=\"default\"/></queue></allocations>"), "{with}");
    }
}
