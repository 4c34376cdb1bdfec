//! Guarantees and maximums from configured capacities: the percent, absolute and weight queues of the legacy mode, and
//! application counts (capacity-scheduler.md 3.1, 3.2, 3.3, 3.5; AbstractParentQueue, AbstractCSQueue, CSQueueUtils,
//! AbstractLeafQueue of Hadoop 3.5.0). The other mode is in `shares_vector`.
//!
//! Pure functions, one parent and one partition at a time; the scheduler calls them from root downwards.

use super::shares_vector;
use crate::api::ApplicationsBasis;
use crate::config::capacity::{Capacity, PartitionConf};
use crate::model::{Calculator, Resource};

/// The inputs of a computation of shares in one partition.
#[derive(Clone, Copy, Debug)]
pub struct ShareBasis {
    pub calculator: Calculator,
    /// The total of the whole cluster: the base of comparisons.
    pub cluster: Resource,
    /// The total of the partition.
    pub partition: Resource,
    /// Whether the legacy queue mode is on; otherwise capacities are vectors.
    pub legacy: bool,
}

/// A queue's shares in one partition. Capacities are fractions; they may be not-a-number if Java divides 0 by 0.
#[derive(Clone, Copy, Debug, PartialEq, Default)]
#[repr(C)] // see QueuePart
pub struct Shares {
    /// The maximum as an amount.
    pub effective_max: Resource,
    /// The guarantee as an amount.
    pub effective_min: Resource,
    /// The guarantee as a fraction of the parent's.
    pub capacity: f32,
    /// The guarantee as a fraction of the partition.
    pub absolute_capacity: f32,
    /// The maximum as a fraction of the parent's.
    pub max_capacity: f32,
    /// The maximum as a fraction of the partition.
    pub absolute_max_capacity: f32,
    /// The weight, 0 if there is none.
    pub weight: f32,
    /// The weight divided by the siblings' sum. Legacy mode keeps it when a refresh removes the weights.
    pub normalized_weight: f32,
}

impl Shares {
    /// The shares of a queue that has none.
    pub const NONE: Shares = Shares {
        capacity: 0.0,
        absolute_capacity: 0.0,
        max_capacity: 0.0,
        absolute_max_capacity: 0.0,
        weight: 0.0,
        normalized_weight: 0.0,
        effective_min: Resource::ZERO,
        effective_max: Resource::ZERO,
    };
}

/// The share that v1 auto-creation has given to one of its leaves.
#[derive(Clone, Copy, Debug, PartialEq, Default)]
pub struct Entitlement {
    /// The guarantee as a fraction of the parent's.
    pub capacity: f32,
    /// The maximum as a fraction of the parent's.
    pub max_capacity: f32,
}

/// The parent of the queues whose shares are computed.
#[derive(Clone, Copy, Debug)]
pub struct Parent<'a> {
    pub is_root: bool,
    /// Its settings in the partition; `None` if it has none there.
    pub conf: Option<&'a PartitionConf>,
    pub shares: &'a Shares,
    /// Whether it is a v1 managed parent.
    pub managed: bool,
    /// Whether its children all use weights (`kind_of`); read in legacy mode only.
    pub children_use_weights: bool,
}

/// One of the queues whose shares are computed.
#[derive(Clone, Copy, Debug)]
pub struct Child<'a> {
    /// Its settings in the partition; `None` if it has none there: nothing is computed for it.
    pub conf: Option<&'a PartitionConf>,
    /// Whether it has figures of the partition, even without settings for it.
    pub has_figures: bool,
    /// Whether v2 auto-creation created it.
    pub dynamic: bool,
    /// Its share as a v1 leaf.
    pub entitlement: Option<Entitlement>,
    /// Its former shares, which stay if nothing is computed.
    pub before: Shares,
}

impl Child<'_> {
    /// Returns its guarantee as an amount; zero for a leaf that the policy of its managed parent gives nothing.
    fn amounts(&self) -> Resource {
        let none = self.entitlement.is_some_and(|e| e.capacity == 0.0);
        self.conf.filter(|_| !none).map_or(Resource::ZERO, |c| c.capacity.amounts())
    }

    fn weight(&self) -> Option<f32> {
        match self.conf.map(|c| c.capacity) {
            Some(Capacity::Weight(w)) => Some(w),
            // A dynamic queue without a weight has 1, even in a partition that it is not configured for.
            Some(Capacity::Percent(_)) | None if self.dynamic => Some(1.0),
            _ => None,
        }
    }
}

/// Returns the shares of root: all of a partition that any queue is configured for. Its own maximum bounds only its
/// children.
pub fn of_root(basis: &ShareBasis, conf: Option<&PartitionConf>, before: &Shares) -> Shares {
    let maximum = conf.filter(|_| basis.legacy).map_or(1.0, |c| c.maximum.fraction());
    let amount = conf.map_or(before.effective_max, |_| basis.partition);
    Shares {
        capacity: 1.0,
        absolute_capacity: 1.0,
        max_capacity: maximum,
        absolute_max_capacity: maximum,
        weight: 0.0,
        normalized_weight: 0.0,
        effective_min: amount,
        effective_max: amount,
    }
}

/// Returns the shares of all children of a parent, in their order.
pub fn of_children(basis: &ShareBasis, parent: &Parent<'_>, children: &[Child<'_>]) -> Vec<Shares> {
    if !basis.legacy {
        return shares_vector::of_children(basis, parent, children);
    }
    let normalized = normalized_weights(parent, children);
    let ratio = scale_of_amounts(basis, parent, children);
    children
        .iter()
        .zip(normalized)
        .map(|(child, normalized_weight)| {
            let weight = child.weight().unwrap_or(0.0);
            // A queue keeps its amounts in a partition that it is no longer configured for (quirk).
            let Shares { effective_min, effective_max, .. } = child.before;
            let shares = Shares { weight, normalized_weight, effective_min, effective_max, ..Shares::default() };
            match child.conf.map(|c| c.capacity) {
                Some(Capacity::Absolute(_)) => of_amounts(basis, parent, child, child.amounts(), &ratio, shares),
                _ => of_fraction(basis, parent, child, shares),
            }
        })
        .collect()
}

/// Returns the weights divided by their sum; the former ones if weights are not used or their sum is 0.
fn normalized_weights(parent: &Parent<'_>, children: &[Child<'_>]) -> Vec<f32> {
    let before = || children.iter().map(|c| c.before.normalized_weight).collect();
    if !parent.children_use_weights {
        return before();
    }
    let known = |c: &&Child<'_>| c.conf.is_some() || c.dynamic;
    let sum = children.iter().filter(known).fold(0f32, |sum, c| sum + c.weight().unwrap_or(0.0).max(0.0));
    if f64::from(sum.abs()) <= 1e-6 {
        return before();
    }
    // Without a weight of its own a queue counts as −1 here.
    children
        .iter()
        .map(|c| if known(&c) { c.weight().unwrap_or(-1.0) / sum } else { c.before.normalized_weight })
        .collect()
}

/// Completes the shares of percent and weight queues, and of the leaves of v1 auto-creation (3.1 and 3.3).
fn of_fraction(basis: &ShareBasis, parent: &Parent<'_>, child: &Child<'_>, mut shares: Shares) -> Shares {
    match (child.entitlement, child.conf) {
        (Some(given), _) => {
            shares.capacity = given.capacity;
            shares.max_capacity = given.max_capacity;
        }
        (None, Some(conf)) => {
            shares.capacity = conf.capacity.fraction();
            shares.absolute_capacity = child.before.absolute_capacity;
            shares.max_capacity = conf.maximum.fraction();
        }
        (None, None) => {}
    }
    let factor = if shares.normalized_weight > shares.capacity { shares.normalized_weight } else { shares.capacity };
    if factor > 0.0 {
        shares.absolute_capacity = factor * parent.shares.absolute_capacity;
    }
    if shares.max_capacity > 0.0 {
        shares.absolute_max_capacity = shares.max_capacity * parent.shares.absolute_max_capacity;
    }
    if child.conf.is_some() {
        shares.effective_min = basis.partition.multiply_round_down(shares.absolute_capacity);
        shares.effective_max = basis.partition.multiply_round_down(shares.absolute_max_capacity);
    }
    shares
}

/// Returns the factors that cut the children's amounts, type by type, if they do not fit; `None`: as configured.
fn scale_of_amounts(basis: &ShareBasis, parent: &Parent<'_>, children: &[Child<'_>]) -> Vec<Option<f32>> {
    let types = basis.calculator.types;
    let sum = children.iter().fold(Resource::ZERO, |sum, c| sum.zip(c.amounts(), i64::saturating_add));
    let base = if parent.is_root { basis.partition } else { parent.shares.effective_min };
    let fits = !basis.calculator.lt(&basis.cluster, &base, &sum) || (parent.is_root && basis.partition.is_zero());
    (0..types).map(|i| if fits || sum[i] == 0 { None } else { Some(base[i] as f32 / sum[i] as f32) }).collect()
}

/// Completes the shares of absolute queues (3.2).
fn of_amounts(
    basis: &ShareBasis,
    parent: &Parent<'_>,
    child: &Child<'_>,
    amounts: Resource,
    ratio: &[Option<f32>],
    mut shares: Shares,
) -> Shares {
    let calculator = basis.calculator;
    shares.effective_min = amounts;
    for (place, ratio) in ratio.iter().enumerate() {
        if let Some(ratio) = ratio {
            shares.effective_min[place] = (amounts[place] as f32 * ratio) as i64;
        }
    }
    let configured = parent.conf.map_or(Resource::ZERO, |c| c.maximum.amounts());
    let parents = if configured.is_zero() { parent.shares.effective_max } else { configured };
    let own = child.conf.map_or(Resource::ZERO, |c| c.maximum.amounts());
    shares.effective_max = if own.is_zero() { parents } else { *calculator.min(&basis.partition, &own, &parents) };
    let (capacity, max_capacity) = fractions(basis.cluster, basis, parent, &shares);
    shares.capacity = capacity;
    shares.max_capacity = max_capacity;
    shares.absolute_capacity = capacity * parent.shares.absolute_capacity;
    shares.absolute_max_capacity = max_capacity * parent.shares.absolute_max_capacity;
    shares
}

/// Returns amounts as fractions of the parent's amounts; an infinite quotient is 0, 0 by 0 stays not-a-number.
pub(super) fn fractions(base: Resource, basis: &ShareBasis, parent: &Parent<'_>, shares: &Shares) -> (f32, f32) {
    let finite = |x: f32| if x.is_infinite() { 0.0 } else { x };
    let divide = |a, b| finite(basis.calculator.divide(&base, a, b));
    (
        divide(&shares.effective_min, &parent.shares.effective_min),
        divide(&shares.effective_max, &parent.shares.effective_max),
    )
}

/// The settings and figures that limit the number of a leaf's applications (3.5).
#[derive(Clone, Copy, Debug)]
pub struct ApplicationCounts {
    /// `maximum-applications` of the scheduler.
    pub system: i32,
    /// `global-queue-max-application`, when above 0.
    pub global: Option<i32>,
    /// `<q>.maximum-applications`, when given.
    pub own: Option<i32>,
    /// Whether it is an absolute queue.
    pub is_absolute: bool,
    /// Whether the cluster has nothing yet, in vector mode; then shares are not known.
    pub shares_unknown: bool,
    /// `minimum-user-limit-percent`.
    pub user_limit_percent: f32,
    /// `user-limit-factor`.
    pub user_limit_factor: f32,
}

impl ApplicationCounts {
    /// Returns the maximum number of applications, with its source, and that of one user, from the absolute capacities
    /// of the partitions that the leaf is configured for.
    pub fn limits(&self, absolute_capacities: impl IntoIterator<Item = f32>) -> (ApplicationsBasis, i64) {
        let of = self.global.map_or(self.system, |g| g.min(self.system));
        let basis = match self.own {
            Some(own) => ApplicationsBasis::Own(own),
            None if self.shares_unknown || (self.global.is_some() && !self.is_absolute) => ApplicationsBasis::Every(of),
            None => absolute_capacities
                .into_iter()
                .map(|share| ApplicationsBasis::Share { of, share })
                .fold(ApplicationsBasis::Nothing, |most, one| if one.maximum() > most.maximum() { one } else { most }),
        };
        let queue = basis.maximum();
        let user = if self.user_limit_factor == -1.0 {
            queue
        } else {
            queue.min((queue as f32 * (self.user_limit_percent / 100.0) * self.user_limit_factor) as i32)
        };
        (basis, i64::from(user))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::capacity::{CapacityVector, Maximum};
    use crate::model::{CalculatorKind, ResourceTypes};

    fn basis(memory_mb: i64, vcores: i64) -> ShareBasis {
        let total = Resource::new(memory_mb, vcores);
        let calculator = Calculator::new(CalculatorKind::Default, &ResourceTypes::default());
        ShareBasis { calculator, cluster: total, partition: total, legacy: true }
    }

    fn conf(capacity: Capacity, maximum: Maximum) -> PartitionConf {
        PartitionConf {
            unchecked: false,
            capacity,
            maximum,
            capacity_vector: CapacityVector::default(),
            maximum_vector: CapacityVector::default(),
            am_percent: 0.1,
        }
    }

    fn root(basis: &ShareBasis) -> Shares {
        of_root(basis, Some(&conf(Capacity::Percent(100.0), Maximum::Percent(100.0))), &Shares::default())
    }

    fn child(conf: &PartitionConf) -> Child<'_> {
        Child { conf: Some(conf), has_figures: true, dynamic: false, entitlement: None, before: Shares::default() }
    }

    #[test]
    fn weights_share_the_parent() {
        let g = basis(100_000, 100);
        let root = root(&g);
        let parent = Parent { is_root: true, conf: None, shares: &root, managed: false, children_use_weights: true };
        let confs: Vec<PartitionConf> =
            [3.0, 2.0, 5.0].map(|w| conf(Capacity::Weight(w), Maximum::Percent(100.0))).into();
        let children: Vec<Child<'_>> = confs.iter().map(child).collect();
        let memory: Vec<i64> =
            of_children(&g, &parent, &children).iter().map(|s| s.effective_min.memory_mb()).collect();
        assert_eq!(memory, [30_000, 20_000, 50_000]);
    }

    #[test]
    fn amounts_that_do_not_fit_are_cut_in_floats() {
        let g = basis(64, 64);
        let root = root(&g);
        let parent = Parent { is_root: true, conf: None, shares: &root, managed: false, children_use_weights: false };
        let confs: Vec<PartitionConf> =
            [100, 50].map(|m| conf(Capacity::Absolute(Resource::new(m, 1)), Maximum::Absolute(Resource::ZERO))).into();
        let children: Vec<Child<'_>> = confs.iter().map(child).collect();
        let shares = of_children(&g, &parent, &children);
        assert_eq!(shares[0].effective_min, Resource::new(42, 32), "memory is compared, every type is scaled");
        assert_eq!(shares[1].effective_min, Resource::new(21, 32));
        assert_eq!(shares[0].effective_max, Resource::new(64, 64));
    }

    #[test]
    fn application_counts() {
        let mut counts = ApplicationCounts {
            system: 10000,
            global: None,
            own: None,
            is_absolute: false,
            shares_unknown: false,
            user_limit_percent: 50.0,
            user_limit_factor: 5.0,
        };
        assert_eq!(counts.limits([0.1]), (ApplicationsBasis::Share { of: 10000, share: 0.1 }, 1000));
        assert_eq!(counts.limits([0.1]).0.maximum(), 1000);
        assert_eq!(counts.limits([]).0.maximum(), -1);
        counts.user_limit_factor = 0.5;
        assert_eq!(counts.limits([0.1, 0.2]), (ApplicationsBasis::Share { of: 10000, share: 0.2 }, 500));
        counts.own = Some(7);
        counts.user_limit_factor = -1.0;
        assert_eq!(counts.limits([0.1]), (ApplicationsBasis::Own(7), 7));
    }
}
