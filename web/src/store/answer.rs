//! What the worker's answers do to the state.

use super::{Effect, Helping, State, Under};
use heddle_view::Severity;
use heddle_view::protocol::{Frame, Reply, Request};

/// Up to this many nodes what would help is looked for without being asked.
const HELP_NODES: usize = 60;

impl State {
    pub(super) fn answer(&mut self, reply: Reply) -> Vec<Effect> {
        match reply {
            Reply::Ready | Reply::Idle => vec![],
            Reply::Refused { problems } => {
                self.over.progress = None;
                self.over.refused = problems.iter().find(|p| p.severity == Severity::Error).map(|p| p.what.clone());
                self.doc.change().refused(problems);
                let answers = self.answers.change();
                (answers.ready, answers.loading) = (true, false);
                vec![]
            }
            Reply::Frame(frame) => {
                let loaded = frame.loaded.is_some();
                let mut out = self.frame(*frame);
                if loaded {
                    out.extend(self.compare());
                }
                out
            }
            Reply::Progress { time_ms, goal_ms } => {
                self.over.progress = Some((time_ms, goal_ms));
                vec![]
            }
            Reply::Why(_) => vec![],
            Reply::Help { about, found, tried, done } => {
                // What is found for something that is looked at no more is not wanted.
                if self.answers.help.as_ref().is_some_and(|h| h.about == about) {
                    self.answers.change().help = Some(Helping { about, found, tried, done });
                }
                vec![]
            }
            Reply::Worlds(worlds) => {
                self.answers.change().worlds = Some(worlds);
                vec![]
            }
            Reply::Charts(series) => {
                self.answers.change().charts = Some(series);
                vec![]
            }
            Reply::Failed(why) => {
                self.over.progress = None;
                self.over.playing = false;
                self.say(&why);
                vec![]
            }
        }
    }

    /// A new picture.
    fn frame(&mut self, frame: Frame) -> Vec<Effect> {
        self.over.progress = None;
        self.over.broken = None;
        if frame.loaded.is_some() {
            self.over.refused = None;
        }
        let mut palette = (*self.palette).clone();
        if palette.learn(&frame.snapshot) || *self.palette != palette {
            *self.palette.change() = palette;
        }
        let loaded = frame.loaded.is_some();
        if let Some(problems) = &frame.loaded {
            self.doc.change().refused(problems.clone());
        }
        if !self.over.playing {
            self.view.change().goal_ms = Some(frame.snapshot.time_ms);
        }
        if let Some((from, to)) = frame.skipped {
            let (from, to) = (crate::ui::time(from), crate::ui::time(to));
            self.say(&format!("Nothing could change from {from} to {to}: the heartbeats in between are skipped."));
        }
        let answers = self.answers.change();
        answers.ready = true;
        if loaded {
            answers.help = None;
            answers.loading = false;
        }
        let before = &answers.frame;
        if before.selection != frame.selection || before.snapshot.time_ms != frame.snapshot.time_ms {
            answers.help = None;
        }
        let nodes: usize = frame.snapshot.racks.iter().map(|r| r.nodes.len()).sum();
        let help = answers.help.is_none() && nodes <= HELP_NODES && !self.over.playing;
        answers.frame = frame;
        let about = answers.frame.why.as_ref().and_then(|w| w.about.as_ref());
        let help = help && about.is_some_and(|about| answers.waits(about));
        if help && self.view.under != Under::Charts {
            if loaded {
                answers.charts = None;
            }
            return vec![Effect::HelpSoon];
        }
        if self.view.under == Under::Charts && (loaded || self.answers.charts.is_none()) {
            return vec![Effect::Ask(Request::Charts)];
        }
        if loaded {
            self.answers.change().charts = None;
        }
        vec![]
    }
}
