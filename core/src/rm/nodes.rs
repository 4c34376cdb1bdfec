//! Nodes: registration, loss, size, label, decommissioning, heartbeats (ResourceTrackerService, RMNodeImpl;
//! lifecycles-and-timing.md 1.5, 2.2).

use super::apps::EndedAm;
use super::manager::{AmEnd, ResourceManager};
use crate::api::{
    HeartbeatAnswer, NodeAction, NodeRegistration, NodeReport, NodeSpec, Refusal, RefusalRule, blames_node,
};
use crate::journal::{Change, NodeGone, Recorder};
use crate::model::limits::NODES;
use crate::model::{AppId, Calculator, CalculatorKind, ContainerId, Millis, NodeId, Resource};
use crate::scheduler::app::{ABORTED, EndCause, PREEMPTED};
use crate::scheduler::{Cluster, ContainerState, Node, NodeState, Reported, Scheduler};
use std::borrow::Cow;

/// The status of a node in the watcher of decommissioning nodes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DrainStatus {
    /// It is not decommissioning.
    None,
    /// It runs containers.
    WaitContainer,
    /// An application that used it is not over, so that its data may still be needed.
    WaitApp,
    /// Nothing keeps it.
    Ready,
    /// Its timeout is over.
    Timeout,
}

impl DrainStatus {
    /// Returns YARN's name.
    pub fn text(self) -> &'static str {
        match self {
            DrainStatus::None => "NONE",
            DrainStatus::WaitContainer => "WAIT_CONTAINER",
            DrainStatus::WaitApp => "WAIT_APP",
            DrainStatus::Ready => "READY",
            DrainStatus::Timeout => "TIMEOUT",
        }
    }
}

/// What is left to do about a node's report after the scheduler has handled it.
struct CameOfReport {
    /// Applications whose AM has ended, with its exit code.
    ended_ams: Vec<(AppId, i32)>,
    /// Containers to be killed since they exceed the node's size.
    beyond: Vec<(ContainerId, Resource)>,
    /// The size that a decommissioning node shrinks to: its usage.
    shrinks_to: Option<Resource>,
}

impl ResourceManager {
    /// Registers a healthy NodeManager that runs nothing. Errors: see [`Self::register_node`].
    pub fn add_node<R: Recorder>(&mut self, spec: NodeSpec, rec: &mut R) -> Result<NodeId, Refusal> {
        self.register_node(NodeRegistration::of(spec), rec)
    }

    /// Adds the record of a node that is about to register. Errors: the answer is SHUTDOWN.
    pub fn know_node(&mut self, spec: &NodeSpec) -> Result<NodeId, Refusal> {
        if self.hosts.excludes(&spec.host) {
            // A decommissioning node may register again and goes on decommissioning.
            let known = self.cluster.node_by_host(&spec.host).map(|id| self.cluster.node(id).state);
            if known != Some(NodeState::Decommissioning) {
                return Err(Refusal::new(format!(
                    "Disallowed NodeManager from  {}, Sending SHUTDOWN signal to the NodeManager.",
                    spec.host
                )));
            }
        }
        let c = &mut self.cluster;
        if c.node_by_host(&spec.host).is_none() && c.nodes.len() >= NODES {
            let words = format!("More than {NODES} nodes are beyond what this simulation takes");
            return Err(Refusal::of(RefusalRule::Beyond { most: NODES }, words));
        }
        let least = c.minimum;
        if spec.total.memory_mb() < least.memory_mb() || spec.total.vcores() < least.vcores() {
            let kind = RefusalRule::NodeTooSmall { size: spec.total, minimum: least };
            let words = format!(
                "NodeManager from  {} doesn't satisfy minimum allocations, Sending SHUTDOWN signal to the \
                 NodeManager. Node capabilities are {}; minimums are {}mb and {} vcores",
                spec.host,
                spec.total.text(&c.types),
                least.memory_mb(),
                least.vcores()
            );
            return Err(Refusal::of(kind, words));
        }
        let id = c.node_for_host(&spec.host, spec.port, &spec.rack);
        if c.node(id).state == NodeState::New {
            c.node_mut(id).total = spec.total;
        }
        Ok(id)
    }

    /// Registers a NodeManager, without a heartbeat; a node without a label keeps its former one. Errors: the answer is
    /// SHUTDOWN.
    pub fn register_node<R: Recorder>(&mut self, node: NodeRegistration, rec: &mut R) -> Result<NodeId, Refusal> {
        let NodeRegistration { spec, unhealthy, running_apps, http_port } = node;
        let partition = match &spec.label {
            Some(label) => Some(self.cluster.partition(label).ok_or_else(|| unknown_label(label))?),
            None => None,
        };
        let id = self.know_node(&spec)?;
        self.unregistered.retain(|(host, _)| *host != spec.host);
        let known = self.cluster.node_mut(id);
        let before = known.state;
        let other_port = std::mem::replace(&mut known.http_port, http_port) != http_port;
        (known.response_id, known.answered, known.forgotten) = (0, HeartbeatAnswer::default(), false);
        known.untracked_since = None;
        if before.is_out() {
            known.waiting = HeartbeatAnswer::default();
        }
        let comes_back = !before.is_out() && before != NodeState::New;
        if comes_back && !running_apps.is_empty() {
            self.node_is_back(id, spec.total, &running_apps, rec);
            return Ok(id);
        }
        let mut lost_ams = Vec::new();
        match before {
            // A node that registers again stays known, unlike one that was lost or decommissioned.
            NodeState::Running => {
                lost_ams = self.node_goes(id, NodeState::Running, NodeGone::Lost, rec);
                // Quirk: the old object is still counted.
                self.active_too_many += usize::from(other_port);
            }
            // It runs nothing, so that it is decommissioned at once.
            NodeState::Decommissioning => {
                self.take_node_out(id, NodeState::Decommissioned, NodeGone::Decommissioned, rec);
                return Ok(id);
            }
            NodeState::Unhealthy => {}
            NodeState::New
            | NodeState::Lost
            | NodeState::Decommissioned
            | NodeState::Rebooted
            | NodeState::Shutdown => self.cluster.node_mut(id).running_apps.clear(),
        }
        let node = self.cluster.node_mut(id);
        node.total = spec.total;
        node.updates.clear();
        if let Some(partition) = partition {
            node.partition = partition;
            node.labelled = true;
        }
        // A new object begins healthy; otherwise an unhealthy node waits for a heartbeat that reports it healthy.
        let same_unhealthy = before == NodeState::Unhealthy && !other_port;
        if unhealthy && before != NodeState::Running || same_unhealthy {
            if before != NodeState::Unhealthy {
                let now = self.cluster.now;
                self.cluster.node_mut(id).enter_state(NodeState::Unhealthy, now);
                self.node_changes.push(id);
            }
        } else {
            self.enter_node(id, rec);
        }
        // The scheduler removes the node and adds it at once; applications whose AM ran there get the event after that
        // (RMNodeImpl.ReconnectNodeTransition).
        self.lose_ams(lost_ams, rec);
        Ok(id)
    }

    /// Registers a NodeManager that was restarted and kept its containers.
    fn node_is_back<R: Recorder>(&mut self, id: NodeId, total: Resource, apps: &[AppId], rec: &mut R) {
        let live: Vec<AppId> = apps.iter().copied().filter(|app| self.lives(*app)).collect();
        let node = self.cluster.node_mut(id);
        live.into_iter().for_each(|app| node.running_apps.insert(app));
        if node.state == NodeState::Running {
            self.resize_node(id, total, -1, rec);
        } else {
            node.total = total;
        }
    }

    /// Unregisters a NodeManager.
    pub fn unregister_node<R: Recorder>(&mut self, node: NodeId, rec: &mut R) {
        let known = self.node(node).is_some_and(|n| !n.state.is_out() && n.state != NodeState::New);
        if known {
            self.take_node_out(node, NodeState::Shutdown, NodeGone::Shutdown, rec);
        }
    }

    /// Decommissions a node at once (forced decommission).
    pub fn remove_decommissioned<R: Recorder>(&mut self, node: NodeId, rec: &mut R) {
        let known = self.node(node).is_some_and(|n| !n.state.is_out());
        if known {
            self.take_node_out(node, NodeState::Decommissioned, NodeGone::Decommissioned, rec);
        }
    }

    /// Adds a node to the scheduler, for the first time or again.
    fn enter_node<R: Recorder>(&mut self, id: NodeId, rec: &mut R) {
        let c = &mut self.cluster;
        let now = c.now;
        let node = c.node_mut(id);
        node.enter_state(NodeState::Running, now);
        node.size_before_decommission = None;
        node.decommission_began = None;
        node.decommission_timeout = None;
        node.overcommit_deadline = None;
        c.enter(id);
        self.node_changes.push(id);
        let c = &self.cluster;
        let (total, partition) = (c.node(id).total, c.node(id).partition);
        rec.note(c.now, || Change::NodeAdded { node: id, total, partition });
        self.scheduler.node_came(&mut self.cluster, rec);
        self.after(rec);
    }

    /// Marks a node as lost and ends its containers. Does nothing to a node that is inactive.
    pub fn remove_node<R: Recorder>(&mut self, node: NodeId, rec: &mut R) {
        if self.node(node).is_none_or(|n| n.state.is_out() || n.state == NodeState::New) {
            return;
        }
        self.take_node_out(node, NodeState::Lost, NodeGone::Lost, rec);
    }

    pub(super) fn take_node_out<R: Recorder>(&mut self, id: NodeId, state: NodeState, why: NodeGone, rec: &mut R) {
        let lost_ams = self.node_goes(id, state, why, rec);
        self.lose_ams(lost_ams, rec);
    }

    /// Ends the attempts whose AMs were on a node that is gone.
    fn lose_ams<R: Recorder>(&mut self, lost_ams: Vec<AppId>, rec: &mut R) {
        if lost_ams.is_empty() {
            return;
        }
        let ended = |app| EndedAm::of(app, AmEnd::Container(EndCause::LostNode));
        self.am_containers_ended(lost_ams.into_iter().map(ended).collect(), rec);
        self.after(rec);
    }

    /// Removes a node from the scheduler. Returns the applications whose AM ran there.
    fn node_goes<R: Recorder>(&mut self, id: NodeId, state: NodeState, why: NodeGone, rec: &mut R) -> Vec<AppId> {
        let now = self.cluster.now;
        let Some(node) = self.cluster.nodes.get_mut(id.index()) else { return Vec::new() };
        let drained = node.state == NodeState::Decommissioning;
        if node.state != state {
            self.node_changes.push(id);
        }
        node.enter_state(state, now);
        node.updates.clear();
        node.update_sent = false;
        if !node.in_scheduler {
            // A node that began decommissioning while it was unhealthy is removed again. The scheduler does not know
            // it, but the label manager has it recompute its queues (RMNodeImpl.reportNodeUnusable,
            // RMNodeLabelsManager.deactivateNode).
            if let (true, Scheduler::Capacity(scheduler)) = (drained, &mut self.scheduler) {
                scheduler.update_for_stranger(&mut self.cluster, rec);
                self.after(rec);
            }
            return Vec::new();
        }
        let lost_ams = self.scheduler.remove_node(&mut self.cluster, id, why, rec);
        if lost_ams.is_empty() {
            self.after(rec);
        }
        lost_ams
    }

    /// Resizes a node. `overcommit_timeout_ms`: after this time containers beyond the new size are killed (0: at once,
    /// negative: never).
    pub fn resize_node<R: Recorder>(&mut self, node: NodeId, total: Resource, overcommit_timeout_ms: i64, rec: &mut R) {
        let now = self.cluster.now;
        let Some(n) = self.cluster.nodes.get_mut(node.index()) else { return };
        if !n.in_scheduler {
            n.total = total;
            // The scheduler gets the event also for a node that decommissions while unhealthy. It does not know the
            // node, but recomputes its queues (CapacityScheduler.updateNodeAndQueueResource).
            let heard = matches!(n.state, NodeState::Running | NodeState::Decommissioning);
            if let (true, Scheduler::Capacity(scheduler)) = (heard, &mut self.scheduler) {
                scheduler.update_for_stranger(&mut self.cluster, rec);
                self.after(rec);
            }
            return;
        }
        let changed = n.total != total;
        if changed && overcommit_timeout_ms >= 0 {
            n.overcommit_deadline = Some(now.saturating_add(overcommit_timeout_ms));
        }
        self.scheduler.resize_node(&mut self.cluster, node, total, rec);
        if changed {
            self.relieve_overcommit(node, overcommit_timeout_ms == 0, rec);
        }
        self.after(rec);
    }

    /// Marks enough containers for preemption on a node that exceeds its size and has a timeout for that; with `kill`,
    /// once the timeout is over, kills them.
    fn relieve_overcommit<R: Recorder>(&mut self, id: NodeId, kill: bool, rec: &mut R) {
        let chosen = self.overcommitted(id, kill);
        if kill {
            let ended = self.kill_overcommitted(id, &chosen, rec);
            return self.am_containers_ended(ended, rec);
        }
        for (id, size) in chosen {
            let lives = self.cluster.container(id).is_some();
            match &mut self.scheduler {
                Scheduler::Fair(scheduler) => scheduler.warn(id, size),
                Scheduler::Fifo(_) => {}
                Scheduler::Capacity(_) if !lives => {}
                Scheduler::Capacity(_) => {
                    let marked = &mut self.cluster.app_mut(id.app).marked;
                    if !marked.contains(&id) {
                        marked.push(id);
                    }
                }
            }
        }
    }

    /// Returns the containers beyond a node's size, with their sizes, to be marked or killed: AMs last, the latest
    /// first. Containers that have ended without the node's report are among them
    /// (AbstractYarnScheduler.signalContainersIfOvercommitted). The FifoScheduler handles neither event; the
    /// FairScheduler compares memory only (its getResourceCalculator).
    fn overcommitted(&self, id: NodeId, kill: bool) -> Vec<(ContainerId, Resource)> {
        let c = &self.cluster;
        let (calc, fifo) = match self.scheduler {
            Scheduler::Capacity(_) => (c.calculator, false),
            Scheduler::Fair(_) => (Calculator::new(CalculatorKind::Default, &c.types), false),
            Scheduler::Fifo(_) => (c.calculator, true),
        };
        let now = c.now;
        let node = c.node(id);
        if fifo || !node.overcommit_deadline.is_some_and(|deadline| !kill || now >= deadline) {
            return Vec::new();
        }
        let mut free = node.free();
        let mut candidates: Vec<_> = node.containers.iter().rev().copied().collect();
        crate::model::order::sort_by_key(&mut candidates, |slot| c.containers.at(*slot).am);
        let mut chosen = Vec::new();
        for slot in candidates {
            if calc.fits_in(&Resource::ZERO, &free) {
                break;
            }
            let container = c.containers.at(slot);
            free += container.size;
            chosen.push((container.id, container.size));
        }
        chosen
    }

    /// Kills containers, or makes them killable. Returns the ApplicationMasters among them, whose attempts have yet to
    /// end.
    fn kill_overcommitted<R: Recorder>(
        &mut self,
        node: NodeId,
        chosen: &[(ContainerId, Resource)],
        rec: &mut R,
    ) -> Vec<EndedAm> {
        let mut ended_ams = Vec::new();
        for (id, _) in chosen {
            if let Scheduler::Capacity(scheduler) = &mut self.scheduler
                && scheduler.spare_overcommitted(&mut self.cluster, node, *id, rec)
            {
                continue;
            }
            let Some(am) = self.cluster.container(*id).map(|c| c.am) else { continue };
            self.scheduler.end_container(&mut self.cluster, *id, PREEMPTED, EndCause::Overcommit, rec);
            if am {
                ended_ams.push(EndedAm::of(id.app, AmEnd::Container(EndCause::Overcommit)));
            }
        }
        ended_ams
    }

    /// Begins graceful decommissioning: the node gets no new containers, and the timeout (seconds, negative: none) runs
    /// from its next heartbeat. On a node that is decommissioning already only the timeout changes.
    pub fn decommission_node<R: Recorder>(&mut self, node: NodeId, timeout_s: i64, rec: &mut R) {
        let now = self.cluster.now;
        let Some(n) = self.cluster.nodes.get_mut(node.index()) else { return };
        let timeout = (timeout_s >= 0).then(|| timeout_s.saturating_mul(1000));
        match n.state {
            NodeState::Running | NodeState::Unhealthy => {}
            NodeState::Decommissioning => {
                n.decommission_timeout = timeout;
                return;
            }
            _ => return,
        }
        n.enter_state(NodeState::Decommissioning, now);
        n.size_before_decommission = Some(n.total);
        n.decommission_timeout = timeout;
        n.decommission_began = None;
        self.node_changes.push(node);
        rec.note(now, || Change::NodeDecommissioning { node });
    }

    /// Cancels decommissioning: the node takes containers again, with its former size.
    pub fn recommission_node<R: Recorder>(&mut self, node: NodeId, rec: &mut R) {
        let now = self.cluster.now;
        let Some(n) = self.cluster.nodes.get_mut(node.index()) else { return };
        if n.state != NodeState::Decommissioning {
            return;
        }
        n.enter_state(NodeState::Running, now);
        let total = n.size_before_decommission.take();
        self.node_changes.push(node);
        if let Some(total) = total {
            self.resize_node(node, total, 0, rec);
        }
    }

    /// Returns the deadline of a decommissioning node; `None`: its timeout has not begun, or it has none.
    pub fn decommission_deadline(&self, node: NodeId) -> Option<Millis> {
        self.node(node)?.decommission_deadline()
    }

    /// Updates the watcher's status of a decommissioning node with a heartbeat (DecommissioningNodesWatcher.update and
    /// checkDecommissioningStatus; lifecycles-and-timing.md 4.2). The timeout runs from the first heartbeat.
    pub fn decommission_status(&mut self, id: NodeId, report: &NodeReport) -> DrainStatus {
        let now = self.cluster.now;
        let Some(node) = self.cluster.nodes.get_mut(id.index()) else { return DrainStatus::None };
        if node.state != NodeState::Decommissioning {
            return DrainStatus::None;
        }
        let began = *node.decommission_began.get_or_insert(now);
        let patient = node.decommission_timeout.is_none_or(|t| now.saturating_sub(began) < t);
        let node = self.cluster.node(id);
        let ended = report.completed.iter().map(|(done, _)| done.app);
        let apps = node.running_apps.iter().chain(ended).any(|app| self.lives(app));
        match (self.cluster.active_on(id, report) > 0, apps, patient) {
            (false, false, _) => DrainStatus::Ready,
            (_, _, false) => DrainStatus::Timeout,
            (true, ..) => DrainStatus::WaitContainer,
            (false, true, true) => DrainStatus::WaitApp,
        }
    }

    /// Polls a silent decommissioning node, which is decommissioned once its timeout is over (strictly;
    /// DecommissioningNodesWatcher.PollTimerTask).
    pub fn poll_decommissioning<R: Recorder>(&mut self, node: NodeId, rec: &mut R) {
        if self.decommission_deadline(node).is_some_and(|deadline| deadline < self.cluster.now) {
            self.take_node_out(node, NodeState::Decommissioned, NodeGone::Decommissioned, rec);
        }
    }

    /// Replaces a node's label; `""` removes it. Errors: there is no such label.
    pub fn label_node<R: Recorder>(&mut self, node: NodeId, label: &str, rec: &mut R) -> Result<(), Refusal> {
        let partition = self.cluster.partition(label).ok_or_else(|| unknown_label(label))?;
        let Some(n) = self.cluster.nodes.get_mut(node.index()) else { return Ok(()) };
        if !n.in_scheduler {
            let changed = n.partition != partition || !n.labelled;
            (n.partition, n.labelled) = (partition, true);
            // The scheduler gets the change and recomputes its queues' limits, though it does not have the node
            // (RMNodeLabelsManager.updateResourceMappings, CapacityScheduler.updateNodeLabelsAndQueueResource).
            if changed && let Scheduler::Capacity(scheduler) = &mut self.scheduler {
                scheduler.update_cluster(&mut self.cluster, rec);
                self.after(rec);
            }
            return Ok(());
        }
        match &mut self.scheduler {
            Scheduler::Capacity(scheduler) => scheduler.relabel_node(&mut self.cluster, node, partition, rec),
            // The other schedulers have no labels.
            _ => return Ok(()),
        }
        self.after(rec);
        Ok(())
    }

    /// Processes a node's heartbeat that acknowledges the latest answer: reports first, then (in heartbeat mode) the
    /// scheduler offers the node. Returns the answer.
    pub fn heartbeat<R: Recorder>(&mut self, id: NodeId, report: NodeReport, rec: &mut R) -> Cow<'_, HeartbeatAnswer> {
        let heard = self.node(id).map_or(0, |n| n.response_id);
        self.numbered_heartbeat(id, heard, report, rec)
    }

    /// Processes a node's heartbeat with the number of the answer that the node got last
    /// (ResourceTrackerService.nodeHeartbeat). The answer is made before the report is processed: what this heartbeat
    /// decides is in the next answer.
    pub fn numbered_heartbeat<R: Recorder>(
        &mut self,
        id: NodeId,
        heard: i32,
        report: NodeReport,
        rec: &mut R,
    ) -> Cow<'_, HeartbeatAnswer> {
        let now = self.cluster.now;
        let refused = |action, words| Cow::Owned(HeartbeatAnswer::of(action, words));
        let unknown = || refused(NodeAction::Resync, "Node not found resyncing".into());
        let Some(node) = self.cluster.nodes.get_mut(id.index()) else { return unknown() };
        node.last_heartbeat = now;
        match node.state {
            NodeState::Running | NodeState::Unhealthy | NodeState::Decommissioning => {}
            NodeState::Decommissioned => {
                let words = format!("Disallowed NodeManager nodeId: {}:{} hostname: {0}", node.host, node.port);
                return refused(NodeAction::Shutdown, words);
            }
            NodeState::New | NodeState::Lost | NodeState::Rebooted | NodeState::Shutdown => return unknown(),
        }
        let next = |number: i32| number.wrapping_add(1) & i32::MAX;
        if next(heard) == node.response_id {
            return Cow::Borrowed(&self.cluster.node(id).answered);
        }
        if heard != node.response_id {
            let words = format!("Too far behind rm response id:{} nm response id:{heard}", node.response_id);
            self.take_node_out(id, NodeState::Rebooted, NodeGone::Rebooted, rec);
            return refused(NodeAction::Resync, words);
        }
        if matches!(self.decommission_status(id, &report), DrainStatus::Ready | DrainStatus::Timeout) {
            let node = self.cluster.node(id);
            let words = format!("DECOMMISSIONING {}:{} is ready to be decommissioned", node.host, node.port);
            self.take_node_out(id, NodeState::Decommissioned, NodeGone::Decommissioned, rec);
            return refused(NodeAction::Shutdown, words);
        }
        let node = self.cluster.node_mut(id);
        node.response_id = next(node.response_id);
        // Reuses the allocation of the answer before.
        std::mem::swap(&mut node.answered, &mut node.waiting);
        node.waiting.clear();
        if self.node_status(id, report, rec) {
            self.take_up_reports(id, rec);
        }
        Cow::Borrowed(&self.cluster.node(id).answered)
    }

    /// Returns whether the next answer to a node has containers to end.
    pub fn has_orders(&self, id: NodeId) -> bool {
        self.node(id).is_some_and(|n| !n.waiting.stop.is_empty())
    }

    /// Sets the number of the latest answer to a node.
    pub fn set_response_id(&mut self, id: NodeId, number: i32) {
        if let Some(node) = self.cluster.nodes.get_mut(id.index()) {
            node.response_id = number;
        }
    }

    /// Takes what the answer to a node has: containers to end, applications that are over, ends that it may forget.
    pub fn heartbeat_answer(&mut self, id: NodeId) -> HeartbeatAnswer {
        self.cluster.nodes.get_mut(id.index()).map(|node| std::mem::take(&mut node.waiting)).unwrap_or_default()
    }

    /// Processes a node's status (RMNodeStatusEvent): its health, and its container reports, which wait for the
    /// scheduler. Returns whether an event for the scheduler is due; none is while an earlier one is pending.
    pub fn node_status<R: Recorder>(&mut self, id: NodeId, report: NodeReport, rec: &mut R) -> bool {
        let Some(node) = self.cluster.nodes.get(id.index()) else { return false };
        match (node.state, report.unhealthy) {
            (NodeState::Running, true) => {
                self.take_node_out(id, NodeState::Unhealthy, NodeGone::Unhealthy, rec);
                return false;
            }
            (NodeState::Unhealthy, false) => {
                self.enter_node(id, rec);
                return false;
            }
            (NodeState::Decommissioning, unhealthy) => {
                match self.cluster.has_nothing_to_drain(id, &report) {
                    Some(false) => {}
                    Some(true) => {
                        self.take_node_out(id, NodeState::Decommissioned, NodeGone::Decommissioned, rec);
                        return false;
                    }
                    None => return false,
                }
                // Ignores container reports of unhealthy nodes.
                if unhealthy {
                    return false;
                }
            }
            (NodeState::Running, false) => {}
            _ => return false,
        }
        self.note_running_apps(id, &report);
        if !self.cluster.node(id).in_scheduler {
            return false;
        }
        self.queue_update(id, report);
        !std::mem::replace(&mut self.cluster.node_mut(id).update_sent, true)
    }

    /// Keeps what is new in a report for the scheduler: an end counts once, however often it is reported, and a
    /// container that a full list does not have any more is lost.
    fn queue_update(&mut self, id: NodeId, report: NodeReport) {
        let NodeReport { running, mut completed, all, .. } = report;
        let c = &mut self.cluster;
        // An end that the scheduler has handled, or has pending, does not count again.
        let waits =
            |done: &ContainerId| c.node(id).updates.iter().any(|u| u.completed.iter().any(|(id, _)| id == done));
        if !c.node(id).updates.is_empty() {
            completed.retain(|(done, _)| !waits(done));
        }
        let mut vanished = Vec::new();
        if let Some(all) = &all {
            let told = |id: &ContainerId| all.contains(id) || completed.iter().any(|(done, _)| done == id);
            let here = c.node(id).containers.iter().map(|slot| c.containers.at(*slot));
            // Also a container that has ended already, to release the node's resources.
            vanished.extend(here.filter(|here| here.launched).map(|here| here.id).filter(|id| !told(id)));
        }
        if !running.is_empty() || !completed.is_empty() || !vanished.is_empty() {
            c.node_mut(id).updates.push(Reported { running, completed, vanished });
        }
    }

    /// Handles a node's reports in the scheduler, and offers the node (NodeUpdateSchedulerEvent).
    pub fn take_up_reports<R: Recorder>(&mut self, id: NodeId, rec: &mut R) {
        let Some(node) = self.cluster.nodes.get_mut(id.index()) else { return };
        node.update_sent = false;
        let updates = std::mem::take(&mut node.updates);
        if !node.in_scheduler {
            return;
        }
        for update in &updates {
            self.cluster.containers_launched(&update.running);
        }
        let mut ended_ams = Vec::new();
        for update in &updates {
            for (done, exit_code) in &update.completed {
                if self.container_completed(id, *done, *exit_code, EndCause::Completed, rec) {
                    ended_ams.push((done.app, *exit_code));
                }
            }
            for gone in &update.vanished {
                if self.container_completed(id, *gone, ABORTED, EndCause::Vanished(id), rec) {
                    ended_ams.push((gone.app, ABORTED));
                }
            }
        }
        // Reuses the allocation for the next reports.
        let mut updates = updates;
        updates.clear();
        let node = self.cluster.node_mut(id);
        if node.updates.is_empty() {
            node.updates = updates;
        }
        // The consequences of the report are decided before the scheduler offers the node, and take effect after it.
        let node = self.cluster.node(id);
        let (total, allocated) = (node.total, node.allocated);
        let shrinks = node.state == NodeState::Decommissioning && total != allocated;
        let beyond = if node.overcommit_deadline.is_some() { self.overcommitted(id, true) } else { Vec::new() };
        if !self.is_asynchronous() {
            self.scheduler.node_turn(&mut self.cluster, id, rec);
        }
        if ended_ams.is_empty() && beyond.is_empty() && !shrinks {
            return self.after(rec);
        }
        let came = CameOfReport { ended_ams, beyond, shrinks_to: shrinks.then_some(allocated) };
        self.settle_report(id, came, rec);
    }

    /// Finishes a report after the scheduler has offered the node.
    #[cold]
    fn settle_report<R: Recorder>(&mut self, id: NodeId, came: CameOfReport, rec: &mut R) {
        let CameOfReport { ended_ams, beyond, shrinks_to } = came;
        let killed_ams = self.kill_overcommitted(id, &beyond, rec);
        self.after(rec);
        // The CapacityScheduler's proposals for a decommissioning node were refused; only then does the node shrink to
        // its usage.
        if let Some(allocated) = shrinks_to {
            // YARN resizes it with an overcommit timeout of 0, which stays: containers beyond a later size are marked
            // at once and killed at the node's next heartbeat.
            self.cluster.node_mut(id).overcommit_deadline = Some(self.cluster.now);
            match &mut self.scheduler {
                Scheduler::Capacity(s) => _ = s.size_changes(&mut self.cluster, id, allocated, rec),
                other => other.resize_node(&mut self.cluster, id, allocated, rec),
            }
            // Containers that the FairScheduler has just allocated there are killed again.
            self.relieve_overcommit(id, true, rec);
        }
        let ended = |(app, exit_code): (AppId, i32)| {
            let blamed = blames_node(exit_code).then(|| self.cluster.node(id).host_place);
            EndedAm { app, why: AmEnd::Exited(exit_code), counts: counts_as_failure(exit_code), blamed }
        };
        let ended = ended_ams.into_iter().map(ended).chain(killed_ams).collect();
        let ended = self.attempts_leave(ended, rec);
        // The label manager's event about the new size comes after them.
        if let (true, Scheduler::Capacity(s)) = (shrinks_to.is_some(), &mut self.scheduler) {
            s.told_of_size(&mut self.cluster, id, !ended.is_empty(), rec);
        }
        self.attempts_follow(ended, rec);
        self.after(rec);
    }

    /// Completes a container that the node reports as ended. Returns whether it was an ApplicationMaster's.
    fn container_completed<R: Recorder>(
        &mut self,
        node: NodeId,
        id: ContainerId,
        exit_code: i32,
        why: EndCause,
        rec: &mut R,
    ) -> bool {
        match self.cluster.container(id) {
            Some(c) if c.state == ContainerState::Reserved => false,
            Some(c) => {
                let am = c.am;
                self.scheduler.end_container(&mut self.cluster, id, exit_code, why, rec);
                am
            }
            // It has ended already: the report only releases the node's resources.
            None => {
                let on_node = self.cluster.node(node).containers.iter();
                let slot = on_node.copied().find(|s| self.cluster.containers.at(*s).id == id);
                if let Some(slot) = slot {
                    self.cluster.free_room(slot);
                }
                false
            }
        }
    }

    /// Returns whether the application is known and has not ended.
    fn lives(&self, app: AppId) -> bool {
        self.apps.get(app.index()).is_some_and(|a| !a.state.is_final())
    }

    fn note_running_apps(&mut self, id: NodeId, report: &NodeReport) {
        let reported = report.running.iter().chain(report.completed.iter().map(|(c, _)| c));
        for container in reported {
            let app = container.app;
            if !self.cluster.node(id).running_apps.contains(app) && self.lives(app) {
                self.cluster.node_mut(id).running_apps.insert(app);
            }
        }
    }
}

impl Node {
    /// Returns the deadline of its graceful decommissioning; `None`: the timeout has not begun, or there is none.
    fn decommission_deadline(&self) -> Option<Millis> {
        let leaving = self.state == NodeState::Decommissioning;
        let began = self.decommission_began.filter(|_| leaving)?;
        Some(began.saturating_add(self.decommission_timeout?))
    }
}

impl Cluster {
    /// Returns the earliest deadline (of graceful decommissioning, or of containers beyond a node's size) that no
    /// heartbeat of its node has reached: from then on a heartbeat has an effect even if it reports nothing.
    pub fn next_node_deadline(&self) -> Option<Millis> {
        let deadlines = self.nodes.iter().filter(|n| n.in_scheduler).filter_map(|n| {
            let over = || n.containers.iter().any(|s| self.containers.at(*s).state != ContainerState::Over);
            // A node that shrank for its decommissioning has a deadline that passed; containers beyond a later size are
            // killed all the same.
            let shrunk = n.overcommit_deadline.filter(|_| n.free().is_negative() && over());
            let drained = n.decommission_deadline().filter(|at| n.last_heartbeat < *at);
            [drained, shrunk].into_iter().flatten().min()
        });
        deadlines.min()
    }

    /// Marks containers as running by their node's report. A container that its AM has not pulled stays allocated; only
    /// its node counts it as launched, and releases it at its end (RMContainerImpl refuses LAUNCHED in that state,
    /// SchedulerNode records it).
    pub(super) fn containers_launched(&mut self, running: &[ContainerId]) {
        for id in running {
            let Some(slot) = self.slot(*id) else { continue };
            let container = self.containers.at_mut(slot);
            if container.state == ContainerState::Reserved {
                continue;
            }
            container.launched = true;
            if container.state == ContainerState::Allocated {
                continue;
            }
            container.state = ContainerState::Running;
        }
    }

    /// Returns whether a draining node whose watcher waits has nothing to wait for after all (RMNodeImpl): it runs no
    /// application that it told of before this heartbeat, keeps none alive, and has no AM's container. `None`: the scheduler
    /// does not know the node, since it was unhealthy when it began to drain; the question for its AMs fails, and the
    /// status is lost with it (quirk: StatusUpdateWhenHealthyTransition.hasScheduledAMContainers).
    fn has_nothing_to_drain(&self, id: NodeId, report: &NodeReport) -> Option<bool> {
        let node = self.node(id);
        if !node.running_apps.is_empty() || !report.kept_alive.is_empty() {
            return Some(false);
        }
        let am = |slot| self.containers.at(slot).am;
        node.in_scheduler.then(|| !node.containers.iter().any(|s| am(*s)))
    }

    /// Returns the containers that a node reports as running, with this report.
    fn active_on(&self, id: NodeId, report: &NodeReport) -> usize {
        if let Some(all) = &report.all {
            return all.len();
        }
        let here = self.node(id).containers.iter().map(|slot| self.containers.at(*slot));
        let before = here.filter(|c| c.launched && !report.running.contains(&c.id));
        let ended = |c: &&crate::scheduler::Container| report.completed.iter().any(|(done, _)| *done == c.id);
        report.running.len() + before.filter(|c| !ended(c)).count()
    }
}

fn unknown_label(label: &str) -> Refusal {
    Refusal::of(
        RefusalRule::LabelUnknown { label: label.to_string() },
        format!(
            "Not all labels being replaced contained by known label collections, please check, new labels=[{label}]"
        ),
    )
}

/// Returns whether an AM's exit code counts as a failure of its application (lifecycles-and-timing.md section 3).
fn counts_as_failure(exit_code: i32) -> bool {
    !matches!(exit_code, -100 | -101 | -102 | -106)
}
