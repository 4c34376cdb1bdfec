//! The ResourceManager's settings in yarn-site.xml about its nodes (ResourceTrackerService, NodesListManager;
//! lifecycles-and-timing.md 2.1, 2.2, 4.2).

use super::properties::Key;
use crate::api::{NodeState, Properties};
use crate::model::Millis;

/// Settings about nodes.
#[derive(Clone, Debug, PartialEq)]
pub struct NodesConf {
    pub heartbeat: HeartbeatConf,
    /// `nodemanager-graceful-decommission-timeout-secs`: the timeout of a draining node; below 0: none.
    pub drain_timeout_s: i64,
    /// `enable-tracking-for-unregistered-nodes`: whether hosts of the include list that never registered count as lost.
    pub tracks_unregistered: bool,
    /// `enable-node-untracked-without-include-path`: whether a host may be untracked if there is no include list.
    pub untracked_without_list: bool,
    /// `node-removal-untracked.timeout-ms`: how long an inactive and untracked node stays listed.
    pub untracked_timeout: Millis,
    /// `node-removal-untracked.node-selective-states-to-remove`: only nodes in these states are removed; empty: in any.
    pub untracked_states: Vec<NodeState>,
}

/// The time between the heartbeats of nodes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct HeartbeatConf {
    /// `nodemanagers.heartbeat-interval-ms`.
    pub interval: Millis,
    /// The scaling with the load, if `nodemanagers.heartbeat-interval-scaling-enable` is on.
    pub scaling: Option<HeartbeatScaling>,
}

/// The rule by which the interval follows the load of a node.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct HeartbeatScaling {
    pub min: Millis,
    pub max: Millis,
    pub speedup: f32,
    pub slowdown: f32,
}

/// The load of a node, and of the cluster.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct NodeLoad {
    /// CPU that the node reports, in cores.
    pub node_cores: f32,
    /// Its physical cores; `None`: it has not reported them.
    pub physical_cores: Option<i32>,
    /// Vcores that all nodes report as used.
    pub cluster_used: i64,
    pub cluster_vcores: i64,
}

impl HeartbeatConf {
    /// Applies the rules of the ResourceManager: bounds that do not enclose the interval become the interval; if a
    /// factor is below 0, both become 1 (ResourceTrackerService.serviceInit).
    pub fn new(interval: Millis, scaling: Option<HeartbeatScaling>) -> Self {
        let scaling = scaling.map(|s| {
            let encloses = s.min > 0 && s.min <= interval && interval <= s.max;
            let (min, max) = if encloses { (s.min, s.max) } else { (interval, interval) };
            let negative = s.speedup < 0.0 || s.slowdown < 0.0;
            let (speedup, slowdown) = if negative { (1.0, 1.0) } else { (s.speedup, s.slowdown) };
            HeartbeatScaling { min, max, speedup, slowdown }
        });
        HeartbeatConf { interval, scaling }
    }

    /// The interval in a node's next answer, ms (RMNodeImpl.calculateHeartBeatInterval). Without a load it is the plain
    /// one.
    pub fn next(&self, load: Option<NodeLoad>) -> Millis {
        let scaled = self.scaling.zip(load).and_then(|(s, load)| Some((s, load, load.physical_cores?)));
        let Some((s, load, cores)) = scaled else { return self.interval };
        let cut = |share: f32| share.clamp(0.0, 1.0);
        let node = cut(load.node_cores / (cores as f32).max(1.0));
        let cluster = cut(load.cluster_used as f32 / (load.cluster_vcores as f32).max(1.0));
        let interval = self.interval as f32;
        let scaled = if node > cluster {
            interval * (1.0 + (node - cluster) * s.slowdown)
        } else {
            interval * (1.0 - (cluster - node) * s.speedup)
        };
        (scaled as Millis).max(s.min).min(s.max)
    }
}

const INTERVAL: Key<i64> = Key::site("yarn.resourcemanager.nodemanagers.heartbeat-interval-ms");
const LEAST_INTERVAL: Key<i64> = Key::site("yarn.resourcemanager.nodemanagers.heartbeat-interval-min-ms");
const MOST_INTERVAL: Key<i64> = Key::site("yarn.resourcemanager.nodemanagers.heartbeat-interval-max-ms");
const SPEEDUP: Key<f32> = Key::site("yarn.resourcemanager.nodemanagers.heartbeat-interval-speedup-factor");
const SLOWDOWN: Key<f32> = Key::site("yarn.resourcemanager.nodemanagers.heartbeat-interval-slowdown-factor");
const DRAIN_SECONDS: Key<i64> = Key::site("yarn.resourcemanager.nodemanager-graceful-decommission-timeout-secs");
const UNTRACKED_MS: Key<i64> = Key::site("yarn.resourcemanager.node-removal-untracked.timeout-ms");

impl NodesConf {
    /// Reads them. A value that cannot be parsed counts as not set.
    pub fn read(site: &Properties) -> Self {
        let key = |name: &str| format!("yarn.resourcemanager.{name}");
        let written = |name: &str| site.get(name).map(|v| v.trim());
        let text = |name: &str| written(&key(name));
        let on = |name: &str| text(name).is_some_and(|v| v.eq_ignore_ascii_case("true"));
        let whole = |key: Key<i64>| written(&key.name()).and_then(|v| v.parse().ok()).unwrap_or_else(|| key.default());
        let float = |key: Key<f32>| written(&key.name()).and_then(|v| v.parse().ok()).unwrap_or_else(|| key.default());
        let scaling = on("nodemanagers.heartbeat-interval-scaling-enable").then(|| HeartbeatScaling {
            min: whole(LEAST_INTERVAL),
            max: whole(MOST_INTERVAL),
            speedup: float(SPEEDUP),
            slowdown: float(SLOWDOWN),
        });
        let interval = whole(INTERVAL);
        NodesConf {
            heartbeat: HeartbeatConf::new(interval, scaling),
            drain_timeout_s: whole(DRAIN_SECONDS),
            tracks_unregistered: on("enable-tracking-for-unregistered-nodes"),
            untracked_without_list: on("enable-node-untracked-without-include-path"),
            untracked_timeout: whole(UNTRACKED_MS),
            untracked_states: text("node-removal-untracked.node-selective-states-to-remove")
                .map_or_else(Vec::new, |names| names.split(',').filter_map(|n| NodeState::of(n.trim())).collect()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SCALING: HeartbeatScaling = HeartbeatScaling { min: 1500, max: 2500, speedup: 1.0, slowdown: 1.0 };

    #[test]
    fn bounds_and_factors_that_make_no_sense_are_replaced() {
        for (given, taken) in [
            (SCALING, (1500, 2500, 1.0)),
            (HeartbeatScaling { min: 0, ..SCALING }, (2000, 2000, 1.0)),
            (HeartbeatScaling { min: 2001, ..SCALING }, (2000, 2000, 1.0)),
            (HeartbeatScaling { max: 1999, ..SCALING }, (2000, 2000, 1.0)),
            (HeartbeatScaling { speedup: 0.5, slowdown: -0.1, ..SCALING }, (1500, 2500, 1.0)),
            (HeartbeatScaling { speedup: 0.5, ..SCALING }, (1500, 2500, 0.5)),
        ] {
            let scaling = HeartbeatConf::new(2000, Some(given)).scaling.expect("it is on");
            assert_eq!((scaling.min, scaling.max, scaling.speedup), taken, "{given:?}");
        }
    }

    #[test]
    fn the_interval_follows_the_load_where_it_is_known() {
        let conf = HeartbeatConf::new(2000, Some(SCALING));
        let load = NodeLoad { node_cores: 4.0, physical_cores: Some(4), cluster_used: 20, cluster_vcores: 40 };
        assert_eq!(conf.next(Some(load)), 2500, "busy: cut to the longest");
        assert_eq!(conf.next(Some(NodeLoad { node_cores: 2.4, ..load })), 2200);
        assert_eq!(conf.next(Some(NodeLoad { node_cores: 0.0, ..load })), 1500, "idle: cut to the shortest");
        assert_eq!(conf.next(Some(NodeLoad { physical_cores: None, ..load })), 2000);
        assert_eq!(conf.next(None), 2000);
        assert_eq!(HeartbeatConf::new(2000, None).next(Some(load)), 2000);
    }

    #[test]
    fn settings_are_read_by_their_names() {
        let line = |(k, v): (&str, &str)| (format!("yarn.resourcemanager.{k}"), v.to_string());
        let site: Properties = [
            ("nodemanagers.heartbeat-interval-ms", "4000"),
            ("nodemanager-graceful-decommission-timeout-secs", "20"),
            ("node-removal-untracked.node-selective-states-to-remove", "DECOMMISSIONED, shutdown, nonsense"),
        ]
        .into_iter()
        .map(line)
        .collect();
        let read = NodesConf::read(&site);
        assert_eq!((read.heartbeat.interval, read.drain_timeout_s), (4000, 20));
        assert_eq!(read.untracked_states, [NodeState::Decommissioned, NodeState::Shutdown]);
        assert_eq!(NodesConf::read(&Properties::default()).untracked_timeout, 60_000);
    }
}
