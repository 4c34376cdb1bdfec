//! Answers of the ResourceManager's web services below `/ws/v1/cluster` (formats.md 5), JSON and XML, of all releases.

use super::json::Loose;
use super::seen::{
    Amount, Said, SeenApp, SeenAsk, SeenAttempt, SeenContainer, SeenNode, SeenOffer, SeenReservation, host_of, parts,
};
use super::{Gathered, InputText, ReadOutcome, count};
use crate::client::json::Node;
use crate::model::{Problem, Span};

/// Returns the value of an answer's root key, or the answer itself if a converter removed the root.
pub(super) fn below<'n>(root: &'n Node, key: &str) -> &'n Node {
    root.get(key).unwrap_or(root)
}

/// Returns the records of an answer, within their list or bare, as a filter such as jq leaves them.
fn records<'n>(root: &'n Node, list: &str, one: &str) -> Vec<&'n Node> {
    match (root.get(one), root.field(list)) {
        (Some(_), _) => root.list(&[one]),
        (None, Some(_)) => root.list(&[list, one]),
        (None, None) => root.list(&[]),
    }
}

/// Returns whether a text has records of nodes without their list.
pub(super) fn is_bare_nodes(look: &InputText<'_>) -> bool {
    look.has_field(&["nodeHostName", "availMemoryMB"])
}

/// Returns whether a text has records of applications without their list.
pub(super) fn is_bare_apps(look: &InputText<'_>) -> bool {
    look.has_field(&["queue"]) && look.has_field(&["user"]) && look.has_word("id", "application_")
}

/// Reads an answer, as JSON or as XML, up to its first fault. `read` returns a summary of the contents; without a root the
/// answer is not read.
pub(super) fn answer(look: &InputText<'_>, read: impl FnOnce(&Node, &mut Vec<Problem>) -> String) -> ReadOutcome {
    let (root, mut problems) = look.tree();
    let Some(root) = root else { return ReadOutcome::not_read(problems) };
    let holds = read(&root, &mut problems);
    ReadOutcome::of(holds, problems)
}

/// Reads an amount in any of its forms.
pub(super) fn amount(node: &Node) -> Amount {
    let mut out = Amount::new(
        node.number("memory").or(node.number("memoryMB")).unwrap_or(0),
        node.number("vCores").or(node.number("virtualCores")).or(node.number("vcores")).unwrap_or(0),
    );
    for one in node.list(&["resourceInformations", "resourceInformation"]) {
        let (Some(name), Some(value)) = (one.word("name"), one.number("value")) else { continue };
        match name {
            "memory-mb" => out.memory = value,
            "vcores" => out.vcores = value,
            _ => out.more.push((name.to_owned(), value)),
        }
    }
    out
}

/// Reads a printed amount: `<memory:1024, vCores:1, yarn.io/gpu: 2>`.
pub(super) fn printed(text: &str) -> Option<Amount> {
    let inside = text.trim().strip_prefix('<')?.strip_suffix('>')?;
    let mut out = Amount::default();
    for pair in inside.split(',') {
        let (name, value) = pair.split_once(':')?;
        let digits: String = value.trim().chars().take_while(|c| c.is_ascii_digit() || *c == '-').collect();
        let value = digits.parse::<i64>().ok()?;
        match name.trim() {
            "memory" => out.memory = value,
            "vCores" => out.vcores = value,
            other => out.more.push((other.to_owned(), value)),
        }
    }
    Some(out)
}

/// Creates a problem at a record of an answer.
fn at(look: &InputText<'_>, node: &Node, what: impl Into<String>) -> Problem {
    Problem::warning(look.name, Span::new(node.span.start, node.span.end), what)
}

pub(super) fn info(look: &InputText<'_>, g: &mut Gathered) -> ReadOutcome {
    answer(look, |root, problems| {
        let info = below(root, "clusterInfo");
        let version = info.word("hadoopVersion").or(info.word("resourceManagerVersion")).unwrap_or("").to_owned();
        if info.word("haState") == Some("STANDBY") {
            problems.push(
                at(look, info, "A standby ResourceManager answered: the rest of what it says is worthless.")
                    .mend("Ask the active one."),
            );
        }
        if let Some((other, source)) = g.version.as_ref().filter(|(other, _)| *other != version) {
            let what = format!(
                "{source} says Hadoop {other}, and this one Hadoop {version}: they are of two clusters, or of two times. {other} is taken."
            );
            problems.push(at(look, info, what).mend("Give the answers of one cluster."));
        } else if g.release.is_none() {
            g.version = Some((version.clone(), look.name.to_owned()));
        }
        format!("Hadoop {version}")
    })
}

pub(super) fn metrics(look: &InputText<'_>, g: &mut Gathered) -> ReadOutcome {
    answer(look, |root, _| {
        let metrics = below(root, "clusterMetrics");
        g.seen.sums.of_metrics(metrics);
        let number = |key| metrics.number(key).unwrap_or(0);
        let holds = format!("{} active nodes, {} containers", number("activeNodes"), number("containersAllocated"));
        holds
    })
}

pub(super) fn overview(look: &InputText<'_>, g: &mut Gathered) -> ReadOutcome {
    answer(look, |root, _| {
        let overview = below(root, "scheduler");
        g.seen.minimum = overview.get("minimumAllocation").map(amount);
        g.seen.maximum = overview.get("maximumAllocation").map(amount);
        String::new()
    })
}

pub(super) fn nodes(look: &InputText<'_>, g: &mut Gathered) -> ReadOutcome {
    answer(look, |root, problems| {
        let list = records(root, "nodes", "node");
        let (mut there, mut parts) = (0, std::collections::BTreeSet::new());
        for node in &list {
            let host = node.word("nodeHostName");
            let Some(id) = node.word("id").map(str::to_owned).or(host.map(|h| format!("{h}:0"))) else {
                problems.push(at(look, node, "A node without id is left out."));
                continue;
            };
            let seen = node_of(node, id.clone());
            if seen.total.is_none() {
                problems.push(at(look, node, format!("How large {id} is cannot be read.")));
            }
            there += usize::from(seen.is_there());
            parts.extend(node.word("subClusterId"));
            if g.seen.nodes.get(&id).is_some_and(|other| *other != seen) {
                let what = format!("{id} is there twice, with other figures: the latter count.");
                problems.push(at(look, node, what).mend("Give the answers of one moment."));
            }
            g.seen.nodes.insert(id, seen);
        }
        if parts.len() > 1 {
            let names: Vec<&str> = parts.into_iter().collect();
            let what = format!(
                "The nodes are of {} sub-clusters, {}. They are taken for one cluster: federation is not modelled.",
                names.len(),
                names.join(", ")
            );
            problems.push(at(look, root, what).mend("Ask the ResourceManager of one of them."));
        }
        if list.is_empty() {
            problems.push(at(look, root, "No node is in it: none is active, or its ResourceManager is not."));
        }
        g.seen.sources.insert("nodes", look.name.to_owned());
        let there = g.tally("nodes that are there", there);
        format!("{}, {there} of them there", count(g.tally("node", list.len()), "node"))
    })
}

fn node_of(node: &Node, id: String) -> SeenNode {
    let pair = |memory, vcores| Some(Amount::new(node.number(memory)?, node.number(vcores).unwrap_or(0)));
    let used = node.get("usedResource").map(amount).or_else(|| pair("usedMemoryMB", "usedVirtualCores"));
    let free = node.get("availableResource").map(amount).or_else(|| pair("availMemoryMB", "availableVirtualCores"));
    let total = node.get("totalResource").map(amount);
    let sum = || Some(used.as_ref()?.plus(free.as_ref()?));
    let attributes = node.list(&["nodeAttributesInfo", "nodeAttributeInfo"]);
    let attribute = |a: &&Node| {
        let name = a.word("name")?;
        let name = a.word("prefix").map_or(name.to_owned(), |prefix| format!("{prefix}/{name}"));
        Some((name, a.word("value").unwrap_or("").to_owned()))
    };
    SeenNode {
        rack: node.word("rack").map(str::to_owned),
        state: node.word("state").unwrap_or("").to_owned(),
        total: total.or_else(sum),
        used,
        containers: node.number("numContainers"),
        label: node.list(&["nodeLabels"]).first().and_then(|l| l.text()).filter(|l| !l.is_empty()).map(str::to_owned),
        attributes: attributes.iter().filter_map(attribute).collect(),
        id,
    }
}

pub(super) fn apps(look: &InputText<'_>, g: &mut Gathered) -> ReadOutcome {
    answer(look, |root, problems| {
        let list = records(root, "apps", "app");
        let mut there = 0;
        for app in &list {
            let Some(id) = app.word("id").filter(|id| id.starts_with("application_")) else {
                problems.push(at(look, app, "An application without id is left out."));
                continue;
            };
            let seen = app_of(app, id);
            there += usize::from(seen.is_there());
            if seen.is_there() {
                g.seen.told_at(seen.started, seen.elapsed);
            }
            // The answer about a single application is more complete.
            let known = g.seen.apps.get(id).is_some_and(|known| known.asks.is_some() && seen.asks.is_none());
            if !known {
                g.seen.apps.insert(id.to_owned(), seen);
            }
        }
        g.seen.sources.entry("apps").or_insert_with(|| look.name.to_owned());
        let there = g.tally("applications that run or wait", there);
        format!("{}, {there} of them run or wait", count(g.tally("application", list.len()), "application"))
    })
}

fn app_of(app: &Node, id: &str) -> SeenApp {
    let text = |key| app.word(key).unwrap_or("").to_owned();
    let pair = |memory, vcores| {
        app.number(memory).filter(|n| *n >= 0).map(|m| Amount::new(m, app.number(vcores).unwrap_or(0)))
    };
    let requests = app.get("resourceRequests").map(|_| app.list(&["resourceRequests"]));
    let usage = app.list(&["resourceInfo", "resourceUsagesByPartition"]);
    let sum = |key: &str| {
        let amounts: Vec<Amount> = usage.iter().filter_map(|u| u.get(key).map(amount)).collect();
        (!amounts.is_empty()).then(|| Amount::sum(&amounts))
    };
    SeenApp {
        id: id.to_owned(),
        name: text("name"),
        user: text("user"),
        queue: text("queue"),
        state: text("state"),
        kind: text("applicationType"),
        tags: text("applicationTags").split(',').map(str::trim).filter(|t| !t.is_empty()).map(str::to_owned).collect(),
        priority: app.number("priority"),
        started: app.number("startedTime"),
        elapsed: app.number("elapsedTime"),
        diagnostics: text("diagnostics"),
        // Releases before 2.8 do not name the node.
        master_node: app.word("masterNodeId").or_else(|| app.word("amHostHttpAddress").map(host_of)).map(str::to_owned),
        allocated: pair("allocatedMB", "allocatedVCores"),
        reserved: pair("reservedMB", "reservedVCores"),
        running: app.number("runningContainers").filter(|n| *n >= 0),
        // If the answer has no label, the queue's default applies; an empty one means no label.
        am_label: app.get("amNodeLabelExpression").and_then(|l| l.text()).map(str::to_owned),
        label: app.get("appNodeLabelExpression").and_then(|l| l.text()).map(str::to_owned),
        unmanaged: app.get("unmanagedApplication").and_then(|u| u.bool()).unwrap_or(false),
        asks: requests.map(|rows| rows.into_iter().map(ask_of).collect()),
        used: usage.iter().find(|u| u.word("partitionName").is_none()).and_then(|u| u.get("used")).map(amount),
        am_used: sum("amUsed"),
        am_charged: charged(&usage),
        pending: sum("pending"),
    }
}

/// The label whose AM limit an application's ApplicationMaster is charged to, if it is one alone.
fn charged(usage: &[&Node]) -> Option<String> {
    let is_charged = |u: &&&Node| u.get("amUsed").map(amount).is_some_and(|a| a.memory > 0 && a.vcores >= 0);
    let mut charged = usage.iter().filter(is_charged).map(|u| u.word("partitionName").unwrap_or("").to_owned());
    charged.next().filter(|_| charged.next().is_none())
}

fn ask_of(row: &Node) -> SeenAsk {
    let priority = row.get("priority");
    SeenAsk {
        priority: priority.and_then(|p| p.int().or(p.number("priority"))).unwrap_or(0),
        id: row.number("allocationRequestId").unwrap_or(-1),
        place: row.word("resourceName").unwrap_or("*").to_owned(),
        size: row.get("capability").map(amount).unwrap_or_default(),
        count: row.number("numContainers").unwrap_or(0),
        relax: row.get("relaxLocality").and_then(|r| r.bool()).unwrap_or(true),
        label: row.get("nodeLabelExpression").and_then(|l| l.text()).map(str::to_owned),
    }
}

pub(super) fn attempts(look: &InputText<'_>, g: &mut Gathered) -> ReadOutcome {
    answer(look, |root, _| {
        let list = records(root, "appAttempts", "appAttempt");
        for attempt in &list {
            let container = attempt.word("containerId");
            let of_container = container.and_then(parts);
            let named = attempt.word("appAttemptId").and_then(|id| {
                let (rest, number) = id.strip_prefix("appattempt_")?.rsplit_once('_')?;
                Some((format!("application_{rest}"), number.parse::<i64>().ok()?))
            });
            let Some((app, number)) = named.or(of_container.map(|(app, n, _)| (app, n))) else { continue };
            let hosts = attempt.word("blacklistedNodes").unwrap_or("").split(',').map(str::trim);
            let seen = SeenAttempt {
                number,
                am_container: container.map(str::to_owned),
                blacklist: hosts.filter(|h| !h.is_empty()).map(str::to_owned).collect(),
            };
            // The latest attempt is the current one.
            if g.seen.attempts.get(&app).is_none_or(|known| known.number <= number) {
                g.seen.attempts.insert(app, seen);
            }
        }
        count(g.tally("attempt", list.len()), "attempt")
    })
}

pub(super) fn containers(look: &InputText<'_>, g: &mut Gathered) -> ReadOutcome {
    answer(look, |root, problems| {
        let list = records(root, "containers", "container");
        for container in &list {
            let Some(id) = container.word("containerId").or(container.word("id")).filter(|id| parts(id).is_some())
            else {
                problems.push(at(look, container, "A container without id is left out."));
                continue;
            };
            let node = container.word("assignedNodeId").or(container.word("nodeId")).unwrap_or("").to_owned();
            let number = |key| container.number(key);
            let mut size = Amount::new(number("allocatedMB").unwrap_or(0), number("allocatedVCores").unwrap_or(0));
            if let Some(all) = container.get("allocatedResources") {
                for (name, value) in all.map() {
                    let Some(value) = value.int() else { continue };
                    match name {
                        "memory-mb" => size.memory = value,
                        "vcores" => size.vcores = value,
                        _ => size.more.push((name.to_owned(), value)),
                    }
                }
            }
            let finished =
                number("finishedTime").unwrap_or(0) > 0 || container.word("containerState") == Some("COMPLETE");
            if finished || node.is_empty() {
                continue;
            }
            let (started, elapsed) = (number("startedTime"), number("elapsedTime"));
            g.seen.told_at(started, elapsed);
            let priority = container.get("priority").and_then(|p| p.int()).unwrap_or(0);
            let seen = SeenContainer { id: id.to_owned(), node, size, priority, started, elapsed };
            g.seen.containers.insert(id.to_owned(), seen);
        }
        g.seen.listed = true;
        g.seen.sources.entry("containers").or_insert_with(|| look.name.to_owned());
        count(g.tally("container", list.len()), "container")
    })
}

/// Reads `/get-node-labels` and `/get-rm-node-labels`.
pub(super) fn labels(look: &InputText<'_>, g: &mut Gathered) -> ReadOutcome {
    answer(look, |root, _| {
        let root = below(root, "nodeLabelsInfo");
        let list = if root.get("nodeLabelInfo").is_some() {
            root.list(&["nodeLabelInfo"])
        } else {
            root.list(&["nodeLabels"])
        };
        let mut n = 0;
        for label in &list {
            let Some(name) = label.word("name").or_else(|| label.text()) else { continue };
            n += usize::from(g.label(name, label.get("exclusivity").and_then(|e| e.bool())));
        }
        count(g.tally("label", n), "label")
    })
}

/// Reads `/get-node-to-labels` and `/label-mappings`.
pub(super) fn node_labels(look: &InputText<'_>, g: &mut Gathered) -> ReadOutcome {
    answer(look, |root, _| {
        let mut pairs: Vec<(String, String)> = Vec::new();
        let by_node = root.get("nodeToLabels").or(root.get("nodeToLabelsInfo").and_then(|i| i.get("nodeToLabels")));
        if let Some(map) = by_node {
            for (node, labels) in map.map() {
                let named = labels.list(&["nodeLabelInfo"]);
                let named = if named.is_empty() { labels.list(&["nodeLabels"]) } else { named };
                let names = named.iter().filter_map(|l| l.word("name").or_else(|| l.text()));
                pairs.extend(names.map(|label| (node.to_owned(), label.to_owned())));
            }
        }
        let by_label = root.get("labelsToNodes").or(root.get("labelsToNodesInfo").and_then(|i| i.get("labelsToNodes")));
        for entry in by_label.map(|m| m.list(&["entry"])).unwrap_or_default() {
            let Some(key) = entry.get("key") else { continue };
            let Some(label) = key.word("name").or_else(|| key.text()) else { continue };
            g.label(label, key.get("exclusivity").and_then(|e| e.bool()));
            let nodes = entry.get("value").map(|v| v.list(&["nodes"])).unwrap_or_default();
            pairs.extend(nodes.iter().filter_map(|n| n.text()).map(|node| (node.to_owned(), label.to_owned())));
        }
        let n = pairs.len();
        for (node, label) in pairs {
            if g.label(&label, None) {
                g.labels_of_nodes.insert(node, label);
            }
        }
        format!("labels of {}", count(g.tally("labelled node", n), "node"))
    })
}

/// Reads `/scheduler/activities` and `/scheduler/bulk-activities`.
pub(super) fn activities(look: &InputText<'_>, g: &mut Gathered) -> ReadOutcome {
    answer(look, |root, _| {
        let bulk = root.get("bulkActivities");
        let list = match bulk {
            Some(bulk) => bulk.list(&["activities"]),
            None => vec![below(root, "activities")],
        };
        let mut n = 0;
        for one in list {
            let Some(node) = one.word("nodeId") else { continue };
            let stamp = one.number("timestamp").or(one.number("timeStamp"));
            n += 1;
            for allocation in one.list(&["allocations"]) {
                let state = allocation.word("finalAllocationState").unwrap_or("");
                let container = allocation.word("updatedContainerId").or(allocation.word("allocatedContainerId"));
                let mut reserved = SeenReservation { container: container.map(str::to_owned), ..Default::default() };
                let found = allocation.get("root").is_some_and(|root| reservation(root, &mut reserved, 0));
                let reserved = (state == "RESERVED" && found).then_some(reserved);
                let mut said = Vec::new();
                if let Some(root) = allocation.get("root") {
                    words_of(root, "", &mut said, 0);
                }
                let skipped = state == "SKIPPED";
                g.seen.offers.push(SeenOffer { node: node.to_owned(), at: stamp, reserved, skipped, said });
            }
            if one.list(&["allocations"]).is_empty() {
                g.seen.offers.push(SeenOffer { node: node.to_owned(), at: stamp, ..SeenOffer::default() });
            }
        }
        format!("offers of {}", count(g.tally("offer", n), "node"))
    })
}

/// Collects the diagnostics of an activity's tree, each with the application or the queue that it is about.
fn words_of(node: &Node, about: &str, said: &mut Vec<Said>, depth: usize) {
    if depth > 40 {
        return;
    }
    let name = node.word("name").unwrap_or("");
    let own = node.number("requestPriority").is_none() && node.word("nodeId").is_none() && !name.is_empty();
    let about = if own { name } else { about };
    if let Some(words) = node.word("diagnostic").filter(|words| !words.trim().is_empty()) {
        said.push(Said { name: about.to_owned(), words: words.trim().to_owned() });
    }
    for child in node.list(&["children"]) {
        words_of(child, about, said, depth + 1);
    }
}

/// Follows a reservation down the tree of an activity. Returns whether it leads to a request.
fn reservation(node: &Node, found: &mut SeenReservation, depth: usize) -> bool {
    let state = node.word("allocationState").unwrap_or("");
    if depth > 40 || !matches!(state, "RESERVED" | "RE_RESERVED") {
        return false;
    }
    found.again |= state == "RE_RESERVED";
    let name = node.word("name").unwrap_or("");
    if name.starts_with("application_") {
        name.clone_into(&mut found.app);
    }
    if let Some(priority) = node.number("requestPriority") {
        found.priority = priority;
        found.id = node.number("allocationRequestId").unwrap_or(-1);
        return !found.app.is_empty();
    }
    node.list(&["children"]).into_iter().any(|child| reservation(child, found, depth + 1))
}

/// Reads `/scheduler/app-activities/ID`, which adds nothing to the scenario.
pub(super) fn app_activities(look: &InputText<'_>, _: &mut Gathered) -> ReadOutcome {
    answer(look, |root, _| {
        let own = below(root, "appActivities");
        own.word("applicationId").unwrap_or("").to_owned()
    })
}

/// Reports an exception of the ResourceManager, given instead of an answer.
pub(super) fn exception(look: &InputText<'_>, _: &mut Gathered) -> ReadOutcome {
    let (root, mut problems) = look.tree();
    let word =
        |name| root.as_ref().map(|r| below(r, "RemoteException")).and_then(|e| e.word(name)).unwrap_or("").to_owned();
    let (words, kind) = (word("message"), word("exception"));
    let what = format!("The ResourceManager answered with an exception, and not with what was asked for: {words}");
    let mend = if kind.contains("NotFound") || words.contains("not found") {
        "Ask for something that it knows: it forgets what ended long ago, and another ResourceManager's ids are none of its own."
    } else if ["Forbidden", "Authorization", "AccessControl", "Authentication"].iter().any(|part| kind.contains(part)) {
        "Ask again as a user who may: curl -L --negotiate -u : URL."
    } else {
        "Ask again as its message says; if it is about a user, as one who may: curl -L --negotiate -u : URL."
    };
    problems.push(Problem::error(look.name, Span::new(0, 0), what).mend(mend));
    ReadOutcome::not_read(problems)
}
