//! The ResourceManager: its state, its start, and its read access.

use super::blamed::BlamedHosts;
use super::hosts::HostLists;
use super::processor::Processor;
use super::states::{AppEvent, AppStep, AttemptEvent, AttemptStep};
use crate::api::{Cut, Granted, NodeUpdate, Refusal, RmEvent, RmSettings, Submission};
use crate::config::yarn_site::YarnSite;
use crate::constraint::PlacementSettings;
use crate::model::{AppId, ContainerId, Millis, NodeId, PartitionId, PlaceId, QueueId, Resource};
use crate::scheduler::app::{AmRequest, EndCause, Inactive};
use crate::scheduler::capacity::{CapacityScheduler, Queue};
use crate::scheduler::fair::FairScheduler;
use crate::scheduler::{App, Cluster, Container, Node, NodeState, Partition, QueueChoice, Scheduler, ShortCuts};
use std::sync::Arc;

/// State of an application (RMAppImpl; lifecycles-and-timing.md 1.1).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum AppState {
    /// The scheduler has it; its AM does not run yet.
    Accepted,
    /// Its AM has registered.
    Running,
    /// Its AM has unregistered and has not exited yet.
    Finishing,
    Finished,
    /// Rejected, or its attempts failed.
    Failed,
    Killed,
}

impl AppState {
    pub fn is_final(self) -> bool {
        matches!(self, AppState::Finished | AppState::Failed | AppState::Killed)
    }

    /// YARN's name.
    pub fn text(self) -> &'static str {
        match self {
            AppState::Accepted => "ACCEPTED",
            AppState::Running => "RUNNING",
            AppState::Finishing => "FINISHING",
            AppState::Finished => "FINISHED",
            AppState::Failed => "FAILED",
            AppState::Killed => "KILLED",
        }
    }
}

/// An application in the ResourceManager (RMAppImpl). Its attempt in the scheduler is the [`App`] of the same number.
#[derive(Clone, Debug, PartialEq)]
pub struct RmApp {
    pub id: AppId,
    /// The submission; its `queue` as written.
    pub submission: Submission,
    /// The path of its queue (of the queue that it names, if it was rejected before it had one).
    pub queue: String,
    /// How that queue was chosen.
    pub choice: Arc<QueueChoice>,
    pub state: AppState,
    /// Its state in the full state machine, from which `state` is derived.
    pub(crate) step: AppStep,
    /// The state in which it stays until it is killed, after the scheduler threw an exception that nobody catches.
    pub(crate) unanswered: Option<AppStep>,
    /// The state of its present attempt.
    pub(crate) attempt: AttemptStep,
    /// YARN's diagnostics for why it ended or was rejected.
    pub diagnostics: String,
    /// Why it is over, once it is.
    pub end: Option<AppEnd>,
    /// The time of its submission.
    pub submitted_at: Millis,
    pub finished_at: Option<Millis>,
    /// The number of attempts that counted as failures when the latest one ended.
    pub failures: i32,
    /// The times of failed attempts that may count together with the next one; only with a window of failures.
    pub(crate) failed_at: Vec<Millis>,
    pub max_attempts: i32,
    /// The end of its lifetime, if it has one.
    pub expires_at: Option<Millis>,
    /// The number of node changes that its AMs have got.
    pub(crate) nodes_told: usize,
    /// The hosts that its failed AMs blame (`am-scheduling.node-blacklisting-enabled`).
    pub(crate) am_blacklist: BlamedHosts<PlaceId>,
    /// The request for the AM's container, the same for each attempt; `None`: the AM is unmanaged.
    pub(crate) am: Option<AmRequest>,
}

impl RmApp {
    /// Applies an event to the application.
    pub(super) fn hears(&mut self, event: AppEvent) {
        self.step = self.step.after(event);
        self.state = self.step.shown();
    }

    /// Applies an event to its attempt. Returns the attempt's event for the application.
    pub(super) fn attempt_hears(&mut self, event: AttemptEvent) -> Option<AppEvent> {
        let (step, told) = self.attempt.after(event);
        self.attempt = step;
        told
    }

    /// Begins an attempt, which the scheduler has accepted.
    pub(super) fn begin_attempt(&mut self) {
        self.attempt = AttemptStep::New;
        self.attempt_hears(AttemptEvent::Start);
        self.attempt_hears(AttemptEvent::Added { unmanaged: self.submission.am.is_none() });
    }

    /// Returns YARN's name of the present attempt's state.
    pub fn attempt_state(&self) -> &'static str {
        self.attempt.text()
    }

    /// Returns whether the containers of an attempt that ends now, with so many failures in all, stay for the next one
    /// (lifecycles-and-timing.md 4.3). The only attempt that it may have keeps none.
    pub fn keeps_containers(&self, failures: i32) -> bool {
        self.submission.keep_containers
            && self.submission.am.is_some()
            && self.state != AppState::Finishing
            && !self.is_over_after(failures)
    }

    /// Returns whether no attempt follows one that ends now, with so many failures in all. With one attempt at most
    /// every end is final, whoever's fault it is.
    pub fn is_over_after(&self, failures: i32) -> bool {
        failures >= self.max_attempts || self.max_attempts == 1
    }

    /// Returns why the scheduler rejected it; `None`: it did not. A rejected application never had an attempt.
    pub fn rejected(&self) -> Option<&Refusal> {
        match &self.end {
            Some(AppEnd::Rejected(refusal)) => Some(refusal),
            _ => None,
        }
    }
}

/// Why an application is over.
#[derive(Clone, Debug, PartialEq)]
pub enum AppEnd {
    /// The scheduler rejected it.
    Rejected(Refusal),
    /// Its AM unregistered.
    Unregistered,
    Killed,
    /// Its lifetime ended.
    LifetimeOver,
    /// The last attempt that it may have ended before its AM unregistered.
    AmFailed {
        /// The number of attempts that it may have.
        attempts: i32,
        /// The window in which failures count, if it has one.
        window: Option<Millis>,
        /// How the last attempt ended.
        why: AmEnd,
    },
}

/// How an attempt ended whose AM had not unregistered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AmEnd {
    /// The AM's process ended, with this exit code.
    Exited(i32),
    /// The AM expired.
    TimedOut,
    /// Its container was killed or lost.
    Container(EndCause),
}

/// The ResourceManager: plain data, so a clone is a checkpoint.
#[derive(Clone, Debug, PartialEq)]
pub struct ResourceManager {
    /// Shared by copies, since it may hold files of megabytes.
    pub(crate) settings: Arc<RmSettings>,
    /// Read once, at start.
    pub(crate) site: YarnSite,
    pub(crate) cluster: Cluster,
    pub(crate) scheduler: Scheduler,
    pub(crate) apps: Vec<RmApp>,
    pub(crate) events: Vec<RmEvent>,
    /// Read once, at start.
    pub(crate) asynchronous: bool,
    /// The placement processor, when it is the handler of constraints.
    pub(crate) processor: Processor,
    /// Sizes that were lowered since the latest [`ResourceManager::take_cuts`].
    pub(crate) cuts: Vec<Cut>,
    /// Nodes in the order in which they were added, removed or changed (NodesListManager).
    pub(crate) node_changes: Vec<NodeId>,
    /// The include and exclude lists.
    pub(crate) hosts: HostLists,
    /// Hosts in these lists that never registered, and the state that they count as.
    pub(crate) unregistered: Vec<(String, NodeState)>,
    /// The number of active nodes that are counted twice (quirk).
    pub(crate) active_too_many: usize,
    /// How the queue of the latest submission was chosen, accepted or not; `None`: it was refused before.
    pub(crate) latest_choice: Option<Arc<QueueChoice>>,
}

impl ResourceManager {
    /// Sets the short cuts that are taken from now on.
    pub(crate) fn take_short_cuts(&mut self, short_cuts: ShortCuts) {
        self.scheduler.take_short_cuts(&mut self.cluster, short_cuts);
    }

    /// Returns a copy without the caches of short cuts, so that equal states compare equal whatever short cuts were
    /// taken.
    pub fn settled(&self) -> Self {
        let mut rm = self.clone();
        rm.scheduler.settle(&mut rm.cluster);
        rm.scheduler.forget_kept(&mut rm.cluster);
        rm
    }

    /// Starts a ResourceManager. Errors: the settings are refused; the message is Hadoop's root cause.
    pub fn new(settings: RmSettings) -> Result<Self, Refusal> {
        let (scheduler, mut cluster) = Scheduler::start(&settings)?;
        let placement = PlacementSettings::read(|name| settings.yarn_site.get(name).map(String::as_str));
        cluster.placement.settings = placement.map_err(Refusal::new)?;
        let site = YarnSite::read(&settings.yarn_site)?;
        cluster.young_until = site.scheduling_wait_ms;
        let asynchronous = scheduler.capacity().is_some_and(|s| s.conf().asynchronous.enabled);
        Ok(ResourceManager {
            settings: Arc::new(settings),
            site,
            cluster,
            scheduler,
            apps: Vec::new(),
            events: Vec::new(),
            asynchronous,
            processor: Processor::default(),
            cuts: Vec::new(),
            node_changes: Vec::new(),
            hosts: HostLists::default(),
            unregistered: Vec::new(),
            active_too_many: 0,
            latest_choice: None,
        })
    }

    /// Returns the settings that it was started with, those of the CapacityScheduler as of the latest refresh.
    pub fn settings(&self) -> &RmSettings {
        &self.settings
    }

    /// How the queue of the latest submission was chosen, accepted or not; `None`: it was refused before.
    pub fn latest_choice(&self) -> Option<&Arc<QueueChoice>> {
        self.latest_choice.as_ref()
    }

    /// Returns its own settings of yarn-site.xml.
    pub fn site(&self) -> &YarnSite {
        &self.site
    }

    /// Sets the time, which never goes back.
    pub fn set_now(&mut self, now: Millis) {
        self.cluster.now = self.cluster.now.max(now);
        self.cluster.wall_clock = self.cluster.now;
    }

    /// Sets the clock of attempts' start times apart from [`ResourceManager::now`], for callers whose own clock stands
    /// still while several things happen.
    pub fn set_wall_clock(&mut self, at: Millis) {
        self.cluster.wall_clock = at;
    }

    /// Returns the time that was set last.
    pub fn now(&self) -> Millis {
        self.cluster.now
    }

    /// Takes the events that the caller has to handle, since the last call.
    pub fn take_events(&mut self) -> Vec<RmEvent> {
        std::mem::take(&mut self.events)
    }

    /// Takes the sizes that were lowered since the last call.
    pub fn take_cuts(&mut self) -> Vec<Cut> {
        std::mem::take(&mut self.cuts)
    }

    // ---- reading

    /// Returns the accounting of nodes, applications and containers, and the names of partitions, places and users.
    pub fn cluster(&self) -> &Cluster {
        &self.cluster
    }

    pub fn scheduler(&self) -> &Scheduler {
        &self.scheduler
    }

    /// Returns the CapacityScheduler, if it is the scheduler.
    pub fn capacity(&self) -> Option<&CapacityScheduler> {
        self.scheduler.capacity()
    }

    /// Returns all nodes that ever registered; [`Node::in_scheduler`] says whether the scheduler has a node now.
    pub fn nodes(&self) -> &[Node] {
        &self.cluster.nodes
    }

    pub fn node(&self, id: NodeId) -> Option<&Node> {
        self.cluster.nodes.get(id.index())
    }

    /// Returns the node of a host.
    pub fn node_by_host(&self, host: &str) -> Option<NodeId> {
        self.cluster.node_by_host(host)
    }

    /// Returns a node's report as ApplicationMasters and clients get it.
    pub(crate) fn node_update(&self, node: &Node) -> NodeUpdate {
        NodeUpdate {
            node: node.id,
            host: node.host.clone(),
            rack: self.cluster.place_name(node.rack).to_string(),
            label: self.cluster.partition_name(node.partition).to_string(),
            state: node.state,
        }
    }

    /// Returns the applications in the order of submission, rejected ones included.
    pub fn apps(&self) -> &[RmApp] {
        &self.apps
    }

    pub fn app(&self, id: AppId) -> Option<&RmApp> {
        self.apps.get(id.index())
    }

    /// Returns an application's present attempt in the scheduler: requests, containers, usage, AM status.
    pub fn scheduled(&self, id: AppId) -> Option<&App> {
        self.cluster.apps.get(id.index())
    }

    /// Returns the FairScheduler, if it is the scheduler.
    pub fn fair(&self) -> Option<&FairScheduler> {
        self.scheduler.fair()
    }

    /// Returns the queues of the CapacityScheduler, root first; those with `alive` false are removed. Empty under other
    /// schedulers.
    pub fn queues(&self) -> &[Queue] {
        self.scheduler.capacity().map_or(&[], CapacityScheduler::queues)
    }

    /// Returns the full path of a queue.
    pub fn queue_path(&self, queue: QueueId) -> &str {
        self.scheduler.queue_path(queue)
    }

    /// Returns the parent of a queue.
    pub fn parent_of(&self, queue: QueueId) -> Option<QueueId> {
        match &self.scheduler {
            Scheduler::Capacity(s) => s.queues().get(queue.index())?.parent,
            Scheduler::Fair(s) => s.queues().get(queue.index())?.parent,
            Scheduler::Fifo(_) => None,
        }
    }

    /// Returns the queue of a full path, or of a short name that is not ambiguous.
    pub fn queue(&self, name: &str) -> Option<QueueId> {
        self.scheduler.find_queue(name)
    }

    /// Returns the largest container that a new application may request: the configured one, lowered to the largest
    /// node (GetNewApplicationResponse.getMaximumResourceCapability).
    pub fn maximum_capability(&self) -> Resource {
        self.scheduler.maximum(&self.cluster, None)
    }

    /// Returns the largest container in the answer to an ApplicationMaster's registration, which its queue may lower.
    pub fn maximum_capability_of(&self, app: AppId) -> Resource {
        self.scheduler.maximum(&self.cluster, self.cluster.apps.get(app.index()).map(|app| app.queue))
    }

    /// Returns the partitions, the default one first.
    pub fn partitions(&self) -> &[Partition] {
        &self.cluster.partitions
    }

    /// Returns a live container or reservation.
    pub fn container(&self, id: ContainerId) -> Option<&Container> {
        self.cluster.container(id)
    }

    /// Returns the live containers and reservations of an application: those kept from earlier attempts, then the
    /// present attempt's by number.
    pub fn containers_of(&self, app: AppId) -> impl Iterator<Item = &Container> {
        let app = self.cluster.apps.get(app.index());
        app.into_iter().flat_map(App::slots).map(|slot| self.cluster.containers.at(slot))
    }

    /// Returns the smallest container, and the largest one in the answer to the AM's registration.
    pub(crate) fn container_limits(&self, app: AppId) -> (Resource, Resource) {
        let queue = self.cluster.apps.get(app.index()).map(|a| a.queue);
        (self.cluster.minimum, self.scheduler.maximum(&self.cluster, queue))
    }

    /// Returns the containers in the answer to the AM's registration: those kept from the attempt before.
    pub fn kept_containers(&self, app: AppId) -> Vec<Granted> {
        let attempt = self.cluster.apps.get(app.index()).map_or(0, |a| a.attempt);
        let kept = self.containers_of(app).filter(|c| c.id.attempt != attempt);
        kept.map(|c| Granted {
            id: c.id,
            node: c.node,
            size: c.size,
            priority: c.key.priority,
            allocation_request_id: c.key.allocation_request_id,
            tags: Vec::new(),
        })
        .collect()
    }

    /// Returns the containers that a node's usage counts, in the order of allocation; some may have ended without the
    /// node's report.
    pub fn containers_on(&self, node: NodeId) -> impl Iterator<Item = &Container> {
        let node = self.cluster.nodes.get(node.index());
        node.into_iter().flat_map(|n| n.containers.iter()).map(|slot| self.cluster.containers.at(*slot))
    }

    /// Returns all reservations, by node.
    pub fn reservations(&self) -> impl Iterator<Item = &Container> {
        self.cluster.nodes.iter().filter_map(|n| n.reserved).map(|slot| self.cluster.containers.at(slot))
    }

    /// Returns the headroom that an answer to the AM would have now (capacity-scheduler.md 10).
    pub fn headroom(&mut self, app: AppId) -> Resource {
        self.scheduler.headroom(&self.cluster, app)
    }

    /// Returns YARN's diagnostics for why the AM of an application does not run yet.
    pub fn am_diagnostics(&self, app: AppId) -> String {
        self.cluster.apps.get(app.index()).map_or(String::new(), |a| self.scheduler.am_diagnostics(&self.cluster, a))
    }

    /// Returns the limit that stopped the activation of an application at its leaf's latest pass over pending
    /// applications, if its diagnostics have not changed since (CapacityScheduler).
    pub fn inactive(&self, app: AppId) -> Option<&Inactive> {
        self.scheduler.inactive(self.cluster.apps.get(app.index())?)
    }

    pub fn partition_total(&self, p: PartitionId) -> Resource {
        self.cluster.partitions.get(p.index()).map_or(Resource::ZERO, |p| p.total)
    }
}
