use super::*;
use std::collections::BTreeSet;

/// Every row is found by its own words, or an earlier row takes them for the same thing or a part of it.
#[test]
fn no_row_is_hidden_by_another_thing() {
    let mut hidden = Vec::new();
    for row in rows() {
        // The template with a plausible figure in each hole.
        let mut text = String::new();
        let mut rest = row.template;
        while let Some((before, after)) = rest.split_once('{') {
            let (hole, after) = after.split_once('}').expect("a hole is closed");
            text.push_str(before);
            text.push_str(match hole.split_once(':') {
                Some((_, "n")) => "7",
                Some((_, "f")) => "7.5",
                Some((_, "r")) => "<memory:7, vCores:7>",
                _ => "name7",
            });
            rest = after;
        }
        text.push_str(rest);
        for words in row.also {
            text = format!("{words} {text}");
        }
        match recognise(&text) {
            Some(found) if found.row.id == row.id && (found.row.what == row.what || found.row.scene == row.scene) => {}
            found => hidden.push((row.what, text, found.map(|line| line.row.what))),
        }
    }
    let known: BTreeSet<&str> = hidden.iter().map(|(what, ..)| *what).collect();
    assert!(hidden.is_empty(), "{} rows: {known:?}\n{hidden:#?}", hidden.len());
}

/// A row that Heddle does not play says why in one sentence; any other row has a scenario.
#[test]
fn each_row_says_or_builds() {
    for row in rows() {
        match row.ours {
            Ours::No => assert!(row.say.ends_with('.') && row.scene == build::Scene::None, "{row:?}"),
            Ours::Partly => assert!(row.say.ends_with('.'), "{row:?}"),
            Ours::Yes => assert!(
                row.scene != build::Scene::None && !(row.why.is_empty() && row.kind != Kind::Submission),
                "{row:?}"
            ),
        }
    }
}
