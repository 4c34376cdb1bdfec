//! How a run plays the distributed shell: what its client submits and refuses, and its master.

use crate::api::ClientRefusal;
use crate::apps::distributed_shell::client;
use crate::apps::distributed_shell::constraint::{ShellPlan, ShellRequest, plan};
use crate::apps::distributed_shell::strategy::{DistributedShell, ShellAsks, SpecAsks};
use crate::apps::sim::{Known, Played};
use crate::constraint::Constraint;
use crate::model::limits::INSTANCES;
use crate::model::{AppId, ContainerId, RequestKey, Resource};
use crate::rm::{Cut, Refusal, RefusalRule, SchedulingAsk, texts};
use crate::scenario::{App, Scenario, Shell};
use crate::strategy::Master;
use std::sync::Arc;

impl Played for Shell {
    fn am_size(&self, app: &App, maximum: Resource) -> Resource {
        cut(app.am.size, maximum)
    }

    fn constraints(&self) -> Result<Vec<(Vec<String>, Constraint)>, Refusal> {
        let plan = shell_plan(self).map_err(|words| Refusal::of(RefusalRule::Client, words))?;
        Ok(plan.map(|plan| plan.constraints).unwrap_or_default())
    }

    fn refused_by_client(&self, _scenario: &Scenario, app: &App, known: Known) -> Option<ClientRefusal> {
        // UnmanagedAMLauncher submits an unmanaged ApplicationMaster, not this client.
        if app.am.unmanaged {
            return None;
        }
        if !known.queue_exists {
            return Some(client::no_queue(&app.queue));
        }
        let maximum = (known.maximum.memory_mb(), known.maximum.vcores());
        let am = (app.am.size.memory_mb().min(maximum.0), app.am.size.vcores().min(maximum.1));
        let container = (self.size.memory_mb(), self.size.vcores());
        let id = texts::application(known.id);
        let refused = client::check_am(am)
            .and_then(|()| client::check_container(container))
            .and_then(|()| client::folder(&app.name, &id));
        refused.err().map(|refusal| *refusal)
    }

    fn cut(&self, id: AppId, maximum: Resource) -> Option<Cut> {
        let given = cut(self.size, maximum);
        let key = RequestKey { priority: self.priority, allocation_request_id: i64::from(self.spec.is_some()) };
        (given != self.size).then_some(Cut { app: id, key, asked: self.size, given })
    }

    fn master(&self, _scenario: &Scenario, app: &App, _got: &[ContainerId], maximum: Resource) -> Master {
        Master::DistributedShell(DistributedShell::new(shell_asks(self, maximum), self.duration, app.am.heartbeat))
    }
}

/// Returns a size capped at the memory and the vcores of the largest container, as the distributed shell caps its requests.
fn cut(size: Resource, maximum: Resource) -> Resource {
    let mut out = size;
    for kind in 0..2 {
        out[kind] = out[kind].min(maximum[kind]);
    }
    out
}

/// Returns the plan that the shell makes of its placement spec; `None` without one. Errors: why it cannot run.
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
