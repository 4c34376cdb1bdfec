//! The times since which an application wants what it lacks. A request that its master makes anew, moves to another
//! host or holds back in the meantime is the same want.

use crate::model::{Millis, SortedMap};
use std::collections::VecDeque;

/// The times of what an application lacks, by part (as [`lacking`](crate::strategy::ApplicationMaster::lacking) numbers
/// them), the oldest first.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Wants {
    parts: SortedMap<u32, VecDeque<(Millis, i64)>>,
}

impl Wants {
    /// Records how much of each part is lacking now. What was wanted first counts as served first.
    pub(crate) fn note(&mut self, now: Millis, lacking: &[(u32, i64)]) {
        for (part, count) in lacking {
            let known = self.parts.or_default(*part);
            let before: i64 = known.iter().map(|(_, n)| n).sum();
            if *count > before {
                known.push_back((now, count - before));
            }
            let mut came = before - count;
            while let Some((_, n)) = known.front_mut().filter(|_| came > 0) {
                let taken = came.min(*n);
                *n -= taken;
                came -= taken;
                if *n == 0 {
                    known.pop_front();
                }
            }
        }
    }

    /// Returns the time since which a part is wanted, the `before` oldest left out; `None`: no more than these lack.
    pub fn since(&self, part: u32, before: i64) -> Option<Millis> {
        let mut left = before;
        for (at, count) in self.parts.get(&part)? {
            left -= count;
            if left < 0 {
                return Some(*at);
            }
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_wanted_first_comes_first_and_a_want_that_is_made_anew_is_the_same() {
        let mut wants = Wants::default();
        wants.note(1_000, &[(1, 2), (7, 1)]);
        wants.note(5_000, &[(1, 3), (7, 1)]);
        assert_eq!([0, 1, 2, 3].map(|n| wants.since(1, n)), [Some(1_000), Some(1_000), Some(5_000), None]);
        wants.note(9_000, &[(1, 1), (7, 0)]);
        assert_eq!((wants.since(1, 0), wants.since(7, 0)), (Some(5_000), None), "two of three came");
        wants.note(12_000, &[(7, 1)]);
        assert_eq!(wants.since(7, 0), Some(12_000), "it was there in the meantime");
        assert_eq!(wants.since(2, 0), None);
    }
}
