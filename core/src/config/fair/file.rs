//! The allocation file, fair-scheduler.xml (AllocationFileLoaderService, AllocationFileParser,
//! AllocationFileQueueParser; fair-scheduler.md 4; for preemption, preemption.md B1). Ignores what is only about
//! reservations.

use super::elements::{Level, is_queue, passed_over};
use super::preemption::{Patience, QueuePreemption};
use super::rules::{MEND_PARENT, Rule, RuleKind, check_order, unreached};
use super::{Amount, Policy, Unnamed, unlimited};
use crate::api::Refusal;
use crate::config::capacity::Acl;
use crate::config::java_class;
use crate::config::values::{ascii_digits, not_a_number, parse_double, parse_float, trim};
use crate::config::xml::markup::{self, Element, Markup};
use crate::model::limits::{QUEUE_DEPTH, QUEUES};
use crate::model::{Millis, Problem, Resource, ResourceTypes, SortedMap, Span};
use indexmap::IndexMap;

/// A queue's settings in the file; `None` if not set.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct QueueAllocation {
    /// Whether it has children, or is marked as a parent.
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
    /// Whether resources can be reserved in it (`reservation`). Applications without a reservation run in its default
    /// queue.
    pub reservable: bool,
    pub preemption: QueuePreemption,
}

#[derive(Clone, Debug, PartialEq)]
pub struct Allocations {
    /// Queues by full path, in the order in which their elements end.
    pub queues: IndexMap<String, QueueAllocation>,
    /// The maximum running applications of each user.
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
    /// The settings of root that its own element does not set (defaultFairSharePreemptionTimeout and its companions).
    pub patience: Patience,
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
            patience: Patience::default(),
        }
    }
}

impl Allocations {
    /// The policy of a queue, whether or not it exists.
    pub fn policy(&self, path: &str) -> Policy {
        self.queues.get(path).and_then(|q| q.policy).unwrap_or(self.default_policy)
    }
}

/// Elements that set defaults; of those about reservations only their presence counts.
const DEFAULTS: [&str; 11] = [
    "userMaxAppsDefault",
    "queueMaxResourcesDefault",
    "queueMaxAppsDefault",
    "queueMaxAMShareDefault",
    "defaultFairSharePreemptionTimeout",
    "fairSharePreemptionTimeout",
    "defaultMinSharePreemptionTimeout",
    "defaultFairSharePreemptionThreshold",
    "reservation-planner",
    "reservation-agent",
    "reservation-policy",
];

/// The end of every fault.
pub(crate) const WHOLE: &str = "YARN refuses the whole file for it.";

/// ClassCastException, with the classes of the JDK.
const NO_TEXT: &str = "class com.sun.org.apache.xerces.internal.dom.DeferredElementImpl cannot be cast to class \
     org.w3c.dom.Text (com.sun.org.apache.xerces.internal.dom.DeferredElementImpl and org.w3c.dom.Text are in module \
     java.xml of loader 'bootstrap')";

/// Parses a file; `source` names it in problems. Errors: the first thing for which YARN refuses the whole file, at its
/// position. Also returns what YARN ignores. `unreached`: accepts rules that cannot be reached
/// ([`super::FairConf::unreached_rules`]).
pub fn read(
    source: &str,
    text: &str,
    types: &ResourceTypes,
    unreached: bool,
) -> Result<(Allocations, Vec<Problem>), Box<Problem>> {
    if let Some(at) = text.find("<!DOCTYPE") {
        let what = "A document type declaration is not allowed in an allocation file.";
        return Err(Box::new(Problem::error(source, Span::new(at, at + 9), what).mend("Take it away.")));
    }
    let markup = markup::parse(source, text)?;
    let mut file =
        File { source, markup: &markup, types, unreached, warnings: Vec::new(), out: Allocations::default() };
    file.root()?;
    let mut found = passed_over(source, &markup);
    found.append(&mut file.warnings);
    Ok((file.out, found))
}

/// The name of a queue without blanks around it: those that Java's String.strip removes, and no-break ones.
pub fn queue_name(text: &str) -> &str {
    text.trim()
}

struct File<'a> {
    source: &'a str,
    markup: &'a Markup,
    types: &'a ResourceTypes,
    /// Whether rules may be unreachable.
    unreached: bool,
    warnings: Vec<Problem>,
    out: Allocations,
}

type Step<T> = Result<T, Box<Problem>>;

impl<'a> File<'a> {
    fn element(&self, at: usize) -> &'a Element {
        &self.markup.elements[at]
    }

    fn fault<T>(&self, at: usize, what: impl Into<String>) -> Step<T> {
        self.fault_of(at, what, "")
    }

    /// A fault whose YARN message does not say what to do.
    fn fault_of<T>(&self, at: usize, what: impl Into<String>, mend: &str) -> Step<T> {
        let mend = format!("{mend}{}{WHOLE}", if mend.is_empty() { "" } else { " " });
        Err(Box::new(Problem::error(self.source, self.element(at).open, what).mend(mend)))
    }

    /// The text at the beginning of an element, including blanks. Its other content does not count.
    fn raw(&self, at: usize) -> Step<String> {
        match self.markup.first_text(at) {
            Some(text) => Ok(text),
            None if self.element(at).children.is_empty() => self.fault_of(
                at,
                "NullPointerException",
                "The element is empty: write something into it, or take it away.",
            ),
            None => self.fault_of(at, NO_TEXT, "An element stands where a text must."),
        }
    }

    fn text(&self, at: usize) -> Step<String> {
        Ok(trim(&self.raw(at)?).to_string())
    }

    /// A number parsed by `parse`.
    fn number<T>(&self, at: usize, parse: impl Fn(&str) -> Result<T, Refusal>) -> Step<T> {
        parse(&self.text(at)?).or_else(|why| self.fault_of(at, why.message, "Write a plain number."))
    }

    fn count(&self, at: usize) -> Step<i32> {
        self.number(at, whole)
    }

    /// A number of at most 1; NaN stays.
    fn share(&self, at: usize) -> Step<f32> {
        let share = self.number(at, parse_float)?;
        Ok(if share > 1.0 { 1.0 } else { share })
    }

    /// Seconds, as ms.
    fn seconds(&self, at: usize) -> Step<Millis> {
        Ok(self.number(at, whole::<Millis>)?.wrapping_mul(1000))
    }

    /// A fraction of a share.
    fn threshold(&self, at: usize) -> Step<f32> {
        Ok(self.number(at, parse_float)?.clamp(0.0, 1.0))
    }

    fn amount(&self, at: usize, unnamed: Unnamed) -> Step<Amount> {
        let text = self.raw(at)?;
        Amount::read(&text, unnamed, self.types).or_else(|why| {
            let form =
                "Write it as `4096 mb, 2 vcores`, as `memory-mb=4096, vcores=2`, or as a percentage such as `50%`.";
            self.fault_of(at, why.cause, why.about.as_deref().unwrap_or(form))
        })
    }

    fn policy(&self, at: usize) -> Step<Policy> {
        let text = self.text(at)?;
        match Policy::read(&text) {
            Some(policy) => Ok(policy),
            None => self.fault_of(
                at,
                match java_class::is_there(&text) {
                    true => format!("{text} does not extend SchedulingPolicy"),
                    false => format!("{text} SchedulingPolicy class not found!"),
                },
                "Write fair, drf or fifo; other classes are not known here.",
            ),
        }
    }

    fn attribute(&self, at: usize, name: &str) -> Option<&str> {
        self.element(at).attributes.iter().find(|a| a.name == name).map(|a| a.value.as_str())
    }

    fn root(&mut self) -> Step<()> {
        if self.markup.elements.first().is_none_or(|root| root.name != "allocations") {
            let what = "Bad fair scheduler config file: top-level element not <allocations>";
            return self.fault_of(0, what, "Put everything into <allocations>.");
        }
        // YARN reads the users and the default policy first, then the queues, the rules, and the other defaults: of
        // equal elements the last counts.
        let (mut queues, mut rules, mut defaults) = (Vec::new(), None, IndexMap::new());
        for at in self.markup.inside(0).collect::<Vec<_>>() {
            match self.element(at).name.as_str() {
                "queue" | "pool" => queues.push(at),
                "user" => self.user(at)?,
                "defaultQueueSchedulingPolicy" | "defaultQueueSchedulingMode" => self.default_policy(at)?,
                "queuePlacementPolicy" => rules = Some(at),
                name if DEFAULTS.contains(&name) => {
                    self.raw(at)?;
                    defaults.insert(name, at);
                }
                _ => {}
            }
        }
        for at in &queues {
            if self.attribute(*at, "name").is_some_and(|name| name.eq_ignore_ascii_case("root")) {
                if queues.len() > 1 {
                    let what = "If configuring root queue, no other queues can be placed alongside it.";
                    return self.fault_of(*at, what, "Put the other queues into the element of root.");
                }
                self.queue(None, *at, 1)?;
            } else {
                self.queue(Some("root"), *at, 2)?;
            }
        }
        if let Some(at) = rules {
            self.placement(at)?;
        }
        let default = |name: &str| defaults.get(name).copied();
        // The preemption defaults apply only if root itself does not set them.
        let root = self.out.queues.get("root").map(|q| q.preemption).unwrap_or_default();
        if let (None, Some(at)) = (root.minimum_timeout_ms, default("defaultMinSharePreemptionTimeout")) {
            self.out.patience.minimum_ms = self.seconds(at)?;
        }
        let timeout = default("defaultFairSharePreemptionTimeout").or(default("fairSharePreemptionTimeout"));
        if let (None, Some(at)) = (root.fair_timeout_ms, timeout) {
            self.out.patience.fair_ms = self.seconds(at)?;
        }
        if let (None, Some(at)) = (root.threshold, default("defaultFairSharePreemptionThreshold")) {
            self.out.patience.threshold = self.threshold(at)?;
        }
        if let Some(at) = default("userMaxAppsDefault") {
            self.out.user_max_apps_default = self.count(at)?;
        }
        if let Some(at) = default("queueMaxResourcesDefault") {
            self.out.queue_max_default = self.amount(at, Unnamed::NoLimit)?;
        }
        if let Some(at) = default("queueMaxAppsDefault") {
            self.out.queue_max_apps_default = self.count(at)?;
        }
        if let Some(at) = default("queueMaxAMShareDefault") {
            self.out.queue_max_am_share_default = self.share(at)?;
        }
        Ok(())
    }

    fn default_policy(&mut self, at: usize) -> Step<()> {
        if self.text(at)?.eq_ignore_ascii_case("fifo") {
            let what = "Bad fair scheduler config file: defaultQueueSchedulingPolicy or defaultQueueSchedulingMode can't be \
                        FIFO.";
            return self.fault_of(at, what, "Write fair or drf here, and fifo in the leaves that want it.");
        }
        self.out.default_policy = self.policy(at)?;
        Ok(())
    }

    fn user(&mut self, at: usize) -> Step<()> {
        let name = self.attribute(at, "name").unwrap_or("").to_string();
        for child in self.markup.inside(at) {
            if self.element(child).name == "maxRunningApps" {
                let limit = self.count(child)?;
                self.out.user_max_apps.insert(name.clone(), limit);
            }
        }
        Ok(())
    }

    fn queue_name(&self, at: usize) -> Step<String> {
        let name = queue_name(self.attribute(at, "name").unwrap_or("")).to_string();
        if name.contains('.') {
            let what = format!("Bad fair scheduler config file: queue name ({name}) shouldn't contain period.");
            return self.fault_of(at, what, "Put a queue into its parent's element, under its own name alone.");
        }
        if name.is_empty() {
            let what = "Bad fair scheduler config file: queue name shouldn't be empty or consist only of whitespace.";
            return self.fault_of(at, what, "Give it a name.");
        }
        Ok(name)
    }

    fn queue(&mut self, parent: Option<&str>, at: usize, depth: usize) -> Step<()> {
        let name = self.queue_name(at)?;
        let path = parent.map_or("root".to_string(), |parent| format!("{parent}.{name}"));
        if depth > QUEUE_DEPTH || self.out.queues.len() >= QUEUES {
            return self.fault(at, format!("There are more than {QUEUES} queues, or more than {QUEUE_DEPTH} levels."));
        }
        // A second element with the same name extends the first.
        let mut queue = self.out.queues.get(&path).cloned().unwrap_or_default();
        let (mut leaf, mut am_share) = (true, false);
        for child in self.markup.inside(at).collect::<Vec<_>>() {
            match self.element(child).name.as_str() {
                // A percentage has no effect on these two.
                "minResources" => queue.minimum = self.amount(child, Unnamed::Nothing)?.absolute(),
                "maxContainerAllocation" => queue.max_container = self.amount(child, Unnamed::NoLimit)?.absolute(),
                "maxResources" => queue.maximum = Some(self.amount(child, Unnamed::NoLimit)?),
                "maxChildResources" => queue.max_child = Some(self.amount(child, Unnamed::NoLimit)?),
                "maxRunningApps" => queue.max_apps = Some(self.count(child)?),
                "maxAMShare" => {
                    queue.max_am_share = Some(self.share(child)?);
                    am_share = true;
                }
                "weight" => queue.weight = Some(self.number(child, parse_double)? as f32),
                "schedulingPolicy" | "schedulingMode" => queue.policy = Some(self.policy(child)?),
                // Blanks are significant in these.
                "aclSubmitApps" => queue.submit = Some(Acl::parse(&self.raw(child)?)),
                "aclAdministerApps" => queue.administer = Some(Acl::parse(&self.raw(child)?)),
                "aclAdministerReservations" | "aclListReservations" | "aclSubmitReservations" => {
                    self.raw(child)?;
                }
                "minSharePreemptionTimeout" => queue.preemption.minimum_timeout_ms = Some(self.seconds(child)?),
                "fairSharePreemptionTimeout" => queue.preemption.fair_timeout_ms = Some(self.seconds(child)?),
                "fairSharePreemptionThreshold" => queue.preemption.threshold = Some(self.threshold(child)?),
                "allowPreemptionFrom" => {
                    queue.preemption.protected |= !self.text(child)?.eq_ignore_ascii_case("true");
                }
                "reservation" => queue.reservable = true,
                name if is_queue(name, Level::Queue) => {
                    leaf = false;
                    self.queue(Some(&path), child, depth + 1)?;
                }
                _ => {}
            }
        }
        if !leaf || self.attribute(at, "type") == Some("parent") {
            if queue.reservable || am_share {
                let what = if queue.reservable { "reservation" } else { "maxAMShare" };
                let words = format!(
                    "The configuration settings for {path} are invalid. A queue element that contains child queue \
                     elements or that has the type='parent' attribute cannot also include a {what} element."
                );
                return self.fault_of(at, words, &format!("Take <{what}> out: it is for leaves."));
            }
            queue.parent = true;
        }
        queue.parent |= queue.reservable;
        self.out.queues.insert(path, queue);
        Ok(())
    }

    fn placement(&mut self, at: usize) -> Step<()> {
        let mut rules = Vec::new();
        let mut children = 0;
        for child in self.markup.inside(at) {
            children += 1;
            if self.is_rule(child) {
                rules.push(self.rule(child)?);
            }
        }
        if children == 0 {
            let what = "Empty configuration for QueuePlacementPolicy is not allowed";
            return self.fault_of(at, what, "Put rules into it, or take it out.");
        }
        if rules.is_empty() {
            return Ok(());
        }
        const UNREACHED: &str = "Take out the rules after it, or give it create=\"false\" if they are meant.";
        if let Some(why) = unreached(&rules).filter(|_| self.unreached) {
            let warning = Problem::warning(self.source, self.element(at).open, why);
            self.warnings.push(warning.mend(format!("{UNREACHED} YARN only warns of it (no-terminal-rule.check).")));
        } else if let Some(why) = unreached(&rules) {
            return self.fault_of(at, why, UNREACHED);
        }
        if let Err(unfit) = check_order(&rules) {
            return self.fault_of(at, unfit.words, unfit.mend);
        }
        self.out.rules = Some(rules);
        Ok(())
    }

    /// Returns whether an element is a rule, ignoring case.
    fn is_rule(&self, at: usize) -> bool {
        self.element(at).name.eq_ignore_ascii_case("rule")
    }

    /// Parses a rule with its parent rule, which is the last one in it. The parent's own content is not read.
    fn rule(&self, at: usize) -> Step<Rule> {
        let mut rule = self.lone_rule(at)?;
        let within = self.markup.inside(at).filter(|child| self.is_rule(*child));
        if let Some(parent) = within.last() {
            rule.parent = Some(Box::new(self.lone_rule(parent)?));
        }
        match rule.check_parent() {
            Ok(()) => Ok(rule),
            Err(why) => self.fault_of(at, why, MEND_PARENT),
        }
    }

    /// Parses a rule by itself.
    fn lone_rule(&self, at: usize) -> Step<Rule> {
        let name = self.attribute(at, "name").unwrap_or("");
        if name.is_empty() {
            return self.fault_of(at, "No name provided for a rule element", RULES);
        }
        let Some(kind) = RuleKind::read(name) else {
            return self.fault_of(at, format!("No rule class found for {name}"), RULES);
        };
        let create = match self.attribute(at, "create") {
            None | Some("") => true,
            Some(text) => text.eq_ignore_ascii_case("true"),
        };
        Ok(Rule { kind, create, queue: self.attribute(at, "queue").map(str::to_string), parent: None })
    }
}

/// The valid names of rules.
const RULES: &str = "Name it specified, user, primaryGroup, secondaryGroupExistingQueue, nestedUserQueue, default or reject; letter case counts.";

/// Integer.parseInt.
fn whole<T: std::str::FromStr>(text: &str) -> Result<T, Refusal> {
    ascii_digits(text).parse().map_err(|_| not_a_number(text))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn allocations(inner: &str) -> Result<Allocations, String> {
        let text = format!("<allocations>{inner}</allocations>");
        read("fair-scheduler.xml", &text, &ResourceTypes::default(), false).map(|(a, _)| a).map_err(|p| p.what)
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
        let fault = read("f", text, &ResourceTypes::default(), false).expect_err("it is refused");
        assert_eq!(fault.span.map(|s| s.line_col(text)), Some((2, 17)));
    }
}
