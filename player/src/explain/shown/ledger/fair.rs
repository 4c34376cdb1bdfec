//! The ledger under the FairScheduler: how fair shares came about, and by which keys queues and applications would be compared
//! now.

use super::{LedgerCell, LedgerColumn, LedgerRow, LedgerTable, LedgerView, clocks, columns, table, words_of};
use crate::explain::fair::in_tree;
use crate::explain::names::Names;
use crate::explain::say::{orders as say_orders, shares as say};
use crate::explain::view::{FactView, Selection};
use crate::explain::words;
use heddle_core::config::fair::Policy;
use heddle_core::model::{AppId, QueueId, Resource};
use heddle_core::scheduler::fair::shares::{Division, ShareReason, Sharer};
use heddle_core::scheduler::fair::{Compared, Divided, FairQueue, FairScheduler, Key};

/// The greatest number of tables of keys; those of the selected queue come first.
const KEY_TABLES: usize = 16;

/// The FairScheduler, with the names for its figures.
#[derive(Clone, Copy)]
pub(super) struct NamedFair<'a> {
    pub names: Names<'a>,
    pub s: &'a FairScheduler,
}

/// Returns the ledger of the latest update, without its position among the others; `about`: the selection.
pub fn fair(names: Names<'_>, s: &FairScheduler, about: Option<&Selection>) -> LedgerView {
    let law = say::LAW.to_string();
    let Some(at) = s.updated_at() else {
        return LedgerView { law, none: say::NONE_YET.to_string(), ..LedgerView::default() };
    };
    let f = NamedFair { names, s };
    let mut tables = f.shares();
    tables.extend(clocks::tables(f));
    tables.extend(f.keys(about));
    tables.retain(|t| !t.rows.is_empty());
    let mut came_to = clocks::came_to(f);
    came_to.push(say::ANY_TWO.to_string());
    let same = names.now - at > s.conf().update_interval_ms;
    let title = say::title(&words::clock(at.max(0)), same);
    LedgerView { law, title, came_to, facts: f.facts(), tables, places: true, ..LedgerView::default() }
}

/// Returns how a queue's share of one type came about.
pub fn share_of(names: Names<'_>, s: &FairScheduler, (id, kind): (QueueId, usize), steady: bool) -> Vec<String> {
    NamedFair { names, s }.share_told(id, kind, steady)
}

impl<'a> NamedFair<'a> {
    /// Returns an amount of one type with its unit.
    fn text(self, amount: i64, kind: usize) -> String {
        let mut r = Resource::ZERO;
        r[kind] = amount;
        words::one(r, kind, &self.names.rm().cluster().types)
    }

    /// Returns what a weight is worth, which need not be a whole number.
    fn worth(self, worth: f64, kind: usize) -> String {
        if worth >= 1_000.0 {
            return self.text(worth.min(1e15).round() as i64, kind);
        }
        let text = format!("{worth:.3}");
        let text = text.trim_end_matches('0').trim_end_matches('.');
        let unit = if kind == 0 { "MB".to_string() } else { words::unit(kind, &self.names.rm().cluster().types) };
        format!("{text} {unit}")
    }

    fn facts(self) -> Vec<FactView> {
        let (s, conf) = (self.s, self.s.conf());
        let fact = |name: &str, value: String| FactView { name: name.to_string(), value, formula: Vec::new() };
        let (root, total) = (s.queues().first().map(|q| q.used).unwrap_or_default(), self.names.rm().cluster().total);
        let used = format!("{} of {}", words::memory(root.memory_mb()), words::memory(total.memory_mb()));
        let preemption = &conf.preemption;
        let on = if preemption.on { say::on_above(preemption.utilization_threshold) } else { say::OFF.to_string() };
        vec![
            fact(say::UTILIZATION, used),
            fact(say::PREEMPTION, on),
            fact(say::INTERVAL, words::span(conf.update_interval_ms)),
        ]
    }

    // ---- shares

    fn divided(self, parent: QueueId, kind: usize, steady: bool) -> Option<&'a Divided> {
        self.s.divisions().find(|d| (d.queue, d.kind, d.steady) == (parent, kind, steady))
    }

    fn sharer(self, id: QueueId, kind: usize, steady: bool) -> Option<(&'a Divided, Sharer, i64)> {
        let d = self.divided(self.s.queue(id).parent?, kind, steady)?;
        let i = d.sharers.iter().position(|(q, _)| *q == id)?;
        Some((d, d.sharers[i].1, *d.division.shares.get(i)?))
    }

    fn share_told(self, id: QueueId, kind: usize, steady: bool) -> Vec<String> {
        let q = self.s.queue(id);
        let share = if steady { q.steady_share } else { q.fair_share };
        let Some(parent) = q.parent.map(|p| self.s.queue(p)) else {
            return vec![say::whole(&self.text(share[kind], kind))];
        };
        let Some((d, sharer, share)) = self.sharer(id, kind, steady) else {
            return vec![say::not_divided(parent.policy, &parent.path)];
        };
        let among = d.sharers.iter().filter(|(_, s)| s.active).count();
        let total = self.text(d.division.total, kind);
        let mut out = vec![say::divided(&total, &parent.path, steady, among, d.sharers.len())];
        out.extend(self.last_steps(&d.division, &sharer, share, kind));
        out
    }

    fn last_steps(self, d: &Division, sharer: &Sharer, share: i64, kind: usize) -> Vec<String> {
        let mut out = Vec::new();
        let how = d.how(sharer);
        let worth = self.worth(d.worth, kind);
        if matches!(how, ShareReason::Weight | ShareReason::Minimum | ShareReason::Maximum) {
            if d.rest != d.total {
                out.push(say::rest(&self.text(d.rest, kind)));
            }
            let rest = self.text(d.rest, kind);
            out.push(if d.minima > d.rest {
                say::too_many_minima(&self.text(d.minima, kind), &rest)
            } else {
                say::worth(&worth, &rest)
            });
        }
        let by_weight = self.worth(f64::from(sharer.weight) * d.worth, kind);
        out.push(say::share(how, &sharer.weight.to_string(), &worth, &by_weight, &self.text(share, kind)));
        out
    }

    /// Returns a table of queues and one of applications for each type that is divided.
    fn shares(self) -> Vec<LedgerTable> {
        let types = &self.names.rm().cluster().types;
        let divided = |kind: usize| kind == 0 || self.s.divisions().any(|d| d.kind == kind);
        let kinds = (0..types.len()).filter(|kind| divided(*kind));
        let name = |kind: usize| if kind == 0 { say::MEMORY.to_string() } else { words::unit(kind, types) };
        let mut out = Vec::new();
        for kind in kinds {
            let rows = in_tree(self.s).into_iter().map(|(q, depth)| self.queue(q, depth, kind)).collect();
            let mut of_queues =
                table(say::shares(&name(kind)), say::QUEUE, columns(&say::OF_SHARES, &[say::SET_BY]), rows);
            of_queues.unit = words::unit(kind, types);
            out.push(of_queues);
            let leaves = self.s.living().filter(|q| q.leaf);
            let rows = leaves.flat_map(|q| q.runnable.iter().map(move |app| self.app(q, *app, kind))).collect();
            let mut of_apps = table(say::shares_of_apps(&name(kind)), say::APP, columns(&say::OF_APPS, &[]), rows);
            of_apps.unit = words::unit(kind, types);
            out.push(of_apps);
        }
        out
    }

    fn one(self, amount: i64, kind: usize, formula: Vec<String>) -> LedgerCell {
        LedgerCell { text: words::bare(amount, kind), formula, ..LedgerCell::default() }
    }

    fn queue(self, q: &FairQueue, depth: usize, kind: usize) -> LedgerRow {
        let plain = |amount: Resource| self.one(amount[kind], kind, Vec::new());
        let maximum = self.s.maximum_of(self.names.rm().cluster(), q.id);
        let mut cells = vec![words_of(q.weight.to_string()), plain(q.minimum), plain(maximum)];
        cells.extend([plain(q.demand), plain(q.used)]);
        cells.push(self.one(q.fair_share[kind], kind, self.share_told(q.id, kind, false)));
        cells.push(self.one(q.steady_share[kind], kind, self.share_told(q.id, kind, true)));
        let how = self.sharer(q.id, kind, false).map_or("", |(d, sharer, _)| say::how(d.division.how(&sharer)));
        cells.push(words_of(how));
        let about = Some(Selection::Queue(q.path.clone()));
        LedgerRow { name: q.name().to_string(), about, depth, cells, taken: false }
    }

    fn app(self, leaf: &FairQueue, app: AppId, kind: usize) -> LedgerRow {
        let known = self.s.app(app).cloned().unwrap_or_default();
        let used = self.names.rm().cluster().app(app).used_total();
        let sharer = Sharer { weight: known.weight, minimum: 0, maximum: i64::MAX, active: true };
        let how = match self.divided(leaf.id, kind, false) {
            Some(d) if d.apps.contains(&app) => {
                let mut how =
                    vec![say::divided_among_apps(&self.text(d.division.total, kind), &leaf.path, d.apps.len())];
                how.extend(self.last_steps(&d.division, &sharer, known.fair_share[kind], kind));
                how
            }
            None if leaf.policy == Policy::Fifo || kind > 0 && leaf.policy == Policy::Fair => {
                vec![say::not_divided(leaf.policy, &leaf.path)]
            }
            _ => vec![say::CAME_LATER.to_string()],
        };
        let plain = |amount: Resource| self.one(amount[kind], kind, Vec::new());
        let share = self.one(known.fair_share[kind], kind, how);
        let cells = vec![words_of(known.weight.to_string()), plain(known.demand), plain(used), share];
        let name = self.names.app(app).to_string();
        LedgerRow { about: Some(Selection::App(name.clone())), name, cells, ..LedgerRow::default() }
    }

    // ---- keys

    /// Returns the keys by which the children of each parent and the applications of each leaf would be compared now, if there
    /// are several.
    fn keys(self, about: Option<&Selection>) -> Vec<LedgerTable> {
        let cluster = self.names.rm().cluster();
        let here = match about {
            Some(Selection::Queue(path)) => self.s.find_queue(path),
            other => other.and_then(Selection::app).and_then(|a| self.names.find_app(a)).map(|a| cluster.app(a).queue),
        };
        let near = |q: &FairQueue| here.is_some_and(|here| self.s.path_up(here).any(|id| id == q.id));
        let mut queues: Vec<&FairQueue> = in_tree(self.s).into_iter().map(|(q, _)| q).collect();
        queues.retain(|q| if q.leaf { q.runnable.len() > 1 } else { q.children.len() > 1 });
        heddle_core::model::order::sort_by_key(&mut queues, |q| !near(q));
        queues.truncate(KEY_TABLES);
        queues.into_iter().map(|q| if q.leaf { self.keys_of_apps(q) } else { self.keys_of_children(q) }).collect()
    }

    fn keys_of_children(self, q: &FairQueue) -> LedgerTable {
        let rows = self.s.children_compared(self.names.rm().cluster(), q.id);
        let name = |id: QueueId| {
            let q = self.s.queue(id);
            (Selection::Queue(q.path.clone()), q.name().to_string())
        };
        self.key_table(say::children(&q.path, q.policy), q.policy, false, &rows, name, |_| String::new())
    }

    fn keys_of_apps(self, q: &FairQueue) -> LedgerTable {
        let rows = self.s.apps_compared(self.names.rm().cluster(), q.id);
        let name = |id: AppId| (Selection::App(self.names.app(id).to_string()), self.names.app(id).to_string());
        let start = |id: AppId| words::clock(self.s.app(id).map_or(0, |a| a.started_at).max(0));
        self.key_table(say::applications(&q.path, q.policy), q.policy, true, &rows, name, start)
    }

    /// Returns a table whose columns are in the order of comparison.
    fn key_table<T: Copy>(
        self,
        title: String,
        policy: Policy,
        apps: bool,
        list: &[Compared<T>],
        name: impl Fn(T) -> (Selection, String),
        start: impl Fn(T) -> String,
    ) -> LedgerTable {
        let mut heads: Vec<String> = match policy {
            Policy::Fair => vec![say::WANTS.into(), say::BELOW_MINIMUM.into(), say::OF_MINIMUM.into()],
            Policy::Drf => vec![say::BELOW_MINIMUM.into()],
            Policy::Fifo => Vec::new(),
        };
        let figures = list.first().map_or(0, |x| x.key.figures().len());
        match policy {
            Policy::Fair => heads.push(say::BY_WEIGHT.into()),
            Policy::Drf => heads.extend((0..figures).map(|i| say::by_share(i, i + 1 == figures))),
            Policy::Fifo => {}
        }
        if apps {
            heads.push(say::STARTED.into());
        }
        heads.push(say::BEHIND.into());
        let columns = heads.into_iter().map(|name| LedgerColumn { name, number: false }).collect();
        let row = |(i, x): (usize, &Compared<T>)| {
            let (about, name) = name(x.who);
            let mut cells = self.key_cells(policy, &x.key, &x.of);
            if apps {
                cells.push(words_of(start(x.who)));
            }
            let before = i.checked_sub(1).and_then(|i| list.get(i));
            cells.push(words_of(before.map_or(String::new(), |b| say::part(policy, b.key.unequal(&x.key), apps))));
            LedgerRow { name, about: Some(about), cells, ..LedgerRow::default() }
        };
        let rows = list.iter().enumerate().map(row).collect();
        table(title, if apps { say::APP } else { say::QUEUE }, columns, rows)
    }

    fn key_cells(self, policy: Policy, key: &Key, of: &heddle_core::scheduler::fair::Sortable) -> Vec<LedgerCell> {
        let yes = |it: bool| words_of(say_orders::yes(it));
        let figures = key.figures();
        let figure = |i: usize| figures.get(i).copied().unwrap_or_default();
        match policy {
            Policy::Fair => {
                let least = if key.is_needy() { words::percent(figure(0)) } else { "–".to_string() };
                let by_weight = LedgerCell {
                    formula: vec![format!("{} ÷ {}", words::memory(of.used.memory_mb()), of.weight)],
                    ..words_of(words::memory(figure(2).min(1e15).round() as i64))
                };
                vec![yes(!key.is_idle()), yes(key.is_needy()), words_of(least), by_weight]
            }
            Policy::Drf => {
                let share = |x: &f64| {
                    let percent = words::percent(*x);
                    words_of(if key.is_needy() { say::of_minimum(&percent) } else { percent })
                };
                std::iter::once(yes(key.is_needy())).chain(figures.iter().map(share)).collect()
            }
            Policy::Fifo => Vec::new(),
        }
    }
}
