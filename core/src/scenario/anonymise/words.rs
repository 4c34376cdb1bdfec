//! Names in the author's prose and in comments.

use super::choose::New;
use toml_edit::{Document, Item, Key, TableLike, Value};

/// The length in characters from which a name is replaced wherever it occurs, even within a word.
pub(super) const SHORTEST: usize = 3;
/// Two-letter names that are mostly an English word.
const ENGLISH: [&str; 28] = [
    "am", "an", "as", "at", "be", "by", "do", "go", "he", "if", "in", "is", "it", "me", "mb", "gb", "my", "no", "of",
    "on", "or", "so", "to", "tb", "up", "us", "vs", "we",
];
/// Prefixes of YARN's ids.
const IDS: [&str; 5] = ["application_", "appattempt_", "container_", "job_", "attempt_"];
/// The fewest digits of a ResourceManager's start time: Heddle's own ids have fewer.
const STAMP_DIGITS: usize = 10;

/// Returns the start times of ResourceManagers in ids, with their places.
pub(super) fn stamps(text: &str) -> impl Iterator<Item = (std::ops::Range<usize>, u64)> {
    let ids = IDS.iter().flat_map(move |id| text.match_indices(id).map(move |(at, _)| at + id.len()));
    ids.filter_map(move |mut at| {
        // `container_e17_1700000000000_0042_01_000001`.
        let rest = text.get(at..)?;
        if let Some(epoch) = rest.strip_prefix('e') {
            let digits = epoch.bytes().take_while(u8::is_ascii_digit).count();
            at += if digits > 0 && epoch.get(digits..)?.starts_with('_') { digits + 2 } else { 0 };
        }
        let digits = text.get(at..)?.bytes().take_while(u8::is_ascii_digit).count();
        let stamp = text.get(at..at + digits)?.parse().ok()?;
        (digits >= STAMP_DIGITS).then_some((at..at + digits, stamp))
    })
}

/// Replaces all names in a text; `None`: there are none.
pub(super) fn replaced(text: &str, new: &New) -> Option<String> {
    let mut places: Vec<(std::ops::Range<usize>, String)> =
        stamps(text).filter_map(|(at, stamp)| Some((at, new.stamps.get(&stamp)?.to_string()))).collect();
    let lower = text.to_lowercase();
    // Ignores case, unless the lower-case text differs in length, which is rare.
    let among = if lower.len() == text.len() { lower.as_str() } else { text };
    let bytes = among.as_bytes();
    let is_part =
        |at: Option<usize>| at.and_then(|at| bytes.get(at)).is_some_and(|b| b.is_ascii_alphanumeric() || *b >= 128);
    for (old, with) in &new.spoken {
        let long = old.chars().count() >= SHORTEST;
        let skipped = !long && (old.chars().count() < 2 || ENGLISH.contains(&old.as_str()));
        for (at, _) in among.match_indices(old.as_str()) {
            let end = at + old.len();
            // Every part of a queue's path is a name, however short.
            let in_path =
                among.get(..at).is_some_and(|before| before.ends_with('.') && is_path(before)) && !is_part(Some(end));
            let alone = !is_part(at.checked_sub(1)) && !is_part(Some(end));
            if (long || (alone && !skipped) || in_path) && text.is_char_boundary(at) && text.is_char_boundary(end) {
                places.push((at..end, with.clone()));
            }
        }
    }
    for numbered in new.patterns.iter().filter(|numbered| !numbered.stem.is_empty()) {
        let stem = numbered.stem.to_lowercase();
        for (at, _) in among.match_indices(stem.as_str()) {
            let start = at + stem.len();
            let digits = bytes.iter().skip(start).take_while(|b| b.is_ascii_digit()).count();
            if digits > 0 && !is_part(at.checked_sub(1)) && text.is_char_boundary(at) {
                places.push((at..start, numbered.new_stem.clone()));
            }
        }
    }
    // Longer names come first, in the order found; a match that overlaps an earlier one is dropped.
    let mut taken: std::collections::BTreeMap<usize, (usize, String)> = std::collections::BTreeMap::new();
    for (at, with) in places {
        let before = taken.range(..at.end).next_back();
        if before.is_none_or(|(_, (end, _))| *end <= at.start) {
            taken.insert(at.start, (at.end, with));
        }
    }
    if taken.is_empty() {
        return None;
    }
    let (mut out, mut at) = (String::with_capacity(text.len()), 0);
    for (start, (end, with)) in taken {
        out.push_str(text.get(at..start)?);
        out.push_str(&with);
        at = end;
    }
    out.push_str(text.get(at..)?);
    Some(out)
}

/// Returns whether a text ends with the beginning of a queue's path.
fn is_path(before: &str) -> bool {
    let start = before.rfind(|c: char| !(c.is_alphanumeric() || matches!(c, '.' | '-' | '_'))).map_or(0, |n| n + 1);
    before.get(start..).is_some_and(|path| path.trim_start_matches(|c: char| !c.is_alphanumeric()).starts_with("root."))
}

/// Replaces the names in the comments of a scenario's text.
pub(super) fn comments(text: &str, new: &New) -> String {
    let Ok(document) = Document::parse(text) else { return text.to_owned() };
    let mut spans: Vec<std::ops::Range<usize>> = Vec::new();
    in_table(document.as_table(), &mut spans);
    spans.sort_by_key(|span| span.start);
    let (mut out, mut at, mut spans) = (String::with_capacity(text.len()), 0, spans.into_iter().peekable());
    while let Some(found) = text.get(at..).and_then(|rest| rest.find('#')).map(|n| at + n) {
        while spans.next_if(|span| span.end <= found).is_some() {}
        if let Some(end) = spans.peek().filter(|span| span.contains(&found)).map(|span| span.end) {
            out.push_str(text.get(at..end).unwrap_or_default());
            at = end;
            continue;
        }
        let end = text.get(found..).and_then(|rest| rest.find('\n')).map_or(text.len(), |n| found + n);
        let comment = text.get(found..end).unwrap_or_default();
        out.push_str(text.get(at..found).unwrap_or_default());
        out.push_str(replaced(comment, new).as_deref().unwrap_or(comment));
        at = end;
    }
    out.push_str(text.get(at..).unwrap_or_default());
    out
}

/// Collects the places of all texts and quoted names: a `#` in them begins no comment.
fn in_table(table: &dyn TableLike, out: &mut Vec<std::ops::Range<usize>>) {
    for (name, item) in table.iter() {
        out.extend(table.key(name).and_then(Key::span));
        match item {
            Item::Value(value) => in_value(value, out),
            Item::Table(table) => in_table(table, out),
            Item::ArrayOfTables(list) => list.iter().for_each(|table| in_table(table, out)),
            Item::None => {}
        }
    }
}

fn in_value(value: &Value, out: &mut Vec<std::ops::Range<usize>>) {
    match value {
        Value::Array(list) => list.iter().for_each(|value| in_value(value, out)),
        Value::InlineTable(table) => in_table(table, out),
        Value::String(_) => out.extend(value.span()),
        Value::Integer(_) | Value::Float(_) | Value::Boolean(_) | Value::Datetime(_) => {}
    }
}
