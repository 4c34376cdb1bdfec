//! How restores share the bandwidth of a changelog system: as a fluid, with max-min fairness (samza-host-affinity.md section
//! 16). This is our own assumption; Samza has no formula for it.
//!
//! All numbers are integers: rates in bytes per second, which is thousandths of a byte per millisecond, and remaining amounts
//! in thousandths of a byte. So rounding does not depend on the number of queries.

use crate::model::Millis;

/// A restore in progress.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Restore {
    /// The container's number, which orders equal restores.
    container: u64,
    /// Its highest rate, in bytes per second.
    cap: u64,
    /// Thousandths of a byte.
    remaining: u128,
}

/// A changelog system with the restores that read from it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Changelog {
    /// Bytes per second.
    capacity: u64,
    /// The time for which the remaining amounts are calculated.
    at: Millis,
    /// The restores, by cap, then by container.
    restores: Vec<Restore>,
}

impl Changelog {
    /// Creates a system of this capacity in bytes per second, without restores.
    pub fn new(capacity: u64, now: Millis) -> Self {
        Changelog { capacity, at: now, restores: Vec::new() }
    }

    /// Returns the current rate of each restore, in bytes per second.
    pub fn rates(&self) -> Vec<(u64, u64)> {
        let mut left = self.capacity;
        let mut sharers = self.restores.len() as u64;
        let rate = |r: &Restore| {
            let rate = r.cap.min(left / sharers);
            left -= rate;
            sharers -= 1;
            (r.container, rate)
        };
        self.restores.iter().map(rate).collect()
    }

    /// Returns the current total rate, in bytes per second.
    pub fn load(&self) -> u64 {
        self.rates().iter().map(|(_, rate)| rate).sum()
    }

    /// Returns the bytes that a restore still has to read, rounded up.
    pub fn remaining(&self, container: u64) -> Option<u64> {
        let restore = self.restores.iter().find(|r| r.container == container)?;
        Some(u64::try_from(restore.remaining.div_ceil(1000)).unwrap_or(u64::MAX))
    }

    /// Returns the time and the container of the next end of a restore, if nothing changes before; of several the first
    /// container.
    pub fn next_end(&self) -> Option<(Millis, u64)> {
        let ends = self.restores.iter().zip(self.rates()).filter_map(|(r, (container, rate))| {
            let ms = match (r.remaining, rate) {
                (0, _) => 0,
                (_, 0) => return None,
                (left, rate) => left.div_ceil(rate.into()),
            };
            Some((self.at.saturating_add(i64::try_from(ms).ok()?), container))
        });
        ends.min()
    }

    /// Advances the time to `now`. Returns the restores that have ended until then, with their times, in that order.
    pub fn advance(&mut self, now: Millis) -> Vec<(Millis, u64)> {
        let mut ended = Vec::new();
        while let Some((at, container)) = self.next_end().filter(|(at, _)| *at <= now) {
            self.flow(at);
            self.restores.retain(|r| r.container != container);
            ended.push((at, container));
        }
        self.flow(now);
        ended
    }

    /// Advances the time to `now`, before which no restore ends; one that ends at `now` stays.
    pub fn pass_to(&mut self, now: Millis) {
        self.flow(now);
    }

    /// Advances the time while no rate changes.
    fn flow(&mut self, to: Millis) {
        let ms = u128::try_from(to - self.at).unwrap_or(0);
        let rates = self.rates();
        for (r, (_, rate)) in self.restores.iter_mut().zip(rates) {
            r.remaining = r.remaining.saturating_sub(u128::from(rate) * ms);
        }
        self.at = self.at.max(to);
    }

    /// Starts a restore of so many bytes. [`Self::advance`] to this time must come first.
    pub fn start(&mut self, container: u64, bytes: u64, cap: Option<u64>) {
        self.cancel(container);
        let cap = cap.unwrap_or(u64::MAX);
        let place = self.restores.partition_point(|r| (r.cap, r.container) < (cap, container));
        self.restores.insert(place, Restore { container, cap, remaining: u128::from(bytes) * 1000 });
    }

    /// Ends a restore early.
    pub fn cancel(&mut self, container: u64) {
        self.restores.retain(|r| r.container != container);
    }

    /// Sets the capacity from this time on.
    pub fn set_capacity(&mut self, capacity: u64) {
        self.capacity = capacity;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MB: u64 = 1_000_000;

    fn until_idle(log: &mut Changelog) -> Vec<(Millis, u64)> {
        log.advance(1_000_000_000)
    }

    #[test]
    fn three_restores_share_what_there_is() {
        let mut log = Changelog::new(100 * MB, 0);
        for (container, mb) in [(0, 6000), (1, 6000), (2, 1500)] {
            log.start(container, mb * MB, Some(50 * MB));
        }
        assert_eq!(log.rates(), [(0, 33_333_333), (1, 33_333_333), (2, 33_333_334)]);
        assert_eq!(until_idle(&mut log), [(45_000, 2), (135_001, 0), (135_001, 1)]);
    }

    #[test]
    fn alone_the_cap_is_what_counts() {
        let mut log = Changelog::new(100 * MB, 500);
        log.start(7, 6000 * MB, Some(50 * MB));
        assert_eq!(until_idle(&mut log), [(120_500, 7)]);
        log.start(7, 6000 * MB, None);
        assert_eq!(log.load(), 100 * MB);
    }

    #[test]
    fn who_takes_little_leaves_the_rest_to_the_others() {
        let mut log = Changelog::new(100, 0);
        log.start(0, 1000, Some(90));
        log.start(1, 1000, Some(10));
        log.start(2, 1000, None);
        assert_eq!(log.rates(), [(1, 10), (0, 45), (2, 45)]);
    }

    #[test]
    fn looking_more_often_changes_nothing() {
        let world = || {
            let mut log = Changelog::new(1_000_003, 0);
            (0..7).for_each(|c| log.start(c, 12_345 * (c + 1), Some(300_000 + c)));
            log
        };
        let mut looked_at = Vec::new();
        let mut log = world();
        (0..200).for_each(|ms| looked_at.extend(log.advance(ms)));
        assert_eq!(looked_at, world().advance(199));
        assert!(!looked_at.is_empty());
    }

    #[test]
    fn nothing_to_read_ends_at_once_and_nothing_flows_without_capacity() {
        let mut log = Changelog::new(0, 5);
        log.start(1, 0, None);
        log.start(2, 10, None);
        assert_eq!(log.advance(9), [(5, 1)]);
        assert_eq!((log.next_end(), log.remaining(2)), (None, Some(10)));
        log.set_capacity(10);
        assert_eq!(log.next_end(), Some((1009, 2)));
    }
}
