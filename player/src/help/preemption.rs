//! Candidate changes of preemption: its switches, and how much and how soon it preempts.

use super::knobs::{CandidateChange, CandidateKind, RequestContext};
use crate::explain::preempted::Freeing;
use crate::explain::waits::of_check::BlockingCondition;
use heddle_core::model::QueueId;

const ENABLE: &str = "yarn.resourcemanager.scheduler.monitor.enable";
const POLICIES: &str = "yarn.resourcemanager.scheduler.monitor.policies";
const POLICY: &str =
    "org.apache.hadoop.yarn.server.resourcemanager.monitor.capacity.ProportionalCapacityPreemptionPolicy";
const MONITOR: &str = "yarn.resourcemanager.monitor.capacity.preemption.";

/// The most that a round may preempt, as a part of the cluster.
const PART: &str = "total_preemption_per_round";

fn own(name: &str) -> String {
    format!("{MONITOR}{name}")
}

/// Properties with these values.
fn values(values: Vec<(String, String)>) -> CandidateChange {
    CandidateChange { most: 1, what: CandidateKind::Values(values) }
}

/// Sets the factors that slow down a round to their maximum.
fn all_at_once() -> [(String, String); 2] {
    [own(PART), own("natural_termination_factor")].map(|name| (name, "1".to_string()))
}

/// Returns the list of policies with preemption's at its end.
fn with_policy(now: &str) -> String {
    if now.is_empty() { POLICY.to_string() } else { format!("{now},{POLICY}") }
}

fn one(name: String, value: impl ToString) -> CandidateChange {
    values(vec![(name, value.to_string())])
}

impl RequestContext<'_> {
    /// Returns settings that let preemption free room for the request, or free it sooner, given what it does now. `barred`
    /// are other queues that are protected from preemption.
    pub(super) fn preemption(&self, cause: &Freeing, barred: &[QueueId]) -> Vec<CandidateChange> {
        let mut out = self.by_cause(cause);
        out.extend(barred.iter().filter_map(|q| self.allowed(*q)));
        match cause {
            Freeing::Off
            | Freeing::NotListed
            | Freeing::Watched { .. }
            | Freeing::Disabled { .. }
            | Freeing::DeadZone { .. } => out.extend(self.all_switches()),
            Freeing::NeverRuns { .. }
            | Freeing::NotYet { .. }
            | Freeing::Failed { .. }
            | Freeing::Comes { .. }
            | Freeing::NotCounted
            | Freeing::HasEnough { .. }
            | Freeing::NobodyOver
            | Freeing::RoomThere { .. }
            | Freeing::HiddenSurplus(_)
            | Freeing::TakenNothing
            | Freeing::LargerThanCap { .. }
            | Freeing::CutToNothing { .. }
            | Freeing::LeftAlone { .. }
            | Freeing::Done { .. }
            | Freeing::Reserved { .. } => {}
        }
        out
    }

    /// Returns all switches that keep preemption from freeing anything, if there are several, since one alone changes nothing
    /// then; and these together with the factors that slow down rounds.
    fn all_switches(&self) -> Vec<CandidateChange> {
        let mut switches = self.switched_on();
        if self.site(&own("observe_only")) == Some("true") {
            switches.push((own("observe_only"), "false".to_string()));
        }
        for queue in self.names.rm().queues().iter().filter(|q| q.conf.preemption_disabled && q.is_leaf()) {
            switches.extend(self.protected_by(queue.id).map(|name| (name, "false".to_string())));
        }
        switches.dedup();
        if switches.len() < 2 {
            return Vec::new();
        }
        let both = switches.iter().cloned().chain(all_at_once()).collect();
        vec![values(switches), values(both)]
    }

    /// Returns what must be set to enable preemption rounds; empty if they are enabled.
    fn switched_on(&self) -> Vec<(String, String)> {
        let mut out = Vec::new();
        if self.site(ENABLE) != Some("true") {
            out.push((ENABLE.to_string(), "true".to_string()));
        }
        if self.names.rm().preemption_monitor().is_none()
            && let Some(now) = self.site(POLICIES).filter(|now| !now.contains(POLICY))
        {
            out.push((POLICIES.to_string(), with_policy(now)));
        }
        out
    }

    /// Returns preemption within its queue, from applications of lower priority or of users over their limit, if there are
    /// any. Adds the order by priority, and the threshold for queues less than half full, if the switch alone is not enough.
    pub(super) fn within_its_leaf(&self) -> Vec<CandidateChange> {
        let rm = self.names.rm();
        let (Some(app), Some(queue)) = (rm.scheduled(self.w.app), rm.queues().get(self.leaf().index())) else {
            return Vec::new();
        };
        let active = queue.leaf.as_deref().map_or(&[][..], |leaf| leaf.active.as_slice());
        let others = || active.iter().filter(|id| **id != app.id).filter_map(|id| rm.scheduled(*id));
        let lower = others().any(|other| other.priority < app.priority && !other.used_total().is_zero());
        let of_others = others().any(|other| other.user != app.user && !other.used_total().is_zero());
        if rm.capacity().is_none() || !lower && !of_others {
            return Vec::new();
        }
        let mut on = self.switched_on();
        let intra = own("intra-queue-preemption.enabled");
        if self.site(&intra) != Some("true") {
            on.push((intra, "true".to_string()));
        }
        let disabled = format!("{}.intra-queue-preemption.disable_preemption", queue.path);
        if self.value(&disabled) == Some("true") {
            on.push((disabled, "false".to_string()));
        }
        let by_priority = (own("intra-queue-preemption.preemption-order-policy"), "priority_first".to_string());
        let least = (own("intra-queue-preemption.minimum-threshold"), "0".to_string());
        let mut out = Vec::new();
        let mut add = |more: &[(String, String)]| {
            let all: Vec<(String, String)> = on.iter().chain(more).cloned().collect();
            if !all.is_empty() {
                out.push(values(all));
            }
        };
        add(&[]);
        let ordered = lower && self.site(&by_priority.0) != Some("priority_first");
        if ordered {
            add(std::slice::from_ref(&by_priority));
        }
        let part = queue.part(self.w.partition);
        // How full the queue must be; half by default.
        let conf = rm.preemption_monitor().map(|monitor| monitor.conf());
        let threshold = conf.map_or(0.5, |conf| f64::from(conf.intra_minimum_threshold));
        if (part.used.memory_mb() as f64) < threshold * part.shares.effective_min.memory_mb() as f64 {
            let order = ordered.then_some(by_priority);
            if on.is_empty() && order.is_none() {
                // With all else enabled, the largest threshold that is enough.
                out.extend(self.within_its_queue());
            } else {
                add(&order.into_iter().chain([least]).collect::<Vec<_>>());
            }
        }
        // What the user limit guarantees to others is not preempted; a lower limit guarantees less.
        if on.is_empty() && of_others {
            out.extend(self.lower_user_limit());
        }
        out
    }

    /// Lowers the user limit, down to the smallest part that any of its users has.
    fn lower_user_limit(&self) -> Option<CandidateChange> {
        let queue = self.names.rm().queues().get(self.leaf().index())?;
        let now = f64::from(queue.conf.user_limit_percent).round() as i64;
        let users = queue.leaf.as_deref()?.users.all().len() as i64;
        let least = 100 / users.max(1);
        let property = format!("{}.minimum-user-limit-percent", queue.path);
        (now > least).then(|| CandidateChange {
            most: now - least,
            what: CandidateKind::Number { property, start: now, sign: -1, digits: 0 },
        })
    }

    fn by_cause(&self, cause: &Freeing) -> Vec<CandidateChange> {
        let on = (ENABLE.to_string(), "true".to_string());
        match cause {
            Freeing::Off => {
                let both = std::iter::once(on.clone()).chain(all_at_once()).collect();
                vec![values(vec![on]), values(both)]
            }
            Freeing::NotListed => {
                vec![one(POLICIES.to_string(), with_policy(self.site(POLICIES).unwrap_or_default()))]
            }
            Freeing::NeverRuns { .. } => vec![one(own("monitoring_interval"), 3000)],
            Freeing::Watched { .. } => vec![one(own("observe_only"), false)],
            Freeing::Disabled { queues } => queues.iter().filter_map(|q| self.allowed(*q)).collect(),
            Freeing::DeadZone { .. } => vec![one(own("max_ignored_over_capacity"), 0)],
            Freeing::RoomThere { .. } | Freeing::Reserved { makes_room: false, .. } => {
                vec![one(own("select_based_on_reserved_containers"), true)]
            }
            Freeing::HasEnough { .. } => {
                let balance = own("preemption-to-balance-queue-after-satisfied");
                let wait = (format!("{balance}.max-wait-before-kill"), "15000".to_string());
                let mut out = self.within_its_queue();
                out.push(values(vec![(format!("{balance}.enabled"), "true".to_string()), wait]));
                out
            }
            // The limit of a round is what stops it.
            Freeing::LargerThanCap { .. } | Freeing::CutToNothing { .. } => {
                let mut out = self.sooner();
                let is_part = |knob: &CandidateChange| matches!(&knob.what, CandidateKind::Number { property, .. } if *property == own(PART));
                out.sort_by_key(|knob| !is_part(knob));
                out.push(values(all_at_once().to_vec()));
                out
            }
            Freeing::Comes { .. }
            | Freeing::TakenNothing
            | Freeing::LeftAlone { .. }
            | Freeing::Done { .. }
            | Freeing::Reserved { .. } => self.sooner(),
            // Its user is at the limit, so nothing counts as demand.
            Freeing::NotCounted => self.settings(BlockingCondition::UserLimit),
            Freeing::NotYet { .. } | Freeing::Failed { .. } | Freeing::NobodyOver | Freeing::HiddenSurplus(_) => {
                Vec::new()
            }
        }
    }

    /// Preempts what other applications of its queue have over their share: the switch, and how full the queue must be.
    fn within_its_queue(&self) -> Vec<CandidateChange> {
        let Some(conf) = self.names.rm().preemption_monitor().map(|m| m.conf()) else { return Vec::new() };
        let (on, least) = (own("intra-queue-preemption.enabled"), own("intra-queue-preemption.minimum-threshold"));
        let percent = (f64::from(conf.intra_minimum_threshold) * 100.0).round() as i64;
        let threshold = || CandidateKind::Number { property: least.clone(), start: percent, sign: -1, digits: 2 };
        if conf.intra_queue {
            let all = self.all_allowable();
            return all
                .into_iter()
                .chain((percent > 0).then(|| CandidateChange { most: percent, what: threshold() }))
                .collect();
        }
        let on = (on, "true".to_string());
        vec![values(vec![on.clone()]), values(vec![on, (least, "0".to_string())])]
    }

    /// Allows a round to preempt the queue's whole guarantee for others of the queue.
    fn all_allowable(&self) -> Option<CandidateChange> {
        let conf = self.names.rm().preemption_monitor().map(|m| m.conf())?;
        let all = own("intra-queue-preemption.max-allowable-limit");
        (conf.intra_max_allowable_limit < 1.0).then(|| one(all, "1.0"))
    }

    /// Returns whether the latest round preempted applications of its own queue.
    fn is_within_its_queue(&self) -> bool {
        let leaf = self.leaf();
        self.names.sim.latest_preemption().is_some_and(|round| round.intra.iter().any(|intra| intra.queue == leaf))
    }

    /// Preempts more in each round, and each container sooner.
    fn sooner(&self) -> Vec<CandidateChange> {
        let Some(conf) = self.names.rm().preemption_monitor().map(|m| m.conf()) else { return Vec::new() };
        let part = |name: &str, now: f64| {
            let percent = (now * 100.0).round() as i64;
            let what = CandidateKind::Number { property: own(name), start: percent, sign: 1, digits: 2 };
            (percent < 100).then_some(CandidateChange { most: 100 - percent, what })
        };
        let mut out: Vec<CandidateChange> = Vec::new();
        out.extend(part("natural_termination_factor", conf.natural_termination_factor));
        out.extend(part(PART, f64::from(conf.total_preemption_per_round)));
        // A container is marked in one round and killed in the next.
        let soon = conf.monitoring_interval_ms;
        if conf.max_wait_before_kill_ms > soon {
            out.push(one(own("max_wait_before_kill"), soon));
        }
        if self.is_within_its_queue() {
            out.extend(self.all_allowable());
        }
        if !conf.select_reserved {
            out.push(one(own("select_based_on_reserved_containers"), true));
        }
        out
    }

    /// Allows preemption from the queue, at the queue itself or the one above it that forbids it.
    fn allowed(&self, queue: QueueId) -> Option<CandidateChange> {
        self.protected_by(queue).map(|name| one(name, false))
    }

    /// Returns the property that protects a queue: its own, or that of the nearest queue above it.
    fn protected_by(&self, queue: QueueId) -> Option<String> {
        let names = self.names.path_up(queue).map(|q| format!("{}.disable_preemption", self.names.queue(q)));
        { names }.find(|name| self.value(name) == Some("true"))
    }

    /// Returns a property of yarn-site.xml.
    fn site(&self, name: &str) -> Option<&str> {
        self.names.scenario().settings.yarn_site.get(name).map(|v| v.trim())
    }
}
