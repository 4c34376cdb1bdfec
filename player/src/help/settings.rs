//! Candidate changes of settings: properties of capacity-scheduler.xml, each at the place that decides.

use super::knobs::{CandidateChange, CandidateKind, RequestContext};
use crate::explain::waits::of_check::BlockingCondition;
use heddle_core::config::capacity::{PREFIX, QueueKind};
use heddle_core::model::QueueId;
use heddle_core::scheduler::Scheduler;

/// The largest user-limit-factor tried if the queue has no guarantee to compare its maximum with.
const FACTOR_MOST: f64 = 100.0;

/// Returns a float's decimal digits: 0.1 stored as a float is 0.1.
pub(super) fn decimal(x: f32) -> f64 {
    x.to_string().parse().unwrap_or(0.0)
}

impl RequestContext<'_> {
    /// Returns candidate settings against a blocking condition, the likeliest first.
    pub(super) fn settings(&self, hold: BlockingCondition) -> Vec<CandidateChange> {
        match self.names.rm().scheduler() {
            Scheduler::Capacity(_) => self.capacity(hold),
            Scheduler::Fair(_) => self.fair(hold),
            Scheduler::Fifo(_) => Vec::new(),
        }
    }

    fn capacity(&self, hold: BlockingCondition) -> Vec<CandidateChange> {
        let leaf = self.leaf();
        let mut out: Vec<Option<CandidateChange>> = Vec::new();
        match hold {
            BlockingCondition::Parallel(queue) => out.push(self.parallel(queue)),
            BlockingCondition::ParallelOfUser => out.push(self.parallel_of_user()),
            BlockingCondition::AmLimit => out.extend([self.masters(), self.maximum(leaf), self.capacity_of(leaf)]),
            BlockingCondition::UserAmLimit => {
                out.extend([self.masters(), self.factor(), self.least(), self.capacity_of(leaf)])
            }
            BlockingCondition::UserLimit => {
                out.extend([self.weight(), self.factor(), self.least(), self.capacity_of(leaf)])
            }
            BlockingCondition::QueueMax(queue) => out.extend([self.maximum(queue), self.fewer_masters()]),
            BlockingCondition::LeftByParent(queue) => {
                out.extend(self.path(queue).into_iter().skip(1).map(|q| self.maximum(q)));
                out.push(self.capacity_of(queue));
            }
            BlockingCondition::Headroom | BlockingCondition::Behind(_) => {
                out.extend(self.path(leaf).into_iter().map(|q| self.maximum(q)))
            }
            BlockingCondition::EnoughHeld => out.push(Some(self.flag("reservations-continue-look-all-nodes", "true"))),
            BlockingCondition::Label => {
                out.push(self.access());
                out.extend(self.path(leaf).into_iter().map(|q| self.maximum(q)));
            }
            BlockingCondition::Delay => out.extend(self.delays()),
            BlockingCondition::Room => out.extend([self.sorted_nodes(), self.fewer_masters()]),
            BlockingCondition::AmShare
            | BlockingCondition::MaxShare(_)
            | BlockingCondition::Demand
            | BlockingCondition::NoRelax
            | BlockingCondition::Blacklist
            | BlockingCondition::Constraint => {}
        }
        out.into_iter().flatten().collect()
    }

    /// Returns the key of a queue's property; for an auto-created queue that of its template.
    fn key_of(&self, queue: QueueId, property: &str) -> String {
        let rm = self.names.rm();
        let path = self.names.queue(queue);
        let made = rm.queues().get(queue.index()).map(|q| &q.conf);
        let made = made.filter(|conf| conf.dynamic || conf.kind == QueueKind::AutoCreatedLeaf);
        let own = format!("{path}.{property}");
        let Some((conf, (parent, _))) = made.zip(path.rsplit_once('.')).filter(|_| self.value(&own).is_none()) else {
            return own;
        };
        if conf.kind == QueueKind::AutoCreatedLeaf {
            return format!("{parent}.leaf-queue-template.{property}");
        }
        let keys = rm.capacity().map_or_else(Vec::new, |s| s.conf().template_keys(parent, property, conf.kind));
        let mut written =
            keys.iter().filter_map(|key| key.strip_prefix(PREFIX)).filter(|key| self.value(key).is_some());
        let template = || format!("{parent}.auto-queue-creation-v2.leaf-template.{property}");
        written.next().map_or_else(template, String::from)
    }

    /// Sets a policy that sorts nodes, because multi-node placement without one tries a single node.
    fn sorted_nodes(&self) -> Option<CandidateChange> {
        const NAME: &str = "resource-based";
        const CLASS: &str =
            "org.apache.hadoop.yarn.server.resourcemanager.scheduler.placement.ResourceUsageMultiNodeLookupPolicy";
        let conf = &self.names.rm().capacity()?.conf().multi_node;
        let policy = "multi-node-sorting.policy";
        let values = [
            (format!("{policy}.names"), NAME.to_string()),
            (format!("{policy}.{NAME}.class"), CLASS.to_string()),
            (policy.to_string(), NAME.to_string()),
        ];
        (conf.enabled && conf.policies.is_empty())
            .then(|| CandidateChange { most: 1, what: CandidateKind::Values(values.to_vec()) })
    }

    /// Gives its queue half of a label that a sibling has all of.
    pub(super) fn access_from_others(&self) -> Option<CandidateChange> {
        let label = self.names.partition(self.w.partition);
        let rm = self.names.rm();
        let leaf = self.leaf();
        let q = rm.queues().get(leaf.index()).filter(|_| !label.is_empty())?;
        let parent = rm.queues().get(rm.parent_of(leaf)?.index())?;
        let share = |q: QueueId| self.value(&self.of_label(q, "capacity")).and_then(|v| v.parse::<f64>().ok());
        let others = parent.children.iter().filter(|other| **other != leaf);
        let (from, has) = others.filter_map(|q| Some((*q, share(*q)?))).max_by(|a, b| a.1.total_cmp(&b.1))?;
        if share(leaf).unwrap_or(0.0) > 0.0 || has < 2.0 {
            return None;
        }
        let half = (has / 2.0).floor();
        let mut values = Vec::new();
        if !q.conf.access.has(label) {
            let mut labels = q.conf.access.labels.clone();
            labels.push(label.to_string());
            values.push((format!("{}.accessible-node-labels", q.path), labels.join(",")));
        }
        values.push((self.of_label(from, "capacity"), (has - half).to_string()));
        values.push((self.of_label(leaf, "capacity"), half.to_string()));
        let maximum = self.of_label(leaf, "maximum-capacity");
        if self.value(&maximum).is_some_and(|v| v.parse() == Ok(0.0)) {
            values.push((maximum, "100".to_string()));
        }
        Some(CandidateChange { most: 1, what: CandidateKind::Values(values) })
    }

    /// Returns a queue and those above it.
    fn path(&self, queue: QueueId) -> Vec<QueueId> {
        self.names.path_up(queue).collect()
    }

    /// Returns a property's value in force, by its short name.
    pub(super) fn value(&self, name: &str) -> Option<&str> {
        self.properties.get(&format!("{PREFIX}{name}")).map(|v| v.trim())
    }

    /// Returns a queue's property for the requested partition.
    fn of_label(&self, queue: QueueId, what: &str) -> String {
        let path = self.names.queue(queue);
        match self.names.partition(self.w.partition) {
            "" => format!("{path}.{what}"),
            label => format!("{path}.accessible-node-labels.{label}.{what}"),
        }
    }

    /// Allows more containers in one heartbeat: each setting that limits them to one, and both.
    pub(super) fn per_heartbeat(&self) -> Vec<CandidateChange> {
        /// The number of off-switch containers for each heartbeat.
        const MANY: &str = "10";
        if self.names.rm().fair().is_some_and(|fair| !fair.conf().assign_multiple) {
            return vec![self.flag("yarn.scheduler.fair.assignmultiple", "true")];
        }
        let Some(conf) = self.names.rm().capacity().map(|s| s.conf()) else { return Vec::new() };
        let key = |name: &str, value: &str| (format!("per-node-heartbeat.{name}"), value.to_string());
        let several = (!conf.multiple_assignments).then(|| key("multiple-assignments-enabled", "true"));
        let off_switch = (conf.maximum_offswitch_assignments == 1).then(|| key("maximum-offswitch-assignments", MANY));
        let both = several.clone().zip(off_switch.clone()).map(|(a, b)| vec![a, b]);
        let each = several.into_iter().chain(off_switch).map(|one| vec![one]);
        each.chain(both).map(|values| CandidateChange { most: 1, what: CandidateKind::Values(values) }).collect()
    }

    fn flag(&self, name: &str, value: &str) -> CandidateChange {
        CandidateChange { most: 1, what: CandidateKind::Values(vec![(name.to_string(), value.to_string())]) }
    }

    /// Changes a number from its present value towards `to`.
    fn number(&self, property: String, now: f64, to: f64, digits: u32) -> Option<CandidateChange> {
        let unit = 10f64.powi(digits as i32);
        let place = |x: f64| (x * unit + 1e-6).floor() as i64;
        let (start, end) = (place(now), place(to));
        let sign = if end < start { -1 } else { 1 };
        let most = (end - start).abs();
        (most > 0).then_some(CandidateChange { most, what: CandidateKind::Number { property, start, sign, digits } })
    }

    fn parallel(&self, queue: QueueId) -> Option<CandidateChange> {
        let q = self.names.rm().queues().get(queue.index())?;
        let now = f64::from(q.conf.max_parallel_apps);
        self.number(format!("{}.max-parallel-apps", q.path), now, now + self.names.scenario().apps.len() as f64, 0)
    }

    fn parallel_of_user(&self) -> Option<CandidateChange> {
        let conf = self.names.rm().capacity()?.conf();
        let user = self.user();
        let written = conf.users_max_parallel_apps.get(user).unwrap_or(&conf.user_max_parallel_apps);
        let now = written.as_ref().map_or(0.0, |n| f64::from(*n));
        self.number(format!("user.{user}.max-parallel-apps"), now, now + self.names.scenario().apps.len() as f64, 0)
    }

    /// Returns the AM share's property where it is set, and its value.
    fn master_share(&self) -> Option<(String, f64)> {
        let leaf = self.names.rm().queues().get(self.leaf().index())?;
        let label = self.names.partition(self.w.partition);
        let own = format!("{}.maximum-am-resource-percent", leaf.path);
        let name = match label {
            "" if self.value(&own).is_none() => "maximum-am-resource-percent".to_string(),
            _ => self.of_label(leaf.id, "maximum-am-resource-percent"),
        };
        Some((name, decimal(leaf.conf.am_percent(label))))
    }

    /// Raises the AM limit.
    fn masters(&self) -> Option<CandidateChange> {
        let (name, now) = self.master_share()?;
        self.number(name, now, 1.0, 2)
    }

    /// Lowers the AM limit: several AMs may fill the room that their own containers need.
    fn fewer_masters(&self) -> Option<CandidateChange> {
        let leaf = self.names.rm().queues().get(self.leaf().index())?.leaf.as_deref()?;
        let (name, now) = self.master_share()?;
        let several = leaf.active.len() > 1 && !self.w.am && now > 0.01;
        several.then(|| self.number(name, now, 0.01, 2)).flatten()
    }

    /// Raises the user's weight, if one lower than others' is set.
    fn weight(&self) -> Option<CandidateChange> {
        let leaf = self.names.rm().queues().get(self.leaf().index())?;
        let name = format!("{}.user-settings.{}.weight", leaf.path, self.user());
        let now = self.value(&name)?.parse::<f64>().ok().filter(|weight| (0.0..1.0).contains(weight))?;
        self.number(name, now, 1.0, 2)
    }

    fn factor(&self) -> Option<CandidateChange> {
        let leaf = self.names.rm().queues().get(self.leaf().index())?;
        let part = leaf.part(self.w.partition);
        let now = decimal(leaf.conf.user_limit_factor);
        let guarantee = part.shares.effective_min.memory_mb();
        // A factor beyond what the queue may use has no effect.
        let all = self.names.rm().partition_total(self.w.partition).memory_mb();
        let most = if guarantee > 0 { (all as f64 / guarantee as f64).ceil() } else { FACTOR_MOST };
        let name = self.key_of(leaf.id, "user-limit-factor");
        if now < 0.0 { None } else { self.number(name, now, most.min(FACTOR_MOST).max(now), 1) }
    }

    fn least(&self) -> Option<CandidateChange> {
        let leaf = self.names.rm().queues().get(self.leaf().index())?;
        let now = decimal(leaf.conf.user_limit_percent);
        self.number(self.key_of(leaf.id, "minimum-user-limit-percent"), now, 100.0, 0)
    }

    /// Raises a queue's maximum for the partition, in percent or in amounts as it is set.
    fn maximum(&self, queue: QueueId) -> Option<CandidateChange> {
        let rm = self.names.rm();
        let parent = rm.parent_of(queue)?;
        // An auto-created queue has its template's property.
        let property = match self.names.partition(self.w.partition) {
            "" => self.key_of(queue, "maximum-capacity"),
            _ => self.of_label(queue, "maximum-capacity"),
        };
        let now = self.value(&property)?;
        if let Ok(percent) = now.parse::<f64>() {
            return (0.0..100.0).contains(&percent).then(|| self.number(property, percent, 100.0, 0)).flatten();
        }
        let part = |q: QueueId| Some(rm.queues().get(q.index())?.part(self.w.partition));
        let (used, from, to) =
            (part(queue)?.used, part(queue)?.shares.effective_max, part(parent)?.shares.effective_max);
        // The type in which one more container would exceed it.
        let types = rm.cluster().types.clone();
        let of = (0..types.len()).find(|i| used[*i] + self.w.size[*i] > from[*i]).unwrap_or(0);
        let step = if of == 0 { rm.cluster().minimum.memory_mb().max(1) } else { 1 };
        let most = (to[of] - from[of]) / step;
        let amounts = now.starts_with('[') && most > 0;
        amounts
            .then_some(CandidateChange { most, what: CandidateKind::Amounts { property, from, to, of, step, types } })
    }

    /// Raises a guarantee in percent, at the cost of the sibling with the most.
    fn capacity_of(&self, queue: QueueId) -> Option<CandidateChange> {
        let rm = self.names.rm();
        let parent = rm.queues().get(rm.parent_of(queue)?.index())?;
        let percent = |q: &QueueId| self.value(&self.of_label(*q, "capacity"))?.parse::<f64>().ok();
        let now = percent(&queue)?;
        let others = parent.children.iter().filter(|q| **q != queue);
        let shares: Vec<(QueueId, f64)> = others.map(|q| Some((*q, percent(q)?))).collect::<Option<_>>()?;
        let (from, has) = shares.into_iter().max_by(|a, b| a.1.total_cmp(&b.1).then(b.0.cmp(&a.0)))?;
        let maximum = self.value(&self.of_label(queue, "maximum-capacity")).and_then(|v| v.parse::<f64>().ok());
        let room = maximum.filter(|m| *m >= 0.0).map_or(100.0, |m| m - now);
        let most = (has - 1.0).min(room).floor() as i64;
        let (to, from) = (self.of_label(queue, "capacity"), self.of_label(from, "capacity"));
        (most > 0).then_some(CandidateChange { most, what: CandidateKind::Shift { to, now, from, has } })
    }

    /// Gives the label to its leaf and the queues above it, with all of its capacity where no sibling has a share.
    fn access(&self) -> Option<CandidateChange> {
        let label = self.names.partition(self.w.partition);
        if label.is_empty() {
            return None;
        }
        let rm = self.names.rm();
        let mut values = Vec::new();
        for queue in self.path(self.leaf()) {
            let q = rm.queues().get(queue.index())?;
            if !q.conf.access.has(label) {
                let mut labels = q.conf.access.labels.clone();
                labels.push(label.to_string());
                values.push((format!("{}.accessible-node-labels", q.path), labels.join(",")));
            }
            let share = |q: QueueId| self.value(&self.of_label(q, "capacity")).and_then(|v| v.parse::<f64>().ok());
            let siblings = rm.parent_of(queue).and_then(|p| rm.queues().get(p.index()));
            let taken = siblings.is_some_and(|p| p.children.iter().any(|c| share(*c).is_some_and(|s| s > 0.0)));
            if share(queue).unwrap_or(0.0) <= 0.0 && !taken {
                values.push((self.of_label(queue, "capacity"), "100".to_string()));
            }
            let maximum = self.of_label(queue, "maximum-capacity");
            if self.value(&maximum).is_some_and(|v| v.parse() == Ok(0.0)) {
                values.push((maximum, "100".to_string()));
            }
        }
        values.reverse();
        let access = values.iter().any(|(name, _)| !name.ends_with(".maximum-capacity"));
        access.then_some(CandidateChange { most: 1, what: CandidateKind::Values(values) })
    }

    fn delays(&self) -> Vec<Option<CandidateChange>> {
        let Some(conf) = self.names.rm().capacity().map(|s| s.conf()) else { return Vec::new() };
        let down =
            |name: &str, now: i32| (now > 0).then(|| self.number(name.to_string(), f64::from(now), 0.0, 0)).flatten();
        vec![
            down("node-locality-delay", conf.node_locality_delay),
            down("rack-locality-additional-delay", conf.rack_locality_additional_delay),
        ]
    }
}
