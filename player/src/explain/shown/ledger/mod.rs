//! The ledger of a preemption round: made from the round's record alone; names and properties come from the simulation. Under
//! the FairScheduler ([`fair`]) it shows shares, keys and timeouts, from what the scheduler keeps of its latest update.

mod chosen;
mod clocks;
mod fair;
mod queues;
mod within;

pub use fair::{fair, share_of};

use super::formulas;
use crate::explain::names::Names;
use crate::explain::say::ledger as say;
use crate::explain::view::{FactView, LedgerCell, LedgerColumn, LedgerRow, LedgerTable, LedgerView, Selection};
use crate::explain::words;
use heddle_core::model::{CalculatorKind, ContainerId, PartitionId, QueueId, Resource};
use heddle_core::preemption::{Failure, PreemptionAction, PreemptionStep, Round, Selector};

const SETTINGS: &str = "yarn.resourcemanager.monitor.capacity.preemption.";
/// The greatest number of containers, applications or offers that a formula names.
const NAMED: usize = 12;
/// The greatest number of rows of a table.
const ROWS: usize = 200;

/// Returns why there are no rounds. `None`: there are.
pub fn absent(names: Names<'_>) -> Option<&'static str> {
    let rm = names.rm();
    let Some(scheduler) = rm.capacity() else { return Some(say::FIFO_RUNS) };
    match scheduler.monitor() {
        Some(m) if m.next_wake().is_none() && m.latest_at(names.now).is_none() => Some(say::NO_INTERVAL),
        Some(_) => None,
        None if scheduler.conf().monitors.on => Some(say::NOT_LISTED),
        None => Some(say::MONITORS_OFF),
    }
}

/// A round, with the names for its figures. `names` are of the time of the round; `now` is the present time.
#[derive(Clone, Copy)]
struct NamedRound<'a> {
    names: Names<'a>,
    round: &'a Round,
    now: i64,
}

/// Returns the ledger of a round, without its position among the others.
pub fn ledger(names: Names<'_>, round: &Round) -> LedgerView {
    let told = NamedRound { names: Names::at(names.sim, names.now.min(round.at.max(0))), round, now: names.now };
    let mut tables = queues::tables(told);
    tables.extend(chosen::tables(told));
    tables.extend(within::tables(told));
    tables.retain(|t| !t.rows.is_empty());
    LedgerView {
        law: say::LAW.to_string(),
        came_to: told.failure().into_iter().chain(round.conf.observe_only.then(|| say::OBSERVED.to_string())).collect(),
        facts: told.facts(),
        tables,
        ..LedgerView::default()
    }
}

impl<'a> NamedRound<'a> {
    /// Returns an amount with its units.
    fn text(self, r: Resource) -> String {
        let cluster = self.names.rm().cluster();
        words::counted(r, cluster.calculator, &cluster.types)
    }

    /// Returns the types that the calculator compares.
    fn types(self) -> std::ops::Range<usize> {
        let cluster = self.names.rm().cluster();
        0..if cluster.calculator.kind == CalculatorKind::Default { 1 } else { cluster.types.len() }
    }

    fn unit(self) -> String {
        let types = &self.names.rm().cluster().types;
        self.types().map(|i| words::unit(i, types)).collect::<Vec<_>>().join(" · ")
    }

    fn amount(self, r: Resource, formula: Vec<String>) -> LedgerCell {
        let text = self.types().map(|i| words::bare(r[i], i)).collect::<Vec<_>>().join(" · ");
        let amount = Some(words::amount(r, &self.names.rm().cluster().types));
        LedgerCell { text, amount, formula, ..LedgerCell::default() }
    }

    /// Returns an amount that is usually zero, which is shown as a dash.
    fn taken(self, r: Resource, formula: Vec<String>) -> LedgerCell {
        let cell = self.amount(r, formula);
        if r.is_zero() { LedgerCell { text: "–".to_string(), ..cell } } else { cell }
    }

    fn setting(self, name: &str) -> Vec<String> {
        formulas::of_scheduler(self.names, &[&format!("{SETTINGS}{name}")])
    }

    /// Returns the last part of a queue's path.
    fn queue(self, queue: QueueId) -> &'a str {
        let path = self.names.queue(queue);
        path.rsplit('.').next().unwrap_or(path)
    }

    fn place(self, p: PartitionId) -> String {
        say::partition(self.names.partition(p))
    }

    fn act(self, id: ContainerId) -> Option<&'a PreemptionAction> {
        self.round.acts.iter().find(|a| a.container == id)
    }

    fn lazy(self) -> bool {
        self.names.rm().capacity().is_some_and(|c| c.conf().lazy_preemption)
    }

    /// Returns what is to happen to a chosen container, in a few words: "9 s left".
    fn outlook(self, id: ContainerId) -> String {
        match self.act(id) {
            Some(act) if act.deed == PreemptionStep::Kill && self.lazy() => say::MADE_KILLABLE.to_string(),
            Some(act) if act.deed == PreemptionStep::Kill => say::KILLED.to_string(),
            Some(act) if act.deed == PreemptionStep::Void => say::VOID.to_string(),
            Some(act) => say::left(act.deadline - self.now),
            None if self.round.failed.is_some() => say::NOT_DONE.to_string(),
            None => say::WATCHED.to_string(),
        }
    }

    fn container(self, id: ContainerId) -> (Selection, String) {
        (self.names.container(id), self.names.container_name(id))
    }

    fn failure(self) -> Option<String> {
        self.round.failed.as_ref().map(|failure| match failure {
            Failure::Settings(yarn) => say::settings_unreadable(yarn),
            Failure::PartitionDone(queue) => say::partition_done(self.queue(*queue)),
            Failure::UnknownQueue(id) => say::unknown_queue(&self.names.container_name(*id)),
        })
    }

    fn facts(self) -> Vec<FactView> {
        let (round, conf) = (self.round, &self.round.conf);
        let fact = |name: &str, value: String, formula| FactView { name: name.to_string(), value, formula };
        let chosen = round.chosen.iter().fold(Resource::ZERO, |sum, c| sum + c.size);
        let part = conf.total_preemption_per_round;
        let mut budget = vec![say::budget(&self.text(round.cluster), part, &self.text(round.budget))];
        budget.extend(self.setting("total_preemption_per_round"));
        let sizes = round.chosen.iter().take(NAMED);
        let mut of_chosen: Vec<String> =
            sizes.map(|c| say::one_chosen(&self.names.container_name(c.container), &self.text(c.size))).collect();
        of_chosen.extend(more(round.chosen.len()));
        let mut left = vec![say::sum(
            say::LEFT,
            &[(say::BUDGET.to_string(), self.text(round.budget)), (format!("− {}", say::TAKEN), self.text(chosen))],
            &self.text(round.budget_left),
        )];
        let off = round.budget - round.budget_left - chosen;
        if !off.is_zero() {
            left.push(say::counted_off(&self.text(off)));
        }
        let mut grace = self.setting("max_wait_before_kill");
        if conf.balance && conf.balance_max_wait_ms > 0 {
            grace.push(say::grace_of_balance(&words::span(conf.balance_max_wait_ms)));
        }
        let failed_early = matches!(round.failed, Some(Failure::Settings(_)));
        let amounts = [
            fact(say::BUDGET, self.text(round.budget), budget),
            fact(say::TAKEN, self.text(chosen), of_chosen),
            fact(say::LEFT, self.text(round.budget_left), left),
        ];
        let mut out: Vec<FactView> = amounts.into_iter().filter(|_| !failed_early).collect();
        let interval = self.setting("monitoring_interval");
        out.push(fact(say::INTERVAL, words::span(conf.monitoring_interval_ms), interval));
        out.push(fact(say::GRACE, words::span(conf.max_wait_before_kill_ms), grace));
        out
    }
}

/// "and 3 more", if a formula does not name all.
fn more(all: usize) -> Option<String> {
    (all > NAMED).then(|| say::and_more(all - NAMED))
}

/// Returns the purpose of a selector.
fn what_for(selector: Selector) -> &'static str {
    match selector {
        Selector::QueuePriority => say::FOR_PRIORITY,
        Selector::Reserved => say::FOR_RESERVED,
        Selector::Fifo => say::FOR_STARVED,
        Selector::Balance => say::TO_BALANCE,
        Selector::IntraQueue => say::WITHIN,
    }
}

/// Returns columns: first those with numbers, then those with words.
fn columns(numbers: &[&str], texts: &[&str]) -> Vec<LedgerColumn> {
    let column = |number| move |name: &&str| LedgerColumn { name: (*name).to_string(), number };
    numbers.iter().map(column(true)).chain(texts.iter().map(column(false))).collect()
}

fn words_of(text: impl Into<String>) -> LedgerCell {
    LedgerCell { text: text.into(), ..LedgerCell::default() }
}

/// Returns a table, cut to the number of rows that may be shown.
fn table(title: impl Into<String>, of: &str, columns: Vec<LedgerColumn>, mut rows: Vec<LedgerRow>) -> LedgerTable {
    let more = rows.len().saturating_sub(ROWS);
    rows.truncate(ROWS);
    LedgerTable { title: title.into(), of: of.to_string(), columns, rows, more, ..LedgerTable::default() }
}
