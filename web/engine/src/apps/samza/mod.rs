//! The Samza job: its form, and the import of its file.

pub mod file;
mod form;
mod stream;

use super::KindForm;
use crate::forms::Editor;
use heddle_core::scenario::{App, SamzaApp};
use heddle_view::form::Part;
use toml_edit::Value;

pub struct Samza;

impl KindForm for Samza {
    fn button(&self) -> &'static str {
        "+ Samza"
    }

    fn stem(&self) -> &'static str {
        "stream"
    }

    fn entry(&self, name: &str, queue: &Value) -> String {
        form::entry(name, queue)
    }

    fn parts(&self, e: &Editor<'_>, app: &App) -> Vec<Part> {
        app.kind.get::<SamzaApp>().map_or(Vec::new(), |samza| form::parts(e, app, samza))
    }
}
