//! Resource amounts as text: `key=amount` lists, names of resource types, and the cluster's types and allocation bounds
//! in yarn-site.xml and resource-types.xml (formats.md 2.6; ResourceUtils of Hadoop 3.5.0).

use super::units;
use super::values::{Conf, not_a_number, trim};
use crate::api::Refusal;
use crate::config::properties::Key;
use crate::model::java::set_walk;
use crate::model::{Resource, ResourceTypes};
use indexmap::IndexMap;

/// Parses `memory-mb=4096,vcores=2` (units `M`, `G`, or none). Errors: Hadoop's messages for a bad pair or unit. Plain
/// `memory` counts bytes, `memory-mb` MiB. Empty pairs at the end are ignored, as in Java's `split`.
pub fn parse_pairs(text: &str) -> Result<IndexMap<String, i64>, Refusal> {
    let mut out = IndexMap::new();
    let text = trim(text);
    let end = text.trim_end_matches(',');
    for pair in end.split(',').filter(|pair| !(pair.is_empty() && end.is_empty() && !text.is_empty())) {
        let pair = trim(pair);
        let (key, value) = pair.split_once('=').filter(|(k, v)| !k.is_empty() && is_amount(v)).ok_or_else(|| {
            Refusal::new(format!(
                "\"{pair}\" is not a valid resource type/amount pair. Please provide key=amount pairs separated by commas."
            ))
        })?;
        let (number, unit) = split_unit(value)?;
        let number = trim(number);
        let mut amount: i64 = number.parse().map_err(|_| not_a_number(number))?;
        let unit = match unit {
            "M" | "m" => "Mi",
            "G" | "g" => "Gi",
            "" => "",
            _ => return Err(Refusal::new("Acceptable units are M/G or empty")),
        };
        let name = match key {
            "memory" => {
                amount = units::convert(amount, unit, "Mi")?;
                "memory-mb"
            }
            "memory-mb" if !unit.is_empty() => {
                amount = units::convert(amount, unit, "Mi")?;
                key
            }
            "gpu" => "yarn.io/gpu",
            "fpga" => "yarn.io/fpga",
            _ => key,
        };
        out.insert(name.to_string(), amount);
    }
    Ok(out)
}

/// Returns whether a value is digits, at most one blank, then word characters.
fn is_amount(value: &str) -> bool {
    let digits = value.bytes().take_while(u8::is_ascii_digit).count();
    let rest = &value[digits..];
    let rest = rest.strip_prefix(|c: char| c.is_ascii_whitespace()).unwrap_or(rest);
    digits > 0 && rest.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
}

/// Splits number and unit: the unit starts at the first letter. Errors: a unit that is not all letters.
fn split_unit(value: &str) -> Result<(&str, &str), Refusal> {
    let at = value.find(char::is_alphabetic).unwrap_or(value.len());
    let (number, unit) = value.split_at(at);
    if unit.chars().all(char::is_alphabetic) {
        Ok((number, unit))
    } else {
        Err(Refusal::new(format!("Units '{unit}' contains non alphabet characters, which is not allowed.")))
    }
}

/// Parses a list into a resource, like [`parse_pairs`]; types that are not named are 0, and vcores are truncated to 32
/// bits. Errors: also an unknown type; of several the first one in the iteration order of Java's hash map.
pub fn parse_resource(text: &str, types: &ResourceTypes) -> Result<Resource, Refusal> {
    let pairs = parse_pairs(text)?;
    let names: Vec<&str> = pairs.keys().map(String::as_str).collect();
    let place = |name: &str| types.names().iter().position(|n| n == name);
    if let Some(name) = set_walk(&names).into_iter().find(|name| place(name).is_none()) {
        return Err(Refusal::new(format!("Unknown resource: {name}")));
    }
    let mut resource = Resource::ZERO;
    for (name, amount) in pairs {
        if let Some(place) = place(&name) {
            resource[place] = amount;
        }
    }
    Ok(resource.with_vcores_as_int())
}

/// Returns whether a resource type may have this name.
pub fn is_type_name(name: &str) -> bool {
    let (space, own) = match name.split_once('/') {
        Some((space, own)) => (Some(space), own),
        None => (None, name),
    };
    let group = |g: &str| {
        !g.is_empty()
            && g.chars().all(|c| c.is_ascii_alphanumeric() || c == '-')
            && !g.starts_with('-')
            && !g.ends_with('-')
    };
    space.is_none_or(|s| s.split('.').all(group))
        && own.starts_with(|c: char| c.is_ascii_alphabetic())
        && own.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '_' | '.' | '-'))
}

/// The types, minimum and maximum allocation of a cluster.
#[derive(Clone, Debug, PartialEq)]
pub struct Allocations {
    pub types: ResourceTypes,
    pub minimum: Resource,
    pub maximum: Resource,
}

/// The property that names the further resource types.
pub const TYPES: &str = "yarn.resource-types";
/// The CapacityScheduler's property for its resource calculator, and the value that it needs to start if types besides
/// memory and vcores are listed.
pub const CALCULATOR: &str = "yarn.scheduler.capacity.resource-calculator";
pub const DOMINANT: &str = "org.apache.hadoop.yarn.util.resource.DominantResourceCalculator";
/// The value that counts memory alone, which is the default.
pub const DEFAULT: &str = "org.apache.hadoop.yarn.util.resource.DefaultResourceCalculator";

/// The cluster's resource types. Errors: Hadoop's messages for an invalid or repeated name.
pub fn types(conf: &Conf) -> Result<ResourceTypes, Refusal> {
    let named = conf.text(TYPES)?.unwrap_or_default();
    let mut names: Vec<&str> = Vec::new();
    for name in trim(&named).split([',', '\n']).map(str::trim).filter(|n| !n.is_empty()) {
        if names.contains(&name) {
            return Err(Refusal::new(format!("Error in config, key '{name}' specified twice")));
        }
        if !is_type_name(name) {
            return Err(Refusal::new(format!(
                "'{name}' is not a valid resource name. A valid resource name must begin with a letter and contain only letters, numbers, and any of: '.', '_', or '-'. A valid resource name may also be optionally preceded by a name space followed by a slash. A valid name space consists of period-separated groups of letters, numbers, and dashes."
            )));
        }
        if matches!(name, "memory" | "memory-mb" | "vcores") {
            return Err(Refusal::new(format!("Attempt to re-define mandatory resource '{name}'.")));
        }
        names.push(name);
    }
    ResourceTypes::with(names).map_err(|name| {
        Refusal::new(format!("More resource types than this simulation has room for: {name} is one too many"))
    })
}

/// The cluster's types and allocation bounds. Errors: Hadoop's messages.
pub fn allocations(conf: &Conf) -> Result<Allocations, Refusal> {
    let types = types(conf)?;
    let (mut minimum, mut maximum) = (Resource::ZERO, Resource::ZERO);
    const BOUNDS: [(Key<i64>, Key<i64>); 2] = [
        (Key::site("yarn.scheduler.minimum-allocation-mb"), Key::site("yarn.scheduler.maximum-allocation-mb")),
        (Key::site("yarn.scheduler.minimum-allocation-vcores"), Key::site("yarn.scheduler.maximum-allocation-vcores")),
    ];
    for (place, name) in types.names().iter().enumerate() {
        let typed = |what: &str| format!("yarn.resource-types.{name}.{what}-allocation");
        let (low, high) = match BOUNDS.get(place) {
            Some((low, high)) => {
                let value = |what: &str, plain: Key<i64>| -> Result<i64, Refusal> {
                    let own = conf.long(&typed(what), -1)?;
                    if own == -1 { conf.get(plain) } else { Ok(own) }
                };
                (value("minimum", *low)?, value("maximum", *high)?)
            }
            None => (conf.long(&typed("minimum"), 0)?, conf.long(&typed("maximum"), i64::MAX)?),
        };
        minimum[place] = low;
        maximum[place] = high;
    }
    Ok(Allocations { types, minimum, maximum })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn plain_memory_counts_bytes() {
        assert_eq!(parse_pairs("memory=20").unwrap()["memory-mb"], 0);
        assert_eq!(parse_pairs("memory-mb=20").unwrap()["memory-mb"], 20);
        assert_eq!(parse_pairs("memory=2G, gpu=1").unwrap()["memory-mb"], 2048);
        assert_eq!(parse_pairs("memory=2T").unwrap_err().message, "Acceptable units are M/G or empty");
        assert!(parse_pairs("memory").unwrap_err().message.starts_with("\"memory\" is not a valid"));
        assert!(parse_pairs("memory=1,,vcores=1").is_err() && parse_pairs("").is_err());
        assert_eq!((parse_pairs("vcores=1,,").unwrap().len(), parse_pairs(",").unwrap().len()), (1, 0));
    }

    #[test]
    fn types_that_are_not_named_are_0() {
        let types = ResourceTypes::with(["yarn.io/gpu"]).unwrap();
        assert_eq!(parse_resource("memory=2G,vcores=3", &types), Ok(Resource::new(2048, 3)));
        assert_eq!(parse_resource("vcores=9223372036854775807", &types).unwrap().vcores(), i64::from(i32::MAX));
        let why = parse_resource("Memory=20G,a b=20M", &types).unwrap_err();
        assert_eq!(why.message, "Unknown resource: a b");
    }

    #[test]
    fn names_of_types() {
        for good in ["yarn.io/gpu", "gpu", "123.io/gpu", "a....b"] {
            assert!(is_type_name(good), "{good}");
        }
        for bad in ["0123resource", "-r", "........abc", "a/b/c", "prefix/-r", ""] {
            assert!(!is_type_name(bad), "{bad}");
        }
    }
}
