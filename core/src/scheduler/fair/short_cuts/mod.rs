//! Visits that the FairScheduler's offers skip because their result is known (see [`crate::scheduler::ShortCuts`], the
//! switch): applications without demand (`idle`), and those that the AM limit stops (`stopped`).

mod idle;
mod stopped;

pub(super) use idle::Idle;
pub(super) use stopped::AmStoppedRow;

use super::FairScheduler;
use super::keys::Key;

impl FairScheduler {
    /// Drops the kept results of queues and applications, before a comparison.
    pub(in crate::scheduler) fn forget_kept(&mut self) {
        self.numbers = 0;
        for queue in &mut self.queues {
            (queue.children_asked, queue.apps_asked, queue.in_order) = (Vec::new(), Vec::new(), false);
            (queue.stopped, queue.idle, queue.key) = (AmStoppedRow::default(), Idle::default(), Key::default());
        }
        for app in &mut self.apps {
            (app.number, app.told_in_common, app.key, app.turn) = (0, false, Key::default(), 0);
        }
    }
}
