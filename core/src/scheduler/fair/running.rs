//! Limits of running applications, of queues and of users (MaxRunningAppsEnforcer; fair-scheduler.md 8).

use super::FairScheduler;
use crate::check::{About, Check, Checked, Figures};
use crate::journal::{Change, Recorder};
use crate::model::{AppId, QueueId, Resource, UserId};
use crate::scheduler::Cluster;
use crate::scheduler::app::{FairStop, FairWait};

impl FairScheduler {
    /// Returns how many applications of a user may run at a time; `i32::MAX` without a setting.
    pub fn user_maximum(&self, c: &Cluster, user: UserId) -> i64 {
        let own = self.file.user_max_apps.get(c.user_name(user)).copied();
        i64::from(own.unwrap_or(self.file.user_max_apps_default))
    }

    fn user_running(&self, user: UserId) -> i64 {
        self.running_by_user.get(user.index()).copied().unwrap_or(0)
    }

    fn waiting_of(&mut self, user: UserId) -> &mut Vec<AppId> {
        if self.waiting_by_user.len() <= user.index() {
            self.waiting_by_user.resize_with(user.index() + 1, Vec::new);
        }
        &mut self.waiting_by_user[user.index()]
    }

    /// 8.1: returns the first limit that would hold an application back in a leaf, with the number of applications
    /// under it.
    pub(super) fn running_stop(&self, c: &Cluster, user: UserId, leaf: QueueId) -> Option<Checked> {
        self.running_stops(c, user, leaf).next()
    }

    /// Returns the limits that would hold it back, in the order of the checks, with the number of applications under
    /// each.
    pub(super) fn running_stops(&self, c: &Cluster, user: UserId, leaf: QueueId) -> impl Iterator<Item = Checked> + '_ {
        let (have, need) = (self.user_running(user), self.user_maximum(c, user));
        let of_user = || Checked::failed(Check::UserParallelApps, About::User(user), Figures::Count { have, need });
        let full = self.path_up(leaf).map(|id| self.queue(id)).filter(|q| q.is_full());
        let of_queues = full.map(|full| {
            let figures = Figures::Count { have: full.running_apps, need: i64::from(full.max_apps) };
            Checked::failed(Check::QueueParallelApps, About::Queue(full.id), figures)
        });
        (have >= need).then(of_user).into_iter().chain(of_queues)
    }

    /// Records in its AM status that a limit, of a user or of a queue, held an application back.
    pub(super) fn note_running_stop(&self, c: &mut Cluster, app: AppId, of: About, leaf: QueueId) {
        let of_user = matches!(of, About::User(_));
        let stop = if of_user { FairStop::UserParallelApps } else { FairStop::QueueParallelApps };
        self.note_wait(c, app, FairWait { stop, leaf, size: Resource::ZERO });
    }

    /// Counts a runnable application that comes (+1) or goes (−1).
    pub(super) fn count_running(&mut self, user: UserId, leaf: QueueId, by: i64) {
        if self.running_by_user.len() <= user.index() {
            self.running_by_user.resize(user.index() + 1, 0);
        }
        self.running_by_user[user.index()] += by;
        let mut at = Some(leaf);
        while let Some(id) = at {
            let q = self.queue_mut(id);
            q.running_apps += by;
            at = q.parent;
        }
    }

    /// Adds an attempt to its leaf, as runnable or held back.
    pub(super) fn join_leaf<R: Recorder>(&mut self, c: &mut Cluster, app: AppId, rec: &mut R) {
        let (user, leaf) = (c.app(app).user, c.app(app).queue);
        match self.running_stop(c, user, leaf) {
            None => self.become_runnable(c, app),
            Some(why) => {
                let of = why.about;
                rec.note(c.now, || Change::NotRunnable { app, why });
                let a = c.app_mut(app);
                (a.runnable, a.active) = (false, false);
                self.queue_mut(leaf).waiting.push(app);
                self.waiting_of(user).push(app);
                self.note_running_stop(c, app, of, leaf);
            }
        }
    }

    fn become_runnable(&mut self, c: &mut Cluster, app: AppId) {
        let a = c.app_mut(app);
        (a.runnable, a.active) = (true, true);
        let (user, leaf) = (a.user, a.queue);
        self.number(app);
        let q = self.queue_mut(leaf);
        q.runnable.push(app);
        q.in_order = false;
        self.count_running(user, leaf, 1);
    }

    /// Removes an attempt that was held back.
    pub(super) fn leave_waiting(&mut self, user: UserId, leaf: QueueId, app: AppId) {
        self.queue_mut(leaf).waiting.retain(|a| *a != app);
        self.waiting_of(user).retain(|a| *a != app);
    }

    /// Collects the lists of held back applications of the leaves below a queue. Enters only queues that are not full.
    fn gather(&self, queue: QueueId, lists: &mut Vec<Vec<AppId>>) {
        let q = self.queue(queue);
        if q.is_full() {
            return;
        }
        if q.leaf {
            lists.push(q.waiting.clone());
        } else {
            q.children.iter().for_each(|child| self.gather(*child, lists));
        }
    }

    /// 8.2: lets waiting attempts run after a runnable one of this user has left a leaf; the counts are already
    /// lowered.
    pub(super) fn after_running_left<R: Recorder>(
        &mut self,
        c: &mut Cluster,
        user: UserId,
        leaf: QueueId,
        rec: &mut R,
    ) {
        let was_full = |id: &QueueId| {
            let q = self.queue(*id);
            q.running_apps == i64::from(q.max_apps) - 1
        };
        let highest = self.path_up(leaf).filter(was_full).last();
        let mut lists = Vec::new();
        if let Some(highest) = highest {
            self.gather(highest, &mut lists);
        }
        if self.user_running(user) == self.user_maximum(c, user) - 1
            && let Some(waiting) = self.waiting_by_user.get(user.index())
        {
            lists.push(waiting.clone());
        }
        let most = lists.len();
        self.release(c, lists, most, rec);
    }

    /// 8.3: lets waiting attempts run after a new file.
    pub(super) fn release_after_load<R: Recorder>(&mut self, c: &mut Cluster, rec: &mut R) {
        let mut lists = Vec::new();
        self.gather(super::ROOT, &mut lists);
        self.release(c, lists, usize::MAX, rec);
    }

    /// Makes applications that pass the limits runnable, in the order of lists merged by start, at most `most` of them.
    fn release<R: Recorder>(&mut self, c: &mut Cluster, lists: Vec<Vec<AppId>>, most: usize, rec: &mut R) {
        let mut next = vec![0; lists.len()];
        let (mut released, mut last) = (0, None);
        while released < most {
            let heads = lists.iter().zip(&next).enumerate();
            let heads = heads.filter_map(|(i, (list, at))| Some((self.apps[list.get(*at)?.index()].started_at, i)));
            let Some((_, i)) = heads.min() else { return };
            let app = lists[i][next[i]];
            next[i] += 1;
            // An application that comes twice in succession is skipped the second time.
            if last.replace(app) == Some(app) || c.app(app).runnable {
                continue;
            }
            let (user, leaf) = (c.app(app).user, c.app(app).queue);
            match self.running_stop(c, user, leaf) {
                Some(why) => {
                    let of = why.about;
                    rec.note(c.now, || Change::NotRunnable { app, why });
                    self.note_running_stop(c, app, of, leaf);
                }
                None => {
                    self.leave_waiting(user, leaf, app);
                    self.become_runnable(c, app);
                    released += 1;
                }
            }
        }
    }
}
