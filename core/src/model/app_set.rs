//! A set of applications as a bit set over their ids; every report of every container queries it.

use super::AppId;

/// A set of applications, iterated in the order of their ids.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct AppSet {
    /// The last word is never 0, so that equal sets compare equal.
    words: Vec<u64>,
}

/// Returns the index of an application's word, and its bit.
#[inline]
fn place(app: AppId) -> (usize, u64) {
    (app.index() / 64, 1 << (app.index() % 64))
}

impl AppSet {
    /// Returns whether an application is in the set.
    #[inline]
    pub fn contains(&self, app: AppId) -> bool {
        let (word, bit) = place(app);
        self.words.get(word).is_some_and(|word| word & bit != 0)
    }

    /// Adds an application.
    pub fn insert(&mut self, app: AppId) {
        let (word, bit) = place(app);
        if word >= self.words.len() {
            self.words.resize(word + 1, 0);
        }
        self.words[word] |= bit;
    }

    /// Removes an application; returns whether it was in the set.
    pub fn remove(&mut self, app: AppId) -> bool {
        let (word, bit) = place(app);
        let Some(word) = self.words.get_mut(word).filter(|word| **word & bit != 0) else { return false };
        *word &= !bit;
        while self.words.last() == Some(&0) {
            self.words.pop();
        }
        true
    }

    /// Removes all applications.
    pub fn clear(&mut self) {
        self.words.clear();
    }

    /// Returns whether the set is empty.
    pub fn is_empty(&self) -> bool {
        self.words.is_empty()
    }

    /// Number of applications.
    pub fn len(&self) -> usize {
        self.words.iter().map(|word| word.count_ones() as usize).sum()
    }

    /// The applications, in the order of their ids.
    pub fn iter(&self) -> impl Iterator<Item = AppId> + '_ {
        let of = |(i, word): (usize, &u64)| {
            let word = *word;
            (0..64).filter(move |bit| word & (1 << bit) != 0).map(move |bit| AppId::from(64 * i + bit))
        };
        self.words.iter().enumerate().flat_map(of)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn it_is_as_a_sorted_set() {
        let (mut set, mut other, mut x) = (AppSet::default(), BTreeSet::new(), 7u32);
        for _ in 0..2_000 {
            x = x.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            let app = AppId::from((x >> 8) as usize % 300);
            if x >> 31 == 0 {
                set.insert(app);
                other.insert(app);
            } else {
                assert_eq!(set.remove(app), other.remove(&app));
            }
            assert!(set.iter().eq(other.iter().copied()) && set.len() == other.len());
            assert_eq!((set.contains(app), set.is_empty()), (other.contains(&app), other.is_empty()));
        }
        other.iter().for_each(|app| assert!(set.remove(*app)));
        assert_eq!(set, AppSet::default());
    }
}
