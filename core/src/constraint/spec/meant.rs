//! Recovers the spec from what people paste: the quotes of a shell around it, `-placement_spec` and the rest of a
//! command line, backslashes in front of brackets, and the source `zk=3` of Hadoop 3.1's manual. A shell removes the
//! first three before YARN sees the text. To PlacementConstraintParser of 3.5.0 the fourth is a test of a node
//! attribute (placement-constraints.md section 3.4), which nobody who writes it means.

use super::{SOURCE, grammar};
use crate::constraint::order::{parse_int, trim};
use crate::model::{Problem, Span};

/// The intended text, and where it comes from.
pub(super) struct Meant {
    pub text: String,
    /// For each byte of `text` and its end: the position in what was typed.
    places: Vec<usize>,
    pub notes: Vec<Problem>,
}

impl Meant {
    /// Returns `span` of the meant text as a span of what was typed.
    pub fn typed(&self, span: Span) -> Span {
        let last = self.places.last().copied().unwrap_or(0);
        let place = |at: usize| self.places.get(at).copied().unwrap_or(last);
        let start = place(span.start);
        // The end follows the last byte, so that text removed after it is not marked.
        let end = if span.end > span.start { (place(span.end - 1) + 1).min(last) } else { start };
        Span::new(start, end.max(start))
    }

    fn whole(text: &str) -> Self {
        Meant { text: text.to_owned(), places: (0..=text.len()).collect(), notes: Vec::new() }
    }

    fn note(&mut self, span: Span, what: String, mend: String, fix: String) {
        let mut problem = Problem::note(SOURCE, span, what).mend(mend);
        problem.fix = Some(fix);
        self.notes.push(problem);
    }

    /// Keeps only `from..to`.
    fn cut(&mut self, from: usize, to: usize) {
        self.text = self.text[from..to].to_owned();
        self.places = self.places[from..=to].to_vec();
    }

    /// Replaces the stretches of `edits`, which are in the order of the text.
    fn replace(&mut self, edits: &[(Span, &str)]) {
        let (mut text, mut places, mut from) = (String::new(), Vec::new(), 0);
        for (span, new) in edits {
            text.push_str(&self.text[from..span.start]);
            places.extend_from_slice(&self.places[from..span.start]);
            text.push_str(new);
            places.extend(std::iter::repeat_n(self.places[span.start], new.len()));
            from = span.end;
        }
        text.push_str(&self.text[from..]);
        places.extend_from_slice(&self.places[from..]);
        (self.text, self.places) = (text, places);
    }
}

/// Returns the spec that `text` means, or `None` if the text is a spec itself.
pub(super) fn meant(text: &str) -> Option<Meant> {
    let mut meant = Meant::whole(text);
    shell(&mut meant, text);
    sources_with_equals(&mut meant);
    (!meant.notes.is_empty()).then_some(meant)
}

/// The option of the distributed shell's client, without its dashes.
const OPTION: &str = "placement_spec";
/// One or two dashes precede an option; word processors turn them into longer ones.
const DASHES: [char; 5] = ['-', '\u{2010}', '\u{2013}', '\u{2014}', '\u{2212}'];
/// Quotes of a shell and of Markdown, and those that word processors make of them. A quote ends what another of its
/// kind began.
const QUOTES: [&[char]; 2] = [
    &['"', '\u{201c}', '\u{201d}', '\u{201e}', '\u{ab}', '\u{bb}'],
    &['\'', '`', '\u{2018}', '\u{2019}', '\u{201a}', '\u{b4}'],
];

/// Removes what belongs to a shell's command line.
fn shell(meant: &mut Meant, typed: &str) {
    if let Some(at) = behind_option(&meant.text) {
        let rest = meant.text[at..].trim_start_matches(|c: char| c <= ' ' || c == '=');
        let from = meant.text.len() - rest.len();
        let to = from + word_end(rest);
        meant.cut(from, to);
    }
    // A quoted text may itself have been quoted, with backslashes.
    loop {
        let before = meant.text.len();
        let literal = unquote(meant) == Some('\'');
        if !literal {
            unescape(meant);
        }
        if meant.text.len() == before {
            break;
        }
    }
    if meant.text.len() < typed.len() {
        let what = format!("A shell takes away what stands around `{}`: this is the spec that YARN sees.", meant.text);
        meant.note(Span::new(0, typed.len()), what, "Keep the spec only.".into(), meant.text.clone());
    }
}

/// Returns the end of `-placement_spec` in a command line.
fn behind_option(text: &str) -> Option<usize> {
    let at = text.find(OPTION)?;
    let before = text[..at].trim_end_matches(DASHES);
    let behind = &text[at + OPTION.len()..];
    let is_word = before.chars().next_back().is_none_or(|c| c <= ' ' || quotes(c).is_some());
    (is_word && behind.starts_with(|c: char| c <= ' ' || c == '=')).then_some(at + OPTION.len())
}

/// Returns all quotes of the same kind.
fn quotes(quote: char) -> Option<&'static [char]> {
    QUOTES.into_iter().find(|kind| kind.contains(&quote))
}

/// Removes the quotes around a text, even if only one of the two was copied. Returns the plainest of their kind.
fn unquote(meant: &mut Meant) -> Option<char> {
    let outer = meant.text.trim_matches(|c: char| c <= ' ');
    let start = meant.text.len() - meant.text.trim_start_matches(|c: char| c <= ' ').len();
    let end = start + outer.len();
    if let Some((open, kind)) = outer.chars().next().and_then(|c| Some((c, quotes(c)?))) {
        let from = start + open.len_utf8();
        let to = meant.text[from..].find(kind).map_or(end, |at| from + at);
        // Quotes between two words, which end nothing, do not belong to a shell.
        let only_blanks_follow = meant.text[to..end].chars().skip(1).all(|c| c <= ' ');
        if only_blanks_follow {
            meant.cut(from, to);
            return kind.first().copied();
        }
    } else if let Some((close, kind)) = outer.chars().next_back().and_then(|c| Some((c, quotes(c)?))) {
        let to = end - close.len_utf8();
        if !meant.text[start..to].contains(kind) && !meant.text[..to].ends_with('\\') {
            meant.cut(start, to);
            return kind.first().copied();
        }
    }
    None
}

/// Removes the backslashes before characters that a shell would interpret.
fn unescape(meant: &mut Meant) {
    let escaped = |at: usize| meant.text[at + 1..].starts_with(['(', ')', '!', ';', ':', ',', '"', '\'']);
    let backslashes = meant.text.match_indices('\\').filter(|(at, _)| escaped(*at));
    let escapes: Vec<(Span, &str)> = backslashes.map(|(at, _)| (Span::new(at, at + 1), "")).collect();
    meant.replace(&escapes);
}

/// The length of the shell word at the beginning of `text`: a quoted one with its quotes, or up to the first blank.
fn word_end(text: &str) -> usize {
    let quoted = text.chars().next().and_then(|open| {
        let from = open.len_utf8();
        let (at, close) =
            text[from..].char_indices().find(|(_, c)| quotes(open).is_some_and(|kind| kind.contains(c)))?;
        Some(from + at + close.len_utf8())
    });
    quoted.or_else(|| text.find(|c: char| c <= ' ')).unwrap_or(text.len())
}

/// `zk=3,NOTIN,NODE,zk`: the source of Hadoop 3.1's manual, before a constraint or beside another entry.
fn sources_with_equals(meant: &mut Meant) {
    let pieces = grammar::split_at_colons(grammar::Piece::whole(&meant.text));
    let alone = pieces.len() == 1;
    let mut edits = Vec::new();
    for piece in &pieces {
        let Some(equals) = piece.text.find('=') else { continue };
        let (tag, after) = (trim(&piece.text[..equals]), &piece.text[equals + 1..]);
        let counted =
            after.find(|c: char| c > ' ' && !c.is_ascii_digit() && c != '+' && c != '-').unwrap_or(after.len());
        let counts =
            parse_int(trim(&after[..counted])).is_some() && !tag.is_empty() && !tag.contains(['(', ')', '!', ',']);
        let rest = &after[counted..];
        // A comma at the end belongs to a longer spec; another sign, or none, before a constraint is left to the
        // parser.
        let last_comma = rest.trim_end_matches(|c: char| c <= ' ') == ",";
        let constrained = begins_constraint(rest.trim_start_matches([',', ';', '.', ' ']));
        if counts && (constrained || last_comma || rest.is_empty() && !alone) {
            // The count may have no blanks around it.
            let number = &after[..counted];
            let first = equals + 1 + number.len() - number.trim_start_matches(|c: char| c <= ' ').len();
            let last = equals + 1 + number.trim_end_matches(|c: char| c <= ' ').len();
            let before = piece.text[..equals].trim_end_matches(|c: char| c <= ' ').len();
            let end = equals + 1 + counted + if last_comma { rest.len() } else { 0 };
            edits.push((Span::new(piece.at + before, piece.at + first), "("));
            edits.push((Span::new(piece.at + last, piece.at + end), ")"));
        }
    }
    if edits.is_empty() {
        return;
    }
    let typed = meant.typed(Span::new(0, meant.text.len()));
    meant.replace(&edits);
    let what = "Hadoop 3.1's manual wrote the source as tag=count. YARN 3.5.0 takes that for a test of a node attribute; it is read as tag(count) here.";
    let fix = meant.text.clone();
    meant.note(typed, what.into(), format!("Write `{fix}`."), fix);
}

/// Returns whether a text begins with a word that begins a constraint.
pub(super) fn begins_constraint(text: &str) -> bool {
    let text = text.trim_start_matches(|c: char| c <= ' ');
    let word = text.split(|c: char| !c.is_ascii_alphabetic()).next().unwrap_or_default().to_ascii_lowercase();
    let after = text[word.len()..].trim_start_matches(|c: char| c <= ' ');
    match word.as_str() {
        "in" | "notin" | "cardinality" => after.starts_with(','),
        "and" | "or" => after.starts_with('('),
        _ => false,
    }
}
