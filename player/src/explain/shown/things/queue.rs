//! What is known about a queue of the CapacityScheduler.

use super::{fact, formula, losses};
use crate::explain::formulas;
use crate::explain::names::Names;
use crate::explain::orders::{OrderScope, orders};
use crate::explain::origin::{Setting, Source};
use crate::explain::preempted::victim;
use crate::explain::record::Record;
use crate::explain::request::Explained;
use crate::explain::say::{set_by_refresh, then, things as say};
use crate::explain::verdicts;
use crate::explain::view::{Selection, WhyView};
use crate::explain::words;
use heddle_core::journal::Entry;
use heddle_core::model::{AppId, Millis, PartitionId, QueueId, Resource};
use heddle_core::scheduler::ContainerState;
use heddle_core::scheduler::capacity::{Queue, QueueState};

/// Returns that a queue takes no more applications, and which refresh of it or of an ancestor caused that. Empty: it takes
/// some.
fn takes_none(names: Names<'_>, q: &Queue) -> String {
    if q.state == QueueState::Running {
        return String::new();
    }
    let mut path = names.path_up(q.id).map(|queue| Setting::of_queue(names, names.queue(queue), "state").source);
    let by = path.find_map(|source| match source {
        Source::Refreshed { value, at } => Some(set_by_refresh("state", &value, &words::clock(at))),
        Source::Written { .. } | Source::Given { .. } | Source::Default { .. } | Source::NotSet => None,
    });
    say::queue_takes_none(q.state.text(), &by.unwrap_or_default())
}

/// Returns whether a queue uses, or has pending, resources of a label.
fn counts_there(q: &Queue, p: PartitionId) -> bool {
    !p.is_default() && (!q.part(p).used.is_zero() || !q.part(p).pending.is_zero())
}

/// Returns the live applications of a queue and its descendants.
pub fn apps_below(names: Names<'_>, id: QueueId) -> Vec<AppId> {
    let alive = names.rm().cluster().apps.iter().filter(|app| app.alive);
    alive.filter(|app| names.path_up(app.queue).any(|queue| queue == id)).map(|app| app.id).collect()
}

/// Returns the answer for a queue.
pub fn queue<'e>(
    names: Names<'_>,
    id: QueueId,
    record: &Record,
    waits: &[Explained],
    lines: impl Iterator<Item = (Millis, &'e Entry)> + Clone,
) -> WhyView {
    let rm = names.rm();
    if let Some(scheduler) = rm.fair() {
        return crate::explain::fair::queue(names, scheduler, id, waits, lines);
    }
    if rm.capacity().is_none() {
        return crate::explain::fair::only_queue(names, waits);
    }
    let Some(q) = rm.queues().get(id.index()) else { return WhyView::default() };
    let text = |r: Resource| words::counted(r, rm.cluster().calculator, &rm.cluster().types);
    let p = PartitionId::DEFAULT;
    let part = q.part(p);
    let (guaranteed, maximum) = (text(part.shares.effective_min), text(part.shares.effective_max));
    let labels: Vec<PartitionId> = rm.cluster().partition_ids().filter(|p| counts_there(q, *p)).collect();
    let uses = if labels.is_empty() { say::queue_uses } else { say::queue_uses_outside_labels };
    let mut sentence = uses(&q.path, &text(part.used), &guaranteed, &maximum);
    if !part.pending.is_zero() {
        sentence.push_str(&say::queue_is_asked_for(&text(part.pending)));
    }
    // An AM that counts towards the limit of ApplicationMasters may still wait for its container.
    let mine = rm.cluster().apps.iter().filter(|a| a.alive && a.queue == id).flat_map(|a| rm.containers_of(a.id));
    let masters = mine
        .filter(|c| c.am && c.state != ContainerState::Reserved && c.partition == p)
        .fold(Resource::ZERO, |sum, c| sum + c.size);
    if !masters.is_zero() && masters.memory_mb() * 2 >= part.used.memory_mb() {
        let share = masters.memory_mb() as f64 / part.used.memory_mb().max(1) as f64;
        let tasks = text((part.used - masters).minus_not_below_zero(Resource::ZERO));
        sentence.push_str(&say::queue_masters_hold(&text(masters), &words::percent(share), &tasks));
    }
    for p in labels {
        let part = q.part(p);
        let [used, guaranteed, maximum] = [part.used, part.shares.effective_min, part.shares.effective_max].map(text);
        sentence.push_str(&say::queue_uses_of_label(names.partition(p), &used, &guaranteed, &maximum));
        if !part.pending.is_zero() {
            sentence.push_str(&say::queue_is_asked_for_there(&text(part.pending)));
        }
    }
    sentence.push_str(&takes_none(names, q));
    let moved = losses::moved_beyond_maximum(names, id, lines.clone());
    moved.iter().for_each(|told| sentence = then(&sentence, told));
    victim::of_queue(names, &apps_below(names, id), lines).iter().for_each(|told| sentence = then(&sentence, told));
    let mut view = WhyView {
        about: Some(Selection::Queue(q.path.clone())),
        title: q.path.clone(),
        status: q.state.text().to_string(),
        ..WhyView::default()
    };
    let told = |p: &PartitionId| p.is_default() || q.part(*p).access || !q.part(*p).used.is_zero();
    let partitions: Vec<PartitionId> = rm.cluster().partition_ids().filter(told).collect();
    for p in partitions.iter().copied() {
        let part = q.part(p);
        let label = names.partition(p);
        let of = |name: &str| say::figure_of_label(name, label);
        let total = rm.partition_total(p);
        view.facts.push(formula(
            &of("guaranteed"),
            text(part.shares.effective_min),
            vec![say::share_of(&words::percent(f64::from(part.shares.absolute_capacity)), &text(total))],
        ));
        view.facts.push(formula(&of("maximum"), text(part.shares.effective_max), formulas::queue_max(names, id, p)));
        view.facts.push(formula(
            &of("used"),
            text(part.used),
            vec![say::used_of(
                &words::percent(f64::from(part.used_capacity)),
                &words::percent(f64::from(part.absolute_used_capacity)),
            )],
        ));
        view.facts.push(fact(&of("reserved"), text(part.reserved)));
        view.facts.push(fact(&of("pending"), text(part.pending)));
        if q.is_leaf() {
            view.facts.push(formula(
                &of("AM limit"),
                text(part.am_limit),
                formulas::am_limit_of_queue(names, id, p, part.am_limit),
            ));
            view.facts.push(fact(&of("used by AMs"), text(part.am_used)));
        }
    }
    if let Some(leaf) = q.leaf.as_deref() {
        view.facts.push(fact("active applications", leaf.active.len().to_string()));
        view.facts.push(fact("waiting for activation", leaf.pending.len().to_string()));
        if !leaf.not_runnable.is_empty() {
            view.facts.push(fact("held back by a parallel limit", leaf.not_runnable.len().to_string()));
        }
        let names_of = |apps: &[AppId]| {
            let list: Vec<&str> = apps.iter().map(|a| names.app(*a)).collect();
            words::list(&list, 8)
        };
        if !leaf.active.is_empty() {
            view.facts.push(fact("order of applications", names_of(&leaf.active)));
        }
    }
    if let Some(first) = waits.first() {
        let name = names.request_name(first.waiting.app, first.waiting.key, first.waiting.count);
        sentence.push_str(&say::longest_waits(&name, &first.because));
        view.limits.clone_from(&first.chain.limits);
    }
    let stopped = record.queues.iter().filter(|((queue, _), _)| *queue == id);
    for (at, node, checked) in stopped.map(|(_, latest)| latest) {
        let name = say::last_stopped(&words::clock(*at), names.node(*node));
        view.facts.push(fact(&name, verdicts::failed(names, checked)));
    }
    for (checked, _) in record.said.get(&id).into_iter().flatten() {
        let words = verdicts::yarn(names, checked);
        if !words.is_empty() {
            view.yarn.push((words, 0));
        }
    }
    view.sentence = sentence;
    view.orders = orders(names, record, OrderScope::Queue(id));
    let set_by = partitions.iter().flat_map(|p| formulas::shares(names, &q.path, *p));
    view.facts.extend(set_by.map(|property| fact("set by", property)));
    view
}
