//! Classes that a setting names: whether a class exists, and Java's message for one of the wrong type.
//!
//! Of the classes that are not a policy for the setting, only those are known that people name by mistake; Java's own
//! are assumed to exist.

/// Hadoop's own classes, by package.
const HADOOP: [(&str, &[&str]); 5] = [
    ("org.apache.hadoop.yarn.util.resource.", &["DefaultResourceCalculator", "DominantResourceCalculator"]),
    (
        "org.apache.hadoop.yarn.server.resourcemanager.scheduler.policy.",
        &[
            "FifoOrderingPolicy",
            "FairOrderingPolicy",
            "FifoOrderingPolicyForPendingApps",
            "FifoOrderingPolicyWithExclusivePartitions",
        ],
    ),
    ("org.apache.hadoop.yarn.server.resourcemanager.scheduler.capacity.", &["CapacityScheduler", PRIORITY_UTILIZATION]),
    ("org.apache.hadoop.yarn.server.resourcemanager.scheduler.fifo.", &["FifoScheduler"]),
    (
        "org.apache.hadoop.yarn.server.resourcemanager.scheduler.fair.",
        &[
            "FairScheduler",
            "policies.FairSharePolicy",
            "policies.FifoPolicy",
            "policies.DominantResourceFairnessPolicy",
        ],
    ),
];
const PRIORITY_UTILIZATION: &str = "policy.PriorityUtilizationQueueOrderingPolicy";

pub(super) fn is_there(class: &str) -> bool {
    class.starts_with("java.")
        || HADOOP.iter().any(|(package, names)| class.strip_prefix(package).is_some_and(|name| names.contains(&name)))
}

/// The root cause when Java cannot create an object of this type from a class: the class does not exist, has no
/// constructor without arguments, or cannot be cast.
pub(super) fn not_made(class: &str, kind: &str) -> String {
    if !is_there(class) {
        return class.to_string();
    }
    let numbers = ["Integer", "Long", "Float", "Double", "Boolean", "Short", "Byte", "Character"];
    let is_number = class.strip_prefix("java.lang.").is_some_and(|name| numbers.contains(&name));
    if is_number || class.ends_with(PRIORITY_UTILIZATION) {
        return format!("{class}.<init>()");
    }
    let modules = match class.starts_with("java.") {
        true => {
            format!("{class} is in module java.base of loader 'bootstrap'; {kind} is in unnamed module of loader 'app'")
        }
        false => format!("{class} and {kind} are in unnamed module of loader 'app'"),
    };
    format!("class {class} cannot be cast to class {kind} ({modules})")
}
