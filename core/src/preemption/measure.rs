//! The arithmetic of preemption (A2, B2): a calculator with the total for its shares.

use crate::model::{Calculator, CalculatorKind, Resource, resource::MEMORY};
use std::cmp::Ordering;

const ZERO: Resource = Resource::ZERO;

/// Compares amounts as shares of one total.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Measure {
    /// The calculator: by memory, or by dominant resource.
    pub calc: Calculator,
    /// The total.
    pub base: Resource,
}

impl Measure {
    /// Compares two amounts.
    pub fn compare(&self, a: Resource, b: Resource) -> Ordering {
        self.calc.compare(&self.base, &a, &b)
    }

    /// Returns whether the first is greater.
    pub fn above(&self, a: Resource, b: Resource) -> bool {
        self.compare(a, b).is_gt()
    }

    /// Returns whether it is greater than nothing.
    pub fn positive(&self, a: Resource) -> bool {
        self.above(a, ZERO)
    }

    /// The smaller of the two as a whole.
    pub fn min(&self, a: Resource, b: Resource) -> Resource {
        *self.calc.min(&self.base, &a, &b)
    }

    /// The larger of the two as a whole.
    pub fn max(&self, a: Resource, b: Resource) -> Resource {
        *self.calc.max(&self.base, &a, &b)
    }

    /// The first as a fraction of the second.
    pub fn divide(&self, a: Resource, b: Resource) -> f32 {
        self.calc.divide(&self.base, &a, &b)
    }

    /// Returns whether usage is below a share by the FairScheduler's rule, which compares only the largest type of each
    /// side (FSAppAttempt.isUsageBelowShare).
    pub fn below(&self, used: Resource, share: Resource) -> bool {
        match self.calc.kind {
            CalculatorKind::Default => used[MEMORY] < share[MEMORY],
            CalculatorKind::Dominant => self.largest(used) < self.largest(share),
        }
    }

    /// The largest fraction of the total; types that it has none of are skipped.
    fn largest(&self, r: Resource) -> f64 {
        let parts = (0..self.calc.types).filter(|i| self.base[*i] > 0).map(|i| r[i] as f64 / self.base[i] as f64);
        parts.fold(f64::NEG_INFINITY, f64::max)
    }
}

/// `r · by`, truncated toward zero. (0 stays 0, whatever the factor: most amounts have two types.)
pub(super) fn part(r: Resource, by: f64) -> Resource {
    r.map(|v| if v == 0 { 0 } else { (v as f64 * by) as i64 })
}

/// `a − b`; memory and vcores stop at 0, further types do not.
pub fn less(a: Resource, b: Resource) -> Resource {
    let mut out = a - b;
    for i in 0..2 {
        out[i] = out[i].max(0);
    }
    out
}

/// Raises negative amounts to 0.
pub(super) fn not_negative(r: Resource) -> Resource {
    r.component_max(ZERO)
}

/// Returns whether any type that the calculator considers is at 0 or below.
pub(super) fn some_used_up(calc: Calculator, r: &Resource) -> bool {
    match calc.kind {
        CalculatorKind::Default => r[MEMORY] <= 0,
        CalculatorKind::Dominant => (0..calc.types).any(|i| r[i] <= 0),
    }
}

fn of_memory(r: Resource, by: f64) -> Resource {
    let memory = (r[MEMORY] as f64 * by + 0.5) as i64;
    Resource::new(memory, i64::from(memory > 0))
}

/// `r · by`: rounds memory to the nearest, or each type up; the product is a float first.
pub(super) fn up(calc: Calculator, r: Resource, by: f64) -> Resource {
    match calc.kind {
        CalculatorKind::Default => of_memory(r, by),
        CalculatorKind::Dominant => r.map(|v| ((v as f64 * by) as f32).ceil() as i64),
    }
}

/// Each type times its own factor: rounds memory to the nearest, or each type up.
pub(super) fn up_by_types(calc: Calculator, r: Resource, by: &[f32]) -> Resource {
    match calc.kind {
        CalculatorKind::Default => of_memory(r, by.first().copied().unwrap_or(0.0).into()),
        CalculatorKind::Dominant => {
            let mut out = ZERO;
            for (i, by) in by.iter().enumerate().take(calc.types) {
                out[i] = (r[i] as f64 * f64::from(*by)).ceil() as i64;
            }
            out
        }
    }
}
