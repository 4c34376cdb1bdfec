//! Writes a running cluster as the start of a scenario: time 0 is the moment of the answers. Writes nodes, applications
//! with their containers, reservations and requests; if an answer is missing, writes values that agree with the sums of the
//! others.

use super::rest::printed;
use super::seen::{Amount, SeenApp, SeenAsk, SeenCluster, SeenContainer, SeenNode, SeenReservation, host_of, parts};
use super::write::quoted;
use super::{Gathered, RemarkAbout, count};
use crate::api::SchedulerChoice;
use crate::model::Millis;
use crate::scenario::units::AMOUNT_MAX;
use indexmap::IndexMap;
use std::collections::BTreeSet;
use std::fmt::Write;

/// The age, some heartbeats, up to which a container's node may not have reported it yet.
const FRESH_MS: Millis = 3_000;
/// The maximum number of containers that are assumed if no list has them.
const ASSUMED: i64 = 200_000;
/// The size of an ApplicationMaster if it is unknown.
const AM: (i64, i64) = (1024, 1);
/// The number of nodes where no answer says anything about them.
const NODES: i64 = 4;

/// A container with its inferred attributes.
#[derive(Clone, Debug)]
pub(super) struct Placed {
    number: Option<u64>,
    host: String,
    pub(super) size: Amount,
    priority: i64,
    am: bool,
    reported: bool,
    started: Millis,
}

/// Writes nodes, applications and the happenings at the start.
pub(super) fn cluster(g: &mut Gathered, out: &mut String) {
    if g.seen.nodes.is_empty() {
        nodes_of_containers(g);
    }
    // What runs needs a node, even where no answer names one.
    let runs = |a: &SeenApp| a.state == "RUNNING" && a.running.is_none_or(|n| n > 0);
    if g.seen.nodes.is_empty() && g.seen.apps.values().any(runs) && !super::sums::seen(g) {
        nodes_for_apps(g);
    }
    if !g.seen.nodes.is_empty() {
        nodes(g, out);
    }
    apps(g, out);
}

/// Returns the size of a node with room for an amount, and for `spare` more: whole steps of 8 GB and 8 vcores. Further types are
/// not rounded: devices are few, and counted.
fn node_for(amount: &Amount, spare: i64) -> Amount {
    let round = |n: i64, step: i64| (n.clamp(1, AMOUNT_MAX - 2 * step) + spare + step - 1) / step * step;
    let mut size = Amount::new(round(amount.memory, 8192), round(amount.vcores, 8));
    size.more = amount.more.iter().map(|(name, n)| (name.clone(), (*n).clamp(0, AMOUNT_MAX))).collect();
    size
}

/// Adds the nodes that containers name, sized to hold them.
fn nodes_of_containers(g: &mut Gathered) {
    let mut used: IndexMap<String, Amount> = IndexMap::new();
    for container in g.seen.containers.values() {
        let sum = used.entry(container.node.clone()).or_default();
        *sum = sum.plus(&container.size);
    }
    if used.is_empty() {
        return nodes_of_masters(g);
    }
    let fullest = used.values().fold(Amount::default(), |most, used| most.most(used));
    let each = g.seen.sums.each_of(used.len() as i64);
    let total = node_for(&fullest.most(&g.seen.largest()).most(&each), 0);
    for (id, used) in used {
        let node = SeenNode { id: id.clone(), total: Some(total.clone()), used: Some(used), ..SeenNode::default() };
        g.seen.nodes.insert(id, node);
    }
    let what = format!(
        "{} of {}: those that containers name, with room for what the fullest holds.",
        count(g.seen.nodes.len(), "node"),
        total.written()
    );
    g.infer_of(RemarkAbout::Nodes, what, g.seen.source("containers").to_owned());
    g.lack_of([RemarkAbout::Nodes], "Sizes, racks, labels and states of nodes.", "/ws/v1/cluster/nodes says it");
}

/// Adds the nodes of ApplicationMasters, sized to hold the usage of all applications.
fn nodes_of_masters(g: &mut Gathered) {
    let apps: Vec<&SeenApp> = g.seen.apps.values().filter(|a| a.state == "RUNNING").collect();
    let mut hosts: Vec<String> = apps.iter().filter_map(|a| a.master_node.clone()).collect();
    hosts.sort();
    hosts.dedup();
    let sum = Amount::sum(apps.iter().filter_map(|a| a.allocated.as_ref()));
    if hosts.is_empty() || sum.is_zero() {
        return;
    }
    let n = hosts.len() as i64;
    let share = |all: i64| (all.clamp(0, AMOUNT_MAX - n) + n - 1) / n;
    let mut each = Amount::new(share(sum.memory), share(sum.vcores));
    each.more = sum.more.iter().map(|(name, all)| (name.clone(), share(*all))).collect();
    let total = node_for(&each.most(&g.seen.largest()).most(&g.seen.sums.each_of(n)), 1);
    let what = format!(
        "{} of {}: those that ApplicationMasters run on, with room for what applications use and together what there is at least.",
        count(hosts.len(), "node"),
        total.written()
    );
    g.infer_of(RemarkAbout::Nodes, what, format!("{} (masterNodeId, allocatedMB)", g.seen.source("apps")));
    g.lack_of([RemarkAbout::Nodes], "How many nodes there are, and how large.", "/ws/v1/cluster/nodes says it");
    for id in hosts {
        g.seen.nodes.insert(id.clone(), SeenNode { id, total: Some(total.clone()), ..SeenNode::default() });
    }
}

/// Adds nodes where only applications are known, with room for what these use.
fn nodes_for_apps(g: &mut Gathered) {
    let apps = g.seen.apps.values().filter(|a| a.is_there());
    let sum = Amount::sum(apps.filter_map(|a| a.allocated.as_ref()));
    let share = |all: i64| all.clamp(0, AMOUNT_MAX) / NODES + 1;
    let mut each = Amount::new(share(sum.memory), share(sum.vcores));
    each.more = sum.more.iter().map(|(name, all)| (name.clone(), share(*all))).collect();
    let total = node_for(&each.most(&g.seen.largest()), 1);
    g.infer_of(
        RemarkAbout::Nodes,
        format!("{NODES} nodes of {}: room for what applications use.", total.written()),
        g.seen.source("apps").to_owned(),
    );
    g.lack("How many nodes there are, and how large.", "/ws/v1/cluster/nodes says it");
    for n in 1..=NODES {
        let id = format!("n{n}");
        g.seen.nodes.insert(id.clone(), SeenNode { id, total: Some(total.clone()), ..SeenNode::default() });
    }
}

pub(super) fn label_of(g: &Gathered, node: &SeenNode) -> Option<String> {
    let of = |id: &str| g.labels_of_nodes.get(id).cloned();
    node.label.clone().or_else(|| of(&node.id)).or_else(|| of(&format!("{}:0", node.host())))
}

/// Node labels from the answers and the settings.
struct Labels {
    of_hosts: IndexMap<String, Option<String>>,
    /// Whether a queue may have a default label.
    default: bool,
}

impl Labels {
    fn of(g: &Gathered) -> Self {
        const DEFAULT: &str = "default-node-label-expression";
        let mut of_hosts = IndexMap::new();
        for node in g.seen.nodes.values() {
            of_hosts.entry(node.host().to_owned()).or_insert_with(|| label_of(g, node));
        }
        Self { of_hosts, default: g.capacity.keys().chain(g.files.values()).any(|told| told.contains(DEFAULT)) }
    }

    /// Whether there are labels at all.
    fn says_anything(&self) -> bool {
        self.default || self.of_hosts.values().any(Option::is_some)
    }

    /// Returns whether a label has to be written: the empty one only if a queue's default label would apply without it.
    fn says_something(&self, label: &str) -> bool {
        !label.is_empty() || self.default
    }
}

fn nodes(g: &mut Gathered, out: &mut String) {
    g.seen.nodes.sort_by(|a, _, b, _| natural(a).cmp(&natural(b)));
    let mut left_out = 0;
    let mut drains = Vec::new();
    let seen = g.seen.nodes.clone();
    let nobody = !g.seen.apps.values().any(SeenApp::is_there);
    for node in seen.values() {
        // Without the applications that it waits for it would be decommissioned at once.
        if nobody && node.state == "DECOMMISSIONING" && node.containers.is_some_and(|n| n > 0) {
            let n = count(node.containers.unwrap_or_default() as usize, "container");
            let what = format!("{} is left out: it drains, and whose {n} it still runs is not known.", node.host());
            g.infer(what, g.seen.source("nodes").to_owned());
            continue;
        }
        if !node.is_there() {
            left_out += 1;
            continue;
        }
        let total = node.total.clone().unwrap_or_default();
        let used = node.used.clone().unwrap_or_default();
        // A decommissioning node reports no free resources, so its usage is its size.
        let total = if node.state == "DECOMMISSIONING" && total.memory < used.memory { used } else { total };
        let _ = writeln!(out, "\n[[nodes]]\nname = {}", quoted(node.host()));
        if let Some(port) = node.port().filter(|p| (0..=65_535).contains(p)) {
            let _ = writeln!(out, "port = {port}");
        }
        let rack = g.racks.get(node.host()).or(node.rack.as_ref());
        if let Some(rack) = rack.map(String::as_str).filter(|r| r.starts_with('/')) {
            let _ = writeln!(out, "rack = {}", quoted(rack));
        }
        let size = if total.memory > 0 { total } else { Amount::new(1, total.vcores.max(0)) };
        let _ = writeln!(out, "size = {}", quoted(&size.written()));
        if let Some(label) = label_of(g, node) {
            let _ = writeln!(out, "label = {}", quoted(&label));
        }
        let more = g.attributes.get(node.host()).map_or(&[][..], Vec::as_slice);
        if !node.attributes.is_empty() || !more.is_empty() {
            let all: IndexMap<&String, &String> = node.attributes.iter().chain(more).map(|(k, v)| (k, v)).collect();
            let pairs = all.iter().map(|(k, v)| format!("{} = {}", quoted(k), quoted(v)));
            let _ = writeln!(out, "attributes = {{ {} }}", pairs.collect::<Vec<_>>().join(", "));
        }
        if node.state == "DECOMMISSIONING" {
            drains.push(node.host().to_owned());
        }
    }
    if left_out > 0 {
        g.infer(
            format!("{} left out: they are lost, shut down, unhealthy or decommissioned.", count(left_out, "node")),
            g.seen.source("nodes").to_owned(),
        );
    }
    for host in drains {
        g.happenings
            .push(format!("at = \"1 ms\"\ndo = \"decommission_node\"\nnode = {}\ntimeout = \"1 h\"\n", quoted(&host)));
        g.infer(format!("{host} drains; when it began to is not known."), g.seen.source("nodes").to_owned());
    }
}

/// Returns a sort key in which numbers within a name compare as numbers.
fn natural(name: &str) -> Vec<(u8, u64, String)> {
    let mut out: Vec<(u8, u64, String)> = Vec::new();
    for c in name.chars() {
        match (c.to_digit(10), out.last_mut()) {
            (Some(d), Some((1, n, text))) if text.len() < 18 => {
                *n = *n * 10 + u64::from(d);
                text.push(c);
            }
            (Some(d), _) => out.push((1, u64::from(d), c.to_string())),
            (None, Some((0, _, text))) => text.push(c),
            (None, _) => out.push((0, 0, c.to_string())),
        }
    }
    out
}

fn apps(g: &mut Gathered, out: &mut String) {
    // An application known only from its containers.
    let ids: Vec<String> = g.seen.containers.keys().filter_map(|id| Some(parts(id)?.0)).collect();
    for id in ids {
        if !g.seen.apps.contains_key(&id) {
            let app = SeenApp { id: id.clone(), state: "RUNNING".into(), user: "user".into(), ..SeenApp::default() };
            g.lack(format!("User, queue and requests of {id}."), "/ws/v1/cluster/apps says it");
            g.seen.apps.insert(id, app);
        }
    }
    let starts: BTreeSet<&str> = g.seen.apps.values().filter_map(|a| a.id.split('_').nth(1)).collect();
    if starts.len() > 1 {
        let what = format!(
            "Whether this is one cluster: its applications are of {} starts of a ResourceManager. One that was restarted is assumed.",
            starts.len()
        );
        g.lack(what, "/ws/v1/cluster/info (startedOn) says it");
    }
    g.seen.apps.sort_by(|_, a, _, b| (a.number(), &a.id).cmp(&(b.number(), &b.id)));
    let apps: Vec<SeenApp> = g.seen.apps.values().filter(|a| a.is_there()).cloned().collect();
    let ended = g.seen.apps.len() - apps.len();
    if ended > 0 {
        g.infer(format!("{} left out: they are over.", count(ended, "application")), g.seen.source("apps").to_owned());
    }
    let mut placed = containers(g, &apps);
    unaccounted(g, &placed);
    let reserved = reservations(g, &apps, &placed);
    if g.scheduler.as_ref().is_some_and(|(s, _)| *s == SchedulerChoice::Fair) {
        super::demands::demands(g, &apps, &placed);
        shares(g, out);
    }
    // One that waits for nothing has no list.
    let asked = |a: &SeenApp| a.asks.is_some() || a.pending.as_ref().is_some_and(Amount::is_zero);
    let asked = apps.iter().all(asked);
    if !asked {
        g.lack(
            "What applications wait for, in part: no requests are assumed where none are listed.",
            "/ws/v1/cluster/apps without deSelects, or /apps/ID, says it",
        );
    }
    let labels = Labels::of(g);
    for app in &apps {
        let there = placed.swap_remove(&app.id).unwrap_or_default();
        let kept = reserved.get(&app.id).cloned().unwrap_or_default();
        one(g, app, (&there, &kept), &labels, out);
    }
    if !apps.is_empty() {
        g.lack_of([RemarkAbout::RunTimes], "How long containers run: for ever is assumed.", "no answer says it");
        g.lack("How many offers a request has let pass for a better place: none is assumed. It may change when a request goes further out than the hosts that it names.", "no answer says it");
        as_of_earlier(g, &apps);
    }
}

/// Says what nodes have in use that no container accounts for.
fn unaccounted(g: &mut Gathered, placed: &IndexMap<String, Vec<Placed>>) {
    let mut of_hosts: IndexMap<&str, Amount> = IndexMap::new();
    for container in placed.values().flatten() {
        let sum = of_hosts.entry(container.host.as_str()).or_default();
        *sum = sum.plus(&container.size);
    }
    let left = |node: &SeenNode| {
        let left = node.used.as_ref()?.minus(of_hosts.get(node.host()).unwrap_or(&Amount::default()));
        (left.memory > 0).then(|| Amount::new(left.memory, left.vcores.max(0)))
    };
    let left: Vec<Amount> = g.seen.nodes.values().filter(|node| node.is_there()).filter_map(left).collect();
    if !left.is_empty() {
        let (sum, nodes) = (Amount::sum(&left).written(), count(left.len(), "node"));
        g.lack(
            format!("Whose containers use {sum} on {nodes}: that room is free here."),
            "/ws/v1/cluster/apps and the lists of containers say it",
        );
    }
}

/// Figures that a scheduler keeps from an earlier moment, and that no answer has.
fn as_of_earlier(g: &mut Gathered, apps: &[SeenApp]) {
    match g.scheduler.as_ref().map(|(scheduler, _)| *scheduler) {
        Some(SchedulerChoice::Fair) if apps.len() > 1 => {
            g.lack("Fair shares of applications as of the latest update: a queue's share is divided among those of now. It may change whom the queue serves first, until the next update.", "no answer says it");
        }
        Some(SchedulerChoice::Fair | SchedulerChoice::Fifo) => {}
        _ => {
            g.lack("What was free when the scheduler last looked at each queue: what is free now is taken. It may change the headroom that ApplicationMasters are told, and with it the limit for ApplicationMasters, until it looks again.", "no answer says it");
        }
    }
    if apps.iter().any(|a| a.reserved.as_ref().is_some_and(|r| r.memory > 0 || r.vcores > 0)) {
        g.lack("How often each reservation was made again: once at most is assumed. It may change when a request gives one up for another node.", "no answer says it");
    }
    let used = |n: &SeenNode| n.used.clone().unwrap_or_default();
    let of_apps = Amount::sum(apps.iter().filter_map(|a| a.allocated.as_ref()));
    let of_nodes = Amount::sum(g.seen.nodes.values().filter(|n| n.is_there()).map(used).collect::<Vec<_>>().iter());
    let over = of_nodes.minus(&of_apps);
    if g.seen.listed && over.memory > 0 && apps.iter().all(|a| a.allocated.is_some()) {
        g.lack(
            format!("{} of what nodes use belongs to no application that runs: containers that are over, and whose nodes have not reported it. That room is free here at once.", over.written()),
            format!("{} and {}", g.seen.source("nodes"), g.seen.source("apps")),
        );
    }
}

/// Assigns the containers of each application to their nodes.
fn containers(g: &mut Gathered, apps: &[SeenApp]) -> IndexMap<String, Vec<Placed>> {
    let mut out: IndexMap<String, Vec<Placed>> = IndexMap::new();
    let mut older = 0;
    let seen = &g.seen;
    for container in seen.containers.values() {
        let Some((app, attempt, number)) = parts(&container.id) else { continue };
        let present = seen.attempts.get(&app).map_or(attempt, |a| a.number);
        if attempt != present {
            older += 1;
            continue;
        }
        let am = seen.attempts.get(&app).and_then(|a| a.am_container.as_deref()) == Some(container.id.as_str());
        out.entry(app).or_default().push(Placed {
            number: Some(number),
            host: host_of(&container.node).to_owned(),
            size: container.size.clone(),
            priority: container.priority,
            am,
            reported: !is_fresh(seen, container),
            started: container.started.unwrap_or(0),
        });
    }
    for (app, list) in &mut out {
        list.sort_by_key(|c| (c.started, c.number));
        if list.iter().any(|c| c.am) {
            continue;
        }
        // The ApplicationMaster's container is the one with the lowest number on its node.
        let master = seen.apps.get(app).and_then(|a| a.master_node.as_deref()).map(host_of);
        let unmanaged = seen.apps.get(app).is_some_and(|a| a.unmanaged);
        let of_master = |c: &&mut Placed| master.is_none_or(|host| c.host == host);
        if let Some(am) = list.iter_mut().filter(of_master).min_by_key(|c| c.number).filter(|_| !unmanaged) {
            am.am = true;
        } else if let Some(first) = list.first_mut() {
            first.am = true;
        }
    }
    if older > 0 {
        g.lack(
            format!("{} of earlier attempts, which were kept, are left out.", count(older, "container")),
            "containers of attempts",
        );
    }
    let fresh = out.values().flatten().filter(|c| !c.reported).count();
    if fresh > 0 {
        g.infer(format!("{} not reported by their nodes yet: they started with the heartbeat of their node that the activities show.", count(fresh, "container")), "activities and containers");
    }
    let missing: Vec<&SeenApp> = apps.iter().filter(|a| a.state == "RUNNING" && !out.contains_key(&a.id)).collect();
    let missing: Vec<SeenApp> = missing.into_iter().filter(|a| a.running.is_none_or(|n| n > 0)).cloned().collect();
    if !missing.is_empty() {
        spread(g, &missing, &mut out);
    }
    out
}

/// Returns whether a container was allocated at its node's latest heartbeat and not reported since.
fn is_fresh(seen: &SeenCluster, container: &SeenContainer) -> bool {
    let (Some(started), Some(elapsed)) = (container.started, container.elapsed) else { return false };
    let offers = seen.offers.iter().filter(|o| o.node == container.node).filter_map(|o| o.at);
    offers.max().is_some_and(|at| started >= at && elapsed <= FRESH_MS)
}

/// Returns the size of an application's ApplicationMaster by what its queue says of its user, or of all.
fn of_queue(g: &Gathered, app: &SeenApp) -> Option<(Amount, String)> {
    let leaves = super::queues::leaves(g.seen.queues.as_ref()?);
    let is = |path: &str| {
        path == app.queue
            || path.strip_prefix("root.") == Some(&app.queue)
            || path.rsplit('.').next() == Some(&app.queue)
    };
    let queue = leaves.into_iter().find(|queue| is(&queue.path))?;
    let of = |user: Option<&str>| {
        queue.masters.iter().find(|(name, _)| name.as_deref() == user).map(|(_, each)| each.clone())
    };
    let source = g.seen.source("queues");
    let by_user =
        of(Some(&app.user)).map(|each| (each, format!("{source} (users, AMResourceUsed, numActiveApplications)")));
    by_user.or_else(|| Some((of(None)?, format!("{source} (usedAMResource, numActiveApplications)"))))
}

/// Spreads the containers of applications without a list of containers, so that the sums of nodes, queues and users agree.
fn spread(g: &mut Gathered, apps: &[SeenApp], out: &mut IndexMap<String, Vec<Placed>>) {
    let mut room: IndexMap<String, Amount> = IndexMap::new();
    for node in g.seen.nodes.values().filter(|n| n.is_there()) {
        let used = node.used.clone().or_else(|| node.total.clone()).unwrap_or_default();
        room.insert(node.host().to_owned(), used);
    }
    for container in out.values().flatten() {
        if let Some(left) = room.get_mut(&container.host) {
            *left = left.minus(&container.size);
        }
    }
    let mut assumed = 0;
    let mut open: Vec<(i64, &SeenApp, Placed)> = Vec::new();
    for app in apps {
        // An answer can contain any number, so the number of assumed containers is limited.
        let n = app.running.unwrap_or(1).clamp(1, (ASSUMED - assumed).max(1));
        let all = app.allocated.clone().unwrap_or_else(|| Amount::new(AM.0.saturating_mul(n), n));
        let own = app.am_used.clone().filter(|a| !a.is_zero());
        let am = match own.or_else(|| (n == 1).then(|| all.clone())) {
            Some(am) => am,
            None => match of_queue(g, app).filter(|(am, _)| am.memory < all.memory) {
                Some((am, source)) => {
                    g.infer(
                        format!(
                            "The ApplicationMaster of {} has {}: what those of its queue have on average.",
                            app.id,
                            am.written()
                        ),
                        source,
                    );
                    am
                }
                None => {
                    let am = Amount::new(AM.0.min(all.memory / n), AM.1.min(all.vcores / n).max(1));
                    g.lack(
                        format!("How large the ApplicationMaster of {} is: {} is assumed.", app.id, am.written()),
                        "/ws/v1/cluster/apps/ID (resourceInfo) says it",
                    );
                    am
                }
            },
        };
        let rest = all.minus(&am);
        for k in 0..n {
            // Sizes differ by at most one unit, so that they add up.
            let share = |sum: i64| if n < 2 { 0 } else { sum / (n - 1) + i64::from(k <= sum % (n - 1)) };
            let size = if k == 0 {
                am.clone()
            } else {
                Amount {
                    memory: share(rest.memory),
                    vcores: share(rest.vcores),
                    more: rest.more.iter().map(|(t, v)| (t.clone(), share(*v))).collect(),
                }
            };
            let host = app.master_node.as_deref().filter(|_| k == 0).map_or("", host_of).to_owned();
            let number = (k + 1).unsigned_abs();
            open.push((
                k,
                app,
                Placed {
                    number: Some(number),
                    host,
                    size,
                    priority: i64::from(k > 0),
                    am: k == 0,
                    reported: true,
                    started: k,
                },
            ));
        }
        assumed += n;
    }
    // ApplicationMasters stay on their nodes; the others go, largest first, to the node with the most unaccounted usage.
    open.sort_by_key(|(k, app, c)| (*k > 0, std::cmp::Reverse(c.size.memory), app.number(), *k));
    let mut most: BTreeSet<(i64, usize)> = room.values().map(|left| left.memory).zip(0..).collect();
    for (_, app, mut container) in open {
        let at = room.get_index_of(&container.host).or_else(|| {
            let fits = |(_, at): &&(i64, usize)| container.size.fits(&room[*at]);
            most.iter().rev().find(fits).or(most.last()).map(|(_, at)| *at)
        });
        let Some(at) = at else { continue };
        let Some((host, left)) = room.get_index_mut(at) else { continue };
        most.remove(&(left.memory, at));
        *left = left.minus(&container.size);
        most.insert((left.memory, at));
        container.host.clone_from(host);
        out.entry(app.id.clone()).or_default().push(container);
    }
    for list in out.values_mut() {
        list.sort_by_key(|c| (c.started, c.number));
    }
    let told = format!(
        "{} of {} are spread over the nodes",
        count(assumed.max(0) as usize, "container"),
        count(apps.len(), "application")
    );
    // Nodes that were inferred say nothing that could differ.
    let over = |node: &&SeenNode| node.used.is_some() && room.get(node.host()).is_some_and(|left| left.memory < 0);
    let over: Vec<String> = g.seen.nodes.values().filter(over).map(|node| node.host().to_owned()).collect();
    match over.first() {
        None => g.infer(
            format!("{told} so that the sums of nodes and applications agree; where each is, is assumed."),
            "nodes (used) and apps (allocatedMB, runningContainers)",
        ),
        Some(first) => {
            g.infer(format!("{told}; where each is, is assumed."), "apps (allocatedMB, runningContainers)");
            let more =
                if over.len() > 1 { format!(" and {}", count(over.len() - 1, "more node")) } else { String::new() };
            g.lack(
                format!("Which is right: applications use more than their nodes say. {first}{more} has more here than it says that it uses."),
                "answers of one moment say it",
            );
        }
    }
    g.lack("Which container is on which node.", "/apps/ID/appattempts/ATTEMPT/containers says it");
}

/// A reservation with its node and size.
#[derive(Clone, Debug)]
struct PlacedReservation {
    host: String,
    size: Amount,
    reserved: SeenReservation,
}

/// Places the reservations that applications report: on the nodes that the activities name, else where possible.
fn reservations(
    g: &mut Gathered,
    apps: &[SeenApp],
    placed: &IndexMap<String, Vec<Placed>>,
) -> IndexMap<String, Vec<PlacedReservation>> {
    let mut out: IndexMap<String, Vec<PlacedReservation>> = IndexMap::new();
    let mut taken: Vec<String> = Vec::new();
    for app in apps {
        let Some(all) = app.reserved.clone().filter(|r| r.memory > 0 || r.vcores > 0) else { continue };
        let asks: Vec<&SeenAsk> = app.asks.iter().flatten().filter(|a| a.place == "*").collect();
        let size_of = |r: &SeenReservation| {
            asks.iter().find(|a| a.priority == r.priority && a.id == r.id).map(|a| a.size.clone())
        };
        let mut left = all.clone();
        // The latest offer of each node that reserved for it, newest first.
        let mut offers: Vec<_> = g.seen.offers.iter().filter_map(|o| Some((o.at, o, o.reserved.as_ref()?))).collect();
        offers.retain(|(_, _, r)| r.app == app.id);
        offers.sort_by_key(|(at, ..)| std::cmp::Reverse(*at));
        for (_, offer, reserved) in offers {
            let host = host_of(&offer.node).to_owned();
            // The reservation may differ in size from the present request; then it takes all that is left.
            let size = size_of(reserved).filter(|s| s.memory <= left.memory).unwrap_or_else(|| left.clone());
            if taken.contains(&host) || left.memory <= 0 {
                continue;
            }
            left = left.minus(&size);
            taken.push(host.clone());
            out.entry(app.id.clone()).or_default().push(PlacedReservation { host, size, reserved: reserved.clone() });
        }
        if left.memory > 0 {
            assume(g, app, &asks, left, placed, &mut taken, &mut out);
        }
    }
    out
}

/// Infers the nodes of an application's remaining reservations.
fn assume(
    g: &mut Gathered,
    app: &SeenApp,
    asks: &[&SeenAsk],
    mut left: Amount,
    placed: &IndexMap<String, Vec<Placed>>,
    taken: &mut Vec<String>,
    out: &mut IndexMap<String, Vec<PlacedReservation>>,
) {
    let free = |node: &SeenNode| {
        let total = node.total.clone().unwrap_or_default();
        let on_it = placed.values().flatten().filter(|c| c.host == node.host());
        let used = node.used.clone().unwrap_or_else(|| Amount::sum(on_it.map(|c| &c.size)));
        total.minus(&used)
    };
    // A request of just what is reserved is the likeliest.
    let mut asks: Vec<&SeenAsk> = asks.iter().filter(|a| a.count > 0).copied().collect();
    asks.sort_by_key(|a| (a.size.memory != left.memory || a.size.vcores != left.vcores) as u8);
    for ask in asks {
        while ask.size.memory > 0 && ask.size.memory <= left.memory {
            let can = |n: &&SeenNode| {
                n.state == "RUNNING"
                    && !taken.iter().any(|t| t == n.host())
                    && n.total.as_ref().is_some_and(|t| ask.size.fits(t))
                    && !ask.size.fits(&free(n))
            };
            let last = g.seen.last_reservation.as_deref().map(host_of);
            let nodes: Vec<&SeenNode> = g.seen.nodes.values().filter(can).collect();
            let best = nodes.iter().find(|n| Some(n.host()) == last).or(nodes.first());
            let Some(host) = best.map(|n| n.host().to_owned()) else { break };
            left = left.minus(&ask.size);
            taken.push(host.clone());
            let source = if last == Some(host.as_str()) {
                "scheduler (health, last-reservation)"
            } else {
                "apps (reservedMB) and nodes"
            };
            g.infer(format!("{} reserves {} on {host}.", app.id, ask.size.written()), source);
            let reserved = SeenReservation {
                app: app.id.clone(),
                priority: ask.priority,
                id: ask.id,
                container: None,
                again: false,
            };
            out.entry(app.id.clone()).or_default().push(PlacedReservation { host, size: ask.size.clone(), reserved });
        }
    }
    if left.memory > 0 {
        g.lack(
            format!("Where {} has reserved {}: nothing of it is taken over.", app.id, left.written()),
            "/scheduler/activities says it",
        );
    }
}

/// Reads the size of a waiting AM from its diagnostics.
fn told_am_size(app: &SeenApp) -> Option<Amount> {
    let (_, told) = app.diagnostics.split_once("AM Resource Request = ")?;
    let end = told.find('>')?;
    printed(&told[..=end])
}

fn one(
    g: &mut Gathered,
    app: &SeenApp,
    (there, kept): (&[Placed], &[PlacedReservation]),
    labels: &Labels,
    out: &mut String,
) {
    let attempt = g.seen.attempts.get(&app.id).cloned();
    let am = there.iter().find(|c| c.am);
    let waiting: Vec<&SeenAsk> = app.asks.iter().flatten().filter(|a| a.count > 0).collect();
    let am_size =
        am.map(|c| c.size.clone()).or_else(|| waiting.iter().find(|a| a.place == "*").map(|a| a.size.clone()));
    let am_size = am_size.or_else(|| told_am_size(app)).unwrap_or_else(|| Amount::new(AM.0, AM.1));
    let _ = writeln!(out, "\n[[apps]]\nname = {}", quoted(&app.id));
    if !app.name.is_empty() && !app.name.chars().any(char::is_control) {
        let _ = writeln!(out, "# {}", app.name);
    }
    let _ =
        writeln!(out, "kind = \"requests\"\nuser = {}", quoted(if app.user.is_empty() { "user" } else { &app.user }));
    let fifo = g.scheduler.as_ref().is_some_and(|(s, _)| *s == SchedulerChoice::Fifo);
    if !app.queue.is_empty() && !fifo {
        // Tools may leave out the root of a path.
        let below_root = app.queue.contains('.') && app.queue.split('.').next() != Some("root");
        let queue = if below_root { format!("root.{}", app.queue) } else { app.queue.clone() };
        let _ = writeln!(out, "queue = {}", quoted(&queue));
    }
    if let Some(priority) = app.priority.filter(|p| *p != 0) {
        let _ = writeln!(out, "priority = {priority}");
    }
    if !app.tags.is_empty() {
        let tags: Vec<String> = app.tags.iter().map(|t| quoted(t)).collect();
        let _ = writeln!(out, "tags = [{}]", tags.join(", "));
    }
    if let Some(label) = &app.label {
        let _ = writeln!(out, "label = {}", quoted(label));
    }
    let label = app.am_label.as_deref().filter(|l| labels.says_something(l));
    let label = label.map(|l| format!(", label = {}", quoted(l))).unwrap_or_default();
    let _ = writeln!(out, "am = {{ size = {}{label} }}", quoted(&am_size.written()));
    let _ = writeln!(out, "\n[apps.now]");
    if let Some(number) = attempt.as_ref().map(|a| a.number).filter(|n| *n > 1) {
        let _ = writeln!(out, "attempt = {number}");
    }
    let activated = !app.diagnostics.contains("is not yet activated");
    let waits = am.is_none();
    if waits && (!activated || app.diagnostics.is_empty()) {
        let _ = writeln!(out, "active = false");
    }
    // Under the FairScheduler no words mean that no offer has come to it yet.
    let fair = g.scheduler.as_ref().is_some_and(|(s, _)| *s == SchedulerChoice::Fair);
    if waits && (!app.diagnostics.is_empty() || (fair && app.state == "ACCEPTED")) {
        let _ = writeln!(out, "diagnostics = {}", quoted(unstamped(&app.diagnostics)));
    }
    if am.is_some() && app.state == "ACCEPTED" {
        let _ = writeln!(out, "registered = false");
    }
    if let Some(demand) = g.demands.get(&app.id).cloned() {
        let _ = writeln!(out, "demand = {}", quoted(&demand.written()));
    }
    if am.is_none() {
        return;
    }
    if let Some(used) = counted(g, app, there, labels) {
        let _ = writeln!(out, "used = {}", quoted(&used.written()));
        g.infer(format!("{} counts {} as used, which its containers do not add up to: an ask was resized while a container of it was reserved.", app.id, used.written()), "apps (resourceInfo, allocatedMB) and containers");
    }
    let _ = writeln!(out, "running = [");
    for c in there {
        let _ = write!(out, "  {{ ");
        if c.am {
            let _ = write!(out, "am = true, ");
            let asked = app.am_label.as_deref().or(app.label.as_deref());
            let charged = app.am_charged.as_deref().filter(|label| asked != Some(label) && labels.says_anything());
            if let Some(label) = charged.filter(|label| labels.says_something(label) || asked.is_some()) {
                let _ = write!(out, "charged = {}, ", quoted(label));
            }
        }
        if let Some(number) = c.number {
            let _ = write!(out, "number = {number}, ");
        }
        let _ = write!(out, "node = {}, size = {}", quoted(&c.host), quoted(&c.size.written()));
        if c.priority != 0 {
            let _ = write!(out, ", priority = {}", c.priority);
        }
        if !c.reported {
            let _ = write!(out, ", reported = false");
        }
        if let Some(label) = asked_label(g, app, c, labels) {
            let _ = write!(out, ", label = {}", quoted(&label));
        }
        let _ = writeln!(out, " }},");
    }
    let _ = writeln!(out, "]");
    if !kept.is_empty() {
        let _ = writeln!(out, "reserved = [");
        for k in kept {
            let number = k.reserved.container.as_deref().and_then(parts).map(|(_, _, n)| format!("number = {n}, "));
            let again = if k.reserved.again { ", again = 1" } else { "" };
            let id = if k.reserved.id >= 0 { format!(", id = {}", k.reserved.id) } else { String::new() };
            let _ = writeln!(
                out,
                "  {{ {}node = {}, size = {}, priority = {}{id}{again} }},",
                number.unwrap_or_default(),
                quoted(&k.host),
                quoted(&k.size.written()),
                k.reserved.priority
            );
        }
        let _ = writeln!(out, "]");
    }
    if !waiting.is_empty() && app.state == "RUNNING" {
        let _ = writeln!(out, "asks = [");
        for a in waiting {
            let _ = write!(
                out,
                "  {{ priority = {}, count = {}, size = {}",
                a.priority,
                a.count,
                quoted(&a.size.written())
            );
            if a.place != "*" {
                let _ = write!(out, ", place = {}", quoted(&a.place));
            }
            if !a.relax {
                let _ = write!(out, ", relax = false");
            }
            if a.id >= 0 {
                let _ = write!(out, ", id = {}", a.id);
            }
            if let Some(label) = a.label.as_deref().filter(|l| labels.says_something(l)) {
                let _ = write!(out, ", label = {}", quoted(label));
            }
            let _ = writeln!(out, " }},");
        }
        let _ = writeln!(out, "]");
    }
    let unwanted = attempt.map(|a| a.blacklist).unwrap_or_default();
    if !unwanted.is_empty() {
        let hosts: Vec<String> = unwanted.iter().map(|h| quoted(h)).collect();
        let _ = writeln!(out, "blacklist = [{}]", hosts.join(", "));
    }
}

/// Returns diagnostics without the timestamp that the ResourceManager puts before them.
fn unstamped(text: &str) -> &str {
    match text.strip_prefix('[').and_then(|rest| rest.split_once("] ")) {
        Some((stamp, rest)) if stamp.len() < 40 => rest,
        _ => text,
    }
}

/// Returns the usage that the scheduler records for an application in the default partition, if all its containers there
/// are known and add up to a different amount.
fn counted(g: &Gathered, app: &SeenApp, there: &[Placed], labels: &Labels) -> Option<Amount> {
    if !g.seen.listed || app.running != Some(there.len() as i64) {
        return None;
    }
    let in_default = |c: &&Placed| labels.of_hosts.get(&c.host).is_none_or(Option::is_none);
    let sum = Amount::sum(there.iter().filter(in_default).map(|c| &c.size));
    let all = there.iter().all(|c| in_default(&c));
    let told = app.used.clone().or(app.allocated.clone().filter(|_| all))?;
    (told.memory != sum.memory || told.vcores != sum.vcores).then_some(told)
}

/// Writes each queue's demand and share from the latest update.
fn shares(g: &Gathered, out: &mut String) {
    let Some(root) = &g.seen.queues else { return };
    let mut todo = vec![root];
    while let Some(queue) = todo.pop() {
        if let (Some(demand), Some(share)) = (&queue.demand, &queue.fair_share) {
            let (demand, share) = (quoted(&demand.written()), quoted(&share.written()));
            let _ =
                writeln!(out, "\n[[shares]]\nqueue = {}\ndemand = {demand}\nfair_share = {share}", quoted(&queue.path));
            if let Some(steady) = &queue.steady {
                let _ = writeln!(out, "steady = {}", quoted(&steady.written()));
            }
        }
        todo.extend(queue.children.iter().rev());
    }
}

/// Returns the label that a container was requested with, if it may differ from its node's: a shared label may have been
/// lent.
fn asked_label(g: &Gathered, app: &SeenApp, container: &Placed, labels: &Labels) -> Option<String> {
    let label = labels.of_hosts.get(&container.host)?.as_deref()?;
    if g.labels.get(label).copied().flatten() != Some(false) {
        return None;
    }
    let own = if container.am { app.am_label.clone() } else { app.label.clone() };
    let asked = app.asks.iter().flatten().find(|a| a.priority == container.priority && !container.am);
    let asked = asked.and_then(|a| a.label.clone()).or(own).unwrap_or_default();
    (asked != label).then_some(asked)
}
