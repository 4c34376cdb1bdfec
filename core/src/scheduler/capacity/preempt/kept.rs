//! Data that rounds keep for the next one, so that it reads only what has changed: the figures of the queues, and the
//! containers of applications in the order of preemption. None of it decides anything: a copy of the scheduler begins
//! without it, and gives the same results.

use crate::model::{PartitionId, QueueId, RequestKey};
use crate::preemption::{AppWants, Snapshot};
use crate::scheduler::container::Containers;
use crate::scheduler::{App, Cluster, Slot};

/// The figures of the latest round.
pub(super) struct LatestShot {
    pub shot: Snapshot,
    /// The places of queues in it.
    pub places: Vec<Option<usize>>,
    /// Whether each partition lends its room.
    pub lending: Vec<bool>,
    /// The requests of each leaf's applications, by partition and place.
    pub wants: Vec<Vec<AppWants>>,
    /// Whether any leaf orders its applications fairly.
    pub fair: bool,
}

impl LatestShot {
    /// Returns whether it was made with the current totals and calculator.
    pub fn stands_on(&self, c: &Cluster) -> bool {
        let (shot, totals) = (&self.shot, c.partitions.iter().map(|p| p.total));
        (shot.calculator, shot.minimum, shot.cluster) == (c.calculator, c.minimum, c.total)
            && totals.eq(shot.partitions.iter().map(|p| p.total))
            && c.partitions.iter().map(|p| !p.exclusive).eq(self.lending.iter().copied())
    }

    /// Returns the index of a queue's line in a pass, which goes partition by partition.
    pub fn line(&self, queue: QueueId, p: PartitionId) -> Option<usize> {
        let place = *self.places.get(queue.index())?;
        let before = self.shot.partition_order.iter().position(|q| *q == p)?;
        Some(before * self.shot.queues.len() + place?)
    }

    /// Returns the requests of the leaves' applications, partition by partition.
    pub fn told_wants(&self) -> Vec<AppWants> {
        let per = self.shot.queues.len();
        let of = |p: &PartitionId| self.wants.iter().skip(p.index() * per).take(per).flatten().copied();
        self.shot.partition_order.iter().flat_map(of).collect()
    }
}

/// The queues whose figures have changed since the latest round. The mutators of the accounting record them.
pub(in crate::scheduler::capacity) struct Changed {
    /// Whether all of them have changed, or the tree itself.
    all: bool,
    queues: Vec<QueueId>,
    is: Vec<bool>,
}

impl Default for Changed {
    fn default() -> Self {
        Changed { all: true, queues: Vec::new(), is: Vec::new() }
    }
}

impl Changed {
    /// Records that a queue has changed.
    #[inline]
    pub fn note(&mut self, queue: QueueId) {
        if !self.all {
            self.note_one(queue);
        }
    }

    fn note_one(&mut self, queue: QueueId) {
        let Some(noted) = self.is.get_mut(queue.index()) else {
            self.all = true;
            return;
        };
        if !std::mem::replace(noted, true) {
            self.queues.push(queue);
        }
    }

    /// Records that all queues have changed.
    pub fn note_all(&mut self) {
        self.all = true;
    }

    /// Returns whether no queue has changed.
    pub fn is_none(&self) -> bool {
        !self.all && self.queues.is_empty()
    }

    /// Returns whether a queue has changed.
    #[cfg(test)]
    pub fn has(&self, queue: QueueId) -> bool {
        self.all || self.is.get(queue.index()).is_some_and(|noted| *noted)
    }

    /// Starts recording changes for the next round, because the figures are being taken. Returns the queues that had
    /// changed; `None`: all.
    pub fn begin(&mut self, queues: usize) -> Option<Vec<QueueId>> {
        let all = std::mem::replace(&mut self.all, false);
        let changed = std::mem::take(&mut self.queues);
        self.is.clear();
        self.is.resize(queues, false);
        (!all).then_some(changed)
    }
}

/// The containers of attempts in the order of preemption, for the attempts that rounds ask for.
#[derive(Default)]
pub(super) struct Pools {
    /// The pools by application.
    of: Vec<Pool>,
    /// The number of rounds so far.
    round: u64,
    /// The number of pools in use, and of those that the current round has asked for.
    count: usize,
    asked: usize,
}

/// The numbers of an attempt's live containers and reservations by key, ascending; some of them may be gone.
#[derive(Default)]
struct Pool {
    attempt: u32,
    /// The number below which all are in the pool.
    upto: u64,
    keys: Vec<(RequestKey, Vec<u64>)>,
    /// The number of containers in `keys`.
    count: usize,
    /// The latest round that asked for it; 0: none.
    round: u64,
}

impl Pools {
    /// Begins a round. Drops the pools that the latest round did not ask for, if they are most of them.
    pub fn begin(&mut self) {
        if self.count > 2 * self.asked + 16 {
            let round = self.round;
            self.of.iter_mut().filter(|pool| pool.round != round).for_each(|pool| *pool = Pool::default());
            self.count = self.asked;
        }
        (self.round, self.asked) = (self.round + 1, 0);
    }

    /// Brings an application's pool up to date.
    pub fn update(&mut self, app: &App, containers: &Containers) {
        let at = app.id.index();
        if at >= self.of.len() {
            self.of.resize_with(at + 1, Pool::default);
        }
        let pool = &mut self.of[at];
        let asked = std::mem::replace(&mut pool.round, self.round);
        self.count += usize::from(asked == 0);
        self.asked += usize::from(asked != self.round);
        let many_gone = pool.count > 2 * app.live.len() + 64;
        if pool.attempt != app.attempt || many_gone || pool.upto > app.next_seq {
            *pool = Pool { attempt: app.attempt, round: self.round, ..Pool::default() };
        }
        for (seq, slot) in app.live.iter_from(pool.upto) {
            let key = containers.at(slot).key;
            let at = match pool.keys.binary_search_by_key(&key, |(k, _)| *k) {
                Ok(at) => at,
                Err(at) => {
                    pool.keys.insert(at, (key, Vec::new()));
                    at
                }
            };
            pool.keys[at].1.push(seq);
            pool.count += 1;
        }
        pool.upto = app.next_seq;
        for (_, seqs) in &mut pool.keys {
            while seqs.pop_if(|seq| app.live.get(*seq).is_none()).is_some() {
                pool.count -= 1;
            }
        }
    }

    /// Iterates over the live containers and reservations of an application whose pool is up to date, most dispensable
    /// first ([`crate::preemption::taking_order`]).
    pub fn walk<'a>(&'a self, app: &'a App) -> impl Iterator<Item = Slot> + 'a {
        let keys = self.of.get(app.id.index()).map_or(&[][..], |pool| pool.keys.as_slice());
        keys.iter().rev().flat_map(|(_, seqs)| seqs.iter().rev()).filter_map(|seq| app.live.get(*seq))
    }
}
