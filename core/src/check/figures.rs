//! The figures by which a check decided.

use super::Failure;
use crate::model::{
    AppId, Calculator, CalculatorKind, ContainerId, Locality, Millis, PartitionId, PlaceId, QueueId, Resource,
};
use std::sync::Arc;

/// How the two sides of a comparison relate when the check passes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Relation {
    /// Less than the limit.
    Below,
    /// No more than the limit.
    Within,
    /// No less than the limit.
    AtLeast,
}

/// How two amounts are compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Compared {
    /// Each resource type by itself: one that falls short decides (Resources.fitsIn).
    EachType,
    /// The largest shares of the cluster (ResourceCalculator.compare; memory alone under the DefaultResourceCalculator).
    LargestShare,
}

/// The side of a comparison that is compared with the limit. The pair is boxed: amounts are large, and most comparisons
/// have one.
#[derive(Clone, Debug, PartialEq)]
enum Left {
    /// The usage before.
    Used(Resource),
    /// The request.
    Asked(Resource),
    /// Both, in this order.
    Sum(Box<(Resource, Resource)>),
}

/// A comparison of amounts: the sum of usage and request with `limit`.
#[derive(Clone, Debug, PartialEq)]
pub struct Amounts {
    left: Left,
    pub relation: Relation,
    pub limit: Resource,
    pub by: Compared,
    /// The queue that has the limit, if the check is not about it.
    pub queue: Option<QueueId>,
    /// The application that has the request, if the check is not about it.
    pub app: Option<AppId>,
    /// For [`Check::QueueLimit`](super::Check::QueueLimit) the queue's own maximum, which may exceed the limit. For
    /// [`Check::UserLimit`](super::Check::UserLimit) the reservations without which the user passes.
    pub besides: Option<Box<Resource>>,
}

impl Amounts {
    fn new(left: Left, relation: Relation, limit: Resource, by: Compared) -> Amounts {
        Amounts { left, relation, limit, by, queue: None, app: None, besides: None }
    }

    /// `asked` must fit in `room`.
    pub fn fit(asked: Resource, room: Resource) -> Amounts {
        Amounts::new(Left::Asked(asked), Relation::Within, room, Compared::EachType)
    }

    /// `used` must be no more than `limit`.
    pub fn within(used: Resource, limit: Resource) -> Amounts {
        Amounts::new(Left::Used(used), Relation::Within, limit, Compared::LargestShare)
    }

    /// `used` must be below `limit`.
    pub fn below(used: Resource, limit: Resource) -> Amounts {
        Amounts { relation: Relation::Below, ..Amounts::within(used, limit) }
    }

    /// `asked` must fit beside `used` in `limit`.
    pub fn sum(used: Resource, asked: Resource, limit: Resource) -> Amounts {
        Amounts::new(Left::Sum(Box::new((used, asked))), Relation::Within, limit, Compared::EachType)
    }

    /// The usage before; zero if only the request counts.
    pub fn used(&self) -> Resource {
        match &self.left {
            Left::Used(used) => *used,
            Left::Asked(_) => Resource::ZERO,
            Left::Sum(both) => both.0,
        }
    }

    /// The request; zero if only the usage counts.
    pub fn asked(&self) -> Resource {
        match &self.left {
            Left::Used(_) => Resource::ZERO,
            Left::Asked(asked) => *asked,
            Left::Sum(both) => both.1,
        }
    }

    /// Updates the comparison to the present usage and limit.
    pub fn as_of_now(&mut self, used: Resource, limit: Resource) {
        match &mut self.left {
            Left::Used(before) => *before = used,
            Left::Asked(asked) => self.left = Left::Sum(Box::new((used, *asked))),
            Left::Sum(both) => both.0 = used,
        }
        self.limit = limit;
    }

    /// Requires the request to be no less than the limit.
    pub fn at_least(self) -> Amounts {
        Amounts { relation: Relation::AtLeast, ..self }
    }

    /// Compares type by type.
    pub fn each_type(self) -> Amounts {
        Amounts { by: Compared::EachType, ..self }
    }

    /// The places of the resource types that decide the comparison, where `total` is the cluster's total: those that
    /// fall short, or those of the largest share on each side. If there are none, the scarcest one.
    pub fn deciding(&self, calc: Calculator, total: &Resource) -> Vec<usize> {
        let types = if calc.kind == CalculatorKind::Default { 1 } else { calc.types };
        let both = self.used() + self.asked();
        let share = |amount: &Resource, of: &Resource, i: usize| amount[i] as f64 / of[i].max(1) as f64;
        let largest = |amount: &Resource, of: &Resource| {
            (0..types).max_by(|a, b| share(amount, of, *a).total_cmp(&share(amount, of, *b)).then(b.cmp(a)))
        };
        let mut out: Vec<usize> = match (self.by, self.relation) {
            (Compared::EachType, Relation::Below) => (0..types).filter(|i| both[*i] >= self.limit[*i]).collect(),
            (Compared::EachType, Relation::Within) => (0..types).filter(|i| both[*i] > self.limit[*i]).collect(),
            (Compared::EachType, Relation::AtLeast) => (0..types).filter(|i| both[*i] < self.limit[*i]).collect(),
            (Compared::LargestShare, _) => {
                largest(&both, total).into_iter().chain(largest(&self.limit, total)).collect()
            }
        };
        if out.is_empty() {
            out.extend(largest(&both, &self.limit));
        }
        out.sort_unstable();
        out.dedup();
        out
    }

    /// Sets the queue that has the limit.
    pub fn of_queue(self, queue: QueueId) -> Amounts {
        Amounts { queue: Some(queue), ..self }
    }

    /// Sets the application that has the request.
    pub fn of_app(self, app: AppId) -> Amounts {
        Amounts { app: Some(app), ..self }
    }

    /// Sets [`Amounts::besides`].
    pub fn beside(self, amount: Option<Resource>) -> Amounts {
        Amounts { besides: amount.map(Box::new), ..self }
    }

    /// Returns [`Amounts::besides`].
    pub fn besides(&self) -> Option<Resource> {
        self.besides.as_deref().copied()
    }
}

/// The figures of a check.
#[derive(Clone, Debug, PartialEq)]
pub enum Figures {
    /// No figures: the check is a plain yes or no.
    None,
    Amounts(Amounts),
    /// A number against the number that is needed (or allowed).
    Count {
        have: i64,
        need: i64,
    },
    /// Missed opportunities against those that must be missed.
    Missed {
        /// The widest locality that was allowed.
        level: Locality,
        missed: i64,
        /// The number that must be exceeded.
        needed: f32,
    },
    /// The time waited against the time that must be waited, ms.
    Waited {
        /// The widest locality that was allowed.
        level: Locality,
        waited_ms: Millis,
        /// The time that must be exceeded.
        needed_ms: Millis,
    },
    /// The reservations of a request against what it wants.
    Reservations {
        outstanding: i64,
        /// The reservations of the request.
        reserved: i64,
        /// The failed retries.
        rereservations: i64,
    },
    /// The container fails the check unless a reservation of at least this amount is given up.
    GiveUp {
        amount: Resource,
        fails: Box<Failure>,
    },
    /// Partitions.
    Partition {
        /// The node's, as the pass sees it.
        node: PartitionId,
        required: PartitionId,
    },
    /// A host, a rack, or any place.
    Place(PlaceId),
    /// The leaf of a constraint that failed, in YARN's words; empty if the evaluation itself failed.
    Unsatisfied(Arc<str>),
    /// A reservation.
    HeldBy(ContainerId),
    /// The hosts that cannot take an anti-affine instance, if none is left.
    LeftOut(LeftOut),
}

/// Hosts that cannot take an anti-affine instance, counted by reason.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct LeftOut {
    /// Unusable hosts.
    pub offline: usize,
    /// Hosts without the component's label.
    pub label: usize,
    /// Hosts with an instance.
    pub occupied: usize,
}

impl Figures {
    /// The compared amounts, if the check compares amounts.
    pub fn as_amounts(&self) -> Option<&Amounts> {
        if let Figures::Amounts(amounts) = self { Some(amounts) } else { None }
    }

    /// The actual number and the number needed, if the check compares numbers.
    pub fn as_count(&self) -> Option<(i64, i64)> {
        if let Figures::Count { have, need } = self { Some((*have, *need)) } else { None }
    }
}

impl From<Amounts> for Figures {
    fn from(amounts: Amounts) -> Figures {
        Figures::Amounts(amounts)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Entries are copied when they are recorded: beyond 256 bytes a copy takes half as long again.
    #[test]
    fn figures_are_small() {
        let sizes = (size_of::<Amounts>(), size_of::<crate::journal::Entry>());
        assert!(sizes.0 <= 176 && sizes.1 <= 224, "{sizes:?}");
    }

    use crate::model::ResourceTypes;

    #[test]
    fn the_types_that_decide_are_those_that_lack_or_the_largest_shares() {
        let of = |memory: i64, vcores: i64, gpu: i64| {
            let mut out = Resource::new(memory, vcores);
            out.0[2] = gpu;
            out
        };
        let types = ResourceTypes::with(["yarn.io/gpu"]).expect("names of types");
        let dominant = Calculator::new(CalculatorKind::Dominant, &types);
        let default = Calculator::new(CalculatorKind::Default, &types);
        let total = of(100_000, 100, 10);
        let cases = [
            (Amounts::fit(of(1024, 1, 2), of(8192, 8, 0)), vec![2]),
            (Amounts::fit(of(1024, 9, 2), of(8192, 8, 1)), vec![1, 2]),
            (Amounts::sum(of(4096, 1, 0), of(4097, 1, 0), of(8192, 8, 0)), vec![0]),
            // Nothing falls short: the scarcest.
            (Amounts::fit(of(1024, 4, 0), of(8192, 8, 0)), vec![1]),
            // The largest share of the usage is in vcores, that of the limit in memory.
            (Amounts::within(of(10_000, 60, 0), of(50_000, 20, 0)), vec![0, 1]),
            (Amounts::below(of(10_000, 60, 0), of(50_000, 55, 0)), vec![1]),
        ];
        for (amounts, deciding) in cases {
            assert_eq!(amounts.deciding(dominant, &total), deciding, "{amounts:?}");
            assert_eq!(amounts.deciding(default, &total), [0], "memory alone counts: {amounts:?}");
        }
    }
}
