//! The two limit checks of an offer on plain figures, without the queues (AbstractCSQueue.canAssignToThisQueue,
//! AbstractLeafQueue.canAssignToUser; capacity-scheduler.md 7.3, 8.2).

use crate::model::{Calculator, Resource};

/// 7.3: returns whether a queue is below its limit `cap`, or would be without the reservations that it could give up.
/// `unreservable` is `None` if reservations always count (`reservations-continue-look-all-nodes` off). `base`: the
/// total that shares are taken of.
#[inline]
pub fn queue_limit_allows(
    calc: Calculator,
    base: &Resource,
    used: &Resource,
    cap: &Resource,
    unreservable: impl FnOnce() -> Option<Resource>,
) -> bool {
    calc.lt(base, used, cap)
        || unreservable().is_some_and(|r| calc.gt(base, &r, &Resource::ZERO) && calc.lt(base, &(*used - r), cap))
}

/// 8.2: returns the amount that must be unreserved for a user with the usage `used` to get another container, or `None`
/// if the user gets none. Usage equal to the limit passes. `without` is the user's usage without the application's
/// reservations, `None` if reservations always count.
#[inline]
pub fn user_limit_allows(
    calc: Calculator,
    base: &Resource,
    used: &Resource,
    without: impl FnOnce() -> Option<Resource>,
    limit: &Resource,
) -> Option<Resource> {
    if !calc.gt(base, used, limit) {
        return Some(Resource::ZERO);
    }
    without().filter(|without| calc.le(base, without, limit)).map(|_| *used - *limit)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{CalculatorKind, ResourceTypes};

    #[test]
    fn a_limit_is_passed_once_and_reservations_are_looked_past() {
        let calc = Calculator::new(CalculatorKind::Default, &ResourceTypes::default());
        let gb = |n: i64| Resource::new(n * 1024, 0);
        let queue = |used, unreservable: Option<Resource>| {
            queue_limit_allows(calc, &gb(16), &gb(used), &gb(13), || unreservable)
        };
        assert!(queue(12, None) && !queue(13, None) && queue(13, Some(gb(3))) && !queue(16, Some(gb(3))));
        let user = |used, without| user_limit_allows(calc, &gb(16), &gb(used), || without, &gb(12));
        assert_eq!(user(12, None), Some(Resource::ZERO));
        assert_eq!(user(13, None), None);
        assert_eq!(user(13, Some(gb(8))), Some(gb(1)));
        assert_eq!(user(14, Some(gb(13))), None);
    }
}
