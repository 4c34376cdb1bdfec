//! Edits of one node, which may belong to a group with a `count`.

use super::super::document::{Node, Scenario};
use super::super::read::read;
use super::{Setting, Step, misplaced, parse, remove_entry, set, set_size};
use toml_edit::{ArrayOfTables, Item, Table, Value};

const BROKEN: &str = "The text has an error; mend it first, then a form can change it.";

/// Gives a node an entry of its own if it is one of a group, which is cut in pieces around it. The entry's place in
/// `[[nodes]]` comes with the text.
pub fn isolate_node(text: &str, host: &str) -> Result<(String, usize), String> {
    let scenario = read(text).scenario.ok_or(BROKEN)?;
    let place = scenario.nodes.iter().position(|n| n.spec.host == host);
    let place = place.ok_or_else(|| format!("There is no node `{host}` at the start of the scenario."))?;
    let entry = scenario.nodes[place].entry;
    let group: Vec<&Node> = scenario.nodes.iter().filter(|n| n.entry == entry).collect();
    if group.len() == 1 {
        return Ok((text.to_string(), entry));
    }
    let first = place - group.iter().position(|n| n.spec.host == host).unwrap_or(0);
    let mut document = parse(text)?;
    let Some(Item::ArrayOfTables(list)) = document.get_mut("nodes") else {
        return Err(misplaced(&[Step::from("nodes"), Step::from(entry)]));
    };
    let mut at = entry;
    let mut found = entry;
    for (i, (from, to)) in runs(&scenario, first, group.len(), place).into_iter().enumerate() {
        let Some(old) = list.get(entry + i) else { break };
        let mut table = old.clone();
        describe(&mut table, &scenario.nodes[from..to]);
        if i > 0 {
            table.decor_mut().set_prefix("\n");
        }
        if from == place {
            found = at;
        }
        insert(list, at, table);
        at += 1;
    }
    list.remove(at);
    // Tables are printed in the order of their positions, so the new ones must stand where the old one stood.
    Ok((document.to_string(), found))
}

fn insert(list: &mut ArrayOfTables, at: usize, table: Table) {
    if at <= list.len() {
        list.insert(at, table);
    }
}

/// Splits a group into runs of equal racks, with node `alone` in a run of its own.
fn runs(scenario: &Scenario, first: usize, count: usize, alone: usize) -> Vec<(usize, usize)> {
    let mut out: Vec<(usize, usize)> = Vec::new();
    for i in first..first + count {
        let rack = |i: usize| &scenario.nodes[i].spec.rack;
        match out.last_mut() {
            Some((from, to)) if *from != alone && i != alone && rack(*from) == rack(i) => *to = i + 1,
            _ => out.push((i, i + 1)),
        }
    }
    out
}

/// Makes a group's table describe exactly these nodes.
fn describe(table: &mut Table, nodes: &[Node]) {
    let Some(first) = nodes.first() else { return };
    table.remove("count");
    table.remove("racks");
    let name = if nodes.len() == 1 {
        first.spec.host.clone()
    } else {
        table.insert("count", Item::Value(Value::from(nodes.len() as i64)));
        pattern(nodes)
    };
    table.insert("name", Item::Value(Value::from(name)));
    if first.spec.rack != "/default-rack" || table.contains_key("rack") {
        table.insert("rack", Item::Value(Value::from(first.spec.rack.as_str())));
    }
}

/// Returns the pattern that unrolls to these names, which one pattern made: `n{03}` for n03, n04.
fn pattern(nodes: &[Node]) -> String {
    let (first, second) = (&nodes[0].spec.host, nodes.get(1).map_or("", |n| n.spec.host.as_str()));
    let (a, b) = (first.as_bytes(), second.as_bytes());
    // The number stands where the first two names differ, and includes the digits before and after that place.
    let mut start = a.iter().zip(b).take_while(|(x, y)| x == y).count();
    while start > 0 && a[start - 1].is_ascii_digit() {
        start -= 1;
    }
    let end = start + a[start..].iter().take_while(|c| c.is_ascii_digit()).count();
    format!("{}{{{}}}{}", &first[..start], &first[start..end], &first[end..])
}

/// Sets a field of one node (`size`, `rack`, `label`, `attributes`, …).
pub fn set_node(text: &str, host: &str, field: &str, setting: &Setting) -> Result<String, String> {
    let (text, entry) = isolate_node(text, host)?;
    let path = ["nodes".into(), entry.into(), field.into()];
    if field == "size" { set_size(&text, &path, setting) } else { set(&text, &path, setting) }
}

/// Removes one node from the scenario's initial nodes.
pub fn remove_node(text: &str, host: &str) -> Result<String, String> {
    let (text, entry) = isolate_node(text, host)?;
    remove_entry(&text, "nodes", entry)
}
