//! Answers about what is not there: refused, still to come, over, or never heard of.

use crate::explain::names::Names;
use crate::explain::refusal::{self, Told};
use crate::explain::view::{Fate, Selection, WhyView};
use crate::explain::words;
use crate::model::Millis;
use crate::scenario::Act;

/// The answer about something that is not there at this moment.
pub fn why(names: Names<'_>, about: &Selection) -> WhyView {
    if let Some(told) = refused(names, about) {
        return refusal::why(names, &told);
    }
    let title = names.selection(about);
    let sentence = match comes(names, about) {
        Some((verb, at)) if at > names.now => format!("**{title}** {verb} at {}.", words::clock(at)),
        Some((_, at)) => match about {
            Selection::Refresh(_) => format!("The new settings were taken over at {}.", words::clock(at)),
            _ => "It is not there at this moment.".to_string(),
        },
        None => match about {
            Selection::App(_) => format!("The scenario has no application **{title}**."),
            Selection::Node(_) => format!("The scenario has no node **{title}**."),
            Selection::Queue(_) => format!("There is no queue **{title}** at this moment."),
            Selection::Refresh(_) => "Nothing is refreshed at that time.".to_string(),
            _ => "It is not there at this moment.".to_string(),
        },
    };
    let fate = matches!(about, Selection::Refresh(_)).then_some(Fate::Joined);
    WhyView { title, sentence, fate, ..WhyView::default() }
}

/// Its refusal, or that of the application that it belongs to.
fn refused<'a>(names: Names<'a>, about: &Selection) -> Option<Told<'a>> {
    match about {
        Selection::App(app)
        | Selection::Container { app, .. }
        | Selection::Request { app, .. }
        | Selection::Clause { app, .. } => refusal::of_app(names, app),
        Selection::User(_) => None,
        about => refusal::all(names).into_iter().rev().find(|t| t.about(names).as_ref() == Some(about)),
    }
}

/// When it comes, and what is said of that.
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
            let there = scenario.happenings.iter().any(|h| h.at == *at && matches!(h.act, Act::Refresh { .. }));
            there.then_some(("are read", *at))
        }
        _ => None,
    }
}
