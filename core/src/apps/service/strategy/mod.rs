//! The ApplicationMaster of a YARN service (hadoop-yarn-services-core: ServiceScheduler, ServiceMonitor, ServiceManager,
//! Component, ComponentInstance; lifecycles-and-timing.md 6.3, placement-constraints.md 11).
//!
//! Components start when those they depend on are ready. Then their instances wait for containers; an instance whose container
//! ended is requested again if its restart policy says so. Instances are ready at the first readiness check after their process
//! is up. An upgrade restarts processes in the existing containers. Not modelled: readiness probes other than the default one,
//! health thresholds, instances decommissioned by name, the order of manual upgrades, cancelling them, dominant components.

mod component;
mod kept;
pub mod plan;
mod upgrade;

pub use component::{Component, MOST_FAILURES, MOST_ON_HOST};
pub use kept::{store_count, store_upgrade, stored_count};
pub use plan::{ComponentSpec, RestartPolicy, ServicePlan};

use crate::api::{AllocateCall, AllocateResponse, blames_node};
use crate::apps::service::journal::{AskReason, Decision, Need, Then};
use crate::journal::{MasterAct, ServiceAct};
use crate::model::{ContainerId, Millis, RequestKey};
use crate::strategy::{AmAction, ApplicationMaster, AskLog, Order, Progress, TimerId, Turn, to_launch};
use plan::key_of;
use std::collections::{BTreeMap, VecDeque};
use std::sync::Arc;

/// The timers of the readiness check, of the end of the failure window, and of the end of the wait for containers of the
/// previous attempt.
const READINESS: TimerId = 1;
const WINDOW: TimerId = 2;
const RECOVERY: TimerId = 3;
/// `yarn.service.container-failure.validity-interval`, the window of counts per component and host.
const WINDOW_MS: Millis = 21_600_000;
/// The exit code of an ApplicationMaster that ends itself (−1).
const GAVE_UP: i32 = 255;

/// An instance in a container.
#[derive(Clone, Debug, PartialEq)]
pub struct Live {
    pub component: usize,
    pub instance: i64,
    pub host: String,
    /// The time from which on its process is seen to be up; `None`: its node was not reached yet.
    up_at: Option<Millis>,
    pub ready: bool,
    /// Whether it is being upgraded.
    upgrading: bool,
}

/// The ApplicationMaster of a YARN service: one attempt.
#[derive(Clone, Debug, PartialEq)]
pub struct ServiceMaster {
    plan: Arc<ServicePlan>,
    components: Vec<Component>,
    live: BTreeMap<ContainerId, Live>,
    /// Instances of the previous attempt whose containers were not recovered, and the time until which they may be.
    unrecovered: Vec<(usize, i64)>,
    recovery_at: Millis,
    /// Components that still have to be upgraded, the current one first.
    upgrades: VecDeque<usize>,
    releases: Vec<ContainerId>,
    avoid: Vec<String>,
    allow: Vec<String>,
    beats: u8,
    /// Whether a call was refused: then it is repeated forever, and answers are ignored.
    stuck: bool,
    over: bool,
    window_at: Millis,
    asks: AskLog,
    progress: Progress,
}

impl ServiceMaster {
    /// Returns whether a call was refused, after which it ignores everything.
    pub fn was_refused(&self) -> bool {
        self.stuck
    }

    pub fn new(plan: Arc<ServicePlan>) -> Self {
        ServiceMaster {
            components: plan.components.iter().map(|c| Component::new(c.count)).collect(),
            plan,
            live: BTreeMap::new(),
            unrecovered: Vec::new(),
            recovery_at: 0,
            upgrades: VecDeque::new(),
            releases: Vec::new(),
            avoid: Vec::new(),
            allow: Vec::new(),
            beats: 0,
            stuck: false,
            over: false,
            window_at: 0,
            asks: AskLog::default(),
            progress: Progress::default(),
        }
    }

    /// Returns how many instances of a component have not recovered their containers of the previous attempt, and until when
    /// this one waits for them.
    pub fn unrecovered(&self, component: usize) -> (i64, Millis) {
        let of_it = self.unrecovered.iter().filter(|(place, _)| *place == component);
        (of_it.count() as i64, self.recovery_at)
    }

    /// Returns its components, with their descriptions.
    pub fn components(&self) -> impl Iterator<Item = (&ComponentSpec, &Component)> {
        self.plan.components.iter().zip(&self.components)
    }

    /// Returns its instances with a container, by container.
    pub fn live(&self) -> &BTreeMap<ContainerId, Live> {
        &self.live
    }

    /// Returns whether it has this container, or is giving it back. After a refused call, or its own end, the answer is always
    /// true.
    pub fn knows(&self, container: ContainerId) -> bool {
        self.stuck || self.over || self.live.contains_key(&container) || self.releases.contains(&container)
    }

    /// Returns how many instances of the component at this place are ready, and how many have a container.
    pub fn ready(&self, place: usize) -> (i64, i64) {
        let of = self.live.values().filter(|live| live.component == place);
        of.fold((0, 0), |(ready, all), live| (ready + i64::from(live.ready), all + 1))
    }

    /// Returns whether the component at this place is being upgraded, or is to be.
    pub fn upgrades(&self, place: usize) -> bool {
        self.upgrades.contains(&place)
    }

    /// Returns the components that the one at this place waits for before it starts, or is flexed.
    pub fn needs(&self, place: usize) -> Vec<Need> {
        let wanted = |name: &String| {
            let at = self.plan.components.iter().position(|c| c.name == *name)?;
            let (component, policy) = (&self.components[at], self.plan.components[at].restart_policy);
            let ready = component.counts_as_ready(policy, self.ready(at).0);
            (ready < component.desired).then(|| Need { component: name.clone(), ready, wanted: component.desired })
        };
        self.plan.components.get(place).map_or(Vec::new(), |c| c.dependencies.iter().filter_map(wanted).collect())
    }

    /// Returns whether every component has what it wants.
    fn is_stable(&self) -> bool {
        self.plan.components.iter().zip(&self.components).enumerate().all(|(place, (spec, c))| {
            let there = match spec.restart_policy {
                RestartPolicy::Always => self.ready(place).0,
                _ => self.ready(place).1 + c.done(),
            };
            c.begun && there >= c.number
        })
    }

    /// Returns the component that a request is for.
    fn place_of(&self, key: RequestKey) -> Option<usize> {
        let place = usize::try_from(key.allocation_request_id).ok()?;
        (place < self.components.len()).then_some(place)
    }

    fn constraints(&self) -> bool {
        self.plan.scheduling
    }

    fn note(&self, turn: &mut Turn<'_>, place: Option<usize>, make: impl FnOnce() -> Decision) {
        let (app, spec) = (turn.attempt.app, place.and_then(|place| self.plan.components.get(place)));
        turn.note(|| {
            let component = spec.map(|spec| spec.name.as_str().into());
            MasterAct::Service(Box::new(ServiceAct { app, component, key: place.map(key_of), decision: make() }))
        });
    }

    fn ask(&mut self, turn: &mut Turn<'_>, place: usize, count: i64, why: AskReason) {
        let constraints = self.constraints();
        self.components[place].ask(count, constraints);
        if count > 0 {
            self.note(turn, Some(place), || Decision::Asked { count, why });
        }
    }

    /// Starts a component whose dependencies are ready.
    fn begin(&mut self, turn: &mut Turn<'_>, place: usize) {
        let component = &mut self.components[place];
        component.begun = true;
        let count = component.pending.len() as i64;
        let again = turn.attempt.attempt > 1 && self.plan.components[place].restart_policy != RestartPolicy::Always;
        self.ask(turn, place, count, if again { AskReason::StartAgain } else { AskReason::Start });
    }

    fn begin_all(&mut self, turn: &mut Turn<'_>) {
        for place in 0..self.components.len() {
            if !self.components[place].begun && self.needs(place).is_empty() {
                let number = self.components[place].number;
                self.components[place].desired = number;
                self.begin(turn, place);
            }
        }
    }

    fn flex(&mut self, turn: &mut Turn<'_>, place: usize, to: i64) {
        if self.components[place].desired == to && self.components[place].number == to {
            return;
        }
        let constraints = self.constraints();
        self.components[place].desired = to;
        let needs = self.needs(place);
        if !needs.is_empty() {
            return self.note(turn, Some(place), || Decision::FlexDeferred { to, needs });
        }
        let component = &mut self.components[place];
        let from = component.number;
        if !component.begun {
            self.note(turn, Some(place), || Decision::FlexTooEarly { to, starts_with: from });
            return self.begin(turn, place);
        }
        component.number = to;
        if to > from {
            component.grow(to - from, constraints);
            self.note(turn, Some(place), || Decision::Asked { count: to - from, why: AskReason::Flex });
        } else if to < from {
            let gone = component.shrink(from - to);
            self.note(turn, Some(place), || Decision::Shrunk { from, to });
            let of = |live: &Live| live.component == place && gone.contains(&live.instance);
            let containers: Vec<ContainerId> = self.live.iter().filter(|(_, l)| of(l)).map(|(id, _)| *id).collect();
            for container in containers.into_iter().rev() {
                self.live.remove(&container);
                kept::strike_out(turn.store, container);
                self.releases.push(container);
            }
        }
    }

    fn check_readiness(&mut self, turn: &mut Turn<'_>) {
        let now = turn.now;
        let mut found = Vec::new();
        for (container, live) in &mut self.live {
            if !live.ready && live.up_at.is_some_and(|at| at <= now) {
                (live.ready, live.upgrading) = (true, false);
                found.push((*container, live.component, live.instance));
            }
        }
        for (container, place, instance) in found {
            self.note(turn, Some(place), || Decision::Ready { container, instance });
        }
        if let Some(place) = self.upgrades.front().copied()
            && self.ready(place).0 >= self.components[place].number
        {
            self.upgrades.pop_front();
            self.note(turn, Some(place), || Decision::Upgraded);
            self.upgrade_next(turn);
        }
        self.begin_all(turn);
    }

    fn ended(&mut self, turn: &mut Turn<'_>, container: ContainerId, exit_code: i32) {
        let Some(Live { component: place, instance, host, upgrading, .. }) = self.live.remove(&container) else {
            return;
        };
        kept::strike_out(turn.store, container);
        let (policy, constraints) = (self.plan.components[place].restart_policy, self.constraints());
        let component = &mut self.components[place];
        let mut avoided = None;
        match exit_code {
            0 => self.progress.done += 1,
            code => {
                self.progress.failed += 1;
                avoided = blames_node(code).then(|| component.blamed(&host)).flatten();
            }
        }
        let then = match (upgrading, policy.asks_again(exit_code), exit_code) {
            (true, ..) => Then::UpgradeFailed,
            (_, true, _) => Then::AskedAgain,
            (.., 0) => Then::Succeeded,
            _ => Then::Failed,
        };
        match then {
            Then::AskedAgain => {
                component.ask(1, constraints);
                component.pending.push_back(instance);
            }
            Then::Succeeded | Then::Failed => component.ended(instance, exit_code != 0),
            Then::UpgradeFailed => {}
        }
        let failures = component.failures;
        self.note(turn, Some(place), || Decision::Ended { container, instance, exit_code, then });
        if let Some(failures) = avoided {
            self.avoid.push(host.clone());
            self.note(turn, Some(place), || Decision::HostAvoided { host, failures, most: MOST_ON_HOST });
        }
        let over = |(spec, c): (&ComponentSpec, &Component)| c.is_over(spec.restart_policy);
        if matches!(then, Then::Succeeded | Then::Failed) && self.components().all(over) {
            let succeeded = self.components.iter().all(|c| c.failed.is_empty());
            self.over = true;
            self.note(turn, None, || Decision::Done { succeeded });
            turn.act(AmAction::Unregister { succeeded });
        } else if failures > MOST_FAILURES && !upgrading {
            self.over = true;
            self.note(turn, Some(place), || Decision::TooManyFailures { failures, most: MOST_FAILURES });
            turn.act(AmAction::Fail { exit_code: GAVE_UP });
        }
    }
}

impl ApplicationMaster for ServiceMaster {
    fn first_heartbeat_ms(&self) -> Millis {
        0
    }

    fn heartbeat_ms(&self) -> Millis {
        self.plan.heartbeat.max(1)
    }

    fn registered(&mut self, turn: &mut Turn<'_>) {
        let written = self.plan.components.iter();
        let counts: Vec<i64> = written.map(|c| stored_count(turn.store, &c.name).unwrap_or(c.count)).collect();
        self.components = counts.into_iter().map(Component::new).collect();
        if turn.attempt.attempt == 1 {
            kept::clear(turn.store);
        }
        self.recover(turn);
        self.begin_all(turn);
        for place in 0..self.components.len() {
            if !self.components[place].begun {
                let needs = self.needs(place);
                self.note(turn, Some(place), || Decision::Held { needs });
            }
        }
        self.window_at = turn.now.saturating_add(WINDOW_MS);
        turn.act(AmAction::SetTick { timer: READINESS, period_ms: self.plan.readiness });
        turn.act(AmAction::SetTick { timer: WINDOW, period_ms: WINDOW_MS });
    }

    /// Sends the requests of the start with the second call: the client's thread makes the first one on its own.
    fn call(&mut self, turn: &mut Turn<'_>) -> AllocateCall {
        self.beats = self.beats.saturating_add(1);
        let mut call = AllocateCall::default();
        if self.beats == 1 || self.stuck || self.over {
            return call;
        }
        call.releases = std::mem::take(&mut self.releases);
        call.blacklist_add = std::mem::take(&mut self.avoid);
        call.blacklist_remove = std::mem::take(&mut self.allow);
        for (place, (spec, component)) in self.plan.components.iter().zip(&mut self.components).enumerate() {
            let key = key_of(place);
            let fresh = component.call(spec, key, &mut call.asks, &mut call.scheduling);
            self.asks.add(turn.now, key, fresh);
            self.progress.asked += fresh;
        }
        call
    }

    fn refused(&mut self, _turn: &mut Turn<'_>) {
        self.stuck = true;
    }

    fn answer(&mut self, turn: &mut Turn<'_>, answer: &AllocateResponse) {
        if self.stuck || self.over {
            return;
        }
        for completed in &answer.completed {
            self.ended(turn, completed.id, completed.exit_code);
        }
        for grant in to_launch(answer) {
            let (container, key) = (grant.id, grant.key());
            let place = self.place_of(key).filter(|_| !self.over);
            let Some(instance) = place.and_then(|place| self.components[place].granted()) else {
                self.releases.push(container);
                self.note(turn, place, || Decision::Surplus { container });
                continue;
            };
            let component = place.unwrap_or_default();
            let (host, work) = (turn.reports().host(grant.node), self.plan.components[component].work);
            self.live
                .insert(container, Live { component, instance, host, up_at: None, ready: false, upgrading: false });
            self.note(turn, place, || Decision::Assigned { container, instance });
            turn.act(AmAction::Launch { container, run_ms: work.run_ms, exit_code: work.exit_code });
        }
        self.progress.rejected += answer.rejected.iter().map(|r| r.count).sum::<i64>();
    }

    fn container_started(&mut self, turn: &mut Turn<'_>, container: ContainerId) {
        let Some(live) = self.live.get_mut(&container) else { return };
        live.up_at = Some(turn.now.saturating_add(self.plan.launch));
        kept::register(turn.store, container, live);
    }

    /// Gives back the container; the ResourceManager reports the consequences.
    fn start_failed(&mut self, _turn: &mut Turn<'_>, container: ContainerId) {
        self.releases.push(container);
    }

    fn order(&mut self, turn: &mut Turn<'_>, order: Order) -> Result<(), String> {
        match order {
            Order::Stop => turn.act(AmAction::Unregister { succeeded: true }),
            Order::Flex if !self.upgrades.is_empty() => {
                return Err(
                    "It is at EXPRESS_UPGRADING state, flex can not be invoked when service is upgrading.".into()
                );
            }
            Order::Flex => {
                for place in 0..self.components.len() {
                    if let Some(to) = stored_count(turn.store, &self.plan.components[place].name) {
                        self.flex(turn, place, to);
                    }
                }
            }
            Order::Upgrade => {
                let names = kept::take_upgrade(turn.store);
                return self.upgrade(turn, &names);
            }
        }
        Ok(())
    }

    fn timer(&mut self, turn: &mut Turn<'_>, timer: TimerId) {
        match timer {
            _ if self.over => {}
            READINESS => self.check_readiness(turn),
            WINDOW => {
                self.window_at = turn.now.saturating_add(WINDOW_MS);
                for place in 0..self.components.len() {
                    let hosts: Vec<String> = self.components[place].forget_failures().into_iter().collect();
                    if !hosts.is_empty() {
                        self.allow.extend(hosts.iter().cloned());
                        self.note(turn, Some(place), || Decision::HostsBack { hosts });
                    }
                }
            }
            _ => {
                for (place, instance) in std::mem::take(&mut self.unrecovered) {
                    self.ask(turn, place, 1, AskReason::NotRecovered);
                    self.components[place].pending.push_back(instance);
                }
            }
        }
    }

    fn is_quiet(&self) -> bool {
        let nothing_to_say = self.releases.is_empty() && self.avoid.is_empty() && self.allow.is_empty();
        let unready = self.live.values().any(|live| !live.ready && live.up_at.is_some());
        let starts = (0..self.components.len()).any(|i| !self.components[i].begun && self.needs(i).is_empty());
        self.stuck
            || self.over
            || self.beats > 1
                && nothing_to_say
                && !unready
                && !starts
                && self.components.iter().all(Component::is_quiet)
    }

    /// Returns the end of the failure window, at which avoided hosts return.
    fn wakes_at(&self) -> Option<Millis> {
        let avoids = self.components.iter().any(|c| !c.avoided.is_empty());
        (avoids && !self.over && !self.stuck).then_some(self.window_at)
    }

    fn progress(&self) -> Progress {
        self.progress
    }

    fn asks(&self) -> &AskLog {
        &self.asks
    }

    fn lacking(&self) -> Vec<(u32, i64)> {
        let lacks = |(i, component): (usize, &Component)| {
            (u32::try_from(i).unwrap_or(u32::MAX), component.pending.len() as i64 + self.unrecovered(i).0)
        };
        self.components.iter().enumerate().map(lacks).collect()
    }

    fn parts_of(&self, key: RequestKey) -> Vec<u32> {
        self.place_of(key).and_then(|place| u32::try_from(place).ok()).into_iter().collect()
    }

    fn component(&self, key: RequestKey) -> Option<&str> {
        Some(&self.plan.components.get(self.place_of(key)?)?.name)
    }
}
