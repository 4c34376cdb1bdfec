//! What an ApplicationMaster has at hand while it is called.

use super::{Act, Store};
use crate::api::{Granted, NodeUpdate};
use crate::journal::{Entry, Recorder};
use crate::model::{AppId, AttemptId, Millis, NodeId, Resource};

/// What a master can ask YARN at any time (YarnClient), and what it was told when it registered.
pub trait Reports {
    /// The nodes that take containers now, in the order of their first registration.
    fn running_nodes(&self) -> Vec<NodeUpdate>;

    /// A node's host.
    fn host(&self, node: NodeId) -> String;

    /// The rack of a host.
    fn rack(&self, host: &str) -> Option<String>;

    /// The smallest and the largest container for an application.
    fn limits(&self, app: AppId) -> (Resource, Resource);

    /// Containers of the attempt before that were kept for this one.
    fn kept(&self, app: AppId) -> Vec<Granted>;
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

    /// See [`Reports`].
    pub fn reports(&self) -> &'a dyn Reports {
        self.reports
    }
}
