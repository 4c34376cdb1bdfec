//! The fingerprint of a run: 64 bits over everything that was decided with effect, in order: nodes and applications
//! that came and went, containers allocated and ended, reservations made and given up, activations, moves. Reasons
//! are not part of it, so a release that explains better has the same fingerprints.
//!
//! Canonical form: for each such entry its number in the table below, the time, and its figures, as 64-bit words
//! through [`Fold`]. The same on every target. Numbers and forms are frozen.

use super::{Entry, Recorder};
use crate::model::{ContainerId, Fold, Millis, Resource};

/// Hands entries on, and folds what was decided into a fingerprint.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Fingerprinted<R> {
    /// The recorder behind it.
    pub inner: R,
    fold: Fold,
    decisions: u64,
}

impl<R> Fingerprinted<R> {
    /// Around a recorder.
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

    /// How many entries it stands for.
    pub fn decisions(&self) -> u64 {
        self.decisions
    }
}

impl<R: Recorder> Recorder for Fingerprinted<R> {
    #[inline]
    fn on(&self) -> bool {
        true
    }

    fn orders(&self) -> bool {
        self.inner.orders()
    }

    // Reasons are not folded, so their repetition is none of its business.
    fn remember(&mut self) -> Option<u64> {
        self.inner.remember()
    }

    fn repeat(&mut self, at: Millis, ticket: u64) -> bool {
        self.inner.repeat(at, ticket)
    }

    fn keep(&mut self, at: Millis, entry: Entry) {
        if fold(&mut self.fold, at, &entry) {
            self.decisions += 1;
        }
        if self.inner.on() {
            self.inner.keep(at, entry);
        }
    }
}

/// Folds an entry if it is a decision with effect; says whether it was.
fn fold(f: &mut Fold, at: Millis, entry: &Entry) -> bool {
    let mut begin = |number: u64| {
        f.word(number);
        f.int(at);
    };
    match entry {
        Entry::NodeAdded { node, total, partition } => {
            begin(1);
            f.word(u64::from(node.0));
            amount(f, total);
            f.word(u64::from(partition.0));
        }
        Entry::NodeRemoved { node, .. } => {
            begin(2);
            f.word(u64::from(node.0));
        }
        Entry::NodeResized { node, to, .. } => {
            begin(3);
            f.word(u64::from(node.0));
            amount(f, to);
        }
        Entry::NodeRelabelled { node, to, .. } => {
            begin(4);
            f.word(u64::from(node.0));
            f.word(u64::from(to.0));
        }
        Entry::NodeDecommissioning { node } => {
            begin(5);
            f.word(u64::from(node.0));
        }
        Entry::Submitted { app, queue, user } => {
            begin(6);
            f.word(u64::from(app.0));
            f.word(u64::from(queue.0));
            f.word(u64::from(user.0));
        }
        Entry::Rejected { app } => {
            begin(7);
            f.word(u64::from(app.0));
        }
        Entry::AttemptAdded { app, attempt } => {
            begin(8);
            f.word(u64::from(app.0));
            f.word(u64::from(*attempt));
        }
        Entry::Activated { app, .. } => {
            begin(9);
            f.word(u64::from(app.0));
        }
        Entry::Allocated { container: id, node, size, key, from_reservation, .. } => {
            begin(10);
            container(f, id);
            f.word(u64::from(node.0));
            amount(f, size);
            f.int(i64::from(key.priority));
            f.int(key.allocation_request_id);
            f.word(u64::from(*from_reservation));
        }
        Entry::Reserved { container: id, node, size, .. } => {
            begin(11);
            container(f, id);
            f.word(u64::from(node.0));
            amount(f, size);
        }
        Entry::Unreserved { container: id, node, .. } => {
            begin(12);
            container(f, id);
            f.word(u64::from(node.0));
        }
        Entry::Completed { container: id, node, exit_code, .. } => {
            begin(13);
            container(f, id);
            f.word(u64::from(node.0));
            f.int(i64::from(*exit_code));
        }
        Entry::AttemptEnded { app, attempt } => {
            begin(14);
            f.word(u64::from(app.0));
            f.word(u64::from(*attempt));
        }
        Entry::AppEnded { app } => {
            begin(15);
            f.word(u64::from(app.0));
        }
        Entry::Moved { app, to, .. } => {
            begin(16);
            f.word(u64::from(app.0));
            f.word(u64::from(to.0));
        }
        Entry::PriorityChanged { app, to, .. } => {
            begin(17);
            f.word(u64::from(app.0));
            f.int(i64::from(*to));
        }
        Entry::Refreshed => begin(18),
        _ => return false,
    }
    true
}

fn container(f: &mut Fold, id: &ContainerId) {
    f.word(u64::from(id.app.0));
    f.word(u64::from(id.attempt));
    f.word(id.seq);
}

/// How many types up to the last that is not 0, then the amounts.
fn amount(f: &mut Fold, r: &Resource) {
    let n = r.0.iter().rposition(|v| *v != 0).map_or(0, |i| i + 1);
    f.word(n as u64);
    r.0.iter().take(n).for_each(|v| f.int(*v));
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::journal::{AppVerdict, Silent};
    use crate::model::{AppId, NodeId, PartitionId};

    #[test]
    fn decisions_count_and_reasons_do_not() {
        let mut a = Fingerprinted::new(Silent);
        let empty = a.value();
        a.keep(5, Entry::App { app: AppId(0), verdict: AppVerdict::NoPending });
        assert_eq!((a.value(), a.decisions()), (empty, 0));
        let added = |at, memory| {
            let mut f = Fingerprinted::new(Silent);
            let total = Resource::new(memory, 1);
            f.keep(at, Entry::NodeAdded { node: NodeId(0), total, partition: PartitionId(0) });
            f.value()
        };
        assert_ne!(added(0, 1024), empty);
        assert_ne!(added(0, 1024), added(1, 1024));
        assert_ne!(added(0, 1024), added(0, 1025));
        assert_eq!(added(0, 1024), added(0, 1024));
    }
}
