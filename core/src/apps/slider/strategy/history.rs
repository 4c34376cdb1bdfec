//! The role history: which hosts each component used and when, the requests that wait for a host, and the choice of a host for
//! a new request (slider-placement.md 4.3, 7.2, 7.3, 8, 14.4).

use super::component::Component;
use super::decision::{Decision, LeftOut, Skip, TargetChoice};
use super::nodes::{Node, NodeEntry, NodeReport, preferred};
use super::records::{NodeRecord, Records};
use super::requests::Tracker;
use crate::model::{Millis, java, order};
use std::collections::{BTreeMap, VecDeque};

/// The role history. Where the real one iterates over hash maps, this one orders hosts by name.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct History {
    /// All hosts that were reported, used or found in a file.
    pub nodes: BTreeMap<String, Node>,
    /// Hosts for the next requests of each component, in the order in which they are tried. A host can occur twice.
    pub recent: BTreeMap<i32, VecDeque<String>>,
    /// Outstanding requests.
    pub requests: Tracker,
    /// The number of components when the ApplicationMaster started: components with a higher id are not saved, and get no
    /// recent list from a file.
    pub roles: i32,
    /// The time at which the loaded history was saved.
    pub thawed: Option<Millis>,
}

impl History {
    /// Returns a host, and creates it if it was not reported before.
    pub fn node(&mut self, host: &str) -> &mut Node {
        self.nodes.entry(host.to_string()).or_default()
    }

    /// Returns a component's entry on a host, and creates it if there is none.
    pub fn entry(&mut self, host: &str, id: i32) -> &mut NodeEntry {
        self.node(host).entry(id)
    }

    /// Returns the recent list of a component.
    pub fn recent(&self, id: i32) -> impl Iterator<Item = &str> {
        self.recent.get(&id).into_iter().flatten().map(String::as_str)
    }

    /// Returns the hosts where containers of a component stay.
    pub fn active(&self, id: i32) -> impl Iterator<Item = &str> {
        self.nodes.iter().filter(move |(_, n)| n.active(id) > 0).map(|(host, _)| host.as_str())
    }

    /// Loads a saved history. Returns the number of records of components that do not exist.
    pub fn rebuild(&mut self, saved: &Records, known: impl Fn(i32) -> bool) -> usize {
        self.nodes.clear();
        self.recent.clear();
        self.requests.clear();
        self.thawed = Some(saved.saved);
        let mut discarded = 0;
        for record in &saved.nodes {
            if !known(record.role) {
                discarded += 1;
                continue;
            }
            let last_used = if record.active { saved.saved } else { record.last_used };
            let entry = NodeEntry { last_used, ..NodeEntry::default() };
            self.node(&record.host).entries.insert(record.role, entry);
        }
        discarded
    }

    /// Builds the recent lists from the hosts, which the real one iterates over as a Java `HashMap`: hosts that compare as
    /// equal keep that order.
    pub fn build_recent(&mut self) {
        self.recent.clear();
        let all: Vec<(&String, &Node)> = self.nodes.iter().collect();
        for (host, node) in java::walk_by(&all, |(host, _)| host) {
            for (id, entry) in node.entries.range(0..self.roles.max(0)) {
                if entry.available() {
                    self.recent.entry(*id).or_default().push_back(host.clone());
                }
            }
        }
        for id in 0..self.roles {
            self.sort_recent(id);
        }
    }

    fn sort_recent(&mut self, id: i32) {
        let Some(list) = self.recent.get_mut(&id) else { return };
        let unknown = Node::default();
        let mut hosts: Vec<String> = list.drain(..).collect();
        let node = |host: &String| self.nodes.get(host).unwrap_or(&unknown);
        order::sort_by(&mut hosts, |a, b| preferred(node(a), node(b), id));
        list.extend(hosts);
    }

    /// Returns the records to be saved now. The hosts are in the iteration order of a clone of a Java `HashMap`, from which the
    /// real one writes.
    pub fn records(&self, now: Millis, mapping: Vec<(String, i32)>) -> Records {
        let hashes: Vec<i32> = self.nodes.keys().map(|host| java::string_hash(host)).collect();
        let all: Vec<(&String, &Node)> = self.nodes.iter().collect();
        // A clone gets the capacity that it needs: (int) (size / 0.75f + 1), rounded up to a power of two.
        let capacity = (all.len() * 4 / 3 + 1).next_power_of_two();
        let mut nodes = Vec::new();
        for place in java::hash_walk_in(&hashes, capacity) {
            let (host, node) = all[place];
            for (id, entry) in node.entries.range(0..self.roles.max(0)) {
                nodes.push(NodeRecord {
                    host: host.clone(),
                    role: *id,
                    active: entry.live > 0,
                    last_used: entry.last_used,
                });
            }
        }
        Records { saved: now, roles: self.roles, mapping, count: nodes.len() as i64, nodes }
    }

    /// Applies reports. Returns whether the cluster has changed.
    pub fn report(&mut self, reports: &[NodeReport], told: &mut Vec<Decision>) -> bool {
        let mut changed = false;
        for report in reports {
            let known = self.nodes.contains_key(&report.host);
            if let Some(why) = self.node(&report.host).report(report, known) {
                changed = true;
                told.push(Decision::ClusterChanged { host: report.host.clone(), why });
            }
        }
        changed
    }

    /// Chooses a host for a new request of a component without anti-affinity, and removes it from the recent list.
    pub fn find_host(&mut self, component: &Component) -> (Option<String>, TargetChoice) {
        let (id, settings) = (component.id(), &component.settings);
        if settings.policy.anywhere() {
            return (None, TargetChoice::NoHistoryWanted);
        }
        let mut skipped = Vec::new();
        let unknown = Node::default();
        let list = self.recent.entry(id).or_default();
        for (at, host) in list.iter().enumerate() {
            let node = self.nodes.get(host).unwrap_or(&unknown);
            let skip = if node.active(id) != 0 {
                Some(Skip::Active(node.active(id)))
            } else if settings.policy.strict() {
                None
            } else if !node.state.usable() {
                Some(Skip::Offline(node.state))
            } else if node.exceeds(id, settings.node_failure_threshold) {
                Some(Skip::Failures(node.failed_recently(id), settings.node_failure_threshold))
            } else {
                None
            };
            match skip {
                Some(why) => skipped.push((host.clone(), why)),
                None => {
                    let last_used = node.entries.get(&id).map_or(0, |e| e.last_used);
                    let host = host.clone();
                    list.remove(at);
                    return (Some(host.clone()), TargetChoice::Recent { host, last_used, skipped });
                }
            }
        }
        (None, TargetChoice::NoRecent { skipped })
    }

    /// Returns every host that can take one more anti-affine instance, by name, and why the others cannot.
    pub fn eligible(&mut self, id: i32, label: Option<&str>) -> (Vec<String>, LeftOut) {
        let mut left_out = LeftOut::default();
        let mut hosts = Vec::new();
        for (host, node) in &mut self.nodes {
            match node.can_host(id, label) {
                Ok(()) => hosts.push(host.clone()),
                Err(why) => left_out.count(why),
            }
        }
        (hosts, left_out)
    }

    /// Returns how many hosts can take one more anti-affine instance, and the others by reason.
    pub fn count_eligible(&self, id: i32, label: Option<&str>) -> (usize, LeftOut) {
        let (mut eligible, mut left_out) = (0, LeftOut::default());
        for node in self.nodes.values() {
            match node.bars(id, label) {
                Some(why) => left_out.count(why),
                None => eligible += 1,
            }
        }
        (eligible, left_out)
    }

    /// Drops the requests of a component that has all that it wants; the hosts that they were bound to return to the recent
    /// list.
    pub fn drop_requests(&mut self, id: i32, told: &mut Vec<Decision>) {
        let (placed, open) = self.requests.reset(id);
        let hosts: Vec<String> = placed.iter().filter_map(|r| r.host().map(String::from)).collect();
        for ask in placed.iter().chain(&open).filter_map(|r| r.ask.as_ref()) {
            told.push(Decision::Dropped { component: id, ask: ask.id });
        }
        if !hosts.is_empty() {
            self.recent.entry(id).or_default().extend(hosts);
            self.sort_recent(id);
        }
    }

    /// Records that a container ended and left its host free for another one.
    pub fn free(&mut self, host: &str, id: i32, now: Millis) {
        self.entry(host, id).last_used = now;
        self.recent.entry(id).or_default().push_front(host.to_string());
    }

    /// Resets the recent failures.
    pub fn reset_failures(&mut self) {
        for entry in self.nodes.values_mut().flat_map(|n| n.entries.values_mut()) {
            entry.failed_recently = 0;
        }
    }

    /// Recomputes the blacklist. Returns the hosts to add, and the hosts to remove.
    pub fn update_blacklist<'c>(
        &mut self,
        components: impl Iterator<Item = &'c Component> + Clone,
        told: &mut Vec<Decision>,
    ) -> (Vec<String>, Vec<String>) {
        let (mut add, mut remove) = (Vec::new(), Vec::new());
        for (host, node) in &mut self.nodes {
            let culprit = components.clone().find(|c| node.exceeds(c.id(), c.settings.node_failure_threshold));
            if culprit.is_some() == node.blacklisted {
                continue;
            }
            node.blacklisted = culprit.is_some();
            match culprit {
                Some(c) => {
                    add.push(host.clone());
                    told.push(Decision::Blacklisted {
                        host: host.clone(),
                        component: c.id(),
                        failures: node.failed_recently(c.id()),
                        threshold: c.settings.node_failure_threshold,
                    });
                }
                None => {
                    remove.push(host.clone());
                    told.push(Decision::Restored { host: host.clone() });
                }
            }
        }
        (add, remove)
    }
}
