//! Nodes: registration, loss, size, label, decommissioning, heartbeats (ResourceTrackerService, RMNodeImpl;
//! lifecycles-and-timing.md 1.5, 2.2).

use super::api::{NodeReport, NodeSpec, Refusal};
use super::apps::EndedAm;
use super::manager::ResourceManager;
use super::texts;
use crate::journal::{Entry, NodeGone, Recorder};
use crate::model::limits::NODES;
use crate::model::{AppId, ContainerId, NodeId, PartitionId, Resource};
use crate::scheduler::app::EndCause;
use crate::scheduler::{ContainerState, NodeState};

impl ResourceManager {
    /// A NodeManager registers; without a label it keeps the one it had before. No heartbeat yet. Errors: the node is
    /// told to shut down.
    pub fn add_node<R: Recorder>(&mut self, spec: NodeSpec, rec: &mut R) -> Result<NodeId, Refusal> {
        let c = &mut self.cluster;
        if c.node_by_host(&spec.host).is_none() && c.nodes.len() >= NODES {
            return Err(Refusal::new(format!("More than {NODES} nodes are beyond what this simulation takes")));
        }
        let least = c.minimum;
        if spec.total.memory_mb() < least.memory_mb() || spec.total.vcores() < least.vcores() {
            return Err(Refusal::new(format!(
                "NodeManager from  {} doesn't satisfy minimum allocations, Sending SHUTDOWN signal to the \
                 NodeManager. Node capabilities are {}; minimums are {}mb and {} vcores",
                spec.host,
                spec.total.text(&c.types),
                least.memory_mb(),
                least.vcores()
            )));
        }
        let partition = match &spec.label {
            Some(label) => Some(c.partition(label).ok_or_else(|| unknown_label(label))?),
            None => None,
        };
        let id = c.node_for_host(&spec.host, spec.port, &spec.rack);
        if c.node(id).in_scheduler {
            // A node that registers anew stays known, unlike one that is lost.
            self.take_node_out(id, NodeState::Running, NodeGone::Lost, rec);
        }
        let node = self.cluster.node_mut(id);
        node.total = spec.total;
        if let Some(partition) = partition {
            node.partition = partition;
            node.labelled = true;
        }
        self.enter_node(id, rec);
        Ok(id)
    }

    /// A node is (again) among the scheduler's.
    fn enter_node<R: Recorder>(&mut self, id: NodeId, rec: &mut R) {
        let c = &mut self.cluster;
        let node = c.node_mut(id);
        node.state = NodeState::Running;
        node.size_before_decommission = None;
        node.decommission_deadline = None;
        node.overcommit_deadline = None;
        c.enter(id);
        let (total, partition) = (c.node(id).total, c.node(id).partition);
        rec.note(c.now, || Entry::NodeAdded { node: id, total, partition });
        self.scheduler.update_cluster(&mut self.cluster, rec);
        self.after(rec);
    }

    /// A node is lost; its containers end.
    pub fn remove_node<R: Recorder>(&mut self, node: NodeId, rec: &mut R) {
        self.take_node_out(node, NodeState::Lost, NodeGone::Lost, rec);
    }

    fn take_node_out<R: Recorder>(&mut self, id: NodeId, state: NodeState, why: NodeGone, rec: &mut R) {
        let Some(node) = self.cluster.nodes.get_mut(id.index()) else { return };
        node.state = state;
        if !node.in_scheduler {
            return;
        }
        let lost_ams = self.scheduler.remove_node(&mut self.cluster, id, why, rec);
        let ended = |app| EndedAm { app, diagnostics: "Container released on a *lost* node".into(), counts: false };
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
        n.overcommit_deadline = (overcommit_timeout_ms >= 0).then(|| now.saturating_add(overcommit_timeout_ms));
        self.scheduler.resize_node(&mut self.cluster, node, total, rec);
        self.after(rec);
    }

    /// Graceful decommissioning begins: nothing new for the node.
    pub fn decommission_node<R: Recorder>(&mut self, node: NodeId, timeout_s: i64, rec: &mut R) {
        let now = self.cluster.now;
        let Some(n) = self.cluster.nodes.get_mut(node.index()) else { return };
        if !matches!(n.state, NodeState::Running | NodeState::Unhealthy) {
            return;
        }
        n.state = NodeState::Decommissioning;
        n.size_before_decommission = Some(n.total);
        n.decommission_deadline = (timeout_s >= 0).then(|| now.saturating_add(timeout_s.saturating_mul(1000)));
        rec.note(now, || Entry::NodeDecommissioning { node });
    }

    /// The node's label is replaced; `""` takes it away. Errors: no such label.
    pub fn label_node<R: Recorder>(&mut self, node: NodeId, label: &str, rec: &mut R) -> Result<(), Refusal> {
        let partition = self.cluster.partition(label).ok_or_else(|| unknown_label(label))?;
        let Some(n) = self.cluster.nodes.get_mut(node.index()) else { return Ok(()) };
        if !n.in_scheduler {
            n.partition = partition;
            n.labelled = true;
            return Ok(());
        }
        self.scheduler.relabel_node(&mut self.cluster, node, partition, rec);
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
        if self.cluster.node(id).state == NodeState::Decommissioning && !self.has_work(id) {
            return self.take_node_out(id, NodeState::Decommissioned, NodeGone::Decommissioned, rec);
        }
        self.note_running_apps(id, &report);
        if !self.cluster.node(id).in_scheduler {
            return;
        }
        self.containers_launched(&report.running);
        let ended_ams = self.containers_completed(id, &report.completed, rec);
        if !self.is_asynchronous() {
            self.scheduler.node_turn(&mut self.cluster, id, rec);
        }
        self.after(rec);
        // What was proposed for a decommissioning node was refused; only then it is made as small as what it runs.
        if self.cluster.node(id).state == NodeState::Decommissioning {
            let node = self.cluster.node(id);
            let (total, allocated) = (node.total, node.allocated);
            if total != allocated {
                self.scheduler.resize_node(&mut self.cluster, id, allocated, rec);
            }
        }
        let ended = |(app, exit_code): (AppId, i32)| {
            let attempt = texts::attempt(self.cluster.app(app).attempt_id());
            let diagnostics = format!("AM Container for {attempt} exited with  exitCode: {exit_code}");
            EndedAm { app, diagnostics, counts: counts_as_failure(exit_code) }
        };
        let ended = ended_ams.into_iter().map(ended).collect();
        self.am_containers_ended(ended, rec);
        self.after(rec);
    }

    fn containers_launched(&mut self, running: &[ContainerId]) {
        let now = self.cluster.now;
        for id in running {
            let Some(slot) = self.cluster.slot(*id) else { continue };
            let container = self.cluster.containers.at_mut(slot);
            if container.state == ContainerState::Reserved {
                continue;
            }
            container.launched = true;
            container.state = ContainerState::Running;
            container.launched_at.get_or_insert(now);
        }
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
                        self.scheduler.room_comes_free(&mut self.cluster, slot);
                    }
                }
            }
        }
        ended_ams
    }

    /// Has a decommissioning node anything that keeps it: applications that it has run, or an AM's container?
    fn has_work(&self, id: NodeId) -> bool {
        let node = self.cluster.node(id);
        let am = |slot| self.cluster.containers.at(slot).am;
        !node.running_apps.is_empty() || (node.in_scheduler && node.containers.iter().any(|s| am(*s)))
    }

    fn note_running_apps(&mut self, id: NodeId, report: &NodeReport) {
        let reported = report.running.iter().chain(report.completed.iter().map(|(c, _)| c));
        for container in reported {
            let over = self.apps.get(container.app.index()).is_none_or(|a| a.state.is_final());
            let apps = &mut self.cluster.nodes[id.index()].running_apps;
            if let (false, Err(at)) = (over, apps.binary_search(&container.app)) {
                apps.insert(at, container.app);
            }
        }
    }

    /// The node's partition by name, for those who only have the name.
    pub fn partition(&self, label: &str) -> Option<PartitionId> {
        self.cluster.partition(label)
    }
}

fn unknown_label(label: &str) -> Refusal {
    Refusal::new(format!(
        "Not all labels being replaced contained by known label collections, please check, new labels=[{label}]"
    ))
}

/// Does an AM's exit code count as a failure of its application (lifecycles-and-timing.md section 3)?
fn counts_as_failure(exit_code: i32) -> bool {
    !matches!(exit_code, -100 | -101 | -102 | -106)
}
