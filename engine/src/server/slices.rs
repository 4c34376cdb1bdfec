//! What takes long, in slices of about [`SLICE_MS`].

use super::Server;
use heddle_player::{EVENTS_AT_LOAD, Help, Player, Progress, WorldsRun};
use heddle_view::protocol::Reply;
use heddle_view::{Selection, StepBy};

/// Events of a search for what helps that are played in one slice, to begin with.
const HELP_SLICE: u64 = 500;
/// Events of a run that are played in one slice, to begin with.
const SLICE_EVENTS: u64 = 2_000;
/// How long a slice should take.
const SLICE_MS: f64 = 40.0;
/// Progress is told no more often than this.
const PROGRESS_MS: f64 = 200.0;
/// Events that are played ahead while nobody asks for anything, so that the scrubber knows the run.
const AHEAD_EVENTS: u64 = 400_000;

/// How many events fit into a slice, and when progress was last told.
pub struct Pace {
    events: u64,
    least: u64,
    told: f64,
}

impl Default for Pace {
    fn default() -> Self {
        Pace::of(SLICE_EVENTS, SLICE_EVENTS / 8)
    }
}

impl Pace {
    fn of(events: u64, least: u64) -> Self {
        Pace { events, least, told: 0.0 }
    }

    /// What took long is over.
    fn rest(&mut self) {
        self.told = 0.0;
    }

    /// Learns from a slice that took so long.
    fn learn(&mut self, took: f64) {
        self.events = match took {
            t if t < SLICE_MS / 2.0 => (self.events * 2).min(1 << 20),
            t if t > SLICE_MS * 2.0 => (self.events / 2).max(self.least),
            _ => self.events,
        };
    }

    /// Is it time to tell how far it is? Not of what is over at once.
    fn tells(&mut self, now: f64) -> bool {
        if self.told == 0.0 {
            self.told = now;
        }
        let tells = now - self.told > PROGRESS_MS;
        if tells {
            self.told = now;
        }
        tells
    }
}

/// A way through time.
#[derive(Clone, Copy)]
pub struct Job {
    /// Number of the request.
    pub id: u32,
    pub goal_ms: i64,
    /// After how many events, of those that happen at that moment.
    pub event: Option<u64>,
    /// Is its frame the first of what was loaded?
    pub loaded: bool,
    /// Is the goal reached?
    pub there: bool,
    /// A step from there, and is it one back? How far one forward leads has to be found out.
    pub step: Option<(StepBy, bool)>,
}

impl Job {
    /// To a moment.
    pub fn to(id: u32, goal_ms: i64) -> Self {
        Job { id, goal_ms, event: None, loaded: false, there: false, step: None }
    }
}

/// A search for what would help.
pub struct Helping {
    id: u32,
    about: Selection,
    search: Help,
    pace: Pace,
}

impl Helping {
    pub fn new(id: u32, player: &Player, about: Selection, now: f64) -> Self {
        let pace = Pace { told: now, ..Pace::of(HELP_SLICE, 1) };
        Helping { id, search: player.help(&about), about, pace }
    }
}

/// Other worlds being run.
pub struct Worlds {
    id: u32,
    run: WorldsRun,
    pace: Pace,
}

impl Worlds {
    pub fn new(id: u32, player: &Player, worlds: Vec<(String, Result<String, String>)>) -> Self {
        Worlds { id, run: player.run_worlds(worlds), pace: Pace::default() }
    }
}

impl Server {
    /// Plays the run for a slice; gives how far it is known and whether that is all.
    fn run_slice(&mut self, clock: &dyn Fn() -> f64) -> Option<(i64, bool)> {
        let player = self.player.as_mut()?;
        let before = clock();
        let progress = player.run(self.pace.events);
        self.pace.learn(clock() - before);
        Some((progress.known_ms, progress.done))
    }

    /// Goes on with the way through time.
    pub(super) fn work(&mut self, clock: &dyn Fn() -> f64) {
        let Some(Job { id, goal_ms, event, loaded, there, step }) = self.job else { return };
        let more = |p: Progress| p.known_ms <= goal_ms || loaded && p.events < EVENTS_AT_LOAD;
        if !there && self.player.as_ref().map(Player::progress).is_some_and(|p| !p.done && more(p)) {
            if let Some((known, _)) = self.run_slice(clock)
                && self.pace.tells(clock())
            {
                self.post(id, Reply::Progress { time_ms: known.min(goal_ms), goal_ms });
            }
            return;
        }
        if let Some(player) = self.player.as_mut().filter(|_| !there) {
            player.seek(goal_ms);
            if let Some(event) = event {
                player.seek_within(event);
            }
        }
        match step {
            None => {
                self.job = None;
                self.pace.rest();
                self.frame(id, loaded);
            }
            Some((by, true)) => {
                self.job = None;
                self.pace.rest();
                self.stepped(id, by, true, loaded);
            }
            Some((by, false)) => {
                self.job = Some(Job { id, goal_ms, event, loaded, there: true, step });
                self.find_step(id, by, loaded, clock);
            }
        }
    }

    /// Plays a slice to find where a step forward leads, and makes it when that is known.
    fn find_step(&mut self, id: u32, by: StepBy, loaded: bool, clock: &dyn Fn() -> f64) {
        let Some(player) = &mut self.player else {
            self.job = None;
            return;
        };
        let before = clock();
        let found = player.foresees(by, self.pace.events);
        let now = clock();
        self.pace.learn(now - before);
        if found {
            self.job = None;
            self.pace.rest();
            return self.stepped(id, by, false, loaded);
        }
        let time_ms = player.progress().known_ms;
        let goal_ms = player.scenario().until.unwrap_or(time_ms).max(time_ms);
        if self.pace.tells(now) {
            self.post(id, Reply::Progress { time_ms, goal_ms });
        }
    }

    /// Goes on with the other worlds.
    pub(super) fn run_worlds(&mut self, clock: &dyn Fn() -> f64) {
        let Some(mut worlds) = self.worlds.take() else { return };
        let before = clock();
        let done = worlds.run.step(worlds.pace.events);
        let now = clock();
        worlds.pace.learn(now - before);
        if done {
            return self.post(worlds.id, Reply::Worlds(worlds.run.ran()));
        }
        if worlds.pace.tells(now) {
            let (ran, of) = worlds.run.progress();
            self.post(worlds.id, Reply::Running { ran, of });
        }
        self.worlds = Some(worlds);
    }

    /// Goes on with the search for what would help.
    pub(super) fn seek_help(&mut self, clock: &dyn Fn() -> f64) {
        let Some(mut helping) = self.help.take() else { return };
        let before = clock();
        let tried = helping.search.progress().tried;
        let progress = helping.search.step(helping.pace.events);
        let now = clock();
        helping.pace.learn(now - before);
        if progress.done {
            return self.tell_help(&helping, true);
        }
        if helping.pace.tells(now) || progress.tried > tried {
            self.tell_help(&helping, false);
        }
        self.help = Some(helping);
    }

    /// Tells what was found so far; `done`: that is all.
    pub(super) fn tell_help(&mut self, helping: &Helping, done: bool) {
        let progress = helping.search.progress();
        let (about, found) = (helping.about.clone(), helping.search.found());
        self.post(helping.id, Reply::Help { about, found, tried: (progress.tried, progress.of), done });
    }

    /// Plays on while nobody asks for anything.
    pub(super) fn play_ahead(&mut self, clock: &dyn Fn() -> f64) {
        if !self.ahead {
            return;
        }
        let more = match self.run_slice(clock) {
            Some((_, false)) => self.player.as_ref().is_some_and(|p| p.progress().events < AHEAD_EVENTS),
            _ => false,
        };
        if !more {
            self.ahead = false;
            self.frame(self.latest, false);
        }
    }
}
