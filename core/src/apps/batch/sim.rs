//! How a run plays a batch application.

use crate::apps::batch::strategy::{self, Batch};
use crate::apps::sim::{Played, rows};
use crate::model::{ContainerId, RequestKey, Resource};
use crate::scenario::{App, Scenario, TaskGroup};
use crate::strategy::Master;

impl Played for Vec<TaskGroup> {
    fn master(&self, scenario: &Scenario, app: &App, _got: &[ContainerId], _maximum: Resource) -> Master {
        let batch = Batch::new(task_groups(scenario, self), app.am.heartbeat);
        Master::Batch(batch.asked_back(app.am.preemption_policy, app.am.launch))
    }
}

/// Returns the key of the requests for a group's tasks. YARN keeps one size per priority and allocation request id: groups of
/// one priority get different ids.
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
