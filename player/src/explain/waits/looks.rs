//! How often the scheduler tried nodes in its last round of heartbeats, what for, and who was served in the meantime.

use crate::explain::names::Names;
use crate::explain::say::formulas as say;
use crate::explain::view::FactView;
use crate::explain::waiting::Waiting;
use heddle_core::check::{About, Check};
use heddle_core::journal::{Entry, Finding, OfferResult};
use heddle_core::model::{AppId, Millis, NodeId, QueueId};

fn fact(name: &str, value: String, formula: Vec<String>) -> FactView {
    FactView { name: name.to_string(), value, formula }
}

fn attempts(entries: &[(Millis, Entry)]) -> i64 {
    entries.iter().filter(|(_, e)| matches!(e, Entry::Found(Finding::Offer { .. }))).count() as i64
}

/// Returns how often the constraint of a request was evaluated in the last round.
pub fn of_request(entries: &[(Millis, Entry)], w: &Waiting) -> Option<FactView> {
    w.constraint.as_ref()?;
    let mine = |e: &&(Millis, Entry)| matches!(&e.1, Entry::Found(Finding::Leave { about: About::OnNode(app, key, _), .. }) if *app == w.app && *key == w.key);
    let looks = entries.iter().filter(mine).count() as i64;
    let beats = attempts(entries);
    (beats > 0 && w.placing.is_empty())
        .then(|| fact("constraint evaluations", say::evaluations(looks, beats), Vec::new()))
}

/// Returns what a leaf's applications with pending requests cost in the last round: how many were tried, on how many
/// heartbeats, and with what result.
pub fn of_queue(names: Names<'_>, entries: &[(Millis, Entry)], queue: QueueId) -> Option<FactView> {
    let rm = names.rm();
    rm.queues().get(queue.index())?.leaf.as_deref()?;
    let here = |app: &AppId| rm.scheduled(*app).is_some_and(|a| a.queue == queue);
    let (mut apps, mut all, mut unmet) = (Vec::new(), 0, 0);
    for (_, entry) in entries {
        match entry {
            Entry::Found(Finding::Leave { about: About::OnNode(app, ..), .. }) if here(app) => {
                all += 1;
                if !apps.contains(app) {
                    apps.push(*app);
                }
            }
            Entry::Found(Finding::Checked(checked)) if checked.check == Check::Constraint && checked.fails() => {
                unmet += i64::from(checked.about.app().as_ref().is_some_and(here));
            }
            // Each of them has failed the constraint.
            Entry::Found(Finding::Alike { app, others }) if here(app) => {
                all += *others as i64;
                unmet += *others as i64;
            }
            _ => {}
        }
    }
    let given = |e: &&(Millis, Entry)| matches!(&e.1, Entry::Found(Finding::OfferOver { result }) if !matches!(result, OfferResult::Skipped | OfferResult::Default));
    let given = entries.iter().filter(given).count();
    let beats = attempts(entries);
    let active = rm.queues().get(queue.index())?.leaf.as_deref()?.active.len();
    (beats > 0 && all > 0).then(|| {
        let value = say::looks_at_queue(all, apps.len() as i64, unmet);
        fact("last round", value, say::looks_a_heartbeat(all, beats, apps.len(), active, given))
    })
}

/// Returns who got containers, and on which nodes.
pub fn meanwhile(names: Names<'_>, placed: impl Iterator<Item = (AppId, NodeId)>) -> Option<FactView> {
    let mut who: Vec<(AppId, i64)> = Vec::new();
    let mut hosts: Vec<&str> = Vec::new();
    for (app, node) in placed {
        match who.iter_mut().find(|(a, _)| *a == app) {
            Some((_, n)) => *n += 1,
            None => who.push((app, 1)),
        }
        let host = names.node(node);
        if !hosts.contains(&host) {
            hosts.push(host);
        }
    }
    heddle_core::model::order::sort_by_key(&mut who, |(_, n)| std::cmp::Reverse(*n));
    hosts.sort_unstable();
    let list: Vec<(i64, &str)> = who.iter().map(|(app, n)| (*n, names.app(*app))).collect();
    (!list.is_empty()).then(|| fact("placed in the meantime", say::placed_meanwhile(&list, &hosts), Vec::new()))
}
