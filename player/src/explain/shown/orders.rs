//! The orders in which queues, applications and requests were tried, with the sort keys that decided them.

use crate::explain::names::{Names, is_in};
use crate::explain::record::{Record, SiblingOrder};
use crate::explain::say::orders as say;
use crate::explain::view::OrderView;
use crate::explain::words;
use heddle_core::config::capacity::{LeafOrdering, ParentOrdering};
use heddle_core::config::fair::Policy;
use heddle_core::journal::{AppOrder, ChildOrder, RequestOrder, ShareOrder};
use heddle_core::model::{AppId, NodeId, QueueId, Resource};
use heddle_core::scheduler::Scheduler;
use heddle_core::scheduler::fair::{Key, KeyPart, Sortable};
use std::cmp::Ordering;

/// The orders that are shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OrderScope {
    All,
    /// Those on the path to an application: the children of its ancestors, the applications of its leaf, its requests.
    App(AppId),
    /// Those of a queue: its children and its applications, and its place among its siblings.
    Queue(QueueId),
}

/// Returns the sort keys by which the children of each parent, the applications of each leaf and the requests of each
/// application were last tried.
pub fn orders(names: Names<'_>, record: &Record, whose: OrderScope) -> Vec<OrderView> {
    let rm = names.rm();
    let here = match whose {
        OrderScope::All => None,
        OrderScope::App(app) => rm.scheduled(app).map(|a| names.queue(a.queue)),
        OrderScope::Queue(queue) => Some(names.queue(queue)),
    };
    // Whether `queue` is the queue in question or one of its ancestors.
    let above = |queue: QueueId| here.is_none_or(|here| is_in(here, names.queue(queue)));
    let own = |queue: QueueId| here.is_none_or(|here| here == names.queue(queue));
    let mut out = Vec::new();
    for (queue, (node, order)) in record.children.iter().filter(|(queue, _)| above(**queue)) {
        let policy = rm.queues().get(queue.index()).map(|q| &q.conf.parent_ordering);
        let by_priority = matches!(policy, Some(ParentOrdering::PriorityUtilization));
        out.push(children(names, (*queue, *node), order, by_priority));
    }
    for (queue, (node, order)) in record.shares.iter().filter(|(queue, _)| above(**queue)) {
        out.push(shares(names, (*queue, *node), order));
    }
    for (queue, (node, order)) in record.app_orders.iter().filter(|(queue, _)| own(**queue)) {
        out.push(apps(names, (*queue, *node), order));
    }
    for (app, (node, order)) in record.request_orders.iter() {
        if whose == OrderScope::All || whose == OrderScope::App(*app) {
            out.push(requests(names, (*app, *node), order));
        }
    }
    // An order of one decides nothing.
    out.retain(|o| o.rows.len() > 1);
    out
}

/// Returns the key that put the second of two siblings behind the first, with both values. `None`: the record does not say.
pub fn key_of(names: Names<'_>, before: &SiblingOrder, node: NodeId) -> Option<[String; 3]> {
    let order = match before {
        SiblingOrder::Queues(queue, order) => {
            let policy = names.rm().queues().get(queue.index()).map(|q| &q.conf.parent_ordering);
            let by_priority = matches!(policy, Some(ParentOrdering::PriorityUtilization));
            children(names, (*queue, node), &**order, by_priority)
        }
        SiblingOrder::Shares(queue, order) => shares(names, (*queue, node), &**order),
        SiblingOrder::Apps(queue, order) => apps(names, (*queue, node), order),
        SiblingOrder::Requests(app, order) => requests(names, (*app, node), order),
    };
    let column = order.decided.get(1).copied().flatten()?;
    let value = |row: usize| order.rows.get(row).and_then(|(_, values)| values.get(column)).cloned();
    Some([order.keys.get(column)?.clone(), value(0)?, value(1)?])
}

/// Returns the key that put `b` behind `a`: the first unequal one, if it puts `a` first.
fn decided(keys: &[(usize, Ordering)]) -> Option<usize> {
    let (column, order) = keys.iter().find(|(_, order)| order.is_ne())?;
    order.is_lt().then_some(*column)
}

/// Returns a table; `key` gives the column that put a row behind the one before it.
fn table<T>(
    title: String,
    keys: &[&str],
    order: &[T],
    row: impl Fn(&T) -> (String, Vec<String>),
    key: impl Fn(&T, &T) -> Option<usize>,
) -> OrderView {
    let pairs = order.windows(2).map(|w| key(&w[0], &w[1]));
    OrderView {
        title,
        keys: keys.iter().map(|k| k.to_string()).collect(),
        rows: order.iter().map(row).collect(),
        decided: std::iter::once(None).chain(pairs).take(order.len()).collect(),
    }
}

/// Returns the order of children under the CapacityScheduler (capacity-scheduler.md 7.4).
fn children(names: Names<'_>, (queue, node): (QueueId, NodeId), order: &[ChildOrder], by_priority: bool) -> OrderView {
    // Queues that may use the node's label go first; the column is shown only if some may not.
    let access = order.iter().any(|c| !c.can_access);
    // A policy that compares priorities compares them before the usage.
    let (priority, used, guaranteed) = if by_priority { (0, 1, 2) } else { (2, 0, 1) };
    let row = |c: &ChildOrder| {
        let mut values = vec![
            words::percent(f64::from(c.used_capacity)),
            words::percent(f64::from(c.absolute_capacity)),
            say::yes(c.has_pending),
        ];
        values.insert(priority, c.priority.to_string());
        if access {
            values.insert(0, say::yes(c.can_access));
        }
        (names.queue(c.queue).to_string(), values)
    };
    // Queues with equal keys keep their order in the list.
    let listed = names.rm().queues().get(queue.index()).map_or(&[][..], |q| &q.children);
    let place = |c: &ChildOrder| listed.iter().position(|q| *q == c.queue);
    let keys_of = |a: &ChildOrder, b: &ChildOrder| {
        let full = |c: &ChildOrder| c.used_capacity >= 1.0;
        let mut keys = vec![(guaranteed, (a.absolute_capacity <= 0.0).cmp(&(b.absolute_capacity <= 0.0)))];
        if by_priority {
            keys.extend([(used, full(a).cmp(&full(b))), (priority, b.priority.cmp(&a.priority))]);
        }
        keys.push((used, a.used_capacity.total_cmp(&b.used_capacity)));
        keys.push(if a.configured_min.is_zero() && b.configured_min.is_zero() {
            (guaranteed, b.absolute_capacity.total_cmp(&a.absolute_capacity))
        } else {
            (guaranteed, b.configured_min.cmp(&a.configured_min))
        });
        keys
    };
    let alike = |a: &ChildOrder, b: &ChildOrder| {
        a.can_access == b.can_access && keys_of(a, b).iter().all(|(_, order)| order.is_eq())
    };
    let tied = order.windows(2).any(|pair| alike(&pair[0], &pair[1]));
    let key = |a: &ChildOrder, b: &ChildOrder| {
        if a.can_access != b.can_access {
            return a.can_access.then_some(0);
        }
        let mut keys = keys_of(a, b);
        keys.push((say::OF_QUEUES.len() + 1, place(a).cmp(&place(b))));
        decided(&keys).map(|column| column + usize::from(access))
    };
    let in_list = say::place_in_list(names.queue(queue));
    let mut keys = say::OF_QUEUES.to_vec();
    keys.insert(priority, say::priority(by_priority));
    keys.extend(tied.then_some(in_list.as_str()));
    if access {
        keys.insert(0, say::MAY_USE_LABEL);
    }
    // Reserved resources count as used.
    let reserved = |c: &ChildOrder| {
        let partition = names.rm().node(node).map(|n| n.partition).unwrap_or_default();
        names.rm().queues().get(c.queue.index()).map_or(Resource::ZERO, |q| q.part(partition).reserved)
    };
    let any_reserved = order.iter().any(|c| !reserved(c).is_zero());
    keys.extend(any_reserved.then_some(say::ONLY_RESERVED));
    let row = |c: &ChildOrder| {
        let (name, mut values) = row(c);
        values.extend(tied.then(|| place(c).map_or_else(String::new, |place| (place + 1).to_string())));
        let cluster = names.rm().cluster();
        values.extend(any_reserved.then(|| words::counted(reserved(c), cluster.calculator, &cluster.types)));
        (name, values)
    };
    table(say::children(names.queue(queue), names.node(node)), &keys, order, row, key)
}

/// Returns the order of children under the FairScheduler (fair-scheduler.md 10), by the key that it compares.
fn shares(names: Names<'_>, (queue, node): (QueueId, NodeId), order: &[ShareOrder]) -> OrderView {
    let cluster = names.rm().cluster();
    let (total, types) = (cluster.total, &cluster.types);
    let policy = names.rm().fair().map_or(Policy::Fair, |s| s.queue(queue).policy);
    let drf = policy == Policy::Drf;
    let of = |c: &ShareOrder| Sortable { used: c.used, minimum: c.minimum, demand: c.demand, weight: c.weight };
    let key_of = |c: &ShareOrder| Key::of(policy, total, types.len(), &of(c));
    let row = |c: &ShareOrder| {
        let key = key_of(c);
        let mut values = if drf { Vec::new() } else { vec![say::yes(!key.is_idle())] };
        // Of two queues below their minimum, the one with the smaller part of it goes first.
        let part = key.figures().first().filter(|_| key.is_needy() && !drf);
        values.push(part.map_or_else(|| say::yes(key.is_needy()), |part| say::part_of_minimum(&words::percent(*part))));
        match key.figures() {
            [.., used] if !drf => values.push(words::memory(used.min(1e15).round() as i64)),
            figures => values.extend(figures.first().map(|share| words::percent(*share))),
        }
        values.extend([words::size(c.used, types), c.weight.to_string(), words::size(c.demand, types)]);
        (names.queue(c.queue).to_string(), values)
    };
    // The figures of a minimum, and of a weight of 0, are in the column that they belong to. Queues with equal keys go by their
    // names.
    let tied = order.windows(2).any(|pair| key_of(&pair[0]).unequal(&key_of(&pair[1])).is_none());
    let mut keys = say::of_shares(drf).to_vec();
    if !drf {
        keys.insert(0, say::WANTS);
    }
    let name = keys.len();
    keys.extend(tied.then_some(say::NAME));
    let key = |a: &ShareOrder, b: &ShareOrder| {
        let column = match key_of(a).unequal(&key_of(b)) {
            Some(KeyPart::Idle) => 0,
            Some(KeyPart::Minimum) => 1,
            Some(KeyPart::Figure(0)) if !drf => 1,
            Some(KeyPart::Figure(_)) => 2,
            None => {
                let [first, second] = [a, b].map(|c| names.queue(c.queue).encode_utf16());
                return first.lt(second).then_some(name);
            }
        };
        Some(column - usize::from(drf))
    };
    let row = |c: &ShareOrder| {
        let (name, mut values) = row(c);
        values.extend(tied.then(|| name.clone()));
        (name, values)
    };
    table(say::children(names.queue(queue), names.node(node)), &keys, order, row, key)
}

/// A key by which the applications of a leaf are compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum AppKey {
    Priority,
    /// The usage, as the ordering policy measures it.
    Share,
    Started,
    /// Whether it uses or wants memory.
    Demands,
    Submitted,
}

impl AppKey {
    /// Returns the keys of a leaf in the order of comparison (capacity-scheduler.md 11.5, fair-scheduler.md 10).
    fn all(names: Names<'_>, queue: QueueId) -> &'static [AppKey] {
        use AppKey::{Demands, Priority, Share, Started, Submitted};
        match names.rm().scheduler() {
            Scheduler::Capacity(_) => match names.rm().queues().get(queue.index()).map(|q| &q.conf.leaf_ordering) {
                Some(LeafOrdering::Fair { .. }) => &[Share, Started, Demands, Submitted],
                _ => &[Priority, Submitted],
            },
            Scheduler::Fair(s) => match s.queue(queue).policy {
                Policy::Fair => &[Demands, Share, Started, Submitted],
                Policy::Drf => &[Share, Started, Submitted],
                Policy::Fifo => &[Started, Submitted],
            },
            Scheduler::Fifo(_) => &[Submitted],
        }
    }

    fn compare(self, a: &AppOrder, b: &AppOrder) -> Ordering {
        match self {
            AppKey::Priority => b.priority.cmp(&a.priority),
            AppKey::Share => a.share.total_cmp(&b.share),
            AppKey::Started => a.started_at.cmp(&b.started_at),
            AppKey::Demands => b.demands.cmp(&a.demands),
            AppKey::Submitted => a.app.cmp(&b.app),
        }
    }

    fn value(self, a: &AppOrder, drf: bool) -> String {
        match self {
            AppKey::Priority => a.priority.to_string(),
            AppKey::Share if drf => words::percent(a.share),
            AppKey::Share => say::figure(a.share),
            AppKey::Started => words::clock(a.started_at),
            AppKey::Demands => say::yes(a.demands),
            AppKey::Submitted => (a.app.index() + 1).to_string(),
        }
    }
}

/// Returns the order of a leaf's applications.
fn apps(names: Names<'_>, (queue, node): (QueueId, NodeId), order: &[AppOrder]) -> OrderView {
    let fair = names.rm().fair();
    let drf = fair.is_some_and(|s| s.queue(queue).policy == Policy::Drf);
    let keys = AppKey::all(names, queue);
    let row = |a: &AppOrder| {
        let mut values: Vec<String> = keys.iter().map(|key| key.value(a, drf)).collect();
        values.push(say::yes(a.has_pending));
        (names.app(a.app).to_string(), values)
    };
    let key = |a: &AppOrder, b: &AppOrder| {
        // Equal dominant shares are decided by the other resource types, which are not recorded.
        if drf && a.share == b.share && a.share != 0.0 {
            return None;
        }
        decided(&keys.iter().enumerate().map(|(i, key)| (i, key.compare(a, b))).collect::<Vec<_>>())
    };
    let name = |key: &AppKey| match key {
        AppKey::Priority => say::PRIORITY,
        AppKey::Share => say::share_of_application(fair.is_some(), drf),
        AppKey::Started => say::ATTEMPT_BEGAN,
        AppKey::Demands => say::DEMANDS,
        AppKey::Submitted => say::SUBMITTED_AS,
    };
    let headings: Vec<&str> = keys.iter().map(name).chain([say::WANTS_ROOM]).collect();
    table(say::applications(names.queue(queue), names.node(node)), &headings, order, row, key)
}

fn requests(names: Names<'_>, (app, node): (AppId, NodeId), order: &[RequestOrder]) -> OrderView {
    let row = |r: &RequestOrder| {
        let id = r.key.allocation_request_id;
        let values = vec![
            r.key.priority.to_string(),
            if id < 0 { "none".to_string() } else { id.to_string() },
            r.outstanding.to_string(),
        ];
        (names.request_name(app, r.key, r.outstanding), values)
    };
    let key = |a: &RequestOrder, b: &RequestOrder| {
        decided(&[
            (0, a.key.priority.cmp(&b.key.priority)),
            (1, a.key.allocation_request_id.cmp(&b.key.allocation_request_id)),
        ])
    };
    table(say::requests(names.app(app), names.node(node)), &say::OF_REQUESTS, order, row, key)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_unequal_key_decides_if_it_says_so() {
        use Ordering::{Equal, Greater, Less};
        assert_eq!(decided(&[(0, Equal), (2, Less), (1, Greater)]), Some(2));
        assert_eq!(decided(&[(0, Equal), (1, Greater)]), None);
        assert_eq!(decided(&[(0, Equal)]), None);
    }
}
