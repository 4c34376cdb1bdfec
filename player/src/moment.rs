//! A moment of a run: its state, what was recorded up to it, and what the latest looks at a request recorded, replayed from
//! the nearest checkpoint.

use super::SeekGoal;
use super::replay::Replay;
use super::track::{HEARTBEAT, Track, WALK};
use crate::explain::Names;
use crate::explain::chain::History;
use crate::explain::record::{self, PassRecord, Record, RecordedOffers, Watch, Watched};
use crate::explain::request::{self, Explained};
use crate::explain::waiting::Waiting;
use heddle_core::check::Check;
use heddle_core::journal::{Change, Entry, Finding, FoldedLine, Silent};
use heddle_core::model::{Millis, QueueId};
use heddle_core::sim::Simulation;
use std::collections::BTreeMap;

/// The latest times at which something was recorded about a request.
#[derive(Clone, Copy, Debug, Default)]
struct LastRecorded {
    /// The latest finding about the request or its application.
    itself: Option<Millis>,
    /// The latest failed check of one of its queues.
    on_way: Option<Millis>,
}

/// A moment of a run.
#[derive(Clone, Copy, Debug)]
pub(super) struct Moment<'a> {
    pub(super) track: &'a Track,
    pub(super) sim: &'a Simulation,
    /// The number of events that have happened.
    pub(super) at: u64,
    pub(super) clock: Millis,
}

impl<'a> Moment<'a> {
    pub(super) fn names(&self) -> Names<'a> {
        Names::at(self.sim, self.clock)
    }

    /// The lines of the log up to the moment.
    pub(super) fn lines(&self) -> std::slice::Iter<'a, FoldedLine> {
        let lines = self.track.log().lines.as_slice();
        lines[..lines.partition_point(|l| l.event < self.at)].iter()
    }

    /// The length of a round, in which every node is offered once.
    pub(super) fn round(&self) -> Millis {
        crate::explain::story::round(self.names())
    }

    /// Explains a waiting request by the latest look at it, however long ago that was.
    pub(super) fn explained(&self, w: &Waiting) -> Explained {
        let entries = self.watched(Watch::of(Watched::requests([w])), self.clock);
        let mut looks = self.looks_in(&RecordedOffers::of(&entries), w);
        self.add_earlier(&mut [(w, &mut looks)]);
        self.explain(w, looks, &Record::of(&*entries))
    }

    pub(super) fn explain(&self, w: &Waiting, looks: Vec<PassRecord>, record: &Record) -> Explained {
        let lines = || self.lines().rev().map(|l| &l.entry);
        let history = History {
            held: lines().find(|e| matches!(e, Entry::Changed(Change::NotRunnable { app, .. }) if *app == w.app)),
            inactive: lines().find(|e| matches!(e, Entry::Changed(Change::NotActivated { app, .. }) if *app == w.app)),
            activated: lines().find(|e| matches!(e, Entry::Changed(Change::Activated { app, .. }) if *app == w.app)),
            refused: lines().find_map(|e| match e {
                Entry::Changed(Change::CommitRefused { app, key, why, .. }) if (*app, *key) == (w.app, w.key) => {
                    Some(&**why)
                }
                _ => None,
            }),
        };
        request::explain(self.names(), w, looks, record, history)
    }

    /// Returns the leaf of a request and the queues above it; none if the scheduler does not have its application.
    pub(super) fn path_of(&self, w: &Waiting) -> Vec<QueueId> {
        let app = self.sim.rm().scheduled(w.app);
        app.map_or(Vec::new(), |app| self.names().path_up(app.queue).collect())
    }

    /// Returns what recorded rounds have about a request.
    pub(super) fn looks_in(&self, rounds: &RecordedOffers<'_>, w: &Waiting) -> Vec<PassRecord> {
        let rm = self.sim.rm();
        if rm.scheduled(w.app).is_none() {
            return Vec::new();
        }
        let path = self.path_of(w);
        record::looks(rounds, &record::subject(w, &path), w.asked_at, self.round())
    }

    /// Adds, for requests about which the last round has no reason, the latest round that has one and what came since. A
    /// round that several requests share is replayed once.
    pub(super) fn add_earlier(&self, all: &mut [(&Waiting, &mut Vec<PassRecord>)]) {
        let says_nothing = |(w, looks): &(&Waiting, &mut Vec<PassRecord>)| {
            !looks.iter().any(|l| l.fate.is_reason()) && w.placing.is_empty()
        };
        let mut left: Vec<(usize, LastRecorded)> = all
            .iter()
            .enumerate()
            .filter(|(_, one)| says_nothing(one))
            .map(|(i, (w, _))| (i, self.last_found(w)))
            .collect();
        // A queue's limit may have stopped only requests for another partition.
        for which in [|found: &LastRecorded| found.on_way.max(found.itself), |found: &LastRecorded| found.itself] {
            let mut groups: BTreeMap<Millis, Vec<usize>> = BTreeMap::new();
            for (i, found) in &left {
                if let Some(at) = which(found) {
                    groups.entry(at).or_default().push(*i);
                }
            }
            for (at, group) in groups {
                let watched = Watched::requests(group.iter().map(|i| all[*i].0));
                let entries = self.watched(Watch::of(watched), at);
                let rounds = RecordedOffers::of(&entries);
                for i in group {
                    let (w, looks) = &mut all[i];
                    let mut earlier = self.looks_in(&rounds, w);
                    // A proposal that was refused because its node takes no more containers is not repeated; the nodes'
                    // states explain more.
                    let over = |l: &PassRecord| matches!(&l.fate, record::PassResult::Refused(why) if why.check == Check::CommitNodeRunning);
                    earlier.retain(|l| looks.first().is_none_or(|first| l.at < first.at) && !over(l));
                    let own = |l: &PassRecord| l.fate.is_reason() && l.partition == w.partition && !l.lent;
                    let known = left.iter().find(|(known, _)| *known == i).map(|(_, found)| *found);
                    let is_last = known.is_none_or(|found| Some(at) <= found.itself || found.itself.is_none());
                    if is_last || earlier.iter().any(own) {
                        earlier.append(looks);
                        **looks = earlier;
                        left.retain(|(known, _)| *known != i);
                    }
                }
            }
        }
    }

    /// Returns when something was last recorded about a request or its application, and when a check of one of its queues
    /// last failed.
    fn last_found(&self, w: &Waiting) -> LastRecorded {
        let latest = |is_one: &dyn Fn(&Entry) -> bool| {
            let lines = self.lines().rev().filter(|l| is_one(&l.entry));
            lines.filter_map(|l| l.latest(self.clock)).max()
        };
        let of_it = |e: &Entry| {
            let subject = e.subject();
            subject.app == Some(w.app) && subject.key.is_none_or(|key| key == w.key)
        };
        let found = |e: &Entry| match e {
            Entry::Found(Finding::Checked(checked)) => checked.about.app().is_some(),
            Entry::Found(Finding::Leave { about, .. }) => about.app().is_some(),
            _ => false,
        };
        let refused = |e: &Entry| matches!(e, Entry::Changed(Change::CommitRefused { .. }));
        let path = self.path_of(w);
        let stopped = |e: &Entry| match e {
            Entry::Found(Finding::Checked(checked)) => {
                checked.about.queue().is_some_and(|queue| path.contains(&queue)) && record::says_why(checked)
            }
            _ => false,
        };
        LastRecorded {
            // A refusal at the commit leaves no finding in the log.
            itself: latest(&|e| of_it(e) && found(e)).or_else(|| latest(&|e| of_it(e) && refused(e))),
            on_way: latest(&stopped),
        }
    }

    /// Returns the state at a moment that is not later than now, and the number of events that have happened by then.
    pub(super) fn earlier(&self, until: Millis) -> (u64, Simulation) {
        if until >= self.clock {
            return (self.at, self.sim.clone());
        }
        let (at, checkpoint) = self.track.before_time(until);
        let (mut at, mut sim) = (*at, checkpoint.clone());
        while at < self.at && sim.next_at().is_some_and(|next| next <= until) && sim.step_for(&mut Silent).is_some() {
            at += 1;
        }
        (at, sim)
    }

    /// Returns what was recorded in the round before a moment that is not later than now; each node was offered once in it.
    /// Skips stretches without events.
    pub(super) fn watched(&self, watch: Watch, until: Millis) -> Vec<(Millis, Entry)> {
        self.replay(watch, until).map_or(Vec::new(), Replay::entries)
    }

    pub(super) fn replay(&self, watch: Watch, until: Millis) -> Option<Replay> {
        let (end, now) = if until >= self.clock {
            (self.at, self.sim.now())
        } else {
            let (at, sim) = self.earlier(until);
            (at, sim.now())
        };
        let flags = self.track.flags.get(..end as usize).unwrap_or_default();
        let looked = if self.sim.is_asynchronous() { WALK } else { HEARTBEAT };
        let last = flags.iter().rposition(|f| f & looked != 0)? as u64;
        let ((at, checkpoint), goal) = if self.sim.is_asynchronous() && until >= self.clock {
            (self.track.before_event(last), SeekGoal::Event(last))
        } else {
            let from = now.min(until).saturating_sub(self.round());
            (self.track.before_time(from), SeekGoal::Time(from))
        };
        Some(Replay::new((*at, checkpoint.clone()), goal, end, watch))
    }
}
