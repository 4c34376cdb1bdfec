//! Questions to start from, compiled in: the page may fetch nothing.

use heddle_core::scenario;

/// A card of the gallery.
#[derive(Clone, Debug, PartialEq)]
pub struct Example {
    /// File name without its ending.
    pub name: &'static str,
    /// The scenario.
    pub text: &'static str,
    /// The question in the asker's voice.
    pub question: String,
    /// The answer in a sentence or two.
    pub answer: String,
    /// Where it was asked.
    pub source: String,
    /// What it is about.
    pub topic: String,
}

/// The gallery's files by name.
const FILES: &[(&str, &str)] = include!(concat!(env!("OUT_DIR"), "/scenarios.rs"));

/// What the page opens with.
pub const FIRST: &str = include_str!("../../../scenarios/q39-anti-affinity.toml");

/// All cards.
pub fn all() -> Vec<Example> {
    FILES
        .iter()
        .map(|(name, text)| {
            let read = scenario::read(text).scenario;
            let card = read.as_ref().and_then(|s| s.card.clone()).unwrap_or_default();
            let title = read.map(|s| s.title).unwrap_or_default();
            let question = if card.question.is_empty() { title } else { card.question };
            Example { name, text, question, answer: card.answer, source: card.source, topic: card.topic }
        })
        .collect()
}

#[cfg(test)]
mod tests {
    #[test]
    fn every_card_can_be_read() {
        for example in super::all() {
            let read = heddle_core::scenario::read(example.text);
            assert!(read.scenario.is_some(), "{}: {:?}", example.name, read.problems);
            assert!(!example.question.is_empty(), "{}", example.name);
        }
    }
}
