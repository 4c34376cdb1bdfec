//! Messages, and what each does to the state.

use super::{Answers, Dialog, Notice, Panel, Pop, State, Theme, Under, View, WhatTab};
use crate::share::import::{self, Report};
use crate::ui::format;
use crate::worker::protocol::{Reply, Request};
use heddle_core::explain::view::{Fate, Selection, StepBy};
use heddle_core::model::Severity;

/// Up to this many nodes what would help is looked for without being asked.
const HELP_NODES: usize = 60;

/// Where a whole new scenario comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Opening {
    /// The page's own start, or the address bar.
    Start,
    /// Somebody chose it: a new entry in the browser's history.
    Chosen,
}

/// Everything that can happen.
#[derive(Clone, Debug, PartialEq)]
pub enum Msg {
    /// The scenario's text was edited.
    Edit {
        /// All of it.
        text: String,
        /// What the edit did, for undo.
        what: String,
    },
    /// A whole scenario is opened.
    Open {
        /// Its text.
        text: String,
        /// Where it comes from.
        how: Opening,
        /// What is to be looked at in it.
        view: Option<Box<View>>,
    },
    /// A file or pasted text: whatever it is.
    Import {
        /// The file's name, "" for pasted text.
        name: String,
        /// Its text.
        text: String,
    },
    /// Typing has paused: run what was typed.
    LoadNow,
    /// Take back the last edit.
    Undo,
    /// Do it again.
    Redo,
    /// An answer of the worker.
    Worker(u32, Box<Reply>),
    /// The worker failed.
    WorkerFailed(String),
    /// Look at this.
    Select(Option<Selection>),
    /// Go to this time.
    Seek(i64),
    /// One step of the chosen size.
    Step {
        /// Backwards?
        back: bool,
    },
    /// One step of this size.
    StepBy {
        /// How far.
        by: StepBy,
        /// Backwards?
        back: bool,
    },
    /// A request to the worker as it is.
    Ask(Request),
    /// Until something changes.
    Next {
        /// Backwards?
        back: bool,
    },
    /// Let time run, or stop it.
    Play(bool),
    /// Play if paused, pause if playing.
    Toggle,
    /// Play faster, or slower.
    Faster(bool),
    /// To the search field of the events.
    Search,
    /// Move the focus to a panel.
    Focus(&'static str),
    /// So many milliseconds of the wall clock have passed while playing.
    Tick(f64),
    /// Change how things are looked at.
    Look(LookAt),
    /// Look for what would help the selected thing.
    Help,
    /// Open or close a dialog.
    Dialog(Option<Dialog>),
    /// Open or close a formula.
    Pop(Option<Pop>),
    /// Show or clear the passing line.
    Notice(Option<Notice>),
    /// A file is held over the page.
    Dropping(bool),
    /// Unfold WHAT from its rail.
    Rail(bool),
    /// Stop what takes long.
    Stop,
    /// Copy a text and say so.
    Copy {
        /// The text.
        text: String,
        /// What it is, for the line that passes by.
        what: String,
    },
    /// Save a text as a file.
    Save {
        /// The file's name.
        name: String,
        /// Its text.
        text: String,
    },
}

/// A change of the view.
#[derive(Clone, Debug, PartialEq)]
#[allow(missing_docs)]
pub enum LookAt {
    Colour(super::ColourBy),
    StepSize(StepBy),
    Speed(usize),
    Under(Under),
    What(WhatTab),
    AsText(bool),
    Panel(Panel),
    Twin(bool),
    AllChecks(bool),
    Rack(Option<String>),
    Limits(bool),
    Theme(Theme),
    Find(String),
    Chart(String),
}

/// What has to be done outside the state.
#[derive(Clone, Debug, PartialEq)]
pub enum Effect {
    /// Send a request to the worker.
    Ask(Request),
    /// Load the running text when typing pauses.
    LoadSoon,
    /// Look for what would help when nothing else happens for a moment.
    HelpSoon,
    /// The worker is gone: start another.
    Restart,
    /// Keep the text as a draft, and the address up to date.
    Remember,
    /// A new entry in the browser's history.
    Push,
    /// The theme changed.
    Theme(Theme),
    /// Copy and say so.
    Copy {
        /// The text.
        text: String,
        /// What it is.
        what: String,
    },
    /// Save as a file.
    Save {
        /// Name.
        name: String,
        /// Text.
        text: String,
    },
    /// Keep a draft of what is about to be replaced.
    Draft(String),
    /// Move the focus to the element of this id.
    Focus(&'static str),
}

impl State {
    /// Takes a message; `now_ms` is the wall clock, for joining quick edits.
    pub fn update(&mut self, msg: Msg, now_ms: f64) -> Vec<Effect> {
        match msg {
            Msg::Edit { text, what } => {
                if !self.doc.change().edit(text, &what, now_ms) {
                    return vec![];
                }
                vec![Effect::LoadSoon, Effect::Remember]
            }
            Msg::LoadNow => vec![Effect::Ask(self.load())],
            Msg::Undo | Msg::Redo => {
                let undo = msg == Msg::Undo;
                let doc = self.doc.change();
                let Some(what) = (if undo { doc.undo() } else { doc.redo() }) else {
                    self.say(if undo { "Nothing to undo." } else { "Nothing to redo." });
                    return vec![];
                };
                self.say(&format!("{}: {what}", if undo { "Undone" } else { "Done again" }));
                vec![Effect::LoadSoon, Effect::Remember]
            }
            Msg::Open { text, how, view } => self.open(&text, how, view),
            Msg::Import { name, text } => self.import(&name, &text),
            Msg::Worker(_, reply) => self.answer(*reply),
            Msg::WorkerFailed(why) => {
                self.over.playing = false;
                self.over.progress = None;
                if self.over.broken.is_some() || !self.answers.ready {
                    self.over.broken = Some(why);
                    return vec![];
                }
                // Once: a fault in the core must not make the page unusable; the text is safe.
                self.over.broken = Some(why.clone());
                self.over.notice = Some(Notice {
                    text: format!("The simulation stopped: {why}. This is our mistake; the scenario is not lost."),
                    act: Some((
                        "Save the scenario".into(),
                        Box::new(Msg::Save { name: "heddle-report.toml".into(), text: self.doc.text.to_string() }),
                    )),
                });
                vec![Effect::Restart]
            }
            Msg::Select(selection) => {
                if self.view.selection == selection {
                    return vec![];
                }
                self.view.change().selection = selection.clone();
                vec![Effect::Ask(Request::Look { selection }), Effect::Remember]
            }
            Msg::Seek(time_ms) => {
                let end = self.answers.frame.timeline.end_ms.max(self.answers.frame.snapshot.end_ms);
                let time_ms = time_ms.clamp(0, end.max(0));
                self.view.change().goal_ms = Some(time_ms);
                vec![Effect::Ask(Request::Seek { time_ms, selection: self.view.selection.clone() }), Effect::Remember]
            }
            Msg::Step { back } => self.step(self.view.step, back),
            Msg::StepBy { by, back } => self.step(by, back),
            Msg::Ask(request) => vec![Effect::Ask(request)],
            Msg::Next { back } => self.step(StepBy::Change, back),
            Msg::Play(on) => {
                self.over.playing = on && self.over.broken.is_none();
                let snapshot = &self.answers.frame.snapshot;
                if self.over.playing && snapshot.time_ms >= snapshot.end_ms && snapshot.end_ms > 0 {
                    return self.update(Msg::Seek(0), now_ms);
                }
                self.view.change().goal_ms = Some(self.now());
                vec![]
            }
            Msg::Toggle => self.update(Msg::Play(!self.over.playing), now_ms),
            Msg::Faster(up) => {
                let speed = self.view.speed;
                self.look(LookAt::Speed(if up { speed + 1 } else { speed.saturating_sub(1) }))
            }
            Msg::Search => {
                self.view.change().under = Under::Events;
                vec![Effect::Focus("find")]
            }
            Msg::Focus(panel) => {
                if let Some(panel) = Panel::named(panel) {
                    self.view.change().panel = panel;
                }
                self.over.rail = panel == "what";
                vec![Effect::Focus(panel)]
            }
            Msg::Tick(wall_ms) => self.tick(wall_ms),
            Msg::Look(what) => self.look(what),
            Msg::Help => {
                let Some(selection) = self.selected().cloned().filter(|_| !self.over.playing) else { return vec![] };
                self.answers.change().help = Some((selection.clone(), None));
                vec![Effect::Ask(Request::Help { selection })]
            }
            Msg::Dialog(dialog) => {
                self.over.pop = None;
                self.over.dialog = dialog;
                vec![]
            }
            Msg::Pop(pop) => {
                self.over.pop = pop;
                vec![]
            }
            Msg::Notice(notice) => {
                self.over.notice = notice;
                vec![]
            }
            Msg::Dropping(on) => {
                self.over.dropping = on;
                vec![]
            }
            Msg::Rail(on) => {
                self.over.rail = on;
                vec![]
            }
            Msg::Stop => {
                self.over.playing = false;
                vec![Effect::Ask(Request::Stop)]
            }
            Msg::Copy { text, what } => vec![Effect::Copy { text, what }],
            Msg::Save { name, text } => vec![Effect::Save { name, text }],
        }
    }

    /// A line that passes by.
    pub fn say(&mut self, text: &str) {
        self.over.notice = Some(Notice { text: text.to_owned(), act: None });
    }

    /// The request that makes the worker play what runs.
    pub fn load(&self) -> Request {
        let at_ms = self.view.goal_ms;
        Request::Load { text: self.doc.running.to_string(), at_ms, selection: self.view.selection.clone() }
    }

    fn open(&mut self, text: &str, how: Opening, view: Option<Box<View>>) -> Vec<Effect> {
        let mut out = Vec::new();
        if how == Opening::Chosen && self.doc.edited() {
            out.push(Effect::Draft(self.doc.text.to_string()));
        }
        self.doc.change().open(text);
        let old = self.view.change();
        *old = match view {
            Some(view) => View { theme: old.theme, embed: old.embed || view.embed, ..*view },
            None => {
                View { selection: None, goal_ms: None, rack: None, chart: None, find: String::new(), ..old.clone() }
            }
        };
        *self.palette.change() = Default::default();
        self.over = super::Over { broken: self.over.broken.take(), ..Default::default() };
        let answers = self.answers.change();
        *answers = Answers { ready: answers.ready, frame: std::mem::take(&mut answers.frame), ..Answers::default() };
        out.push(Effect::Ask(self.load()));
        out.push(if how == Opening::Chosen { Effect::Push } else { Effect::Remember });
        out
    }

    fn import(&mut self, name: &str, text: &str) -> Vec<Effect> {
        self.over.dropping = false;
        match import::read(name, text, &self.doc.text) {
            import::Found::Scenario(text) => {
                let mut out = self.open(&text, Opening::Chosen, None);
                self.over.dialog = None;
                let title = self.doc.scenario.as_ref().map(|s| s.title.clone()).unwrap_or_default();
                self.say(&if title.is_empty() { "Opened.".to_owned() } else { format!("Opened: {title}") });
                out.push(Effect::Remember);
                out
            }
            import::Found::Link { scenario, view, note } => {
                let out = self.open(&scenario, Opening::Chosen, view);
                self.over.dialog = None;
                if let Some(note) = note {
                    self.say(&note);
                }
                out
            }
            import::Found::File { text, report } => {
                let report: Report = *report;
                let changed = self.doc.change().edit(text, &format!("import of {}", report.name), f64::NEG_INFINITY);
                self.over.dialog = Some(Dialog::Report(report));
                if changed { vec![Effect::LoadSoon, Effect::Remember] } else { vec![] }
            }
            import::Found::Unknown(report) => {
                self.over.dialog = Some(Dialog::Report(*report));
                vec![]
            }
        }
    }

    fn answer(&mut self, reply: Reply) -> Vec<Effect> {
        match reply {
            Reply::Ready => vec![],
            Reply::Refused { problems } => {
                self.over.progress = None;
                self.over.refused = problems.iter().find(|p| p.severity == Severity::Error).map(|p| p.what.clone());
                self.doc.change().refused(problems);
                self.answers.change().ready = true;
                vec![]
            }
            Reply::Frame(frame) => {
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
                let answers = self.answers.change();
                answers.ready = true;
                if loaded {
                    answers.help = None;
                }
                let before = &answers.frame;
                if before.selection != frame.selection || before.snapshot.time_ms != frame.snapshot.time_ms {
                    answers.help = None;
                }
                let waits = frame.why.as_ref().is_some_and(|w| w.fate == Some(Fate::Waiting) && w.help.is_empty());
                let nodes: usize = frame.snapshot.racks.iter().map(|r| r.nodes.len()).sum();
                let help = waits && answers.help.is_none() && nodes <= HELP_NODES && !self.over.playing;
                answers.frame = *frame;
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
            Reply::Progress { time_ms, goal_ms } => {
                self.over.progress = Some((time_ms, goal_ms));
                vec![]
            }
            Reply::Why(why) => {
                let answers = self.answers.change();
                if let Some((about, help)) = &mut answers.help
                    && why.about.as_ref() == Some(about)
                {
                    *help = Some(why.help);
                }
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

    fn step(&mut self, by: StepBy, back: bool) -> Vec<Effect> {
        self.over.playing = false;
        vec![Effect::Ask(Request::Step { by, back, selection: self.view.selection.clone() }), Effect::Remember]
    }

    fn tick(&mut self, wall_ms: f64) -> Vec<Effect> {
        if !self.over.playing {
            return vec![];
        }
        let end = self.answers.frame.snapshot.end_ms;
        // After a pause of the tab time goes on where it was, not where it would be.
        let ahead = wall_ms.min(250.0) * View::SPEEDS[self.view.speed.min(View::SPEEDS.len() - 1)];
        let now = self.now();
        // The worker may lag behind: never run away from it by more than a second of playing.
        let limit = now + (1000.0 * View::SPEEDS[self.view.speed.min(View::SPEEDS.len() - 1)]) as i64;
        let goal = self.view.goal_ms.unwrap_or(now);
        let goal = (goal + ahead.max(1.0) as i64).min(limit).min(end);
        self.view.change().goal_ms = Some(goal);
        if now >= end {
            self.over.playing = false;
            return vec![Effect::Remember];
        }
        vec![Effect::Ask(Request::Seek { time_ms: goal, selection: self.view.selection.clone() })]
    }

    fn look(&mut self, what: LookAt) -> Vec<Effect> {
        let view = self.view.change();
        match what {
            LookAt::Colour(c) => view.colour = c,
            LookAt::StepSize(s) => view.step = s,
            LookAt::Speed(s) => {
                view.speed = s.min(View::SPEEDS.len() - 1);
                let text = format!("{} × real time", format::fraction(View::SPEEDS[view.speed]));
                self.say(&text);
            }
            LookAt::Under(u) => {
                view.under = u;
                if u == Under::Charts && self.answers.charts.is_none() {
                    return vec![Effect::Ask(Request::Charts), Effect::Remember];
                }
            }
            LookAt::What(w) => view.what = w,
            LookAt::AsText(t) => view.as_text = t,
            LookAt::Panel(p) => view.panel = p,
            LookAt::Twin(t) => view.twin = t,
            LookAt::AllChecks(a) => view.all_checks = a,
            LookAt::Rack(r) => view.rack = r,
            LookAt::Limits(l) => view.limits_open = l,
            LookAt::Theme(t) => {
                view.theme = t;
                return vec![Effect::Theme(t)];
            }
            LookAt::Find(f) => {
                view.find = f;
                return vec![];
            }
            LookAt::Chart(c) => view.chart = Some(c),
        }
        vec![Effect::Remember]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::share::examples::FIRST;
    use crate::worker::protocol::Frame;

    fn opened() -> State {
        let mut state = State::default();
        let effects = state.update(Msg::Open { text: FIRST.into(), how: Opening::Start, view: None }, 0.0);
        assert!(effects.iter().any(|e| matches!(e, Effect::Ask(Request::Load { .. }))));
        state
    }

    #[test]
    fn an_error_keeps_the_last_good_scenario_running() {
        let mut state = opened();
        let good = state.doc.running.clone();
        state.update(Msg::Edit { text: "= =".into(), what: "text".into() }, 0.0);
        assert!(state.doc.stale() && state.doc.running == good && !state.doc.problems.is_empty());
        let Request::Load { text, .. } = state.load() else { panic!("a load") };
        assert_eq!(*text, *good);
        state.update(Msg::Undo, 10_000.0);
        assert!(!state.doc.stale() && state.doc.problems.is_empty());
    }

    #[test]
    fn quick_typing_is_one_edit() {
        let mut state = opened();
        for (i, at) in [(1, 0.0), (2, 300.0), (3, 600.0), (4, 5000.0)] {
            state.update(Msg::Edit { text: format!("{FIRST}# {i}\n"), what: "text".into() }, at);
        }
        state.update(Msg::Undo, 6000.0);
        assert!(state.doc.text.ends_with("# 3\n"));
        state.update(Msg::Undo, 6000.0);
        assert_eq!(&*state.doc.text, FIRST);
        state.update(Msg::Redo, 6000.0);
        assert!(state.doc.text.ends_with("# 3\n"));
    }

    #[test]
    fn playing_stops_at_the_end_and_never_runs_away() {
        let mut state = opened();
        let mut frame = Frame::default();
        frame.snapshot.end_ms = 10_000;
        frame.snapshot.time_ms = 9_000;
        state.update(Msg::Worker(1, Box::new(Reply::Frame(Box::new(frame.clone())))), 0.0);
        state.update(Msg::Play(true), 0.0);
        for _ in 0..1000 {
            state.update(Msg::Tick(100.0), 0.0);
        }
        assert_eq!(state.view.goal_ms, Some(10_000));
        frame.snapshot.time_ms = 10_000;
        state.update(Msg::Worker(2, Box::new(Reply::Frame(Box::new(frame)))), 0.0);
        state.update(Msg::Tick(100.0), 0.0);
        assert!(!state.over.playing);
    }

    #[test]
    fn what_cannot_be_read_changes_nothing() {
        let mut state = opened();
        let before = state.doc.text.clone();
        state.update(Msg::Import { name: "x.txt".into(), text: "hello".into() }, 0.0);
        assert_eq!(state.doc.text, before);
        assert!(matches!(state.over.dialog, Some(Dialog::Report(_))));
    }
}
