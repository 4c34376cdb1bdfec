//! The orders in which queues, applications and requests were tried, with the sort keys that decided them.

use crate::explain::names::{Names, is_in};
use crate::explain::record::{Before, Record};
use crate::explain::say::orders as say;
use crate::explain::view::OrderView;
use crate::explain::words;
use heddle_core::config::capacity::{LeafOrdering, ParentOrdering};
use heddle_core::config::fair::Policy;
use heddle_core::journal::{AppOrder, ChildOrder, RequestOrder, ShareOrder};
use heddle_core::model::{AppId, NodeId, QueueId};
use heddle_core::scheduler::fair::{Key, KeyPart, Sortable};
use std::cmp::Ordering;

/// Which orders are told.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Whose {
    All,
    /// Those on the way to an application: the children of the queues above it, the applications of its leaf, its requests.
    App(AppId),
    /// Those of a queue: its children and its applications, and where it stands among its siblings.
    Queue(QueueId),
}

/// Sort keys by which the children of each parent, the applications of each leaf and the requests of each application
/// were last tried.
pub fn orders(names: Names<'_>, record: &Record, whose: Whose) -> Vec<OrderView> {
    let rm = names.rm();
    let here = match whose {
        Whose::All => None,
        Whose::App(app) => rm.scheduled(app).map(|a| names.queue(a.queue)),
        Whose::Queue(queue) => Some(names.queue(queue)),
    };
    // Is `queue` above the one that is asked about, or is it that one itself?
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
        if whose == Whose::All || whose == Whose::App(*app) {
            out.push(requests(names, (*app, *node), order));
        }
    }
    // Of one there is nothing to decide.
    out.retain(|o| o.rows.len() > 1);
    out
}

/// The key that put the second of two siblings behind the first, with its value of each. `None`: they are alike in all keys.
pub fn key_of(names: Names<'_>, before: &Before, node: NodeId) -> Option<[String; 3]> {
    let order = match before {
        Before::Queues(queue, order) => {
            let policy = names.rm().queues().get(queue.index()).map(|q| &q.conf.parent_ordering);
            let by_priority = matches!(policy, Some(ParentOrdering::PriorityUtilization));
            children(names, (*queue, node), &**order, by_priority)
        }
        Before::Shares(queue, order) => shares(names, (*queue, node), &**order),
        Before::Apps(queue, order) => apps(names, (*queue, node), order),
        Before::Requests(app, order) => requests(names, (*app, node), order),
    };
    let column = order.decided.get(1).copied().flatten()?;
    let value = |row: usize| order.rows.get(row).and_then(|(_, values)| values.get(column)).cloned();
    Some([order.keys.get(column)?.clone(), value(0)?, value(1)?])
}

/// The key that put `b` behind `a`: the first of these that is unequal, if it says so.
fn decided(keys: &[(usize, Ordering)]) -> Option<usize> {
    let (column, order) = keys.iter().find(|(_, order)| order.is_ne())?;
    order.is_lt().then_some(*column)
}

/// A table; `key` gives the column that put a row behind the one before it.
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

/// Under the CapacityScheduler (capacity-scheduler.md 7.4).
fn children(names: Names<'_>, (queue, node): (QueueId, NodeId), order: &[ChildOrder], by_priority: bool) -> OrderView {
    // Whoever may use the node's label goes first of all; told where somebody may not.
    let access = order.iter().any(|c| !c.can_access);
    // Where the policy looks at the priority, it goes before the use.
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
    let key = |a: &ChildOrder, b: &ChildOrder| {
        let full = |c: &ChildOrder| c.used_capacity >= 1.0;
        if a.can_access != b.can_access {
            return a.can_access.then_some(0);
        }
        let mut keys = vec![(guaranteed, (a.absolute_capacity <= 0.0).cmp(&(b.absolute_capacity <= 0.0)))];
        if by_priority {
            keys.extend([(used, full(a).cmp(&full(b))), (priority, b.priority.cmp(&a.priority))]);
        }
        keys.extend([
            (used, a.used_capacity.total_cmp(&b.used_capacity)),
            (guaranteed, b.configured_min.cmp(&a.configured_min)),
            (guaranteed, b.absolute_capacity.total_cmp(&a.absolute_capacity)),
        ]);
        decided(&keys).map(|column| column + usize::from(access))
    };
    let mut keys = say::OF_QUEUES.to_vec();
    keys.insert(priority, say::priority(by_priority));
    if access {
        keys.insert(0, say::MAY_USE_LABEL);
    }
    table(say::children(names.queue(queue), names.node(node)), &keys, order, row, key)
}

/// Under the FairScheduler (fair-scheduler.md 10), by the key that it compares.
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
        values.push(say::yes(key.is_needy()));
        match key.figures() {
            [.., used] if !drf => values.push(words::memory(used.min(1e15).round() as i64)),
            figures => values.extend(figures.first().map(|share| words::percent(*share))),
        }
        values.extend([words::size(c.used, types), c.weight.to_string(), words::size(c.demand, types)]);
        (names.queue(c.queue).to_string(), values)
    };
    // The figures of a minimum, and of a weight that is 0, stand with what they are of.
    let key = |a: &ShareOrder, b: &ShareOrder| {
        let column = match key_of(a).unequal(&key_of(b))? {
            KeyPart::Idle => 0,
            KeyPart::Minimum => 1,
            KeyPart::Figure(0) if !drf => 1,
            KeyPart::Figure(_) => 2,
        };
        Some(column - usize::from(drf))
    };
    let mut keys = say::of_shares(drf).to_vec();
    if !drf {
        keys.insert(0, say::WANTS);
    }
    table(say::children(names.queue(queue), names.node(node)), &keys, order, row, key)
}

/// Applications of a leaf (capacity-scheduler.md 11.5).
fn apps(names: Names<'_>, (queue, node): (QueueId, NodeId), order: &[AppOrder]) -> OrderView {
    let leaf = names.rm().queues().get(queue.index());
    let policy = names.rm().fair().map(|s| s.queue(queue).policy);
    let by_share = policy.is_some_and(|p| p != Policy::Fifo);
    let fair = by_share || leaf.is_some_and(|q| matches!(q.conf.leaf_ordering, LeafOrdering::Fair { .. }));
    let row = |a: &AppOrder| {
        let mut values = if fair {
            let share = if policy == Some(Policy::Drf) { words::percent(a.share) } else { format!("{:.0}", a.share) };
            vec![share, words::clock(a.started_at)]
        } else {
            vec![a.priority.to_string(), (a.app.index() + 1).to_string()]
        };
        values.push(say::yes(a.has_pending));
        (names.app(a.app).to_string(), values)
    };
    let key = |a: &AppOrder, b: &AppOrder| {
        decided(&if fair {
            [(0, a.share.total_cmp(&b.share)), (1, a.started_at.cmp(&b.started_at))]
        } else {
            [(0, b.priority.cmp(&a.priority)), (1, a.app.cmp(&b.app))]
        })
    };
    let drf = policy == Some(Policy::Drf);
    let keys = if fair { say::of_applications_by_share(drf) } else { say::OF_APPLICATIONS };
    table(say::applications(names.queue(queue), names.node(node)), &keys, order, row, key)
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
