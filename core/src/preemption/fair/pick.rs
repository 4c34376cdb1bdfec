//! The search for a node for one container of a starved application (FSPreemptionThread
//! .identifyContainersToPreemptForOneContainer; preemption.md B3(2)): of the nodes that could give it, the one with the
//! fewest ApplicationMasters to preempt.

use super::record::{NodeChoice, NodeLook, SearchOutcome, SpareReason, Spared};
use crate::model::{AppId, ContainerId, NodeId, QueueId, Resource};
use crate::preemption::measure::Measure;

/// A container that counts as usage of a node.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Running {
    /// Its id.
    pub id: ContainerId,
    /// Its size.
    pub size: Resource,
    /// Whether it is an ApplicationMaster's.
    pub am: bool,
    /// Whether it is over, and its node has not reported that yet.
    pub over: bool,
}

/// An application whose containers may be preempted.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Owner {
    /// The queue, its own or a parent, that forbids preemption.
    pub protected: Option<QueueId>,
    /// Whether its ApplicationMaster may be preempted.
    pub gives_am: bool,
    /// Its usage.
    pub used: Resource,
    /// The part of its usage that is being preempted already.
    pub marked: Resource,
    /// Fair share.
    pub share: Resource,
    /// The measure of its leaf's policy.
    pub measure: Measure,
}

/// The accounting that the search reads.
pub trait SearchView {
    /// The free resources of a node that are neither reserved nor promised.
    fn free(&self, node: NodeId) -> Resource;
    /// The node's containers that are not being preempted already: ApplicationMasters last, of others the latest first.
    fn running(&self, node: NodeId) -> Vec<Running>;
    /// The application that owns them; `None`: the scheduler does not know it any more.
    fn owner(&self, app: AppId) -> Option<Owner>;
}

/// The target of a search.
#[derive(Clone, Debug, PartialEq)]
pub struct SearchTarget {
    /// Size of the container.
    pub size: Resource,
    /// The nodes that the request names, in order.
    pub nodes: Vec<NodeId>,
    /// All other nodes, if they may serve instead when they spare ApplicationMasters.
    pub others: Vec<NodeId>,
}

/// The containers that a node can give, and the number of ApplicationMasters among them.
type Preemptable = (Vec<ContainerId>, usize);

/// Finds a node; `detail`: whether each examined node is recorded.
pub fn pick(place: &SearchTarget, room: &impl SearchView, detail: bool) -> (Option<NodeChoice>, Vec<NodeLook>) {
    let mut looked = Vec::new();
    let mut best = best(place.size, &place.nodes, usize::MAX, room, detail.then_some(&mut looked));
    let mut elsewhere = false;
    if let Some((_, (_, masters))) = &best
        && *masters > 0
        && !place.others.is_empty()
        && let Some(spares) = self::best(place.size, &place.others, *masters, room, detail.then_some(&mut looked))
    {
        best = Some(spares);
        elsewhere = true;
    }
    let choice = best.map(|(node, (containers, masters))| NodeChoice { node, containers, masters, elsewhere });
    (choice, looked)
}

/// The first node with the fewest ApplicationMasters to preempt, and fewer than `most`.
fn best(
    size: Resource,
    nodes: &[NodeId],
    most: usize,
    room: &impl SearchView,
    mut looked: Option<&mut Vec<NodeLook>>,
) -> Option<(NodeId, Preemptable)> {
    let mut best: Option<(NodeId, Preemptable)> = None;
    let mut most = most;
    for node in nodes {
        let (look, taken) = on_node(size, *node, most, room);
        if look.outcome == SearchOutcome::Best {
            most = look.masters;
            best = Some((*node, (taken, look.masters)));
        }
        if let Some(looked) = &mut looked {
            looked.push(look);
        }
        if best.is_some() && most == 0 {
            break;
        }
    }
    best
}

/// What a node can give with fewer ApplicationMasters than `most`. A node without containers to examine gives nothing,
/// however much is free there.
fn on_node(size: Resource, node: NodeId, most: usize, room: &impl SearchView) -> (NodeLook, Vec<ContainerId>) {
    let free = room.free(node);
    let outcome = SearchOutcome::TooLittle;
    let mut look = NodeLook { node, free, gathered: free, taken: 0, masters: 0, outcome, spared: Vec::new() };
    let mut taken: Vec<ContainerId> = Vec::new();
    let mut of_apps: Vec<(AppId, Resource)> = Vec::new();
    for x in room.running(node) {
        let Some(owner) = room.owner(x.id.app) else { continue };
        let at = of_apps.iter().position(|(app, _)| *app == x.id.app).unwrap_or_else(|| {
            of_apps.push((x.id.app, Resource::ZERO));
            of_apps.len() - 1
        });
        match spared(&x, &owner, of_apps[at].1) {
            Some(why) => look.spared.push(Spared { container: x.id, why }),
            None => {
                if x.am && look.masters + 1 >= most {
                    look.outcome = SearchOutcome::NoFewerMasters;
                    return (look, taken);
                }
                look.masters += usize::from(x.am);
                of_apps[at].1 += x.size;
                taken.push(x.id);
                look.taken += 1;
                look.gathered += x.size;
            }
        }
        let enough = (0..size.0.len()).all(|i| size[i] <= look.gathered[i]);
        if enough {
            look.outcome = SearchOutcome::Best;
            break;
        }
    }
    (look, taken)
}

/// Why a container is spared; `already`: what would be taken from its application on this node.
fn spared(x: &Running, owner: &Owner, already: Resource) -> Option<SpareReason> {
    if x.over {
        return Some(SpareReason::Over);
    }
    if let Some(queue) = owner.protected {
        return Some(SpareReason::Protected { queue });
    }
    if x.am && !owner.gives_am {
        return Some(SpareReason::Master);
    }
    let used = owner.used - owner.marked - already - x.size;
    owner.measure.below(used, owner.share).then_some(SpareReason::BelowShare { used, share: owner.share })
}
