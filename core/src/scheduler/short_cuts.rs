//! The one switch of all short cuts.
//!
//! A short cut skips work whose result is already known. None changes a decision, a figure or a record; without them
//! the schedulers do what YARN does, step by step. Each states what it depends on, and its kept results are ignored
//! when schedulers are compared. `tests/tests/short_cuts.rs` runs everything with and without them.
//!
//! | short cut | skipped work | valid until | where |
//! |---|---|---|---|
//! | repeated offers | an offer that gave nothing before it visited its node, or whose requests all failed their constraints there; it is recorded by [`crate::journal::Recorder::again`] | the accounting of the queues or the data of constraints changes | `capacity/books/short_cuts/repeats` |
//! | answers | the evaluation of a constraint on one node, for requests that are alike | as above, or another node | `capacity/books/short_cuts/answers` |
//! | series | visits to requests of an application that differ only in their allocation request ids from one whose constraint does not hold; recorded in common by [`crate::journal::Recorder::alike`] | a key of the application is opened, closed or changed | `asks`, `capacity/assign_app` |
//! | skip lists | visits to children and applications without requests, to full children, to applications whose user is at the limit, to leaves without any others; only if nothing is recorded | a mutator of the accounting is called | `capacity/books/short_cuts/{children,listed,aside,resting}` |
//! | groups of pending applications | the checks of AM limits for applications that are alike | an application of the group is activated | `capacity/crowds` |
//! | kept orders | sorting children and applications again | the figures of one change, which is then moved | `capacity/books/short_cuts/children`, `fair/order` |
//! | rounds of preemption | figures of queues that have not changed, and a round with the same data as the one before | a mutator of the accounting is called | `capacity/preempt/kept` |
//! | rows | visits to consecutive applications that the FairScheduler's AM limit stops | an order, a limit or a status changes | `fair/short_cuts/stopped` |
//! | idle applications | the search for applications without demand, which each offer records | demand or usage changes | `fair/short_cuts/idle` |

use crate::journal::Recorder;

/// Whether short cuts are taken. It is no part of the state: schedulers that differ in it alone are equal.
#[derive(Clone, Copy, Debug)]
pub struct ShortCuts {
    taken: bool,
}

impl ShortCuts {
    pub const TAKEN: ShortCuts = ShortCuts { taken: true };
    pub const NONE: ShortCuts = ShortCuts { taken: false };

    #[inline]
    pub fn taken(self) -> bool {
        self.taken
    }

    /// Returns whether to skip visits whose only trace is in a record. This is the only decision that depends on
    /// whether anything is recorded.
    #[inline]
    pub fn skip_visits<R: Recorder>(self, rec: &R) -> bool {
        self.taken && !rec.on()
    }
}

impl PartialEq for ShortCuts {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}
