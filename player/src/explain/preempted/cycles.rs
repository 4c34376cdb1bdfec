//! Preemption that comes to nothing, found in what the journal has of it: rounds that kill while the queue that is owed room
//! gets nothing (livelock), and two queues that take the same room from each other (ping-pong).

use super::case::Case;
use crate::explain::names::Names;
use crate::explain::say::preemption as say;
use crate::explain::words;
use heddle_core::journal::{Change, Entry};
use heddle_core::model::{AppId, ContainerId, EndCause, Millis, NodeId, PreemptedFor, QueueId, Selector};
use heddle_core::scheduler::Container;

/// Rounds that killed, or turns of two queues, from which on it is a cycle.
const TURNS: usize = 3;

/// Preemption that comes to nothing.
#[derive(Clone, Debug, PartialEq)]
pub enum Cycle {
    /// One queue gives, is given the room again, and gives; another is owed it and gets nothing.
    Livelock { gives: QueueId, owed: QueueId, span: Span, given_back: usize },
    /// Two queues take the same room from each other.
    PingPong { queues: [QueueId; 2], span: Span },
    /// Containers were killed, and the queue that was owed their room has got nothing; none is marked any more.
    InVain { gives: Vec<QueueId>, owed: QueueId, span: Span },
}

/// When, how many containers, and how often.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Span {
    pub from: Millis,
    pub to: Millis,
    /// Containers that were killed.
    pub killed: usize,
    /// Rounds in which they were.
    pub rounds: usize,
    /// From one to the next of the same kind, on average.
    pub period: Millis,
}

/// A container that a round killed between queues, and who was given room on its node next.
#[derive(Clone, Copy, Debug)]
struct Kill {
    at: Millis,
    queue: QueueId,
    node: NodeId,
    next: Option<QueueId>,
}

/// What was killed between queues, and when each queue was given something last.
#[derive(Debug, Default)]
struct History {
    kills: Vec<Kill>,
    given: Vec<(Millis, QueueId)>,
}

impl Cycle {
    /// The queue that it is told of first.
    pub fn about(&self) -> QueueId {
        match self {
            Cycle::Livelock { owed, .. } | Cycle::InVain { owed, .. } => *owed,
            Cycle::PingPong { queues, .. } => queues[0],
        }
    }

    /// Is this queue in it?
    pub fn has(&self, queue: QueueId) -> bool {
        match self {
            Cycle::Livelock { gives, owed, .. } => [*gives, *owed].contains(&queue),
            Cycle::PingPong { queues, .. } => queues.contains(&queue),
            Cycle::InVain { gives, owed, .. } => gives.contains(&queue) || *owed == queue,
        }
    }

    /// Does it go on, so that it is worth the first sentence of all?
    pub fn goes_on(&self) -> bool {
        !matches!(self, Cycle::InVain { .. })
    }

    /// In words.
    pub fn sentence(&self, names: Names<'_>) -> String {
        let q = |queue: &QueueId| names.queue(*queue);
        let span = |s: &Span| (words::clock(s.from), words::clock(s.to), words::span(s.period));
        match self {
            Cycle::Livelock { gives, owed, span: s, given_back } => {
                let (from, _, every) = span(s);
                say::livelock(q(gives), q(owed), &from, [s.killed, s.rounds, *given_back].map(|n| n as i64), &every)
            }
            Cycle::PingPong { queues: [a, b], span: s } => {
                let (from, _, every) = span(s);
                say::ping_pong(q(a), q(b), &from, [s.killed, s.rounds].map(|n| n as i64), &every)
            }
            Cycle::InVain { gives, owed, span: s } => {
                let (from, to, _) = span(s);
                let gives: Vec<&str> = gives.iter().map(q).collect();
                say::in_vain(&gives, q(owed), &from, &to, s.killed as i64)
            }
        }
    }
}

/// An application that preemption takes containers from for others of its leaf, and that is given the room again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Again {
    pub app: AppId,
    /// How often it got the room of one that was killed.
    pub times: usize,
    /// When the first of them was killed.
    pub since: Millis,
}

/// Counts one more time for an application, the first of which was at `since`.
fn count(all: &mut Vec<Again>, app: AppId, since: Millis) {
    match all.iter_mut().find(|again| again.app == app) {
        Some(again) => again.times += 1,
        None => all.push(Again { app, times: 1, since }),
    }
}

/// Who got most often what rounds took from it for others of a leaf since a moment.
pub fn taken_again<'e>(
    names: Names<'_>,
    (leaf, since): (QueueId, Millis),
    lines: impl Iterator<Item = (Millis, &'e Entry)>,
) -> Option<Again> {
    let here = |app| names.rm().scheduled(app).is_some_and(|a| a.queue == leaf);
    // When, from whom and on which node one was killed whose room nobody has been given yet.
    let mut open: Vec<(Millis, AppId, NodeId)> = Vec::new();
    let mut all: Vec<Again> = Vec::new();
    for (at, entry) in lines {
        let Entry::Changed(change) = entry else { continue };
        match change {
            Change::Preempted {
                container,
                node,
                what_for: PreemptedFor::Round { by: Selector::IntraQueue, .. },
                ..
            } if at >= since && here(container.app) => {
                open.push((at, container.app, *node));
            }
            Change::Allocated { container, node, .. } => {
                let Some(i) = open.iter().position(|(_, _, on)| on == node) else { continue };
                let (killed, app, _) = open.remove(i);
                if app == container.app {
                    count(&mut all, app, killed);
                }
            }
            _ => {}
        }
    }
    all.into_iter().max_by_key(|again| again.times)
}

/// What the FairScheduler took for a starved application that has got nothing of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ForNothing {
    /// How many containers were killed.
    pub killed: usize,
    /// When the first of them was.
    pub since: Millis,
    /// Who got their room most often.
    pub taker: Option<Again>,
}

/// How long room that was freed may stay free before it counts as of no use.
const UNUSED: Millis = 5_000;

/// What the FairScheduler took for a starved application since that last got something of it; `now`: the moment.
pub fn taken_for<'e>(app: AppId, now: Millis, lines: impl Iterator<Item = (Millis, &'e Entry)>) -> Option<ForNothing> {
    let mut warned: Vec<ContainerId> = Vec::new();
    // When and on which node one was killed whose room nobody has been given yet.
    let mut open: Vec<(Millis, NodeId)> = Vec::new();
    let (mut taken, mut takers): (Vec<Millis>, Vec<Again>) = Default::default();
    for (at, entry) in lines {
        let Entry::Changed(change) = entry else { continue };
        match change {
            Change::Warned { container, starved, .. } if *starved == app => warned.push(*container),
            Change::Completed { container, node, why: EndCause::Preempted, .. } if warned.contains(container) => {
                open.push((at, *node));
            }
            Change::Allocated { container, node, .. } => {
                let Some(i) = open.iter().position(|(_, on)| on == node) else { continue };
                let (since, _) = open.remove(i);
                if container.app == app {
                    (open, taken, takers) = Default::default();
                } else {
                    taken.push(since);
                    count(&mut takers, container.app, since);
                }
            }
            _ => {}
        }
    }
    let unused = open.into_iter().map(|(at, _)| at).filter(|at| now.saturating_sub(*at) >= UNUSED);
    taken.extend(unused);
    let since = taken.iter().copied().min()?;
    Some(ForNothing { killed: taken.len(), since, taker: takers.into_iter().max_by_key(|again| again.times) })
}

/// The cycle that preemption is in at a moment, from what was recorded up to then, in order of time.
pub fn cycle<'e>(names: Names<'_>, lines: impl Iterator<Item = (Millis, &'e Entry)>) -> Option<Cycle> {
    names.rm().preemption_monitor()?;
    let history = History::of(names, lines);
    history.ping_pong(names.now).or_else(|| {
        let owed = owed_now(names);
        let livelock = owed.iter().find_map(|queue| history.livelock(*queue, names.now));
        livelock.or_else(|| owed.iter().find_map(|queue| history.in_vain(names, *queue)))
    })
}

/// Leaves that the latest round found to be owed room, and those that have only reserved it.
fn owed_now(names: Names<'_>) -> Vec<QueueId> {
    let leaf = |c: &Container| names.rm().scheduled(c.id.app).map(|a| a.queue);
    let mut out: Vec<QueueId> = names.rm().reservations().filter_map(leaf).collect();
    for p in names.rm().cluster().partition_ids() {
        // No leaf is root: all of them are others.
        let case = Case::now(names, QueueId(0), p);
        let owed = case.passes().flat_map(|pass| case.owed_others(pass));
        out.extend(owed.map(|l| l.queue));
    }
    out.sort_unstable();
    out.dedup();
    out
}

impl History {
    fn of<'e>(names: Names<'_>, lines: impl Iterator<Item = (Millis, &'e Entry)>) -> Self {
        let mut out = History::default();
        let leaf = |app| names.rm().scheduled(app).map(|a| a.queue);
        let between = |by: Selector| by != Selector::IntraQueue;
        for (at, entry) in lines {
            let Entry::Changed(change) = entry else { continue };
            match change {
                Change::Preempted { container, node, what_for: PreemptedFor::Round { by, .. }, .. } if between(*by) => {
                    let Some(queue) = leaf(container.app) else { continue };
                    out.kills.push(Kill { at, queue, node: *node, next: None });
                }
                Change::Allocated { container, node, .. } => {
                    let Some(queue) = leaf(container.app) else { continue };
                    out.given.push((at, queue));
                    if let Some(kill) = out.kills.iter_mut().find(|k| k.node == *node && k.next.is_none()) {
                        kill.next = Some(queue);
                    }
                }
                _ => {}
            }
        }
        out
    }

    /// Kills of other queues since this one was given something last.
    fn since_given(&self, owed: QueueId) -> Vec<Kill> {
        let last = self.given.iter().rev().find(|(_, q)| *q == owed).map_or(Millis::MIN, |(at, _)| *at);
        self.kills.iter().copied().filter(|k| k.at > last && k.queue != owed).collect()
    }

    fn livelock(&self, owed: QueueId, now: Millis) -> Option<Cycle> {
        let kills = self.since_given(owed);
        let mut gives: Vec<QueueId> = kills.iter().map(|k| k.queue).collect();
        gives.sort_unstable();
        gives.dedup();
        gives.into_iter().find_map(|gives| {
            let mine: Vec<Kill> = kills.iter().copied().filter(|k| k.queue == gives).collect();
            let given_back = mine.iter().filter(|k| k.next == Some(gives)).count();
            let span = span(&mine)?;
            // Nobody gets the room of a container that was killed on a node which takes no more.
            let most = given_back + 1 + span.rounds / 4 >= span.rounds;
            let cycles = span.rounds >= TURNS && given_back > 0 && most && goes_on(&span, now);
            cycles.then_some(Cycle::Livelock { gives, owed, span, given_back })
        })
    }

    fn in_vain(&self, names: Names<'_>, owed: QueueId) -> Option<Cycle> {
        let kills = self.since_given(owed);
        let span = span(&kills)?;
        // Whoever is owed room has had an offer of every node since.
        let patience = names.rm().preemption_monitor()?.conf().monitoring_interval_ms.max(5_000) * 2;
        let acts = names.sim.latest_preemption().map_or(0, |r| r.acts.len());
        if names.now - span.to < patience || acts > 0 {
            return None;
        }
        let mut gives: Vec<QueueId> = kills.iter().map(|k| k.queue).collect();
        gives.sort_unstable();
        gives.dedup();
        Some(Cycle::InVain { gives, owed, span })
    }

    fn ping_pong(&self, now: Millis) -> Option<Cycle> {
        // Turns: which queue gives, its kills, and whether the other was given that room.
        type Turn = (QueueId, std::ops::Range<usize>);
        let mut turns: Vec<Turn> = Vec::new();
        for (i, kill) in self.kills.iter().enumerate() {
            match turns.last_mut() {
                Some((queue, range)) if *queue == kill.queue => range.end = i + 1,
                _ => turns.push((kill.queue, i..i + 1)),
            }
        }
        let next =
            |turn: &Turn, whose: QueueId| self.kills[turn.1.clone()].iter().filter(|k| k.next == Some(whose)).count();
        let taken_by = |turn: &Turn, other: QueueId| next(turn, other) > next(turn, turn.0);
        // As many at the end as two queues alternate in, each being given what the other gives; of the last nobody may have
        // been given anything yet.
        let mut first = turns.len().checked_sub(1)?;
        if next(&turns[first], turns[first].0) > 0 && first > 0 && !taken_by(&turns[first], turns[first - 1].0) {
            return None;
        }
        while first > 0
            && taken_by(&turns[first - 1], turns[first].0)
            && turns.get(first + 1).is_none_or(|after| after.0 == turns[first - 1].0)
        {
            first -= 1;
        }
        let turns = &turns[first..];
        if turns.len() < TURNS {
            return None;
        }
        let mut span = span(&self.kills[turns[0].1.start..])?;
        let queues = [turns[0].0, turns[1].0];
        // From one turn of a queue to its next one.
        let starts: Vec<Millis> = turns.iter().map(|(_, kills)| self.kills[kills.start].at).collect();
        let pairs = starts.windows(3).map(|w| w[2] - w[0]);
        span.period = pairs.clone().sum::<Millis>() / (pairs.count().max(1) as Millis);
        span.rounds = turns.len();
        goes_on(&span, now).then_some(Cycle::PingPong { queues, span })
    }
}

/// Has it not ended long ago?
fn goes_on(span: &Span, now: Millis) -> bool {
    now - span.to <= 2 * span.period.max(1_000)
}

/// When they were killed.
fn span(kills: &[Kill]) -> Option<Span> {
    let (from, to) = (kills.first()?.at, kills.last()?.at);
    let mut rounds: Vec<Millis> = kills.iter().map(|k| k.at).collect();
    rounds.dedup();
    let rounds = rounds.len();
    let period = if rounds > 1 { (to - from) / (rounds as Millis - 1) } else { 0 };
    Some(Span { from, to, killed: kills.len(), rounds, period })
}

#[cfg(test)]
mod tests {
    use super::*;

    const A: QueueId = QueueId(1);
    const B: QueueId = QueueId(2);

    /// A kill every 18 s on one node: who gives, and who is given room there next.
    fn history(kills: &[(QueueId, Option<QueueId>)]) -> History {
        let mut out = History::default();
        for (i, (queue, next)) in kills.iter().enumerate() {
            let at = 45_000 + 18_000 * i as Millis;
            out.kills.push(Kill { at, queue: *queue, node: NodeId(0), next: *next });
            out.given.extend(next.map(|q| (at + 1_000, q)));
        }
        out
    }

    #[test]
    fn two_queues_that_take_from_each_other_in_turn_are_a_ping_pong() {
        let to_and_fro = [(A, Some(B)), (B, Some(A)), (A, Some(B)), (B, None)];
        let found = history(&to_and_fro).ping_pong(100_000);
        let span = Span { from: 45_000, to: 99_000, killed: 4, rounds: 4, period: 36_000 };
        assert_eq!(found, Some(Cycle::PingPong { queues: [A, B], span }));
        assert_eq!(history(&to_and_fro[..2]).ping_pong(70_000), None, "twice is no cycle");
        assert_eq!(history(&to_and_fro).ping_pong(300_000), None, "it is over");
        assert_eq!(history(&[(A, Some(A)), (B, Some(A)), (A, Some(A)), (B, None)]).ping_pong(100_000), None);
        // It was to and fro, and since then one queue has got its own room back.
        let mut since = to_and_fro[..3].to_vec();
        since.extend([(B, Some(A)), (A, Some(A)), (A, Some(A)), (A, Some(A))]);
        assert_eq!(history(&since).ping_pong(172_000), None);
        assert!(matches!(history(&since).livelock(B, 172_000), Some(Cycle::Livelock { gives: A, .. })));
        let third = QueueId(3);
        assert_eq!(history(&[(A, Some(B)), (B, Some(third)), (third, Some(A)), (A, None)]).ping_pong(100_000), None);
    }

    #[test]
    fn a_queue_that_gets_its_room_back_again_and_again_is_a_livelock() {
        let circle = [(A, Some(A)); 3];
        let found = history(&circle).livelock(B, 82_000);
        let span = Span { from: 45_000, to: 81_000, killed: 3, rounds: 3, period: 18_000 };
        assert_eq!(found, Some(Cycle::Livelock { gives: A, owed: B, span, given_back: 3 }));
        assert_eq!(history(&circle[..2]).livelock(B, 64_000), None, "twice is no cycle");
        assert_eq!(history(&[(A, Some(A)), (A, Some(A)), (A, Some(B))]).livelock(B, 82_000), None, "it got something");
        assert_eq!(history(&[(A, None); 3]).livelock(B, 82_000), None, "nobody was given it again");
        let mut leaving = [(A, Some(A)); 8];
        leaving[2] = (A, None);
        leaving[5] = (A, None);
        assert!(history(&leaving).livelock(B, 190_000).is_some(), "some were on a node that leaves");
    }
}
