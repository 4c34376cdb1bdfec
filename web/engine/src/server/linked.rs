//! What a link has besides scenario and view: a sentence of the sender, and the result of the run there.

use super::Server;
use heddle_core::scenario::link::{Proof, RunMark};
use heddle_player::{Player, Proved};
use heddle_view::{LinkFor, LinkView, LinkedView};

/// The additions of a link.
pub struct Linked {
    caption: Option<(i64, String)>,
    proof: Option<Proof>,
    marks: Vec<RunMark>,
}

impl Linked {
    /// Returns those of an opened link; `None` if it has none.
    pub fn of(view: Option<&LinkView>, proof: Option<Proof>) -> Option<Linked> {
        let caption = view.and_then(|v| Some((v.time_ms.unwrap_or(0), v.caption.clone()?)));
        let marks = view.map(|v| v.marks.clone()).unwrap_or_default();
        (caption.is_some() || proof.is_some()).then_some(Linked { caption, proof, marks })
    }
}

impl Server {
    /// Returns the view of the link's additions, while its text is the one that runs.
    pub(super) fn told_by_link(&self, player: &Player) -> Option<LinkedView> {
        let linked = self.linked.as_ref().filter(|_| self.document.running == self.document.opened)?;
        let proof = linked.proof.as_ref().map(|proof| {
            let proved = player.proved(proof, &linked.marks);
            (!matches!(proved, Proved::Differs(..)), proved.said(proof))
        });
        Some(LinkedView { caption: linked.caption.clone(), proof })
    }

    /// Returns the view and the proof for a link to this text; what the opened link had is passed on in the next one.
    pub(super) fn passed_on(&self, text: &str, view: LinkView, purpose: LinkFor) -> (LinkView, Option<Proof>) {
        let Some(linked) = self.linked.as_ref().filter(|_| text == self.document.opened) else { return (view, None) };
        let at = linked
            .caption
            .as_ref()
            .filter(|(at, _)| view.time_ms == Some(*at) || matches!(purpose, LinkFor::Address { .. }));
        let caption = view.caption.clone().or_else(|| at.map(|(_, caption)| caption.clone()));
        (LinkView { caption, marks: linked.marks.clone(), ..view }, linked.proof.clone())
    }
}
