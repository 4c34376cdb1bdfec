//! The selection of a round so far, and what it still wants; looked up for each container.

use super::snapshot::Piece;
use crate::model::{AttemptId, ContainerId, PartitionId, Resource};

/// The amount wanted from a queue, by partition. A partition from which nothing more is wanted has no entry.
#[derive(Default)]
pub(super) struct Wants(Vec<(PartitionId, Resource)>);

impl Wants {
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub fn len(&self) -> usize {
        self.0.len()
    }

    pub fn clear(&mut self) {
        self.0.clear();
    }

    fn place(&self, p: PartitionId) -> Result<usize, usize> {
        self.0.binary_search_by_key(&p, |(q, _)| *q)
    }

    pub fn contains(&self, p: PartitionId) -> bool {
        self.place(p).is_ok()
    }

    pub fn get_mut(&mut self, p: PartitionId) -> Option<&mut Resource> {
        self.place(p).ok().map(|i| &mut self.0[i].1)
    }

    pub fn set(&mut self, p: PartitionId, wanted: Resource) {
        match self.place(p) {
            Ok(i) => self.0[i].1 = wanted,
            Err(i) => self.0.insert(i, (p, wanted)),
        }
    }

    pub fn remove(&mut self, p: PartitionId) {
        if let Ok(i) = self.place(p) {
            self.0.remove(i);
        }
    }

    pub fn to_vec(&self) -> Vec<(PartitionId, Resource)> {
        self.0.clone()
    }
}

/// The selected containers, looked up and iterated by container.
#[derive(Default)]
pub(super) struct SelectedContainers {
    /// Sorted by application and attempt.
    apps: Vec<OfApp>,
    all: Vec<Took>,
    /// The attempt of the latest lookup: containers come application by application.
    latest: usize,
}

/// The selected containers of an attempt: numbers and places, the greatest number first, as they are mostly selected.
struct OfApp {
    id: AttemptId,
    places: Vec<(u64, u32)>,
}

/// The facts about a selected container that later selectors need.
#[derive(Clone, Copy)]
pub(super) struct Took {
    pub id: ContainerId,
    pub partition: PartitionId,
    /// The requested partition.
    pub asked: PartitionId,
    pub queue: Option<usize>,
    pub size: Resource,
}

fn attempt(id: ContainerId) -> AttemptId {
    AttemptId { app: id.app, attempt: id.attempt }
}

impl OfApp {
    fn place(&self, seq: u64) -> Result<usize, usize> {
        match self.places.last() {
            Some((last, _)) if *last > seq => Err(self.places.len()),
            _ => self.places.binary_search_by(|(s, _)| seq.cmp(s)),
        }
    }
}

impl SelectedContainers {
    fn app(&self, id: AttemptId) -> Result<usize, usize> {
        match self.apps.get(self.latest) {
            Some(latest) if latest.id == id => Ok(self.latest),
            _ => self.apps.binary_search_by(|a| a.id.cmp(&id)),
        }
    }

    pub fn contains(&self, id: ContainerId) -> bool {
        self.app(attempt(id)).is_ok_and(|at| self.apps[at].place(id.seq).is_ok())
    }

    pub fn add(&mut self, c: &Piece) {
        let id = attempt(c.id);
        let at = self.app(id).unwrap_or_else(|at| {
            self.apps.insert(at, OfApp { id, places: Vec::new() });
            at
        });
        self.latest = at;
        let of_app = &mut self.apps[at];
        let place = self.all.len() as u32;
        match of_app.place(c.id.seq) {
            Ok(i) => of_app.places[i].1 = place,
            Err(i) => of_app.places.insert(i, (c.id.seq, place)),
        }
        self.all.push(Took { id: c.id, partition: c.partition, asked: c.asked, queue: c.queue, size: c.size });
    }

    pub fn iter(&self) -> impl Iterator<Item = &Took> {
        self.apps.iter().flat_map(|a| self.of(a))
    }

    pub fn of_attempt(&self, id: AttemptId) -> impl Iterator<Item = &Took> {
        self.app(id).ok().into_iter().flat_map(|at| self.of(&self.apps[at]))
    }

    fn of(&self, app: &OfApp) -> impl Iterator<Item = &Took> {
        app.places.iter().rev().map(|(_, place)| &self.all[*place as usize])
    }
}
