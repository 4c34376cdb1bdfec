//! `/scheduler`: the queues of the running scheduler, and the settings that can be derived from them (formats.md 5.3, 5.4).

use super::gathered::DEFAULT_QUEUE;
use super::json::Loose;
use super::rest::{amount, answer, below, printed};
use super::seen::{Amount, SeenQueue};
use super::{Gathered, InputText, ReadOutcome, RemarkAbout, count};
use crate::api::{Properties, SchedulerChoice};
use crate::client::json::Node;
use crate::config::capacity::monitors::ENABLE as MONITORS;
use crate::config::resource_text::CALCULATOR;
use crate::model::DEFAULT_PARTITION;
use crate::model::limits::QUEUE_DEPTH;
use indexmap::{IndexMap, IndexSet};

/// The number that means "no limit".
const NONE: i64 = 2_147_483_647;

/// Returns whether a text is the overview, which has the scheduler's type but no queues.
pub(super) fn is_overview(look: &InputText<'_>) -> bool {
    let (Some(root), _) = look.tree() else { return false };
    let scheduler = below(&root, "scheduler");
    scheduler.get("schedulerType").is_some() && scheduler.get("schedulerInfo").is_none()
}

pub(super) fn scheduler(look: &InputText<'_>, g: &mut Gathered) -> ReadOutcome {
    answer(look, |root, _| {
        let info = below(below(root, "scheduler"), "schedulerInfo");
        let kind = ["type", "@xsi.type", "xsi:type"].iter().find_map(|k| info.word(k)).unwrap_or("");
        let mut found = SeenQueue::default();
        let scheduler = if kind == "fairScheduler" || info.get("rootQueue").is_some() {
            if let Some(root) = info.get("rootQueue") {
                found = fair(root, 0);
                g.seen.sums.parts.extend(root.get("clusterResources").map(amount).map(|all| (String::new(), all)));
            }
            SchedulerChoice::Fair
        } else if kind == "fifoScheduler" || info.get("qstate").is_some() {
            g.seen.sums.of_fifo(info);
            let bound = |key| info.number(key).filter(|n| *n > 0).map(|memory| Amount::new(memory, 0));
            g.seen.minimum = g.seen.minimum.take().or_else(|| bound("minQueueMemoryCapacity"));
            g.seen.maximum = g.seen.maximum.take().or_else(|| bound("maxQueueMemoryCapacity"));
            SchedulerChoice::Fifo
        } else {
            found = capacity(info, "", 0);
            g.seen.sums.of_root(info);
            if let Some(health) = info.get("health") {
                let last = health
                    .list(&["operationsInfo"])
                    .into_iter()
                    .find(|o| o.word("operation") == Some("last-reservation"));
                g.seen.last_reservation =
                    last.and_then(|o| o.word("nodeId")).filter(|n| *n != "N/A").map(str::to_owned);
            }
            SchedulerChoice::Capacity
        };
        g.runs(scheduler, look.name);
        let leaves = leaves(&found).len();
        g.seen.sources.insert("queues", look.name.to_owned());
        if scheduler != SchedulerChoice::Fifo {
            g.seen.queues = Some(found);
        }
        format!("the {}, {}", scheduler.class(), count(leaves, "leaf queue"))
    })
}

/// Returns all leaves of a tree.
pub(super) fn leaves(root: &SeenQueue) -> Vec<&SeenQueue> {
    let mut out = Vec::new();
    let mut todo = vec![root];
    while let Some(queue) = todo.pop() {
        if queue.children.is_empty() && queue.path != "root" && !queue.path.is_empty() {
            out.push(queue);
        }
        todo.extend(queue.children.iter().rev());
    }
    out
}

fn capacity(node: &Node, parent: &str, depth: usize) -> SeenQueue {
    let name = node.word("queueName").unwrap_or("root");
    let path = node
        .word("queuePath")
        .map(str::to_owned)
        .unwrap_or_else(|| if parent.is_empty() { name.to_owned() } else { format!("{parent}.{name}") });
    let children = node.list(&["queues", "queue"]);
    let leaf = children.is_empty();
    let mut out = SeenQueue { leaf, ..SeenQueue::default() };
    out.dynamic = node.word("creationMethod").is_some_and(|m| m.starts_with("dynamic"));
    out.used = node.get("resourcesUsed").map(amount).or_else(|| node.word("usedResources").and_then(printed));
    out.shares = shares(node);
    out.properties = properties(node, path == "root", leaf);
    for user in node.list(&["users", "user"]) {
        if let (Some(name), Some(used)) = (user.word("username"), user.get("resourcesUsed")) {
            out.users.push((name.to_owned(), amount(used)));
            out.masters.extend(each_master(user, "AMResourceUsed").map(|each| (Some(name.to_owned()), each)));
            let weight = user.get("userWeight").and_then(|w| w.float()).filter(|w| *w != 1.0);
            if let Some(weight) = weight {
                out.properties.push((format!("user-settings.{name}.weight"), weight.to_string()));
            }
        }
    }
    out.masters.extend(each_master(node, "usedAMResource").map(|each| (None, each)));
    if depth < QUEUE_DEPTH {
        out.children = children.iter().map(|child| capacity(child, &path, depth + 1)).collect();
    }
    out.path = path;
    out
}

/// Returns what each ApplicationMaster has if those of the active applications are alike.
fn each_master(node: &Node, used: &str) -> Option<Amount> {
    let (all, n) = (node.get(used).map(amount)?, node.number("numActiveApplications").filter(|n| *n > 0)?);
    (all.memory >= n).then(|| Amount::new(all.memory / n, (all.vcores / n).max(1)))
}

/// Returns what a queue says that it uses of partitions, in percent of them, with what it uses.
fn shares(node: &Node) -> Vec<(String, f64, Amount)> {
    let name = |part: &Node| part.word("partitionName").unwrap_or("").to_owned();
    let percents = node.list(&["capacities", "queueCapacitiesByPartition"]);
    let used = node.list(&["resources", "resourceUsagesByPartition"]);
    let of = |part: &&Node| {
        let used = used.iter().find(|other| name(other) == name(part))?.get("used").map(amount)?;
        Some((name(part), part.get("absoluteUsedCapacity")?.float()?, used))
    };
    percents.iter().filter_map(of).collect()
}

/// Returns a printed 32-bit float, without a redundant `.0`.
fn number(node: &Node, key: &str) -> Option<String> {
    let text = node.word(key)?;
    let value = text.parse::<f32>().ok().filter(|f| f.is_finite())?;
    Some(value.to_string())
}

/// Returns the capacity of one partition, as capacity-scheduler.xml writes it.
fn capacity_of(node: &Node, part: Option<&Node>) -> Option<String> {
    let vector = part.and_then(|p| p.get("queueCapacityVectorInfo")).and_then(|v| v.word("configuredCapacityVector"));
    if let Some(entries) = vector.and_then(|v| v.strip_prefix('[')).and_then(|v| v.strip_suffix(']')) {
        let pairs: Vec<(&str, &str)> = entries.split(',').filter_map(|pair| pair.split_once('=')).collect();
        if let Some((_, first)) = pairs.first() {
            let same = pairs.iter().all(|(_, value)| value == first);
            if let Some(percent) = first.strip_suffix('%').filter(|_| same) {
                return Some(percent.to_owned());
            }
            if first.ends_with('w') && same {
                return Some((*first).to_owned());
            }
            let written = pairs.iter().map(|(name, value)| {
                let name = if *name == "memory-mb" { "memory" } else { name };
                format!("{name}={}", value.strip_suffix(".0").unwrap_or(value))
            });
            return Some(format!("[{}]", written.collect::<Vec<_>>().join(",")));
        }
    }
    let of = part.unwrap_or(node);
    let weight = of.get("weight").and_then(|w| w.float()).filter(|w| *w >= 0.0);
    let absolute =
        node.get("isAbsoluteResource").and_then(|a| a.bool()) == Some(true) || node.word("mode") == Some("absolute");
    match (absolute, weight) {
        (true, _) => part?.get("configuredMinResource").map(|r| vector_of(&amount(r))),
        (false, Some(weight)) => Some(format!("{weight}w")),
        (false, None) => number(of, "capacity"),
    }
}

fn vector_of(amount: &Amount) -> String {
    let more = amount.more.iter().map(|(name, n)| format!(",{name}={n}"));
    format!("[memory={},vcores={}{}]", amount.memory, amount.vcores, more.collect::<String>())
}

fn maximum_of(node: &Node, part: Option<&Node>) -> Option<String> {
    let configured = part.and_then(|p| p.get("configuredMaxResource")).map(amount).filter(|r| !r.is_zero());
    if let Some(configured) = configured {
        return Some(vector_of(&configured));
    }
    number(part.unwrap_or(node), "maxCapacity").filter(|m| m != "0" && m != "100")
}

fn properties(node: &Node, root: bool, leaf: bool) -> Vec<(String, String)> {
    let mut out: Vec<(String, String)> = Vec::new();
    let mut put = |key: &str, value: Option<String>| out.extend(value.map(|value| (key.to_owned(), value)));
    let parts = node.list(&["capacities", "queueCapacitiesByPartition"]);
    let part = |name: &str| {
        parts.iter().find(|p| p.get("partitionName").and_then(|n| n.text()).unwrap_or("") == name).copied()
    };
    if !root {
        put("capacity", capacity_of(node, part("")));
        put("maximum-capacity", maximum_of(node, part("")));
        let stopped = matches!(node.word("state"), Some("STOPPED" | "DRAINING"));
        put("state", stopped.then(|| "STOPPED".to_owned()));
        let labels: Vec<&str> =
            node.list(&["nodeLabels"]).iter().filter_map(|l| l.text()).filter(|l| !l.is_empty()).collect();
        put("accessible-node-labels", (!labels.is_empty() && !labels.contains(&"*")).then(|| labels.join(",")));
    }
    for one in &parts {
        let Some(label) = one.word("partitionName").filter(|l| *l != DEFAULT_PARTITION) else { continue };
        put(
            &format!("accessible-node-labels.{label}.capacity"),
            if root { Some("100".into()) } else { capacity_of(node, Some(one)) },
        );
        if !root {
            put(&format!("accessible-node-labels.{label}.maximum-capacity"), maximum_of(node, Some(one)));
        }
    }
    let priority = node.number("queuePriority").filter(|p| *p != 0);
    put("priority", priority.map(|p| p.to_string()));
    put("default-node-label-expression", node.word("defaultNodeLabelExpression").map(str::to_owned));
    put("max-parallel-apps", node.number("maxParallelApps").filter(|n| *n < NONE).map(|n| n.to_string()));
    let ordering = node.word("orderingPolicyInfo").map(|o| match o {
        "FifoOrderingPolicy" => "fifo",
        "FairOrderingPolicy" => "fair",
        other => other,
    });
    put("ordering-policy", ordering.filter(|o| !matches!(*o, "fifo" | "utilization")).map(str::to_owned));
    let flexible = node.word("autoCreationEligibility") == Some("flexible");
    put("auto-queue-creation-v2.enabled", flexible.then(|| "true".to_owned()));
    let legacy = node.get("autoCreateChildQueueEnabled").and_then(|a| a.bool()) == Some(true);
    put("auto-create-child-queue.enabled", legacy.then(|| "true".to_owned()));
    for (field, prefix) in [
        ("leafQueueTemplate", "leaf-queue-template"),
        ("autoQueueTemplateProperties", "auto-queue-creation-v2.template"),
        ("autoQueueParentTemplateProperties", "auto-queue-creation-v2.parent-template"),
        ("autoQueueLeafTemplateProperties", "auto-queue-creation-v2.leaf-template"),
    ] {
        for property in node.list(&[field, "property"]) {
            if let (Some(name), Some(value)) = (property.word("name"), property.word("value")) {
                put(&format!("{prefix}.{name}"), Some(value.to_owned()));
            }
        }
    }
    if !leaf || root {
        return out;
    }
    put("minimum-user-limit-percent", number(node, "userLimit"));
    put("user-limit-factor", number(node, "userLimitFactor"));
    let of_part = || {
        part("").and_then(|p| p.get("maxAMLimitPercentage")).and_then(|p| p.float()).map(|p| (p / 100.0).to_string())
    };
    put("maximum-am-resource-percent", number(node, "configuredMaxAMResourceLimit").or_else(of_part));
    put("maximum-applications", node.number("maxApplications").filter(|n| *n < NONE).map(|n| n.to_string()));
    put("default-application-priority", node.number("defaultPriority").filter(|p| *p != 0).map(|p| p.to_string()));
    for (field, key) in [
        ("maxApplicationLifetime", "maximum-application-lifetime"),
        ("defaultApplicationLifetime", "default-application-lifetime"),
    ] {
        put(key, node.number(field).filter(|n| *n > 0).map(|n| n.to_string()));
    }
    if let Some(disabled) = node.get("preemptionDisabled").and_then(|d| d.bool()) {
        put("disable_preemption", Some(disabled.to_string()));
    }
    out
}

fn fair(node: &Node, depth: usize) -> SeenQueue {
    let mut out = SeenQueue { path: node.word("queueName").unwrap_or("root").to_owned(), ..SeenQueue::default() };
    out.used = node.get("usedResources").map(amount);
    out.fair_share = node.get("fairResources").map(amount);
    out.steady = node.get("steadyFairResources").map(amount);
    out.demand = node.get("demandResources").map(amount);
    let cluster = node.get("clusterResources").map(amount);
    let maximum = node.get("maxResources").map(amount);
    out.maximum.clone_from(&maximum);
    let mut put = |key: &str, value: Option<String>| out.properties.extend(value.map(|value| (key.to_owned(), value)));
    let resources = |a: Amount| format!("{} mb, {} vcores", a.memory, a.vcores);
    put("minResources", node.get("minResources").map(amount).filter(|a| !a.is_zero()).map(resources));
    let bounds = |a: &Amount| cluster.as_ref().is_none_or(|c| a.memory < c.memory || a.vcores < c.vcores);
    put("maxResources", maximum.filter(|a| bounds(a)).map(resources));
    put("maxRunningApps", node.number("maxApps").filter(|n| *n < NONE).map(|n| n.to_string()));
    put("schedulingPolicy", node.word("schedulingPolicy").map(str::to_lowercase));
    // An array of queues, of objects with one, or a single object.
    let mut children: Vec<&Node> = Vec::new();
    for child in node.list(&["childQueues"]) {
        if child.get("queueName").is_some() {
            children.push(child);
        } else {
            children.extend(child.list(&["queue"]));
        }
    }
    out.leaf = children.is_empty();
    if depth < QUEUE_DEPTH {
        out.children = children.iter().map(|child| fair(child, depth + 1)).collect();
    }
    out
}

/// Adds each queue on a path to the children of its parent.
fn add_path<'p>(children: &mut IndexMap<String, IndexSet<&'p str>>, path: &'p str) {
    let mut parent = String::from("root");
    let below = path.strip_prefix("root.").unwrap_or(path);
    for part in below.split('.').filter(|p| !p.is_empty() && *p != "root").take(QUEUE_DEPTH) {
        children.entry(parent.clone()).or_default().insert(part);
        parent = format!("{parent}.{part}");
    }
}

/// Writes the queues that the command line lists. The remainder of a parent's capacity goes to unlisted queues, or to an
/// additional one.
fn of_lists(g: &mut Gathered) {
    let listed = std::mem::take(&mut g.listed_queues);
    let mut children = IndexMap::new();
    listed.keys().for_each(|path| add_path(&mut children, path));
    let mut rest = Vec::new();
    for (parent, names) in &children {
        let mut names: Vec<String> = names.iter().map(|name| (*name).to_owned()).collect();
        let of = |name: &str| listed.get(&format!("{parent}.{name}"));
        let weights = names.iter().any(|name| of(name).is_some_and(|q| q.weight.is_some()));
        let sum: f64 = names.iter().filter_map(|name| of(name)?.capacity).sum();
        let unsaid = names.iter().filter(|name| of(name).is_none_or(|q| q.capacity.is_none())).count();
        // If the sum exceeds 100, the values are written as weights, which can be any numbers.
        let weights = weights || sum > 100.0;
        if !weights && sum < 99.9 && unsaid == 0 {
            names.push("rest".into());
            rest.push(parent.clone());
        }
        let share = (100.0 - sum).max(0.0) / unsaid.max(1) as f64;
        for name in &names {
            let capacity = match of(name) {
                Some(queue) if weights => format!("{}w", queue.weight.or(queue.capacity).unwrap_or(1.0)),
                None if weights => "1w".into(),
                Some(queue) => queue.capacity.unwrap_or(share).to_string(),
                None if unsaid == 0 => (100.0 - sum).to_string(),
                None => share.to_string(),
            };
            let prefix = format!("yarn.scheduler.capacity.{parent}.{name}.");
            g.capacity.insert(format!("{prefix}capacity"), capacity);
            for (key, value) in of(name).into_iter().flat_map(|queue| &queue.properties) {
                g.capacity.insert(format!("{prefix}{key}"), value.clone());
            }
        }
        g.capacity.insert(format!("yarn.scheduler.capacity.{parent}.queues"), names.join(","));
    }
    let source = g.seen.source("queues").to_owned();
    for parent in rest {
        g.infer(format!("{parent}.rest has what the listed queues leave of {parent}."), source.clone());
    }
    g.infer("Queues with their capacities, under the CapacityScheduler.", source);
    g.lack(
        "Limits of users and of ApplicationMasters, labels, policies: defaults are taken.",
        "capacity-scheduler.xml says it",
    );
}

/// Returns an equal share of 100 % in thousandths; the first has what is left over.
fn percent_of(n: usize, at: usize) -> String {
    let each = 100_000 / n.max(1);
    let own = if at == 0 { 100_000 - each * n.saturating_sub(1) } else { each };
    (own as f64 / 1000.0).to_string()
}

/// Writes the queues that applications name, with equal capacities, if no other text has queues.
fn of_apps(g: &mut Gathered) {
    let known = g.scheduler.as_ref().is_some_and(|(s, _)| *s != SchedulerChoice::Capacity);
    if known || g.has_capacity_queues() {
        return;
    }
    // Applications without a queue go to the default queue, which exists unless others are named.
    if g.seen.apps.is_empty()
        && g.labels.is_empty()
        && g.changed_queues.is_empty()
        && g.named_queues.iter().all(|queue| queue.strip_prefix("root.").unwrap_or(queue) == DEFAULT_QUEUE)
    {
        return;
    }
    let mut children = IndexMap::new();
    let seen = g.seen.apps.values().filter(|a| a.is_there()).map(|a| a.queue.as_str());
    let queues = seen.chain(g.named_queues.iter().chain(&g.changed_queues).map(String::as_str));
    queues.filter(|q| !q.is_empty()).for_each(|queue| add_path(&mut children, queue));
    let children: IndexMap<String, Vec<String>> =
        children.iter().map(|(path, names)| (path.clone(), names.iter().map(|n| (*n).to_owned()).collect())).collect();
    if children.is_empty() {
        return;
    }
    let labels: Vec<String> = g.labels.keys().cloned().collect();
    let weights = g.takes_weights();
    let of_child = |names: &[String], at: usize| if weights { "1w".to_owned() } else { percent_of(names.len(), at) };
    let mut of_labels = |path: &str, capacity: &str| {
        if !labels.is_empty() {
            g.capacity.insert(format!("yarn.scheduler.capacity.{path}.accessible-node-labels"), labels.join(","));
        }
        for label in &labels {
            let key = format!("yarn.scheduler.capacity.{path}.accessible-node-labels.{label}.capacity");
            g.capacity.insert(key, capacity.into());
        }
    };
    of_labels("root", "100");
    for (parent, names) in &children {
        for (at, name) in names.iter().enumerate() {
            of_labels(&format!("{parent}.{name}"), &of_child(names, at));
        }
    }
    for (parent, names) in &children {
        g.capacity.insert(format!("yarn.scheduler.capacity.{parent}.queues"), names.join(","));
        for (at, name) in names.iter().enumerate() {
            g.capacity.insert(format!("yarn.scheduler.capacity.{parent}.{name}.capacity"), of_child(names, at));
        }
    }
    let source = if g.seen.apps.is_empty() { "the applications".into() } else { g.seen.source("apps").to_owned() };
    g.infer("The queues that applications are in, under the CapacityScheduler, each with the same capacity.", source);
    g.lack(
        "Which scheduler runs, which queues there are, and what they may use.",
        "/ws/v1/cluster/scheduler or capacity-scheduler.xml says it",
    );
}

/// Writes the queues of `/scheduler` as settings, if no file has them; `calculator`: they show which one runs.
pub(super) fn settings(g: &mut Gathered, calculator: bool) {
    let Some(root) = g.seen.queues.clone() else {
        return if g.listed_queues.is_empty() || g.has_capacity_queues() { of_apps(g) } else { of_lists(g) };
    };
    let source = format!("{} (/scheduler)", g.seen.source("queues"));
    match g.scheduler.as_ref().map(|(s, _)| *s) {
        Some(SchedulerChoice::Fair) if !g.files.contains_key("fair-scheduler.xml") => {
            let mut xml = String::from("<?xml version=\"1.0\"?>\n<allocations>\n");
            for child in &root.children {
                fair_file(child, 1, &mut xml);
            }
            xml.push_str("</allocations>\n");
            g.files.insert("fair-scheduler.xml", xml);
            g.infer("Queues of the FairScheduler with their limits and policies.", source);
            g.lack("Weights, limits of users, shares for ApplicationMasters, preemption, placement rules: defaults are taken.", "fair-scheduler.xml says it");
        }
        Some(SchedulerChoice::Capacity) => {
            if g.has_capacity_queues() {
                return;
            }
            let preempts = leaves(&root)
                .iter()
                .any(|q| q.properties.iter().any(|(k, v)| k == "disable_preemption" && v == "false"));
            write(&root, preempts, &mut g.capacity);
            if preempts {
                g.site.entry(MONITORS.into()).or_insert_with(|| "true".into());
                g.infer_of(
                    RemarkAbout::Property(MONITORS.to_owned()),
                    "Preemption is on: preemptionDisabled is false of some queue, which needs the monitor.",
                    source.clone(),
                );
            }
            g.infer("Queues of the CapacityScheduler with their capacities, limits, labels and policies.", source);
            let others =
                "ocality delays, assignments per heartbeat, queue mappings, preemption settings: defaults are taken.";
            let taken = ["node-locality-delay", "per-node-heartbeat.maximum-container-assignments", "queue-mappings"];
            let about = (!calculator).then_some(CALCULATOR).into_iter().chain(taken);
            g.lack_of(
                about.map(|key| RemarkAbout::Property(key.to_owned())).collect::<Vec<_>>(),
                if calculator { format!("L{others}") } else { format!("Resource calculator, l{others}") },
                "capacity-scheduler.xml and yarn-site.xml say it",
            );
        }
        _ => {}
    }
}

/// Writes a queue and those below it as settings.
pub(super) fn write(queue: &SeenQueue, preempts: bool, set: &mut Properties) {
    let children: Vec<&str> =
        queue.children.iter().filter(|c| !c.dynamic).map(|c| c.path.rsplit('.').next().unwrap_or(&c.path)).collect();
    let prefix = format!("yarn.scheduler.capacity.{}.", queue.path);
    if !children.is_empty() {
        set.insert(format!("{prefix}queues"), children.join(","));
    }
    for (key, value) in &queue.properties {
        let preemption = key == "disable_preemption";
        if !preemption || (preempts && value == "true") {
            set.insert(format!("{prefix}{key}"), value.clone());
        }
    }
    for child in queue.children.iter().filter(|c| !c.dynamic) {
        write(child, preempts, set);
    }
}

fn fair_file(queue: &SeenQueue, depth: usize, out: &mut String) {
    use crate::config::xml::escape;
    let pad = "  ".repeat(depth);
    let name = queue.path.rsplit('.').next().unwrap_or(&queue.path);
    let parent = if queue.children.is_empty() { "" } else { " type=\"parent\"" };
    out.push_str(&format!("{pad}<queue name=\"{}\"{parent}>\n", escape(name)));
    for (key, value) in &queue.properties {
        out.push_str(&format!("{pad}  <{key}>{}</{key}>\n", escape(value)));
    }
    for child in &queue.children {
        fair_file(child, depth + 1, out);
    }
    out.push_str(&format!("{pad}</queue>\n"));
}
