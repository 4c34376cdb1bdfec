//! What an author says of a scenario: captions, a gallery card, a note. It was written for the scenario as it was then, and
//! is not to be said of another one.

use super::document::{Caption, Card, Scenario};
use crate::model::Fold;
use toml_edit::{DocumentMut, Item, TableLike, Value};

/// Parts of a scenario that decide nothing of what happens.
const BESIDE: [&str; 8] = ["heddle", "title", "note", "card", "captions", "worlds", "expect", "start_at"];

/// One thing that an author says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Words {
    Caption { at: i64, text: String, select: String },
    Card(Card),
    Note(String),
}

impl Words {
    /// Those of a caption, wherever it stands in the text.
    pub fn of(caption: &Caption) -> Words {
        Words::Caption { at: caption.at, text: caption.text.clone(), select: caption.select.clone() }
    }

    /// All that a scenario has.
    pub fn all(scenario: &Scenario) -> Vec<Words> {
        let card = scenario.card.clone().map(Words::Card);
        let note = Some(&scenario.note).filter(|n| !n.is_empty()).cloned().map(Words::Note);
        scenario.captions.iter().map(Words::of).chain(card).chain(note).collect()
    }
}

/// Returns a fingerprint of all in a text that can decide what happens: comments, order of lines within a table, and what is
/// only said are none of it. `None`: the text cannot be read.
pub fn played(text: &str) -> Option<u64> {
    let document = toml_edit::Document::parse(text).ok()?;
    let mut fold = Fold::default();
    for (name, item) in document.as_table().iter().filter(|(name, _)| !BESIDE.contains(name)) {
        fold.bytes(name.as_bytes());
        fold_item(&mut fold, item, 0);
    }
    Some(fold.value())
}

/// How deep tables of tables are looked into.
const DEPTH: usize = 64;

fn fold_item(fold: &mut Fold, item: &Item, depth: usize) {
    match item {
        Item::None => {}
        Item::Value(value) => fold_value(fold, value, depth),
        Item::Table(table) => fold_table(fold, table, depth),
        Item::ArrayOfTables(list) => {
            fold.word(list.len() as u64);
            list.iter().for_each(|table| fold_table(fold, table, depth));
        }
    }
}

fn fold_table(fold: &mut Fold, table: &dyn TableLike, depth: usize) {
    fold.word(table.len() as u64);
    if depth < DEPTH {
        for (name, item) in table.iter() {
            fold.bytes(name.as_bytes());
            fold_item(fold, item, depth + 1);
        }
    }
}

fn fold_value(fold: &mut Fold, value: &Value, depth: usize) {
    match value {
        Value::String(text) => fold.bytes(text.value().as_bytes()),
        Value::Integer(n) => fold.word(n.value().unsigned_abs() ^ (u64::from(*n.value() < 0) << 63)),
        Value::Float(n) => fold.word(n.value().to_bits()),
        Value::Boolean(b) => fold.word(u64::from(*b.value())),
        Value::Datetime(at) => fold.bytes(at.value().to_string().as_bytes()),
        Value::Array(list) => {
            fold.word(list.len() as u64);
            if depth < DEPTH {
                list.iter().for_each(|value| fold_value(fold, value, depth + 1));
            }
        }
        Value::InlineTable(table) => fold_table(fold, table, depth),
    }
}

/// Returns a scenario's text without these words; everything else stays letter for letter. Words that are not found stay.
pub fn without(text: &str, gone: &[Words]) -> Option<String> {
    let mut document: DocumentMut = text.parse().ok()?;
    let scenario = super::read(text).scenario?;
    let mut written: Vec<&Caption> = scenario.captions.iter().collect();
    crate::model::order::sort_by_key(&mut written, |c| c.span.start);
    let stay: Vec<bool> = written.iter().map(|c| !gone.contains(&Words::of(c))).collect();
    if stay.iter().all(|stays| !stays) {
        document.remove("captions");
    } else {
        let stays = |n: usize| stay.get(n).copied().unwrap_or(true);
        match document.get_mut("captions") {
            Some(Item::ArrayOfTables(list)) => {
                for n in (0..list.len()).rev().filter(|n| !stays(*n)) {
                    list.remove(n);
                }
            }
            Some(Item::Value(Value::Array(list))) => {
                for n in (0..list.len()).rev().filter(|n| !stays(*n)) {
                    list.remove(n);
                }
            }
            _ => {}
        }
    }
    for words in gone {
        match words {
            Words::Card(_) => _ = document.remove("card"),
            Words::Note(_) => _ = document.remove("note"),
            Words::Caption { .. } => {}
        }
    }
    Some(document.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scenario::read;

    const TEXT: &str = "# a file\nheddle = 1\ntitle = \"t\"\nnote = \"n\"\n\n[[nodes]]\nname = \"n\"\nsize = \"8 GB/4\"\n\n\
        [card]\nid = \"Q1\"\nquestion = \"why?\"\n\n[[captions]]\nat = 1\ntext = \"one\"\n\n[[captions]]\nat = 2\ntext = \"two\"\n\n\
        [[apps]]\nname = \"a\"\ntasks = [{ count = 3 }]\n";

    #[test]
    fn only_what_can_happen_counts() {
        let same = |text: &str| assert_eq!(played(text), played(TEXT), "{text}");
        same(&format!("# more\n\n{TEXT}"));
        same(&TEXT.replace("\"one\"", "\"other\"").replace("title = \"t\"", "title = \"u\""));
        same(&TEXT.replace("size = \"8 GB/4\"", "size   = \"8 GB/4\" # big"));
        for (was, is) in [("count = 3", "count = 2"), ("\"8 GB/4\"", "\"9 GB/4\""), ("name = \"a\"", "name = \"b\"")] {
            assert_ne!(played(&TEXT.replace(was, is)), played(TEXT), "{is}");
        }
        assert_ne!(played(&format!("{TEXT}\n[[nodes]]\nname = \"m\"\n")), played(TEXT));
        assert_eq!(played("= ="), None);
    }

    #[test]
    fn words_are_left_out_and_the_rest_stays() {
        let all = Words::all(&read(TEXT).scenario.expect("it reads"));
        assert_eq!(all.len(), 4);
        assert_eq!(without(TEXT, &[]).as_deref(), Some(TEXT));
        let one = without(TEXT, &all[..1]).expect("it is written");
        assert!(!one.contains("\"one\"") && one.contains("\"two\"") && one.contains("[card]"), "{one}");
        let none = without(TEXT, &all).expect("it is written");
        let left = read(&none).scenario.expect("it reads");
        assert!(Words::all(&left).is_empty(), "{none}");
        assert!(none.starts_with("# a file\n") && played(&none) == played(TEXT));
    }
}
