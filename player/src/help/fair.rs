//! Candidate changes of the FairScheduler's settings: elements of fair-scheduler.xml at the queue that decides, properties of
//! yarn-site.xml, and preemption's switches, clocks and thresholds.

use super::knobs::{CandidateChange, CandidateKind, RequestContext};
use super::settings::decimal;
use crate::explain::preempted::fair::FairFreeingCause;
use crate::explain::waits::of_check::BlockingCondition;
use heddle_core::config::fair::{Amount, Policy};
use heddle_core::model::{Millis, QueueId, Resource};
use heddle_core::scheduler::fair::FairScheduler;

const SITE: &str = "yarn.scheduler.fair.";
/// A weight is tried up to this multiple of its value.
const WEIGHT_MOST: i64 = 10;
/// The most other leaves whose minimum shares are tried.
const OTHERS: usize = 2;
/// The default time between updates.
const UPDATE_MS: Millis = 500;

/// Properties of yarn-site.xml, by their names after the prefix.
fn site(name: &str, value: &str) -> CandidateKind {
    CandidateKind::Values(vec![(format!("{SITE}{name}"), value.to_string())])
}

fn one(what: CandidateKind) -> CandidateChange {
    CandidateChange { most: 1, what }
}

impl RequestContext<'_> {
    /// Returns candidate settings against a blocking condition, the likeliest first.
    pub(super) fn fair(&self, hold: BlockingCondition) -> Vec<CandidateChange> {
        let Some(s) = self.names.rm().fair() else { return Vec::new() };
        let leaf = self.leaf();
        let knobs = match hold {
            BlockingCondition::Parallel(queue) => {
                let named = s.allocations().queues.contains_key(&s.queue(queue).path);
                let (path, element) = if named {
                    (s.queue(queue).path.clone(), "maxRunningApps")
                } else {
                    (String::new(), "queueMaxAppsDefault")
                };
                vec![self.fair_apps(path, element, s.queue(queue).max_apps)]
            }
            BlockingCondition::ParallelOfUser => {
                let user = self.user();
                vec![match s.allocations().user_max_apps.get(user) {
                    Some(most) => self.fair_apps(format!("user {user}"), "maxRunningApps", *most),
                    None => self.fair_apps(String::new(), "userMaxAppsDefault", s.allocations().user_max_apps_default),
                }]
            }
            BlockingCondition::AmShare => {
                let now = (decimal(s.queue(leaf).max_am_share) * 100.0).round() as i64;
                let share = s.queue(leaf).fair_share;
                // If the limit counts the free amount of a type, no share of it may be enough.
                let of_free = (0..self.names.rm().cluster().types.len()).any(|i| share[i] == 0 && self.w.size[i] > 0);
                let off = of_free.then(|| one(self.element(leaf, "maxAMShare", "-1.0")));
                vec![
                    self.fair_number(leaf, "maxAMShare", now, 2, 100 - now),
                    off,
                    self.fair_weight(s),
                    self.fair_least(s),
                ]
            }
            BlockingCondition::MaxShare(queue) | BlockingCondition::QueueMax(queue) => {
                vec![self.fair_most(s, queue), self.fair_fewer_masters(s, leaf), self.fair_in_turn(s)]
            }
            BlockingCondition::Behind(_) => vec![self.fair_most(s, leaf), self.fair_in_turn(s)],
            BlockingCondition::Demand if s.conf().update_interval_ms > UPDATE_MS => {
                vec![Some(one(site("update-interval-ms", &UPDATE_MS.to_string())))]
            }
            BlockingCondition::Room => {
                let own = vec![self.fair_weight(s), self.fair_least(s), self.fair_in_turn(s)];
                [own, self.less_for_others(s)].concat()
            }
            BlockingCondition::Delay => self.fair_delays(s),
            BlockingCondition::Demand
            | BlockingCondition::AmLimit
            | BlockingCondition::UserAmLimit
            | BlockingCondition::Label
            | BlockingCondition::UserLimit
            | BlockingCondition::LeftByParent(_)
            | BlockingCondition::Headroom
            | BlockingCondition::EnoughHeld
            | BlockingCondition::NoRelax
            | BlockingCondition::Blacklist
            | BlockingCondition::Constraint => Vec::new(),
        };
        knobs.into_iter().flatten().collect()
    }

    /// Raises a limit of running applications, up to all of the scenario.
    fn fair_apps(&self, path: String, element: &'static str, start: i32) -> Option<CandidateChange> {
        let most = self.names.scenario().apps.len() as i64;
        (most > 0).then(|| CandidateChange {
            most,
            what: CandidateKind::Fair { path, element, start: i64::from(start), digits: 0 },
        })
    }

    fn fair_number(
        &self,
        queue: QueueId,
        element: &'static str,
        start: i64,
        digits: u32,
        most: i64,
    ) -> Option<CandidateChange> {
        let (path, element) = self.place_of(queue, element);
        (most > 0).then_some(CandidateChange { most, what: CandidateKind::Fair { path, element, start, digits } })
    }

    /// Raises a weight, at the highest queue above it that has siblings.
    fn fair_weight(&self, s: &FairScheduler) -> Option<CandidateChange> {
        let beside = |q: QueueId| s.queue(q).parent.is_some_and(|p| s.queue(p).children.len() > 1);
        let queue = s.path_up(self.leaf()).filter(|q| beside(*q)).last()?;
        let now = decimal(s.queue(queue).weight).floor().max(0.0) as i64;
        self.fair_number(queue, "weight", now, 0, now.max(1) * WEIGHT_MOST)
    }

    /// Serves the applications of its leaf in turn, if they are served one after the other.
    fn fair_in_turn(&self, s: &FairScheduler) -> Option<CandidateChange> {
        let leaf = self.leaf();
        let others = s.queue(leaf).runnable.iter().any(|app| *app != self.w.app);
        (others && s.queue(leaf).policy == Policy::Fifo).then(|| one(self.element(leaf, "schedulingPolicy", "fair")))
    }

    /// Orders by dominant share, if only memory counts and memory is not lacking.
    fn fair_by_dominant_share(&self, s: &FairScheduler) -> Option<CandidateKind> {
        let free = self.names.rm().cluster().free_in(self.w.partition);
        let memory = free.memory_mb() < self.w.size.memory_mb();
        let of_memory = s.living().all(|queue| queue.policy != Policy::Drf);
        let named = s.allocations().queues.values().any(|queue| queue.policy.is_some());
        let (path, element, value) = (String::new(), "defaultQueueSchedulingPolicy", "drf".to_string());
        (of_memory && !memory && !named).then_some(CandidateKind::FairValue { path, element, value })
    }

    /// Raises a minimum share: a queue below it is asked before those that have theirs.
    fn fair_least(&self, s: &FairScheduler) -> Option<CandidateChange> {
        let (leaf, total) = (self.leaf(), self.names.rm().cluster().total);
        let beside = s.queue(leaf).parent.is_some_and(|p| s.queue(p).children.len() > 1);
        let mut to = s.maximum_of(self.names.rm().cluster(), leaf).component_min(total);
        // If only memory is divided, vcores stay as they are.
        if s.queue(leaf).parent.is_some_and(|p| s.queue(p).policy != Policy::Drf) {
            to[1] = s.queue(leaf).minimum.vcores();
        }
        if beside { self.fair_amounts(leaf, "minResources", s.queue(leaf).minimum, to) } else { None }
    }

    /// Lowers the minimum shares of other leaves, because a leaf below its minimum share is asked first.
    fn less_for_others(&self, s: &FairScheduler) -> Vec<Option<CandidateChange>> {
        let leaf = self.leaf();
        let step = self.names.rm().cluster().minimum.memory_mb().max(1);
        let one = |q: &heddle_core::scheduler::fair::FairQueue| {
            let from = q.minimum;
            let to = Resource::new(0, from.vcores());
            let most = from.memory_mb().div_euclid(step);
            let path = q.path.clone();
            let what = CandidateKind::FairAmount { path, element: "minResources", from, to, step: -step };
            (most > 0).then_some(CandidateChange { most, what })
        };
        s.living().filter(|q| q.leaf && q.id != leaf && !q.minimum.is_zero()).take(OTHERS).map(one).collect()
    }

    /// Removes the delay until another node of the rack is used, until another rack is, or both; the second counts from the
    /// end of the first.
    fn fair_delays(&self, s: &FairScheduler) -> Vec<Option<CandidateChange>> {
        let conf = s.conf();
        let zero = |name: &str| (format!("{SITE}{name}"), "0".to_string());
        let (names, delayed) = if conf.continuous {
            (["locality-delay-node-ms", "locality-delay-rack-ms"], [conf.node_delay_ms > 0, conf.rack_delay_ms > 0])
        } else {
            let thresholds = [conf.node_threshold > 0.0, conf.rack_threshold > 0.0];
            (["locality.threshold.node", "locality.threshold.rack"], thresholds)
        };
        let [node, rack] = [0, 1].map(|i| delayed[i].then(|| one(CandidateKind::Values(vec![zero(names[i])]))));
        let both = (delayed == [true; 2]).then(|| one(CandidateKind::Values(names.map(zero).to_vec())));
        vec![node, rack, both]
    }

    /// Raises a queue's maximum that is written in amounts.
    fn fair_most(&self, s: &FairScheduler, queue: QueueId) -> Option<CandidateChange> {
        let from = match s.queue(queue).maximum {
            Amount::Absolute(from) => from,
            Amount::Share(shares) => return self.fair_shares(s, queue, &shares),
        };
        let total = self.names.rm().cluster().total;
        // Raises only the types that stop it.
        let used = s.queue(queue).used;
        let is_short = |i: usize| used[i].saturating_add(self.w.size[i].saturating_mul(self.w.count)) > from[i];
        let most = |i: usize, raised: bool| if raised { total[i].max(from[i]) } else { from[i] };
        let to = Resource::new(most(0, is_short(0) || !is_short(1)), most(1, is_short(1)));
        if s.allocations().queues.contains_key(&s.queue(queue).path) {
            return self.fair_amounts(queue, "maxResources", from, to);
        }
        match s.maximum_from(queue) {
            (element, Some(of)) => self.fair_amounts(of, element, from, to),
            (element, None) => self.fair_amount(String::new(), element, from, to),
        }
    }

    /// Sets a queue's maximum that is written in shares to the whole cluster, for the types that stop it.
    fn fair_shares(&self, s: &FairScheduler, queue: QueueId, shares: &[f64]) -> Option<CandidateChange> {
        let cluster = self.names.rm().cluster();
        let (types, used) = (cluster.types.len(), s.queue(queue).used);
        let is_short = |i: usize| (used[i] + self.w.size[i]) as f64 > shares[i] * cluster.total[i] as f64;
        let text = |i: usize| {
            let share =
                if self.w.size[i] > 0 && is_short(i) { 100.0 } else { (shares[i] * 100_000.0).round() / 1_000.0 };
            format!("{}={share}%", cluster.types.names()[i])
        };
        let short = (0..types).any(|i| self.w.size[i] > 0 && is_short(i) && shares[i] < 1.0);
        let named = s.allocations().queues.contains_key(&s.queue(queue).path);
        let value = (0..types).map(text).collect::<Vec<_>>().join(", ");
        (short && named).then(|| one(self.element(queue, "maxResources", &value)))
    }

    /// Changes an amount from its present value to `to`, in steps of memory.
    fn fair_amounts(
        &self,
        queue: QueueId,
        element: &'static str,
        from: Resource,
        to: Resource,
    ) -> Option<CandidateChange> {
        self.fair_amount(self.names.rm().queue_path(queue).to_string(), element, from, to)
    }

    /// Like [`Self::fair_amounts`], for the element at a path (`edit::set_allocation`).
    fn fair_amount(
        &self,
        path: String,
        element: &'static str,
        from: Resource,
        to: Resource,
    ) -> Option<CandidateChange> {
        let minimum = self.names.rm().cluster().minimum.memory_mb().max(1);
        let step = if to.memory_mb() > from.memory_mb() { minimum } else { 0 };
        let most = (to.memory_mb() - from.memory_mb()).div_euclid(minimum).max(i64::from(to.vcores() > from.vcores()));
        (most > 0)
            .then_some(CandidateChange { most, what: CandidateKind::FairAmount { path, element, from, to, step } })
    }

    // ---- preemption

    /// Returns where a queue's element is set; a queue that the file does not name has the default of all.
    fn place_of(&self, queue: QueueId, element: &'static str) -> (String, &'static str) {
        const DEFAULTS: [(&str, &str); 4] = [
            ("maxAMShare", "queueMaxAMShareDefault"),
            ("fairSharePreemptionTimeout", "defaultFairSharePreemptionTimeout"),
            ("fairSharePreemptionThreshold", "defaultFairSharePreemptionThreshold"),
            ("minSharePreemptionTimeout", "defaultMinSharePreemptionTimeout"),
        ];
        let path = self.names.rm().queue_path(queue).to_string();
        let named = self.names.rm().fair().is_some_and(|s| s.allocations().queues.contains_key(&path));
        let default = DEFAULTS.iter().find(|(own, _)| !named && *own == element);
        default.map_or((path, element), |(_, default)| (String::new(), *default))
    }

    /// Limits AMs to half of their queue, if they may use more.
    fn fair_fewer_masters(&self, s: &FairScheduler, leaf: QueueId) -> Option<CandidateChange> {
        let unlimited = s.queue(leaf).max_am_share < 0.0 || s.queue(leaf).max_am_share > 0.5;
        (unlimited && !self.w.am).then(|| one(self.element(leaf, "maxAMShare", "0.5")))
    }

    fn element(&self, queue: QueueId, element: &'static str, value: &str) -> CandidateKind {
        let (path, element) = self.place_of(queue, element);
        CandidateKind::FairValue { path, element, value: value.to_string() }
    }

    /// Allows preemption from each protected queue.
    fn unprotected(&self, s: &FairScheduler) -> Vec<CandidateChange> {
        let protected = s.living().filter(|q| q.protected == Some(q.id));
        protected.map(|q| one(self.element(q.id, "allowPreemptionFrom", "true"))).collect()
    }

    /// Returns settings that let preemption free room for the request, or free it sooner, given what it does now.
    pub(super) fn fair_preemption(&self, cause: &FairFreeingCause) -> Vec<CandidateChange> {
        let Some(s) = self.names.rm().fair() else { return Vec::new() };
        let (leaf, conf) = (self.leaf(), &s.conf().preemption);
        let patience = s.queue(leaf).patience;
        let timeout = || self.element(leaf, "fairSharePreemptionTimeout", "1");
        let threshold = || self.element(leaf, "fairSharePreemptionThreshold", "1");
        match cause {
            FairFreeingCause::Off => {
                let on = || site("preemption", "true");
                let of_minimum = || self.element(leaf, "minSharePreemptionTimeout", "1");
                let mut out = vec![one(on()), one(CandidateKind::Each(vec![on(), timeout()]))];
                if !s.queue(leaf).minimum.is_zero() {
                    out.insert(1, one(CandidateKind::Each(vec![on(), of_minimum()])));
                }
                out.extend(
                    self.fair_by_dominant_share(s).map(|drf| one(CandidateKind::Each(vec![on(), timeout(), drf]))),
                );
                out.push(one(CandidateKind::Each(vec![on(), timeout(), threshold()])));
                out
            }
            FairFreeingCause::Idle => {
                let percent = (decimal(conf.utilization_threshold) * 100.0).round() as i64;
                let property = format!("{SITE}preemption.cluster-utilization-threshold");
                let what = CandidateKind::Number { property, start: percent, sign: -1, digits: 2 };
                (percent > 0).then_some(CandidateChange { most: percent, what }).into_iter().collect()
            }
            FairFreeingCause::HasShare
            | FairFreeingCause::Waits { .. }
            | FairFreeingCause::NotCounted { .. }
            | FairFreeingCause::NotLookedAt { .. }
            | FairFreeingCause::Starved => {
                let mut out = Vec::new();
                if patience.fair_ms > 1_000 {
                    out.push(one(timeout()));
                }
                if patience.minimum_ms > 1_000 && !s.queue(leaf).minimum.is_zero() {
                    out.push(one(self.element(leaf, "minSharePreemptionTimeout", "1")));
                }
                if patience.threshold < 1.0 {
                    out.push(one(threshold()));
                    out.push(one(CandidateKind::Each(vec![timeout(), threshold()])));
                }
                // Its missing share was too little for one of its containers; with other queues unprotected more is missing.
                if matches!(cause, FairFreeingCause::NotCounted { .. }) {
                    out.extend(self.unprotected(s));
                }
                out
            }
            FairFreeingCause::NobodyGives { .. } => {
                let mut out = self.unprotected(s);
                if !conf.am {
                    out.push(one(site("am.preemption", "true")));
                }
                out
            }
            FairFreeingCause::Comes | FairFreeingCause::Lately { .. } | FairFreeingCause::RoomThere { .. } => {
                let mut out = Vec::new();
                if conf.wait_before_kill_ms > 1_000 {
                    out.push(one(site("waitTimeBeforeKill", "1000")));
                }
                if conf.next_check_ms - conf.wait_before_kill_ms > 1_000 {
                    out.push(one(site("waitTimeBeforeNextStarvationCheck", "1000")));
                }
                out
            }
        }
    }
}
