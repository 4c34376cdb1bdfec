//! Facts computed from the state alone, without any of the explaining code: nodes, containers, tags, attributes.

use super::form::Amount;
use super::tape::Failed;
use heddle_core::constraint::attributes::split_name;
use heddle_core::constraint::namespace::{Namespace, parse_namespace};
use heddle_core::constraint::order::first_of_set;
use heddle_core::constraint::tree::UNLIMITED;
use heddle_core::constraint::{AttributeOp, Constraint, Scope, Single, Target};
use heddle_core::model::{AppId, CalculatorKind, Resource};
use heddle_core::rm::ResourceManager;
use heddle_core::scheduler::{App, Container, ContainerState, Node};
use heddle_player::explain::Names;
use heddle_player::explain::view::WhyView;
use heddle_player::explain::waiting::Waiting;

/// A waiting request, the state in which it waits, and the answer that is read.
#[derive(Clone, Copy)]
pub struct State<'a> {
    pub names: Names<'a>,
    pub w: &'a Waiting,
    pub why: &'a WhyView,
    /// The checks that failed so far.
    pub failed: &'a [Failed],
}

/// The result of a clause: it holds or not, or it cannot be evaluated.
pub type Judged = Result<bool, ()>;

impl<'a> State<'a> {
    pub fn rm(&self) -> &'a ResourceManager {
        self.names.rm()
    }

    pub fn app(&self) -> Option<&'a App> {
        self.rm().scheduled(self.w.app)
    }

    pub fn node(&self, host: &str) -> Option<&'a Node> {
        self.rm().nodes().iter().find(|n| n.host == host)
    }

    /// Returns the nodes in service.
    pub fn in_service(&self) -> Vec<&'a Node> {
        self.rm().nodes().iter().filter(|n| n.in_scheduler).collect()
    }

    /// Returns whether the node's machine is silent.
    pub fn is_silent(&self, node: &Node) -> bool {
        self.names.sim.machine(node.id).is_some_and(|m| !m.alive)
    }

    /// Returns the nodes that the answer counts as suitable.
    pub fn told_to_fit(&self) -> Vec<&'a str> {
        let fits = self.why.buckets.iter().filter(|b| b.check.is_none()).flat_map(|b| &b.nodes);
        fits.map(String::as_str).collect()
    }

    // ---- amounts

    fn type_of(&self, name: &str) -> Option<usize> {
        match name {
            "MB" => Some(0),
            "vcores" => Some(1),
            name => self.rm().cluster().types.names().iter().position(|n| n.rsplit('/').next() == Some(name)),
        }
    }

    /// Checks that an amount is the written one.
    pub fn is(&self, amount: Resource, text: &str) -> Result<(), String> {
        let written = Amount::read(text).ok_or_else(|| format!("{text:?} is no amount"))?;
        if written.of.is_empty() {
            let nothing = (0..self.types()).all(|i| amount[i] <= 0);
            return if nothing { Ok(()) } else { Err(format!("it is not nothing, but {amount:?}")) };
        }
        for (unit, least, most) in &written.of {
            let i = self.type_of(unit).ok_or_else(|| format!("no resource type {unit}"))?;
            if !(*least..=*most).contains(&amount[i]) {
                return Err(format!("it is not {text}, but {} {unit}", amount[i]));
            }
        }
        Ok(())
    }

    /// Returns whether there is at least the written amount of everything; `None` if the text is too coarse to tell.
    pub fn has_at_least(&self, there: Resource, text: &str) -> Option<bool> {
        let written = Amount::read(text)?;
        let mut holds = Some(true);
        for (unit, least, most) in &written.of {
            let i = self.type_of(unit)?;
            if there[i] < *least {
                return Some(false);
            }
            if there[i] < *most {
                holds = None;
            }
        }
        holds
    }

    /// Returns the number of resource types that count.
    pub fn types(&self) -> usize {
        let cluster = self.rm().cluster();
        if cluster.calculator.kind == CalculatorKind::Default { 1 } else { cluster.types.len() }
    }

    /// Returns whether there is room for the smallest container.
    pub fn has_room(&self, node: &Node) -> bool {
        let (free, smallest) = (node.free(), self.rm().cluster().minimum);
        (0..self.types()).all(|i| smallest[i] <= 0 || free[i] >= smallest[i])
    }

    /// Returns whether an amount fits in another, in all types that count.
    pub fn fits(&self, need: Resource, room: Resource) -> bool {
        (0..self.types()).all(|i| need[i] <= room[i])
    }

    // ---- tags

    /// Returns whether a namespace includes an application.
    fn takes_in(&self, namespace: &str, app: AppId) -> Result<bool, ()> {
        Ok(match parse_namespace(namespace).map_err(|_| ())? {
            Namespace::Own => app == self.w.app,
            Namespace::NotSelf => app != self.w.app,
            Namespace::All => true,
            Namespace::App(cluster, number) => {
                self.rm().application_id(app) == format!("application_{cluster}_{number:04}")
            }
            Namespace::AppTag(tag) => {
                self.rm().app(app).is_some_and(|a| a.submission.tags.iter().any(|own| own.to_lowercase() == tag))
            }
        })
    }

    /// Returns the containers on a node, or in its rack, with a tag and an application that a namespace includes.
    pub fn tagged(&self, node: &Node, rack: bool, namespace: &str, tag: &str) -> Result<Vec<&'a Container>, ()> {
        let mut out = Vec::new();
        for n in self.rm().nodes().iter().filter(|n| n.id == node.id || rack && n.rack == node.rack) {
            for c in self.rm().containers_on(n.id) {
                let tags = self.rm().cluster().tag_sets.get_index(c.tags as usize);
                let lives = !matches!(c.state, ContainerState::Reserved | ContainerState::Over);
                if lives
                    && tags.is_some_and(|t| t.iter().any(|own| own == tag))
                    && self.takes_in(namespace, c.id.app)?
                {
                    out.push(c);
                }
            }
        }
        Ok(out)
    }

    /// Returns the number of each tag on a node, or in its rack, for applications that a namespace includes.
    pub fn counts(&self, node: &Node, rack: bool, namespace: &str) -> Result<Vec<i64>, ()> {
        let mut tags: Vec<&String> = self.rm().cluster().tag_sets.iter().flatten().collect();
        tags.sort_unstable();
        tags.dedup();
        let scope = if rack { Scope::Rack } else { Scope::Node };
        let all: Result<Vec<i64>, ()> = tags.into_iter().map(|tag| self.count(node, scope, namespace, tag)).collect();
        Ok(all?.into_iter().filter(|n| *n > 0).collect())
    }

    /// Returns YARN's count of a tag: the existing containers, and those that a lost node left on its rack for good.
    pub fn count(&self, node: &Node, scope: Scope, namespace: &str, tag: &str) -> Result<i64, ()> {
        let there = self.tagged(node, scope == Scope::Rack, namespace, tag)?.len() as i64;
        let placement = self.rm().placement();
        let whose = placement.whose(self.w.app, namespace).map_err(|_| ())?;
        let place = if scope == Scope::Rack { node.rack.0 } else { node.id.0 };
        let counted = placement.tags.count(scope, place, whose, tag);
        Ok(if scope == Scope::Rack { counted.max(there) } else { there })
    }

    // ---- constraints

    /// Returns the constraints that apply to the request.
    pub fn constraints(&self) -> Vec<&'a Constraint> {
        let constraints = &self.rm().placement().constraints;
        let applying = constraints.applying(self.w.app, &self.w.tags, self.w.constraint.as_deref());
        applying.parts().map(|(_, c)| c).collect()
    }

    /// Returns their leaves.
    pub fn leaves(&self) -> Vec<&'a Single> {
        let mut out = Vec::new();
        self.constraints().into_iter().for_each(|c| leaves(c, &mut out));
        out
    }

    /// Returns whether a node satisfies them all.
    pub fn allowed(&self, node: &Node) -> Judged {
        for c in self.constraints() {
            if !self.holds(node, c)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    fn holds(&self, node: &Node, constraint: &Constraint) -> Judged {
        match constraint {
            Constraint::Single(leaf) => self.leaf(node, leaf),
            Constraint::And(parts) => {
                for part in parts {
                    if !self.holds(node, part)? {
                        return Ok(false);
                    }
                }
                Ok(true)
            }
            Constraint::Or(parts) => {
                for part in parts {
                    if self.holds(node, part)? {
                        return Ok(true);
                    }
                }
                Ok(false)
            }
            Constraint::DelayedOr(_) => Err(()),
        }
    }

    fn leaf(&self, node: &Node, leaf: &Single) -> Judged {
        for target in &leaf.targets {
            let holds = match target {
                Target::Tags { namespace, values } => {
                    let mut holds = true;
                    for tag in values {
                        let n = self.count(node, leaf.scope, namespace, tag)?;
                        holds &= n >= i64::from(leaf.min.max(0));
                        holds &= leaf.max == UNLIMITED || n <= i64::from(leaf.max);
                    }
                    // Any tag of the namespace: the tables know which there are.
                    if values.is_empty() {
                        return Err(());
                    }
                    holds
                }
                Target::Attribute { name, values } => {
                    let wanted = first_of_set(values).ok_or(())?;
                    let value = self.attribute(node, name);
                    match leaf.op {
                        AttributeOp::Eq => value == Some(wanted),
                        AttributeOp::Ne => value != Some(wanted),
                        AttributeOp::NoOp => false,
                    }
                }
                Target::Partition { values } => {
                    first_of_set(values).unwrap_or_default() == self.names.partition(node.partition)
                }
            };
            if !holds {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Returns the value of a node's attribute, under the name in a constraint.
    pub fn attribute(&self, node: &Node, name: &str) -> Option<&'a str> {
        let (prefix, key) = split_name(name)?;
        if self.rm().placement().blind_to_attributes {
            return None;
        }
        self.rm().placement().attributes.value(&node.host, prefix, key)
    }

    /// Returns the name of the request that a node is reserved for.
    pub fn reserved_for(&self, node: &Node) -> Option<String> {
        let c = self.rm().cluster().containers.at(node.reserved?);
        Some(self.names.request_name(c.id.app, c.key, 1))
    }

    /// Returns whether a node is reserved for another request.
    pub fn is_held(&self, node: &Node) -> bool {
        node.reserved.is_some_and(|slot| {
            let c = self.rm().cluster().containers.at(slot);
            (c.id.app, c.key) != (self.w.app, self.w.key)
        })
    }
}

fn leaves<'a>(constraint: &'a Constraint, out: &mut Vec<&'a Single>) {
    match constraint {
        Constraint::Single(leaf) => out.push(leaf),
        Constraint::And(parts) | Constraint::Or(parts) => parts.iter().for_each(|part| leaves(part, out)),
        Constraint::DelayedOr(parts) => parts.iter().for_each(|part| leaves(&part.constraint, out)),
    }
}
