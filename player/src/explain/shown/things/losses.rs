//! Containers that ended before their work was done, from the log: those of an application that got none since, those that
//! ended with its AM, and those that were killed because their node became smaller; and applications that were moved into a
//! queue beyond its maximum.

use crate::explain::names::Names;
use crate::explain::say::things::{self as say, LostBy};
use crate::explain::verdicts;
use crate::explain::words;
use heddle_core::check::{About, Check};
use heddle_core::journal::{Change, Entry, Processing};
use heddle_core::model::{AppId, ContainerId, Millis, NodeId, PartitionId, QueueId};
use heddle_core::scheduler::app::EndCause;
use heddle_core::scheduler::{Container, ContainerState};
use heddle_core::strategy::exit;
use std::collections::BTreeSet;

/// Containers of an application that ended for one cause.
struct Lost {
    by: LostBy,
    count: i64,
    /// The time and node of the latest.
    last: (Millis, NodeId),
    /// The first container placed on that node since, if it is another application's.
    next: Option<(Millis, AppId)>,
}

/// Returns how a container was lost, if its application lacks its work.
fn lost_by(why: EndCause, exit_code: i32) -> Option<LostBy> {
    match why {
        // What YARN or its AM stopped did not fail.
        EndCause::Completed => match exit_code {
            0 | exit::ABORTED | exit::PREEMPTED | exit::KILLED_BY_APPMASTER | exit::KILLED_BY_RM => None,
            _ => Some(LostBy::Failure),
        },
        EndCause::LostNode => Some(LostBy::Node),
        EndCause::Vanished(_) => Some(LostBy::NotListed),
        EndCause::Expired => Some(LostBy::NoLaunch),
        // Preemption and shrunk nodes have other sentences; an application does not lack what its AM gives back.
        EndCause::Released | EndCause::AppOver | EndCause::Preempted | EndCause::Overcommit => None,
    }
}

/// Returns what an application has lost since it last got a container, without its AM, a sentence for each cause.
pub fn since_the_last_grant<'e>(
    names: Names<'_>,
    app: AppId,
    lines: impl Iterator<Item = (Millis, &'e Entry)>,
) -> Vec<String> {
    let mut masters: BTreeSet<ContainerId> = BTreeSet::new();
    let mut all: Vec<Lost> = Vec::new();
    for (at, entry) in lines {
        match entry {
            Entry::Changed(Change::Allocated { container, am: true, .. }) if container.app == app => {
                masters.insert(*container);
                all.clear();
            }
            Entry::Changed(Change::Allocated { container, .. }) if container.app == app => all.clear(),
            Entry::Changed(Change::Allocated { container, node, .. }) => {
                for lost in all.iter_mut().filter(|lost| lost.last.1 == *node && lost.next.is_none()) {
                    lost.next = Some((at, container.app));
                }
            }
            Entry::Changed(Change::Completed { container, node, exit_code, why, .. })
                if container.app == app && !masters.contains(container) =>
            {
                let Some(by) = lost_by(*why, *exit_code) else { continue };
                let last = (at, *node);
                match all.iter_mut().find(|lost| lost.by == by) {
                    Some(lost) => (lost.count, lost.last, lost.next) = (lost.count + 1, last, None),
                    None => all.push(Lost { by, count: 1, last, next: None }),
                }
            }
            _ => {}
        }
    }
    let told = |lost: &Lost| {
        let (at, node) = lost.last;
        let next = lost.next.filter(|_| lost.by == LostBy::Failure);
        let next = next.map(|(at, other)| (names.app(other), words::clock(at)));
        let next = next.as_ref().map(|(other, at)| (*other, at.as_str()));
        say::has_lost(lost.count, names.app(app), lost.by, (names.node(node), &words::clock(at)), next)
    };
    all.iter().map(told).collect()
}

/// Returns what an application lost with its AM when its latest attempt began, until it has as many again.
pub fn with_its_master<'e>(
    names: Names<'_>,
    app: AppId,
    lines: impl Iterator<Item = (Millis, &'e Entry)>,
) -> Option<String> {
    let mut masters: BTreeSet<ContainerId> = BTreeSet::new();
    let (mut ended, mut master, mut lost) = (0, None, None);
    // The containers that ended with a node, and when.
    let mut gone: Vec<(Millis, NodeId)> = Vec::new();
    for (at, entry) in lines {
        match entry {
            Entry::Changed(Change::Allocated { container, am: true, .. }) if container.app == app => {
                masters.insert(*container);
                (ended, master) = (0, None);
                gone.clear();
            }
            Entry::Changed(Change::Completed { container, node, .. }) if masters.contains(container) => {
                master = Some((at, *node));
            }
            Entry::Changed(Change::Completed { container, why: EndCause::AppOver, .. }) if container.app == app => {
                ended += 1;
            }
            Entry::Changed(Change::Completed { container, node, why: EndCause::LostNode, .. })
                if container.app == app =>
            {
                gone.push((at, *node));
            }
            Entry::Changed(Change::AttemptAdded { app: of, attempt }) if *of == app && *attempt > 1 => {
                let with = |master: (Millis, NodeId)| gone.iter().filter(|one| **one == master).count() as i64;
                lost = master.filter(|_| ended > 0).map(|master| (ended + with(master), master.1, at));
            }
            _ => {}
        }
    }
    let (count, node, at) = lost?;
    let there = |c: &&Container| !c.am && !matches!(c.state, ContainerState::Reserved | ContainerState::Over);
    let has = names.rm().containers_of(app).filter(there).count() as i64;
    (has < count).then(|| say::lost_with_master(count, names.app(app), names.node(node), &words::clock(at)))
}

/// Returns the application that was last moved into a queue that is beyond its maximum since.
pub fn moved_beyond_maximum<'e>(
    names: Names<'_>,
    queue: QueueId,
    lines: impl Iterator<Item = (Millis, &'e Entry)>,
) -> Option<String> {
    let rm = names.rm();
    let part = rm.queues().get(queue.index())?.part(PartitionId::DEFAULT);
    if rm.cluster().calculator.fits_in(&part.used, &part.shares.effective_max) {
        return None;
    }
    let came = lines.filter_map(|(at, entry)| match entry {
        Entry::Changed(Change::Moved { app, to, .. }) if *to == queue => Some((at, *app)),
        _ => None,
    });
    let has = |app: AppId| rm.scheduled(app).is_some_and(|app| app.queue == queue && !app.used_total().is_zero());
    let (at, app) = came.filter(|(_, app)| has(*app)).last()?;
    Some(say::moved_beyond_maximum(names.app(app), names.queue(queue), &words::clock(at)))
}

/// Returns the check by which the scheduler refused the last node that the placement processor proposed for a request that was
/// then rejected.
pub fn last_refused_commit<'e>(
    names: Names<'_>,
    app: AppId,
    lines: impl Iterator<Item = (Millis, &'e Entry)>,
) -> Option<String> {
    let (mut refused, mut last) = (None, None);
    for (at, entry) in lines {
        match entry {
            Entry::Changed(Change::CommitRefused { app: of, key, why, .. }) if *of == app => {
                refused = Some((at, *key, why));
            }
            Entry::Processed(Processing::Rejected { app: of, key, check: Check::ProcessorCommitted, .. })
                if *of == app =>
            {
                last = refused.filter(|(_, refused, _)| refused == key);
            }
            _ => {}
        }
    }
    let (at, key, why) = last?;
    let words = verdicts::failure(names, why, About::Request(app, key));
    (!words.is_empty()).then(|| say::last_refused(&words::clock(at), words.trim_end_matches('.')))
}

/// The application or the node whose containers were killed because a node became smaller than its usage.
#[derive(Clone, Copy)]
pub enum ShrinkSubject {
    App(AppId),
    Node(NodeId),
}

/// Returns a sentence for each node whose containers were killed because it became smaller.
pub fn by_smaller_nodes<'e>(
    names: Names<'_>,
    whose: ShrinkSubject,
    lines: impl Iterator<Item = (Millis, &'e Entry)>,
) -> Vec<String> {
    struct Killed {
        node: NodeId,
        /// Whether they were killed at the moment when they were placed, on a decommissioning node.
        at_once: bool,
        count: i64,
        from: Millis,
        to: Millis,
    }
    let mut all: Vec<Killed> = Vec::new();
    let mut draining: BTreeSet<NodeId> = BTreeSet::new();
    let mut placed: BTreeSet<ContainerId> = BTreeSet::new();
    let mut now = Millis::MIN;
    for (at, entry) in lines {
        if at != now {
            (now, placed) = (at, BTreeSet::new());
        }
        match entry {
            Entry::Changed(Change::NodeDecommissioning { node }) => _ = draining.insert(*node),
            Entry::Changed(Change::NodeAdded { node, .. } | Change::NodeRemoved { node, .. }) => {
                draining.remove(node);
            }
            Entry::Changed(Change::Allocated { container, .. }) => _ = placed.insert(*container),
            Entry::Changed(Change::Completed { container, node, why: EndCause::Overcommit, .. }) => {
                let counts = match whose {
                    ShrinkSubject::App(app) => container.app == app,
                    ShrinkSubject::Node(on) => *node == on,
                };
                if !counts {
                    continue;
                }
                let at_once = draining.contains(node) && placed.contains(container);
                match all.iter_mut().find(|known| (known.node, known.at_once) == (*node, at_once)) {
                    Some(known) => (known.count, known.to) = (known.count + 1, at),
                    None => all.push(Killed { node: *node, at_once, count: 1, from: at, to: at }),
                }
            }
            _ => {}
        }
    }
    let told = |killed: &Killed| {
        let host = names.node(killed.node);
        let times = [killed.from, killed.to].map(words::clock);
        let who = match whose {
            ShrinkSubject::App(app) => Some(names.app(app)),
            ShrinkSubject::Node(_) => None,
        };
        say::killed_by_its_size(killed.count, who, host, times, killed.at_once)
    };
    all.iter().map(told).collect()
}
