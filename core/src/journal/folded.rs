//! A recorder that keeps every happening, and of what was passed over one line for all its repetitions: what the page
//! tells of a run.

use super::{Class, Entry, Reason, Recorder, Subject};
use crate::model::{AppId, Millis, RequestKey};
use std::collections::BTreeMap;

/// Lines about what was passed over that are kept at most; later ones are then no longer listed (happenings always are).
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
    /// Stretches of more than a round between two times.
    pub gaps: Vec<(Millis, Millis)>,
    /// The entry, with the figures of the last time.
    pub entry: Entry,
}

impl Line {
    fn new(event: u64, at: Millis, entry: Entry) -> Self {
        Line { event, first: at, last: at, times: 1, gaps: Vec::new(), entry }
    }

    fn again(&mut self, at: Millis, round: Millis) {
        if at - self.last > round {
            self.gaps.push((self.last, at));
        }
        self.last = at;
        self.times += 1;
    }

    /// The latest time up to this moment, or a moment no more than a round after it. `None`: it comes later.
    pub fn latest(&self, now: Millis) -> Option<Millis> {
        let gap = || self.gaps.iter().rev().find(|(from, to)| *from <= now && now < *to).map(|(from, _)| *from);
        (self.first <= now).then(|| if now >= self.last { self.last } else { gap().unwrap_or(now) })
    }
}

/// The last line about a subject at a level, and what ends its folding: happenings since, another reason, or a look that
/// came to something else in the meantime.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Latest {
    line: usize,
    reason: Reason,
    /// How often something had happened to its application, and to none.
    happened: (u64, u64),
}

/// When something was last passed over, and when before that.
#[derive(Clone, Copy, Debug, Default)]
struct Times {
    last: Option<Millis>,
    before: Option<Millis>,
}

impl Times {
    fn note(&mut self, at: Millis) {
        if self.last != Some(at) {
            self.before = self.last.replace(at);
        }
    }

    /// The last time before this one.
    fn earlier(&self, at: Millis) -> Option<Millis> {
        if self.last == Some(at) { self.before } else { self.last }
    }
}

/// When an application and its requests were last passed over.
#[derive(Clone, Debug, Default)]
struct Looked {
    /// The application as a whole.
    whole: Times,
    /// It, or any of its requests.
    any: Times,
    keys: Vec<(RequestKey, Times)>,
}

/// The lines of a run.
#[derive(Clone, Debug, Default)]
pub struct Folded {
    /// All lines, in the order of their first time.
    pub lines: Vec<Line>,
    /// What was passed over and is not listed for want of room.
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
    latest: BTreeMap<(Subject, u8), Latest>,
    happened: BTreeMap<Option<AppId>, u64>,
    looked: BTreeMap<AppId, Looked>,
    /// How long a round of heartbeats takes.
    round: Millis,
    /// When the last attempts were, and when a queue was last passed over in one.
    attempted: Times,
    queues: Times,
}

impl Folded {
    /// Of a run in which every node is looked at once in a round of this length.
    pub fn new(round: Millis) -> Self {
        Folded { round, ..Folded::default() }
    }

    /// Tells that the next event begins.
    pub fn begin(&mut self, event: u64) {
        self.event = event;
        self.decided = false;
        self.changed = false;
    }

    fn happened(&mut self, at: Millis, subject: Subject, entry: Entry) {
        // What happens ends the folding of lines before it.
        self.repeatable = None;
        self.changed = true;
        self.decided = true;
        *self.happened.entry(subject.app).or_default() += 1;
        self.lines.push(Line::new(self.event, at, entry));
    }

    fn passed_over(&mut self, at: Millis, subject: Subject, reason: Reason, entry: Entry) {
        self.decided = true;
        let times = |app| self.happened.get(&app).copied().unwrap_or(0);
        let happened = (times(subject.app), times(None));
        let place = (subject, reason.level());
        if let Some(latest) = self.latest.get(&place)
            && (latest.reason, latest.happened) == (reason, happened)
            && self.goes_on(latest, at, subject)
            && let Some(line) = self.lines.get_mut(latest.line)
        {
            line.again(at, self.round);
            line.entry = entry;
            let n = latest.line;
            self.recent.push(Some(n));
            self.repeated(at, subject);
            return;
        }
        if self.skips >= SKIPS {
            self.recent.push(None);
            self.dropped += 1;
            return;
        }
        self.skips += 1;
        let line = self.lines.len();
        self.recent.push(Some(line));
        self.latest.insert(place, Latest { line, reason, happened });
        self.lines.push(Line::new(self.event, at, entry));
        self.repeated(at, subject);
    }

    /// Is a line that is repeated now one stretch with its last time? Then whoever asks in between finds its reason in the
    /// latest round in which the subject was looked at.
    fn goes_on(&self, latest: &Latest, at: Millis, subject: Subject) -> bool {
        let Some(line) = self.lines.get(latest.line) else { return false };
        let Some(app) = subject.app else {
            // Nothing was tried in between, or not for more than a round.
            return at - line.last <= self.round || self.attempted.earlier(at).is_none_or(|t| t <= line.last);
        };
        // A queue that was passed over meanwhile may have been one above it.
        if at - line.last > self.round && self.queues.earlier(at).is_some_and(|t| t > line.last) {
            return false;
        }
        let Some(looked) = self.looked.get(&app) else { return true };
        let earlier = match subject.key {
            None => looked.any.earlier(at),
            Some(key) => {
                let of_key = looked.keys.iter().find(|(k, _)| *k == key).and_then(|(_, t)| t.earlier(at));
                of_key.max(looked.whole.earlier(at))
            }
        };
        earlier.is_none_or(|earlier| earlier - line.last < self.round)
    }

    /// A subject was passed over.
    fn repeated(&mut self, at: Millis, subject: Subject) {
        let Some(app) = subject.app else { return self.queues.note(at) };
        let looked = self.looked.entry(app).or_default();
        looked.any.note(at);
        match subject.key {
            None => looked.whole.note(at),
            Some(key) => match looked.keys.iter_mut().find(|(k, _)| *k == key) {
                Some((_, times)) => times.note(at),
                None => {
                    let mut times = Times::default();
                    times.note(at);
                    looked.keys.push((key, times));
                }
            },
        }
    }

    fn attempt_begins(&mut self, at: Millis) {
        self.attempted.note(at);
        self.recent.clear();
    }
}

impl Recorder for Folded {
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
        let lines = lines.clone();
        for line in &lines {
            let Some(line) = line.and_then(|line| self.lines.get_mut(line)) else {
                self.dropped += 1;
                continue;
            };
            line.again(at, self.round);
            let subject = line.entry.subject();
            self.repeated(at, subject);
        }
        self.decided |= !lines.is_empty();
        true
    }

    fn keep(&mut self, at: Millis, entry: Entry) {
        let traits = entry.traits();
        match traits.class {
            Class::Happened(_) => self.happened(at, traits.subject, entry),
            Class::PassedOver(reason) => self.passed_over(at, traits.subject, reason, entry),
            Class::Begins => self.attempt_begins(at),
            Class::Aside => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::journal::{AppVerdict, Change, Finding};
    use crate::model::Resource;
    use crate::sim::Simulation;
    use std::sync::Arc;

    #[test]
    fn what_repeats_is_one_line_until_something_happens() {
        let mut folded = Folded::new(1_000);
        let (mine, other) = (AppId(0), AppId(1));
        let refused = |app, size| {
            let (used, limit) = (Resource::new(size, 1), Resource::new(1024, 1));
            Entry::from(Finding::App { app, verdict: AppVerdict::UserLimit { used, limit } })
        };
        (0..3).for_each(|at| folded.keep(at, refused(mine, 2048)));
        folded.keep(3, refused(other, 2048));
        folded.keep(4, Finding::App { app: mine, verdict: AppVerdict::NoPending }.into());
        folded.keep(5, refused(mine, 4096));
        let told = |f: &Folded| f.lines.iter().map(|l| (l.first, l.last, l.times)).collect::<Vec<_>>();
        assert_eq!(told(&folded), [(0, 5, 4), (3, 3, 1)]);
        assert_eq!(folded.lines[0].entry, refused(mine, 4096), "the figures of the last time");

        // What happens to another does not end it; what happens to itself, or to none, does; so does another reason.
        folded.keep(6, Change::Rejected { app: other }.into());
        folded.keep(7, refused(mine, 4096));
        assert_eq!(told(&folded)[0], (0, 7, 5));
        folded.keep(8, Change::Rejected { app: mine }.into());
        folded.keep(9, refused(mine, 4096));
        folded.keep(10, Change::Refreshed.into());
        folded.keep(11, refused(mine, 4096));
        folded.keep(12, Finding::App { app: mine, verdict: AppVerdict::NotInDemand }.into());
        folded.keep(13, refused(mine, 4096));
        assert_eq!(told(&folded)[2..], [6, 8, 9, 10, 11, 12, 13].map(|at| (at, at, 1)));
    }

    #[test]
    fn what_is_passed_over_is_bounded_and_what_happens_is_not() {
        let mut folded = Folded::new(1_000);
        let beyond = 10;
        for i in 0..SKIPS as u32 + beyond {
            folded.keep(0, Finding::App { app: AppId(i), verdict: AppVerdict::NotInDemand }.into());
        }
        folded.keep(1, Change::Refreshed.into());
        assert_eq!((folded.lines.len(), folded.dropped), (SKIPS + 1, u64::from(beyond)));
    }

    /// A log that has to be told everything each time.
    struct Told(Folded);

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
            let (mut log, mut told) = (Folded::new(1_000), Told(Folded::new(1_000)));
            for event in 0..20_000 {
                log.begin(event);
                told.0.begin(event);
                let (a, b) = (short.step(&mut log), long.step(&mut told));
                assert_eq!(a.is_some(), b.is_some(), "{}: event {event}", file.display());
                let flags = |l: &Folded| (l.decided, l.changed, l.dropped, l.lines.len());
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
