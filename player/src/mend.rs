//! Remedies for a refusal: the one property that its limit depends on, found by running the changed scenario.

use super::Player;
use crate::apps::help::helped;
use crate::explain::refusal::{self, RefusalNotice};
use crate::explain::view::{HelpView, Selection};
use crate::explain::{Names, say, words};
use heddle_core::journal::Silent;
use heddle_core::model::Millis;
use heddle_core::rm::{AppEnd, ApplicationsBasis, RefusalRule};
use heddle_core::scenario::edit::{Setting, Step};
use heddle_core::scenario::{self, Act, edit};
use heddle_core::sim::{Simulation, Tried};
use std::sync::Arc;

/// How often a limit is raised further because others are admitted first.
const RAISES: usize = 8;

impl Player {
    /// Returns the changes that would have kept an application from being refused; all trial runs together play at most
    /// `events` events. Empty if it is not refused, or if the rule depends on no property.
    pub(super) fn mends(&self, about: &Selection, mut events: u64) -> Vec<HelpView> {
        let names = Names::at(&self.cursor, self.clock);
        let Selection::App(name) = about else { return Vec::new() };
        let Some(told) = refusal::of_app(names, name) else { return self.unended(name, &mut events) };
        let tries = properties(names, &told).into_iter();
        let mut out: Vec<HelpView> = tries.filter_map(|change| self.raise(&told, change, &mut events)).collect();
        // Keeps only a change that works among those that would create the missing queue.
        let made = made_queues(names, &told).into_iter();
        let tried = made.filter_map(|changes| Some(self.try_mend(&told, &changes, &mut events)?.0));
        out.extend(tried.filter(|help| help.helps).take(1));
        out
    }

    /// Tries a property that a refusal depends on, and raises it again while others that are admitted first use up the
    /// increase.
    fn raise(&self, told: &RefusalNotice<'_>, mut change: (String, String), events: &mut u64) -> Option<HelpView> {
        for _ in 1..RAISES {
            let (help, further) = self.try_mend(told, std::slice::from_ref(&change), events)?;
            match further.into_iter().find(|(name, value)| *name == change.0 && *value != change.1) {
                Some(more) => change = more,
                None => return Some(help),
            }
        }
        Some(self.try_mend(told, &[change], events)?.0)
    }

    /// Returns changes that would have kept an application from being ended: no lifetime, or more failures that its
    /// ApplicationMaster tolerates.
    fn unended(&self, name: &str, events: &mut u64) -> Vec<HelpView> {
        let names = Names::at(&self.cursor, self.clock);
        let Some(app) = self.scenario.apps.iter().find(|app| app.name == name) else { return Vec::new() };
        let known = names.find_app(name).and_then(|id| names.rm().app(id)).filter(|known| known.state.is_final());
        let set = |path: &str, setting: &Setting| {
            edit::set(&self.text, &[Step::from("apps"), Step::from(app.entry), Step::from(path)], setting).ok()
        };
        let mut tries: Vec<(String, String)> = Vec::new();
        match known.and_then(|known| known.end.as_ref()) {
            Some(AppEnd::LifetimeOver) if app.lifetime.is_some() => {
                tries.extend(set("lifetime", &Setting::Nothing).map(|text| (say::no_lifetime(name), text)));
            }
            Some(AppEnd::Unregistered)
                if known.and_then(|known| names.run(known.id)).is_some_and(|run| run.succeeded == Some(false)) =>
            {
                tries.extend(helped(&app.kind).bears_more(app, &self.text));
            }
            _ => {}
        }
        let goes_on = |(change, text): (String, String)| {
            let mut sim = Simulation::new(Arc::new(scenario::read(&text).scenario?)).ok()?;
            run(&mut sim, self.clock, events)?;
            let then = Names::at(&sim, self.clock);
            let known = then.find_app(name).and_then(|id| then.rm().app(id))?;
            let effect = say::not_over(&words::clock(self.clock));
            (!known.state.is_final()).then(|| HelpView {
                change,
                effect,
                helps: true,
                scenario: Some(text),
                ..HelpView::default()
            })
        };
        tries.into_iter().filter_map(goes_on).take(1).collect()
    }

    /// Tries changes. Returns the result, and the changes needed then if the application is still refused.
    fn try_mend(
        &self,
        told: &RefusalNotice<'_>,
        changes: &[(String, String)],
        events: &mut u64,
    ) -> Option<(HelpView, Vec<(String, String)>)> {
        // The refresh that set the properties in force at the time.
        let refreshed = self.scenario.happenings.iter().filter(|h| h.at <= told.at);
        let refreshed = refreshed.filter(|h| matches!(h.act, Act::Refresh { .. })).map(|h| h.at).max();
        let text = changes.iter().try_fold(self.text.clone(), |text, (name, value)| {
            if name.starts_with("yarn.") {
                return edit::set_property(&text, "yarn-site", name, &Setting::typed(value)).ok();
            }
            let full = format!("yarn.scheduler.capacity.{name}");
            edit::change_queues(&text, refreshed, edit::Change::Property(&full, value)).ok()
        })?;
        let scenario = scenario::read(&text).scenario?;
        let mut sim = Simulation::new(Arc::new(scenario)).ok()?;
        run(&mut sim, told.at.max(self.clock), events)?;
        let (now, then) = (Names::at(&self.cursor, self.clock), Names::at(&sim, self.clock));
        let all = refusal::all(then);
        let again = all.iter().find(|t| t.tried == told.tried && t.at <= told.at);
        let before = refusal::all(now);
        let new = all.iter().filter(|t| before.iter().all(|b| (&b.tried, b.at) != (&t.tried, t.at)));
        let new: Vec<&RefusalNotice<'_>> = new.collect();
        // Changes that YARN refuses have no effect.
        let in_vain = new.iter().any(|t| matches!(t.tried, Tried::Happening(_)));
        let new: Vec<String> = new.iter().map(|t| say::refused_instead(&t.name(then))).collect();
        let effect = match (again, &told.tried) {
            (Some(again), _) => say::refused_still(&refusal::rule(then, again).because),
            (None, Tried::Submission(_)) => say::let_in(&words::clock(told.at), &new),
            (None, _) => say::call_taken(&words::clock(told.at), &new),
        };
        let each: Vec<String> = changes.iter().map(|(name, value)| say::property(name, value)).collect();
        let change = say::together(&each);
        let further = again.map_or_else(Vec::new, |again| properties(then, again));
        let help = HelpView {
            change,
            effect,
            helps: again.is_none() && !in_vain,
            scenario: Some(text),
            ..HelpView::default()
        };
        Some((help, further))
    }
}

/// Plays to a time. Returns `None` if the events are used up.
fn run(sim: &mut Simulation, until: Millis, events: &mut u64) -> Option<()> {
    while sim.next_at().is_some_and(|at| at <= until) {
        *events = events.checked_sub(1)?;
        if sim.step_for(&mut Silent).is_none() {
            break;
        }
    }
    Some(())
}

/// Returns sets of changes to the limits on automatic queue creation: each limit that may prevent the queue alone, raised as
/// needed, and all together.
fn made_queues(names: Names<'_>, told: &RefusalNotice<'_>) -> Vec<Vec<(String, String)>> {
    let (RefusalRule::NotCreated { queue, .. } | RefusalRule::UnknownQueue { queue }) = &*told.refusal.kind else {
        return Vec::new();
    };
    let Some(scheduler) = names.rm().capacity() else { return Vec::new() };
    let above = std::iter::successors(queue.rsplit_once('.'), |(path, _)| path.rsplit_once('.')).map(|(path, _)| path);
    let mut out = Vec::new();
    for (distance, path) in (1..).zip(above) {
        let Some(q) = scheduler.find_queue(path).map(|id| scheduler.queue(id)) else { continue };
        let property = |name: &str| format!("{}.auto-queue-creation-v2.{name}", q.path);
        if q.conf.auto_create_v2.enabled || q.conf.dynamic {
            out.push((property("max-queues"), (q.children.len() + 1).to_string()));
        } else if !q.is_leaf() {
            out.push((property("enabled"), "true".to_string()));
        }
        if !q.conf.dynamic {
            out.push((property("maximum-queue-depth"), distance.to_string()));
            break;
        }
    }
    let all = out.clone();
    out.into_iter().map(|one| vec![one]).chain([all]).collect()
}

/// Returns the properties that a refusal depends on, with the smallest values that should be enough; the CapacityScheduler's
/// by their short names.
fn properties(names: Names<'_>, told: &RefusalNotice<'_>) -> Vec<(String, String)> {
    if names.rm().capacity().is_none() {
        return Vec::new();
    }
    let one = |name: &str, value: &str| vec![(name.to_string(), value.to_string())];
    let path = |queue: &str| names.rm().queue(queue).map_or(queue, |q| names.rm().queue_path(q)).to_string();
    match &*told.refusal.kind {
        RefusalRule::SystemApplications { there, .. } => {
            vec![("maximum-applications".to_string(), (there + 1).to_string())]
        }
        RefusalRule::QueueApplications { there, basis: ApplicationsBasis::Every(_), .. } => {
            vec![("global-queue-max-application".to_string(), (there + 1).to_string())]
        }
        RefusalRule::QueueApplications { queue, there, .. } => {
            vec![(format!("{queue}.maximum-applications"), (there + 1).to_string())]
        }
        RefusalRule::UserApplications { queue, there, of_queue: (most, _), percent, factor, .. } => {
            let wanted = (there + 1) as f64;
            // Two digits are enough; YARN's floats round down.
            let up = |x: f64, digits: f64| (x * digits - 1e-6).ceil() / digits;
            let share = f64::from(*percent) / 100.0;
            let mut out = Vec::new();
            if *most > *there && share > 0.0 {
                let value = up(wanted / (*most as f64 * share), 100.0);
                out.push((format!("{queue}.user-limit-factor"), value.to_string()));
            }
            if *factor > 0.0 && share > 0.0 {
                let value = up(wanted / (share * f64::from(*factor)), 1.0).max(wanted);
                out.push((format!("{queue}.maximum-applications"), value.to_string()));
            }
            out
        }
        RefusalRule::ConstraintsOff => one("yarn.resourcemanager.placement-constraints.handler", "scheduler"),
        RefusalRule::LabelsOff { .. } => one("yarn.node-labels.enabled", "true"),
        RefusalRule::NotRunning { queue, .. } => {
            let all = crate::explain::refusal::limit::not_running(names, queue).into_iter();
            all.map(|queue| (format!("{queue}.state"), "RUNNING".to_string())).collect()
        }
        RefusalRule::TooLarge(t) => {
            // No queue property can give what the cluster or a node lacks.
            let asked = t.asked[t.kind];
            let own = t.of_queue.as_ref().filter(|(_, own)| own[t.kind] < asked && asked <= t.configured[t.kind]);
            let which = ["mb", "vcores"].get(t.kind);
            let there = t.largest_node.is_none_or(|node| asked <= node[t.kind]);
            if let Some(which) = which.filter(|_| asked > t.configured[t.kind] && there) {
                return one(&format!("yarn.scheduler.maximum-allocation-{which}"), &asked.to_string());
            }
            let name = own.zip(which).map(|((queue, _), which)| format!("{queue}.maximum-allocation-{which}"));
            name.map(|name| (name, asked.to_string())).into_iter().collect()
        }
        RefusalRule::Permission { user, queue } => {
            let name = format!("{}.acl_submit_applications", path(queue));
            let old = names.rm().settings().capacity_scheduler.get(&format!("yarn.scheduler.capacity.{name}"));
            // Users come before the first blank, groups after it.
            let (users, groups) = old.map_or(("", ""), |acl| acl.split_once(' ').unwrap_or((acl, "")));
            let users = if users.is_empty() { user.clone() } else { format!("{users},{user}") };
            vec![(name, format!("{users} {groups}").trim_end().to_string())]
        }
        _ => Vec::new(),
    }
}
