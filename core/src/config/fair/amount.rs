//! Resources in the allocation file: absolute or in percent of the cluster, in an old and a new style
//! (FairSchedulerConfiguration.parseResourceConfigValue; fair-scheduler.md 4.3).

use crate::config::values::{not_a_number, trim};
use crate::model::limits::RESOURCE_TYPES;
use crate::model::resource::{MEMORY, VCORES};
use crate::model::{Resource, ResourceTypes};

/// The amount of types that the new style does not name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unnamed {
    /// Nothing (minResources).
    Nothing,
    /// No limit; for vcores YARN turns it into −1 (quirk).
    NoLimit,
}

/// A resource of the allocation file.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Amount {
    Absolute(Resource),
    /// A share of the cluster for each type.
    Share([f64; RESOURCE_TYPES]),
}

/// Why an amount cannot be parsed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AmountFault {
    /// YARN's message for the cause, with which its log ends.
    pub cause: String,
    /// The message around it, if there is one.
    pub about: Option<String>,
}

impl From<String> for AmountFault {
    fn from(cause: String) -> Self {
        AmountFault { cause, about: None }
    }
}

impl Amount {
    /// The amount on a cluster of this size.
    #[inline]
    pub fn of(&self, cluster: Resource) -> Resource {
        match self {
            Amount::Absolute(amount) => *amount,
            Amount::Share(shares) => {
                let mut out = Resource::ZERO;
                for (i, share) in shares.iter().enumerate() {
                    out[i] = (cluster[i] as f64 * share) as i64;
                }
                out
            }
        }
    }

    /// The amount, if it is absolute.
    pub fn absolute(self) -> Option<Resource> {
        match self {
            Amount::Absolute(amount) => Some(amount),
            Amount::Share(_) => None,
        }
    }

    /// Parses an amount. Errors: the first part that YARN does not understand.
    pub fn read(text: &str, unnamed: Unnamed, types: &ResourceTypes) -> Result<Self, AmountFault> {
        let text = trim(text);
        if text.is_empty() {
            Err("Error reading resource config--the resource string is empty.".to_string().into())
        } else if text.contains('=') {
            new_style(text, unnamed, types)
        } else if text.contains('%') {
            old_share(&text.to_lowercase()).map_err(AmountFault::from)
        } else {
            old_absolute(text).map_err(AmountFault::from)
        }
    }
}

/// Splits a text as Java's String.split does: empty parts at the end are dropped.
fn split(text: &str, separator: char) -> Vec<&str> {
    let mut parts: Vec<&str> = text.split(separator).collect();
    while parts.last().is_some_and(|part| part.is_empty()) {
        parts.pop();
    }
    parts
}

/// The number at the beginning of a text: its digits before the point with their sign, the whole number, and the rest
/// of the text without leading blanks.
fn number(text: &str) -> Option<(&str, &str, &str)> {
    let text = text.trim_start_matches(is_blank);
    let digits = |from: usize| text[from..].bytes().take_while(u8::is_ascii_digit).count();
    let sign = usize::from(text.starts_with('-'));
    let whole = sign + digits(sign);
    if whole == sign {
        return None;
    }
    let end = if text[whole..].starts_with('.') { whole + 1 + digits(whole + 1) } else { whole };
    Some((&text[..whole], &text[..end], text[end..].trim_start_matches(is_blank)))
}

/// `\s` of a regular expression.
fn is_blank(c: char) -> bool {
    matches!(c, ' ' | '\t' | '\n' | '\u{b}' | '\u{c}' | '\r')
}

fn new_style(text: &str, unnamed: Unnamed, types: &ResourceTypes) -> Result<Amount, AmountFault> {
    let about = |cause: String, about: String| AmountFault { cause, about: Some(about) };
    let percent = text.contains('%');
    let mut shares = [1.0; RESOURCE_TYPES];
    let mut amount = match unnamed {
        Unnamed::Nothing => Resource::ZERO,
        Unnamed::NoLimit => {
            let mut all = super::unlimited();
            all[VCORES] = -1;
            all
        }
    };
    for item in split(text, ',') {
        let [name, value] = split(item, '=')[..] else {
            return Err(AmountFault::from(format!(
                "Error reading resource config--invalid resource definition: {text}. Every resource must be of the form: \
                 name=value."
            )));
        };
        let (name, value) = (trim(name), trim(value));
        let place = types.names().iter().position(|n| n == name);
        if percent {
            let share = percentage(value, "").ok_or_else(|| format!("Invalid percentage of {name}: {value}"));
            let share = share.and_then(|share| share).map_err(|cause| {
                about(
                    cause,
                    format!("\"{value}\" is either not a non-negative number, or does not include a '%' sign."),
                )
            })?;
            let place = place.ok_or_else(|| format!("The requested resource, \"{name}\", could not be found."))?;
            shares[place] = share;
        } else {
            let number: i64 = value.parse().map_err(|_| {
                about(not_a_number(value).message, format!("Resource values must be integers: \"{value}\" is none."))
            })?;
            if number < 0 {
                return Err(format!("Invalid value of {name}: {number}, value should not be negative!").into());
            }
            let place = place.ok_or_else(|| {
                let names = types.names().join(", ");
                about(UNKNOWN_TYPE.into(), format!("\"{name}\" is no resource type here; there are {names}."))
            })?;
            amount[place] = number;
        }
    }
    Ok(if percent { Amount::Share(shares) } else { Amount::Absolute(amount) })
}

/// ResourceNotFoundException: an absolute amount names an unknown resource type.
const UNKNOWN_TYPE: &str = "The resource manager encountered a problem that should not occur under normal circumstances. \
     Please report this error to the Hadoop community by opening a JIRA ticket at http://issues.apache.org/jira and \
     including the following information:";

/// Parses `N%` and what must follow it, with nothing else. `None`: not a percentage. Errors: it is negative.
fn percentage(item: &str, what: &str) -> Option<Result<f64, String>> {
    let (_, all, rest) = number(item)?;
    let rest = rest.strip_prefix('%')?.trim_start_matches(is_blank).strip_prefix(what)?;
    if !rest.trim_start_matches(is_blank).is_empty() {
        return None;
    }
    let share = all.parse::<f64>().ok()? / 100.0;
    Some(if share < 0.0 {
        Err(format!("Invalid percentage: {}, percentage should not be negative!", trim(item)))
    } else {
        Ok(share)
    })
}

fn old_share(text: &str) -> Result<Amount, String> {
    let items = split(text, ',');
    if let [only] = items[..] {
        let share = percentage(only, "").ok_or_else(|| format!("Invalid percentage: {}", trim(only)))??;
        return Ok(Amount::Share([share; RESOURCE_TYPES]));
    }
    let mut shares = [0.0; RESOURCE_TYPES];
    for (place, what) in [(MEMORY, "memory"), (VCORES, "cpu")] {
        let item = items.iter().find(|i| i.contains(what)).ok_or_else(|| format!("Missing resource: {what}"))?;
        shares[place] =
            percentage(item, what).ok_or_else(|| format!("Invalid percentage of {what}: {}", trim(item)))??;
    }
    Ok(Amount::Share(shares))
}

fn old_absolute(text: &str) -> Result<Amount, String> {
    let lower = text.to_lowercase();
    let mut items = split(&lower, ',');
    if items.len() != 2 {
        items = numbers_with_units(&lower);
    }
    if items.len() != 2 {
        return Err(format!("Cannot parse resource values from input: {text}"));
    }
    let mut amount = Resource::ZERO;
    for (place, suffix, what) in [(MEMORY, "mb", "memory"), (VCORES, "vcores", "vcores")] {
        let item = items.iter().find(|i| i.contains(suffix)).ok_or_else(|| format!("Missing resource: {suffix}"))?;
        let found = number(item).filter(|(.., rest)| rest.starts_with(suffix));
        let (whole, ..) = found.ok_or_else(|| format!("Invalid value of {what}: {}", trim(item)))?;
        let number: i32 = whole.parse().map_err(|_| not_a_number(whole).message)?;
        if number < 0 {
            return Err(format!("Invalid value of {what}: {number}, value should not be negative!"));
        }
        amount[place] = i64::from(number);
    }
    Ok(Amount::Absolute(amount))
}

/// Every number that letters follow, with or without blanks between. Other text is ignored.
fn numbers_with_units(text: &str) -> Vec<&str> {
    let mut out = Vec::new();
    let mut at = 0;
    while let Some(found) = text[at..].find(|c: char| c == '-' || c.is_ascii_digit()) {
        let start = at + found;
        let unit = number(&text[start..]).map(|(.., rest)| {
            let letters = rest.bytes().take_while(u8::is_ascii_lowercase).count();
            (letters, text.len() - rest.len() + letters)
        });
        at = match unit {
            Some((letters, end)) if letters > 0 => {
                out.push(&text[start..end]);
                end
            }
            // The next digit, or what follows a lone sign, may begin one.
            _ => start + 1,
        };
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<Resource, AmountFault> {
        let types = ResourceTypes::default();
        Amount::read(text, Unnamed::NoLimit, &types).map(|a| a.of(Resource::new(10240, 4)))
    }

    #[test]
    fn all_styles() {
        for text in ["5120 mb, 2 vcores", "2vcores,5120mb", "5120 Mb 2 vCores", "5120.7mb,2vcores", "50%"] {
            assert_eq!(read(text), Ok(Resource::new(5120, 2)), "{text}");
        }
        assert_eq!(read("10.9% memory, 50.6% cpu"), Ok(Resource::new(1116, 2)));
        assert_eq!(read("vcores=75%"), Ok(Resource([10240, 3, 0, 0, 0, 0, 0, 0])));
        assert_eq!(read("memory-mb=1024").map(|r| r.vcores()), Ok(-1));
        for text in ["1024", "1024mb", "95%, 50% memory", "-1mb,1vcores", "gpu=1", "memory-mb=1,vcores=2%", ""] {
            assert!(read(text).is_err(), "{text}");
        }
    }
}
