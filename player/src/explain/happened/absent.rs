//! Answers about what is not there: refused, still to come, over, or unknown to the scenario.

use crate::explain::names::Names;
use crate::explain::refusal::{self, RefusalNotice};
use crate::explain::say::refused as say;
use crate::explain::view::{EventOutcome, Selection, WhyView};
use crate::explain::words;
use heddle_core::model::Millis;
use heddle_core::scenario::Act;
use heddle_core::sim::Simulation;

/// Returns the answer about something that is not there at this moment.
pub fn why(names: Names<'_>, about: &Selection) -> WhyView {
    if let Some(told) = refused(names, about) {
        return refusal::why(names, &told);
    }
    let title = names.selection(about);
    let sentence = match comes(names, about) {
        Some((verb, at)) if at > names.now => say::comes(&title, verb, &words::clock(at)),
        Some((_, at)) => match about {
            Selection::Refresh(_) => say::refreshed(&words::clock(at)),
            _ => say::NOT_THERE.to_string(),
        },
        None => match about {
            Selection::App(_) => say::no_such_app(&title),
            Selection::Node(_) => say::no_such_node(&title),
            Selection::Queue(_) => say::no_such_queue(&title),
            Selection::Refresh(_) => say::NOTHING_REFRESHED.to_string(),
            _ => say::NOT_THERE.to_string(),
        },
    };
    let fate = matches!(about, Selection::Refresh(_)).then_some(EventOutcome::Joined);
    WhyView { title, sentence, fate, ..WhyView::default() }
}

/// Returns its refusal, or the refusal of the application that it belongs to.
fn refused<'a>(names: Names<'a>, about: &Selection) -> Option<RefusalNotice<'a>> {
    match (about.app(), about) {
        (Some(app), _) => refusal::of_app(names, app),
        (None, Selection::User(_) | Selection::Landing { .. }) => None,
        (None, about) => refusal::all(names).into_iter().rev().find(|t| t.about(names).as_ref() == Some(about)),
    }
}

/// Returns when it comes, with the verb for that.
fn comes(names: Names<'_>, about: &Selection) -> Option<(&'static str, Millis)> {
    let scenario = names.scenario();
    let happening = |is: &dyn Fn(&Act) -> bool| scenario.happenings.iter().find(|h| is(&h.act)).map(|h| h.at);
    match about {
        Selection::App(app) => Some(("is submitted", scenario.apps.iter().find(|a| a.name == *app)?.at)),
        Selection::Node(host) => {
            let first = scenario.nodes.iter().find(|n| n.spec.host == *host).map(|n| n.at);
            let added = || happening(&|act| matches!(act, Act::AddNode(node) if node.spec.host == *host));
            Some(("joins", first.or_else(added)?))
        }
        Selection::Refresh(at) => {
            let of_the_time = scenario.happenings.iter().filter(|h| h.at == *at);
            of_the_time.into_iter().find_map(|h| match h.act {
                // A rewritten file is loaded only after it has not changed for a while.
                Act::Refresh { written: true, .. } => Some(("are read", Simulation::file_is_loaded_at(*at))),
                Act::Refresh { .. } => Some(("are read", *at)),
                _ => None,
            })
        }
        _ => None,
    }
}

/// Returns the names of its kind that the scenario has; `None` if the scenario has this one, at any time.
pub fn unknown(names: Names<'_>, about: &Selection) -> Option<Vec<String>> {
    let scenario = names.scenario();
    let all: Vec<String> = match (about, about.app()) {
        (_, Some(_)) => scenario.apps.iter().map(|a| a.name.clone()).collect(),
        (Selection::Node(_), _) => {
            let added = scenario.happenings.iter().filter_map(|h| match &h.act {
                Act::AddNode(node) => Some(node.spec.host.clone()),
                _ => None,
            });
            scenario.nodes.iter().map(|n| n.spec.host.clone()).chain(added).collect()
        }
        (Selection::Queue(_), _) => names.rm().queues().iter().map(|q| names.queue(q.id).to_string()).collect(),
        (Selection::User(_), _) => scenario.apps.iter().map(|a| a.user.clone()).collect(),
        (Selection::Refresh(_), _) => {
            let refreshes = scenario.happenings.iter().filter(|h| matches!(h.act, Act::Refresh { .. }));
            refreshes.map(|h| h.at.to_string()).collect()
        }
        _ => return None,
    };
    let known = match (about, about.app()) {
        (_, Some(app)) => names.find_app(app).is_some() || all.iter().any(|name| name == app),
        (Selection::Queue(path), _) => names.rm().queue(path).is_some(),
        (Selection::Node(name) | Selection::User(name), _) => all.contains(name),
        (Selection::Refresh(_), _) => comes(names, about).is_some(),
        _ => true,
    };
    (!known).then_some(all)
}
