//! The search of room for one container of a starved application (FSPreemptionThread
//! .identifyContainersToPreemptForOneContainer; preemption.md B3(2)): of the nodes that could give it, the one that takes
//! the fewest ApplicationMasters.

use super::record::{Choice, NodeLook, Outcome, Spared, Why};
use crate::model::{AppId, ContainerId, NodeId, QueueId, Resource};
use crate::preemption::measure::Measure;

/// A container that takes room on a node.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Running {
    /// Which.
    pub id: ContainerId,
    /// Its size.
    pub size: Resource,
    /// An ApplicationMaster's?
    pub am: bool,
    /// Is it over, and its node has still to say so?
    pub over: bool,
}

/// An application whose containers may be taken.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Owner {
    /// Nothing is taken from this queue, its own or one above it.
    pub protected: Option<QueueId>,
    /// May its ApplicationMaster be taken?
    pub gives_am: bool,
    /// Used.
    pub used: Resource,
    /// Of that, what is taken already.
    pub marked: Resource,
    /// Fair share.
    pub share: Resource,
    /// By which its leaf's policy compares.
    pub measure: Measure,
}

/// The books, as the search reads them.
pub trait Room {
    /// Room of a node that is neither reserved nor promised.
    fn free(&self, node: NodeId) -> Resource;
    /// Its containers that are not taken already: ApplicationMasters last, of others the latest first.
    fn running(&self, node: NodeId) -> Vec<Running>;
    /// Whose they are; `None`: the scheduler does not know the application any more.
    fn owner(&self, app: AppId) -> Option<Owner>;
}

/// What is wanted of the nodes.
#[derive(Clone, Debug, PartialEq)]
pub struct Place {
    /// Size of the container.
    pub size: Resource,
    /// Nodes that the request names, in order.
    pub nodes: Vec<NodeId>,
    /// All others, where they may do instead if they spare ApplicationMasters.
    pub others: Vec<NodeId>,
}

/// What a node can give: the containers, and how many of them are ApplicationMasters.
type Gift = (Vec<ContainerId>, usize);

/// Finds a node; `detail`: is each look told?
pub fn pick(place: &Place, room: &impl Room, detail: bool) -> (Option<Choice>, Vec<NodeLook>) {
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
    let choice = best.map(|(node, (containers, masters))| Choice { node, containers, masters, elsewhere });
    (choice, looked)
}

/// The first node that takes the fewest ApplicationMasters, and fewer than `most`.
fn best(
    size: Resource,
    nodes: &[NodeId],
    most: usize,
    room: &impl Room,
    mut looked: Option<&mut Vec<NodeLook>>,
) -> Option<(NodeId, Gift)> {
    let mut best: Option<(NodeId, Gift)> = None;
    let mut most = most;
    for node in nodes {
        let (look, taken) = on_node(size, *node, most, room);
        if look.outcome == Outcome::Best {
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

/// What a node can give with fewer ApplicationMasters than `most`. One that runs nothing that could be looked at gives
/// nothing, however much room it has.
fn on_node(size: Resource, node: NodeId, most: usize, room: &impl Room) -> (NodeLook, Vec<ContainerId>) {
    let free = room.free(node);
    let outcome = Outcome::TooLittle;
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
                    look.outcome = Outcome::NoFewerMasters;
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
            look.outcome = Outcome::Best;
            break;
        }
    }
    (look, taken)
}

/// Why a container is left alone; `already`: what would be taken of its application on this node.
fn spared(x: &Running, owner: &Owner, already: Resource) -> Option<Why> {
    if x.over {
        return Some(Why::Over);
    }
    if let Some(queue) = owner.protected {
        return Some(Why::Protected { queue });
    }
    if x.am && !owner.gives_am {
        return Some(Why::Master);
    }
    let used = owner.used - owner.marked - already - x.size;
    owner.measure.below(used, owner.share).then_some(Why::BelowShare { used, share: owner.share })
}
