//! The player: a scenario's run that can be looked at from any moment, forwards and backwards. The page's worker,
//! the command line and the JavaScript API use this and nothing else.
//!
//! The run is played once at its front, where everything is recorded ([`track`]); any earlier moment is the nearest
//! checkpoint played forward again, which gives the same state because the simulation is deterministic.

mod invariants;
mod log;
mod track;

pub use log::Line;

use crate::explain::view::{EventView, Invariants, Selection, Series, Snapshot, StepBy, Timeline, WhyView};
use crate::explain::{self, Names};
use crate::journal::{Full, Silent};
use crate::model::{Millis, Problem, Severity};
use crate::scenario::{self, Scenario};
use crate::sim::{Ended, Simulation};
use std::sync::Arc;
use track::{CHANGE, DECISION, HEARTBEAT, Track, WALK};

/// Events that loading plays at once, so that a small scenario is known whole.
const EVENTS_AT_LOAD: u64 = 20_000;
/// Events that one call plays at most when it has to know more of the run.
const EVENTS_AT_ONCE: u64 = 2_000_000;

/// What came of loading a text.
#[derive(Clone, Debug)]
pub struct Loaded {
    /// The player, if there is no error among the problems.
    pub player: Option<Player>,
    /// What is wrong with the text.
    pub problems: Vec<Problem>,
}

/// How far a run is known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Progress {
    /// Simulated time up to which it is known.
    pub known_ms: Millis,
    /// Events played.
    pub events: u64,
    /// Is it known to its end?
    pub done: bool,
}

/// Which events are wanted.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct EventFilter {
    /// Only what is about this.
    pub about: Option<Selection>,
    /// Also what was passed over, or only what changed something?
    pub skips: bool,
    /// Only up to the present moment?
    pub until_now: bool,
    /// The latest so many; 0 for all.
    pub last: usize,
}

/// A run that can be looked at from any moment.
#[derive(Clone, Debug)]
pub struct Player {
    scenario: Arc<Scenario>,
    text: String,
    track: Track,
    cursor: Simulation,
    at: u64,
    clock: Millis,
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
                problems.push(problem);
                Loaded { player: None, problems }
            }
        }
    }

    /// A player of a scenario that was read from this text. Errors: the ResourceManager refuses the settings.
    pub fn of(scenario: Scenario, text: &str) -> Result<Player, Problem> {
        let scenario = Arc::new(scenario);
        let start = Simulation::new(scenario.clone()).map_err(|refusal| {
            let what = format!("The ResourceManager does not start: {}", refusal.message);
            Problem { severity: Severity::Error, ..Problem::error("scenario", None, what) }
        })?;
        let mut player = Player {
            cursor: start.clone(),
            track: Track::new(start),
            scenario,
            text: text.to_string(),
            at: 0,
            clock: 0,
        };
        player.run(EVENTS_AT_LOAD);
        player.seek(player.scenario.start_at);
        Ok(player)
    }

    /// The scenario.
    pub fn scenario(&self) -> &Scenario {
        &self.scenario
    }

    /// The text that it was read from.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The state at the present moment.
    pub fn simulation(&self) -> &Simulation {
        &self.cursor
    }

    /// Now.
    pub fn now(&self) -> Millis {
        self.clock
    }

    /// How many events have happened at the present moment.
    pub fn position(&self) -> u64 {
        self.at
    }

    // ---- running ahead

    /// Plays at most so many more events at the front; the present moment stays. Called in slices.
    pub fn run(&mut self, events: u64) -> Progress {
        for _ in 0..events {
            if !self.track.advance() {
                break;
            }
        }
        self.progress()
    }

    /// How far the run is known.
    pub fn progress(&self) -> Progress {
        Progress { known_ms: self.track.front.now(), events: self.track.known(), done: self.track.complete() }
    }

    /// Plays to the end of the run, wherever that is.
    pub fn run_to_end(&mut self) -> Progress {
        while self.track.advance() {}
        self.progress()
    }

    /// Why the run ended, if it is known to its end.
    pub fn ended(&self) -> Option<Ended> {
        self.track.front.ended()
    }

    /// Fingerprint of everything known of the run.
    pub fn fingerprint(&self) -> u64 {
        self.track.fingerprint(self.track.known())
    }

    // ---- moving

    /// Goes to a time: everything that happens at or before it has happened.
    pub fn seek(&mut self, ms: Millis) {
        let ms = ms.clamp(0, self.latest().max(0));
        self.track.advance_to(ms, EVENTS_AT_ONCE);
        let (at, checkpoint) = self.track.before_time(ms);
        let from_cursor = self.cursor.now() <= ms && self.at >= *at && (self.at > 0 || *at == 0);
        if !from_cursor {
            self.cursor = checkpoint.clone();
            self.at = *at;
        }
        while self.at < self.track.known() && self.cursor.next_at().is_some_and(|next| next <= ms) {
            if self.cursor.step(&mut Silent).is_none() {
                break;
            }
            self.at += 1;
        }
        self.clock = ms;
    }

    /// The latest time that can be gone to.
    fn latest(&self) -> Millis {
        match (self.scenario.until, self.track.complete()) {
            (Some(until), false) => until,
            (Some(until), true) if self.track.broken.is_none() => until.max(self.track.front.now()),
            (_, true) => self.track.front.now(),
            (None, false) => Millis::MAX / 4,
        }
    }

    /// Goes to the state after so many events.
    pub fn seek_event(&mut self, event: u64) {
        self.track.advance_to_event(event);
        let event = event.min(self.track.known());
        let (at, checkpoint) = self.track.before_event(event);
        if self.at > event || self.at < *at {
            self.cursor = checkpoint.clone();
            self.at = *at;
        }
        while self.at < event && self.cursor.step(&mut Silent).is_some() {
            self.at += 1;
        }
        self.clock = self.cursor.now();
    }

    /// One step forward or back. Does nothing at either end.
    pub fn step(&mut self, by: StepBy, back: bool) {
        let wanted = match by {
            StepBy::Decision => DECISION,
            StepBy::Heartbeat => HEARTBEAT,
            StepBy::Change => CHANGE,
            StepBy::Second => {
                let second = self.clock.div_euclid(1000);
                let whole = self.clock % 1000 == 0;
                let to = if back { if whole { second - 1 } else { second } } else { second + 1 };
                return self.seek((to * 1000).max(0));
            }
        };
        let is_one = |flags: &u8| flags & wanted != 0;
        if back {
            let before = self.track.flags.get(..self.at as usize).unwrap_or_default();
            let last = before.iter().rposition(is_one);
            let to = match last {
                Some(i) if i + 1 == before.len() => before[..i].iter().rposition(is_one).map_or(0, |j| j + 1),
                Some(i) => i + 1,
                None => 0,
            };
            self.seek_event(to as u64);
            return;
        }
        for _ in 0..EVENTS_AT_ONCE {
            let after = self.track.flags.get(self.at as usize..).unwrap_or_default();
            if let Some(i) = after.iter().position(is_one) {
                return self.seek_event(self.at + i as u64 + 1);
            }
            let known = self.track.known();
            if !self.track.advance() {
                return self.seek_event(known);
            }
            if self.track.flags.last().is_some_and(is_one) {
                return self.seek_event(known + 1);
            }
        }
    }

    // ---- looking

    /// The picture of the present moment; with a waiting request selected, each node says why it is not taken.
    pub fn snapshot(&self, selection: Option<&Selection>) -> Snapshot {
        let mut snapshot = explain::snapshot(&self.cursor);
        snapshot.time_ms = self.clock;
        snapshot.end_ms = self.end_ms();
        snapshot.cut_off = self.cut_off();
        snapshot.fingerprint = format!("{:016x}", self.track.fingerprint(self.at));
        snapshot.invariants = Invariants { watched: invariants::WATCHED, broken: self.track.broken.clone() };
        let _ = selection;
        snapshot
    }

    fn end_ms(&self) -> Millis {
        match self.scenario.until {
            Some(until) => until,
            None => self.track.front.now(),
        }
    }

    fn cut_off(&self) -> Option<String> {
        let (events, at) = (self.track.known(), explain::words::clock(self.track.front.now()));
        (self.track.front.ended() == Some(Ended::CutOff))
            .then(|| format!("Stopped after {events} events, at {at}. Everything up to there is exact."))
    }

    /// The scrubber.
    pub fn timeline(&self) -> Timeline {
        let lines = self.track.log().lines.iter().map(|l| (l.first, &l.entry));
        explain::events::timeline(Names::new(&self.track.front), lines, self.end_ms().max(1))
    }

    /// What happened, oldest first.
    pub fn events(&self, filter: &EventFilter) -> Vec<EventView> {
        let known = if filter.until_now { self.at } else { u64::MAX };
        let names = Names::new(&self.track.front);
        let mut out = Vec::new();
        for line in self.track.log().lines.iter().rev().filter(|l| l.event < known) {
            let Some(view) = explain::events::event(names, line.first, line.last, line.times, &line.entry) else {
                continue;
            };
            if view.fate == crate::explain::view::Fate::Waiting && !filter.skips {
                continue;
            }
            if filter.about.as_ref().is_some_and(|about| !explain::events::concerns(names, &line.entry, about)) {
                continue;
            }
            out.push(view);
            if filter.last != 0 && out.len() == filter.last {
                break;
            }
        }
        out.reverse();
        out
    }

    /// Use of queues over time.
    pub fn series(&self) -> Vec<Series> {
        self.track.series()
    }

    /// Why something is as it is at the present moment.
    pub fn why(&self, about: &Selection) -> WhyView {
        WhyView { about: Some(about.clone()), title: Names::new(&self.cursor).selection(about), ..WhyView::default() }
    }

    /// What was recorded of the latest look of the scheduler at everything: the last round of heartbeats, or the last
    /// walk.
    fn evidence(&self) -> Full {
        let interval = self.scenario.timing.node_heartbeat.max(1);
        let (start, end) = if self.cursor.is_asynchronous() {
            let before = self.track.flags.get(..self.at as usize).unwrap_or_default();
            match before.iter().rposition(|f| f & WALK != 0) {
                Some(walk) => (walk as u64, walk as u64 + 1),
                None => (self.at, self.at),
            }
        } else {
            let (at, _) = self.track.before_time(self.clock.saturating_sub(interval));
            (*at, self.at)
        };
        let (at, checkpoint) = self.track.before_event(start);
        let (mut at, mut sim) = (*at, checkpoint.clone());
        while at < start && sim.step(&mut Silent).is_some() {
            at += 1;
        }
        let mut full = Full::default();
        while at < end && sim.step(&mut full).is_some() {
            at += 1;
        }
        full
    }
}
