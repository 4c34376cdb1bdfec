//! Activation: which pending applications of a leaf become active, by the limits for ApplicationMasters
//! (AbstractLeafQueue.activateApplications; capacity-scheduler.md section 5).

use super::books::Accounting;
use super::crowds::{PendingGroup, PendingGroups};
use super::ordering::{by_fifo, rank};
use super::queue::Forgotten;
use crate::check::{About, Amounts, Check, Checked, Failure};
use crate::journal::{Change, Member, PendingPass, Rank, Recorder, RefusedUpTo};
use crate::model::{AppId, PartitionId, QueueId, Resource, UserId, order};
use crate::scheduler::app::{AmStatus, Inactive};
use crate::scheduler::{App, Cluster};
use std::sync::Arc;

/// The users' AM limits in one pass over the pending applications, by partition. Quirk: the limit of the pass's first
/// user holds for all users.
type FirstLimits = Vec<(PartitionId, Resource)>;

/// A pending AM as the limits check it.
#[derive(Clone, Copy)]
struct PendingAm {
    size: Resource,
    partition: PartitionId,
    user: UserId,
}

impl PendingAm {
    fn of(a: &App) -> Self {
        PendingAm { size: a.am_size, partition: a.am_partition, user: a.user }
    }

    fn of_forgotten(f: &Forgotten) -> Self {
        PendingAm { size: f.am_size, partition: f.am_partition, user: f.user }
    }

    fn of_crowd(crowd: &PendingGroup) -> Self {
        PendingAm { size: crowd.size, partition: crowd.id.partition, user: crowd.id.user }
    }
}

/// Within the limits.
struct Within {
    /// The usage of the queue's AMs, this one included.
    am_used: Resource,
    am_limit: Resource,
    /// Whether it starts beyond a limit, since one AM may always start.
    as_only_one: bool,
}

/// A pending group (crowd) whose first application was refused.
struct RefusedGroup {
    place: usize,
    /// The number of its applications that were activated or have a reason why not.
    told: usize,
    why: Failure,
    /// The number of activations before the check; another activation changes the figures of `why`.
    activated: usize,
}

/// A pass over the pending groups (crowds) of a leaf.
#[derive(Default)]
struct Pass {
    first: FirstLimits,
    /// The activated applications, in order.
    activated: Vec<(Rank, Within)>,
    /// The number of applications of each group.
    of_crowd: Vec<usize>,
    stopped: Vec<RefusedGroup>,
    /// Their reasons, with the figures.
    refused: Vec<(RefusedUpTo, Inactive)>,
}

fn activated(app: AppId, w: &Within) -> Change {
    Change::Activated { app, am_used: w.am_used, am_limit: w.am_limit, as_only_one: w.as_only_one }
}

impl Accounting {
    /// Step 1: computes the queue's AM limit in a partition.
    fn compute_am_limit(&mut self, c: &Cluster, leaf: QueueId, p: PartitionId) {
        let limit = self.am_limit_of(c, leaf, p);
        self.set_am_limit(leaf, p, limit);
    }

    /// Returns the queue's AM limit as it would be computed now.
    pub(super) fn am_limit_of(&self, c: &Cluster, leaf: QueueId, p: PartitionId) -> Resource {
        let q = self.queue(leaf);
        let part = q.part(p);
        let published = q.leaf.as_ref().map_or(Resource::ZERO, |l| l.current_limit);
        let base = if p.is_default() && c.calculator.fits_in(&part.shares.effective_min, &published) {
            published
        } else {
            part.shares.effective_min
        };
        c.calculator.multiply_normalize_up(&base, part.am_percent, &c.minimum)
    }

    /// Returns whether an AM may start whatever the limits are: no other application of the queue is active.
    fn one_may_start(&self, c: &Cluster, leaf: QueueId, p: PartitionId) -> bool {
        let q = self.queue(leaf);
        let idle = q.leaf.as_ref().is_none_or(|l| l.active_attempts() == 0);
        idle || c.calculator.le(&c.total, &q.part(p).am_used, &Resource::ZERO)
    }

    /// Returns the failed checks of the AM limits that would keep an application inactive now, in the order of the
    /// checks.
    pub(super) fn am_stops(&self, c: &Cluster, app: AppId) -> Vec<Checked> {
        let (leaf, master) = (c.app(app).queue, PendingAm::of(c.app(app)));
        let PendingAm { size, partition: p, user } = master;
        if self.one_may_start(c, leaf, p) {
            return Vec::new();
        }
        let of_queue = (Check::QueueAmLimit, About::Queue(leaf));
        let of_user = (Check::UserAmLimit, About::App(app));
        let (queue_used, queue_limit) = (self.queue(leaf).part(p).am_used, self.am_limit_of(c, leaf, p));
        let (user_used, user_limit) = (self.user_am_used(leaf, p, user), self.user_am_limit(c, leaf, p, user));
        let both = [(of_queue, queue_used, queue_limit), (of_user, user_used, user_limit)];
        let stops = both.into_iter().filter(|(_, used, limit)| !c.calculator.fits_in(&(*used + size), limit));
        let failed =
            |((check, about), used, limit)| Checked::failed(check, about, Amounts::sum(used, size, limit).into());
        stops.map(failed).collect()
    }

    /// Step 2c: returns a user's AM limit. A user without a record in the leaf has a weight of 1.
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

    /// Adds an attempt to its leaf's pending applications (AbstractLeafQueue.addApplicationAttempt).
    pub(super) fn submit_attempt<R: Recorder>(&mut self, c: &mut Cluster, app: AppId, rec: &mut R) {
        self.add_pending(c, app, rec);
        let leaf = c.app(app).queue;
        if c.total.is_zero() {
            self.stay_pending(c, leaf, app, Failure::of(Check::ClusterResources), rec);
        } else {
            self.activate(c, leaf, rec);
        }
    }

    fn add_pending<R: Recorder>(&mut self, c: &mut Cluster, app: AppId, rec: &mut R) {
        let (leaf, user, attempt) = (c.app(app).queue, c.app(app).user, c.app(app).attempt);
        let weight = self.queue(leaf).user_weight(c, user);
        rec.note(c.now, || Change::AttemptAdded { app, attempt });
        if let Some(l) = self.leaf_mut(c, leaf) {
            l.users.get_or_add(user, weight).pending_apps += 1;
        }
        self.insert_pending(c, leaf, app);
    }

    /// Adds an attempt from before the run: pending, or active without a check of the limits.
    pub(super) fn take_attempt<R: Recorder>(&mut self, c: &mut Cluster, app: AppId, active: bool, rec: &mut R) {
        self.add_pending(c, app, rec);
        let leaf = c.app(app).queue;
        // The attempts arrived at different times, so each is recorded by itself.
        self.disperse(c, leaf, app);
        if active {
            self.admit(c, leaf, app);
        }
    }

    /// Sets the reasons of a leaf's pending applications without activating any.
    pub(super) fn tell_pending<R: Recorder>(&mut self, c: &mut Cluster, leaf: QueueId, rec: &mut R) {
        for p in c.partition_ids() {
            if p.is_default() || self.queue(leaf).part(p).access {
                self.compute_am_limit(c, leaf, p);
            }
        }
        let (active, pending) =
            self.queue(leaf).leaf.as_ref().map_or_else(Default::default, |l| (l.active.clone(), l.pending.clone()));
        for app in active {
            if c.app(app).waiting_for_am {
                self.note_active_in(c, app, leaf);
            }
        }
        let mut first = FirstLimits::new();
        for app in pending {
            if let Err(why) = self.may_activate(c, leaf, PendingAm::of(c.app(app)), &mut first) {
                self.stay_pending(c, leaf, app, why, rec);
            }
        }
    }

    /// Puts an application in its place among the pending ones: priority, then submission.
    pub(super) fn insert_pending(&mut self, c: &mut Cluster, leaf: QueueId, app: AppId) {
        // A change of its priority may have put the application there already (11.4); then it stays in its place.
        if let Some(l) = self.leaf_mut(c, leaf)
            && !l.pending.contains(&app)
        {
            let at = l.pending.partition_point(|other| by_fifo(c.app(*other), c.app(app)).is_lt());
            l.pending.insert(at, app);
            l.crowds.add(c.app(app));
            c.app_mut(app).am_status_since = c.passes;
        }
    }

    /// Removes an application from the pending ones, before a property changes that decides their groups. Its reason in
    /// the latest pass becomes its own.
    pub(super) fn remove_pending(&mut self, c: &mut Cluster, leaf: QueueId, app: AppId) {
        if let Some(l) = self.leaf_mut(c, leaf) {
            l.pending.retain(|x| *x != app);
            l.crowds.tell(c, app);
            l.crowds.remove(c.app(app));
        }
    }

    /// Prepares for the change of a property that decides an application's group. A pending application stays pending
    /// (capacity-scheduler.md 11.4).
    pub(super) fn disperse(&mut self, c: &mut Cluster, leaf: QueueId, app: AppId) {
        if let Some(l) = self.leaf_mut(c, leaf)
            && l.pending.contains(&app)
        {
            l.crowds.disperse(c);
        }
    }

    /// Returns why an application was not activated, if its diagnostics have not changed since.
    pub(in crate::scheduler) fn inactive_of<'a>(&'a self, a: &'a App) -> Option<&'a Inactive> {
        let told = self.queue(a.queue).leaf.as_ref().and_then(|l| l.crowds.figures(a));
        told.or(match &a.am_status {
            AmStatus::Inactive(figures) => Some(figures),
            _ => None,
        })
    }

    /// Tries to activate every pending application of a leaf.
    pub(super) fn activate<R: Recorder>(&mut self, c: &mut Cluster, leaf: QueueId, rec: &mut R) {
        self.make_up(c, leaf);
        // 1: the queue's limits in the partitions that it may use; in others they are computed when an application
        // needs them.
        for p in c.partition_ids() {
            if p.is_default() || self.queue(leaf).part(p).access {
                self.compute_am_limit(c, leaf, p);
            }
        }
        // 2: each pending application in order.
        let Some(l) = self.queue(leaf).leaf.as_ref().filter(|l| l.pending_attempts() > 0) else { return };
        let dispersed = l.crowds.dispersed.then(|| l.pending.clone());
        let Some(mut crowds) = self.crowds_mut(leaf).map(std::mem::take) else { return };
        let dispersed = dispersed.or_else(|| {
            let alone = !c.short_cuts.taken();
            alone.then(|| {
                crowds.disperse(c);
                self.queue(leaf).leaf.as_ref().map_or(Vec::new(), |l| l.pending.clone())
            })
        });
        match dispersed {
            Some(pending) => {
                self.activate_each(c, leaf, pending, rec);
                if let (true, Some(l)) = (c.short_cuts.taken(), &self.queue(leaf).leaf)
                    && l.forgotten.iter().all(|f| f.active)
                {
                    crowds.gather(c, leaf, &l.pending);
                }
            }
            None => self.activate_crowds(c, leaf, &mut crowds, rec),
        }
        if let Some(place) = self.crowds_mut(leaf) {
            *place = crowds;
        }
    }

    fn activate_each<R: Recorder>(&mut self, c: &mut Cluster, leaf: QueueId, pending: Vec<AppId>, rec: &mut R) {
        let mut first = FirstLimits::new();
        let forgotten = self.queue(leaf).leaf.as_ref().map_or(Vec::new(), |l| l.forgotten.clone());
        let mut forgotten = forgotten.into_iter().enumerate().filter(|(_, f)| !f.active).peekable();
        for app in pending {
            // An earlier attempt of the same application is tried first.
            while let Some((at, f)) = forgotten.next_if(|(_, f)| f.rank <= rank(c.app(app))) {
                self.activate_forgotten(c, leaf, at, &f, &mut first);
            }
            match self.may_activate(c, leaf, PendingAm::of(c.app(app)), &mut first) {
                Err(why) => self.stay_pending(c, leaf, app, why, rec),
                Ok(within) => {
                    if self.admit(c, leaf, app) {
                        rec.note(c.now, || activated(app, &within));
                    }
                }
            }
        }
        for (at, f) in forgotten {
            self.activate_forgotten(c, leaf, at, &f, &mut first);
        }
    }

    /// Tries to activate an attempt that is over. If that succeeds, its AM usage stays charged for ever.
    fn activate_forgotten(
        &mut self,
        c: &mut Cluster,
        leaf: QueueId,
        at: usize,
        forgotten: &Forgotten,
        first: &mut FirstLimits,
    ) {
        let master = PendingAm::of_forgotten(forgotten);
        if self.may_activate(c, leaf, master, first).is_err() {
            return;
        }
        let weight = self.queue(leaf).user_weight(c, master.user);
        if let Some(l) = self.leaf_mut(c, leaf) {
            if let Some(f) = l.forgotten.get_mut(at) {
                f.active = true;
            }
            let u = l.users.get_or_add(master.user, weight);
            u.pending_apps -= 1;
            u.active_apps += 1;
            *u.am_used_mut(master.partition) += master.size;
        }
        self.charge_am(c, leaf, master.partition, master.size);
    }

    /// Keeps the entries that earlier attempts left in the lists of the application's leaf when another attempt begins.
    pub(super) fn leave_behind(&mut self, c: &mut Cluster, app: AppId) {
        let leaf = c.app(app).queue;
        let here = |list: &[AppId]| list.contains(&app);
        let Some((pending, active)) = self.queue(leaf).leaf.as_ref().map(|l| (here(&l.pending), here(&l.active)))
        else {
            return;
        };
        if !pending && !active {
            return;
        }
        let PendingAm { size: am_size, partition: am_partition, user } = PendingAm::of(c.app(app));
        let rank = rank(c.app(app));
        if active {
            self.take_out(c, leaf, app);
        }
        let Some(l) = self.leaf_mut(c, leaf) else { return };
        l.pending.retain(|x| *x != app);
        l.crowds.disperse(c);
        let at = l.forgotten.partition_point(|f| f.rank <= rank);
        l.forgotten.insert(at, Forgotten { rank, user, am_size, am_partition, active: !pending });
    }

    /// Tries the first application of each group, in order, until it is refused; for leaves whose pending applications
    /// are all in groups.
    fn activate_crowds<R: Recorder>(
        &mut self,
        c: &mut Cluster,
        leaf: QueueId,
        crowds: &mut PendingGroups,
        rec: &mut R,
    ) {
        let known = crowds.len() - crowds.fresh.len();
        c.passes += 1;
        let mut pass = Pass { of_crowd: vec![0; crowds.all.len()], ..Pass::default() };
        let first = |(place, crowd): (usize, &PendingGroup)| crowd.members.first().map(|rank| (*rank, place));
        let mut next: Vec<(Rank, usize)> = crowds.all.iter().enumerate().filter_map(first).collect();
        order::sort_by(&mut next, |a, b| b.cmp(a));
        while let Some((rank, place)) = next.pop() {
            let crowd = &crowds.all[place];
            match self.may_activate(c, leaf, PendingAm::of_crowd(crowd), &mut pass.first) {
                Err(why) => {
                    let (told, activated) = (pass.of_crowd[place], pass.activated.len());
                    pass.stopped.push(RefusedGroup { place, told, why, activated });
                }
                Ok(within) => {
                    self.tell_stopped(c, leaf, crowds, &mut pass, rank);
                    crowds.tell(c, rank.1);
                    self.admit(c, leaf, rank.1);
                    pass.activated.push((rank, within));
                    pass.of_crowd[place] += 1;
                    if let Some(rank) = crowd.members.get(pass.of_crowd[place]) {
                        let at = next.partition_point(|(other, _)| other > rank);
                        next.insert(at, (*rank, place));
                    }
                }
            }
        }
        self.tell_stopped(c, leaf, crowds, &mut pass, Rank::LAST);
        if !pass.refused.is_sorted_by_key(|(r, _)| (r.crowd, r.before)) {
            order::sort_by_key(&mut pass.refused, |(r, _)| (r.crowd, r.before));
        }
        let (refused, figures) = pass.refused.into_iter().unzip();
        (crowds.refused, crowds.figures) = (Arc::new(refused), figures);
        crowds.pass = c.passes;
        crowds.drain(&pass.of_crowd, |rank| pass.activated.binary_search_by_key(rank, |(r, _)| *r).is_ok());
        rec.record(|rec| {
            let change = |(rank, within): &(Rank, Within)| (*rank, activated(rank.1, within));
            let activated: Vec<(Rank, Change)> = pass.activated.iter().map(change).collect();
            let member = |rank: Rank| {
                let app = c.app(rank.1);
                crowds.told(app).map(|(crowd, _)| Member { crowd, rank, active: app.active })
            };
            let fresh: Vec<Member> = crowds.fresh.iter().copied().filter_map(member).collect();
            let all = || crowds.in_order().into_iter().filter_map(member).collect();
            let (activated, refused) = (&activated[..], &crowds.refused);
            rec.pending_pass(c.now, &PendingPass { leaf, activated, refused, known, fresh: &fresh, all: &all });
        });
        crowds.fresh.clear();
    }

    /// Gives the current figures to the applications of refused groups that come before `before`.
    fn tell_stopped(&mut self, c: &mut Cluster, leaf: QueueId, crowds: &PendingGroups, pass: &mut Pass, before: Rank) {
        for stopped in &mut pass.stopped {
            let crowd = &crowds.all[stopped.place];
            if crowd.members.get(stopped.told).is_none_or(|rank| *rank >= before) {
                continue;
            }
            stopped.told = crowd.members.partition_point(|rank| *rank < before);
            let master = PendingAm::of_crowd(crowd);
            if stopped.activated != pass.activated.len()
                && let Err(why) = self.may_activate(c, leaf, master, &mut pass.first)
            {
                (stopped.why, stopped.activated) = (why, pass.activated.len());
            }
            let figures = self.inactive(c, leaf, master, stopped.why.check);
            pass.refused.push((RefusedUpTo { crowd: crowd.id, before, why: stopped.why.clone() }, figures));
        }
    }

    /// Returns whether an AM is within the limits.
    fn may_activate(
        &mut self,
        c: &mut Cluster,
        leaf: QueueId,
        master: PendingAm,
        first_limits: &mut FirstLimits,
    ) -> Result<Within, Failure> {
        c.activations_tried += 1;
        let PendingAm { size: asked, partition: p, user } = master;
        if !self.queue(leaf).part(p).am_limit_known {
            self.compute_am_limit(c, leaf, p);
        }
        let q = self.queue(leaf);
        let (am_used, am_limit) = (q.part(p).am_used, q.part(p).am_limit);
        let first = self.one_may_start(c, leaf, p);
        // b: the queue's limit.
        let in_queue = c.calculator.fits_in(&(am_used + asked), &am_limit);
        if !in_queue && !first {
            return Err(Failure::amounts(Check::QueueAmLimit, Amounts::sum(am_used, asked, am_limit)));
        }
        // c: the user's limit. A leaf may have dropped the user and still have an application of that user forgotten
        // among its pending ones (11.4); this check gives the leaf a record of the user again
        // (UsersManager.getUserAndAddIfAbsent).
        if self.queue(leaf).leaf.as_ref().is_some_and(|l| l.users.get(user).is_none()) {
            let weight = self.queue(leaf).user_weight(c, user);
            if let Some(l) = self.leaf_mut(c, leaf) {
                l.users.get_or_add(user, weight);
            }
        }
        let user_limit = match first_limits.iter().find(|(of, _)| *of == p) {
            Some((_, limit)) => *limit,
            None => {
                let limit = self.user_am_limit(c, leaf, p, user);
                first_limits.push((p, limit));
                limit
            }
        };
        let user_used = self.user_am_used(leaf, p, user);
        let in_user = c.calculator.fits_in(&(user_used + asked), &user_limit);
        if !in_user && !first {
            return Err(Failure::amounts(Check::UserAmLimit, Amounts::sum(user_used, asked, user_limit)));
        }
        Ok(Within { am_used: am_used + asked, am_limit, as_only_one: !in_queue || !in_user })
    }

    /// Step 2d: activates an application. Returns false if its attempt is over or the application has moved: then it
    /// counts as active and gets nothing.
    fn admit(&mut self, c: &mut Cluster, leaf: QueueId, app: AppId) -> bool {
        let PendingAm { size: asked, partition: p, user } = PendingAm::of(c.app(app));
        let weight = self.queue(leaf).user_weight(c, user);
        if let Some(l) = self.leaf_mut(c, leaf) {
            l.pending.retain(|x| *x != app);
            let u = l.users.get_or_add(user, weight);
            u.pending_apps -= 1;
            u.active_apps += 1;
            *u.am_used_mut(p) += asked;
        }
        self.charge_am(c, leaf, p, asked);
        // An application that is over or has moved, forgotten among the pending ones (11.4), counts and gets nothing.
        if !c.app(app).is_in(leaf) {
            let before = |other: &AppId| self.app_order(c, leaf, *other, app).is_lt();
            let at = self.queue(leaf).leaf.as_ref().map_or(0, |l| l.active.partition_point(before));
            if let Some(l) = self.leaf_mut(c, leaf) {
                l.active.insert(at, app);
            }
            return false;
        }
        c.app_mut(app).active = true;
        self.insert_active(c, leaf, app);
        self.note_active_in(c, app, c.app(app).queue);
        true
    }

    fn stay_pending<R: Recorder>(&mut self, c: &mut Cluster, leaf: QueueId, app: AppId, why: Failure, rec: &mut R) {
        if !c.app(app).is_in(leaf) {
            return;
        }
        let figures = self.inactive(c, leaf, PendingAm::of(c.app(app)), why.check);
        rec.note(c.now, || Change::NotActivated { app, why });
        c.set_am_status(app, AmStatus::Inactive(Box::new(figures)));
    }

    fn user_am_used(&self, leaf: QueueId, p: PartitionId, user: UserId) -> Resource {
        let user = self.queue(leaf).leaf.as_ref().and_then(|l| l.users.get(user));
        user.map_or(Resource::ZERO, |u| u.am_used_in(p))
    }

    /// Returns a leaf's figures for the diagnostics of an application that stays pending.
    fn inactive(&self, c: &Cluster, leaf: QueueId, master: PendingAm, check: Check) -> Inactive {
        let PendingAm { size: am_size, partition, user } = master;
        let part = self.queue(leaf).part(partition);
        Inactive {
            check,
            leaf,
            partition,
            am_size,
            queue_limit: part.am_limit,
            user_limit: self.user_am_limit(c, leaf, partition, user),
            queue_used: part.am_used,
            user_used: self.user_am_used(leaf, partition, user),
        }
    }

    /// Returns the current figures of its own leaf for an application that stays pending.
    pub(super) fn inactive_in_its_leaf(&self, c: &Cluster, app: &App, check: Check) -> Inactive {
        self.inactive(c, app.queue, PendingAm::of(app), check)
    }

    /// Replaces the figures in a pending application's reason with those of another leaf.
    pub(super) fn note_inactive_in(&self, c: &mut Cluster, app: AppId, leaf: QueueId) {
        if let Some(check) = self.inactive_of(c.app(app)).map(|figures| figures.check) {
            let figures = self.inactive(c, leaf, PendingAm::of(c.app(app)), check);
            c.set_am_status(app, AmStatus::Inactive(Box::new(figures)));
        }
    }
}
