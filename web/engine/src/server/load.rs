//! Playing the document from its start.

use super::{Job, Server};
use heddle_player::Player;
use heddle_view::protocol::Reply;

/// The document is to be played: not before the requests that wait have been heard, since they may change it once more.
pub struct Due {
    /// Number of the request.
    pub id: u32,
    /// Where to go; `None`: where the scenario opens.
    pub at_ms: Option<i64>,
    /// After how many events, of those that happen at that moment.
    pub event: Option<u64>,
    /// Is it another document?
    pub anew: bool,
}

impl Server {
    /// Begins to play what the document says, if that is due. What cannot be played leaves the run before as it is.
    pub(super) fn load(&mut self) {
        let Some(due) = self.due.take() else { return };
        let Some(scenario) = self.document.scenario.clone() else {
            if due.anew {
                // What ran before is another scenario.
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
                // What was asked of the run before is not wanted any more.
                self.worlds = None;
                self.ahead = false;
                self.job = Some(Job { loaded: true, event: due.event, ..Job::to(due.id, goal_ms) });
                self.expect_anew(due.id);
            }
        }
    }

    fn tell_refused(&mut self, id: u32) {
        let problems = self.document.problems.clone();
        self.post(id, Reply::Refused { problems });
    }
}
