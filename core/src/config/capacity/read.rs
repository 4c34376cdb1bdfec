//! Builds the tree of queues from properties (CapacityScheduler.initScheduler, CapacitySchedulerQueueManager.parseQueue
//! of Hadoop 3.5.0), and adds queues that are created later.

use super::global;
use super::labels::ConfiguredLabels;
use super::monitors::Monitors;
use super::queue::{Plan, Scope, global_most, read_queue};
use super::tree_rules::{Cluster, check_children};
use super::{Acl, AsyncConf, CapacityConf, PREFIX, QueueConf, QueueKind, ROOT, Templates, template};
use crate::api::{NodeLabel, Properties, Refusal, SettingsRule};
use crate::config::properties::Key;
use crate::config::resource_text::{Allocations, allocations};
use crate::config::values::{Conf, list, parse_float, trim};
use crate::model::java::walk_by;
use crate::model::limits::{QUEUE_DEPTH, QUEUES};
use crate::model::{Calculator, Resource, SortedMap};
use std::collections::BTreeSet;

type Read<T> = Result<T, Refusal>;

/// The state of a running ResourceManager that Hadoop's checks read at a refresh.
pub struct Running<'a> {
    /// Total of all nodes.
    pub cluster: Resource,
    /// The total of the nodes with a label.
    pub partition_total: &'a dyn Fn(&str) -> Resource,
    /// Whether the queue with this path is a parent created by v2 auto-creation.
    pub is_dynamic_parent: &'a dyn Fn(&str) -> bool,
    /// The settings so far: some are read only at a start.
    pub kept: Option<&'a CapacityConf>,
}

const MOST_APPLICATIONS: Key<i32> = Key::scheduler("maximum-applications");
const MOST_ASSIGNMENTS: Key<i32> = Key::scheduler("per-node-heartbeat.maximum-container-assignments");
const MOST_OFF_SWITCH: Key<i32> = Key::scheduler("per-node-heartbeat.maximum-offswitch-assignments");

/// A ResourceManager that has just started: no nodes, no dynamic queues.
pub(super) const FRESH: Running<'static> = Running {
    cluster: Resource::ZERO,
    partition_total: &|_| Resource::ZERO,
    is_dynamic_parent: &|_| false,
    kept: None,
};

pub(super) fn read(
    capacity_scheduler: &Properties,
    yarn_site: &Properties,
    labels: &[NodeLabel],
    running: &Running<'_>,
) -> Read<CapacityConf> {
    let conf = Conf::layered(yarn_site, capacity_scheduler);
    global::check_manager(&conf)?;
    global::check_allocations(&conf)?;
    let allocations = allocations(&conf)?;
    let kept = running.kept;
    // Only a start reads it: a refresh keeps the calculator, whatever class the file names
    // (CapacityScheduler.reinitialize).
    let calculator = match kept {
        Some(kept) => Calculator::new(kept.calculator, &allocations.types),
        None => global::calculator(&conf, &allocations)?,
    };
    let Allocations { types, minimum, maximum } = allocations;
    let multi_node = global::multi_node(&conf)?;
    let mut out = CapacityConf {
        calculator: calculator.kind,
        legacy_queue_mode: conf.get(const { Key::<bool>::scheduler("legacy-queue-mode.enabled") })?,
        minimum_allocation: minimum,
        maximum_allocation: maximum,
        maximum_applications: MOST_APPLICATIONS.default(),
        global_queue_max_applications: global_most(&conf).ok().filter(|n| *n > 0),
        node_locality_delay: global::NODE_DELAY.default(),
        rack_locality_additional_delay: global::RACK_DELAY.default(),
        rack_locality_full_reset: global::FULL_RESET.default(),
        reservations_continue_look: conf
            .get(const { Key::<bool>::scheduler("reservations-continue-look-all-nodes") })?,
        multiple_assignments: conf
            .get(const { Key::<bool>::scheduler("per-node-heartbeat.multiple-assignments-enabled") })?,
        maximum_container_assignments: MOST_ASSIGNMENTS.default(),
        maximum_offswitch_assignments: MOST_OFF_SWITCH.default(),
        asynchronous: kept.map_or_else(AsyncConf::default, |k| k.asynchronous),
        multi_node,
        lazy_preemption: conf.get(const { Key::<bool>::scheduler("lazy-preemption-enabled") })?,
        user_max_parallel_apps: conf.get(const { Key::<i32>::scheduler("user.max-parallel-apps") }),
        users_max_parallel_apps: global::users_parallel_apps(&conf),
        mapping: Default::default(),
        workflow_priorities: Vec::new(),
        workflow_priorities_override: conf
            .get(const { Key::<bool>::scheduler("workflow-priority-mappings-override.enable") })?,
        workflow_tag_prefix: conf.text("yarn.workflow-id.tag-prefix")?.unwrap_or_else(|| "workflowid:".into()),
        maximum_application_priority: conf.get(const { Key::<i32>::site("yarn.cluster.max-application-priority") })?,
        acl_enabled: conf.get(const { Key::<bool>::site("yarn.acl.enable") })?,
        admin_acl: Acl::parse(conf.text("yarn.admin.acl")?.as_deref().unwrap_or("*")),
        am_allow_non_exclusive: conf
            .get(const { Key::<bool>::site("yarn.resourcemanager.node-labels.am.allow-non-exclusive-allocation") })?,
        labels: labels.to_vec(),
        queue_expiration_s: conf
            .get(const { Key::<i64>::scheduler("auto-queue-creation-v2.queue-expiration-time") })?,
        monitors: Monitors::read(&conf, kept.map(|k| &k.monitors))?,
        queues: Vec::new(),
        configured_labels: ConfiguredLabels::of(conf.map())?,
        types,
        given: BTreeSet::new(),
        conf,
    };
    let weights = user_weights(&out.conf, &out.given)?;
    let queues = Tree::new(&out, calculator, &weights, running).read()?;
    out.queues = queues;
    // Settings that are read after the queues, and those that only a start reads.
    (out.node_locality_delay, out.rack_locality_additional_delay, out.rack_locality_full_reset) =
        global::locality(&out.conf)?;
    out.maximum_applications = out.conf.get(MOST_APPLICATIONS)?;
    out.mapping = global::mapping(&out.conf)?;
    super::mapping::mapping_rules(&out.mapping)?;
    out.maximum_container_assignments = out.conf.get(MOST_ASSIGNMENTS)?;
    if kept.is_none() {
        out.asynchronous = global::asynchronous(&out.conf)?;
    }
    let offswitch = out.conf.get(MOST_OFF_SWITCH)?;
    out.maximum_offswitch_assignments = offswitch.max(1);
    match kept {
        None => out.multi_node.policies = global::sorting_policies(&out.conf)?,
        Some(kept) => {
            out.multi_node.enabled = kept.multi_node.enabled;
            out.multi_node.policies = kept.multi_node.policies.clone();
        }
    }
    out.workflow_priorities = global::workflow_priorities(&out.conf)?;
    Ok(out)
}

/// All `<q>.user-settings.<user>.weight` by queue path. Errors: an invalid number.
fn user_weights(conf: &Conf, given: &BTreeSet<String>) -> Read<SortedMap<String, Vec<(String, f32)>>> {
    let mut out: SortedMap<String, Vec<(String, f32)>> = SortedMap::default();
    for key in conf.map().keys().filter(|k| !given.contains(*k)) {
        let Some((path, rest)) = key.strip_prefix(PREFIX).and_then(|k| k.split_once(".user-settings.")) else {
            continue;
        };
        let Some(at) = rest.find(".weight").filter(|at| rest[..*at].ends_with(|c: char| !c.is_whitespace())) else {
            continue;
        };
        let user = format!("{}{}", &rest[..at], &rest[at + ".weight".len()..]);
        if let Some(text) = conf.text(key)? {
            out.or_default(path.to_string()).push((user, parse_float(&text)?));
        }
    }
    Ok(out)
}

/// The names of a queue's children, trimmed, as written.
fn children_of(conf: &Conf, path: &str) -> Read<Vec<String>> {
    let text = conf.text(&format!("{PREFIX}{path}.queues"))?;
    Ok(text.map_or_else(Vec::new, |t| list(&t).iter().map(|n| trim(n).to_string()).collect()))
}

/// The tree during the reading.
struct Tree<'a> {
    out: &'a CapacityConf,
    scope: Scope<'a>,
    running: &'a Running<'a>,
    queues: Vec<QueueConf>,
}

impl<'a> Tree<'a> {
    fn new(
        out: &'a CapacityConf,
        calculator: Calculator,
        user_weights: &'a SortedMap<String, Vec<(String, f32)>>,
        running: &'a Running<'a>,
    ) -> Self {
        Tree { out, scope: out.scope(calculator, user_weights, running.cluster), running, queues: Vec::new() }
    }

    fn read(mut self) -> Read<Vec<QueueConf>> {
        self.read_below(None, ROOT.to_string(), 1)?;
        if self.running.kept.is_some() && self.out.legacy_queue_mode {
            self.check_in_map_order()?;
        }
        Ok(self.queues)
    }

    /// Checks the children of each parent again, in the order of a Java map, as a refresh does
    /// (ParentQueue.reinitialize).
    fn check_in_map_order(&self) -> Read<()> {
        let cluster = self.cluster();
        for parent in self.queues.iter().filter(|q| q.kind == QueueKind::Parent && !q.children.is_empty()) {
            let children: Vec<&QueueConf> = parent.children.iter().map(|c| &self.queues[*c]).collect();
            let children = walk_by(&children, |q| &q.path);
            check_children(parent, &children, &cluster)?;
        }
        Ok(())
    }

    fn cluster(&self) -> Cluster<'_> {
        Cluster { types: self.scope.types, calculator: self.scope.calculator, total: self.running.partition_total }
    }

    /// Reads a queue and everything below it; depth is limited, so recursion is safe.
    fn read_below(&mut self, parent: Option<usize>, path: String, depth: usize) -> Read<usize> {
        if depth > QUEUE_DEPTH || self.queues.len() >= QUEUES {
            return Err(Refusal::new(format!(
                "Queue {path} is beyond what this simulation takes: at most {QUEUES} queues, {QUEUE_DEPTH} levels"
            )));
        }
        let conf = self.scope.conf;
        let names = children_of(conf, &path)?;
        let reservable = conf.get_of(&path, const { Key::<bool>::queue("reservable") })?;
        let v1 = conf.get_of(&path, const { Key::<bool>::queue("auto-create-child-queue.enabled") })?;
        let v2 = conf.get_of(&path, const { Key::<bool>::queue("auto-queue-creation-v2.enabled") })?;
        let creates = v1 || v2 || (self.running.is_dynamic_parent)(&path);
        let kind = if names.is_empty() && !creates {
            if parent.is_none() {
                return Err(Refusal::of(
                    SettingsRule::NoChildNames,
                    format!("Queue configuration missing child queue names for {path}"),
                ));
            }
            QueueKind::Leaf
        } else if reservable {
            return Err(Refusal::of(
                SettingsRule::Reservable,
                format!("Only Leaf Queues can be reservable for {path}"),
            ));
        } else if v1 {
            QueueKind::ManagedParent
        } else {
            QueueKind::Parent
        };
        let plan = Plan { path, parent: parent.map(|p| (p, &self.queues[p])), kind, dynamic: false };
        let queue = read_queue(&self.scope, plan)?;
        self.check_state(&queue)?;
        let place = self.queues.len();
        let path = queue.path.clone();
        self.queues.push(queue);
        let mut children: Vec<usize> = Vec::new();
        let mut repeated: Vec<usize> = Vec::new();
        for name in names {
            let child = format!("{path}.{name}");
            // A name listed twice is one queue, but Hadoop counts its capacity twice.
            if let Some(again) = children.iter().find(|c| self.queues[**c].path == child) {
                repeated.push(*again);
                continue;
            }
            let child = self.read_below(Some(place), child, depth + 1)?;
            children.push(child);
        }
        if !children.is_empty() && self.out.legacy_queue_mode {
            let below: Vec<&QueueConf> = children.iter().chain(&repeated).map(|c| &self.queues[*c]).collect();
            check_children(&self.queues[place], &below, &self.cluster())?;
        }
        self.queues[place].children = children;
        Ok(place)
    }

    /// Refuses a RUNNING queue below one that is not, as a first load does (QueueStateHelper.initializeState).
    fn check_state(&self, queue: &QueueConf) -> Read<()> {
        use super::ConfiguredState::{Running, Stopped};
        let mut above = queue.parent;
        let mut nearest = None;
        while let (None, Some(place)) = (nearest, above) {
            nearest = self.queues[place].state;
            above = self.queues[place].parent;
        }
        if let (Some(Running), Some(Stopped), Some(parent)) = (queue.state, nearest, queue.parent) {
            return Err(Refusal::of(
                SettingsRule::StoppedBelow,
                format!(
                    "The parent queue:{} cannot be STOPPED as the child queue:{} is in RUNNING state.",
                    self.queues[parent].path, queue.path
                ),
            ));
        }
        Ok(())
    }
}

/// Properties that v2 auto-creation gives every leaf, unless a template sets them
/// (AbstractLeafQueue.setDynamicQueueProperties).
const GIVEN: [(&str, &str); 2] = [("user-limit-factor", "-1.0"), ("maximum-am-resource-percent", "1.0")];

/// The value of a property that v2 auto-creation gives a leaf, unless a template sets it.
pub fn given_to_auto_created(property: &str) -> Option<&'static str> {
    GIVEN.iter().find(|(name, _)| *name == property).map(|(_, value)| *value)
}

impl CapacityConf {
    fn scope<'a>(
        &'a self,
        calculator: Calculator,
        user_weights: &'a SortedMap<String, Vec<(String, f32)>>,
        cluster: Resource,
    ) -> Scope<'a> {
        Scope {
            conf: &self.conf,
            types: &self.types,
            calculator,
            cluster,
            maximum_allocation: self.maximum_allocation,
            legacy: self.legacy_queue_mode,
            multi_node: &self.multi_node,
            monitors: self.monitors.on,
            labels: &self.configured_labels,
            user_weights,
        }
    }

    /// Adds a queue while the ResourceManager runs: gives it its parent's template properties (v1
    /// `leaf-queue-template`, v2 `auto-queue-creation-v2.*template`), reads it and appends it to the parent's children.
    /// Returns its place. Does not check whether it may be created (see the scheduler's auto-creation). Errors: a
    /// template that Hadoop refuses.
    pub fn add_dynamic_queue(
        &mut self,
        parent: usize,
        path: &str,
        is_leaf: bool,
        cluster: Resource,
    ) -> Result<usize, Refusal> {
        let Some(parent_conf) = self.queues.get(parent) else {
            return Err(Refusal::new(format!("Could not auto-create queue {path} parent queue does not exist.")));
        };
        let parent_path = parent_conf.path.clone();
        let kind = match parent_conf.kind {
            QueueKind::ManagedParent => QueueKind::AutoCreatedLeaf,
            _ if is_leaf => QueueKind::Leaf,
            _ => QueueKind::Parent,
        };
        let v1 = kind == QueueKind::AutoCreatedLeaf;
        let template = if v1 { "leaf-queue-template" } else { "auto-queue-creation-v2.template" };
        let taken = if v1 {
            template::of_v1(&self.conf, &parent_path)
        } else {
            let templates = self.templates(&parent_path)?;
            let own = |key: &str| {
                let key = format!("{PREFIX}{path}.{key}");
                self.conf.map().contains_key(&key) && !self.given.contains(&key)
            };
            let before = GIVEN.iter().filter(|_| is_leaf).map(|(k, v)| (k.to_string(), v.to_string()));
            let from_template = templates.for_child(is_leaf).filter(|(k, _)| !own(k));
            before.chain(from_template.map(|(k, v)| (k.clone(), v.clone()))).collect()
        };
        for (key, value) in taken {
            let key = format!("{PREFIX}{path}.{key}");
            self.conf.set(key.clone(), value);
            self.given.insert(key);
        }
        let (submit, administer) = self.template_acls(&parent_path, is_leaf)?;
        let template_labels = format!("{parent_path}.{template}");
        self.configured_labels.copy(&template_labels, path);
        let weights = user_weights(&self.conf, &self.given)?;
        let calculator = Calculator::new(self.calculator, &self.types);
        let scope = self.scope(calculator, &weights, cluster);
        let parent_conf = self.queues.get(parent).map(|q| (parent, q));
        let plan = Plan { path: path.to_string(), parent: parent_conf, kind, dynamic: !v1 };
        let mut queue = read_queue(&scope, plan)?;
        // The ACLs of an auto-created queue come from the templates only.
        queue.submit_acl = submit;
        queue.administer_acl = administer;
        let place = self.queues.len();
        self.queues.push(queue);
        if let Some(parent) = self.queues.get_mut(parent) {
            parent.children.push(place);
        }
        Ok(place)
    }

    /// Checks a queue's children, in this order, when some were created while the ResourceManager ran. Errors: as for
    /// configured ones.
    pub(crate) fn check_children_of(
        &self,
        place: usize,
        children: &[usize],
        partition_total: &dyn Fn(&str) -> Resource,
    ) -> Result<(), Refusal> {
        let calculator = Calculator::new(self.calculator, &self.types);
        let below: Vec<&QueueConf> = children.iter().filter_map(|k| self.queues.get(*k)).collect();
        let cluster = Cluster { types: &self.types, calculator, total: partition_total };
        self.queues.get(place).map_or(Ok(()), |parent| check_children(parent, &below, &cluster))
    }

    /// Removes a queue without children that was created while the ResourceManager ran; later places move up.
    pub(crate) fn remove_queue(&mut self, place: usize) {
        self.queues.remove(place);
        for q in &mut self.queues {
            q.parent = q.parent.map(|p| if p > place { p - 1 } else { p });
            q.children.retain(|k| *k != place);
            q.children.iter_mut().for_each(|k| *k -= usize::from(*k > place));
        }
    }

    /// The v2 templates for children of a path. Errors: an invalid depth.
    pub fn templates(&self, path: &str) -> Result<Templates, Refusal> {
        Templates::of(&self.conf, &self.given, path)
    }

    /// The keys that may set a property of a queue of this kind that is auto-created below `parent`, the most specific
    /// first.
    pub fn template_keys(&self, parent: &str, property: &str, child: QueueKind) -> Vec<String> {
        match child {
            QueueKind::AutoCreatedLeaf => vec![format!("{PREFIX}{parent}.leaf-queue-template.{property}")],
            QueueKind::Leaf | QueueKind::Parent | QueueKind::ManagedParent => {
                template::keys(&self.conf, parent, property, child.is_leaf())
            }
        }
    }

    /// The submission and administration ACLs that a child of the queue `parent` would get at its creation; nobody if
    /// no template sets them. Errors: like [`CapacityConf::templates`].
    pub fn template_acls(&self, parent: &str, is_leaf: bool) -> Result<(Acl, Acl), Refusal> {
        let v1 = self.find(parent).and_then(|p| self.queues.get(p)).is_some_and(|q| q.kind == QueueKind::ManagedParent);
        let templates = self.templates(parent)?;
        let acl = |name: &str| -> Acl {
            let text = if v1 {
                self.conf.raw(&format!("{PREFIX}{parent}.leaf-queue-template.{name}"))
            } else {
                let own = if is_leaf { &templates.leaf } else { &templates.parent };
                own.get(name).or_else(|| templates.any.get(name)).map(String::as_str)
            };
            Acl::parse(text.unwrap_or(" "))
        };
        Ok((acl("acl_submit_applications"), acl("acl_administer_queue")))
    }
}
