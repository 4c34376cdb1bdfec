//! The figures of a pasted line.

use serde_json::{Value, json};
use std::collections::BTreeMap;

/// One figure of a line.
#[derive(Clone, Debug, PartialEq)]
pub enum Figure {
    Number(i64),
    Real(f64),
    Text(String),
    /// A resource as YARN prints it: each type with its amount, memory in MiB first.
    Size(Vec<(String, i64)>),
    /// A table from the text.
    Data(Value),
}

impl Figure {
    /// Returns the figure as JSON; a resource as its amounts.
    pub fn json(&self) -> Value {
        match self {
            Figure::Number(n) => json!(n),
            Figure::Real(x) => json!(x),
            Figure::Text(text) => json!(text),
            Figure::Size(size) => json!(size.iter().map(|(_, amount)| amount).collect::<Vec<_>>()),
            Figure::Data(value) => value.clone(),
        }
    }
}

/// The figures of a line by their names.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Figures(pub BTreeMap<String, Figure>);

impl Figures {
    /// Adds a figure, unless there is one of this name.
    pub fn put(&mut self, name: &str, figure: Figure) {
        self.0.entry(name.to_string()).or_insert(figure);
    }

    pub fn has(&self, name: &str) -> bool {
        self.0.contains_key(name)
    }

    pub fn number(&self, name: &str) -> Option<i64> {
        match self.0.get(name)? {
            Figure::Number(n) => Some(*n),
            _ => None,
        }
    }

    pub fn real(&self, name: &str) -> Option<f64> {
        match self.0.get(name)? {
            Figure::Real(x) => Some(*x),
            Figure::Number(n) => Some(*n as f64),
            _ => None,
        }
    }

    pub fn text(&self, name: &str) -> Option<&str> {
        match self.0.get(name)? {
            Figure::Text(text) => Some(text),
            _ => None,
        }
    }

    pub fn size(&self, name: &str) -> Option<&[(String, i64)]> {
        match self.0.get(name)? {
            Figure::Size(size) => Some(size),
            _ => None,
        }
    }

    /// Returns a resource's memory in MiB and vcores; 1 vcore if the text has memory only.
    pub fn pair(&self, name: &str) -> Option<(i64, i64)> {
        let size = self.size(name)?;
        Some((size.first()?.1, size.get(1).map_or(1, |(_, vcores)| *vcores)))
    }
}

/// Reads a resource at the beginning of a text: `<memory:1024, vCores:1, yarn.io/gpu: 2>`, even without its brackets, which
/// a page takes for markup, and with `=`. Returns it with the number of bytes read.
pub fn size(text: &str) -> Option<(Vec<(String, i64)>, usize)> {
    let mut at = text.len() - text.trim_start().len();
    let bracket = text[at..].starts_with(['<', '(', '[', '{']);
    at += usize::from(bracket);
    let mut out = Vec::new();
    loop {
        let rest = text.get(at..)?.trim_start();
        let name: String = rest.chars().take_while(|c| c.is_alphanumeric() || "-_./".contains(*c)).collect();
        let first = out.is_empty();
        let fits =
            if first { matches!(name.to_ascii_lowercase().as_str(), "memory" | "memory-mb") } else { !name.is_empty() };
        let after = rest.get(name.len()..).unwrap_or_default();
        let (true, Some(value)) = (fits, after.trim_start().strip_prefix([':', '='])) else {
            if first {
                return None;
            }
            break;
        };
        let value = value.trim_start();
        let digits: String = value
            .char_indices()
            .take_while(|(i, c)| c.is_ascii_digit() || (*i == 0 && *c == '-'))
            .map(|(_, c)| c)
            .collect();
        let Ok(amount) = digits.parse() else {
            if first {
                return None;
            }
            break;
        };
        let mut read = text.len() - value.len() + digits.len();
        // A unit, as in `4096Mi`.
        let unit = text[read..].chars().take_while(|c| c.is_ascii_alphabetic()).count();
        if unit <= 2 {
            read += unit;
        }
        out.push((
            if first {
                "memory-mb".to_string()
            } else if name.eq_ignore_ascii_case("vcores") {
                "vcores".to_string()
            } else {
                name
            },
            amount,
        ));
        at = read;
        match text[at..].trim_start().strip_prefix(',') {
            Some(rest) if out.len() < 16 => {
                // The word after a comma may already belong to the sentence.
                let next = rest.trim_start();
                let word: String = next.chars().take_while(|c| c.is_alphanumeric() || "-_./".contains(*c)).collect();
                let named = next
                    .get(word.len()..)
                    .is_some_and(|after| after.starts_with(':') || (bracket && after.starts_with('=')));
                if word.is_empty() || !named {
                    break;
                }
                at = text.len() - next.len();
            }
            _ => break,
        }
    }
    if bracket && let Some(rest) = text[at..].trim_start().strip_prefix(['>', ')', ']', '}']) {
        at = text.len() - rest.len();
    }
    Some((out, at))
}
