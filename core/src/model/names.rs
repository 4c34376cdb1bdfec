//! The rule for every name: visible text. Names stand in the middle of our sentences, where a character that reverses
//! the direction of text, or is invisible, would change their meaning (formats.md 10).

use super::{Problem, Span};

/// The longest name, in bytes.
const BYTES: usize = 250;

/// A fault of a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NameFault {
    Empty,
    /// It has nothing but blanks and invisible characters.
    Blank,
    TooLong,
    /// It contains this character, at this byte.
    Hidden(char, usize),
}

impl NameFault {
    /// The sentence about a name of this kind: "The name of a node".
    pub fn what(self, kind: &str) -> String {
        match self {
            NameFault::Empty => format!("{kind} is empty."),
            NameFault::Blank => format!("{kind} is blank: nothing of it can be seen."),
            NameFault::TooLong => format!("{kind} is too long."),
            NameFault::Hidden(c, _) => {
                format!(
                    "{kind} holds the character U+{:04X}, {}.",
                    u32::from(c),
                    hidden(c).unwrap_or("which nobody sees")
                )
            }
        }
    }

    /// The advice on how to mend it.
    pub fn mend(self) -> &'static str {
        match self {
            NameFault::Hidden(..) => "Take that character out.",
            _ => "Names have 1 to 250 bytes of visible characters.",
        }
    }
}

/// Returns what is wrong with a name; `None`: nothing.
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

/// Returns the first character of a text that no name may contain, and its byte.
pub fn first_hidden(text: &str) -> Option<(usize, char)> {
    text.char_indices().find(|(_, c)| hidden(*c).is_some())
}

/// Returns the first character, and its byte, of a name in a text that consists of fillers only: `/\u{3164}` as a rack,
/// `\u{3164}(3)` as a spec. ASCII punctuation and blanks separate names.
pub fn first_unseen(text: &str) -> Option<(usize, char)> {
    let parts = |c: char| c.is_whitespace() || c.is_ascii_punctuation();
    let mut at = 0;
    text.split_inclusive(parts).find_map(|part| {
        let name = part.trim_end_matches(parts);
        let first = name.chars().next().filter(|_| name.chars().all(is_unseen)).map(|c| (at, c));
        at += part.len();
        first
    })
}

/// Describes a character that no name may contain: a control or format character (Unicode's Cc, Cf, Zl, Zp), or one
/// without width.
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

/// Returns whether a character is invisible: a blank of any kind, a filler, a mark that only modifies the one before
/// it.
fn is_unseen(c: char) -> bool {
    let filler = matches!(
        c,
        '\u{115f}' | '\u{1160}' | '\u{17b4}' | '\u{17b5}' | '\u{180b}'..='\u{180f}' | '\u{2800}' | '\u{3164}'
            | '\u{fe00}'..='\u{fe0f}' | '\u{ffa0}' | '\u{e0100}'..='\u{e01ef}'
    );
    c.is_whitespace() || filler
}

/// Returns the first character that no name may contain in a Hadoop file of a scenario. Comments, line breaks, tabs and
/// a byte order mark are exempt. A character counts literally, and as the file's format writes it by number (`&#x202e;`
/// in XML, `\u202e` in JSON and .properties).
pub fn hidden_in_file(text: &str) -> Option<(char, Span)> {
    let format = Format::of(text);
    let (mut at, mut rest) = (0, text);
    if let Some(after) = text.strip_prefix('\u{feff}') {
        (at, rest) = (text.len() - after.len(), after);
    }
    while !rest.is_empty() {
        // The next stretch with other rules than the rest of the text, and what ends it.
        let (until, end, comment) = format.next_aside(rest);
        if let Some((c, span)) = hidden_in_stretch(&rest[..until], format) {
            return Some((c, span.shift(at)));
        }
        let after = rest[until..].find(end).map_or(rest.len(), |n| until + n + end.len());
        let aside = rest[until..after].char_indices().find(|(_, c)| !comment && is_hidden_in_file(*c));
        if let Some((n, c)) = aside {
            return Some((c, Span::new(at + until + n, at + until + n + c.len_utf8())));
        }
        at += after;
        rest = &rest[after..];
    }
    None
}

/// Returns the problem of a hidden character in a file of this name.
pub fn problem_in_file(source: &str, text: &str) -> Option<Problem> {
    let (c, span) = hidden_in_file(text)?;
    let fault = NameFault::Hidden(c, span.start);
    Some(Problem::error(source, span, fault.what("This file")).mend(fault.mend()))
}

/// A file format, as far as it decides how a character may be written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Format {
    Xml,
    Json,
    Properties,
}

impl Format {
    fn of(text: &str) -> Format {
        match text.trim_start_matches('\u{feff}').trim_start().as_bytes().first() {
            Some(b'<') => Format::Xml,
            Some(b'{' | b'[') => Format::Json,
            _ => Format::Properties,
        }
    }

    /// Returns where the next comment begins, or the next stretch in which no character can be written by number; what
    /// ends it, and whether it is a comment.
    fn next_aside(self, text: &str) -> (usize, &'static str, bool) {
        let nothing = (text.len(), "", true);
        match self {
            Format::Json => nothing,
            Format::Properties => next_comment_line(text).map_or(nothing, |at| (at, "\n", true)),
            Format::Xml => {
                // Matches one after the other, so that a long text is searched once.
                let aside = text.match_indices("<!").find_map(|(at, _)| {
                    let rest = &text[at + 2..];
                    let comment = rest.starts_with("--").then_some((at, "-->", true));
                    comment.or_else(|| rest.starts_with("[CDATA[").then_some((at, "]]>", false)))
                });
                aside.unwrap_or(nothing)
            }
        }
    }
}

fn is_hidden_in_file(c: char) -> bool {
    hidden(c).is_some() && !matches!(c, '\n' | '\r' | '\t')
}

/// Returns the first hidden character in a stretch without comments.
fn hidden_in_stretch(text: &str, format: Format) -> Option<(char, Span)> {
    let raw = text.char_indices().find(|(_, c)| is_hidden_in_file(*c));
    let raw = raw.map(|(n, c)| (c, Span::new(n, n + c.len_utf8())));
    let sign = if format == Format::Xml { "&#" } else { "\\" };
    let (mut at, until) = (0, raw.as_ref().map_or(text.len(), |(_, span)| span.start));
    while let Some(n) = text.get(at..until).and_then(|rest| rest.find(sign)) {
        let start = at + n;
        let rest = &text[start..];
        let (c, bytes) = if format == Format::Xml { reference(rest) } else { escape(rest) };
        if let Some(c) = c.filter(|c| is_hidden_in_file(*c)) {
            return Some((c, Span::new(start, start + bytes)));
        }
        at = start + bytes;
    }
    raw
}

/// Reads a reference such as `&#8203;` or `&#x200b;` at the start of a text: the character, and its bytes.
fn reference(text: &str) -> (Option<char>, usize) {
    let body = &text[2..];
    let end = body.bytes().take(12).position(|b| b == b';');
    let Some(number) = end.and_then(|end| body.get(..end)) else { return (None, 2) };
    let code = match number.strip_prefix(['x', 'X']) {
        Some(hex) => u32::from_str_radix(hex, 16),
        None => number.parse(),
    };
    (code.ok().and_then(char::from_u32), 2 + number.len() + 1)
}

/// Reads an escape such as `\u200b` at the start of a text, or a surrogate pair of two: the character, and its bytes. A
/// backslash before anything else escapes one character.
fn escape(text: &str) -> (Option<char>, usize) {
    let unit = |text: &str| {
        let digits = text.strip_prefix("\\u").map(|rest| (rest, rest.trim_start_matches('u')));
        let (rest, digits) = digits?;
        let code = u32::from_str_radix(digits.get(..4)?, 16).ok()?;
        Some((code, 2 + rest.len() - digits.len() + 4))
    };
    match unit(text) {
        Some((high @ 0xd800..=0xdbff, bytes)) => match text.get(bytes..).and_then(unit) {
            Some((low @ 0xdc00..=0xdfff, more)) => {
                (char::from_u32(0x10000 + ((high - 0xd800) << 10) + (low - 0xdc00)), bytes + more)
            }
            _ => (None, bytes),
        },
        Some((code, bytes)) => (char::from_u32(code), bytes),
        None => (None, 1 + text[1..].chars().next().map_or(0, char::len_utf8)),
    }
}

/// Returns where the next comment line of a properties file begins.
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
        assert_eq!(hidden_in_file("<a><!-- &#x202e; --></a>"), None);
        assert_eq!(hidden_in_file("# \\u202e\na=b\n"), None);
    }

    #[test]
    fn a_character_that_is_written_with_a_number_is_found_where_it_stands() {
        for c in ['\u{202e}', '\u{200b}', '\u{ad}', '\u{85}', '\u{e0041}', '\u{feff}'] {
            let code = u32::from(c);
            let mut units = [0; 2];
            let escaped: String = c.encode_utf16(&mut units).iter().map(|u| format!("\\u{u:04x}")).collect();
            let xml = ["<q n=\"aNb\"/>", "<q>N</q>", "<a><!-- x --><b/>N</a>", "<a><![CDATA[&#x202e;]]>N</a>"];
            let forms =
                [format!("&#x{code:x};"), format!("&#X{code:X};"), format!("&#{code};"), format!("&#x000{code:x};")];
            let plain = ["a=N\n", "# x\naN=b\n", "{\"a\": \"N\"}", "[\"\\\\N\"]", "a=\\\\N"];
            let xml = xml.iter().flat_map(|text| forms.iter().map(move |form| (*text, form.clone())));
            for (text, form) in xml.chain(plain.iter().map(|text| (*text, escaped.clone()))) {
                let (text, at) = (text.replace('N', &form), text.find('N').unwrap_or(0));
                assert_eq!(hidden_in_file(&text), Some((c, Span::new(at, at + form.len()))), "{text}");
            }
            let java = format!("a=\\uu{}", &escaped[2..]);
            assert_eq!(hidden_in_file(&java).map(|f| f.0), Some(c), "{java}");
        }
        // Other texts, the notation of another format, line breaks and tabs, and references that are not characters.
        for text in [
            "<a>&amp;#x202e; \\u202e &#xa;&#13;&#9;&#x41;&#xd800;&#x110000;&#;&#x;&#99999999999999;&#x202e</a>",
            "<a><![CDATA[&#x202e;]]></a>",
            "{\"a\": \"\\\\u202e &#x202e; \\n\\u000a\\u20\\ud83d\\ude00\\ud83d\"}",
            "a=\\\\u202e\\",
        ] {
            assert_eq!(hidden_in_file(text), None, "{text}");
        }
    }
}
