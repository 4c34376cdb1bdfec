//! What blocked a request, as typed conditions from its record: those before any node, and those on nodes.

use crate::explain::stop::StoppedBy;
use crate::explain::waits::of_check::{BlockingCondition, hold};
use heddle_core::check::{About, Check, Checked, Failure, Outcome};
use heddle_core::journal::{Change, Finding, VisitEnd};
use heddle_core::model::{AppId, Millis, PartitionId, QueueId, RequestKey};

/// Returns the condition that blocks a request in a partition before any node, if it can be changed.
pub fn of_stop(by: &StoppedBy, partition: PartitionId) -> Option<BlockingCondition> {
    match by {
        StoppedBy::Check(checked) => {
            let of_label = !partition.is_default() && checked.check == Check::QueueLimit;
            match checked.figures.as_amounts() {
                Some(amounts) if of_label && amounts.limit.is_zero() => Some(BlockingCondition::Label),
                Some(_) | None => of_checked(checked),
            }
        }
        StoppedBy::NoOffer => Some(BlockingCondition::Label),
        StoppedBy::App(app) => Some(BlockingCondition::Behind(*app)),
        StoppedBy::OwnReservations => Some(BlockingCondition::Room),
        // Earlier visits are noted separately; nothing blocks an AM that fits.
        StoppedBy::OwnRequest | StoppedBy::Unasked => None,
    }
}

/// Returns the condition behind a refusal at the commit.
pub fn of_failure(why: &Failure) -> Option<BlockingCondition> {
    hold(why.check, why.figures.as_amounts().and_then(|amounts| amounts.queue), &why.figures)
}

/// Returns the condition behind a failed check.
fn of_checked(checked: &Checked) -> Option<BlockingCondition> {
    hold(checked.check, checked.about.queue(), &checked.figures)
}

/// A recorded blocking condition.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RecordedBlock {
    /// The blocked application; `None` for any in the queue.
    pub app: Option<AppId>,
    /// The blocked request; `None` for the whole application.
    pub key: Option<RequestKey>,
    pub queue: Option<QueueId>,
    pub hold: BlockingCondition,
    pub last: Millis,
}

impl RecordedBlock {
    /// Returns whether two differ at most in time.
    pub fn is_same(&self, other: &RecordedBlock) -> bool {
        (self.app, self.key, self.queue, self.hold) == (other.app, other.key, other.queue, other.hold)
    }
}

/// Returns the blocking condition of a change, if it kept something from happening.
pub fn of_change(last: Millis, change: &Change) -> Option<RecordedBlock> {
    let key = if let Change::CommitRefused { key, .. } = change { Some(*key) } else { None };
    let (app, hold) = match change {
        Change::NotRunnable { app, why } => (app, of_checked(why)?),
        Change::NotActivated { app, why } => (app, hold(why.check, None, &why.figures)?),
        Change::CommitRefused { app, why, .. } => (app, hold(why.check, None, &why.figures)?),
        _ => return None,
    };
    Some(RecordedBlock { app: Some(*app), key, queue: None, hold, last })
}

/// Returns the blocking condition of a check that failed for an application or a queue.
pub fn of_finding(last: Millis, finding: &Finding, about: Option<AppId>) -> Option<RecordedBlock> {
    let checked = match finding {
        Finding::Checked(checked) if checked.outcome == Outcome::Failed => checked,
        // A reserved request waits for room.
        Finding::Leave {
            about: About::OnNode(app, key, _),
            end: VisitEnd::Reserved { .. } | VisitEnd::ReReserved { .. },
        } => {
            let noted =
                RecordedBlock { app: Some(*app), key: Some(*key), queue: None, hold: BlockingCondition::Room, last };
            return (Some(*app) == about).then_some(noted);
        }
        Finding::Checked(_)
        | Finding::Alike { .. }
        | Finding::Leave { .. }
        | Finding::Offer { .. }
        | Finding::IgnoreExclusivity
        | Finding::Children { .. }
        | Finding::Shares { .. }
        | Finding::Apps { .. }
        | Finding::Requests { .. }
        | Finding::Enter(_)
        | Finding::OfferOver { .. }
        | Finding::TurnOver { .. } => return None,
    };
    let (queue, hold) = (checked.about.queue(), of_checked(checked)?);
    match queue {
        Some(queue) => Some(RecordedBlock { app: None, key: None, queue: Some(queue), hold, last }),
        None => {
            let app = checked.about.app().filter(|app| Some(*app) == about)?;
            let key = checked.about.request().map(|(_, key)| key);
            Some(RecordedBlock { app: Some(app), key, queue: None, hold, last })
        }
    }
}
