//! ApplicationMasters' requests to YARN and their use of containers (area lifecycles): YARN's client, the distributed
//! shell, YARN services, host names.

use super::read::{int, list, resource, text};
use crate::conformance::compare::holds;
use crate::conformance::{Case, Difference, Driver, Outcome};
use heddle_core::api::{AllocateCall, AllocateResponse, Completed, Granted, NodeUpdate};
use heddle_core::apps::service::strategy::{Component, ComponentSpec, RestartPolicy, ServicePlan};
use heddle_core::journal::Silent;
use heddle_core::model::{AppId, AttemptId, ContainerId, Millis, NodeId, Resource};
use heddle_core::strategy::amrm_client::{AmrmClient, BadRequest, ClientRequest, RequestNumber};
use heddle_core::strategy::{
    AmAction, ApplicationMaster, DistributedShell, Reports, ServiceMaster, ShellAsks, Store, Turn, Work,
};
use indexmap::IndexSet;
use serde_json::{Map, Value, json};
use std::collections::BTreeSet;
use std::sync::Arc;

/// Returns the driver for a kind of cases.
pub fn driver(kind: &str) -> Option<Driver> {
    Some(match kind {
        "ask-table" | "match-requests" => ask_table,
        "client-blacklist" => client_blacklist,
        "ds-am" => distributed_shell,
        "service-policy" => service_policy,
        "service-exit" => service_exit,
        "sls-host-name" => sls_host_name,
        _ => return None,
    })
}

fn played(result: Result<(), Difference>) -> Outcome {
    result.into()
}

fn fault(message: impl std::fmt::Display) -> Difference {
    Difference::new("", "to be played", message)
}

fn texts(v: &Value) -> Vec<String> {
    list(v).iter().map(|t| text(t).to_string()).collect()
}

/// YARN's client, driven by a case.
struct Client<'a> {
    client: AmrmClient,
    topology: &'a Value,
    names: IndexSet<String>,
    containers: IndexSet<String>,
}

/// Returns the name that facts use for an exception of the client.
fn thrown(bad: &BadRequest) -> &'static str {
    match bad {
        BadRequest::RelaxesOtherwise { .. } | BadRequest::SeveralLabels { .. } => "invalid-container-request",
        BadRequest::StrictNowhere => "illegal-argument",
    }
}

impl Client<'_> {
    fn number(&mut self, name: &Value) -> RequestNumber {
        self.names.insert_full(text(name).to_string()).0 as RequestNumber
    }

    fn named(&self, numbers: &[RequestNumber]) -> Vec<&str> {
        numbers.iter().filter_map(|n| self.names.get_index(*n as usize)).map(String::as_str).collect()
    }

    /// Plays a step. Errors: an expectation inside the steps does not hold. An inner error is the name of the client's
    /// exception.
    fn step(&mut self, step: &Value) -> Result<Result<(), &'static str>, Difference> {
        let topology = self.topology;
        let rack_of = |host: &str| topology[host].as_str().map(str::to_string);
        match text(&step["do"]) {
            "add" => {
                let number = self.number(&step["request"]);
                let request = ClientRequest {
                    priority: int(&step["priority"]) as i32,
                    // A case without an id means Hadoop's 0.
                    allocation_request_id: step["allocation_id"].as_i64().filter(|id| *id != 0).unwrap_or(-1),
                    size: resource(&step["size"]),
                    relax: step["relax"].as_bool().unwrap_or(true),
                    nodes: texts(&step["nodes"]),
                    racks: texts(&step["racks"]),
                    label: step["label"].as_str().map(str::to_string),
                };
                if let Err(bad) = self.client.add(number, request, &rack_of) {
                    return Ok(Err(thrown(&bad)));
                }
            }
            "remove" => {
                let number = self.number(&step["request"]);
                self.client.remove(number);
            }
            "release" => {
                for name in list(&step["containers"]) {
                    let seq = self.containers.insert_full(text(name).to_string()).0 as u64;
                    self.client.release(ContainerId { app: AppId(0), attempt: 1, seq });
                }
            }
            "heartbeat" => drop(self.client.call()),
            "heartbeat-fails" => {
                let call = self.client.call();
                for inner in list(&step["during"]) {
                    if let Err(error) = self.step(inner)? {
                        return Ok(Err(error));
                    }
                }
                self.client.call_failed(call);
            }
            "check" => self.check(step)?,
            "match" => self.matches(step)?,
            "match-id" => {
                let got = self.client.matching_id(int(&step["allocation_id"]));
                holds(&step["list"], &json!(self.named(&got)))?;
            }
            other => return Err(fault(format!("unknown step {other}"))),
        }
        Ok(Ok(()))
    }

    /// Returns the table, and the rows that are waiting to be sent.
    fn state(&self) -> Value {
        let row = |ask: &heddle_core::api::AskRow| {
            json!({ "priority": ask.priority, "allocation_id": ask.allocation_request_id.max(0), "name": ask.place,
                "count": ask.count, "relax": ask.relax })
        };
        let table = self.client.table();
        let rows: Vec<Value> = table.wanted().map(|ask| row(&ask)).collect();
        let by_name = |asks: &mut dyn Iterator<Item = heddle_core::api::AskRow>| {
            let mut counts: Map<String, Value> = Map::new();
            for ask in asks {
                let before = counts.get(&ask.place).and_then(Value::as_i64).unwrap_or(0);
                counts.insert(ask.place, json!(before + ask.count));
            }
            Value::Object(counts)
        };
        let labels: Map<String, Value> =
            table.waiting().filter_map(|ask| Some((ask.place, json!(ask.label?)))).collect();
        let bare: Vec<String> = table.waiting().filter(|ask| ask.label.is_none()).map(|ask| ask.place).collect();
        json!({
            "asks": table.waiting().count(),
            "counts": by_name(&mut table.wanted()),
            "ask_counts": by_name(&mut table.waiting()),
            "releases": table.releases.len(),
            "table_empty": rows.is_empty(),
            "any_label": labels.get("*"),
            "labels": labels,
            "rows_without_label": bare,
            "rows": rows,
        })
    }

    fn check(&self, step: &Value) -> Result<(), Difference> {
        let mut state = self.state();
        let Some(expected) = step.as_object() else { return Ok(()) };
        for (key, value) in expected.iter().filter(|(key, _)| !["do", "note"].contains(&key.as_str())) {
            check_key(key, value, &mut state)?;
        }
        Ok(())
    }

    fn matches(&self, step: &Value) -> Result<(), Difference> {
        let (priority, place) = (int(&step["priority"]) as i32, text(&step["name"]));
        let groups = self.client.matching(priority, place, resource(&step["size"]));
        let names: Vec<Vec<&str>> = groups.iter().map(|g| self.named(g)).collect();
        if let Some(count) = step.get("group_count") {
            holds(count, &json!(names.len())).map_err(|d| d.inside("groups"))?;
        }
        for key in ["groups", "group_sets"] {
            let Some(expected) = step.get(key) else { continue };
            if key == "groups" {
                holds(expected, &json!(names)).map_err(|d| d.inside(key))?;
                continue;
            }
            let set = |group: &[&str]| group.iter().map(|n| n.to_string()).collect::<BTreeSet<String>>();
            let got: BTreeSet<_> = names.iter().map(|g| set(g)).collect();
            let wanted: BTreeSet<_> = list(expected).iter().map(|g| texts(g).into_iter().collect()).collect();
            if got != wanted {
                return Err(Difference::new(key, expected, json!(names)));
            }
        }
        Ok(())
    }
}

/// Compares one key of the table: absent rows count as 0; a list may be given as its length.
fn check_key(key: &str, value: &Value, state: &mut Value) -> Result<(), Difference> {
    match key {
        "counts" | "ask_counts" => {
            for (name, count) in value.as_object().into_iter().flatten() {
                let got = state[key][name].as_i64().unwrap_or(0);
                holds(count, &json!(got)).map_err(|d| d.inside(format!("{key}.{name}")))?;
            }
            Ok(())
        }
        "table" => {
            for row in list(value) {
                let is = |r: &&Value| {
                    ["priority", "name", "allocation_id"].iter().all(|k| row.get(k).is_none_or(|v| *v == r[*k]))
                };
                let found = list(&state["rows"]).iter().find(is).cloned().unwrap_or(Value::Null);
                holds(row, &found).map_err(|d| d.inside("table"))?;
            }
            Ok(())
        }
        "rows_without_label" if value.is_number() => holds(value, &json!(list(&state[key]).len())),
        "rows_without_label" => {
            let (wanted, got): (BTreeSet<String>, BTreeSet<String>) =
                (texts(value).into_iter().collect(), texts(&state[key]).into_iter().collect());
            if wanted == got { Ok(()) } else { Err(Difference::new(key, value, &state[key])) }
        }
        "labels" if value.is_array() => {
            let got: Vec<&Value> = state[key].as_object().into_iter().flatten().map(|(_, label)| label).collect();
            holds(value, &json!(got)).map_err(|d| d.inside(key))
        }
        _ => holds(value, &state[key]).map_err(|d| d.inside(key)),
    }
}

fn ask_table(case: &Case) -> Outcome {
    let mut client = Client {
        client: AmrmClient::default(),
        topology: &case.given["topology"],
        names: IndexSet::new(),
        containers: IndexSet::new(),
    };
    let run = |client: &mut Client<'_>| -> Result<(Value, Value), Difference> {
        for (i, step) in list(&case.given["steps"]).iter().enumerate() {
            if let Err(error) = client.step(step).map_err(|d| d.inside(format!("step {i}")))? {
                return Ok((json!(error), json!(i)));
            }
        }
        Ok((Value::Null, Value::Null))
    };
    played(run(&mut client).and_then(|(error, step)| {
        let mut state = client.state();
        state["error"] = error;
        state["error_at_step"] = step;
        // An unexpected refusal must not pass for a correct table.
        if case.expect.get("error").is_none() {
            holds(&Value::Null, &state["error"]).map_err(|d| d.inside("error"))?;
        }
        case.expect.as_object().into_iter().flatten().try_for_each(|(key, value)| check_key(key, value, &mut state))
    }))
}

fn client_blacklist(case: &Case) -> Outcome {
    let mut client = AmrmClient::default();
    let mut run = || {
        for (i, step) in list(&case.given["steps"]).iter().enumerate() {
            client.change_blacklist(&texts(&step["add"]), &texts(&step["remove"]));
            let (add, remove) = client.blacklist();
            let got = json!({ "additions": add.len(), "removals": remove.len() });
            for key in ["additions", "removals"] {
                let expected = step.get(key).map_or(Ok(()), |value| holds(value, &got[key]));
                expected.map_err(|d| d.inside(format!("step {i} {key}")))?;
            }
        }
        holds(&case.expect, &json!({ "error": null }))
    };
    played(run())
}

/// Calls to a master without a cluster.
#[derive(Default)]
struct Desk {
    store: Store,
    acts: Vec<AmAction>,
    now: Millis,
}

/// Reports about unknown nodes: node `k` is the host `hk`.
struct NoNodes;

impl Reports for NoNodes {
    fn running_nodes(&self) -> Vec<NodeUpdate> {
        Vec::new()
    }

    fn host(&self, node: NodeId) -> String {
        format!("h{}", node.0)
    }

    fn rack(&self, _host: &str) -> Option<String> {
        None
    }

    fn limits(&self, _app: AppId) -> (Resource, Resource) {
        (Resource::new(1, 1), Resource::new(1 << 20, 1 << 10))
    }

    fn kept(&self, _app: AppId) -> Vec<Granted> {
        Vec::new()
    }
}

impl Desk {
    fn with<T>(&mut self, call: impl FnOnce(&mut Turn<'_>) -> T) -> T {
        let attempt = AttemptId { app: AppId(0), attempt: 1 };
        let mut silent = Silent;
        call(&mut Turn::new((self.now, attempt), &mut self.store, &NoNodes, &mut self.acts, &mut silent))
    }

    /// Plays one heartbeat: sends the master's call, and passes this answer to it.
    fn beat(&mut self, master: &mut dyn ApplicationMaster, answer: &AllocateResponse) -> AllocateCall {
        let call = self.with(|turn| master.call(turn));
        self.with(|turn| master.answer(turn, answer));
        self.now += 1000;
        call
    }
}

fn id(seq: u64) -> ContainerId {
    ContainerId { app: AppId(0), attempt: 1, seq }
}

fn granted(seq: u64, priority: i32, allocation_request_id: i64) -> Granted {
    let size = Resource::new(1024, 1);
    Granted { id: id(seq), node: NodeId(0), size, priority, allocation_request_id, tags: Vec::new() }
}

fn distributed_shell(case: &Case) -> Outcome {
    let size = Resource::new(1024, 1);
    let asks = ShellAsks::Anywhere { count: int(&case.given["total"]), size, priority: 0, label: None };
    let mut shell = DistributedShell::new(asks, Some(1000), 1000);
    let mut desk = Desk::default();
    // It has registered and sent its requests.
    for _ in 0..2 {
        desk.beat(&mut shell, &AllocateResponse::default());
    }
    let mut run = || {
        for (i, step) in list(&case.given["steps"]).iter().enumerate() {
            let mut answer = AllocateResponse::default();
            match text(&step["do"]) {
                "allocated" => {
                    let numbers = list(&step["containers"]).iter().map(|n| int(n) as u64);
                    answer.allocated = numbers.map(|n| granted(n, 0, -1)).collect();
                    desk.beat(&mut shell, &answer);
                }
                "completed" => {
                    for (name, status) in step["statuses"].as_object().into_iter().flatten() {
                        let seq = name.parse().map_err(|_| fault(format!("no container {name}")))?;
                        let exit_code = int(status) as i32;
                        answer.completed.push(Completed { id: id(seq), exit_code, diagnostics: String::new() });
                    }
                    desk.beat(&mut shell, &answer);
                }
                "check" => {
                    let (allocated, completed) = shell.counts();
                    let launched = desk.acts.iter().filter(|a| matches!(a, AmAction::Launch { .. })).count();
                    let done = desk.acts.iter().any(|a| matches!(a, AmAction::Unregister { .. } | AmAction::GiveUp(_)));
                    let ids: Vec<String> = shell.shell_ids().map(|n| n.to_string()).collect();
                    let got = json!({ "do": "check", "allocated": allocated, "launched": launched, "shell_ids": ids,
                        "completed": completed, "done": done });
                    holds(step, &got).map_err(|d| d.inside(format!("step {i}")))?;
                }
                other => return Err(fault(format!("unknown step {other}"))),
            }
        }
        holds(&case.expect, &json!({ "error": null }))
    };
    played(run())
}

fn restart_policy(v: &Value) -> Result<RestartPolicy, Difference> {
    let known = RestartPolicy::ALL.iter().find(|(name, _)| *name == text(v));
    known.map(|(_, policy)| *policy).ok_or_else(|| fault(format!("unknown policy {v}")))
}

fn service_policy(case: &Case) -> Outcome {
    let g = &case.given;
    played(restart_policy(&g["policy"]).and_then(|policy| {
        let desired = int(&g["desired"]);
        let mut component = Component::new(desired);
        let (succeeded, failed) = (int(&g["succeeded"]), int(&g["failed"]));
        (0..succeeded).for_each(|i| component.ended(i, false));
        (succeeded..succeeded + failed).for_each(|i| component.ended(i, true));
        let got = json!({
            "long_lived": policy.is_long_lived(),
            "has_completed": component.is_over(policy),
            "has_completed_successfully": component.has_succeeded(policy),
            "relaunch": policy.asks_again(int(&g["exit_status"]) as i32),
            "ready_for_dependents": component.counts_as_ready(policy, int(&g["ready"])) >= desired,
        });
        holds(&case.expect, &got)
    }))
}

/// Ends instances of components; the last end is compared.
fn service_exit(case: &Case) -> Outcome {
    let g = &case.given;
    let run = || {
        let mut components = Vec::new();
        for (i, component) in list(&g["components"]).iter().enumerate() {
            components.push(ComponentSpec {
                name: format!("comp{i}"),
                count: int(&component["containers"]),
                size: Resource::new(1024, 1),
                restart_policy: restart_policy(&component["policy"])?,
                dependencies: Vec::new(),
                constraint: None,
                work: Work::default(),
            });
        }
        let counts: Vec<i64> = components.iter().map(|c| c.count).collect();
        let plan = ServicePlan { components, heartbeat: 1000, readiness: 30_000, ..ServicePlan::default() };
        let mut master = ServiceMaster::new(Arc::new(plan));
        let mut desk = Desk::default();
        desk.with(|turn| master.registered(turn));
        desk.beat(&mut master, &AllocateResponse::default());
        let mut seq = 1;
        let mut answer = AllocateResponse::default();
        let mut containers: Vec<Vec<u64>> = Vec::new();
        for (place, count) in counts.iter().enumerate() {
            containers.push((0..*count).map(|k| seq + k as u64).collect());
            seq += *count as u64;
            let grants = containers[place].iter().map(|n| granted(*n, place as i32, place as i64));
            answer.allocated.extend(grants);
        }
        desk.beat(&mut master, &answer);
        let (mut re_requested, mut marked) = (false, Value::Null);
        for done in list(&g["completions"]) {
            let place = int(&done["component"]) as usize;
            let left = containers.get_mut(place).filter(|left| !left.is_empty());
            let container = left.map(|left| left.remove(0)).ok_or_else(|| fault("no container is left"))?;
            let exit_code = int(&done["exit_status"]) as i32;
            let ended = vec![Completed { id: id(container), exit_code, diagnostics: String::new() }];
            let before = ends(&master, place);
            desk.beat(&mut master, &AllocateResponse { completed: ended, ..AllocateResponse::default() });
            let after = ends(&master, place);
            marked = match (after.0 > before.0, after.1 > before.1) {
                (true, _) => json!("succeeded"),
                (_, true) => json!("failed"),
                _ => Value::Null,
            };
            let call = desk.beat(&mut master, &AllocateResponse::default());
            re_requested = call.asks.iter().any(|ask| ask.count > 0);
        }
        let exit = desk.acts.iter().find_map(|act| match act {
            AmAction::Unregister { succeeded } => Some(if *succeeded { 0 } else { -1 }),
            AmAction::Fail { .. } | AmAction::GiveUp(_) => Some(-1),
            _ => None,
        });
        let (succeeded, failed) = ends(&master, 0);
        let got = json!({ "marked": marked, "re_requested": re_requested, "service_exit": exit,
            "marked_failed_of_component_0": failed, "marked_succeeded_of_component_0": succeeded });
        holds(&case.expect, &got)
    };
    played(run())
}

/// Returns the numbers of a component's instances that succeeded and failed and are not requested again.
fn ends(master: &ServiceMaster, place: usize) -> (usize, usize) {
    master.components().nth(place).map_or((0, 0), |(_, c)| (c.succeeded.len(), c.failed.len()))
}

fn sls_host_name(case: &Case) -> Outcome {
    let pairs: Vec<(String, String)> =
        list(&case.given["names"]).iter().map(|n| heddle_core::api::rack_and_host(text(n))).collect();
    holds(&case.expect, &json!({ "rack_host": pairs })).into()
}
