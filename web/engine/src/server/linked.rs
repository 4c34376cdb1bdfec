//! What a link says of the scenario that it holds, beside what to look at: a sentence of who sent it, and how the run came
//! out there.

use super::Server;
use heddle_core::scenario::link::{Proof, RunMark};
use heddle_player::{Player, Proved};
use heddle_view::{LinkFor, LinkView, LinkedView};

/// What a link said.
pub struct Linked {
    caption: Option<(i64, String)>,
    proof: Option<Proof>,
    marks: Vec<RunMark>,
}

impl Linked {
    /// Of a link that was opened; `None`: it says nothing.
    pub fn of(view: Option<&LinkView>, proof: Option<Proof>) -> Option<Linked> {
        let caption = view.and_then(|v| Some((v.time_ms.unwrap_or(0), v.caption.clone()?)));
        let marks = view.map(|v| v.marks.clone()).unwrap_or_default();
        (caption.is_some() || proof.is_some()).then_some(Linked { caption, proof, marks })
    }
}

impl Server {
    /// What is said, while what runs is what the link holds.
    pub(super) fn told_by_link(&self, player: &Player) -> Option<LinkedView> {
        let linked = self.linked.as_ref().filter(|_| self.document.running == self.document.opened)?;
        let proof = linked.proof.as_ref().map(|proof| {
            let proved = player.proved(proof, &linked.marks);
            (!matches!(proved, Proved::Differs(..)), proved.said(proof))
        });
        Some(LinkedView { caption: linked.caption.clone(), proof })
    }

    /// The view and the proof of a link to this text: what the link said that it was opened from is said by the next one, too.
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
