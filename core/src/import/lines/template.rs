//! Templates of lines: words with named holes, found anywhere in a text whatever its blanks.
//!
//! `{name}` is a word, `{name:n}` a whole number, `{name:f}` a number, `{name:r}` a resource, `{name:t}` anything up to the
//! next words, and `{*}` anything, which is dropped.

use super::figure::{Figure, Figures, size};
use crate::model::DEFAULT_PARTITION;

/// The maximum length in bytes of a hole for anything.
const GAP: usize = 800;

/// Finds a template in a squeezed text. Returns the figures of its holes, and where it begins and ends.
pub fn find(text: &str, template: &str) -> Option<(Figures, usize, usize)> {
    let (before, template) = match template.strip_prefix('{') {
        Some(hole) => {
            let (hole, rest) = hole.split_once('}')?;
            (Some(hole), rest)
        }
        None => (None, template),
    };
    let (first, rest) = Parts(template).split();
    let bytes = text.as_bytes();
    let lead = first.bytes().find(|b| *b != b' ')?;
    let mut from = 0;
    // A hole for anything is tried a bounded number of times, so that a text of one repeated word stays cheap.
    let mut tries = 0;
    while let Some(i) = bytes.get(from..)?.iter().position(|b| *b == lead) {
        let start = from + i;
        if let Some(at) = eat(text, start, first) {
            tries += 1;
            let mut figures = Figures::default();
            let begins = match before {
                Some(hole) => word_before(text, start, hole, &mut figures),
                None => Some(start),
            };
            if let Some(begins) = begins
                && let Some(end) = follow(text, at, rest, &mut figures)
            {
                return Some((figures, begins, end));
            }
            if tries > 200 {
                return None;
            }
        }
        from = start + 1;
    }
    None
}

/// A template, consumed from the left.
struct Parts<'t>(&'t str);

impl<'t> Parts<'t> {
    /// Returns the words up to the first hole, and the rest.
    fn split(&self) -> (&'t str, &'t str) {
        match self.0.find('{') {
            Some(at) => self.0.split_at(at),
            None => (self.0, ""),
        }
    }
}

/// Returns where the words end if they begin at `at`, ignoring differences in blanks.
fn eat(text: &str, mut at: usize, words: &str) -> Option<usize> {
    let bytes = text.as_bytes();
    for b in words.bytes().filter(|b| *b != b' ') {
        while bytes.get(at) == Some(&b' ') {
            at += 1;
        }
        if bytes.get(at) != Some(&b) {
            return None;
        }
        at += 1;
    }
    Some(at)
}

fn follow(text: &str, mut at: usize, mut rest: &str, figures: &mut Figures) -> Option<usize> {
    while let Some(hole) = rest.strip_prefix('{') {
        let (hole, after) = hole.split_once('}')?;
        let (name, kind) = hole.split_once(':').unwrap_or((hole, ""));
        let (words, next) = Parts(after).split();
        let here = text.get(at..)?;
        let blank = here.len() - here.trim_start().len();
        let trimmed = here.trim_start();
        match (name, kind) {
            ("*", _) | (_, "t") => {
                let end = if words.trim().is_empty() {
                    here.len()
                } else {
                    let most = here.len().min(GAP);
                    let lead = words.bytes().find(|b| *b != b' ')?;
                    let is_end =
                        |end: &usize| here.as_bytes().get(*end) == Some(&lead) && eat(here, *end, words).is_some();
                    (0..=most).find(is_end)?
                };
                let found = here.get(..end)?;
                if name != "*" {
                    figures.put(name, Figure::Text(found.trim().trim_end_matches([',', ';']).to_string()));
                }
                at = eat(text, at + end, words)?;
                rest = next;
                continue;
            }
            (_, "n") => {
                let digits = number(trimmed, false)?;
                figures.put(name, Figure::Number(digits.parse().ok()?));
                at += blank + digits.len();
            }
            (_, "f") => {
                let digits = number(trimmed, true)?;
                figures.put(name, Figure::Real(digits.parse().ok()?));
                at += blank + digits.len();
            }
            (_, "r") => {
                let (found, read) = size(trimmed)?;
                figures.put(name, Figure::Size(found));
                at += blank + read;
            }
            _ => {
                let word = word(trimmed);
                if word.is_empty() {
                    return None;
                }
                let shown = if word == DEFAULT_PARTITION { "" } else { word };
                figures.put(name, Figure::Text(shown.to_string()));
                at += blank + word.len();
            }
        }
        at = eat(text, at, words)?;
        rest = next;
    }
    Some(at)
}

/// Reads the hole at the beginning of a template: the last word before its words. Returns where it begins.
fn word_before(text: &str, at: usize, hole: &str, figures: &mut Figures) -> Option<usize> {
    let before = text.get(..at)?.trim_end();
    let (name, kind) = hole.split_once(':').unwrap_or((hole, ""));
    if name == "*" {
        return Some(at);
    }
    let start = before.rfind(char::is_whitespace).map_or(0, |i| i + 1);
    let found = before.get(start..)?.trim_matches(|c: char| "\"'`,;()[]{}:".contains(c));
    let figure = match kind {
        "n" => Figure::Number(found.parse().ok()?),
        "f" => Figure::Real(found.parse().ok()?),
        _ if found.is_empty() => return None,
        _ => Figure::Text(found.to_string()),
    };
    figures.put(name, figure);
    Some(start)
}

fn number(text: &str, real: bool) -> Option<&str> {
    let is_digit = |c: char| c.is_ascii_digit() || (real && ".eE".contains(c));
    let end =
        text.char_indices().find(|(i, c)| !(is_digit(*c) || (*i == 0 && *c == '-'))).map_or(text.len(), |(i, _)| i);
    let found = text.get(..end)?.trim_end_matches(['.', 'e', 'E']);
    found.bytes().any(|b| b.is_ascii_digit()).then_some(found)
}

/// Returns a name: up to a blank, or a character that no name ends with.
fn word(text: &str) -> &str {
    let quoted = |c: char| "\"'`,;()[]{}".contains(c);
    let end = text.find(|c: char| c.is_whitespace() || quoted(c)).unwrap_or(text.len());
    text.get(..end).unwrap_or_default().trim_end_matches(['.', ':', '!', '?'])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn holes_are_read_whatever_the_blanks() {
        let (figures, ..) = find(
            "x: Queue root.a already has12 applications from  user bob cannot accept",
            "Queue {queue} already has {count:n} applications from user {user} cannot",
        )
        .expect("it is there");
        assert_eq!(figures.text("queue"), Some("root.a"));
        assert_eq!(figures.number("count"), Some(12));
        assert_eq!(figures.text("user"), Some("bob"));
        let (figures, ..) =
            find("ask <memory:1024, vCores:-1, yarn.io/gpu: 2>, then", "ask {ask:r}, then").expect("it is there");
        assert_eq!(figures.0["ask"].json(), serde_json::json!([1024, -1, 2]));
        for bare in ["ask <memory:10>, then", "ask memory:10, vCores:1, then", "ask memory:10 then"] {
            assert!(find(bare, "ask {ask:r}").is_some(), "{bare}");
        }
        assert_eq!(find("ask <vCores:1>", "ask {ask:r}"), None);
        assert_eq!(find("a b a c", "a {x} d"), None);
    }
}
