//! The finding of each check on a node.

use super::{FailureKind, NodeCheck, NodeFinding, several_namespaces};
use crate::apps::told_of;
use crate::explain::away::{away, drains};
use crate::explain::names::Names;
use crate::explain::record::{OnNode, PassRecord};
use crate::explain::say::checks::is_own;
use crate::explain::say::nodes::{self as say, NodeWords};
use crate::explain::verdicts;
use crate::explain::view::Selection;
use crate::explain::waiting::Waiting;
use crate::explain::words;
use heddle_core::check::{About, Check as Recorded, Checked, Figures};
use heddle_core::constraint::english::whose;
use heddle_core::constraint::evaluate::{Site, TargetMatch};
use heddle_core::constraint::manager::Applying;
use heddle_core::constraint::tree::UNLIMITED;
use heddle_core::constraint::xray::{self, Clause, ClauseResult, clauses};
use heddle_core::constraint::{Scope, Single, Target};
use heddle_core::model::{CalculatorKind, Locality, NodeId, Resource};
use heddle_core::scheduler::capacity::Opening;
use heddle_core::scheduler::{App, Container, ContainerState, KeyAsks, Node, Scheduler};
use std::collections::BTreeMap;

impl NodeFinding {
    fn new(passes: bool, value: impl Into<String>, has: NodeWords) -> Self {
        let (outcome, way, NodeWords { has, short, rack }) = (ClauseResult::from(passes), FailureKind::Usual, has);
        NodeFinding {
            outcome,
            way,
            value: value.into(),
            short,
            has,
            rack,
            whose: String::new(),
            away: String::new(),
            culprits: Vec::new(),
        }
    }

    fn way(self, way: FailureKind) -> Self {
        NodeFinding { way, ..self }
    }

    fn holds(value: &str) -> Self {
        NodeFinding::new(true, value, NodeWords { has: String::new(), short: String::new(), rack: String::new() })
    }

    fn failing(has: NodeWords) -> Self {
        NodeFinding::new(false, "", has)
    }
}

/// Returns the name of the component that a request is for, if its ApplicationMaster allows no host a second instance.
pub fn anti_affine(names: Names<'_>, w: &Waiting) -> Option<String> {
    (!w.am).then(|| told_of(names, w.app).one_a_host(names, w)).flatten()
}

/// The inputs of the checks.
pub struct CheckInputs<'a> {
    names: Names<'a>,
    w: &'a Waiting,
    app: Option<&'a App>,
    asks: Option<&'a KeyAsks>,
    /// Whether the clauses count the tags of several namespaces.
    several_namespaces: bool,
    /// The check that last failed, by node.
    failed: BTreeMap<NodeId, &'a Checked>,
}

impl<'a> CheckInputs<'a> {
    /// The inputs for a request.
    pub fn new(names: Names<'a>, w: &'a Waiting, looks: &'a [PassRecord]) -> Self {
        let app = names.rm().scheduled(w.app);
        let asks = app.and_then(|a| Some(a.asks.at(a.asks.find(w.key)?)));
        let mut failed = BTreeMap::new();
        for (node, came) in looks.iter().flat_map(|l| &l.nodes) {
            match came {
                OnNode::Failed(checked) => failed.insert(*node, checked),
                OnNode::Given(_) => failed.remove(node),
            };
        }
        let mut out = CheckInputs { names, w, app, asks, several_namespaces: false, failed };
        let (parts, _) = clauses(out.applying(), 0);
        out.several_namespaces = several_namespaces(parts.iter().filter_map(|(_, clause)| match clause {
            Clause::Leaf(leaf) => Some(*leaf),
            Clause::Delayed | Clause::Nothing => None,
        }));
        out
    }

    /// Returns whose tags a target counts, unless that is obvious.
    fn whose(&self, namespace: &str) -> String {
        if self.several_namespaces || !is_own(namespace) { say::whose(&whose(namespace)) } else { String::new() }
    }

    /// Returns whose tags a target counts on a node; named too if the node runs such containers of others but none of the
    /// application.
    fn whose_there(&self, node: &Node, leaf: &Single, target: &Target) -> String {
        let Target::Tags { namespace, values } = target else { return String::new() };
        let all = Target::Tags { namespace: "all".to_string(), values: values.clone() };
        let lacks = leaf.max == UNLIMITED && is_own(namespace) && self.tagged(node, leaf, target).is_empty();
        if lacks && !self.tagged(node, leaf, &all).is_empty() {
            return say::whose(&whose(namespace));
        }
        self.whose(namespace)
    }

    /// Returns every constraint that applies to the request.
    pub fn applying(&self) -> Applying<'a> {
        let constraints = &self.names.rm().placement().constraints;
        // An ordinary request carries no tags and no constraint.
        constraints.applying(self.w.app, &self.w.tags, self.w.constraint.as_deref())
    }

    /// Returns the request's check that last failed on a node.
    fn failed(&self, node: NodeId) -> Option<&'a Checked> {
        self.failed.get(&node).copied()
    }

    fn site(&self, node: &'a Node) -> Site<'a> {
        let partition = self.names.partition(node.partition);
        Site { node: node.id, host: &node.host, rack: node.rack.0, partition }
    }

    /// Returns a check's finding on a node.
    pub fn see(&self, node: &'a Node, check: &NodeCheck) -> NodeFinding {
        let cluster = self.names.rm().cluster();
        match check {
            NodeCheck::Running => {
                let Some(away) = away(self.names, node) else { return NodeFinding::new(true, "running", say::runs()) };
                // Its state stops nothing: only its free resources decide.
                if drains(self.names, node) {
                    return NodeFinding::new(true, say::state(away.how), say::runs());
                }
                let has = say::is_away(away.how, &words::clock(away.since), away.until.map(words::clock).as_deref());
                NodeFinding {
                    away: away.in_short(),
                    ..NodeFinding::new(false, away.in_short(), has).way(FailureKind::Away(away.how))
                }
            }
            NodeCheck::Tried => {
                let scheduler = self.names.rm().capacity().zip(self.app);
                let only = scheduler.and_then(|(s, app)| s.only_candidate(cluster, app, node.partition));
                let Some(only) = only.filter(|only| *only != node.id) else { return NodeFinding::holds("") };
                let has = say::not_tried(self.names.node(only));
                NodeFinding::new(false, has.short.clone(), has)
            }
            NodeCheck::NotHeld => self.held(node),
            NodeCheck::NotFull => {
                let free = node.free();
                let passes = cluster.calculator.has_room_for(&free, &cluster.minimum);
                let place = self.scarcest(cluster.minimum, free);
                let has = say::too_full(&words::one(free, place, &cluster.types));
                NodeFinding::new(passes, words::bare(free[place], place), has)
            }
            NodeCheck::Partition => {
                let label = self.names.partition(node.partition);
                let passes = node.partition == self.w.partition;
                if let Some(seen) = (!passes).then(|| self.lent(node, label)).flatten() {
                    return seen;
                }
                let value = if label.is_empty() { "–".to_string() } else { label.to_string() };
                NodeFinding::new(passes, value, say::label(label))
            }
            NodeCheck::Clause(_, _, leaf) => self.clause(node, leaf),
            NodeCheck::Never(_, why) => NodeFinding::new(false, "never", say::never(why.words())),
            NodeCheck::Allowed => {
                let barred = self.w.placing.iter().any(|p| p.barred.contains(&node.id));
                let own = self.w.placing.is_empty().then_some(self.app).flatten();
                let listed =
                    own.is_some_and(|a| a.avoided().contains(&node.host_place) || a.avoided().contains(&node.rack));
                let has = say::blacklisted(barred);
                NodeFinding::new(!listed && !barred, has.short.clone(), has)
            }
            NodeCheck::Near => self.near(node, self.failed(node.id)),
            NodeCheck::Total => {
                let passes = self.names.rm().scheduler().fits_on_node(cluster, &self.w.size, &node.total);
                let place = self.scarcest(self.w.size, node.total);
                let text = words::one(node.total, place, &cluster.types);
                let value = if place < 2 { words::bare(node.total[place], place) } else { text.clone() };
                if place >= 2 && node.total[place] == 0 && !passes {
                    let has = say::has_none(words::type_name(place, &cluster.types));
                    return NodeFinding::new(false, value, has).way(FailureKind::NoneThere);
                }
                NodeFinding::new(passes, value, say::in_all(&text))
            }
            NodeCheck::GivesUp => match self.failed(node.id).filter(|checked| checked.check == Recorded::Unreserve) {
                Some(checked) => NodeFinding::new(false, "none", self.nothing_to_give_up(&checked.figures)),
                None => NodeFinding::holds(""),
            },
            NodeCheck::Free => {
                let free = node.free();
                let scheduler = self.names.rm().scheduler();
                let fits = |size: &Resource| scheduler.fits_in_room(cluster, size, &free);
                // The FairScheduler first tries what is reserved, which keeps the size requested when the reservation was made
                // (FSAppAttempt.assignReservedContainer); the CapacityScheduler uses the present size.
                let kept = self.own_reservation(node).filter(|_| scheduler.fair().is_some()).map(|c| c.size);
                let kept = kept.filter(|size| *size != self.w.size && !fits(size));
                let need = kept.unwrap_or(self.w.size);
                let passes = fits(&need);
                let place = self.scarcest(need, free);
                let text = words::one(free, place, &cluster.types);
                let value = if place == 0 { words::bare(free[place], place) } else { text.clone() };
                let has = match kept {
                    Some(_) => say::free_for_reservation(&text, &words::one(need, place, &cluster.types)),
                    None => say::free(&text),
                };
                NodeFinding::new(passes, value, has)
            }
        }
    }

    /// Returns what keeps the request from a node with enough free resources, unless a reservation is given up.
    fn nothing_to_give_up(&self, figures: &Figures) -> NodeWords {
        let Figures::GiveUp { amount, fails } = figures else { return say::nothing_to_give_up("", "") };
        let cluster = self.names.rm().cluster();
        let text = |r: Resource| words::counted(r, cluster.calculator, &cluster.types);
        let queue = self.app.map_or("", |app| self.names.queue(app.queue));
        let why = match &fails.figures {
            Figures::Amounts(a) if fails.check == Recorded::UserLimit => {
                let user = self.app.map_or("", |app| cluster.user_name(app.user));
                say::user_beyond(user, &text(a.used()), queue, &text(a.limit))
            }
            Figures::Amounts(a) => say::queue_has_left(queue, &text(a.limit.minus_not_below_zero(Resource::ZERO))),
            Figures::Reservations { outstanding, reserved, .. } => say::reserved_enough(*reserved, *outstanding),
            Figures::None
            | Figures::Count { .. }
            | Figures::Missed { .. }
            | Figures::Waited { .. }
            | Figures::GiveUp { .. }
            | Figures::Partition { .. }
            | Figures::Place(_)
            | Figures::Unsatisfied(_)
            | Figures::HeldBy(_)
            | Figures::LeftOut(_) => verdicts::failure(self.names, fails, About::App(self.w.app)),
        };
        say::nothing_to_give_up(&why, &text(*amount))
    }

    /// Returns the type to show for a need and the free amount: the first that is too scarce, else the one with the largest
    /// need.
    fn scarcest(&self, need: Resource, room: Resource) -> usize {
        let cluster = self.names.rm().cluster();
        let types = if cluster.calculator.kind == CalculatorKind::Default { 1 } else { cluster.types.len() };
        let share = |i: usize| need[i] as f64 / room[i].max(1) as f64;
        let wanted = (0..types).filter(|i| need[*i] > 0);
        let nearly = wanted.max_by(|a, b| share(*a).total_cmp(&share(*b)).then(b.cmp(a)));
        (0..types).find(|i| need[*i] > room[*i]).or(nearly).unwrap_or(0)
    }

    /// Returns the finding on a node of another partition that lends its idle resources; `None` if it does not lend.
    fn lent(&self, node: &Node, label: &str) -> Option<NodeFinding> {
        let rm = self.names.rm();
        let cluster = rm.cluster();
        if !self.w.partition.is_default() || cluster.partitions[node.partition.index()].exclusive {
            return None;
        }
        if !self.w.borrows(self.names) {
            return Some(NodeFinding::new(false, label, say::lends_not_to_masters(label)).way(FailureKind::NotLent));
        }
        // The next look counts as missed before the comparison.
        let (missed, needed) = (self.asks.map_or(0, |a| a.missed_non_partitioned), cluster.node_count as i64);
        if missed + 1 >= needed {
            return Some(NodeFinding::holds(label));
        }
        Some(
            NodeFinding::new(false, say::of(missed, needed), say::lends_later(missed, needed))
                .way(FailureKind::LentLater),
        )
    }

    /// Returns the reservation on the node, if it is the request's own.
    fn own_reservation(&self, node: &Node) -> Option<&'a Container> {
        let c = self.names.rm().cluster().containers.at(node.reserved?);
        (c.id.app == self.w.app && c.key == self.w.key).then_some(c)
    }

    fn held(&self, node: &Node) -> NodeFinding {
        let Some(slot) = node.reserved else { return NodeFinding::holds("") };
        let c = self.names.rm().cluster().containers.at(slot);
        if c.id.app == self.w.app && c.key == self.w.key {
            return NodeFinding::holds("own");
        }
        let who = self.names.request_name(c.id.app, c.key, 1);
        NodeFinding::new(false, "held", say::held_for(&who))
    }

    /// Returns whether the node is near enough: by the CapacityScheduler's own rule, or by what the other schedulers recorded.
    fn near(&self, node: &Node, failed: Option<&Checked>) -> NodeFinding {
        let Some(asks) = self.asks.filter(|a| a.unique_names() > 1) else { return NodeFinding::holds("") };
        let cluster = self.names.rm().cluster();
        let elsewhere = || match self.has_an_instance(node) {
            Some(component) => {
                let has = say::has_an_instance(&component);
                NodeFinding::new(false, has.short.clone(), has).way(FailureKind::HasInstance)
            }
            None => NodeFinding::new(false, "elsewhere", say::elsewhere()),
        };
        let delayed = |missed: i64, needed: f32| {
            let more = (f64::from(needed).floor() as i64 + 1).max(1);
            NodeFinding::new(false, say::of(missed, more), say::taken_after_chances(missed, more))
                .way(FailureKind::Later)
        };
        if let Some(scheduler) = self.names.rm().capacity() {
            let near = scheduler.nearness(cluster, asks, node);
            let asked = |place| asks.row(place).is_some_and(|r| r.count > 0);
            // A host counts only together with its rack.
            let rackless = asked(node.host_place) && !asked(node.rack);
            let elsewhere = || {
                let has = say::rack_not_asked(cluster.place_name(node.rack));
                if rackless { NodeFinding::new(false, "rack", has).way(FailureKind::RackNotAsked) } else { elsewhere() }
            };
            return match (near.host, near.rack, near.any) {
                (true, ..) => NodeFinding::holds("host"),
                (_, Opening::Open, _) => NodeFinding::holds("rack"),
                (_, Opening::NoRelax, _) => elsewhere(),
                (_, _, Opening::Open) => NodeFinding::holds("any"),
                (_, _, Opening::After { missed, needed }) => delayed(missed - 1, needed),
                // The rack's row is not open yet, and the try ended at the next row.
                (_, Opening::After { needed, .. }, Opening::NoRelax) => {
                    let has = say::rack_closed(needed);
                    NodeFinding::new(false, has.short.clone(), has).way(FailureKind::RackClosed)
                }
                (_, _, Opening::NoRelax | Opening::NotAsked) => elsewhere(),
            };
        }
        let wanted = |place| asks.row(place).filter(|r| r.count > 0);
        let rack = wanted(node.rack);
        if wanted(node.host_place).is_some() {
            // A host counts only together with its rack. An ApplicationMaster that resolves racks wrongly does not name it.
            if rack.is_some() {
                return NodeFinding::holds("host");
            }
            if self.names.rm().fair().is_some() && asks.any().is_some_and(|r| !r.relax) {
                let has = say::rack_not_asked(cluster.place_name(node.rack));
                return NodeFinding::new(false, "rack", has).way(FailureKind::RackNotAsked);
            }
        }
        // The FifoScheduler ignores relaxLocality.
        let fifo = matches!(self.names.rm().scheduler(), Scheduler::Fifo(_));
        let strict = |relax: bool| !fifo && !relax;
        if rack.is_some_and(|r| strict(r.relax)) || rack.is_none() && asks.any().is_some_and(|r| strict(r.relax)) {
            return elsewhere();
        }
        let elsewhere_only =
            |checked: &&Checked| matches!(checked.check, Recorded::RelaxLocality | Recorded::LocalityRow);
        let is_delay = |checked: &&Checked| matches!(checked.figures, Figures::Missed { .. } | Figures::Waited { .. });
        // If the latest look did not reach the delay, the next one will find this.
        let delay = failed.filter(is_delay).map(|checked| checked.figures.clone()).or_else(|| {
            let (s, app) = self.names.rm().fair().zip(self.app)?;
            s.delay_at(cluster, app.id, app.asks.find(self.w.key)?, rack.is_some(), self.names.now)
        });
        match &delay {
            Some(Figures::Missed { missed, needed, .. }) => delayed(*missed, *needed),
            Some(Figures::Waited { level, waited_ms, needed_ms }) => {
                // A node outside the requested racks opens after the rack delay, which begins when the node delay is over. The
                // words give the sum of both, whichever is running.
                let delays =
                    self.names.rm().fair().map(|s| (s.conf().node_delay_ms.max(0), s.conf().rack_delay_ms.max(0)));
                let (of_nodes, of_racks) = delays.unwrap_or_default();
                let (before, after) = match level {
                    Locality::NodeLocal if rack.is_none() => (0, of_racks),
                    Locality::RackLocal => (of_nodes, 0),
                    Locality::NodeLocal | Locality::OffSwitch => (0, 0),
                };
                let (waited, needed) = (words::span(waited_ms + before), words::span(needed_ms + before + after));
                NodeFinding::new(false, say::of(&waited, &needed), say::taken_after_time(&waited, &needed))
                    .way(FailureKind::Later)
            }
            Some(_) | None if failed.filter(elsewhere_only).is_some() => elsewhere(),
            Some(_) | None => NodeFinding::holds(if rack.is_some() { "rack" } else { "any" }),
        }
    }

    /// Returns the name of a component without second instances on a host, if the node has one.
    fn has_an_instance(&self, node: &Node) -> Option<String> {
        let has_one = |_: &String| told_of(self.names, self.w.app).has_one_on(self.names, self.w, &node.host);
        anti_affine(self.names, self.w).filter(has_one)
    }

    /// Returns the finding of a clause, as the constraint room evaluates it; here it gets its words and the containers that are
    /// the cause.
    fn clause(&self, node: &'a Node, leaf: &Single) -> NodeFinding {
        let cell = xray::look(self.names.rm().placement(), self.w.app, leaf, self.site(node));
        let mut out = match (&cell.failing, &cell.error) {
            (Some((target, found)), _) => self.target(node, leaf, target, found),
            (None, Some(error)) => NodeFinding::failing(say::cannot_be_judged(&error.to_string())),
            (None, None) => NodeFinding::holds(""),
        };
        out.outcome = cell.outcome;
        out.value = cell.text;
        let target = leaf.targets.iter().find(|target| target.namespace().is_some());
        out.whose = target.map_or(String::new(), |target| self.whose_there(node, leaf, target));
        out
    }

    fn target(&self, node: &Node, leaf: &Single, target: &Target, found: &TargetMatch<'_>) -> NodeFinding {
        let rack = leaf.scope == Scope::Rack;
        match (target, found) {
            (Target::Tags { values, .. }, TargetMatch::Counts { least, most }) => {
                let tag = say::tag(values, &self.whose_there(node, leaf, target));
                let culprits = if *most > 0 { self.tagged(node, leaf, target) } else { Vec::new() };
                let too_many = leaf.max != UNLIMITED && *most > i64::from(leaf.max);
                if too_many && leaf.max == 0 {
                    let who: Vec<String> = culprits.iter().map(|s| self.names.selection(s)).collect();
                    let listed = if who.is_empty() { say::tagged(*most, &tag) } else { words::list(&who, 2) };
                    NodeFinding {
                        culprits,
                        ..NodeFinding::failing(say::sees_forbidden(&listed, rack, who.is_empty() && rack))
                    }
                } else if too_many {
                    let leaked = if rack && values.len() == 1 { *most - culprits.len() as i64 } else { 0 };
                    NodeFinding { culprits, ..NodeFinding::failing(say::sees(&say::tagged(*most, &tag), rack, leaked)) }
                } else {
                    NodeFinding::failing(say::sees(&say::tagged(*least, &tag), rack, 0)).way(FailureKind::TooFew)
                }
            }
            (Target::Attribute { name, .. }, TargetMatch::Value(value)) => {
                NodeFinding::failing(say::attribute(name, *value))
            }
            _ => NodeFinding::failing(say::other_label(self.names.partition(node.partition))),
        }
    }

    /// Returns the containers that a target counts on the node or in its rack.
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
