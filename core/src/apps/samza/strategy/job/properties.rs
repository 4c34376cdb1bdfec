//! Java's properties files: read with a position for every key and value, and written back with a difference of one line
//! (java.util.Properties.load; formats.md section 7, "Samza").

use super::Config;
use crate::model::{Problem, Span, limits};
use std::collections::BTreeMap;

/// The name of the input in messages.
pub const SOURCE: &str = "job.properties";

/// A key with its value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct JobProperty {
    /// The key, without escapes.
    pub key: String,
    /// The value, without escapes and continuations; trailing blanks belong to it.
    pub value: String,
    /// The position of the key.
    pub key_at: Span,
    /// The position of the value, including continuation lines.
    pub value_at: Span,
    /// All lines of the entry, with the last line end.
    lines: Span,
}

/// A properties file: its text and its entries.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Properties {
    text: String,
    entries: Vec<JobProperty>,
    /// The index of each key's last entry.
    last: BTreeMap<String, usize>,
}

/// A character of a logical line, and its position.
type Placed = (char, usize);

impl Properties {
    /// Reads a text. What cannot be read is skipped and reported. Never panics, whatever the text.
    pub fn read(text: &str) -> (Self, Vec<Problem>) {
        if text.len() > limits::TEXT_BYTES {
            let what = format!("The text has {} bytes; {} is the most.", text.len(), limits::TEXT_BYTES);
            return (Self::default(), vec![Problem::error(SOURCE, None, what)]);
        }
        let (mut entries, mut problems) = (Vec::<JobProperty>::new(), Vec::new());
        let mut at = 0;
        while at < text.len() {
            let (line, end) = logical_line(text, at);
            if !line.is_empty() {
                entries.extend(entry(&line, Span::new(at, end), end_of_value(text, end), &mut problems));
            }
            at = end;
        }
        let mut last = BTreeMap::new();
        for (i, e) in entries.iter().enumerate() {
            last.insert(e.key.clone(), i);
        }
        for (i, e) in entries.iter().enumerate() {
            if last.get(&e.key).is_some_and(|last| *last > i) {
                let key = if e.key.is_empty() { "The empty key".into() } else { format!("`{}`", e.key) };
                let what = format!("{key} stands twice; the last one counts.");
                problems.push(Problem::warning(SOURCE, e.key_at, what).mend("Delete this one."));
            }
        }
        (Properties { text: text.into(), entries, last }, problems)
    }

    /// Returns all keys with their values, in the order of the text.
    pub fn entries(&self) -> &[JobProperty] {
        &self.entries
    }

    /// Returns the current text.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Returns the last entry of a key.
    pub fn entry(&self, key: &str) -> Option<&JobProperty> {
        self.entries.get(*self.last.get(key)?)
    }

    /// Returns the value of a key.
    pub fn get(&self, key: &str) -> Option<&str> {
        self.entry(key).map(|e| e.value.as_str())
    }

    /// Returns all keys and values.
    pub fn config(&self) -> Config {
        self.entries.iter().map(|e| (e.key.clone(), e.value.clone())).collect()
    }

    /// Sets the value of a key: in place of the old one, or else on a new line at the end.
    pub fn set(&mut self, key: &str, value: &str) {
        if self.get(key) == Some(value) {
            return;
        }
        let value = escaped(value, false);
        match self.entry(key) {
            Some(e) => {
                // A key at the end of its line has no separator.
                let bare = e.value_at.start == e.key_at.end;
                let written = if bare { format!("={value}") } else { value };
                self.text.replace_range(e.value_at.start..e.value_at.end, &written);
            }
            None => {
                if !self.text.is_empty() && !self.text.ends_with('\n') {
                    self.text.push('\n');
                }
                // A backslash at the end of the last line would continue it with the new one.
                let last = self.text.trim_end_matches(['\n', '\r']);
                if (last.len() - last.trim_end_matches('\\').len()) % 2 == 1 {
                    self.text.push('\n');
                }
                self.text.push_str(&format!("{}={value}\n", escaped(key, true)));
            }
        }
        *self = Self::read(&self.text).0;
    }

    /// Removes a key and its lines.
    pub fn remove(&mut self, key: &str) {
        for e in self.entries.iter().rev().filter(|e| e.key == key) {
            self.text.replace_range(e.lines.start..e.lines.end, "");
        }
        *self = Self::read(&self.text).0;
    }
}

fn blank(c: char) -> bool {
    matches!(c, ' ' | '\t' | '\u{c}')
}

/// Returns the end of the natural line that begins here, without its line end, and the start of the next one.
fn natural_line(text: &str, at: usize) -> (usize, usize) {
    let rest = &text[at..];
    let Some(end) = rest.find(['\n', '\r']) else { return (text.len(), text.len()) };
    let pair = if rest[end..].starts_with("\r\n") { 2 } else { 1 };
    (at + end, at + end + pair)
}

/// Returns a line with its continuations, escapes as written, without leading blanks, and empty for blank lines and comments;
/// and the start of the next line.
fn logical_line(text: &str, mut at: usize) -> (Vec<Placed>, usize) {
    let mut line: Vec<Placed> = Vec::new();
    let mut first = true;
    loop {
        let (end, next) = natural_line(text, at);
        let natural = &text[at..end];
        let body = natural.trim_start_matches(blank);
        if first && (body.is_empty() || body.starts_with(['#', '!'])) {
            return (line, next);
        }
        first = false;
        let start = end - body.len();
        line.extend(body.char_indices().map(|(i, c)| (c, start + i)));
        let slashes = line.iter().rev().take_while(|(c, _)| *c == '\\').count();
        if slashes % 2 == 0 {
            return (line, next);
        }
        line.pop();
        if next >= text.len() {
            return (line, next);
        }
        at = next;
    }
}

/// Returns the end of a value whose lines end here: before the last line end.
fn end_of_value(text: &str, end: usize) -> usize {
    text[..end].trim_end_matches(['\n', '\r']).len()
}

fn entry(line: &[Placed], lines: Span, end: usize, problems: &mut Vec<Problem>) -> Option<JobProperty> {
    let mut key_end = 0;
    while let Some((c, _)) = line.get(key_end) {
        match c {
            '\\' => key_end += 2,
            '=' | ':' => break,
            c if blank(*c) => break,
            _ => key_end += 1,
        }
    }
    let key_end = key_end.min(line.len());
    let mut value = key_end;
    let skip_blanks = |from: usize| from + line[from..].iter().take_while(|(c, _)| blank(*c)).count();
    value = skip_blanks(value);
    if matches!(line.get(value), Some(('=' | ':', _))) {
        value = skip_blanks(value + 1);
    }
    let place = |i: usize| line.get(i).map_or(end, |(_, at)| *at);
    // After a continuation the key ends at its last character, not where the next one is; a key without characters (`=x`) ends
    // at the start of its line, after the leading blanks.
    let key_stop = line[..key_end].last().map_or(place(0), |(c, at)| at + c.len_utf8());
    let value_start = if value == line.len() && key_end == line.len() { key_stop } else { place(value) };
    let value_at = Span::new(value_start.min(end.max(key_stop)), end.max(key_stop));
    let key = unescaped(&line[..key_end], problems)?;
    let value = unescaped(&line[value..], problems)?;
    Some(JobProperty { key, value, key_at: Span::new(place(0), key_stop), value_at, lines })
}

/// Returns the unescaped text; `None` and a problem if `\u` lacks four hexadecimal digits.
fn unescaped(part: &[Placed], problems: &mut Vec<Problem>) -> Option<String> {
    let mut units: Vec<u16> = Vec::new();
    let mut i = 0;
    if let Some((c, at)) = part.iter().find(|(c, _)| !c.is_ascii()) {
        let codes: String = c.encode_utf16(&mut [0; 2]).iter().map(|unit| format!("\\u{unit:04x}")).collect();
        let what = format!("Java reads this file as ISO-8859-1: `{c}` is taken for two letters or more.");
        problems.push(Problem::warning(SOURCE, Span::new(*at, at + c.len_utf8()), what).mend("Escape it.").fix(codes));
    }
    while let Some((c, at)) = part.get(i) {
        i += 1;
        let mut push = |c: char| units.extend(c.encode_utf8(&mut [0; 4]).bytes().map(u16::from));
        if *c != '\\' {
            push(*c);
            continue;
        }
        let Some((escape, _)) = part.get(i) else { break };
        i += 1;
        match escape {
            't' => push('\t'),
            'n' => push('\n'),
            'r' => push('\r'),
            'f' => push('\u{c}'),
            'u' => {
                let digits: String = part[i..].iter().take(4).map(|(c, _)| *c).collect();
                let all = digits.len() == 4 && digits.chars().all(|c| c.is_ascii_hexdigit());
                let Some(unit) = u16::from_str_radix(&digits, 16).ok().filter(|_| all) else {
                    let end = part.get(i + 4).or(part.last()).map_or(*at, |(_, at)| *at);
                    let what = format!("`\\u{digits}` is no character: four hexadecimal digits have to follow `\\u`.");
                    let mend = "Write four digits, or a second backslash if a backslash is meant.";
                    problems.push(Problem::error(SOURCE, Span::new(*at, end.max(*at)), what).mend(mend));
                    return None;
                };
                units.push(unit);
                i += 4;
            }
            other => push(*other),
        }
    }
    Some(String::from_utf16_lossy(&units))
}

/// Escapes a text as `Properties.store` does: readable as Latin-1 too.
fn escaped(text: &str, key: bool) -> String {
    let mut out = String::new();
    let mut leading = true;
    for c in text.chars() {
        leading &= c == ' ';
        match c {
            '\\' => out.push_str("\\\\"),
            '\t' => out.push_str("\\t"),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\u{c}' => out.push_str("\\f"),
            ' ' if key || leading => out.push_str("\\ "),
            '=' | ':' | '#' | '!' if key => {
                out.push('\\');
                out.push(c);
            }
            ' '..='~' => out.push(c),
            _ => c.encode_utf16(&mut [0; 2]).iter().for_each(|unit| out.push_str(&format!("\\u{unit:04X}"))),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pairs(text: &str) -> Vec<(String, String)> {
        Properties::read(text).0.entries.iter().map(|e| (e.key.clone(), e.value.clone())).collect()
    }

    #[test]
    fn a_line_is_read_as_java_reads_it() {
        for (text, key, value) in [
            ("a=1", "a", "1"),
            ("  a : 1 ", "a", "1 "),
            ("a 1", "a", "1"),
            ("a  =  = 1", "a", "= 1"),
            ("a", "a", ""),
            ("a=", "a", ""),
            ("a=b\\\n   c\\\r\n d", "a", "bcd"),
            ("a=b\\\\", "a", "b\\"),
            ("a=b\\", "a", "b"),
            ("a=1\\\n#no comment", "a", "1#no comment"),
            ("a\\=b\\ c=\\t\\n\\x", "a=b c", "\t\nx"),
            ("a=\\u00e9\\uD83D\\uDE00", "a", "é😀"),
            ("a=é", "a", "Ã©"),
            ("ж=ж", "\u{d0}\u{b6}", "\u{d0}\u{b6}"),
            ("a\\\n=1", "a", "1"),
            ("  = 1", "", "1"),
            (" :", "", ""),
        ] {
            assert_eq!(pairs(text), [(key.to_string(), value.to_string())], "{text}");
        }
        assert_eq!(pairs("# a=1\n! b=2\n\n \t \n"), []);
    }

    #[test]
    fn a_key_without_characters_has_a_place() {
        let text = " =1\n\u{c} := 2\n=\n";
        let (p, problems) = Properties::read(text);
        let places: Vec<_> = p.entries.iter().map(|e| (e.key_at.start, e.key_at.end)).collect();
        assert_eq!(places, [(1, 1), (6, 6), (11, 11)]);
        let told: Vec<_> = problems.iter().map(|p| p.render(text)).collect();
        assert_eq!(told.len(), 2);
        assert!(told[0].starts_with("job.properties:1:2: warning: The empty key stands twice"), "{}", told[0]);
    }

    #[test]
    fn places_are_those_of_the_text() {
        let text = "# first\n  job.name = x\\\n  y\n";
        let (p, problems) = Properties::read(text);
        assert_eq!(problems, []);
        let e = p.entry("job.name").expect("read");
        assert_eq!(&text[e.key_at.start..e.key_at.end], "job.name");
        assert_eq!(&text[e.value_at.start..e.value_at.end], "x\\\n  y");
        assert_eq!(e.value_at.line_col(text), (2, 14));
    }

    #[test]
    fn what_cannot_be_read_is_told_with_its_place() {
        let text = "a=1\nbroken\\u00zz=1\nb=2\na=3\n";
        let (p, problems) = Properties::read(text);
        let told: Vec<String> = problems.iter().map(|p| p.render(text)).collect();
        assert_eq!(told.len(), 2);
        assert!(told[0].starts_with("job.properties:2:7: error: `\\u00zz` is no character"), "{}", told[0]);
        assert!(told[1].starts_with("job.properties:1:1: warning: `a` stands twice"), "{}", told[1]);
        assert_eq!((p.get("a"), p.get("b")), (Some("3"), Some("2")));
    }

    /// If each key were searched for among all others, this would take minutes.
    #[test]
    fn very_many_keys_are_read_in_time_linear_in_the_text() {
        let text: String = (0..200_000).map(|i| format!("k{i}=1\n")).collect::<String>() + "k0=2\n";
        let (p, problems) = Properties::read(&text);
        assert_eq!((problems.len(), p.get("k0"), p.get("k199999")), (1, Some("2"), Some("1")));
    }

    #[test]
    fn one_value_is_one_line_of_difference() {
        let text = "# c\na : 1\nb=x\\\n  y\n\nc\n";
        let with = |key: &str, value: &str| {
            let (mut p, _) = Properties::read(text);
            p.set(key, value);
            assert_eq!(p.get(key), Some(value));
            p.text
        };
        assert_eq!(with("a", "2"), text.replace("a : 1", "a : 2"));
        assert_eq!(with("b", "z"), text.replace("b=x\\\n  y", "b=z"));
        assert_eq!(with("c", "z"), text.replace("c\n", "c=z\n").replacen("# c=z", "# c", 1));
        assert_eq!(with("d e", " é\\"), format!("{text}d\\ e=\\ \\u00E9\\\\\n"));
        assert_eq!(with("a", "1"), text, "the same value changes nothing");
        let (mut p, _) = Properties::read(text);
        p.remove("b");
        assert_eq!(p.text, "# c\na : 1\n\nc\n");
        let (mut p, _) = Properties::read("a=1");
        p.set("b", "2");
        assert_eq!(p.text, "a=1\nb=2\n");
    }
}
