//! The present run beside a changed one: what becomes of the whole request, and who is worse off.

use super::course::{Given, Outcome};
use crate::explain::view::{HelpView, PromiseView, WorseView};
use crate::explain::{say, words};
use heddle_core::model::{Millis, RequestKey};

/// Less than this sooner or later is the same.
pub const SAME_MS: Millis = 1_000;
/// Sooner by this much is worth a change, whatever is left to wait; else one part in so many of that.
const WORTH_MS: Millis = 10_000;
const WORTH_PART: Millis = 10;
/// Who waits so little longer is told, and the change comes no later for it: heartbeats come when they come.
const SLIGHT_MS: Millis = 5_000;
/// So many times as many containers that preemption takes come before what is there of them.
const KILLED_AGAIN: i64 = 2;

/// What is wanted: all of a request.
#[derive(Clone, Debug, PartialEq)]
pub struct Goal {
    /// The application, by its place in the scenario.
    pub place: usize,
    /// The requests, in the order in which they are told.
    pub keys: Vec<RequestKey>,
    /// Is it the application's master?
    pub am: bool,
    /// How many are outstanding at the moment.
    pub outstanding: usize,
    /// The moment at which help was asked for.
    pub at: Millis,
    /// Where YARN is not asked for what is wanted: which containers are meant.
    pub more: Option<More>,
}

/// Containers beyond those that were there when help was asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct More {
    /// Any but the application's masters, whatever they were asked under?
    pub any: bool,
    /// So many had been given by then.
    pub had: usize,
}

impl Goal {
    /// What a run gave of what is wanted.
    fn given<'r>(&'r self, run: &'r Outcome) -> impl Iterator<Item = &'r Given> + use<'r> {
        let any = self.more.is_some_and(|more| more.any);
        let mine = run.given.get(self.place).into_iter().flatten();
        let is_it = move |g: &&Given| g.am == self.am && (self.am || any || self.is_about(run, g.key));
        mine.filter(is_it).skip(self.more.map_or(0, |more| more.had))
    }

    /// Of an ApplicationMaster: how many other containers its application keeps.
    fn tasks(&self, run: &Outcome, known: Millis) -> i64 {
        let given = run.given.get(self.place).into_iter().flatten();
        given.filter(|g| !g.am && g.kept(known, known)).count() as i64
    }

    /// Whether a container of the application that was asked for under a key is wanted.
    fn is_about(&self, run: &Outcome, key: RequestKey) -> bool {
        self.keys.iter().any(|wanted| run.alike(self.place, key, *wanted))
    }

    /// Counts what had been given without any change when help was asked for.
    pub fn count_what_it_had(&mut self, base: &Outcome) {
        let had = self.given(base).filter(|g| g.at <= self.at).count();
        if let Some(more) = &mut self.more {
            more.had = had;
        }
    }
}

/// How much a change harms those who get all the same: nobody, or so many who wait longer by more than a few heartbeats.
pub fn harm(help: &HelpView) -> (usize, usize) {
    let longer = help.worse.iter().filter(|worse| worse.later_ms >= SLIGHT_MS || worse.later_ms == 0).count();
    (usize::from(longer > 0), longer)
}

/// Whether somebody gets less with a change, or nothing.
pub fn robs(help: &HelpView) -> bool {
    help.worse.iter().any(|worse| worse.end.1 < worse.end.0 || worse.refused.1 > worse.refused.0 || worse.starved)
}

/// Whether somebody who gets something gets nothing with a change.
pub fn starves(help: &HelpView) -> bool {
    help.worse.iter().any(|worse| worse.starved)
}

/// A changed run beside the present one.
#[derive(Clone, Debug, PartialEq)]
pub struct Judged {
    pub promise: PromiseView,
    /// When the last that is placed comes, without the change and with it.
    last: (Option<Millis>, Option<Millis>),
    /// Whether some were given after the moment and lost again, in either run: what is told then is what is there in the end.
    lost: bool,
    /// Where the last comes no sooner: how many of the others do by more than a few heartbeats, and by how much at most.
    some: Option<(usize, Millis)>,
    pub helps: bool,
    /// Whether what comes by the change comes to nothing for another reason: it is lost again, or its application fails.
    for_nothing: bool,
    /// Whether something of it waits at the end of the changed run.
    waits: bool,
    /// What stops it next, where the change lifts what stopped it and does not help: "at 1:00 root.a uses all of its maximum of
    /// 10 GB".
    stops_next: Option<String>,
    pub worse: Vec<WorseView>,
}

impl Judged {
    /// When the last that comes with the change is placed.
    pub fn last_placed(&self) -> Option<Millis> {
        self.last.1
    }

    /// Does it bring more than another change, or all of it sooner by more than a few heartbeats, and no fewer by now? What takes
    /// more has to do more.
    pub fn beats_by_far(&self, other: &Judged) -> bool {
        let (mine, others) = (&self.promise, &other.promise);
        let sooner = self.last.1.zip(other.last.1).is_some_and(|(a, b)| b - a >= SLIGHT_MS);
        mine.end.1 > others.end.1 || mine.end.1 == others.end.1 && mine.at.1 >= others.at.1 && sooner
    }

    /// What is said of a change that is made only now and does less than from the start; `change`: what it has to be then,
    /// where the value of before does nothing.
    pub fn said_of_now(&self, from_start: &Judged, change: Option<&str>) -> Option<String> {
        let (p, at) = (&self.promise, words::clock(self.promise.at_ms));
        let as_many = p.end.1 == p.end.0 && p.end.1 == from_start.promise.end.1 && p.end.1 > 0;
        let no_sooner = !self.helps && as_many && self.stops_next.is_none();
        if let Some(last) = self.last.1.filter(|last| no_sooner && *last > p.at_ms) {
            return Some(say::comes_anyway(&at, &words::clock(last)));
        }
        if !self.helps {
            return Some(say::helps_no_more(&at, self.stops_next.as_deref()));
        }
        let last = self.last.1.map_or(String::new(), words::clock);
        // From the start it may have come before the moment, or long before it comes from now on.
        let later = self
            .last
            .1
            .zip(from_start.last.1)
            .is_some_and(|(now, before)| now > before && (before <= p.at_ms || now - before >= SLIGHT_MS));
        let less = change.is_some() || p.end.1 < from_start.promise.end.1 || later;
        less.then(|| say::set_only_now(&at, change, p.of, p.end.1, &last, self.lost))
    }

    /// See the field.
    pub fn stops_next(&self) -> Option<String> {
        self.stops_next.clone()
    }

    /// With what stops it next.
    pub fn stopped_next(self, stops_next: Option<String>) -> Judged {
        Judged { stops_next, ..self }
    }

    /// The same of a change that does not help.
    pub fn that_does_not_help(self) -> Judged {
        Judged { helps: false, ..self }
    }

    /// Are fewer asked for, though in the end nothing waits either way, or does what comes come to nothing for another reason?
    pub fn is_for_nothing(&self) -> bool {
        self.promise.fewer > 0 && !self.helps && !self.waits || self.for_nothing && !self.helps
    }

    /// Whether all that it brings had come when help was asked for, so that nothing more comes from then on.
    pub fn is_over(&self) -> bool {
        let p = &self.promise;
        self.helps && !self.lost && p.end.1 > p.end.0 && p.at.1 == p.end.1 && p.end.0 == p.at.0
    }

    /// Whether all that comes with it comes before help was asked for.
    pub fn came_before(&self) -> bool {
        let p = &self.promise;
        self.helps && !self.lost && p.at.1 == p.end.1 && self.last.1.is_some_and(|last| last <= p.at_ms)
    }

    /// Does only a part of what comes anyway come sooner?
    pub fn only_some_sooner(&self) -> bool {
        self.some.is_some()
    }

    /// Does the only one come sooner, to be lost again, and for good as without the change?
    pub fn only_meanwhile(&self) -> bool {
        let p = &self.promise;
        let more = p.end.1 > p.end.0 || is_sooner(p.at_ms, self.last);
        self.helps && p.of == 1 && p.fewer <= 0 && self.some.is_none() && !more
    }

    /// How much sooner the last comes, where as many come without the change.
    pub fn gain(&self) -> Option<Millis> {
        let (before, after) = self.promise.end;
        self.last.0.zip(self.last.1).filter(|_| before == after).map(|(before, after)| before - after)
    }

    /// Does all of the request come?
    pub fn whole(&self) -> bool {
        self.promise.end.1 >= self.promise.of
    }
}

/// How many of these are there at a moment, those counted that have come to their own end?
fn there<'g>(given: impl Iterator<Item = &'g Given>, at: Millis) -> i64 {
    given.filter(|g| g.kept(at, at)).count() as i64
}

/// Whether the last that is placed comes sooner by what is worth a change: some seconds, or a part of what is still to wait.
/// What has come by the moment cannot come sooner.
fn is_sooner(now: Millis, last: (Option<Millis>, Option<Millis>)) -> bool {
    last.0.zip(last.1).is_some_and(|(before, after)| {
        let (gain, left) = (before - after, before - now);
        left > 0 && gain >= SAME_MS && (gain >= WORTH_MS || gain * WORTH_PART >= left)
    })
}

/// How many of as many come sooner by more than a few heartbeats, and by how much at most, where none comes later.
fn some_sooner(before: &[Millis], after: &[Millis]) -> Option<(usize, Millis)> {
    let by = || before.iter().zip(after).map(|(b, a)| b - a);
    if by().any(|by| by <= -SAME_MS) {
        return None;
    }
    let sooner = by().filter(|by| *by >= SLIGHT_MS);
    Some((sooner.clone().count(), sooner.max()?))
}

/// Judges a changed run; `fewer`: so many fewer are asked for in it. What preemption takes back counts as given for as
/// long as it is there, and not in the end.
pub fn judge(goal: &Goal, before: &Outcome, after: &Outcome, fewer: i64) -> Judged {
    let known = before.known.min(after.known);
    let at = |run: &Outcome| there(goal.given(run), goal.at);
    // What its AM has not fetched by then; what it is given later is among those that are outstanding.
    let unfetched = before.unfetched.get(goal.place).into_iter().flatten();
    let unfetched = unfetched.filter(|g| !goal.am && g.at <= goal.at && goal.is_about(before, g.key)).count();
    let asked = at(before) as usize + unfetched + goal.outstanding;
    let of = asked.saturating_sub(usize::try_from(fewer).unwrap_or(0));
    let lacks = |run: &Outcome| goal.keys.iter().any(|key| run.lacks(goal.place, *key));
    let times = |run: &Outcome| -> Vec<Millis> {
        let kept = goal.given(run).filter(|g| g.kept(known, known));
        kept.map(|g| g.at).take(of).collect()
    };
    let (b, a) = (times(before), times(after));
    let last = (b.last().copied(), a.last().copied());
    let whole = |t: &[Millis]| t.last().copied().filter(|_| t.len() >= of);
    let promise = PromiseView {
        of: of as i64,
        fewer,
        at_ms: goal.at,
        at: (at(before).min(of as i64), at(after).min(of as i64)),
        end: (b.len() as i64, a.len() as i64),
        tasks: goal.am.then(|| (goal.tasks(before, known), goal.tasks(after, known))),
        all_ms: (whole(&b), whole(&a)),
        known_ms: (known < Millis::MAX).then_some(known),
    };
    let sooner = is_sooner(goal.at, last);
    let more = promise.end.1 > promise.end.0 || (promise.end.1 == promise.end.0 && sooner);
    // What is lost in the end either way was there meanwhile.
    let is_lost = |run: &Outcome| goal.given(run).any(|g| g.lost_at.is_some_and(|at| at > goal.at && at <= known));
    let lost = is_lost(before) || is_lost(after);
    // A single one that is lost again has come to nothing.
    let meanwhile =
        lost && (of > 1 || promise.end.1 > 0) && promise.end.1 == promise.end.0 && promise.at.1 > promise.at.0;
    let to_come = b.iter().filter(|at| **at <= goal.at).count();
    let some = if !more && fewer == 0 && a.len() == b.len() { some_sooner(&b[to_come..], &a[to_come..]) } else { None };
    // Where fewer are asked for, it helps that all of them are there and nothing waits any more.
    let helps = if fewer > 0 {
        lacks(before) && !lacks(after) && of > 0 && promise.end.1 >= promise.of
    } else {
        more || meanwhile || some.is_some()
    };
    let waits = lacks(after);
    // What lets it live on until it fails is no help.
    let dies = after.fails(goal.place);
    let helps = helps && !dies;
    let first = |run: &Outcome| goal.given(run).map(|g| g.at).min();
    let comes_and_goes = !helps && first(before).zip(first(after)).is_some_and(|(b, a)| b - a >= SLIGHT_MS);
    // What was there for longer, and is not in the end, is not told as no help either.
    let end = both_known(before, after, known);
    let more_meanwhile = || {
        let of = |run: &Outcome| goal.given(run).filter(|g| g.at < end).copied().collect::<Vec<_>>();
        averages(&of(before), &of(after), end).is_some_and(|(b, a)| a > b * 1.1)
    };
    let more_now = promise.at.1 > promise.at.0;
    let for_nothing = dies || comes_and_goes || !helps && fewer == 0 && (more_now || more_meanwhile());
    Judged {
        promise,
        last,
        lost,
        some,
        helps,
        for_nothing,
        waits,
        stops_next: None,
        worse: worse(goal, before, after, known),
    }
}

/// Everyone who is worse off, those that are refused something first.
fn worse(goal: &Goal, before: &Outcome, after: &Outcome, known: Millis) -> Vec<WorseView> {
    let apps = &before.sim.scenario().apps;
    let each = (0..before.given.len().min(after.given.len())).filter_map(|place| {
        let name = &apps.get(place)?.name;
        let own = place == goal.place;
        if own && goal.more.is_some() {
            return None;
        }
        let mine = |run: &Outcome, am: bool| -> Vec<Given> {
            let given = run.given.get(place).into_iter().flatten();
            let other = |g: &&Given| !(own && am == goal.am && (am || goal.is_about(run, g.key)));
            given.filter(|g| g.am == am && !g.silent).filter(other).copied().collect()
        };
        let times = |run: &Outcome, am: bool| -> Vec<Millis> {
            mine(run, am).iter().filter(|g| g.kept(known, known)).map(|g| g.at).collect()
        };
        let (b, a) = (times(before, false), times(after, false));
        let (master_b, master_a) = (times(before, true), times(after, true));
        let delay = |b: &[Millis], a: &[Millis]| b.iter().zip(a).map(|(b, a)| a - b).max().unwrap_or(0);
        let first_master = delay(&master_b[..master_b.len().min(1)], &master_a);
        let refused = |run: &Outcome| run.refused.get(place).copied().unwrap_or(0) as i64;
        let mut view = WorseView {
            app: name.clone(),
            text: String::new(),
            at: (there(mine(before, false).iter(), goal.at), there(mine(after, false).iter(), goal.at)),
            end: (b.len() as i64, a.len() as i64),
            later_ms: delay(&b, &a).max(if own { 0 } else { first_master }).max(0),
            starved: master_a.is_empty() && !master_b.is_empty() || a.is_empty() && !b.is_empty(),
            refused: (refused(before), refused(after)),
        };
        let whose = if own { say::others_of(name) } else { name.clone() };
        let later = words::span(view.later_ms);
        // Its master alone waits longer.
        let of_master = view.later_ms >= SAME_MS && delay(&b, &a) < view.later_ms;
        let ends = (before.over_at(place).filter(|t| *t <= known), after.over_at(place).filter(|t| *t <= known));
        view.text = if view.refused.1 > view.refused.0 {
            say::harmed_refused(&whose, view.refused.1 - view.refused.0)
        } else if master_a.is_empty() && !master_b.is_empty() {
            // Whose AM was there and is lost for good did start.
            let started = mine(after, true).iter().any(|g| g.at <= known);
            if started { say::harmed_ended(&whose) } else { say::harmed_unstarted(&whose) }
        } else if view.end.1 < view.end.0 {
            say::harmed_fewer(&whose, view.end.0, view.end.1)
        } else if of_master {
            say::harmed_master(&whose, &later)
        } else if view.later_ms >= SAME_MS && view.at.1 < view.at.0 {
            say::harmed_now(&whose, &words::clock(goal.at), view.at.0, view.at.1, &later)
        } else if view.later_ms >= SAME_MS {
            say::harmed_later(&whose, &later)
        } else if own || view.refused.1 < view.refused.0 {
            // With more of what it asked for it may end later; what was refused was over at once.
            return None;
        } else if after.killed(place) > KILLED_AGAIN * before.killed(place).max(1) {
            say::harmed_killed(name, before.killed(place), after.killed(place))
        } else if let Some((b, a)) = fewer_meanwhile(place, before, after, known) {
            say::harmed_meanwhile(name, b, a)
        } else if view.at.1 < view.at.0 {
            say::harmed_at(name, &words::clock(goal.at), view.at.0, view.at.1)
        } else if after.killed(place) > before.killed(place) {
            say::harmed_killed(name, before.killed(place), after.killed(place))
        } else if let Some(by) = lost_sooner(place, before, after, known) {
            say::harmed_sooner(name, &words::span(by))
        } else {
            match ends {
                (Some(b), Some(a)) if a - b >= SAME_MS => say::harmed_end(name, Some(&words::span(a - b))),
                (Some(_), None) => say::harmed_end(name, None),
                _ => return None,
            }
        };
        Some(view)
    });
    let mut out: Vec<WorseView> = each.collect();
    heddle_core::model::order::sort_by_key(&mut out, |w| {
        (w.refused.0 - w.refused.1, w.end.1 - w.end.0, w.at.1 - w.at.0, -w.later_ms)
    });
    out
}

/// Up to when both runs have come.
fn both_known(before: &Outcome, after: &Outcome, known: Millis) -> Millis {
    known.min(before.sim.now()).min(after.sim.now())
}

/// How many containers were there on average from the first of all on, without a change and with it.
fn averages(before: &[Given], after: &[Given], end: Millis) -> Option<(f64, f64)> {
    let first = before.iter().chain(after).map(|g| g.at).min()?;
    let average = |given: &[Given]| {
        let held: Millis = given.iter().map(|g| g.lost_at.map_or(end, |at| at.min(end)) - g.at).sum();
        held as f64 / (end - first).max(1) as f64
    };
    Some((average(before), average(after)))
}

/// By how much sooner at most the application at a place loses containers with the change, where it loses as many, if that is more
/// than a few heartbeats.
fn lost_sooner(place: usize, before: &Outcome, after: &Outcome, known: Millis) -> Option<Millis> {
    let lost = |run: &Outcome| -> Vec<Millis> {
        let given = run.given.get(place).into_iter().flatten();
        let mut lost: Vec<Millis> =
            given.filter(|g| !g.am).filter_map(|g| g.lost_at).filter(|at| *at <= known).collect();
        lost.sort_unstable();
        lost
    };
    let by = lost(before).into_iter().zip(lost(after)).map(|(b, a)| b - a).max();
    by.filter(|by| *by >= SLIGHT_MS)
}

/// How many containers the application at a place keeps on average from the first that it is given on, without the change and with
/// it, if that is less by more than a tenth: what is taken back sooner is missed meanwhile, though the end is the same.
fn fewer_meanwhile(place: usize, before: &Outcome, after: &Outcome, known: Millis) -> Option<(i64, i64)> {
    let end = both_known(before, after, known);
    let of = |run: &Outcome| -> Vec<Given> {
        let given = run.given.get(place).into_iter().flatten();
        given.filter(|g| !g.am && g.at < end).copied().collect()
    };
    let (b, a) = averages(&of(before), &of(after), end)?;
    (a < b * 0.9).then_some((b.round() as i64, a.round() as i64)).filter(|(b, a)| a < b)
}

/// What is told of a change.
pub fn told(change: String, judged: Judged, scenario: Option<String>) -> HelpView {
    let only_meanwhile = judged.only_meanwhile();
    let Judged { promise: p, last, lost, some, helps, for_nothing: _, waits: _, stops_next, worse } = judged;
    let at = last.1.map_or(String::new(), words::clock);
    let mut effect = if p.fewer > 0 {
        if helps { say::all_of_fewer(p.of, &at) } else { say::fewer_not_enough(p.of, p.end.1) }
    } else if helps && some.is_none() && (p.end.1 > p.end.0 || is_sooner(p.at_ms, last)) {
        let sooner = last.0.zip(last.1).filter(|_| p.end.0 == p.end.1).map(|(b, a)| words::span(b - a));
        say::help_effect(p.of, p.end.0, p.end.1, &at, lost, sooner.as_deref())
    } else if let Some((n, by)) = some {
        // The last comes a little sooner at most: by then all have come either way.
        let at = last.0.max(last.1).map_or(String::new(), words::clock);
        say::some_sooner(p.of, p.end.1, &at, lost, n, &words::span(by))
    } else if only_meanwhile {
        say::there_meanwhile(&words::clock(p.at_ms), &at)
    } else {
        // By how much it comes sooner where that is not worth a change: "" for less than a second.
        let by = last.0.zip(last.1).map(|(before, after)| before - after).filter(|by| *by > 0);
        let by = by.map(|by| if by >= SAME_MS { words::span(by) } else { String::new() });
        let effect = say::no_help_effect(p.of, p.end.0, p.end.1, &at, lost, by.as_deref());
        stops_next.map_or(effect.clone(), |stops| say::since_stopped_next(&effect, &stops))
    };
    // What is so at the moment, where the end does not say it.
    let is_said = p.of == 1 && p.end.0 == p.end.1;
    if helps && (p.of > 1 || lost) && p.at.0 != p.at.1 && p.at != p.end && !is_said {
        effect.push_str(&say::at_the_moment(&words::clock(p.at_ms), p.at.0, p.at.1));
    }
    if let Some((0, tasks)) = p.tasks.filter(|_| helps && p.end.1 > p.end.0 && p.known_ms.is_none()) {
        effect.push_str(&say::its_tasks(tasks));
    }
    if helps {
        let texts: Vec<String> = worse.iter().map(|w| w.text.clone()).collect();
        effect.push_str(&if texts.is_empty() { say::NOBODY_WORSE.to_string() } else { say::worse_off(&texts) });
    }
    if let Some(known) = p.known_ms {
        effect.push_str(&say::compared_up_to(&words::clock(known)));
    }
    HelpView { change, effect, helps, promise: p, worse, scenario }
}

/// What becomes of the request without any change; `tried`: so many changes were tried, and none helps.
pub fn unchanged(goal: &Goal, run: &Outcome, tried: Option<usize>) -> HelpView {
    let judged = judge(goal, run, run, 0);
    let p = judged.promise;
    let last = judged.last.0.map_or(String::new(), words::clock);
    let until = match (p.known_ms, run.sim.scenario().until) {
        (Some(known), _) => say::up_to(&words::clock(known)),
        (None, Some(until)) => say::up_to(&words::clock(until)),
        (None, None) => say::EVER.to_string(),
    };
    let mut effect = say::waiting_effect(p.of, p.at.0, p.end.0, &last, judged.lost, &until);
    if p.end.0 < p.of && !judged.lost && !judged.waits && run.over_at(goal.place).is_none() && p.known_ms.is_none() {
        effect.push_str(&say::waits_no_more());
    }
    effect.push_str(&tried.map_or(String::new(), say::nothing_helps));
    let helps = p.end.0 > p.at.0;
    HelpView { change: say::WAITING.to_string(), effect, helps, promise: p, worse: Vec::new(), scenario: None }
}
