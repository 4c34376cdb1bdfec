//! What kept a request, as typed kinds from its record: the causes before a node, and those on nodes.

use crate::explain::cause::Cause;
use heddle_core::journal::{
    ActivationStop, AppVerdict, Change, CommitRefusal, Finding, NodeVerdict, ParallelLimit, QueueVerdict,
    RequestVerdict,
};
use heddle_core::model::{AppId, Millis, QueueId, RequestKey};

/// Something that keeps a request, and that may be changed. Where no queue is named it is the application's own leaf.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Hold {
    /// A queue runs as many applications as it may.
    Parallel(QueueId),
    ParallelOfUser,
    AmLimit,
    /// The limit of its user's AMs.
    UserAmLimit,
    /// No node has the label, or its queue may not use it.
    Label,
    UserLimit,
    /// The maximum of a queue.
    QueueMax(QueueId),
    /// What the parent leaves a queue.
    LeftByParent(QueueId),
    /// What is left to its leaf, by whichever queue on its way.
    Headroom,
    /// Its leaf waits for a request of this application.
    Behind(AppId),
    /// It has reserved enough nodes.
    EnoughHeld,
    /// The FairScheduler's limit of AMs.
    AmShare,
    /// The FairScheduler's maximum of a queue.
    MaxShare(QueueId),
    /// The FairScheduler's last update came before it.
    Demand,
    /// It waits for a nearer node.
    Delay,
    /// It may go nowhere but where it asked to be.
    NoRelax,
    Constraint,
    /// No node has the room.
    Room,
}

impl Hold {
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
        Change::NotActivated { app, why } => (
            app,
            match why {
                ActivationStop::EmptyCluster => Hold::Room,
                ActivationStop::QueueAmLimit { .. } => Hold::AmLimit,
                ActivationStop::UserAmLimit { .. } => Hold::UserAmLimit,
            },
        ),
        Change::CommitRefused { app, why, .. } => (
            app,
            match &**why {
                CommitRefusal::UserLimit { .. } => Hold::UserLimit,
                CommitRefusal::QueueMaximum { queue, .. } => Hold::QueueMax(*queue),
                _ => return None,
            },
        ),
        _ => return None,
    };
    Some(Noted { app: Some(*app), key, queue: None, hold, last })
}

/// Of what a look found of an application, or of a queue.
pub fn of_finding(last: Millis, finding: &Finding, about: Option<AppId>) -> Option<Noted> {
    let of_app = |app: &AppId, key: Option<RequestKey>, hold| {
        (Some(*app) == about).then_some(Noted { app: Some(*app), key, queue: None, hold, last })
    };
    match finding {
        Finding::App { app, verdict } => of_app(
            app,
            None,
            match verdict {
                AppVerdict::UserLimit { .. } => Hold::UserLimit,
                AppVerdict::QueueMaxCapacity { .. } => Hold::Headroom,
                AppVerdict::AmShare { .. } => Hold::AmShare,
                AppVerdict::NotInDemand => Hold::Demand,
                AppVerdict::NoPending => return None,
            },
        ),
        Finding::Queue { queue, verdict } => {
            let hold = match verdict {
                QueueVerdict::MaxCapacity { limit, maximum, .. } if limit != maximum => Hold::LeftByParent(*queue),
                QueueVerdict::MaxCapacity { .. } => Hold::QueueMax(*queue),
                QueueVerdict::Headroom { app, .. } => Hold::Behind(*app),
                QueueVerdict::NoAccess => Hold::Label,
                _ => return None,
            };
            Some(Noted { app: None, key: None, queue: Some(*queue), hold, last })
        }
        Finding::Request { app, key, verdict } => of_app(
            app,
            Some(*key),
            match verdict {
                RequestVerdict::Headroom { .. } => Hold::Headroom,
                RequestVerdict::ReservationAlgorithm { .. } => Hold::EnoughHeld,
                _ => return None,
            },
        ),
        Finding::Node { app, key, verdict, .. } => of_app(
            app,
            Some(*key),
            match verdict {
                NodeVerdict::Constraint { .. } | NodeVerdict::TooManyErrors { .. } => Hold::Constraint,
                NodeVerdict::Delay { .. } => Hold::Delay,
                NodeVerdict::NoRelax { .. } => Hold::NoRelax,
                NodeVerdict::MaxShare { queue, .. } => Hold::MaxShare(*queue),
                NodeVerdict::TotalTooSmall { .. }
                | NodeVerdict::FreeTooSmall { .. }
                | NodeVerdict::NotReserved { .. }
                | NodeVerdict::Reserved { .. }
                | NodeVerdict::ReReserved { .. } => Hold::Room,
                _ => return None,
            },
        ),
        _ => None,
    }
}
