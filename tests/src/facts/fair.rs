//! The FairScheduler's settings, allocation file, shares, orders and placement rules (area fair-scheduler).

use super::read::{int, list, text};
use crate::conformance::compare::holds;
use crate::conformance::{Case, Difference, Driver, Outcome};
use heddle_core::config::fair::{Amount, FairConf, RuleKind, Unnamed, default_rules, read, unlimited};
use heddle_core::journal::Silent;
use heddle_core::model::{Resource, ResourceTypes};
use heddle_core::rm::{Properties, Refusal, ResourceManager, RmSettings, SchedulerChoice, Submission};
use heddle_core::scheduler::fair::shares::{Sharer, divide};
use heddle_core::scheduler::fair::{Sortable, compare_drf, compare_fair};
use serde_json::{Map, Value, json};
use std::cmp::Ordering;

/// Returns the driver for a kind of cases.
pub fn driver(kind: &str) -> Option<Driver> {
    Some(match kind {
        "fair_shares" => shares,
        "compare_fair" => fair_order,
        "compare_drf" => drf_order,
        "parse_resource" => amount,
        "parse_allocation" => allocation,
        "placement" => placement,
        "placement_from_config" => placement_from_config,
        "config_check" => config_check,
        "fifo_config_check" => fifo_config_check,
        "increment" => increment,
        "normalize" => normalize,
        "acl" => access,
        _ => return None,
    })
}

fn failed(why: impl Into<String>) -> Outcome {
    Outcome::Failed(Difference::new("case", "a case that can be played", why.into()))
}

/// Returns the types that a case names, or else those of its amounts.
fn types(v: &Value, named: &Value) -> ResourceTypes {
    let further = list(named).iter().map(|n| text(n).to_owned()).filter(|n| n != "memory-mb" && n != "vcores");
    let keys = v.as_object().into_iter().flatten().map(|(k, _)| k.clone());
    let keys = keys.filter(|k| k != "memory_mb" && k != "vcores");
    ResourceTypes::with(further.chain(keys)).unwrap_or_default()
}

fn key(types: &ResourceTypes, i: usize) -> String {
    if i == 0 { "memory_mb".into() } else { types.names()[i].clone() }
}

/// Reads `{memory_mb, vcores, type…}`.
fn resource(v: &Value, types: &ResourceTypes) -> Resource {
    let mut out = Resource::ZERO;
    for i in 0..types.len() {
        out[i] = v[key(types, i)].as_i64().unwrap_or(0);
    }
    out
}

fn shown(r: Resource, types: &ResourceTypes) -> Value {
    let one = |v: i64| if v == i64::MAX { json!("max") } else { json!(v) };
    (0..types.len()).map(|i| (key(types, i), one(r[i]))).collect::<Map<_, _>>().into()
}

fn site(v: &Value) -> Properties {
    let pairs = v.as_object().into_iter().flatten();
    pairs.map(|(k, v)| (k.clone(), v.as_str().map_or_else(|| v.to_string(), str::to_owned))).collect()
}

fn shares(case: &Case) -> Outcome {
    let sharer = |v: &Value| Sharer {
        weight: v["weight"].as_f64().unwrap_or(1.0) as f32,
        minimum: int(&v["min"]),
        maximum: v["max"].as_i64().unwrap_or(i64::MAX),
        active: v["active"].as_bool().unwrap_or(true),
    };
    let sharers: Vec<Sharer> = list(&case.given["items"]).iter().map(sharer).collect();
    holds(&case.expect, &json!({ "shares": divide(&sharers, int(&case.given["total"])).shares })).into()
}

fn order(o: Ordering) -> Value {
    json!(match o {
        Ordering::Less => "first",
        Ordering::Greater => "second",
        Ordering::Equal => "equal",
    })
}

fn fair_order(case: &Case) -> Outcome {
    let item = |v: &Value| Sortable {
        used: Resource::new(int(&v["usage_mb"]), 0),
        minimum: Resource::new(int(&v["min_mb"]), 0),
        demand: Resource::new(int(&v["demand_mb"]), 0),
        weight: v["weight"].as_f64().unwrap_or(1.0) as f32,
    };
    let (first, second) = (&case.given["first"], &case.given["second"]);
    // Equals are compared by their start times, then by name.
    let found = compare_fair(&item(first), &item(second))
        .then(int(&first["start"]).cmp(&int(&second["start"])))
        .then_with(|| text(&first["name"]).cmp(text(&second["name"])));
    holds(&case.expect, &json!({ "order": order(found) })).into()
}

fn drf_order(case: &Case) -> Outcome {
    let types = types(&case.given["cluster"], &Value::Null);
    let item = |v: &Value| Sortable {
        used: resource(&v["usage"], &types),
        minimum: resource(&v["min"], &types),
        demand: Resource::ZERO,
        weight: v["weight"].as_f64().unwrap_or(1.0) as f32,
    };
    let cluster = resource(&case.given["cluster"], &types);
    let found = compare_drf(cluster, types.len(), &item(&case.given["first"]), &item(&case.given["second"]));
    holds(&case.expect, &json!({ "order": order(found) })).into()
}

fn amount(case: &Case) -> Outcome {
    let types = types(&case.given["cluster"], &case.given["resource_types"]);
    let unnamed = if case.given["missing"] == json!(0) { Unnamed::Nothing } else { Unnamed::NoLimit };
    let found = Amount::read(text(&case.given["value"]), unnamed, &types);
    match (case.expect["error_contains"].as_str(), found) {
        (Some(words), Err(why))
            if format!("{} {}", why.about.as_deref().unwrap_or_default(), why.cause).contains(words) =>
        {
            Outcome::Passed
        }
        (Some(words), found) => Outcome::Failed(Difference::new("error", words, format!("{found:?}"))),
        (None, Err(why)) => Outcome::Failed(Difference::new("resource", &case.expect["resource"], why.cause)),
        (None, Ok(found)) => {
            let cluster = resource(&case.given["cluster"], &types);
            holds(&case.expect, &json!({ "resource": shown(found.of(cluster), &types) })).into()
        }
    }
}

fn allocation(case: &Case) -> Outcome {
    let found = read("fair-scheduler.xml", text(&case.given["allocation"]), &ResourceTypes::default(), false);
    let file = match (found, case.expect["error"] == json!(true)) {
        (Err(p), true) => {
            let words = case.expect["message"].as_str().unwrap_or("");
            return if p.what.contains(words) { Outcome::Passed } else { failed(p.what) };
        }
        (Ok(_), true) => return failed("the file was accepted"),
        (Err(p), false) => return failed(p.what),
        (Ok((file, _)), false) => file,
    };
    let mut got = Map::new();
    for (kind, parents) in [("leaf_queues", false), ("parent_queues", true)] {
        let mut names: Vec<&String> = file.queues.iter().filter(|(_, q)| q.parent == parents).map(|(n, _)| n).collect();
        names.sort();
        got.insert(kind.into(), json!(names));
    }
    let mut queues = Map::new();
    for (path, _) in case.expect["queues"].as_object().into_iter().flatten() {
        let q = file.queues.get(path).cloned().unwrap_or_default();
        let mut o = Map::new();
        let mut put = |name: &str, r: Resource| {
            o.insert(format!("{name}_mb"), json!(r.memory_mb()));
            o.insert(format!("{name}_vcores"), json!(r.vcores()));
        };
        put("min", q.minimum.unwrap_or_default());
        put("max", q.maximum.unwrap_or(file.queue_max_default).of(Resource::ZERO));
        put("max_child", q.max_child.map(|m| m.of(Resource::ZERO)).unwrap_or_default());
        put("max_container", q.max_container.unwrap_or_default());
        o.insert("max_apps".into(), json!(q.max_apps.unwrap_or(file.queue_max_apps_default)));
        let share = q.max_am_share.unwrap_or(file.queue_max_am_share_default);
        o.insert("max_am_share".into(), json!((f64::from(share) * 1e6).round() / 1e6));
        o.insert("policy".into(), json!(file.policy(path).text()));
        queues.insert(path.clone(), o.into());
    }
    got.insert("queues".into(), queues.into());
    // A user without its own limit has the default one.
    let users =
        case.expect["users"].as_object().into_iter().flatten().map(|(user, _)| {
            (user.clone(), json!(file.user_max_apps.get(user).unwrap_or(&file.user_max_apps_default)))
        });
    got.insert("users".into(), users.collect::<Map<_, _>>().into());
    let mut expect = case.expect.clone();
    for kind in ["leaf_queues", "parent_queues"] {
        if let Some(names) = expect.get_mut(kind).and_then(Value::as_array_mut) {
            names.sort_by_key(Value::to_string);
        }
    }
    holds(&expect, &Value::Object(got)).into()
}

/// Creates a ResourceManager with the FairScheduler and this allocation file.
fn start(allocation: String, users: &[(String, Vec<String>)]) -> Result<ResourceManager, Refusal> {
    ResourceManager::new(RmSettings {
        scheduler: SchedulerChoice::Fair,
        fair_allocations: Some(allocation),
        groups: users.iter().cloned().collect(),
        ..RmSettings::default()
    })
}

/// Submits an application. Returns the queue in which it is placed; `None`: it is rejected.
fn submit(rm: &mut ResourceManager, queue: &str, user: &str) -> Result<Option<String>, Refusal> {
    let submission = Submission { queue: queue.into(), user: user.into(), ..Submission::default() };
    let id = rm.submit(submission, &mut Silent)?;
    let placed = rm.app(id).filter(|a| a.rejected().is_none()).map(|a| a.queue.clone());
    rm.kill_app(id, &mut Silent);
    rm.check_queues();
    Ok(placed)
}

/// The elements of an allocation file for queues that are given by path.
#[derive(Default)]
struct QueueElements {
    parent: bool,
    below: indexmap::IndexMap<String, QueueElements>,
}

impl QueueElements {
    fn add<'a>(&mut self, mut path: impl Iterator<Item = &'a str>, kind: &str) {
        match path.next() {
            Some(name) => self.below.entry(name.to_owned()).or_default().add(path, kind),
            None => self.parent = kind == "parent",
        }
    }

    fn text(&self) -> String {
        let one = |(name, queue): (&String, &QueueElements)| {
            let kind = if queue.parent { " type=\"parent\"" } else { "" };
            format!("<queue name=\"{name}\"{kind}>{}</queue>", queue.text())
        };
        self.below.iter().map(one).collect()
    }
}

fn placement(case: &Case) -> Outcome {
    let submissions = list(&case.given["submissions"]);
    let of_user = |user: &str| {
        let groups = text(&case.given["groups"]).replace("{user}", user);
        (user.to_owned(), groups.split(',').filter(|g| !g.is_empty()).map(str::to_owned).collect::<Vec<_>>())
    };
    let users: Vec<_> = submissions.iter().map(|s| of_user(text(&s["user"]))).collect();
    let mut configured = QueueElements::default();
    for queue in list(&case.given["configured_queues"]) {
        let path = text(&queue["name"]);
        configured.add(path.strip_prefix("root.").unwrap_or(path).split('.'), text(&queue["type"]));
    }
    let queues = configured.text();
    let policy = text(&case.given["policy"]);
    let mut rm = match start(format!("<allocations>{queues}{policy}</allocations>"), &users) {
        Ok(rm) => rm,
        Err(why) if case.expect["policy_error"] == json!(true) => {
            return if why.message.is_empty() { failed("no words") } else { Outcome::Passed };
        }
        Err(why) => return failed(why.message),
    };
    if case.expect.get("parent_rule_used").is_some() {
        // The parent rule returns the queue above the user's.
        return match submit(&mut rm, "default", "user1") {
            Ok(Some(queue)) => {
                let used = if queue.starts_with("root.default.") { "default" } else { "another" };
                holds(&case.expect, &json!({ "parent_rule_used": used })).into()
            }
            other => failed(format!("{other:?}")),
        };
    }
    let placed: Vec<_> = submissions.iter().map(|s| submit(&mut rm, text(&s["requested"]), text(&s["user"]))).collect();
    let queues: Vec<Value> = placed.iter().map(|p| json!(p.as_ref().ok().cloned().flatten())).collect();
    let errors: Vec<bool> = placed.iter().map(Result::is_err).collect();
    let policy_error = false;
    holds(&case.expect, &json!({ "queues": queues, "submission_error": errors, "policy_error": policy_error })).into()
}

fn placement_from_config(case: &Case) -> Outcome {
    let conf = match FairConf::read(&site(&case.given["yarn_site"])) {
        Ok(conf) => conf,
        Err(why) => return failed(why.message),
    };
    let rules = default_rules(conf.allow_undeclared, conf.user_as_default);
    let name = |kind| match kind {
        RuleKind::Specified => "specified",
        RuleKind::User => "user",
        _ => "default",
    };
    let rules: Vec<Value> = rules.iter().map(|r| json!({"name": name(r.kind), "create": r.create})).collect();
    holds(&case.expect, &json!({ "rules": rules })).into()
}

fn refused(case: &Case, scheduler: SchedulerChoice) -> Outcome {
    let settings = RmSettings { scheduler, yarn_site: site(&case.given["yarn_site"]), ..RmSettings::default() };
    let words = text(&case.expect["error_starts_with"]);
    match ResourceManager::new(settings) {
        Err(why) if why.message.starts_with(words) => Outcome::Passed,
        Err(why) => Outcome::Failed(Difference::new("error", words, why.message)),
        Ok(_) => Outcome::Failed(Difference::new("error", words, "accepted")),
    }
}

fn config_check(case: &Case) -> Outcome {
    refused(case, SchedulerChoice::Fair)
}

fn fifo_config_check(case: &Case) -> Outcome {
    refused(case, SchedulerChoice::Fifo)
}

fn increment(case: &Case) -> Outcome {
    match FairConf::read(&site(&case.given["yarn_site"])) {
        Err(_) if case.expect["error"] == json!(true) => Outcome::Passed,
        Err(why) => failed(why.message),
        Ok(conf) => holds(&case.expect, &json!({ "increment": shown(conf.increment, &conf.types) })).into(),
    }
}

fn normalize(case: &Case) -> Outcome {
    let mut conf = match FairConf::read(&site(&case.given["increment"])) {
        Ok(conf) => conf,
        Err(why) => return failed(why.message),
    };
    conf.minimum = resource(&case.given["minimum"], &conf.types);
    let up = |ask: &Value| shown(conf.normalize(resource(ask, &conf.types), unlimited()), &conf.types);
    let results: Vec<Value> = list(&case.given["asks"]).iter().map(up).collect();
    holds(&case.expect, &json!({ "results": results })).into()
}

fn access(case: &Case) -> Outcome {
    let checks = list(&case.given["checks"]);
    let groups = |c: &Value| list(&c["groups"]).iter().map(|g| text(g).to_owned()).collect();
    let users: Vec<_> = checks.iter().map(|c| (text(&c["user"]).to_owned(), groups(c))).collect();
    let mut rm = match start(text(&case.given["allocation"]).to_owned(), &users) {
        Ok(rm) => rm,
        Err(why) => return failed(why.message),
    };
    let may: Vec<bool> = checks
        .iter()
        .map(|c| submit(&mut rm, text(&c["queue"]), text(&c["user"])).is_ok_and(|placed| placed.is_some()))
        .collect();
    holds(&case.expect, &json!({ "may_submit": may })).into()
}
