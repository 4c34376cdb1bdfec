//! Names of the capacity file that Hadoop 3.5.0 reads nothing of, though others did or people think so, and what there is
//! today (CapacitySchedulerConfiguration of the releases named; formats.md 2).

use crate::config::properties::PREFIX;

/// Names after a queue's path, with what is said of them.
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
];

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

/// What became of a name: a sentence, and the key to write instead.
pub(super) fn became(key: &str, is_queue: &dyn Fn(&str) -> bool) -> Option<(String, Option<String>)> {
    let rest = key.strip_prefix(PREFIX)?;
    let said = |why: &str, now: Option<String>| Some((format!("YARN reads nothing of {key}: {why}."), now));
    let (path, name) = rest.rsplit_once('.').unwrap_or(("", rest));
    if let Some((_, why, now)) = OF_SCHEDULER.iter().find(|(old, ..)| path.is_empty() && *old == name) {
        return said(why, now.map(|now| format!("{PREFIX}{now}")));
    }
    if let Some((_, why, now)) = OF_QUEUE.iter().find(|(old, ..)| path.starts_with("root") && *old == name) {
        return said(why, now.map(|now| format!("{PREFIX}{path}.{now}")));
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
        ] {
            let (said, instead) = of(key).expect(key);
            assert!(said.contains(why), "{said}");
            assert_eq!(instead, now.map(|now| format!("{PREFIX}{now}")), "{key}");
        }
        assert_eq!((of("root.default.capacity"), of("other.thing"), of("thing")), (None, None, None));
    }
}
