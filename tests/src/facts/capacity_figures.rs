//! The figures that scheduler scenarios check.

use super::capacity_scenario::LastStep;
use super::capacity_world::World;
use super::read::{amounts, list, text};
use heddle_core::model::{PartitionId, Resource};
use serde_json::{Value, json};

/// Returns the figure of each thing that `wanted` names.
pub(super) fn each(wanted: &Value, mut f: impl FnMut(&str, &Value) -> Option<Value>) -> Option<Value> {
    let mut out = serde_json::Map::new();
    for (name, value) in wanted.as_object()? {
        out.insert(name.clone(), f(name, value)?);
    }
    Some(Value::Object(out))
}

/// Returns a resource in the form of the case: by name, or `[memory, vcores, type…]`.
fn like(r: Resource, shape: &Value) -> Value {
    match shape {
        Value::Object(_) => json!({ "memory_mb": r.memory_mb(), "vcores": r.vcores() }),
        other => amounts(r, list(other).len().max(2)),
    }
}

/// Returns a figure after a step; `None`: the key is unknown.
pub(super) fn figure(w: &mut World, key: &str, wanted: &Value, seen: &LastStep) -> Option<Value> {
    let of_queue = |w: &World, q: &str, f: fn(&heddle_core::scheduler::capacity::QueuePart) -> Resource| {
        w.queue(q).map(|q| json!(f(q.part(PartitionId::DEFAULT)).memory_mb()))
    };
    let of_label =
        |w: &World, q: &str, labels: &Value, f: fn(&heddle_core::scheduler::capacity::QueuePart) -> Resource| {
            each(labels, |l, _| Some(json!(f(w.queue(q)?.part(w.partition(l)?)).memory_mb())))
        };
    Some(match key {
        "rejected" => json!(seen.rejected),
        "rounds_ending_with_no_container_on_node" => each(wanted, |n, _| Some(json!(seen.empty_rounds.get(n)?)))?,
        "containers" => each(wanted, |a, _| Some(json!(w.containers(w.app(a)?).count())))?,
        "reserved_containers" => each(wanted, |a, _| Some(json!(w.reservations(w.app(a)?))))?,
        "containers_on_node" => each(wanted, |a, nodes| {
            each(nodes, |n, _| {
                let node = w.node(n).ok()?;
                Some(json!(w.containers(w.app(a)?).filter(|c| c.node == node).count()))
            })
        })?,
        "node_containers" => each(wanted, |n, _| Some(json!(w.rm.containers_on(w.node(n).ok()?).count())))?,
        "node_allocated_mb" => each(wanted, |n, _| Some(json!(node(w, n)?.allocated.memory_mb())))?,
        "node_unallocated_mb" => each(wanted, |n, _| Some(json!(node(w, n)?.free().memory_mb())))?,
        "node_allocated" => each(wanted, |n, shape| Some(like(node(w, n)?.allocated, shape)))?,
        "node_unallocated" => each(wanted, |n, shape| Some(like(node(w, n)?.free(), shape)))?,
        "node_total" => each(wanted, |n, shape| Some(like(node(w, n)?.total, shape)))?,
        "node_reserved" => each(wanted, |n, _| {
            let by = node(w, n)?.reserved.map(|slot| w.rm.cluster().containers.at(slot).id.app);
            Some(by.map_or(Value::Null, |a| json!(w.app_name(a))))
        })?,
        "queue_used_mb" => each(wanted, |q, _| of_queue(w, q, |p| p.used))?,
        "queue_reserved_mb" => each(wanted, |q, _| of_queue(w, q, |p| p.reserved))?,
        "queue_used_mb_on_label" => each(wanted, |q, labels| of_label(w, q, labels, |p| p.used))?,
        "queue_reserved_mb_on_label" => each(wanted, |q, labels| of_label(w, q, labels, |p| p.reserved))?,
        "am_limit" => each(wanted, |q, shape| Some(like(w.queue(q)?.part(PartitionId::DEFAULT).am_limit, shape)))?,
        "active_apps" => each(wanted, |q, _| Some(json!(w.leaf(q)?.active.len())))?,
        "pending_apps" | "apps_pending" => each(wanted, |q, _| Some(json!(w.leaf(q)?.pending.len())))?,
        "runnable_apps" => each(wanted, |q, _| Some(json!(w.queue(q)?.running_apps)))?,
        "non_runnable_apps" => each(wanted, |q, _| {
            let names: Vec<&str> = w.leaf(q)?.not_runnable.iter().map(|a| w.app_name(*a)).collect();
            Some(json!(names))
        })?,
        "active_users_incl_pending_only" => json!(only_leaf(w)?.users.count_for_am_limit()),
        "users_with_only_pending_apps" => {
            let users = &only_leaf(w)?.users;
            json!(users.count_for_am_limit() - users.active_users() as i64)
        }
        "app_priority" => each(wanted, |a, _| Some(json!(w.rm.scheduled(w.app(a)?)?.priority)))?,
        "app_pending_mb" => each(wanted, |a, _| Some(json!(w.rm.scheduled(w.app(a)?)?.pending_total().memory_mb())))?,
        "app_pending_mb_by_priority" => each(wanted, |a, priorities| {
            let app = w.rm.scheduled(w.app(a)?)?;
            each(priorities, |p, _| {
                let keys = app.asks.keys().iter().filter(|k| k.key.priority.to_string() == p);
                Some(json!(keys.filter_map(|k| k.any()).map(|r| r.count * r.size.memory_mb()).sum::<i64>()))
            })
        })?,
        "app_diagnostics_contains" => each(wanted, |a, words| {
            let said = w.rm.am_diagnostics(w.app(a)?);
            Some(if said.contains(text(words)) { words.clone() } else { json!(said) })
        })?,
        "app_used_mb" => each(wanted, |a, _| Some(json!(w.rm.scheduled(w.app(a)?)?.used_total().memory_mb())))?,
        "app_reserved_mb" => each(wanted, |a, _| {
            let reserved = &w.rm.scheduled(w.app(a)?)?.reserved;
            Some(json!(reserved.iter().map(|r| r.memory_mb()).sum::<i64>()))
        })?,
        "am_used" => each(wanted, |name, shape| Some(like(am_used(w, name)?, shape)))?,
        "queue_pending_within_user_limits_mb" => pending(w, wanted, None, false)?,
        "active_users" => json!(only_leaf(w)?.users.active_users()),
        "headroom_mb" => each(wanted, |a, _| {
            let id = w.app(a)?;
            Some(json!(w.headroom_mb(id)))
        })?,
        _ => return None,
    })
}

pub(super) fn node<'a>(w: &'a World, host: &str) -> Option<&'a heddle_core::scheduler::Node> {
    w.rm.node(w.node(host).ok()?)
}

/// Returns the only leaf, for cases that do not name it.
fn only_leaf(w: &World) -> Option<&heddle_core::scheduler::capacity::Leaf> {
    w.rm.queues().iter().find_map(|q| q.leaf.as_deref())
}

/// Returns the ApplicationMasters' usage, of a queue or of a user.
fn am_used(w: &World, name: &str) -> Option<Resource> {
    if let Some(queue) = w.queue(name) {
        return Some(queue.part(PartitionId::DEFAULT).am_used);
    }
    let user = w.rm.cluster().find_user(name)?;
    let leaves = w.rm.queues().iter().filter_map(|q| q.leaf.as_deref());
    let records = leaves.filter_map(|leaf| leaf.users.get(user)).filter_map(|record| record.am_used.first());
    Some(records.fold(Resource::ZERO, |sum, used| sum + *used))
}

/// Returns the pending resources within user limits of the named queues, with or without deducting reservations.
fn pending(w: &World, wanted: &Value, queue: Option<&str>, deduct_reserved: bool) -> Option<Value> {
    if !wanted.is_object() {
        let path = match queue {
            Some(path) => path,
            None => &w.rm.queues().iter().find(|q| q.leaf.is_some())?.path,
        };
        return Some(json!(pending_within_limits(w, path, deduct_reserved)?));
    }
    each(wanted, |name, below| match name {
        "deducting_reserved" => pending(w, below, queue, true),
        "without_deducting_reserved" => pending(w, below, queue, false),
        path => pending(w, below, Some(path), deduct_reserved),
    })
}

/// Returns the pending resources in a queue within the limits of its users.
pub(super) fn pending_within_limits(w: &World, queue: &str, deduct_reserved: bool) -> Option<i64> {
    let (scheduler, id) = (w.rm.capacity()?, w.rm.queue(queue)?);
    let cluster = w.rm.cluster();
    Some(scheduler.pending_within_user_limits(cluster, id, PartitionId::DEFAULT, deduct_reserved).memory_mb())
}
