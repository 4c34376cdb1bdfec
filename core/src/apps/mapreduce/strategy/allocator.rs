//! Which tasks of a MapReduce job are requested, and which of them get the granted containers (RMContainerAllocator;
//! lifecycles-and-timing.md 6.1). The allocator knows task attempts only by number; their state belongs to their master.

use super::reduces::{Counts, Figures, Ramp, ReduceSettings, limit, preempt, ramp};
use super::requestor::{Avoiding, Request, Requestor};
use crate::api::{AllocateCall, AllocateResponse, AmPreemptionPolicy, Granted, PreemptionMessage};
use crate::model::{ContainerId, Millis, NodeId, Resource};
use crate::strategy::asked_back::{Working, to_stop};
use std::collections::{BTreeMap, BTreeSet, VecDeque};

/// The priority of a map that failed before.
pub const FAILED_MAP: i32 = 5;
/// The priority of a reduce: more urgent than a map, so that reduces overtake maps once they are requested.
pub const REDUCE: i32 = 10;
/// The priority of a map.
pub const MAP: i32 = 20;

/// A kind of task.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum TaskKind {
    Map,
    Reduce,
}

/// A job as its allocator sees it.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct Job {
    pub maps: i64,
    pub reduces: i64,
    pub map_size: Resource,
    pub reduce_size: Resource,
    pub reduce_settings: ReduceSettings,
    pub avoiding: Avoiding,
    /// `mapreduce.job.running.map.limit`; 0: none.
    pub map_limit: i64,
    /// `mapreduce.job.running.reduce.limit`; 0: none.
    pub reduce_limit: i64,
    pub policy: AmPreemptionPolicy,
    /// Whether the scheduler counts vcores.
    pub counts: Counts,
    /// The largest container, as the ResourceManager reports it at registration.
    pub largest: Resource,
}

/// The end of a container, for its task attempt (createContainerFinishedEvent).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TaskEnd {
    /// Killed; this does not count as a failure of the task.
    Killed,
    /// Completed; the report of the task itself decides whether it failed.
    Completed,
}

impl TaskEnd {
    /// Returns the end by the container's exit status; aborted, preempted and killed by the node's scheduler count as killed.
    pub fn of(exit_status: i32) -> Self {
        match exit_status {
            -100 | -102 | -108 => TaskEnd::Killed,
            _ => TaskEnd::Completed,
        }
    }
}

/// The reason why the allocator has a task attempt killed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum KillReason {
    /// Its node is unusable.
    NodeUnusable,
    /// A reduce frees its container for pending maps.
    RoomForMaps,
    /// Preemption asked for its container.
    AskedBack,
}

impl KillReason {
    /// Returns the diagnostics of the kill, in Hadoop's words.
    pub fn text(self) -> &'static str {
        match self {
            KillReason::NodeUnusable => "TaskAttempt killed because it ran on unusable node",
            KillReason::RoomForMaps => "Reducer preempted to make room for pending map attempts",
            KillReason::AskedBack => "Container was preempted.",
        }
    }
}

/// The consequences of a heartbeat, in the order in which they occur.
#[derive(Clone, Debug, PartialEq)]
pub enum HeartbeatEffect {
    /// The job is notified of the number of nodes that changed.
    NodesChanged(usize),
    Kill {
        attempt: u32,
        why: KillReason,
    },
    Ended {
        attempt: u32,
        container: ContainerId,
        exit_status: i32,
        end: TaskEnd,
    },
    Assigned {
        attempt: u32,
        container: ContainerId,
    },
    /// A container that no task takes is given back.
    GaveBack(ContainerId),
}

/// Requested tasks, in the order of their requests.
#[derive(Clone, Debug, PartialEq, Default)]
struct Scheduled {
    next: u64,
    by_order: BTreeMap<u64, Request>,
    order_of: BTreeMap<u32, u64>,
}

impl Scheduled {
    fn put(&mut self, request: Request) {
        self.take(request.attempt);
        self.order_of.insert(request.attempt, self.next);
        self.by_order.insert(self.next, request);
        self.next += 1;
    }

    fn take(&mut self, attempt: u32) -> Option<Request> {
        self.by_order.remove(&self.order_of.remove(&attempt)?)
    }

    fn first(&self) -> Option<u32> {
        self.by_order.values().next().map(|r| r.attempt)
    }

    fn take_first(&mut self) -> Option<Request> {
        self.take(self.first()?)
    }

    fn len(&self) -> i64 {
        self.by_order.len() as i64
    }
}

/// A task attempt in its container.
#[derive(Clone, Debug, PartialEq)]
struct Assigned {
    attempt: u32,
    kind: TaskKind,
    node: NodeId,
    size: Resource,
}

/// The allocator's state.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct Allocator {
    job: Job,
    requestor: Requestor,
    /// Reduces that are not requested.
    pending: VecDeque<Request>,
    maps: Scheduled,
    reduces: Scheduled,
    /// Maps among `maps` that failed before.
    failed_maps: VecDeque<u32>,
    /// Maps by the hosts and racks that they want; entries may be out of date.
    by_host: BTreeMap<String, VecDeque<u32>>,
    by_rack: BTreeMap<String, VecDeque<u32>>,
    assigned: BTreeMap<ContainerId, Assigned>,
    assigned_maps: i64,
    /// Reduces that were killed for maps, and have not ended.
    making_room: BTreeSet<u32>,
    /// Task attempts whose containers preemption asked for; `negotiable` has those that it did not ask for strictly, with their
    /// sizes.
    asked_back: BTreeSet<u32>,
    negotiable: BTreeMap<u32, Resource>,
    headroom: Resource,
    reduces_started: bool,
    /// Whether something has happened that requires the reduces to be reconsidered.
    changed: bool,
    looked: bool,
    completed_before: i64,
}

impl Allocator {
    pub fn new(job: Job) -> Self {
        Allocator { requestor: Requestor::new(job.avoiding), job, ..Allocator::default() }
    }

    /// Asks for a map. Returns false if it is larger than any container: then nothing is requested, and the job cannot be done.
    pub fn want_map(&mut self, request: Request, failed_before: bool) -> bool {
        if !fits(self.job.map_size, self.job.largest) {
            return false;
        }
        let attempt = request.attempt;
        let request = if failed_before {
            // It failed on some host, so it may go anywhere.
            self.failed_maps.push_back(attempt);
            Request { priority: FAILED_MAP, hosts: Vec::new(), racks: Vec::new(), ..request }
        } else {
            for host in &request.hosts {
                self.by_host.entry(host.clone()).or_default().push_back(attempt);
            }
            for rack in &request.racks {
                self.by_rack.entry(rack.clone()).or_default().push_back(attempt);
            }
            Request { priority: MAP, ..request }
        };
        let request = Request { size: self.job.map_size, ..request };
        self.requestor.add(&request);
        self.maps.put(request);
        true
    }

    /// Keeps a reduce until it is time to ask for it. Returns false if it is larger than any container.
    pub fn want_reduce(&mut self, request: Request, failed_before: bool) -> bool {
        if !fits(self.job.reduce_size, self.job.largest) {
            return false;
        }
        let request = Request { size: self.job.reduce_size, priority: REDUCE, ..request };
        if failed_before {
            self.pending.push_front(request);
        } else {
            self.pending.push_back(request);
        }
        true
    }

    /// Adds a task attempt that runs in a container.
    pub fn has(&mut self, attempt: u32, kind: TaskKind, container: ContainerId, node: NodeId) {
        let size = if kind == TaskKind::Map { self.job.map_size } else { self.job.reduce_size };
        self.assigned_maps += i64::from(kind == TaskKind::Map);
        self.assigned.insert(container, Assigned { attempt, kind, node, size });
    }

    /// Records that a task attempt failed on a host.
    pub fn failed_on(&mut self, host: &str) {
        self.requestor.failed_on(host);
    }

    /// Removes the scheduled or pending request of a task attempt that is no longer wanted.
    pub fn forget(&mut self, attempt: u32) {
        let scheduled = self.maps.take(attempt).or_else(|| self.reduces.take(attempt));
        match scheduled {
            Some(request) => self.requestor.take_back(&request),
            None => self.pending.retain(|r| r.attempt != attempt),
        }
    }

    /// Returns the next heartbeat's call.
    pub fn call(&mut self) -> AllocateCall {
        self.limit_what_runs();
        self.requestor.call()
    }

    /// Lowers the requests for any place so that no more tasks run at once than the job allows (applyConcurrentTaskLimits).
    fn limit_what_runs(&mut self) {
        let (maps, most) = (self.maps.len(), self.job.map_limit);
        if most > 0 && maps > 0 && self.job.maps > most {
            let all = (most - self.assigned_maps).max(0);
            let failed = self.failed_maps.len() as i64;
            let of_failed = all.min(failed);
            self.requestor.limit(FAILED_MAP, self.job.map_size, of_failed);
            self.requestor.limit(MAP, self.job.map_size, (all - of_failed).min(maps - failed));
        }
        let (reduces, most) = (self.reduces.len(), self.job.reduce_limit);
        if most > 0 && reduces > 0 && self.job.reduces > most {
            let all = (most - self.assigned_reduces()).max(0);
            self.requestor.limit(REDUCE, self.job.reduce_size, all.min(reduces));
        }
    }

    /// Processes an answer. `completed`: numbers of completed maps and reduces; `host_of`: the host of a node; `order`: the
    /// progress of a reduce, by which the least advanced is preempted first.
    pub fn heard(
        &mut self,
        answer: &AllocateResponse,
        completed: (i64, i64),
        host_of: &dyn Fn(NodeId) -> (String, String),
        order: &dyn Fn(u32) -> Millis,
        now: Millis,
    ) -> Vec<HeartbeatEffect> {
        let mut told = Vec::new();
        if !answer.preempt.is_empty() {
            self.hear_message(&answer.preempt, order, &mut told);
        }
        let arrived = !answer.allocated.is_empty() || !answer.completed.is_empty();
        self.changed |= arrived || answer.headroom != self.headroom;
        self.headroom = answer.headroom;
        self.requestor.heard(answer.nodes, !answer.completed.is_empty());
        self.hear_nodes(answer, &mut told);
        for done in &answer.completed {
            self.hear_end(done.id, done.exit_code, &mut told);
        }
        self.assign(&answer.allocated, host_of, &mut told);
        if completed.0 + completed.1 != self.completed_before || self.maps.len() > 0 {
            self.completed_before = completed.0 + completed.1;
            self.changed = true;
        }
        self.looked = std::mem::take(&mut self.changed);
        if self.looked && !self.make_room_for_maps(order, now, &mut told) {
            self.schedule_reduces(completed.0);
        }
        told
    }

    /// Returns whether the last answer made it reconsider the reduces.
    pub fn looked_at_reduces(&self) -> bool {
        self.looked
    }

    /// Returns the number of reduces in containers.
    fn assigned_reduces(&self) -> i64 {
        self.assigned.len() as i64 - self.assigned_maps
    }

    fn figures(&self, completed_maps: i64) -> Figures {
        Figures {
            total_maps: self.job.maps,
            completed_maps,
            scheduled_maps: self.maps.len(),
            scheduled_reduces: self.reduces.len(),
            assigned_maps: self.assigned_maps,
            assigned_reduces: self.assigned_reduces(),
            pending_reduces: self.pending.len() as i64,
            map_size: self.job.map_size,
            // The size is unknown before the first reduce is wanted.
            reduce_size: if self.job.reduces > 0 { self.job.reduce_size } else { Resource::ZERO },
        }
    }

    /// Asks for more reduces, or for fewer (scheduleReduces).
    pub fn schedule_reduces(&mut self, completed_maps: i64) {
        let f = self.figures(completed_maps);
        let limit = limit(&f, self.headroom);
        match ramp(&self.job.reduce_settings, &f, limit, self.job.counts, &mut self.reduces_started) {
            Ramp::Stay(_) => {}
            Ramp::Up(count) => self.ramp_up(count),
            Ramp::Down(count) => self.ramp_down(count),
        }
    }

    /// Asks for the first pending reduces.
    pub fn ramp_up(&mut self, count: i64) {
        for _ in 0..count {
            let Some(request) = self.pending.pop_front() else { return };
            self.requestor.add(&request);
            self.reduces.put(request);
        }
    }

    /// Withdraws the reduces that were requested first.
    fn ramp_down(&mut self, count: i64) {
        for _ in 0..count {
            let Some(request) = self.reduces.take_first() else { return };
            self.requestor.take_back(&request);
            self.pending.push_back(request);
        }
    }

    /// Kills reduces for pending maps, if it is time (preemptReducesIfNeeded); returns whether it was. `order`: progress of a
    /// reduce.
    pub fn make_room_for_maps(
        &mut self,
        order: &dyn Fn(u32) -> Millis,
        now: Millis,
        told: &mut Vec<HeartbeatEffect>,
    ) -> bool {
        let asked_at: Vec<Millis> = self.maps.by_order.values().map(|r| r.at).collect();
        let f = self.figures(0);
        let count = preempt(&self.job.reduce_settings, &f, self.headroom, self.job.counts, &asked_at, now);
        let Some(count) = count else { return false };
        self.ramp_down(i64::MAX);
        let of_reduces = self.assigned.values().filter(|a| a.kind == TaskKind::Reduce);
        let mut reduces: Vec<(Millis, u32)> = of_reduces.map(|a| (order(a.attempt), a.attempt)).collect();
        reduces.sort_unstable();
        for (_, attempt) in reduces.into_iter().take(usize::try_from(count).unwrap_or(0)) {
            if self.making_room.insert(attempt) {
                told.push(HeartbeatEffect::Kill { attempt, why: KillReason::RoomForMaps });
            }
        }
        true
    }

    /// Sets the headroom that the last answer reported.
    pub fn set_headroom(&mut self, headroom: Resource) {
        self.headroom = headroom;
    }

    fn hear_message(
        &mut self,
        message: &PreemptionMessage,
        order: &dyn Fn(u32) -> Millis,
        told: &mut Vec<HeartbeatEffect>,
    ) {
        let policy = self.job.policy;
        let mut working = Vec::new();
        for (id, a) in &self.assigned {
            // A map is never asked to save its work.
            let asked = self.asked_back.contains(&a.attempt) || self.negotiable.contains_key(&a.attempt);
            let may = policy != AmPreemptionPolicy::Checkpoint || a.kind == TaskKind::Reduce && !asked;
            if may {
                working.push(Working { id: *id, size: a.size, worked: order(a.attempt) });
            }
        }
        let stopping = self.negotiable.values().fold(Resource::ZERO, |sum, size| sum + *size);
        for Working { id, .. } in to_stop(policy, message, &working, stopping) {
            let Some(a) = self.assigned.get(&id) else { continue };
            self.asked_back.insert(a.attempt);
            if policy == AmPreemptionPolicy::Checkpoint && !message.strict.contains(&id) {
                self.negotiable.insert(a.attempt, a.size);
            }
            told.push(HeartbeatEffect::Kill { attempt: a.attempt, why: KillReason::AskedBack });
        }
    }

    fn hear_nodes(&mut self, answer: &AllocateResponse, told: &mut Vec<HeartbeatEffect>) {
        if answer.updated_nodes.is_empty() {
            return;
        }
        told.push(HeartbeatEffect::NodesChanged(answer.updated_nodes.len()));
        let gone: BTreeSet<NodeId> = answer.updated_nodes.iter().filter(|n| !n.usable()).map(|n| n.node).collect();
        for kind in [TaskKind::Map, TaskKind::Reduce] {
            for a in self.assigned.values().filter(|a| a.kind == kind && gone.contains(&a.node)) {
                told.push(HeartbeatEffect::Kill { attempt: a.attempt, why: KillReason::NodeUnusable });
            }
        }
    }

    fn hear_end(&mut self, container: ContainerId, exit_status: i32, told: &mut Vec<HeartbeatEffect>) {
        let Some(a) = self.assigned.remove(&container) else { return };
        self.assigned_maps -= i64::from(a.kind == TaskKind::Map);
        self.making_room.remove(&a.attempt);
        self.asked_back.remove(&a.attempt);
        self.negotiable.remove(&a.attempt);
        told.push(HeartbeatEffect::Ended { attempt: a.attempt, container, exit_status, end: TaskEnd::of(exit_status) });
    }

    /// Assigns the granted containers to tasks (ScheduledRequests.assign). Containers that no task takes, and those on avoided
    /// hosts, are given back. Maps first take containers on their hosts, then those in their racks, then any.
    fn assign(
        &mut self,
        allocated: &[Granted],
        host_of: &dyn Fn(NodeId) -> (String, String),
        told: &mut Vec<HeartbeatEffect>,
    ) {
        let mut reduces = self.reduces.len();
        let mut left: VecDeque<(&Granted, String, String)> = VecDeque::new();
        for granted in allocated {
            let takes = match granted.priority {
                FAILED_MAP | MAP => {
                    self.maps.len() > 0 && self.job.counts.containers(granted.size, self.job.map_size) > 0
                }
                REDUCE => {
                    let takes = reduces > 0 && self.job.counts.containers(granted.size, self.job.reduce_size) > 0;
                    reduces -= i64::from(takes);
                    takes
                }
                _ => false,
            };
            if !takes {
                self.give_back(granted, told);
                continue;
            }
            let (host, rack) = host_of(granted.node);
            if self.requestor.avoids(&host) {
                self.ask_elsewhere(granted.priority, &host);
                self.give_back(granted, told);
                continue;
            }
            left.push_back((granted, host, rack));
        }
        left.retain(|(granted, ..)| {
            let request = match granted.priority {
                FAILED_MAP => self.take_failed_map(),
                REDUCE => self.reduces.take_first(),
                _ => return true,
            };
            match request {
                Some(request) => self.assign_to(granted, request, told),
                None => return true,
            }
            false
        });
        for near in [Near::Host, Near::Rack, Near::Anywhere] {
            left.retain(|(granted, host, rack)| {
                let request = match near {
                    _ if granted.priority != MAP => None,
                    Near::Host => take_wanted(&mut self.maps, self.by_host.get_mut(host)),
                    Near::Rack => take_wanted(&mut self.maps, self.by_rack.get_mut(rack)),
                    Near::Anywhere => self.maps.take_first(),
                };
                match request {
                    Some(request) => self.assign_to(granted, request, told),
                    None => return true,
                }
                false
            });
        }
        for (granted, ..) in left {
            self.give_back(granted, told);
        }
    }

    fn take_failed_map(&mut self) -> Option<Request> {
        while let Some(attempt) = self.failed_maps.pop_front() {
            if let Some(request) = self.maps.take(attempt) {
                return Some(request);
            }
        }
        None
    }

    /// Replaces a request that a container on an avoided host would have served by one without the avoided hosts
    /// (getContainerReqToReplace).
    fn ask_elsewhere(&mut self, priority: i32, host: &str) {
        let request = match priority {
            FAILED_MAP => {
                let first = self.failed_maps.iter().copied().find(|a| self.maps.order_of.contains_key(a));
                first.and_then(|attempt| self.maps.take(attempt))
            }
            REDUCE => self.reduces.take_first(),
            _ => match self.by_host.get_mut(host).filter(|list| !list.is_empty()) {
                Some(list) => list.pop_back().and_then(|attempt| self.maps.take(attempt)),
                None => self.maps.take_first(),
            },
        };
        let Some(request) = request else { return };
        let elsewhere = self.requestor.without_avoided(&request);
        self.requestor.take_back(&request);
        self.requestor.add(&elsewhere);
        if priority == REDUCE {
            self.reduces.put(elsewhere);
        } else {
            self.maps.put(elsewhere);
        }
    }

    fn assign_to(&mut self, granted: &Granted, request: Request, told: &mut Vec<HeartbeatEffect>) {
        self.requestor.take_back(&request);
        let kind = if request.priority == REDUCE { TaskKind::Reduce } else { TaskKind::Map };
        self.assigned_maps += i64::from(kind == TaskKind::Map);
        let assigned = Assigned { attempt: request.attempt, kind, node: granted.node, size: granted.size };
        self.assigned.insert(granted.id, assigned);
        told.push(HeartbeatEffect::Assigned { attempt: request.attempt, container: granted.id });
    }

    fn give_back(&mut self, granted: &Granted, told: &mut Vec<HeartbeatEffect>) {
        self.requestor.release(granted.id);
        told.push(HeartbeatEffect::GaveBack(granted.id));
    }

    /// Returns the requestor, with the rows to be sent and the limits.
    pub fn requestor(&self) -> &Requestor {
        &self.requestor
    }

    /// Returns the numbers of reduces that are not requested, and of those that are.
    pub fn waiting_reduces(&self) -> (i64, i64) {
        (self.pending.len() as i64, self.reduces.len())
    }

    /// Returns the number of requested maps.
    pub fn waiting_maps(&self) -> i64 {
        self.maps.len()
    }

    /// Returns whether slow start is over.
    pub fn reduces_started(&self) -> bool {
        self.reduces_started
    }

    /// Returns the reduces that were killed for maps and have not ended.
    pub fn making_room(&self) -> &BTreeSet<u32> {
        &self.making_room
    }

    /// Returns the task attempts whose containers preemption asked for.
    pub fn asked_back(&self) -> &BTreeSet<u32> {
        &self.asked_back
    }
}

/// The distance of a container from what a map wants.
#[derive(Clone, Copy)]
enum Near {
    Host,
    Rack,
    Anywhere,
}

/// Returns the first map of a list that still waits, and removes it from the maps.
fn take_wanted(maps: &mut Scheduled, list: Option<&mut VecDeque<u32>>) -> Option<Request> {
    let list = list?;
    while let Some(attempt) = list.pop_front() {
        if let Some(request) = maps.take(attempt) {
            return Some(request);
        }
    }
    None
}

fn fits(size: Resource, largest: Resource) -> bool {
    size.memory_mb() <= largest.memory_mb() && size.vcores() <= largest.vcores()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::api::Completed;
    use crate::model::AppId;

    const ONE: Resource = Resource::new(1024, 1);

    fn job(maps: i64, reduces: i64) -> Job {
        Job { maps, reduces, map_size: ONE, reduce_size: ONE, largest: Resource::new(8192, 8), ..Job::default() }
    }

    fn map(attempt: u32, host: &str) -> Request {
        Request { attempt, hosts: vec![host.into()], racks: vec!["/r".into()], ..Request::default() }
    }

    fn id(seq: u64) -> ContainerId {
        ContainerId { app: AppId(0), attempt: 1, seq }
    }

    fn host_of(node: NodeId) -> (String, String) {
        (format!("h{}", node.0), "/r".into())
    }

    /// Returns an answer with containers of a priority on nodes, numbered from 1.
    fn granted(nodes: &[usize], priority: i32) -> AllocateResponse {
        let one = |(seq, node): (u64, &usize)| Granted {
            id: id(seq),
            node: NodeId::from(*node),
            size: ONE,
            priority,
            allocation_request_id: -1,
            tags: Vec::new(),
        };
        AllocateResponse { allocated: (1..).zip(nodes).map(one).collect(), nodes: 3, ..AllocateResponse::default() }
    }

    fn hear(a: &mut Allocator, answer: &AllocateResponse) -> Vec<HeartbeatEffect> {
        a.heard(answer, (0, 0), &host_of, &|_| 0, 0)
    }

    fn assigned(told: &[HeartbeatEffect]) -> Vec<(u32, u64)> {
        let pairs = told.iter().filter_map(|t| match t {
            HeartbeatEffect::Assigned { attempt, container } => Some((*attempt, container.seq)),
            _ => None,
        });
        pairs.collect()
    }

    #[test]
    fn maps_take_their_hosts_before_others_take_them() {
        let mut a = Allocator::new(job(3, 0));
        for (attempt, host) in [(0, "h1"), (1, "h1"), (2, "h2")] {
            assert!(a.want_map(map(attempt, host), false));
        }
        // No map wants the third host: the remaining map gets the container, though it came first.
        let told = hear(&mut a, &granted(&[3, 1, 1, 9], MAP));
        assert_eq!(assigned(&told), [(0, 2), (1, 3), (2, 1)]);
        assert_eq!(told.last(), Some(&HeartbeatEffect::GaveBack(id(4))), "no map is left for the fourth");
        assert_eq!(a.call().releases, [id(4)]);
    }

    #[test]
    fn a_container_on_a_host_that_is_avoided_goes_back_and_its_map_is_asked_for_elsewhere() {
        let avoiding = Avoiding { failures: 1, ignore_percent: -1, ..Avoiding::default() };
        let mut a = Allocator::new(Job { avoiding, ..job(1, 0) });
        a.want_map(map(0, "h1"), false);
        a.call();
        a.failed_on("h1");
        let told = hear(&mut a, &granted(&[1], MAP));
        assert_eq!(told, [HeartbeatEffect::GaveBack(id(1))]);
        let rows: Vec<(String, i64)> = a.call().asks.into_iter().map(|r| (r.place, r.count)).collect();
        let row = |place: &str, count| (place.to_string(), count);
        assert_eq!(rows, [row("*", 1), row("/r", 1), row("h1", 0)]);
    }

    #[test]
    fn a_map_that_failed_goes_first_and_anywhere() {
        let mut a = Allocator::new(job(2, 0));
        a.want_map(map(0, "h1"), false);
        a.want_map(map(1, "h1"), true);
        let rows: Vec<(i32, String)> = a.call().asks.into_iter().map(|r| (r.priority, r.place)).collect();
        let row = |priority, place: &str| (priority, place.to_string());
        assert_eq!(rows, [row(FAILED_MAP, "*"), row(MAP, "*"), row(MAP, "/r"), row(MAP, "h1")]);
        assert_eq!(assigned(&hear(&mut a, &granted(&[1], FAILED_MAP))), [(1, 1)]);
    }

    #[test]
    fn ends_and_nodes_that_go_are_told() {
        let mut a = Allocator::new(job(1, 1));
        a.want_map(map(0, "h1"), false);
        hear(&mut a, &granted(&[1], MAP));
        for (code, end) in
            [(-100, TaskEnd::Killed), (-102, TaskEnd::Killed), (0, TaskEnd::Completed), (1, TaskEnd::Completed)]
        {
            let mut a = a.clone();
            let completed = vec![Completed { id: id(1), exit_code: code, diagnostics: String::new() }];
            let told = hear(&mut a, &AllocateResponse { completed, ..AllocateResponse::default() });
            assert_eq!(told, [HeartbeatEffect::Ended { attempt: 0, container: id(1), exit_status: code, end }]);
        }
    }

    #[test]
    fn what_is_larger_than_any_container_is_not_asked_for() {
        let mut a = Allocator::new(Job { largest: Resource::new(512, 1), ..job(1, 1) });
        assert!(!a.want_map(map(0, "h1"), false) && !a.want_reduce(Request::default(), false));
        a.schedule_reduces(1);
        assert!(a.call().asks.is_empty());
    }

    #[test]
    fn reduces_wait_for_slow_start() {
        let settings = ReduceSettings { slow_start: 1.0, ..ReduceSettings::default() };
        let mut a = Allocator::new(Job { reduce_settings: settings, ..job(1, 1) });
        a.want_reduce(Request { attempt: 7, ..Request::default() }, false);
        hear(&mut a, &granted(&[], MAP));
        assert_eq!((a.waiting_reduces(), a.reduces_started()), ((1, 0), false));
        a.heard(&granted(&[], MAP), (1, 0), &host_of, &|_| 0, 0);
        assert_eq!((a.waiting_reduces(), a.reduces_started()), ((0, 1), true));
    }
}
