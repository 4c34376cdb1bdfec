//! When an application asked for how many containers under which key, to tell since when it waits.

use crate::model::{Millis, RequestKey, SortedMap};
use serde::{Deserialize, Serialize};

/// Asks in the order in which they were made, per request key. Containers satisfy the oldest ask first.
#[derive(Clone, Debug, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct AskLog {
    keys: SortedMap<RequestKey, Vec<(Millis, i64)>>,
}

impl AskLog {
    /// Records an ask for `count` more containers.
    pub fn add(&mut self, now: Millis, key: RequestKey, count: i64) {
        if count > 0 {
            self.keys.or_default(key).push((now, count));
        }
    }

    /// Returns since when the oldest of the `outstanding` newest containers of this key has waited.
    pub fn since(&self, key: RequestKey, outstanding: i64) -> Option<Millis> {
        let mut left = outstanding;
        let mut since = None;
        for (at, count) in self.keys.get(&key)?.iter().rev() {
            since = Some(*at);
            left -= count;
            if left <= 0 {
                break;
            }
        }
        since
    }

    /// The time of the latest ask.
    pub fn latest(&self) -> Option<Millis> {
        self.keys.values().flatten().map(|(at, _)| *at).max()
    }

    /// The number of containers asked for in all.
    pub fn total(&self) -> i64 {
        self.keys.values().flatten().map(|(_, count)| count).sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_oldest_ask_is_satisfied_first() {
        let key = RequestKey { priority: 1, allocation_request_id: -1 };
        let mut log = AskLog::default();
        log.add(1000, key, 3);
        log.add(5000, key, 1);
        assert_eq!(log.since(key, 4), Some(1000));
        assert_eq!(log.since(key, 2), Some(1000));
        assert_eq!(log.since(key, 1), Some(5000), "three of four are there: the last one waits");
        assert_eq!(log.since(RequestKey { priority: 2, ..key }, 1), None);
        assert_eq!(log.total(), 4);
    }
}
