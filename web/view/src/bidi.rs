//! Right-to-left names in left-to-right sentences: each is isolated, so that the words around it keep their order. A page
//! draws the runs as separate elements; plain text marks them (Unicode's FSI and PDI).

use std::borrow::Cow;

/// FIRST STRONG ISOLATE.
const FSI: char = '\u{2068}';
/// POP DIRECTIONAL ISOLATE.
const PDI: char = '\u{2069}';

/// Returns whether this is a right-to-left letter.
fn is_rtl(c: char) -> bool {
    matches!(c, '\u{590}'..='\u{8ff}' | '\u{fb1d}'..='\u{fdff}' | '\u{fe70}'..='\u{fefe}' | '\u{10800}'..='\u{10fff}' | '\u{1e800}'..='\u{1efff}')
}

/// Returns whether this character may be inside a name.
fn is_in_name(c: char) -> bool {
    c.is_alphanumeric() || matches!(c, '-' | '_' | '.' | '/' | '@' | '%' | '+')
}

/// Returns the runs of a text, in order; `true` marks a right-to-left name.
pub fn runs(text: &str) -> Vec<(bool, &str)> {
    let (mut out, mut from, mut at) = (Vec::new(), 0, 0);
    while let Some(c) = text[at..].chars().next() {
        if !is_in_name(c) {
            at += c.len_utf8();
            continue;
        }
        let (end, rtl) = word(text, at);
        if !rtl {
            at = end;
            continue;
        }
        // Words of one name are separated by single blanks.
        let mut until = end;
        while let Some(rest) = text[until..].strip_prefix(' ') {
            let (next, rtl) = word(text, text.len() - rest.len());
            if !rtl {
                break;
            }
            until = next;
        }
        if from < at {
            out.push((false, &text[from..at]));
        }
        out.push((true, &text[at..until]));
        (from, at) = (until, until);
    }
    if from < text.len() {
        out.push((false, &text[from..]));
    }
    out
}

/// Returns the end of the word that begins at `from`, and whether it has a right-to-left letter.
fn word(text: &str, from: usize) -> (usize, bool) {
    let rest = &text[from..];
    let end = rest.find(|c| !is_in_name(c)).unwrap_or(rest.len());
    // A full stop ends the sentence.
    let name = rest[..end].trim_end_matches('.');
    (from + name.len().max(usize::from(end > 0)), name.chars().any(is_rtl))
}

/// Returns a line of plain text with right-to-left names isolated.
pub fn isolated(text: &str) -> Cow<'_, str> {
    if !text.chars().any(is_rtl) {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len() + 16);
    for (rtl, run) in runs(text) {
        if rtl {
            out.push(FSI);
        }
        out.push_str(run);
        if rtl {
            out.push(PDI);
        }
    }
    Cow::Owned(out)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_from_right_to_left_stand_by_themselves() {
        assert_eq!(isolated("zk-1 waits on n1."), "zk-1 waits on n1.");
        assert_eq!(isolated("بحث-1 waits."), "\u{2068}بحث-1\u{2069} waits.");
        assert_eq!(isolated("root.بحث: بحث عام, n1."), "\u{2068}root.بحث\u{2069}: \u{2068}بحث عام\u{2069}, n1.");
        assert_eq!(runs("בדיקה. x"), [(true, "בדיקה"), (false, ". x")]);
        assert_eq!(runs("..."), [(false, "...")]);
        assert_eq!(runs(""), []);
    }
}
