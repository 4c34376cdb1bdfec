//! The icons on buttons.

use yew::prelude::*;

/// Draws an icon of 14 by 14.
pub fn icon(path: &'static str) -> Html {
    html! { <svg viewBox="0 0 14 14" aria-hidden="true"><path d={path}/></svg> }
}

/// An arrow turning back.
pub const UNDO: &str = "M4.5 2 2 4.5 4.5 7M2 4.5h6.2a3.7 3.7 0 0 1 0 7.4H5";
/// An arrow turning forward.
pub const REDO: &str = "M9.5 2 12 4.5 9.5 7M12 4.5H5.8a3.7 3.7 0 0 0 0 7.4H9";
/// A circle back to its beginning.
pub const OPENED: &str = "M3 7a4 4 0 1 1 1.3 3M3 3v3.8h3.8";
pub const START: &str = "M2 2h2v10H2zM12 2v10L5 7z";
/// One step back.
pub const BACK: &str = "M10.5 2v10L3.5 7z";
pub const PLAY: &str = "M4 2.2v9.6L12 7z";
pub const PAUSE: &str = "M3.5 2.5h2.6v9H3.5zM7.9 2.5h2.6v9H7.9z";
/// One step forward.
pub const ON: &str = "M3.5 2v10l7-5z";
/// The next event.
pub const NEXT: &str = "M10 2h2v10h-2zM2 2v10l7-5z";

/// Draws a disc, half light and half dark.
pub fn theme() -> Html {
    html! {
        <svg viewBox="0 0 14 14" aria-hidden="true"><circle cx="7" cy="7" r="5"/><path d="M7 2a5 5 0 0 1 0 10Z" fill="currentColor"/></svg>
    }
}

/// Draws the logo: threads led through an eye.
pub fn brand() -> Html {
    html! {
        <svg viewBox="0 0 16 18" aria-hidden="true">
            <path d="M2 1v16M14 1v16M8 1v4.6M8 12.4V17"/><ellipse cx="8" cy="9" rx="2.2" ry="3.4"/>
        </svg>
    }
}
