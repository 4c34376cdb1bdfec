//! The WHAT panel's form, and the edits made in it. THE ONE PLACE where the page still does this itself, through the engine's
//! functions: requests to the engine take its place.

use super::{Answers, Doc, Shared, State, View, WhatTab};
use heddle_engine::forms::{self, Memo, Of};
use heddle_view::Edit;
use heddle_view::form::{Show, Tab};

/// What the form was made from, so that it is made again only when something changed.
#[derive(Clone, Default)]
pub struct Formed {
    from: Option<(Shared<Doc>, Shared<View>, Shared<Answers>)>,
    memo: Memo,
}

impl State {
    /// The text with an edit, or why it cannot be made.
    pub(super) fn changed(&self, edit: &Edit, typed: &str) -> Result<String, String> {
        heddle_engine::edits::apply(&self.doc.text, edit, typed, self.doc.scenario.as_deref())
    }

    /// Makes the form anew, if it is another one.
    pub(super) fn draw_form(&mut self) {
        let from = Some((self.doc.clone(), self.view.clone(), self.answers.clone()));
        if self.formed.from == from {
            return;
        }
        self.formed.from = from;
        let (doc, frame) = (&self.doc, &self.answers.frame);
        let show = Show {
            tab: match self.view.what {
                WhatTab::Cluster => Tab::Cluster,
                WhatTab::Queues => Tab::Queues,
                WhatTab::Apps => Tab::Apps,
                WhatTab::Settings => Tab::Settings,
            },
            as_text: self.view.as_text,
            refresh: self.view.refresh,
            drafts: self.view.drafts.clone(),
        };
        let of = Of {
            text: &doc.text,
            scenario: doc.scenario.as_deref(),
            problems: &doc.problems,
            stale: doc.stale(),
            delivered: &doc.delivered,
            snapshot: &frame.snapshot,
            why: frame.why.as_ref(),
            events: &frame.events,
            chosen: self.view.selection.as_ref(),
            about: frame.selection.as_ref(),
            show: &show,
        };
        let form = forms::form(&of, &mut self.formed.memo);
        if *self.form != form {
            *self.form.change() = form;
        }
    }
}
