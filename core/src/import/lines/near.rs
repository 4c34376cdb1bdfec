//! Corrects typing errors, and finds the patterns nearest to an unrecognised text.

use super::row::LinePattern;
use super::table;

/// The number of words that are examined.
const WORDS: usize = 150;
/// The length in bytes up to which typing errors are corrected.
const TYPED: usize = 3_000;

/// The range of a word, and its replacement.
type Change = (usize, usize, String);

/// Returns the words of a template outside its holes.
fn words_of(template: &str) -> Vec<String> {
    let mut plain = String::new();
    let mut depth = 0;
    for c in template.chars() {
        match c {
            '{' => depth += 1,
            '}' => {
                depth -= 1;
                plain.push(' ');
            }
            c if depth == 0 => plain.push(c),
            _ => {}
        }
    }
    plain.split(|c: char| !c.is_alphanumeric() && c != '\'').filter(|w| w.len() > 1).map(str::to_string).collect()
}

fn alike(one: &str, other: &str) -> bool {
    if one.eq_ignore_ascii_case(other) {
        return true;
    }
    let (short, long) = (one.len().min(other.len()), one.len().max(other.len()));
    let most = match short {
        0..4 => return false,
        4..8 => 1,
        _ => 2,
    };
    long - short <= most && strsim::osa_distance(&one.to_ascii_lowercase(), &other.to_ascii_lowercase()) <= most
}

/// Returns the text with its typing errors replaced by the words of the pattern that it nearly matches; `None`: no pattern
/// is near enough.
pub fn mended(text: &str) -> Option<String> {
    // People type or copy lines by hand, but not pages.
    if text.len() > TYPED {
        return None;
    }
    let tokens = tokens(text);
    let mut best: Option<(usize, Vec<Change>)> = None;
    for row in table::rows() {
        let wanted = words_of(row.template);
        if wanted.len() < 5 {
            continue;
        }
        // Matches each word in order, at most a few words after the previous one.
        for start in (0..tokens.len()).filter(|i| alike(tokens[*i].2, &wanted[0])) {
            let (mut at, mut changes) = (start, Vec::new());
            let all = wanted.iter().all(|word| {
                let found = (at..tokens.len().min(at + 6)).find(|i| alike(tokens[*i].2, word));
                if let Some(i) = found {
                    if tokens[i].2 != word {
                        changes.push((tokens[i].0, tokens[i].1, word.clone()));
                    }
                    at = i + 1;
                }
                found.is_some()
            });
            if all && !changes.is_empty() && best.as_ref().is_none_or(|(n, _)| wanted.len() > *n) {
                best = Some((wanted.len(), changes));
            }
        }
    }
    let (_, mut changes) = best?;
    let mut out = text.to_string();
    changes.sort_by_key(|(from, ..)| *from);
    for (from, to, word) in changes.into_iter().rev() {
        out.replace_range(from..to, &word);
    }
    Some(out)
}

/// Returns the words of a text with their places.
fn tokens(text: &str) -> Vec<(usize, usize, &str)> {
    let mut out = Vec::new();
    let mut start = None;
    for (i, c) in text.char_indices().chain([(text.len(), ' ')]) {
        let inside = c.is_alphanumeric() || c == '\'';
        match (start, inside) {
            (None, true) => start = Some(i),
            (Some(from), false) => {
                if i - from > 1 {
                    out.push((from, i, &text[from..i]));
                }
                start = None;
                if out.len() >= WORDS {
                    break;
                }
            }
            _ => {}
        }
    }
    out
}

/// Returns the patterns with the most words in common, at most three.
pub fn nearest(text: &str) -> Vec<&'static LinePattern> {
    let tokens = tokens(text);
    let mut found: Vec<(usize, &'static LinePattern)> = Vec::new();
    for row in table::rows() {
        let wanted = words_of(row.template);
        if wanted.len() < 3 {
            continue;
        }
        let has = wanted
            .iter()
            .filter(|word| word.len() > 3 && tokens.iter().any(|(_, _, token)| alike(token, word)))
            .count();
        let long = wanted.iter().filter(|word| word.len() > 3).count();
        if long >= 2 && has * 2 > long {
            found.push((has * 100 / long, row));
        }
    }
    // Nearest first; equals keep the order of the table.
    found.sort_by_key(|(share, _)| std::cmp::Reverse(*share));
    let mut out: Vec<&'static LinePattern> = Vec::new();
    for (_, row) in found {
        if out.iter().all(|known| known.what != row.what) && out.len() < 3 {
            out.push(row);
        }
    }
    out
}
