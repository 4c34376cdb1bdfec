//! The gallery: a scenario for each question, with the answer. The page opens with one of them.

use heddle_core::scenario::{self, Card, Scenario};
use heddle_view::{CardView, ExampleView};

/// Names, texts, the number of steps that the real schedulers decided alike (0 if that was not observed for the present run),
/// YARN's words, and pictures.
const ALL: &[(&str, &str, u64, &str, &str)] = include!(concat!(env!("OUT_DIR"), "/gallery.rs"));

/// The documents whose worked examples are in the gallery, as sources name them.
const DOCUMENTS: [&str; 6] = [
    "Placement Constraints",
    "Better SLAs via Resource-preemption",
    "Schedulers demystified",
    "Hadoop documentation, Fair Scheduler",
    "Apache Slider Placement",
    "Host Affinity & YARN",
];

/// The scenario that the page opens with.
pub const FIRST: &str = include_str!("../../../../scenarios/q39-anti-affinity.toml");

/// The empty scenario.
pub const EMPTY: &str = "heddle = 1\ntitle = \"\"\nscheduling = \"heartbeat\"\nuntil = \"5 min\"\n\n\
    [capacity-scheduler]\nroot.queues = \"default\"\nroot.default.capacity = 100\n";

pub fn text(name: &str) -> Option<&'static str> {
    ALL.iter().find(|(n, ..)| *n == name).map(|(_, text, ..)| *text)
}

/// Returns all cards; reads every scenario for that.
pub fn cards() -> Vec<ExampleView> {
    let example = |(name, text, proved, words, picture): &(&str, &str, u64, &str, &str)| {
        let card = scenario::read(text).scenario.map(|s| card(&s)).unwrap_or_default();
        let documented = DOCUMENTS.iter().any(|document| card.source.contains(document));
        ExampleView {
            name: (*name).to_owned(),
            card,
            proved_steps: *proved,
            words: (*words).to_owned(),
            picture: picture.parse().unwrap_or_default(),
            documented,
        }
    };
    ALL.iter().map(example).collect()
}

/// Returns the card of a scenario; if it has no question, its title is used.
fn card(scenario: &Scenario) -> CardView {
    let card = scenario.card.as_ref().map(view).unwrap_or_default();
    let question = if card.question.is_empty() { scenario.title.clone() } else { card.question };
    CardView { question, ..card }
}

/// Returns a card as it is written.
pub fn view(card: &Card) -> CardView {
    let Card { id, question, source, answer, look, topic } = card.clone();
    CardView { id, question, answer, look, source, topic }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn every_scenario_has_a_card_and_opens_by_its_name() {
        let cards = cards();
        let files = std::fs::read_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/../../scenarios")).expect("the folder");
        assert_eq!(cards.len(), files.flatten().filter(|f| f.path().extension().is_some_and(|x| x == "toml")).count());
        assert!(cards.iter().all(|c| !c.card.question.is_empty() && text(&c.name).is_some()));
        assert!(cards.iter().all(|c| c.proved_steps > 0), "prove the gallery again: cargo xtask prove --record");
        let find = |words: &str| cards.iter().any(|c| c.words.contains(words));
        assert!(find("Queue's AM resource limit exceeded") && find("Queue hits user max-capacity limit"));
        let questions: BTreeSet<&str> = cards.iter().map(|c| c.card.question.as_str()).collect();
        assert_eq!(questions.len(), cards.len(), "no two cards have one question");
        assert!(cards.iter().all(|c| !c.picture.nodes.is_empty() || !c.picture.waiting.is_empty()));
        let topics: BTreeSet<&str> = cards.iter().map(|c| c.card.topic.as_str()).collect();
        let told = ["accepted", "constraints", "labels", "preemption", "samza", "sharing", "size", "slider"];
        assert!(topics.iter().eq(&told), "topics that the page has a heading for: {topics:?}");
        for document in DOCUMENTS {
            assert!(cards.iter().any(|c| c.card.source.contains(document)), "{document}");
        }
        assert!(cards.windows(2).all(|pair| pair[0].name < pair[1].name), "in the order of their names");
        assert!(text("q39-anti-affinity") == Some(FIRST) && text("nothing").is_none());
        assert!(scenario::read(EMPTY).scenario.is_some());
    }
}
