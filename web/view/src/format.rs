//! Formats numbers and times for people.

use crate::Amount;

/// Formats a time: `3:27.0`, `1:02:03`, `2d 03:14:00`; without tenths from an hour on.
pub fn time(ms: i64) -> String {
    let sign = if ms < 0 { "−" } else { "" };
    let ms = ms.unsigned_abs();
    let (s, tenth) = (ms / 1000, ms % 1000 / 100);
    let (d, h, m, sec) = (s / 86_400, s / 3600 % 24, s / 60 % 60, s % 60);
    if d > 0 {
        format!("{sign}{d}d {h:02}:{m:02}:{sec:02}")
    } else if h > 0 {
        format!("{sign}{h}:{m:02}:{sec:02}")
    } else {
        format!("{sign}{m}:{sec:02}.{tenth}")
    }
}

/// Formats a time for axes: `1:30`, without tenths.
pub fn tick(ms: i64) -> String {
    let text = time(ms);
    text.strip_suffix(".0").map(str::to_owned).unwrap_or(text)
}

/// Formats a duration: `42 s`, `3 min 20 s`, `2 h 5 min`.
pub fn span_of(ms: i64) -> String {
    let s = ms.max(0) / 1000;
    if ms.abs() < 1000 {
        format!("{:.1} s", ms as f64 / 1000.0)
    } else if s < 120 {
        format!("{s} s")
    } else if s < 7200 {
        if s % 60 == 0 { format!("{} min", s / 60) } else { format!("{} min {} s", s / 60, s % 60) }
    } else {
        format!("{} h {} min", s / 3600, s / 60 % 60)
    }
}

/// Formats the duration from `from` to `now`.
pub fn since(now: i64, from: i64) -> String {
    span_of(now - from)
}

/// Parses a typed time: `90`, `1:30`, `1:02:03.5`, `90s`, `250ms`, `5m`. Plain numbers are seconds.
pub fn read_time(text: &str) -> Option<i64> {
    const UNITS: [(&str, i64); 5] = [("ms", 1), ("s", 1000), ("min", 60_000), ("m", 60_000), ("h", 3_600_000)];
    let text = text.trim();
    let (thousandths, factor) = if text.contains(':') {
        let parts = text.split(':').map(thousandths);
        let sum = parts.into_iter().try_fold(0_i64, |sum, part| sum.checked_mul(60)?.checked_add(part?))?;
        (sum, 1000)
    } else {
        let unit = UNITS.iter().find_map(|(suffix, factor)| Some((text.strip_suffix(suffix)?, *factor)));
        let (number, factor) = unit.unwrap_or((text, 1000));
        (thousandths(number)?, factor)
    };
    thousandths.checked_mul(factor).map(|ms| ms / 1000).filter(|ms| *ms < 9_000_000_000_000_000)
}

/// Parses a number with up to three decimals, in thousandths. (Parsing floats would add 15 kB of tables to the page.)
fn thousandths(number: &str) -> Option<i64> {
    let (whole, rest) = number.trim().split_once('.').unwrap_or((number.trim(), ""));
    if (whole.is_empty() && rest.is_empty()) || !(whole.bytes().chain(rest.bytes())).all(|b| b.is_ascii_digit()) {
        return None;
    }
    let decimals = rest.bytes().chain(*b"000").take(3).fold(0, |n, b| n * 10 + i64::from(b - b'0'));
    let whole: i64 = if whole.is_empty() { 0 } else { whole.parse().ok()? };
    whole.checked_mul(1000)?.checked_add(decimals)
}

/// Formats MiB as GB: `16`, `0.5`, `1.25`; at most two decimals, a true minus.
pub fn gb(mb: i64) -> String {
    fraction(mb as f64 / 1024.0)
}

/// The least memory that is told in TB, in MiB.
pub const LARGE: i64 = 10 << 20;

/// Formats memory with its unit: "48 GB", and from 10 TB on "384 TB".
pub fn size(mb: i64) -> String {
    format!("{} {}", in_unit(mb, mb), unit(mb))
}

/// Formats used of all memory in one unit: "125 of 160 GB".
pub fn of_size(used: i64, total: i64) -> String {
    format!("{} of {} {}", in_unit(used, total), in_unit(total, total), unit(total))
}

/// Returns the unit of a whole of `total` MiB.
pub fn unit(total: i64) -> &'static str {
    if total < LARGE { "GB" } else { "TB" }
}

/// Formats an amount in the unit of the whole that it is part of; TB with one decimal.
pub fn in_unit(mb: i64, total: i64) -> String {
    if total < LARGE { gb(mb) } else { fraction((mb as f64 / (1 << 20) as f64 * 10.0).round() / 10.0) }
}

/// Formats a number with up to two decimals, no trailing zeros, a true minus, and a narrow space between thousands.
pub fn fraction(n: f64) -> String {
    let mut text = format!("{:.2}", n.abs());
    while text.contains('.') && (text.ends_with('0') || text.ends_with('.')) {
        text.pop();
    }
    let (whole, rest) = match text.find('.') {
        Some(at) => text.split_at(at),
        None => (text.as_str(), ""),
    };
    let sign = if n < 0.0 && text != "0" { "−" } else { "" };
    format!("{sign}{}{rest}", group(whole))
}

/// Formats a count with narrow spaces between thousands.
pub fn count(n: i64) -> String {
    let digits = n.unsigned_abs().to_string();
    format!("{}{}", if n < 0 { "−" } else { "" }, group(&digits))
}

fn group(digits: &str) -> String {
    if digits.len() < 5 {
        return digits.to_owned();
    }
    let mut out = String::new();
    for (i, c) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            out.push('\u{202f}');
        }
        out.push(c);
    }
    out
}

/// Formats an amount: `2 GB · 1 vcore · 1 gpu`.
pub fn amount(a: &Amount) -> String {
    let mut out = format!("{} GB · {} vcore{}", gb(a.memory_mb), count(a.vcores), if a.vcores == 1 { "" } else { "s" });
    for (name, n) in &a.more {
        out.push_str(&format!(" · {} {name}", count(*n)));
    }
    out
}

/// Returns the partition's name, or `default` for the partition without a name.
pub fn partition(name: &str) -> &str {
    if name.is_empty() { "default" } else { name }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn much_memory_is_told_in_terabytes() {
        assert_eq!([size(48 << 10), size(384 << 20)], ["48 GB", "384 TB"]);
        assert_eq!(
            [of_size(125 << 10, 160 << 10), of_size(150 << 20 | 1 << 18, 1875 << 20)],
            ["125 of 160 GB", "150.3 of 1875 TB"]
        );
    }

    #[test]
    fn times_grow_with_their_size() {
        assert_eq!(time(0), "0:00.0");
        assert_eq!(time(207_000), "3:27.0");
        assert_eq!(time(3_723_500), "1:02:03");
        assert_eq!(time(184_440_000), "2d 03:14:00");
        assert_eq!(tick(60_000), "1:00");
        assert_eq!(span_of(500), "0.5 s");
        assert_eq!(span_of(42_900), "42 s");
        assert_eq!(span_of(200_000), "3 min 20 s");
    }

    #[test]
    fn typed_times_read_back() {
        for (text, ms) in [("90", 90_000), ("1:30", 90_000), ("1:02:03.5", 3_723_500), ("250ms", 250), ("5m", 300_000)]
        {
            assert_eq!(read_time(text), Some(ms), "{text}");
        }
        for text in ["", "x", "-1", "1:-2", "1e99", "NaN", "1:inf"] {
            assert_eq!(read_time(text), None, "{text}");
        }
    }

    #[test]
    fn numbers_have_no_idle_decimals() {
        assert_eq!(gb(16_384), "16");
        assert_eq!(gb(512), "0.5");
        assert_eq!(gb(-1024), "−1");
        assert_eq!(count(1_234_567), "1\u{202f}234\u{202f}567");
        assert_eq!(fraction(0.001), "0");
    }
}
