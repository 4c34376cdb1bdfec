//! Running other worlds in slices, so that a waiting user sees the progress and can leave.

use super::gains::gains;
use super::worlds::{difference, outcome};
use super::{Beside, EventFilter, OtherWorld, Player};
use crate::explain::view::{AS_IT_IS, EventView, WorldView};
use heddle_core::model::{Millis, Severity};
use std::collections::VecDeque;

/// The most events that all worlds together play.
const EVENTS: u64 = 1_500_000;

/// A scenario and other worlds, run one after the other.
#[derive(Debug)]
pub struct WorldsRun {
    /// The moment at which they are compared.
    at: Millis,
    /// The most events of each world.
    most: u64,
    /// The worlds to be run.
    waiting: VecDeque<OtherWorld>,
    running: Option<Running>,
    /// The events of the first.
    happened: Vec<EventView>,
    /// The number of worlds, from the first, whose players are kept for their pictures.
    drawn: usize,
    kept: Beside,
    ran: Vec<WorldView>,
}

#[derive(Debug)]
struct Running {
    name: String,
    odd: Vec<String>,
    player: Box<Player>,
    /// The events that it may still play.
    left: u64,
}

impl Player {
    /// Starts running this scenario, which comes first, and other worlds.
    pub fn run_worlds(&self, worlds: Vec<OtherWorld>) -> WorldsRun {
        let mut all = worlds;
        all.insert(0, self.as_it_is());
        self.run_beside(all, 0)
    }

    /// Returns the scenario as one of the worlds.
    pub fn as_it_is(&self) -> OtherWorld {
        (AS_IT_IS.to_owned(), Ok(self.text.clone())).into()
    }

    /// Starts running worlds, of which the first is the baseline, and keeps the first `drawn` of them to draw them.
    pub fn run_beside(&self, worlds: Vec<OtherWorld>, drawn: usize) -> WorldsRun {
        WorldsRun {
            at: self.clock,
            most: EVENTS / worlds.len().max(1) as u64,
            waiting: VecDeque::from(worlds),
            running: None,
            happened: Vec::new(),
            drawn,
            kept: Beside::default(),
            ran: Vec::new(),
        }
    }
}

impl WorldsRun {
    /// Plays at most `events` more events. Returns whether all worlds have been run.
    pub fn step(&mut self, events: u64) -> bool {
        let Some(mut running) = self.running.take() else {
            let Some(world) = self.waiting.pop_front() else { return true };
            self.begin(world);
            return self.done();
        };
        let events = events.min(running.left);
        running.left -= events;
        if running.player.run(events).done || running.left == 0 {
            self.end(running);
        } else {
            self.running = Some(running);
        }
        self.done()
    }

    fn done(&self) -> bool {
        self.running.is_none() && self.waiting.is_empty()
    }

    /// The number of worlds that have been run, and of all.
    pub fn progress(&self) -> (usize, usize) {
        let ran = self.ran.len();
        (ran, ran + self.waiting.len() + usize::from(self.running.is_some()))
    }

    /// The outcomes of the worlds that have been run.
    pub fn ran(self) -> Vec<WorldView> {
        self.ran
    }

    /// The outcomes of the worlds that have been run, and those that are drawn.
    pub fn ran_beside(self) -> (Vec<WorldView>, Beside) {
        (self.ran, self.kept)
    }

    fn begin(&mut self, OtherWorld { name, text, odd }: OtherWorld) {
        let refused = match text {
            Err(why) => why,
            Ok(text) => {
                let loaded = Player::load(&text);
                if let Some(player) = loaded.player {
                    self.running = Some(Running { name, odd, player: Box::new(player), left: self.most });
                    return;
                }
                let error = loaded.problems.into_iter().find(|p| p.severity == Severity::Error);
                error.map_or_else(String::new, |p| p.what)
            }
        };
        self.ran.push(WorldView { name, refused, odd, ..WorldView::default() });
    }

    fn end(&mut self, running: Running) {
        let Running { name, odd, mut player, .. } = running;
        let view = outcome(&mut player, self.at);
        let happened = player.events(&EventFilter::default());
        let first = if self.ran.is_empty() { None } else { difference(&self.happened, &happened) };
        let mut world = WorldView { name, odd, text: player.text.clone(), first, ..view };
        if self.ran.len() < self.drawn {
            self.kept.keep(&world.name, player);
        }
        world.gains = self.ran.first().and_then(|from| gains(from, &world));
        self.ran.push(world);
        if self.ran.len() == 1 {
            self.happened = happened;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slices_of_any_size_come_to_the_same() {
        // The run must be longer than what loading plays, or no slice would be left.
        let text = include_str!("../../scenarios/q38a-handler-scheduler.toml").replace("\"2 min\"", "\"3 h\"");
        let player = Player::load(&text).player.expect("it loads");
        let worlds = || {
            let mut worlds = player.worlds();
            worlds.push(("no text".to_owned(), Err("it cannot be written".to_owned())).into());
            worlds
        };
        let whole = player.compare(&worlds());
        let mut run = player.run_worlds(worlds());
        let (mut slices, mut before) = (0, (0, whole.len()));
        assert_eq!(run.progress(), before);
        while !run.step(1) {
            slices += 1;
            let (ran, of) = run.progress();
            assert!(of == whole.len() && ran >= before.0, "{ran} of {of} after {before:?}");
            before = (ran, of);
        }
        assert!(slices > 20, "{slices} slices");
        assert!(run.step(1), "it stays done");
        assert_eq!(run.progress(), (whole.len(), whole.len()));
        assert_eq!(run.ran(), whole);
    }
}
