//! The distributed shell: its form, and the import of its placement spec or command.

pub mod file;
mod spec;

use super::KindForm;
use crate::forms::Editor;
use crate::forms::make::{field, put};
use crate::path;
use heddle_core::scenario::{App, Shell};
use heddle_view::form::Part;
use heddle_view::{How, Problem};
use toml_edit::Value;

pub struct DistributedShell;

impl KindForm for DistributedShell {
    fn button(&self) -> &'static str {
        "+ Distributed shell"
    }

    fn stem(&self) -> &'static str {
        "shell"
    }

    fn entry(&self, name: &str, queue: &Value) -> String {
        format!(
            "{{ name = \"{name}\", kind = \"distributed-shell\", queue = {queue}, user = \"user\", size = \"1 GB/1\", spec = \"{name}(2),NOTIN,NODE,{name}\" }}"
        )
    }

    fn is_constrained(&self) -> bool {
        true
    }

    fn parts(&self, e: &Editor<'_>, app: &App) -> Vec<Part> {
        let Some(shell) = app.kind.get::<Shell>() else { return Vec::new() };
        let i = app.entry;
        let of = |k: &str, label: &str, key: &str, hint: &str, how: How, what: &str| {
            let path = path!["apps", i, key];
            let edit = put(format!("{what} of {}", app.name), &path, how);
            field(&format!("a{i}{k}"), label, e.written.value(&path, how), hint, edit)
        };
        let mut fields = vec![
            of("s", "size", "size", "10 MB/1", How::Size, "size"),
            of("d", "lasts", "duration", "for ever", How::Text, "duration"),
        ];
        if shell.spec.is_none() {
            fields.push(of("n", "count", "containers", "1", How::Typed, "count"));
        }
        vec![Part::Fields(fields), spec::editor(e, app, shell.spec.as_ref())]
    }

    fn tells(&self, e: &Editor<'_>, app: &App, p: &Problem) -> bool {
        spec::tells(e, app, p)
    }
}
