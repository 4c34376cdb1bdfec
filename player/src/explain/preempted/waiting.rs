//! What is being freed for a waiting request, when, and why not more; or why nothing is.

use super::case::{ExplainedLeaf, unreached};
use super::cycles::Retaker;
use super::trial::{Trial, trial};
use crate::explain::names::Names;
use crate::explain::say::preemption as say;
use crate::explain::view::{ConditionView, FreeingView, Met, PreemptionView};
use crate::explain::waiting::Waiting;
use crate::explain::words;
use heddle_core::check::Check;
use heddle_core::model::{CalculatorKind, ContainerId, Millis, NodeId, QueueId, Resource, Selector};
use heddle_core::preemption::{Because, Failure, IdealPass, PreemptionStep, QueueIdeal, SparedBy};
use heddle_core::scheduler::capacity::Queue;
use heddle_core::scheduler::{Container, ContainerState};

/// The number of queues that are named one by one.
const NAMED: usize = 4;

/// Why resources are freed for a request, or why nothing is taken for it.
#[derive(Clone, Debug, PartialEq)]
pub enum Freeing {
    /// Monitors are off.
    Off,
    /// Monitors are on, but preemption is not among them.
    NotListed,
    /// Its interval allows no rounds.
    NeverRuns { interval: Millis },
    /// No round has come since the request began to wait.
    NotYet { next: Option<Millis> },
    /// The latest round ended with an error.
    Failed { at: Millis, failure: Failure },
    /// Containers are marked for it, or killable.
    Comes { marked: usize, killable: usize },
    /// The round chose containers but only observes.
    Watched { chosen: usize },
    /// The round counted no pending resources for its queue.
    NotCounted,
    /// Its queue has its ideal assignment.
    HasEnough { used: Resource, ideal: Resource },
    /// No other queue uses more than its guarantee.
    NobodyOver,
    /// The resources that its queue is owed are free without preemption.
    RoomThere { free: Resource },
    /// This queue uses more than it is to keep of a type that the request lacks, but not by dominant share.
    HiddenSurplus(Hidden),
    /// The queues that use more than their guarantees must not be preempted.
    Disabled { queues: Vec<QueueId> },
    /// The queues use more than their guarantees, but are within the dead zone.
    DeadZone { queues: Vec<QueueId> },
    /// The part of this queue's surplus that a round may take is too small to take anything.
    CutToNothing { queue: QueueId, beyond: Resource, part: f32 },
    /// The round takes nothing of what they owe.
    TakenNothing,
    /// Each of their containers is larger than what a round may choose. `left`: what the round could still choose at the end.
    LargerThanCap { budget: Resource, left: Resource, smallest: Resource },
    /// Their containers were considered and spared: the number for each reason.
    LeftAlone { which: String },
    /// Some were chosen, and nothing of that is still to come: the round killed `killed` itself, dropped `dropped`
    /// reservations, and `gone` have ended since.
    Done { killed: usize, dropped: usize, gone: usize },
    /// It has reserved its resources, which count as used; `makes_room`: whether rounds make room for reservations.
    Reserved { nodes: Vec<NodeId>, makes_room: bool },
}

/// A queue's usage beyond what it is to keep, which a comparison by dominant share does not see.
#[derive(Clone, Debug, PartialEq)]
pub struct Hidden {
    pub queue: QueueId,
    /// The type of which it uses more.
    pub kind: usize,
    pub used: Resource,
    pub keep: Resource,
    /// The dominant shares of its usage and of what it keeps; `by` is the type that decides the latter.
    pub shares: [f64; 2],
    pub by: usize,
}

impl Freeing {
    /// Returns the check that failed, whose figures these are. `None`: none failed; something is being freed, or was.
    pub fn check(&self) -> Option<Check> {
        Some(match self {
            Freeing::Off => Check::MonitorsOn,
            Freeing::NotListed => Check::PreemptionListed,
            Freeing::NeverRuns { .. } | Freeing::NotYet { .. } | Freeing::Failed { .. } => Check::RoundMade,
            Freeing::Watched { .. } => Check::RoundActs,
            // Reserved resources count as used, not as pending.
            Freeing::NotCounted | Freeing::Reserved { .. } => Check::PendingCounted,
            Freeing::HasEnough { .. } => Check::QueueOwed,
            Freeing::NobodyOver => Check::OverGuarantee,
            Freeing::RoomThere { .. } | Freeing::HiddenSurplus(_) => Check::QueueGives,
            Freeing::Disabled { .. } => Check::QueuePreemptable,
            Freeing::DeadZone { .. } => Check::BeyondDeadZone,
            Freeing::TakenNothing => Check::NaturalTermination,
            Freeing::LargerThanCap { .. } | Freeing::CutToNothing { .. } => Check::RoundBudget,
            Freeing::LeftAlone { .. } => Check::ContainersChosen,
            Freeing::Comes { .. } | Freeing::Done { .. } => return None,
        })
    }
}

/// The findings about a request.
pub(super) struct CapacityFindings<'a> {
    pub case: ExplainedLeaf<'a>,
    pub w: &'a Waiting,
    conditions: Vec<ConditionView>,
    /// The containers that end for it; their total size is `size`.
    freeing: Vec<FreeingView>,
    size: Resource,
    ends: Vec<ContainerId>,
    /// The beneficiaries: leaves that are owed resources, its own first, or applications of its leaf, or its own for its
    /// reservation.
    whom: Vec<&'a str>,
    /// Queues above their guarantees that must not be preempted, if there are others that may be.
    barred: Vec<QueueId>,
    pub(super) cause: Freeing,
}

/// The place of the reason why other queues give nothing, or no more.
pub(super) enum BlockedBy {
    /// The queue has its ideal assignment.
    InItself,
    /// The others owe nothing, or must not be preempted.
    WithOthers,
    /// Like `WithOthers`, but found after the check which queues may be preempted: some of them may be protected.
    BehindProtection,
    /// In the monitor, in the round, or nowhere: resources are being freed.
    Elsewhere,
}

impl Freeing {
    pub(super) fn lies(&self) -> BlockedBy {
        match self {
            Freeing::HasEnough { .. } => BlockedBy::InItself,
            Freeing::NobodyOver | Freeing::RoomThere { .. } | Freeing::Disabled { .. } => BlockedBy::WithOthers,
            Freeing::DeadZone { .. }
            | Freeing::HiddenSurplus(_)
            | Freeing::CutToNothing { .. }
            | Freeing::TakenNothing
            | Freeing::LargerThanCap { .. }
            | Freeing::LeftAlone { .. } => BlockedBy::BehindProtection,
            Freeing::Off
            | Freeing::NotListed
            | Freeing::NeverRuns { .. }
            | Freeing::NotYet { .. }
            | Freeing::Failed { .. }
            | Freeing::Comes { .. }
            | Freeing::Watched { .. }
            | Freeing::NotCounted
            | Freeing::Done { .. }
            | Freeing::Reserved { .. } => BlockedBy::Elsewhere,
        }
    }
}

/// Returns why resources are freed for a waiting request, or are not, and the queues that must not be preempted. `None`:
/// preemption does not matter for it.
pub fn freeing(names: Names<'_>, w: &Waiting) -> Option<(Freeing, Vec<QueueId>)> {
    find(names, w).map(|found| (found.cause, found.barred))
}

/// Returns what is being freed for a waiting request, in a few words. Empty: nothing. `again`: the application that got back
/// most often what was taken from it within a leaf since a moment.
pub fn short(names: Names<'_>, w: &Waiting, again: impl Fn(QueueId, Millis) -> Option<Retaker>) -> String {
    find(names, w).map_or(String::new(), |found| found.short(again))
}

/// Returns a clause: its queue uses less than its guarantee while others use more, and why nothing is taken back. `within`: the
/// queue whose resources are lacking, root if nodes are full. `None`: that is not so, something is being freed, or taking would
/// make no room for it.
pub fn owed(names: Names<'_>, w: &Waiting, within: QueueId) -> Option<String> {
    let found = find(names, w)?;
    let case = &found.case;
    let (used, guaranteed, mut over) = shares(case);
    over.retain(|leaf| names.path_up(*leaf).any(|queue| queue == within));
    if over.is_empty() || !case.above(guaranteed, used) || !lacks_a_container(case, guaranteed - used) {
        return None;
    }
    let named = |queues: &[QueueId]| queues.iter().map(|q| case.queue(*q)).collect::<Vec<_>>();
    // The reason does not hold for queues that must not be preempted, unless there are no others.
    let is_barred = |leaf: &QueueId| found.barred.contains(leaf);
    let all_barred = over.iter().all(is_barred);
    let beside: Vec<QueueId> = over.iter().copied().filter(|leaf| !all_barred && is_barred(leaf)).collect();
    over.retain(|leaf| all_barred || !is_barred(leaf));
    // A switch that is off is the reason only if turning it on would take something.
    let switched_off =
        matches!(found.cause, Freeing::Off | Freeing::NotListed | Freeing::NeverRuns { .. } | Freeing::Disabled { .. });
    let on = if switched_off { trial(case, w, &over, within) } else { Trial::Room };
    if on == Trial::NoRoom {
        return None;
    }
    let why = match &found.cause {
        Freeing::Off => say::owed_and_off(),
        Freeing::NotListed => say::owed_and_not_listed(),
        Freeing::NeverRuns { .. } => say::owed_and_no_rounds(),
        Freeing::Disabled { queues } => say::owed_and_disabled(&named(queues)),
        Freeing::DeadZone { .. } if all_barred => say::owed_and_disabled(&named(&over)),
        Freeing::DeadZone { .. } => say::owed_and_too_little(),
        Freeing::Watched { .. } => say::owed_and_watched(),
        Freeing::NotCounted => say::owed_and_not_counted(found.at_its_limit(), case.queue(case.leaf)),
        Freeing::HiddenSurplus(_) => say::owed_and_hidden(),
        Freeing::CutToNothing { beyond, .. } => say::owed_and_cut(&case.unit_of(*beyond)),
        // The round chose nothing for others either.
        Freeing::LargerThanCap { budget, left, .. } if budget == left => say::owed_and_too_large(&case.text(*budget)),
        Freeing::NotYet { .. }
        | Freeing::Failed { .. }
        | Freeing::Comes { .. }
        | Freeing::HasEnough { .. }
        | Freeing::NobodyOver
        | Freeing::RoomThere { .. }
        | Freeing::TakenNothing
        | Freeing::LargerThanCap { .. }
        | Freeing::LeftAlone { .. }
        | Freeing::Done { .. }
        | Freeing::Reserved { .. } => return None,
    };
    let why = match on {
        Trial::TooLarge(budget) => say::and_takes_too_little(&why, &case.text(budget)),
        Trial::Room | Trial::NoRoom => why,
    };
    let label = crate::explain::say::of_label(names.partition(w.partition));
    let guaranteed = case.text(guaranteed) + &label;
    let owed = say::owed(case.queue(case.leaf), &case.text(used), &guaranteed, &named(&over), &why);
    let owed = owed + &say::beside_disabled(&named(&beside));
    // Reserved resources count as used.
    let leaf = names.rm().queues().get(case.leaf.index());
    let reserved = leaf.map(|q| q.part(case.p).reserved).filter(|reserved| !reserved.is_zero());
    let reserved = reserved.map(|reserved| say::is_only_reserved(case.queue(case.leaf), &case.amounts(reserved)));
    Some(owed + &reserved.unwrap_or_default())
}

/// Returns the answer for a waiting request; `again`: see [`short`].
pub fn waiting(
    names: Names<'_>,
    w: &Waiting,
    again: impl Fn(QueueId, Millis) -> Option<Retaker>,
) -> Option<PreemptionView> {
    let found = find(names, w)?;
    Some(PreemptionView {
        short: found.short(again),
        title: say::WHY_NOT_MORE.to_string(),
        sentence: found.sentence() + &found.own_part() + &found.case.not_read_yet(),
        round_ms: found.case.round.map(|r| r.at),
        check: found.cause.check().map(|check| check.row().name.to_string()),
        freeing: found.freeing,
        conditions: found.conditions,
    })
}

fn find<'a>(names: Names<'a>, w: &'a Waiting) -> Option<CapacityFindings<'a>> {
    let rm = names.rm();
    rm.capacity()?;
    let leaf = rm.scheduled(w.app).filter(|_| w.placing.is_empty())?.queue;
    let case = ExplainedLeaf::now(names, leaf, w.partition);
    if case.monitor.is_none() {
        // Preemption that is off is shown only where it would matter: the leaf uses less than its guarantee, and another leaf
        // more.
        let (used, guaranteed, over) = shares(&case);
        if over.is_empty() || !case.above(guaranteed, used) {
            return None;
        }
    }
    let (conditions, stop) = case.switches(w.since);
    let mut found = CapacityFindings {
        case,
        w,
        conditions,
        freeing: Vec::new(),
        size: Resource::ZERO,
        ends: Vec::new(),
        whom: Vec::new(),
        barred: Vec::new(),
        cause: Freeing::Off,
    };
    let pass = if stop.is_none() { found.pass() } else { None };
    let owed = pass.and_then(|pass| case.line(pass, leaf)).is_some_and(|line| case.is_owed(line));
    found.comes(pass.filter(|_| owed));
    let cause = match (stop, pass) {
        (Some(stop), _) => {
            found.conditions.extend(OF_QUEUES.map(unreached));
            stop
        }
        (None, Some(pass)) => {
            let cause = found.check(pass);
            let seen = found.conditions.len() - SWITCHES;
            found.conditions.extend(OF_QUEUES.iter().skip(seen).copied().map(unreached));
            let enough = matches!(cause, Freeing::HasEnough { .. } | Freeing::NotCounted);
            found.within(enough);
            found.reservation();
            cause
        }
        (None, None) => return None,
    };
    let (killable, all) = (found.freeing.iter().filter(|f| f.killable).count(), found.freeing.len());
    found.cause = match cause {
        _ if all > 0 => Freeing::Comes { marked: all - killable, killable },
        cause => cause,
    };
    Some(found)
}

/// The conditions about queues and containers, in their order.
const OF_QUEUES: [Check; 11] = [
    Check::PendingCounted,
    Check::QueueOwed,
    Check::OverGuarantee,
    Check::QueuePreemptable,
    Check::QueueGives,
    Check::BeyondDeadZone,
    Check::RoundBudget,
    Check::NaturalTermination,
    Check::ContainersChosen,
    Check::NodeFree,
    Check::KillWait,
];

/// The number of conditions that come before any queue.
const SWITCHES: usize = 4;

/// Returns the cause that these queues are within the dead zone.
fn in_dead_zone(little: &[&QueueIdeal]) -> Freeing {
    Freeing::DeadZone { queues: little.iter().map(|l| l.queue).collect() }
}

/// Returns whether the unused part of a leaf's guarantee would hold the smallest container, in one type at least.
fn lacks_a_container(case: &ExplainedLeaf<'_>, lacks: Resource) -> bool {
    let cluster = case.names.rm().cluster();
    let kinds = if cluster.calculator.kind == CalculatorKind::Default { 1 } else { cluster.types.len() };
    (0..kinds).any(|i| lacks[i] >= cluster.minimum[i].max(1))
}

/// Returns the leaf's usage and guarantee, and the other leaves above their guarantees, for when no round has computed them.
fn shares(case: &ExplainedLeaf<'_>) -> (Resource, Resource, Vec<QueueId>) {
    let queues = || case.names.rm().queues().iter().filter(|q| q.alive && q.is_leaf());
    let figures = |q: &Queue| (q.part(case.p).used, q.part(case.p).shares.effective_min);
    let (used, guaranteed) = queues().find(|q| q.id == case.leaf).map(figures).unwrap_or_default();
    let over = queues().filter(|q| q.id != case.leaf).filter(|q| {
        let (used, guaranteed) = figures(q);
        case.above(used, guaranteed)
    });
    (used, guaranteed, over.map(|q| q.id).collect())
}

impl<'a> CapacityFindings<'a> {
    /// Returns the application's user if the user limit leaves it nothing.
    fn at_its_limit(&self) -> Option<&'a str> {
        let case = self.case;
        let mut wants = case.round.into_iter().flat_map(|round| &round.wants);
        let mine = wants.find(|wants| wants.app == self.w.app && wants.partition == case.p)?;
        let left = mine.left.iter().any(|left| case.positive(*left));
        (!left).then(|| case.names.rm().cluster().user_name(mine.user))
    }

    /// Returns the pass in which others owe what this leaf is owed, else the first.
    fn pass(&self) -> Option<&'a IdealPass> {
        let case = self.case;
        let takes = |pass: &&IdealPass| {
            case.line(pass, case.leaf).is_some_and(|l| case.is_owed(l)) && self.givers(pass).next().is_some()
        };
        case.passes().find(takes).or_else(|| case.passes().next())
    }

    /// Returns the other leaves that use more than they are to keep.
    fn givers(&self, pass: &'a IdealPass) -> impl Iterator<Item = &'a QueueIdeal> + use<'a> {
        let case = self.case;
        case.leaves(pass).filter(move |l| l.queue != case.leaf && case.positive(l.owed))
    }

    pub(super) fn add(&mut self, check: Check, met: Met, value: String) -> &mut ConditionView {
        let at = self.conditions.len();
        self.conditions.push(self.case.condition(check, met, value));
        &mut self.conditions[at]
    }

    /// Returns a list of queues with a text about each.
    fn each<'l>(&self, lines: &[&'l QueueIdeal], say: impl Fn(&str, &'l QueueIdeal) -> String) -> String {
        words::list(&lines.iter().map(|l| say(self.case.queue(l.queue), l)).collect::<Vec<_>>(), NAMED)
    }

    /// Checks the conditions about queues and containers, up to the first that blocks.
    fn check(&mut self, pass: &'a IdealPass) -> Freeing {
        let case = self.case;
        let Some(line) = case.line(pass, case.leaf) else { return Freeing::NotCounted };
        let own = case.queue(case.leaf);
        let counted = case.positive(line.pending);
        let value = say::counted_pending(&case.text(line.pending), own);
        self.add(Check::PendingCounted, yes(counted), value).formula = case.counted(pass);
        if !counted {
            return self.reserved().unwrap_or(Freeing::NotCounted);
        }
        let owed = case.is_owed(line);
        let value = say::is_to_have(own, &case.used(line), &case.text(line.ideal), &case.text(line.guaranteed));
        let offers = pass.offers.iter().filter(|o| o.queue == case.leaf && o.partition == case.p);
        let offers = offers.map(|o| {
            let [whole, offered, accepted] = [o.unassigned, o.offered, o.accepted].map(|r| case.text(r));
            say::offer(i64::from(o.turn) + 1, &words::percent(f64::from(o.weight)), &whole, &offered, &accepted)
        });
        self.add(Check::QueueOwed, yes(owed), value).formula = offers.collect();
        let over: Vec<&QueueIdeal> =
            case.leaves(pass).filter(|l| l.queue != case.leaf && case.above(l.used, l.guaranteed)).collect();
        // The surplus of a queue that must not be preempted is not shared out.
        let kept_from_it = case.above(line.guaranteed, line.ideal) && over.iter().any(|l| l.disabled);
        if !owed && !kept_from_it {
            return Freeing::HasEnough { used: line.used, ideal: line.ideal };
        }
        let value = self.each(&over, |q, l| say::of_guarantee(q, &case.used(l), &case.text(l.guaranteed)));
        let value = if over.is_empty() { say::NOBODY.to_string() } else { value };
        self.add(Check::OverGuarantee, yes(!over.is_empty()), value);
        if over.is_empty() {
            return Freeing::NobodyOver;
        }
        let barred: Vec<&QueueIdeal> = over.iter().copied().filter(|l| l.disabled).collect();
        let value = if barred.is_empty() {
            say::yes_no(true).to_string()
        } else {
            self.each(&barred, |q, _| say::not_preemptable(q))
        };
        let properties = barred.iter().flat_map(|l| case.disabled_by(l.queue)).collect();
        self.add(Check::QueuePreemptable, part(over.len() - barred.len(), over.len()), value).properties = properties;
        if !owed || barred.len() == over.len() {
            return Freeing::Disabled { queues: barred.iter().map(|l| l.queue).collect() };
        }
        self.barred = barred.iter().map(|l| l.queue).collect();
        let giving: Vec<&QueueIdeal> = self.givers(pass).collect();
        let cut = if giving.is_empty() { self.cut_to_nothing(pass) } else { Vec::new() };
        if let Some((first, part)) = cut.first() {
            return self.is_cut(pass, (first, *part), &cut);
        }
        let free = case.leaves(pass).fold(root_total(&case, pass), |free, l| free - l.used);
        if let Some(hidden) = if giving.is_empty() { self.hidden(pass, &over, free) } else { None } {
            let [kind, by] = [hidden.kind, hidden.by].map(|i| self.type_name(i));
            let types = &case.names.rm().cluster().types;
            let [used, keep] = [hidden.used, hidden.keep].map(|r| words::one(r, hidden.kind, types));
            let [share, kept] = hidden.shares.map(words::percent);
            let value = say::hides_surplus(case.queue(hidden.queue), [&used, &keep], (&share, kind), (&kept, by));
            self.add(Check::QueueGives, Met::No, value);
            return Freeing::HiddenSurplus(hidden);
        }
        let value = match giving.as_slice() {
            [] => self.nobody_gives(pass, free),
            giving => self
                .each(giving, |q, l| say::owes(q, &case.text(l.keep), &case.text(l.owed), case.beyond(l).as_deref())),
        };
        self.add(Check::QueueGives, yes(!giving.is_empty()), value);
        if giving.is_empty() {
            return Freeing::RoomThere { free: not_negative(free) };
        }
        let beyond: Vec<&QueueIdeal> = giving.iter().copied().filter(|l| l.beyond_dead_zone).collect();
        let value = self
            .each(&giving, |q, l| say::dead_zone(q, &case.text(l.used), &case.text(l.dead_zone), l.beyond_dead_zone));
        self.add(Check::BeyondDeadZone, part(beyond.len(), giving.len()), value);
        if beyond.is_empty() {
            return in_dead_zone(&giving);
        }
        self.amounts(pass, &beyond)
    }

    /// Returns the leaves that use more than they keep but owe nothing, because the part that a round may take is too small;
    /// with that part.
    fn cut_to_nothing(&self, pass: &'a IdealPass) -> Vec<(&'a QueueIdeal, f32)> {
        let case = self.case;
        let scale = |l: &QueueIdeal| {
            let of_parent = pass.scalings.iter().find(|s| Some(s.parent) == l.parent && s.partition == case.p);
            of_parent.map(|s| s.scale).filter(|_| case.above(l.used - l.killable, l.keep))
        };
        let others = case.leaves(pass).filter(|l| l.queue != case.leaf && !l.disabled);
        others.filter(|l| case.positive(beyond(l))).filter_map(|l| Some((l, scale(l)?))).collect()
    }

    /// Adds the conditions for the case that the round takes nothing of these.
    fn is_cut(
        &mut self,
        pass: &'a IdealPass,
        (first, part_of): (&QueueIdeal, f32),
        cut: &[(&'a QueueIdeal, f32)],
    ) -> Freeing {
        let case = self.case;
        let lines: Vec<&QueueIdeal> = cut.iter().map(|(l, _)| *l).collect();
        let owes =
            |q: &str, l: &QueueIdeal| say::owes(q, &case.text(l.keep), say::NOTHING, Some(&case.amounts(beyond(l))));
        let value = self.each(&lines, owes);
        self.add(Check::QueueGives, Met::Yes, value);
        let far: Vec<&&QueueIdeal> = lines.iter().filter(|l| l.beyond_dead_zone).collect();
        let value = self
            .each(&lines, |q, l| say::dead_zone(q, &case.text(l.used), &case.text(l.dead_zone), l.beyond_dead_zone));
        self.add(Check::BeyondDeadZone, part(far.len(), lines.len()), value);
        if far.is_empty() {
            return in_dead_zone(&lines);
        }
        let Some(round) = case.round else { return Freeing::TakenNothing };
        let value = say::round_cap(&case.text(round.budget), &case.text(not_negative(round.budget_left)));
        let formula = self.scalings(pass);
        self.add(Check::RoundBudget, Met::No, value).formula = formula;
        Freeing::CutToNothing { queue: first.queue, beyond: beyond(first), part: part_of }
    }

    /// Returns by how much the round scales what siblings owe.
    fn scalings(&self, pass: &IdealPass) -> Vec<String> {
        let case = self.case;
        let scaled = |s: &heddle_core::preemption::Scaling| {
            let [need, budget] = [s.need, s.budget].map(|r| case.text(r));
            say::scaled(case.queue(s.parent), &need, &budget, &words::percent(f64::from(s.scale)))
        };
        pass.scalings.iter().filter(|s| s.partition == case.p).map(scaled).collect()
    }

    /// Checks what the round takes of what they owe.
    fn amounts(&mut self, pass: &'a IdealPass, from: &[&'a QueueIdeal]) -> Freeing {
        let case = self.case;
        let Some(round) = case.round else { return Freeing::TakenNothing };
        let conf = case.monitor.map(|m| m.conf());
        let queues: Vec<QueueId> = from.iter().map(|l| l.queue).collect();
        let of_these = |id: ContainerId| case.names.rm().scheduled(id.app).is_some_and(|a| queues.contains(&a.queue));
        let looked = round.spared.iter().filter(|s| s.selector == pass.selector && of_these(s.container));
        let spared: Vec<SparedBy> = looked.clone().map(|s| s.why).collect();
        let large = looked.filter_map(|s| match s.why {
            SparedBy::Budget { left } => Some((case.names.rm().container(s.container)?.size, left)),
            _ => None,
        });
        let smallest = large.min_by_key(|(r, _)| (r.memory_mb(), r.vcores()));
        let cut = smallest.is_some();
        let chosen: Vec<_> = round
            .chosen
            .iter()
            .filter(|c| c.queue.is_some_and(|q| queues.contains(&q)) && c.partition == case.p)
            .collect();
        let scalings = self.scalings(pass);
        let slows = |slow: bool| if slow { Met::Slows } else { Met::Yes };
        let met = if cut && chosen.is_empty() { Met::No } else { slows(cut || !scalings.is_empty()) };
        let value = say::round_cap(&case.text(round.budget), &case.text(not_negative(round.budget_left)));
        self.add(Check::RoundBudget, met, value).formula = scalings;
        if let (Met::No, Some((smallest, left))) = (met, smallest) {
            return Freeing::LargerThanCap { budget: round.budget, left, smallest };
        }
        let sum = |of: fn(&QueueIdeal) -> Resource| from.iter().fold(Resource::ZERO, |sum, l| sum + of(l));
        let (owed, damped, wanted) = (sum(|l| l.owed), sum(|l| l.damped), sum(|l| l.wanted));
        let factor = conf.map_or(0.0, |c| c.natural_termination_factor);
        let met = if case.positive(wanted) { slows(case.above(owed, damped)) } else { Met::No };
        let value = say::natural_termination(factor, &case.text(damped), &case.text(owed));
        self.add(Check::NaturalTermination, met, value);
        if met == Met::No {
            return Freeing::TakenNothing;
        }
        let which = say::spared(&spared);
        let value = say::chosen(chosen.len() as i64, &which);
        self.add(Check::ContainersChosen, yes(!chosen.is_empty()), value);
        if chosen.is_empty() {
            return Freeing::LeftAlone { which };
        }
        self.fits(&chosen.iter().map(|c| c.container).collect::<Vec<_>>());
        let waits = conf.map_or(0, |c| c.max_wait_before_kill_ms);
        let first = self.freeing.first().and_then(|f| f.killed_ms);
        let value = say::grace(&words::span(waits), first.map(words::clock).as_deref());
        let met = slows(!round.conf.observe_only);
        self.add(Check::KillWait, met, value);
        if round.conf.observe_only {
            return Freeing::Watched { chosen: round.chosen.len() };
        }
        let lazy = case.names.rm().capacity().is_some_and(|s| s.conf().lazy_preemption);
        let dropped = chosen.iter().filter(|c| c.reserved).count();
        let at_once = |id: ContainerId| round.acts.iter().any(|a| a.container == id && a.deed == PreemptionStep::Kill);
        let killed = chosen.iter().filter(|c| !c.reserved && !lazy && at_once(c.container)).count();
        Freeing::Done { killed, dropped, gone: chosen.len() - killed - dropped }
    }

    /// Finds the containers that end for it. `pass`: the one in which its leaf is owed resources.
    fn comes(&mut self, pass: Option<&'a IdealPass>) {
        let case = self.case;
        let w = self.w;
        let leaf_of = |c: &Container| case.names.rm().scheduled(c.id.app).map(|a| a.queue);
        let mut owed = false;
        let mut within = false;
        for (c, act, chosen) in case.marks() {
            let for_it = match (act.selector, chosen.map(|c| c.because)) {
                (Selector::Fifo | Selector::Balance, _) => {
                    pass.is_some() && leaf_of(c) != Some(case.leaf) && chosen.is_some_and(|c| c.partition == case.p)
                }
                (Selector::IntraQueue, _) => {
                    leaf_of(c) == Some(case.leaf) && c.id.app != w.app && self.own().is_some_and(|a| self.is_short(a))
                }
                (_, Some(Because::MakesRoom { reservation, .. } | Because::Priority { reservation })) => {
                    reservation.app == w.app
                }
                (Selector::Reserved | Selector::QueuePriority, _) => false,
            };
            if for_it {
                owed |= matches!(act.selector, Selector::Fifo | Selector::Balance);
                within |= act.selector == Selector::IntraQueue;
                self.ends.push(c.id);
                // Marks that will expire free nothing.
                self.size += if act.killed_at.is_some() { c.size } else { Resource::ZERO };
                self.freeing.push(case.freeing(c, Some(act)));
            }
        }
        let killable = case.names.rm().capacity().into_iter().flat_map(|s| s.preemption().killable());
        for c in killable.filter_map(|id| case.names.rm().container(id)) {
            if pass.is_some()
                && leaf_of(c) != Some(case.leaf)
                && c.partition == case.p
                && c.state != ContainerState::Over
            {
                owed = true;
                self.ends.push(c.id);
                self.size += c.size;
                self.freeing.push(case.freeing(c, None));
            }
        }
        let queues =
            std::iter::once(case.leaf).chain(pass.into_iter().flat_map(|p| case.owed_others(p)).map(|l| l.queue));
        self.whom = match self.ends.is_empty() || owed {
            true => queues.map(|q| case.queue(q)).collect(),
            false if within => self.short_apps().into_iter().map(|app| case.names.app(app)).collect(),
            false => vec![case.names.app(w.app)],
        };
    }

    /// Returns what is being freed, in a few words.
    fn short(&self, again: impl Fn(QueueId, Millis) -> Option<Retaker>) -> String {
        let first = self.freeing.iter().find_map(|f| f.killed_ms).map(words::clock);
        // Marks that will expire free nothing.
        let frees = first.is_some() || self.freeing.iter().any(|f| f.killable);
        match self.cause {
            Freeing::Comes { .. } if frees => {
                let fits = self.room_with(&self.ends).is_none_or(|(fits, ..)| fits);
                let comes = say::comes_short(&self.case.text(self.size), &self.whom, first.as_deref(), fits);
                // Others get what is freed within the leaf for an application that may not start.
                let app = self.case.names.app(self.w.app);
                let names = self.case.names;
                let waits = names.rm().scheduled(self.w.app).is_some_and(|app| !app.active);
                if !waits || self.whom != [app] {
                    return comes;
                }
                let again = again(self.case.leaf, self.w.since);
                let again = again.map(|a| (names.app(a.app), a.times as i64, words::clock(a.since)));
                let again = again.as_ref().map(|(who, times, since)| (*who, *times, since.as_str()));
                say::freed_in_vain(&comes, app, again)
            }
            _ => String::new(),
        }
    }

    /// Returns the answer in a sentence or two, with the queues that must not be preempted apart from the reason.
    fn sentence(&self) -> String {
        let why = self.why();
        match self.cause.lies() {
            BlockedBy::BehindProtection => {
                let barred: Vec<&str> = self.barred.iter().map(|q| self.case.queue(*q)).collect();
                crate::explain::say::and(&why, &say::beside_disabled(&barred))
            }
            BlockedBy::InItself | BlockedBy::WithOthers | BlockedBy::Elsewhere => why,
        }
    }

    fn why(&self) -> String {
        let case = &self.case;
        let own = case.queue(case.leaf);
        let at = case.round.map_or(String::new(), |r| words::clock(r.at));
        let named = |queues: &[QueueId]| queues.iter().map(|q| case.queue(*q)).collect::<Vec<_>>();
        match &self.cause {
            Freeing::Off => {
                let (used, guaranteed, over) = shares(case);
                say::off(own, &case.text(used), &case.text(guaranteed), &named(&over))
            }
            Freeing::NotListed => say::NOT_LISTED.to_string(),
            Freeing::NeverRuns { interval } => say::never_runs(*interval),
            Freeing::NotYet { next } => say::not_yet(next.map(words::clock).as_deref()),
            Freeing::Failed { at, failure } => say::failed(&words::clock(*at), &case.failure(failure)),
            Freeing::Comes { .. } => {
                let lazy = case.names.rm().capacity().is_some_and(|s| s.conf().lazy_preemption);
                let mut said = say::comes(&self.freeing, &case.text(self.size), &self.whom, lazy);
                if self.room_with(&self.ends).is_some_and(|(fits, ..)| !fits) {
                    said.push_str(say::ON_NO_NODE);
                }
                said
            }
            Freeing::Watched { chosen } => say::watched(&at, *chosen as i64),
            Freeing::NotCounted => say::not_counted(&at, own),
            Freeing::HasEnough { used, ideal } => say::has_enough(&at, own, &case.text(*used), &case.text(*ideal)),
            Freeing::NobodyOver => say::nobody_over(&at),
            Freeing::RoomThere { free } => say::room_there(&at, own, &case.text(*free)),
            Freeing::HiddenSurplus(hidden) => {
                let types = &case.names.rm().cluster().types;
                let [used, keep] = [hidden.used, hidden.keep].map(|r| words::one(r, hidden.kind, types));
                let [share, kept] = hidden.shares.map(words::percent);
                let by = self.type_name(hidden.by);
                say::hidden_surplus((&at, case.queue(hidden.queue)), [&used, &keep], &share, (&kept, by))
            }
            Freeing::Disabled { queues } => say::disabled(&named(queues)),
            Freeing::DeadZone { queues } => say::in_dead_zone(&at, &named(queues)),
            Freeing::CutToNothing { queue, beyond, part } => {
                say::cut_to_nothing(&at, case.queue(*queue), &case.amounts(*beyond), &words::percent(f64::from(*part)))
            }
            Freeing::TakenNothing => say::taken_nothing(&at),
            Freeing::LargerThanCap { budget, left, smallest } => {
                let [budget, left, smallest] = [*budget, not_negative(*left), *smallest].map(|r| case.text(r));
                say::larger_than_cap(&at, &budget, &left, &smallest)
            }
            Freeing::LeftAlone { which } => say::left_alone(&at, which),
            Freeing::Done { killed, dropped, gone } => {
                let mut said = say::done(&at, [*killed, *dropped, *gone].map(|n| n as i64), &self.whom);
                if self.room_with(&[]).is_some_and(|(fits, ..)| !fits) {
                    said.push_str(say::NO_ROOM_NOW);
                }
                said
            }
            Freeing::Reserved { nodes, makes_room } => {
                let hosts: Vec<&str> = nodes.iter().map(|n| case.names.node(*n)).collect();
                let young = self.young().map(|ages| ages.map(words::span));
                let young = young.as_ref().map(|[age, delay]| [age.as_str(), delay]);
                say::reserved(&at, own, &hosts, *makes_room, young)
            }
        }
    }
}

/// Returns the partition's total as the round saw it: root's guarantee.
fn root_total(case: &ExplainedLeaf<'_>, pass: &IdealPass) -> Resource {
    case.line(pass, QueueId(0)).map_or(Resource::ZERO, |root| root.guaranteed)
}

/// Returns a queue's usage beyond what it keeps, without killable containers.
fn beyond(line: &QueueIdeal) -> Resource {
    not_negative(line.used - line.killable - line.keep)
}

pub(super) fn not_negative(r: Resource) -> Resource {
    r.component_max(Resource::ZERO)
}

fn yes(holds: bool) -> Met {
    if holds { Met::Yes } else { Met::No }
}

/// Returns how far a condition is met that holds for `n` of `of`.
fn part(n: usize, of: usize) -> Met {
    match n {
        0 => Met::No,
        n if n < of => Met::Slows,
        _ => Met::Yes,
    }
}
