//! The checks in words: what each needs, its heading, YARN's words, and the words for a count of nodes.

use crate::explain::checks::{FailureKind, Never, NodeCheck, NodeFinding, Table};
use crate::explain::names::Names;
use crate::explain::words;
use heddle_core::constraint::english::whose;
use heddle_core::constraint::namespace::{Namespace, parse_namespace};
use heddle_core::constraint::order::first_of_set;
use heddle_core::constraint::tree::UNLIMITED;
use heddle_core::constraint::xray::Formula;
use heddle_core::constraint::{AttributeOp, Scope, Single, Target};

/// What a check needs, as the end of "Needs a node …".
pub fn wants(names: Names<'_>, table: &Table, check: &NodeCheck) -> String {
    let cluster = names.rm().cluster();
    let need = words::counted(table.need, cluster.calculator, &cluster.types).replace(" · ", " and ");
    match check {
        NodeCheck::Running => "that runs".to_string(),
        NodeCheck::Tried => "that is tried".to_string(),
        NodeCheck::NotHeld => "that nobody holds".to_string(),
        NodeCheck::NotFull => "with room".to_string(),
        NodeCheck::Partition => match names.partition(table.partition) {
            "" => "without a label".to_string(),
            label => format!("with label {label}"),
        },
        NodeCheck::Clause(_, _, leaf) => clause_wants(leaf, table.several_namespaces()),
        NodeCheck::Never(..) => "that can satisfy the constraint".to_string(),
        NodeCheck::Allowed => "that is not blacklisted".to_string(),
        NodeCheck::Near => match &table.anti_affine {
            Some(component) => format!("without an instance of {component}"),
            None => "where it asked to be".to_string(),
        },
        NodeCheck::Total => format!("of at least {need}"),
        NodeCheck::Free => format!("with {need} free"),
        NodeCheck::GivesUp => "for which a reservation can be given up".to_string(),
    }
}

/// What is needed, joined: "either (without zk and with 2 hb) or with java=1.8".
pub fn wants_joined(names: Names<'_>, table: &Table, part: &Formula) -> String {
    let (open, joined, parts) = match part {
        Formula::Check(i) => return table.checks.get(*i).map_or(String::new(), |check| wants(names, table, check)),
        Formula::All(parts) => ("", "and", parts),
        Formula::Any(parts) => ("either ", "or", parts),
    };
    if let [only] = parts.as_slice() {
        return wants_joined(names, table, only);
    }
    let each = parts.iter().map(|part| match (part, wants_joined(names, table, part)) {
        (Formula::All(inner), text) if inner.len() > 1 => format!("({text})"),
        (Formula::Any(_), text) if parts.len() > 1 => format!("({text})"),
        (_, text) => text,
    });
    format!("{open}{}", each.collect::<Vec<_>>().join(&format!(" {joined} ")))
}

/// `several`: the clauses refer to tags of several namespaces.
fn clause_wants(leaf: &Single, several: bool) -> String {
    let of = |text: String| if leaf.scope == Scope::Rack { format!("in a rack {text}") } else { text };
    let parts: Vec<String> = leaf
        .targets
        .iter()
        .map(|target| match target {
            Target::Tags { namespace, values } => {
                let tag = if values.is_empty() { "tagged containers".to_string() } else { values.join(" and ") };
                let whose =
                    if is_own(namespace) && !several { String::new() } else { format!(" {}", whose(namespace)) };
                let tag = format!("{tag}{whose}");
                of(match (leaf.min, leaf.max) {
                    (min, 0) if min <= 0 => format!("without {tag}"),
                    (1, UNLIMITED) => format!("with {tag}"),
                    (min, UNLIMITED) if min > 0 => format!("with at least {min} {tag}"),
                    (min, max) if min <= 0 => format!("with at most {max} {tag}"),
                    (min, max) => format!("with {min} to {max} {tag}"),
                })
            }
            Target::Attribute { name, values } => {
                let value = first_of_set(values).unwrap_or_default();
                match leaf.op {
                    AttributeOp::Ne => format!("without {name}={value}"),
                    _ => format!("with {name}={value}"),
                }
            }
            Target::Partition { values } => match first_of_set(values) {
                None | Some("") => "without a label".to_string(),
                Some(label) => format!("with label {label}"),
            },
        })
        .collect();
    parts.join(" and ")
}

/// Returns whether a namespace means the application's own tags.
pub fn is_own(namespace: &str) -> bool {
    matches!(parse_namespace(namespace), Ok(Namespace::Own))
}

/// A column's heading.
pub fn title(names: Names<'_>, table: &Table, check: &NodeCheck) -> String {
    let cluster = names.rm().cluster();
    let need = || words::counted(table.need, cluster.calculator, &cluster.types);
    match check {
        NodeCheck::Running => "runs".to_string(),
        NodeCheck::Tried => "tried".to_string(),
        NodeCheck::NotHeld => "not held".to_string(),
        NodeCheck::NotFull => "not full".to_string(),
        NodeCheck::Partition => match names.partition(table.partition) {
            "" => "no label".to_string(),
            label => format!("label {label}"),
        },
        NodeCheck::Clause(_, _, leaf) => clause_title(leaf),
        NodeCheck::Never(_, Never::Delayed) => "delayed OR".to_string(),
        NodeCheck::Never(_, Never::Nothing) => "empty OR".to_string(),
        NodeCheck::Allowed => "not blacklisted".to_string(),
        NodeCheck::Near => "place".to_string(),
        NodeCheck::Total => format!("{} in all", need()),
        NodeCheck::Free => format!("{} free", need()),
        NodeCheck::GivesUp => "gives one up".to_string(),
    }
}

/// A clause in a few words: "no zk", "rack ≤ 2 zk", "java=1.8".
pub fn clause_title(leaf: &Single) -> String {
    let rack = if leaf.scope == Scope::Rack { "rack: " } else { "" };
    let parts: Vec<String> = leaf
        .targets
        .iter()
        .map(|target| match target {
            Target::Tags { namespace, values } => {
                let tag = if values.is_empty() { "tags".to_string() } else { values.join("+") };
                let tag = if is_own(namespace) { tag } else { format!("{namespace}/{tag}") };
                match (leaf.min, leaf.max) {
                    (min, 0) if min <= 0 => format!("{rack}no {tag}"),
                    (min, UNLIMITED) => format!("{rack}≥ {min} {tag}"),
                    (min, max) if min <= 0 => format!("{rack}≤ {max} {tag}"),
                    (min, max) => format!("{rack}{min}–{max} {tag}"),
                }
            }
            Target::Attribute { name, values } => {
                let value = first_of_set(values).unwrap_or_default();
                let sign = if leaf.op == AttributeOp::Ne { "≠" } else { "=" };
                format!("{name}{sign}{value}")
            }
            Target::Partition { values } => {
                format!("label {}", first_of_set(values).filter(|v| !v.is_empty()).unwrap_or("–"))
            }
        })
        .collect();
    parts.join(" and ")
}

/// YARN's words when a check fails.
pub fn yarn(check: &NodeCheck) -> &'static str {
    match check {
        // YARN's words for a node that does not run, or is reserved, depend on the node; for one that is not tried there are
        // none.
        NodeCheck::Running | NodeCheck::Tried | NodeCheck::NotHeld => "",
        NodeCheck::NotFull => "Initial check: node resource is insufficient for minimum allocation",
        NodeCheck::Partition | NodeCheck::Clause(..) | NodeCheck::Never(..) => {
            "Node does not match partition or placement constraints"
        }
        NodeCheck::Allowed => "Node is blacklisted",
        NodeCheck::Near => "Node skipped because of off-switch delay",
        NodeCheck::Total => "Node's total resource is insufficient for request",
        NodeCheck::Free => "Node does not have sufficient resource for request",
        NodeCheck::GivesUp => "Node can't find a container to be unreserved when needed",
    }
}

/// A bucket's words after its count.
pub fn bucket(check: &NodeCheck, seen: &NodeFinding, one: bool) -> String {
    let below = seen.way == FailureKind::TooFew;
    let verb = |plural: &str, singular: &str| if one { singular.to_string() } else { plural.to_string() };
    match check {
        NodeCheck::Running => seen.away.clone(),
        NodeCheck::Tried => "not tried, since no policy sorts the nodes for multi-node placement".to_string(),
        NodeCheck::NotHeld => "held".to_string(),
        NodeCheck::NotFull => "full".to_string(),
        NodeCheck::Partition if seen.value == "–" => "without a label".to_string(),
        NodeCheck::Partition => "other label".to_string(),
        NodeCheck::Clause(_, _, leaf) => match leaf.targets.first() {
            Some(Target::Tags { values, .. }) => {
                let tag = format!("{}{}", tags(values), seen.whose);
                let few = below || leaf.max == UNLIMITED;
                match (leaf.scope, leaf.max) {
                    (Scope::Rack, _) if few && leaf.min == 1 => format!("in a rack without {tag}"),
                    (Scope::Rack, _) if few => format!("in a rack with too few {tag}"),
                    (Scope::Rack, 0) => format!("in a rack with {tag}"),
                    (Scope::Rack, _) => format!("in a rack with too many {tag}"),
                    (Scope::Node, _) if few && leaf.min > 1 => {
                        verb(&format!("have too few {tag}"), &format!("has too few {tag}"))
                    }
                    (Scope::Node, _) if few => verb(&format!("lack {tag}"), &format!("lacks {tag}")),
                    (Scope::Node, 0) => verb(&format!("run {tag}"), &format!("runs {tag}")),
                    (Scope::Node, _) => verb(&format!("run too many {tag}"), &format!("runs too many {tag}")),
                }
            }
            Some(Target::Attribute { name, .. }) => format!("other {name}"),
            _ => "other label".to_string(),
        },
        NodeCheck::Never(..) => "cannot be judged".to_string(),
        NodeCheck::Allowed => "blacklisted".to_string(),
        NodeCheck::Near if seen.way == FailureKind::HasInstance => verb("have an instance", "has an instance"),
        NodeCheck::Near if seen.way == FailureKind::RackNotAsked => "without its rack asked for".to_string(),
        NodeCheck::Near => "elsewhere".to_string(),
        NodeCheck::Total if seen.way == FailureKind::NoneThere => format!("{} {}", verb("have", "has"), seen.short),
        NodeCheck::Total => "too small".to_string(),
        NodeCheck::Free => "too full".to_string(),
        NodeCheck::GivesUp => "with nothing to give up".to_string(),
    }
}

/// What nodes that fail a check have in common: the words after their number in a sentence.
pub fn circumstance(check: &NodeCheck, seen: &NodeFinding, one: bool) -> String {
    let below = seen.way == FailureKind::TooFew;
    let verb = |plural: &str, singular: &str| if one { singular.to_string() } else { plural.to_string() };
    let be = |what: &str| format!("{} {what}", if one { "is" } else { "are" });
    let have = |what: &str| format!("{} {what}", if one { "has" } else { "have" });
    match check {
        NodeCheck::Running => have(&format!("been {}", seen.away)),
        NodeCheck::Tried => be("not tried, since no policy sorts the nodes for multi-node placement"),
        NodeCheck::NotHeld => be("held for others"),
        NodeCheck::NotFull => be("full"),
        NodeCheck::Partition if seen.way != FailureKind::Usual => have("another label"),
        NodeCheck::Partition => match seen.value.as_str() {
            "–" => have("no label"),
            label => have(&format!("label {label}")),
        },
        NodeCheck::Clause(_, _, leaf) => match leaf.targets.first() {
            Some(Target::Tags { values, .. }) => {
                let tag = format!("{}{}", tags(values), seen.whose);
                let few = below || leaf.max == UNLIMITED;
                match (leaf.scope, leaf.max) {
                    (Scope::Rack, _) if few && leaf.min == 1 => be(&format!("in a rack without {tag}")),
                    (Scope::Rack, _) if few => be(&format!("in a rack with too few {tag}")),
                    (Scope::Rack, 0) => be(&format!("in a rack with {tag}")),
                    (Scope::Rack, _) => be(&format!("in a rack with too many {tag}")),
                    (Scope::Node, _) if few && leaf.min == 1 => be(&format!("without {tag}")),
                    (Scope::Node, _) if few => have(&format!("too few {tag}")),
                    (Scope::Node, 0) => verb(&format!("run {tag}"), &format!("runs {tag}")),
                    (Scope::Node, _) => verb(&format!("run too many {tag}"), &format!("runs too many {tag}")),
                }
            }
            Some(Target::Attribute { name, .. }) if leaf.op == AttributeOp::Ne => {
                have(&format!("the {name} that it excludes"))
            }
            Some(Target::Attribute { name, .. }) => have(&format!("another {name}, or none")),
            _ => have("another label"),
        },
        NodeCheck::Never(..) => "cannot be judged".to_string(),
        NodeCheck::Allowed => be("blacklisted"),
        NodeCheck::Near if seen.way == FailureKind::RackClosed => be("in a rack that waiting does not open"),
        NodeCheck::Near if seen.way == FailureKind::RackNotAsked => be("asked for without its rack"),
        NodeCheck::Near if seen.way == FailureKind::Later => {
            let needed = seen.value.rsplit(" of ").next().unwrap_or_default();
            let what = if seen.short.ends_with("waited") { "have passed" } else { "chances are missed" };
            be(&format!("kept from it by the locality delay until {needed} {what}"))
        }
        NodeCheck::Near if seen.way == FailureKind::HasInstance => {
            have(&format!("an instance of {}", seen.has.trim_start_matches("has an instance of ")))
        }
        NodeCheck::Near => be("not where it asked to be"),
        NodeCheck::Total if seen.way == FailureKind::NoneThere => have(&seen.short),
        NodeCheck::Total => be("too small"),
        NodeCheck::Free => have("too little room"),
        NodeCheck::GivesUp => have("room only for a reservation given up"),
    }
}

/// The tags that a clause counts; without values it counts those of every container.
fn tags(values: &[String]) -> String {
    if values.is_empty() { "tagged containers".to_string() } else { values.join("+") }
}

/// ① to ⑳, then (21).
pub fn circled(n: usize) -> String {
    match n {
        1..=20 => char::from_u32(0x245F + n as u32).map_or_else(|| n.to_string(), String::from),
        _ => format!("({n})"),
    }
}
