//! What an application asks for (AppSchedulingInfo, LocalityAppPlacementAllocator; capacity-scheduler.md 11.1): for
//! each request key a table of names with absolute counts, and the counters that belong to the key.

use super::cluster::PlaceId;
use super::container::{Locality, RowsLowered, Slot};
use crate::check::Figures;
use crate::constraint::{Constraint, Question};
use crate::model::{NodeId, PartitionId, RequestKey, Resource};
use std::collections::BTreeMap;

/// One name of a key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Row {
    /// How many are still wanted.
    pub count: i64,
    pub size: Resource,
    /// relaxLocality.
    pub relax: bool,
}

/// What a request with tags and a constraint adds to its key (SingleConstraintAppPlacementAllocator).
#[derive(Clone, Debug, PartialEq)]
pub struct TaggedAsk {
    /// Allocation tags: a place in [`super::Cluster::tag_sets`].
    pub tags: u32,
    /// The request's own constraint.
    pub constraint: Option<Constraint>,
    /// What it asks of a node, as last worked out.
    pub(super) question: Asked,
    /// Evaluations that failed with an error.
    pub errors: i32,
}

/// A question, and how often constraints had been changed when it was worked out.
#[derive(Clone, Copy, Debug)]
pub(super) struct Asked {
    pub question: Question,
    pub edits: u64,
}

/// It follows from tags and constraints, whenever it was worked out.
impl PartialEq for Asked {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

/// Requests of one key.
#[derive(Clone, Debug, PartialEq)]
pub struct KeyAsks {
    pub key: RequestKey,
    /// The partition asked for: the ANY row's imposes itself on all names.
    pub partition: PartitionId,
    /// Tags and constraint, when it came as a scheduling request.
    pub tagged: Option<Box<TaggedAsk>>,
    /// A first scheduling request of this key was refused: ResourceRequests of the key stay an error.
    pub claimed: bool,
    /// Scheduling opportunities since the last local allocation (8.4).
    pub opportunities: i64,
    /// Opportunities missed on nodes of a partition by requests for none (8.3(5)).
    pub missed_non_partitioned: i64,
    /// Failed retries of reservations since the last new one or the last one undone (8.6).
    pub rereservations: i64,
    /// Reservations of this key, in the order in which they were made.
    pub reserved: Vec<(NodeId, Slot)>,
    /// The most there were at once since there was none: Java's table of them has grown to hold these.
    pub most_reserved: usize,
    /// Names of the rows, ascending: apart from the rows, since they are searched more often than rows are read.
    names: Vec<PlaceId>,
    rows: Vec<Row>,
}

impl KeyAsks {
    fn new(key: RequestKey) -> Self {
        KeyAsks {
            key,
            partition: PartitionId::DEFAULT,
            tagged: None,
            claimed: false,
            opportunities: 0,
            missed_non_partitioned: 0,
            rereservations: 0,
            reserved: Vec::new(),
            most_reserved: 0,
            names: Vec::new(),
            rows: Vec::new(),
        }
    }

    fn place(&self, name: PlaceId) -> Result<usize, usize> {
        self.names.binary_search(&name)
    }

    /// The row of a name.
    #[inline]
    pub fn row(&self, name: PlaceId) -> Option<&Row> {
        self.place(name).ok().map(|i| &self.rows[i])
    }

    /// The ANY row.
    #[inline]
    pub fn any(&self) -> Option<&Row> {
        match self.names.first() {
            Some(&PlaceId::ANY) => self.rows.first(),
            _ => None,
        }
    }

    /// How many are wanted in all.
    #[inline]
    pub fn outstanding(&self) -> i64 {
        self.any().map_or(0, |r| r.count)
    }

    /// Its reservations against what it wants, as figures of a check.
    pub(super) fn held(&self) -> Figures {
        let (outstanding, reserved) = (self.outstanding(), self.reserved.len() as i64);
        Figures::Reservations { outstanding, reserved, rereservations: self.rereservations }
    }

    /// Distinct names, ANY included, rows at 0 too.
    #[inline]
    pub fn unique_names(&self) -> usize {
        self.names.len()
    }

    /// All rows, ANY first.
    pub fn rows(&self) -> impl Iterator<Item = (PlaceId, &Row)> {
        self.names.iter().copied().zip(&self.rows)
    }

    /// Puts a row in the place of the one of this name; the former one.
    pub fn put(&mut self, name: PlaceId, row: Row) -> Option<Row> {
        match self.place(name) {
            Ok(i) => Some(std::mem::replace(&mut self.rows[i], row)),
            Err(i) => {
                self.names.insert(i, name);
                self.rows.insert(i, row);
                None
            }
        }
    }

    /// Lowers a name by one; a host or rack that comes to 0 is dropped. Its relaxLocality.
    pub fn lower(&mut self, name: PlaceId) -> Option<bool> {
        let i = self.place(name).ok()?;
        let row = &mut self.rows[i];
        row.count -= 1;
        let relax = row.relax;
        if row.count == 0 && name != PlaceId::ANY {
            self.names.remove(i);
            self.rows.remove(i);
        }
        Some(relax)
    }

    /// A container was given: lowers the rows by one, as far out as it came.
    pub(super) fn lower_for(&mut self, host: PlaceId, rack: PlaceId, locality: Locality) -> RowsLowered {
        let mut rows = RowsLowered::default();
        if locality == Locality::NodeLocal {
            rows.host = self.lower(host).map(|relax| (host, relax));
        }
        if locality != Locality::OffSwitch {
            rows.rack = self.lower(rack).map(|relax| (rack, relax));
        }
        rows.any_relax = self.lower(PlaceId::ANY).unwrap_or(true);
        rows
    }

    /// The container was lost before its AM heard of it: +1 on the same names. `size`: for rows that are gone.
    pub(super) fn raise(&mut self, rows: &RowsLowered, size: Resource) {
        let any = Some((PlaceId::ANY, rows.any_relax));
        for (name, relax) in [rows.host, rows.rack, any].into_iter().flatten() {
            let row = self.row(name).copied().unwrap_or(Row { count: 0, size, relax });
            self.put(name, Row { count: row.count + 1, ..row });
        }
    }

    /// A reservation of the key comes.
    pub fn reservation_comes(&mut self, node: NodeId, slot: Slot) {
        self.rereservations = 0;
        self.reserved.push((node, slot));
        self.most_reserved = self.most_reserved.max(self.reserved.len());
    }

    /// A reservation of the key is on another node from now on.
    pub fn reservation_moves(&mut self, slot: Slot, to: NodeId) {
        if let Some(at) = self.reserved.iter().position(|(_, s)| *s == slot) {
            self.reserved.remove(at);
            self.reserved.push((to, slot));
        }
    }

    /// A reservation of the key goes, or becomes a container.
    pub fn reservation_goes(&mut self, slot: Slot) {
        self.rereservations = 0;
        self.reserved.retain(|(_, s)| *s != slot);
        if self.reserved.is_empty() {
            self.most_reserved = 0;
        }
    }

    pub fn clear(&mut self) {
        self.names.clear();
        self.rows.clear();
        self.tagged = None;
    }
}

/// All requests of an attempt.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct Asks {
    keys: Vec<KeyAsks>,
    places: BTreeMap<RequestKey, u32>,
    open: Vec<(RequestKey, u32)>,
}

impl Asks {
    /// Place of a key, made when it is new.
    pub fn key_place(&mut self, key: RequestKey) -> usize {
        if let Some(i) = self.places.get(&key) {
            return *i as usize;
        }
        let i = self.keys.len();
        self.keys.push(KeyAsks::new(key));
        self.places.insert(key, i as u32);
        i
    }

    /// Place of a key that was seen before.
    pub fn find(&self, key: RequestKey) -> Option<usize> {
        self.places.get(&key).map(|i| *i as usize)
    }

    /// The requests at a place.
    #[inline]
    pub fn at(&self, place: usize) -> &KeyAsks {
        &self.keys[place]
    }

    /// The requests at a place, to be changed.
    #[inline]
    pub fn at_mut(&mut self, place: usize) -> &mut KeyAsks {
        &mut self.keys[place]
    }

    /// The requests at a place, if it is known still.
    pub fn get_mut(&mut self, place: usize) -> Option<&mut KeyAsks> {
        self.keys.get_mut(place)
    }

    /// Every key ever seen, in the order of first appearance.
    pub fn keys(&self) -> &[KeyAsks] {
        &self.keys
    }

    /// Keys with something wanted: most urgent first, with their places.
    #[inline]
    pub fn open(&self) -> &[(RequestKey, u32)] {
        &self.open
    }

    /// A key has something wanted from now on.
    pub fn open_key(&mut self, place: usize) {
        let key = self.keys[place].key;
        if let Err(i) = self.open.binary_search_by_key(&key, |(k, _)| *k) {
            self.open.insert(i, (key, place as u32));
        }
    }

    /// A key has nothing wanted any more.
    pub fn close_key(&mut self, place: usize) {
        let key = self.keys[place].key;
        if let Ok(i) = self.open.binary_search_by_key(&key, |(k, _)| *k) {
            self.open.remove(i);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::java;

    /// Found by the workloads of docs/performance.md: what is unreserved first depends on the size of a Java table, which
    /// grows with the thirteenth reservation and never shrinks while one is left.
    #[test]
    fn the_table_of_reservations_does_not_shrink_before_it_is_empty() {
        let mut asks = KeyAsks::new(RequestKey { priority: 1, allocation_request_id: -1 });
        for i in 0..13 {
            asks.reservation_comes(NodeId(i), Slot(i));
        }
        for i in 0..12 {
            asks.reservation_goes(Slot(i));
        }
        assert_eq!((asks.reserved.len(), java::table_capacity(asks.most_reserved)), (1, 32));
        asks.reservation_goes(Slot(12));
        asks.reservation_comes(NodeId(0), Slot(0));
        assert_eq!(java::table_capacity(asks.most_reserved), 16);
    }
}
