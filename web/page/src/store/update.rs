//! The effect of each message on the state.

use super::{Dialog, Effect, Helping, LookAt, Msg, Notice, Opening, Panel, ScenarioSource, State, Trying, Under, View};
use crate::ui::format;
use heddle_view::protocol::{Request, ShownTables};
use heddle_view::{Change, ImportTarget, LinkFor, Step, StepBy, secrets};

impl State {
    /// Handles a message; `now_ms` is the wall clock, for joining quick edits.
    pub fn update(&mut self, msg: Msg, now_ms: f64) -> Vec<Effect> {
        let mut out = self.take(msg, now_ms);
        let show = self.view.show(self.setup());
        if self.shown.as_ref() != Some(&show) {
            self.shown = Some(show.clone());
            out.push(Effect::Ask(Request::Show(show)));
        }
        let books = match self.view.under {
            Under::Ledger => ShownTables::Rounds,
            Under::Service => ShownTables::Service,
            _ => ShownTables::Nothing,
        };
        if self.books != books {
            self.books = books;
            self.answers.change().ledger = None;
            out.push(Effect::Ask(Request::Ledger(books)));
        }
        out
    }

    /// A notice goes with what it was about: one of a moment when the moment goes, any when the text changes.
    fn outdate(&mut self, msg: &Msg) {
        let Some(notice) = &self.over.notice else { return };
        let text = matches!(msg, Msg::Edit { .. } | Msg::Change { .. } | Msg::Undo | Msg::Redo | Msg::Open { .. });
        let moment = matches!(
            msg,
            Msg::Seek(_) | Msg::Step { .. } | Msg::StepBy { .. } | Msg::Next { .. } | Msg::Jump { .. } | Msg::Select(_)
        );
        if text || moment && notice.act.is_none() {
            self.over.notice = None;
        }
    }

    pub(super) fn take(&mut self, msg: Msg, now_ms: f64) -> Vec<Effect> {
        self.outdate(&msg);
        match msg {
            Msg::Edit { text, what } => {
                if !self.doc.change().edit(text, &what, now_ms) {
                    return vec![];
                }
                vec![Effect::WriteSoon, Effect::Remember]
            }
            Msg::WriteNow => self.write(),
            Msg::Change { edit, typed } => {
                let new = added(&edit.change).map(Effect::FocusNew);
                let mut out = self.ask(Request::Edit { edit, typed, version: 0 });
                out.extend(new);
                out
            }
            // Undo is for the change in progress, not for the one before it.
            Msg::Undo | Msg::Redo if self.doc.waits() => {
                self.later.push(msg);
                vec![]
            }
            Msg::Undo | Msg::Redo => {
                let undo = msg == Msg::Undo;
                let here = (self.view.goal_ms, self.view.selection.clone());
                let doc = self.doc.change();
                let Some(step) = (if undo { doc.undo(here) } else { doc.redo(here) }) else {
                    self.say(if undo { "Nothing to undo." } else { "Nothing to redo." });
                    return vec![];
                };
                self.forget_names(&step.what);
                let mut out = match step.other {
                    Some((request, (goal_ms, selection))) => {
                        self.show_other(View { goal_ms, selection, ..View::default() });
                        vec![Effect::Ask(request)]
                    }
                    None => vec![Effect::WriteSoon],
                };
                self.say(&format!("{}: {}", if undo { "Undone" } else { "Done again" }, step.what));
                out.push(Effect::Remember);
                out
            }
            Msg::Open { source, how } => {
                // The engine may be able to run another scenario.
                let mut out: Vec<Effect> = self.over.broken.is_some().then_some(Effect::Start).into_iter().collect();
                if !out.is_empty() {
                    (self.shown, self.books) = (None, ShownTables::Nothing);
                }
                self.answers.change().awaiting = how == Opening::Address && self.answers.ready;
                out.push(Effect::Ask(self.doc.change().ask(Request::Open { source, how, version: 0 })));
                out
            }
            Msg::Import { name, text, more } => {
                let (target, with) = self.importing();
                self.ask(Request::Import { name, text, more, target, with, version: 0 })
            }
            Msg::Compare(None) => self.close_comparison(),
            Msg::Compare(comparison) => {
                self.over.trying = None;
                self.set_comparison(comparison)
            }
            Msg::Beside(comparison) => self.set_comparison(Some(comparison)),
            Msg::Try(trial) => self.try_beside(Trying::Text(trial)),
            Msg::TryEdit { edit, typed } => self.try_beside(Trying::Edit { edit, typed }),
            Msg::Elsewhere(target) => {
                let Some(shown) = self.over.report.clone() else { return vec![] };
                let mut files = shown.files.iter().cloned();
                let Some((name, text)) = files.next() else { return vec![] };
                let more = files.collect();
                let joined = self.doc.can_undo().is_some_and(|what| what.starts_with("import of"));
                let mut out = if joined { self.take(Msg::Undo, now_ms) } else { vec![] };
                out.extend(self.ask(Request::Import { name, text, more, target, with: vec![], version: 0 }));
                out
            }
            Msg::Report(open) => {
                self.over.report = self.doc.import().filter(|_| open).cloned();
                if open {
                    self.view.change().selection = None;
                    return vec![Effect::Ask(Request::Look { selection: None }), Effect::Focus("report")];
                }
                vec![]
            }
            Msg::ImportFiles { key } => {
                let (target, with) = self.importing();
                self.ask(Request::ImportFiles { key, target, with, version: 0 })
            }
            Msg::Worker(_, reply) => self.answer(*reply),
            Msg::WorkerFailed(why) => self.failed(why),
            Msg::WorkerGone => self.gone(),
            Msg::Select(selection) => {
                // What is selected is seen in the picture; Escape closes the report when nothing is selected.
                if selection.is_some() || self.view.selection.is_none() {
                    self.over.report = None;
                }
                if selection.is_none() && self.view.selection.is_none() && self.view.compare.is_some() {
                    return self.close_comparison();
                }
                if self.view.selection == selection {
                    return vec![];
                }
                let view = self.view.change();
                // The chart follows the selection until a queue is chosen for it.
                (view.selection, view.chart) = (selection.clone(), None);
                vec![Effect::Ask(Request::Look { selection }), Effect::Remember]
            }
            Msg::Seek(time_ms) => {
                let end = self.answers.frame.timeline.end_ms.max(self.answers.frame.snapshot.end_ms);
                let time_ms = time_ms.clamp(0, end.max(0));
                let view = self.view.change();
                (view.goal_ms, view.event) = (Some(time_ms), None);
                vec![Effect::Ask(Request::Seek { time_ms, selection: self.view.selection.clone() }), Effect::Remember]
            }
            Msg::Jump { time_ms, about } => {
                if about.is_some() {
                    self.view.change().selection = about;
                }
                self.take(Msg::Seek(time_ms), now_ms)
            }
            Msg::FirstDifference => {
                let worlds = self.answers.worlds.iter().flatten();
                let first = worlds.filter_map(|world| world.first.as_ref()).min_by_key(|first| first.time_ms);
                let Some(first) = first.filter(|_| self.view.compare.is_some()) else { return vec![] };
                let (time_ms, about) = (first.time_ms, first.about.clone());
                self.take(Msg::Jump { time_ms, about }, now_ms)
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
            Msg::Dialog(dialog) => self.dialog(dialog),
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
                if self.reading() {
                    return self.stop_reading();
                }
                self.over.stopping = true;
                vec![Effect::Ask(Request::Stop), Effect::StopSoon]
            }
            Msg::StopNow => {
                if std::mem::take(&mut self.over.stopping) {
                    self.over.progress = None;
                    return self.stop_reading();
                }
                vec![]
            }
            Msg::Do(effect) => vec![effect],
        }
    }

    /// Shows a notice.
    pub fn say(&mut self, text: &str) {
        self.over.notice = Some(Notice { text: text.to_owned(), act: None });
    }

    /// Sends typed text to the engine.
    pub(super) fn write(&mut self) -> Vec<Effect> {
        self.doc.change().write().map(Effect::Ask).into_iter().collect()
    }

    /// Requests a change of the present text.
    fn ask(&mut self, request: Request) -> Vec<Effect> {
        if let Some(why) = &self.over.broken {
            let text = format!("Only the text can be edited now: the simulation has stopped ({why}).");
            self.say(&text);
            return vec![];
        }
        let mut out = self.write();
        out.push(Effect::Ask(self.doc.change().ask(request)));
        out
    }

    /// Returns the requests that restore another engine: the present state, and the outstanding changes.
    pub fn restore(&mut self) -> Vec<Request> {
        (self.shown, self.books) = (None, ShownTables::Nothing);
        let (at_ms, selection) = (self.view.goal_ms, self.view.selection.clone());
        self.doc.change().restore(at_ms, selection)
    }

    /// Handles the silent loss of the engine, ended by somebody or by a browser short of memory. Another one takes over
    /// everything; if that is lost too before it has shown anything, no further one is started.
    fn gone(&mut self) -> Vec<Effect> {
        if self.gone {
            self.over.broken = Some(String::new());
            return self.failed("the browser ended its thread twice, it may be short of memory".to_owned());
        }
        self.gone = true;
        self.over.progress = None;
        self.say("The browser ended the simulation's thread. Another one was started; nothing is lost.");
        vec![Effect::Renew, Effect::Remember]
    }

    /// Handles the engine's failure. It is restarted once: a fault in it must not make the page unusable. The text is safe.
    fn failed(&mut self, why: String) -> Vec<Effect> {
        self.over.playing = false;
        self.over.progress = None;
        self.later.clear();
        self.doc.change().forget();
        let again = self.over.broken.is_some() || !self.answers.ready;
        self.over.broken = Some(why.clone());
        if again {
            return vec![Effect::End];
        }
        self.over.notice = Some(Notice {
            text: format!("The simulation stopped: {why}. This is our mistake; the scenario is not lost."),
            act: Some(("Save the scenario".into(), Box::new(Msg::Do(self.save())))),
        });
        vec![Effect::Restart]
    }

    /// Terminates an engine that is reading and therefore handles nothing; another continues with what was read before.
    fn stop_reading(&mut self) -> Vec<Effect> {
        self.later.clear();
        self.answers.change().awaiting = false;
        let text = self.doc.unread();
        let typed = self.doc.change().stop();
        if !self.opening() {
            self.over.notice = Some(Notice {
                text: "Reading was stopped. What was read before goes on.".into(),
                act: typed.then(|| ("Read it all the same".into(), Box::new(Msg::WriteNow))),
            });
            return vec![Effect::Restart];
        }
        (self.shown, self.books) = (None, ShownTables::Nothing);
        let doc = self.doc.change();
        let draft = Effect::Draft { text: secrets::masked(&text), opened: doc.opened.clone() };
        let first = Request::Open { source: ScenarioSource::First, how: Opening::Chosen, version: 0 };
        vec![draft, Effect::Start, Effect::Ask(doc.ask(first))]
    }

    /// Begins an import. Returns where it goes, and the files that it may be more of.
    fn importing(&mut self) -> (ImportTarget, Vec<(String, String)>) {
        (self.over.dropping, self.over.reading) = (false, None);
        // An import takes further files, unless it was changed since.
        let edited = self.doc.edited();
        let report = self.over.report.as_ref().filter(|import| import.report.opened && !edited);
        let import = report.or(self.doc.import().filter(|_| !edited));
        let target = match (report, self.doc.import()) {
            (None, Some(_)) => ImportTarget::FittingImported,
            _ => ImportTarget::Fitting,
        };
        (target, import.map(|import| import.files.clone()).unwrap_or_default())
    }

    /// Saves the scenario for a report.
    pub fn save(&self) -> Effect {
        Effect::Save { name: "heddle-report.toml".into(), text: self.doc.passed_on() }
    }

    fn dialog(&mut self, dialog: Option<Dialog>) -> Vec<Effect> {
        (self.over.pop, self.over.field) = (None, None);
        self.over.dialog = dialog;
        let mut out: Vec<Effect> = self.link().into_iter().collect();
        match self.over.dialog {
            Some(Dialog::Examples | Dialog::Commands) if self.answers.gallery.is_none() => {
                out.push(Effect::Ask(Request::Gallery));
            }
            Some(Dialog::Limits) if self.answers.limits.is_none() => out.push(Effect::Ask(Request::Limits)),
            _ => {}
        }
        out
    }

    /// Requests the link that the open dialog shows.
    pub(super) fn link(&mut self) -> Option<Effect> {
        let Some(Dialog::Share { with_view }) = self.over.dialog else { return None };
        let view = if with_view { self.view.link() } else { Default::default() };
        let comparison = self.view.compare.clone().filter(|_| with_view);
        self.answers.change().link = None;
        Some(Effect::Ask(Request::Link { text: self.doc.passed_on(), view, comparison, purpose: LinkFor::Sharing }))
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
        // After a pause of the tab, time continues where it was, not where it would be by now.
        let ahead = wall_ms.min(250.0) * View::SPEEDS[self.view.speed.min(View::SPEEDS.len() - 1)];
        let now = self.now();
        // The worker may lag behind; the page never gets more than a second of playing ahead of it.
        let limit = now + (1000.0 * View::SPEEDS[self.view.speed.min(View::SPEEDS.len() - 1)]) as i64;
        let goal = self.view.goal_ms.unwrap_or(now);
        let goal = (goal + ahead.max(1.0) as i64).min(limit).min(end);
        let view = self.view.change();
        (view.goal_ms, view.event) = (Some(goal), None);
        if now >= end {
            self.over.playing = false;
            return vec![Effect::Remember];
        }
        vec![Effect::Ask(Request::Seek { time_ms: goal, selection: self.view.selection.clone() })]
    }

    fn look(&mut self, what: LookAt) -> Vec<Effect> {
        let view = self.view.change();
        match what {
            LookAt::Only(only) => {
                view.only = only;
                return vec![];
            }
            LookAt::Colour(c) => view.colour = Some(c),
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
                // On a narrow screen its panel must be shown as well.
                view.panel = Panel::What;
            }
            LookAt::AsText(t) => view.as_text = t,
            LookAt::Panel(p) => view.panel = p,
            LookAt::Twin(t) => view.twin = t,
            LookAt::AllChecks(a) => view.all_checks = a,
            LookAt::Rack(r) => view.rack = r,
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

/// Returns the selector of what a change adds: a node in the picture, an application in its list.
fn added(change: &Change) -> Option<String> {
    if let Change::NodeLikeLast { name, .. } | Change::NodeOnRack { name, .. } = change {
        return Some(format!("#where .nn[data-sel=\"node:{name}\"]"));
    }
    if let Change::Nodes = change {
        return Some("#where .nn".to_owned());
    }
    if let Change::AppendConstrained { entry } = change {
        return app(entry);
    }
    let Change::Append { list, entry } = change else { return None };
    matches!(list.as_slice(), [Step::Name(list)] if list == "apps").then(|| app(entry))?
}

/// Returns the selector of the application that an entry adds.
fn app(entry: &str) -> Option<String> {
    let name = entry.split_once("name = \"")?.1.split_once('"')?.0;
    Some(format!(".what .apps [data-sel=\"app:{name}\"]"))
}
