//! Placement constraints: parser, builders, evaluation, tags, namespaces (area placement-constraints).

use super::constraint_levels::register;
use super::read::{int, list, text};
use crate::conformance::compare::holds;
use crate::conformance::{Case, Difference, Driver, Outcome};
use heddle_core::constraint::namespace::{Namespace, parse_application_id, parse_namespace};
use heddle_core::constraint::spec::{SpecException, parse_source_tag, split_entries};
use heddle_core::constraint::tags::AllocationScope;
use heddle_core::constraint::{
    Asking, AttributeChange, AttributeOp, Constraint, PlacementState, Scope, Single, Site, Target, parse_expression,
    parse_spec,
};
use heddle_core::model::{AppId, NodeId};
use serde_json::{Map, Value, json};

/// Returns the driver for a kind of cases.
pub fn driver(kind: &str) -> Option<Driver> {
    Some(match kind {
        "parse_spec" => spec,
        "parse_expression" => expression,
        "split_entries" => split,
        "source_tag" => source,
        "build" => build,
        "evaluate" => evaluate,
        "tag_counts" => tag_counts,
        "temp_tags" => temp_tags,
        "namespace_parse" => namespace,
        "namespace_scope" => namespace_scope,
        _ => return None,
    })
}

// ---- constraints in the form of the corpus

fn scope(v: &Value) -> Scope {
    if text(v).eq_ignore_ascii_case("rack") { Scope::Rack } else { Scope::Node }
}

pub(super) fn strings(v: &Value) -> Vec<String> {
    list(v).iter().map(|s| text(s).to_owned()).collect()
}

fn target(v: &Value) -> Target {
    let values = strings(&v["values"]);
    match text(&v["kind"]) {
        "attr" => Target::Attribute { name: text(&v["key"]).into(), values },
        "partition" => Target::Partition { values },
        _ => Target::Tags { namespace: v["namespace"].as_str().unwrap_or("self").into(), values },
    }
}

/// Reads a constraint of the corpus.
pub(super) fn constraint(v: &Value) -> Constraint {
    let children = || list(&v["children"]).iter().map(constraint).collect();
    match text(&v["op"]) {
        "and" => Constraint::And(children()),
        "or" => Constraint::Or(children()),
        "delayed_or" => Constraint::DelayedOr(Vec::new()),
        _ => Constraint::Single(Single::new(
            scope(&v["scope"]),
            int(&v["min"]) as i32,
            v["max"].as_i64().map_or(i32::MAX, |n| n as i32),
            match text(&v["attr_op"]) {
                "eq" => AttributeOp::Eq,
                "ne" => AttributeOp::Ne,
                _ => AttributeOp::NoOp,
            },
            list(&v["targets"]).iter().map(target),
        )),
    }
}

pub(super) fn same(at: &str, expected: &Value, got: Option<&Constraint>) -> Result<(), Difference> {
    let equal = match got {
        None => expected.is_null(),
        Some(got) => !expected.is_null() && constraint(expected).same(got),
    };
    if equal { Ok(()) } else { Err(Difference::new(at, expected, format!("{got:?}"))) }
}

fn refused(how: SpecException) -> &'static str {
    match how {
        SpecException::Parse => "parse",
        SpecException::NoSuchElement => "no_such_element",
    }
}

// ---- the language

fn spec(case: &Case) -> Outcome {
    let read = match parse_spec(text(&case.given["text"])) {
        Err(e) => return holds(&case.expect, &json!({"error": refused(e.refused)})).into(),
        Ok(read) => read,
    };
    let entries = list(&case.expect["entries"]);
    if case.expect["error"].is_string() || entries.len() != read.entries.len() {
        return Outcome::Failed(Difference::new("entries", &case.expect, format!("{} entries", read.entries.len())));
    }
    for (expected, entry) in entries.iter().zip(&read.entries) {
        let got = json!({"source_tag": entry.tag(), "count": entry.count()});
        let wanted = json!({"source_tag": expected["source_tag"], "count": expected["count"]});
        let both = holds(&wanted, &got).and(same("constraint", &expected["constraint"], entry.constraint.as_ref()));
        if let Err(d) = both {
            return Outcome::Failed(d);
        }
    }
    Outcome::Passed
}

fn expression(case: &Case) -> Outcome {
    match parse_expression(text(&case.given["text"])) {
        Err(e) => holds(&case.expect, &json!({"error": refused(e.refused)})).into(),
        Ok(read) => same("ast", &case.expect["ast"], Some(&read.constraint)).into(),
    }
}

fn split(case: &Case) -> Outcome {
    let parts: Vec<&str> = split_entries(text(&case.given["text"])).into_iter().map(|(_, part)| part).collect();
    holds(&case.expect, &json!({"parts": parts})).into()
}

fn source(case: &Case) -> Outcome {
    let got = match parse_source_tag(text(&case.given["text"])) {
        Some((tag, count)) => json!({"source_tag": tag, "count": count}),
        None => json!({"error": "parse"}),
    };
    holds(&case.expect, &got).into()
}

/// Builds the constraint that a call of one of PlacementConstraints' builders yields; children are calls or constraints.
fn built(call: &Value) -> Result<Constraint, String> {
    if !call["op"].is_null() && call["builder"].is_null() {
        return Ok(constraint(call));
    }
    let targets = || list(&call["targets"]).iter().map(target);
    let (min, max) = (int(&call["min"]) as i32, call["max"].as_i64().map_or(i32::MAX, |n| n as i32));
    let within = scope(&call["scope"]);
    let children = || list(&call["children"]).iter().map(built).collect::<Result<Vec<_>, String>>();
    Ok(match text(&call["builder"]) {
        "targetIn" => Constraint::target_in(within, targets()),
        "targetNotIn" => Constraint::target_not_in(within, targets()),
        "targetCardinality" => Constraint::target_cardinality(within, min, max, targets()),
        // The builders without targets take source tags; two of them leave one bound at its default.
        "cardinality" | "minCardinality" | "maxCardinality" => {
            let namespace = call["namespace"].as_str().unwrap_or("self");
            Constraint::cardinality(within, namespace, min, max, strings(&call["tags"]))
        }
        "targetNodeAttribute" => {
            let op = if text(&call["attr_op"]) == "ne" { AttributeOp::Ne } else { AttributeOp::Eq };
            Constraint::node_attribute(within, op, targets())
        }
        "and" => Constraint::And(children()?),
        "or" => Constraint::Or(children()?),
        other => return Err(format!("build ({other})")),
    })
}

fn build(case: &Case) -> Outcome {
    match built(&case.given) {
        Ok(built) => same("ast", &case.expect["ast"], Some(&built)).into(),
        Err(unknown) => Outcome::Unsupported(unknown),
    }
}

// ---- tags and evaluation

/// The applications, nodes and racks of a case by name, and the state of its containers.
#[derive(Default)]
pub(super) struct ConstraintWorld {
    pub state: PlacementState,
    pub apps: Vec<String>,
    racks: Vec<String>,
    pub nodes: Vec<(String, u32, String)>,
}

impl ConstraintWorld {
    pub fn new(given: &Value) -> Self {
        let mut world = ConstraintWorld::default();
        world.rack("default-rack");
        for node in list(&given["nodes"]) {
            let rack = world.rack(text(&node["rack"]));
            let host = text(&node["id"]).to_string();
            let attributes: Vec<(&str, &str)> =
                node["attributes"].as_object().into_iter().flatten().map(|(k, v)| (k.as_str(), text(v))).collect();
            world.state.attributes.change(&host, &AttributeChange::Add, &attributes);
            world.nodes.push((host, rack, text(&node["partition"]).into()));
        }
        for app in list(&given["apps"]) {
            let number = AppId::from(world.apps.len());
            world.apps.push(text(&app["id"]).into());
            world.list(number, &strings(&app["app_tags"]));
        }
        for container in list(&given["containers"]) {
            world.count(container, 1);
        }
        for container in list(&given["removed"]) {
            world.count(container, -1);
        }
        world
    }

    fn list(&mut self, app: AppId, tags: &[String]) {
        if let Some(id) = self.apps.get(app.index()).and_then(|id| parse_application_id(id)) {
            self.state.apps.add(app, id, tags);
        }
    }

    pub fn app(&mut self, name: &str) -> AppId {
        if let Some(i) = self.apps.iter().position(|a| a == name) {
            return AppId::from(i);
        }
        self.apps.push(name.into());
        let app = AppId::from(self.apps.len() - 1);
        self.list(app, &[]);
        app
    }

    fn rack(&mut self, name: &str) -> u32 {
        let at = self.racks.iter().position(|r| r == name).unwrap_or_else(|| {
            self.racks.push(name.into());
            self.racks.len() - 1
        });
        at as u32
    }

    pub fn node(&self, name: &str) -> usize {
        self.nodes.iter().position(|n| n.0 == name).unwrap_or(usize::MAX)
    }

    fn site(&self, at: usize) -> Option<Site<'_>> {
        let (host, rack, partition) = self.nodes.get(at)?;
        Some(Site { node: NodeId::from(at), host, rack: *rack, partition })
    }

    /// Adds the containers of an entry, or removes them.
    fn count(&mut self, container: &Value, by: i64) {
        let (app, at) = (self.app(text(&container["app"])), self.node(text(&container["node"])));
        let (tags, Some(rack)) = (strings(&container["tags"]), self.nodes.get(at).map(|n| n.1)) else { return };
        for _ in 0..container["count"].as_i64().unwrap_or(1) {
            if by > 0 {
                self.state.tags.add(app, at as u32, rack, &tags);
            } else {
                self.state.tags.remove(app, at as u32, rack, &tags);
            }
        }
    }

    fn query(&mut self, query: &Value, current: Option<AppId>) -> Value {
        let tags = strings(&query["tags"]);
        let at = text(&query["at"]);
        let (scope, place) = match scope(&query["scope"]) {
            Scope::Node => (Scope::Node, self.node(at) as u32),
            Scope::Rack => (Scope::Rack, self.rack(at)),
        };
        let namespace = query["namespace"].as_str().unwrap_or("self");
        let Ok(whose) = self.state.whose(current.unwrap_or(AppId(u32::MAX)), namespace) else {
            return json!("invalid_query");
        };
        if text(&query["op"]) == "sum" {
            let counts = &self.state.tags;
            let seen = if tags.is_empty() {
                counts.at(scope, place, whose).into_iter().map(|(_, n)| n).sum()
            } else {
                tags.iter().map(|t| counts.count(scope, place, whose, t)).sum::<i64>()
            };
            return json!(seen);
        }
        let (least, most) = self.state.tags.range(scope, place, whose, &tags);
        json!(if text(&query["op"]) == "min" { least } else { most })
    }
}

fn current(world: &mut ConstraintWorld, given: &Value) -> Option<AppId> {
    given["current_app"].as_str().map(|name| world.app(name))
}

fn tag_counts(case: &Case) -> Outcome {
    let mut world = ConstraintWorld::new(&case.given);
    let current = current(&mut world, &case.given);
    let values: Vec<Value> = list(&case.given["queries"]).iter().map(|q| world.query(q, current)).collect();
    holds(&case.expect, &json!({"values": values})).into()
}

fn temp_tags(case: &Case) -> Outcome {
    let mut world = ConstraintWorld::new(&case.given);
    let mut temporary: Vec<Value> = Vec::new();
    let mut values = Vec::new();
    for step in list(&case.given["steps"]) {
        if let Some(added) = step.get("add_temp") {
            world.count(added, 1);
            temporary.push(added.clone());
        } else if let Some(added) = step.get("add") {
            world.count(added, 1);
        } else if let Some(app) = step.get("clean_temp") {
            let (gone, kept): (Vec<Value>, Vec<Value>) = temporary.into_iter().partition(|t| t["app"] == *app);
            temporary = kept;
            gone.iter().for_each(|t| world.count(t, -1));
        } else if let Some(query) = step.get("query") {
            values.push(world.query(query, None));
        }
    }
    let mut nodes = Map::new();
    for (i, app) in world.apps.iter().enumerate() {
        let whose = AllocationScope::Of(Some(AppId::from(i)));
        let tagged = |at: &usize| !world.state.tags.at(Scope::Node, *at as u32, whose).is_empty();
        nodes.insert(app.clone(), json!((0..world.nodes.len()).filter(tagged).count()));
    }
    holds(&case.expect, &json!({"values": values, "nodes_with_tags_per_app": nodes})).into()
}

fn evaluate(case: &Case) -> Outcome {
    let given = &case.given;
    let mut world = ConstraintWorld::new(given);
    let app = world.app(text(&given["app"]));
    register(&mut world, given, app);
    let request = given.get("request_constraint").filter(|c| !c.is_null()).map(constraint);
    let tags = strings(&given["source_tags"]);
    let mut satisfied = Map::new();
    for at in 0..world.nodes.len() {
        let Some(site) = world.site(at) else { continue };
        let asking = Asking { app, tags: &tags, constraint: request.as_ref() };
        match world.state.can_satisfy(asking, site) {
            Ok(verdict) => satisfied.insert(world.nodes[at].0.clone(), json!(verdict.holds())),
            Err(_) => return holds(&case.expect, &json!({"error": "invalid_query"})).into(),
        };
    }
    holds(&case.expect, &json!({"satisfied": satisfied})).into()
}

fn namespace(case: &Case) -> Outcome {
    let got = match parse_namespace(text(&case.given["text"])) {
        Err(e) => {
            let start = text(&case.expect["message_starts_with"]);
            if !e.yarn.starts_with(start) {
                return Outcome::Failed(Difference::new("message", start, e.yarn));
            }
            return holds(&json!({"error": case.expect["error"]}), &json!({"error": "invalid_query"})).into();
        }
        Ok(Namespace::Own) => json!({"type": "self"}),
        Ok(Namespace::NotSelf) => json!({"type": "not-self"}),
        Ok(Namespace::All) => json!({"type": "all"}),
        Ok(Namespace::App(..)) => json!({"type": "app-id"}),
        Ok(Namespace::AppTag(_)) => json!({"type": "app-tag"}),
    };
    holds(&case.expect, &got).into()
}

fn namespace_scope(case: &Case) -> Outcome {
    let mut world = ConstraintWorld::new(&case.given);
    world.nodes.push(("h".into(), 0, String::new()));
    for i in 0..world.apps.len() {
        // Only applications with tagged containers can be found by tag or as other applications.
        world.state.tags.add(AppId::from(i), 0, 0, &["x"]);
    }
    let current = current(&mut world, &case.given).unwrap_or(AppId(u32::MAX));
    let got = match world.state.selected(current, text(&case.given["text"])) {
        Ok(apps) => json!({"apps": apps.iter().map(|a| world.apps.get(a.index())).collect::<Vec<_>>()}),
        Err(e) => json!({"error": e.to_string()}),
    };
    holds(&case.expect, &got).into()
}
