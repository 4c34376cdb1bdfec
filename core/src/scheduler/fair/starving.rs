//! Who is starved, as updates find it (FSLeafQueue.updateStarvedApps, FSStarvedApps; preemption.md B2): the figures go to
//! `preemption::fair`, what comes out is kept here, and the starved wait in a line.

use super::{FairScheduler, used};
use crate::model::{AppId, ContainerId, Millis, QueueId, Resource};
use crate::preemption::Measure;
use crate::preemption::fair::{Hungry, Lack, Leaf, LeafLook, Looks, Standing, look};
use crate::scheduler::Cluster;

/// What preemption knows of an application's present attempt.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct Starving {
    /// What it lacks of its fair share, as of the latest look.
    pub fair: Resource,
    /// What it is to get of its queue's minimum share, as of the latest look.
    pub minimum: Resource,
    /// When it last was not below the part of its share that counts.
    pub at_share: Millis,
    /// It is not looked at before.
    pub next_check: Millis,
    /// Its containers that are taken from it: warned of, and killed later.
    pub marked: Vec<ContainerId>,
    /// Their sizes.
    pub marked_size: Resource,
    /// Whether its ApplicationMaster may be preempted.
    pub gives_am: bool,
}

/// The starved, and what updates found of clocks.
#[derive(Clone, Debug, PartialEq, Default)]
pub(super) struct Starved {
    /// A heap as Java's PriorityQueue has it: the smallest lack first.
    line: Vec<AppId>,
    /// Applications that had their share at the latest look: their clocks stood.
    served_apps: Vec<AppId>,
    /// Leaves that had their minimum share then.
    served_queues: Vec<QueueId>,
    /// When the next clock runs out, if nothing happens before.
    wakes_at: Option<Millis>,
    /// What the latest update found.
    looks: Looks,
}

impl FairScheduler {
    /// By which the policy of a leaf compares.
    pub(super) fn measure(&self, c: &Cluster, leaf: QueueId) -> Measure {
        Measure { calc: self.calculator(c, leaf), base: c.total }
    }

    /// How much of the cluster is used; `None`: there is nothing to use.
    fn part_used(&self, c: &Cluster) -> Option<f32> {
        let used = self.queue(super::ROOT).used;
        let [memory, vcores] = [0, 1].map(|i| used[i] as f32 / c.total[i] as f32);
        (!memory.is_nan() && !vcores.is_nan()).then(|| memory.max(vcores))
    }

    /// Returns whether its usage is high enough for applications to count as starved.
    fn is_enough(&self, used: Option<f32>) -> bool {
        used.is_some_and(|used| self.conf.preemption.utilization_threshold < used)
    }

    fn lacks_anything(&self, c: &Cluster, app: AppId) -> bool {
        !(self.apps[app.index()].demand - used(c, app)).is_zero()
    }

    /// A leaf as an update sees it.
    fn leaf_now(&self, c: &Cluster, leaf: QueueId) -> Leaf {
        let q = self.queue(leaf);
        let wanting = |app: &AppId| self.lacks_anything(c, *app) && c.now >= self.apps[app.index()].starving.next_check;
        let apps: Vec<AppId> = q.runnable.iter().copied().filter(wanting).collect();
        let hungry = |app: AppId| {
            let a = &self.apps[app.index()];
            let (at_share, lack) = (a.starving.at_share, a.starving.fair);
            Hungry { app, used: used(c, app), demand: a.demand, share: a.fair_share, at_share, lack }
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

    /// How all leaves and their applications stood at the latest update, where preemption is on. Updates that were left
    /// out since would have found the same, and clocks that ran run on.
    pub fn looks(&self) -> &Looks {
        &self.starved.looks
    }

    /// What preemption knows of an application.
    pub fn starving(&self, app: AppId) -> Option<&Starving> {
        self.app(app).map(|a| &a.starving)
    }

    /// What an update finds (B2).
    pub(super) fn find_starved(&mut self, c: &Cluster) {
        if !self.conf.preemption.on {
            return;
        }
        let line = std::mem::take(&mut self.starved.line);
        self.starved = Starved { line, ..Starved::default() };
        let used = self.part_used(c);
        self.starved.looks = Looks { used, busy: self.is_enough(used), leaves: Vec::new() };
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

    /// Keeps what was found of a leaf; the starved go into the line.
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

    /// Updates were left out since nothing could change, the last at `at`: clocks that stood have gone on standing.
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

    /// An application is not looked at before this.
    pub(super) fn look_again_at(&mut self, app: AppId, at: Millis) {
        self.app_mut(app).starving.next_check = at;
        self.starved.wakes_at = self.starved.wakes_at.into_iter().chain([at]).min();
    }

    /// When an update would find somebody starved, if nothing happens before.
    pub(crate) fn next_starvation(&self) -> Option<Millis> {
        self.starved.wakes_at
    }

    /// What an application lacks, as of the latest look.
    pub fn lack(&self, c: &Cluster, app: AppId) -> Lack {
        let Some(Starving { fair, minimum, at_share, .. }) = self.app(app).map(|a| a.starving.clone()) else {
            return Lack::default();
        };
        let minimum_since = self.queue(c.app(app).queue).at_minimum;
        Lack { fair, fair_since: at_share, minimum, minimum_since }
    }

    // ---- the line

    /// Does the first one go before the second one? Whose lack fits in the other's does; else not.
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

    /// The first in the line.
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
