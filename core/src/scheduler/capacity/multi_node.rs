//! Multi-node placement: candidates instead of the one node that reported (CapacityScheduler
//! .allocateContainersOnMultiNodes, RegularContainerAllocator.allocate, MultiNodeSortingManager,
//! ResourceUsageMultiNodeLookupPolicy; capacity-scheduler.md section 13).

use super::CapacityScheduler;
use super::offer::{AppOutcome, Candidates, KeyTry, Limits, Offer, Proposed, Terms};
use super::users::Mode;
use crate::check::{About, Check, Checked, Figures};
use crate::config::capacity::CapacityConf;
use crate::journal::{Collected, Finding, Recorder};
use crate::model::{AppId, Millis, NodeId, PartitionId, java};
use crate::scheduler::{App, Cluster, NodeState};

/// The nodes of a partition as a sorting policy last ordered them.
#[derive(Clone, Debug, PartialEq)]
pub struct SortedNodes {
    policy: String,
    partition: PartitionId,
    at: Millis,
    nodes: Vec<NodeId>,
}

/// The nodes that one offer may choose from.
pub(super) struct CandidateSet<'a> {
    /// The node that the offer is recorded for.
    pub visited: NodeId,
    pub partition: PartitionId,
    pub nodes: &'a [NodeId],
    /// Whether they come from their partition's list.
    pub listed: bool,
}

impl CapacityScheduler {
    /// Makes one offer on the candidates in the partition of the node that reported.
    pub(super) fn offer_candidates<R: Recorder>(
        &mut self,
        c: &mut Cluster,
        reporting: NodeId,
        rec: &mut R,
    ) -> Option<Proposed> {
        let node = c.node(reporting);
        if !node.in_scheduler {
            return None;
        }
        let partition = node.partition;
        let mut candidates = self.candidates(c, partition);
        // If no node qualifies (none runs, or all are silent), the reporting node is the only candidate.
        let listed = !candidates.is_empty();
        if !listed {
            candidates.push(reporting);
        }
        self.offer_set(c, &CandidateSet { visited: reporting, partition, nodes: &candidates, listed }, rec)
    }

    /// Returns the nodes that an offer in a partition may choose from.
    pub(super) fn candidates(&self, c: &Cluster, partition: PartitionId) -> Vec<NodeId> {
        candidates(c, partition, self.silent_after_ms)
    }

    /// Makes one offer on candidates: retries the reservations on them first, then places new containers in any case.
    pub(super) fn offer_set<R: Recorder>(
        &mut self,
        c: &mut Cluster,
        set: &CandidateSet<'_>,
        rec: &mut R,
    ) -> Option<Proposed> {
        let CandidateSet { visited, partition, nodes: candidates, listed } = *set;
        let first = *candidates.first()?;
        self.books.count_owed(c);
        let (total, free) = (c.node(visited).total, c.node(visited).free());
        rec.note(c.now, || Finding::Offer { node: visited, partition, total, free, reserved: None });
        for id in candidates {
            if let Some(slot) = c.node(*id).reserved {
                self.retry_reservation(c, *id, slot, rec);
            }
        }
        let several = if candidates.len() > 1 { Candidates::Several } else { Candidates::One };
        let terms = Terms { node: first, partition, mode: Mode::Respect, candidates: several, listed };
        let mut found = Collected::new(rec, c.now, self.room.take());
        let mut offer = self.offer(terms, c.short_cuts.skip_visits(&found));
        offer.assign_in_modes(c, &mut found);
        let (terms, proposal) = (offer.terms, offer.proposal);
        self.room = found.hand_over();
        let proposal = proposal?;
        let terms = terms.at(c, proposal.node);
        self.propose(c, &terms, &proposal, rec);
        Some(proposal.kind())
    }

    /// Returns the only node of a partition that is tried for an application: the first of several candidates, if no
    /// policy sorts them.
    pub fn only_candidate(&self, c: &Cluster, app: &App, partition: PartitionId) -> Option<NodeId> {
        if !self.conf.multi_node.enabled || sorting_of(&self.conf, app).is_some() {
            return None;
        }
        match self.candidates(c, partition).as_slice() {
            [first, _, ..] => Some(*first),
            _ => None,
        }
    }
}

impl Offer<'_> {
    /// Tries a key on the candidates, in the order of the application's sorting policy: the first that can allocate
    /// wins; a reservation is made only if the last one proposes it.
    #[inline(never)]
    pub(super) fn assign_key_on_candidates<R: Recorder>(
        &mut self,
        c: &mut Cluster,
        want: KeyTry,
        limits: &mut Limits,
        rec: &mut R,
    ) -> AppOutcome {
        let KeyTry { app, place, .. } = want;
        let order = self.preferred_nodes(c, app);
        let several = self.terms;
        let mut outcome = AppOutcome::KeySkipped;
        for (i, node) in order.iter().enumerate() {
            let last = i + 1 == order.len();
            if !last && self.conf.multi_node.skip_reserved_nodes && c.node(*node).reserved.is_some() {
                let key = c.app(app).asks.at(place).key;
                let about = About::OnNode(app, key, *node);
                rec.failed(c.now, || Checked::failed(Check::CandidateUnreserved, about, Figures::None));
                continue;
            }
            self.terms = several.at(c, *node);
            outcome = self.assign_key_on_node(c, KeyTry { last, ..want }, limits, rec);
            if outcome == AppOutcome::Proposal && self.proposal.is_some_and(|p| !p.reserve) {
                break;
            }
        }
        self.terms = several;
        outcome
    }

    /// Returns the nodes in the order of an application's sorting policy; without a policy, or if its class is not one
    /// of `multi-node-sorting.policy.names`, only the first candidate.
    fn preferred_nodes(&mut self, c: &Cluster, app: AppId) -> Vec<NodeId> {
        let Some((class, interval)) = sorting_of(self.conf, c.app(app)) else { return vec![self.terms.node] };
        let class = class.to_owned();
        let known = self.sorted.iter().position(|s| s.policy == class && s.partition == self.terms.partition);
        if let Some(i) = known {
            let sorted = &self.sorted[i];
            if interval > 0 && c.now < sorted.at.saturating_add(interval) {
                return sorted.nodes.iter().copied().filter(|n| c.node(*n).in_scheduler).collect();
            }
            self.sorted.swap_remove(i);
        }
        // With an interval, a thread sorts all nodes of the partition; without one, each visit sorts its candidates.
        let nodes = if interval > 0 {
            c.nodes.iter().filter(|n| n.listed_in.contains(&self.terms.partition)).map(|n| n.id).collect()
        } else {
            candidates(c, self.terms.partition, self.silent_after_ms)
        };
        let nodes = by_usage(c, nodes);
        let sorted = SortedNodes { policy: class, partition: self.terms.partition, at: c.now, nodes: nodes.clone() };
        self.sorted.push(sorted);
        nodes
    }
}

/// Returns class and interval of an application's sorting policy.
fn sorting_of<'a>(conf: &'a CapacityConf, app: &'a App) -> Option<(&'a str, Millis)> {
    let class = app.sorting_policy.as_deref()?;
    conf.multi_node.policies.iter().find(|p| p.class == class).map(|p| (class, p.interval_ms))
}

/// Returns the nodes listed under a partition that run and are not silent, in the order of a Java map by node id. A
/// list may have an outdated record of a node.
fn candidates(c: &Cluster, partition: PartitionId, silent_after_ms: Millis) -> Vec<NodeId> {
    let healthy = |id: &NodeId| {
        let n = c.node(*id);
        let stale = n.stale_in(partition);
        let heartbeat = stale.map_or(n.last_heartbeat, |s| s.heartbeat);
        (stale.is_some() || n.listed_in.contains(&partition))
            && n.state == NodeState::Running
            && c.now.saturating_sub(heartbeat) <= silent_after_ms
    };
    let ids: Vec<NodeId> = c.nodes_by_registration().into_iter().filter(healthy).collect();
    let hashes: Vec<i32> = ids.iter().map(|id| java::node_id_hash(&c.node(*id).host, c.node(*id).port)).collect();
    java::hash_walk(&hashes).into_iter().map(|i| ids[i]).collect()
}

/// Sorts nodes by allocated memory, then vcores, least first, then by node id (ResourceUsageMultiNodeLookupPolicy).
fn by_usage(c: &Cluster, mut nodes: Vec<NodeId>) -> Vec<NodeId> {
    crate::model::order::sort_by(&mut nodes, |a, b| {
        let (a, b) = (c.node(*a), c.node(*b));
        a.allocated.cmp(&b.allocated).then_with(|| a.host.cmp(&b.host)).then(a.port.cmp(&b.port))
    });
    nodes
}
