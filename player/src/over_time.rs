//! What stopped a request when: the log's stretches, and what the state says where the log says nothing.

use super::Player;
use crate::explain::Names;
use crate::explain::chain::{barred_from_label, stopped_besides};
use crate::explain::checks::{Check as NodeCheck, Row, Table, table};
use crate::explain::over_time::{Cause, Path, Stretch, same, steady, stretches, view};
use crate::explain::record::Record;
use crate::explain::request::Explained;
use crate::explain::view::StretchView;
use crate::explain::waiting::{Waiting, waiting};
use heddle_core::check::{Check, Kind};
use heddle_core::journal::{Change, Entry, Line};
use heddle_core::model::{AppId, Millis, QueueId, RequestKey};
use heddle_core::sim::Simulation;

/// Stretches of which nothing is recorded that are looked at in the state; on more than [`LARGE`] nodes none.
const LOOKED: usize = 6;
const LARGE: usize = 500;

impl Player {
    /// The stretches of a request that waits. Of an application also those in which its ApplicationMaster waited.
    pub(super) fn over_time(&self, e: &Explained, of_app: bool) -> Vec<StretchView> {
        let names = Names::at(&self.cursor, self.clock);
        let w = &e.waiting;
        if !w.placing.is_empty() {
            return Vec::new();
        }
        let mut all = Vec::new();
        if of_app && !w.am {
            all.extend(self.master_waited(names, w));
        }
        all.extend(self.stretches_of(names, w, w.since, self.clock));
        self.agree(names, e, &mut all);
        view(names, w, &all, self.lines_so_far(), self.round())
    }

    /// Lets the last stretch say what the sentence says, where that failed all through it too: of several checks that fail at
    /// one time the sentence names the one that decides.
    fn agree(&self, names: Names<'_>, e: &Explained, all: &mut Vec<Stretch>) {
        let (w, round) = (&e.waiting, self.round());
        let stop = e.chain.stop.as_ref().and_then(|stop| stop.by.checked()).map(|checked| same(checked.check));
        let [before @ .., last] = all.as_mut_slice() else { return };
        if last.to != self.clock || last.master {
            return;
        }
        // What stopped it when something was recorded last still does.
        if let (Cause::Unknown, Some(stop)) = (&last.cause, stop)
            && let Some(Cause::Checks(checks)) = before.last().map(|before| &before.cause)
            && checks.contains(&stop)
        {
            last.cause = Cause::Checks(checks.clone());
            *all = steady(std::mem::take(all), round);
            return;
        }
        let Cause::Checks(told) = &last.cause else { return };
        // It was given something where others have too little, and a node would take more.
        let of_nodes = told.iter().all(|check| check.row().kind == Kind::Place);
        if of_nodes
            && e.table.as_ref().is_some_and(|table| table.rows.iter().any(Row::fits))
            && self.lines_so_far().any(|l| l.first >= last.from && is_given(&l.entry, w))
        {
            last.cause = Cause::Served;
            *all = steady(std::mem::take(all), round);
            return;
        }
        // Of several limits that fail one after the other the one that the sentence names is told.
        if let Some(check) = stop.filter(|check| told.len() > 1 && told.contains(check))
            && !told.contains(&Check::NodeFree)
        {
            last.cause = Cause::Checks(vec![check]);
            *all = steady(std::mem::take(all), round);
            return;
        }
        // A limit that only what it has reserved itself reaches keeps it from other nodes, and from nothing that has room.
        let lacks = |table: &Table| table.is_full() || has_reserved(names, w) && lacks_room(table);
        let nodes = || e.table.as_ref().is_some_and(lacks).then_some(Check::NodeFree);
        let Some(decides) = stop.or_else(nodes).filter(|check| !told.contains(check)) else { return };
        let queues: Vec<QueueId> =
            names.rm().scheduled(w.app).map(|app| names.path_up(app.queue).collect()).unwrap_or_default();
        let path = Path { names, w, queues: &queues, round };
        // A limit that was met last some time ago, before the nodes became full.
        if decides == Check::NodeFree && told.iter().all(|check| check.row().kind == Kind::Limit) {
            let met =
                self.lines_so_far().filter(|line| path.fails(&line.entry).is_some_and(|check| told.contains(&check)));
            let met = met.filter_map(|line| line.latest(self.clock)).max().map_or(last.from, |at| at.max(last.from));
            let full = self.full_since(w, met + round, last.to);
            if let Some(from) = full.filter(|from| *from > last.from && last.to - from > 2 * round) {
                let piece = Stretch { from, cause: Cause::Checks(vec![decides]), ..last.clone() };
                last.to = from;
                all.push(piece);
                return;
            }
        }
        let (from, to) = (last.from.saturating_add(2 * round), last.to.saturating_sub(2 * round));
        // All through the stretch it failed within two rounds again.
        let failed = self.lines_so_far().filter(|line| path.fails(&line.entry) == Some(decides));
        let reached = failed.fold(from, |reached, line| match line.latest(self.clock) {
            Some(latest) if line.first <= reached.saturating_add(2 * round) => reached.max(latest),
            _ => reached,
        });
        if from < to && reached >= to {
            last.cause = Cause::Checks(vec![decides]);
            *all = steady(std::mem::take(all), round);
        } else if *told == [Check::NodeFree] {
            // Full nodes are passed over before any limit is asked; the sentence says what a limit would stop besides.
            let pieces = self.cut(vec![Stretch { cause: Cause::Unknown, ..last.clone() }], w.asked_at);
            let Some(from) = pieces.last().map(|piece| piece.from) else { return };
            let middle = from + (last.to - from) / 2;
            let (_, sim) = self.moment(middle);
            let then = Names::at(&sim, middle);
            let limit = as_it_waited(&sim, w).and_then(|w| stopped_besides(then, &w, &Record::default())?.stop);
            if limit.and_then(|stop| Some(same(stop.by.checked()?.check))) == Some(decides) {
                let both = Cause::Checks(vec![decides, Check::NodeFree]);
                let piece = Stretch { from, cause: both, ..last.clone() };
                if from > last.from {
                    last.to = from;
                    all.push(piece);
                } else {
                    *last = piece;
                }
            }
        }
    }

    /// Since when all nodes have been full for a request, within a round; `from`: the earliest moment.
    fn full_since(&self, w: &Waiting, from: Millis, to: Millis) -> Option<Millis> {
        let (mut before, round) = (from, self.round());
        let mut full = (0..4).map(|part| from + (to - from) * part / 4).find(|at| self.was_full(w, *at))?;
        for _ in 0..LOOKED {
            if full - before <= round {
                break;
            }
            let middle = before + (full - before) / 2;
            if self.was_full(w, middle) {
                full = middle;
            } else {
                before = middle;
            }
        }
        Some(full)
    }

    /// Whether all nodes were full for a request at a moment.
    fn was_full(&self, w: &Waiting, at: Millis) -> bool {
        let (_, sim) = self.moment(at);
        as_it_waited(&sim, w).is_some_and(|w| table(Names::at(&sim, at), &w, &[]).is_full())
    }

    fn stretches_of(&self, names: Names<'_>, w: &Waiting, from: Millis, to: Millis) -> Vec<Stretch> {
        let queues: Vec<QueueId> =
            names.rm().scheduled(w.app).map(|app| names.path_up(app.queue).collect()).unwrap_or_default();
        let path = Path { names, w, queues: &queues, round: self.round() };
        let all = steady(stretches(&path, self.lines_so_far(), from, to), self.round());
        let mut all = self.cut(self.not_asked(w, all), w.asked_at);
        let small = names.rm().nodes().len() <= LARGE;
        let mut looked = 0;
        for i in 0..all.len() {
            // What an update has not counted is not looked at until one does.
            let uncounted = Cause::Checks(vec![Check::InDemand]);
            if all[i].cause != Cause::Unknown {
                continue;
            }
            if i > 0 && all[i - 1].cause == uncounted {
                all[i].cause = uncounted;
            } else if small && looked < LOOKED {
                all[i].cause = self.unrecorded(w, &all[i]);
                looked += 1;
            }
        }
        go_on(&mut all, self.cursor.is_asynchronous());
        steady(all, self.round())
    }

    /// Tells apart when a request was wanted and YARN was not asked: what its queues said then was said of others.
    fn not_asked(&self, w: &Waiting, all: Vec<Stretch>) -> Vec<Stretch> {
        let mut out: Vec<Stretch> = Vec::new();
        for stretch in all {
            let ends = w.asked_at.clamp(stretch.from, stretch.to);
            let queues = |cause: &Cause| matches!(cause, Cause::Checks(checks) if checks.iter().all(|c| c.row().kind == Kind::Limit));
            if ends == stretch.from || !queues(&stretch.cause) || self.asked_in(w, stretch.from, ends) {
                out.push(stretch);
                continue;
            }
            out.push(Stretch { to: ends, cause: Cause::NotAsked, ..stretch.clone() });
            if ends < stretch.to {
                out.push(Stretch { from: ends, ..stretch });
            }
        }
        out
    }

    /// Whether YARN was asked for a request, or for one like it, at some moment of a stretch.
    fn asked_in(&self, w: &Waiting, from: Millis, to: Millis) -> bool {
        [(1, 2), (1, 3), (3, 4)].into_iter().any(|(part, of)| {
            let (_, sim) = self.moment(from + (to - from) * part / of);
            let names = Names::new(&sim);
            waiting(&sim).iter().any(|other| is_it(names, w, other.app, other.key))
        })
    }

    /// Cuts the stretches of which nothing is recorded where something changed that may be a cause: nodes, settings, queues, and
    /// when YARN was asked.
    fn cut(&self, all: Vec<Stretch>, asked_at: Millis) -> Vec<Stretch> {
        let least = 2 * self.round() + 1;
        let changes = |line: &&Line| {
            matches!(
                line.entry,
                Entry::Changed(
                    Change::NodeAdded { .. }
                        | Change::NodeRemoved { .. }
                        | Change::NodeDecommissioning { .. }
                        | Change::NodeRelabelled { .. }
                        | Change::NodeResized { .. }
                        | Change::Moved { .. }
                        | Change::Refreshed
                )
            )
        };
        let mut out: Vec<Stretch> = Vec::new();
        for stretch in all {
            let mut cuts: Vec<Millis> = Vec::new();
            if stretch.cause == Cause::Unknown {
                let mut turns: Vec<Millis> = self.lines_so_far().filter(changes).map(|line| line.first).collect();
                turns.insert(turns.partition_point(|at| *at < asked_at), asked_at);
                for at in turns {
                    let before = cuts.last().copied().unwrap_or(stretch.from);
                    if at - before >= least && stretch.to - at >= least {
                        cuts.push(at);
                    }
                }
                // The latest changes say most about now.
                cuts.drain(..cuts.len().saturating_sub(LOOKED - 1));
            }
            let mut from = stretch.from;
            for to in cuts.into_iter().chain([stretch.to]) {
                out.push(Stretch { from, to, ..stretch.clone() });
                from = to;
            }
        }
        out
    }

    /// Why a request waited in a stretch of which the log says nothing: nodes were full, which are passed over without a word, or it
    /// was served, or somebody else was.
    fn unrecorded(&self, w: &Waiting, stretch: &Stretch) -> Cause {
        let given = self.given(w, stretch);
        let length = stretch.to - stretch.from;
        // Samza is between two requests now and then.
        for at in [length / 2, length / 3, length / 4 * 3].map(|after| stretch.from + after) {
            let (_, sim) = self.moment(at);
            if let Some(cause) = cause_then(Names::at(&sim, at), w, given) {
                return cause;
            }
        }
        if given.itself { Cause::Served } else { Cause::NotAsked }
    }

    /// Who was given something in a stretch.
    fn given(&self, w: &Waiting, stretch: &Stretch) -> Given {
        let (names, mut out) = (Names::new(&self.cursor), Given::default());
        for line in self.lines_so_far().filter(|l| (stretch.from..=stretch.to).contains(&l.first)) {
            // What was given as the stretch ended, or began, kept it from nothing in between.
            let between = stretch.from < line.first && line.first < stretch.to;
            if let Entry::Changed(Change::Allocated { container, key, .. }) = line.entry {
                let own = is_it(names, w, container.app, key);
                // What it is given as a long stretch ends it waited for all along.
                out.itself |= own && (between || stretch.to - stretch.from <= 2 * self.round());
                // What it was given as the stretch ended it waited for all along.
                out.early |= own && line.first.saturating_add(self.round()) < stretch.to;
                out.others |= !own && between;
            }
        }
        out
    }

    /// The stretches in which the application's ApplicationMaster waited, if it did for more than a few rounds.
    fn master_waited(&self, names: Names<'_>, w: &Waiting) -> Vec<Stretch> {
        let Some(submitted) = names.rm().app(w.app).map(|app| app.submitted_at) else { return Vec::new() };
        let placed = self.lines_so_far().find_map(|l| match l.entry {
            Entry::Changed(Change::Allocated { container, am: true, key, .. }) if container.app == w.app => {
                Some((l.first, key))
            }
            _ => None,
        });
        let Some((placed, key)): Option<(Millis, RequestKey)> =
            placed.filter(|(at, _)| at - submitted > 2 * self.round())
        else {
            return Vec::new();
        };
        let master = Waiting { key, am: true, since: submitted, asked_at: submitted, ..w.clone() };
        let all = self.stretches_of(names, &master, submitted, placed.min(w.since));
        all.into_iter().map(|stretch| Stretch { master: true, ..stretch }).collect()
    }
}

/// Who was given containers in a stretch: the request itself, itself before the stretch ended, others.
#[derive(Clone, Copy, Debug, Default)]
struct Given {
    itself: bool,
    early: bool,
    others: bool,
}

/// A request as it waited in a state; `None`: it did not.
fn as_it_waited(sim: &Simulation, w: &Waiting) -> Option<Waiting> {
    waiting(sim).into_iter().find(|other| (other.app, other.key) == (w.app, w.key))
}

/// Whether a request is this one, or one that it was asked under before.
fn is_it(names: Names<'_>, w: &Waiting, app: AppId, key: RequestKey) -> bool {
    app == w.app && (key == w.key || !w.am && names.alike(app, key, w.key))
}

/// Why a request waited at a moment of which the log says nothing. `None`: it was not asked for then.
fn cause_then(names: Names<'_>, w: &Waiting, given: Given) -> Option<Cause> {
    let mut all = waiting(names.sim);
    all.retain(|other| is_it(names, w, other.app, other.key));
    // The request itself goes before one that it was asked under before.
    let exact = all.iter().position(|other| other.key == w.key).unwrap_or(0);
    let w = all.into_iter().nth(exact)?;
    // Full nodes are passed over before anything else is asked, and this lasts.
    if let Some(check) = barred_from_label(names, &w) {
        return Some(Cause::Checks(vec![same(check)]));
    }
    let there = names.rm().nodes().iter().any(|node| node.in_scheduler && node.partition == w.partition);
    // One that takes nothing has its label all the same.
    let labelled = w.partition.is_default() || names.rm().nodes().iter().any(|node| node.partition == w.partition);
    let table = table(names, &w, &[]);
    Some(if !labelled && !table.rows.is_empty() && !w.borrows(names) {
        Cause::NoSuchLabel
    } else if table.rows.is_empty() || !there && !w.borrows(names) {
        Cause::Checks(vec![Check::ClusterResources])
    } else if table.is_full() || !given.early && lacks_room(&table) {
        Cause::Checks(vec![Check::NodeFree])
    } else if given.early || given.itself && !given.others {
        Cause::Served
    } else if too_small(&table) {
        // Whoever is served, none of them could take it.
        Cause::Checks(vec![Check::NodeTotal])
    } else if given.others && table.rows.iter().any(Row::fits) {
        Cause::Others
    } else {
        Cause::Unknown
    })
}

/// Lets what stopped a request before and after a stretch of which nothing is known stop it in between: rounds that find what
/// the one before found are not recorded. A scheduler that walks by itself does so all the time: of its walks only those after
/// a change are played, so what stopped a request stops it until the next one.
fn go_on(all: &mut [Stretch], walks: bool) {
    for i in 1..all.len() {
        let (before, after) = (&all[i - 1], all.get(i + 1));
        let goes_on = walks || after.is_some_and(|after| before.cause == after.cause);
        let is_same = matches!(before.cause, Cause::Checks(_)) && goes_on;
        if is_same && all[i].cause == Cause::Unknown && before.master == all[i].master {
            all[i].cause = before.cause.clone();
        }
    }
}

/// Whether some node lacks room, and no other would take the request.
pub(super) fn lacks_room(table: &Table) -> bool {
    table.rows.iter().any(|row| table.lacks_room(row)) && !table.rows.iter().any(Row::fits)
}

/// Whether a node is held for a request.
fn has_reserved(names: Names<'_>, w: &Waiting) -> bool {
    let asks = names.rm().scheduled(w.app).and_then(|app| Some(app.asks.at(app.asks.find(w.key)?)));
    asks.is_some_and(|asks| !asks.reserved.is_empty())
}

/// Whether all nodes of its partition that take containers are too small for a request, and some do.
fn too_small(table: &Table) -> bool {
    let fails = |row: &Row, which: fn(&NodeCheck) -> bool| {
        table.checks.iter().zip(&row.seen).any(|(check, seen)| which(check) && !seen.passes())
    };
    let small = |row: &Row| fails(row, |check| matches!(check, NodeCheck::Total));
    let other = |row: &Row| fails(row, |check| matches!(check, NodeCheck::Running | NodeCheck::Partition));
    table.rows.iter().any(|row| small(row) && !other(row)) && table.rows.iter().all(|row| small(row) || other(row))
}

/// Whether a request was given a container.
fn is_given(entry: &Entry, w: &Waiting) -> bool {
    match entry {
        Entry::Changed(Change::Allocated { container, key, .. }) => (container.app, *key) == (w.app, w.key),
        _ => false,
    }
}
