//! The AM limit, and the reason why an AM does not run yet (FSLeafQueue.canRunAppAM, FSAppAttempt.isOverAMShareLimit;
//! fair-scheduler.md 15, 20).

use super::{FairScheduler, fits};
use crate::check::{About, Amounts, Check};
use crate::journal::Recorder;
use crate::model::{AppId, QueueId, Resource};
use crate::scheduler::app::{FairStop, FairWait};
use crate::scheduler::{AmStatus, App, Cluster};

impl FairScheduler {
    /// Returns the AM limit of a leaf; `None`: it has none.
    pub fn am_limit(&self, c: &Cluster, leaf: QueueId) -> Option<Resource> {
        self.am_limit_of(c, leaf, self.available)
    }

    /// Returns the AM limit of a leaf with this amount available.
    fn am_limit_of(&self, c: &Cluster, leaf: QueueId, available: Resource) -> Option<Resource> {
        let q = self.queue(leaf);
        if (q.max_am_share + 1.0).abs() < 0.0001 {
            return None;
        }
        let maximum = self.maximum_of(c, leaf);
        Some(am_limit(q.fair_share, available, maximum, q.max_am_share))
    }

    /// Returns whether the AM limit keeps an application from its AM's container, and records it in its AM status.
    pub(super) fn am_share_stops<R: Recorder>(&mut self, c: &mut Cluster, app: AppId, rec: &mut R) -> bool {
        let over = self.over_am_share(c, app, rec);
        if let Some(size) = over {
            self.told_alone(c.app(app).queue, app);
            self.note_wait(c, app, FairWait { stop: FairStop::AmShare, leaf: c.app(app).queue, size });
        }
        over.is_some()
    }

    /// Returns the size of the AM's container that the AM limit keeps an application from.
    pub(super) fn over_am_share<R: Recorder>(&self, c: &Cluster, app: AppId, rec: &mut R) -> Option<Resource> {
        let (within, amounts) = self.am_share(c, app)?;
        let size = amounts.asked();
        let passed = rec.check(c.now, within, Check::AmShare, About::App(app), || amounts.into());
        (!passed).then_some(size)
    }

    /// Returns whether the AM's container that an application waits for is within the AM limit, with the figures.
    /// `None`: it waits for none, or there is no limit.
    pub(super) fn am_share(&self, c: &Cluster, app: AppId) -> Option<(bool, Amounts)> {
        self.am_share_of(c, app, self.available)
    }

    /// Like [`Self::am_share`], with this amount available.
    pub(super) fn am_share_of(&self, c: &Cluster, app: AppId, available: Resource) -> Option<(bool, Amounts)> {
        let a = c.app(app);
        if !a.waiting_for_am {
            return None;
        }
        let first = a.asks.open().first().and_then(|(_, place)| a.asks.at(*place as usize).any());
        let size = first?.size;
        let leaf = a.queue;
        let used = self.queue(leaf).am_used;
        let limit = self.am_limit_of(c, leaf, available)?;
        Some((fits(used + size, limit), Amounts::sum(used, size, limit).of_queue(leaf)))
    }

    /// Records in its AM status what keeps an application from its AM's container.
    pub(super) fn note_wait(&self, c: &mut Cluster, app: AppId, wait: FairWait) {
        let a = c.app(app);
        let known = matches!(&a.am_status, AmStatus::Fair(known) if **known == wait);
        if a.waiting_for_am && !known {
            c.set_am_status(app, AmStatus::Fair(Box::new(wait)));
        }
    }
}

/// Returns the AM limit of a leaf: a part of its fair share; for a type without a fair share, a part of what is
/// available, at most of the leaf's maximum.
pub fn am_limit(share: Resource, available: Resource, maximum: Resource, part: f32) -> Resource {
    let base = share.zip(available.component_min(maximum), |share, left| if share == 0 { left } else { share });
    base.map(|v| (v as f64 * f64::from(part)).ceil() as i64)
}

/// Returns YARN's words for why an AM does not run yet.
pub fn status_text(scheduler: &FairScheduler, c: &Cluster, app: &App) -> String {
    if let AmStatus::Before(words) = &app.am_status {
        return words.to_string();
    }
    let AmStatus::Fair(wait) = &app.am_status else { return String::new() };
    let text = |r: &Resource| r.text(&c.types);
    let size = text(&wait.size);
    // Hadoop's words end differently for each.
    let ends = |end: &str| format!(" (Resource request: {size} {end}");
    let yarn = wait.stop.check().row().yarn;
    let reached = |what: String| format!("The {what} has reached the maximum limit of runnable applications.");
    let why = match &wait.stop {
        FairStop::UserParallelApps => reached(format!("user \"{}\"", c.user_name(app.user))),
        FairStop::QueueParallelApps => reached(format!("queue \"{}\"", scheduler.queue(wait.leaf).path)),
        FairStop::MaxShare { maximum } => ends(&format!("{yarn}). Max share of queue: {}", text(maximum))),
        FairStop::AmShare => ends(&format!("{yarn}).")),
        FairStop::NodeFree { reserved } => {
            let end = if *reserved { "is reserved" } else { "cannot be reserved" };
            ends(&format!("exceeds the available resources of the node and the request {end})"))
        }
    };
    format!("Application is added to the scheduler and is not yet activated. {why}")
}
