//! Capacity texts: the vectors of the newer queue mode, and the three forms of the legacy mode (formats.md 2.2;
//! QueueCapacityConfigParser, CapacitySchedulerConfiguration of Hadoop 3.5.0).

use super::{Capacity, Maximum};
use crate::api::{Refusal, SettingsRule};
use crate::config::units;
use crate::config::values::{not_a_number, parse_float, trim};
use crate::model::java::float_text;
use crate::model::limits::RESOURCE_TYPES;
use crate::model::{Resource, ResourceTypes};

/// The unit of a number in a vector.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unit {
    /// `%`: percent of what the parent has left.
    Percent,
    /// No suffix: an amount.
    Absolute,
    /// `w`: a weight among the siblings.
    Weight,
}

impl Unit {
    /// The suffix behind the number.
    pub fn suffix(self) -> &'static str {
        match self {
            Unit::Percent => "%",
            Unit::Absolute => "",
            Unit::Weight => "w",
        }
    }
}

/// One number of a vector.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Share {
    pub value: f64,
    pub unit: Unit,
}

/// A capacity as a vector: a number with its unit per resource type. Empty: nothing is computed.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct CapacityVector {
    shares: [Option<Share>; RESOURCE_TYPES],
    unknown: Vec<(String, Share)>,
}

impl CapacityVector {
    /// The same share of every type.
    pub fn uniform(value: f64, unit: Unit, types: &ResourceTypes) -> Self {
        let mut vector = CapacityVector::default();
        for share in vector.shares.iter_mut().take(types.len()) {
            *share = Some(Share { value, unit });
        }
        vector
    }

    /// Returns whether it is empty.
    pub fn is_empty(&self) -> bool {
        self.shares.iter().all(Option::is_none) && self.unknown.is_empty()
    }

    /// The share of the type at this place of [`ResourceTypes`].
    pub fn share(&self, place: usize) -> Option<Share> {
        self.shares.get(place).copied().flatten()
    }

    /// Names that are not resource types of the cluster, with their shares.
    pub fn unknown(&self) -> &[(String, Share)] {
        &self.unknown
    }

    /// The unit if all its types have the same one; `None` when empty or mixed.
    pub fn sole_unit(&self) -> Option<Unit> {
        let mut units = self.shares.iter().flatten().map(|s| s.unit).chain(self.unknown.iter().map(|(_, s)| s.unit));
        let first = units.next()?;
        units.all(|u| u == first).then_some(first)
    }

    /// The weight if every type has the same one.
    pub fn uniform_weight(&self) -> Option<f32> {
        if self.sole_unit() != Some(Unit::Weight) {
            return None;
        }
        let mut values = self.shares.iter().flatten().chain(self.unknown.iter().map(|(_, s)| s)).map(|s| s.value);
        let first = values.next()?;
        values.all(|v| v == first).then_some(first as f32)
    }

    /// Parses a capacity in the newer queue mode. `root` is always 100 %. Errors: a number that Java cannot parse.
    pub fn parse(text: Option<&str>, is_root: bool, types: &ResourceTypes) -> Result<Self, Refusal> {
        if is_root {
            return Ok(CapacityVector::uniform(100.0, Unit::Percent, types));
        }
        let Some(text) = text else { return Ok(CapacityVector::default()) };
        let text = text.replace(' ', "");
        if is_vector_form(&text) {
            return Self::parse_pairs(&text[1..text.len() - 1], types);
        }
        let digits = text.bytes().take_while(|b| is_number_char(*b)).count();
        if digits == 0 {
            return Ok(CapacityVector::default());
        }
        let unit = match &text[digits..] {
            "" => Unit::Percent,
            "w" => Unit::Weight,
            _ => return Ok(CapacityVector::default()),
        };
        Ok(CapacityVector::uniform(f64::from(parse_float(&text[..digits])?), unit, types))
    }

    fn parse_pairs(text: &str, types: &ResourceTypes) -> Result<Self, Refusal> {
        let mut vector = CapacityVector::uniform(0.0, Unit::Absolute, types);
        for pair in text.split(',') {
            let mut parts = pair.split('=');
            let (Some(name), Some(value)) = (parts.next(), parts.next().filter(|v| !v.is_empty())) else { continue };
            let suffix: String = value.chars().filter(|c| !c.is_ascii_digit() && *c != '.').collect();
            let Some(number) = value.strip_suffix(&suffix) else { continue };
            let number = parse_float(number)?;
            let share = if !suffix.is_empty() && units::is_known(&suffix) {
                let amount = units::convert(number as i64, &suffix, "Mi")?;
                Share { value: f64::from(amount as f32), unit: Unit::Absolute }
            } else {
                let unit = match suffix.as_str() {
                    "%" => Unit::Percent,
                    "w" => Unit::Weight,
                    _ => Unit::Absolute,
                };
                Share { value: f64::from(number), unit }
            };
            match types.place(name) {
                Some(place) => vector.shares[place] = Some(share),
                None => vector.unknown.push((name.to_string(), share)),
            }
        }
        Ok(vector)
    }

    /// `[memory-mb=12.5%,vcores=12.5%]`, as the ResourceManager prints it.
    pub fn text(&self, types: &ResourceTypes) -> String {
        let number = |s: &Share| format!("{}{}", float_text(s.value as f32), s.unit.suffix());
        let known =
            types.names().iter().zip(&self.shares).filter_map(|(n, s)| Some(format!("{n}={}", number(s.as_ref()?))));
        let unknown = self.unknown.iter().map(|(n, s)| format!("{n}={}", number(s)));
        format!("[{}]", known.chain(unknown).collect::<Vec<_>>().join(","))
    }
}

fn is_number_char(b: u8) -> bool {
    b.is_ascii_digit() || b == b'.'
}

fn in_brackets(text: &str) -> Option<&str> {
    text.strip_prefix('[')?.strip_suffix(']')
}

/// Returns whether a text has the form `[name=value,…]` in the characters of the newer mode, apart from blanks.
pub(super) fn is_vector_form(text: &str) -> bool {
    let text = text.replace(' ', "");
    let Some(inner) = in_brackets(&text) else { return false };
    let allowed = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '.' | ',' | '-' | '%' | '/' | '=');
    // One or more groups of text, `=`, text: no `=` at either end, and at least one character between two.
    inner.chars().all(allowed) && inner.contains('=') && groups_fit(inner)
}

/// Returns whether the text can be split into groups of `x=y` with both sides not empty. Between two `=` one character
/// must end a group and another begin the next.
fn groups_fit(inner: &str) -> bool {
    let parts: Vec<&str> = inner.split('=').collect();
    parts.iter().enumerate().all(|(i, part)| {
        let needed = if i == 0 || i + 1 == parts.len() { 1 } else { 2 };
        part.len() >= needed
    })
}

/// Returns whether the legacy mode recognises the whole text `[…]` as an absolute capacity.
pub(super) fn is_absolute_form(text: &str) -> bool {
    let text = text.strip_suffix('\n').unwrap_or(text);
    in_brackets(text).is_some_and(|inner| {
        !inner.is_empty()
            && inner.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '_' | '.' | ',' | '-' | '=' | ' ' | '/'))
    })
}

/// The amounts of an absolute capacity in legacy mode; unknown names and units are ignored. All 0 if memory is 0 or
/// missing. Errors: an invalid number.
pub(super) fn absolute_amounts(text: &str, types: &ResourceTypes) -> Result<Resource, Refusal> {
    let mut amounts = Resource::ZERO;
    let Some(inner) = in_brackets(text.strip_suffix('\n').unwrap_or(text)) else { return Ok(amounts) };
    for pair in trim(inner).split(',') {
        // Java's split drops empty parts at the end.
        let mut parts = pair.trim_end_matches('=').split('=');
        let (Some(name), Some(value)) = (parts.next(), parts.next()) else { continue };
        let name = trim(name);
        let Some(place) = types.place(name) else { continue };
        let unit = unit_at_end(value);
        if !units::is_known(unit) {
            continue;
        }
        let number = &value[..value.len() - unit.len()];
        let mut amount: i64 = number.parse().map_err(|_| not_a_number(number))?;
        if !unit.is_empty() {
            amount = units::convert(amount, unit, "Mi")?;
        }
        amounts[place] = if name == "vcores" { i64::from(amount as i32) } else { amount };
    }
    Ok(if amounts.memory_mb() == 0 { Resource::ZERO } else { amounts })
}

/// The letters at the end of a value, if there are only letters from the first one on.
fn unit_at_end(value: &str) -> &str {
    let mut from = None;
    for (i, c) in value.char_indices() {
        if c.is_alphabetic() {
            from.get_or_insert(i);
        } else {
            from = None;
        }
    }
    from.map_or("", |i| &value[i..])
}

/// A weight at the end of a text: the text before the first `w`.
fn weight(text: &str) -> Result<Option<f32>, Refusal> {
    if !text.ends_with('w') {
        return Ok(None);
    }
    parse_float(text.split('w').next().unwrap_or("")).map(Some)
}

/// Returns whether it is not a plain number.
pub(super) fn is_no_number(text: &str) -> bool {
    is_absolute_form(text) || text.ends_with('w') || is_vector_form(text)
}

/// Parses `<q>.capacity` (label `""`) or a label's capacity in legacy mode. Errors: not a number, out of range.
pub(super) fn legacy_capacity(
    text: Option<&str>,
    queue: &str,
    label: &str,
    types: &ResourceTypes,
) -> Result<Capacity, Refusal> {
    if queue == super::ROOT {
        // It has no effect, but is parsed all the same if it is an amount or a weight.
        let Some(text) = text else { return Ok(Capacity::Percent(100.0)) };
        if is_absolute_form(text) {
            absolute_amounts(text, types)?;
        }
        if let Some(weight) = weight(text)? {
            checked_weight(weight, queue, label)?;
        }
        return Ok(Capacity::Percent(100.0));
    }
    let Some(text) = text else { return Ok(Capacity::Percent(0.0)) };
    if is_absolute_form(text) {
        return absolute_amounts(text, types).map(Capacity::Absolute);
    }
    if let Some(weight) = weight(text)? {
        checked_weight(weight, queue, label)?;
        return Ok(if weight < 0.0 { Capacity::Percent(0.0) } else { Capacity::Weight(weight) });
    }
    if is_vector_form(text) {
        return Ok(Capacity::Percent(0.0));
    }
    let percent = parse_float(text)?;
    if !(0.0..=100.0).contains(&percent) && !percent.is_nan() {
        return Err(out_of_range(percent, queue, label));
    }
    Ok(Capacity::Percent(percent))
}

/// Checks the range of a weight. −1 means none. Errors: out of range.
fn checked_weight(weight: f32, queue: &str, label: &str) -> Result<(), Refusal> {
    let unset = (f64::from(weight) + 1.0).abs() <= 1e-6;
    let too_small = f64::from(weight) < -1e-6 && !unset;
    if weight.is_nan() || (!too_small && weight <= 10000.0) {
        return Ok(());
    }
    let words = format!(
        "Illegal weight={} for queue={queue}label={label}. Acceptable values: [0, 10000], -1 is same as not set",
        float_text(weight)
    );
    Err(Refusal::of(SettingsRule::Weight, words))
}

fn out_of_range(percent: f32, queue: &str, label: &str) -> Refusal {
    let percent = float_text(percent);
    if label.is_empty() {
        let words = format!("Illegal capacity of {percent} for queue {queue}");
        return Refusal::of(SettingsRule::Capacity, words);
    }
    let words = format!(
        "Illegal capacity of {percent} for node-label={label} in queue={queue}, valid capacity should in range of [0, 100]."
    );
    Refusal::of(SettingsRule::LabelCapacity, words)
}

/// Parses a maximum capacity in legacy mode. Errors: not a number; out of range for a label (the default partition's is
/// not checked).
pub(super) fn legacy_maximum(
    text: Option<&str>,
    queue: &str,
    label: &str,
    types: &ResourceTypes,
) -> Result<Maximum, Refusal> {
    let Some(text) = text else { return Ok(Maximum::Percent(100.0)) };
    if is_absolute_form(text) {
        return absolute_amounts(text, types).map(Maximum::Absolute);
    }
    if is_vector_form(text) || (!label.is_empty() && (text.ends_with('w') || queue == super::ROOT)) {
        return Ok(Maximum::Percent(100.0));
    }
    let percent = parse_float(text)?;
    if label.is_empty() {
        return Ok(Maximum::Percent(if percent == -1.0 { 100.0 } else { percent }));
    }
    if !(0.0..=100.0).contains(&percent) && !percent.is_nan() {
        return Err(out_of_range(percent, queue, label));
    }
    Ok(Maximum::Percent(percent))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn types() -> ResourceTypes {
        ResourceTypes::with(["yarn.io/gpu"]).unwrap()
    }

    fn vector(text: &str) -> String {
        CapacityVector::parse(Some(text), false, &types()).unwrap().text(&types())
    }

    #[test]
    fn a_vector_prints_as_the_rm_prints_it() {
        for (text, printed) in [
            (" 40.5 ", "[memory-mb=40.5%,vcores=40.5%,yarn.io/gpu=40.5%]"),
            ("3w", "[memory-mb=3.0w,vcores=3.0w,yarn.io/gpu=3.0w]"),
            ("[memory=10.5Gi, vcores=25%]", "[memory-mb=10240.0,vcores=25.0%,yarn.io/gpu=0.0]"),
            ("[foo=3,memory=5]", "[memory-mb=5.0,vcores=0.0,yarn.io/gpu=0.0,foo=3.0]"),
            ("[memory=-5]", "[memory-mb=0.0,vcores=0.0,yarn.io/gpu=0.0]"),
            ("40%", "[]"),
            ("1E-4", "[]"),
            ("[]", "[]"),
            ("[invalid]", "[]"),
        ] {
            assert_eq!(vector(text), printed, "{text}");
        }
    }

    #[test]
    fn a_legacy_capacity_is_percent_weight_or_absolute() {
        let read = |text| legacy_capacity(Some(text), "root.a", "", &types());
        assert_eq!(read(" 40.5 "), Ok(Capacity::Percent(40.5)));
        assert_eq!(read("3 w"), Ok(Capacity::Weight(3.0)));
        assert_eq!(read("-1w"), Ok(Capacity::Percent(0.0)));
        assert_eq!(read("[memory=10Gi,vcores=4]"), Ok(Capacity::Absolute(Resource::new(10240, 4))));
        assert_eq!(read("[memory=10240,vcores=1w]"), Ok(Capacity::Absolute(Resource::new(10240, 0))));
        assert_eq!(read("[vcores=4]"), Ok(Capacity::Absolute(Resource::ZERO)));
        assert_eq!(read("[memory-mb=1024,vcores=1]"), Ok(Capacity::Absolute(Resource::new(1024, 1))));
        assert_eq!(read("[memory-mb=1Gi,vcores=1]"), Ok(Capacity::Absolute(Resource::new(1024, 1))));
        assert_eq!(read("[memory=50%,vcores=30%]"), Ok(Capacity::Percent(0.0)));
        assert!(read("40%").is_err() && read(" 3w ").is_err() && read("[memory= 10Gi]").is_err());
        assert_eq!(read("110").unwrap_err().message, "Illegal capacity of 110.0 for queue root.a");
        for (text, fine) in [("3w", true), ("20000w", false), ("-2w", false), ("150", true), ("-1w", true)] {
            let root = legacy_capacity(Some(text), "root", "", &types());
            assert_eq!(root.is_ok_and(|capacity| capacity == Capacity::Percent(100.0)), fine, "{text}");
        }
    }
}
