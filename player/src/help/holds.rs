//! What kept a request, as typed kinds from its record: the causes before a node, and those on nodes.

use crate::explain::cause::Cause;
use heddle_core::check::{About, Amounts, Check, Checked, Figures, Outcome};
use heddle_core::journal::{Change, Finding, ParallelLimit, VisitEnd};
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
        Change::NotActivated { app, why } => (app, hold_of(why.check, None, &why.figures)?),
        Change::CommitRefused { app, why, .. } => (app, hold_of(why.check, None, &why.figures)?),
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
            about: of @ About::OnNode(app, key, _),
            end: VisitEnd::Reserved { .. } | VisitEnd::ReReserved { .. },
        } => {
            debug_assert!(of.app().is_some());
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
    let hold = hold_of(*check, queue, figures)?;
    match queue {
        Some(queue) => Some(Noted { app: None, key: None, queue: Some(queue), hold, last }),
        None => {
            let app = checked.about.app().filter(|app| Some(*app) == about)?;
            let key = checked.about.request().map(|(_, key)| key);
            Some(Noted { app: Some(app), key, queue: None, hold, last })
        }
    }
}

/// What a check that failed holds up, and what may be changed about it. `None`: nothing that a change of settings or of
/// what is asked for would move.
fn hold_of(check: Check, queue: Option<QueueId>, figures: &Figures) -> Option<Hold> {
    let amounts = figures.as_amounts();
    let of_queue = |hold: fn(QueueId) -> Hold| amounts.and_then(|a| a.queue).or(queue).map(hold);
    Some(match check {
        Check::QueueParallelApps => return queue.map(Hold::Parallel),
        Check::UserParallelApps | Check::UserParallelLimitReadable => Hold::ParallelOfUser,
        Check::ClusterResources => Hold::Room,
        Check::QueueAmLimit => Hold::AmLimit,
        Check::UserAmLimit => Hold::UserAmLimit,
        Check::PartitionAccess => Hold::Label,
        Check::QueueLimit => match queue {
            Some(queue) if amounts.is_some_and(is_left_by_parent) => Hold::LeftByParent(queue),
            Some(queue) => Hold::QueueMax(queue),
            None => Hold::Headroom,
        },
        Check::MaxResources => return of_queue(Hold::QueueMax),
        Check::LeafHeadroom => Hold::Behind(amounts?.app?),
        Check::UserLimit | Check::CommitUserLimit => Hold::UserLimit,
        Check::InDemand => Hold::Demand,
        Check::AmShare => Hold::AmShare,
        Check::ReservationsNeeded => Hold::EnoughHeld,
        Check::Headroom => Hold::Headroom,
        Check::Constraint | Check::ConstraintErrors => Hold::Constraint,
        Check::LocalityDelay => Hold::Delay,
        Check::RelaxLocality => Hold::NoRelax,
        Check::MaxShare => return of_queue(Hold::MaxShare),
        Check::CommitQueueMaximum => return of_queue(Hold::QueueMax),
        Check::NodeTotal
        | Check::NodeFree
        | Check::BelowFairShare
        | Check::ReservationThreshold
        | Check::RoomNotPromised
        | Check::ReservableNodes => Hold::Room,
        // Nothing is wanted, or it is somebody else's turn.
        Check::QueuePending
        | Check::AppPending
        | Check::RequestPending
        | Check::RequestKept
        | Check::NodeUnreserved
        | Check::NodeRoom
        | Check::NodeMinimum
        | Check::CandidateUnreserved
        | Check::OfferGave
        | Check::TurnUnreserved
        | Check::MultipleAssignments
        | Check::OffSwitchAssignments
        | Check::AssignmentsPerHeartbeat
        | Check::HalfOfFreeRoom => return None,
        // Only time, or another request, moves these.
        Check::AmExclusivity
        | Check::NonPartitionedFirst
        | Check::NodePartition
        | Check::Blacklist
        | Check::LocalityDelayTime
        | Check::LocalityRow
        | Check::Unreserve
        | Check::CommitNodeRunning
        | Check::CommitKillable
        | Check::CommitUnreserved
        | Check::CommitConstraint
        | Check::CommitSupported
        | Check::CommitWanted
        | Check::CommitReservation
        | Check::CommitNodeFree => return None,
    })
}

/// Whether the limit of a queue is what its parent leaves, less than its own maximum.
fn is_left_by_parent(amounts: &Amounts) -> bool {
    amounts.besides().is_some_and(|maximum| maximum != amounts.limit)
}
