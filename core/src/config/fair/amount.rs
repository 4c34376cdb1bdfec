//! Resources in the allocation file: absolute or in percent of the cluster, in an old and a new style
//! (FairSchedulerConfiguration.parseResourceConfigValue; fair-scheduler.md 4.3).

use crate::config::values::trim;
use crate::model::limits::RESOURCE_TYPES;
use crate::model::resource::{MEMORY, VCORES};
use crate::model::{Resource, ResourceTypes};

/// What the new style gives to types that are not named.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unnamed {
    /// Nothing (minResources).
    Nothing,
    /// No limit; for vcores YARN makes −1 of it (quirk).
    NoLimit,
}

/// A resource of the allocation file.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Amount {
    Absolute(Resource),
    /// A share of the cluster for each type.
    Share([f64; RESOURCE_TYPES]),
}

impl Amount {
    /// What it is on a cluster of this size.
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

    /// Reads one. Errors: YARN's words.
    pub fn read(text: &str, unnamed: Unnamed, types: &ResourceTypes) -> Result<Self, String> {
        let text = trim(text);
        let read = if text.contains('=') {
            new_style(text, unnamed, types)
        } else if text.contains('%') {
            old_share(text)
        } else {
            old_absolute(text)
        };
        read.map_err(|why| format!("Error reading resource config--invalid resource definition: {text}. {why}"))
    }
}

fn new_style(text: &str, unnamed: Unnamed, types: &ResourceTypes) -> Result<Amount, String> {
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
    for item in text.split(',') {
        let (name, value) = item.split_once('=').ok_or("Each resource should be given as name=value.")?;
        let (name, value) = (trim(name), trim(value));
        let place = types.names().iter().position(|n| n == name);
        let place = place.ok_or_else(|| format!("Unknown resource: {name}."))?;
        if percent {
            let number = value.strip_suffix('%').map(trim).and_then(|v| v.parse::<f64>().ok());
            let number = number.filter(|n| *n >= 0.0 && n.is_finite());
            shares[place] = number.ok_or_else(|| {
                format!("\"{value}\" of {name} is either not a non-negative number, or does not include a '%' sign.")
            })? / 100.0;
        } else {
            let number = value.parse::<i64>().ok().filter(|n| *n >= 0);
            let what = if place == MEMORY { "memory" } else { name };
            amount[place] = number.ok_or_else(|| format!("Invalid value of {what}: {value}."))?;
        }
    }
    Ok(if percent { Amount::Share(shares) } else { Amount::Absolute(amount) })
}

fn old_share(text: &str) -> Result<Amount, String> {
    let number = |item: &str, what: &str| -> Result<f64, String> {
        let digits = trim(item.split('%').next().unwrap_or(""));
        let number: f64 = digits.parse().map_err(|_| format!("Invalid percentage of {what}: {item}."))?;
        if item.matches('%').count() != 1 {
            return Err(format!("Invalid percentage of {what}: {item}."));
        }
        if number < 0.0 {
            return Err(format!("Invalid percentage of {what}: {item}, percentage should not be negative."));
        }
        Ok(number / 100.0)
    };
    let items: Vec<&str> = text.split(',').map(trim).collect();
    if let [only] = items.as_slice() {
        return Ok(Amount::Share([number(only, "the resources")?; RESOURCE_TYPES]));
    }
    let mut shares = [0.0; RESOURCE_TYPES];
    for (place, what) in [(MEMORY, "memory"), (VCORES, "cpu")] {
        let item = items.iter().find(|i| i.to_lowercase().contains(what) && i.contains('%'));
        shares[place] = number(item.ok_or_else(|| format!("Missing resource: {what}"))?, what)?;
    }
    Ok(Amount::Share(shares))
}

fn old_absolute(text: &str) -> Result<Amount, String> {
    let lower = text.to_lowercase();
    let unit = |word: &str| word.ends_with("mb") || word.ends_with("vcores");
    let mut items: Vec<String> = Vec::new();
    if lower.contains(',') {
        items.extend(lower.split(',').map(|i| trim(i).to_string()));
    } else {
        // Numbers and units, which may be apart.
        let mut item = String::new();
        for word in lower.split_ascii_whitespace() {
            item.push_str(word);
            if unit(word) {
                items.push(std::mem::take(&mut item));
            }
        }
        if !item.is_empty() {
            items.push(item);
        }
    }
    if items.len() != 2 {
        return Err(format!("Cannot parse resource values from input: {text}"));
    }
    let mut amount = Resource::ZERO;
    for (place, suffix, what) in [(MEMORY, "mb", "memory"), (VCORES, "vcores", "vcores")] {
        let item = items.iter().find(|i| i.contains(suffix)).ok_or_else(|| format!("Missing resource: {suffix}"))?;
        let digits = trim(item.split(suffix).next().unwrap_or(""));
        let number = digits.parse::<f64>().ok().filter(|n| *n >= 0.0 && n.is_finite());
        amount[place] = number.ok_or_else(|| format!("Invalid value of {what}: {item}."))? as i64;
    }
    Ok(Amount::Absolute(amount))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<Resource, String> {
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
