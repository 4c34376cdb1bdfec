//! Calls to a master without a simulation around it.

use super::{AmAction, ApplicationMaster, Reports, Store, Turn};
use crate::api::{AllocateResponse, Granted, NodeUpdate};
use crate::journal::{Entry, Full};
use crate::model::{AppId, AttemptId, Millis, NodeId, Resource};

/// Collects what a master stores, wants and records.
#[derive(Default)]
pub(crate) struct Desk {
    store: Store,
    acts: Vec<AmAction>,
    journal: Full,
}

struct NoNodes;

impl Reports for NoNodes {
    fn running_nodes(&self) -> Vec<NodeUpdate> {
        Vec::new()
    }

    fn host(&self, node: NodeId) -> String {
        format!("n{}", node.0)
    }

    fn rack(&self, _host: &str) -> Option<String> {
        None
    }

    fn limits(&self, _app: AppId) -> (Resource, Resource) {
        (Resource::new(1024, 1), Resource::new(8192, 4))
    }

    fn kept(&self, _app: AppId) -> Vec<Granted> {
        Vec::new()
    }
}

impl Desk {
    pub(crate) fn at(&mut self, now: Millis) -> Turn<'_> {
        let attempt = AttemptId { app: AppId(0), attempt: 1 };
        Turn::new((now, attempt), &mut self.store, &NoNodes, &mut self.acts, &mut self.journal)
    }

    /// Passes an answer to a master; returns the acts that it wants.
    pub(crate) fn answer(
        &mut self,
        master: &mut dyn ApplicationMaster,
        now: Millis,
        answer: &AllocateResponse,
    ) -> Vec<AmAction> {
        master.answer(&mut self.at(now), answer);
        self.acts()
    }

    /// Returns its acts since the last call.
    fn acts(&mut self) -> Vec<AmAction> {
        std::mem::take(&mut self.acts)
    }

    /// Returns the entries that it recorded since the last call.
    pub(crate) fn entries(&mut self) -> Vec<Entry> {
        std::mem::take(&mut self.journal).entries.into_iter().map(|(_, e)| e).collect()
    }
}
