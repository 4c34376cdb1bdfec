//! Refusals as answers: what was refused when, by whom, by which rule with its figures, in YARN's words, and what would
//! help. All of it from the [`Refusal`] that the deciding code returned.

pub(super) mod limit;

use super::names::Names;
pub use super::say::refusals::{Rule, rule};
use super::things::fact;
use super::view::{EventView, FactView, Fate, RefusedView, Selection, WhyView};
use super::words;
use crate::model::{AppId, Millis, RequestKey};
use crate::rm::{AmEnd, AppEnd, Cut, Refusal, Refused};
use crate::scenario::Act;
use crate::scheduler::app::EndCause;
use crate::sim::{Notice, Outcome, Tried};

/// Something that was refused.
#[derive(Clone, Debug)]
pub struct Told<'a> {
    /// When.
    pub at: Millis,
    /// What was tried.
    pub tried: Tried,
    /// By which rule.
    pub refusal: &'a Refusal,
}

impl<'a> Told<'a> {
    /// What a notice tells, if it is a refusal.
    pub fn of(notice: &'a Notice) -> Option<Told<'a>> {
        let Outcome::Refused(refusal) = &notice.outcome else { return None };
        Some(Told { at: notice.at, tried: notice.tried.clone(), refusal })
    }

    /// What it is about.
    pub fn about(&self, names: Names<'_>) -> Option<Selection> {
        let app = |i: usize| names.scenario().apps.get(i).map(|a| Selection::App(a.name.clone()));
        match &self.tried {
            Tried::Node(m) => names.sim.machines().get(*m).map(|m| Selection::Node(m.spec.host.clone())),
            Tried::Happening(i) => happening(names, *i).and_then(|act| about_happening(act, self.at)),
            tried => app(tried.app()?),
        }
    }

    /// Its name.
    pub fn name(&self, names: Names<'_>) -> String {
        match self.about(names) {
            Some(Selection::Refresh(_)) | None => "new settings".to_string(),
            Some(about) => names.selection(&about),
        }
    }

    /// What was tried, and that it was refused: "**etl** was refused".
    pub fn what(&self, names: Names<'_>) -> String {
        let name = self.name(names);
        match &self.tried {
            Tried::Submission(_) => format!("**{name}** was refused"),
            Tried::Registration(_) => format!("The AM of **{name}** was not let in"),
            Tried::Call(_) => format!("A call of **{name}** was refused"),
            Tried::Request { count, .. } => {
                let (many, were) = (words::count(*count, "container"), if *count == 1 { "was" } else { "were" });
                format!("{many} of **{name}** {were} rejected")
            }
            Tried::Node(_) => format!("Node **{name}** was refused"),
            Tried::Happening(i) => {
                let what = happening(names, *i).map_or(String::new(), words_of_happening);
                match *self.refusal.kind {
                    Refused::Settings(_) => "The new settings were refused".to_string(),
                    Refused::NotThere => format!("Nothing came of \"{what}\""),
                    _ => format!("Refused: \"{what}\""),
                }
            }
        }
    }

    /// One sentence for the headline, without its full stop: "**etl** was refused at 0:05: there is no queue x".
    pub fn headline(&self, names: Names<'_>) -> String {
        let rule = rule(names, self);
        let why = if rule.raw { String::new() } else { format!(": {}", rule.because) };
        format!("{} at {}{why}", self.what(names), words::clock(self.at))
    }

    /// The same for an answer, where there is room for YARN's words.
    pub fn sentence(&self, names: Names<'_>) -> String {
        format!("{} at {}: {}", self.what(names), words::clock(self.at), rule(names, self).because)
    }

    /// Does the journal tell it as well, with more of it?
    pub fn in_journal(&self) -> bool {
        matches!(*self.refusal.kind, Refused::NoNode { .. } | Refused::NotCommitted { .. })
    }

    /// Does it still count now: has the same not been done since?
    fn stands(&self, names: Names<'_>) -> bool {
        match &self.tried {
            Tried::Node(m) => names.sim.machines().get(*m).is_none_or(|m| m.id.is_none()),
            Tried::Happening(i) => {
                let refresh = |at: usize| matches!(happening(names, at), Some(Act::Refresh { .. }));
                let list = &names.scenario().happenings;
                let later = (0..list.len()).filter(|j| list[*j].at > self.at && list[*j].at <= names.now);
                let refused = |j: usize| names.sim.notices().iter().any(|n| n.tried == Tried::Happening(j));
                !refresh(*i) || !later.into_iter().any(|j| refresh(j) && !refused(j))
            }
            // Asked for again, until the AM gives up.
            Tried::Request { app, .. } => {
                let asks_once = names.scenario().apps.get(*app).is_some_and(|a| a.kind.asks_once());
                asks_once || names.sim.apps().get(*app).is_some_and(|r| r.succeeded == Some(false))
            }
            _ => true,
        }
    }
}

fn happening(names: Names<'_>, i: usize) -> Option<&Act> {
    names.scenario().happenings.get(i).map(|h| &h.act)
}

fn about_happening(act: &Act, at: Millis) -> Option<Selection> {
    Some(match act {
        Act::AddNode(node) => Selection::Node(node.spec.host.clone()),
        Act::RemoveNode(node)
        | Act::CrashNode(node)
        | Act::ReturnNode(node)
        | Act::Unhealthy(node)
        | Act::Healthy(node)
        | Act::Decommission { node, .. }
        | Act::Recommission(node)
        | Act::Resize { node, .. }
        | Act::LabelNode { node, .. }
        | Act::Attributes { node, .. } => Selection::Node(node.clone()),
        Act::KillApp(app)
        | Act::HangAm(app)
        | Act::MoveApp { app, .. }
        | Act::SetPriority { app, .. }
        | Act::FinishContainer { app, .. } => Selection::App(app.clone()),
        Act::PutConstraint { app, .. } => Selection::App(app.clone()?),
        Act::Refresh { .. } => Selection::Refresh(at),
    })
}

fn words_of_happening(act: &Act) -> String {
    match act {
        Act::AddNode(node) => format!("node {} joins", node.spec.host),
        Act::RemoveNode(node) => format!("node {node} is removed"),
        Act::CrashNode(node) => format!("node {node} crashes"),
        Act::ReturnNode(node) => format!("node {node} returns"),
        Act::Unhealthy(node) => format!("node {node} becomes unhealthy"),
        Act::Healthy(node) => format!("node {node} becomes healthy"),
        Act::Decommission { node, .. } => format!("node {node} is decommissioned"),
        Act::Recommission(node) => format!("node {node} is recommissioned"),
        Act::Resize { node, .. } => format!("node {node} is resized"),
        Act::LabelNode { node, label } => format!("node {node} gets label {label}"),
        Act::Attributes { node, .. } => format!("node {node} gets other attributes"),
        Act::KillApp(app) => format!("{app} is killed"),
        Act::HangAm(app) => format!("the AM of {app} falls silent"),
        Act::MoveApp { app, queue } => format!("{app} moves to {queue}"),
        Act::SetPriority { app, priority } => format!("{app} gets priority {priority}"),
        Act::FinishContainer { app, container, .. } => format!("container {container} of {app} ends"),
        Act::PutConstraint { tags, .. } => format!("a constraint is set for {}", tags.join(", ")),
        Act::Refresh { .. } => "the settings are read anew".to_string(),
    }
}

/// Everything that was refused so far, oldest first.
pub fn all<'a>(names: Names<'a>) -> Vec<Told<'a>> {
    let noticed = names.sim.notices().iter().filter_map(Told::of);
    let rejected = names.rm().apps().iter().filter_map(|app| {
        let tried = Tried::Submission(names.sim.place_of(app.id)?);
        Some(Told { at: app.submitted_at, tried, refusal: app.rejected()? })
    });
    let mut all: Vec<Told<'a>> = noticed.chain(rejected).collect();
    crate::model::order::sort_by_key(&mut all, |t| t.at);
    all
}

/// What was refused and has not been done since, oldest first; of the refused calls of an application, and of its
/// rejected requests, the first.
pub fn standing<'a>(names: Names<'a>) -> Vec<Told<'a>> {
    let mut out: Vec<Told<'a>> = Vec::new();
    for told in all(names).into_iter().filter(|t| t.stands(names)) {
        let (app, call) = (told.tried.app(), matches!(told.tried, Tried::Call(_)));
        let many = call || matches!(told.tried, Tried::Request { .. });
        let known = |o: &Told<'_>| o.tried.app() == app && matches!(o.tried, Tried::Call(_)) == call;
        if !many || !out.iter().any(known) {
            out.push(told);
        }
    }
    out
}

/// What was refused of an application, its latest.
pub fn of_app<'a>(names: Names<'a>, name: &str) -> Option<Told<'a>> {
    let place = names.scenario().apps.iter().position(|a| a.name == name)?;
    all(names).into_iter().rev().find(|t| t.tried.app() == Some(place))
}

/// For the picture.
pub fn view(names: Names<'_>, told: &Told<'_>) -> Option<RefusedView> {
    let rule = rule(names, told);
    let what = match told.tried {
        Tried::Submission(_) => "refused",
        Tried::Registration(_) => "AM refused",
        Tried::Call(_) => "call refused",
        Tried::Request { .. } => "rejected",
        Tried::Node(_) => "node refused",
        Tried::Happening(_) => "refused",
    };
    Some(RefusedView {
        id: told.about(names)?,
        name: told.name(names),
        what: what.to_string(),
        since_ms: told.at,
        short: rule.short.to_string(),
        text: format!("{}.", told.headline(names)),
    })
}

/// A row of the events table.
pub fn event(names: Names<'_>, told: &Told<'_>) -> EventView {
    let verb = match told.tried {
        Tried::Call(_) => "call refused",
        Tried::Registration(_) => "AM refused",
        Tried::Request { .. } => "rejected",
        _ => "refused",
    };
    let rule = rule(names, told);
    let why = match &told.tried {
        Tried::Happening(_) if !matches!(told.about(names), Some(Selection::Refresh(_))) => {
            let act = if let Tried::Happening(i) = told.tried { happening(names, i) } else { None };
            format!("{}: {}", act.map_or(String::new(), words_of_happening), rule.because)
        }
        Tried::Request { .. } => format!("{}: {}", told.what(names), rule.because),
        _ => rule.because,
    };
    EventView {
        time_ms: told.at,
        last_ms: told.at,
        fate: Fate::Rejected,
        verb: verb.to_string(),
        who: told.about(names),
        name: told.name(names),
        node: String::new(),
        why,
        yarn: yarn(told).unwrap_or_default(),
        mend: rule.mend,
        times: 1,
    }
}

/// A row of the events table for a size that was cut.
pub fn cut_event(names: Names<'_>, at: Millis, tried: &Tried, cut: &Cut) -> Option<EventView> {
    let name = names.scenario().apps.get(tried.app()?)?.name.clone();
    Some(EventView {
        time_ms: at,
        last_ms: at,
        fate: Fate::Joined,
        verb: "size cut".to_string(),
        who: Some(names.request(cut.app, cut.key)),
        name,
        node: String::new(),
        why: cut_words(names, cut),
        yarn: String::new(),
        mend: String::new(),
        times: 1,
    })
}

fn cut_words(names: Names<'_>, cut: &Cut) -> String {
    let types = &names.rm().cluster().types;
    let less = (0..types.len()).filter(|i| cut.given[*i] < cut.asked[*i]);
    let said: Vec<String> = less
        .map(|i| format!("{} instead of {}", words::one(cut.given, i, types), words::one(cut.asked, i, types)))
        .collect();
    format!(
        "Asked for with {}: a request with tags is cut, without a word, to the most that a container may have",
        words::list(&said, 4)
    )
}

/// What was cut of a request's size.
pub fn cut_of(names: Names<'_>, app: AppId, key: Option<RequestKey>) -> Vec<FactView> {
    let cuts = names.sim.notices().iter().filter_map(|n| match &n.outcome {
        Outcome::Cut(cut) if cut.app == app && key.is_none_or(|k| k == cut.key) => Some((n.at, cut)),
        _ => None,
    });
    cuts.map(|(at, cut)| fact(&format!("size cut at {}", words::clock(at)), cut_words(names, cut))).collect()
}

/// Why an application ended that did not end well, as a sentence without its full stop; `None` if it did, or goes on.
pub fn end(names: Names<'_>, app: AppId) -> Option<String> {
    let known = names.rm().app(app)?;
    Some(match known.end.as_ref()? {
        AppEnd::Rejected(refusal) => {
            let told = Told { at: known.submitted_at, tried: Tried::Submission(names.sim.place_of(app)?), refusal };
            rule(names, &told).because
        }
        AppEnd::Killed => "somebody killed it".to_string(),
        AppEnd::LifetimeOver => {
            let seconds = known.expires_at.map_or(0, |at| (at - known.submitted_at) / 1000);
            format!("its lifetime of {} was over", words::span(seconds * 1000))
        }
        AppEnd::AmFailed { attempts, why } => {
            let how = match why {
                AmEnd::Exited(code) => format!("its AM exited with code {code}"),
                AmEnd::TimedOut => "its AM was not heard of for too long".to_string(),
                AmEnd::Container(EndCause::LostNode) => "the node of its AM was lost".to_string(),
                AmEnd::Container(EndCause::Expired) => "its AM was never started".to_string(),
                AmEnd::Container(_) => "its AM's container was taken away".to_string(),
            };
            format!(
                "{how}, {}",
                match attempts {
                    1 => "and it may have no other attempt".to_string(),
                    n => format!("the last of {n} attempts"),
                }
            )
        }
        AppEnd::Unregistered => {
            let run = names.run(app).filter(|r| r.succeeded == Some(false))?;
            match of_app(names, names.app(app)) {
                Some(told) => {
                    format!("{} at {}: {}", what_of_own(&told), words::clock(told.at), rule(names, &told).because)
                }
                None => format!("{} of its tasks failed, and its AM gave up", run.progress().failed),
            }
        }
    })
}

/// What was refused, told of its application.
fn what_of_own(told: &Told<'_>) -> String {
    match told.tried {
        Tried::Call(_) => "a call of it was refused".to_string(),
        Tried::Request { count, .. } => {
            format!("{} of it {} rejected", words::count(count, "container"), if count == 1 { "was" } else { "were" })
        }
        Tried::Registration(_) => "its AM was not let in".to_string(),
        _ => "it was refused".to_string(),
    }
}

/// YARN's own words; what is not YARN's has none.
fn yarn(told: &Told<'_>) -> Option<String> {
    let ours = matches!(*told.refusal.kind, Refused::NotThere | Refused::Client | Refused::Beyond { .. });
    (!ours && !told.refusal.message.is_empty()).then(|| told.refusal.message.clone())
}

/// Adds to an answer who refused it, by which limit with its figures, YARN's words, and what would help.
pub fn add(names: Names<'_>, told: &Told<'_>, view: &mut WhyView) {
    let rule = rule(names, told);
    let then = Names::at(names.sim, told.at);
    view.limits.extend(limit::limit(then, told));
    if !rule.mend.is_empty() {
        view.facts.push(fact("what would help", rule.mend));
    }
    if let Some(said) = yarn(told).filter(|said| view.yarn.iter().all(|(words, _)| words != said)) {
        view.yarn.push((said, 0));
    }
    view.sources.extend(rule.by.iter().filter(|by| !by.is_empty()).map(ToString::to_string));
}

/// The whole answer for something of which there is nothing but the refusal.
pub fn why(names: Names<'_>, told: &Told<'_>) -> WhyView {
    let mut view = WhyView {
        about: told.about(names),
        title: told.name(names),
        status: format!("refused at {}", words::clock(told.at)),
        fate: Some(Fate::Rejected),
        sentence: format!("{}{}.", told.sentence(names), consequence(names, told)),
        ..WhyView::default()
    };
    if let Some(app) = told.tried.app().and_then(|i| names.scenario().apps.get(i)) {
        view.crumb = format!("{} › {}", app.queue, app.user);
    }
    add(names, told, &mut view);
    view
}

/// What is so because of the refusal.
fn consequence(names: Names<'_>, told: &Told<'_>) -> &'static str {
    match told.tried {
        // A call that is refused makes no application; one that is taken in and rejected is FAILED.
        Tried::Submission(i) if names.sim.apps().get(i).is_some_and(|r| r.refused) => ". No application appears",
        Tried::Submission(_) => ". The application is FAILED and never had an attempt",
        Tried::Node(_) => ". The NodeManager is told to shut down",
        Tried::Call(_) => ". Nothing of that call counts",
        Tried::Registration(_) => ". So it never asks for anything",
        Tried::Happening(_) if matches!(*told.refusal.kind, Refused::Settings(_)) => ". The old ones stay",
        Tried::Request { .. } | Tried::Happening(_) => "",
    }
}
