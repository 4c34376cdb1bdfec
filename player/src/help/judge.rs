//! Compares the present run with a changed one: the fate of the whole request, and who is worse off.

use super::course::{AllocatedContainer, TrialOutcome};
use crate::explain::view::{HelpView, PromiseView, WorseView};
use crate::explain::{say, words};
use heddle_core::model::{Millis, RequestKey};

/// Differences below this count as none.
pub const SAME_MS: Millis = 1_000;
/// A gain of this much is worth a change, and so is one part in `WORTH_PART` of the remaining wait.
const WORTH_MS: Millis = 10_000;
const WORTH_PART: Millis = 10;
/// A longer wait below this is shown but does not rank the change lower, as heartbeats vary.
const SLIGHT_MS: Millis = 5_000;
/// Preemption of more containers than this multiple of the former number is shown before the containers that are there.
const KILLED_AGAIN: i64 = 2;

/// The containers that are wanted: the whole request.
#[derive(Clone, Debug, PartialEq)]
pub struct AdviceGoal {
    /// The application's index in the scenario.
    pub place: usize,
    /// The requests in the order in which they are shown.
    pub keys: Vec<RequestKey>,
    /// Whether it is the application's AM.
    pub am: bool,
    /// The number of containers outstanding at the moment.
    pub outstanding: usize,
    /// The moment at which help was asked for.
    pub at: Millis,
    /// Which containers are meant, if YARN is not asked for what is wanted.
    pub more: Option<More>,
}

/// Containers beyond those that existed when help was asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct More {
    /// Whether any container but an AM counts, whatever its request.
    pub any: bool,
    /// The number allocated by then.
    pub had: usize,
}

impl AdviceGoal {
    /// Returns the wanted containers that a run allocated.
    fn given<'r>(&'r self, run: &'r TrialOutcome) -> impl Iterator<Item = &'r AllocatedContainer> + use<'r> {
        let any = self.more.is_some_and(|more| more.any);
        let mine = run.given.get(self.place).into_iter().flatten();
        let is_it = move |g: &&AllocatedContainer| g.am == self.am && (self.am || any || self.is_about(run, g.key));
        mine.filter(is_it).skip(self.more.map_or(0, |more| more.had))
    }

    /// Returns how many containers other than its AM the application keeps.
    fn tasks(&self, run: &TrialOutcome, known: Millis) -> i64 {
        let given = run.given.get(self.place).into_iter().flatten();
        given.filter(|g| !g.am && g.kept(known, known)).count() as i64
    }

    /// Returns whether a container that the application requested under a key is wanted.
    fn is_about(&self, run: &TrialOutcome, key: RequestKey) -> bool {
        self.keys.iter().any(|wanted| run.alike(self.place, key, *wanted))
    }

    /// Counts what was already allocated without any change when help was asked for.
    pub fn count_what_it_had(&mut self, base: &TrialOutcome) {
        let had = self.given(base).filter(|g| g.at <= self.at).count();
        if let Some(more) = &mut self.more {
            more.had = had;
        }
    }
}

/// Returns the rank of a change's harm to those who still get something: how many wait longer by more than a few heartbeats.
pub fn harm(help: &HelpView) -> (usize, usize) {
    let longer = help.worse.iter().filter(|worse| worse.later_ms >= SLIGHT_MS || worse.later_ms == 0).count();
    (usize::from(longer > 0), longer)
}

/// Returns whether a change leaves somebody with less or nothing.
pub fn robs(help: &HelpView) -> bool {
    help.worse.iter().any(|worse| worse.end.1 < worse.end.0 || worse.refused.1 > worse.refused.0 || worse.starved)
}

/// Returns whether a change leaves somebody with nothing who gets something without it.
pub fn starves(help: &HelpView) -> bool {
    help.worse.iter().any(|worse| worse.starved)
}

/// A changed run compared with the present one.
#[derive(Clone, Debug, PartialEq)]
pub struct Judged {
    pub promise: PromiseView,
    /// The times at which the last container is placed, without the change and with it.
    last: (Option<Millis>, Option<Millis>),
    /// Whether some were allocated after the moment and lost again in either run; the text is then about the end.
    lost: bool,
    /// If the last does not come sooner: how many others do by more than a few heartbeats, and by how much at most.
    some: Option<(usize, Millis)>,
    pub helps: bool,
    /// Whether the gain is useless for another reason: it is lost again, or its application fails.
    for_nothing: bool,
    /// Whether part of the request waits at the end of the changed run.
    waits: bool,
    /// The next limit, if the change lifts the first one and does not help: "at 1:00 root.a uses all of its maximum of 10
    /// GB".
    stops_next: Option<String>,
    pub worse: Vec<WorseView>,
}

impl Judged {
    /// The time at which the last container that comes with the change is placed.
    pub fn last_placed(&self) -> Option<Millis> {
        self.last.1
    }

    /// Returns whether it brings more than another change, or all of it sooner by more than a few heartbeats with no fewer at
    /// the moment. A larger change must do more than its parts.
    pub fn beats_by_far(&self, other: &Judged) -> bool {
        let (mine, others) = (&self.promise, &other.promise);
        let sooner = self.last.1.zip(other.last.1).is_some_and(|(a, b)| b - a >= SLIGHT_MS);
        mine.end.1 > others.end.1 || mine.end.1 == others.end.1 && mine.at.1 >= others.at.1 && sooner
    }

    /// Returns what is said of a change that is made only now and then does less than from the start; `change` is the
    /// stronger one, if the original does nothing then.
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

    /// The next limit, if the change lifts the first one and does not help.
    pub fn stops_next(&self) -> Option<String> {
        self.stops_next.clone()
    }

    /// Sets the next limit.
    pub fn stopped_next(self, stops_next: Option<String>) -> Judged {
        Judged { stops_next, ..self }
    }

    /// Marks the change as not helping.
    pub fn that_does_not_help(self) -> Judged {
        Judged { helps: false, ..self }
    }

    /// Returns whether fewer are asked for though nothing waits in the end either way, or the gain is useless for another
    /// reason.
    pub fn is_for_nothing(&self) -> bool {
        self.promise.fewer > 0 && !self.helps && !self.waits || self.for_nothing && !self.helps
    }

    /// Returns whether all that it brings had come by the time help was asked for.
    pub fn is_over(&self) -> bool {
        let p = &self.promise;
        self.helps && !self.lost && p.end.1 > p.end.0 && p.at.1 == p.end.1 && p.end.0 == p.at.0
    }

    /// Returns whether everything comes before help was asked for, with the change.
    pub fn came_before(&self) -> bool {
        let p = &self.promise;
        self.helps && !self.lost && p.at.1 == p.end.1 && self.last.1.is_some_and(|last| last <= p.at_ms)
    }

    /// Returns whether only part of what comes anyway comes sooner.
    pub fn only_some_sooner(&self) -> bool {
        self.some.is_some()
    }

    /// Returns whether the only container comes sooner, is lost again, and finally comes as without the change.
    pub fn only_meanwhile(&self) -> bool {
        let p = &self.promise;
        let more = p.end.1 > p.end.0 || is_sooner(p.at_ms, self.last);
        self.helps && p.of == 1 && p.fewer <= 0 && self.some.is_none() && !more
    }

    /// Returns how much sooner the last comes, if as many come without the change.
    pub fn gain(&self) -> Option<Millis> {
        let (before, after) = self.promise.end;
        self.last.0.zip(self.last.1).filter(|_| before == after).map(|(before, after)| before - after)
    }

    /// Returns whether the whole request comes.
    pub fn whole(&self) -> bool {
        self.promise.end.1 >= self.promise.of
    }
}

/// Returns how many are there at a moment, including those that ended by themselves.
fn there<'g>(given: impl Iterator<Item = &'g AllocatedContainer>, at: Millis) -> i64 {
    given.filter(|g| g.kept(at, at)).count() as i64
}

/// Returns whether the last one comes sooner by enough: some seconds, or a part of the remaining wait. What has come by now
/// cannot come sooner.
fn is_sooner(now: Millis, last: (Option<Millis>, Option<Millis>)) -> bool {
    last.0.zip(last.1).is_some_and(|(before, after)| {
        let (gain, left) = (before - after, before - now);
        left > 0 && gain >= SAME_MS && (gain >= WORTH_MS || gain * WORTH_PART >= left)
    })
}

/// Returns how many come sooner by more than a few heartbeats, and by how much at most, if none comes later.
fn some_sooner(before: &[Millis], after: &[Millis]) -> Option<(usize, Millis)> {
    let by = || before.iter().zip(after).map(|(b, a)| b - a);
    if by().any(|by| by <= -SAME_MS) {
        return None;
    }
    let sooner = by().filter(|by| *by >= SLIGHT_MS);
    Some((sooner.clone().count(), sooner.max()?))
}

/// Judges a changed run, which asks for `fewer` fewer containers. A preempted container counts while it exists, and not in
/// the end.
pub fn judge(goal: &AdviceGoal, before: &TrialOutcome, after: &TrialOutcome, fewer: i64) -> Judged {
    let known = before.known.min(after.known);
    let at = |run: &TrialOutcome| there(goal.given(run), goal.at);
    // Allocated containers that its AM has not fetched; those that it gets later are outstanding.
    let unfetched = before.unfetched.get(goal.place).into_iter().flatten();
    let unfetched = unfetched.filter(|g| !goal.am && g.at <= goal.at && goal.is_about(before, g.key)).count();
    let asked = at(before) as usize + unfetched + goal.outstanding;
    let of = asked.saturating_sub(usize::try_from(fewer).unwrap_or(0));
    let lacks = |run: &TrialOutcome| goal.keys.iter().any(|key| run.lacks(goal.place, *key));
    let times = |run: &TrialOutcome| -> Vec<Millis> {
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
    // Containers that are lost in the end either way were there in the meantime.
    let is_lost = |run: &TrialOutcome| goal.given(run).any(|g| g.lost_at.is_some_and(|at| at > goal.at && at <= known));
    let lost = is_lost(before) || is_lost(after);
    // A single one that is lost again gains nothing.
    let meanwhile =
        lost && (of > 1 || promise.end.1 > 0) && promise.end.1 == promise.end.0 && promise.at.1 > promise.at.0;
    let to_come = b.iter().filter(|at| **at <= goal.at).count();
    let some = if !more && fewer == 0 && a.len() == b.len() { some_sooner(&b[to_come..], &a[to_come..]) } else { None };
    // If fewer are asked for, it helps if they all come and nothing waits any more.
    let helps = if fewer > 0 {
        lacks(before) && !lacks(after) && of > 0 && promise.end.1 >= promise.of
    } else {
        more || meanwhile || some.is_some()
    };
    let waits = lacks(after);
    // A change that only lets it live until it fails does not help.
    let dies = after.fails(goal.place);
    let helps = helps && !dies;
    let first = |run: &TrialOutcome| goal.given(run).map(|g| g.at).min();
    let comes_and_goes = !helps && first(before).zip(first(after)).is_some_and(|(b, a)| b - a >= SLIGHT_MS);
    // A change with more containers in the meantime but not in the end is not reported as useless either.
    let end = both_known(before, after, known);
    let more_meanwhile = || {
        let of = |run: &TrialOutcome| goal.given(run).filter(|g| g.at < end).copied().collect::<Vec<_>>();
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

/// Returns everyone who is worse off, those that are refused something first.
fn worse(goal: &AdviceGoal, before: &TrialOutcome, after: &TrialOutcome, known: Millis) -> Vec<WorseView> {
    let apps = &before.sim.scenario().apps;
    let each = (0..before.given.len().min(after.given.len())).filter_map(|place| {
        let name = &apps.get(place)?.name;
        let own = place == goal.place;
        if own && goal.more.is_some() {
            return None;
        }
        let mine = |run: &TrialOutcome, am: bool| -> Vec<AllocatedContainer> {
            let given = run.given.get(place).into_iter().flatten();
            let other = |g: &&AllocatedContainer| !(own && am == goal.am && (am || goal.is_about(run, g.key)));
            given.filter(|g| g.am == am && !g.silent).filter(other).copied().collect()
        };
        let times = |run: &TrialOutcome, am: bool| -> Vec<Millis> {
            mine(run, am).iter().filter(|g| g.kept(known, known)).map(|g| g.at).collect()
        };
        let (b, a) = (times(before, false), times(after, false));
        let (master_b, master_a) = (times(before, true), times(after, true));
        let delay = |b: &[Millis], a: &[Millis]| b.iter().zip(a).map(|(b, a)| a - b).max().unwrap_or(0);
        let first_master = delay(&master_b[..master_b.len().min(1)], &master_a);
        let refused = |run: &TrialOutcome| run.refused.get(place).copied().unwrap_or(0) as i64;
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
        // Only its AM waits longer.
        let of_master = view.later_ms >= SAME_MS && delay(&b, &a) < view.later_ms;
        let ends = (before.over_at(place).filter(|t| *t <= known), after.over_at(place).filter(|t| *t <= known));
        view.text = if view.refused.1 > view.refused.0 {
            say::harmed_refused(&whose, view.refused.1 - view.refused.0)
        } else if master_a.is_empty() && !master_b.is_empty() {
            // An application whose AM existed and is lost for good did start.
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
            // It may end later because it gets more of what it asked for; a refused one ended at once.
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

/// Returns the time up to which both runs were played.
fn both_known(before: &TrialOutcome, after: &TrialOutcome, known: Millis) -> Millis {
    known.min(before.sim.now()).min(after.sim.now())
}

/// Returns the average number of containers from the very first on, without a change and with it.
fn averages(before: &[AllocatedContainer], after: &[AllocatedContainer], end: Millis) -> Option<(f64, f64)> {
    let first = before.iter().chain(after).map(|g| g.at).min()?;
    let average = |given: &[AllocatedContainer]| {
        let held: Millis = given.iter().map(|g| g.lost_at.map_or(end, |at| at.min(end)) - g.at).sum();
        held as f64 / (end - first).max(1) as f64
    };
    Some((average(before), average(after)))
}

/// Returns by how much sooner at most the change makes the application at an index lose containers, if that is more than a
/// few heartbeats.
fn lost_sooner(place: usize, before: &TrialOutcome, after: &TrialOutcome, known: Millis) -> Option<Millis> {
    let lost = |run: &TrialOutcome| -> Vec<Millis> {
        let given = run.given.get(place).into_iter().flatten();
        let mut lost: Vec<Millis> =
            given.filter(|g| !g.am).filter_map(|g| g.lost_at).filter(|at| *at <= known).collect();
        lost.sort_unstable();
        lost
    };
    let by = lost(before).into_iter().zip(lost(after)).map(|(b, a)| b - a).max();
    by.filter(|by| *by >= SLIGHT_MS)
}

/// Returns the average number of containers that the application at an index keeps, without the change and with it, if the
/// latter is lower by more than a tenth: earlier preemption costs something even if the end is the same.
fn fewer_meanwhile(place: usize, before: &TrialOutcome, after: &TrialOutcome, known: Millis) -> Option<(i64, i64)> {
    let end = both_known(before, after, known);
    let of = |run: &TrialOutcome| -> Vec<AllocatedContainer> {
        let given = run.given.get(place).into_iter().flatten();
        given.filter(|g| !g.am && g.at < end).copied().collect()
    };
    let (b, a) = averages(&of(before), &of(after), end)?;
    (a < b * 0.9).then_some((b.round() as i64, a.round() as i64)).filter(|(b, a)| a < b)
}

/// Returns the view of a change.
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
        // The last comes a little sooner at most; by then all have come either way.
        let at = last.0.max(last.1).map_or(String::new(), words::clock);
        say::some_sooner(p.of, p.end.1, &at, lost, n, &words::span(by))
    } else if only_meanwhile {
        say::there_meanwhile(&words::clock(p.at_ms), &at)
    } else {
        // A gain that is not worth a change; "" for less than a second.
        let by = last.0.zip(last.1).map(|(before, after)| before - after).filter(|by| *by > 0);
        let by = by.map(|by| if by >= SAME_MS { words::span(by) } else { String::new() });
        let effect = say::no_help_effect(p.of, p.end.0, p.end.1, &at, lost, by.as_deref());
        stops_next.map_or(effect.clone(), |stops| say::since_stopped_next(&effect, &stops))
    };
    // The state at the moment, unless the end implies it.
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

/// Returns what happens to the request without any change; `tried` is the number of changes tried, if none helps.
pub fn unchanged(goal: &AdviceGoal, run: &TrialOutcome, tried: Option<usize>) -> HelpView {
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
