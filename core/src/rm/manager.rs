//! The ResourceManager: what it holds, how it starts, and what can be read from it.

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
    /// In the scheduler, its AM does not run yet.
    Accepted,
    /// Its AM has registered.
    Running,
    /// Its AM has said that it is done, and has not exited yet.
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

/// An application as the ResourceManager knows it (RMAppImpl). What belongs to its attempt in the scheduler is
/// [`App`], by the same number.
#[derive(Clone, Debug, PartialEq)]
pub struct RmApp {
    pub id: AppId,
    /// What was submitted; `queue` as written there.
    pub submission: Submission,
    /// Path of the queue that it was placed in (of the one asked for, when it was rejected before).
    pub queue: String,
    /// How that queue was chosen.
    pub choice: Arc<QueueChoice>,
    pub state: AppState,
    /// Its state with those that pass at once, which `state` follows.
    pub(crate) step: AppStep,
    /// Where the scheduler threw an exception that nobody catches: the state that it stays in until it is killed.
    pub(crate) unanswered: Option<AppStep>,
    /// State of its present attempt.
    pub(crate) attempt: AttemptStep,
    /// YARN's words on why it ended or was rejected.
    pub diagnostics: String,
    /// Why it is over, once it is.
    pub end: Option<AppEnd>,
    /// When it was submitted.
    pub submitted_at: Millis,
    pub finished_at: Option<Millis>,
    /// Attempts that counted as failures when the last one ended.
    pub failures: i32,
    /// When attempts failed that may count with the next one; only with a window of failures.
    pub(crate) failed_at: Vec<Millis>,
    pub max_attempts: i32,
    /// When its lifetime is over, if it has one.
    pub expires_at: Option<Millis>,
    /// How many of the changes of nodes its AMs have been told of.
    pub(crate) nodes_told: usize,
    /// Hosts that its failed AMs blame (`am-scheduling.node-blacklisting-enabled`).
    pub(crate) am_blacklist: BlamedHosts<PlaceId>,
    /// The AM's container as each attempt asks for it; `None` for an unmanaged AM.
    pub(crate) am: Option<AmRequest>,
}

impl RmApp {
    /// Hears what happens to it.
    pub(super) fn hears(&mut self, event: AppEvent) {
        self.step = self.step.after(event);
        self.state = self.step.shown();
    }

    /// Its attempt hears what happens to it. Returns what it tells the application.
    pub(super) fn attempt_hears(&mut self, event: AttemptEvent) -> Option<AppEvent> {
        let (step, told) = self.attempt.after(event);
        self.attempt = step;
        told
    }

    /// An attempt begins, and the scheduler has taken it in.
    pub(super) fn begin_attempt(&mut self) {
        self.attempt = AttemptStep::New;
        self.attempt_hears(AttemptEvent::Start);
        self.attempt_hears(AttemptEvent::Added { unmanaged: self.submission.am.is_none() });
    }

    /// State of its present attempt, in YARN's word.
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

    /// Returns whether no attempt follows one that ends now, with so many failures in all. Of one attempt at most every end is
    /// final, whose fault ever it is.
    pub fn is_over_after(&self, failures: i32) -> bool {
        failures >= self.max_attempts || self.max_attempts == 1
    }

    /// Why the scheduler rejected it, if it did: then it never had an attempt.
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
    /// Its AM said that it is done.
    Unregistered,
    Killed,
    /// Its lifetime was over.
    LifetimeOver,
    /// The last attempt that it may have ended before its AM said that it is done.
    AmFailed {
        /// Attempts that it may have.
        attempts: i32,
        /// Within so long, if older failures do not count.
        window: Option<Millis>,
        /// How the last one ended.
        why: AmEnd,
    },
}

/// How an attempt ended whose AM had not said that it is done.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AmEnd {
    /// The AM's process ended, with this exit code.
    Exited(i32),
    /// The AM was not heard of for too long.
    TimedOut,
    /// Its container was taken away.
    Container(EndCause),
}

/// The ResourceManager: plain data, so a clone is a checkpoint.
#[derive(Clone, Debug, PartialEq)]
pub struct ResourceManager {
    /// Shared by copies: files of megabytes may be in it.
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
    /// Sizes that were cut since somebody last asked.
    pub(crate) cuts: Vec<Cut>,
    /// Nodes in the order in which they came, left or changed (NodesListManager).
    pub(crate) node_changes: Vec<NodeId>,
    /// Hosts that may register, and that may not.
    pub(crate) hosts: HostLists,
    /// Hosts in these lists that have never registered, and as what they count.
    pub(crate) unregistered: Vec<(String, NodeState)>,
    /// So many active nodes too many are counted (quirk).
    pub(crate) active_too_many: usize,
    /// How the queue of the latest submission was chosen, whether or not it was taken in; `None`: it was refused before.
    pub(crate) latest_choice: Option<Arc<QueueChoice>>,
}

impl ResourceManager {
    /// Takes these short cuts from now on.
    pub(crate) fn take_short_cuts(&mut self, short_cuts: ShortCuts) {
        self.scheduler.take_short_cuts(&mut self.cluster, short_cuts);
    }

    /// A copy without anything that short cuts keep: two that stand alike are equal, whatever short cuts were taken.
    pub fn settled(&self) -> Self {
        let mut rm = self.clone();
        rm.scheduler.settle(&mut rm.cluster);
        rm.scheduler.forget_kept(&mut rm.cluster);
        rm
    }

    /// Starts one. Errors: the settings are refused; the message is Hadoop's root cause.
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

    /// What it was started with (with the CapacityScheduler's settings as of the last refresh).
    pub fn settings(&self) -> &RmSettings {
        &self.settings
    }

    /// How the queue of the latest submission was chosen, whether or not it was taken in; `None`: it was refused before.
    pub fn latest_choice(&self) -> Option<&Arc<QueueChoice>> {
        self.latest_choice.as_ref()
    }

    /// Its own settings in yarn-site.xml.
    pub fn site(&self) -> &YarnSite {
        &self.site
    }

    /// Tells the time. It never goes back.
    pub fn set_now(&mut self, now: Millis) {
        self.cluster.now = self.cluster.now.max(now);
        self.cluster.wall_clock = self.cluster.now;
    }

    /// Sets the clock of attempts' start times apart from [`ResourceManager::now`], for those whose own clock stands
    /// still while things happen one after another.
    pub fn set_wall_clock(&mut self, at: Millis) {
        self.cluster.wall_clock = at;
    }

    /// The time as told.
    pub fn now(&self) -> Millis {
        self.cluster.now
    }

    /// What the outside has to do, since the last call.
    pub fn take_events(&mut self) -> Vec<RmEvent> {
        std::mem::take(&mut self.events)
    }

    /// Sizes that were cut, since the last call.
    pub fn take_cuts(&mut self) -> Vec<Cut> {
        std::mem::take(&mut self.cuts)
    }

    // ---- reading

    /// The books of nodes, applications and containers, and the names of partitions, places and users.
    pub fn cluster(&self) -> &Cluster {
        &self.cluster
    }

    pub fn scheduler(&self) -> &Scheduler {
        &self.scheduler
    }

    /// The CapacityScheduler, if it runs that.
    pub fn capacity(&self) -> Option<&CapacityScheduler> {
        self.scheduler.capacity()
    }

    /// Nodes that ever registered; [`Node::in_scheduler`] tells which take part now.
    pub fn nodes(&self) -> &[Node] {
        &self.cluster.nodes
    }

    pub fn node(&self, id: NodeId) -> Option<&Node> {
        self.cluster.nodes.get(id.index())
    }

    /// The node of this host name.
    pub fn node_by_host(&self, host: &str) -> Option<NodeId> {
        self.cluster.node_by_host(host)
    }

    /// A node as ApplicationMasters and clients are told of it.
    pub(crate) fn node_update(&self, node: &Node) -> NodeUpdate {
        NodeUpdate {
            node: node.id,
            host: node.host.clone(),
            rack: self.cluster.place_name(node.rack).to_string(),
            label: self.cluster.partition_name(node.partition).to_string(),
            state: node.state,
        }
    }

    /// Applications in the order of submission, rejected ones included.
    pub fn apps(&self) -> &[RmApp] {
        &self.apps
    }

    pub fn app(&self, id: AppId) -> Option<&RmApp> {
        self.apps.get(id.index())
    }

    /// An application's present attempt in the scheduler: asks, containers, usage, AM status.
    pub fn scheduled(&self, id: AppId) -> Option<&App> {
        self.cluster.apps.get(id.index())
    }

    /// The FairScheduler, if it runs that.
    pub fn fair(&self) -> Option<&FairScheduler> {
        self.scheduler.fair()
    }

    /// Queues of the CapacityScheduler, root first; those with `alive` false are gone. Other schedulers have none of
    /// this kind.
    pub fn queues(&self) -> &[Queue] {
        self.scheduler.capacity().map_or(&[], CapacityScheduler::queues)
    }

    /// Full path of a queue.
    pub fn queue_path(&self, queue: QueueId) -> &str {
        self.scheduler.queue_path(queue)
    }

    /// The queue above a queue.
    pub fn parent_of(&self, queue: QueueId) -> Option<QueueId> {
        match &self.scheduler {
            Scheduler::Capacity(s) => s.queues().get(queue.index())?.parent,
            Scheduler::Fair(s) => s.queues().get(queue.index())?.parent,
            Scheduler::Fifo(_) => None,
        }
    }

    /// A queue by its full path (or a short name that is not ambiguous).
    pub fn queue(&self, name: &str) -> Option<QueueId> {
        self.scheduler.find_queue(name)
    }

    /// The largest container that a new application is told it may ask for: what is configured, cut to what the largest
    /// node has (GetNewApplicationResponse.getMaximumResourceCapability).
    pub fn maximum_capability(&self) -> Resource {
        self.scheduler.maximum(&self.cluster, None)
    }

    /// The largest container that an ApplicationMaster is told of as it registers, which its queue may make smaller.
    pub fn maximum_capability_of(&self, app: AppId) -> Resource {
        self.scheduler.maximum(&self.cluster, self.cluster.apps.get(app.index()).map(|app| app.queue))
    }

    /// Partitions, the default one first.
    pub fn partitions(&self) -> &[Partition] {
        &self.cluster.partitions
    }

    /// A live container or reservation.
    pub fn container(&self, id: ContainerId) -> Option<&Container> {
        self.cluster.container(id)
    }

    /// Live containers and reservations of an application: kept ones of earlier attempts, then the present one's by
    /// number.
    pub fn containers_of(&self, app: AppId) -> impl Iterator<Item = &Container> {
        let app = self.cluster.apps.get(app.index());
        app.into_iter().flat_map(App::slots).map(|slot| self.cluster.containers.at(slot))
    }

    /// The smallest container, and the largest one that the AM of an application is told of when it registers.
    pub(crate) fn container_limits(&self, app: AppId) -> (Resource, Resource) {
        let queue = self.cluster.apps.get(app.index()).map(|a| a.queue);
        (self.cluster.minimum, self.scheduler.maximum(&self.cluster, queue))
    }

    /// Containers that the AM of an application is told of when it registers: those of the attempt before that were kept
    /// for it.
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

    /// Containers that take room on a node, in the order of allocation; some may be over, with the node still to
    /// report it.
    pub fn containers_on(&self, node: NodeId) -> impl Iterator<Item = &Container> {
        let node = self.cluster.nodes.get(node.index());
        node.into_iter().flat_map(|n| n.containers.iter()).map(|slot| self.cluster.containers.at(*slot))
    }

    /// All reservations, by node.
    pub fn reservations(&self) -> impl Iterator<Item = &Container> {
        self.cluster.nodes.iter().filter_map(|n| n.reserved).map(|slot| self.cluster.containers.at(slot))
    }

    /// What the AM of an application would be told as its headroom now (capacity-scheduler.md 10).
    pub fn headroom(&mut self, app: AppId) -> Resource {
        self.scheduler.headroom(&self.cluster, app)
    }

    /// Why the AM of an application does not run yet, in YARN's words.
    pub fn am_diagnostics(&self, app: AppId) -> String {
        self.cluster.apps.get(app.index()).map_or(String::new(), |a| self.scheduler.am_diagnostics(&self.cluster, a))
    }

    /// What stopped the activation of an application at its leaf's latest pass over those that are pending, if nothing is
    /// to be said of its AM since (CapacityScheduler).
    pub fn inactive(&self, app: AppId) -> Option<&Inactive> {
        self.scheduler.inactive(self.cluster.apps.get(app.index())?)
    }

    pub fn partition_total(&self, p: PartitionId) -> Resource {
        self.cluster.partitions.get(p.index()).map_or(Resource::ZERO, |p| p.total)
    }
}
