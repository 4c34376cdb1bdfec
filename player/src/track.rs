//! The run as far as it is known: the simulation at its front, checkpoints on the way, and what each event was.

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

/// The event was a node's heartbeat or a walk of the asynchronous scheduler.
pub const HEARTBEAT: u8 = 1;
/// Something was decided: given, refused or passed over.
pub const DECISION: u8 = 2;
/// Something changed.
pub const CHANGE: u8 = 4;
/// The event was a walk of the asynchronous scheduler.
pub const WALK: u8 = 8;

/// Events between two checkpoints at first; doubled whenever there are too many, or each is too heavy.
const SPACING: u64 = 32;
/// Bytes of a checkpoint for each event since the last one: copying them takes a fraction of the time of playing it.
const BYTES_PER_EVENT: u64 = 1_024;
/// Memory for checkpoints, roughly, and how many there are at most.
const CHECKPOINT_BYTES: usize = 96 << 20;
const CHECKPOINTS: usize = 2_000;
/// Points of one line of a chart at most, and of all lines: where there would be more, every other one is left out.
const POINTS: usize = 20_000;
const ALL_POINTS: usize = 1_000_000;
/// Bytes of a point, of a fingerprint or a placing, roughly.
const POINT_BYTES: usize = 48;
const NOTE_BYTES: usize = 16;
/// Copies of the state besides the checkpoints: the front, the cursor, one on its way, and what is replayed for an answer.
const COPIES: usize = 4;
/// Events between two looks at how much memory the state takes.
const WEIGHED_EVERY: u64 = 1_024;
/// Nodes, applications, containers and requests whose invariants are looked at after each event, on average.
const CHECKED_PER_EVENT: usize = 25;
/// So many of them are looked at after every event all the same.
const ALWAYS_CHECKED: usize = 300;

/// Leaves every other point of a line out, and not its last; gives how many.
fn thin_out(line: &mut Vec<SeriesPoint>) -> usize {
    let before = line.len();
    let mut n = before;
    line.retain(|_| {
        n -= 1;
        n.is_multiple_of(2)
    });
    before - line.len()
}

/// One more point of a line, where it says something new.
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
    /// What each event was.
    pub flags: Vec<u8>,
    /// Fingerprints: after so many events it became this.
    fingerprints: Vec<(u64, u64)>,
    checkpoints: Vec<(u64, Simulation)>,
    /// What they take in all, in bytes.
    checkpoint_bytes: usize,
    /// What the state at the front took when it was last weighed.
    front_bytes: usize,
    /// Bytes that all of it may take.
    most_bytes: usize,
    /// Was the run cut off since it takes that much?
    pub full: bool,
    spacing: u64,
    /// Lines of charts, by queue, partition and resource type.
    series: SortedMap<(usize, usize, usize), Vec<SeriesPoint>>,
    /// Lines that are a kind of application's own, by its place among the kinds, what they are of, and which of its lines.
    of_kinds: SortedMap<(usize, String, usize), Vec<SeriesPoint>>,
    points: usize,
    /// Containers placed that are no AMs: after which event, and when.
    placed: Vec<(u64, Millis)>,
    /// Nodes, applications and containers that might have been looked at since their invariants were.
    unchecked: usize,
    /// The invariant that broke, in words.
    pub broken: Option<String>,
    /// Rounds of preemption.
    pub rounds: Rounds,
}

impl Track {
    /// A run at its start.
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

    /// What was recorded. Whoever has gone on settles it first.
    pub fn log(&self) -> &Folded {
        debug_assert!(self.recorder.inner.is_settled(), "lines are read as of now");
        &self.recorder.inner
    }

    /// The log is read next: puts into its lines what it was told in common.
    pub fn settle(&mut self) {
        self.recorder.inner.settle();
    }

    /// How many events are known.
    pub fn known(&self) -> u64 {
        self.flags.len() as u64
    }

    /// Is everything known that will ever happen?
    pub fn complete(&self) -> bool {
        self.front.ended().is_some() || self.broken.is_some() || self.full
    }

    /// Was it played to the end that the scenario gives it?
    pub fn whole(&self) -> bool {
        self.front.ended().is_some_and(|ended| ended != Ended::CutOff) && self.broken.is_none()
    }

    /// Goes one event further; false at the end. The log is not settled by it.
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
        // What is refused is not in the journal, and worth a stop as well.
        if self.front.notices().len() > notices {
            flags |= DECISION | CHANGE;
        }
        self.flags.push(flags);
        if self.recorder.inner.changed || stepped.stirred {
            self.sample();
        }
        self.checkpoint(n + 1);
        // Looking at the whole state costs as much as it is large: small ones are looked at after every event, larger
        // ones so often that it costs a fraction of playing them.
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
        // Requests are only counted when it may be due.
        let requests = || -> usize { rm.cluster().apps.iter().map(|app| app.asks.open().len()).sum() };
        self.complete() || (is_due(things) && is_due(things + requests()))
    }

    /// Goes on until the next event is later than this, at most so many events. Is that time reached?
    pub fn advance_to(&mut self, time: Millis, events: u64) -> bool {
        let mut left = events;
        while left > 0 && self.front.next_at().is_some_and(|at| at <= time) && self.advance() {
            left -= 1;
        }
        self.settle();
        left > 0
    }

    /// Goes on until so many events are known, or to the end.
    pub fn advance_to_event(&mut self, event: u64) {
        while self.known() < event && self.advance() {}
        self.settle();
    }

    /// What the run and its record take, in bytes, roughly. Made of counts, so that a run is cut off at the same event
    /// wherever it is played.
    pub fn weight(&self) -> usize {
        let notes = self.flags.len() + NOTE_BYTES * (self.fingerprints.len() + self.placed.len());
        self.recorder.inner.weight()
            + notes
            + POINT_BYTES * self.points
            + self.checkpoint_bytes
            + COPIES * self.front_bytes
    }

    /// The same with another limit of bytes.
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

    /// The latest checkpoint that is no later than this event.
    pub fn before_event(&self, event: u64) -> &(u64, Simulation) {
        let i = self.checkpoints.partition_point(|(at, _)| *at <= event);
        &self.checkpoints[i.saturating_sub(1)]
    }

    /// The latest checkpoint all of whose events happened at or before this time.
    pub fn before_time(&self, time: Millis) -> &(u64, Simulation) {
        let i = self.checkpoints.partition_point(|(at, sim)| *at == 0 || sim.now() <= time);
        &self.checkpoints[i.saturating_sub(1)]
    }

    /// The first checkpoint after so many events.
    pub fn checkpoint_after(&self, event: u64) -> Option<u64> {
        self.checkpoints.get(self.checkpoints.partition_point(|(at, _)| *at <= event)).map(|(at, _)| *at)
    }

    /// Fingerprint after so many events.
    pub fn fingerprint(&self, events: u64) -> u64 {
        let i = self.fingerprints.partition_point(|(at, _)| *at <= events);
        i.checked_sub(1).map_or_else(|| Fingerprinted::<Folded>::default().value(), |i| self.fingerprints[i].1)
    }

    /// All fingerprints: after so many events it became this.
    pub fn fingerprints(&self) -> &[(u64, u64)] {
        &self.fingerprints
    }

    /// When the last of so many events happened; it changed something.
    pub fn time_of(&self, events: u64) -> Millis {
        let lines = &self.log().lines;
        let n = lines.partition_point(|l| l.event < events);
        n.checked_sub(1).map_or(0, |n| lines[n].last)
    }

    /// Containers placed after so many events, AMs not counted, and when the last of them was.
    pub fn placed(&self, events: u64) -> (usize, Option<Millis>) {
        let n = self.placed.partition_point(|(at, _)| *at <= events);
        (n, n.checked_sub(1).map(|i| self.placed[i].1))
    }

    fn sample(&mut self) {
        let rm = self.front.rm();
        let time_ms = self.front.now();
        // What the scheduler does not look at has no share to be drawn.
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

    /// Use of queues over time; then what the kinds of applications draw.
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
