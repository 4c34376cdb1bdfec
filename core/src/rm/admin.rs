//! Administrators' calls: move, priority, refresh (ClientRMService, AdminService; capacity-scheduler.md 11.4); and the
//! rounds of the schedulers' threads.

use super::admission::leaf_accepts;
use super::manager::ResourceManager;
use super::states::AppStep;
use super::texts;
use crate::api::{Commits, Properties, Refusal, RefusalRule, SettingsRule};
use crate::check::{Check, Checked};
use crate::config::fair::FairConf;
use crate::journal::Recorder;
use crate::model::{AppId, Millis, QueueId, java};
use crate::scheduler::capacity::access::{self, Person};
use crate::scheduler::capacity::{CapacityScheduler, Queue};
use crate::scheduler::fair::{self, MoveRefusal};
use crate::scheduler::{Cluster, Scheduler};
use std::sync::Arc;

impl ResourceManager {
    /// Moves an application to another queue. Errors: the queue may not have it.
    pub fn move_app<R: Recorder>(&mut self, app: AppId, queue: &str, rec: &mut R) -> Result<(), Refusal> {
        // With ACLs, the caller needs the right to submit to the queue; here the caller is always
        // [`access::ADMINISTRATOR`].
        let may = match &self.scheduler {
            Scheduler::Capacity(scheduler) => may_move_in_capacity(scheduler, queue),
            Scheduler::Fair(scheduler) => {
                scheduler.may_move(&fair::rooted(queue), access::ADMINISTRATOR, &[access::ADMINISTRATOR.to_string()])
            }
            Scheduler::Fifo(_) => true,
        };
        if !may {
            return Err(move_not_allowed(app, queue));
        }
        let live = self.apps.get(app.index()).is_some_and(|a| !a.state.is_final() && a.unanswered.is_none());
        if !live {
            let state = self.apps.get(app.index()).map_or("NEW", |a| match a.unanswered {
                Some(stays) if !a.state.is_final() => stays.text(),
                _ => a.state.text(),
            });
            let words = format!("App in {state} state cannot be moved.");
            return Err(Refusal::of(RefusalRule::NotMovable { state: state.to_string() }, words));
        }
        match &mut self.scheduler {
            Scheduler::Capacity(scheduler) => {
                let to = capacity_target(scheduler, &mut self.cluster, app, queue)?;
                scheduler.move_application(&mut self.cluster, app, to, rec);
            }
            Scheduler::Fair(scheduler) => {
                let target = fair::rooted(queue);
                let moved = scheduler.move_application(&mut self.cluster, app, &target, rec);
                moved.map_err(|why| self.move_refusal(app, (queue, &target), why))?;
            }
            Scheduler::Fifo(_) => {
                let words = "FifoScheduler does not support pre-validation of moving apps between queues";
                return Err(Refusal::of(RefusalRule::NoMoves, words));
            }
        }
        self.apps[app.index()].queue = self.scheduler.queue_path(self.cluster.app(app).queue).to_string();
        self.after(rec);
        Ok(())
    }

    /// Changes an application's priority, lowered to the cluster's maximum. Errors: the FairScheduler has no
    /// priorities; or the priority ACL of the queue does not allow the administrator this priority (administrators are
    /// no exception).
    pub fn set_priority<R: Recorder>(&mut self, app: AppId, priority: i32, rec: &mut R) -> Result<(), Refusal> {
        let live = self.apps.get(app.index()).is_some_and(|a| !a.state.is_final());
        if !live {
            return Ok(());
        }
        if let Some(state) = self.app(app).and_then(|a| a.unanswered).map(AppStep::text) {
            let words = format!("Application in {state} state cannot update priority.");
            return Err(Refusal::of(RefusalRule::PriorityStays { state: state.to_string() }, words));
        }
        if self.scheduler.fair().is_some() {
            let words = "Update application priority is not supported in Fair Scheduler";
            return Err(Refusal::of(RefusalRule::NoPriorities, words));
        }
        // The FifoScheduler accepts it and ignores it.
        if let Scheduler::Capacity(scheduler) = &mut self.scheduler {
            let administrator = Person { user: access::ADMINISTRATOR, groups: &[access::ADMINISTRATOR.to_string()] };
            let queue = &scheduler.queue(self.cluster.app(app).queue).conf;
            let name = texts::application(app);
            let priority = access::priority(&scheduler.conf, &name, Some(queue), Some(priority), administrator)?;
            // Quirk: YARN compares with the priority of the submission, so that a change back to it is ignored.
            if self.cluster.app(app).submitted_priority == priority {
                return Ok(());
            }
            let path = queue.path.clone();
            if let Some(parent) = leaf_no_more(scheduler, &path) {
                return Err(Refusal::of(RefusalRule::NotALeaf { queue: path }, texts::not_a_leaf(parent.conf.kind)));
            }
            scheduler.change_priority(&mut self.cluster, app, priority, rec);
        }
        Ok(())
    }

    /// Creates a leaf and its missing parents, as a submission to its path would (v2 automatic creation). Errors:
    /// YARN's reason.
    pub fn create_queue<R: Recorder>(&mut self, path: &str, rec: &mut R) -> Result<QueueId, Refusal> {
        match &mut self.scheduler {
            Scheduler::Capacity(scheduler) => scheduler.create_queue(&mut self.cluster, path, rec),
            Scheduler::Fair(scheduler) => {
                let made = fair::is_path(path).then(|| scheduler.find_or_create(&self.cluster, path, true));
                made.and_then(Result::ok).ok_or_else(|| Refusal::new(format!("{path} is not a leaf queue")))
            }
            Scheduler::Fifo(_) => Err(Refusal::new("the FifoScheduler makes no queues")),
        }
    }

    /// Creates a parent queue of the FairScheduler and its missing parents. Errors: the path cannot be a parent.
    pub fn create_parent(&mut self, path: &str) -> Result<QueueId, Refusal> {
        let Scheduler::Fair(scheduler) = &mut self.scheduler else {
            return Err(Refusal::new("only the FairScheduler makes parents by themselves"));
        };
        let made = fair::is_path(path).then(|| scheduler.find_or_create(&self.cluster, path, false));
        made.and_then(Result::ok).ok_or_else(|| Refusal::new(format!("{path} is not a parent queue")))
    }

    /// Sets the FairScheduler's settings of yarn-site.xml as if it had been started with them, as Hadoop's own tests do
    /// with a running one. Errors: they are refused.
    pub fn set_fair_settings(&mut self, yarn_site: &Properties) -> Result<(), Refusal> {
        let conf = FairConf::read(yarn_site)?;
        if let Scheduler::Fair(scheduler) = &mut self.scheduler {
            scheduler.set_conf(&mut self.cluster, conf);
        }
        Ok(())
    }

    /// Has the FairScheduler read the maximum allocation from yarn-site.xml again, as a refresh of the queues does.
    /// Errors: the settings are refused.
    pub fn refresh_maximum(&mut self, yarn_site: &Properties) -> Result<(), Refusal> {
        self.cluster.maximum = FairConf::read(yarn_site)?.maximum;
        Ok(())
    }

    /// Loads changed settings of the CapacityScheduler: the whole file. Errors: they are refused, and the old ones
    /// stay.
    pub fn refresh<R: Recorder>(&mut self, capacity_scheduler: Properties, rec: &mut R) -> Result<(), Refusal> {
        if let Scheduler::Capacity(scheduler) = &mut self.scheduler {
            let done = scheduler.refresh(&mut self.cluster, &capacity_scheduler, &self.settings, rec);
            done.map_err(of_settings)?;
        }
        Arc::make_mut(&mut self.settings).capacity_scheduler = capacity_scheduler;
        self.after(rec);
        Ok(())
    }

    /// Returns the period of QueueManagementDynamicEditPolicy; `None`: no parent creates leaves in the older form, so
    /// that it has nothing to do.
    pub fn queue_management_ms(&self) -> Option<Millis> {
        let scheduler = self.capacity().filter(|s| s.queues_want_managing(&self.cluster))?;
        scheduler.conf().monitors.queue_management_ms
    }

    /// Returns the period of AutoCreatedQueueDeletionPolicy; `None`: there is no queue that it could remove.
    pub fn queue_deletion_ms(&self) -> Option<Millis> {
        let scheduler = self.capacity().filter(|s| s.has_idle_queues())?;
        scheduler.deletion_interval()
    }

    /// Runs a round of the policy that gives guarantees to leaves of the older form of automatic creation. Returns
    /// whether it changed anything.
    pub fn manage_queues(&mut self) -> bool {
        match &mut self.scheduler {
            Scheduler::Capacity(scheduler) => scheduler.manage_queues(&mut self.cluster),
            _ => false,
        }
    }

    /// Runs a round of the policy that removes idle queues. Returns whether it removed any.
    pub fn remove_idle_queues<R: Recorder>(&mut self, rec: &mut R) -> bool {
        let Scheduler::Capacity(scheduler) = &mut self.scheduler else { return false };
        let removed = scheduler.remove_idle_queues(&mut self.cluster, rec);
        self.after(rec);
        removed
    }

    /// Returns the FairScheduler's words for why an application may not be moved to a queue. `written`: the queue's
    /// name as the caller wrote it.
    fn move_refusal(&self, app: AppId, (written, target): (&str, &str), why: MoveRefusal) -> Refusal {
        let attempt = texts::attempt(self.cluster.app(app).attempt_id());
        let violates = |checked: &Checked| {
            let what = if checked.check == Check::QueueParallelApps { "maxRunningApps" } else { "maxShare" };
            let queue = checked.about.queue().map_or("", |queue| self.scheduler.queue_path(queue));
            let words = format!(
                "Moving app attempt {attempt} to queue {target} would violate queue {what} constraints on queue {queue}"
            );
            Refusal::of(RefusalRule::MoveLimit { queue: queue.to_string(), limit: what.to_string() }, words)
        };
        match why {
            MoveRefusal::NoLeaf => {
                let words = format!("Target queue {written} not found or is not a leaf queue.");
                let there = self.scheduler.find_queue(target).is_some();
                let queue = target.to_string();
                Refusal::of(
                    if there { RefusalRule::NotALeaf { queue } } else { RefusalRule::UnknownQueue { queue } },
                    words,
                )
            }
            MoveRefusal::Violates(checked) => violates(&checked),
            MoveRefusal::NotRunnable => Refusal::new(format!(
                "Should have already verified that app {} would be runnable in new queue",
                texts::application(app)
            )),
        }
    }

    /// Loads a new allocation file of the FairScheduler. Errors: it is refused, and the old one stays.
    pub fn refresh_fair<R: Recorder>(&mut self, allocations: &str, rec: &mut R) -> Result<(), Refusal> {
        if let Scheduler::Fair(scheduler) = &mut self.scheduler {
            scheduler.load(&mut self.cluster, allocations, rec).map_err(of_settings)?;
            Arc::make_mut(&mut self.settings).fair_allocations = Some(allocations.to_string());
        }
        self.after(rec);
        Ok(())
    }

    /// Runs a round of the FairScheduler's update thread: demand and fair shares. Does nothing under other schedulers.
    pub fn update(&mut self) {
        if let Scheduler::Fair(scheduler) = &mut self.scheduler {
            scheduler.update(&self.cluster);
        }
    }

    /// Runs the FairScheduler's periodic check of queues that are empty or may change. Returns whether it changed any.
    pub fn check_queues(&mut self) -> bool {
        match &mut self.scheduler {
            Scheduler::Fair(scheduler) => scheduler.check_queues(&self.cluster),
            _ => false,
        }
    }

    /// Runs a pass of the FairScheduler's continuous scheduling. Returns whether it changed anything.
    pub fn continuous_pass<R: Recorder>(&mut self, rec: &mut R) -> bool {
        let Scheduler::Fair(scheduler) = &mut self.scheduler else { return false };
        let changed = scheduler.continuous_pass(&mut self.cluster, rec);
        self.after(rec);
        changed
    }

    /// Returns whether the scheduler is asynchronous: it works in [`ResourceManager::async_walk`] instead of in
    /// heartbeats.
    pub fn is_asynchronous(&self) -> bool {
        self.asynchronous
    }

    /// Runs a walk of asynchronous scheduling over all nodes, from a start (modulo their number) to the end, then from
    /// the first through the start again (capacity-scheduler.md 13); with multi-node placement, over all partitions.
    /// Returns whether anything was proposed.
    pub fn async_walk<R: Recorder>(&mut self, start: usize, commits: Commits, rec: &mut R) -> bool {
        let Scheduler::Capacity(scheduler) = &mut self.scheduler else { return false };
        let changed = scheduler.walk(&mut self.cluster, start, commits, rec);
        self.after(rec);
        changed
    }
}

/// Makes a refusal of settings out of any refusal.
fn of_settings(refusal: Refusal) -> Refusal {
    match *refusal.kind {
        RefusalRule::Settings(_) => refusal,
        _ => Refusal::of(SettingsRule::Other, refusal.message),
    }
}

fn may_move_in_capacity(scheduler: &CapacityScheduler, queue: &str) -> bool {
    let conf = &scheduler.conf;
    let groups = [access::ADMINISTRATOR.to_string()];
    let person = Person { user: access::ADMINISTRATOR, groups: &groups };
    let found = scheduler.find_queue(queue).map(|q| scheduler.queue(q).path.as_str());
    !conf.acl_enabled || found.is_some_and(|path| access::may_submit(conf, path, &[], person))
}

fn move_not_allowed(app: AppId, queue: &str) -> Refusal {
    let words = format!(
        "java.security.AccessControlException: User {} cannot submit applications to target queue or the target queue \
         doesn't exist: {queue} while moving {}",
        access::ADMINISTRATOR,
        texts::application(app)
    );
    let kind = RefusalRule::Permission { user: access::ADMINISTRATOR.to_string(), queue: queue.to_string() };
    Refusal::of(kind, words)
}

/// Returns the parent that a refresh put where an application's leaf was: the application runs on in the leaf, but YARN
/// finds its queue by the path.
fn leaf_no_more<'a>(scheduler: &'a CapacityScheduler, path: &str) -> Option<&'a Queue> {
    scheduler.find_queue(path).map(|id| scheduler.queue(id)).filter(|q| !q.is_leaf())
}

/// Returns the leaf that an application is to be moved to. Errors: it may not be moved there.
fn capacity_target(
    scheduler: &CapacityScheduler,
    c: &mut Cluster,
    app: AppId,
    queue: &str,
) -> Result<QueueId, Refusal> {
    let name = texts::application(app);
    let not_a_leaf = |queue: &str| {
        let kind = RefusalRule::NotALeaf { queue: queue.to_string() };
        Refusal::of(kind, format!("The specified Queue: {queue} is not a Leaf Queue."))
    };
    // YARN looks up the queue that it leaves first.
    let from = &scheduler.queue(c.app(app).queue).path;
    if leaf_no_more(scheduler, from).is_some() {
        return Err(not_a_leaf(from));
    }
    let Some(to) = scheduler.find_queue(queue) else {
        let kind = RefusalRule::UnknownQueue { queue: queue.to_string() };
        return Err(Refusal::of(kind, format!("The specified Queue: {queue} doesn't exist")));
    };
    if !scheduler.queue(to).is_leaf() {
        return Err(not_a_leaf(queue));
    }
    labels_accessible(scheduler, c, app, to)?;
    let user = c.app(app).user;
    leaf_accepts(scheduler, to, &name, user, c.user_name(user))?;
    Ok(to)
}

/// Checks that the new queue has access to all labels that were ever asked for (CapacityScheduler.checkQueuePartition).
/// Quirk: the check makes the attempt forget that it asked for the default partition; without labels nothing is
/// checked.
fn labels_accessible(scheduler: &CapacityScheduler, c: &mut Cluster, app: AppId, to: QueueId) -> Result<(), Refusal> {
    if !c.app(app).alive {
        return Ok(());
    }
    c.app_mut(app).requested_partitions.retain(|p| !p.is_default());
    let access = &scheduler.queue(to).conf.access;
    let asked = c.app(app).requested_partitions.iter().map(|p| c.partition_name(*p));
    let closed: Vec<&str> = asked.filter(|label| !access.has(label)).collect();
    if closed.is_empty() {
        return Ok(());
    }
    let open: Vec<&str> = access.labels.iter().map(String::as_str).collect();
    let kind = RefusalRule::LabelAccess {
        queue: scheduler.queue(to).path.clone(),
        label: closed.join(", "),
        open: access.labels.to_vec(),
    };
    let words = format!(
        "Specified queue={} can't satisfy following apps label expressions =[{}] accessible node labels =[{}]",
        scheduler.queue(to).path,
        java::set_walk(&closed).join(", "),
        java::set_walk(&open).join(", ")
    );
    Err(Refusal::of(kind, words))
}
