//! Everything the page draws at one moment, from the state alone. The caller fills in the reasons.

use crate::apps::told;
use crate::explain::names::{Names, is_in, yarn_container_id};
use crate::explain::say::things as say;
use crate::explain::story;
use crate::explain::view::{
    AppView, ContainerView, NodeView, PartitionView, PreemptionCostView, QueuePartitionView, QueueView, RackView,
    ReservationView, Selection, Snapshot, Tally, UserView, WaitingView,
};
use crate::explain::waiting::Waiting;
use crate::explain::wants::{self, Lack};
use crate::explain::words;
use heddle_core::check::Check;
use heddle_core::config::capacity::{LeafOrdering, ParentOrdering};
use heddle_core::constraint::attributes::CENTRAL;
use heddle_core::model::{AppId, CalculatorKind, NodeId, PartitionId, Resource};
use heddle_core::rm::{AppState, RmApp};
use heddle_core::scheduler::capacity::Queue;
use heddle_core::scheduler::{App, Container, ContainerState, Node, NodeState, Slot};
use heddle_core::sim::{AppRun, PreemptionCost, Tried};
use heddle_core::strategy::Progress;
use std::collections::BTreeMap;

/// Returns YARN's word for a node's state, and whether the node is silent.
pub fn state_of(names: Names<'_>, node: &Node) -> String {
    let state = node_state(node.state);
    if names.is_silent(node) { say::silent(state) } else { state.to_string() }
}

/// Returns YARN's word for a node's state.
pub fn node_state(state: NodeState) -> &'static str {
    state.text()
}

fn container_state(state: ContainerState) -> &'static str {
    match state {
        ContainerState::Reserved => "RESERVED",
        ContainerState::Allocated => "ALLOCATED",
        ContainerState::Acquired => "ACQUIRED",
        ContainerState::Running => "RUNNING",
        ContainerState::Over => say::NOT_REPORTED,
    }
}

/// Returns the racks with the requests that would like to be on each node.
fn with_wishes(names: Names<'_>, mut racks: Vec<RackView>) -> Vec<RackView> {
    for (place, app) in names.scenario().apps.iter().enumerate() {
        for (host, wish) in told(&app.kind).wishes(names, place) {
            if let Some(node) = racks.iter_mut().flat_map(|r| &mut r.nodes).find(|n| n.name == host) {
                node.wished.push(wish);
            }
        }
    }
    racks
}

/// Returns the picture of this moment, at which these requests wait. Headline, reasons, fingerprint and invariants are empty.
pub fn snapshot(names: Names<'_>, waiting: &[Waiting]) -> Snapshot {
    let (view, sim, lacks) = (View { names }, names.sim, wants::all(names));
    let racks = with_wishes(names, view.racks());
    let refused = crate::explain::refusal::standing(view.names);
    let refused: Vec<_> = refused.iter().filter_map(|t| crate::explain::refusal::view(view.names, t)).collect();
    let tally = Tally { refused: refused.len(), ..view.tally(waiting, &lacks) };
    Snapshot {
        time_ms: names.now,
        tally,
        racks,
        refused,
        waiting: view.all_that_waits(waiting, &lacks),
        queues: view.queues(),
        apps: view.apps(waiting),
        users: view.users(),
        partitions: view.partitions(),
        scheduler: view.names.scenario().settings.scheduler,
        // Queues of the FairScheduler are measured by their policies, whatever its calculator is.
        dominant: match sim.rm().fair() {
            Some(scheduler) => crate::explain::fair::measures_by_dominant(scheduler),
            None => sim.rm().cluster().calculator.kind == CalculatorKind::Dominant,
        },
        ..Snapshot::default()
    }
}

struct View<'a> {
    names: Names<'a>,
}

impl View<'_> {
    fn amount(&self, r: Resource) -> crate::explain::view::Amount {
        words::amount(r, &self.names.rm().cluster().types)
    }

    // ---- where

    fn racks(&self) -> Vec<RackView> {
        let cluster = self.names.rm().cluster();
        let mut racks: Vec<RackView> = Vec::new();
        for node in &cluster.nodes {
            let name = cluster.place_name(node.rack);
            let view = self.node(node.id);
            match racks.iter_mut().find(|r| r.name == name) {
                Some(rack) => rack.nodes.push(view),
                None => racks.push(RackView { name: name.to_string(), nodes: vec![view] }),
            }
        }
        racks
    }

    fn node(&self, id: NodeId) -> NodeView {
        let rm = self.names.rm();
        let cluster = rm.cluster();
        let node = cluster.node(id);
        let mut containers: Vec<&Container> = rm.containers_on(id).collect();
        heddle_core::model::order::sort_by_key(&mut containers, |c| (c.am, c.id));
        let mut tags: Vec<(String, i64)> = Vec::new();
        for c in &containers {
            for tag in cluster.tag_sets.get_index(c.tags as usize).into_iter().flatten() {
                match tags.iter_mut().find(|(t, _)| t == tag) {
                    Some((_, n)) => *n += 1,
                    None => tags.push((tag.clone(), 1)),
                }
            }
        }
        heddle_core::model::order::sort(&mut tags);
        // These are what constraints are compared with.
        let of_host = cluster.placement.attributes.of_host(&node.host);
        let mut attributes: Vec<String> = of_host.map(attribute_text).collect();
        heddle_core::model::order::sort(&mut attributes);
        NodeView {
            name: node.host.clone(),
            rack: cluster.place_name(node.rack).to_string(),
            label: self.names.partition(node.partition).to_string(),
            attributes,
            state: state_of(self.names, node),
            total: self.amount(node.total),
            used: self.amount(node.allocated),
            free: self.amount(node.free()),
            containers: containers.into_iter().map(|c| self.container(c)).collect(),
            reserved: node.reserved.map(|slot| self.reservation(slot)),
            tags,
            reason: None,
            freed: String::new(),
            wished: Vec::new(),
        }
    }

    fn container(&self, c: &Container) -> ContainerView {
        let rm = self.names.rm();
        let cluster = rm.cluster();
        let app = rm.app(c.id.app);
        let monitor = rm.preemption_monitor().filter(|_| c.state != ContainerState::Over);
        let (mark, ends_at) = (monitor.and_then(|m| m.marks().get(c.id)), monitor.and_then(|m| m.killed_from(c.id)));
        let ends_at = ends_at.or(rm.killed_at(c.id));
        let asks = rm.scheduled(c.id.app).filter(|_| !c.am).map(|a| &a.asks);
        let asked = asks.and_then(|asks| Some(asks.at(asks.find(c.key)?).partition));
        ContainerView {
            id: self.names.container(c.id),
            name: self.names.container_name(c.id),
            app: self.names.app(c.id.app).to_string(),
            queue: app.map_or(String::new(), |a| a.queue.clone()),
            user: app.map_or(String::new(), |a| a.submission.user.clone()),
            size: self.amount(c.size),
            am: c.am,
            tags: cluster.tag_sets.get_index(c.tags as usize).cloned().unwrap_or_default(),
            partition: self.names.partition(asked.unwrap_or(c.partition)).to_string(),
            state: container_state(c.state).to_string(),
            yarn_id: yarn_container_id(self.names, c.id),
            since_ms: c.allocated_at,
            preempting_ms: ends_at.map(|at| (at - self.names.now).max(0)),
            grace_ms: ends_at.zip(mark).map_or(0, |(at, mark)| at - mark.since),
            killable: c.killable && c.state != ContainerState::Over,
        }
    }

    fn toll(&self, run: &AppRun, progress: Progress) -> PreemptionCostView {
        let work = |r: Resource| self.amount(r.map(|v| v / 1000));
        let PreemptionCost { killed, masters, given_back, lost, saved, .. } = run.toll;
        PreemptionCostView {
            killed,
            masters,
            given_back,
            lost: work(lost),
            saved: work(saved),
            begun_again: progress.begun_again,
            resumed: progress.resumed,
        }
    }

    fn reservation(&self, slot: Slot) -> ReservationView {
        let c = self.names.rm().cluster().containers.at(slot);
        ReservationView {
            app: self.names.app(c.id.app).to_string(),
            size: self.amount(c.size),
            request: self.names.request(c.id.app, c.key),
            since_ms: c.allocated_at,
        }
    }

    fn tally(&self, waiting: &[Waiting], lacks: &[Lack]) -> Tally {
        let rm = self.names.rm();
        let apps = || rm.cluster().apps.iter().filter(|a| a.alive);
        let live = || apps().flat_map(|a| rm.containers_of(a.id)).filter(|c| c.state != ContainerState::Reserved);
        let monitor = rm.preemption_monitor();
        let asked_back = |id| monitor.is_some_and(|m| m.marks().contains(id));
        Tally {
            running: live().count(),
            waiting: waiting
                .iter()
                .map(|w| w.count)
                .chain(lacks.iter().map(|l| l.count))
                .map(|n| n.max(0) as usize)
                .sum(),
            reserved: rm.reservations().count(),
            preempting: live().filter(|c| asked_back(c.id) || c.killable || rm.killed_at(c.id).is_some()).count(),
            refused: 0,
        }
    }

    // ---- what

    /// Returns the waiting requests, and what applications lack without asking YARN, in the order in which they are shown.
    fn all_that_waits(&self, waiting: &[Waiting], lacks: &[Lack]) -> Vec<WaitingView> {
        let lacks = lacks.iter().map(|l| ((story::rank_of_lack(self.names, l), l.since, 0), self.lack(l)));
        let waits = waiting.iter().map(|w| ((story::rank(self.names, w), w.since, 1), self.waiting(w)));
        let mut all: Vec<_> = lacks.chain(waits).collect();
        heddle_core::model::order::sort_by_key(&mut all, |(key, _)| *key);
        all.into_iter().map(|(_, view)| view).collect()
    }

    fn lack(&self, lack: &Lack) -> WaitingView {
        let app = self.names.app(lack.app).to_string();
        WaitingView {
            id: Selection::App(app.clone()),
            name: lack.name.clone(),
            app,
            count: lack.count,
            size: self.amount(lack.size),
            wants: String::new(),
            label: String::new(),
            since_ms: lack.since,
            reason: crate::explain::say::wants::short(lack.check).to_string(),
            never: None,
            own: false,
        }
    }

    fn waiting(&self, w: &Waiting) -> WaitingView {
        let wants = if w.places.is_empty() { "*".to_string() } else { words::list(&w.places, 4) };
        WaitingView {
            id: self.names.request(w.app, w.key),
            name: self.names.request_name(w.app, w.key, w.count),
            app: self.names.app(w.app).to_string(),
            count: w.count,
            size: self.amount(w.size),
            wants,
            label: self.names.partition(w.partition).to_string(),
            since_ms: w.since,
            reason: String::new(),
            never: None,
            own: false,
        }
    }

    fn apps(&self, waiting: &[Waiting]) -> Vec<AppView> {
        let scenario = self.names.scenario();
        let rm = self.names.rm();
        let mut out = Vec::new();
        let refused = crate::explain::refusal::all(self.names);
        let mut requests: BTreeMap<AppId, Vec<Selection>> = BTreeMap::new();
        for w in waiting {
            requests.entry(w.app).or_default().push(self.names.request(w.app, w.key));
        }
        for (i, app) in scenario.apps.iter().enumerate() {
            let Some(run) = self.names.sim.apps().get(i) else { continue };
            let progress = run.progress();
            let mut view = AppView {
                name: app.name.clone(),
                yarn_id: String::new(),
                queue: app.queue.clone(),
                user: app.user.clone(),
                priority: app.priority.unwrap_or(0),
                state: say::NOT_SUBMITTED.to_string(),
                submitted_ms: app.at,
                placed: 0,
                asked: progress.asked,
                done: progress.done,
                rejected: progress.rejected,
                progress: say::from_time(&words::clock(app.at)),
                waiting: Vec::new(),
                used: crate::explain::view::Amount::default(),
                headroom: crate::explain::view::Amount::default(),
                yarn: String::new(),
                toll: self.toll(run, progress),
                processes: told(&app.kind).processes(self.names, i),
                category: i,
                service: app.kind.is_long_running(),
            };
            if run.refused {
                view.state = say::REFUSED_AT_SUBMISSION.to_string();
                let told = refused.iter().find(|t| t.tried == Tried::Submission(i));
                view.yarn = told.map_or(String::new(), |t| t.refusal.message.clone());
                view.progress = "refused".to_string();
            }
            view.headroom = self.amount(run.headroom);
            if let Some(id) = run.id {
                view.yarn_id = rm.application_id(id);
                if let (Some(known), Some(sched)) = (rm.app(id), rm.scheduled(id)) {
                    view.queue.clone_from(&known.queue);
                    view.priority = sched.priority;
                    view.submitted_ms = known.submitted_at;
                    view.state = self.state(known, run.succeeded, sched);
                    view.yarn = if known.state == AppState::Accepted {
                        rm.am_diagnostics(id)
                    } else {
                        known.diagnostics.clone()
                    };
                    view.used = self.amount(sched.used_total());
                    let there = |c: &&Container| !c.am && c.state != ContainerState::Reserved;
                    view.placed = rm.containers_of(id).filter(there).count() as i64;
                    view.progress = match known.state {
                        _ if known.rejected().is_some() => "refused".to_string(),
                        state if state.is_final() && progress.done == 0 => state.text().to_lowercase(),
                        state if state.is_final() => say::done(progress.done),
                        _ if run.call_refused && view.placed == 0 => say::CALL_REFUSED.to_string(),
                        AppState::Accepted => "accepted".to_string(),
                        // The requests of what runs already are not in the scenario.
                        _ if app.now.is_some() => say::runs_and_done(view.placed, progress.done),
                        _ => say::placed_and_done(view.placed, progress.asked, progress.done),
                    };
                    view.waiting = requests.remove(&id).unwrap_or_default();
                }
            }
            out.push(view);
        }
        out
    }

    /// Returns state and sub-state.
    fn state(&self, known: &RmApp, succeeded: Option<bool>, app: &App) -> String {
        if known.rejected().is_some() {
            return say::REJECTED.to_string();
        }
        if known.state != AppState::Accepted {
            return crate::explain::things::state_text(known.state, succeeded);
        }
        let detail = if app.am_seq.is_some() && !app.waiting_for_am {
            say::LAUNCHED
        } else if !app.runnable {
            say::HELD_BACK
        } else if app.active {
            say::ACTIVATED
        } else if self.names.rm().inactive(app.id).is_some_and(|i| i.check == Check::ClusterResources) {
            say::ADDED_NO_NODES
        } else {
            say::ADDED
        };
        detail.to_string()
    }

    // ---- queues, users, partitions

    fn queues(&self) -> Vec<QueueView> {
        let rm = self.names.rm();
        let mut out = Vec::new();
        if rm.capacity().is_none() {
            return crate::explain::fair::queues(self.names);
        }
        if let Some(root) = rm.queues().first() {
            self.queue(root, 0, &mut out);
        }
        out
    }

    fn queue(&self, q: &Queue, depth: usize, out: &mut Vec<QueueView>) {
        let rm = self.names.rm();
        let leaf = q.leaf.as_deref();
        let partitions = rm.cluster().partition_ids();
        let shown = partitions.filter(|p| {
            let part = q.part(*p);
            p.is_default() || part.access && !rm.partition_total(*p).is_zero() || !part.used.is_zero()
        });
        out.push(QueueView {
            path: q.path.clone(),
            name: q.name().to_string(),
            depth,
            leaf: q.is_leaf(),
            state: q.state.text().to_string(),
            dynamic: q.conf.dynamic,
            ordering: ordering(q).to_string(),
            partitions: shown.map(|p| self.queue_part(q, p)).collect(),
            active: leaf.map_or(0, |l| l.active_attempts()),
            pending: leaf.map_or(0, |l| l.pending_attempts()),
            non_runnable: leaf.map_or(0, |l| l.not_runnable.len()),
            preempted: rm.capacity().map_or(0, |s| s.preemption().preempted(q.id).containers),
        });
        for child in q.children.iter().filter_map(|c| rm.queues().get(c.index())).filter(|c| c.alive) {
            self.queue(child, depth + 1, out);
        }
    }

    fn queue_part(&self, q: &Queue, p: PartitionId) -> QueuePartitionView {
        let part = q.part(p);
        QueuePartitionView {
            partition: self.names.partition(p).to_string(),
            guaranteed: self.amount(part.shares.effective_min),
            maximum: self.amount(part.shares.effective_max),
            used: self.amount(part.used),
            reserved: self.amount(part.reserved),
            pending: self.amount(part.pending),
            am_limit: self.amount(part.am_limit),
            am_used: self.amount(part.am_used),
            absolute: (
                whole(part.shares.absolute_capacity),
                whole(part.shares.absolute_max_capacity),
                part.absolute_used_capacity,
            ),
            by_app: self.by_app(q, p),
        }
    }

    fn by_app(&self, q: &Queue, p: PartitionId) -> Vec<(String, crate::explain::view::Amount)> {
        let rm = self.names.rm();
        let below = |a: &App| {
            let leaf = rm.queues().get(a.queue.index()).map_or("", |l| l.path.as_str());
            is_in(leaf, &q.path)
        };
        let used = |a: &App| a.used.get(p.index()).copied().unwrap_or_default();
        let apps = rm.cluster().apps.iter().filter(|a| a.alive && !used(a).is_zero() && below(a));
        apps.map(|a| (self.names.app(a.id).to_string(), self.amount(used(a)))).collect()
    }

    fn users(&self) -> Vec<UserView> {
        let rm = self.names.rm();
        let mut out = Vec::new();
        let Some(scheduler) = rm.capacity() else { return crate::explain::fair::users(self.names) };
        for q in rm.queues().iter().filter(|q| q.alive) {
            let Some(leaf) = q.leaf.as_deref() else { continue };
            for user in leaf.users.all() {
                for p in rm.cluster().partition_ids() {
                    let used = user.used.get(p.index()).copied().unwrap_or_default();
                    if !p.is_default() && used.is_zero() {
                        continue;
                    }
                    let am_used = user.am_used.get(p.index()).copied().unwrap_or_default();
                    out.push(UserView {
                        user: rm.cluster().user_name(user.user).to_string(),
                        queue: q.path.clone(),
                        partition: self.names.partition(p).to_string(),
                        used: self.amount(used),
                        limit: self.amount(scheduler.user_limit_of(rm.cluster(), q.id, user.user, p)),
                        am_used: self.amount(am_used),
                        am_limit: self.amount(scheduler.user_am_limit_of(rm.cluster(), q.id, user.user, p)),
                        apps: (user.active_apps.max(0) as usize, user.pending_apps.max(0) as usize),
                        most_apps: None,
                        weight: user.weight,
                        active: user.counted_active,
                    });
                }
            }
        }
        out
    }

    fn partitions(&self) -> Vec<PartitionView> {
        let cluster = self.names.rm().cluster();
        let used = |p: PartitionId| {
            let nodes = cluster.nodes.iter().filter(|n| n.in_scheduler && n.partition == p);
            nodes.fold(Resource::ZERO, |sum, n| sum + n.allocated)
        };
        let all = cluster.partition_ids().map(|p| (p, &cluster.partitions[p.index()]));
        all.map(|(p, part)| PartitionView {
            name: part.name.clone(),
            exclusive: part.exclusive,
            total: self.amount(part.total),
            used: self.amount(used(p)),
        })
        .collect()
    }
}

/// Returns YARN's word for the order of a leaf's applications or a parent's children.
fn ordering(q: &Queue) -> &'static str {
    if q.is_leaf() {
        match &q.conf.leaf_ordering {
            LeafOrdering::Fifo => "fifo",
            LeafOrdering::Fair { .. } => "fair",
            LeafOrdering::FifoWithPartitions { .. } => "fifo-with-partitions",
            LeafOrdering::FifoForPending => "fifo-for-pending-apps",
        }
    } else {
        match &q.conf.parent_ordering {
            ParentOrdering::Utilization => "utilization",
            ParentOrdering::PriorityUtilization => "priority-utilization",
        }
    }
}

/// Returns the selection of a container that a snapshot shows, by its name.
pub fn container_named(snapshot: &Snapshot, name: &str) -> Option<Selection> {
    let mut nodes = snapshot.racks.iter().flat_map(|r| &r.nodes);
    nodes.find_map(|n| n.containers.iter().find(|c| c.name == name)).map(|c| c.id.clone())
}

/// Returns `name=value`, with the prefix unless it is the administrator's.
fn attribute_text((prefix, name, value): (&str, &str, &str)) -> String {
    if prefix == CENTRAL { format!("{name}={value}") } else { format!("{prefix}/{name}={value}") }
}

/// Returns a part of the whole as YARN's REST API shows it (CapacitySchedulerQueueInfo.cap): clamped between zero and all, and
/// zero if it is not a number.
fn whole(part: f32) -> f32 {
    if part.is_nan() { 0.0 } else { part.clamp(0.0, 1.0) }
}
