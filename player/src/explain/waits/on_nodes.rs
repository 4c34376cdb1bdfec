//! What keeps a request that no limit stops from the nodes: what it needs, and what is in its way, in one sentence.

use crate::explain::away::{NodeAbsence, away};
use crate::explain::checks::{FailureKind, NodeCheck, NodeRow, Table};
use crate::explain::full::is_full;
use crate::explain::names::Names;
use crate::explain::say::checks::{circumstance, wants_joined};
use crate::explain::{say, words};
use heddle_core::constraint::xray::Formula;
use heddle_core::model::Resource;
use heddle_core::scheduler::Node;

/// The greatest number of nodes that are named one by one.
pub const NAMED: usize = 3;

/// Returns three words.
pub fn short(table: &Table) -> String {
    if table.rows.is_empty() {
        return say::SHORT_NO_NODES.to_string();
    }
    if table.rows.iter().any(NodeRow::fits) {
        return say::SHORT_NEXT.to_string();
    }
    let firsts: Vec<usize> = table.rows.iter().filter_map(|r| r.first).collect();
    let one = firsts.first().filter(|f| firsts.iter().all(|o| o == *f)).and_then(|f| table.checks.get(*f));
    say::short_check(one).to_string()
}

/// Returns the sentence: "Needs a node without zk. n1 has zk-1, n2 has zk-2."
pub fn sentence(names: Names<'_>, table: &Table, because: &str) -> String {
    if table.rows.is_empty() {
        return say::capital(&say::full_stop(&none_takes(names)));
    }
    say::then(&needs(names, table), &say::full_stop(&say::capital(because)))
}

/// Returns what it needs: "Needs a node without hbase, in a rack with at most 2 hbase, and with 16 GB free."
fn needs(names: Names<'_>, table: &Table) -> String {
    let lacking = table.lacking();
    let is =
        |part: &Formula, which: NodeCheck| matches!(part, Formula::Check(i) if table.checks.get(*i) == Some(&which));
    let free_stops = lacking.iter().any(|part| is(part, NodeCheck::Free));
    let mut wanted: Vec<String> = Vec::new();
    let mut only_room = true;
    for part in lacking {
        // The free resources that it needs are named once.
        if is(part, NodeCheck::NotFull) && free_stops {
            continue;
        }
        only_room &= is(part, NodeCheck::Free);
        let text = wants_joined(names, table, part);
        if !wanted.contains(&text) {
            wanted.push(text);
        }
    }
    match wanted.as_slice() {
        [] => say::NEEDS_A_NODE.to_string(),
        [one] if say::is_of_rack(one) => say::needs_a_rack(one),
        [_] if only_room => {
            let cluster = names.rm().cluster();
            say::needs(&words::counted(table.need, cluster.calculator, &cluster.types).replace(" · ", " and "))
        }
        _ => say::needs_a_node(&wanted),
    }
}

/// Returns why the cluster has no resources, as a sentence.
pub(in crate::explain) fn no_node(names: Names<'_>) -> String {
    match names.rm().cluster().nodes.iter().any(|n| n.in_scheduler) {
        true => say::NO_RESOURCES.to_string(),
        false => say::capital(&say::full_stop(&none_takes(names))),
    }
}

/// Returns why no node is in the scheduler: none is registered, or their states, and since when.
fn none_takes(names: Names<'_>) -> String {
    let states = groups_away(names.rm().nodes().iter().filter_map(|n| Some((n.host.as_str(), away(names, n)?))));
    if states.is_empty() { say::NO_NODE_REGISTERED.to_string() } else { say::none_takes(&states) }
}

/// Groups nodes by the words about why they take nothing.
fn groups_away<'n>(nodes: impl Iterator<Item = (&'n str, NodeAbsence)>) -> Vec<(String, Vec<&'n str>)> {
    let mut out: Vec<(String, Vec<&str>)> = Vec::new();
    for (host, away) in nodes {
        let has = away.has();
        match out.iter_mut().find(|(known, _)| *known == has) {
            Some((_, hosts)) => hosts.push(host),
            None => out.push((has, vec![host])),
        }
    }
    out
}

/// Returns the nodes outside the scheduler, which take nothing: a few by name with since when, many by the number in each
/// state.
pub fn out_of_service(names: Names<'_>, matters: impl Fn(&Node) -> bool) -> Option<String> {
    let nodes = names.rm().nodes().iter().filter(|n| !n.in_scheduler && matters(n));
    let all: Vec<(&str, NodeAbsence)> = nodes.filter_map(|n| Some((n.host.as_str(), away(names, n)?))).collect();
    let groups = groups_away(all.iter().copied());
    // Each begins with the separator from the text before it.
    let clause = |joined: String| joined.strip_prefix("; ").map(str::to_string);
    if groups.len() <= NAMED {
        return clause(groups.iter().map(|(has, hosts)| say::takes_nothing(hosts, has)).collect());
    }
    let mut states: Vec<(&str, usize)> = Vec::new();
    for (_, away) in &all {
        let state = say::nodes::state(away.how);
        match states.iter_mut().find(|(known, _)| *known == state) {
            Some((_, n)) => *n += 1,
            None => states.push((state, 1)),
        }
    }
    clause(say::others_take_nothing(&states))
}

/// Returns the silent nodes, which still count: their resources are missing until they count as lost.
pub fn fallen_silent(names: Names<'_>, matters: impl Fn(&Node) -> bool) -> Option<String> {
    let nodes = names.rm().nodes().iter().filter(|n| names.is_silent(n) && matters(n));
    let all = nodes.filter_map(|n| Some((n.host.as_str(), away(names, n)?)));
    let groups = groups_away(all);
    let clauses: Vec<String> = groups.iter().map(|(has, hosts)| say::fallen_silent(hosts, has)).collect();
    (!clauses.is_empty() && clauses.len() <= NAMED).then(|| clauses.join("; "))
}

/// Returns what stops it on which nodes, in a few clauses; `left`: other nodes of its partition are gone.
pub fn because(names: Names<'_>, table: &Table, left: bool) -> String {
    let of = table.rows.len();
    if of == 0 {
        return none_takes(names);
    }
    let fitting: Vec<&str> = table.rows.iter().filter(|r| r.fits()).map(|r| names.node(r.node)).collect();
    if !fitting.is_empty() {
        return say::fits_next(&fitting);
    }
    let is_first =
        |row: &NodeRow, what: &[NodeCheck]| row.told.last().is_some_and(|i| what.contains(&table.checks[*i]));
    let node_is_full = |row: &NodeRow| is_full(names, names.rm().cluster().node(row.node));
    let full = |row: &NodeRow| is_first(row, &[NodeCheck::NotFull, NodeCheck::Free]) && node_is_full(row);
    if of > 1 && table.rows.iter().all(full) {
        return say::all_full(of, left, "");
    }
    if let Some(racks) = racks(names, table) {
        return racks;
    }
    if of <= NAMED {
        return each(names, table);
    }
    let groups = groups(table);
    if let [group] = groups.as_slice() {
        return alike(names, table, group);
    }
    // A node that fails a single check is the interesting one, unless others lack only room.
    let near: Vec<&NodeRow> = table.rows.iter().filter(|r| r.near() || table.lacks_room(r)).collect();
    if let [only] = near.as_slice()
        && only.near()
    {
        return say::only_one_comes_near(names.node(only.node), table.checks.len() > 2, &only.has());
    }
    let parts = groups.iter().map(|group| match group.as_slice() {
        [row] if groups.len() <= NAMED => say::one_node(names.node(row.node), &row.has()),
        rows => say::nodes::bucket(rows.len(), &kind(table, rows)),
    });
    let counts = say::of_nodes(of, &parts.collect::<Vec<_>>());
    // A few words are not enough for this check, unless its node has a clause of its own.
    let told = |row: &NodeRow| {
        groups.len() <= NAMED && groups.iter().any(|g| matches!(g.as_slice(), [one] if one.node == row.node))
    };
    match table.rows.iter().find(|r| is_first(r, &[NodeCheck::GivesUp]) && !told(r)) {
        Some(row) => say::namely(&counts, &say::one_node(names.node(row.node), &row.has())),
        None => counts,
    }
}

/// Returns what racks have, if this alone is in the way on every node, and the racks are few: "rack r1 runs zk-1, rack r2 runs
/// zk-2".
fn racks(names: Names<'_>, table: &Table) -> Option<String> {
    let cluster = names.rm().cluster();
    let mut found: Vec<(&str, &str)> = Vec::new();
    for row in &table.rows {
        let has = row.rack_has()?;
        let rack = cluster.place_name(cluster.node(row.node).rack);
        match found.iter().find(|(known, _)| *known == rack) {
            Some((_, known)) if *known != has => return None,
            Some(_) => {}
            None => found.push((rack, has)),
        }
    }
    let mut parts: Vec<(&str, Vec<&str>)> = Vec::new();
    for (rack, has) in found {
        match parts.iter_mut().find(|(known, _)| *known == has) {
            Some((_, racks)) => racks.push(rack),
            None => parts.push((has, vec![rack])),
        }
    }
    let told = || parts.iter().map(|(has, racks)| say::racks_have(racks, has)).collect::<Vec<_>>().join(", ");
    (parts.len() <= NAMED).then(told)
}

/// Returns the nodes with what each lacks; those that lack the same together.
fn each(names: Names<'_>, table: &Table) -> String {
    let mut parts: Vec<(Vec<&str>, Vec<&str>)> = Vec::new();
    for row in &table.rows {
        let (host, has) = (names.node(row.node), row.has());
        match parts.iter_mut().find(|(known, _)| *known == has) {
            Some((_, hosts)) => hosts.push(host),
            None => parts.push((has, vec![host])),
        }
    }
    let parts = parts.into_iter().map(|(has, hosts)| say::nodes_have(&hosts, &has));
    parts.collect::<Vec<_>>().join(", ")
}

/// Groups nodes that fail the same checks in the same way, the largest group first, regardless of amounts and of the containers
/// that are the cause.
fn groups(table: &Table) -> Vec<Vec<&NodeRow>> {
    type Kind<'t> = Vec<(usize, FailureKind, &'t str)>;
    let mut out: Vec<(Kind<'_>, Vec<&NodeRow>)> = Vec::new();
    for row in &table.rows {
        // Labels are distinguished by name.
        let label = |i: &usize| match (&table.checks[*i], row.seen[*i].way) {
            (NodeCheck::Partition, FailureKind::Usual) => row.seen[*i].value.as_str(),
            _ => "",
        };
        let key: Kind<'_> = row.told.iter().map(|i| (*i, row.seen[*i].way, label(i))).collect();
        match out.iter_mut().find(|(k, _)| *k == key) {
            Some((_, rows)) => rows.push(row),
            None => out.push((key, vec![row])),
        }
    }
    heddle_core::model::order::sort_by_key(&mut out, |(_, rows)| std::cmp::Reverse(rows.len()));
    out.into_iter().map(|(_, rows)| rows).collect()
}

/// Returns what all nodes of a group have in common, for use after their number.
fn kind(table: &Table, rows: &[&NodeRow]) -> String {
    let Some(row) = rows.first() else { return String::new() };
    let each = row.told.iter().map(|i| match row.seen[*i].way {
        // Their times are shown if they are equal.
        FailureKind::Away(how) if rows.iter().any(|r| r.seen[*i].away != row.seen[*i].away) => say::nodes::are(how),
        _ => circumstance(&table.checks[*i], &row.seen[*i], rows.len() == 1),
    });
    say::nodes::each_of(&each.collect::<Vec<_>>())
}

/// Returns the clause for nodes that all stop it in the same way.
fn alike(names: Names<'_>, table: &Table, rows: &[&NodeRow]) -> String {
    let (of, cluster) = (rows.len(), names.rm().cluster());
    let emptiest = || rows.iter().copied().max_by_key(|r| (cluster.node(r.node).free(), std::cmp::Reverse(r.node)));
    match rows.first().and_then(|r| r.told.last()).map(|i| &table.checks[*i]) {
        Some(NodeCheck::Free) => {
            let free = rows.iter().map(|r| cluster.node(r.node).free());
            let free = free.fold(Resource::ZERO, |sum, r| sum + r.minus_not_below_zero(Resource::ZERO));
            let free = words::counted_for(free, table.need, cluster.calculator, &cluster.types);
            emptiest().map_or(String::new(), |row| say::free_in_pieces(&free, of, names.node(row.node), &row.has()))
        }
        Some(NodeCheck::NotFull | NodeCheck::Total) => {
            emptiest().map_or(String::new(), |row| say::emptiest(of, names.node(row.node), &row.has()))
        }
        _ => say::none_of(of, &kind(table, rows)),
    }
}
