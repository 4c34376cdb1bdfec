//! Reads the options of the distributed shell's client.

use crate::apps::distributed_shell::client;
use crate::apps::distributed_shell::constraint::plan;
use crate::apps::scenario::AppKind;
use crate::apps::scenario::read::{ClientSubmits, Defaults, EntrySoFar, ReadKind};
use crate::constraint::read_spec;
use crate::model::{Resource, Span, limits};
use crate::scenario::application::{Shell, SpecText};
use crate::scenario::read::constraints::add_inside;
use crate::scenario::read::fields::{Fields, Reader};

/// The size of a container (`-container_memory`, `-container_vcores`), in MiB and vcores.
const CONTAINER: (i64, i64) = client::CONTAINER;

/// An entry of `kind = "distributed-shell"`.
pub struct ShellEntry;

impl ReadKind for ShellEntry {
    fn am_size(&self) -> (i64, i64) {
        client::AM
    }

    // The client always submits a priority.
    fn defaults(&self) -> Defaults {
        Defaults { priority: Some(0), ..Defaults::default() }
    }

    fn read(&mut self, r: &mut Reader<'_>, f: &mut Fields<'_>, _entry: EntrySoFar) -> (AppKind, Option<ClientSubmits>) {
        (shell(r, f).into(), None)
    }
}

fn shell(r: &mut Reader<'_>, f: &mut Fields<'_>) -> Shell {
    let containers = f.integer(r, "containers", 1..=i64::from(i32::MAX)).unwrap_or(1) as u32;
    Shell {
        spec: placement_spec(r, f, containers),
        containers,
        size: f.size(r, "size", CONTAINER).unwrap_or(Resource::new(CONTAINER.0, CONTAINER.1)),
        duration: f.time_or_forever(r, "duration").unwrap_or(None),
        priority: f.int32(r, "container_priority").unwrap_or(0),
        label: f.text(r, "container_label"),
    }
}

/// Reads a PlacementSpec as YARN does.
fn placement_spec(r: &mut Reader<'_>, f: &mut Fields<'_>, containers: u32) -> Option<SpecText> {
    let (text, span, place) = constraint_text(r, f, "spec")?;
    match read_spec(&text) {
        Ok(spec) => {
            let planned = plan(&spec, i32::try_from(containers).unwrap_or(i32::MAX), limits::INSTANCES as i64);
            spec.warnings.iter().for_each(|w| add_inside(r, w.clone(), span, place));
            if let Err(what) = planned {
                r.error(span, what, "Change the counts.");
                return None;
            }
            Some(SpecText { text, span, read: spec })
        }
        Err(e) => {
            add_inside(r, e.problem, span, place);
            None
        }
    }
}

/// Returns a text, its span, and the offset of its first letter if it is written without escapes.
fn constraint_text(r: &mut Reader<'_>, f: &mut Fields<'_>, key: &'static str) -> Option<(String, Span, Option<usize>)> {
    let (text, span) = f.text_at(r, key)?;
    let place = r.content_offset(span, &text);
    Some((text.clone(), r.content_span(span, &text), place))
}
