//! What preemption has taken from applications and is about to take, from their preemption costs and the latest round: shown
//! for those who lose, whether or not something of theirs waits.

use super::case::ExplainedLeaf;
use crate::explain::names::Names;
use crate::explain::say;
use crate::explain::say::preemption::{self as say_of, ToEnd};
use crate::explain::words;
use heddle_core::journal::{Change, Entry};
use heddle_core::model::{AppId, Millis, PartitionId, PreemptedFor, Selector};
use heddle_core::scheduler::ContainerState;

/// The number of applications that are named.
const NAMED: usize = 3;

/// A container that is marked.
#[derive(Clone, Copy)]
struct Marked {
    app: AppId,
    /// When it is to be killed; `None` if its mark expires.
    at: Option<Millis>,
    /// `None`: the FairScheduler marked it, which kills it in any case.
    by: Option<Selector>,
}

/// Returns the marked live containers of these applications, soonest kill first.
fn marked(names: Names<'_>, apps: &[AppId]) -> Vec<Marked> {
    let rm = names.rm();
    if rm.fair().is_some() {
        let all = apps.iter().flat_map(|app| rm.containers_of(*app)).filter(|c| c.state != ContainerState::Over);
        let warned = all.filter_map(|c| Some(Marked { app: c.id.app, at: Some(rm.killed_at(c.id)?), by: None }));
        let mut out: Vec<Marked> = warned.collect();
        heddle_core::model::order::sort_by_key(&mut out, |mark| (mark.at, mark.app));
        return out;
    }
    let Some(leaf) = apps.first().and_then(|app| rm.scheduled(*app)).map(|app| app.queue) else { return Vec::new() };
    let all = ExplainedLeaf::now(names, leaf, PartitionId::DEFAULT).marks();
    let mine = all.into_iter().filter(|(c, ..)| apps.contains(&c.id.app));
    mine.map(|(c, act, _)| Marked { app: c.id.app, at: act.killed_at, by: Some(act.selector) }).collect()
}

/// Returns the sum of a count over these applications, and the names of those above zero.
fn named<'n>(names: Names<'n>, apps: &[AppId], counts: impl Fn(AppId) -> i64) -> (i64, Vec<&'n str>) {
    let some: Vec<AppId> = apps.iter().copied().filter(|app| counts(*app) > 0).collect();
    (some.iter().map(|app| counts(*app)).sum(), some.into_iter().map(|app| names.app(app)).collect())
}

/// Returns a sentence on the containers of these applications that preemption has killed.
fn killed(names: Names<'_>, apps: &[AppId]) -> Option<String> {
    let toll = |app: AppId| names.run(app).map(|run| run.toll);
    let (count, who) = named(names, apps, |app| toll(app).map_or(0, |toll| toll.killed));
    let spans = || apps.iter().filter_map(|app| toll(*app)?.killed_at);
    let (from, to) = (spans().map(|(from, _)| from).min()?, spans().map(|(_, to)| to).max()?);
    Some(say_of::has_taken(count, &words::list(&words::bold(&who), NAMED), [from, to].map(words::clock)))
}

/// Returns sentences on the containers of these applications that are to be killed, and on the killable ones.
fn to_come(names: Names<'_>, apps: &[AppId], marked: &[Marked]) -> Vec<String> {
    let rm = names.rm();
    let ends: Vec<&Marked> = marked.iter().filter(|mark| mark.at.is_some()).collect();
    let (count, who) = named(names, apps, |app| ends.iter().filter(|mark| mark.app == app).count() as i64);
    let how = match rm.capacity() {
        None => ToEnd::Killed,
        Some(scheduler) if scheduler.conf().lazy_preemption => ToEnd::BecomesKillable,
        Some(_) => ToEnd::KilledIfChosen,
    };
    let times = ends.first().and_then(|first| Some([first.at?, ends.last()?.at?].map(words::clock)));
    let comes = times.map(|times| say_of::is_to_take(count, &words::list(&words::bold(&who), NAMED), times, how));
    let killable = |app: AppId| {
        let all = rm.capacity().into_iter().flat_map(|scheduler| scheduler.preemption().killable());
        let live = |c: &&heddle_core::scheduler::Container| c.state != ContainerState::Over;
        all.filter_map(|id| rm.container(id)).filter(live).filter(|c| c.id.app == app).count() as i64
    };
    let (count, who) = named(names, apps, killable);
    let killable = (count > 0).then(|| say_of::are_killable(count, &words::list(&words::bold(&who), NAMED)));
    comes.into_iter().chain(killable).collect()
}

/// Returns the application for which the FairScheduler last chose a container of this one.
fn promised_to<'e>(app: AppId, lines: impl Iterator<Item = (Millis, &'e Entry)>) -> Option<AppId> {
    let warned = |(_, entry): (Millis, &Entry)| match entry {
        Entry::Changed(Change::Warned { container, starved, .. }) if container.app == app => Some(*starved),
        _ => None,
    };
    lines.filter_map(warned).last()
}

/// Returns what preemption takes of an application or its queue, and why: the reason of the latest round, or of the latest
/// kill, with the present figures.
fn cause<'e>(
    names: Names<'_>,
    app: AppId,
    marked: &[Marked],
    lines: impl Iterator<Item = (Millis, &'e Entry)>,
) -> Option<String> {
    let rm = names.rm();
    let known = rm.scheduled(app)?;
    let (cluster, queue) = (rm.cluster(), names.queue(known.queue));
    let text = |r| words::counted(r, cluster.calculator, &cluster.types);
    if let Some(fair) = rm.fair() {
        let leaf = fair.queues().get(known.queue.index())?;
        let over = leaf.used.memory_mb() > leaf.fair_share.memory_mb();
        let share = words::fair_share(leaf.fair_share, &cluster.types);
        let uses = over.then(|| say_of::uses_beyond_share(queue, &text(leaf.used), &share));
        let promised = promised_to(app, lines).map(|other| say_of::was_promised(names.app(other)));
        return match (promised, uses) {
            (Some(promised), Some(uses)) => Some(say::then(&promised, &uses)),
            (promised, uses) => promised.or(uses),
        };
    }
    let by_mark = marked.first().and_then(|mark| mark.by);
    let latest = || {
        let kill = |(_, entry): (Millis, &'e Entry)| match entry {
            Entry::Changed(Change::Preempted { container, what_for, .. }) if container.app == app => Some(*what_for),
            _ => None,
        };
        lines.filter_map(kill).last()
    };
    let between = match by_mark
        .map_or_else(latest, |by| Some(PreemptedFor::Round { by, since: names.now, beyond_maximum: false }))?
    {
        PreemptedFor::Round { by: Selector::Fifo | Selector::Balance, .. } | PreemptedFor::App(_) => true,
        PreemptedFor::Round { by, beyond_maximum, .. } => {
            return Some(say::full_stop(&say::capital(&say_of::because(by, queue, beyond_maximum))));
        }
        PreemptedFor::Maximum(_) => false,
    };
    let leaf = rm.queues().get(known.queue.index()).filter(|_| between)?;
    let uses = |p: &PartitionId| known.used.get(p.index()).is_some_and(|used| !used.is_zero());
    let over = |p: &PartitionId| {
        let part = leaf.part(*p);
        uses(p) && cluster.calculator.gt(&rm.partition_total(*p), &part.used, &part.shares.effective_min)
    };
    let p = cluster.partition_ids().find(over)?;
    let part = leaf.part(p);
    let label = say::of_label(names.partition(p));
    Some(say_of::uses_beyond_guarantee(queue, &text(part.used), &(text(part.shares.effective_min) + &label)))
}

/// Returns what an application without waiting requests loses to preemption, as sentences in order.
pub fn of_app<'e>(
    names: Names<'_>,
    app: AppId,
    lines: impl Iterator<Item = (Millis, &'e Entry)> + Clone,
) -> Vec<String> {
    let marked = marked(names, &[app]);
    let mut out: Vec<String> = killed(names, &[app]).into_iter().collect();
    out.extend(to_come(names, &[app], &marked));
    if !out.is_empty() {
        out.extend(cause(names, app, &marked, lines));
    }
    out
}

/// Returns what preemption is to take from an application with waiting requests.
pub fn of_app_that_waits(names: Names<'_>, app: AppId) -> Vec<String> {
    to_come(names, &[app], &marked(names, &[app]))
}

/// Returns a sentence that preemption killed the latest AM of those of these applications that have none now.
pub fn of_masters<'e>(
    names: Names<'_>,
    apps: &[AppId],
    lines: impl Iterator<Item = (Millis, &'e Entry)> + Clone,
) -> Option<String> {
    let killed = |app: &AppId| {
        let at = names.run(*app)?.toll.master_at?;
        let again = |(placed, entry): (Millis, &Entry)| match entry {
            Entry::Changed(Change::Allocated { container, am: true, .. }) => placed > at && container.app == *app,
            _ => false,
        };
        let has_one = names.rm().containers_of(*app).any(|c| c.am && c.state != ContainerState::Reserved);
        (!has_one && !lines.clone().any(again)).then(|| (at, names.app(*app)))
    };
    let all: Vec<(Millis, &str)> = apps.iter().filter_map(killed).collect();
    let (from, to) = (all.iter().map(|(at, _)| *at).min()?, all.iter().map(|(at, _)| *at).max()?);
    let who: Vec<&str> = all.iter().map(|(_, who)| *who).collect();
    Some(say_of::has_taken_masters(who.len(), &words::list(&words::bold(&who), NAMED), [from, to].map(words::clock)))
}

/// Returns what the live applications of a queue and its descendants lose to preemption.
pub fn of_queue<'e>(
    names: Names<'_>,
    apps: &[AppId],
    lines: impl Iterator<Item = (Millis, &'e Entry)> + Clone,
) -> Vec<String> {
    let marked = marked(names, apps);
    let killed = killed(names, apps).into_iter().chain(of_masters(names, apps, lines));
    killed.chain(to_come(names, apps, &marked)).collect()
}
