//! Numbers and names as a person reads them: `16 GB`, `1.5 GB`, `42 s`, `0:09`.

use super::view::Amount;
use heddle_core::model::{Calculator, CalculatorKind, Millis, Resource, ResourceTypes};

/// The amount, in MiB or vcores, from which on it stands for "no limit" (`Resources.unbounded`).
const UNLIMITED: i64 = i32::MAX as i64;

/// Returns an amount of memory: `16 GB`, `1.5 GB`, `512 MB`; exact, so `1392 MB` stays.
pub fn memory(mib: i64) -> String {
    if mib >= UNLIMITED << 20 {
        return "unlimited memory".to_string();
    }
    let sign = if mib < 0 { "−" } else { "" };
    let n = u128::from(mib.unsigned_abs());
    if n >= 1024 && (n * 100).is_multiple_of(1024) {
        let hundredths = n * 100 / 1024;
        return format!("{sign}{} GB", decimals(hundredths));
    }
    if n >= 100 * 1024 {
        return format!("{sign}{} GB", decimals((n * 10 + 512) / 1024 * 10));
    }
    format!("{sign}{n} MB")
}

fn decimals(hundredths: u128) -> String {
    let fraction = format!("{:02}", hundredths % 100);
    let fraction = fraction.trim_end_matches('0');
    let dot = if fraction.is_empty() { "" } else { "." };
    format!("{}{dot}{fraction}", hundredths / 100)
}

/// Returns an amount of memory to the MiB.
pub fn exactly(mib: i64) -> String {
    format!("{mib} MB")
}

/// Returns a number of vcores: `1 vcore`, `4 vcores`.
pub fn vcores(n: i64) -> String {
    if n >= UNLIMITED { "unlimited vcores".to_string() } else { count(n, "vcore") }
}

/// Returns a number of things: `1 node`, `3 nodes`.
pub fn count(n: i64, what: &str) -> String {
    if n == 1 { format!("1 {what}") } else { format!("{} {what}s", minus(n)) }
}

/// Returns an amount of all types: `16 GB · 4 vcores · 2 gpu`.
pub fn size(r: Resource, types: &ResourceTypes) -> String {
    size_for(r, Resource::ZERO, types)
}

/// Like [`size`], but also names the further types that `need` has, even if the amount has none: those decide then.
fn size_for(r: Resource, need: Resource, types: &ResourceTypes) -> String {
    let mut parts = vec![memory(r.memory_mb()), vcores(r.vcores())];
    for (i, (name, amount)) in types.names().iter().zip(r.0).enumerate().skip(2) {
        if amount != 0 || need[i] != 0 {
            parts.push(format!("{amount} {}", short_type(name)));
        }
    }
    parts.join(" · ")
}

/// Returns the types of an amount that the calculator counts: memory, and the others only with the DominantResourceCalculator.
pub fn counted(r: Resource, calc: Calculator, types: &ResourceTypes) -> String {
    counted_for(r, Resource::ZERO, calc, types)
}

/// Like [`counted`], but names every type that `need` has, even if the amount has none.
pub fn counted_for(r: Resource, need: Resource, calc: Calculator, types: &ResourceTypes) -> String {
    match calc.kind {
        CalculatorKind::Default => memory(r.memory_mb()),
        CalculatorKind::Dominant => size_for(r, need, types),
    }
}

/// Returns one type of an amount: `16 GB`, `4 vcores`, `2 gpu`.
pub fn one(r: Resource, place: usize, types: &ResourceTypes) -> String {
    match place {
        0 => memory(r.memory_mb()),
        1 => vcores(r.vcores()),
        _ => format!("{} {}", r[place], types.names().get(place).map_or("", |n| short_type(n))),
    }
}

/// Returns a type's name: "memory", "vcores", "gpu".
pub fn type_name(place: usize, types: &ResourceTypes) -> &str {
    match place {
        0 => "memory",
        1 => "vcores",
        _ => types.names().get(place).map_or("", |n| short_type(n)),
    }
}

/// Returns some types of an amount: `4 vcores · 2 gpu`.
pub fn those(r: Resource, places: &[usize], types: &ResourceTypes) -> String {
    places.iter().map(|place| one(r, *place, types)).collect::<Vec<_>>().join(" · ")
}

/// Returns the last part of a type's name: `gpu` for `yarn.io/gpu`.
pub fn short_type(name: &str) -> &str {
    name.rsplit('/').next().unwrap_or(name)
}

/// Returns the number of one type without its unit, in the unit of meters: memory in GB.
pub fn meter(amount: i64, place: usize) -> f64 {
    if place == 0 { amount as f64 / 1024.0 } else { amount as f64 }
}

/// Returns the unit of [`meter`].
pub fn unit(place: usize, types: &ResourceTypes) -> String {
    match place {
        0 => "GB".to_string(),
        1 => "vcores".to_string(),
        _ => types.names().get(place).map_or(String::new(), |n| short_type(n).to_string()),
    }
}

/// Returns the number of one type in the unit of [`meter`], as text: `1.5`; not exact for odd amounts of memory.
pub fn bare(amount: i64, place: usize) -> String {
    match place {
        0 if amount >= UNLIMITED << 20 => return "unlimited".to_string(),
        0 => {}
        _ if amount >= UNLIMITED => return "unlimited".to_string(),
        _ => return minus(amount),
    }
    let sign = if amount < 0 { "−" } else { "" };
    let hundredths = (u128::from(amount.unsigned_abs()) * 100 + 512) / 1024;
    format!("{sign}{}", decimals(hundredths))
}

/// Returns a whole number with a true minus sign.
pub fn minus(n: i64) -> String {
    if n < 0 { format!("−{}", n.unsigned_abs()) } else { n.to_string() }
}

/// Returns a stretch of time: `0.125 s`, `4.8 s`, `42 s`, `3 min 27 s`, `2 h 5 min`; tenths only from one second to ten.
pub fn span(ms: Millis) -> String {
    let ms = match ms.max(0) {
        ms @ 1000..10_000 => ms / 100 * 100,
        ms => ms,
    };
    if ms < 10_000 && ms % 1000 != 0 {
        let text = format!("{:.3}", ms as f64 / 1000.0);
        return format!("{} s", text.trim_end_matches('0').trim_end_matches('.'));
    }
    let s = ms / 1000;
    match s {
        0..60 => format!("{s} s"),
        60..3600 if s % 60 == 0 => format!("{} min", s / 60),
        60..3600 => format!("{} min {} s", s / 60, s % 60),
        _ if s / 60 % 60 == 0 => format!("{} h", s / 3600),
        _ => format!("{} h {} min", s / 3600, s / 60 % 60),
    }
}

/// Returns a moment: `0:09`, `0:05.3`, `1:02:03`, `2d 03:14:00`.
pub fn clock(ms: Millis) -> String {
    let s = ms.max(0) / 1000;
    let fraction = if ms % 1000 == 0 {
        String::new()
    } else {
        format!(".{:03}", ms.max(0) % 1000).trim_end_matches('0').to_string()
    };
    let (d, h, m, s) = (s / 86_400, s / 3600 % 24, s / 60 % 60, s % 60);
    match (d, h) {
        (0, 0) => format!("{m}:{s:02}{fraction}"),
        (0, _) => format!("{h}:{m:02}:{s:02}{fraction}"),
        _ => format!("{d}d {h:02}:{m:02}:{s:02}{fraction}"),
    }
}

/// Returns a list: `a`, `a and b`, `a, b and c`; after `most`, `… and 4 more`.
pub fn list<S: AsRef<str>>(items: &[S], most: usize) -> String {
    let shown: Vec<&str> = items.iter().take(most).map(AsRef::as_ref).collect();
    let left = items.len() - shown.len();
    match (shown.as_slice(), left) {
        ([], _) => String::new(),
        (shown, left) if left > 0 => format!("{} and {left} more", shown.join(", ")),
        ([one], _) => (*one).to_string(),
        ([first @ .., last], _) => format!("{} and {last}", first.join(", ")),
    }
}

/// Returns each name between the marks of bold words.
pub fn bold(names: &[&str]) -> Vec<String> {
    names.iter().map(|n| format!("**{n}**")).collect()
}

/// Returns a text without the marks of bold words.
pub fn plain(text: &str) -> String {
    text.replace("**", "")
}

/// Returns an amount for the page.
pub fn amount(r: Resource, types: &ResourceTypes) -> Amount {
    let more = types.names().iter().zip(r.0).skip(2).filter(|(_, v)| *v != 0);
    Amount { memory_mb: r.memory_mb(), vcores: r.vcores(), more: more.map(|(name, v)| (name.clone(), v)).collect() }
}

/// Returns a fair share: memory alone if nothing else was divided.
pub fn fair_share(r: Resource, types: &ResourceTypes) -> String {
    if r.vcores() == 0 { memory(r.memory_mb()) } else { size(r, types) }
}

/// Returns a share: `40 %`, `0.5 %`.
pub fn percent(share: f64) -> String {
    let text = format!("{:.2}", share * 100.0);
    format!("{} %", text.trim_end_matches('0').trim_end_matches('.'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn memory_is_exact_and_short() {
        for (mib, text) in [
            (0, "0 MB"),
            (512, "512 MB"),
            (1024, "1 GB"),
            (1536, "1.5 GB"),
            (1392, "1392 MB"),
            (16384, "16 GB"),
            (-2048, "−2 GB"),
            (120_001, "117.2 GB"),
            (i64::MAX, "unlimited memory"),
        ] {
            assert_eq!(memory(mib), text);
        }
    }

    #[test]
    fn times_read_as_people_say_them() {
        assert_eq!(span(300), "0.3 s");
        assert_eq!(span(4844), "4.8 s");
        assert_eq!(span(42_000), "42 s");
        assert_eq!(span(42_250), "42 s");
        assert_eq!(span(207_000), "3 min 27 s");
        assert_eq!(span(7_500_000), "2 h 5 min");
        assert_eq!(clock(9_000), "0:09");
        assert_eq!(clock(5_300), "0:05.3");
        assert_eq!(clock(3_723_000), "1:02:03");
    }

    #[test]
    fn lists_end_with_and() {
        assert_eq!(list(&["a"], 3), "a");
        assert_eq!(list(&["a", "b"], 3), "a and b");
        assert_eq!(list(&["a", "b", "c"], 3), "a, b and c");
        assert_eq!(list(&["a", "b", "c", "d"], 2), "a, b and 2 more");
    }
}
