//! A recorder that keeps every happening, and of what was passed over one line for all its repetitions: what the page
//! tells of a run.

mod pending;
#[cfg(test)]
mod tests;

use super::{Alike, Class, Entry, Found, PendingPass, Reason, Recorder, StoppedRow, Subject, Traits};
use crate::model::{AppId, Millis, NodeId, RequestKey};
use pending::Pending;
use std::collections::BTreeMap;
use std::sync::Arc;

/// Lines about what was passed over that are kept at most; later ones are then no longer listed (happenings always are).
const SKIPS: usize = 50_000;

/// Bytes of a line, what one about something passed over takes besides, and those of a gap, roughly.
const LINE_BYTES: usize = 384;
const SKIP_BYTES: usize = 256;
const GAP_BYTES: usize = 24;

/// One entry, possibly repeated.
#[derive(Clone, Debug, PartialEq)]
pub struct Line {
    /// Number of the event that it belongs to (the first, when folded), from 0.
    pub event: u64,
    pub first: Millis,
    pub last: Millis,
    pub times: u64,
    /// Stretches of more than a round between two times. None of an application that stays pending: it is not in rounds
    /// that it is tried.
    pub gaps: Vec<(Millis, Millis)>,
    /// The entry, with the figures of the last time.
    pub entry: Entry,
}

impl Line {
    fn new(event: u64, at: Millis, entry: Entry) -> Self {
        Line { event, first: at, last: at, times: 1, gaps: Vec::new(), entry }
    }

    /// Once more; gives how many gaps are new.
    fn again(&mut self, at: Millis, round: Millis) -> usize {
        let gap = at - self.last > round;
        if gap {
            self.gaps.push((self.last, at));
        }
        self.last = at;
        self.times += 1;
        usize::from(gap)
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

/// What was passed over of an application.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum What {
    /// It, or any of its requests.
    Any,
    /// The application as a whole.
    Whole,
    Key(RequestKey),
}

/// Places among the times at which things were passed over, of a line about an application.
#[derive(Clone, Copy, Debug)]
struct Places {
    any: u32,
    whole: u32,
    /// Of the application or the request that the line is about.
    own: u32,
}

/// The lines that an offer has added to, which one that finds the same adds to again.
#[derive(Clone, Debug)]
struct Added {
    found: Arc<Found>,
    /// What lines about more than one node were like.
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
    pub lines: Vec<Line>,
    /// What was passed over and is not listed for want of room.
    pub dropped: u64,
    /// Number of the event that is being applied.
    pub event: u64,
    /// Did the present event decide anything?
    pub decided: bool,
    /// Did it change anything?
    pub changed: bool,
    /// The lines that a repeated finding adds to, and how many were dropped for lack of memory.
    adding: Option<(Vec<usize>, u64)>,
    skips: usize,
    /// Gaps of all lines.
    gaps: usize,
    /// The first of those about no node, the others by node.
    latest: Vec<BTreeMap<(Subject, u8), Latest>>,
    /// How often something happened to no application, and to each.
    happened: (u64, Vec<u64>),
    places: BTreeMap<(AppId, What), u32>,
    times: Vec<Times>,
    /// By line; `None` for one about no application, or about what happened.
    places_of: Vec<Option<Places>>,
    /// Raised when something happens, and by each new line about more than one node.
    version: u64,
    /// The latest finding that was told again and is the same on all nodes, and of each node that names it.
    anywhere: Option<Added>,
    /// How often lines were added to without a look at the entries.
    repeats: u64,
    on_nodes: Vec<Option<Added>>,
    /// How long a round of heartbeats takes.
    round: Millis,
    /// When the last attempts were, and when a queue was last passed over in one.
    attempted: Times,
    queues: Times,
    pending: Pending,
}

impl Folded {
    /// Of a run in which every node is looked at once in a round of this length.
    pub fn new(round: Millis) -> Self {
        Folded { round, ..Folded::default() }
    }

    /// What it takes, in bytes, roughly.
    pub fn weight(&self) -> usize {
        LINE_BYTES * self.lines.len() + SKIP_BYTES * self.skips + GAP_BYTES * self.gaps
    }

    /// Tells that the next event begins.
    pub fn begin(&mut self, event: u64) {
        self.event = event;
        self.decided = false;
        self.changed = false;
    }

    fn happened(&mut self, at: Millis, subject: Subject, entry: Entry) {
        // What happens ends the folding of lines before it.
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
        self.lines.push(Line::new(self.event, at, entry));
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
        self.lines.push(Line::new(self.event, at, entry));
        let places = subject.app.map(|app| self.places(app, subject.key));
        self.places_of.push(places);
        self.version += u64::from(subject.node.is_none());
        self.repeated(at, line);
    }

    /// There is no room for so many lines.
    fn drop_more(&mut self, lines: u64) {
        self.dropped += lines;
        if let Some((_, dropped)) = &mut self.adding {
            *dropped += lines;
        }
    }

    /// Those of requests that are alike which have a line about what one of them was passed over for. `None`: of that one not
    /// exactly one entry tells that it was passed over.
    fn listed_of(&self, alike: &Alike<'_>) -> Option<Vec<RequestKey>> {
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

    /// How often something has happened to an application, and to none.
    fn happened_to(&self, app: Option<AppId>) -> (u64, u64) {
        let of_app = |app: AppId| self.happened.1.get(app.index()).copied().unwrap_or(0);
        (app.map_or(self.happened.0, of_app), self.happened.0)
    }

    /// Is a line that is repeated now one stretch with its last time? Then whoever asks in between finds its reason in the
    /// latest round in which the subject was looked at.
    fn goes_on(&self, line: usize, at: Millis, subject: Subject) -> bool {
        let places = self.places_of.get(line).copied().flatten();
        let Some(line) = self.lines.get(line) else { return false };
        let Some(places) = places else {
            // Nothing was tried in between, or not for more than a round.
            return at - line.last <= self.round || self.attempted.earlier(at).is_none_or(|t| t <= line.last);
        };
        // A queue that was passed over meanwhile may have been one above it.
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
        let (any, whole) = (place(What::Any), place(What::Whole));
        Places { any, whole, own: key.map_or(whole, |key| place(What::Key(key))) }
    }

    /// What a line is about was passed over.
    fn repeated(&mut self, at: Millis, line: usize) {
        let Some(places) = self.places_of.get(line).copied().flatten() else { return self.queues.note(at) };
        for place in [places.any, places.own] {
            if let Some(times) = self.times.get_mut(place as usize) {
                times.note(at);
            }
        }
    }

    /// A line is told once more, as it is.
    fn tell_again(&mut self, at: Millis, line: usize) {
        if let Some(told) = self.lines.get_mut(line) {
            self.gaps += told.again(at, self.round);
            self.repeated(at, line);
        }
    }

    fn attempt_begins(&mut self, at: Millis) {
        self.attempted.note(at);
    }

    /// Where the lines stand that a finding has added to.
    fn added(&mut self, node: NodeId, found: &Found) -> &mut Option<Added> {
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

    fn again(&mut self, at: Millis, node: NodeId, found: &Arc<Found>) {
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

    fn alike(&mut self, at: Millis, alike: &Alike<'_>) {
        // Where there is no room for lines, those that have none are only counted.
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

    fn stopped_row(&mut self, at: Millis, row: &StoppedRow<'_>) {
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

/// A log that receives every entry on its own, with no offer repeated as a whole.
#[cfg(test)]
pub(crate) struct Told(pub(crate) Folded);

#[cfg(test)]
impl Recorder for Told {
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
