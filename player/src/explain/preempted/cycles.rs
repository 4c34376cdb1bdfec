//! Preemption without effect, found in the journal: rounds that kill while the queue that is owed resources gets nothing
//! (livelock), and two queues that take the same resources from each other (ping-pong).

use super::case::ExplainedLeaf;
use crate::explain::names::Names;
use crate::explain::say::preemption as say;
use crate::explain::words;
use heddle_core::journal::{Change, Entry};
use heddle_core::model::{AppId, ContainerId, EndCause, Millis, NodeId, PreemptedFor, QueueId, Selector};
use heddle_core::scheduler::Container;

/// The number of killing rounds, or of turns of two queues, from which it counts as a cycle.
const TURNS: usize = 3;

/// Preemption without effect.
#[derive(Clone, Debug, PartialEq)]
pub enum Cycle {
    /// One queue loses containers, gets their resources again and loses them again, while another queue is owed them and gets
    /// nothing.
    Livelock { gives: QueueId, owed: QueueId, span: Span, given_back: usize },
    /// Two queues take the same resources from each other.
    PingPong { queues: [QueueId; 2], span: Span },
    /// Containers were killed, the queue that was owed their resources has got nothing, and no container is marked any more.
    InVain { gives: Vec<QueueId>, owed: QueueId, span: Span },
}

/// When it happened, how many containers it killed, and how often.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Span {
    pub from: Millis,
    pub to: Millis,
    /// The number of killed containers.
    pub killed: usize,
    /// The number of rounds that killed them.
    pub rounds: usize,
    /// The average time from one kill to the next of the same kind.
    pub period: Millis,
}

/// A container that a round killed for another queue, and the queue that got resources on its node next.
#[derive(Clone, Copy, Debug)]
struct Kill {
    at: Millis,
    queue: QueueId,
    node: NodeId,
    next: Option<QueueId>,
}

/// The kills for other queues, and every time at which a queue got resources.
#[derive(Debug, Default)]
struct KillHistory {
    kills: Vec<Kill>,
    given: Vec<(Millis, QueueId)>,
}

impl Cycle {
    /// Returns the queue whose answer shows it first.
    pub fn about(&self) -> QueueId {
        match self {
            Cycle::Livelock { owed, .. } | Cycle::InVain { owed, .. } => *owed,
            Cycle::PingPong { queues, .. } => queues[0],
        }
    }

    /// Returns whether this queue is part of it.
    pub fn has(&self, queue: QueueId) -> bool {
        match self {
            Cycle::Livelock { gives, owed, .. } => [*gives, *owed].contains(&queue),
            Cycle::PingPong { queues, .. } => queues.contains(&queue),
            Cycle::InVain { gives, owed, .. } => gives.contains(&queue) || *owed == queue,
        }
    }

    /// Returns whether it goes on, so that it deserves the first sentence of all.
    pub fn goes_on(&self) -> bool {
        !matches!(self, Cycle::InVain { .. })
    }

    /// Returns it as a sentence.
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

/// An application that loses containers to preemption for others of its leaf, and gets the resources again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Retaker {
    pub app: AppId,
    /// How often it got the resources of a killed container.
    pub times: usize,
    /// When the first of these containers was killed.
    pub since: Millis,
}

/// Counts one more time for an application; `since` is kept for its first.
fn count(all: &mut Vec<Retaker>, app: AppId, since: Millis) {
    match all.iter_mut().find(|again| again.app == app) {
        Some(again) => again.times += 1,
        None => all.push(Retaker { app, times: 1, since }),
    }
}

/// Returns the application that got back most often what rounds took from it for others of a leaf since a moment.
pub fn taken_again<'e>(
    names: Names<'_>,
    (leaf, since): (QueueId, Millis),
    lines: impl Iterator<Item = (Millis, &'e Entry)>,
) -> Option<Retaker> {
    let here = |app| names.rm().scheduled(app).is_some_and(|a| a.queue == leaf);
    // The kills whose resources nobody has got yet: when, whose, and on which node.
    let mut open: Vec<(Millis, AppId, NodeId)> = Vec::new();
    let mut all: Vec<Retaker> = Vec::new();
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

/// Containers that the FairScheduler killed for a starved application, which got nothing from it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct UnusedKills {
    /// The number of killed containers.
    pub killed: usize,
    /// When the first of them was killed.
    pub since: Millis,
    /// The application that got their resources most often.
    pub taker: Option<Retaker>,
}

/// How long freed resources may stay free before they count as unused.
const UNUSED: Millis = 5_000;

/// Returns what the FairScheduler took for a starved application since it last got something from that, up to `now`.
pub fn taken_for<'e>(app: AppId, now: Millis, lines: impl Iterator<Item = (Millis, &'e Entry)>) -> Option<UnusedKills> {
    let mut warned: Vec<ContainerId> = Vec::new();
    // The kills whose resources nobody has got yet: when, and on which node.
    let mut open: Vec<(Millis, NodeId)> = Vec::new();
    let (mut taken, mut takers): (Vec<Millis>, Vec<Retaker>) = Default::default();
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
    Some(UnusedKills { killed: taken.len(), since, taker: takers.into_iter().max_by_key(|again| again.times) })
}

/// Returns the cycle that preemption is in at this moment, from the record up to it in order of time.
pub fn cycle<'e>(names: Names<'_>, lines: impl Iterator<Item = (Millis, &'e Entry)>) -> Option<Cycle> {
    names.rm().preemption_monitor()?;
    let history = KillHistory::of(names, lines);
    history.ping_pong(names.now).or_else(|| {
        let owed = owed_now(names);
        let livelock = owed.iter().find_map(|queue| history.livelock(*queue, names.now));
        livelock.or_else(|| owed.iter().find_map(|queue| history.in_vain(names, *queue)))
    })
}

/// Returns the leaves that the latest round found to be owed resources, and those that have only reserved them.
fn owed_now(names: Names<'_>) -> Vec<QueueId> {
    let leaf = |c: &Container| names.rm().scheduled(c.id.app).map(|a| a.queue);
    let mut out: Vec<QueueId> = names.rm().reservations().filter_map(leaf).collect();
    for p in names.rm().cluster().partition_ids() {
        // No leaf is root, so none is left out as the case's own.
        let case = ExplainedLeaf::now(names, QueueId(0), p);
        let owed = case.passes().flat_map(|pass| case.owed_others(pass));
        out.extend(owed.map(|l| l.queue));
    }
    out.sort_unstable();
    out.dedup();
    out
}

impl KillHistory {
    fn of<'e>(names: Names<'_>, lines: impl Iterator<Item = (Millis, &'e Entry)>) -> Self {
        let mut out = KillHistory::default();
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

    /// Returns the kills of other queues since this one last got something.
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
            // Nobody gets the resources of a container that was killed on a node which takes nothing any more.
            let most = given_back + 1 + span.rounds / 4 >= span.rounds;
            let cycles = span.rounds >= TURNS && given_back > 0 && most && goes_on(&span, now);
            cycles.then_some(Cycle::Livelock { gives, owed, span, given_back })
        })
    }

    fn in_vain(&self, names: Names<'_>, owed: QueueId) -> Option<Cycle> {
        let kills = self.since_given(owed);
        let span = span(&kills)?;
        // By then, every node has been offered to the queue that is owed resources.
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
        // Turns: which queue gives, its kills, and whether the other queue got the resources.
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
        // The longest run at the end in which two queues alternate, each getting what the other gives. What the last one gives
        // may not be allocated yet.
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
        // The time from one turn of a queue to its next one.
        let starts: Vec<Millis> = turns.iter().map(|(_, kills)| self.kills[kills.start].at).collect();
        let pairs = starts.windows(3).map(|w| w[2] - w[0]);
        span.period = pairs.clone().sum::<Millis>() / (pairs.count().max(1) as Millis);
        span.rounds = turns.len();
        goes_on(&span, now).then_some(Cycle::PingPong { queues, span })
    }
}

/// Returns whether it has not ended long ago.
fn goes_on(span: &Span, now: Millis) -> bool {
    now - span.to <= 2 * span.period.max(1_000)
}

/// Returns the span of the kills.
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

    /// A kill every 18 s on one node: who gives, and who gets resources there next.
    fn history(kills: &[(QueueId, Option<QueueId>)]) -> KillHistory {
        let mut out = KillHistory::default();
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
        // A ping-pong, after which one queue got its own resources back.
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
