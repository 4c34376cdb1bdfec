//! Limits of parallel applications (CSMaxRunningAppsEnforcer; capacity-scheduler.md section 4, "Parallel
//! applications"). An attempt beyond them waits outside its leaf's pending list.

use super::CapacityScheduler;
use crate::check::{About, Check, Checked, Figures};
use crate::journal::{Change, Recorder};
use crate::model::{AppId, Millis, QueueId, UserId};
use crate::scheduler::{AmStatus, Cluster};

/// Merges the lists by start time: always takes the head of the list that is first in a Java `PriorityQueue`, where
/// lists with equal heads keep the places that its moves gave them (MultiListStartTimeIterator).
fn merged(lists: &[Vec<AppId>], start: impl Fn(AppId) -> Millis) -> Vec<AppId> {
    let key = |list: usize, at: usize| lists[list].get(at).map_or(Millis::MAX, |a| start(*a));
    let mut heap: Vec<(Millis, usize)> = Vec::new();
    let mut at = vec![0; lists.len()];
    let mut out = Vec::new();
    let add = |heap: &mut Vec<(Millis, usize)>, entry: (Millis, usize)| {
        heap.push(entry);
        let mut child = heap.len() - 1;
        while child > 0 && entry.0 < heap[(child - 1) / 2].0 {
            heap.swap(child, (child - 1) / 2);
            child = (child - 1) / 2;
        }
    };
    for list in 0..lists.len() {
        add(&mut heap, (key(list, 0), list));
    }
    while let Some((_, list)) = heap.first().copied().filter(|(time, _)| *time != Millis::MAX) {
        // The last entry takes the first place and sinks; then the list comes back with its next head.
        heap.swap_remove(0);
        let mut parent = 0;
        loop {
            let (left, right) = (2 * parent + 1, 2 * parent + 2);
            if left >= heap.len() {
                break;
            }
            let child = if right < heap.len() && heap[left].0 > heap[right].0 { right } else { left };
            if heap[parent].0 <= heap[child].0 {
                break;
            }
            heap.swap(parent, child);
            parent = child;
        }
        out.push(lists[list][at[list]]);
        at[list] += 1;
        add(&mut heap, (key(list, at[list]), list));
    }
    out
}

impl CapacityScheduler {
    /// Returns a user's maximum; `None`: the setting is not a number.
    fn user_maximum(&self, c: &Cluster, user: UserId) -> Option<i64> {
        let of_user = self.conf.users_max_parallel_apps.get(c.user_name(user));
        of_user.unwrap_or(&self.conf.user_max_parallel_apps).as_ref().ok().map(|n| i64::from(*n))
    }

    fn user_running(&self, user: UserId) -> i64 {
        self.running_by_user.get(user.index()).copied().unwrap_or(0)
    }

    /// Returns the first limit that holds an attempt back, with the number of attempts under it; `None`: no limit does.
    fn parallel_stop(&self, c: &Cluster, app: AppId) -> Option<Checked> {
        self.parallel_stops(c, app).next()
    }

    /// Returns the limits that hold an attempt back, in the order of the checks, with the number of attempts under
    /// each.
    pub(super) fn parallel_stops<'a>(&'a self, c: &Cluster, app: AppId) -> impl Iterator<Item = Checked> + 'a {
        let (user, leaf) = (c.app(app).user, c.app(app).queue);
        let about = About::User(user);
        let of_user = match (self.user_running(user), self.user_maximum(c, user)) {
            (_, None) => Some(Checked::failed(Check::UserParallelLimitReadable, about, Figures::None)),
            (have, Some(need)) => {
                let failed = || Checked::failed(Check::UserParallelApps, about, Figures::Count { have, need });
                (have >= need).then(failed)
            }
        };
        let of_queues = self.books.path_up(leaf).filter_map(|id| {
            let q = self.queue(id);
            let maximum = i64::from(q.conf.max_parallel_apps);
            let figures = Figures::Count { have: q.running_apps, need: maximum };
            let failed = || Checked::failed(Check::QueueParallelApps, About::Queue(id), figures);
            (q.running_apps >= maximum).then(failed)
        });
        of_user.into_iter().chain(of_queues)
    }

    /// Returns whether a limit of parallel applications holds an attempt back now.
    pub(super) fn is_held_back(&self, c: &Cluster, app: AppId) -> bool {
        self.parallel_stop(c, app).is_some()
    }

    /// Counts a runnable attempt that comes (+1) or goes (−1).
    pub(super) fn count_running(&mut self, c: &Cluster, app: AppId, by: i64) {
        let (leaf, user) = (c.app(app).queue, c.app(app).user);
        if self.running_by_user.len() <= user.index() {
            self.running_by_user.resize(user.index() + 1, 0);
        }
        self.running_by_user[user.index()] += by;
        self.books.count_running(leaf, by);
    }

    /// Adds an attempt to its leaf's pending applications, or to those that wait for a parallel limit. Returns false if
    /// YARN throws: then it asks for no ApplicationMaster.
    pub(super) fn start_attempt<R: Recorder>(&mut self, c: &mut Cluster, app: AppId, rec: &mut R) -> bool {
        c.app_mut(app).thought_waiting = false;
        match self.parallel_stop(c, app) {
            None => {
                c.app_mut(app).runnable = true;
                self.count_running(c, app, 1);
                self.books.submit_attempt(c, app, rec);
            }
            Some(why) => {
                let readable = why.check != Check::UserParallelLimitReadable;
                rec.note(c.now, || Change::NotRunnable { app, why });
                c.app_mut(app).runnable = false;
                c.set_am_status(app, AmStatus::Silent);
                // The attempt is in no list, unless the application is moved.
                if !readable {
                    return false;
                }
                self.waiting.push(app);
                self.wait_for_parallel_limit(c, app);
            }
        }
        true
    }

    /// Adds an attempt to its leaf's list of waiting ones. The leaf has a record of the user from now on, without an
    /// application.
    pub(super) fn wait_for_parallel_limit(&mut self, c: &Cluster, app: AppId) {
        let (leaf, user) = (c.app(app).queue, c.app(app).user);
        let weight = self.queue(leaf).user_weight(c, user);
        if let Some(l) = self.books.leaf_mut(c, leaf) {
            l.users.get_or_add(user, weight);
            l.not_runnable.push(app);
        }
    }

    /// Returns a user's waiting attempts, in the order in which they came; a move does not change it.
    fn waiting_of(&self, user: UserId, c: &Cluster) -> Vec<AppId> {
        self.waiting.iter().copied().filter(|a| c.app(*a).user == user).collect()
    }

    /// Collects the lists of waiting attempts of the leaves below a queue, empty ones too. Enters only queues below
    /// their limits.
    fn gather(&self, queue: QueueId, lists: &mut Vec<Vec<AppId>>) {
        let q = self.queue(queue);
        if q.running_apps >= i64::from(q.conf.max_parallel_apps) {
            return;
        }
        match &q.leaf {
            Some(l) => lists.push(l.not_runnable.clone()),
            None => q.children.iter().for_each(|child| self.gather(*child, lists)),
        }
    }

    /// Makes waiting attempts that pass the limits runnable, by start time, at most `most` of them.
    fn release_waiting<R: Recorder>(&mut self, c: &mut Cluster, lists: Vec<Vec<AppId>>, most: usize, rec: &mut R) {
        let all = merged(&lists, |a| c.app(a).started_at);
        let (mut released, mut before) = (0, None);
        for app in all {
            if released >= most {
                break;
            }
            // An attempt may be in its leaf's list and in its user's. Unless it comes twice in a row, it is checked
            // twice; if it was just made runnable and left no room for its user, YARN takes it for a waiting one
            // (quirk).
            if before.replace(app) == Some(app) {
                continue;
            }
            if self.parallel_stop(c, app).is_some() {
                let a = c.app_mut(app);
                a.thought_waiting = a.runnable;
                continue;
            }
            self.waiting.retain(|a| *a != app);
            let leaf = c.app(app).queue;
            if let Some(l) = self.books.leaf_mut(c, leaf) {
                l.not_runnable.retain(|a| *a != app);
            }
            c.app_mut(app).runnable = true;
            self.count_running(c, app, 1);
            self.books.submit_attempt(c, app, rec);
            released += 1;
        }
    }

    /// Lets waiting attempts take the place of a runnable one that has gone (the counts are already lowered).
    pub(super) fn after_running_left<R: Recorder>(&mut self, c: &mut Cluster, app: AppId, rec: &mut R) {
        let (leaf, user) = (c.app(app).queue, c.app(app).user);
        let was_full = |id: &QueueId| {
            let q = self.queue(*id);
            q.running_apps == i64::from(q.conf.max_parallel_apps) - 1
        };
        let highest = self.books.path_up(leaf).filter(was_full).last();
        let mut lists = Vec::new();
        if let Some(highest) = highest {
            self.gather(highest, &mut lists);
        }
        if self.user_maximum(c, user).is_some_and(|most| self.user_running(user) == most - 1) {
            lists.push(self.waiting_of(user, c));
        }
        let most = lists.len();
        self.release_waiting(c, lists, most, rec);
    }

    /// Checks every waiting attempt after a refresh.
    pub(super) fn after_refresh_of_limits<R: Recorder>(&mut self, c: &mut Cluster, rec: &mut R) {
        let mut lists = Vec::new();
        self.gather(QueueId(0), &mut lists);
        self.release_waiting(c, lists, usize::MAX, rec);
    }
}
