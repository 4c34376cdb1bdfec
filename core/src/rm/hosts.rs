//! Include and exclude lists and their refresh, hosts that never registered, untracked nodes, and the counts of nodes
//! by state (NodesListManager; lifecycles-and-timing.md 4.2).

use super::manager::ResourceManager;
use crate::journal::{NodeGone, Recorder};
use crate::model::{Millis, NodeId};
use crate::scheduler::{Node, NodeState};

/// The include and exclude lists.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct HostLists {
    /// The hosts that may register; empty: all.
    pub include: Vec<String>,
    /// The hosts that may not register, each with its decommissioning timeout, seconds.
    pub exclude: Vec<(String, Option<i64>)>,
}

impl HostLists {
    fn lists_as_excluded(&self, host: &str) -> Option<Option<i64>> {
        self.exclude.iter().find(|(name, _)| name == host).map(|(_, timeout)| *timeout)
    }

    /// Returns whether a host may not register: it is excluded, or not among those included.
    pub fn excludes(&self, host: &str) -> bool {
        let included = self.include.is_empty() || self.include.iter().any(|name| name == host);
        !included || self.lists_as_excluded(host).is_some()
    }

    /// Returns whether a host is in no list although there is one, or in no list at all with `without_list`
    /// (isUntrackedNode).
    fn forgets(&self, host: &str, without_list: bool) -> bool {
        let tracks = !self.include.is_empty() || without_list;
        tracks && !self.include.iter().any(|name| name == host) && self.lists_as_excluded(host).is_none()
    }
}

/// Graceful decommissioning of the nodes that may not register any more.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct Drain {
    /// The timeout where the exclude list gives none, seconds; `None`: the setting's.
    pub timeout_s: Option<i64>,
}

/// The numbers of nodes by state (ClusterMetrics).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct NodeCounts {
    pub active: usize,
    pub unhealthy: usize,
    pub decommissioning: usize,
    pub decommissioned: usize,
    pub lost: usize,
    pub rebooted: usize,
    pub shutdown: usize,
}

impl NodeCounts {
    fn count(&mut self, state: NodeState) {
        match state {
            NodeState::New => {}
            NodeState::Running => self.active += 1,
            NodeState::Unhealthy => self.unhealthy += 1,
            NodeState::Decommissioning => self.decommissioning += 1,
            NodeState::Decommissioned => self.decommissioned += 1,
            NodeState::Lost => self.lost += 1,
            NodeState::Rebooted => self.rebooted += 1,
            NodeState::Shutdown => self.shutdown += 1,
        }
    }
}

impl ResourceManager {
    /// Reads the lists of hosts again (`-refreshNodes`): nodes that may not register any more are decommissioned, at
    /// once or (with `drain`) gracefully; draining nodes that may register again are recommissioned.
    /// `default_timeout_s`: the present value of the setting.
    pub fn refresh_hosts<R: Recorder>(
        &mut self,
        lists: HostLists,
        drain: Option<Drain>,
        default_timeout_s: Option<i64>,
        rec: &mut R,
    ) {
        self.hosts = lists;
        if let Some(seconds) = default_timeout_s {
            self.site.nodes.drain_timeout_s = seconds;
        }
        for id in (0..self.cluster.nodes.len()).map(NodeId::from) {
            let node = self.cluster.node(id);
            let (state, host) = (node.state, node.host.clone());
            if state.is_out() || state == NodeState::New {
                continue;
            }
            if !self.hosts.excludes(&host) {
                if state == NodeState::Decommissioning {
                    self.recommission_node(id, rec);
                }
                continue;
            }
            match drain {
                Some(drain) => {
                    let own = self.hosts.lists_as_excluded(&host).flatten();
                    let timeout = own.or(drain.timeout_s).unwrap_or(self.site.nodes.drain_timeout_s);
                    self.decommission_node(id, timeout, rec);
                }
                None if self.hosts.forgets(&host, self.site.nodes.untracked_without_list) => {
                    self.take_node_out(id, NodeState::Shutdown, NodeGone::Shutdown, rec);
                }
                None => self.take_node_out(id, NodeState::Decommissioned, NodeGone::Decommissioned, rec),
            }
        }
        self.list_unregistered();
    }

    /// Counts excluded hosts that never registered as decommissioned and, where that is on, included ones as lost.
    fn list_unregistered(&mut self) {
        let known = |host: &str| self.cluster.nodes.iter().any(|n| n.host == host && n.state != NodeState::New);
        let excluded = self.hosts.exclude.iter().map(|(host, _)| (host.clone(), NodeState::Decommissioned));
        let mut unregistered: Vec<(String, NodeState)> = excluded.filter(|(host, _)| !known(host)).collect();
        if self.site.nodes.tracks_unregistered {
            let allowed = self.hosts.include.iter().filter(|host| !self.hosts.excludes(host) && !known(host));
            unregistered.extend(allowed.map(|host| (host.clone(), NodeState::Lost)));
        }
        self.unregistered = unregistered;
    }

    /// Removes untracked nodes from the list: those that are inactive and in no list for longer than the timeout.
    pub fn forget_untracked(&mut self) {
        let (now, conf) = (self.cluster.now, &self.site.nodes);
        for node in &mut self.cluster.nodes {
            let selected = conf.untracked_states.is_empty() || conf.untracked_states.contains(&node.state);
            let untracked = self.hosts.forgets(&node.host, conf.untracked_without_list);
            if !node.state.is_out() || node.forgotten || !untracked || !selected {
                node.untracked_since = None;
                continue;
            }
            match node.untracked_since {
                None => node.untracked_since = Some(now),
                Some(since) => node.forgotten = now.saturating_sub(since) > conf.untracked_timeout,
            }
        }
    }

    /// Returns the period of that check, ms: half the timeout, and ten minutes at most.
    pub fn untracked_period(&self) -> Millis {
        (self.site.nodes.untracked_timeout / 2).clamp(1, 600_000)
    }

    /// Returns the inactive nodes that are still listed.
    pub fn inactive_nodes(&self) -> impl Iterator<Item = &Node> {
        self.cluster.nodes.iter().filter(|n| n.state.is_out() && !n.forgotten)
    }

    /// Returns the numbers of nodes by state.
    pub fn node_counts(&self) -> NodeCounts {
        let mut counts = NodeCounts { active: self.active_too_many, ..NodeCounts::default() };
        self.cluster.nodes.iter().filter(|n| !n.forgotten).for_each(|n| counts.count(n.state));
        self.unregistered.iter().for_each(|(_, state)| counts.count(*state));
        counts
    }
}

#[cfg(test)]
mod tests {
    use crate::journal::Silent;
    use crate::rm::testing::Fixture;
    use crate::rm::{Drain, HostLists};
    use crate::scheduler::NodeState;

    const ONE: &str = "root.queues default\nroot.default.capacity 100";

    fn lists(include: &[&str], exclude: &[(&str, Option<i64>)]) -> HostLists {
        HostLists {
            include: include.iter().map(|h| h.to_string()).collect(),
            exclude: exclude.iter().map(|(h, t)| (h.to_string(), *t)).collect(),
        }
    }

    #[test]
    fn who_is_not_allowed_any_more_leaves_at_once_or_drains() {
        let mut w = Fixture::new(ONE, "");
        let nodes = ["h1", "h2", "h3"].map(|host| w.node(host, 4));
        let state = |w: &Fixture, i: usize| w.rm.node(nodes[i]).map(|n| n.state);
        w.rm.refresh_hosts(lists(&[], &[("h1", Some(20)), ("h2", None)]), Some(Drain::default()), None, &mut Silent);
        let patience = |w: &Fixture, i: usize| w.rm.node(nodes[i]).and_then(|n| n.decommission_timeout);
        assert_eq!([0, 1].map(|i| patience(&w, i)), [Some(20_000), Some(3_600_000)]);
        w.rm.refresh_hosts(lists(&["h1", "h2"], &[("h2", None)]), None, None, &mut Silent);
        let states = [NodeState::Running, NodeState::Decommissioned, NodeState::Shutdown];
        assert_eq!([0, 1, 2].map(|i| state(&w, i)), states.map(Some), "h3 is in no list any more");
        let spec = crate::rm::NodeSpec {
            host: "h2".into(),
            port: 1,
            rack: "/r1".into(),
            total: crate::model::Resource::new(4096, 4),
            label: None,
        };
        let refused = w.rm.add_node(spec, &mut Silent).unwrap_err();
        assert!(refused.message.starts_with("Disallowed NodeManager from  h2"), "{}", refused.message);
    }

    #[test]
    fn a_node_that_is_out_and_untracked_is_not_listed_for_long() {
        let site = "yarn.resourcemanager.enable-node-untracked-without-include-path true\n\
                    yarn.resourcemanager.node-removal-untracked.timeout-ms 500";
        let mut w = Fixture::new(ONE, site);
        let node = w.node("h1", 4);
        w.rm.remove_node(node, &mut Silent);
        let listed = |w: &Fixture| (w.rm.inactive_nodes().count(), w.rm.node_counts().lost);
        for (at, there) in [(1_000, 1), (1_500, 1), (1_501, 0)] {
            w.at(at);
            w.rm.forget_untracked();
            assert_eq!(listed(&w), (there, there), "{at}");
        }
        w.node("h1", 4);
        assert_eq!((w.rm.node_counts().active, listed(&w)), (1, (0, 0)));
    }
}
