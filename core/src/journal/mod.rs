//! The decisions as typed data, and the recorders that keep them.
//!
//! The code that takes a decision records its reason here, so an explanation can never disagree with the decision.
//! Whether anything is recorded is a type parameter: with [`Silent`] the same code runs at full speed.

mod change;
mod entry;
mod finding;
mod fingerprint;
mod folded;
mod found;
mod order;
mod pending;
mod processing;
mod traits;
pub mod tree;

pub use crate::apps::journal::*;
pub use change::{Change, KillableBecause, MarkedBecause, NodeGone, UnreserveCause};
pub use entry::Entry;
pub use finding::{Finding, OfferResult, VisitEnd};
pub use fingerprint::Fingerprinted;
#[cfg(test)]
pub(crate) use folded::PlainLog;
pub use folded::{Folded, FoldedLine};
pub use found::{Collected, Detail, EntryRoom, OfferFindings, SameOutcome};
pub use order::{AppOrder, ChildOrder, ORDER_SHOWN, RequestOrder, ShareOrder};
pub use pending::{AmLimitSkips, Member, PendingGroupId, PendingPass, Rank, RefusedUpTo};
pub use processing::Processing;
pub use traits::{Class, Reason, Subject, Traits};

use crate::api::Call;
use crate::check::{About, Check, Checked, Figures, Outcome};
use crate::model::{Millis, NodeId};
use std::sync::Arc;

/// Records decisions, and nothing else. No decision depends on what a recorder returns. Only the short cuts
/// ([`crate::scheduler::ShortCuts`]) do: if nothing is recorded, they skip visits whose only trace would be a record.
///
/// If [`Recorder::on`] is false nothing is kept: costly data is built only when it is true. For [`Silent`] this is
/// known at compile time. `&mut dyn Recorder` is a recorder too: where the size of the program matters more than its
/// speed, one instance of the scheduler's code serves all recorders.
pub trait Recorder {
    /// Returns whether this recorder wants reasons.
    fn on(&self) -> bool;

    /// Returns whether it also wants details: the begin and end of visits ([`Finding::Enter`], [`Finding::Leave`]), the
    /// orders of trial, passed checks, and who wanted nothing. They repeat at every offer.
    fn details(&self) -> bool {
        self.on()
    }

    /// Keeps an entry.
    fn keep(&mut self, at: Millis, entry: Entry);

    /// Returns whether it records the calls of the ResourceManager.
    fn hears_calls(&self) -> bool {
        false
    }

    /// Records a call of the ResourceManager, which causes the entries that follow.
    fn called(&mut self, _at: Millis, _call: Call) {}

    /// Records a call of the ResourceManager that is about to be made, if the recorder wants calls.
    #[inline]
    fn tell_call(&mut self, at: Millis, make: impl FnOnce() -> Call)
    where
        Self: Sized,
    {
        if self.hears_calls() {
            self.called(at, make());
        }
    }

    /// Records the findings of an earlier offer again, now for this node.
    fn again(&mut self, at: Millis, node: NodeId, found: &Arc<OfferFindings>) {
        found.tell(at, node, self);
    }

    /// Records that other requests of an application had the same outcome as one of them.
    fn alike(&mut self, at: Millis, alike: &SameOutcome<'_>) {
        alike.tell(at, alike.keys(), self);
    }

    /// Records a pass over the pending applications of a leaf.
    fn pending_pass(&mut self, at: Millis, pass: &PendingPass<'_>) {
        pass.entries(&(pass.all)()).into_iter().for_each(|entry| self.keep(at, entry));
    }

    /// Records that an offer of the FairScheduler skipped applications because of the AM limit.
    fn stopped_row(&mut self, at: Millis, row: &AmLimitSkips<'_>) {
        for (app, size) in (row.all)() {
            let about = About::App(app);
            let brackets = self.details();
            if brackets {
                self.keep(at, Finding::Enter(about).into());
            }
            self.keep(at, row.entry(app, size));
            if brackets {
                self.keep(at, Finding::Leave { about, end: VisitEnd::Next }.into());
            }
        }
    }

    /// Lets `record` write several entries, if anything is recorded.
    #[inline]
    fn record(&mut self, record: impl FnOnce(&mut Self))
    where
        Self: Sized,
    {
        if self.on() {
            record(self);
        }
    }

    /// Records the result of `make`, which is only called if the recorder is on.
    #[inline]
    fn note<E: Into<Entry>>(&mut self, at: Millis, make: impl FnOnce() -> E)
    where
        Self: Sized,
    {
        if self.on() {
            self.keep(at, make().into());
        }
    }

    /// Records a detail, which is only made if the recorder wants details.
    #[inline]
    fn detail(&mut self, at: Millis, make: impl FnOnce() -> Finding)
    where
        Self: Sized,
    {
        if self.details() {
            self.keep(at, make().into());
        }
    }

    /// Records the beginning of a visit.
    #[inline]
    fn enter(&mut self, at: Millis, about: About)
    where
        Self: Sized,
    {
        self.detail(at, || Finding::Enter(about));
    }

    /// Records the end of a visit: a detail, except for reservations.
    #[inline]
    fn leave(&mut self, at: Millis, about: About, end: VisitEnd)
    where
        Self: Sized,
    {
        let kept = matches!(end, VisitEnd::Reserved { .. } | VisitEnd::ReReserved { .. });
        if self.details() || (kept && self.on()) {
            self.keep(at, Finding::Leave { about, end }.into());
        }
    }

    /// Records a check, and returns whether it passed: a decision and its record are one expression.
    #[inline]
    fn check(&mut self, at: Millis, passed: bool, check: Check, about: About, figures: impl FnOnce() -> Figures) -> bool
    where
        Self: Sized,
    {
        let wanted = if passed { self.details() } else { self.on() };
        if wanted {
            let outcome = if passed { Outcome::Passed } else { Outcome::Failed };
            self.keep(at, Finding::Checked(Checked { check, about, outcome, figures: figures() }).into());
        }
        passed
    }

    /// Records, as a detail, that nothing is wanted.
    #[inline]
    fn nothing_wanted(&mut self, at: Millis, check: Check, about: About)
    where
        Self: Sized,
    {
        self.detail(at, || Finding::Checked(Checked::failed(check, about, Figures::None)));
    }

    /// Records a check that failed.
    #[inline]
    fn failed(&mut self, at: Millis, make: impl FnOnce() -> Checked)
    where
        Self: Sized,
    {
        self.note(at, || Finding::Checked(make()));
    }
}

impl<'a> Recorder for &'a mut (dyn Recorder + 'a) {
    fn on(&self) -> bool {
        (**self).on()
    }

    fn details(&self) -> bool {
        (**self).details()
    }

    fn keep(&mut self, at: Millis, entry: Entry) {
        (**self).keep(at, entry);
    }

    fn hears_calls(&self) -> bool {
        (**self).hears_calls()
    }

    fn called(&mut self, at: Millis, call: Call) {
        (**self).called(at, call);
    }

    fn again(&mut self, at: Millis, node: NodeId, found: &Arc<OfferFindings>) {
        (**self).again(at, node, found);
    }

    fn alike(&mut self, at: Millis, alike: &SameOutcome<'_>) {
        (**self).alike(at, alike);
    }

    fn pending_pass(&mut self, at: Millis, pass: &PendingPass<'_>) {
        (**self).pending_pass(at, pass);
    }

    fn stopped_row(&mut self, at: Millis, row: &AmLimitSkips<'_>) {
        (**self).stopped_row(at, row);
    }
}

/// Records nothing; compiles away.
#[derive(Clone, Copy, Debug, Default)]
pub struct Silent;

impl Recorder for Silent {
    #[inline]
    fn on(&self) -> bool {
        false
    }

    fn keep(&mut self, _at: Millis, _entry: Entry) {}
}

/// Records everything, in order.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Full {
    pub entries: Vec<(Millis, Entry)>,
}

impl Recorder for Full {
    #[inline]
    fn on(&self) -> bool {
        true
    }

    fn keep(&mut self, at: Millis, entry: Entry) {
        self.entries.push((at, entry));
    }
}
