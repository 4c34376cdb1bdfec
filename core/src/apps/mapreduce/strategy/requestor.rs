//! The requests of a MapReduce ApplicationMaster as they are sent (RMContainerRequestor; lifecycles-and-timing.md 6.1): rows
//! with absolute counts, of which the changed ones are sent, limits of what is requested at once, and the hosts that the job
//! avoids.

use crate::api::{AllocateCall, AskRow};
use crate::model::{ContainerId, Millis, Resource};
use crate::strategy::ask_table::ANY;
use std::collections::{BTreeMap, BTreeSet};

/// A task attempt's request for a container.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct Request {
    /// The number of the task attempt.
    pub attempt: u32,
    pub priority: i32,
    pub size: Resource,
    pub hosts: Vec<String>,
    pub racks: Vec<String>,
    /// The time at which the request was made.
    pub at: Millis,
}

/// The settings of a job for the hosts that it avoids.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Avoiding {
    /// `yarn.app.mapreduce.am.job.node-blacklisting.enable`.
    pub enabled: bool,
    /// `mapreduce.job.maxtaskfailures.per.tracker`: the number of failed attempts at which a host is avoided.
    pub failures: u32,
    /// `yarn.app.mapreduce.am.job.node-blacklisting.ignore-threshold-node-percent`: the share of avoided hosts from which on no
    /// host is avoided; −1: never.
    pub ignore_percent: i32,
}

impl Default for Avoiding {
    fn default() -> Self {
        Avoiding { enabled: true, failures: 3, ignore_percent: 33 }
    }
}

impl Avoiding {
    /// Returns whether `avoided` of `nodes` are too many to avoid (computeIgnoreBlacklisting, in 32-bit floats).
    pub fn is_too_many(&self, avoided: usize, nodes: usize) -> bool {
        nodes > 0 && (avoided as f32 / nodes as f32 * 100.0) as i32 >= self.ignore_percent
    }
}

/// Priority, place, size: the order in which rows are sent.
type Key = (i32, String, Resource);

/// The rows, and the rest of the next call.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct Requestor {
    rows: BTreeMap<Key, i64>,
    /// Rows to be sent, with their counts.
    changed: BTreeMap<Key, i64>,
    releases: Vec<ContainerId>,
    /// The largest number requested for any place, by priority and size; `i64::MAX`: the limit was removed.
    limits: BTreeMap<(i32, Resource), i64>,
    limits_to_say: BTreeSet<(i32, Resource)>,
    avoiding: Avoiding,
    failures: BTreeMap<String, u32>,
    avoided: BTreeSet<String>,
    /// Whether there are so many avoided hosts that none is avoided.
    ignoring: bool,
    blacklist_add: BTreeSet<String>,
    blacklist_remove: BTreeSet<String>,
    /// The nodes of the cluster in the last answer and in the one before, and the number of avoided hosts when it was last
    /// checked.
    nodes: usize,
    nodes_before: usize,
    avoided_before: usize,
}

impl Requestor {
    pub fn new(avoiding: Avoiding) -> Self {
        Requestor { avoiding, ..Requestor::default() }
    }

    /// Adds a request for a container on its hosts (except avoided ones), in its racks and anywhere.
    pub fn add(&mut self, request: &Request) {
        for host in request.hosts.iter().filter(|host| !self.avoids(host)).cloned().collect::<Vec<_>>() {
            self.count(request, &host, 1);
        }
        for rack in &request.racks {
            self.count(request, rack, 1);
        }
        self.count(request, ANY, 1);
    }

    /// Removes one request.
    pub fn take_back(&mut self, request: &Request) {
        for place in request.hosts.iter().chain(&request.racks).map(String::as_str).chain([ANY]) {
            self.count(request, place, -1);
        }
    }

    fn count(&mut self, request: &Request, place: &str, by: i64) {
        let key = (request.priority, place.to_string(), request.size);
        let count = match self.rows.get(&key) {
            Some(count) => *count,
            // The row of an avoided host may be gone.
            None if by < 0 => return,
            None => 0,
        };
        let count = (count + by).max(0);
        if count == 0 {
            self.rows.remove(&key);
        } else {
            self.rows.insert(key.clone(), count);
        }
        self.changed.insert(key, count);
    }

    /// Gives a container back.
    pub fn release(&mut self, container: ContainerId) {
        self.releases.push(container);
    }

    /// Limits the number of containers requested for any place, by priority and size (setRequestLimit).
    pub fn limit(&mut self, priority: i32, size: Resource, most: i64) {
        let before = self.limits.insert((priority, size), most);
        if before.is_none_or(|before| before < most) {
            self.limits_to_say.insert((priority, size));
        }
    }

    /// Returns whether anything is limited.
    pub fn is_limited(&self) -> bool {
        !self.limits.is_empty()
    }

    fn apply_limits(&mut self) {
        for ((priority, size), most) in &self.limits {
            let key = (*priority, ANY.to_string(), *size);
            let Some(count) = self.rows.get(&key).copied() else { continue };
            if self.changed.contains_key(&key) || self.limits_to_say.contains(&(*priority, *size)) {
                self.changed.insert(key, count.min(*most));
            }
        }
        self.limits_to_say.clear();
    }

    /// Records that a task attempt failed on a host; after too many failures the host is avoided and no longer asked for.
    pub fn failed_on(&mut self, host: &str) {
        if !self.avoiding.enabled || self.avoided.contains(host) {
            return;
        }
        let failures = self.failures.entry(host.to_string()).or_default();
        *failures += 1;
        if *failures < self.avoiding.failures {
            return;
        }
        self.failures.remove(host);
        self.avoided.insert(host.to_string());
        if !self.ignoring {
            self.blacklist_add.insert(host.to_string());
        }
        let here: Vec<Key> = self.rows.keys().filter(|(_, place, _)| place == host).cloned().collect();
        for key in here {
            // A row that YARN has not received need not be sent; the others are overwritten.
            if self.changed.remove(&key).is_some() {
                self.rows.remove(&key);
            } else {
                self.changed.insert(key, 0);
            }
        }
    }

    /// Returns whether a host is avoided now.
    pub fn avoids(&self, host: &str) -> bool {
        self.avoiding.enabled && !self.ignoring && self.avoided.contains(host)
    }

    /// Returns the request without the hosts that are avoided.
    pub fn without_avoided(&self, request: &Request) -> Request {
        let hosts = request.hosts.iter().filter(|host| !self.avoids(host)).cloned().collect();
        Request { hosts, ..request.clone() }
    }

    /// Returns the next heartbeat's call.
    pub fn call(&mut self) -> AllocateCall {
        self.apply_limits();
        let row = |((priority, place, size), count): (Key, i64)| AskRow {
            priority,
            place,
            size,
            count,
            relax: true,
            label: None,
            allocation_request_id: -1,
        };
        AllocateCall {
            asks: std::mem::take(&mut self.changed).into_iter().map(row).collect(),
            releases: std::mem::take(&mut self.releases),
            blacklist_add: std::mem::take(&mut self.blacklist_add).into_iter().collect(),
            blacklist_remove: std::mem::take(&mut self.blacklist_remove).into_iter().collect(),
            ..AllocateCall::default()
        }
    }

    /// Returns the rows to be sent.
    pub fn waiting(&self) -> impl Iterator<Item = (i32, &str, Resource, i64)> {
        self.changed.iter().map(|((priority, place, size), count)| (*priority, place.as_str(), *size, *count))
    }

    /// Returns whether the next heartbeat has nothing to send.
    pub fn is_quiet(&self) -> bool {
        self.changed.is_empty()
            && self.releases.is_empty()
            && self.blacklist_add.is_empty()
            && self.blacklist_remove.is_empty()
            && self.limits_to_say.is_empty()
    }

    /// Processes an answer. A completed container makes room under the limits, so these are sent again.
    pub fn heard(&mut self, nodes: usize, any_completed: bool) {
        self.nodes_before = std::mem::replace(&mut self.nodes, nodes);
        if any_completed {
            self.limits_to_say.extend(self.limits.keys().copied());
        }
        self.judge_avoided();
    }

    /// Decides whether too many hosts are avoided.
    fn judge_avoided(&mut self) {
        let same = self.avoided_before == self.avoided.len() && self.nodes == self.nodes_before;
        if !self.avoiding.enabled || self.avoiding.ignore_percent == -1 || same {
            return;
        }
        self.avoided_before = self.avoided.len();
        if self.nodes == 0 {
            return;
        }
        match (self.avoiding.is_too_many(self.avoided.len(), self.nodes), self.ignoring) {
            (true, false) => {
                self.blacklist_add.clear();
                self.blacklist_remove.extend(self.avoided.iter().cloned());
            }
            (false, true) => {
                self.blacklist_add.extend(self.avoided.iter().cloned());
                self.blacklist_remove.clear();
            }
            (there, before) => debug_assert_eq!(there, before),
        }
        self.ignoring = self.avoiding.is_too_many(self.avoided.len(), self.nodes);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn request(attempt: u32, host: &str) -> Request {
        let hosts = vec![host.to_string()];
        Request { attempt, priority: 20, size: Resource::new(1024, 1), hosts, racks: vec!["/r".into()], at: 0 }
    }

    fn sent(r: &mut Requestor) -> Vec<(String, i64)> {
        r.call().asks.into_iter().map(|row| (row.place, row.count)).collect()
    }

    fn rows(rows: &[(&str, i64)]) -> Vec<(String, i64)> {
        rows.iter().map(|(place, count)| (place.to_string(), *count)).collect()
    }

    #[test]
    fn rows_that_change_are_sent_once_with_their_counts() {
        let mut r = Requestor::default();
        r.add(&request(0, "h1"));
        r.add(&request(1, "h2"));
        assert_eq!(sent(&mut r), rows(&[("*", 2), ("/r", 2), ("h1", 1), ("h2", 1)]));
        r.take_back(&request(0, "h1"));
        assert_eq!(sent(&mut r), rows(&[("*", 1), ("/r", 1), ("h1", 0)]));
        assert!(r.is_quiet());
    }

    #[test]
    fn a_limit_cuts_the_row_for_any_place_and_is_said_again_when_it_grows_or_something_ends() {
        let (mut r, size) = (Requestor::default(), Resource::new(1024, 1));
        for i in 0..4 {
            r.add(&request(i, "h1"));
        }
        r.limit(20, size, 3);
        assert_eq!(sent(&mut r), rows(&[("*", 3), ("/r", 4), ("h1", 4)]));
        r.limit(20, size, 2);
        assert_eq!(sent(&mut r), rows(&[]), "lower: nothing is said by itself");
        r.limit(20, size, 3);
        assert_eq!(sent(&mut r), rows(&[("*", 3)]));
        r.heard(1, true);
        assert_eq!(sent(&mut r), rows(&[("*", 3)]), "a container has ended");
    }

    #[test]
    fn a_host_is_avoided_after_so_many_failures_unless_too_many_are() {
        let mut r = Requestor::new(Avoiding { failures: 2, ..Avoiding::default() });
        r.heard(3, false);
        r.add(&request(0, "h1"));
        sent(&mut r);
        r.failed_on("h1");
        assert!(!r.avoids("h1"));
        r.failed_on("h1");
        assert!(r.avoids("h1"));
        let call = r.call();
        assert_eq!((call.asks[0].count, call.blacklist_add), (0, vec!["h1".to_string()]));
        // One of three is 33 %.
        r.heard(3, false);
        assert!(!r.avoids("h1"));
        assert_eq!(r.call().blacklist_remove, ["h1"]);
        r.heard(4, false);
        assert!(r.avoids("h1"));
        assert_eq!(r.call().blacklist_add, ["h1"]);
    }
}
