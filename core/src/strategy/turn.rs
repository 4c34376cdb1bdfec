//! The context of a call to an ApplicationMaster.

use super::{AmAction, Store};
use crate::api::{Granted, NodeUpdate};
use crate::journal::{Entry, Recorder};
use crate::model::{AppId, AttemptId, Millis, NodeId, Resource};

/// The queries that a master can make at any time (YarnClient), and what its registration returned.
pub trait Reports {
    /// The nodes that take containers now, in the order of their first registration.
    fn running_nodes(&self) -> Vec<NodeUpdate>;

    /// A node's host.
    fn host(&self, node: NodeId) -> String;

    /// The rack of a host.
    fn rack(&self, host: &str) -> Option<String>;

    /// The smallest and the largest container for an application.
    fn limits(&self, app: AppId) -> (Resource, Resource);

    /// The containers of the previous attempt that were kept for this one.
    fn kept(&self, app: AppId) -> Vec<Granted>;
}

/// One call of a master: the time, its store, the recorder, and the acts that it wants.
pub struct Turn<'a> {
    pub now: Millis,
    pub attempt: AttemptId,
    /// The store, shared by all attempts of its application.
    pub store: &'a mut Store,
    reports: &'a dyn Reports,
    acts: &'a mut Vec<AmAction>,
    rec: &'a mut dyn Recorder,
}

impl<'a> Turn<'a> {
    pub fn new(
        (now, attempt): (Millis, AttemptId),
        store: &'a mut Store,
        reports: &'a dyn Reports,
        acts: &'a mut Vec<AmAction>,
        rec: &'a mut dyn Recorder,
    ) -> Self {
        Turn { now, attempt, store, reports, acts, rec }
    }

    /// Adds an act after the earlier ones. It takes effect when the call returns.
    pub fn act(&mut self, act: AmAction) {
        self.acts.push(act);
    }

    /// Records a decision and its reason; `make` is only called if something records.
    pub fn note<E: Into<Entry>>(&mut self, make: impl FnOnce() -> E) {
        if self.rec.on() {
            self.rec.keep(self.now, make().into());
        }
    }

    /// The [`Reports`].
    pub fn reports(&self) -> &'a dyn Reports {
        self.reports
    }
}
