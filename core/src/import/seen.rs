//! A running cluster as the ResourceManager's answers describe it: nodes, applications, containers, queues, the scheduler's
//! latest offers. Each reader adds the contents of its answer; none depends on another.

use super::sums::ClusterSums;
pub use crate::api::Said;
use crate::model::Millis;
use crate::scenario::units::size_text;
use indexmap::{IndexMap, IndexSet};

/// An amount of every resource type.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Amount {
    pub memory: i64,
    pub vcores: i64,
    /// The amounts of further types.
    pub more: Vec<(String, i64)>,
}

impl Amount {
    pub fn new(memory: i64, vcores: i64) -> Self {
        Amount { memory, vcores, more: Vec::new() }
    }

    pub fn sum<'a>(amounts: impl IntoIterator<Item = &'a Amount>) -> Self {
        amounts.into_iter().fold(Amount::default(), |sum, amount| sum.plus(amount))
    }

    pub fn is_zero(&self) -> bool {
        self.memory == 0 && self.vcores == 0 && self.more.iter().all(|(_, n)| *n == 0)
    }

    /// Returns the sum, saturating, since an answer can contain any number.
    pub fn plus(&self, other: &Amount) -> Amount {
        self.and(other, i64::saturating_add)
    }

    pub fn minus(&self, other: &Amount) -> Amount {
        self.and(other, i64::saturating_sub)
    }

    /// Returns the larger amount of each type.
    pub fn most(&self, other: &Amount) -> Amount {
        self.and(other, i64::max)
    }

    fn and(&self, other: &Amount, of: fn(i64, i64) -> i64) -> Amount {
        let mut out = self.clone();
        out.memory = of(out.memory, other.memory);
        out.vcores = of(out.vcores, other.vcores);
        for (name, n) in &other.more {
            match out.more.iter_mut().find(|(known, _)| known == name) {
                Some((_, there)) => *there = of(*there, *n),
                None => out.more.push((name.clone(), of(0, *n))),
            }
        }
        out
    }

    pub fn fits(&self, room: &Amount) -> bool {
        let more = |(name, n): &(String, i64)| {
            *n <= room.more.iter().find(|(known, _)| known == name).map_or(0, |(_, there)| *there)
        };
        self.memory <= room.memory && self.vcores <= room.vcores && self.more.iter().all(more)
    }

    /// Returns the amount as a scenario writes a size.
    pub fn written(&self) -> String {
        let more = self.more.iter().filter(|(_, n)| *n != 0).map(|(name, n)| (name.as_str(), *n));
        size_text(self.memory, self.vcores, more)
    }
}

/// Returns the host of a node; answers include the port.
pub fn host_of(node: &str) -> &str {
    node.rsplit_once(':').map_or(node, |(host, _)| host)
}

/// A node of `/nodes`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SeenNode {
    /// `host:port`.
    pub id: String,
    pub rack: Option<String>,
    pub state: String,
    pub total: Option<Amount>,
    pub used: Option<Amount>,
    pub containers: Option<i64>,
    pub label: Option<String>,
    pub attributes: Vec<(String, String)>,
}

impl SeenNode {
    pub fn host(&self) -> &str {
        host_of(&self.id)
    }

    pub fn port(&self) -> Option<i64> {
        self.id.rsplit_once(':').and_then(|(_, port)| port.parse().ok())
    }

    /// Returns whether it belongs to the cluster.
    pub fn is_there(&self) -> bool {
        matches!(self.state.as_str(), "RUNNING" | "DECOMMISSIONING" | "")
    }
}

/// A row of `resourceRequests`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SeenAsk {
    pub priority: i64,
    pub id: i64,
    pub place: String,
    pub size: Amount,
    pub count: i64,
    pub relax: bool,
    pub label: Option<String>,
}

/// An application of `/apps`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SeenApp {
    pub id: String,
    pub name: String,
    pub user: String,
    pub queue: String,
    pub state: String,
    pub kind: String,
    pub tags: Vec<String>,
    pub priority: Option<i64>,
    pub started: Option<Millis>,
    pub elapsed: Option<Millis>,
    pub diagnostics: String,
    pub master_node: Option<String>,
    pub allocated: Option<Amount>,
    pub reserved: Option<Amount>,
    pub running: Option<i64>,
    pub am_label: Option<String>,
    pub label: Option<String>,
    pub unmanaged: bool,
    /// The requests; `None`: the answer does not list them.
    pub asks: Option<Vec<SeenAsk>>,
    /// Its usage in the default partition, from `resourceInfo`.
    pub used: Option<Amount>,
    /// The usage of its AM, from `resourceInfo`.
    pub am_used: Option<Amount>,
    /// The label whose AM limit it is charged to, by `resourceInfo`; empty: none.
    pub am_charged: Option<String>,
    /// Its pending resources, from `resourceInfo`.
    pub pending: Option<Amount>,
}

impl SeenApp {
    /// Returns whether it runs or waits.
    pub fn is_there(&self) -> bool {
        matches!(self.state.as_str(), "RUNNING" | "ACCEPTED")
    }

    /// Returns its number within the cluster.
    pub fn number(&self) -> u64 {
        self.id.rsplit('_').next().and_then(|n| n.parse().ok()).unwrap_or(u64::MAX)
    }
}

/// An attempt.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SeenAttempt {
    pub number: i64,
    pub am_container: Option<String>,
    pub blacklist: Vec<String>,
}

/// A live container.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SeenContainer {
    pub id: String,
    /// `host:port`.
    pub node: String,
    pub size: Amount,
    pub priority: i64,
    pub started: Option<Millis>,
    pub elapsed: Option<Millis>,
}

/// Splits a container's id into its application's id, its attempt and its number.
pub fn parts(container: &str) -> Option<(String, i64, u64)> {
    let rest = container.strip_prefix("container_")?;
    // The epoch of the ResourceManager, if it was restarted.
    let rest = match rest.strip_prefix('e').and_then(|r| r.split_once('_')) {
        Some((epoch, rest)) if epoch.bytes().all(|b| b.is_ascii_digit()) => rest,
        _ => rest,
    };
    let mut parts = rest.split('_');
    let (stamp, app, attempt, number) = (parts.next()?, parts.next()?, parts.next()?, parts.next()?);
    Some((format!("application_{stamp}_{app}"), attempt.parse().ok()?, number.parse().ok()?))
}

/// A queue of `/scheduler`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SeenQueue {
    pub path: String,
    /// What each ApplicationMaster has on average, of a user or of all.
    pub masters: Vec<(Option<String>, Amount)>,
    pub leaf: bool,
    /// Properties derived from the answer, relative to the queue.
    pub properties: Vec<(String, String)>,
    /// Whether the ResourceManager created it automatically.
    pub dynamic: bool,
    pub used: Option<Amount>,
    /// Of partitions: what it says that it uses of all there is, in percent, and what it uses.
    pub shares: Vec<(String, f64, Amount)>,
    pub fair_share: Option<Amount>,
    pub steady: Option<Amount>,
    pub demand: Option<Amount>,
    pub maximum: Option<Amount>,
    /// The usage of each user in the queue.
    pub users: Vec<(String, Amount)>,
    pub children: Vec<SeenQueue>,
}

/// A node's latest successful offer, from its activities.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SeenOffer {
    pub node: String,
    pub at: Option<Millis>,
    /// The reservation that was made.
    pub reserved: Option<SeenReservation>,
    /// Whether it came to nothing.
    pub skipped: bool,
    /// What YARN says there of applications and queues.
    pub said: Vec<Said>,
}

#[derive(Clone, Debug, Default, PartialEq)]
pub struct SeenReservation {
    pub app: String,
    pub priority: i64,
    pub id: i64,
    pub container: Option<String>,
    /// Whether the container was reserved again.
    pub again: bool,
}

/// A cluster as the answers describe it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SeenCluster {
    pub nodes: IndexMap<String, SeenNode>,
    pub apps: IndexMap<String, SeenApp>,
    pub attempts: IndexMap<String, SeenAttempt>,
    pub containers: IndexMap<String, SeenContainer>,
    /// Whether an attempt's list of containers was given, even an empty one.
    pub listed: bool,
    pub queues: Option<SeenQueue>,
    pub offers: Vec<SeenOffer>,
    /// The node of the latest reservation, from `health`.
    pub last_reservation: Option<String>,
    pub minimum: Option<Amount>,
    pub maximum: Option<Amount>,
    /// The cluster's totals.
    pub sums: ClusterSums,
    /// The time of the answers, by the ResourceManager's clock.
    pub at: Option<Millis>,
    /// The text that each part came from.
    pub sources: IndexMap<&'static str, String>,
}

impl SeenCluster {
    /// Returns whether anything is known about a running cluster.
    pub fn any(&self) -> bool {
        !(self.nodes.is_empty() && self.apps.is_empty() && self.containers.is_empty()) || self.queues.is_some()
    }

    /// Returns the most memory and vcores that a container has, or that one is asked with.
    pub fn largest(&self) -> Amount {
        let asked = self.apps.values().filter(|app| app.is_there()).flat_map(|app| app.asks.iter().flatten());
        let sizes = asked.map(|ask| &ask.size).chain(self.containers.values().map(|container| &container.size));
        sizes.fold(Amount::default(), |most, size| most.most(size))
    }

    /// Returns the resource types besides memory and vcores that the answers speak of.
    pub fn types(&self) -> IndexSet<String> {
        let of_nodes = self.nodes.values().filter_map(|node| node.total.as_ref());
        let of_containers = self.containers.values().map(|container| &container.size);
        let of_apps = self.apps.values().flat_map(|app| {
            let asked = app.asks.iter().flatten().map(|ask| &ask.size);
            asked.chain(&app.allocated).chain(&app.pending).chain(&app.used)
        });
        let all = of_nodes.chain(of_containers).chain(of_apps);
        all.flat_map(|amount| amount.more.iter().map(|(name, _)| name.clone())).collect()
    }

    /// The latest offers of nodes, newest first, up to the first that changed something: what they found holds still. By
    /// host, each once.
    pub fn offers_that_hold(&self) -> Vec<(String, Vec<Said>)> {
        let mut by_node: IndexMap<&str, Vec<&SeenOffer>> = IndexMap::new();
        for offer in &self.offers {
            let list = by_node.entry(offer.node.as_str()).or_default();
            match list.first().map_or(std::cmp::Ordering::Greater, |first| offer.at.cmp(&first.at)) {
                std::cmp::Ordering::Less => {}
                std::cmp::Ordering::Equal => list.push(offer),
                std::cmp::Ordering::Greater => *list = vec![offer],
            }
        }
        let mut nodes: Vec<_> = by_node.into_iter().collect();
        nodes.sort_by_key(|(_, list)| std::cmp::Reverse(list.first().and_then(|o| o.at)));
        let mut out = Vec::new();
        for (node, list) in nodes {
            let Some(last) = list.last().filter(|o| o.skipped) else { break };
            if !last.said.is_empty() {
                out.push((host_of(node).to_owned(), last.said.clone()));
            }
            if list.iter().any(|o| !o.skipped) {
                break;
            }
        }
        out
    }

    /// Raises the time of the answers to at least `started` + `elapsed` of something that they contain.
    pub fn told_at(&mut self, started: Option<Millis>, elapsed: Option<Millis>) {
        if let (Some(started), Some(elapsed)) = (started, elapsed) {
            self.at = self.at.max(Some(started.saturating_add(elapsed)));
        }
    }

    /// Returns the text that a part came from.
    pub fn source(&self, part: &str) -> &str {
        self.sources.get(part).map_or("", String::as_str)
    }
}
