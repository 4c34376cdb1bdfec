//! Samza's requests as they are sent, by the ask table of YARN's client (samza-host-affinity.md section 6).

use super::decision::Operation;
use super::requests::{Request, RequestId, RequestMode, Wish};
use crate::api::AllocateCall;
use crate::model::{ContainerId, Resource};
use crate::strategy::amrm_client::ClientRequest;
use crate::strategy::ask_table::{AskTable, CountedRow};
use std::collections::BTreeMap;

pub use crate::strategy::ask_table::RackOf;

/// YARN's client.
#[derive(Clone, Debug, PartialEq)]
pub struct Client {
    mode: RequestMode,
    size: Resource,
    label: Option<String>,
    table: AskTable,
    /// The rows of the requests that can still be withdrawn.
    asks: BTreeMap<RequestId, Vec<CountedRow>>,
}

impl Client {
    /// Creates a client without requests. All requests have one size and one label.
    pub fn new(mode: RequestMode, size: Resource, label: Option<String>) -> Self {
        Client { mode, size, label, table: AskTable::default(), asks: BTreeMap::new() }
    }

    /// Returns the priority of a request: hosts come before any host, so that the former can be strict and the latter not.
    pub fn priority(mode: RequestMode, wish: &Wish) -> i32 {
        i32::from(mode == RequestMode::Strict && *wish == Wish::AnyHost)
    }

    fn lines(&self, request: &Request, rack_of: RackOf<'_>) -> Vec<CountedRow> {
        let (priority, size) = (Self::priority(self.mode, &request.wish), self.size);
        let (nodes, racks) = match &request.wish {
            Wish::Host(host) => (vec![host.clone()], request.racks.iter().cloned().collect()),
            Wish::AnyHost | Wish::Unknown => (Vec::new(), Vec::new()),
        };
        let relax = nodes.is_empty() || self.mode == RequestMode::Relaxed;
        let label = self.label.clone();
        ClientRequest { priority, allocation_request_id: -1, size, relax, nodes, racks, label }.lines(rack_of)
    }

    /// Applies an operation. Launches and stops only matter for the requests that they end.
    pub fn perform(&mut self, operation: &Operation, rack_of: RackOf<'_>) {
        match operation {
            Operation::Request(request) => {
                let lines = self.lines(request, rack_of);
                self.table.count(&lines, 1);
                self.asks.insert(request.id, lines);
            }
            Operation::Withdraw(id) | Operation::Launch { request: id, .. } => {
                if let Some(lines) = self.asks.remove(id) {
                    self.table.count(&lines, -1);
                }
            }
            Operation::Release(container) => self.table.releases.push(*container),
            Operation::Stop(_) => {}
        }
    }

    /// Returns the next heartbeat's call.
    pub fn call(&mut self) -> AllocateCall {
        self.table.call()
    }

    /// Returns whether the next heartbeat gives this container back.
    pub fn gives_back(&self, container: ContainerId) -> bool {
        self.table.releases.contains(&container)
    }

    /// Returns whether the next heartbeat has nothing to send.
    pub fn is_quiet(&self) -> bool {
        self.table.is_quiet()
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
        assert_eq!(c.table.len(), 0);
    }
}
