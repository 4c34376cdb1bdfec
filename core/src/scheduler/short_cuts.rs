//! The one switch of all short cuts.
//!
//! A short cut leaves out work that would come to what is known already. None changes a decision, a figure or a record;
//! without them the schedulers do what YARN does, step by step. Each states what it depends on, and what it keeps counts
//! for nothing when schedulers are compared. `tests/tests/short_cuts.rs` plays everything with and without them.
//!
//! | short cut | what is left out | holds until | where |
//! |---|---|---|---|
//! | repeated offers | an offer that came to nothing before it looked at its node, or whose requests all met a constraint that does not hold there; it is recorded by [`crate::journal::Recorder::again`] | the accounting of the queues or what constraints look at changes | `capacity/books/short_cuts/repeats` |
//! | answers | a constraint on one node, for requests that are alike | the same, or another node | `capacity/books/short_cuts/answers` |
//! | series | visits to requests of an application that differ in nothing but their allocation request ids from one whose constraint does not hold; told in common by [`crate::journal::Recorder::alike`] | a key of the application is opened, closed or changed | `asks`, `capacity/assign_app` |
//! | skip lists | visits to children and applications that want nothing, to full children, to applications whose user is at the limit, to leaves that have no other; only where nothing is recorded | a door of the books is used | `capacity/books/short_cuts/{children,listed,aside,resting}` |
//! | groups of pending applications | the limits for AMs of applications that are alike | an application of the group is activated | `capacity/crowds` |
//! | kept orders | sorting children and applications anew | the figures of one change, which is moved | `capacity/books/short_cuts/children`, `fair/order` |
//! | rounds of preemption | figures of queues that have not changed, and a round that sees what the one before saw | the same doors | `capacity/preempt/kept` |
//! | rows | applications that the FairScheduler's limit of AMs stops, one behind the other | an order, a limit or a status changes | `fair/short_cuts/stopped` |
//! | idle applications | the search for those without demand, of which each offer tells | demand or use changes | `fair/short_cuts/idle` |

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
