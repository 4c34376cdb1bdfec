//! By what the children of a queue and the applications of a leaf are compared (FairSharePolicy,
//! DominantResourceFairnessPolicy, FifoPolicy; fair-scheduler.md 10).

use crate::config::fair::Policy;
use crate::model::Resource;
use crate::model::limits::RESOURCE_TYPES;
use std::cmp::Ordering;

/// What the policies compare.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sortable {
    /// Used now.
    pub used: Resource,
    pub minimum: Resource,
    /// Demand as of the last update.
    pub demand: Resource,
    pub weight: f32,
}

/// By what one that is asked comes before another: the class, then figure by figure, the smallest first. A figure that is not a
/// number is equal to all.
#[derive(Clone, Copy, Debug, PartialEq, Default)]
pub struct Key {
    class: u8,
    /// How many figures count.
    count: u8,
    figures: [f64; RESOURCE_TYPES],
}

/// Parts of a key's class.
const IDLE: u8 = 2;
const SATED: u8 = 1;

/// A part of a key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum KeyPart {
    /// Whether it wants anything.
    Idle,
    /// Whether it is below its minimum share.
    Minimum,
    /// One of the figures.
    Figure(usize),
}

/// One that is asked, with what it is compared by.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Compared<T> {
    pub who: T,
    pub key: Key,
    /// What the key is made of.
    pub of: Sortable,
}

impl Key {
    /// What the policy makes of it, in a cluster of this size and so many resource types.
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

    /// By memory (10.1): who wants something, then who is below its minimum, then by use and weight.
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
            // Behind all with a weight, whatever they use.
            [-weight, used as f64]
        };
        Key { class: IDLE * u8::from(demand == 0) + SATED * u8::from(!needy), count: 3, figures }
    }

    /// By dominant resource, of two types (10.3).
    fn drf_of_two(cluster: Resource, s: &Sortable) -> Self {
        let share = |i: usize| s.used[i] as f64 / cluster[i] as f64;
        let dominant = usize::from(share(1) > share(0));
        let needy = s.used[dominant] < s.minimum[dominant];
        let figure = |i: usize| {
            if needy { s.used[i] as f64 / s.minimum[i] as f64 } else { share(i) / f64::from(s.weight) }
        };
        let mut figures = [0.0; RESOURCE_TYPES];
        [figures[0], figures[1]] = [figure(dominant), figure(1 - dominant)];
        Key { class: SATED * u8::from(!needy), count: 2, figures }
    }

    /// By dominant resource, of more types (10.4).
    fn drf_of_many(cluster: Resource, types: usize, s: &Sortable) -> Self {
        let (rows, needy) = rows(cluster, types, s);
        let column = if needy { 2 } else { 1 };
        let mut figures = [0.0; RESOURCE_TYPES];
        for (figure, row) in figures.iter_mut().zip(&rows[..types]) {
            *figure = f64::from(row[column]);
        }
        Key { class: SATED * u8::from(!needy), count: types.min(RESOURCE_TYPES) as u8, figures }
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

    /// The figures that do not stand in the orders that are kept.
    #[inline]
    pub(super) fn further(&self, other: &Key) -> Ordering {
        if usize::from(self.count) <= NEAR { Ordering::Equal } else { self.compare(other) }
    }

    /// The part that puts this one before or behind another; `None`: they are equal, and start or name decides.
    pub fn unequal(&self, other: &Key) -> Option<KeyPart> {
        let unequal = |(a, b): (&f64, &f64)| a.partial_cmp(b).is_some_and(Ordering::is_ne);
        let figure = || self.figures().iter().zip(other.figures()).position(unequal);
        match self.class ^ other.class {
            0 => figure().map(KeyPart::Figure),
            different if different & IDLE != 0 => Some(KeyPart::Idle),
            _ => Some(KeyPart::Minimum),
        }
    }

    /// Does it want nothing? Only looked at by memory.
    pub fn is_idle(&self) -> bool {
        self.class & IDLE != 0
    }

    /// Is it below its minimum share?
    pub fn is_needy(&self) -> bool {
        self.class & SATED == 0
    }

    /// The figures, the first one first.
    pub fn figures(&self) -> &[f64] {
        &self.figures[..usize::from(self.count)]
    }

    /// Are all its figures numbers? Then such keys have one order, however they are sorted.
    pub(super) fn is_sound(&self) -> bool {
        !self.figures().iter().any(|figure| figure.is_nan())
    }
}

/// So many figures of a key stand in the orders that are kept.
const NEAR: usize = 3;

/// One in an order that is kept, with what it is mostly compared by beside it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Asked<T> {
    pub who: T,
    class: u8,
    figures: [f64; NEAR],
}

impl<T> Asked<T> {
    pub(super) fn new(who: T, key: &Key) -> Self {
        let mut figures = [0.0; NEAR];
        figures.copy_from_slice(&key.figures[..NEAR]);
        Asked { who, class: key.class, figures }
    }

    /// As the keys compare, but for figures that are not here.
    #[inline]
    pub(super) fn compare(&self, other: &Self) -> Ordering {
        if self.class != other.class {
            return self.class.cmp(&other.class);
        }
        for (a, b) in self.figures.iter().zip(&other.figures) {
            if a != b {
                return if a < b { Ordering::Less } else { Ordering::Greater };
            }
        }
        Ordering::Equal
    }
}

/// By memory (10.1); what is equal here goes by start and name.
pub fn compare_fair(a: &Sortable, b: &Sortable) -> Ordering {
    Key::fair(a).compare(&Key::fair(b))
}

/// By dominant resource, of two types (10.3) or more (10.4).
pub fn compare_drf(cluster: Resource, types: usize, a: &Sortable, b: &Sortable) -> Ordering {
    let key = |s| Key::of(Policy::Drf, cluster, types, s);
    key(a).compare(&key(b))
}

/// Share of the cluster, that by weight, and use by minimum, of each type; which type has the largest share.
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

/// The same, the largest share first; is less used than the minimum of that type?
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
