//! A ConfTree as a text: resources.json and appConfig.json, read with the position of each part (ConfTree, JsonSerDeser;
//! slider-placement.md 3.1).

use super::json::{Kind, TextFault, Token, Tokens, quoted};
use crate::model::{Problem, Span, limits};

/// A key with its value, and their positions.
#[derive(Clone, Debug, PartialEq)]
pub struct ConfRow {
    pub key: String,
    pub at: Span,
    /// The value; `None`: it is `null`, which counts as absent for every reader.
    pub value: Option<String>,
    pub value_at: Span,
}

/// A component and its rows.
#[derive(Clone, Debug, PartialEq)]
pub struct Section {
    pub name: String,
    pub at: Span,
    pub rows: Vec<ConfRow>,
}

/// The objects for which a text has `null`. Slider's client ends with an exception there.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct Nulls {
    pub document: bool,
    pub global: bool,
    pub components: bool,
    /// Metadata, credentials, or one of the components.
    pub inner: bool,
}

/// The parts of a tree.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct Parts {
    /// The position and the text of `schema`, if it is present; no text if it is `null`.
    pub schema: Option<(Option<String>, Span)>,
    pub global: Vec<ConfRow>,
    pub components: Vec<Section>,
    pub nulls: Nulls,
    /// Whether a key that nothing reads is an error; Slider's client accepts it.
    pub strict: bool,
}

struct Reader<'t> {
    tokens: Tokens<'t>,
    source: &'static str,
    problems: Vec<Problem>,
}

/// Parses a text into its parts and warnings. `source`: its name in messages. Errors: Slider's parser (Jackson) throws. Never
/// panics, whatever the text.
pub fn parse(text: &str, source: &'static str) -> Result<(Parts, Vec<Problem>), TextFault> {
    if text.len() > limits::TEXT_BYTES {
        let what = format!("the text has {} bytes; {} is the most", text.len(), limits::TEXT_BYTES);
        return Err(TextFault { at: 0, what });
    }
    let mut r = Reader { tokens: Tokens::new(text), source, problems: Vec::new() };
    let parts = r.document()?;
    Ok((parts, r.problems))
}

impl Reader<'_> {
    fn warn(&mut self, at: Span, what: String) {
        self.problems.push(Problem::warning(self.source, at, what));
    }

    fn take(&mut self) -> Result<Token, TextFault> {
        let at = self.tokens.seen();
        self.tokens.next_token()?.ok_or(TextFault { at, what: "the text ends here".into() })
    }

    /// Opens an object. Returns false for `null` in its place.
    fn open(&mut self) -> Result<bool, TextFault> {
        match self.take()? {
            Token { kind: Kind::ObjectStart, .. } => Ok(true),
            Token { kind: Kind::Null, .. } => Ok(false),
            other => Err(TextFault { at: other.span.start, what: "an object is expected, between { and }".into() }),
        }
    }

    /// Returns the name of the next field; `None` at the object's end.
    fn name(&mut self) -> Result<Option<Token>, TextFault> {
        let token = self.take()?;
        Ok((token.kind == Kind::Name).then_some(token))
    }

    fn document(&mut self) -> Result<Parts, TextFault> {
        let mut parts = Parts::default();
        if !self.open()? {
            parts.nulls.document = true;
            return Ok(parts);
        }
        while let Some(name) = self.name()? {
            match name.text.as_str() {
                "schema" => {
                    let token = self.scalar("schema")?;
                    parts.schema = Some((text_of(&token), token.span));
                }
                "global" => match self.rows()? {
                    Some(rows) => (parts.global, parts.nulls.global) = (rows, false),
                    None => parts.nulls.global = true,
                },
                "components" => {
                    parts.components.clear();
                    parts.nulls.components = !self.open()?;
                    while !parts.nulls.components
                        && let Some(name) = self.name()?
                    {
                        self.component(name, &mut parts)?;
                    }
                }
                "metadata" => {
                    if self.open()? {
                        self.rest()?;
                    } else {
                        parts.nulls.inner = true;
                    }
                }
                "credentials" => parts.nulls.inner |= !self.credentials()?,
                other => {
                    let what = format!("Slider does not know `{other}`.");
                    self.problems.push(Problem::warning(self.source, name.span, what).mend("Delete it."));
                    self.pass()?;
                }
            }
        }
        // The parser does not read further.
        let more = match self.tokens.next_token() {
            Ok(token) => token.map(|token| token.span),
            Err(fault) => Some(Span::new(fault.at, fault.at)),
        };
        if let Some(at) = more {
            self.warn(at, "The definition is over here: what follows is not read.".to_string());
        }
        Ok(parts)
    }

    fn component(&mut self, name: Token, parts: &mut Parts) -> Result<(), TextFault> {
        let rows = self.rows()?;
        parts.nulls.inner |= rows.is_none();
        let section = Section { name: name.text, at: name.span, rows: rows.unwrap_or_default() };
        if let Some(twice) = parts.components.iter_mut().find(|s| s.name == section.name) {
            let what = format!("The component `{}` stands twice; the last one counts.", section.name);
            self.problems.push(Problem::warning(self.source, section.at, what));
            *twice = section;
        } else {
            parts.components.push(section);
        }
        Ok(())
    }

    /// Reads lists of aliases by their providers. Returns false for `null`.
    fn credentials(&mut self) -> Result<bool, TextFault> {
        if !self.open()? {
            return Ok(false);
        }
        while self.name()?.is_some() {
            match self.take()? {
                Token { kind: Kind::ArrayStart, .. } => {}
                Token { kind: Kind::Null, .. } => continue,
                other => {
                    return Err(TextFault { at: other.span.start, what: "a list is expected, between [ and ]".into() });
                }
            }
            loop {
                match self.take()? {
                    Token { kind: Kind::ArrayEnd, .. } => break,
                    Token { kind: Kind::ObjectStart | Kind::ArrayStart, span, .. } => {
                        return Err(TextFault { at: span.start, what: "a text is expected".into() });
                    }
                    _ => {}
                }
            }
        }
        Ok(true)
    }

    /// Skips a value.
    fn pass(&mut self) -> Result<(), TextFault> {
        match self.take()?.kind {
            Kind::ObjectStart | Kind::ArrayStart => self.rest(),
            _ => Ok(()),
        }
    }

    /// Skips the rest of the open object or list.
    fn rest(&mut self) -> Result<(), TextFault> {
        let mut level = 1usize;
        while level > 0 {
            match self.take()?.kind {
                Kind::ObjectStart | Kind::ArrayStart => level += 1,
                Kind::ObjectEnd | Kind::ArrayEnd => level -= 1,
                _ => {}
            }
        }
        Ok(())
    }

    /// Reads a value that Slider accepts as a text.
    fn scalar(&mut self, name: &str) -> Result<Token, TextFault> {
        let value = self.take()?;
        match value.kind {
            Kind::Text | Kind::Int | Kind::Float | Kind::Bool | Kind::Null => Ok(value),
            _ => Err(TextFault { at: value.span.start, what: format!("the value of `{name}` has to be a text") }),
        }
    }

    /// Reads keys and values; `None` for `null`.
    fn rows(&mut self) -> Result<Option<Vec<ConfRow>>, TextFault> {
        if !self.open()? {
            return Ok(None);
        }
        let mut rows: Vec<ConfRow> = Vec::new();
        while let Some(name) = self.name()? {
            let value = self.scalar(&name.text)?;
            match value.kind {
                Kind::Int | Kind::Float | Kind::Bool => {
                    let what = format!("The value of `{}` has no quotes; Slider takes it as a text.", name.text);
                    let fix = quoted(&value.text);
                    self.problems
                        .push(Problem::warning(self.source, value.span, what).mend("Put quotes around it.").fix(fix));
                }
                Kind::Null => {
                    let what = format!("`{}` is null: it counts as not set, and hides what `global` says.", name.text);
                    self.problems.push(Problem::warning(self.source, value.span, what).mend("Delete it."));
                }
                _ => {}
            }
            let row = ConfRow { key: name.text, at: name.span, value: text_of(&value), value_at: value.span };
            if let Some(twice) = rows.iter_mut().find(|r| r.key == row.key) {
                let what = format!("`{}` stands twice; the last one counts.", row.key);
                self.problems.push(Problem::warning(self.source, row.at, what));
                *twice = row;
            } else {
                rows.push(row);
            }
        }
        Ok(Some(rows))
    }
}

fn text_of(token: &Token) -> Option<String> {
    (token.kind != Kind::Null).then(|| token.text.clone())
}
