//! Applications of a leaf that an offer skips because they had no pending demand at the latest update, or have got all
//! of it since. They are kept, so that each offer records them without checking all others.

use crate::check::{About, Check, Checked, Figures};
use crate::journal::Recorder;
use crate::model::{AppId, QueueId};
use crate::scheduler::Cluster;
use crate::scheduler::fair::{DEFAULT, FairScheduler};

/// The idle applications of one leaf, in the order of their arrival; `None`: not known.
#[derive(Clone, Debug, Default)]
pub(in crate::scheduler::fair) struct Idle(Option<Vec<(u64, AppId)>>);

/// Idle applications follow from the applications' figures, and are known only if a recorder asks.
impl PartialEq for Idle {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

impl FairScheduler {
    /// Returns whether it has pending demand: its demand at the latest update differs from its usage now.
    pub(in crate::scheduler::fair) fn has_demand(&self, c: &Cluster, app: AppId) -> bool {
        self.apps[app.index()].demand != c.app(app).used[DEFAULT]
    }

    /// Numbers an application that comes to the end of its leaf's list.
    pub(in crate::scheduler::fair) fn number(&mut self, app: AppId) {
        self.numbers += 1;
        self.app_mut(app).number = self.numbers;
    }

    /// Drops a leaf's idle applications, since demand or the list of applications has changed.
    pub(in crate::scheduler::fair) fn forget_idle(&mut self, leaf: QueueId) {
        self.queue_mut(leaf).idle = Idle(None);
    }

    /// Updates a leaf's idle applications after the usage of an application has changed.
    pub(in crate::scheduler::fair) fn note_idle(&mut self, c: &Cluster, leaf: QueueId, app: AppId) {
        if self.queue(leaf).idle.0.is_none() {
            return;
        }
        let place = (self.apps[app.index()].number, app);
        let idle = !self.has_demand(c, app);
        let Some(all) = &mut self.queue_mut(leaf).idle.0 else { return };
        match all.binary_search(&place) {
            Ok(at) if !idle => drop(all.remove(at)),
            Err(at) if idle => all.insert(at, place),
            _ => {}
        }
    }

    /// Records the applications that an offer skips.
    pub(in crate::scheduler::fair) fn tell_idle<R: Recorder>(&mut self, c: &Cluster, leaf: QueueId, rec: &mut R) {
        let runnable = &self.queue(leaf).runnable;
        let found = || -> Vec<_> {
            let idle = runnable.iter().filter(|app| !self.has_demand(c, **app));
            idle.map(|app| (self.apps[app.index()].number, *app)).collect()
        };
        let known = self.queue(leaf).idle.0.is_some();
        debug_assert!(!known || self.queue(leaf).idle.0 == Some(found()), "demand or use have changed unheard of");
        if !known || !c.short_cuts.taken() {
            let found = found();
            self.queue_mut(leaf).idle = Idle(Some(found));
        }
        for (_, app) in self.queue(leaf).idle.0.iter().flatten() {
            // Requests since the last update are not seen yet.
            if c.app(*app).asks.open().is_empty() {
                rec.nothing_wanted(c.now, Check::AppPending, About::App(*app));
            } else {
                rec.failed(c.now, || Checked::failed(Check::InDemand, About::App(*app), Figures::None));
            }
        }
    }
}
