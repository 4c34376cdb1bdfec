//! What is known about a node, and the outcome of its latest offer.

use super::losses::{ShrinkSubject, by_smaller_nodes};
use super::{counts, fact, size};
use crate::explain::away::{away, drains};
use crate::explain::events;
use crate::explain::names::Names;
use crate::explain::orders::{self, orders};
use crate::explain::record::Record;
use crate::explain::say::{then, things as say};
use crate::explain::verdicts;
use crate::explain::view::{EventOutcome, FactView, Selection, WhyView};
use crate::explain::words;
use heddle_core::journal::{Entry, Finding, OfferResult};
use heddle_core::model::{Millis, NodeId, Resource};
use heddle_core::scheduler::Node;

/// Returns the answer for a node.
pub fn node<'e>(
    names: Names<'_>,
    id: NodeId,
    entries: &[(Millis, Entry)],
    lines: impl Iterator<Item = (Millis, &'e Entry)>,
) -> WhyView {
    let rm = names.rm();
    let Some(node) = rm.node(id) else { return WhyView::default() };
    let cluster = rm.cluster();
    let free = node.free();
    let runs = rm.containers_on(id).count() as i64;
    let memory = |r: &Resource| words::memory(r.memory_mb());
    let mut sentence = if node.in_scheduler {
        let memory = (memory(&node.allocated), memory(&node.total));
        let vcores = (node.allocated.vcores(), node.total.vcores());
        match names.is_silent(node) {
            true => say::node_silent(&node.host, &words::clock(node.last_heartbeat), runs, (&memory.0, &memory.1)),
            false => {
                let runs = say::node_runs(&node.host, runs, (&memory.0, &memory.1), vcores);
                match away(names, node) {
                    Some(away) if drains(names, node) => say::node_shrinks(&runs, &away.has()),
                    Some(away) => say::node_takes_no_more(&runs, &away.has()),
                    None => runs,
                }
            }
        }
    } else {
        let away = away(names, node).map_or(String::new(), |away| away.has());
        say::node_takes_no_more(&say::no_node_of_scheduler(&node.host), &away)
    };
    events::attributes_ignored(names, &node.host).iter().for_each(|told| sentence = then(&sentence, told));
    by_smaller_nodes(names, ShrinkSubject::Node(id), lines).iter().for_each(|told| sentence = then(&sentence, told));
    let mut view = WhyView {
        about: Some(Selection::Node(node.host.clone())),
        title: node.host.clone(),
        status: away(names, node).map_or_else(
            || crate::explain::snapshot::state_of(names, node),
            |away| say::state_since(crate::explain::snapshot::node_state(node.state), away.how, &away.in_short()),
        ),
        fate: Some(if node.in_scheduler { EventOutcome::Joined } else { EventOutcome::Lost }),
        crumb: say::crumb_of_node(
            &size(names, node.total),
            cluster.place_name(node.rack),
            names.partition(node.partition),
        ),
        ..WhyView::default()
    };
    match away(names, node) {
        None => view.facts.push(fact("free", size(names, free))),
        Some(away) if drains(names, node) => {
            view.facts.push(fact("free", size(names, free)));
            view.facts.push(fact(say::DRAINS, away.in_short()));
        }
        // What it has free does not matter.
        Some(away) => view.facts.push(fact(say::TAKES_NOTHING, away.in_short())),
    }
    view.facts.push(fact("last heartbeat", words::clock(last_heartbeat(names, node))));
    view.facts.extend(attributes(names, &node.host));
    view.facts.push(counts(names));
    view.facts.extend(crate::apps::all().filter_map(|kind| kind.on_host(names, &node.host)));
    if let Some(slot) = node.reserved {
        let c = cluster.containers.at(slot);
        let who = names.request_name(c.id.app, c.key, 1);
        sentence.push_str(&say::node_is_held(&who, &words::memory(c.size.memory_mb())));
        view.facts.push(fact("reserved for", who));
    }
    if let Some((at, latest)) = last_attempt(entries, id) {
        let result = match latest.last() {
            Some((_, Entry::Found(Finding::OfferOver { result }))) => match result {
                OfferResult::Skipped | OfferResult::Default => say::LatestOffer::Nothing,
                OfferResult::Reserved => say::LatestOffer::Reserved,
                OfferResult::Allocated | OfferResult::AllocatedFromReserved => say::LatestOffer::Given,
            },
            Some(_) | None => say::LatestOffer::Nothing,
        };
        sentence.push_str(&say::last_looked_at(&words::clock(at), result));
        let mut k = 0;
        let mut idle: Vec<&str> = Vec::new();
        let told = |view: &mut WhyView, said: &str| {
            if !said.is_empty() && !view.yarn.iter().any(|(words, _)| words == said) {
                view.yarn.push((said.to_string(), 1));
            }
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
            view.facts.push(fact(&say::looked_at(k), format!("{}: {}", said.name, said.why)));
            told(&mut view, &said.yarn);
        }
        if !idle.is_empty() {
            view.facts.push(fact("looked at, asks for nothing here", words::list(&idle, 8)));
        }
        view.orders = orders(names, &Record::of(latest), orders::OrderScope::All);
    }
    view.sentence = sentence;
    view
}

/// Returns a host's attributes as the scheduler compares them.
fn attributes(names: Names<'_>, host: &str) -> Option<FactView> {
    let all = names.rm().placement().attributes.of_host(host);
    let all: Vec<String> = all.map(|(_, name, value)| format!("{name}={value}")).collect();
    (!all.is_empty()).then(|| fact("attributes", words::list(&all, 8)))
}

/// Returns the latest attempt on a node: its time and its entries.
fn last_attempt(entries: &[(Millis, Entry)], id: NodeId) -> Option<(Millis, &[(Millis, Entry)])> {
    let start =
        entries.iter().rposition(|(_, e)| matches!(e, Entry::Found(Finding::Offer { node, .. }) if *node == id))?;
    // A second pass, over requests that borrow, belongs to the same offer.
    let after = entries[start + 1..].iter().position(|(_, e)| matches!(e, Entry::Found(Finding::Offer { .. })));
    let next = after.map_or(entries.len(), |n| start + 1 + n);
    let over = entries[start..next].iter().rposition(|(_, e)| matches!(e, Entry::Found(Finding::OfferOver { .. })));
    let end = over.map_or(next, |n| start + n + 1);
    Some((entries[start].0, &entries[start..end]))
}

/// Returns the time of a node's last heartbeat. Heartbeats in which nothing happens are not played, but count.
fn last_heartbeat(names: Names<'_>, node: &Node) -> Millis {
    let period = names.scenario().timing.node_heartbeat.max(1);
    let machine = names.sim.machine(node.id).filter(|machine| machine.alive);
    let of_the_rhythm = machine.map(|machine| {
        let ahead = (machine.next_heartbeat - names.now).max(0);
        machine.next_heartbeat - (ahead + period - 1) / period * period
    });
    node.last_heartbeat.max(of_the_rhythm.unwrap_or(node.last_heartbeat))
}
