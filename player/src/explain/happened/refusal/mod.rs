//! Answers about refusals: what was refused when, by whom, by which rule with its figures, in YARN's words, and what would
//! help. Everything comes from the [`Refusal`] that the deciding code returned.

pub(crate) mod limit;

use crate::apps::told_of;
use crate::explain::landing;
use crate::explain::names::Names;
pub use crate::explain::say::refusals::{Rule, rule};
use crate::explain::say::{refused as say, things as say_things};
use crate::explain::things::fact;
use crate::explain::view::{EventOutcome, EventView, FactView, RefusedView, Selection, WhyView};
use crate::explain::words;
use heddle_core::journal::GiveUp;
use heddle_core::model::{AppId, Millis, RequestKey};
use heddle_core::rm::{AppEnd, Cut, Refusal, RefusalRule};
use heddle_core::scenario::Act;
use heddle_core::scheduler::QueueChoice;
use heddle_core::sim::{Notice, Tried, TriedOutcome};

/// Something that was refused.
#[derive(Clone, Debug)]
pub struct RefusalNotice<'a> {
    pub at: Millis,
    pub tried: Tried,
    pub refusal: &'a Refusal,
    /// For a submission: how the ResourceManager chose its queue, as far as it got.
    pub choice: Option<&'a QueueChoice>,
}

impl<'a> RefusalNotice<'a> {
    /// Reads a notice; `None` if it is no refusal.
    pub fn of(notice: &'a Notice) -> Option<RefusalNotice<'a>> {
        let TriedOutcome::Refused(refusal) = &notice.outcome else { return None };
        Some(RefusalNotice { at: notice.at, tried: notice.tried.clone(), refusal, choice: notice.choice.as_deref() })
    }

    /// Returns what the refusal is about.
    pub fn about(&self, names: Names<'_>) -> Option<Selection> {
        let app = |i: usize| names.scenario().apps.get(i).map(|a| Selection::App(a.name.clone()));
        match &self.tried {
            Tried::Node(m) => names.sim.machines().get(*m).map(|m| Selection::Node(m.spec.host.clone())),
            Tried::Happening(i) => happening(names, *i).and_then(|act| about_happening(act, self.at)),
            tried => app(tried.app()?),
        }
    }

    /// Returns the name of what the refusal is about.
    pub fn name(&self, names: Names<'_>) -> String {
        match self.about(names) {
            Some(Selection::Refresh(_)) | None => say::NEW_SETTINGS.to_string(),
            Some(about) => names.selection(&about),
        }
    }

    /// Returns what was tried, and that it was refused: "**etl** was refused".
    pub fn what(&self, names: Names<'_>) -> String {
        let name = self.name(names);
        match &self.tried {
            Tried::Submission(_) if self.is_by_client() => say::not_submitted(&name),
            Tried::Submission(_) => say::submission(&name),
            Tried::Registration(_) => say::registration(&name),
            Tried::Call(_) => say::call(&name),
            Tried::Request { count, .. } => say::requests(*count, &name),
            Tried::Node(_) => say::node(&name),
            Tried::Happening(i) => {
                let what = happening(names, *i).map_or(String::new(), say::of_act);
                match *self.refusal.kind {
                    RefusalRule::Settings(_) => say::SETTINGS_REFUSED.to_string(),
                    RefusalRule::NotThere => say::nothing_came_of(&what),
                    _ => say::act(&what),
                }
            }
        }
    }

    /// Returns a sentence for the headline, without its full stop: "**etl** was refused at 0:05: there is no queue x".
    pub fn headline(&self, names: Names<'_>) -> String {
        let rule = rule(names, self);
        let because = if rule.raw { "" } else { &rule.because };
        let said = self.said(names, because);
        let failed = rejections(names, &self.tried).is_some_and(|(.., failed)| failed);
        if failed { say::failed_since(&self.name(names), &said) } else { said }
    }

    /// Returns what was tried, when, and why it was refused; for several rejected requests of an application their total and
    /// the time of the last one.
    fn said(&self, names: Names<'_>, because: &str) -> String {
        match rejections(names, &self.tried) {
            Some((containers, last, _)) => {
                let what = say::several_requests(containers, &self.name(names));
                say::at_because(&what, &words::clock(last), because)
            }
            None => say::at_because(&self.what(names), &words::clock(self.at), because),
        }
    }

    /// Returns the sentence for an answer, which has room for YARN's words.
    pub fn sentence(&self, names: Names<'_>) -> String {
        self.said(names, &rule(names, self).because)
    }

    /// Returns whether a client program refused, so that YARN never saw the application.
    pub fn is_by_client(&self) -> bool {
        matches!(*self.refusal.kind, RefusalRule::ByClient(_))
    }

    /// Returns whether the journal has it too, in more detail.
    pub fn in_journal(&self) -> bool {
        matches!(*self.refusal.kind, RefusalRule::NoNode { .. } | RefusalRule::NotCommitted { .. })
    }

    /// Returns whether the refusal still counts: the same has not succeeded since.
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
            // The AM asks again until it gives up.
            Tried::Request { app, .. } => {
                let asks_once = names.scenario().apps.get(*app).is_some_and(|a| a.kind.asks_once());
                asks_once || names.sim.apps().get(*app).is_some_and(|r| r.succeeded == Some(false))
            }
            _ => true,
        }
    }
}

/// Returns how many containers of an application were rejected at more than one time, when the last one was, and whether the
/// application has failed.
fn rejections(names: Names<'_>, tried: &Tried) -> Option<(i64, Millis, bool)> {
    let Tried::Request { app, .. } = tried else { return None };
    let all = all(names).into_iter().filter_map(|told| match told.tried {
        Tried::Request { app: of, count, .. } if of == *app => Some((count, told.at)),
        _ => None,
    });
    let all: Vec<(i64, Millis)> = all.collect();
    let last = all.iter().map(|(_, at)| *at).max()?;
    let failed = names.sim.apps().get(*app).is_some_and(|run| run.succeeded == Some(false));
    (all.len() > 1).then(|| (all.iter().map(|(count, _)| count).sum(), last, failed))
}

fn happening(names: Names<'_>, i: usize) -> Option<&Act> {
    names.scenario().happenings.get(i).map(|h| &h.act)
}

fn about_happening(act: &Act, at: Millis) -> Option<Selection> {
    let node = act.node().map(|host| Selection::Node(host.to_string()));
    let app = || act.app().map(|app| Selection::App(app.to_string()));
    let refresh = || matches!(act, Act::Refresh { .. }).then_some(Selection::Refresh(at));
    node.or_else(app).or_else(refresh)
}

/// Returns everything that was refused so far, oldest first.
pub fn all<'a>(names: Names<'a>) -> Vec<RefusalNotice<'a>> {
    let noticed = names.sim.notices().iter().filter_map(RefusalNotice::of);
    let rejected = names.rm().apps().iter().filter_map(|app| {
        let tried = Tried::Submission(names.sim.place_of(app.id)?);
        Some(RefusalNotice { at: app.submitted_at, tried, refusal: app.rejected()?, choice: Some(&app.choice) })
    });
    let mut all: Vec<RefusalNotice<'a>> = noticed.chain(rejected).collect();
    heddle_core::model::order::sort_by_key(&mut all, |t| t.at);
    all
}

/// Returns the refusals that still count, oldest first; for an application only the first refused call and the first rejected
/// request.
pub fn standing<'a>(names: Names<'a>) -> Vec<RefusalNotice<'a>> {
    let mut out: Vec<RefusalNotice<'a>> = Vec::new();
    for told in all(names).into_iter().filter(|t| t.stands(names)) {
        let (app, call) = (told.tried.app(), matches!(told.tried, Tried::Call(_)));
        let many = call || matches!(told.tried, Tried::Request { .. });
        let known = |o: &RefusalNotice<'_>| o.tried.app() == app && matches!(o.tried, Tried::Call(_)) == call;
        if !many || !out.iter().any(known) {
            out.push(told);
        }
    }
    out
}

/// Returns the latest refusal of an application.
pub fn of_app<'a>(names: Names<'a>, name: &str) -> Option<RefusalNotice<'a>> {
    let place = names.scenario().apps.iter().position(|a| a.name == name)?;
    all(names).into_iter().rev().find(|t| t.tried.app() == Some(place))
}

/// Returns the latest refused move of an application: its target, when, and why.
pub fn move_of<'a>(names: Names<'a>, name: &str) -> Option<(&'a str, Millis, String)> {
    let told = standing(names).into_iter().rev();
    { told }.find_map(|told| {
        let Tried::Happening(i) = told.tried else { return None };
        match &names.scenario().happenings.get(i)?.act {
            Act::MoveApp { app, queue } if app == name => Some((queue.as_str(), told.at, rule(names, &told).because)),
            _ => None,
        }
    })
}

/// Returns whether something of an application was refused at this moment.
pub fn is_of(names: Names<'_>, app: &str, at: Millis) -> bool {
    let refused = |n: &Notice| n.at == at && matches!(n.outcome, TriedOutcome::Refused(_));
    let of_it = |n: &Notice| n.tried.app().and_then(|i| names.scenario().apps.get(i)).is_some_and(|a| a.name == app);
    names.sim.notices().iter().any(|n| refused(n) && of_it(n))
}

/// Returns a refusal as the picture shows it.
pub fn view(names: Names<'_>, told: &RefusalNotice<'_>) -> Option<RefusedView> {
    let rule = rule(names, told);
    let what = match told.tried {
        Tried::Submission(_) if told.is_by_client() => "not submitted",
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

/// Returns the events table's row for a refusal.
pub fn event(names: Names<'_>, told: &RefusalNotice<'_>) -> EventView {
    let verb = match told.tried {
        Tried::Submission(_) if told.is_by_client() => "not submitted",
        Tried::Call(_) => "call refused",
        Tried::Registration(_) => "AM refused",
        Tried::Request { .. } => "rejected",
        _ => "refused",
    };
    let rule = rule(names, told);
    let why = match &told.tried {
        Tried::Happening(_) if !matches!(told.about(names), Some(Selection::Refresh(_))) => {
            let act = if let Tried::Happening(i) = told.tried { happening(names, i) } else { None };
            format!("{}: {}", act.map_or(String::new(), say::of_act), rule.because)
        }
        Tried::Request { .. } => format!("{}: {}", told.what(names), rule.because),
        Tried::Submission(_) if told.is_by_client() => say::by_its_client(&rule.because),
        _ => rule.because,
    };
    EventView {
        time_ms: told.at,
        last_ms: told.at,
        fate: EventOutcome::Rejected,
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

/// Returns the events table's row for a reduced size.
pub fn cut_event(names: Names<'_>, at: Millis, tried: &Tried, cut: &Cut) -> Option<EventView> {
    let name = names.scenario().apps.get(tried.app()?)?.name.clone();
    Some(EventView {
        time_ms: at,
        last_ms: at,
        fate: EventOutcome::Joined,
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
    let said: Vec<String> =
        less.map(|i| say::one_instead_of(&words::one(cut.given, i, types), &words::one(cut.asked, i, types))).collect();
    told_of(names, cut.app).cut(&said).unwrap_or_else(|| say::cut(&said))
}

/// Returns how a request's size was reduced.
pub fn cut_of(names: Names<'_>, app: AppId, key: Option<RequestKey>) -> Vec<FactView> {
    let cuts = names.sim.notices().iter().filter_map(|n| match &n.outcome {
        TriedOutcome::Cut(cut) if cut.app == app && key.is_none_or(|k| k == cut.key) => Some((n.at, cut)),
        _ => None,
    });
    cuts.map(|(at, cut)| fact(&say::cut_at(&words::clock(at)), cut_words(names, cut))).collect()
}

/// Returns why an application ended badly, as a sentence without its full stop; `None` if it ended well or goes on.
pub fn end(names: Names<'_>, app: AppId) -> Option<String> {
    let known = names.rm().app(app)?;
    Some(match known.end.as_ref()? {
        AppEnd::Rejected(refusal) => {
            let tried = Tried::Submission(names.sim.place_of(app)?);
            let told = RefusalNotice { at: known.submitted_at, tried, refusal, choice: Some(&known.choice) };
            rule(names, &told).because
        }
        AppEnd::Killed => say::KILLED.to_string(),
        AppEnd::LifetimeOver => {
            let seconds = known.expires_at.map_or(0, |at| (at - known.submitted_at) / 1000);
            // A leaf sets a default lifetime where none is asked for, and cuts longer ones.
            let leaf = names.rm().queue(&known.queue).and_then(|id| names.rm().queues().get(id.index()));
            let of_leaf = leaf.filter(|leaf| known.submission.lifetime_s != Some(seconds) && leaf.is_leaf());
            let by = of_leaf.map(|leaf| {
                let maximum = leaf.conf.maximum_lifetime_s == seconds;
                let property = if maximum { "maximum-application-lifetime" } else { "default-application-lifetime" };
                (leaf.path.as_str(), property)
            });
            say::lifetime_over(&words::span(seconds * 1000), by)
        }
        AppEnd::AmFailed { attempts, window, why } => {
            let failed = say::am_failed(why, *attempts, *window);
            let of_it = of_app(names, names.app(app)).filter(|told| Some(told.at) == known.finished_at);
            match of_it {
                Some(told) => say::so(&own(names, &told), &failed),
                None => failed,
            }
        }
        AppEnd::Unregistered => {
            let run = names.run(app).filter(|r| r.succeeded == Some(false))?;
            match of_app(names, names.app(app)) {
                Some(told) => own(names, &told),
                None if run.gave_up == Some(GiveUp::TooLarge) => say::TOO_LARGE.to_string(),
                None => say::gave_up(run.progress().failed),
            }
        }
    })
}

/// Returns a refusal in the words of an answer about its application.
fn own(names: Names<'_>, told: &RefusalNotice<'_>) -> String {
    let because = &rule(names, told).because;
    match rejections(names, &told.tried) {
        Some((containers, last, _)) => {
            say::at_because(&say::several_own_requests(containers), &words::clock(last), because)
        }
        None => say::at_because(&what_of_own(told), &words::clock(told.at), because),
    }
}

/// Returns what was refused, in the words of an answer about its application.
fn what_of_own(told: &RefusalNotice<'_>) -> String {
    match told.tried {
        Tried::Call(_) => say::OWN_CALL.to_string(),
        Tried::Request { count, .. } => say::own_requests(count),
        Tried::Registration(_) => say::OWN_REGISTRATION.to_string(),
        _ => say::OWN.to_string(),
    }
}

/// Returns YARN's own words; `None` if the refusal is not YARN's. (A client's words are in the sentence.)
fn yarn(told: &RefusalNotice<'_>) -> Option<String> {
    let ours = matches!(
        *told.refusal.kind,
        RefusalRule::NotThere | RefusalRule::Client | RefusalRule::ByClient(_) | RefusalRule::Beyond { .. }
    );
    (!ours && !told.refusal.message.is_empty()).then(|| told.refusal.message.clone())
}

/// Adds to an answer who refused, the limit with its figures, YARN's words, and what would help.
pub fn add(names: Names<'_>, told: &RefusalNotice<'_>, view: &mut WhyView) {
    let rule = rule(names, told);
    let then = Names::at(names.sim, told.at);
    view.limits.extend(limit::limit(then, told));
    if !rule.mend.is_empty() {
        view.facts.push(fact(say::WHAT_WOULD_HELP, rule.mend));
    }
    if let Some(said) = yarn(told).filter(|said| view.yarn.iter().all(|(words, _)| words != said)) {
        view.yarn.push((said, 0));
    }
    view.sources.extend(rule.by.iter().filter(|by| !by.is_empty()).map(ToString::to_string));
}

/// Returns the whole answer about something that has nothing but its refusal.
pub fn why(names: Names<'_>, told: &RefusalNotice<'_>) -> WhyView {
    let mut view = WhyView {
        about: told.about(names),
        title: told.name(names),
        status: match told.is_by_client() {
            true => say::not_submitted_at(&words::clock(told.at)),
            false => say::refused_at(&words::clock(told.at)),
        },
        fate: Some(EventOutcome::Rejected),
        sentence: format!("{}{}{}.", told.sentence(names), by_rules(names, told), consequence(names, told)),
        ..WhyView::default()
    };
    if let Some(app) = told.tried.app().and_then(|i| names.scenario().apps.get(i)) {
        view.crumb = say_things::crumb_of_app(&app.queue, &app.user);
        if let Some(choice) = told.choice {
            let whose = (app.user.as_str(), app.queue.as_str());
            view.sentence.push_str(&landing::of_refused(names, choice, whose));
            view.facts.push(landing::of_choice(names, choice, whose, &app.queue));
        }
    }
    add(names, told, &mut view);
    view
}

/// Returns the result of each rule, if all placement rules together reject an application.
fn by_rules(names: Names<'_>, told: &RefusalNotice<'_>) -> String {
    let app = told.tried.app().and_then(|i| names.scenario().apps.get(i));
    match (&*told.refusal.kind, told.choice, app) {
        (RefusalRule::MappingRule, Some(choice), Some(app)) => landing::rejected(names, choice, &app.user),
        _ => String::new(),
    }
}

/// Returns what follows from the refusal.
fn consequence(names: Names<'_>, told: &RefusalNotice<'_>) -> &'static str {
    match told.tried {
        // A refused call creates no application; an application that is accepted and then rejected is FAILED.
        Tried::Submission(i) if names.sim.apps().get(i).is_some_and(|r| r.refused) => say::NO_APPLICATION,
        Tried::Submission(_) => say::NEVER_AN_ATTEMPT,
        Tried::Node(_) => say::SHUTS_DOWN,
        Tried::Call(_) => say::CALL_LOST,
        Tried::Registration(_) => say::NEVER_ASKS,
        Tried::Happening(_) if matches!(*told.refusal.kind, RefusalRule::Settings(_)) => say::OLD_SETTINGS_STAY,
        Tried::Request { .. } | Tried::Happening(_) => "",
    }
}
