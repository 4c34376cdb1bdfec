//! Constraints as text: YARN's own rendering, which appears in its diagnostics (placement-constraints.md 2.3), and a
//! canonical text that parses back to the same constraint, if there is one.

use super::order::set_order;
use super::spec::{Spec, parse_expression, parse_spec};
use super::{AttributeOp, Constraint, Scope, Single, Target, tree::UNLIMITED};
use std::fmt::Write as _;

/// `PlacementConstraint.toString`: what YARN writes into diagnostics. It omits namespaces, and its rendering of an
/// attribute cannot be parsed.
pub fn yarn_text(constraint: &Constraint) -> String {
    let join = |children: &[Constraint]| children.iter().map(yarn_text).collect::<Vec<_>>().join(":");
    match constraint {
        Constraint::Single(leaf) => yarn_leaf(leaf),
        Constraint::And(children) => format!("and({})", join(children)),
        Constraint::Or(children) => format!("or({})", join(children)),
        Constraint::DelayedOr(children) => {
            // YARN prints the identity hash of each timed child; its constraint is shown instead.
            let timed = |t: &super::Timed| yarn_text(&t.constraint);
            format!("DelayedOr({})", children.iter().map(timed).collect::<Vec<_>>().join(","))
        }
    }
}

/// A leaf as YARN writes it: one piece for each target.
pub fn yarn_leaf(leaf: &Single) -> String {
    leaf.targets.iter().map(|target| yarn_target(leaf, target)).collect::<Vec<_>>().join(":")
}

fn yarn_target(leaf: &Single, target: &Target) -> String {
    let values = set_order(target.values());
    let shown = match target {
        Target::Tags { .. } => values.join(","),
        Target::Attribute { name, .. } => format!("{name}=[{}]", values.join(":")),
        Target::Partition { .. } => format!("yarn_node_partition/=[{}]", values.join(":")),
    };
    let Single { scope, min, max, op, .. } = leaf;
    // Only the bounds decide the form.
    match (*min, *max) {
        (0, 0) => format!("notin,{scope},{shown}"),
        (1, UNLIMITED) => format!("in,{scope},{shown}"),
        (-1, -1) => format!("{scope},{op},{shown}"),
        (min, max) => format!("cardinality,{scope},{shown},{min},{max}"),
    }
}

/// Why a constraint has no text form.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NoText {
    /// What the text form cannot express.
    pub what: String,
}

impl NoText {
    fn because(what: impl Into<String>) -> Self {
        NoText { what: what.into() }
    }
}

/// The canonical text of a constraint: it parses back to the same constraint. `Err` if the text form cannot express it:
/// named applications and application tags, partitions, delayed-or, several tags in one target, names with commas or
/// brackets.
pub fn expression(constraint: &Constraint) -> Result<String, NoText> {
    let text = write(constraint)?;
    match parse_expression(&text) {
        Ok(read) if read.constraint.same(constraint) => Ok(text),
        _ => Err(NoText::because("A name in it holds a character that the text form gives a meaning of its own.")),
    }
}

fn write(constraint: &Constraint) -> Result<String, NoText> {
    let (word, children) = match constraint {
        Constraint::Single(leaf) => return write_leaf(leaf),
        Constraint::DelayedOr(_) => return Err(NoText::because("A delayed OR has no text form.")),
        Constraint::And(children) => ("AND", children),
        Constraint::Or(children) => ("OR", children),
    };
    if children.is_empty() {
        return Err(NoText::because(format!("An {word} without parts has no text form.")));
    }
    let parts = children.iter().map(write).collect::<Result<Vec<_>, _>>()?;
    Ok(format!("{word}({})", parts.join(":")))
}

fn write_leaf(leaf: &Single) -> Result<String, NoText> {
    if let [Target::Attribute { name, values }] = leaf.targets.as_slice() {
        let sign = match leaf.op {
            AttributeOp::Eq => "=",
            AttributeOp::Ne => "!=",
            AttributeOp::NoOp => {
                return Err(NoText::because("An attribute under IN, NOTIN or CARDINALITY has no text form."));
            }
        };
        if (leaf.scope, leaf.min, leaf.max) != (Scope::Node, -1, -1) {
            return Err(NoText::because("An attribute test with bounds has no text form."));
        }
        return Ok(format!("{name}{sign}{}", values.join(",")));
    }
    if leaf.op != AttributeOp::NoOp {
        return Err(NoText::because("EQ and NE with tags have no text form."));
    }
    let mut tags = String::new();
    for target in &leaf.targets {
        let Target::Tags { namespace, values } = target else {
            return Err(NoText::because("A node partition has no text form."));
        };
        let [tag] = values.as_slice() else {
            return Err(NoText::because("Several tags in one target, or none, have no text form."));
        };
        if namespace.contains('/') {
            return Err(NoText::because(format!("The namespace {namespace} has no text form.")));
        }
        let space = if namespace == "self" && !tag.contains('/') { String::new() } else { format!("{namespace}/") };
        let _ = write!(tags, ",{space}{tag}");
    }
    let scope = match leaf.scope {
        Scope::Node => "NODE",
        Scope::Rack => "RACK",
    };
    Ok(if leaf.is_in() {
        format!("IN,{scope}{tags}")
    } else if leaf.is_not_in() {
        format!("NOTIN,{scope}{tags}")
    } else {
        format!("CARDINALITY,{scope}{tags},{},{}", leaf.min, leaf.max)
    })
}

/// The canonical text of a spec: it parses back to the same entries.
pub fn spec(spec: &Spec) -> Result<String, NoText> {
    let mut parts = Vec::new();
    for entry in &spec.entries {
        let constraint = entry.constraint.as_ref().map(expression).transpose()?;
        parts.push(match (&entry.source, constraint) {
            (Some(source), Some(text)) => format!("{}({}),{text}", source.tag, source.count),
            (Some(source), None) => format!("{}({})", source.tag, source.count),
            (None, text) => text.unwrap_or_default(),
        });
    }
    // A spec of only colons has no entries.
    let text = if parts.is_empty() { ":".to_string() } else { parts.join(":") };
    let same = |read: &Spec| {
        read.entries.len() == spec.entries.len()
            && read.entries.iter().zip(&spec.entries).all(|(a, b)| {
                (a.tag(), a.count()) == (b.tag(), b.count())
                    && match (&a.constraint, &b.constraint) {
                        (Some(a), Some(b)) => a.same(b),
                        (None, None) => true,
                        _ => false,
                    }
            })
    };
    match parse_spec(&text) {
        Ok(read) if same(&read) => Ok(text),
        _ => Err(NoText::because("A name in it holds a character that the text form gives a meaning of its own.")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn yarns_rendering_is_yarns() {
        for (text, yarn) in [
            ("IN,NODE,a", "in,node,a"),
            ("NOTIN, rack, all/a", "notin,rack,a"),
            ("cardinality,node,a,1,3", "cardinality,node,a,1,3"),
            ("java=1.8", "node,EQ,java=[1.8]"),
            ("AND(in,node,a:or(java!=1.8:notin,node,b))", "and(in,node,a:or(node,NE,java=[1.8]:notin,node,b))"),
        ] {
            assert_eq!(yarn_text(&parse_expression(text).unwrap().constraint), yarn);
        }
        let tags = Constraint::cardinality(Scope::Node, "self", -1, -1, ["a"]);
        assert_eq!(yarn_text(&tags), "node,NO_OP,a");
    }

    #[test]
    fn the_canonical_text_parses_back_or_says_why_there_is_none() {
        for text in
            ["IN,NODE,a,all/b", "NOTIN,RACK,not-self/a", "AND(java=1.7,1.8:OR(IN,NODE,a:CARDINALITY,RACK,a,0,2))"]
        {
            assert_eq!(expression(&parse_expression(text).unwrap().constraint).as_deref(), Ok(text));
        }
        for constraint in [
            Constraint::target_in(Scope::Node, [Target::tags("app-id/application_1_0001", ["a"])]),
            Constraint::target_in(Scope::Node, [Target::partition(["x"])]),
            Constraint::target_in(Scope::Node, [Target::own_tags(["a,b"])]),
            Constraint::cardinality(Scope::Node, "self", 0, 1, ["a", "b"]),
            Constraint::DelayedOr(Vec::new()),
            Constraint::And(Vec::new()),
        ] {
            assert!(expression(&constraint).is_err(), "{constraint:?}");
        }
        let text = "zk(3),AND(IN,RACK,hbase:NOTIN,NODE,zk):hbase(2)";
        assert_eq!(spec(&parse_spec(text).unwrap()).as_deref(), Ok(text));
    }
}
