//! YARN's client for ApplicationMasters (AMRMClientImpl, RemoteRequestsTable; lifecycles-and-timing.md section 5): it
//! adds and removes requests one by one, sends them as rows of an ask table, and matches them with allocated
//! containers.

use super::ask_table::{ANY, AskTable, CountedRow, DEFAULT_RACK, RackOf};
use crate::api::AllocateCall;
use crate::model::{ContainerId, Resource};
use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

/// A request for one container (AMRMClient.ContainerRequest).
#[derive(Clone, Debug, PartialEq, Default)]
pub struct ClientRequest {
    pub priority: i32,
    /// Allocation request id; −1 for none, which Hadoop writes as 0.
    pub allocation_request_id: i64,
    pub size: Resource,
    /// Whether locality may be relaxed beyond the places that it names.
    pub relax: bool,
    pub nodes: Vec<String>,
    pub racks: Vec<String>,
    pub label: Option<String>,
}

/// Why a request is rejected.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum BadRequest {
    /// Another request with the same priority and allocation request id relaxes locality at this place and this one
    /// does not, or the other way round (InvalidContainerRequestException).
    RelaxesOtherwise { place: String },
    /// A label expression with `&&` or `||` (InvalidContainerRequestException).
    SeveralLabels { label: String },
    /// Strict locality without a place (IllegalArgumentException of the request itself).
    StrictNowhere,
}

impl ClientRequest {
    /// The racks of its nodes that it does not name itself.
    fn inferred_racks(&self, rack_of: RackOf<'_>) -> BTreeSet<String> {
        let rack = |host: &String| rack_of(host).unwrap_or_else(|| DEFAULT_RACK.into());
        self.nodes.iter().map(rack).filter(|rack| !self.racks.contains(rack)).collect()
    }

    /// The rows that count it, each once: nodes, named racks, racks of the nodes, any place.
    pub fn lines(&self, rack_of: RackOf<'_>) -> Vec<CountedRow> {
        let line = |place: &str, relax: bool| CountedRow {
            priority: self.priority,
            allocation_request_id: self.allocation_request_id,
            place: place.to_string(),
            size: self.size,
            relax,
            label: self.label.clone().filter(|_| place == ANY),
        };
        let distinct = |places: &[String]| places.iter().cloned().collect::<BTreeSet<String>>();
        let mut out: Vec<CountedRow> = distinct(&self.nodes).iter().map(|node| line(node, true)).collect();
        out.extend(distinct(&self.racks).iter().map(|rack| line(rack, true)));
        out.extend(self.inferred_racks(rack_of).iter().map(|rack| line(rack, self.relax)));
        out.push(line(ANY, self.relax));
        out
    }
}

/// The number of a request, chosen by the caller.
pub type RequestNumber = u32;

/// A row of the table by which requests are matched with a container: allocation request id, priority, place, the
/// larger size first.
type Shelf = (i64, i32, String, Reverse<Resource>);

/// The client's state.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct AmrmClient {
    table: AskTable,
    requests: BTreeMap<RequestNumber, (ClientRequest, Vec<CountedRow>)>,
    /// The requests that a container of a row may serve, in the order in which they were added.
    shelves: BTreeMap<Shelf, Vec<RequestNumber>>,
    blacklist_add: BTreeSet<String>,
    blacklist_remove: BTreeSet<String>,
}

fn shelf(line: &CountedRow) -> Shelf {
    (line.allocation_request_id, line.priority, line.place.clone(), Reverse(line.size))
}

impl AmrmClient {
    /// Adds a request. Errors: it contradicts itself or an existing request; nothing is changed.
    pub fn add(
        &mut self,
        number: RequestNumber,
        request: ClientRequest,
        rack_of: RackOf<'_>,
    ) -> Result<(), BadRequest> {
        if !request.relax && request.nodes.is_empty() && request.racks.is_empty() {
            return Err(BadRequest::StrictNowhere);
        }
        if let Some(label) = request.label.as_ref().filter(|l| l.contains("&&") || l.contains("||")) {
            return Err(BadRequest::SeveralLabels { label: label.clone() });
        }
        self.agrees(&request, rack_of)?;
        let lines = request.lines(rack_of);
        self.table.count(&lines, 1);
        for line in lines.iter().filter(|line| line.relax) {
            self.shelves.entry(shelf(line)).or_default().push(number);
        }
        self.requests.insert(number, (request, lines));
        Ok(())
    }

    /// Checks that every place relaxes locality as this request does (checkLocalityRelaxationConflict).
    fn agrees(&self, request: &ClientRequest, rack_of: RackOf<'_>) -> Result<(), BadRequest> {
        let inferred = request.inferred_racks(rack_of);
        let named = request.racks.iter().map(|rack| (rack.as_str(), true));
        let inferred = inferred.iter().map(|rack| (rack.as_str(), request.relax));
        for (place, relax) in std::iter::once((ANY, request.relax)).chain(named).chain(inferred) {
            let other = |row: &crate::api::AskRow| {
                row.priority == request.priority
                    && row.allocation_request_id == request.allocation_request_id
                    && row.place == place
                    && row.relax != relax
            };
            if self.table.wanted().any(|row| other(&row)) {
                return Err(BadRequest::RelaxesOtherwise { place: place.to_string() });
            }
        }
        Ok(())
    }

    /// Removes a request. Does nothing if the number is unknown.
    pub fn remove(&mut self, number: RequestNumber) {
        let Some((_, lines)) = self.requests.remove(&number) else { return };
        self.table.count(&lines, -1);
        for line in &lines {
            if let Some(there) = self.shelves.get_mut(&shelf(line)) {
                there.retain(|n| *n != number);
                if there.is_empty() {
                    self.shelves.remove(&shelf(line));
                }
            }
        }
    }

    /// Releases a container with the next call.
    pub fn release(&mut self, container: ContainerId) {
        self.table.releases.push(container);
    }

    /// Changes the blacklist: a node that waits to be added does not wait to be removed, and the other way round.
    pub fn change_blacklist(&mut self, add: &[String], remove: &[String]) {
        for node in add {
            self.blacklist_remove.remove(node);
            self.blacklist_add.insert(node.clone());
        }
        for node in remove {
            self.blacklist_add.remove(node);
            self.blacklist_remove.insert(node.clone());
        }
    }

    /// Takes everything that the next heartbeat sends.
    pub fn call(&mut self) -> AllocateCall {
        AllocateCall {
            blacklist_add: std::mem::take(&mut self.blacklist_add).into_iter().collect(),
            blacklist_remove: std::mem::take(&mut self.blacklist_remove).into_iter().collect(),
            ..self.table.call()
        }
    }

    /// Puts back a call that has failed: its parts are sent again, unless they have changed since.
    pub fn call_failed(&mut self, call: AllocateCall) {
        self.blacklist_add.extend(call.blacklist_add.iter().cloned());
        self.blacklist_remove.extend(call.blacklist_remove.iter().cloned());
        self.table.take_back(call);
    }

    /// The table, with the rows that wait to be sent.
    pub fn table(&self) -> &AskTable {
        &self.table
    }

    /// Nodes that wait to be added to the blacklist, and to be removed from it.
    pub fn blacklist(&self) -> (&BTreeSet<String>, &BTreeSet<String>) {
        (&self.blacklist_add, &self.blacklist_remove)
    }

    /// Returns the requests without an allocation request id that a container of this size can serve at a place: those
    /// of exactly its size, or else those that fit into it, one group for each size, the largest first.
    pub fn matching(&self, priority: i32, place: &str, size: Resource) -> Vec<&[RequestNumber]> {
        let at = |size| (-1, priority, place.to_string(), Reverse(size));
        // An exact size has a row of its own, even one without requests.
        let exact = self.table.wanted().any(|row| {
            row.allocation_request_id == -1 && row.priority == priority && row.place == place && row.size == size
        });
        if exact {
            return self.shelves.get(&at(size)).map(Vec::as_slice).into_iter().collect();
        }
        let fits = |of: &Resource| of.0.iter().zip(&size.0).all(|(need, there)| need <= there);
        let here = self.shelves.range(at(size)..);
        here.take_while(|((id, p, name, _), _)| (*id, *p, name.as_str()) == (-1, priority, place))
            .filter(|((.., of), _)| fits(&of.0))
            .map(|(_, numbers)| numbers.as_slice())
            .collect()
    }

    /// Returns the requests with this allocation request id, by priority, then place, the largest first.
    pub fn matching_id(&self, allocation_request_id: i64) -> Vec<RequestNumber> {
        let mut out = Vec::new();
        for ((id, ..), numbers) in &self.shelves {
            if *id == allocation_request_id {
                out.extend(numbers.iter().copied());
            }
        }
        let mut seen = BTreeSet::new();
        out.retain(|number| seen.insert(*number));
        out
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rack(_: &str) -> Option<String> {
        Some("/r1".into())
    }

    fn request(relax: bool, nodes: &[&str], racks: &[&str]) -> ClientRequest {
        let texts = |list: &[&str]| list.iter().map(|t| t.to_string()).collect();
        ClientRequest {
            priority: 1,
            allocation_request_id: -1,
            size: Resource::new(1024, 1),
            relax,
            nodes: texts(nodes),
            racks: texts(racks),
            label: None,
        }
    }

    /// Checks row by row how each form of request relaxes locality (5.1).
    #[test]
    fn each_form_of_request_relaxes_its_own_rows() {
        for (request, rows) in [
            (request(true, &["h1"], &[]), &[("*", true), ("/r1", true), ("h1", true)][..]),
            (request(false, &["h1"], &[]), &[("*", false), ("/r1", false), ("h1", true)]),
            (request(false, &[], &["/r2"]), &[("*", false), ("/r2", true)]),
            (request(false, &["h1"], &["/r2"]), &[("*", false), ("/r1", false), ("/r2", true), ("h1", true)]),
            (request(false, &["h1"], &["/r1"]), &[("*", false), ("/r1", true), ("h1", true)]),
        ] {
            let mut client = AmrmClient::default();
            assert_eq!(client.add(0, request, &rack), Ok(()));
            let sent: Vec<(String, bool)> = client.call().asks.into_iter().map(|r| (r.place, r.relax)).collect();
            let rows: Vec<(String, bool)> = rows.iter().map(|(place, relax)| (place.to_string(), *relax)).collect();
            assert_eq!(sent, rows);
        }
    }

    #[test]
    fn what_contradicts_a_row_changes_nothing() {
        let mut client = AmrmClient::default();
        assert_eq!(client.add(0, request(false, &["h1"], &[]), &rack), Ok(()));
        let relaxed = Err(BadRequest::RelaxesOtherwise { place: "*".into() });
        assert_eq!(client.add(1, request(true, &["h2"], &[]), &rack), relaxed);
        let named = Err(BadRequest::RelaxesOtherwise { place: "/r1".into() });
        assert_eq!(client.add(1, request(false, &[], &["/r1"]), &rack), named, "inferred strictly before");
        assert_eq!(client.add(1, request(false, &[], &[]), &rack), Err(BadRequest::StrictNowhere));
        let label = "a&&b".to_string();
        let labelled = ClientRequest { label: Some(label.clone()), ..request(true, &[], &[]) };
        assert_eq!(client.add(1, labelled, &rack), Err(BadRequest::SeveralLabels { label }));
        assert_eq!(client.table.wanted().count(), 3, "those of the first");
        client.remove(0);
        assert_eq!(client.add(1, request(true, &["h2"], &[]), &rack), Ok(()), "what fell to nothing is no conflict");
    }

    #[test]
    fn a_call_that_fails_is_said_again_unless_it_changed() {
        let mut client = AmrmClient::default();
        client.add(0, request(true, &["h1"], &[]), &rack).expect("it is taken");
        client.change_blacklist(&["h9".into()], &[]);
        let call = client.call();
        assert!(client.table.is_quiet());
        client.add(1, request(true, &["h2"], &[]), &rack).expect("it is taken");
        client.call_failed(call);
        let call = client.call();
        let rows: Vec<(String, i64)> = call.asks.into_iter().map(|r| (r.place, r.count)).collect();
        let row = |place: &str, count| (place.to_string(), count);
        assert_eq!(rows, [row("*", 2), row("/r1", 2), row("h1", 1), row("h2", 1)]);
        assert_eq!(call.blacklist_add, ["h9"]);
    }

    #[test]
    fn a_strict_request_is_found_by_its_node_only() {
        let mut client = AmrmClient::default();
        client.add(7, request(false, &["h1"], &[]), &rack).expect("it is taken");
        let size = Resource::new(1024, 1);
        assert_eq!(client.matching(1, "h1", size), [&[7][..]]);
        assert!(client.matching(1, ANY, size).is_empty());
        assert_eq!(client.matching(1, "h1", Resource::new(2048, 2)), [&[7][..]], "it fits into more");
        assert!(client.matching(1, "h1", Resource::new(2048, 0)).is_empty());
    }
}
