//! Comparing: which worlds stand side by side, and the change that is tried among them.

use super::{Changed, Effect, Msg, Notice, Panel, State, Trial, Trying, Under};
use heddle_view::protocol::Request;
use heddle_view::{Comparison, GivenWorld};

/// The name of the scenario as it was before the changes that opened the comparison.
pub const BEFORE: &str = "as it was before";

impl State {
    /// Shows a change beside the scenario.
    pub(super) fn try_beside(&mut self, trying: Trying) -> Vec<Effect> {
        let given = match &trying {
            Trying::Text(Trial { change, text, .. }) => vec![GivenWorld { name: change.clone(), text: text.clone() }],
            // The engine makes its text.
            Trying::Edit { .. } => vec![],
        };
        let out = self.set_comparison(Some(Comparison { given, ..Comparison::default() }));
        self.over.trying = Some(trying);
        // The trial is part of the request.
        out.into_iter().filter(|e| !matches!(e, Effect::Ask(Request::Compare(_)))).chain(self.compare()).collect()
    }

    /// Shows who gains and who loses by a changed setting, now that the scenario runs with it.
    pub(super) fn changed(&mut self) -> Vec<Effect> {
        let Some(Changed { what, before }) = self.over.changed.take() else { return vec![] };
        if *before == *self.doc.text || self.over.report.is_some() || self.view.compare.is_some() {
            return vec![];
        }
        let given = vec![GivenWorld { name: BEFORE.to_owned(), text: before.to_string() }];
        let comparison = Comparison { base: BEFORE.to_owned(), given, ..Comparison::default() };
        if !self.over.offers_only {
            return self.open_beside(comparison);
        }
        let act = ("Before and after".to_owned(), Box::new(Msg::Compare(Some(comparison))));
        self.over.notice = Some(Notice { text: format!("Changed: {what}."), act: Some(act) });
        vec![]
    }

    /// Opens the view of worlds side by side beside the form where something was changed, which keeps the focus.
    fn open_beside(&mut self, comparison: Comparison) -> Vec<Effect> {
        let view = self.view.change();
        (view.compare, view.under) = (Some(comparison), Under::Gains);
        self.over.forming = true;
        self.compare().into_iter().collect()
    }

    /// Closes the view of worlds side by side by hand. What was tried has a view of its own; leaving it does not mean that before
    /// and after are unwanted.
    pub(super) fn close_comparison(&mut self) -> Vec<Effect> {
        self.over.offers_only |= self.view.compare.is_some() && self.over.trying.is_none();
        self.set_comparison(None)
    }

    /// Opens or closes the view of worlds side by side, or changes its worlds.
    pub(super) fn set_comparison(&mut self, comparison: Option<Comparison>) -> Vec<Effect> {
        let (was, is) = (self.view.compare.is_some(), comparison.is_some());
        let view = self.view.change();
        view.compare = comparison;
        if is && !was {
            (view.under, view.panel) = (Under::Gains, Panel::Where);
            self.over.report = None;
        }
        if is {
            let mut out: Vec<Effect> = self.compare().into_iter().chain([Effect::Remember]).collect();
            if !was {
                out.push(Effect::Focus("where"));
            }
            return out;
        }
        self.leave_comparison();
        if !was {
            return vec![];
        }
        vec![Effect::Ask(Request::LeaveWorlds), Effect::Remember, Effect::Focus("where")]
    }

    /// Forgets what was compared.
    pub(super) fn leave_comparison(&mut self) {
        (self.over.trying, self.over.forming) = (None, false);
        let view = self.view.change();
        view.compare = None;
        if view.under == Under::Gains {
            view.under = Under::Events;
        }
        let answers = self.answers.change();
        (answers.worlds, answers.beside, answers.running, answers.tried) = (None, None, None, None);
    }

    /// Requests the worlds that stand side by side.
    pub(super) fn compare(&mut self) -> Option<Effect> {
        let comparison = self.view.compare.clone()?;
        let answers = self.answers.change();
        (answers.worlds, answers.beside, answers.running, answers.tried) = (None, None, None, None);
        Some(Effect::Ask(match &self.over.trying {
            Some(Trying::Edit { edit, typed }) => {
                Request::TryEdit { edit: edit.clone(), typed: typed.clone(), comparison }
            }
            Some(Trying::Text(_)) | None => Request::Compare(comparison),
        }))
    }

    /// Keeps the text of an edit that is tried, so that a link can hold it.
    pub(super) fn keep_tried(&mut self) -> Option<Effect> {
        let Some(Trying::Edit { edit, typed }) = &self.over.trying else { return None };
        let name = edit.tried_as(typed);
        let world = self.answers.worlds.as_ref()?.iter().find(|world| world.name == name)?;
        let given = GivenWorld { name, text: world.text.clone() };
        let comparison = self.view.compare.as_ref().filter(|c| !c.given.contains(&given) && !given.text.is_empty())?;
        let kept = Comparison { given: vec![given], ..comparison.clone() };
        self.view.change().compare = Some(kept);
        Some(Effect::Remember)
    }
}
