//! What kept a request, as typed kinds from its record: the causes before a node, and those on nodes.

use crate::explain::cause::Cause;
use crate::explain::waits::of_check::{Hold, hold};
use heddle_core::check::{About, Checked, Outcome};
use heddle_core::journal::{Change, Finding, ParallelLimit, VisitEnd};
use heddle_core::model::{AppId, Millis, QueueId, RequestKey};

/// What stops a request by the chain of limits.
pub fn of_cause(cause: Cause) -> Option<Hold> {
    Some(match cause {
        Cause::ParallelOfQueue(queue) => Hold::Parallel(queue),
        Cause::ParallelOfUser => Hold::ParallelOfUser,
        Cause::AmLimit(_) => Hold::AmLimit,
        Cause::UserAmLimit(_) => Hold::UserAmLimit,
        Cause::NoSuchLabel | Cause::LabelForbidden(_) | Cause::NoShareOfLabel(_) => Hold::Label,
        Cause::QueueMax(queue) => Hold::QueueMax(queue),
        Cause::LeftByParent(queue) => Hold::LeftByParent(queue),
        Cause::UserLimit(_) => Hold::UserLimit,
        Cause::Headroom(queue) => Hold::QueueMax(queue),
        Cause::KeptForOthers(_) => Hold::Headroom,
        Cause::EnoughHeld => Hold::EnoughHeld,
        Cause::Behind(app) => Hold::Behind(app),
        Cause::TooManyErrors => Hold::Constraint,
        Cause::AmShare(_) => Hold::AmShare,
        Cause::MaxShare(queue) => Hold::MaxShare(queue),
        Cause::NotInDemand => Hold::Demand,
        Cause::NoNodes | Cause::OnlyHeld => Hold::Room,
        // What refused it, or came first, is noted beside.
        Cause::BehindOwn | Cause::Refused => return None,
    })
}

/// A hold as it was recorded.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Noted {
    /// Of which application; `None`: of whoever is in the queue.
    pub app: Option<AppId>,
    /// Of which request; `None`: of the application as a whole.
    pub key: Option<RequestKey>,
    pub queue: Option<QueueId>,
    pub hold: Hold,
    pub last: Millis,
}

impl Noted {
    /// But for the time.
    pub fn is_same(&self, other: &Noted) -> bool {
        (self.app, self.key, self.queue, self.hold) == (other.app, other.key, other.queue, other.hold)
    }
}

/// Of something that was kept from happening.
pub fn of_change(last: Millis, change: &Change) -> Option<Noted> {
    let key = if let Change::CommitRefused { key, .. } = change { Some(*key) } else { None };
    let (app, hold) = match change {
        Change::NotRunnable { app, limit, .. } => (
            app,
            match limit {
                ParallelLimit::Queue(queue) => Hold::Parallel(*queue),
                ParallelLimit::User(_) | ParallelLimit::Unreadable(_) => Hold::ParallelOfUser,
            },
        ),
        Change::NotActivated { app, why } => (app, hold(why.check, None, &why.figures)?),
        Change::CommitRefused { app, why, .. } => (app, hold(why.check, None, &why.figures)?),
        _ => return None,
    };
    Some(Noted { app: Some(*app), key, queue: None, hold, last })
}

/// Of a check that failed of an application, or of a queue.
pub fn of_finding(last: Millis, finding: &Finding, about: Option<AppId>) -> Option<Noted> {
    let checked = match finding {
        Finding::Checked(checked) if checked.outcome == Outcome::Failed => checked,
        // What is reserved waits for room.
        Finding::Leave {
            about: About::OnNode(app, key, _),
            end: VisitEnd::Reserved { .. } | VisitEnd::ReReserved { .. },
        } => {
            let noted = Noted { app: Some(*app), key: Some(*key), queue: None, hold: Hold::Room, last };
            return (Some(*app) == about).then_some(noted);
        }
        Finding::Checked(_)
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
    let Checked { check, figures, .. } = checked;
    let queue = if let About::Queue(queue) = checked.about { Some(queue) } else { None };
    let hold = hold(*check, queue, figures)?;
    match queue {
        Some(queue) => Some(Noted { app: None, key: None, queue: Some(queue), hold, last }),
        None => {
            let app = checked.about.app().filter(|app| Some(*app) == about)?;
            let key = checked.about.request().map(|(_, key)| key);
            Some(Noted { app: Some(app), key, queue: None, hold, last })
        }
    }
}
