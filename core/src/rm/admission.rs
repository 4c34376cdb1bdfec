//! Admission of a submission: queue mapping, permission, and the scheduler's checks in their order (RMAppManager,
//! CapacityScheduler.addApplication; capacity-scheduler.md section 4, fair-scheduler.md 6).

use super::manager::{ResourceManager, RmApp};
use super::states::AppStep;
use super::texts;
use crate::api::{Refusal, RefusalRule, Submission};
use crate::config::capacity::{QueueConf, QueueKind};
use crate::journal::{Change, Recorder};
use crate::model::{AppId, QueueId, UserId};
use crate::scheduler::app::AmRequest;
use crate::scheduler::capacity::access::{self, Person};
use crate::scheduler::capacity::mapping::Applicant;
use crate::scheduler::capacity::{CapacityScheduler, Queue, QueueState};
use crate::scheduler::{ChosenBy, Cluster, QueueChoice, Scheduler, fair, fifo};

/// The queue that an application is to go to.
pub(super) struct TargetQueue {
    /// The queue as the submission or a rule names it.
    pub queue: String,
    /// The queue's name in the submission from then on: the submitted one where only the queues above differ
    /// (RMAppManager.copyPlacementQueueToSubmissionContext).
    pub said: String,
    /// The queue, if it exists.
    pub found: Option<QueueId>,
    /// Whether a rule chose it.
    pub by_rule: bool,
}

/// A submission that is being admitted.
pub(super) struct Applying<'a> {
    pub rm: &'a mut ResourceManager,
    pub submission: &'a Submission,
    pub user: UserId,
}

/// The result of the admission: user, queue and priority.
pub(super) struct AdmittedApp {
    pub user: UserId,
    pub place: TargetQueue,
    pub priority: i32,
}

impl Applying<'_> {
    /// Step 1: applies the queue mapping (RMAppManager.placeApplication), and records the rules that were tried.
    /// Errors: a rule refuses the submission; or it names the empty queue, even where a rule would place it.
    pub fn place(&self, choice: &mut QueueChoice) -> Result<TargetQueue, Refusal> {
        let place = self.place_by_rules(choice)?;
        if self.submission.queue.is_empty() {
            let words = format!(
                "Failed to place application {} in a queue and submit context queue is null or empty",
                texts::application(AppId::from(self.rm.apps.len()))
            );
            return Err(Refusal::of(RefusalRule::QueueUnnamed, words));
        }
        Ok(place)
    }

    fn place_by_rules(&self, choice: &mut QueueChoice) -> Result<TargetQueue, Refusal> {
        if let Some(name) = self.named_in_tags() {
            // A rule's queue counts if it exists and the user may submit to it; otherwise the submission counts as
            // naming none.
            let groups = self.rm.cluster.groups_of(&name);
            let place = self.place_for(&name, &groups, choice)?;
            if place.by_rule && place.found.is_some_and(|queue| self.may_submit(queue)) {
                choice.on_behalf_of = Some(name);
                return Ok(place);
            }
        }
        self.place_for(&self.submission.user, self.rm.cluster.user_groups(self.user), choice)
    }

    /// Returns the user that the tag `userid=` names, where `application-tag-based-placement` is on and the submitter
    /// may use it.
    fn named_in_tags(&self) -> Option<String> {
        let site = &self.rm.site;
        if !site.places_by_tag || !site.tag_placers.contains(&self.submission.user) {
            return None;
        }
        let tags = self.rm.application_tags(&self.submission.tags);
        tags.iter().find_map(|tag| tag.strip_prefix("userid=").map(str::to_owned))
    }

    /// Returns whether the user may submit to a queue.
    fn may_submit(&self, queue: QueueId) -> bool {
        let (user, groups) = (self.submission.user.as_str(), self.rm.cluster.user_groups(self.user));
        let path = self.rm.scheduler.queue_path(queue);
        match &self.rm.scheduler {
            Scheduler::Capacity(scheduler) => {
                let conf = &scheduler.conf;
                !conf.acl_enabled || access::may_submit(conf, path, &[], Person { user, groups })
            }
            Scheduler::Fair(scheduler) => scheduler.may_submit(path, user, groups),
            Scheduler::Fifo(_) => true,
        }
    }

    /// Returns where the rules of the queue mapping place the application of a user.
    fn place_for(&self, user: &str, groups: &[String], choice: &mut QueueChoice) -> Result<TargetQueue, Refusal> {
        let s = self.submission;
        let placed = match &self.rm.scheduler {
            Scheduler::Capacity(scheduler) => {
                let applicant = Applicant { queue: &s.queue, user, groups, application: &s.name };
                scheduler.place(&applicant, &mut choice.by)?
            }
            Scheduler::Fair(scheduler) => {
                let mut looks = Vec::new();
                let placed = scheduler.place(&fair::Applicant { queue: &s.queue, user, groups }, &mut looks);
                choice.by = ChosenBy::Fair(looks);
                let placed = placed?;
                if placed.is_none() {
                    let (queue, said) = (s.queue.clone(), s.queue.clone());
                    return Ok(TargetQueue { queue, said, found: None, by_rule: false });
                }
                placed
            }
            Scheduler::Fifo(_) => Some(fifo::QUEUE.to_string()),
        };
        let by_rule = placed.is_some();
        let queue = placed.unwrap_or_else(|| s.queue.clone());
        let found = self.rm.scheduler.find_queue(&queue);
        let name = queue.rsplit('.').next().unwrap_or_default();
        let own_words = self.rm.scheduler.capacity().is_some() && name.eq_ignore_ascii_case(&s.queue);
        let said = if own_words { s.queue.clone() } else { queue.clone() };
        Ok(TargetQueue { queue, said, found, by_rule })
    }

    /// Checks the permission to submit, and returns the priority. Errors: the user may not have it.
    pub fn permitted_priority(&self, place: &TargetQueue) -> Result<i32, Refusal> {
        let (s, user) = (self.submission, self.user);
        match &self.rm.scheduler {
            Scheduler::Capacity(scheduler) => {
                let next = texts::application(AppId::from(self.rm.apps.len()));
                capacity_priority(scheduler, &self.rm.cluster, s, (user, &next), place)
            }
            Scheduler::Fair(scheduler) => {
                // An application without a queue is rejected later.
                if place.by_rule {
                    let next = texts::application(AppId::from(self.rm.apps.len()));
                    let groups = self.rm.cluster.user_groups(user);
                    scheduler.check_access(&next, &place.queue, &s.user, groups)?;
                }
                Ok(0)
            }
            Scheduler::Fifo(_) => Ok(0),
        }
    }

    /// Returns the request for the AM's container. Errors: it may not be asked for.
    pub fn am_request(&mut self, place: &TargetQueue) -> Result<Option<AmRequest>, Refusal> {
        let s = self.submission;
        let queue = self.rm.scheduler.find_queue(&place.said);
        let Some(am) = &s.am else { return Ok(None) };
        // An empty label of the AM's request counts as none; the application's own empty label as the default
        // partition.
        let given = |label: &Option<String>| label.clone().filter(|l| !l.is_empty());
        let checks = self.rm.checks();
        let own = given(&checks.enforced(am.label.as_deref(), s.label.as_deref()));
        let label = own.or_else(|| self.rm.site.am_default_label.clone()).or_else(|| s.label.clone());
        let unlabelled = label.is_none() && queue.is_none();
        let partition = match checks.one(queue, label.as_deref(), "*", (am.size, true)) {
            Ok(partition) => partition,
            // Without a queue the label is not checked: the AM waits for a node that cannot exist.
            Err(refusal) => match &*refusal.kind {
                RefusalRule::LabelUnknown { label } if queue.is_none() => self.rm.cluster.partition_or_unknown(label),
                _ => return Err(refusal),
            },
        };
        let c = &mut self.rm.cluster;
        let size = self.rm.scheduler.normalize(c, queue, am.size);
        let relax = am.places.iter().find(|p| p.name == "*").is_none_or(|p| p.relax);
        let named = am.places.iter().filter(|p| p.name != "*");
        let places = named.map(|p| (c.place(&p.name), p.relax)).collect();
        Ok(Some(AmRequest { size, partition, unlabelled, places, relax }))
    }
}

impl ResourceManager {
    /// Records that the scheduler threw an exception that nobody catches: the application stays in its state.
    fn unanswered<R: Recorder>(&mut self, app: AppId, stays: AppStep, rec: &mut R) -> Result<(), Refusal> {
        self.apps[app.index()].unanswered = Some(stays);
        rec.note(self.cluster.now, || Change::Unanswered { app });
        Ok(())
    }

    /// Runs the scheduler's checks in their order, then adds the first attempt. Errors: the application is rejected.
    pub(super) fn accept<R: Recorder>(&mut self, id: AppId, entry: &AdmittedApp, rec: &mut R) -> Result<(), Refusal> {
        let (user, place) = (entry.user, &entry.place);
        let queue = match &mut self.scheduler {
            Scheduler::Capacity(scheduler) => {
                let (c, app) = (&mut self.cluster, &mut self.apps[id.index()]);
                let (queue, priority) = match accept_in_capacity(scheduler, c, app, entry, rec) {
                    // Thrown by the lookup of its lifetime, before the application is saved.
                    Err(threw) if threw.throws() => return self.unanswered(id, AppStep::New, rec),
                    answer => answer?,
                };
                c.app_mut(id).submitted_priority = priority;
                queue
            }
            Scheduler::Fair(scheduler) => {
                let name = texts::application(id);
                let app = &self.apps[id.index()];
                let path = place.by_rule.then_some(place.queue.as_str());
                let am = app.am.as_ref().map(|am| am.size);
                let names = (name.as_str(), app.submission.user.as_str());
                let found = scheduler.accept(&mut self.cluster, id, names, path, am)?;
                let Some(queue) = found else { return self.unanswered(id, AppStep::Submitted, rec) };
                queue
            }
            Scheduler::Fifo(_) => fifo::ONLY,
        };
        let rm_app = &mut self.apps[id.index()];
        if self.scheduler.capacity().is_none() {
            limit_lifetime(rm_app, None);
        }
        rm_app.queue = self.scheduler.queue_path(queue).to_string();
        self.cluster.app_mut(id).queue = queue;
        rec.note(self.cluster.now, || Change::Submitted { app: id, queue, user });
        if let Scheduler::Capacity(scheduler) = &mut self.scheduler {
            scheduler.count_application(queue, 1);
            scheduler.note_submission(&self.cluster, queue);
        }
        if self.add_attempt(id, rec) {
            self.ask_for_am(id);
        }
        Ok(())
    }

    /// Adds an application's next attempt to the scheduler. Every attempt sends the same request for its AM's container, and
    /// the scheduler rounds the request itself: the next attempt begins with the size that this one asked for
    /// (RMAppAttemptImpl.ScheduleTransition, AbstractYarnScheduler.normalizeResourceRequests).
    pub(super) fn add_attempt<R: Recorder>(&mut self, id: AppId, rec: &mut R) -> bool {
        let am = self.apps[id.index()].am.clone();
        self.scheduler.add_attempt(&mut self.cluster, id, am.as_ref(), rec)
    }

    /// Requests the AM's container of an attempt. A request without a label gets the default label of the application's
    /// present queue (RMAppAttemptImpl.ScheduleTransition).
    pub(super) fn ask_for_am(&mut self, id: AppId) {
        let Some(mut am) = self.apps[id.index()].am.clone() else { return };
        if let (Scheduler::Capacity(scheduler), true) = (&self.scheduler, am.unlabelled) {
            let label = scheduler.queue(self.cluster.app(id).queue).conf.default_label.as_deref();
            am.partition = self.cluster.partition_or_unknown(label.unwrap_or(""));
            am.unlabelled = label.is_none();
        }
        if let Some(size) = self.scheduler.ask_for_am(&mut self.cluster, id, &am) {
            am.size = size;
        }
        self.apps[id.index()].am = Some(am);
    }
}

fn capacity_priority(
    scheduler: &CapacityScheduler,
    cluster: &Cluster,
    s: &Submission,
    (user, name): (UserId, &str),
    place: &TargetQueue,
) -> Result<i32, Refusal> {
    let conf = &scheduler.conf;
    let person = Person { user: &s.user, groups: cluster.user_groups(user) };
    let said = scheduler.find_queue(&place.said).map(|q| &scheduler.queue(q).conf);
    let priority = access::priority(conf, name, said, s.priority, person)?;
    if conf.acl_enabled {
        let queue = place.found.map(|q| &scheduler.queue(q).conf);
        let path = queue.map_or(place.queue.as_str(), |q| q.path.as_str());
        let future = if place.found.is_some() { Some(Vec::new()) } else { scheduler.future_queues(&place.queue) };
        if future.is_some_and(|future| !access::may_submit(conf, path, &future, person)) {
            return Err(access::no_permission(&s.user, name, &place.said));
        }
    }
    Ok(priority)
}

/// Runs the CapacityScheduler's checks. Returns the leaf and the application's priority. Errors: the application is
/// rejected.
fn accept_in_capacity<R: Recorder>(
    scheduler: &mut CapacityScheduler,
    c: &mut Cluster,
    app: &mut RmApp,
    entry: &AdmittedApp,
    rec: &mut R,
) -> Result<(QueueId, i32), Refusal> {
    let AdmittedApp { user, ref place, priority } = *entry;
    let name = texts::application(app.id);
    let asked = &place.queue;
    let user_name = c.user_name(user).to_string();
    // Step 3, the queue, which may be created. It comes first, since YARN reads its lifetimes before it asks the
    // scheduler.
    let found = scheduler.find_or_create(c, asked, place.by_rule, rec).map_err(|refusal| {
        if refusal.throws() {
            return refusal;
        }
        let reason = refusal.message;
        let words =
            format!("Application {name} submission by user : {user_name} to  queue : {asked} failed : {reason}");
        Refusal::of(RefusalRule::NotCreated { queue: asked.clone(), reason }, words)
    })?;
    let Some(queue) = found else {
        let start = format!("Application {name} submitted by user {user_name}");
        let named = scheduler.queues_named(asked);
        let queue = asked.clone();
        return Err(if named.len() > 1 {
            let paths = named.iter().map(|q| scheduler.queue(*q).path.clone()).collect();
            let words = format!("{start} to ambiguous queue: {asked} please use full queue path instead.");
            Refusal::of(RefusalRule::AmbiguousQueue { queue, paths }, words)
        } else {
            Refusal::of(RefusalRule::UnknownQueue { queue }, format!("{start}{start} to unknown queue: {asked}"))
        });
    };
    c.app_mut(app.id).queue = queue;
    let leaf = scheduler.queue(queue);
    limit_lifetime(app, leaf.is_leaf().then_some(&leaf.conf));
    // Step 2: the limit of the whole cluster.
    let all = scheduler.queue(QueueId(0)).applications;
    let maximum = i64::from(scheduler.conf.maximum_applications);
    if all >= maximum {
        let words = format!("Maximum system application limit reached,cannot accept submission of application: {name}");
        return Err(Refusal::of(RefusalRule::SystemApplications { there: all, maximum }, words));
    }
    if !scheduler.queue(queue).is_leaf() {
        let words = format!("Application {name} submitted by user : {user_name} to non-leaf queue : {asked}");
        return Err(Refusal::of(RefusalRule::NotALeaf { queue: asked.clone() }, words));
    }
    if scheduler.queue(queue).conf.kind == QueueKind::AutoCreatedLeaf && !place.by_rule {
        let words = format!(
            "Application {name} submission by user : {user_name} to specified queue : {asked}  is prohibited. Verify \
             automatic queue mapping for user exists in yarn.scheduler.capacity.queue-mappings"
        );
        return Err(Refusal::of(RefusalRule::MappingOnly { queue: asked.clone() }, words));
    }
    // Steps 5 and 6: the leaf and its ancestors.
    leaf_accepts(scheduler, queue, &name, user, &user_name).map_err(|r| Refusal {
        message: format!("org.apache.hadoop.security.AccessControlException: {}", r.message),
        ..r
    })?;
    let path = &scheduler.queue(queue).path;
    let by_workflow = access::workflow_priority(&scheduler.conf, path, &app.submission.tags);
    Ok((queue, by_workflow.unwrap_or(priority)))
}

/// Sets the end of an application's lifetime, by its submission and its leaf
/// (CapacityScheduler.checkAndGetApplicationLifetime).
fn limit_lifetime(app: &mut RmApp, leaf: Option<&QueueConf>) {
    let seconds = match (app.submission.lifetime_s, leaf) {
        (wish, None) => wish.unwrap_or(-1),
        (None, Some(conf)) => conf.default_lifetime_s,
        (Some(wish), Some(conf)) if conf.maximum_lifetime_s > 0 => wish.min(conf.maximum_lifetime_s),
        (Some(wish), _) => wish,
    };
    app.expires_at = (seconds > 0).then(|| app.submitted_at.saturating_add(seconds.saturating_mul(1000)));
}

/// Checks that the leaf may take one more application of this user. Errors: a limit is reached.
pub(super) fn leaf_accepts(
    scheduler: &CapacityScheduler,
    queue: QueueId,
    name: &str,
    user: UserId,
    user_name: &str,
) -> Result<(), Refusal> {
    let q = scheduler.queue(queue);
    let Some(leaf) = &q.leaf else { return Ok(()) };
    let path = &q.path;
    not_stopped(q, name)?;
    // Leaves of the older form of automatic creation are exempt.
    let counts = q.conf.kind != QueueKind::AutoCreatedLeaf;
    let there = leaf.applications() as i64;
    let (maximum, basis) = (i64::from(leaf.max_applications.maximum()), leaf.max_applications);
    if counts && there >= maximum {
        let words =
            format!("Queue {path} already has {there} applications, cannot accept submission of application: {name}");
        return Err(Refusal::of(RefusalRule::QueueApplications { queue: path.clone(), there, maximum, basis }, words));
    }
    let of_user = leaf.users.get(user).map_or(0, |u| u.active_apps + u.pending_apps);
    if counts && of_user >= leaf.max_applications_per_user {
        let words = format!(
            "Queue {path} already has {of_user} applications from user {user_name} cannot accept submission of \
             application: {name}"
        );
        let kind = RefusalRule::UserApplications {
            queue: path.clone(),
            user: user_name.to_string(),
            there: of_user,
            maximum: leaf.max_applications_per_user,
            of_queue: (maximum, basis),
            percent: q.conf.user_limit_percent,
            factor: q.conf.user_limit_factor,
        };
        return Err(Refusal::of(kind, words));
    }
    let mut above = q.parent;
    while let Some(id) = above {
        let parent = scheduler.queue(id);
        not_stopped(parent, name)?;
        above = parent.parent;
    }
    Ok(())
}

/// Checks that a queue takes new applications. Errors: it is STOPPED, or DRAINING (YARN calls both STOPPED here).
fn not_stopped(q: &Queue, name: &str) -> Result<(), Refusal> {
    if q.state == QueueState::Running {
        return Ok(());
    }
    let words = format!("Queue {} is STOPPED. Cannot accept submission of application: {name}", q.path);
    let kind = RefusalRule::NotRunning { queue: q.path.clone(), draining: q.state == QueueState::Draining };
    Err(Refusal::of(kind, words))
}
