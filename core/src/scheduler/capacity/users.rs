//! The users of a leaf and their limit (UsersManager; capacity-scheduler.md 6).
//!
//! The limit is kept, per partition and mode, until something listed in capacity-scheduler.md 6 invalidates it; then
//! the next reader computes it again.

use crate::model::{Calculator, CalculatorKind, PartitionId, Resource, UserId, java};
use std::collections::BTreeMap;

/// The use of a node's partition: by requests for it, or lent to requests for the default partition.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Mode {
    /// RESPECT_PARTITION_EXCLUSIVITY.
    Respect,
    /// IGNORE_PARTITION_EXCLUSIVITY.
    Ignore,
}

/// A user of a leaf.
#[derive(Clone, Debug, PartialEq)]
pub struct LeafUser {
    pub user: UserId,
    /// The usage by partition, including reservations.
    pub used: Vec<Resource>,
    /// The AM usage by partition.
    pub am_used: Vec<Resource>,
    /// The AM usage in partitions that the cluster does not have.
    am_nowhere: BTreeMap<PartitionId, Resource>,
    pub active_apps: i64,
    pub pending_apps: i64,
    /// The weight of the user in the leaf.
    pub weight: f32,
    /// Whether the user counts as active for the limit (A and N of capacity-scheduler.md 6).
    pub counted_active: bool,
    ratios: Vec<f32>,
}

impl LeafUser {
    /// Returns the user's AM usage in a partition.
    pub fn am_used_in(&self, p: PartitionId) -> Resource {
        self.am_used.get(p.index()).or_else(|| self.am_nowhere.get(&p)).copied().unwrap_or_default()
    }

    /// Like [`Self::am_used_in`], but mutable.
    pub(super) fn am_used_mut(&mut self, p: PartitionId) -> &mut Resource {
        match self.am_used.get_mut(p.index()) {
            Some(used) => used,
            None => self.am_nowhere.entry(p).or_default(),
        }
    }
}

/// The users of a leaf.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct Users {
    users: Vec<LeafUser>,
    /// The users with applications that have an open key, each with the number of these applications.
    asking: Vec<(UserId, u32)>,
    parts: Vec<UsersPart>,
    /// Raised by every change that invalidates the limits.
    version: u64,
    /// The number of users with pending applications only, as of the last computation of a limit.
    pending_only: i64,
    active_weight: f32,
    stopped: Vec<CachedStop>,
}

/// A user whose application, with these reservations, was skipped for the user's limit.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct UserStop {
    pub user: UserId,
    pub partition: PartitionId,
    pub mode: Mode,
    pub limit: Resource,
    pub reserved: Resource,
}

/// A stop that holds again for the user's applications with no more reserved, until something invalidates the limits,
/// even if the user's record was dropped and created again (AbstractLeafQueue.CachedUserLimit).
#[derive(Clone, Copy, Debug, PartialEq)]
struct CachedStop {
    stop: UserStop,
    version: u64,
}

impl UserStop {
    /// Returns whether it is of this user, in this partition and mode.
    fn is_of(&self, user: UserId, p: PartitionId, mode: Mode) -> bool {
        self.user == user && self.partition == p && self.mode == mode
    }
}

#[derive(Clone, Debug, PartialEq, Default)]
struct UsersPart {
    /// The sum of the users' usage ratios, kept by adding differences.
    ratio_sum: f32,
    /// The usage of the users counted as active, kept by adding.
    active_used: Resource,
    /// By mode: the version at which the limit was computed (+1; 0: never), and the limit for a weight of 1.
    limits: [(u64, Resource); 2],
    /// By mode: the version at which a visit last checked an application by the limit (+1; 0: never).
    visited: [u64; 2],
    /// The limit over all users, with the version at which it was computed (+1; 0: never).
    limit_of_all: (u64, Resource),
}

/// The inputs of a user's limit besides the users.
#[derive(Clone, Copy, Debug)]
pub struct LimitBase<'a> {
    pub calc: Calculator,
    pub minimum: &'a Resource,
    /// The total of the partition.
    pub total: &'a Resource,
    /// The leaf's effective guarantee there.
    pub guarantee: &'a Resource,
    /// The leaf's effective maximum there.
    pub maximum: &'a Resource,
    /// minimum-user-limit-percent.
    pub limit_percent: f32,
    /// user-limit-factor.
    pub limit_factor: f32,
}

impl Users {
    /// Creates an empty record for this number of partitions.
    pub fn new(partitions: usize) -> Self {
        Users { parts: vec![UsersPart::default(); partitions], ..Users::default() }
    }

    /// Returns all users with an application here, by number.
    pub fn all(&self) -> &[LeafUser] {
        &self.users
    }

    fn place(&self, user: UserId) -> Result<usize, usize> {
        self.users.binary_search_by_key(&user, |u| u.user)
    }

    /// Returns the record of a user.
    #[inline]
    pub fn get(&self, user: UserId) -> Option<&LeafUser> {
        self.place(user).ok().map(|i| &self.users[i])
    }

    /// Like [`Self::get`], but mutable.
    #[inline]
    pub fn get_mut(&mut self, user: UserId) -> Option<&mut LeafUser> {
        self.place(user).ok().map(|i| &mut self.users[i])
    }

    /// Returns the record of a user, created if there is none.
    pub fn get_or_add(&mut self, user: UserId, weight: f32) -> &mut LeafUser {
        let i = self.place(user).unwrap_or_else(|i| self.add(i, user, weight));
        &mut self.users[i]
    }

    #[cold]
    fn add(&mut self, place: usize, user: UserId, weight: f32) -> usize {
        let n = self.parts.len();
        let new = LeafUser {
            user,
            used: vec![Resource::ZERO; n],
            am_used: vec![Resource::ZERO; n],
            am_nowhere: BTreeMap::new(),
            active_apps: 0,
            pending_apps: 0,
            weight,
            counted_active: false,
            ratios: vec![0.0; n],
        };
        self.users.insert(place, new);
        place
    }

    /// Drops a user without applications and returns the record. Its usage stays in the sums (quirk).
    pub fn drop_user(&mut self, user: UserId) -> Option<LeafUser> {
        let i = self.place(user).ok()?;
        let dropped = self.users.remove(i);
        if dropped.counted_active {
            self.sum_weights();
        }
        Some(dropped)
    }

    /// Invalidates every limit.
    pub fn invalidate(&mut self) {
        self.version += 1;
    }

    /// Adds to (or subtracts from) a user's usage: a container or reservation comes or goes. `weight`: that of a new
    /// record.
    pub fn charge(
        &mut self,
        calc: Calculator,
        total: &Resource,
        user: UserId,
        weight: impl FnOnce() -> f32,
        p: PartitionId,
        by: &Resource,
    ) {
        let i = self.place(user).unwrap_or_else(|i| self.add(i, user, weight()));
        let u = &mut self.users[i];
        let used = &mut u.used[p.index()];
        *used += *by;
        let ratio = calc.ratio(used, total);
        let difference = ratio - u.ratios[p.index()];
        u.ratios[p.index()] = ratio;
        let active = u.counted_active;
        let part = &mut self.parts[p.index()];
        part.ratio_sum += difference;
        if active {
            part.active_used += *by;
        }
        self.version += 1;
    }

    /// Computes the ratios from new totals. Floats are summed in the order of a Java map by user name.
    pub fn rebase(&mut self, calc: Calculator, totals: &[Resource], name_hash: impl Fn(UserId) -> i32) {
        let hashes: Vec<i32> = self.users.iter().map(|u| name_hash(u.user)).collect();
        let order = java::hash_walk(&hashes);
        for (p, total) in totals.iter().enumerate() {
            let mut sum = 0f32;
            for i in &order {
                let u = &mut self.users[*i];
                u.ratios[p] = calc.ratio(&u.used[p], total);
                sum += u.ratios[p];
            }
            self.parts[p].ratio_sum = sum;
        }
    }

    /// Sets the weights of the users.
    pub fn set_weights(&mut self, weight: impl Fn(UserId) -> f32) {
        for u in &mut self.users {
            u.weight = weight(u.user);
        }
        self.sum_weights();
    }

    fn sum_weights(&mut self) {
        self.active_weight = self.users.iter().filter(|u| u.counted_active).map(|u| u.weight).sum();
    }

    /// Counts an application of the user that has a new open key (6: a user becomes active; one whose record was
    /// dropped gets a new one).
    pub fn ask_begins(&mut self, user: UserId, weight: f32) {
        match self.asking.binary_search_by_key(&user, |(u, _)| *u) {
            Ok(i) => self.asking[i].1 += 1,
            Err(i) => {
                self.asking.insert(i, (user, 1));
                self.version += 1;
                self.get_or_add(user, weight);
                self.count_active(user, true);
            }
        }
    }

    /// Stops counting an application of the user that has no open key any more, or is over.
    pub fn ask_ends(&mut self, user: UserId) {
        let asking = self.asking.binary_search_by_key(&user, |(u, _)| *u);
        debug_assert!(asking.is_ok(), "an application that ends to ask has begun to");
        let Ok(i) = asking else { return };
        self.asking[i].1 -= 1;
        if self.asking[i].1 == 0 {
            self.asking.remove(i);
            self.version += 1;
            self.count_active(user, false);
        }
    }

    fn count_active(&mut self, user: UserId, active: bool) {
        let Ok(i) = self.place(user) else { return };
        if self.users[i].counted_active == active {
            return;
        }
        self.users[i].counted_active = active;
        for (part, used) in self.parts.iter_mut().zip(&self.users[i].used) {
            part.active_used = if active { part.active_used + *used } else { part.active_used - *used };
        }
        self.sum_weights();
    }

    /// Returns the number of users counted for the user's AM limit (capacity-scheduler.md 5): active ones, and those
    /// with pending applications only as of the last computation.
    pub fn count_for_am_limit(&self) -> i64 {
        self.asking.len() as i64 + self.pending_only
    }

    /// Returns the number of users that count as active.
    pub fn active_users(&self) -> usize {
        self.asking.len()
    }

    /// Returns the limit for which an application of the user with no less reserved was skipped before; it holds again.
    #[inline]
    pub(super) fn stopped_before(
        &self,
        calc: Calculator,
        user: UserId,
        p: PartitionId,
        mode: Mode,
        reserved: &Resource,
    ) -> Option<Resource> {
        let known = |s: &&CachedStop| s.version == self.version && s.stop.is_of(user, p, mode);
        let stop = &self.stopped.iter().find(known)?.stop;
        calc.fits_in(reserved, &stop.reserved).then_some(stop.limit)
    }

    /// Records that an application of a user was skipped for the user's limit.
    pub(super) fn stop(&mut self, calc: Calculator, stop: UserStop) {
        let version = self.version;
        self.stopped.retain(|s| s.version == version);
        let known = self.stopped.iter_mut().find(|s| s.stop.is_of(stop.user, stop.partition, stop.mode));
        match known {
            Some(s) if calc.fits_in(&s.stop.reserved, &stop.reserved) => s.stop.reserved = stop.reserved,
            Some(_) => {}
            None if calc.fits_in(&Resource::ZERO, &stop.reserved) => self.stopped.push(CachedStop { stop, version }),
            None => {}
        }
    }

    /// Returns the limit for a weight of 1 in a partition and mode, if nothing has invalidated it.
    #[inline]
    pub fn known_limit(&self, p: PartitionId, mode: Mode) -> Option<Resource> {
        let (at, limit) = &self.parts[p.index()].limits[mode as usize];
        (*at == self.version + 1).then_some(*limit)
    }

    /// Records that a visit checks an application by the limit.
    #[inline]
    pub(super) fn visit(&mut self, p: PartitionId, mode: Mode) {
        self.parts[p.index()].visited[mode as usize] = self.version + 1;
    }

    /// Returns the limit for a weight of 1 that a visit checked an application by, if nothing has invalidated it.
    pub(super) fn visited_limit(&self, p: PartitionId, mode: Mode) -> Option<Resource> {
        let visited = self.parts[p.index()].visited[mode as usize] == self.version + 1;
        self.known_limit(p, mode).filter(|_| visited)
    }

    /// Returns the limit for a weight of 1 in a partition and mode.
    pub fn limit(&mut self, base: &LimitBase<'_>, p: PartitionId, mode: Mode) -> Resource {
        let now = self.version + 1;
        let (at, limit) = self.parts[p.index()].limits[mode as usize];
        if at == now {
            return limit;
        }
        self.count_pending_only();
        let limit = self.compute(base, p, mode);
        self.parts[p.index()].limits[mode as usize] = (now, limit);
        limit
    }

    /// Returns the limit over all users, including those without requests, for a weight of 1: the one that preemption
    /// within the leaf uses (getResourceLimitForAllUsers).
    pub fn limit_of_all(&mut self, b: &LimitBase<'_>, p: PartitionId) -> Resource {
        let now = self.version + 1;
        let (at, limit) = self.parts[p.index()].limit_of_all;
        if at == now {
            return limit;
        }
        self.count_pending_only();
        let (calc, min, total) = (b.calc, b.minimum, b.total);
        let current = self.current_capacity(calc, b, p);
        let weights: f32 = self.users.iter().map(|u| u.weight).sum();
        let by_users = calc.divide_and_ceil(&current, weights);
        let by_percent = calc.multiply_round_down(&current, b.limit_percent).with_vcores_as_int();
        let by_percent = calc.divide_and_ceil_int(&by_percent, 100);
        let user = calc.max(total, &by_users, &by_percent);
        let limit = calc.round_up(calc.min(total, user, &self.cap(calc, b, Mode::Respect)), min);
        self.parts[p.index()].limit_of_all = (now, limit);
        limit
    }

    fn count_pending_only(&mut self) {
        self.pending_only = self.users.iter().filter(|u| u.pending_apps > 0 && u.active_apps <= 0).count() as i64;
    }

    /// Returns what the leaf has for its users: its guarantee, or their usage and one minimum more.
    #[inline(always)]
    fn current_capacity(&self, calc: Calculator, b: &LimitBase<'_>, p: PartitionId) -> Resource {
        let q = calc.max(b.total, b.guarantee, b.minimum);
        let consumed = calc.multiply_normalize_up(b.total, self.parts[p.index()].ratio_sum, b.minimum);
        // Usage of a type that the cluster has none of (any more) makes the sum infinite.
        let consumed = consumed.with_vcores_as_int();
        if calc.lt(b.total, &consumed, q) { *q } else { (consumed + *b.minimum).with_vcores_as_int() }
    }

    /// Returns the most that one user may have.
    #[inline(always)]
    fn cap(&self, calc: Calculator, b: &LimitBase<'_>, mode: Mode) -> Resource {
        match mode {
            Mode::Respect if b.limit_factor == -1.0 || b.guarantee.is_zero() => calc.round_down(b.maximum, b.minimum),
            Mode::Respect => calc.multiply_round_down(calc.max(b.total, b.guarantee, b.minimum), b.limit_factor),
            Mode::Ignore => *b.total,
        }
    }

    fn compute(&self, b: &LimitBase<'_>, p: PartitionId, mode: Mode) -> Resource {
        // Written out for each kind, so that the one that compares memory alone computes memory alone.
        let types = b.calc.types;
        match b.calc.kind {
            CalculatorKind::Default => self.compute_by(Calculator { kind: CalculatorKind::Default, types }, b, p, mode),
            CalculatorKind::Dominant => {
                self.compute_by(Calculator { kind: CalculatorKind::Dominant, types }, b, p, mode)
            }
        }
    }

    #[inline(always)]
    fn compute_by(&self, calc: Calculator, b: &LimitBase<'_>, p: PartitionId, mode: Mode) -> Resource {
        let part = &self.parts[p.index()];
        let (min, total) = (b.minimum, b.total);
        let current = self.current_capacity(calc, b, p);
        let by_active = calc.divide_and_ceil(&(part.active_used + *min), self.active_weight);
        let by_percent = calc.multiply_round_down(&current, b.limit_percent).with_vcores_as_int();
        let by_percent = calc.divide_and_ceil_int(&by_percent, 100);
        let user = calc.max(total, &by_active, &by_percent);
        calc.round_up(calc.min(total, user, &self.cap(calc, b, mode)), min)
    }

    /// Returns the limit of a user; zero for one without a record here.
    #[inline]
    pub fn user_limit(&mut self, base: &LimitBase<'_>, user: UserId, p: PartitionId, mode: Mode) -> Resource {
        let limit = self.limit(base, p, mode);
        self.get(user).map_or(Resource::ZERO, |u| weighted(base.calc, limit, u.weight, base.minimum))
    }

    /// Like [`Users::user_limit`], but with a weight of 1 for a user without a record here.
    pub fn user_limit_or_default(
        &mut self,
        base: &LimitBase<'_>,
        user: UserId,
        p: PartitionId,
        mode: Mode,
    ) -> Resource {
        let limit = self.limit(base, p, mode);
        let weight = self.get(user).map_or(1.0, |u| u.weight);
        weighted(base.calc, limit, weight, base.minimum)
    }
}

/// Returns the limit of a user with this weight. (A limit is already a multiple of the minimum, so a weight of 1 leaves
/// it.)
#[inline]
pub(super) fn weighted(calc: Calculator, limit: Resource, weight: f32, minimum: &Resource) -> Resource {
    if weight == 1.0 { limit } else { calc.multiply_normalize_down(&limit, weight, minimum) }
}
