//! Applications and their attempts: submission, registration, end (RMAppManager, RMAppImpl, RMAppAttemptImpl;
//! lifecycles-and-timing.md 1.1, 1.2; capacity-scheduler.md section 4).

use super::admission::{AdmittedApp, Applying};
use super::blamed::BlamedHosts;
use super::manager::{AmEnd, AppEnd, AppState, ResourceManager, RmApp};
use super::states::{AppEvent, AppStep, AttemptEvent, AttemptStep};
use super::{texts, validate};
use crate::api::{Refusal, RefusalRule, RmEvent, Submission};
use crate::journal::{Change, Recorder};
use crate::model::limits::APPLICATIONS;
use crate::model::{AppId, AttemptId, ContainerId, PartitionId, PlaceId, QueueId};
use crate::scheduler::app::{AmRequest, AmStatus, EndCause};
use crate::scheduler::{App, QueueChoice, Scheduler};
use std::sync::Arc;

/// An application whose AM's container has ended.
pub(super) struct EndedAm {
    pub app: AppId,
    pub why: AmEnd,
    /// Whether it counts as a failure of the application.
    pub counts: bool,
    /// The host that is blamed for its end.
    pub blamed: Option<PlaceId>,
}

impl EndedAm {
    /// An end that is no fault of the application or the node.
    pub fn of(app: AppId, why: AmEnd) -> Self {
        EndedAm { app, why, counts: false, blamed: None }
    }
}

impl ResourceManager {
    /// Submits an application. Errors: the call is refused, and there is no application. An application that is
    /// accepted here and rejected by the scheduler is in [`ResourceManager::app`] with that state.
    pub fn submit<R: Recorder>(&mut self, submission: Submission, rec: &mut R) -> Result<AppId, Refusal> {
        self.latest_choice = None;
        if self.apps.len() >= APPLICATIONS {
            let words = format!("More than {APPLICATIONS} applications are beyond what this simulation takes");
            return Err(Refusal::of(RefusalRule::Beyond { most: APPLICATIONS }, words));
        }
        validate::tags(&self.site, &self.application_tags(&submission.tags))?;
        let user = self.cluster.user(&submission.user);
        let mut choice = QueueChoice::default();
        let placed = Applying { rm: self, submission: &submission, user }.place(&mut choice);
        let choice = Arc::new(choice);
        self.latest_choice = Some(choice.clone());
        let place = placed?;
        let mut applying = Applying { rm: self, submission: &submission, user };
        if let Some(seconds) = submission.lifetime_s.filter(|s| *s <= 0) {
            let words = format!("Invalid application timeout, value={seconds} for type=LIFETIME");
            return Err(Refusal::of(RefusalRule::Lifetime { seconds }, words));
        }
        let am = applying.am_request(&place)?;
        let priority = applying.permitted_priority(&place)?;
        let entry = AdmittedApp { user, place, priority };
        let id = self.add_application(submission, &entry, choice, am);
        if let Err(why) = self.accept(id, &entry, rec) {
            self.reject(id, why, rec);
        } else {
            let app = &mut self.apps[id.index()];
            app.hears(AppEvent::Accepted);
            app.begin_attempt();
        }
        self.after(rec);
        Ok(id)
    }

    /// Adds the records of an application that passed admission.
    pub(super) fn add_application(
        &mut self,
        submission: Submission,
        entry: &AdmittedApp,
        choice: Arc<QueueChoice>,
        am: Option<AmRequest>,
    ) -> AppId {
        let user = entry.user;
        let id = AppId::from(self.apps.len());
        let leaf = entry.place.found.filter(|q| self.scheduler.is_leaf(*q));
        let mut app = App::new(id, user, leaf.unwrap_or(QueueId(0)), self.cluster.partitions.len());
        let tags = self.application_tags(&submission.tags);
        app.tags = self.cluster.tag_set(&tags);
        app.label = submission.label.as_deref().map(|l| self.cluster.partition_or_unknown(l.trim()));
        app.unmanaged = submission.am.is_none();
        self.cluster.placement_changes += 1;
        self.cluster.placement.apps.add(id, texts::application_number(id), &tags);
        self.cluster.apps.push(app);
        let asked = submission.max_attempts.filter(|n| *n > 0);
        let most = asked.map_or(self.site.am_attempts, |n| n.min(self.site.most_am_attempts));
        self.apps.push(RmApp {
            id,
            queue: entry.place.queue.clone(),
            choice,
            submission,
            state: AppState::Accepted,
            step: AppStep::New.after(AppEvent::Start),
            unanswered: None,
            attempt: AttemptStep::New,
            diagnostics: String::new(),
            end: None,
            submitted_at: self.cluster.now,
            finished_at: None,
            failures: 0,
            failed_at: Vec::new(),
            max_attempts: most,
            expires_at: None,
            nodes_told: self.node_changes.len(),
            am_blacklist: BlamedHosts::default(),
            am,
        });
        id
    }

    /// Ends an application that the scheduler rejects.
    pub(super) fn reject<R: Recorder>(&mut self, id: AppId, why: Refusal, rec: &mut R) {
        let now = self.cluster.now;
        let app = &mut self.apps[id.index()];
        app.hears(AppEvent::Rejected);
        app.diagnostics.clone_from(&why.message);
        app.end = Some(AppEnd::Rejected(why));
        app.finished_at = Some(now);
        rec.note(now, || Change::Rejected { app: id });
        self.app_over(id);
    }

    /// Kills an application whose lifetime is over. Returns whether it was.
    pub fn check_lifetime<R: Recorder>(&mut self, app: AppId, rec: &mut R) -> bool {
        let now = self.cluster.now;
        let over = self.app(app).is_some_and(|a| !a.state.is_final() && a.expires_at.is_some_and(|at| now > at));
        if over {
            self.end_app(app, AppEnd::LifetimeOver, texts::LIFETIME_OVER.into(), rec);
            self.after(rec);
        }
        over
    }

    /// Fails the attempt of an AM that sent nothing for longer than `yarn.am.liveness-monitor.expiry-interval-ms`.
    pub fn expire_am<R: Recorder>(&mut self, attempt: AttemptId, rec: &mut R) {
        let a = self
            .scheduled(attempt.app)
            .filter(|a| a.alive && a.attempt_id() == attempt && (a.registered || a.am_seq.is_some()));
        if a.is_none() {
            return;
        }
        self.am_containers_ended(vec![EndedAm { counts: true, ..EndedAm::of(attempt.app, AmEnd::TimedOut) }], rec);
        self.after(rec);
    }

    /// Registers the AM of an application, with the constraints of the submission.
    pub fn register<R: Recorder>(&mut self, app: AppId, _rec: &mut R) -> Result<(), Refusal> {
        let Some(a) = self.cluster.apps.get_mut(app.index()).filter(|a| a.alive) else {
            return Err(Refusal::new(format!(
                "Application doesn't exist in cache {}",
                texts::attempt(crate::model::AttemptId { app, attempt: 1 })
            )));
        };
        if a.registered {
            return Err(Refusal::new(format!(
                "Application Master is already registered : {}",
                texts::application(app)
            )));
        }
        self.register_constraints(app)?;
        self.cluster.app_mut(app).registered = true;
        self.cluster.set_am_status(app, AmStatus::Silent);
        let app = &mut self.apps[app.index()];
        let told = app.attempt_hears(AttemptEvent::Registered);
        // An unmanaged AM is not launched and registers by itself.
        app.attempt = AttemptStep::Running;
        app.hears(told.unwrap_or(AppEvent::AttemptRegistered));
        Ok(())
    }

    /// Unregisters the AM; its node reports the end of its container later.
    pub fn unregister<R: Recorder>(&mut self, app: AppId, rec: &mut R) {
        if self.app(app).is_none_or(|a| a.state != AppState::Running) {
            return;
        }
        // An unmanaged AM has no container whose end would have to be reported.
        let unmanaged = self.cluster.app(app).am_seq.is_none();
        self.forget_constraints(app);
        let rm_app = &mut self.apps[app.index()];
        let told = rm_app.attempt_hears(AttemptEvent::Unregistered { unmanaged });
        if !unmanaged {
            rm_app.hears(told.unwrap_or(AppEvent::AttemptUnregistered));
        } else {
            self.end_app(app, AppEnd::Unregistered, String::new(), rec);
            self.after(rec);
        }
    }

    /// Ends an application, its attempt and its containers.
    pub fn kill_app<R: Recorder>(&mut self, app: AppId, rec: &mut R) {
        // An application whose AM has unregistered ignores the kill.
        let hears = self.apps.get(app.index()).is_some_and(|a| !a.state.is_final() && a.state != AppState::Finishing);
        if hears {
            self.end_app(app, AppEnd::Killed, texts::KILLED_BY_USER.into(), rec);
            self.after(rec);
        }
    }

    /// Ends the attempts whose AM containers have ended: first every attempt leaves the scheduler, then each
    /// application ends or gets its next attempt (the order in which YARN handles the events).
    pub(super) fn am_containers_ended<R: Recorder>(&mut self, ended: Vec<EndedAm>, rec: &mut R) {
        let ended = self.attempts_leave(ended, rec);
        self.attempts_follow(ended, rec);
    }

    /// Runs the first half of [`Self::am_containers_ended`]. Returns what the second half needs.
    pub(super) fn attempts_leave<R: Recorder>(&mut self, ended: Vec<EndedAm>, rec: &mut R) -> Vec<EndedAm> {
        let live = |rm: &Self, app: AppId| rm.apps.get(app.index()).is_some_and(|a| !a.state.is_final());
        let ended: Vec<EndedAm> = ended.into_iter().filter(|e| live(self, e.app)).collect();
        for e in &ended {
            let attempt = self.cluster.app(e.app).attempt_id();
            self.events.push(RmEvent::AttemptOver { attempt, diagnostics: texts::end_of_am(e.why, attempt) });
            self.apps[e.app.index()].attempt_hears(match e.why {
                AmEnd::Exited(_) | AmEnd::Container(_) => AttemptEvent::ContainerFinished { am: true },
                AmEnd::TimedOut => AttemptEvent::Expire,
            });
            let keep = self.keeps_containers(e);
            self.cluster.app_mut(e.app).hands_over = keep;
            self.scheduler.end_attempt(&mut self.cluster, e.app, keep, rec);
        }
        ended
    }

    /// Returns whether the containers of an attempt that is over stay for the next one (lifecycles-and-timing.md 4.3).
    fn keeps_containers(&self, ended: &EndedAm) -> bool {
        let app = &self.apps[ended.app.index()];
        app.keeps_containers(self.failures_so_far(ended.app) + i32::from(ended.counts))
    }

    /// Returns the number of ended attempts that count as failures now: all, or those that ended within the
    /// application's window, both ends included (RMAppAttemptImpl.shouldCountTowardsMaxAttemptRetry).
    fn failures_so_far(&self, app: AppId) -> i32 {
        let app = &self.apps[app.index()];
        match app.submission.failures_window.filter(|ms| *ms > 0) {
            None => app.failures,
            Some(window) => {
                let from = self.cluster.now.saturating_sub(window);
                app.failed_at.iter().filter(|at| **at >= from).count() as i32
            }
        }
    }

    /// Records the end of an attempt.
    fn count_failure(&mut self, ended: &EndedAm) {
        let failures = self.failures_so_far(ended.app) + i32::from(ended.counts);
        let now = self.cluster.now;
        let app = &mut self.apps[ended.app.index()];
        app.failures = failures;
        if let Some(window) = app.submission.failures_window.filter(|ms| *ms > 0) {
            app.failed_at.retain(|at| *at >= now.saturating_sub(window));
            app.failed_at.extend(ended.counts.then_some(now));
        }
    }

    /// Runs the second half of [`Self::am_containers_ended`].
    pub(super) fn attempts_follow<R: Recorder>(&mut self, ended: Vec<EndedAm>, rec: &mut R) {
        let mut added = Vec::new();
        for e in ended {
            if self.apps[e.app.index()].state == AppState::Finishing {
                self.end_app(e.app, AppEnd::Unregistered, String::new(), rec);
                continue;
            }
            self.count_failure(&e);
            let rm_app = &mut self.apps[e.app.index()];
            if rm_app.is_over_after(rm_app.failures) {
                let most = rm_app.max_attempts;
                let global = self.site.most_am_attempts;
                let limits = if global == most {
                    String::new()
                } else {
                    format!(" (global limit ={global}; local limit is ={most})")
                };
                let window = rm_app.submission.failures_window.filter(|ms| *ms > 0);
                let within = window.map_or(String::new(), |ms| format!(" in previous {ms} milliseconds"));
                let why = texts::end_of_am(e.why, self.cluster.app(e.app).attempt_id());
                let text = texts::attempts_used_up(e.app, most, &format!("{within}{limits}"), &why);
                self.end_app(e.app, AppEnd::AmFailed { attempts: most, window, why: e.why }, text, rec);
                continue;
            }
            rm_app.hears(AppEvent::AttemptFailed { last: false });
            rm_app.begin_attempt();
            let am = rm_app.am.clone();
            self.avoid_node(e.app, e.blamed, am.as_ref());
            if self.add_attempt(e.app, rec) {
                added.push(e.app);
            }
        }
        // The scheduler gets all attempts before the first one requests its AM's container.
        for app in added {
            self.ask_for_am(app);
        }
    }

    /// Returns the nodes that the next AM of an application avoids (SimpleBlacklistManager): those that earlier AMs
    /// blame, unless they are too large a share of the nodes that it may use.
    fn avoid_node(&mut self, app: AppId, blamed: Option<PlaceId>, am: Option<&AmRequest>) {
        let Some(share) = self.site.avoids_blamed_nodes else { return };
        let partition = am.map_or(PartitionId::DEFAULT, |am| am.partition);
        let labels = self.cluster.partitions.len() > 1;
        let mut nodes = self.cluster.nodes.iter().filter(|n| n.in_scheduler);
        let known = blamed.filter(|host| nodes.clone().any(|n| n.host_place == *host));
        let blamed_hosts = &mut self.apps[app.index()].am_blacklist;
        if let Some(host) = known {
            blamed_hosts.add(host);
        }
        let applicable = match am {
            Some(am) if !am.relax && !am.places.is_empty() => {
                nodes.filter(|n| am.places.iter().any(|(p, _)| *p == n.host_place || *p == n.rack)).count()
            }
            _ if labels => nodes.filter(|n| n.partition == partition).count(),
            _ => nodes.by_ref().count(),
        };
        let avoided = blamed_hosts.updates(share, applicable).additions;
        self.cluster.app_mut(app).am_blacklist = avoided;
    }

    fn end_app<R: Recorder>(&mut self, app: AppId, end: AppEnd, diagnostics: String, rec: &mut R) {
        let now = self.cluster.now;
        let rm_app = &mut self.apps[app.index()];
        match end {
            AppEnd::Unregistered => rm_app.hears(AppEvent::AttemptFinished),
            AppEnd::Killed | AppEnd::LifetimeOver => {
                rm_app.hears(AppEvent::Kill);
                rm_app.attempt_hears(AttemptEvent::Kill);
                rm_app.hears(AppEvent::AttemptKilled);
            }
            AppEnd::Rejected(_) => rm_app.hears(AppEvent::Rejected),
            AppEnd::AmFailed { .. } => rm_app.hears(AppEvent::AttemptFailed { last: true }),
        }
        rm_app.end = Some(end);
        rm_app.diagnostics = diagnostics.clone();
        rm_app.finished_at = Some(now);
        if self.cluster.app(app).alive {
            let attempt = self.cluster.app(app).attempt_id();
            self.events.push(RmEvent::AttemptOver { attempt, diagnostics });
            self.cluster.app_mut(app).hands_over = false;
            self.scheduler.end_attempt(&mut self.cluster, app, false, rec);
        }
        self.scheduler.remove_application(&mut self.cluster, app);
        self.forget_constraints(app);
        rec.note(now, || Change::AppEnded { app });
        self.app_over(app);
    }

    fn app_over(&mut self, app: AppId) {
        for node in &mut self.cluster.nodes {
            if node.running_apps.remove(app) {
                node.waiting.finished.push(app);
            }
        }
        let a = &self.apps[app.index()];
        self.events.push(RmEvent::AppOver {
            app,
            state: a.state.text().into(),
            diagnostics: a.diagnostics.clone(),
            at: a.finished_at.unwrap_or(self.cluster.now),
        });
    }

    /// Expires an allocated container that was never launched.
    pub fn expire_container<R: Recorder>(&mut self, container: ContainerId, rec: &mut R) {
        use crate::scheduler::ContainerState::{Acquired, Allocated};
        let Some(c) = self.cluster.container(container) else { return };
        if !matches!(c.state, Allocated | Acquired) {
            return;
        }
        let am = c.am;
        self.scheduler.end_container(&mut self.cluster, container, -100, EndCause::Expired, rec);
        if am {
            let why = AmEnd::Container(EndCause::Expired);
            self.am_containers_ended(vec![EndedAm::of(container.app, why)], rec);
        }
        self.after(rec);
    }

    /// Takes the scheduler's events.
    #[inline]
    pub(super) fn after<R: Recorder>(&mut self, rec: &mut R) {
        let c = &self.cluster;
        if !(c.ams_killed.is_empty() && c.am_allocated.is_empty() && c.stopped.is_empty()) {
            self.take_up_left(rec);
        }
    }

    fn take_up_left<R: Recorder>(&mut self, rec: &mut R) {
        for app in std::mem::take(&mut self.cluster.ams_killed) {
            self.am_preempted(app, rec);
        }
        for app in std::mem::take(&mut self.cluster.am_allocated) {
            let a = self.cluster.app(app);
            let (attempt, Some(seq)) = (a.attempt_id(), a.am_seq) else { continue };
            let container = a.container_id(seq);
            if let Some(c) = self.cluster.container(container) {
                // The AM is launched as soon as its container is allocated.
                self.apps[app.index()].attempt_hears(AttemptEvent::Allocated);
                self.apps[app.index()].attempt_hears(AttemptEvent::Launched);
                self.events.push(RmEvent::LaunchAm { attempt, container, node: c.node });
                // The ResourceManager pulls it with an allocate call of its own, which computes the headroom; a leaf
                // counts its active users again for that (RMAppAttemptImpl.AMContainerAllocatedTransition).
                if let Scheduler::Capacity(scheduler) = &mut self.scheduler {
                    scheduler.headroom(&self.cluster, app);
                }
            }
        }
        for stop in std::mem::take(&mut self.cluster.stopped) {
            let waiting = &mut self.cluster.node_mut(stop.node).waiting.stop;
            if !waiting.contains(&stop.container) {
                waiting.push(stop.container);
            }
            self.events.push(RmEvent::StopContainer(stop));
        }
    }
}
