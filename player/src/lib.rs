//! The player: a scenario's run that can be viewed at any moment, forwards and backwards, with its explanations
//! ([`explain`]). The page's worker, the command line and the JavaScript API get everything about a run from here.
//!
//! Code that runs at every event is in the core, so that the page can build it for speed and this crate for size.
//!
//! The run is played once at its front, where everything is recorded (`track`). Any earlier moment is replayed from the
//! nearest checkpoint, which gives the same state because the simulation is deterministic.

pub mod agreement;
pub mod apps;
#[cfg(test)]
mod away_tests;
mod beside;
#[cfg(test)]
mod constraint_tests;
#[cfg(test)]
mod constraint_words_tests;
mod expect;
pub mod explain;
#[cfg(test)]
mod fair_ledger_tests;
#[cfg(test)]
mod fair_preemption_tests;
#[cfg(test)]
mod fixtures;
mod gains;
#[cfg(test)]
mod headline_tests;
mod help;
#[cfg(test)]
mod landing_tests;
mod ledger;
#[cfg(test)]
mod ledger_tests;
mod limit_before;
#[cfg(test)]
mod load_tests;
#[cfg(test)]
mod mark_to_kill_tests;
#[cfg(test)]
mod memory_tests;
mod mend;
mod moment;
#[cfg(test)]
mod next_limit_tests;
#[cfg(test)]
mod operators_tests;
mod over_time;
#[cfg(test)]
mod over_time_tests;
mod preempted;
#[cfg(test)]
mod preemption_tests;
mod proof;
#[cfg(test)]
mod refusal_tests;
#[cfg(test)]
mod refused_tests;
mod replay;
mod rounds;
#[cfg(test)]
mod scheduler_tests;
mod service;
#[cfg(test)]
mod situation_tests;
mod steps;
mod stories;
mod taken;
#[cfg(test)]
mod taken_tests;
#[cfg(test)]
mod tests;
#[cfg(test)]
mod told_tests;
mod track;
#[cfg(test)]
mod waiting_tests;
mod walk;
mod why;
mod worlds;
mod worlds_check;
mod worlds_run;

pub use beside::Beside;
pub use expect::{Judging, Verdict};
pub use heddle_core::journal::FoldedLine;
pub use help::{Help, HelpProgress};
pub use proof::Proved;
pub use stories::stories;
pub use walk::SeekGoal;
pub use worlds_check::{OtherWorld, odd_new_worlds, odd_worlds};
pub use worlds_run::WorldsRun;

use crate::explain::Names;
use crate::explain::events::Surprise;
use crate::explain::request;
use crate::explain::say::runs as say;
use crate::explain::view::{EventOutcome, EventView, Invariants, Selection, Series, Snapshot, Timeline};
use crate::explain::wants;
use heddle_core::config::{check, xml};
use heddle_core::journal::{Change, Entry};
use heddle_core::model::{Millis, Problem, Span};
use heddle_core::preemption;
use heddle_core::scenario::{self, Scenario};
use heddle_core::scheduler::ShortCuts;
use heddle_core::sim::{Ended, INVARIANTS, Simulation};
use std::cell::RefCell;
use std::rc::Rc;
use std::sync::Arc;
use track::Track;

/// Events played when a scenario is loaded, so that a small one is known completely.
pub const EVENTS_AT_LOAD: u64 = 20_000;
/// The most events that one call plays when it needs to know more of the run.
const EVENTS_AT_ONCE: u64 = 2_000_000;

/// The most nodes × requests explained for one picture.
const EXPLAINED_CELLS: usize = 4_000;
/// The most nodes × applications of a queue whose last round is shown.
const ROUND_CELLS: usize = 200_000;
/// The most waiting requests explained for one selection.
const WAITS_TOLD: usize = 16;
/// The most lines of the log searched for the latest surprise.
const SURPRISE_LINES: usize = 2_000;

/// The result of loading a text.
#[derive(Clone, Debug)]
pub struct Loaded {
    /// The player, if no problem is an error.
    pub player: Option<Player>,
    /// The problems of the text.
    pub problems: Vec<Problem>,
}

/// How much of a run is known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Progress {
    /// The simulated time up to which it is known.
    pub known_ms: Millis,
    pub events: u64,
    /// Whether it is known to its end.
    pub done: bool,
}

/// A selection of events.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct EventFilter {
    /// The subject of the events; `None` for all.
    pub about: Option<Selection>,
    /// Whether to include events that only skipped something.
    pub skips: bool,
    /// Whether to leave out events after the present moment.
    pub until_now: bool,
    /// The number of latest events; 0 for all.
    pub last: usize,
}

/// A run that can be viewed at any moment.
#[derive(Clone, Debug)]
pub struct Player {
    scenario: Arc<Scenario>,
    text: String,
    track: Track,
    cursor: Simulation,
    at: u64,
    clock: Millis,
    /// A seek in progress.
    walk: Option<walk::Seek>,
    insight: RefCell<Option<Rc<why::Insight>>>,
    /// Why requests waited at the moments asked about.
    asked_before: RefCell<over_time::EarlierCauses>,
    /// The latest picture used for judging expectations, while that goes on.
    judged_by: RefCell<Option<expect::Picture>>,
    /// What the next insight is made from.
    looking: Option<Box<replay::InsightWork>>,
    /// The latest round viewed, with its full record, and its event.
    round: RefCell<Option<(u64, Arc<preemption::Round>)>>,
}

impl Player {
    /// Reads a scenario and plays its first events. The player then stands at the scenario's `start_at`.
    pub fn load(text: &str) -> Loaded {
        let read = scenario::read(text);
        let mut problems = read.problems;
        let Some(scenario) = read.scenario else { return Loaded { player: None, problems } };
        match Player::of(scenario, text) {
            Ok(player) => Loaded { player: Some(player), problems },
            Err(problem) => {
                problems.push(*problem);
                Loaded { player: None, problems }
            }
        }
    }

    /// Creates a player of a scenario that was read from `text`, and plays its first events. Errors: the ResourceManager
    /// refuses the settings.
    pub fn of(scenario: Scenario, text: &str) -> Result<Player, Box<Problem>> {
        Player::with_short_cuts(scenario, text, ShortCuts::TAKEN)
    }

    /// Like [`of`](Player::of), but the run takes the given short cuts; for tests.
    pub fn with_short_cuts(scenario: Scenario, text: &str, short_cuts: ShortCuts) -> Result<Player, Box<Problem>> {
        let mut player = Player::begin_with(scenario, text, short_cuts)?;
        player.run(EVENTS_AT_LOAD);
        player.seek(player.scenario.start_at);
        Ok(player)
    }

    /// Like [`of`](Player::of), but plays no events; for callers that play in slices.
    pub fn begin(scenario: Scenario, text: &str) -> Result<Player, Box<Problem>> {
        Player::begin_with(scenario, text, ShortCuts::TAKEN)
    }

    fn begin_with(scenario: Scenario, text: &str, short_cuts: ShortCuts) -> Result<Player, Box<Problem>> {
        let scenario = Arc::new(scenario);
        let start = Simulation::new(scenario.clone()).map_err(|refusal| {
            // In plain words, if the import report has some for this refusal.
            let settings = &scenario.settings;
            let file = xml::write(&settings.capacity_scheduler);
            let report = check::check("scenario", &file, &settings.yarn_site, &settings.labels);
            let yarn = &refusal.message;
            let place = (report.refusal.as_ref() == Some(yarn)).then(|| refused_at(&scenario, report.refused_key()));
            let place = place.flatten();
            let problem = match report.plainly().filter(|_| report.refusal.as_ref() == Some(yarn)) {
                Some(plain) => {
                    let what = say::does_not_start(&plain.what);
                    Problem::error("scenario", place, what).mend(say::in_yarns_words(&plain.mend, yarn))
                }
                None => {
                    let key = refusal.key.as_deref();
                    let place = place.or_else(|| key.and_then(|key| refused_at(&scenario, Some(key))));
                    // YARN's message may or may not name the property.
                    let key = key.filter(|key| !yarn.contains(key));
                    let what = say::does_not_start(&key.map_or(yarn.clone(), |key| say::of_property(key, yarn)));
                    Problem::error("scenario", place, what).mend(check::mend(&refusal))
                }
            };
            Box::new(problem)
        })?;
        let start = start.with_short_cuts(short_cuts);
        Ok(Player {
            cursor: start.checkpoint(),
            track: Track::new(start),
            scenario,
            text: text.to_string(),
            at: 0,
            clock: 0,
            walk: None,
            insight: RefCell::new(None),
            asked_before: RefCell::default(),
            judged_by: RefCell::new(None),
            looking: None,
            round: RefCell::new(None),
        })
    }

    /// The scenario.
    pub fn scenario(&self) -> &Scenario {
        &self.scenario
    }

    /// The text that the scenario was read from.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The state at the present moment.
    pub fn simulation(&self) -> &Simulation {
        &self.cursor
    }

    /// The present moment.
    pub fn now(&self) -> Millis {
        self.clock
    }

    /// The number of events that have happened at the present moment.
    pub fn position(&self) -> u64 {
        self.at
    }

    // ---- running ahead

    /// Plays up to `events` more events at the front. The present moment does not change.
    pub fn run(&mut self, events: u64) -> Progress {
        for _ in 0..events {
            if !self.track.advance() {
                break;
            }
        }
        self.track.settle();
        self.progress()
    }

    /// The approximate size of the run and its record, in bytes. The run is cut off beyond
    /// [`limits::RUN_BYTES`](heddle_core::model::limits::RUN_BYTES).
    pub fn weight(&self) -> usize {
        self.track.weight()
    }

    /// How much of the run is known.
    pub fn progress(&self) -> Progress {
        Progress { known_ms: self.track.front.now(), events: self.track.known(), done: self.track.complete() }
    }

    /// Plays the run to its end, however far that is.
    pub fn run_to_end(&mut self) -> Progress {
        while self.track.advance() {}
        self.track.settle();
        self.progress()
    }

    /// Why the run ended, if it is known to its end.
    pub fn ended(&self) -> Option<Ended> {
        self.track.front.ended()
    }

    /// The fingerprint of the run as far as it is known.
    pub fn fingerprint(&self) -> u64 {
        self.track.fingerprint(self.track.known())
    }

    // ---- viewing

    /// The picture of the present moment. If a waiting request is selected, each node shows why it is not used.
    pub fn snapshot(&self, selection: Option<&Selection>) -> Snapshot {
        let (names, insight) = (Names::at(&self.cursor, self.clock), self.insight());
        let mut snapshot = explain::snapshot(names, &insight.waiting);
        snapshot.end_ms = self.end_ms();
        snapshot.cut_off = self.cut_off();
        snapshot.fingerprint = format!("{:016x}", self.track.fingerprint(self.at));
        snapshot.invariants = Invariants { watched: INVARIANTS, broken: self.track.broken.clone() };
        for e in &insight.explained {
            let id = names.request(e.waiting.app, e.waiting.key);
            if let Some(view) = snapshot.waiting.iter_mut().find(|view| view.id == id) {
                view.reason.clone_from(&e.short);
                view.never.clone_from(&e.never);
                view.own = e.table.as_ref().is_some_and(explain::checks::Table::only_own);
            }
        }
        let surprise = self.surprise();
        let placed = self.track.placed(self.at);
        let (explained, lacks) = (&insight.explained, wants::all(names));
        let (headline, about) =
            explain::headline::headline(names, self.clock, (explained, &lacks), surprise.as_ref(), placed);
        let told = explained.iter().find(|e| about == Some(names.request(e.waiting.app, e.waiting.key)));
        (snapshot.headline, snapshot.headline_about) = match self.cycle().filter(|c| c.goes_on()) {
            Some(cycle) => explain::headline::cycle(names, &cycle),
            None => match told {
                Some(e) => {
                    let short = match names.rm().fair() {
                        Some(_) => self.with_takers(&e.waiting, explain::preempted::fair::short(names, &e.waiting)),
                        None => {
                            explain::preempted::short(names, &e.waiting, |leaf, since| self.taken_again(leaf, since))
                        }
                    };
                    (explain::headline::freeing(headline, e, &short), about)
                }
                None => (headline, about),
            },
        };
        self.show_freed(&mut snapshot);
        self.show_reasons(&mut snapshot, selection);
        snapshot
    }

    /// The picture of the present moment with figures only: no headline, no reasons, nothing that needs a search of the
    /// record.
    pub(crate) fn figures(&self) -> Snapshot {
        let waiting = explain::waiting::waiting(&self.cursor);
        explain::snapshot(Names::at(&self.cursor, self.clock), &waiting)
    }

    /// Adds to each node of a picture why it is not used for a waiting request.
    pub fn show_reasons(&self, snapshot: &mut Snapshot, selection: Option<&Selection>) {
        let (names, insight) = (Names::at(&self.cursor, self.clock), self.insight());
        let wanted = selection.and_then(|about| request::find(names, &insight.waiting, about));
        let table = wanted.and_then(|w| self.explained(&insight, w).table);
        for node in snapshot.racks.iter_mut().flat_map(|r| &mut r.nodes) {
            let reason = |t: &explain::checks::Table| t.reason(names.rm().node_by_host(&node.name)?);
            node.reason = table.as_ref().and_then(reason);
        }
    }

    fn end_ms(&self) -> Millis {
        match self.scenario.until {
            // Time beyond the point where a run was stopped is not shown.
            Some(until) if self.cut_off().is_none() => until,
            _ => self.track.front.now(),
        }
    }

    fn cut_off(&self) -> Option<String> {
        let (events, at) = (self.track.known(), explain::words::clock(self.track.front.now()));
        if self.track.full {
            return Some(say::stopped_for_memory(events, &at, self.track.weight()));
        }
        (self.track.front.ended() == Some(Ended::CutOff)).then(|| say::stopped_after(events, &at))
    }

    /// The data of the scrubber.
    pub fn timeline(&self) -> Timeline {
        let lines = self.track.log().lines.iter().map(|l| (l.first, &l.entry));
        explain::events::timeline(Names::new(&self.track.front), lines, self.end_ms().max(1))
    }

    /// Returns the events, oldest first.
    pub fn events(&self, filter: &EventFilter) -> Vec<EventView> {
        let known = if filter.until_now { self.at } else { u64::MAX };
        let names = Names::new(&self.track.front);
        let most = if filter.last == 0 { usize::MAX } else { filter.last };
        let about = |entry: &Entry| filter.about.as_ref().is_none_or(|a| explain::events::concerns(names, entry, a));
        let lines = self.track.log().lines.iter().rev().filter(|l| l.event < known && about(&l.entry));
        let views = lines.filter_map(|l| explain::events::event(names, l.first, l.last, l.times, &l.entry));
        let mut out: Vec<EventView> =
            views.filter(|v| v.fate != EventOutcome::Waiting || filter.skips).take(most).collect();
        let notices = self.track.front.notices().iter().rev().filter(|n| !filter.until_now || n.at <= self.clock);
        let notices = notices.filter_map(|n| explain::events::notice(names, n, filter.about.as_ref()));
        out.extend(notices.take(most));
        let then = if filter.until_now { Names::at(&self.track.front, self.clock) } else { names };
        let unnoticed = (0..self.scenario.happenings.len()).rev();
        out.extend(unnoticed.filter_map(|i| explain::events::unnoticed(then, i, filter.about.as_ref())));
        heddle_core::model::order::sort_by_key(&mut out, |v| std::cmp::Reverse(v.time_ms));
        out.truncate(most);
        out.reverse();
        out
    }

    /// The usage of queues over time.
    pub fn series(&self) -> Vec<Series> {
        self.track.series()
    }

    /// Returns what a selection has become: a placed request becomes its container.
    pub fn followed(&self, about: &Selection) -> Selection {
        let (app, key) = match about {
            Selection::Request { app, key } | Selection::Clause { app, key, .. } => (app, key),
            _ => return about.clone(),
        };
        let names = Names::at(&self.cursor, self.clock);
        if request::find(names, &self.insight().waiting, about).is_some() {
            return about.clone();
        }
        let Some(id) = names.find_app(app) else { return about.clone() };
        let lines = self.here().lines().rev();
        let placed = lines.map(|l| &l.entry).find_map(|e| match e {
            Entry::Changed(Change::Allocated { container, key: k, .. })
                if container.app == id && k.to_string() == *key =>
            {
                Some(names.container(*container))
            }
            _ => None,
        });
        placed.unwrap_or_else(|| about.clone())
    }

    /// Returns the latest surprise before the present moment.
    fn surprise(&self) -> Option<Surprise> {
        let names = Names::new(&self.track.front);
        let mut lines = self.here().lines().rev().take(SURPRISE_LINES);
        lines.find_map(|l| explain::events::surprise(names, l.first, &l.entry))
    }
}

/// Returns where a scenario has the setting that the ResourceManager refuses: the property, or the start of its queues.
fn refused_at(scenario: &Scenario, key: Option<&str>) -> Option<Span> {
    let origins = &scenario.origins;
    let of_key = key.and_then(|key| origins.capacity_scheduler.get(key).or_else(|| origins.yarn_site.get(key)));
    let first = || origins.capacity_scheduler.values().map(|o| o.in_scenario).min();
    of_key.map(|o| o.in_scenario).or_else(first)
}

/// Compiles and runs the README's example as a documentation test.
#[cfg(doctest)]
#[doc = include_str!("../../README.md")]
struct Readme;
