//! Happenings: what administrators, users and failures do to the cluster.

use super::machine::Machine;
use super::queue::Event;
use super::run::{Notice, Simulation, Tried, TriedOutcome};
use crate::api::{Call, NodeState};
use crate::constraint::attributes::AttributeChange;
use crate::journal::Recorder;
use crate::model::{AppId, NodeId, PartitionId, Resource};
use crate::rm::{Refusal, RefusalRule};
use crate::scenario::{self, Act};

/// The part of an application's or node's state that an act may change. Equal before and after means that the act had
/// no effect.
#[derive(Debug, PartialEq)]
enum Standing {
    App { over: bool, queue: String, priority: Option<i32> },
    Node { state: NodeState, total: Resource, partition: PartitionId, unhealthy: bool },
}

impl Simulation {
    pub(crate) fn happen<R: Recorder>(&mut self, i: usize, rec: &mut R) {
        self.stir();
        let scenario = self.scenario.clone();
        let Some(happening) = scenario.happenings.get(i) else { return };
        let before = self.standing(&happening.act);
        match self.perform(i, &happening.act, rec) {
            Err(refusal) => self.refuse(Tried::Happening(i), refusal),
            Ok(()) if before.is_some() && before == self.standing(&happening.act) => {
                let outcome = TriedOutcome::Nothing;
                self.notices.push(Notice { at: self.now, tried: Tried::Happening(i), outcome, choice: None });
            }
            Ok(()) => {}
        }
    }

    /// Returns the state that an act may change; `None`: the act always has an effect, or its effect shows later.
    fn standing(&self, act: &Act) -> Option<Standing> {
        match act {
            Act::KillApp(name) | Act::MoveApp { app: name, .. } | Act::SetPriority { app: name, .. } => {
                let app = self.rm.app(self.find_app(name).ok()?)?;
                let priority = self.rm.scheduled(app.id).map(|app| app.priority);
                Some(Standing::App { over: app.state.is_final(), queue: app.queue.clone(), priority })
            }
            Act::RemoveNode(host)
            | Act::Unhealthy(host)
            | Act::Healthy(host)
            | Act::Recommission(host)
            | Act::Resize { node: host, .. }
            | Act::LabelNode { node: host, .. } => {
                let (m, id) = self.find_node(host).ok()?;
                let node = self.rm.node(id)?;
                let (state, total, partition) = (node.state, node.total, node.partition);
                Some(Standing::Node { state, total, partition, unhealthy: self.machines.get(m)?.unhealthy })
            }
            Act::AddNode(_)
            | Act::CrashNode(_)
            | Act::ReturnNode(_)
            | Act::Decommission { .. }
            | Act::Attributes { .. }
            | Act::HangAm(_)
            | Act::FinishContainer { .. }
            | Act::Flex { .. }
            | Act::Restart { .. }
            | Act::OfKind(_)
            | Act::Refresh { .. }
            | Act::PutConstraint { .. } => None,
        }
    }

    fn perform<R: Recorder>(&mut self, i: usize, act: &Act, rec: &mut R) -> Result<(), Refusal> {
        match act {
            Act::AddNode(node) => {
                let known = self.machines.iter().position(|m| m.spec.host == node.spec.host);
                let m = known.unwrap_or(self.machines.len());
                let machine = Machine::new(node.spec.clone(), node.attributes.clone());
                match known {
                    Some(m) => {
                        self.fall_silent(m);
                        self.kinds.lose_disks(&node.spec.host);
                        self.machines[m] = machine;
                    }
                    None => self.machines.push(machine),
                }
                self.join(m, rec);
            }
            Act::RemoveNode(host) => {
                let (m, id) = self.find_node(host)?;
                self.fall_silent(m);
                rec.tell_call(self.now, || Call::RemoveNode(id));
                self.rm.remove_node(id, rec);
            }
            Act::CrashNode(host) => {
                let (m, _) = self.find_node(host)?;
                let last = self.machines[m].last_heartbeat;
                self.fall_silent(m);
                let at = Self::check_time(last, self.scenario.timing.node_expiry);
                self.queue.add(at.max(self.now), Event::NodeExpiry(m));
                // The ResourceManager checks a decommissioning node more often once it has been silent for five
                // seconds.
                if let Some(at) = self.machines[m].id.and_then(|id| self.decommission_poll(id, last)) {
                    self.queue.add(at, Event::DecommissionPoll(m));
                }
            }
            Act::ReturnNode(host) => {
                let (m, id) = self.find_node(host)?;
                self.fall_silent(m);
                let last = self.machines[m].last_heartbeat;
                let expiry = Self::check_time(last, self.scenario.timing.node_expiry);
                self.queue.remove(expiry, Event::NodeExpiry(m));
                // A node comes back empty; the ResourceManager completes what ran on it as lost.
                if self.rm.node(id).is_some_and(|n| n.in_scheduler) {
                    rec.tell_call(self.now, || Call::RemoveNode(id));
                    self.rm.remove_node(id, rec);
                }
                self.join(m, rec);
            }
            Act::Unhealthy(host) => {
                let (m, _) = self.find_node(host)?;
                self.machines[m].unhealthy = true;
            }
            Act::Healthy(host) => {
                let (m, _) = self.find_node(host)?;
                self.machines[m].unhealthy = false;
            }
            Act::Decommission { node, timeout_s } => {
                let (_, id) = self.find_node(node)?;
                rec.tell_call(self.now, || Call::DecommissionNode { node: id, timeout_s: *timeout_s });
                self.rm.decommission_node(id, *timeout_s, rec);
            }
            Act::Recommission(node) => {
                let (_, id) = self.find_node(node)?;
                rec.tell_call(self.now, || Call::RecommissionNode(id));
                self.rm.recommission_node(id, rec);
            }
            Act::HangAm(name) => {
                let id = self.find_app(name)?;
                self.place_of(id).into_iter().for_each(|i| self.hang_am(i));
            }
            Act::Resize { node, total, overcommit_timeout_ms } => {
                let (_, id) = self.find_node(node)?;
                rec.tell_call(self.now, || Call::ResizeNode {
                    node: id,
                    total: *total,
                    overcommit_timeout_ms: *overcommit_timeout_ms,
                });
                self.rm.resize_node(id, *total, *overcommit_timeout_ms, rec);
            }
            Act::LabelNode { node, label } => {
                let (_, id) = self.find_node(node)?;
                rec.tell_call(self.now, || Call::LabelNode { node: id, label: label.clone() });
                self.rm.label_node(id, label, rec)?;
            }
            Act::KillApp(name) => {
                let id = self.find_app(name)?;
                rec.tell_call(self.now, || Call::KillApp(id));
                self.rm.kill_app(id, rec);
            }
            Act::MoveApp { app, queue } => {
                let id = self.find_app(app)?;
                rec.tell_call(self.now, || Call::MoveApp { app: id, queue: queue.clone() });
                self.rm.move_app(id, queue, rec)?;
            }
            Act::SetPriority { app, priority } => {
                let id = self.find_app(app)?;
                rec.tell_call(self.now, || Call::SetPriority { app: id, priority: *priority });
                self.rm.set_priority(id, *priority, rec)?;
            }
            Act::FinishContainer { app, container, exit_code } => {
                let id = self.find_app(app)?;
                let run = self.place_of(id).and_then(|i| self.apps.get(i));
                let found = run.and_then(|r| r.containers.get(*container)).map(|c| c.id);
                match found.filter(|c| self.processes.contains_key(c)) {
                    Some(c) => self.end_process_at(c, self.now, *exit_code),
                    None => return Err(not_there("it does not run at that time")),
                }
            }
            Act::Flex { app, counts, definition } => self.flex(app, counts, definition.as_ref(), rec)?,
            Act::Restart { app, after, changed } => self.restart(app, *after, changed, rec)?,
            Act::OfKind(act) => self.happen_to_kind(i, act, rec)?,
            Act::Refresh { written: true, .. } => self.plans.written = Some((i, self.now)),
            Act::Refresh { capacity_scheduler, fair_allocations, .. } => match fair_allocations {
                Some(text) if self.rm.fair().is_some() => {
                    self.plans.written = None;
                    rec.tell_call(self.now, || Call::RefreshFair(text.clone()));
                    self.rm.refresh_fair(text, rec)?;
                }
                _ => {
                    rec.tell_call(self.now, || Call::Refresh(capacity_scheduler.clone()));
                    self.rm.refresh(capacity_scheduler.clone(), rec)?;
                }
            },
            Act::Attributes { node, how, attributes } => self.change_attributes(node, *how, attributes, rec),
            Act::PutConstraint { app, tags, constraint } => {
                self.put_constraint(app.as_deref(), tags, constraint, rec)?;
            }
        }
        Ok(())
    }

    pub(crate) fn find_node(&self, host: &str) -> Result<(usize, NodeId), Refusal> {
        let found = self.machines.iter().position(|m| m.spec.host == host);
        let registered = found.and_then(|m| Some((m, self.machines[m].id?)));
        registered.ok_or_else(|| not_there("it is not registered at that time"))
    }

    fn find_app(&self, name: &str) -> Result<AppId, Refusal> {
        let found = self.scenario.apps.iter().position(|a| a.name == name);
        let id = found.and_then(|i| self.apps.get(i)?.id);
        id.ok_or_else(|| not_there("it is not submitted at that time"))
    }

    /// Sets the attributes that a node reports when it registers.
    pub(crate) fn set_attributes<R: Recorder>(&mut self, host: &str, attributes: &[(String, String)], rec: &mut R) {
        if !attributes.is_empty() {
            self.attributes(host, AttributeChange::Add, attributes, rec);
        }
    }

    fn attributes<R: Recorder>(
        &mut self,
        host: &str,
        how: AttributeChange,
        attributes: &[(String, String)],
        rec: &mut R,
    ) {
        rec.tell_call(self.now, || Call::Attributes {
            host: host.to_string(),
            how: how.clone(),
            attributes: attributes.to_vec(),
        });
        self.rm.set_node_attributes(host, &how, attributes);
    }

    fn change_attributes<R: Recorder>(
        &mut self,
        host: &str,
        how: scenario::AttributeChange,
        attributes: &[(String, String)],
        rec: &mut R,
    ) {
        self.attributes(host, how.call(attributes), attributes, rec);
    }

    fn put_constraint<R: Recorder>(
        &mut self,
        app: Option<&str>,
        tags: &[String],
        constraint: &scenario::ConstraintText,
        rec: &mut R,
    ) -> Result<(), Refusal> {
        let id = app.map(|name| self.find_app(name)).transpose()?;
        let tree = constraint.tree.clone();
        let tree = tree.ok_or_else(|| Refusal::of(RefusalRule::Client, "its text is not one constraint"))?;
        rec.tell_call(self.now, || Call::PutConstraint {
            app: id,
            tags: tags.to_vec(),
            constraint: Box::new(tree.clone()),
        });
        self.rm.put_constraint(id, tags, Some(tree), true)
    }
}

/// Refuses a happening whose subject does not exist. The words are Heddle's, not Hadoop's.
pub(crate) fn not_there(words: &str) -> Refusal {
    Refusal::of(RefusalRule::NotThere, words)
}
