//! The scheduler that the ResourceManager runs: one of three, behind the calls that all of them take.

use super::app::{AmRequest, AmStatus, App, EndCause, Inactive};
use super::capacity::CapacityScheduler;
use super::fair::{self, FairScheduler};
use super::fifo::{self, FifoScheduler};
use super::{Cluster, PlaceId, Row, ShortCuts};
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

/// The same call on whichever it is.
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
    /// Starts the one that the settings name, over empty books. Errors: the settings are refused, in Hadoop's words.
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

    /// Takes these short cuts from now on.
    pub(crate) fn take_short_cuts(&mut self, c: &mut Cluster, short_cuts: ShortCuts) {
        self.settle(c);
        c.short_cuts = short_cuts;
    }

    /// Does what short cuts have put off: afterwards all stands as if none had been taken.
    pub(crate) fn settle(&mut self, c: &mut Cluster) {
        match self {
            Scheduler::Capacity(s) => s.books.settle(c),
            // Theirs put nothing off.
            Scheduler::Fair(_) | Scheduler::Fifo(_) => {}
        }
    }

    /// Drops what short cuts keep and count, for a comparison.
    pub(crate) fn forget_kept(&mut self, c: &mut Cluster) {
        c.forget_kept();
        match self {
            Scheduler::Capacity(s) => s.books.forget_kept(),
            Scheduler::Fair(s) => s.forget_kept(),
            Scheduler::Fifo(_) => {}
        }
    }

    /// Is a node large enough for a container of this size? The predicate by which the scheduler decides.
    pub fn fits_on_node(&self, c: &Cluster, need: &Resource, total: &Resource) -> bool {
        match self {
            Scheduler::Capacity(_) => c.calculator.fits_in(need, total),
            Scheduler::Fair(_) => fair::fits(*need, *total),
            Scheduler::Fifo(_) => need.memory_mb() <= total.memory_mb(),
        }
    }

    /// Does it place requests that are bound to hosts on any node? The FifoScheduler does not look at relaxLocality.
    pub fn ignores_places(&self) -> bool {
        matches!(self, Scheduler::Fifo(_))
    }

    /// Does it compare nothing but memory when it looks for room?
    pub fn counts_memory_only(&self, c: &Cluster) -> bool {
        match self {
            Scheduler::Capacity(_) => c.calculator.kind == CalculatorKind::Default,
            Scheduler::Fair(_) => false,
            Scheduler::Fifo(_) => true,
        }
    }

    /// Has a node room for a container of this size? The predicate by which the scheduler decides.
    pub fn fits_in_room(&self, c: &Cluster, need: &Resource, free: &Resource) -> bool {
        match self {
            Scheduler::Capacity(_) => c.calculator.has_room_for(free, need),
            Scheduler::Fair(_) => fair::fits(*need, *free),
            Scheduler::Fifo(_) => need.memory_mb() <= free.memory_mb(),
        }
    }

    /// The first limit that would stop a request now, before any node, by the scheduler's own rules.
    pub fn first_limit(&self, c: &Cluster, app: AppId, key: RequestKey, p: PartitionId) -> Option<Checked> {
        match self {
            Scheduler::Capacity(s) => s.first_limit(c, app, key, p),
            Scheduler::Fair(s) => s.first_limit(c, app, key),
            // It has no limits but the nodes.
            Scheduler::Fifo(_) => None,
        }
    }

    /// The first limit that would stop it were it not for the one that does.
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

    /// Full name of its class.
    pub fn class(&self) -> &'static str {
        match self {
            Scheduler::Capacity(_) => {
                "org.apache.hadoop.yarn.server.resourcemanager.scheduler.capacity.CapacityScheduler"
            }
            Scheduler::Fair(_) => "org.apache.hadoop.yarn.server.resourcemanager.scheduler.fair.FairScheduler",
            Scheduler::Fifo(_) => "org.apache.hadoop.yarn.server.resourcemanager.scheduler.fifo.FifoScheduler",
        }
    }

    /// The CapacityScheduler, if it is one.
    pub fn capacity(&self) -> Option<&CapacityScheduler> {
        match self {
            Scheduler::Capacity(s) => Some(s),
            _ => None,
        }
    }

    /// The FairScheduler, if it is one.
    pub fn fair(&self) -> Option<&FairScheduler> {
        match self {
            Scheduler::Fair(s) => Some(s),
            _ => None,
        }
    }

    /// What stopped the activation of an application at its leaf's latest pass over those that are pending, if nothing is
    /// to be said of its AM since.
    pub(crate) fn inactive<'a>(&'a self, app: &'a App) -> Option<&'a Inactive> {
        match self {
            Scheduler::Capacity(s) => s.books.inactive_of(app),
            _ => None,
        }
    }

    /// YARN's words for why the AM of an application does not run yet.
    pub(crate) fn am_diagnostics(&self, c: &Cluster, app: &App) -> String {
        match self {
            Scheduler::Fair(s) if !matches!(app.am_status, AmStatus::Launched) => fair::status_text(s, c, app),
            _ => super::capacity::am_status_text(c, app, self.inactive(app)),
        }
    }

    /// A queue by its name as a user writes it.
    pub fn find_queue(&self, name: &str) -> Option<QueueId> {
        match self {
            Scheduler::Capacity(s) => s.find_queue(name),
            Scheduler::Fair(s) => s.find_queue(&fair::rooted(name)),
            Scheduler::Fifo(_) => (name == fifo::QUEUE).then_some(fifo::ONLY),
        }
    }

    /// The queue that has this one's name by now. A leaf that became a parent goes on with its applications, and whoever
    /// looks it up by its name finds the parent (CapacityScheduler.getQueue; quirk).
    pub(crate) fn queue_of_that_name(&self, queue: QueueId) -> QueueId {
        match self {
            Scheduler::Capacity(s) => s.find_queue(&s.queue(queue).path).unwrap_or(queue),
            Scheduler::Fair(_) | Scheduler::Fifo(_) => queue,
        }
    }

    /// Full path of a queue.
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

    /// What may be asked for at most in a queue; in one that is still to be made, `None`.
    pub(crate) fn maximum(&self, c: &Cluster, queue: Option<QueueId>) -> Resource {
        let largest = c.largest_allocation();
        match (self, queue) {
            // That of a parent is not looked at.
            (Scheduler::Capacity(s), Some(q)) if s.queue(q).is_leaf() => {
                s.queue(q).conf.maximum_allocation.component_min(largest)
            }
            (Scheduler::Fair(s), queue) => s.largest_container(c, queue),
            _ => largest,
        }
    }

    /// What a queue itself says that a container may have at most; the cluster's maximum is not in it.
    pub(crate) fn own_maximum(&self, queue: QueueId) -> Option<Resource> {
        match self {
            Scheduler::Capacity(s) => s.queue(queue).is_leaf().then(|| s.queue(queue).conf.maximum_allocation),
            Scheduler::Fair(s) => s.own_container_maximum(queue),
            Scheduler::Fifo(_) => None,
        }
    }

    /// A size as it will be asked for in a queue: lifted to the minimum, rounded up, cut to the maximum.
    pub(crate) fn normalize(&self, c: &Cluster, queue: Option<QueueId>, size: Resource) -> Resource {
        match self {
            Scheduler::Capacity(_) => c.calculator.normalize(&size, &c.minimum, &self.maximum(c, queue), &c.minimum),
            Scheduler::Fair(s) => s.normalize(c, queue, size),
            // Memory in steps of the minimum, always one vcore.
            Scheduler::Fifo(_) => c.rounded(size),
        }
    }

    /// The size that a request of so much is scheduled with. The CapacityScheduler rounds once more what was cut to its
    /// queue's maximum, and cuts only to the cluster's: a maximum that is no multiple of the minimum is exceeded (quirk).
    pub(crate) fn scheduled_size(&self, c: &Cluster, queue: QueueId, size: Resource) -> Resource {
        let asked = self.normalize(c, Some(queue), size);
        match self {
            Scheduler::Capacity(_) => c.rounded(asked),
            Scheduler::Fair(_) | Scheduler::Fifo(_) => asked,
        }
    }

    /// What the AM of an application is told that it may still get.
    pub(crate) fn headroom(&mut self, c: &Cluster, app: AppId) -> Resource {
        match self {
            Scheduler::Capacity(s) => s.headroom(c, app),
            Scheduler::Fair(s) => s.headroom(c, app),
            Scheduler::Fifo(s) => s.headroom(app),
        }
    }

    /// Adds an application's next attempt. Returns whether it goes on to ask for its AM's container: not where YARN throws.
    pub(crate) fn add_attempt<R: Recorder>(
        &mut self,
        c: &mut Cluster,
        app: AppId,
        am: Option<&AmRequest>,
        rec: &mut R,
    ) -> bool {
        each!(self, s => s.add_attempt(c, app, am, rec))
    }

    /// An attempt that was added asks for its AM's container. Returns the size that counts; `None`: the ask is lost.
    pub(crate) fn ask_for_am(&mut self, c: &mut Cluster, app: AppId, am: &AmRequest) -> Option<Resource> {
        each!(self, s => s.ask_for_am(c, app, am))
    }

    /// An attempt ends: its containers and reservations go, its asks leave the sums.
    pub(crate) fn end_attempt<R: Recorder>(&mut self, c: &mut Cluster, app: AppId, keep: bool, rec: &mut R) {
        each!(self, s => s.end_attempt(c, app, keep, rec));
    }

    /// An application leaves the scheduler after its last attempt.
    pub(crate) fn remove_application(&mut self, c: &mut Cluster, app: AppId) {
        match self {
            Scheduler::Capacity(s) => s.remove_application(c, app),
            Scheduler::Fair(s) => s.remove_application(c, app),
            Scheduler::Fifo(_) => {}
        }
    }

    /// Rows of one key come in, each name once. `partition` is the ANY row's.
    pub(crate) fn update_asks(
        &mut self,
        c: &mut Cluster,
        app: AppId,
        key: RequestKey,
        rows: &[(PlaceId, Row)],
        partition: PartitionId,
    ) {
        match self {
            Scheduler::Capacity(s) => s.books.update_asks(c, app, key, rows, partition),
            Scheduler::Fair(s) => s.update_asks(c, app, key, rows),
            Scheduler::Fifo(s) => s.update_asks(c, app, key, rows),
        }
    }

    /// A container ends, by its node's report or by order; a reservation is dropped.
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

    /// A node has come.
    pub(crate) fn node_came<R: Recorder>(&mut self, c: &mut Cluster, rec: &mut R) {
        match self {
            Scheduler::Capacity(s) => s.node_came(c, rec),
            Scheduler::Fair(s) => s.cluster_changed(c),
            Scheduler::Fifo(_) => {}
        }
    }

    /// A node leaves the scheduler: its containers end, its reservation is dropped. Applications whose AM ran there.
    pub(crate) fn remove_node<R: Recorder>(
        &mut self,
        c: &mut Cluster,
        id: NodeId,
        why: NodeGone,
        rec: &mut R,
    ) -> Vec<AppId> {
        each!(self, s => s.remove_node(c, id, why, rec))
    }

    /// A node has another size.
    pub(crate) fn resize_node<R: Recorder>(&mut self, c: &mut Cluster, id: NodeId, total: Resource, rec: &mut R) {
        each!(self, s => s.resize_node(c, id, total, rec));
    }

    /// The scheduler works on a node that has reported.
    pub(crate) fn node_turn<R: Recorder>(&mut self, c: &mut Cluster, node: NodeId, rec: &mut R) {
        each!(self, s => s.node_turn(c, node, rec));
    }
}
