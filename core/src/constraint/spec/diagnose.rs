//! The error for a text that YARN rejects: the fault that the parser found, or, if a small mechanical change would make
//! the text acceptable, that change. A change is offered only after the parser has accepted the changed text.

use super::grammar::{self, SpecFault};
use super::{SOURCE, SpecError, SpecException, meant};
use crate::constraint::order::{parse_int, trim};
use crate::model::{Problem, Span, nearest};

/// The error for a rejected spec.
pub(super) fn spec(text: &str, fault: SpecFault) -> SpecError {
    explain(text, fault, |t| grammar::spec(t).is_ok())
}

/// The error for a rejected single constraint.
pub(super) fn expression(text: &str, fault: SpecFault) -> SpecError {
    explain(text, fault, |t| grammar::expression(t).is_ok())
}

fn explain(text: &str, fault: SpecFault, accepts: impl Fn(&str) -> bool) -> SpecError {
    let refused = fault.refused;
    if let Some(change) = changes(text).into_iter().find(|c| !c.edits.is_empty() && accepts(&c.apply(text))) {
        let (span, fix) = change.as_one(text);
        let problem = Problem::error(SOURCE, span, change.what).mend(change.mend).fix(fix);
        return SpecError { refused, problem, expected: owned(change.expected) };
    }
    if let Some(error) = two_slips(text, refused, &accepts) {
        return error;
    }
    let mut fault = if fault.vague { word_for(text, fault) } else { fault };
    // The parser's own suggestion helps only if nothing else is wrong.
    fault.fix = fault.fix.filter(|fix| {
        let (before, after) = (text.get(..fault.span.start), text.get(fault.span.end..));
        before.zip(after).is_some_and(|(before, after)| accepts(&format!("{before}{fix}{after}")))
    });
    from_fault(fault, refused)
}

fn owned(words: &[&str]) -> Vec<String> {
    words.iter().map(|s| (*s).to_string()).collect()
}

/// Handles two slips of different kinds in one text: reports the first with its position, the other beside it, and
/// offers to fix both at once.
fn two_slips(text: &str, refused: SpecException, accepts: &impl Fn(&str) -> bool) -> Option<SpecError> {
    let firsts = changes(text).into_iter().filter(|c| !c.edits.is_empty()).take(CHANGES_MAX);
    for first in firsts {
        let once = first.apply(text);
        let seconds = changes(&once).into_iter().filter(|c| !c.edits.is_empty()).take(CHANGES_MAX);
        for second in seconds {
            let mended = second.apply(&once);
            if mended == text || !accepts(&mended) {
                continue;
            }
            let (span, fix) = difference(text, &mended);
            let what = format!("{} Besides: {}", first.what, second.what);
            let mend = if first.mend == second.mend {
                first.mend.to_owned()
            } else {
                format!("{} {}", first.mend, second.mend)
            };
            let problem = Problem::error(SOURCE, span, what).mend(mend).fix(fix);
            return Some(SpecError { refused, problem, expected: owned(first.expected) });
        }
    }
    None
}

/// The stretch of `text` that differs in `mended`, and its replacement.
fn difference(text: &str, mended: &str) -> (Span, String) {
    let alike = |a: &mut dyn Iterator<Item = char>, b: &mut dyn Iterator<Item = char>| {
        a.zip(b).take_while(|(a, b)| a == b).map(|(c, _)| c.len_utf8()).sum::<usize>()
    };
    let start = alike(&mut text.chars(), &mut mended.chars());
    let tail = alike(&mut text[start..].chars().rev(), &mut mended[start..].chars().rev());
    (Span::new(start, text.len() - tail), mended[start..mended.len() - tail].to_string())
}

fn from_fault(fault: SpecFault, refused: SpecException) -> SpecError {
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

    /// Merges all edits into one: the stretch from the first to the last and its replacement.
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
        other_signs(text),
        before_constraint(text),
        before_entry(text),
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

/// Words of the grammar, which precede a comma or a bracket.
const GRAMMAR: [&str; 8] = ["IN", "NOTIN", "CARDINALITY", "NODE", "RACK", "AND", "OR", "self"];
/// The maximum number of words that are searched for misspellings; a longer text is not searched.
const WORDS_MAX: usize = 200;
/// The maximum number of changes that are tried in pairs.
const CHANGES_MAX: usize = 12;

/// `zk[3]，NOTIN，NODE，zk`: punctuation of another script or kind, and special blanks, as word processors write them.
fn other_signs(text: &str) -> Change {
    let meant = |c: char| {
        Some(match c {
            '，' | '、' | '､' | '‚' => ",",
            '：' | '；' => ":",
            '（' | '[' | '{' | '［' | '｛' => "(",
            '）' | ']' | '}' | '］' | '｝' => ")",
            '＝' => "=",
            c if !c.is_ascii() && c.is_whitespace() => "",
            _ => return None,
        })
    };
    let found: Vec<(usize, char, &str)> = text.char_indices().filter_map(|(at, c)| Some((at, c, meant(c)?))).collect();
    let what = match found.first() {
        Some((_, c, "")) => format!("The blank U+{:04X} is none for the parser.", u32::from(*c)),
        Some((_, c, sign)) => format!("`{c}` is no sign of the grammar; `{sign}` is."),
        None => String::new(),
    };
    let edits = found.into_iter().map(|(at, c, sign)| (Span::new(at, at + c.len_utf8()), sign.to_string())).collect();
    let mut change = Change::new(edits, what, "Write it with plain commas, colons and round brackets.");
    change.expected = &[",", ":", "(", ")"];
    change
}

/// `NOTIM`, `NOED`: a word that is nearly one of the grammar's.
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

/// `;` between entries and within brackets. One between a source tag and its constraint is read as a comma.
fn semicolons(text: &str) -> Change {
    let commas = gaps(text, meant::begins_constraint);
    let mut edits: Vec<(Span, String)> = Vec::new();
    for at in places(text, ";") {
        let comma = commas.iter().find(|gap| gap.start <= at && at < gap.end);
        match comma {
            Some(gap) if edits.last().is_none_or(|last| last.0 != *gap) => edits.push((*gap, ",".into())),
            Some(_) => {}
            None => edits.push((Span::new(at, at + 1), ":".into())),
        }
    }
    let mut change = Change::new(
        edits,
        "`;` does not part entries: the manual's grammar says so, but the parser takes only `:`.",
        "Write `:` instead.",
    );
    change.expected = &[":"];
    change
}

/// The gaps between the end of a source tag and a following text of `begins`, each a stretch that may be empty. A
/// source tag ends with the `)` of a count outside of all other brackets.
fn gaps(text: &str, begins: impl Fn(&str) -> bool) -> Vec<Span> {
    let mut out = Vec::new();
    let mut open = Vec::new();
    for (at, b) in text.bytes().enumerate() {
        match b {
            b'(' => open.push(at),
            b')' => {
                let from = open.pop();
                let counts = |from: usize| parse_int(trim(&text[from + 1..at])).is_some();
                if !open.is_empty() || !from.is_some_and(counts) {
                    continue;
                }
                let rest = &text[at + 1..];
                let next = rest.trim_start_matches(|c: char| c <= ' ' || [';', ':', ',', '.', '|', '+'].contains(&c));
                let end = text.len() - next.len();
                if begins(next) {
                    out.push(Span::new(at + 1, end));
                }
            }
            _ => {}
        }
    }
    out
}

/// `zk(3)NOTIN,NODE,zk`, `zk(3):NOTIN,NODE,zk`: no comma between a source tag and its constraint.
fn before_constraint(text: &str) -> Change {
    let wrong = gaps(text, meant::begins_constraint).into_iter().filter(|gap| &text[gap.start..gap.end] != ",");
    let mut edits: Vec<(Span, String)> = wrong.map(|gap| (gap, ",".to_string())).collect();
    // Other semicolons need another replacement: `semicolons` fixes them all.
    if places(text, ";").any(|at| edits.iter().all(|(gap, _)| at < gap.start || gap.end <= at)) {
        edits.clear();
    }
    let stands = edits.first().map_or("", |(gap, _)| trim(&text[gap.start..gap.end]));
    let what = if stands.is_empty() || stands == "," {
        "A comma has to stand between the source tag and its constraint, at once behind the bracket.".to_owned()
    } else {
        format!("`{stands}` stands between the source tag and its constraint, where a comma has to be.")
    };
    let mut change = Change::new(edits, what, "Write a comma there.");
    change.expected = &[","];
    change
}

/// `zk(3)hb(2)`, `zk(3),hb(2)`: no colon between two entries, the first of which has no constraint.
fn before_entry(text: &str) -> Change {
    let wrong = gaps(text, begins_entry).into_iter().filter(|gap| &text[gap.start..gap.end] != ":");
    let edits = wrong.map(|gap| (gap, ":".to_string())).collect();
    let mut change = Change::new(edits, "Entries are parted by a colon.", "Write `:` between them.");
    change.expected = &[":"];
    change
}

/// Returns whether a text begins with a source tag and its count.
fn begins_entry(text: &str) -> bool {
    let Some((tag, rest)) = text.split_once('(') else { return false };
    let count = rest.split_once(')').map_or("", |(count, _)| count);
    !tag.is_empty() && tag.bytes().all(is_word_byte) && parse_int(trim(count)).is_some()
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

/// `zk(3), and(…)`: also at the beginning of a single constraint.
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

/// The words (letters, digits, `_`, `-`) of a text with their positions.
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

/// An opening bracket that is not closed.
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

/// An extra closing bracket.
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

/// The message for a text that no sub-parser recognised.
fn word_for(text: &str, fault: SpecFault) -> SpecFault {
    let shown = text.get(fault.span.start..fault.span.end).unwrap_or_default();
    let first = shown.trim().split([',', '(']).next().unwrap_or_default().trim();
    let lower = first.to_ascii_lowercase();
    let place = fault.span;
    let at = |what: String, expected: &[&'static str]| SpecFault::new(place, what, expected);
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
