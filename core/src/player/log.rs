//! What the player keeps of the journal: every happening, and what was passed over, repetitions folded.

use crate::explain::events::app_of;
use crate::journal::{AppVerdict, Entry, NodeVerdict, QueueVerdict, Recorder, RequestVerdict};
use crate::model::{AppId, Millis, NodeId, QueueId, RequestKey};
use std::collections::BTreeMap;
use std::mem::{Discriminant, discriminant};

/// Entries kept at most; later skips are then no longer listed (happenings always are).
const SKIPS: usize = 50_000;

/// One entry, possibly repeated.
#[derive(Clone, Debug, PartialEq)]
pub struct Line {
    /// Number of the event that it belongs to (the first, when folded), from 0.
    pub event: u64,
    /// When first.
    pub first: Millis,
    /// When last.
    pub last: Millis,
    /// How often.
    pub times: u64,
    /// The entry, with the figures of the last time.
    pub entry: Entry,
    /// Passed over, but nothing of it waited: the scheduler looks at limits before it looks whether anything is asked for.
    pub idle: bool,
}

#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Place {
    Node(NodeId),
    Queue(QueueId),
}

/// Who was passed over where, and at which level.
type FoldKey = (Option<AppId>, Option<RequestKey>, Option<Place>, u8);

/// What makes two skips the same.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Fold {
    line: usize,
    generation: u64,
    kind: (Kind, u64),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Queue(Discriminant<QueueVerdict>),
    App(Discriminant<AppVerdict>),
    Request(Discriminant<RequestVerdict>),
    Node(Discriminant<NodeVerdict>),
    Activation,
}

/// The log of a run.
#[derive(Clone, Debug, Default)]
pub struct Log {
    /// All lines, in the order of their first time.
    pub lines: Vec<Line>,
    /// Skips that are not listed for want of room.
    pub dropped: u64,
    /// Number of the event that is being applied.
    pub event: u64,
    /// Did the present event decide anything?
    pub decided: bool,
    /// Did it change anything?
    pub changed: bool,
    /// Lines that the present attempt has added to (`None`: for want of room it was dropped).
    recent: Vec<Option<usize>>,
    /// The same of the attempt that may be repeated, by its ticket.
    repeatable: Option<(u64, Vec<Option<usize>>)>,
    tickets: u64,
    skips: usize,
    folds: BTreeMap<FoldKey, Fold>,
    generations: BTreeMap<Option<AppId>, u64>,
}

impl Log {
    /// Tells that the next event begins.
    pub fn begin(&mut self, event: u64) {
        self.event = event;
        self.decided = false;
        self.changed = false;
    }

    fn happened(&mut self, at: Millis, entry: Entry) {
        // What happens ends the folding of lines before it.
        self.repeatable = None;
        self.changed = true;
        self.decided = true;
        if let Some(app) = app_of(&entry) {
            *self.generations.entry(Some(app)).or_default() += 1;
        } else {
            *self.generations.entry(None).or_default() += 1;
        }
        self.lines.push(Line { event: self.event, first: at, last: at, times: 1, entry, idle: false });
    }

    fn skipped(
        &mut self,
        at: Millis,
        app: Option<AppId>,
        key: Option<RequestKey>,
        place: Option<Place>,
        kind: Kind,
        entry: Entry,
    ) {
        self.decided = true;
        let generation = self.generations.get(&app).copied().unwrap_or(0);
        let common = self.generations.get(&None).copied().unwrap_or(0);
        let level = match kind {
            Kind::Queue(_) => 0,
            Kind::App(_) => 1,
            Kind::Request(_) => 2,
            Kind::Node(_) => 3,
            Kind::Activation => 4,
        };
        let fold_key = (app, key, place, level);
        if let Some(fold) = self.folds.get(&fold_key)
            && fold.generation == generation
            && fold.kind == (kind, common)
            && let Some(line) = self.lines.get_mut(fold.line)
        {
            line.last = at;
            line.times += 1;
            line.entry = entry;
            self.recent.push(Some(fold.line));
            return;
        }
        if self.skips >= SKIPS {
            self.recent.push(None);
            self.dropped += 1;
            return;
        }
        self.skips += 1;
        self.recent.push(Some(self.lines.len()));
        self.folds.insert(fold_key, Fold { line: self.lines.len(), generation, kind: (kind, common) });
        self.lines.push(Line { event: self.event, first: at, last: at, times: 1, entry, idle: false });
    }
}

impl Recorder for Log {
    #[inline]
    fn on(&self) -> bool {
        true
    }

    fn orders(&self) -> bool {
        false
    }

    fn remember(&mut self) -> Option<u64> {
        self.tickets += 1;
        self.repeatable = Some((self.tickets, std::mem::take(&mut self.recent)));
        Some(self.tickets)
    }

    fn repeat(&mut self, at: Millis, ticket: u64) -> bool {
        let Some((known, lines)) = &self.repeatable else { return false };
        if *known != ticket {
            return false;
        }
        for line in lines {
            match line.and_then(|line| self.lines.get_mut(line)) {
                Some(line) => {
                    line.last = at;
                    line.times += 1;
                }
                None => self.dropped += 1,
            }
        }
        self.decided |= !lines.is_empty();
        true
    }

    fn keep(&mut self, at: Millis, entry: Entry) {
        match &entry {
            Entry::Attempt { .. } => self.recent.clear(),
            Entry::IgnoreExclusivity
            | Entry::Children { .. }
            | Entry::Shares { .. }
            | Entry::Apps { .. }
            | Entry::Requests { .. }
            | Entry::AttemptOver { .. }
            | Entry::Queue { verdict: QueueVerdict::Accepted, .. }
            | Entry::Queue { verdict: QueueVerdict::NothingBelow, .. }
            | Entry::Queue { verdict: QueueVerdict::NoPending, .. }
            | Entry::Queue { verdict: QueueVerdict::NodeReserved, .. }
            | Entry::App { verdict: AppVerdict::NoPending, .. }
            | Entry::Request { verdict: RequestVerdict::NoNeed, .. }
            | Entry::Node { verdict: NodeVerdict::Allocated { .. }, .. }
            | Entry::Node { verdict: NodeVerdict::Reserved { .. }, .. } => {}
            Entry::Queue { queue, verdict } => {
                let (queue, kind) = (*queue, Kind::Queue(discriminant(verdict)));
                if matches!(verdict, QueueVerdict::NodeTooFull { .. } | QueueVerdict::NodeBelowMinimum { .. }) {
                    return;
                }
                self.skipped(at, None, None, Some(Place::Queue(queue)), kind, entry);
            }
            Entry::App { app, verdict } => {
                let (app, kind) = (*app, Kind::App(discriminant(verdict)));
                self.skipped(at, Some(app), None, None, kind, entry);
            }
            Entry::Request { app, key, verdict } => {
                let (app, key, kind) = (*app, *key, Kind::Request(discriminant(verdict)));
                self.skipped(at, Some(app), Some(key), None, kind, entry);
            }
            Entry::Node { app, key, node, verdict } => {
                let (app, key, node, kind) = (*app, *key, *node, Kind::Node(discriminant(verdict)));
                self.skipped(at, Some(app), Some(key), Some(Place::Node(node)), kind, entry);
            }
            Entry::NotActivated { app, .. } => {
                let app = *app;
                self.skipped(at, Some(app), None, None, Kind::Activation, entry);
            }
            _ => self.happened(at, entry),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sim::Simulation;
    use std::sync::Arc;

    /// A log that has to be told everything each time.
    #[derive(Default)]
    struct Told(Log);

    impl Recorder for Told {
        fn on(&self) -> bool {
            true
        }

        fn orders(&self) -> bool {
            false
        }

        fn keep(&mut self, at: Millis, entry: Entry) {
            self.0.keep(at, entry);
        }
    }

    /// Every gallery scenario: what the scheduler has repeated leaves the same lines as what it tells each time.
    #[test]
    fn what_is_repeated_is_as_if_told() {
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../scenarios");
        let mut repeated = 0;
        for file in std::fs::read_dir(folder).expect(folder) {
            let file = file.expect("a file").path();
            let text = std::fs::read_to_string(&file).expect("it can be read");
            let Some(scenario) = crate::scenario::read(&text).scenario else { continue };
            let start = Simulation::new(Arc::new(scenario)).expect("it starts");
            let (mut short, mut long) = (start.clone(), start);
            let (mut log, mut told) = (Log::default(), Told::default());
            for event in 0..20_000 {
                log.begin(event);
                told.0.begin(event);
                let (a, b) = (short.step(&mut log), long.step(&mut told));
                assert_eq!(a.is_some(), b.is_some(), "{}: event {event}", file.display());
                let flags = |l: &Log| (l.decided, l.changed, l.dropped, l.lines.len());
                assert_eq!(flags(&log), flags(&told.0), "{}: event {event}", file.display());
                if a.is_none() {
                    break;
                }
            }
            assert_eq!(log.lines, told.0.lines, "{}", file.display());
            repeated += log.tickets;
        }
        assert!(repeated > 0, "nothing was ever repeated");
    }
}
