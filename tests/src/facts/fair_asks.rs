//! The submissions and requests that the FairScheduler accepts, and its responses to ApplicationMasters (area
//! fair-scheduler: am_size, am_validation, ask_size, ask_validation, headroom_blacklist, continuous).

use super::read::{int, list, text};
use crate::conformance::compare::holds;
use crate::conformance::{Case, Difference, Driver, Outcome};
use heddle_core::journal::Silent;
use heddle_core::model::{AppId, NodeId, Resource};
use heddle_core::rm::{
    AllocateCall, AmAsk, AskRow, NodeReport, NodeSpec, Properties, Refusal, ResourceManager, RmSettings,
    SchedulerChoice, Submission,
};
use serde_json::{Value, json};
use std::collections::BTreeSet;

/// Returns the driver for a kind of cases.
pub fn driver(kind: &str) -> Option<Driver> {
    Some(match kind {
        "am_size" => |case| outcome(am_size(case)),
        "am_validation" => |case| outcome(am_validation(case)),
        "ask_size" => |case| outcome(ask_size(case)),
        "ask_validation" => |case| outcome(ask_validation(case)),
        "headroom_blacklist" => |case| outcome(headroom_blacklist(case)),
        "continuous" => |case| outcome(continuous(case)),
        _ => return None,
    })
}

/// Turns a failure to play into a difference.
fn outcome(result: Result<Outcome, Refusal>) -> Outcome {
    result.unwrap_or_else(|why| Outcome::Failed(Difference::new("", "to be played", why.message)))
}

fn size(v: &Value) -> Resource {
    Resource::new(int(&v["memory_mb"]), int(&v["vcores"]))
}

fn shown(r: Resource) -> Value {
    json!({ "memory_mb": r.memory_mb(), "vcores": r.vcores() })
}

/// Returns the corpus's name for the refusal of something too large.
fn kind_of(why: &Refusal) -> Value {
    let large = why.message.contains("greater than maximum allowed allocation");
    if large { json!("GREATER_THEN_MAX_ALLOCATION") } else { json!(why.message) }
}

struct FairAsksWorld(ResourceManager);

impl FairAsksWorld {
    fn start(allocation: Option<&str>, site: &[(&str, &str)]) -> Result<Self, Refusal> {
        let mut yarn_site: Properties = site.iter().map(|(k, v)| ((*k).to_owned(), (*v).to_owned())).collect();
        // A unit test's ResourceManager has just started.
        let wait = "yarn.resourcemanager.work-preserving-recovery.scheduling-wait-ms";
        yarn_site.insert(wait.into(), "10000".into());
        let fair_allocations = allocation.map(str::to_owned);
        let scheduler = SchedulerChoice::Fair;
        ResourceManager::new(RmSettings { scheduler, yarn_site, fair_allocations, ..RmSettings::default() })
            .map(FairAsksWorld)
    }

    fn node(&mut self, host: &str, total: Resource) -> Result<NodeId, Refusal> {
        let spec = NodeSpec { host: host.into(), port: 1, rack: "/default-rack".into(), total, label: None };
        self.0.add_node(spec, &mut Silent)
    }

    /// Submits an application whose AM takes no container and can make requests.
    fn app(&mut self, queue: &str) -> Result<AppId, Refusal> {
        let id = self
            .0
            .submit(Submission { queue: queue.into(), user: "user".into(), ..Submission::default() }, &mut Silent)?;
        self.0.register(id, &mut Silent)?;
        Ok(id)
    }

    /// Submits an application with an AM of this size. Errors: it is not accepted.
    fn with_am(&mut self, queue: &str, am: Resource) -> Result<(), Refusal> {
        let am = Some(AmAsk { size: am, ..AmAsk::default() });
        let submission = Submission { queue: queue.into(), user: "user".into(), am, ..Submission::default() };
        let id = self.0.submit(submission, &mut Silent)?;
        match self.0.app(id) {
            Some(app) if app.rejected().is_some() => Err(Refusal::new(app.diagnostics.clone())),
            _ => Ok(()),
        }
    }

    fn ask(&mut self, app: AppId, asks: &[Value]) -> Result<(), Refusal> {
        let row = |(i, v): (usize, &Value)| AskRow {
            priority: i as i32,
            place: "*".into(),
            size: size(v),
            count: v["containers"].as_i64().unwrap_or(1),
            relax: true,
            label: None,
            allocation_request_id: -1,
        };
        let asks = asks.iter().enumerate().map(row).collect();
        self.0.allocate(app, AllocateCall { asks, ..AllocateCall::default() }, &mut Silent).map(|_| ())
    }
}

fn am_size(case: &Case) -> Result<Outcome, Refusal> {
    let mut world = FairAsksWorld::start(case.given["allocation"].as_str(), &[])?;
    let am = size(&case.given["am_request"]);
    let tried: Vec<_> = list(&case.given["queues"]).iter().map(|q| world.with_am(text(q), am)).collect();
    let accepted: Vec<bool> = tried.iter().map(Result::is_ok).collect();
    let error = tried.iter().find_map(|t| t.as_ref().err()).map_or(Value::Null, kind_of);
    Ok(holds(&case.expect, &json!({ "accepted": accepted, "error": error })).into())
}

fn am_validation(case: &Case) -> Result<Outcome, Refusal> {
    let mut world = FairAsksWorld::start(case.given["allocation"].as_str(), &[])?;
    let words = text(&case.expect["reason_contains"]);
    let got = match world.with_am(text(&case.given["queue"]), size(&case.given["am_request"])) {
        Ok(()) => json!({ "accepted": true }),
        Err(why) if why.message.contains(words) => json!({ "accepted": false, "reason_contains": words }),
        Err(why) => json!({ "accepted": false, "reason_contains": why.message }),
    };
    Ok(holds(&case.expect, &got).into())
}

fn ask_size(case: &Case) -> Result<Outcome, Refusal> {
    let mut world = FairAsksWorld::start(case.given["allocation"].as_str(), &[])?;
    let node = world.node("h1", Resource::new(102_400, 100))?;
    let (mut accepted, mut error, mut container) = (Vec::new(), Value::Null, Value::Null);
    for queue in list(&case.given["queues"]) {
        let app = world.app(text(queue))?;
        let asked = world.ask(app, std::slice::from_ref(&case.given["ask"]));
        accepted.push(asked.is_ok());
        match asked {
            Err(why) => error = kind_of(&why),
            Ok(()) => {
                world.0.update();
                world.0.heartbeat(node, NodeReport::default(), &mut Silent);
                container = world.0.containers_of(app).next().map_or(Value::Null, |c| shown(c.size));
            }
        }
    }
    Ok(holds(&case.expect, &json!({ "accepted": accepted, "error": error, "container": container })).into())
}

fn ask_validation(case: &Case) -> Result<Outcome, Refusal> {
    let mut world = FairAsksWorld::start(case.given["allocation"].as_str(), &[])?;
    let app = world.app(text(&case.given["queue"]))?;
    let accepted = world.ask(app, list(&case.given["asks"])).is_ok();
    let keys = world.0.scheduled(app).map(|a| a.asks.keys());
    let pending: i64 = keys.into_iter().flatten().map(|k| k.outstanding()).sum();
    Ok(holds(&case.expect, &json!({ "accepted": accepted, "pending_after": pending })).into())
}

/// The only application's fair share is the whole cluster.
fn headroom_blacklist(case: &Case) -> Result<Outcome, Refusal> {
    let mut world = FairAsksWorld::start(None, &[])?;
    for (host, total) in case.given["nodes"].as_object().into_iter().flatten() {
        world.node(host, size(total))?;
    }
    let app = world.app("root.default")?;
    world.ask(app, &[json!({ "memory_mb": 1024, "vcores": 1, "containers": 1 })])?;
    world.0.update();
    let mut before: Vec<String> = Vec::new();
    let mut headroom = Vec::new();
    for names in list(&case.given["blacklists"]) {
        let now: Vec<String> = list(names).iter().map(|n| text(n).to_owned()).collect();
        let call = AllocateCall {
            blacklist_add: now.clone(),
            blacklist_remove: before.iter().filter(|n| !now.contains(n)).cloned().collect(),
            ..AllocateCall::default()
        };
        world.0.allocate(app, call, &mut Silent)?;
        headroom.push(shown(world.0.headroom(app)));
        before = now;
    }
    Ok(holds(&case.expect, &json!({ "headroom": headroom })).into())
}

fn continuous(case: &Case) -> Result<Outcome, Refusal> {
    let mut world = FairAsksWorld::start(None, &[("yarn.scheduler.fair.continuous-scheduling-enabled", "true")])?;
    for (host, total) in case.given["nodes"].as_object().into_iter().flatten() {
        world.node(host, size(total))?;
    }
    let mut used: BTreeSet<NodeId> = BTreeSet::new();
    let app = world.app("root.default")?;
    for (i, ask) in list(&case.given["asks_one_after_the_other"]).iter().enumerate() {
        let row = AskRow {
            priority: i as i32,
            place: "*".into(),
            size: size(ask),
            count: 1,
            relax: true,
            label: None,
            allocation_request_id: -1,
        };
        world.0.allocate(app, AllocateCall { asks: vec![row], ..AllocateCall::default() }, &mut Silent)?;
        world.0.update();
        world.0.continuous_pass(&mut Silent);
        used.extend(world.0.containers_of(app).map(|c| c.node));
    }
    Ok(holds(&case.expect, &json!({ "distinct_nodes_used": used.len() })).into())
}
