//! Candidate changes of who goes first, and of nodes that are away: the application's priority, the order of its leaf, its
//! queue's priority; nodes that come back, and silent ones that YARN expires sooner.

use super::asks::RequestRelaxation;
use super::knobs::{CandidateChange, CandidateKind, RequestContext};
use crate::explain::request::may_go_to;
use crate::explain::say;
use crate::explain::taken::{Priority, lower_priority};
use heddle_core::config::capacity::{LeafOrdering, ParentOrdering};
use heddle_core::model::{CalculatorKind, Resource};
use heddle_core::scenario::Act;
use heddle_core::scheduler::{Node, NodeState};

const MOST_PRIORITY: &str = "yarn.cluster.max-application-priority";
const NODE_EXPIRY: &str = "yarn.nm.liveness-monitor.expiry-interval-ms";
/// The most nodes tried one by one.
const NODES: usize = 2;

fn values(all: &[(&str, &str)]) -> CandidateKind {
    CandidateKind::Values(all.iter().map(|(name, value)| (name.to_string(), value.to_string())).collect())
}

impl RequestContext<'_> {
    /// Returns changes that put the request before those that go first now, the smallest first.
    pub(super) fn turns(&self) -> Vec<CandidateChange> {
        let rm = self.names.rm();
        let Some(conf) = rm.capacity().map(|s| s.conf()) else { return Vec::new() };
        let (leaf, Some(app)) = (self.leaf(), rm.scheduled(self.w.app)) else { return Vec::new() };
        let Some(queue) = rm.queues().get(leaf.index()) else { return Vec::new() };
        let active = queue.leaf.as_deref().map_or(&[][..], |leaf| leaf.active.as_slice());
        let others = || active.iter().filter(|id| **id != app.id).filter_map(|id| rm.scheduled(*id));
        let mut out = Vec::new();
        if let Some(highest) = others().map(|other| other.priority).max().filter(|highest| *highest >= app.priority) {
            let (now, most) = (i64::from(app.priority), i64::from(conf.maximum_application_priority));
            let wanted = i64::from(highest) + 1;
            let knob = || self.ask(RequestRelaxation::Priority { now }, wanted.min(most) - now);
            match lower_priority(self.names, app.id) {
                // Its own priority is high enough, but was cut.
                Some(Priority::Cut { asked, .. }) if asked > highest => {
                    out.push(CandidateChange { most: 1, what: values(&[(MOST_PRIORITY, &asked.to_string())]) });
                }
                Some(Priority::Cut { .. } | Priority::Unknown { .. }) | None => {
                    out.extend(knob().or_else(|| self.more_priorities(wanted)));
                }
            }
            if matches!(queue.conf.leaf_ordering, LeafOrdering::Fifo) {
                let what = values(&[(&format!("{}.ordering-policy", queue.path), "fair")]);
                out.push(CandidateChange { most: 1, what });
            }
            // The fair order puts later applications that use less first.
            if matches!(queue.conf.leaf_ordering, LeafOrdering::Fair { .. }) && others().any(|other| other.id > app.id)
            {
                let what = values(&[(&format!("{}.ordering-policy", queue.path), "fifo")]);
                out.push(CandidateChange { most: 1, what });
            }
        }
        out.extend(self.queue_first());
        out
    }

    /// Raises the cluster's highest priority along with the application's.
    fn more_priorities(&self, wanted: i64) -> Option<CandidateChange> {
        let CandidateChange { what, .. } = self.ask(RequestRelaxation::Priority { now: wanted - 1 }, 1)?;
        Some(CandidateChange {
            most: 1,
            what: CandidateKind::Each(vec![values(&[(MOST_PRIORITY, &wanted.to_string())]), what]),
        })
    }

    /// Puts its leaf before siblings that use room.
    fn queue_first(&self) -> Option<CandidateChange> {
        let rm = self.names.rm();
        let leaf = rm.queues().get(self.leaf().index())?;
        let parent = rm.queues().get(rm.parent_of(leaf.id)?.index())?;
        let siblings = parent.children.iter().filter(|q| **q != leaf.id).filter_map(|q| rm.queues().get(q.index()));
        let highest = siblings.filter(|q| !q.part(self.w.partition).used.is_zero()).map(|q| q.conf.priority).max()?;
        if highest < leaf.conf.priority {
            return None;
        }
        let by_priority = matches!(parent.conf.parent_ordering, ParentOrdering::PriorityUtilization);
        let mut all = vec![(format!("{}.priority", leaf.path), (highest + 1).to_string())];
        if !by_priority {
            all.insert(0, (format!("{}.ordering-policy", parent.path), "priority-utilization".to_string()));
        }
        Some(CandidateChange { most: 1, what: CandidateKind::Values(all) })
    }

    /// Returns nodes that are away, or expires them sooner.
    pub(super) fn nodes_back(&self) -> Vec<CandidateChange> {
        let nodes = self.names.rm().nodes().iter().filter(|n| may_go_to(self.names, self.w, n));
        let way = |node: &Node| match node.state {
            NodeState::Decommissioning => Some(("recommission_node", say::recommission(&node.host))),
            NodeState::Decommissioned | NodeState::Lost | NodeState::Shutdown => {
                Some(("return_node", say::bring_back(&node.host)))
            }
            NodeState::Unhealthy => Some(("healthy_node", say::mend(&node.host))),
            NodeState::Running if self.names.is_silent(node) => Some(("return_node", say::bring_back(&node.host))),
            NodeState::New | NodeState::Running | NodeState::Rebooted => None,
        };
        let back = nodes.clone().filter_map(|node| Some((node, way(node)?))).take(NODES);
        let back = back.map(|(node, (act, says))| {
            let node = node.host.to_string();
            CandidateChange { most: 1, what: CandidateKind::Happens { act, node, label: None, says } }
        });
        let mut out: Vec<CandidateChange> = back.collect();
        if out.len() > 1 {
            let all = out.iter().map(|knob| knob.what.clone()).collect();
            out.push(CandidateChange { most: 1, what: CandidateKind::Each(all) });
        }
        if nodes.clone().any(|node| self.names.is_silent(node)) {
            out.push(CandidateChange { most: 1, what: values(&[(NODE_EXPIRY, "60000")]) });
        }
        out
    }

    /// Restores the size of nodes that an administrator made too small for the request.
    pub(super) fn sizes_back(&self) -> Vec<CandidateChange> {
        let (names, cluster) = (self.names, self.names.rm().cluster());
        let kinds = if cluster.calculator.kind == CalculatorKind::Default { 1 } else { cluster.types.len() };
        let knob = |node: &Node| {
            let resized = names.scenario().happenings.iter().filter(|h| h.at <= names.now);
            let totals = resized.filter_map(|h| match &h.act {
                Act::Resize { node: host, total, .. } if *host == node.host => Some(*total),
                _ => None,
            });
            let first = names.scenario().nodes.iter().find(|n| n.spec.host == node.host)?.spec.total;
            let sizes: Vec<Resource> = std::iter::once(first).chain(totals).collect();
            let [.., before, _] = sizes.as_slice() else { return None };
            let step = (*before - node.total).component_max(Resource::ZERO);
            let lacks = (0..kinds).any(|i| step[i] > 0 && self.w.size[i] > node.free()[i]);
            let (from, types) = (node.total, cluster.types.clone());
            lacks.then(|| CandidateChange {
                most: 1,
                what: CandidateKind::Grow { node: node.host.to_string(), from, step, types },
            })
        };
        let nodes = names.rm().nodes().iter().filter(|n| n.in_scheduler && may_go_to(names, self.w, n));
        nodes.filter_map(knob).take(NODES).collect()
    }
}
