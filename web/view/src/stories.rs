//! The stories of a moment: what matters most, as cards, and the rest as lines.

use crate::{EventOutcome, Selection};
use serde::{Deserialize, Serialize};

/// The kind of a story.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum StoryKind {
    /// A queue has less than its guarantee, and its applications wait.
    Starved,
    /// Something was refused, or can never be placed.
    Refused,
    /// A queue has more than its guarantee while others starve.
    Over,
    /// Something else that waits.
    Waits,
}

/// A story.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct StoryView {
    pub kind: StoryKind,
    pub fate: EventOutcome,
    /// The kind in a word.
    pub word: String,
    /// The queue's full path, or the application's name.
    pub name: String,
    /// What opens its WHY.
    pub about: Selection,
    /// A time or a factor: "12:16", "6.4 ×".
    pub figure: String,
    /// One or two short sentences.
    pub text: String,
    /// The reason in a few words.
    pub short: String,
    /// A bar: used, wanted beyond that, and the mark, in MiB; `None` where no amount decides.
    pub bar: Option<StoryBar>,
}

/// The bar of a story.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct StoryBar {
    pub used: i64,
    pub wanted: i64,
    /// The guarantee or the limit.
    pub mark: i64,
}

/// All stories of a moment.
#[derive(Clone, Debug, PartialEq, Default, Serialize, Deserialize)]
pub struct StoriesView {
    /// The first ones, at most three, of different kinds where there are.
    pub cards: Vec<StoryView>,
    /// The next ones.
    pub lines: Vec<StoryView>,
    /// The number of stories that are not listed.
    pub more: usize,
}
