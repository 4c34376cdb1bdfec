//! The form that WHAT shows.

use super::Server;
use crate::forms::{self, FormData, Memo};
use heddle_player::Player;
use heddle_view::form::{Form, Setup, Show};
use heddle_view::protocol::{Frame, Reply};
use heddle_view::{EventView, Selection, Snapshot, WhyView};

/// What WHAT shows, and its data.
#[derive(Default)]
pub struct FormPanel {
    pub show: Show,
    /// Whether the form may differ from the last one posted.
    pub due: bool,
    told: Option<Form>,
    memo: Memo,
    /// The number of applications that the document had when it was opened.
    pub given: usize,
    /// What the report on the import showed first.
    first: Option<Setup>,
    /// The last picture, without its nodes.
    snapshot: Snapshot,
    why: Option<WhyView>,
    events: Vec<EventView>,
    about: Option<Selection>,
}

impl FormPanel {
    /// Takes the data of a picture that is about to be drawn.
    pub fn see(&mut self, frame: &mut Frame) {
        let racks = std::mem::take(&mut frame.snapshot.racks);
        self.snapshot.clone_from(&frame.snapshot);
        frame.snapshot.racks = racks;
        self.why.clone_from(&frame.why);
        self.events.clone_from(&frame.events);
        self.about.clone_from(&frame.selection);
        self.due = true;
    }

    /// The last form posted.
    #[cfg(test)]
    pub fn told(&self) -> Option<&Form> {
        self.told.as_ref()
    }

    /// Drops the data of the last picture, because another document was opened.
    pub fn forget(&mut self) {
        *self = FormPanel {
            show: std::mem::take(&mut self.show),
            told: self.told.take(),
            due: true,
            ..FormPanel::default()
        };
    }
}

impl Server {
    /// Posts the form if it has changed.
    pub(super) fn tell_form(&mut self) {
        let (document, what) = (&self.document, &mut self.what);
        what.due = false;
        let of = FormData {
            text: &document.text,
            scenario: document.scenario.as_ref(),
            problems: &document.problems,
            stale: document.stale(),
            delivered: &document.delivered,
            snapshot: &what.snapshot,
            run: self.player.as_ref().map(Player::simulation),
            why: what.why.as_ref(),
            events: &what.events,
            chosen: self.selection.as_ref(),
            about: what.about.as_ref(),
            show: &what.show,
            given: what.given,
        };
        let mut form = forms::form(&of, &mut what.memo);
        if let (Some(setup), Some(wanted)) = (&mut form.setup, &what.show.setup) {
            let first = what.first.get_or_insert_with(|| setup.clone());
            setup.changed = forms::setup::changed(first, setup, wanted);
        }
        if what.told.as_ref() != Some(&form) {
            what.told = Some(form.clone());
            self.post(self.latest, Reply::Form(Box::new(form)));
        }
    }
}
