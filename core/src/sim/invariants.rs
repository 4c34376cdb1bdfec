//! What must hold after every event, whatever the scenario. A break is a mistake of this program, never of a user.

use crate::apps::sim::played;
use crate::model::{AppId, ContainerId, NodeId, PartitionId, QueueId, Resource};
use crate::rm::ResourceManager;
use crate::scheduler::ContainerState;
use crate::sim::Simulation;

/// The number of invariants that are checked.
pub const INVARIANTS: usize = 8;

/// An invariant that does not hold. Pairs of figures are a sum and what the accounting says it is, MiB.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Broken {
    /// The sum of a node's containers differs from the node's accounting.
    Node { node: NodeId, sum: i64, books: i64 },
    /// A node refers to a reservation that does not exist.
    RoomForNobody { node: NodeId },
    /// The containers on a node exceed its size.
    Overfull { node: NodeId, held: i64, total: i64 },
    /// The node of a reservation does not refer to it.
    ReservationNowhere(ContainerId),
    /// A live container is on no node.
    ContainerNowhere(ContainerId),
    /// The sum of an application's containers differs from its usage.
    Application { app: AppId, sum: i64, books: i64 },
    /// The sum of an application's requests differs from its pending resources.
    Pending { app: AppId, sum: i64, books: i64 },
    /// The sum over a leaf's applications, or a parent's children, differs from the queue's usage.
    Queue { queue: QueueId, leaf: bool, sum: i64, books: i64 },
    /// The ApplicationMaster of an application (by its place in the scenario) and YARN disagree about a container.
    Books { place: usize, container: ContainerId },
    /// The number of a component's containers differs from the count of its ApplicationMaster; the application is named
    /// by its place in the scenario.
    Component { place: usize, id: i32, sum: i64, books: i64 },
    /// A part of an application's work, or its state on a disk, belongs to two containers, or a container to no part;
    /// the application is named by its place in the scenario.
    Shares { place: usize },
}

impl Simulation {
    /// Returns the first invariant that does not hold.
    pub fn check(&self) -> Option<Broken> {
        let rm = self.rm();
        nodes(rm).or_else(|| applications(rm)).or_else(|| queues(rm)).or_else(|| self.masters())
    }

    /// Checks that every ApplicationMaster and YARN agree about its containers, and what else its kind checks.
    fn masters(&self) -> Option<Broken> {
        let apps = self.scenario().apps.iter().enumerate();
        { apps }.find_map(|(place, app)| played(&app.kind).broken(self, place))
    }
}

/// Checks that a node's accounting is the sum of its containers, and no more than its size unless it was made smaller.
fn nodes(rm: &ResourceManager) -> Option<Broken> {
    for node in rm.nodes().iter().filter(|n| n.in_scheduler) {
        let sum = rm.containers_on(node.id).fold(Resource::ZERO, |sum, c| sum + c.size);
        if sum != node.allocated {
            return Some(Broken::Node { node: node.id, sum: sum.memory_mb(), books: node.allocated.memory_mb() });
        }
        let reserved = node.reserved.map(|slot| rm.cluster().containers.at(slot));
        if reserved.is_some_and(|c| c.state != ContainerState::Reserved || rm.container(c.id) != Some(c)) {
            return Some(Broken::RoomForNobody { node: node.id });
        }
        let shrunk = node.overcommit_deadline.is_some() || node.size_before_decommission.is_some();
        let free = node.free() + counted_as_room(rm, node.id);
        if !shrunk && free.memory_mb() < 0 && !rm_resized(rm, node.id) && !rm_converted(rm, node.id) {
            return Some(Broken::Overfull {
                node: node.id,
                held: node.allocated.memory_mb(),
                total: node.total.memory_mb(),
            });
        }
    }
    None
}

/// Returns the resources of killable containers on a node, which the node's usage may exceed its size by: others get
/// the resources of killed ones before the node reports their end, and those of the leaf that asks count as free
/// without being killed (YARN's way; preemption.md A9).
fn counted_as_room(rm: &ResourceManager, node: NodeId) -> Resource {
    rm.containers_on(node).filter(|c| c.killable).fold(Resource::ZERO, |sum, c| sum + c.size)
}

/// Returns whether a node may exceed its size since an administrator made it smaller without a deadline.
fn rm_resized(rm: &ResourceManager, node: NodeId) -> bool {
    // Containers older than the size are the only trace of that.
    rm.containers_on(node).all(|c| c.state != ContainerState::Allocated)
}

/// Returns whether a node may exceed its size since a reservation became a container: YARN checks the size that is
/// asked for by then, and allocates the size that was reserved.
fn rm_converted(rm: &ResourceManager, node: NodeId) -> bool {
    let of_another_size = |seq, app| rm.scheduled(app).is_some_and(|a| a.converted.iter().any(|(s, ..)| *s == seq));
    rm.containers_on(node).any(|c| of_another_size(c.id.seq, c.id.app))
}

/// Checks that an application's usage is the sum of its live containers (reservations apart), that each of them is on a
/// node, and that its pending resources are the sum of its requests.
fn applications(rm: &ResourceManager) -> Option<Broken> {
    let cluster = rm.cluster();
    for app in cluster.apps.iter().filter(|a| a.alive) {
        let mut used = Resource::ZERO;
        for c in rm.containers_of(app.id) {
            if c.state == ContainerState::Reserved {
                if rm.node(c.node).and_then(|node| node.reserved) != cluster.slot(c.id) {
                    return Some(Broken::ReservationNowhere(c.id));
                }
                continue;
            }
            used += c.size;
            if !c.on_node {
                return Some(Broken::ContainerNowhere(c.id));
            }
        }
        used = app.converted.iter().fold(used, |sum, (_, _, more)| sum + *more);
        if used != app.used_total() {
            return Some(Broken::Application {
                app: app.id,
                sum: used.memory_mb(),
                books: app.used_total().memory_mb(),
            });
        }
        let pending = app.asks.open().iter().fold(Resource::ZERO, |sum, (_, place)| {
            let asks = app.asks.at(*place as usize);
            // Requests for a partition that the cluster does not have are not accounted for.
            let any = asks.any().filter(|_| asks.partition.index() < cluster.partitions.len());
            sum + any.map_or(Resource::ZERO, |row| row.size.times(row.count.max(0)))
        });
        if pending != app.pending_total() {
            return Some(Broken::Pending {
                app: app.id,
                sum: pending.memory_mb(),
                books: app.pending_total().memory_mb(),
            });
        }
    }
    None
}

/// Checks that a leaf's usage is the sum over its applications, and a parent's the sum over its children.
fn queues(rm: &ResourceManager) -> Option<Broken> {
    let cluster = rm.cluster();
    // Under the FairScheduler reservations do not count.
    for queue in rm.fair().into_iter().flat_map(|s| s.living()) {
        let apps = cluster.apps.iter().filter(|a| a.alive && a.queue == queue.id).map(|a| a.used_total());
        let children = queue.children.iter().filter_map(|id| rm.fair().map(|s| s.queue(*id).used));
        let sum = apps.chain(children).fold(Resource::ZERO, |sum, used| sum + used);
        if sum != queue.used {
            return Some(Broken::Queue {
                queue: queue.id,
                leaf: queue.leaf,
                sum: sum.memory_mb(),
                books: queue.used.memory_mb(),
            });
        }
    }
    let partitions: Vec<PartitionId> = cluster.partition_ids().collect();
    let mut sums = vec![vec![Resource::ZERO; partitions.len()]; rm.queues().len()];
    for app in cluster.apps.iter().filter(|a| a.alive) {
        if let Some(leaf) = sums.get_mut(app.queue.index()) {
            for (p, sum) in leaf.iter_mut().enumerate() {
                *sum += app.used.get(p).copied().unwrap_or_default();
                *sum += app.reserved.get(p).copied().unwrap_or_default();
            }
            // The queue counts the size that was reserved.
            for (_, p, more) in &app.converted {
                leaf[p.index()] -= *more;
            }
        }
    }
    for queue in rm.queues().iter().filter(|q| q.alive) {
        for p in &partitions {
            let sum = if queue.is_leaf() {
                sums[queue.id.index()][p.index()]
            } else {
                let children = queue.children.iter().chain(&queue.replaced).filter_map(|c| rm.queues().get(c.index()));
                children.fold(Resource::ZERO, |sum, c| sum + c.part(*p).used)
            };
            if sum != queue.part(*p).used {
                let used = queue.part(*p).used.memory_mb();
                return Some(Broken::Queue {
                    queue: queue.id,
                    leaf: queue.is_leaf(),
                    sum: sum.memory_mb(),
                    books: used,
                });
            }
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rm::testing::Fixture;
    use crate::rm::{AllocateCall, AskRow};

    /// Makes a node with a reservation that does not fit, and another node.
    fn reserved() -> (Fixture, NodeId) {
        let mut f = Fixture::new("root.queues a\nroot.a.capacity 100", "");
        let full = f.node("n1", 2);
        f.node("n2", 8);
        let app = f.submit("a", "u");
        f.heartbeat(full);
        let ask = AskRow::anywhere(1, Resource::new(2048, 1), 1);
        let call = AllocateCall { asks: vec![ask], ..AllocateCall::default() };
        f.rm.allocate(app, call, &mut f.journal).expect("the call is accepted");
        f.heartbeat(full);
        assert_eq!((f.containers(app).len(), f.rm.reservations().count()), (2, 1));
        (f, full)
    }

    #[test]
    fn a_reservation_that_its_node_does_not_know_is_found() {
        let (mut f, full) = reserved();
        let lost = f.rm.reservations().next().expect("a reservation").id;
        assert_eq!((nodes(&f.rm), applications(&f.rm)), (None, None));
        f.rm.cluster.node_mut(full).reserved = None;
        assert_eq!(applications(&f.rm), Some(Broken::ReservationNowhere(lost)));
    }

    #[test]
    fn room_that_is_kept_for_nobody_is_found() {
        let (mut f, full) = reserved();
        let slot = f.rm.cluster.node(full).reserved;
        let app = AppId(0);
        f.rm.kill_app(app, &mut f.journal);
        assert_eq!(nodes(&f.rm), None);
        f.rm.cluster.node_mut(full).reserved = slot;
        assert_eq!(nodes(&f.rm), Some(Broken::RoomForNobody { node: full }));
    }
}
