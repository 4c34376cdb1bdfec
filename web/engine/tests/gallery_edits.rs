//! The first things that users try with a scenario of the gallery: renaming or removing its first application. Both work; the
//! consequences are warnings at most.

use heddle_core::model::Severity;
use heddle_core::scenario;
use heddle_engine::document::gallery;
use heddle_engine::edits::apply;
use heddle_view::{Change, Edit, How, Step};

#[test]
fn the_first_application_can_be_renamed_and_removed_everywhere() {
    let cards = gallery::cards();
    assert!(cards.len() > 40);
    let mut wrong = Vec::new();
    for card in cards {
        let text = gallery::text(&card.name).expect("it is there");
        let scenario = scenario::read(text).scenario.expect("it can be read");
        if scenario.apps.is_empty() {
            continue;
        }
        let first = || vec![Step::from("apps"), Step::from(0)];
        let name = first().into_iter().chain([Step::from("name")]).collect();
        let several = scenario.apps.iter().filter(|a| a.entry == scenario.apps[0].entry).count() > 1;
        let typed = if several { "another{1}" } else { "another" };
        for (change, typed) in [(Change::Put { path: name, how: How::Text }, typed), (Change::Remove(first()), "")] {
            let edit = Edit { what: "it".into(), change };
            match apply(text, &edit, typed, Some(&scenario)) {
                Err(why) => wrong.push(format!("{}: {edit:?}: {why}", card.name)),
                Ok(next) => {
                    let errors = scenario::read(&next).problems.into_iter().filter(|p| p.severity == Severity::Error);
                    wrong.extend(errors.map(|p| format!("{}: {edit:?}: {}", card.name, p.render(&next))));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{} of them:\n{}", wrong.len(), wrong.join("\n"));
}
