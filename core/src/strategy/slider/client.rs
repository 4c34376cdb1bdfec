//! What Slider asks of YARN as it travels: the ask table of YARN's client, with absolute counts per priority, place and
//! size (slider-placement.md section 15; lifecycles-and-timing.md section 5).

use super::decision::Operation;
use super::requests::{Ask, AskId};
use crate::api::{AllocateCall, AskRow};
use crate::model::{ContainerId, Resource};
use std::collections::{BTreeMap, BTreeSet};

/// Any place.
const ANY: &str = "*";

/// What a row is found by, in the order in which rows are sent.
type Key = (i32, String, Resource);

/// A row of the table.
#[derive(Clone, Debug, PartialEq, Default)]
struct Row {
    count: i64,
    relax: bool,
    label: Option<String>,
}

/// YARN's client.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct Client {
    rows: BTreeMap<Key, Row>,
    /// Rows that changed since the last call.
    changed: BTreeSet<Key>,
    releases: Vec<ContainerId>,
    blacklist_add: BTreeSet<String>,
    blacklist_remove: BTreeSet<String>,
    /// Requests that may still be withdrawn, with the racks of their hosts.
    asks: BTreeMap<AskId, (Ask, BTreeSet<String>)>,
}

impl Client {
    /// Takes an operation in. `rack_of`: the rack of a host; of unknown ones Hadoop's default.
    pub fn perform(&mut self, operation: Operation, rack_of: &dyn Fn(&str) -> Option<String>) {
        match operation {
            Operation::Request(ask) => {
                let rack = |host: &String| rack_of(host).unwrap_or_else(|| "/default-rack".into());
                let racks = ask.hosts.iter().map(rack).collect();
                self.count(&ask, &racks, 1);
                self.asks.insert(ask.id, (ask, racks));
            }
            Operation::Cancel(id) => {
                if let Some((ask, racks)) = self.asks.remove(&id) {
                    self.count(&ask, &racks, -1);
                }
            }
            Operation::Release(container) => self.releases.push(container),
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

    /// One more or one less on all rows of a request.
    fn count(&mut self, ask: &Ask, racks: &BTreeSet<String>, by: i64) {
        let mut row = |place: &str, relax: bool, label: Option<&Option<String>>| {
            let key = (ask.priority(), place.to_string(), ask.size);
            let row = self.rows.entry(key.clone()).or_default();
            row.count = (row.count + by).max(0);
            row.relax = relax;
            if let Some(label) = label.filter(|_| by > 0) {
                row.label = label.clone();
            }
            self.changed.insert(key);
        };
        let hosts: BTreeSet<&String> = ask.hosts.iter().collect();
        for host in hosts {
            row(host, true, None);
        }
        for rack in racks {
            row(rack, ask.relax, None);
        }
        row(ANY, ask.relax, Some(&ask.label));
    }

    /// What travels with the next heartbeat.
    pub fn call(&mut self) -> AllocateCall {
        let mut asks = Vec::new();
        for key in std::mem::take(&mut self.changed) {
            let Some(row) = self.rows.get(&key) else { continue };
            asks.push(AskRow {
                priority: key.0,
                place: key.1.clone(),
                size: key.2,
                count: row.count,
                relax: row.relax,
                label: row.label.clone(),
                allocation_request_id: -1,
            });
            if row.count == 0 {
                self.rows.remove(&key);
            }
        }
        AllocateCall {
            asks,
            releases: std::mem::take(&mut self.releases),
            blacklist_add: std::mem::take(&mut self.blacklist_add).into_iter().collect(),
            blacklist_remove: std::mem::take(&mut self.blacklist_remove).into_iter().collect(),
            scheduling: Vec::new(),
        }
    }

    /// Has the next heartbeat something to say?
    pub fn is_quiet(&self) -> bool {
        self.changed.is_empty()
            && self.releases.is_empty()
            && self.blacklist_add.is_empty()
            && self.blacklist_remove.is_empty()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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

    /// Anti-affine over many hosts: still one container.
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
        assert_eq!(client.rows.len(), 3, "any place, the rack, the other host");
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
