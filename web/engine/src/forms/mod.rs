//! The WHAT panel's forms and texts as data ([`heddle_view::Form`]), made from the scenario and the latest answers. The
//! forms' actions are edits ([`crate::edits`]).

pub mod acts;
mod apps;
mod cluster;
pub mod constraint;
mod happenings;
pub mod make;
pub mod problems;
mod queues;
pub mod settings;
pub mod setup;

use crate::apps::own;
use crate::edits::FormText;
use heddle_core::config::check::Report;
use heddle_core::rm::Properties;
use heddle_core::scenario::{App, Scenario};
use heddle_core::sim::Simulation;
use heddle_view::form::{Code, Form, GroupShape, Part, Show, Source, Tab, fingerprint};
use heddle_view::{Change, EventView, Problem, Selection, Severity, Snapshot, WhyView};
use std::cell::RefCell;
use std::rc::Rc;

pub use settings::ask_release;
pub use setup::named;

/// The data that a form is made from.
#[derive(Clone, Copy)]
pub struct FormData<'a> {
    pub text: &'a str,
    /// The last readable scenario, which runs.
    pub scenario: Option<&'a Scenario>,
    /// The problems of `text`.
    pub problems: &'a [Problem],
    /// Whether `text` has an error, so that an earlier one runs.
    pub stale: bool,
    /// The queues' properties as opened or imported.
    pub delivered: &'a Properties,
    pub snapshot: &'a Snapshot,
    /// The run that is shown, if there is one.
    pub run: Option<&'a Simulation>,
    /// The answer for the selection.
    pub why: Option<&'a WhyView>,
    pub events: &'a [EventView],
    pub chosen: Option<&'a Selection>,
    /// The subject if nothing was selected.
    pub about: Option<&'a Selection>,
    pub show: &'a Show,
    /// The number of applications that came with the import, if it was one.
    pub given: usize,
}

/// Cached results that take a while to compute and that each form needs again.
#[derive(Clone, Default)]
pub struct Memo {
    written: Option<(String, Rc<FormText>)>,
    found: RefCell<Option<queues::QueueFileReport>>,
}

impl Memo {
    fn written(&mut self, text: &str) -> Rc<FormText> {
        match &self.written {
            Some((of, written)) if of == text => written.clone(),
            _ => {
                let written = Rc::new(FormText::new(text));
                self.written = Some((text.to_owned(), written.clone()));
                written
            }
        }
    }
}

/// The data that the editors need.
pub struct Editor<'a> {
    /// The data that the form is made from.
    pub of: &'a FormData<'a>,
    /// The contents of the text.
    pub written: &'a FormText,
    found: &'a RefCell<Option<queues::QueueFileReport>>,
}

impl<'a> Editor<'a> {
    /// Returns the run, and an application's index in its scenario.
    pub fn running(&self, app: &App) -> Option<(&'a Simulation, usize)> {
        let run = self.of.run?;
        Some((run, run.scenario().apps.iter().position(|a| a.name == app.name)?))
    }
}

pub fn form(of: &FormData<'_>, memo: &mut Memo) -> Form {
    let written = memo.written(of.text);
    let e = Editor { of, written: &written, found: &memo.found };
    // A text with an error has no form.
    let as_text = of.show.as_text || !written.readable();
    let tab = of.show.tab;
    let (title, parts) = match (as_text, tab) {
        (true, Tab::Queues) => (queues::text_name(&e), queues::as_text(&e)),
        (true, _) => ("scenario", vec![whole(&e)]),
        (false, tab) => {
            let mut parts = match tab {
                Tab::Cluster => cluster::cluster(&e),
                Tab::Queues => queues::queues(&e),
                Tab::Apps => apps::apps(&e),
                Tab::Settings => settings::settings(&e),
            };
            let list = problems::at_fields(&written, &mut parts, elsewhere(&e), of.text);
            parts.extend(of_document(&e, &list));
            (tab.name(), parts)
        }
    };
    let errors = of.problems.iter().filter(|p| p.severity == Severity::Error);
    let errors: String = errors.map(|p| p.what.as_str()).collect();
    let alarm = if errors.is_empty() { 0 } else { fingerprint(&errors) };
    let setup = of.show.setup.as_deref().and_then(|wanted| setup::setup(&e, wanted));
    Form { title: title.to_owned(), as_text, parts, alarm, setup }
}

/// Returns the whole scenario as text.
fn whole(e: &Editor<'_>) -> Part {
    let code = Code {
        label: "The scenario as text".into(),
        text: Source::Document(fingerprint(e.of.text)),
        marks: problems::marks(e.of.problems, e.of.text),
        long: true,
        error: e.of.problems.iter().any(|p| p.severity == Severity::Error),
        edit: make::edit("text", Change::Text),
    };
    let mut parts = vec![Part::Code(code)];
    parts.extend(of_document(e, e.of.problems));
    make::group("text", GroupShape::Text, None, parts)
}

/// Returns the problems of the scenario's text that the form does not show at their places.
fn elsewhere(e: &Editor<'_>) -> Vec<Problem> {
    let shown = apps::chosen(e).filter(|_| e.of.show.tab == Tab::Apps);
    let of_queues = e.found.borrow();
    let of_queues = of_queues.as_ref().filter(|_| e.of.show.tab == Tab::Queues);
    let told = |p: &&Problem| {
        !shown.is_some_and(|app| own(&app.kind).tells(e, app, p)) && !of_queues.is_some_and(|found| found.tells(p))
    };
    e.of.problems.iter().filter(told).cloned().collect()
}

/// Returns the problems of the scenario's text, and whether an earlier one runs.
fn of_document(e: &Editor<'_>, list: &[Problem]) -> Vec<Part> {
    let mend = (heddle_view::Fixed::Document, "fix");
    problems::list("scenario", list, e.of.text, Some(&mend)).into_iter().chain(stale(e)).collect()
}

fn stale(e: &Editor<'_>) -> Option<Part> {
    e.of.stale.then(|| make::status("Running: the last scenario without an error."))
}

/// The report on the queues' file.
type Checked = Rc<Report>;
