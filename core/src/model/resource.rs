//! Resources and the two resource calculators (capacity-scheduler.md section 1).
//!
//! Source of the behaviour: Resource, Resources, DefaultResourceCalculator, DominantResourceCalculator of Hadoop
//! 3.5.0. Ratios are 32-bit floats where Java's are, and the operations come in the same order.

use super::java::set_walk;
use super::limits::RESOURCE_TYPES;
use serde::{Deserialize, Serialize};
use std::cmp::Ordering;
use std::fmt::Write as _;
use std::ops::{Add, AddAssign, Index, IndexMut, Sub, SubAssign};

/// The place of memory in a [`Resource`].
pub const MEMORY: usize = 0;
/// The place of vcores in a [`Resource`].
pub const VCORES: usize = 1;

/// Amounts of every resource type: memory in MiB, vcores, then the named types in the order of [`ResourceTypes`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Serialize, Deserialize)]
pub struct Resource(pub [i64; RESOURCE_TYPES]);

impl Resource {
    /// No amount of any type.
    pub const ZERO: Resource = Resource([0; RESOURCE_TYPES]);

    /// Truncates the vcores to 32 bits, as Java stores them (Resource.setResourceValue, castToIntSafely).
    #[inline]
    pub fn with_vcores_as_int(mut self) -> Resource {
        self.0[VCORES] = self.0[VCORES].min(i64::from(i32::MAX));
        self
    }

    /// Memory in MiB and vcores, nothing else.
    pub const fn new(memory_mb: i64, vcores: i64) -> Self {
        let mut v = [0; RESOURCE_TYPES];
        v[MEMORY] = memory_mb;
        v[VCORES] = vcores;
        Resource(v)
    }

    /// The result of the default calculator's rounding: memory, and one vcore when there is memory.
    fn of_memory(memory_mb: i64) -> Self {
        Resource::new(memory_mb, i64::from(memory_mb > 0))
    }

    /// Memory in MiB.
    #[inline]
    pub fn memory_mb(&self) -> i64 {
        self.0[MEMORY]
    }

    #[inline]
    pub fn vcores(&self) -> i64 {
        self.0[VCORES]
    }

    /// Returns whether any amount is below 0.
    #[inline]
    pub fn is_negative(&self) -> bool {
        self.0.iter().any(|v| *v < 0)
    }

    /// Returns whether every amount is 0.
    #[inline]
    pub fn is_zero(&self) -> bool {
        // Most resources that are not zero have memory.
        self.0[MEMORY] == 0 && self.0.iter().fold(0, |any, v| any | v) == 0
    }

    /// Applies `f` to each amount.
    #[inline(always)]
    pub fn map(self, mut f: impl FnMut(i64) -> i64) -> Self {
        let mut out = Resource::ZERO;
        for i in 0..RESOURCE_TYPES {
            out.0[i] = f(self.0[i]);
        }
        out
    }

    /// Applies `f` to each pair of amounts.
    #[inline(always)]
    pub fn zip(self, other: Self, mut f: impl FnMut(i64, i64) -> i64) -> Self {
        let mut out = Resource::ZERO;
        for i in 0..RESOURCE_TYPES {
            out.0[i] = f(self.0[i], other.0[i]);
        }
        out
    }

    /// `n` times as much, saturating at 64 bits.
    pub fn times(self, n: i64) -> Self {
        match n {
            1 => self,
            // −1 is the most frequent factor; amounts are far from the ends.
            -1 => Resource::ZERO - self,
            _ => self.map(|v| v.saturating_mul(n)),
        }
    }

    /// The smaller of each pair of amounts.
    pub fn component_min(self, other: Self) -> Self {
        self.zip(other, i64::min)
    }

    /// The larger of each pair of amounts.
    pub fn component_max(self, other: Self) -> Self {
        self.zip(other, i64::max)
    }

    /// The difference, with no amount below 0.
    pub fn minus_not_below_zero(self, other: Self) -> Self {
        self.zip(other, |a, b| a.saturating_sub(b).max(0))
    }

    /// Each amount times `by`, truncated (Resources.multiplyAndRoundDown): the factor is widened to a double.
    pub fn multiply_round_down(self, by: f32) -> Self {
        self.map(|v| (v as f64 * f64::from(by)) as i64)
    }

    /// The vcores as Hadoop reports them, in 32 bits: a larger value becomes the largest (Resource.castToIntSafely).
    pub fn vcores_32(&self) -> i32 {
        if self.vcores() > i64::from(i32::MAX) { i32::MAX } else { self.vcores() as i32 }
    }

    /// Adds to a running sum. Hadoop copies such a sum before each addition, which truncates its vcores to 32 bits
    /// (ResourceUsage, Resources.clone).
    #[inline]
    pub fn add_to_32_bits(&mut self, by: Resource) {
        self.0[VCORES] = i64::from(self.vcores_32());
        *self += by;
    }

    /// `<memory:1024, vCores:1, gpu: 2>` as Resource.toString prints it: further types only where not 0.
    pub fn text(&self, types: &ResourceTypes) -> String {
        let mut out = format!("<memory:{}, vCores:{}", self.memory_mb(), self.vcores_32());
        for (name, v) in types.names().iter().zip(self.0).skip(2) {
            if v != 0 {
                let _ = write!(out, ", {name}: {v}");
            }
        }
        out.push('>');
        out
    }
}

impl Index<usize> for Resource {
    type Output = i64;
    fn index(&self, i: usize) -> &i64 {
        &self.0[i]
    }
}

impl IndexMut<usize> for Resource {
    fn index_mut(&mut self, i: usize) -> &mut i64 {
        &mut self.0[i]
    }
}

impl Add for Resource {
    type Output = Resource;
    #[inline]
    fn add(self, o: Resource) -> Resource {
        self.zip(o, i64::wrapping_add)
    }
}

impl Sub for Resource {
    type Output = Resource;
    #[inline]
    fn sub(self, o: Resource) -> Resource {
        self.zip(o, i64::wrapping_sub)
    }
}

impl AddAssign for Resource {
    #[inline]
    fn add_assign(&mut self, o: Resource) {
        *self = *self + o;
    }
}

impl SubAssign for Resource {
    #[inline]
    fn sub_assign(&mut self, o: Resource) {
        *self = *self - o;
    }
}

/// The names of a cluster's resource types: `memory-mb`, `vcores`, then those of `yarn.resource-types` in Hadoop's
/// order. It is the order of amounts in every [`Resource`], and it is decided here alone.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ResourceTypes {
    names: Vec<String>,
}

impl Default for ResourceTypes {
    fn default() -> Self {
        ResourceTypes { names: vec!["memory-mb".into(), "vcores".into()] }
    }
}

impl ResourceTypes {
    /// Memory, vcores and these types, named in the order of `yarn.resource-types`. Hadoop puts them into a HashMap,
    /// memory and vcores last, and numbers them in its iteration order (ResourceUtils.updateKnownResources). Errors:
    /// the name of the first type beyond [`super::limits::RESOURCE_TYPES`].
    pub fn with<S: Into<String>>(further: impl IntoIterator<Item = S>) -> Result<Self, String> {
        let mut types = Self::default();
        let mut named: Vec<String> = Vec::new();
        for name in further {
            let name = name.into();
            if types.names.contains(&name) || named.contains(&name) {
                continue;
            }
            if types.names.len() + named.len() == RESOURCE_TYPES {
                return Err(name);
            }
            named.push(name);
        }
        let put: Vec<&str> = named.iter().chain(&types.names).map(String::as_str).collect();
        let walked: Vec<String> = set_walk(&put).into_iter().map(str::to_string).collect();
        let further: Vec<String> = walked.into_iter().filter(|name| !types.names.contains(name)).collect();
        types.names.extend(further);
        Ok(types)
    }

    /// All names, `memory-mb` and `vcores` first.
    pub fn names(&self) -> &[String] {
        &self.names
    }

    /// The number of types, at least 2.
    #[allow(clippy::len_without_is_empty)] // never empty
    pub fn len(&self) -> usize {
        self.names.len()
    }

    /// The place of a type by its name (`memory` is accepted for `memory-mb`).
    pub fn place(&self, name: &str) -> Option<usize> {
        let name = if name == "memory" { "memory-mb" } else { name };
        self.names.iter().position(|n| n == name)
    }
}

/// The calculator that compares resources (`yarn.scheduler.capacity.resource-calculator`).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum CalculatorKind {
    /// DefaultResourceCalculator: memory only.
    Default,
    /// DominantResourceCalculator: every type, the dominant share first.
    Dominant,
}

/// A calculator over the first `types` resource types. In its methods `base` is the total of which shares are computed
/// (the cluster's, or a partition's).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Calculator {
    /// The kind.
    pub kind: CalculatorKind,
    /// The number of resource types of the cluster, 2 to [`RESOURCE_TYPES`].
    pub types: usize,
}

/// Divides and rounds up. Sums wrap as in Java, since the share of a type that the cluster lacks is infinite; a
/// negative quotient is rounded towards 0.
fn ceil_div(a: i64, by: i64) -> i64 {
    if by == 0 { 0 } else { a.wrapping_add(by.wrapping_sub(1)).wrapping_div(by) }
}

/// The next multiple of `step` towards 0. Minimum allocations and steps are mostly powers of two, for which a processor
/// needs no division.
#[inline]
fn down(a: i64, step: i64) -> i64 {
    let mask = step.wrapping_sub(1);
    if step > 0 && step & mask == 0 {
        // Negative amounts go up, towards 0.
        a.wrapping_add((a >> 63) & mask) & !mask
    } else if step == 0 {
        0
    } else {
        a.wrapping_div(step).wrapping_mul(step)
    }
}

/// The next multiple of `step` upwards.
#[inline]
fn up(a: i64, step: i64) -> i64 {
    // Sums wrap, see `ceil_div`.
    down(a.wrapping_add(step.wrapping_sub(1)), step)
}

fn quotient(a: i64, b: i64) -> f32 {
    if b == 0 {
        return if a == 0 { 0.0 } else { f32::INFINITY };
    }
    a as f32 / b as f32
}

impl Calculator {
    /// Creates a calculator of this kind for a cluster with these types.
    pub fn new(kind: CalculatorKind, types: &ResourceTypes) -> Self {
        Calculator { kind, types: types.len() }
    }

    #[inline]
    fn dominant(self) -> bool {
        self.kind == CalculatorKind::Dominant
    }

    /// Compares `l` and `r` as shares of `base`.
    #[inline]
    pub fn compare(self, base: &Resource, l: &Resource, r: &Resource) -> Ordering {
        if self.dominant() { self.compare_dominant(base, l, r) } else { l.0[MEMORY].cmp(&r.0[MEMORY]) }
    }

    #[inline(never)]
    fn compare_dominant(self, base: &Resource, l: &Resource, r: &Resource) -> Ordering {
        let n = self.types;
        if l.0[..n] == r.0[..n] {
            return Ordering::Equal;
        }
        if base.0[..n].iter().all(|v| *v == 0) {
            let less = (0..n).any(|i| l[i] < r[i]);
            let more = (0..n).any(|i| l[i] > r[i]);
            return match (less, more) {
                (true, false) => Ordering::Less,
                (false, true) => Ordering::Greater,
                _ => Ordering::Equal,
            };
        }
        let mut shares = [[0f64; RESOURCE_TYPES]; 2];
        let mut len = 0;
        for i in 0..n {
            // With more than two types a type that the cluster lacks is skipped; with two its share is infinite, even
            // when none of it is requested (DominantResourceCalculator.calculateShare).
            if n > 2 && base[i] == 0 {
                continue;
            }
            let share = |v: i64| if base[i] == 0 { f64::INFINITY } else { v as f64 / base[i] as f64 };
            (shares[0][len], shares[1][len]) = (share(l[i]), share(r[i]));
            len += 1;
        }
        let descending = |a: &f64, b: &f64| b.partial_cmp(a).unwrap_or(Ordering::Equal);
        for side in &mut shares {
            side[..len].sort_by(descending);
        }
        for i in 0..len {
            match shares[0][i].partial_cmp(&shares[1][i]) {
                None | Some(Ordering::Equal) => {}
                Some(unequal) => return unequal,
            }
        }
        Ordering::Equal
    }

    /// `l < r`.
    #[inline]
    pub fn lt(self, base: &Resource, l: &Resource, r: &Resource) -> bool {
        self.compare(base, l, r).is_lt()
    }

    /// `l ≤ r`.
    #[inline]
    pub fn le(self, base: &Resource, l: &Resource, r: &Resource) -> bool {
        self.compare(base, l, r).is_le()
    }

    /// `l > r`.
    #[inline]
    pub fn gt(self, base: &Resource, l: &Resource, r: &Resource) -> bool {
        self.compare(base, l, r).is_gt()
    }

    /// `l ≥ r`.
    #[inline]
    pub fn ge(self, base: &Resource, l: &Resource, r: &Resource) -> bool {
        self.compare(base, l, r).is_ge()
    }

    /// The smaller of the two resources as a whole: `l` when `l ≤ r`.
    #[inline]
    pub fn min<'a>(self, base: &Resource, l: &'a Resource, r: &'a Resource) -> &'a Resource {
        if self.le(base, l, r) { l } else { r }
    }

    /// The larger of the two resources as a whole: `l` when `l ≥ r`.
    #[inline]
    pub fn max<'a>(self, base: &Resource, l: &'a Resource, r: &'a Resource) -> &'a Resource {
        if self.ge(base, l, r) { l } else { r }
    }

    /// Returns whether `small` fits in `big`, by memory or by every type.
    #[inline]
    pub fn fits_in(self, small: &Resource, big: &Resource) -> bool {
        if self.dominant() { self.all_fit(small, big) } else { small.0[MEMORY] <= big.0[MEMORY] }
    }

    /// Returns whether both together fit in `big`.
    #[inline]
    pub fn both_fit_in(self, a: &Resource, b: &Resource, big: &Resource) -> bool {
        if self.dominant() {
            self.all_fit(&(*a + *b), big)
        } else {
            a.0[MEMORY].wrapping_add(b.0[MEMORY]) <= big.0[MEMORY]
        }
    }

    #[inline(never)]
    fn all_fit(self, small: &Resource, big: &Resource) -> bool {
        (0..self.types).all(|i| small[i] <= big[i])
    }

    /// Returns whether any type that the calculator considers is above 0.
    #[inline]
    pub fn any_above_zero(self, r: &Resource) -> bool {
        if self.dominant() { (0..self.types).any(|i| r[i] > 0) } else { r.0[MEMORY] > 0 }
    }

    /// Returns whether one container of `need` fits in `available`.
    #[inline]
    pub fn has_room_for(self, available: &Resource, need: &Resource) -> bool {
        match need.0[MEMORY] {
            n if n <= 0 || self.dominant() => self.available_containers(available, need) > 0,
            n => available.0[MEMORY] >= n,
        }
    }

    /// The number of containers of `need` that fit in `available`; quotients truncate toward zero. When `need` is
    /// nothing, the largest number.
    #[inline]
    pub fn available_containers(self, available: &Resource, need: &Resource) -> i64 {
        if self.dominant() {
            self.all_available(available, need)
        } else if need.0[MEMORY] == 0 {
            i64::MAX
        } else {
            available.0[MEMORY].wrapping_div(need.0[MEMORY])
        }
    }

    #[inline(never)]
    fn all_available(self, available: &Resource, need: &Resource) -> i64 {
        (0..self.types).filter(|i| need[*i] > 0).map(|i| available[i] / need[i]).min().unwrap_or(i64::MAX)
    }

    /// `n / d` by memory, or by the largest shares of `base`. 0 / 0 is 0, but NaN under the dominant calculator.
    #[inline]
    pub fn divide(self, base: &Resource, n: &Resource, d: &Resource) -> f32 {
        if self.dominant() { self.divide_largest(base, n, d) } else { quotient(n.0[MEMORY], d.0[MEMORY]) }
    }

    #[inline(never)]
    fn divide_largest(self, base: &Resource, n: &Resource, d: &Resource) -> f32 {
        let largest = |r: &Resource| {
            (0..self.types).filter(|i| base[*i] != 0).fold(0f64, |m, i| m.max(r[i] as f64 / base[i] as f64))
        };
        (largest(n) / largest(d)) as f32
    }

    /// The ratio of `a` to `b`, by memory or the largest of all types; 0 to 0 is 0, x to 0 is infinite.
    #[inline]
    pub fn ratio(self, a: &Resource, b: &Resource) -> f32 {
        if self.dominant() { self.largest_ratio(a, b) } else { quotient(a.0[MEMORY], b.0[MEMORY]) }
    }

    #[inline(never)]
    fn largest_ratio(self, a: &Resource, b: &Resource) -> f32 {
        (0..self.types).map(|i| quotient(a[i], b[i])).fold(0f32, |m, x| if x > m { x } else { m })
    }

    fn each(self, r: &Resource, f: impl Fn(i64, usize) -> i64) -> Resource {
        let mut out = *r;
        for i in 0..self.types {
            out[i] = f(r[i], i);
        }
        out
    }

    /// Rounds up to a multiple of `step`.
    #[inline]
    pub fn round_up(self, r: &Resource, step: &Resource) -> Resource {
        if self.dominant() {
            self.each(r, |v, i| if step[i] == 0 { v } else { up(v, step[i]) })
        } else {
            Resource::of_memory(up(r.0[MEMORY], step.0[MEMORY]))
        }
    }

    /// Rounds down to a multiple of `step` (toward zero).
    #[inline]
    pub fn round_down(self, r: &Resource, step: &Resource) -> Resource {
        if self.dominant() {
            self.each(r, |v, i| if step[i] == 0 { v } else { down(v, step[i]) })
        } else {
            Resource::of_memory(down(r.0[MEMORY], step.0[MEMORY]))
        }
    }

    /// Normalizes a request: raises it to `min`, rounds up to a multiple of `step`, and caps it at `max`. A step of 0
    /// counts as `min`.
    pub fn normalize(self, r: &Resource, min: &Resource, max: &Resource, step: &Resource) -> Resource {
        if self.dominant() {
            self.each(r, |v, i| {
                let v = v.max(min[i]);
                (if step[i] == 0 { v } else { up(v, step[i]) }).min(max[i])
            })
        } else {
            let step = if step.0[MEMORY] == 0 { min.0[MEMORY] } else { step.0[MEMORY] };
            Resource::of_memory(up(r.0[MEMORY].max(min.0[MEMORY]), step).min(max.0[MEMORY]))
        }
    }

    /// `r · by`, truncated, for the types that the calculator considers.
    #[inline]
    pub fn multiply_round_down(self, r: &Resource, by: f32) -> Resource {
        if self.dominant() {
            r.multiply_round_down(by)
        } else {
            Resource::of_memory((r.0[MEMORY] as f64 * f64::from(by)) as i64)
        }
    }

    /// `r · by`, rounded up to a multiple of `step` (multiplyAndNormalizeUp).
    #[inline]
    pub fn multiply_normalize_up(self, r: &Resource, by: f32, step: &Resource) -> Resource {
        let by = f64::from(by);
        if self.dominant() {
            self.each(r, |v, i| {
                let x = ((v as f64 * by) as f32).ceil() as i64;
                if step[i] == 0 { x } else { up(x, step[i]) }
            })
        } else {
            Resource::of_memory(up((r.0[MEMORY] as f64 * by + 0.5) as i64, step.0[MEMORY]))
        }
    }

    /// `r · by`, rounded down to a multiple of `step` (multiplyAndNormalizeDown).
    pub fn multiply_normalize_down(self, r: &Resource, by: f32, step: &Resource) -> Resource {
        let by = f64::from(by);
        if self.dominant() {
            self.each(r, |v, i| {
                let x = (v as f64 * by) as i64;
                if step[i] == 0 { x } else { down(x, step[i]) }
            })
        } else {
            Resource::of_memory(down((r.0[MEMORY] as f64 * by) as i64, step.0[MEMORY]))
        }
    }

    /// `⌈r / d⌉`, with the quotient as a 32-bit float; 0 when `d` is 0.
    #[inline]
    pub fn divide_and_ceil(self, r: &Resource, d: f32) -> Resource {
        let f = |v: i64| {
            if d == 0.0 { 0 } else { (v as f32 / d).ceil() as i64 }
        };
        if self.dominant() { self.each(r, |v, _| f(v)) } else { Resource::of_memory(f(r.0[MEMORY])) }
    }

    /// `⌈r / d⌉` by integers; 0 when `d` is 0.
    #[inline]
    pub fn divide_and_ceil_int(self, r: &Resource, d: i64) -> Resource {
        if self.dominant() {
            self.each(r, |v, _| ceil_div(v, d))
        } else {
            Resource::of_memory(ceil_div(r.0[MEMORY], d))
        }
    }

    /// The names of the types of which `need` exceeds `available`, among those that the calculator considers.
    pub fn insufficient<'a>(self, need: &Resource, available: &Resource, types: &'a ResourceTypes) -> Vec<&'a str> {
        let looked_at = if self.dominant() { self.types } else { 1 };
        (0..looked_at).filter(|i| need[*i] > available[*i]).map(|i| types.names()[i].as_str()).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_that_are_powers_of_two_are_rounded_to_as_others_are() {
        let amounts = [0, 1, 2, 3, 5, 1023, 1024, 1025, 4097, i64::MAX - 1, i64::MAX];
        for step in [0, 1, 2, 3, 4, 7, 512, 1000, 1024, 1 << 40, 1 << 62, i64::MAX, -1, -4, i64::MIN] {
            for a in amounts.into_iter().flat_map(|a| [a, -a, (-a).wrapping_sub(1)]) {
                let rounded = |a: i64| if step == 0 { 0 } else { a.wrapping_div(step).wrapping_mul(step) };
                assert_eq!(down(a, step), rounded(a), "{a} down to {step}");
                assert_eq!(up(a, step), ceil_div(a, step).wrapping_mul(step), "{a} up to {step}");
            }
        }
    }

    #[test]
    fn of_a_type_that_there_is_none_of_any_two_shares_are_alike() {
        let calc = Calculator { kind: CalculatorKind::Dominant, types: 2 };
        let cases = [
            ((1221, 0), (1024, 1), (1024, 0), Ordering::Equal),
            ((1221, 0), (1024, 0), (1024, 1), Ordering::Equal),
            ((1221, 0), (1024, 0), (512, 7), Ordering::Greater),
            ((1221, 0), (0, 0), (0, 3), Ordering::Equal),
            ((1221, 0), (0, 9), (1, 0), Ordering::Less),
            ((0, 4), (7, 1), (0, 1), Ordering::Equal),
            ((0, 4), (0, 2), (7, 1), Ordering::Greater),
        ];
        for (base, l, r, expected) in cases {
            let of = |(memory, vcores)| Resource::new(memory, vcores);
            assert_eq!(calc.compare(&of(base), &of(l), &of(r)), expected, "{base:?}: {l:?}, {r:?}");
        }
    }
}
