//! The older form of automatic creation: leaves below a parent with `auto-create-child-queue.enabled`, and the policy
//! that gives them the template's guarantee as long as the parent has enough left (ManagedParentQueue,
//! AutoCreatedLeafQueue, GuaranteedOrZeroCapacityOverTimePolicy; capacity-scheduler.md 13).

use super::CapacityScheduler;
use super::ordering::by_fifo;
use super::shares::Entitlement;
use crate::api::Refusal;
use crate::config::capacity::{Capacity, CapacityConf, Maximum, QueueKind};
use crate::journal::Recorder;
use crate::model::java::float_text;
use crate::model::{AppId, PartitionId, QueueId, Resource};
use crate::scheduler::Cluster;

/// The tolerance that the policy adds to the available capacity before it compares.
const EPSILON: f32 = 0.001;

/// The state of a managed parent's policy for one partition of its template.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct ManagedPart {
    /// Whether the template sets anything for the partition.
    in_template: bool,
    /// The template's guarantee as a fraction of the parent's.
    capacity: f32,
    /// The template's maximum as a fraction of the parent's.
    max_capacity: f32,
    /// The template's guarantee as a fraction of the whole partition, as last computed.
    absolute: f32,
    /// The sum of the guarantees given.
    activated: f32,
    /// The leaves that have a guarantee.
    active: Vec<QueueId>,
}

impl CapacityScheduler {
    /// Creates a leaf below a managed parent. Errors: YARN's reason.
    pub(super) fn create_managed_leaf<R: Recorder>(
        &mut self,
        c: &mut Cluster,
        parent: QueueId,
        name: &str,
        rec: &mut R,
    ) -> Result<QueueId, Refusal> {
        let q = self.queue(parent);
        let path = format!("{}.{name}", q.path);
        let Some(v1) = &q.conf.auto_create_v1 else { return Err(Refusal::new(format!("{} makes no leaves", q.path))) };
        let (most, there) = (v1.max_queues.clone()?, q.children.len());
        if there as i64 >= i64::from(most) {
            return Err(Refusal::new(format!(
                "Cannot auto create leaf queue {path}.Max Child Queue limit exceeded which is configured as : {most} \
                 and number of child queues is : {there}"
            )));
        }
        if v1.fail_on_exceeding_parent_capacity {
            let default = PartitionId::DEFAULT;
            let given =
                q.children.iter().fold(0f32, |sum, k| sum + self.queue(*k).part(default).shares.absolute_capacity);
            let wanted = q.managed.first().map_or(0.0, |m| m.absolute);
            if wanted + given > q.part(default).shares.absolute_capacity {
                return Err(Refusal::new(format!(
                    "Cannot auto create leaf queue {path}. Child queues capacities have reached parent queue : {}'s \
                     guaranteed capacity",
                    q.path
                )));
            }
        }
        let id = self.put_made_queue(c, parent, &path, true)?;
        self.work_out_template(c, parent);
        for p in c.partition_ids() {
            let available = self.queue(parent).part(p).shares.absolute_capacity;
            let part = &mut self.books.queue_mut(c, parent).managed[p.index()];
            let fits = available - part.activated + EPSILON >= part.absolute;
            let gives = part.in_template && fits;
            if gives {
                part.active.push(id);
                part.activated += part.absolute;
            }
            self.entitle(c, parent, id, p, gives);
        }
        let from = if self.conf.legacy_queue_mode { parent } else { self.queue(parent).parent.unwrap_or(parent) };
        self.update_below(c, from, rec);
        Ok(id)
    }

    /// Gives a leaf the template's guarantee, or none.
    fn entitle(&mut self, c: &Cluster, parent: QueueId, leaf: QueueId, p: PartitionId, guarantee: bool) {
        let part = &self.queue(parent).managed[p.index()];
        let capacity = if guarantee { part.capacity } else { 0.0 };
        let entitlement = Entitlement { capacity, max_capacity: part.max_capacity };
        self.books.queue_mut(c, leaf).part_mut(p).entitlement = Some(entitlement);
    }

    /// Resets the policies to the template of the settings, with no guarantee given: at start and at every refresh. A
    /// leaf has no guarantee until the policy gives it one.
    pub(super) fn start_policies(&mut self, c: &Cluster) {
        for id in (0..self.queues().len()).map(QueueId::from) {
            let q = self.queue(id);
            let Some(v1) = &q.conf.auto_create_v1 else { continue };
            let parts = c.partitions.iter().map(|partition| {
                let Some(template) = v1.template.get(&partition.name) else { return ManagedPart::default() };
                let own = q.conf.partition(&partition.name);
                let (own_min, own_max) =
                    own.map_or((Resource::ZERO, Resource::ZERO), |o| (o.capacity.amounts(), o.maximum.amounts()));
                let percent = |x: f32| x / 100.0;
                let max = |maximum| if let Maximum::Percent(x) = maximum { percent(x) } else { 1.0 };
                let (capacity, max_capacity) = match template.capacity {
                    Capacity::Absolute(min) => {
                        let wish = template.maximum.amounts();
                        let wish = if wish.is_zero() { own_max } else { wish };
                        let max = c.calculator.min(&c.total, &wish, &own_max);
                        (c.calculator.divide(&c.total, &min, &own_min), c.calculator.divide(&c.total, max, &own_max))
                    }
                    Capacity::Percent(of) => (percent(of), max(template.maximum)),
                    Capacity::Weight(_) => (0.0, max(template.maximum)),
                };
                ManagedPart { in_template: true, capacity, max_capacity, ..ManagedPart::default() }
            });
            let parts: Vec<ManagedPart> = parts.collect();
            self.books.queue_mut(c, id).managed = parts;
            for leaf in self.managed_leaves(id) {
                c.partition_ids().for_each(|p| self.entitle(c, id, leaf, p, false));
            }
        }
    }

    /// Returns the leaves that a managed parent has created; those of the configuration file are like any others.
    fn managed_leaves(&self, parent: QueueId) -> Vec<QueueId> {
        let made = |k: &QueueId| self.queue(*k).conf.kind == QueueKind::AutoCreatedLeaf;
        self.queue(parent).children.iter().copied().filter(made).collect()
    }

    /// Computes the template's guarantee of each whole partition.
    fn work_out_template(&mut self, c: &Cluster, parent: QueueId) {
        let q = self.books.queue_mut(c, parent);
        for (part, own) in q.managed.iter_mut().zip(&q.parts) {
            if part.capacity > 0.0 {
                part.absolute = part.capacity * own.shares.absolute_capacity;
            }
        }
    }

    /// Sets the guarantee by which the usage of a leaf without one is measured (3.4).
    pub(super) fn note_template_guarantees(&mut self, c: &Cluster) {
        for id in (0..self.queues().len()).map(QueueId::from) {
            if self.queue(id).managed.is_empty() {
                continue;
            }
            for leaf in self.managed_leaves(id) {
                for p in c.partition_ids() {
                    let absolute = self.queue(id).managed[p.index()].absolute;
                    let amount = c.partition_total(p).multiply_round_down(absolute);
                    self.books.queue_mut(c, leaf).part_mut(p).template_min = amount;
                }
            }
        }
    }

    /// Runs one round of the policy of every managed parent (QueueManagementDynamicEditPolicy): leaves without
    /// applications lose their guarantee, others get one in the order of their applications. Returns whether it changed
    /// anything.
    pub(crate) fn manage_queues(&mut self, c: &mut Cluster) -> bool {
        let mut changed = false;
        for id in (0..self.queues().len()).map(QueueId::from) {
            if self.queue(id).alive && !self.queue(id).managed.is_empty() {
                changed |= self.manage(c, id);
            }
        }
        if changed {
            self.books.tree_mut(c);
            self.compute_capacities(c);
            self.note_template_guarantees(c);
        }
        changed
    }

    /// Returns whether a round would change anything.
    pub(crate) fn queues_want_managing(&self, c: &Cluster) -> bool {
        let managed = self.queues().iter().filter(|q| q.alive && !q.managed.is_empty());
        managed.into_iter().any(|q| c.partition_ids().any(|p| self.round(c, q.id, p) != (Vec::new(), Vec::new())))
    }

    /// Returns the leaves that lose their guarantee in a round, and those that get one.
    fn round(&self, c: &Cluster, parent: QueueId, p: PartitionId) -> (Vec<QueueId>, Vec<QueueId>) {
        let q = self.queue(parent);
        let part = &q.managed[p.index()];
        if !part.in_template {
            return (Vec::new(), Vec::new());
        }
        let idle = |leaf: &QueueId| self.queue(*leaf).applications_left() == 0;
        let taken: Vec<QueueId> = part.active.iter().copied().filter(idle).collect();
        let back = taken.iter().fold(0f32, |sum, _| sum + part.absolute);
        let available = q.part(p).shares.absolute_capacity - part.activated + back + EPSILON;
        let mut given = Vec::new();
        if available >= part.absolute && part.absolute > 0.0 {
            let mut apps: Vec<AppId> = Vec::new();
            for leaf in self.managed_leaves(parent).iter().filter_map(|k| self.queue(*k).leaf.as_ref()) {
                apps.extend(leaf.pending.iter().chain(&leaf.active));
            }
            crate::model::order::sort_by(&mut apps, |a, b| by_fifo(c.app(*a), c.app(*b)));
            let most = ((available / part.absolute).floor() as usize).min(apps.len());
            for leaf in apps.into_iter().map(|app| c.app(app).queue) {
                if given.len() < most && !part.active.contains(&leaf) && !given.contains(&leaf) {
                    given.push(leaf);
                }
            }
        }
        (taken, given)
    }

    fn manage(&mut self, c: &Cluster, parent: QueueId) -> bool {
        self.work_out_template(c, parent);
        let mut changed = false;
        for p in c.partition_ids() {
            let (taken, given) = self.round(c, parent, p);
            changed |= !taken.is_empty() || !given.is_empty();
            for (leaves, gives) in [(taken, false), (given, true)] {
                for leaf in leaves {
                    self.entitle(c, parent, leaf, p, gives);
                    let part = &mut self.books.queue_mut(c, parent).managed[p.index()];
                    part.active.retain(|l| *l != leaf);
                    part.activated += if gives { part.absolute } else { -part.absolute };
                    if gives {
                        part.active.push(leaf);
                    }
                }
            }
        }
        changed
    }

    /// Checks a refresh for changes that managed parents do not allow. Errors: YARN's words.
    pub(super) fn check_managed(&self, conf: &CapacityConf) -> Result<(), Refusal> {
        for q in self.queues().iter().filter(|q| q.alive && q.conf.kind == QueueKind::ManagedParent) {
            let new = conf.find(&q.path).map(|place| &conf.queues[place]);
            let fails =
                new.and_then(|n| n.auto_create_v1.as_ref()).is_some_and(|v| v.fail_on_exceeding_parent_capacity);
            let own = q.part(PartitionId::DEFAULT).shares.capacity;
            let sum =
                q.children.iter().fold(0f32, |sum, k| sum + self.queue(*k).part(PartitionId::DEFAULT).shares.capacity);
            if fails && own < sum {
                return Err(Refusal::new(format!(
                    "Total of Auto Created leaf queues guaranteed capacity : {} exceeds Parent queue's {} guaranteed \
                     capacity {}.Cannot enforce policy to auto create queues beyond parent queue's capacity",
                    float_text(sum),
                    q.path,
                    float_text(own)
                )));
            }
        }
        Ok(())
    }
}
