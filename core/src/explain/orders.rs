//! The orders in which queues, applications and requests were tried, with the sort keys that decided them.

use super::evidence::Evidence;
use super::names::Names;
use super::view::OrderView;
use super::words;
use crate::config::capacity::{LeafOrdering, ParentOrdering};
use crate::config::fair::Policy;

/// Sort keys by which the children of each parent, the applications of each leaf and the requests of each application
/// were last tried.
pub fn orders(names: Names<'_>, evidence: &Evidence) -> Vec<OrderView> {
    let mut out = Vec::new();
    let mut add = |title: String, keys: &[&str], rows: Vec<(String, Vec<String>)>| {
        // Of one there is nothing to decide.
        if rows.len() > 1 {
            out.push(OrderView { title, keys: keys.iter().map(|k| k.to_string()).collect(), rows });
        }
    };
    let yes = |it: bool| if it { "yes" } else { "no" }.to_string();
    for (queue, (node, order)) in evidence.children.iter() {
        let policy = names.rm().queues().get(queue.index()).map(|q| &q.conf.parent_ordering);
        let by_priority = matches!(policy, Some(ParentOrdering::PriorityUtilization));
        let rows = order.iter().map(|c| {
            let mut values = vec![
                words::percent(f64::from(c.used_capacity)),
                words::percent(f64::from(c.absolute_capacity)),
                yes(c.has_pending),
            ];
            // Where the policy looks at it, it goes before the use.
            values.insert(if by_priority { 0 } else { 2 }, c.priority.to_string());
            (names.queue(c.queue).to_string(), values)
        });
        let mut keys = vec!["used of guaranteed", "guaranteed of partition", "wants room"];
        keys.insert(if by_priority { 0 } else { 2 }, if by_priority { "priority" } else { "priority (not looked at)" });
        add(format!("children of {} for {}", names.queue(*queue), names.node(*node)), &keys, rows.collect());
    }
    for (queue, (node, order)) in evidence.shares.iter() {
        let types = &names.rm().cluster().types;
        let rows = order.iter().map(|c| {
            let needy = c.used.memory_mb() < c.minimum.memory_mb().min(c.demand.memory_mb());
            let values =
                vec![yes(needy), words::size(c.used, types), c.weight.to_string(), words::size(c.demand, types)];
            (names.queue(c.queue).to_string(), values)
        });
        add(
            format!("children of {} for {}", names.queue(*queue), names.node(*node)),
            &["below its minimum", "used", "weight", "demand"],
            rows.collect(),
        );
    }
    for (queue, (node, order)) in evidence.app_orders.iter() {
        let leaf = names.rm().queues().get(queue.index());
        let policy = names.rm().fair().map(|s| s.queue(*queue).policy);
        let by_share = policy.is_some_and(|p| p != Policy::Fifo);
        let fair = by_share || leaf.is_some_and(|q| matches!(q.conf.leaf_ordering, LeafOrdering::Fair { .. }));
        let rows = order.iter().map(|a| {
            let mut values = if fair {
                let share =
                    if policy == Some(Policy::Drf) { words::percent(a.share) } else { format!("{:.0}", a.share) };
                vec![share, words::clock(a.started_at)]
            } else {
                vec![a.priority.to_string(), (a.app.index() + 1).to_string()]
            };
            values.push(yes(a.has_pending));
            (names.app(a.app).to_string(), values)
        });
        let keys: &[&str] = if fair {
            &[if policy == Some(Policy::Drf) { "dominant share" } else { "MB used" }, "attempt began", "wants room"]
        } else {
            &["priority", "submitted as", "wants room"]
        };
        add(format!("applications of {} for {}", names.queue(*queue), names.node(*node)), keys, rows.collect());
    }
    for (app, (node, order)) in evidence.request_orders.iter() {
        let rows = order.iter().map(|r| {
            let id = r.key.allocation_request_id;
            let values = vec![
                r.key.priority.to_string(),
                if id < 0 { "none".to_string() } else { id.to_string() },
                r.outstanding.to_string(),
            ];
            (names.request_name(*app, r.key, r.outstanding), values)
        });
        add(
            format!("requests of {} for {}", names.app(*app), names.node(*node)),
            &["priority (lower first)", "request id", "outstanding"],
            rows.collect(),
        );
    }
    out
}
