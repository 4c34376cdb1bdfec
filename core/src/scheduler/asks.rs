//! The requests of an application (AppSchedulingInfo, LocalityAppPlacementAllocator; capacity-scheduler.md 11.1): for
//! each request key a table of names with absolute counts, and the counters of the key.

use super::cluster::PlaceId;
use super::container::{Locality, RowsLowered, Slot};
use crate::check::Figures;
use crate::constraint::{Constraint, Question};
use crate::model::{NodeId, OpenKey, PartitionId, RequestKey, Resource};
use std::sync::Arc;

/// A row of a key: a host, a rack or ANY.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RequestRow {
    /// The number of containers still requested.
    pub count: i64,
    pub size: Resource,
    /// relaxLocality.
    pub relax: bool,
}

/// The part of a key that a scheduling request adds: tags and a constraint (SingleConstraintAppPlacementAllocator).
#[derive(Clone, Debug, PartialEq)]
pub struct TaggedAsk {
    /// Allocation tags: a place in [`super::Cluster::tag_sets`].
    pub tags: u32,
    /// The request's own constraint.
    pub constraint: Option<Arc<Constraint>>,
    /// The question that it asks about a node, as last computed.
    pub(super) question: VersionedQuestion,
    /// The number of evaluations that failed with an error.
    pub errors: i32,
}

/// A question, and the number of changes of constraints when it was computed.
#[derive(Clone, Copy, Debug)]
pub(super) struct VersionedQuestion {
    pub question: Question,
    pub edits: u64,
}

/// Always equal, since it is derived from tags and constraints.
impl PartialEq for VersionedQuestion {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

/// The requests of one key.
#[derive(Clone, Debug, PartialEq)]
pub struct KeyAsks {
    pub key: RequestKey,
    /// The requested partition: the ANY row's, for all rows.
    pub partition: PartitionId,
    /// Tags and constraint, when it came as a scheduling request.
    pub tagged: Option<Box<TaggedAsk>>,
    /// Whether the first scheduling request of this key was refused: ResourceRequests of the key stay an error.
    pub claimed: bool,
    /// Scheduling opportunities since the last local allocation (8.4).
    pub opportunities: i64,
    /// Opportunities missed on nodes of a partition by requests for none (8.3(5)).
    pub missed_non_partitioned: i64,
    /// Failed retries of reservations since the last new one or the last one undone (8.6).
    pub rereservations: i64,
    /// The reservations of this key, in the order in which they were made.
    pub reserved: Vec<(NodeId, Slot)>,
    /// The largest number of reservations at once since there was none, which decides the size of Java's table of them.
    pub most_reserved: usize,
    /// The ANY row, which is read most.
    any: Option<RequestRow>,
    /// Names of the other rows, ascending: apart from the rows, since they are searched more often than rows are read.
    names: Vec<PlaceId>,
    rows: Vec<RequestRow>,
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
            any: None,
            names: Vec::new(),
            rows: Vec::new(),
        }
    }

    fn place(&self, name: PlaceId) -> Result<usize, usize> {
        self.names.binary_search(&name)
    }

    /// Returns the row of a name.
    #[inline]
    pub fn row(&self, name: PlaceId) -> Option<&RequestRow> {
        if name == PlaceId::ANY { self.any() } else { self.place(name).ok().map(|i| &self.rows[i]) }
    }

    /// Returns the ANY row.
    #[inline]
    pub fn any(&self) -> Option<&RequestRow> {
        self.any.as_ref()
    }

    /// Returns the number of containers requested in all.
    #[inline]
    pub fn outstanding(&self) -> i64 {
        self.any().map_or(0, |r| r.count)
    }

    /// Returns its reservations and its count as figures of a check.
    pub(super) fn held(&self) -> Figures {
        let (outstanding, reserved) = (self.outstanding(), self.reserved.len() as i64);
        Figures::Reservations { outstanding, reserved, rereservations: self.rereservations }
    }

    /// Returns the number of rows, ANY and rows with count 0 included.
    #[inline]
    pub fn unique_names(&self) -> usize {
        usize::from(self.any.is_some()) + self.names.len()
    }

    /// Returns all rows, ANY first.
    pub fn rows(&self) -> impl Iterator<Item = (PlaceId, &RequestRow)> {
        self.any.iter().map(|any| (PlaceId::ANY, any)).chain(self.names.iter().copied().zip(&self.rows))
    }

    /// Replaces the row of a name. Returns the former one.
    pub fn put(&mut self, name: PlaceId, row: RequestRow) -> Option<RequestRow> {
        if name == PlaceId::ANY {
            return self.any.replace(row);
        }
        match self.place(name) {
            Ok(i) => Some(std::mem::replace(&mut self.rows[i], row)),
            Err(i) => {
                self.names.insert(i, name);
                self.rows.insert(i, row);
                None
            }
        }
    }

    /// Lowers the count of a name by one; a host or rack that reaches 0 is removed. Returns its relaxLocality.
    pub fn lower(&mut self, name: PlaceId) -> Option<bool> {
        if name == PlaceId::ANY {
            let any = self.any.as_mut()?;
            any.count -= 1;
            return Some(any.relax);
        }
        let i = self.place(name).ok()?;
        let row = &mut self.rows[i];
        row.count -= 1;
        let relax = row.relax;
        if row.count == 0 {
            self.names.remove(i);
            self.rows.remove(i);
        }
        Some(relax)
    }

    /// Lowers the rows of an allocated container by one, up to its level of locality.
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

    /// Raises the rows of a container by one that ended before its AM pulled it. `size`: for rows that were removed.
    pub(super) fn raise(&mut self, rows: &RowsLowered, size: Resource) {
        let any = Some((PlaceId::ANY, rows.any_relax));
        for (name, relax) in [rows.host, rows.rack, any].into_iter().flatten() {
            let row = self.row(name).copied().unwrap_or(RequestRow { count: 0, size, relax });
            self.put(name, RequestRow { count: row.count + 1, ..row });
        }
    }

    /// Adds a reservation.
    pub fn reservation_comes(&mut self, node: NodeId, slot: Slot) {
        self.rereservations = 0;
        self.reserved.push((node, slot));
        self.most_reserved = self.most_reserved.max(self.reserved.len());
    }

    /// Moves a reservation to another node.
    pub fn reservation_moves(&mut self, slot: Slot, to: NodeId) {
        if let Some(at) = self.reserved.iter().position(|(_, s)| *s == slot) {
            self.reserved.remove(at);
            self.reserved.push((to, slot));
        }
    }

    /// Removes a reservation, which ended or became a container.
    pub fn reservation_goes(&mut self, slot: Slot) {
        self.rereservations = 0;
        self.reserved.retain(|(_, s)| *s != slot);
        if self.reserved.is_empty() {
            self.most_reserved = 0;
        }
    }

    /// Returns whether both are scheduling requests with the same size, partition, tags, constraint and number of
    /// failed evaluations.
    fn is_alike(&self, other: &KeyAsks) -> bool {
        let (Some(a), Some(b)) = (&self.tagged, &other.tagged) else { return false };
        let asked = |asks: &KeyAsks, tagged: &TaggedAsk| {
            let any = asks.any().map(|any| (any.size, any.count > 0));
            (any, asks.unique_names(), asks.partition, tagged.tags, tagged.question.question.own, tagged.errors)
        };
        asked(self, a) == asked(other, b)
    }

    pub fn clear(&mut self) {
        self.any = None;
        self.names.clear();
        self.rows.clear();
        self.tagged = None;
    }
}

/// The requests of an attempt.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct Asks {
    keys: Vec<KeyAsks>,
    /// All keys with their places, sorted; most applications add keys in their order.
    places: Vec<OpenKey>,
    open: Vec<OpenKey>,
    alike: KeySeriesCache,
    /// The largest number of failed evaluations of any key, closed ones included.
    most_errors: i32,
}

/// Short cut: the series of open keys that are alike, valid until a key is opened, closed or changed.
#[derive(Clone, Debug, Default)]
struct KeySeriesCache {
    known: bool,
    /// The series in the order of their first keys.
    series: Vec<Series>,
}

/// Consecutive open keys that request the same.
#[derive(Clone, Debug)]
struct Series {
    /// The place of the first one among the open keys.
    first: usize,
    others: Arc<[OpenKey]>,
    /// The opportunities that the others have missed and that are not counted in their keys yet
    /// ([`KeyAsks::missed_non_partitioned`]).
    missed: i64,
}

impl KeySeriesCache {
    fn series_at(&self, first: usize) -> Option<&Series> {
        self.series.get(self.series.binary_search_by_key(&first, |s| s.first).ok()?)
    }
}

/// Always equal, since it is derived from the keys.
impl PartialEq for KeySeriesCache {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

impl Asks {
    /// Returns the place of a key, which is added if it is new.
    pub fn key_place(&mut self, key: RequestKey) -> usize {
        match self.places.binary_search_by_key(&key, |(known, _)| *known) {
            Ok(i) => self.places[i].1 as usize,
            Err(i) => {
                let place = self.keys.len();
                self.keys.push(KeyAsks::new(key));
                self.places.insert(i, (key, place as u32));
                place
            }
        }
    }

    /// Returns the place of a known key.
    pub fn find(&self, key: RequestKey) -> Option<usize> {
        let i = self.places.binary_search_by_key(&key, |(known, _)| *known).ok()?;
        self.places.get(i).map(|(_, place)| *place as usize)
    }

    /// Returns the requests at a place.
    #[inline]
    pub fn at(&self, place: usize) -> &KeyAsks {
        &self.keys[place]
    }

    /// Returns the requests at a place, mutably.
    #[inline]
    pub fn at_mut(&mut self, place: usize) -> &mut KeyAsks {
        self.part();
        &mut self.keys[place]
    }

    /// Returns the requests at a place, if there are any.
    pub fn get_mut(&mut self, place: usize) -> Option<&mut KeyAsks> {
        self.part();
        self.keys.get_mut(place)
    }

    /// Returns all keys ever seen, in the order of first appearance.
    pub fn keys(&self) -> &[KeyAsks] {
        &self.keys
    }

    /// Returns the keys with pending requests and their places, the most urgent first.
    #[inline]
    pub fn open(&self) -> &[OpenKey] {
        &self.open
    }

    /// Counts an opportunity that a key missed. Returns how many it has missed in all.
    #[inline]
    pub(super) fn count_missed(&mut self, place: usize) -> i64 {
        let key = &mut self.keys[place];
        key.missed_non_partitioned += 1;
        key.missed_non_partitioned
    }

    /// Counts an evaluation of a key's constraint that failed.
    pub(super) fn count_error(&mut self, place: usize) {
        self.part();
        if let Some(tagged) = &mut self.keys[place].tagged {
            tagged.errors = tagged.errors.saturating_add(1);
            self.most_errors = self.most_errors.max(tagged.errors);
        }
    }

    /// Returns the open requests whose constraint failed to evaluate at least this often.
    pub fn unevaluable(&self, limit: i32) -> impl Iterator<Item = &KeyAsks> {
        let open = if self.most_errors < limit { &[][..] } else { self.open() };
        let keys = open.iter().map(|(_, place)| self.at(*place as usize));
        keys.filter(move |asks| asks.tagged.as_ref().is_some_and(|tagged| tagged.errors >= limit))
    }

    /// Returns the keys behind an open one that are alike: they request the same, with other allocation request ids.
    pub(super) fn alike_behind(&mut self, first: usize) -> Option<Arc<[OpenKey]>> {
        if !self.alike.known {
            self.alike = KeySeriesCache { known: true, series: self.find_alike() };
        }
        self.alike.series_at(first).map(|series| series.others.clone())
    }

    fn find_alike(&self) -> Vec<Series> {
        let of = |open: &OpenKey| self.at(open.1 as usize);
        let (mut series, mut first) = (Vec::new(), 0);
        for alike in self.open.chunk_by(|a, b| of(a).is_alike(of(b))) {
            if let [_, others @ ..] = alike
                && !others.is_empty()
            {
                series.push(Series { first, others: others.into(), missed: 0 });
            }
            first += alike.len();
        }
        series
    }

    /// Counts opportunities that a key has missed, and those behind it that are alike.
    pub(super) fn count_missed_at(&mut self, place: usize, others: Option<&Arc<[OpenKey]>>, times: i64) {
        if let Some(key) = self.keys.get_mut(place) {
            key.missed_non_partitioned += times;
        }
        others.into_iter().for_each(|others| self.count_missed_by(others, times));
    }

    /// Counts opportunities that keys have missed that are alike, if they are for the default partition: in one sum, as
    /// long as they stay alike.
    pub(super) fn count_missed_by(&mut self, others: &Arc<[OpenKey]>, times: i64) {
        let are_default = |(_, place): &OpenKey| self.at(*place as usize).partition.is_default();
        if !others.first().is_some_and(are_default) {
            return;
        }
        match self.alike.series.iter_mut().find(|series| Arc::ptr_eq(&series.others, others)) {
            Some(series) => series.missed += times,
            None => self.count_missed_one_by_one(others, times),
        }
    }

    fn count_missed_one_by_one(&mut self, keys: &[OpenKey], times: i64) {
        for (_, place) in keys {
            self.keys[*place as usize].missed_non_partitioned += times;
        }
    }

    /// Adds the opportunities missed in common to each key, and drops the series. Nothing else is kept of them.
    #[inline]
    pub(super) fn part(&mut self) {
        if self.alike.known {
            self.part_series();
        }
    }

    #[cold]
    fn part_series(&mut self) {
        for series in std::mem::take(&mut self.alike).series.into_iter().filter(|s| s.missed != 0) {
            self.count_missed_one_by_one(&series.others, series.missed);
        }
    }

    /// Opens a key, which has pending requests from now on.
    pub fn open_key(&mut self, place: usize) {
        self.part();
        let key = self.keys[place].key;
        if let Err(i) = self.open.binary_search_by_key(&key, |(k, _)| *k) {
            self.open.insert(i, (key, place as u32));
        }
    }

    /// Closes a key, which has no pending requests any more.
    pub fn close_key(&mut self, place: usize) {
        self.part();
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

    /// Found by the workloads of docs/performance.md: which reservation is given up first depends on the size of a Java
    /// table, which grows with the thirteenth reservation and never shrinks while one is left.
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
