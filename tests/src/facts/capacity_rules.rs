//! Single rules of the CapacityScheduler in figures: order of sibling queues and of applications, the limit checks of
//! an attempt, the user limit (kinds child-order, app-order, app-order-compare, queue-limit-check, user-limit-check,
//! user-limit).

use super::read::{int, list, resource, text};
use crate::conformance::compare::holds;
use crate::conformance::{Case, Driver, Outcome};
use heddle_core::config::capacity::{LeafOrdering, ParentOrdering};
use heddle_core::model::{AppId, Calculator, CalculatorKind, PartitionId, QueueId, Resource, ResourceTypes, UserId};
use heddle_core::scheduler::App;
use heddle_core::scheduler::capacity::{
    ChildKey, LimitBase, Mode, Users, apps_in_order, children_in_order, queue_limit_allows, user_limit_allows,
};
use serde_json::{Value, json};
use std::cmp::Ordering;

/// Who plays this kind.
pub fn driver(kind: &str) -> Option<Driver> {
    Some(match kind {
        "child-order" => child_order,
        "app-order" => app_order,
        "app-order-compare" => app_order_compare,
        "queue-limit-check" => queue_limit_check,
        "user-limit-check" => user_limit_check,
        "user-limit" => user_limit,
        _ => return None,
    })
}

/// These cases are about memory alone.
fn memory_only() -> Calculator {
    Calculator::new(CalculatorKind::Default, &ResourceTypes::default())
}

fn child_order(case: &Case) -> Outcome {
    let policy = match text(&case.given["policy"]) {
        "priority-utilization" => ParentOrdering::PriorityUtilization,
        _ => ParentOrdering::Utilization,
    };
    let labelled = !text(&case.given["partition"]).is_empty();
    let queues = list(&case.given["queues_in_configured_order"]);
    let mut keys: Vec<ChildKey> = queues
        .iter()
        .enumerate()
        .map(|(i, q)| {
            let fraction = |key: &str| q[key].as_f64().unwrap_or(0.0) as f32;
            let absolute = fraction("absolute_capacity");
            ChildKey {
                queue: QueueId::from(i),
                place: i as u32,
                access: !labelled || q["can_access_partition"] == true,
                priority: int(&q["priority"]) as i32,
                absolute_capacity: absolute,
                used: fraction("used_capacity"),
                configured_min: Resource::ZERO,
            }
        })
        .collect();
    keys.sort_by(children_in_order(policy));
    let order: Vec<&Value> = keys.iter().filter_map(|k| queues.get(k.queue.index())).map(|q| &q["name"]).collect();
    holds(&case.expect, &json!({ "order": order })).into()
}

/// An application as the order of a leaf sees it.
fn app(v: &Value) -> App {
    let mut app = App::new(AppId(int(&v["serial"]) as u32), UserId(0), QueueId(0), 1);
    app.started_at = int(&v["start_time"]);
    app.priority = int(&v["priority"]) as i32;
    app.fair.used = Resource::new(int(&v["used_mb"]), 0);
    app.fair.pending = Resource::new(int(&v["pending_mb"]), 0);
    app
}

/// The leaf's ordering policy of a case. Recovered attempts do not exist here: `docs/deviations.md`.
fn policy(given: &Value) -> Result<LeafOrdering, Outcome> {
    Ok(match text(&given["policy"]) {
        "fair" => LeafOrdering::Fair { size_based_weight: given["size_based_weight"] == true },
        "fifo" => LeafOrdering::Fifo,
        other => return Err(Outcome::Unsupported(format!("app-order ({other})"))),
    })
}

fn app_order(case: &Case) -> Outcome {
    let policy = match policy(&case.given) {
        Ok(policy) => policy,
        Err(outcome) => return outcome,
    };
    let mut apps: Vec<App> = list(&case.given["apps"]).iter().map(app).collect();
    apps.sort_by(|a, b| apps_in_order(&policy, a, b));
    let order: Vec<u32> = apps.iter().map(|a| a.id.0).collect();
    // Preemption takes from the end of the order (getPreemptionIterator).
    let back: Vec<u32> = order.iter().rev().copied().collect();
    holds(&case.expect, &json!({ "order": order, "preemption_order": back })).into()
}

fn app_order_compare(case: &Case) -> Outcome {
    let policy = match policy(&case.given) {
        Ok(policy) => policy,
        Err(outcome) => return outcome,
    };
    let (a, b) = (app(&case.given["a"]), app(&case.given["b"]));
    let order = match apps_in_order(&policy, &a, &b) {
        Ordering::Less => "before",
        Ordering::Equal => "equal",
        Ordering::Greater => "after",
    };
    holds(&case.expect, &json!({ "a_vs_b": order })).into()
}

fn queue_limit_check(case: &Case) -> Outcome {
    let mb = |key: &str| Resource::new(int(&case.given[key]), 0);
    let (cap, used, unreservable) = (mb("limit_mb"), mb("queue_used_mb"), mb("unreservable_mb"));
    let allowed: Vec<bool> = list(&case.given["variants"])
        .iter()
        .map(|v| {
            let unreservable = || (v["continue_look"] == true).then_some(unreservable);
            queue_limit_allows(memory_only(), &cap, &used, &cap, unreservable)
        })
        .collect();
    let got = json!({ "allowed": allowed, "headroom_mb_first": (cap - used).memory_mb() });
    holds(&case.expect, &got).into()
}

fn user_limit_check(case: &Case) -> Outcome {
    let used = Resource::new(int(&case.given["user_used_mb"]), 0);
    let reserved = Resource::new(int(&case.given["app_reserved_mb"]), 0);
    let checks: Vec<Option<Resource>> = list(&case.given["variants"])
        .iter()
        .map(|v| {
            let limit = Resource::new(int(&v["limit_mb"]), 0);
            let without = || (v["continue_look"] == true).then_some(used - reserved);
            user_limit_allows(memory_only(), &used, &used, without, &limit)
        })
        .collect();
    let allowed: Vec<bool> = checks.iter().map(Option::is_some).collect();
    let needed: Vec<i64> = checks.iter().map(|c| c.unwrap_or(Resource::ZERO).memory_mb()).collect();
    holds(&case.expect, &json!({ "allowed": allowed, "amount_needed_unreserve_mb": needed })).into()
}

fn user_limit(case: &Case) -> Outcome {
    let g = &case.given;
    if !resource(&g["active_users_used"]).is_zero() || int(&g["active_users_weight"]) != 0 {
        return Outcome::Unsupported("user-limit (with active users)".into());
    }
    let (memory, total) = (memory_only(), resource(&g["partition_total"]));
    let mut users = Users::new(1);
    // One user who is not active uses so much that the usage ratio comes out.
    let used = total.multiply_round_down(g["queue_usage_ratio"].as_f64().unwrap_or(0.0) as f32);
    users.charge(memory, &total, UserId(0), || 1.0, PartitionId::DEFAULT, &used);
    let base = LimitBase {
        calc: memory,
        minimum: &resource(&g["min_allocation"]),
        total: &total,
        guarantee: &resource(&g["effective_min"]),
        maximum: &resource(&g["effective_max_rounded_down"]),
        limit_percent: g["user_limit_percent"].as_f64().unwrap_or(100.0) as f32,
        limit_factor: g["user_limit_factor"].as_f64().unwrap_or(1.0) as f32,
    };
    let limit = users.user_limit(&base, UserId(0), PartitionId::DEFAULT, Mode::Respect);
    holds(&case.expect, &json!({ "memory_mb": limit.memory_mb() })).into()
}
