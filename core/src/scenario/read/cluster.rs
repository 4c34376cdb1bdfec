//! Reads nodes, labels, users and timing.

use super::super::document::{Node, Phases, Timing};
use super::super::units::AMOUNT_MAX;
use super::fields::{Fields, Reader};
use crate::api::{NodeLabel, NodeSpec, Properties};
use crate::model::{Span, limits};
use indexmap::IndexMap;
use toml_edit::{Item, Value};

/// YARN's name for the rack of a node that names none.
const RACK_DEFAULT: &str = "/default-rack";
/// The port of a node that names none.
const PORT_DEFAULT: i64 = 45_454;

/// Reads `[timing]`, which overrides the intervals that yarn-site.xml sets.
pub fn timing(r: &mut Reader<'_>, fields: Option<Fields<'_>>, site: &Properties, capacity: &Properties) -> Timing {
    let mut t = Timing::default();
    let number = |from: &Properties, key: &str| {
        from.get(key).and_then(|v| v.trim().parse::<i64>().ok()).filter(|n| (1..=AMOUNT_MAX).contains(n))
    };
    for (key, place) in [
        ("yarn.resourcemanager.nodemanagers.heartbeat-interval-ms", &mut t.node_heartbeat),
        ("yarn.nm.liveness-monitor.expiry-interval-ms", &mut t.node_expiry),
        ("yarn.am.liveness-monitor.expiry-interval-ms", &mut t.am_expiry),
        ("yarn.resourcemanager.rm.container-allocation.expiry-interval-ms", &mut t.allocation_expiry),
    ] {
        *place = number(site, key).unwrap_or(*place);
    }
    let interval = "yarn.scheduler.capacity.schedule-asynchronously.scheduling-interval-ms";
    t.async_interval = number(capacity, interval).unwrap_or(t.async_interval);

    let Some(mut f) = fields else { return t };
    for (key, place, least) in [
        ("node_heartbeat", &mut t.node_heartbeat, 1),
        ("am_heartbeat", &mut t.am_heartbeat, 1),
        ("launch", &mut t.launch, 0),
        ("am_start", &mut t.am_start, 0),
        ("stop", &mut t.stop, 0),
        ("node_expiry", &mut t.node_expiry, 3),
        ("am_expiry", &mut t.am_expiry, 3),
        ("allocation_expiry", &mut t.allocation_expiry, 3),
        ("async_interval", &mut t.async_interval, 1),
    ] {
        if let Some(ms) = f.time(r, key) {
            if ms < least {
                r.error(f.span, format!("`{key}` must be at least {least} ms."), "Write a longer time.");
            } else {
                *place = ms;
            }
        }
    }
    if let Some((text, span)) = f.text_at(r, "phases") {
        match text.as_str() {
            "spread" => t.phases = Phases::Spread,
            "aligned" => t.phases = Phases::Aligned,
            "seeded" => t.phases = Phases::Seeded,
            _ => r.error(span, format!("`{text}` is not known for `phases`."), "Write spread, aligned or seeded."),
        }
    }
    t.extra_heartbeat = f.boolean(r, "extra_heartbeat").unwrap_or(t.extra_heartbeat);
    f.finish(r);
    t
}

/// Reads `labels = ["gpu", "x(exclusive=false)"]` or `[[labels]]` with `name` and `exclusive`.
pub fn labels(r: &mut Reader<'_>, root: &mut Fields<'_>) -> Vec<NodeLabel> {
    let Some((item, span)) = root.item("labels") else { return Vec::new() };
    let mut out: Vec<NodeLabel> = Vec::new();
    let mut add = |r: &mut Reader<'_>, name: String, exclusive: bool, span: Span| {
        let plain = |c: char| c.is_ascii_alphanumeric() || c == '-' || c == '_';
        if name.is_empty() || name.len() > 255 || name.starts_with(['-', '_']) || !name.chars().all(plain) {
            let mend = "A label has letters, digits, `-` and `_`, and begins with a letter or digit.";
            r.error(span, format!("`{name}` cannot be a node label."), mend);
        } else if out.iter().any(|l| l.name == name) {
            r.error(span, format!("The label `{name}` is listed twice."), "Take one away.");
        } else if out.len() + 1 >= limits::PARTITIONS {
            r.error(span, format!("There are more than {} labels.", limits::PARTITIONS - 1), "Take some away.");
        } else {
            out.push(NodeLabel { name, exclusive });
        }
    };
    if let Item::Value(Value::Array(list)) = item
        && list.iter().all(|v| v.is_str())
    {
        for value in list {
            let at = value.span().map_or(span, |s| Span::new(s.start, s.end));
            let text = value.as_str().unwrap_or("").trim();
            let (name, rest) = text.split_once('(').unwrap_or((text, ")"));
            let inside = rest.strip_suffix(')').map(|s| s.split_whitespace().collect::<String>());
            match inside.as_deref() {
                Some("" | "exclusive=true") => add(r, name.trim().to_string(), true, at),
                Some("exclusive=false") => add(r, name.trim().to_string(), false, at),
                _ => r.error(at, format!("`{text}` is not a node label."), "Write `gpu` or `gpu(exclusive=false)`."),
            }
        }
        return out;
    }
    for mut f in root.tables(r, "labels", "a label") {
        let exclusive = f.boolean(r, "exclusive").unwrap_or(true);
        if let Some((name, span)) = f.required_name(r, "name") {
            add(r, name, exclusive, span);
        }
        f.finish(r);
    }
    out
}

/// Reads `[users]`: the groups of each user.
pub fn users(r: &mut Reader<'_>, root: &mut Fields<'_>) -> IndexMap<String, Vec<String>> {
    let mut out = IndexMap::new();
    let Some(mut f) = root.table(r, "users", "users") else { return out };
    for (user, item, span) in f.entries() {
        let groups: Option<Vec<String>> = match item {
            Item::Value(Value::String(s)) => {
                Some(s.value().split(',').map(str::trim).filter(|t| !t.is_empty()).map(String::from).collect())
            }
            Item::Value(Value::Array(a)) => a.iter().map(|v| v.as_str().map(String::from)).collect(),
            _ => None,
        };
        match groups {
            Some(groups) => {
                out.insert(user.to_string(), groups);
            }
            None => r.error(span, format!("The groups of `{user}` are not a list of texts."), "Write [\"group\"]."),
        }
    }
    out
}

/// Returns the names of further resource types that nodes have, in the order of their first mention.
pub fn types_of_nodes(r: &mut Reader<'_>, root: &mut Fields<'_>) -> Vec<String> {
    let mut out: Vec<String> = Vec::new();
    let mut add = |name: &str| {
        if !matches!(name, "memory" | "memory-mb" | "vcores") && !out.iter().any(|n| n == name) {
            out.push(name.to_string());
        }
    };
    let quiet = &mut Reader::new(r.text);
    for mut f in root.tables(quiet, "nodes", "a node") {
        if let Some(mut more) = f.table(quiet, "resources", "resources") {
            more.entries().iter().for_each(|(name, ..)| add(name));
        }
        match f.item("size") {
            Some((Item::Value(Value::String(s)), _)) => {
                if let Ok(size) = super::super::units::parse_size(s.value()) {
                    size.more.iter().for_each(|(name, _)| add(name));
                }
            }
            Some((item, span)) => {
                if let Some(t) = item.as_table_like() {
                    Fields::new(t, span, "a size").entries().iter().for_each(|(name, ..)| add(name));
                }
            }
            None => {}
        }
    }
    out
}

/// Reads `[[nodes]]`.
pub fn nodes(r: &mut Reader<'_>, root: &mut Fields<'_>) -> Vec<Node> {
    let mut out: Vec<Node> = Vec::new();
    for (entry, mut f) in root.tables(r, "nodes", "a node").into_iter().enumerate() {
        out.extend(node_group(r, &mut f, entry, out.len()));
        f.finish(r);
    }
    out
}

/// Reads the nodes of one entry: several with a `count`, else one. `have` is the number of nodes read before.
pub fn node_group(r: &mut Reader<'_>, f: &mut Fields<'_>, entry: usize, have: usize) -> Vec<Node> {
    r.entry(|r| group(r, f, entry, have))
}

fn group(r: &mut Reader<'_>, f: &mut Fields<'_>, entry: usize, have: usize) -> Vec<Node> {
    let span = f.span;
    let name = f.required_name(r, "name");
    let count = f.integer(r, "count", 0..=i64::MAX);
    let before = r.problems.count();
    let total = f.size(r, "size", (0, 1));
    let told = r.problems.count() > before;
    let label = f.text(r, "label");
    let port = f.integer(r, "port", 0..=65_535).unwrap_or(PORT_DEFAULT) as i32;
    let at = f.time(r, "at").unwrap_or(0);
    let attributes = attributes(r, f, "attributes");
    let racks = racks(r, f);

    let Some((name, name_span)) = name else { return Vec::new() };
    let total = match total {
        Some(total) if total.memory_mb() > 0 => total,
        // The error in the size was reported already.
        _ if told => return Vec::new(),
        _ => {
            r.error(span, format!("The node `{name}` has no memory."), "Add `size = \"64 GB/16\"`.");
            return Vec::new();
        }
    };
    let n = usize::try_from(count.unwrap_or(1)).unwrap_or(usize::MAX);
    if n.saturating_add(have) > limits::NODES {
        let what = format!("{} nodes are more than the {} that can be played.", n.saturating_add(have), limits::NODES);
        r.error(span, what, "Lower `count`.");
        return Vec::new();
    }
    if name.chars().any(char::is_whitespace) || name == "*" || name.starts_with('/') {
        r.error(name_span, format!("`{name}` cannot be a host name."), "Write a name without blanks such as \"n1\".");
        return Vec::new();
    }
    let names = match unroll(&name, count.is_some(), n) {
        Ok(names) => names,
        Err(what) => {
            r.error(name_span, what, "Write `n{}`, `n{01}` for two digits from 01, or leave the braces out.");
            return Vec::new();
        }
    };
    names
        .into_iter()
        .enumerate()
        .map(|(i, host)| Node {
            spec: NodeSpec {
                host,
                port,
                rack: racks.get(i * racks.len() / n.max(1)).cloned().unwrap_or_else(|| RACK_DEFAULT.into()),
                total,
                label: label.clone(),
            },
            attributes: attributes.clone(),
            at,
            entry,
            span: name_span,
        })
        .collect()
}

/// Reads `rack = "/r1"`, `racks = ["/r1", "/r2"]` or `racks = 3` (`/r1` to `/r3`), which split the group into equal runs.
fn racks(r: &mut Reader<'_>, f: &mut Fields<'_>) -> Vec<String> {
    let mut racks = Vec::new();
    let mut span = f.span;
    if let Some((rack, at)) = f.text_at(r, "rack") {
        span = at;
        racks.push(rack);
    }
    if let Some((item, at)) = f.item("racks") {
        span = at;
        if !racks.is_empty() {
            r.error(at, "A node entry has either `rack` or `racks`.", "Take one away.");
        }
        racks = match item {
            Item::Value(Value::Integer(n)) => match usize::try_from(*n.value()) {
                Ok(n) if (1..=limits::NODES).contains(&n) => (1..=n).map(|i| format!("/r{i}")).collect(),
                _ => {
                    r.error(at, format!("There can be 1 to {} racks.", limits::NODES), "Change the number.");
                    Vec::new()
                }
            },
            _ => f.texts(r, "racks"),
        };
    }
    for rack in &mut racks {
        if !rack.starts_with('/') || rack.len() < 2 || rack.chars().any(char::is_whitespace) {
            r.error(span, format!("`{rack}` is not a rack."), "A rack's name begins with a slash: \"/r1\".");
            *rack = RACK_DEFAULT.into();
        }
    }
    racks
}

/// Reads a table of names and values.
pub fn attributes(r: &mut Reader<'_>, f: &mut Fields<'_>, key: &'static str) -> Vec<(String, String)> {
    let Some(mut table) = f.table(r, key, "attributes") else { return Vec::new() };
    let mut out = Vec::new();
    for (name, item, span) in table.entries() {
        match item.as_value() {
            Some(Value::String(s)) => out.push((name.to_string(), s.value().clone())),
            Some(Value::Integer(n)) => out.push((name.to_string(), n.value().to_string())),
            Some(Value::Boolean(b)) => out.push((name.to_string(), b.value().to_string())),
            _ => r.error(span, format!("The attribute `{name}` has no text as its value."), "Write it in quotes."),
        }
    }
    out
}

/// Returns the names of a group: `{}` is the number from 1, `{01}` from 1 with two digits, `{0}` from 0. Without braces the
/// number is appended if there is a count. Errors: what is wrong with the pattern.
pub fn unroll(pattern: &str, counted: bool, n: usize) -> Result<Vec<String>, String> {
    let (before, first, after) = match (pattern.split_once('{'), counted) {
        (None, false) => return Ok(vec![pattern.to_string(); n]),
        (None, true) => (pattern, "1", ""),
        (Some((before, rest)), _) => {
            let (inside, after) =
                rest.split_once('}').ok_or_else(|| format!("`{pattern}` has a `{{` without `}}`."))?;
            if inside.len() > 9 || !inside.bytes().all(|b| b.is_ascii_digit()) || after.contains(['{', '}']) {
                return Err(format!("`{pattern}` is not a pattern of names."));
            }
            (before, if inside.is_empty() { "1" } else { inside }, after)
        }
    };
    let start: usize = first.parse().map_err(|_| format!("`{pattern}` is not a pattern of names."))?;
    let width = first.len();
    Ok((start..start.saturating_add(n)).map(|i| format!("{before}{i:0width$}{after}")).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patterns_of_names() {
        assert_eq!(unroll("n", true, 2), Ok(vec!["n1".into(), "n2".into()]));
        assert_eq!(unroll("n", false, 1), Ok(vec!["n".into()]));
        assert_eq!(unroll("n{}.x", true, 2), Ok(vec!["n1.x".into(), "n2.x".into()]));
        assert_eq!(unroll("n{01}", true, 2), Ok(vec!["n01".into(), "n02".into()]));
        assert_eq!(unroll("n{0}", true, 2), Ok(vec!["n0".into(), "n1".into()]));
        assert!(unroll("n{", true, 2).is_err() && unroll("n{x}", true, 2).is_err() && unroll("{}{}", true, 2).is_err());
    }
}
