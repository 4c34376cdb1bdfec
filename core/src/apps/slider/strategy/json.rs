//! JSON as Slider's parser reads it: token by token, looking no further than it has to. Text behind the point where a reader
//! stops may be anything, which decides whether a damaged history file can still be read (slider-placement.md 14.2). Positions
//! are bytes of the text.

pub use crate::apps::slider::journal::TextFault;
use crate::model::Span;

/// The kind of a token.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// `{`
    ObjectStart,
    /// `}`
    ObjectEnd,
    /// `[`
    ArrayStart,
    /// `]`
    ArrayEnd,
    /// The name of a field, its colon included.
    Name,
    /// A text.
    Text,
    /// A number without point and exponent.
    Int,
    /// Another number.
    Float,
    /// `true` or `false`.
    Bool,
    /// `null`
    Null,
}

/// A token. `text` of names and texts is without quotes and escapes; that of other tokens is as written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Token {
    /// Its kind.
    pub kind: Kind,
    /// Its text.
    pub text: String,
    /// Its position.
    pub span: Span,
}

/// An open object or array, and the number of tokens that have begun in it.
#[derive(Clone, Copy)]
struct Scope {
    object: bool,
    begun: usize,
}

/// A text as a stream of tokens.
pub struct Tokens<'t> {
    text: &'t str,
    at: usize,
    seen: usize,
    scopes: Vec<Scope>,
    /// The value after a name: numbers and words are read together with the name, texts only up to their quote.
    ahead: Option<Ahead>,
    /// Whether a name or a text is being read, or its reading ended in a fault.
    within_text: bool,
}

enum Ahead {
    Ready(Token),
    Quote,
}

impl<'t> Tokens<'t> {
    /// Creates the tokens of a text; a byte order mark at its start is skipped.
    pub fn new(text: &'t str) -> Self {
        let at = if text.starts_with('\u{feff}') { '\u{feff}'.len_utf8() } else { 0 };
        Tokens { text, at, seen: text.len().min(4), scopes: Vec::new(), ahead: None, within_text: false }
    }

    /// Returns whether the last fault lies within a name or a text.
    pub fn within_text(&self) -> bool {
        self.within_text
    }

    /// Returns how many bytes the parser has seen.
    pub fn seen(&self) -> usize {
        self.seen
    }

    fn fault<T>(&self, what: impl Into<String>) -> Result<T, TextFault> {
        Err(TextFault { at: self.at.min(self.text.len()), what: what.into() })
    }

    fn peek(&mut self) -> Option<u8> {
        self.seen = self.seen.max((self.at + 1).min(self.text.len()));
        self.text.as_bytes().get(self.at).copied()
    }

    fn skip_space(&mut self) -> Option<u8> {
        while let Some(b' ' | b'\t' | b'\r' | b'\n') = self.peek() {
            self.at += 1;
        }
        self.peek()
    }

    /// Returns the next token; `None` at the end of the text outside of all objects and arrays.
    pub fn next_token(&mut self) -> Result<Option<Token>, TextFault> {
        match self.ahead.take() {
            Some(Ahead::Ready(token)) => return Ok(Some(self.enter(token))),
            Some(Ahead::Quote) => return self.string(Kind::Text).map(Some),
            None => {}
        }
        let Some(mut byte) = self.skip_space() else {
            return if self.scopes.is_empty() {
                Ok(None)
            } else {
                self.fault("the text ends inside an object or a list")
            };
        };
        if byte == b'}' || byte == b']' {
            let object = byte == b'}';
            if self.scopes.pop().is_none_or(|s| s.object != object) {
                return self.fault("this closes nothing that is open");
            }
            return Ok(Some(self.sign(if object { Kind::ObjectEnd } else { Kind::ArrayEnd })));
        }
        let mut object = false;
        if let Some(scope) = self.scopes.last_mut() {
            scope.begun += 1;
            object = scope.object;
            if scope.begun > 1 {
                if byte != b',' {
                    return self.fault("a comma is missing");
                }
                self.at += 1;
                byte = match self.skip_space() {
                    Some(byte) => byte,
                    None => return self.fault("the text ends after a comma"),
                };
            }
        }
        if !object {
            return match self.value(byte)? {
                Ahead::Ready(token) => Ok(Some(self.enter(token))),
                Ahead::Quote => self.string(Kind::Text).map(Some),
            };
        }
        if byte != b'"' {
            return self.fault("a field's name is missing");
        }
        self.at += 1;
        let name = self.string(Kind::Name)?;
        if self.skip_space() != Some(b':') {
            return self.fault("a colon is missing");
        }
        self.at += 1;
        let Some(byte) = self.skip_space() else { return self.fault("the text ends before a value") };
        self.ahead = Some(self.value(byte)?);
        Ok(Some(name))
    }

    /// Opens a scope if the value that becomes the current token has one.
    fn enter(&mut self, token: Token) -> Token {
        if let Kind::ObjectStart | Kind::ArrayStart = token.kind {
            self.scopes.push(Scope { object: token.kind == Kind::ObjectStart, begun: 0 });
        }
        token
    }

    /// Returns a token of one character.
    fn sign(&mut self, kind: Kind) -> Token {
        let span = Span::new(self.at, self.at + 1);
        self.at += 1;
        Token { kind, text: String::new(), span }
    }

    fn value(&mut self, byte: u8) -> Result<Ahead, TextFault> {
        Ok(Ahead::Ready(match byte {
            b'"' => {
                self.at += 1;
                return Ok(Ahead::Quote);
            }
            b'{' => self.sign(Kind::ObjectStart),
            b'[' => self.sign(Kind::ArrayStart),
            b't' => self.word("true", Kind::Bool)?,
            b'f' => self.word("false", Kind::Bool)?,
            b'n' => self.word("null", Kind::Null)?,
            b'-' | b'0'..=b'9' => self.number()?,
            _ => return self.fault("a value is missing"),
        }))
    }

    fn word(&mut self, word: &str, kind: Kind) -> Result<Token, TextFault> {
        let start = self.at;
        for letter in word.bytes() {
            if self.peek() != Some(letter) {
                return self.fault(format!("`{word}` is cut or misspelt"));
            }
            self.at += 1;
        }
        if self.peek().is_some_and(|b| b.is_ascii_alphanumeric() || b == b'_' || b == b'$' || b >= 0x80) {
            return self.fault(format!("`{word}` goes on"));
        }
        Ok(Token { kind, text: word.into(), span: Span::new(start, self.at) })
    }

    fn digits(&mut self) -> usize {
        let start = self.at;
        while self.peek().is_some_and(|b| b.is_ascii_digit()) {
            self.at += 1;
        }
        self.at - start
    }

    fn number(&mut self) -> Result<Token, TextFault> {
        let start = self.at;
        if self.peek() == Some(b'-') {
            self.at += 1;
        }
        let zero = self.peek() == Some(b'0');
        match self.digits() {
            0 => return self.fault("a digit is missing"),
            n if zero && n > 1 => return self.fault("a number begins with 0"),
            _ => {}
        }
        let mut kind = Kind::Int;
        if self.peek() == Some(b'.') {
            kind = Kind::Float;
            self.at += 1;
            if self.digits() == 0 {
                return self.fault("a digit is missing after the point");
            }
        }
        if let Some(b'e' | b'E') = self.peek() {
            kind = Kind::Float;
            self.at += 1;
            if let Some(b'+' | b'-') = self.peek() {
                self.at += 1;
            }
            if self.digits() == 0 {
                return self.fault("a digit is missing in the exponent");
            }
        }
        Ok(Token { kind, text: self.text[start..self.at].into(), span: Span::new(start, self.at) })
    }

    /// Reads a name or a text whose opening quote has been read.
    fn string(&mut self, kind: Kind) -> Result<Token, TextFault> {
        let start = self.at.saturating_sub(1);
        self.within_text = true;
        let mut text = String::new();
        loop {
            let from = self.at;
            while self.peek().is_some_and(|b| b != b'"' && b != b'\\' && b >= b' ') {
                self.at += 1;
            }
            text.push_str(&self.text[from..self.at]);
            match self.peek() {
                Some(b'"') => {
                    self.at += 1;
                    self.within_text = false;
                    return Ok(Token { kind, text, span: Span::new(start, self.at) });
                }
                Some(b'\\') => {
                    self.at += 1;
                    let c = self.escape()?;
                    text.push(c);
                }
                Some(_) => return self.fault("a control character stands in a text"),
                None => return self.fault("a text has no end"),
            }
        }
    }

    fn escape(&mut self) -> Result<char, TextFault> {
        let Some(byte) = self.peek() else { return self.fault("a text has no end") };
        let c = match byte {
            b'"' | b'\\' | b'/' => char::from(byte),
            b'b' => '\u{8}',
            b'f' => '\u{c}',
            b'n' => '\n',
            b'r' => '\r',
            b't' => '\t',
            b'u' => {
                let unit = self.unit()?;
                return self.character(unit);
            }
            _ => return self.fault("this is no escape"),
        };
        self.at += 1;
        Ok(c)
    }

    /// Reads the four digits after `\u`.
    fn unit(&mut self) -> Result<u32, TextFault> {
        let mut unit = 0;
        for _ in 0..4 {
            self.at += 1;
            match self.peek().and_then(|b| char::from(b).to_digit(16)) {
                Some(digit) => unit = unit * 16 + digit,
                None => return self.fault("\\u needs four digits"),
            }
        }
        self.at += 1;
        Ok(unit)
    }

    /// Returns the character of one unit, or of the pair that it begins.
    fn character(&mut self, unit: u32) -> Result<char, TextFault> {
        if (0xd800..0xdc00).contains(&unit) && self.text.as_bytes()[self.at..].starts_with(b"\\u") {
            self.at += 1;
            let low = self.unit()?;
            if (0xdc00..0xe000).contains(&low) {
                let code = 0x10000 + ((unit - 0xd800) << 10) + (low - 0xdc00);
                return Ok(char::from_u32(code).unwrap_or(char::REPLACEMENT_CHARACTER));
            }
        }
        Ok(char::from_u32(unit).unwrap_or(char::REPLACEMENT_CHARACTER))
    }
}

/// Returns a text with quotes, as Slider writes it.
pub fn quoted(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 2);
    out.push('"');
    for c in text.chars() {
        match c {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            '\u{8}' => out.push_str("\\b"),
            '\u{c}' => out.push_str("\\f"),
            c if c < ' ' => out.push_str(&format!("\\u{:04X}", u32::from(c))),
            c => out.push(c),
        }
    }
    out.push('"');
    out
}
