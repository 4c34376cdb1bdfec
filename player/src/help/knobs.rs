//! Candidate changes that can be made weaker and stronger: what each does to the text, and its name.

use super::allocations::{self, Element};
use super::asks::{RequestEdit, size_text};
use crate::explain::waiting::Waiting;
use crate::explain::{Names, say, words};
use heddle_core::config::capacity::PREFIX;
use heddle_core::model::{Millis, QueueId, Resource, ResourceTypes};
use heddle_core::rm::Properties;
use heddle_core::scenario::edit::{self, Change, Setting};
use heddle_core::scenario::{Act, Scenario, read};

/// A candidate change, with strengths from 1 to `most`.
#[derive(Clone, Debug, PartialEq)]
pub struct CandidateChange {
    /// The greatest strength.
    pub most: i64,
    pub what: CandidateKind,
}

/// The kinds of changes. The CapacityScheduler's properties have their short names, others their full names.
#[derive(Clone, Debug, PartialEq)]
pub enum CandidateKind {
    /// A numeric property with `digits` decimals.
    Number { property: String, start: i64, sign: i64, digits: u32 },
    /// Properties with these values.
    Values(Vec<(String, String)>),
    /// A property in amounts, from one to the other, in steps of the type `of` that decides.
    Amounts { property: String, from: Resource, to: Resource, of: usize, step: i64, types: ResourceTypes },
    /// Percent moved from one property to another.
    Shift { to: String, now: f64, from: String, has: f64 },
    /// A number in fair-scheduler.xml.
    Fair { path: String, element: &'static str, start: i64, digits: u32 },
    /// minResources or maxResources in fair-scheduler.xml.
    FairAmount { path: String, element: &'static str, from: Resource, to: Resource, step: i64 },
    /// An element in fair-scheduler.xml with this value.
    FairValue { path: String, element: &'static str, value: String },
    /// All of these together.
    Each(Vec<CandidateKind>),
    /// A change of the application's requests.
    Ask(RequestEdit),
    /// A happening at a node now: it gets a label, or accepts containers again.
    Happens { act: &'static str, node: String, label: Option<String>, says: String },
    /// A flex of a service's component now.
    Flex { app: String, component: String, to: i64 },
    /// A node that grows by steps from now on.
    Grow { node: String, from: Resource, step: Resource, types: ResourceTypes },
    /// One more node from now on.
    Node {
        name: String,
        like: Option<String>,
        label: String,
        size: Option<Resource>,
        rack: Option<String>,
        says: String,
    },
}

/// A value to be set.
#[derive(Clone, Copy, Debug)]
pub enum Set<'a> {
    /// A property and its value.
    Property(&'a str, &'a str),
    /// An element of the allocation file.
    Element(Element<'a>),
}

impl Set<'_> {
    /// "root.a.user-limit-factor = 2", "maxResources of root.a = 4096 mb, 4 vcores"
    pub fn says(&self) -> String {
        match self {
            Set::Property(name, value) => say::property(name, value),
            Set::Element(of) => say::fair_element(of.path, of.element, of.value),
        }
    }
}

fn named(text: &str) -> Setting {
    Setting::Text(text.to_string())
}

/// Returns the text with one more happening.
pub(super) fn happens(text: &str, at: Millis, act: &str, fields: Vec<(&str, Setting)>) -> Option<String> {
    let at = ("at", Setting::Text(format!("{} ms", at.max(1))));
    let fields: Vec<(&str, Setting)> = [at, ("do", named(act))].into_iter().chain(fields).collect();
    edit::push(text, "happenings", &fields).ok()
}

impl CandidateChange {
    /// Returns whether it changes a setting.
    pub fn is_setting(&self) -> bool {
        match &self.what {
            CandidateKind::Ask(_)
            | CandidateKind::Node { .. }
            | CandidateKind::Happens { .. }
            | CandidateKind::Flex { .. }
            | CandidateKind::Grow { .. } => false,
            CandidateKind::Each(all) => {
                all.iter().any(|what| CandidateChange { most: 1, what: what.clone() }.is_setting())
            }
            CandidateKind::Number { .. }
            | CandidateKind::Values(_)
            | CandidateKind::Amounts { .. }
            | CandidateKind::Shift { .. }
            | CandidateKind::Fair { .. }
            | CandidateKind::FairAmount { .. }
            | CandidateKind::FairValue { .. } => true,
        }
    }

    /// Returns whether it leaves less room for the AMs of others.
    pub fn starves_masters(&self) -> bool {
        matches!(&self.what, CandidateKind::Number { property, sign: -1, .. } if property.ends_with("maximum-am-resource-percent"))
    }

    /// Returns how many fewer containers are asked for.
    pub fn fewer(&self, strength: i64) -> i64 {
        if let CandidateKind::Ask(ask) = &self.what { ask.fewer(strength) } else { 0 }
    }

    /// Returns whether it changes something that another changes too.
    pub fn is_about_the_same(&self, other: &CandidateChange) -> bool {
        let values = other.values(1);
        self == other || self.values(1).iter().any(|(name, _)| values.iter().any(|(known, _)| known == name))
    }

    /// Returns the text with the change at a strength; `None` if that is impossible.
    pub fn text(&self, text: &str, since: Since<'_>, strength: i64) -> Option<String> {
        let now = since.now;
        match &self.what {
            CandidateKind::Ask(ask) => ask.text(text, strength),
            CandidateKind::Happens { act, node, label, .. } => {
                let mut fields = vec![("node", named(node))];
                fields.extend(label.as_deref().map(|label| ("label", named(label))));
                happens(text, now, act, fields)
            }
            CandidateKind::Flex { app, component, to } => {
                // Component names consist of lower-case letters, digits and hyphens.
                let components = Setting::Toml(format!("{{ {component:?} = {to} }}"));
                happens(text, now, "flex_app", vec![("app", named(app)), ("components", components)])
            }
            CandidateKind::Grow { node, types, .. } => {
                let size = size_text(self.grown(strength), types);
                happens(text, now, "resize_node", vec![("node", named(node)), ("size", named(&size))])
            }
            CandidateKind::Node { name, like, label, size, rack, .. } => {
                let node = edit::NodeLike { name, like: like.as_deref(), label, size: *size, rack: rack.as_deref() };
                edit::add_node_like(text, &node, now.max(1)).ok()
            }
            CandidateKind::Fair { .. } | CandidateKind::FairAmount { .. } | CandidateKind::FairValue { .. } => {
                self.with_element(strength, |element| allocations::put(text, since, element))
            }
            CandidateKind::Each(all) => {
                let put = |text: String, what: &CandidateKind| {
                    CandidateChange { most: 1, what: what.clone() }.text(&text, since, strength)
                };
                all.iter().try_fold(text.to_string(), put)
            }
            _ => self
                .values(strength)
                .into_iter()
                .try_fold(text.to_string(), |text, (name, value)| put_where(&text, since, &name, &value)),
        }
    }

    /// Returns the text with a setting changed by a refresh at the moment; `None` for what a refresh cannot set.
    pub fn text_from_now(&self, text: &str, since: Since<'_>, strength: i64) -> Option<String> {
        let now = since.now.max(1);
        match &self.what {
            CandidateKind::Fair { .. } | CandidateKind::FairAmount { .. } | CandidateKind::FairValue { .. } => {
                self.with_element(strength, |element| allocations::put_from_now(text, since, element))
            }
            CandidateKind::Number { .. }
            | CandidateKind::Values(_)
            | CandidateKind::Amounts { .. }
            | CandidateKind::Shift { .. } => {
                let values = self.values(strength);
                if values.is_empty() || values.iter().any(|(name, _)| name.starts_with("yarn.")) {
                    return None;
                }
                values.into_iter().try_fold(without_refused(text, since)?, |text, (name, value)| {
                    put_from(&text, Some(now), &format!("{PREFIX}{name}"), &value)
                })
            }
            CandidateKind::Each(all) => match all.as_slice() {
                [only] => CandidateChange { most: 1, what: only.clone() }.text_from_now(text, since, strength),
                _ => None,
            },
            CandidateKind::Ask(_)
            | CandidateKind::Happens { .. }
            | CandidateKind::Flex { .. }
            | CandidateKind::Grow { .. }
            | CandidateKind::Node { .. } => None,
        }
    }

    /// Calls `then` with the allocation file's element that it sets at a strength.
    fn with_element<T>(&self, strength: i64, then: impl FnOnce(Element<'_>) -> Option<T>) -> Option<T> {
        let (path, element) = match &self.what {
            CandidateKind::Fair { path, element, .. }
            | CandidateKind::FairAmount { path, element, .. }
            | CandidateKind::FairValue { path, element, .. } => (path, element),
            _ => return None,
        };
        then(Element { path, element, value: &self.value(strength)? })
    }

    /// Returns the change's name, "root.a.user-limit-factor = 2"; in parts if it sets several properties.
    pub fn says(&self, strength: i64) -> Vec<String> {
        self.says_with(strength, &|set: &Set<'_>| set.says())
    }

    /// Returns the change's name, with each value that it sets formatted by `tell`.
    pub(super) fn says_with(&self, strength: i64, tell: &dyn Fn(&Set<'_>) -> String) -> Vec<String> {
        match &self.what {
            CandidateKind::Ask(ask) => ask.says(strength),
            CandidateKind::Node { says, .. } | CandidateKind::Happens { says, .. } => vec![says.clone()],
            CandidateKind::Flex { app, component, to } => vec![say::flex(app, component, *to)],
            CandidateKind::Grow { node, types, .. } => {
                vec![say::grow_node(node, &words::size(self.grown(strength), types))]
            }
            CandidateKind::Fair { .. } | CandidateKind::FairAmount { .. } | CandidateKind::FairValue { .. } => {
                self.with_element(strength, |element| Some(tell(&Set::Element(element)))).into_iter().collect()
            }
            CandidateKind::Each(all) => all
                .iter()
                .flat_map(|what| CandidateChange { most: 1, what: what.clone() }.says_with(strength, tell))
                .collect(),
            _ => self.values(strength).iter().map(|(name, value)| tell(&Set::Property(name, value))).collect(),
        }
    }

    /// Returns the CapacityScheduler's properties that it sets, by their short names.
    pub fn values(&self, strength: i64) -> Vec<(String, String)> {
        match &self.what {
            CandidateKind::Number { property, .. } | CandidateKind::Amounts { property, .. } => {
                self.value(strength).map(|v| (property.clone(), v)).into_iter().collect()
            }
            CandidateKind::Values(values) => values.clone(),
            CandidateKind::Shift { to, now, from, has } => {
                let s = strength as f64;
                vec![(to.clone(), plain(now + s)), (from.clone(), plain(has - s))]
            }
            CandidateKind::Each(all) => {
                all.iter().flat_map(|what| CandidateChange { most: 1, what: what.clone() }.values(strength)).collect()
            }
            CandidateKind::Fair { .. } | CandidateKind::FairAmount { .. } | CandidateKind::FairValue { .. } => {
                Vec::new()
            }
            CandidateKind::Ask(_)
            | CandidateKind::Happens { .. }
            | CandidateKind::Flex { .. }
            | CandidateKind::Node { .. }
            | CandidateKind::Grow { .. } => Vec::new(),
        }
    }

    /// Returns the size of a node that grows.
    fn grown(&self, strength: i64) -> Resource {
        let CandidateKind::Grow { from, step, .. } = &self.what else { return Resource::ZERO };
        let mut size = *from;
        (0..strength).for_each(|_| size += *step);
        size
    }

    fn value(&self, strength: i64) -> Option<String> {
        Some(match &self.what {
            CandidateKind::Number { start, sign, digits, .. } => decimal(start + sign * strength, *digits),
            CandidateKind::Fair { start, digits, .. } => decimal(start + strength, *digits),
            CandidateKind::Amounts { from, to, of, step, types, .. } => {
                let amount = |i: usize| match i {
                    i if i == *of => from[i] + step * strength,
                    // If memory decides, vcores are as many as the parent's.
                    1 if *of == 0 => to[1],
                    i => from[i],
                };
                let others = types.names().iter().enumerate().skip(2).map(|(i, name)| format!(",{name}={}", amount(i)));
                format!("[memory={},vcores={}{}]", amount(0), amount(1), others.collect::<String>())
            }
            CandidateKind::FairValue { value, .. } => value.clone(),
            CandidateKind::FairAmount { from, to, step, .. } => {
                let memory = from.memory_mb() + step * strength;
                // A decreasing amount ends below its start.
                let memory = if *step < 0 { memory.max(to.memory_mb()) } else { memory.min(to.memory_mb()) };
                format!("{memory} mb, {} vcores", to.vcores())
            }
            _ => return None,
        })
    }
}

/// Formats a number with so many decimals, without trailing zeros.
fn decimal(n: i64, digits: u32) -> String {
    plain(n as f64 / 10f64.powi(digits as i32))
}

fn plain(x: f64) -> String {
    let text = format!("{x:.3}");
    text.trim_end_matches('0').trim_end_matches('.').to_string()
}

/// Sets a property: by its short name in capacity-scheduler.xml, by its full name where it is set already, else in
/// yarn-site.xml.
fn put_where(text: &str, since: Since<'_>, name: &str, value: &str) -> Option<String> {
    if !name.starts_with("yarn.") {
        return put(text, since, &format!("{PREFIX}{name}"), value);
    }
    let scenario = read(text).scenario?;
    if since.in_force(&scenario, since.now).contains_key(name) {
        return put(text, since, name, value);
    }
    edit::set_property(text, "yarn-site", name, &Setting::typed(value)).ok()
}

/// The moment from which a change of settings counts, and the refreshes before it that the ResourceManager refused.
#[derive(Clone, Copy, Debug)]
pub struct Since<'a> {
    pub now: Millis,
    /// Indices into the scenario's happenings.
    pub refused: &'a [usize],
}

impl Since<'_> {
    /// Returns the capacity-scheduler properties in force at a time: those of the latest accepted refresh.
    pub fn in_force(self, scenario: &Scenario, at: Millis) -> &Properties {
        edit::in_force_but(scenario, at, self.refused)
    }

    /// Returns the refresh that set a queue property's value in force; `None` if the run began with it.
    pub fn brought_by_refresh(self, scenario: &Scenario, name: &str) -> Option<Millis> {
        let value = self.in_force(scenario, self.now).get(name)?;
        if scenario.settings.capacity_scheduler.get(name) == Some(value) {
            return None;
        }
        let refreshes = scenario
            .happenings
            .iter()
            .enumerate()
            .filter(|(i, h)| h.at <= self.now && !self.refused.contains(i) && matches!(h.act, Act::Refresh { .. }));
        let same = refreshes.rev().take_while(|(_, h)| self.in_force(scenario, h.at).get(name) == Some(value));
        same.last().map(|(_, h)| h.at)
    }
}

/// Returns the text with a refresh at the moment that reverts refused ones, because later refreshes start from their
/// properties.
fn without_refused(text: &str, since: Since<'_>) -> Option<String> {
    if since.refused.is_empty() {
        return Some(text.to_string());
    }
    let scenario = read(text).scenario?;
    let (now, written) = (since.in_force(&scenario, since.now), edit::in_force(&scenario, since.now));
    let other = now.iter().filter(|(name, value)| written.get(*name) != Some(*value));
    let gone = written.keys().filter(|name| !now.contains_key(*name)).map(|name| (name.as_str(), ""));
    let all = other.map(|(name, value)| (name.as_str(), value.as_str())).chain(gone);
    let put = |text: String, (name, value): (&str, &str)| {
        edit::change_queues(&text, Some(since.now.max(1)), Change::Property(name, value)).ok()
    };
    all.collect::<Vec<_>>().into_iter().try_fold(text.to_string(), put)
}

/// Returns the text with a property set from where its present value began, the start or a refresh, and also in later
/// refreshes that set it.
fn put(text: &str, since: Since<'_>, name: &str, value: &str) -> Option<String> {
    put_from(text, since.brought_by_refresh(&read(text).scenario?, name), name, value)
}

/// Returns the text with a property set from a refresh at a time; `None` for the start.
fn put_from(text: &str, since: Option<Millis>, name: &str, value: &str) -> Option<String> {
    let mut text = edit::change_queues(text, since, Change::Property(name, value)).ok()?;
    let due = |at: Millis| since.is_none_or(|since| at > since);
    for (at, _) in edit::refreshed_at(&text).into_iter().filter(|(at, _)| due(*at)) {
        let scenario = read(&text).scenario?;
        if edit::in_force(&scenario, at).get(name).map(|v| v.trim()) != Some(value) {
            text = edit::change_queues(&text, Some(at), Change::Property(name, value)).ok()?;
        }
    }
    Some(text)
}

/// The basis of candidate changes: a waiting request in a state.
pub struct RequestContext<'a> {
    /// The state, and the names in it.
    pub names: Names<'a>,
    pub w: &'a Waiting,
    pub properties: &'a Properties,
}

impl RequestContext<'_> {
    /// The request's leaf queue.
    pub(super) fn leaf(&self) -> QueueId {
        let rm = self.names.rm();
        rm.app(self.w.app).and_then(|a| rm.queue(&a.queue)).unwrap_or_default()
    }

    /// The request's user.
    pub(super) fn user(&self) -> &str {
        self.names.rm().app(self.w.app).map_or("", |a| a.submission.user.as_str())
    }
}
