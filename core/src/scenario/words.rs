//! The author's words about a scenario: its title, a note, a gallery card, captions, reasons of expectations. They were
//! written for the scenario as it was then, and must not be shown with another one.
//!
//! The rule is the same whatever changed the scenario (typing, a form, an import, undo): words belong to the scenario in
//! which they were first seen, identified by the fingerprint of all that can happen there ([`played`]). While another one
//! runs,
//!
//! | words | on the page | where the text is passed on (link, draft, file) |
//! |---|---|---|
//! | title | with the mark "(edited)" | with that mark |
//! | note | not shown at all | after [`BEFORE`] |
//! | card, caption | not shown | as a comment |
//! | reason of an expectation | not shown | after [`BEFORE`] |
//!
//! In a text with an error, words about another scenario are passed on in the same way: its readable parts are compared
//! ([`Flawed`]).
//!
//! An expectation itself stays, since it is evaluated. Nothing is lost: the author's own text stays as it is, undo makes
//! the words true again, and new words in their place belong to the new scenario.

use super::document::{Caption, Card, Scenario};
use crate::model::Fold;
use heddle_view::secrets;
use std::ops::Range;
use toml_edit::{Document, Item, TableLike, Value};

/// The parts of a scenario that do not affect the run.
const BESIDE: [&str; 8] = ["heddle", "title", "note", "card", "captions", "worlds", "expect", "start_at"];
/// The suffix of an edited title.
const EDITED: &str = " (edited)";
/// The prefix of an outdated note or reason.
pub const BEFORE: &str = "of the scenario before it was edited: ";
/// The line above words that became comments.
const COMMENT: &str = "# Written for the scenario before it was edited:";

/// One statement of the author's.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum AuthorText {
    Title(String),
    Note(String),
    Card(Card),
    Caption {
        at: i64,
        text: String,
        select: String,
    },
    /// The reason of an expectation.
    Reason(String),
}

impl AuthorText {
    /// Returns the words of a caption, wherever it stands in the text.
    pub fn of(caption: &Caption) -> AuthorText {
        AuthorText::Caption { at: caption.at, text: caption.text.clone(), select: caption.select.clone() }
    }

    /// Returns all words of a scenario.
    pub fn all(scenario: &Scenario) -> Vec<AuthorText> {
        let some = |text: &String| Some(text).filter(|text| !text.is_empty()).cloned();
        let title = some(&scenario.title).map(AuthorText::Title);
        let note = some(&scenario.note).map(AuthorText::Note);
        let card = scenario.card.clone().map(AuthorText::Card);
        let captions = scenario.captions.iter().map(AuthorText::of);
        let reasons = scenario.expectations.iter().filter_map(|e| some(&e.because)).map(AuthorText::Reason);
        title.into_iter().chain(note).chain(card).chain(captions).chain(reasons).collect()
    }

    /// Returns a fingerprint of these words, by which they are recognised.
    pub fn print(&self) -> u64 {
        let mut fold = Fold::default();
        let (kind, texts) = match self {
            AuthorText::Title(text) => (0, vec![text]),
            AuthorText::Note(text) => (1, vec![text]),
            AuthorText::Card(card) => {
                (2, vec![&card.id, &card.question, &card.source, &card.answer, &card.look, &card.topic])
            }
            AuthorText::Caption { at, text, select } => {
                fold.word(at.unsigned_abs());
                (3, vec![text, select])
            }
            AuthorText::Reason(text) => (4, vec![text]),
        };
        fold.word(kind);
        texts.iter().for_each(|text| fold.bytes(text.as_bytes()));
        fold.value()
    }

    /// Returns whether these words are hidden, and become a comment, for another scenario; the others carry a mark.
    pub fn is_hidden(&self) -> bool {
        match self {
            AuthorText::Card(_) | AuthorText::Caption { .. } => true,
            AuthorText::Title(_) | AuthorText::Note(_) | AuthorText::Reason(_) => false,
        }
    }
}

/// Returns the title of an edited scenario.
pub fn edited_title(title: &str) -> String {
    if title.is_empty() || title.ends_with(EDITED) {
        return title.to_owned();
    }
    if title.len() + EDITED.len() <= super::read::TITLE_MAX {
        return format!("{title}{EDITED}");
    }
    let room = super::read::TITLE_MAX - EDITED.len() - "…".len();
    let cut = (0..=room).rev().find(|n| title.is_char_boundary(*n)).unwrap_or(0);
    format!("{}…{EDITED}", &title[..cut])
}

/// Returns a note or a reason, marked as older than the edit.
fn before(text: &str) -> String {
    if text.starts_with(BEFORE) { text.to_owned() } else { format!("{BEFORE}{text}") }
}

/// Returns a fingerprint of everything in a text that can affect the run: comments, the order of lines within a table, and
/// the author's words do not count, and secrets count as their masks. `None`: the text cannot be read.
pub fn played(text: &str) -> Option<u64> {
    let masked = secrets::mask(text);
    let document = Document::parse(masked.as_ref().map_or(text, |masked| masked.text.as_str())).ok()?;
    let mut fold = Fold::default();
    for (name, item) in document.as_table().iter().filter(|(name, _)| !BESIDE.contains(name)) {
        fold.bytes(name.as_bytes());
        fold_item(&mut fold, item, 0);
    }
    Some(fold.value())
}

/// The depth to which nested tables are folded.
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

/// The readable parts of a text with an error.
pub struct Flawed {
    /// The words in the text, and their places; the rest of the scenario is not used.
    scenario: Box<Scenario>,
    /// The text with commented-out lines in place of those that are not TOML, so that all places match the original text.
    mended: String,
    /// The fingerprint of everything that can affect the run.
    pub played: u64,
}

/// The maximum number of lines left out of a text that is not TOML.
const LINES_LEFT_OUT: usize = 8;

impl Flawed {
    /// Reads a text that has an error according to [`read`](fn@super::read); `None`: too much of it is not TOML.
    pub fn read(text: &str, flawed: Option<Box<Scenario>>) -> Option<Flawed> {
        if let Some(scenario) = flawed {
            return Some(Flawed { scenario, mended: text.to_owned(), played: played(text)? });
        }
        let mut mended = text.to_owned();
        for _ in 0..LINES_LEFT_OUT {
            let Err(error) = Document::parse(mended.as_str()) else { break };
            let at = error.span()?.start.min(mended.len());
            // Unterminated constructs fail at the end of the text; the last line that is not empty is then left out.
            let at = mended.get(..at)?.trim_end().len().min(at);
            let line = lines(&mended, at..at);
            let comment = format!("#{}", " ".repeat(line.len().checked_sub(1)?));
            mended.replace_range(line, &comment);
        }
        let read = super::read(&mended);
        let scenario = read.scenario.map(Box::new).or(read.flawed)?;
        Some(Flawed { scenario, played: played(&mended)?, mended })
    }

    /// Returns the author's words in the text.
    pub fn words(&self) -> Vec<AuthorText> {
        AuthorText::all(&self.scenario)
    }

    /// Returns `text`, the one that was read, as [`passed_on`] does.
    pub fn passed_on(&self, text: &str, gone: &[AuthorText]) -> Option<String> {
        let document = Document::parse(self.mended.as_str()).ok()?;
        apply(text, cuts(&document, &self.mended, &self.scenario, gone))
    }
}

/// Returns `text`, of this scenario, in the form in which it is passed on if the words `gone` were written for another one
/// (see the rule above); everything else stays verbatim. `None`: the text cannot be read, or nothing changes.
pub fn passed_on(text: &str, scenario: &Scenario, gone: &[AuthorText]) -> Option<String> {
    let document = Document::parse(text).ok()?;
    apply(text, cuts(&document, text, scenario, gone))
}

/// Returns the places of the words, with their replacements.
fn cuts(
    document: &Document<&str>,
    text: &str,
    scenario: &Scenario,
    gone: &[AuthorText],
) -> Vec<(Range<usize>, String)> {
    let root = document.as_table();
    let mut cuts: Vec<(Range<usize>, String)> = Vec::new();
    if gone.contains(&AuthorText::Title(scenario.title.clone())) {
        cuts.extend(replaced(root, "title", &edited_title(&scenario.title)));
    }
    if gone.contains(&AuthorText::Note(scenario.note.clone())) {
        cuts.extend(replaced(root, "note", &before(&scenario.note)));
    }
    let reasons = entries(root, "expect").into_iter().zip(&scenario.expectations);
    for (entry, expectation) in reasons.filter(|(_, e)| gone.contains(&AuthorText::Reason(e.because.clone()))) {
        cuts.extend(replaced(entry.table, "because", &before(&expectation.because)));
    }
    if scenario.card.as_ref().is_some_and(|card| gone.contains(&AuthorText::Card(card.clone()))) {
        cuts.extend(item_lines(text, root, "card").into_iter().map(|lines| commented(text, lines)));
    }
    cuts.extend(captions(text, root, scenario, gone));
    cuts
}

/// Returns `text` with each of these ranges replaced; `None`: there are none.
fn apply(text: &str, mut cuts: Vec<(Range<usize>, String)>) -> Option<String> {
    if cuts.is_empty() {
        return None;
    }
    crate::model::order::sort_by_key(&mut cuts, |(range, _)| range.start);
    let (mut out, mut at) = (String::with_capacity(text.len() + 64), 0);
    for (range, with) in cuts {
        if range.start < at {
            continue;
        }
        out.push_str(text.get(at..range.start)?);
        out.push_str(&with);
        at = range.end;
    }
    out.push_str(text.get(at..)?);
    Some(out)
}

/// A table of a list of tables.
struct Entry<'d> {
    table: &'d dyn TableLike,
    /// The header's place, or that of the whole inline table.
    at: Range<usize>,
}

/// Returns the tables of a list, in the order of the text; a single one may stand without brackets.
fn entries<'d>(root: &'d dyn TableLike, key: &str) -> Vec<Entry<'d>> {
    let entry = |table: &'d dyn TableLike, at: Option<Range<usize>>| Entry { table, at: at.unwrap_or_default() };
    match root.get(key) {
        Some(Item::ArrayOfTables(list)) => list.iter().map(|table| entry(table, table.span())).collect(),
        Some(Item::Value(Value::Array(list))) => {
            list.iter().filter_map(|v| Some(entry(v.as_inline_table()?, v.span()))).collect()
        }
        Some(Item::Table(table)) => vec![entry(table, table.span())],
        Some(Item::Value(Value::InlineTable(table))) => vec![entry(table, table.span())],
        Some(Item::None | Item::Value(_)) | None => Vec::new(),
    }
}

/// Returns the place of the text under a key, with its replacement.
fn replaced(table: &dyn TableLike, key: &str, with: &str) -> Option<(Range<usize>, String)> {
    let Some(Item::Value(value @ Value::String(_))) = table.get(key) else { return None };
    // Quoted on one line, which is valid anywhere.
    let mut quoted = String::from("\"");
    for c in with.chars() {
        match c {
            '"' => quoted.push_str("\\\""),
            '\\' => quoted.push_str("\\\\"),
            '\n' => quoted.push_str("\\n"),
            '\t' => quoted.push('\t'),
            c if c.is_control() => quoted.push_str(&format!("\\u{:04X}", u32::from(c))),
            c => quoted.push(c),
        }
    }
    quoted.push('"');
    Some((value.span()?, quoted))
}

/// Comments out the captions that no longer apply.
fn captions(text: &str, root: &dyn TableLike, scenario: &Scenario, gone: &[AuthorText]) -> Vec<(Range<usize>, String)> {
    let mut written: Vec<&Caption> = scenario.captions.iter().collect();
    crate::model::order::sort_by_key(&mut written, |c| c.span.start);
    let stays: Vec<bool> = written.iter().map(|c| !gone.contains(&AuthorText::of(c))).collect();
    if stays.iter().all(|stays| *stays) {
        return Vec::new();
    }
    let all = entries(root, "captions");
    if let Some(Item::ArrayOfTables(_)) = root.get("captions") {
        let gone = all.iter().zip(&stays).filter(|(_, stays)| !**stays);
        return gone
            .map(|(entry, _)| commented(text, lines(text, entry.at.start..end(entry.table, entry.at.end))))
            .collect();
    }
    // A list in brackets may stand on one line, so all of it becomes a comment, and the remaining captions are written
    // anew.
    let stay: Vec<&str> = all
        .iter()
        .zip(&stays)
        .filter(|(_, stays)| **stays)
        .filter_map(|(entry, _)| text.get(entry.at.clone()))
        .collect();
    let mut out: Vec<_> = item_lines(text, root, "captions").into_iter().map(|lines| commented(text, lines)).collect();
    if let Some((_, with)) = out.last_mut().filter(|_| !stay.is_empty()) {
        with.push_str(&format!("\ncaptions = [{}]", stay.join(", ")));
    }
    out
}

/// Returns the lines of everything under a key, in the order of the text.
fn item_lines(text: &str, root: &dyn TableLike, key: &str) -> Vec<Range<usize>> {
    let name = root.key(key).and_then(|key| key.span());
    match root.get(key) {
        // Dotted keys such as `card.id = "…"`: each line has a key.
        Some(Item::Table(table)) if table.is_dotted() => {
            let values = table.iter().filter_map(|(key, item)| Some(table.key(key)?.span()?.start..item.span()?.end));
            values.map(|at| lines(text, at)).collect()
        }
        Some(Item::Table(table)) => {
            table.span().map(|at| lines(text, at.start..end(table, at.end))).into_iter().collect()
        }
        Some(Item::Value(value)) => {
            let at = name.zip(value.span()).map(|(name, value)| name.start..value.end);
            at.map(|at| lines(text, at)).into_iter().collect()
        }
        Some(Item::None | Item::ArrayOfTables(_)) | None => Vec::new(),
    }
}

/// Returns where the last value of a table ends.
fn end(table: &dyn TableLike, header: usize) -> usize {
    table.iter().filter_map(|(_, item)| item.span()).map(|at| at.end).fold(header, usize::max)
}

/// Extends a range to whole lines, without the last line break.
fn lines(text: &str, at: Range<usize>) -> Range<usize> {
    let start = text.get(..at.start).and_then(|before| before.rfind('\n')).map_or(0, |n| n + 1);
    let end = text.get(at.end..).and_then(|after| after.find('\n')).map_or(text.len(), |n| at.end + n);
    start..end
}

/// Returns these lines as comments.
fn commented(text: &str, at: Range<usize>) -> (Range<usize>, String) {
    let mut out = String::from(COMMENT);
    for line in text.get(at.clone()).unwrap_or_default().split('\n') {
        out.push_str(if line.is_empty() { "\n#" } else { "\n# " });
        out.push_str(line);
    }
    (at, out)
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

    /// The ways to write each kind of words, with `ONE` in their place.
    const FORMS: &[&str] = &[
        "title = \"ONE\"\n",
        "title = '''\nONE''' # said\n",
        "note = \"\"\"\nONE\n\\\"more\\\" \\\\ \"\"\"\n",
        "note = 'ONE'\n",
        "[card]\nid = \"Q1\"\n# why\nquestion = \"ONE\"\n",
        "card = { id = \"Q1\", answer = \"ONE\" } # a card\n",
        "card.id = \"Q1\"\ncard.look = \"ONE\"\n",
        "[[captions]]\nat = 1\ntext = \"ONE\" # first\n\n# between\n[[captions]]\nat = 0\ntext = \"two\"\n",
        "[[captions]]\nat = 1\n\n# between\ntext = \"\"\"\nONE\n\nmore\"\"\"\nselect = \"\"\n",
        "captions = [{ at = 1, text = \"ONE\" }, { at = 0, text = \"two\" }]\n",
        "captions = [\n  { at = 1, text = \"ONE\" }, # here\n]\n",
        "captions = { at = 1, text = \"ONE\" }\n",
        "[captions]\nat = 1\ntext = \"ONE\"\n",
        "[[expect]]\nat = 1\nplaced = 0\nbecause = \"ONE\"\n",
        "expect = [{ at = 1, placed = 0, because = \"ONE\" }, { at = 2, placed = 0 }]\n",
    ];

    /// Returns a scenario with one of them.
    fn with(form: &str) -> String {
        let table = form.starts_with('[');
        let (before, after) = if table { ("", form) } else { (form, "") };
        format!("# a file\nheddle = 1\n{before}[[nodes]] # here\nname = \"n\"\nsize = \"8 GB/4\"\n\n{after}# the end")
    }

    #[test]
    fn words_of_another_scenario_are_passed_on_as_such_and_nothing_is_lost() {
        for form in FORMS {
            for text in [with(form), with(form).replace('\n', "\r\n")] {
                let scenario = read(&text).scenario.unwrap_or_else(|| panic!("{text}: {:?}", read(&text).problems));
                let all = AuthorText::all(&scenario);
                assert_eq!(passed_on(&text, &scenario, &[]), None, "{text}");
                let one: Vec<AuthorText> = all.iter().filter(|w| format!("{w:?}").contains("ONE")).cloned().collect();
                assert_eq!(one.len(), 1, "{text}");
                let passed = passed_on(&text, &scenario, &one).unwrap_or_else(|| panic!("it changes: {text}"));
                let after = read(&passed).scenario.unwrap_or_else(|| panic!("{passed}: {:?}", read(&passed).problems));
                // The words that apply from now on, and the comments for whoever reads the text.
                let left = AuthorText::all(&after);
                assert!(!left.contains(&one[0]), "{passed}");
                let hidden = one[0].is_hidden();
                assert_eq!(left.len(), all.len() - usize::from(hidden), "{passed}");
                assert_eq!(left.iter().any(|w| format!("{w:?}").contains("ONE")), !hidden, "{passed}");
                assert!(passed.contains("ONE"), "{passed}");
                assert!(!text.contains("two") || passed.contains("\"two\"") && left.len() == 1, "{passed}");
                assert_eq!(after.expectations.len(), scenario.expectations.len(), "{passed}");
                for kept in ["# a file", "# here", "# the end", "\"8 GB/4\""] {
                    assert_eq!(passed.matches(kept).count(), text.matches(kept).count(), "{kept}: {passed}");
                }
                assert_eq!(played(&passed), played(&text), "{passed}");
                // Passing it on once more changes nothing.
                assert!(passed_on(&passed, &after, &left).is_none_or(|more| hidden || more == passed), "{passed}");
                if hidden && !text.contains('\r') {
                    // Uncommented, it is there again.
                    let lines = passed.lines().filter(|l| *l != COMMENT && !l.starts_with("captions = ["));
                    let again: Vec<&str> = lines
                        .map(|l| l.strip_prefix("# ").filter(|l| text.lines().any(|t| t == *l)).unwrap_or(l))
                        .collect();
                    assert!(text.lines().all(|l| l.is_empty() || again.contains(&l)), "{passed}");
                }
            }
        }
    }

    #[test]
    fn a_title_has_one_mark_and_stays_short_enough() {
        assert_eq!(edited_title("Three nodes"), "Three nodes (edited)");
        assert_eq!(edited_title(&edited_title("Three nodes")), "Three nodes (edited)");
        assert_eq!(edited_title(""), "");
        let long = edited_title(&"é".repeat(250));
        assert!(long.len() <= 500 && long.ends_with("…é… (edited)".trim_start_matches("…é")), "{long}");
    }

    #[test]
    fn a_secret_that_is_masked_is_no_other_scenario() {
        let text = format!("{TEXT}[yarn-site]\n\"fs.s3a.secret.key\" = \"hunter2\"\n");
        assert_eq!(played(&secrets::masked(&text)), played(&text));
        assert_ne!(played(&text), played(TEXT));
    }
}
