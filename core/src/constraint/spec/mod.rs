//! The PlacementSpec language, parsed exactly as PlacementConstraintParser of Hadoop 3.5.0 does it
//! (placement-constraints.md section 3): what it accepts is accepted with the same meaning, quirks included; what it
//! rejects is rejected. Beyond YARN: every error has a position, what was expected there, and a fix if there is a
//! mechanical one; every leaf has a position and a number; and a warning tells where the parser reads a text
//! differently from the manual (or a reader).
//!
//! `grammar` is the parser, `diagnose` explains rejected texts, `advise` warns about accepted ones, `meant` removes
//! what a shell or an old manual puts around a spec.

mod advise;
mod diagnose;
mod grammar;
mod meant;
#[cfg(test)]
mod tests;

use super::Constraint;
use crate::model::limits::{PLACEMENT_SPEC_BYTES, PLACEMENT_SPEC_DEPTH};
use crate::model::{Problem, Span};
use serde::{Deserialize, Serialize};
use std::ops::Range;

/// The name of the input in [`Problem`]s.
pub const SOURCE: &str = "placement spec";

/// A spec that YARN accepts.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Spec {
    /// Its entries in order; equal source tags are kept apart.
    pub entries: Vec<SpecEntry>,
    /// The leaves of all constraints, in the order of the text; clause *i* has number *i* + 1.
    pub clauses: Vec<Clause>,
    /// Warnings where the text has another meaning than it seems to have.
    pub warnings: Vec<Problem>,
}

/// One entry of a spec: how many containers with which tag, and their placement.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SpecEntry {
    pub span: Span,
    /// Tag and count; `None` if the entry is only an attribute test (YARN: tag "" and count 0).
    pub source: Option<SourceTag>,
    /// The constraint, if one is given.
    pub constraint: Option<Constraint>,
    /// Its leaves, as places in [`Spec::clauses`]; in the order of [`Constraint::leaves`].
    pub clauses: Range<usize>,
}

impl SpecEntry {
    /// The source tag, "" when there is none.
    pub fn tag(&self) -> &str {
        self.source.as_ref().map_or("", |s| &s.tag)
    }

    /// The count, 0 when there is none.
    pub fn count(&self) -> i32 {
        self.source.as_ref().map_or(0, |s| s.count)
    }
}

/// `zk(3)`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SourceTag {
    /// The tag, blanks included.
    pub tag: String,
    /// The count; may be 0 or less.
    pub count: i32,
    pub span: Span,
    pub count_span: Span,
}

/// A leaf of a constraint: the unit that is numbered, highlighted, explained and shown as a column of the matrix.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Clause {
    /// Its number in the spec, from 1.
    pub number: usize,
    pub span: Span,
    /// The entry that it belongs to.
    pub entry: usize,
    /// The positions of its tags, or of its attribute's values.
    pub values: Vec<Span>,
}

/// One constraint without a source tag.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Expression {
    pub constraint: Constraint,
    /// Its leaves, in the order of [`Constraint::leaves`].
    pub clauses: Vec<Clause>,
    /// Warnings where the text has another meaning than it seems to have.
    pub warnings: Vec<Problem>,
}

/// How YARN rejects a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum SpecException {
    /// PlacementConstraintParseException.
    Parse,
    /// NoSuchElementException: the parser ran out of fields; YARN throws it by accident.
    NoSuchElement,
}

/// A text that YARN rejects.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SpecError {
    /// How YARN rejects it.
    pub refused: SpecException,
    /// What is wrong, where, and how to mend it.
    pub problem: Problem,
    /// What is allowed there.
    pub expected: Vec<String>,
}

/// Parses a spec as `PlacementConstraintParser.parsePlacementSpec` does.
pub fn parse_spec(text: &str) -> Result<Spec, SpecError> {
    check_length(text)?;
    let entries = grammar::spec(text).map_err(|fault| diagnose::spec(text, fault))?;
    let mut spec = Spec { entries: Vec::new(), clauses: Vec::new(), warnings: Vec::new() };
    let mut ignored = Vec::new();
    for (at, entry) in entries.into_iter().enumerate() {
        let first = spec.clauses.len();
        let constraint = entry.constraint.map(|node| {
            spec.clauses.extend(clauses(&node.leaves, first, at));
            ignored.extend(node.ignored);
            node.constraint
        });
        let clauses = first..spec.clauses.len();
        spec.entries.push(SpecEntry { span: entry.span, source: entry.source, constraint, clauses });
    }
    spec.warnings = advise::spec(text, &spec, &ignored);
    Ok(spec)
}

/// Parses a spec as a person means it: without the quotes and the options of a shell's command line, and with the
/// source `zk=3` of Hadoop 3.1's manual as `zk(3)`. A note says what was read differently. All positions are those of
/// `text`.
pub fn read_spec(text: &str) -> Result<Spec, SpecError> {
    check_length(text)?;
    let Some(meant) = meant::meant(text) else { return parse_spec(text) };
    match parse_spec(&meant.text) {
        Ok(mut spec) => {
            for entry in &mut spec.entries {
                entry.span = meant.typed(entry.span);
                if let Some(source) = &mut entry.source {
                    source.span = meant.typed(source.span);
                    source.count_span = meant.typed(source.count_span);
                }
            }
            for clause in &mut spec.clauses {
                clause.span = meant.typed(clause.span);
                clause.values.iter_mut().for_each(|span| *span = meant.typed(*span));
            }
            for warning in &mut spec.warnings {
                warning.span = warning.span.map(|span| meant.typed(span));
            }
            spec.warnings.splice(0..0, meant.notes);
            Ok(spec)
        }
        Err(mut error) => {
            error.problem.span = error.problem.span.map(|span| meant.typed(span));
            Err(error)
        }
    }
}

/// Parses one constraint as `PlacementConstraintParser.parseExpression` does.
pub fn parse_expression(text: &str) -> Result<Expression, SpecError> {
    check_length(text)?;
    let node = grammar::expression(text).map_err(|fault| diagnose::expression(text, fault))?;
    let clauses = clauses(&node.leaves, 0, 0);
    let warnings = advise::expression(text, &node.constraint, &clauses, &node.ignored);
    Ok(Expression { constraint: node.constraint, clauses, warnings })
}

/// The top-level pieces of a spec and their positions (the parser's MultipleConstraintsTokenizer).
pub fn split_entries(text: &str) -> Vec<(usize, &str)> {
    grammar::split_at_colons(grammar::Piece::whole(text)).into_iter().map(|p| (p.at, p.text)).collect()
}

/// Parses a source tag such as `zk(3)` (the parser's SourceTagsTokenizer): the tag and the count.
pub fn parse_source_tag(text: &str) -> Option<(String, i32)> {
    grammar::source(grammar::Piece::whole(text)).ok().map(|s| (s.tag, s.count))
}

fn clauses(leaves: &[grammar::LeafSpans], first: usize, entry: usize) -> Vec<Clause> {
    let clause = |(i, leaf): (usize, &grammar::LeafSpans)| Clause {
        number: first + i + 1,
        span: leaf.span,
        entry,
        values: leaf.values.clone(),
    };
    leaves.iter().enumerate().map(clause).collect()
}

fn check_length(text: &str) -> Result<(), SpecError> {
    if text.len() <= PLACEMENT_SPEC_BYTES {
        return Ok(());
    }
    let what = format!("The spec has {} bytes; at most {PLACEMENT_SPEC_BYTES} are read.", text.len());
    Err(SpecError { refused: SpecException::Parse, problem: Problem::error(SOURCE, None, what), expected: Vec::new() })
}

/// The maximum nesting of AND and OR.
const DEPTH: usize = PLACEMENT_SPEC_DEPTH;
