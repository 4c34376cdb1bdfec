//! What people paste for a spec, and the spec that they mean: the quotes of a shell around it, `-placement_spec` and the
//! rest of a command line, backslashes in front of brackets, and the source `zk=3` of Hadoop 3.1's manual. A shell
//! takes the first three away before YARN sees the text. The fourth is a test of a node attribute for
//! PlacementConstraintParser of 3.5.0 (placement-constraints.md section 3.4), which nobody means who writes it.

use super::{SOURCE, grammar};
use crate::constraint::order::{parse_int, trim};
use crate::model::{Problem, Span};

/// A text as it is meant, and how it came about.
pub(super) struct Meant {
    pub text: String,
    /// For each byte of `text` and its end: the place in what was typed.
    places: Vec<usize>,
    pub notes: Vec<Problem>,
}

impl Meant {
    /// Returns `span` of the meant text as a span of what was typed.
    pub fn typed(&self, span: Span) -> Span {
        let last = self.places.last().copied().unwrap_or(0);
        let place = |at: usize| self.places.get(at).copied().unwrap_or(last);
        let start = place(span.start);
        // The end follows the last byte, so that nothing taken away behind it is marked.
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

    /// Replaces the stretches of `edits`, which come in the order of the text.
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

/// Returns the spec that is meant by `text`, or `None` where the text stands for itself.
pub(super) fn meant(text: &str) -> Option<Meant> {
    let mut meant = Meant::whole(text);
    shell(&mut meant, text);
    sources_with_equals(&mut meant);
    (!meant.notes.is_empty()).then_some(meant)
}

/// The option of the distributed shell's client; commons-cli takes it with one or two dashes.
const OPTION: &str = "-placement_spec";
/// Quotes of a shell, and those that word processors make of them, with their ends.
const QUOTES: [(char, char); 4] = [('"', '"'), ('\'', '\''), ('\u{201c}', '\u{201d}'), ('\u{2018}', '\u{2019}')];

/// Takes away what belongs to a shell's command line.
fn shell(meant: &mut Meant, typed: &str) {
    let option = meant.text.find(OPTION).map(|at| at + OPTION.len());
    let after = option.filter(|at| meant.text[*at..].starts_with(|c: char| c <= ' ' || c == '='));
    if let Some(at) = after {
        let rest = meant.text[at..].trim_start_matches(|c: char| c <= ' ' || c == '=');
        let from = meant.text.len() - rest.len();
        let to = from + word_end(rest);
        meant.cut(from, to);
    }
    let outer = meant.text.trim_matches(|c: char| c <= ' ');
    let quote = QUOTES.iter().find(|(open, _)| outer.starts_with(*open));
    let mut literal = false;
    if let Some((open, close)) = quote {
        let from = meant.text.find(*open).unwrap_or(0) + open.len_utf8();
        let to = meant.text[from..].find(*close).map_or(meant.text.len(), |at| from + at);
        // Quotes that part two words, and end nothing, are no shell's.
        let only_blanks_follow = meant.text[to..].chars().skip(1).all(|c| c <= ' ');
        if only_blanks_follow {
            meant.cut(from, to);
            literal = *open == '\'' || *open == '\u{2018}';
        }
    }
    let escapes: Vec<(Span, &str)> = if literal {
        Vec::new()
    } else {
        let escaped = |at: usize| meant.text[at + 1..].starts_with(['(', ')', '!', ';', ':', ',', '"', '\'']);
        let backslashes = meant.text.match_indices('\\').filter(|(at, _)| escaped(*at));
        backslashes.map(|(at, _)| (Span::new(at, at + 1), "")).collect()
    };
    meant.replace(&escapes);
    if meant.text.len() < typed.len() {
        let what = format!("A shell takes away what stands around `{}`: this is the spec that YARN sees.", meant.text);
        meant.note(Span::new(0, typed.len()), what, "Keep the spec only.".into(), meant.text.clone());
    }
}

/// The length of a shell's word at the beginning of `text`: a quoted one with its quotes, or up to the first blank.
fn word_end(text: &str) -> usize {
    let quoted = QUOTES.iter().find(|(open, _)| text.starts_with(*open)).and_then(|(open, close)| {
        let from = open.len_utf8();
        text[from..].find(*close).map(|at| from + at + close.len_utf8())
    });
    quoted.or_else(|| text.find(|c: char| c <= ' ')).unwrap_or(text.len())
}

/// `zk=3,NOTIN,NODE,zk`: the source of Hadoop 3.1's manual, before a constraint or beside another entry.
fn sources_with_equals(meant: &mut Meant) {
    let pieces = grammar::split_at_colons(grammar::Piece::whole(&meant.text));
    let alone = pieces.len() == 1;
    let mut edits = Vec::new();
    for piece in &pieces {
        let end = piece.text.find(',').unwrap_or(piece.text.len());
        let Some(equals) = piece.text[..end].find('=') else { continue };
        let (tag, count) = (trim(&piece.text[..equals]), trim(&piece.text[equals + 1..end]));
        let counts = parse_int(count).is_some() && !tag.is_empty() && !tag.contains(['(', ')', '!']);
        let rest = piece.text.get(end + 1..).unwrap_or_default();
        if counts && (begins_constraint(rest) || rest.is_empty() && !alone) {
            let count_at = piece.at + equals + 1;
            edits.push((Span::new(piece.at + equals, count_at), "("));
            edits.push((Span::new(piece.at + end, piece.at + end), ")"));
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

/// Returns whether a text begins as a constraint with a word of the grammar does.
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
