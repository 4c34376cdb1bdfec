//! Activation: which pending applications of a leaf become active, by the limits for ApplicationMasters
//! (AbstractLeafQueue.activateApplications; capacity-scheduler.md section 5).

use super::books::Books;
use super::ordering::by_fifo;
use crate::journal::{ActivationStop, Change, Recorder};
use crate::model::{AppId, PartitionId, QueueId, Resource, UserId};
use crate::scheduler::Cluster;
use crate::scheduler::app::{ActiveStop, AmLimit, AmStatus, Inactive};

/// Limits for AMs of users, as one pass over the pending applications needs them.
#[derive(Default)]
struct Limits {
    /// By partition: that of the first user who came so far, which serves for all.
    first: Vec<(PartitionId, Resource)>,
    /// That of the latest user who was told his own, until an application is activated.
    own: Option<(PartitionId, UserId, Resource)>,
}

impl Books {
    /// Step 1: the queue's limit for AMs in a partition.
    fn compute_am_limit(&mut self, c: &Cluster, leaf: QueueId, p: PartitionId) {
        let q = self.queue(leaf);
        let part = q.part(p);
        let published = q.leaf.as_ref().map_or(Resource::ZERO, |l| l.current_limit);
        let base = if p.is_default() && c.calculator.fits_in(&part.shares.effective_min, &published) {
            published
        } else {
            part.shares.effective_min
        };
        let limit = c.calculator.multiply_normalize_up(&base, part.am_percent, &c.minimum);
        self.set_am_limit(leaf, p, limit);
    }

    /// Step 2c: the limit for AMs of a user, one with a weight of 1 where the leaf does not know him.
    pub fn user_am_limit(&self, c: &Cluster, leaf: QueueId, p: PartitionId, user: UserId) -> Resource {
        let q = self.queue(leaf);
        let part = q.part(p);
        if q.conf.user_limit_factor == -1.0 {
            return c.calculator.multiply_normalize_up(&part.shares.effective_min, part.am_percent, &c.minimum);
        }
        let (users, weight) = q
            .leaf
            .as_ref()
            .map_or((0, 1.0), |l| (l.users.count_for_am_limit(), l.users.get(user).map_or(1.0, |u| u.weight)));
        let share = (q.conf.user_limit_percent / 100.0f32).max(1.0 / users.max(1) as f32);
        let by = part.am_percent * (share * weight).min(1.0) * q.conf.user_limit_factor;
        let limit = c.calculator.multiply_normalize_up(&part.shares.effective_min, by, &c.minimum);
        *c.calculator.min(&c.total, &limit, &part.am_limit)
    }

    /// An attempt comes to its leaf's pending applications (AbstractLeafQueue.addApplicationAttempt).
    pub(super) fn submit_attempt<R: Recorder>(&mut self, c: &mut Cluster, app: AppId, rec: &mut R) {
        let (leaf, user, attempt) = (c.app(app).queue, c.app(app).user, c.app(app).attempt);
        let weight = self.queue(leaf).user_weight(c, user);
        rec.note(c.now, || Change::AttemptAdded { app, attempt });
        if let Some(l) = self.leaf_mut(c, leaf) {
            l.users.get_or_add(user, weight).pending_apps += 1;
        }
        self.insert_pending(c, leaf, app);
        if c.total.is_zero() {
            self.stay_pending(c, leaf, app, ActivationStop::EmptyCluster, &mut Limits::default(), rec);
        } else {
            self.activate(c, leaf, rec);
        }
    }

    /// Puts an application in its place among the pending ones: priority, then submission.
    pub(super) fn insert_pending(&mut self, c: &Cluster, leaf: QueueId, app: AppId) {
        // One that a change of its priority has put there already (11.4) stays where it is.
        if let Some(l) = self.leaf_mut(c, leaf)
            && !l.pending.contains(&app)
        {
            let at = l.pending.partition_point(|other| by_fifo(c.app(*other), c.app(app)).is_lt());
            l.pending.insert(at, app);
        }
    }

    /// Tries to activate every pending application of a leaf.
    pub(super) fn activate<R: Recorder>(&mut self, c: &mut Cluster, leaf: QueueId, rec: &mut R) {
        self.make_up(c, leaf);
        // 1: the queue's limits, for the partitions that it may use; others when an application needs them.
        for p in c.partition_ids() {
            if p.is_default() || self.queue(leaf).part(p).access {
                self.compute_am_limit(c, leaf, p);
            }
        }
        // 2: each pending application in order.
        let pending = match &self.queue(leaf).leaf {
            Some(l) if !l.pending.is_empty() => l.pending.clone(),
            _ => return,
        };
        let mut limits = Limits::default();
        for app in pending {
            self.try_activate(c, leaf, app, &mut limits, rec);
        }
    }

    fn try_activate<R: Recorder>(
        &mut self,
        c: &mut Cluster,
        leaf: QueueId,
        app: AppId,
        limits: &mut Limits,
        rec: &mut R,
    ) {
        let a = c.app(app);
        let (p, asked, user) = (a.am_partition, a.am_size, a.user);
        if !self.queue(leaf).part(p).am_limit_known {
            self.compute_am_limit(c, leaf, p);
        }
        let (am_used, am_limit) = (self.queue(leaf).part(p).am_used, self.queue(leaf).part(p).am_limit);
        let Some(l) = self.queue(leaf).known_leaf() else { return };
        // One AM may always start.
        let first = l.active.is_empty() || c.calculator.le(&c.total, &am_used, &Resource::ZERO);
        // b: the queue's limit.
        let in_queue = c.calculator.fits_in(&(am_used + asked), &am_limit);
        if !in_queue && !first {
            let why = ActivationStop::QueueAmLimit { used: am_used, asked, limit: am_limit };
            return self.stay_pending(c, leaf, app, why, limits, rec);
        }
        // c: the user's limit; within one pass the first user's value serves for all (quirk).
        let user_limit = match limits.first.iter().find(|(of, _)| *of == p) {
            Some((_, limit)) => *limit,
            None => {
                let limit = self.user_am_limit(c, leaf, p, user);
                limits.first.push((p, limit));
                limit
            }
        };
        let weight = self.queue(leaf).user_weight(c, user);
        let Some(l) = self.queue(leaf).known_leaf() else { return };
        let user_used = l.users.get(user).map_or(Resource::ZERO, |u| u.am_used[p.index()]);
        let in_user = c.calculator.fits_in(&(user_used + asked), &user_limit);
        if !in_user && !first {
            let why = ActivationStop::UserAmLimit { used: user_used, asked, limit: user_limit };
            return self.stay_pending(c, leaf, app, why, limits, rec);
        }
        // d: activate.
        limits.own = None;
        if let Some(l) = self.leaf_mut(c, leaf) {
            l.pending.retain(|x| *x != app);
            let u = l.users.get_or_add(user, weight);
            u.pending_apps -= 1;
            u.active_apps += 1;
            u.am_used[p.index()] += asked;
        }
        self.charge_am(c, leaf, p, asked);
        // One that is over or elsewhere by now, forgotten among the pending ones (11.4), counts and gets nothing.
        if !c.app(app).is_in(leaf) {
            let before = |other: &AppId| self.app_order(c, leaf, *other, app).is_lt();
            let at = self.queue(leaf).leaf.as_ref().map_or(0, |l| l.active.partition_point(before));
            if let Some(l) = self.leaf_mut(c, leaf) {
                l.active.insert(at, app);
            }
            return;
        }
        c.app_mut(app).active = true;
        self.insert_active(c, leaf, app);
        rec.note(c.now, || Change::Activated {
            app,
            am_used: am_used + asked,
            am_limit,
            as_only_one: !in_queue || !in_user,
        });
        self.note_active(c, app, ActiveStop::None);
    }

    fn stay_pending<R: Recorder>(
        &mut self,
        c: &mut Cluster,
        leaf: QueueId,
        app: AppId,
        why: ActivationStop,
        limits: &mut Limits,
        rec: &mut R,
    ) {
        if !c.app(app).is_in(leaf) {
            return;
        }
        let limit = match why {
            ActivationStop::QueueAmLimit { .. } => AmLimit::Queue,
            ActivationStop::UserAmLimit { .. } => AmLimit::User,
            ActivationStop::EmptyCluster => AmLimit::EmptyCluster,
        };
        rec.note(c.now, || Change::NotActivated { app, why });
        let (p, user) = (c.app(app).am_partition, c.app(app).user);
        let user_limit = match limits.own {
            Some((of, whose, limit)) if (of, whose) == (p, user) => limit,
            _ => self.user_am_limit(c, leaf, p, user),
        };
        limits.own = Some((p, user, user_limit));
        let told = self.inactive(c, leaf, app, limit, user_limit);
        match &mut c.app_mut(app).am_status {
            AmStatus::Inactive(before) => **before = told,
            other => *other = AmStatus::Inactive(Box::new(told)),
        }
    }

    /// The figures of a leaf that an application which stays pending tells.
    fn inactive(&self, c: &Cluster, leaf: QueueId, app: AppId, limit: AmLimit, user_limit: Resource) -> Inactive {
        let (p, am_size, user) = (c.app(app).am_partition, c.app(app).am_size, c.app(app).user);
        let part = self.queue(leaf).part(p);
        Inactive {
            limit,
            partition: p,
            am_size,
            queue_limit: part.am_limit,
            user_limit,
            queue_used: part.am_used,
            user_used: self
                .queue(leaf)
                .leaf
                .as_ref()
                .and_then(|l| l.users.get(user))
                .map_or(Resource::ZERO, |u| u.am_used[p.index()]),
        }
    }

    /// What an application that stays pending tells, restated with the figures of another leaf.
    pub(super) fn note_inactive_in(&self, c: &mut Cluster, app: AppId, leaf: QueueId) {
        if let AmStatus::Inactive(status) = &c.app(app).am_status {
            let limit = status.limit;
            let user_limit = self.user_am_limit(c, leaf, c.app(app).am_partition, c.app(app).user);
            let status = self.inactive(c, leaf, app, limit, user_limit);
            c.app_mut(app).am_status = AmStatus::Inactive(Box::new(status));
        }
    }
}
