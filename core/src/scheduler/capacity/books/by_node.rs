//! A short cut: an offer on a node in which every request that got as far as the node met a placement constraint that
//! does not hold there comes to the same on that node until the books, the tags or the constraints change. It would leave
//! nothing behind but a count of missed chances, which is made up for, and its reasons, which the recorder repeats.
//!
//! Only in clusters of one partition and for one node at a time. Requests that are alike are evaluated once in an
//! offer, whichever applications ask, unless what their constraint means depends on the application.

use super::Books;
use crate::constraint::Question;
use crate::journal::Recorder;
use crate::model::{AppId, NodeId};
use crate::scheduler::Cluster;
use std::sync::Arc;

/// An offer is compared with so many others at most, a question with so many.
const COMPARED: usize = 8;

/// Tells what is known apart from what was known before: the books and what constraints look at have changed so often.
pub(in crate::scheduler::capacity) type Moment = (u64, u64);

/// The request at a place of an offer's asks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Asked {
    app: AppId,
    attempt: u32,
    place: u32,
    /// Is it for the default partition, so that chances are counted (8.3(5))?
    counts: bool,
    /// Which leaf of its constraint failed.
    failing: u32,
}

/// An offer that came to nothing, the same on several nodes.
#[derive(Debug)]
struct PastOffer {
    /// No other offer has this number.
    number: u64,
    asked: Vec<Asked>,
}

/// What came of the latest questions, all of one node.
#[derive(Clone, Debug)]
struct Answers {
    moment: Moment,
    node: NodeId,
    of: Vec<(Question, Result<(), Unmet>)>,
    /// Which of them gives way to the next, when there are many.
    oldest: usize,
}

impl Default for Answers {
    fn default() -> Self {
        Answers { moment: Moment::default(), node: NodeId(u32::MAX), of: Vec::new(), oldest: 0 }
    }
}

/// A constraint that does not hold: YARN's words for the leaf (empty where nobody listens), and its number.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unmet {
    pub words: Arc<str>,
    pub failing: u32,
}

/// What is known.
#[derive(Clone, Debug, Default)]
pub(in crate::scheduler::capacity) struct ByNode {
    books: u64,
    /// When what follows was found.
    moment: Moment,
    past: Vec<Arc<PastOffer>>,
    /// By node: which of them.
    nodes: Vec<Option<u32>>,
    numbers: u64,
    /// The present offer: what it asked of its node so far, how many of these met their constraint, and whether it
    /// left anything else behind.
    asked: Vec<Asked>,
    looks: usize,
    spoiled: bool,
    /// Repeated so often since the chances were last counted.
    owed: Option<(Arc<PastOffer>, i64)>,
    answers: Answers,
    /// Constraints evaluated so far.
    pub evaluations: u64,
}

/// What is known follows from the books: two schedulers with the same books are equal.
impl PartialEq for ByNode {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

impl ByNode {
    /// The books have changed.
    #[inline]
    pub fn books_changed(&mut self) {
        self.books += 1;
    }

    /// The present offer leaves something behind, or depends on its node in another way.
    #[inline]
    pub fn spoil(&mut self) {
        self.spoiled = true;
    }
}

impl Books {
    fn moment(&self, c: &Cluster) -> Moment {
        (self.by_node.books, c.placement_changes)
    }

    /// A request gets as far as the node: it is looked at there.
    #[inline]
    pub(in crate::scheduler::capacity) fn asks_node(&mut self) {
        self.fruitless.looked = true;
        self.by_node.looks += 1;
    }

    /// The constraint of a request that was looked at does not hold.
    pub(in crate::scheduler::capacity) fn unmet(&mut self, c: &Cluster, app: AppId, place: usize, failing: u32) {
        let a = c.app(app);
        let counts = a.asks.at(place).partition.is_default();
        self.by_node.asked.push(Asked { app, attempt: a.attempt_id().attempt, place: place as u32, counts, failing });
    }

    /// What came of the same question on the same node, if nothing has changed since. `words`: are YARN's words needed?
    pub(in crate::scheduler::capacity) fn answer(
        &self,
        c: &Cluster,
        node: NodeId,
        question: Question,
        words: bool,
    ) -> Option<Result<(), Unmet>> {
        let answers = &self.by_node.answers;
        if (answers.moment, answers.node) != (self.moment(c), node) {
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
        let moment = self.moment(c);
        let answers = &mut self.by_node.answers;
        if (answers.moment, answers.node) != (moment, node) {
            *answers = Answers { moment, node, of: Vec::new(), oldest: 0 };
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
        self.by_node.evaluations += 1;
    }

    /// Constraints that the scheduler has evaluated so far: those of requests that are alike once for all of them.
    pub fn evaluations(&self) -> u64 {
        self.by_node.evaluations
    }

    /// An offer on a node begins. True: it comes to what the last one there came to, and that is recorded.
    pub(in crate::scheduler::capacity) fn repeats_on<R: Recorder>(
        &mut self,
        c: &mut Cluster,
        node: NodeId,
        rec: &mut R,
    ) -> bool {
        let known = self.by_node.nodes.get(node.index()).copied().flatten();
        let known = known.filter(|_| self.by_node.moment == self.moment(c));
        if let Some(known) = known.and_then(|i| self.by_node.past.get(i as usize)).cloned()
            && rec.repeat_on(c.now, node, known.number)
        {
            match &mut self.by_node.owed {
                Some((of, times)) if Arc::ptr_eq(of, &known) => *times += 1,
                _ => {
                    self.count_owed(c);
                    self.by_node.owed = Some((known, 1));
                }
            }
            return true;
        }
        self.count_owed(c);
        let b = &mut self.by_node;
        b.asked.clear();
        (b.looks, b.spoiled) = (0, false);
        false
    }

    /// Counts the chances missed in offers that were repeated.
    pub(crate) fn count_owed(&mut self, c: &mut Cluster) {
        let Some((attempt, times)) = self.by_node.owed.take() else { return };
        for asked in attempt.asked.iter().filter(|a| a.counts) {
            let app = c.app_mut(asked.app);
            // One that is over has forgotten its asks.
            let same = app.attempt_id().attempt == asked.attempt;
            if let Some(key) = app.asks.get_mut(asked.place as usize).filter(|_| same) {
                key.missed_non_partitioned += times;
            }
        }
    }

    /// The offer on a node came to nothing.
    pub(in crate::scheduler::capacity) fn came_to_nothing_on<R: Recorder>(
        &mut self,
        c: &Cluster,
        node: NodeId,
        rec: &mut R,
    ) {
        let moment = self.moment(c);
        let b = &mut self.by_node;
        if b.moment != moment {
            b.moment = moment;
            b.past.clear();
            b.nodes.iter_mut().for_each(|n| *n = None);
        }
        if b.nodes.len() <= node.index() {
            b.nodes.resize(c.nodes.len(), None);
        }
        let alone = b.spoiled || b.asked.is_empty() || b.asked.len() != b.looks || c.partitions.len() > 1;
        let Some(place) = b.nodes.get_mut(node.index()) else { return };
        *place = None;
        if alone {
            return;
        }
        // The latest first: neighbours are alike.
        let latest = b.past.len().saturating_sub(COMPARED);
        let same = b.past[latest..].iter().rposition(|a| a.asked == b.asked);
        let known = same.map(|i| latest + i).unwrap_or_else(|| {
            b.numbers += 1;
            b.past.push(Arc::new(PastOffer { number: b.numbers, asked: b.asked.clone() }));
            b.past.len() - 1
        });
        *place = Some(known as u32);
        if let Some(attempt) = b.past.get(known) {
            rec.remember_on(node, attempt.number);
        }
    }
}
