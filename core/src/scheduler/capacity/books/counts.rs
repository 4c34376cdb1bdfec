//! Figures of queues that admission and the rounds of monitors go by. No look at a node does, so no short cut has to
//! hear of them.

use super::Books;
use crate::model::{Millis, QueueId};
use crate::scheduler::capacity::crowds::Crowds;
use crate::scheduler::capacity::queue::{Queue, QueueState};

impl Books {
    fn each_up(&mut self, leaf: QueueId, mut change: impl FnMut(&mut Queue)) {
        let mut at = Some(leaf);
        while let Some(id) = at {
            let q = &mut self.queues[id.index()];
            change(q);
            at = q.parent;
        }
    }

    /// An application came to (+1) or left (−1) a leaf: counts of it and its ancestors. A draining queue that is empty
    /// now is stopped.
    pub fn count_application(&mut self, leaf: QueueId, by: i64) {
        self.each_up(leaf, |q| {
            q.applications += by;
            if by < 0 && q.state == QueueState::Draining && q.applications_left() == 0 {
                q.state = QueueState::Stopped;
            }
        });
    }

    /// A runnable attempt comes to a leaf (+1) or goes (−1): counts of it and its ancestors.
    pub fn count_running(&mut self, leaf: QueueId, by: i64) {
        self.each_up(leaf, |q| q.running_apps += by);
    }

    /// The same, of which only the leaf knows.
    pub fn count_running_in_leaf(&mut self, leaf: QueueId, by: i64) {
        self.queues[leaf.index()].running_apps += by;
    }

    /// The pending applications of a leaf in crowds.
    pub fn crowds_mut(&mut self, leaf: QueueId) -> Option<&mut Crowds> {
        self.queues[leaf.index()].leaf.as_mut().map(|l| &mut l.crowds)
    }

    /// An application was submitted to a leaf.
    pub fn note_submission(&mut self, leaf: QueueId, now: Millis) {
        self.each_up(leaf, |q| q.last_submitted = now);
    }

    /// The deletion policy marks a queue, or takes the mark away.
    pub fn mark_idle(&mut self, id: QueueId, idle: bool) {
        self.queues[id.index()].marked_idle = idle;
    }
}
