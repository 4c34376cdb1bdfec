//! The X-ray of a request: every leaf of everything that applies to it, looked at on every node, with the counts and
//! bounds seen; which leaves fail, which fails first, and the smallest sets of them of which it would be enough to
//! lift one whole set. The same code looks at a leaf here and when YARN's decision is taken
//! ([`PlacementState::look`]), so the picture cannot disagree with the decision.

use super::evaluate::{EvalError, Found, PlacementState, Site};
use super::manager::{Applying, Level};
use super::order::first_of_set;
use super::print::yarn_leaf;
use super::tree::UNLIMITED;
use super::{AttributeOp, Constraint, Single, Target, english};
use crate::model::{AppId, NodeId};
use std::collections::BTreeMap;

/// Most checks for which blocking sets are searched.
pub const MOST_CHECKS: usize = 12;

/// A column.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Check {
    /// Its words: "no other zk of this application on the node".
    pub words: String,
    /// Where the clause comes from; `None` for a check that is no clause (room, partition, blacklist).
    pub level: Option<Level>,
    /// YARN's rendering of the leaf; empty for a check that is no clause.
    pub yarn: String,
}

/// What a check saw on a node.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cell {
    /// Does it pass?
    pub passes: bool,
    /// The value seen against the bound: "zk 2 > 0", "java is 1.7", "4 GB free".
    pub text: String,
    /// The evaluation itself failed.
    pub error: Option<EvalError>,
}

/// A node.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Row {
    /// Which.
    pub node: NodeId,
    /// One cell a check.
    pub cells: Vec<Cell>,
    /// Would the request be placed here, as far as these checks go?
    pub holds: bool,
    /// The check that decides against the node: the first in the order of evaluation; of an OR its last.
    pub first: Option<usize>,
}

impl Row {
    /// The checks that fail here.
    pub fn failing(&self) -> impl Iterator<Item = usize> {
        self.cells.iter().enumerate().filter(|(_, c)| !c.passes).map(|(i, _)| i)
    }
}

/// How the checks are joined.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Formula {
    /// A check.
    Check(usize),
    /// All of these.
    All(Vec<Formula>),
    /// Any of these.
    Any(Vec<Formula>),
    /// Cannot be evaluated.
    Never,
}

impl Formula {
    /// Does it hold when exactly these checks do? `last` is the last check met that does not.
    pub fn holds(&self, passes: &dyn Fn(usize) -> bool, last: &mut Option<usize>) -> bool {
        match self {
            Formula::Check(i) => {
                let holds = passes(*i);
                if !holds {
                    *last = Some(*i);
                }
                holds
            }
            Formula::All(parts) => parts.iter().all(|p| p.holds(passes, last)),
            Formula::Any(parts) => parts.iter().any(|p| p.holds(passes, last)),
            Formula::Never => false,
        }
    }

    fn holds_with(&self, mask: u32) -> bool {
        self.holds(&|i| mask >> i & 1 == 1, &mut None)
    }
}

/// A smallest set of checks: lifting all of them, some node does, and lifting fewer of them none.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BlockingSet {
    /// The checks, by column.
    pub checks: Vec<usize>,
    /// On how many nodes the request could then be placed.
    pub nodes: usize,
}

/// The matrix.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Xray {
    /// The columns; clauses in the order in which they are evaluated, numbered from 1 by their place.
    pub checks: Vec<Check>,
    /// The rows, in the order of the nodes given.
    pub rows: Vec<Row>,
    /// How the checks are joined.
    pub formula: Formula,
}

impl Xray {
    /// Looks at everything that applies, on every node. `own`: the request's source tag.
    pub fn new<'a>(
        state: &PlacementState,
        app: AppId,
        applying: Applying<'_>,
        own: Option<&str>,
        sites: impl IntoIterator<Item = Site<'a>>,
    ) -> Self {
        let mut checks = Vec::new();
        let mut leaves: Vec<&Single> = Vec::new();
        let mut parts = Vec::new();
        for (level, constraint) in applying.parts() {
            parts.push(formula(constraint, &mut leaves));
            for leaf in &leaves[checks.len()..] {
                let (words, yarn) = (english::clause(leaf, own), yarn_leaf(leaf));
                checks.push(Check { words, level: Some(level), yarn });
            }
        }
        let rows = sites
            .into_iter()
            .map(|site| {
                let cells = leaves.iter().map(|leaf| look(state, app, leaf, site)).collect();
                Row { node: site.node, cells, holds: false, first: None }
            })
            .collect();
        let mut xray = Xray { checks, rows, formula: Formula::All(parts) };
        xray.judge();
        xray
    }

    /// Puts a check that is no clause behind the others: what it saw on each node, and whether it passes there.
    pub fn add_check(&mut self, words: impl Into<String>, mut look: impl FnMut(NodeId) -> (bool, String)) {
        let column = self.checks.len();
        self.checks.push(Check { words: words.into(), level: None, yarn: String::new() });
        for row in &mut self.rows {
            let (passes, text) = look(row.node);
            row.cells.push(Cell { passes, text, error: None });
        }
        let before = std::mem::replace(&mut self.formula, Formula::Never);
        self.formula = Formula::All(vec![before, Formula::Check(column)]);
        self.judge();
    }

    fn judge(&mut self) {
        for row in &mut self.rows {
            let mut last = None;
            let passes = |i: usize| row.cells.get(i).is_some_and(|c| c.passes);
            row.holds = self.formula.holds(&passes, &mut last);
            row.first = if row.holds { None } else { last };
        }
    }

    fn mask(row: &Row) -> u32 {
        row.cells.iter().enumerate().fold(0, |mask, (i, c)| mask | u32::from(c.passes) << i)
    }

    /// The nodes that a check alone blocks.
    pub fn blocked_alone(&self, check: usize) -> Vec<NodeId> {
        let lifts = |row: &&Row| {
            let passes = |i: usize| i == check || row.cells.get(i).is_some_and(|c| c.passes);
            !row.holds && self.formula.holds(&passes, &mut None)
        };
        self.rows.iter().filter(lifts).map(|row| row.node).collect()
    }

    /// The smallest sets of checks of which lifting one whole set is enough, fewest checks first. Empty where the
    /// request can be placed now, or where nothing helps; `None` with more than [`MOST_CHECKS`] checks.
    pub fn blocking_sets(&self) -> Option<Vec<BlockingSet>> {
        let n = self.checks.len();
        if n > MOST_CHECKS {
            return None;
        }
        // Nodes that see the same count once.
        let mut masks: BTreeMap<u32, usize> = BTreeMap::new();
        self.rows.iter().for_each(|row| *masks.entry(Self::mask(row)).or_insert(0) += 1);
        let mut found: Vec<(u32, BlockingSet)> = Vec::new();
        let mut sets: Vec<u32> = (0..1u32 << n).collect();
        crate::model::order::sort_by_key(&mut sets, |set| set.count_ones());
        for set in sets {
            if found.iter().any(|(smaller, _)| smaller & set == *smaller) {
                continue;
            }
            let nodes = masks.iter().filter(|(mask, _)| self.formula.holds_with(**mask | set)).map(|(_, n)| n).sum();
            if nodes > 0 {
                let checks = (0..n).filter(|i| set >> i & 1 == 1).collect();
                found.push((set, BlockingSet { checks, nodes }));
            }
        }
        Some(found.into_iter().map(|(_, set)| set).filter(|set| !set.checks.is_empty()).collect())
    }
}

fn formula<'a>(constraint: &'a Constraint, leaves: &mut Vec<&'a Single>) -> Formula {
    match constraint {
        Constraint::Single(leaf) => {
            leaves.push(leaf);
            Formula::Check(leaves.len() - 1)
        }
        Constraint::And(children) => Formula::All(children.iter().map(|c| formula(c, leaves)).collect()),
        Constraint::Or(children) => Formula::Any(children.iter().map(|c| formula(c, leaves)).collect()),
        Constraint::DelayedOr(children) => {
            for child in children {
                formula(&child.constraint, leaves);
            }
            Formula::Never
        }
    }
}

/// All targets of a leaf on a node, also those behind the first that fails.
fn look(state: &PlacementState, app: AppId, leaf: &Single, site: Site<'_>) -> Cell {
    let mut cell = Cell { passes: true, text: String::new(), error: None };
    let mut words: Vec<String> = Vec::new();
    for target in &leaf.targets {
        match state.look(app, leaf, target, site) {
            Ok((found, passes)) => {
                cell.passes &= passes;
                words.push(seen(state, app, leaf, target, &found, passes, site));
            }
            Err(error) => {
                cell.passes = false;
                words.push("cannot be evaluated".into());
                cell.error = Some(error);
            }
        }
    }
    cell.text = if words.is_empty() { "nothing to look for".into() } else { words.join("; ") };
    cell
}

fn seen(
    state: &PlacementState,
    app: AppId,
    leaf: &Single,
    target: &Target,
    found: &Found<'_>,
    passes: bool,
    site: Site<'_>,
) -> String {
    match (target, found) {
        (Target::Tags { namespace, values }, _) => {
            let place = match leaf.scope {
                super::Scope::Node => site.node.0,
                super::Scope::Rack => site.rack,
            };
            let Ok(whose) = state.whose(app, namespace) else { return String::new() };
            let counts: Vec<(String, i64)> = if values.is_empty() {
                let all = state.tags.at(leaf.scope, place, whose);
                all.into_iter().map(|(tag, n)| (tag.to_string(), n)).collect()
            } else {
                values.iter().map(|tag| (tag.clone(), state.tags.count(leaf.scope, place, whose, tag))).collect()
            };
            if counts.is_empty() {
                return against(leaf, "no tag", 0);
            }
            counts.into_iter().map(|(tag, n)| against(leaf, &tag, n)).collect::<Vec<_>>().join(", ")
        }
        (Target::Attribute { name, values }, Found::Value(value)) => {
            let wanted = first_of_set(values).unwrap_or_default();
            match value {
                None => format!("no {name}"),
                Some(value) if leaf.op == AttributeOp::NoOp => format!("{name} is {value}, never matched"),
                Some(value) if passes || leaf.op == AttributeOp::Ne => format!("{name} is {value}"),
                Some(value) => format!("{name} is {value}, not {wanted}"),
            }
        }
        (_, Found::Partition("")) => "default partition".into(),
        (_, Found::Partition(name)) => format!("partition {name}"),
        _ => String::new(),
    }
}

/// A count against the bound that it misses, or against the one that counts.
fn against(leaf: &Single, tag: &str, n: i64) -> String {
    if leaf.min > 0 && n < i64::from(leaf.min) {
        format!("{tag} {n} < {}", leaf.min)
    } else if leaf.max != UNLIMITED && n > i64::from(leaf.max) {
        format!("{tag} {n} > {}", leaf.max)
    } else if leaf.max != UNLIMITED {
        format!("{tag} {n} ≤ {}", leaf.max)
    } else if leaf.min > 0 {
        format!("{tag} {n} ≥ {}", leaf.min)
    } else {
        format!("{tag} {n}")
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Asking, AttributeChange, parse_expression};
    use super::*;

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

    fn xray(state: &PlacementState, text: &str) -> Xray {
        let constraint = parse_expression(text).expect(text).constraint;
        Xray::new(state, AppId(0), Applying::request(Some(&constraint)), Some("zk"), sites())
    }

    #[test]
    fn rows_say_what_was_seen_and_agree_with_the_evaluator() {
        let state = state();
        for text in [
            "and(notin,node,zk:in,rack,all/hb:java!=1.7)",
            "or(in,node,zk:and(java=1.7:notin,rack,all/hb))",
            "cardinality,rack,all/hb,zk,1,3",
        ] {
            let constraint = parse_expression(text).unwrap().constraint;
            for (row, site) in xray(&state, text).rows.iter().zip(sites()) {
                let asking = Asking { app: AppId(0), tags: &[], constraint: Some(&constraint) };
                assert_eq!(row.holds, state.can_satisfy(asking, site).unwrap().holds(), "{text} {}", site.host);
            }
        }
        let x = xray(&state, "and(notin,node,zk:in,rack,all/hb:java!=1.7)");
        let texts = |i: usize| x.rows[i].cells.iter().map(|c| c.text.as_str()).collect::<Vec<_>>();
        assert_eq!(texts(0), ["zk 1 > 0", "hb 1 ≥ 1", "no java"]);
        assert_eq!(texts(2), ["zk 0 ≤ 0", "hb 0 < 1", "java is 1.7"]);
        assert_eq!((x.rows[0].first, x.rows[1].first, x.rows[2].first), (Some(0), None, Some(1)));
    }

    #[test]
    fn blocking_sets_are_the_smallest() {
        let mut x = xray(&state(), "and(notin,node,zk:in,node,zk:java=1.8)");
        let sets: Vec<Vec<usize>> = x.blocking_sets().unwrap().into_iter().map(|s| s.checks).collect();
        // h0 fails the first and the last, h1 and h2 the second and the last.
        assert_eq!(sets, [vec![0, 2], vec![1, 2]]);
        assert!(x.blocked_alone(2).is_empty());
        x.add_check("room", |node| (node.0 == 0, "4 GB free".into()));
        let sets = x.blocking_sets().unwrap();
        assert_eq!(sets[0], BlockingSet { checks: vec![0, 2], nodes: 1 });
        assert_eq!(sets[1].checks, [1, 2, 3]);
        assert!(xray(&state(), "in,node,zk").blocking_sets().unwrap().is_empty(), "it can be placed");
    }
}
