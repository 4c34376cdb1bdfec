//! From an application of the scenario to its submission and its ApplicationMaster.

use crate::api::ClientRefusal;
use crate::apps::distributed_shell::constraint::{ShellPlan, ShellRequest, plan};
use crate::apps::{
    distributed_shell::client as distributed_shell, service::client as service, slider::client as slider,
};
use crate::model::limits::INSTANCES;
use crate::model::{AppId, ContainerId, RequestKey, Resource};
use crate::rm::texts;
use crate::rm::{AllocateCall, AmAsk, AskPlace, Cut, Refusal, Refused, SchedulingAsk, Submission};
use crate::scenario::{App, AppKind, Call, Scenario, Shell, TaskGroup};
use crate::strategy::{
    self, Batch, DistributedShell, Master, Raw, RawCall, SamzaMaster, ServiceMaster, ShellAsks, SliderMaster, SpecAsks,
};
use std::sync::Arc;

/// What YARN tells a client that asks before it submits.
#[derive(Clone, Copy, Debug)]
pub struct Known {
    /// The largest container.
    pub maximum: Resource,
    /// Is the application's queue there?
    pub queue_exists: bool,
    /// The id that it gives the application.
    pub id: AppId,
}

/// What is submitted. Errors: the client program refuses to submit it.
pub fn submission(scenario: &Scenario, app: &App, known: Known) -> Result<Submission, Refusal> {
    if let Some(refusal) = refused_by_client(scenario, app, known) {
        return Err(Refusal::by_client(refusal));
    }
    let name = match &app.kind {
        AppKind::Samza(samza) => samza.submitted_name(app, known.maximum).map_err(Refusal::by_client)?,
        _ => app.name.clone(),
    };
    let size = match &app.kind {
        AppKind::DistributedShell(_) => cut(app.am.size, known.maximum),
        _ => app.am.size,
    };
    let am = AmAsk { size, label: app.am.label.clone(), places: am_rows(scenario, &app.am.places) };
    let mut constraints: Vec<_> =
        app.constraints.iter().filter_map(|c| Some((c.tags.clone(), c.constraint.tree.clone()?))).collect();
    if let AppKind::DistributedShell(shell) = &app.kind {
        let plan = shell_plan(shell).map_err(|words| Refusal::of(Refused::Client, words))?;
        constraints.extend(plan.map(|plan| plan.constraints).unwrap_or_default());
    }
    Ok(Submission {
        name,
        queue: app.queue.clone(),
        user: app.user.clone(),
        priority: app.priority,
        tags: app.tags.clone(),
        label: app.label.clone(),
        max_attempts: app.max_attempts,
        failures_window: app.failures_window,
        lifetime_s: app.lifetime.map(|ms| ms / 1000),
        keep_containers: app.am.keep_containers,
        am: (!app.am.unmanaged).then_some(am),
        constraints,
    })
}

/// What the client program of an application refuses; kinds without a client of their own submit anything.
fn refused_by_client(scenario: &Scenario, app: &App, known: Known) -> Option<ClientRefusal> {
    if app.refused.is_some() {
        return app.refused.clone();
    }
    let maximum = (known.maximum.memory_mb(), known.maximum.vcores());
    match &app.kind {
        AppKind::Service(written) => {
            let site = service::Site { maximum: Some(maximum), ..service::Site::of(&scenario.settings.yarn_site) };
            let refused = service::of_components(&app.name, &written.as_written(), &site);
            refused.or_else(|| service::settings(None, &site).err().map(|fault| fault.refusal))
        }
        // Another program submits an ApplicationMaster that is not managed (UnmanagedAMLauncher).
        AppKind::DistributedShell(_) if app.am.unmanaged => None,
        AppKind::DistributedShell(_) if !known.queue_exists => Some(distributed_shell::no_queue(&app.queue)),
        AppKind::DistributedShell(shell) => {
            let am = (app.am.size.memory_mb().min(maximum.0), app.am.size.vcores().min(maximum.1));
            let container = (shell.size.memory_mb(), shell.size.vcores());
            let id = texts::application(known.id);
            let refused = distributed_shell::check_am(am)
                .and_then(|()| distributed_shell::check_container(container))
                .and_then(|()| distributed_shell::folder(&app.name, &id));
            refused.err().map(|refusal| *refusal)
        }
        AppKind::Slider(_) => slider::check_name(&app.name).err().map(|why| why.refusal),
        AppKind::Batch(_) | AppKind::Requests(_) | AppKind::Samza(_) => None,
    }
}

/// A size cut to the memory and the vcores of the largest container, as the distributed shell cuts what it asks for.
fn cut(size: Resource, maximum: Resource) -> Resource {
    let mut out = size;
    for kind in 0..2 {
        out[kind] = out[kind].min(maximum[kind]);
    }
    out
}

/// What a distributed shell asks for less of than it was told to, under the key of its first request.
pub fn shell_cut(app: &App, id: AppId, maximum: Resource) -> Option<Cut> {
    let AppKind::DistributedShell(shell) = &app.kind else { return None };
    let given = cut(shell.size, maximum);
    let allocation_request_id = i64::from(shell.spec.is_some());
    let key = RequestKey { priority: shell.priority, allocation_request_id };
    (given != shell.size).then_some(Cut { app: id, key, asked: shell.size, given })
}

/// The master of one attempt, as it registers. `got`: the containers that the application ever got, AMs included;
/// `maximum`: the largest container that YARN tells it of.
pub fn master(scenario: &Scenario, app: &App, got: &[ContainerId], maximum: Resource) -> Master {
    let heartbeat = app.am.heartbeat;
    match &app.kind {
        AppKind::Batch(groups) => {
            let batch = Batch::new(task_groups(scenario, groups), heartbeat);
            Master::Batch(batch.asked_back(app.am.preemption_policy, app.am.launch))
        }
        AppKind::DistributedShell(shell) => {
            Master::DistributedShell(DistributedShell::new(shell_asks(shell, maximum), shell.duration, heartbeat))
        }
        AppKind::Slider(slider) => Master::Slider(Box::new(SliderMaster::new(slider.plan(heartbeat)))),
        AppKind::Samza(samza) => Master::Samza(Box::new(SamzaMaster::new(samza.plan(heartbeat)))),
        AppKind::Service(service) => {
            Master::Service(Box::new(ServiceMaster::new(service.plan(heartbeat, app.am.launch))))
        }
        AppKind::Requests(calls) => {
            Master::Raw(Raw::new(calls.iter().map(raw_call).collect(), heartbeat, got.to_vec()))
        }
    }
}

/// Rows of one request for hosts and racks as the client library makes them (lifecycles-and-timing.md 5.1): hosts and
/// named racks are always relaxed, racks of named hosts and `*` as the request says.
fn rows(scenario: &Scenario, places: &[String], relax: bool) -> Vec<AskPlace> {
    let mut rows: Vec<AskPlace> = Vec::new();
    let mut inferred: Vec<AskPlace> = Vec::new();
    for name in places {
        if rows.iter().all(|r| r.name != *name) {
            rows.push(AskPlace { name: name.clone(), relax: true });
        }
        let rack = scenario.nodes.iter().find(|n| n.spec.host == *name).map(|n| &n.spec.rack);
        if let Some(rack) = rack {
            inferred.push(AskPlace { name: rack.clone(), relax });
        }
    }
    for rack in inferred {
        if rows.iter().all(|r| r.name != rack.name) {
            rows.push(rack);
        }
    }
    rows
}

/// Rows of the request for an ApplicationMaster that names places, in the same way.
fn am_rows(scenario: &Scenario, places: &[AskPlace]) -> Vec<AskPlace> {
    let names: Vec<String> = places.iter().map(|p| p.name.clone()).collect();
    let relax = places.iter().all(|p| p.relax);
    let mut out = rows(scenario, &names, relax);
    if !relax {
        out.push(AskPlace { name: "*".into(), relax });
    }
    out
}

/// The key that the tasks of a group are asked for under. YARN keeps one size per priority and allocation request id: groups
/// of one priority get different ids.
pub(crate) fn key_of(groups: &[TaskGroup], i: usize) -> RequestKey {
    let priority = groups[i].priority;
    let shared = groups.iter().filter(|o| o.priority == priority).count() > 1;
    RequestKey { priority, allocation_request_id: if shared { i as i64 } else { -1 } }
}

fn task_groups(scenario: &Scenario, groups: &[TaskGroup]) -> Vec<strategy::TaskGroup> {
    let number = |name: &String| groups.iter().position(|g| g.name == *name);
    groups
        .iter()
        .enumerate()
        .map(|(i, g)| strategy::TaskGroup {
            count: i64::from(g.count),
            size: g.size,
            priority: g.priority,
            allocation_request_id: key_of(groups, i).allocation_request_id,
            run_ms: g.duration,
            places: rows(scenario, &g.places, g.relax),
            relax: g.relax,
            label: g.label.clone(),
            after: g.after.iter().filter_map(number).collect(),
            delay: g.delay,
        })
        .collect()
}

fn raw_call(call: &Call) -> RawCall {
    let mut durations = Vec::new();
    for ask in &call.asks {
        let key = ask.row.key();
        durations.push((key, ask.duration));
    }
    let mut scheduling = Vec::new();
    for ask in &call.scheduling {
        let key = ask.key();
        durations.push((key, ask.duration));
        scheduling.push(SchedulingAsk {
            allocation_request_id: ask.allocation_request_id,
            priority: ask.priority,
            tags: ask.tags.clone(),
            count: ask.count,
            size: ask.size,
            constraint: ask.constraint.as_ref().and_then(|c| c.tree.clone()),
            opportunistic: false,
        });
    }
    RawCall {
        at: call.at,
        call: AllocateCall {
            asks: call.asks.iter().map(|a| a.row.clone()).collect(),
            releases: Vec::new(),
            blacklist_add: call.blacklist_add.clone(),
            blacklist_remove: call.blacklist_remove.clone(),
            scheduling,
        },
        release: call.release.clone(),
        unregister: call.unregister,
        durations,
    }
}

/// What the shell does with its placement spec; `None` without one. Errors: it cannot run, for the reason in these
/// words.
fn shell_plan(shell: &Shell) -> Result<Option<ShellPlan>, String> {
    let Some(spec) = &shell.spec else { return Ok(None) };
    plan(&spec.read, i32::try_from(shell.containers).unwrap_or(i32::MAX), INSTANCES as i64).map(Some)
}

fn shell_asks(shell: &Shell, maximum: Resource) -> ShellAsks {
    let size = cut(shell.size, maximum);
    match shell_plan(shell) {
        Ok(Some(plan)) => {
            let ask = |r: ShellRequest| SchedulingAsk {
                allocation_request_id: r.allocation_request_id,
                priority: shell.priority,
                tags: vec![r.tag],
                count: 1,
                size,
                constraint: r.constraint,
                opportunistic: false,
            };
            ShellAsks::Spec(Arc::new(SpecAsks::new(plan.requests.into_iter().map(ask).collect())))
        }
        _ => ShellAsks::Anywhere {
            count: i64::from(shell.containers),
            size,
            priority: shell.priority,
            label: shell.label.clone(),
        },
    }
}
