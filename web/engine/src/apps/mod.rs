//! The kinds of applications as the page changes them, a folder or a file each, and one table: the form of each, and the files that
//! become one more application of the scenario. The rest asks the trait [`Own`], [`adds`] and [`meant`].

mod batch;
mod distributed_shell;
mod requests;
mod samza;
mod service;
mod slider;

use crate::document::import::Found;
use crate::forms::Editor;
use heddle_core::apps::samza::scenario::file::is_job;
use heddle_core::import::What;
use heddle_core::scenario::{App, AppKind, Call, SamzaApp, ServiceApp, Shell, SliderApp, TaskGroup};
use heddle_view::Problem;
use heddle_view::form::{Field, Part};
use toml_edit::Value;

/// What the form of applications asks of a kind.
pub trait Own {
    /// What the button says that adds one.
    fn button(&self) -> &'static str;

    /// What names of new ones begin with.
    fn stem(&self) -> &'static str;

    /// A first one of this name, as an entry of applications.
    fn entry(&self, name: &str, queue: &Value) -> String;

    /// Fields among those that all applications have.
    fn fields(&self, _e: &Editor<'_>, _app: &App) -> Vec<Field> {
        Vec::new()
    }

    /// What follows the fields.
    fn parts(&self, e: &Editor<'_>, app: &App) -> Vec<Part>;

    /// Returns whether the form says a problem of the scenario's text at its place.
    fn tells(&self, _e: &Editor<'_>, _app: &App, _p: &Problem) -> bool {
        false
    }
}

/// Whether an application is of a kind, and the form of that.
type Row = (fn(&AppKind) -> bool, &'static dyn Own);

/// The table of the kinds, in the order of their buttons.
const KINDS: [Row; 6] = [
    (AppKind::is::<Vec<TaskGroup>>, &batch::Batch),
    (AppKind::is::<Shell>, &distributed_shell::DistributedShell),
    (AppKind::is::<Vec<Call>>, &requests::Requests),
    (AppKind::is::<SliderApp>, &slider::Slider),
    (AppKind::is::<SamzaApp>, &samza::Samza),
    (AppKind::is::<ServiceApp>, &service::Service),
];

/// All kinds.
pub fn kinds() -> impl Iterator<Item = &'static dyn Own> {
    KINDS.into_iter().map(|(_, own)| own)
}

/// The form of a kind. One that is not in the table would have that of tasks, and show none.
pub fn own(kind: &AppKind) -> &'static dyn Own {
    KINDS.into_iter().find_map(|(is, own)| is(kind).then_some(own)).unwrap_or(&batch::Batch)
}

/// Adds the application of a file to a scenario: the file's name and text, and the scenario's text.
pub type Add = fn(&str, &str, &str) -> Found;

/// What a text becomes that is a kind's own; `None`: it is no application.
pub fn adds(what: What) -> Option<Add> {
    match what {
        What::Slider => Some(slider::file::add),
        What::Service => Some(service::file::add),
        What::Samza => Some(samza::file::add),
        What::DistributedShell => Some(distributed_shell::file::add),
        _ => None,
    }
}

/// What a text becomes that nothing recognises, by what it was meant as.
pub fn meant(name: &str, text: &str) -> Option<Add> {
    is_job(name, text).then_some(samza::file::add as Add)
}
