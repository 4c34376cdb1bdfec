//! A 64-bit hash that is the same on every machine and in every version: for fingerprints of runs and checksums of
//! links. Not for security.

/// Folds words into 64 bits. Each word is mixed in by xor and multiply (as in FNV-1a, but whole words, with the two
/// halves of the product folded so that high bits reach low ones).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fold(u64);

const SEED: u64 = 0xcbf2_9ce4_8422_2325;
const PRIME: u64 = 0x9e37_79b9_7f4a_7c15;

impl Default for Fold {
    fn default() -> Self {
        Fold(SEED)
    }
}

impl Fold {
    /// Adds a word.
    #[inline]
    pub fn word(&mut self, word: u64) {
        let product = u128::from(self.0 ^ word ^ SEED.rotate_left(32)) * u128::from(PRIME);
        self.0 = (product as u64 ^ (product >> 64) as u64).rotate_left(23).wrapping_add(PRIME);
    }

    /// Adds a signed word.
    #[inline]
    pub fn int(&mut self, word: i64) {
        self.word(word as u64);
    }

    /// Adds bytes: their number, then eight at a time in little-endian order.
    pub fn bytes(&mut self, bytes: &[u8]) {
        self.word(bytes.len() as u64);
        for chunk in bytes.chunks(8) {
            let mut word = [0; 8];
            word[..chunk.len()].copy_from_slice(chunk);
            self.word(u64::from_le_bytes(word));
        }
    }

    /// The hash of everything added so far.
    pub fn value(self) -> u64 {
        // One more round, so that the last word is spread as well as the first.
        let mut last = self;
        last.word(0);
        last.0
    }

    /// The hash of some bytes.
    pub fn of(bytes: &[u8]) -> u64 {
        let mut fold = Fold::default();
        fold.bytes(bytes);
        fold.value()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn values_are_frozen() {
        assert_eq!([Fold::of(b""), Fold::of(b"heddle")], [3_455_939_773_668_274_150, 4_904_195_219_105_504_001]);
    }

    #[test]
    fn small_differences_show() {
        let mut seen = BTreeSet::new();
        for a in 0..200u64 {
            for b in 0..200u64 {
                let mut fold = Fold::default();
                fold.word(a);
                fold.word(b);
                seen.insert(fold.value());
            }
        }
        assert_eq!(seen.len(), 40_000);
    }
}
