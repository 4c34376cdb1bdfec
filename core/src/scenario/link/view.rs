//! The view part of a link. It is separate, so that a click never changes the scenario's part.

use crate::model::Millis;

pub use heddle_view::LinkView as View;
use heddle_view::RunMark;

/// The maximum length of a text in a view.
const TEXT_MAX: usize = 2_000;
/// The maximum length of what a view compares.
pub const COMPARE_MAX: usize = 16_000;
/// The maximum number of marks in a view.
const MARKS: usize = 64;

/// Encodes a view: a tag, a length and a value for each field that is set. Readers skip unknown tags, so later versions can
/// add some.
pub fn to_bytes(view: &View) -> Vec<u8> {
    let mut out = Vec::new();
    for (tag, number) in [(1, view.time_ms.map(|ms| ms.max(0).unsigned_abs())), (7, view.event)] {
        if let Some(number) = number {
            let mut bytes = Vec::new();
            put_number(&mut bytes, number);
            put(&mut out, tag, &bytes);
        }
    }
    for (tag, text, most) in [
        (2, &view.select, TEXT_MAX),
        (3, &view.panel, TEXT_MAX),
        (4, &view.colour_by, TEXT_MAX),
        (5, &view.compare, COMPARE_MAX),
        (6, &view.caption, TEXT_MAX),
    ] {
        if let Some(text) = text {
            let mut end = text.len().min(most);
            while !text.is_char_boundary(end) {
                end -= 1;
            }
            put(&mut out, tag, &text.as_bytes()[..end]);
        }
    }
    if !view.marks.is_empty() {
        put(&mut out, 8, &marks_to_bytes(&view.marks));
    }
    out
}

/// Encodes each mark relative to the previous one: milliseconds, events, print.
fn marks_to_bytes(marks: &[RunMark]) -> Vec<u8> {
    let (mut out, mut before) = (Vec::new(), RunMark::default());
    for mark in marks.iter().take(MARKS) {
        put_number(&mut out, mark.time_ms.abs_diff(before.time_ms));
        put_number(&mut out, mark.events.saturating_sub(before.events));
        out.extend_from_slice(&mark.print.to_le_bytes());
        before = *mark;
    }
    out
}

fn marks_from_bytes(mut bytes: &[u8]) -> Vec<RunMark> {
    let (mut out, mut before) = (Vec::new(), RunMark::default());
    while out.len() < MARKS {
        let Some(time) = take_number(&mut bytes).and_then(|n| Millis::try_from(n).ok()) else { break };
        let Some(events) = take_number(&mut bytes) else { break };
        let Some((print, rest)) = bytes.split_first_chunk::<4>() else { break };
        bytes = rest;
        before = RunMark {
            time_ms: before.time_ms.saturating_add(time),
            events: before.events.saturating_add(events),
            print: u32::from_le_bytes(*print),
        };
        out.push(before);
    }
    out
}

/// Decodes as much as possible.
pub fn from_bytes(mut bytes: &[u8]) -> View {
    let mut view = View::default();
    while let [tag, rest @ ..] = bytes {
        bytes = rest;
        let Some(length) = take_number(&mut bytes).and_then(|n| usize::try_from(n).ok()) else { break };
        let Some(value) = bytes.get(..length) else { break };
        bytes = &bytes[length..];
        let text = || Some(String::from_utf8_lossy(value).into_owned());
        match tag {
            1 => view.time_ms = take_number(&mut &*value).and_then(|n| Millis::try_from(n).ok()),
            2 => view.select = text(),
            3 => view.panel = text(),
            4 => view.colour_by = text(),
            5 => view.compare = text(),
            6 => view.caption = text(),
            7 => view.event = take_number(&mut &*value),
            8 => view.marks = marks_from_bytes(value),
            _ => {}
        }
    }
    view
}

fn put(out: &mut Vec<u8>, tag: u8, value: &[u8]) {
    out.push(tag);
    put_number(out, value.len() as u64);
    out.extend_from_slice(value);
}

/// Writes seven bits a byte, low ones first, with the top bit set on all bytes but the last.
pub fn put_number(out: &mut Vec<u8>, mut n: u64) {
    while n >= 0x80 {
        out.push((n & 0x7f) as u8 | 0x80);
        n >>= 7;
    }
    out.push(n as u8);
}

/// Takes a number off the front of `bytes`.
pub fn take_number(bytes: &mut &[u8]) -> Option<u64> {
    let mut n = 0u64;
    for shift in (0..64).step_by(7) {
        let [first, rest @ ..] = *bytes else { return None };
        *bytes = rest;
        n |= u64::from(first & 0x7f).checked_shl(shift)?;
        if first & 0x80 == 0 {
            return Some(n);
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_view_reads_back_and_unknown_things_are_passed_over() {
        let view = View {
            time_ms: Some(20_000),
            event: Some(1_234),
            select: Some("request:zk/0_3".into()),
            caption: Some("Sieh da: ünï".into()),
            marks: vec![
                RunMark { time_ms: 1_000, events: 7, print: 1 },
                RunMark { time_ms: 20_000, events: 1_234, print: u32::MAX },
            ],
            ..View::default()
        };
        let mut bytes = vec![99, 2, 7, 7];
        bytes.extend(to_bytes(&view));
        assert_eq!(from_bytes(&bytes), view);
        for n in 0..bytes.len() {
            from_bytes(&bytes[..n]);
        }
        assert_eq!(from_bytes(&[1, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80]), View::default());
    }
}
