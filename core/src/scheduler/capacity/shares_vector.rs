//! Shares in the newer queue mode: capacity vectors (capacity-scheduler.md 3.7; ResourceCalculationDriver and its
//! calculators of Hadoop 3.5.0). Arithmetic in doubles, in Hadoop's order, because a product may fall just under a
//! whole number.

use super::shares::{Child, Parent, ShareBasis, Shares, fractions};
use crate::config::capacity::{Share, Unit};
use crate::model::Resource;
use crate::model::resource::MEMORY;

const NOTHING: Share = Share { value: 0.0, unit: Unit::Absolute };

/// The state of one parent's division, for one resource type.
struct Division {
    /// The total of the partition.
    total: f64,
    /// The parent's guarantee and maximum.
    min: f64,
    max: f64,
    /// The amount that earlier phases left.
    batch: f64,
    /// The amount that earlier siblings left.
    overall: f64,
    /// The factor that scales absolute children.
    ratio: f64,
    /// The sum of the children's weights.
    weights: f64,
}

impl Division {
    fn remaining_ratio(&self) -> f64 {
        self.batch / self.min
    }

    /// Returns a share as an amount, not rounded.
    fn amount(&self, share: Share) -> f64 {
        match share.unit {
            Unit::Absolute => self.ratio * self.remaining_ratio() * share.value,
            Unit::Percent => self.total * (self.min / self.total * self.remaining_ratio() * share.value / 100.0),
            Unit::Weight => {
                let normalized = share.value / self.weights;
                if normalized == 1.0 {
                    self.batch
                } else {
                    self.total * (self.min / self.total * self.remaining_ratio() * normalized)
                }
            }
        }
    }

    /// Returns a maximum as an amount, not rounded. A weight gives none; Hadoop would stop there, here the parent's
    /// counts.
    fn maximum(&self, share: Share) -> f64 {
        match share.unit {
            Unit::Absolute => share.value,
            Unit::Percent => self.total * (self.max / self.total * share.value / 100.0),
            Unit::Weight => 0.0,
        }
    }
}

/// Rounds absolute and percent shares down, weights to the nearest, half up.
fn rounded(x: f64, unit: Unit) -> f64 {
    let down = x.floor();
    match unit {
        Unit::Weight if x.is_nan() => 0.0,
        Unit::Weight if x - down >= 0.5 => down + 1.0,
        _ => down,
    }
}

/// Returns the shares of all children of a parent.
pub(super) fn of_children(basis: &ShareBasis, parent: &Parent<'_>, children: &[Child<'_>]) -> Vec<Shares> {
    let mut out: Vec<Shares> = children
        .iter()
        .map(|c| Shares {
            weight: c.conf.and_then(|c| c.capacity_vector.uniform_weight()).unwrap_or(0.0),
            normalized_weight: c.before.normalized_weight,
            capacity: 0.0,
            absolute_capacity: 0.0,
            max_capacity: 0.0,
            ..c.before
        })
        .collect();
    // A partition that the parent is not configured for is not divided.
    if parent.conf.is_some() {
        for place in 0..basis.calculator.types {
            divide(basis, parent, children, place, &mut out);
        }
    }
    for (shares, child) in out.iter_mut().zip(children) {
        if child.conf.is_none() {
            // Zero times the parent's share: not a number, if the parent's is none
            // (AbstractCSQueue.updateAbsoluteCapacities).
            if child.has_figures {
                shares.absolute_capacity = 0.0 * parent.shares.absolute_capacity;
            }
            continue;
        }
        let (capacity, max_capacity) = fractions(basis.partition, basis, parent, shares);
        shares.capacity = capacity;
        shares.max_capacity = max_capacity;
        shares.absolute_capacity = capacity * parent.shares.absolute_capacity;
        // If it is 0 or not a number, the former value stays, at first the maximum of the settings.
        if max_capacity > 0.0 {
            shares.absolute_max_capacity = max_capacity * parent.shares.absolute_max_capacity;
        }
    }
    out
}

/// Divides one resource type among the children.
fn divide(basis: &ShareBasis, parent: &Parent<'_>, children: &[Child<'_>], place: usize, out: &mut [Shares]) {
    let share_of = |child: &Child<'_>| child.conf.and_then(|c| c.capacity_vector.share(place));
    let min = parent.shares.effective_min[place];
    let mut division = Division {
        total: basis.partition[place] as f64,
        min: min as f64,
        max: parent.shares.effective_max[place] as f64,
        batch: min as f64,
        overall: min as f64,
        ratio: absolute_ratio(parent, children, place, min),
        weights: children.iter().filter_map(share_of).filter(|s| s.unit == Unit::Weight).map(|s| s.value).sum(),
    };
    for unit in [Unit::Absolute, Unit::Percent, Unit::Weight] {
        let mut used = 0.0;
        for (child, shares) in children.iter().zip(out.iter_mut()) {
            let (Some(share), Some(conf)) = (share_of(child).filter(|s| s.unit == unit), child.conf) else { continue };
            let max_share = conf.maximum_vector.share(place).unwrap_or(NOTHING);
            let wanted = rounded(division.amount(share), unit);
            let maximum = rounded(division.maximum(max_share), max_share.unit);
            let (min, max) = cut(&division, parent.managed, wanted, maximum, place, shares.effective_min);
            shares.effective_min[place] = min as i64;
            shares.effective_max[place] = max as i64;
            division.overall -= min;
            used += min;
        }
        division.batch -= used;
    }
}

/// Cuts a share so that it fits, in Hadoop's order.
fn cut(division: &Division, managed: bool, min: f64, max: f64, place: usize, own: Resource) -> (f64, f64) {
    let mut min = if place != MEMORY && own.memory_mb() == 0 { 0.0 } else { min };
    let max = if max == 0.0 { division.max } else { java_min(max, division.max) };
    if max < min {
        min = max;
    }
    if min > division.overall {
        min = if managed { 0.0 } else { division.overall };
    }
    (min, max)
}

/// Returns the minimum as `Math.min` does: not-a-number wins.
fn java_min(a: f64, b: f64) -> f64 {
    if a.is_nan() || b.is_nan() { f64::NAN } else { a.min(b) }
}

/// Returns the factor that scales absolute children so that they fit, a 32-bit quotient; 1 if they do.
fn absolute_ratio(parent: &Parent<'_>, children: &[Child<'_>], place: usize, min: i64) -> f64 {
    let says_something = parent.conf.is_some_and(|c| c.capacity_vector.share(place).is_some());
    if parent.managed || !says_something {
        return 1.0;
    }
    let mut sum = 0i64;
    for child in children {
        let share = child.conf.and_then(|c| c.capacity_vector.share(place));
        if let Some(Share { value, unit: Unit::Absolute }) = share {
            sum = (sum as f64 + value) as i64;
        }
    }
    if sum == 0 {
        // There are no amounts that it would multiply.
        return 1.0;
    }
    let numerator = if min < sum { min } else { sum };
    f64::from(numerator as f32 / sum as f32)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::capacity::{Capacity, CapacityVector, Maximum, PartitionConf};
    use crate::model::{Calculator, CalculatorKind, ResourceTypes};
    use crate::scheduler::capacity::shares::of_root;

    #[test]
    fn phases_follow_each_other_and_the_later_weight_loses_a_unit() {
        let types = ResourceTypes::default();
        let total = Resource::new(1001, 10);
        let calculator = Calculator::new(CalculatorKind::Default, &types);
        let basis = ShareBasis { calculator, cluster: total, partition: total, legacy: false };
        let vector = |text: &str| CapacityVector::parse(Some(text), false, &types).unwrap();
        let conf = |text: &str| PartitionConf {
            unchecked: false,
            capacity: Capacity::Percent(0.0),
            maximum: Maximum::Percent(100.0),
            capacity_vector: vector(text),
            maximum_vector: CapacityVector::default(),
            am_percent: 0.1,
        };
        let root_conf = conf("100");
        let root = of_root(&basis, Some(&root_conf), &Shares::default());
        let parent = Parent {
            is_root: true,
            conf: Some(&root_conf),
            shares: &root,
            managed: false,
            children_use_weights: false,
        };
        let confs = ["[memory=500,vcores=2]", "[memory=50%,vcores=50%]", "1w", "1w"].map(conf);
        let children: Vec<Child<'_>> = confs
            .iter()
            .map(|c| Child {
                conf: Some(c),
                has_figures: true,
                dynamic: false,
                entitlement: None,
                before: Shares::default(),
            })
            .collect();
        let got: Vec<Resource> = of_children(&basis, &parent, &children).iter().map(|s| s.effective_min).collect();
        assert_eq!(
            got,
            [Resource::new(500, 2), Resource::new(250, 4), Resource::new(126, 2), Resource::new(125, 2)],
            "251 left for two weights: 125.5 rounds up for the first, the second takes what is there"
        );
    }
}
