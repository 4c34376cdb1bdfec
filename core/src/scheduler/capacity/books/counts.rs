//! Figures of queues that admission and the monitors use. No visit of an offer depends on them, so they invalidate no
//! short cut.

use super::Accounting;
use crate::model::{Millis, QueueId};
use crate::scheduler::capacity::crowds::PendingGroups;
use crate::scheduler::capacity::queue::{Queue, QueueState};

impl Accounting {
    fn each_up(&mut self, leaf: QueueId, mut change: impl FnMut(&mut Queue)) {
        let mut at = Some(leaf);
        while let Some(id) = at {
            let q = &mut self.queues[id.index()];
            change(q);
            at = q.parent;
        }
    }

    /// Counts an application that came to (+1) or left (−1) a leaf, in the leaf and its ancestors. Stops a draining
    /// queue that is empty now.
    pub fn count_application(&mut self, leaf: QueueId, by: i64) {
        self.each_up(leaf, |q| {
            q.applications += by;
            if by < 0 && q.state == QueueState::Draining && q.applications_left() == 0 {
                q.state = QueueState::Stopped;
            }
        });
    }

    /// Counts a runnable attempt that came to (+1) or left (−1) a leaf, in the leaf and its ancestors.
    pub fn count_running(&mut self, leaf: QueueId, by: i64) {
        self.each_up(leaf, |q| q.running_apps += by);
    }

    /// Counts a runnable attempt in the leaf only.
    pub fn count_running_in_leaf(&mut self, leaf: QueueId, by: i64) {
        self.queues[leaf.index()].running_apps += by;
    }

    /// Returns a leaf's pending applications, in groups (crowds); `None` for a parent.
    pub fn crowds_mut(&mut self, leaf: QueueId) -> Option<&mut PendingGroups> {
        self.queues[leaf.index()].leaf.as_mut().map(|l| &mut l.crowds)
    }

    /// Records a submission to a leaf, in the leaf and its ancestors.
    pub fn note_submission(&mut self, leaf: QueueId, now: Millis) {
        self.each_up(leaf, |q| q.last_submitted = now);
    }

    /// Sets or removes the deletion policy's mark on a queue.
    pub fn mark_idle(&mut self, id: QueueId, idle: bool) {
        self.queues[id.index()].marked_idle = idle;
    }
}
