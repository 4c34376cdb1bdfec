//! The scheduler that the ResourceManager runs: one of three, behind the calls that all of them take.

use super::app::{AmRequest, AmStatus, App, EndCause, Inactive};
use super::capacity::CapacityScheduler;
use super::fair::{self, FairScheduler};
use super::fifo::{self, FifoScheduler};
use super::{Cluster, PlaceId, RequestRow, ShortCuts};
use crate::api::{Refusal, RmSettings, SchedulerChoice};
use crate::check::Checked;
use crate::journal::{NodeGone, Recorder};
use crate::model::{AppId, CalculatorKind, ContainerId, NodeId, PartitionId, QueueId, RequestKey, Resource};

#[derive(Clone, Debug, PartialEq)]
#[allow(clippy::large_enum_variant)] // there is only one of them
pub enum Scheduler {
    Capacity(CapacityScheduler),
    Fair(FairScheduler),
    Fifo(FifoScheduler),
}

/// Calls the same method on the scheduler that runs.
macro_rules! each {
    ($self:expr, $s:ident => $call:expr) => {
        match $self {
            Scheduler::Capacity($s) => $call,
            Scheduler::Fair($s) => $call,
            Scheduler::Fifo($s) => $call,
        }
    };
}

impl Scheduler {
    /// Starts the scheduler that the settings name, with empty accounting. Errors: the settings are refused, in
    /// Hadoop's words.
    pub fn start(settings: &RmSettings) -> Result<(Self, Cluster), Refusal> {
        Ok(match settings.scheduler {
            SchedulerChoice::Capacity => {
                let (scheduler, cluster) = CapacityScheduler::start(settings)?;
                (Scheduler::Capacity(scheduler), cluster)
            }
            SchedulerChoice::Fifo => {
                let (scheduler, cluster) = FifoScheduler::start(settings)?;
                (Scheduler::Fifo(scheduler), cluster)
            }
            SchedulerChoice::Fair => {
                let (scheduler, cluster) = FairScheduler::start(settings)?;
                (Scheduler::Fair(scheduler), cluster)
            }
        })
    }

    /// Sets the short cuts that are taken from now on.
    pub(crate) fn take_short_cuts(&mut self, c: &mut Cluster, short_cuts: ShortCuts) {
        self.settle(c);
        c.short_cuts = short_cuts;
    }

    /// Does the work that short cuts postponed: afterwards the state is the same as without them.
    pub(crate) fn settle(&mut self, c: &mut Cluster) {
        match self {
            Scheduler::Capacity(s) => s.books.settle(c),
            // Their short cuts postpone nothing.
            Scheduler::Fair(_) | Scheduler::Fifo(_) => {}
        }
    }

    /// Drops the caches and counters of short cuts, for a comparison.
    pub(crate) fn forget_kept(&mut self, c: &mut Cluster) {
        c.forget_kept();
        match self {
            Scheduler::Capacity(s) => s.books.forget_kept(),
            Scheduler::Fair(s) => s.forget_kept(),
            Scheduler::Fifo(_) => {}
        }
    }

    /// Returns whether a node is large enough for a container of this size, by the scheduler's own predicate.
    pub fn fits_on_node(&self, c: &Cluster, need: &Resource, total: &Resource) -> bool {
        match self {
            Scheduler::Capacity(_) => c.calculator.fits_in(need, total),
            Scheduler::Fair(_) => fair::fits(*need, *total),
            Scheduler::Fifo(_) => need.memory_mb() <= total.memory_mb(),
        }
    }

    /// Returns whether it places requests that are bound to hosts on any node, as the FifoScheduler does, which ignores
    /// relaxLocality.
    pub fn ignores_places(&self) -> bool {
        matches!(self, Scheduler::Fifo(_))
    }

    /// Returns whether it compares nothing but memory when it places containers.
    pub fn counts_memory_only(&self, c: &Cluster) -> bool {
        match self {
            Scheduler::Capacity(_) => c.calculator.kind == CalculatorKind::Default,
            Scheduler::Fair(_) => false,
            Scheduler::Fifo(_) => true,
        }
    }

    /// Returns whether a container of this size fits a node now, by the scheduler's own predicate.
    pub fn fits_in_room(&self, c: &Cluster, need: &Resource, free: &Resource) -> bool {
        match self {
            Scheduler::Capacity(_) => c.calculator.has_room_for(free, need),
            Scheduler::Fair(_) => fair::fits(*need, *free),
            Scheduler::Fifo(_) => need.memory_mb() <= free.memory_mb(),
        }
    }

    /// Returns the first limit that would stop a request now, before any node, by the scheduler's own rules.
    pub fn first_limit(&self, c: &Cluster, app: AppId, key: RequestKey, p: PartitionId) -> Option<Checked> {
        match self {
            Scheduler::Capacity(s) => s.first_limit(c, app, key, p),
            Scheduler::Fair(s) => s.first_limit(c, app, key),
            // The FifoScheduler has no limits but the nodes.
            Scheduler::Fifo(_) => None,
        }
    }

    /// Returns the first limit after that one that would also stop the request.
    pub fn next_limit(
        &self,
        c: &Cluster,
        (app, key, p): (AppId, RequestKey, PartitionId),
        stop: &Checked,
    ) -> Option<Checked> {
        match self {
            Scheduler::Capacity(s) => s.next_limit(c, (app, key, p), stop),
            Scheduler::Fair(s) => s.next_limit(c, app, key, stop),
            Scheduler::Fifo(_) => None,
        }
    }

    /// Returns the full name of its class.
    pub fn class(&self) -> &'static str {
        match self {
            Scheduler::Capacity(_) => {
                "org.apache.hadoop.yarn.server.resourcemanager.scheduler.capacity.CapacityScheduler"
            }
            Scheduler::Fair(_) => "org.apache.hadoop.yarn.server.resourcemanager.scheduler.fair.FairScheduler",
            Scheduler::Fifo(_) => "org.apache.hadoop.yarn.server.resourcemanager.scheduler.fifo.FifoScheduler",
        }
    }

    /// Returns the CapacityScheduler, if it is the scheduler.
    pub fn capacity(&self) -> Option<&CapacityScheduler> {
        match self {
            Scheduler::Capacity(s) => Some(s),
            _ => None,
        }
    }

    /// Returns the FairScheduler, if it is the scheduler.
    pub fn fair(&self) -> Option<&FairScheduler> {
        match self {
            Scheduler::Fair(s) => Some(s),
            _ => None,
        }
    }

    /// Returns the limit that stopped the activation of an application at its leaf's latest pass over pending
    /// applications, if its diagnostics have not changed since.
    pub(crate) fn inactive<'a>(&'a self, app: &'a App) -> Option<&'a Inactive> {
        match self {
            Scheduler::Capacity(s) => s.books.inactive_of(app),
            _ => None,
        }
    }

    /// Returns YARN's diagnostics for why the AM of an application does not run yet.
    pub(crate) fn am_diagnostics(&self, c: &Cluster, app: &App) -> String {
        match self {
            Scheduler::Fair(s) if !matches!(app.am_status, AmStatus::Launched) => fair::status_text(s, c, app),
            _ => super::capacity::am_status_text(c, app, self.inactive(app)),
        }
    }

    /// Returns the queue of a name as a user writes it.
    pub fn find_queue(&self, name: &str) -> Option<QueueId> {
        match self {
            Scheduler::Capacity(s) => s.find_queue(name),
            Scheduler::Fair(s) => s.find_queue(&fair::rooted(name)),
            Scheduler::Fifo(_) => (name == fifo::QUEUE).then_some(fifo::ONLY),
        }
    }

    /// Returns the queue that YARN finds by the name of this one. Quirk: a leaf that became a parent goes on with its
    /// applications, and a lookup by its name finds the parent (CapacityScheduler.getQueue).
    pub(crate) fn queue_of_that_name(&self, queue: QueueId) -> QueueId {
        match self {
            Scheduler::Capacity(s) => s.find_queue(&s.queue(queue).path).unwrap_or(queue),
            Scheduler::Fair(_) | Scheduler::Fifo(_) => queue,
        }
    }

    /// Returns the full path of a queue.
    pub fn queue_path(&self, queue: QueueId) -> &str {
        match self {
            Scheduler::Capacity(s) => s.queues().get(queue.index()).map_or("", |q| q.path.as_str()),
            Scheduler::Fair(s) => s.queues().get(queue.index()).map_or("", |q| q.path.as_str()),
            Scheduler::Fifo(_) => fifo::QUEUE,
        }
    }

    pub fn is_leaf(&self, queue: QueueId) -> bool {
        match self {
            Scheduler::Capacity(s) => s.queue(queue).is_leaf(),
            Scheduler::Fair(s) => s.queue(queue).leaf,
            Scheduler::Fifo(_) => true,
        }
    }

    /// Returns the largest request in a queue; `None`: the queue is yet to be created.
    pub(crate) fn maximum(&self, c: &Cluster, queue: Option<QueueId>) -> Resource {
        let largest = c.largest_allocation();
        match (self, queue) {
            // YARN ignores the maximum of a parent.
            (Scheduler::Capacity(s), Some(q)) if s.queue(q).is_leaf() => {
                s.queue(q).conf.maximum_allocation.component_min(largest)
            }
            (Scheduler::Fair(s), queue) => s.largest_container(c, queue),
            _ => largest,
        }
    }

    /// Returns a queue's own maximum allocation, whatever the cluster's is.
    pub(crate) fn own_maximum(&self, queue: QueueId) -> Option<Resource> {
        match self {
            Scheduler::Capacity(s) => s.queue(queue).is_leaf().then(|| s.queue(queue).conf.maximum_allocation),
            Scheduler::Fair(s) => s.own_container_maximum(queue),
            Scheduler::Fifo(_) => None,
        }
    }

    /// Returns a size normalized for a queue: raised to the minimum, rounded up, lowered to the maximum.
    pub(crate) fn normalize(&self, c: &Cluster, queue: Option<QueueId>, size: Resource) -> Resource {
        match self {
            Scheduler::Capacity(_) => c.calculator.normalize(&size, &c.minimum, &self.maximum(c, queue), &c.minimum),
            Scheduler::Fair(s) => s.normalize(c, queue, size),
            // The FifoScheduler rounds memory to the minimum, and always takes one vcore.
            Scheduler::Fifo(_) => c.rounded(size),
        }
    }

    /// Returns the size with which a request is scheduled. Quirk: the CapacityScheduler rounds again what was lowered
    /// to its queue's maximum, and lowers only to the cluster's, so that a maximum that is no multiple of the minimum
    /// is exceeded.
    pub(crate) fn scheduled_size(&self, c: &Cluster, queue: QueueId, size: Resource) -> Resource {
        let asked = self.normalize(c, Some(queue), size);
        match self {
            Scheduler::Capacity(_) => c.rounded(asked),
            Scheduler::Fair(_) | Scheduler::Fifo(_) => asked,
        }
    }

    /// Returns the headroom in an answer to the AM of an application.
    pub(crate) fn headroom(&mut self, c: &Cluster, app: AppId) -> Resource {
        match self {
            Scheduler::Capacity(s) => s.headroom(c, app),
            Scheduler::Fair(s) => s.headroom(c, app),
            Scheduler::Fifo(s) => s.headroom(app),
        }
    }

    /// Adds an application's next attempt. Returns whether it goes on to request its AM's container; it does not where
    /// YARN throws.
    pub(crate) fn add_attempt<R: Recorder>(
        &mut self,
        c: &mut Cluster,
        app: AppId,
        am: Option<&AmRequest>,
        rec: &mut R,
    ) -> bool {
        each!(self, s => s.add_attempt(c, app, am, rec))
    }

    /// Requests the AM's container of an attempt that was added. Returns the size that counts; `None`: the request is
    /// lost.
    pub(crate) fn ask_for_am(&mut self, c: &mut Cluster, app: AppId, am: &AmRequest) -> Option<Resource> {
        each!(self, s => s.ask_for_am(c, app, am))
    }

    /// Ends an attempt with its containers, reservations and requests.
    pub(crate) fn end_attempt<R: Recorder>(&mut self, c: &mut Cluster, app: AppId, keep: bool, rec: &mut R) {
        each!(self, s => s.end_attempt(c, app, keep, rec));
    }

    /// Removes an application after its last attempt.
    pub(crate) fn remove_application(&mut self, c: &mut Cluster, app: AppId) {
        match self {
            Scheduler::Capacity(s) => s.remove_application(c, app),
            Scheduler::Fair(s) => s.remove_application(c, app),
            Scheduler::Fifo(_) => {}
        }
    }

    /// Updates the rows of one key, each name once. `partition`: the ANY row's.
    pub(crate) fn update_asks(
        &mut self,
        c: &mut Cluster,
        app: AppId,
        key: RequestKey,
        rows: &[(PlaceId, RequestRow)],
        partition: PartitionId,
    ) {
        match self {
            Scheduler::Capacity(s) => s.books.update_asks(c, app, key, rows, partition),
            Scheduler::Fair(s) => s.update_asks(c, app, key, rows),
            Scheduler::Fifo(s) => s.update_asks(c, app, key, rows),
        }
    }

    /// Ends a container, by its node's report or by order, or a reservation.
    pub(crate) fn end_container<R: Recorder>(
        &mut self,
        c: &mut Cluster,
        id: ContainerId,
        exit_code: i32,
        why: EndCause,
        rec: &mut R,
    ) {
        match self {
            Scheduler::Capacity(s) => s.books.end_container(c, id, exit_code, why, rec),
            Scheduler::Fair(s) => s.end_container(c, id, exit_code, why, rec),
            Scheduler::Fifo(s) => s.end_container(c, id, exit_code, why, rec),
        }
    }

    /// Adds a node.
    pub(crate) fn node_came<R: Recorder>(&mut self, c: &mut Cluster, rec: &mut R) {
        match self {
            Scheduler::Capacity(s) => s.node_came(c, rec),
            Scheduler::Fair(s) => s.cluster_changed(c),
            Scheduler::Fifo(_) => {}
        }
    }

    /// Removes a node with its containers and its reservation. Returns the applications whose AM ran there.
    pub(crate) fn remove_node<R: Recorder>(
        &mut self,
        c: &mut Cluster,
        id: NodeId,
        why: NodeGone,
        rec: &mut R,
    ) -> Vec<AppId> {
        each!(self, s => s.remove_node(c, id, why, rec))
    }

    /// Resizes a node.
    pub(crate) fn resize_node<R: Recorder>(&mut self, c: &mut Cluster, id: NodeId, total: Resource, rec: &mut R) {
        each!(self, s => s.resize_node(c, id, total, rec));
    }

    /// Offers a node that has reported.
    pub(crate) fn node_turn<R: Recorder>(&mut self, c: &mut Cluster, node: NodeId, rec: &mut R) {
        each!(self, s => s.node_turn(c, node, rec));
    }
}
