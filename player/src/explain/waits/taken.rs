//! Who got the resources that a request could have had while it waited, and by which key each went first.

use super::checks::NodeRow;
use super::record::{PassRecord, PassResult, Served, SiblingOrder};
use super::request::Explained;
use crate::explain::names::{Names, asks_for_the_same, is_in};
use crate::explain::orders::key_of;
use crate::explain::say::taken as say;
use crate::explain::verdicts;
use crate::explain::view::OrderView;
use crate::explain::waiting::Waiting;
use crate::explain::waits::of_check::{BlockingCondition, hold};
use crate::explain::words;
use heddle_core::check::{About, Check};
use heddle_core::model::{AppId, ContainerId, Millis, NodeId, PartitionId, QueueId, RequestKey, Resource, UserId};
use heddle_core::scheduler::Scheduler;

/// A container that was placed.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Placed {
    pub at: Millis,
    pub container: ContainerId,
    pub key: RequestKey,
    pub node: NodeId,
    pub size: Resource,
}

/// An application, or another request, that got resources in the meantime.
#[derive(Clone, Debug, PartialEq)]
pub struct Taker {
    pub app: AppId,
    /// Its request, if it is one of the same application.
    pub own: Option<RequestKey>,
    pub containers: i64,
    pub room: Resource,
    /// All of its containers, in order.
    pub placed: Vec<Placed>,
    /// The latest of them.
    pub last: Placed,
}

/// The placements that count: those on nodes that lack only room, or those of the queue or user whose limit stops the request.
enum Scope {
    Nodes(Vec<NodeId>),
    Queue(QueueId),
    User(QueueId, UserId),
}

fn scope(names: Names<'_>, e: &Explained) -> Option<Scope> {
    if let Some(table) = &e.table {
        let nodes: Vec<NodeId> = table.rows.iter().filter(|row| table.lacks_room(row)).map(|row| row.node).collect();
        return (!nodes.is_empty() && !table.rows.iter().any(NodeRow::fits)).then_some(Scope::Nodes(nodes));
    }
    // The limit in its sentence; if that is not a check, the latest check that failed.
    let told = e.chain.stop.as_ref().and_then(|stop| stop.by.checked());
    // Before an application is active, it could not use the resources.
    if told.is_some_and(|checked| checked.check.is_of_activation()) {
        return None;
    }
    let stopped = told.or_else(|| {
        e.looks.iter().rev().find_map(|l| match &l.fate {
            PassResult::Stopped(checked) => Some(checked),
            _ => None,
        })
    })?;
    if let About::Queue(queue) = stopped.about {
        return Some(Scope::Queue(queue));
    }
    let app = names.rm().scheduled(stopped.about.app()?)?;
    let of_user = hold(stopped.check, None, &stopped.figures) == Some(BlockingCondition::UserLimit);
    Some(if of_user { Scope::User(app.queue, app.user) } else { Scope::Queue(app.queue) })
}

impl Scope {
    fn has(&self, names: Names<'_>, placed: &Placed, partition: PartitionId) -> bool {
        // The scheduler forgets applications that are over.
        let app = names.rm().app(placed.container.app);
        let cluster = names.rm().cluster();
        let here = cluster.nodes.get(placed.node.index()).is_some_and(|node| node.partition == partition);
        match self {
            Scope::Nodes(nodes) => nodes.contains(&placed.node),
            Scope::Queue(_) | Scope::User(..) if !here => false,
            Scope::Queue(queue) => app.is_some_and(|app| is_in(&app.queue, names.queue(*queue))),
            Scope::User(queue, user) => app.is_some_and(|app| {
                app.queue == names.queue(*queue) && app.submission.user == names.rm().cluster().user_name(*user)
            }),
        }
    }
}

/// Returns those that got resources, most containers first, and how many the request got itself.
pub fn takers(names: Names<'_>, e: &Explained, placed: Vec<Placed>) -> (Vec<Taker>, i64) {
    let w = &e.waiting;
    let Some(scope) = scope(names, e).filter(|_| w.placing.is_empty()) else { return (Vec::new(), 0) };
    let (mut out, mut itself): (Vec<Taker>, i64) = (Vec::new(), 0);
    let others = |p: &Placed| p.container.app != w.app || (p.key != w.key && !w.am);
    // A container that the request itself got at the moment when it was made came after it.
    let after = |p: &Placed| p.at > w.since || (p.at == w.since && !others(p));
    for last in placed.into_iter().filter(|p| after(p) && scope.has(names, p, w.partition)) {
        if !others(&last) {
            itself += 1;
            continue;
        }
        let app = last.container.app;
        let own = (app == w.app).then_some(last.key);
        // Requests of one priority have one name.
        let is_same = |t: &&mut Taker| t.app == app && t.own.map(|key| key.priority) == own.map(|key| key.priority);
        match out.iter_mut().find(is_same) {
            Some(taker) => {
                taker.own = own;
                taker.containers += 1;
                taker.placed.push(last);
                taker.room += last.size;
                taker.last = last;
            }
            None => out.push(Taker { app, own, containers: 1, room: last.size, placed: vec![last], last }),
        }
    }
    out.sort_by_key(|taker| std::cmp::Reverse(taker.containers));
    (out, itself)
}

/// Why another went first: what the offer of its latest container recorded about the request.
pub struct OvertakingCause<'a> {
    pub taker: &'a Taker,
    /// Whether resources on that node were promised to it, which preemption had freed for it.
    pub promised: bool,
    /// The looks of that offer.
    pub looks: Vec<PassRecord>,
    /// The index of its first container from which on it always went first by the same key.
    pub from: usize,
}

impl OvertakingCause<'_> {
    fn served(&self) -> Option<(&PassRecord, &Served)> {
        self.looks.iter().rev().find_map(|look| match &look.fate {
            PassResult::Served(served) if served.app == self.taker.app => Some((look, &**served)),
            _ => None,
        })
    }

    /// Returns the order in which it goes first, and the key. `None`: it does not go first.
    pub fn order(&self, names: Names<'_>) -> Option<(Vec<QueueId>, String)> {
        let (look, served) = self.served()?;
        let key = served.before.as_ref().and_then(|before| key_of(names, before, look.node)).unwrap_or_default();
        let queues = match &served.before {
            Some(SiblingOrder::Queues(_, order)) => order.iter().map(|o| o.queue).collect(),
            Some(SiblingOrder::Shares(_, order)) => order.iter().map(|o| o.queue).collect(),
            Some(SiblingOrder::Apps(..) | SiblingOrder::Requests(..)) | None => Vec::new(),
        };
        let [key, ..] = key;
        Some((queues, key))
    }

    /// Returns how many containers it got since it goes first by that key, and since when, if that is not from the beginning.
    fn by_key(&self) -> (i64, Option<Millis>) {
        let first = self.taker.placed.get(self.from).filter(|_| self.from > 0);
        (self.taker.containers - self.from as i64, first.map(|placed| placed.at))
    }

    /// Returns by which key it goes first. `None`: it does not go first.
    fn first(&self, names: Names<'_>) -> Option<String> {
        let (look, served) = self.served()?;
        let Some(before) = &served.before else { return Some(say::TRIED_FIRST.to_string()) };
        let [key, first, own] = key_of(names, before, look.node).unwrap_or_default();
        let who = match before {
            SiblingOrder::Queues(_, order) => order.each_ref().map(|o| names.queue(o.queue)),
            SiblingOrder::Shares(_, order) => order.each_ref().map(|o| names.queue(o.queue)),
            SiblingOrder::Apps(..) | SiblingOrder::Requests(..) => [""; 2],
        };
        Some(say::goes_first(who, [&key, &first, &own]))
    }

    /// Returns what stopped the request when the other was served, if the order was not the reason.
    fn stopped(&self, names: Names<'_>) -> Option<String> {
        self.looks.iter().rev().find_map(|look| match &look.fate {
            PassResult::Stopped(checked) => {
                let words = verdicts::failed(names, checked);
                (!words.is_empty()).then(|| say::stopped(&words))
            }
            PassResult::Held(container) => Some(say::held(names.node(look.node), &names.container_name(*container))),
            PassResult::Given(_)
            | PassResult::BehindOwn(..)
            | PassResult::Refused(_)
            | PassResult::Served(_)
            | PassResult::NoTurn => None,
            PassResult::Behind { .. } => None,
        })
    }

    /// Returns whether it is another application whose latest container is smaller and was allocated where the request found
    /// too little room.
    fn takes_smaller(&self, w: &Waiting) -> bool {
        let kinds = 0..w.size.0.len();
        let size = self.taker.last.size;
        let smaller = size != w.size && kinds.into_iter().all(|i| size[i] <= w.size[i]);
        let lacks_room =
            |look: &PassRecord| matches!(&look.fate, PassResult::Stopped(checked) if checked.check == Check::NodeFree);
        self.taker.own.is_none() && smaller && self.looks.iter().any(lacks_room)
    }

    fn name(&self, names: Names<'_>) -> String {
        self.taker.own.map_or_else(|| names.app(self.taker.app).to_string(), |key| say::own_request(key.priority))
    }
}

/// Returns the table of those that got resources since a moment, and of how many containers the request got itself.
pub fn table(names: Names<'_>, all: &[OvertakingCause<'_>], (itself, since): (i64, Millis), more: usize) -> OrderView {
    let types = &names.rm().cluster().types;
    let row = |why: &OvertakingCause<'_>| {
        let promised = || why.promised.then(|| say::promised(names.node(why.taker.last.node)));
        let first = why.first(names).map(|first| match why.by_key().1 {
            Some(since) => say::since(&first, &words::clock(since)),
            None => first,
        });
        let reason = first.or_else(promised).or_else(|| why.stopped(names));
        let values = vec![
            why.taker.containers.to_string(),
            words::size(why.taker.room, types),
            words::clock(why.taker.last.at),
            reason.unwrap_or_default(),
        ];
        (why.name(names), values)
    };
    let own = || (say::ITSELF.to_string(), vec![itself.to_string(), String::new(), String::new(), String::new()]);
    let rows: Vec<_> = all.iter().map(row).chain((itself > 0).then(own)).collect();
    OrderView {
        title: say::title(&words::clock(since), more),
        keys: say::KEYS.map(str::to_string).to_vec(),
        decided: vec![None; rows.len()],
        rows,
    }
}

/// Returns a sentence on what goes first each time. Empty: nothing does, or the request got as much `itself`, so that they take
/// turns.
pub fn sentence(names: Names<'_>, w: &Waiting, all: &[OvertakingCause<'_>], (itself, since): (i64, Millis)) -> String {
    // An application that requests nothing any more no longer goes first.
    let goes_on = |why: &&OvertakingCause<'_>| {
        let app = names.rm().scheduled(why.taker.app);
        // Requests of its own for the same thing are equivalent.
        let part =
            |own| { names.sim.place_of(w.app) }.is_some_and(|i| asks_for_the_same(names.scenario(), i, own, w.key));
        let alike = |own: RequestKey| {
            let asks = app.and_then(|app| Some(app.asks.at(app.asks.find(own)?)));
            own.priority == w.key.priority
                && asks.is_some_and(|asks| {
                    let constraint = asks.tagged.as_ref().and_then(|tagged| tagged.constraint.as_ref());
                    constraint == w.constraint.as_ref() && asks.any().is_some_and(|any| any.size == w.size)
                })
        };
        app.filter(|app| app.alive).is_some_and(|app| match why.taker.own {
            Some(own) if part(own) || alike(own) => false,
            Some(own) => {
                let alike = app.asks.open().iter().filter(|(key, _)| key.priority == own.priority && *key != w.key);
                { alike }.any(|(_, place)| app.asks.at(*place as usize).outstanding() > 0)
            }
            None => true,
        })
    };
    let mut more = all.iter().filter(|why| why.by_key().0 > itself).filter(goes_on);
    let first = more.find_map(|why| Some((why, why.first(names)?)));
    // The point is the one that took most without being tried first: its containers fit where this one does not.
    let most = all.first().filter(|most| most.taker.containers > itself && most.takes_smaller(w));
    let of_first = first.as_ref().map_or(0, |(why, _)| why.by_key().0);
    if let Some(most) = most.filter(|most| most.taker.containers > of_first) {
        return say::took_smaller(&words::clock(since), names.app(most.taker.app), most.taker.containers);
    }
    first.map_or(String::new(), |(why, reason)| {
        let who = match why.taker.own {
            Some(key) => say::own_request(key.priority),
            None => format!("**{}**", names.app(why.taker.app)),
        };
        // It could not go first before it was submitted.
        let submitted = names.rm().app(why.taker.app).map_or(since, |app| app.submitted_at);
        let (containers, from) = why.by_key();
        say::took(&words::clock(from.unwrap_or(since.max(submitted))), &who, containers, &reason)
    })
}

/// What happened to the priority that an application asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Priority {
    /// It was cut to the cluster's maximum.
    Cut { asked: i32, most: i32 },
    /// The scheduler gives every application priority 0.
    Unknown { asked: i32, scheduler: &'static str },
}

/// Returns what happened to an application's priority, if it is lower than requested.
pub fn lower_priority(names: Names<'_>, id: AppId) -> Option<Priority> {
    let place = names.sim.place_of(id)?;
    let (app, asked) = (names.rm().scheduled(id)?, names.scenario().apps.get(place)?.priority?);
    let unknown = |asked, scheduler| (asked > 0).then_some(Priority::Unknown { asked, scheduler });
    match names.rm().scheduler() {
        Scheduler::Capacity(scheduler) => {
            let most = scheduler.conf().maximum_application_priority;
            (asked > most && app.priority == most).then_some(Priority::Cut { asked, most })
        }
        Scheduler::Fair(_) => unknown(asked, "FairScheduler"),
        Scheduler::Fifo(_) => unknown(asked, "FifoScheduler"),
    }
}

/// Returns that an application has a lower priority than it asked for, as a sentence.
pub fn of_lower_priority(names: Names<'_>, id: AppId) -> Option<String> {
    lower_priority(names, id).map(|priority| match priority {
        Priority::Cut { asked, most } => say::priority_cut(asked, most),
        Priority::Unknown { asked, scheduler } => say::priority_unknown(asked, scheduler),
    })
}
