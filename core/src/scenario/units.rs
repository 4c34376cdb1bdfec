//! Reads and prints times and sizes as a scenario writes them.
//!
//! A time is a number of seconds, or a text with units: `"250 ms"`, `"30 s"`, `"2 min"`, `"1 h 30 min"`, `"1:30"` (minutes
//! and seconds), `"1:02:03"`. A memory size is a number of MB, or a text: `"64 GB"`, `"512 MB"`, `"1.5 TB"`. As everywhere
//! in YARN these are powers of 1024.

use crate::model::Millis;

/// The longest time that a scenario may name: ten years.
pub const TIME_MAX: Millis = 10 * 366 * 24 * 3_600_000;
/// The largest amount of one resource type that a scenario may name (MiB for memory).
pub const AMOUNT_MAX: i64 = 1 << 40;

/// Reads a time. Errors: what is wrong with the text, in words.
pub fn parse_time(text: &str) -> Result<Millis, String> {
    let text = text.trim();
    let wrong = || format!("`{text}` is not a time");
    if text.is_empty() {
        return Err("the time is empty".into());
    }
    let ms = if text.contains(':') { clock(text) } else { sum_of_units(text) };
    match ms {
        Some(ms) if (0.0..=TIME_MAX as f64).contains(&ms) => Ok(ms.round() as Millis),
        Some(ms) if ms > TIME_MAX as f64 => Err(format!("`{text}` is longer than ten years")),
        _ => Err(wrong()),
    }
}

fn clock(text: &str) -> Option<f64> {
    let mut total = 0.0;
    let parts: Vec<&str> = text.split(':').collect();
    if parts.len() > 3 {
        return None;
    }
    for part in parts {
        let n = number(part)?;
        total = total * 60.0 + n;
    }
    Some(total * 1000.0)
}

fn number(text: &str) -> Option<f64> {
    let plain = !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit() || b == b'.');
    if plain && text.len() <= 20 { text.parse().ok() } else { None }
}

fn sum_of_units(text: &str) -> Option<f64> {
    let mut rest = text;
    let mut total = 0.0;
    let mut first = true;
    while !rest.is_empty() {
        let digits = rest.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(rest.len());
        let n = number(&rest[..digits])?;
        rest = rest[digits..].trim_start();
        let letters = rest.find(|c: char| !c.is_ascii_alphabetic()).unwrap_or(rest.len());
        let unit = match &rest[..letters] {
            "" if first && rest.is_empty() => 1e3,
            "ms" => 1.0,
            "s" | "sec" | "second" | "seconds" => 1e3,
            "m" | "min" | "minute" | "minutes" => 60e3,
            "h" | "hour" | "hours" => 3_600e3,
            "d" | "day" | "days" => 86_400e3,
            _ => return None,
        };
        rest = rest[letters..].trim_start();
        total += n * unit;
        first = false;
    }
    Some(total)
}

/// Prints a time as it would be written in a scenario: `"250 ms"`, `"1.5 s"`, `"2 min"`, `"1 min 30 s"`.
pub fn time_text(ms: Millis) -> String {
    if ms < 0 {
        return format!("-{}", time_text(-ms));
    }
    if ms < 1000 && ms > 0 {
        return format!("{ms} ms");
    }
    let (h, m, rest) = (ms / 3_600_000, ms / 60_000 % 60, ms % 60_000);
    let mut parts = Vec::new();
    if h > 0 {
        parts.push(format!("{h} h"));
    }
    if m > 0 {
        parts.push(format!("{m} min"));
    }
    if rest > 0 || parts.is_empty() {
        let fraction = format!("{:03}", rest % 1000);
        let fraction = fraction.trim_end_matches('0');
        let dot = if fraction.is_empty() { "" } else { "." };
        parts.push(format!("{}{dot}{fraction} s", rest / 1000));
    }
    parts.join(" ")
}

/// Reads an amount of memory, in MiB. Errors: what is wrong with the text, in words.
pub fn parse_memory(text: &str) -> Result<i64, String> {
    let text = text.trim();
    let digits = text.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(text.len());
    let unit = match text[digits..].trim().to_ascii_lowercase().as_str() {
        "" | "m" | "mb" | "mi" | "mib" => 1.0,
        "g" | "gb" | "gi" | "gib" => 1024.0,
        "t" | "tb" | "ti" | "tib" => 1024.0 * 1024.0,
        _ => return Err(format!("`{text}` is not an amount of memory")),
    };
    let n = number(&text[..digits]).ok_or_else(|| format!("`{text}` is not an amount of memory"))?;
    let mib = n * unit;
    if mib > AMOUNT_MAX as f64 {
        return Err(format!("`{text}` is more than {AMOUNT_MAX} MB"));
    }
    Ok(mib.round() as i64)
}

/// Prints an amount of memory as it would be written: `64 GB`, `1536 MB`.
pub fn memory_text(mib: i64) -> String {
    if mib != 0 && mib % 1024 == 0 { format!("{} GB", mib / 1024) } else { format!("{mib} MB") }
}

/// Prints a size as a scenario writes it; `more`: further types.
pub fn size_text<'t>(mib: i64, vcores: i64, more: impl IntoIterator<Item = (&'t str, i64)>) -> String {
    let more: String = more.into_iter().map(|(kind, n)| format!(", {kind}={n}")).collect();
    format!("{}/{vcores}{more}", memory_text(mib))
}

/// A size as written: memory, vcores, and further types by name.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Size {
    /// MiB.
    pub memory_mb: Option<i64>,
    pub vcores: Option<i64>,
    /// Further types.
    pub more: Vec<(String, i64)>,
}

/// Reads `"2 GB"`, `"2 GB/1"`, `"2 GB, 1 vcore"`, `"2 GB/1, yarn.io/gpu=2"`. Errors: what is wrong, in words.
pub fn parse_size(text: &str) -> Result<Size, String> {
    let mut size = Size::default();
    for (i, part) in text.split(',').map(str::trim).enumerate() {
        if let Some((name, amount)) = part.split_once('=') {
            let (name, amount) = (name.trim(), amount.trim());
            match name {
                "memory" | "memory-mb" => size.memory_mb = Some(parse_memory(amount)?),
                "vcores" => size.vcores = Some(count(amount)?),
                "" => return Err(format!("`{part}` has no resource name before the `=`")),
                _ => size.more.push((name.to_string(), count(amount)?)),
            }
        } else if i == 0 {
            let (memory, vcores) = match part.split_once('/') {
                Some((m, v)) => (m, Some(v)),
                None => (part, None),
            };
            size.memory_mb = Some(parse_memory(memory)?);
            if let Some(v) = vcores {
                size.vcores = Some(count(v)?);
            }
        } else if let Some(n) = part.strip_suffix("vcores").or(part.strip_suffix("vcore")) {
            size.vcores = Some(count(n)?);
        } else {
            return Err(format!(
                "`{part}` is not part of a size; a size looks like `2 GB/1` or `2 GB/1, yarn.io/gpu=2`"
            ));
        }
    }
    Ok(size)
}

fn count(text: &str) -> Result<i64, String> {
    match text.trim().parse::<i64>() {
        Ok(n) if (0..=AMOUNT_MAX).contains(&n) => Ok(n),
        _ => Err(format!("`{}` is not a whole number from 0 to {AMOUNT_MAX}", text.trim())),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_in_every_form() {
        for (text, ms) in [
            ("0", 0),
            ("30", 30_000),
            ("1.5", 1_500),
            ("250 ms", 250),
            ("250ms", 250),
            ("30 s", 30_000),
            ("2 min", 120_000),
            ("1h30m", 5_400_000),
            ("1 h 30 min", 5_400_000),
            ("1:30", 90_000),
            ("1:02:03.5", 3_723_500),
            ("1 d", 86_400_000),
        ] {
            assert_eq!(parse_time(text), Ok(ms), "{text}");
        }
        for text in ["", "soon", "-1 s", "1 parsec", "1:2:3:4", "1 s 5", "1e300", "99999 d", "1..2 s", ":", "5 5"] {
            assert!(parse_time(text).is_err(), "{text}");
        }
    }

    #[test]
    fn a_printed_time_reads_back() {
        for ms in [0, 1, 250, 1_000, 1_500, 59_999, 60_000, 90_000, 3_600_000, 5_400_250] {
            assert_eq!(parse_time(&time_text(ms)), Ok(ms), "{}", time_text(ms));
        }
    }

    #[test]
    fn sizes_in_every_form() {
        let gpu = vec![("yarn.io/gpu".to_string(), 2)];
        assert_eq!(parse_size("2 GB"), Ok(Size { memory_mb: Some(2048), ..Size::default() }));
        assert_eq!(parse_size("2GB/3"), Ok(Size { memory_mb: Some(2048), vcores: Some(3), more: vec![] }));
        assert_eq!(parse_size("1.5 GB, 1 vcore"), Ok(Size { memory_mb: Some(1536), vcores: Some(1), more: vec![] }));
        assert_eq!(parse_size("2 GB/1, yarn.io/gpu=2"), Ok(Size { memory_mb: Some(2048), vcores: Some(1), more: gpu }));
        for text in ["", "two GB", "2 GB/x", "2 GB, 3", "9999999999 TB", "2 GB, =3", "-2 GB"] {
            assert!(parse_size(text).is_err(), "{text}");
        }
    }
}
