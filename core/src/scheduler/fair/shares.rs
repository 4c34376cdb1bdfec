//! Fair shares of one resource type (ComputeFairShares; fair-scheduler.md 9.3). The loops are the real ones, rounding and
//! all.

/// One that shares.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sharer {
    pub weight: f32,
    /// It gets no less.
    pub minimum: i64,
    /// It gets no more.
    pub maximum: i64,
    /// Has it anything that runs or wants to?
    pub active: bool,
}

impl Sharer {
    /// The share that does not depend on the others.
    fn fixed(&self) -> Option<i64> {
        if self.maximum <= 0 || !self.active {
            Some(0)
        } else if self.weight <= 0.0 {
            Some(self.minimum.max(0))
        } else {
            None
        }
    }

    /// Its share when a weight of 1 is worth so much.
    fn share(&self, worth: f64) -> i64 {
        (f64::from(self.weight) * worth).max(self.minimum as f64).min(self.maximum as f64) as i64
    }
}

/// Steps of the search.
const STEPS: usize = 25;

/// Divides a total; the sum of the shares may be a little more.
pub fn fair_shares(sharers: &[Sharer], total: i64) -> Vec<i64> {
    let mut shares: Vec<i64> = sharers.iter().map(|s| s.fixed().unwrap_or(0)).collect();
    let taken = shares.iter().fold(0i64, |sum, s| sum.saturating_add(*s));
    let rest: Vec<(usize, &Sharer)> = sharers.iter().enumerate().filter(|(_, s)| s.fixed().is_none()).collect();
    if rest.is_empty() {
        return shares;
    }
    let most = rest.iter().fold(0i64, |sum, (_, s)| sum.saturating_add(s.maximum));
    let total = most.min(total.saturating_sub(taken).max(0));
    let given = |worth: f64| rest.iter().fold(0i64, |sum, (_, s)| sum.saturating_add(s.share(worth)));
    let mut high = 1.0f64;
    // Ends with the maxima at the latest, or where doubles do.
    while given(high) < total && high.is_finite() {
        high *= 2.0;
    }
    let (mut low, mut right) = (0.0, high);
    for _ in 0..STEPS {
        let middle = (low + right) / 2.0;
        let sum = given(middle);
        if sum == total {
            right = middle;
            break;
        }
        if sum < total {
            low = middle;
        } else {
            right = middle;
        }
    }
    for (i, s) in rest {
        shares[i] = s.share(right);
    }
    shares
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shares(weights: [f32; 4], minimum: [i64; 4], maximum: [i64; 4]) -> Vec<i64> {
        let of = |i: usize| Sharer { weight: weights[i], minimum: minimum[i], maximum: maximum[i], active: true };
        fair_shares(&[of(0), of(1), of(2), of(3)], 45)
    }

    #[test]
    fn examples_of_the_reference() {
        let (weights, none, all) = ([2.0, 1.0, 1.0, 0.5], [0; 4], [i64::MAX; 4]);
        assert_eq!(shares(weights, none, all), [20, 10, 10, 5]);
        assert_eq!(shares(weights, none, [10, 11, 30, 20]), [10, 11, 16, 8]);
        assert_eq!(shares(weights, [20, 0, 5, 15], all), [20, 5, 5, 15]);
        let equal = [Sharer { weight: 1.0, minimum: 0, maximum: i64::MAX, active: true }; 3];
        assert_eq!(fair_shares(&equal, 10240), [3414; 3]);
    }
}
