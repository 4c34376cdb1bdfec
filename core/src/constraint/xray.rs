//! The X-ray of a request: every clause of everything that applies to it, evaluated on every node, with the counts and
//! bounds; how the checks are combined; which fails first, which alone blocks a node, and the smallest sets of checks
//! that would have to be lifted. The code that takes YARN's decision evaluates the clauses ([`PlacementState::look`]),
//! so the picture cannot disagree with the decision.

use super::evaluate::{EvalError, PlacementState, Site, TargetMatch};
use super::manager::{Applying, Level};
use super::order::first_of_set;
use super::tree::UNLIMITED;
use super::{AttributeOp, Constraint, Scope, Single, Target};
use crate::model::AppId;
use std::collections::BTreeMap;

/// The maximum number of checks for which blocking sets of every size are searched; with more, only sets of up to two.
pub const MOST_CHECKS: usize = 12;

#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Clause<'a> {
    Leaf(&'a Single),
    /// A delayed OR, which YARN cannot evaluate.
    Delayed,
    /// An OR without parts, which never holds.
    Nothing,
}

/// The outcome of a check on a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum ClauseResult {
    Holds,
    /// It does not hold.
    Fails,
    /// It cannot be evaluated, which aborts the whole evaluation.
    Error,
}

impl From<bool> for ClauseResult {
    fn from(holds: bool) -> Self {
        if holds { ClauseResult::Holds } else { ClauseResult::Fails }
    }
}

/// How checks are combined. Checks are columns, counted from 0.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Formula {
    Check(usize),
    /// All of these, in order.
    All(Vec<Formula>),
    /// Any of these, in order.
    Any(Vec<Formula>),
}

impl Formula {
    /// Evaluates the formula. `None`: an error ended the evaluation. `last` is the last failed check.
    fn evaluate(&self, see: &dyn Fn(usize) -> ClauseResult, last: &mut Option<usize>) -> Option<bool> {
        match self {
            Formula::Check(i) => {
                let outcome = see(*i);
                if outcome != ClauseResult::Holds {
                    *last = Some(*i);
                }
                (outcome != ClauseResult::Error).then_some(outcome == ClauseResult::Holds)
            }
            Formula::All(parts) => {
                for part in parts {
                    if !part.evaluate(see, last)? {
                        return Some(false);
                    }
                }
                Some(true)
            }
            Formula::Any(parts) => {
                for part in parts {
                    if part.evaluate(see, last)? {
                        return Some(true);
                    }
                }
                Some(false)
            }
        }
    }
}

impl Formula {
    /// Returns whether it holds, given the outcome of each check.
    pub fn holds(&self, see: &dyn Fn(usize) -> ClauseResult) -> bool {
        self.against(see).is_empty()
    }

    /// The checks that decide against it, in order: the first part of an AND that does not hold, all parts of an OR, or
    /// the check whose error ends the evaluation. Empty: it holds.
    fn against(&self, see: &dyn Fn(usize) -> ClauseResult) -> Vec<usize> {
        match self {
            Formula::Check(i) if see(*i) == ClauseResult::Holds => Vec::new(),
            Formula::Check(i) => vec![*i],
            Formula::All(parts) => {
                parts.iter().map(|part| part.against(see)).find(|against| !against.is_empty()).unwrap_or_default()
            }
            Formula::Any(parts) => {
                let mut out = Vec::new();
                for part in parts {
                    let against = part.against(see);
                    match against.last() {
                        None => return against,
                        Some(i) if see(*i) == ClauseResult::Error => return vec![*i],
                        Some(_) => out.extend(against),
                    }
                }
                out
            }
        }
    }
}

/// The clauses of everything that applies, in the order of evaluation, and how they are combined; the first clause is
/// the column `first`.
pub fn clauses<'a>(applying: Applying<'a>, first: usize) -> (Vec<(Level, Clause<'a>)>, Formula) {
    let mut out = Vec::new();
    let parts = applying.parts().map(|(level, c)| join(c, level, first, &mut out)).collect();
    (out, Formula::All(parts))
}

fn join<'a>(c: &'a Constraint, level: Level, first: usize, out: &mut Vec<(Level, Clause<'a>)>) -> Formula {
    let clause = match c {
        Constraint::Single(leaf) => Clause::Leaf(leaf),
        Constraint::And(children) => {
            return Formula::All(children.iter().map(|c| join(c, level, first, out)).collect());
        }
        Constraint::Or(children) if children.is_empty() => Clause::Nothing,
        Constraint::Or(children) => {
            return Formula::Any(children.iter().map(|c| join(c, level, first, out)).collect());
        }
        Constraint::DelayedOr(_) => Clause::Delayed,
    };
    out.push((level, clause));
    Formula::Check(first + out.len() - 1)
}

/// A smallest set of checks: lifting all of them makes some row hold, lifting fewer of them makes none hold.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BlockingSet {
    /// The checks, by column.
    pub checks: Vec<usize>,
    /// The rows on which the request could then be placed.
    pub rows: Vec<usize>,
}

/// Nodes × checks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Matrix {
    /// How the checks are combined.
    pub formula: Formula,
    /// A row for each node, an outcome for each check.
    pub rows: Vec<Vec<ClauseResult>>,
}

impl Matrix {
    /// Returns whether the request would be placed if the checks in `lifted` held. `Err`: the check that decides
    /// against it, which is the last one met.
    fn judge(&self, row: &[ClauseResult], lifted: &dyn Fn(usize) -> bool) -> Result<(), Option<usize>> {
        let see =
            |i: usize| if lifted(i) { ClauseResult::Holds } else { row.get(i).copied().unwrap_or(ClauseResult::Error) };
        let mut last = None;
        if self.formula.evaluate(&see, &mut last) == Some(true) { Ok(()) } else { Err(last) }
    }

    /// The check that decides against a row: the first in the order of evaluation, for an OR its last. `None`: the
    /// request would be placed here, as far as these checks decide.
    pub fn first(&self, row: usize) -> Option<usize> {
        self.rows.get(row).and_then(|row| self.judge(row, &|_| false).err().flatten())
    }

    /// The checks that decide against a row, in order: several if the alternatives of an OR each fail. Empty: none
    /// does.
    pub fn against(&self, row: usize) -> Vec<usize> {
        let Some(row) = self.rows.get(row) else { return Vec::new() };
        self.formula.against(&|i| row.get(i).copied().unwrap_or(ClauseResult::Error))
    }

    /// Returns whether a part of the formula holds on every row.
    pub fn holds_everywhere(&self, part: &Formula) -> bool {
        self.rows.iter().all(|row| part.holds(&|i| row.get(i).copied().unwrap_or(ClauseResult::Error)))
    }

    /// The checks that each block a row alone.
    pub fn alone(&self, row: usize) -> Vec<usize> {
        let Some(row) = self.rows.get(row).filter(|_| self.first(row).is_some()) else { return Vec::new() };
        (0..row.len()).filter(|i| row[*i] != ClauseResult::Holds && self.judge(row, &|j| j == *i).is_ok()).collect()
    }

    /// The smallest sets of checks of which lifting one whole set is enough, fewest checks first. Empty if the request
    /// can be placed now.
    pub fn blocking_sets(&self) -> Vec<BlockingSet> {
        let n = self.rows.first().map_or(0, Vec::len).min(u64::BITS as usize - 1);
        // Equal rows count once.
        let mut alike: BTreeMap<&[ClauseResult], Vec<usize>> = BTreeMap::new();
        self.rows.iter().enumerate().for_each(|(i, row)| alike.entry(row).or_default().push(i));
        if alike.keys().any(|row| self.judge(row, &|_| false).is_ok()) {
            return Vec::new();
        }
        let mut found: Vec<(u64, BlockingSet)> = Vec::new();
        for size in 1..=if n > MOST_CHECKS { 2 } else { n } {
            // All sets of this size, in order (the next number with as many bits).
            let mut set = (1u64 << size) - 1;
            while set < 1 << n {
                if !found.iter().any(|(smaller, _)| smaller & set == *smaller) {
                    let lifted = |i: usize| i < 64 && set >> i & 1 == 1;
                    let helped = alike.iter().filter(|(row, _)| self.judge(row, &lifted).is_ok());
                    let rows: Vec<usize> = helped.flat_map(|(_, rows)| rows.iter().copied()).collect();
                    if !rows.is_empty() {
                        let checks = (0..n).filter(|i| lifted(*i)).collect();
                        found.push((set, BlockingSet { checks, rows }));
                    }
                }
                let low = set & set.wrapping_neg();
                let ripple = set + low;
                set = (((ripple ^ set) >> 2) / low) | ripple;
            }
        }
        found.into_iter().map(|(_, set)| set).collect()
    }
}

/// The outcome of a clause on a node.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cell<'a> {
    /// Whether it holds.
    pub outcome: ClauseResult,
    /// The actual values against the bounds: "2 > 0", "1.7, not 1.8".
    pub text: String,
    /// The first target that does not hold, and what it matched.
    pub failing: Option<(&'a Target, TargetMatch<'a>)>,
    /// The error of a failed evaluation.
    pub error: Option<EvalError>,
}

/// Evaluates all targets of a leaf on a node, also those after the first that fails.
pub fn look<'a>(state: &'a PlacementState, app: AppId, leaf: &'a Single, site: Site<'a>) -> Cell<'a> {
    let mut cell = Cell { outcome: ClauseResult::Holds, text: String::new(), failing: None, error: None };
    let named = leaf.targets.iter().map(|t| t.values().len().max(1)).sum::<usize>() > 1;
    let looking = Looking { state, app, leaf, site, named };
    for target in &leaf.targets {
        let words = match state.look(app, leaf, target, site) {
            Ok((found, passes)) => {
                let words = looking.seen(target, &found, passes);
                if !passes && cell.outcome == ClauseResult::Holds {
                    cell.outcome = ClauseResult::Fails;
                    cell.failing = Some((target, found));
                }
                words
            }
            Err(error) => {
                // An earlier target that fails ends the evaluation of the leaf.
                if cell.outcome == ClauseResult::Holds {
                    cell.outcome = ClauseResult::Error;
                    cell.error = Some(error);
                }
                "cannot be evaluated".into()
            }
        };
        if !cell.text.is_empty() {
            cell.text.push_str("; ");
        }
        cell.text.push_str(&words);
    }
    cell
}

/// The evaluation of a leaf on a node.
struct Looking<'a> {
    state: &'a PlacementState,
    app: AppId,
    leaf: &'a Single,
    site: Site<'a>,
    /// Whether it has several targets, so that each is named.
    named: bool,
}

impl Looking<'_> {
    /// The text for what a target matched.
    fn seen(&self, target: &Target, found: &TargetMatch<'_>, passes: bool) -> String {
        let leaf = self.leaf;
        match (target, found) {
            (Target::Tags { namespace, values }, _) => {
                let place = match leaf.scope {
                    Scope::Node => self.site.node.0,
                    Scope::Rack => self.site.rack,
                };
                let Ok(whose) = self.state.whose(self.app, namespace) else { return String::new() };
                if values.is_empty() {
                    let all = self.state.tags.at(leaf.scope, place, whose);
                    let words: Vec<String> = all.into_iter().map(|(tag, n)| against(leaf, tag, n)).collect();
                    return if words.is_empty() { against(leaf, "no tag", 0) } else { words.join(", ") };
                }
                let count = |tag: &String| {
                    let n = self.state.tags.count(leaf.scope, place, whose, tag);
                    against(leaf, if self.named { tag } else { "" }, n)
                };
                values.iter().map(count).collect::<Vec<_>>().join(", ")
            }
            (Target::Attribute { name, values }, TargetMatch::Value(value)) => {
                let wanted = first_of_set(values).unwrap_or_default();
                let shown = match value {
                    None => "not set".to_string(),
                    Some(value) if leaf.op == AttributeOp::NoOp => format!("{value}, never matched"),
                    Some(value) if passes || leaf.op == AttributeOp::Ne => (*value).to_string(),
                    Some(value) => format!("{value}, not {wanted}"),
                };
                if self.named { format!("{name} {shown}") } else { shown }
            }
            (_, TargetMatch::Partition("")) => "default partition".into(),
            (_, TargetMatch::Partition(name)) => format!("partition {name}"),
            _ => String::new(),
        }
    }
}

/// The text of a count against the bound that it violates, or else the bound that counts.
fn against(leaf: &Single, tag: &str, n: i64) -> String {
    let bound = if leaf.min > 0 && n < i64::from(leaf.min) {
        format!("{n} < {}", leaf.min)
    } else if leaf.max != UNLIMITED && n > i64::from(leaf.max) {
        format!("{n} > {}", leaf.max)
    } else if leaf.max != UNLIMITED {
        format!("{n} ≤ {}", leaf.max)
    } else if leaf.min > 0 {
        format!("{n} ≥ {}", leaf.min)
    } else {
        n.to_string()
    };
    if tag.is_empty() { bound } else { format!("{tag} {bound}") }
}

#[cfg(test)]
mod tests {
    use super::super::{Asking, AttributeChange, parse_expression};
    use super::*;
    use crate::model::NodeId;

    const HOSTS: [&str; 3] = ["h0", "h1", "h2"];

    fn sites() -> impl Iterator<Item = Site<'static>> {
        HOSTS.iter().enumerate().map(|(i, host)| Site {
            node: NodeId(i as u32),
            host,
            rack: i as u32 / 2,
            partition: "",
        })
    }

    fn state() -> PlacementState {
        let mut state = PlacementState::default();
        state.tags.add(AppId(0), 0, 0, &["zk"]);
        state.tags.add(AppId(1), 1, 0, &["hb"]);
        state.attributes.change("h2", &AttributeChange::Add, &[("java", "1.7")]);
        state
    }

    fn xray(state: &PlacementState, constraint: &Constraint) -> (Matrix, Vec<Vec<String>>) {
        let (parts, formula) = clauses(Applying::request(Some(constraint)), 0);
        let mut texts = Vec::new();
        let rows = sites().map(|site| {
            let cells = parts.iter().map(|(_, clause)| match clause {
                Clause::Leaf(leaf) => {
                    let cell = look(state, AppId(0), leaf, site);
                    (cell.outcome, cell.text)
                }
                Clause::Delayed => (ClauseResult::Error, String::new()),
                Clause::Nothing => (ClauseResult::Fails, String::new()),
            });
            let (outcomes, words): (Vec<_>, Vec<_>) = cells.unzip();
            texts.push(words);
            outcomes
        });
        let rows = rows.collect();
        (Matrix { formula, rows }, texts)
    }

    #[test]
    fn rows_say_what_was_seen_and_agree_with_the_evaluator() {
        let state = state();
        for text in [
            "and(notin,node,zk:in,rack,all/hb:java!=1.7)",
            "or(in,node,zk:and(java=1.7:notin,rack,all/hb))",
            "or(in,node,app-id/x:notin,node,zk)",
            "or(notin,node,zk:in,node,app-id/x)",
            "cardinality,rack,all/hb,zk,1,3",
        ] {
            let constraint = parse_expression(text).unwrap().constraint;
            let (matrix, _) = xray(&state, &constraint);
            for (row, site) in sites().enumerate() {
                let asking = Asking { app: AppId(0), tags: &[], constraint: Some(&constraint) };
                let holds = state.can_satisfy(asking, site).is_ok_and(|v| v.holds());
                assert_eq!(matrix.first(row).is_none(), holds, "{text} {}", site.host);
                assert_eq!(matrix.against(row).last().copied(), matrix.first(row), "{text} {}", site.host);
            }
        }
        let (matrix, texts) =
            xray(&state, &parse_expression("and(notin,node,zk:in,rack,all/hb:java!=1.7)").unwrap().constraint);
        assert_eq!(texts[0], ["1 > 0", "1 ≥ 1", "not set"]);
        assert_eq!(texts[2], ["0 ≤ 0", "0 < 1", "1.7"]);
        assert_eq!((0..3).map(|i| matrix.first(i)).collect::<Vec<_>>(), [Some(0), None, Some(1)]);
        let (_, texts) = xray(&state, &parse_expression("cardinality,rack,all/hb,zk,1,3").unwrap().constraint);
        assert_eq!(texts[0], ["hb 1 ≤ 3; zk 1 ≤ 3"]);
    }

    #[test]
    fn blocking_sets_are_the_smallest() {
        let state = state();
        let sets = |text: &str| -> Vec<(Vec<usize>, Vec<usize>)> {
            let (matrix, _) = xray(&state, &parse_expression(text).unwrap().constraint);
            matrix.blocking_sets().into_iter().map(|s| (s.checks, s.rows)).collect()
        };
        // h0 fails the first and the last, h1 and h2 the second and the last.
        assert_eq!(sets("and(notin,node,zk:in,node,zk:java=1.8)"), [(vec![0, 2], vec![0]), (vec![1, 2], vec![1, 2])]);
        assert_eq!(sets("notin,node,x"), [], "it can be placed now");
        // Either part of an OR is enough.
        assert_eq!(sets("or(java=1.8:in,node,x)").len(), 2);
        let (matrix, _) = xray(&state, &parse_expression("and(notin,node,zk:java=1.7)").unwrap().constraint);
        assert_eq!((matrix.alone(0), matrix.alone(1), matrix.alone(2)), (vec![], vec![1], vec![]));
    }

    #[test]
    fn all_alternatives_of_an_or_decide_against_a_row() {
        let state = state();
        for (text, against) in [
            ("or(in,node,x:in,node,hb)", [vec![0, 1], vec![0, 1], vec![0, 1]]),
            ("or(and(notin,node,zk:java=1.7):in,node,all/hb)", [vec![0, 2], vec![], vec![]]),
            ("and(or(in,node,x:in,node,zk):java=1.7)", [vec![2], vec![0, 1], vec![0, 1]]),
            ("or(in,node,app-id/x:notin,node,zk)", [vec![0], vec![0], vec![0]]),
        ] {
            let (matrix, _) = xray(&state, &parse_expression(text).unwrap().constraint);
            assert_eq!([0, 1, 2].map(|row| matrix.against(row)), against, "{text}");
        }
    }

    #[test]
    fn what_cannot_be_evaluated_is_a_check_that_never_holds() {
        let (matrix, _) = xray(&state(), &Constraint::DelayedOr(Vec::new()));
        assert_eq!((matrix.first(0), matrix.alone(0)), (Some(0), vec![0]));
        let (matrix, _) = xray(&state(), &Constraint::Or(Vec::new()));
        assert_eq!(matrix.first(2), Some(0));
    }
}
