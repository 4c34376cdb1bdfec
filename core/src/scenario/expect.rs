//! The expectations of a scenario about its run. `player` evaluates them.

use crate::model::{Millis, Span};
use serde::{Deserialize, Serialize};
use std::cmp::Ordering;
use std::fmt;

/// One assertion: a time clause, a subject, and conditions on it that must all hold.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Expectation {
    /// The time at which it must hold.
    pub when: When,
    /// The subject that the conditions are about.
    pub subject: Subject,
    /// The conditions; never empty.
    pub conditions: Vec<Condition>,
    /// The reason, for whoever reads a failure.
    pub because: String,
    /// Where it is written.
    pub span: Span,
}

/// The time at which an expectation must hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum When {
    /// At this moment, after all its events.
    At(Millis),
    /// At the end of the run.
    End,
    /// At some moment no later than this.
    By(Millis),
    /// At every moment from one to the other, both included; without the second, until the end of the run.
    Always(Millis, Option<Millis>),
    /// At no moment from one to the other.
    Never(Millis, Option<Millis>),
}

/// The subject of an expectation.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Subject {
    /// The whole cluster.
    Cluster,
    App(String),
    Node(String),
    /// A queue, by its full path or by an unambiguous name.
    Queue(String),
    /// A user in a queue.
    User {
        user: String,
        queue: String,
    },
}

/// A comparison of numbers.
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
    /// The signs with their comparisons, longest first.
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

    /// Returns whether `seen` compares to `wanted` in this way.
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

    /// Returns whether an ordering satisfies the comparison.
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

/// A comparison with a number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Wanted {
    /// The comparison.
    pub compare: Compare,
    /// The number to compare with.
    pub number: i64,
}

impl Wanted {
    /// Returns whether `seen` satisfies the comparison.
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
    /// A state as YARN names it, by its beginning: `RUNNING`, `ACCEPTED`.
    State(String),
    /// Words that the reason of a waiting request, YARN's own diagnostics or the headline must contain.
    Words(Words, String),
    /// The number of the application's containers on a node, its AM not counted.
    On(String, Wanted),
}

impl Condition {
    /// Returns whether the condition needs the explanations of a moment (headline, reasons), and not its figures alone.
    pub fn is_about_words(&self) -> bool {
        match self {
            Condition::Number(Figure::NeverFits, _) | Condition::Words(..) => true,
            Condition::Number(..) | Condition::State(_) | Condition::On(..) => false,
        }
    }
}

/// The text that must contain certain words.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Words {
    Headline,
    /// The reason why the application waits, in its short form or as a sentence.
    Reason,
    /// YARN's own diagnostics on why it waits.
    Yarn,
}

/// A figure of the subject.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Figure {
    /// Live containers: of an application without its AM; of a node or the cluster with AMs.
    Placed,
    /// Containers requested but not allocated.
    Waiting,
    /// Containers that ended (applications).
    Done,
    /// Requests that were rejected (applications).
    Rejected,
    /// Whether a waiting request exists that this cluster can never satisfy: 1 or 0.
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
    /// MiB requested but not allocated (queues).
    PendingMemory,
    /// MiB guaranteed (queues).
    GuaranteedMemory,
    /// MiB of the maximum capacity (queues).
    MaximumMemory,
    /// MiB of the user limit (users in a queue).
    LimitMemory,
    /// MiB used by ApplicationMasters (queues, users).
    AmUsed,
    /// MiB of the limit for ApplicationMasters (queues, users).
    AmLimit,
    /// MiB of the latest headroom sent (applications).
    Headroom,
    /// Applications active (queues).
    ActiveApps,
    /// Applications waiting for activation (queues).
    PendingApps,
    /// Racks with at least one container of the application.
    Racks,
    /// Nodes with at least one container of the application, or nodes of the cluster.
    Nodes,
    /// Containers marked for preemption.
    Preempting,
    /// Containers preempted so far, including AMs.
    Preempted,
    /// AMs preempted so far (applications).
    MastersPreempted,
    /// Containers that the AM stopped itself because preemption asked for them (applications).
    GivenBack,
    /// MB·s of work lost to preemption.
    WorkLost,
    /// MB·s of work that AMs saved of the containers they gave back.
    WorkSaved,
    /// Tasks that were restarted from the beginning (applications).
    BegunAgain,
    /// Tasks that were resumed from saved progress (applications).
    Resumed,
    /// Containers that have restored their state (Samza jobs).
    Processing,
    /// Containers that are restoring their state (Samza jobs).
    Restoring,
    /// MB that containers have read while restoring, over all starts (Samza jobs).
    Restored,
}

impl Figure {
    /// All figures, each with its key in the scenario and the subjects that have it.
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

    /// Returns the figure's key in the scenario.
    pub fn name(self) -> &'static str {
        Figure::ALL.iter().find(|(_, f, _)| *f == self).map_or("", |(name, _, _)| name)
    }

    /// Returns whether the figure is an amount of memory, which may be written with a unit.
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
