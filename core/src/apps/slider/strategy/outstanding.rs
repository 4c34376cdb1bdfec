//! What each container that is wanted and not there waits for, by Slider's own state (slider-placement.md section 16),
//! and which of the causes it is that the manual lists ("Slider and Outstanding Requests").

use super::decision::LeftOut;
use super::nodes::NodeState;
use super::requests::{AskId, Request, Target};
use super::{Component, Slider};
use crate::check::{Check, Failure, Figures};
use crate::model::{Millis, Resource};

/// Where something is asked for, or the check that keeps it from being asked for.
#[derive(Clone, Debug, PartialEq)]
pub enum Wait {
    /// One host, and no other.
    Host {
        /// The host.
        host: String,
        /// Its state, as far as Slider was told.
        state: NodeState,
        /// After which moment the next check relaxes it; `None`: never.
        relaxes_after: Option<Millis>,
    },
    /// Anywhere by now.
    Relaxed {
        /// The host where it was to go.
        host: String,
        /// Since when.
        since: Millis,
    },
    /// Anywhere, from the start.
    Anywhere,
    /// One of these hosts, where no instance is.
    OneOf(Vec<String>),
    /// Nowhere: this failed.
    NotAsked(Failure),
}

impl Wait {
    /// Whether it is held back: an anti-affine instance that cannot be asked for now.
    pub fn is_held_back(&self) -> bool {
        self.check().is_some_and(|check| matches!(check, Check::AffinityOneByOne | Check::AffinityHost))
    }

    /// The check that keeps it. `None`: none of its own, what YARN has recorded of its request says more.
    pub fn check(&self) -> Option<Check> {
        match self {
            // Only these hosts are asked for, with relaxLocality off.
            Wait::Host { .. } | Wait::OneOf(_) => Some(Check::RelaxLocality),
            Wait::NotAsked(why) => Some(why.check),
            Wait::Relaxed { .. } | Wait::Anywhere => None,
        }
    }
}

/// Something that is waited for.
#[derive(Clone, Debug, PartialEq)]
pub struct Outstanding {
    /// The component.
    pub component: i32,
    /// The request that YARN has; `None`: there is none.
    pub ask: Option<AskId>,
    /// How many containers.
    pub count: i64,
    /// Since when YARN has been asked.
    pub since: Option<Millis>,
    /// What is waited for.
    pub wait: Wait,
}

/// Everything that is waited for, by component; requests in the order in which Slider keeps them.
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
        // Slider counts it as asked for, and has no such request any more.
        also(c.counters.requested - tracked, Wait::NotAsked(Failure::of(Check::RequestMade)));
        // After a flex down Slider keeps some that nobody wants any more.
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

/// The check that keeps anti-affine instances from being asked for.
fn pending(slider: &Slider, c: &Component) -> Failure {
    match slider.history().count_eligible(c.id(), c.settings.label.as_deref()) {
        (0, left_out) if c.aa_outstanding.is_none() => no_host(left_out),
        _ => one_by_one(),
    }
}

/// Another instance of the component is asked for.
pub(super) fn one_by_one() -> Failure {
    Failure::of(Check::AffinityOneByOne)
}

/// No host can take an instance.
pub(super) fn no_host(left_out: LeftOut) -> Failure {
    Failure { check: Check::AffinityHost, figures: Figures::LeftOut(left_out) }
}

/// A node as YARN has it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Room {
    /// The host.
    pub host: String,
    /// Its label, empty without one.
    pub label: String,
    /// Its state.
    pub state: NodeState,
    /// Its size.
    pub total: Resource,
    /// What is free.
    pub free: Resource,
}

/// What YARN's side of a request looks like.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Surroundings {
    /// All nodes.
    pub nodes: Vec<Room>,
    /// YARN's latest look at the request stopped at the queue, or others come first.
    pub behind_others: bool,
    /// The label that a request without one gets from its application or queue.
    pub default_label: String,
    /// The scheduler compares memory only.
    pub memory_only: bool,
    /// The scheduler takes no notice of hosts that a request is bound to: the FifoScheduler.
    pub hosts_ignored: bool,
}

/// The causes of outstanding requests, as the manual lists them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Cause {
    /// More containers are wanted than the cluster has room for when it is empty.
    ClusterTooSmall {
        /// How many there is room for.
        room: i64,
        /// How many the component wants.
        wanted: i64,
    },
    /// Everything else that runs leaves no room.
    NoSpace {
        /// Nodes that were large enough when empty.
        nodes: usize,
    },
    /// There is room, and others in the queue or other queues come first.
    BehindOthers {
        /// Nodes with room.
        nodes: usize,
    },
    /// Strict placement: the host is gone.
    StrictHostGone {
        /// The host.
        host: String,
        /// Its state; `None`: YARN knows no such host.
        state: Option<NodeState>,
    },
    /// Anti-affinity: no host is left, or those that are left have no room.
    AntiAffinity {
        /// Hosts without an instance that may have one.
        left: usize,
        /// The others.
        left_out: LeftOut,
    },
    /// No node is large enough, empty or not.
    TooLarge {
        /// What is asked for.
        size: Resource,
        /// The most of each resource that a node has.
        largest: Resource,
    },
    /// The label makes the cluster as small as the nodes that have it.
    Label {
        /// The label.
        label: String,
        /// Usable nodes with it.
        nodes: usize,
    },
}

impl Cause {
    /// The check that fails. `None`: whoever comes first is what YARN has recorded of the request.
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

/// Which of the causes it is; `None`: none of them, YARN's next looks at it give it a container, or Slider relaxes it.
pub fn cause(slider: &Slider, of: &Outstanding, around: &Surroundings) -> Option<Cause> {
    let c = slider.component(of.component)?;
    let usable: Vec<&Room> = around.nodes.iter().filter(|n| n.state.usable()).collect();
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
    // A label is never sent with hosts; without one YARN takes the default.
    let sent = match of.wait {
        Wait::Host { .. } | Wait::OneOf(_) => None,
        _ => label,
    };
    let partition = sent.unwrap_or(&around.default_label);
    let named = |n: &&&Room| match &of.wait {
        _ if around.hosts_ignored => true,
        Wait::Host { host, .. } => n.host == *host,
        Wait::OneOf(hosts) => hosts.contains(&n.host),
        _ => true,
    };
    let within: Vec<&Room> = usable.iter().filter(|n| n.label == partition).filter(named).copied().collect();
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
        // Hosts of a label have room, and the request carries none: that is no cause of the manual's.
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

/// How many of a size go into an empty node.
fn times(size: Resource, total: Resource, memory_only: bool) -> i64 {
    let one = |size: i64, total: i64| if size > 0 { total / size } else { i64::MAX };
    let by_vcores = if memory_only { i64::MAX } else { one(size.vcores(), total.vcores()) };
    one(size.memory_mb(), total.memory_mb()).min(by_vcores)
}
