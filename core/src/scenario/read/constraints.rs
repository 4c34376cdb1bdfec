//! Reads constraints: YARN's own text, or the table for constraints that the text cannot express
//! ([`super::super::notation`] writes both).

use super::super::application::{ConstraintText, TaggedConstraint};
use super::fields::{Fields, Reader, SOURCE};
use crate::constraint::{AttributeOp, Constraint, Scope, Single, Target, Timed, parse_expression, tree::UNLIMITED};
use crate::model::limits::PLACEMENT_SPEC_DEPTH;
use crate::model::{Problem, Span};
use toml_edit::{Item, Value};

/// Reads `constraints`, which an ApplicationMaster sends when it registers.
pub fn tagged_constraints(r: &mut Reader<'_>, f: &mut Fields<'_>) -> Vec<TaggedConstraint> {
    let mut out = Vec::new();
    for mut t in f.tables(r, "constraints", "a constraint") {
        let tags = t.texts(r, "tags");
        match constraint(r, &mut t, "constraint") {
            Some(constraint) => out.push(TaggedConstraint { tags, constraint }),
            None if !t.has("constraint") => r.error(t.span, "A constraint needs `constraint`.", "Add its text."),
            None => {}
        }
        t.finish(r);
    }
    out
}

/// Reads a constraint: a text, parsed as YARN parses it, or a table. Problems are placed in the scenario.
pub fn constraint(r: &mut Reader<'_>, f: &mut Fields<'_>, key: &'static str) -> Option<ConstraintText> {
    let (item, span) = f.item(key)?;
    let tree = match item {
        Item::Value(value) => of_value(r, value, span, 0),
        _ => match item.as_table_like() {
            Some(table) => of_table(r, &mut Fields::new(table, span, "a constraint"), 0),
            None => of_value(r, &Value::from(0), span, 0),
        },
    }?;
    let written = r.text.get(span.start..span.end).unwrap_or_default();
    let text = item.as_str().unwrap_or(written).to_string();
    let span = r.content_span(span, &text);
    Some(ConstraintText { text, span, tree: Some(tree) })
}

fn of_value(r: &mut Reader<'_>, value: &Value, span: Span, depth: usize) -> Option<Constraint> {
    match value {
        Value::String(text) => {
            let place = r.content_offset(span, text.value());
            match parse_expression(text.value()) {
                Ok(read) => {
                    read.warnings.into_iter().for_each(|w| add_inside(r, w, span, place));
                    Some(read.constraint)
                }
                Err(e) => {
                    add_inside(r, e.problem, span, place);
                    None
                }
            }
        }
        Value::InlineTable(table) => of_table(r, &mut Fields::new(table, span, "a constraint"), depth),
        _ => {
            r.error(span, "A constraint is a text or a table.", "Write \"notin,node,zk\" or { scope = \"node\", … }.");
            None
        }
    }
}

fn of_table(r: &mut Reader<'_>, f: &mut Fields<'_>, depth: usize) -> Option<Constraint> {
    if depth > PLACEMENT_SPEC_DEPTH {
        r.error(f.span, format!("Constraints nest at most {PLACEMENT_SPEC_DEPTH} deep."), "");
        return None;
    }
    let made = if f.has("and") {
        children(r, f, "and", depth).map(Constraint::And)
    } else if f.has("or") {
        children(r, f, "or", depth).map(Constraint::Or)
    } else if f.has("delayed_or") {
        delayed(r, f, depth)
    } else {
        leaf(r, f).map(Constraint::Single)
    };
    f.finish(r);
    made
}

fn children(r: &mut Reader<'_>, f: &mut Fields<'_>, key: &'static str, depth: usize) -> Option<Vec<Constraint>> {
    let (item, span) = f.item(key)?;
    match item {
        Item::Value(Value::Array(list)) => {
            let read: Vec<_> = list.iter().map(|v| of_value(r, v, span_of(v, span), depth + 1)).collect();
            read.into_iter().collect()
        }
        Item::ArrayOfTables(list) => {
            let read: Vec<_> = list
                .iter()
                .map(|t| {
                    let at = t.span().map_or(span, |s| Span::new(s.start, s.end));
                    of_table(r, &mut Fields::new(t, at, "a constraint"), depth + 1)
                })
                .collect();
            read.into_iter().collect()
        }
        _ => {
            r.error(span, format!("`{key}` is not a list of constraints."), "Write [\"notin,node,zk\", …].");
            None
        }
    }
}

fn span_of(value: &Value, whole: Span) -> Span {
    value.span().map_or(whole, |s| Span::new(s.start, s.end))
}

fn delayed(r: &mut Reader<'_>, f: &mut Fields<'_>, depth: usize) -> Option<Constraint> {
    let (what, mend) = (
        "YARN carries a delayed OR but cannot evaluate it: no container with this constraint ever starts.",
        "Use `or`; its delays are not modelled by YARN either.",
    );
    r.warning(f.key_span("delayed_or").unwrap_or(f.span), what, mend);
    let mut out = Some(Vec::new());
    for mut t in f.tables(r, "delayed_or", "a part with its delay") {
        let span = t.span;
        let opportunities = t.integer(r, "opportunities", 0..=i64::MAX);
        let delay = opportunities.or_else(|| t.time(r, "delay"));
        let child = match t.item("constraint") {
            Some((Item::Value(value), at)) => of_value(r, value, at, depth + 1),
            _ => {
                r.error(span, "A part of a delayed OR needs `constraint`.", "Add its text.");
                None
            }
        };
        t.finish(r);
        let timed =
            child.map(|c| Timed { constraint: c, delay: delay.unwrap_or(0), opportunities: opportunities.is_some() });
        match (&mut out, timed) {
            (Some(list), Some(timed)) => list.push(timed),
            _ => out = None,
        }
    }
    out.map(Constraint::DelayedOr)
}

fn one_of<T: Copy>(r: &mut Reader<'_>, f: &mut Fields<'_>, key: &'static str, known: &[(&str, T)]) -> Option<T> {
    let (text, span) = f.text_at(r, key)?;
    let found = known.iter().find(|(name, _)| name.eq_ignore_ascii_case(&text)).map(|(_, v)| *v);
    if found.is_none() {
        let names: Vec<&str> = known.iter().map(|(name, _)| *name).collect();
        r.error(span, format!("`{text}` is not known for `{key}`."), format!("Write {}.", names.join(" or ")));
    }
    found
}

fn leaf(r: &mut Reader<'_>, f: &mut Fields<'_>) -> Option<Single> {
    if !f.has("scope") {
        r.error(f.span, "A constraint needs `scope`, or `and`, `or`.", "Add scope = \"node\" or scope = \"rack\".");
    }
    let scope = one_of(r, f, "scope", &[("node", Scope::Node), ("rack", Scope::Rack)]);
    let op = if f.has("op") {
        one_of(r, f, "op", &[("EQ", AttributeOp::Eq), ("NE", AttributeOp::Ne), ("NO_OP", AttributeOp::NoOp)])
    } else {
        Some(AttributeOp::NoOp)
    };
    // The builder of attribute tests sets both bounds to -1.
    let (low, high) = if op == Some(AttributeOp::NoOp) { (0, UNLIMITED) } else { (-1, -1) };
    let (min, max) = (f.int32(r, "min").unwrap_or(low), f.int32(r, "max").unwrap_or(high));
    let mut targets = Vec::new();
    for mut t in f.tables(r, "targets", "a target") {
        // An empty value has a meaning: no attribute value, or the default partition.
        let verbatim = t.item("values").and_then(|(item, _)| {
            item.as_array()?.iter().map(|v| v.as_str().map(String::from)).collect::<Option<Vec<_>>>()
        });
        let values = verbatim.unwrap_or_else(|| t.texts(r, "values"));
        let attribute = t.name(r, "attribute").map(|(name, _)| name);
        let partition = t.boolean(r, "partition").unwrap_or(false);
        let namespace = t.text(r, "namespace");
        targets.push(match (attribute, partition) {
            (Some(name), _) => Target::Attribute { name, values },
            (None, true) => Target::Partition { values },
            (None, false) => Target::Tags { namespace: namespace.unwrap_or_else(|| "self".into()), values },
        });
        t.finish(r);
    }
    Some(Single::new(scope?, min, max, op?, targets))
}

/// Adds a problem of a text inside the scenario.
pub fn add_inside(r: &mut Reader<'_>, mut problem: Problem, whole: Span, place: Option<usize>) {
    problem.span = match (problem.span, place) {
        (Some(span), Some(at)) => Some(span.shift(at)),
        _ => Some(whole),
    };
    if place.is_none() {
        problem.fix = None;
    }
    problem.source = SOURCE.into();
    r.add(problem);
}
