//! The allocation file, fair-scheduler.xml (AllocationFileLoaderService, AllocationFileParser,
//! AllocationFileQueueParser; fair-scheduler.md 4). What is only about preemption or reservations is passed over.

use super::rules::{Rule, RuleKind, check_order};
use super::{Amount, Policy, Unnamed, unlimited};
use crate::config::capacity::Acl;
use crate::config::values::trim;
use crate::config::xml::markup::{self, Element, Markup};
use crate::model::limits::{QUEUE_DEPTH, QUEUES};
use crate::model::{Problem, Resource, ResourceTypes, SortedMap, Span};
use indexmap::IndexMap;

/// What the file says of a queue; `None` where it says nothing.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct QueueAllocation {
    /// Has it children, or is it marked as a parent?
    pub parent: bool,
    /// minResources.
    pub minimum: Option<Resource>,
    /// maxResources.
    pub maximum: Option<Amount>,
    /// maxContainerAllocation.
    pub max_container: Option<Resource>,
    /// maxChildResources.
    pub max_child: Option<Amount>,
    /// maxRunningApps.
    pub max_apps: Option<i32>,
    pub max_am_share: Option<f32>,
    pub weight: Option<f32>,
    /// schedulingPolicy.
    pub policy: Option<Policy>,
    /// aclSubmitApps.
    pub submit: Option<Acl>,
    /// aclAdministerApps.
    pub administer: Option<Acl>,
}

#[derive(Clone, Debug, PartialEq)]
pub struct Allocations {
    /// Queues by full path, in the order in which their elements end.
    pub queues: IndexMap<String, QueueAllocation>,
    /// Running applications of each user at most.
    pub user_max_apps: SortedMap<String, i32>,
    pub user_max_apps_default: i32,
    pub queue_max_apps_default: i32,
    /// queueMaxResourcesDefault.
    pub queue_max_default: Amount,
    pub queue_max_am_share_default: f32,
    /// defaultQueueSchedulingPolicy.
    pub default_policy: Policy,
    /// queuePlacementPolicy.
    pub rules: Option<Vec<Rule>>,
}

impl Default for Allocations {
    fn default() -> Self {
        Allocations {
            queues: IndexMap::new(),
            user_max_apps: SortedMap::default(),
            user_max_apps_default: i32::MAX,
            queue_max_apps_default: i32::MAX,
            queue_max_default: Amount::Absolute(unlimited()),
            queue_max_am_share_default: 0.5,
            default_policy: Policy::Fair,
            rules: None,
        }
    }
}

impl Allocations {
    /// Policy of a queue, there or not.
    pub fn policy(&self, path: &str) -> Policy {
        self.queues.get(path).and_then(|q| q.policy).unwrap_or(self.default_policy)
    }
}

/// Elements that are about preemption or reservations only.
const PASSED_OVER: [&str; 8] = [
    "defaultFairSharePreemptionTimeout",
    "fairSharePreemptionTimeout",
    "defaultMinSharePreemptionTimeout",
    "defaultFairSharePreemptionThreshold",
    "reservation-planner",
    "reservation-agent",
    "reservation-policy",
    "reservation",
];

/// Reads a file; `source` names it in problems. Errors: the first thing for which YARN refuses the whole file, at its
/// place. Besides: what YARN passes over.
pub fn read(source: &str, text: &str, types: &ResourceTypes) -> Result<(Allocations, Vec<Problem>), Box<Problem>> {
    if let Some(at) = text.find("<!DOCTYPE") {
        let what = "A document type declaration is not allowed in an allocation file.";
        return Err(Box::new(Problem::error(source, Span::new(at, at + 9), what).mend("Take it away.")));
    }
    let markup = markup::parse(source, text)?;
    let mut file = File { source, markup: &markup, types, out: Allocations::default(), notes: Vec::new() };
    file.root()?;
    Ok((file.out, file.notes))
}

struct File<'a> {
    source: &'a str,
    markup: &'a Markup,
    types: &'a ResourceTypes,
    out: Allocations,
    notes: Vec<Problem>,
}

type Step<T> = Result<T, Box<Problem>>;

impl File<'_> {
    fn element(&self, at: usize) -> &Element {
        &self.markup.elements[at]
    }

    fn fault<T>(&self, at: usize, what: impl Into<String>) -> Step<T> {
        let span = self.element(at).open;
        Err(Box::new(Problem::error(self.source, span, what).mend("YARN refuses the whole file for it.")))
    }

    fn text(&self, at: usize) -> String {
        trim(&self.markup.text(at)).to_string()
    }

    fn number<T: std::str::FromStr>(&self, at: usize) -> Step<T> {
        let text = self.text(at);
        match text.parse() {
            Ok(number) => Ok(number),
            Err(_) => self.fault(at, format!("For input string: \"{text}\"")),
        }
    }

    fn amount(&self, at: usize, unnamed: Unnamed) -> Step<Amount> {
        match Amount::read(&self.markup.text(at), unnamed, self.types) {
            Ok(amount) => Ok(amount),
            Err(why) => self.fault(at, why),
        }
    }

    fn policy(&self, at: usize) -> Step<Policy> {
        let text = self.text(at);
        match Policy::read(&text) {
            Some(policy) => Ok(policy),
            None => self.fault(at, format!("{text} SchedulingPolicy class not found!")),
        }
    }

    fn attribute(&self, at: usize, name: &str) -> Option<&str> {
        self.element(at).attributes.iter().find(|a| a.name == name).map(|a| a.value.as_str())
    }

    fn root(&mut self) -> Step<()> {
        if self.markup.elements.first().is_none_or(|root| root.name != "allocations") {
            return self.fault(0, "Bad fair scheduler config file: top-level element not <allocations>");
        }
        let mut queues = Vec::new();
        for at in self.markup.inside(0).collect::<Vec<_>>() {
            match self.element(at).name.as_str() {
                "queue" | "pool" => queues.push(at),
                "user" => self.user(at)?,
                "userMaxAppsDefault" => self.out.user_max_apps_default = self.number(at)?,
                "queueMaxAppsDefault" => self.out.queue_max_apps_default = self.number(at)?,
                "queueMaxResourcesDefault" => self.out.queue_max_default = self.amount(at, Unnamed::NoLimit)?,
                "queueMaxAMShareDefault" => {
                    self.out.queue_max_am_share_default = self.number::<f32>(at)?.min(1.0);
                }
                "defaultQueueSchedulingPolicy" | "defaultQueueSchedulingMode" => {
                    self.out.default_policy = self.policy(at)?;
                    if self.out.default_policy == Policy::Fifo {
                        return self.fault(
                            at,
                            "Bad fair scheduler config file: defaultQueueSchedulingPolicy or \
                             defaultQueueSchedulingMode can't be FIFO.",
                        );
                    }
                }
                "queuePlacementPolicy" => self.placement(at)?,
                name if PASSED_OVER.contains(&name) => {}
                name => {
                    let what = format!("YARN does not know `<{name}>` and passes over it.");
                    self.notes.push(Problem::warning(self.source, self.element(at).open, what));
                }
            }
        }
        let alone = queues.len() == 1;
        for at in queues {
            if self.queue_name(at)?.eq_ignore_ascii_case("root") {
                if !alone {
                    return self.fault(at, "If configuring root queue no other queues can be placed alongside root.");
                }
                self.queue(None, at, 1)?;
            } else {
                self.queue(Some("root"), at, 2)?;
            }
        }
        Ok(())
    }

    fn user(&mut self, at: usize) -> Step<()> {
        let name = self.attribute(at, "name").unwrap_or("").to_string();
        for child in self.markup.inside(at) {
            if self.element(child).name == "maxRunningApps" {
                let limit = self.number(child)?;
                self.out.user_max_apps.insert(name.clone(), limit);
            }
        }
        Ok(())
    }

    fn queue_name(&self, at: usize) -> Step<String> {
        // What Java's String.strip takes, and the no-break blanks.
        let name = self.attribute(at, "name").unwrap_or("").trim().to_string();
        if name.is_empty() {
            return self.fault(at, "Bad fair scheduler config file: queue name shouldn't be empty or all whitespace.");
        }
        if name.contains('.') {
            return self
                .fault(at, format!("Bad fair scheduler config file: queue name ({name}) shouldn't contain period."));
        }
        Ok(name)
    }

    fn queue(&mut self, parent: Option<&str>, at: usize, depth: usize) -> Step<()> {
        let path = match parent {
            Some(parent) => format!("{parent}.{}", self.queue_name(at)?),
            None => "root".to_string(),
        };
        if depth > QUEUE_DEPTH || self.out.queues.len() >= QUEUES {
            return self.fault(at, format!("There are more than {QUEUES} queues, or more than {QUEUE_DEPTH} levels."));
        }
        let mut queue = QueueAllocation::default();
        let (mut leaf, mut reservation) = (true, false);
        for child in self.markup.inside(at).collect::<Vec<_>>() {
            match self.element(child).name.as_str() {
                // A percentage has no effect on these two.
                "minResources" => queue.minimum = self.amount(child, Unnamed::Nothing)?.absolute(),
                "maxContainerAllocation" => queue.max_container = self.amount(child, Unnamed::NoLimit)?.absolute(),
                "maxResources" => queue.maximum = Some(self.amount(child, Unnamed::NoLimit)?),
                "maxChildResources" => queue.max_child = Some(self.amount(child, Unnamed::NoLimit)?),
                "maxRunningApps" => queue.max_apps = Some(self.number(child)?),
                "maxAMShare" => queue.max_am_share = Some(self.number::<f32>(child)?.min(1.0)),
                "weight" => queue.weight = Some(self.number::<f64>(child)? as f32),
                "schedulingPolicy" | "schedulingMode" => queue.policy = Some(self.policy(child)?),
                // Blanks count in these.
                "aclSubmitApps" => queue.submit = Some(Acl::parse(&self.markup.text(child))),
                "aclAdministerApps" => queue.administer = Some(Acl::parse(&self.markup.text(child))),
                "reservation" => reservation = true,
                name if name == "pool" || "queue".ends_with(name) => {
                    leaf = false;
                    self.queue(Some(&path), child, depth + 1)?;
                }
                _ => {}
            }
        }
        if !leaf || self.attribute(at, "type") == Some("parent") {
            if reservation || queue.max_am_share.is_some() {
                let what = if reservation { "reservation" } else { "maxAMShare" };
                return self.fault(
                    at,
                    format!(
                        "The configuration settings for {path} are invalid. A queue element that contains child queue \
                         elements or that has the type='parent' attribute cannot also include a {what} element."
                    ),
                );
            }
            queue.parent = true;
        }
        queue.parent |= reservation;
        self.out.queues.insert(path, queue);
        Ok(())
    }

    fn placement(&mut self, at: usize) -> Step<()> {
        let mut rules = Vec::new();
        let mut children = 0;
        for child in self.markup.inside(at) {
            children += 1;
            if self.element(child).name == "rule" {
                rules.push(self.rule(child)?);
            }
        }
        if children == 0 {
            return self.fault(at, "Empty configuration for QueuePlacementPolicy is not allowed");
        }
        if rules.is_empty() {
            return Ok(());
        }
        if let Err(why) = check_order(&rules) {
            return self.fault(at, why);
        }
        self.out.rules = Some(rules);
        Ok(())
    }

    fn rule(&self, at: usize) -> Step<Rule> {
        let name = self.attribute(at, "name").unwrap_or("");
        if name.is_empty() {
            return self.fault(at, "Name for a rule not set");
        }
        let Some(kind) = RuleKind::read(name) else {
            return self.fault(at, format!("No rule class found for {name}"));
        };
        let create = match self.attribute(at, "create") {
            None | Some("") => true,
            Some(text) => text.eq_ignore_ascii_case("true"),
        };
        let mut rule = Rule { kind, create, queue: self.attribute(at, "queue").map(str::to_string), parent: None };
        for child in self.markup.inside(at) {
            if self.element(child).name == "rule" {
                rule.parent = Some(Box::new(self.rule(child)?));
            }
        }
        match rule.check_parent() {
            Ok(()) => Ok(rule),
            Err(why) => self.fault(at, why),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn allocations(inner: &str) -> Result<Allocations, String> {
        let text = format!("<allocations>{inner}</allocations>");
        read("fair-scheduler.xml", &text, &ResourceTypes::default()).map(|(a, _)| a).map_err(|p| p.what)
    }

    #[test]
    fn queues_and_what_is_refused() {
        let a = allocations(
            "<queue name='a'><weight>2</weight><!-- note --><queue name='b'><maxAMShare>3</maxAMShare></queue></queue>",
        );
        let a = a.expect("it is read");
        assert_eq!(a.queues.keys().collect::<Vec<_>>(), ["root.a.b", "root.a"]);
        assert!(a.queues["root.a"].parent && !a.queues["root.a.b"].parent);
        assert_eq!((a.queues["root.a"].weight, a.queues["root.a.b"].max_am_share), (Some(2.0), Some(1.0)));
        for bad in [
            "<queue name='a.b'/>",
            "<queue name=' '/>",
            "<queue name='root'/><queue name='x'/>",
            "<queue name='a' type='parent'><maxAMShare>0.5</maxAMShare></queue>",
            "<defaultQueueSchedulingPolicy>fifo</defaultQueueSchedulingPolicy>",
            "<queuePlacementPolicy/>",
            "<queuePlacementPolicy><rule name='user'/><rule name='default'/></queuePlacementPolicy>",
            "<queuePlacementPolicy><rule name='user' create='false'/></queuePlacementPolicy>",
            "<queuePlacementPolicy><rule name='Default'/></queuePlacementPolicy>",
            "<queue name='a'><weight/></queue>",
        ] {
            assert!(allocations(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn a_fault_has_its_place() {
        let text = "<allocations>\n<queue name='a'><weight>x</weight></queue></allocations>";
        let fault = read("f", text, &ResourceTypes::default()).expect_err("it is refused");
        assert_eq!(fault.span.map(|s| s.line_col(text)), Some((2, 17)));
    }
}
