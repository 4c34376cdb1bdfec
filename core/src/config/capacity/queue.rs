//! One queue's settings, read in Hadoop's order, so that both refuse the same thing first
//! (AbstractCSQueue.setupQueueConfigs and its subclasses of Hadoop 3.5.0).

use super::acl::priority_acls;
use super::global::{LOOKUP_POLICY, locality, only_class, sorting_class};
use super::labels::{ConfiguredLabels, access};
use super::vector::{CapacityVector, Unit, is_no_number, legacy_capacity, legacy_maximum};
use super::{
    Acl, AutoCreateV1, AutoCreateV2, Capacity, ConfiguredState, LabelAccess, LeafOrdering, Maximum, MultiNodeConf,
    PREFIX, ParentOrdering, PartitionConf, QueueConf, QueueKind, ROOT, UNLIMITED_APPS,
};
use crate::api::{Refusal, SettingsRule};
use crate::config::java_class::not_made;
use crate::config::properties::{Inherited, Key};
use crate::config::resource_text::parse_resource;
use crate::config::values::{Conf, not_a_number, trim};
use crate::model::java::float_text;
use crate::model::{Calculator, Resource, ResourceTypes, SortedMap};
use indexmap::IndexMap;

/// The context in which a queue is read, besides its own keys.
pub(super) struct Scope<'a> {
    pub conf: &'a Conf,
    pub types: &'a ResourceTypes,
    pub calculator: Calculator,
    pub cluster: Resource,
    pub maximum_allocation: Resource,
    pub legacy: bool,
    pub multi_node: &'a MultiNodeConf,
    /// Whether monitors are on.
    pub monitors: bool,
    pub labels: &'a ConfiguredLabels,
    /// User weights by path, as written.
    pub user_weights: &'a SortedMap<String, Vec<(String, f32)>>,
}

/// The decisions before a queue is read.
pub(super) struct Plan<'a> {
    pub path: String,
    pub parent: Option<(usize, &'a QueueConf)>,
    pub kind: QueueKind,
    pub dynamic: bool,
}

type Read<T> = Result<T, Refusal>;

/// The properties that a queue inherits from its parent if it does not set them.
const INHERITED: [&str; 9] = [
    "maximum-allocation-mb",
    "maximum-allocation-vcores",
    "maximum-allocation",
    "accessible-node-labels",
    "default-node-label-expression",
    "disable_preemption",
    "intra-queue-preemption.disable_preemption",
    "maximum-application-lifetime",
    "default-application-lifetime",
];

/// Returns whether a queue without the property inherits the parent's value.
pub fn is_inherited(property: &str) -> bool {
    INHERITED.contains(&property)
}

/// Reads a queue without its children. Errors: what Hadoop refuses.
pub(super) fn read_queue(scope: &Scope<'_>, plan: Plan<'_>) -> Read<QueueConf> {
    let Plan { path, parent: place, kind, dynamic } = plan;
    let conf = scope.conf;
    let parent = place.map(|(_, q)| q);
    let key = |name: &str| format!("{PREFIX}{path}.{name}");
    let is_root = path == ROOT;
    if !kind.is_leaf() {
        legacy_capacity(conf.text(&key("capacity"))?.as_deref(), &path, "", scope.types)?;
    }
    let allow_zero_capacity_sum = conf.get_of(&path, const { Key::<bool>::queue("allow-zero-capacity-sum") })?;
    let acl = |name: &str| -> Read<Acl> {
        Ok(Acl::parse(conf.text(&key(name))?.as_deref().unwrap_or(if is_root { "*" } else { " " })))
    };
    let submit_acl = acl("acl_submit_applications")?;
    let administer_acl = acl("acl_administer_queue")?;
    let (access, default_label) = read_labels(scope, &path, parent)?;
    let configured = if is_root { scope.labels.all() } else { scope.labels.of_path(&path) };
    let am_percent = am_percent(conf, &path)?;
    // A v1 leaf takes its amounts from its parent's template.
    let amounts_path = match (kind, parent) {
        (QueueKind::AutoCreatedLeaf, Some(parent)) => format!("{}.leaf-queue-template", parent.path),
        _ => path.clone(),
    };
    let mut partitions = read_partitions(scope, &path, &amounts_path, &configured, am_percent)?;
    check_amounts(scope, &path, parent, &mut partitions)?;
    let maximum_allocation = read_maximum_allocation(scope, &path, parent)?;
    let state = read_state(conf.text(&key("state"))?.as_deref())?;
    let mut user_weights = parent.map_or_else(SortedMap::default, |p| p.user_weights.clone());
    user_weights.extend(scope.user_weights.get(&path).into_iter().flatten().cloned());
    if dynamic {
        give_dynamic_vectors(&mut partitions, scope.types);
    }
    if scope.legacy && !is_root {
        check_one_kind(&path, &partitions)?;
    }
    let of_parent = parent.is_some_and(|p| p.preemption_disabled);
    let preemption_disabled = !scope.monitors
        || conf.get_of_or(&path, const { Inherited::<bool>::queue("disable_preemption") }, of_parent)?;
    let intra = conf.get(
        const { Key::<bool>::site("yarn.resourcemanager.monitor.capacity.preemption.intra-queue-preemption.enabled") },
    )?;
    let intra_queue_preemption_disabled = !intra
        || conf.get_of_or(
            &path,
            const { Inherited::<bool>::queue("intra-queue-preemption.disable_preemption") },
            parent.is_some_and(|p| p.intra_queue_preemption_disabled),
        )?;
    let priority = conf.get_of(&path, const { Key::<i32>::queue("priority") })?;
    let sorting_policy = read_sorting_policy(scope, &path)?;
    let max_parallel_apps = parallel_apps(conf, &key("max-parallel-apps"), "max-parallel-apps")?;
    let (maximum_lifetime_s, default_lifetime_s, default_lifetime_given) = read_lifetimes(conf, &path, parent)?;

    let enabled = conf.get_of(&path, const { Key::<bool>::queue("auto-queue-creation-v2.enabled") })?;
    let mut queue = QueueConf {
        name_at: parent.map_or(0, |p| p.path.len() + 1),
        parent: place.map(|(i, _)| i),
        children: Vec::new(),
        kind,
        dynamic,
        access,
        partitions,
        am_percent,
        default_label,
        user_limit_percent: 100.0,
        user_limit_factor: 1.0,
        user_weights,
        state,
        maximum_applications: None,
        max_parallel_apps,
        leaf_ordering: LeafOrdering::Fifo,
        parent_ordering: ParentOrdering::Utilization,
        priority,
        default_application_priority: 0,
        maximum_allocation,
        allow_zero_capacity_sum,
        submit_acl,
        administer_acl,
        priority_acls: Vec::new(),
        preemption_disabled,
        intra_queue_preemption_disabled,
        maximum_lifetime_s,
        default_lifetime_s,
        default_lifetime_given,
        sorting_policy,
        auto_create_v1: None,
        auto_create_v2: AutoCreateV2 {
            enabled,
            max_queues: conf.get_of(&path, const { Key::<i32>::queue("auto-queue-creation-v2.max-queues") }),
            max_depth: match max_depth(conf, &path) {
                Err(bad) if !kind.is_leaf() => return Err(bad),
                // For a leaf it is read only when a queue is to be created below it.
                depth => depth,
            },
            auto_removal: conf
                .get_of(&path, const { Key::<bool>::queue("auto-queue-creation-v2.queue-auto-removal.enable") })?,
        },
        path,
    };
    if kind.is_leaf() {
        read_leaf(conf, &mut queue)?
    } else {
        read_parent(scope, &mut queue, parent)?
    }
    Ok(queue)
}

/// `maximum-queue-depth` of a path, else the global one, else 2.
pub(super) fn max_depth(conf: &Conf, path: &str) -> Read<i32> {
    let global = conf.get(const { Key::<i32>::scheduler("auto-queue-creation-v2.maximum-queue-depth") })?;
    conf.get_of_or(path, const { Inherited::<i32>::queue("auto-queue-creation-v2.maximum-queue-depth") }, global)
}

fn am_percent(conf: &Conf, path: &str) -> Read<f32> {
    let global = conf.get(const { Key::<f32>::scheduler("maximum-am-resource-percent") })?;
    conf.get_of_or(path, const { Inherited::<f32>::queue("maximum-am-resource-percent") }, global)
}

fn read_labels(scope: &Scope<'_>, path: &str, parent: Option<&QueueConf>) -> Read<(LabelAccess, Option<String>)> {
    let key = |name: &str| format!("{PREFIX}{path}.{name}");
    let given = scope.conf.text(&key("accessible-node-labels"))?;
    let access = match (parent, given) {
        (None, _) => LabelAccess { any: true, labels: Vec::new() },
        (Some(_), Some(text)) => access(&text),
        (Some(parent), None) => parent.access.clone(),
    };
    let own = scope.conf.trimmed(&key("default-node-label-expression"))?;
    let default_label = match (own, parent) {
        (None, Some(parent)) if access.holds_all_of(&parent.access) => parent.default_label.clone(),
        (own, _) => own,
    };
    if let Some(parent) = parent {
        access.check_below(&parent.access)?;
    }
    Ok((access, default_label))
}

/// Reads the capacities of a path for these labels; absolute amounts come from `amounts_path`.
pub(super) fn read_partitions(
    scope: &Scope<'_>,
    path: &str,
    amounts_path: &str,
    labels: &[String],
    queue_am_percent: f32,
) -> Read<IndexMap<String, PartitionConf>> {
    let conf = scope.conf;
    let mut partitions = IndexMap::new();
    for label in labels {
        let key = |of: &str, name: &str| {
            if label.is_empty() {
                format!("{PREFIX}{of}.{name}")
            } else {
                format!("{PREFIX}{of}.accessible-node-labels.{label}.{name}")
            }
        };
        let is_root = path == ROOT;
        let text = conf.text(&key(path, "capacity"))?;
        let maximum_text = conf.text(&key(path, "maximum-capacity"))?;
        let mut capacity = legacy_capacity(text.as_deref(), path, label, scope.types)?;
        let mut maximum = legacy_maximum(maximum_text.as_deref(), path, label, scope.types)?;
        let am_percent = conf.float(&key(path, "maximum-am-resource-percent"), queue_am_percent)?;
        if amounts_path != path {
            let template = conf.text(&key(amounts_path, "capacity"))?;
            if let amounts @ Capacity::Absolute(_) =
                legacy_capacity(template.as_deref(), amounts_path, label, scope.types)?
            {
                capacity = amounts;
            }
            let template = conf.text(&key(amounts_path, "maximum-capacity"))?;
            if let amounts @ Maximum::Absolute(_) =
                legacy_maximum(template.as_deref(), amounts_path, label, scope.types)?
            {
                maximum = amounts;
            }
        }
        let vector = |text: Option<&str>| CapacityVector::parse(text, is_root, scope.types);
        partitions.insert(
            label.clone(),
            PartitionConf {
                unchecked: is_root && !label.is_empty() && text.as_deref().is_some_and(is_no_number),
                capacity,
                maximum,
                capacity_vector: vector(text.as_deref())?,
                maximum_vector: vector(maximum_text.as_deref())?,
                am_percent,
            },
        );
    }
    Ok(partitions)
}

/// Checks absolute queues against the parent's bounds; a missing maximum becomes the parent's.
fn check_amounts(
    scope: &Scope<'_>,
    path: &str,
    parent: Option<&QueueConf>,
    partitions: &mut IndexMap<String, PartitionConf>,
) -> Read<()> {
    let text = |r: Resource| r.text(scope.types);
    let above = |l: Resource, r: Resource| !r.is_zero() && scope.calculator.gt(&scope.cluster, &l, &r);
    for (label, partition) in partitions {
        let minimum = partition.capacity.amounts();
        let mut maximum = partition.maximum.amounts();
        if let Some(parent) = parent {
            let parents = parent.partition(label).map_or(Resource::ZERO, |p| p.maximum.amounts());
            if above(maximum, parents) {
                return Err(Refusal::of(
                    SettingsRule::AboveParentMaximum,
                    format!(
                        "Max resource configuration {} is greater than parents max value:{} in queue:{path}",
                        text(maximum),
                        text(parents)
                    ),
                ));
            }
            if maximum.is_zero() && !minimum.is_zero() && !parents.is_zero() {
                maximum = parents;
                partition.maximum = Maximum::Absolute(parents);
            }
        }
        if above(minimum, maximum) {
            return Err(Refusal::of(
                SettingsRule::AboveOwnMaximum,
                format!(
                    "Min resource configuration {} is greater than its max value:{} in queue:{path}",
                    text(minimum),
                    text(maximum)
                ),
            ));
        }
    }
    Ok(())
}

impl Capacity {
    /// The amounts of an absolute capacity; zero for others.
    pub fn amounts(&self) -> Resource {
        match self {
            Capacity::Absolute(amounts) => *amounts,
            _ => Resource::ZERO,
        }
    }

    /// The fraction of the parent's that a percentage stands for; 0 for others.
    pub fn fraction(&self) -> f32 {
        match self {
            Capacity::Percent(percent) => percent / 100.0,
            _ => 0.0,
        }
    }
}

impl Maximum {
    /// The amounts of an absolute maximum; zero for others.
    pub fn amounts(&self) -> Resource {
        match self {
            Maximum::Absolute(amounts) => *amounts,
            Maximum::Percent(_) => Resource::ZERO,
        }
    }

    /// The fraction of the parent's that a percentage stands for; 1 for others.
    pub fn fraction(&self) -> f32 {
        match self {
            Maximum::Percent(percent) => percent / 100.0,
            Maximum::Absolute(_) => 1.0,
        }
    }
}

fn read_maximum_allocation(scope: &Scope<'_>, path: &str, parent: Option<&QueueConf>) -> Read<Resource> {
    let conf = scope.conf;
    let cluster = scope.maximum_allocation;
    let mut maximum = parent.map_or(cluster, |p| p.maximum_allocation);
    let too_large = |wanted: Resource| {
        Err(Refusal::of(
            SettingsRule::QueueMaximum,
            format!(
                "Queue maximum allocation cannot be larger than the cluster setting for queue {path} max allocation per queue: {} cluster setting: {}",
                wanted.text(scope.types),
                cluster.text(scope.types)
            ),
        ))
    };
    match conf.text(&format!("{PREFIX}{path}.maximum-allocation"))?.filter(|text| !text.is_empty()) {
        None => {
            let memory = conf.get_of_or(path, const { Inherited::<i32>::queue("maximum-allocation-mb") }, -1)?;
            let vcores = conf.get_of_or(path, const { Inherited::<i32>::queue("maximum-allocation-vcores") }, -1)?;
            for (place, amount) in [memory, vcores].into_iter().enumerate() {
                if amount != -1 {
                    maximum[place] = i64::from(amount);
                }
            }
            let above = |place: usize, amount: i32| amount != -1 && i64::from(amount) > cluster[place];
            if above(0, memory) || above(1, vcores) { too_large(maximum) } else { Ok(maximum) }
        }
        Some(text) => {
            let wanted = parse_resource(&text, scope.types)?;
            if (0..scope.types.len()).any(|i| wanted[i] > cluster[i]) { too_large(wanted) } else { Ok(wanted) }
        }
    }
}

fn read_state(text: Option<&str>) -> Read<Option<ConfiguredState>> {
    let Some(text) = text else { return Ok(None) };
    match text.to_uppercase().as_str() {
        "RUNNING" => Ok(Some(ConfiguredState::Running)),
        "STOPPED" => Ok(Some(ConfiguredState::Stopped)),
        "DRAINING" => Err(Refusal::of(
            SettingsRule::State,
            "Invalid queue state configuration. We can only use RUNNING or STOPPED.",
        )),
        other => Err(Refusal::of(
            SettingsRule::State,
            format!("No enum constant org.apache.hadoop.yarn.api.records.QueueState.{other}"),
        )),
    }
}

/// Gives a dynamic queue without a capacity of its own weight 1 and no maximum.
fn give_dynamic_vectors(partitions: &mut IndexMap<String, PartitionConf>, types: &ResourceTypes) {
    for partition in partitions.values_mut() {
        if partition.capacity_vector.is_empty() {
            partition.capacity_vector = CapacityVector::uniform(1.0, Unit::Weight, types);
            partition.maximum_vector = CapacityVector::uniform(100.0, Unit::Percent, types);
        }
    }
}

/// Checks that all labels of a queue are absolute, or none.
fn check_one_kind(path: &str, partitions: &IndexMap<String, PartitionConf>) -> Read<()> {
    let mut kinds = partitions.values().map(|p| matches!(p.capacity, Capacity::Absolute(_)));
    let first = kinds.next();
    if kinds.any(|kind| Some(kind) != first) {
        return Err(Refusal::of(
            SettingsRule::MixedLabels,
            format!("Queue '{path}' should use either percentage based capacity configuration or absolute resource."),
        ));
    }
    Ok(())
}

/// The class that sorts candidate nodes for a queue.
fn read_sorting_policy(scope: &Scope<'_>, path: &str) -> Read<Option<String>> {
    let own = scope.conf.text(&format!("{PREFIX}{path}.multi-node-sorting.policy"))?;
    // An empty name means none, also the queue's own, which hides the global one.
    let name = own.or_else(|| scope.multi_node.default_policy.clone());
    let Some(name) = name.filter(|name| !name.is_empty()) else { return Ok(None) };
    let name = trim(&name).to_string();
    match scope.conf.text(&format!("{PREFIX}multi-node-sorting.policy.{name}.class"))? {
        Some(class) => sorting_class(&class).map(Some),
        None => Err(Refusal::of(
            SettingsRule::PolicyClassUnset,
            format!("{name} Class is not configured or not an instance of {LOOKUP_POLICY}"),
        )),
    }
}

/// The number of parallel applications in the key itself (not trimmed), else in the global one.
pub(super) fn parallel_apps(conf: &Conf, key: &str, global: &str) -> Read<i32> {
    match conf.text(key)? {
        Some(text) => text.parse().map_err(|_| not_a_number(&text)),
        None => conf.int(&format!("{PREFIX}{global}"), UNLIMITED_APPS),
    }
}

fn read_lifetimes(conf: &Conf, path: &str, parent: Option<&QueueConf>) -> Read<(i64, i64, bool)> {
    let own_maximum = conf.get_of(path, const { Key::<i64>::queue("maximum-application-lifetime") })?;
    let own_default = conf.get_of(path, const { Key::<i64>::queue("default-application-lifetime") })?;
    let Some(parent) = parent else { return Ok((own_maximum, own_default, own_default >= 0)) };
    let maximum = if own_maximum >= 0 { own_maximum } else { parent.maximum_lifetime_s };
    let given = own_default >= 0 || parent.default_lifetime_given;
    let mut default = own_default;
    if default < 0 {
        default = if given { parent.default_lifetime_s.min(maximum) } else { maximum };
    }
    if maximum > 0 && default > maximum {
        return Err(Refusal::of(
            SettingsRule::Lifetime,
            format!("Default lifetime {default} can't exceed maximum lifetime {maximum}"),
        ));
    }
    Ok((maximum, if default <= 0 { maximum } else { default }, given))
}

/// `global-queue-max-application`, which every leaf reads.
pub(super) fn global_most(conf: &Conf) -> Read<i32> {
    conf.get(const { Key::<i32>::scheduler("global-queue-max-application") })
}

fn read_leaf(conf: &Conf, queue: &mut QueueConf) -> Read<()> {
    let key = |name: &str| format!("{PREFIX}{}.{name}", queue.path);
    queue.leaf_ordering = leaf_ordering(conf, &key("ordering-policy"))?;
    let global_limit = conf.get(const { Key::<f32>::scheduler("minimum-user-limit-percent") })?;
    const LEAST: Inherited<f32> = Inherited::queue("minimum-user-limit-percent");
    queue.user_limit_percent = conf.get_of_or(&queue.path, LEAST, global_limit)?;
    let global_factor = conf.get(const { Key::<f32>::scheduler("user-limit-factor") })?;
    const FACTOR: Inherited<f32> = Inherited::queue("user-limit-factor");
    queue.user_limit_factor = conf.get_of_or(&queue.path, FACTOR, global_factor)?;
    const APPLICATIONS: Inherited<i32> = Inherited::queue("maximum-applications");
    queue.maximum_applications = Some(conf.get_of_or(&queue.path, APPLICATIONS, -1)?).filter(|n| *n >= 0);
    global_most(conf)?;
    let cluster_maximum = conf.get(const { Key::<i32>::site("yarn.cluster.max-application-priority") })?;
    let acls = conf.text(&key("acl_application_max_priority"))?;
    queue.priority_acls = priority_acls(acls.as_deref().unwrap_or("*"), cluster_maximum)?;
    if !queue.access.allows_expression(queue.default_label.as_deref()) {
        return Err(Refusal::of(
            SettingsRule::DefaultLabel,
            format!(
                "Invalid default label expression of  queue={} doesn't have permission to access all labels in default label expression. labelExpression of resource request={}. Queue labels={}",
                queue.path,
                queue.default_label.as_deref().unwrap_or(""),
                queue.access.labels.join(",")
            ),
        ));
    }
    queue.default_application_priority =
        conf.get_of(&queue.path, const { Key::<i32>::queue("default-application-priority") })?;
    let limit = queue.user_limit_percent.min(100.0);
    for (user, weight) in queue.user_weights.iter() {
        if *weight < 0.0 || *weight > 100.0 / limit {
            return Err(Refusal::of(
                SettingsRule::UserWeight,
                format!(
                    "Weight ({}) for user \"{user}\" must be between 0 and 100 / {} (= {}, the number of concurrent active users in {})",
                    float_text(*weight),
                    float_text(limit),
                    float_text(100.0 / limit),
                    queue.path
                ),
            ));
        }
    }
    // Global, but read by each leaf after its own settings.
    locality(conf).map(|_| ())
}

fn leaf_ordering(conf: &Conf, key: &str) -> Read<LeafOrdering> {
    let text = conf.text(key)?;
    let policy = text.as_deref().map_or("fifo", trim);
    let raw = |name: &str| conf.raw(&format!("{key}.{name}")).unwrap_or("");
    const CLASSES: [(&str, &str); 4] = [
        ("FifoOrderingPolicy", "fifo"),
        ("FairOrderingPolicy", "fair"),
        ("FifoOrderingPolicyWithExclusivePartitions", "fifo-with-partitions"),
        ("FifoOrderingPolicyForPendingApps", "fifo-for-pending-apps"),
    ];
    let class = policy.strip_prefix("org.apache.hadoop.yarn.server.resourcemanager.scheduler.policy.");
    let of_class = |class| CLASSES.iter().find(|(c, _)| *c == class).map_or("", |(_, name)| *name);
    match class.map_or(policy, of_class) {
        "fifo" => Ok(LeafOrdering::Fifo),
        "fair" => Ok(LeafOrdering::Fair {
            size_based_weight: raw("fair.enable-size-based-weight").eq_ignore_ascii_case("true"),
        }),
        "fifo-with-partitions" => Ok(LeafOrdering::FifoWithPartitions {
            partitions: raw("exclusive-enforced-partitions")
                .split(',')
                .map(|p| trim(p).to_string())
                .filter(|p| !p.is_empty())
                .collect(),
        }),
        "fifo-for-pending-apps" => Ok(LeafOrdering::FifoForPending),
        _ => Err(Refusal::of(
            SettingsRule::LeafOrdering,
            not_made(policy, "org.apache.hadoop.yarn.server.resourcemanager.scheduler.policy.OrderingPolicy"),
        )),
    }
}

fn read_parent(scope: &Scope<'_>, queue: &mut QueueConf, parent: Option<&QueueConf>) -> Read<()> {
    let conf = scope.conf;
    let key = |name: &str| format!("{PREFIX}{}.{name}", queue.path);
    queue.parent_ordering = match conf.trimmed(&key("ordering-policy"))?.as_deref() {
        None => parent.map_or(ParentOrdering::Utilization, |p| p.parent_ordering),
        Some("utilization") => ParentOrdering::Utilization,
        Some("priority-utilization") => ParentOrdering::PriorityUtilization,
        Some(other) => {
            return Err(Refusal::of(
                SettingsRule::ParentOrdering,
                not_made(
                    other,
                    "org.apache.hadoop.yarn.server.resourcemanager.scheduler.capacity.policy.QueueOrderingPolicy",
                ),
            ));
        }
    };
    if queue.kind == QueueKind::ManagedParent {
        let template = format!("{}.leaf-queue-template", queue.path);
        let labels = scope.labels.of_path(&template);
        let am = am_percent(conf, &template)?;
        let absolute = |p: &PartitionConf| matches!(p.capacity, Capacity::Absolute(_));
        let partitions = read_partitions(scope, &template, &template, &labels, am)?;
        let amounts = partitions.values().any(|p| !p.capacity.amounts().is_zero());
        if amounts && !queue.partitions.values().next().is_some_and(absolute) {
            return Err(Refusal::new(format!(
                "Managed Parent Queue {} config type is different from leaf queue template config type",
                queue.path
            )));
        }
        let known = |label: &String| {
            let access = &queue.access;
            label.is_empty()
                || if access.any { queue.partitions.contains_key(label) } else { access.labels.contains(label) }
        };
        if let Some(label) = partitions.keys().find(|label| !known(label)) {
            return Err(Refusal::new(format!(
                "Invalid node label {label} on configured leaf template on parent queue {}",
                queue.path
            )));
        }
        if let Some(class) = conf.text(&key("auto-create-child-queue.management-policy"))? {
            const GUARANTEED_OR_ZERO: &str = "org.apache.hadoop.yarn.server.resourcemanager.scheduler.capacity.queuemanagement.GuaranteedOrZeroCapacityOverTimePolicy";
            const KIND: &str =
                "org.apache.hadoop.yarn.server.resourcemanager.scheduler.capacity.AutoCreatedQueueManagementPolicy";
            only_class(class, GUARANTEED_OR_ZERO, KIND)?;
        }
        queue.auto_create_v1 = Some(AutoCreateV1 {
            max_queues: conf.get_of(&queue.path, const { Key::<i32>::queue("auto-create-child-queue.max-queues") }),
            fail_on_exceeding_parent_capacity: conf.get_of(
                &queue.path,
                const { Key::<bool>::queue("auto-create-child-queue.fail-on-exceeding-parent-capacity") },
            )?,
            template: partitions,
        });
    }
    Ok(())
}
