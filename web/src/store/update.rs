//! What each message does to the state.

use super::{Answers, Dialog, Effect, Helping, LookAt, Msg, Notice, Opening, Panel, State, Under, View};
use crate::share::import::{self, Report};
use crate::ui::format;
use heddle_view::StepBy;
use heddle_view::protocol::Request;

impl State {
    /// Takes a message; `now_ms` is the wall clock, for joining quick edits.
    pub fn update(&mut self, msg: Msg, now_ms: f64) -> Vec<Effect> {
        let effects = self.take(msg, now_ms);
        self.draw_form();
        effects
    }

    fn take(&mut self, msg: Msg, now_ms: f64) -> Vec<Effect> {
        match msg {
            Msg::Edit { text, what } => {
                if !self.doc.change().edit(text, &what, now_ms) {
                    return vec![];
                }
                vec![Effect::LoadSoon, Effect::Remember]
            }
            Msg::Change { edit, typed } => match self.changed(&edit, &typed) {
                Ok(text) => self.take(Msg::Edit { text, what: edit.what }, now_ms),
                Err(why) => {
                    self.say(&why);
                    vec![]
                }
            },
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
                        Box::new(Msg::Do(Effect::Save {
                            name: "heddle-report.toml".into(),
                            text: self.doc.text.to_string(),
                        })),
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
                    return self.take(Msg::Seek(0), now_ms);
                }
                self.view.change().goal_ms = Some(self.now());
                vec![]
            }
            Msg::Toggle => self.take(Msg::Play(!self.over.playing), now_ms),
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
                let about = selection.clone();
                self.answers.change().help = Some(Helping { about, found: Vec::new(), tried: (0, 0), done: false });
                vec![Effect::Ask(Request::Help { selection })]
            }
            Msg::Dialog(dialog) => {
                self.over.pop = None;
                self.over.dialog = dialog;
                self.compare().into_iter().collect()
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
            Msg::Do(effect) => vec![effect],
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

    /// Has the other worlds run that the open dialog shows.
    pub(super) fn compare(&mut self) -> Option<Effect> {
        let request = match &self.over.dialog {
            Some(Dialog::Compare) => {
                let doc = &self.doc;
                let opened = (doc.edited() && doc.opened != doc.running).then(|| doc.opened.to_string());
                Request::Compare { opened }
            }
            Some(Dialog::Try(t)) => Request::Try { name: t.change.clone(), text: t.text.clone() },
            _ => return None,
        };
        self.answers.change().worlds = None;
        Some(Effect::Ask(request))
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
            None => View {
                selection: None,
                goal_ms: None,
                rack: None,
                chart: None,
                find: String::new(),
                drafts: vec![],
                ..old.clone()
            },
        };
        *self.palette.change() = Default::default();
        self.over = super::Over { broken: self.over.broken.take(), ..Default::default() };
        let answers = self.answers.change();
        let (ready, frame) = (answers.ready, std::mem::take(&mut answers.frame));
        *answers = Answers { ready, loading: ready, frame, ..Answers::default() };
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
                let doc = self.doc.change();
                let changed = doc.edit(text, &format!("import of {}", report.name), f64::NEG_INFINITY);
                doc.delivered();
                self.over.dialog = Some(Dialog::Report(report));
                if changed { vec![Effect::LoadSoon, Effect::Remember] } else { vec![] }
            }
            import::Found::Unknown(report) => {
                self.over.dialog = Some(Dialog::Report(*report));
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
            LookAt::What(w) => {
                view.what = w;
                // On a narrow screen it has to be seen as well.
                view.panel = Panel::What;
            }
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
            LookAt::Refresh(r) => view.refresh = r,
            LookAt::Draft(draft) => {
                view.drafts.retain(|d| d.owner.is_empty() != draft.owner.is_empty());
                view.drafts.push(draft);
                return vec![];
            }
        }
        vec![Effect::Remember]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::share::examples::FIRST;
    use crate::store::{Dialog, Msg};
    use heddle_view::Severity;
    use heddle_view::protocol::{Frame, Reply};

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
        assert!(!state.doc.stale() && state.doc.problems.iter().all(|p| p.severity != Severity::Error));
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
