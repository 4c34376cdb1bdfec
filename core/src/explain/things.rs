//! Why a container, node, queue, application or user is as it is.

use super::chain::headroom_yarn;
use super::events;
use super::formulas;
use super::names::{Names, is_in, yarn_container_id};
use super::orders::{Whose, orders};
use super::record::Record;
use super::refusal;
use super::request::Explained;
use super::verdicts;
use super::view::{FactView, Fate, Selection, WhyView};
use super::waiting::Waiting;
use super::words;
use crate::journal::{AttemptResult, Change, Entry, Finding, NodeVerdict, QueueVerdict};
use crate::model::{AppId, CalculatorKind, ContainerId, Millis, NodeId, PartitionId, QueueId, Resource};
use crate::rm::AppState;
use crate::scheduler::{Container, ContainerState, Locality};
use crate::sim::Tried;

pub(super) fn fact(name: &str, value: impl Into<String>) -> FactView {
    FactView { name: name.to_string(), value: value.into(), formula: Vec::new() }
}

pub(super) fn formula(name: &str, value: impl Into<String>, formula: Vec<String>) -> FactView {
    FactView { name: name.to_string(), value: value.into(), formula }
}

fn size(names: Names<'_>, r: Resource) -> String {
    words::size(r, &names.rm().cluster().types)
}

/// What is known of how a container came to its place.
#[derive(Clone, Copy)]
pub struct Placing<'a> {
    /// When it was allocated.
    pub at: Millis,
    /// Everything that was recorded in the event of its allocation.
    pub entries: &'a [(Millis, Entry)],
    /// What was recorded of its request before, node by node.
    pub before: &'a [(NodeId, NodeVerdict)],
    /// Its request, explained as it stood just before.
    pub asked: Option<&'a Explained>,
    /// The names of that moment.
    pub names: Names<'a>,
}

/// The label whose room a container borrows, with what that means for it.
fn borrowed(names: Names<'_>, c: &Container) -> Option<FactView> {
    let rm = names.rm();
    let of = rm.cluster().nodes.iter().find(|n| n.id == c.node)?.partition;
    let asks = &rm.scheduled(c.id.app).filter(|_| !c.am)?.asks;
    let asked = asks.at(asks.find(c.key)?).partition;
    (asked.is_default() && !of.is_default()).then(|| {
        formula(
            "borrowed",
            format!("room of label {}; where preemption is on, it is thrown out first", names.partition(of)),
            vec![
                format!("its request names no label, and label {} is not exclusive", names.partition(of)),
                "before any container that asked for the label".to_string(),
            ],
        )
    })
}

/// Why a container is where it is.
pub fn container(names: Names<'_>, id: ContainerId, placing: Option<Placing<'_>>) -> WhyView {
    let rm = names.rm();
    let live = rm.container(id);
    let mut view = WhyView {
        about: Some(names.container(id)),
        title: names.container_name(id),
        fate: Some(Fate::Placed),
        ..WhyView::default()
    };
    view.facts.push(fact("YARN's id", yarn_container_id(names, id)));
    view.facts.push(counts(names));
    if let Some(c) = live {
        let queue = rm.app(id.app).map_or("", |a| a.queue.as_str());
        view.crumb = format!("{} · {queue} › {}", size(names, c.size), names.app(id.app));
        view.status = status(names, c);
        view.facts.extend(borrowed(names, c));
    } else {
        view.status = "over".to_string();
        view.fate = Some(Fate::Finished);
    }
    let Some(placing) = placing else {
        view.sentence = "How it came here is not recorded.".to_string();
        return view;
    };
    let Some(start) = attempt_of(placing.entries, id) else {
        view.sentence = "How it came here is not recorded.".to_string();
        return view;
    };
    let attempt = &placing.entries[start..];
    let Some((_, Entry::Changed(Change::Allocated { node, locality, from_reservation, key, size: got, .. }))) = placing
        .entries
        .iter()
        .find(|(_, e)| matches!(e, Entry::Changed(Change::Allocated { container, .. }) if *container == id))
    else {
        return view;
    };
    let host = names.node(*node);
    if live.is_none() {
        let queue = rm.app(id.app).map_or("", |a| a.queue.as_str());
        view.crumb = format!("{} · {queue} › {}", size(names, *got), names.app(id.app));
    }
    let free = attempt.iter().find_map(|(_, e)| match e {
        Entry::Found(Finding::Attempt { free, .. }) => Some(*free),
        _ => None,
    });
    let mut sentence = format!("At {} the scheduler looked at **{host}**", words::clock(placing.at));
    if let Some(free) = free {
        let room = words::counted(free, rm.cluster().calculator, &rm.cluster().types);
        sentence.push_str(&format!(", which had {room} free"));
        view.facts.push(fact("free on it before", size(names, free)));
    }
    sentence.push_str(match (locality, *from_reservation) {
        (_, true) => ": the room reserved there for it had become enough.",
        (Locality::NodeLocal, _) => ": a host that it asked for.",
        (Locality::RackLocal, _) => ": a rack that it asked for.",
        (Locality::OffSwitch, _) => "; it may go anywhere.",
    });
    if let Some(asked) = placing.asked {
        view.facts.push(fact("waited", words::span(placing.at - asked.waiting.since)));
        if let Some(table) = &asked.table {
            view.buckets = table.buckets(placing.names);
            view.matrix = table.matrix(placing.names);
            view.matrix.at_ms = Some(placing.at);
        }
    }
    view.facts.push(fact("locality", locality.text()));
    // Who was looked at before it in the same attempt.
    let mut earlier = Vec::new();
    for (_, entry) in attempt {
        match entry {
            Entry::Found(Finding::Node { app, key: k, verdict: NodeVerdict::Allocated { .. }, .. })
                if *app == id.app && k == key =>
            {
                break;
            }
            Entry::Found(Finding::App { .. })
            | Entry::Found(Finding::Request { .. })
            | Entry::Found(Finding::Node { .. }) => {
                if let Some(said) = events::event(names, placing.at, placing.at, 1, entry) {
                    earlier.push(format!("{}: {}", said.name, said.why));
                }
            }
            _ => {}
        }
    }
    if !earlier.is_empty() {
        let who = words::count(earlier.len() as i64, "request");
        sentence.push_str(&format!(
            " {who} came before it and {} passed over.",
            if earlier.len() == 1 { "was" } else { "were" }
        ));
        for (i, text) in earlier.into_iter().take(12).enumerate() {
            view.facts.push(fact(&format!("before it, {}", i + 1), text));
        }
    }
    // Nodes that had been passed over for it before.
    let mut passed: Vec<(NodeId, String)> = Vec::new();
    for (n, verdict) in placing.before {
        let Some(words) = verdicts::node_words(names, *n, verdict) else { continue };
        passed.retain(|(o, _)| o != n);
        passed.push((*n, words));
    }
    passed.retain(|(n, _)| n != node);
    if !passed.is_empty() {
        let hosts: Vec<&str> = passed.iter().map(|(n, _)| names.node(*n)).collect();
        sentence.push_str(&format!(" Passed over before: {}.", words::list(&hosts, 4)));
        for (n, words) in passed.into_iter().take(40) {
            view.facts.push(fact(&format!("passed over: {}", names.node(n)), words));
        }
    }
    view.sentence = sentence;
    view.orders = orders(names, &Record::of(attempt), Whose::All);
    view.yarn.push((locality.text().to_string(), 1));
    view.sources.push("RegularContainerAllocator.assignContainer".to_string());
    view
}

fn status(names: Names<'_>, c: &Container) -> String {
    let since = words::span(names.now - c.allocated_at);
    match c.state {
        ContainerState::Reserved => format!("reserved for {since}"),
        ContainerState::Allocated => format!("placed {since} ago, its AM has not heard of it yet"),
        ContainerState::Acquired => format!("placed {since} ago, starting"),
        ContainerState::Running => format!("placed at {}, running", words::clock(c.allocated_at)),
        ContainerState::Over => "over; its node has still to report it".to_string(),
    }
}

/// Where the attempt begins that allocated this container.
fn attempt_of(entries: &[(Millis, Entry)], id: ContainerId) -> Option<usize> {
    let at = entries
        .iter()
        .position(|(_, e)| matches!(e, Entry::Changed(Change::Allocated { container, .. }) if *container == id))?;
    // The commit is recorded inside its attempt or right after it.
    entries[..at].iter().rposition(|(_, e)| matches!(e, Entry::Found(Finding::Attempt { .. })))
}

/// Which resources the scheduler looks at.
fn counts(names: Names<'_>) -> FactView {
    let cluster = names.rm().cluster();
    match cluster.calculator.kind {
        CalculatorKind::Default => fact("the scheduler counts", "memory only (DefaultResourceCalculator)"),
        CalculatorKind::Dominant => {
            let types: Vec<&str> = cluster.types.names().iter().map(|n| words::short_type(n)).collect();
            let list = words::list(&types, 6).replace("memory-mb", "memory");
            // The FairScheduler looks at all of them for what fits, and divides by its policies.
            let how = if names.rm().fair().is_some() { "what fits" } else { "DominantResourceCalculator" };
            fact("the scheduler counts", format!("{list} ({how})"))
        }
    }
}

/// A node.
pub fn node(names: Names<'_>, id: NodeId, entries: &[(Millis, Entry)]) -> WhyView {
    let rm = names.rm();
    let Some(node) = rm.node(id) else { return WhyView::default() };
    let cluster = rm.cluster();
    let free = node.free();
    let runs = rm.containers_on(id).count() as i64;
    let label = names.partition(node.partition);
    let label = if label.is_empty() { String::new() } else { format!(" · label {label}") };
    let mut sentence = format!(
        "**{}** runs {}: {} of {} and {} of {} vcores are taken.",
        node.host,
        words::count(runs, "container"),
        words::memory(node.allocated.memory_mb()),
        words::memory(node.total.memory_mb()),
        node.allocated.vcores(),
        node.total.vcores()
    );
    if !node.in_scheduler {
        sentence = format!("**{}** is not among the scheduler's nodes.", node.host);
    }
    let mut view = WhyView {
        about: Some(Selection::Node(node.host.clone())),
        title: node.host.clone(),
        status: super::snapshot::node_state(node.state).to_string(),
        fate: Some(if node.in_scheduler { Fate::Joined } else { Fate::Lost }),
        crumb: format!("{} · {}{label}", size(names, node.total), cluster.place_name(node.rack)),
        ..WhyView::default()
    };
    view.facts.push(fact("free", size(names, free)));
    view.facts.push(fact("last heartbeat", words::clock(node.last_heartbeat)));
    view.facts.push(counts(names));
    if let Some(slot) = node.reserved {
        let c = cluster.containers.at(slot);
        let who = names.request_name(c.id.app, c.key, 1);
        sentence.push_str(&format!(" It is held for {who}, which needs {}.", words::memory(c.size.memory_mb())));
        view.facts.push(fact("reserved for", who));
    }
    if let Some((at, latest)) = last_attempt(entries, id) {
        let result = match latest.last() {
            Some((
                _,
                Entry::Found(Finding::AttemptOver { result: AttemptResult::Skipped | AttemptResult::Default }),
            )) => "nobody took room",
            Some((_, Entry::Found(Finding::AttemptOver { result: AttemptResult::Reserved }))) => "room was reserved",
            _ => "room was given",
        };
        sentence.push_str(&format!(" When last looked at, at {}, {result}.", words::clock(at)));
        let mut k = 0;
        let mut idle: Vec<&str> = Vec::new();
        let told = |view: &mut WhyView, said: &str| match view.yarn.iter_mut().find(|(words, _)| words == said) {
            _ if said.is_empty() => {}
            Some((_, n)) => *n += 1,
            None => view.yarn.push((said.to_string(), 1)),
        };
        for (_, entry) in latest {
            if let Some((name, said)) = verdicts::wants_nothing(names, entry) {
                idle.push(name);
                told(&mut view, said);
            }
            let Some(said) = events::event(names, at, at, 1, entry) else { continue };
            if said.why.is_empty() || k == 20 {
                continue;
            }
            k += 1;
            view.facts.push(fact(&format!("looked at, {k}"), format!("{}: {}", said.name, said.why)));
            told(&mut view, &said.yarn);
        }
        if !idle.is_empty() {
            view.facts.push(fact("looked at, asks for nothing here", words::list(&idle, 8)));
        }
        view.orders = orders(names, &Record::of(latest), Whose::All);
    }
    view.sentence = sentence;
    view
}

/// The latest attempt on a node: when, and its entries.
fn last_attempt(entries: &[(Millis, Entry)], id: NodeId) -> Option<(Millis, &[(Millis, Entry)])> {
    let start =
        entries.iter().rposition(|(_, e)| matches!(e, Entry::Found(Finding::Attempt { node, .. }) if *node == id))?;
    let len = entries[start..].iter().position(|(_, e)| matches!(e, Entry::Found(Finding::AttemptOver { .. })));
    let end = len.map_or(entries.len(), |n| start + n + 1);
    Some((entries[start].0, &entries[start..end]))
}

/// A queue.
pub fn queue(names: Names<'_>, id: QueueId, record: &Record, waits: &[Explained]) -> WhyView {
    let rm = names.rm();
    if let Some(scheduler) = rm.fair() {
        return super::fair::queue(names, scheduler, id, waits);
    }
    if rm.capacity().is_none() {
        return super::fair::only_queue(names, waits);
    }
    let Some(q) = rm.queues().get(id.index()) else { return WhyView::default() };
    let text = |r: Resource| words::counted(r, rm.cluster().calculator, &rm.cluster().types);
    let p = PartitionId::DEFAULT;
    let part = q.part(p);
    let mut sentence = format!(
        "**{}** uses {}; {} are guaranteed, {} at most.",
        q.path,
        text(part.used),
        text(part.shares.effective_min),
        text(part.shares.effective_max)
    );
    if !part.pending.is_zero() {
        sentence.push_str(&format!(" {} are asked for.", text(part.pending)));
    }
    if !part.am_used.is_zero() && part.am_used.memory_mb() * 2 >= part.used.memory_mb() {
        let share = part.am_used.memory_mb() as f64 / part.used.memory_mb().max(1) as f64;
        let tasks = part.used - part.am_used;
        sentence.push_str(&format!(
            " ApplicationMasters hold {} of it, {}; tasks hold {}.",
            text(part.am_used),
            words::percent(share),
            text(tasks.minus_not_below_zero(Resource::ZERO))
        ));
    }
    let mut view = WhyView {
        about: Some(Selection::Queue(q.path.clone())),
        title: q.path.clone(),
        status: q.state.text().to_string(),
        ..WhyView::default()
    };
    let told = |p: &PartitionId| p.is_default() || q.part(*p).access || !q.part(*p).used.is_zero();
    let partitions: Vec<PartitionId> = rm.cluster().partition_ids().filter(told).collect();
    for p in partitions.iter().copied() {
        let part = q.part(p);
        let label = names.partition(p);
        let of = |name: &str| if label.is_empty() { name.to_string() } else { format!("{name}, label {label}") };
        let total = rm.partition_total(p);
        view.facts.push(formula(
            &of("guaranteed"),
            text(part.shares.effective_min),
            vec![format!("{} of {}", words::percent(f64::from(part.shares.absolute_capacity)), text(total))],
        ));
        view.facts.push(formula(&of("maximum"), text(part.shares.effective_max), formulas::queue_max(names, id, p)));
        view.facts.push(formula(
            &of("used"),
            text(part.used),
            vec![format!(
                "{} of its guarantee, {} of the partition",
                words::percent(f64::from(part.used_capacity)),
                words::percent(f64::from(part.absolute_used_capacity))
            )],
        ));
        view.facts.push(fact(&of("reserved"), text(part.reserved)));
        view.facts.push(fact(&of("pending"), text(part.pending)));
        if q.is_leaf() {
            view.facts.push(formula(
                &of("AM limit"),
                text(part.am_limit),
                formulas::am_limit_of_queue(names, id, p, part.am_limit),
            ));
            view.facts.push(fact(&of("used by AMs"), text(part.am_used)));
        }
    }
    if let Some(leaf) = q.leaf.as_deref() {
        view.facts.push(fact("active applications", leaf.active.len().to_string()));
        view.facts.push(fact("waiting for activation", leaf.pending.len().to_string()));
        if !leaf.not_runnable.is_empty() {
            view.facts.push(fact("held back by a parallel limit", leaf.not_runnable.len().to_string()));
        }
        let names_of = |apps: &[AppId]| {
            let list: Vec<&str> = apps.iter().map(|a| names.app(*a)).collect();
            words::list(&list, 8)
        };
        if !leaf.active.is_empty() {
            view.facts.push(fact("order of applications", names_of(&leaf.active)));
        }
    }
    if let Some(first) = waits.first() {
        let name = names.request_name(first.waiting.app, first.waiting.key, first.waiting.count);
        sentence.push_str(&format!(" {name} waits: {}.", first.because));
        view.limits.clone_from(&first.chain.limits);
    }
    let stopped = record.queues.iter().filter(|((queue, _), _)| *queue == id);
    for (at, node, verdict) in stopped.map(|(_, latest)| latest) {
        if let Some(words) = verdicts::queue_words(names, &q.path, verdict) {
            let name = format!("last stopped at {}, for {}", words::clock(*at), names.node(*node));
            view.facts.push(fact(&name, words));
        }
    }
    for (verdict, times) in record.said.get(&id).into_iter().flatten() {
        let words = match verdict {
            QueueVerdict::Headroom { app, .. } => headroom_yarn(names, *app),
            other => verdicts::queue_yarn(other).to_string(),
        };
        if !words.is_empty() {
            view.yarn.push((words, *times));
        }
    }
    view.sentence = sentence;
    view.orders = orders(names, record, Whose::Queue(id));
    let set_by = partitions.iter().flat_map(|p| formulas::shares(names, &q.path, *p));
    view.facts.extend(set_by.map(|property| fact("set by", property)));
    view
}

/// An application.
pub fn app<'e>(
    names: Names<'_>,
    id: AppId,
    record: &Record,
    waits: &[Explained],
    lines: impl Iterator<Item = (Millis, &'e Entry)>,
) -> WhyView {
    let rm = names.rm();
    let name = names.app(id).to_string();
    let (Some(known), Some(sched)) = (rm.app(id), rm.scheduled(id)) else { return WhyView::default() };
    let there = rm.containers_of(id).filter(|c| !c.am && c.state != ContainerState::Reserved).count() as i64;
    let progress = names.run(id).map(|r| r.progress()).unwrap_or_default();
    let succeeded = names.run(id).and_then(|r| r.succeeded);
    let waiting: i64 = waits.iter().map(|e| e.waiting.count).sum();
    let mut view = WhyView {
        about: Some(Selection::App(name.clone())),
        title: name.clone(),
        status: state_text(known.state, succeeded),
        crumb: format!("{} › {}", known.queue, known.submission.user),
        ..WhyView::default()
    };
    let told = refusal::of_app(names, &name);
    if let Some(told) = told.as_ref().filter(|_| known.rejected().is_some()) {
        return WhyView { status: view.status, ..refusal::why(names, told) };
    }
    view.sentence = match known.state {
        AppState::Finished if succeeded == Some(false) => {
            view.fate = Some(Fate::Rejected);
            let took = known.finished_at.map_or(0, |at| at - known.submitted_at);
            let why = refusal::end(names, id).unwrap_or_default();
            format!("**{name}** failed after {}: {why}. {}.", words::span(took), did_work(progress.done))
        }
        AppState::Finished | AppState::Finishing => {
            let took = known.finished_at.map(|at| words::span(at - known.submitted_at));
            let done = did_work(progress.done);
            view.fate = Some(Fate::Finished);
            match took {
                Some(took) => format!("**{name}** is done after {took}: {done}."),
                None => format!("**{name}** is done and exits: {done}."),
            }
        }
        AppState::Failed | AppState::Killed => {
            view.fate = Some(Fate::Rejected);
            format!("**{name}** is over: {}.", refusal::end(names, id).unwrap_or_default())
        }
        _ => match waits.first() {
            Some(first) if first.waiting.am => {
                view.fate = Some(Fate::Waiting);
                let span = words::span(names.now - first.waiting.since);
                format!("**{name}** has waited {span} for its AM: {}.", first.because)
            }
            Some(first) => {
                view.fate = Some(Fate::Waiting);
                let size = size(names, first.waiting.size);
                format!(
                    "**{name}** runs {} and waits for {waiting} of {size}: {}.",
                    words::count(there, "container"),
                    first.because
                )
            }
            None if matches!(told.as_ref().map(|t| &t.tried), Some(Tried::Registration(_))) => {
                format!("**{name}**'s AM has a container and cannot register.")
            }
            None if known.state == AppState::Accepted => format!("**{name}**'s AM has a container and is starting."),
            None => {
                view.fate = Some(Fate::Placed);
                format!("**{name}** runs {}; nothing of it waits.", words::count(there, "container"))
            }
        },
    };
    view.facts = vec![
        fact("used", size(names, sched.used_total())),
        fact("asked for so far", progress.asked.to_string()),
        fact("running", there.to_string()),
        fact("done", progress.done.to_string()),
        fact("failed", progress.failed.to_string()),
        fact("rejected", progress.rejected.to_string()),
        formula(
            "headroom told to its AM",
            size(names, names.run(id).map(|r| r.headroom).unwrap_or_default()),
            vec![
                "the least of user limit − used and maximum − used of its queue and those above".to_string(),
                "in the whole partition: nodes that the application itself refuses count too".to_string(),
            ],
        ),
        fact("submitted", words::clock(known.submitted_at)),
        fact("priority", sched.priority.to_string()),
        fact("attempt", format!("{} of {}", sched.attempt, known.max_attempts)),
    ];
    view.facts.extend(life(names, id, known.state, lines));
    view.facts.extend(refusal::cut_of(names, id, None));
    if let Some(first) = waits.first() {
        view.limits.clone_from(&first.chain.limits);
        view.waits_for = super::request::holders(names, first);
        if let Some(table) = &first.table {
            view.buckets = table.buckets(names);
            view.matrix = table.matrix(names);
        }
    }
    let words = if known.state == AppState::Accepted { rm.am_diagnostics(id) } else { known.diagnostics.clone() };
    if !words.trim().is_empty() {
        view.yarn.push((words, 0));
    } else if known.state == AppState::Accepted && rm.scheduled(id).is_some_and(|a| !a.runnable) {
        view.facts.push(fact("YARN's diagnostics", "empty while a limit of parallel applications holds it back"));
    }
    for said in waits.first().into_iter().flat_map(|first| super::request::yarn(names, first)) {
        if view.yarn.iter().all(|(words, _)| *words != said.0) {
            view.yarn.push(said);
        }
    }
    if let Some(told) = &told {
        refused(names, told, known.state, &mut view);
    }
    view.orders = orders(names, record, Whose::App(id));
    for arrow in super::request::nested(names, id) {
        if !view.waits_for.contains(&arrow) {
            view.waits_for.push(arrow);
        }
    }
    view
}

/// "1 container did its work".
fn did_work(done: i64) -> String {
    format!("{} did {} work", words::count(done, "container"), if done == 1 { "its" } else { "their" })
}

/// What was refused of an application that was let in: its registration, a call, a request.
fn refused(names: Names<'_>, told: &refusal::Told<'_>, state: AppState, view: &mut WhyView) {
    // What waits is told first; that all is well is not.
    if view.fate != Some(Fate::Waiting) {
        view.fate = Some(Fate::Rejected);
    }
    if !state.is_final() {
        view.sentence.push_str(&format!(" {}.", told.sentence(names)));
    }
    refusal::add(names, told, view);
}

/// YARN's name of an application's state, with the final status where that says more.
pub fn state_text(state: AppState, succeeded: Option<bool>) -> String {
    let failed = matches!(state, AppState::Finished | AppState::Finishing) && succeeded == Some(false);
    if failed { format!("{}, final status FAILED", state.text()) } else { state.text().to_string() }
}

/// The states that an application went through, finer than YARN's own, and how long it was in each.
fn life<'e>(
    names: Names<'_>,
    id: AppId,
    state: AppState,
    lines: impl Iterator<Item = (Millis, &'e Entry)>,
) -> Vec<FactView> {
    let mut steps: Vec<(Millis, &str)> = Vec::new();
    let mut am_placed = false;
    for (at, entry) in lines {
        let next = match entry {
            Entry::Changed(Change::NotRunnable { app, .. }) if *app == id => {
                "ACCEPTED: held back by a limit of parallel applications"
            }
            Entry::Changed(Change::AttemptAdded { app, .. }) if *app == id => {
                am_placed = false;
                "ACCEPTED: added, not activated"
            }
            Entry::Changed(Change::Activated { app, .. }) if *app == id => {
                "ACCEPTED: activated, waits for its AM container"
            }
            Entry::Changed(Change::Allocated { container, .. }) if container.app == id && !am_placed => {
                am_placed = true;
                "ACCEPTED: AM container placed, the AM starts"
            }
            Entry::Changed(Change::Allocated { container, .. }) if container.app == id => "RUNNING: gets containers",
            Entry::Changed(Change::AppEnded { app }) if *app == id => state.text(),
            _ => continue,
        };
        if steps.last().is_none_or(|(_, last)| *last != next) {
            steps.push((at, next));
        }
    }
    let ends = steps.iter().skip(1).map(|(at, _)| *at).chain([names.now]);
    let rows = steps.iter().zip(ends).map(|((at, what), end)| match end - at {
        0 => fact(&words::clock(*at), *what),
        _ if *what == state.text() => fact(&words::clock(*at), *what),
        took => fact(&words::clock(*at), format!("{what}, for {}", words::span(took))),
    });
    rows.collect()
}

/// A user.
pub fn user(names: Names<'_>, user: &str, waits: &[Explained]) -> WhyView {
    let rm = names.rm();
    let text = |r: Resource| words::counted(r, rm.cluster().calculator, &rm.cluster().types);
    let mut view =
        WhyView { about: Some(Selection::User(user.to_string())), title: user.to_string(), ..WhyView::default() };
    let mut total = Resource::ZERO;
    if rm.capacity().is_none() {
        let apps = rm.cluster().apps.iter().filter(|a| rm.cluster().user_name(a.user) == user);
        total = apps.fold(total, |sum, a| sum + a.used_total());
        view.facts.extend(super::fair::user_facts(names, user));
    }
    let queues = rm.capacity().into_iter().flat_map(|s| s.queues().iter().filter(|q| q.alive).map(move |q| (s, q)));
    for (scheduler, q) in queues {
        let Some(leaf) = q.leaf.as_deref() else { continue };
        for u in leaf.users.all().iter().filter(|u| rm.cluster().user_name(u.user) == user) {
            for p in rm.cluster().partition_ids() {
                let used = u.used.get(p.index()).copied().unwrap_or_default();
                total += used;
                if !p.is_default() && used.is_zero() {
                    continue;
                }
                let limit = scheduler.user_limit_of(rm.cluster(), q.id, u.user, p);
                let label = names.partition(p);
                let label = if label.is_empty() { String::new() } else { format!(", label {label}") };
                view.facts.push(formula(
                    &format!("limit in {}{label}", q.path),
                    text(limit),
                    formulas::user_limit(names, q.id, p),
                ));
                view.facts.push(fact(&format!("used in {}{label}", q.path), text(used)));
            }
        }
    }
    let apps = rm.apps().iter().filter(|a| a.submission.user == user && !a.state.is_final()).count() as i64;
    view.sentence = format!("**{user}** uses {} with {}.", text(total), words::count(apps, "application"));
    if let Some(first) = waits.first() {
        let name = names.request_name(first.waiting.app, first.waiting.key, first.waiting.count);
        view.sentence.push_str(&format!(" {name} waits: {}.", first.because));
        view.limits.clone_from(&first.chain.limits);
    }
    let of_user = |t: &&refusal::Told<'_>| {
        let app = t.tried.app().and_then(|i| names.scenario().apps.get(i));
        app.is_some_and(|a| a.user == user)
    };
    let standing = refusal::standing(names);
    let refused: Vec<_> = standing.iter().filter(of_user).collect();
    if let [.., last] = refused.as_slice() {
        view.sentence.push_str(&format!(" {}.", last.headline(names)));
        if waits.is_empty() {
            view.fate = Some(Fate::Rejected);
            refusal::add(names, last, &mut view);
        }
        let before = refused[..refused.len() - 1].iter().rev();
        view.facts.extend(before.map(|t| fact("refused", t.headline(names).replace("**", ""))));
    }
    view
}

/// Which of the waiting requests belong to something selected.
pub fn belongs(names: Names<'_>, w: &Waiting, about: &Selection) -> bool {
    let rm = names.rm();
    match about {
        Selection::App(name) => names.app(w.app) == name,
        Selection::Queue(path) => rm.app(w.app).is_some_and(|a| is_in(&a.queue, path)),
        Selection::User(name) => rm.app(w.app).is_some_and(|a| a.submission.user == *name),
        _ => false,
    }
}
