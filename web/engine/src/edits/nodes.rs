//! Nodes: a group from one line, and the racks of an entry.

use super::{put_site, setting};
use crate::forms::setup;
use crate::path;
use heddle_core::constraint::attributes::split_name;
use heddle_core::scenario::edit::{self, Setting};
use heddle_core::scenario::{Node, Scenario};
use heddle_view::How;
use toml_edit::Value;

/// The property without which no label has an effect.
const ENABLED: &str = "yarn.node-labels.enabled";

/// Returns the entry that a line stands for.
pub fn group(line: &str, have: usize) -> Result<String, String> {
    let hint = "Write it like 12 × 64 GB/16, 3 racks.";
    let mut parts = line.split(',').map(str::trim).filter(|p| !p.is_empty());
    let first = parts.next().ok_or_else(|| hint.to_owned())?;
    let (count, size) = match first.split_once(['×', 'x', '*']) {
        Some((n, size)) => {
            (n.trim().parse::<u64>().map_err(|_| format!("`{}` is not a count. {hint}", n.trim()))?, size.trim())
        }
        // A number alone is more often how many than how large.
        None if first.parse::<u64>().is_ok() => return Err(format!("`{first}` of which size? {hint}")),
        None => (1, first),
    };
    heddle_core::scenario::units::parse_size(size).map_err(|why| format!("{why}. {hint}"))?;
    let width = (have as u64).saturating_add(count).to_string().len();
    let start = format!("{:0width$}", have + 1);
    let mut toml = String::new();
    if count == 1 {
        toml.push_str(&format!("name = \"n{start}\"\n"));
    } else {
        toml.push_str(&format!("name = \"n{{{start}}}\"\ncount = {count}\n"));
    }
    toml.push_str(&format!("size = {}\n", Value::from(size)));
    let mut attributes = Vec::new();
    for part in parts {
        if let Some((name, value)) = part.split_once('=') {
            attributes.push(format!("{} = {}", Value::from(name.trim()), Value::from(value.trim())));
            continue;
        }
        let words: Vec<&str> = part.split_whitespace().collect();
        match words[..] {
            [n, "rack" | "racks"] if n.parse::<u32>().is_ok() => toml.push_str(&format!("racks = {n}\n")),
            ["rack", name] => {
                toml.push_str(&format!("rack = {}\n", Value::from(format!("/{}", name.trim_start_matches('/')))))
            }
            ["label", name] => toml.push_str(&format!("label = {}\n", Value::from(name))),
            _ => return Err(format!("`{part}` is not known here. {hint}")),
        }
    }
    if !attributes.is_empty() {
        toml.push_str(&format!("attributes = {{ {} }}\n", attributes.join(", ")));
    }
    Ok(toml)
}

/// Replaces the nodes with a label, or those without one, by what a line stands for. Errors: see [`group`]; or an application
/// runs on a node that would be gone.
pub fn cluster(text: &str, label: &str, line: &str, scenario: Option<&Scenario>) -> Result<String, String> {
    let scenario = scenario.ok_or("The scenario has an error; mend it first.")?;
    let of_label = |n: &&Node| n.spec.label.as_deref().unwrap_or_default() == label;
    let mut entries: Vec<usize> = scenario.nodes.iter().filter(of_label).map(|n| n.entry).collect();
    entries.dedup();
    let mut next = text.to_owned();
    for entry in entries.into_iter().rev() {
        next = super::remove(&next, &path!["nodes", entry])?;
    }
    let prefix = if label.is_empty() { "n".to_owned() } else { format!("{label}-n") };
    let number = |n: &Node| n.spec.host.strip_prefix(&prefix)?.parse::<usize>().ok();
    let others = scenario.nodes.iter().filter(|n| !of_label(n));
    let mut have = others.filter_map(number).max().unwrap_or(0);
    let lines = line.split('+').map(str::trim).filter(|part| !part.is_empty());
    for part in lines {
        let mut entry = group(part, have)?.replacen("name = \"n", &format!("name = {}", opened(&prefix)), 1);
        if !label.is_empty() {
            entry.push_str(&format!("label = {}\n", Value::from(label)));
        }
        next = super::push(&next, "nodes", &entry)?;
        have += part.split(['×', 'x', '*']).next().and_then(|n| n.trim().parse::<usize>().ok()).unwrap_or(1);
    }
    crate::document::added::checked(text, next)
}

/// Returns whether a node has an attribute with this value; a name without a prefix is an administrator's.
pub fn has(node: &Node, name: &str, value: &str) -> bool {
    let wanted = split_name(name);
    node.attributes.iter().any(|(own, v)| split_name(own) == wanted && v == value)
}

/// Puts an attribute onto half of the nodes, so that a constraint on it has both kinds; if a node has it, all lose it. Nodes that
/// one entry stands for are parted in two.
pub fn attribute(text: &str, (name, value): (&str, &str), scenario: Option<&Scenario>) -> Result<String, String> {
    let scenario = scenario.ok_or("The scenario has an error; mend it first.")?;
    let mut next = text.to_owned();
    let mut entries: Vec<usize> = scenario.nodes.iter().map(|n| n.entry).collect();
    entries.dedup();
    let there: Vec<&Node> = scenario.nodes.iter().filter(|node| has(node, name, value)).collect();
    if !there.is_empty() {
        let written =
            |node: &Node| node.attributes.iter().find(|(own, _)| split_name(own) == split_name(name)).cloned();
        for entry in entries {
            let own = there.iter().find(|node| node.entry == entry).and_then(|node| written(node));
            if let Some((own, _)) = own {
                next = edit::set(&next, &path!["nodes", entry, "attributes", own], &Setting::Nothing)?;
            }
        }
        return crate::document::added::checked(text, next);
    }
    if let ([entry], Some(first)) = (entries.as_slice(), scenario.nodes.first()) {
        let n = scenario.nodes.len();
        if n > 1 {
            let label = first.spec.label.clone().unwrap_or_default();
            let line = setup::line(scenario, &label);
            let Some((_, size)) = line.split_once(" × ").filter(|_| !line.contains(" + ")) else {
                return Err("The nodes are of several kinds: write the attribute into the line of the cluster.".into());
            };
            let rest = n / 2;
            return cluster(
                text,
                &label,
                &format!("{} × {size}, {name}={value} + {rest} × {size}", n - rest),
                Some(scenario),
            );
        }
        next = edit::set(&next, &path!["nodes", *entry, "attributes", name], &Setting::Text(value.to_owned()))?;
    } else {
        for entry in entries.iter().take(entries.len().div_ceil(2)) {
            next = edit::set(&next, &path!["nodes", *entry, "attributes", name], &Setting::Text(value.to_owned()))?;
        }
    }
    crate::document::added::checked(text, next)
}

/// Sets the node labels of the cluster; with labels they are enabled.
pub fn labels(text: &str, typed: &str) -> Result<String, String> {
    // They may be written as a list of tables, which a list of texts replaces.
    let without = edit::set(text, &path!["labels"], &Setting::Nothing)?;
    let list = setting(How::List, typed)?;
    if list == Setting::Nothing {
        return Ok(without);
    }
    let next = edit::set(&without, &path!["labels"], &list)?;
    let set = heddle_core::scenario::read(&next).scenario.map(|s| s.settings.yarn_site).unwrap_or_default();
    if set.contains_key(ENABLED) { Ok(next) } else { put_site(&next, ENABLED, "true") }
}

/// Returns a text as the beginning of a basic string of TOML.
fn opened(text: &str) -> String {
    let quoted = Value::from(text).to_string();
    quoted.trim_end_matches(['"', '\'']).to_owned()
}

/// Sets the racks of an entry: none, their number, their names, or one name.
pub fn put_racks(text: &str, entry: usize, typed: &str) -> Result<String, String> {
    let (one, several) = (path!["nodes", entry, "rack"], path!["nodes", entry, "racks"]);
    let cleared = edit::set(&edit::set(text, &one, &Setting::Nothing)?, &several, &Setting::Nothing)?;
    let slash = |name: &str| format!("/{}", name.trim().trim_start_matches('/'));
    match typed.trim() {
        "" => Ok(cleared),
        n if n.parse::<i64>().is_ok() => edit::set(&cleared, &several, &Setting::typed(n)),
        list if list.contains(',') => {
            edit::set(&cleared, &several, &Setting::List(list.split(',').map(slash).collect()))
        }
        name => edit::set(&cleared, &one, &Setting::Text(slash(name))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_line_means_a_group() {
        assert_eq!(
            group("12 × 64 GB/16, 3 racks", 0).as_deref(),
            Ok("name = \"n{01}\"\ncount = 12\nsize = \"64 GB/16\"\nracks = 3\n")
        );
        assert_eq!(group("8 GB/4", 2).as_deref(), Ok("name = \"n3\"\nsize = \"8 GB/4\"\n"));
        for bad in ["", "10", "x × 8 GB", "3 x nothing", "2 × 8 GB/2, on the moon"] {
            assert!(group(bad, 0).is_err(), "{bad}");
        }
    }

    #[test]
    fn a_line_takes_the_place_of_the_nodes_with_a_label() {
        let text = "heddle = 1\nlabels = [\"gpu\"]\n[[nodes]]\nname = \"n{1}\"\ncount = 4\nsize = \"8 GB/8\"\n\
            [[nodes]]\nname = \"gpu-n{1}\"\ncount = 2\nsize = \"8 GB/8\"\nlabel = \"gpu\"\n";
        let read = |text: &str| heddle_core::scenario::read(text).scenario.expect("it can be read");
        let with = |label: &str, line: &str| cluster(text, label, line, Some(&read(text))).map(|text| read(&text));
        let of =
            |s: &Scenario, label: Option<&str>| s.nodes.iter().filter(|n| n.spec.label.as_deref() == label).count();
        let more = with("", "120 × 128 GB/32, 4 racks + 2 × 256 GB/64").expect("nodes");
        assert_eq!((of(&more, None), of(&more, Some("gpu"))), (122, 2));
        let gpu = with("gpu", "3 × 64 GB/8").expect("nodes");
        assert_eq!((of(&gpu, None), of(&gpu, Some("gpu"))), (4, 3));
        assert!(gpu.nodes.iter().any(|n| n.spec.host == "gpu-n3"), "{:?}", gpu.nodes);
        assert_eq!(of(&with("gpu", "").expect("none"), Some("gpu")), 0);
        assert!(with("", "many").is_err());
    }

    /// Each cluster × how many nodes have the attribute then; the other half has not, and a second time takes it off.
    #[test]
    fn an_attribute_goes_onto_half_of_the_nodes_and_off_again() {
        let read = |text: &str| heddle_core::scenario::read(text).scenario.expect("it can be read");
        let count = |text: &str| read(text).nodes.iter().filter(|node| has(node, "os", "el9")).count();
        for (nodes, with) in [
            ("[[nodes]]\nname = \"n\"\ncount = 4\nsize = \"8 GB/8\"\n", 2),
            ("[[nodes]]\nname = \"n{01}\"\ncount = 5\nsize = \"8 GB/8\"\nracks = 2\n", 3),
            (
                "[[nodes]]\nname = \"a\"\nsize = \"8 GB/8\"\n[[nodes]]\nname = \"b\"\nsize = \"8 GB/8\"\nattributes = { java = \"17\" }\n",
                1,
            ),
            ("[[nodes]]\nname = \"a\"\nsize = \"8 GB/8\"\n", 1),
        ] {
            let text = format!("heddle = 1\n{nodes}");
            let on = attribute(&text, ("os", "el9"), Some(&read(&text))).unwrap_or_else(|why| panic!("{nodes}: {why}"));
            assert_eq!((count(&on), read(&on).nodes.len()), (with, read(&text).nodes.len()), "{on}");
            let off = attribute(&on, ("os", "el9"), Some(&read(&on))).expect("off");
            assert_eq!((count(&off), read(&off).nodes.len()), (0, read(&text).nodes.len()), "{off}");
        }
    }

    #[test]
    fn racks_are_a_count_a_list_or_a_name() {
        let text = "[[nodes]]\nname = \"n\"\nracks = 2\n";
        let with = |typed| put_racks(text, 0, typed).unwrap().lines().last().map(str::to_owned).unwrap();
        assert_eq!(with("3"), "racks = 3");
        assert_eq!(with("a, /b"), "racks = [\"/a\", \"/b\"]");
        assert_eq!(with("a"), "rack = \"/a\"");
        assert_eq!(with(" "), "name = \"n\"");
    }
}
