//! What a name may be, whoever gives it: visible text. Names stand in the middle of our sentences, where a character that
//! turns the direction of text around, or that nobody can see, would make them say something else (formats.md 10).

use super::Span;

/// Bytes of a name.
const BYTES: usize = 250;

/// What is wrong with a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NameFault {
    Empty,
    /// It has nothing but blanks and what cannot be seen.
    Blank,
    TooLong,
    /// It holds this character, at this byte.
    Hidden(char, usize),
}

impl NameFault {
    /// What is said of a name of this kind: "The name of a node".
    pub fn what(self, kind: &str) -> String {
        match self {
            NameFault::Empty => format!("{kind} is empty."),
            NameFault::Blank => format!("{kind} is blank: nothing of it can be seen."),
            NameFault::TooLong => format!("{kind} is too long."),
            NameFault::Hidden(c, _) => {
                format!("{kind} holds the character U+{:04X}, {}.", u32::from(c), hidden(c).unwrap_or_default())
            }
        }
    }

    /// How to mend it.
    pub fn mend(self) -> &'static str {
        match self {
            NameFault::Hidden(..) => "Take that character out.",
            _ => "Names have 1 to 250 bytes of visible characters.",
        }
    }
}

/// What is wrong with a name; `None`: nothing.
pub fn fault(name: &str) -> Option<NameFault> {
    if name.is_empty() {
        return Some(NameFault::Empty);
    }
    if let Some((at, c)) = first_hidden(name) {
        return Some(NameFault::Hidden(c, at));
    }
    if name.chars().all(is_unseen) {
        return Some(NameFault::Blank);
    }
    (name.len() > BYTES).then_some(NameFault::TooLong)
}

/// The first character of a text that no name may hold, and its byte.
pub fn first_hidden(text: &str) -> Option<(usize, char)> {
    text.char_indices().find(|(_, c)| hidden(*c).is_some())
}

/// What a character is that no name may hold: a control or a format character (Unicode's Cc, Cf, Zl, Zp), or one that has no
/// width.
pub fn hidden(c: char) -> Option<&'static str> {
    Some(match c {
        '\u{0}'..='\u{1f}' | '\u{7f}'..='\u{9f}' => "a control character",
        '\u{200e}' | '\u{200f}' | '\u{61c}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' => {
            "which turns the direction of text around"
        }
        '\u{200b}'..='\u{200d}' | '\u{2060}' | '\u{feff}' | '\u{180e}' | '\u{34f}' => "which has no width",
        '\u{2028}' | '\u{2029}' => "which breaks the line",
        '\u{ad}'
        | '\u{600}'..='\u{605}'
        | '\u{6dd}'
        | '\u{70f}'
        | '\u{890}'
        | '\u{891}'
        | '\u{8e2}'
        | '\u{2061}'..='\u{2065}'
        | '\u{206a}'..='\u{206f}'
        | '\u{fff9}'..='\u{fffb}'
        | '\u{110bd}'
        | '\u{110cd}'
        | '\u{13430}'..='\u{1343f}'
        | '\u{1bca0}'..='\u{1bca3}'
        | '\u{1d173}'..='\u{1d17a}'
        | '\u{e0001}'
        | '\u{e0020}'..='\u{e007f}' => "a format character",
        _ => return None,
    })
}

/// Can nobody see it: a blank of any kind, a filler, a sign that only changes the one before it?
fn is_unseen(c: char) -> bool {
    let filler = matches!(
        c,
        '\u{115f}' | '\u{1160}' | '\u{17b4}' | '\u{17b5}' | '\u{180b}'..='\u{180f}' | '\u{2800}' | '\u{3164}'
            | '\u{fe00}'..='\u{fe0f}' | '\u{ffa0}' | '\u{e0100}'..='\u{e01ef}'
    );
    c.is_whitespace() || filler
}

/// Characters that no name may hold, in a file of Hadoop's that is in a scenario: outside of comments, and but for line
/// breaks, tabs and a byte order mark.
pub fn hidden_in_file(text: &str) -> Option<(char, Span)> {
    let xml = text.trim_start_matches('\u{feff}').trim_start().starts_with('<');
    let (mut at, mut rest) = (0, text);
    if let Some(after) = text.strip_prefix('\u{feff}') {
        (at, rest) = (text.len() - after.len(), after);
    }
    while !rest.is_empty() {
        let comment = if xml { rest.find("<!--") } else { next_comment_line(rest) };
        let until = comment.unwrap_or(rest.len());
        let found =
            rest[..until].char_indices().find(|(_, c)| hidden(*c).is_some() && !matches!(c, '\n' | '\r' | '\t'));
        if let Some((n, c)) = found {
            return Some((c, Span::new(at + n, at + n + c.len_utf8())));
        }
        let end = if xml { "-->" } else { "\n" };
        let after = rest[until..].find(end).map_or(rest.len(), |n| until + n + end.len());
        at += after;
        rest = &rest[after..];
    }
    None
}

/// Where the next line begins that is a comment of a properties file.
fn next_comment_line(text: &str) -> Option<usize> {
    let mut at = 0;
    for line in text.split_inclusive('\n') {
        if line.trim_start().starts_with(['#', '!']) {
            return Some(at);
        }
        at += line.len();
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_visible_text() {
        for good in ["n1", "/r1", "队列", "بحث", "a b", "é", "⚙\u{fe0f}", "root.a"] {
            assert_eq!(fault(good), None, "{good}");
        }
        assert_eq!(fault(""), Some(NameFault::Empty));
        for blank in [" ", "\u{a0}", "\u{3000}", "\u{3164}", "\u{2800}", "\u{fe0f}", " \u{115f} "] {
            assert_eq!(fault(blank), Some(NameFault::Blank), "{blank:?}");
        }
        for c in [
            '\u{202e}',
            '\u{2066}',
            '\u{200f}',
            '\u{61c}',
            '\u{200b}',
            '\u{200d}',
            '\u{feff}',
            '\u{ad}',
            '\u{e0041}',
            '\n',
            '\u{85}',
        ] {
            assert_eq!(fault(&format!("ab{c}c")), Some(NameFault::Hidden(c, 2)), "{c:?}");
        }
        let what = NameFault::Hidden('\u{202e}', 0).what("The name of a node");
        assert_eq!(what, "The name of a node holds the character U+202E, which turns the direction of text around.");
    }

    #[test]
    fn comments_of_a_file_may_hold_anything() {
        assert_eq!(hidden_in_file("\u{feff}<a><!-- \u{200b} --><b>\n\tx</b></a>"), None);
        assert_eq!(hidden_in_file("<a><!-- x --><b>\u{202e}</b>").map(|f| f.1), Some(Span::new(16, 19)));
        assert_eq!(hidden_in_file("# \u{202e}\na=b\n ! \u{200b}\nc=d\n"), None);
        assert_eq!(hidden_in_file("# x\na=\u{202e}b\n").map(|f| f.0), Some('\u{202e}'));
    }
}
