//! The order in which waiting things are shown: broken promises before greed, then time.
//!
//! | rank | who |
//! |---|---|
//! | [`Rank::Broken`] | an ApplicationMaster that cannot start; an application with nothing but its AM; a service, a Slider application or a Samza job with fewer containers than it wants; an application that lacks something without asking YARN for it; what can never be placed; what was refused |
//! | [`Rank::Below`] | an application that has something, but less than its queue or user is owed: the user's part of the queue's guarantee, the application's fair share, under the FifoScheduler an even part of the cluster |
//! | [`Rank::Greed`] | an application that has its share and wants more |
//! | [`Rank::Fresh`] | one that has not waited a whole round of heartbeats: it waits for its turn, as all do |
//! | [`Rank::LeftOver`] | a request of an application that has all that it was for |
//!
//! Within a rank, the longest wait comes first; at equal times, what YARN is not asked for comes before requests, those before
//! refusals, then the application that was submitted first, then the more urgent request.

use crate::explain::names::Names;
use crate::explain::waits::waiting::Waiting;
use crate::explain::waits::wants::Lack;
use heddle_core::model::{AppId, CalculatorKind, Millis, PartitionId, Resource};
use heddle_core::scheduler::{App, ContainerState, Scheduler};

/// How serious it is that something waits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Rank {
    Broken,
    Below,
    Greed,
    Fresh,
    LeftOver,
}

/// Returns how serious it is that a request waits.
pub fn rank(names: Names<'_>, w: &Waiting) -> Rank {
    if w.left_over {
        return Rank::LeftOver;
    }
    if names.now - w.since <= round(names) {
        return Rank::Fresh;
    }
    let Some(app) = names.rm().scheduled(w.app) else { return Rank::Greed };
    if w.am || keeps_its_number(names, w.app) || has_nothing(names, w.app) {
        Rank::Broken
    } else if is_below(names, app, w.partition) {
        Rank::Below
    } else {
        Rank::Greed
    }
}

/// Returns how serious it is that an application lacks something without asking YARN for it.
pub fn rank_of_lack(names: Names<'_>, lack: &Lack) -> Rank {
    if names.now - lack.since <= round(names) { Rank::Fresh } else { Rank::Broken }
}

/// Returns how long a round takes, in which every node is offered once.
pub fn round(names: Names<'_>) -> Millis {
    let timing = &names.scenario().timing;
    if names.sim.is_asynchronous() { timing.async_interval.max(1) } else { timing.node_heartbeat.max(1) }
}

/// Returns whether it is to have a fixed number of containers at all times.
fn keeps_its_number(names: Names<'_>, app: AppId) -> bool {
    let spec = names.sim.place_of(app).and_then(|place| names.scenario().apps.get(place));
    spec.is_some_and(|app| app.kind.is_long_running())
}

/// Returns whether it runs nothing but its ApplicationMaster.
fn has_nothing(names: Names<'_>, app: AppId) -> bool {
    let runs = |c: &&heddle_core::scheduler::Container| {
        !c.am && !matches!(c.state, ContainerState::Reserved | ContainerState::Over)
    };
    !names.rm().containers_of(app).any(|c| runs(&c))
}

/// Returns whether it has less than it is owed on the nodes of a partition.
fn is_below(names: Names<'_>, app: &App, partition: PartitionId) -> bool {
    let rm = names.rm();
    let memory_only = rm.cluster().calculator.kind == CalculatorKind::Default;
    // One type decides a dominant share: an application that has its whole share of a type is owed nothing.
    let lacks = |used: &Resource, owed: &Resource| {
        let types = || (0..if memory_only { 1 } else { owed.0.len() }).filter(|i| owed[*i] > 0);
        types().next().is_some() && types().all(|i| used[i] < owed[i])
    };
    match rm.scheduler() {
        Scheduler::Capacity(_) => {
            let Some(leaf) = rm.queues().get(app.queue.index()) else { return false };
            let guaranteed = leaf.part(partition).shares.effective_min;
            let users = leaf.leaf.iter().flat_map(|leaf| leaf.users.all());
            let (mut own, mut count) = (Resource::ZERO, 0);
            for user in users.filter(|user| user.active_apps + user.pending_apps > 0) {
                count += 1;
                if user.user == app.user {
                    own = user.used.get(partition.index()).copied().unwrap_or_default();
                }
            }
            lacks(&own, &guaranteed.map(|v| v / count.max(1)))
        }
        Scheduler::Fair(fair) => fair.app(app.id).is_some_and(|a| lacks(&app.used_total(), &a.fair_share)),
        // It promises nothing; an application with less than an even part of the cluster counts as below.
        Scheduler::Fifo(_) => {
            let apps = rm.cluster().apps.iter().filter(|a| a.alive).count() as i64;
            lacks(&app.used_total(), &rm.cluster().total.map(|v| v / apps.max(1)))
        }
    }
}
