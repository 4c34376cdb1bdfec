//! The stories of a moment: what a queue was promised and does not get, what was refused, who has more than was promised. They
//! are made from the picture alone, so that they cannot disagree with it.

use crate::Player;
use crate::explain::say::stories as say;
use crate::explain::view::{
    Amount, EventOutcome, QueuePartitionView, QueueView, Selection, Snapshot, StoriesView, StoryBar, StoryKind,
    StoryView,
};
use crate::explain::words;
use heddle_core::model::{Millis, order};
use heddle_view::{SchedulerChoice, format};
use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

/// The most cards, and the most lines below them.
const CARDS: usize = 3;
const LINES: usize = 9;
/// The most moments that are compared for the one where a run is shown first.
const MOMENTS: i64 = 48;

/// A leaf queue in a partition, with the resource type that decides there.
struct Share<'a> {
    queue: &'a QueueView,
    part: &'a QueuePartitionView,
    total: &'a Amount,
    place: usize,
}

impl Share<'_> {
    fn used(&self) -> i64 {
        self.part.used.of(self.place, self.total)
    }

    fn promised(&self) -> i64 {
        self.part.guaranteed.of(self.place, self.total)
    }

    fn pending(&self) -> i64 {
        self.part.pending.of(self.place, self.total)
    }

    /// What it was promised, wants and does not have.
    fn lack(&self) -> i64 {
        (self.promised() - self.used()).min(self.pending()).max(0)
    }

    fn excess(&self) -> i64 {
        if self.promised() > 0 { (self.used() - self.promised()).max(0) } else { 0 }
    }

    fn text(&self, n: i64) -> String {
        match self.place {
            0 => format!("{} GB", format::gb(n)),
            1 => words::vcores(n),
            k => format!("{n} {}", self.total.more.get(k - 2).map_or("", |(name, _)| words::short_type(name))),
        }
    }

    fn bar(&self) -> StoryBar {
        StoryBar { used: self.used(), wanted: self.pending(), mark: self.promised() }
    }
}

/// Returns the stories of a picture.
pub fn stories(s: &Snapshot) -> StoriesView {
    let fair = s.scheduler == SchedulerChoice::Fair;
    let shares = shares(s);
    let firsts = firsts(s);
    let first = |share: &Share<'_>| firsts.get(&(share.queue.path.as_str(), share.part.partition.as_str())).copied();
    let mut starved: Vec<(&Share<'_>, First<'_>)> =
        { shares.iter().filter(|share| share.lack() > 0) }.filter_map(|share| Some((share, first(share)?))).collect();
    // Where not even the first request fits into the guarantee, or into all that there is, no promise is broken.
    starved.retain(|(share, (.., size))| {
        let with_it = share.used() + size.of(share.place, share.total);
        with_it <= share.promised().min(share.total.of(share.place, share.total))
    });
    order::sort_by_key(&mut starved, |(share, first)| (Reverse(part_of(share.lack(), share.promised())), first.0));
    let mut over: Vec<&Share<'_>> = shares.iter().filter(|share| share.excess() > 0).collect();
    let mut starving_in: BTreeMap<&str, i64> = BTreeMap::new();
    for (share, _) in &starved {
        *starving_in.entry(&share.part.partition).or_default() += 1;
    }
    let starving = |of: &Share<'_>| starving_in.get(of.part.partition.as_str()).copied().unwrap_or(0);
    // Less than the smallest request that starves there would help nobody.
    let helps = |over: &Share<'_>| {
        let here = starved.iter().filter(|(share, _)| share.part.partition == over.part.partition);
        here.map(|(share, (.., size))| size.of(share.place, share.total))
            .min()
            .is_some_and(|least| over.excess() >= least)
    };
    over.retain(|share| starving(share) > 0 && helps(share));
    order::sort_by_key(&mut over, |share| Reverse(share.excess()));
    let starved_story = |(share, (since, about, why, _)): &(&Share<'_>, First<'_>)| StoryView {
        kind: StoryKind::Starved,
        fate: EventOutcome::Waiting,
        word: say::STARVED.into(),
        name: share.queue.path.clone(),
        about: (*about).clone(),
        figure: waited(s, *since),
        text: {
            let (used, promised) = (share.text(share.used()), share.text(share.promised()));
            say::starved(&used, &promised, &share.text(share.pending()), fair, why)
        },
        short: (*why).to_owned(),
        bar: Some(share.bar()),
    };
    let over_story = |share: &&Share<'_>| StoryView {
        kind: StoryKind::Over,
        fate: EventOutcome::Placed,
        word: say::over(fair).into(),
        name: share.queue.path.clone(),
        about: Selection::Queue(share.queue.path.clone()),
        figure: say::factor(share.used() * 10 / share.promised().max(1)),
        text: {
            let (used, promised) = (share.text(share.used()), share.text(share.promised()));
            say::over_text(&used, &promised, fair, starving(share))
        },
        short: share.text(share.used()),
        bar: Some(StoryBar { wanted: 0, ..share.bar() }),
    };
    let (starved, refused): (Vec<StoryView>, Vec<StoryView>) =
        (starved.iter().map(starved_story).collect(), refused(s));
    let over: Vec<StoryView> = over.iter().map(over_story).collect();
    let waits = waits(s, &starved);
    let kinds = [starved, refused, over, waits];
    let mut all: Vec<StoryView> = Vec::new();
    let mut rest: Vec<StoryView> = Vec::new();
    for kind in kinds {
        let mut kind = kind.into_iter();
        all.extend(kind.next());
        rest.extend(kind);
    }
    // One of each kind first, then the others in the order of the kinds.
    let room = CARDS.saturating_sub(all.len());
    let others = rest.split_off(rest.len().min(room));
    all.extend(rest);
    let mut lines = all.split_off(all.len().min(CARDS));
    lines.extend(others);
    let more = lines.len().saturating_sub(LINES);
    lines.truncate(LINES);
    StoriesView { cards: all, lines, more }
}

/// Returns the leaves in the partitions where they have something, or were promised something.
fn shares(s: &Snapshot) -> Vec<Share<'_>> {
    let leaves = s.queues.iter().filter(|q| q.leaf);
    let parts = leaves.flat_map(|queue| queue.partitions.iter().map(move |part| (queue, part)));
    parts
        .filter_map(|(queue, part)| {
            let total = &s.partitions.iter().find(|p| p.name == part.partition)?.total;
            let wants = if part.pending == Amount::default() { &part.used } else { &part.pending };
            let place = if s.dominant { wants.dominant(total) } else { 0 };
            Some(Share { queue, part, total, place })
        })
        .collect()
}

/// Returns since when something waits, in whole seconds.
fn waited(s: &Snapshot, since: Millis) -> String {
    words::clock((s.time_ms - since) / 1000 * 1000)
}

/// Returns a part of a whole in thousandths.
fn part_of(part: i64, whole: i64) -> i64 {
    part.saturating_mul(1000) / whole.max(1)
}

/// The first request of a queue that waits: since when, what it is, the reason in a few words, and its size.
type First<'a> = (Millis, &'a Selection, &'a str, &'a Amount);

/// Returns the first request that waits in each queue and partition for what others have. One that came at this moment does
/// not wait yet; one that a node has room for and that stays away by its own conditions is no broken promise.
fn firsts(s: &Snapshot) -> BTreeMap<(&str, &str), First<'_>> {
    let queues: BTreeMap<&str, &str> = s.apps.iter().map(|a| (a.name.as_str(), a.queue.as_str())).collect();
    let mut out: BTreeMap<(&str, &str), First<'_>> = BTreeMap::new();
    for w in s.waiting.iter().filter(|w| w.since_ms < s.time_ms && !w.own) {
        let Some(queue) = queues.get(w.app.as_str()) else { continue };
        let first = out.entry((queue, &w.label)).or_insert((w.since_ms, &w.id, &w.reason, &w.size));
        if w.since_ms < first.0 {
            *first = (w.since_ms, &w.id, &w.reason, &w.size);
        }
    }
    out
}

/// Returns what was refused, and what can never be placed, the latest first.
fn refused(s: &Snapshot) -> Vec<StoryView> {
    let refused = s.refused.iter().rev().map(|r| StoryView {
        kind: StoryKind::Refused,
        fate: EventOutcome::Rejected,
        word: say::REFUSED.into(),
        name: r.name.clone(),
        about: r.id.clone(),
        figure: words::clock(r.since_ms),
        text: r.text.clone(),
        short: r.short.clone(),
        bar: None,
    });
    let never = s.waiting.iter().filter_map(|w| {
        Some(StoryView {
            kind: StoryKind::Refused,
            fate: EventOutcome::Rejected,
            word: say::NEVER.into(),
            name: w.name.clone(),
            about: w.id.clone(),
            figure: waited(s, w.since_ms),
            text: w.never.clone()?,
            short: w.reason.clone(),
            bar: None,
        })
    });
    refused.chain(never).collect()
}

/// Returns what else waits: of each application the first request, unless it is the subject of another story.
fn waits(s: &Snapshot, told: &[StoryView]) -> Vec<StoryView> {
    let mut counts: BTreeMap<&str, i64> = BTreeMap::new();
    for w in &s.waiting {
        *counts.entry(&w.app).or_default() += w.count;
    }
    let mut seen: BTreeSet<&str> = BTreeSet::new();
    // What a card or a line tells of another kind is not told again.
    let told: BTreeSet<String> = told.iter().map(|t| t.about.to_string()).collect();
    let mut out = Vec::new();
    for w in s.waiting.iter().filter(|w| w.never.is_none()) {
        if !seen.insert(&w.app) || told.contains(&w.id.to_string()) {
            continue;
        }
        out.push(StoryView {
            kind: StoryKind::Waits,
            fate: EventOutcome::Waiting,
            word: say::WAITS.into(),
            name: w.app.clone(),
            about: w.id.clone(),
            figure: waited(s, w.since_ms),
            text: say::waiting(counts.get(w.app.as_str()).copied().unwrap_or(w.count), &w.reason),
            short: w.reason.clone(),
            bar: None,
        });
    }
    out
}

impl Player {
    /// Returns the first moment of the known run at which most is missing of what queues were promised, or else most waits, or
    /// else most is used. A run that was just imported is shown there first.
    pub fn telling_moment(&self) -> Millis {
        let end = self.progress().known_ms;
        let lines = self.series();
        // Parents repeat what their leaves lack.
        let parents: BTreeSet<&str> = lines.iter().filter_map(|l| Some(l.name.rsplit_once('.')?.0)).collect();
        let leaf = |name: &str| !parents.contains(name);
        let memory: Vec<_> = lines.iter().filter(|line| line.resource.is_empty() && leaf(&line.name)).collect();
        let mut best = ((0, 0, 0), end);
        let mut before: Vec<i64> = vec![0; memory.len()];
        for n in 1..=MOMENTS {
            let at = end * n / MOMENTS;
            let (mut lasting, mut pending, mut used) = (0_i64, 0_i64, 0_i64);
            for (line, before) in memory.iter().zip(&mut before) {
                let points = line.points.partition_point(|p| p.time_ms <= at);
                let Some(point) = points.checked_sub(1).and_then(|i| line.points.get(i)) else { continue };
                let lack = (point.guaranteed - point.used).min(point.pending).max(0);
                // What is gone at the next look was only on its way.
                lasting += lack.min(std::mem::replace(before, lack));
                pending += point.pending;
                used += point.used;
            }
            if (lasting, pending, used) > best.0 {
                best = ((lasting, pending, used), at);
            }
        }
        best.1
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Queue a has more than its share and queue b, which comes later, waits.
    const TEXT: &str = "heddle = 1\nscheduling = \"heartbeat\"\nuntil = \"5 min\"\n[capacity-scheduler]\nroot.queues = \"a,b\"\nroot.a.capacity = 30\n\
        root.a.user-limit-factor = 10\nroot.b.user-limit-factor = 10\nroot.b.capacity = 70\n[[nodes]]\nname = \"n{1}\"\ncount = 4\nsize = \"16 GB/16\"\n\
        [[apps]]\nname = \"greedy\"\nqueue = \"a\"\ntasks = [{ count = 60, size = \"1 GB/1\", duration = \"1 h\" }]\n\
        [[apps]]\nname = \"poor\"\nqueue = \"b\"\nat = \"30 s\"\ntasks = [{ count = 40, size = \"1 GB/1\", duration = \"1 h\" }]\n\
        [[apps]]\nname = \"large\"\nqueue = \"b\"\nat = \"40 s\"\ntasks = [{ count = 1, size = \"900 GB/1\" }]\n";

    fn at(text: &str, time: Millis) -> (Player, StoriesView) {
        let mut player = Player::load(text).player.expect("it loads");
        player.run_to_end();
        player.seek(time);
        let told = stories(&player.snapshot(None));
        (player, told)
    }

    #[test]
    fn a_broken_promise_comes_before_who_breaks_it() {
        let (player, told) = at(TEXT, 240_000);
        let kinds: Vec<StoryKind> = told.cards.iter().map(|card| card.kind).collect();
        assert!(kinds.contains(&StoryKind::Starved) && kinds.contains(&StoryKind::Over), "{told:?}");
        assert_eq!((told.cards[0].kind, told.cards[0].name.as_str()), (StoryKind::Starved, "root.b"));
        let over = told.cards.iter().find(|card| card.kind == StoryKind::Over).expect("a card");
        assert!(over.name == "root.a" && over.about == Selection::Queue("root.a".into()), "{over:?}");
        // Each card opens something that has an answer.
        for story in told.cards.iter().chain(&told.lines) {
            assert!(player.not_there(&story.about).is_none(), "{story:?}");
        }
        // The figures are those of the picture.
        let b = told.cards[0].bar.expect("a bar");
        let snapshot = player.snapshot(None);
        let part = &snapshot.queues.iter().find(|q| q.path == "root.b").expect("the queue").partitions[0];
        assert_eq!((b.used, b.mark), (part.used.memory_mb, part.guaranteed.memory_mb));
    }

    #[test]
    fn what_its_own_conditions_keep_from_free_nodes_is_not_starved() {
        let text = "heddle = 1\nscheduling = \"heartbeat\"\nuntil = \"5 min\"\n[capacity-scheduler]\nroot.queues = \"a\"\nroot.a.capacity = 100\n\
            [yarn-site]\nresourcemanager.placement-constraints.handler = \"scheduler\"\n[[nodes]]\nname = \"n{1}\"\ncount = 2\nsize = \"16 GB/16\"\n\
            [[apps]]\nname = \"zoo\"\nqueue = \"a\"\nkind = \"distributed-shell\"\nspec = \"zk(3),NOTIN,NODE,zk\"\nsize = \"1 GB/1\"\nduration = \"1 h\"\n";
        let (player, told) = at(text, 200_000);
        assert!(player.snapshot(None).waiting.iter().any(|w| w.own), "{:?}", player.snapshot(None).waiting);
        assert!(told.cards.iter().all(|card| card.kind == StoryKind::Waits) && !told.cards.is_empty(), "{told:?}");
    }

    #[test]
    fn a_run_is_shown_where_a_promise_is_broken() {
        let (player, _) = at(TEXT, 0);
        let moment = player.telling_moment();
        assert!((30_000..=300_000).contains(&moment), "{moment}");
        let (_, told) = at(TEXT, moment);
        assert_eq!(told.cards[0].kind, StoryKind::Starved);
    }

    #[test]
    fn nothing_waits_and_nothing_is_told() {
        let text = &TEXT[..TEXT.find("[[apps]]").unwrap_or(0)];
        let (player, told) = at(text, 1000);
        assert_eq!(told, StoriesView::default());
        assert_eq!(player.telling_moment(), player.progress().known_ms);
    }
}
