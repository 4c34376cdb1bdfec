//! Nodes × checks: for one request, every check that the scheduler makes of a node, on all nodes at once, in YARN's
//! order (capacity-scheduler.md 7.1, 8.3 to 8.5). What was decided comes from the journal; the figures of nodes that
//! were not visited since come from the state.

use super::evidence::Evidence;
use super::names::Names;
use super::view::{BucketView, CellView, CheckView, MatrixRow, MatrixView, NodeReason, Selection};
use super::waiting::Waiting;
use super::words;
use crate::constraint::evaluate::{Found, Site};
use crate::constraint::tree::UNLIMITED;
use crate::constraint::{AttributeOp, Constraint, Scope, Single, Target};
use crate::journal::NodeVerdict;
use crate::model::{CalculatorKind, NodeId, PartitionId, Resource};
use crate::scheduler::{App, ContainerState, KeyAsks, Node, NodeState};

/// One check.
#[derive(Clone, Debug, PartialEq)]
pub enum Check {
    /// The node takes containers.
    Running,
    /// No other request has reserved it.
    NotHeld,
    /// It has room for the smallest container.
    NotFull,
    /// It is in the partition asked for.
    Partition,
    /// A leaf of the constraint, with its number from 1.
    Clause(usize, Single),
    /// The constraint cannot be evaluated.
    Unevaluable(String),
    /// Host and rack are not blacklisted.
    Allowed,
    /// It is near enough to what was asked for.
    Near,
    /// The container fits in the whole node.
    Total,
    /// The container fits in what is free.
    Free,
}

/// What a check finds on a node.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct Seen {
    /// Does it pass?
    pub passes: bool,
    /// The value seen, short: "zk-1", "3 > 2", "5".
    pub value: String,
    /// Why not, in three words: "runs zk-1".
    pub short: String,
    /// Why not, as the end of a sentence after the node's name: "has zk-1".
    pub has: String,
    /// Containers that are the cause.
    pub culprits: Vec<Selection>,
}

/// A node with what each check finds.
#[derive(Clone, Debug, PartialEq)]
pub struct Row {
    /// Which.
    pub node: NodeId,
    /// By check.
    pub seen: Vec<Seen>,
}

impl Row {
    /// The first check that fails.
    pub fn first(&self) -> Option<usize> {
        self.seen.iter().position(|s| !s.passes)
    }

    /// How many fail.
    pub fn failing(&self) -> usize {
        self.seen.iter().filter(|s| !s.passes).count()
    }
}

/// All nodes and checks of a request.
#[derive(Clone, Debug, PartialEq)]
pub struct Table {
    /// Columns.
    pub checks: Vec<Check>,
    /// One row a node in the scheduler, in the order of registration.
    pub rows: Vec<Row>,
    /// What one container needs.
    pub need: Resource,
    /// The partition asked for.
    pub partition: PartitionId,
}

/// The table of a request.
pub fn table(names: Names<'_>, w: &Waiting, evidence: &Evidence) -> Table {
    let cluster = names.rm().cluster();
    let app = names.rm().scheduled(w.app);
    let asks = app.and_then(|a| Some(a.asks.at(a.asks.find(w.key)?)));
    let ground = Ground { names, w, app, asks, evidence };
    let leaves = ground.leaves();
    let mut checks = vec![Check::Running, Check::NotHeld, Check::NotFull, Check::Partition];
    match &leaves {
        Ok(leaves) => {
            let offset = clause_offset(names, w);
            checks.extend(leaves.iter().enumerate().map(|(i, leaf)| Check::Clause(offset + i + 1, (*leaf).clone())));
        }
        Err(words) => checks.push(Check::Unevaluable(words.clone())),
    }
    checks.extend([Check::Allowed, Check::Near, Check::Total, Check::Free]);
    let nodes: Vec<&Node> = cluster.nodes.iter().filter(|n| n.in_scheduler).collect();
    let rows: Vec<Row> = nodes.iter().map(|n| Row { node: n.id, seen: ground.row(n, &checks) }).collect();
    let mut table = Table { checks, rows, need: w.size, partition: w.partition };
    // Columns that no node fails and that nobody asked about say nothing.
    let keep: Vec<bool> = (0..table.checks.len())
        .map(|i| {
            let asked = match &table.checks[i] {
                Check::Clause(..) | Check::Free => true,
                Check::Partition => cluster.partitions.len() > 1,
                _ => false,
            };
            asked || table.rows.iter().any(|r| !r.seen[i].passes)
        })
        .collect();
    let mut i = 0;
    table.checks.retain(|_| {
        i += 1;
        keep[i - 1]
    });
    for row in &mut table.rows {
        let mut i = 0;
        row.seen.retain(|_| {
            i += 1;
            keep[i - 1]
        });
    }
    table
}

/// The numbers of clauses run through a whole placement spec: how many stand before those of this request.
fn clause_offset(names: Names<'_>, w: &Waiting) -> usize {
    let place = names.sim.place_of(w.app);
    let Some(app) = place.and_then(|i| names.scenario().apps.get(i)) else { return 0 };
    let crate::scenario::AppKind::DistributedShell(shell) = &app.kind else { return 0 };
    let Some(spec) = shell.spec.as_ref().and_then(|s| crate::constraint::parse_spec(&s.text).ok()) else { return 0 };
    let tags = tags_of(names, w);
    let tag = tags.first().map_or("", String::as_str);
    spec.entries.iter().rev().find(|e| e.tag() == tag).map_or(0, |e| e.clauses.start)
}

/// Tags of a request.
pub fn tags_of(names: Names<'_>, w: &Waiting) -> Vec<String> {
    let cluster = names.rm().cluster();
    let app = names.rm().scheduled(w.app);
    let asks = app.and_then(|a| Some(a.asks.at(a.asks.find(w.key)?)));
    let tagged = asks.and_then(|a| a.tagged.as_ref());
    tagged.and_then(|t| cluster.tag_sets.get_index(t.tags as usize)).cloned().unwrap_or_default()
}

struct Ground<'a> {
    names: Names<'a>,
    w: &'a Waiting,
    app: Option<&'a App>,
    asks: Option<&'a KeyAsks>,
    evidence: &'a Evidence,
}

impl<'a> Ground<'a> {
    /// Leaves of every constraint that applies, or why YARN cannot evaluate it.
    fn leaves(&self) -> Result<Vec<&'a Single>, String> {
        let mut out = Vec::new();
        for constraint in self.applying() {
            if constraint.has_delayed_or() {
                return Err("YARN 3.5.0 cannot evaluate a delayed OR.".to_string());
            }
            out.extend(constraint.leaves());
        }
        Ok(out)
    }

    fn applying(&self) -> Vec<&'a Constraint> {
        let cluster = self.names.rm().cluster();
        let Some(tagged) = self.asks.and_then(|a| a.tagged.as_ref()) else { return Vec::new() };
        let tags: &[String] = cluster.tag_sets.get_index(tagged.tags as usize).map_or(&[], Vec::as_slice);
        let state = self.names.rm().placement();
        let applying = state.constraints.applying(self.w.app, tags, tagged.constraint.as_ref());
        applying.parts().map(|(_, c)| c).collect()
    }

    fn site(&self, node: &'a Node) -> Site<'a> {
        let partition = self.names.partition(node.partition);
        Site { node: node.id, host: &node.host, rack: node.rack.0, partition }
    }

    fn row(&self, node: &'a Node, checks: &[Check]) -> Vec<Seen> {
        // A leaf that fails inside an OR whose other child holds does not stop anything.
        let state = self.names.rm().placement();
        let whole = self.applying().into_iter().all(|c| {
            let applying = crate::constraint::manager::Applying::request(Some(c));
            state.evaluate_all(self.w.app, applying, self.site(node)).is_ok_and(|v| v.holds())
        });
        let verdict = self.evidence.nodes.get(&(self.w.app, self.w.key, node.id));
        checks.iter().map(|check| self.see(node, check, whole, verdict)).collect()
    }

    fn see(&self, node: &'a Node, check: &Check, whole: bool, verdict: Option<&NodeVerdict>) -> Seen {
        let cluster = self.names.rm().cluster();
        match check {
            Check::Running => {
                let state = super::snapshot::node_state(node.state);
                let silent = self.names.sim.machine(node.id).is_some_and(|m| !m.alive);
                let (state, passes) =
                    if silent { ("silent", false) } else { (state, node.state == NodeState::Running) };
                let state = state.to_lowercase();
                Seen { passes, short: state.clone(), has: format!("is {state}"), value: state, ..Seen::default() }
            }
            Check::NotHeld => self.held(node),
            Check::NotFull => {
                let free = node.free();
                let (passes, place) = self.fits(cluster.minimum, free);
                let has = format!("has {} free", words::one(free, place, &cluster.types));
                Seen {
                    passes,
                    value: words::bare(free[place], place),
                    short: "full".to_string(),
                    has,
                    ..Seen::default()
                }
            }
            Check::Partition => {
                let label = self.names.partition(node.partition);
                let lent = self.w.partition.is_default()
                    && !self.w.am
                    && !cluster.partitions[node.partition.index()].exclusive;
                let passes = node.partition == self.w.partition || lent;
                let value = if label.is_empty() { "–".to_string() } else { label.to_string() };
                let (short, has) = if label.is_empty() {
                    ("has no label".to_string(), "has no label".to_string())
                } else {
                    (format!("label {label}"), format!("has label {label}"))
                };
                Seen { passes, value, short, has, ..Seen::default() }
            }
            Check::Clause(_, leaf) => self.clause(node, leaf, whole),
            Check::Unevaluable(words) => Seen {
                passes: false,
                value: "?".to_string(),
                short: "cannot be evaluated".to_string(),
                has: words.clone(),
                ..Seen::default()
            },
            Check::Allowed => {
                let listed = self
                    .app
                    .is_some_and(|a| a.blacklist.contains(&node.host_place) || a.blacklist.contains(&node.rack));
                let text = "blacklisted".to_string();
                Seen {
                    passes: !listed,
                    value: text.clone(),
                    has: "is blacklisted".into(),
                    short: text,
                    ..Seen::default()
                }
            }
            Check::Near => self.near(node, verdict),
            Check::Total => {
                let (passes, place) = self.fits(self.w.size, node.total);
                let has = format!("has {} in all", words::one(node.total, place, &cluster.types));
                let short = format!("only {}", words::one(node.total, place, &cluster.types));
                Seen { passes, value: words::bare(node.total[place], place), short, has, ..Seen::default() }
            }
            Check::Free => {
                let free = node.free();
                let (passes, place) = self.fits(self.w.size, free);
                let text = words::one(free, place, &cluster.types);
                let short = format!("{text} free");
                let value = if place == 0 { words::bare(free[place], place) } else { text.clone() };
                Seen { passes, value, short, has: format!("has {text} free"), ..Seen::default() }
            }
        }
    }

    /// Does it fit, and which type is scarcest?
    fn fits(&self, need: Resource, room: Resource) -> (bool, usize) {
        let cluster = self.names.rm().cluster();
        let types = if cluster.calculator.kind == CalculatorKind::Default { 1 } else { cluster.types.len() };
        let short = (0..types).find(|i| need[*i] > room[*i]);
        let scarce = (0..types).filter(|i| need[*i] > 0).max_by(|a, b| {
            let share = |i: usize| need[i] as f64 / room[i].max(1) as f64;
            share(*a).total_cmp(&share(*b)).then(b.cmp(a))
        });
        match short {
            Some(place) => (false, place),
            None => (true, scarce.unwrap_or(0)),
        }
    }

    fn held(&self, node: &Node) -> Seen {
        let Some(slot) = node.reserved else { return Seen { passes: true, ..Seen::default() } };
        let c = self.names.rm().cluster().containers.at(slot);
        if c.id.app == self.w.app && c.key == self.w.key {
            return Seen { passes: true, value: "own".to_string(), ..Seen::default() };
        }
        let who = self.names.request_name(c.id.app, c.key, 1);
        Seen {
            passes: false,
            value: "held".to_string(),
            short: format!("held for {who}"),
            has: format!("is held for {who}"),
            culprits: Vec::new(),
        }
    }

    fn near(&self, node: &Node, verdict: Option<&NodeVerdict>) -> Seen {
        let pass = Seen { passes: true, ..Seen::default() };
        let Some(asks) = self.asks.filter(|a| a.unique_names() > 1) else { return pass };
        let wanted = |place| asks.row(place).filter(|r| r.count > 0);
        if wanted(node.host_place).is_some() {
            return Seen { value: "host".to_string(), ..pass };
        }
        let elsewhere = |has: &str| Seen {
            passes: false,
            value: "elsewhere".to_string(),
            short: "not a place asked for".to_string(),
            has: has.to_string(),
            culprits: Vec::new(),
        };
        let rack = wanted(node.rack);
        if rack.is_some_and(|r| !r.relax) || rack.is_none() && asks.any().is_some_and(|r| !r.relax) {
            return elsewhere("is not a place it asked for");
        }
        if let Some(NodeVerdict::Delay { missed, needed, .. }) = verdict {
            let more = (f64::from(*needed).floor() as i64 + 1).max(1);
            return Seen {
                passes: false,
                value: format!("{missed} of {more}"),
                short: format!("{missed} of {more} chances missed"),
                has: format!("is taken after {more} missed chances, {missed} so far"),
                culprits: Vec::new(),
            };
        }
        match verdict {
            Some(NodeVerdict::NoRelax { .. } | NodeVerdict::NoRow) => elsewhere("is not a place it asked for"),
            _ => Seen { value: if rack.is_some() { "rack" } else { "any" }.to_string(), ..pass },
        }
    }

    fn clause(&self, node: &'a Node, leaf: &Single, whole: bool) -> Seen {
        let state = self.names.rm().placement();
        let mut out = Seen { passes: true, ..Seen::default() };
        for target in &leaf.targets {
            let Ok((found, holds)) = state.look(self.w.app, leaf, target, self.site(node)) else {
                return Seen { passes: false, value: "?".to_string(), short: "cannot be evaluated".into(), ..out };
            };
            let seen = self.target(node, leaf, target, &found);
            if !holds {
                // Shown as failing even where another branch of an OR saves the node; only its mark differs.
                return Seen { passes: whole, ..seen };
            }
            if out.value.is_empty() {
                out.value = seen.value;
            }
        }
        out
    }

    fn target(&self, node: &Node, leaf: &Single, target: &Target, found: &Found<'_>) -> Seen {
        let rack = leaf.scope == Scope::Rack;
        let place = if rack { "its rack has" } else { "has" };
        match (target, found) {
            (Target::Tags { values, .. }, Found::Counts { least, most }) => {
                let tag = values.join(" and ");
                let culprits = if *most > 0 { self.tagged(node, leaf, target) } else { Vec::new() };
                let who: Vec<String> = culprits.iter().map(|s| self.names.selection(s)).collect();
                let too_many = leaf.max != UNLIMITED && *most > i64::from(leaf.max);
                if too_many && leaf.max == 0 {
                    let listed = if who.is_empty() { most.to_string() } else { words::list(&who, 2) };
                    let short = if rack { format!("rack has {listed}") } else { format!("runs {listed}") };
                    Seen { passes: false, has: format!("{place} {listed}"), value: listed, short, culprits }
                } else if too_many {
                    let short = if rack { format!("rack has {most} {tag}") } else { format!("has {most} {tag}") };
                    let value = format!("{most} > {}", leaf.max);
                    Seen { passes: false, has: format!("{place} {most} {tag}"), value, short, culprits }
                } else {
                    let few = leaf.min > 0 && *least < i64::from(leaf.min);
                    let value = if few { format!("{least} < {}", leaf.min) } else { most.to_string() };
                    let count = if *least == 0 { "no".to_string() } else { least.to_string() };
                    let short = if rack { format!("rack has {count} {tag}") } else { format!("has {count} {tag}") };
                    Seen { passes: !few, has: format!("{place} {count} {tag}"), value, short, culprits: Vec::new() }
                }
            }
            (Target::Attribute { name, .. }, Found::Value(value)) => {
                let text = value.map_or_else(|| format!("no {name}"), |v| format!("{name}={v}"));
                let value = value.unwrap_or("–").to_string();
                Seen {
                    passes: false,
                    has: format!("has {text}"),
                    short: format!("has {text}"),
                    value,
                    ..Seen::default()
                }
            }
            _ => {
                let label = self.names.partition(node.partition);
                let text = if label.is_empty() { "no label".to_string() } else { format!("label {label}") };
                Seen {
                    passes: false,
                    has: format!("has {text}"),
                    short: format!("has {text}"),
                    value: text,
                    ..Seen::default()
                }
            }
        }
    }

    /// Containers that a target counts on the node, or in its rack.
    fn tagged(&self, node: &Node, leaf: &Single, target: &Target) -> Vec<Selection> {
        let Target::Tags { namespace, values } = target else { return Vec::new() };
        let rm = self.names.rm();
        let cluster = rm.cluster();
        let Ok(apps) = rm.placement().selected(self.w.app, namespace) else { return Vec::new() };
        let in_scope = |n: &&Node| n.id == node.id || leaf.scope == Scope::Rack && n.rack == node.rack;
        let mut out = Vec::new();
        for n in cluster.nodes.iter().filter(in_scope) {
            for c in rm.containers_on(n.id) {
                let tags = cluster.tag_sets.get_index(c.tags as usize);
                let has = tags
                    .is_some_and(|t| t.iter().any(|tag| values.contains(tag)) || values.is_empty() && !t.is_empty());
                if has && apps.contains(&c.id.app) && c.state != ContainerState::Reserved {
                    out.push(self.names.container(c.id));
                }
            }
        }
        out
    }
}

/// What a check wants, as the end of "Needs a node …".
pub fn wants(names: Names<'_>, table: &Table, check: &Check) -> String {
    let cluster = names.rm().cluster();
    let need = words::counted(table.need, cluster.calculator, &cluster.types).replace(" · ", " and ");
    match check {
        Check::Running => "that runs".to_string(),
        Check::NotHeld => "that nobody holds".to_string(),
        Check::NotFull => "with room".to_string(),
        Check::Partition => match names.partition(table.partition) {
            "" => "without a label".to_string(),
            label => format!("with label {label}"),
        },
        Check::Clause(_, leaf) => clause_wants(leaf),
        Check::Unevaluable(_) => "that YARN can judge".to_string(),
        Check::Allowed => "that is not blacklisted".to_string(),
        Check::Near => "where it asked to be".to_string(),
        Check::Total => format!("of at least {need}"),
        Check::Free => format!("with {need} free"),
    }
}

fn clause_wants(leaf: &Single) -> String {
    let of = |text: String| if leaf.scope == Scope::Rack { format!("in a rack {text}") } else { text };
    let parts: Vec<String> = leaf
        .targets
        .iter()
        .map(|target| match target {
            Target::Tags { values, .. } => {
                let tag = if values.is_empty() { "tagged containers".to_string() } else { values.join(" and ") };
                of(match (leaf.min, leaf.max) {
                    (min, 0) if min <= 0 => format!("without {tag}"),
                    (1, UNLIMITED) => format!("with {tag}"),
                    (min, UNLIMITED) if min > 0 => format!("with at least {min} {tag}"),
                    (min, max) if min <= 0 => format!("with at most {max} {tag}"),
                    (min, max) => format!("with {min} to {max} {tag}"),
                })
            }
            Target::Attribute { name, values } => {
                let value = values.first().map_or("", String::as_str);
                match leaf.op {
                    AttributeOp::Ne => format!("without {name}={value}"),
                    _ => format!("with {name}={value}"),
                }
            }
            Target::Partition { values } => match values.first().map(String::as_str) {
                None | Some("") => "without a label".to_string(),
                Some(label) => format!("with label {label}"),
            },
        })
        .collect();
    parts.join(" and ")
}

/// Heading of a column.
fn title(names: Names<'_>, table: &Table, check: &Check) -> String {
    let cluster = names.rm().cluster();
    let need = || words::counted(table.need, cluster.calculator, &cluster.types);
    match check {
        Check::Running => "runs".to_string(),
        Check::NotHeld => "not held".to_string(),
        Check::NotFull => format!("{} free", words::memory(cluster.minimum.memory_mb())),
        Check::Partition => match names.partition(table.partition) {
            "" => "no label".to_string(),
            label => format!("label {label}"),
        },
        Check::Clause(_, leaf) => clause_title(leaf),
        Check::Unevaluable(_) => "constraint".to_string(),
        Check::Allowed => "not blacklisted".to_string(),
        Check::Near => "place".to_string(),
        Check::Total => format!("{} in all", need()),
        Check::Free => format!("{} free", need()),
    }
}

/// A clause in few words: "no zk", "rack ≤ 2 zk", "java=1.8".
pub fn clause_title(leaf: &Single) -> String {
    let rack = if leaf.scope == Scope::Rack { "rack: " } else { "" };
    let parts: Vec<String> = leaf
        .targets
        .iter()
        .map(|target| match target {
            Target::Tags { values, .. } => {
                let tag = if values.is_empty() { "tags".to_string() } else { values.join("+") };
                match (leaf.min, leaf.max) {
                    (min, 0) if min <= 0 => format!("{rack}no {tag}"),
                    (min, UNLIMITED) => format!("{rack}≥ {min} {tag}"),
                    (min, max) if min <= 0 => format!("{rack}≤ {max} {tag}"),
                    (min, max) => format!("{rack}{min}–{max} {tag}"),
                }
            }
            Target::Attribute { name, values } => {
                let value = values.first().map_or("", String::as_str);
                let sign = if leaf.op == AttributeOp::Ne { "≠" } else { "=" };
                format!("{name}{sign}{value}")
            }
            Target::Partition { values } => format!("label {}", values.first().map_or("–", String::as_str)),
        })
        .collect();
    parts.join(" and ")
}

/// YARN's words when a check fails.
fn yarn(check: &Check) -> &'static str {
    match check {
        Check::Running => "Initial check: node has been removed from scheduler",
        Check::NotHeld => "Queue skipped because node has been reserved",
        Check::NotFull => "Initial check: node resource is insufficient for minimum allocation",
        Check::Partition | Check::Clause(..) | Check::Unevaluable(_) => {
            "Node does not match partition or placement constraints"
        }
        Check::Allowed => "Node is blacklisted",
        Check::Near => "Node skipped because of off-switch delay",
        Check::Total => "Node's total resource is insufficient for request",
        Check::Free => "Node does not have sufficient resource for request",
    }
}

/// A bucket's words after its count.
fn bucket(check: &Check, one: bool) -> String {
    let verb = |plural: &str, singular: &str| if one { singular.to_string() } else { plural.to_string() };
    match check {
        Check::Running => verb("do not run", "does not run"),
        Check::NotHeld => "held".to_string(),
        Check::NotFull => "full".to_string(),
        Check::Partition => "other label".to_string(),
        Check::Clause(_, leaf) => match leaf.targets.first() {
            Some(Target::Tags { values, .. }) => {
                let tag = values.join("+");
                match (leaf.scope, leaf.max) {
                    (Scope::Rack, UNLIMITED) => format!("rack lacks {tag}"),
                    (Scope::Rack, _) => "rack full".to_string(),
                    (Scope::Node, UNLIMITED) => verb(&format!("lack {tag}"), &format!("lacks {tag}")),
                    (Scope::Node, 0) => verb(&format!("run {tag}"), &format!("runs {tag}")),
                    (Scope::Node, _) => verb(&format!("run too many {tag}"), &format!("runs too many {tag}")),
                }
            }
            Some(Target::Attribute { name, .. }) => format!("other {name}"),
            _ => "other label".to_string(),
        },
        Check::Unevaluable(_) => "cannot be judged".to_string(),
        Check::Allowed => "blacklisted".to_string(),
        Check::Near => "elsewhere".to_string(),
        Check::Total => "too small".to_string(),
        Check::Free => "too full".to_string(),
    }
}

impl Table {
    /// Nodes counted once each, by their first failing check.
    pub fn buckets(&self, names: Names<'_>) -> Vec<BucketView> {
        let mut out = Vec::new();
        let places = (0..self.checks.len()).map(Some).chain([None]);
        for check in places {
            let nodes: Vec<String> =
                self.rows.iter().filter(|r| r.first() == check).map(|r| names.node(r.node).to_string()).collect();
            if nodes.is_empty() {
                continue;
            }
            let text = match check.and_then(|i| self.checks.get(i)) {
                Some(check) => bucket(check, nodes.len() == 1),
                None if nodes.len() == 1 => "would take it".to_string(),
                None => "would take it".to_string(),
            };
            out.push(BucketView { text: format!("{} {text}", nodes.len()), count: nodes.len(), nodes, check });
        }
        out
    }

    /// The matrix, fewest failures first.
    pub fn matrix(&self, names: Names<'_>) -> MatrixView {
        let checks = self.checks.iter().map(|c| CheckView {
            title: title(names, self, c),
            clause: if let Check::Clause(n, _) = c { Some(*n) } else { None },
            yarn: yarn(c).to_string(),
        });
        let mut order: Vec<&Row> = self.rows.iter().collect();
        crate::model::order::sort_by_key(&mut order, |r| r.failing());
        let cluster = names.rm().cluster();
        let rows = order.into_iter().map(|r| {
            let first = r.first();
            let cells = r.seen.iter().enumerate().map(|(i, s)| CellView {
                passes: s.passes,
                first: first == Some(i),
                text: s.value.clone(),
            });
            MatrixRow {
                node: names.node(r.node).to_string(),
                rack: cluster.place_name(cluster.node(r.node).rack).to_string(),
                cells: cells.collect(),
            }
        });
        MatrixView { checks: checks.collect(), rows: rows.collect() }
    }

    /// Why a node does not take it; `None` if all checks pass.
    pub fn reason(&self, node: NodeId) -> Option<NodeReason> {
        let row = self.rows.iter().find(|r| r.node == node)?;
        let first = row.first()?;
        let seen = &row.seen[first];
        Some(NodeReason {
            text: seen.short.clone(),
            clause: if let Check::Clause(n, _) = &self.checks[first] { Some(*n) } else { None },
            culprits: seen.culprits.clone(),
            near: row.failing() == 1,
        })
    }

    /// YARN's words and on how many nodes each stands first.
    pub fn yarn(&self) -> Vec<(String, usize)> {
        let mut out: Vec<(String, usize)> = Vec::new();
        for check in self.rows.iter().filter_map(|r| self.checks.get(r.first()?)) {
            let words = yarn(check);
            match out.iter_mut().find(|(w, _)| w == words) {
                Some((_, n)) => *n += 1,
                None => out.push((words.to_string(), 1)),
            }
        }
        out
    }

    /// The smallest sets of checks of which lifting all of one set lets some node take it.
    pub fn blocking(&self, names: Names<'_>) -> Vec<String> {
        let mut sets: Vec<(Vec<usize>, Vec<String>)> = Vec::new();
        for row in &self.rows {
            let failing: Vec<usize> = (0..row.seen.len()).filter(|i| !row.seen[*i].passes).collect();
            let node = names.node(row.node).to_string();
            match sets.iter_mut().find(|(set, _)| *set == failing) {
                Some((_, nodes)) => nodes.push(node),
                None => sets.push((failing, vec![node])),
            }
        }
        let contains = |large: &[usize], small: &[usize]| small.iter().all(|i| large.contains(i));
        let minimal = sets.iter().filter(|(set, _)| {
            !set.is_empty() && !sets.iter().any(|(other, _)| other.len() < set.len() && contains(set, other))
        });
        minimal
            .map(|(set, nodes)| {
                let checks: Vec<String> = set
                    .iter()
                    .map(|i| match &self.checks[*i] {
                        Check::Clause(n, leaf) => format!("{} {}", circled(*n), clause_title(leaf)),
                        check => title(names, self, check),
                    })
                    .collect();
                format!("{} ({})", words::list(&checks, 6), words::list(nodes, 4))
            })
            .collect()
    }
}

/// ① to ⑳, then (21).
pub fn circled(n: usize) -> String {
    match n {
        1..=20 => char::from_u32(0x245F + n as u32).map_or_else(|| n.to_string(), String::from),
        _ => format!("({n})"),
    }
}
