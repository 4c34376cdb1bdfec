//! The CapacityScheduler's global settings (capacity-scheduler.md 2.1 and 2.2).

use super::{AsyncConf, Late, MappingConf, MappingText, MultiNodeConf, PREFIX, SortingPolicy, WorkflowPriority};
use crate::api::{Refusal, SettingsRule};
use crate::config::java_class;
use crate::config::properties::{Inherited, Key};
use crate::config::resource_text::Allocations;
use crate::config::values::{Conf, not_a_number, trim};
use crate::model::java::walk_by;
use crate::model::{Calculator, CalculatorKind, SortedMap};

type Read<T> = Result<T, Refusal>;

pub(super) const NODE_DELAY: Key<i32> = Key::scheduler("node-locality-delay");
pub(super) const RACK_DELAY: Key<i32> = Key::scheduler("rack-locality-additional-delay");
pub(super) const FULL_RESET: Key<bool> = Key::scheduler("rack-locality-full-reset");

const ASYNCHRONOUS: Key<bool> = Key::scheduler("schedule-asynchronously.enable");
pub(super) const THREADS: Key<i32> = Key::scheduler("schedule-asynchronously.maximum-threads");
pub(super) const BACKLOGS: Key<i32> = Key::scheduler("schedule-asynchronously.maximum-pending-backlogs");
pub(super) const INTERVAL: Key<i64> = Key::scheduler("schedule-asynchronously.scheduling-interval-ms");

const MINIMUM_MB: Key<i32> = Key::site("yarn.scheduler.minimum-allocation-mb");
const MAXIMUM_MB: Key<i32> = Key::site("yarn.scheduler.maximum-allocation-mb");
const MINIMUM_VCORES: Key<i32> = Key::site("yarn.scheduler.minimum-allocation-vcores");
const MAXIMUM_VCORES: Key<i32> = Key::site("yarn.scheduler.maximum-allocation-vcores");

fn key(name: &str) -> String {
    format!("{PREFIX}{name}")
}

/// Checks what the ResourceManager checks before it creates its scheduler (ResourceManager.validateConfigs). Errors: it
/// does not start.
pub(super) fn check_manager(conf: &Conf) -> Read<()> {
    const ATTEMPTS: Key<i32> = Key::site("yarn.resourcemanager.am.max-attempts");
    const EXPIRY: Key<i64> = Key::site("yarn.nm.liveness-monitor.expiry-interval-ms");
    const BEAT: Key<i64> = Key::site("yarn.resourcemanager.nodemanagers.heartbeat-interval-ms");
    const GLOBAL: Inherited<i32> = Inherited::site("yarn.resourcemanager.am.global.max-attempts");
    let own = conf.get(ATTEMPTS)?;
    let invalid = |what: &str, key: &str, n: i32| {
        Err(Refusal::new(format!("Invalid {what} configuration, {key}={n}, it should be a positive integer.")))
    };
    if own <= 0 {
        return invalid("rm am max attempts", &ATTEMPTS.name(), own);
    }
    let global = conf.get_or(GLOBAL, own)?;
    if global <= 0 {
        return invalid("global max attempts", &GLOBAL.name(), global);
    }
    let (expiry, beat) = (conf.get(EXPIRY)?, conf.get(BEAT)?);
    if expiry < beat {
        return Err(Refusal::new(format!(
            "Nodemanager expiry interval should be no less than heartbeat interval, {}={expiry}, {}={beat}",
            EXPIRY.name(),
            BEAT.name()
        )));
    }
    Ok(())
}

/// Checks the minimum against the maximum allocation. Errors: the ResourceManager does not start.
pub(super) fn check_allocations(conf: &Conf) -> Read<()> {
    for (what, low_key, high_key) in [("memory", MINIMUM_MB, MAXIMUM_MB), ("vcores", MINIMUM_VCORES, MAXIMUM_VCORES)] {
        let (low, high) = (conf.get(low_key)?, conf.get(high_key)?);
        let (low_key, high_key) = (low_key.name(), high_key.name());
        if low <= 0 || low > high {
            return Err(Refusal::of(
                SettingsRule::AllocationBounds,
                format!(
                    "Invalid resource scheduler {what} allocation configuration, {low_key}={low}, {high_key}={high}, min and max should be greater than 0, max should be no smaller than min."
                ),
            )
            .at(conf.wrong_bound(low <= 0, &low_key, &high_key)));
        }
    }
    Ok(())
}

/// `node-locality-delay`, `rack-locality-additional-delay` and `rack-locality-full-reset`.
pub(super) fn locality(conf: &Conf) -> Read<(i32, i32, bool)> {
    Ok((conf.get(NODE_DELAY)?, conf.get(RACK_DELAY)?, conf.get(FULL_RESET)?))
}

/// The calculator, by its class. Errors: an unknown class; further types without the dominant calculator.
pub(super) fn calculator(conf: &Conf, allocations: &Allocations) -> Read<Calculator> {
    let types = &allocations.types;
    let class = conf.trimmed(&key("resource-calculator"))?;
    let kind = match class.as_deref().map(|c| c.strip_prefix("org.apache.hadoop.yarn.util.resource.").unwrap_or("")) {
        None | Some("DefaultResourceCalculator") => CalculatorKind::Default,
        Some("DominantResourceCalculator") => CalculatorKind::Dominant,
        Some(_) => {
            let class = class.unwrap_or_default();
            let words = match java_class::is_there(&class) {
                true => format!("class {class} not org.apache.hadoop.yarn.util.resource.ResourceCalculator"),
                false => format!("Class {class} not found"),
            };
            return Err(Refusal::of(SettingsRule::ClassUnknown, words));
        }
    };
    if kind == CalculatorKind::Default && types.len() > 2 {
        let shown = described(conf, allocations)?;
        return Err(Refusal::of(
            SettingsRule::MemoryOnly,
            format!(
                "RM uses DefaultResourceCalculator which used only memory as resource-type but invalid resource-types specified {{{shown}}}. Use DominantResourceCalculator instead to make effective use of these resource-types"
            ),
        ));
    }
    Ok(Calculator::new(kind, types))
}

/// The cluster's resource types as Hadoop prints a map of them.
fn described(conf: &Conf, allocations: &Allocations) -> Read<String> {
    let names = allocations.types.names();
    // Memory and vcores are put into the map last.
    let places: Vec<usize> = (2..names.len()).chain(0..2).collect();
    let mut shown = Vec::new();
    for i in walk_by(&places, |i| &names[i]) {
        let name = &names[i];
        let units = match i {
            0 => "Mi".to_string(),
            _ => conf.trimmed(&format!("yarn.resource-types.{name}.units"))?.unwrap_or_default(),
        };
        shown.push(format!(
            "{name}=name: {name}, units: {units}, type: COUNTABLE, value: 0, minimum allocation: {}, maximum allocation: {}, tags: [], attributes {{}}",
            allocations.minimum[i], allocations.maximum[i]
        ));
    }
    Ok(shown.join(", "))
}

pub(super) fn asynchronous(conf: &Conf) -> Read<AsyncConf> {
    let (enabled, written) = (conf.get(ASYNCHRONOUS)?, conf.raw(&ASYNCHRONOUS.name()).is_some());
    let unset = AsyncConf { enabled, written, ..AsyncConf::default() };
    if !enabled {
        return Ok(unset);
    }
    Ok(AsyncConf {
        threads: conf.get(THREADS)?,
        maximum_backlogs: conf.get(BACKLOGS)?,
        interval_ms: conf.get(INTERVAL)?,
        ..unset
    })
}

/// Multi-node placement, without its policies.
pub(super) fn multi_node(conf: &Conf) -> Read<MultiNodeConf> {
    Ok(MultiNodeConf {
        enabled: conf.get(const { Key::<bool>::scheduler("multi-node-placement-enabled") })?,
        default_policy: conf.text(&key("multi-node-sorting.policy"))?,
        policies: Vec::new(),
        skip_reserved_nodes: conf
            .get(const { Key::<bool>::scheduler("skip-allocate-on-nodes-with-reserved-containers") })?,
    })
}

/// Hadoop's only class for a purpose, by its full name; `kind` is the type that it must have. Errors: another class,
/// with the message for a missing class or (for Java's own) for one of another type.
pub(super) fn only_class(class: String, known: &str, kind: &str) -> Read<String> {
    if class == known {
        return Ok(class);
    }
    Err(Refusal::of(
        SettingsRule::ClassUnknown,
        match java_class::is_there(&class) {
            true => format!("Class: {class} not instance of {kind}"),
            false => format!("Class {class} not found"),
        },
    ))
}

/// The class of a policy that sorts nodes. Errors: an unknown class.
pub(super) fn sorting_class(class: &str) -> Read<String> {
    only_class(trim(class).to_string(), RESOURCE_USAGE, LOOKUP_POLICY)
}

const RESOURCE_USAGE: &str =
    "org.apache.hadoop.yarn.server.resourcemanager.scheduler.placement.ResourceUsageMultiNodeLookupPolicy";
pub(super) const LOOKUP_POLICY: &str =
    "org.apache.hadoop.yarn.server.resourcemanager.scheduler.placement.MultiNodeLookupPolicy";

/// The sorting policies of multi-node placement. Errors: a policy without a class, or with an unknown one; an interval
/// below 0.
pub(super) fn sorting_policies(conf: &Conf) -> Read<Vec<SortingPolicy>> {
    let mut policies = Vec::new();
    for name in conf.trimmed_list(&key("multi-node-sorting.policy.names"))? {
        let class = match conf.text(&key(&format!("multi-node-sorting.policy.{name}.class")))? {
            Some(class) => sorting_class(&class)?,
            None if name == "default" => RESOURCE_USAGE.to_string(),
            None => {
                return Err(Refusal::of(
                    SettingsRule::PolicyClassUnset,
                    format!("{name} Class is not configured or not an instance of {LOOKUP_POLICY}"),
                ));
            }
        };
        let interval_ms = conf.long(&key(&format!("multi-node-sorting.policy.{name}.sorting-interval.ms")), 1000)?;
        if interval_ms < 0 {
            return Err(Refusal::new(format!(
                "{name} multi-node policy is configured with invalid sorting-interval:{interval_ms}"
            )));
        }
        policies.push(SortingPolicy { class, interval_ms });
    }
    Ok(policies)
}

/// The text of the queue mapping. Errors: an unknown format; placement rules named twice.
pub(super) fn mapping(conf: &Conf) -> Read<MappingConf> {
    let rules = conf.text("yarn.scheduler.queue-placement-rules")?.unwrap_or_default();
    let mut seen: Vec<&str> = Vec::new();
    for rule in rules.split(',').filter(|r| !r.is_empty()) {
        if seen.contains(&rule) {
            return Err(Refusal::of(
                SettingsRule::DuplicateRule,
                "Invalid PlacementRule inputs which contains duplicate rule strings",
            ));
        }
        seen.push(rule);
    }
    // All except these two are classes of placement rules (PlacementFactory).
    let strange = |rule: &&&str| {
        !matches!(**rule, "user-group" | "app-name")
            && !rule.starts_with("org.apache.hadoop.yarn.server.resourcemanager.placement.")
    };
    if let Some(rule) = seen.iter().find(strange) {
        let there = if java_class::is_there(rule) { "class " } else { "" };
        return Err(Refusal::of(SettingsRule::ClassUnknown, format!("{there}{rule}")));
    }
    let override_queue = conf.get(const { Key::<bool>::scheduler("queue-mappings-override.enable") })?;
    let rules = match conf.text(&key("mapping-rule-format"))?.as_deref() {
        None | Some("legacy") => MappingText::Legacy {
            users: conf.trimmed_list(&key("queue-mappings"))?,
            applications: conf.trimmed_list("yarn.scheduler.queue-placement-rules.app-name")?,
        },
        Some("json") => MappingText::Json(conf.text(&key("mapping-rule-json"))?.unwrap_or_default()),
        Some(other) => {
            return Err(Refusal::of(
                SettingsRule::MappingFormat,
                format!("Illegal queue mapping format '{other}' please use 'legacy' or 'json'"),
            ));
        }
    };
    Ok(MappingConf { override_queue, rules })
}

/// `workflow-priority-mappings`. Errors: an entry that is not `workflow:queue:priority`.
pub(super) fn workflow_priorities(conf: &Conf) -> Read<Vec<WorkflowPriority>> {
    let mut out: Vec<WorkflowPriority> = Vec::new();
    for entry in conf.trimmed_list(&key("workflow-priority-mappings"))? {
        let parts = super::mapping::parts(&entry);
        let [workflow, queue, priority] = parts.as_slice() else {
            return Err(Refusal::of(
                SettingsRule::WorkflowPriority,
                format!("Illegal workflow priority mapping {entry}"),
            ));
        };
        let priority = priority.parse().map_err(|_| {
            Refusal::of(SettingsRule::WorkflowPriority, format!("Illegal workflow priority for mapping {entry}"))
        })?;
        let workflow = workflow.to_lowercase();
        out.retain(|w| w.workflow != workflow || w.queue != *queue);
        out.push(WorkflowPriority { workflow, queue: (*queue).to_string(), priority });
    }
    Ok(out)
}

/// `user.<u>.max-parallel-apps` of every user that has it.
pub(super) fn users_parallel_apps(conf: &Conf) -> SortedMap<String, Late> {
    let mut out = SortedMap::default();
    for name in conf.map().keys() {
        let user = name
            .strip_prefix(PREFIX)
            .and_then(|k| k.strip_prefix("user."))
            .and_then(|k| k.strip_suffix(".max-parallel-apps"));
        let Some(user) = user else { continue };
        let number = |text: String| text.parse().map_err(|_| not_a_number(&text));
        if let Some(limit) = conf.text(name).and_then(|text| text.map(number).transpose()).transpose() {
            out.insert(user.to_string(), limit);
        }
    }
    out
}
