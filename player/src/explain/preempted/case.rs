//! A preemption round as far as it concerns one leaf in one partition, and the conditions that all preemption answers share.

use super::waiting::Freeing;
use crate::explain::formulas;
use crate::explain::marks;
use crate::explain::names::Names;
use crate::explain::say::ledger as say_ledger;
use crate::explain::say::preemption as say;
use crate::explain::say::preemption::name;
use crate::explain::view::{ConditionView, FreeingView, Met};
use crate::explain::waits::of_check::keys;
use crate::explain::words;
use heddle_core::check::Check;
use heddle_core::model::{CalculatorKind, ContainerId, Millis, PartitionId, QueueId, Resource, Selector};
use heddle_core::preemption::{
    Chosen, Failure, IdealPass, Monitor, PreemptionAction, PreemptionStep, QueueIdeal, Round,
};
use heddle_core::scheduler::{Container, ContainerState};
use heddle_core::sim;

/// The number of applications whose counted demand is shown.
const NAMED: usize = 4;

/// A leaf in a partition, with the round that is explained.
#[derive(Clone, Copy)]
pub(super) struct ExplainedLeaf<'a> {
    pub names: Names<'a>,
    pub leaf: QueueId,
    pub p: PartitionId,
    pub monitor: Option<&'a Monitor>,
    pub round: Option<&'a Round>,
}

impl<'a> ExplainedLeaf<'a> {
    /// The case with the latest round.
    pub fn now(names: Names<'a>, leaf: QueueId, p: PartitionId) -> Self {
        let round = names.sim.latest_preemption().map(|r| &**r);
        ExplainedLeaf { names, leaf, p, monitor: names.rm().preemption_monitor(), round }
    }

    pub fn text(&self, r: Resource) -> String {
        let cluster = self.names.rm().cluster();
        words::counted(r, cluster.calculator, &cluster.types)
    }

    pub fn above(&self, a: Resource, b: Resource) -> bool {
        self.names.rm().cluster().calculator.gt(&self.names.rm().partition_total(self.p), &a, &b)
    }

    pub fn positive(&self, r: Resource) -> bool {
        self.above(r, Resource::ZERO)
    }

    /// Returns a queue's usage, with the part that is only reserved.
    pub fn used(&self, line: &QueueIdeal) -> String {
        let used = self.text(line.used);
        if line.reserved.is_zero() { used } else { say::used_and_reserved(&used, &self.amounts(line.reserved)) }
    }

    /// Returns one unit of the last resource type that is above zero: "1 gpu".
    pub fn unit_of(&self, r: Resource) -> String {
        let types = &self.names.rm().cluster().types;
        let last = (0..types.len()).rev().find(|i| r[*i] > 0).unwrap_or(0);
        let mut one = Resource::ZERO;
        one[last] = 1;
        words::one(one, last, types)
    }

    /// Returns an amount with only the types above zero: "2 gpu".
    pub fn amounts(&self, r: Resource) -> String {
        let cluster = self.names.rm().cluster();
        let kinds = if cluster.calculator.kind == CalculatorKind::Default { 1 } else { cluster.types.len() };
        let some: Vec<String> = (0..kinds).filter(|i| r[*i] > 0).map(|i| words::one(r, i, &cluster.types)).collect();
        if some.is_empty() { self.text(r) } else { some.join(" · ") }
    }

    /// Returns whether a queue uses less than its ideal assignment and has pending requests.
    pub fn is_owed(&self, line: &QueueIdeal) -> bool {
        self.above(line.ideal, line.used) && self.positive(line.pending)
    }

    /// Returns a queue's usage beyond what it keeps, if its budget for the round is smaller than that.
    pub fn beyond(&self, line: &QueueIdeal) -> Option<String> {
        let beyond = (line.used - line.keep).component_max(Resource::ZERO);
        (self.positive(line.owed) && self.above(beyond, line.owed)).then(|| self.text(beyond))
    }

    /// Returns the partition's leaves in a pass.
    pub fn leaves(&self, pass: &'a IdealPass) -> impl Iterator<Item = &'a QueueIdeal> + use<'a> {
        let p = self.p;
        pass.lines.iter().filter(move |l| l.leaf && l.partition == p)
    }

    pub fn line(&self, pass: &'a IdealPass, queue: QueueId) -> Option<&'a QueueIdeal> {
        pass.lines.iter().find(|l| l.queue == queue && l.partition == self.p)
    }

    /// Returns the demand of the leaf's applications, and how much of it a pass counted.
    pub fn counted(&self, pass: &IdealPass) -> Vec<String> {
        let which = usize::from(!pass.counts_reserved);
        let wants = self.round.into_iter().flat_map(|r| &r.wants);
        let mine = wants.filter(|w| (w.queue, w.partition) == (self.leaf, self.p)).take(NAMED);
        let told = mine.map(|w| {
            let user = self.names.rm().cluster().user_name(w.user);
            let [wanted, left, counted] = [w.wanted, w.left, w.counted].map(|r| self.text(r[which]));
            say_ledger::wants(self.names.app(w.app), &wanted, user, &left, &counted)
        });
        std::iter::once(say::PENDING_IS.to_string()).chain(told).collect()
    }

    /// Returns the ideal assignments by which queues take from each other.
    pub fn passes(&self) -> impl Iterator<Item = &'a IdealPass> + use<'a> {
        let between = |s: Selector| matches!(s, Selector::Fifo | Selector::Balance);
        self.round.into_iter().flat_map(|r| &r.passes).filter(move |pass| between(pass.selector))
    }

    /// Returns the other leaves that are owed resources.
    pub fn owed_others(&self, pass: &'a IdealPass) -> Vec<&'a QueueIdeal> {
        self.leaves(pass).filter(|l| l.queue != self.leaf && self.is_owed(l)).collect()
    }

    pub fn queue(&self, queue: QueueId) -> &'a str {
        self.names.queue(queue)
    }

    /// Returns a condition with the properties that set it: values, and where they are written.
    pub fn condition(&self, check: Check, met: Met, value: String) -> ConditionView {
        let properties = formulas::of_scheduler(self.names, keys(check));
        ConditionView { properties, ..condition(check, met, value) }
    }

    /// Returns the live containers that the latest round marks, with how it chose them.
    pub fn marks(&self) -> Vec<(&'a Container, &'a PreemptionAction, Option<&'a Chosen>)> {
        let Some(round) = self.round else { return Vec::new() };
        let waits = round.acts.iter().filter(|a| !matches!(a.deed, PreemptionStep::Kill | PreemptionStep::Void));
        let live = |id: ContainerId| {
            self.names
                .rm()
                .container(id)
                .filter(|c| !matches!(c.state, ContainerState::Reserved | ContainerState::Over))
        };
        let chosen = |id: ContainerId| round.chosen.iter().find(|c| c.container == id);
        let mut out: Vec<_> = waits.filter_map(|a| Some((live(a.container)?, a, chosen(a.container)))).collect();
        heddle_core::model::order::sort_by_key(&mut out, |(_, a, _)| (a.killed_at.is_none(), a.killed_at, a.container));
        out
    }

    /// Returns the row of a container that is to end.
    pub fn freeing(&self, c: &Container, act: Option<&PreemptionAction>) -> FreeingView {
        let killed = act.and_then(|a| a.killed_at);
        let text = match act {
            None => say::KILLABLE.to_string(),
            Some(a) => say::marked_until(&words::clock(a.since), &marks::ends(self.names, c.id, killed)),
        };
        FreeingView {
            who: self.names.container(c.id),
            name: self.names.container_name(c.id),
            node: self.names.node(c.node).to_string(),
            size: words::size(c.size, &self.names.rm().cluster().types),
            killed_ms: killed,
            killable: act.is_none(),
            text,
        }
    }

    /// Returns the conditions that come before any queue (the monitor, its policy, its rounds), and the first of them that
    /// blocks all preemption, if any. `since`: only a round after it counts.
    pub fn switches(&self, since: Millis) -> (Vec<ConditionView>, Option<Freeing>) {
        let conf = self.names.rm().capacity().map(|s| s.conf());
        let on = conf.is_some_and(|c| c.monitors.on);
        let mut out = Vec::new();
        let mut stop = None;
        let mut add = |met: Met, value: String, why: Freeing| {
            let Some(check) = why.check() else { return };
            if stop.is_some() {
                return out.push(unreached(check));
            }
            out.push(self.condition(check, met, value));
            if met == Met::No {
                stop = Some(why);
            }
        };
        let yes = |holds: bool| if holds { Met::Yes } else { Met::No };
        add(yes(on), say::yes_no(on), Freeing::Off);
        let listed = self.monitor.is_some();
        add(yes(listed), say::yes_no(listed), Freeing::NotListed);
        let interval = self.monitor.map_or(0, |m| m.conf().monitoring_interval_ms);
        let planned = self.names.sim.planned_round(sim::Monitor::Preemption);
        match self.round {
            _ if interval <= 0 => {
                add(Met::No, say::no_rounds(interval), Freeing::NeverRuns { interval });
            }
            Some(round) if round.at >= since => {
                let failed = round.failed.clone();
                let value = match &failed {
                    Some(failure) => say::round_failed(&words::clock(round.at), &self.failure(failure)),
                    // An older round is described in the past tense.
                    None if !self.is_latest() => say::round_then(&words::clock(round.at)),
                    None => say::rounds(
                        &words::clock(round.at),
                        planned.map(words::clock).as_deref(),
                        &words::span(interval),
                    ),
                };
                let why = failed
                    .map_or(Freeing::NotYet { next: planned }, |failure| Freeing::Failed { at: round.at, failure });
                add(yes(round.failed.is_none()), value, why);
            }
            _ => {
                let next = planned.or_else(|| self.monitor.and_then(|m| m.wake_from(self.names.now.saturating_add(1))));
                let value = say::no_round_yet(next.map(words::clock).as_deref());
                add(Met::No, value, Freeing::NotYet { next });
            }
        }
        let observes = self.round.is_some_and(|r| r.conf.observe_only);
        let chosen = self.round.map_or(0, |r| r.chosen.len());
        let value = if observes { say::observes(chosen as i64) } else { say::yes_no(false) };
        add(Met::Yes, value, Freeing::Watched { chosen });
        // The round is worked out in full although nothing is taken, so the later conditions are shown too.
        if let Some(last) = out.last_mut().filter(|last| observes && last.met == Met::Yes) {
            last.met = Met::No;
        }
        (out, stop)
    }

    /// Returns a note on settings that came into force after the latest round; empty if there are none or the round is older.
    pub fn not_read_yet(&self) -> String {
        if self.round.is_none() || !self.is_latest() || !self.monitor.is_some_and(|m| m.is_stale()) {
            return String::new();
        }
        let next = self.names.sim.planned_round(sim::Monitor::Preemption);
        say::not_read_yet(next.map(words::clock).as_deref())
    }

    /// Returns whether the case's round is the latest.
    fn is_latest(&self) -> bool {
        let latest = self.names.sim.latest_preemption().map(|r| r.at);
        self.round.is_none_or(|r| Some(r.at) == latest)
    }

    /// Returns why a round ended with an error, as a clause.
    pub fn failure(&self, failure: &Failure) -> String {
        match failure {
            Failure::Settings(words) => say::settings_unreadable(words),
            Failure::PartitionDone(queue) => say::partition_done(self.queue(*queue)),
            Failure::UnknownQueue(id) => say::unknown_queue(&self.names.container_name(*id)),
        }
    }

    /// Returns the property that forbids preemption from a queue: its own, or that of its nearest ancestor that has one.
    pub fn disabled_by(&self, queue: QueueId) -> Vec<String> {
        let set = |q: QueueId| {
            let name = format!("yarn.scheduler.capacity.{}.disable_preemption", self.queue(q));
            formulas::of_scheduler_if_set(self.names, &name)
        };
        self.names.path_up(queue).find_map(set).into_iter().collect()
    }
}

/// Returns the condition of a check. Callers add the properties that set it.
pub(super) fn condition(check: Check, met: Met, value: String) -> ConditionView {
    let (name, formula, properties) = (name(check).to_string(), Vec::new(), Vec::new());
    ConditionView { check: check.row().name.to_string(), name, met, value, formula, properties }
}

/// Returns a condition that was not reached because an earlier one blocks.
pub(super) fn unreached(check: Check) -> ConditionView {
    condition(check, Met::Unreached, String::new())
}
