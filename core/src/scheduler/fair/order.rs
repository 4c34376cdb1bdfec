//! In which order the children of a queue and the applications of a leaf are asked (FairSharePolicy,
//! DominantResourceFairnessPolicy, FifoPolicy; fair-scheduler.md 10). Done afresh at each visit, with the present use.

use super::{FairScheduler, used};
use crate::config::fair::Policy;
use crate::model::limits::RESOURCE_TYPES;
use crate::model::{AppId, Calculator, CalculatorKind, QueueId, Resource, java};
use crate::scheduler::Cluster;
use std::cmp::Ordering;

/// What the policies compare.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sortable {
    /// Used now.
    pub used: Resource,
    pub minimum: Resource,
    /// Demand as of the last update.
    pub demand: Resource,
    pub weight: f32,
}

/// By what one that is asked comes before another: the class, then figure by figure, the smallest first. A figure that is not a
/// number is equal to all.
#[derive(Clone, Copy, Debug, PartialEq, Default)]
pub struct Key {
    class: u8,
    /// How many figures count.
    count: u8,
    figures: [f64; RESOURCE_TYPES],
}

/// Parts of a key's class.
const IDLE: u8 = 2;
const SATED: u8 = 1;

/// A part of a key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum KeyPart {
    /// Whether it wants anything.
    Idle,
    /// Whether it is below its minimum share.
    Minimum,
    /// One of the figures.
    Figure(usize),
}

/// One that is asked, with what it is compared by.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Compared<T> {
    pub who: T,
    pub key: Key,
    /// What the key is made of.
    pub of: Sortable,
}

impl Key {
    /// What the policy makes of it, in a cluster of this size and so many resource types.
    pub fn of(policy: Policy, cluster: Resource, types: usize, s: &Sortable) -> Self {
        match policy {
            Policy::Fair => Key::fair(s),
            Policy::Drf if types == 2 => Key::drf_of_two(cluster, s),
            Policy::Drf => Key::drf_of_many(cluster, types, s),
            Policy::Fifo => Key::default(),
        }
    }

    /// By memory (10.1): who wants something, then who is below its minimum, then by use and weight.
    fn fair(s: &Sortable) -> Self {
        let (used, demand) = (s.used.memory_mb(), s.demand.memory_mb());
        let least = s.minimum.memory_mb().min(demand);
        let needy = used < least;
        let mut figures = [0.0; RESOURCE_TYPES];
        if needy {
            figures[0] = used as f64 / least.max(1) as f64;
        }
        let weight = f64::from(s.weight);
        [figures[1], figures[2]] = if weight > 0.0 {
            [-1.0, used as f64 / weight]
        } else if weight.is_nan() {
            [weight, weight]
        } else {
            // Behind all with a weight, whatever they use.
            [-weight, used as f64]
        };
        Key { class: IDLE * u8::from(demand == 0) + SATED * u8::from(!needy), count: 3, figures }
    }

    /// By dominant resource, of two types (10.3).
    fn drf_of_two(cluster: Resource, s: &Sortable) -> Self {
        let share = |i: usize| s.used[i] as f64 / cluster[i] as f64;
        let dominant = usize::from(share(1) > share(0));
        let needy = s.used[dominant] < s.minimum[dominant];
        let figure = |i: usize| {
            if needy { s.used[i] as f64 / s.minimum[i] as f64 } else { share(i) / f64::from(s.weight) }
        };
        let mut figures = [0.0; RESOURCE_TYPES];
        [figures[0], figures[1]] = [figure(dominant), figure(1 - dominant)];
        Key { class: SATED * u8::from(!needy), count: 2, figures }
    }

    /// By dominant resource, of more types (10.4).
    fn drf_of_many(cluster: Resource, types: usize, s: &Sortable) -> Self {
        let (rows, needy) = rows(cluster, types, s);
        let column = if needy { 2 } else { 1 };
        let mut figures = [0.0; RESOURCE_TYPES];
        for (figure, row) in figures.iter_mut().zip(&rows[..types]) {
            *figure = f64::from(row[column]);
        }
        Key { class: SATED * u8::from(!needy), count: types.min(RESOURCE_TYPES) as u8, figures }
    }

    fn compare(&self, other: &Key) -> Ordering {
        if self.class != other.class {
            return self.class.cmp(&other.class);
        }
        for (a, b) in self.figures().iter().zip(other.figures()) {
            if a < b {
                return Ordering::Less;
            }
            if a > b {
                return Ordering::Greater;
            }
        }
        Ordering::Equal
    }

    /// The part that puts this one before or behind another; `None`: they are equal, and start or name decides.
    pub fn unequal(&self, other: &Key) -> Option<KeyPart> {
        let unequal = |(a, b): (&f64, &f64)| a.partial_cmp(b).is_some_and(Ordering::is_ne);
        let figure = || self.figures().iter().zip(other.figures()).position(unequal);
        match self.class ^ other.class {
            0 => figure().map(KeyPart::Figure),
            different if different & IDLE != 0 => Some(KeyPart::Idle),
            _ => Some(KeyPart::Minimum),
        }
    }

    /// Does it want nothing? Only looked at by memory.
    pub fn is_idle(&self) -> bool {
        self.class & IDLE != 0
    }

    /// Is it below its minimum share?
    pub fn is_needy(&self) -> bool {
        self.class & SATED == 0
    }

    /// The figures, the first one first.
    pub fn figures(&self) -> &[f64] {
        &self.figures[..usize::from(self.count)]
    }

    /// Are all its figures numbers? Then such keys have one order, however they are sorted.
    fn is_sound(&self) -> bool {
        !self.figures().iter().any(|figure| figure.is_nan())
    }
}

/// By memory (10.1); what is equal here goes by start and name.
pub fn compare_fair(a: &Sortable, b: &Sortable) -> Ordering {
    Key::fair(a).compare(&Key::fair(b))
}

/// By dominant resource, of two types (10.3) or more (10.4).
pub fn compare_drf(cluster: Resource, types: usize, a: &Sortable, b: &Sortable) -> Ordering {
    let key = |s| Key::of(Policy::Drf, cluster, types, s);
    key(a).compare(&key(b))
}

/// Share of the cluster, that by weight, and use by minimum, of each type; which type has the largest share.
pub fn ratios(cluster: Resource, types: usize, s: &Sortable) -> ([[f32; 3]; RESOURCE_TYPES], usize) {
    let mut rows = [[0f32; 3]; RESOURCE_TYPES];
    let mut dominant = 0;
    for i in 0..types {
        let share = s.used[i] as f32 / cluster[i] as f32;
        rows[i] = [share, share / s.weight, s.used[i] as f32 / s.minimum[i] as f32];
        if share > rows[dominant][0] {
            dominant = i;
        }
    }
    (rows, dominant)
}

/// The same, the largest share first; is less used than the minimum of that type?
fn rows(cluster: Resource, types: usize, s: &Sortable) -> ([[f32; 3]; RESOURCE_TYPES], bool) {
    let (mut rows, dominant) = ratios(cluster, types, s);
    let needy = s.used[dominant] < s.minimum[dominant];
    for i in 1..types {
        let mut j = i;
        while j > 0 && rows[j - 1][0] < rows[j][0] {
            rows.swap(j - 1, j);
            j -= 1;
        }
    }
    (rows, needy)
}

/// How the names of two applications compare as texts: `application_…_10000` goes before `application_…_9999`.
fn compare_ids(a: AppId, b: AppId) -> Ordering {
    let text = |id: AppId| format!("{:04}", id.index() + 1);
    if a.index().max(b.index()) < 9999 { a.cmp(&b) } else { text(a).cmp(&text(b)) }
}

/// Puts those that are asked in order. False: their keys have none, and the shape of Java's tree decides.
fn put_in_order<T: Copy>(list: &mut Vec<T>, key: impl Fn(T) -> Key, ties: impl Fn(T, T) -> Ordering) -> bool {
    let order = |a: &T, b: &T| key(*a).compare(&key(*b)).then_with(|| ties(*a, *b));
    let sound = list.iter().all(|item| key(*item).is_sound());
    if sound {
        list.sort_unstable_by(order);
    } else {
        *list = java::tree_walk(list, order).into_iter().map(|place| list[place]).collect();
    }
    sound
}

/// Puts one whose key has changed where it belongs in a list that is in order but for it.
fn put_right<T: Copy + PartialEq>(list: &mut [T], item: T, order: impl Fn(T, T) -> Ordering) {
    let Some(at) = list.iter().position(|other| *other == item) else { return };
    let before = list[..at].partition_point(|other| order(*other, item).is_lt());
    if before < at {
        return list[before..=at].rotate_right(1);
    }
    let behind = list[at + 1..].partition_point(|other| order(*other, item).is_lt());
    list[at..=at + behind].rotate_left(1);
}

impl FairScheduler {
    /// How children of a queue that are equal to its policy go: by name.
    pub(super) fn compare_names(&self, a: QueueId, b: QueueId) -> Ordering {
        self.queue(a).rank.cmp(&self.queue(b).rank)
    }

    /// The children of a queue are others: how their names compare is worked out anew.
    pub(super) fn children_changed(&mut self, parent: QueueId) {
        let mut children = self.queue(parent).children.clone();
        children.sort_by(|a, b| self.queue(*a).path.encode_utf16().cmp(self.queue(*b).path.encode_utf16()));
        for (rank, child) in (0..).zip(children) {
            self.queue_mut(child).rank = rank;
        }
        self.queue_mut(parent).in_order = false;
    }

    fn sortable_queue(&self, id: QueueId) -> Sortable {
        let q = self.queue(id);
        Sortable { used: q.used, minimum: q.minimum, demand: q.demand, weight: q.weight }
    }

    fn key_of_queue(&self, c: &Cluster, policy: Policy, id: QueueId) -> Key {
        Key::of(policy, c.total, c.types.len(), &self.sortable_queue(id))
    }

    /// The children of a queue in the order in which they would be asked now.
    pub fn children_compared(&self, c: &Cluster, queue: QueueId) -> Vec<Compared<QueueId>> {
        let q = self.queue(queue);
        let (policy, mut children) = (q.policy, q.children.clone());
        put_in_order(&mut children, |id| self.key_of_queue(c, policy, id), |a, b| self.compare_names(a, b));
        let compared = |who| Compared { who, key: self.key_of_queue(c, policy, who), of: self.sortable_queue(who) };
        children.into_iter().map(compared).collect()
    }

    /// The runnable applications of a leaf in the order in which they would be asked now.
    pub fn apps_compared(&self, c: &Cluster, leaf: QueueId) -> Vec<Compared<AppId>> {
        let q = self.queue(leaf);
        let compared = |who| Compared { who, key: self.key_of_app(c, q.policy, who), of: self.sortable(c, who) };
        self.apps_in_order(c, leaf, q.runnable.clone()).into_iter().map(compared).collect()
    }

    fn key_of_app(&self, c: &Cluster, policy: Policy, app: AppId) -> Key {
        Key::of(policy, c.total, c.types.len(), &self.sortable(c, app))
    }

    fn compare_children(&self, a: QueueId, b: QueueId) -> Ordering {
        self.queue(a).key.compare(&self.queue(b).key).then_with(|| self.compare_names(a, b))
    }

    fn compare_apps(&self, a: AppId, b: AppId) -> Ordering {
        self.apps[a.index()].key.compare(&self.apps[b.index()].key).then_with(|| self.compare_starts(a, b))
    }

    /// Brings the order in which the children of a queue, or the runnable applications of a leaf, are asked up to date.
    pub(super) fn bring_in_order(&mut self, c: &Cluster, queue: QueueId) {
        if self.queue(queue).in_order {
            debug_assert!(self.is_in_order(c, queue), "use, demand or children have changed unheard of");
            return;
        }
        let q = self.queue_mut(queue);
        let policy = q.policy;
        if q.leaf {
            let mut apps = std::mem::take(&mut q.apps_asked);
            apps.clone_from(&q.runnable);
            for app in &apps {
                self.app_mut(*app).key = self.key_of_app(c, policy, *app);
            }
            let sound = put_in_order(&mut apps, |app| self.apps[app.index()].key, |a, b| self.compare_starts(a, b));
            let q = self.queue_mut(queue);
            (q.apps_asked, q.in_order) = (apps, sound);
        } else {
            let mut children = std::mem::take(&mut q.children_asked);
            children.clone_from(&q.children);
            for child in &children {
                self.queue_mut(*child).key = self.key_of_queue(c, policy, *child);
            }
            let sound = put_in_order(&mut children, |id| self.queue(id).key, |a, b| self.compare_names(a, b));
            let q = self.queue_mut(queue);
            (q.children_asked, q.in_order) = (children, sound);
        }
    }

    /// Is the order that is kept the one that would be worked out now?
    fn is_in_order(&self, c: &Cluster, queue: QueueId) -> bool {
        let q = self.queue(queue);
        if q.leaf {
            let known = |app: &AppId| self.apps[app.index()].key == self.key_of_app(c, q.policy, *app);
            let sorted = q.apps_asked.is_sorted_by(|a, b| self.compare_apps(*a, *b).is_lt());
            q.apps_asked.len() == q.runnable.len() && sorted && q.apps_asked.iter().all(known)
        } else {
            let known = |id: &QueueId| self.queue(*id).key == self.key_of_queue(c, q.policy, *id);
            let sorted = q.children_asked.is_sorted_by(|a, b| self.compare_children(*a, *b).is_lt());
            q.children_asked.len() == q.children.len() && sorted && q.children_asked.iter().all(known)
        }
    }

    /// All orders are worked out anew when they are needed next.
    pub(super) fn forget_orders(&mut self) {
        self.queues.iter_mut().for_each(|q| q.in_order = false);
    }

    /// An application, and the queues above it, use something else than before.
    pub(super) fn use_changed(&mut self, c: &Cluster, app: AppId) {
        let leaf = c.app(app).queue;
        if self.queue(leaf).in_order {
            let key = self.key_of_app(c, self.queue(leaf).policy, app);
            self.app_mut(app).key = key;
            let mut apps = std::mem::take(&mut self.queue_mut(leaf).apps_asked);
            put_right(&mut apps, app, |a, b| self.compare_apps(a, b));
            let q = self.queue_mut(leaf);
            (q.apps_asked, q.in_order) = (apps, key.is_sound());
        }
        let mut at = leaf;
        while let Some(parent) = self.queue(at).parent {
            if self.queue(parent).in_order {
                let key = self.key_of_queue(c, self.queue(parent).policy, at);
                self.queue_mut(at).key = key;
                let mut children = std::mem::take(&mut self.queue_mut(parent).children_asked);
                put_right(&mut children, at, |a, b| self.compare_children(a, b));
                let q = self.queue_mut(parent);
                (q.children_asked, q.in_order) = (children, key.is_sound());
            }
            at = parent;
        }
    }

    /// What the policies compare of an application.
    pub(super) fn sortable(&self, c: &Cluster, app: AppId) -> Sortable {
        let known = &self.apps[app.index()];
        Sortable { used: used(c, app), minimum: Resource::ZERO, demand: known.demand, weight: known.weight }
    }

    /// How applications that are equal to the policy of their leaf go: by start, then by name.
    pub(super) fn compare_starts(&self, a: AppId, b: AppId) -> Ordering {
        let started = |app: AppId| self.apps[app.index()].started_at;
        started(a).cmp(&started(b)).then_with(|| compare_ids(a, b))
    }

    /// Some applications of a leaf in the order in which they would be asked.
    pub(super) fn apps_in_order(&self, c: &Cluster, leaf: QueueId, mut apps: Vec<AppId>) -> Vec<AppId> {
        let policy = self.queue(leaf).policy;
        put_in_order(&mut apps, |app| self.key_of_app(c, policy, app), |a, b| self.compare_starts(a, b));
        apps
    }

    /// The calculator of a leaf's policy.
    pub(super) fn calculator(&self, c: &Cluster, leaf: QueueId) -> Calculator {
        let kind = match self.queue(leaf).policy {
            Policy::Drf => CalculatorKind::Dominant,
            _ => CalculatorKind::Default,
        };
        Calculator { kind, types: c.types.len() }
    }
}
