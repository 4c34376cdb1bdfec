//! A leaf's part in an offer (AbstractLeafQueue.assignContainers, canAssignToUser; capacity-scheduler.md 8.1, 8.2).

use super::books::short_cuts::{PASSED_OVER, may_be_set_aside};
use super::books::tell_headroom;
use super::checks::user_limit_allows;
use super::offer::{AppOutcome, Candidates, Limits, Offer, QueueOutcome};
use super::users::{LeafUser, UserStop};
use crate::check::{About, Amounts, Check, Checked, Failure, Figures, Outcome};
use crate::config::capacity::LeafOrdering;
use crate::journal::{Collected, Finding, Recorder, VisitEnd};
use crate::model::{AppId, PartitionId, QueueId, Resource, UserId};
use crate::scheduler::Cluster;

/// The result of the check of a user's limit.
enum UserCheck {
    /// Within the limit, as for the previous application, which has the same user.
    Same,
    Pass {
        need_unreserve: Resource,
    },
    /// `used`: the user's usage; `None`: the leaf has no record of the user.
    Stop {
        used: Option<Resource>,
        limit: Resource,
    },
}

/// The progress of an offer through a leaf's applications.
struct LeafProgress {
    leaf: QueueId,
    next: usize,
    /// Whether the queue's limit has yet to be checked.
    check_queue: bool,
    /// Whether only applications whose partition is enforced on the node are visited.
    enforced: bool,
    /// Whether only applications that are listed as having requests are visited; otherwise all active ones are.
    wanting: bool,
    /// The number of visited applications whose user was at its limit.
    stopped: usize,
    /// The user whose latest check passed. A visit after which the offer continues has not changed any user.
    within: Option<UserId>,
    /// The figures of that check, if details are recorded.
    within_by: Option<Box<Amounts>>,
}

/// Returns the record of an application that a limit stops, with or without pending requests.
fn stopped(c: &Cluster, app: AppId, by: Failure) -> Checked {
    let asks = &c.app(app).asks;
    let waits = asks.open().iter().any(|(_, place)| asks.at(*place as usize).outstanding() > 0);
    let outcome = if waits { Outcome::Failed } else { Outcome::Moot };
    Checked { outcome, ..by.about(About::App(app)) }
}

impl Offer<'_> {
    pub(super) fn assign_leaf<R: Recorder>(
        &mut self,
        c: &mut Cluster,
        leaf: QueueId,
        limits: &mut Limits,
        rec: &mut Collected<'_, R>,
    ) -> QueueOutcome {
        self.books.wake(c, leaf);
        // 1: note the limit given by the parent.
        self.books.note_limit(c, leaf, &limits.limit);
        // 3: access, need.
        if let Err(check) = self.check_access_and_need(c, leaf) {
            rec.failed(c.now, || Checked::failed(check, About::Queue(leaf), Figures::None));
            return QueueOutcome::Nothing;
        }
        // 4: active applications in order.
        self.books.read_marked(c, leaf);
        rec.detail(c.now, || self.apps_order(c, leaf));
        let enforced = matches!(self.queue(leaf).conf.leaf_ordering, LeafOrdering::FifoWithPartitions { .. });
        let mut walk = LeafProgress {
            leaf,
            next: 0,
            check_queue: true,
            enforced,
            wanting: false,
            stopped: 0,
            within: None,
            within_by: None,
        };
        // The queue's limit is checked for the first application. If that one has no requests (and so no reservation)
        // and visits may be skipped, it is checked here and the walk continues with those that may have requests.
        if self.skips && !enforced && self.first_wants_nothing(c, leaf) {
            if self.check_limit(c, leaf, limits, Resource::default).is_err() {
                return QueueOutcome::Nothing;
            }
            walk.check_queue = false;
            walk.wanting = true;
            self.revisit_aside(c, leaf);
        }
        let outcome = self.walk_apps(c, limits, &mut walk, rec);
        // Parks the applications that got nothing; the next visit would skip them again.
        if walk.stopped >= PASSED_OVER && self.skips && !enforced {
            self.set_aside(c, leaf);
        }
        if walk.wanting && !enforced && matches!(outcome, QueueOutcome::Nothing) {
            self.may_rest(c, leaf);
        }
        outcome
    }

    /// Step 4: visits each application in order.
    fn walk_apps<R: Recorder>(
        &mut self,
        c: &mut Cluster,
        limits: &mut Limits,
        walk: &mut LeafProgress,
        rec: &mut Collected<'_, R>,
    ) -> QueueOutcome {
        let (leaf, enforced) = (walk.leaf, walk.enforced);
        while let Some(app) = self.next_app(walk) {
            if !c.app(app).is_in(leaf) {
                continue;
            }
            if enforced && !self.may_try_on(c, leaf, app, self.terms.partition) {
                continue;
            }
            let about = About::App(app);
            rec.enter(c.now, about);
            // a: the queue's limit.
            if walk.check_queue {
                let reserved = &c.app(app).reserved[PartitionId::DEFAULT.index()];
                if let Err(limit) = self.check_limit(c, leaf, limits, || *reserved) {
                    rec.failed(c.now, || stopped(c, app, self.over_limit(leaf, limit)));
                    rec.leave(c.now, about, VisitEnd::Last);
                    rec.failed(c.now, || self.over_limit(leaf, limit).about(About::Queue(leaf)));
                    return QueueOutcome::Nothing;
                }
                rec.detail(c.now, || self.queue_passed(leaf, limits));
                walk.check_queue = self.conf.reservations_continue_look && !reserved.is_zero();
                if self.skips && !enforced {
                    self.revisit_aside(c, leaf);
                }
            }
            // b: the user's limit.
            let user = c.app(app).user;
            let check = if walk.within == Some(user) {
                tell_headroom(c.app_mut(app), leaf);
                if let Some(amounts) = &walk.within_by {
                    rec.check(c.now, true, Check::UserLimit, about, || Amounts::clone(amounts).into());
                }
                UserCheck::Same
            } else {
                self.check_user(c, app, walk, rec)
            };
            self.pass_over(c, app, walk);
            match check {
                UserCheck::Same => {}
                UserCheck::Pass { need_unreserve } => {
                    walk.within = need_unreserve.is_zero().then_some(user);
                    limits.need_unreserve = need_unreserve;
                }
                UserCheck::Stop { used, limit } => {
                    walk.stopped += usize::from(may_be_set_aside(c.app(app), leaf));
                    self.books.note_user_limit(c, app, used, limit);
                    let used = used.unwrap_or_default();
                    rec.failed(c.now, || {
                        stopped(c, app, Failure::amounts(Check::UserLimit, Amounts::within(used, limit)))
                    });
                    rec.leave(c.now, about, VisitEnd::Next);
                    continue;
                }
            }
            // c: the application.
            let outcome = self.assign_app(c, app, limits, rec);
            rec.leave(c.now, about, outcome.end_of_app());
            match outcome {
                AppOutcome::Proposal => {
                    if let Some(p) = &mut self.proposal {
                        // If a candidate has another label since it was listed, the commit measures it in its own
                        // partition.
                        let own = c.node(p.node).partition == self.terms.partition;
                        p.user_has_room = own && self.terms.candidates == Candidates::One && walk.within.is_some();
                    }
                    return QueueOutcome::Proposal;
                }
                AppOutcome::QueueSkipped => return QueueOutcome::Blocked,
                _ if self.terms.candidates == Candidates::One => {
                    if c.app(app).waiting_for_am {
                        self.books.node_matters();
                    }
                    self.books.note_node_passed(c, app, &self.terms);
                }
                _ => {}
            }
        }
        QueueOutcome::Nothing
    }

    /// Returns whether the first active application is skipped although one may have requests.
    #[inline]
    fn first_wants_nothing(&self, c: &Cluster, leaf: QueueId) -> bool {
        self.queue(leaf).leaf.as_ref().is_some_and(|l| {
            !l.listed.is_empty() && l.listed.wanting().first() != l.active.iter().find(|a| c.app(**a).is_in(leaf))
        })
    }

    #[inline]
    fn next_app(&self, walk: &mut LeafProgress) -> Option<AppId> {
        let l = self.queue(walk.leaf).leaf.as_ref()?;
        let list = if walk.wanting { l.listed.wanting() } else { &l.active };
        walk.next += 1;
        list.get(walk.next - 1).copied()
    }

    /// Removes an application without requests from the list of those that may have some. If visits are skipped, only
    /// listed applications are visited once the queue's limit is not checked again for each: a visit to any other would
    /// leave no trace but in the journal.
    #[inline]
    fn pass_over(&mut self, c: &mut Cluster, app: AppId, walk: &mut LeafProgress) {
        let (leaf, shorter) = (walk.leaf, !walk.check_queue && self.skips);
        let idle = c.app(app).listed && c.app(app).wants_nothing(leaf);
        if !idle && (walk.wanting || !shorter) {
            return;
        }
        let Some(l) = self.queue(leaf).known_leaf() else { return };
        // The index behind the application's own.
        let behind = if walk.wanting {
            walk.next
        } else if walk.next == 1 {
            usize::from(l.listed.wanting().first() == Some(&app))
        } else {
            l.listed.wanting().partition_point(|other| self.books.app_order(c, leaf, *other, app).is_le())
        };
        if !walk.wanting && shorter {
            (walk.next, walk.wanting) = (behind, true);
        }
        if idle && self.books.unlist(c, leaf, app, behind.wrapping_sub(1)) && walk.wanting {
            walk.next -= 1;
        }
    }

    /// Checks the user's limit (capacity-scheduler.md 8.2).
    fn check_user<R: Recorder>(
        &mut self,
        c: &mut Cluster,
        app: AppId,
        walk: &mut LeafProgress,
        rec: &mut R,
    ) -> UserCheck {
        let leaf = walk.leaf;
        let told = self.books.tell_user_limit(c, leaf, app, &self.terms);
        if told.is_some() {
            self.books.note_visit(leaf, &self.terms);
        }
        let limit = told.unwrap_or_default();
        let a = c.app(app);
        let (user, reserved, calc, p, mode) =
            (a.user, &a.reserved[0], c.calculator, self.terms.partition, self.terms.mode);
        let Some(l) = self.queue(leaf).known_leaf() else { return UserCheck::Stop { used: None, limit } };
        let known = l.users.get(user);
        let used = || known.map(|u| u.used[p.index()]);
        if let Some(kept) = l.users.stopped_before(calc, user, p, mode, reserved) {
            // Until the leaf has a record of the user there is no limit to record.
            return UserCheck::Stop { used: used(), limit: if known.is_some() { kept } else { limit } };
        }
        if let Some(need_unreserve) = known.and_then(|u| self.user_may_get_more(c, u, reserved, &limit)) {
            rec.detail(c.now, || {
                let mut used = used().unwrap_or_default();
                let given_back = (!need_unreserve.is_zero()).then_some(*reserved);
                if given_back.is_some() {
                    used = known.map_or(used, |u| u.used[0]);
                }
                let amounts = Amounts::within(used, limit).beside(given_back);
                walk.within_by = Some(Box::new(amounts.clone()));
                Finding::Checked(Checked::passed(Check::UserLimit, About::App(app), amounts.into()))
            });
            return UserCheck::Pass { need_unreserve };
        }
        let used = used();
        let stopped = UserStop { user, partition: p, mode, limit, reserved: *reserved };
        self.books.note_stopped(c, leaf, stopped, told.is_some());
        UserCheck::Stop { used, limit }
    }

    /// Computes the check of capacity-scheduler.md 8.2 for an application with the given reservations in the default
    /// partition. Returns the amount that must be unreserved for it to pass; `None`: it fails.
    #[inline]
    pub(super) fn user_may_get_more(
        &self,
        c: &Cluster,
        user: &LeafUser,
        reserved: &Resource,
        limit: &Resource,
    ) -> Option<Resource> {
        // Both amounts are those of the default partition, whatever the node's is (quirk).
        let without = || self.conf.reservations_continue_look.then(|| user.used[0] - *reserved);
        user_limit_allows(c.calculator, &c.total, &user.used[self.terms.partition.index()], without, limit)
    }
}
