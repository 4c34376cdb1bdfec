//! A shape for each fate; its colour only repeats that.

use heddle_view::Fate;
use yew::prelude::*;

/// The meaning of a shape.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mark {
    Of(Fate),
    /// A check that passes.
    Pass,
    /// Outside the partition.
    Outside,
}

impl From<Fate> for Mark {
    fn from(fate: Fate) -> Self {
        Mark::Of(fate)
    }
}

impl Mark {
    /// Returns the class that colours it.
    pub fn class(self) -> &'static str {
        match self {
            Mark::Of(Fate::Placed) => "placed",
            Mark::Of(Fate::Reserved) => "reserved",
            Mark::Of(Fate::Waiting) => "waiting",
            Mark::Of(Fate::Rejected) => "rejected",
            Mark::Of(Fate::Preempting) => "preempting",
            Mark::Of(Fate::Lost) => "lost",
            Mark::Of(Fate::Joined) => "joined",
            Mark::Of(Fate::Finished) => "finished",
            Mark::Pass | Mark::Outside => "ok",
        }
    }
}

/// Draws the shape, hidden from screen readers because a word is always beside it.
pub fn mark(what: impl Into<Mark>) -> Html {
    let what = what.into();
    let d = match what {
        Mark::Of(Fate::Placed) => "M10 6a4 4 0 1 1-8 0 4 4 0 1 1 8 0Z",
        Mark::Of(Fate::Reserved) => "M6 1.2 10.8 6 6 10.8 1.2 6Z",
        Mark::Of(Fate::Waiting) => "M10.2 6a4.2 4.2 0 1 1-8.4 0 4.2 4.2 0 1 1 8.4 0Z",
        Mark::Of(Fate::Rejected) => "M2.2 2.2l7.6 7.6M9.8 2.2 2.2 9.8",
        Mark::Of(Fate::Preempting) => "M1 2.5h10L6 10.5Z",
        Mark::Of(Fate::Lost) => "M10.2 6a4.2 4.2 0 1 1-8.4 0 4.2 4.2 0 1 1 8.4 0ZM3 9 9 3",
        Mark::Of(Fate::Joined) => "M6 1.5v9M1.5 6h9",
        Mark::Of(Fate::Finished) | Mark::Pass => "M2 6.4 4.8 9.2 10 3.2",
        Mark::Outside => "M2 2h8v8h-8Z",
    };
    html! { <svg class={classes!("m", what.class())} viewBox="0 0 12 12" aria-hidden="true"><path {d}/></svg> }
}
