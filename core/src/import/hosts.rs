//! Texts about hosts other than the ResourceManager's answers: topology tables, labels and attributes from an
//! administrator's commands, and the labels that `yarn cluster` lists.

use super::seen::{Amount, SeenNode, host_of};
use super::{Gathered, InputText, ReadOutcome, RemarkAbout, count};
use crate::config::node_labels::parse_label_list;
use crate::model::limits::NODES;
use crate::model::{Problem, Span};

/// The prefix of attributes that have none.
const PREFIX: &str = "rm.yarn.io";

/// Reads the hosts and racks of a table: a host and its rack per line, or the output of `hdfs dfsadmin -printTopology`.
fn racks(text: &str) -> Option<Vec<(&str, &str)>> {
    let (mut out, mut rack) = (Vec::new(), None);
    for line in text.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('#')) {
        if let Some(name) = line.strip_prefix("Rack:") {
            rack = Some(name.trim()).filter(|name| name.starts_with('/'));
            continue;
        }
        let mut words = line.split_whitespace();
        let (first, second) = (words.next()?, words.next());
        match (rack, second) {
            (None, Some(path)) if path.starts_with('/') && !first.starts_with('/') && words.next().is_none() => {
                out.push((first, path));
            }
            // `10.0.0.1:9866 (n1.example)`.
            (Some(rack), named) => {
                let inside = named.and_then(|name| name.strip_prefix('(')?.strip_suffix(')'));
                out.push((inside.unwrap_or_else(|| host_of(first)), rack));
            }
            _ => return None,
        }
    }
    (!out.is_empty()).then_some(out)
}

/// Returns whether a text is a table of racks.
pub(super) fn is_topology(look: &InputText<'_>) -> bool {
    look.root().is_none() && look.json().is_none() && racks(look.text).is_some()
}

/// Reads a table of racks.
pub(super) fn read_topology(look: &InputText<'_>, g: &mut Gathered) -> ReadOutcome {
    let found = racks(look.text).unwrap_or_default();
    let mut problems = Vec::new();
    for (host, rack) in &found {
        if let Some(other) = g.racks.insert((*host).to_owned(), (*rack).to_owned()).filter(|other| other != rack) {
            let at = look.text.find(host).unwrap_or(0);
            let what = format!("{host} is in {other} as well: {rack} counts.");
            problems.push(Problem::warning(look.name, Span::new(at, at + host.len()), what).mend("Leave one."));
        }
    }
    let mut names: Vec<&str> = found.iter().map(|(_, rack)| *rack).collect();
    names.sort_unstable();
    names.dedup();
    g.seen.sources.entry("racks").or_insert_with(|| look.name.to_owned());
    ReadOutcome::of(format!("{} in {}", count(found.len(), "host"), count(names.len(), "rack")), problems)
}

/// Reads labels as `yarn cluster --list-node-labels` prints them.
fn listed(text: &str) -> Option<Vec<(&str, bool)>> {
    let list = text.trim().lines().last()?.trim().strip_prefix("Node Labels:")?;
    let labels = list.split(">,").map(|part| part.trim().trim_start_matches('<').trim_end_matches('>'));
    let read = labels.filter_map(|part| {
        let (name, exclusive) = part.split_once(":exclusivity=").unwrap_or((part, "true"));
        (!name.is_empty()).then_some((name, exclusive == "true"))
    });
    Some(read.collect())
}

/// Returns whether a text is a list of labels.
pub(super) fn is_labels(look: &InputText<'_>) -> bool {
    look.text.len() < 100_000 && listed(look.text).is_some_and(|labels| !labels.is_empty())
}

/// Reads a list of labels.
pub(super) fn read_labels(look: &InputText<'_>, g: &mut Gathered) -> ReadOutcome {
    let labels = listed(look.text).unwrap_or_default();
    let taken = labels.into_iter().filter(|(name, exclusive)| g.label(name, Some(*exclusive))).count();
    ReadOutcome::of(count(taken, "label"), Vec::new())
}

/// Returns the value after one of these options.
fn behind<'a>(arguments: &'a [String], options: &[&str]) -> Option<&'a str> {
    let at = arguments.iter().position(|word| options.contains(&word.trim_start_matches('-')))?;
    arguments.get(at + 1).map(String::as_str)
}

/// Applies a `yarn rmadmin` command. Errors: what is wrong with it, or that it sets no label.
pub(super) fn label_command(arguments: &[String], source: &str, g: &mut Gathered) -> Result<(), String> {
    if let Some(list) = behind(arguments, &["addToClusterNodeLabels"]) {
        for label in parse_label_list(list).map_err(|why| why.message)? {
            g.label(&label.name, Some(label.exclusive));
        }
        return Ok(());
    }
    let Some(list) = behind(arguments, &["replaceLabelsOnNode"]) else {
        return Err("This sets no label: read are -addToClusterNodeLabels and -replaceLabelsOnNode.".into());
    };
    for part in list.split_whitespace() {
        let (node, labels) = part.split_once(['=', ',']).unwrap_or((part, ""));
        let label = labels.split(',').map(str::trim).find(|label| !label.is_empty());
        let node = if node.contains(':') { node.to_owned() } else { format!("{node}:0") };
        match label {
            Some(label) if g.label(label, None) => {
                g.labels_of_nodes.insert(node, label.to_owned());
            }
            _ => {
                g.labels_of_nodes.shift_remove(&node);
            }
        }
    }
    g.seen.sources.entry("labels").or_insert_with(|| source.to_owned());
    Ok(())
}

/// Applies a `yarn nodeattributes` command. Errors: its syntax is wrong.
pub(super) fn attribute_command(arguments: &[String], g: &mut Gathered) -> Result<(), String> {
    let wrong = || "Attributes are written host:attribute[(type)][=value],… with blanks between hosts.".to_owned();
    let list = behind(arguments, &["add", "replace"]).ok_or_else(wrong)?;
    for part in list.split_whitespace() {
        let (host, attributes) = part.split_once(':').ok_or_else(wrong)?;
        let mut own = Vec::new();
        for attribute in attributes.split(',').filter(|a| !a.is_empty()) {
            let (name, value) = attribute.split_once('=').unwrap_or((attribute, ""));
            let name = name.split_once('(').map_or(name, |(name, _)| name);
            let name = if name.contains('/') { name.to_owned() } else { format!("{PREFIX}/{name}") };
            own.push((name, value.to_owned()));
        }
        g.attributes.entry(host.to_owned()).or_default().extend(own);
    }
    Ok(())
}

/// Returns the size of a node that no answer gives: from yarn-site.xml, else the NodeManager's default.
pub(super) fn node_size(g: &Gathered) -> Amount {
    let site = g.site_so_far();
    let number = |key: &str| site.get(key).and_then(|v| v.trim().parse::<i64>().ok()).filter(|n| *n > 0);
    let memory = number("yarn.nodemanager.resource.memory-mb").unwrap_or(8192);
    Amount::new(memory, number("yarn.nodemanager.resource.cpu-vcores").unwrap_or(8))
}

/// Turns the hosts that these texts name into nodes, if no answer has nodes.
pub(super) fn nodes(g: &mut Gathered) {
    if !g.seen.nodes.is_empty() {
        return;
    }
    let of_labels = g.labels_of_nodes.keys().map(|id| id.strip_suffix(":0").unwrap_or(id).to_owned());
    let others = g.attributes.keys().chain(g.racks.keys()).chain(&g.named_hosts);
    let hosts: Vec<String> = of_labels.chain(others.cloned()).collect();
    let total = node_size(g);
    for id in hosts.into_iter().take(NODES) {
        let known = g.seen.nodes.keys().any(|known| host_of(known) == host_of(&id));
        if !known {
            let node = SeenNode { id: id.clone(), total: Some(total.clone()), ..SeenNode::default() };
            g.seen.nodes.insert(id, node);
        }
    }
    if !g.seen.nodes.is_empty() {
        g.infer_of(
            RemarkAbout::Nodes,
            format!("Nodes have {}.", total.written()),
            "yarn.nodemanager.resource, or its default",
        );
        g.lack("How large nodes are.", "/ws/v1/cluster/nodes says it");
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Given, import};
    use super::*;

    #[test]
    fn a_table_of_racks_and_a_printed_topology_give_the_same_racks() {
        let table = "# ours\nn1.example\t/r1\nn2.example /dc/r2\n";
        let printed =
            "Rack: /r1\n   10.0.0.1:9866 (n1.example) In Service\n\nRack: /dc/r2\n   10.0.0.2:9866 (n2.example)\n";
        for text in [table, printed] {
            let found = import(&[Given { name: "x", text }]);
            let scenario = crate::scenario::read(found.scenario.as_deref().expect(text)).scenario.unwrap();
            let racks: Vec<(&str, &str)> =
                scenario.nodes.iter().map(|n| (n.spec.host.as_str(), n.spec.rack.as_str())).collect();
            assert_eq!(racks, [("n1.example", "/r1"), ("n2.example", "/dc/r2")], "{text}");
        }
        for text in ["a b\n", "a /b /c\n", "/a /b\n", "a\n", ""] {
            assert_eq!(racks(text), None, "{text}");
        }
    }

    #[test]
    fn labels_are_read_as_they_are_listed() {
        let text = "Node Labels: <gpu:exclusivity=true>,<ssd:exclusivity=false>,<plain>";
        assert_eq!(listed(text), Some(vec![("gpu", true), ("ssd", false), ("plain", true)]));
        assert_eq!((listed("x"), listed("")), (None, None));
    }
}
