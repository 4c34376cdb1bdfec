//! Facts about Samza jobs whose containers all run: on their last hosts, and moved by placement actions.

use super::samza::against;
use super::samza_lab::{Cluster, Lab};
use crate::conformance::Driver;
use crate::facts::read::{int, list, text};
use heddle_core::apps::samza::strategy::{Event, JobModel, Message, RequestMode, Start, Wish};
use serde_json::{Map, Value, json};
use std::collections::BTreeMap;

/// Returns the driver for a kind of cases.
pub(super) fn driver(kind: &str) -> Option<Driver> {
    Some(match kind {
        "initial_requests_run" => |c| against(c, initial_requests_run(&c.given)),
        "placement_actions" => |c| against(c, placement_actions(&c.given, &c.expect)),
        _ => return None,
    })
}

fn initial_requests_run(given: &Value) -> Result<Value, String> {
    let hosts = &given["last_seen"];
    let actives = hosts.as_object().into_iter().flatten().filter(|(p, _)| !p.contains('-')).count();
    let lab = run_all(given, actives, hosts, &[])?;
    Ok(json!({ "running": lab.running(), "counters": lab.counters() }))
}

/// Returns a job whose containers all run, on these hosts.
fn run_all(given: &Value, actives: usize, hosts: &Value, settings: &[(&str, &str)]) -> Result<Lab, String> {
    let mut lab = Lab::new(given, settings, JobModel::default(), hosts)?;
    let settings = lab.samza.settings().clone();
    let stream = lab.samza.stream().clone();
    let (nodes, kept, changed) = (BTreeMap::new(), Vec::new(), false);
    let model = Lab::model(actives, given);
    let wanted: Vec<String> = model.order().into_iter().map(str::to_string).collect();
    // The case makes its requests itself, so that the cluster receives them.
    let model_only =
        Start { settings, mode: RequestMode::Strict, model, stream, nodes, kept, changed, next_request: 0 };
    lab = Lab::start(model_only);
    lab.nodes = Some(given["exit_code_on_stop"].as_i64().unwrap_or(-102) as i32);
    for (p, wish) in lab.samza.requests().queue().map(|r| (r.processor.clone(), r.wish.clone())).collect::<Vec<_>>() {
        if let Wish::Host(host) = wish {
            lab.grant(&format!("first-{p}"), &host, 0);
        } else {
            lab.grant(&format!("first-{p}"), hosts[&p].as_str().unwrap_or("some-host"), 0);
        }
    }
    lab.until(|lab| lab.samza.running().len() == wanted.len());
    lab.cluster = Cluster::of(text(&given["cluster"]));
    Ok(lab)
}

fn placement_actions(given: &Value, expect: &Value) -> Result<Value, String> {
    let hosts = &given["running"];
    let actives = hosts.as_object().into_iter().flatten().filter(|(p, _)| !p.contains('-')).count();
    let mut lab = run_all(given, actives, hosts, &[("app.run.id", text(&given["deployment"]))])?;
    lab.launch_fails_on = list(&given["launch_fails_on"]).iter().map(|h| text(h).to_string()).collect();
    for e in list(&given["before"]) {
        if let Some(p) = e["exit"].as_str() {
            let container = lab.samza.running().get(p).map(|x| x.container).ok_or("it does not run")?;
            lab.handle(Event::Completed(vec![(container, int(&e["code"]) as i32)]));
        } else if let Some(p) = e["restarted"].as_str() {
            lab.until(|lab| lab.samza.running().contains_key(p));
        }
    }
    let before = json!({
        "running": lab.running(), "failed": lab.samza.given_up().keys().collect::<Vec<_>>(),
        "pending_launch": lab.samza.pending().keys().collect::<Vec<_>>(),
    });
    let actions = list(&given["actions"]);
    let mut uuids: Vec<String> = Vec::new();
    let mut id_of = |uuid: &str| {
        uuids.iter().position(|u| u == uuid).unwrap_or_else(|| {
            uuids.push(uuid.into());
            uuids.len() - 1
        }) as u64
    };
    let mut place = |lab: &mut Lab, a: &Value| {
        let message = Message {
            id: id_of(text(&a["uuid"])),
            run: text(&a["deployment"]).into(),
            processor: text(&a["processor"]).into(),
            to: text(&a["destination"]).into(),
            expiry_ms: a["expiry_ms"].as_i64(),
        };
        lab.samza.stream_mut().place(message);
    };
    let settled = |lab: &Lab| {
        let under_way = lab.samza.running().keys().any(|p| lab.samza.action(p).is_some());
        lab.samza.stream().placements.is_empty() && !under_way && lab.idle() && lab.samza.pending().is_empty()
    };
    for a in actions.iter().filter(|a| list(&given["already_handled"]).contains(&a["uuid"])) {
        place(&mut lab, a);
        lab.tick();
        lab.until(settled);
    }
    let at_first = lab.samza.running().clone();
    actions.iter().for_each(|a| place(&mut lab, a));
    lab.tick();
    lab.until(settled);
    let stream = lab.samza.stream();
    let responses = uuids
        .iter()
        .enumerate()
        .map(|(id, uuid)| (uuid.clone(), json!(stream.answers.get(&(id as u64)).map(|a| a.status.name()))));
    let moved = |p: &str| lab.samza.running().get(p).map(|x| x.container) != at_first.get(p).map(|x| x.container);
    let which =
        |key: &str, so: bool| -> Vec<&Value> { list(&expect[key]).iter().filter(|p| moved(text(p)) == so).collect() };
    let left: Vec<&String> = stream.placements.values().filter_map(|m| uuids.get(m.id as usize)).collect();
    Ok(json!({
        "running": lab.running(), "responses": responses.collect::<Map<_, _>>(), "requests_left": left,
        "counters": lab.counters(), "failed": lab.samza.given_up().keys().collect::<Vec<_>>(),
        "pending_launch": lab.samza.pending().keys().collect::<Vec<_>>(), "before_action": before,
        "moved": which("moved", true), "unmoved": which("unmoved", false),
    }))
}
