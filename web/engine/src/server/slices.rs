//! Long work, in slices of about [`SLICE_MS`].

use super::Server;
use heddle_player::{EVENTS_AT_LOAD, Help, OtherWorld, Player, Progress, SeekGoal, WorldsRun};
use heddle_view::protocol::Reply;
use heddle_view::{Selection, StepBy};

/// The first number of events for a slice of the search for advice.
const HELP_SLICE: u64 = 500;
/// Events played between two looks at the clock; one may take a thousand times as long as the one before.
const BEFORE_CLOCK: u64 = 16;
/// The most events of a slice.
const SLICE_EVENTS: u64 = 1 << 20;
/// The intended duration of a slice.
const SLICE_MS: f64 = 40.0;
/// The shortest time between two progress reports.
const PROGRESS_MS: f64 = 200.0;
/// The most events played ahead without a request, so that the scrubber knows the run.
const AHEAD_EVENTS: u64 = 400_000;

/// Works until all is done or the slice is over; `go` plays so many events and returns whether that was all. One event may
/// take a thousand times as long as another, so the clock decides.
pub(super) fn slice(clock: &dyn Fn() -> f64, mut go: impl FnMut(u64) -> bool) -> bool {
    let (begin, mut left) = (clock(), SLICE_EVENTS);
    loop {
        if go(BEFORE_CLOCK) {
            return true;
        }
        left = left.saturating_sub(BEFORE_CLOCK);
        if left == 0 || clock() - begin > SLICE_MS / 2.0 {
            return false;
        }
    }
}

/// The number of events of a search that fit in a slice, and when progress was last reported.
pub struct Pace {
    events: u64,
    told: f64,
}

impl Default for Pace {
    fn default() -> Self {
        Pace { events: HELP_SLICE, told: 0.0 }
    }
}

impl Pace {
    /// Resets the report time at the end of long work.
    fn rest(&mut self) {
        self.told = 0.0;
    }

    /// Adapts to a slice that took `took` milliseconds.
    fn learn(&mut self, took: f64) {
        self.events = match took {
            t if t < SLICE_MS / 2.0 => (self.events * 2).min(SLICE_EVENTS),
            t if t > SLICE_MS * 2.0 => (self.events / 2).max(1),
            _ => self.events,
        };
    }

    /// Returns whether progress is due; work that ends at once reports none.
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

/// A movement through time.
#[derive(Clone, Copy)]
pub struct Job {
    /// The number of the request.
    pub id: u32,
    pub goal_ms: i64,
    /// The number of events, among those that happen at that moment.
    pub event: Option<u64>,
    /// Whether its frame is the first after loading.
    pub loaded: bool,
    /// Whether the goal is the moment that tells most, which is known only when the run is.
    pub stand: bool,
    /// Whether the goal is reached.
    pub there: bool,
    /// The step from the goal, and whether it goes back. Where a step forward leads must be found first.
    pub step: Option<(StepBy, bool)>,
}

impl Job {
    /// A movement to a moment.
    pub fn to(id: u32, goal_ms: i64) -> Self {
        Job { id, goal_ms, event: None, loaded: false, stand: false, there: false, step: None }
    }
}

/// A search for advice.
pub struct Helping {
    id: u32,
    about: Selection,
    search: Help,
    pace: Pace,
}

impl Helping {
    pub fn new(id: u32, player: &Player, about: Selection, now: f64) -> Self {
        let pace = Pace { told: now, ..Pace::default() };
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
    /// The first `drawn` worlds are drawn.
    pub fn new(id: u32, player: &Player, worlds: Vec<OtherWorld>, drawn: usize) -> Self {
        Worlds { id, run: player.run_beside(worlds, drawn), pace: Pace::default() }
    }
}

impl Server {
    /// Plays the run for a slice. Returns how far it is known, and whether that is all.
    fn run_slice(&mut self, clock: &dyn Fn() -> f64) -> Option<(i64, bool)> {
        let player = self.player.as_mut()?;
        slice(clock, |events| player.run(events).done);
        let progress = player.progress();
        Some((progress.known_ms, progress.done))
    }

    /// Moves towards a goal for a slice. Returns whether it is reached; the present moment does not change until then.
    fn walk(&mut self, id: u32, goal: SeekGoal, clock: &dyn Fn() -> f64) -> bool {
        let Some(player) = &mut self.player else { return true };
        let there = slice(clock, |events| player.walk(goal, events));
        let (now, walked) = (player.now(), player.walked());
        if let Some(time_ms) = walked.filter(|_| !there)
            && self.pace.tells(clock())
        {
            let goal_ms = if let SeekGoal::Time(ms) = goal { ms } else { now.max(time_ms) };
            self.post(id, Reply::Progress { time_ms, goal_ms });
        }
        there
    }

    /// Continues the movement: first plays what is unknown, then goes there, then steps.
    pub(super) fn work(&mut self, clock: &dyn Fn() -> f64) {
        let Some(job) = self.job else { return };
        if job.stand {
            return self.find_stand(job, clock);
        }
        let Job { id, goal_ms, event, loaded, there, step, .. } = job;
        let more = |p: Progress| p.known_ms <= goal_ms || loaded && p.events < EVENTS_AT_LOAD;
        if !there && self.player.as_ref().map(Player::progress).is_some_and(|p| !p.done && more(p)) {
            if let Some((known, _)) = self.run_slice(clock)
                && self.pace.tells(clock())
            {
                self.post(id, Reply::Progress { time_ms: known.min(goal_ms), goal_ms });
            }
            return;
        }
        if !there {
            if !self.walk(id, SeekGoal::Time(goal_ms), clock) {
                return;
            }
            if let (Some(player), Some(event)) = (&mut self.player, event) {
                player.seek_within(event);
            }
            self.job = Some(Job { there: true, ..job });
        }
        if let Some((by, back)) = step.filter(|_| self.player.is_some()) {
            return self.work_step(id, by, back, loaded, clock);
        }
        // The picture's explanations are worked out before it is drawn, and the other worlds go to its moment.
        let there = slice(clock, |events| self.player.as_mut().is_none_or(|p| p.look(events)));
        if there && slice(clock, |events| self.bring_beside(events)) {
            self.done(id, loaded);
        } else if self.pace.tells(clock()) {
            self.post(id, Reply::Progress { time_ms: goal_ms, goal_ms });
        }
    }

    /// Plays the run as far as it is played by itself, and then goes to the moment that tells most.
    fn find_stand(&mut self, job: Job, clock: &dyn Fn() -> f64) {
        let Some((known, done)) = self.run_slice(clock) else { return };
        let Some(player) = self.player.as_ref() else { return };
        if !done && player.progress().events < AHEAD_EVENTS {
            let goal_ms = player.scenario().until.unwrap_or(known).max(known);
            if self.pace.tells(clock()) {
                self.post(job.id, Reply::Progress { time_ms: known, goal_ms });
            }
            return;
        }
        let goal_ms = player.telling_moment();
        self.job = Some(Job { goal_ms, stand: false, ..job });
    }

    /// Ends the movement: a picture is due, at once if its explanations are known.
    pub(super) fn done(&mut self, id: u32, loaded: bool) {
        let there = self.player.as_mut().is_none_or(|p| p.look(0)) && self.bring_beside(0);
        let now = self.player.as_ref().map_or(0, Player::now);
        self.job = (!there).then(|| Job { loaded, there: true, ..Job::to(id, now) });
        if self.job.is_none() {
            self.pace.rest();
            self.frame(id, loaded);
        }
    }

    /// Continues a step: finds where it leads, and goes there.
    fn work_step(&mut self, id: u32, by: StepBy, back: bool, loaded: bool, clock: &dyn Fn() -> f64) {
        let Some(player) = &mut self.player else { return };
        if !back && !player.knows(by) && !slice(clock, |events| player.finds(by, events)) {
            let time_ms = player.progress().known_ms;
            let goal_ms = player.scenario().until.unwrap_or(time_ms).max(time_ms);
            if self.pace.tells(clock()) {
                self.post(id, Reply::Progress { time_ms, goal_ms });
            }
            return;
        }
        let (before, goal) = (player.now(), player.leads(by, back));
        if let SeekGoal::Time(ms) = goal {
            self.job = Some(Job { loaded, ..Job::to(id, ms) });
            return;
        }
        if !self.walk(id, goal, clock) {
            return;
        }
        let now = self.player.as_ref().map_or(before, Player::now);
        let round = self.player.as_ref().map_or(0, Player::round);
        let idle = by == StepBy::Heartbeat && (now - before).abs() > 2 * round;
        self.skipped = idle.then(|| (before.min(now), before.max(now)));
        self.done(id, loaded);
    }

    /// Continues with the other worlds.
    pub(super) fn run_worlds(&mut self, clock: &dyn Fn() -> f64) {
        let Some(mut worlds) = self.worlds.take() else { return };
        let done = slice(clock, |events| worlds.run.step(events));
        let now = clock();
        if done {
            let (ran, beside) = worlds.run.ran_beside();
            self.post(worlds.id, Reply::Worlds(ran));
            self.beside = Some(beside);
            return self.done(worlds.id, false);
        }
        if worlds.pace.tells(now) {
            let (ran, of) = worlds.run.progress();
            self.post(worlds.id, Reply::Running { ran, of });
        }
        self.worlds = Some(worlds);
    }

    /// Brings the worlds that are drawn to the present moment, by at most `events` events. Returns whether all are there.
    fn bring_beside(&mut self, events: u64) -> bool {
        let (Some(beside), Some(player)) = (&mut self.beside, &self.player) else { return true };
        beside.walk(player.now(), events)
    }

    /// Continues the search for advice.
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

    /// Posts the advice found so far; `done` if that is all.
    pub(super) fn tell_help(&mut self, helping: &Helping, done: bool) {
        let progress = helping.search.progress();
        let (about, found) = (helping.about.clone(), helping.search.found());
        self.post(helping.id, Reply::Help { about, found, tried: (progress.tried, progress.of), done });
    }

    /// Plays ahead while there are no requests.
    pub(super) fn play_ahead(&mut self, clock: &dyn Fn() -> f64) {
        let more = match self.run_slice(clock) {
            Some((_, false)) => self.player.as_ref().is_some_and(|p| p.progress().events < AHEAD_EVENTS),
            _ => false,
        };
        if !more {
            self.ahead = false;
            self.done(self.latest, false);
        }
    }
}
