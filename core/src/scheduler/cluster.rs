//! The accounting that all schedulers share: nodes, partitions, applications, containers, and the names of places and
//! users as numbers (AbstractYarnScheduler, ClusterNodeTracker, RMNodeLabelsManager).

use super::app::{AmStatus, App};
use super::asks::VersionedQuestion;
use super::container::{Container, Containers, Slot};
use super::node::{Node, Stale};
use super::short_cuts::ShortCuts;
use crate::api::{ContainerStop, HeartbeatAnswer};
use crate::constraint::{PlacementState, Site};
use crate::journal::{Change, NodeGone, Recorder};
use crate::model::java;
use crate::model::{
    AppId, AppSet, Calculator, ContainerId, Millis, NodeId, PartitionId, Resource, ResourceTypes, UserId,
};
use indexmap::{IndexMap, IndexSet};
use std::collections::BTreeSet;

/// The number of unknown partitions that are told apart.
const UNKNOWN_PARTITIONS: usize = 1000;

pub use crate::model::PlaceId;

/// A partition of the cluster (node label); the first is the default one, without a name.
#[derive(Clone, Debug, PartialEq)]
pub struct Partition {
    /// Its name; empty for the default partition.
    pub name: String,
    /// Whether only requests for it may use it.
    pub exclusive: bool,
    /// The total of its nodes.
    pub total: Resource,
    /// The number of its nodes.
    pub nodes: u32,
}

/// The accounting of a cluster.
#[derive(Clone, Debug, PartialEq)]
pub struct Cluster {
    /// The time, which the caller sets.
    pub now: Millis,
    /// The one switch of all short cuts.
    pub short_cuts: ShortCuts,
    /// The clock of attempts' start times (SystemClock): `now`, unless it is set apart.
    pub wall_clock: Millis,
    /// The number of allocations and of reservations made or removed, which empty heartbeats may cause.
    pub given_changed: u64,
    pub types: ResourceTypes,
    pub calculator: Calculator,
    /// Minimum allocation, which is also the step that asks are rounded to.
    pub minimum: Resource,
    /// Configured maximum allocation, as of the last refresh.
    pub maximum: Resource,
    /// Configured maximum allocation as of the start, which YARN's messages keep naming.
    pub maximum_at_start: Resource,
    /// Partitions, the default one first.
    pub partitions: Vec<Partition>,
    /// Names of partitions that requests name and the cluster does not have; the ids count down from the last.
    pub unknown_partitions: Vec<String>,
    /// The total of all nodes.
    pub total: Resource,
    /// All nodes that ever registered.
    pub nodes: Vec<Node>,
    /// The number of nodes in the scheduler.
    pub node_count: usize,
    /// The largest number of nodes in the scheduler so far, which decides the size of Java's table of nodes.
    pub most_nodes: usize,
    /// Whether any node in the scheduler ever changed its label.
    relabelled: bool,
    /// Partitions that the tracker has a list of nodes for, an empty one maybe (ClusterNodeTracker.getPartitions).
    tracked: BTreeSet<PartitionId>,
    /// The largest amount of each resource type on a node in the scheduler.
    pub largest_node: Resource,
    /// The time until which the sizes of nodes do not bound allocations, after the ResourceManager's start.
    pub young_until: Millis,
    pub apps: Vec<App>,
    pub containers: Containers,
    /// Applications whose AM's container was just allocated, for the ResourceManager.
    pub(crate) am_allocated: Vec<AppId>,
    /// Applications whose AM's container was killed for an allocation, for the ResourceManager.
    pub(crate) ams_killed: Vec<AppId>,
    /// Containers that the ResourceManager ended while their node may be running them.
    pub(crate) stopped: Vec<ContainerStop>,
    /// Sets of allocation tags; the first is the empty set.
    pub tag_sets: IndexSet<Vec<String>>,
    /// Tags counted by place, node attributes, registered constraints.
    pub placement: PlacementState,
    /// The number of changes of what constraints evaluate.
    pub placement_changes: u64,
    hosts: IndexMap<String, NodeId>,
    places: IndexSet<String>,
    users: IndexMap<String, Vec<String>>,
    groups: IndexMap<String, Vec<String>>,
    registrations: u64,
    /// The number of changes of the reasons why AMs do not run.
    pub(crate) statuses_set: u64,
    /// The pending resources by leaf (FairScheduler, FifoScheduler).
    pub(super) pending_in: Vec<Resource>,
    /// The number of passes over pending applications of leaves (CapacityScheduler).
    pub(crate) passes: u64,
    /// The number of AMs that were checked against the limits in these passes.
    pub(crate) activations_tried: u64,
}

impl Cluster {
    /// Makes the accounting of a cluster without nodes.
    pub fn new(
        types: ResourceTypes,
        calculator: Calculator,
        minimum: Resource,
        maximum: Resource,
        labels: impl IntoIterator<Item = (String, bool)>,
        groups: IndexMap<String, Vec<String>>,
    ) -> Self {
        let mut partitions = vec![Partition { name: String::new(), exclusive: true, total: Resource::ZERO, nodes: 0 }];
        for (name, exclusive) in labels {
            if partitions.iter().all(|p| p.name != name) {
                partitions.push(Partition { name, exclusive, total: Resource::ZERO, nodes: 0 });
            }
        }
        Cluster {
            now: 0,
            short_cuts: ShortCuts::TAKEN,
            wall_clock: 0,
            given_changed: 0,
            types,
            calculator,
            minimum,
            maximum,
            maximum_at_start: maximum,
            partitions,
            unknown_partitions: Vec::new(),
            total: Resource::ZERO,
            nodes: Vec::new(),
            node_count: 0,
            most_nodes: 0,
            relabelled: false,
            tracked: BTreeSet::new(),
            largest_node: Resource::ZERO,
            young_until: 0,
            apps: Vec::new(),
            containers: Containers::default(),
            am_allocated: Vec::new(),
            ams_killed: Vec::new(),
            stopped: Vec::new(),
            tag_sets: IndexSet::from([Vec::new()]),
            placement: PlacementState::default(),
            placement_changes: 0,
            hosts: IndexMap::new(),
            places: IndexSet::from(["*".to_string()]),
            users: IndexMap::new(),
            groups,
            registrations: 0,
            statuses_set: 0,
            pending_in: Vec::new(),
            passes: 0,
            activations_tried: 0,
        }
    }

    /// Drops what is counted to tell short cuts what has changed, and which applications they go through.
    pub(super) fn forget_kept(&mut self) {
        (self.statuses_set, self.passes, self.activations_tried) = (0, 0, 0);
        for app in &mut self.apps {
            (app.listed, app.am_status_since) = (false, 0);
        }
    }

    #[inline]
    pub fn node(&self, id: NodeId) -> &Node {
        &self.nodes[id.index()]
    }

    /// Returns a node, mutably.
    #[inline]
    pub fn node_mut(&mut self, id: NodeId) -> &mut Node {
        &mut self.nodes[id.index()]
    }

    #[inline]
    pub fn app(&self, id: AppId) -> &App {
        &self.apps[id.index()]
    }

    /// Returns an application, mutably.
    #[inline]
    pub fn app_mut(&mut self, id: AppId) -> &mut App {
        &mut self.apps[id.index()]
    }

    /// Sets why the AM of an application does not run.
    pub(crate) fn set_am_status(&mut self, id: AppId, status: AmStatus) {
        self.statuses_set += 1;
        let since = self.passes;
        let a = self.app_mut(id);
        (a.am_status, a.am_status_since) = (status, since);
    }

    /// Returns the node of a host, in the scheduler or not.
    pub fn node_by_host(&self, host: &str) -> Option<NodeId> {
        self.hosts.get(host).copied()
    }

    #[inline]
    pub fn partition_total(&self, p: PartitionId) -> &Resource {
        self.partitions.get(p.index()).map_or(&Resource::ZERO, |p| &p.total)
    }

    /// Returns the partition of a name.
    pub fn partition(&self, name: &str) -> Option<PartitionId> {
        self.partitions.iter().position(|p| p.name == name).map(PartitionId::from)
    }

    /// Returns the name of a partition; empty for the default one.
    pub fn partition_name(&self, p: PartitionId) -> &str {
        let unknown = || self.unknown_partitions.get(usize::from(u16::MAX - p.0));
        self.partitions.get(p.index()).map(|p| &p.name).or_else(unknown).map_or("", String::as_str)
    }

    /// Returns the partition of a name. A partition that the cluster does not have, and that no node is ever in, gets
    /// an id of its own.
    pub fn partition_or_unknown(&mut self, name: &str) -> PartitionId {
        if let Some(p) = self.partition(name) {
            return p;
        }
        let known = self.unknown_partitions.iter().position(|n| n == name);
        let place = known.unwrap_or_else(|| {
            self.unknown_partitions.truncate(UNKNOWN_PARTITIONS - 1);
            self.unknown_partitions.push(name.to_string());
            self.unknown_partitions.len() - 1
        });
        PartitionId(u16::MAX - place as u16)
    }

    pub fn partition_ids(&self) -> impl Iterator<Item = PartitionId> + use<> {
        (0..self.partitions.len()).map(PartitionId::from)
    }

    /// Returns the number of a place's name, which is added if it is new.
    pub fn place(&mut self, name: &str) -> PlaceId {
        match self.places.get_index_of(name) {
            Some(i) => PlaceId(i as u32),
            None => PlaceId(self.places.insert_full(name.to_string()).0 as u32),
        }
    }

    /// Returns the number of a place's name, if it is known.
    pub fn find_place(&self, name: &str) -> Option<PlaceId> {
        self.places.get_index_of(name).map(|i| PlaceId(i as u32))
    }

    /// Returns the name of a place.
    pub fn place_name(&self, place: PlaceId) -> &str {
        self.places.get_index(place.0 as usize).map_or("", String::as_str)
    }

    /// Returns the number of a user, who is added if new.
    pub fn user(&mut self, name: &str) -> UserId {
        if let Some(i) = self.users.get_index_of(name) {
            return UserId::from(i);
        }
        let groups = self.groups.get(name).cloned().unwrap_or_else(|| vec![name.to_string()]);
        UserId::from(self.users.insert_full(name.to_string(), groups).0)
    }

    /// Returns the number of a known user.
    pub fn find_user(&self, name: &str) -> Option<UserId> {
        self.users.get_index_of(name).map(UserId::from)
    }

    pub fn user_name(&self, user: UserId) -> &str {
        self.users.get_index(user.index()).map_or("", |(name, _)| name.as_str())
    }

    /// Returns the groups of a user, the primary one first.
    pub fn user_groups(&self, user: UserId) -> &[String] {
        self.users.get_index(user.index()).map_or(&[], |(_, groups)| groups.as_slice())
    }

    /// Returns the groups of a user's name, the primary one first.
    pub fn groups_of(&self, name: &str) -> Vec<String> {
        let known = self.users.get(name).or_else(|| self.groups.get(name));
        known.cloned().unwrap_or_else(|| vec![name.to_string()])
    }

    /// Gives a user these groups, the primary one first.
    pub fn set_groups(&mut self, user: &str, groups: Vec<String>) {
        self.users.insert(user.to_string(), groups);
    }

    /// Returns the number of a set of tags.
    pub fn tag_set(&mut self, tags: &[String]) -> u32 {
        match self.tag_sets.get_index_of(tags) {
            Some(i) => i as u32,
            None => self.tag_sets.insert_full(tags.to_vec()).0 as u32,
        }
    }

    /// Returns the question that a request with tags asks about a node; `own`: the number of its own constraint.
    pub(super) fn question(&self, app: AppId, tags: u32, own: Option<u32>) -> VersionedQuestion {
        let constraints = &self.placement.constraints;
        let names = self.tag_sets.get_index(tags as usize).map_or(&[][..], Vec::as_slice);
        VersionedQuestion { question: constraints.question(app, tags, names, own), edits: constraints.edits() }
    }

    /// Returns the place of a live container or reservation in the arena.
    pub fn slot(&self, id: ContainerId) -> Option<Slot> {
        let app = self.apps.get(id.app.index())?;
        if app.attempt != id.attempt {
            return app.kept.iter().find(|(kept, _)| *kept == id).map(|(_, slot)| *slot);
        }
        app.live.get(id.seq)
    }

    /// Returns a live container or reservation.
    pub fn container(&self, id: ContainerId) -> Option<&Container> {
        self.slot(id).map(|s| self.containers.at(s))
    }

    /// Returns a node as constraints evaluate it.
    pub fn site(&self, id: NodeId) -> Site<'_> {
        let node = self.node(id);
        Site { node: id, host: &node.host, rack: node.rack.0, partition: self.partition_name(node.partition) }
    }

    /// Returns the largest request: the configured maximum, lowered to the largest node once the ResourceManager has
    /// run long enough (ClusterNodeTracker.getMaxAllowedAllocation; capacity-scheduler.md 1.1).
    pub fn largest_allocation(&self) -> Resource {
        let young = self.young_until > 0 && self.now <= self.young_until;
        if young || self.node_count == 0 { self.maximum } else { self.maximum.component_min(self.largest_node) }
    }

    /// Returns a size normalized without a queue: raised to the minimum, rounded up to a multiple of it, lowered to the
    /// largest allocation.
    pub(crate) fn rounded(&self, size: Resource) -> Resource {
        self.calculator.normalize(&size, &self.minimum, &self.largest_allocation(), &self.minimum)
    }

    /// Returns the node of a host and port: the known one, or a new one outside the scheduler. A host may have several.
    pub fn node_for_host(&mut self, host: &str, port: i32, rack: &str) -> NodeId {
        let host_place = self.place(host);
        let rack = self.place(rack);
        if let Some(first) = self.node_by_host(host) {
            let same = |node: &Node| node.host_place == host_place && node.port == port;
            let known =
                if same(self.node(first)) { Some(first) } else { self.nodes.iter().find(|n| same(n)).map(|n| n.id) };
            if let Some(id) = known {
                self.node_mut(id).rack = rack;
                return id;
            }
        }
        let id = NodeId::from(self.nodes.len());
        self.nodes.push(Node {
            id,
            host: host.to_string(),
            port,
            host_place,
            rack,
            total: Resource::ZERO,
            allocated: Resource::ZERO,
            partition: PartitionId::DEFAULT,
            labelled: false,
            state: super::NodeState::New,
            state_since: self.now,
            in_scheduler: false,
            containers: Vec::new(),
            reserved: None,
            overcommit_deadline: None,
            listed_in: Vec::new(),
            stale: None,
            size_before_decommission: None,
            decommission_began: None,
            decommission_timeout: None,
            running_apps: AppSet::default(),
            last_heartbeat: self.now,
            response_id: 0,
            waiting: HeartbeatAnswer::default(),
            answered: HeartbeatAnswer::default(),
            updates: Vec::new(),
            update_sent: false,
            http_port: 0,
            untracked_since: None,
            forgotten: false,
            registration: 0,
        });
        self.hosts.entry(host.to_string()).or_insert(id);
        id
    }

    /// Adds an empty node to the scheduler.
    pub fn enter(&mut self, id: NodeId) {
        self.registrations += 1;
        let (registration, now) = (self.registrations, self.now);
        let node = self.node_mut(id);
        let was_in = std::mem::replace(&mut node.in_scheduler, true);
        node.allocated = Resource::ZERO;
        node.registration = registration;
        node.last_heartbeat = now;
        let partition = node.partition;
        node.listed_in = vec![partition];
        self.tracked.insert(partition);
        if self.relabelled {
            self.relist([partition; 2]);
        }
        if was_in {
            return self.recount();
        }
        self.count(id);
        self.most_nodes = self.most_nodes.max(self.node_count);
    }

    /// Removes a node from the scheduler. Returns its containers, which the scheduler has yet to end.
    pub(super) fn leave<R: Recorder>(&mut self, id: NodeId, why: NodeGone, rec: &mut R) -> Vec<Slot> {
        rec.note(self.now, || Change::NodeRemoved { node: id, why });
        let node = self.node_mut(id);
        node.in_scheduler = false;
        let partition = node.partition;
        let mut lists = std::mem::take(&mut node.listed_in);
        lists.retain(|p| *p != partition && why == NodeGone::Unhealthy);
        node.stale = (!lists.is_empty()).then_some(Stale { partition, lists, heartbeat: node.last_heartbeat });
        if self.nodes.iter().all(|n| !n.listed_in.contains(&partition)) {
            self.tracked.remove(&partition);
        }
        self.recount();
        self.node(id).containers.clone()
    }

    /// Resizes a node. Returns false if the size is the same. YARN's node tracker removes and adds it: it becomes the
    /// last of those that share its bucket of the table (AbstractYarnScheduler.updateNodeResource).
    pub(super) fn resize<R: Recorder>(&mut self, id: NodeId, total: Resource, rec: &mut R) -> bool {
        let from = self.node(id).total;
        if from == total {
            return false;
        }
        rec.note(self.now, || Change::NodeResized { node: id, from, to: total });
        self.registrations += 1;
        let registration = self.registrations;
        let node = self.node_mut(id);
        (node.total, node.registration) = (total, registration);
        let partition = node.partition;
        if !node.listed_in.contains(&partition) {
            node.listed_in.push(partition);
        }
        self.tracked.insert(partition);
        if self.relabelled {
            self.relist([partition; 2]);
        }
        self.recount();
        true
    }

    /// Rebuilds the tracker's lists of nodes for these partitions, since the label manager reports a node; not for the
    /// default one, and not for one that no node has any more (CapacityScheduler.refreshLabelToNodeCache; quirk).
    pub(super) fn relist(&mut self, told: [PartitionId; 2]) {
        self.relabelled = true;
        for partition in told {
            if partition.is_default() || self.nodes.iter().all(|n| n.partition != partition) {
                continue;
            }
            self.tracked.insert(partition);
            for node in &mut self.nodes {
                node.listed_in.retain(|p| *p != partition);
                if let Some(stale) = &mut node.stale {
                    stale.lists.retain(|p| *p != partition);
                }
                if node.in_scheduler && node.partition == partition {
                    node.listed_in.push(partition);
                }
            }
        }
    }

    /// Returns the sum of the free resources of a partition's nodes in the scheduler; negative amounts of nodes beyond
    /// their size count.
    pub fn free_in(&self, partition: PartitionId) -> Resource {
        let nodes = self.nodes.iter().filter(|node| node.in_scheduler && node.partition == partition);
        nodes.fold(Resource::ZERO, |sum, node| sum + node.free())
    }

    /// Computes the totals of cluster and partitions, and the largest node.
    pub fn recount(&mut self) {
        for p in &mut self.partitions {
            p.total = Resource::ZERO;
            p.nodes = 0;
        }
        self.total = Resource::ZERO;
        self.largest_node = Resource::ZERO;
        self.node_count = 0;
        for i in 0..self.nodes.len() {
            if self.nodes[i].in_scheduler {
                self.count(NodeId::from(i));
            }
        }
        self.most_nodes = self.most_nodes.max(self.node_count);
    }

    /// Adds a node to the totals.
    fn count(&mut self, id: NodeId) {
        let node = &self.nodes[id.index()];
        let p = &mut self.partitions[node.partition.index()];
        p.total += node.total;
        p.nodes += 1;
        self.total += node.total;
        self.largest_node = self.largest_node.component_max(node.total);
        self.node_count += 1;
    }

    /// Returns the nodes in the scheduler in the order in which they registered.
    pub fn nodes_by_registration(&self) -> Vec<NodeId> {
        let mut order: Vec<(u64, NodeId)> =
            self.nodes.iter().filter(|n| n.in_scheduler).map(|n| (n.registration, n.id)).collect();
        order.sort_unstable();
        order.into_iter().map(|(_, id)| id).collect()
    }

    /// Returns the nodes in the scheduler in the order in which Java iterates over its table of them by node id.
    pub fn nodes_by_hash(&self) -> Vec<NodeId> {
        let ids = self.nodes_by_registration();
        let hash = |id: &NodeId| java::node_id_hash(&self.node(*id).host, self.node(*id).port);
        let hashes: Vec<i32> = ids.iter().map(hash).collect();
        let capacity = java::table_capacity(self.most_nodes);
        java::hash_walk_in(&hashes, capacity).into_iter().map(|i| ids[i]).collect()
    }

    /// Returns the partitions that have a list of nodes, in the order of a Java map by name.
    pub fn partitions_by_hash(&self) -> Vec<PartitionId> {
        let tracked: Vec<PartitionId> = self.tracked.iter().copied().collect();
        java::walk_by(&tracked, |p| self.partition_name(p))
    }

    /// Adds the tags of a container to the counts.
    pub(super) fn tags_come(&mut self, slot: Slot) {
        let c = self.containers.at(slot);
        if c.tags == 0 {
            return;
        }
        let rack = self.nodes[c.node.index()].rack.0;
        let tags = self.tag_sets.get_index(c.tags as usize).map_or(&[][..], Vec::as_slice);
        self.placement_changes += 1;
        self.placement.tags.add(c.id.app, c.node.0, rack, tags);
    }

    /// Subtracts the tags of a container from the counts, if its AM has pulled it (placement-constraints.md 4.1). A
    /// node that the ResourceManager no longer lists counts for the rack `default-rack`: the counts of its real rack
    /// stay for ever.
    fn tags_go(&mut self, slot: Slot) {
        let c = self.containers.at(slot);
        let (app, node, tags) = (c.id.app, c.node, c.tags as usize);
        if c.acquired_at.is_none() || tags == 0 {
            return;
        }
        let listed = !self.node(node).state.is_out();
        let rack = if listed { self.node(node).rack } else { self.place("default-rack") };
        let tags = self.tag_sets.get_index(tags).map_or(&[][..], Vec::as_slice);
        self.placement_changes += 1;
        self.placement.tags.remove(app, node.0, rack.0, tags);
    }

    /// Ends a container's usage of its node (SchedulerNode.releaseContainer; lifecycles-and-timing.md 1.3, "Node
    /// space"): at once if the node has not reported it, otherwise only when the node itself reports the end. Returns
    /// whether it was ended now.
    pub fn release_room(&mut self, slot: Slot, by_node: bool) -> bool {
        let c = self.containers.at(slot);
        if !c.on_node || (c.launched && !by_node) {
            return false;
        }
        let (id, size) = (c.node, c.size);
        debug_assert!(self.node_adds_up(id), "before a container goes");
        self.containers.at_mut(slot).on_node = false;
        self.tags_go(slot);
        let node = &mut self.nodes[id.index()];
        node.allocated -= size;
        let place = node.containers.iter().position(|s| *s == slot);
        debug_assert!(place.is_some(), "a container on a node is known to it");
        if let Some(place) = place {
            node.containers.remove(place);
        }
        debug_assert!(self.node_adds_up(id), "after a container has gone");
        true
    }

    /// Returns whether a node's usage is the sum of its containers. Asserted before and after each change.
    pub(super) fn node_adds_up(&self, id: NodeId) -> bool {
        let node = self.node(id);
        let sizes = node.containers.iter().map(|slot| self.containers.at(*slot).size);
        sizes.fold(Resource::ZERO, |sum, size| sum + size) == node.allocated
    }
}
