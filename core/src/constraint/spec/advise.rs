//! Warnings about texts that YARN accepts: where the parser reads a text differently from the manual, and where a
//! constraint has another meaning than people expect (placement-constraints.md sections 3.4, 5 and 13). YARN has none
//! of these.

use super::grammar::{self, Ignored};
use super::{Clause, SOURCE, Spec};
use crate::constraint::order::{first_of_set, trim};
use crate::constraint::{AttributeOp, Constraint, Single, Target, tree::UNLIMITED};
use crate::model::{Problem, Severity, Span};

/// Warnings about a whole spec.
pub(super) fn spec(text: &str, spec: &Spec, ignored: &[Ignored]) -> Vec<Problem> {
    let mut advice = Advice { text, parted: false, out: Vec::new() };
    for (at, entry) in spec.entries.iter().enumerate() {
        if let Some(source) = &entry.source {
            advice.source(&source.tag, source.count, source.span, source.count_span);
            let later = spec.entries[at + 1..].iter().any(|e| e.source.is_some() && e.tag() == source.tag);
            if later {
                let what = format!(
                    "`{0}` comes again further on: the distributed shell keeps only the last entry of a tag, so these {1} containers are never asked for.",
                    source.tag, source.count
                );
                advice.warn(entry.span, what).mend = "Give the entries different tags.".into();
            }
        }
        if let Some(constraint) = &entry.constraint {
            advice.constraint(constraint, &spec.clauses[entry.clauses.clone()], Some(entry.tag()));
        }
    }
    advice.ignored(ignored);
    advice.finish()
}

/// Warnings about a single constraint.
pub(super) fn expression(text: &str, constraint: &Constraint, clauses: &[Clause], ignored: &[Ignored]) -> Vec<Problem> {
    let mut advice = Advice { text, parted: false, out: Vec::new() };
    advice.constraint(constraint, clauses, None);
    advice.ignored(ignored);
    advice.finish()
}

/// The position of a leaf among AND and OR.
#[derive(Clone, Copy)]
struct Standing {
    /// Whether the whole constraint keeps the first container out if this leaf does: all parts of each enclosing OR do.
    decides: bool,
    /// Whether no OR encloses it.
    alone: bool,
    /// Whether an AND or an OR encloses it.
    joined: bool,
}

/// Appends the standing of each leaf, in the order of [`Constraint::leaves`].
fn stand(constraint: &Constraint, own: Option<&str>, here: Standing, out: &mut Vec<Standing>) {
    match constraint {
        Constraint::Single(_) => out.push(here),
        Constraint::And(children) => {
            let inside = Standing { joined: true, ..here };
            children.iter().for_each(|c| stand(c, own, inside, out));
        }
        Constraint::Or(children) => {
            let inside =
                Standing { decides: here.decides && keeps_out_first(constraint, own), alone: false, joined: true };
            children.iter().for_each(|c| stand(c, own, inside, out));
        }
        // The text form cannot express it.
        Constraint::DelayedOr(children) => {
            let inside = Standing { decides: false, alone: false, joined: true };
            children.iter().for_each(|timed| stand(&timed.constraint, own, inside, out));
        }
    }
}

/// Returns whether the first container tagged `own` can never meet the constraint.
fn keeps_out_first(constraint: &Constraint, own: Option<&str>) -> bool {
    match constraint {
        Constraint::Single(leaf) => never(leaf) || leaf.min >= 1 && names(leaf, own),
        Constraint::And(children) => children.iter().any(|c| keeps_out_first(c, own)),
        Constraint::Or(children) => children.iter().all(|c| keeps_out_first(c, own)),
        Constraint::DelayedOr(_) => false,
    }
}

/// Returns whether no count is within the bounds. Tests of attributes have no bounds.
fn never(leaf: &Single) -> bool {
    let counts = leaf.targets.iter().all(|t| matches!(t, Target::Tags { .. }));
    counts && (leaf.min > leaf.max || leaf.max < 0)
}

/// Returns whether a leaf counts the application's own containers tagged `own`.
fn names(leaf: &Single, own: Option<&str>) -> bool {
    let named = |t: &Target| match t {
        Target::Tags { namespace, values } => {
            namespace == "self" && own.is_some_and(|own| values.iter().any(|v| v == own))
        }
        Target::Attribute { .. } | Target::Partition { .. } => false,
    };
    leaf.targets.iter().any(named)
}

struct Advice<'a> {
    text: &'a str,
    /// Whether a colon between two constraints has been tried as a fix.
    parted: bool,
    out: Vec<Problem>,
}

impl Advice<'_> {
    fn push(&mut self, severity: Severity, span: Span, what: String) -> &mut Problem {
        let mut problem = Problem::warning(SOURCE, span, what);
        problem.severity = severity;
        self.out.push(problem);
        let last = self.out.len() - 1;
        &mut self.out[last]
    }

    fn warn(&mut self, span: Span, what: impl Into<String>) -> &mut Problem {
        self.push(Severity::Warning, span, what.into())
    }

    fn note(&mut self, span: Span, what: impl Into<String>) -> &mut Problem {
        self.push(Severity::Note, span, what.into())
    }

    fn finish(mut self) -> Vec<Problem> {
        crate::model::order::sort_by_key(&mut self.out, |p| p.span.map_or(0, |s| s.start));
        self.out
    }

    fn source(&mut self, tag: &str, count: i32, span: Span, count_span: Span) {
        if trim(tag) != tag {
            let what = format!("The source tag is `{tag}` with its blanks: it is not the tag `{}`.", trim(tag));
            let fix = trim(tag).to_string();
            let problem = self.warn(span, what);
            problem.mend = "Take the blanks away.".into();
            problem.fix = Some(fix);
        }
        if count <= 0 {
            self.warn(count_span, format!("The count is {count}: no container is asked for."));
        }
    }

    fn constraint(&mut self, constraint: &Constraint, clauses: &[Clause], own: Option<&str>) {
        let mut standing = Vec::new();
        stand(constraint, own, Standing { decides: true, alone: true, joined: false }, &mut standing);
        for ((leaf, clause), standing) in constraint.leaves().into_iter().zip(clauses).zip(standing) {
            self.leaf(leaf, clause, own, standing);
        }
    }

    fn leaf(&mut self, leaf: &Single, clause: &Clause, own: Option<&str>, standing: Standing) {
        let attribute = leaf.targets.iter().any(|t| matches!(t, Target::Attribute { .. }));
        for span in &clause.values {
            let value = self.text.get(span.start..span.end).unwrap_or_default().to_string();
            self.value(&value, *span, attribute);
            let begins = ["in", "notin", "cardinality"].contains(&value.to_ascii_lowercase().as_str());
            if begins && !attribute {
                self.swallowed(&value, *span, standing);
            }
        }
        for target in &leaf.targets {
            match target {
                Target::Attribute { name, values } => self.attribute(name, values, leaf.op, clause),
                Target::Tags { namespace, .. } if namespace == "app-id" || namespace == "app-tag" => {
                    self.warn(clause.span, format!("`{namespace}/tag` passes the parser but fails when it is evaluated: the name of the application is missing, and the text form has no place for it."))
                        .mend = "Build this constraint with the builder form.".into();
                }
                _ => {}
            }
        }
        if attribute {
            return;
        }
        if leaf.targets.is_empty() {
            let what = "No tag is named, so this always holds: there is nothing to look for.";
            self.warn(clause.span, what);
        }
        if never(leaf) {
            let what = if leaf.max < 0 {
                format!("The maximum is {}: no node can ever have fewer than 0.", leaf.max)
            } else {
                format!("The minimum {} is above the maximum {}: this can never hold.", leaf.min, leaf.max)
            };
            self.warn(clause.span, what);
        }
        self.own_tag(leaf, clause, own, standing);
        if leaf.is_in() && leaf.targets.len() > 1 {
            self.note(
                clause.span,
                "All of these tags must be there, not one of them (the manual says: one of them).",
            )
            .mend = "For one of them write OR(…:…).".into();
        }
    }

    fn own_tag(&mut self, leaf: &Single, clause: &Clause, own: Option<&str>, standing: Standing) {
        if !names(leaf, own) {
            return;
        }
        let own = own.unwrap_or_default();
        if leaf.min >= 1 && standing.decides {
            self.warn(clause.span, format!("The first `{own}` can never start: it wants at least {} `{own}` already there, and it does not count itself.", leaf.min))
                .mend = format!("Let another tag of the application start first and refer to that, or drop `{own}` here.");
        } else if leaf.min < 1 && leaf.max > 0 && leaf.max < UNLIMITED && standing.alone {
            let place = leaf.scope;
            self.note(
                clause.span,
                format!("Counted before placing: up to {} `{own}` can come onto one {place}.", i64::from(leaf.max) + 1),
            )
            .mend = format!("For at most {0} write {1} as the maximum.", leaf.max, leaf.max - 1);
        }
    }

    fn value(&mut self, value: &str, span: Span, attribute: bool) {
        if let Some(at) = value.find(';') {
            let place = Span::new(span.start + at, span.start + at + 1);
            let what = format!(
                "`;` parts nothing: it belongs to the name `{value}`. The manual's grammar shows it between entries, but the parser takes only `:`, and what follows is swallowed."
            );
            let problem = self.warn(place, what);
            problem.mend = "Write `:` instead.".into();
            problem.fix = Some(":".into());
        } else if attribute {
            if value.contains(['(', ')', ':']) {
                self.warn(span, format!("`{value}`, bracket or colon included, is the attribute's value."));
            }
        } else if value.contains('=') {
            self.warn(span, format!("`{value}` is a tag here, not an attribute test.")).mend =
                "Write an attribute test alone, without IN and scope; join it to others with AND(…:…).".into();
        } else if value.contains(['(', ')']) {
            self.warn(span, format!("The bracket belongs to the tag `{value}`."));
        }
    }

    /// Warns that the word that begins a constraint stands among the tags of the previous one.
    fn swallowed(&mut self, word: &str, span: Span, standing: Standing) {
        let before = span.start.checked_sub(1).filter(|at| self.text.get(*at..span.start) == Some(","));
        let what = format!("`{word}` is a tag here: the constraint before it takes every name behind it.");
        match before {
            Some(at) if standing.joined => {
                // Tries once only: a text may hold thousands of such commas.
                let tried = std::mem::replace(&mut self.parted, true);
                let taken = |text: &str| grammar::spec(text).is_ok() || grammar::expression(text).is_ok();
                let mends = !tried && taken(&format!("{}:{}", &self.text[..at], &self.text[span.start..]));
                let problem = self.warn(Span::new(at, span.start), what);
                problem.mend = "Write `:` between two constraints.".into();
                problem.fix = mends.then(|| ":".into());
            }
            _ => self.warn(span, what).mend = "Join two constraints with AND(…:…) or OR(…:…).".into(),
        }
    }

    fn attribute(&mut self, name: &str, values: &[String], op: AttributeOp, clause: &Clause) {
        if name.contains(['(', ':', ')', ',']) {
            self.warn(clause.span, format!("This is read as a test of an attribute called `{name}`: its parts were no constraints, so the parser fell back to name=value."))
                .mend = "An AND or OR around attribute tests needs a source tag in front, and every part must be a constraint.".into();
        }
        if values.len() > 1 {
            let first = first_of_set(values).unwrap_or_default().to_string();
            self.warn(
                clause.span,
                format!(
                    "Of the {} values only `{first}` is ever compared: the first in the order of a Java hash set.",
                    values.len()
                ),
            )
            .mend = if op == AttributeOp::Eq {
                "For one of several values write OR(name=v1:name=v2) behind a source tag.".into()
            } else {
                "For none of several values write AND(name!=v1:name!=v2) behind a source tag.".into()
            };
        }
        let operator = |v: &String| ["in", "notin", "cardinality"].contains(&v.to_ascii_lowercase().as_str());
        let count_form = values.iter().any(operator);
        if count_form {
            self.warn(clause.span, format!("This is a test of a node attribute `{name}`. The first releases wrote the source as tag=count; since then it is {name}(count)."));
        }
    }

    /// Warns about text that the parser ignores.
    fn ignored(&mut self, ignored: &[Ignored]) {
        for passed in ignored {
            match *passed {
                Ignored::Word { span, all } => {
                    let meant = if all { "AND" } else { "OR" };
                    let word = self.text.get(span.start..span.end).unwrap_or_default();
                    let what = format!(
                        "`{word}(` is read as {meant}: whatever stands between the word and the bracket is ignored."
                    );
                    let problem = self.warn(span, what);
                    problem.mend = format!("Write {meant}.");
                    problem.fix = Some(meant.into());
                }
                Ignored::Tail { span } => {
                    let tail = self.text.get(span.start..span.end).unwrap_or_default();
                    let what = format!("`{tail}` behind the closing bracket is ignored.");
                    let problem = self.warn(span, what);
                    problem.mend = "Take it away.".into();
                    problem.fix = Some(String::new());
                }
            }
        }
    }
}
