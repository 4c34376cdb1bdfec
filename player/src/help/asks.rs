//! Changes of what an application asks for, and one more node.

use super::knobs::{Ground, Knob, What};
use crate::explain::say::checks::{circled, clause_title};
use crate::explain::waits::of_check::Hold;
use crate::explain::{say, words};
use heddle_core::constraint::{Constraint, Single, print};
use heddle_core::model::{CalculatorKind, RequestKey, Resource, ResourceTypes};
use heddle_core::scenario::edit::{self, Setting, Step};
use heddle_core::scenario::{Act, App, AppKind, Scenario, read, units};
use heddle_core::strategy::slider::settings::key;

/// A change of what one application asks for.
#[derive(Clone, Debug, PartialEq)]
pub struct Ask {
    /// Its place among the scenario's applications.
    place: usize,
    /// Its name.
    name: String,
    /// How many are written as one with it.
    copies: usize,
    key: RequestKey,
    /// The component of a Slider.
    component: Option<String>,
    what: Less,
}

#[derive(Clone, Debug, PartialEq)]
pub enum Less {
    /// Smaller containers, or a smaller AM: so much less of a type at each strength.
    Size { am: bool, now: Resource, step: Resource, types: ResourceTypes },
    /// It may go further out.
    Relax { am: bool },
    /// Nodes without a label.
    NoLabel,
    /// Without a clause of its constraint.
    Clause(usize, Box<Single>),
    /// A higher priority of the application.
    Priority { now: i64 },
    /// Fewer instances of the component of a Slider that it is about; so many are wanted.
    Fewer { now: i64 },
    /// A key of a component of a Slider: its value at strength 1, and how it goes on.
    Key { component: String, key: &'static str, start: i64, step: i64 },
}

impl Ask {
    /// One of the application at a place of the scenario.
    pub fn of(scenario: &Scenario, place: usize, key: RequestKey, what: Less) -> Option<Ask> {
        let app = scenario.apps.get(place)?;
        let copies = scenario.apps.iter().filter(|a| a.entry == app.entry).count();
        let component = match &app.kind {
            AppKind::Slider(slider) => slider.component(key.priority).map(String::from),
            _ => None,
        };
        Some(Ask { place, name: app.name.clone(), copies, key, component, what })
    }

    /// The same of another component.
    pub fn whose(self, component: &str) -> Ask {
        Ask { component: Some(component.to_string()), ..self }
    }

    /// "Containers of 2 GB · 1 vcore for etl".
    pub fn says(&self, strength: i64) -> String {
        let whose = say::whose_ask(&self.name, self.copies);
        let whose = self.component.as_ref().map_or(whose.clone(), |c| say::component_of(c, &whose));
        match &self.what {
            Less::Size { am, types, .. } => say::smaller(*am, &words::size(self.size(strength), types), &whose),
            Less::Relax { .. } => say::relaxed(&whose),
            Less::NoLabel => say::unlabelled(&whose),
            Less::Clause(n, leaf) => say::without_clause(&circled(*n), &clause_title(leaf)),
            Less::Priority { now } => say::priority(now + strength, &say::whose_ask(&self.name, self.copies)),
            Less::Fewer { now } => say::key_of_component(key::INSTANCES, now - strength, &whose),
            Less::Key { key, .. } => say::key_of_component(key, self.value(strength), &whose),
        }
    }

    /// So many fewer containers are asked for with it.
    pub fn fewer(&self, strength: i64) -> i64 {
        if matches!(self.what, Less::Fewer { .. }) { strength } else { 0 }
    }

    fn value(&self, strength: i64) -> i64 {
        let Less::Key { start, step, .. } = &self.what else { return 0 };
        start + step * (strength - 1)
    }

    fn size(&self, strength: i64) -> Resource {
        let Less::Size { now, step, .. } = &self.what else { return Resource::ZERO };
        let mut size = *now;
        (0..strength).for_each(|_| size -= *step);
        size
    }

    /// The scenario's text with it.
    pub fn text(&self, text: &str, strength: i64) -> Option<String> {
        let scenario = read(text).scenario?;
        let app = scenario.apps.get(self.place)?;
        if let Less::Priority { now } = &self.what {
            let path = [Step::from("apps"), Step::from(app.entry), Step::from("priority")];
            return edit::set(text, &path, &Setting::Number(now + strength)).ok();
        }
        if let Some(component) = self.component.as_ref().filter(|_| !matches!(self.what, Less::Size { am: true, .. })) {
            return self.of_component(text, app.entry, component, strength);
        }
        match &self.what {
            Less::Size { am, types, .. } => {
                let size = size_text(self.size(strength), types);
                if *am {
                    return edit::set_am(text, app.entry, "size", &Setting::Text(size)).ok();
                }
                each(text, app, self.key, "size", &Setting::Text(size))
            }
            Less::Relax { am: true } => edit::set_am(text, app.entry, "relax", &Setting::Flag(true)).ok(),
            Less::Relax { am: false } => each(text, app, self.key, "relax", &Setting::Flag(true)),
            Less::NoLabel => each(text, app, self.key, "label", &Setting::Nothing),
            Less::Clause(n, leaf) => without_clause(text, app, self.key, *n, leaf),
            Less::Priority { .. } | Less::Fewer { .. } | Less::Key { .. } => None,
        }
    }

    /// The same of a component of a Slider, whose keys have other names.
    fn of_component(&self, text: &str, entry: usize, component: &str, strength: i64) -> Option<String> {
        let set = |text: &str, key: &str, setting: Setting| edit::set_component(text, entry, component, key, &setting);
        match &self.what {
            Less::Key { component, key, .. } => {
                edit::set_component(text, entry, component, key, &Setting::Number(self.value(strength))).ok()
            }
            Less::Fewer { now } => set(text, key::INSTANCES, Setting::Number(now - strength)).ok(),
            Less::NoLabel => set(text, key::LABEL, Setting::Nothing).ok(),
            Less::Size { now, .. } => {
                let size = self.size(strength);
                let (mut out, types) = (text.to_string(), [(0, key::MEMORY), (1, key::VCORES)]);
                for (i, key) in types.into_iter().filter(|(i, _)| size[*i] != now[*i]) {
                    out = set(&out, key, Setting::Number(size[i])).ok()?;
                }
                Some(out)
            }
            Less::Relax { .. } | Less::Clause(..) | Less::Priority { .. } => None,
        }
    }
}

fn size_text(size: Resource, types: &ResourceTypes) -> String {
    let mut out = format!("{}/{}", units::memory_text(size.memory_mb()), size.vcores());
    for (name, amount) in types.names().iter().zip(size.0).skip(2).filter(|(_, amount)| *amount != 0) {
        out.push_str(&format!(", {name}={amount}"));
    }
    out
}

/// Where the rows of a request are written: paths of tables.
fn rows(app: &App, key: RequestKey) -> Vec<Vec<Step>> {
    let entry = [Step::from("apps"), Step::from(app.entry)];
    app.kind.rows(key).into_iter().map(|row| [&entry[..], &row].concat()).collect()
}

/// Sets a field in each row of a request.
fn each(text: &str, app: &App, key: RequestKey, field: &str, setting: &Setting) -> Option<String> {
    let rows = rows(app, key);
    let set = |text: String, row: Vec<Step>| edit::set(&text, &[row, vec![Step::from(field)]].concat(), setting).ok();
    if rows.is_empty() { None } else { rows.into_iter().try_fold(text.to_string(), set) }
}

/// Without one of the clauses, wherever it is written.
fn without_clause(text: &str, app: &App, key: RequestKey, number: usize, leaf: &Single) -> Option<String> {
    let entry = [Step::from("apps"), Step::from(app.entry)];
    if let Some(mut spec) = app.kind.spec().cloned() {
        let found = spec.entries.iter_mut().find(|e| e.clauses.contains(&(number - 1)))?;
        let mut left = number - 1 - found.clauses.start;
        found.constraint = found.constraint.take().and_then(|c| {
            without_leaf(c, &mut |_| {
                let this = left == 0;
                left = left.wrapping_sub(1);
                this
            })
        });
        let path = [&entry[..], &[Step::from("spec")]].concat();
        return edit::set(text, &path, &Setting::Text(print::spec(&spec).ok()?)).ok();
    }
    let mut out = text.to_string();
    let mut change = |path: Vec<Step>, tree: Option<&Constraint>| -> Option<()> {
        let tree = tree?;
        let mut found = false;
        let rest = without_leaf(tree.clone(), &mut |one| {
            let this = !found && one == leaf;
            found |= this;
            this
        });
        if !found {
            return None;
        }
        let setting = match &rest {
            Some(rest) => Setting::Text(print::expression(rest).ok()?),
            None => Setting::Nothing,
        };
        out = edit::set(&out, &path, &setting).ok()?;
        Some(())
    };
    let mut any = false;
    let trees = app.kind.calls().iter().flat_map(|c| &c.scheduling).filter(|s| s.key() == key);
    let paths = rows(app, key).into_iter().filter(|p| p.iter().any(|s| *s == Step::from("scheduling")));
    for (path, ask) in paths.zip(trees) {
        let tree = ask.constraint.as_ref().and_then(|c| c.tree.as_ref());
        any |= change([path, vec![Step::from("constraint")]].concat(), tree).is_some();
    }
    any.then_some(out)
}

/// A constraint without the leaves that are chosen; `None` if nothing is left.
fn without_leaf(constraint: Constraint, chosen: &mut dyn FnMut(&Single) -> bool) -> Option<Constraint> {
    let joined = |children: Vec<Constraint>,
                  join: fn(Vec<Constraint>) -> Constraint,
                  chosen: &mut dyn FnMut(&Single) -> bool| {
        let mut left: Vec<Constraint> = children.into_iter().filter_map(|c| without_leaf(c, chosen)).collect();
        match left.len() {
            0 => None,
            1 => left.pop(),
            _ => Some(join(left)),
        }
    };
    match constraint {
        Constraint::Single(leaf) => (!chosen(&leaf)).then_some(Constraint::Single(leaf)),
        Constraint::And(all) => joined(all, Constraint::And, chosen),
        Constraint::Or(any) => joined(any, Constraint::Or, chosen),
        delayed @ Constraint::DelayedOr(_) => Some(delayed),
    }
}

impl Ground<'_> {
    pub(super) fn ask(&self, what: Less, most: i64) -> Option<Knob> {
        let place = self.names.sim.place_of(self.w.app)?;
        let of_am = matches!(what, Less::Size { am: true, .. } | Less::Relax { am: true });
        let ask = Ask::of(self.names.scenario(), place, self.w.key, what)?;
        let ask = if of_am { Ask { component: None, ..ask } } else { ask };
        (most > 0).then_some(Knob { most, what: What::Ask(ask) })
    }

    /// What may be asked for instead, for a hold.
    pub(super) fn asks(&self, hold: Hold) -> Vec<Knob> {
        let knob = match hold {
            Hold::NoRelax => self.ask(Less::Relax { am: self.w.am }, 1),
            Hold::Label if !self.w.am => self.ask(Less::NoLabel, 1),
            _ => None,
        };
        knob.into_iter().collect()
    }

    /// Without one of these clauses.
    pub(super) fn clause(&self, number: usize, leaf: &Single) -> Option<Knob> {
        self.ask(Less::Clause(number, Box::new(leaf.clone())), 1)
    }

    /// Smaller containers, of each type that counts.
    pub(super) fn smaller(&self) -> Vec<Knob> {
        let cluster = self.names.rm().cluster();
        let dominant = cluster.calculator.kind == CalculatorKind::Dominant;
        let types = if dominant { 2 } else { 1 };
        let knob = |i: usize| {
            let least = cluster.minimum[i].max(1);
            let mut step = Resource::ZERO;
            step[i] = least;
            let (am, now, types) = (self.w.am, self.w.size, cluster.types.clone());
            self.ask(Less::Size { am, now, step, types }, self.w.size[i] / least - 1)
        };
        (0..types).filter_map(knob).collect()
    }

    /// One more node, like the last one that has the label asked for; large enough for the request.
    pub(super) fn node(&self) -> Option<Knob> {
        let (rm, nodes) = (self.names.rm(), &self.names.scenario().nodes);
        let label = self.names.partition(self.w.partition);
        let has_label = |n: &&heddle_core::scenario::Node| n.spec.label.as_deref().unwrap_or("") == label;
        let in_place =
            |n: &&heddle_core::scenario::Node| self.w.places.is_empty() || self.w.places.contains(&n.spec.rack);
        let like = nodes.iter().rev().find(|n| has_label(n) && in_place(n));
        let like = like.or_else(|| nodes.iter().rev().find(has_label)).or(nodes.last());
        let stem = like.map_or("n", |n| n.spec.host.trim_end_matches(|c: char| c.is_ascii_digit()));
        // Names of nodes that join later are taken too.
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
        let says = say::one_more_node(alike, &told, label);
        let like = like.map(|n| n.spec.host.clone());
        Some(Knob { most: 1, what: What::Node { name, like, label: label.to_string(), size, says } })
    }
}
