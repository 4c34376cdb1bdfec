//! Short cut: requests that are alike are evaluated once on a node, whichever applications ask, unless the meaning of
//! their constraint depends on the application.

use super::Version;
use crate::constraint::Question;
use crate::model::NodeId;
use crate::scheduler::Cluster;
use crate::scheduler::capacity::books::Accounting;
use std::sync::Arc;

/// The maximum number of kept answers.
const COMPARED: usize = 8;

/// The answers to the latest questions, all about one node.
#[derive(Clone, Debug)]
pub(super) struct Answers {
    version: Version,
    node: NodeId,
    of: Vec<(Question, Result<(), Unmet>)>,
    /// The index of the answer that the next one replaces once `of` is full.
    oldest: usize,
}

impl Default for Answers {
    fn default() -> Self {
        Answers { version: Version::default(), node: NodeId(u32::MAX), of: Vec::new(), oldest: 0 }
    }
}

/// An unsatisfied constraint: YARN's words for the leaf (empty if nothing is recorded), and its number.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unmet {
    pub words: Arc<str>,
    pub failing: u32,
}

impl Accounting {
    /// Returns the answer to the same question on the same node, if nothing has changed since. `words`: whether YARN's
    /// words are needed.
    pub(in crate::scheduler::capacity) fn answer(
        &self,
        c: &Cluster,
        node: NodeId,
        question: Question,
        words: bool,
    ) -> Option<Result<(), Unmet>> {
        let answers = &self.offers.answers;
        if !c.short_cuts.taken() || (answers.version, answers.node) != (self.version(c), node) {
            return None;
        }
        let (_, known) = answers.of.iter().find(|(q, _)| *q == question)?;
        let told = |unmet: &Unmet| !words || !unmet.words.is_empty();
        known.as_ref().err().is_none_or(told).then(|| known.clone())
    }

    /// Keeps the answer to a question.
    pub(in crate::scheduler::capacity) fn note_answer(
        &mut self,
        c: &Cluster,
        node: NodeId,
        question: Question,
        outcome: Result<(), Unmet>,
    ) {
        let version = self.version(c);
        let answers = &mut self.offers.answers;
        if (answers.version, answers.node) != (version, node) {
            *answers = Answers { version, node, of: Vec::new(), oldest: 0 };
        }
        if let Some(known) = answers.of.iter_mut().find(|(q, _)| *q == question) {
            known.1 = outcome;
        } else if answers.of.len() < COMPARED {
            answers.of.push((question, outcome));
        } else {
            answers.of[answers.oldest] = (question, outcome);
            answers.oldest = (answers.oldest + 1) % COMPARED;
        }
    }

    /// Counts the evaluation of a constraint.
    pub fn count_evaluation(&mut self) {
        self.offers.evaluations += 1;
    }

    /// Returns the number of constraints evaluated so far; requests that are alike count once.
    pub fn evaluations(&self) -> u64 {
        self.offers.evaluations
    }
}
