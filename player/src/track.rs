//! The run as far as it is known: the simulation at its front, checkpoints on the way, and flags of each event.

use super::rounds::Rounds;
use crate::apps::{self, PointOf};
use crate::explain::fair::figures;
use crate::explain::say::runs as say;
use crate::explain::view::{Series, SeriesPoint};
use crate::explain::{Names, words};
use heddle_core::journal::{Change, Entry, Fingerprinted, Folded};
use heddle_core::model::limits::RUN_BYTES;
use heddle_core::model::{CalculatorKind, Millis, QueueId, Resource, SortedMap};
use heddle_core::sim::{Ended, Event, Monitor, Simulation};

/// The event was a node's heartbeat or a run of asynchronous scheduling.
pub const HEARTBEAT: u8 = 1;
/// Something was decided: allocated, refused or skipped.
pub const DECISION: u8 = 2;
/// Something changed.
pub const CHANGE: u8 = 4;
/// The event was a run of asynchronous scheduling.
pub const WALK: u8 = 8;

/// Events between two checkpoints at first; doubled whenever there are too many or each is too large.
const SPACING: u64 = 32;
/// Bytes of a checkpoint for each event since the last one; at this rate copying takes a fraction of the time of playing.
const BYTES_PER_EVENT: u64 = 1_024;
/// The approximate memory for checkpoints, and the most checkpoints.
const CHECKPOINT_BYTES: usize = 96 << 20;
const CHECKPOINTS: usize = 2_000;
/// The most points of one chart line, and of all lines; beyond that every other point is dropped.
const POINTS: usize = 20_000;
const ALL_POINTS: usize = 1_000_000;
/// The approximate bytes of a point, and of a fingerprint or a placement.
const POINT_BYTES: usize = 48;
const NOTE_BYTES: usize = 16;
/// Copies of the state besides checkpoints: the front, the cursor, a seek in progress, and a replay for an answer.
const COPIES: usize = 4;
/// Events between two measurements of the state's memory.
const WEIGHED_EVERY: u64 = 1_024;
/// Nodes, applications, containers and requests whose invariants are checked for each event, on average.
const CHECKED_PER_EVENT: usize = 25;
/// The size of the state up to which it is checked after every event.
const ALWAYS_CHECKED: usize = 300;

/// Drops every other point of a line but keeps its last. Returns the number of points dropped.
fn thin_out(line: &mut Vec<SeriesPoint>) -> usize {
    let before = line.len();
    let mut n = before;
    line.retain(|_| {
        n -= 1;
        n.is_multiple_of(2)
    });
    before - line.len()
}

/// Adds a point to a line, if it has a new value.
fn add_point(line: &mut Vec<SeriesPoint>, point: SeriesPoint, points: &mut usize) {
    if line.len() >= POINTS {
        *points -= thin_out(line);
    }
    match line.last_mut() {
        Some(last) if (SeriesPoint { time_ms: point.time_ms, ..*last }) == point => {}
        Some(last) if last.time_ms == point.time_ms => *last = point,
        _ => {
            line.push(point);
            *points += 1;
        }
    }
}

/// The known part of a run.
#[derive(Clone, Debug)]
pub struct Track {
    /// The simulation at the front.
    pub front: Simulation,
    recorder: Fingerprinted<Folded>,
    /// The flags of each event.
    pub flags: Vec<u8>,
    /// The fingerprints: the number of events, and the fingerprint from there on.
    fingerprints: Vec<(u64, u64)>,
    checkpoints: Vec<(u64, Simulation)>,
    /// The total size of the checkpoints, in bytes.
    checkpoint_bytes: usize,
    /// The size of the state at the front when it was last measured.
    front_bytes: usize,
    /// The most bytes for everything.
    most_bytes: usize,
    /// Whether the run was cut off because it reached that limit.
    pub full: bool,
    spacing: u64,
    /// Chart lines by queue, partition and resource type.
    series: SortedMap<(usize, usize, usize), Vec<SeriesPoint>>,
    /// Chart lines of the kinds of applications, by the kind's index, the line's subject and its index.
    of_kinds: SortedMap<(usize, String, usize), Vec<SeriesPoint>>,
    points: usize,
    /// Containers placed other than AMs: the number of events, and the time.
    placed: Vec<(u64, Millis)>,
    /// Credit for checking invariants, in nodes, applications, containers and requests.
    unchecked: usize,
    /// The sentence about the invariant that broke.
    pub broken: Option<String>,
    /// The preemption rounds.
    pub rounds: Rounds,
}

impl Track {
    /// Creates a run at its start.
    pub fn new(start: Simulation) -> Self {
        let timing = &start.scenario().timing;
        let round = if start.is_asynchronous() { timing.async_interval } else { timing.node_heartbeat }.max(1);
        Track {
            checkpoints: vec![(0, start.checkpoint())],
            checkpoint_bytes: start.weight(),
            front_bytes: start.weight(),
            most_bytes: RUN_BYTES,
            full: false,
            front: start,
            recorder: Fingerprinted::new(Folded::new(round)),
            flags: Vec::new(),
            fingerprints: Vec::new(),
            spacing: SPACING,
            series: SortedMap::default(),
            of_kinds: SortedMap::default(),
            points: 0,
            placed: Vec::new(),
            unchecked: 0,
            broken: None,
            rounds: Rounds::default(),
        }
    }

    /// The log; callers must [`settle`](Self::settle) it after advancing.
    pub fn log(&self) -> &Folded {
        debug_assert!(self.recorder.inner.is_settled(), "lines are read as of now");
        &self.recorder.inner
    }

    /// Puts what the log holds in common into its lines, so that it can be read.
    pub fn settle(&mut self) {
        self.recorder.inner.settle();
    }

    /// The number of known events.
    pub fn known(&self) -> u64 {
        self.flags.len() as u64
    }

    /// Returns whether the run is known to its end.
    pub fn complete(&self) -> bool {
        self.front.ended().is_some() || self.broken.is_some() || self.full
    }

    /// Returns whether the run was played to the end that the scenario gives it.
    pub fn whole(&self) -> bool {
        self.front.ended().is_some_and(|ended| ended != Ended::CutOff) && self.broken.is_none()
    }

    /// Plays one more event; returns false at the end. Does not settle the log.
    pub fn advance(&mut self) -> bool {
        if self.broken.is_some() || self.full {
            return false;
        }
        if self.weight() > self.most_bytes {
            self.full = true;
            return false;
        }
        let n = self.known();
        self.recorder.inner.begin(n);
        let notices = self.front.notices().len();
        let Some(stepped) = self.front.step_told(&mut self.recorder) else { return false };
        let mut flags = match stepped.event {
            Event::NodeHeartbeat(_) => HEARTBEAT,
            Event::Walk => HEARTBEAT | WALK,
            _ => 0,
        };
        if self.recorder.inner.decided {
            flags |= DECISION;
        }
        if self.recorder.inner.changed {
            flags |= CHANGE;
            self.fingerprints.push((n + 1, self.recorder.value()));
            let lines = self.recorder.inner.lines.iter().rev().take_while(|l| l.event == n);
            let placed =
                lines.filter(|l| matches!(l.entry, Entry::Changed(Change::Allocated { am: false, .. }))).count();
            self.placed.extend(std::iter::repeat_n((n + 1, stepped.at), placed));
        }
        if stepped.event == Event::Round(Monitor::Preemption)
            && let Some(round) = self.front.latest_preemption()
        {
            self.rounds.note(n, round);
        }
        // Refusals are not in the journal, but steps stop at them too.
        if self.front.notices().len() > notices {
            flags |= DECISION | CHANGE;
        }
        self.flags.push(flags);
        if self.recorder.inner.changed || stepped.stirred {
            self.sample();
        }
        self.checkpoint(n + 1);
        // Checking costs time in proportion to the state's size: small ones are checked after every event, larger ones so
        // rarely that it costs a fraction of playing.
        self.unchecked += CHECKED_PER_EVENT;
        if self.is_check_due() {
            self.unchecked = 0;
            self.broken = self.front.check().map(|broken| say::broken(Names::new(&self.front), &broken));
        }
        true
    }

    fn is_check_due(&self) -> bool {
        let rm = self.front.rm();
        let is_due = |all: usize| all <= ALWAYS_CHECKED || self.unchecked >= all;
        let things = rm.nodes().len() + rm.apps().len() + self.placed.len().min(10_000);
        // Requests are counted only if a check may be due.
        let requests = || -> usize { rm.cluster().apps.iter().map(|app| app.asks.open().len()).sum() };
        self.complete() || (is_due(things) && is_due(things + requests()))
    }

    /// Plays until the next event is later than `time`, at most `events` events. Returns whether that time is reached.
    pub fn advance_to(&mut self, time: Millis, events: u64) -> bool {
        let mut left = events;
        while left > 0 && self.front.next_at().is_some_and(|at| at <= time) && self.advance() {
            left -= 1;
        }
        self.settle();
        left > 0
    }

    /// Plays until `event` events are known, or to the end.
    pub fn advance_to_event(&mut self, event: u64) {
        while self.known() < event && self.advance() {}
        self.settle();
    }

    /// The approximate size of the run and its record, in bytes. It is computed from counts, so that a run is cut off at the
    /// same event on every machine.
    pub fn weight(&self) -> usize {
        let notes = self.flags.len() + NOTE_BYTES * (self.fingerprints.len() + self.placed.len());
        self.recorder.inner.weight()
            + notes
            + POINT_BYTES * self.points
            + self.checkpoint_bytes
            + COPIES * self.front_bytes
    }

    /// Sets another limit of bytes.
    #[cfg(test)]
    pub fn with_most_bytes(mut self, bytes: usize) -> Self {
        self.most_bytes = bytes.min(RUN_BYTES);
        self
    }

    fn checkpoint(&mut self, event: u64) {
        if event.is_multiple_of(WEIGHED_EVERY) {
            self.front_bytes = self.front.weight();
        }
        if !event.is_multiple_of(self.spacing) {
            return;
        }
        self.front_bytes = self.front.weight();
        let weight = self.front_bytes;
        let too_close = self.spacing * BYTES_PER_EVENT < weight as u64;
        if !too_close {
            self.checkpoint_bytes += weight;
            self.checkpoints.push((event, self.front.checkpoint()));
        }
        let too_many = self.checkpoints.len() > CHECKPOINTS || self.checkpoint_bytes > CHECKPOINT_BYTES;
        if too_close || too_many && self.checkpoints.len() > 2 {
            self.spacing *= 2;
            let spacing = self.spacing;
            self.checkpoints.retain(|(at, _)| at % spacing == 0);
            self.checkpoint_bytes = self.checkpoints.iter().map(|(_, sim)| sim.weight()).sum();
        }
    }

    /// Returns the latest checkpoint after at most `event` events.
    pub fn before_event(&self, event: u64) -> &(u64, Simulation) {
        let i = self.checkpoints.partition_point(|(at, _)| *at <= event);
        &self.checkpoints[i.saturating_sub(1)]
    }

    /// Returns the latest checkpoint all of whose events happened at or before `time`.
    pub fn before_time(&self, time: Millis) -> &(u64, Simulation) {
        let i = self.checkpoints.partition_point(|(at, sim)| *at == 0 || sim.now() <= time);
        &self.checkpoints[i.saturating_sub(1)]
    }

    /// Returns the number of events at the first checkpoint after `event` events.
    pub fn checkpoint_after(&self, event: u64) -> Option<u64> {
        self.checkpoints.get(self.checkpoints.partition_point(|(at, _)| *at <= event)).map(|(at, _)| *at)
    }

    /// Returns the fingerprint after `events` events.
    pub fn fingerprint(&self, events: u64) -> u64 {
        let i = self.fingerprints.partition_point(|(at, _)| *at <= events);
        i.checked_sub(1).map_or_else(|| Fingerprinted::<Folded>::default().value(), |i| self.fingerprints[i].1)
    }

    /// All fingerprints: the number of events, and the fingerprint from there on.
    pub fn fingerprints(&self) -> &[(u64, u64)] {
        &self.fingerprints
    }

    /// Returns the time of the last of `events` events, which must have changed something.
    pub fn time_of(&self, events: u64) -> Millis {
        let lines = &self.log().lines;
        let n = lines.partition_point(|l| l.event < events);
        n.checked_sub(1).map_or(0, |n| lines[n].last)
    }

    /// Returns the number of containers placed by then, without AMs, and the time of the last one.
    pub fn placed(&self, events: u64) -> (usize, Option<Millis>) {
        let n = self.placed.partition_point(|(at, _)| *at <= events);
        (n, n.checked_sub(1).map(|i| self.placed[i].1))
    }

    fn sample(&mut self) {
        let rm = self.front.rm();
        let time_ms = self.front.now();
        // Charts have no lines for resources that the scheduler ignores.
        let memory_only = rm.cluster().calculator.kind == CalculatorKind::Default;
        let types = if memory_only { 1 } else { rm.cluster().types.len() };
        let (series, points) = (&mut self.series, &mut self.points);
        let mut add =
            |queue: usize, partition: usize, [used, guaranteed, maximum, pending, reserved, steady]: [&Resource; 6]| {
                for i in 0..types {
                    let point = SeriesPoint {
                        time_ms,
                        used: used[i],
                        guaranteed: guaranteed[i],
                        steady: steady[i],
                        maximum: maximum[i],
                        pending: pending[i],
                        reserved: reserved[i],
                    };
                    add_point(series.or_default((queue, partition, i)), point, points);
                }
            };
        for f in figures(rm) {
            add(f.queue.index(), 0, [&f.used, &f.share, &f.maximum, &f.pending, &Resource::ZERO, &f.steady]);
        }
        for queue in rm.queues().iter().filter(|q| q.alive) {
            for p in rm.cluster().partition_ids() {
                let part = queue.part(p);
                if !p.is_default() && !part.access && part.used.is_zero() {
                    continue;
                }
                let (least, most) = (&part.shares.effective_min, &part.shares.effective_max);
                let figures = [&part.used, least, most, &part.pending, &part.reserved, &Resource::ZERO];
                add(queue.id.index(), p.index(), figures);
            }
        }
        for (kind, told) in apps::all().enumerate() {
            for PointOf { of, line, point } in told.points(&self.front) {
                add_point(self.of_kinds.or_default((kind, of, line)), point, &mut self.points);
            }
        }
        if self.points > ALL_POINTS {
            let lines = self.series.values_mut().chain(self.of_kinds.values_mut());
            self.points -= lines.map(thin_out).sum::<usize>();
        }
    }

    /// Returns the usage of queues over time, then the lines of the kinds of applications.
    pub fn series(&self) -> Vec<Series> {
        let rm = self.front.rm();
        let types = &rm.cluster().types;
        let lines = self.series.iter().filter_map(|((queue, partition, kind), points)| {
            Some(Series {
                name: rm.queue_path(QueueId::from(*queue)).to_string(),
                partition: rm.partitions().get(*partition)?.name.clone(),
                resource: if *kind == 0 { String::new() } else { words::unit(*kind, types) },
                points: points.clone(),
            })
        });
        let of_kinds = self.of_kinds.iter().filter_map(|((kind, of, line), points)| {
            let (name, resource) = apps::all().nth(*kind)?.line(of, *line);
            Some(Series { name, partition: String::new(), resource, points: points.clone() })
        });
        lines.chain(of_kinds).collect()
    }
}
