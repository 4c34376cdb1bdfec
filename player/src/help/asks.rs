//! Changes of an application's requests, and one more node.

use super::knobs::{CandidateChange, CandidateKind, RequestContext};
use crate::apps::help::{OfComponent, helped};
use crate::explain::checks::has_attributes;
use crate::explain::request::default_label;
use crate::explain::say::checks::{circled, clause_title};
use crate::explain::waits::of_check::BlockingCondition;
use crate::explain::{say, words};
use heddle_core::constraint::tree::UNLIMITED;
use heddle_core::constraint::{Constraint, Scope, Single, Target, print};
use heddle_core::model::{AppId, CalculatorKind, Millis, NodeId, RequestKey, Resource, ResourceTypes, nearest};
use heddle_core::scenario::edit::{self, Setting, Step};
use heddle_core::scenario::{Act, App, Scenario, read, units};

/// The namespace of every application's tags.
const EVERYBODY: &str = "all";
/// The most that a limit of tags is raised by.
const MORE: i64 = 8;
/// The most other requests, or hosts, that are tried.
const OTHERS: usize = 2;

/// A change of one application's requests.
#[derive(Clone, Debug, PartialEq)]
pub struct RequestEdit {
    /// The application's index in the scenario.
    place: usize,
    /// The application's name.
    name: String,
    /// The number of copies from the same entry.
    copies: usize,
    key: RequestKey,
    /// The component that the request is for, if the application's own text has components.
    component: Option<String>,
    /// Whether it changes another request than the waiting one.
    other: bool,
    what: RequestRelaxation,
}

#[derive(Clone, Debug, PartialEq)]
pub enum RequestRelaxation {
    /// Smaller containers, or a smaller AM: less by `step` for each strength.
    Size { am: bool, now: Resource, step: Resource, types: ResourceTypes },
    /// Relaxed locality.
    Relax { am: bool },
    /// Nodes without a label.
    NoLabel { am: bool },
    /// The constraint without one of its clauses.
    Clause(usize, Box<Single>),
    /// The constraint without several of its clauses: the alternatives of an OR, or those that fail together.
    Clauses(Vec<(usize, Single)>),
    /// Another clause in place of one of the constraint's.
    Instead(usize, Box<Single>, Box<Single>),
    /// A clause of the constraint that allows more of a tag.
    More(usize, Box<Single>),
    /// Nodes with this label.
    Label(String),
    /// These hosts removed from the application's blacklist, from a moment on.
    Unblacklisted(Vec<String>, Millis),
    /// A property of the application's own file: its value at strength 1, and its step; `fewer` if each step asks for one
    /// container less.
    Property { key: &'static str, start: i64, step: i64, fewer: bool },
    /// A flag in the application's own file.
    Flag { key: &'static str, value: &'static str },
    /// A higher priority of the application.
    Priority { now: i64 },
    /// Fewer instances of the component through this key; `now` are wanted, since `flexed` if there was a flex.
    Fewer { key: &'static str, now: i64, flexed: Option<Flexed> },
    /// A key of the component: its value at strength 1, and its step.
    Key { key: &'static str, start: i64, step: i64 },
}

/// A flex that set a component's number of instances.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Flexed {
    /// The index of the happening.
    pub happening: usize,
    pub at: Millis,
}

impl RequestEdit {
    /// Returns whether the change is fixed once the application has been submitted or has asked. An administrator may change
    /// its priority later, and its AM may change its blacklist at any time.
    pub fn is_settled(&self) -> bool {
        !matches!(self.what, RequestRelaxation::Priority { .. } | RequestRelaxation::Unblacklisted(..))
    }

    /// Creates a change for the application at an index of the scenario.
    pub fn of(scenario: &Scenario, place: usize, key: RequestKey, what: RequestRelaxation) -> Option<RequestEdit> {
        let app = scenario.apps.get(place)?;
        let copies = scenario.apps.iter().filter(|a| a.entry == app.entry).count();
        let component = helped(&app.kind).component(app, key).map(String::from);
        Some(RequestEdit { place, name: app.name.clone(), copies, key, component, other: false, what })
    }

    /// Sets the component.
    pub fn whose(self, component: &str) -> RequestEdit {
        RequestEdit { component: Some(component.to_string()), ..self }
    }

    /// Returns the change's text, "Containers of 2 GB · 1 vcore for etl"; in parts if it is about several clauses.
    pub fn says(&self, strength: i64) -> Vec<String> {
        if let RequestRelaxation::Clauses(all) = &self.what {
            let without = |(n, leaf): &(usize, Single)| say::without_clause(&circled(*n), &clause_title(leaf));
            return all.iter().map(without).collect();
        }
        vec![self.says_one(strength)]
    }

    fn says_one(&self, strength: i64) -> String {
        let whose = say::whose_ask(&self.name, self.copies);
        let whose = self.component.as_ref().map_or(whose.clone(), |c| say::component_of(c, &whose));
        match &self.what {
            RequestRelaxation::Clauses(_) => String::new(),
            RequestRelaxation::Size { am, types, .. } => {
                let whose = if *am { whose } else { self.whose_request(&whose) };
                say::smaller(*am, &words::size(self.size(strength), types), &whose)
            }
            RequestRelaxation::Relax { .. } => say::relaxed(&whose),
            RequestRelaxation::NoLabel { am } => say::unlabelled(*am, &whose),
            RequestRelaxation::Clause(n, leaf) => say::without_clause(&circled(*n), &clause_title(leaf)),
            RequestRelaxation::Instead(n, leaf, to) => {
                say::clause_instead(&circled(*n), &clause_title(leaf), &clause_title(to))
            }
            RequestRelaxation::More(n, leaf) => {
                let to = more(leaf, strength);
                say::clause_instead(&circled(*n), &clause_title(leaf), &clause_title(&to))
            }
            RequestRelaxation::Label(label) => say::labelled(label, &self.whose_request(&whose)),
            RequestRelaxation::Unblacklisted(hosts, at) => say::unblacklisted(hosts, &whose, &words::clock(*at)),
            RequestRelaxation::Property { key, start, step, .. } => {
                say::key_of_component(key, start + step * (strength - 1), &whose)
            }
            RequestRelaxation::Flag { key, value } => say::flag_of_job(key, value, &whose),
            RequestRelaxation::Priority { now } => {
                say::priority(now + strength, &say::whose_ask(&self.name, self.copies))
            }
            RequestRelaxation::Fewer { key, now, flexed } => {
                let part = say::key_of_component(key, now - strength, &whose);
                flexed.map_or(part.clone(), |flexed| say::in_the_flex(&part, &words::clock(flexed.at)))
            }
            RequestRelaxation::Key { key, .. } => say::key_of_component(key, self.value(strength), &whose),
        }
    }

    /// Returns "etl", or for another request than the waiting one "the requests of priority 1 of etl".
    fn whose_request(&self, whose: &str) -> String {
        if self.other { say::requests_of(self.key.priority, whose) } else { whose.to_string() }
    }

    /// Makes it a change of another request than the waiting one.
    pub fn of_other(self) -> RequestEdit {
        RequestEdit { other: true, ..self }
    }

    /// Returns how many fewer containers are asked for.
    pub fn fewer(&self, strength: i64) -> i64 {
        match &self.what {
            RequestRelaxation::Fewer { .. } | RequestRelaxation::Property { fewer: true, .. } => strength,
            _ => 0,
        }
    }

    fn value(&self, strength: i64) -> i64 {
        let RequestRelaxation::Key { start, step, .. } = &self.what else { return 0 };
        start + step * (strength - 1)
    }

    fn size(&self, strength: i64) -> Resource {
        let RequestRelaxation::Size { now, step, .. } = &self.what else { return Resource::ZERO };
        let mut size = *now;
        (0..strength).for_each(|_| size -= *step);
        size
    }

    /// Returns the scenario's text with the change.
    pub fn text(&self, text: &str, strength: i64) -> Option<String> {
        let scenario = read(text).scenario?;
        let app = scenario.apps.get(self.place)?;
        if let RequestRelaxation::Priority { now } = &self.what {
            let path = [Step::from("apps"), Step::from(app.entry), Step::from("priority")];
            return edit::set(text, &path, &Setting::Number(now + strength)).ok();
        }
        if let Some(component) = self.component.as_ref().filter(|_| {
            !matches!(self.what, RequestRelaxation::Size { am: true, .. } | RequestRelaxation::NoLabel { am: true })
        }) {
            return self.of_component(text, app, component, strength);
        }
        match &self.what {
            RequestRelaxation::Size { am, types, .. } => {
                let size = size_text(self.size(strength), types);
                if *am {
                    return edit::set_am(text, app.entry, "size", &Setting::Text(size)).ok();
                }
                each(text, app, self.key, "size", &Setting::Text(size))
            }
            RequestRelaxation::Relax { am: true } => edit::set_am(text, app.entry, "relax", &Setting::Flag(true)).ok(),
            RequestRelaxation::Relax { am: false } => each(text, app, self.key, "relax", &Setting::Flag(true)),
            RequestRelaxation::NoLabel { am: true } => edit::take_away(text, &am_label(app)).ok(),
            RequestRelaxation::NoLabel { am: false } => each(text, app, self.key, "label", &Setting::Nothing),
            RequestRelaxation::Label(label) => each(text, app, self.key, "label", &Setting::Text(label.clone())),
            RequestRelaxation::Clause(n, leaf) => change_clause(text, app, self.key, (*n, leaf), None),
            // From the last one, because removing a clause moves those behind it.
            RequestRelaxation::Clauses(all) => all.iter().rev().try_fold(text.to_string(), |text, (n, leaf)| {
                let scenario = read(&text).scenario?;
                change_clause(&text, scenario.apps.get(self.place)?, self.key, (*n, leaf), None)
            }),
            RequestRelaxation::Instead(n, leaf, to) => change_clause(text, app, self.key, (*n, leaf), Some(to)),
            RequestRelaxation::More(n, leaf) => {
                change_clause(text, app, self.key, (*n, leaf), Some(&more(leaf, strength)))
            }
            RequestRelaxation::Unblacklisted(hosts, at) => off_the_blacklist(text, app, hosts, *at),
            RequestRelaxation::Property { key, start, step, .. } => {
                let value = (start + step * (strength - 1)).to_string();
                helped(&app.kind).set_property(text, app.entry, key, &value)
            }
            RequestRelaxation::Flag { key, value } => helped(&app.kind).set_property(text, app.entry, key, value),
            RequestRelaxation::Priority { .. } | RequestRelaxation::Fewer { .. } | RequestRelaxation::Key { .. } => {
                None
            }
        }
    }

    /// Returns the scenario's text with the change in a component's keys.
    fn of_component(&self, text: &str, app: &App, component: &str, strength: i64) -> Option<String> {
        let change = match &self.what {
            RequestRelaxation::Key { key, .. } => OfComponent::Key(key, self.value(strength)),
            RequestRelaxation::Fewer { now, flexed: Some(flexed), .. } => {
                return edit::set_flexed(text, flexed.happening, component, now - strength).ok();
            }
            RequestRelaxation::Fewer { key, now, flexed: None } => OfComponent::Key(key, now - strength),
            RequestRelaxation::NoLabel { .. } => OfComponent::Label(None),
            RequestRelaxation::Label(label) => OfComponent::Label(Some(label)),
            RequestRelaxation::Size { now, .. } => OfComponent::Size { now: *now, to: self.size(strength) },
            RequestRelaxation::Relax { .. }
            | RequestRelaxation::Clause(..)
            | RequestRelaxation::Clauses(_)
            | RequestRelaxation::Instead(..)
            | RequestRelaxation::More(..)
            | RequestRelaxation::Unblacklisted(..)
            | RequestRelaxation::Property { .. }
            | RequestRelaxation::Flag { .. }
            | RequestRelaxation::Priority { .. } => return None,
        };
        helped(&app.kind).change_component(text, app.entry, component, &change)
    }
}

pub(super) fn size_text(size: Resource, types: &ResourceTypes) -> String {
    let more = types.names().iter().map(String::as_str).zip(size.0).skip(2).filter(|(_, amount)| *amount != 0);
    units::size_text(size.memory_mb(), size.vcores(), more)
}

/// Returns the paths of the tables with a request's rows.
fn rows(app: &App, key: RequestKey) -> Vec<Vec<Step>> {
    let entry = [Step::from("apps"), Step::from(app.entry)];
    app.kind.rows(key).into_iter().map(|row| [&entry[..], &row].concat()).collect()
}

/// Returns the path of the AM's label.
fn am_label(app: &App) -> Vec<Step> {
    vec![Step::from("apps"), Step::from(app.entry), Step::from("am"), Step::from("label")]
}

/// Sets a field in each row of a request.
fn each(text: &str, app: &App, key: RequestKey, field: &str, setting: &Setting) -> Option<String> {
    let rows = rows(app, key);
    let set = |text: String, row: Vec<Step>| edit::set(&text, &[row, vec![Step::from(field)]].concat(), setting).ok();
    if rows.is_empty() { None } else { rows.into_iter().try_fold(text.to_string(), set) }
}

/// Returns a clause that allows more of what it counts.
fn more(leaf: &Single, by: i64) -> Single {
    Single { max: i32::try_from(i64::from(leaf.max).saturating_add(by)).unwrap_or(i32::MAX), ..leaf.clone() }
}

/// Returns the text with a call that removes hosts from the blacklist.
fn off_the_blacklist(text: &str, app: &App, hosts: &[String], at: Millis) -> Option<String> {
    let calls = [Step::from("apps"), Step::from(app.entry), Step::from("calls")];
    let hosts: Vec<String> = hosts.iter().map(|host| format!("{host:?}")).collect();
    let call = format!("{{ at = \"{} ms\", blacklist_remove = [{}] }}", at.max(1), hosts.join(", "));
    edit::append(text, &calls, &call).ok()
}

/// Returns the text with clause `to`, or none, in place of another wherever that is written: in the request, in the AM's
/// registration, in the cluster's settings.
fn change_clause(
    text: &str,
    app: &App,
    key: RequestKey,
    (number, leaf): (usize, &Single),
    to: Option<&Single>,
) -> Option<String> {
    let entry = [Step::from("apps"), Step::from(app.entry)];
    if let Some(mut spec) = app.kind.spec().cloned()
        && let Some(found) = spec.entries.iter_mut().find(|e| e.clauses.contains(&(number - 1)))
    {
        let mut left = number - 1 - found.clauses.start;
        found.constraint = found.constraint.take().and_then(|c| {
            with_leaf(c, to, &mut |_| {
                let this = left == 0;
                left = left.wrapping_sub(1);
                this
            })
        });
        let path = [&entry[..], &[Step::from("spec")]].concat();
        return edit::set(text, &path, &Setting::Text(print::spec(&spec).ok()?)).ok();
    }
    let mut out = text.to_string();
    // `gone` is the path to remove if nothing is left of the constraint.
    let mut change = |path: Vec<Step>, tree: Option<&Constraint>, gone: Option<&[Step]>| -> Option<()> {
        let tree = tree?;
        let mut found = false;
        let rest = with_leaf(tree.clone(), to, &mut |one| {
            let this = !found && one == leaf;
            found |= this;
            this
        });
        if !found {
            return None;
        }
        out = match (&rest, gone) {
            (Some(rest), _) => edit::set(&out, &path, &Setting::Text(print::expression(rest).ok()?)).ok()?,
            (None, Some(gone)) => edit::take_away(&out, gone).ok()?,
            (None, None) => edit::set(&out, &path, &Setting::Nothing).ok()?,
        };
        Some(())
    };
    let mut any = false;
    let trees = app.kind.calls().iter().flat_map(|c| &c.scheduling).filter(|s| s.key() == key);
    let paths = rows(app, key).into_iter().filter(|p| p.iter().any(|s| *s == Step::from("scheduling")));
    for (path, ask) in paths.zip(trees) {
        let tree = ask.constraint.as_ref().and_then(|c| c.tree.as_ref());
        any |= change([path, vec![Step::from("constraint")]].concat(), tree, None).is_some();
    }
    // From the last one, because removing an entry moves those behind it.
    for (i, tagged) in app.constraints.iter().enumerate().rev() {
        let path = [&entry[..], &[Step::from("constraints"), Step::from(i)]].concat();
        let field = [&path[..], &[Step::from("constraint")]].concat();
        any |= change(field, tagged.constraint.tree.as_ref(), Some(&path)).is_some();
    }
    any.then_some(out)
}

/// Returns a constraint with the chosen leaves replaced or removed; `None` if nothing is left.
fn with_leaf(
    constraint: Constraint,
    to: Option<&Single>,
    chosen: &mut dyn FnMut(&Single) -> bool,
) -> Option<Constraint> {
    let joined = |children: Vec<Constraint>,
                  join: fn(Vec<Constraint>) -> Constraint,
                  chosen: &mut dyn FnMut(&Single) -> bool| {
        let mut left: Vec<Constraint> = children.into_iter().filter_map(|c| with_leaf(c, to, chosen)).collect();
        match left.len() {
            0 => None,
            1 => left.pop(),
            _ => Some(join(left)),
        }
    };
    match constraint {
        Constraint::Single(leaf) if chosen(&leaf) => to.cloned().map(Constraint::Single),
        Constraint::Single(leaf) => Some(Constraint::Single(leaf)),
        Constraint::And(all) => joined(all, Constraint::And, chosen),
        Constraint::Or(any) => joined(any, Constraint::Or, chosen),
        delayed @ Constraint::DelayedOr(_) => Some(delayed),
    }
}

impl RequestContext<'_> {
    /// Returns a change of the request; `None` if there is nothing to change.
    pub(crate) fn ask(&self, what: RequestRelaxation, most: i64) -> Option<CandidateChange> {
        let place = self.names.sim.place_of(self.w.app)?;
        let of_am = matches!(
            what,
            RequestRelaxation::Size { am: true, .. }
                | RequestRelaxation::Relax { am: true }
                | RequestRelaxation::NoLabel { am: true }
        );
        let ask = RequestEdit::of(self.names.scenario(), place, self.w.key, what)?;
        let ask = if of_am { RequestEdit { component: None, ..ask } } else { ask };
        (most > 0).then_some(CandidateChange { most, what: CandidateKind::Ask(ask) })
    }

    /// Returns other requests that may help against a blocking condition.
    pub(super) fn asks(&self, hold: BlockingCondition) -> Vec<CandidateChange> {
        match hold {
            BlockingCondition::NoRelax => self.ask(RequestRelaxation::Relax { am: self.w.am }, 1).into_iter().collect(),
            BlockingCondition::Label => self.ask(RequestRelaxation::NoLabel { am: self.w.am }, 1).into_iter().collect(),
            BlockingCondition::Blacklist => self.off_the_blacklist(),
            BlockingCondition::Behind(app) if app != self.w.app => self.first_of(app),
            _ => Vec::new(),
        }
    }

    /// Returns changes of the first request of an application that comes first, or that a node is reserved for.
    pub(super) fn first_of(&self, app: AppId) -> Vec<CandidateChange> {
        let asks = self.names.rm().scheduled(app).map(|app| app.asks.open());
        let first = asks.and_then(|open| open.first()).map(|(key, _)| *key);
        first.map_or_else(Vec::new, |key| self.before_it(app, key))
    }

    /// Returns the number of resource types that the calculator counts.
    fn types(&self) -> usize {
        let cluster = self.names.rm().cluster();
        if cluster.calculator.kind == CalculatorKind::Dominant { cluster.types.len() } else { 1 }
    }

    /// Returns changes of a clause: a higher limit, what it may have meant, and removing it.
    pub(super) fn clause(&self, number: usize, leaf: &Single) -> Vec<CandidateChange> {
        let mut out = Vec::new();
        let is_limit = leaf.max != UNLIMITED && leaf.targets.iter().any(|t| matches!(t, Target::Tags { .. }));
        if is_limit && leaf.min <= 0 {
            let most = self.w.count.clamp(1, MORE);
            out.extend(self.ask(RequestRelaxation::More(number, Box::new(leaf.clone())), most));
        }
        for meant in self.meant(leaf) {
            out.extend(self.ask(RequestRelaxation::Instead(number, Box::new(leaf.clone()), Box::new(meant)), 1));
        }
        out.extend(self.ask(RequestRelaxation::Clause(number, Box::new(leaf.clone())), 1));
        out
    }

    /// Returns the change that removes several failing clauses together; removing one alternative of an OR never helps.
    pub(super) fn clauses(&self, clauses: &[(usize, Single)]) -> Option<CandidateChange> {
        if clauses.len() < 2 {
            return None;
        }
        self.ask(RequestRelaxation::Clauses(clauses.to_vec()), 1)
    }

    /// Returns what a clause that needs a tag may have meant: a tag with a similar name, or the tag of any application.
    fn meant(&self, leaf: &Single) -> Vec<Single> {
        if leaf.min < 1 {
            return Vec::new();
        }
        let tags: Vec<&str> = self.names.rm().cluster().tag_sets.iter().flatten().map(String::as_str).collect();
        let mut out = Vec::new();
        for (i, target) in leaf.targets.iter().enumerate() {
            let Target::Tags { namespace, values } = target else { continue };
            let mut with = |to: Target| {
                let mut targets = leaf.targets.clone();
                targets[i] = to;
                out.push(Single { targets, ..leaf.clone() });
            };
            for (j, value) in values.iter().enumerate().filter(|(_, value)| !tags.contains(&value.as_str())) {
                if let Some(near) = nearest(value, tags.iter().copied()) {
                    let mut values = values.clone();
                    values[j] = near.to_string();
                    with(Target::Tags { namespace: namespace.clone(), values });
                }
            }
            if namespace != EVERYBODY && values.iter().any(|value| tags.contains(&value.as_str())) {
                with(Target::Tags { namespace: EVERYBODY.to_string(), values: values.clone() });
            }
        }
        out
    }

    /// Returns a change of another request, possibly of another application.
    fn ask_of_other(&self, app: AppId, key: RequestKey, what: RequestRelaxation, most: i64) -> Option<CandidateChange> {
        let place = self.names.sim.place_of(app)?;
        let ask = RequestEdit::of(self.names.scenario(), place, key, what)?;
        let ask = if app == self.w.app { ask.of_other() } else { ask };
        (most > 0).then_some(CandidateChange { most, what: CandidateKind::Ask(ask) })
    }

    /// Returns changes of the request in front: a size that fits, a label whose nodes are large enough.
    pub(super) fn before_it(&self, app: AppId, key: RequestKey) -> Vec<CandidateChange> {
        let rm = self.names.rm();
        let cluster = rm.cluster();
        let Some(sched) = rm.scheduled(app) else { return Vec::new() };
        let Some(asks) = sched.asks.find(key).map(|place| sched.asks.at(place)) else { return Vec::new() };
        let Some(now) = asks.any().map(|row| row.size) else { return Vec::new() };
        let partition = asks.partition;
        let least = cluster.minimum.memory_mb().max(1);
        let step = Resource::new(least, 0);
        let what = |step| RequestRelaxation::Size { am: false, now, step, types: cluster.types.clone() };
        let mut out: Vec<CandidateChange> =
            self.ask_of_other(app, key, what(step), now.memory_mb() / least - 1).into_iter().collect();
        // Without resources that few nodes have, such as GPUs.
        for i in (2..self.types()).filter(|i| now[*i] > 0) {
            let mut step = Resource::ZERO;
            step[i] = 1;
            out.extend(self.ask_of_other(app, key, what(step), now[i]));
        }
        let nodes = cluster.nodes.iter().filter(|n| n.in_scheduler && n.partition != partition);
        let mut labels: Vec<&str> = Vec::new();
        for node in nodes.filter(|n| !n.partition.is_default() && rm.scheduler().fits_on_node(cluster, &now, &n.total))
        {
            let label = self.names.partition(node.partition);
            if !labels.contains(&label) {
                labels.push(label);
            }
        }
        out.extend(
            labels
                .into_iter()
                .filter_map(|label| self.ask_of_other(app, key, RequestRelaxation::Label(label.to_string()), 1)),
        );
        out
    }

    /// Returns labels that its queue may use and whose nodes have the room that unlabelled nodes lack.
    pub(super) fn other_labels(&self) -> Vec<CandidateChange> {
        let rm = self.names.rm();
        let cluster = rm.cluster();
        let Some(queue) = rm.queues().get(self.leaf().index()).filter(|_| !self.w.am && self.w.partition.is_default())
        else {
            return Vec::new();
        };
        let fits = |node: &&heddle_core::scheduler::Node| {
            let part = queue.part(node.partition);
            let may = part.access && part.shares.absolute_max_capacity > 0.0;
            may && !node.partition.is_default() && rm.scheduler().fits_in_room(cluster, &self.w.size, &node.free())
        };
        let mut labels: Vec<&str> = Vec::new();
        for node in cluster.nodes.iter().filter(|node| node.in_scheduler).filter(fits) {
            let label = self.names.partition(node.partition);
            if !labels.contains(&label) {
                labels.push(label);
            }
        }
        labels.into_iter().filter_map(|label| self.ask(RequestRelaxation::Label(label.to_string()), 1)).collect()
    }

    /// Removes the queue's default label, if the request's label may come from there.
    pub(super) fn no_default_label(&self) -> Option<CandidateChange> {
        let queue = default_label(self.names, self.w)?;
        let property = format!("{queue}.default-node-label-expression");
        Some(CandidateChange { most: 1, what: CandidateKind::Values(vec![(property, String::new())]) })
    }

    /// Returns the application's more urgent outstanding requests.
    pub(super) fn more_urgent(&self) -> Vec<RequestKey> {
        let Some(app) = self.names.rm().scheduled(self.w.app) else { return Vec::new() };
        let keys = app.asks.open().iter().map(|(key, _)| *key);
        keys.filter(|key| key.priority < self.w.key.priority).take(OTHERS).collect()
    }

    /// Returns changes that remove hosts from the application's blacklist, one by one and all together, if its calls are
    /// hand-written.
    fn off_the_blacklist(&self) -> Vec<CandidateChange> {
        let Some(app) = self.names.rm().scheduled(self.w.app) else { return Vec::new() };
        let place = self.names.sim.place_of(self.w.app).and_then(|place| self.names.scenario().apps.get(place));
        if place.is_none_or(|app| app.kind.calls().is_empty()) {
            return Vec::new();
        }
        let cluster = self.names.rm().cluster();
        let hosts = cluster.nodes.iter().filter(|n| n.in_scheduler && app.avoided().contains(&n.host_place));
        let all: Vec<String> = hosts.map(|n| n.host.to_string()).collect();
        let whole = (all.len() > 1).then(|| all.clone());
        let each = all.into_iter().take(OTHERS).map(|host| vec![host]);
        let now = self.names.now;
        whole
            .into_iter()
            .chain(each)
            .filter_map(|hosts| self.ask(RequestRelaxation::Unblacklisted(hosts, now), 1))
            .collect()
    }

    /// Returns smaller containers, for each resource type that counts.
    pub(super) fn smaller(&self) -> Vec<CandidateChange> {
        let cluster = self.names.rm().cluster();
        let knob = |i: usize| {
            let least = cluster.minimum[i].max(1);
            let mut step = Resource::ZERO;
            step[i] = least;
            let (am, now, types) = (self.w.am, self.w.size, cluster.types.clone());
            self.ask(RequestRelaxation::Size { am, now, step, types }, self.w.size[i] / least - 1)
        };
        (0..self.types()).filter_map(knob).collect()
    }

    /// Returns the rack that a new node must be in to satisfy the clauses, if they count racks: one with the tags that a
    /// clause needs, or a new one without those that it forbids or limits.
    pub(super) fn rack(&self, clauses: &[(usize, Single)]) -> Option<Rack> {
        let rm = self.names.rm();
        let cluster = rm.cluster();
        for (_, leaf) in clauses.iter().filter(|(_, leaf)| leaf.scope == Scope::Rack) {
            let Some(values) = leaf.targets.iter().find_map(|target| match target {
                Target::Tags { values, .. } => Some(values),
                Target::Attribute { .. } | Target::Partition { .. } => None,
            }) else {
                continue;
            };
            if leaf.min < 1 {
                let taken = |rack: &String| {
                    self.names.scenario().nodes.iter().any(|n| n.spec.rack == *rack)
                        || cluster.nodes.iter().any(|n| cluster.place_name(n.rack) == rack)
                };
                return (1..).map(|i| format!("/r{i}")).find(|rack| !taken(rack)).map(Rack::New);
            }
            let carries = |tags: u32| {
                cluster.tag_sets.get_index(tags as usize).is_some_and(|set| values.iter().any(|v| set.contains(v)))
            };
            let has = |node: &&heddle_core::scheduler::Node| rm.containers_on(node.id).any(|c| carries(c.tags));
            let node = cluster.nodes.iter().filter(|n| n.in_scheduler).find(has)?;
            return Some(Rack::Of(cluster.place_name(node.rack).to_string()));
        }
        None
    }

    /// Returns whether a node has the attributes that the request's constraints need.
    fn has_attributes(&self, host: &str) -> bool {
        let node = self.names.rm().nodes().iter().find(|node| node.host == host);
        node.is_some_and(|node| has_attributes(self.names, self.w, node))
    }

    /// Adds a node like the last one with the requested attributes and label, large enough for the request, and in a rack
    /// that it may use.
    pub(super) fn node(&self, clauses: &[(usize, Single)]) -> Option<CandidateChange> {
        let (rm, nodes) = (self.names.rm(), &self.names.scenario().nodes);
        let own = self.helped().label(self);
        let label = own.as_deref().unwrap_or_else(|| self.names.partition(self.w.partition));
        let rack = self.rack(clauses);
        let has_label = |n: &&heddle_core::scenario::Node| n.spec.label.as_deref().unwrap_or("") == label;
        let in_place = |n: &&heddle_core::scenario::Node| match &rack {
            Some(Rack::Of(rack)) => n.spec.rack == *rack,
            _ => self.w.places.is_empty() || self.w.places.contains(&n.spec.rack),
        };
        let suits = |n: &&heddle_core::scenario::Node| has_label(n) && self.has_attributes(&n.spec.host);
        let latest = |is: &dyn Fn(&&heddle_core::scenario::Node) -> bool| nodes.iter().rev().find(is);
        let like = latest(&|n| suits(n) && in_place(n)).or_else(|| latest(&suits));
        let like = like.or_else(|| latest(&|n| has_label(n) && in_place(n)));
        let like = like.or_else(|| latest(&has_label)).or(nodes.last());
        let stem = like.map_or("n", |n| n.spec.host.trim_end_matches(|c: char| c.is_ascii_digit()));
        // Names of nodes that join later count as used.
        let joins = |act: &Act, name: &String| matches!(act, Act::AddNode(node) if node.spec.host == *name);
        let later = |name: &String| self.names.scenario().happenings.iter().any(|h| joins(&h.act, name));
        let taken = |name: &String| self.names.sim.machines().iter().any(|m| m.spec.host == *name) || later(name);
        let first = self.names.sim.machines().len() + 1;
        let name = (first..).map(|i| format!("{stem}{i}")).find(|n| !taken(n))?;
        let cluster = rm.cluster();
        let kinds = if cluster.calculator.kind == CalculatorKind::Default { 1 } else { cluster.types.len() };
        let small = like.is_some_and(|n| (0..kinds).any(|i| n.spec.total[i] < self.w.size[i]));
        let size = match like {
            Some(n) if small => Some(n.spec.total.component_max(self.w.size)),
            Some(_) => None,
            None => Some(Resource::new(65_536, 16)),
        };
        let told = size.or(like.map(|n| n.spec.total)).unwrap_or(self.w.size);
        let told = words::size(told, &cluster.types);
        let alike = like.filter(|n| size.is_none() && has_label(n)).map(|n| n.spec.host.as_str());
        let (on, rack) = match &rack {
            Some(Rack::New(rack)) => (say::ON_ANOTHER_RACK.to_string(), Some(rack.clone())),
            Some(Rack::Of(rack)) => (say::on_rack(rack), Some(rack.clone())),
            None => (String::new(), None),
        };
        let says = say::one_more_node(alike, &told, label, &on);
        let like = like.map(|n| n.spec.host.clone());
        Some(CandidateChange {
            most: 1,
            what: CandidateKind::Node { name, like, label: label.to_string(), size, rack, says },
        })
    }

    /// Returns a larger size for a node that lacks only room, while others lack more.
    pub(super) fn larger_node(&self, node: NodeId) -> Option<CandidateChange> {
        let cluster = self.names.rm().cluster();
        let node = cluster.node(node);
        let kinds = if cluster.calculator.kind == CalculatorKind::Default { 1 } else { cluster.types.len() };
        let free = node.free();
        let mut step = Resource::ZERO;
        for i in (0..kinds).filter(|i| self.w.size[*i] > free[*i].max(0)) {
            step[i] = self.w.size[i];
        }
        let most = self.w.count.clamp(1, MORE);
        let types = cluster.types.clone();
        (!step.is_zero()).then(|| CandidateChange {
            most,
            what: CandidateKind::Grow { node: node.host.to_string(), from: node.total, step, types },
        })
    }
}

/// The rack of a new node.
pub(super) enum Rack {
    /// An existing one.
    Of(String),
    /// A new one.
    New(String),
}
