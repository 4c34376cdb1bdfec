//! The Slider application: its form, and the import of its file.

pub mod file;
mod form;

use super::KindForm;
use crate::forms::Editor;
use heddle_core::scenario::{App, SliderApp};
use heddle_view::form::Part;
use toml_edit::Value;

pub struct Slider;

impl KindForm for Slider {
    fn button(&self) -> &'static str {
        "+ Slider"
    }

    fn stem(&self) -> &'static str {
        "service"
    }

    fn entry(&self, name: &str, queue: &Value) -> String {
        format!(
            "{{ name = \"{name}\", kind = \"slider\", queue = {queue}, user = \"user\", components = [{{ name = \"worker\", \"yarn.role.priority\" = 1, \"yarn.component.instances\" = 2, \"yarn.memory\" = 1024 }}] }}"
        )
    }

    fn parts(&self, e: &Editor<'_>, app: &App) -> Vec<Part> {
        app.kind.get::<SliderApp>().map_or(Vec::new(), |slider| form::parts(e, app, slider))
    }
}
