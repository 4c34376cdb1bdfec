//! The subject and the class of each entry, for all readers of the journal: rows of events, folding, fingerprints.

use super::{Change, Entry, Finding, Processing, VisitEnd};
use crate::check::{About, Check, Checked, Outcome};
use crate::model::{AppId, ContainerId, NodeId, QueueId, RequestKey};

/// The subject of an entry.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Subject {
    /// The application, also if it is about a request or a container.
    pub app: Option<AppId>,
    pub key: Option<RequestKey>,
    pub container: Option<ContainerId>,
    /// The node that it is about, or on which it happened.
    pub node: Option<NodeId>,
    /// The queue; none if it is about an application in it.
    pub queue: Option<QueueId>,
}

impl Subject {
    const NOTHING: Subject = Subject { app: None, key: None, container: None, node: None, queue: None };

    pub(crate) fn app(app: AppId) -> Self {
        Subject { app: Some(app), ..Subject::NOTHING }
    }

    pub(crate) fn container(id: ContainerId) -> Self {
        Subject { app: Some(id.app), container: Some(id), ..Subject::NOTHING }
    }

    fn node(node: NodeId) -> Self {
        Subject { node: Some(node), ..Subject::NOTHING }
    }

    fn queue(queue: QueueId) -> Self {
        Subject { queue: Some(queue), ..Subject::NOTHING }
    }

    pub(crate) fn key(self, key: RequestKey) -> Self {
        Subject { key: Some(key), ..self }
    }

    fn at(self, node: NodeId) -> Self {
        Subject { node: Some(node), ..self }
    }
}

/// The class of an entry.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Class {
    /// An event, which is always kept and listed. The number identifies its form in the fingerprint, if it is a
    /// decision with effect.
    Happened(Option<u64>),
    /// A skip. It is repeated when the same subject is skipped again at the same level for the same reason.
    PassedOver(Reason),
    /// The beginning of an offer, to which the following entries belong.
    Begins,
    /// A detail of an offer, without a line of its own.
    Aside,
}

/// Why a subject was skipped, without the figures.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reason {
    /// A failed check, and the application that its figures name.
    Failed(Check, Option<AppId>),
    /// A reservation was retried and stays.
    Kept,
    /// A pending application was not activated, for whatever reason.
    Activation,
}

impl Reason {
    /// Distinguishes what was decided: one subject may have several decisions at one moment, each with a line of its
    /// own.
    pub fn level(&self) -> u8 {
        match self {
            Reason::Failed(
                Check::BelowFairShare | Check::ReservationThreshold | Check::RoomNotPromised | Check::ReservableNodes,
                _,
            ) => 1,
            Reason::Failed(..) | Reason::Kept => 0,
            Reason::Activation => 2,
        }
    }
}

/// Subject and class of an entry.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Traits {
    pub subject: Subject,
    pub class: Class,
}

impl Entry {
    /// The subject and the class.
    #[inline]
    pub fn traits(&self) -> Traits {
        let (subject, class) = match self {
            Entry::Changed(change) => of_change(change),
            Entry::Found(finding) => of_finding(finding),
            Entry::Processed(processing) => of_processing(processing),
            Entry::Acted(act) => act.traits(),
        };
        Traits { subject, class }
    }

    /// The subject.
    pub fn subject(&self) -> Subject {
        self.traits().subject
    }
}

/// The numbers are frozen: fingerprints of released versions depend on them.
fn of_change(change: &Change) -> (Subject, Class) {
    let happened = |number| Class::Happened(Some(number));
    match change {
        Change::NodeAdded { node, .. } => (Subject::node(*node), happened(1)),
        Change::NodeRemoved { node, .. } => (Subject::node(*node), happened(2)),
        Change::NodeResized { node, .. } => (Subject::node(*node), happened(3)),
        Change::NodeRelabelled { node, .. } => (Subject::node(*node), happened(4)),
        Change::NodeDecommissioning { node } => (Subject::node(*node), happened(5)),
        Change::Submitted { app, .. } => (Subject::app(*app), happened(6)),
        Change::Rejected { app } => (Subject::app(*app), happened(7)),
        Change::Unanswered { app } => (Subject::app(*app), Class::Happened(None)),
        Change::AttemptAdded { app, .. } => (Subject::app(*app), happened(8)),
        Change::NotRunnable { app, .. } => (Subject::app(*app), Class::Happened(None)),
        Change::Activated { app, .. } => (Subject::app(*app), happened(9)),
        Change::NotActivated { app, .. } => (Subject::app(*app), Class::PassedOver(Reason::Activation)),
        Change::Allocated { container, node, key, .. } => {
            (Subject::container(*container).key(*key).at(*node), happened(10))
        }
        Change::Reserved { container, node, key, .. } => {
            (Subject::container(*container).key(*key).at(*node), happened(11))
        }
        Change::Unreserved { container, node, .. } => (Subject::container(*container).at(*node), happened(12)),
        Change::CommitRefused { app, key, node, .. } => (Subject::app(*app).key(*key).at(*node), Class::Happened(None)),
        Change::Completed { container, node, .. } => (Subject::container(*container).at(*node), happened(13)),
        Change::AttemptEnded { app, .. } => (Subject::app(*app), happened(14)),
        Change::AppEnded { app } => (Subject::app(*app), happened(15)),
        Change::Moved { app, .. } => (Subject::app(*app), happened(16)),
        Change::PriorityChanged { app, .. } => (Subject::app(*app), happened(17)),
        Change::Refreshed => (Subject::NOTHING, happened(18)),
        Change::ReservationMoved { container, to, .. } => (Subject::container(*container).at(*to), happened(19)),
        Change::Marked { container, node, .. } => (Subject::container(*container).at(*node), happened(20)),
        Change::MadeKillable { container, node, .. } => (Subject::container(*container).at(*node), happened(21)),
        Change::AskedBack { app, .. } => (Subject::app(*app), Class::Happened(None)),
        Change::Preempted { container, node, .. } => (Subject::container(*container).at(*node), Class::Happened(None)),
        Change::Starved { app, .. } => (Subject::app(*app), Class::Happened(None)),
        Change::Warned { container, node, .. } => (Subject::container(*container).at(*node), happened(22)),
    }
}

fn of_processing(processing: &Processing) -> (Subject, Class) {
    match processing {
        Processing::Batch { app, .. } => (Subject::app(*app), Class::Happened(None)),
        Processing::Rejected { app, key, .. } => (Subject::app(*app).key(*key), Class::Happened(None)),
    }
}

fn of_finding(finding: &Finding) -> (Subject, Class) {
    match finding {
        Finding::Offer { node, .. } => (Subject::node(*node), Class::Begins),
        Finding::IgnoreExclusivity | Finding::OfferOver { .. } => (Subject::NOTHING, Class::Aside),
        Finding::Children { queue, .. } | Finding::Shares { queue, .. } | Finding::Apps { queue, .. } => {
            (Subject::queue(*queue), Class::Aside)
        }
        Finding::Requests { app, .. } | Finding::Alike { app, .. } => (Subject::app(*app), Class::Aside),
        Finding::Enter(about) => (of_about(*about), Class::Aside),
        Finding::Checked(checked) => (of_about(checked.about), of_checked(checked)),
        Finding::Leave { about, end: VisitEnd::ReReserved { .. } } => {
            (of_about(*about), Class::PassedOver(Reason::Kept))
        }
        Finding::Leave { about, .. } => (of_about(*about), Class::Aside),
        Finding::TurnOver { by } => (of_about(by.about), Class::Aside),
    }
}

fn of_about(about: About) -> Subject {
    match about {
        About::Cluster | About::User(_) => Subject::NOTHING,
        About::Node(node) => Subject::node(node),
        About::Queue(queue) => Subject::queue(queue),
        About::App(app) => Subject::app(app),
        About::Request(app, key) => Subject::app(app).key(key),
        About::OnNode(app, key, node) => Subject::app(app).key(key).at(node),
    }
}

/// Returns the class of a check: a failed one that is logged is a skip, all others are details. A following change records
/// what was allocated or reserved.
fn of_checked(checked: &Checked) -> Class {
    match checked.outcome {
        Outcome::Passed | Outcome::Moot => Class::Aside,
        Outcome::Failed if !checked.check.row().logged => Class::Aside,
        Outcome::Failed => {
            let of = checked.figures.as_amounts().and_then(|amounts| amounts.app);
            Class::PassedOver(Reason::Failed(checked.check, of))
        }
    }
}
