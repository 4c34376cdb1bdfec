//! Checks names across the parts of a scenario: duplicates, references to missing things, and combinations that cannot
//! work. Reported before the run, which would only show them by what does not happen.

use super::super::application::App;
use super::super::document::Scenario;
use super::super::expect::{Condition, Subject, When};
use super::super::happening::{Act, Happening};
use super::super::units::time_text;
use super::fields::Reader;
use super::settings::CAPACITY;
use crate::api::{Properties, SchedulerChoice};
use crate::apps::scenario::Components;
use crate::config::yarn_site;
use crate::model::{Span, limits};
use std::collections::{BTreeMap, BTreeSet};

/// The number of leaf queues listed when a queue is unknown.
const SHOWN: usize = 8;
const HANDLER: &str = "yarn.resourcemanager.placement-constraints.handler";

/// Checks a scenario as a whole.
pub fn check(r: &mut Reader<'_>, s: &Scenario) {
    let hosts = hosts(r, s);
    let racks: BTreeSet<&str> = nodes(s).map(|n| n.spec.rack.as_str()).collect();
    let mut apps = BTreeSet::new();
    for app in &s.apps {
        if !apps.insert(app.name.as_str()) {
            r.error(app.span, format!("Two applications are called `{}`.", app.name), "Rename one.");
        }
    }
    let labels: BTreeSet<&str> = s.settings.labels.iter().map(|l| l.name.as_str()).collect();
    for node in nodes(s) {
        if let Some(label) = node.spec.label.as_deref().filter(|l| !l.is_empty() && !labels.contains(l)) {
            unknown(r, node.span, "label", label, labels.iter().copied(), "Add it to `labels`.");
        }
    }
    let enabled = yarn_site::node_labels(&s.settings.yarn_site);
    if !labels.is_empty() && !enabled {
        let what = "There are node labels, but they are not switched on: requests with a label are refused.";
        r.warning(Span::new(0, 0), what, "Set node-labels.enabled = true in [yarn-site].");
    }
    let queues = match s.settings.scheduler {
        SchedulerChoice::Capacity => Some(Queues::of(&s.settings.capacity_scheduler)),
        _ => None,
    };
    let mut told = BTreeSet::new();
    for app in &s.apps {
        if !told.insert(app.entry) {
            continue;
        }
        if let Some(queues) = &queues {
            queues.check(r, app, &s.settings.capacity_scheduler);
        }
        let mut wanted: BTreeSet<String> = app.label.iter().chain(&app.am.label).cloned().collect();
        for other in app.kind.tasks().iter().filter_map(|g| g.until.as_deref()).filter(|n| !apps.contains(n)) {
            let mend = "Name an application of the scenario.";
            unknown(r, app.span, "application", other, apps.iter().copied(), mend);
        }
        wanted.extend(app.kind.labels());
        for label in wanted.iter().filter(|l| !l.is_empty() && !labels.contains(l.as_str())) {
            unknown(r, app.span, "label", label, labels.iter().copied(), "Add it to `labels`.");
        }
        check_kind(r, s, app, &|place| hosts.contains(place) || racks.contains(place));
    }
    happenings(r, s, &hosts, &apps);
    expectations(r, s, &hosts, &apps);
    if let Some(until) = s.until
        && s.start_at > until
    {
        r.warning(Span::new(0, 0), "`start_at` is later than `until`.", "Let the run end later, or start earlier.");
    }
    after_the_end(r, s);
}

/// Reports happenings and expectations for moments after the end of the run.
fn after_the_end(r: &mut Reader<'_>, s: &Scenario) {
    let Some(until) = s.until else { return };
    let end = time_text(until);
    for happening in s.happenings.iter().filter(|h| h.at > until) {
        let what = format!("This comes after the end of the run, which is at {end}: it never happens.");
        r.warning(happening.span, what, "Let the run end later, or have it earlier.");
    }
    for e in &s.expectations {
        let (When::At(first) | When::Always(first, _) | When::Never(first, _)) = e.when else { continue };
        if first > until {
            let what = format!(
                "This looks at a moment after the end of the run, which is at {end}: nothing changes until then."
            );
            r.warning(e.span, what, "Let the run end later, or look earlier.");
        }
    }
}

/// Returns all nodes that ever register.
pub fn nodes(s: &Scenario) -> impl Iterator<Item = &super::super::document::Node> {
    s.nodes.iter().chain(s.happenings.iter().filter_map(|h| match &h.act {
        Act::AddNode(node) => Some(node),
        _ => None,
    }))
}

fn hosts<'s>(r: &mut Reader<'_>, s: &'s Scenario) -> BTreeSet<&'s str> {
    let mut hosts = BTreeSet::new();
    for node in nodes(s) {
        if !hosts.insert(node.spec.host.as_str()) {
            let what = format!("Two nodes are called `{}`.", node.spec.host);
            r.error(node.span, what, "Rename one; a node that comes back is `return_node`.");
        }
    }
    if nodes(s).count() > limits::NODES {
        let what = format!("There are more than {} nodes.", limits::NODES);
        r.error(Span::new(0, 0), what, "Take some away.");
    }
    hosts
}

fn unknown<'n>(
    r: &mut Reader<'_>,
    span: Span,
    kind: &str,
    name: &str,
    known: impl IntoIterator<Item = &'n str>,
    mend: &str,
) {
    // The name may be defined in an entry that could not be read.
    if r.lost {
        return;
    }
    let mend = match r.nearest(name, known) {
        Some(near) => format!("Did you mean `{near}`?"),
        None => mend.to_string(),
    };
    r.warning(span, format!("There is no {kind} `{name}`."), mend);
}

fn check_kind(r: &mut Reader<'_>, s: &Scenario, app: &App, is_place: &dyn Fn(&str) -> bool) {
    let mut places: Vec<&str> = app.am.places.iter().map(|p| p.name.as_str()).collect();
    places.extend(app.kind.places());
    let constrained = !app.constraints.is_empty() || app.kind.sends_constraints();
    let mut told = BTreeSet::new();
    for place in places {
        if !is_place(place) && told.insert(place) {
            unknown(r, app.span, "host or rack", place, [], "Hosts and racks are those of the nodes.");
        }
    }
    let handler = s.settings.yarn_site.get(HANDLER).map_or("disabled", |h| h.trim());
    if constrained && s.settings.scheduler != SchedulerChoice::Capacity {
        let scheduler = s.settings.scheduler;
        let package = "org.apache.hadoop.yarn.server.resourcemanager.scheduler";
        let class = format!("{package}.{}.{}", scheduler.text(), scheduler.class());
        let outcome = other_scheduler(handler, &class, scheduler.class());
        r.warning(
            app.span,
            format!("`{}` asks with placement constraints. {outcome}", app.name),
            "Only the CapacityScheduler serves such requests.",
        );
    } else if constrained && handler == "disabled" {
        let what = format!("`{}` asks with placement constraints, which are switched off ({HANDLER}).", app.name);
        r.warning(
            app.span,
            what,
            "Set it to scheduler or placement-processor in [yarn-site]; YARN refuses such requests.",
        );
    }
}

/// Returns what happens to requests with constraints under schedulers that do not serve them (placement-constraints.md 7,
/// 10).
fn other_scheduler(handler: &str, class: &str, name: &str) -> String {
    match handler {
        "disabled" => format!(
            "With the handler `disabled` the call is refused under every scheduler: \"Found non empty SchedulingRequest in AllocateRequest for application=<attempt>, but the configured {HANDLER} cannot handle placement constraints. Rejecting this allocate operation\"."
        ),
        "scheduler" => format!(
            "With the handler `scheduler` its registration with constraints is accepted, but each call with such a request is refused: \"Found non empty SchedulingRequest of AllocateRequest for application=<attempt>, however the configured scheduler={class} cannot handle placement constraints, rejecting this allocate operation\"."
        ),
        "placement-processor" => format!(
            "With the handler `placement-processor` nodes are proposed (every node counts as having no attributes), but the {name} refuses each commit: after the last attempt every request is rejected with COULD_NOT_SCHEDULE_ON_NODE, although the manual says that the processor works with the FairScheduler."
        ),
        _ => format!("`{handler}` installs no handler: such requests reach the {name}, which does not serve them."),
    }
}

fn happenings(r: &mut Reader<'_>, s: &Scenario, hosts: &BTreeSet<&str>, apps: &BTreeSet<&str>) {
    for h in &s.happenings {
        match &h.act {
            Act::Flex { app, .. } | Act::Restart { app, .. } => heard(r, s, h, app),
            Act::OfKind(act) => act.app().into_iter().for_each(|app| heard(r, s, h, app)),
            _ => {}
        }
        if let Some(node) = h.act.node().filter(|n| !hosts.contains(n)) {
            unknown(r, h.span, "node", node, hosts.iter().copied(), "It will not happen.");
        }
        if let Some(app) = h.act.app().filter(|a| !apps.contains(a)) {
            unknown(r, h.span, "application", app, apps.iter().copied(), "It will not happen.");
        }
    }
}

/// Reports a happening that the application's kind does not support, and unknown components that it names.
fn heard(r: &mut Reader<'_>, s: &Scenario, h: &Happening, name: &str) {
    let Some(app) = s.app(name) else { return };
    let Components { named, known } = match app.kind.components_of(name, &h.act) {
        Ok(components) => components,
        Err((what, mend)) => return r.error(h.span, what, mend),
    };
    for component in named.into_iter().filter(|component| !known.contains(component)) {
        let mend = match r.nearest(component, known.iter().copied()) {
            Some(near) => format!("Did you mean `{near}`?"),
            None => "Name one that it has.".to_string(),
        };
        r.error(h.span, format!("`{name}` has no component `{component}`."), mend);
    }
}

/// Checks the subjects of expectations, which may have been renamed or removed. The scenario can still be run; the
/// expectation then fails.
fn expectations(r: &mut Reader<'_>, s: &Scenario, hosts: &BTreeSet<&str>, apps: &BTreeSet<&str>) {
    for e in &s.expectations {
        let (kind, name, known) = match &e.subject {
            Subject::App(name) => ("application", name, apps),
            Subject::Node(name) => ("node", name, hosts),
            _ => continue,
        };
        let nodes = e.conditions.iter().filter_map(|c| match c {
            Condition::On(node, _) => Some(("node", node, hosts)),
            _ => None,
        });
        for (kind, name, known) in nodes.chain([(kind, name, known)]) {
            if !known.contains(name.as_str()) {
                unknown(r, e.span, kind, name, known.iter().copied(), "Nothing can be expected of it.");
            }
        }
    }
}

/// The queues of capacity-scheduler properties, by full path, each with whether it is a parent.
struct Queues(BTreeMap<String, bool>);

impl Queues {
    fn of(properties: &Properties) -> Self {
        let mut found = BTreeMap::new();
        let mut open = vec![("root".to_string(), 1)];
        while let Some((path, depth)) = open.pop() {
            let children = properties.get(&format!("{CAPACITY}{path}.queues")).map_or("", |v| v.as_str());
            let names: Vec<&str> = children.split(',').map(str::trim).filter(|n| !n.is_empty()).collect();
            if depth < limits::QUEUE_DEPTH && found.len() + open.len() < limits::QUEUES {
                open.extend(names.iter().map(|name| (format!("{path}.{name}"), depth + 1)));
            }
            found.insert(path, !names.is_empty());
        }
        Queues(found)
    }

    /// Returns the queues with this full path or last part.
    fn named<'q>(&'q self, name: &'q str) -> impl Iterator<Item = (&'q str, bool)> {
        let of = move |path: &str| path == name || path.rsplit('.').next() == Some(name);
        self.0.iter().filter(move |(path, _)| of(path)).map(|(path, parent)| (path.as_str(), *parent))
    }

    fn check(&self, r: &mut Reader<'_>, app: &App, properties: &Properties) {
        // A mapping may send it elsewhere, or a queue may be created for it.
        let moves =
            |name: &str| name.contains("mapping") || name.contains("auto-create") || name.contains("auto-queue");
        if properties.keys().any(|k| k.strip_prefix(CAPACITY).is_some_and(moves)) {
            return;
        }
        let span = app.queue_span.unwrap_or(app.span);
        let found: Vec<(&str, bool)> = self.named(&app.queue).collect();
        match found.as_slice() {
            [] => {
                let known = self.0.iter().filter(|(_, parent)| !**parent).map(|(path, _)| path.as_str());
                let known: Vec<&str> = known.collect();
                // Limits the search for the intended name.
                let near = &known[..known.len().min(200)];
                let last: Vec<&str> = near.iter().filter_map(|p| p.rsplit('.').next()).collect();
                let rest = known.len().saturating_sub(SHOWN);
                let rest = if rest > 0 { format!(" and {rest} more") } else { String::new() };
                let mend = format!("Leaf queues are {}{rest}.", known[..known.len().min(SHOWN)].join(", "));
                unknown(r, span, "queue", &app.queue, near.iter().chain(&last).copied(), &mend);
            }
            [(path, true)] => {
                let what = format!("The queue `{path}` is a parent; applications go to leaf queues.");
                r.warning(span, what, "Name one of the queues below it; YARN rejects the application.");
            }
            [_] => {}
            _ => {
                let paths: Vec<&str> = found.iter().map(|(p, _)| *p).collect();
                let what = format!("`{}` may be any of {}.", app.queue, paths.join(", "));
                r.warning(span, what, "Write the full path.");
            }
        }
    }
}
