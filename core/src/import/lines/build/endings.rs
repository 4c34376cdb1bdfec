//! Containers and attempts that end because of YARN.

use super::draft::{AM, Draft, JOB, TASK, am, bounded, host, name, path, queue_name, tasks};
use crate::import::lines::figure::Figures;

/// Two queues of one half each: one has taken everything, the other asks, and preemption makes room.
pub fn preempted(_: &Figures) -> Result<Draft, String> {
    let mut d = Draft::new("A queue below its share takes back what it is owed", 70_000, "app:greedy");
    d.assume("two queues of 50 %: root.a took all, root.b asks");
    d.site("resourcemanager.scheduler.monitor.enable", true);
    d.site("resourcemanager.monitor.capacity.preemption.total_preemption_per_round", "1.0");
    d.site("resourcemanager.monitor.capacity.preemption.natural_termination_factor", "1.0");
    d.capacity("root.queues", "a,b");
    d.capacity("maximum-am-resource-percent", 1);
    for queue in ["a", "b"] {
        d.capacity(&format!("root.{queue}.capacity"), 50);
        d.capacity(&format!("root.{queue}.user-limit-factor"), 2);
    }
    d.node("n1", (4096, 8), "");
    d.node("n2", (4096, 8), "");
    d.app("greedy", "0 s", "root.a", "alice", AM, &tasks(7, (1024, 1), ""));
    d.app("owed", "20 s", "root.b", "bob", AM, &tasks(3, (1024, 1), ""));
    Ok(d)
}

/// Two FairScheduler queues, one of which is above its fair share.
pub fn fair_preempts(f: &Figures) -> Result<Draft, String> {
    let mut d = Draft { fair: true, ..Draft::new("A starved queue gets its fair share back", 70_000, "app:greedy") };
    let greedy = f.text("queue").and_then(queue_name).map_or_else(|| "root.greedy".to_string(), path);
    let victim = f.pair("victim").filter(|v| v.0 > 0 && v.1 > 0).unwrap_or((1024, 1));
    bounded(&[victim])?;
    let starved = if greedy == "root.starved" { "root.owed" } else { "root.starved" };
    d.assume(format!("two queues of equal weight: {greedy} took all, {starved} asks and starves for 5 s"));
    d.site("scheduler.fair.preemption", true);
    d.site("scheduler.fair.preemption.cluster-utilization-threshold", "0.0");
    let mut file = String::from("<?xml version=\"1.0\"?>\n<allocations>\n");
    for queue in [greedy.as_str(), starved] {
        let parts: Vec<&str> = queue.split('.').skip(1).collect();
        parts.iter().for_each(|part| file.push_str(&format!("<queue name=\"{part}\">")));
        file.push_str("<maxAMShare>-1.0</maxAMShare><fairSharePreemptionTimeout>5</fairSharePreemptionTimeout><fairSharePreemptionThreshold>1.0</fairSharePreemptionThreshold>");
        parts.iter().for_each(|_| file.push_str("</queue>"));
        file.push('\n');
    }
    d.allocations = Some(file + "</allocations>");
    d.allow(&[victim]);
    let node = (victim.0.saturating_mul(4), victim.1.saturating_mul(4));
    bounded(&[node])?;
    d.node("n1", node, "");
    d.node("n2", node, "");
    d.app("greedy", "0 s", &greedy, "alice", &am(victim), &tasks(7, victim, ""));
    d.app("owed", "20 s", starved, "bob", &am(victim), &tasks(3, victim, ""));
    Ok(d)
}

pub fn expired(_: &Figures) -> Result<Draft, String> {
    let mut d = Draft::new("A container that was never started", 90_000, JOB);
    d.assume("the node stops before the AM, which calls every 20 s, starts the container; it expires after 10 s (600 s by default)");
    d.timing.push(("allocation_expiry".into(), "\"10 s\"".into()));
    d.queue("default");
    d.node("n1", (4096, 4), "");
    d.node("n2", (4096, 4), "");
    let am = "{ size = \"1024 MB/1\", heartbeat = \"20 s\", places = [\"n1\"], relax = false }";
    let task = tasks(1, (1024, 1), ", places = [\"n2\"], relax = false");
    d.app("job", "1 s", "root.default", "alice", am, &task);
    d.happening("35 s", "do = \"crash_node\"\nnode = \"n2\"");
    Ok(d)
}

fn lose(f: &Figures, title: &str, of_am: bool) -> Result<Draft, String> {
    let mut d = Draft::new(title, 60_000, JOB);
    let host = f.text("host").or(f.text("node")).map(host).and_then(name).unwrap_or_else(|| {
        d.assume("node n1");
        "n1"
    });
    let other = if host == "n2" { "n1" } else { "n2" };
    d.assume("the node goes silent while it holds the container, and is lost after 20 s (600 s by default)");
    d.timing.push(("node_expiry".into(), "\"20 s\"".into()));
    d.queue("default");
    d.node(host, (4096, 4), "");
    d.node(other, (4096, 4), "");
    let am_place = if of_am { host } else { other };
    let am = format!("{{ size = \"1024 MB/1\", places = [\"{am_place}\"], relax = false }}");
    let task = tasks(1, (1024, 1), &format!(", places = [\"{host}\"]"));
    let attempts = if of_am { "max_attempts = 1\n" } else { "" };
    d.app("job", "1 s", "root.default", "alice", &am, &format!("{attempts}{task}"));
    d.happening("20 s", &format!("do = \"crash_node\"\nnode = \"{host}\""));
    Ok(d)
}

pub fn lost(f: &Figures) -> Result<Draft, String> {
    lose(f, "A container lost with its node", false)
}

pub fn am_lost(f: &Figures) -> Result<Draft, String> {
    lose(f, "An AM lost with its node", true)
}

pub fn am_timed_out(f: &Figures) -> Result<Draft, String> {
    let mut d = Draft::new("An AM that went silent", 60_000, JOB);
    let attempts = f.number("attempts").filter(|n| (1..=20).contains(n)).unwrap_or(1);
    d.assume("the AM goes silent, and expires after 20 s (600 s by default)");
    d.timing.push(("am_expiry".into(), "\"20 s\"".into()));
    d.queue("default");
    d.node("n1", (8192, 8), "");
    d.app("job", "1 s", "root.default", "alice", AM, &format!("max_attempts = {attempts}\n{TASK}"));
    for i in 0..attempts {
        d.happening(&format!("{} s", 20 + i * 60), "do = \"hang_am\"\napp = \"job\"");
    }
    d.at = (20 + (attempts - 1) * 60 + 40) * 1000;
    Ok(d)
}
