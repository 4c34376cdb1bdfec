//! The calls that reach a ResourceManager: one method each.

use super::api::{AllocateCall, AllocateResponse, NodeReport, NodeSpec, Properties, Refusal, Submission};
use super::manager::ResourceManager;
use crate::journal::Recorder;
use crate::model::{AppId, ContainerId, NodeId, Resource};

fn not_yet<T>() -> Result<T, Refusal> {
    Err(Refusal::new("not modelled yet"))
}

impl ResourceManager {
    /// A NodeManager registers; without a label it keeps the one it had before. No heartbeat yet.
    pub fn add_node<R: Recorder>(&mut self, _spec: NodeSpec, _rec: &mut R) -> Result<NodeId, Refusal> {
        not_yet()
    }

    /// A node is lost; its containers end.
    pub fn remove_node<R: Recorder>(&mut self, _node: NodeId, _rec: &mut R) {}

    /// A node gets another size; `overcommit_timeout_ms` as the administrator gives it (negative: never kill).
    pub fn resize_node<R: Recorder>(
        &mut self,
        _node: NodeId,
        _total: Resource,
        _overcommit_timeout_ms: i64,
        _rec: &mut R,
    ) {
    }

    /// Graceful decommissioning begins: nothing new for the node.
    pub fn decommission_node<R: Recorder>(&mut self, _node: NodeId, _timeout_s: i64, _rec: &mut R) {}

    /// The node's label is replaced; `""` takes it away. Errors: no such label.
    pub fn label_node<R: Recorder>(&mut self, _node: NodeId, _label: &str, _rec: &mut R) -> Result<(), Refusal> {
        not_yet()
    }

    /// An application is submitted. Errors: the call is refused; no application appears. One that is accepted here
    /// and rejected by the scheduler shows so in [`ResourceManager::app`].
    pub fn submit<R: Recorder>(&mut self, _submission: Submission, _rec: &mut R) -> Result<AppId, Refusal> {
        not_yet()
    }

    /// The AM of an application registers (and sends the constraints of the submission).
    pub fn register<R: Recorder>(&mut self, _app: AppId, _rec: &mut R) -> Result<(), Refusal> {
        not_yet()
    }

    /// One allocate call. Errors: the call is refused and nothing of it is done.
    pub fn allocate<R: Recorder>(
        &mut self,
        _app: AppId,
        _call: AllocateCall,
        _rec: &mut R,
    ) -> Result<AllocateResponse, Refusal> {
        not_yet()
    }

    /// The AM says that it is done; the end of its container is then reported by its node.
    pub fn unregister<R: Recorder>(&mut self, _app: AppId, _rec: &mut R) {}

    /// A node's heartbeat: reports first, then (in heartbeat mode) the scheduler works on the node.
    pub fn heartbeat<R: Recorder>(&mut self, _node: NodeId, _report: NodeReport, _rec: &mut R) {}

    /// Asynchronous scheduling: one walk over all nodes from a start (taken modulo their number). Did it change
    /// anything?
    pub fn async_walk<R: Recorder>(&mut self, _start: usize, _rec: &mut R) -> bool {
        false
    }

    /// Is the scheduler asynchronous: does it work in [`ResourceManager::async_walk`] instead of in heartbeats?
    pub fn is_asynchronous(&self) -> bool {
        false
    }

    /// The application ends and everything of it.
    pub fn kill_app<R: Recorder>(&mut self, _app: AppId, _rec: &mut R) {}

    /// An allocated container was never launched: its timer ran out.
    pub fn expire_container<R: Recorder>(&mut self, _container: ContainerId, _rec: &mut R) {}

    /// An administrator moves an application to another queue.
    pub fn move_app<R: Recorder>(&mut self, _app: AppId, _queue: &str, _rec: &mut R) -> Result<(), Refusal> {
        not_yet()
    }

    /// An administrator changes an application's priority.
    pub fn set_priority<R: Recorder>(&mut self, _app: AppId, _priority: i32, _rec: &mut R) -> Result<(), Refusal> {
        not_yet()
    }

    /// Changed settings of the CapacityScheduler are loaded. Errors: refused, the old ones stay.
    pub fn refresh<R: Recorder>(&mut self, _capacity_scheduler: Properties, _rec: &mut R) -> Result<(), Refusal> {
        not_yet()
    }

    /// One round of the preemption monitor.
    pub fn preempt<R: Recorder>(&mut self, _rec: &mut R) -> Result<(), Refusal> {
        Err(Refusal::new("preemption by the CapacityScheduler's monitor is not modelled yet"))
    }

    /// One round of the FairScheduler's update thread.
    pub fn update<R: Recorder>(&mut self, _rec: &mut R) -> Result<(), Refusal> {
        Err(Refusal::new("the FairScheduler is not modelled yet"))
    }
}
