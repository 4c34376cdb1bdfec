//! What each missing container waits for, by Slider's own state (slider-placement.md section 16), and which of the causes in
//! the manual it is ("Slider and Outstanding Requests").

use super::decision::LeftOut;
use super::nodes::NodeState;
use super::requests::{AskId, Request, Target};
use super::{Component, Slider};
use crate::check::{Check, Failure, Figures};
use crate::model::{Millis, Resource};

/// Where a container is requested, or the check that keeps it from being requested.
#[derive(Clone, Debug, PartialEq)]
pub enum Wait {
    /// One host only.
    Host {
        /// The host.
        host: String,
        /// Its state as last reported to Slider.
        state: NodeState,
        /// The time after which the next check relaxes the request; `None`: never.
        relaxes_after: Option<Millis>,
    },
    /// Anywhere, since the request was relaxed.
    Relaxed {
        /// The host that was asked for first.
        host: String,
        /// The time of the relaxation.
        since: Millis,
    },
    /// Anywhere, from the start.
    Anywhere,
    /// One of these hosts, which have no instance.
    OneOf(Vec<String>),
    /// Not requested: this check failed.
    NotAsked(Failure),
}

impl Wait {
    /// Returns whether it is held back: an anti-affine instance that cannot be requested now.
    pub fn is_held_back(&self) -> bool {
        self.check().is_some_and(|check| matches!(check, Check::AffinityOneByOne | Check::AffinityHost))
    }

    /// Returns the check that keeps it waiting. `None`: YARN's record of its request says more.
    pub fn check(&self) -> Option<Check> {
        match self {
            // Only these hosts are requested, with relaxLocality off.
            Wait::Host { .. } | Wait::OneOf(_) => Some(Check::RelaxLocality),
            Wait::NotAsked(why) => Some(why.check),
            Wait::Relaxed { .. } | Wait::Anywhere => None,
        }
    }
}

/// Containers that are waited for.
#[derive(Clone, Debug, PartialEq)]
pub struct Outstanding {
    /// The component.
    pub component: i32,
    /// The request in YARN; `None`: there is none.
    pub ask: Option<AskId>,
    /// The number of containers.
    pub count: i64,
    /// The time since which YARN has been asked.
    pub since: Option<Millis>,
    /// The reason for the wait.
    pub wait: Wait,
}

/// Returns all missing containers, by component; requests are in the order in which Slider keeps them.
pub fn outstanding(slider: &Slider) -> Vec<Outstanding> {
    let mut out = Vec::new();
    for c in slider.components() {
        let before = out.len();
        let requests = &slider.history().requests;
        let all = requests.placed().chain(requests.open()).filter(|r| r.component == c.id());
        out.extend(all.map(|r| waiting(slider, r)));
        let tracked = (out.len() - before) as i64;
        let mut also = |count: i64, wait: Wait| {
            if count > 0 {
                out.push(Outstanding { component: c.id(), ask: None, count, since: None, wait });
            }
        };
        // Slider counts these as requested, but no longer has the requests.
        also(c.counters.requested - tracked, Wait::NotAsked(Failure::of(Check::RequestMade)));
        // After a flex down Slider keeps pending instances that are no longer wanted.
        let pending_aa = c.counters.pending_aa.min(c.counters.delta());
        also(pending_aa, Wait::NotAsked(pending(slider, c)));
        also(c.counters.delta() - pending_aa, Wait::NotAsked(Failure::of(Check::AskDue)));
    }
    out
}

fn waiting(slider: &Slider, r: &Request) -> Outstanding {
    let wait = match (&r.target, r.escalated_at) {
        (Target::Host(host), Some(since)) => Wait::Relaxed { host: host.clone(), since },
        (Target::Host(host), None) => Wait::Host {
            host: host.clone(),
            state: slider.history().nodes.get(host).map_or(NodeState::Running, |n| n.state),
            relaxes_after: r.may_escalate.then_some(r.escalates_after),
        },
        (Target::Anywhere, _) => Wait::Anywhere,
        (Target::OneOf(hosts), _) => Wait::OneOf(hosts.clone()),
    };
    let ask = r.ask.as_ref().map(|a| a.id);
    Outstanding { component: r.component, ask, count: 1, since: Some(r.asked_at), wait }
}

/// Returns the check that keeps anti-affine instances from being requested.
fn pending(slider: &Slider, c: &Component) -> Failure {
    match slider.history().count_eligible(c.id(), c.settings.label.as_deref()) {
        (0, left_out) if c.aa_outstanding.is_none() => no_host(left_out),
        _ => one_by_one(),
    }
}

/// Returns the failure of an instance that waits because another one of its component is requested.
pub(super) fn one_by_one() -> Failure {
    Failure::of(Check::AffinityOneByOne)
}

/// Returns the failure of an instance that no host can take.
pub(super) fn no_host(left_out: LeftOut) -> Failure {
    Failure { check: Check::AffinityHost, figures: Figures::LeftOut(left_out) }
}

/// A node as YARN sees it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct YarnNode {
    /// The host.
    pub host: String,
    /// Its label, empty without one.
    pub label: String,
    /// Its state.
    pub state: NodeState,
    /// Its size.
    pub total: Resource,
    /// Its free resources.
    pub free: Resource,
}

/// YARN's side of a request.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Surroundings {
    /// All nodes.
    pub nodes: Vec<YarnNode>,
    /// Whether YARN's latest offer stopped at the queue, or others come first.
    pub behind_others: bool,
    /// The label that a request without one gets from its application or queue.
    pub default_label: String,
    /// Whether the scheduler compares memory only.
    pub memory_only: bool,
    /// Whether the scheduler ignores the hosts that a request is bound to, as the FifoScheduler does.
    pub hosts_ignored: bool,
}

/// The causes of outstanding requests, as the manual lists them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Cause {
    /// More containers are wanted than fit in the empty cluster.
    ClusterTooSmall {
        /// The number that fit.
        room: i64,
        /// The number that the component wants.
        wanted: i64,
    },
    /// Other containers leave no space.
    NoSpace {
        /// The number of nodes that would be large enough if empty.
        nodes: usize,
    },
    /// There is space, but others in the queue, or other queues, come first.
    BehindOthers {
        /// The number of nodes with space.
        nodes: usize,
    },
    /// Strict placement: the host is gone.
    StrictHostGone {
        /// The host.
        host: String,
        /// Its state; `None`: YARN does not know the host.
        state: Option<NodeState>,
    },
    /// Anti-affinity: no host is left, or the remaining hosts have no space.
    AntiAffinity {
        /// Hosts without an instance that may have one.
        left: usize,
        /// The other hosts.
        left_out: LeftOut,
    },
    /// No node is large enough, even when empty.
    TooLarge {
        /// The requested size.
        size: Resource,
        /// The largest amount of each resource on a node.
        largest: Resource,
    },
    /// The label limits the cluster to the nodes that have it.
    Label {
        /// The label.
        label: String,
        /// Usable nodes with it.
        nodes: usize,
    },
}

impl Cause {
    /// Returns the check that fails. `None`: YARN's record of the request says who comes first.
    pub fn check(&self) -> Option<Check> {
        match self {
            Cause::ClusterTooSmall { .. } | Cause::NoSpace { .. } => Some(Check::NodeFree),
            Cause::BehindOthers { .. } => None,
            Cause::StrictHostGone { .. } => Some(Check::RelaxLocality),
            Cause::AntiAffinity { left: 0, .. } => Some(Check::AffinityHost),
            Cause::AntiAffinity { .. } => Some(Check::NodeFree),
            Cause::TooLarge { .. } => Some(Check::NodeTotal),
            Cause::Label { .. } => Some(Check::NodePartition),
        }
    }
}

/// Returns the cause. `None`: none of the manual's; YARN will place it at one of its next offers, or Slider will relax it.
pub fn cause(slider: &Slider, of: &Outstanding, around: &Surroundings) -> Option<Cause> {
    let c = slider.component(of.component)?;
    let usable: Vec<&YarnNode> = around.nodes.iter().filter(|n| n.state.usable()).collect();
    if let (Wait::Host { host, relaxes_after: None, .. }, false) = (&of.wait, around.hosts_ignored) {
        let there = around.nodes.iter().find(|n| n.host == *host);
        let state = there.map(|n| n.state);
        if !state.is_some_and(NodeState::usable) {
            return Some(Cause::StrictHostGone { host: host.clone(), state });
        }
    }
    let label = c.settings.label.as_deref();
    if let Wait::NotAsked(Failure { figures: Figures::LeftOut(left_out), .. }) = of.wait {
        if let (Some(label), LeftOut { label: 1.., occupied: 0, offline: 0 }) = (label, left_out) {
            return Some(Cause::Label { label: label.into(), nodes: 0 });
        }
        return Some(Cause::AntiAffinity { left: 0, left_out });
    }
    // A label is never sent with hosts; YARN uses the default for a request without one.
    let sent = match of.wait {
        Wait::Host { .. } | Wait::OneOf(_) => None,
        _ => label,
    };
    let partition = sent.unwrap_or(&around.default_label);
    let named = |n: &&&YarnNode| match &of.wait {
        _ if around.hosts_ignored => true,
        Wait::Host { host, .. } => n.host == *host,
        Wait::OneOf(hosts) => hosts.contains(&n.host),
        _ => true,
    };
    let within: Vec<&YarnNode> = usable.iter().filter(|n| n.label == partition).filter(named).copied().collect();
    let size = c.size;
    let fits =
        |into: Resource| size.memory_mb() <= into.memory_mb() && (around.memory_only || size.vcores() <= into.vcores());
    let largest = usable.iter().fold(Resource::ZERO, |most, n| most.component_max(n.total));
    if !usable.iter().any(|n| fits(n.total)) {
        return Some(Cause::TooLarge { size, largest });
    }
    let with_room = within.iter().filter(|n| fits(n.free)).count();
    if with_room > 0 {
        return around.behind_others.then_some(Cause::BehindOthers { nodes: with_room });
    }
    if let (Wait::OneOf(hosts), false) = (&of.wait, around.hosts_ignored) {
        // Hosts of a label have space, but the request carries no label: the manual does not list this cause.
        let labelled = usable.iter().filter(named).any(|n| n.label != partition && fits(n.free));
        if within.is_empty() && labelled {
            return None;
        }
        let (_, left_out) = slider.history().count_eligible(c.id(), label);
        return Some(Cause::AntiAffinity { left: hosts.len(), left_out });
    }
    let elsewhere = usable.iter().any(|n| n.label != partition && fits(n.free));
    if !partition.is_empty() && (elsewhere || within.is_empty()) {
        return Some(Cause::Label { label: partition.into(), nodes: within.len() });
    }
    let room = within.iter().map(|n| times(size, n.total, around.memory_only)).sum();
    let wanted = c.counters.desired;
    if (around.hosts_ignored || !matches!(of.wait, Wait::Host { .. })) && room < wanted {
        return Some(Cause::ClusterTooSmall { room, wanted });
    }
    let nodes = within.iter().filter(|n| fits(n.total)).count();
    (nodes > 0).then_some(Cause::NoSpace { nodes })
}

/// Returns how many containers of a size fit in an empty node.
fn times(size: Resource, total: Resource, memory_only: bool) -> i64 {
    let one = |size: i64, total: i64| if size > 0 { total / size } else { i64::MAX };
    let by_vcores = if memory_only { i64::MAX } else { one(size.vcores(), total.vcores()) };
    one(size.memory_mb(), total.memory_mb()).min(by_vcores)
}
