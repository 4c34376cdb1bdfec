//! Single rules of the CapacityScheduler in figures: order of sibling queues and of applications, the limit checks of
//! an attempt, the user limit (kinds child-order, app-order, app-order-compare, queue-limit-check, user-limit-check,
//! user-limit).

use super::read::{int, list, resource, text};
use crate::conformance::compare::holds;
use crate::conformance::{Case, Difference, Driver, Outcome};
use heddle_core::config::capacity::{LeafOrdering, ParentOrdering};
use heddle_core::model::{AppId, Calculator, CalculatorKind, PartitionId, QueueId, Resource, ResourceTypes, UserId};
use heddle_core::scheduler::App;
use heddle_core::scheduler::capacity::{
    ChildKey, LimitBase, Mode, Users, apps_in_order, children_in_order, queue_limit_allows, user_limit_allows,
};
use serde_json::{Value, json};
use std::cmp::Ordering;

/// Returns the driver for a kind of cases.
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

/// Returns a calculator for memory alone, which these cases are about.
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

/// An application as a leaf's ordering policy sees it.
struct Sorted {
    app: App,
    /// Its name in the case.
    name: Value,
    /// Whether the attempt was recovered after a restart: recovered attempts come first among the pending ones. The core
    /// recovers nothing, so this step of the order is implemented here.
    recovering: bool,
    /// Whether it has a priority. In YARN every application has one; an entity in a unit test without one comes first.
    has_priority: bool,
    /// Its usage and pending resources; the policy sorts by their values when it was last informed.
    used: Resource,
    pending: Resource,
}

impl Sorted {
    fn new(v: &Value) -> Self {
        let serial = v["serial"].as_i64().or_else(|| text(&v["id"]).parse().ok()).unwrap_or(0);
        let mut app = App::new(AppId(u32::try_from(serial).unwrap_or(0)), UserId(0), QueueId(0), 1);
        app.started_at = int(&v["start_time"]);
        app.priority = int(&v["priority"]) as i32;
        let name = ["id", "serial"].iter().find_map(|key| v.get(key)).cloned().unwrap_or_default();
        let (recovering, has_priority) = (v["recovering"] == true, !v["priority"].is_null());
        let mut out = Sorted { app, name, recovering, has_priority, used: Resource::ZERO, pending: Resource::ZERO };
        out.change(v);
        out.inform();
        out
    }

    fn inform(&mut self) {
        (self.app.fair.used, self.app.fair.pending) = (self.used, self.pending);
    }

    /// Applies a change. `used` is `[memory, vcores]`, while `used_mb` is memory alone.
    fn change(&mut self, v: &Value) {
        if v["used"].is_array() {
            self.used = resource(&v["used"]);
        } else if !v["used_mb"].is_null() {
            self.used = Resource::new(int(&v["used_mb"]), 0);
        }
        if !v["pending_mb"].is_null() {
            self.pending = Resource::new(int(&v["pending_mb"]), 0);
        }
    }
}

/// The ordering policy of a case.
#[derive(Clone)]
enum Policy {
    Leaf(LeafOrdering),
    Pending,
}

impl Policy {
    fn read(given: &Value) -> Result<Self, Outcome> {
        Ok(match text(&given["policy"]) {
            "fair" => Policy::Leaf(LeafOrdering::Fair { size_based_weight: given["size_based_weight"] == true }),
            "fifo" => Policy::Leaf(LeafOrdering::Fifo),
            "fifo-for-pending-apps" => Policy::Pending,
            other => return Err(Outcome::Unsupported(format!("app-order ({other})"))),
        })
    }

    fn compare(&self, a: &Sorted, b: &Sorted) -> Ordering {
        match self {
            Policy::Leaf(policy @ LeafOrdering::Fair { .. }) => apps_in_order(policy, &a.app, &b.app),
            _ => {
                let first = b.recovering.cmp(&a.recovering).then(a.has_priority.cmp(&b.has_priority));
                first.then_with(|| apps_in_order(&LeafOrdering::Fifo, &a.app, &b.app))
            }
        }
    }
}

/// Returns a name that is written as a text or as a number.
fn plain(v: &Value) -> String {
    v.as_str().map_or_else(|| v.to_string(), str::to_owned)
}

fn names(apps: &[Sorted]) -> Vec<Value> {
    apps.iter().map(|a| a.name.clone()).collect()
}

/// Returns the initial order of the applications, and the order after each step: a step changes an application's usage, and
/// the order follows when the policy is informed.
fn app_order(case: &Case) -> Outcome {
    let given = &case.given;
    let policy = match Policy::read(given) {
        Ok(policy) => policy,
        Err(outcome) => return outcome,
    };
    let mut apps: Vec<Sorted> = list(&given["apps"]).iter().map(Sorted::new).collect();
    apps.extend(
        list(&given["apps_serial_priority_recovering"])
            .iter()
            .map(|row| Sorted::new(&json!({ "serial": row[0], "priority": row[1], "recovering": row[2] }))),
    );
    apps.sort_by(|a, b| policy.compare(a, b));
    let first = names(&apps);
    let mut orders = Vec::new();
    for (i, step) in list(&given["steps"]).iter().enumerate() {
        let who = [&step["app"], &step["id"]].into_iter().find(|v| !v.is_null()).unwrap_or(&Value::Null);
        let Some(at) = apps.iter().position(|a| plain(&a.name) == plain(who)) else {
            return Outcome::Failed(Difference::new(format!("step {i}"), "an application of the case", who));
        };
        apps[at].change(step);
        // An allocation, a release or a change of demand informs the policy, which then sorts again.
        if step["informed"] != false {
            apps[at].inform();
            apps.sort_by(|a, b| policy.compare(a, b));
        }
        orders.push(names(&apps));
    }
    // The order before all steps may be listed too.
    if list(&case.expect["orders"]).len() > orders.len() {
        orders.insert(0, first.clone());
    }
    // Preemption takes from the end of the order (getPreemptionIterator).
    let backwards = |order: &Vec<Value>| order.iter().rev().cloned().collect::<Vec<_>>();
    let reversed = match &case.expect["reverse_orders_for_preemption"] {
        // A single value for all orders.
        Value::Bool(_) => json!(true),
        _ => orders.iter().map(backwards).collect(),
    };
    let got = json!({
        "order": first, "preemption_order": backwards(&first),
        "orders": orders, "reverse_orders_for_preemption": reversed,
    });
    holds(&case.expect, &got).into()
}

fn app_order_compare(case: &Case) -> Outcome {
    let policy = match Policy::read(&case.given) {
        Ok(policy) => policy,
        Err(outcome) => return outcome,
    };
    let order = match policy.compare(&Sorted::new(&case.given["a"]), &Sorted::new(&case.given["b"])) {
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
    // One inactive user has the usage that yields the usage ratio.
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
