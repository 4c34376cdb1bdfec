//! Constraints of applications and of the cluster (area placement-constraints, kinds constraint_manager, merge_levels).

use super::constraints::{ConstraintWorld, constraint, same, strings};
use super::read::{list, text};
use crate::conformance::{Case, Difference, Driver, Outcome};
use heddle_core::constraint::Constraint;
use heddle_core::constraint::manager::source_tag;
use heddle_core::model::AppId;
use serde_json::{Value, json};
use std::collections::BTreeMap;

/// Returns the driver for a kind of cases.
pub fn driver(kind: &str) -> Option<Driver> {
    Some(match kind {
        "constraint_manager" => manager,
        "merge_levels" => merge,
        _ => return None,
    })
}

/// Registers `app_constraints`, those that name no application with `app`, and `global_constraints`.
pub(super) fn register(world: &mut ConstraintWorld, given: &Value, app: AppId) {
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

fn manager(case: &Case) -> Outcome {
    let mut world = ConstraintWorld::default();
    let answers = list(&case.expect["answers"]);
    let mut asked = 0;
    for step in list(&case.given["steps"]) {
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
        } else if let Some(app) = of_app(&mut world, step, "add") {
            let replace = step["replace"].as_bool().unwrap_or(false);
            world.state.constraints.put(Some(app), &source, constraint(&step["constraint"]), replace);
        } else if let Some(app) = of_app(&mut world, step, "remove") {
            world.state.constraints.remove(Some(app), &source);
        } else if step["add_global"] == json!(true) {
            let replace = step["replace"].as_bool().unwrap_or(false);
            world.state.constraints.put(None, &source, constraint(&step["constraint"]), replace);
        } else if step["remove_global"] == json!(true) {
            world.state.constraints.remove(None, &source);
        } else if let Some(query) = step["query"].as_str() {
            let expected = answers.get(asked).cloned().unwrap_or(Value::Null);
            asked += 1;
            let app = step["app"].as_str().map(|name| world.app(name));
            let state = &world.state.constraints;
            let tag = source.first().map(String::as_str);
            let of = |mut kept: Box<dyn Iterator<Item = (&str, &Constraint)> + '_>| {
                kept.find(|(t, _)| Some(*t) == tag).map(|(_, c)| c.clone())
            };
            let got = match (query, app) {
                ("app_count", _) => json!(state.registered().count()),
                ("global_count", _) => json!(state.global().count()),
                ("valid", _) => json!(source_tag(&source).is_some()),
                ("constraint_sources", Some(app)) => state.of_app(app).map_or(Value::Null, |all| {
                    let mut sources: Vec<&str> = all.map(|(tag, _)| tag).collect();
                    sources.sort_unstable();
                    json!(sources)
                }),
                (count, Some(app)) if count.ends_with("_count") => {
                    state.of_app(app).map_or(Value::Null, |all| json!(all.count()))
                }
                // The constraint of a source tag, for an application or for the cluster.
                (_, app) if tag.is_some() => {
                    let one = match app {
                        Some(app) => state.of_app(app).and_then(|all| of(Box::new(all))),
                        None => of(Box::new(state.global())),
                    };
                    if let Err(d) = same(query, &expected, one.as_ref()) {
                        return Outcome::Failed(d.inside(format!("answer {}", asked - 1)));
                    }
                    continue;
                }
                (other, _) => return Outcome::Unsupported(format!("constraint_manager ({other})")),
            };
            if got != expected {
                return Outcome::Failed(Difference::new(format!("answer {}", asked - 1), expected, got));
            }
        } else {
            return Outcome::Failed(Difference::new("", "a step that is known", step));
        }
    }
    if asked < answers.len() {
        return Outcome::Failed(Difference::new("answers", answers.len(), asked));
    }
    Outcome::Passed
}

/// Returns the application of a step: `{KEY: app}` or `{KEY: true, app}`.
fn of_app(world: &mut ConstraintWorld, step: &Value, key: &str) -> Option<AppId> {
    let name = match &step[key] {
        Value::String(name) => name,
        Value::Bool(true) => text(&step["app"]),
        _ => return None,
    };
    Some(world.app(name))
}

fn merge(case: &Case) -> Outcome {
    let mut world = ConstraintWorld::default();
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
