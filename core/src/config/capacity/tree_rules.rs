//! Hadoop's checks of a parent's children together, in legacy queue mode (AbstractParentQueue.setChildQueues of Hadoop
//! 3.5.0; capacity-scheduler.md 2.3 rules 2 and 4).

use super::{Capacity, QueueConf, ROOT};
use crate::api::{Refusal, SettingsRule};
use crate::model::java::float_text;
use crate::model::{Calculator, Resource, ResourceTypes};

/// The capacity mode of a group of queues.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CapacityKind {
    /// Weights, or no queue at all.
    Weight,
    Percent,
    /// Absolute resources.
    Absolute,
}

/// The tolerance of sums of fractions against 0 or 1.
const PRECISION: f32 = 0.0005;

/// The facts about the cluster that the checks need.
pub(super) struct Cluster<'a> {
    pub types: &'a ResourceTypes,
    pub calculator: Calculator,
    /// The total of a label's nodes (0 before the first node).
    pub total: &'a dyn Fn(&str) -> Resource,
}

/// The labels of a parent that YARN checks.
fn checked(parent: &QueueConf) -> impl Iterator<Item = &String> {
    parent.partitions.iter().filter(|(_, p)| !p.unchecked).map(|(label, _)| label)
}

/// The mode of these queues, over the labels of `parent`. Errors: mixed modes.
pub fn kind_of(parent: &QueueConf, queues: &[&QueueConf]) -> Result<CapacityKind, Refusal> {
    let (mut percent, mut weight, mut absolute) = (false, false, false);
    let mut found = String::new();
    let mut note = |queue: &QueueConf, label: &str, mode: &str| {
        found.push_str(&format!("{{Queue={}, label={label} uses {mode} mode}}. ", queue.path));
    };
    for queue in queues {
        for label in checked(parent) {
            let capacity = queue.partition(label).map_or(Capacity::Percent(0.0), |p| p.capacity);
            match capacity {
                Capacity::Percent(p) if p > 0.0 => percent = true,
                Capacity::Weight(_) => {
                    weight = true;
                    note(queue, label, "weight");
                }
                Capacity::Absolute(_) => {
                    absolute = true;
                    // Hadoop's own bug: it forgets an earlier percentage.
                    percent = false;
                    note(queue, label, "absolute");
                }
                Capacity::Percent(_) if queue.dynamic => {
                    weight = true;
                    note(queue, label, "weight");
                }
                Capacity::Percent(_) => {}
            }
            if percent {
                note(queue, label, "percentage");
            }
        }
    }
    let kinds = [percent, weight, absolute].iter().filter(|k| **k).count();
    if kinds > 1 && queues.first().is_some_and(|q| q.path != ROOT) {
        return Err(Refusal::of(
            SettingsRule::MixedCapacities,
            format!(
                "Parent queue '{}' have children queue used mixed of  weight mode, percentage and absolute mode, it is not allowed, please double check, details:{found}",
                parent.path
            ),
        ));
    }
    Ok(if weight || queues.is_empty() {
        CapacityKind::Weight
    } else if absolute {
        CapacityKind::Absolute
    } else {
        CapacityKind::Percent
    })
}

/// Checks a parent's children. Errors: Hadoop's.
pub(super) fn check_children(
    parent: &QueueConf,
    children: &[&QueueConf],
    cluster: &Cluster<'_>,
) -> Result<(), Refusal> {
    let below = kind_of(parent, children)?;
    let own = kind_of(parent, &[parent])?;
    if below == CapacityKind::Absolute || own == CapacityKind::Absolute {
        if below != own && parent.path != ROOT {
            return Err(Refusal::of(
                SettingsRule::MixedAmounts,
                format!(
                    "Parent={}: When absolute minResource is used, we must make sure both parent and child all use absolute minResource",
                    parent.path
                ),
            ));
        }
        check_amounts(parent, children, cluster)?;
    }
    if below == CapacityKind::Percent {
        check_sums(parent, children, own)?;
    }
    Ok(())
}

fn check_amounts(parent: &QueueConf, children: &[&QueueConf], cluster: &Cluster<'_>) -> Result<(), Refusal> {
    for (label, partition) in &parent.partitions {
        let sum = children
            .iter()
            .filter_map(|q| q.partition(label))
            .fold(Resource::ZERO, |sum, p| sum + p.capacity.amounts());
        let own = partition.capacity.amounts();
        if !own.is_zero() && cluster.calculator.lt(&(cluster.total)(label), &own, &sum) {
            return Err(Refusal::of(
                SettingsRule::AmountsOfChildren,
                format!(
                    "Parent Queues capacity: {} is less than to its children:{} for queue:{}",
                    own.text(cluster.types),
                    sum.text(cluster.types),
                    parent.name()
                ),
            ));
        }
    }
    Ok(())
}

fn check_sums(parent: &QueueConf, children: &[&QueueConf], own: CapacityKind) -> Result<(), Refusal> {
    let fraction = |queue: &QueueConf, label: &str| match queue.partition(label).map(|p| p.capacity) {
        Some(Capacity::Percent(p)) => p / 100.0,
        _ => 0.0,
    };
    for label in checked(parent) {
        let sum = children.iter().fold(0f32, |sum, q| sum + fraction(q, label));
        let share = fraction(parent, label).abs();
        let refused = |rule: SettingsRule, rest: &str| {
            Err(Refusal::of(
                rule,
                format!(
                    "Illegal capacity sum of {} for children of queue {} for label={label}. {rest}",
                    float_text(sum),
                    parent.name()
                ),
            ))
        };
        let counts = own == CapacityKind::Percent && !parent.allow_zero_capacity_sum;
        if (1.0 - sum).abs() > PRECISION {
            if sum.abs() > PRECISION {
                return refused(SettingsRule::CapacitySum, "It should be either 0 or 1.0");
            }
            if counts && share > PRECISION {
                return refused(
                    SettingsRule::ZeroSum,
                    "It is set to 0, but parent percent != 0, and doesn't allow children capacity to set to 0",
                );
            }
        } else if counts && share <= 0.0 {
            return refused(
                SettingsRule::ZeroCapacityParent,
                &format!("queue={} has zero capacity, but childqueues have positive capacities", parent.name()),
            );
        }
    }
    Ok(())
}
