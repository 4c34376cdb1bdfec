//! The timeouts of starvation, and the searches for starved applications: from the findings of the latest update and the latest
//! searches.

use super::fair::NamedFair;
use super::{LedgerCell, LedgerRow, LedgerTable, NAMED, columns, more, table, words_of};
use crate::explain::say::shares as say;
use crate::explain::view::Selection;
use crate::explain::words;
use heddle_core::model::{AppId, Millis, Resource};
use heddle_core::preemption::fair::{AppLook, LeafLook, Minimum, Search, Standing};
use heddle_core::scheduler::fair::FairQueue;

/// Returns the results of the latest update as far as timeouts are concerned.
pub(super) fn came_to(f: NamedFair<'_>) -> Vec<String> {
    let (looks, conf) = (f.s.looks(), &f.s.conf().preemption);
    if !conf.on {
        return vec![say::NO_PREEMPTION.to_string()];
    }
    if !looks.busy {
        return vec![say::too_little_used(looks.used, conf.utilization_threshold)];
    }
    let by_share = |l: &LeafLook| {
        let starved = l.apps.iter().filter(|a| matches!(a.standing, Standing::Starved { .. })).map(|a| a.app);
        starved.collect::<Vec<_>>()
    };
    let mut apps: Vec<AppId> = Vec::new();
    for leaf in &looks.leaves {
        let of_minimum = leaf.of_minimum.iter().filter(|part| part.starved).map(|part| part.app);
        for app in by_share(leaf).into_iter().chain(of_minimum) {
            if !apps.contains(&app) {
                apps.push(app);
            }
        }
    }
    let names: Vec<String> = apps.iter().map(|a| format!("**{}**", f.names.app(*a))).collect();
    let lacks = |l: &&LeafLook| matches!(l.minimum.standing, Standing::Starved { .. });
    match looks.leaves.iter().find(lacks).filter(|_| names.is_empty()) {
        Some(leaf) => vec![say::minimum_lacks(f.names.queue(leaf.queue))],
        None => vec![say::starved(&names)],
    }
}

pub(super) fn tables(f: NamedFair<'_>) -> Vec<LedgerTable> {
    let clocks = Clocks(f);
    let looks = f.s.looks();
    let rows = looks.leaves.iter().filter(|l| f.s.queue(l.queue).alive).flat_map(|l| clocks.leaf(l)).collect();
    let [used, due, lacks, patience, comes] = say::OF_CLOCKS;
    let of_clocks = table(say::CLOCKS, say::WHOSE, columns(&[used, due, lacks, patience], &[comes]), rows);
    vec![of_clocks, clocks.searches()]
}

#[derive(Clone, Copy)]
struct Clocks<'a>(NamedFair<'a>);

impl Clocks<'_> {
    fn text(self, r: Resource) -> String {
        words::size(r, &self.0.names.rm().cluster().types)
    }

    fn cell(self, r: Resource, formula: Vec<String>) -> LedgerCell {
        LedgerCell { formula, ..words_of(self.text(r)) }
    }

    fn leaf(self, l: &LeafLook) -> Vec<LedgerRow> {
        let q = self.0.s.queue(l.queue);
        let mut out: Vec<LedgerRow> = self.minimum(q, l).into_iter().collect();
        out.extend(l.apps.iter().map(|a| self.app(q, a)));
        let looked = |app: &AppId| l.apps.iter().any(|a| a.app == *app);
        out.extend(q.runnable.iter().filter(|app| !looked(app)).map(|app| self.passed_over(l, *app)));
        out
    }

    /// Returns the row of the queue's minimum share, if it has one.
    fn minimum(self, q: &FairQueue, l: &LeafLook) -> Option<LedgerRow> {
        if q.minimum.is_zero() {
            return None;
        }
        let Minimum { used, due, lack, standing } = l.minimum;
        let how = say::due_of_minimum(&self.text(q.minimum), &self.text(q.demand), &self.text(due));
        let cells = vec![
            self.cell(used, Vec::new()),
            self.cell(due, vec![how]),
            self.cell(lack, Vec::new()),
            patience(q.patience.minimum_ms),
            words_of(outlook(standing)),
        ];
        let about = Some(Selection::Queue(q.path.clone()));
        let taken = matches!(standing, Standing::Starved { .. });
        Some(LedgerRow { name: say::minimum_of(&q.path), about, cells, taken, ..LedgerRow::default() })
    }

    fn app(self, q: &FairQueue, a: &AppLook) -> LedgerRow {
        let demand = self.0.s.app(a.app).map(|x| x.demand).unwrap_or_default();
        let share = words::fair_share(a.share, &self.0.names.rm().cluster().types);
        let how = say::due(&share, q.patience.threshold, &self.text(demand), &self.text(a.due));
        let lack = (a.due - a.used).component_max(Resource::ZERO);
        let cells = vec![
            self.cell(a.used, Vec::new()),
            self.cell(a.due, vec![how]),
            self.cell(lack, Vec::new()),
            patience(q.patience.fair_ms),
            words_of(outlook(a.standing)),
        ];
        let taken = matches!(a.standing, Standing::Starved { .. });
        LedgerRow { cells, taken, ..self.named(a.app) }
    }

    fn named(self, app: AppId) -> LedgerRow {
        let name = self.0.names.app(app).to_string();
        LedgerRow { about: Some(Selection::App(name.clone())), name, depth: 1, ..LedgerRow::default() }
    }

    /// Returns the row of an application that the update did not check in its leaf.
    fn passed_over(self, l: &LeafLook, app: AppId) -> LedgerRow {
        let (s, names) = (self.0.s, self.0.names);
        let at = s.updated_at().unwrap_or(0);
        let next = s.starving(app).map_or(0, |x| x.next_check);
        let wants = l.of_minimum.iter().any(|part| part.app == app);
        let why = match l.apps.last() {
            _ if next > at => say::looked_at_from(&words::clock(next)),
            Some(last) if wants => say::behind(names.app(last.app)),
            _ => say::WANTS_NOTHING.to_string(),
        };
        let none = LedgerCell::default;
        LedgerRow { cells: vec![none(), none(), none(), none(), words_of(why)], ..self.named(app) }
    }

    /// Returns the table of the searches made when an application was last starved.
    fn searches(self) -> LedgerTable {
        let names = self.0.names;
        let searches = names.sim.latest_searches();
        let at = searches.first().map_or(0, |s| s.at);
        let rows = searches.iter().map(|s| self.search(s)).collect();
        let [lacks, counted, chosen, again] = say::OF_SEARCHES;
        table(say::searches(&words::clock(at)), say::APP, columns(&[lacks, counted], &[chosen, again]), rows)
    }

    fn search(self, s: &Search) -> LedgerRow {
        let names = self.0.names;
        let chosen: Vec<_> = s.chosen().collect();
        let kill = words::clock(s.kill_at);
        let name = |id: &heddle_core::model::ContainerId| {
            (names.container(*id), say::chosen(&names.container_name(*id), &kill))
        };
        let who = LedgerCell {
            text: match chosen.as_slice() {
                [] => say::NOBODY.to_string(),
                all => more(all.len()).unwrap_or_default(),
            },
            names: chosen.iter().take(NAMED).map(name).collect(),
            ..LedgerCell::default()
        };
        let (count, asked) = s.wants.iter().fold((0, 0), |(c, a), w| (c + w.count, a + w.asked));
        let cells = vec![
            self.cell(s.lack.total(), Vec::new()),
            words_of(say::counted(count, asked)),
            who,
            words_of(words::clock(s.next_check)),
        ];
        LedgerRow { cells, taken: !chosen.is_empty(), depth: 0, ..self.named(s.app) }
    }
}

fn patience(ms: Millis) -> LedgerCell {
    words_of(if ms == Millis::MAX { say::NO_TIMEOUT.to_string() } else { words::span(ms) })
}

fn outlook(standing: Standing) -> String {
    match standing {
        Standing::Served => say::HAS_IT.to_string(),
        Standing::Waiting { since, until } => {
            let until = (until < Millis::MAX).then(|| words::clock(until));
            say::runs(&words::clock(since), until.as_deref())
        }
        Standing::Starved { since } => say::starved_since(&words::clock(since)),
    }
}
