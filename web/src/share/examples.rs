//! Questions to start from. The page opens with one.

use heddle_core::scenario;

/// A card of the gallery.
#[derive(Clone, PartialEq)]
pub struct Example {
    /// File name without its ending.
    pub name: String,
    /// The scenario.
    pub text: String,
    /// The question in the asker's voice.
    pub question: String,
    /// The answer in a sentence or two.
    pub answer: String,
    /// Where it was asked.
    pub source: String,
    /// What it is about.
    pub topic: String,
}

/// What the page opens with.
pub const FIRST: &str = include_str!("../../../scenarios/q39-anti-affinity.toml");

/// All cards.
pub fn all() -> Vec<Example> {
    heddle_engine::GALLERY.iter().map(|(name, text)| card(name, text)).collect()
}

fn card(name: &str, text: &str) -> Example {
    let (name, text) = (name.to_owned(), text.to_owned());
    let read = scenario::read(&text).scenario;
    let title = read.as_ref().map(|s| s.title.clone()).unwrap_or_default();
    let card = read.and_then(|s| s.card).unwrap_or_default();
    let question = if card.question.is_empty() { title } else { card.question };
    Example { name, text, question, answer: card.answer, source: card.source, topic: card.topic }
}
