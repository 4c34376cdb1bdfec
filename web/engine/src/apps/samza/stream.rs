//! The coordinator stream of a Samza job at the moment shown, row by row. Editing or removing a row adds a happening at that
//! moment.

use crate::forms::Editor;
use crate::forms::acts::{happening, quoted};
use crate::forms::make::{self, bare, cross, small};
use crate::path;
use heddle_core::apps::samza::strategy::stream::{CoordinatorStreamMessage, StreamMessageKind};
use heddle_core::scenario::App;
use heddle_view::form::{Head, Part};
use heddle_view::{Change, How};

/// The most rows listed of each kind.
const ROWS: usize = 40;

/// Returns the stream, folded until it is opened.
pub fn stream(e: &Editor<'_>, app: &App) -> Option<Part> {
    let (run, place) = e.running(app)?;
    let mut rows = run.coordinator_stream(place).rows();
    let count = rows.len();
    // A processor that has never run has no row yet and can get one here.
    for processor in run.samza(place).into_iter().flat_map(|m| m.model().order()) {
        let known =
            |row: &CoordinatorStreamMessage| row.kind == StreamMessageKind::ContainerHost && row.key == processor;
        if !rows.iter().any(known) {
            rows.push(CoordinatorStreamMessage {
                kind: StreamMessageKind::ContainerHost,
                key: processor.to_string(),
                value: String::new(),
            });
        }
    }
    let mut parts = Vec::new();
    for kind in StreamMessageKind::ALL {
        let of_kind: Vec<&CoordinatorStreamMessage> = rows.iter().filter(|row| row.kind == kind).collect();
        if of_kind.is_empty() {
            continue;
        }
        parts.push(Part::Heading(kind.name().to_string()));
        parts.extend(of_kind.iter().take(ROWS).map(|row| line(e, app, row)));
        if of_kind.len() > ROWS {
            parts.push(small(format!("the first {ROWS} of {} are listed", of_kind.len())));
        }
    }
    if parts.is_empty() {
        parts.push(small("Nothing stands in it yet."));
    }
    let summary = format!("Coordinator stream: {count} row{}", make::plural(count));
    Some(Part::Details { key: "stream".to_string(), summary, parts })
}

fn line(e: &Editor<'_>, app: &App, row: &CoordinatorStreamMessage) -> Part {
    let now = e.of.snapshot.time_ms;
    let (kind, key) = (row.kind.name(), quoted(&row.key));
    let of = format!("app = {}, rows = [{{ kind = \"{kind}\", key = {key} }}]", quoted(&app.name));
    let write = Change::Happen {
        entry: format!("{{ at = \"{now} ms\", do = \"write_stream\", {of} }}"),
        put: path!["rows", 0, "value"].to_vec(),
        how: How::Text,
    };
    let label = format!("{kind} of {}", row.key);
    // The tabs in some values would be lost in a field.
    let whole = !row.value.contains('\t');
    let field = bare(&label, row.value.as_str(), "none", make::edit(format!("change of {label}"), write));
    let gone = make::edit(format!("removal of {label}"), happening(now, "write_stream", &of));
    let head = Head {
        title: row.key.clone(),
        note: if whole { String::new() } else { row.value.replace('\t', " · ") },
        name: whole.then_some(field),
        button: (!row.value.is_empty()).then(|| cross(format!("Remove {label}"), gone)),
        ..Head::default()
    };
    Part::Head(head)
}
