//! The state of a Slider application as tables: what it waits for, its components, its role history (which component was on
//! which host, when, and how often it failed there), and its history files. Also the hosts that its requests prefer.

use super::say_books as say;
use super::waits::{OutstandingWait, SliderWait};
use crate::explain::names::Names;
use crate::explain::say::books;
use crate::explain::shown::books::{cell, head, table, text};
use crate::explain::things;
use crate::explain::view::{
    FactView, HostRequestView, LedgerCell, LedgerColumn, LedgerRow, LedgerTable, LedgerView, Selection,
};
use crate::explain::words;
use heddle_core::apps::slider::strategy::attempt::Attempt;
use heddle_core::apps::slider::strategy::files;
use heddle_core::apps::slider::strategy::nodes::Node;
use heddle_core::apps::slider::strategy::outstanding::{Wait, outstanding};
use heddle_core::apps::slider::strategy::requests::priority;
use heddle_core::apps::slider::strategy::{Component, Version, records};
use heddle_core::model::{Millis, Resource};
use heddle_core::scenario::SliderApp;

/// The most components with a column in the role history.
const COLUMNS: usize = 12;

/// Returns the tables of the Slider application at an index of the scenario; `waits` is what it waits for.
pub fn service(names: Names<'_>, place: usize, waits: &[OutstandingWait]) -> LedgerView {
    let Some(app) = names.scenario().apps.get(place) else { return LedgerView::default() };
    let version = app.kind.get::<SliderApp>().map_or_else(Version::default, |slider| slider.version);
    let mut view = head(names, &app.name, &say::law(version == Version::V093));
    let master = names.sim.slider(place).and_then(|master| Some((master, master.attempt()?)));
    let clock = match master {
        Some((master, attempt)) => {
            let books = NamedSliderAttempt { names, attempt, clock: master.clock() };
            view.came_to = books.came_to(&app.name, waits);
            view.facts = things::submitted(names, &app.name);
            view.facts.extend(books.facts());
            view.tables = vec![books.requests(&app.name, waits), books.components(), books.hosts()];
            master.clock()
        }
        None => names.sim.slider_clock(place),
    };
    view.tables.push(files_of(names, place, clock));
    view.tables.retain(|t| !t.rows.is_empty());
    view
}

/// The state of one attempt.
struct NamedSliderAttempt<'a> {
    names: Names<'a>,
    attempt: &'a Attempt,
    clock: Millis,
}

impl NamedSliderAttempt<'_> {
    fn at(&self, time: Millis) -> String {
        when(time - self.clock)
    }

    fn came_to(&self, app: &str, waits: &[OutstandingWait]) -> Vec<String> {
        let slider = self.attempt.slider();
        let components = || slider.components().filter(|c| c.id() != 0);
        let (wanted, there) =
            components().fold((0, 0), |(wanted, there), c| (wanted + c.counters.desired, there + c.counters.actual));
        let mut out = vec![say::satisfied(app, wanted, there)];
        let first = waits.iter().find(|w| w.told.cause.is_some()).or(waits.first());
        out.extend(first.map(|w| w.told.sentence()));
        out
    }

    fn facts(&self) -> Vec<FactView> {
        let slider = self.attempt.slider();
        let fact = |name: &str, value: String, formula| FactView { name: name.to_string(), value, formula };
        let taken = slider.history().thawed.map_or(say::NO_HISTORY.to_string(), |at| say::saved(&self.at(at)));
        let every = self.attempt.events().check_every();
        vec![
            fact(say::HISTORY_TAKEN, taken, Vec::new()),
            fact(say::CHECKS, words::span(every), vec![say::CHECKS_ARE.to_string()]),
            fact(say::ASKED, slider.active_requests().to_string(), Vec::new()),
            fact(say::FAILED, slider.totals().failed.to_string(), Vec::new()),
        ]
    }

    fn requests(&self, app: &str, waits: &[OutstandingWait]) -> LedgerTable {
        let row = |each: &OutstandingWait| {
            let SliderWait { key, component, count, wait, cause, check: _ } = &each.told;
            let about = key.map(|key| Selection::Request { app: app.to_string(), key: key.to_string() });
            let id = each.of.component;
            let located = matches!(each.of.wait, Wait::Host { .. } | Wait::OneOf(_));
            let number = key.map_or(LedgerCell::default(), |_| {
                cell(priority(id, located).to_string(), vec![say::priority(id, located)])
            });
            let because = match cause {
                Some((cause, cure)) => {
                    cell(super::say::numbered(cause), vec![wait.clone(), super::say::cause(cause), cure.clone()])
                }
                None => cell(String::new(), Vec::new()),
            };
            LedgerRow {
                name: component.clone(),
                about,
                cells: vec![
                    text(count.to_string()),
                    number,
                    text(say::kind(&each.of.wait)),
                    self.hosts_of(&each.of.wait),
                    text(each.of.since.map_or(String::new(), |at| self.at(at))),
                    self.relaxes(id, &each.of.wait, each.of.since),
                    because,
                ],
                ..LedgerRow::default()
            }
        };
        table(say::REQUESTS, books::COMPONENT, &say::OF_REQUESTS, waits.iter().map(row).collect())
    }

    fn hosts_of(&self, wait: &Wait) -> LedgerCell {
        match wait {
            Wait::Host { host, .. } | Wait::Relaxed { host, .. } => text(host.clone()),
            Wait::OneOf(hosts) => cell(words::list(hosts, 2), vec![words::list(hosts, 30)]),
            Wait::Anywhere => text(say::ANYWHERE),
            Wait::NotAsked(_) => text(""),
        }
    }

    /// Returns the countdown until a request is relaxed.
    fn relaxes(&self, id: i32, wait: &Wait, since: Option<Millis>) -> LedgerCell {
        match wait {
            Wait::Host { relaxes_after: Some(after), .. } => {
                let at = self.attempt.events().relaxes_at(*after);
                let left = at - self.clock - self.names.now;
                let delay =
                    self.attempt.slider().component(id).map_or(0, |c| i64::from(c.settings.escalate_seconds) * 1000);
                let how = say::relaxed_how(
                    &self.at(since.unwrap_or(0)),
                    &words::span(delay),
                    &words::span(self.attempt.events().check_every()),
                    &self.at(*after),
                    &self.at(at),
                );
                cell(say::relaxed_in(&words::span(left.max(0))), how)
            }
            Wait::Host { relaxes_after: None, .. } => cell(say::NEVER.to_string(), vec![say::STRICT.to_string()]),
            Wait::OneOf(_) => cell(say::NEVER.to_string(), vec![say::APART.to_string()]),
            Wait::Relaxed { since, .. } => text(say::relaxed_since(&self.at(*since))),
            Wait::Anywhere | Wait::NotAsked(_) => text(""),
        }
    }

    fn components(&self) -> LedgerTable {
        let slider = self.attempt.slider();
        let row = |c: &Component| {
            let n = &c.counters;
            let (hosts, window) = (slider.history().recent(c.id()).collect::<Vec<_>>(), self.attempt.events().window());
            let limit = slider.failure_threshold(c);
            let failed = say::failures(n.failed, n.failed_recently, limit, &words::span(window));
            let label = c.settings.label.clone().unwrap_or_default();
            LedgerRow {
                name: c.name.clone(),
                about: None,
                cells: vec![
                    text(c.id().to_string()),
                    text(n.desired.to_string()),
                    text(n.actual.to_string()),
                    text(n.requested.to_string()),
                    text(n.pending_aa.to_string()),
                    cell(n.failed_recently.to_string(), failed),
                    text(say::policy(c.settings.policy)),
                    text(label),
                    cell(
                        words::list(&hosts, 3),
                        if hosts.len() > 3 { vec![words::list(&hosts, 60)] } else { Vec::new() },
                    ),
                ],
                ..LedgerRow::default()
            }
        };
        let all = slider.components().filter(|c| c.id() != 0);
        table(books::COMPONENTS, books::COMPONENT, &say::OF_COMPONENTS, all.map(row).collect())
    }

    /// Returns the node map: hosts, and each component's history there.
    fn hosts(&self) -> LedgerTable {
        let slider = self.attempt.slider();
        let components: Vec<&Component> = slider.components().filter(|c| c.id() != 0).take(COLUMNS).collect();
        let row = |(host, node): (&String, &Node)| {
            let known = self.names.rm().node_by_host(host).is_some();
            let state = match (node.blacklisted, node.state.usable(), known) {
                (true, ..) => say::withheld(node.state.name()),
                (_, _, false) => say::UNKNOWN_HOST.to_string(),
                _ => node.state.name().to_string(),
            };
            let mut cells = vec![text(state), text(node.label.clone())];
            cells.extend(components.iter().map(|c| self.entry(host, node, c)));
            LedgerRow {
                name: host.clone(),
                about: known.then(|| Selection::Node(host.clone())),
                cells,
                taken: node.blacklisted,
                ..LedgerRow::default()
            }
        };
        let rows = slider.history().nodes.iter().map(row).collect();
        let mut out = table(say::ROLE_HISTORY, say::HOST, &say::OF_HOSTS, rows);
        let column = |c: &&Component| LedgerColumn { name: c.name.clone(), number: false };
        out.columns.extend(components.iter().map(column));
        out
    }

    /// Returns a component's history on a host.
    fn entry(&self, host: &str, node: &Node, c: &Component) -> LedgerCell {
        let next = self.attempt.slider().history().recent(c.id()).position(|h| h == host);
        let Some(entry) = node.entries.get(&c.id()) else {
            return text(next.map_or(String::new(), say::next));
        };
        let used = (entry.last_used > 0).then(|| self.at(entry.last_used));
        let parts = [
            (entry.live > 0).then(|| say::live(entry.live)),
            (entry.starting > 0).then(|| say::starting(entry.starting)),
            (entry.releasing > 0).then(|| say::releasing(entry.releasing)),
            used.clone().filter(|_| entry.live + entry.starting == 0).map(|at| say::used_until(&at)),
            (entry.failed_recently > 0).then(|| say::failed(entry.failed_recently)),
            next.filter(|_| entry.active() == 0).map(say::next),
        ];
        let parts: Vec<String> = parts.into_iter().flatten().collect();
        let threshold = c.settings.node_failure_threshold;
        let how = say::entry(entry, used.as_deref(), threshold);
        if parts.is_empty() { text("") } else { cell(parts.join(" · "), how) }
    }
}

/// Returns its history files, the newest first, and which one the next start uses.
fn files_of(names: Names<'_>, place: usize, clock: Millis) -> LedgerTable {
    let all = names.sim.history_files(place);
    let mut taken = false;
    let row = |(name, body): (&str, &str)| {
        let saved = files::saved(name).map_or(String::new(), |at| when(at - clock));
        let (records, state) = match () {
            () if !files::is_history(name) => (String::new(), say::NOT_LOOKED_AT.to_string()),
            () if body.is_empty() => (String::new(), say::EMPTY.to_string()),
            () if taken => (String::new(), String::new()),
            () => match records::read(body) {
                Ok(records) => {
                    taken = true;
                    (records.nodes.len().to_string(), say::NEXT_START.to_string())
                }
                Err(fault) => (String::new(), say::unreadable(&fault.what, fault.at)),
            },
        };
        let cells = vec![text(body.len().to_string()), text(records), text(saved), text(state)];
        LedgerRow { name: name.to_string(), cells, ..LedgerRow::default() }
    };
    let rows = all.iter().rev().map(row).collect();
    table(say::FILES, say::FILE, &say::OF_FILES, rows)
}

/// Returns the hosts that the requests of the application at an index of the scenario prefer.
pub fn wishes(names: Names<'_>, place: usize) -> Vec<(String, HostRequestView)> {
    let (app, master) = (names.scenario().apps.get(place), names.sim.slider(place));
    let Some((app, master, attempt)) = app.zip(master).and_then(|(app, m)| Some((app, m, m.attempt()?))) else {
        return Vec::new();
    };
    let mut out = Vec::new();
    for of in outstanding(attempt.slider()) {
        let (host, located, text) = match &of.wait {
            Wait::Host { host, relaxes_after: Some(after), .. } => {
                let at = attempt.events().relaxes_at(*after);
                (host, true, say::wishes_until(&when(at - master.clock())))
            }
            Wait::Host { host, .. } => (host, true, say::WISHES_FOR_EVER.to_string()),
            Wait::Relaxed { host, since } => (host, false, say::wished(&when(since - master.clock()))),
            Wait::Anywhere | Wait::OneOf(_) | Wait::NotAsked(_) => continue,
        };
        let Some(component) = attempt.slider().component(of.component) else { continue };
        let wish = HostRequestView {
            id: Selection::Request { app: app.name.clone(), key: format!("{}_-1", priority(of.component, located)) },
            name: say::component_of(&app.name, &component.name),
            app: app.name.clone(),
            size: size(names, component.size),
            text,
        };
        out.push((host.clone(), wish));
    }
    out
}

fn size(names: Names<'_>, size: Resource) -> crate::explain::view::Amount {
    words::amount(size, &names.rm().cluster().types)
}

/// Returns the text of a time of the run, which may be before its start.
fn when(in_run: Millis) -> String {
    if in_run < 0 { say::BEFORE.to_string() } else { words::clock(in_run) }
}
