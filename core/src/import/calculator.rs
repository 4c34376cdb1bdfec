//! Which resource calculator the running CapacityScheduler has: it shows in what its queues say that they use, in percent of the
//! cluster (formats.md 5.3).

use super::now::label_of;
use super::seen::{Amount, SeenQueue};
use super::{Gathered, RemarkAbout};
use crate::api::SchedulerChoice;
use crate::config::resource_text::{CALCULATOR, DEFAULT, DOMINANT};
use indexmap::IndexMap;

/// The difference of two percentages that a 32-bit float may make.
const SAME: f64 = 0.002;

/// Takes the calculator over where the queues show it. Returns whether they do.
pub(super) fn settle(g: &mut Gathered) -> bool {
    let runs = g.scheduler.as_ref().is_some_and(|(scheduler, _)| *scheduler == SchedulerChoice::Capacity);
    let Some((root, true)) = g.seen.queues.as_ref().map(|root| (root, runs)) else { return false };
    let Some(dominant) = of(root, &totals(g)) else { return false };
    let source = format!("{} (absoluteUsedCapacity) and {}", g.seen.source("queues"), g.seen.source("nodes"));
    let (class, words) = if dominant {
        (
            DOMINANT,
            "DominantResourceCalculator: queues count the resource type of which they use most, not memory alone",
        )
    } else {
        (DEFAULT, "DefaultResourceCalculator: queues count memory alone")
    };
    let known = g.capacity_so_far().get(CALCULATOR).map(|class| class.trim().to_owned());
    let is_known = |class: &str| known.as_deref().unwrap_or(DEFAULT).rsplit('.').next() == class.rsplit('.').next();
    if is_known(class) {
        // The file says so, or nothing that needs to be said does.
        return true;
    }
    g.capacity.insert(CALCULATOR.into(), class.to_owned());
    let file = if g.has_capacity_queues() { " That is not what capacity-scheduler.xml says." } else { "" };
    g.infer_of(RemarkAbout::Property(CALCULATOR.to_owned()), format!("resource-calculator is {words}.{file}"), source);
    true
}

/// The size of each partition.
fn totals(g: &Gathered) -> IndexMap<String, Amount> {
    let mut out: IndexMap<String, Amount> = IndexMap::new();
    for node in g.seen.nodes.values().filter(|node| node.is_there()) {
        let Some(total) = &node.total else { continue };
        let of = out.entry(label_of(g, node).unwrap_or_default()).or_default();
        *of = of.plus(total);
    }
    out
}

/// Returns whether the queues count the dominant resource type; `None`: they show both, or neither.
fn of(root: &SeenQueue, totals: &IndexMap<String, Amount>) -> Option<bool> {
    let (mut memory_alone, mut dominant) = (0, 0);
    let mut todo = vec![root];
    while let Some(queue) = todo.pop() {
        todo.extend(&queue.children);
        for (partition, percent, used) in &queue.shares {
            let Some(total) = totals.get(partition) else { continue };
            let share = |used: i64, of: i64| if of > 0 { 100.0 * used as f64 / of as f64 } else { 0.0 };
            let memory = share(used.memory, total.memory);
            let more = used.more.iter().map(|(name, used)| {
                share(*used, total.more.iter().find(|(other, _)| other == name).map_or(0, |(_, total)| *total))
            });
            let most = more.fold(memory.max(share(used.vcores, total.vcores)), f64::max);
            let same = |share: f64| (percent - share).abs() <= SAME + 1e-5 * share;
            memory_alone += usize::from(same(memory) && !same(most));
            dominant += usize::from(same(most) && !same(memory));
        }
    }
    match (memory_alone, dominant) {
        (0, 0) => None,
        (0, _) => Some(true),
        (_, 0) => Some(false),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn queue(percent: f64, memory: i64, vcores: i64, gpus: i64) -> SeenQueue {
        let used = Amount { more: vec![("gpu".into(), gpus)], ..Amount::new(memory, vcores) };
        SeenQueue { shares: vec![(String::new(), percent, used)], ..SeenQueue::default() }
    }

    /// The usage of queues × the percentages that they report.
    #[test]
    fn percentages_show_the_calculator() {
        let total = Amount { more: vec![("gpu".into(), 10)], ..Amount::new(1000, 100) };
        let totals = IndexMap::from([(String::new(), total)]);
        for (queues, expected) in [
            (vec![queue(10.0, 100, 30, 0)], Some(false)),
            (vec![queue(30.0, 100, 30, 0)], Some(true)),
            (vec![queue(50.0, 100, 30, 5)], Some(true)),
            (vec![queue(30.0, 300, 30, 0)], None),
            (vec![queue(77.0, 100, 30, 0)], None),
            (vec![queue(10.0, 100, 30, 0), queue(30.0, 100, 30, 0)], None),
            (vec![queue(30.000_97, 100, 30, 0), queue(77.0, 1, 2, 3)], Some(true)),
            (vec![], None),
        ] {
            let root = SeenQueue { children: queues, ..SeenQueue::default() };
            assert_eq!(of(&root, &totals), expected, "{root:?}");
        }
    }
}
