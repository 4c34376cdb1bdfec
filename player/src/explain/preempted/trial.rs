//! Whether a preemption round would make room for a request, computed from the present figures of queues and nodes. An answer
//! may say that preemption is off only if turning it on would help.

use super::case::ExplainedLeaf;
use crate::explain::waiting::Waiting;
use heddle_core::config::capacity::preemption::{IGNORED_OVER_CAPACITY, PER_ROUND};
use heddle_core::model::{NodeId, QueueId, Resource};
use heddle_core::scheduler::ContainerState;
use std::collections::BTreeMap;

/// What turning preemption on would do for a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Trial {
    /// A node takes it then.
    Room,
    /// It would help if the containers were not larger than a round may take, which is this amount.
    TooLarge(Resource),
    /// No node takes it then either.
    NoRoom,
}

/// Returns whether a round makes room for a request.
pub(super) fn trial(case: &ExplainedLeaf<'_>, w: &Waiting, over: &[QueueId], within: QueueId) -> Trial {
    let budget = case.names.rm().cluster().total.map(|v| (v as f64 * per_round(case)) as i64);
    if makes_room(case, w, over, within, Some(budget)) {
        Trial::Room
    } else if makes_room(case, w, over, within, None) {
        Trial::TooLarge(budget)
    } else {
        Trial::NoRoom
    }
}

/// Returns whether a node takes the request once these leaves lose what they use beyond their guarantees, newest containers
/// first. `within`: the queue whose resources are shared, root or one below it.
///
/// `budget`: the largest size of a container that a round takes.
///
/// No more is taken than the request's queue is owed and is not free (`FifoCandidatesSelector`, `preemption.md` in the
/// references).
fn makes_room(
    case: &ExplainedLeaf<'_>,
    w: &Waiting,
    over: &[QueueId],
    within: QueueId,
    budget: Option<Resource>,
) -> bool {
    let rm = case.names.rm();
    let (cluster, queues) = (rm.cluster(), rm.queues());
    let figures = |queue: QueueId| {
        let part = queues.get(queue.index())?.part(case.p);
        Some((part.used, part.shares.effective_min, part.shares.effective_max, part.pending))
    };
    let Some((used, guaranteed, _, pending)) = figures(case.leaf) else { return false };
    let whole = rm.partition_total(case.p);
    let free = match figures(within) {
        Some((used, _, most, _)) if within.index() > 0 => most - used,
        Some((used, ..)) => whole - used,
        None => return false,
    };
    let due = (guaranteed - used).component_min(pending.component_max(w.size));
    let mut owed = (due - free.component_max(Resource::ZERO)).component_max(Resource::ZERO);
    let ignored = ignored(case);
    let mut taken: BTreeMap<NodeId, Resource> = BTreeMap::new();
    for leaf in over {
        let Some((used, guaranteed, ..)) = figures(*leaf) else { continue };
        let zone = guaranteed.map(|v| v.saturating_add((v as f64 * ignored) as i64));
        if !case.above(used, zone) {
            continue;
        }
        let mut beyond = (used - guaranteed).component_max(Resource::ZERO);
        let mut apps: Vec<_> = { rm.apps().iter() }
            .filter_map(|app| rm.scheduled(app.id))
            .filter(|app| app.queue == *leaf)
            .map(|app| (app.priority, std::cmp::Reverse(app.id), app.id))
            .collect();
        apps.sort_unstable();
        for (.., app) in apps {
            let mut containers: Vec<_> = { rm.containers_of(app) }
                .filter(|c| !c.am && !matches!(c.state, ContainerState::Reserved | ContainerState::Over))
                .filter(|c| cluster.nodes.get(c.node.index()).is_some_and(|node| node.partition == case.p))
                .collect();
            containers.sort_unstable_by_key(|c| std::cmp::Reverse((c.key.priority, c.id)));
            for c in containers {
                if !case.positive(owed) || !case.positive(beyond) {
                    break;
                }
                if budget.is_some_and(|budget| !rm.scheduler().fits_in_room(cluster, &c.size, &budget)) {
                    continue;
                }
                *taken.entry(c.node).or_default() += c.size;
                owed = (owed - c.size).component_max(Resource::ZERO);
                beyond = (beyond - c.size).component_max(Resource::ZERO);
            }
        }
    }
    !taken.is_empty()
        && cluster.nodes.iter().filter(|node| node.in_scheduler && node.partition == case.p).any(|node| {
            let free = node.free() + taken.get(&node.id).copied().unwrap_or_default();
            rm.scheduler().fits_in_room(cluster, &w.size, &free)
        })
}

/// Returns the part of the cluster that one round may take at most: the monitor's value, or the configured one if it does not
/// run.
fn per_round(case: &ExplainedLeaf<'_>) -> f64 {
    let monitor = case.monitor.map(|m| m.conf().total_preemption_per_round);
    let settings = case.names.rm().settings();
    f64::from(monitor.unwrap_or_else(|| PER_ROUND.value_in(&[&settings.capacity_scheduler, &settings.yarn_site])))
}

/// Returns how far beyond its guarantee a queue may be, as a part of the guarantee, before anything is taken: the monitor's
/// value, or the configured one if it does not run.
fn ignored(case: &ExplainedLeaf<'_>) -> f64 {
    let monitor = case.monitor.map(|m| m.conf().max_ignored_over_capacity);
    let settings = case.names.rm().settings();
    monitor.unwrap_or_else(|| IGNORED_OVER_CAPACITY.value_in(&[&settings.capacity_scheduler, &settings.yarn_site]))
}
