//! What stopped a request when: the log of the run, as far as it is about the request, its application or the queues above it,
//! folded into stretches in which the same checks failed, with what happened at the turn from one to the next.

use crate::explain::away::away;
use crate::explain::names::Names;
use crate::explain::request::may_go_to;
use crate::explain::say::over_time as say;
use crate::explain::view::StretchView;
use crate::explain::waiting::Waiting;
use crate::explain::words;
use heddle_core::check::{About, Check, Kind};
use heddle_core::constraint::Target;
use heddle_core::constraint::xray::{Clause, clauses};
use heddle_core::journal::{Change, Entry, Finding, Line, NodeGone, VisitEnd};
use heddle_core::model::{AppId, ContainerId, Millis, NodeId, QueueId, RequestKey};
use std::collections::BTreeMap;

/// Stretches that are told at most: the last ones, and the longest of the others.
const TOLD: usize = 6;
const LAST: usize = 2;
/// Happenings that are told with one stretch.
const HAPPENED: usize = 3;

/// Why a request waited.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Cause {
    /// These checks failed: of a limit, or of nodes.
    Checks(Vec<Check>),
    /// It was given containers, and wanted more.
    Served,
    /// Others were given containers before it.
    Others,
    /// No node had the label that it asks for.
    NoSuchLabel,
    /// YARN was not asked for it yet.
    NotAsked,
    /// The log says nothing.
    Unknown,
}

/// A stretch of time in which the same stopped a request.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stretch {
    pub from: Millis,
    pub to: Millis,
    pub cause: Cause,
    /// Is it of the application's ApplicationMaster, where the others are of a request?
    pub master: bool,
}

/// What a stretch is looked up by.
pub struct Path<'a> {
    pub names: Names<'a>,
    pub w: &'a Waiting,
    /// Its leaf and the queues above it.
    pub queues: &'a [QueueId],
    /// How long a round takes in which every node is looked at once.
    pub round: Millis,
}

/// How far a check is from a node: what fails before an application is active hides what its queues say, and that what
/// nodes say.
fn level(check: Check, about: About) -> u8 {
    if check.is_of_activation() {
        return 0;
    }
    match (check.row().kind, about) {
        (_, About::OnNode(..) | About::Node(_)) if check != Check::Unreserve && check != Check::MaxShare => 2,
        (Kind::Place, _) => 2,
        _ => 1,
    }
}

/// All kinds of too little room are one.
pub fn same(check: Check) -> Check {
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

impl Path<'_> {
    /// Whether a request is this one, or one that it was asked under before: of Slider another of its component, of Samza any.
    fn is_it(&self, app: AppId, key: RequestKey) -> bool {
        app == self.w.app && (key == self.w.key || !self.w.am && self.names.alike(app, key, self.w.key))
    }

    /// Until when what an entry says counts: what is said of another request, until this one is asked for.
    fn counts_until(&self, entry: &Entry) -> Millis {
        let key = match entry {
            Entry::Found(Finding::Checked(checked)) => checked.about.request().map(|(_, key)| key),
            Entry::Found(Finding::Leave { about, .. }) => about.request().map(|(_, key)| key),
            Entry::Changed(Change::CommitRefused { key, .. }) => Some(*key),
            _ => None,
        };
        if key.is_none_or(|key| key == self.w.key) { Millis::MAX } else { self.w.asked_at }
    }

    /// The check that an entry says failed of the request, and how far from a node.
    fn failed(&self, entry: &Entry) -> Option<(u8, Check)> {
        let mine = |about: About| match about {
            About::Queue(queue) => self.queues.contains(&queue),
            About::App(app) => app == self.w.app,
            About::Request(app, key) | About::OnNode(app, key, _) => self.is_it(app, key),
            About::Cluster | About::Node(_) | About::User(_) => false,
        };
        match entry {
            Entry::Found(Finding::Checked(checked)) if checked.fails() && mine(checked.about) => {
                let wants = checked.check.row().kind == Kind::Want;
                // What another one's request leaves is of account where this one is not looked at itself.
                let of_another = checked.check == Check::LeafHeadroom
                    && checked.figures.as_amounts().and_then(|a| a.app).is_some_and(|app| app != self.w.app);
                let level = if of_another { 3 } else { level(checked.check, checked.about) };
                (!wants).then(|| (level, same(checked.check)))
            }
            // That a queue leaves a reservation in place may be about another one's.
            Entry::Found(Finding::Leave { about, end: VisitEnd::ReReserved { .. } })
                if mine(*about) && !matches!(about, About::Queue(_)) =>
            {
                Some((2, Check::NodeFree))
            }
            Entry::Changed(Change::CommitRefused { app, key, why, .. }) if self.is_it(*app, *key) => {
                Some((1, why.check))
            }
            _ => None,
        }
    }

    /// The check that an entry says failed of the request.
    pub fn fails(&self, entry: &Entry) -> Option<Check> {
        self.failed(entry).map(|(_, check)| check)
    }

    /// Whether an entry is about a look at the application itself.
    fn is_of_it(&self, entry: &Entry) -> bool {
        match entry {
            Entry::Found(Finding::Checked(checked)) => checked.about.app() == Some(self.w.app),
            _ => false,
        }
    }

    /// Whether the application may not be active: what stops it from now on, or that nothing does.
    fn held(&self, entry: &Entry) -> Option<Option<Check>> {
        match entry {
            Entry::Changed(Change::NotRunnable { app, why }) if *app == self.w.app => Some(Some(why.check)),
            Entry::Changed(Change::NotActivated { app, why }) if *app == self.w.app => Some(Some(why.check)),
            Entry::Changed(Change::Activated { app, .. } | Change::AttemptAdded { app, .. }) if *app == self.w.app => {
                Some(None)
            }
            _ => None,
        }
    }
}

fn is_parallel(check: Check) -> bool {
    matches!(check, Check::QueueParallelApps | Check::UserParallelApps)
}

/// The stretches from one moment to another, one after the other.
pub fn stretches<'l>(path: &Path<'_>, lines: impl Iterator<Item = &'l Line>, from: Millis, to: Millis) -> Vec<Stretch> {
    // Whenever something begins or ends to fail: when, how far from a node, which check, and by how much its count changes.
    let mut turns: Vec<(Millis, u8, Check, i64)> = Vec::new();
    let mut add = |begin: Millis, end: Millis, (level, check): (u8, Check)| {
        let (begin, end) = (begin.max(from), end.min(to));
        if begin < end {
            turns.push((begin, level, check, 1));
            turns.push((end, level, check, -1));
        }
    };
    let mut held: Option<(Millis, Check)> = None;
    for line in lines {
        if let Some(now) = path.held(&line.entry) {
            if let Some((since, check)) = held.take() {
                add(since, line.first, (0, check));
            }
            held = now.map(|check| (line.first, check));
            continue;
        }
        let Some(failed) = path.failed(&line.entry) else { continue };
        // One that is looked at is runnable by now.
        if path.is_of_it(&line.entry)
            && let Some((since, check)) = held.take_if(|(_, check)| is_parallel(*check))
        {
            add(since, line.first, (0, check));
        }
        let until = path.counts_until(&line.entry);
        let mut begin = line.first;
        for (last, next) in &line.gaps {
            add(begin, last.saturating_add(path.round).min(until), failed);
            begin = *next;
        }
        add(begin, line.last.saturating_add(path.round).min(until), failed);
    }
    if let Some((since, check)) = held {
        add(since, to, (0, check));
    }
    turns.sort_unstable_by_key(|(at, level, check, by)| (*at, *level, *check, *by));
    let mut open: BTreeMap<(u8, Check), i64> = BTreeMap::new();
    let (mut out, mut at): (Vec<Stretch>, Millis) = (Vec::new(), from);
    let mut push = |from: Millis, to: Millis, open: &BTreeMap<(u8, Check), i64>| {
        if from >= to {
            return;
        }
        let nearest = open.keys().next().map(|(level, _)| *level);
        let checks: Vec<Check> =
            open.keys().filter(|(level, _)| Some(*level) == nearest).map(|(_, check)| *check).collect();
        let cause = if checks.is_empty() { Cause::Unknown } else { Cause::Checks(checks) };
        match out.last_mut() {
            Some(last) if last.cause == cause => last.to = to,
            _ => out.push(Stretch { from, to, cause, master: false }),
        }
    };
    for (time, level, check, by) in turns {
        push(at, time, &open);
        at = at.max(time);
        let count = open.entry((level, check)).or_default();
        *count += by;
        if *count <= 0 {
            open.remove(&(level, check));
        }
    }
    push(at, to, &open);
    out
}

/// Puts stretches of no more than two rounds to those before them, or after them: heartbeats come when they come. What has not come
/// again for longer has ended.
pub fn steady(stretches: Vec<Stretch>, round: Millis) -> Vec<Stretch> {
    let mut out: Vec<Stretch> = Vec::new();
    let last = stretches.len().saturating_sub(1);
    // Up to when the last one was seen itself.
    let mut seen = Millis::MIN;
    for (i, mut stretch) in stretches.into_iter().enumerate() {
        let short = stretch.to - stretch.from <= 2 * round;
        let until = stretch.to;
        match out.last_mut() {
            Some(before) if before.cause == stretch.cause => {
                before.to = stretch.to;
            }
            Some(before) if short && stretch.cause == Cause::Unknown => {
                before.to = stretch.to;
                continue;
            }
            Some(before) if short && i < last && stretch.to - seen <= 2 * round => {
                before.to = stretch.to;
                continue;
            }
            Some(before) if before.to - before.from <= 2 * round => {
                stretch.from = before.from;
                *before = stretch;
            }
            _ => out.push(stretch),
        }
        seen = until;
    }
    out
}

/// Where something that happened is told.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Told {
    /// Where a stretch begins with it.
    AtATurn,
    /// In the stretch that it falls into.
    Anywhere,
    /// The same, and in the first one if it came before that: it still counts.
    Still,
}

/// Something that happened, as it is told beside a stretch.
struct Happened {
    at: Millis,
    told: Told,
    text: String,
}

fn happened<'l>(names: Names<'_>, w: &Waiting, lines: impl Iterator<Item = &'l Line>) -> Vec<Happened> {
    let mut out = Vec::new();
    let is_away = |node: NodeId| names.rm().node(node).is_some_and(|n| away(names, n).is_some());
    // What happens to nodes that would not take it anyway is no cause.
    let matters = |node: NodeId| names.rm().node(node).is_none_or(|n| may_go_to(names, w, n));
    let other_label = |node: NodeId| names.rm().node(node).is_some_and(|n| n.partition != w.partition);
    let counted = counted_tags(names, w);
    // What containers were asked under that carry a tag which the request's constraint counts.
    let mut keys: BTreeMap<ContainerId, RequestKey> = BTreeMap::new();
    for line in lines {
        let Entry::Changed(change) = &line.entry else { continue };
        let at = line.first;
        let time = words::clock(at);
        let node = |node| names.node(node);
        let still = |it: bool| if it { Told::Still } else { Told::Anywhere };
        let (told, text) = match change {
            Change::NodeAdded { node: n, .. }
            | Change::NodeRemoved { node: n, .. }
            | Change::NodeDecommissioning { node: n }
            | Change::NodeResized { node: n, .. }
                if !matters(*n) =>
            {
                continue;
            }
            Change::NodeAdded { node: n, .. } if at > 0 => (Told::Anywhere, say::joined(node(*n), &time)),
            // What a node is by now is told below.
            Change::NodeRemoved { node: n, .. } | Change::NodeDecommissioning { node: n } if is_away(*n) => continue,
            Change::NodeRemoved { node: n, why } => {
                let text = match why {
                    NodeGone::Lost | NodeGone::Rebooted => say::lost(node(*n), &time),
                    NodeGone::Unhealthy => say::unhealthy(node(*n), &time),
                    NodeGone::Decommissioned | NodeGone::Shutdown => say::left(node(*n), &time),
                };
                (Told::Anywhere, text)
            }
            Change::NodeDecommissioning { node: n } => (Told::Anywhere, say::decommissioning(node(*n), &time)),
            Change::NodeRelabelled { node: n, to, .. } => {
                let tell = if to.is_default() { say::unlabelled } else { say::relabelled };
                (still(other_label(*n)), tell(node(*n), &time))
            }
            Change::NodeResized { node: n, .. } if !is_away(*n) => (Told::Still, say::resized(node(*n), &time)),
            Change::Refreshed => (Told::Anywhere, say::refreshed(&time)),
            Change::AppEnded { app } if *app != w.app => (Told::AtATurn, say::ended(names.app(*app), &time)),
            Change::Allocated { container, key, am: false, .. } if !counted.is_empty() => {
                keys.insert(*container, *key);
                continue;
            }
            Change::Completed { container, .. }
                if keys.get(container).is_some_and(|key| carries(names, container.app, *key, &counted)) =>
            {
                (Told::Still, say::ended(&names.container_name(*container), &time))
            }
            Change::Moved { app, to, .. } if *app == w.app => (Told::Still, say::moved(names.queue(*to), &time)),
            Change::AttemptAdded { app, attempt } if *app == w.app && *attempt > 1 => {
                (Told::Still, say::attempt(i64::from(*attempt), &time))
            }
            _ => continue,
        };
        out.push(Happened { at, told, text });
    }
    for node in names.rm().nodes().iter().filter(|node| may_go_to(names, w, node)) {
        if let Some(away) = away(names, node) {
            out.push(Happened { at: away.since, told: Told::Still, text: say::node(&node.host, &away.has()) });
        }
    }
    heddle_core::model::order::sort_by_key(&mut out, |h| h.at);
    out
}

/// Whether the request was given a container.
fn is_given(line: &Line, w: &Waiting) -> bool {
    matches!(line.entry, Entry::Changed(Change::Allocated { container, key, .. }) if (container.app, key) == (w.app, w.key))
}

/// The tags whose containers the constraints of a request count.
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

/// Whether what an application asked for under a key carries one of these tags.
fn carries(names: Names<'_>, app: AppId, key: RequestKey, tags: &[&String]) -> bool {
    let kind = names.sim.place_of(app).and_then(|place| names.scenario().apps.get(place)).map(|app| &app.kind);
    let Some(kind) = kind else { return false };
    let of_spec = kind.spec().into_iter().flat_map(|spec| &spec.entries).any(|e| tags.iter().any(|t| *t == e.tag()));
    let mut asks = kind.calls().iter().flat_map(|call| &call.scheduling);
    let of_call = asks.any(|ask| ask.key() == key && ask.tags.iter().any(|tag| tags.contains(&tag)));
    of_spec || of_call
}

/// The stretches with their words. A single one without anything that happened says no more than the sentence: it is left out.
pub fn view<'l>(
    names: Names<'_>,
    w: &Waiting,
    stretches: &[Stretch],
    lines: impl Iterator<Item = &'l Line>,
    round: Millis,
) -> Vec<StretchView> {
    let lines: Vec<&Line> = lines.collect();
    let all = happened(names, w, lines.iter().copied());
    let given: Vec<Millis> = lines.iter().filter(|line| is_given(line, w)).map(|line| line.first).collect();
    let mut out: Vec<StretchView> = Vec::new();
    let end = stretches.last().map_or(0, |s| s.to);
    for (i, stretch) in stretches.iter().enumerate() {
        let begins = |h: &&Happened| h.at > stretch.from - 2 * round && h.at <= stretch.from.saturating_add(round);
        let within = |h: &&Happened| {
            // What a stretch begins with is told there.
            let of_next = stretches.get(i + 1).is_some_and(|next| h.at > next.from - 2 * round);
            let before = i == 0 && h.told == Told::Still && h.at <= stretch.from;
            h.told != Told::AtATurn && (before || h.at > stretch.from && h.at <= stretch.to) && !of_next
        };
        let told = all.iter().filter(|h| begins(h) && (i > 0 || h.told != Told::AtATurn) || within(h));
        let told: Vec<String> = told.map(|h| h.text.clone()).collect();
        let more = told.len().saturating_sub(HAPPENED);
        let mut told: Vec<String> = told.into_iter().take(HAPPENED).collect();
        told.extend((more > 0).then(|| say::more(more)));
        // What it was given at the turns belongs to what was before and comes after.
        let meanwhile = |at: &&Millis| **at > stretch.from + 2 * round && **at < stretch.to - 2 * round;
        let n = given.iter().filter(meanwhile).count();
        let counts = n > 0 && !stretch.master && stretch.cause != Cause::Served;
        told.extend(counts.then(|| say::given(n)));
        out.push(StretchView {
            from_ms: stretch.from,
            to_ms: (stretch.to < end).then_some(stretch.to),
            checks: match &stretch.cause {
                Cause::Checks(checks) => checks.iter().map(|check| check.row().name.to_string()).collect(),
                Cause::Served | Cause::Others | Cause::NoSuchLabel | Cause::NotAsked | Cause::Unknown => Vec::new(),
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

/// The last stretches and the longest of the others, in their order; each knows how many were left out before it.
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

    fn stretch(from: Millis, to: Millis, checks: &[Check]) -> Stretch {
        let cause = if checks.is_empty() { Cause::Unknown } else { Cause::Checks(checks.to_vec()) };
        Stretch { from, to, cause, master: false }
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
        assert_eq!(steady(all, 1_000), [stretch(0, 40_000, &limit), stretch(40_000, 60_000, &room)]);
        // Many short ones are no part of what was before them.
        let mut all = vec![stretch(0, 3_000, &limit)];
        let small = [Check::NodeTotal];
        all.extend((3..30).map(|s| stretch(s * 1_000, (s + 1) * 1_000, if s % 3 == 2 { &small } else { &room })));
        assert_eq!(steady(all, 1_000)[0], stretch(0, 5_000, &limit));
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
