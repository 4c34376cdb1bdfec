//! Normalises pasted text: removes escapes, entities, colours and markup, and squeezes blanks.

use crate::model::limits::PASTED_BYTES;

/// Named HTML entities in pasted pages.
const ENTITIES: [(&str, &str); 7] = [
    ("&lt;", "<"),
    ("&gt;", ">"),
    ("&quot;", "\""),
    ("&#39;", "'"),
    ("&apos;", "'"),
    ("&nbsp;", " "),
    // Last: in a page that was escaped twice, it begins the others.
    ("&amp;", "&"),
];
/// Markup between words.
const MARKUP: [&str; 10] = ["<br>", "<br/>", "<br />", "<p>", "</p>", "<pre>", "</pre>", "<code>", "</code>", "</td>"];

/// Returns the text with its line breaks: escapes, entities and colours decoded, line ends as `\n`. Uses the first
/// [`PASTED_BYTES`] only.
pub fn decoded(text: &str) -> String {
    let end = (0..=text.len().min(PASTED_BYTES)).rev().find(|end| text.is_char_boundary(*end)).unwrap_or(0);
    let mut out = unescaped(text.get(..end).unwrap_or(text));
    // A page within a page is escaped twice.
    for _ in 0..2 {
        if !out.contains('&') {
            break;
        }
        for (entity, letter) in ENTITIES {
            out = out.replace(entity, letter);
        }
    }
    for tag in MARKUP {
        out = out.replace(tag, "\n");
    }
    out
}

/// Decodes JSON escapes and typographic substitutes of word processors, and drops terminal colours.
fn unescaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut letters = text.chars().peekable();
    while let Some(c) = letters.next() {
        match c {
            '\\' => match letters.peek().copied() {
                Some('n' | 'r') => {
                    letters.next();
                    out.push('\n');
                }
                Some('t') => {
                    letters.next();
                    out.push('\t');
                }
                Some(next @ ('"' | '/' | '\'')) => {
                    letters.next();
                    out.push(next);
                }
                Some('\\') => {}
                Some('u') => {
                    letters.next();
                    let digits: String = letters.clone().take(4).collect();
                    match u32::from_str_radix(&digits, 16).ok().and_then(char::from_u32).filter(|_| digits.len() == 4) {
                        Some(letter) => {
                            letters.nth(3);
                            out.push(letter);
                        }
                        None => out.push('u'),
                    }
                }
                _ => out.push('\\'),
            },
            '\u{1b}' => {
                if letters.next_if_eq(&'[').is_some() {
                    while letters.next_if(|c| c.is_ascii_digit() || *c == ';').is_some() {}
                    letters.next();
                }
            }
            '\u{2018}' | '\u{2019}' => out.push('\''),
            '\u{201c}' | '\u{201d}' => out.push('"'),
            '\u{a0}' | '\u{202f}' | '\u{2003}' => out.push(' '),
            '\u{200b}' | '\u{feff}' | '\u{ad}' => {}
            '\r' => out.push('\n'),
            c => out.push(c),
        }
    }
    out
}

/// Returns the text on one line, with blanks squeezed.
pub fn squeezed(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for word in text.split_whitespace() {
        if !out.is_empty() {
            out.push(' ');
        }
        out.push_str(word);
    }
    out
}
