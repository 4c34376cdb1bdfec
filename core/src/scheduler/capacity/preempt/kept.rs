//! What rounds keep for the next one, so that it looks only at what has changed: the figures of the queues, and of
//! applications whose containers were gone through the order of these. None of it decides anything: a copy of the
//! scheduler begins without, and finds the same.

use crate::model::{PartitionId, QueueId, RequestKey};
use crate::preemption::{AppWants, Snapshot};
use crate::scheduler::container::Containers;
use crate::scheduler::{App, Cluster, Slot};

/// The figures of the latest round.
pub(super) struct LatestShot {
    pub shot: Snapshot,
    /// Places of queues in it.
    pub places: Vec<Option<usize>>,
    /// Which partitions lend their room.
    pub lending: Vec<bool>,
    /// What the applications of each leaf want, by partition and place.
    pub wants: Vec<Vec<AppWants>>,
    /// Whether any leaf orders its applications fairly.
    pub fair: bool,
}

impl LatestShot {
    /// Returns whether totals and calculator are those that it was made with.
    pub fn stands_on(&self, c: &Cluster) -> bool {
        let (shot, totals) = (&self.shot, c.partitions.iter().map(|p| p.total));
        (shot.calculator, shot.minimum, shot.cluster) == (c.calculator, c.minimum, c.total)
            && totals.eq(shot.partitions.iter().map(|p| p.total))
            && c.partitions.iter().map(|p| !p.exclusive).eq(self.lending.iter().copied())
    }

    /// Where a queue stands among the lines of a pass, partition by partition.
    pub fn line(&self, queue: QueueId, p: PartitionId) -> Option<usize> {
        let place = *self.places.get(queue.index())?;
        let before = self.shot.partition_order.iter().position(|q| *q == p)?;
        Some(before * self.shot.queues.len() + place?)
    }

    /// What the applications of the leaves want, partition by partition.
    pub fn told_wants(&self) -> Vec<AppWants> {
        let per = self.shot.queues.len();
        let of = |p: &PartitionId| self.wants.iter().skip(p.index() * per).take(per).flatten().copied();
        self.shot.partition_order.iter().flat_map(of).collect()
    }
}

/// Queues whose figures are not those of the latest round any more. The doors of the books tell.
pub(in crate::scheduler::capacity) struct Changed {
    /// All of them, or the tree itself.
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
    /// A queue has changed.
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

    /// All have.
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

    /// The figures are being taken: what changes from now on is to be looked at by the next round. The ones that had changed;
    /// `None`: all.
    pub fn begin(&mut self, queues: usize) -> Option<Vec<QueueId>> {
        let all = std::mem::replace(&mut self.all, false);
        let changed = std::mem::take(&mut self.queues);
        self.is.clear();
        self.is.resize(queues, false);
        (!all).then_some(changed)
    }
}

/// Orders of the containers of attempts, of those that a round asks for.
#[derive(Default)]
pub(super) struct Pools {
    /// By application.
    of: Vec<Pool>,
    /// Rounds so far.
    round: u64,
    /// How many have an order, and whom the present round has asked for.
    count: usize,
    asked: usize,
}

/// The numbers of an attempt's live containers and reservations by key, ascending; some of them may be gone.
#[derive(Default)]
struct Pool {
    attempt: u32,
    /// Those below are in it.
    upto: u64,
    keys: Vec<(RequestKey, Vec<u64>)>,
    /// How many there are.
    count: usize,
    /// The round that asked for it last; 0: none.
    round: u64,
}

impl Pools {
    /// A round begins. Whom the latest rounds did not ask for is forgotten when that is most of them.
    pub fn begin(&mut self) {
        if self.count > 2 * self.asked + 16 {
            let round = self.round;
            self.of.iter_mut().filter(|pool| pool.round != round).for_each(|pool| *pool = Pool::default());
            self.count = self.asked;
        }
        (self.round, self.asked) = (self.round + 1, 0);
    }

    /// An application's order is brought up to date.
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

    /// Live containers and reservations of an application that is up to date, most dispensable first
    /// ([`crate::preemption::taking_order`]).
    pub fn walk<'a>(&'a self, app: &'a App) -> impl Iterator<Item = Slot> + 'a {
        let keys = self.of.get(app.id.index()).map_or(&[][..], |pool| pool.keys.as_slice());
        keys.iter().rev().flat_map(|(_, seqs)| seqs.iter().rev()).filter_map(|seq| app.live.get(*seq))
    }
}
