//! Slider's requests as they are sent, by the ask table of YARN's client (slider-placement.md section 15).

use super::decision::Operation;
use super::requests::{Ask, AskId};
use crate::api::AllocateCall;
use crate::strategy::amrm_client::ClientRequest;
use crate::strategy::ask_table::{AskTable, CountedRow, RackOf};
use std::collections::{BTreeMap, BTreeSet};

/// YARN's client.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct Client {
    table: AskTable,
    blacklist_add: BTreeSet<String>,
    blacklist_remove: BTreeSet<String>,
    /// The rows of the requests that can still be withdrawn.
    asks: BTreeMap<AskId, Vec<CountedRow>>,
}

/// Returns the rows of a request, as YARN's client makes them: any of its hosts.
fn lines(ask: &Ask, rack_of: RackOf<'_>) -> Vec<CountedRow> {
    let request = ClientRequest {
        priority: ask.priority(),
        allocation_request_id: -1,
        size: ask.size,
        relax: ask.relax,
        nodes: ask.hosts.clone(),
        racks: Vec::new(),
        label: ask.label.clone(),
    };
    request.lines(rack_of)
}

impl Client {
    /// Applies an operation. `rack_of`: the rack of a host; unknown hosts have Hadoop's default rack.
    pub fn perform(&mut self, operation: Operation, rack_of: RackOf<'_>) {
        match operation {
            Operation::Request(ask) => {
                let lines = lines(&ask, rack_of);
                self.table.count(&lines, 1);
                self.asks.insert(ask.id, lines);
            }
            Operation::Cancel(id) => {
                if let Some(lines) = self.asks.remove(&id) {
                    self.table.count(&lines, -1);
                }
            }
            Operation::Release(container) => self.table.releases.push(container),
            Operation::Blacklist { add, remove } => {
                for host in add {
                    self.blacklist_remove.remove(&host);
                    self.blacklist_add.insert(host);
                }
                for host in remove {
                    self.blacklist_add.remove(&host);
                    self.blacklist_remove.insert(host);
                }
            }
        }
    }

    /// Returns the next heartbeat's call.
    pub fn call(&mut self) -> AllocateCall {
        AllocateCall {
            blacklist_add: std::mem::take(&mut self.blacklist_add).into_iter().collect(),
            blacklist_remove: std::mem::take(&mut self.blacklist_remove).into_iter().collect(),
            ..self.table.call()
        }
    }

    /// Returns whether the next heartbeat has nothing to send.
    pub fn is_quiet(&self) -> bool {
        self.table.is_quiet() && self.blacklist_add.is_empty() && self.blacklist_remove.is_empty()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::Resource;

    fn ask(id: u64, hosts: &[&str], relax: bool) -> Ask {
        let hosts = hosts.iter().map(|h| h.to_string()).collect();
        Ask { id: AskId(id), component: 1, hosts, relax, label: None, size: Resource::new(256, 1) }
    }

    fn rack(host: &str) -> Option<String> {
        Some(if host < "p5" { "/r1".into() } else { "/r2".into() })
    }

    fn sent(client: &mut Client) -> Vec<(String, i64, bool)> {
        client.call().asks.into_iter().map(|r| (r.place, r.count, r.relax)).collect()
    }

    /// An anti-affine request for many hosts is still one container.
    #[test]
    fn a_list_of_hosts_is_one_container() {
        let mut client = Client::default();
        client.perform(Operation::Request(ask(0, &["p1", "p2", "p7"], false)), &rack);
        let row = |place: &str, relax| (place.to_string(), 1, relax);
        let rows =
            [row("*", false), row("/r1", false), row("/r2", false), row("p1", true), row("p2", true), row("p7", true)];
        assert_eq!(sent(&mut client), rows);
        assert!(client.is_quiet() && sent(&mut client).is_empty());
    }

    #[test]
    fn a_withdrawn_request_is_sent_once_with_nothing() {
        let mut client = Client::default();
        client.perform(Operation::Request(ask(0, &["p1"], false)), &rack);
        client.perform(Operation::Request(ask(1, &["p2"], false)), &rack);
        client.call();
        client.perform(Operation::Cancel(AskId(0)), &rack);
        client.perform(Operation::Cancel(AskId(0)), &rack);
        let counts: Vec<i64> = sent(&mut client).iter().map(|r| r.1).collect();
        assert_eq!(counts, [1, 1, 0], "any place, the rack, the host");
        assert_eq!(client.table.len(), 3, "any place, the rack, the other host");
    }

    #[test]
    fn of_a_host_taken_off_and_put_on_the_blacklist_only_the_last_counts() {
        let mut client = Client::default();
        let list = |add: &[&str], remove: &[&str]| Operation::Blacklist {
            add: add.iter().map(|h| h.to_string()).collect(),
            remove: remove.iter().map(|h| h.to_string()).collect(),
        };
        client.perform(list(&["p1", "p2"], &[]), &rack);
        client.perform(list(&[], &["p1"]), &rack);
        let call = client.call();
        assert_eq!((call.blacklist_add, call.blacklist_remove), (vec!["p2".to_string()], vec!["p1".to_string()]));
    }
}
