//! Nodes × checks: for one request, every check of a node, on all nodes at once, in YARN's order (capacity-scheduler.md 7.1,
//! 8.3 to 8.5; placement-constraints.md 8.3, 8.5 for a request inside the placement processor). The constraint room's X-ray
//! evaluates clauses and joins all checks. Decisions come from the journal; the figures of nodes that were not visited since
//! come from the state.

mod attributes;
mod look;

pub use attributes::has_attributes;
pub use look::anti_affine;

use crate::explain::away::AbsenceKind;
use crate::explain::names::Names;
use crate::explain::record::{OnNode, PassRecord, PassResult};
use crate::explain::say::checks::{bucket, circled, title, yarn};
use crate::explain::say::nodes as say;
use crate::explain::view::{BucketView, CellView, CheckView, MatrixRow, MatrixView, NodeReason, Selection};
use crate::explain::waiting::Waiting;
use crate::explain::waits::of_check::column;
use heddle_core::check::About;
use heddle_core::constraint::manager::Level;
use heddle_core::constraint::xray::{Clause, ClauseResult, Formula, Matrix, clauses};
use heddle_core::constraint::{Single, Target, english};
use heddle_core::journal::VisitEnd;
use heddle_core::model::{NodeId, PartitionId, Resource};
use heddle_core::scheduler::Node;
use std::collections::BTreeMap;

/// A check of a node.
#[derive(Clone, Debug, PartialEq)]
pub enum NodeCheck {
    /// The node takes containers.
    Running,
    /// It is the only node of its partition that multi-node placement tries when no policy sorts them.
    Tried,
    /// No other request has reserved it.
    NotHeld,
    /// It has enough free for the smallest container.
    NotFull,
    /// It is in the requested partition.
    Partition,
    /// A leaf of the constraint, with its number from 1 and where it comes from.
    Clause(usize, Level, Single),
    /// A part of the constraint that can never hold, and why.
    Never(usize, Never),
    /// Host and rack are not blacklisted.
    Allowed,
    /// It is near enough to the requested places.
    Near,
    /// The container fits in the whole node.
    Total,
    /// The container fits in what is free.
    Free,
    /// The request needs to give up no reservation, or has one that is large enough.
    GivesUp,
}

/// Why a part of a constraint can never hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Never {
    /// It is a delayed OR.
    Delayed,
    /// It is an OR of nothing.
    Nothing,
}

impl Never {
    /// Returns the reason in words.
    pub fn words(self) -> &'static str {
        match self {
            Never::Delayed => "YARN 3.5.0 cannot evaluate a delayed OR",
            Never::Nothing => "an OR without parts never holds",
        }
    }
}

/// How a check fails, if there are several ways.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum FailureKind {
    /// The only way.
    #[default]
    Usual,
    /// The node has nothing of a requested resource type.
    NoneThere,
    /// Fewer tags are there than the clause requires.
    TooFew,
    /// The node takes nothing.
    Away(AbsenceKind),
    /// The node is in a requested rack, which waiting does not open.
    RackClosed,
    /// The host is requested without its rack, so it does not count.
    RackNotAsked,
    /// It opens after more missed chances, or more time.
    Later,
    /// The label lends its resources, but not to this request.
    NotLent,
    /// The label lends its resources to this request after more missed chances.
    LentLater,
    /// It has an instance of a component that each host gets only once.
    HasInstance,
}

impl NodeCheck {
    /// Returns the number of the clause, if it is one.
    pub fn clause(&self) -> Option<usize> {
        match self {
            NodeCheck::Clause(n, ..) | NodeCheck::Never(n, _) => Some(*n),
            _ => None,
        }
    }
}

/// The finding of a check on a node.
#[derive(Clone, Debug, PartialEq)]
pub struct NodeFinding {
    /// Whether it passes.
    pub outcome: ClauseResult,
    /// How it fails.
    pub way: FailureKind,
    /// The value, in short: "1 > 0", "5".
    pub value: String,
    /// Why it fails, in three words: "runs zk-1".
    pub short: String,
    /// Why it fails, as the end of a sentence after the node's name: "has zk-1".
    pub has: String,
    /// For a node that takes nothing: why, since when and until when. Empty if that is obvious.
    pub away: String,
    /// Why it fails because of the whole rack, after the rack's name: "runs zk-1". Empty if the node is the reason.
    pub rack: String,
    /// For a clause about tags: whose tags count, " of other applications". Empty if that is obvious.
    pub whose: String,
    /// Containers that are the cause.
    pub culprits: Vec<Selection>,
}

impl NodeFinding {
    /// Returns whether it passes.
    pub fn passes(&self) -> bool {
        self.outcome == ClauseResult::Holds
    }
}

/// A node with the findings of all checks.
#[derive(Clone, Debug, PartialEq)]
pub struct NodeRow {
    pub node: NodeId,
    pub seen: Vec<NodeFinding>,
    /// The check that decides against it: the first in YARN's order, for an OR its last. `None`: the node would take the
    /// request.
    pub first: Option<usize>,
    /// All checks that decide against it: if every alternative of an OR fails, one of each.
    pub against: Vec<usize>,
    /// The checks in the words about the node. If the node lacks room and may never take the request, they are those of the
    /// latter: YARN skips a full node without further checks, but would not place the request there if it were empty. If the
    /// node is reserved for another and lacks room, they are those of the lack of room.
    pub told: Vec<usize>,
    /// The checks each of which alone keeps the request away.
    pub alone: Vec<usize>,
}

impl NodeRow {
    /// Returns whether the request would be placed here.
    pub fn fits(&self) -> bool {
        self.first.is_none()
    }

    /// Returns what is in the way here, each as the end of a sentence after the node's name.
    pub fn has(&self) -> Vec<&str> {
        let mut out: Vec<&str> = Vec::new();
        for seen in self.deciding() {
            if !out.contains(&seen.has.as_str()) {
                out.push(&seen.has);
            }
        }
        out
    }

    /// Returns what the node's rack has that is in the way here, if nothing else is: "runs zk-1".
    pub fn rack_has(&self) -> Option<&str> {
        let mut deciding = self.deciding();
        match (deciding.next(), deciding.next()) {
            (Some(only), None) if !only.rack.is_empty() => Some(&only.rack),
            _ => None,
        }
    }

    /// Returns the findings of the checks that decide against it.
    fn deciding(&self) -> impl Iterator<Item = &NodeFinding> {
        self.told.iter().filter_map(|i| self.seen.get(*i))
    }

    /// Returns whether one check alone keeps the request away.
    pub fn near(&self) -> bool {
        !self.alone.is_empty()
    }

    /// Returns how far away it is: 0 if it fits, 1 if one check alone keeps the request away, else the number of failing
    /// checks.
    pub fn distance(&self) -> usize {
        match (self.fits(), self.near()) {
            (true, _) => 0,
            (_, true) => 1,
            _ => self.seen.iter().filter(|s| !s.passes()).count().max(2),
        }
    }
}

/// All nodes and checks of a request.
#[derive(Clone, Debug, PartialEq)]
pub struct Table {
    pub checks: Vec<NodeCheck>,
    /// A row for each node in the scheduler, in the order of registration.
    pub rows: Vec<NodeRow>,
    /// A row for each known node that is out of service.
    pub out: Vec<NodeRow>,
    /// The formula that joins the checks, and their outcomes.
    matrix: Matrix,
    /// What one container needs.
    pub need: Resource,
    /// The requested partition.
    pub partition: PartitionId,
    /// The component of a Slider that the request is for, if each host gets at most one instance.
    pub anti_affine: Option<String>,
}

impl Table {
    /// Returns whether a node would take the request but for its own conditions.
    pub fn only_own(&self) -> bool {
        let own = |check: &NodeCheck| match check {
            NodeCheck::Clause(..) | NodeCheck::Never(..) | NodeCheck::Allowed | NodeCheck::Near => true,
            NodeCheck::Running
            | NodeCheck::Tried
            | NodeCheck::NotHeld
            | NodeCheck::NotFull
            | NodeCheck::Partition
            | NodeCheck::Total
            | NodeCheck::Free
            | NodeCheck::GivesUp => false,
        };
        let keeps = |row: &NodeRow| {
            let failing = || self.checks.iter().zip(&row.seen).filter(|(_, seen)| !seen.passes());
            failing().next().is_some() && failing().all(|(check, _)| own(check))
        };
        self.rows.iter().any(keeps)
    }
}

/// Returns the table of a request.
pub fn table(names: Names<'_>, w: &Waiting, looks: &[PassRecord]) -> Table {
    let cluster = names.rm().cluster();
    let ground = look::CheckInputs::new(names, w, looks);
    let offset = clause_offset(names, w) + 1;
    let (parts, _) = clauses(ground.applying(), 0);
    let clause = |(i, (level, clause)): (usize, &(Level, Clause<'_>))| match clause {
        Clause::Leaf(leaf) => NodeCheck::Clause(offset + i, *level, (*leaf).clone()),
        Clause::Delayed => NodeCheck::Never(offset + i, Never::Delayed),
        Clause::Nothing => NodeCheck::Never(offset + i, Never::Nothing),
    };
    let constraint = parts.iter().enumerate().map(clause);
    let checks: Vec<NodeCheck> = if w.placing.is_empty() {
        let after = [NodeCheck::Allowed, NodeCheck::Near, NodeCheck::Total, NodeCheck::Free, NodeCheck::GivesUp];
        let before =
            [NodeCheck::Running, NodeCheck::Tried, NodeCheck::NotHeld, NodeCheck::NotFull, NodeCheck::Partition]
                .into_iter();
        // Multi-node placement checks no minimum allocation before the request's own size.
        let several = names.rm().capacity().is_some_and(|s| s.conf().multi_node.enabled) && cluster.node_count > 1;
        before.filter(|c| !several || *c != NodeCheck::NotFull).chain(constraint).chain(after).collect()
    } else {
        let before = [NodeCheck::Allowed, NodeCheck::Total, NodeCheck::Free];
        before.into_iter().chain(constraint).chain([NodeCheck::Running, NodeCheck::NotHeld]).collect()
    };
    // Nodes out of service come after the others.
    let (nodes, out): (Vec<&Node>, Vec<&Node>) = cluster.nodes.iter().partition(|n| n.in_scheduler);
    let in_service = nodes.len();
    let nodes: Vec<&Node> = nodes.into_iter().chain(out).collect();
    let mut seen: Vec<Vec<NodeFinding>> =
        nodes.iter().map(|n| checks.iter().map(|c| ground.see(n, c)).collect()).collect();
    // Columns that no node fails and nobody asked about are dropped.
    let keep: Vec<bool> = checks
        .iter()
        .enumerate()
        .map(|(i, check)| match check {
            NodeCheck::Clause(..) | NodeCheck::Never(..) | NodeCheck::Free => true,
            NodeCheck::Partition if cluster.partitions.len() > 1 => true,
            NodeCheck::Running => seen.iter().any(|row| !row[i].passes()),
            _ => seen.iter().take(in_service).any(|row| !row[i].passes()),
        })
        .collect();
    let kept = |i: &mut usize| {
        *i += 1;
        keep[*i - 1]
    };
    let mut i = 0;
    let checks: Vec<NodeCheck> = checks.into_iter().filter(|_| kept(&mut i)).collect();
    for row in &mut seen {
        let mut i = 0;
        row.retain(|_| kept(&mut i));
    }
    // What a node that takes nothing has free does not matter.
    let running = checks.iter().position(|c| *c == NodeCheck::Running);
    for row in &mut seen {
        if running.is_some_and(|i| !row[i].passes()) {
            for (check, seen) in checks.iter().zip(row) {
                if matches!(check, NodeCheck::NotFull | NodeCheck::Free | NodeCheck::GivesUp) {
                    seen.value.clear();
                }
            }
        }
    }
    let matrix = Matrix {
        formula: joined(&checks, &ground),
        rows: seen.iter().take(in_service).map(|row| row.iter().map(|s| s.outcome).collect()).collect(),
    };
    // The latest look at each node, including each candidate of an attempt with several.
    let mut latest: BTreeMap<NodeId, usize> = BTreeMap::new();
    for (i, look) in looks.iter().enumerate() {
        latest.extend(look.nodes.iter().map(|(node, _)| *node).chain([look.node]).map(|node| (node, i)));
    }
    let row = |(i, (node, seen)): (usize, (&Node, Vec<NodeFinding>))| {
        let look = latest.get(&node.id).and_then(|i| looks.get(*i));
        // A node that takes nothing is not full.
        let out_of_service = checks.iter().zip(&seen).position(|(c, s)| *c == NodeCheck::Running && !s.passes());
        let recorded = || look.and_then(|look| recorded(&checks, &seen, look, node.id));
        let one = out_of_service.or_else(recorded);
        let against = one.map_or_else(|| matrix.against(i), |i| vec![i]);
        let told = lasting(&checks, &against, |stays| {
            // As if everything else passed.
            let mended = |(check, seen): (&NodeCheck, &NodeFinding)| {
                if stays(check, seen) { seen.outcome } else { ClauseResult::Holds }
            };
            let row = checks.iter().zip(&seen).map(mended).collect();
            Matrix { formula: matrix.formula.clone(), rows: vec![row] }.against(0)
        });
        let no_room = || without_room(&checks, &seen);
        let only = if let [one] = told.as_slice() { checks.get(*one) } else { None };
        let told = match only {
            Some(NodeCheck::NotHeld) => no_room().unwrap_or(told),
            // Taking it off the blacklist would not be enough.
            Some(NodeCheck::Allowed) => no_room().into_iter().flatten().chain(told).collect(),
            Some(_) | None => told,
        };
        NodeRow { node: node.id, first: against.last().copied(), told, seen, against, alone: matrix.alone(i) }
    };
    let mut rows: Vec<NodeRow> = nodes.into_iter().zip(seen).enumerate().map(row).collect();
    let out = rows.split_off(in_service);
    // Hosts that it did not name for another reason do not lack an instance.
    let near = checks.iter().position(|check| *check == NodeCheck::Near);
    let elsewhere =
        |row: &NodeRow| near.is_some_and(|i| !row.seen[i].passes() && row.seen[i].way != FailureKind::HasInstance);
    let anti_affine = look::anti_affine(names, w).filter(|_| !rows.iter().any(elsewhere));
    Table { checks, rows, out, matrix, need: w.size, partition: w.partition, anti_affine }
}

/// Returns the check for too little room, if it fails: for whom the node is reserved does not matter then, since nothing would
/// be placed there anyway.
fn without_room(checks: &[NodeCheck], seen: &[NodeFinding]) -> Option<Vec<usize>> {
    let room = |(check, seen): (&NodeCheck, &NodeFinding)| {
        matches!(check, NodeCheck::NotFull | NodeCheck::Free) && !seen.passes()
    };
    checks.iter().zip(seen).position(room).map(|i| vec![i])
}

/// Returns the checks for the words about a node that `against` decides: what keeps the request away for good, if `against` is
/// only about room or a reservation, or says that the node takes nothing.
fn lasting(
    checks: &[NodeCheck],
    against: &[usize],
    for_good: impl Fn(fn(&NodeCheck, &NodeFinding) -> bool) -> Vec<usize>,
) -> Vec<usize> {
    let decides =
        |of: fn(&NodeCheck) -> bool| !against.is_empty() && against.iter().all(|i| checks.get(*i).is_some_and(of));
    let told = if decides(|check| matches!(check, NodeCheck::NotHeld | NodeCheck::NotFull | NodeCheck::Free)) {
        for_good(is_for_good)
    } else if decides(|check| *check == NodeCheck::Running) {
        for_good(is_of_the_node)
    } else {
        Vec::new()
    };
    if told.is_empty() { against.to_vec() } else { told }
}

/// Returns whether a check fails because of the node itself, whatever runs there: its attributes, its size. The node's state
/// does not matter then.
fn is_of_the_node(check: &NodeCheck, seen: &NodeFinding) -> bool {
    match check {
        NodeCheck::Clause(_, _, leaf) => leaf.targets.iter().all(|target| matches!(target, Target::Attribute { .. })),
        check => *check == NodeCheck::Total && is_for_good(check, seen),
    }
}

/// Returns whether a failing check will not pass by time or by the end of other containers: the partition, a clause, a place,
/// the size of the node.
fn is_for_good(check: &NodeCheck, seen: &NodeFinding) -> bool {
    match check {
        NodeCheck::Partition
        | NodeCheck::Clause(..)
        | NodeCheck::Never(..)
        | NodeCheck::Allowed
        | NodeCheck::Near
        | NodeCheck::Total => !matches!(seen.way, FailureKind::Later | FailureKind::LentLater),
        NodeCheck::Running
        | NodeCheck::Tried
        | NodeCheck::NotHeld
        | NodeCheck::NotFull
        | NodeCheck::Free
        | NodeCheck::GivesUp => false,
    }
}

/// Returns the check that the latest look at the node recorded as failing, if it still fails.
fn recorded(checks: &[NodeCheck], seen: &[NodeFinding], look: &PassRecord, node: NodeId) -> Option<usize> {
    let came = look.nodes.iter().rev().find(|(n, _)| *n == node).map(|(_, came)| came);
    let column = match (came, &look.fate) {
        (Some(OnNode::Failed(checked)), _) => column(checked.check)?,
        (Some(OnNode::Given(VisitEnd::Reserved { .. } | VisitEnd::ReReserved { .. })), _) => NodeCheck::Free,
        (None, PassResult::Stopped(checked)) if matches!(checked.about, About::Queue(_)) => column(checked.check)?,
        (None, PassResult::Held(_)) => NodeCheck::NotHeld,
        _ => return None,
    };
    let is_it = |check: &NodeCheck| *check == column;
    (0..checks.len()).find(|i| is_it(&checks[*i]) && !seen[*i].passes())
}

/// Returns all checks in order; those of the constraint as it joins them.
fn joined(checks: &[NodeCheck], ground: &look::CheckInputs<'_>) -> Formula {
    let mut parts = Vec::new();
    let mut constraint = false;
    for (i, check) in checks.iter().enumerate() {
        if check.clause().is_none() {
            parts.push(Formula::Check(i));
        } else if !std::mem::replace(&mut constraint, true) {
            parts.push(clauses(ground.applying(), i).1);
        }
    }
    Formula::All(parts)
}

/// Returns whether clauses count the tags of several namespaces, so that each has to name its own.
pub fn several_namespaces<'a>(leaves: impl Iterator<Item = &'a Single>) -> bool {
    let mut namespaces = leaves.flat_map(|leaf| &leaf.targets).filter_map(Target::namespace);
    let first = namespaces.next();
    namespaces.any(|other| Some(other) != first)
}

impl Table {
    /// Returns whether its clauses count the tags of several namespaces.
    pub fn several_namespaces(&self) -> bool {
        several_namespaces(self.checks.iter().filter_map(|check| match check {
            NodeCheck::Clause(_, _, leaf) => Some(leaf),
            _ => None,
        }))
    }
}

/// Marks alternatives in the headings of columns: "either (no zk", "and ≥ 1 web)", "or java=1.8". `top`: the parts of an AND
/// are not marked.
fn join_headings(formula: &Formula, top: bool, headings: &mut [String]) {
    let (words, parts) = match formula {
        Formula::Check(_) => return,
        Formula::All(parts) => (["", "and "], parts),
        Formula::Any(parts) => (["either ", "or "], parts),
    };
    if let [only] = parts.as_slice() {
        return join_headings(only, top, headings);
    }
    for (i, part) in parts.iter().enumerate() {
        let top = top && matches!(formula, Formula::All(_));
        join_headings(part, top, headings);
        let (Some(first), Some(last)) = (first_check(part), last_check(part)) else { continue };
        if !top {
            if first != last {
                headings[first].insert(0, '(');
                headings[last].push(')');
            }
            headings[first].insert_str(0, words[i.min(1)]);
        }
    }
}

fn first_check(formula: &Formula) -> Option<usize> {
    match formula {
        Formula::Check(i) => Some(*i),
        Formula::All(parts) | Formula::Any(parts) => parts.iter().find_map(first_check),
    }
}

fn last_check(formula: &Formula) -> Option<usize> {
    match formula {
        Formula::Check(i) => Some(*i),
        Formula::All(parts) | Formula::Any(parts) => parts.iter().rev().find_map(last_check),
    }
}

/// Returns the number of clauses before those of this request: they are numbered through the whole placement spec.
fn clause_offset(names: Names<'_>, w: &Waiting) -> usize {
    let place = names.sim.place_of(w.app);
    let Some(app) = place.and_then(|i| names.scenario().apps.get(i)) else { return 0 };
    let Some(spec) = app.kind.spec() else { return 0 };
    let tag = w.tags.first().map_or("", String::as_str);
    spec.entries.iter().rev().find(|e| e.tag() == tag).map_or(0, |e| e.clauses.start)
}

impl Table {
    /// Returns whether the node lacks room and nothing else. For whom a full node is reserved does not matter.
    pub fn lacks_room(&self, row: &NodeRow) -> bool {
        let held = without_room(&self.checks, &row.seen).is_some();
        self.fails_only(row, |check| match check {
            NodeCheck::NotFull | NodeCheck::Free => true,
            NodeCheck::NotHeld => held,
            NodeCheck::Running
            | NodeCheck::Tried
            | NodeCheck::Partition
            | NodeCheck::Clause(..)
            | NodeCheck::Never(..)
            | NodeCheck::Allowed
            | NodeCheck::Near
            | NodeCheck::Total
            | NodeCheck::GivesUp => false,
        })
    }

    /// Returns whether some node lacks only room, and no node would take it.
    pub fn none_has_room(&self) -> bool {
        self.rows.iter().any(|row| self.lacks_room(row)) && !self.rows.iter().any(NodeRow::fits)
    }

    /// Returns whether the node would take it if no limit of its queue or user required giving up a reservation.
    pub fn waits_for_limit(&self, row: &NodeRow) -> bool {
        self.fails_only(row, |check| matches!(check, NodeCheck::GivesUp))
    }

    /// Returns whether a node would take it if these checks passed, as the checks are joined: an OR needs one of its clauses.
    fn fails_only(&self, row: &NodeRow, may_fail: impl Fn(&NodeCheck) -> bool) -> bool {
        let see = |i: usize| match (self.checks.get(i), row.seen.get(i)) {
            (Some(check), Some(_)) if may_fail(check) => ClauseResult::Holds,
            (_, seen) => seen.map_or(ClauseResult::Error, |seen| seen.outcome),
        };
        !row.fits() && self.matrix.formula.holds(&see)
    }

    /// Returns whether the nodes lack room and nothing else, except those that are out of service, of another partition, or
    /// full and blacklisted.
    pub fn is_full(&self) -> bool {
        // A node that is both full and blacklisted is one of those.
        let of_others = |row: &NodeRow| {
            let full = without_room(&self.checks, &row.seen).is_some();
            let mut failed = self.checks.iter().zip(&row.seen).filter(|(_, seen)| !seen.passes());
            let not_for_it = |check: &NodeCheck| {
                matches!(check, NodeCheck::Running | NodeCheck::Partition) || full && *check == NodeCheck::Allowed
            };
            !row.fits() && failed.any(|(check, _)| not_for_it(check))
        };
        let full = self.rows.iter().filter(|row| self.lacks_room(row)).count();
        full > 0 && self.rows.iter().all(|row| self.lacks_room(row) || of_others(row))
    }

    /// Returns all known nodes, including those out of service.
    fn all(&self) -> impl Iterator<Item = &NodeRow> {
        self.rows.iter().chain(&self.out)
    }

    /// Returns what a request needs of a node and some node in service lacks, as the formula joins it: all of these.
    pub fn lacking(&self) -> Vec<&Formula> {
        let mut out = Vec::new();
        self.parts(&self.matrix.formula, &mut out);
        out.retain(|part| !self.matrix.holds_everywhere(part));
        out
    }

    fn parts<'t>(&'t self, formula: &'t Formula, out: &mut Vec<&'t Formula>) {
        match formula {
            Formula::All(parts) => parts.iter().for_each(|part| self.parts(part, out)),
            Formula::Any(parts) if parts.len() == 1 => parts.iter().for_each(|part| self.parts(part, out)),
            Formula::Check(_) | Formula::Any(_) => out.push(formula),
        }
    }

    /// Returns the number of nodes by what decides against them; nodes that fail in the same way are counted together.
    pub fn buckets(&self, names: Names<'_>) -> Vec<BucketView> {
        let mut out: Vec<(Option<usize>, Vec<String>, Vec<&NodeRow>)> = Vec::new();
        for row in self.all() {
            let what = |one| row.against.iter().map(move |i| bucket(&self.checks[*i], &row.seen[*i], one));
            // Nodes in the same state are counted together, whatever their times.
            let text: Vec<String> = match self.away(row) {
                Some((how, _)) => vec![say::state(how).to_string()],
                None => what(false).collect(),
            };
            match out.iter_mut().find(|(check, known, _)| *check == row.first && *known == text) {
                Some((.., rows)) => rows.push(row),
                None => out.push((row.first, text, vec![row])),
            }
        }
        heddle_core::model::order::sort_by_key(&mut out, |(check, ..)| check.unwrap_or(usize::MAX));
        let view = |(check, several, rows): (Option<usize>, Vec<String>, Vec<&NodeRow>)| {
            let one =
                |row: &NodeRow| row.against.iter().map(|i| bucket(&self.checks[*i], &row.seen[*i], true)).collect();
            let alike = || rows.iter().filter_map(|row| self.away(row)).collect::<Vec<_>>();
            let what: Vec<String> = match rows.as_slice() {
                [row] => one(row),
                // Their times are shown if they are equal.
                [row, ..] if self.away(row).is_some() && alike().windows(2).all(|two| two[0] == two[1]) => one(row),
                _ => several,
            };
            let text = if check.is_none() { say::WOULD_TAKE_IT.to_string() } else { say::each_of(&what) };
            let nodes: Vec<String> = rows.iter().map(|row| names.node(row.node).to_string()).collect();
            BucketView { text: say::bucket(nodes.len(), &text), count: nodes.len(), nodes, check }
        };
        out.into_iter().map(view).collect()
    }

    /// Returns why the node takes nothing, if that decides, also in words.
    fn away<'r>(&self, row: &'r NodeRow) -> Option<(AbsenceKind, &'r str)> {
        let seen = row.seen.get(row.first?)?;
        if let FailureKind::Away(how) = seen.way { Some((how, &seen.away)) } else { None }
    }

    /// Returns the headings of the columns, with marks for alternatives.
    fn headings(&self, names: Names<'_>) -> Vec<String> {
        let mut out: Vec<String> = self.checks.iter().map(|check| title(names, self, check)).collect();
        join_headings(&self.matrix.formula, true, &mut out);
        out
    }

    /// Returns the matrix, the nearest nodes first.
    pub fn matrix(&self, names: Names<'_>) -> MatrixView {
        let checks = self.checks.iter().zip(self.headings(names)).map(|(c, title)| CheckView {
            title,
            clause: c.clause(),
            yarn: yarn(c).to_string(),
            words: match c {
                NodeCheck::Clause(_, level, leaf) => {
                    let whose = match level {
                        Level::Request => "",
                        Level::Application => say::OF_APPLICATION,
                        Level::Global => say::OF_CLUSTER,
                    };
                    format!("{}{whose}", english::clause(leaf, None))
                }
                NodeCheck::Never(_, why) => why.words().to_string(),
                NodeCheck::NotFull => {
                    let cluster = names.rm().cluster();
                    let smallest = crate::explain::words::counted(cluster.minimum, cluster.calculator, &cluster.types);
                    say::smallest_has_room(&smallest)
                }
                _ => String::new(),
            },
        });
        let mut order: Vec<&NodeRow> = self.all().collect();
        heddle_core::model::order::sort_by_key(&mut order, |r| r.distance());
        let cluster = names.rm().cluster();
        let mut rows: Vec<MatrixRow> = Vec::new();
        for r in order {
            let cells = r.seen.iter().enumerate().map(|(i, s)| CellView {
                passes: s.passes(),
                first: r.against.contains(&i),
                text: self.cell(names, &self.checks[i], s),
            });
            let rack = cluster.place_name(cluster.node(r.node).rack);
            let (cells, near, node) = (cells.collect::<Vec<_>>(), r.near(), names.node(r.node).to_string());
            match rows.iter_mut().find(|o| (o.rack.as_str(), o.near, &o.cells) == (rack, near, &cells)) {
                Some(row) => row.alike.push(node),
                None => rows.push(MatrixRow { node, alike: Vec::new(), rack: rack.to_string(), near, cells }),
            }
        }
        MatrixView { checks: checks.collect(), rows, at_ms: None }
    }

    /// Returns the text of a cell: the value, or, if none is allowed, the containers that are there.
    fn cell(&self, names: Names<'_>, check: &NodeCheck, seen: &NodeFinding) -> String {
        // Having none of what is forbidden needs no figures.
        if seen.passes() && seen.value == "0 ≤ 0" {
            return String::new();
        }
        let none_allowed = matches!(check, NodeCheck::Clause(_, _, leaf) if leaf.max == 0);
        if seen.passes() || seen.culprits.is_empty() || !none_allowed {
            return seen.value.clone();
        }
        let who: Vec<String> = seen.culprits.iter().map(|c| names.selection(c)).collect();
        crate::explain::words::list(&who, 2)
    }

    /// Returns why a node does not take it; `None` if it would.
    pub fn reason(&self, node: NodeId) -> Option<NodeReason> {
        let row = self.rows.iter().find(|r| r.node == node)?;
        let first = row.first?;
        let mut short: Vec<&str> = row.deciding().map(|seen| seen.short.as_str()).collect();
        short.dedup();
        Some(NodeReason {
            text: say::each_short(&short),
            clause: self.checks[first].clause(),
            alone: row.alone.iter().filter_map(|i| self.checks[*i].clause()).collect(),
            culprits: row.deciding().flat_map(|seen| seen.culprits.iter().cloned()).collect(),
            near: row.near(),
        })
    }

    /// Returns the smallest sets of checks such that lifting all checks of one set lets some node take it.
    pub fn blocking(&self, names: Names<'_>) -> Vec<String> {
        let told = self.matrix.blocking_sets().into_iter().map(|set| {
            let check = |i: &usize| match self.checks[*i].clause() {
                Some(n) => format!("{} {}", circled(n), title(names, self, &self.checks[*i])),
                None => title(names, self, &self.checks[*i]),
            };
            let checks: Vec<String> = set.checks.iter().map(check).collect();
            let nodes: Vec<String> = set.rows.iter().map(|i| names.node(self.rows[*i].node).to_string()).collect();
            say::blocking(&checks, &nodes)
        });
        told.collect()
    }
}
