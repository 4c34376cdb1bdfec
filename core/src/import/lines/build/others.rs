//! Log lines, clients' messages and tables: scenarios of their contents, which YARN has no diagnostics for.

use super::Scene;
use super::draft::{AM, Draft, JOB, NO_AM, bounded, name, path, queue_name, size, step, tasks, user_name};
use crate::config::resource_text::DOMINANT;
use crate::import::lines::figure::{Figure, Figures};
use crate::model::limits;
use crate::scenario::units::AMOUNT_MAX;
use serde_json::Value;

fn host_of(f: &Figures) -> (String, String) {
    let node = f.text("node").or(f.text("host")).unwrap_or("n1");
    let (host, port) = node.split_once(':').unwrap_or((node, ""));
    let port = port.parse::<u16>().map_or(String::new(), |port| format!("port = {port}\n"));
    (name(host).unwrap_or("n1").to_string(), port)
}

fn queue_and_user(f: &Figures) -> (String, String) {
    let queue = f.text("queue").and_then(queue_name).unwrap_or("default");
    (queue.to_string(), f.text("user").and_then(user_name).unwrap_or("alice").to_string())
}

/// A further resource type: its name, what the container has of it, what the node has, and what earlier containers have.
type Further = (String, i64, i64, i64);

/// Returns the further resource types of a placement.
fn further(f: &Figures) -> Vec<Further> {
    let size = |figure: &str| f.size(figure).unwrap_or_default();
    let of = |figure: &str, kind: &str| size(figure).iter().find(|(name, _)| name == kind).map_or(0, |(_, n)| *n);
    let plain = |name: &str| name.len() <= 60 && name.chars().all(|c| c.is_ascii_alphanumeric() || "-_./".contains(c));
    let mut out: Vec<Further> = Vec::new();
    for (name, _) in ["got", "used", "free"].into_iter().flat_map(size).filter(|(name, _)| plain(name)) {
        if ["memory-mb", "vcores"].contains(&name.as_str()) || out.iter().any(|(known, ..)| known == name) {
            continue;
        }
        let amount = |figure: &str| of(figure, name).clamp(0, limits_of_types());
        let (got, used, free) = (amount("got"), amount("used"), amount("free"));
        out.push((name.clone(), got, used.saturating_add(free), (used - got).max(0)));
    }
    out
}

/// The most of a further type that a scenario is given.
fn limits_of_types() -> i64 {
    AMOUNT_MAX / 4096
}

/// An application runs, and nothing waits.
pub fn runs(f: &Figures) -> Result<Draft, String> {
    let mut d = Draft::new("An application runs", 20_000, JOB);
    let (queue, user) = queue_and_user(f);
    d.assume(if Draft::has_nodes(f) {
        "an AM of 1024 MB and one container"
    } else {
        "one node of 8192 MB, an AM of 1024 MB and one container"
    });
    d.nodes_of_log(f, (8192, 8));
    let path = d.queue(&queue);
    d.app("job", "5 s", &path, &user, AM, &tasks(1, (1024, 1), ""));
    Ok(d)
}

pub fn placed(f: &Figures) -> Result<Draft, String> {
    let mut d = Draft::new("A container was placed", 30_000, JOB);
    let (host, port) = host_of(f);
    let got = f.pair("got").filter(|g| g.0 > 0).unwrap_or_else(|| {
        d.assume("a container of 1024 MB");
        (1024, 1)
    });
    let node = f
        .pair("node_size")
        .or(f.pair("cluster"))
        .filter(|n| n.0 > 0)
        .unwrap_or((got.0.saturating_mul(4).max(8192), 8.max(got.1)));
    let used = f.pair("used").filter(|_| f.has("containers")).unwrap_or(got);
    bounded(&[got, node, used])?;
    if f.has("node_size") {
        d.assume("node size = used + free");
    }
    let count = f.number("containers").unwrap_or(1).clamp(1, 200);
    d.allow(&[got, node, used]);
    // Where memory alone is counted a container has one vcore.
    if got.1 > 1 || used.1 > count {
        d.capacity("resource-calculator", DOMINANT);
        d.assume("the dominant resource is counted: containers have vcores of their own");
    }
    let further = further(f);
    if !further.is_empty() {
        let names: Vec<&str> = further.iter().map(|(name, ..)| name.as_str()).collect();
        d.site("resource-types", names.join(","));
        d.capacity("resource-calculator", DOMINANT);
        d.assume(format!("resource types {}", names.join(", ")));
    }
    let beside = |of: &dyn Fn(&Further) -> i64| -> String {
        further.iter().filter(|t| of(t) > 0).map(|t| format!(", {}={}", t.0, of(t))).collect()
    };
    let (queue, user) = queue_and_user(f);
    if f.text("queue").is_none_or(|q| queue_name(q).is_none()) {
        d.assume("queue root.default");
    }
    let path = d.queue(&queue);
    d.capacity("maximum-am-resource-percent", 1);
    d.capacity(&format!("{path}.user-limit-factor"), 100);
    let has = format!("{}{}", size((node.0, node.1.max(1))), beside(&|t| t.2.max(t.1)));
    d.entries.push(format!("[[nodes]]\nname = \"{host}\"\nsize = \"{has}\"\n{port}"));
    // First the earlier containers, then the one of the line.
    let before = (used.0 - got.0, used.1 - got.1);
    let small = step([node.0, used.0, got.0].into_iter());
    let mut list = Vec::new();
    let others = (count - 1).min(before.0 / small).max(0);
    for i in 0..others {
        let last = i + 1 == others;
        let mb = if last { before.0 - small * (others - 1) } else { small };
        let vcores = if last { before.1 - (others - 1) } else { 1 };
        let of = size((mb, vcores.clamp(1, node.1.max(1))));
        let more = if last { beside(&|t| t.3) } else { String::new() };
        list.push(format!("{{ count = 1, size = \"{of}{more}\", duration = \"forever\" }}"));
    }
    let is = format!("{}{}", size((got.0, got.1.max(1))), beside(&|t| t.1));
    list.push(format!("{{ count = 1, size = \"{is}\", duration = \"forever\" }}"));
    d.app("job", "1 s", &path, &user, NO_AM, &format!("tasks = [{}]", list.join(", ")));
    d.what = format!("container:job/{others}");
    Ok(d)
}

/// Returns the shortest decimal near a percentage: printed uses are rounded.
fn nearest_percent(percent: f64) -> f64 {
    let rounded = |digits: i32| (percent * 10_f64.powi(digits)).round() / 10_f64.powi(digits);
    (0..=6).map(rounded).find(|near| (near - percent).abs() <= percent * 2e-5).unwrap_or(percent)
}

/// A queue with its usage, in a cluster of a matching size.
pub fn queue_use(f: &Figures) -> Result<Draft, String> {
    let mut d = Draft::new("A queue's use", 20_000, "");
    let (queue, user) = queue_and_user(f);
    let used = f.pair("used").unwrap_or((1024, 1));
    let cluster = f
        .pair("cluster")
        .map(|c| c.0)
        .or(f.number("cluster_mb"))
        .unwrap_or(used.0.max(1).saturating_mul(2))
        .max(used.0)
        .max(1);
    let cores = f.pair("cluster").map_or(used.1.max(8), |c| c.1.max(1));
    bounded(&[used, (cluster, cores)])?;
    if f.pair("cluster").is_none() {
        d.assume(format!("one node of {cluster} MB: what is used through the share that it is"));
    } else {
        d.assume("one node is the cluster");
    }
    d.allow(&[used, (cluster, 1)]);
    d.node("n1", (cluster, cores), "");
    // The queue's share of the cluster is the one of both uses by the other.
    let share = match (f.real("used_capacity"), f.real("absolute_used")) {
        (Some(own), Some(all)) if own > 0.0 && all > 0.0 => Some((all / own * 100.0).min(100.0)),
        _ => None,
    };
    let path = match share.map(nearest_percent) {
        Some(share) if share < 100.0 => {
            d.assume(format!("a capacity of {share} %: the use of the cluster through that of the queue"));
            d.queue_of(&queue, share, 100.0, &|percent: f64| percent.to_string())
        }
        _ => d.queue(&queue),
    };
    d.capacity("maximum-am-resource-percent", 1);
    d.capacity(&format!("{path}.user-limit-factor"), 100);
    if used.0 > 0 && used.1 > 0 {
        d.site("scheduler.maximum-allocation-mb", cluster.max(8192));
        if used.1 > 1 {
            d.capacity("resource-calculator", DOMINANT);
            d.site("scheduler.maximum-allocation-vcores", cores.max(4));
            d.assume("the dominant resource is counted: one container has all vcores that are used");
        }
        d.app("job", "1 s", &path, &user, NO_AM, &tasks(1, (used.0, used.1.min(cores)), ""));
    }
    d.what = format!("queue:{path}");
    Ok(d)
}

pub fn node_joins(f: &Figures, fair: bool) -> Result<Draft, String> {
    let mut d = Draft { fair, ..Draft::new("A node joins", 20_000, "") };
    let (host, port) = host_of(f);
    let cluster = f.pair("cluster");
    let (node, rest) = match (f.pair("node_size"), cluster) {
        (Some(node), _) => (node, (0, 0)),
        (None, Some(all)) if all.0 >= 2 => {
            let half = (all.0 / 2, (all.1 / 2).max(1));
            d.assume(format!("two equal nodes of {}", size(half)));
            (half, (all.0 - half.0, (all.1 - half.1).max(1)))
        }
        _ => {
            d.assume("a node of 8192 MB and 8 vcores");
            ((8192, 8), (0, 0))
        }
    };
    bounded(&[node, rest])?;
    if node.0 <= 0 {
        return Err("a node of nothing is none".into());
    }
    d.allow(&[node]);
    if !fair {
        d.queue("default");
    }
    if rest.0 > 0 {
        d.node(if host == "n1" { "n2" } else { "n1" }, rest, "");
    }
    d.node(&host, (node.0, node.1.max(1)), &format!("at = \"10 s\"\n{port}"));
    d.what = format!("node:{host}");
    Ok(d)
}

pub fn node_leaves(scene: Scene, f: &Figures) -> Result<Draft, String> {
    let mut d = Draft::new("A node leaves", 50_000, "");
    let (host, port) = host_of(f);
    if f.text("node").is_none() && f.text("host").is_none() {
        d.assume("node n1 of 8192 MB");
    }
    d.assume("a second node stays; an application has a container on each");
    d.queue("default");
    d.timing.push(("node_expiry".into(), "\"15 s\"".into()));
    let other = if host == "n2" { "n1" } else { "n2" };
    d.node(&host, (4096, 4), &port);
    d.node(other, (4096, 4), "");
    let am = format!("{{ size = \"1024 MB/1\", places = [\"{other}\"], relax = false }}");
    d.app("job", "1 s", "root.default", "alice", &am, &tasks(1, (1024, 1), &format!(", places = [\"{host}\"]")));
    let act = match scene {
        Scene::NodeSick => "unhealthy_node",
        Scene::NodeGone | Scene::NodeLeaves => "remove_node",
        _ => "crash_node",
    };
    d.happening("20 s", &format!("do = \"{act}\"\nnode = \"{host}\""));
    d.what = format!("node:{host}");
    Ok(d)
}

pub fn node_too_small(f: &Figures) -> Result<Draft, String> {
    let mut d = Draft::new("A node smaller than the smallest container", 20_000, "");
    let (host, port) = host_of(f);
    let least = (f.number("min_mb").unwrap_or(1024).max(1), f.number("min_vcores").unwrap_or(1).max(1));
    let node = f.pair("node_size").unwrap_or_else(|| {
        d.assume("a node of half the minimum");
        ((least.0 / 2).max(1), 1)
    });
    bounded(&[node, least])?;
    if node.0 <= 0 {
        return Err("a node of 0 MB is none that a scenario can have".into());
    }
    d.site("scheduler.minimum-allocation-mb", least.0);
    if least.0 > 8192 {
        d.site("scheduler.maximum-allocation-mb", least.0);
    }
    d.queue("default");
    d.node(&host, (node.0, node.1.max(0)), &port);
    d.what = format!("node:{host}");
    Ok(d)
}

pub fn node_excluded(f: &Figures) -> Result<Draft, String> {
    let mut d = node_leaves(Scene::NodeGone, f)?;
    d.title = "A node that is not on the list".into();
    d.assume("the node is taken off the list at 20 s");
    Ok(d)
}

/// A client's calculation before it submits: its AM on one node.
pub fn client(f: &Figures) -> Result<Draft, String> {
    let mut d = Draft::new("What the client reckoned", 20_000, JOB);
    let most = f.number("max_mb").filter(|mb| *mb > 0).unwrap_or_else(|| {
        d.assume("a node of 8192 MB");
        8192
    });
    let asked =
        f.number("am_mb").or(f.number("specified_mb")).or(f.number("ask_mb")).unwrap_or(1024).clamp(1, i64::MAX);
    let mb = asked.min(most);
    bounded(&[(most, 1), (mb, 1)])?;
    let nodes = f.number("nodes").unwrap_or(1).clamp(1, 1000);
    if f.has("specified_mb") || f.has("specified_vcores") {
        d.assume(format!("maximum {most} MB: the AM is lowered to it"));
    }
    let least = most.min(1024);
    d.site("scheduler.minimum-allocation-mb", least);
    d.site("scheduler.maximum-allocation-mb", most);
    d.assume(format!("{nodes} nodes of the largest container's size"));
    let path = d.queue("default");
    d.capacity("maximum-am-resource-percent", 1);
    d.node("n{1}", (most, 8), &format!("count = {nodes}\n"));
    d.app("job", "1 s", &path, "alice", &format!("\"{}\"", size((mb, 1))), &tasks(1, (least, 1), ""));
    Ok(d)
}

/// A number of containers of one size: how many fit.
pub fn executors(f: &Figures) -> Result<Draft, String> {
    let mut d = Draft::new("How many executors fit", 30_000, JOB);
    let ask = f.pair("ask");
    let mb = f.number("mb").or(f.number("ask_mb")).or(ask.map(|a| a.0)).unwrap_or_else(|| {
        d.assume("containers of 1024 MB");
        1024
    });
    let vcores = f.number("vcores").or(f.number("ask_vcores")).or(ask.map(|a| a.1)).unwrap_or(1).max(1);
    let count = f.number("count").unwrap_or(1).clamp(1, 10_000);
    bounded(&[(mb, vcores)])?;
    if mb <= 0 {
        return Err("a container of 0 MB is none".into());
    }
    let round = mb.saturating_add(1023) / 1024 * 1024;
    if round != mb {
        d.assume(format!("minimum allocation 1024: {round} MB each"));
    }
    // One fewer fits, since people paste the line when not all containers came.
    let fit = if count > 1 { count - 1 } else { 1 };
    let node = (round.saturating_mul(fit).saturating_add(1024), vcores.saturating_mul(fit).saturating_add(1));
    bounded(&[node])?;
    d.site("scheduler.maximum-allocation-mb", round.max(8192));
    d.site("scheduler.maximum-allocation-vcores", vcores.max(4));
    d.assume(format!("one node of {}, beside an AM of 1024 MB", size(node)));
    let path = d.queue("default");
    d.capacity("maximum-am-resource-percent", 1);
    d.node("n1", node, "");
    d.app("job", "1 s", &path, "alice", AM, &tasks(count, (mb, vcores), ""));
    Ok(d)
}

pub fn no_executors(_: &Figures) -> Result<Draft, String> {
    let mut d = Draft::new("Its containers wait", 30_000, JOB);
    d.assume("one node of 2048 MB, which its AM and a first container fill; node room is one of several causes");
    d.unknown
        .push("what its containers wait for: the scheduler's activities, or the REST answers, would say it".into());
    let path = d.queue("default");
    d.capacity("maximum-am-resource-percent", 1);
    d.node("n1", (2048, 8), "");
    d.app("job", "1 s", &path, "alice", AM, &tasks(3, (1024, 1), ""));
    Ok(d)
}

pub fn flink_room(f: &Figures) -> Result<Draft, String> {
    let mut d = executors(f)?;
    d.title = "TaskManagers that find no room".into();
    Ok(d)
}

/// An AM's headroom: the rest of its queue.
pub fn headroom_of(f: &Figures) -> Result<Draft, String> {
    let mut d = Draft::new("What an AM may still have", 20_000, JOB);
    let left = f.pair("headroom").unwrap_or((0, 0));
    let nodes = f.number("nodes").unwrap_or(1).clamp(1, 1000);
    bounded(&[(left.0.max(0), left.1.max(0))])?;
    d.assume(format!("{nodes} equal nodes, and an AM of 1024 MB"));
    let mb = left.0.max(0).saturating_add(1024);
    let each = mb.saturating_add(nodes - 1) / nodes;
    let cores = (left.1.max(0).saturating_add(1) + nodes - 1) / nodes;
    d.allow(&[(each, 1)]);
    let path = d.queue("default");
    d.capacity("maximum-am-resource-percent", 1);
    d.node("n{1}", (each, cores.max(1)), &format!("count = {nodes}\n"));
    d.app("job", "1 s", &path, "alice", AM, &tasks(1, (1024, 1), ", delay = \"10 min\""));
    Ok(d)
}

/// A Slider application with one component.
pub fn slider(f: &Figures) -> Result<Draft, String> {
    let mut d = Draft::new("A Slider application asks", 40_000, "app:slider");
    let ask = f.pair("ask").filter(|a| a.0 > 0).unwrap_or((1024, 1));
    bounded(&[ask])?;
    let role = f.text("role").and_then(name).unwrap_or("worker");
    let count = f.number("desired").unwrap_or(1).clamp(1, 1000);
    let label = f.text("label").and_then(name).filter(|l| *l != "null" && *l != "null.");
    d.assume(format!("a Slider application with one component {role} of {}", size(ask)));
    let path = d.queue("default");
    d.capacity("maximum-am-resource-percent", 1);
    d.site("scheduler.maximum-allocation-mb", ask.0.max(8192));
    d.site("scheduler.maximum-allocation-vcores", ask.1.max(4));
    let round = ask.0.saturating_add(1023) / 1024 * 1024;
    d.node("n1", (round.saturating_add(2048), ask.1.max(1) + 2), "");
    let mut keys = format!(
        "\"yarn.role.priority\": \"1\", \"yarn.component.instances\": \"{count}\", \"yarn.memory\": \"{}\", \"yarn.vcores\": \"{}\"",
        ask.0, ask.1
    );
    if let Some(label) = label {
        d.assume(format!("label {label} is there, and no node carries it"));
        d.labels.push(label.to_string());
        d.site("node-labels.enabled", true);
        d.capacity(&format!("{path}.accessible-node-labels"), "*");
        keys.push_str(&format!(", \"yarn.label.expression\": \"{label}\""));
    }
    let file = format!(
        "{{ \"schema\": \"http://example.org/specification/v2.0.0\", \"metadata\": {{}}, \"global\": {{}}, \"components\": {{ \"{role}\": {{ {keys} }} }} }}"
    );
    d.entries.push(format!(
        "[[apps]]\nname = \"slider\"\nkind = \"slider\"\nat = \"1 s\"\nqueue = \"{path}\"\nuser = \"alice\"\n\"resources.json\" = '''{file}'''\n"
    ));
    Ok(d)
}

/// A container that waits for its preferred host, as in Samza with host affinity.
pub fn preferred_host(f: &Figures) -> Result<Draft, String> {
    let mut d = Draft::new("A preferred host without room", 8_000, JOB);
    let host = f.text("host").and_then(name).filter(|h| *h != "ANY_HOST").unwrap_or("n1");
    let other = if host == "n1" { "n2" } else { "n1" };
    d.assume(format!("host affinity on; {host} is full, and the ask relaxes in the end"));
    d.capacity("node-locality-delay", 40);
    let path = d.queue("default");
    d.capacity("maximum-am-resource-percent", 1);
    d.capacity(&format!("{path}.user-limit-factor"), 100);
    d.node(host, (1024, 1), "rack = \"/r1\"\n");
    d.node(other, (4096, 4), "rack = \"/r2\"\n");
    d.app("busy", "0 s", &path, "bob", NO_AM, &tasks(1, (1024, 1), &format!(", places = [\"{host}\"], relax = false")));
    d.app(
        "job",
        "1 s",
        &path,
        "alice",
        &format!("{{ size = \"1024 MB/1\", places = [\"{other}\"], relax = false }}"),
        &tasks(1, (1024, 1), &format!(", places = [\"{host}\"]")),
    );
    Ok(d)
}

/// Returns the rows of a table.
fn rows<'f>(f: &'f Figures, key: &str) -> &'f [Value] {
    match f.0.get(key) {
        Some(Figure::Data(Value::Array(rows))) => rows,
        _ => &[],
    }
}

/// The applications of a list: running ones run, accepted ones wait.
pub fn apps(f: &Figures) -> Result<Draft, String> {
    let mut d = Draft::new("Applications of a list", 20_000, "");
    let listed: Vec<&Value> = rows(f, "apps").iter().take(limits::IMPORTED_ROWS).collect();
    d.assume("an AM of 1024 MB and one container of 1024 MB each: sizes are not in the table");
    let mut queues: Vec<String> = Vec::new();
    for app in &listed {
        if let Some(queue) = app["queue"].as_str().and_then(queue_name) {
            let leaf = path(queue).rsplit('.').next().unwrap_or(queue).to_string();
            if !queues.contains(&leaf) {
                queues.push(leaf);
            }
        }
    }
    if queues.is_empty() {
        queues.push("default".into());
    }
    d.capacity("root.queues", queues.join(","));
    for queue in &queues {
        d.capacity(&format!("root.{queue}.capacity"), "1w");
    }
    d.capacity("maximum-am-resource-percent", 1);
    let count = listed.len().max(1) as i64;
    d.node("n1", (count.saturating_mul(2048), count.saturating_mul(2)), "");
    for (i, app) in listed.iter().enumerate() {
        let queue = app["queue"].as_str().and_then(queue_name).map_or_else(|| "default".to_string(), path);
        let leaf = queue.rsplit('.').next().unwrap_or("default");
        let user = app["user"].as_str().and_then(name).unwrap_or("alice");
        let id = app["id"].as_str().and_then(name).map_or_else(|| format!("job{i}"), str::to_string);
        d.app(&id, "1 s", &format!("root.{leaf}"), user, AM, &tasks(1, (1024, 1), ""));
        if i == 0 {
            d.what = format!("app:{id}");
        }
    }
    if listed.is_empty() {
        d.app("job", "1 s", &format!("root.{}", queues[0]), "alice", AM, &tasks(1, (1024, 1), ""));
        d.what = JOB.into();
    }
    Ok(d)
}

pub fn nodes(f: &Figures) -> Result<Draft, String> {
    let mut d = Draft::new("Nodes of a list", 20_000, "");
    let sized = (f.number("size_mb"), f.number("size_vcores"));
    let node = match sized {
        (Some(mb), Some(vcores)) if mb > 0 && vcores > 0 => (mb, vcores),
        _ => {
            d.assume("8192 MB and 8 vcores for each node: sizes are not in the table");
            (8192, 8)
        }
    };
    bounded(&[node])?;
    d.queue("default");
    let mut seen: Vec<String> = Vec::new();
    let works =
        |host: &&Value| matches!(host["state"].as_str().unwrap_or(""), "" | "RUNNING" | "DECOMMISSIONING" | "NEW");
    let gone = rows(f, "hosts").iter().filter(|host| !works(host)).count();
    if gone > 0 {
        d.assume(format!("{} left out: they take no containers", crate::import::count(gone, "node")));
    }
    let running = f.number("running").filter(|n| *n > 0);
    if let Some(n) = running.filter(|_| !rows(f, "hosts").is_empty()) {
        let n = crate::import::count(usize::try_from(n).unwrap_or(0), "container");
        d.assume(format!(
            "no container runs here, though the table counts {n}: whose they are, and how large, it does not say"
        ));
    }
    for host in rows(f, "hosts").iter().filter(works).take(limits::IMPORTED_ROWS) {
        let (host, port) = host_of(&Figures(
            [("node".to_string(), Figure::Text(host["node"].as_str().unwrap_or("n1").to_string()))].into(),
        ));
        if !seen.contains(&host) {
            d.node(&host, node, &port);
            seen.push(host);
        }
    }
    if seen.is_empty() {
        let (host, port) = host_of(f);
        let count = f.number("nodes").unwrap_or(1).clamp(1, 1000);
        if count > 1 && !f.has("node") {
            d.node("n{1}", node, &format!("count = {count}\n"));
            seen.push("n1".into());
        } else {
            d.node(&host, node, &port);
            seen.push(host);
        }
    }
    d.what = format!("node:{}", seen.first().map_or("n1", String::as_str));
    Ok(d)
}

pub fn queues(f: &Figures) -> Result<Draft, String> {
    let mut d = Draft::new("Queues of a list", 20_000, "");
    let mut found: Vec<(String, f64, f64, i64)> = Vec::new();
    for row in rows(f, "queues").iter().take(limits::IMPORTED_ROWS) {
        let Some(path) = row["path"].as_str().and_then(queue_name) else { continue };
        // Only leaves directly below root: deeper levels need the parents' shares.
        if let Some(leaf) = path.strip_prefix("root.").filter(|leaf| !leaf.contains('.')) {
            let number = |key: &str| row[key].as_f64();
            let most = row["max_parallel"].as_i64().unwrap_or(-1);
            found.push((leaf.to_string(), number("capacity").unwrap_or(0.0), number("max").unwrap_or(100.0), most));
        }
    }
    if found.is_empty() {
        let queue = f.text("queue").and_then(queue_name).unwrap_or("default");
        let leaf = queue.rsplit('.').next().unwrap_or(queue);
        found.push((
            leaf.to_string(),
            f.real("capacity").unwrap_or(100.0),
            f.real("max").unwrap_or(100.0),
            f.number("max_parallel").unwrap_or(-1),
        ));
    }
    let sum: f64 = found.iter().map(|(_, capacity, ..)| capacity).sum();
    if !(0.0..=100.001).contains(&sum) || found.iter().any(|(_, c, m, _)| !(0.0..=100.0).contains(c) || m < c) {
        return Err("the capacities do not sum up to 100 % or less: rows of several levels".into());
    }
    let rest = 100.0 - sum;
    let mut names: Vec<String> = found.iter().map(|(leaf, ..)| leaf.clone()).collect();
    let spare = if names.iter().any(|n| n == "rest") { "rest2" } else { "rest" };
    if rest > 0.001 {
        d.assume(format!("the missing {rest} % are put into a queue `{spare}`"));
        names.push(spare.into());
        d.capacity(&format!("root.{spare}.capacity"), rest);
    }
    d.capacity("root.queues", names.join(","));
    for (leaf, capacity, most, parallel) in &found {
        d.capacity(&format!("root.{leaf}.capacity"), capacity);
        d.capacity(&format!("root.{leaf}.maximum-capacity"), most);
        if (0..=i64::from(i32::MAX) - 1).contains(parallel) {
            d.capacity(&format!("root.{leaf}.max-parallel-apps"), parallel);
        }
    }
    let used = f.real("used").into_iter().chain(rows(f, "queues").iter().filter_map(|row| row["used"].as_f64()));
    if used.into_iter().any(|used| used > 0.0) {
        d.assume("nothing runs here, though queues are in use: whose applications they run is not said");
    }
    d.assume("one node of 10240 MB");
    d.node("n1", (10_240, 10), "");
    d.what = format!("queue:root.{}", found[0].0);
    Ok(d)
}

/// The scheduler page's figures of one queue.
pub fn queue_page(f: &Figures) -> Result<Draft, String> {
    let mut d = Draft::new("A queue of the scheduler's page", 20_000, "");
    let limit = f.pair("queue_am_limit").filter(|l| l.0 > 0).unwrap_or((1024, 1));
    let (share, most) = (
        f.real("queue_capacity").unwrap_or(100.0).clamp(0.0, 100.0),
        f.real("queue_max").unwrap_or(100.0).clamp(0.0, 100.0),
    );
    bounded(&[limit])?;
    let node = (limit.0.saturating_mul(4), limit.1.max(1) * 4);
    d.assume(format!("one node of {}, of which AMs may use a quarter", size(node)));
    d.allow(&[limit]);
    let path = d.queue_of("default", share, most.max(share), &|x| x.to_string());
    d.capacity("maximum-am-resource-percent", "0.25");
    d.node("n1", node, "");
    d.what = format!("queue:{path}");
    Ok(d)
}

pub fn fair_page(f: &Figures) -> Result<Draft, String> {
    let mut d = Draft { fair: true, ..Draft::new("A queue of the FairScheduler's page", 20_000, "queue:root.q") };
    let share = f.pair("share").filter(|s| s.0 > 0 && s.1 > 0).unwrap_or((8192, 8));
    bounded(&[share])?;
    d.assume("one queue, whose steady fair share is the whole cluster");
    d.allocations = Some("<?xml version=\"1.0\"?>\n<allocations><queue name=\"q\"/></allocations>".into());
    d.node("n1", share, "");
    Ok(d)
}

/// The cluster's totals: equal nodes, the usage, and pending requests.
pub fn metrics(f: &Figures) -> Result<Draft, String> {
    let mut d = Draft::new("The cluster's sums", 30_000, "app:waiting");
    let total = f.pair("total").unwrap_or((8192, 8));
    let nodes = f.number("active_nodes").or(f.number("nodes")).unwrap_or(1).clamp(1, 1000);
    let waiting = f.number("pending_containers").unwrap_or(0).clamp(0, 10_000);
    let pending = f.pair("pending").unwrap_or((0, 0));
    bounded(&[total, pending])?;
    let each = ((total.0 / nodes).max(1), (total.1 / nodes).max(1));
    d.assume(format!("{nodes} equal nodes of {}", size(each)));
    d.site("scheduler.maximum-allocation-mb", each.0.max(8192));
    d.site("scheduler.maximum-allocation-vcores", each.1.max(4));
    d.capacity("root.queues", "a,b");
    d.capacity("maximum-am-resource-percent", 1);
    let used = f.pair("used").or(f.pair("free").map(|free| (total.0 - free.0, total.1 - free.1))).unwrap_or((0, 0));
    let share = if total.0 > 0 {
        (used.0.clamp(0, total.0) as f64 / total.0 as f64 * 100.0).clamp(1.0, 99.0).round()
    } else {
        50.0
    };
    d.capacity("root.a.capacity", share);
    d.capacity("root.a.maximum-capacity", share);
    d.capacity("root.a.user-limit-factor", 100);
    d.capacity("root.b.capacity", 100.0 - share);
    d.assume("all that is used and asked is in one queue, whose maximum is what is used: which limit it is the sums do not say");
    d.node("n{1}", each, &format!("count = {nodes}\n"));
    let one = if waiting > 0 { ((pending.0 / waiting).max(1), (pending.1 / waiting).max(1)) } else { (1024, 1) };
    if waiting > 0 {
        d.assume(format!("{waiting} asks of {}", size(one)));
    }
    let least = step([one.0].into_iter());
    if least != 1024 {
        d.site("scheduler.minimum-allocation-mb", least);
    }
    let running = (used.0 / one.0).clamp(0, 10_000);
    d.app("waiting", "1 s", "root.a", "alice", NO_AM, &tasks(waiting.saturating_add(running).max(1), one, ""));
    Ok(d)
}
