//! The fingerprint of a run: 64 bits over all decisions with effect, in order: nodes and applications that came and
//! went, containers allocated and ended, reservations made and given up, activations, moves. Reasons are not part of
//! it, so a release that explains better has the same fingerprints.
//!
//! Canonical form: for each such entry its number ([`Entry::traits`]), the time, and its figures, as 64-bit words
//! through [`Fold`]. The same on every target. Numbers and forms are frozen.

use super::{AmLimitSkips, Change, Class, Entry, OfferFindings, PendingPass, Recorder, SameOutcome};
use crate::api::Call;
use crate::model::{ContainerId, Fold, Millis, NodeId, Resource};
use std::sync::Arc;

/// Passes entries on, and folds decisions into a fingerprint.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Fingerprinted<R> {
    /// The recorder behind it.
    pub inner: R,
    fold: Fold,
    decisions: u64,
}

impl<R> Fingerprinted<R> {
    /// Wraps a recorder.
    pub fn new(inner: R) -> Self {
        Fingerprinted { inner, fold: Fold::default(), decisions: 0 }
    }

    /// The fingerprint so far.
    pub fn value(&self) -> u64 {
        self.fold.value()
    }

    /// The fingerprint so far as 16 hexadecimal digits.
    pub fn hex(&self) -> String {
        format!("{:016x}", self.value())
    }

    fn count(&mut self, at: Millis, entry: &Entry) {
        self.decisions += u64::from(fold(&mut self.fold, at, entry));
    }

    /// The number of decisions in it.
    pub fn decisions(&self) -> u64 {
        self.decisions
    }
}

impl<R: Recorder> Recorder for Fingerprinted<R> {
    #[inline]
    fn on(&self) -> bool {
        true
    }

    fn details(&self) -> bool {
        self.inner.details()
    }

    fn hears_calls(&self) -> bool {
        self.inner.hears_calls()
    }

    fn called(&mut self, at: Millis, call: Call) {
        self.inner.called(at, call);
    }

    // Findings are left out of the fingerprint: they change no state.
    fn again(&mut self, at: Millis, node: NodeId, found: &Arc<OfferFindings>) {
        if self.inner.on() {
            self.inner.again(at, node, found);
        }
    }

    fn alike(&mut self, at: Millis, alike: &SameOutcome<'_>) {
        if self.inner.on() {
            self.inner.alike(at, alike);
        }
    }

    fn pending_pass(&mut self, at: Millis, pass: &PendingPass<'_>) {
        for (_, change) in pass.activated {
            self.count(at, &change.clone().into());
        }
        if self.inner.on() {
            self.inner.pending_pass(at, pass);
        }
    }

    fn stopped_row(&mut self, at: Millis, row: &AmLimitSkips<'_>) {
        if self.inner.on() {
            self.inner.stopped_row(at, row);
        }
    }

    fn keep(&mut self, at: Millis, entry: Entry) {
        self.count(at, &entry);
        if self.inner.on() {
            self.inner.keep(at, entry);
        }
    }
}

/// Folds an entry if it is a decision with effect; returns whether it is.
fn fold(f: &mut Fold, at: Millis, entry: &Entry) -> bool {
    let Class::Happened(Some(number)) = entry.traits().class else { return false };
    f.word(number);
    f.int(at);
    match entry {
        Entry::Changed(change) => figures(f, change),
        Entry::Found(_) | Entry::Processed(_) | Entry::Acted(_) => {}
    }
    true
}

fn figures(f: &mut Fold, change: &Change) {
    match change {
        Change::NodeAdded { node, total, partition } => {
            f.word(u64::from(node.0));
            amount(f, total);
            f.word(u64::from(partition.0));
        }
        Change::NodeRemoved { node, .. } => f.word(u64::from(node.0)),
        Change::NodeResized { node, to, .. } => {
            f.word(u64::from(node.0));
            amount(f, to);
        }
        Change::NodeRelabelled { node, to, .. } => {
            f.word(u64::from(node.0));
            f.word(u64::from(to.0));
        }
        Change::NodeDecommissioning { node } => f.word(u64::from(node.0)),
        Change::Submitted { app, queue, user } => {
            f.word(u64::from(app.0));
            f.word(u64::from(queue.0));
            f.word(u64::from(user.0));
        }
        Change::Rejected { app } => f.word(u64::from(app.0)),
        Change::AttemptAdded { app, attempt } => {
            f.word(u64::from(app.0));
            f.word(u64::from(*attempt));
        }
        Change::Activated { app, .. } => f.word(u64::from(app.0)),
        Change::Allocated { container: id, node, size, key, from_reservation, .. } => {
            container(f, id);
            f.word(u64::from(node.0));
            amount(f, size);
            f.int(i64::from(key.priority));
            f.int(key.allocation_request_id);
            f.word(u64::from(*from_reservation));
        }
        Change::Reserved { container: id, node, size, .. } => {
            container(f, id);
            f.word(u64::from(node.0));
            amount(f, size);
        }
        Change::Unreserved { container: id, node, .. }
        | Change::ReservationMoved { container: id, to: node, .. }
        | Change::Marked { container: id, node, .. }
        | Change::MadeKillable { container: id, node, .. }
        | Change::Warned { container: id, node, .. } => {
            container(f, id);
            f.word(u64::from(node.0));
        }
        Change::Completed { container: id, node, exit_code, .. } => {
            container(f, id);
            f.word(u64::from(node.0));
            f.int(i64::from(*exit_code));
        }
        Change::AttemptEnded { app, attempt } => {
            f.word(u64::from(app.0));
            f.word(u64::from(*attempt));
        }
        Change::AppEnded { app } => f.word(u64::from(app.0)),
        Change::Moved { app, to, .. } => {
            f.word(u64::from(app.0));
            f.word(u64::from(to.0));
        }
        Change::PriorityChanged { app, to, .. } => {
            f.word(u64::from(app.0));
            f.int(i64::from(*to));
        }
        Change::Refreshed => {}
        // It has no number, and so no figures.
        Change::NotRunnable { .. }
        | Change::Unanswered { .. }
        | Change::NotActivated { .. }
        | Change::CommitRefused { .. }
        | Change::AskedBack { .. }
        | Change::Preempted { .. }
        | Change::Starved { .. } => {}
    }
}

fn container(f: &mut Fold, id: &ContainerId) {
    f.word(u64::from(id.app.0));
    f.word(u64::from(id.attempt));
    f.word(id.seq);
}

/// Folds the number of types up to the last that is not 0, then their amounts.
fn amount(f: &mut Fold, r: &Resource) {
    let n = r.0.iter().rposition(|v| *v != 0).map_or(0, |i| i + 1);
    f.word(n as u64);
    r.0.iter().take(n).for_each(|v| f.int(*v));
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::{About, Check, Failure};
    use crate::journal::{Finding, Silent};
    use crate::model::{AppId, NodeId, PartitionId};

    #[test]
    fn decisions_count_and_reasons_do_not() {
        let mut a = Fingerprinted::new(Silent);
        let empty = a.value();
        a.keep(5, Finding::Checked(Failure::of(Check::AppPending).about(About::App(AppId(0)))).into());
        assert_eq!((a.value(), a.decisions()), (empty, 0));
        let added = |at, memory| {
            let mut f = Fingerprinted::new(Silent);
            let total = Resource::new(memory, 1);
            f.keep(at, Change::NodeAdded { node: NodeId(0), total, partition: PartitionId(0) }.into());
            f.value()
        };
        assert_ne!(added(0, 1024), empty);
        assert_ne!(added(0, 1024), added(1, 1024));
        assert_ne!(added(0, 1024), added(0, 1025));
        assert_eq!(added(0, 1024), added(0, 1024));
    }
}
