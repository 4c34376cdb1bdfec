//! Placement constraints: parser, evaluation, tags, placement algorithm (area placement-constraints).

use super::read::{int, list, text};
use crate::conformance::compare::holds;
use crate::conformance::{Case, Difference, Driver, Outcome};
use heddle_core::constraint::algorithm::{
    Batch, BatchRequest, Candidate, Circular, IteratorKind, Temporaries, Work, request_order,
};
use heddle_core::constraint::manager::source_tag;
use heddle_core::constraint::namespace::{Namespace, parse_application_id, parse_namespace};
use heddle_core::constraint::spec::{Refused, parse_source_tag, split_entries};
use heddle_core::constraint::tags::Whose;
use heddle_core::constraint::{
    Asking, AttributeChange, AttributeOp, Constraint, PlacementState, Scope, Single, Site, Target, parse_expression,
    parse_spec,
};
use heddle_core::model::{AppId, Calculator, CalculatorKind, NodeId, Resource, ResourceTypes};
use serde_json::{Map, Value, json};
use std::collections::BTreeMap;

/// Who plays this kind.
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
        "constraint_manager" => manager,
        "merge_levels" => merge,
        "request_order" => order,
        "circular" => circular,
        "place_batch" => place_batch,
        _ => return None,
    })
}

// ---- constraints as the corpus writes them

fn scope(v: &Value) -> Scope {
    if text(v).eq_ignore_ascii_case("rack") { Scope::Rack } else { Scope::Node }
}

fn strings(v: &Value) -> Vec<String> {
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

/// A constraint of the corpus.
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

fn same(at: &str, expected: &Value, got: Option<&Constraint>) -> Result<(), Difference> {
    let equal = match got {
        None => expected.is_null(),
        Some(got) => !expected.is_null() && constraint(expected).same(got),
    };
    if equal { Ok(()) } else { Err(Difference::new(at, expected, format!("{got:?}"))) }
}

fn refused(how: Refused) -> &'static str {
    match how {
        Refused::Parse => "parse",
        Refused::NoSuchElement => "no_such_element",
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

fn build(case: &Case) -> Outcome {
    let given = &case.given;
    let targets: Vec<Target> = list(&given["targets"]).iter().map(target).collect();
    let built = match text(&given["builder"]) {
        "targetIn" => Constraint::target_in(scope(&given["scope"]), targets),
        "targetNotIn" => Constraint::target_not_in(scope(&given["scope"]), targets),
        other => return Outcome::Unsupported(format!("build ({other})")),
    };
    same("ast", &case.expect["ast"], Some(&built)).into()
}

// ---- tags and evaluation

/// Applications, nodes and racks of a case by name, and the state that its containers make.
#[derive(Default)]
struct World {
    state: PlacementState,
    apps: Vec<String>,
    racks: Vec<String>,
    nodes: Vec<(String, u32, String)>,
}

impl World {
    fn new(given: &Value) -> Self {
        let mut world = World::default();
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

    fn app(&mut self, name: &str) -> AppId {
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

    fn node(&self, name: &str) -> usize {
        self.nodes.iter().position(|n| n.0 == name).unwrap_or(usize::MAX)
    }

    fn site(&self, at: usize) -> Option<Site<'_>> {
        let (host, rack, partition) = self.nodes.get(at)?;
        Some(Site { node: NodeId::from(at), host, rack: *rack, partition })
    }

    /// Adds (or takes away) the containers of an entry.
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

fn current(world: &mut World, given: &Value) -> Option<AppId> {
    given["current_app"].as_str().map(|name| world.app(name))
}

fn tag_counts(case: &Case) -> Outcome {
    let mut world = World::new(&case.given);
    let current = current(&mut world, &case.given);
    let values: Vec<Value> = list(&case.given["queries"]).iter().map(|q| world.query(q, current)).collect();
    holds(&case.expect, &json!({"values": values})).into()
}

fn temp_tags(case: &Case) -> Outcome {
    let mut world = World::new(&case.given);
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
        let whose = Whose::Of(Some(AppId::from(i)));
        let tagged = |at: &usize| !world.state.tags.at(Scope::Node, *at as u32, whose).is_empty();
        nodes.insert(app.clone(), json!((0..world.nodes.len()).filter(tagged).count()));
    }
    holds(&case.expect, &json!({"values": values, "nodes_with_tags_per_app": nodes})).into()
}

fn register(world: &mut World, given: &Value, app: AppId) {
    let mut of: BTreeMap<AppId, Vec<(Vec<String>, Constraint)>> = BTreeMap::new();
    for c in list(&given["app_constraints"]) {
        let owner = c["app"].as_str().map_or(app, |name| world.app(name));
        let source = if c["source"].is_array() { strings(&c["source"]) } else { vec![text(&c["source"]).into()] };
        of.entry(owner).or_default().push((source, constraint(&c["constraint"])));
    }
    for (owner, constraints) in of {
        world.state.constraints.register(owner, &constraints);
    }
    for c in list(&given["global_constraints"]) {
        world.state.constraints.put(None, &[text(&c["source"])], constraint(&c["constraint"]), true);
    }
}

fn evaluate(case: &Case) -> Outcome {
    let given = &case.given;
    let mut world = World::new(given);
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
    let mut world = World::new(&case.given);
    world.nodes.push(("h".into(), 0, String::new()));
    for i in 0..world.apps.len() {
        // Only applications with tagged containers can be found by tag or as the others.
        world.state.tags.add(AppId::from(i), 0, 0, &["x"]);
    }
    let current = current(&mut world, &case.given).unwrap_or(AppId(u32::MAX));
    let got = match world.state.selected(current, text(&case.given["text"])) {
        Ok(apps) => json!({"apps": apps.iter().map(|a| world.apps[a.index()].clone()).collect::<Vec<_>>()}),
        Err(e) => json!({"error": e.to_string()}),
    };
    holds(&case.expect, &got).into()
}

// ---- levels

fn manager(case: &Case) -> Outcome {
    let mut world = World::default();
    let answers = list(&case.expect["answers"]);
    let mut asked = 0;
    for step in list(&case.given["steps"]) {
        let state = |world: &World| world.state.constraints.clone();
        let source = strings(&step["source"]);
        if let Some(name) = step["register"].as_str() {
            let app = world.app(name);
            let sent: Vec<(Vec<String>, Constraint)> = list(&step["constraints"])
                .iter()
                .map(|c| (strings(&c["source"]), constraint(&c["constraint"])))
                .collect();
            world.state.constraints.register(app, &sent);
        } else if let Some(name) = step["unregister"].as_str() {
            let app = world.app(name);
            world.state.constraints.unregister(app);
        } else if step["add_global"] == json!(true) {
            let replace = step["replace"].as_bool().unwrap_or(false);
            world.state.constraints.put(None, &source, constraint(&step["constraint"]), replace);
        } else if step["remove_global"] == json!(true) {
            world.state.constraints.remove(None, &source);
        } else if let Some(query) = step["query"].as_str() {
            let expected = answers.get(asked).cloned().unwrap_or(Value::Null);
            asked += 1;
            let got = match query {
                "app_count" => json!(state(&world).registered().count()),
                "global_count" => json!(state(&world).global().count()),
                "valid" => json!(source_tag(&source).is_some()),
                "constraint_sources" => {
                    let app = world.app(text(&step["app"]));
                    match world.state.constraints.of_app(app) {
                        None => Value::Null,
                        Some(all) => {
                            let mut sources: Vec<&str> = all.map(|(tag, _)| tag).collect();
                            sources.sort_unstable();
                            json!(sources)
                        }
                    }
                }
                "global" => {
                    let kept = state(&world);
                    let one = kept.global().find(|(tag, _)| Some(*tag) == source.first().map(String::as_str));
                    if let Err(d) = same("global", &expected, one.map(|(_, c)| c)) {
                        return Outcome::Failed(d);
                    }
                    continue;
                }
                other => return Outcome::Unsupported(format!("constraint_manager ({other})")),
            };
            if got != expected {
                return Outcome::Failed(Difference::new(format!("answer {}", asked - 1), expected, got));
            }
        }
    }
    Outcome::Passed
}

fn merge(case: &Case) -> Outcome {
    let mut world = World::default();
    let app = world.app("application_1_0001");
    register(&mut world, &case.given, app);
    let request = case.given.get("request").filter(|c| !c.is_null()).map(constraint);
    let tags = strings(&case.given["source_tags"]);
    let merged = world.state.constraints.applying(app, &tags, request.as_ref());
    let parts: Vec<&Constraint> = merged.parts().map(|(_, c)| c).collect();
    if let Some(n) = case.expect["and_child_count"].as_u64()
        && n as usize != parts.len()
    {
        return Outcome::Failed(Difference::new("and_child_count", n, parts.len()));
    }
    if let Some(children) = case.expect["and_children"].as_array() {
        if children.len() != parts.len() {
            return Outcome::Failed(Difference::new("and_children", children.len(), parts.len()));
        }
        for (expected, got) in children.iter().zip(parts) {
            if let Err(d) = same("and_children", expected, Some(got)) {
                return Outcome::Failed(d);
            }
        }
    }
    Outcome::Passed
}

// ---- the batch algorithm

fn batch_request(v: &Value) -> BatchRequest {
    let tags = strings(&v["tags"]);
    BatchRequest {
        allocation_request_id: int(&v["id"]),
        priority: v["priority"].as_i64().unwrap_or(0) as i32,
        tags: heddle_core::constraint::order::set_order(&tags).into_iter().map(str::to_owned).collect(),
        count: v["count"].as_i64().unwrap_or(1),
        size: Resource::new(int(&v["memory_mb"]), v["vcores"].as_i64().unwrap_or(1)),
        constraint: v.get("constraint").filter(|c| !c.is_null()).map(constraint),
    }
}

fn iterator(v: &Value) -> IteratorKind {
    if text(v) == "POPULAR_TAGS" { IteratorKind::PopularTags } else { IteratorKind::Serial }
}

fn order(case: &Case) -> Outcome {
    let requests: Vec<BatchRequest> = list(&case.given["requests"]).iter().map(batch_request).collect();
    let order = request_order(iterator(&case.given["iterator"]), &requests).unwrap_or_default();
    let ids: Vec<i64> = order.into_iter().map(|i| requests[i].allocation_request_id).collect();
    holds(&json!({"order": case.expect["order"]}), &json!({"order": ids})).into()
}

fn circular(case: &Case) -> Outcome {
    let places = list(&case.given["list"]);
    // `first` may be an element that the list does not have: it stands behind the list's places.
    let first = case.given.get("first").filter(|f| !f.is_null());
    let first_at = first.map(|f| places.iter().position(|p| p == f).unwrap_or(places.len()));
    let mut shared = int(&case.given["already_consumed"]) as usize;
    let got = match Circular::new(places.len(), &mut shared, first_at) {
        None => json!({"error": "no_such_element"}),
        Some(walk) => {
            let all: Vec<Value> = walk.map(|at| places.get(at).or(first).cloned().unwrap_or(Value::Null)).collect();
            json!({"sequence": all})
        }
    };
    holds(&case.expect, &got).into()
}

fn place_batch(case: &Case) -> Outcome {
    let given = &case.given;
    let mut world = World::new(given);
    let app = world.app(text(&given["app"]));
    register(&mut world, given, app);
    let names: Vec<(String, u32, String)> = world.nodes.clone();
    let free = |at: usize| Resource::new(int(&list(&given["nodes"])[at]["unallocated_mb"]), 1000);
    let nodes: Vec<Candidate<'_>> = names
        .iter()
        .enumerate()
        .map(|(at, (host, rack, partition))| Candidate {
            site: Site { node: NodeId::from(at), host, rack: *rack, partition },
            free: free(at),
        })
        .collect();
    let mut batch =
        Batch::new(list(&given["requests"]).iter().map(batch_request).collect(), int(&given["attempt"]) as i32);
    for (tag, barred) in given["blacklist"].as_object().into_iter().flatten() {
        let barred = list(barred).iter().map(|n| NodeId::from(world.node(text(n)))).collect();
        batch.blacklist.insert(tag.clone(), barred);
    }
    let mut temporaries = Temporaries::default();
    let run = Work {
        state: &mut world.state,
        temporaries: &mut temporaries,
        app,
        nodes: &nodes,
        calculator: Calculator::new(CalculatorKind::Default, &ResourceTypes::default()),
        iterator: iterator(&given["iterator"]),
        default_rack: 0,
        trails: false,
    }
    .run(&batch);
    if run.died {
        let expected = &case.expect["error"];
        return if expected.is_string() {
            Outcome::Passed
        } else {
            Outcome::Failed(Difference::new("", &case.expect, "the run dies"))
        };
    }
    let host = |n: &NodeId| names[n.index()].0.clone();
    let placed: Vec<Value> = run
        .placed
        .iter()
        .map(|p| json!({"request": p.request.allocation_request_id, "nodes": p.nodes.iter().map(host).collect::<Vec<_>>()}))
        .collect();
    let rejected: Vec<Value> =
        run.rejected.iter().map(|r| json!({"request": r.allocation_request_id, "count": r.count})).collect();
    holds(&case.expect, &json!({"placed": placed, "rejected": rejected})).into()
}
