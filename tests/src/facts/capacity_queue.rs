//! Figures of one queue: AM limits, activation, headroom, submission, and the partition that requests get (kinds am-limits,
//! activation, headroom, submission, ask-label-updates).

use super::capacity_world::World;
use super::read::{int, list, text};
use crate::conformance::compare::holds;
use crate::conformance::{Case, Difference, Driver, Outcome};
use heddle_core::model::{PartitionId, RequestKey, Resource, UserId};
use serde_json::{Value, json};

/// Returns the driver for a kind of cases.
pub fn driver(kind: &str) -> Option<Driver> {
    Some(match kind {
        "am-limits" => am_limits,
        "activation" => activation,
        "headroom" => headroom,
        "submission" => submission,
        "ask-label-updates" => ask_label_updates,
        _ => return None,
    })
}

/// Turns a failure to play into a difference.
fn outcome(result: Result<Outcome, String>) -> Outcome {
    result.unwrap_or_else(|message| Outcome::Failed(Difference::new("", "to be played", message)))
}

/// Creates a world with the whole cluster in one node.
fn one_node(case: &Case) -> Result<World, String> {
    let mut world = World::start(&case.given, |_, _| {}).map_err(|r| r.message)?;
    world.set_cluster_memory(int(&case.given["cluster_memory_mb"])).map_err(|r| r.message)?;
    Ok(world)
}

/// Compares lists step by step; an expected null is not compared.
fn same_steps(case: &Case, key: &str, got: &[Value]) -> Outcome {
    for (i, wanted) in list(&case.expect[key]).iter().enumerate().filter(|(_, wanted)| !wanted.is_null()) {
        let got = got.get(i).unwrap_or(&Value::Null);
        if let Err(d) = holds(wanted, got) {
            return Outcome::Failed(d.inside(format!("step {i}")));
        }
    }
    Outcome::Passed
}

fn am_limits(case: &Case) -> Outcome {
    outcome(one_node(case).and_then(|mut w| {
        let queue = text(&case.given["queue"]);
        for i in 0..case.given["active_users"].as_i64().unwrap_or(0) {
            // A user is active once one of its active applications has requested something.
            let name = format!("app{i}");
            w.submit(&json!({ "app": name, "user": format!("user_{i}") }), queue, None)?;
            w.ask(&name, &json!(1), &[json!({ "name": "*", "memory_mb": 1024, "count": 1 })])?;
        }
        let id = w.rm.queue(queue).ok_or("no such queue")?;
        let scheduler = w.rm.capacity().ok_or("not the CapacityScheduler")?;
        let all = scheduler.queue(id).part(PartitionId::DEFAULT).am_limit;
        let user = scheduler.user_am_limit_of(w.rm.cluster(), id, UserId(0), PartitionId::DEFAULT);
        let got = json!({ "queue_am_limit_mb": all.memory_mb(), "user_am_limit_mb": user.memory_mb() });
        Ok(holds(&case.expect, &got).into())
    }))
}

fn activation(case: &Case) -> Outcome {
    outcome(one_node(case).and_then(|mut w| {
        let queue = text(&case.given["queue"]);
        let users: Vec<&str> = list(&case.given["steps"]).iter().filter_map(|s| s["user"].as_str()).collect();
        let mut got = Vec::new();
        for step in list(&case.given["steps"]) {
            match text(&step["do"]) {
                "submit_app" => {
                    w.submit(step, queue, w.am(step))?;
                    // Applications of these cases request nothing at all, so their users do not count as active.
                    w.withdraw_am(text(&step["app"]))?;
                }
                "finish_app" => w.kill(text(&step["app"]))?,
                "refresh" => w.refresh(&step["set"])?,
                "set_cluster_memory" => w.set_cluster_memory(int(&step["memory_mb"])).map_err(|r| r.message)?,
                other => return Err(format!("unknown step {other}")),
            }
            got.push(counts(&w, queue, &users)?);
        }
        Ok(same_steps(case, "after_each_step", &got))
    }))
}

/// Returns the numbers of active and pending applications, in total and for each user (`USER_active`, `USER_pending`).
fn counts(w: &World, queue: &str, users: &[&str]) -> Result<Value, String> {
    let leaf = w.leaf(queue).ok_or("no such leaf")?;
    let mut out = json!({ "active": leaf.active.len(), "pending": leaf.pending.len() });
    for name in users {
        let record = w.rm.cluster().find_user(name).and_then(|user| leaf.users.get(user));
        out[format!("{name}_active")] = json!(record.map_or(0, |u| u.active_apps));
        out[format!("{name}_pending")] = json!(record.map_or(0, |u| u.pending_apps));
    }
    Ok(out)
}

fn headroom(case: &Case) -> Outcome {
    let key = "headroom_mb_of_every_app_after_each_step";
    outcome(one_node(case).and_then(|mut w| {
        for (i, step) in list(&case.given["steps"]).iter().enumerate() {
            match text(&step["do"]) {
                "submit_and_ask" => {
                    w.submit(step, text(&case.given["queue"]), None)?;
                    let ask = json!({ "name": "*", "memory_mb": step["memory_mb"], "count": step["count"] });
                    w.ask(text(&step["app"]), &json!(1), &[ask])?;
                    // An application has a headroom only after the next recomputation of the limits.
                    w.refresh(&Value::Null)?;
                }
                "set_cluster_memory" => w.set_cluster_memory(int(&step["memory_mb"])).map_err(|r| r.message)?,
                other => return Err(format!("unknown step {other}")),
            }
            for app in w.app_ids() {
                let (wanted, got) = (&case.expect[key][i], json!(w.headroom_mb(app)));
                if let Err(d) = holds(wanted, &got) {
                    let who = w.app_name(app).to_owned();
                    return Ok(Outcome::Failed(d.inside(who).inside(format!("step {i}"))));
                }
            }
        }
        Ok(Outcome::Passed)
    }))
}

fn submission(case: &Case) -> Outcome {
    outcome(World::start(&case.given, |_, _| {}).map_err(|r| r.message).and_then(|mut w| {
        let mut got = Vec::new();
        for (i, step) in list(&case.given["steps"]).iter().enumerate() {
            got.push(match text(&step["do"]) {
                "submit_app" => match w.submit(step, text(&step["queue"]), Some(Resource::new(1024, 1))) {
                    Ok(_) => json!({ "accepted": true }),
                    Err(said) => {
                        let part = &case.expect["after_each_step"][i]["message_contains"];
                        let shown = if said.contains(text(part)) { part.clone() } else { json!(said) };
                        json!({ "accepted": false, "message_contains": shown })
                    }
                },
                "kill_app" => {
                    w.kill(text(&step["app"]))?;
                    Value::Null
                }
                other => return Err(format!("unknown step {other}")),
            });
        }
        Ok(same_steps(case, "after_each_step", &got))
    }))
}

fn ask_label_updates(case: &Case) -> Outcome {
    let labels: Vec<&str> = list(&case.given["queue_accessible_labels"]).iter().map(text).collect();
    let mut config = json!({
        "yarn.scheduler.capacity.root.queues": "a",
        "yarn.scheduler.capacity.root.a.capacity": "100",
        "yarn.scheduler.capacity.root.a.accessible-node-labels": labels.join(","),
    });
    for label in &labels {
        for queue in ["root", "root.a"] {
            config[format!("yarn.scheduler.capacity.{queue}.accessible-node-labels.{label}.capacity")] = json!("100");
        }
    }
    if let Some(default) = case.given["queue_default_label"].as_str() {
        config["yarn.scheduler.capacity.root.a.default-node-label-expression"] = json!(default);
    }
    let given = json!({ "config": config, "labels": labels, "nodes": [{ "id": "n1", "memory_mb": 65536 }] });
    outcome(World::start(&given, |_, _| {}).map_err(|r| r.message).and_then(|mut w| {
        let id = w.submit(&json!({ "app": "app", "user": "user" }), "a", None)?;
        let mut got = Vec::new();
        for (i, call) in list(&case.given["calls"]).iter().enumerate() {
            w.ask("app", &Value::Null, list(call))?;
            let app = w.rm.scheduled(id).ok_or("no attempt")?;
            let mut shown = json!({});
            for priority in
                case.expect["label_of_priority_after_each_call"][i].as_object().into_iter().flat_map(|o| o.keys())
            {
                let key = RequestKey { priority: priority.parse().unwrap_or(0), allocation_request_id: -1 };
                let place = app.asks.find(key).ok_or_else(|| format!("no request of priority {priority}"))?;
                let partition = app.asks.at(place).partition;
                shown[priority] = json!(w.rm.cluster().partition_name(partition));
            }
            got.push(shown);
        }
        Ok(same_steps(case, "label_of_priority_after_each_call", &got))
    }))
}
