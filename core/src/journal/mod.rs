//! What was decided, as typed data, and who listens.
//!
//! The code that takes a decision records its reason here, so an explanation can never disagree with the decision.
//! Whether anything is recorded is a type parameter: with [`Silent`] the same code runs at full speed.

mod change;
mod entry;
mod finding;
mod fingerprint;
mod folded;
mod master;
mod order;
mod pending;
mod processing;
pub mod samza;
pub mod service;
pub mod slider;
mod tickets;
mod traits;
pub mod tree;

pub use change::{Change, KillableBecause, MarkedBecause, NodeGone, UnreserveCause};
pub use entry::Entry;
pub use finding::{Finding, OfferResult, VisitEnd};
pub use fingerprint::Fingerprinted;
#[cfg(test)]
pub(crate) use folded::Told;
pub use folded::{Folded, Line};
pub use master::{GiveUp, MasterAct};
pub use order::{AppOrder, ChildOrder, ORDER_SHOWN, RequestOrder, ShareOrder};
pub use pending::{AmStopped, CrowdId, Rank, Refused, Tried};
pub use processing::Processing;
pub use samza::SamzaAct;
pub use service::ServiceAct;
pub use slider::SliderAct;
pub use tickets::Tickets;
pub use traits::{Class, Reason, Subject, Traits};

use crate::check::{About, Check, Checked, Figures, Outcome};
use crate::model::{AppId, Millis, NodeId, QueueId};

/// Hears of decisions. Where [`Recorder::on`] is false nothing is kept: what is costly to build is built only when it
/// is true. For [`Silent`] that is known when compiling. `&mut dyn Recorder` is a recorder too: where the size of the
/// program matters more than its speed, one instance of the scheduler's code serves all recorders.
pub trait Recorder {
    /// Does this recorder want reasons?
    fn on(&self) -> bool;

    /// Whether it wants details too: the brackets of visits ([`Finding::Enter`], [`Finding::Leave`]), the orders of trial,
    /// the checks that passed, and who wanted nothing. They repeat at every offer.
    fn details(&self) -> bool {
        self.on()
    }

    /// Keeps an entry.
    fn keep(&mut self, at: Millis, entry: Entry);

    /// What was kept since the last [`Finding::Offer`] may be repeated as it is. `Some`: [`Recorder::repeat`] does it
    /// for this ticket. `None`: this recorder wants to be told everything each time.
    fn remember(&mut self) -> Option<u64> {
        if self.on() { None } else { Some(0) }
    }

    /// Repeats what a ticket stands for. False: it stands for nothing any more, nothing was done.
    fn repeat(&mut self, at: Millis, ticket: u64) -> bool {
        let _ = (at, ticket);
        !self.on()
    }

    /// Does it want to hear of this application's requests? What it does not want may be left out.
    fn hears(&self, app: AppId) -> bool {
        let _ = app;
        self.on()
    }

    /// What was kept since the last [`Finding::Offer`], on this node, may be repeated for another offer of this
    /// number, on this node or another one: of different nodes it differs in the node that each
    /// [`Finding::Node`] names, and in nothing else.
    fn remember_on(&mut self, node: NodeId, number: u64) {
        let _ = (node, number);
    }

    /// Repeats on a node what an offer of this number came to. False: it is not known any more, nothing was done.
    fn repeat_on(&mut self, at: Millis, node: NodeId, number: u64) -> bool {
        let _ = (at, node, number);
        !self.on()
    }

    /// A pass over the pending applications of a leaf ([`Change::NotActivated`]), or an offer that comes past those that the
    /// limit of AMs stops there, refuses some that the latest one has refused too, so many of them at its begin: may
    /// [`Recorder::refused`], or [`Recorder::stopped`], tell of them? False: it wants to be told of each.
    fn refuses_again(&mut self, at: Millis, leaf: QueueId, members: usize) -> bool {
        let _ = (at, leaf, members);
        !self.on()
    }

    /// What such a pass came to, after everything that it was told of by itself.
    fn refused(&mut self, at: Millis, leaf: QueueId, tried: &Tried<'_>) {
        let _ = (at, leaf, tried);
    }

    /// Whom such an offer came past, after everything that it was told of by itself.
    fn stopped(&mut self, at: Millis, leaf: QueueId, by: &AmStopped<'_>) {
        let _ = (at, leaf, by);
    }

    /// Records what `make` gives, which is only called when somebody listens.
    #[inline]
    fn note<E: Into<Entry>>(&mut self, at: Millis, make: impl FnOnce() -> E)
    where
        Self: Sized,
    {
        if self.on() {
            self.keep(at, make().into());
        }
    }

    /// Records a detail, which is only made when somebody wants details.
    #[inline]
    fn detail(&mut self, at: Millis, make: impl FnOnce() -> Finding)
    where
        Self: Sized,
    {
        if self.details() {
            self.keep(at, make().into());
        }
    }

    /// Records that a visit begins.
    #[inline]
    fn enter(&mut self, at: Millis, about: About)
    where
        Self: Sized,
    {
        self.detail(at, || Finding::Enter(about));
    }

    /// Records how a visit ends: a detail, but for reservations.
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

    fn remember(&mut self) -> Option<u64> {
        (**self).remember()
    }

    fn repeat(&mut self, at: Millis, ticket: u64) -> bool {
        (**self).repeat(at, ticket)
    }

    fn hears(&self, app: AppId) -> bool {
        (**self).hears(app)
    }

    fn remember_on(&mut self, node: NodeId, number: u64) {
        (**self).remember_on(node, number);
    }

    fn repeat_on(&mut self, at: Millis, node: NodeId, number: u64) -> bool {
        (**self).repeat_on(at, node, number)
    }

    fn refuses_again(&mut self, at: Millis, leaf: QueueId, members: usize) -> bool {
        (**self).refuses_again(at, leaf, members)
    }

    fn refused(&mut self, at: Millis, leaf: QueueId, tried: &Tried<'_>) {
        (**self).refused(at, leaf, tried);
    }

    fn stopped(&mut self, at: Millis, leaf: QueueId, by: &AmStopped<'_>) {
        (**self).stopped(at, leaf, by);
    }
}

/// Keeps nothing; compiles away.
#[derive(Clone, Copy, Debug, Default)]
pub struct Silent;

impl Recorder for Silent {
    #[inline]
    fn on(&self) -> bool {
        false
    }

    fn keep(&mut self, _at: Millis, _entry: Entry) {}
}

/// Keeps everything, in order.
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
