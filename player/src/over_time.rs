//! What stopped a request over time: the answer of WHY at several moments of its wait, with a search for the changes between
//! them. A stretch therefore says what WHY says at its moments.

use super::Player;
use super::moment::Moment;
use crate::explain::Names;
use crate::explain::over_time::{CausePeriod, WaitCause, cause, is_given, is_it, steady, turns, view};
use crate::explain::request::Explained;
use crate::explain::view::StretchView;
use crate::explain::waiting::{Waiting, waiting};
use heddle_core::journal::{Change, Entry};
use heddle_core::model::{AppId, Millis, RequestKey};
use std::cell::RefCell;
use std::collections::BTreeMap;

/// The number of evenly spaced moments that are examined first.
const EVENLY: i64 = 24;
/// The most moments examined in all, and the most nodes examined for them in all.
const ASKED: usize = 96;
const NODES: usize = 30_000;
const AT_LEAST: usize = 8;
/// Cached answers.
const KEPT: usize = 4_096;
/// The finest precision of the search for a change.
const NEAR: Millis = 500;

impl Player {
    /// Returns the stretches of a waiting request; for an application also those in which its ApplicationMaster waited.
    pub(super) fn over_time(&self, e: &Explained, of_app: bool) -> Vec<StretchView> {
        let (here, w) = (self.here(), &e.waiting);
        if !w.placing.is_empty() || w.left_over {
            return Vec::new();
        }
        let now = cause(here.names(), e);
        let asked = &self.asked_before;
        let of_request = PastWait { here, w, asked, from: w.since, to: self.clock };
        let master = if of_app && !w.am { self.master_waited(w) } else { None };
        let masters =
            master.as_ref().map(|(master, to)| PastWait { here, w: master, asked, from: master.since, to: *to });
        let mut all: Vec<CausePeriod> = masters.map_or(Vec::new(), |wait| wait.stretches(None));
        all.iter_mut().for_each(|stretch| stretch.master = true);
        all.extend(of_request.stretches(Some(now)));
        view(here.names(), w, &all, here.lines(), here.round())
    }

    /// Returns the request for the application's ApplicationMaster and until when it waited, if that was more than a few
    /// rounds.
    fn master_waited(&self, w: &Waiting) -> Option<(Waiting, Millis)> {
        let here = self.here();
        let submitted = here.names().rm().app(w.app)?.submitted_at;
        let (placed, key): (Millis, RequestKey) = here.lines().find_map(|l| match l.entry {
            Entry::Changed(Change::Allocated { container, am: true, key, .. }) if container.app == w.app => {
                Some((l.first, key))
            }
            _ => None,
        })?;
        let long = placed - submitted > 2 * here.round();
        long.then(|| {
            (Waiting { key, am: true, since: submitted, asked_at: submitted, ..w.clone() }, placed.min(w.since))
        })
    }
}

/// A wait, viewed in retrospect.
struct PastWait<'a> {
    here: Moment<'a>,
    w: &'a Waiting,
    asked: &'a RefCell<EarlierCauses>,
    from: Millis,
    to: Millis,
}

/// Answers about requests at earlier moments; they never change.
pub(super) type EarlierCauses = BTreeMap<(AppId, RequestKey, Millis), WaitCause>;

impl PastWait<'_> {
    /// The precision of the search for changes: a round, or [`NEAR`] if that is longer.
    fn round(&self) -> Millis {
        self.here.round().max(NEAR)
    }

    /// Returns its stretches in order; `now` is why it waits at the end, if that is known.
    fn stretches(&self, now: Option<WaitCause>) -> Vec<CausePeriod> {
        let round = self.round();
        if self.from >= self.to {
            return Vec::new();
        }
        let nodes = self.here.sim.rm().nodes().len().max(1);
        let mut left = (NODES / nodes).clamp(AT_LEAST, ASKED);
        // The moments do not depend on when the question is asked or how long the wait is by then.
        let mut step = round;
        while (self.to - self.from) / step > EVENLY.min(left as i64 / 2) {
            step *= 2;
        }
        let mut found: BTreeMap<Millis, WaitCause> = BTreeMap::new();
        // The scheduler does not see a request in the round in which it is made.
        let first = self.from.saturating_add(2 * round).min(self.to - 1);
        let evenly = (1..).map(|i| (self.from / step + i) * step).take_while(|at| *at < self.to);
        for at in std::iter::once(first).chain(evenly.filter(|at| *at > first)) {
            found.insert(at, self.cause_at(at));
            left = left.saturating_sub(1);
        }
        let last = now.unwrap_or_else(|| self.cause_at(self.to - 1));
        found.insert(self.to, last);
        drop_turns(&mut found);
        // The latest changes matter most for the present moment.
        let known: Vec<Millis> = found.keys().rev().copied().collect();
        for (after, before) in known.iter().zip(known.iter().skip(1)) {
            self.search(*before, *after, &mut found, &mut left);
        }
        let mut all = steady(self.joined(&found), 2 * round);
        let given: Vec<Millis> = self.here.lines().filter(|l| is_given(l, self.w)).map(|l| l.first).collect();
        for stretch in all.iter_mut().filter(|stretch| stretch.cause == WaitCause::Turn) {
            if given.iter().any(|at| (stretch.from..=stretch.to).contains(at)) {
                stretch.cause = WaitCause::Served;
            }
        }
        all
    }

    /// Searches for the change between two moments.
    fn search(&self, before: Millis, after: Millis, found: &mut BTreeMap<Millis, WaitCause>, left: &mut usize) {
        if *left == 0 || after - before <= self.round() || found.get(&before) == found.get(&after) {
            return;
        }
        *left -= 1;
        let middle = before + (after - before) / 2;
        found.insert(middle, self.cause_at(middle));
        self.search(middle, after, found, left);
        self.search(before, middle, found, left);
    }

    /// Joins moments with the same cause. A stretch begins with the event before which its cause did not apply.
    fn joined(&self, found: &BTreeMap<Millis, WaitCause>) -> Vec<CausePeriod> {
        let turns = turns(self.here.names(), self.w, self.here.lines());
        let mut out: Vec<CausePeriod> = Vec::new();
        let mut before = self.from;
        for (at, cause) in found {
            match out.last_mut() {
                Some(last) if last.cause == *cause => last.to = *at,
                Some(last) => {
                    // The latest looks may have found it up to a round earlier.
                    let turn = turns.partition_point(|turn| turn <= at);
                    let since = (before - self.round()).max(last.from + 1);
                    let turn = turns[..turn].last().copied().filter(|turn| *turn >= since).unwrap_or(*at);
                    last.to = turn;
                    if turn >= self.to {
                        // The sentence covers what happened at this moment.
                        break;
                    }
                    out.push(CausePeriod { from: turn, to: *at, cause: cause.clone(), master: false });
                }
                None => out.push(CausePeriod { from: self.from, to: *at, cause: cause.clone(), master: false }),
            }
            before = *at;
        }
        out
    }

    /// Returns why it waited at a moment.
    fn cause_at(&self, at: Millis) -> WaitCause {
        let what = (self.w.app, self.w.key, at);
        let known = self.asked.borrow().get(&what).cloned();
        known.unwrap_or_else(|| {
            let cause = self.asked_at(at);
            let mut asked = self.asked.borrow_mut();
            if asked.len() >= KEPT {
                asked.clear();
            }
            asked.insert(what, cause.clone());
            cause
        })
    }

    fn asked_at(&self, at: Millis) -> WaitCause {
        let (event, sim) = self.here.earlier(at);
        let then = Moment { sim: &sim, at: event, clock: at, ..self.here };
        let names = Names::at(&sim, at);
        let mut all = waiting(&sim);
        all.retain(|other| if self.w.am { other.am && other.app == self.w.app } else { is_it(names, self.w, other) });
        // The request itself takes precedence over an earlier one that it replaced.
        let exact = all.iter().position(|other| other.key == self.w.key).unwrap_or(0);
        match all.get(exact) {
            Some(other) => cause(names, &then.explained(other)),
            None => WaitCause::NotAsked,
        }
    }
}

/// Drops single moments at which it was the request's turn, if the same cause stopped it before and after.
fn drop_turns(found: &mut BTreeMap<Millis, WaitCause>) {
    let all: Vec<(Millis, WaitCause)> = found.iter().map(|(at, cause)| (*at, cause.clone())).collect();
    for three in all.windows(3) {
        let [(_, before), (at, cause), (_, after)] = three else { continue };
        if *cause == WaitCause::Turn && before == after {
            found.remove(at);
        }
    }
}
