//! Other worlds being run, in slices: so that somebody who waits hears how far it is and can leave.

use super::worlds::{difference, outcome};
use super::{EventFilter, OtherWorld, Player};
use crate::explain::view::{EventView, WorldView};
use heddle_core::model::{Millis, Severity};
use std::collections::VecDeque;

/// Events that all worlds together play at most.
const EVENTS: u64 = 1_500_000;

/// A scenario and other worlds, one after the other.
#[derive(Debug)]
pub struct WorldsRun {
    /// The moment at which they are looked at.
    at: Millis,
    /// Events that a world may play.
    most: u64,
    /// Those to come.
    waiting: VecDeque<OtherWorld>,
    running: Option<Running>,
    /// What happened in the first.
    happened: Vec<EventView>,
    ran: Vec<WorldView>,
}

#[derive(Debug)]
struct Running {
    name: String,
    odd: Vec<String>,
    player: Box<Player>,
    /// Events that it may still play.
    left: u64,
}

impl Player {
    /// Begins to run this scenario, which stands first, and the same in other worlds.
    pub fn run_worlds(&self, worlds: Vec<OtherWorld>) -> WorldsRun {
        let most = EVENTS / (worlds.len() as u64 + 1);
        let mut waiting = VecDeque::from(worlds);
        waiting.push_front(("as it is".to_owned(), Ok(self.text.clone())).into());
        WorldsRun { at: self.clock, most, waiting, running: None, happened: Vec::new(), ran: Vec::new() }
    }
}

impl WorldsRun {
    /// Plays at most so many more events; gives whether all worlds have been run.
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

    /// Worlds that have been run, and all.
    pub fn progress(&self) -> (usize, usize) {
        let ran = self.ran.len();
        (ran, ran + self.waiting.len() + usize::from(self.running.is_some()))
    }

    /// What became of those that have been run.
    pub fn ran(self) -> Vec<WorldView> {
        self.ran
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
        self.ran.push(WorldView { name, odd, text: player.text, first, ..view });
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
        // Longer than what is played at loading, or no slice would be left.
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
