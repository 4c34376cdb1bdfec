//! The starved applications, as updates find them (FSLeafQueue.updateStarvedApps, FSStarvedApps; preemption.md B2):
//! `preemption::fair` computes, its results are kept here, and the starved applications wait in a line.

use super::{FairScheduler, used};
use crate::model::{AppId, ContainerId, Millis, QueueId, Resource};
use crate::preemption::Measure;
use crate::preemption::fair::{Lack, Leaf, LeafLook, Standing, StarvationFindings, WantingApp, look};
use crate::scheduler::Cluster;

/// The preemption state of an application's current attempt.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct Starving {
    /// The amount that it lacks of its fair share, as of the latest check.
    pub fair: Resource,
    /// The amount that it is to get of its queue's minimum share, as of the latest check.
    pub minimum: Resource,
    /// The last time at which it was not below the part of its share that counts.
    pub at_share: Millis,
    /// The time before which it is not checked.
    pub next_check: Millis,
    /// Its containers that are taken from it: warned of, and killed later.
    pub marked: Vec<ContainerId>,
    /// The sum of their sizes.
    pub marked_size: Resource,
    /// Whether its ApplicationMaster may be preempted.
    pub gives_am: bool,
}

/// The starved applications, and the clocks as updates found them.
#[derive(Clone, Debug, PartialEq, Default)]
pub(super) struct Starved {
    /// The line, a heap like Java's PriorityQueue: the smallest lack first.
    line: Vec<AppId>,
    /// Applications that had their share at the latest check: their clocks stood still.
    served_apps: Vec<AppId>,
    /// Leaves that had their minimum share then.
    served_queues: Vec<QueueId>,
    /// The time when the next clock runs out, if nothing happens before.
    wakes_at: Option<Millis>,
    /// The findings of the latest update.
    looks: StarvationFindings,
}

impl FairScheduler {
    /// Returns the measure by which the policy of a leaf compares.
    pub(super) fn measure(&self, c: &Cluster, leaf: QueueId) -> Measure {
        Measure { calc: self.calculator(c, leaf), base: c.total }
    }

    /// Returns the used part of the cluster; `None`: there is nothing to use.
    fn part_used(&self, c: &Cluster) -> Option<f32> {
        let used = self.queue(super::ROOT).used;
        let [memory, vcores] = [0, 1].map(|i| used[i] as f32 / c.total[i] as f32);
        (!memory.is_nan() && !vcores.is_nan()).then(|| memory.max(vcores))
    }

    /// Returns whether the usage of the cluster is high enough for applications to count as starved.
    fn is_enough(&self, used: Option<f32>) -> bool {
        used.is_some_and(|used| self.conf.preemption.utilization_threshold < used)
    }

    fn lacks_anything(&self, c: &Cluster, app: AppId) -> bool {
        !(self.apps[app.index()].demand - used(c, app)).is_zero()
    }

    /// Returns a leaf as an update sees it.
    fn leaf_now(&self, c: &Cluster, leaf: QueueId) -> Leaf {
        let q = self.queue(leaf);
        let wanting = |app: &AppId| self.lacks_anything(c, *app) && c.now >= self.apps[app.index()].starving.next_check;
        let apps: Vec<AppId> = q.runnable.iter().copied().filter(wanting).collect();
        let hungry = |app: AppId| {
            let a = &self.apps[app.index()];
            let (at_share, lack) = (a.starving.at_share, a.starving.fair);
            WantingApp { app, used: used(c, app), demand: a.demand, share: a.fair_share, at_share, lack }
        };
        Leaf {
            queue: leaf,
            measure: self.measure(c, leaf),
            patience: q.patience,
            minimum: q.minimum,
            demand: q.demand,
            used: q.used,
            at_minimum: q.at_minimum,
            apps: self.apps_in_order(c, leaf, apps).into_iter().map(hungry).collect(),
        }
    }

    /// Returns the findings of the latest update about all leaves and their applications, if preemption is on. Updates
    /// that were skipped since would have found the same, but that clocks which ran run on.
    pub fn looks(&self) -> &StarvationFindings {
        &self.starved.looks
    }

    /// Returns the preemption state of an application.
    pub fn starving(&self, app: AppId) -> Option<&Starving> {
        self.app(app).map(|a| &a.starving)
    }

    /// Finds the starved applications, as part of an update (B2).
    pub(super) fn find_starved(&mut self, c: &Cluster) {
        if !self.conf.preemption.on {
            return;
        }
        let line = std::mem::take(&mut self.starved.line);
        self.starved = Starved { line, ..Starved::default() };
        let used = self.part_used(c);
        self.starved.looks = StarvationFindings { used, busy: self.is_enough(used), leaves: Vec::new() };
        if !self.starved.looks.busy {
            return;
        }
        let leaves: Vec<QueueId> = self.living().filter(|q| q.leaf).map(|q| q.id).collect();
        for leaf in leaves {
            let found = look(&self.leaf_now(c, leaf), c.now);
            self.take_in(c, &found);
            let later = self.queue(leaf).runnable.iter().filter(|app| self.lacks_anything(c, **app));
            let checks = later.map(|app| self.apps[app.index()].starving.next_check).filter(|at| *at > c.now);
            let wakes = checks.chain(found.wakes_at()).chain(self.starved.wakes_at).min();
            self.starved.wakes_at = wakes;
            self.starved.looks.leaves.push(found);
        }
    }

    /// Keeps the findings about a leaf, and puts the starved applications into the line.
    fn take_in(&mut self, c: &Cluster, found: &LeafLook) {
        for a in &found.apps {
            let starving = &mut self.app_mut(a.app).starving;
            starving.fair = Resource::ZERO;
            match a.standing {
                Standing::Served => {
                    starving.at_share = c.now;
                    self.starved.served_apps.push(a.app);
                }
                Standing::Waiting { .. } => {}
                Standing::Starved { .. } => {
                    starving.fair = crate::preemption::less(a.due, a.used);
                    if !starving.fair.is_zero() {
                        self.get_in_line(a.app);
                    }
                }
            }
        }
        if found.minimum.standing == Standing::Served {
            self.queue_mut(found.queue).at_minimum = c.now;
            self.starved.served_queues.push(found.queue);
        }
        for part in &found.of_minimum {
            self.app_mut(part.app).starving.minimum = part.amount;
            if part.starved {
                self.get_in_line(part.app);
            }
        }
    }

    /// Advances the clocks that stood still to `at`, the time of the last of the updates skipped because nothing could
    /// change.
    pub(crate) fn updates_left_out(&mut self, at: Millis) {
        for app in std::mem::take(&mut self.starved.served_apps) {
            let starving = &mut self.app_mut(app).starving;
            starving.at_share = starving.at_share.max(at);
        }
        for queue in std::mem::take(&mut self.starved.served_queues) {
            let q = self.queue_mut(queue);
            q.at_minimum = q.at_minimum.max(at);
        }
    }

    /// Postpones the next check of an application.
    pub(super) fn look_again_at(&mut self, app: AppId, at: Millis) {
        self.app_mut(app).starving.next_check = at;
        self.starved.wakes_at = self.starved.wakes_at.into_iter().chain([at]).min();
    }

    /// Returns when an update would find an application starved, if nothing happens before.
    pub(crate) fn next_starvation(&self) -> Option<Millis> {
        self.starved.wakes_at
    }

    /// Returns what an application lacks, as of the latest check.
    pub fn lack(&self, c: &Cluster, app: AppId) -> Lack {
        let Some(Starving { fair, minimum, at_share, .. }) = self.app(app).map(|a| a.starving.clone()) else {
            return Lack::default();
        };
        let minimum_since = self.queue(c.app(app).queue).at_minimum;
        Lack { fair, fair_since: at_share, minimum, minimum_since }
    }

    // ---- the line

    /// Returns whether the first application goes before the second: its lack fits in the other's.
    fn goes_before(&self, a: AppId, b: AppId) -> bool {
        let lack = |app: AppId| {
            let s = &self.apps[app.index()].starving;
            s.fair + s.minimum
        };
        super::fits(lack(a), lack(b))
    }

    fn get_in_line(&mut self, app: AppId) {
        if self.starved.line.contains(&app) {
            return;
        }
        let mut line = std::mem::take(&mut self.starved.line);
        let mut at = line.len();
        line.push(app);
        while at > 0 {
            let above = (at - 1) / 2;
            if !self.goes_before(app, line[above]) {
                break;
            }
            line[at] = line[above];
            at = above;
        }
        line[at] = app;
        self.starved.line = line;
    }

    /// Removes and returns the first in the line.
    pub(super) fn next_starved(&mut self) -> Option<AppId> {
        let mut line = std::mem::take(&mut self.starved.line);
        let last = line.pop()?;
        let mut first = last;
        if let Some(top) = line.first().copied() {
            first = top;
            let (n, mut at) = (line.len(), 0);
            while at < n / 2 {
                let mut child = 2 * at + 1;
                if child + 1 < n && !self.goes_before(line[child], line[child + 1]) {
                    child += 1;
                }
                if self.goes_before(last, line[child]) {
                    break;
                }
                line[at] = line[child];
                at = child;
            }
            line[at] = last;
        }
        self.starved.line = line;
        Some(first)
    }
}
