//! The YARN service: its form, and the import of its file.

pub mod file;
mod form;

use super::KindForm;
use crate::forms::Editor;
use heddle_core::scenario::{App, ServiceApp};
use heddle_view::form::Part;
use toml_edit::Value;

pub struct Service;

impl KindForm for Service {
    fn button(&self) -> &'static str {
        "+ YARN service"
    }

    fn stem(&self) -> &'static str {
        "service"
    }

    fn entry(&self, name: &str, queue: &Value) -> String {
        format!(
            "{{ name = \"{name}\", kind = \"yarn-service\", queue = {queue}, user = \"user\", components = [{{ name = \"worker\", count = 2, size = \"1 GB/1\" }}] }}"
        )
    }

    fn parts(&self, e: &Editor<'_>, app: &App) -> Vec<Part> {
        app.kind.get::<ServiceApp>().map_or(Vec::new(), |service| form::parts(e, app, service))
    }
}
