//! The chain of limits of a waiting request, in the order in which the scheduler checked them (capacity-scheduler.md 4, 5, 7.3,
//! 8.2, 8.3; fair-scheduler.md 13, 15, 18): each with its figures, as the latest look recorded them; those after the first that
//! stops the request were not reached.

mod activation;
mod capacity;
mod fair;
mod next_limit;
mod turn;

use crate::explain::names::Names;
use crate::explain::record::{PassRecord, PassResult, Record};
use crate::explain::say;
use crate::explain::stop::StoppedBy;
use crate::explain::verdicts;
use crate::explain::view::LimitView;
use crate::explain::waiting::Waiting;
use crate::explain::waits::of_check::teller;
use crate::explain::words;
use heddle_core::check::{Amounts, Check, CheckKind, Checked, Failure};
use heddle_core::journal::Entry;
use heddle_core::model::{AppId, CalculatorKind, Millis, NodeId, QueueId, Resource};
use heddle_core::scheduler::{App, Scheduler};

pub use next_limit::first_limit;
pub use turn::{TurnInputs, behind_on_nodes, headroom_yarn};

/// The chain, and the sentence of the limit that stops the request.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Chain {
    /// The links, in the order of the checks.
    pub limits: Vec<LimitView>,
    /// What stops it before any node.
    pub stop: Option<RequestStop>,
    /// The limit that would stop it next.
    pub next: Option<RequestStop>,
    /// Sentences on resources that other labels lend.
    pub lent: String,
    /// When the scheduler last reached it, and on which node.
    pub looked: Option<(Millis, NodeId)>,
}

impl Chain {
    /// Ends the chain with a link about `of` that only waits.
    pub fn stop_at(&mut self, stop: RequestStop, of: String) {
        let check = stop.by.checked().map(|checked| checked.check);
        self.limits.push(link_in_words(check, of, false, say::WAITS));
        self.stop = Some(stop);
    }
}

/// What stops a request before any node.
#[derive(Clone, Debug, PartialEq)]
pub struct RequestStop {
    pub by: StoppedBy,
    /// The sentence: "AMs of root.a use 2 GB; 2 GB more would pass the limit of 1 GB."
    pub sentence: String,
    pub yarn: String,
    /// Whether the request can never pass, whoever leaves.
    pub never: bool,
    /// Applications that hold what it waits for.
    pub holders: Vec<AppId>,
}

impl RequestStop {
    /// A stop without YARN's words or holders.
    pub fn new(by: StoppedBy, sentence: String) -> Self {
        RequestStop { by, sentence, yarn: String::new(), never: false, holders: Vec::new() }
    }

    /// A stop by a check that failed.
    pub fn at(checked: Checked, sentence: String) -> Self {
        RequestStop::new(StoppedBy::Check(Box::new(checked)), sentence)
    }

    /// Adds YARN's words.
    pub fn yarn(self, yarn: impl Into<String>) -> Self {
        RequestStop { yarn: yarn.into(), ..self }
    }
}

/// What happened to an application at its limits before any node, as recorded.
#[derive(Clone, Copy, Debug, Default)]
pub struct History<'a> {
    /// The latest entry that held it back for a limit of parallel applications.
    pub held: Option<&'a Entry>,
    /// The latest entry that did not activate it.
    pub inactive: Option<&'a Entry>,
    /// The latest entry of its activation.
    pub activated: Option<&'a Entry>,
    /// Why a proposal for the request was last refused.
    pub refused: Option<&'a Failure>,
}

/// The inputs of a chain.
#[derive(Clone, Copy)]
pub struct ChainBuilder<'a> {
    pub names: Names<'a>,
    pub w: &'a Waiting,
    pub app: &'a App,
    pub looks: &'a [PassRecord],
    pub record: &'a Record,
    pub history: History<'a>,
}

/// A link with amounts, compared in the scarcest type.
struct Link {
    check: Check,
    of: String,
    used: Resource,
    asked: Resource,
    limit: Resource,
    passes: bool,
    /// The comparison signs if it passes, and if it does not.
    signs: (&'static str, &'static str),
}

/// Returns the chain of limits of a request.
pub fn chain(names: Names<'_>, w: &Waiting, looks: &[PassRecord], record: &Record, history: History<'_>) -> Chain {
    let mut out = Chain::default();
    let Some(app) = names.rm().scheduled(w.app) else { return out };
    let maker = ChainBuilder { names, w, app, looks, record, history };
    match names.rm().scheduler() {
        Scheduler::Capacity(_) => {
            if !(maker.parallel(&mut out) || maker.activation(&mut out) || maker.label(&mut out)) {
                maker.recorded(&mut out);
            }
        }
        Scheduler::Fair(_) => {
            if !maker.parallel(&mut out) {
                maker.fair(&mut out);
            }
        }
        // The FifoScheduler has no limits but the nodes.
        Scheduler::Fifo(_) => out.looked = maker.primary().map(|l| (l.at, l.node)),
    }
    maker.add_unreached(&mut out);
    // A check that a look made twice with the same figures is shown once.
    out.limits.dedup_by(|next, link| next == link);
    out
}

/// Returns the chain to a limit before any node that would stop the request in the present state, whatever was recorded.
/// `None`: none would.
pub fn stopped_now(names: Names<'_>, w: &Waiting, record: &Record) -> Option<Chain> {
    let app = names.rm().scheduled(w.app)?;
    let maker = ChainBuilder { names, w, app, looks: &[], record, history: History::default() };
    let look = maker.look_now(None)?;
    maker.stopped_at(&look)
}

/// Returns the chain to a limit that would stop the request if the nodes were not full: full nodes are skipped before any limit
/// is checked.
pub fn stopped_besides(names: Names<'_>, w: &Waiting, record: &Record) -> Option<Chain> {
    let app = names.rm().scheduled(w.app)?;
    let maker = ChainBuilder { names, w, app, looks: &[], record, history: History::default() };
    let rm = names.rm();
    let limits = rm.capacity()?.limits_were_nodes_free(rm.cluster(), w.app, w.key, w.partition);
    let look = maker.look_of(limits.into_iter().next()?);
    maker.stopped_at(&look)
}

/// Returns the check that keeps a request from its label, whatever runs on the nodes: access to it, or a share of it.
pub fn barred_from_label(names: Names<'_>, w: &Waiting) -> Option<Check> {
    let app = names.rm().scheduled(w.app).filter(|_| names.rm().capacity().is_some())?;
    let record = Record::default();
    let maker = ChainBuilder { names, w, app, looks: &[], record: &record, history: History::default() };
    let mut out = Chain::default();
    maker.label(&mut out);
    out.stop?.by.checked().map(|checked| checked.check)
}

impl<'a> ChainBuilder<'a> {
    /// Adds the link of a check that a look recorded, if the check has one.
    fn tell(&self, out: &mut Chain, look: &PassRecord, checked: &Checked) {
        if let Some(tell) = teller(checked.check) {
            tell(self, out, look, checked);
        }
    }

    /// Returns the chain to a limit that was not recorded.
    fn stopped_at(&self, look: &PassRecord) -> Option<Chain> {
        let mut out = Chain { looked: None, ..Chain::default() };
        self.stopped(&mut out, look);
        // YARN has reported nothing about it.
        out.stop.as_mut()?.yarn.clear();
        self.add_unreached(&mut out);
        Some(out)
    }

    /// Returns a look that would now stop at a limit of the CapacityScheduler, by its own rules: at the given check, else at
    /// the first.
    fn look_now(&self, which: Option<Check>) -> Option<PassRecord> {
        let rm = self.names.rm();
        let limits = rm.capacity()?.limits_now(rm.cluster(), self.w.app, self.w.key, self.w.partition);
        let checked = limits.into_iter().find(|checked| which.is_none_or(|which| checked.check == which))?;
        Some(self.look_of(checked))
    }

    /// Returns a look at a queue that now has more than its maximum: this comes before everything else, whatever was recorded.
    fn look_beyond_maximum(&self) -> Option<PassRecord> {
        let look = self.look_now(Some(Check::QueueLimit))?;
        let PassResult::Stopped(checked) = &look.fate else { return None };
        let cluster = self.names.rm().cluster();
        let is_beyond = |a: &Amounts| {
            let maximum = a.besides().unwrap_or(a.limit);
            cluster.calculator.gt(&self.names.rm().partition_total(self.w.partition), &a.used(), &maximum)
        };
        checked.figures.as_amounts().is_some_and(is_beyond).then_some(look)
    }

    /// Returns a look of this moment that a limit stops.
    fn look_of(&self, checked: Checked) -> PassRecord {
        PassRecord {
            at: self.names.now,
            node: NodeId::default(),
            partition: self.w.partition,
            lent: false,
            passed: Vec::new(),
            fate: PassResult::Stopped(checked),
            turn_over: None,
            nodes: Vec::new(),
        }
    }

    /// Returns whether the scheduler has come again since this look without stopping at the same limit, so that the record may
    /// not hold.
    fn is_outdated(&self, look: &PassRecord) -> bool {
        self.is_older(look) && self.kept_for(None).is_empty()
    }

    /// Returns whether nodes of the same partition were visited after a look.
    fn is_older(&self, look: &PassRecord) -> bool {
        self.looks.iter().any(|l| l.at > look.at && l.partition == look.partition && l.lent == look.lent)
    }

    /// Returns the check that stopped a look at a limit which [`ChainBuilder::look_now`] computes again.
    fn limit_of(look: &PassRecord) -> Option<Check> {
        match &look.fate {
            PassResult::Stopped(checked) => {
                let anew = |check: &Check| matches!(check, Check::QueueLimit | Check::UserLimit | Check::Headroom);
                Some(checked.check).filter(anew)
            }
            PassResult::Given(_)
            | PassResult::Behind { .. }
            | PassResult::BehindOwn(..)
            | PassResult::Refused(_)
            | PassResult::Served(_)
            | PassResult::Held(_)
            | PassResult::NoTurn => None,
        }
    }

    fn text(&self, r: Resource) -> String {
        let cluster = self.names.rm().cluster();
        words::counted_for(r, self.w.size, cluster.calculator, &cluster.types)
    }

    /// Returns an amount in the types that decide a comparison.
    fn told(&self, a: &Amounts, r: Resource) -> String {
        let cluster = self.names.rm().cluster();
        words::those(r, &a.deciding(cluster.calculator, &cluster.total), &cluster.types)
    }

    /// Returns an amount in the types of which the request needs more than is free: "0 gpu", "1 GB and 2 vcores".
    fn lacking(&self, r: Resource, free: Resource) -> Option<String> {
        let types = &self.names.rm().cluster().types;
        let lacks = (0..self.types()).filter(|i| self.w.size[*i] > free[*i]);
        let parts: Vec<String> = lacks.map(|i| words::one(r, i, types)).collect();
        (!parts.is_empty()).then(|| words::list(&parts, parts.len()))
    }

    /// Returns what is free: "nothing" for 0.
    fn free(&self, left: Resource) -> String {
        let left = left.minus_not_below_zero(Resource::ZERO);
        if (0..self.types()).all(|i| left[i] == 0) { "nothing".to_string() } else { self.text(left) }
    }

    /// Returns the look that best explains why the request waits: the latest with a reason on nodes of its own partition, else
    /// the latest with a reason.
    fn primary(&self) -> Option<&'a PassRecord> {
        let reasons = || self.looks.iter().rev().filter(|l| l.fate.is_reason());
        let own = |l: &&PassRecord| l.partition == self.w.partition && !l.lent;
        let of_own = reasons().find(own);
        // A request for a label goes nowhere else.
        if !self.w.partition.is_default() {
            return of_own;
        }
        of_own.or_else(|| reasons().find(|l| !l.lent)).or_else(|| reasons().next())
    }

    /// Returns its leaf and the leaf's ancestors.
    fn path(&self) -> Vec<QueueId> {
        self.names.path_up(self.app.queue).collect()
    }

    /// Returns whether a node is reserved for each container of the request, so that only these nodes have to become free.
    fn all_held(&self) -> bool {
        let asks = self.app.asks.find(self.w.key).map(|place| self.app.asks.at(place));
        asks.is_some_and(|a| !a.reserved.is_empty() && a.reserved.len() as i64 >= self.w.count)
    }

    fn types(&self) -> usize {
        let cluster = self.names.rm().cluster();
        if cluster.calculator.kind == CalculatorKind::Default { 1 } else { cluster.types.len() }
    }

    fn fits(&self, need: Resource, room: Resource) -> bool {
        (0..self.types()).all(|i| need[i] <= room[i])
    }

    /// Returns the type that decides whether the need fits: one that is too scarce (possibly one that is not needed, if its
    /// amount is negative), else the one with the largest need.
    fn scarcest(&self, need: Resource, room: Resource) -> usize {
        let share = |i: usize| need[i] as f64 / room[i].max(1) as f64;
        let fits = self.fits(need, room);
        let places = (0..self.types()).filter(|i| if fits { need[*i] > 0 } else { need[*i] > room[*i] });
        places.max_by(|a, b| share(*a).total_cmp(&share(*b)).then(b.cmp(a))).unwrap_or(0)
    }

    fn link(&self, link: Link) -> LimitView {
        let types = &self.names.rm().cluster().types;
        let by_share = matches!(link.check, Check::QueueLimit | Check::UserLimit) && self.types() > 1;
        if by_share {
            return self.share_link(link);
        }
        let place = self.scarcest(link.used + link.asked, link.limit);
        let (used, asked, limit) = (link.used[place], link.asked[place], link.limit[place]);
        let (first, second) = match (used, asked) {
            (used, 0) => (used, None),
            (0, asked) if link.check == Check::Headroom => (asked, None),
            (used, asked) => (used, Some(words::bare(asked, place))),
        };
        let sign = if link.passes { link.signs.0 } else { link.signs.1 };
        LimitView {
            check: link.check.row().name.to_string(),
            name: verdicts::heading(link.check).to_string(),
            of: link.of,
            passes: link.passes,
            reached: true,
            text: say::compared(&words::bare(first, place), second.as_deref(), sign, &words::bare(limit, place)),
            used: words::meter(used, place),
            asked: words::meter(asked, place),
            limit: words::meter(limit, place),
            unit: words::unit(place, types),
            formula: Vec::new(),
            properties: Vec::new(),
        }
    }

    /// Returns a link with amounts that the DominantResourceCalculator compares, by the larger of their shares of the cluster.
    fn share_link(&self, link: Link) -> LimitView {
        let total = self.names.rm().cluster().total;
        let shares = |r: Resource| {
            let types = (0..self.types()).filter(|i| total[*i] > 0);
            let mut shares: Vec<f64> = types.map(|i| r[i] as f64 / total[i] as f64).collect();
            shares.sort_unstable_by(|a, b| b.total_cmp(a));
            shares
        };
        // If these are equal, the next shares decide.
        let all: Vec<(f64, f64)> = shares(link.used).into_iter().zip(shares(link.limit)).collect();
        let place = all.iter().position(|(used, limit)| (used - limit).abs() > 1e-9).unwrap_or(0);
        let (used, limit) = all.get(place).copied().unwrap_or_default();
        let equal: Vec<String> = all.iter().take(place).map(|(share, _)| words::percent(*share)).collect();
        let sign = if link.passes { link.signs.0 } else { link.signs.1 };
        let view = self.plain(link.check, link.of, link.passes, String::new());
        LimitView {
            text: say::compared(&words::percent(used), None, sign, &words::percent(limit)),
            used: used * 100.0,
            limit: limit * 100.0,
            unit: "%".to_string(),
            formula: vec![say::dominant_shares(&self.text(link.used), &self.text(link.limit), &equal)],
            ..view
        }
    }

    /// Returns a link without amounts.
    fn plain(&self, check: Check, of: String, passes: bool, text: String) -> LimitView {
        link_in_words(Some(check), of, passes, &text)
    }

    /// Adds the limits that the scheduler would have checked after the one that stopped the request.
    fn add_unreached(&self, out: &mut Chain) {
        let Some(stop) = &out.stop else { return };
        let next = self.next_limit(stop);
        let queue = || self.names.queue(self.app.queue).to_string();
        let user = || say::in_queue(self.names.rm().cluster().user_name(self.app.user), &queue());
        let all: &[Check] = match self.names.rm().scheduler() {
            Scheduler::Capacity(_) => &[Check::QueueLimit, Check::UserLimit, Check::Headroom],
            Scheduler::Fair(_) if self.w.am => &[Check::AmShare, Check::MaxShare],
            Scheduler::Fair(_) => &[Check::MaxShare],
            Scheduler::Fifo(_) => &[],
        };
        let stopped = stop.by.checked().map(|checked| checked.check);
        // A commit comes after everything else.
        let is_last = |check: Check| check == Check::ConstraintErrors || check.row().kind == CheckKind::Refusal;
        if stopped.is_some_and(is_last) {
            return;
        }
        let at = all.iter().position(|check| Some(*check) == stopped);
        let rest = at.map_or(all, |at| all.get(at + 1..).unwrap_or_default());
        let told = |link: &LimitView| LimitView { reached: false, text: say::would_stop(&link.text), ..link.clone() };
        let of_next = next.as_ref().map(|(next, link)| (rest.iter().find(|check| next.by.is(**check)), told(link)));
        if let Some((None, link)) = &of_next {
            out.limits.push(link.clone());
        }
        for check in rest {
            let name = check.row().name;
            match &of_next {
                Some((Some(of), link)) if *of == check => out.limits.push(link.clone()),
                Some(_) | None if out.limits.iter().any(|l| l.check == name && l.passes) => {}
                Some(_) | None => {
                    let of = if *check == Check::UserLimit { user() } else { queue() };
                    let link = self.plain(*check, of, false, say::NOT_REACHED.to_string());
                    out.limits.push(LimitView { reached: false, ..link });
                }
            }
        }
        let of = words::count(self.names.rm().cluster().node_count as i64, "node");
        out.limits.push(LimitView { reached: false, ..link_of_nodes(of, false, say::NOT_REACHED) });
        out.next = next.map(|(stop, _)| stop);
    }
}

/// Returns the last link: the nodes that would take it.
pub(super) fn link_of_nodes(of: String, passes: bool, text: &str) -> LimitView {
    let (name, text) = (say::NODE.to_string(), text.to_string());
    LimitView { name, of, passes, reached: true, text, ..LimitView::default() }
}

/// Returns a link without amounts that was reached; without a check, the request waits for the turn of another.
pub(super) fn link_in_words(check: Option<Check>, of: String, passes: bool, text: &str) -> LimitView {
    let name = verdicts::heading(check.unwrap_or(Check::LeafHeadroom)).to_string();
    let (check, text) = (check.map_or(String::new(), |check| check.row().name.to_string()), text.to_string());
    LimitView { check, name, of, passes, reached: true, text, ..LimitView::default() }
}

/// Returns whether a check says when a request may borrow resources, which is shown with the nodes.
fn about_lending(fate: &PassResult) -> bool {
    let PassResult::Stopped(checked) = fate else { return false };
    matches!(checked.check, Check::NonPartitionedFirst | Check::AmExclusivity)
}
