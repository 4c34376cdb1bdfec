//! What would help (product.md 8, idea 2): a few single changes, each found by running the changed scenario. Nothing is
//! reported that was not run.

use super::{Player, step};
use crate::constraint::{Constraint, print};
use crate::explain::checks::Check;
use crate::explain::checks::words::{circled, clause_title};
use crate::explain::request::{self, Explained};
use crate::explain::view::{HelpView, Selection, WhyView};
use crate::explain::waiting::Waiting;
use crate::explain::{Names, words};
use crate::journal::Silent;
use crate::model::Millis;
use crate::scenario::edit::{self, Setting, Step};
use crate::scenario::{self, AppKind};
use crate::sim::Simulation;
use std::sync::Arc;

/// How long after the present moment a change has to show its effect.
const HORIZON_MS: Millis = 120_000;
/// Events that one search plays at most.
const HELP_EVENTS: u64 = 400_000;
/// Kinds of changes that are tried at most.
const TRIES: usize = 8;

/// One change to try.
struct Try {
    /// What it says.
    change: String,
    /// The changed text.
    text: String,
    /// Does it change something from the present moment on only?
    from_now: bool,
}

impl Player {
    /// What would let a waiting request start, each found by running it; at most so many events in all. Changes that
    /// were expected to help and do not are told as well. Of an application that was refused what would have kept it from
    /// that. Empty for anything but a waiting request, or an application with one, or refused.
    pub fn help(&self, about: &Selection, events: u64) -> Vec<HelpView> {
        let names = Names::at(&self.cursor, self.clock);
        let insight = self.insight();
        let waiting = request::find(names, &insight.waiting, about);
        let waiting = waiting.or_else(|| {
            let app = if let Selection::App(name) = about { name } else { return None };
            insight.waiting.iter().find(|w| names.app(w.app) == app)
        });
        let Some(w) = waiting else { return self.mends(about, events) };
        let explained = self.explained(&insight, w);
        let mut left = events;
        let mut out = Vec::new();
        let goal = Goal::of(&self.cursor, w);
        // What happens without any change: a change helps only if it is sooner.
        let waiting = self.wait_for(w, &goal, &mut left);
        let by_itself = waiting.as_ref().and_then(|(_, at)| *at);
        for family in self.tries(w, &explained).into_iter().take(TRIES) {
            // Of several values of one setting the first that helps, else the last.
            let mut found = None;
            for attempt in family {
                found = self.run_try(attempt, &goal, by_itself, &mut left).or(found);
                if found.as_ref().is_some_and(|h| h.helps) || left == 0 {
                    break;
                }
            }
            out.extend(found);
        }
        out.extend(waiting.map(|(view, _)| view));
        crate::model::order::sort_by_key(&mut out, |h| !h.helps);
        out
    }

    /// [`Player::why`] with what would help.
    pub fn why_with_help(&self, about: &Selection) -> WhyView {
        WhyView { help: self.help(about, HELP_EVENTS), ..self.why(about) }
    }

    fn run_try(&self, attempt: Try, goal: &Goal, by_itself: Option<Millis>, left: &mut u64) -> Option<HelpView> {
        let scenario = scenario::read(&attempt.text).scenario?;
        let mut sim = Simulation::new(Arc::new(scenario)).ok()?;
        let reached = goal.reach(&mut sim, self.clock + HORIZON_MS, left)?;
        let effect = match reached {
            Some(at) if by_itself.is_some_and(|b| b <= at) => {
                format!("no sooner: it starts at {} either way", words::clock(at))
            }
            Some(at) if at <= self.clock && !attempt.from_now => {
                format!("it would have started at {}", words::clock(at))
            }
            Some(at) if at <= self.clock => "it starts at once".to_string(),
            Some(at) => format!("it starts {} from now, at {}", words::span(at - self.clock), words::clock(at)),
            None => format!("it still waits {} from now", words::span(HORIZON_MS)),
        };
        let helps = reached.is_some_and(|at| by_itself.is_none_or(|b| at < b));
        let side = if helps { self.side_effect(&sim) } else { String::new() };
        Some(HelpView {
            change: attempt.change,
            effect: format!("{effect}{side}"),
            helps,
            scenario: Some(attempt.text),
        })
    }

    /// Who waits for more than now, at the moment that the run has reached.
    fn side_effect(&self, changed: &Simulation) -> String {
        let waits = |sim: &Simulation| {
            let names = Names::new(sim);
            let mut out: Vec<(String, i64)> = Vec::new();
            for w in crate::explain::waiting::waiting(sim) {
                let name = names.app(w.app).to_string();
                match out.iter_mut().find(|(n, _)| *n == name) {
                    Some((_, count)) => *count += w.count,
                    None => out.push((name, w.count)),
                }
            }
            out
        };
        // The same moment without the change.
        let mut same = self.state_before(self.at);
        while same.next_at().is_some_and(|at| at <= changed.now()) && step(&mut same, &mut Silent).is_some() {}
        let before = waits(&same);
        let longer: Vec<String> = waits(changed)
            .into_iter()
            .filter(|(name, count)| before.iter().find(|(n, _)| n == name).map_or(0, |(_, c)| *c) < *count)
            .map(|(name, _)| name)
            .collect();
        if longer.is_empty() {
            "; nobody waits longer".to_string()
        } else {
            format!("; then {} waits for more", words::list(&longer, 3))
        }
    }

    /// Does something that ends by itself help, and when?
    fn wait_for(&self, w: &Waiting, goal: &Goal, left: &mut u64) -> Option<(HelpView, Option<Millis>)> {
        let mut sim = self.state_before(self.at);
        let reached = goal.reach(&mut sim, self.clock + 10 * HORIZON_MS, left)?;
        let name = Names::at(&self.cursor, self.clock).request_name(w.app, w.key, w.count);
        let effect = match reached {
            Some(at) => format!("{name} starts {} from now, at {}", words::span(at - self.clock), words::clock(at)),
            None => format!("{name} still waits {} from now", words::span(sim.now().max(self.clock) - self.clock)),
        };
        let view = HelpView { change: "Waiting".to_string(), effect, helps: reached.is_some(), scenario: None };
        Some((view, reached))
    }

    /// Changes that may help, the likeliest first; several values of one setting together.
    fn tries(&self, w: &Waiting, e: &Explained) -> Vec<Vec<Try>> {
        let mut out = Vec::new();
        let stop = e.chain.limits.iter().find(|l| !l.passes).map(|l| l.name.as_str());
        let names = Names::at(&self.cursor, self.clock);
        let queue = names.rm().app(w.app).map_or(String::new(), |a| a.queue.clone());
        match stop {
            // The properties tried here are the CapacityScheduler's.
            _ if names.rm().capacity().is_none() => {}
            Some("AM limit" | "user AM limit") => out.push(self.am_percents(&queue)),
            Some("user limit") => out.push(self.user_limits(&queue)),
            Some("queue max" | "headroom") => {
                let of = e.chain.limits.iter().find(|l| !l.passes).map_or(queue.clone(), |l| l.of.clone());
                if of != "root" {
                    out.push(self.maximum(&of).into_iter().collect());
                }
            }
            Some("parallel applications") => {
                let of = e.chain.limits.iter().find(|l| !l.passes).map_or(String::new(), |l| l.of.clone());
                let name = format!("{of}.max-parallel-apps");
                let more = ["2", "4", "10", "100"].iter();
                out.push(more.filter_map(|n| self.property(&name, n, "")).collect());
            }
            _ => {}
        }
        if let Some(table) = &e.table {
            for check in &table.checks {
                if let Check::Clause(n, _, leaf) = check {
                    out.push(self.without_clause(w, *n, &clause_title(leaf)).into_iter().collect());
                }
            }
        }
        out.push(self.one_more_node(w).into_iter().collect());
        out
    }

    fn property(&self, name: &str, value: &str, words: &str) -> Option<Try> {
        let full = format!("yarn.scheduler.capacity.{name}");
        if self.scenario.settings.capacity_scheduler.get(&full).is_some_and(|v| v == value) {
            return None;
        }
        let text = edit::change_queues(&self.text, None, edit::Change::Property(&full, value)).ok()?;
        let change = if words.is_empty() { format!("{name} = {value}") } else { format!("{name} = {value}: {words}") };
        Some(Try { change, text, from_now: false })
    }

    /// The smallest of a few shares for AMs that helps is found by trying them in order.
    fn am_percents(&self, queue: &str) -> Vec<Try> {
        let of_queue = format!("yarn.scheduler.capacity.{queue}.maximum-am-resource-percent");
        let global = "yarn.scheduler.capacity.maximum-am-resource-percent";
        let set = &self.scenario.settings.capacity_scheduler;
        let name = if set.contains_key(&of_queue) {
            format!("{queue}.maximum-am-resource-percent")
        } else {
            "maximum-am-resource-percent".to_string()
        };
        let now: f64 =
            set.get(&of_queue).or_else(|| set.get(global)).and_then(|v| v.trim().parse().ok()).unwrap_or(0.1);
        let steps = [0.2, 0.3, 0.4, 0.5, 0.7, 1.0].into_iter().filter(|p| *p > now);
        steps.filter_map(|p| self.property(&name, &p.to_string(), "")).collect()
    }

    fn user_limits(&self, queue: &str) -> Vec<Try> {
        let set = &self.scenario.settings.capacity_scheduler;
        let full = format!("yarn.scheduler.capacity.{queue}.user-limit-factor");
        let now: f64 = set.get(&full).and_then(|v| v.trim().parse().ok()).unwrap_or(1.0);
        let steps = [2.0, 4.0, 10.0].into_iter().filter(|f| *f > now);
        steps.filter_map(|f| self.property(&format!("{queue}.user-limit-factor"), &f.to_string(), "")).collect()
    }

    fn maximum(&self, queue: &str) -> Option<Try> {
        let name = format!("{queue}.maximum-capacity");
        self.property(&name, "100", "")
    }

    /// The spec without one of its clauses.
    fn without_clause(&self, w: &Waiting, number: usize, title: &str) -> Option<Try> {
        let place = self.cursor.place_of(w.app)?;
        let app = self.scenario.apps.get(place)?;
        let AppKind::DistributedShell(shell) = &app.kind else { return None };
        let spec = shell.spec.as_ref()?;
        let mut read = crate::constraint::parse_spec(&spec.text).ok()?;
        let entry = read.entries.iter_mut().find(|e| e.clauses.contains(&(number - 1)))?;
        let nth = number - 1 - entry.clauses.start;
        let mut left = nth;
        entry.constraint = entry.constraint.take().and_then(|c| without_leaf(c, &mut left));
        let text = print::spec(&read).ok()?;
        let path = [Step::from("apps"), Step::from(app.entry), Step::from("spec")];
        let text = edit::set(&self.text, &path, &Setting::Text(text)).ok()?;
        Some(Try { change: format!("Without clause {} {title}", circled(number)), text, from_now: false })
    }

    /// One more node like the last of the scenario, from the present moment on.
    fn one_more_node(&self, w: &Waiting) -> Option<Try> {
        let like = self.scenario.nodes.last().map(|n| n.spec.host.clone());
        let stem = like.as_deref().unwrap_or("n").trim_end_matches(|c: char| c.is_ascii_digit());
        let taken = |name: &String| self.cursor.machines().iter().any(|m| m.spec.host == *name);
        let first = self.cursor.machines().len() + 1;
        let name = (first..).map(|i| format!("{stem}{i}")).find(|n| !taken(n))?;
        let at = self.clock.max(1);
        let text = edit::add_node_like_last(&self.text, &name, at).ok()?;
        let change = match like {
            Some(like) => {
                let node = self.cursor.rm().node_by_host(&like).unwrap_or_default();
                let size = self.cursor.rm().node(node).map_or(w.size, |n| n.total);
                format!("One more node like {like} ({})", words::size(size, &self.cursor.rm().cluster().types))
            }
            None => "A node of 64 GB · 16 vcores".to_string(),
        };
        Some(Try { change, text, from_now: true })
    }
}

/// A constraint without its n-th leaf; `None` if nothing is left.
fn without_leaf(constraint: Constraint, left: &mut usize) -> Option<Constraint> {
    let children = |children: Vec<Constraint>, left: &mut usize| -> Vec<Constraint> {
        children.into_iter().filter_map(|c| without_leaf(c, left)).collect()
    };
    match constraint {
        Constraint::Single(leaf) => {
            let this = *left == 0;
            *left = left.wrapping_sub(1);
            (!this).then_some(Constraint::Single(leaf))
        }
        Constraint::And(all) => match children(all, left) {
            some if some.is_empty() => None,
            mut one if one.len() == 1 => one.pop(),
            some => Some(Constraint::And(some)),
        },
        Constraint::Or(any) => match children(any, left) {
            some if some.is_empty() => None,
            mut one if one.len() == 1 => one.pop(),
            some => Some(Constraint::Or(some)),
        },
        delayed @ Constraint::DelayedOr(_) => Some(delayed),
    }
}

/// When does one more container of an application come than it has now?
struct Goal {
    app: usize,
    /// For its AM, or for a container?
    am: bool,
    /// Containers that it ever got of that kind.
    got: usize,
    key: crate::model::RequestKey,
}

impl Goal {
    fn of(sim: &Simulation, w: &Waiting) -> Goal {
        let app = sim.place_of(w.app).unwrap_or(0);
        let mut goal = Goal { app, am: w.am, got: 0, key: w.key };
        goal.got = goal.count(sim);
        goal
    }

    /// How many containers of the request the application ever got, those included that its AM has not heard of.
    fn count(&self, sim: &Simulation) -> usize {
        let Some(run) = sim.apps().get(self.app) else { return 0 };
        let heard = run.containers.iter().filter(|c| c.am == self.am && (self.am || c.key == Some(self.key))).count();
        let cluster = sim.rm().cluster();
        let granted = run
            .id
            .and_then(|id| sim.rm().scheduled(id))
            .map_or(0, |a| a.granted.iter().filter(|s| !self.am && cluster.containers.at(**s).key == self.key).count());
        heard + granted
    }

    /// Runs until the goal is reached or a time is over: when it was reached. `None`: the events are used up.
    fn reach(&self, sim: &mut Simulation, until: Millis, left: &mut u64) -> Option<Option<Millis>> {
        loop {
            if self.count(sim) > self.got {
                return Some(Some(sim.now()));
            }
            if sim.next_at().is_none_or(|at| at > until) {
                return Some(None);
            }
            *left = left.checked_sub(1)?;
            if step(sim, &mut Silent).is_none() {
                return Some(None);
            }
        }
    }
}
