//! Why a container is where it is.

use super::{counts, fact, formula, size};
use crate::apps::told_of;
use crate::explain::events;
use crate::explain::names::{Names, yarn_container_id};
use crate::explain::orders::{OrderScope, orders};
use crate::explain::record::Record;
use crate::explain::request::Explained;
use crate::explain::say::things as say;
use crate::explain::verdicts;
use crate::explain::view::{EventOutcome, FactView, WhyView};
use crate::explain::words;
use heddle_core::check::{About, Checked, Outcome};
use heddle_core::journal::{Change, Entry, Finding, VisitEnd};
use heddle_core::model::{ContainerId, Millis, NodeId, PartitionId};
use heddle_core::scheduler::{Container, ContainerState};

/// What is known about how a container was placed.
#[derive(Clone, Copy)]
pub struct Placing<'a> {
    pub at: Millis,
    /// The whole record of the event of its allocation.
    pub entries: &'a [(Millis, Entry)],
    /// The earlier failed checks of its request, node by node.
    pub before: &'a [(NodeId, Checked)],
    /// Its request, explained as it was just before.
    pub asked: Option<&'a Explained>,
    /// The names of that moment.
    pub names: Names<'a>,
}

/// Returns the label whose resources a container borrows, with what that means for it.
fn borrowed(names: Names<'_>, c: &Container) -> Option<FactView> {
    let rm = names.rm();
    let of = rm.cluster().nodes.iter().find(|n| n.id == c.node)?.partition;
    let asks = &rm.scheduled(c.id.app).filter(|_| !c.am)?.asks;
    let asked = asks.at(asks.find(c.key)?).partition;
    (asked.is_default() && !of.is_default()).then(|| {
        let (value, how) = say::borrowed(names.partition(of));
        formula("borrowed", value, how)
    })
}

/// Returns why a container is where it is: what its ApplicationMaster wanted, then what the scheduler did.
pub fn container(names: Names<'_>, id: ContainerId, placing: Option<Placing<'_>>) -> WhyView {
    let mut view = placed(names, id, placing);
    let came = told_of(names, id.app).came(names, id);
    if came.moved {
        view.sentence = crate::explain::say::then(&came.steps.join(" "), &view.sentence);
    } else if let Some(last) = came.steps.last() {
        view.facts.push(FactView { name: say::CAME.into(), value: last.clone(), formula: came.steps });
    }
    view
}

fn placed(names: Names<'_>, id: ContainerId, placing: Option<Placing<'_>>) -> WhyView {
    let rm = names.rm();
    let live = rm.container(id);
    let mut view = WhyView {
        about: Some(names.container(id)),
        title: names.container_name(id),
        fate: Some(EventOutcome::Placed),
        ..WhyView::default()
    };
    view.facts.push(fact("YARN's id", yarn_container_id(names, id)));
    view.facts.push(counts(names));
    view.facts.extend(told_of(names, id.app).facts_of_container(names, id));
    if let Some(c) = live {
        let queue = rm.app(id.app).map_or("", |a| a.queue.as_str());
        view.crumb = say::crumb_of_container(&size(names, c.size), queue, names.app(id.app));
        view.status = status(names, c);
        view.facts.extend(borrowed(names, c));
    } else {
        view.status = say::OVER.to_string();
        view.fate = Some(EventOutcome::Finished);
    }
    let Some(placing) = placing else {
        view.sentence = say::NOT_RECORDED.to_string();
        return view;
    };
    let Some(start) = attempt_of(placing.entries, id) else {
        view.sentence = say::NOT_RECORDED.to_string();
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
        view.crumb = say::crumb_of_container(&size(names, *got), queue, names.app(id.app));
    }
    let free = attempt.iter().find_map(|(_, e)| match e {
        Entry::Found(Finding::Offer { free, .. }) => Some(*free),
        _ => None,
    });
    let room = free.map(|free| words::counted(free, rm.cluster().calculator, &rm.cluster().types));
    let at = words::clock(placing.at);
    // A node with a label takes what asked for it, unless it lends its room.
    let of = rm.cluster().nodes.iter().find(|n| n.id == *node).map_or(PartitionId::DEFAULT, |n| n.partition);
    let lent = live.is_some_and(|c| borrowed(names, c).is_some());
    let label = if of.is_default() || lent { "" } else { names.partition(of) };
    let mut sentence = say::looked_and_placed(&at, host, room.as_deref(), *locality, *from_reservation, label);
    view.facts.extend(free.map(|free| fact("free on it before", size(names, free))));
    if let Some(asked) = placing.asked {
        view.facts.push(fact("waited", words::span(placing.at - asked.waiting.since)));
        if let Some(table) = &asked.table {
            view.buckets = table.buckets(placing.names);
            view.matrix = table.matrix(placing.names);
            view.matrix.at_ms = Some(placing.at);
        }
    }
    view.facts.push(fact("locality", locality.text()));
    // Those tried before it in the same attempt.
    let mut earlier = Vec::new();
    for (_, entry) in attempt {
        match entry {
            Entry::Found(Finding::Leave { about: About::OnNode(app, k, _), end: VisitEnd::Allocated { .. } })
                if *app == id.app && k == key =>
            {
                break;
            }
            Entry::Found(Finding::Checked(checked))
                if checked.outcome == Outcome::Failed && checked.about.app().is_some() =>
            {
                if let Some(said) = events::event(names, placing.at, placing.at, 1, entry) {
                    earlier.push(format!("{}: {}", said.name, said.why));
                }
            }
            _ => {}
        }
    }
    if !earlier.is_empty() {
        sentence.push_str(&say::came_before(earlier.len()));
        for (i, text) in earlier.into_iter().take(12).enumerate() {
            view.facts.push(fact(&say::before_it(i + 1), text));
        }
    }
    // Nodes that failed a check for it before.
    let mut passed: Vec<(NodeId, String)> = Vec::new();
    for (n, checked) in placing.before {
        let words = verdicts::failed(names, checked);
        passed.retain(|(o, _)| o != n);
        passed.push((*n, words));
    }
    passed.retain(|(n, _)| n != node);
    if !passed.is_empty() {
        let hosts: Vec<&str> = passed.iter().map(|(n, _)| names.node(*n)).collect();
        sentence.push_str(&say::passed_over_before(&hosts));
        for (n, words) in passed.into_iter().take(40) {
            view.facts.push(fact(&say::passed_over(names.node(n)), words));
        }
    }
    view.sentence = sentence;
    view.orders = orders(names, &Record::of(attempt), OrderScope::All);
    view.yarn.push((locality.text().to_string(), 1));
    view.sources.push("RegularContainerAllocator.assignContainer".to_string());
    view
}

fn status(names: Names<'_>, c: &Container) -> String {
    let since = words::span(names.now - c.allocated_at);
    match c.state {
        ContainerState::Reserved => say::reserved_for(&since),
        ContainerState::Allocated => say::not_heard_of(&since),
        ContainerState::Acquired => say::starting(&since),
        ContainerState::Running => say::running_since(&words::clock(c.allocated_at)),
        ContainerState::Over => say::NOT_REPORTED.to_string(),
    }
}

/// Returns where the attempt begins that allocated this container.
fn attempt_of(entries: &[(Millis, Entry)], id: ContainerId) -> Option<usize> {
    let at = entries
        .iter()
        .position(|(_, e)| matches!(e, Entry::Changed(Change::Allocated { container, .. }) if *container == id))?;
    // The commit is recorded within its attempt or right after it.
    entries[..at].iter().rposition(|(_, e)| matches!(e, Entry::Found(Finding::Offer { .. })))
}
