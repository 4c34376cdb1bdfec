//! Flexible (v2) automatic creation of queues: a submission to a path that does not exist makes the missing parents
//! and the leaf below the nearest existing parent (capacity-scheduler.md 3.3; CapacitySchedulerQueueManager,
//! ParentQueue of Hadoop 3.5.0). Leaves of v1 managed parents are not made.

use super::CapacityScheduler;
use crate::config::capacity::{CapacityConf, CapacityKind, QueueKind, kind_of};
use crate::journal::Recorder;
use crate::model::limits::QUEUES;
use crate::model::{QueueId, Resource};
use crate::rm::api::Refusal;
use crate::scheduler::Cluster;

impl CapacityScheduler {
    /// The queue of a submission: by name, or made when it can be. `None`: there is none and none can be made.
    /// Errors: why it could not be made, for an application that the mapping placed (`placed`).
    pub(crate) fn find_or_create<R: Recorder>(
        &mut self,
        c: &mut Cluster,
        name: &str,
        placed: bool,
        rec: &mut R,
    ) -> Result<Option<QueueId>, String> {
        if let Some(id) = self.find_queue(name) {
            return Ok(Some(id));
        }
        let whole = name.split('.').all(|part| !part.is_empty());
        if !whole || !name.contains('.') || self.queues_named(name).len() > 1 {
            return Ok(None);
        }
        match self.create_queue(c, name, rec) {
            Ok(id) => Ok(Some(id)),
            Err(reason) if placed => Err(reason),
            Err(_) => Ok(None),
        }
    }

    /// Makes a leaf and the parents that it lacks. Errors: YARN's reason; parents that were made stay.
    pub(crate) fn create_queue<R: Recorder>(
        &mut self,
        c: &mut Cluster,
        path: &str,
        rec: &mut R,
    ) -> Result<QueueId, String> {
        let Some((parent_name, _)) = path.rsplit_once('.') else {
            return Err(format!(
                "Could not auto-create leaf queue for {path}. Queue mapping does not specify which parent queue it \
                 needs to be created under."
            ));
        };
        let managed = |q: &QueueId| self.queue(*q).conf.kind == QueueKind::ManagedParent;
        if let Some(parent) = self.find_queue(parent_name).filter(managed) {
            return Err(format!(
                "{} uses the first form of automatic creation (auto-create-child-queue), which this simulation does \
                 not have",
                self.queue(parent).path
            ));
        }
        let (mut parent, missing) = self.missing_parents(path, parent_name)?;
        for path in missing {
            parent = self.add_dynamic_child(c, parent, last_segment(&path), false, rec)?;
        }
        self.add_dynamic_child(c, parent, last_segment(path), true, rec)
    }

    /// The nearest existing parent, and the paths of the parents to be made below it. Errors: it may not be.
    fn missing_parents(&self, path: &str, parent_name: &str) -> Result<(QueueId, Vec<String>), String> {
        if self.find_queue(parent_name).is_none() && self.queues_named(parent_name).len() > 1 {
            return Err(format!(
                "Could not auto-create queue {path} due to ParentQueue {parent_name} being ambiguous."
            ));
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
            return Err(format!("Could not auto-create queue {path} parent queue does not exist."));
        };
        if distance > self.queue(fixed).conf.auto_create_v2.max_depth {
            return Err(format!(
                "Could not auto create queue {path}. The distance of the LeafQueue from the first static ParentQueue \
                 is {distance}, which is above the limit."
            ));
        }
        let q = self.queue(existing);
        if q.is_leaf() {
            return Err(format!(
                "Could not auto create hierarchy of {path}. Queue {parent_name} is not a ParentQueue."
            ));
        }
        if !q.conf.dynamic && !q.conf.auto_create_v2.enabled {
            return Err(format!("Auto creation of queue {path} is not enabled under parent {}", q.path));
        }
        Ok((existing, missing))
    }

    /// Adds one queue below a parent and works its shares in. Errors: the parent is full, or its children use no
    /// weights; a template is refused.
    fn add_dynamic_child<R: Recorder>(
        &mut self,
        c: &mut Cluster,
        parent: QueueId,
        name: &str,
        is_leaf: bool,
        rec: &mut R,
    ) -> Result<QueueId, String> {
        let q = self.queue(parent);
        let path = format!("{}.{name}", q.path);
        let (most, there) = (q.conf.auto_create_v2.max_queues, q.children.len());
        if i64::from(most) <= there as i64 {
            return Err(format!(
                "Cannot auto create queue {path}. Max Child Queue limit exceeded which is configured as: {most} and \
                 number of child queues is: {there}"
            ));
        }
        let siblings: Vec<_> = q.children.iter().map(|k| &self.queue(*k).conf).collect();
        let weights = matches!(kind_of(&q.conf, &siblings), Ok(CapacityKind::Weight));
        if !weights && self.conf.legacy_queue_mode {
            return Err(format!(
                "Trying to create new queue={path} but not all the queues under parent={} are using weight-based \
                 capacity. Failed to created queue",
                q.path
            ));
        }
        if self.queues.len() >= QUEUES {
            return Err(format!("More than {QUEUES} queues are beyond what this simulation takes"));
        }
        let Some(place) = self.conf.find(&q.path) else { return Err(format!("{} has no settings", q.path)) };
        let place = self.conf.add_dynamic_queue(place, &path, is_leaf, c.total).map_err(|r| r.message)?;
        let id = self.add_queue(c, place);
        self.queues[parent.index()].children.push(id);
        self.note_children_kind(parent);
        // Vector mode works anew from the level above.
        let from = if self.conf.legacy_queue_mode { parent } else { self.queue(parent).parent.unwrap_or(parent) };
        self.update_below(c, from, rec);
        Ok(id)
    }
}

fn last_segment(path: &str) -> &str {
    path.rsplit('.').next().unwrap_or(path)
}

impl CapacityScheduler {
    /// Takes the dynamic queues that go on existing into changed settings, parents before children. One whose parent
    /// is gone goes too. Errors: a template is refused.
    pub(super) fn keep_dynamic_queues(&self, conf: &mut CapacityConf, cluster: Resource) -> Result<(), Refusal> {
        for q in self.queues.iter().filter(|q| q.alive && q.conf.dynamic) {
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
