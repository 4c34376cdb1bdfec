//! The CapacityScheduler's settings as a typed tree: what the scheduler reads, with nothing computed from the cluster
//! (capacity-scheduler.md section 2; CapacitySchedulerConfiguration, AbstractCSQueue and its settings classes of Hadoop
//! 3.5.0).

mod acl;
mod global;
mod labels;
mod mapping;
pub mod monitors;
pub mod preemption;
mod queue;
mod read;
pub mod targets;
mod template;
mod tree_rules;
mod vector;

pub use mapping::{Action, Fallback, MappingRule, Matcher, mapping_rules, user_rule};
pub use queue::is_inherited;
pub use read::{Running, given_to_auto_created};
pub use template::Templates;
pub use tree_rules::{CapacityKind, kind_of};
pub use vector::{CapacityVector, Share, Unit};

use self::labels::ConfiguredLabels;
use self::monitors::Monitors;
use super::values::Conf;
use crate::api::{NodeLabel, Properties, Refusal};
use crate::model::{CalculatorKind, Resource, ResourceTypes, SortedMap};
use indexmap::IndexMap;
use std::collections::BTreeSet;

/// The prefix of every key of the CapacityScheduler.
pub const PREFIX: &str = "yarn.scheduler.capacity.";
/// The path of the root queue.
pub const ROOT: &str = "root";
/// No limit of parallel applications.
pub const UNLIMITED_APPS: i32 = i32::MAX;

/// All settings of a CapacityScheduler.
#[derive(Clone, Debug, PartialEq)]
pub struct CapacityConf {
    /// The cluster's resource types.
    pub types: ResourceTypes,
    /// The calculator that compares resources.
    pub calculator: CalculatorKind,
    /// `legacy-queue-mode.enabled`: percent, weight and absolute queues; otherwise capacity vectors.
    pub legacy_queue_mode: bool,
    /// The minimum allocation, and the rounding step.
    pub minimum_allocation: Resource,
    /// The maximum allocation, as configured (the largest node lowers it).
    pub maximum_allocation: Resource,
    /// `maximum-applications` of the whole scheduler.
    pub maximum_applications: i32,
    /// `global-queue-max-application`, if above 0.
    pub global_queue_max_applications: Option<i32>,
    /// `node-locality-delay`: missed opportunities before a rack is accepted; −1: none.
    pub node_locality_delay: i32,
    /// `rack-locality-additional-delay`; −1: the old formula.
    pub rack_locality_additional_delay: i32,
    /// `rack-locality-full-reset`.
    pub rack_locality_full_reset: bool,
    /// `reservations-continue-look-all-nodes`.
    pub reservations_continue_look: bool,
    /// `per-node-heartbeat.multiple-assignments-enabled`.
    pub multiple_assignments: bool,
    /// `per-node-heartbeat.maximum-container-assignments`; −1: no limit.
    pub maximum_container_assignments: i32,
    /// `per-node-heartbeat.maximum-offswitch-assignments`, at least 1.
    pub maximum_offswitch_assignments: i32,
    pub asynchronous: AsyncConf,
    pub multi_node: MultiNodeConf,
    /// `lazy-preemption-enabled`.
    pub lazy_preemption: bool,
    /// `user.max-parallel-apps`: for each user in the whole cluster.
    pub user_max_parallel_apps: Late,
    /// `user.<u>.max-parallel-apps`: for one user in the whole cluster.
    pub users_max_parallel_apps: SortedMap<String, Late>,
    /// Queue mapping, as configured.
    pub mapping: MappingConf,
    /// `workflow-priority-mappings`.
    pub workflow_priorities: Vec<WorkflowPriority>,
    /// `workflow-priority-mappings-override.enable`.
    pub workflow_priorities_override: bool,
    /// `yarn.workflow-id.tag-prefix`: the prefix of tags that name a workflow.
    pub workflow_tag_prefix: String,
    /// `yarn.cluster.max-application-priority`: every priority is capped at it.
    pub maximum_application_priority: i32,
    /// `yarn.acl.enable`.
    pub acl_enabled: bool,
    /// `yarn.admin.acl`.
    pub admin_acl: Acl,
    /// `yarn.resourcemanager.node-labels.am.allow-non-exclusive-allocation`.
    pub am_allow_non_exclusive: bool,
    pub labels: Vec<NodeLabel>,
    /// `auto-queue-creation-v2.queue-expiration-time`, seconds.
    pub queue_expiration_s: i64,
    /// The policies that run in rounds beside the scheduler.
    pub monitors: Monitors,
    /// The queues: each parent before its children, children in configured order; root is the first.
    pub queues: Vec<QueueConf>,
    configured_labels: ConfiguredLabels,
    /// Keys that dynamic queues were given; Hadoop's templates and user weights ignore them.
    given: BTreeSet<String>,
    conf: Conf,
}

/// Asynchronous scheduling (`schedule-asynchronously.*`).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AsyncConf {
    /// `enable`; since 3.5.0 true by default.
    pub enabled: bool,
    /// Whether `enable` is set explicitly.
    pub written: bool,
    /// `maximum-threads`.
    pub threads: i32,
    /// `maximum-pending-backlogs`.
    pub maximum_backlogs: i32,
    /// `scheduling-interval-ms`: pause after each walk over all nodes.
    pub interval_ms: i64,
}

impl Default for AsyncConf {
    fn default() -> Self {
        AsyncConf {
            enabled: false,
            written: false,
            threads: global::THREADS.default(),
            maximum_backlogs: global::BACKLOGS.default(),
            interval_ms: global::INTERVAL.default(),
        }
    }
}

/// Multi-node placement (`multi-node-*`).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MultiNodeConf {
    /// `multi-node-placement-enabled`.
    pub enabled: bool,
    /// `multi-node-sorting.policy`: the default policy's name.
    pub default_policy: Option<String>,
    /// `multi-node-sorting.policy.names` with their classes and intervals.
    pub policies: Vec<SortingPolicy>,
    /// `skip-allocate-on-nodes-with-reserved-containers`.
    pub skip_reserved_nodes: bool,
}

/// A policy that sorts candidate nodes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SortingPolicy {
    /// Its class as written, by which queues refer to it.
    pub class: String,
    /// The interval between sorts, ms; 0: sorts at each use.
    pub interval_ms: i64,
}

/// The configuration of the queue mapping.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct MappingConf {
    /// `queue-mappings-override.enable`.
    pub override_queue: bool,
    pub rules: MappingText,
}

/// The rules of the queue mapping, before they are parsed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum MappingText {
    /// `queue-mappings`, then `yarn.scheduler.queue-placement-rules.app-name`: entries, trimmed.
    Legacy {
        /// `u:…` and `g:…` entries.
        users: Vec<String>,
        /// `application:queue` entries.
        applications: Vec<String>,
    },
    /// `mapping-rule-json`.
    Json(String),
}

impl Default for MappingText {
    fn default() -> Self {
        MappingText::Legacy { users: Vec::new(), applications: Vec::new() }
    }
}

/// An entry of `workflow-priority-mappings`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WorkflowPriority {
    /// The workflow (application tag `workflowid:…`).
    pub workflow: String,
    /// Full path of the queue.
    pub queue: String,
    pub priority: i32,
}

/// Who is allowed to do something: `user,user group,group`, or `*`.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Acl {
    /// `*`.
    pub everybody: bool,
    /// Users by name.
    pub users: Vec<String>,
    /// Groups by name.
    pub groups: Vec<String>,
}

/// An entry of `acl_application_max_priority`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PriorityAcl {
    /// The users and groups that it applies to.
    pub who: Acl,
    /// The highest priority that they may use.
    pub max_priority: i32,
    /// The priority of applications that name none.
    pub default_priority: i32,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum QueueKind {
    /// Holds applications.
    Leaf,
    /// Divides capacity; `auto-queue-creation-v2.enabled` may be on.
    Parent,
    /// `auto-create-child-queue.enabled`: a v1 managed parent.
    ManagedParent,
    /// A leaf below a managed parent, created by v1 auto-creation.
    AutoCreatedLeaf,
}

impl QueueKind {
    /// Returns whether it holds applications.
    pub fn is_leaf(self) -> bool {
        matches!(self, QueueKind::Leaf | QueueKind::AutoCreatedLeaf)
    }
}

/// A number that YARN reads only where it needs it, not with the settings. `Err`: what it throws then.
pub type Late = Result<i32, Refusal>;

/// `<q>.state`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ConfiguredState {
    Running,
    Stopped,
}

/// The order of a leaf's applications.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub enum LeafOrdering {
    /// `fifo`: priority, then submission.
    #[default]
    Fifo,
    /// `fair`: least used memory first.
    Fair {
        /// `ordering-policy.fair.enable-size-based-weight`.
        size_based_weight: bool,
    },
    /// `fifo-with-partitions`: like fifo, separately for each exclusive-enforced partition.
    FifoWithPartitions {
        /// `ordering-policy.exclusive-enforced-partitions`.
        partitions: Vec<String>,
    },
    /// `fifo-for-pending-apps`.
    FifoForPending,
}

/// The order of a parent's children.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum ParentOrdering {
    /// `utilization`.
    #[default]
    Utilization,
    /// `priority-utilization`.
    PriorityUtilization,
}

/// A capacity as the legacy queue mode parses it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Capacity {
    /// Percent of the parent, 0 to 100.
    Percent(f32),
    /// A weight among the siblings, 0 to 10000.
    Weight(f32),
    /// Absolute resources; all 0 if the text has the absolute form without effect (no memory in it).
    Absolute(Resource),
}

/// A maximum capacity as the legacy queue mode parses it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Maximum {
    /// Percent of the parent's maximum.
    Percent(f32),
    /// Absolute resources; all 0: the parent's maximum applies.
    Absolute(Resource),
}

/// A queue's settings for one partition.
#[derive(Clone, Debug, PartialEq)]
pub struct PartitionConf {
    /// Whether YARN skips it when it checks the children's capacities, because root's capacity for a label is not a
    /// plain number.
    pub unchecked: bool,
    /// Its capacity (legacy queue mode).
    pub capacity: Capacity,
    /// Its maximum (legacy queue mode).
    pub maximum: Maximum,
    /// Its capacity (vector mode).
    pub capacity_vector: CapacityVector,
    /// Its maximum (vector mode).
    pub maximum_vector: CapacityVector,
    /// The share of the partition that AMs may use, a fraction.
    pub am_percent: f32,
}

/// The labels that a queue may use.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LabelAccess {
    /// `*`.
    pub any: bool,
    /// Labels by name, in order.
    pub labels: Vec<String>,
}

impl LabelAccess {
    /// Returns whether the queue may use this label. It may always use the default partition (``""``).
    pub fn has(&self, label: &str) -> bool {
        label.is_empty() || self.any || self.labels.iter().any(|l| l == label)
    }
}

#[derive(Clone, Debug, PartialEq)]
pub struct QueueConf {
    /// Full path, `root.a.a1`.
    pub path: String,
    /// The index in the path at which its own name begins.
    pub name_at: usize,
    /// The place of the parent in [`CapacityConf::queues`]; `None` for root.
    pub parent: Option<usize>,
    /// The places of the children in [`CapacityConf::queues`], in configured order.
    pub children: Vec<usize>,
    /// Leaf or parent.
    pub kind: QueueKind,
    /// Whether it was created by v2 auto-creation, not by the file.
    pub dynamic: bool,
    /// The labels that it may use.
    pub access: LabelAccess,
    /// Settings by partition name, with `""` for the default one: only the partitions configured for this queue. In
    /// others capacity and maximum are 0.
    pub partitions: IndexMap<String, PartitionConf>,
    /// `maximum-am-resource-percent`, a fraction; also applies to partitions not in `partitions`.
    pub am_percent: f32,
    /// `default-node-label-expression`, possibly inherited.
    pub default_label: Option<String>,
    /// `minimum-user-limit-percent`.
    pub user_limit_percent: f32,
    /// `user-limit-factor`; exactly −1: no cap.
    pub user_limit_factor: f32,
    /// `user-settings.<u>.weight`, including the parents'.
    pub user_weights: SortedMap<String, f32>,
    /// `state`, if set.
    pub state: Option<ConfiguredState>,
    /// `maximum-applications`, if set.
    pub maximum_applications: Option<i32>,
    /// `max-parallel-apps`.
    pub max_parallel_apps: i32,
    /// The order of applications (leaf).
    pub leaf_ordering: LeafOrdering,
    /// The order of children (parent).
    pub parent_ordering: ParentOrdering,
    /// `priority` among the siblings.
    pub priority: i32,
    /// `default-application-priority`.
    pub default_application_priority: i32,
    /// The maximum allocation of this queue.
    pub maximum_allocation: Resource,
    /// `allow-zero-capacity-sum`.
    pub allow_zero_capacity_sum: bool,
    /// `acl_submit_applications` of this queue only.
    pub submit_acl: Acl,
    /// `acl_administer_queue` of this queue only.
    pub administer_acl: Acl,
    /// `acl_application_max_priority`.
    pub priority_acls: Vec<PriorityAcl>,
    /// `disable_preemption`, inherited.
    pub preemption_disabled: bool,
    /// `intra-queue-preemption.disable_preemption`, inherited.
    pub intra_queue_preemption_disabled: bool,
    /// `maximum-application-lifetime`, seconds; −1: none.
    pub maximum_lifetime_s: i64,
    /// `default-application-lifetime`, seconds; −1: none.
    pub default_lifetime_s: i64,
    /// Whether `default-application-lifetime` is set here or for a parent.
    pub default_lifetime_given: bool,
    /// The class of `multi-node-sorting.policy`, else of the global one.
    pub sorting_policy: Option<String>,
    /// v1 auto-creation (`auto-create-child-queue.*`), for a managed parent.
    pub auto_create_v1: Option<AutoCreateV1>,
    /// v2 auto-creation (`auto-queue-creation-v2.*`).
    pub auto_create_v2: AutoCreateV2,
}

/// v1 auto-creation of leaves below a managed parent.
#[derive(Clone, Debug, PartialEq)]
pub struct AutoCreateV1 {
    /// `max-queues`.
    pub max_queues: Late,
    /// `fail-on-exceeding-parent-capacity`.
    pub fail_on_exceeding_parent_capacity: bool,
    /// Capacities of `leaf-queue-template.*` by partition.
    pub template: IndexMap<String, PartitionConf>,
}

/// v2 (flexible) auto-creation below a queue.
#[derive(Clone, Debug, PartialEq)]
pub struct AutoCreateV2 {
    /// `enabled`.
    pub enabled: bool,
    /// `max-queues`: the maximum number of children, including static ones.
    pub max_queues: Late,
    /// `maximum-queue-depth`: the levels that may be created below the nearest static parent.
    pub max_depth: Late,
    /// `queue-auto-removal.enable` of this queue.
    pub auto_removal: bool,
}

impl QueueConf {
    /// The name in its parent's list: mostly the last segment of the path, but a name may contain dots.
    pub fn name(&self) -> &str {
        self.path.get(self.name_at..).unwrap_or(&self.path)
    }

    /// The settings for a partition, if it is configured there.
    pub fn partition(&self, label: &str) -> Option<&PartitionConf> {
        self.partitions.get(label)
    }

    /// The AM share in a partition, a fraction.
    pub fn am_percent(&self, label: &str) -> f32 {
        self.partitions.get(label).map_or(self.am_percent, |p| p.am_percent)
    }
}

/// Parses a queue's capacity in legacy queue mode. Errors: Hadoop's message.
pub fn capacity_of(text: Option<&str>, queue: &str, label: &str, types: &ResourceTypes) -> Result<Capacity, Refusal> {
    vector::legacy_capacity(text, queue, label, types)
}

/// Parses a queue's maximum capacity in legacy queue mode. Errors: Hadoop's message.
pub fn maximum_of(text: Option<&str>, queue: &str, label: &str, types: &ResourceTypes) -> Result<Maximum, Refusal> {
    vector::legacy_maximum(text, queue, label, types)
}

impl CapacityConf {
    /// Reads the settings as a starting ResourceManager does.
    ///
    /// `capacity_scheduler` overrides `yarn_site`. Errors: what Hadoop refuses first, with the message of its root
    /// cause (capacity-scheduler.md 2.3, formats.md 2.3).
    pub fn read(
        capacity_scheduler: &Properties,
        yarn_site: &Properties,
        labels: &[NodeLabel],
    ) -> Result<CapacityConf, Refusal> {
        read::read(capacity_scheduler, yarn_site, labels, &read::FRESH)
    }

    /// Reads the settings as a running ResourceManager does at a refresh. Does not check what the refresh also compares
    /// with the existing queues. Errors: like [`CapacityConf::read`].
    pub fn read_running(
        capacity_scheduler: &Properties,
        yarn_site: &Properties,
        labels: &[NodeLabel],
        running: &Running<'_>,
    ) -> Result<CapacityConf, Refusal> {
        read::read(capacity_scheduler, yarn_site, labels, running)
    }

    /// The place of a queue by its full path.
    pub fn find(&self, path: &str) -> Option<usize> {
        self.queues.iter().position(|q| q.path == path)
    }

    /// The properties from which it was read.
    pub fn properties(&self) -> &Conf {
        &self.conf
    }
}
