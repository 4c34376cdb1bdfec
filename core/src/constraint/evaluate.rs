//! Whether a constraint holds on a node now (PlacementConstraintsUtil.canSatisfyConstraints;
//! placement-constraints.md 5). Evaluates it for one candidate node against the current counts, which exclude the
//! requested allocation. Does not check resources.

use super::attributes::{Attributes, split_name};
use super::manager::{Applying, ConstraintManager};
use super::namespace::{InvalidNamespace, Namespace, parse_namespace};
use super::order::first_of_set;
use super::print::yarn_leaf;
use super::settings::PlacementSettings;
use super::tags::{AllocationScope, TagCounts};
use super::tree::UNLIMITED;
use super::{AttributeOp, Constraint, Scope, Single, Target};
use crate::model::{AppId, NodeId};
use indexmap::IndexMap;
use std::collections::BTreeMap;
use std::fmt;

/// Everything that constraints can refer to, except nodes: counts, attributes, registered constraints, and the names of
/// applications.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct PlacementState {
    pub tags: TagCounts,
    pub attributes: Attributes,
    /// Constraints of applications and of the cluster.
    pub constraints: ConstraintManager,
    pub apps: Directory,
    pub settings: PlacementSettings,
    /// Whether the scheduler never receives attributes (Fair, FIFO), so that every node has none.
    pub blind_to_attributes: bool,
}

/// Applications by YARN's id and by application tag; ended ones stay.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct Directory {
    ids: BTreeMap<(i64, i32), AppId>,
    tags: IndexMap<String, Vec<AppId>>,
}

impl Directory {
    /// Adds a submitted application: its id (cluster timestamp and number) and its application tags, as the
    /// ResourceManager stores them.
    pub fn add<S: AsRef<str>>(&mut self, app: AppId, id: (i64, i32), tags: &[S]) {
        self.ids.insert(id, app);
        for tag in tags {
            let tagged = self.tags.entry(tag.as_ref().to_string()).or_default();
            if !tagged.contains(&app) {
                tagged.push(app);
            }
        }
    }

    fn by_tag(&self, tag: &str) -> &[AppId] {
        self.tags.get(tag).map_or(&[], Vec::as_slice)
    }
}

#[derive(Clone, Copy, Debug)]
pub struct Site<'a> {
    pub node: NodeId,
    pub host: &'a str,
    /// The number of its rack's name.
    pub rack: u32,
    /// Its partition's name, "" for the default one.
    pub partition: &'a str,
}

#[derive(Clone, Copy, Debug)]
pub struct Asking<'a> {
    pub app: AppId,
    pub tags: &'a [String],
    /// The request's own constraint.
    pub constraint: Option<&'a Constraint>,
}

/// A constraint that YARN fails to evaluate. It aborts the whole evaluation, even inside an OR.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum EvalError {
    /// A namespace that YARN rejects.
    Namespace(InvalidNamespace),
    /// "Unsupported type of constraint".
    DelayedOr,
    /// An attribute target without name or without values.
    EmptyAttribute(String),
}

impl fmt::Display for EvalError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            EvalError::Namespace(invalid) => invalid.fmt(f),
            EvalError::DelayedOr => f.write_str("YARN 3.5.0 cannot evaluate a delayed OR."),
            EvalError::EmptyAttribute(name) => write!(f, "The test of the node attribute `{name}` names no value."),
        }
    }
}

/// What a target matched.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TargetMatch<'a> {
    /// The lowest and the highest count over the target's tags. Counts without a bound are read too.
    Counts {
        least: i64,
        most: i64,
    },
    /// The attribute's value on the node.
    Value(Option<&'a str>),
    Partition(&'a str),
}

/// The result of a whole evaluation.
#[derive(Clone, Copy, Debug)]
pub enum Verdict<'a> {
    /// It holds.
    Satisfied,
    /// It does not hold: the leaf and the target that failed last.
    Unsatisfied(Failing<'a>),
}

impl Verdict<'_> {
    /// Returns whether it holds.
    pub fn holds(&self) -> bool {
        matches!(self, Verdict::Satisfied)
    }
}

/// A leaf that does not hold. Both fields are `None` for an OR without children.
#[derive(Clone, Copy, Debug, Default)]
pub struct Failing<'a> {
    pub leaf: Option<&'a Single>,
    pub target: Option<&'a Target>,
}

impl Failing<'_> {
    /// The number of its target among all targets of `applying`, from 1 (0 for an OR without children).
    pub fn number_in(&self, applying: &Applying<'_>) -> u32 {
        fn leaves<'a>(constraint: &'a Constraint, out: &mut dyn FnMut(&'a Single)) {
            match constraint {
                Constraint::Single(leaf) => out(leaf),
                Constraint::And(children) | Constraint::Or(children) => children.iter().for_each(|c| leaves(c, out)),
                Constraint::DelayedOr(_) => {}
            }
        }
        let Some(target) = self.target else { return 0 };
        let (mut seen, mut number) = (0, 0);
        for (_, constraint) in applying.parts() {
            leaves(constraint, &mut |leaf| {
                for other in &leaf.targets {
                    seen += 1;
                    if std::ptr::eq(other, target) {
                        number = seen;
                    }
                }
            });
        }
        number
    }

    /// The line in YARN's scheduler activities (5.7); empty for an OR without children.
    pub fn yarn_text(&self) -> String {
        let (Some(leaf), Some(target)) = (self.leaf, self.target) else { return String::new() };
        let kind = match target {
            Target::Tags { .. } => "ALLOCATION_TAG",
            Target::Attribute { .. } | Target::Partition { .. } => "NODE_ATTRIBUTE",
        };
        format!("unsatisfied PC expression=\"{}\", target-type={kind}", yarn_leaf(leaf))
    }
}

impl PlacementState {
    /// Returns whether everything that applies to the request holds on the node.
    pub fn can_satisfy<'a>(&'a self, asking: Asking<'a>, site: Site<'_>) -> Result<Verdict<'a>, EvalError> {
        let applying = self.constraints.applying(asking.app, asking.tags, asking.constraint);
        self.evaluate_all(asking.app, applying, site)
    }

    /// Returns whether these hold on the node, for this application.
    pub fn evaluate_all<'a>(
        &self,
        app: AppId,
        applying: Applying<'a>,
        site: Site<'_>,
    ) -> Result<Verdict<'a>, EvalError> {
        let mut failing = Failing::default();
        for (_, constraint) in applying.parts() {
            if !self.holds(app, constraint, site, &mut failing)? {
                return Ok(Verdict::Unsatisfied(failing));
            }
        }
        Ok(Verdict::Satisfied)
    }

    /// Evaluates children in order, and stops as soon as the result is known.
    fn holds<'a>(
        &self,
        app: AppId,
        constraint: &'a Constraint,
        site: Site<'_>,
        failing: &mut Failing<'a>,
    ) -> Result<bool, EvalError> {
        match constraint {
            Constraint::Single(leaf) => self.leaf_holds(app, leaf, site, failing),
            Constraint::And(children) => {
                for child in children {
                    if !self.holds(app, child, site, failing)? {
                        return Ok(false);
                    }
                }
                Ok(true)
            }
            Constraint::Or(children) => {
                for child in children {
                    if self.holds(app, child, site, failing)? {
                        return Ok(true);
                    }
                }
                Ok(false)
            }
            Constraint::DelayedOr(_) => Err(EvalError::DelayedOr),
        }
    }

    fn leaf_holds<'a>(
        &self,
        app: AppId,
        leaf: &'a Single,
        site: Site<'_>,
        failing: &mut Failing<'a>,
    ) -> Result<bool, EvalError> {
        for target in &leaf.targets {
            if !self.look(app, leaf, target, site)?.1 {
                *failing = Failing { leaf: Some(leaf), target: Some(target) };
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// One target of a leaf: what it matches on the node, and whether that is enough.
    pub fn look<'a>(
        &'a self,
        app: AppId,
        leaf: &Single,
        target: &Target,
        site: Site<'a>,
    ) -> Result<(TargetMatch<'a>, bool), EvalError> {
        match target {
            Target::Tags { namespace, values } => {
                let (least, most) = self.range(app, leaf.scope, namespace, values, site)?;
                let enough = leaf.min <= 0 || least >= i64::from(leaf.min);
                let not_too_many = leaf.max == UNLIMITED || most <= i64::from(leaf.max);
                Ok((TargetMatch::Counts { least, most }, enough && not_too_many))
            }
            Target::Attribute { name, values } => {
                let wanted = first_of_set(values);
                let (Some(wanted), Some((prefix, key))) = (wanted, split_name(name)) else {
                    return Err(EvalError::EmptyAttribute(name.clone()));
                };
                let value = if self.blind_to_attributes { None } else { self.attributes.value(site.host, prefix, key) };
                let holds = match (value, leaf.op) {
                    (None, op) => op == AttributeOp::Ne,
                    (Some(value), AttributeOp::Eq) => value == wanted,
                    (Some(value), AttributeOp::Ne) => value != wanted,
                    (Some(_), AttributeOp::NoOp) => false,
                };
                Ok((TargetMatch::Value(value), holds))
            }
            Target::Partition { values } => {
                let wanted = first_of_set(values).unwrap_or("");
                Ok((TargetMatch::Partition(site.partition), site.partition == wanted))
            }
        }
    }

    fn range(
        &self,
        app: AppId,
        scope: Scope,
        namespace: &str,
        tags: &[String],
        site: Site<'_>,
    ) -> Result<(i64, i64), EvalError> {
        let whose = self.whose(app, namespace)?;
        let place = match scope {
            Scope::Node => site.node.0,
            Scope::Rack => site.rack,
        };
        Ok(self.tags.range(scope, place, whose, tags))
    }

    /// The allocations that a namespace means when this application asks.
    pub fn whose(&self, app: AppId, namespace: &str) -> Result<AllocationScope<'_>, EvalError> {
        Ok(match parse_namespace(namespace).map_err(EvalError::Namespace)? {
            Namespace::Own => AllocationScope::Of(Some(app)),
            Namespace::NotSelf => AllocationScope::NotOf(app),
            Namespace::All => AllocationScope::Everybodys,
            Namespace::App(cluster, number) => AllocationScope::Of(self.apps.ids.get(&(cluster, number)).copied()),
            Namespace::AppTag(tag) => AllocationScope::Any(self.apps.by_tag(tag)),
        })
    }

    /// The applications that a namespace selects now.
    pub fn selected(&self, app: AppId, namespace: &str) -> Result<Vec<AppId>, EvalError> {
        let listed = |f: &dyn Fn(AppId) -> bool| self.tags.listed().filter(|a| f(*a)).collect::<Vec<_>>();
        Ok(match self.whose(app, namespace)? {
            AllocationScope::Everybodys => listed(&|_| true),
            AllocationScope::Of(one) => one.into_iter().collect(),
            AllocationScope::NotOf(mine) => listed(&|a| a != mine),
            AllocationScope::Any(apps) => listed(&|a| apps.contains(&a)),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::super::attributes::AttributeChange;
    use super::super::parse_expression;
    use super::*;

    fn site(node: u32) -> Site<'static> {
        Site { node: NodeId(node), host: ["h0", "h1"][node as usize], rack: 0, partition: "" }
    }

    fn holds(state: &PlacementState, text: &str, node: u32) -> Result<bool, EvalError> {
        let constraint = parse_expression(text).expect(text).constraint;
        let asking = Asking { app: AppId(0), tags: &[], constraint: Some(&constraint) };
        state.can_satisfy(asking, site(node)).map(|v| v.holds())
    }

    #[test]
    fn counts_are_compared_before_the_new_one_is_added() {
        let mut state = PlacementState::default();
        state.tags.add(AppId(0), 0, 0, &["zk"]);
        state.tags.add(AppId(1), 1, 0, &["zk"]);
        for (text, on_0, on_1) in [
            ("notin,node,zk", false, true),
            ("in,node,zk", true, false),
            ("in,node,all/zk", true, true),
            ("in,node,not-self/zk", false, true),
            ("cardinality,node,zk,0,1", true, true),
            ("cardinality,rack,all/zk,0,1", false, false),
            ("in,node,zk,hb", false, false),
            ("or(in,node,hb:in,node,zk)", true, false),
            ("and(in,rack,zk:notin,node,zk)", false, true),
            ("in,node", true, true),
        ] {
            assert_eq!((holds(&state, text, 0), holds(&state, text, 1)), (Ok(on_0), Ok(on_1)), "{text}");
        }
    }

    #[test]
    fn an_error_aborts_even_inside_an_or() {
        let state = PlacementState::default();
        assert!(holds(&state, "or(in,node,app-id/x:notin,node,y)", 0).is_err());
        assert_eq!(holds(&state, "or(notin,node,y:in,node,app-id/x)", 0), Ok(true), "what is not reached does no harm");
        let timed = Constraint::DelayedOr(Vec::new());
        let asking = Asking { app: AppId(0), tags: &[], constraint: Some(&timed) };
        assert!(matches!(state.can_satisfy(asking, site(0)), Err(EvalError::DelayedOr)));
    }

    #[test]
    fn attributes_compare_the_first_value_of_the_set_and_ne_means_absent_or_different() {
        let mut state = PlacementState::default();
        state.attributes.change("h0", &AttributeChange::Add, &[("java", "1.8")]);
        for (text, on_0, on_1) in [
            ("java=1.8", true, false),
            ("java!=1.8", false, true),
            ("java=1.8,1.7", false, false),
            ("nm.yarn.io/java!=1.8", true, true),
        ] {
            assert_eq!((holds(&state, text, 0), holds(&state, text, 1)), (Ok(on_0), Ok(on_1)), "{text}");
        }
        state.blind_to_attributes = true;
        assert_eq!(holds(&state, "java=1.8", 0), Ok(false));
    }

    #[test]
    fn the_last_failing_leaf_is_told_in_yarns_words() {
        let state = PlacementState::default();
        let constraint = parse_expression("or(in,node,a:in,rack,all/b)").unwrap().constraint;
        let asking = Asking { app: AppId(0), tags: &[], constraint: Some(&constraint) };
        let Ok(Verdict::Unsatisfied(failing)) = state.can_satisfy(asking, site(0)) else { panic!("fails") };
        assert_eq!(failing.yarn_text(), "unsatisfied PC expression=\"in,rack,b\", target-type=ALLOCATION_TAG");
    }
}
