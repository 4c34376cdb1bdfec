//! Queues and limits of the FairScheduler and the FifoScheduler, as they are shown (fair-scheduler.md 7, 9, 13, 15, 21).

use crate::explain::names::Names;
use crate::explain::preempted::victim;
use crate::explain::request::Explained;
use crate::explain::say::{then, things as say};
use crate::explain::things::{fact, formula};
use crate::explain::view::{FactView, QueuePartitionView, QueueView, Selection, UserView, WhyView};
use crate::explain::words;
use heddle_core::config::fair::Policy;
use heddle_core::journal::Entry;
use heddle_core::model::{AppId, Millis, QueueId, Resource};
use heddle_core::rm::ResourceManager;
use heddle_core::scheduler::fair::{FairQueue, FairScheduler};
use heddle_core::scheduler::{ContainerState, Scheduler, fifo};

/// The figures of a queue, except under the CapacityScheduler.
#[derive(Clone, Debug, PartialEq)]
pub struct Figures {
    pub queue: QueueId,
    /// The usage of the queue and its descendants.
    pub used: Resource,
    /// The fair share, as of the last update; the cluster's total under the FifoScheduler.
    pub share: Resource,
    /// The steady fair share; zero under the FifoScheduler.
    pub steady: Resource,
    /// The maximum, at most the cluster's total.
    pub maximum: Resource,
    /// The pending resources of the queue and its descendants.
    pub pending: Resource,
}

/// Returns the figures of all queues, parents before their children; none under the CapacityScheduler, which has its own.
pub fn figures(rm: &ResourceManager) -> Vec<Figures> {
    let c = rm.cluster();
    match rm.scheduler() {
        Scheduler::Capacity(_) => Vec::new(),
        Scheduler::Fifo(s) => vec![Figures {
            queue: fifo::ONLY,
            used: s.used(),
            share: c.total,
            steady: Resource::ZERO,
            maximum: c.total,
            pending: c.pending_in(fifo::ONLY),
        }],
        Scheduler::Fair(s) => {
            let tree = in_tree(s);
            let mut pending: Vec<Resource> = (0..s.queues().len()).map(|id| c.pending_in(QueueId::from(id))).collect();
            // In reverse order, children come before their parents.
            for (q, _) in tree.iter().rev() {
                let below = pending[q.id.index()];
                q.parent.into_iter().for_each(|parent| pending[parent.index()] += below);
            }
            let figures = |(q, _): (&FairQueue, usize)| {
                let maximum = s.maximum_of(c, q.id).component_min(c.total);
                let pending = pending[q.id.index()];
                debug_assert_eq!(pending, pending_below(rm, s, q.id), "what is pending in {} is in no books", q.path);
                Figures { queue: q.id, used: q.used, share: q.fair_share, steady: q.steady_share, maximum, pending }
            };
            tree.into_iter().map(figures).collect()
        }
    }
}

fn pending_below(rm: &ResourceManager, s: &FairScheduler, queue: QueueId) -> Resource {
    apps_below(rm, s, queue).fold(Resource::ZERO, |sum, app| sum + rm.cluster().app(app).pending_total())
}

/// Returns the queues with their depth, parents before their children.
pub(crate) fn in_tree(s: &FairScheduler) -> Vec<(&FairQueue, usize)> {
    let mut out = Vec::new();
    let mut open: Vec<(QueueId, usize)> = s.queues().first().map(|root| (root.id, 0)).into_iter().collect();
    while let Some((id, depth)) = open.pop() {
        let q = s.queue(id);
        out.push((q, depth));
        open.extend(q.children.iter().rev().map(|child| (*child, depth + 1)));
    }
    out
}

/// Returns the applications with an attempt in a queue or its descendants.
pub(crate) fn apps_below<'a>(
    rm: &'a ResourceManager,
    s: &'a FairScheduler,
    queue: QueueId,
) -> impl Iterator<Item = AppId> + 'a {
    let apps = rm.cluster().apps.iter().filter(|a| a.alive);
    apps.filter(move |a| s.path_up(a.queue).any(|id| id == queue)).map(|a| a.id)
}

/// Returns whether a queue has a policy by which the dominant resource counts.
pub fn measures_by_dominant(scheduler: &FairScheduler) -> bool {
    in_tree(scheduler).iter().any(|(queue, _)| queue.policy == Policy::Drf)
}

/// Returns the queues as the page draws them: with the fair share in place of a guarantee.
pub fn queues(names: Names<'_>) -> Vec<QueueView> {
    let rm = names.rm();
    let c = rm.cluster();
    let amount = |r: Resource| words::amount(r, &c.types);
    let part = |f: &Figures, ams: (Resource, Resource), apps: Vec<AppId>| {
        let of = |r: Resource| r.memory_mb() as f32 / c.total.memory_mb().max(1) as f32;
        let used = |a: &AppId| c.app(*a).used_total();
        let by_app = apps.iter().filter(|a| !used(a).is_zero());
        QueuePartitionView {
            guaranteed: amount(f.share),
            maximum: amount(f.maximum),
            used: amount(f.used),
            pending: amount(f.pending),
            am_limit: amount(ams.0),
            am_used: amount(ams.1),
            absolute: (of(f.share), of(f.maximum), of(f.used)),
            by_app: by_app.map(|a| (names.app(*a).to_string(), amount(used(a)))).collect(),
            ..QueuePartitionView::default()
        }
    };
    let figures = figures(rm);
    let Some(s) = rm.fair() else {
        let alive = |id: &AppId| c.app(*id).alive;
        let apps: Vec<AppId> = c.apps.iter().map(|a| a.id).filter(alive).collect();
        let one = figures.first().map(|f| QueueView {
            path: fifo::QUEUE.to_string(),
            name: fifo::QUEUE.to_string(),
            leaf: true,
            state: "RUNNING".to_string(),
            ordering: "fifo".to_string(),
            active: apps.len(),
            partitions: vec![part(f, (c.total, Resource::ZERO), apps)],
            ..QueueView::default()
        });
        return one.into_iter().collect();
    };
    let rows = in_tree(s).into_iter().zip(&figures);
    rows.map(|((q, depth), f)| {
        let limit = if q.leaf { s.am_limit(c, q.id).unwrap_or(f.maximum) } else { Resource::ZERO };
        QueueView {
            path: q.path.clone(),
            name: q.name().to_string(),
            depth,
            leaf: q.leaf,
            state: "RUNNING".to_string(),
            dynamic: q.dynamic,
            ordering: q.policy.text().to_string(),
            partitions: vec![part(f, (limit, q.am_used), apps_below(rm, s, q.id).collect())],
            active: q.runnable.len(),
            pending: 0,
            non_runnable: q.waiting.len(),
            preempted: 0,
        }
    })
    .collect()
}

/// Returns the users with a live application, queue by queue. Users have no limits on resources, at most on the number of
/// running applications.
pub fn users(names: Names<'_>) -> Vec<UserView> {
    let rm = names.rm();
    let c = rm.cluster();
    let amount = |r: Resource| words::amount(r, &c.types);
    let mut out: Vec<UserView> = Vec::new();
    let mut sums: Vec<(Resource, Resource)> = Vec::new();
    for app in c.apps.iter().filter(|a| a.alive) {
        let user = c.user_name(app.user);
        let queue = if rm.fair().is_some() { names.queue(app.queue) } else { fifo::QUEUE };
        let at = out.iter().position(|u| u.user == user && u.queue == queue).unwrap_or_else(|| {
            let most = rm.fair().map(|s| s.user_maximum(c, app.user));
            out.push(UserView {
                user: user.to_string(),
                queue: queue.to_string(),
                partition: String::new(),
                used: amount(Resource::ZERO),
                limit: amount(Resource::ZERO),
                am_used: amount(Resource::ZERO),
                am_limit: amount(Resource::ZERO),
                apps: (0, 0),
                most_apps: most.filter(|n| *n < i64::from(i32::MAX)),
                weight: 1.0,
                active: false,
            });
            sums.push((Resource::ZERO, Resource::ZERO));
            out.len() - 1
        });
        let ams = rm.containers_of(app.id).filter(|c| c.am && c.state != ContainerState::Reserved);
        sums[at].0 += app.used_total();
        sums[at].1 = ams.fold(sums[at].1, |sum, c| sum + c.size);
        let (running, held) = out[at].apps;
        out[at].apps = if app.runnable { (running + 1, held) } else { (running, held + 1) };
        out[at].active |= !app.pending_total().is_zero();
    }
    for (user, (used, ams)) in out.iter_mut().zip(sums) {
        (user.used, user.am_used) = (amount(used), amount(ams));
    }
    out
}

/// Returns the facts about a user: the usage in each queue, and the number of running applications.
pub fn user_facts(names: Names<'_>, user: &str) -> Vec<FactView> {
    let mut out = Vec::new();
    for u in users(names).into_iter().filter(|u| u.user == user) {
        let used = format!("{} · {}", words::memory(u.used.memory_mb), words::vcores(u.used.vcores));
        out.push(fact(&say::figure_in("used", &u.queue, ""), used));
        let running = say::running_of_user(u.apps.0, u.most_apps, u.apps.1);
        out.push(fact(&say::figure_in("running", &u.queue, ""), running));
    }
    out
}

/// Returns the answer for a queue of the FairScheduler.
pub fn queue<'e>(
    names: Names<'_>,
    s: &FairScheduler,
    id: QueueId,
    waits: &[Explained],
    lines: impl Iterator<Item = (Millis, &'e Entry)> + Clone,
) -> WhyView {
    let Some(q) = s.queues().get(id.index()).filter(|q| q.alive) else { return WhyView::default() };
    let c = names.rm().cluster();
    let text = |r: Resource| words::counted(r, c.calculator, &c.types);
    let share = |r: Resource| words::fair_share(r, &c.types);
    let maximum = s.maximum_of(c, id).component_min(c.total);
    let mut sentence = say::fair_queue_uses(&q.path, &text(q.used), &share(q.fair_share), &text(maximum));
    let below: Vec<AppId> = apps_below(names.rm(), s, id).collect();
    victim::of_queue(names, &below, lines).iter().for_each(|told| sentence = then(&sentence, told));
    let mut view = WhyView {
        about: Some(Selection::Queue(q.path.clone())),
        title: q.path.clone(),
        status: say::fair_queue_made(q.dynamic).to_string(),
        ..WhyView::default()
    };
    let share_of = |steady| crate::explain::ledger::share_of(names, s, (id, 0), steady);
    view.facts.push(formula("fair share", share(q.fair_share), share_of(false)));
    view.facts.push(formula("steady fair share", share(q.steady_share), share_of(true)));
    view.facts.push(fact("weight", q.weight.to_string()));
    view.facts.push(fact("policy", q.policy.text()));
    view.facts.push(fact("minimum", text(q.minimum)));
    view.facts.push(fact("maximum", text(maximum)));
    view.facts.push(fact("used", text(q.used)));
    view.facts.push(fact("demand at the last update", text(q.demand)));
    if q.leaf {
        if let Some(limit) = s.am_limit(c, id) {
            view.facts.push(fact("AM limit", text(limit)));
        }
        view.facts.push(fact("used by AMs", text(q.am_used)));
    }
    let most = (q.max_apps < i32::MAX).then(|| i64::from(q.max_apps));
    view.facts.push(fact("running applications", say::running_of(q.running_apps, most)));
    if !q.waiting.is_empty() {
        view.facts.push(fact("held back", q.waiting.len().to_string()));
    }
    if let Some(first) = waits.first() {
        let name = names.request_name(first.waiting.app, first.waiting.key, first.waiting.count);
        sentence.push_str(&say::longest_waits(&name, &first.because));
        view.limits.clone_from(&first.chain.limits);
    }
    view.sentence = sentence;
    view
}

/// Returns the answer for the only queue of the FifoScheduler.
pub fn only_queue(names: Names<'_>, waits: &[Explained]) -> WhyView {
    let c = names.rm().cluster();
    let text = |r: Resource| words::counted(r, c.calculator, &c.types);
    let (used, pending) = figures(names.rm()).first().map_or_else(Default::default, |f| (f.used, f.pending));
    let mut sentence = say::fifo_queue_uses(fifo::QUEUE, &text(used), &text(c.total));
    if let Some(first) = waits.first() {
        let name = names.request_name(first.waiting.app, first.waiting.key, first.waiting.count);
        sentence.push_str(&say::longest_waits(&name, &first.because));
    }
    WhyView {
        about: Some(Selection::Queue(fifo::QUEUE.to_string())),
        title: fifo::QUEUE.to_string(),
        facts: vec![fact("used", text(used)), fact("pending", text(pending))],
        sentence,
        ..WhyView::default()
    }
}
