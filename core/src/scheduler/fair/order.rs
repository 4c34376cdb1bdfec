//! The order in which the children of a queue and the applications of a leaf are tried (fair-scheduler.md 10), by their
//! present usage. Orders are kept, and only the entry that changed is moved.

use super::keys::{Compared, Key, Sortable, SortedEntry};
use super::{DEFAULT, FairScheduler, used};
use crate::config::fair::Policy;
use crate::model::{AppId, Calculator, CalculatorKind, QueueId, Resource, java};
use crate::scheduler::Cluster;
use std::cmp::Ordering;

/// Compares the names of two applications as texts: `application_…_10000` goes before `application_…_9999`.
fn compare_ids(a: AppId, b: AppId) -> Ordering {
    let text = |id: AppId| format!("{:04}", id.index() + 1);
    if a.index().max(b.index()) < 9999 { a.cmp(&b) } else { text(a).cmp(&text(b)) }
}

/// Sorts a list. Returns false if its keys have no order, and the shape of Java's tree decides.
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

/// Sorts a list whose keys have an order.
fn in_order<'a, T: Copy>(list: &mut [SortedEntry<T>], key: impl Fn(T) -> &'a Key) {
    list.sort_unstable_by(|a, b| b.is_before(a, &key).cmp(&a.is_before(b, &key)));
}

/// Moves an entry whose key has changed, from `was`, to its place in a list that is otherwise in order. Returns its old
/// and its new place.
fn put_right<'a, T: Copy + PartialEq>(
    list: &mut [SortedEntry<T>],
    was: &SortedEntry<T>,
    now: SortedEntry<T>,
    key: impl Fn(T) -> &'a Key,
) -> Option<(usize, usize)> {
    let mut at = list.partition_point(|other| other.is_before(was, &key));
    if list.get(at).is_none_or(|there| there.who != now.who) {
        at = list.iter().position(|other| other.who == now.who)?;
    }
    let to = if at > 0 && now.is_before(&list[at - 1], &key) {
        let to = list[..at].partition_point(|other| other.is_before(&now, &key));
        list.copy_within(to..at, to + 1);
        to
    } else {
        let to = at + list[at + 1..].partition_point(|other| other.is_before(&now, &key));
        list.copy_within(at + 1..=to, at);
        to
    };
    list[to] = now;
    Some((at, to))
}

impl FairScheduler {
    /// Compares children of a queue that are equal to its policy: by name.
    pub(super) fn compare_names(&self, a: QueueId, b: QueueId) -> Ordering {
        self.queue(a).rank.cmp(&self.queue(b).rank)
    }

    /// Updates the ranks of a queue's children by name, since the children have changed.
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
        if policy == Policy::Fair {
            let q = self.queue(id);
            return Key::by_memory(q.used.memory_mb(), q.minimum.memory_mb(), q.demand.memory_mb(), q.weight);
        }
        Key::of(policy, c.total, c.types.len(), &self.sortable_queue(id))
    }

    /// Returns the children of a queue in the order in which they would be tried now.
    pub fn children_compared(&self, c: &Cluster, queue: QueueId) -> Vec<Compared<QueueId>> {
        let q = self.queue(queue);
        let (policy, mut children) = (q.policy, q.children.clone());
        put_in_order(&mut children, |id| self.key_of_queue(c, policy, id), |a, b| self.compare_names(a, b));
        let compared = |who| Compared { who, key: self.key_of_queue(c, policy, who), of: self.sortable_queue(who) };
        children.into_iter().map(compared).collect()
    }

    /// Returns the runnable applications of a leaf in the order in which they would be tried now.
    pub fn apps_compared(&self, c: &Cluster, leaf: QueueId) -> Vec<Compared<AppId>> {
        let q = self.queue(leaf);
        let compared = |who| Compared { who, key: self.key_of_app(c, q.policy, who), of: self.sortable(c, who) };
        self.apps_in_order(c, leaf, q.runnable.clone()).into_iter().map(compared).collect()
    }

    fn key_of_app(&self, c: &Cluster, policy: Policy, app: AppId) -> Key {
        if policy == Policy::Fair {
            let known = &self.apps[app.index()];
            let used = c.app(app).used[DEFAULT].memory_mb();
            return Key::by_memory(used, 0, known.demand.memory_mb(), known.weight);
        }
        Key::of(policy, c.total, c.types.len(), &self.sortable(c, app))
    }

    fn asked_app(&self, app: AppId) -> SortedEntry<AppId> {
        let known = &self.apps[app.index()];
        SortedEntry::new(app, known.turn, &known.key)
    }

    fn asked_child(&self, id: QueueId) -> SortedEntry<QueueId> {
        let q = self.queue(id);
        SortedEntry::new(id, q.rank, &q.key)
    }

    /// Brings the order of a queue's children, or of a leaf's runnable applications, up to date.
    pub(super) fn bring_in_order(&mut self, c: &Cluster, queue: QueueId) {
        let q = self.queue_mut(queue);
        if q.in_order && c.short_cuts.taken() {
            debug_assert!(self.is_in_order(c, queue), "use, demand or children have changed unheard of");
            return;
        }
        if q.leaf {
            let mut asked = std::mem::take(&mut q.apps_asked);
            let sound = self.order_apps(c, queue, &mut asked);
            let q = self.queue_mut(queue);
            (q.apps_asked, q.in_order) = (asked, sound);
            q.stopped.forget();
            self.forget_idle(queue);
        } else {
            let mut asked = std::mem::take(&mut q.children_asked);
            let sound = self.order_children(c, queue, &mut asked);
            let q = self.queue_mut(queue);
            (q.children_asked, q.in_order) = (asked, sound);
        }
    }

    /// Returns false if the keys have no order of their own.
    fn order_apps(&mut self, c: &Cluster, leaf: QueueId, asked: &mut Vec<SortedEntry<AppId>>) -> bool {
        let (policy, mut apps) = (self.queue(leaf).policy, self.queue(leaf).runnable.clone());
        let mut sound = true;
        for app in &apps {
            let key = self.key_of_app(c, policy, *app);
            sound &= key.code().is_some();
            self.app_mut(*app).key = key;
        }
        if !sound {
            put_in_order(&mut apps, |app| self.apps[app.index()].key, |a, b| self.compare_starts(a, b));
        } else if !apps.is_sorted_by(|a, b| self.compare_starts(*a, *b).is_lt()) {
            apps.sort_unstable_by(|a, b| self.compare_starts(*a, *b));
        }
        for (turn, app) in (0..).zip(&apps) {
            self.app_mut(*app).turn = turn;
        }
        asked.clear();
        asked.extend(apps.into_iter().map(|app| self.asked_app(app)));
        if sound {
            in_order(asked, |app| &self.apps[app.index()].key);
        }
        sound
    }

    fn order_children(&mut self, c: &Cluster, parent: QueueId, asked: &mut Vec<SortedEntry<QueueId>>) -> bool {
        let (policy, mut children) = (self.queue(parent).policy, self.queue(parent).children.clone());
        let mut sound = true;
        for child in &children {
            let key = self.key_of_queue(c, policy, *child);
            sound &= key.code().is_some();
            self.queue_mut(*child).key = key;
        }
        if !sound {
            put_in_order(&mut children, |id| self.queue(id).key, |a, b| self.compare_names(a, b));
        }
        asked.clear();
        asked.extend(children.into_iter().map(|id| self.asked_child(id)));
        if sound {
            in_order(asked, |id| &self.queue(id).key);
        }
        sound
    }

    /// Returns whether the kept order is the one that would be computed now.
    fn is_in_order(&self, c: &Cluster, queue: QueueId) -> bool {
        let q = self.queue(queue);
        if q.leaf {
            let mut apps = q.runnable.clone();
            put_in_order(&mut apps, |app| self.key_of_app(c, q.policy, app), |a, b| self.compare_starts(a, b));
            let known = |app: &AppId| self.apps[app.index()].key == self.key_of_app(c, q.policy, *app);
            apps.iter().all(known) && apps.into_iter().map(|app| self.asked_app(app)).eq(q.apps_asked.iter().copied())
        } else {
            let mut children = q.children.clone();
            put_in_order(&mut children, |id| self.key_of_queue(c, q.policy, id), |a, b| self.compare_names(a, b));
            let known = |id: &QueueId| self.queue(*id).key == self.key_of_queue(c, q.policy, *id);
            let asked = q.children_asked.iter().copied();
            children.iter().all(known) && children.into_iter().map(|id| self.asked_child(id)).eq(asked)
        }
    }

    /// Marks all orders to be computed again when they are next needed.
    pub(super) fn forget_orders(&mut self) {
        self.queues.iter_mut().for_each(|q| q.in_order = false);
    }

    /// Updates the orders after the usage of an application, and of the queues above it, has changed.
    pub(super) fn use_changed(&mut self, c: &Cluster, app: AppId) {
        let leaf = c.app(app).queue;
        self.note_idle(c, leaf, app);
        if self.queue(leaf).in_order {
            let mut apps = std::mem::take(&mut self.queue_mut(leaf).apps_asked);
            let was = self.asked_app(app);
            let key = self.key_of_app(c, self.queue(leaf).policy, app);
            self.apps[app.index()].key = key;
            let moved = put_right(&mut apps, &was, self.asked_app(app), |app| &self.apps[app.index()].key);
            let q = self.queue_mut(leaf);
            moved.into_iter().for_each(|(from, to)| q.stopped.moved(from, to));
            (q.apps_asked, q.in_order) = (apps, key.code().is_some());
        }
        let mut at = leaf;
        while let Some(parent) = self.queue(at).parent {
            if self.queue(parent).in_order {
                let mut children = std::mem::take(&mut self.queue_mut(parent).children_asked);
                let was = self.asked_child(at);
                let key = self.key_of_queue(c, self.queue(parent).policy, at);
                self.queue_mut(at).key = key;
                put_right(&mut children, &was, self.asked_child(at), |id| &self.queue(id).key);
                let q = self.queue_mut(parent);
                (q.children_asked, q.in_order) = (children, key.code().is_some());
            }
            at = parent;
        }
    }

    /// Returns the figures of an application that the policies compare.
    pub(super) fn sortable(&self, c: &Cluster, app: AppId) -> Sortable {
        let known = &self.apps[app.index()];
        Sortable { used: used(c, app), minimum: Resource::ZERO, demand: known.demand, weight: known.weight }
    }

    /// Compares applications that are equal to the policy of their leaf: by start, then by name.
    pub(super) fn compare_starts(&self, a: AppId, b: AppId) -> Ordering {
        let started = |app: AppId| self.apps[app.index()].started_at;
        started(a).cmp(&started(b)).then_with(|| compare_ids(a, b))
    }

    /// Sorts applications of a leaf in the order in which they would be tried.
    pub(super) fn apps_in_order(&self, c: &Cluster, leaf: QueueId, mut apps: Vec<AppId>) -> Vec<AppId> {
        let policy = self.queue(leaf).policy;
        put_in_order(&mut apps, |app| self.key_of_app(c, policy, app), |a, b| self.compare_starts(a, b));
        apps
    }

    /// Returns the calculator of a leaf's policy.
    pub(super) fn calculator(&self, c: &Cluster, leaf: QueueId) -> Calculator {
        let kind = match self.queue(leaf).policy {
            Policy::Drf => CalculatorKind::Dominant,
            _ => CalculatorKind::Default,
        };
        Calculator { kind, types: c.types.len() }
    }
}
