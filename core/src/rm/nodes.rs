//! Nodes: registration, loss, size, label, decommissioning, heartbeats (ResourceTrackerService, RMNodeImpl;
//! lifecycles-and-timing.md 1.5, 2.2).

use super::apps::EndedAm;
use super::manager::{AmEnd, ResourceManager};
use crate::api::{NodeReport, NodeSpec, Refusal, Refused, blames_node};
use crate::journal::{Change, NodeGone, Recorder};
use crate::model::limits::NODES;
use crate::model::{AppId, ContainerId, Millis, NodeId, Resource};
use crate::scheduler::app::{EndCause, PREEMPTED};
use crate::scheduler::{Cluster, ContainerState, Node, NodeState, Scheduler};

impl ResourceManager {
    /// A NodeManager registers; without a label it keeps the one it had before. No heartbeat yet. Errors: the node is
    /// told to shut down.
    pub fn add_node<R: Recorder>(&mut self, spec: NodeSpec, rec: &mut R) -> Result<NodeId, Refusal> {
        let c = &mut self.cluster;
        if c.node_by_host(&spec.host).is_none() && c.nodes.len() >= NODES {
            let words = format!("More than {NODES} nodes are beyond what this simulation takes");
            return Err(Refusal::of(Refused::Beyond { most: NODES }, words));
        }
        let least = c.minimum;
        if spec.total.memory_mb() < least.memory_mb() || spec.total.vcores() < least.vcores() {
            let kind = Refused::NodeTooSmall { size: spec.total, minimum: least };
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
        let partition = match &spec.label {
            Some(label) => Some(c.partition(label).ok_or_else(|| unknown_label(label))?),
            None => None,
        };
        let id = c.node_for_host(&spec.host, spec.port, &spec.rack);
        match c.node(id).state {
            // A node that registers anew stays known, unlike one that was lost or decommissioned.
            NodeState::Running => self.take_node_out(id, NodeState::Running, NodeGone::Lost, rec),
            // Empty as it comes, it is done.
            NodeState::Decommissioning => {
                self.take_node_out(id, NodeState::Decommissioned, NodeGone::Decommissioned, rec);
                return Ok(id);
            }
            NodeState::Unhealthy => {}
            NodeState::Lost | NodeState::Decommissioned => c.node_mut(id).running_apps.clear(),
        }
        let node = self.cluster.node_mut(id);
        node.total = spec.total;
        if let Some(partition) = partition {
            node.partition = partition;
            node.labelled = true;
        }
        // An unhealthy one waits for a heartbeat that says otherwise.
        if self.cluster.node(id).state != NodeState::Unhealthy {
            self.enter_node(id, rec);
        }
        Ok(id)
    }

    /// A node is (again) among the scheduler's.
    fn enter_node<R: Recorder>(&mut self, id: NodeId, rec: &mut R) {
        let c = &mut self.cluster;
        let node = c.node_mut(id);
        node.state = NodeState::Running;
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

    /// A node is lost; its containers end.
    pub fn remove_node<R: Recorder>(&mut self, node: NodeId, rec: &mut R) {
        self.take_node_out(node, NodeState::Lost, NodeGone::Lost, rec);
    }

    fn take_node_out<R: Recorder>(&mut self, id: NodeId, state: NodeState, why: NodeGone, rec: &mut R) {
        let Some(node) = self.cluster.nodes.get_mut(id.index()) else { return };
        if node.state != state {
            self.node_changes.push(id);
        }
        node.state = state;
        if !node.in_scheduler {
            return;
        }
        let lost_ams = self.scheduler.remove_node(&mut self.cluster, id, why, rec);
        let ended = |app| EndedAm::of(app, AmEnd::Container(EndCause::LostNode));
        self.am_containers_ended(lost_ams.into_iter().map(ended).collect(), rec);
        self.after(rec);
    }

    /// A node gets another size; `overcommit_timeout_ms` as the administrator gives it: containers beyond the new size
    /// are killed when it has run out (0: at once, negative: never).
    pub fn resize_node<R: Recorder>(&mut self, node: NodeId, total: Resource, overcommit_timeout_ms: i64, rec: &mut R) {
        let now = self.cluster.now;
        let Some(n) = self.cluster.nodes.get_mut(node.index()) else { return };
        if !n.in_scheduler {
            n.total = total;
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

    /// On a node that was made smaller than what it runs, and has a timeout for that: enough containers are marked
    /// for preemption or, with `kill` once the timeout has run out, killed.
    fn relieve_overcommit<R: Recorder>(&mut self, id: NodeId, kill: bool, rec: &mut R) {
        let chosen = self.overcommitted(id, kill);
        if kill {
            let ended = self.kill_overcommitted(&chosen, rec);
            return self.am_containers_ended(ended, rec);
        }
        for container in chosen {
            match &mut self.scheduler {
                Scheduler::Fair(scheduler) => scheduler.warn(&self.cluster, container),
                _ => {
                    let marked = &mut self.cluster.app_mut(container.app).marked;
                    if !marked.contains(&container) {
                        marked.push(container);
                    }
                }
            }
        }
    }

    /// The containers that a node runs beyond its size, to be marked or killed: no AM before any other, the latest first.
    /// What is over already, its end not yet reported, counts as if it were chosen
    /// (AbstractYarnScheduler.signalContainersIfOvercommitted). The FifoScheduler knows neither event.
    fn overcommitted(&self, id: NodeId, kill: bool) -> Vec<ContainerId> {
        let c = &self.cluster;
        let (now, calc) = (c.now, c.calculator);
        let node = c.node(id);
        let fifo = matches!(self.scheduler, Scheduler::Fifo(_));
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
            if container.state != ContainerState::Over {
                chosen.push(container.id);
            }
        }
        chosen
    }

    /// Kills containers. Returns the ApplicationMasters among them, whose attempts have still to end.
    fn kill_overcommitted<R: Recorder>(&mut self, chosen: &[ContainerId], rec: &mut R) -> Vec<EndedAm> {
        let mut ended_ams = Vec::new();
        for id in chosen {
            let Some(am) = self.cluster.container(*id).map(|c| c.am) else { continue };
            self.scheduler.end_container(&mut self.cluster, *id, PREEMPTED, EndCause::Overcommit, rec);
            if am {
                ended_ams.push(EndedAm::of(id.app, AmEnd::Container(EndCause::Overcommit)));
            }
        }
        ended_ams
    }

    /// Graceful decommissioning begins: nothing new for the node, and so many seconds of patience from its next
    /// heartbeat on (negative: for ever). Where it has begun already only the patience changes.
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
        n.state = NodeState::Decommissioning;
        n.size_before_decommission = Some(n.total);
        n.decommission_timeout = timeout;
        n.decommission_began = None;
        self.node_changes.push(node);
        rec.note(now, || Change::NodeDecommissioning { node });
    }

    /// Decommissioning is called off: the node takes containers again, with the size that it had before.
    pub fn recommission_node<R: Recorder>(&mut self, node: NodeId, rec: &mut R) {
        let Some(n) = self.cluster.nodes.get_mut(node.index()) else { return };
        if n.state != NodeState::Decommissioning {
            return;
        }
        n.state = NodeState::Running;
        let total = n.size_before_decommission.take();
        self.node_changes.push(node);
        if let Some(total) = total {
            self.resize_node(node, total, 0, rec);
        }
    }

    /// The end of patience with a decommissioning node, once it has begun; `None`: there is none.
    pub fn decommission_deadline(&self, node: NodeId) -> Option<Millis> {
        self.node(node)?.decommission_deadline()
    }

    /// A decommissioning node that has fallen silent is looked at: it is out when patience with it has ended
    /// (strictly; DecommissioningNodesWatcher.PollTimerTask).
    pub fn poll_decommissioning<R: Recorder>(&mut self, node: NodeId, rec: &mut R) {
        if self.decommission_deadline(node).is_some_and(|deadline| deadline < self.cluster.now) {
            self.take_node_out(node, NodeState::Decommissioned, NodeGone::Decommissioned, rec);
        }
    }

    /// The node's label is replaced; `""` takes it away. Errors: no such label.
    pub fn label_node<R: Recorder>(&mut self, node: NodeId, label: &str, rec: &mut R) -> Result<(), Refusal> {
        let partition = self.cluster.partition(label).ok_or_else(|| unknown_label(label))?;
        let Some(n) = self.cluster.nodes.get_mut(node.index()) else { return Ok(()) };
        if !n.in_scheduler {
            let changed = n.partition != partition || !n.labelled;
            (n.partition, n.labelled) = (partition, true);
            // The scheduler is told that labels changed, and takes its queues' limits anew, though the node is none of its
            // nodes (RMNodeLabelsManager.updateResourceMappings, CapacityScheduler.updateNodeLabelsAndQueueResource).
            if changed && let Scheduler::Capacity(scheduler) = &mut self.scheduler {
                scheduler.update_cluster(&mut self.cluster, rec);
                self.after(rec);
            }
            return Ok(());
        }
        match &mut self.scheduler {
            Scheduler::Capacity(scheduler) => scheduler.relabel_node(&mut self.cluster, node, partition, rec),
            // The other schedulers know no labels.
            _ => return Ok(()),
        }
        self.after(rec);
        Ok(())
    }

    /// A node's heartbeat: reports first, then (in heartbeat mode) the scheduler works on the node.
    pub fn heartbeat<R: Recorder>(&mut self, id: NodeId, report: NodeReport, rec: &mut R) {
        let now = self.cluster.now;
        let Some(node) = self.cluster.nodes.get_mut(id.index()) else { return };
        node.last_heartbeat = now;
        match (node.state, report.unhealthy) {
            (NodeState::Running, true) => {
                return self.take_node_out(id, NodeState::Unhealthy, NodeGone::Unhealthy, rec);
            }
            (NodeState::Unhealthy, false) => return self.enter_node(id, rec),
            (NodeState::Unhealthy | NodeState::Lost | NodeState::Decommissioned, _) => return,
            _ => {}
        }
        if self.cluster.node(id).state == NodeState::Decommissioning {
            if self.cluster.is_drained(id, &report) {
                return self.take_node_out(id, NodeState::Decommissioned, NodeGone::Decommissioned, rec);
            }
            // What an unhealthy one tells of containers is not listened to.
            if report.unhealthy {
                return;
            }
        }
        self.note_running_apps(id, &report);
        if !self.cluster.node(id).in_scheduler {
            return;
        }
        self.cluster.containers_launched(&report.running);
        let ended_ams = self.containers_completed(id, &report.completed, rec);
        // What comes of the report is settled before the scheduler works on the node, and done after it.
        let node = self.cluster.node(id);
        let (total, allocated) = (node.total, node.allocated);
        let shrinks = node.state == NodeState::Decommissioning && total != allocated;
        let beyond = self.overcommitted(id, true);
        if !self.is_asynchronous() {
            self.scheduler.node_turn(&mut self.cluster, id, rec);
        }
        let killed_ams = self.kill_overcommitted(&beyond, rec);
        self.after(rec);
        // What the CapacityScheduler proposed for a decommissioning node was refused; only then it is made as small as what
        // it runs.
        if shrinks {
            // YARN shrinks it by a change of its size with an overcommit timeout of 0, which stays: whatever the node runs
            // beyond a later size is marked at once and killed at its next heartbeat.
            self.cluster.node_mut(id).overcommit_deadline = Some(now);
            match &mut self.scheduler {
                Scheduler::Capacity(s) => _ = s.size_changes(&mut self.cluster, id, allocated, rec),
                other => other.resize_node(&mut self.cluster, id, allocated, rec),
            }
            // What the FairScheduler has just given out there is killed again.
            self.relieve_overcommit(id, true, rec);
        }
        let ended = |(app, exit_code): (AppId, i32)| {
            let blamed = blames_node(exit_code).then(|| self.cluster.node(id).host_place);
            EndedAm { app, why: AmEnd::Exited(exit_code), counts: counts_as_failure(exit_code), blamed }
        };
        let ended = ended_ams.into_iter().map(ended).chain(killed_ams).collect();
        let ended = self.attempts_leave(ended, rec);
        // What the label manager tells the scheduler of the new size is heard after them.
        if let (true, Scheduler::Capacity(s)) = (shrinks, &mut self.scheduler) {
            s.told_of_size(&mut self.cluster, id, !ended.is_empty(), rec);
        }
        self.attempts_follow(ended, rec);
        self.after(rec);
    }

    /// Ends what the node reports as complete; the applications whose AM was among it, with its exit code.
    fn containers_completed<R: Recorder>(
        &mut self,
        node: NodeId,
        completed: &[(ContainerId, i32)],
        rec: &mut R,
    ) -> Vec<(AppId, i32)> {
        let mut ended_ams = Vec::new();
        for (id, exit_code) in completed {
            match self.cluster.container(*id) {
                Some(c) if c.state == ContainerState::Reserved => {}
                Some(c) => {
                    if c.am {
                        ended_ams.push((id.app, *exit_code));
                    }
                    self.scheduler.end_container(&mut self.cluster, *id, *exit_code, EndCause::Completed, rec);
                }
                // Over already: the report only frees the node's room.
                None => {
                    let on_node = self.cluster.node(node).containers.iter();
                    let slot = on_node.copied().find(|s| self.cluster.containers.at(*s).id == *id);
                    if let Some(slot) = slot {
                        self.cluster.free_room(slot);
                    }
                }
            }
        }
        ended_ams
    }

    fn note_running_apps(&mut self, id: NodeId, report: &NodeReport) {
        let reported = report.running.iter().chain(report.completed.iter().map(|(c, _)| c));
        for container in reported {
            let apps = &mut self.cluster.nodes[id.index()].running_apps;
            let Err(at) = apps.binary_search(&container.app) else { continue };
            if self.apps.get(container.app.index()).is_some_and(|a| !a.state.is_final()) {
                apps.insert(at, container.app);
            }
        }
    }
}

impl Node {
    /// The end of patience with its graceful decommissioning, once that has begun; `None`: there is none.
    fn decommission_deadline(&self) -> Option<Millis> {
        let leaving = self.state == NodeState::Decommissioning;
        let began = self.decommission_began.filter(|_| leaving)?;
        Some(began.saturating_add(self.decommission_timeout?))
    }
}

impl Cluster {
    /// The earliest deadline (of a graceful decommission, or of what a node runs beyond its size) that has passed for no
    /// heartbeat of its node yet: there a heartbeat does something even where nothing is reported.
    pub fn next_node_deadline(&self) -> Option<Millis> {
        let deadlines = self.nodes.iter().filter(|n| n.in_scheduler).filter_map(|n| {
            let over = || n.containers.iter().any(|s| self.containers.at(*s).state != ContainerState::Over);
            // A node that shrank for its decommissioning has a deadline that passed; what a later size leaves no room for is
            // killed all the same.
            let shrunk = n.overcommit_deadline.filter(|_| n.free().is_negative() && over());
            let drained = n.decommission_deadline().filter(|at| n.last_heartbeat < *at);
            [drained, shrunk].into_iter().flatten().min()
        });
        deadlines.min()
    }

    /// The node reports these as running. One that its AM has not been told of stays granted: only its node knows of it,
    /// whose room then waits for its end (RMContainerImpl refuses LAUNCHED there, SchedulerNode notes it).
    fn containers_launched(&mut self, running: &[ContainerId]) {
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

    /// Is a decommissioning node that beats ready to go? First the watcher is asked (DecommissioningNodesWatcher):
    /// its patience is over, or neither this heartbeat nor a former one told of anything that runs; then the node
    /// itself (RMNodeImpl), which also waits for an AM's container that no heartbeat has told of.
    fn is_drained(&mut self, id: NodeId, report: &NodeReport) -> bool {
        let now = self.now;
        let node = self.node_mut(id);
        let began = *node.decommission_began.get_or_insert(now);
        let timed_out = node.decommission_timeout.is_some_and(|t| now.saturating_sub(began) >= t);
        let node = self.node(id);
        let am = |slot| self.containers.at(slot).am;
        let has_am = node.in_scheduler && node.containers.iter().any(|s| am(*s));
        timed_out || node.running_apps.is_empty() && (report.running.is_empty() || !has_am)
    }
}

fn unknown_label(label: &str) -> Refusal {
    Refusal::of(
        Refused::LabelUnknown { label: label.to_string() },
        format!(
            "Not all labels being replaced contained by known label collections, please check, new labels=[{label}]"
        ),
    )
}

/// Does an AM's exit code count as a failure of its application (lifecycles-and-timing.md section 3)?
fn counts_as_failure(exit_code: i32) -> bool {
    !matches!(exit_code, -100 | -101 | -102 | -106)
}
