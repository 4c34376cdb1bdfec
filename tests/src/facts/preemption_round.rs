//! Rounds of the preemption policy over a frozen cluster (kind policy-round).

use super::read::{int, list, text};
use crate::conformance::compare::holds;
use crate::conformance::{Case, Difference, Driver, Outcome};
use heddle_core::config::capacity::preemption::PreemptionConf;
use heddle_core::config::values::Conf;
use heddle_core::model::{
    AppId, Calculator, CalculatorKind, ContainerId, NodeId, PartitionId, QueueId, RequestKey, Resource, UserId, java,
};
use heddle_core::preemption::{
    AppDemand, Demand, Figures, Monitor, NodeShot, PartitionShot, Piece, PreemptionStep, QueueShot, Round, Snapshot,
    Stock, UserShare, taking_order,
};
use indexmap::{IndexMap, IndexSet};
use serde_json::{Map, Value, json};
use std::cmp::Reverse;

/// The maximum number of containers in a row.
const CONTAINERS: i64 = 100_000;

const PREFIX: &str = "yarn.resourcemanager.monitor.capacity.preemption.";

/// Returns the driver for a kind of cases.
pub fn driver(kind: &str) -> Option<Driver> {
    (kind == "policy-round").then_some(policy_round as Driver)
}

/// Reads an amount; a plain number is memory.
fn amount(v: &Value) -> Resource {
    match v {
        Value::Array(_) => super::read::resource(v),
        _ => Resource::new(int(v), 0),
    }
}

fn no_more(kept: &Resource) -> bool {
    kept.0.iter().all(|n| *n == 0)
}

/// An application of the case.
struct App {
    queue: String,
    user: UserId,
    priority: i32,
    pending: Vec<Resource>,
    pieces: Vec<Piece>,
}

impl App {
    fn used(&self, p: PartitionId, ams_only: bool) -> Resource {
        let here = self.pieces.iter().filter(|c| !c.reserved && c.partition == p && (c.am || !ams_only));
        here.fold(Resource::ZERO, |sum, c| sum + c.size)
    }
}

/// The frozen cluster.
struct Frozen {
    calculator: Calculator,
    minimum: Resource,
    partitions: Vec<(String, Resource, bool)>,
    queues: Vec<Value>,
    snapshot: Snapshot,
    apps: IndexMap<String, App>,
    gone: Vec<String>,
    nodes: Vec<(NodeShot, String)>,
    users: IndexSet<String>,
    limits: Value,
}

impl Frozen {
    fn partition(&self, name: &str) -> PartitionId {
        PartitionId::from(self.partitions.iter().position(|p| p.0 == name).unwrap_or(0))
    }

    fn read(given: &Value) -> Result<Self, String> {
        let dominant = text(&given["calculator"]) == "dominant";
        let kind = if dominant { CalculatorKind::Dominant } else { CalculatorKind::Default };
        let types = list(&given["resource_types"]).len().max(2);
        let mut partitions: Vec<(String, Resource, bool)> = list(&given["partitions"])
            .iter()
            .map(|p| (text(&p["name"]).into(), amount(&p["resource"]), p["exclusive"] != json!(false)))
            .collect();
        partitions.sort_by_key(|p| !p.0.is_empty());
        if partitions.is_empty() {
            return Err("there is no partition".into());
        }
        let mut out = Frozen {
            calculator: Calculator { kind, types },
            minimum: amount(&given["minimum_allocation"]),
            partitions,
            queues: list(&given["queues"]).to_vec(),
            snapshot: Snapshot {
                calculator: Calculator { kind, types },
                minimum: Resource::ZERO,
                cluster: Resource::ZERO,
                partitions: Vec::new(),
                partition_order: Vec::new(),
                queues: Vec::new(),
                leaves: Vec::new(),
                wants: Vec::new(),
            },
            apps: IndexMap::new(),
            gone: Vec::new(),
            nodes: Vec::new(),
            users: IndexSet::new(),
            limits: given["user_limits"].clone(),
        };
        out.read_nodes(given);
        out.read_apps(given)?;
        Ok(out)
    }

    fn read_nodes(&mut self, given: &Value) {
        let one = [json!({"id": "n", "partition": self.partitions[0].0})];
        let nodes = given["nodes"].as_array().map_or(&one[..], Vec::as_slice);
        for (i, n) in nodes.iter().enumerate() {
            let partition = self.partition(text(&n["partition"]));
            let shot = NodeShot { id: NodeId::from(i), partition, free: amount(&n["resource"]), reservation: None };
            self.nodes.push((shot, text(&n["id"]).into()));
        }
    }

    fn read_apps(&mut self, given: &Value) -> Result<(), String> {
        for (i, a) in list(&given["apps"]).iter().enumerate() {
            let am = a["am_container_id"].as_u64().or(given["nodes"].is_array().then_some(1));
            let user = UserId::from(self.users.insert_full(a["user"].as_str().unwrap_or("user").to_owned()).0);
            let mut pieces = Vec::new();
            for group in list(&a["containers"]) {
                let at = self.nodes.iter().position(|n| n.1 == text(&group["node"])).unwrap_or(0);
                let node = &mut self.nodes.get_mut(at).ok_or("there is no node")?.0;
                let (first, count) = (int(&group["first_id"]), int(&group["count"]));
                if !(0..=CONTAINERS).contains(&count) {
                    return Err(format!("{count} containers"));
                }
                for seq in first..first.saturating_add(count) {
                    let reserved = group["reserved"] == json!(true);
                    let piece = Piece {
                        id: ContainerId { app: AppId::from(i), attempt: 1, seq: seq as u64 },
                        node: node.id,
                        partition: node.partition,
                        asked: PartitionId::from(
                            self.partitions.iter().position(|p| p.0 == text(&group["requested_label"])).unwrap_or(0),
                        ),
                        queue: None,
                        size: amount(&group["resource"]),
                        key: RequestKey { priority: 1, allocation_request_id: -1 },
                        am: am == Some(seq as u64) && !reserved,
                        reserved,
                        killable: false,
                        outdated: false,
                        movable: false,
                        made_at: 0,
                        age_order: 0,
                    };
                    if reserved {
                        node.reservation = Some(piece);
                    } else {
                        node.free -= piece.size;
                    }
                    pieces.push(piece);
                }
            }
            let pending = self.partitions.iter().map(|p| amount(&a["pending"][&p.0])).collect();
            let app =
                App { queue: text(&a["queue"]).into(), user, priority: int(&a["priority"]) as i32, pending, pieces };
            self.apps.insert(text(&a["id"]).into(), app);
        }
        Ok(())
    }

    /// Computes the present figures of the queues.
    fn shoot(&mut self) {
        // Each queue is followed by its descendants.
        fn below(queues: &[Value], path: &str, out: &mut Vec<Value>) {
            let Some(queue) = queues.iter().find(|q| text(&q["path"]) == path) else { return };
            out.push(queue.clone());
            for q in queues {
                if text(&q["path"]).rsplit_once('.').is_some_and(|(parent, _)| parent == path) {
                    below(queues, text(&q["path"]), out);
                }
            }
        }
        let mut ordered = Vec::new();
        below(&self.queues, "root", &mut ordered);
        let paths: Vec<String> = ordered.iter().map(|q| text(&q["path"]).to_owned()).collect();
        let mut queues: Vec<QueueShot> = Vec::new();
        for (i, q) in ordered.iter().enumerate() {
            let parent = paths[i].rsplit_once('.').and_then(|(up, _)| paths.iter().position(|p| p == up));
            if let Some(parent) = parent {
                queues[parent].children.push(i);
            }
            let leaf = q["childless_parent"] != json!(true)
                && !paths.iter().any(|p| p.rsplit_once('.').is_some_and(|(up, _)| up == paths[i]));
            let inherited = parent.is_some_and(|p| queues[p].disabled);
            let parts: Vec<Figures> =
                self.partitions.iter().map(|p| self.figures(&q["partitions"][&p.0], p, leaf)).collect();
            let percent = q["max_am_resource_percent"].as_f64().unwrap_or(0.0) as f32;
            queues.push(QueueShot {
                id: QueueId::from(i),
                parent,
                children: Vec::new(),
                leaf,
                priority: int(&q["priority"]) as i32,
                disabled: q["disable_preemption"].as_bool().unwrap_or(inherited),
                intra_disabled: false,
                am_maximum: parts[0].guaranteed.multiply_round_down(percent),
                parts,
            });
        }
        for i in (1..queues.len()).rev() {
            let Some(parent) = queues[i].parent else { continue };
            for p in 0..self.partitions.len() {
                let (pending, less) = (queues[i].parts[p].pending, queues[i].parts[p].pending_not_reserved);
                let sum = &mut queues[parent].parts[p];
                sum.pending += pending;
                sum.pending_not_reserved += less;
            }
        }
        fn leaves(queues: &[QueueShot], paths: &[String], at: usize) -> Vec<usize> {
            if queues[at].leaf {
                return vec![at];
            }
            let all: Vec<usize> = queues[at].children.iter().flat_map(|k| leaves(queues, paths, *k)).collect();
            let hashes: Vec<i32> = all.iter().map(|q| java::string_hash(&paths[*q])).collect();
            java::hash_walk(&hashes).into_iter().map(|i| all[i]).collect()
        }
        let names: Vec<&str> = self.partitions.iter().map(|p| p.0.as_str()).collect();
        let partition_order = java::set_walk(&names).into_iter().map(|n| self.partition(n)).collect();
        self.snapshot = Snapshot {
            calculator: self.calculator,
            minimum: self.minimum,
            cluster: self.partitions.iter().fold(Resource::ZERO, |sum, p| sum + p.1),
            partitions: self.partitions.iter().map(|p| PartitionShot { total: p.1 }).collect(),
            partition_order,
            leaves: if queues.is_empty() { Vec::new() } else { leaves(&queues, &paths, 0) },
            queues,
            wants: Vec::new(),
        };
        for app in self.apps.values_mut() {
            let place = paths.iter().position(|p| *p == app.queue);
            app.pieces.iter_mut().for_each(|c| c.queue = place);
        }
        for (node, _) in &mut self.nodes {
            if let Some(r) = &mut node.reservation {
                r.queue = self.apps.get_index(r.id.app.index()).and_then(|(_, a)| a.pieces.first()?.queue);
            }
        }
        self.queues = ordered;
    }

    fn figures(&self, v: &Value, partition: &(String, Resource, bool), leaf: bool) -> Figures {
        let guaranteed = amount(&v["guaranteed"]);
        let used = amount(&v["used"]);
        let mut maximum = amount(&v["max"]);
        if no_more(&maximum) && !partition.2 {
            maximum = partition.1;
        }
        let absolute = guaranteed.memory_mb() as f32 / partition.1.memory_mb() as f32;
        let absolute_capacity = v["absolute_capacity"].as_f64().map_or(absolute, |x| x as f32);
        let (pending, reserved) = (amount(&v["pending"]), amount(&v["reserved"]));
        Figures {
            absolute_capacity,
            used_capacity: self.calculator.divide(&partition.1, &used, &guaranteed),
            guaranteed,
            maximum,
            used,
            reserved,
            pending: if leaf { pending } else { Resource::ZERO },
            pending_not_reserved: if leaf {
                (pending - reserved).component_max(Resource::ZERO)
            } else {
                Resource::ZERO
            },
            killable: Resource::ZERO,
        }
    }

    fn path(&self, queue: QueueId) -> &str {
        text(&self.queues[queue.index()]["path"])
    }

    fn of_leaf(&self, leaf: QueueId) -> impl Iterator<Item = (AppId, &App)> {
        let path = self.path(leaf).to_owned();
        let all = self.apps.iter().enumerate();
        let here = all.filter(move |(_, (name, a))| a.queue == path && !self.gone.contains(name));
        here.map(|(i, (_, a))| (AppId::from(i), a))
    }

    fn pieces(&self, app: AppId, reserved: bool) -> Vec<Piece> {
        let app = self.apps.get_index(app.index()).map(|(_, a)| a);
        app.into_iter().flat_map(|a| &a.pieces).filter(|c| c.reserved == reserved).copied().collect()
    }

    fn is_fair(&self, leaf: QueueId) -> bool {
        text(&self.queues[leaf.index()]["app_ordering"]) == "fair"
    }
}

impl Stock for Frozen {
    fn apps_in_order(&mut self, leaf: QueueId) -> Vec<AppId> {
        let mut apps: Vec<(Reverse<i32>, AppId)> =
            self.of_leaf(leaf).map(|(id, a)| (Reverse(a.priority), id)).collect();
        apps.sort_unstable();
        apps.into_iter().map(|(_, id)| id).collect()
    }

    fn containers(&mut self, app: AppId) -> Box<dyn Iterator<Item = Piece> + '_> {
        let mut pieces = self.pieces(app, false);
        pieces.sort_by(|a, b| taking_order(&(a.key, a.id), &(b.key, b.id)));
        Box::new(pieces.into_iter())
    }

    fn reservations(&mut self, app: AppId) -> Vec<Piece> {
        self.pieces(app, true)
    }

    fn on_lent_room(&mut self, leaf: QueueId, partition: PartitionId) -> Vec<Piece> {
        let lent = |c: &&Piece| c.partition == partition && !partition.is_default() && c.asked.is_default();
        self.of_leaf(leaf).flat_map(|(_, a)| a.pieces.iter().filter(lent)).copied().collect()
    }

    fn nodes(&mut self) -> Vec<NodeShot> {
        let hashes: Vec<i32> = self.nodes.iter().map(|n| java::node_id_hash(&n.1, 1)).collect();
        java::hash_walk(&hashes).into_iter().map(|i| self.nodes[i].0.clone()).collect()
    }

    fn on_node(&mut self, node: NodeId) -> Vec<Piece> {
        let here = |c: &&Piece| c.node == node && !c.reserved;
        self.apps.values().flat_map(|a| a.pieces.iter().filter(here)).copied().collect()
    }

    fn move_reservation(&mut self, _: ContainerId, _: NodeId) {}

    fn demand(&mut self, leaf: QueueId, p: PartitionId) -> Demand {
        let fair = self.is_fair(leaf);
        let mut by_use: Vec<(i64, AppId)> =
            self.of_leaf(leaf).map(|(id, a)| (a.used(p, false).memory_mb(), id)).collect();
        by_use.sort_unstable();
        let rank = |id: AppId| by_use.iter().position(|(_, a)| *a == id).unwrap_or(0);
        let (mut apps, mut users): (Vec<AppDemand>, Vec<UserShare>) = (Vec::new(), Vec::new());
        for (id, a) in self.of_leaf(leaf) {
            let (used, am) = (a.used(p, false), a.used(p, true));
            let pending = a.pending[p.index()];
            apps.push(AppDemand {
                app: id,
                attempt: 1,
                user: a.user,
                priority: a.priority,
                used,
                am,
                pending,
                fair_rank: rank(id),
            });
            let limit = &self.limits[self.path(leaf)][self.users.get_index(a.user.index()).map_or("", String::as_str)];
            match users.iter_mut().find(|u| u.user == a.user) {
                Some(u) => (u.used, u.am) = (u.used + used, u.am + am),
                None => users.push(UserShare { user: a.user, used, am, limit: amount(limit) }),
            }
        }
        let am_of_active = apps.iter().fold(Resource::ZERO, |sum, a| sum + a.am);
        Demand { apps, users, am_of_active, fair }
    }
}

fn monitor(config: &Value) -> Result<Monitor, String> {
    let pairs = config.as_object().into_iter().flatten();
    let pairs = pairs.map(|(k, v)| (format!("{PREFIX}{k}"), v.as_str().map_or_else(|| v.to_string(), str::to_owned)));
    let conf = PreemptionConf::read(&Conf::new(pairs.collect())).map_err(|e| e.message)?;
    Ok(Monitor::new(conf, 0))
}

/// The results of the rounds.
#[derive(Default)]
struct Tally {
    marked: Map<String, Value>,
    on_node: Map<String, Value>,
    total: i64,
    killed: i64,
}

fn count(map: &mut Map<String, Value>, key: &str) {
    let n = map.get(key).map_or(0, int);
    map.insert(key.into(), json!(n + 1));
}

impl Tally {
    fn take_in(&mut self, frozen: &Frozen, round: &Round) {
        for act in &round.acts {
            match act.deed {
                PreemptionStep::Wait | PreemptionStep::Void => {}
                PreemptionStep::Kill => self.killed += 1,
                PreemptionStep::Mark => {
                    let app = frozen.apps.get_index(act.container.app.index()).map_or("", |(name, _)| name.as_str());
                    self.total += 1;
                    count(&mut self.marked, app);
                    let chosen = round.chosen.iter().find(|c| c.container == act.container);
                    let node = chosen.and_then(|c| frozen.nodes.get(c.node.index())).map_or("", |n| n.1.as_str());
                    if let Value::Object(nodes) = self.on_node.entry(app).or_insert_with(|| json!({})) {
                        count(nodes, node);
                    }
                }
            }
        }
    }

    fn of_apps(&self, expected: &Value) -> Value {
        let apps = expected.as_object().into_iter().flatten();
        apps.map(|(app, _)| (app.clone(), json!(self.marked.get(app).map_or(0, int)))).collect::<Map<_, _>>().into()
    }

    fn on_nodes(&self, expected: &Value) -> Value {
        let mut out = Map::new();
        for (app, nodes) in expected.as_object().into_iter().flatten() {
            let nodes = nodes.as_object().into_iter().flatten();
            let of = |node: &String| json!(self.on_node.get(app).and_then(|n| n.get(node)).map_or(0, int));
            out.insert(app.clone(), nodes.map(|(n, _)| (n.clone(), of(n))).collect::<Map<_, _>>().into());
        }
        out.into()
    }

    fn seen(&self, expect: &Value) -> Value {
        json!({
            "marked": self.of_apps(&expect["marked"]),
            "marked_on_node": self.on_nodes(&expect["marked_on_node"]),
            "marked_total": self.total,
            "killed_total": self.killed,
        })
    }
}

fn policy_round(case: &Case) -> Outcome {
    let given = &case.given;
    let mut monitor = match monitor(&given["config"]) {
        Ok(monitor) => monitor,
        Err(message) => return Outcome::Failed(Difference::new("config", "settings that can be read", message)),
    };
    let mut frozen = match Frozen::read(given) {
        Ok(frozen) => frozen,
        Err(message) => return Outcome::Failed(Difference::new("given", "a cluster", message)),
    };
    let once = [json!({"time": 0})];
    let rounds = given["rounds"].as_array().map_or(&once[..], Vec::as_slice);
    let mut tally = Tally::default();
    let mut last = Round::default();
    let mut after_round = Vec::new();
    for (i, r) in rounds.iter().enumerate() {
        if let Some(queues) = r["queues"].as_array() {
            frozen.queues = queues.clone();
        }
        frozen.gone.extend(list(&r["remove_apps"]).iter().map(|a| text(a).to_owned()));
        frozen.shoot();
        let shot = frozen.snapshot.clone();
        last = monitor.round(&shot, &mut frozen, int(&r["time"]), true);
        if let Some(failure) = &last.failed {
            return Outcome::Failed(Difference::new(format!("round {i}"), "a round", format!("{failure:?}")));
        }
        tally.take_in(&frozen, &last);
        after_round.push(tally.seen(&case.expect["after_round"][i]));
    }
    let mut got = tally.seen(&case.expect);
    got["after_round"] = after_round.into();
    for (key, amount_of) in [
        ("ideal_assigned", (|l| l.ideal) as fn(&heddle_core::preemption::QueueIdeal) -> Resource),
        ("preemptable_extra", |l| l.preemptable),
        ("untouchable_extra", |l| l.untouchable),
    ] {
        let lines = last.passes.last().into_iter().flat_map(|pass| &pass.lines).filter(|l| l.partition.is_default());
        let figure = |r: Resource| {
            let expected = &case.expect[key].as_object().and_then(|o| o.values().next().cloned()).unwrap_or_default();
            let types = list(expected).len();
            if types == 0 { json!(r.memory_mb()) } else { super::read::amounts(r, types) }
        };
        got[key] = lines.map(|l| (frozen.path(l.queue).to_owned(), figure(amount_of(l)))).collect::<Map<_, _>>().into();
    }
    let mut leaves: Vec<&str> =
        frozen.snapshot.leaves.iter().map(|q| frozen.path(frozen.snapshot.queues[*q].id)).collect();
    leaves.sort_unstable();
    got["leaf_queues"] = json!(leaves);
    if !case.expect["after_round"].is_array() {
        got.as_object_mut().map(|o| o.shift_remove("after_round"));
    }
    holds(&case.expect, &got).into()
}
