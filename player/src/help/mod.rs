//! Advice (product.md 8, idea 2): changes against what blocks a request, each judged by whole runs with it and without it.
//! Nothing is reported that was not run. [`Help`] is played in slices and can be dropped at any time.
//!
//! [`holds`]: what blocked the request over its whole wait, from the record. [`settings`], [`asks`], and the part `help` of
//! the kinds of applications: candidate changes for each; [`turns`]: changes of who goes first, and of which nodes are there;
//! [`preemption`], [`fair`]: changes of preemption. [`search`]: the weakest change that does as much as the strongest.
//! [`judge`]: the figures, and who is worse off.

mod allocations;
pub(crate) mod asks;
mod course;
mod fair;
mod holds;
mod judge;
pub(crate) mod knobs;
mod lacking;
mod preemption;
mod search;
mod settings;
#[cfg(test)]
mod tests;
mod turns;

use super::Player;
use crate::apps::help::helped_of;
use crate::explain::Names;
use crate::explain::chain::first_limit;
use crate::explain::checks::{NodeCheck, NodeRow, Table, table};
use crate::explain::preempted::{self, Freeing, fair::FairFreeingCause};
use crate::explain::request;
use crate::explain::say;
use crate::explain::stop::StoppedBy;
use crate::explain::view::{HelpView, Selection, WhyView};
use crate::explain::waiting::{Waiting, waiting};
use crate::explain::waits::of_check::BlockingCondition;
use crate::explain::waits::on_nodes;
use crate::explain::words;
use allocations::Brought;
use asks::Rack;
use course::{TrialOutcome, TrialRun};
use heddle_core::check::Check as RecordedCheck;
use heddle_core::config::capacity::PREFIX;
use heddle_core::constraint::Single;
use heddle_core::model::{AppId, Millis, NodeId, QueueId};
use heddle_core::scenario::edit;
use heddle_core::sim::{Simulation, Tried};
use holds::{RecordedBlock, of_failure, of_stop};
use judge::{AdviceGoal, Judged, More, harm, judge, robs, starves, told, unchanged};
use knobs::{CandidateChange, CandidateKind, RequestContext, Set, Since};
use search::{Least, StrengthSearch};
use std::collections::VecDeque;

/// The most events that one search plays.
const HELP_EVENTS: u64 = 4_000_000;
/// The most events played for what would have prevented a refusal.
const REFUSED_EVENTS: u64 = 400_000;
/// The most events played after the present moment.
const EVENTS_AFTER: u64 = 100_000;
/// The most changes tried alone.
const ALONE: usize = 28;
/// A change made at a moment shows its effect within this time.
const SHOWS_MS: Millis = 5_000;
/// The most pairs tried.
const PAIRS: usize = 6;
/// The most lines shown: of changes that help, and of those that do not.
const TOLD: (usize, usize) = (6, 3);

/// The progress of a search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct HelpProgress {
    pub done: bool,
    /// The number of changes tried.
    pub tried: usize,
    /// The number of changes known so far, tried or not.
    pub of: usize,
}

/// A change that was tried at its greatest strength.
#[derive(Debug)]
struct SingleTrial {
    knob: CandidateChange,
    judged: Judged,
    noted: Vec<RecordedBlock>,
}

/// The trial of a change that is made only now.
#[derive(Debug)]
enum FromNow {
    /// The change that helps from the start.
    Same,
    /// A stronger one, because that does nothing then; with what stops it next.
    Stronger(Box<StrengthSearch>, Option<String>),
}

/// A search for advice about one request.
#[derive(Debug)]
pub struct Help {
    text: String,
    /// The state at the moment of the question.
    cursor: Simulation,
    waiting: Option<Waiting>,
    goal: AdviceGoal,
    /// The clauses of its constraint that a node fails, with their numbers.
    clauses: Vec<(usize, Single)>,
    /// The nodes that lack only room, and whether all of them do.
    nearly: (Vec<NodeId>, bool),
    /// Whether a request of its own application comes before it.
    behind_own: bool,
    /// Whether nodes have room for more of it, and only the limit of each heartbeat delays it.
    served: bool,
    /// What stops it at the moment.
    stop: Option<BlockingCondition>,
    /// Whether an application with a hanging AM holds the room that it waits for.
    hung: bool,
    /// The applications of other queues that nodes are reserved for.
    kept_for: Vec<AppId>,
    /// What preemption does about it at the moment.
    freeing: Option<Freeing>,
    /// Other queues that are protected from preemption.
    barred: Vec<QueueId>,
    /// What the FairScheduler's preemption does about it.
    claimed: Option<FairFreeingCause>,
    base: Option<TrialOutcome>,
    course: Option<TrialRun>,
    search: Option<StrengthSearch>,
    /// A finished search, with the trial of its change made only now.
    settling: Option<(StrengthSearch, FromNow)>,
    /// The indices of the happenings refused by now.
    refused: Vec<usize>,
    /// Changes to be tried together, and what they must do better than.
    planned: VecDeque<(Vec<CandidateChange>, Least)>,
    alone: Vec<SingleTrial>,
    paired: bool,
    tried: usize,
    left: u64,
    found: Vec<HelpView>,
    /// Changes of what the answer says stops it.
    named: Vec<CandidateChange>,
    /// The names of the reported ones among `named`.
    first: Vec<String>,
    /// The names of reported changes that take a guarantee from another queue.
    shifting: Vec<String>,
    /// The names of changes that help only from the start and bring nothing more by now.
    too_late: Vec<String>,
    /// Whether a reported change lets it run only in the meantime.
    meanwhile: bool,
    /// Whether the answer says that somebody else goes first.
    outrun: bool,
    /// The parts of each reported change, and its result.
    parts: Vec<(Vec<String>, Judged)>,
    /// Changes of who goes first and of nodes that are away; the record does not show whether they matter.
    guesses: Vec<CandidateChange>,
    done: bool,
}

impl Player {
    /// Starts a search for advice about a waiting request, or an application with one. What would have prevented an
    /// application's refusal is found at once. Has nothing to do for anything else.
    pub fn help(&self, about: &Selection) -> Help {
        let names = Names::at(&self.cursor, self.clock);
        let insight = self.insight();
        let waiting = request::find(names, &insight.waiting, about).filter(|w| !w.left_over);
        let named = if let Selection::App(name) = about { Some(name) } else { None };
        let wanted = || insight.waiting.iter().filter(|w| !w.left_over);
        let of_app = || wanted().find(|w| Some(names.app(w.app)) == named.map(String::as_str));
        // What an application holds back without asking waits too.
        let held_back =
            named.and_then(|name| names.find_app(name)).and_then(|id| helped_of(names, id).held_back(names, id));
        let waiting = waiting.or_else(of_app).or(held_back.as_ref());
        let lacked = named.filter(|_| waiting.is_none()).and_then(|name| lacking::lacked(names, names.find_app(name)?));
        let waiting = waiting.or(lacked.as_ref().map(|lacked| &lacked.waiting));
        // For an application everything that it waits for is wanted.
        let all = |w: &Waiting| {
            let asked = wanted().filter(|other| other.app == w.app && other.am == w.am);
            let all: Vec<Waiting> = asked.filter(|_| named.is_some()).cloned().collect();
            if all.iter().any(|other| other.key == w.key) { all } else { vec![w.clone()] }
        };
        // What an application has yet to ask for comes like what it has asked for.
        let beside = |w: &Waiting| match held_back.as_ref() {
            Some(itself) if itself != w => helped_of(names, w.app).held_back_beside(names, w),
            Some(_) | None => 0,
        };
        let goal = |w: &Waiting| AdviceGoal {
            place: self.cursor.place_of(w.app).unwrap_or(usize::MAX),
            keys: all(w).iter().map(|w| w.key).collect(),
            am: w.am,
            outstanding: usize::try_from(all(w).iter().map(|w| w.count).sum::<i64>() + beside(w)).unwrap_or(0),
            at: self.clock,
            more: lacked.as_ref().map(|lacked| More { any: lacked.any, had: 0 }),
        };
        let nobody = || AdviceGoal {
            place: usize::MAX,
            keys: Vec::new(),
            am: false,
            outstanding: 0,
            at: self.clock,
            more: None,
        };
        let mut help = Help {
            text: self.text.clone(),
            cursor: self.cursor.clone(),
            goal: waiting.map_or_else(nobody, goal),
            waiting: waiting.cloned(),
            clauses: Vec::new(),
            nearly: (Vec::new(), false),
            behind_own: false,
            served: false,
            stop: None,
            hung: false,
            kept_for: Vec::new(),
            freeing: None,
            barred: Vec::new(),
            claimed: None,
            base: None,
            course: None,
            search: None,
            settling: None,
            refused: refused_happenings(&self.cursor),
            planned: VecDeque::new(),
            alone: Vec::new(),
            paired: false,
            tried: 0,
            left: HELP_EVENTS,
            // What would have prevented the application's refusal.
            found: if waiting.is_none() { self.mends(about, REFUSED_EVENTS) } else { Vec::new() },
            named: Vec::new(),
            first: Vec::new(),
            shifting: Vec::new(),
            too_late: Vec::new(),
            meanwhile: false,
            outrun: false,
            parts: Vec::new(),
            guesses: Vec::new(),
            done: waiting.is_none(),
        };
        if let Some(w) = waiting {
            if held_back.as_ref() != Some(w) && lacked.is_none() {
                let e = self.explained(&insight, w);
                let refused = || e.refused.as_ref().and_then(of_failure);
                help.stop = e.chain.stop.as_ref().and_then(|s| of_stop(&s.by, w.partition)).or_else(refused);
                let holders = e.chain.stop.iter().flat_map(|stop| &stop.holders);
                let hangs = |id: AppId| names.run(id).is_some_and(|run| run.missed_at().is_some());
                let of_queue = e.chain.stop.as_ref().filter(|stop| stop.by.is(RecordedCheck::QueueLimit));
                help.kept_for = of_queue.map_or_else(Vec::new, |stop| stop.holders.clone());
                help.hung = hangs(w.app) || holders.into_iter().any(|id| hangs(*id));
                help.outrun = self.is_outrun(&e);
                (help.freeing, help.barred) =
                    preempted::freeing(names, w).map_or((None, Vec::new()), |(cause, barred)| (Some(cause), barred));
                help.claimed = preempted::fair::cause(names, w, self.search_for(w.app).as_ref());
                help.behind_own = e.chain.stop.as_ref().is_some_and(|s| s.by == StoppedBy::OwnRequest);
                if let Some(table) = &e.table {
                    help.served = w.count > 1 && table.rows.iter().any(NodeRow::fits);
                    help.clauses = clauses(table);
                    let nearly = table.rows.iter().filter(|row| table.lacks_room(row)).map(|row| row.node);
                    help.nearly = (nearly.collect(), table.is_full());
                }
            }
            help.course = TrialRun::of(&self.text, help.goal.place, self.at + EVENTS_AFTER);
            help.done = help.course.is_none();
        }
        help
    }

    /// Returns the rack for one more node for a waiting request, if its constraint counts what racks run, and whether that
    /// rack is new.
    pub fn rack_for_node(&self, about: &Selection) -> Option<(String, bool)> {
        let names = Names::at(&self.cursor, self.clock);
        let insight = self.insight();
        let w = request::find(names, &insight.waiting, about)?;
        let clauses = clauses(self.explained(&insight, w).table.as_ref()?);
        let ground = RequestContext { names, w, properties: edit::in_force(&self.scenario, self.clock) };
        ground.rack(&clauses).map(|rack| match rack {
            Rack::New(rack) => (rack, true),
            Rack::Of(rack) => (rack, false),
        })
    }

    /// Returns [`Player::why`] with the complete advice.
    pub fn why_with_help(&self, about: &Selection) -> WhyView {
        let mut help = self.help(about);
        while !help.step(u64::MAX).done {}
        WhyView { help: help.found(), ..self.why(about) }
    }
}

impl Help {
    /// Continues for about `events` events.
    pub fn step(&mut self, events: u64) -> HelpProgress {
        let mut left = events.max(1);
        while !self.done && left > 0 {
            match self.course.take() {
                Some(mut course) => {
                    let (played, over) = course.run(left.min(self.left.max(1)));
                    left = left.saturating_sub(played.max(1));
                    self.left = self.left.saturating_sub(played);
                    if over {
                        self.hear(course.outcome());
                    } else if self.left == 0 {
                        self.done = true;
                    } else {
                        self.course = Some(course);
                    }
                }
                // Reading a text has its cost too.
                None => {
                    left = left.saturating_sub(100);
                    self.go_on();
                }
            }
        }
        self.progress()
    }

    /// Returns the progress.
    pub fn progress(&self) -> HelpProgress {
        let of = self.tried + self.planned.len() + usize::from(self.search.is_some() && !self.done);
        HelpProgress { done: self.done, tried: self.tried, of }
    }

    /// Returns the advice so far. Changes of what the answer names come first; then those that take nothing from anybody,
    /// those that bring most, and those that make nobody wait longer. Changes that starve somebody or do not help come last.
    /// Equals keep the order in which they were proposed, which is an expert's.
    pub fn found(&self) -> Vec<HelpView> {
        let mut all = self.found.clone();
        heddle_core::model::order::sort_by_key(&mut all, |h| {
            let named = self.first.contains(&h.change);
            let brings = (-h.promise.end.1, h.promise.tasks.is_some_and(|t| t.1 == 0));
            let too_late = self.too_late.contains(&h.change);
            (!h.helps, starves(h), too_late, !named, robs(h) || self.shifting.contains(&h.change), brings, harm(h))
        });
        let (mut helping, mut others): (Vec<HelpView>, Vec<HelpView>) = all.into_iter().partition(|h| h.helps);
        helping.truncate(TOLD.0);
        others.truncate(TOLD.1);
        helping.extend(others);
        let comes = self.base.as_ref().is_some_and(|base| judge(&self.goal, base, base, 0).whole());
        let tried = (self.done && !comes && !helping.iter().any(|h| h.helps)).then_some(self.tried);
        helping.extend(self.base.as_ref().map(|base| self.of_next_am(unchanged(&self.goal, base, tried))));
        helping
    }

    /// Says that the figures are those of the next attempt's AM, if that is what is lacked.
    fn of_next_am(&self, told: HelpView) -> HelpView {
        match self.goal.more {
            Some(More { any: false, .. }) => HelpView { effect: say::of_next_am(&told.effect), ..told },
            Some(More { any: true, .. }) | None => told,
        }
    }

    /// Handles the outcome of a run.
    fn hear(&mut self, outcome: TrialOutcome) {
        let Some(base) = &self.base else {
            self.goal.count_what_it_had(&outcome);
            self.plan(&outcome);
            self.base = Some(outcome);
            return;
        };
        if let Some((search, from_now)) = &mut self.settling {
            let judged = judge(&self.goal, base, &outcome, search.fewer());
            let next = stops_next(&self.goal, self.stop, &judged, &outcome);
            let judged = judged.stopped_next(next);
            match from_now {
                FromNow::Same if search.best().is_none() => {
                    if let Some((search, _)) = self.settling.take() {
                        match judged.helps {
                            true => self.tell_of_now(&search, judged),
                            false => self.tell(&search, None),
                        }
                    }
                }
                FromNow::Same if judged.helps || search.knobs.iter().all(|knob| knob.most == 1) => {
                    if let Some((search, _)) = self.settling.take() {
                        self.tell(&search, Some((None, judged)));
                    }
                }
                FromNow::Same => {
                    let stronger = StrengthSearch::new(search.knobs.clone(), Least::default());
                    *from_now = FromNow::Stronger(Box::new(stronger), judged.stops_next());
                }
                FromNow::Stronger(stronger, stops) => {
                    *stops = judged.stops_next().or(stops.take());
                    stronger.hear(Some(judged));
                }
            }
            return;
        }
        let Some(search) = &mut self.search else { return };
        let judged = judge(&self.goal, base, &outcome, search.fewer());
        let next = stops_next(&self.goal, self.stop, &judged, &outcome);
        let judged = judged.stopped_next(next);
        if let (true, [knob]) = (search.is_first(), search.knobs.as_slice()) {
            self.alone.push(SingleTrial { knob: knob.clone(), judged: judged.clone(), noted: outcome.noted });
        }
        search.hear(Some(judged));
    }

    /// Starts the next run.
    fn go_on(&mut self) {
        let Some(base) = &self.base else {
            self.done = true;
            return;
        };
        if let Some((search, FromNow::Stronger(stronger, stops))) = &mut self.settling {
            let since = Since { now: self.goal.at, refused: &self.refused };
            let events = most_events(base);
            if let Some(strengths) = stronger.next() {
                let text = stronger.text_from_now(&self.text, since, &strengths);
                let course = text.and_then(|text| TrialRun::of(&text, self.goal.place, events));
                self.course = course.map(|course| course.keeping(self.goal.at + SHOWS_MS));
                if self.course.is_none() {
                    stronger.hear(None);
                }
                return;
            }
            let best = stronger.best().map(|(strengths, judged)| (strengths, judged.clone()));
            let told = match (best, search.best()) {
                (Some((strengths, judged)), _) => {
                    let parts = stronger.parts(&strengths);
                    Some((Some(say::together(&parts)), judged))
                }
                // No later value brings more than comes without it.
                (None, Some(_)) => {
                    let without = judge(&self.goal, base, base, search.fewer());
                    Some((None, without.that_does_not_help().stopped_next(stops.take())))
                }
                (None, None) => None,
            };
            if let Some((search, _)) = self.settling.take() {
                self.tell(&search, told);
            }
            return;
        }
        let Some(search) = &mut self.search else {
            match self.planned.pop_front() {
                Some((knobs, least)) => self.search = Some(StrengthSearch::new(knobs, least)),
                None if !self.paired => self.pair(),
                None => self.done = true,
            }
            return;
        };
        match search.next() {
            Some(strengths) => {
                let since = Since { now: self.goal.at, refused: &self.refused };
                let text = search.text(&self.text, since, &strengths);
                let events = most_events(base);
                let course = text.and_then(|text| TrialRun::of(&text, self.goal.place, events));
                self.course = course.map(|course| course.keeping(self.goal.at));
                if self.course.is_none() {
                    search.hear(None);
                }
            }
            None => {
                self.tried += 1;
                let Some(search) = self.search.take() else { return };
                let events = most_events(base);
                let best = search.best().map(|(strengths, _)| strengths);
                // A change that does nothing from the start may help now, since what exists by now may stay.
                let named = || search.knobs.iter().all(|knob| knob.is_setting() && !self.guesses.contains(knob));
                let best = best.or_else(|| named().then(|| search.strongest()));
                let text = best.and_then(|best| search.text_from_now(&self.text, self.since(), &best));
                let course = text.and_then(|text| TrialRun::of(&text, self.goal.place, events));
                self.course = course.map(|course| course.keeping(self.goal.at + SHOWS_MS));
                match self.course {
                    Some(_) => self.settling = Some((search, FromNow::Same)),
                    None => self.tell(&search, None),
                }
            }
        }
    }

    fn since(&self) -> Since<'_> {
        Since { now: self.goal.at, refused: &self.refused }
    }

    /// Reports the result of a search; `now` is the result of making the change only now, with the stronger change that it
    /// needs then.
    fn tell(&mut self, search: &StrengthSearch, now: Option<(Option<String>, Judged)>) {
        let strongest = search.strongest();
        let (strengths, judged) = match (search.best(), self.alone.last()) {
            (Some((strengths, judged)), _) => (strengths, judged.clone()),
            // A change that was expected to help and does not.
            (None, Some(alone)) if search.knobs.as_slice() == [alone.knob.clone()] => (strongest, alone.judged.clone()),
            _ => return,
        };
        // Guesses are reported only if they help. It is acceptable that others come later, but a change of the AM limit is no
        // advice if it leaves anybody with less, or without anything so far. A guess that starves somebody is no advice
        // either, except for a node, which gives everybody more.
        let starved = judged.worse.iter().any(|worse| worse.starved);
        let robbed = judged.worse.iter().any(|worse| worse.end.1 < worse.end.0);
        let idle = judged.worse.iter().any(|worse| worse.at.1 == 0 && worse.at.0 > 0);
        let later = judged.promise.at.1 < judged.promise.at.0;
        let harms = |knob: &CandidateChange| {
            let of_node = matches!(knob.what, CandidateKind::Node { .. } | CandidateKind::Grow { .. });
            knob.starves_masters() && (robbed || later || starved || idle)
                || starved && self.guesses.contains(knob) && !of_node
        };
        let failed = |knob: &CandidateChange| !judged.helps && (knob.starves_masters() || self.guesses.contains(knob));
        // Nobody gives up a guarantee for that.
        let shifts =
            |knob: &CandidateChange| matches!(knob.what, CandidateKind::Shift { .. }) && judged.only_some_sooner();
        let guess = search.knobs.iter().any(|knob| harms(knob) || failed(knob) || shifts(knob));
        if guess || judged.is_for_nothing() || self.does_more_than_needed(search, &strengths, &judged) {
            return;
        }
        // One change of this sort is enough.
        if judged.only_meanwhile() && std::mem::replace(&mut self.meanwhile, true) {
            return;
        }
        let text = search.text(&self.text, self.since(), &strengths);
        // Nothing can be promised if nothing is wanted any more.
        if let Some(text) = text.filter(|_| judged.promise.of > 0) {
            self.parts.push((search.parts(&strengths), judged.clone()));
            let change = self.says(search, &strengths);
            if search.knobs.iter().any(|knob| self.named.contains(knob)) {
                self.first.push(change.clone());
            }
            if search.knobs.iter().any(|knob| matches!(knob.what, CandidateKind::Shift { .. })) {
                self.shifting.push(change.clone());
            }
            // The same change may be found in two ways.
            if !self.found.iter().any(|known| known.change == change) {
                // Requests cannot change later than they are made.
                let of_ask =
                    search.knobs.iter().all(|knob| matches!(&knob.what, CandidateKind::Ask(ask) if ask.is_settled()));
                let of_settings = now.is_none() && search.knobs.iter().all(CandidateChange::is_setting);
                let is_over = of_ask && judged.is_over();
                self.too_late.extend(is_over.then(|| change.clone()));
                let is_over = is_over || of_settings && judged.came_before();
                let said_of_now = match now {
                    Some((change, now)) => now.said_of_now(&judged, change.as_deref()).filter(|_| judged.helps),
                    None => is_over.then(|| say::nothing_more(&words::clock(self.goal.at))),
                };
                let mut told = told(change, judged, Some(text));
                told.effect.push_str(&said_of_now.unwrap_or_default());
                self.found.push(self.of_next_am(told));
            }
        }
    }

    /// Reports a change that helps if it is made now, but not from the start.
    fn tell_of_now(&mut self, search: &StrengthSearch, judged: Judged) {
        let strongest = search.strongest();
        let harms = judged.worse.iter().any(|worse| worse.starved || worse.end.1 < worse.end.0);
        let text = search.text_from_now(&self.text, self.since(), &strongest);
        if harms || judged.promise.of == 0 {
            return self.tell(search, None);
        }
        let change = say::set_at(&say::together(&search.parts(&strongest)), &words::clock(self.goal.at));
        self.parts.push((search.parts(&strongest), judged.clone()));
        if search.knobs.iter().any(|knob| self.named.contains(knob)) {
            self.first.push(change.clone());
        }
        let told = told(change, judged, text);
        self.found.push(self.of_next_am(told));
    }

    /// Returns a change's name; if a refresh or a later file set the value, with the place of the change.
    fn says(&self, search: &StrengthSearch, strengths: &[i64]) -> String {
        let scenario = self.cursor.scenario();
        let tell = |set: &Set<'_>| {
            let part = set.says();
            match set {
                Set::Property(name, _) => {
                    let written = [name.to_string(), format!("{PREFIX}{name}")];
                    let at = written.iter().find_map(|name| self.since().brought_by_refresh(scenario, name));
                    at.map_or(part.clone(), |at| say::in_the_refresh(&part, &words::clock(at)))
                }
                Set::Element(of) => match allocations::brought(scenario, self.since(), *of) {
                    Some(Brought { at, written: true }) => say::in_the_file(&part, &words::clock(at)),
                    Some(Brought { at, written: false }) => say::in_the_refresh(&part, &words::clock(at)),
                    None => part,
                },
            }
        };
        say::together(&search.parts_with(strengths, &tell))
    }

    /// Returns whether a part of the change does as much, or as little, by itself.
    fn does_more_than_needed(&self, search: &StrengthSearch, strengths: &[i64], judged: &Judged) -> bool {
        let parts = search.parts(strengths);
        self.parts.iter().any(|(known, other)| {
            let is_part = known.len() < parts.len() && known.iter().all(|part| parts.contains(part));
            is_part && judged.helps == other.helps && !judged.beats_by_far(other)
        })
    }

    /// Plans the changes tried alone, by what blocked the request over its whole wait.
    fn plan(&mut self, base: &TrialOutcome) {
        let Some(w) = &self.waiting else { return };
        let properties = self.since().in_force(self.cursor.scenario(), self.goal.at);
        let ground = RequestContext { names: Names::at(&self.cursor, self.goal.at), w, properties };
        let mut knobs: Vec<CandidateChange> = Vec::new();
        let mut guesses = Vec::new();
        // Faults are repaired before anything is weakened.
        let back = [ground.nodes_back(), ground.sizes_back()].concat();
        self.named.clone_from(&back);
        guesses.extend(back.iter().cloned());
        knobs.extend(back);
        knobs.extend(self.hung.then(|| ground.expiry()));
        if !self.clauses.is_empty() {
            let node = ground.node(&self.clauses);
            guesses.extend(node.iter().cloned());
            knobs.extend(node);
        }
        self.named.extend(self.stop.into_iter().flat_map(|hold| ground.settings(hold)));
        // At the commit the scheduler refuses what the placement processor proposed beyond a limit.
        if !w.placing.is_empty() {
            let limits =
                holds_since(&base.noted, &self.goal, w.since).filter(|hold| *hold == BlockingCondition::UserLimit);
            self.named.extend(limits.flat_map(|hold| ground.settings(hold)));
        }
        if self.served {
            let more = ground.per_heartbeat();
            self.named.extend(more.iter().cloned());
            knobs.extend(more);
        }
        for hold in self.stop.into_iter().chain(holds_since(&base.noted, &self.goal, w.since)) {
            knobs.extend(ground.settings(hold));
            knobs.extend(ground.asks(hold));
        }
        let kept = self.kept_for.iter().flat_map(|app| ground.first_of(*app));
        guesses.extend(kept.clone());
        knobs.extend(kept);
        let freeing = self.freeing.iter().flat_map(|cause| ground.preemption(cause, &self.barred));
        let freeing: Vec<CandidateChange> =
            freeing.chain(self.claimed.iter().flat_map(|cause| ground.fair_preemption(cause))).collect();
        // Nobody expects preemption to help if room is not what is lacking, or its queue has its share.
        if !self.nearly.1 || matches!(self.freeing, Some(Freeing::HasEnough { .. })) {
            guesses.extend(freeing.iter().cloned());
        }
        let of_room = |hold| {
            matches!(
                hold,
                BlockingCondition::QueueMax(_) | BlockingCondition::Headroom | BlockingCondition::LeftByParent(_)
            )
        };
        if self.stop.is_none_or(of_room) && !matches!(self.freeing, Some(Freeing::HasEnough { .. })) {
            self.named.extend(freeing.iter().cloned());
        }
        knobs.extend(freeing);
        guesses.extend(ground.access_from_others());
        if self.goal.more.is_some() {
            guesses.extend(ground.lacked());
            guesses.extend(ground.processor(&self.clauses));
        } else {
            guesses.extend(self.clauses.iter().flat_map(|(n, leaf)| ground.clause(*n, leaf)));
            guesses.extend(ground.clauses(&self.clauses));
            guesses.extend(ground.helped().guesses(&ground));
        }
        let urgent = if self.behind_own { ground.more_urgent() } else { Vec::new() };
        guesses.extend(urgent.into_iter().flat_map(|key| ground.before_it(w.app, key)));
        knobs.extend(ground.helped().changes(&ground));
        guesses.extend(ground.within_its_leaf());
        guesses.extend(ground.no_default_label());
        let turns = ground.turns();
        if self.outrun {
            self.named.extend(turns.iter().cloned());
        }
        guesses.extend(turns);
        knobs.extend(guesses.iter().cloned());
        knobs.dedup();
        // The record does not show why a full node is full.
        let room = [ground.settings(BlockingCondition::Room), ground.other_labels()].concat();
        guesses.extend(room.iter().cloned());
        knobs.extend(room);
        let (nearly, full) = &self.nearly;
        let node = ground.node(&self.clauses);
        let larger = nearly.first().filter(|_| !full).and_then(|node| ground.larger_node(*node));
        let smaller = ground.smaller();
        // It is worth a line that one more node does not help, if room is what is lacking.
        guesses.extend(node.iter().filter(|_| !full).chain(&larger).chain(&smaller).cloned());
        knobs.extend(node.into_iter().chain(larger).chain(smaller));
        self.guesses = guesses;
        for knob in knobs {
            if self.planned.len() < ALONE && !self.planned.iter().any(|(k, _)| k[0] == knob) {
                self.planned.push_back((vec![knob], Least::default()));
            }
        }
    }

    /// Plans pairs of settings, if none alone lets the whole request run: one that was tried, and one against what stops it
    /// then.
    fn pair(&mut self) {
        self.paired = true;
        let settings = || self.alone.iter().filter(|a| a.knob.is_setting() && !self.guesses.contains(&a.knob));
        let enough = |a: &SingleTrial| a.judged.whole() && a.judged.helps;
        let Some(w) = self.waiting.as_ref().filter(|_| !settings().any(enough)) else { return };
        let properties = self.since().in_force(self.cursor.scenario(), self.goal.at);
        let ground = RequestContext { names: Names::at(&self.cursor, self.goal.at), w, properties };
        let mut pairs: Vec<Vec<CandidateChange>> = Vec::new();
        for first in settings() {
            // If everything comes in the end but no sooner, the request is stopped all the time until then.
            let since = first.judged.last_placed().filter(|_| !first.judged.whole()).unwrap_or(w.since);
            let since = since.max(w.since.min(self.goal.at));
            for second in holds_since(&first.noted, &self.goal, since).flat_map(|hold| ground.settings(hold)) {
                let known = |p: &Vec<CandidateChange>| p.contains(&first.knob) && p.contains(&second);
                if !first.knob.is_about_the_same(&second) && !pairs.iter().any(known) && pairs.len() < PAIRS {
                    pairs.push(vec![first.knob.clone(), second]);
                }
            }
        }
        let base = self.base.as_ref().map(|b| judge(&self.goal, b, b, 0));
        let least = |pair: &[CandidateChange]| {
            let alone = self.alone.iter().filter(|a| pair.contains(&a.knob)).map(|a| &a.judged);
            alone.chain(&base).fold(Least::default(), Least::and)
        };
        let planned: Vec<_> = pairs.into_iter().map(|pair| (least(&pair), pair)).collect();
        self.planned.extend(planned.into_iter().map(|(least, pair)| (pair, least)));
    }
}

/// Returns the most events of a changed run, from the number without the change.
fn most_events(base: &TrialOutcome) -> u64 {
    2 * base.events + EVENTS_AFTER / 4
}

/// Returns what stops the request in a changed run that does not help, if it is nodes or another limit than `stop`, which
/// stops it without the change.
fn stops_next(
    goal: &AdviceGoal,
    stop: Option<BlockingCondition>,
    judged: &Judged,
    outcome: &TrialOutcome,
) -> Option<String> {
    let (stop, (at, sim)) = (stop.filter(|_| !judged.helps)?, outcome.kept.as_ref()?);
    let (names, app) = (Names::at(sim, *at), sim.apps().get(goal.place)?.id?);
    let is_it = |w: &Waiting| w.app == app && w.am == goal.am && goal.keys.contains(&w.key) && w.placing.is_empty();
    let w = waiting(sim).into_iter().find(is_it)?;
    let because = match first_limit(names, &w) {
        Some(limit) if of_stop(&limit.by, w.partition) == Some(stop) => return None,
        Some(limit) => limit.sentence,
        None => {
            let table = table(names, &w, &[]);
            let fits = table.rows.is_empty() || table.rows.iter().any(NodeRow::fits);
            (!fits).then(|| on_nodes::because(names, &table, false))?
        }
    };
    Some(say::stopped_at(&words::clock(*at), &because))
}

/// Returns the indices of the happenings that were refused so far.
fn refused_happenings(sim: &Simulation) -> Vec<usize> {
    let places = sim.notices().iter().filter_map(|notice| match notice.tried {
        Tried::Happening(i) => Some(i),
        _ => None,
    });
    places.collect()
}

/// Returns the clauses of the constraint that a node fails, with their numbers.
fn clauses(table: &Table) -> Vec<(usize, Single)> {
    let clause =
        |check: &NodeCheck| if let NodeCheck::Clause(n, _, leaf) = check { Some((*n, leaf.clone())) } else { None };
    table.checks.iter().filter_map(clause).collect()
}

/// Returns what blocked the request since a time, the latest first.
fn holds_since<'n>(
    noted: &'n [RecordedBlock],
    goal: &'n AdviceGoal,
    since: Millis,
) -> impl Iterator<Item = BlockingCondition> + 'n {
    let mine = |n: &&RecordedBlock| n.key.is_none_or(|key| goal.keys.contains(&key));
    noted.iter().filter(move |n| n.last >= since && mine(n)).map(|n| n.hold)
}
