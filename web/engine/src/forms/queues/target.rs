//! The target of changes of the queues: the scenario's start, or a refresh at the current time.

use super::super::make;
use super::{Editor, FILE};
use crate::path;
use heddle_core::config::xml;
use heddle_core::rm::Properties;
use heddle_core::scenario::edit;
use heddle_core::scenario::units;
use heddle_view::form::{Part, Refresh};
use heddle_view::{Change, Edit, EventOutcome, QueueChange, Selection, format};

pub struct Target {
    /// The time of the refresh in milliseconds; `None` for the start.
    pub at: Option<i64>,
    /// The file in force there, if the queues are written as a file.
    pub file: Option<String>,
    /// The properties in force there.
    pub properties: Properties,
}

impl Target {
    /// Returns the target that was chosen.
    pub fn of(e: &Editor<'_>) -> Target {
        let at = e.of.show.refresh.then_some(e.of.snapshot.time_ms);
        let file = match (at, e.of.scenario) {
            (Some(at), Some(scenario)) => edit::file_in_force(e.of.text, scenario, at),
            _ => Some(e.written.text(&path!["files", FILE])).filter(|f| !f.is_empty()),
        };
        let properties = e.of.scenario.map(|s| edit::in_force(s, at.unwrap_or(-1)).clone()).unwrap_or_default();
        Target { at, file, properties }
    }

    /// Returns the file, written or generated.
    pub fn text(&self) -> String {
        self.file.clone().unwrap_or_else(|| xml::write(&self.properties))
    }

    /// Returns an edit that makes a change there.
    pub fn edit(&self, what: &str, change: QueueChange) -> Edit {
        make::edit(self.called(what), Change::Queues { at_ms: self.at, change })
    }

    /// Returns the name of an edit.
    pub fn called(&self, what: &str) -> String {
        match self.at {
            Some(at) => format!("{what}, refreshed at {}", format::time(at)),
            None => what.to_owned(),
        }
    }
}

/// Returns the choice of the target, and the existing refreshes.
pub fn choice(e: &Editor<'_>) -> Part {
    let refresh = e.of.show.refresh;
    let now = units::time_text(e.of.snapshot.time_ms);
    let note =
        if refresh { format!("Into refreshQueues at {now}: what runs then keeps running.") } else { String::new() };
    let list = edit::refreshed_at(e.of.text).into_iter().map(|(at, entry)| one(e, at, entry)).collect();
    Part::Refreshes { refresh, note, list }
}

fn one(e: &Editor<'_>, at_ms: i64, entry: usize) -> Refresh {
    let of =
        |ev: &&heddle_view::EventView| ev.fate == EventOutcome::Rejected && ev.who == Some(Selection::Refresh(at_ms));
    let refused = e.of.events.iter().find(of).map(|ev| (ev.yarn.clone(), ev.mend.clone()));
    let what = format!("remove the refresh at {}", format::time(at_ms));
    let remove = make::remove(what, &path!["happenings", entry]);
    Refresh { at_ms, label: units::time_text(at_ms), remove, refused }
}
