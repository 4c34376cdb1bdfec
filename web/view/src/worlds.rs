//! The results of a scenario and its other worlds, side by side.

use super::{Amount, Selection, Snapshot, WhyView};
use serde::{Deserialize, Serialize};

/// The name of the running scenario among the worlds.
pub const AS_IT_IS: &str = "as it is";
/// The name of the scenario as it was before editing, or as it was imported.
pub const AS_OPENED: &str = "as it was opened";
/// The most worlds that are drawn side by side.
pub const DRAWN_MAX: usize = 3;

/// The worlds to compare.
#[derive(Clone, Debug, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Comparison {
    /// The baseline's name; "" for the scenario as it is.
    pub base: String,
    /// The other worlds that are drawn, by name; empty for the first ones.
    pub shown: Vec<String>,
    /// Worlds that the scenario does not name: a change that is tried, or those that a link brought. If there are any, only
    /// they, the scenario and the chosen worlds are run.
    pub given: Vec<GivenWorld>,
}

/// A world that the scenario does not name.
#[derive(Clone, Debug, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct GivenWorld {
    pub name: String,
    /// The scenario's text.
    pub text: String,
}

/// The pictures of the compared worlds at one moment, the baseline first.
#[derive(Clone, Debug, PartialEq, Default, Serialize, Deserialize)]
pub struct BesideView {
    pub time_ms: i64,
    pub worlds: Vec<WorldPicture>,
}

/// One world at the moment that is shown.
#[derive(Clone, Debug, PartialEq, Default, Serialize, Deserialize)]
pub struct WorldPicture {
    pub name: String,
    pub snapshot: Snapshot,
    /// The answer for the selection; `None` if it is not there in this world.
    pub why: Option<WhyView>,
    /// The containers that the baseline does not have on that node. In the baseline itself: those that another drawn world
    /// does not have there. Containers of one application, size, role, partition and tags are equal, whatever their numbers.
    pub unequal: Vec<Selection>,
    /// The nodes that hold something else than in the baseline, or in the baseline itself than in another drawn world: other
    /// containers, another reservation, state, size or label.
    pub nodes: Vec<String>,
}

/// The result of one world, at a moment and at the end.
#[derive(Clone, Debug, PartialEq, Default, Serialize, Deserialize)]
pub struct WorldView {
    /// The name.
    pub name: String,
    /// The scenario's text, for opening it.
    pub text: String,
    /// The reason why it cannot be run; then everything else is empty.
    pub refused: String,
    /// Problems of its settings, or reasons why they have no effect, in sentences.
    pub odd: Vec<String>,
    /// The headline at the moment.
    pub headline: String,
    /// Applications at the moment, in the order of submission.
    pub apps: Vec<WorldAppView>,
    /// Leaf queues at the moment, all partitions together.
    pub queues: Vec<WorldQueueView>,
    /// The number of applications that ended by the end of the run, in any way, and of all applications.
    pub ended: (usize, usize),
    /// The end of the last application; `None`: none has ended, or one never does.
    pub all_ended_ms: Option<i64>,
    /// The number of containers that finished their work by the end of the run, without ApplicationMasters.
    pub done: i64,
    /// The time up to which it was run; less than the scenario's end if that would take too long.
    pub known_ms: i64,
    /// The first difference from the first world.
    pub first: Option<Difference>,
    /// Each application over the whole run, in the order of submission.
    pub runs: Vec<WorldRunView>,
    /// Who gains and who loses from the first world to this one.
    pub gains: Option<GainsView>,
}

/// One application over the whole run of a world.
#[derive(Clone, Debug, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct WorldRunView {
    pub name: String,
    /// The leaf queue's path.
    pub queue: String,
    pub user: String,
    pub submitted_ms: i64,
    /// The first container besides the AM's; `None`: none within the run.
    pub started_ms: Option<i64>,
    /// The end; `None`: not within the run.
    pub ended_ms: Option<i64>,
    /// The containers that it was given, without AMs.
    pub containers: i64,
    /// The time that its containers waited together, without AMs: from the submission, or from its preemption, to the
    /// placement of each, or to the end of the run.
    pub waited_ms: i64,
    /// The memory of its containers, each as long as it was held, in MB·s.
    pub held_mb_s: i64,
    /// The containers that wait at the end of the run.
    pub waiting: i64,
    /// The containers that preemption killed or asked back, with AMs.
    pub preempted: i64,
    /// The work that was lost by that, in MB·s.
    pub lost_mb_s: i64,
}

/// Who gains and who loses between two worlds. The sums of queues, of users and of applications are the same.
#[derive(Clone, Debug, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct GainsView {
    /// Leaf queues, those with the largest difference first.
    pub queues: Vec<GainView>,
    pub users: Vec<GainView>,
    pub apps: Vec<GainView>,
    pub sum: GainView,
}

/// The figures of one queue, user or application in two worlds. Of several applications they are sums.
#[derive(Clone, Debug, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct GainView {
    pub name: String,
    /// The subject, to select it; `None` for the sum.
    pub about: Option<Selection>,
    /// The number of applications.
    pub apps: i64,
    /// From submission to the first container besides the AM's, or to the end of the run.
    pub wait_ms: (i64, i64),
    /// The first container of any of them, and the last end if all have ended.
    pub start_ms: (Option<i64>, Option<i64>),
    pub end_ms: (Option<i64>, Option<i64>),
    pub containers: (i64, i64),
    /// The time that the containers waited together.
    pub waited_ms: (i64, i64),
    /// The memory of the containers, each as long as it was held.
    pub held_mb_s: (i64, i64),
    /// The containers that wait at the end of the run.
    pub waiting: (i64, i64),
    pub preempted: (i64, i64),
    pub lost_mb_s: (i64, i64),
}

/// The change from one world to another, as it leaves the page.
#[derive(Clone, Debug, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct TrialView {
    /// The lines that it takes away and adds, each with its sign.
    pub lines: Vec<String>,
    /// The files that it changes, by name, with the change.
    pub files: Vec<(String, String)>,
    /// What it changes of queues; `None`: nothing.
    pub queues: Option<QueuesChange>,
}

/// A change of queues, for a running ResourceManager.
#[derive(Clone, Debug, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct QueuesChange {
    /// For `PUT /ws/v1/cluster/scheduler-conf` and the Capacity Scheduler UI.
    pub json: String,
    pub xml: String,
    /// A command of `yarn schedulerconf`; `None`: a value cannot be written in one.
    pub command: Option<String>,
}

/// One application in one world.
#[derive(Clone, Debug, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct WorldAppView {
    pub name: String,
    /// The state: "RUNNING".
    pub state: String,
    /// Live containers, without the AM.
    pub placed: i64,
    /// Containers that finished their work.
    pub done: i64,
    /// Containers requested but not allocated, including the AM.
    pub waiting: i64,
    pub rejected: i64,
    /// The end, at the moment or later; `None`: not within the run.
    pub ended_ms: Option<i64>,
}

/// One leaf queue in one world.
#[derive(Clone, Debug, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct WorldQueueView {
    pub path: String,
    /// The usage, including reservations.
    pub used: Amount,
    /// The part that ApplicationMasters use.
    pub am_used: Amount,
    pub guaranteed: Amount,
}

/// The first difference between two worlds.
#[derive(Clone, Debug, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Difference {
    pub time_ms: i64,
    /// The next event in the first world: "placed job-1 on n1"; "" if there is none.
    pub here: String,
    /// The event in the other world instead.
    pub there: String,
    pub about: Option<Selection>,
}
