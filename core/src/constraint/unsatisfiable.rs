//! Proofs in words that a spec can never be satisfied on a cluster, available before a run. Only certain ones: other
//! applications may bring any tags, so `all`, `not-self`, `app-id` and `app-tag` are assumed to hold. YARN itself has
//! no such check.

use super::attributes::{Attributes, split_name};
use super::evaluate::EvalError;
use super::namespace::{Namespace, parse_namespace};
use super::order::first_of_set;
use super::spec::Spec;
use super::tree::UNLIMITED;
use super::{AttributeOp, Constraint, Scope, Single, Target};
use std::collections::BTreeSet;

/// The fixed properties of a node.
#[derive(Clone, Copy, Debug)]
pub struct Ground<'a> {
    pub host: &'a str,
    pub rack: &'a str,
    /// Partition, "" for the default one.
    pub partition: &'a str,
}

/// A request of an application.
#[derive(Clone, Debug, PartialEq)]
pub struct ConstrainedRequest<'a> {
    pub tags: Vec<&'a str>,
    pub count: i64,
    /// The constraints that apply to it; all of them must hold.
    pub constraints: Vec<&'a Constraint>,
}

impl ConstrainedRequest<'_> {
    fn leaves(&self) -> Vec<&Single> {
        self.constraints.iter().flat_map(|c| c.leaves()).collect()
    }

    fn same(&self, other: &ConstrainedRequest<'_>) -> bool {
        self.tags == other.tags
            && self.constraints.len() == other.constraints.len()
            && self.constraints.iter().zip(&other.constraints).all(|(a, b)| a.same(b))
    }
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Proof {
    /// The index of the request.
    pub asked: usize,
    /// The clause at fault, by its place among the leaves of all its constraints, if it is a single one.
    pub clause: Option<usize>,
    /// The maximum number that can run at one time; 0: not a single one.
    pub most: i64,
    /// The proof in words, with the numbers.
    pub words: String,
}

/// The requests of the distributed shell for a spec: of several entries with one tag the last counts. Each has the
/// place of its entry in the spec.
pub fn asked_by_spec(spec: &Spec) -> Vec<(usize, ConstrainedRequest<'_>)> {
    let entries = spec.entries.iter().enumerate();
    let counts = |at: usize, tag: &str| spec.entries.iter().rposition(|e| e.tag() == tag) == Some(at);
    entries
        .filter(|(at, e)| counts(*at, e.tag()))
        .map(|(at, e)| {
            let tags: Vec<&str> = e.source.iter().map(|s| s.tag.as_str()).collect();
            let count = if tags.is_empty() { 1 } else { i64::from(e.count()) };
            (at, ConstrainedRequest { tags, count, constraints: e.constraint.iter().collect() })
        })
        .collect()
}

/// Proves which of an application's requests can never be placed, or never all at one time. `present`: tags that its
/// containers carry already.
pub fn proofs(
    asked: &[ConstrainedRequest<'_>],
    present: &[&str],
    nodes: &[Ground<'_>],
    attributes: &Attributes,
) -> Vec<Proof> {
    let mut facts = Facts { nodes, attributes, startable: present.iter().copied().collect() };
    // The tags that can come to exist: those of requests that can be placed with the tags known so far.
    loop {
        let known = facts.startable.len();
        for ask in asked.iter().filter(|a| a.count > 0) {
            if !facts.possible_nodes(&ask.constraints).is_empty() || nodes.is_empty() {
                facts.startable.extend(&ask.tags);
            }
        }
        if facts.startable.len() == known {
            break;
        }
    }
    let mut out = Vec::new();
    for (i, ask) in asked.iter().enumerate() {
        if let Some((clause, most, words)) = facts.proof(ask, asked) {
            out.push(Proof { asked: i, clause, most, words });
        }
    }
    out
}

struct Facts<'a> {
    nodes: &'a [Ground<'a>],
    attributes: &'a Attributes,
    startable: BTreeSet<&'a str>,
}

impl<'a> Facts<'a> {
    fn possible_nodes(&self, constraints: &[&Constraint]) -> Vec<&'a Ground<'a>> {
        self.nodes.iter().filter(|n| constraints.iter().all(|c| self.possible(c, n))).collect()
    }

    /// Returns whether the constraint can ever hold on a node.
    fn possible(&self, constraint: &Constraint, node: &Ground<'_>) -> bool {
        match constraint {
            Constraint::Single(leaf) => self.why_never(leaf, node).is_none(),
            Constraint::And(children) => children.iter().all(|c| self.possible(c, node)),
            Constraint::Or(children) => children.iter().any(|c| self.possible(c, node)),
            Constraint::DelayedOr(_) => false,
        }
    }

    /// Returns why a leaf can never hold on a node; `None`: perhaps it can.
    fn why_never(&self, leaf: &Single, node: &Ground<'_>) -> Option<String> {
        leaf.targets.iter().find_map(|target| match target {
            Target::Tags { namespace, values } => self.tags_never(leaf, namespace, values),
            Target::Attribute { name, values } => self.attribute_never(leaf, name, values, node),
            Target::Partition { values } => {
                let wanted = first_of_set(values).unwrap_or("");
                (node.partition != wanted).then(|| match wanted {
                    "" => "no node is in the default partition".to_string(),
                    name => format!("no node is in the partition {name}"),
                })
            }
        })
    }

    fn tags_never(&self, leaf: &Single, namespace: &str, values: &[String]) -> Option<String> {
        let (min, max) = (leaf.min, leaf.max);
        let parsed = match parse_namespace(namespace) {
            Ok(parsed) => parsed,
            Err(invalid) => return Some(EvalError::Namespace(invalid).to_string().trim_end_matches('.').to_string()),
        };
        if max < 0 {
            return Some(format!("the maximum is {max}, and no count is below 0"));
        }
        if min > max {
            return Some(format!("the minimum {min} is above the maximum {max}"));
        }
        if min < 1 || parsed != Namespace::Own {
            return None;
        }
        let missing = values.iter().find(|tag| !self.startable.contains(tag.as_str()));
        match missing {
            Some(tag) => Some(format!(
                "it wants at least {min} {tag} of the application first, and no {tag} of it can ever start; another application's has to be written with a namespace, as in all/{tag}"
            )),
            None if values.is_empty() && self.startable.is_empty() => Some(format!(
                "it wants at least {min} tagged container of the application first, and none can ever start"
            )),
            None => None,
        }
    }

    fn attribute_never(&self, leaf: &Single, name: &str, values: &[String], node: &Ground<'_>) -> Option<String> {
        let (Some(wanted), Some((prefix, key))) = (first_of_set(values), split_name(name)) else {
            return Some(format!("the test of {name} names no value"));
        };
        let value = self.attributes.value(node.host, prefix, key);
        match leaf.op {
            AttributeOp::NoOp => Some(format!("{name} is tested without = or !=, which YARN takes as false")),
            AttributeOp::Eq if value != Some(wanted) => Some(self.none_has(name, prefix, key, wanted)),
            AttributeOp::Ne if value == Some(wanted) => Some(format!("{name} is {wanted} on every node")),
            _ => None,
        }
    }

    fn none_has(&self, name: &str, prefix: &str, key: &str, wanted: &str) -> String {
        let values = self.attributes.values_of(prefix, key);
        if values.is_empty() {
            return format!("no node has the attribute {name}");
        }
        let seen: Vec<String> = values.iter().map(|(value, n)| format!("{value} on {n}")).collect();
        format!("{name} is nowhere {wanted}: it is {}", seen.join(", "))
    }

    fn proof(
        &self,
        ask: &ConstrainedRequest<'_>,
        all: &[ConstrainedRequest<'_>],
    ) -> Option<(Option<usize>, i64, String)> {
        let who = ask.tags.first().copied().filter(|t| !t.is_empty()).unwrap_or("container");
        if ask.constraints.is_empty() {
            return None;
        }
        let possible = self.possible_nodes(&ask.constraints);
        if possible.is_empty() && ask.constraints.iter().any(|c| c.has_delayed_or()) {
            return Some((None, 0, format!("No {who} can ever start: YARN cannot evaluate a delayed OR.")));
        }
        if self.nodes.is_empty() {
            return None;
        }
        if possible.is_empty() {
            return Some(self.no_node(ask, who));
        }
        let wanted = all.iter().filter(|a| a.same(ask)).map(|a| a.count.max(0)).sum();
        self.too_few_places(ask, wanted, &possible)
    }

    /// The proof that no node is possible: the one clause that fails everywhere, or all of them together.
    fn no_node(&self, ask: &ConstrainedRequest<'_>, who: &str) -> (Option<usize>, i64, String) {
        let leaves = ask.leaves();
        let everywhere = |i: &usize| self.nodes.iter().all(|n| self.why_never(leaves[*i], n).is_some());
        let culprit = needed_leaves(&ask.constraints).into_iter().find(everywhere);
        let why = culprit.and_then(|i| self.why_never(leaves[i], &self.nodes[0]));
        let wants_own = culprit.map(|i| leaves[i]).filter(|leaf| {
            let own = |t: &&str| leaf.targets.iter().any(|target| counts_own(target, t));
            (1..=leaf.max).contains(&leaf.min) && ask.tags.iter().any(own)
        });
        let words = match why {
            Some(_) if wants_own.is_some() => {
                let min = wants_own.map_or(1, |leaf| leaf.min);
                format!(
                    "No {who} can ever start: each wants {min} other {who} of the application there before it, the first too."
                )
            }
            Some(why) => format!("No {who} can ever start: {why}."),
            None => {
                let n = self.nodes.len();
                format!("No {who} can ever start: none of the {n} nodes can satisfy all clauses together.")
            }
        };
        (culprit, 0, words)
    }

    /// The proof that a bound on its own tag limits how many can run at one time.
    fn too_few_places(
        &self,
        ask: &ConstrainedRequest<'_>,
        wanted: i64,
        possible: &[&Ground<'_>],
    ) -> Option<(Option<usize>, i64, String)> {
        let leaves = ask.leaves();
        let mut best: Option<(usize, i64, String)> = None;
        for i in needed_leaves(&ask.constraints) {
            let leaf = leaves[i];
            let own = ask.tags.iter().find(|own| leaf.targets.iter().any(|t| counts_own(t, own)));
            let Some(own) = own.filter(|_| leaf.max != UNLIMITED) else { continue };
            let places: BTreeSet<&str> =
                possible.iter().map(|n| if leaf.scope == Scope::Node { n.host } else { n.rack }).collect();
            let each = i64::from(leaf.max) + 1;
            let most = each.saturating_mul(places.len() as i64);
            if wanted > most && best.as_ref().is_none_or(|(_, least, _)| most < *least) {
                let (place, places_n) = (leaf.scope, places.len());
                let plural = if places_n == 1 { "" } else { "s" };
                let words = format!(
                    "At most {most} of the {wanted} {own} can be there at one time: the clause lets {each} onto each {place}, and {places_n} {place}{plural} can take them."
                );
                best = Some((i, most, words));
            }
        }
        best.map(|(i, most, words)| (Some(i), most, words))
    }
}

/// Returns whether a target counts the application's own containers with this tag.
fn counts_own(target: &Target, own: &str) -> bool {
    let Target::Tags { namespace, values } = target else { return false };
    let mine = matches!(parse_namespace(namespace), Ok(Namespace::Own | Namespace::All));
    mine && (values.is_empty() || values.iter().any(|v| v == own))
}

/// The leaves that must hold for the whole to hold: those not inside an OR of several parts.
fn needed_leaves(constraints: &[&Constraint]) -> Vec<usize> {
    fn walk(constraint: &Constraint, needed: bool, next: &mut usize, out: &mut Vec<usize>) {
        match constraint {
            Constraint::Single(_) => {
                if needed {
                    out.push(*next);
                }
                *next += 1;
            }
            Constraint::And(children) => children.iter().for_each(|c| walk(c, needed, next, out)),
            Constraint::Or(children) => {
                let needed = needed && children.len() == 1;
                children.iter().for_each(|c| walk(c, needed, next, out));
            }
            Constraint::DelayedOr(children) => {
                children.iter().for_each(|c| walk(&c.constraint, false, next, out));
            }
        }
    }
    let (mut next, mut out) = (0, Vec::new());
    constraints.iter().for_each(|c| walk(c, true, &mut next, &mut out));
    out
}

#[cfg(test)]
mod tests {
    use super::super::{AttributeChange, parse_spec};
    use super::*;

    fn told(text: &str) -> Vec<(usize, Option<usize>, i64, String)> {
        let nodes =
            [Ground { host: "n1", rack: "/r1", partition: "" }, Ground { host: "n2", rack: "/r1", partition: "" }];
        let mut attributes = Attributes::default();
        attributes.change("n1", &AttributeChange::Add, &[("java", "1.7")]);
        attributes.change("n2", &AttributeChange::Add, &[("java", "1.7")]);
        let spec = parse_spec(text).expect(text);
        let asked: Vec<ConstrainedRequest<'_>> = asked_by_spec(&spec).into_iter().map(|(_, a)| a).collect();
        let found = proofs(&asked, &[], &nodes, &attributes);
        found.into_iter().map(|p| (p.asked, p.clause, p.most, p.words)).collect()
    }

    #[test]
    fn what_can_never_start_is_proved_in_words() {
        for (text, clause, most, part) in [
            ("zk(3),NOTIN,NODE,zk", Some(0), 2, "lets 1 onto each node, and 2 nodes"),
            ("zk(3),CARDINALITY,RACK,zk,0,1", Some(0), 2, "lets 2 onto each rack, and 1 rack can"),
            ("zk(1),IN,NODE,zk", Some(0), 0, "each wants 1 other zk of the application there before it"),
            ("zk(1),IN,NODE,hb:hb(1),IN,NODE,zk", Some(0), 0, "no hb of it can ever start"),
            ("zk(1),CARDINALITY,NODE,hb,3,1", Some(0), 0, "the minimum 3 is above the maximum 1"),
            ("zk(1),AND(NOTIN,NODE,zk:java=1.8)", Some(1), 0, "java is nowhere 1.8: it is 1.7 on 2"),
            ("zk(1),java!=1.7", Some(0), 0, "java is 1.7 on every node"),
            ("zk(1),gpu=yes", Some(0), 0, "no node has the attribute gpu"),
            ("zk(1),IN,NODE,app-id/hb", Some(0), 0, "app-id wants the id"),
            ("zk(1),AND(OR(java=1.8:gpu=yes):NOTIN,NODE,zk)", None, 0, "none of the 2 nodes"),
        ] {
            let first = told(text).into_iter().next().unwrap_or_else(|| panic!("{text}: nothing proved"));
            assert_eq!((first.0, first.1, first.2), (0, clause, most), "{text}: {}", first.3);
            assert!(first.3.contains(part), "{text}: {}", first.3);
        }
    }

    #[test]
    fn what_may_hold_is_not_doubted() {
        for text in [
            "zk(2),NOTIN,NODE,zk",
            "hb(1):zk(3),IN,RACK,hb",
            "zk(1),IN,NODE,all/hb",
            "zk(5),OR(NOTIN,NODE,zk:java=1.7)",
            "zk(3),CARDINALITY,NODE,zk,0,1",
            "java=1.7",
        ] {
            assert_eq!(told(text), [], "{text}");
        }
    }
}
