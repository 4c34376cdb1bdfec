//! In which order the children of a queue and the applications of a leaf are asked (fair-scheduler.md 10): by their present use.
//! Orders are kept, and put right at the one place that changed.

use super::keys::{Asked, Compared, Key, Sortable};
use super::{DEFAULT, FairScheduler, used};
use crate::config::fair::Policy;
use crate::model::{AppId, Calculator, CalculatorKind, QueueId, Resource, java};
use crate::scheduler::Cluster;
use std::cmp::Ordering;

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

/// Puts one whose key has changed, `was` before, where it belongs in a list that is in order but for it.
fn put_right<T: Copy + PartialEq>(
    list: &mut [Asked<T>],
    was: &Asked<T>,
    now: Asked<T>,
    order: impl Fn(&Asked<T>, &Asked<T>) -> Ordering,
) {
    let mut at = list.partition_point(|other| order(other, was).is_lt());
    if list.get(at).is_none_or(|there| there.who != now.who) {
        let Some(found) = list.iter().position(|other| other.who == now.who) else { return };
        at = found;
    }
    let to = if at > 0 && order(&list[at - 1], &now).is_gt() {
        let to = list[..at].partition_point(|other| order(other, &now).is_lt());
        list.copy_within(to..at, to + 1);
        to
    } else {
        let to = at + list[at + 1..].partition_point(|other| order(other, &now).is_lt());
        list.copy_within(at + 1..=to, at);
        to
    };
    list[to] = now;
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
        if policy == Policy::Fair {
            let q = self.queue(id);
            return Key::by_memory(q.used.memory_mb(), q.minimum.memory_mb(), q.demand.memory_mb(), q.weight);
        }
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
        if policy == Policy::Fair {
            let known = &self.apps[app.index()];
            let used = c.app(app).used[DEFAULT].memory_mb();
            return Key::by_memory(used, 0, known.demand.memory_mb(), known.weight);
        }
        Key::of(policy, c.total, c.types.len(), &self.sortable(c, app))
    }

    #[inline]
    fn compare_children(&self, a: &Asked<QueueId>, b: &Asked<QueueId>) -> Ordering {
        let (key, name) = (|id| &self.queue(id).key, |a, b| self.compare_names(a, b));
        a.compare(b).then_with(|| key(a.who).further(key(b.who))).then_with(|| name(a.who, b.who))
    }

    #[inline]
    fn compare_apps(&self, a: &Asked<AppId>, b: &Asked<AppId>) -> Ordering {
        let key = |app: AppId| &self.apps[app.index()].key;
        a.compare(b).then_with(|| key(a.who).further(key(b.who))).then_with(|| self.compare_starts(a.who, b.who))
    }

    /// Brings the order in which the children of a queue, or the runnable applications of a leaf, are asked up to date.
    pub(super) fn bring_in_order(&mut self, c: &Cluster, queue: QueueId) {
        if self.queue(queue).in_order {
            debug_assert!(self.is_in_order(c, queue), "use, demand or children have changed unheard of");
            return;
        }
        let policy = self.queue(queue).policy;
        if self.queue(queue).leaf {
            let mut apps = self.queue(queue).runnable.clone();
            for app in &apps {
                self.app_mut(*app).key = self.key_of_app(c, policy, *app);
            }
            let sound = put_in_order(&mut apps, |app| self.apps[app.index()].key, |a, b| self.compare_starts(a, b));
            let mut asked = std::mem::take(&mut self.queue_mut(queue).apps_asked);
            asked.clear();
            asked.extend(apps.into_iter().map(|app| Asked::new(app, &self.apps[app.index()].key)));
            let q = self.queue_mut(queue);
            (q.apps_asked, q.in_order) = (asked, sound);
        } else {
            let mut children = self.queue(queue).children.clone();
            for child in &children {
                self.queue_mut(*child).key = self.key_of_queue(c, policy, *child);
            }
            let sound = put_in_order(&mut children, |id| self.queue(id).key, |a, b| self.compare_names(a, b));
            let asked = children.into_iter().map(|id| Asked::new(id, &self.queue(id).key)).collect();
            let q = self.queue_mut(queue);
            (q.children_asked, q.in_order) = (asked, sound);
        }
    }

    /// Is the order that is kept the one that would be worked out now?
    fn is_in_order(&self, c: &Cluster, queue: QueueId) -> bool {
        let q = self.queue(queue);
        if q.leaf {
            let known =
                |asked: &Asked<AppId>| *asked == Asked::new(asked.who, &self.key_of_app(c, q.policy, asked.who));
            let sorted = q.apps_asked.is_sorted_by(|a, b| self.compare_apps(a, b).is_lt());
            q.apps_asked.len() == q.runnable.len() && sorted && q.apps_asked.iter().all(known)
        } else {
            let known =
                |asked: &Asked<QueueId>| *asked == Asked::new(asked.who, &self.key_of_queue(c, q.policy, asked.who));
            let sorted = q.children_asked.is_sorted_by(|a, b| self.compare_children(a, b).is_lt());
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
            let mut apps = std::mem::take(&mut self.queue_mut(leaf).apps_asked);
            let was = Asked::new(app, &self.apps[app.index()].key);
            let key = self.key_of_app(c, self.queue(leaf).policy, app);
            self.apps[app.index()].key = key;
            put_right(&mut apps, &was, Asked::new(app, &key), |a, b| self.compare_apps(a, b));
            let q = self.queue_mut(leaf);
            (q.apps_asked, q.in_order) = (apps, key.is_sound());
        }
        let mut at = leaf;
        while let Some(parent) = self.queue(at).parent {
            if self.queue(parent).in_order {
                let mut children = std::mem::take(&mut self.queue_mut(parent).children_asked);
                let was = Asked::new(at, &self.queue(at).key);
                let key = self.key_of_queue(c, self.queue(parent).policy, at);
                self.queue_mut(at).key = key;
                put_right(&mut children, &was, Asked::new(at, &key), |a, b| self.compare_children(a, b));
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
