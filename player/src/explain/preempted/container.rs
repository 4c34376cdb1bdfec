//! Why the preemption monitor chose a container, and what became of the container and its resources; or why it does not choose
//! it.

use super::case::{ExplainedLeaf, condition, unreached};
use super::waiting::Freeing;
use crate::explain::marks;
use crate::explain::names::Names;
use crate::explain::say::preemption as say;
use crate::explain::view::{ConditionView, Met, PreemptionView};
use crate::explain::words;
use heddle_core::check::Check;
use heddle_core::config::capacity::preemption::IntraQueueOrder;
use heddle_core::model::{ContainerId, Millis, NodeId, PartitionId, PreemptedFor, QueueId, Resource, Selector};
use heddle_core::preemption::{Because, IdealPass, PreemptionStep, QueueIdeal, Round, SparedBy};
use heddle_core::scheduler::ContainerState;
use std::sync::Arc;

/// The number of containers that are named one by one.
const NAMED: usize = 4;

/// The round that marked a container.
#[derive(Clone, Debug)]
pub struct Chosen {
    pub at: Millis,
    pub by: Selector,
    /// The time of the round that kills it, as the latest round foresees. `None`: its mark expires before.
    pub killed_at: Option<Millis>,
    /// The round's record.
    pub round: Option<Arc<Round>>,
}

/// What the journal has about a container and preemption.
#[derive(Clone, Debug, Default)]
pub struct PreemptionHistory {
    /// The latest mark that may still lead, or led, to a kill.
    pub marked: Option<Chosen>,
    /// The time since which it has been killable.
    pub killable: Option<Millis>,
    /// When it was killed, and for what.
    pub preempted: Option<(Millis, PreemptedFor)>,
    /// When it ended in another way.
    pub ended: Option<Millis>,
    /// When its AM gave it back; whether it was asked back itself, and whether its work is kept.
    pub given_back: Option<(Millis, bool, bool)>,
    /// The next container that was allocated on its node after the kill.
    pub next: Option<(Millis, ContainerId, NodeId)>,
}

/// Why a container is not chosen.
#[derive(Clone, Debug, PartialEq)]
enum NotChosenCause {
    /// Nothing is taken from any queue.
    Switch(Freeing),
    NotOver,
    Disabled,
    NobodyOwed,
    KeepsAll,
    DeadZone,
    TakenNothing,
    Spared(SparedBy),
    /// Others, of which these are named, were enough before its turn.
    Enough(Vec<ContainerId>),
    /// It was chosen but is only observed.
    Chosen,
    /// The kill had no effect.
    Void,
    /// The round did not reach it for another reason: another selector's target was met first.
    NotReached,
}

impl NotChosenCause {
    /// Returns the check that failed. `None`: it was chosen, or nothing is known.
    fn check(&self) -> Option<Check> {
        Some(match self {
            NotChosenCause::Switch(why) => return why.check(),
            NotChosenCause::NotOver => Check::OverGuarantee,
            NotChosenCause::Disabled => Check::QueuePreemptable,
            NotChosenCause::NobodyOwed => Check::OthersOwed,
            NotChosenCause::KeepsAll => Check::QueueGives,
            NotChosenCause::DeadZone => Check::BeyondDeadZone,
            NotChosenCause::TakenNothing => Check::NaturalTermination,
            NotChosenCause::Spared(why) => why.check(),
            NotChosenCause::Enough(_) | NotChosenCause::NotReached => Check::StillWanted,
            NotChosenCause::Chosen | NotChosenCause::Void => return None,
        })
    }
}

/// Returns the answer for a container.
pub fn container(names: Names<'_>, id: ContainerId, story: &PreemptionHistory) -> Option<PreemptionView> {
    let rm = names.rm();
    rm.capacity()?;
    let leaf = rm.scheduled(id.app)?.queue;
    if let Some(chosen) = &story.marked {
        let p = partition_then(names, id, chosen);
        let case = ExplainedLeaf { round: chosen.round.as_deref(), ..ExplainedLeaf::now(names, leaf, p) };
        return Some(told(&case, id, chosen, story));
    }
    if let Some((at, what_for)) = story.preempted {
        let sentence = say::was_killed(&words::clock(at), &marks::preempted(names, id, what_for));
        let sentence = sentence.trim().to_string();
        return Some(PreemptionView { title: say::WHY_IT.to_string(), sentence, ..PreemptionView::default() });
    }
    if let Some((at, asked, keeps)) = story.given_back {
        let sentence = say::given_back_at(&words::clock(at), asked, keeps).trim().to_string();
        return Some(PreemptionView { title: say::WHY_IT.to_string(), sentence, ..PreemptionView::default() });
    }
    let live = rm.container(id).filter(|c| !matches!(c.state, ContainerState::Over | ContainerState::Reserved))?;
    let p = rm.cluster().node(live.node).partition;
    let case = ExplainedLeaf::now(names, leaf, p);
    case.monitor?;
    let (conditions, kept) = kept(&case, id, live.allocated_at, live.am);
    let mut sentence = sentence(&case, &kept);
    sentence.push_str(&still_marked(&case, id));
    sentence.push_str(&case.not_read_yet());
    let round_ms = case.round.map(|r| r.at);
    let title = say::WHY_NOT_IT.to_string();
    let check = kept.check().map(|check| check.row().name.to_string());
    Some(PreemptionView { title, sentence, round_ms, check, conditions, ..PreemptionView::default() })
}

/// Returns the partition that it was chosen in.
fn partition_then(names: Names<'_>, id: ContainerId, chosen: &Chosen) -> PartitionId {
    let of = chosen.round.as_deref().and_then(|r| r.chosen.iter().find(|c| c.container == id)).map(|c| c.partition);
    of.or_else(|| names.rm().container(id).map(|c| c.partition)).unwrap_or_default()
}

/// Returns the answer for a chosen container: the round, its queue's figures, for whom, in which order, and what became of it.
fn told(case: &ExplainedLeaf<'_>, id: ContainerId, chosen: &Chosen, story: &PreemptionHistory) -> PreemptionView {
    let names = case.names;
    let mut sentence = String::new();
    if let Some(round) = case.round
        && let Some(mine) = round.chosen.iter().find(|c| c.container == id)
    {
        let at = words::clock(round.at);
        let like = round.chosen.iter().filter(|c| c.queue == mine.queue && c.selector == mine.selector);
        let (of, n) = (like.clone().count(), like.take_while(|c| c.container != id).count() + 1);
        let pass = round.passes.iter().rev().find(|pass| pass.selector == mine.selector);
        sentence = match mine.because {
            Because::MakesRoom { reservation, .. } | Because::Priority { reservation } => {
                let host = names.node(mine.node);
                let whose = names.queue_of(reservation.app);
                say::chosen_for_reservation(&at, mine.selector, names.app(reservation.app), whose, host)
            }
            Because::WithinQueue { wanted, .. } => {
                say::chosen_within(&at, case.queue(case.leaf), names.app(id.app), &case.text(wanted))
            }
            _ => match pass.and_then(|pass| Some((pass, case.line(pass, case.leaf)?))) {
                Some((pass, line)) => from_queue(case, &at, pass, line),
                None => String::new(),
            },
        };
        let lent = matches!(mine.because, Because::Lent { .. });
        sentence.push_str(&say::in_order(mine.selector, lent, n as i64, of as i64));
        if let Because::Am { am_used, am_maximum, .. } = mine.because {
            sentence.push_str(&say::an_am_too(&case.text(am_used), &case.text(am_maximum)));
        }
    }
    let live = names.rm().container(id).filter(|c| c.state != ContainerState::Over);
    let now = ExplainedLeaf::now(names, case.leaf, case.p);
    let became = match (story.preempted, story.ended, story.killable, live) {
        (Some((at, PreemptedFor::Round { .. })), ..) => say::not_given_back(&words::clock(at), is_am(case, id)),
        (Some((at, what_for)), ..) => say::was_killed(&words::clock(at), &marks::preempted(names, id, what_for)),
        (None, Some(at), ..) => match story.given_back {
            Some((at, asked, keeps)) => say::given_back_at(&words::clock(at), asked, keeps),
            None => say::ended_before(&words::clock(at)),
        },
        (None, None, Some(since), Some(_)) => say::killable_since(&words::clock(since)),
        (None, None, None, Some(_)) => say::will_end(&marks::ends(names, id, chosen.killed_at)) + &now.not_read_yet(),
        (None, None, _, None) => String::new(),
    };
    sentence.push_str(&became);
    if let Some((at, next, node)) = story.next {
        sentence.push_str(&say::next_there(names.node(node), &names.container_name(next), &words::clock(at)));
    }
    let conditions = kept(case, id, Millis::MIN, false).0;
    PreemptionView {
        title: say::WHY_IT.to_string(),
        sentence: sentence.trim().to_string(),
        round_ms: case.round.map(|r| r.at),
        conditions,
        ..PreemptionView::default()
    }
}

/// Describes the mark of a container that the latest round did not choose but whose mark has not expired.
fn still_marked(case: &ExplainedLeaf<'_>, id: ContainerId) -> String {
    let Some(monitor) = case.monitor else { return String::new() };
    let (Some(mark), Some(from), Some(until)) =
        (monitor.marks().get(id), monitor.killed_from(id), monitor.kept_until(id))
    else {
        return String::new();
    };
    let lazy = case.names.rm().capacity().is_some_and(|s| s.conf().lazy_preemption);
    let [since, from, until] = [mark.since, from, until].map(words::clock);
    say::marked_still(&since, &from, &until, lazy)
}

/// Returns whether it was an AM when it was chosen.
fn is_am(case: &ExplainedLeaf<'_>, id: ContainerId) -> bool {
    case.round.is_some_and(|r| r.chosen.iter().any(|c| c.container == id && c.am))
}

/// Returns why its queue gives, and to whom.
fn from_queue(case: &ExplainedLeaf<'_>, at: &str, pass: &IdealPass, line: &QueueIdeal) -> String {
    let [used, guaranteed, keep, wanted] = [line.used, line.guaranteed, line.keep, line.wanted].map(|r| case.text(r));
    let owed: Vec<String> = case
        .owed_others(pass)
        .iter()
        .map(|l| say::owed_then(case.queue(l.queue), &case.text(l.used), &case.text(l.ideal)))
        .collect();
    say::chosen_from_queue(at, case.queue(case.leaf), [&used, &guaranteed, &keep, &wanted], &owed)
}

/// Returns every condition for the case's round to choose a container, and the first that is not met. `since`: when the
/// container came to be there.
fn kept(case: &ExplainedLeaf<'_>, id: ContainerId, since: Millis, am: bool) -> (Vec<ConditionView>, NotChosenCause) {
    const ORDER: [Check; 8] = [
        Check::OverGuarantee,
        Check::QueuePreemptable,
        Check::OthersOwed,
        Check::QueueGives,
        Check::BeyondDeadZone,
        Check::NaturalTermination,
        Check::MasterSpared,
        Check::StillWanted,
    ];
    let (mut out, stop) = case.switches(since);
    let begin = out.len();
    let chosen_as = case.round.and_then(|r| r.chosen.iter().find(|c| c.container == id));
    let (Some(round), None) = (case.round, stop.as_ref()) else {
        out.extend(ORDER.map(unreached));
        return (out, stop.map_or(NotChosenCause::NotReached, NotChosenCause::Switch));
    };
    // These conditions do not apply to selectors that do not compare queues.
    let own_way = chosen_as.is_some_and(|c| !matches!(c.selector, Selector::Fifo | Selector::Balance));
    let asked = |pass: &&IdealPass| case.line(pass, case.leaf).is_some_and(|l| case.positive(l.wanted));
    let pass = case.passes().find(asked).or_else(|| case.passes().next());
    let kept = match pass.and_then(|pass| Some((pass, case.line(pass, case.leaf)?))) {
        Some((pass, line)) if !own_way => {
            queue_gives(case, pass, line, &mut out).or_else(|| its_turn(case, round, pass, id, am, &mut out))
        }
        _ => None,
    };
    if !own_way {
        let seen = out.len() - begin;
        out.extend(ORDER.iter().skip(seen).copied().map(unreached));
    }
    within(case, round, id, &mut out);
    let void = round.acts.iter().any(|a| a.container == id && a.deed == PreemptionStep::Void);
    let kept = match chosen_as {
        Some(_) if void => NotChosenCause::Void,
        Some(_) => NotChosenCause::Chosen,
        None => kept.unwrap_or(NotChosenCause::NotReached),
    };
    (out, kept)
}

/// Checks whether its queue gives anything.
fn queue_gives(
    case: &ExplainedLeaf<'_>,
    pass: &IdealPass,
    line: &QueueIdeal,
    out: &mut Vec<ConditionView>,
) -> Option<NotChosenCause> {
    let own = case.queue(case.leaf);
    let [used, guaranteed, keep, owed, damped, zone] =
        [line.used, line.guaranteed, line.keep, line.owed, line.damped, line.dead_zone].map(|r| case.text(r));
    let others: Vec<String> = case
        .owed_others(pass)
        .iter()
        .map(|l| say::owed_now(case.queue(l.queue), &case.text(l.used), &case.text(l.ideal)))
        .collect();
    let beyond = line.is_beyond_maximum(case.names.rm().cluster().calculator);
    let to = match others.is_empty() {
        true if beyond => say::nobody_and_beyond(own, &case.text(line.maximum)),
        true => say::NOBODY.to_string(),
        false => words::list(&others, NAMED),
    };
    let factor = case.monitor.map_or(0.0, |m| m.conf().natural_termination_factor);
    let steps = [
        (NotChosenCause::NotOver, case.above(line.used, line.guaranteed), say::of_guarantee(own, &used, &guaranteed)),
        (NotChosenCause::Disabled, !line.disabled, say::yes_no(!line.disabled)),
        (NotChosenCause::NobodyOwed, beyond || !others.is_empty(), to),
        (
            NotChosenCause::KeepsAll,
            case.positive(line.owed),
            say::owes(own, &keep, &owed, case.beyond(line).as_deref()),
        ),
        (NotChosenCause::DeadZone, line.beyond_dead_zone, say::dead_zone(own, &used, &zone, line.beyond_dead_zone)),
        (NotChosenCause::TakenNothing, case.positive(line.wanted), say::natural_termination(factor, &damped, &owed)),
    ];
    for (kept, holds, value) in steps {
        let Some(check) = kept.check() else { continue };
        let met = if holds { Met::Yes } else { Met::No };
        let mut condition = case.condition(check, met, value);
        if !holds && kept == NotChosenCause::Disabled {
            condition.properties = case.disabled_by(case.leaf);
        }
        out.push(condition);
        if !holds {
            return Some(kept);
        }
    }
    None
}

/// Checks whether the round reached the container, and whether it spared it.
fn its_turn(
    case: &ExplainedLeaf<'_>,
    round: &Round,
    pass: &IdealPass,
    id: ContainerId,
    am: bool,
    out: &mut Vec<ConditionView>,
) -> Option<NotChosenCause> {
    let chosen: Vec<ContainerId> = round
        .chosen
        .iter()
        .filter(|c| c.selector == pass.selector && c.queue == Some(case.leaf) && c.partition == case.p)
        .map(|c| c.container)
        .collect();
    let spared = round.spared.iter().find(|s| s.container == id && s.selector == pass.selector).map(|s| s.why);
    let is_chosen = chosen.contains(&id);
    let value = if am { say::AM_LAST } else { say::NO_AM };
    let met = match (am, spared) {
        (true, Some(SparedBy::Am)) => Met::No,
        (true, _) if !is_chosen => Met::Slows,
        _ => Met::Yes,
    };
    out.push(condition(Check::MasterSpared, met, value.to_string()));
    if met == Met::No {
        return Some(NotChosenCause::Spared(SparedBy::Am));
    }
    let before: Vec<String> = chosen.iter().take_while(|c| **c != id).map(|c| case.names.container_name(*c)).collect();
    let walked = round.walks.iter().find(|w| w.queue == case.leaf && w.selector == pass.selector);
    let enough = walked.is_some_and(|w| w.left.iter().all(|(p, _)| *p != case.p));
    let (met, value, kept) = match spared {
        _ if is_chosen => {
            (Met::Yes, say::its_number(before.len() as i64 + 1, chosen.len() as i64), NotChosenCause::Chosen)
        }
        Some(why) => (Met::No, say::left_alone_since(&why, &case.text(amount_of(&why))), NotChosenCause::Spared(why)),
        None if enough => (Met::No, say::enough_before(&words::list(&before, NAMED)), NotChosenCause::Enough(chosen)),
        None => (Met::No, say::NOT_COME_TO.to_string(), NotChosenCause::NotReached),
    };
    out.push(condition(kept.check().unwrap_or(Check::StillWanted), met, value));
    (!is_chosen).then_some(kept)
}

/// Returns the amount that a reason names.
fn amount_of(why: &SparedBy) -> Resource {
    match why {
        SparedBy::Budget { left } => *left,
        SparedBy::TypeUsedUp { wanted } | SparedBy::NoUse { wanted } => *wanted,
        SparedBy::UserLimit { limit, .. } => *limit,
        SparedBy::Killable | SparedBy::Am | SparedBy::OtherPartition => Resource::ZERO,
    }
}

/// Checks whether its application gives to others of its queue.
fn within(case: &ExplainedLeaf<'_>, round: &Round, id: ContainerId, out: &mut Vec<ConditionView>) {
    let Some(pass) = round.intra.iter().find(|i| i.queue == case.leaf && i.partition == case.p) else { return };
    let Some(app) = pass.apps.iter().find(|a| a.app == id.app) else { return };
    let chosen = round.chosen.iter().any(|c| c.container == id && c.selector == Selector::IntraQueue);
    let spared = round.spared.iter().find(|s| s.container == id && s.selector == Selector::IntraQueue).map(|s| s.why);
    let gives = case.positive(app.wanted) && pass.stop.is_none();
    let value = match spared {
        _ if chosen => say::app_gives(case.names.app(id.app), &case.text(app.wanted)),
        Some(why) => say::left_alone_since(&why, &case.text(amount_of(&why))),
        None if gives => say::enough_within(&case.text(app.wanted)),
        None => {
            let (used, rm) = (app.used - app.am, case.names.rm());
            let first = case.monitor.is_some_and(|m| m.conf().intra_order == IntraQueueOrder::UserLimitFirst);
            let why = match case.positive(app.owed) {
                _ if !case.above(used, app.ideal) => "",
                true => say::NOBODY_MAY_TAKE,
                false if first && !case.above(used - app.ideal, rm.cluster().minimum) => say::SMALLEST_LEFT,
                false => say::NOTHING_THIS_ROUND,
            };
            format!("{}{why}", say::app_has_enough(&case.text(used), &case.text(app.ideal)))
        }
    };
    let met = if chosen { Met::Yes } else { Met::No };
    let check = spared.filter(|_| !chosen).map_or(Check::IntraOwed, |why| why.check());
    out.push(condition(check, met, value));
}

/// Returns why it is not chosen, as a sentence.
fn sentence(case: &ExplainedLeaf<'_>, kept: &NotChosenCause) -> String {
    let own: &str = case.queue(case.leaf);
    let at = case.round.map_or(String::new(), |r| words::clock(r.at));
    let label = case.names.partition(case.p);
    let names_of = |ids: &[ContainerId]| ids.iter().map(|c| case.names.container_name(*c)).collect::<Vec<_>>();
    let disabled = |q: QueueId| case.disabled_by(q).concat();
    match kept {
        NotChosenCause::Switch(Freeing::NeverRuns { interval }) => say::never_runs(*interval),
        NotChosenCause::Switch(Freeing::NotYet { next }) => say::not_yet(next.map(words::clock).as_deref()),
        NotChosenCause::Switch(Freeing::Failed { at, failure }) => {
            say::failed(&words::clock(*at), &case.failure(failure))
        }
        NotChosenCause::Switch(_) => say::NOT_LISTED.to_string(),
        NotChosenCause::NotOver => say::kept_not_over(&at, own, label),
        NotChosenCause::Disabled => say::kept_disabled(own, &disabled(case.leaf)),
        NotChosenCause::NobodyOwed => say::kept_nobody_owed(&at, label),
        NotChosenCause::KeepsAll => say::kept_all(&at, own, label),
        NotChosenCause::DeadZone => say::kept_in_dead_zone(&at, own),
        NotChosenCause::TakenNothing => say::kept_nothing_taken(&at, own),
        NotChosenCause::Spared(why) => say::kept_spared(&at, &say::left_alone_since(why, &case.text(amount_of(why)))),
        NotChosenCause::Enough(chosen) => say::kept_enough(&at, &words::list(&names_of(chosen), NAMED)),
        NotChosenCause::Chosen => say::kept_watched(&at),
        NotChosenCause::Void => say::kept_void(&at),
        NotChosenCause::NotReached => say::kept_not_reached(&at),
    }
}
