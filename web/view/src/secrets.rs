//! Secrets in texts: passwords, keys, tokens, keytabs, principals, credentials in addresses, and everything that Samza
//! calls `sensitive.` (formats.md 4). One masker serves every format that is read and every way out: it looks for names and
//! values as they occur in a text (XML, properties, JSON, TOML, command lines, one inside another), so that even a text
//! that cannot be parsed is masked. Work is linear in the length of the text.
//!
//! A value becomes `masked-1`, another one `masked-2`, and equal values stay equal. The mask keeps the form that somebody
//! may check: a path stays a path, a principal has its host. Masked values stay as they are.

mod shapes;

use crate::Span;
use std::borrow::Cow;
use std::collections::BTreeMap;

/// A secret in a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Secret {
    /// The name of the secret: `fs.s3a.secret.key`; for an address its scheme.
    pub name: String,
    /// The value, without quotes.
    pub span: Span,
    /// Whether it is masked already.
    pub masked: bool,
    /// Whether it is an unquoted number, which only a number may replace.
    bare_number: bool,
}

/// The prefix of a masked value.
const MASK: &str = "masked-";

/// Words at the end of a secret's name.
const SECRETS: [&str; 31] = [
    "password",
    "passwords",
    "passwd",
    "pwd",
    "pw",
    "passphrase",
    "passcode",
    "passwort",
    "pass",
    "secret",
    "secrets",
    "token",
    "tokens",
    "credential",
    "credentials",
    "cred",
    "creds",
    "cookie",
    "keytab",
    "keytabs",
    "principal",
    "principals",
    "apikey",
    "accesskey",
    "secretkey",
    "privatekey",
    "jwt",
    "bearer",
    "keypass",
    "storepass",
    "sharedkey",
];
/// Words that may be joined to the previous one without a capital: `ssl.server.keystore.keypassword`, `authtoken`.
const ENDS: [&str; 14] = [
    "password",
    "passwd",
    "passphrase",
    "secret",
    "token",
    "credential",
    "credentials",
    "apikey",
    "accesskey",
    "secretkey",
    "privatekey",
    "passwort",
    "pwd",
    "pw",
];
/// Last words of names that denote a secret only together: `hadoop.zk.auth`, `basic.auth.user.info`, the signature of an
/// address.
const TOGETHER: [&[&str]; 6] = [
    &["zk", "auth"],
    &["zookeeper", "auth"],
    &["digest", "auth"],
    &["auth", "user", "info"],
    &["amz", "signature"],
    &["goog", "signature"],
];
/// Prefixes of names that end with the secret's owner, and a part of that ending.
const OF_WHOM: [(&str, &str); 2] = [("fs.azure.sas.", ".core."), ("fs.ftp.password.", ".")];
/// Words that may follow such a word in a name.
const AFTER: [&str; 16] = [
    "value", "values", "file", "path", "name", "names", "location", "local", "dir", "id", "text", "string", "base64",
    "uri", "url", "default",
];
/// Words that make a following `key` a secret.
const BEFORE_KEY: [&str; 32] = [
    "access",
    "secret",
    "private",
    "api",
    "account",
    "encryption",
    "signing",
    "signature",
    "shared",
    "aws",
    "ssh",
    "storage",
    "license",
    "licence",
    "master",
    "service",
    "client",
    "auth",
    "hmac",
    "cipher",
    "session",
    "app",
    "consumer",
    "ssl",
    "tls",
    "pgp",
    "gpg",
    "rsa",
    "crypto",
    "s3a",
    "s3n",
    "s3",
];

/// Prefixes of the properties of resource types.
const RESOURCES: [&str; 2] = ["yarn.nodemanager.resource-type.", "yarn.resource-types."];
/// Words that make following `tokens` a count.
const COUNTS: [&str; 6] = ["max", "min", "num", "number", "count", "limit"];

/// Keys whose value is the secret if their object or list has a secret's name.
const BELOW: [&str; 19] = [
    "value",
    "values",
    "val",
    "text",
    "string",
    "stringData",
    "plain",
    "plaintext",
    "plain_text",
    "data",
    "content",
    "contents",
    "raw",
    "literal",
    "base64",
    "default",
    "file",
    "path",
    "location",
];
/// The number of backslashes before the `n` if a line in a string ends with a backslash: `\\\\\\n`, and that in a string
/// again.
const CONTINUED: [usize; 2] = [3, 6];

/// Splits a name into words in lower case: at every character that is no letter or digit, and before capitals.
fn words(name: &str) -> Vec<String> {
    let mut out: Vec<String> = Vec::new();
    let (mut word, mut before) = (String::new(), ' ');
    let mut chars = name.chars().peekable();
    while let Some(c) = chars.next() {
        let starts = c.is_uppercase() && (before.is_lowercase() || before.is_ascii_digit())
            || c.is_uppercase() && before.is_uppercase() && chars.peek().is_some_and(|next| next.is_lowercase());
        if !c.is_alphanumeric() || starts {
            out.extend((!word.is_empty()).then(|| std::mem::take(&mut word)));
        }
        if c.is_alphanumeric() {
            word.extend(c.to_lowercase());
        }
        before = c;
    }
    out.extend((!word.is_empty()).then_some(word));
    out
}

/// Returns whether this is the name of a secret.
pub fn is_secret(name: &str) -> bool {
    // Names below `root.` are queues.
    let own = name.find("root.").map_or(name, |queue| &name[..queue]);
    if own.split('.').any(|part| part.trim_start_matches(['-', 'D']) == "sensitive") && !own.ends_with("sensitive") {
        return true;
    }
    // A resource type may have any name.
    if !may_be_secret(name) || RESOURCES.iter().any(|of| name.starts_with(of)) {
        return false;
    }
    let of_whom =
        |(start, end): &(&str, &str)| name.split_once(start).is_some_and(|(_, whom)| format!(".{whom}").contains(end));
    if OF_WHOM.iter().any(of_whom) || name == "sig" {
        return true;
    }
    let words = words(name);
    // The permitted number of tokens is not a secret.
    if words.last().is_some_and(|last| last == "tokens") && words.iter().any(|word| COUNTS.contains(&word.as_str())) {
        return false;
    }
    if TOGETHER
        .iter()
        .any(|last| words.iter().rev().zip(last.iter().rev()).filter(|(a, b)| a == b).count() == last.len())
    {
        return true;
    }
    let key_at = |n: usize| {
        let after = words.get(n + 1).map(String::as_str);
        matches!(words[n].as_str(), "key" | "keys")
            && n > 0
            && BEFORE_KEY.contains(&words[n - 1].as_str())
            // The key of an account is followed by the account's name.
            && (words[n - 1] == "account" || after.is_none_or(|after| AFTER.contains(&after)))
    };
    (0..words.len()).rev().any(|n| {
        let rest = || words[n + 1..].iter().all(|word| AFTER.contains(&word.as_str()));
        let secret = || SECRETS.contains(&words[n].as_str()) || ENDS.iter().any(|end| words[n].ends_with(end));
        secret() && rest() || key_at(n) && (words[n - 1] == "account" || rest())
    })
}

/// Rules out nearly all names quickly.
fn may_be_secret(name: &str) -> bool {
    const STEMS: [&[u8]; 13] = [
        b"pass",
        b"pw",
        b"secret",
        b"token",
        b"cred",
        b"keytab",
        b"principal",
        b"key",
        b"jwt",
        b"bearer",
        b"auth",
        b"sig",
        b".sas.",
    ];
    let name = name.as_bytes();
    STEMS.iter().any(|stem| name.windows(stem.len()).any(|part| part.eq_ignore_ascii_case(stem)))
}

/// Returns whether a value cannot be a secret: empty, a flag, a variable.
fn is_nothing(value: &str) -> bool {
    let value = value.trim();
    let variable = value.starts_with("${") && value.ends_with('}') && value.matches("${").count() == 1;
    variable
        || ["", "true", "false", "yes", "no", "null", "none", "*"].iter().any(|word| value.eq_ignore_ascii_case(word))
}

/// Returns the number of a value that [`mask`] wrote.
fn masked_number(value: &str) -> Option<u64> {
    let value = value.trim();
    let value = value.split_once("://").map_or(value, |(_, rest)| rest).trim_start_matches('/');
    let rest = value.strip_prefix(MASK)?;
    let digits = rest.len() - rest.trim_start_matches(|c: char| c.is_ascii_digit()).len();
    let tail = &rest[digits..];
    let whole = ["", "/masked", "@masked", "/masked@masked"].contains(&tail);
    rest[..digits].parse().ok().filter(|_| whole)
}

/// Returns the mask of a value, in the same form, with this number.
fn mask_of(value: &str, number: u64) -> String {
    let mask = format!("{MASK}{number}");
    if let Some((scheme, rest)) = value.split_once("://") {
        let root = if rest.starts_with('/') { "/" } else { "" };
        return format!("{scheme}://{root}{mask}");
    }
    if value.starts_with('/') {
        return format!("/{mask}");
    }
    let host = if value.contains('/') { "/masked" } else { "" };
    let realm = if value.contains('@') { "@masked" } else { "" };
    format!("{mask}{host}{realm}")
}

/// A text with its secrets masked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Masked {
    pub text: String,
    /// The masked secrets, with their places in the new text.
    pub secrets: Vec<Secret>,
}

/// Masks the secrets of a text; `None`: it has none.
pub fn mask(text: &str) -> Option<Masked> {
    let found = find(text);
    if found.iter().all(|s| s.masked) {
        return None;
    }
    let value = |s: &Secret| text.get(s.span.start..s.span.end).unwrap_or_default();
    let first = found.iter().filter_map(|s| masked_number(value(s))).max().unwrap_or(0) + 1;
    let mut numbers: BTreeMap<&str, u64> = BTreeMap::new();
    let (mut out, mut at, mut secrets) = (String::with_capacity(text.len()), 0, Vec::new());
    for secret in found.into_iter().filter(|s| !s.masked) {
        let raw = value(&secret);
        let next = first + numbers.len() as u64;
        let number = *numbers.entry(raw).or_insert(next);
        out.push_str(text.get(at..secret.span.start).unwrap_or_default());
        let start = out.len();
        out.push_str(&if secret.bare_number { "0".to_string() } else { mask_of(raw, number) });
        at = secret.span.end;
        secrets.push(Secret { span: Span::new(start, out.len()), masked: true, ..secret });
    }
    out.push_str(text.get(at..).unwrap_or_default());
    Some(Masked { text: out, secrets })
}

/// Returns a text in the form in which it may leave the machine.
pub fn masked(text: &str) -> String {
    mask(text).map_or_else(|| text.to_owned(), |masked| masked.text)
}

/// Returns a sentence about masked secrets: their names, and the number of the others.
pub fn sentence(secrets: &[Secret]) -> String {
    const NAMED: usize = 3;
    let mut names: Vec<&str> = Vec::new();
    for secret in secrets {
        if !names.contains(&secret.name.as_str()) && names.len() <= NAMED {
            names.push(&secret.name);
        }
    }
    let more = if names.len() > NAMED { " and more" } else { "" };
    names.truncate(NAMED);
    let (values, are) = if secrets.len() == 1 { ("value", "is") } else { ("values", "are") };
    let count = secrets.len();
    format!(
        "{count} secret {values} {are} masked ({}{more}): no link, address, draft or file gets them.",
        names.join(", ")
    )
}

/// Returns all secrets of a text, in order.
pub fn find(text: &str) -> Vec<Secret> {
    let mut scan = Scan {
        text,
        bytes: text.as_bytes(),
        out: Vec::new(),
        toml: is_scenario(text),
        quotes: None,
        header: "",
        resume: 0,
        line_in_string: 0,
        tools: Vec::new(),
        walked: 0,
    };
    scan.run();
    let mut out = scan.out;
    out.sort_by_key(|s| (s.span.start, s.span.end));
    // A name inside the value of another one: the longer value is masked as a whole.
    let mut end = 0;
    out.retain(|s| {
        let new = s.span.start >= end;
        end = end.max(s.span.end);
        new
    });
    out
}

/// Returns whether a text looks like a scenario, so that everything outside its long strings is TOML.
fn is_scenario(text: &str) -> bool {
    text.lines().take(2_000).any(|line| {
        let line = line.trim_start();
        line.starts_with("[[") || line.strip_prefix("heddle").is_some_and(|rest| rest.trim_start().starts_with('='))
    })
}

fn is_name_byte(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'.' | b'-' | b'$') || byte >= 0x80
}

/// The delimiter of a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Quote {
    /// The number of backslashes before each quote, in JSON within a string.
    slashes: usize,
    byte: u8,
}

struct Scan<'t> {
    text: &'t str,
    bytes: &'t [u8],
    out: Vec<Secret>,
    /// Whether the text is a scenario.
    toml: bool,
    /// The quote of the current long string of the scenario.
    quotes: Option<u8>,
    /// The current table of the scenario.
    header: &'t str,
    /// The end of the last value found.
    resume: usize,
    /// The number of backslashes of an escaped line break before the next name; 0: there is none.
    line_in_string: usize,
    /// The tools that the current command names, with the word that is still missing.
    tools: Vec<(&'static shapes::Tool, Option<&'static str>)>,
    /// The end of the last object that was searched for values.
    walked: usize,
}

impl<'t> Scan<'t> {
    fn run(&mut self) {
        let (mut at, mut fresh) = (0, true);
        while let Some(&byte) = self.bytes.get(at) {
            if is_name_byte(byte) || self.escaped(at).is_some() {
                // A line break or a tab, escaped in a string, precedes the name.
                let escaped = at > 0 && self.bytes[at - 1] == b'\\' && matches!(byte, b'n' | b't' | b'r');
                if escaped {
                    let slashes = self.bytes[..at].iter().rev().take(8).take_while(|b| **b == b'\\').count();
                    self.line_in_string = slashes;
                    if !CONTINUED.contains(&slashes) && byte != b't' {
                        self.tools.clear();
                    }
                }
                let (at_name, fresh) = if escaped { (at + 1, false) } else { (at, fresh) };
                let (name, end) = self.name_at(at_name);
                if !name.is_empty() {
                    self.word_of_a_command(&name, at_name, end);
                    if is_secret(name.trim_start_matches('-')) {
                        self.named(&name, at_name, end, fresh);
                    }
                    self.line_in_string = 0;
                }
                // The contents of a value are part of it.
                at = end.max(std::mem::take(&mut self.resume));
                continue;
            }
            match byte {
                b'\n' => {
                    fresh = true;
                    let line = self.bytes[..at].strip_suffix(b"\r").unwrap_or(&self.bytes[..at]);
                    if !line.ends_with(b"\\") {
                        self.tools.clear();
                    }
                    self.line(at + 1);
                }
                // Indentation and comment signs.
                b' ' | b'\t' | b'\r' | b'#' | b'!' | b';' | b'*' if fresh && self.begins(at) => {}
                b'<' if opens(&self.bytes[at..], "name") => {
                    fresh = false;
                    self.broken_name(at);
                }
                b' ' | b'\t' | b'=' | b',' | b'<' | b'{' | b'(' | b'[' | b'?' | b'&' => fresh = false,
                b'|' => self.tools.clear(),
                b';' if !self.ends_a_reference(at) => self.tools.clear(),
                b'"' | b'\'' if fresh && self.begins(at) => {}
                b'"' | b'\'' => fresh = false,
                b':' if self.bytes[at..].starts_with(b"://") => self.address(at),
                _ => {}
            }
            if !matches!(byte, b' ' | b'\t' | b'\\') {
                self.line_in_string = 0;
            }
            if matches!(byte, b'"' | b'\'') && self.bytes[at..].starts_with(&[byte; 3]) {
                self.quotes = match self.quotes {
                    None => Some(byte),
                    Some(open) if open == byte => None,
                    open => open,
                };
                at += 3;
                continue;
            }
            at += 1;
        }
        self.private_keys();
        self.shapes();
    }

    /// Returns the name that begins here, decoded, and where it ends.
    fn name_at(&self, start: usize) -> (Cow<'t, str>, usize) {
        let mut end = self.while_at(start, is_name_byte);
        let mut name = Cow::Borrowed(self.text.get(start..end).unwrap_or_default());
        loop {
            let (c, next) = match (self.escaped(end), self.continued(end)) {
                (Some((c, next)), _) => (Some(c), next),
                (None, Some(next)) if end > start && self.bytes.get(next).is_some_and(|b| is_name_byte(*b)) => {
                    (None, next)
                }
                _ => return (name, end),
            };
            let more = self.while_at(next, is_name_byte);
            name.to_mut().extend(c);
            name.to_mut().push_str(self.text.get(next..more).unwrap_or_default());
            end = more;
        }
    }

    /// Returns where the text continues after a backslash at the end of a line, as in a .properties file and a shell, or in
    /// such a text inside a string.
    fn continued(&self, at: usize) -> Option<usize> {
        if self.bytes.get(at) != Some(&b'\\') {
            return None;
        }
        let sign = self.while_at(at, |b| b == b'\\');
        let line_break = if self.starts(sign, "\r\n") { sign + 2 } else { sign + 1 };
        let ends = match self.bytes.get(sign)? {
            b'\n' | b'\r' => (sign - at) % 2 == 1,
            b'n' => CONTINUED.contains(&(sign - at)),
            _ => false,
        };
        ends.then(|| self.while_at(line_break, |b| matches!(b, b' ' | b'\t')))
    }

    /// Returns whether this semicolon ends a reference such as `&quot;`.
    fn ends_a_reference(&self, at: usize) -> bool {
        let word =
            self.bytes[..at].iter().rev().take(8).take_while(|b| b.is_ascii_alphanumeric() || **b == b'#').count();
        word > 0 && at > word && self.bytes[at - word - 1] == b'&'
    }

    /// Adds the value of a name in `<name>` that spans several lines.
    fn broken_name(&mut self, at: usize) {
        let start = self.near_while(at, |b| b != b'>') + 1;
        let (mut name, mut at, mut pieces) = (String::new(), start, 0);
        while at < start + AROUND {
            let end = self.near_while(at, |b| b != b'<');
            for piece in self.text.get(at..end).unwrap_or_default().split_ascii_whitespace() {
                name.push_str(piece);
                pieces += 1;
            }
            // A comment may split the name, but is not part of it.
            let comment = self.starts(end, "<!--").then(|| self.text.get(end..)?.find("-->")).flatten();
            let Some(comment) = comment else {
                if pieces > 1 && self.starts(end, "</") && is_secret(&name) {
                    self.in_element(&name, start, end);
                }
                return;
            };
            at = end + comment + "-->".len();
        }
    }

    /// Returns a letter of a name that is written as a numeric escape, and where it ends: `&#119;` and `&#x77;` in XML,
    /// `\\u0077` in JSON, TOML and .properties, with more backslashes inside a string.
    fn escaped(&self, at: usize) -> Option<(char, usize)> {
        const DIGITS: usize = 8;
        let number = |from: usize, radix: u32, most: usize| {
            let end = self.while_at(from, |b| char::from(b).is_digit(radix)).min(from + most);
            let digits = self.text.get(from..end).filter(|digits| !digits.is_empty())?;
            Some((char::from_u32(u32::from_str_radix(digits, radix).ok()?)?, end))
        };
        let (c, end) = match self.bytes.get(at)? {
            b'&' if self.starts(at, "&#") => {
                let hex = matches!(self.bytes.get(at + 2), Some(b'x' | b'X'));
                let (c, end) = if hex { number(at + 3, 16, DIGITS)? } else { number(at + 2, 10, DIGITS)? };
                (c, (self.bytes.get(end) == Some(&b';')).then_some(end + 1)?)
            }
            b'\\' => {
                let sign = at + self.bytes[at..].iter().take(DIGITS).take_while(|b| **b == b'\\').count();
                match self.bytes.get(sign)? {
                    b'u' => number(sign + 1, 16, 4)?,
                    b'U' => number(sign + 1, 16, 8)?,
                    _ => return None,
                }
            }
            _ => return None,
        };
        (c.is_alphanumeric() || matches!(c, '_' | '.' | '-')).then_some((c, end))
    }

    /// Returns whether only blanks and comment signs precede this place in its line.
    fn begins(&self, at: usize) -> bool {
        let blank = |b: &u8| matches!(b, b' ' | b'\t' | b'\r' | b'#' | b'!' | b';' | b'*');
        self.bytes[..at].iter().rev().take(200).take_while(|b| **b != b'\n').all(blank)
    }

    /// Returns whether this place of a scenario is in a comment line.
    fn in_comment(&self, at: usize) -> bool {
        const LINE: usize = 4096;
        if !self.toml || self.quotes.is_some() {
            return false;
        }
        let from = at.saturating_sub(LINE);
        let before = self.bytes.get(from..at).unwrap_or_default();
        let line = before.iter().rposition(|b| *b == b'\n').map_or(before, |n| &before[n + 1..]);
        line.iter().find(|b| !matches!(b, b' ' | b'\t')) == Some(&b'#')
    }

    fn line(&mut self, at: usize) {
        if self.toml && self.quotes.is_none() && self.bytes.get(at) == Some(&b'[') {
            let end = self.while_at(at, |b| b != b'\n');
            self.header = self.text.get(at..end).unwrap_or_default().trim_matches(['[', ']', ' ', '\r']);
        }
    }

    fn while_at(&self, at: usize, is: impl Fn(u8) -> bool) -> usize {
        self.bytes.get(at..).map_or(at, |rest| at + rest.iter().take_while(|b| is(**b)).count())
    }

    /// Like `while_at`, but no further than [`AROUND`].
    fn near_while(&self, at: usize, is: impl Fn(u8) -> bool) -> usize {
        self.bytes.get(at..).map_or(at, |rest| at + rest.iter().take(AROUND).take_while(|b| is(**b)).count())
    }

    fn blanks(&self, at: usize, lines: bool) -> usize {
        let mut at = at;
        loop {
            at = self.while_at(at, |b| matches!(b, b' ' | b'\t') || lines && matches!(b, b'\n' | b'\r'));
            if let Some(next) = self.continued(at) {
                at = next;
                continue;
            }
            // A line break or a tab, escaped in a string.
            let sign = if lines { self.while_at(at, |b| b == b'\\') } else { at };
            if sign == at || !matches!(self.bytes.get(sign), Some(b'n' | b'r' | b't')) {
                return at;
            }
            at = sign + 1;
        }
    }

    fn starts(&self, at: usize, with: &str) -> bool {
        self.bytes.get(at..).is_some_and(|rest| rest.starts_with(with.as_bytes()))
    }

    fn add(&mut self, name: &str, start: usize, end: usize, bare_number: bool) {
        let Some(value) = self.text.get(start..end) else { return };
        self.resume = self.resume.max(end);
        // `--tokens 3` is a count.
        let counts = name.ends_with("tokens") && !value.is_empty() && value.trim().bytes().all(|b| b.is_ascii_digit());
        if is_nothing(value) || bare_number && value == "0" || counts {
            return;
        }
        let (lead, tail) = (value.len() - value.trim_start().len(), value.len() - value.trim_end().len());
        let masked = masked_number(value).is_some();
        let name = name.trim_start_matches('-').to_owned();
        self.out.push(Secret { name, span: Span::new(start + lead, end - tail), masked, bare_number });
    }

    /// Adds the value of a secret's name that stands here.
    fn named(&mut self, name: &str, start: usize, end: usize, fresh: bool) {
        let after = if self.starts(end, "]]>") { end + 3 } else { end };
        let close = self.blanks(after, true);
        if self.starts(close, "</") {
            // At the end of another value, the name is a word of that value.
            if self.is_content_of_a_name(start) {
                self.in_element(name, start, close);
            }
            return;
        }
        // A queue and its property: `-update "root.secret:capacity=40"`.
        if name.starts_with("root.") && self.starts(end, ":") {
            let property = self.while_at(end + 1, is_name_byte);
            if property > end + 1 && self.bytes.get(property) == Some(&b'=') {
                return;
            }
        }
        // A node attribute: `rm.yarn.io/secret`.
        if self.text.get(..start).is_some_and(|before| before.ends_with(".yarn.io/")) {
            return;
        }
        if start > 0 && self.bytes[start - 1] == b'<' && self.bytes.get(end) == Some(&b'>') {
            let stop = self.while_at(end + 1, |b| b != b'<');
            self.add(name, end + 1, stop, false);
            return self.value_in_element(name, end + 1);
        }
        let quote = self.quote_at(end);
        let at = end + quote.map_or(0, |q| q.slashes + 1);
        if quote.is_some() && self.is_value_of_a_name(name, start, at) {
            return;
        }
        let sign = self.blanks(at, quote.is_some());
        let colon = self.bytes.get(sign) == Some(&b':');
        if !colon && self.bytes.get(sign) != Some(&b'=') {
            let blank = matches!(self.bytes.get(end), Some(b' ' | b'\t'));
            if blank && quote.is_none() {
                self.after_blank(name, start, sign, fresh);
            }
            return;
        }
        let sign = if self.starts(sign, "=>") { sign + 1 } else { sign };
        if self.starts(sign, "://") || self.starts(sign, "==") {
            return;
        }
        let value = self.blanks(sign + 1, quote.is_some() && colon);
        self.value(name, value, colon, quote.is_some(), fresh);
    }

    /// Returns whether an element that contains a name opens right before this place: `<name>`, even with a prefix.
    fn is_content_of_a_name(&self, start: usize) -> bool {
        let near = (start.saturating_sub(AROUND)..start).find(|n| self.text.is_char_boundary(*n)).unwrap_or(start);
        let before = without_blanks(self.text.get(near..start).unwrap_or_default());
        let before = without_blanks(before.strip_suffix("<![CDATA[").unwrap_or(before));
        let Some(before) = before.strip_suffix('>') else { return false };
        let tag = before.rfind('<').map_or("", |at| &before[at + 1..]);
        let own = own_name(tag.split_ascii_whitespace().next().unwrap_or_default().as_bytes());
        ["name", "key", "property"].iter().any(|word| own.eq_ignore_ascii_case(word.as_bytes()))
    }

    /// Returns the quote at this place, with the backslashes before it.
    fn quote_at(&self, at: usize) -> Option<Quote> {
        let quote = self.while_at(at, |b| b == b'\\');
        let byte = *self.bytes.get(quote).filter(|b| matches!(b, b'"' | b'\''))?;
        Some(Quote { slashes: quote - at, byte })
    }

    /// Returns the end of a quoted value that begins here.
    fn end_of(&self, start: usize, quote: Quote) -> Option<usize> {
        let mut at = start;
        while let Some(&byte) = self.bytes.get(at) {
            if byte == b'\\' {
                let run = self.while_at(at, |b| b == b'\\');
                let ends = self.bytes.get(run) == Some(&quote.byte);
                if ends && run - at == quote.slashes && quote.slashes > 0 {
                    return Some(at);
                }
                // An odd number of backslashes escapes the quote.
                if ends && quote.slashes == 0 && quote.byte == b'"' && (run - at) % 2 == 1 {
                    at = run + 1;
                    continue;
                }
                at = run;
                continue;
            }
            if byte == quote.byte && quote.slashes == 0 {
                return Some(at);
            }
            if byte == b'\n' && quote.byte == b'\'' && quote.slashes == 0 {
                return None;
            }
            at += 1;
        }
        None
    }

    /// Adds a value after `=` or `:`.
    fn value(&mut self, name: &str, at: usize, colon: bool, quoted: bool, fresh: bool) {
        for long in ["'''", "\"\"\""] {
            if self.starts(at, long) {
                let rest = self.text.get(at + 3..).unwrap_or_default();
                let end = rest.find(long).map_or(self.text.len(), |n| at + 3 + n);
                self.add(name, at + 3, end, false);
                self.resume = end + 3;
                return;
            }
        }
        if let Some(quote) = self.quote_at(at) {
            let start = at + quote.slashes + 1;
            let end = self.end_of(start, quote).unwrap_or_else(|| self.while_at(start, |b| b != b'\n'));
            return self.add(name, start, end, false);
        }
        let comment = self.in_comment(at);
        let direct = self.toml && self.quotes.is_none() && !comment;
        if matches!(self.bytes.get(at), Some(b'[')) && colon && quoted {
            self.list(name, at);
        }
        if matches!(self.bytes.get(at), Some(b'[' | b'{')) && (colon && quoted || direct) {
            return self.below(name, at);
        }
        let token_end = self.while_at(at, |b| !b.is_ascii_whitespace() && !b",;&\"'<>)}]\\".contains(&b));
        let token = self.text.get(at..token_end).unwrap_or_default();
        let number = !token.is_empty() && token.bytes().all(|b| b.is_ascii_digit() || b == b'.');
        if colon && quoted {
            return self.add(name, at, token_end, number);
        }
        if self.line_in_string > 0 && name.contains(['.', '_']) {
            return self.add(name, at, self.end_of_line_in_string(at), false);
        }
        if direct {
            let settings = ["yarn-site", "capacity-scheduler"].iter().any(|t| self.header.starts_with(t));
            if !(number || fresh) || number && settings {
                self.add(name, at, token_end, number);
            }
            return;
        }
        let several = name.contains(['.', '_']) || words(name).len() > 1;
        if fresh && colon && !comment && self.block(name, at) {
            return;
        }
        if fresh && (!comment || !colon || several) {
            return self.add(name, at, self.end_of_line(at), false);
        }
        // In a sentence, a single word with a colon is not a name, unless exactly one other word follows.
        let alone = !token.is_empty() && self.nothing_follows(token_end);
        if !number && (!colon || several || alone) {
            self.add(name, at, token_end, false);
        }
    }

    /// Returns whether a line, a comment, an element or a string ends here.
    fn nothing_follows(&self, at: usize) -> bool {
        let rest = self.text.get(self.while_at(at, |b| matches!(b, b' ' | b'\t' | b'\r'))..).unwrap_or_default();
        rest.is_empty() || ["\n", "-->", "*/", "</", "\"", "'"].iter().any(|end| rest.starts_with(end))
    }

    /// Returns the end of a logical line of a properties file.
    fn end_of_line(&self, at: usize) -> usize {
        let mut end = self.while_at(at, |b| b != b'\n');
        while end > at && end < self.bytes.len() {
            let line = self.text.get(at..end).unwrap_or_default().trim_end_matches('\r');
            let slashes = line.len() - line.trim_end_matches('\\').len();
            if slashes % 2 == 0 {
                break;
            }
            end = self.while_at(end + 1, |b| b != b'\n');
        }
        end
    }

    /// Returns the end of a logical line of a properties file inside a string.
    fn end_of_line_in_string(&self, at: usize) -> usize {
        let mut at = at;
        while let Some(&byte) = self.bytes.get(at) {
            let sign = self.while_at(at, |b| b == b'\\');
            match self.bytes.get(sign) {
                Some(b'n' | b'r') if sign > at && !CONTINUED.contains(&(sign - at)) => return at,
                Some(b'"') if sign - at < self.line_in_string || sign == at => return at,
                _ if byte == b'\n' => return at,
                _ => at = sign + 1,
            }
        }
        self.bytes.len()
    }

    /// Adds the values in an object or a list with a secret's name: `"credentials": {"value": "…"}`, at any depth.
    fn below(&mut self, name: &str, open: usize) {
        if open < self.walked {
            return;
        }
        let (resume, mut at, mut depth, mut slashes) = (self.resume, open, 0usize, 0);
        while let Some(&byte) = self.bytes.get(at) {
            let quote = self.quote_at(at);
            let (word, next) = if let Some(quote) = quote {
                // A quote with fewer backslashes ends the string around the whole object.
                if quote.slashes < slashes {
                    break;
                }
                slashes = quote.slashes;
                let start = at + quote.slashes + 1;
                let Some(end) = self.end_of(start, quote) else { break };
                (self.text.get(start..end).unwrap_or_default(), end + quote.slashes + 1)
            } else if is_name_byte(byte) {
                let end = self.while_at(at, is_name_byte);
                (self.text.get(at..end).unwrap_or_default(), end)
            } else {
                depth = match byte {
                    b'{' | b'[' => depth + 1,
                    b'}' | b']' => depth.saturating_sub(1),
                    _ => depth,
                };
                at = self.while_at(at, |b| b == b'\\').max(at + 1);
                if depth == 0 {
                    break;
                }
                continue;
            };
            at = next;
            let sign = self.blanks(next, true);
            if matches!(self.bytes.get(sign), Some(b':' | b'=')) && BELOW.iter().any(|w| w.eq_ignore_ascii_case(word)) {
                let value = self.blanks(sign + 1, true);
                match self.bytes.get(value) {
                    Some(b'[') => self.list(name, value),
                    Some(b'{') | None => {}
                    Some(_) => self.value(name, value, true, true, false),
                }
                at = value;
            }
        }
        self.walked = at;
        self.resume = resume;
    }

    /// Adds the `<value>` of an element with a secret's name.
    fn value_in_element(&mut self, name: &str, start: usize) {
        if start < self.walked {
            return;
        }
        let rest = self.text.get(start..).unwrap_or_default();
        let close = first_of(rest, &[&format!("</{name}")]).unwrap_or(rest.len().min(NEAR));
        self.walked = start + close;
        if let Some((from, to)) = rest.get(..close).and_then(value_element) {
            let resume = self.resume;
            self.add(name, start + from, start + to, false);
            self.resume = resume;
        }
    }

    /// Adds a value on the indented lines below its name, as in YAML; `at` is where it would begin on the line of the name.
    /// Returns whether that line has no value.
    fn block(&mut self, name: &str, at: usize) -> bool {
        let end = self.near_while(at, |b| b != b'\n');
        let sign = self.text.get(at..end).unwrap_or_default().trim();
        if !["", "|", ">", "|-", ">-", "|+", ">+"].contains(&sign) {
            return false;
        }
        let indent = |line: &str| line.len() - line.trim_start_matches([' ', '\t', '-']).len();
        let from = self.bytes[..at].iter().rposition(|b| *b == b'\n').map_or(0, |n| n + 1);
        let own = indent(self.text.get(from..at).unwrap_or_default());
        let (mut line, mut first, mut pairs) = (end + 1, None, false);
        while line < self.bytes.len() {
            let stop = self.while_at(line, |b| b != b'\n');
            let text = self.text.get(line..stop).unwrap_or_default();
            let start = line + indent(text);
            if !text.trim().is_empty() {
                if indent(text) <= own {
                    break;
                }
                let key = text.split_once(':').map_or("", |(key, _)| key.trim_matches([' ', '\t', '-', '"', '\'']));
                pairs |= first.is_none() && sign.is_empty() && !key.is_empty();
                let colon = text.find(':').map_or(0, |n| n + 1);
                if pairs && BELOW.iter().any(|w| w.eq_ignore_ascii_case(key)) {
                    self.value(name, self.blanks(line + colon, false), true, true, false);
                }
                first.get_or_insert(start);
            }
            line = stop + 1;
        }
        let value = first.map(|first| (first, line.min(self.bytes.len())));
        if let Some((first, end)) = value.filter(|_| !pairs) {
            let text = self.text.get(first..end).unwrap_or_default();
            // Several words are prose.
            if !sign.is_empty() || text.split_ascii_whitespace().nth(1).is_none() {
                self.add(name, first, end, false);
            }
        }
        self.resume = self.resume.min(end).max(at);
        true
    }

    /// Adds the strings of a JSON list.
    fn list(&mut self, name: &str, at: usize) {
        let mut at = at + 1;
        loop {
            at = self.blanks(self.while_at(self.blanks(at, true), |b| b == b','), true);
            let Some(quote) = self.quote_at(at) else { return };
            let start = at + quote.slashes + 1;
            let Some(end) = self.end_of(start, quote) else { return };
            self.add(name, start, end, false);
            at = end + quote.slashes + 1;
        }
    }

    /// Adds the value after a name and a blank: `--password x`, or a line of a properties file.
    fn after_blank(&mut self, name: &str, start: usize, value: usize, fresh: bool) {
        let option = name.starts_with('-');
        if option && self.bytes.get(value) != Some(&b'-') {
            if let Some(quote) = self.quote_at(value) {
                let begin = value + quote.slashes + 1;
                if let Some(end) = self.end_of(begin, quote) {
                    self.add(name, begin, end, false);
                }
                return;
            }
            let end = self.while_at(value, |b| !b.is_ascii_whitespace() && !b"\"'<>\\".contains(&b));
            return self.add(name, value, end, false);
        }
        // `password is x`
        for word in ["is ", "was "] {
            let said = value + word.len();
            let end = self.while_at(said, |b| !b.is_ascii_whitespace() && !b",;\"'<>".contains(&b));
            if self.starts(value, word) && end > said && self.nothing_follows(end) {
                return self.add(name, said, end, false);
            }
        }
        let direct = self.toml && self.quotes.is_none() && !self.in_comment(value);
        if fresh && !direct && name.contains('.') && self.begins(start) {
            self.add(name, value, self.end_of_line(value), false);
        }
    }

    /// Adds the value of a name in an element `<name>`, from its `<property>`.
    fn in_element(&mut self, name: &str, start: usize, close: usize) {
        let rest = self.text.get(close + 2..).unwrap_or_default();
        let stop = first_tag(rest, &["name", "property"]);
        let inside = stop.map_or(rest, |stop| &rest[..stop]);
        if let Some((from, to)) = value_element(inside) {
            return self.add(name, close + 2 + from, close + 2 + to, false);
        }
        // The value may also precede the name.
        let before = self.text.get(..start).unwrap_or_default();
        let begin = last_tag(before);
        let Some(begin) = begin else { return };
        if let Some((from, to)) = value_element(&before[begin..]) {
            self.add(name, begin + from, begin + to, false);
        }
    }

    /// Returns whether the name itself is the value of a name: `"name": "x.password", "value": "…"`, `name="x.password"
    /// value="…"`. If so, adds the value beside it.
    fn is_value_of_a_name(&mut self, name: &str, start: usize, end: usize) -> bool {
        // Skips the opening quote, the sign and the quote before it, backwards.
        let before = self.text.get(..start).unwrap_or_default();
        let before = before.trim_end_matches(['"', '\'', '\\']);
        let Some(before) = before.trim_end().strip_suffix(['=', ':']) else { return false };
        let before = before.trim_end().trim_end_matches(['"', '\'', '\\']);
        let word = before.len() - before.bytes().rev().take_while(|b| is_name_byte(*b)).count();
        if !["name", "key", "property"].contains(&&before[word..]) {
            return false;
        }
        // An attribute if an unclosed tag precedes it.
        let tag = last_of(&before[..word], &["<", ">", "{", "\n["]);
        let is_attribute = tag.is_some_and(|tag| before.as_bytes()[tag] == b'<');
        let rest = self.text.get(end..).unwrap_or_default();
        let stops: &[&str] =
            if is_attribute { &[">"] } else { &["}", "{", "\"name\"", "\"key\"", "\n[", "\nname", "\nproperty"] };
        let stop = first_of(rest, stops).unwrap_or(rest.len().min(NEAR));
        let found = self.value_beside(name, end, end + stop);
        if found {
            return true;
        }
        if is_attribute && self.starts(end + stop, ">") {
            // The value is an element.
            self.in_element(name, start, (end + stop).saturating_sub(1));
        }
        let own = before[..word].trim_end_matches(['"', '\'', '\\']);
        let starts: &[&str] = if is_attribute { &["<"] } else { &["{", "}", "\n[", "\"name\"", "\"key\""] };
        let begin = last_of(own, starts).unwrap_or(own.len().saturating_sub(NEAR));
        let begin = (begin..own.len()).find(|n| own.is_char_boundary(*n)).unwrap_or(own.len());
        self.value_beside(name, begin, word);
        true
    }

    /// Adds the `value` or the `values` between two places.
    fn value_beside(&mut self, name: &str, from: usize, to: usize) -> bool {
        let stretch = self.text.get(from..to).unwrap_or_default();
        let before = self.out.len();
        for (n, _) in stretch.match_indices("value") {
            let begin = from + n;
            let word_end = self.while_at(begin, is_name_byte);
            let alone = begin == 0 || !is_name_byte(self.bytes[begin - 1]);
            if !alone || !["value", "values"].contains(&self.text.get(begin..word_end).unwrap_or_default()) {
                continue;
            }
            let quote = self.quote_at(word_end);
            let sign = self.blanks(word_end + quote.map_or(0, |q| q.slashes + 1), true);
            if !matches!(self.bytes.get(sign), Some(b':' | b'=')) {
                continue;
            }
            let value = self.blanks(sign + 1, true);
            if self.bytes.get(value) == Some(&b'[') {
                self.list(name, value);
            } else if self.quote_at(value).is_some() || self.bytes.get(sign) == Some(&b':') {
                self.value(name, value, true, true, false);
            }
        }
        self.out.len() > before
    }

    /// Adds credentials in an address: `scheme://user:password@host`.
    fn address(&mut self, colon: usize) {
        let start = colon + 3;
        let end =
            self.while_at(start, |b| !b.is_ascii_whitespace() && !b"/?#\"'<>\\,;(){}".contains(&b)).min(start + NEAR);
        let Some(authority) = self.text.get(start..end) else { return };
        let Some(at) = authority.rfind('@') else { return };
        let before = self.text.get(..colon).unwrap_or_default();
        let scheme =
            colon - before.bytes().rev().take(20).take_while(|b| b.is_ascii_alphanumeric() || *b == b'+').count();
        let scheme = self.text.get(scheme..colon).unwrap_or_default().to_owned();
        match authority[..at].find(':') {
            Some(user) => self.add(&format!("{scheme}://"), start + user + 1, start + at, false),
            None if ["http", "https", "ftp", "git"].contains(&scheme.as_str()) => {
                self.add(&format!("{scheme}://"), start, start + at, false);
            }
            None => {}
        }
    }

    /// Adds private keys in PEM format.
    fn private_keys(&mut self) {
        let mut at = 0;
        while let Some(n) = self.text.get(at..).and_then(|rest| rest.find("PRIVATE KEY")) {
            let name = at + n + "PRIVATE KEY".len();
            let sign = ["-----", " BLOCK-----"].into_iter().find(|sign| self.starts(name, sign));
            at = name;
            let Some(sign) = sign else { continue };
            let start = name + sign.len();
            let rest = self.text.get(start..).unwrap_or_default();
            // A key without an end extends to the end of the enclosing text.
            let stops =
                |at: usize| rest[at..].starts_with("-----END") || matches!(rest.as_bytes()[at], b'<' | b'"' | b'\'');
            let end = rest.char_indices().map(|(n, _)| n).find(|n| stops(*n)).unwrap_or(rest.len());
            self.add("PRIVATE KEY", start, start + end, false);
            let closing =
                rest.get(end..).filter(|rest| rest.starts_with("-----END")).and_then(|r| r.find("PRIVATE KEY"));
            at = start + end + closing.map_or(0, |n| n + "PRIVATE KEY".len());
        }
    }
}

/// The maximum distance of related parts, in bytes.
const NEAR: usize = 16 << 10;

/// The maximum length in bytes of a pattern that may begin anywhere.
const AROUND: usize = 512;

/// Returns where the first of these texts begins, near the start.
fn first_of(text: &str, stops: &[&str]) -> Option<usize> {
    (0..text.len().min(NEAR)).find(|at| stops.iter().any(|stop| begins(&text.as_bytes()[*at..], stop)))
}

/// Returns where the last of these texts begins, near the end.
fn last_of(text: &str, stops: &[&str]) -> Option<usize> {
    let from = text.len().saturating_sub(NEAR);
    (from..text.len()).rev().find(|at| stops.iter().any(|stop| begins(&text.as_bytes()[*at..], stop)))
}

/// Returns whether a text begins with another one, ignoring case.
fn begins(text: &[u8], with: &str) -> bool {
    text.get(..with.len()).is_some_and(|start| start.eq_ignore_ascii_case(with.as_bytes()))
}

/// Returns a text without trailing blanks, including those escaped in a string, such as `\n`.
fn without_blanks(text: &str) -> &str {
    let mut text = text.trim_end();
    while let Some(rest) = text.strip_suffix(['n', 'r', 't']).filter(|rest| rest.ends_with('\\')) {
        text = rest.trim_end_matches('\\').trim_end();
    }
    text
}

/// Returns a tag without the prefix of its name: `c:name>` as `name>`.
fn own_name(tag: &[u8]) -> &[u8] {
    let prefix = tag.iter().take(32).take_while(|b| b.is_ascii_alphanumeric() || matches!(b, b'_' | b'-')).count();
    if tag.get(prefix) == Some(&b':') { &tag[prefix + 1..] } else { tag }
}

/// Returns whether a text begins with an opening tag of this name, with or without a prefix: `<name`, `<c:name`.
fn opens(text: &[u8], name: &str) -> bool {
    text.strip_prefix(b"<").is_some_and(|tag| begins(own_name(tag), name))
}

/// Returns whether a text begins with a closing tag of this name, with or without a prefix.
fn closes(text: &[u8], name: &str) -> bool {
    text.strip_prefix(b"</").is_some_and(|tag| begins(own_name(tag), name))
}

/// Returns where the first opening tag of these elements, or closing tag of a property, begins near the start.
fn first_tag(text: &str, names: &[&str]) -> Option<usize> {
    let bytes = text.as_bytes();
    let stops = |at: usize| {
        bytes[at] == b'<' && (names.iter().any(|name| opens(&bytes[at..], name)) || closes(&bytes[at..], "property"))
    };
    (0..text.len().min(NEAR)).find(|at| stops(*at))
}

/// Returns where the last tag that separates properties begins, near the end.
fn last_tag(text: &str) -> Option<usize> {
    let bytes = text.as_bytes();
    let parts = |at: usize| {
        bytes[at] == b'<'
            && (opens(&bytes[at..], "property") || ["name", "property"].iter().any(|n| closes(&bytes[at..], n)))
    };
    (text.len().saturating_sub(NEAR)..text.len()).rev().find(|at| parts(*at))
}

/// Returns the range of the first `<value>`'s content.
fn value_element(text: &str) -> Option<(usize, usize)> {
    let open = text.match_indices('<').map(|(n, _)| n).find(|n| {
        let own = own_name(&text.as_bytes()[n + 1..]);
        begins(own, "value") && own.get(5).is_some_and(|b| *b == b'>' || b.is_ascii_whitespace())
    })?;
    let start = open + text[open..].find('>')? + 1;
    if text[..start].ends_with("/>") {
        return None;
    }
    let mut ends = text[start..].match_indices("</").map(|(n, _)| start + n);
    Some((start, ends.find(|n| closes(&text.as_bytes()[*n..], "value")).unwrap_or(text.len())))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Names of secrets, of each kind.
    const NAMES: &[&str] = &[
        "sensitive.systems.kafka.anything",
        "hadoop.ssl.keystore.password",
        "fs.s3a.secret.key",
        "fs.s3a.access.key",
        "fs.azure.account.key.acme.blob.core.windows.net",
        "systems.kinesis.streams.clicks.aws.secretKey",
        "my.api.key",
        "slack.token",
        "yarn.resourcemanager.keytab",
        "dfs.web.authentication.kerberos.keytab.file",
        "yarn.resourcemanager.principal",
        "DB_PASSWORD",
        "AWS_ACCESS_KEY_ID",
        "javax.net.ssl.trustStorePassword",
        "oauth.client.credentials",
        "ssl.server.keystore.keypassword",
        "my.authtoken",
        "systems.s.auth.bearer",
        "hadoop.zk.auth",
        "yarn.resourcemanager.zk-auth",
        "ha.zookeeper.auth",
        "fs.azure.sas.logs.acme.blob.core.windows.net",
        "fs.ftp.password.ftp.example.org",
        "hive.server2.ldap.bindpw",
        "my_pw",
        "schema.registry.basic.auth.user.info",
    ];

    /// Each name with one of its letters as a numeric escape of the format.
    #[test]
    fn names_with_letters_written_by_their_numbers_are_read() {
        let forms = [
            ("<property><name>N</name><value>V</value></property>", "&#CODE;"),
            ("<property name=\"N\" value=\"V\"/>", "&#xHEX;"),
            ("heddle = 1\n[yarn-site]\n\"N\" = \"V\"\n", "\\uHEX"),
            ("heddle = 1\n[yarn-site]\n\"N\" = 'V'\n", "\\U0000HEX"),
            ("{\"a\": 1, \"N\": \"V\"}", "\\uHEX"),
            ("{\"name\": \"N\", \"value\": \"V\"}", "\\uHEX"),
            ("a=b\nN=V\n", "\\uHEX"),
            ("heddle = 1\n[[apps]]\n\"job.properties\" = \"a=b\\nN=V\"\n", "\\\\uHEX"),
        ];
        for name in NAMES.iter().filter(|name| !name.starts_with("sensitive")) {
            for (form, sign) in forms {
                for n in [0, 1, name.len() / 2, name.len() - 1] {
                    let code = u32::from(name.as_bytes()[n]);
                    let letter = sign.replace("CODE", &code.to_string()).replace("HEX", &format!("{code:04x}"));
                    let written = format!("{}{letter}{}", &name[..n], &name[n + 1..]);
                    let text = form.replace('N', &written).replace('V', "hunter2value");
                    let masked = masked(&text);
                    assert!(!masked.contains("hunter2value") && masked.contains(&written), "{text}\n→ {masked}");
                }
            }
        }
    }

    /// Ways to write a name and a value; `N` and `V` stand for them.
    const FORMS: &[&str] = &[
        "<configuration><property><name>N</name><value>V</value></property></configuration>",
        "<property>\n  <name> N </name>\n  <!-- why -->\n  <value>\n    V\n  </value>\n</property>",
        "<property><value>V</value><final>true</final><name>N</name></property>",
        "<c:property><c:name>N</c:name><c:value>V</c:value></c:property>",
        "<property name=\"N\" value=\"V\"/>",
        "<property value='V' name='N'/>",
        "<property name=\"N\"><value>V</value></property>",
        "<property><name><![CDATA[N]]></name><value><![CDATA[V]]></value></property>",
        "a=1\nN=V\nb=2\n",
        "  N : V\n",
        "N V\n",
        "# N=V\n",
        "N=first \\\n  V\n",
        "N = \\\n  V\n",
        "N \\\n = V\n",
        "N\\\n  = V\n",
        "N\\\r\n  = \\\r\n    first \\\r\n  V\r\n",
        "<property>\n<name\n>\nN\n</name\n>\n<value\n>\nV\n</value\n>\n</property>",
        "{\"N\"\n:\n\n\"V\"}",
        "{\"name\":\n\"N\",\n\"value\":\n\"V\"}",
        "run --N \\\n  V\n",
        "run --N=V \\\n  more\n",
        "{\"N\": {\"value\": \"V\"}}",
        "{\"N\": {\n  \"from\": {\"x\": 1, \"TEXT\":\n \"V\"}}}",
        "{\"N\": [{\"value\": \"V\"}, {\"values\": [\"V\", \"V\"]}]}",
        "{\"a\": \"{\\\"N\\\": {\\\"value\\\": \\\"V\\\"}}\"}",
        "heddle = 1\n[[x]]\n\"N\" = { value = \"V\" }\n",
        "<N>\n <value>V</value>\n</N>",
        "N:\n  V\n",
        "N: |\n  V\n  V\n",
        "N:\n    kind: x\n    value: V\n",
        "heddle = 1\n[files]\n\"a.properties\" = \"x=1\\nN=first V\\ny=2\"\n",
        "heddle = 1\n[files]\n\"a.properties\" = \"x=1\\n  N = \\\\\\n  first V\\ny=2\"\n",
        "{\"global\": {\"a\": \"b\", \"N\": \"V\"}, \"components\": {}}",
        "{\"N\"\n : \"V\"}",
        "{\"property\": [{\"name\": \"N\", \"value\": \"V\"}, {\"name\": \"x\", \"value\": \"y\"}]}",
        "{\"properties\":[{\"key\":\"N\",\"isFinal\":false,\"resource\":\"x.xml\",\"value\":\"V\"}]}",
        "{\"value\": \"V\", \"name\": \"N\"}",
        "{\"configuration\": {\"env\": {\"N\": \"V\"}}}",
        "{\"N\": [\"V\", \"V\"]}",
        "heddle = 1\n[yarn-site]\n\"N\" = \"V\"\n",
        "heddle = 1\n[files]\n\"a.properties\" = '''\nN=V\n'''\n",
        "heddle = 1\n[files]\n\"a.properties\" = \"x=1\\nN=V\\n\"\n",
        "heddle = 1\n[files]\n\"a.json\" = \"{\\\"N\\\": \\\"V\\\"}\"\n",
        "heddle = 1\n[files]\n\"a.xml\" = \"<property>\\n<name>\\n N \\n</name>\\n<value>\\n V \\n</value></property>\"\n",
        "heddle = 1\n[files]\n\"a.json\" = \"{\\\"N\\\": [\\n  \\\"V\\\",\\n  \\\"V\\\"\\n]}\"\n",
        "heddle = 1\n[[worlds]]\nproperty = \"N\"\nvalues = [\"V\", \"V\"]\n",
        "heddle = 1\n[[worlds]]\nname = \"x\"\nset = { \"N\" = \"V\", a = 1 }\n",
        "heddle = 1\n[[apps]]\nlaunch = \"run -DN=V -Xmx1g\"\n",
        "heddle = 1\n# N = V\n",
        "heddle = 1\n[yarn-site]\n  # \"N\" = \"V\"\n",
        "heddle = 1\n# <property><name>N</name><value>V</value></property>\n",
        "heddle = 1\n# run it with --conf N=V first\n",
        "spark-submit --conf N=V --class A\n",
        "run --N V more\n",
        "https://host/path?a=b&N=V&c=d\n",
    ];

    #[test]
    fn every_kind_is_masked_in_every_form() {
        let mut wrong = Vec::new();
        for name in NAMES {
            for form in FORMS {
                // A blank as separator requires a dotted name.
                let option = form.contains("--N V") && name.starts_with("sensitive");
                if *form == "N V\n" && !name.contains('.') || option {
                    continue;
                }
                let value = "hunter2value";
                let text = form.replace('N', name).replace('V', value);
                let masked = masked(&text);
                if masked.contains(value) || !masked.contains(MASK) {
                    wrong.push(format!("{text}\n→ {masked}"));
                }
                assert_eq!(super::mask(&masked), None, "masked once: {masked}");
            }
        }
        assert!(wrong.is_empty(), "{} forms: {}", wrong.len(), wrong.join("\n---\n"));
    }

    /// Each name with a line break in it.
    #[test]
    fn names_on_two_lines_are_read() {
        let forms = [
            ("<property><name>N</name><value>V</value></property>", "\n   "),
            ("<property><name>N</name><value>V</value></property>", "<!-- -->"),
            ("a=b\nN=V\n", "\\\n   "),
            ("a=b\nN: V\n", "\\\r\n"),
            ("heddle = 1\n[files]\n\"a.properties\" = \"a=b\\nN=V\"\n", "\\\\\\n  "),
        ];
        for name in NAMES {
            for (form, broken) in forms {
                for (n, _) in name.match_indices(['.', '_', '-']) {
                    let written = format!("{}{broken}{}", &name[..=n], &name[n + 1..]);
                    let text = form.replace('N', &written).replace('V', "hunter2value");
                    let masked = masked(&text);
                    assert!(!masked.contains("hunter2value") && masked.contains(&written), "{text}\n→ {masked}");
                }
            }
        }
    }

    #[test]
    fn what_is_no_secret_stays() {
        let none = [
            "root.token.capacity = 40\nroot.secret.state = RUNNING\n",
            "<property><name>yarn.resourcemanager.delegation.token.max-lifetime</name><value>5</value></property>",
            "systems.kafka.samza.key.serde=string\nstores.x.key.serde=string\n",
            "heddle = 1\n[[nodes]]\nsize = \"8 GB/8, token=4\"\n[[apps]]\nspec = \"secret=3,NOTIN,NODE,secret\"\n",
            "heddle = 1\n# Secret: put it first.\n# A token is what it says.\n",
            "title = \"The secret: put it first\"\nnote = \"A token is what it says.\"\n",
            "users = { secret = [\"staff\"], token = [\"ops\"] }\nheddle = 1\n",
            "x.password=${env.PW}\ny.password=\nz.token=true\n",
            "<name>a.password</name></property><property><name>b</name><value>c</value></property>",
            "abfs://data@acme.dfs.core.windows.net/x hdfs://nn:8020/y wasb://c@a/b",
            "{\"key\": \"partition\", \"value\": \"7\"} {\"name\": \"zk\", \"value\": \"x\"}",
            "<a>&#119;ord</a> \\u0077ord=x &#; \\u &#x; &#99999999999; tokenizer.class=x\n",
            "yarn.role.priority = 1\n\"yarn.component.placement.policy\" = 4\n",
            "{\"components\": {\"token\": {\"yarn.memory\": \"256\", \"yarn.role.priority\": \"1\"}}}",
            "{\"secret\": {\"kind\": \"default\", \"key\": \"x\"}, \"value\": \"y\"}",
            "The secret:\n  put it first\n",
            "yarn jar ds.jar -appname mysql -placement_spec zk=3 -priority 2\n",
            "mysql -P 3306 -p warehouse\nrun -pages 7 | mysql\nrun -pX\n",
            "docker run -p 8080:80 login\nhadoop fs -ls -v x\n",
            "jdbc:mysql://db/x -policy fair\n",
            "redis-cli -a\nnext line",
            "yarn.scheduler.capacity.root.sensitive.capacity=50\nyarn.nodemanager.resource-type.token=5\n",
            "yarn.my.max-tokens=4096\nMAX_TOKENS=7\nrun --max-tokens 4096 --tokens 3\n",
            "yarn nodeattributes -add \"n1:secret=yes\" rm.yarn.io/secret=a\n",
            "yarn schedulerconf -update \"root.secret:capacity=40;root.token:capacity=60\"\n",
            "eyJ is no token, nor is ghp_x; a Bearer of news\n",
        ];
        for text in none {
            assert_eq!(mask(text), None, "{text}");
        }
    }

    /// Each last word of secrets' names, at the end of each kind of list.
    #[test]
    fn a_list_that_ends_in_such_a_word_stays() {
        for word in SECRETS.iter().chain(&["key", "keys", "auth"]) {
            for (name, list) in [
                ("yarn.scheduler.capacity.root.queues", "default,W"),
                ("yarn.scheduler.capacity.root.queues", "W"),
                ("yarn.scheduler.capacity.root.a.acl_submit_applications", "bob,W"),
                ("yarn.scheduler.capacity.root.accessible-node-labels", "gpu, W"),
                ("yarn.scheduler.capacity.queue-mappings", "u:bob:a,u:eve:W"),
                ("yarn.resource-types", "gpu,W"),
            ] {
                let text =
                    format!("<property><name>{name}</name><value>{}</value></property>", list.replace('W', word));
                assert_eq!(mask(&text), None, "{text}");
            }
        }
    }

    /// Each word of a secret × its surroundings: the value after a colon, followed by nothing.
    #[test]
    fn a_word_a_colon_and_one_other_word_is_masked() {
        for word in ["password", "passwd", "token", "secret", "pw", "keytab", "principal", "Password"] {
            for form in [
                "<!-- N: V -->",
                "<configuration><!-- admin N: V --></configuration>",
                "<description>N: V</description>",
                "<description>The N is V</description>",
                "heddle = 1\n# N: V\n",
                "heddle = 1\n# the admin's N: V\n",
                "a=b\n# admin N: V\n",
                "heddle = 1\nnote = \"N: V\"\n",
            ] {
                let text = form.replace('N', word).replace('V', "hunter2value");
                assert!(!masked(&text).contains("hunter2value"), "{text}\n→ {}", masked(&text));
            }
        }
    }

    #[test]
    fn what_begins_as_a_token_does_is_masked() {
        for text in [
            "curl -H Bearer §aaaaaaaaaaaa http://x",
            "{\"a\": \"ghp_§aaaaaaaaaaaaaaaa\"}",
            "<value>xoxb-§aaaaaaaaaa</value>",
            "https://hooks.slack.com/services/T0/§aaaaaaaa",
            "<value>eyJ§aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa.eyJaaaaaaaa.aaaaaaaa</value>",
            "-----BEGIN PGP PRIVATE KEY BLOCK-----§-----END PGP PRIVATE KEY BLOCK-----",
        ] {
            let masked = masked(&text.replace('§', "hunter2value"));
            assert!(!masked.contains("hunter2value") && masked.contains(MASK), "{masked}");
        }
    }

    #[test]
    fn a_private_key_without_an_end_goes_as_far_as_its_value() {
        for (before, after) in [("<value>", "</value><name>a</name>"), ("{\"a\": \"", "\", \"b\": 1}")] {
            let text = format!("{before}-----BEGIN PRIVATE KEY-----hunter2{after}");
            let masked = masked(&text);
            assert!(!masked.contains("hunter2") && masked.ends_with(after), "{masked}");
        }
    }

    #[test]
    fn addresses_and_private_keys_are_masked() {
        let text = "jdbc://scott:tiger@db:1521/x https://ghp_abc@github.com/a?token=zzz -----BEGIN RSA PRIVATE KEY-----\nabc\n-----END";
        let masked = masked(text);
        for secret in ["tiger", "ghp_abc", "zzz", "\nabc\n"] {
            assert!(!masked.contains(secret), "{masked}");
        }
        assert!(masked.contains("scott:masked-1@db:1521/x") && masked.contains("-----END"), "{masked}");
    }

    /// Secrets without a name of their own: `§` marks what must be masked; everything else stays.
    #[test]
    fn what_stands_around_a_secret_tells_it() {
        let rows = [
            "curl -H 'Authorization: Bearer §' http://x",
            "{\"launch_command\": \"curl -H \\\"authorization: Basic §\\\" http://x\"}",
            "{\"headers\": {\"Authorization\": \"Token §\"}}",
            "curl -s -u joe:§ http://x",
            "curl --user \"joe:§\" http://x",
            "<name>hadoop.zk.acl</name><value>sasl:rm:rwcda,digest:joe:§:rwcda</value>",
            "jdbc:oracle:thin:joe/§@db:1521/x",
            "{\"auths\": {\"hub.example.org\": {\"auth\": \"§\"}}}",
            "https://acme.blob.core.windows.net/c?sv=2020&sig=§",
            "s3://b/k?X-Amz-Signature=§&x=1",
            "<PROPERTY><NAME>a.password</NAME><Value>§</Value></PROPERTY>",
            "mysql -p§ warehouse",
            "mysqldump -u root -p'§' warehouse",
            "/usr/bin/mysql -h db -uroot -p\"§\" < x.sql",
            "mysqladmin -u root \\\n  -p§ \\\n  ping",
            "cd x; mysql -p§; mysql --port 3306",
            "{\"launch_command\": \"mysql -p§ -e \\\"select 1\\\"\"}",
            "{\"launch_command\": \"mysql -p\\\"§\\\" -e 1\"}",
            "<value>mysql -u root -p&quot;§&quot; x</value>",
            "[\"mysql\", \"-u\", \"root\", \"-p§\"]",
            "yarn jar ds.jar -shell_command mysql -shell_args '-p§ -e 1' -placement_spec zk=3",
            "7z a -p§ x.7z y",
            "sshpass -p § ssh joe@db",
            "sshpass -p§ ssh joe@db",
            "sshpass -p '§' mysql -p§",
            "mongo -u joe -p § db",
            "beeline -u jdbc:hive2://h -n joe -p §",
            "sqlcmd -S db -U sa -P§",
            "bcp x out y -P §",
            "unzip -P § x.zip",
            "ldapsearch -x -D cn=admin -w § -b dc=org",
            "redis-cli -h r -a § ping",
            "[\"redis-cli\", \"-a\", \"§\"]",
            "docker login -u joe -p § hub",
            "hadoop credential create a.b -value § -provider jceks://file/x",
            "kinit -kt /§ joe",
            "curl -ujoe:§ http://x",
            "curl -U joe:'§' http://x",
            "[\"curl\", \"-u\", \"joe:§\"]",
            "smbclient -U joe%§ //s/x",
            "lftp -u joe,§ h",
            "openssl rsa -in k -passin pass:§",
            "sqlplus -S joe/§@db",
            "zkCli.sh addauth digest joe:§",
            "{\"credentials\": {\"value\": \"§\"}}",
            "{\"credentials\": {\"user\": \"joe\", \"of\": [{\"text\": \"§\"}]}, \"value\": \"x\"}",
        ];
        for row in rows {
            let masked = masked(&row.replace('§', "hunter2value"));
            assert_eq!(masked, row.replace('§', "masked-1"), "{row}");
        }
        assert_eq!(masked("key = AKIAIOSFODNN7EXAMPLE"), "key = masked-1");
        for text in [
            "curl -u http://x",
            "digest: sha256:abc",
            "AKIAIOSFODNN",
            "Authorization: none",
            "fs.azure.sas.token.provider.type=org.X",
            "fs.azure.sas.expiry.period=90d",
        ] {
            assert_eq!(mask(text), None, "{text}");
        }
    }

    #[test]
    fn shapes_and_equality_are_kept_and_numbers_stay_numbers() {
        let text = "a.password=one\nb.password=two\nc.password=one\nd.keytab=hdfs:///user/x.keytab\ne.keytab=/etc/x.keytab\nf.principal=hbase/_HOST@REALM\n";
        let masked = masked(text);
        assert_eq!(
            masked,
            "a.password=masked-1\nb.password=masked-2\nc.password=masked-1\nd.keytab=hdfs:///masked-3\ne.keytab=/masked-4\nf.principal=masked-5/masked@masked\n"
        );
        let more = super::masked(&format!("{masked}g.password=three\n"));
        assert!(more.ends_with("g.password=masked-6\n"), "{more}");
        assert_eq!(super::masked("{\"a.token\": 12345}"), "{\"a.token\": 0}");
    }

    #[test]
    fn places_and_sentence_name_what_was_masked() {
        let text = "a=1\nb.password=x\nc.token=yy\n";
        let out = mask(text).expect("two secrets");
        let value = |s: &Secret| &out.text[s.span.start..s.span.end];
        assert_eq!(out.secrets.iter().map(value).collect::<Vec<_>>(), ["masked-1", "masked-2"]);
        assert_eq!(
            sentence(&out.secrets),
            "2 secret values are masked (b.password, c.token): no link, address, draft or file gets them."
        );
    }

    #[test]
    fn very_many_names_are_masked_in_a_long_text() {
        for unit in [
            "<name>a.password</name>",
            "\"name\":\"a.password\",",
            "a.password=",
            "x://y:z@",
            "'''a.token=b",
            "--password ",
            "\"password\":{",
            "{\"password\":[\"value\":",
            "<password>",
            "password:\n ",
            "mysql -p ",
            "mysql ",
            "jdbc:oracle:x/",
            "a.password=\\\n",
            "a.password\\\n",
            "\\na.password=x",
            "<name>a\nb",
            "\\",
        ] {
            let text = unit.repeat((1 << 18) / unit.len());
            assert!(!masked(&text).is_empty(), "{unit}");
        }
    }
}
