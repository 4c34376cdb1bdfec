//! Flexible (v2) automatic creation of queues: a submission to a path that does not exist creates the missing parents
//! and the leaf below the nearest existing parent (capacity-scheduler.md 3.3; CapacitySchedulerQueueManager,
//! ParentQueue of Hadoop 3.5.0). Also the removal of idle ones (AutoCreatedQueueDeletionPolicy). The older form is in
//! `managed`.

use super::CapacityScheduler;
use super::queue::Queue;
use crate::api::Refusal;
use crate::config::capacity::monitors::Policy;
use crate::config::capacity::{CapacityConf, CapacityKind, QueueKind, kind_of};
use crate::journal::Recorder;
use crate::model::limits::QUEUES;
use crate::model::{Millis, QueueId, Resource};
use crate::scheduler::Cluster;

impl CapacityScheduler {
    /// Returns the queue of a submission: found by name, or created if possible. `None`: it does not exist and cannot
    /// be created. Errors: why it could not be created, if the mapping placed the application (`placed`) or YARN
    /// throws.
    pub(crate) fn find_or_create<R: Recorder>(
        &mut self,
        c: &mut Cluster,
        name: &str,
        placed: bool,
        rec: &mut R,
    ) -> Result<Option<QueueId>, Refusal> {
        if let Some(id) = self.find_queue(name) {
            return Ok(Some(id));
        }
        let whole = name.split('.').all(|part| !part.is_empty());
        if !whole || !name.contains('.') || self.queues_named(name).len() > 1 {
            return Ok(None);
        }
        match self.create_queue(c, name, rec) {
            Ok(id) => Ok(Some(id)),
            Err(refusal) if placed || refusal.throws() => Err(refusal),
            Err(_) => Ok(None),
        }
    }

    /// Creates a leaf and its missing parents. Errors: YARN's reason; parents that were created stay.
    pub(crate) fn create_queue<R: Recorder>(
        &mut self,
        c: &mut Cluster,
        path: &str,
        rec: &mut R,
    ) -> Result<QueueId, Refusal> {
        let Some((parent_name, _)) = path.rsplit_once('.') else {
            return Err(Refusal::new(format!(
                "Could not auto-create leaf queue for {path}. Queue mapping does not specify which parent queue it \
                 needs to be created under."
            )));
        };
        let managed = |q: &QueueId| self.queue(*q).conf.kind == QueueKind::ManagedParent;
        if let Some(parent) = self.find_queue(parent_name).filter(managed) {
            return self.create_managed_leaf(c, parent, last_segment(path), rec);
        }
        let (mut parent, missing) = self.missing_parents(path, parent_name)?;
        for path in missing {
            parent = self.add_dynamic_child(c, parent, last_segment(&path), false, rec)?;
        }
        self.add_dynamic_child(c, parent, last_segment(path), true, rec)
    }

    /// Returns the nearest existing parent, and the paths of the parents to be created below it. Errors: YARN's reason
    /// against it.
    pub(super) fn missing_parents(&self, path: &str, parent_name: &str) -> Result<(QueueId, Vec<String>), Refusal> {
        if self.find_queue(parent_name).is_none() && self.queues_named(parent_name).len() > 1 {
            return Err(Refusal::new(format!(
                "Could not auto-create queue {path} due to ParentQueue {parent_name} being ambiguous."
            )));
        }
        let mut distance = 1;
        let mut missing = Vec::new();
        let mut at = parent_name;
        let mut existing = self.find_queue(at);
        let mut fixed = existing;
        while fixed.is_none_or(|q| self.queue(q).conf.dynamic) && !at.is_empty() {
            distance += 1;
            if existing.is_none() {
                missing.insert(0, at.to_string());
            }
            at = at.rsplit_once('.').map_or("", |(above, _)| above);
            if existing.is_none() {
                existing = self.find_queue(at);
            }
            fixed = self.find_queue(at);
        }
        let (Some(existing), Some(fixed)) = (existing, fixed) else {
            return Err(Refusal::new(format!("Could not auto-create queue {path} parent queue does not exist.")));
        };
        let most = self.queue(fixed).conf.auto_create_v2.max_depth.clone()?;
        if distance > most {
            return Err(Refusal::new(format!(
                "Could not auto create queue {path}. The distance of the LeafQueue from the first static ParentQueue \
                 is {distance}, which is above the limit."
            )));
        }
        let q = self.queue(existing);
        if q.is_leaf() {
            return Err(Refusal::new(format!(
                "Could not auto create hierarchy of {path}. Queue {parent_name} is not a ParentQueue."
            )));
        }
        if !q.conf.dynamic && !q.conf.auto_create_v2.enabled {
            return Err(Refusal::new(format!("Auto creation of queue {path} is not enabled under parent {}", q.path)));
        }
        Ok((existing, missing))
    }

    /// Adds one queue below a parent and updates the shares. Errors: the parent is full, its children use no weights,
    /// or a template is refused.
    fn add_dynamic_child<R: Recorder>(
        &mut self,
        c: &mut Cluster,
        parent: QueueId,
        name: &str,
        is_leaf: bool,
        rec: &mut R,
    ) -> Result<QueueId, Refusal> {
        let q = self.queue(parent);
        let path = format!("{}.{name}", q.path);
        let (most, there) = (q.conf.auto_create_v2.max_queues.clone()?, q.children.len());
        if i64::from(most) <= there as i64 {
            return Err(Refusal::new(format!(
                "Cannot auto create queue {path}. Max Child Queue limit exceeded which is configured as: {most} and \
                 number of child queues is: {there}"
            )));
        }
        let siblings: Vec<_> = q.children.iter().map(|k| &self.queue(*k).conf).collect();
        let weights = matches!(kind_of(&q.conf, &siblings), Ok(CapacityKind::Weight));
        if !weights && self.conf.legacy_queue_mode {
            return Err(Refusal::new(format!(
                "Trying to create new queue={path} but not all the queues under parent={} are using weight-based \
                 capacity. Failed to created queue",
                q.path
            )));
        }
        let id = self.put_made_queue(c, parent, &path, is_leaf)?;
        // Vector mode recomputes from the level above.
        let from = if self.conf.legacy_queue_mode { parent } else { self.queue(parent).parent.unwrap_or(parent) };
        self.update_below(c, from, rec);
        Ok(id)
    }
}

fn last_segment(path: &str) -> &str {
    path.rsplit('.').next().unwrap_or(path)
}

impl CapacityScheduler {
    /// Adds a queue that the scheduler creates by itself below a parent, without computing its shares. Errors: there
    /// are too many queues, or its template is refused.
    pub(super) fn put_made_queue(
        &mut self,
        c: &mut Cluster,
        parent: QueueId,
        path: &str,
        is_leaf: bool,
    ) -> Result<QueueId, Refusal> {
        if self.queues().len() >= QUEUES {
            return Err(Refusal::new(format!("More than {QUEUES} queues are beyond what this simulation takes")));
        }
        let above = &self.queue(parent).path;
        let Some(place) = self.conf.find(above) else { return Err(Refusal::new(format!("{above} has no settings"))) };
        let place = self.conf.add_dynamic_queue(place, path, is_leaf, c.total)?;
        let id = self.add_queue(c, place);
        self.books.queue_mut(c, parent).children.push(id);
        self.note_children_kind(c, parent);
        Ok(id)
    }

    /// Returns whether the deletion policy could remove a queue: one that was created automatically, is empty, and may
    /// be removed.
    fn may_be_removed(&self, q: &Queue) -> bool {
        let empty = q.leaf.as_ref().map_or(q.children.is_empty(), |l| l.applications() == 0);
        // The removal setting is that of the queue's own path, which a template may have set.
        q.alive && q.conf.dynamic && empty && q.conf.auto_create_v2.auto_removal
    }

    /// Returns the interval of the deletion policy if that is among the scheduler's monitors.
    pub(crate) fn deletion_interval(&self) -> Option<Millis> {
        let seconds = self.conf.queue_expiration_s;
        (self.conf.monitors.runs(Policy::QueueDeletion) && seconds > 0).then(|| seconds.saturating_mul(1000))
    }

    /// Returns whether a round of the deletion policy would have anything to check.
    pub(crate) fn has_idle_queues(&self) -> bool {
        self.deletion_interval().is_some() && self.queues().iter().any(|q| self.may_be_removed(q))
    }

    /// Runs a round of the deletion policy: removes the queues that the previous round marked and that are still idle,
    /// for longer than the expiration time, and marks those that are idle now. Returns whether it removed any.
    pub(crate) fn remove_idle_queues<R: Recorder>(&mut self, c: &mut Cluster, rec: &mut R) -> bool {
        let Some(expiration) = self.deletion_interval() else { return false };
        let mut sent = Vec::new();
        for id in (0..self.queues().len()).map(QueueId::from) {
            let q = self.queue(id);
            let (idle, marked) = (self.may_be_removed(q), q.marked_idle);
            if idle && marked {
                sent.push(id);
            }
            self.books.mark_idle(id, idle && !marked);
        }
        let mut removed = false;
        for id in sent {
            // Only whole seconds of idleness count.
            let idle_ms = c.now.saturating_sub(self.queue(id).last_submitted) / 1000 * 1000;
            if idle_ms > expiration && self.may_be_removed(self.queue(id)) {
                self.remove_queue(c, id, rec);
                removed = true;
            }
        }
        removed
    }

    fn remove_queue<R: Recorder>(&mut self, c: &mut Cluster, id: QueueId, rec: &mut R) {
        let q = self.books.queue_mut(c, id);
        q.alive = false;
        debug_assert!(q.parent.is_some(), "root is not removed");
        let Some(parent) = q.parent else { return };
        if let Some(place) = self.conf.find(&self.queue(id).path) {
            self.conf.remove_queue(place);
        }
        self.books.queue_mut(c, parent).children.retain(|k| *k != id);
        self.note_children_kind(c, parent);
        let from = if self.conf.legacy_queue_mode { parent } else { self.queue(parent).parent.unwrap_or(parent) };
        self.update_below(c, from, rec);
    }

    /// Records a submission to a leaf.
    pub(crate) fn note_submission(&mut self, c: &Cluster, leaf: QueueId) {
        self.books.note_submission(leaf, c.now);
    }

    /// Adds the remaining dynamic queues to changed settings, parents before children. A queue whose parent is gone is
    /// left out. Errors: a template is refused.
    pub(super) fn keep_dynamic_queues(&self, conf: &mut CapacityConf, cluster: Resource) -> Result<(), Refusal> {
        let made = |q: &&Queue| q.alive && (q.conf.dynamic || q.conf.kind == QueueKind::AutoCreatedLeaf);
        for q in self.queues().iter().filter(made) {
            if conf.find(&q.path).is_some() {
                continue;
            }
            let parent = q.path.rsplit_once('.').and_then(|(above, _)| conf.find(above));
            if let Some(parent) = parent.filter(|p| !conf.queues[*p].kind.is_leaf()) {
                conf.add_dynamic_queue(parent, &q.path, q.is_leaf(), cluster)?;
            }
        }
        Ok(())
    }
}
