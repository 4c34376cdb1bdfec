//! Changes of applications and nodes: attempts, containers that end, nodes that come, leave and change, moves, headroom
//! (FairScheduler; fair-scheduler.md 6, 12, 16, 18, 19).

use super::placement::am_row;
use super::{FairApp, FairScheduler, Starving, fits, used};
use crate::check::{About, Amounts, Check, Checked, Figures};
use crate::config::fair::Policy;
use crate::journal::{Change, NodeGone, Recorder, UnreserveCause};
use crate::model::{AppId, ContainerId, NodeId, QueueId, RequestKey, Resource};
use crate::scheduler::app::{ABORTED, AM_KEY, AmRequest, EndCause};
use crate::scheduler::{Cluster, ContainerState, PlaceId, RequestRow};

/// The reason why an application may not move to another leaf.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum MoveRefusal {
    /// There is no such leaf.
    NoLeaf,
    /// A queue that it would move below is at a limit: its running applications, or its maximum.
    Violates(Box<Checked>),
    /// A limit of running applications, found late.
    NotRunnable,
}

fn violates(check: Check, queue: QueueId, figures: Figures) -> MoveRefusal {
    MoveRefusal::Violates(Box::new(Checked::failed(check, About::Queue(queue), figures)))
}

impl FairScheduler {
    /// Adds an application's next attempt. Returns true: it always asks for its AM.
    pub(crate) fn add_attempt<R: Recorder>(
        &mut self,
        c: &mut Cluster,
        app: AppId,
        am: Option<&AmRequest>,
        rec: &mut R,
    ) -> bool {
        let started_at = c.now;
        *self.app_mut(app) = FairApp { weight: 1.0, started_at, ..FairApp::default() };
        c.add_attempt(app, am, rec);
        let leaf = c.app(app).queue;
        let gives_am = self.conf.preemption.takes_am(&self.queue(leaf).path);
        self.app_mut(app).starving = Starving { at_share: started_at, gives_am, ..Starving::default() };
        self.join_leaf(c, app, rec);
        self.queue_mut(leaf).assigned.retain(|a| *a != app);
        true
    }

    /// Requests the AM's container and returns its size. A request that the queue forbids is lost: the attempt stays
    /// without one.
    pub(crate) fn ask_for_am(&mut self, c: &mut Cluster, app: AppId, am: &AmRequest) -> Option<Resource> {
        let leaf = c.app(app).queue;
        if self.forbidden_types(c, leaf, &am_row(am.size), "").is_some() {
            return None;
        }
        let size = self.normalize(c, Some(leaf), am.size);
        c.take_asks(app, AM_KEY, &am.rows(size));
        Some(size)
    }

    pub(crate) fn end_attempt<R: Recorder>(&mut self, c: &mut Cluster, app: AppId, keep: bool, rec: &mut R) {
        if !c.app(app).alive {
            return;
        }
        let attempt = c.app(app).attempt;
        rec.note(c.now, || Change::AttemptEnded { app, attempt });
        let (containers, reservations) = c.live_of(app, keep);
        for id in containers {
            self.end_container(c, id, ABORTED, EndCause::AppOver, rec);
        }
        for slot in reservations {
            self.unreserve(c, slot, UnreserveCause::AttemptEnded, rec);
        }
        let (user, leaf, runnable) = (c.app(app).user, c.app(app).queue, c.app(app).runnable);
        c.finish_attempt(app);
        if runnable {
            self.leave_runnable(leaf, app);
            self.count_running(user, leaf, -1);
            self.after_running_left(c, user, leaf, rec);
        } else {
            self.leave_waiting(user, leaf, app);
        }
    }

    /// Removes a runnable application from its leaf's list, and gives back the charge of its AM.
    fn leave_runnable(&mut self, leaf: QueueId, app: AppId) {
        self.told_alone(leaf, app);
        let am = self.app_mut(app).am.unwrap_or_default();
        let q = self.queue_mut(leaf);
        q.runnable.retain(|a| *a != app);
        q.in_order = false;
        q.am_used -= am;
    }

    pub(crate) fn remove_application(&mut self, c: &Cluster, app: AppId) {
        let leaf = c.app(app).queue;
        self.queue_mut(leaf).assigned.retain(|a| *a != app);
    }

    pub(crate) fn update_asks(&mut self, c: &mut Cluster, app: AppId, key: RequestKey, rows: &[(PlaceId, RequestRow)]) {
        c.take_asks(app, key, rows);
        if c.app(app).waiting_for_am {
            self.queue_mut(c.app(app).queue).stopped.forget();
        }
    }

    pub(crate) fn end_container<R: Recorder>(
        &mut self,
        c: &mut Cluster,
        id: ContainerId,
        exit_code: i32,
        why: EndCause,
        rec: &mut R,
    ) {
        let Some(slot) = c.slot(id) else { return };
        if c.containers.at(slot).state == ContainerState::Reserved {
            let cause = if why == EndCause::Released { UnreserveCause::Released } else { UnreserveCause::AttemptEnded };
            return self.unreserve(c, slot, cause, rec);
        }
        self.note_unheard(c, id);
        self.taken_no_more(c, id);
        let size = c.end_and_ask(slot, exit_code, why, rec);
        self.charge(c.app(id.app).queue, size, false);
        self.use_changed(c, id.app);
        self.note_available(c);
    }

    /// Updates maxima, steady shares and the resources available to AMs after a change of the cluster.
    pub(crate) fn cluster_changed(&mut self, c: &Cluster) {
        self.note_maxima(c);
        self.rack_nodes.clear();
        self.compute_steady_shares(c);
        self.forget_orders();
        self.note_available(c);
    }

    pub(crate) fn remove_node<R: Recorder>(
        &mut self,
        c: &mut Cluster,
        id: NodeId,
        why: NodeGone,
        rec: &mut R,
    ) -> Vec<AppId> {
        let node = id;
        let left = c.node_leaves(id, why, rec);
        for id in left.containers {
            self.end_container(c, id, ABORTED, EndCause::LostNode, rec);
        }
        if let Some(slot) = c.node(id).reserved {
            self.unreserve(c, slot, UnreserveCause::NodeChanged, rec);
        }
        self.forget_claims(node);
        self.cluster_changed(c);
        left.masters
    }

    /// Changes the size of a node; a reservation on it stays.
    pub(crate) fn resize_node<R: Recorder>(&mut self, c: &mut Cluster, id: NodeId, total: Resource, rec: &mut R) {
        if c.resize(id, total, rec) {
            self.cluster_changed(c);
        }
    }

    /// Moves an application to another leaf (18). Errors: it may not go there; nothing has changed.
    pub(crate) fn move_application<R: Recorder>(
        &mut self,
        c: &mut Cluster,
        app: AppId,
        to: &str,
        rec: &mut R,
    ) -> Result<(), MoveRefusal> {
        let to = self.find_queue(&self.of_plan(to)).filter(|id| self.queue(*id).leaf).ok_or(MoveRefusal::NoLeaf)?;
        let (from, user, runnable, used) = (c.app(app).queue, c.app(app).user, c.app(app).runnable, used(c, app));
        if from == to {
            return Ok(());
        }
        if runnable {
            let above: Vec<QueueId> = self.path_up(from).collect();
            for id in self.path_up(to).take_while(|id| !above.contains(id)) {
                let q = self.queue(id);
                if q.running_apps == i64::from(q.max_apps) {
                    let figures = Figures::Count { have: q.running_apps, need: i64::from(q.max_apps) };
                    return Err(violates(Check::QueueParallelApps, id, figures));
                }
                let maximum = self.maximum_of(c, id);
                if !fits(q.used + used, maximum) {
                    return Err(violates(Check::MaxShare, id, Amounts::sum(q.used, used, maximum).into()));
                }
            }
        }
        let stop = self.running_stop(c, user, to);
        if let Some(why) = &stop {
            self.note_running_stop(c, app, why.about, to);
            if runnable {
                return Err(MoveRefusal::NotRunnable);
            }
        }
        rec.note(c.now, || Change::Moved { app, from, to });
        if runnable {
            self.leave_runnable(from, app);
            self.count_running(user, from, -1);
        } else if stop.is_none() {
            self.leave_waiting(user, from, app);
        } else {
            // It keeps its place among its user's waiting ones.
            self.queue_mut(from).waiting.retain(|a| *a != app);
        }
        self.charge(from, used, false);
        self.charge(to, used, true);
        self.forget_orders();
        c.change_leaf(app, to);
        let a = c.app_mut(app);
        (a.runnable, a.active) = (stop.is_none(), stop.is_none());
        if stop.is_none() {
            // The new leaf is not charged for an AM that runs, but the amount is taken off at the end (quirk).
            self.number(app);
            let q = self.queue_mut(to);
            q.runnable.push(app);
            q.in_order = false;
            self.count_running(user, to, 1);
        } else {
            self.queue_mut(to).waiting.push(app);
        }
        if runnable {
            self.after_running_left(c, user, from, rec);
        }
        Ok(())
    }

    /// Records that the application's blacklist has changed.
    pub(crate) fn blacklist_changed(&mut self, app: AppId) {
        self.app_mut(app).blacklist_changed = true;
    }

    /// Returns an application's headroom (19).
    pub(crate) fn headroom(&mut self, c: &Cluster, app: AppId) -> Resource {
        let Some(a) = c.apps.get(app.index()).filter(|a| a.alive) else { return Resource::ZERO };
        if std::mem::take(&mut self.app_mut(app).blacklist_changed) {
            let listed = |id: &NodeId| {
                let n = c.node(*id);
                a.blacklist.iter().any(|p| *p == n.host_place || *p == n.rack)
            };
            self.app_mut(app).blacklisted = c.nodes_by_registration().into_iter().filter(listed).collect();
        }
        let mut left = c.total - self.queue(super::ROOT).used;
        for id in &self.apps[app.index()].blacklisted {
            left -= c.node(*id).free();
            left[0] = left[0].max(0);
            left[1] = left[1].max(0);
        }
        let q = self.queue(a.queue);
        headroom(q.policy, c.types.len(), left, self.maximum_of(c, a.queue) - q.used, q.fair_share - q.used)
    }

    /// Returns an application's demand (used and pending) and its fair share, as of the last update.
    pub fn figures(&self, app: AppId) -> (Resource, Resource) {
        self.app(app).map_or((Resource::ZERO, Resource::ZERO), |a| (a.demand, a.fair_share))
    }
}

/// Returns an application's headroom from what is left of the cluster, of its queue's maximum and of its queue's fair
/// share. The fair share counts only for types that the policy divides.
pub fn headroom(policy: Policy, types: usize, left: Resource, of_maximum: Resource, of_share: Resource) -> Resource {
    let mut out = left.component_min(of_maximum);
    let types = if policy == Policy::Drf { types } else { 1 };
    for i in 0..types {
        out[i] = out[i].min(of_share[i].max(0));
    }
    out
}
