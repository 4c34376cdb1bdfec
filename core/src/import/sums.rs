//! Nodes of a cluster whose size is known only as a sum: from what the root queue may use, or from the cluster's metrics. The
//! limits of queues are shares of that sum, so it matters more than how it is divided.

use super::json::Loose;
use super::rest::amount;
use super::seen::{Amount, SeenNode};
use super::write::alike_nodes;
use super::{Gathered, RemarkAbout, count};
use crate::client::json::Node;
use indexmap::IndexMap;

/// The sums that answers give.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ClusterSums {
    /// The total of each partition, by its label.
    pub parts: IndexMap<String, Amount>,
    /// The total of all partitions.
    pub all: Option<Amount>,
    pub nodes: Option<i64>,
}

/// The nodes of a partition where their number is not known: of 128 GB as far as these bounds allow.
const NODE_MB: i64 = 128 << 10;
const NODES: (i64, i64) = (4, 40);
/// Bounds of what answers may claim.
const MOST: i64 = 1 << 50;
const NODES_MOST: i64 = 20_000;

impl ClusterSums {
    /// Reads what the root queue of the CapacityScheduler may use of each partition.
    pub fn of_root(&mut self, root: &Node) {
        for part in root.list(&["capacities", "queueCapacitiesByPartition"]) {
            if let Some(total) = part.get("effectiveMaxResource").map(amount).filter(|total| total.memory > 0) {
                self.parts.insert(part.word("partitionName").unwrap_or("").to_owned(), total);
            }
        }
    }

    /// Reads the metrics of the cluster.
    pub fn of_metrics(&mut self, metrics: &Node) {
        let total = metrics
            .number("totalMB")
            .filter(|n| *n > 0)
            .map(|mb| Amount::new(mb, metrics.number("totalVirtualCores").unwrap_or(0)));
        self.all = total.or(self.all.take());
        self.nodes = metrics.number("activeNodes").filter(|n| *n > 0).or(self.nodes);
    }

    /// Reads what there is under the FifoScheduler.
    pub fn of_fifo(&mut self, info: &Node) {
        let total = info.number("totalNodeCapacity").filter(|n| *n > 0).map(|mb| Amount::new(mb, 0));
        self.all = self.all.take().or(total);
        self.nodes = self.nodes.or(info.number("numNodes").filter(|n| *n > 0));
    }

    /// Returns what each of `n` nodes has if they have together what there is.
    pub fn each_of(&self, n: i64) -> Amount {
        let all = self.all.clone().unwrap_or_else(|| Amount::sum(self.parts.values()));
        let share = |all: i64| (all.clamp(0, MOST) + n - 1) / n.max(1);
        let mut each = Amount::new(share(all.memory), share(all.vcores));
        each.more = all.more.iter().map(|(name, all)| (name.clone(), share(*all))).collect();
        each
    }

    /// Returns the nodes of each partition: how many, and what they have together.
    fn divided(&self) -> Vec<(String, i64, Amount)> {
        let mut parts = self.parts.clone();
        if let Some(all) = self.all.as_ref().filter(|_| parts.is_empty()) {
            parts.insert(String::new(), all.clone());
        }
        let whole = parts.values().fold(0i64, |sum, total| sum.saturating_add(total.memory)).max(1);
        let number = |total: &Amount| {
            let known = self.nodes.map(|n| n.min(NODES_MOST) as f64 * total.memory as f64 / whole as f64);
            let n = known.map_or_else(|| (total.memory / NODE_MB + 1).clamp(NODES.0, NODES.1), |n| n.round() as i64);
            // No node is without memory or without vcores.
            let most = if total.vcores > 0 { total.memory.min(total.vcores) } else { total.memory };
            n.clamp(1, most.clamp(1, NODES_MOST))
        };
        parts.into_iter().map(|(label, total)| (label, number(&total), total)).collect()
    }
}

/// Divides an amount among nodes so that it adds up: the first node has the memory that is left, and as many of the last as
/// there are left have one more of the other types. Nodes that are alike are counted together.
fn groups(whole: &Amount, n: i64) -> Vec<(Amount, i64)> {
    let each = |all: i64| all.clamp(0, MOST) / n;
    let over = |all: i64, at: i64| i64::from(at >= n - all.clamp(0, MOST) % n);
    let mut out: Vec<(Amount, i64)> = Vec::new();
    for at in 0..n {
        let left = if at == 0 { whole.memory.clamp(0, MOST) % n } else { 0 };
        let mut size = Amount::new(each(whole.memory) + left, each(whole.vcores) + over(whole.vcores, at));
        size.more = whole.more.iter().map(|(name, all)| (name.clone(), each(*all) + over(*all, at))).collect();
        match out.last_mut() {
            Some((last, count)) if *last == size => *count += 1,
            _ => out.push((size, 1)),
        }
    }
    out
}

/// Nodes of one size: the label, the first one's name, how many, and the size of each.
struct Alike {
    label: String,
    name: String,
    count: i64,
    size: Amount,
}

/// Divides what there is of each partition among nodes, and says so; empty: no answer says it.
fn divided(g: &mut Gathered) -> Vec<Alike> {
    let parts = g.seen.sums.divided();
    let vcores = super::hosts::node_size(g).vcores;
    let (mut told, mut out) = (Vec::new(), Vec::new());
    for (label, n, total) in parts {
        let vcores = if total.vcores > 0 { total.vcores } else { vcores * n };
        let whole = Amount { memory: total.memory, vcores, more: total.more };
        let prefix = if label.is_empty() { "n".to_owned() } else { format!("{label}-n") };
        for ((size, count), group) in groups(&whole, n).into_iter().zip('a'..) {
            // Names go on from group to group: n1, n2, n-b1.
            let name = if group == 'a' { prefix.clone() } else { format!("{prefix}-{group}") };
            out.push(Alike { label: label.clone(), name, count, size });
        }
        let of = if label.is_empty() { String::new() } else { format!(" of {label}") };
        told.push(format!("{}{of} with {} together", count(n as usize, "node"), whole.written()));
    }
    if !told.is_empty() {
        let number = if g.seen.sums.nodes.is_some() { "" } else { "; how many there are is assumed" };
        g.infer_of(
            RemarkAbout::Nodes,
            format!("{}, all of about the same size{number}.", told.join(", ")),
            "/scheduler (the root queue) or /metrics",
        );
        g.lack_of(
            [RemarkAbout::Nodes],
            "How many nodes there are, and how large each is.",
            "/ws/v1/cluster/nodes says it",
        );
    }
    out
}

/// Writes nodes that have together what there is of each partition. Returns false if no answer says it.
pub(super) fn nodes(g: &mut Gathered, out: &mut String) -> bool {
    let all = divided(g);
    for one in &all {
        alike_nodes(out, &one.name, one.count as usize, &one.size.written(), &one.label);
    }
    !all.is_empty()
}

/// Adds the same nodes one by one, so that containers can be spread over them.
pub(super) fn seen(g: &mut Gathered) -> bool {
    let all = divided(g);
    for one in &all {
        for n in 1..=one.count {
            let id = if one.count == 1 { one.name.clone() } else { format!("{}{n}", one.name) };
            let label = Some(one.label.clone()).filter(|label| !label.is_empty());
            let node = SeenNode { id: id.clone(), total: Some(one.size.clone()), label, ..SeenNode::default() };
            g.seen.nodes.insert(id, node);
        }
    }
    !all.is_empty()
}

#[cfg(test)]
mod tests {
    use super::super::{Given, import};

    const ROOT: &str = r#"{"scheduler": {"schedulerInfo": {"type": "capacityScheduler", "queueName": "root", "capacity": 100.0,
        "capacities": {"queueCapacitiesByPartition": [
            {"partitionName": "", "effectiveMaxResource": {"memory": 1000001, "vCores": 100}},
            {"partitionName": "gpu", "effectiveMaxResource": {"memory": 200000, "vCores": 20}}]},
        "queues": {"queue": [{"type": "capacitySchedulerLeafQueueInfo", "queueName": "a", "capacity": 100.0}]}}}}"#;
    const METRICS: &str = r#"{"clusterMetrics": {"activeNodes": 12, "totalMB": 1200001, "totalVirtualCores": 120}}"#;
    const FIFO: &str = r#"{"scheduler": {"schedulerInfo": {"type": "fifoScheduler", "qstate": "RUNNING", "numNodes": 4, "totalNodeCapacity": 32768}}}"#;

    #[test]
    fn nodes_add_up_to_what_the_answers_say() {
        for (texts, numbers) in [
            (vec![ROOT], [("", 8, 1_000_001, 100), ("gpu", 4, 200_000, 20)].as_slice()),
            (vec![METRICS, ROOT], &[("", 10, 1_000_001, 100), ("gpu", 2, 200_000, 20)]),
            (vec![FIFO], &[("", 4, 32_768, 32)]),
        ] {
            let given: Vec<Given<'_>> = texts.iter().map(|text| Given { name: "x", text }).collect();
            let found = import(&given);
            let scenario =
                crate::scenario::read(found.scenario.as_deref().expect("a scenario")).scenario.expect("sound");
            for (label, n, memory, vcores) in numbers {
                let here = || scenario.nodes.iter().filter(|node| node.spec.label.as_deref().unwrap_or("") == *label);
                let sums = here().fold((0, 0), |s, n| (s.0 + n.spec.total.memory_mb(), s.1 + n.spec.total.vcores()));
                assert_eq!((here().count(), sums), (*n, (*memory, *vcores)), "{label}: {:?}", found.scenario);
            }
            assert!(found.unknown.iter().any(|lack| lack.what.starts_with("How many nodes")), "{:?}", found.unknown);
        }
    }
}
