//! What Samza asks of YARN as it travels: the ask table of YARN's client, with absolute counts per priority and place
//! (samza-host-affinity.md section 6; lifecycles-and-timing.md section 5).

use super::decision::Operation;
use super::requests::{Request, RequestId, RequestMode, Wish};
use crate::api::{AllocateCall, AskRow};
use crate::model::{ContainerId, Resource};
use std::collections::{BTreeMap, BTreeSet};

/// Any place.
const ANY: &str = "*";
/// What the ApplicationMaster names when it cannot tell the rack of a host.
const DEFAULT_RACK: &str = "/default-rack";

/// The rack of a host as the ApplicationMaster sees it, where it sees one.
pub type RackOf<'a> = &'a dyn Fn(&str) -> Option<String>;

/// A row of the table.
#[derive(Clone, Copy, Debug, PartialEq, Default)]
struct Row {
    count: i64,
    relax: bool,
}

/// A row that a request counts on: its place, and whether YARN may go beyond it.
type Line = (i32, String, bool);

/// YARN's client.
#[derive(Clone, Debug, PartialEq)]
pub struct Client {
    mode: RequestMode,
    size: Resource,
    label: Option<String>,
    rows: BTreeMap<(i32, String), Row>,
    /// Rows that changed since the last call.
    changed: BTreeSet<(i32, String)>,
    releases: Vec<ContainerId>,
    /// The rows of the requests that may still be withdrawn.
    asks: BTreeMap<RequestId, Vec<Line>>,
}

impl Client {
    /// Without requests yet. All of them have one size and one label.
    pub fn new(mode: RequestMode, size: Resource, label: Option<String>) -> Self {
        let (rows, changed, releases, asks) = Default::default();
        Client { mode, size, label, rows, changed, releases, asks }
    }

    /// The priority of a request: hosts before any host, so that one may be strict and the other not.
    pub fn priority(mode: RequestMode, wish: &Wish) -> i32 {
        i32::from(mode == RequestMode::Strict && *wish == Wish::AnyHost)
    }

    fn lines(&self, request: &Request, rack_of: RackOf<'_>) -> Vec<Line> {
        let priority = Self::priority(self.mode, &request.wish);
        let line = |place: &str, relax: bool| (priority, place.to_string(), relax);
        let Wish::Host(host) = &request.wish else { return vec![line(ANY, true)] };
        let relax = self.mode == RequestMode::Relaxed;
        let mut lines = vec![line(host, true)];
        lines.extend(request.racks.iter().map(|rack| line(rack, true)));
        let inferred = rack_of(host).unwrap_or_else(|| DEFAULT_RACK.into());
        if !request.racks.contains(&inferred) {
            lines.push(line(&inferred, relax));
        }
        lines.push(line(ANY, relax));
        lines
    }

    /// Takes an operation in. Launches and stops are not its business, but what they end is.
    pub fn perform(&mut self, operation: &Operation, rack_of: RackOf<'_>) {
        match operation {
            Operation::Request(request) => {
                let lines = self.lines(request, rack_of);
                self.count(&lines, 1);
                self.asks.insert(request.id, lines);
            }
            Operation::Withdraw(id) | Operation::Launch { request: id, .. } => {
                if let Some(lines) = self.asks.remove(id) {
                    self.count(&lines, -1);
                }
            }
            Operation::Release(container) => self.releases.push(*container),
            Operation::Stop(_) => {}
        }
    }

    fn count(&mut self, lines: &[Line], by: i64) {
        for (priority, place, relax) in lines {
            let key = (*priority, place.clone());
            let row = self.rows.entry(key.clone()).or_default();
            row.count = (row.count + by).max(0);
            row.relax = *relax;
            self.changed.insert(key);
        }
    }

    /// What travels with the next heartbeat.
    pub fn call(&mut self) -> AllocateCall {
        let mut asks = Vec::new();
        for key in std::mem::take(&mut self.changed) {
            let Some(row) = self.rows.get(&key).copied() else { continue };
            let (priority, place) = key.clone();
            let label = self.label.clone().filter(|_| place == ANY);
            let Row { count, relax } = row;
            asks.push(AskRow { priority, place, size: self.size, count, relax, label, allocation_request_id: -1 });
            if count == 0 {
                self.rows.remove(&key);
            }
        }
        AllocateCall { asks, releases: std::mem::take(&mut self.releases), ..AllocateCall::default() }
    }

    /// Does the next heartbeat give this container back?
    pub fn gives_back(&self, container: ContainerId) -> bool {
        self.releases.contains(&container)
    }

    /// Has the next heartbeat nothing to say?
    pub fn is_quiet(&self) -> bool {
        self.changed.is_empty() && self.releases.is_empty()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn request(id: RequestId, wish: Wish, racks: &[&str]) -> Request {
        let racks = racks.iter().map(|r| r.to_string()).collect();
        Request { id, processor: "0".into(), wish, at: 0, racks }
    }

    fn rack(host: &str) -> Option<String> {
        host.starts_with('a').then(|| "/r1".into())
    }

    fn sent(client: &mut Client) -> Vec<(i32, String, i64, bool)> {
        client.call().asks.into_iter().map(|r| (r.priority, r.place, r.count, r.relax)).collect()
    }

    fn client(mode: RequestMode) -> Client {
        Client::new(mode, Resource::new(1024, 1), Some("ssd".into()))
    }

    #[test]
    fn a_strict_host_and_any_host_have_priorities_of_their_own() {
        let mut c = client(RequestMode::Strict);
        c.perform(&Operation::Request(request(0, Wish::of("a1"), &[])), &rack);
        c.perform(&Operation::Request(request(1, Wish::AnyHost, &["/r1"])), &rack);
        let row = |priority, place: &str, relax| (priority, place.to_string(), 1, relax);
        let rows = [row(0, "*", false), row(0, "/r1", false), row(0, "a1", true), row(1, "*", true)];
        assert_eq!(sent(&mut c), rows);
        assert!(c.is_quiet() && sent(&mut c).is_empty());
    }

    #[test]
    fn only_any_place_names_the_label() {
        let mut c = client(RequestMode::Strict);
        c.perform(&Operation::Request(request(0, Wish::of("a1"), &[])), &rack);
        let labels: Vec<(String, Option<String>)> = c.call().asks.into_iter().map(|r| (r.place, r.label)).collect();
        assert_eq!(labels[0], ("*".to_string(), Some("ssd".to_string())));
        assert!(labels[1..].iter().all(|(_, label)| label.is_none()));
    }

    #[test]
    fn a_rack_that_is_named_may_be_used_and_one_that_is_not_known_is_the_default() {
        let mut c = client(RequestMode::Strict);
        c.perform(&Operation::Request(request(0, Wish::of("b1"), &["/r2"])), &rack);
        let relaxed: Vec<(String, bool)> =
            sent(&mut c).into_iter().map(|(_, place, _, relax)| (place, relax)).collect();
        let row = |place: &str, relax| (place.to_string(), relax);
        assert_eq!(relaxed, [row("*", false), row("/default-rack", false), row("/r2", true), row("b1", true)]);
    }

    #[test]
    fn old_releases_ask_relaxed_and_at_one_priority() {
        let mut c = client(RequestMode::Relaxed);
        c.perform(&Operation::Request(request(0, Wish::of("a1"), &[])), &rack);
        c.perform(&Operation::Request(request(1, Wish::AnyHost, &[])), &rack);
        let rows = sent(&mut c);
        assert!(rows.iter().all(|(priority, _, _, relax)| *priority == 0 && *relax));
        assert_eq!(rows[0].2, 2, "both count on any place");
    }

    #[test]
    fn what_is_launched_is_withdrawn() {
        let mut c = client(RequestMode::Strict);
        c.perform(&Operation::Request(request(0, Wish::AnyHost, &[])), &rack);
        c.call();
        let container = ContainerId { app: crate::model::AppId(0), attempt: 1, seq: 2 };
        c.perform(&Operation::Launch { container, processor: "0".into(), request: 0 }, &rack);
        c.perform(&Operation::Release(container), &rack);
        let call = c.call();
        assert_eq!((call.asks[0].count, call.releases), (0, vec![container]));
        assert!(c.rows.is_empty());
    }
}
