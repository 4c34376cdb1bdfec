//! The effects of the worker's answers on the state.

use super::{Answers, Changed, Effect, Helping, Imported, Overlays, Panel, State, Under, View};
use heddle_view::protocol::{Frame, Reply, Request};
use heddle_view::{Change, Edit, LinkFor, Opened, Opening, ScenarioSource, Severity};
use std::rc::Rc;

/// The most nodes up to which the search for advice starts by itself.
const HELP_NODES: usize = 60;

/// Returns the files that an import was given, by name.
fn given_files(request: &Request) -> Vec<(String, String)> {
    let Request::Import { name, text, more, .. } = request else { return vec![] };
    std::iter::once((name.clone(), text.clone())).chain(more.iter().cloned()).collect()
}

/// Returns the files of an import with those that it completes, by name.
fn files_of(request: &Request) -> Vec<(String, String)> {
    let Request::Import { with, .. } = request else { return vec![] };
    let given = given_files(request);
    let kept = with.iter().filter(|(name, _)| name.is_empty() || given.iter().all(|(other, _)| other != name));
    kept.cloned().chain(given.iter().cloned()).collect()
}

/// Returns what undo calls the opening of a scenario.
fn named(request: &Request) -> String {
    match request {
        Request::Import { .. } => match files_of(request).as_slice() {
            [(name, _)] if name.is_empty() => "import of pasted text".to_owned(),
            [(name, _)] => format!("import of {name}"),
            files => format!("import of {} files", files.len()),
        },
        Request::ImportFiles { .. } => "import of large files".to_owned(),
        Request::Open { source: ScenarioSource::Empty, .. } => "new scenario".to_owned(),
        Request::Open { source: ScenarioSource::Example(_), .. } => "opening of an example".to_owned(),
        _ => "opening of another scenario".to_owned(),
    }
}

impl State {
    pub(super) fn answer(&mut self, reply: Reply) -> Vec<Effect> {
        match reply {
            Reply::Ready => {
                self.heard = true;
                vec![]
            }
            Reply::Idle => {
                (self.over.stopping, self.over.reading) = (false, None);
                vec![]
            }
            Reply::Opened(opened) => self.opened(*opened),
            Reply::NotOpened { version, why } => {
                self.answers.change().awaiting = false;
                // Callers that open a text that must be valid get the answer itself.
                match self.doc.change().answered(version) {
                    Some(Request::Open { source: ScenarioSource::Sound(_), .. }) | None => {}
                    Some(_) => self.say(&why),
                }
                self.then(vec![])
            }
            Reply::Edited { version, text, what } => {
                let doc = self.doc.change();
                let Some(request) = doc.answered(version) else { return vec![] };
                if doc.typed_since(version) {
                    return self.again(request);
                }
                let before = doc.text.clone();
                let made = doc.made(text, version, &what);
                self.over.field = None;
                self.forget_names(&what);
                let setting = match &request {
                    Request::Edit { edit: Edit { change: Change::Queues { .. } | Change::Site(_), .. }, .. } => made,
                    _ => false,
                };
                if let Request::Edit { edit: Edit { change: Change::AppendConstrained { .. }, .. }, .. } = &request {
                    self.say(&format!("Changed: {what}."));
                }
                if setting && self.over.report.is_none() && self.view.compare.is_none() {
                    // Of several changes until one can run, the text before the first one is the one that ran.
                    let before = self.over.changed.take().map_or(before, |changed| changed.before);
                    self.over.changed = Some(Changed { what, before });
                }
                let out = vec![Effect::Remember];
                self.then(out)
            }
            Reply::NamesLeft(names) => {
                self.doc.change().leaves(names);
                vec![]
            }
            Reply::NotEdited { version, why } => {
                match self.doc.change().answered(version) {
                    // The reason is shown in the dialog where it was typed.
                    Some(Request::Edit { edit: Edit { change: Change::Worlds { .. }, .. }, .. }) => {
                        self.over.field = Some(why);
                    }
                    Some(_) => self.say(&why),
                    None => {}
                }
                self.then(vec![Effect::FocusOld])
            }
            Reply::Imported { version, text, report } => {
                let doc = self.doc.change();
                let Some(request) = doc.answered(version) else { return vec![] };
                // It stands for itself, whatever was imported before.
                let files = given_files(&request);
                let mut out = vec![];
                if let Some(text) = text {
                    if doc.typed_since(version) {
                        return self.again(request);
                    }
                    if doc.made(text, version, &format!("import of {}", report.name)) {
                        out.push(Effect::Remember);
                    }
                    doc.delivered();
                }
                (self.over.dialog, self.over.report) = (None, Some(Rc::new(Imported { report: *report, files })));
                // It stands in the place of the picture, also on narrow screens.
                self.view.change().panel = Panel::Where;
                out.push(Effect::Focus("report"));
                self.then(out)
            }
            Reply::Agreement(told) => {
                self.doc.change().agrees(told);
                vec![Effect::Remember]
            }
            Reply::Document(view) => {
                // A text that was kept before this was known is kept again.
                let marked = view.leaving.as_ref().is_some_and(|leaving| leaving.passed.is_some());
                self.doc.change().told(*view);
                self.link().into_iter().chain(marked.then_some(Effect::Remember)).collect()
            }
            Reply::Form(form) => {
                *self.form.change() = *form;
                vec![]
            }
            Reply::Link { purpose: LinkFor::Address { push }, link, left_out: _ } => {
                vec![Effect::Address { link: link.ok(), push }]
            }
            Reply::Link { purpose: LinkFor::Sharing, link, left_out } => {
                let answers = self.answers.change();
                (answers.link, answers.link_left_out) = (Some(link), left_out);
                vec![]
            }
            Reply::Gallery(cards) => {
                self.answers.change().gallery = Some(cards.into());
                vec![]
            }
            Reply::Limits(text) => {
                self.answers.change().limits = Some(text.into());
                vec![]
            }
            Reply::Refused { problems } => {
                self.over.progress = None;
                self.over.refused = problems.iter().find(|p| p.severity == Severity::Error).map(|p| p.what.clone());
                let answers = self.answers.change();
                if answers.loading || !answers.ready {
                    // The opened text has an error; shows where to fix it.
                    let view = self.view.change();
                    (view.as_text, view.panel) = (true, Panel::What);
                }
                (answers.ready, answers.loading) = (true, false);
                // Beside the others the scenario is one that cannot be run now.
                self.compare().into_iter().collect()
            }
            Reply::Frame(frame) => {
                let loaded = frame.loaded;
                let mut out = self.frame(*frame);
                if loaded {
                    out.extend(self.compare());
                    out.extend(self.changed());
                }
                out
            }
            Reply::Progress { time_ms, goal_ms } => {
                self.over.progress = Some((time_ms, goal_ms));
                vec![]
            }
            Reply::Given { version, files } => {
                self.doc.change().given(version, files);
                vec![]
            }
            Reply::Reading { done, of } => {
                self.over.reading = Some((done, of));
                vec![]
            }
            Reply::Why(_) | Reply::NoWhy(_) => vec![],
            Reply::Help { about, found, tried, done } => {
                // Advice about a former selection is dropped.
                if self.answers.help.as_ref().is_some_and(|h| h.about == about) {
                    self.answers.change().help = Some(Helping { about, found, tried, done });
                }
                vec![]
            }
            Reply::Expectations(told) => {
                self.answers.change().expectations = told.into();
                vec![]
            }
            Reply::Listening => vec![],
            Reply::Ledger(ledger) => {
                self.answers.change().ledger = Some(*ledger);
                vec![]
            }
            Reply::Running { ran, of } => {
                self.answers.change().running = Some((ran, of));
                vec![]
            }
            Reply::Worlds(worlds) => {
                self.answers.change().worlds = Some(worlds);
                self.keep_tried().into_iter().collect()
            }
            Reply::Beside(beside) => {
                let mut palette = (*self.palette).clone();
                beside.worlds.iter().for_each(|world| {
                    palette.learn(&world.snapshot);
                });
                if *self.palette != palette {
                    *self.palette.change() = palette;
                }
                self.answers.change().beside = Some(Rc::new(*beside));
                vec![]
            }
            Reply::Tried(told) => {
                self.answers.change().tried = Some(told);
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

    /// After all names were changed, or restored: drops what refers to the other names.
    pub(super) fn forget_names(&mut self, what: &str) {
        if matches!(what, Edit::LEAVE_NAMES | Edit::BRING_NAMES) {
            let view = self.view.change();
            (view.selection, view.rack, view.chart) = Default::default();
            view.find.clear();
            self.answers.change().help = None;
            // The worlds beside it have the other names, and a link would hold them.
            self.leave_comparison();
        }
    }

    /// Repeats a change that was made without text still being typed: sends that text first.
    fn again(&mut self, request: Request) -> Vec<Effect> {
        let mut out = self.write();
        out.extend(self.doc.change().again(request).into_iter().map(Effect::Ask));
        out
    }

    /// Appends what waited for this answer.
    fn then(&mut self, mut out: Vec<Effect>) -> Vec<Effect> {
        if !self.doc.waits() {
            for msg in std::mem::take(&mut self.later) {
                out.extend(self.take(msg, f64::NEG_INFINITY));
            }
        }
        out
    }

    /// Handles the opening of another scenario.
    fn opened(&mut self, opened: Opened) -> Vec<Effect> {
        let Opened { version, text, how, first, view, comparison, notice, report } = opened;
        let Some(request) = self.doc.change().answered(version) else { return vec![] };
        let mut out = Vec::new();
        if how == Opening::Chosen && self.doc.edited() {
            out.push(Effect::Draft { text: self.doc.passed_on(), opened: self.doc.opened.clone() });
        }
        let place = (self.view.goal_ms, self.view.selection.clone());
        let doc = self.doc.change();
        match how {
            Opening::Chosen => doc.open_over(&text, version, (&named(&request), place), first),
            Opening::Start | Opening::Address => doc.open(&text, version, first),
        }
        let linked = view.is_some();
        match view {
            Some(linked) => {
                let old = self.view.change();
                *old = View { theme: old.theme, embed: old.embed, compare: comparison, ..View::linked(&linked) };
                let at = (*self.view).clone();
                self.show_other(at);
            }
            None => self.show_other(View::default()),
        }
        self.over.offers_only = matches!(request, Request::Open { source: ScenarioSource::Empty, .. });
        // After a reload the report is there again, one click away.
        if let Some(before) = self.before_reload.take().filter(|before| *before.text == *text) {
            let (files, agreement) = (Vec::new(), before.agreement);
            self.doc.change().came_of(Rc::new(Imported { report: before.report, files }));
            agreement.into_iter().for_each(|told| self.doc.change().agrees(told));
        }
        if let Some(report) = report {
            let import = Rc::new(Imported { report: *report, files: files_of(&request) });
            self.doc.change().came_of(import.clone());
            // What a pasted line is about is shown; its report is one click away.
            if notice.is_none() {
                self.over.report = Some(import);
                self.view.change().panel = Panel::Where;
                out.push(Effect::Focus("report"));
            }
        }
        match notice {
            Some(notice) => self.say(&notice),
            None if first && !linked && how == Opening::Start => out.push(Effect::OfferDraft),
            None => {}
        }
        out.extend(self.write());
        out.push(if how == Opening::Chosen { Effect::Keep { push: true } } else { Effect::Remember });
        self.then(out)
    }

    /// Prepares for another scenario, at a moment and with a selection of its own.
    pub(super) fn show_other(&mut self, at: View) {
        let View { selection, goal_ms, event, compare, .. } = at;
        self.leave_comparison();
        let old = self.view.change();
        let (rack, chart, find, drafts) = Default::default();
        *old = View { selection, goal_ms, event, compare, rack, chart, find, drafts, ..old.clone() };
        *self.palette.change() = Default::default();
        let old = self.answers.change();
        *old = Answers { ready: old.ready, loading: old.ready, gallery: old.gallery.take(), ..Answers::default() };
        self.over = Overlays { broken: self.over.broken.take(), ..Overlays::default() };
    }

    /// Handles a new picture.
    fn frame(&mut self, frame: Frame) -> Vec<Effect> {
        (self.over.progress, self.over.stopping) = (None, false);
        self.over.broken = None;
        self.gone = false;
        if frame.loaded {
            self.over.refused = None;
        }
        let mut palette = (*self.palette).clone();
        palette.learn(&frame.snapshot);
        if *self.palette != palette {
            *self.palette.change() = palette;
        }
        let loaded = frame.loaded;
        // The address has the moment shown.
        let here = (Some(frame.snapshot.time_ms), frame.event);
        let moved = !self.over.playing && (self.view.goal_ms, self.view.event) != here;
        if moved {
            let view = self.view.change();
            (view.goal_ms, view.event) = here;
        }
        let mut out: Vec<Effect> = moved.then_some(Effect::Remember).into_iter().collect();
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
            out.push(Effect::HelpSoon);
        } else if self.view.under == Under::Charts && (loaded || self.answers.charts.is_none()) {
            out.push(Effect::Ask(Request::Charts));
        } else if loaded {
            self.answers.change().charts = None;
        }
        out
    }
}
