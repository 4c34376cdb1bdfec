//! Judging the document's expectations while there are no requests, as far as the run is known.

use super::Server;
use super::slices::slice;
use heddle_core::scenario::words::AuthorText;
use heddle_player::Judging;
use heddle_view::protocol::Reply;

/// The expectations and how far they have been judged.
pub struct Expecting {
    judging: Judging,
    /// The number of the run's events for which everything possible has been judged.
    judged: Option<u64>,
}

impl Server {
    /// Starts judging anew, because the document is played from its start.
    pub(super) fn expect_anew(&mut self, id: u32) {
        let player = self.player.as_ref().filter(|p| !p.scenario().expectations.is_empty());
        self.expecting = player.map(|p| Expecting { judging: p.judging(), judged: None });
        self.tell_expectations(id);
    }

    /// Returns whether there is something to judge.
    pub(super) fn judges(&self) -> bool {
        let known = self.player.as_ref().map(|p| p.progress().events);
        self.expecting.as_ref().is_some_and(|e| known.is_some() && e.judged != known)
    }

    /// Defers the remaining expectations until more of the run is known.
    pub(super) fn leave_judging(&mut self) {
        let known = self.player.as_ref().map(|p| p.progress().events);
        if let Some(expecting) = &mut self.expecting {
            expecting.judged = known;
        }
    }

    /// Judges for one slice.
    pub(super) fn judge(&mut self, clock: &dyn Fn() -> f64) {
        let (Some(player), Some(expecting)) = (&mut self.player, &mut self.expecting) else { return };
        if slice(clock, |_| player.judge(&mut expecting.judging, 1)) {
            expecting.judged = Some(player.progress().events);
            self.tell_expectations(self.latest);
        }
    }

    fn tell_expectations(&mut self, id: u32) {
        let told = match (&self.player, &self.expecting) {
            (Some(player), Some(expecting)) => {
                let mut told = player.expectations(&expecting.judging);
                for (view, expectation) in told.iter_mut().zip(&player.scenario().expectations) {
                    if !self.document.holds(&AuthorText::Reason(expectation.because.clone())) {
                        view.reason.clear();
                    }
                }
                told
            }
            _ => Vec::new(),
        };
        self.post(id, Reply::Expectations(told));
    }
}
