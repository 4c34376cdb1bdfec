//! Judges the expectations of a scenario about its run.

use super::Player;
use super::replay::InsightWork;
use super::walk::Seek;
use super::why::Insight;
use crate::explain::say::in_queue;
use crate::explain::say::refused::THE_CLUSTER;
use crate::explain::say::runs as say;
use crate::explain::view::{
    Amount, AppView, ContainerView, ExpectationView, NodeView, QueueView, Selection, Snapshot, WaitingView,
};
use heddle_core::model::Millis;
use heddle_core::scenario::{Condition, Expectation, Figure, Subject, When, Words, units};
use heddle_core::sim::Simulation;
use serde::{Deserialize, Serialize};
use std::cell::RefCell;
use std::rc::Rc;

/// The most moments examined for one expectation; beyond that it fails and its text says so.
const MOMENTS_MAX: usize = 200_000;

/// The result of an expectation.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Verdict {
    /// The expectation's index in the scenario, from 0.
    pub expectation: usize,
    pub passed: bool,
    /// The moment that decided: where it failed, or the last one examined.
    pub at_ms: Millis,
    /// The sentence with what was expected and what was seen.
    pub what: String,
    /// The author's reason for the expectation; empty if it holds.
    pub reason: String,
    /// The selection that shows the failure.
    pub about: Option<Selection>,
}

impl Verdict {
    /// Returns what was expected, what was seen, and why it was expected.
    pub fn told(&self) -> String {
        if self.reason.is_empty() { self.what.clone() } else { format!("{} {}", self.what, self.reason) }
    }
}

/// The state of judging a scenario's expectations in slices. It has its own present moment, so that the player's does not
/// move.
#[derive(Clone, Debug)]
pub struct Judging {
    verdicts: Vec<Option<Verdict>>,
    /// The index of the expectation being judged.
    place: usize,
    /// The number of moments already examined, while a search for one is under way.
    looked: Option<usize>,
    stand: PresentMoment,
}

/// A picture and its moment, by event and time.
#[derive(Clone, Debug)]
pub(super) struct Picture {
    at: (u64, Millis),
    /// Whether it has headline and reasons, or figures only.
    with_words: bool,
    shown: Rc<Snapshot>,
}

/// A moment of the run, and what is known at it.
#[derive(Clone, Debug)]
struct PresentMoment {
    cursor: Simulation,
    at: u64,
    clock: Millis,
    walk: Option<Seek>,
    insight: RefCell<Option<Rc<Insight>>>,
    looking: Option<Box<InsightWork>>,
}

impl Player {
    /// Judges all expectations of the scenario, and plays the run to its end for that. The present moment does not change.
    pub fn verdicts(&mut self) -> Vec<Verdict> {
        self.run_to_end();
        let mut judging = self.judging();
        while !self.judge(&mut judging, MOMENTS_MAX) {}
        judging.verdicts.into_iter().flatten().collect()
    }

    /// Starts judging the scenario's expectations.
    pub fn judging(&self) -> Judging {
        let (at, checkpoint) = self.track.before_event(0);
        let cursor = checkpoint.checkpoint();
        let (walk, insight, looking) = (None, RefCell::new(None), None);
        let stand = PresentMoment { clock: cursor.now(), cursor, at: *at, walk, insight, looking };
        Judging { verdicts: vec![None; self.scenario.expectations.len()], place: 0, looked: None, stand }
    }

    /// Judges the expectations about moments that are known, and examines at most `moments` moments. Returns whether that is
    /// all.
    pub fn judge(&mut self, judging: &mut Judging, moments: usize) -> bool {
        self.stand(&mut judging.stand);
        let done = self.judge_here(judging, moments);
        self.judged_by.replace(None);
        self.stand(&mut judging.stand);
        done
    }

    /// Returns the scenario's expectations with their results so far.
    pub fn expectations(&self, judging: &Judging) -> Vec<ExpectationView> {
        let all = self.scenario.expectations.iter().zip(&judging.verdicts);
        let view = |(e, verdict): (&Expectation, &Option<Verdict>)| {
            let (when, text) = (say::when(&e.when), &self.text);
            let line = e.span.line_col(text).0;
            match verdict {
                Some(v) => {
                    let (at_ms, what, about) = (v.at_ms, v.what.clone(), v.about.clone());
                    let reason = v.reason.clone();
                    ExpectationView { when, line, at_ms, holds: Some(v.passed), what, reason, about }
                }
                None => {
                    let what = say::wanted(&self.subject_name(&e.subject), &say::conditions(&e.conditions));
                    let at_ms = self.moment_of(e).min(self.end_ms());
                    ExpectationView { when, line, at_ms, holds: None, what, reason: String::new(), about: None }
                }
            }
        };
        all.map(view).collect()
    }

    /// Swaps the present moment with that of `stand`.
    fn stand(&mut self, stand: &mut PresentMoment) {
        std::mem::swap(&mut self.cursor, &mut stand.cursor);
        std::mem::swap(&mut self.at, &mut stand.at);
        std::mem::swap(&mut self.clock, &mut stand.clock);
        std::mem::swap(&mut self.walk, &mut stand.walk);
        std::mem::swap(&mut self.insight, &mut stand.insight);
        std::mem::swap(&mut self.looking, &mut stand.looking);
    }

    fn judge_here(&mut self, judging: &mut Judging, moments: usize) -> bool {
        let (scenario, mut left) = (self.scenario.clone(), moments);
        while let (Some(e), Some(verdict)) =
            (scenario.expectations.get(judging.place), judging.verdicts.get_mut(judging.place))
        {
            if verdict.is_none() && self.is_known(e) {
                *verdict = self.judge_one(judging.place, e, &mut judging.looked, &mut left);
                if verdict.is_none() {
                    return false;
                }
            }
            judging.place += 1;
            judging.looked = None;
        }
        judging.place = 0;
        true
    }

    /// Returns whether the run is known as far as the expectation reaches.
    fn is_known(&self, e: &Expectation) -> bool {
        self.track.complete() || self.track.front.now() > self.moment_of(e)
    }

    /// Returns the last moment that an expectation is about.
    fn moment_of(&self, e: &Expectation) -> Millis {
        match e.when {
            When::At(ms) | When::By(ms) => ms,
            When::End => Millis::MAX,
            When::Always(_, to) | When::Never(_, to) => to.unwrap_or(Millis::MAX),
        }
    }

    /// Judges one expectation. Returns `None` if more moments are needed than `left`; `looked` then has the progress.
    fn judge_one(
        &mut self,
        expectation: usize,
        e: &Expectation,
        looked: &mut Option<usize>,
        left: &mut usize,
    ) -> Option<Verdict> {
        if let Some(what) = self.about_nobody(e) {
            let at_ms = self.moment_of(e).min(self.latest());
            return Some(Verdict { expectation, passed: false, at_ms, what, reason: String::new(), about: None });
        }
        if *left == 0 {
            return None;
        }
        let (passed, at_ms, seen) = match e.when {
            When::At(ms) => self.at_moment(e, ms, left),
            When::End => self.at_moment(e, self.latest(), left),
            When::By(ms) => match self.search(e, (0, Some(ms)), true, looked, left)? {
                MomentSearch::Found(at) => (true, at, Ok(())),
                MomentSearch::Nowhere(at, seen) => (false, at, seen),
            },
            When::Always(from, to) => match self.search(e, (from, to), false, looked, left)? {
                MomentSearch::Found(at) => (false, at, self.holds(e)),
                MomentSearch::Nowhere(at, _) => (true, at, Ok(())),
            },
            When::Never(from, to) => match self.search(e, (from, to), true, looked, left)? {
                MomentSearch::Found(at) => (false, at, Err(say::conditions(&e.conditions))),
                MomentSearch::Nowhere(at, _) => (true, at, Ok(())),
            },
        };
        let name = self.subject_name(&e.subject);
        let wanted = say::conditions(&e.conditions);
        let at = units::time_text(at_ms);
        let what = match (&e.when, passed) {
            (_, true) => say::as_expected(&name, &wanted),
            (When::Never(..), false) => say::must_never_be(&name, &wanted, &at),
            (When::By(_), false) => say::expected_by(&name, &wanted, &at, &seen.err().unwrap_or_default()),
            (_, false) => say::expected_at(&name, &wanted, &at, &seen.err().unwrap_or_default()),
        };
        // Moments beyond the point where a run was stopped were not examined.
        let beyond = match e.when {
            When::At(ms) => ms,
            When::By(ms) if !passed => ms,
            When::By(_) => 0,
            When::End => Millis::MAX,
            When::Always(_, to) | When::Never(_, to) if passed => to.unwrap_or(Millis::MAX),
            When::Always(..) | When::Never(..) => 0,
        };
        let stopped = self.cut_off().filter(|_| self.track.front.now() < beyond);
        let (passed, what) = match &stopped {
            Some(why) => (false, say::not_judged(&name, &wanted, why)),
            None => (passed, what),
        };
        let reason = if passed || e.because.is_empty() { String::new() } else { say::expected_because(&e.because) };
        Some(Verdict { expectation, passed, at_ms, what, reason, about: self.selection(&e.subject) })
    }

    /// Returns the failure of an expectation about something that the scenario does not have.
    fn about_nobody(&self, e: &Expectation) -> Option<String> {
        let subject = match &e.subject {
            Subject::App(name) => Some(Selection::App(name.clone())),
            Subject::Node(name) => Some(Selection::Node(name.clone())),
            _ => None,
        };
        let nodes = e.conditions.iter().filter_map(|c| match c {
            Condition::On(node, _) => Some(Selection::Node(node.clone())),
            _ => None,
        });
        let nobody = nodes.chain(subject).find(|about| self.unknown(about).is_some())?;
        Some(say::about_nobody(&self.subject_name(&e.subject), &say::conditions(&e.conditions), &nobody.to_string()))
    }

    fn at_moment(&mut self, e: &Expectation, ms: Millis, left: &mut usize) -> (bool, Millis, Result<(), String>) {
        *left -= 1;
        self.seek(ms);
        let seen = self.holds(e);
        (seen.is_ok(), ms, seen)
    }

    /// Searches the moments from one to the other for one at which the conditions hold (or do not hold). Returns `None` if
    /// `left` runs out first; `looked` then counts the moments examined.
    fn search(
        &mut self,
        e: &Expectation,
        (from, to): (Millis, Option<Millis>),
        holding: bool,
        looked: &mut Option<usize>,
        left: &mut usize,
    ) -> Option<MomentSearch> {
        let end = self.scenario.until.unwrap_or(Millis::MAX);
        if looked.is_none() {
            self.seek(from);
        }
        for seen_before in looked.unwrap_or(0)..MOMENTS_MAX {
            if *left == 0 {
                *looked = Some(seen_before);
                return None;
            }
            *left -= 1;
            let seen = self.holds(e);
            if seen.is_ok() == holding {
                return Some(MomentSearch::Found(self.now()));
            }
            match self.cursor.next_at() {
                Some(next) if next <= to.unwrap_or(end).min(end) => self.seek(next),
                _ => return Some(MomentSearch::Nowhere(to.unwrap_or(self.now()), seen)),
            }
        }
        let after = Err(say::too_many_moments(MOMENTS_MAX));
        Some(if holding { MomentSearch::Nowhere(self.now(), after) } else { MomentSearch::Found(self.now()) })
    }

    /// Returns the picture of the present moment, shared by all expectations about it. Words are worked out only for
    /// conditions that need them.
    fn judged_by(&self, with_words: bool) -> Rc<Snapshot> {
        let here = (self.at, self.clock);
        let known = |p: &&Picture| p.at == here && (p.with_words || !with_words);
        if let Some(picture) = self.judged_by.borrow().as_ref().filter(known) {
            return picture.shown.clone();
        }
        let shown = Rc::new(if with_words { self.snapshot(None) } else { self.figures() });
        self.judged_by.replace(Some(Picture { at: here, with_words, shown: shown.clone() }));
        shown
    }

    /// Checks that all conditions hold now. Errors: what was seen instead.
    fn holds(&self, e: &Expectation) -> Result<(), String> {
        let snapshot = self.judged_by(e.conditions.iter().any(Condition::is_about_words));
        let mut wrong = Vec::new();
        for condition in &e.conditions {
            if let Err(seen) = self.one(&snapshot, &e.subject, condition) {
                wrong.push(seen);
            }
        }
        if wrong.is_empty() { Ok(()) } else { Err(wrong.join("; ")) }
    }

    fn one(&self, s: &Snapshot, subject: &Subject, condition: &Condition) -> Result<(), String> {
        match condition {
            Condition::Number(figure, wanted) => {
                let seen = number(s, subject, *figure)?;
                if wanted.holds(seen) { Ok(()) } else { Err(say::figure_was(*figure, seen)) }
            }
            Condition::On(node, wanted) => {
                let Subject::App(app) = subject else { return Err(say::ON_IS_OF_APPLICATIONS.into()) };
                let node = nodes(s).find(|n| n.name == *node).ok_or_else(|| say::no_node(node))?;
                let seen = containers_of(node, app).count() as i64;
                if wanted.holds(seen) { Ok(()) } else { Err(say::were_on(seen, &node.name)) }
            }
            Condition::State(wanted) => {
                let seen = match subject {
                    Subject::App(name) => app(s, name).map_or(say::NOT_SUBMITTED, |a| a.state.as_str()),
                    Subject::Node(name) => node(s, name)?.state.as_str(),
                    Subject::Queue(name) => queue(s, name)?.state.as_str(),
                    _ => return Err(say::NO_STATE.into()),
                };
                if seen.starts_with(wanted.as_str()) { Ok(()) } else { Err(say::state_was(seen)) }
            }
            Condition::Words(words, wanted) => {
                let seen = self.texts(s, subject, *words);
                let found = seen.iter().any(|t| t.replace("**", "").contains(wanted.as_str()));
                if found { Ok(()) } else { Err(say::words_were(&seen)) }
            }
        }
    }

    fn texts(&self, s: &Snapshot, subject: &Subject, words: Words) -> Vec<String> {
        if words == Words::Headline {
            return vec![s.headline.clone()];
        }
        let of = |w: &&WaitingView| !matches!(subject, Subject::App(name) if *name != w.app);
        let mut out = Vec::new();
        if let (Words::Yarn, Subject::App(name)) = (words, subject) {
            out.extend(app(s, name).map(|a| a.yarn.clone()).filter(|t| !t.is_empty()));
        }
        if let (Words::Reason, Subject::App(name)) = (words, subject) {
            out.push(self.why(&Selection::App(name.clone())).sentence);
        }
        // The refusals, with their sentences as of this moment.
        let refused = s.refused.iter().map(|r| &r.id).filter(|id| match subject {
            Subject::App(name) => id.app() == Some(name.as_str()),
            _ => true,
        });
        for why in refused.map(|id| self.why(id)) {
            match words {
                Words::Reason => out.push(why.sentence),
                _ => out.extend(why.yarn.into_iter().map(|(text, _)| text)),
            }
        }
        for waiting in s.waiting.iter().filter(of) {
            let why = self.why(&waiting.id);
            match words {
                Words::Reason => out.extend([waiting.reason.clone(), why.sentence]),
                _ => out.extend(why.yarn.into_iter().map(|(text, _)| text)),
            }
        }
        out
    }

    fn subject_name(&self, subject: &Subject) -> String {
        match subject {
            Subject::Cluster => THE_CLUSTER.into(),
            Subject::App(name) | Subject::Node(name) | Subject::Queue(name) => name.clone(),
            Subject::User { user, queue } => in_queue(user, queue),
        }
    }

    /// Returns what to select; for an application that waits, its first waiting request.
    fn selection(&self, subject: &Subject) -> Option<Selection> {
        match subject {
            Subject::Cluster => None,
            Subject::App(name) => {
                let s = self.judged_by(false);
                let waiting = s.waiting.iter().find(|w| w.app == *name).map(|w| w.id.clone());
                Some(waiting.unwrap_or_else(|| Selection::App(name.clone())))
            }
            Subject::Node(name) => Some(Selection::Node(name.clone())),
            Subject::Queue(name) => Some(Selection::Queue(name.clone())),
            Subject::User { user, .. } => Some(Selection::User(user.clone())),
        }
    }
}

enum MomentSearch {
    Found(Millis),
    Nowhere(Millis, Result<(), String>),
}

fn nodes(s: &Snapshot) -> impl Iterator<Item = &NodeView> {
    s.racks.iter().flat_map(|r| &r.nodes)
}

fn node<'s>(s: &'s Snapshot, name: &str) -> Result<&'s NodeView, String> {
    nodes(s).find(|n| n.name == name).ok_or_else(|| say::no_node(name))
}

fn app<'s>(s: &'s Snapshot, name: &str) -> Option<&'s AppView> {
    s.apps.iter().find(|a| a.name == name)
}

fn is_queue(view: &str, wanted: &str) -> bool {
    view == wanted || view.rsplit('.').next() == Some(wanted)
}

fn queue<'s>(s: &'s Snapshot, name: &str) -> Result<&'s QueueView, String> {
    let exact = s.queues.iter().find(|q| q.path == name);
    exact.or_else(|| s.queues.iter().find(|q| q.name == name)).ok_or_else(|| say::no_queue(name))
}

/// Returns the containers of an application on a node, without its AM.
fn containers_of<'s>(node: &'s NodeView, app: &'s str) -> impl Iterator<Item = &'s ContainerView> {
    node.containers.iter().filter(move |c| c.app == app && !c.am)
}

fn number(s: &Snapshot, subject: &Subject, figure: Figure) -> Result<i64, String> {
    match subject {
        Subject::Cluster => Ok(of_cluster(s, figure)),
        Subject::App(name) => Ok(of_app(s, name, figure)),
        Subject::Node(name) => node(s, name).map(|n| of_node(n, figure)),
        Subject::Queue(name) => queue(s, name).map(|q| of_queue(q, figure)),
        Subject::User { user, queue } => {
            let of = |u: &&crate::explain::view::UserView| u.user == *user && is_queue(&u.queue, queue);
            let views: Vec<_> = s.users.iter().filter(of).collect();
            let sum = |f: &dyn Fn(&crate::explain::view::UserView) -> i64| views.iter().map(|u| f(u)).sum();
            Ok(match figure {
                Figure::UsedMemory => sum(&|u| u.used.memory_mb),
                Figure::UsedVcores => sum(&|u| u.used.vcores),
                Figure::LimitMemory => sum(&|u| u.limit.memory_mb),
                Figure::AmUsed => sum(&|u| u.am_used.memory_mb),
                Figure::AmLimit => sum(&|u| u.am_limit.memory_mb),
                Figure::ActiveApps => views.first().map_or(0, |u| u.apps.0 as i64),
                Figure::PendingApps => views.first().map_or(0, |u| u.apps.1 as i64),
                _ => 0,
            })
        }
    }
}

fn of_cluster(s: &Snapshot, figure: Figure) -> i64 {
    let sum = |f: &dyn Fn(&Amount) -> i64| nodes(s).map(|n| f(&n.used)).sum();
    match figure {
        Figure::Placed => s.tally.running as i64,
        Figure::Waiting => s.tally.waiting as i64,
        Figure::Reserved => s.tally.reserved as i64,
        Figure::Preempting => s.tally.preempting as i64,
        Figure::Nodes => nodes(s).count() as i64,
        Figure::UsedMemory => sum(&|a| a.memory_mb),
        Figure::UsedVcores => sum(&|a| a.vcores),
        Figure::Preempted => s.apps.iter().map(|a| a.toll.killed + a.toll.masters).sum(),
        Figure::WorkLost => s.apps.iter().map(|a| a.toll.lost.memory_mb).sum(),
        Figure::WorkSaved => s.apps.iter().map(|a| a.toll.saved.memory_mb).sum(),
        _ => 0,
    }
}

fn of_app(s: &Snapshot, name: &str, figure: Figure) -> i64 {
    let view = app(s, name);
    let waiting = || s.waiting.iter().filter(|w| w.app == name);
    let on = || nodes(s).filter(|n| containers_of(n, name).next().is_some());
    match figure {
        Figure::Placed => view.map_or(0, |a| a.placed),
        Figure::Done => view.map_or(0, |a| a.done),
        Figure::Rejected => view.map_or(0, |a| a.rejected),
        Figure::Waiting => waiting().map(|w| w.count).sum(),
        Figure::NeverFits => i64::from(waiting().any(|w| w.never.is_some())),
        Figure::Reserved => nodes(s).filter(|n| n.reserved.as_ref().is_some_and(|r| r.app == name)).count() as i64,
        Figure::UsedMemory => view.map_or(0, |a| a.used.memory_mb),
        Figure::UsedVcores => view.map_or(0, |a| a.used.vcores),
        Figure::Headroom => view.map_or(0, |a| a.headroom.memory_mb),
        Figure::Nodes => on().count() as i64,
        Figure::Racks => {
            s.racks.iter().filter(|r| r.nodes.iter().any(|n| containers_of(n, name).next().is_some())).count() as i64
        }
        Figure::Preempting => {
            let told =
                |n: &NodeView| n.containers.iter().filter(|c| c.app == name && c.preempting_ms.is_some()).count();
            nodes(s).map(told).sum::<usize>() as i64
        }
        Figure::Preempted => view.map_or(0, |a| a.toll.killed + a.toll.masters),
        Figure::MastersPreempted => view.map_or(0, |a| a.toll.masters),
        Figure::GivenBack => view.map_or(0, |a| a.toll.given_back),
        Figure::WorkLost => view.map_or(0, |a| a.toll.lost.memory_mb),
        Figure::WorkSaved => view.map_or(0, |a| a.toll.saved.memory_mb),
        Figure::BegunAgain => view.map_or(0, |a| a.toll.begun_again),
        Figure::Resumed => view.map_or(0, |a| a.toll.resumed),
        Figure::Processing => view.map_or(0, |a| a.processes.processing),
        Figure::Restoring => view.map_or(0, |a| a.processes.restoring),
        Figure::Restored => view.map_or(0, |a| a.processes.restored_mb),
        _ => 0,
    }
}

fn of_node(n: &NodeView, figure: Figure) -> i64 {
    match figure {
        Figure::Placed => n.containers.len() as i64,
        Figure::Reserved => i64::from(n.reserved.is_some()),
        Figure::UsedMemory => n.used.memory_mb,
        Figure::UsedVcores => n.used.vcores,
        Figure::FreeMemory => n.free.memory_mb,
        Figure::FreeVcores => n.free.vcores,
        _ => 0,
    }
}

fn of_queue(q: &QueueView, figure: Figure) -> i64 {
    let sum = |f: &dyn Fn(&crate::explain::view::QueuePartitionView) -> i64| q.partitions.iter().map(f).sum();
    match figure {
        Figure::UsedMemory => sum(&|p| p.used.memory_mb),
        Figure::UsedVcores => sum(&|p| p.used.vcores),
        Figure::PendingMemory => sum(&|p| p.pending.memory_mb),
        Figure::GuaranteedMemory => sum(&|p| p.guaranteed.memory_mb),
        Figure::MaximumMemory => sum(&|p| p.maximum.memory_mb),
        Figure::AmUsed => sum(&|p| p.am_used.memory_mb),
        Figure::AmLimit => sum(&|p| p.am_limit.memory_mb),
        Figure::ActiveApps => q.active as i64,
        Figure::PendingApps => q.pending as i64,
        Figure::Preempted => q.preempted as i64,
        _ => 0,
    }
}
