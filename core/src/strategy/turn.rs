//! What an ApplicationMaster has at hand while it is called.

use super::{Act, Store};
use crate::api::NodeUpdate;
use crate::journal::{Entry, Recorder};
use crate::model::{AttemptId, Millis};

/// What a master can ask YARN at any time (YarnClient).
pub trait Reports {
    /// The nodes that take containers now, in the order of their first registration.
    fn running_nodes(&self) -> Vec<NodeUpdate>;
}

/// One call of a master: the time, what it keeps, who listens, and what it wants done.
pub struct Turn<'a> {
    pub now: Millis,
    pub attempt: AttemptId,
    /// Of all attempts of its application.
    pub store: &'a mut Store,
    reports: &'a dyn Reports,
    acts: &'a mut Vec<Act>,
    rec: &'a mut dyn Recorder,
}

impl<'a> Turn<'a> {
    pub fn new(
        (now, attempt): (Millis, AttemptId),
        store: &'a mut Store,
        reports: &'a dyn Reports,
        acts: &'a mut Vec<Act>,
        rec: &'a mut dyn Recorder,
    ) -> Self {
        Turn { now, attempt, store, reports, acts, rec }
    }

    /// Wants this done, after what it has wanted before. It takes effect when the call returns.
    pub fn act(&mut self, act: Act) {
        self.acts.push(act);
    }

    /// Records a decision and its reason; `make` is only called when somebody listens.
    pub fn note<E: Into<Entry>>(&mut self, make: impl FnOnce() -> E) {
        if self.rec.on() {
            self.rec.keep(self.now, make().into());
        }
    }

    /// See [`Reports::running_nodes`].
    pub fn running_nodes(&self) -> Vec<NodeUpdate> {
        self.reports.running_nodes()
    }
}
