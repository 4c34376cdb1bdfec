//! The weakest change that does as much as the strongest, by bisection: of one knob, or of two in turn.

use super::judge::{Judged, SAME_MS};
use super::knobs::{CandidateChange, Set, Since};
use heddle_core::model::Millis;
use std::cmp::Ordering;

/// What changes do separately: the most containers in the end, and the earliest time of the last of that many.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Least {
    pub end: i64,
    pub last: Option<Millis>,
}

impl Least {
    /// Adds what another change does.
    pub fn and(self, judged: &Judged) -> Least {
        let (end, last) = (judged.promise.end.1, judged.last_placed());
        match end.cmp(&self.end) {
            Ordering::Less => self,
            Ordering::Greater => Least { end, last },
            Ordering::Equal => Least { end, last: self.last.into_iter().chain(last).min() },
        }
    }

    /// Returns whether a change brings more, or as many with the last of them sooner.
    fn is_beaten(self, judged: &Judged) -> bool {
        let end = judged.promise.end.1;
        let sooner = self.last.zip(judged.last_placed()).is_some_and(|(last, at)| last - at >= SAME_MS);
        end > self.end || end == self.end && sooner
    }
}

/// A search over the strengths of one or more knobs.
#[derive(Debug)]
pub struct StrengthSearch {
    pub knobs: Vec<CandidateChange>,
    /// What the knobs do separately, and must do better together.
    least: Least,
    trying: Option<Vec<i64>>,
    best: Option<(Vec<i64>, Judged)>,
    /// How much sooner the last comes with the strongest change, if no more come.
    gain: Option<Millis>,
    /// The knob being weakened, and the strength known to be too weak.
    turn: usize,
    low: i64,
    first: bool,
    /// Whether the strongest change starves nobody.
    clean: bool,
    failed: bool,
}

impl StrengthSearch {
    /// Creates a search over knobs, which must do better than `least` if there are several.
    pub fn new(knobs: Vec<CandidateChange>, least: Least) -> Self {
        StrengthSearch {
            knobs,
            least,
            trying: None,
            best: None,
            gain: None,
            turn: 0,
            low: 0,
            first: true,
            clean: false,
            failed: false,
        }
    }

    /// Returns the greatest strength of each knob.
    pub fn strongest(&self) -> Vec<i64> {
        self.knobs.iter().map(|k| k.most).collect()
    }

    /// Returns whether the strongest change is being tried.
    pub fn is_first(&self) -> bool {
        self.first
    }

    /// Returns the strengths to try next; `None` if the search is over.
    pub fn next(&mut self) -> Option<Vec<i64>> {
        if self.failed {
            return None;
        }
        let next = match &self.best {
            None => self.strongest(),
            Some((best, _)) => loop {
                let high = *best.get(self.turn)?;
                if high - self.low > 1 {
                    let mut next = best.clone();
                    next[self.turn] = (self.low + high) / 2;
                    break next;
                }
                self.turn += 1;
                self.low = 0;
            },
        };
        self.trying = Some(next.clone());
        Some(next)
    }

    /// Returns how many fewer containers are asked for in the present trial.
    pub fn fewer(&self) -> i64 {
        let tried = self.knobs.iter().zip(self.trying.iter().flatten());
        tried.map(|(knob, strength)| knob.fewer(*strength)).sum()
    }

    /// Records a trial's result; `None` if it could not be run.
    pub fn hear(&mut self, judged: Option<Judged>) {
        let Some(tried) = self.trying.take() else { return };
        let starves = judged.as_ref().is_some_and(|j| j.worse.iter().any(|worse| worse.starved));
        let is_first = std::mem::replace(&mut self.first, false);
        self.clean |= is_first && !starves;
        let does = judged.filter(|j| {
            let end = j.promise.end.1;
            let as_much = self.best.as_ref().is_none_or(|(_, best)| {
                end >= best.promise.end.1 && j.promise.tasks.map(|t| t.1) >= best.promise.tasks.map(|t| t.1)
            });
            // A small part of the strongest change's gain is not enough.
            let gained = self.gain.zip(j.gain()).is_none_or(|(most, gain)| gain * 4 >= most * 3);
            // A weaker change that starves somebody is no better if the strongest starves nobody.
            let cost = is_first || !self.clean || !starves;
            j.helps && cost && as_much && gained && (self.knobs.len() == 1 || self.least.is_beaten(j))
        });
        match (does, &self.best) {
            (Some(judged), best) => {
                if best.is_none() {
                    self.gain = judged.gain();
                }
                self.best = Some((tried, judged));
            }
            (None, None) => self.failed = true,
            (None, Some(_)) => self.low = tried.get(self.turn).copied().unwrap_or(0),
        }
    }

    /// Returns the weakest change that does as much as the strongest; `None` if even that does not help.
    pub fn best(&self) -> Option<(Vec<i64>, &Judged)> {
        self.best.as_ref().map(|(strengths, judged)| (strengths.clone(), judged))
    }

    /// Returns the text with all knobs at these strengths.
    pub fn text(&self, text: &str, now: Since<'_>, strengths: &[i64]) -> Option<String> {
        let mut both = self.knobs.iter().zip(strengths);
        both.try_fold(text.to_string(), |text, (knob, strength)| knob.text(&text, now, *strength))
    }

    /// Returns the text with the knobs changed by a refresh at the moment; `None` if a refresh cannot set them.
    pub fn text_from_now(&self, text: &str, now: Since<'_>, strengths: &[i64]) -> Option<String> {
        let mut both = self.knobs.iter().zip(strengths);
        both.try_fold(text.to_string(), |text, (knob, strength)| knob.text_from_now(&text, now, *strength))
    }

    /// Returns the knobs' names.
    pub fn parts(&self, strengths: &[i64]) -> Vec<String> {
        self.knobs.iter().zip(strengths).flat_map(|(knob, strength)| knob.says(*strength)).collect()
    }

    /// Returns the knobs' names, with each value that they set formatted by `tell`.
    pub fn parts_with(&self, strengths: &[i64], tell: &dyn Fn(&Set<'_>) -> String) -> Vec<String> {
        self.knobs.iter().zip(strengths).flat_map(|(knob, strength)| knob.says_with(*strength, tell)).collect()
    }
}
