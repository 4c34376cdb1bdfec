//! Requests that a check in the activities blocks (ActivityDiagnosticConstant).

use super::draft::{AM, Draft, JOB, NO_AM, Pair, bounded, host, name, plus, size, step, tasks};
use crate::config::resource_text::DOMINANT;
use crate::import::lines::figure::Figures;

fn draft(title: &str) -> Draft {
    let mut d = Draft::new(title, 30_000, JOB);
    d.capacity("maximum-am-resource-percent", 1);
    d
}

/// Sets up one queue with everything, and a user limit that is never reached.
fn one_queue(d: &mut Draft) {
    d.queue("default");
    d.capacity("root.default.user-limit-factor", 100);
}

pub fn constraint(f: &Figures) -> Result<Draft, String> {
    let mut d = draft("A placement constraint that no node meets");
    let expression = f.text("expression").unwrap_or("notin,node,zk").trim_matches('"');
    let (parts, target): (Vec<&str>, &str) =
        (expression.split(',').map(str::trim).collect(), f.text("target").unwrap_or("ALLOCATION_TAG"));
    let tag = parts.get(2).copied().and_then(name).ok_or("the constraint has no tag that is read here")?;
    let scope =
        parts.get(1).copied().filter(|s| ["node", "rack"].contains(s)).ok_or("the scope is neither node nor rack")?;
    d.site("resourcemanager.placement-constraints.handler", "scheduler");
    one_queue(&mut d);
    d.assume("one node");
    d.node("n1", (8192, 8), "");
    let spec = match (parts.first().copied(), target.starts_with("ALLOCATION")) {
        (Some("notin"), true) => format!("{tag}(2),NOTIN,{},{tag}", scope.to_uppercase()),
        (Some("in"), true) => {
            let own = if tag == "web" { "app" } else { "web" };
            format!("{own}(1),IN,{},{tag}", scope.to_uppercase())
        }
        _ => return Err("only `in` and `notin` with tags are built".into()),
    };
    d.assume(format!("a distributed shell with {spec}"));
    d.app(
        "job",
        "1 s",
        "root.default",
        "alice",
        AM,
        &format!("kind = \"distributed-shell\"\nspec = \"{spec}\"\nsize = \"1024 MB/1\"\nduration = \"forever\""),
    );
    Ok(d)
}

/// The placement processor rejects a request that no node satisfies.
pub fn processor(_: &Figures) -> Result<Draft, String> {
    let mut d = draft("The placement processor finds no node");
    d.site("resourcemanager.placement-constraints.handler", "placement-processor");
    one_queue(&mut d);
    d.assume("one node, and two zk that must not share one");
    d.node("n1", (8192, 8), "");
    let more =
        "kind = \"distributed-shell\"\nspec = \"zk(2),NOTIN,NODE,zk\"\nsize = \"1024 MB/1\"\nduration = \"forever\"";
    d.app("job", "1 s", "root.default", "alice", AM, more);
    Ok(d)
}

pub fn other_partition(f: &Figures) -> Result<Draft, String> {
    let mut d = draft("A node of another partition");
    let wanted = f.text("partition").filter(|wanted| !wanted.is_empty());
    let node_label = f
        .text("node_partition")
        .map(|own| own.trim_matches(|c: char| !c.is_alphanumeric() && c != '-' && c != '_'))
        .and_then(name);
    if let Some(own) = node_label {
        return partition_of_node(d, own, wanted.and_then(name));
    }
    let label = wanted.and_then(name).unwrap_or("gpu");
    one_queue(&mut d);
    d.label(label, "root.default", true);
    d.assume(format!("the request asks for label {label}; its node is full, the other one has none"));
    d.node("n1", (8192, 8), "");
    d.node("g1", (1024, 1), &format!("label = \"{label}\"\n"));
    d.app("busy", "0 s", "root.default", "bob", NO_AM, &tasks(1, (1024, 1), &format!(", label = \"{label}\"")));
    // The scheduler considers an application for a partition only while it has pending requests there.
    d.assume("the application waits for a node that is not there as well");
    let wants = format!(
        "tasks = [{{ count = 1, size = \"1024 MB/1\", duration = \"forever\", priority = 1, label = \"{label}\" }}, {{ count = 1, \
         size = \"1024 MB/1\", duration = \"forever\", places = [\"n9\"], relax = false }}]"
    );
    d.app("job", "5 s", "root.default", "alice", AM, &wants);
    Ok(d)
}

/// A node with a label, and a request for another one or none.
fn partition_of_node(mut d: Draft, own: &str, wanted: Option<&str>) -> Result<Draft, String> {
    one_queue(&mut d);
    // The scheduler considers an application for a partition only while it has pending requests there.
    d.label(own, "root.default", true);
    let second = wanted.filter(|wanted| *wanted != own);
    if let Some(wanted) = second {
        d.label(wanted, "root.default", true);
        d.capacity("root.default.accessible-node-labels", format!("{own},{wanted}"));
        d.node("w1", (1024, 1), &format!("label = \"{wanted}\"\n"));
        let held = tasks(1, (1024, 1), &format!(", label = \"{wanted}\""));
        d.app("busy", "0 s", "root.default", "bob", NO_AM, &held);
        d.assume(format!("the request asks for label {wanted}, whose node is full"));
    } else {
        d.app("busy", "0 s", "root.default", "bob", NO_AM, &tasks(1, (1024, 1), ""));
        d.assume("the request asks for no label, and the node without one is full");
    }
    d.node("n1", (1024, 1), "");
    // One container a heartbeat: the node is looked at again and again, and has room.
    d.at = 10_900;
    d.node("g1", (65_536, 64), &format!("label = \"{own}\"\n"));
    d.assume(format!("the application asks for many containers of label {own} as well, and gets one a heartbeat"));
    let label = |label: Option<&str>| label.map_or(String::new(), |label| format!(", label = \"{label}\""));
    let of = |count: i64, priority: i32, wanted: Option<&str>| {
        format!(
            "{{ count = {count}, size = \"1024 MB/1\", duration = \"forever\", priority = {priority}{} }}",
            label(wanted)
        )
    };
    let wants = format!("tasks = [{}, {}]", of(1, 1, second), of(60, 5, Some(own)));
    d.app("job", "5 s", "root.default", "alice", NO_AM, &wants);
    Ok(d)
}

fn sizes(f: &Figures, d: &mut Draft) -> Result<(Pair, Pair), String> {
    let ask = f.pair("ask").unwrap_or_else(|| {
        d.assume("a request of 4096 MB");
        (4096, 1)
    });
    let free = f.pair("free").unwrap_or_else(|| {
        d.assume("half of that is free on the only node");
        (ask.0 / 2, ask.1.max(1))
    });
    bounded(&[ask, free])?;
    if ask.0 <= 0 || ask.1 <= 0 || free.0 < 0 || free.1 < 0 {
        return Err("less than nothing of a resource".into());
    }
    Ok((ask, free))
}

/// A request that does not fit the free resources of the only node.
pub fn node_free(f: &Figures) -> Result<Draft, String> {
    let mut d = draft("Too little is free on the node");
    let (ask, free) = sizes(f, &mut d)?;
    if ask.0 <= free.0 && ask.1 <= free.1 {
        return Err("the request fits into what is free by these figures".into());
    }
    let dominant = ask.1 > 1 || ask.0 <= free.0 || f.text("lacking").is_some_and(|types| types.contains("vcores"));
    let step = step([ask.0, free.0].into_iter());
    d.allow(&[ask, free]);
    if dominant {
        d.capacity("resource-calculator", DOMINANT);
    }
    one_queue(&mut d);
    let node = (free.0.saturating_add(ask.0), free.1.saturating_add(ask.1));
    bounded(&[node])?;
    if free.0 < step {
        return Err("a node with so little free is passed over before its requests are looked at".into());
    }
    // All nodes together have room for it: otherwise the queue's headroom would block it.
    let count = (ask.0 / free.0 + 2).max(if dominant { ask.1 / free.1.max(1) + 2 } else { 0 });
    if count > 300 {
        return Err("more than 300 nodes with so little free would be needed".into());
    }
    d.assume(format!("{count} nodes of {}, on each of which another application holds {}", size(node), size(ask)));
    d.node("n{1}", node, &format!("count = {count}\n"));
    d.app("busy", "0 s", "root.default", "bob", NO_AM, &tasks(count, ask, ""));
    d.app("job", "15 s", "root.default", "alice", NO_AM, &tasks(1, ask, ""));
    Ok(d)
}

/// A request larger than a node, while a larger node is full.
pub fn node_total(f: &Figures) -> Result<Draft, String> {
    let mut d = draft("A node smaller than the request");
    let (ask, total) = sizes(f, &mut d)?;
    if ask.0 <= total.0 {
        return Err("the node is large enough for the request by these figures".into());
    }
    if total.0 == 0 {
        return Err("a node of nothing is none".into());
    }
    d.allow(&[ask, total]);
    one_queue(&mut d);
    let count = ask.0 / total.0 + 2;
    if count > 300 {
        return Err("more than 300 nodes of that size would be needed".into());
    }
    d.assume(format!("{count} nodes of that size, and one of {}, which is full", size(ask)));
    d.node("n1", ask, "");
    d.node("s{1}", (total.0, total.1.max(1)), &format!("count = {count}\n"));
    let held = ", places = [\"n1\"], relax = false";
    d.app("busy", "0 s", "root.default", "bob", NO_AM, &tasks(1, ask, held));
    d.app("job", "5 s", "root.default", "alice", NO_AM, &tasks(1, ask, ""));
    Ok(d)
}

pub fn node_full(_: &Figures) -> Result<Draft, String> {
    let mut d = draft("The node is full");
    one_queue(&mut d);
    d.assume("one node of 4096 MB, all of it used");
    d.node("n1", (4096, 8), "");
    d.app("busy", "0 s", "root.default", "bob", NO_AM, &tasks(4, (1024, 1), ""));
    d.app("job", "5 s", "root.default", "alice", NO_AM, &tasks(1, (1024, 1), ""));
    Ok(d)
}

pub fn user_max(_: &Figures) -> Result<Draft, String> {
    let mut d = draft("A user is at its limit");
    d.assume("user-limit-factor 0.5, and the user holds more than half of one node");
    d.queue("default");
    d.capacity("root.default.user-limit-factor", "0.5");
    d.node("n1", (8192, 8), "");
    d.app("job", "1 s", "root.default", "alice", NO_AM, &tasks(8, (1024, 1), ""));
    Ok(d)
}

fn half_queue(d: &mut Draft) {
    d.capacity("root.queues", "a,b");
    for queue in ["a", "b"] {
        d.capacity(&format!("root.{queue}.capacity"), 50);
        d.capacity(&format!("root.{queue}.user-limit-factor"), 100);
    }
    d.capacity("root.a.maximum-capacity", 50);
    d.assume("root.a may have half of one node of 8192 MB");
}

pub fn queue_max(_: &Figures) -> Result<Draft, String> {
    let mut d = draft("A queue is at its maximum");
    half_queue(&mut d);
    d.node("n1", (8192, 8), "");
    d.app("job", "1 s", "root.a", "alice", NO_AM, &tasks(8, (1024, 1), ""));
    Ok(d)
}

pub fn headroom(_: &Figures) -> Result<Draft, String> {
    let mut d = draft("A request larger than what its queue may still take");
    half_queue(&mut d);
    d.node("n1", (8192, 8), "");
    d.app("busy", "0 s", "root.a", "bob", NO_AM, &tasks(3, (1024, 1), ""));
    d.app("job", "5 s", "root.a", "alice", NO_AM, &tasks(1, (2048, 1), ""));
    Ok(d)
}

pub fn no_access(_: &Figures) -> Result<Draft, String> {
    let mut d = draft("A partition that the queue may not use");
    d.assume("label gpu, which root.a may not use; all other nodes are full");
    d.labels.push("gpu".into());
    d.site("node-labels.enabled", true);
    // The queue is visited for the label while another one has requests for it.
    d.assume("root.b has used up its half of the label and asks for more");
    d.capacity("root.queues", "a,b,c");
    for (queue, share) in [("a", 50), ("b", 25), ("c", 25)] {
        d.capacity(&format!("root.{queue}.capacity"), share);
        d.capacity(&format!("root.{queue}.user-limit-factor"), 100);
        if queue == "a" {
            continue;
        }
        d.capacity(&format!("root.{queue}.accessible-node-labels"), "gpu");
        d.capacity(&format!("root.{queue}.accessible-node-labels.gpu.capacity"), 50);
        d.capacity(&format!("root.{queue}.accessible-node-labels.gpu.maximum-capacity"), 50);
    }
    d.capacity("root.a.accessible-node-labels", " ");
    d.capacity("root.accessible-node-labels.gpu.capacity", 100);
    d.node("g1", (8192, 8), "label = \"gpu\"\n");
    d.app("labelled", "0 s", "root.b", "carol", NO_AM, &tasks(8, (1024, 1), ", label = \"gpu\""));
    d.node("n1", (1024, 1), "");
    d.app("busy", "0 s", "root.a", "bob", NO_AM, &tasks(1, (1024, 1), ""));
    d.app("job", "5 s", "root.a", "alice", NO_AM, &tasks(1, (1024, 1), ""));
    Ok(d)
}

/// A container that waits on its reservation, by a line that has the node's containers and sizes.
pub fn reservation(f: &Figures) -> Result<Draft, String> {
    let (Some(ask), Some(used), Some(free), Some(count)) =
        (f.pair("ask").or(f.pair("reserved")), f.pair("used"), f.pair("free"), f.number("containers"))
    else {
        return node_reserved(f);
    };
    let mut d = draft("A container waits on its reservation");
    let node = plus(used, free);
    bounded(&[ask, used, free, node])?;
    let fits = ask.0 <= free.0;
    if ask.0 <= 0 || ask.1 <= 0 || used.0 < 0 || used.1 < 0 || free.0 < 0 || (fits && ask.1 <= free.1) {
        return Err("the container fits into what is free by these figures".into());
    }
    let count = count.clamp(i64::from(used.0 > 0), 500);
    let step = step([ask.0, used.0, free.0].into_iter());
    // Where memory alone is counted a container has one vcore.
    if used.1 != count || ask.1 != 1 || fits {
        d.capacity("resource-calculator", DOMINANT);
        d.assume("the dominant resource is counted: containers have vcores of their own");
    }
    if used.0 > 0 && (used.0 / step < count || used.1 < count) {
        return Err("so many containers do not go into what is used".into());
    }
    let (named, port) = f.text("node").map_or(("n1", ""), |node| node.split_once(':').unwrap_or((node, "")));
    let named = name(named).unwrap_or("n1");
    let port = port.parse::<u16>().map_or(String::new(), |port| format!("port = {port}\n"));
    d.allow(&[ask, used, free]);
    d.site("scheduler.maximum-allocation-mb", node.0.max(8192));
    d.site("scheduler.maximum-allocation-vcores", node.1.max(4));
    one_queue(&mut d);
    d.assume("node size = used + free");
    d.node(named, (node.0, node.1.max(1)), &port);
    // The queue has headroom for the container, and no other node is large enough.
    let other = if named == "n2" { "n1" } else { "n2" };
    let missing = ((ask.0 - free.0).max(0), (ask.1 - free.1).max(0));
    let beside = if fits { (ask.0, ask.1 - 1) } else { (ask.0 - step, ask.1.max(missing.1)) };
    if beside.0 <= 0 || beside.1 <= 0 || missing.0 > beside.0 || missing.1 > beside.1 {
        return Err("by these figures the queue's headroom stops the container before the node is looked at".into());
    }
    d.assume(format!("one more node of {}, which is too small for it", size(beside)));
    d.node(other, beside, "");
    if count > 0 {
        let each = (used.0 / count / step * step, used.1 / count);
        let last = (used.0 - each.0 * (count - 1), used.1 - each.1 * (count - 1));
        let task = |count: i64, of: Pair| {
            format!(
                "{{ count = {count}, size = \"{}\", duration = \"forever\", places = [\"{named}\"], relax = false }}",
                size(of)
            )
        };
        let all = if count > 1 { vec![task(count - 1, each), task(1, last)] } else { vec![task(1, last)] };
        d.assume(format!("another application has the node's {count} containers"));
        d.app("busy", "0 s", "root.default", "bob", NO_AM, &format!("tasks = [{}]", all.join(", ")));
    }
    d.app("first", "15 s", "root.default", "alice", NO_AM, &tasks(1, ask, ""));
    d.what = "app:first".into();
    Ok(d)
}

/// A node that multi-node placement skips, since it is reserved.
pub fn candidate_reserved(_: &Figures) -> Result<Draft, String> {
    let mut d = draft("A reserved node among the candidates");
    d.assume(
        "multi-node placement that skips reserved nodes, whose five nodes have 1024 MB free each; one is reserved",
    );
    d.capacity("multi-node-placement-enabled", true);
    d.capacity("multi-node-sorting.policy.names", "default");
    d.capacity("multi-node-sorting.policy", "default");
    d.capacity(
        "multi-node-sorting.policy.default.class",
        "org.apache.hadoop.yarn.server.resourcemanager.scheduler.placement.ResourceUsageMultiNodeLookupPolicy",
    );
    d.capacity("skip-allocate-on-nodes-with-reserved-containers", true);
    one_queue(&mut d);
    d.node("n{1}", (4096, 4), "count = 5\n");
    d.app("busy", "0 s", "root.default", "bob", NO_AM, &tasks(5, (3072, 1), ""));
    d.app("first", "5 s", "root.default", "carol", NO_AM, &tasks(1, (2048, 1), ""));
    d.app("job", "10 s", "root.default", "alice", NO_AM, &tasks(1, (2048, 1), ""));
    Ok(d)
}

/// A queue that is skipped since its node is reserved: only in the very offer that reserves.
pub fn queue_reserved(f: &Figures) -> Result<Draft, String> {
    let mut d = node_reserved(f)?;
    d.lose("a reserved node is offered to its reservation only, and no queue is looked at for it");
    Ok(d)
}

pub fn node_reserved(f: &Figures) -> Result<Draft, String> {
    let mut d = draft("A node is reserved for another application");
    let ask = f.pair("ask").or(f.pair("reserved")).filter(|a| a.0 > 0).unwrap_or((4096, 1));
    bounded(&[ask])?;
    let host = f.text("node").map(host).and_then(name).unwrap_or("n1");
    d.allow(&[ask]);
    one_queue(&mut d);
    let node = (ask.0.saturating_mul(2), ask.1.max(1) * 2);
    bounded(&[node])?;
    d.assume(format!("one node of {}; the first application waits for {} of it", size(node), size(ask)));
    d.node(host, node, "");
    // The queue has headroom for the container, and the other node is too small for it.
    let other = if host == "n2" { "n1" } else { "n2" };
    let beside = (ask.0 - step([ask.0].into_iter()), ask.1.max(1));
    if beside.0 > 0 {
        d.assume("one more node, which is too small for it");
        d.node(other, beside, "");
    }
    let small = step([ask.0].into_iter());
    let held = |of: Pair| {
        format!(
            "{{ count = 1, size = \"{}\", duration = \"forever\", places = [\"{host}\"], relax = false }}",
            size(of)
        )
    };
    let busy = format!("tasks = [{}, {}]", held((ask.0, 1)), held((small, 1)));
    d.app("busy", "0 s", "root.default", "bob", NO_AM, &busy);
    d.app("first", "5 s", "root.default", "carol", NO_AM, &tasks(1, ask, ""));
    d.app("job", "10 s", "root.default", "alice", NO_AM, &tasks(1, ask, ""));
    if f.has("ask") || f.has("container") {
        d.what = "app:first".into();
    }
    Ok(d)
}

pub fn non_partitioned_first(_: &Figures) -> Result<Draft, String> {
    let mut d = draft("The default partition comes first");
    d.assume("label x lends its room; ten nodes of the default partition are full");
    d.at = 10_500;
    one_queue(&mut d);
    d.label("x", "root.default", false);
    d.node("n{1}", (1024, 1), "count = 10\n");
    d.node("x1", (8192, 8), "label = \"x\"\n");
    d.app("busy", "0 s", "root.default", "bob", NO_AM, &tasks(10, (1024, 1), ""));
    d.app("job", "3 s", "root.default", "alice", NO_AM, &tasks(1, (1024, 1), ""));
    Ok(d)
}

pub fn elsewhere(_: &Figures) -> Result<Draft, String> {
    let mut d = draft("A request for one host only");
    one_queue(&mut d);
    d.assume("the request asks for n1 without relaxing, and n1 is full");
    d.node("n1", (1024, 1), "");
    d.node("n2", (8192, 8), "");
    let held = ", places = [\"n1\"], relax = false";
    d.app("busy", "0 s", "root.default", "bob", NO_AM, &tasks(1, (1024, 1), held));
    d.app("job", "5 s", "root.default", "alice", NO_AM, &tasks(1, (1024, 1), held));
    Ok(d)
}

/// A request without a row for this node, its rack or anywhere: YARN stops one without a row for anywhere before.
pub fn no_place(f: &Figures) -> Result<Draft, String> {
    let mut d = elsewhere(f)?;
    d.lose("a request has a row for anywhere, whose check speaks of delay or of relaxing; one without it is stopped before");
    Ok(d)
}

pub fn off_switch_delay(_: &Figures) -> Result<Draft, String> {
    let mut d = draft("A request waits for its host");
    one_queue(&mut d);
    d.at = 13_000;
    d.assume("the request asks for n1, which is full like eleven more, and relaxes after as many missed chances as there are nodes");
    d.node("n1", (1024, 1), "rack = \"/r1\"\n");
    d.capacity("rack-locality-additional-delay", 40);
    d.node("f{1}", (1024, 1), "count = 11\nrack = \"/r1\"\n");
    d.node("n2", (16_384, 16), "rack = \"/r2\"\n");
    let pinned = |host: &str| {
        format!("{{ count = 1, size = \"1024 MB/1\", duration = \"forever\", places = [\"{host}\"], relax = false }}")
    };
    let held: Vec<String> =
        std::iter::once("n1".to_string()).chain((1..=11).map(|i| format!("f{i}"))).map(|host| pinned(&host)).collect();
    d.app("busy", "0 s", "root.default", "bob", NO_AM, &format!("tasks = [{}]", held.join(", ")));
    d.app("job", "5 s", "root.default", "alice", NO_AM, &tasks(1, (1024, 1), ", places = [\"n1\"]"));
    Ok(d)
}

pub fn blacklisted(_: &Figures) -> Result<Draft, String> {
    let mut d = draft("A node on the application's blacklist");
    one_queue(&mut d);
    d.assume("the application blacklists n2, and n1 has no room");
    d.node("n1", (1024, 1), "");
    d.node("n2", (8192, 8), "");
    let call = "kind = \"requests\"\n[[apps.calls]]\nat = \"1 s\"\nblacklist_add = [\"n2\"]\nasks = [{ count = 1, size = \"1024 MB/1\", duration = \"forever\" }]";
    d.app("job", "5 s", "root.default", "alice", "{ size = \"1024 MB/1\", places = [\"n1\"], relax = false }", call);
    Ok(d)
}
