//! Playing the document from its start.

use super::{Job, Server};
use heddle_player::Player;
use heddle_view::protocol::Reply;

/// The document is to be played, once the waiting requests have been handled, since they may change it again.
pub struct Due {
    /// The number of the request.
    pub id: u32,
    /// The moment to go to; `None` for where the scenario opens.
    pub at_ms: Option<i64>,
    /// The number of events, among those that happen at that moment.
    pub event: Option<u64>,
    /// Whether it is another document.
    pub anew: bool,
    /// Whether it is shown at the moment that tells most.
    pub stand: bool,
}

impl Server {
    /// Starts playing the document if that is due. If it cannot be played, the former run remains.
    pub(super) fn load(&mut self) {
        let Some(due) = self.due.take() else { return };
        let Some(scenario) = self.document.scenario.clone() else {
            if due.anew {
                // The former run is of another scenario.
                self.player = None;
                self.tell_refused(due.id);
            }
            return;
        };
        match Player::begin(scenario, &self.document.running) {
            Err(problem) => {
                if due.anew {
                    self.player = None;
                }
                self.document.refused(&[*problem]);
                self.tell_refused(due.id);
                self.tell_document(due.id);
            }
            Ok(player) => {
                let goal_ms = due.at_ms.unwrap_or(player.scenario().start_at);
                self.player = Some(player);
                self.timeline = None;
                // Pending requests about the former run are obsolete.
                (self.worlds, self.beside) = (None, None);
                self.ahead = false;
                self.job = Some(Job { loaded: true, event: due.event, stand: due.stand, ..Job::to(due.id, goal_ms) });
                self.expect_anew(due.id);
            }
        }
    }

    fn tell_refused(&mut self, id: u32) {
        let problems = self.document.problems.clone();
        self.post(id, Reply::Refused { problems });
    }
}
