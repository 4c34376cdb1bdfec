//! What a scenario expects of its run. `player` judges it.

use crate::model::{Millis, Span};
use serde::{Deserialize, Serialize};
use std::cmp::Ordering;
use std::fmt;

/// One assertion: a time clause, a subject, and conditions that must all hold of it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Expectation {
    /// When it must hold.
    pub when: When,
    /// Of what.
    pub subject: Subject,
    /// What must hold; never empty.
    pub conditions: Vec<Condition>,
    /// Why it is so, for the one who reads a failure.
    pub because: String,
    /// Where it is written.
    pub span: Span,
}

/// When an expectation must hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum When {
    /// At this moment, after everything of this moment has happened.
    At(Millis),
    /// At the end of the run.
    End,
    /// At some moment no later than this.
    By(Millis),
    /// At every moment from one to the other, both included; an end that is left out is the end of the run.
    Always(Millis, Option<Millis>),
    /// At no moment from one to the other.
    Never(Millis, Option<Millis>),
}

/// What an expectation is about.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Subject {
    /// The whole cluster.
    Cluster,
    App(String),
    Node(String),
    /// A queue, by full path or by a name that only one has.
    Queue(String),
    /// A user in a queue.
    User {
        user: String,
        queue: String,
    },
}

/// How a number compares.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Compare {
    #[serde(rename = "=")]
    Equal,
    #[serde(rename = "!=")]
    NotEqual,
    #[serde(rename = "<")]
    Less,
    /// Less or equal.
    #[serde(rename = "<=")]
    AtMost,
    #[serde(rename = ">")]
    More,
    /// More or equal.
    #[serde(rename = ">=")]
    AtLeast,
}

impl Compare {
    /// Signs, longest first, with what they mean.
    pub const SIGNS: [(&'static str, Compare); 9] = [
        ("<=", Compare::AtMost),
        (">=", Compare::AtLeast),
        ("!=", Compare::NotEqual),
        ("==", Compare::Equal),
        ("≤", Compare::AtMost),
        ("≥", Compare::AtLeast),
        ("<", Compare::Less),
        (">", Compare::More),
        ("=", Compare::Equal),
    ];

    /// Does `seen` stand so to `wanted`?
    pub fn holds(self, seen: i64, wanted: i64) -> bool {
        match self {
            Compare::Equal => seen == wanted,
            Compare::NotEqual => seen != wanted,
            Compare::Less => seen < wanted,
            Compare::AtMost => seen <= wanted,
            Compare::More => seen > wanted,
            Compare::AtLeast => seen >= wanted,
        }
    }

    /// Does an ordering satisfy it?
    pub fn admits(self, order: Ordering) -> bool {
        self.holds(order as i64, 0)
    }
}

impl fmt::Display for Compare {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Compare::Equal => "",
            Compare::NotEqual => "other than ",
            Compare::Less => "less than ",
            Compare::AtMost => "at most ",
            Compare::More => "more than ",
            Compare::AtLeast => "at least ",
        })
    }
}

/// A number that is wanted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Wanted {
    /// How it compares.
    pub compare: Compare,
    /// With what.
    pub number: i64,
}

impl Wanted {
    /// Does the number seen do?
    pub fn holds(self, seen: i64) -> bool {
        self.compare.holds(seen, self.number)
    }
}

impl fmt::Display for Wanted {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.compare, self.number)
    }
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Condition {
    Number(Figure, Wanted),
    /// A state as YARN names it, from its start: `RUNNING`, `ACCEPTED`.
    State(String),
    /// Words that the reason of a waiting request, YARN's own words about the subject, or the headline contain.
    Words(Words, String),
    /// How many containers of the application a node holds, its AM not counted.
    On(String, Wanted),
}

impl Condition {
    /// Does it need what is said of the moment (headline, reasons), and not its figures alone?
    pub fn is_about_words(&self) -> bool {
        match self {
            Condition::Number(Figure::NeverFits, _) | Condition::Words(..) => true,
            Condition::Number(..) | Condition::State(_) | Condition::On(..) => false,
        }
    }
}

/// Which text must contain certain words.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Words {
    Headline,
    /// The reason, in few words or in the sentence, why the application waits.
    Reason,
    /// YARN's own words about why it waits.
    Yarn,
}

/// A figure of the subject.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Figure {
    /// Containers that are there: of an application without its AM; of a node or the cluster with AMs.
    Placed,
    /// Containers asked for and not there.
    Waiting,
    /// Containers that ended (applications).
    Done,
    /// Requests that were rejected (applications).
    Rejected,
    /// Is there a waiting request that this cluster can never satisfy? 1 or 0.
    NeverFits,
    /// Reservations (cluster), or 1 or 0 (node).
    Reserved,
    /// MiB used.
    UsedMemory,
    UsedVcores,
    /// MiB free (nodes).
    FreeMemory,
    /// Vcores free (nodes).
    FreeVcores,
    /// MiB asked for and not there (queues).
    PendingMemory,
    /// MiB guaranteed (queues).
    GuaranteedMemory,
    /// MiB at most (queues).
    MaximumMemory,
    /// MiB of the limit: of a user in a queue.
    LimitMemory,
    /// MiB used by ApplicationMasters (queues, users).
    AmUsed,
    /// MiB of the limit for ApplicationMasters (queues, users).
    AmLimit,
    /// MiB of headroom last told (applications).
    Headroom,
    /// Applications active (queues).
    ActiveApps,
    /// Applications waiting for activation (queues).
    PendingApps,
    /// Racks with at least one container of the application.
    Racks,
    /// Nodes: with at least one container of the application, or of the cluster.
    Nodes,
    /// Containers asked back.
    Preempting,
    /// Containers that were preempted so far, those of AMs among them.
    Preempted,
    /// AMs that were preempted so far (applications).
    MastersPreempted,
    /// Containers that the AM stopped itself, since room was asked back (applications).
    GivenBack,
    /// MB·s of work that preemption has cost.
    WorkLost,
    /// MB·s of work that AMs have kept of what they gave back.
    WorkSaved,
    /// Tasks that were begun once more from their start (applications).
    BegunAgain,
    /// Tasks that were begun once more from where they had come to (applications).
    Resumed,
    /// Containers whose state is there (Samza jobs).
    Processing,
    /// Containers that restore their state (Samza jobs).
    Restoring,
    /// MB that containers have read at their starts, all starts together (Samza jobs).
    Restored,
}

impl Figure {
    /// Every figure: its key in the scenario, and which subjects have it.
    pub const ALL: [(&'static str, Figure, &'static str); 32] = [
        ("placed", Figure::Placed, "cluster app node"),
        ("waiting", Figure::Waiting, "cluster app"),
        ("done", Figure::Done, "app"),
        ("rejected", Figure::Rejected, "app"),
        ("never_fits", Figure::NeverFits, "app"),
        ("reserved", Figure::Reserved, "cluster app node"),
        ("used_memory", Figure::UsedMemory, "cluster app node queue user"),
        ("used_vcores", Figure::UsedVcores, "cluster app node queue user"),
        ("free_memory", Figure::FreeMemory, "node"),
        ("free_vcores", Figure::FreeVcores, "node"),
        ("pending_memory", Figure::PendingMemory, "queue"),
        ("guaranteed_memory", Figure::GuaranteedMemory, "queue"),
        ("maximum_memory", Figure::MaximumMemory, "queue"),
        ("limit_memory", Figure::LimitMemory, "user"),
        ("am_used", Figure::AmUsed, "queue user"),
        ("am_limit", Figure::AmLimit, "queue user"),
        ("headroom", Figure::Headroom, "app"),
        ("active_apps", Figure::ActiveApps, "queue user"),
        ("pending_apps", Figure::PendingApps, "queue user"),
        ("racks", Figure::Racks, "app"),
        ("nodes", Figure::Nodes, "cluster app"),
        ("preempting", Figure::Preempting, "cluster app"),
        ("preempted", Figure::Preempted, "cluster app queue"),
        ("masters_preempted", Figure::MastersPreempted, "app"),
        ("given_back", Figure::GivenBack, "app"),
        ("work_lost", Figure::WorkLost, "cluster app"),
        ("work_saved", Figure::WorkSaved, "cluster app"),
        ("begun_again", Figure::BegunAgain, "app"),
        ("resumed", Figure::Resumed, "app"),
        ("processing", Figure::Processing, "app"),
        ("restoring", Figure::Restoring, "app"),
        ("restored", Figure::Restored, "app"),
    ];

    /// Its key in the scenario.
    pub fn name(self) -> &'static str {
        Figure::ALL.iter().find(|(_, f, _)| *f == self).map_or("", |(name, _, _)| name)
    }

    /// Is it an amount of memory, which may be written with a unit?
    pub fn is_memory(self) -> bool {
        matches!(
            self,
            Figure::UsedMemory
                | Figure::FreeMemory
                | Figure::PendingMemory
                | Figure::GuaranteedMemory
                | Figure::MaximumMemory
                | Figure::LimitMemory
                | Figure::AmUsed
                | Figure::AmLimit
                | Figure::Headroom
                | Figure::WorkLost
                | Figure::WorkSaved
                | Figure::Restored
        )
    }
}
