//! Whether a run still gives the same result as when a link was made: by the fingerprint of the whole run, and by those of
//! some moments on the way, which narrow down where it first differs.

use crate::Player;
use crate::explain::say::runs as say;
use crate::explain::words;
use heddle_core::scenario::link::{Proof, RunMark};

/// The most moments that a link marks.
const MARKS: usize = 32;

/// How a run compares with the one that a link was made from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Proved {
    /// The result is the same.
    Same,
    /// It is the same up to this moment; the rest has not been played.
    SoFar(i64),
    /// It is the same up to the first of these moments, and differs by the second.
    Differs(i64, i64),
}

impl Player {
    /// Returns the marks of the run as far as it is known, for a link.
    pub fn marks(&self) -> Vec<RunMark> {
        let changes = self.track.fingerprints();
        let count = changes.len().min(MARKS);
        let at = |n: usize| changes.get((n + 1) * changes.len() / count.max(1) - 1);
        let mark = |&(events, value): &(u64, u64)| RunMark {
            time_ms: self.track.time_of(events),
            events,
            print: print(value),
        };
        (0..count).filter_map(|n| at(n).map(mark)).collect()
    }

    /// Compares the run with the one that a link was made from.
    pub fn proved(&self, proof: &Proof, marks: &[RunMark]) -> Proved {
        let progress = self.progress();
        let mut same_up_to = 0;
        for mark in marks {
            if mark.events > progress.events && !progress.done {
                return Proved::SoFar(progress.known_ms);
            }
            let here = self.track.fingerprint(mark.events);
            if mark.events > progress.events || print(here) != mark.print {
                return Proved::Differs(same_up_to, mark.time_ms.max(same_up_to));
            }
            same_up_to = mark.time_ms;
        }
        match progress.done {
            false => Proved::SoFar(progress.known_ms),
            true if self.fingerprint() == proof.fingerprint => Proved::Same,
            true => Proved::Differs(same_up_to, progress.known_ms.max(same_up_to)),
        }
    }
}

impl Proved {
    /// Returns the sentence for it; `proof` has the version that made the link.
    pub fn said(self, proof: &Proof) -> String {
        match self {
            Proved::Same => say::plays_the_same(&proof.core),
            Proved::SoFar(at) => say::plays_the_same_so_far(&proof.core, &words::clock(at)),
            Proved::Differs(same, by) => {
                say::plays_otherwise(&proof.core, env!("CARGO_PKG_VERSION"), &words::clock(same), &words::clock(by))
            }
        }
    }
}

/// Returns half of a fingerprint, which is enough to distinguish moments.
fn print(value: u64) -> u32 {
    (value >> 32) as u32 ^ value as u32
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = include_str!("../../scenarios/q39-anti-affinity.toml");

    fn run(text: &str) -> Player {
        let mut player = Player::load(text).player.expect("it loads");
        player.run_to_end();
        player
    }

    #[test]
    fn a_run_is_the_same_or_differs_from_a_moment_on() {
        let made = run(TEXT);
        let proof = Proof { core: "0.1.0".into(), fingerprint: made.fingerprint() };
        let marks = made.marks();
        assert!(!marks.is_empty() && marks.len() <= MARKS && marks.is_sorted_by_key(|m| m.time_ms));
        assert_eq!(run(TEXT).proved(&proof, &marks), Proved::Same);
        // Nodes of another size show when the first of them registers or is used.
        let other = run(&TEXT.replace("size = \"2 GB/1\"", "size = \"1 GB/1\""));
        let Proved::Differs(same, by) = other.proved(&proof, &marks) else { panic!("it differs") };
        assert!(same <= by && by > 0, "{same} {by}");
        // Without marks it is only known that the run differs; a run that is not played to its end is the same so far.
        assert!(matches!(other.proved(&proof, &[]), Proved::Differs(0, _)));
        let scenario = heddle_core::scenario::read(TEXT).scenario.expect("it reads");
        let begun = Player::begin(scenario, TEXT).expect("it starts");
        assert_eq!(begun.proved(&proof, &marks), Proved::SoFar(0));
        let said = Proved::Differs(1_000, 2_000).said(&proof);
        assert!(said.contains("0:01") && said.contains("0:02"), "{said}");
    }
}
