//! Capacities, configuration errors, queue mapping, automatic creation (area capacity-scheduler).

use super::capacity_world::{World, properties};
use super::configuration_text::vector_of;
use super::read::{int, list, text};
use crate::conformance::compare::{holds, within};
use crate::conformance::{Case, Difference, Driver, Outcome};
use heddle_core::config::capacity::targets::{QueueLookup, Target};
use heddle_core::config::capacity::{Action, MappingConf, MappingText, Matcher, Templates, mapping_rules, user_rule};
use heddle_core::config::values::trimmed_list;
use heddle_core::journal::Silent;
use heddle_core::model::{PartitionId, Resource};
use heddle_core::rm::Refusal;
use heddle_core::scheduler::capacity::Queue;
use heddle_core::scheduler::capacity::mapping::{Applicant, Mapping};
use serde_json::{Map, Value, json};

/// Returns the driver for a kind of cases.
pub fn driver(kind: &str) -> Option<Driver> {
    Some(match kind {
        "capacities" => capacities,
        "config-error" => config_error,
        "config-check" => config_check,
        "maximum-allocation" => maximum_allocation,
        "application-count-limits" => application_count_limits,
        "queue-states" => queue_states,
        "queue-mapping" => queue_mapping,
        "queue-mapping-parse" => queue_mapping_parse,
        "capacity-vector-parse" => capacity_vector_parse,
        "queue-template" => queue_template,
        "auto-create" => auto_create,
        _ => return None,
    })
}

/// Creates the case's scheduler with its nodes, which are `[memory, vcores]` here, or with a single node of the whole size.
fn world(case: &Case) -> Result<World, Refusal> {
    let mut given = case.given.clone();
    let nodes = given.as_object_mut().and_then(|o| o.remove("nodes")).unwrap_or(Value::Null);
    let mut world = World::start(&given, |_, _| {})?;
    for (i, node) in list(&nodes).iter().enumerate() {
        world.register_node(&format!("n{i}"), "/default-rack", Resource::new(int(&node[0]), int(&node[1])), None)?;
    }
    if let Some(memory_mb) = given["cluster_memory_mb"].as_i64() {
        let vcores = given["cluster_vcores"].as_i64().unwrap_or(memory_mb / 1024);
        world.register_node("all", "/default-rack", Resource::new(memory_mb, vcores), None)?;
    }
    Ok(world)
}

fn failed(why: Refusal) -> Outcome {
    Outcome::Failed(Difference::new("", "a scheduler", why.message))
}

fn pair(r: Resource) -> Value {
    json!([r.memory_mb(), r.vcores()])
}

fn figures(q: &Queue) -> Value {
    let part = q.part(PartitionId::DEFAULT);
    json!({
        "effective_min": pair(part.shares.effective_min),
        "effective_max": pair(part.shares.effective_max),
        "effective_min_mb": part.shares.effective_min.memory_mb(),
        "effective_max_mb": part.shares.effective_max.memory_mb(),
        "absolute_capacity": part.shares.absolute_capacity,
        "absolute_max": part.shares.absolute_max_capacity,
        "capacity": part.shares.capacity,
        "weight": part.shares.weight,
        "user_limit_factor": q.conf.user_limit_factor,
        "am_percent": q.conf.am_percent,
        "queue_am_limit_mb": part.am_limit.memory_mb(),
    })
}

fn capacities(case: &Case) -> Outcome {
    let mut world = match world(case) {
        Ok(world) => world,
        Err(why) => return failed(why),
    };
    for path in list(&case.given["create_queues"]) {
        if let Err(why) = world.rm.create_queue(text(path), &mut Silent) {
            return failed(why);
        }
    }
    let got: Map<String, Value> = world.rm.queues().iter().map(|q| (q.path.clone(), figures(q))).collect();
    within(&case.expect, &Value::Object(got), 0.001).into()
}

fn config_error(case: &Case) -> Outcome {
    let wanted = text(&case.expect["error_contains"]);
    match world(case) {
        Err(why) if why.message.contains(wanted) => Outcome::Passed,
        Err(why) => Outcome::Failed(Difference::new("", wanted, why.message)),
        Ok(_) => Outcome::Failed(Difference::new("", "a refusal", "no refusal")),
    }
}

fn config_check(case: &Case) -> Outcome {
    holds(&case.expect, &json!({ "valid": world(case).is_ok() })).into()
}

fn maximum_allocation(case: &Case) -> Outcome {
    let world = match world(case) {
        Ok(world) => world,
        Err(why) => return failed(why),
    };
    let all = world.rm.capacity().map(|s| s.conf().maximum_allocation).unwrap_or_default();
    let queues = world.rm.queues().iter().map(|q| (q.path.as_str(), q.conf.maximum_allocation));
    let mut got = Map::new();
    for (name, maximum) in queues.chain([("scheduler", all)]) {
        // A pair, or amounts by name.
        let named = case.expect[name].is_object();
        let by_name = json!({ "memory_mb": maximum.memory_mb(), "vcores": maximum.vcores() });
        got.insert(name.into(), if named { by_name } else { pair(maximum) });
    }
    // Amounts without a queue are the scheduler's.
    got.insert("memory_mb".into(), json!(all.memory_mb()));
    got.insert("vcores".into(), json!(all.vcores()));
    holds(&case.expect, &Value::Object(got)).into()
}

fn application_count_limits(case: &Case) -> Outcome {
    let world = match world(case) {
        Ok(world) => world,
        Err(why) => return failed(why),
    };
    let leaf = world.leaf(text(&case.given["queue"]));
    let got = leaf.map(
        |l| json!({ "max_applications": l.max_applications.maximum(), "max_applications_per_user": l.max_applications_per_user }),
    );
    holds(&case.expect, &got.unwrap_or_default()).into()
}

fn queue_states(case: &Case) -> Outcome {
    let mut world = match World::start(&json!({ "config": case.given["config"] }), |_, _| {}) {
        Ok(world) => world,
        Err(why) => return failed(why),
    };
    let steps = list(&case.given["steps"]).iter().zip(list(&case.expect["states_after_each_step"]));
    for (i, (step, expected)) in steps.enumerate() {
        let done = match text(&step["do"]) {
            "load" => Ok(()),
            "refresh" => world.refresh(&step["set"]),
            "submit_app" => world.submit(step, text(&step["queue"]), Some(Resource::new(1024, 1))).map(|_| ()),
            "finish_app" => world.kill(text(&step["app"])),
            other => Err(format!("unknown step {other}")),
        };
        let got = match done {
            Ok(()) => world.rm.queues().iter().map(|q| (q.name().to_string(), json!(q.state.text()))).collect(),
            Err(why) => {
                let wanted = text(&expected["error_contains"]);
                let fits = expected.get("error_contains").is_some() && why.contains(wanted);
                Map::from_iter([("error_contains".to_string(), json!(if fits { wanted } else { &why }))])
            }
        };
        if expected.is_null() {
            continue;
        }
        if let Err(difference) = holds(expected, &Value::Object(got)) {
            return Outcome::Failed(difference.inside(format!("step {i}")));
        }
    }
    Outcome::Passed
}

/// The queues of a mapping case: `a.b`, `a (parent)`, `a (parent, auto-create v2)`, below root.
struct Queues(Vec<Target>);

impl Queues {
    fn of(names: &[Value]) -> Self {
        let mut all = vec![Target { path: "root".into(), is_leaf: false, creates: false }];
        for name in names {
            let (name, what) = text(name).split_once(" (").unwrap_or((text(name), ""));
            all.push(Target {
                path: format!("root.{name}"),
                is_leaf: what.is_empty(),
                creates: what.contains("auto-create"),
            });
        }
        Queues(all)
    }

    fn named<'a>(&'a self, name: &'a str) -> impl Iterator<Item = &'a Target> {
        self.0.iter().filter(move |t| t.path.rsplit('.').next() == Some(name))
    }
}

impl QueueLookup for Queues {
    fn lookup(&self, name: &str) -> Option<Target> {
        self.lookup_path(name).or_else(|| {
            let mut named = self.named(name);
            named.next().filter(|_| named.next().is_none()).cloned()
        })
    }

    fn lookup_path(&self, path: &str) -> Option<Target> {
        self.0.iter().find(|t| t.path == path).cloned()
    }

    fn is_ambiguous(&self, name: &str) -> bool {
        self.named(name).count() > 1
    }
}

fn queue_mapping(case: &Case) -> Outcome {
    let given = &case.given;
    let queues = Queues::of(list(&given["existing_queues"]));
    let rules = if given["rules_json"].is_null() {
        MappingText::Legacy { users: trimmed_list(text(&given["mapping"])), applications: Vec::new() }
    } else {
        MappingText::Json(given["rules_json"].to_string())
    };
    let conf = MappingConf { override_queue: given["override"] == true, rules };
    let groups: Vec<String> = list(&given["user_groups_primary_first"]).iter().map(|g| text(g).to_string()).collect();
    let requested = text(&given["requested_queue"]);
    let applicant = Applicant {
        queue: requested,
        user: text(&given["user"]),
        groups: &groups,
        application: text(&given["application"]),
    };
    // Hadoop's tests run the engine with paths that would prevent a ResourceManager's start.
    let unchecked = || mapping_rules(&conf).map(|rules| Mapping::new(rules, conf.override_queue));
    let mapping = match Mapping::read(&conf, &queues).or_else(|_| unchecked()) {
        Ok(mapping) => mapping,
        Err(why) => return failed(why),
    };
    let got = match mapping.place(&applicant, &queues, &mut Vec::new()) {
        Ok(placed) => {
            let queue = placed.as_deref().map_or(requested, |p| p.rsplit('.').next().unwrap_or(p));
            json!({ "queue": queue, "full_path": placed })
        }
        Err(_) => json!({ "rejected": true }),
    };
    holds(&case.expect, &got).into()
}

fn queue_mapping_parse(case: &Case) -> Outcome {
    let got = match user_rule(text(&case.given["text"])) {
        Ok(rule) => {
            let (kind, source) = match rule.matcher {
                Matcher::User(user) => ("user", user),
                Matcher::Group(group) => ("group", group),
                Matcher::Application(name) => ("application", name),
                Matcher::Anything => ("user", "%user".into()),
            };
            let queue = if let Action::Place { path, .. } = rule.action { json!(path) } else { Value::Null };
            json!({ "type": kind, "source": source, "queue": queue })
        }
        Err(why) => json!({ "error": why.message }),
    };
    holds(&case.expect, &got).into()
}

fn capacity_vector_parse(case: &Case) -> Outcome {
    let got = vector_of(case);
    within(&case.expect, &got, 1e-6).and(within(&got, &case.expect, 1e-6)).into()
}

fn queue_template(case: &Case) -> Outcome {
    let file = properties(&case.given["config"]);
    let key = |queue: &str, name: &str| format!("yarn.scheduler.capacity.{queue}.{name}");
    let mut now = file.clone();
    for child in list(&case.given["children"]) {
        let (parent, child, kind) = (text(&child[0]), text(&child[1]), text(&child[2]));
        // Root is not created automatically, so it inherits nothing.
        if child == "root" {
            continue;
        }
        let templates = match Templates::of_properties(&file, parent) {
            Ok(templates) => templates,
            Err(why) => return failed(why),
        };
        for (name, value) in templates.for_child(kind == "leaf") {
            if !file.contains_key(&key(child, name)) {
                now.insert(key(child, name), value.clone());
            }
        }
    }
    let of = |queue: &str, names: &Value| -> Value {
        let names = names.as_object().into_iter().flatten();
        Value::Object(names.map(|(n, _)| (n.clone(), json!(now.get(&key(queue, n))))).collect())
    };
    let expected = case.expect.as_object().into_iter().flatten();
    let got = Value::Object(expected.map(|(queue, names)| (queue.clone(), of(queue, names))).collect());
    holds(&case.expect, &got).into()
}

fn auto_create(case: &Case) -> Outcome {
    let mut world = match world(case) {
        Ok(world) => world,
        Err(why) => return failed(why),
    };
    let wanted = text(&case.expect["error_contains"]);
    match world.rm.create_queue(text(&case.given["path"]), &mut Silent) {
        Ok(_) => {
            let missing = list(&case.expect["created"]).iter().find(|p| world.rm.queue(text(p)).is_none());
            match (missing, case.expect.get("error_contains")) {
                (None, None) => Outcome::Passed,
                (missing, _) => Outcome::Failed(Difference::new("", missing.map_or(wanted, text), "a queue was made")),
            }
        }
        Err(why) if case.expect.get("error_contains").is_some() && why.message.contains(wanted) => Outcome::Passed,
        Err(why) => failed(why),
    }
}
