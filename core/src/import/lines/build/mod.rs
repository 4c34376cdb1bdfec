//! Builds the smallest scenario in which Heddle prints a pasted line.

mod active;
mod activities;
mod asks;
mod draft;
mod endings;
mod fair;
mod masters;
mod others;
mod settings;
mod submissions;

use super::RecognisedLine;
use crate::model::Millis;
use draft::Draft;

/// The scene that a line is turned into.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scene {
    /// None: the line has too little information, or is not about YARN's scheduling.
    None,
    // ---- ApplicationMasters that wait
    AmQueueLimit,
    AmUserLimit,
    NoNodes,
    JustAdded,
    AmWaits,
    AmAtUserLimit,
    AmBlacklisted,
    AmBorrowing,
    AmElsewhere,
    AmAssigned,
    AmLaunched,
    FairAmShare,
    FairMaxShare,
    FairReserved,
    FairNotReserved,
    FairParallelQueue,
    FairParallelUser,
    // ---- submissions
    FairRejected,
    FairZero,
    FairZeroAsk,
    FairNotLeaf,
    FairAcl,
    Stopped,
    QueueFull,
    UserFull,
    SystemFull,
    UnknownQueue,
    Ambiguous,
    NonLeaf,
    Acl,
    PriorityAcl,
    NoQueue,
    MappingOnly,
    Lifetime,
    /// Settings that a refresh refuses.
    Refused,
    // ---- requests
    TooLarge,
    Negative,
    LabelAccess,
    LabelUnknown,
    LabelsOff,
    SeveralLabels,
    LabelOnPlace,
    // ---- endings
    Preempted,
    FairPreempts,
    Expired,
    Lost,
    AmLost,
    AmTimedOut,
    // ---- activities
    Constraint,
    ConstraintCommit,
    ProcessorRejected,
    OtherPartition,
    NodeTotal,
    NodeFree,
    NodeFull,
    UserMax,
    QueueMax,
    Headroom,
    NoAccess,
    NodeReserved,
    CandidateReserved,
    QueueReserved,
    NonPartitionedFirst,
    Elsewhere,
    NoPlace,
    OffSwitchDelay,
    Blacklisted,
    Idle,
    // ---- logs, clients, tables
    Activated,
    ParallelQueue,
    ParallelUser,
    OneAm,
    Mapped,
    Placed,
    Cluster,
    QueueUse,
    Reserved,
    NodeJoins,
    NodeJoinsFair,
    NodeLeaves,
    NodeSick,
    NodeLost,
    NodeGone,
    NodeTooSmall,
    NodeExcluded,
    SparkClient,
    Executors,
    NoExecutors,
    FlinkRoom,
    RoundedUp,
    NoHeadroom,
    HeadroomOf,
    SliderRole,
    SliderRelax,
    SamzaHost,
    ShellLowered,
    Apps,
    Containers,
    Nodes,
    Queues,
    QueuePage,
    FairPage,
    Metrics,
}

/// Assumptions and open questions.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Remarks {
    pub assumed: Vec<String>,
    pub unknown: Vec<String>,
    /// Why YARN does not print the very line in the scenario, if it does not.
    pub lost: Option<String>,
}

/// A scenario built from a line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Built {
    /// The scenario's text.
    pub scenario: String,
    pub remarks: Remarks,
    /// The moment and the selection, such as `app:job`, that WHY shows.
    pub at_ms: Millis,
    pub what: String,
}

/// Builds the scenario of a line. Errors: why there is none.
pub fn build(line: &RecognisedLine) -> Result<Built, String> {
    let figures = &line.figures;
    let mut draft: Draft = match line.row.scene {
        Scene::None => return Err(why_none(line)),
        Scene::AmQueueLimit => masters::queue_limit(figures)?,
        Scene::AmUserLimit => masters::user_limit(figures)?,
        Scene::NoNodes => masters::no_nodes(figures)?,
        Scene::JustAdded => masters::just_added(figures)?,
        Scene::AmWaits => masters::waits(figures)?,
        Scene::AmAtUserLimit => masters::at_user_limit(figures)?,
        Scene::AmBlacklisted => masters::blacklisted(figures)?,
        Scene::AmBorrowing => masters::borrowing(figures)?,
        Scene::AmElsewhere => masters::elsewhere(figures)?,
        Scene::AmAssigned => masters::assigned(figures)?,
        Scene::AmLaunched => masters::launched(figures)?,
        Scene::FairAmShare => fair::am_share(figures)?,
        Scene::FairMaxShare => fair::max_share(figures)?,
        Scene::FairReserved => fair::reserved(figures, true)?,
        Scene::FairNotReserved => fair::reserved(figures, false)?,
        Scene::FairParallelQueue => fair::parallel(figures, true)?,
        Scene::FairParallelUser => fair::parallel(figures, false)?,
        Scene::FairRejected => fair::rejected(figures)?,
        Scene::FairZero => fair::zero(figures, true)?,
        Scene::FairZeroAsk => fair::zero(figures, false)?,
        Scene::FairNotLeaf => fair::not_leaf(figures)?,
        Scene::FairAcl => fair::acl(figures)?,
        Scene::Stopped => submissions::stopped(figures)?,
        Scene::QueueFull => submissions::queue_full(figures)?,
        Scene::UserFull => submissions::user_full(figures)?,
        Scene::SystemFull => submissions::system_full(figures)?,
        Scene::UnknownQueue => submissions::unknown_queue(figures)?,
        Scene::Ambiguous => submissions::ambiguous(figures)?,
        Scene::NonLeaf => submissions::non_leaf(figures)?,
        Scene::Acl => submissions::acl(figures)?,
        Scene::PriorityAcl => submissions::priority_acl(figures)?,
        Scene::NoQueue => submissions::no_queue(figures)?,
        Scene::MappingOnly => submissions::mapping_only(figures)?,
        Scene::Lifetime => submissions::lifetime(figures)?,
        Scene::Refused => settings::refused(line.row, figures)?,
        Scene::TooLarge => asks::too_large(figures)?,
        Scene::Negative => return Err("no request of a scenario asks for less than nothing".into()),
        Scene::LabelAccess => asks::label_access(figures)?,
        Scene::LabelUnknown => asks::label_unknown(figures)?,
        Scene::LabelsOff => asks::labels_off(figures)?,
        Scene::SeveralLabels => asks::several_labels(figures)?,
        Scene::LabelOnPlace => asks::label_on_place(figures)?,
        Scene::Preempted => endings::preempted(figures)?,
        Scene::FairPreempts => endings::fair_preempts(figures)?,
        Scene::Expired => endings::expired(figures)?,
        Scene::Lost => endings::lost(figures)?,
        Scene::AmLost => endings::am_lost(figures)?,
        Scene::AmTimedOut => endings::am_timed_out(figures)?,
        Scene::Constraint => activities::constraint(figures)?,
        Scene::ConstraintCommit | Scene::ProcessorRejected => activities::processor(figures)?,
        Scene::OtherPartition => activities::other_partition(figures)?,
        Scene::NodeTotal => activities::node_total(figures)?,
        Scene::NodeFree => activities::node_free(figures)?,
        Scene::NodeFull => activities::node_full(figures)?,
        Scene::UserMax => activities::user_max(figures)?,
        Scene::QueueMax => activities::queue_max(figures)?,
        Scene::Headroom | Scene::NoHeadroom => activities::headroom(figures)?,
        Scene::NoAccess => activities::no_access(figures)?,
        Scene::NodeReserved => activities::node_reserved(figures)?,
        Scene::Reserved => activities::reservation(figures)?,
        Scene::CandidateReserved => activities::candidate_reserved(figures)?,
        Scene::QueueReserved => activities::queue_reserved(figures)?,
        Scene::NonPartitionedFirst => activities::non_partitioned_first(figures)?,
        Scene::Elsewhere => activities::elsewhere(figures)?,
        Scene::NoPlace => activities::no_place(figures)?,
        Scene::OffSwitchDelay => activities::off_switch_delay(figures)?,
        Scene::Blacklisted => activities::blacklisted(figures)?,
        Scene::Idle | Scene::Activated | Scene::Mapped => others::runs(figures)?,
        Scene::ParallelQueue => submissions::parallel(figures, true)?,
        Scene::ParallelUser => submissions::parallel(figures, false)?,
        Scene::OneAm => masters::one_am(figures)?,
        Scene::Placed | Scene::Cluster => others::placed(figures)?,
        Scene::QueueUse => others::queue_use(figures)?,
        Scene::NodeJoins => others::node_joins(figures, false)?,
        Scene::NodeJoinsFair => others::node_joins(figures, true)?,
        Scene::NodeLeaves | Scene::NodeLost | Scene::NodeGone | Scene::NodeSick => {
            others::node_leaves(line.row.scene, figures)?
        }
        Scene::NodeTooSmall => others::node_too_small(figures)?,
        Scene::NodeExcluded => others::node_excluded(figures)?,
        Scene::SparkClient | Scene::RoundedUp | Scene::ShellLowered => others::client(figures)?,
        Scene::Executors => others::executors(figures)?,
        Scene::NoExecutors => others::no_executors(figures)?,
        Scene::FlinkRoom => others::flink_room(figures)?,
        Scene::HeadroomOf => others::headroom_of(figures)?,
        Scene::SliderRole | Scene::SliderRelax => others::slider(figures)?,
        Scene::SamzaHost => others::preferred_host(figures)?,
        Scene::Apps | Scene::Containers => others::apps(figures)?,
        Scene::Nodes => others::nodes(figures)?,
        Scene::Queues => others::queues(figures)?,
        Scene::QueuePage => others::queue_page(figures)?,
        Scene::FairPage => others::fair_page(figures)?,
        Scene::Metrics => others::metrics(figures)?,
    };
    reported(figures, &mut draft);
    if line.mistyped {
        draft.assume("typing errors were overlooked");
    }
    Ok(Built {
        scenario: draft.text(),
        at_ms: draft.at,
        what: draft.what,
        remarks: Remarks { assumed: draft.assumed, unknown: draft.unknown, lost: draft.lost },
    })
}

/// Gives the application that the line is about its name and its priority, if the report around the line has them.
fn reported(figures: &super::Figures, draft: &mut Draft) {
    let Some(of) = draft.what.strip_prefix("app:").map(str::to_owned) else { return };
    let Some(app_name) = figures.text("app_name") else { return };
    let Some(own) = draft::name(app_name).or(figures.text("app").and_then(draft::name)) else { return };
    let was = format!("[[apps]]\nname = \"{of}\"\n");
    let taken = format!("name = \"{own}\"\n");
    if draft.entries.iter().any(|entry| entry.contains(&taken)) {
        return;
    }
    let Some(entry) = draft.entries.iter_mut().find(|entry| entry.starts_with(&was)) else { return };
    let priority = figures.number("app_priority").filter(|n| *n > 0 && *n <= i64::from(i32::MAX));
    let priority = priority.map_or(String::new(), |n| format!("priority = {n}\n"));
    *entry = entry.replacen(&was, &format!("[[apps]]\nname = \"{own}\"\n{priority}"), 1);
    draft.what = format!("app:{own}");
    if own != app_name {
        draft.title = format!("{}: {}", app_name.trim(), draft.title);
    }
}

fn why_none(line: &RecognisedLine) -> String {
    let say = line.say();
    if say.is_empty() {
        "the line says too little for a scenario".to_string()
    } else {
        say.trim_end_matches('.').to_string()
    }
}
