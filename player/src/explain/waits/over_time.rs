//! What stopped a request when: stretches of time with the same cause, and what happened between one and the next.

use crate::explain::away::away;
use crate::explain::checks::{NodeCheck, NodeRow};
use crate::explain::names::Names;
use crate::explain::request::{Explained, may_go_to};
use crate::explain::say::over_time as say;
use crate::explain::say::{SHORT_REFUSED, verdicts};
use crate::explain::stop::StoppedBy;
use crate::explain::view::StretchView;
use crate::explain::waiting::Waiting;
use crate::explain::words;
use heddle_core::check::Check;
use heddle_core::constraint::Target;
use heddle_core::constraint::xray::{Clause, clauses};
use heddle_core::journal::{Change, Entry, FoldedLine, NodeGone};
use heddle_core::model::{AppId, ContainerId, Millis, NodeId, RequestKey};
use std::collections::{BTreeMap, BTreeSet};

/// The greatest number of stretches that are shown: the last ones, and the longest of the others.
const TOLD: usize = 6;
const LAST: usize = 2;
/// The number of happenings shown with a stretch.
const HAPPENED: usize = 3;
/// The number of checks shown for a stretch.
const SHORTS: usize = 3;

/// Why a request waited.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum WaitCause {
    /// These checks failed: of a limit, or of nodes.
    Checks(Vec<Check>),
    /// Another application, or another request of its own, came before it.
    Behind,
    /// Only the nodes reserved for it are tried.
    OwnNodes,
    /// Its proposal was refused.
    Refused,
    /// It got containers, and wanted more.
    Served,
    /// Nothing stopped it: a node would take it at its turn.
    Turn,
    /// No node had its label.
    NoSuchLabel,
    /// YARN was not asked for it.
    NotAsked,
    /// Its AM fits in the limits, and nothing made YARN look again.
    Unasked,
}

/// A stretch of time in which the same cause stopped a request.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CausePeriod {
    pub from: Millis,
    pub to: Millis,
    pub cause: WaitCause,
    /// Whether it is about the application's ApplicationMaster, while the others are about a request.
    pub master: bool,
}

/// Returns the check, with all kinds of too little room as one.
fn same(check: Check) -> Check {
    match check {
        Check::NodeRoom
        | Check::NodeMinimum
        | Check::BelowFairShare
        | Check::ReservationThreshold
        | Check::RoomNotPromised
        | Check::ReservableNodes => Check::NodeFree,
        other => other,
    }
}

/// Returns whether the failed check refuses a proposal.
fn is_refusal(check: Check) -> bool {
    verdicts::short_of(check) == SHORT_REFUSED
}

/// Returns why a request waits, in short: the cause in its sentence.
pub fn cause(names: Names<'_>, e: &Explained) -> WaitCause {
    if let Some(stop) = &e.chain.stop {
        return match &stop.by {
            StoppedBy::Check(checked) if is_refusal(checked.check) => WaitCause::Refused,
            StoppedBy::Check(checked) => WaitCause::Checks(vec![same(checked.check)]),
            StoppedBy::NoOffer => WaitCause::NoSuchLabel,
            StoppedBy::App(_) | StoppedBy::OwnRequest => WaitCause::Behind,
            StoppedBy::OwnReservations => WaitCause::OwnNodes,
            StoppedBy::Unasked => WaitCause::Unasked,
        };
    }
    let Some(table) = &e.table else { return WaitCause::Turn };
    let labelled =
        e.waiting.partition.is_default() || names.rm().nodes().iter().any(|node| node.partition == e.waiting.partition);
    if table.rows.is_empty() {
        return WaitCause::Checks(vec![Check::ClusterResources]);
    }
    if table.rows.iter().any(NodeRow::fits) {
        return if e.refused.is_some() { WaitCause::Refused } else { WaitCause::Turn };
    }
    if !labelled && !e.waiting.borrows(names) {
        return WaitCause::NoSuchLabel;
    }
    if table.is_full() {
        return WaitCause::Checks(vec![Check::NodeFree]);
    }
    // Nodes of other labels, nodes that take nothing and nodes that are too small count as causes only if there are no others.
    let told =
        |row: &NodeRow| row.told.iter().filter_map(|i| recorded_as(table.checks.get(*i)?)).collect::<Vec<Check>>();
    let others = |check: &Check| matches!(check, Check::NodePartition | Check::CommitNodeRunning | Check::NodeTotal);
    let mut counts: BTreeMap<Check, usize> = BTreeMap::new();
    for check in table.rows.iter().flat_map(told) {
        *counts.entry(check).or_default() += 1;
    }
    if !counts.keys().all(others) {
        counts.retain(|check, _| !others(check));
    }
    let mut checks: Vec<(Check, usize)> = counts.into_iter().collect();
    heddle_core::model::order::sort_by_key(&mut checks, |(check, n)| (std::cmp::Reverse(*n), *check));
    WaitCause::Checks(checks.into_iter().map(|(check, _)| check).take(SHORTS).collect())
}

/// Returns the recorded check that a column of the table stands for.
fn recorded_as(check: &NodeCheck) -> Option<Check> {
    Some(match check {
        NodeCheck::Running => Check::CommitNodeRunning,
        NodeCheck::Tried => return None,
        NodeCheck::NotHeld => Check::NodeUnreserved,
        NodeCheck::NotFull | NodeCheck::Free => Check::NodeFree,
        NodeCheck::Partition => Check::NodePartition,
        NodeCheck::Clause(..) | NodeCheck::Never(..) => Check::Constraint,
        NodeCheck::Allowed => Check::Blacklist,
        NodeCheck::Near => Check::LocalityDelay,
        NodeCheck::Total => Check::NodeTotal,
        NodeCheck::GivesUp => Check::Unreserve,
    })
}

/// Returns whether a request is this one, or one that asked for the same before.
pub fn is_it(names: Names<'_>, w: &Waiting, other: &Waiting) -> bool {
    other.app == w.app && (other.key == w.key || !w.am && !other.am && names.alike(w.app, other.key, w.key))
}

/// Returns the times of events that may change what stops a request, in order.
pub fn turns<'l>(names: Names<'_>, w: &Waiting, lines: impl Iterator<Item = &'l FoldedLine> + Clone) -> Vec<Millis> {
    let mut out: Vec<Millis> = happened(names, w, lines.clone()).into_iter().map(|h| h.at).collect();
    let activated = lines.filter(|line| {
        matches!(line.entry, Entry::Changed(Change::Activated { app, .. } | Change::NotActivated { app, .. }) if app == w.app)
    });
    out.extend(activated.map(|line| line.first));
    out.push(w.asked_at);
    out.sort_unstable();
    out
}

/// Merges stretches of no more than `least` into those before them, or after them, because heartbeats come at their own times.
/// A stretch that only waits for its turn becomes a part of the next one if YARN was not asked before it.
pub fn steady(stretches: Vec<CausePeriod>, least: Millis) -> Vec<CausePeriod> {
    let mut out: Vec<CausePeriod> = Vec::new();
    let last = stretches.len().saturating_sub(1);
    // The end of the last stretch as it was observed.
    let mut seen = Millis::MIN;
    for (i, mut stretch) in stretches.into_iter().enumerate() {
        let short = stretch.to - stretch.from <= least;
        let until = stretch.to;
        match out.last_mut() {
            Some(before) if before.cause == stretch.cause => {
                before.to = stretch.to;
            }
            Some(before) if short && stretch.cause == WaitCause::Turn && before.cause != WaitCause::NotAsked => {
                before.to = stretch.to;
                continue;
            }
            Some(before) if before.to - before.from <= least => {
                stretch.from = before.from;
                *before = stretch;
            }
            Some(before) if short && i < last && stretch.to - seen <= least && before.cause != WaitCause::NotAsked => {
                before.to = stretch.to;
                continue;
            }
            _ => out.push(stretch),
        }
        seen = until;
    }
    out
}

/// The place where something that happened is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum ShownAt {
    /// In the stretch that begins with it.
    AtATurn,
    /// In the stretch that it falls into.
    Anywhere,
    /// In the stretch that it falls into, or in the first one if it came before: it still counts.
    Still,
}

/// Something that happened, as it is shown beside a stretch.
struct WaitEvent {
    at: Millis,
    told: ShownAt,
    text: String,
}

fn happened<'l>(names: Names<'_>, w: &Waiting, lines: impl Iterator<Item = &'l FoldedLine>) -> Vec<WaitEvent> {
    let mut out = Vec::new();
    let is_away = |node: NodeId| names.rm().node(node).is_some_and(|n| away(names, n).is_some());
    // What happens to nodes that would not take the request anyway is not a cause.
    let matters = |node: NodeId| names.rm().node(node).is_none_or(|n| may_go_to(names, w, n));
    let other_label = |node: NodeId| names.rm().node(node).is_some_and(|n| n.partition != w.partition);
    let counted = counted_tags(names, w);
    // The keys of containers with a tag that the request's constraint counts.
    let mut keys: BTreeMap<ContainerId, RequestKey> = BTreeMap::new();
    let mut draining: BTreeSet<NodeId> = BTreeSet::new();
    // An AM that ends makes room under the AM limit of its queue.
    let leaf = names.rm().app(w.app).map(|app| app.queue.as_str()).filter(|_| w.am);
    let of_leaf = |app: AppId| leaf.is_some() && names.rm().app(app).map(|app| app.queue.as_str()) == leaf;
    for line in lines {
        let Entry::Changed(change) = &line.entry else { continue };
        let at = line.first;
        let time = words::clock(at);
        let node = |node| names.node(node);
        let still = |it: bool| if it { ShownAt::Still } else { ShownAt::Anywhere };
        let (told, text) = match change {
            Change::NodeAdded { node: n, .. }
            | Change::NodeRemoved { node: n, .. }
            | Change::NodeDecommissioning { node: n }
            | Change::NodeResized { node: n, .. }
                if !matters(*n) =>
            {
                continue;
            }
            Change::NodeAdded { node: n, .. } if at > 0 => (ShownAt::Anywhere, say::joined(node(*n), &time)),
            // The present state of a node is shown below.
            Change::NodeRemoved { node: n, .. } | Change::NodeDecommissioning { node: n } if is_away(*n) => continue,
            Change::NodeRemoved { node: n, why } => {
                let text = match why {
                    NodeGone::Lost | NodeGone::Rebooted => say::lost(node(*n), &time),
                    NodeGone::Unhealthy => say::unhealthy(node(*n), &time),
                    NodeGone::Decommissioned | NodeGone::Shutdown => say::left(node(*n), &time),
                };
                (ShownAt::Anywhere, text)
            }
            Change::NodeDecommissioning { node: n } => {
                draining.insert(*n);
                (ShownAt::Anywhere, say::decommissioning(node(*n), &time))
            }
            Change::NodeRelabelled { node: n, to, .. } => {
                let tell = if to.is_default() { say::unlabelled } else { say::relabelled };
                (still(other_label(*n)), tell(node(*n), &time))
            }
            // The size of a decommissioning node follows its usage, until it is recommissioned.
            Change::NodeResized { node: n, from, to } if draining.contains(n) => {
                if to.memory_mb() <= from.memory_mb() {
                    continue;
                }
                draining.remove(n);
                (ShownAt::Anywhere, say::taken_back(node(*n), &time))
            }
            Change::NodeResized { node: n, .. } if !is_away(*n) => (ShownAt::Still, say::resized(node(*n), &time)),
            Change::Refreshed => (ShownAt::Anywhere, say::refreshed(&time)),
            Change::AppEnded { app } if *app != w.app && of_leaf(*app) => {
                (ShownAt::Anywhere, say::ended(names.app(*app), &time))
            }
            Change::AppEnded { app } if *app != w.app => (ShownAt::AtATurn, say::ended(names.app(*app), &time)),
            Change::Allocated { container, key, am: false, .. } if !counted.is_empty() => {
                keys.insert(*container, *key);
                continue;
            }
            Change::Completed { container, .. }
                if keys.get(container).is_some_and(|key| carries(names, container.app, *key, &counted)) =>
            {
                (ShownAt::Still, say::ended(&names.container_name(*container), &time))
            }
            Change::Moved { app, to, .. } if *app == w.app => (ShownAt::Still, say::moved(names.queue(*to), &time)),
            Change::AttemptAdded { app, attempt } if *app == w.app && *attempt > 1 => {
                (ShownAt::Still, say::attempt(i64::from(*attempt), &time))
            }
            _ => continue,
        };
        out.push(WaitEvent { at, told, text });
    }
    for node in names.rm().nodes().iter().filter(|node| may_go_to(names, w, node)) {
        if let Some(away) = away(names, node) {
            out.push(WaitEvent { at: away.since, told: ShownAt::Still, text: say::node(&node.host, &away.has()) });
        }
    }
    heddle_core::model::order::sort_by_key(&mut out, |h| h.at);
    out
}

/// Returns whether the request got a container.
pub fn is_given(line: &FoldedLine, w: &Waiting) -> bool {
    matches!(line.entry, Entry::Changed(Change::Allocated { container, key, .. }) if (container.app, key) == (w.app, w.key))
}

/// Returns the tags whose containers the constraints of a request count.
fn counted_tags<'a>(names: Names<'a>, w: &'a Waiting) -> Vec<&'a String> {
    let constraints = names.rm().placement().constraints.applying(w.app, &w.tags, w.constraint.as_deref());
    let (parts, _) = clauses(constraints, 0);
    let targets = parts.iter().filter_map(|(_, clause)| match clause {
        Clause::Leaf(leaf) => Some(&leaf.targets),
        Clause::Delayed | Clause::Nothing => None,
    });
    let tags = targets.flatten().filter_map(|target| match target {
        Target::Tags { values, .. } => Some(values),
        Target::Attribute { .. } | Target::Partition { .. } => None,
    });
    tags.flatten().collect()
}

/// Returns whether the containers that an application requested under a key carry one of these tags.
fn carries(names: Names<'_>, app: AppId, key: RequestKey, tags: &[&String]) -> bool {
    let kind = names.sim.place_of(app).and_then(|place| names.scenario().apps.get(place)).map(|app| &app.kind);
    let Some(kind) = kind else { return false };
    let of_spec = kind.spec().into_iter().flat_map(|spec| &spec.entries).any(|e| tags.iter().any(|t| *t == e.tag()));
    let mut asks = kind.calls().iter().flat_map(|call| &call.scheduling);
    let of_call = asks.any(|ask| ask.key() == key && ask.tags.iter().any(|tag| tags.contains(&tag)));
    of_spec || of_call
}

/// Returns the stretches with their words. A single one without any happening says no more than the sentence, and is left out.
pub fn view<'l>(
    names: Names<'_>,
    w: &Waiting,
    stretches: &[CausePeriod],
    lines: impl Iterator<Item = &'l FoldedLine>,
    round: Millis,
) -> Vec<StretchView> {
    let lines: Vec<&FoldedLine> = lines.collect();
    let all = happened(names, w, lines.iter().copied());
    let given: Vec<Millis> = lines.iter().filter(|line| is_given(line, w)).map(|line| line.first).collect();
    let mut out: Vec<StretchView> = Vec::new();
    let end = stretches.last().map_or(0, |s| s.to);
    for (i, stretch) in stretches.iter().enumerate() {
        let begins = |h: &&WaitEvent| h.at > stretch.from - 2 * round && h.at <= stretch.from.saturating_add(round);
        let within = |h: &&WaitEvent| {
            // What the next stretch begins with is shown there.
            let of_next = stretches.get(i + 1).is_some_and(|next| h.at > next.from - 2 * round);
            let before = i == 0 && h.told == ShownAt::Still && h.at <= stretch.from;
            h.told != ShownAt::AtATurn && (before || h.at > stretch.from && h.at <= stretch.to) && !of_next
        };
        let told = all.iter().filter(|h| begins(h) && (i > 0 || h.told != ShownAt::AtATurn) || within(h));
        let told: Vec<String> = told.map(|h| h.text.clone()).collect();
        let more = told.len().saturating_sub(HAPPENED);
        let mut told: Vec<String> = told.into_iter().take(HAPPENED).collect();
        told.extend((more > 0).then(|| say::more(more)));
        let meanwhile = |at: &&Millis| (stretch.from..stretch.to).contains(*at);
        let n = given.iter().filter(meanwhile).count();
        let counts = n > 0 && !stretch.master && stretch.cause != WaitCause::Served;
        told.extend(counts.then(|| say::given(n)));
        out.push(StretchView {
            from_ms: stretch.from,
            to_ms: (stretch.to < end).then_some(stretch.to),
            checks: match &stretch.cause {
                WaitCause::Checks(checks) => checks.iter().map(|check| check.row().name.to_string()).collect(),
                WaitCause::Behind
                | WaitCause::OwnNodes
                | WaitCause::Refused
                | WaitCause::Served
                | WaitCause::Turn
                | WaitCause::NoSuchLabel
                | WaitCause::NotAsked
                | WaitCause::Unasked => Vec::new(),
            },
            text: say::cause(&stretch.cause, stretch.master),
            happened: told,
            left_out: 0,
        });
    }
    if let [only] = out.as_slice()
        && only.happened.is_empty()
    {
        return Vec::new();
    }
    shorten(out)
}

/// Returns the last stretches and the longest of the others, in their order, each with the number left out before it.
fn shorten(all: Vec<StretchView>) -> Vec<StretchView> {
    if all.len() <= TOLD {
        return all;
    }
    let others = all.len() - LAST;
    let length = |s: &StretchView| s.to_ms.unwrap_or(i64::MAX) - s.from_ms;
    let mut longest: Vec<usize> = (0..others).collect();
    heddle_core::model::order::sort_by_key(&mut longest, |i| (std::cmp::Reverse(length(&all[*i])), *i));
    longest.truncate(TOLD - LAST);
    let (mut out, mut left_out): (Vec<StretchView>, usize) = (Vec::new(), 0);
    for (i, stretch) in all.into_iter().enumerate() {
        if i >= others || longest.contains(&i) {
            out.push(StretchView { left_out: std::mem::take(&mut left_out), ..stretch });
        } else {
            left_out += 1;
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    fn stretch(from: Millis, to: Millis, checks: &[Check]) -> CausePeriod {
        let cause = if checks.is_empty() { WaitCause::Turn } else { WaitCause::Checks(checks.to_vec()) };
        CausePeriod { from, to, cause, master: false }
    }

    #[test]
    fn short_stretches_go_to_their_neighbours() {
        let (limit, room) = ([Check::QueueLimit], [Check::NodeFree]);
        let all = vec![
            stretch(0, 1_000, &room),
            stretch(1_000, 20_000, &limit),
            stretch(20_000, 21_000, &[]),
            stretch(21_000, 40_000, &limit),
            stretch(40_000, 60_000, &room),
        ];
        assert_eq!(steady(all, 2_000), [stretch(0, 40_000, &limit), stretch(40_000, 60_000, &room)]);
        // Many short ones do not belong to the one before them.
        let mut all = vec![stretch(0, 3_000, &limit)];
        let small = [Check::NodeTotal];
        all.extend((3..30).map(|s| stretch(s * 1_000, (s + 1) * 1_000, if s % 3 == 2 { &small } else { &room })));
        assert_eq!(steady(all, 2_000)[0], stretch(0, 5_000, &limit));
    }

    #[test]
    fn the_longest_and_the_last_stretches_are_told() {
        let view = |i: i64, length: i64| StretchView {
            from_ms: i * 100_000,
            to_ms: (i < 9).then_some(i * 100_000 + length),
            ..StretchView::default()
        };
        let all: Vec<StretchView> = (0..10).map(|i| view(i, 1_000 * (10 - i))).collect();
        let told = shorten(all);
        let kept: Vec<i64> = told.iter().map(|s| s.from_ms / 100_000).collect();
        assert_eq!(kept, [0, 1, 2, 3, 8, 9]);
        let left: Vec<usize> = told.iter().map(|s| s.left_out).collect();
        assert_eq!(left, [0, 0, 0, 0, 4, 0]);
    }
}
