//! Names in capacity-scheduler.xml and yarn-site.xml that Hadoop 3.5.0 does not read, though other releases did or
//! people think so, and their present equivalents (CapacitySchedulerConfiguration, FairSchedulerConfiguration and
//! YarnConfiguration of the releases named; formats.md 2).

use crate::config::properties::PREFIX;

/// Names after a queue's path, with the explanation and the new name.
const OF_QUEUE: &[(&str, &str, Option<&str>)] = &[
    (
        "acl_submit_jobs",
        "it is of Hadoop 0.23, where applications were jobs; Ambari went on writing it",
        Some("acl_submit_applications"),
    ),
    (
        "acl_administer_jobs",
        "it is of Hadoop 0.23, where applications were jobs; Ambari went on writing it",
        Some("acl_administer_queue"),
    ),
    ("acl_administer_queues", "the name has no s at its end", Some("acl_administer_queue")),
    (
        "minimum-allocation-mb",
        "the smallest container is that of the whole cluster, yarn.scheduler.minimum-allocation-mb in yarn-site.xml",
        None,
    ),
    (
        "minimum-allocation-vcores",
        "the smallest container is that of the whole cluster, yarn.scheduler.minimum-allocation-vcores in yarn-site.xml",
        None,
    ),
    ("max-capacity", CALLED, Some("maximum-capacity")),
    ("min-capacity", "what a queue is guaranteed is its capacity", Some("capacity")),
    ("minimum-capacity", "what a queue is guaranteed is its capacity", Some("capacity")),
    ("weight", "a weight is written as the capacity, with a w behind it, such as 2w", None),
    ("user-limit", CALLED, Some("minimum-user-limit-percent")),
    ("max-applications", CALLED, Some("maximum-applications")),
    ("maximum-parallel-apps", CALLED, Some("max-parallel-apps")),
    ("maxRunningApps", "it is of the FairScheduler", Some("max-parallel-apps")),
    ("node-labels", CALLED, Some("accessible-node-labels")),
    ("labels", CALLED, Some("accessible-node-labels")),
];

const CALLED: &str = "it is called otherwise";

/// Names after a label.
const OF_LABEL: [&str; 2] = ["sharable-partitions", "require-other-partition-resource"];

/// Names of the whole scheduler.
const OF_SCHEDULER: &[(&str, &str, Option<&str>)] = &[
    (
        "rack-locality-delay",
        "the wait for a rack is counted on top of node-locality-delay",
        Some("rack-locality-additional-delay"),
    ),
    ("minimum-allocation-mb", "since 2.0 it is yarn.scheduler.minimum-allocation-mb in yarn-site.xml", None),
    ("maximum-allocation-mb", "since 2.0 it is yarn.scheduler.maximum-allocation-mb in yarn-site.xml", None),
];

/// Names of yarn-site.xml.
const OF_SITE: &[(&str, &str, Option<&str>)] = &[
    (
        "yarn.resourcemanager.am.max-retries",
        "since 2.1 it is called otherwise",
        Some("yarn.resourcemanager.am.max-attempts"),
    ),
    (
        "yarn.nodemanager.resource.memory-gb",
        "it is of Hadoop 0.23.0; today it is yarn.nodemanager.resource.memory-mb, in MB",
        None,
    ),
    (
        "yarn.scheduler.fair.preemptionInterval",
        "since 3.0 starvation is looked for at each update, every yarn.scheduler.fair.update-interval-ms",
        None,
    ),
    ("yarn.scheduler.fair.minimum-allocation-mb", ALL, Some("yarn.scheduler.minimum-allocation-mb")),
    ("yarn.scheduler.fair.maximum-allocation-mb", ALL, Some("yarn.scheduler.maximum-allocation-mb")),
    (
        "yarn.scheduler.fair.increment-allocation-mb",
        "it is called otherwise",
        Some("yarn.scheduler.increment-allocation-mb"),
    ),
    ("mapred.fairscheduler.allocation.file", ONE, Some("yarn.scheduler.fair.allocation.file")),
    ("mapred.fairscheduler.preemption", ONE, Some("yarn.scheduler.fair.preemption")),
    ("mapred.fairscheduler.assignmultiple", ONE, Some("yarn.scheduler.fair.assignmultiple")),
    ("mapred.fairscheduler.sizebasedweight", ONE, Some("yarn.scheduler.fair.sizebasedweight")),
    ("mapred.fairscheduler.update.interval", ONE, Some("yarn.scheduler.fair.update-interval-ms")),
    ("mapred.jobtracker.taskScheduler", ONE, Some("yarn.resourcemanager.scheduler.class")),
];

const ALL: &str = "the sizes of containers are those of every scheduler";
const ONE: &str = "it is of MapReduce 1";

/// The present equivalent of a name in yarn-site.xml; `None`: it is not one of these.
pub(super) fn of_site(key: &str) -> Option<(&'static str, Option<&'static str>)> {
    OF_SITE.iter().find(|(old, ..)| *old == key).map(|(_, why, now)| (*why, *now))
}

/// The fate of a name: a sentence, and the key to write instead.
pub(super) fn became(key: &str, is_queue: &dyn Fn(&str) -> bool) -> Option<(String, Option<String>)> {
    let said = |why: &str, now: Option<String>| Some((format!("YARN reads nothing of {key}: {why}."), now));
    if let Some((why, now)) = of_site(key) {
        return said(why, now.map(str::to_string));
    }
    let rest = key.strip_prefix(PREFIX)?;
    let (path, name) = rest.rsplit_once('.').unwrap_or(("", rest));
    if let Some((_, why, now)) = OF_SCHEDULER.iter().find(|(old, ..)| path.is_empty() && *old == name) {
        return said(why, now.map(|now| format!("{PREFIX}{now}")));
    }
    if let Some((_, why, now)) = OF_QUEUE.iter().find(|(old, ..)| path.starts_with("root") && *old == name) {
        return said(why, now.map(|now| format!("{PREFIX}{path}.{now}")));
    }
    if OF_LABEL.contains(&name) && !path.is_empty() && !path.starts_with("root") {
        let why = "it is of Tencent's EMR; in YARN a partition lends what is idle if its label is not exclusive";
        return said(why, None);
    }
    // A queue's path without its beginning.
    let (first, _) = rest.split_once('.')?;
    (first != "root" && is_queue(&format!("root.{first}")))
        .then(|| said("a queue's path begins with root", Some(format!("{PREFIX}root.{rest}"))))?
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_of_another_time_is_told_with_what_it_is_today() {
        let of = |key: &str| became(&format!("{PREFIX}{key}"), &|path| path == "root.default");
        for (key, why, now) in [
            ("root.default.acl_submit_jobs", "Hadoop 0.23", Some("root.default.acl_submit_applications")),
            ("rack-locality-delay", "on top of node-locality-delay", Some("rack-locality-additional-delay")),
            ("root.minimum-allocation-mb", "of the whole cluster", None),
            ("minimum-allocation-mb", "in yarn-site.xml", None),
            ("default.minimum-user-limit-percent", "begins with root", Some("root.default.minimum-user-limit-percent")),
            ("root.default.max-capacity", "called otherwise", Some("root.default.maximum-capacity")),
            ("root.default.weight", "such as 2w", None),
            ("gpu.sharable-partitions", "its label is not exclusive", None),
        ] {
            let (said, instead) = of(key).expect(key);
            assert!(said.contains(why), "{said}");
            assert_eq!(instead, now.map(|now| format!("{PREFIX}{now}")), "{key}");
        }
        for (key, why, now) in OF_SITE {
            let (said, instead) = became(key, &|_| false).expect(key);
            assert!(said.ends_with(&format!("{key}: {why}.")), "{said}");
            assert_eq!(instead.as_deref(), *now);
            let known = now.is_none_or(|now| crate::config::properties::find(now, &|_| false).is_some());
            assert!(known, "{key}: what is to be written instead is a property");
        }
        assert_eq!((of("root.default.capacity"), of("other.thing"), of("thing")), (None, None, None));
    }
}
