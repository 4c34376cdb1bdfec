//! How the page edits the kinds of applications, a folder or a file each, and one table: the form of each, and the files that
//! become one more application of the scenario. The rest uses the trait [`KindForm`], [`adds`] and [`meant`].

mod batch;
mod distributed_shell;
mod requests;
mod samza;
mod service;
mod slider;

use crate::document::import::ImportResult;
use crate::forms::Editor;
use heddle_core::apps::samza::scenario::file::is_job;
use heddle_core::import::TextKind;
use heddle_core::scenario::edit::set_job_property;
use heddle_core::scenario::{App, AppKind, Call, SamzaApp, ServiceApp, Shell, SliderApp, TaskGroup};
use heddle_view::Problem;
use heddle_view::form::{Field, Part};
use toml_edit::Value;

/// The interface between the form of applications and a kind.
pub trait KindForm {
    /// The text of the button that adds one.
    fn button(&self) -> &'static str;

    /// The beginning of new applications' names.
    fn stem(&self) -> &'static str;

    /// Returns a first application with this name, as an entry of applications.
    fn entry(&self, name: &str, queue: &Value) -> String;

    /// Returns whether the first application's requests have constraints, for which YARN needs a handler.
    fn is_constrained(&self) -> bool {
        false
    }

    /// Returns fields to go among those that all applications have.
    fn fields(&self, _e: &Editor<'_>, _app: &App) -> Vec<Field> {
        Vec::new()
    }

    /// Returns the parts after the fields.
    fn parts(&self, e: &Editor<'_>, app: &App) -> Vec<Part>;

    /// Returns whether the form shows a problem of the scenario's text at its place.
    fn tells(&self, _e: &Editor<'_>, _app: &App, _p: &Problem) -> bool {
        false
    }
}

/// The test for a kind, and its form.
type FormRow = (fn(&AppKind) -> bool, &'static dyn KindForm);

/// The kinds, in the order of their buttons.
const KINDS: [FormRow; 6] = [
    (AppKind::is::<Vec<TaskGroup>>, &batch::Batch),
    (AppKind::is::<Shell>, &distributed_shell::DistributedShell),
    (AppKind::is::<Vec<Call>>, &requests::Requests),
    (AppKind::is::<SliderApp>, &slider::Slider),
    (AppKind::is::<SamzaApp>, &samza::Samza),
    (AppKind::is::<ServiceApp>, &service::Service),
];

/// Returns all kinds.
pub fn kinds() -> impl Iterator<Item = &'static dyn KindForm> {
    KINDS.into_iter().map(|(_, own)| own)
}

/// Returns the form of a kind. A kind missing from the table gets the tasks' form, which would be empty.
pub fn own(kind: &AppKind) -> &'static dyn KindForm {
    KINDS.into_iter().find_map(|(is, own)| is(kind).then_some(own)).unwrap_or(&batch::Batch)
}

/// Sets a key in an application's own file, given the scenario's text, the application's place, the key and the value.
pub type SetIn = fn(&str, usize, &str, &str) -> Result<String, String>;

/// Returns the edit of a key in a file of this name that one kind has; `None`: it is a table of the scenario.
pub fn sets_in(file: &str) -> Option<SetIn> {
    (file == "job.properties").then_some(set_job_property as SetIn)
}

/// Adds the application of a file to a scenario, given the file's name and text, and the scenario's text.
pub type Add = fn(&str, &str, &str) -> ImportResult;

/// Returns the import of a text that belongs to a kind; `None` if it is no application.
pub fn adds(what: TextKind) -> Option<Add> {
    match what {
        TextKind::Slider => Some(slider::file::add),
        TextKind::Service => Some(service::file::add),
        TextKind::Samza => Some(samza::file::add),
        TextKind::DistributedShell => Some(distributed_shell::file::add),
        _ => None,
    }
}

/// Returns the import of a text that was not recognised, by what it was probably meant to be.
pub fn meant(name: &str, text: &str) -> Option<Add> {
    is_job(name, text).then_some(samza::file::add as Add)
}
