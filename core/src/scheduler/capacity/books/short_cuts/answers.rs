//! A short cut: requests that are alike are evaluated once on a node, whichever applications ask, unless what their
//! constraint means depends on the application.

use super::Version;
use crate::constraint::Question;
use crate::model::NodeId;
use crate::scheduler::Cluster;
use crate::scheduler::capacity::books::Books;
use std::sync::Arc;

/// A question is compared with so many at most.
const COMPARED: usize = 8;

/// What came of the latest questions, all of one node.
#[derive(Clone, Debug)]
pub(super) struct Answers {
    version: Version,
    node: NodeId,
    of: Vec<(Question, Result<(), Unmet>)>,
    /// Which of them gives way to the next, when there are many.
    oldest: usize,
}

impl Default for Answers {
    fn default() -> Self {
        Answers { version: Version::default(), node: NodeId(u32::MAX), of: Vec::new(), oldest: 0 }
    }
}

/// A constraint that does not hold: YARN's words for the leaf (empty where nothing is recorded), and its number.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unmet {
    pub words: Arc<str>,
    pub failing: u32,
}

impl Books {
    /// What came of the same question on the same node, if nothing has changed since.
    /// `words`: whether YARN's words are needed.
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

    /// Notes what came of a constraint.
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

    /// A constraint is evaluated.
    pub fn count_evaluation(&mut self) {
        self.offers.evaluations += 1;
    }

    /// Constraints that the scheduler has evaluated so far: those of requests that are alike once for all of them.
    pub fn evaluations(&self) -> u64 {
        self.offers.evaluations
    }
}
