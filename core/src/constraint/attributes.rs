//! Node attributes (NodeAttributesManagerImpl and the part that SchedulerNode keeps; placement-constraints.md 10): text
//! values under `prefix/name` that belong to a host. Independent of where the values come from.

use indexmap::IndexMap;
use std::collections::BTreeMap;

/// Prefix of attributes that an administrator sets, and of names without a prefix.
pub const CENTRAL: &str = "rm.yarn.io";
/// Prefix of attributes that a NodeManager reports.
pub const REPORTED: &str = "nm.yarn.io";

/// A kind of change to the attributes of a host.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum AttributeChange {
    /// Adds them; an attribute that the host has keeps its value.
    Add,
    /// Removes them, whatever the value.
    Remove,
    /// Removes all attributes with a prefix first.
    Replace { prefix: String },
}

/// The attributes of all hosts, as the scheduler sees them.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct Attributes {
    /// Host -> prefix -> name -> value.
    hosts: IndexMap<String, BTreeMap<String, BTreeMap<String, String>>>,
}

/// Splits a written attribute into prefix and name: `prefix/name`, or a name alone under [`CENTRAL`]; a third part is
/// dropped. `None` for a name without any part.
pub fn split_name(written: &str) -> Option<(&str, &str)> {
    let mut parts = written.split('/').filter(|p| !p.is_empty());
    match (parts.next(), parts.next()) {
        (Some(name), None) => Some((CENTRAL, name)),
        (Some(prefix), Some(name)) => Some((prefix, name)),
        (None, _) => None,
    }
}

/// Returns why an administrator's command would refuse a name or value; `None` if it is fine.
pub fn fault(prefix: &str, name: &str, value: &str) -> Option<String> {
    let fits = |text: &str, further: &str| {
        let first = text.chars().next().is_some_and(|c| c.is_ascii_alphanumeric());
        first && text.chars().all(|c| c.is_ascii_alphanumeric() || further.contains(c))
    };
    for (what, text) in [("prefix", prefix), ("name", name), ("value", value)] {
        if text.chars().count() > 255 {
            return Some(format!("The {what} of a node attribute has at most 255 characters."));
        }
    }
    if !fits(name, "-_") {
        return Some(format!(
            "`{name}` is no name of a node attribute: letters, digits, - and _, the first a letter or digit."
        ));
    }
    if !fits(prefix, "-_.") {
        return Some(format!(
            "`{prefix}` is no prefix of a node attribute: letters, digits, -, _ and dots, the first a letter or digit."
        ));
    }
    if !value.is_empty() && !fits(value, "-_.") {
        return Some(format!(
            "`{value}` is no value of a node attribute: letters, digits, -, _ and dots, the first a letter or digit."
        ));
    }
    None
}

impl Attributes {
    /// Changes the attributes of a host. An empty list changes nothing, whatever the kind of change.
    pub fn change<S: AsRef<str>>(&mut self, host: &str, how: &AttributeChange, attributes: &[(S, S)]) {
        if attributes.is_empty() {
            return;
        }
        let own = self.hosts.entry(host.to_string()).or_default();
        if let AttributeChange::Replace { prefix } = how {
            own.remove(prefix);
        }
        for (written, value) in attributes {
            let Some((prefix, name)) = split_name(written.as_ref()) else { continue };
            if *how == AttributeChange::Remove {
                if let Some(named) = own.get_mut(prefix) {
                    named.remove(name);
                }
            } else {
                let named = own.entry(prefix.to_string()).or_default();
                named.entry(name.to_string()).or_insert_with(|| value.as_ref().to_string());
            }
        }
    }

    /// The value of an attribute of a host.
    pub fn value(&self, host: &str, prefix: &str, name: &str) -> Option<&str> {
        self.hosts.get(host)?.get(prefix)?.get(name).map(String::as_str)
    }

    /// All attributes of a host: prefix, name, value, sorted.
    pub fn of_host(&self, host: &str) -> impl Iterator<Item = (&str, &str, &str)> {
        let prefixes = self.hosts.get(host).into_iter().flatten();
        prefixes.flat_map(|(prefix, named)| {
            named.iter().map(|(name, value)| (prefix.as_str(), name.as_str(), value.as_str()))
        })
    }

    /// The values of an attribute on all hosts, with the number of hosts for each.
    pub fn values_of(&self, prefix: &str, name: &str) -> BTreeMap<&str, usize> {
        let mut out = BTreeMap::new();
        for host in self.hosts.keys() {
            if let Some(value) = self.value(host, prefix, name) {
                *out.entry(value).or_insert(0) += 1;
            }
        }
        out
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_value_stays_until_it_is_removed_or_replaced() {
        let mut attributes = Attributes::default();
        attributes.change("h", &AttributeChange::Add, &[("java", "1.7")]);
        attributes.change("h", &AttributeChange::Add, &[("java", "1.8"), ("nm.yarn.io/java", "11")]);
        assert_eq!(attributes.value("h", CENTRAL, "java"), Some("1.7"));
        assert_eq!(attributes.value("h", REPORTED, "java"), Some("11"));
        let replace = AttributeChange::Replace { prefix: CENTRAL.into() };
        attributes.change::<&str>("h", &replace, &[]);
        assert_eq!(attributes.value("h", CENTRAL, "java"), Some("1.7"), "replacing by nothing changes nothing");
        attributes.change("h", &replace, &[("gpu", "")]);
        assert_eq!(attributes.of_host("h").collect::<Vec<_>>(), [("nm.yarn.io", "java", "11"), (CENTRAL, "gpu", "")]);
    }

    #[test]
    fn names_are_checked_as_the_administrators_command_does() {
        assert_eq!(fault(CENTRAL, "java", "1.8"), None);
        assert_eq!(fault(CENTRAL, "java", ""), None);
        for (name, value) in [("", "x"), ("-a", "x"), ("a.b", "x"), ("a", "x y")] {
            assert!(fault(CENTRAL, name, value).is_some());
        }
    }
}
