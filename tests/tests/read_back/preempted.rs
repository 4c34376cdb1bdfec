//! Sentences about preemption for a waiting request: each a form, compared with the latest round, with the marks on
//! containers and with the starved applications; and their checks with the conditions in the table.

use super::form::{begins, bold, bolds, clock, number};
use super::sentences::Beside;

use heddle_core::check::Check;
use heddle_core::model::{Resource, Selector};
use heddle_core::preemption::{QueueIdeal, Round};
use heddle_core::scheduler::{Container, Node};
use heddle_player::explain::Names;
use heddle_player::explain::view::{Met, PreemptionView, Selection};
use heddle_player::explain::waiting::Waiting;

/// The data for forms.
#[derive(Clone, Copy)]
pub struct Told<'a> {
    pub b: &'a Beside<'a>,
    pub p: &'a PreemptionView,
}

/// Returns whether the words in the holes are true.
type Is = fn(&Told<'_>, &[&str]) -> bool;

/// A form, with the check that it is about (`None` for none, or for whichever failed), and its reader.
type Form = (&'static str, Option<Check>, Is);

const FORMS: &[Form] = &[
    // ---- why nothing is preempted
    (
        "Preemption is off: {h} uses {m} of the {m} that it is guaranteed, {hs} uses more than its guarantee and gives nothing back.",
        Some(Check::MonitorsOn),
        |t, c| t.queue_now(c[0], c[1], c[2]) && t.all_over(c[3]),
    ),
    (
        "Preemption is off: {h} uses {m} of the {m} that it is guaranteed, {hs} use more than their guarantees and give nothing back.",
        Some(Check::MonitorsOn),
        |t, c| t.queue_now(c[0], c[1], c[2]) && t.all_over(c[3]),
    ),
    (
        "Monitors are on, and the preemption policy is not among them: nothing is taken back.",
        Some(Check::PreemptionListed),
        |t, _| t.b.s.rm().preemption_monitor().is_none(),
    ),
    ("The preemption monitor has no rounds: its interval is {n} ms.", Some(Check::RoundMade), |t, c| {
        let interval = t.b.s.rm().preemption_monitor().map(|m| m.conf().monitoring_interval_ms);
        interval == number(c[0]) && interval <= Some(0)
    }),
    ("No round of the preemption monitor has seen it yet; the next one is at {t}.", Some(Check::RoundMade), |t, c| {
        t.is_unseen() && clock(c[0]) > Some(t.b.s.names.now - 1)
    }),
    ("No round of the preemption monitor has seen it yet.", Some(Check::RoundMade), |t, _| t.is_unseen()),
    (
        "The preemption monitor's round at {t} ended with an error, and nothing was marked or killed: {x}.",
        Some(Check::RoundMade),
        |t, c| t.at(c[0]) && t.round().is_some_and(|r| r.failed.is_some()),
    ),
    (
        "The preemption monitor only watches (observe_only): its round at {t} chose {n} container, and it is not marked.",
        Some(Check::RoundActs),
        |t, c| t.at(c[0]) && t.watched(c[1]),
    ),
    (
        "The preemption monitor only watches (observe_only): its round at {t} chose {n} containers, and they are not marked.",
        Some(Check::RoundActs),
        |t, c| t.at(c[0]) && t.watched(c[1]),
    ),
    (
        "Nothing is taken for it: the preemption round at {t} counted nothing as wanted by {h}. Only active applications count, within the limits of their users.",
        Some(Check::PendingCounted),
        |t, c| t.at(c[0]) && t.lines(c[1]).all(|l| !t.positive(l.pending)),
    ),
    (
        "Nothing is taken for it: {h} uses {m} and is to have {m}, by the preemption round at {t}.",
        Some(Check::QueueOwed),
        |t, c| t.at(c[3]) && t.lines(c[0]).any(|l| t.b.s.is(l.used, c[1]).is_ok() && t.b.s.is(l.ideal, c[2]).is_ok()),
    ),
    ("Within the queue {h} uses {m} beside its AM and is to have {m}.", None, |t, c| t.within(c[0], c[1], c[2])),
    (
        "Within the queue {h} uses {m} beside its AM and is to have {m}, and no other application gives it.",
        None,
        |t, c| t.within(c[0], c[1], c[2]),
    ),
    (
        "Within the queue {h} uses {m} beside its AM and is to have {m}; {x} is to be taken, and no container is marked for that.",
        None,
        |t, c| t.within(c[0], c[1], c[2]),
    ),
    (
        "Within the queue {h} uses {m} beside its AM and is to have {m}; {x} is to be taken, and no container is marked for that; left alone: {x}.",
        None,
        |t, c| t.within(c[0], c[1], c[2]),
    ),
    (
        "Nothing is taken for it: no other queue used more than its guarantee in the preemption round at {t}.",
        Some(Check::OverGuarantee),
        |t, c| t.at(c[0]) && t.leaves().all(|l| t.is_own(l) || !t.above(l.used, l.guaranteed)),
    ),
    (
        "Nothing is taken for it: {m} was free in the preemption round at {t}, which counts free room for {h} on whatever nodes it is.",
        Some(Check::QueueGives),
        |t, c| t.at(c[1]) && t.leaves().all(|l| t.is_own(l) || !t.positive(l.owed)),
    ),
    (
        "Nothing is taken for it: {h} uses {m} and is to keep {m}, but the preemption round at {t} compares dominant shares, and its {x} is not above the {x} that it is to keep.",
        Some(Check::QueueGives),
        |t, c| {
            t.at(c[3])
                && t.each_line(c[0], |l| {
                    let more = (0..3).any(|i| l.used[i] > l.keep[i]);
                    more && !l.disabled
                        && !t.above(l.used, l.keep)
                        && t.b.s.is(l.used, c[1]).is_ok()
                        && t.b.s.is(l.keep, c[2]).is_ok()
                })
        },
    ),
    (
        "Nothing is taken for it: {hs} uses more than its guarantee, and nothing may be taken from it (disable_preemption).",
        Some(Check::QueuePreemptable),
        |t, c| t.each_line(c[0], |l| l.disabled),
    ),
    (
        "Nothing is taken for it: {hs} use more than their guarantees, and nothing may be taken from them (disable_preemption).",
        Some(Check::QueuePreemptable),
        |t, c| t.each_line(c[0], |l| l.disabled),
    ),
    (
        "Nothing is taken for it: {hs} uses more than guaranteed, but too little more for the preemption round at {t} (max_ignored_over_capacity).",
        Some(Check::BeyondDeadZone),
        |t, c| t.at(c[1]) && t.each_line(c[0], |l| !l.beyond_dead_zone),
    ),
    (
        "Nothing is taken for it: {hs} use more than guaranteed, but too little more for the preemption round at {t} (max_ignored_over_capacity).",
        Some(Check::BeyondDeadZone),
        |t, c| t.at(c[1]) && t.each_line(c[0], |l| !l.beyond_dead_zone),
    ),
    (
        "Nothing is taken for it: of what others owe, the preemption round at {t} takes nothing.",
        Some(Check::NaturalTermination),
        |t, c| t.at(c[0]),
    ),
    (
        "Nothing is taken for it: the preemption round at {t} looked at the containers of others and left them alone.",
        Some(Check::ContainersChosen),
        |t, c| t.at(c[0]),
    ),
    (
        "Nothing is taken for it: the preemption round at {t} looked at the containers of others and left them alone: {x}.",
        Some(Check::ContainersChosen),
        |t, c| t.at(c[0]) && t.round().is_some_and(|r| !r.spared.is_empty()),
    ),
    (
        "Nothing is taken for it: the preemption round at {t} may choose {m} in all (total_preemption_per_round), and the smallest container that it looked at is larger, {m}.",
        Some(Check::RoundBudget),
        |t, c| t.at(c[0]) && t.budget(c[1]),
    ),
    (
        "Nothing is taken for it: the preemption round at {t} may choose {m} in all (total_preemption_per_round), of which {m} was left by then, and the smallest container that it looked at is larger, {m}.",
        Some(Check::RoundBudget),
        |t, c| t.at(c[0]) && t.budget(c[1]),
    ),
    (
        "Nothing is taken for it: {h} uses {m} beyond what it is to keep, and the preemption round at {t} may take {x} of that, which rounds down to nothing (total_preemption_per_round).",
        Some(Check::RoundBudget),
        |t, c| t.at(c[2]) && t.cut(c[0], c[1], c[3]),
    ),
    (
        "Nothing is taken for it: it has reserved {hs}. In the preemption round at {t} that counts as used by {h}, and not as wanted.",
        Some(Check::PendingCounted),
        |t, c| t.at(c[1]) && t.reserved(c[0]),
    ),
    (
        "Nothing is taken for it: it has reserved {hs}. In the preemption round at {t} that counts as used by {h}, and not as wanted, {x}.",
        Some(Check::PendingCounted),
        |t, c| t.at(c[1]) && t.reserved(c[0]),
    ),
    // ---- what comes
    (
        "{h} on {h} ({m}) is marked for {hs}: it is killed at {t} unless its AM gives it back first or it is no longer chosen for that by then.",
        None,
        |t, c| t.ends(c[0], c[1], Some(c[4])),
    ),
    (
        "{h} on {h} ({m}) is marked for {hs}: it becomes killable at {t} unless its AM gives it back first or it is no longer chosen for that by then.",
        None,
        |t, c| t.ends(c[0], c[1], Some(c[4])),
    ),
    (
        "{n} containers{x} are marked for {hs}: {h} on {h} and {x} at {t}, each unless its AM gives it back first or it is no longer chosen for that by then.",
        None,
        |t, c| t.many(c[0], false) && t.ends(c[3], c[4], Some(c[6])),
    ),
    (
        "{n} containers are marked for {hs}: {h} on {h} and {x} at {t}, each unless its AM gives it back first or it is no longer chosen for that by then.",
        None,
        |t, c| t.many(c[0], false) && t.ends(c[2], c[3], Some(c[5])),
    ),
    (
        "{n} containers{x} are marked for {hs}: the first, {h} on {h}, {x} at {t}, the last at {t}, each unless its AM gives it back first or it is no longer chosen for that by then.",
        None,
        |t, c| t.many(c[0], false) && t.ends(c[3], c[4], Some(c[6])),
    ),
    (
        "{n} containers are marked for {hs}: the first, {h} on {h}, {x} at {t}, the last at {t}, each unless its AM gives it back first or it is no longer chosen for that by then.",
        None,
        |t, c| t.many(c[0], false) && t.ends(c[2], c[3], Some(c[5])),
    ),
    (
        "{n} container is marked for {hs}, and no mark is kept until its wait is over: nothing is killed unless another selector chooses it too.",
        None,
        |t, c| t.many(c[0], false),
    ),
    (
        "{n} containers are marked for {hs}, and no mark is kept until its wait is over: nothing is killed unless another selector chooses it too.",
        None,
        |t, c| t.many(c[0], false),
    ),
    ("{n} container is killable, {h} on {h} among them: they run on until {x} takes their room.", None, |t, c| {
        t.many(c[0], true) && t.ends(c[1], c[2], None)
    }),
    ("{n} containers are killable, {h} on {h} among them: they run on until {x} takes their room.", None, |t, c| {
        t.many(c[0], true) && t.ends(c[1], c[2], None)
    }),
    ("That makes room for it on no single node yet.", None, |t, _| on_no_node(t.b.s.names, t.b.s.w, t.p)),
    ("No node that it may go to has room for it now.", None, |t, _| t.b.s.told_to_fit().is_empty()),
    ("The preemption round at {t} {x} for {hs}; nothing more is marked.", None, |t, c| {
        t.at(c[0]) && t.round().is_some_and(|r| !r.chosen.is_empty()) && t.p.freeing.is_empty()
    }),
    ("Settings were refreshed since that round; the next one goes by them.", None, |t, _| t.is_stale()),
    ("Settings were refreshed since that round; the next one, at {t}, goes by them.", None, |t, _| t.is_stale()),
    // ---- under the FairScheduler
    (
        "Preemption is off: nothing is taken back from anybody. {h} uses {m}; its fair share is {m}.",
        Some(Check::FairPreemptionOn),
        |t, c| t.is_app(c[0]) && t.uses(c[1]) && t.b.s.rm().fair().is_some_and(|s| !s.conf().preemption.on),
    ),
    ("Nobody counts as starved while so little of the cluster is used: {x}.", Some(Check::ClusterBusy), |t, _| {
        t.b.s.rm().fair().is_some_and(|s| !s.looks().busy)
    }),
    ("Nothing is taken for {h}: {x}.", None, |t, c| t.is_app(c[0])),
    ("Nothing is taken for {h}: it uses {m}, and {m} of its fair share count. It is not starved.", None, |t, c| {
        t.is_app(c[0])
    }),
    (
        "{h} counts as below what counts of its fair share since {t}, when an update last found it satisfied; {x}.",
        None,
        |t, c| t.is_app(c[0]) && t.past(c[1]),
    ),
    ("{h} counts as below its minimum share since {t}, when an update last found it satisfied; {x}.", None, |t, c| {
        t.past(c[1])
    }),
    ("{h} is starved; the next update searches others for room.", Some(Check::SomebodyStarved), |t, c| t.is_app(c[0])),
    ("{h} was found starved at {t}, but not for this request: {x}. No new search for it before {t}.", None, |t, c| {
        t.is_app(c[0]) && t.searched(c[1], c[3])
    }),
    (
        "{h} is starved, and the search at {t} found no node for it: {x}. No new search for it before {t}.",
        Some(Check::VictimsFound),
        |t, c| t.is_app(c[0]) && t.searched(c[1], c[3]),
    ),
    ("{h} on {h} is to make room for {h}, warned at {t} and killed at {t} if it still runs then.", None, |t, c| {
        t.is_app(c[2]) && t.past(c[3]) && t.ends(c[0], c[1], Some(c[4]))
    }),
    (
        "{h} on {h} and {n} more are to make room for {h}, warned at {t} and killed at {t} if they still run then.",
        None,
        |t, c| t.is_app(c[3]) && t.past(c[4]) && t.ends(c[0], c[1], Some(c[5])),
    ),
    ("The search for {h} at {t} took nothing from anybody: {hs} had room that is promised to nobody.", None, |t, c| {
        t.is_app(c[0]) && t.past(c[1])
    }),
    ("The request may not go to {hs}: what is taken there does not help it.", None, |t, c| {
        let asks = t.b.s.app().and_then(|app| Some(app.asks.at(app.asks.find(t.b.s.w.key)?)));
        let named = |host: &str| {
            let node = t.b.s.node(host)?;
            let row = |place| asks?.row(place).filter(|row| row.count > 0);
            Some(row(node.host_place).is_some() || row(node.rack).is_some_and(|row| row.relax))
        };
        bolds(c[0]).is_some_and(|(hosts, _)| hosts.iter().all(|host| named(host) == Some(false)))
    }),
    (
        "All that were chosen for {h} at {t} have ended or been killed. No new search for it before {t}.",
        None,
        |t, c| t.is_app(c[0]) && t.searched(c[1], c[2]) && t.p.freeing.is_empty(),
    ),
    (
        "Others were searched for room for {h}; no new search for it before {t}.",
        Some(Check::SomebodyStarved),
        |t, c| t.is_app(c[0]) && clock(c[1]) > Some(t.b.s.names.now),
    ),
    ("{h} comes first, as long as it is starved, for what it is promised: {x}.", None, |t, c| t.is_app(c[0])),
];

/// The possible ends of a cause.
const BARRED: [&str; 2] = [
    "; nothing may be taken from {hs} (disable_preemption), which uses more than its guarantee too.",
    "; nothing may be taken from {hs} (disable_preemption), which use more than their guarantees too.",
];

/// Reads the sentences about preemption. Errors: words that no form reads, or that are false.
pub fn read(told: &Told<'_>) -> Result<Vec<&'static str>, String> {
    let mut forms = Vec::new();
    sentences(told, &told.p.sentence, &mut forms)?;
    let checks: Vec<&str> = forms.iter().filter_map(|(_, check)| *check).map(|check| check.row().name).collect();
    let named = told.p.check.as_deref();
    if let Some(check) = checks.first().filter(|check| named != Some(**check)) {
        return Err(format!("the sentence tells of {check}, the view names {named:?}"));
    }
    if let Some(check) = named {
        let unmet = |met| matches!(met, Met::No | Met::Slows);
        if !told.p.conditions.iter().any(|c| c.check == check && unmet(c.met)) {
            return Err(format!("{check} is named and stands in no way in the table"));
        }
    }
    Ok(forms.into_iter().map(|(form, _)| form).collect())
}

fn sentences(told: &Told<'_>, text: &str, forms: &mut Vec<(&'static str, Option<Check>)>) -> Result<(), String> {
    if text.is_empty() {
        return Ok(());
    }
    // Protected queues may be added to any cause.
    for form in BARRED {
        let Some((head, _)) = text.split_once("; nothing may be taken from ") else { break };
        if let Some((caught, rest)) = begins(form, &text[head.len()..]).into_iter().next() {
            if !told.each_line(caught[0], |l| l.disabled) {
                return Err(format!("it is not so: {text:?}, read as {form:?}"));
            }
            return sentences(told, &format!("{head}.{rest}"), forms);
        }
    }
    let mut worst = format!("no form reads {text:?}");
    for (form, check, is) in FORMS {
        for (caught, rest) in begins(form, text) {
            let Some(rest) = (if rest.is_empty() { Some("") } else { rest.strip_prefix(' ') }) else { continue };
            if !is(told, &caught) {
                worst = format!("it is not so: {text:?}, read as {form:?}");
                continue;
            }
            let before = forms.len();
            forms.push((*form, *check));
            match sentences(told, rest, forms) {
                Ok(()) => return Ok(()),
                Err(why) => {
                    forms.truncate(before);
                    worst = why;
                }
            }
        }
    }
    Err(worst)
}

/// Returns whether the ending room is too little for a request on every node: what is marked there plus what is free. If the
/// request is bound to some nodes, others may have room.
pub fn on_no_node(names: Names<'_>, w: &Waiting, told: &PreemptionView) -> bool {
    let ids = told.freeing.iter().filter_map(|f| match &f.who {
        Selection::Container { app, k } => names.nth(names.find_app(app)?, *k),
        _ => None,
    });
    let ends: Vec<&Container> = ids.filter_map(|id| names.rm().container(id)).collect();
    let calc = names.rm().cluster().calculator;
    let fits = |n: &&Node| {
        let ends = ends.iter().filter(|c| c.node == n.id).fold(Resource::ZERO, |sum, c| sum + c.size);
        calc.fits_in(&w.size, &(n.free() + ends))
    };
    let bound = !w.places.is_empty() || w.constraint.is_some() || !w.tags.is_empty();
    let nodes =
        names.rm().nodes().iter().filter(|n| n.in_scheduler && n.partition == w.partition && n.reserved.is_none());
    let avoided = names.rm().scheduled(w.app).is_some_and(|app| !app.avoided().is_empty());
    bound || avoided || nodes.filter(fits).count() == 0
}

impl<'a> Told<'a> {
    fn round(&self) -> Option<&'a Round> {
        self.b.s.names.sim.latest_preemption().map(|round| &**round)
    }

    fn at(&self, text: &str) -> bool {
        self.round().is_some_and(|round| clock(text) == Some(round.at))
    }

    fn past(&self, text: &str) -> bool {
        clock(text).is_some_and(|at| at <= self.b.s.names.now)
    }

    fn is_unseen(&self) -> bool {
        self.round().is_none_or(|round| round.at < self.b.s.w.since)
    }

    fn is_stale(&self) -> bool {
        self.b.s.rm().preemption_monitor().is_some_and(|m| m.is_stale())
    }

    fn watched(&self, chosen: &str) -> bool {
        self.round().is_some_and(|r| r.conf.observe_only && number(chosen) == Some(r.chosen.len() as i64))
    }

    fn budget(&self, text: &str) -> bool {
        self.round().is_some_and(|r| self.b.s.is(r.budget, text).is_ok())
    }

    /// Checks that a queue uses so much more than it keeps, and owes nothing of it because of the limit of a round.
    fn cut(&self, queue: &str, beyond: &str, part: &str) -> bool {
        let scalings: Vec<_> = self.round().into_iter().flat_map(|r| &r.passes).flat_map(|p| &p.scalings).collect();
        let percent = |scale: f32| heddle_player::explain::words::percent(f64::from(scale)) == part;
        self.lines(queue).any(|l| {
            let more = (l.used - l.killable - l.keep).component_max(Resource::ZERO);
            let scaled = scalings.iter().any(|s| Some(s.parent) == l.parent && percent(s.scale));
            scaled && !self.positive(l.owed) && self.b.s.is(more, beyond).is_ok()
        })
    }

    fn above(&self, a: Resource, b: Resource) -> bool {
        let rm = self.b.s.rm();
        rm.cluster().calculator.gt(&rm.partition_total(self.b.s.w.partition), &a, &b)
    }

    fn positive(&self, r: Resource) -> bool {
        self.above(r, Resource::ZERO)
    }

    /// Returns the partition's leaves in the passes between queues.
    fn leaves(&self) -> impl Iterator<Item = &'a QueueIdeal> + use<'a> {
        let p = self.b.s.w.partition;
        let passes = self.round().into_iter().flat_map(|r| &r.passes);
        let between = passes.filter(|pass| matches!(pass.selector, Selector::Fifo | Selector::Balance));
        // Other selectors' debts show in one pass only: the first decides.
        between.take(1).flat_map(|pass| &pass.lines).filter(move |l| l.leaf && l.partition == p)
    }

    fn lines(&self, queue: &str) -> impl Iterator<Item = &'a QueueIdeal> + use<'a> {
        let id = bold(queue).and_then(|path| self.b.s.rm().queue(path));
        let p = self.b.s.w.partition;
        let passes = self.round().into_iter().flat_map(|r| &r.passes);
        passes.flat_map(|pass| &pass.lines).filter(move |l| Some(l.queue) == id && l.partition == p)
    }

    fn is_own(&self, line: &QueueIdeal) -> bool {
        self.b.s.app().is_some_and(|app| app.queue == line.queue)
    }

    fn each_line(&self, queues: &str, is: impl Fn(&QueueIdeal) -> bool) -> bool {
        let Some((named, _)) = bolds(queues) else { return false };
        named.iter().all(|queue| self.lines(&format!("**{queue}**")).any(&is))
    }

    /// Checks what a queue uses and its guarantee now.
    fn queue_now(&self, queue: &str, used: &str, guaranteed: &str) -> bool {
        let part = |path| {
            let queue = self.b.s.rm().queue(path).and_then(|id| self.b.s.rm().queues().get(id.index()))?;
            let part = queue.part(self.b.s.w.partition);
            Some((part.used, part.shares.effective_min))
        };
        bold(queue).and_then(part).is_some_and(|(has, least)| {
            self.b.s.is(has, used).is_ok() && self.b.s.is(least, guaranteed).is_ok() && self.above(least, has)
        })
    }

    fn all_over(&self, queues: &str) -> bool {
        let Some((named, _)) = bolds(queues) else { return false };
        named.iter().all(|path| {
            let queue = self.b.s.rm().queue(path).and_then(|id| self.b.s.rm().queues().get(id.index()));
            queue.is_some_and(|q| {
                let part = q.part(self.b.s.w.partition);
                self.above(part.used, part.shares.effective_min)
            })
        })
    }

    /// Checks what an application uses beside its AM, and its ideal, in the pass within its queue.
    fn within(&self, app: &str, used: &str, ideal: &str) -> bool {
        let Some(id) = bold(app).and_then(|name| self.b.s.names.find_app(name)) else { return false };
        let apps = self.round().into_iter().flat_map(|r| &r.intra).flat_map(|pass| &pass.apps);
        apps.filter(|a| a.app == id)
            .any(|a| self.b.s.is(a.used - a.am, used).is_ok() && self.b.s.is(a.ideal, ideal).is_ok())
    }

    fn reserved(&self, hosts: &str) -> bool {
        let Some((named, more)) = bolds(hosts) else { return false };
        let Some(app) = self.b.s.app() else { return false };
        let asks = app.asks.find(self.b.s.w.key).map(|place| app.asks.at(place));
        asks.is_some_and(|asks| asks.reserved.len() as i64 == named.len() as i64 + more)
            && named.iter().all(|host| self.b.s.node(host).is_some_and(|n| n.reserved.is_some()))
    }

    fn container(&self, name: &str, host: &str) -> Option<&'a Container> {
        let (name, node) = (bold(name)?, self.b.s.node(bold(host)?)?);
        self.b.s.rm().containers_on(node.id).find(|c| self.b.s.names.container_name(c.id) == name)
    }

    /// Checks that a container ends as its row says: on this node, killed then (`None` for killable).
    fn ends(&self, name: &str, host: &str, at: Option<&str>) -> bool {
        let Some(c) = self.container(name, host) else { return false };
        let who = self.b.s.names.container(c.id);
        let row = self.p.freeing.iter().find(|f| f.who == who);
        let marked = || self.b.s.rm().preemption_monitor().is_some_and(|m| m.marks().contains(c.id));
        let fair = self.b.s.rm().fair().is_some();
        row.is_some_and(|row| match at {
            Some(at) => row.killed_ms == clock(at) && !row.killable && (fair || marked()),
            None => row.killable,
        })
    }

    fn many(&self, n: &str, killable: bool) -> bool {
        let count = self.p.freeing.iter().filter(|f| f.killable == killable).count();
        number(n) == Some(count as i64)
    }

    fn is_app(&self, name: &str) -> bool {
        bold(name) == Some(self.b.s.names.app(self.b.s.w.app))
    }

    fn uses(&self, text: &str) -> bool {
        self.b.s.app().is_some_and(|app| self.b.s.is(app.used_total(), text).is_ok())
    }

    /// Checks that a search for its application was made then, and that the next is not before.
    fn searched(&self, at: &str, next: &str) -> bool {
        let searches = self.b.tape.starved.iter().rev();
        let mut mine = searches.filter(|(_, app, _)| *app == self.b.s.w.app);
        mine.next().is_some_and(|(when, _, until)| clock(at) == Some(*when) && clock(next) == Some(*until))
    }
}
