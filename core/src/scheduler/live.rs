//! An application's live containers and reservations by number.

use super::container::Slot;

/// A place without a container.
const GONE: Slot = Slot(u32::MAX);
/// The largest gap of numbers within the row, and the largest number of empty places.
const GAP: usize = 64;

/// Slots by number. Numbers ascend and most containers end in about that order, so the latest are in a row with a place
/// for each number, where a lookup is no search. Containers that outlive the row are kept apart, sorted.
#[derive(Clone, Debug, Default)]
pub struct Live {
    /// Numbers before the row's.
    old: Vec<(u64, Slot)>,
    /// The number of the row's first place.
    first: u64,
    row: Vec<Slot>,
    /// So many places at the row's beginning are [`GONE`].
    lead: usize,
    /// The slots of the row.
    count: usize,
}

/// Equal if both have the same containers, whatever part of them is in the row.
impl PartialEq for Live {
    fn eq(&self, other: &Self) -> bool {
        self.iter().eq(other.iter())
    }
}

impl Live {
    pub fn is_empty(&self) -> bool {
        self.count == 0 && self.old.is_empty()
    }

    /// Returns the number of containers.
    pub fn len(&self) -> usize {
        self.count + self.old.len()
    }

    /// Returns the containers from a number on, in the order of the numbers.
    pub fn iter_from(&self, seq: u64) -> impl Iterator<Item = (u64, Slot)> + '_ {
        let old = &self.old[self.old.partition_point(|(s, _)| *s < seq)..];
        let from = self.place(seq).unwrap_or(0).min(self.row.len());
        let row = (self.first + from as u64..).zip(self.row[from..].iter().copied());
        old.iter().copied().chain(row.filter(|(_, slot)| *slot != GONE))
    }

    /// Returns numbers and slots, in the order of the numbers.
    pub fn iter(&self) -> impl Iterator<Item = (u64, Slot)> + '_ {
        let row = (self.first..).zip(self.row.iter().copied()).filter(|(_, slot)| *slot != GONE);
        self.old.iter().copied().chain(row)
    }

    fn place(&self, seq: u64) -> Option<usize> {
        usize::try_from(seq.checked_sub(self.first)?).ok()
    }

    fn old_place(&self, seq: u64) -> Result<usize, usize> {
        self.old.binary_search_by_key(&seq, |(s, _)| *s)
    }

    /// Returns the slot of a number.
    #[inline]
    pub fn get(&self, seq: u64) -> Option<Slot> {
        match self.place(seq) {
            Some(at) => self.row.get(at).copied().filter(|slot| *slot != GONE),
            None => self.old_place(seq).ok().map(|i| self.old[i].1),
        }
    }

    /// Adds a container.
    pub fn add(&mut self, seq: u64, slot: Slot) {
        let end = self.first + self.row.len() as u64;
        if self.is_empty() || seq > end.saturating_add(GAP as u64) {
            self.begin_row(seq);
        }
        let Some(at) = self.place(seq) else {
            match self.old_place(seq) {
                Ok(i) => self.old[i].1 = slot,
                Err(i) => self.old.insert(i, (seq, slot)),
            }
            return;
        };
        if at >= self.row.len() {
            self.row.resize(at, GONE);
            self.row.push(GONE);
        }
        if std::mem::replace(&mut self.row[at], slot) == GONE {
            self.count += 1;
            self.lead = self.lead.min(at);
        }
    }

    /// Removes a container.
    pub fn remove(&mut self, seq: u64) -> Option<Slot> {
        let Some(at) = self.place(seq) else {
            let i = self.old_place(seq).ok()?;
            return Some(self.old.remove(i).1);
        };
        let slot = std::mem::replace(self.row.get_mut(at)?, GONE);
        if slot == GONE {
            return None;
        }
        self.count -= 1;
        while self.row.get(self.lead) == Some(&GONE) {
            self.lead += 1;
        }
        if self.row.len() - self.lead > GAP + 4 * self.count {
            self.begin_row(self.first + self.row.len() as u64);
        } else if self.lead > GAP + self.row.len() / 2 {
            self.row.drain(..self.lead);
            self.first += self.lead as u64;
            self.lead = 0;
        }
        Some(slot)
    }

    /// Begins a new row with this number; the containers of the present row are kept apart from now on.
    fn begin_row(&mut self, seq: u64) {
        let row = (self.first..).zip(&self.row).filter(|(_, slot)| **slot != GONE);
        self.old.extend(row.map(|(seq, slot)| (seq, *slot)));
        self.row.clear();
        (self.first, self.lead, self.count) = (seq, 0, 0);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeMap;

    #[test]
    fn does_as_a_tree_does() {
        let (mut live, mut tree) = (Live::default(), BTreeMap::new());
        let mut random = 1u64;
        let mut below = |n: u64| {
            random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (random >> 33) % n
        };
        let mut next = 1;
        for step in 0..20_000u32 {
            match below(20) {
                0..9 => {
                    live.add(next, Slot(step));
                    tree.insert(next, Slot(step));
                    next += if below(300) == 0 { 200 } else { 1 };
                }
                // Now and then one that was there before, or is, or starts a new row.
                9 if below(30) == 0 => {
                    let seq = if below(9) == 0 { 1 } else { next.saturating_sub(below(400)).max(1) };
                    live.add(seq, Slot(step));
                    tree.insert(seq, Slot(step));
                }
                // Most often one of the oldest, sometimes all of them.
                _ => {
                    let all = below(2_000) == 0;
                    let n = if all { tree.len() } else { 1 };
                    for _ in 0..n {
                        let at = if all { 0 } else { below(60) as usize };
                        let seq = tree.keys().nth(at).copied().unwrap_or(next);
                        assert_eq!(live.remove(seq), tree.remove(&seq));
                    }
                }
            }
            let seq = next.saturating_sub(below(500));
            assert_eq!(live.get(seq), tree.get(&seq).copied());
            assert_eq!(live.is_empty(), tree.is_empty());
            if step % 50 == 0 {
                let from = next.saturating_sub(below(900));
                assert!(live.iter_from(from).eq(tree.range(from..).map(|(seq, slot)| (*seq, *slot))));
                assert_eq!(live.len(), tree.len());
                assert!(live.iter().eq(tree.iter().map(|(seq, slot)| (*seq, *slot))));
                assert!(live.row.len() <= 2 * (GAP + 4 * live.count) + GAP, "the row stays short");
            }
        }
    }
}
