//! A recorder with bounded memory: a reason that repeats is one entry with a count and its first and last time.

use super::{Entry, Recorder};
use crate::model::Millis;
use std::collections::VecDeque;

/// An entry that may have repeated.
#[derive(Clone, Debug, PartialEq)]
pub struct Fold {
    /// First time.
    pub first: Millis,
    /// Last time.
    pub last: Millis,
    /// How often.
    pub times: u64,
    /// The entry, with the figures of the last time.
    pub entry: Entry,
}

/// Keeps the latest [`Folded::capacity`] entries; one that repeats one of the last [`Folded::look_back`] is counted
/// there.
#[derive(Clone, Debug, PartialEq)]
pub struct Folded {
    entries: VecDeque<Fold>,
    capacity: usize,
    look_back: usize,
    dropped: u64,
}

impl Folded {
    /// With room for so many entries.
    pub fn new(capacity: usize) -> Self {
        Folded { entries: VecDeque::new(), capacity: capacity.max(1), look_back: 64, dropped: 0 }
    }

    /// The entries, oldest first.
    pub fn entries(&self) -> impl Iterator<Item = &Fold> {
        self.entries.iter()
    }

    /// How many were dropped for want of room.
    pub fn dropped(&self) -> u64 {
        self.dropped
    }

    /// How many entries are kept at most.
    pub fn capacity(&self) -> usize {
        self.capacity
    }
}

impl Default for Folded {
    fn default() -> Self {
        Folded::new(1 << 16)
    }
}

/// May a repetition of `a` be counted instead of kept? Happenings never are.
fn repeats(a: &Entry, b: &Entry) -> bool {
    use Entry::*;
    match (a, b) {
        (Queue { queue: q, verdict: v }, Queue { queue: r, verdict: w }) => {
            q == r && std::mem::discriminant(v) == std::mem::discriminant(w)
        }
        (App { app: q, verdict: v }, App { app: r, verdict: w }) => {
            q == r && std::mem::discriminant(v) == std::mem::discriminant(w)
        }
        (Request { app: q, key: k, verdict: v }, Request { app: r, key: l, verdict: w }) => {
            q == r && k == l && std::mem::discriminant(v) == std::mem::discriminant(w)
        }
        (Node { app: q, key: k, node: n, verdict: v }, Node { app: r, key: l, node: m, verdict: w }) => {
            q == r && k == l && n == m && std::mem::discriminant(v) == std::mem::discriminant(w)
        }
        (Attempt { node: n, .. }, Attempt { node: m, .. }) => n == m,
        (AttemptOver { result: r }, AttemptOver { result: s }) => r == s,
        (Children { queue: q, .. }, Children { queue: r, .. }) => q == r,
        (Apps { queue: q, .. }, Apps { queue: r, .. }) => q == r,
        (Requests { app: q, .. }, Requests { app: r, .. }) => q == r,
        (IgnoreExclusivity, IgnoreExclusivity) => true,
        (NotActivated { app: q, why: v }, NotActivated { app: r, why: w }) => {
            q == r && std::mem::discriminant(v) == std::mem::discriminant(w)
        }
        _ => false,
    }
}

impl Recorder for Folded {
    #[inline]
    fn on(&self) -> bool {
        true
    }

    fn keep(&mut self, at: Millis, entry: Entry) {
        let recent = self.entries.iter_mut().rev().take(self.look_back);
        if let Some(fold) = recent.into_iter().find(|f| repeats(&f.entry, &entry)) {
            fold.last = at;
            fold.times += 1;
            fold.entry = entry;
            return;
        }
        if self.entries.len() == self.capacity {
            self.entries.pop_front();
            self.dropped += 1;
        }
        self.entries.push_back(Fold { first: at, last: at, times: 1, entry });
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::journal::{AppVerdict, QueueVerdict};
    use crate::model::{AppId, QueueId};

    #[test]
    fn what_repeats_is_counted_and_memory_is_bounded() {
        let mut folded = Folded::new(2);
        for at in 0..5 {
            folded.keep(at, Entry::Queue { queue: QueueId(1), verdict: QueueVerdict::NoPending });
        }
        let fold = folded.entries().next().expect("one entry");
        assert_eq!((fold.first, fold.last, fold.times), (0, 4, 5));
        folded.keep(5, Entry::App { app: AppId(0), verdict: AppVerdict::NoPending });
        folded.keep(6, Entry::Refreshed);
        assert_eq!((folded.entries().count(), folded.dropped()), (2, 1));
    }
}
