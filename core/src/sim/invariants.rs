//! What must hold after every event, whatever the scenario. A break is a mistake of this program, never of a user.

use crate::apps::sim::played;
use crate::model::{AppId, ContainerId, NodeId, PartitionId, QueueId, Resource};
use crate::rm::ResourceManager;
use crate::scheduler::ContainerState;
use crate::sim::Simulation;

/// How many invariants are watched.
pub const INVARIANTS: usize = 8;

/// What does not hold. Sums and what the books say of them, in MiB.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Broken {
    /// The containers on a node, and what the node says that it holds.
    Node { node: NodeId, sum: i64, books: i64 },
    /// A node keeps room for a reservation that is gone.
    RoomForNobody { node: NodeId },
    /// A node holds more than its size.
    Overfull { node: NodeId, held: i64, total: i64 },
    /// The node of a reservation does not know it.
    ReservationNowhere(ContainerId),
    /// A live container is on no node.
    ContainerNowhere(ContainerId),
    /// The containers of an application, and what it is said to use.
    Application { app: AppId, sum: i64, books: i64 },
    /// The requests of an application, and what it is said to wait for.
    Pending { app: AppId, sum: i64, books: i64 },
    /// The applications of a leaf or the children of a parent, and what the queue is said to use.
    Queue { queue: QueueId, leaf: bool, sum: i64, books: i64 },
    /// An ApplicationMaster that keeps books and YARN disagree about a container of this application of the scenario.
    Books { place: usize, container: ContainerId },
    /// The containers that YARN gives a component of this application of the scenario, and how many its ApplicationMaster counts.
    Component { place: usize, id: i32, sum: i64, books: i64 },
    /// A part of the work of this application of the scenario, or its state on a disk, belongs to two of its containers, or a container
    /// to no part.
    Shares { place: usize },
}

impl Simulation {
    /// The first invariant that does not hold.
    pub fn check(&self) -> Option<Broken> {
        let rm = self.rm();
        nodes(rm).or_else(|| applications(rm)).or_else(|| queues(rm)).or_else(|| self.masters())
    }

    /// What an ApplicationMaster takes for its containers are those that YARN gives it, and whatever else its kind holds.
    fn masters(&self) -> Option<Broken> {
        let apps = self.scenario().apps.iter().enumerate();
        { apps }.find_map(|(place, app)| played(&app.kind).broken(self, place))
    }
}

/// What a node holds is the sum of its containers, and no more than its size unless it was made smaller.
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

/// Room of killables: of those that were killed others have it before the node reports the end, and those of the leaf that
/// asks are counted as room and not killed (YARN's way; preemption.md A9).
fn counted_as_room(rm: &ResourceManager, node: NodeId) -> Resource {
    rm.containers_on(node).filter(|c| c.killable).fold(Resource::ZERO, |sum, c| sum + c.size)
}

/// A node may hold more than its size after an administrator made it smaller without a deadline.
fn rm_resized(rm: &ResourceManager, node: NodeId) -> bool {
    // Containers older than the size are the sign; the books keep no other.
    rm.containers_on(node).all(|c| c.state != ContainerState::Allocated)
}

/// Or after a reservation became a container: whether it fits goes by what is asked for by then, the room by what was
/// reserved (YARN's way).
fn rm_converted(rm: &ResourceManager, node: NodeId) -> bool {
    let of_another_size = |seq, app| rm.scheduled(app).is_some_and(|a| a.converted.iter().any(|(s, ..)| *s == seq));
    rm.containers_on(node).any(|c| of_another_size(c.id.seq, c.id.app))
}

/// What an application uses is the sum of its live containers, reservations apart; none of them is lost; what it
/// waits for is the sum of its requests.
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
            // What is wanted in a partition that the cluster does not have is in no books.
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

/// What a leaf uses is the sum of its applications, what a parent uses the sum of its children.
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
            // The queue goes by the size that was reserved.
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

    /// A node with a reservation that does not fit, beside another.
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
