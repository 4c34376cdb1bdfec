//! The keys by which the children of a queue and the applications of a leaf are compared (FairSharePolicy,
//! DominantResourceFairnessPolicy, FifoPolicy; fair-scheduler.md 10).

use crate::config::fair::Policy;
use crate::model::Resource;
use crate::model::limits::RESOURCE_TYPES;
use std::cmp::Ordering;

/// The figures that the policies compare.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sortable {
    /// The present usage.
    pub used: Resource,
    pub minimum: Resource,
    /// The demand as of the last update.
    pub demand: Resource,
    pub weight: f32,
}

/// The sort key of a child or an application: the class, then figure by figure, the smallest first. A figure that is
/// not a number is equal to all.
#[derive(Clone, Copy, Debug, PartialEq, Default)]
pub struct Key {
    class: u8,
    /// The number of figures that count.
    count: u8,
    /// Whether it is a key of the fair policy.
    by_memory: bool,
    figures: [f64; RESOURCE_TYPES],
}

/// Parts of a key's class.
const IDLE: u8 = 2;
const SATED: u8 = 1;

/// A part of a key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum KeyPart {
    /// Whether it has any demand.
    Idle,
    /// Whether it is below its minimum share.
    Minimum,
    /// One of the figures.
    Figure(usize),
}

/// A child or an application, with its key.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Compared<T> {
    pub who: T,
    pub key: Key,
    /// The figures that the key is made of.
    pub of: Sortable,
}

impl Key {
    /// Returns the key under a policy, in a cluster of this size with this number of resource types.
    pub fn of(policy: Policy, cluster: Resource, types: usize, s: &Sortable) -> Self {
        match policy {
            Policy::Fair => Key::fair(s),
            Policy::Drf if types == 2 => Key::drf_of_two(cluster, s),
            Policy::Drf => Key::drf_of_many(cluster, types, s),
            Policy::Fifo => Key::default(),
        }
    }

    fn fair(s: &Sortable) -> Self {
        Key::by_memory(s.used.memory_mb(), s.minimum.memory_mb(), s.demand.memory_mb(), s.weight)
    }

    /// Returns the key by memory (10.1): demand, then usage below the minimum, then usage by weight.
    #[inline]
    pub(super) fn by_memory(used: i64, minimum: i64, demand: i64, weight: f32) -> Self {
        let least = minimum.min(demand);
        let needy = used < least;
        let mut figures = [0.0; RESOURCE_TYPES];
        if needy {
            figures[0] = used as f64 / least.max(1) as f64;
        }
        let weight = f64::from(weight);
        [figures[1], figures[2]] = if weight > 0.0 {
            [-1.0, used as f64 / weight]
        } else if weight.is_nan() {
            [weight, weight]
        } else {
            // Behind all with a weight, whatever their usage.
            [-weight, used as f64]
        };
        Key { class: IDLE * u8::from(demand == 0) + SATED * u8::from(!needy), count: 3, by_memory: true, figures }
    }

    /// Returns the key by dominant resource, with two types (10.3).
    fn drf_of_two(cluster: Resource, s: &Sortable) -> Self {
        let share = |i: usize| s.used[i] as f64 / cluster[i] as f64;
        let dominant = usize::from(share(1) > share(0));
        let needy = s.used[dominant] < s.minimum[dominant];
        let figure = |i: usize| {
            if needy { s.used[i] as f64 / s.minimum[i] as f64 } else { share(i) / f64::from(s.weight) }
        };
        let mut figures = [0.0; RESOURCE_TYPES];
        [figures[0], figures[1]] = [figure(dominant), figure(1 - dominant)];
        Key { class: SATED * u8::from(!needy), count: 2, by_memory: false, figures }
    }

    /// Returns the key by dominant resource, with more types (10.4).
    fn drf_of_many(cluster: Resource, types: usize, s: &Sortable) -> Self {
        let (rows, needy) = rows(cluster, types, s);
        let column = if needy { 2 } else { 1 };
        let mut figures = [0.0; RESOURCE_TYPES];
        for (figure, row) in figures.iter_mut().zip(&rows[..types]) {
            *figure = f64::from(row[column]);
        }
        let count = types.min(RESOURCE_TYPES) as u8;
        Key { class: SATED * u8::from(!needy), count, by_memory: false, figures }
    }

    pub(super) fn compare(&self, other: &Key) -> Ordering {
        if self.class != other.class {
            return self.class.cmp(&other.class);
        }
        for (a, b) in self.figures().iter().zip(other.figures()) {
            if a < b {
                return Ordering::Less;
            }
            if a > b {
                return Ordering::Greater;
            }
        }
        Ordering::Equal
    }

    /// Packs class and figures into one number, with more than two resource types the first two figures: positive
    /// doubles compare as their bits do. `None`: these figures have no number.
    #[inline]
    pub(super) fn code(&self) -> Option<u128> {
        let bits = |figure: f64| (figure >= 0.0).then(|| (figure + 0.0).to_bits());
        let [first, second, third, ..] = self.figures;
        let (high, low) = if self.goes_on() && !self.is_sound() {
            return None;
        } else if !self.by_memory {
            (u64::from(self.class) << 63 | bits(first)?, bits(second)?)
        } else {
            // A part of a minimum share is below 1, which leaves two bits; entries without a weight go behind all
            // others.
            let behind = match second {
                _ if first >= 1.0 => return None,
                -1.0 => 0,
                0.0 => 1 << 63,
                _ => return None,
            };
            (u64::from(self.class) << 62 | bits(first)?, behind | bits(third)?)
        };
        Some(u128::from(high) << 64 | u128::from(low))
    }

    /// Returns whether it has figures that its number does not hold.
    #[inline]
    fn goes_on(&self) -> bool {
        !self.by_memory && self.count > 2
    }

    /// Returns the part that orders two keys; `None`: they are equal, and start or name decides.
    pub fn unequal(&self, other: &Key) -> Option<KeyPart> {
        let unequal = |(a, b): (&f64, &f64)| a.partial_cmp(b).is_some_and(Ordering::is_ne);
        let figure = || self.figures().iter().zip(other.figures()).position(unequal);
        match self.class ^ other.class {
            0 => figure().map(KeyPart::Figure),
            different if different & IDLE != 0 => Some(KeyPart::Idle),
            _ => Some(KeyPart::Minimum),
        }
    }

    /// Returns whether there is no demand. Known only of keys by memory.
    pub fn is_idle(&self) -> bool {
        self.class & IDLE != 0
    }

    /// Returns whether it is below its minimum share.
    pub fn is_needy(&self) -> bool {
        self.class & SATED == 0
    }

    /// Returns the figures, in the order of comparison.
    pub fn figures(&self) -> &[f64] {
        &self.figures[..usize::from(self.count)]
    }

    /// Returns whether all its figures are numbers. Keys with numbers alone have one order, however they are sorted.
    pub(super) fn is_sound(&self) -> bool {
        !self.figures().iter().any(|figure| figure.is_nan())
    }
}

/// An entry in an order that is kept, with the number of its key beside it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct SortedEntry<T> {
    code: u128,
    pub who: T,
    /// The order among entries that are equal to the policy.
    tie: u32,
    goes_on: bool,
}

impl<T: Copy> SortedEntry<T> {
    pub(super) fn new(who: T, tie: u32, key: &Key) -> Self {
        SortedEntry { code: key.code().unwrap_or_default(), who, tie, goes_on: key.goes_on() }
    }

    /// Returns whether it comes before another entry. `key`: the key of one that has more figures than its number
    /// holds.
    #[inline]
    pub(super) fn is_before<'a>(&self, other: &Self, key: impl Fn(T) -> &'a Key) -> bool {
        if self.code != other.code {
            return self.code < other.code;
        }
        if self.goes_on {
            let further = key(self.who).compare(key(other.who));
            if further.is_ne() {
                return further.is_lt();
            }
        }
        self.tie < other.tie
    }
}

/// Compares by memory (10.1); start and name decide between equal ones.
pub fn compare_fair(a: &Sortable, b: &Sortable) -> Ordering {
    Key::fair(a).compare(&Key::fair(b))
}

/// Compares by dominant resource, of two types (10.3) or more (10.4).
pub fn compare_drf(cluster: Resource, types: usize, a: &Sortable, b: &Sortable) -> Ordering {
    let key = |s| Key::of(Policy::Drf, cluster, types, s);
    key(a).compare(&key(b))
}

/// Returns, for each type, the share of the cluster, that share by weight and the usage by minimum; and the type with
/// the largest share.
pub fn ratios(cluster: Resource, types: usize, s: &Sortable) -> ([[f32; 3]; RESOURCE_TYPES], usize) {
    let mut rows = [[0f32; 3]; RESOURCE_TYPES];
    let mut dominant = 0;
    for i in 0..types {
        let share = s.used[i] as f32 / cluster[i] as f32;
        rows[i] = [share, share / s.weight, s.used[i] as f32 / s.minimum[i] as f32];
        if share > rows[dominant][0] {
            dominant = i;
        }
    }
    (rows, dominant)
}

/// Returns the ratios with the largest share first, and whether the usage of that type is below its minimum share.
fn rows(cluster: Resource, types: usize, s: &Sortable) -> ([[f32; 3]; RESOURCE_TYPES], bool) {
    let (mut rows, dominant) = ratios(cluster, types, s);
    let needy = s.used[dominant] < s.minimum[dominant];
    for i in 1..types {
        let mut j = i;
        while j > 0 && rows[j - 1][0] < rows[j][0] {
            rows.swap(j - 1, j);
            j -= 1;
        }
    }
    (rows, needy)
}
