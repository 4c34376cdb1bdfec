//! Fair shares of one resource type (ComputeFairShares; fair-scheduler.md 9.3). The loops are the real ones, including
//! their rounding.

/// A queue or an application that gets a share.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sharer {
    pub weight: f32,
    /// The least that it gets.
    pub minimum: i64,
    /// The most that it gets.
    pub maximum: i64,
    /// Whether anything in it runs or wants to run.
    pub active: bool,
}

/// The reason for a share.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ShareReason {
    /// It may use nothing.
    NoMaximum,
    /// Nothing in it runs or wants to run.
    Idle,
    /// Its weight is 0: it gets its minimum, and no more.
    NoWeight,
    /// Its weight would give it less than its minimum.
    Minimum,
    /// Its weight would give it its maximum or more.
    Maximum,
    /// It gets its share by weight.
    Weight,
}

impl Sharer {
    /// Returns the share if it does not depend on the others.
    fn fixed(&self) -> Option<(ShareReason, i64)> {
        if self.maximum <= 0 {
            Some((ShareReason::NoMaximum, 0))
        } else if !self.active {
            Some((ShareReason::Idle, 0))
        } else if self.weight <= 0.0 {
            Some((ShareReason::NoWeight, self.minimum.max(0)))
        } else {
            None
        }
    }

    /// Returns its share for this worth of a weight of 1.
    fn share(&self, worth: f64) -> i64 {
        let by_weight = f64::from(self.weight) * worth;
        // Math.max and Math.min keep not-a-number, which is 0 as a whole number.
        if by_weight.is_nan() { 0 } else { by_weight.max(self.minimum as f64).min(self.maximum as f64) as i64 }
    }

    /// Returns the reason for its share, for this worth of a weight of 1.
    fn how(&self, worth: f64) -> ShareReason {
        let by_weight = f64::from(self.weight) * worth;
        match self.fixed() {
            Some((how, _)) => how,
            None if by_weight >= self.maximum as f64 || self.minimum > self.maximum => ShareReason::Maximum,
            None if by_weight < self.minimum as f64 => ShareReason::Minimum,
            None => ShareReason::Weight,
        }
    }
}

/// The number of steps of the search.
const STEPS: usize = 25;

/// The result of dividing a total.
#[derive(Clone, Debug, PartialEq)]
pub struct Division {
    /// The amount that was divided.
    pub total: i64,
    /// The amount left beside the shares that do not depend on the others, at most the sum of the others' maxima.
    pub rest: i64,
    /// The least that those who share by weight get together. If it exceeds the rest, so does the sum of their shares.
    pub minima: i64,
    /// The worth of a weight of 1, as the search found it. 0: nobody shares by weight.
    pub worth: f64,
    /// The shares; their sum may be a little more than the total.
    pub shares: Vec<i64>,
}

impl Division {
    /// Returns the reason for the share of one of the sharers.
    pub fn how(&self, sharer: &Sharer) -> ShareReason {
        sharer.how(self.worth)
    }
}

/// Divides a total.
pub fn divide(sharers: &[Sharer], total: i64) -> Division {
    let mut shares: Vec<i64> = sharers.iter().map(|s| s.fixed().map_or(0, |(_, share)| share)).collect();
    let taken = shares.iter().fold(0i64, |sum, s| sum.saturating_add(*s));
    let by_weight: Vec<(usize, &Sharer)> = sharers.iter().enumerate().filter(|(_, s)| s.fixed().is_none()).collect();
    if by_weight.is_empty() {
        return Division { total, rest: 0, minima: 0, worth: 0.0, shares };
    }
    let most = by_weight.iter().fold(0i64, |sum, (_, s)| sum.saturating_add(s.maximum));
    let rest = most.min(total.saturating_sub(taken).max(0));
    // Usually they are applications, and each has the same share.
    let alike = by_weight.first().filter(|(_, first)| by_weight.iter().all(|(_, s)| s == first));
    let given = |worth: f64| match alike {
        Some((_, one)) => one.share(worth).saturating_mul(by_weight.len() as i64),
        None => by_weight.iter().fold(0i64, |sum, (_, s)| sum.saturating_add(s.share(worth))),
    };
    let mut high = 1.0f64;
    // Ends with the maxima at the latest, or at the end of the range of doubles.
    while given(high) < rest && high.is_finite() {
        high *= 2.0;
    }
    let (mut low, mut right) = (0.0, high);
    for _ in 0..STEPS {
        let middle = (low + right) / 2.0;
        let sum = given(middle);
        if sum == rest {
            right = middle;
            break;
        }
        if sum < rest {
            low = middle;
        } else {
            right = middle;
        }
    }
    let minima = given(0.0);
    for (i, s) in by_weight {
        shares[i] = s.share(right);
    }
    Division { total, rest, minima, worth: right, shares }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shares(weights: [f32; 4], minimum: [i64; 4], maximum: [i64; 4]) -> Vec<i64> {
        let of = |i: usize| Sharer { weight: weights[i], minimum: minimum[i], maximum: maximum[i], active: true };
        divide(&[of(0), of(1), of(2), of(3)], 45).shares
    }

    #[test]
    fn examples_of_the_reference() {
        let (weights, none, all) = ([2.0, 1.0, 1.0, 0.5], [0; 4], [i64::MAX; 4]);
        assert_eq!(shares(weights, none, all), [20, 10, 10, 5]);
        assert_eq!(shares(weights, none, [10, 11, 30, 20]), [10, 11, 16, 8]);
        assert_eq!(shares(weights, [20, 0, 5, 15], all), [20, 5, 5, 15]);
        let equal = [Sharer { weight: 1.0, minimum: 0, maximum: i64::MAX, active: true }; 3];
        assert_eq!(divide(&equal, 10240).shares, [3414; 3]);
    }
    #[test]
    fn how_each_came_to_its_share() {
        let of = |weight: f32, minimum: i64, maximum: i64, active: bool| Sharer { weight, minimum, maximum, active };
        let all = [
            (of(1.0, 0, 100, true), ShareReason::Weight),
            (of(4.0, 0, 100, true), ShareReason::Weight),
            (of(4.0, 0, 10, true), ShareReason::Maximum),
            (of(1.0, 30, 100, true), ShareReason::Minimum),
            (of(0.0, 7, 100, true), ShareReason::NoWeight),
            (of(1.0, 7, 100, false), ShareReason::Idle),
            (of(1.0, 0, 0, true), ShareReason::NoMaximum),
        ];
        let sharers = all.map(|(s, _)| s);
        let d = divide(&sharers, 97);
        assert_eq!(d.shares, [10, 40, 10, 30, 7, 0, 0]);
        assert_eq!((d.total, d.rest, d.minima), (97, 90, 30));
        assert!((10.0..10.25).contains(&d.worth), "{}", d.worth);
        assert_eq!(sharers.map(|s| d.how(&s)), all.map(|(_, how)| how));
        assert_eq!(divide(&sharers[4..], 97).worth, 0.0);
    }
}
