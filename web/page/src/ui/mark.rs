//! A shape for each fate; its colour only repeats that.

use heddle_view::EventOutcome;
use yew::prelude::*;

/// The meaning of a shape.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mark {
    Of(EventOutcome),
    /// A check that passes.
    Pass,
    /// Outside the partition.
    Outside,
}

impl From<EventOutcome> for Mark {
    fn from(fate: EventOutcome) -> Self {
        Mark::Of(fate)
    }
}

impl Mark {
    /// Returns the class that colours it.
    pub fn class(self) -> &'static str {
        match self {
            Mark::Of(EventOutcome::Placed) => "placed",
            Mark::Of(EventOutcome::Reserved) => "reserved",
            Mark::Of(EventOutcome::Waiting) => "waiting",
            Mark::Of(EventOutcome::Rejected) => "rejected",
            Mark::Of(EventOutcome::Preempting) => "preempting",
            Mark::Of(EventOutcome::Lost) => "lost",
            Mark::Of(EventOutcome::Joined) => "joined",
            Mark::Of(EventOutcome::Finished) => "finished",
            Mark::Pass | Mark::Outside => "ok",
        }
    }
}

/// Draws the shape, hidden from screen readers because a word is always beside it.
pub fn mark(what: impl Into<Mark>) -> Html {
    let what = what.into();
    let d = match what {
        Mark::Of(EventOutcome::Placed) => "M10 6a4 4 0 1 1-8 0 4 4 0 1 1 8 0Z",
        Mark::Of(EventOutcome::Reserved) => "M6 1.2 10.8 6 6 10.8 1.2 6Z",
        Mark::Of(EventOutcome::Waiting) => "M10.2 6a4.2 4.2 0 1 1-8.4 0 4.2 4.2 0 1 1 8.4 0Z",
        Mark::Of(EventOutcome::Rejected) => "M2.2 2.2l7.6 7.6M9.8 2.2 2.2 9.8",
        Mark::Of(EventOutcome::Preempting) => "M1 2.5h10L6 10.5Z",
        Mark::Of(EventOutcome::Lost) => "M10.2 6a4.2 4.2 0 1 1-8.4 0 4.2 4.2 0 1 1 8.4 0ZM3 9 9 3",
        Mark::Of(EventOutcome::Joined) => "M6 1.5v9M1.5 6h9",
        Mark::Of(EventOutcome::Finished) | Mark::Pass => "M2 6.4 4.8 9.2 10 3.2",
        Mark::Outside => "M2 2h8v8h-8Z",
    };
    html! { <svg class={classes!("m", what.class())} viewBox="0 0 12 12" aria-hidden="true"><path {d}/></svg> }
}
