//! A recorder that keeps every event, but only one line for all repetitions of a skip: the log that the page shows of a
//! run.

mod pending;
#[cfg(test)]
mod tests;

use super::{AmLimitSkips, Class, Entry, OfferFindings, PendingPass, Reason, Recorder, SameOutcome, Subject, Traits};
use crate::model::{AppId, Millis, NodeId, RequestKey};
use pending::Pending;
use std::collections::BTreeMap;
use std::sync::Arc;

/// The maximum number of lines about skips; later skips are not listed (events always are).
const SKIPS: usize = 50_000;

/// The approximate bytes of a line, what a line about a skip takes in addition, and those of a gap.
const LINE_BYTES: usize = 384;
const SKIP_BYTES: usize = 256;
const GAP_BYTES: usize = 24;

/// One entry, possibly repeated.
#[derive(Clone, Debug, PartialEq)]
pub struct FoldedLine {
    /// The number of its event (the first one, when folded), from 0.
    pub event: u64,
    pub first: Millis,
    pub last: Millis,
    pub times: u64,
    /// Stretches of more than a round between two times. Empty for an application that stays pending, since rounds do
    /// not try it.
    pub gaps: Vec<(Millis, Millis)>,
    /// The entry, with the figures of its last time.
    pub entry: Entry,
}

impl FoldedLine {
    fn new(event: u64, at: Millis, entry: Entry) -> Self {
        FoldedLine { event, first: at, last: at, times: 1, gaps: Vec::new(), entry }
    }

    /// Records a repetition; returns the number of new gaps.
    fn again(&mut self, at: Millis, round: Millis) -> usize {
        let gap = at - self.last > round;
        if gap {
            self.gaps.push((self.last, at));
        }
        self.last = at;
        self.times += 1;
        usize::from(gap)
    }

    /// The latest time up to this moment, or a moment no more than a round after it. `None`: the line begins later.
    pub fn latest(&self, now: Millis) -> Option<Millis> {
        let gap = || self.gaps.iter().rev().find(|(from, to)| *from <= now && now < *to).map(|(from, _)| *from);
        (self.first <= now).then(|| if now >= self.last { self.last } else { gap().unwrap_or(now) })
    }
}

/// The last line about a subject at a level, and what ends its folding: later events, another reason, or an attempt
/// with another outcome in between.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Latest {
    line: usize,
    reason: Reason,
    /// The numbers of events of its application, and of no application, at that time.
    happened: (u64, u64),
}

/// The latest time of something, and the one before.
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

    /// The latest time before this one.
    fn earlier(&self, at: Millis) -> Option<Millis> {
        if self.last == Some(at) { self.before } else { self.last }
    }
}

/// The part of an application that was skipped.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum SkippedPart {
    /// The application, or any of its requests.
    Any,
    /// The application as a whole.
    Whole,
    Key(RequestKey),
}

/// The indices of a line's application among the times of skips.
#[derive(Clone, Copy, Debug)]
struct Places {
    any: u32,
    whole: u32,
    /// The application or the request that the line is about.
    own: u32,
}

/// The lines that an offer added to; a later offer with the same findings adds to them again.
#[derive(Clone, Debug)]
struct Added {
    found: Arc<OfferFindings>,
    /// The version of the lines about more than one node.
    version: u64,
    last: Millis,
    lines: Vec<usize>,
    dropped: u64,
}

/// The lines of a run.
#[derive(Clone, Debug, Default)]
pub struct Folded {
    /// All lines, in the order of their first time. Those of applications that stay pending are as of the latest
    /// [`Folded::settle`].
    pub lines: Vec<FoldedLine>,
    /// The number of skips that are not listed for lack of space.
    pub dropped: u64,
    /// The number of the current event.
    pub event: u64,
    /// Whether the current event decided anything.
    pub decided: bool,
    /// Whether it changed anything.
    pub changed: bool,
    /// The lines that the current finding adds to, and the number dropped for lack of space.
    adding: Option<(Vec<usize>, u64)>,
    skips: usize,
    /// The number of gaps of all lines.
    gaps: usize,
    /// Index 0 has the lines about no node, the others follow by node.
    latest: Vec<BTreeMap<(Subject, u8), Latest>>,
    /// The number of events of no application, and of each.
    happened: (u64, Vec<u64>),
    places: BTreeMap<(AppId, SkippedPart), u32>,
    times: Vec<Times>,
    /// By line; `None` for a line about no application, or about an event.
    places_of: Vec<Option<Places>>,
    /// Incremented by each event, and by each new line about more than one node.
    version: u64,
    /// The latest repeated finding that is the same on all nodes, and for each node the latest that names it.
    anywhere: Option<Added>,
    /// The number of times that lines were extended without reading the entries.
    repeats: u64,
    on_nodes: Vec<Option<Added>>,
    /// The duration of a round of heartbeats.
    round: Millis,
    /// The times of the latest attempts, and of the latest ones that skipped a queue.
    attempted: Times,
    queues: Times,
    pending: Pending,
}

impl Folded {
    /// Creates the log of a run in which rounds of this length visit every node once.
    pub fn new(round: Millis) -> Self {
        Folded { round, ..Folded::default() }
    }

    /// The approximate size, in bytes.
    pub fn weight(&self) -> usize {
        LINE_BYTES * self.lines.len() + SKIP_BYTES * self.skips + GAP_BYTES * self.gaps
    }

    /// Begins the next event.
    pub fn begin(&mut self, event: u64) {
        self.event = event;
        self.decided = false;
        self.changed = false;
    }

    fn happened(&mut self, at: Millis, subject: Subject, entry: Entry) {
        // An event ends the folding of lines before it.
        self.version += 1;
        self.changed = true;
        self.decided = true;
        match subject.app {
            None => self.happened.0 += 1,
            Some(app) => {
                self.leave_pass(app);
                let of = &mut self.happened.1;
                if of.len() <= app.index() {
                    of.resize(app.index() + 1, 0);
                }
                of[app.index()] += 1;
            }
        }
        self.lines.push(FoldedLine::new(self.event, at, entry));
        self.places_of.push(None);
    }

    fn passed_over(&mut self, at: Millis, subject: Subject, reason: Reason, entry: Entry) {
        self.decided = true;
        if let Some(app) = subject.app {
            self.leave_pass(app);
        }
        let (whose, place) = (subject.node.map_or(0, |node| node.index() + 1), (subject, reason.level()));
        let known = self.latest.get(whose).and_then(|of| of.get(&place));
        if known.is_none() && self.skips >= SKIPS {
            return self.drop_more(1);
        }
        let happened = self.happened_to(subject.app);
        if let Some(latest) = known
            && (latest.reason, latest.happened) == (reason, happened)
            && self.goes_on(latest.line, at, subject)
            && let Some(line) = self.lines.get_mut(latest.line)
        {
            let round = if reason == Reason::Activation { Millis::MAX } else { self.round };
            self.gaps += line.again(at, round);
            line.entry = entry;
            let n = latest.line;
            self.adds_to(n);
            self.repeated(at, n);
            return;
        }
        if self.skips >= SKIPS {
            return self.drop_more(1);
        }
        self.skips += 1;
        let line = self.lines.len();
        self.adds_to(line);
        if self.latest.len() <= whose {
            self.latest.resize_with(whose + 1, BTreeMap::new);
        }
        self.latest[whose].insert(place, Latest { line, reason, happened });
        self.lines.push(FoldedLine::new(self.event, at, entry));
        let places = subject.app.map(|app| self.places(app, subject.key));
        self.places_of.push(places);
        self.version += u64::from(subject.node.is_none());
        self.repeated(at, line);
    }

    /// Counts lines for which there is no space.
    fn drop_more(&mut self, lines: u64) {
        self.dropped += lines;
        if let Some((_, dropped)) = &mut self.adding {
            *dropped += lines;
        }
    }

    /// Returns those of the alike requests that have a line about the skip of the first one. `None`: the first one does
    /// not have exactly one entry about a skip.
    fn listed_of(&self, alike: &SameOutcome<'_>) -> Option<Vec<RequestKey>> {
        let mut reasons = alike.entries.iter().filter_map(|entry| match entry.traits() {
            Traits { subject, class: Class::PassedOver(reason) } => Some((subject, reason.level())),
            _ => None,
        });
        let (Some((subject, level)), None) = (reasons.next(), reasons.next()) else { return None };
        let (Some((first, _)), Some((last, _))) = (alike.others.first(), alike.others.last()) else { return None };
        let of = |key: RequestKey| (Subject { key: Some(key), ..subject }, level);
        let Some(latest) = self.latest.get(subject.node.map_or(0, |node| node.index() + 1)) else {
            return Some(Vec::new());
        };
        let is_other = |key: &RequestKey| alike.others.binary_search_by_key(key, |(key, _)| *key).is_ok();
        let lines = latest
            .range(of(*first)..=of(*last))
            .filter_map(|(of_line, _)| of_line.0.key.filter(|key| *of_line == of(*key) && is_other(key)));
        Some(lines.collect())
    }

    fn adds_to(&mut self, line: usize) {
        if let Some((lines, _)) = &mut self.adding {
            lines.push(line);
        }
    }

    /// The numbers of events of an application, and of no application.
    fn happened_to(&self, app: Option<AppId>) -> (u64, u64) {
        let of_app = |app: AppId| self.happened.1.get(app.index()).copied().unwrap_or(0);
        (app.map_or(self.happened.0, of_app), self.happened.0)
    }

    /// Returns whether a line that is repeated now forms one stretch with its last time. If so, queries in between find
    /// its reason in the latest round that visited the subject.
    fn goes_on(&self, line: usize, at: Millis, subject: Subject) -> bool {
        let places = self.places_of.get(line).copied().flatten();
        let Some(line) = self.lines.get(line) else { return false };
        let Some(places) = places else {
            // Nothing was tried in between, or not for more than a round.
            return at - line.last <= self.round || self.attempted.earlier(at).is_none_or(|t| t <= line.last);
        };
        // A queue that was skipped in between may have been a parent.
        if at - line.last > self.round && self.queues.earlier(at).is_some_and(|t| t > line.last) {
            return false;
        }
        let earlier = |place: u32| self.times.get(place as usize).and_then(|t| t.earlier(at));
        let earlier = match subject.key {
            None => earlier(places.any),
            Some(_) => earlier(places.own).max(earlier(places.whole)),
        };
        earlier.is_none_or(|earlier| earlier - line.last < self.round)
    }

    fn places(&mut self, app: AppId, key: Option<RequestKey>) -> Places {
        let mut place = |what| {
            let next = self.times.len() as u32;
            let place = *self.places.entry((app, what)).or_insert(next);
            if place == next {
                self.times.push(Times::default());
            }
            place
        };
        let (any, whole) = (place(SkippedPart::Any), place(SkippedPart::Whole));
        Places { any, whole, own: key.map_or(whole, |key| place(SkippedPart::Key(key))) }
    }

    /// Records that the subject of a line was skipped.
    fn repeated(&mut self, at: Millis, line: usize) {
        let Some(places) = self.places_of.get(line).copied().flatten() else { return self.queues.note(at) };
        for place in [places.any, places.own] {
            if let Some(times) = self.times.get_mut(place as usize) {
                times.note(at);
            }
        }
    }

    /// Repeats a line as it is.
    fn tell_again(&mut self, at: Millis, line: usize) {
        if let Some(told) = self.lines.get_mut(line) {
            self.gaps += told.again(at, self.round);
            self.repeated(at, line);
        }
    }

    fn attempt_begins(&mut self, at: Millis) {
        self.attempted.note(at);
    }

    /// The record of the lines that a finding has added to.
    fn added(&mut self, node: NodeId, found: &OfferFindings) -> &mut Option<Added> {
        if !found.names_node() {
            return &mut self.anywhere;
        }
        if self.on_nodes.len() <= node.index() {
            self.on_nodes.resize_with(node.index() + 1, || None);
        }
        &mut self.on_nodes[node.index()]
    }
}

impl Recorder for Folded {
    #[inline]
    fn on(&self) -> bool {
        true
    }

    fn details(&self) -> bool {
        false
    }

    fn again(&mut self, at: Millis, node: NodeId, found: &Arc<OfferFindings>) {
        // After more than a round with other attempts a line may not be one stretch any more.
        let (version, round, earlier) = (self.version, self.round, self.attempted.earlier(at));
        let goes_on = |last: Millis| at - last <= round || earlier.is_none_or(|earlier| earlier <= last);
        let is_known =
            |added: &mut Added| Arc::ptr_eq(&added.found, found) && added.version == version && goes_on(added.last);
        let known = self.added(node, found).take_if(is_known);
        let added = match known {
            Some(added) => {
                self.repeats += 1;
                added.lines.iter().for_each(|line| self.tell_again(at, *line));
                self.dropped += added.dropped;
                self.decided |= added.dropped > 0 || !added.lines.is_empty();
                Added { last: at, ..added }
            }
            None => {
                self.adding = Some(Default::default());
                found.tell(at, node, self);
                let (lines, dropped) = self.adding.take().unwrap_or_default();
                Added { found: found.clone(), version: self.version, last: at, lines, dropped }
            }
        };
        *self.added(node, found) = Some(added);
    }

    fn alike(&mut self, at: Millis, alike: &SameOutcome<'_>) {
        // Without space for new lines, skips without a line are only counted.
        let listed = if self.skips < SKIPS { None } else { self.listed_of(alike) };
        match listed {
            None => alike.tell(at, alike.keys(), self),
            Some(listed) => {
                let dropped = alike.others.len() - listed.len();
                alike.tell(at, listed, self);
                self.drop_more(dropped as u64);
            }
        }
    }

    fn pending_pass(&mut self, at: Millis, pass: &PendingPass<'_>) {
        self.add_pass(at, pass);
    }

    fn stopped_row(&mut self, at: Millis, row: &AmLimitSkips<'_>) {
        self.add_row(at, row);
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

/// A log that receives every entry by itself; no offer is repeated as a whole.
#[cfg(test)]
pub(crate) struct PlainLog(pub(crate) Folded);

#[cfg(test)]
impl Recorder for PlainLog {
    fn on(&self) -> bool {
        true
    }

    fn details(&self) -> bool {
        false
    }

    fn keep(&mut self, at: Millis, entry: Entry) {
        self.0.keep(at, entry);
    }
}
