//! What is wrong with a text that YARN rejects: the fault that the parser met, or, where a small mechanical change
//! would make the text acceptable, that change. A change is offered only after the parser has taken the mended text.

use super::grammar::{self, Fault};
use super::{Refused, SOURCE, SpecError};
use crate::model::{Problem, Span, nearest};

/// The error for a rejected spec.
pub(super) fn spec(text: &str, fault: Fault) -> SpecError {
    explain(text, fault, |t| grammar::spec(t).is_ok())
}

/// The error for a rejected single constraint.
pub(super) fn expression(text: &str, fault: Fault) -> SpecError {
    explain(text, fault, |t| grammar::expression(t).is_ok())
}

fn explain(text: &str, fault: Fault, accepts: impl Fn(&str) -> bool) -> SpecError {
    let refused = fault.refused;
    for change in changes(text) {
        if change.edits.is_empty() || !accepts(&change.apply(text)) {
            continue;
        }
        let (span, fix) = change.as_one(text);
        let problem = Problem::error(SOURCE, span, change.what).mend(change.mend).fix(fix);
        return SpecError { refused, problem, expected: change.expected.iter().map(|s| (*s).to_string()).collect() };
    }
    let fault = if fault.vague { word_for(text, fault) } else { fault };
    from_fault(fault, refused)
}

fn from_fault(fault: Fault, refused: Refused) -> SpecError {
    let mut what = fault.what;
    if !fault.expected.is_empty() {
        what.push_str(if fault.expected.len() == 1 { " Expected: " } else { " Expected one of: " });
        what.push_str(&fault.expected.join(", "));
        what.push('.');
    }
    let mut problem = Problem::error(SOURCE, fault.span, what).mend(fault.mend);
    problem.fix = fault.fix;
    SpecError { refused, problem, expected: fault.expected.into_iter().map(String::from).collect() }
}

/// A mechanical change: edits in the order of the text.
struct Change {
    edits: Vec<(Span, String)>,
    what: String,
    mend: &'static str,
    expected: &'static [&'static str],
}

impl Change {
    fn new(edits: Vec<(Span, String)>, what: impl Into<String>, mend: &'static str) -> Self {
        Change { edits, what: what.into(), mend, expected: &[] }
    }

    fn apply(&self, text: &str) -> String {
        let mut out = String::new();
        let mut from = 0;
        for (span, new) in &self.edits {
            out.push_str(&text[from..span.start]);
            out.push_str(new);
            from = span.end;
        }
        out.push_str(&text[from..]);
        out
    }

    /// All edits as one: the stretch from the first to the last and what stands there afterwards.
    fn as_one(&self, text: &str) -> (Span, String) {
        let start = self.edits.first().map_or(0, |e| e.0.start);
        let end = self.edits.last().map_or(0, |e| e.0.end);
        let changed = self.apply(text);
        let tail = text.len() - end;
        (Span::new(start, end), changed[start..changed.len() - tail].to_string())
    }
}

fn changes(text: &str) -> Vec<Change> {
    let mut out = vec![
        semicolons(text),
        blanks_around_comma(text),
        blank_before_conjunction(text),
        conjunctions_in_mixed_case(text),
        not_in_underscored(text),
        namespaces_in_capitals(text),
        missing_commas(text),
        unclosed(text),
        surplus_bracket(text),
    ];
    out.extend(misspelt(text));
    out
}

/// Words of the grammar, which stand in front of a comma or a bracket.
const GRAMMAR: [&str; 8] = ["IN", "NOTIN", "CARDINALITY", "NODE", "RACK", "AND", "OR", "self"];
/// Words that are looked at for a slip of the pen; a text with more is not looked through.
const WORDS_MAX: usize = 200;

/// `NOTIM`, `NOED`: one word that is nearly one of the grammar's.
fn misspelt(text: &str) -> Vec<Change> {
    let words = words(text);
    if words.len() > WORDS_MAX {
        return Vec::new();
    }
    let slips = words.into_iter().filter_map(|(at, word)| {
        let known = GRAMMAR.iter().find(|k| k.eq_ignore_ascii_case(word));
        let end = at + word.len();
        let place = text[end..].starts_with([',', '(', '/']);
        let meant = nearest(word, GRAMMAR).filter(|_| known.is_none() && place && word.len() > 1)?;
        let what = format!("`{word}` is not a word of the grammar; `{meant}` is.");
        let mut change = Change::new(vec![(Span::new(at, end), meant.to_string())], what, "Mend the word.");
        change.expected = &["IN", "NOTIN", "CARDINALITY", "NODE", "RACK"];
        Some(change)
    });
    slips.collect()
}

fn places<'a>(text: &'a str, what: &'a str) -> impl Iterator<Item = usize> + 'a {
    text.match_indices(what).map(|(at, _)| at)
}

fn semicolons(text: &str) -> Change {
    let edits = places(text, ";").map(|at| (Span::new(at, at + 1), ":".to_string())).collect();
    let mut change = Change::new(
        edits,
        "`;` does not part entries: the manual's grammar says so, but the parser takes only `:`.",
        "Write `:` instead.",
    );
    change.expected = &[":"];
    change
}

fn is_blank(b: u8) -> bool {
    b <= b' '
}

/// `zk(3) ,in,…`.
fn blanks_around_comma(text: &str) -> Change {
    let bytes = text.as_bytes();
    let mut edits = Vec::new();
    for close in places(text, ")") {
        let blanks = bytes[close + 1..].iter().take_while(|b| is_blank(**b)).count();
        if blanks > 0 && bytes.get(close + 1 + blanks) == Some(&b',') {
            edits.push((Span::new(close + 1, close + 1 + blanks), String::new()));
        }
    }
    let mut change = Change::new(
        edits,
        "The comma must follow the `)` of the source tag at once: otherwise the parser does not see where the constraint begins.",
        "Take the blank away.",
    );
    change.expected = &[","];
    change
}

/// `zk(3), and(…)`: also at the very beginning of a single constraint.
fn blank_before_conjunction(text: &str) -> Change {
    let bytes = text.as_bytes();
    let starts = std::iter::once(0).chain(places(text, "),").map(|at| at + 2));
    let mut edits = Vec::new();
    for from in starts {
        let blanks = bytes[from..].iter().take_while(|b| is_blank(**b)).count();
        let rest = &text[from + blanks..];
        if blanks > 0 && ["and", "AND", "or", "OR"].iter().any(|w| rest.starts_with(w)) {
            edits.push((Span::new(from, from + blanks), String::new()));
        }
    }
    Change::new(edits, "No blank may stand in front of the outermost AND or OR.", "Take the blank away.")
}

fn is_word_byte(b: u8) -> bool {
    b.is_ascii_alphanumeric() || b == b'_' || b == b'-'
}

/// The words (letters, digits, `_`, `-`) of a text with their places.
fn words(text: &str) -> Vec<(usize, &str)> {
    let bytes = text.as_bytes();
    let mut out = Vec::new();
    let mut at = 0;
    while at < bytes.len() {
        let len = bytes[at..].iter().take_while(|b| is_word_byte(**b)).count();
        if len > 0 {
            out.push((at, &text[at..at + len]));
        }
        at += len.max(1);
    }
    out
}

/// `And(…)`.
fn conjunctions_in_mixed_case(text: &str) -> Change {
    let mut edits = Vec::new();
    for (at, word) in words(text) {
        let lower = word.to_ascii_lowercase();
        let end = at + word.len();
        let known = lower == "and" || lower == "or";
        if known && word != lower && word != word.to_ascii_uppercase() && text[end..].starts_with('(') {
            edits.push((Span::new(at, end), lower));
        }
    }
    let mut change = Change::new(
        edits,
        "AND and OR are written all in small or all in capital letters.",
        "Write `and` or `AND`, `or` or `OR`.",
    );
    change.expected = &["and(", "AND(", "or(", "OR("];
    change
}

/// `NOT_IN`, `not-in`.
fn not_in_underscored(text: &str) -> Change {
    let edits = words(text)
        .into_iter()
        .filter(|(_, w)| ["not_in", "not-in"].contains(&w.to_ascii_lowercase().as_str()))
        .map(|(at, w)| (Span::new(at, at + w.len()), "NOTIN".to_string()))
        .collect();
    let mut change = Change::new(edits, "Anti-affinity is written NOTIN, in one word.", "Write NOTIN.");
    change.expected = &["NOTIN"];
    change
}

/// `SELF/zk`.
fn namespaces_in_capitals(text: &str) -> Change {
    let known = ["self", "not-self", "all", "app-id", "app-tag"];
    let edits = words(text)
        .into_iter()
        .filter(|(at, w)| {
            let lower = w.to_ascii_lowercase();
            lower != *w && known.contains(&lower.as_str()) && text[at + w.len()..].starts_with('/')
        })
        .map(|(at, w)| (Span::new(at, at + w.len()), w.to_ascii_lowercase()))
        .collect();
    let mut change =
        Change::new(edits, "Namespaces are written in lower case.", "Write self, not-self, all, app-id or app-tag.");
    change.expected = &["self", "not-self", "all", "app-id", "app-tag"];
    change
}

/// `NOTIN NODE,zk`, `NODE zk`.
fn missing_commas(text: &str) -> Change {
    let words = words(text);
    let apart = words.windows(2).filter_map(|w| {
        let [(at, word), (next, _)] = w else { return None };
        let known = ["in", "notin", "cardinality", "node", "rack"].contains(&word.to_ascii_lowercase().as_str());
        let end = at + word.len();
        let blanks = text[end..*next].bytes().all(is_blank);
        (known && blanks).then(|| (Span::new(end, *next), ",".to_string()))
    });
    let mut change =
        Change::new(apart.collect(), "Nothing but a blank parts these words.", "Write a comma between them.");
    change.expected = &[","];
    change
}

/// An opened bracket that nothing closes.
fn unclosed(text: &str) -> Change {
    let mut open = Vec::new();
    for (at, b) in text.bytes().enumerate() {
        match b {
            b'(' => open.push(at),
            b')' => {
                open.pop();
            }
            _ => {}
        }
    }
    let Some(last) = open.last() else { return Change::new(Vec::new(), "", "") };
    let (_, column) = Span::new(*last, *last).line_col(text);
    let end = Span::new(text.len(), text.len());
    let what = format!("The bracket opened at column {column} is never closed.");
    let mut change = Change::new(vec![(end, ")".repeat(open.len()))], what, "Close it.");
    change.expected = &[")"];
    change
}

/// A closing bracket too many.
fn surplus_bracket(text: &str) -> Change {
    let mut depth = 0usize;
    for (at, b) in text.bytes().enumerate() {
        match b {
            b'(' => depth += 1,
            b')' if depth == 0 => {
                let edits = vec![(Span::new(at, at + 1), String::new())];
                return Change::new(edits, "Nothing was opened that this bracket could close.", "Take it away.");
            }
            b')' => depth -= 1,
            _ => {}
        }
    }
    Change::new(Vec::new(), "", "")
}

/// Words for a text in which no sub-parser recognised itself.
fn word_for(text: &str, fault: Fault) -> Fault {
    let shown = text.get(fault.span.start..fault.span.end).unwrap_or_default();
    let first = shown.trim().split([',', '(']).next().unwrap_or_default().trim();
    let lower = first.to_ascii_lowercase();
    let place = fault.span;
    let at = |what: String, expected: &[&'static str]| Fault::new(place, what, expected);
    if shown.trim().is_empty() {
        let expected: &[&'static str] =
            if text.trim().is_empty() { &["tag(count)", "name=value"] } else { &fault.expected };
        return at("Nothing stands here.".into(), expected);
    }
    match lower.as_str() {
        "mincardinality" | "maxcardinality" | "targetcardinality" | "min_cardinality" | "max_cardinality" => at(
            format!("`{first}` exists only for programs; the text form has `cardinality,SCOPE,tag,MIN,MAX`."),
            &["cardinality"],
        )
        .mend("For no maximum write 2147483647, for no minimum 0."),
        "delayed_or" | "delayedor" | "delayed-or" => {
            at("A delayed OR has no text form, and YARN 3.5.0 could not evaluate it.".into(), &["or("])
        }
        "in" | "notin" | "cardinality" | "and" | "or" if fault.expected.first() == Some(&"tag(count)") => at(
            format!("The constraint `{first}…` has no source tag: whom it is for and how many of them."),
            &["tag(count),"],
        )
        .mend("Write the tag and the number of containers in front, such as zk(3),"),
        _ if fault.expected.first() == Some(&"tag(count)") => {
            let what = format!("`{first}` is neither a source tag with a count nor an attribute test.");
            at(what, &["tag(count)", "name=value", "name!=value"])
        }
        _ => at(format!("`{first}` begins no constraint."), grammar::CONSTRAINT),
    }
}
