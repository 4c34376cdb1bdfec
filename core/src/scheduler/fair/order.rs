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

/// Where not a number is involved, neither goes first.
fn by(a: f64, b: f64) -> Ordering {
    a.partial_cmp(&b).unwrap_or(Ordering::Equal)
}

/// By memory (10.1); what is equal here goes by start and name.
pub fn compare_fair(a: &Sortable, b: &Sortable) -> Ordering {
    let demand = |s: &Sortable| s.demand.memory_mb();
    let idle = (demand(a) == 0).cmp(&(demand(b) == 0));
    if idle.is_ne() {
        return idle;
    }
    let least = |s: &Sortable| s.minimum.memory_mb().min(demand(s));
    let needy = |s: &Sortable| s.used.memory_mb() < least(s);
    match (needy(a), needy(b)) {
        (true, false) => return Ordering::Less,
        (false, true) => return Ordering::Greater,
        (true, true) => {
            let ratio = |s: &Sortable| s.used.memory_mb() as f64 / least(s).max(1) as f64;
            let order = by(ratio(a), ratio(b));
            if order.is_ne() {
                return order;
            }
        }
        (false, false) => {}
    }
    let (wa, wb) = (f64::from(a.weight), f64::from(b.weight));
    if wa > 0.0 && wb > 0.0 {
        by(a.used.memory_mb() as f64 / wa, b.used.memory_mb() as f64 / wb)
    } else if wa == wb {
        a.used.memory_mb().cmp(&b.used.memory_mb())
    } else {
        by(wb, wa)
    }
}

/// By dominant resource, of two types (10.3) or more (10.4).
pub fn compare_drf(cluster: Resource, types: usize, a: &Sortable, b: &Sortable) -> Ordering {
    if types == 2 { compare_drf_of_two(cluster, a, b) } else { compare_drf_of_many(cluster, types, a, b) }
}

fn compare_drf_of_two(cluster: Resource, a: &Sortable, b: &Sortable) -> Ordering {
    let share = |s: &Sortable, i: usize| s.used[i] as f64 / cluster[i] as f64;
    let dominant = |s: &Sortable| usize::from(share(s, 1) > share(s, 0));
    let (da, db) = (dominant(a), dominant(b));
    let (needy_a, needy_b) = (a.used[da] < a.minimum[da], b.used[db] < b.minimum[db]);
    let weighted = |s: &Sortable, i: usize| share(s, i) / f64::from(s.weight);
    let of_minimum = |s: &Sortable, i: usize| s.used[i] as f64 / s.minimum[i] as f64;
    match (needy_a, needy_b) {
        (true, false) => Ordering::Less,
        (false, true) => Ordering::Greater,
        (false, false) => by(weighted(a, da), weighted(b, db)).then(by(weighted(a, 1 - da), weighted(b, 1 - db))),
        (true, true) => by(of_minimum(a, da), of_minimum(b, db)).then(by(of_minimum(a, 1 - da), of_minimum(b, 1 - db))),
    }
}

/// Share of the cluster, that by weight, and use by minimum, of each type, the largest share first.
fn rows(cluster: Resource, types: usize, s: &Sortable) -> ([[f32; 3]; RESOURCE_TYPES], bool) {
    let mut rows = [[0f32; 3]; RESOURCE_TYPES];
    let mut dominant = 0;
    for i in 0..types {
        let share = s.used[i] as f32 / cluster[i] as f32;
        rows[i] = [share, share / s.weight, s.used[i] as f32 / s.minimum[i] as f32];
        if share > rows[dominant][0] {
            dominant = i;
        }
    }
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

fn compare_drf_of_many(cluster: Resource, types: usize, a: &Sortable, b: &Sortable) -> Ordering {
    let ((rows_a, needy_a), (rows_b, needy_b)) = (rows(cluster, types, a), rows(cluster, types, b));
    if needy_a != needy_b {
        return needy_b.cmp(&needy_a);
    }
    let column = if needy_a { 2 } else { 1 };
    let pairs = rows_a[..types].iter().zip(&rows_b[..types]);
    let orders = pairs.map(|(x, y)| x[column].partial_cmp(&y[column]).unwrap_or(Ordering::Equal));
    orders.into_iter().find(|o| o.is_ne()).unwrap_or(Ordering::Equal)
}

/// How the names of two applications compare as texts: `application_…_10000` goes before `application_…_9999`.
fn compare_ids(a: AppId, b: AppId) -> Ordering {
    let text = |id: AppId| format!("{:04}", id.index() + 1);
    if a.index().max(b.index()) < 9999 { a.cmp(&b) } else { text(a).cmp(&text(b)) }
}

impl FairScheduler {
    fn compare(&self, c: &Cluster, policy: Policy, a: &Sortable, b: &Sortable) -> Ordering {
        match policy {
            Policy::Fair => compare_fair(a, b),
            Policy::Drf => compare_drf(c.total, c.types.len(), a, b),
            Policy::Fifo => Ordering::Equal,
        }
    }

    /// The children of a queue in the order in which they are asked.
    pub(super) fn children_in_order(&self, c: &Cluster, queue: QueueId) -> Vec<QueueId> {
        let q = self.queue(queue);
        let figures = |id: &QueueId| {
            let q = self.queue(*id);
            Sortable { used: q.used, minimum: q.minimum, demand: q.demand, weight: q.weight }
        };
        let items: Vec<(QueueId, Sortable)> = q.children.iter().map(|id| (*id, figures(id))).collect();
        java::tree_walk(&items, |(x, a), (y, b)| {
            let names = || self.queue(*x).path.encode_utf16().cmp(self.queue(*y).path.encode_utf16());
            self.compare(c, q.policy, a, b).then_with(names)
        })
        .into_iter()
        .map(|i| items[i].0)
        .collect()
    }

    /// What the policies compare of an application.
    pub(super) fn sortable(&self, c: &Cluster, app: AppId) -> Sortable {
        let known = &self.apps[app.index()];
        Sortable { used: used(c, app), minimum: Resource::ZERO, demand: known.demand, weight: known.weight }
    }

    /// Applications of a leaf in the order in which they are asked.
    pub(super) fn apps_in_order(&self, c: &Cluster, leaf: QueueId, apps: &[AppId]) -> Vec<AppId> {
        let policy = self.queue(leaf).policy;
        let items: Vec<(AppId, Sortable)> = apps.iter().map(|app| (*app, self.sortable(c, *app))).collect();
        let started = |app: AppId| self.apps[app.index()].started_at;
        java::tree_walk(&items, |(x, a), (y, b)| {
            let start = || started(*x).cmp(&started(*y));
            self.compare(c, policy, a, b).then_with(start).then_with(|| compare_ids(*x, *y))
        })
        .into_iter()
        .map(|i| items[i].0)
        .collect()
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
