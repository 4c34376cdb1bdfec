//! Outstanding requests: those bound to one host, and all others in the order of their issue (slider-placement.md 4.4, 5, 9,
//! 11).

use super::Version;
use super::settings::Settings;
pub use crate::apps::slider::journal::{AskId, Match};
use crate::model::{Millis, Resource};
use std::collections::BTreeMap;

/// The bit in the priority of requests that YARN may place anywhere.
pub const NO_LOCATION: i32 = 1 << 30;

/// Returns the priority of a component's requests.
pub fn priority(id: i32, located: bool) -> i32 {
    if located { id } else { id | NO_LOCATION }
}

/// Returns the component id encoded in a priority.
pub fn component_of(priority: i32) -> i32 {
    if priority >= NO_LOCATION { priority ^ NO_LOCATION } else { priority }
}

/// A request to YARN, for one container.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ask {
    /// Its number.
    pub id: AskId,
    /// The component.
    pub component: i32,
    /// The hosts; none for anywhere.
    pub hosts: Vec<String>,
    /// Whether YARN may place it elsewhere.
    pub relax: bool,
    /// The node label that is sent; "" is the default partition, `None` the application's.
    pub label: Option<String>,
    /// The size.
    pub size: Resource,
}

/// The reason why YARN's client would refuse a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Invalid {
    /// The label combines several labels.
    LabelExpression,
    /// The request has a label and hosts.
    LabelWithHosts,
    /// The request is bound to places but names none.
    Nowhere,
}

impl Ask {
    /// Returns its YARN priority.
    pub fn priority(&self) -> i32 {
        priority(self.component, !self.relax)
    }

    /// Checks that YARN's client accepts it.
    pub fn validate(&self) -> Result<(), Invalid> {
        let label = self.label.as_deref().unwrap_or("");
        if label.contains("&&") || label.contains("||") {
            Err(Invalid::LabelExpression)
        } else if !label.is_empty() && !self.hosts.is_empty() {
            Err(Invalid::LabelWithHosts)
        } else if !self.relax && self.hosts.is_empty() {
            Err(Invalid::Nowhere)
        } else {
            Ok(())
        }
    }
}

/// The target of a request.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Target {
    /// Anywhere.
    Anywhere,
    /// The one host where the component was before.
    Host(String),
    /// One of these hosts, where the component is not.
    OneOf(Vec<String>),
}

impl Target {
    /// Returns the target of one of these hosts; `None`: there is none.
    pub fn one_of(hosts: Vec<String>) -> Option<Self> {
        (!hosts.is_empty()).then_some(Target::OneOf(hosts))
    }
}

/// An outstanding request.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Request {
    /// The component.
    pub component: i32,
    /// Its target.
    pub target: Target,
    /// The component's label when the request was issued, sent or not.
    pub label: Option<String>,
    /// The time of the issue.
    pub asked_at: Millis,
    /// The time after which it is relaxed, if it may be.
    pub escalates_after: Millis,
    /// Whether YARN may place it anywhere, from the start or since it was relaxed.
    pub escalated: bool,
    /// The time at which Slider relaxed it.
    pub escalated_at: Option<Millis>,
    /// Whether it may be relaxed.
    pub may_escalate: bool,
    /// The request in YARN; `None`: not issued yet.
    pub ask: Option<Ask>,
}

impl Request {
    /// Creates a request that is not issued.
    pub fn new(component: i32, target: Target) -> Self {
        Request {
            component,
            target,
            label: None,
            asked_at: 0,
            escalates_after: 0,
            escalated: false,
            escalated_at: None,
            may_escalate: false,
            ask: None,
        }
    }

    /// Returns the host that it is bound to.
    pub fn host(&self) -> Option<&str> {
        match &self.target {
            Target::Host(host) => Some(host),
            _ => None,
        }
    }

    /// Issues the request by a component's settings.
    pub fn issue(&mut self, id: AskId, settings: &Settings, size: Resource, now: Millis) -> &Ask {
        self.asked_at = now;
        self.label = settings.label.clone();
        self.escalates_after = now + i64::from(settings.escalate_seconds) * 1000;
        self.escalated = self.target == Target::Anywhere;
        self.may_escalate = self.host().is_some() && !settings.policy.strict();
        let (hosts, label) = match &self.target {
            Target::Anywhere => (Vec::new(), self.label.clone()),
            Target::Host(host) => (vec![host.clone()], None),
            Target::OneOf(hosts) => (hosts.clone(), None),
        };
        let relax = self.target == Target::Anywhere;
        self.ask.insert(Ask { id, component: self.component, hosts, relax, label, size })
    }

    /// Returns whether it is time to relax it.
    pub fn should_escalate(&self, now: Millis) -> bool {
        self.may_escalate && !self.escalated && self.ask.is_some() && self.escalates_after < now
    }

    /// Relaxes the request. Returns the one that replaces it.
    pub fn escalate(&mut self, id: AskId, now: Millis) -> Option<&Ask> {
        self.escalated = true;
        self.escalated_at = Some(now);
        let label = self.label.clone();
        let ask = self.ask.as_mut()?;
        ask.id = id;
        ask.relax = true;
        if label.as_deref().is_some_and(|l| !l.is_empty()) {
            ask.hosts.clear();
        }
        ask.label = label;
        Some(ask)
    }
}

impl Match {
    /// Returns Slider's name.
    pub fn name(self) -> &'static str {
        match self {
            Match::Placed => "Placed",
            Match::Escalated => "Escalated",
            Match::Open => "Open",
            Match::Unallocated => "Unallocated",
        }
    }
}

/// A request that was relaxed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Relaxed {
    /// The number of the old request in YARN.
    pub old: AskId,
    /// The request that replaces it.
    pub ask: Ask,
    /// The host that the old request waited for.
    pub host: String,
    /// The start of the wait.
    pub since: Millis,
}

/// All outstanding requests.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Tracker {
    /// Requests by component and host; in 0.92 relaxed ones too. The real one iterates over a hash map; here the order is that
    /// of ids and names.
    placed: BTreeMap<(i32, String), Request>,
    /// The others, in the order of issue.
    open: Vec<Request>,
}

impl Tracker {
    /// Returns the requests bound to one host.
    pub fn placed(&self) -> impl Iterator<Item = &Request> {
        self.placed.values()
    }

    /// Returns all others, in the order of the list.
    pub fn open(&self) -> &[Request] {
        &self.open
    }

    /// Returns all requests, those bound to a host first.
    pub fn iter_mut(&mut self) -> impl Iterator<Item = &mut Request> {
        self.placed.values_mut().chain(&mut self.open)
    }

    /// Forgets all requests.
    pub fn clear(&mut self) {
        *self = Tracker::default();
    }

    /// Adds a request. Returns the one for the same component and host that it replaces, if there was one.
    pub fn add(&mut self, request: Request) -> Option<Request> {
        match request.host() {
            Some(host) => self.placed.insert((request.component, host.to_string()), request),
            None => {
                self.open.push(request);
                None
            }
        }
    }

    /// Returns the request of a component for a host.
    pub fn on(&self, component: i32, host: &str) -> Option<&Request> {
        self.placed.get(&(component, host.to_string()))
    }

    /// Returns whether there is a request of this component for this host.
    pub fn is_placed(&self, component: i32, host: &str) -> bool {
        self.on(component, host).is_some()
    }

    /// Removes the request that a granted container meets, and returns it with the kind of match.
    pub fn granted(
        &mut self,
        component: i32,
        host: &str,
        priority: i32,
        size: Resource,
        version: Version,
    ) -> (Match, Option<Request>) {
        if let Some(request) = self.placed.remove(&(component, host.to_string())) {
            return (if request.escalated { Match::Escalated } else { Match::Placed }, Some(request));
        }
        let meets = |r: &Request| {
            r.ask.as_ref().is_some_and(|ask| {
                ask.priority() == priority
                    && ask.size.memory_mb() <= size.memory_mb()
                    && ask.size.vcores() <= size.vcores()
            })
        };
        match self.open.iter().position(meets) {
            Some(at) => {
                let request = self.open.remove(at);
                let relaxed = version == Version::V093 && request.may_escalate && request.escalated;
                (if relaxed { Match::Escalated } else { Match::Open }, Some(request))
            }
            None => (Match::Unallocated, None),
        }
    }

    /// Drops all requests of a component. Returns those bound to a host, and the others.
    pub fn reset(&mut self, component: i32) -> (Vec<Request>, Vec<Request>) {
        (self.take_placed(component, usize::MAX), self.take_open(component, usize::MAX))
    }

    /// Removes requests that a shrinking component no longer needs: open ones first, oldest first.
    pub fn cancel(&mut self, component: i32, count: usize) -> Vec<Request> {
        let mut out = self.take_open(component, count);
        out.extend(self.take_placed(component, count - out.len()));
        out
    }

    /// Returns the oldest issued open request of a component.
    pub fn first_open(&self, component: i32) -> Option<AskId> {
        self.open.iter().filter(|r| r.component == component).find_map(|r| r.ask.as_ref()).map(|ask| ask.id)
    }

    fn take_open(&mut self, component: i32, count: usize) -> Vec<Request> {
        let mut left = count;
        let all = std::mem::take(&mut self.open);
        let (taken, kept) = all.into_iter().partition(|r| {
            let take = r.component == component && left > 0;
            left -= usize::from(take);
            take
        });
        self.open = kept;
        taken
    }

    /// Removes requests of a component that are bound to a host.
    pub fn take_placed(&mut self, component: i32, count: usize) -> Vec<Request> {
        let of = (component, String::new())..;
        let keys = self.placed.range(of).map(|(key, _)| key.clone()).take_while(|key| key.0 == component);
        let keys: Vec<_> = keys.take(count).collect();
        keys.iter().filter_map(|key| self.placed.remove(key)).collect()
    }

    /// Removes an anti-affine request.
    pub fn take_ask(&mut self, id: AskId) -> Option<Request> {
        let at = self.open.iter().position(|r| r.ask.as_ref().is_some_and(|a| a.id == id))?;
        Some(self.open.remove(at))
    }

    /// Removes all anti-affine requests.
    pub fn take_anti_affine(&mut self) -> Vec<Request> {
        let all = std::mem::take(&mut self.open);
        let (taken, kept) = all.into_iter().partition(|r| matches!(r.target, Target::OneOf(_)));
        self.open = kept;
        taken
    }

    /// Returns the time after which the first of them is relaxed.
    pub fn next_escalation(&self) -> Option<Millis> {
        let waits = self.placed.values().filter(|r| r.should_escalate(Millis::MAX));
        waits.map(|r| r.escalates_after).min()
    }

    /// Relaxes the requests that have waited long enough.
    pub fn escalate(&mut self, now: Millis, next: &mut u64, version: Version) -> Vec<Relaxed> {
        let mut out = Vec::new();
        let due: Vec<_> = self.placed.iter().filter(|(_, r)| r.should_escalate(now)).map(|(k, _)| k.clone()).collect();
        for key in due {
            let Some(request) = self.placed.get_mut(&key) else { continue };
            let (since, Some(old)) = (request.asked_at, request.ask.as_ref().map(|a| a.id)) else { continue };
            let id = AskId(*next);
            *next += 1;
            let ask = request.escalate(id, now).cloned();
            out.extend(ask.map(|ask| Relaxed { old, ask, host: key.1.clone(), since }));
            if version == Version::V093
                && let Some(request) = self.placed.remove(&key)
            {
                self.open.push(request);
            }
        }
        out
    }
}
