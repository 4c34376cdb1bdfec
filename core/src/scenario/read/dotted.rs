//! Hadoop's keys as TOML's dotted keys: `root.a.accessible-node-labels = "gpu"` makes a value of a name that also needs to
//! be a table for `root.a.accessible-node-labels.gpu.capacity = 100`. Hadoop allows both; TOML allows one of them, unless
//! the longer is quoted.

use super::fields::SOURCE;
use crate::model::{Problem, Span};
use std::collections::BTreeSet;

/// An unquoted key, in parts, and where it stands.
struct Key<'t> {
    parts: Vec<&'t str>,
    span: Span,
}

/// Returns the problem at a place where TOML parsing fails, if the key there extends another key of its table.
pub fn goes_on(text: &str, at: usize) -> Option<Problem> {
    let keys = keys_around(text, at);
    let all: BTreeSet<&[&str]> = keys.iter().map(|k| k.parts.as_slice()).collect();
    let shorter =
        |k: &Key<'_>| (1..k.parts.len()).find(|n| all.contains(&k.parts[..*n])).map(|n| k.parts[..n].join("."));
    let longer: Vec<(&Key<'_>, String)> = keys.iter().filter_map(|k| Some((k, shorter(k)?))).collect();
    let ((first, short), (last, _)) = (longer.first()?, longer.last()?);
    // The failure must be on a line of one of these keys; otherwise it is another error of the table.
    let line_of = |at: usize| text.get(..at).map_or(0, |before| before.matches('\n').count());
    let line = line_of(at.min(text.len()));
    let concerned = |k: &Key<'_>| all.iter().any(|other| k.parts != *other && starts_either(&k.parts, other));
    if !keys.iter().any(|k| line_of(k.span.start) == line && concerned(k)) {
        return None;
    }
    let long = first.parts.join(".");
    let span = Span::new(first.span.start, last.span.end);
    let (mut fix, mut from) = (String::new(), span.start);
    for (key, _) in &longer {
        fix.push_str(text.get(from..key.span.start)?);
        fix.push_str(&format!("\"{}\"", key.parts.join(".")));
        from = key.span.end;
    }
    let what = format!("`{long}` goes on from `{short}`, which has a value: TOML cannot read both without quotes.");
    let others = if longer.len() > 1 { ", and the others of its kind" } else { "" };
    let mend = format!("Put the longer key in quotes{others}: \"{long}\" = ….");
    Some(Problem::error(SOURCE, span, what).mend(mend).fix(fix))
}

fn starts_either(a: &[&str], b: &[&str]) -> bool {
    a.starts_with(b) || b.starts_with(a)
}

/// Returns the unquoted keys of the table around a place.
fn keys_around(text: &str, at: usize) -> Vec<Key<'_>> {
    let (mut keys, mut start, mut is_its) = (Vec::new(), 0, false);
    for line in text.split_inclusive('\n') {
        if line.trim_start().starts_with('[') {
            if is_its {
                break;
            }
            keys.clear();
        } else if let Some(key) = key_of(line, start) {
            keys.push(key);
        }
        start += line.len();
        is_its |= at < start || at == text.len() && start == text.len();
    }
    if is_its { keys } else { Vec::new() }
}

fn key_of(line: &str, start: usize) -> Option<Key<'_>> {
    let (key, _) = line.split_once('=')?;
    let plain = |part: &str| !part.is_empty() && part.chars().all(|c| c.is_ascii_alphanumeric() || "-_".contains(c));
    let parts: Vec<&str> = key.trim().split('.').map(str::trim).collect();
    let from = start + (key.len() - key.trim_start().len());
    parts.iter().all(|p| plain(p)).then(|| Key { span: Span::new(from, from + key.trim().len()), parts })
}
