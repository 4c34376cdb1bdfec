//! The targets of mapping rules: their paths against the existing queues, when the rules are loaded and when an
//! application is placed (capacity-scheduler.md section 4; MappingRuleValidationContextImpl, MappingQueuePath of Hadoop
//! 3.5.0).

use super::{Action, CapacityConf, MappingConf, MappingRule, QueueKind, mapping_rules};
use crate::api::{Refusal, SettingsRule};

/// The variable for the default queue.
pub(crate) const DEFAULT: &str = "%default";

/// A queue as the mapping sees it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Target {
    /// Full path.
    pub path: String,
    /// Whether it holds applications.
    pub is_leaf: bool,
    /// Whether queues may be created below it (v1, v2 or itself dynamic).
    pub creates: bool,
}

/// The queue tree as the mapping queries it.
pub trait QueueLookup {
    /// Finds a queue by its full path, or by its short name if that is unambiguous.
    fn lookup(&self, name: &str) -> Option<Target>;
    /// Finds a queue by its full path only.
    fn lookup_path(&self, path: &str) -> Option<Target>;
    /// Returns whether several queues have this short name.
    fn is_ambiguous(&self, name: &str) -> bool;
}

impl QueueLookup for CapacityConf {
    fn lookup(&self, name: &str) -> Option<Target> {
        self.lookup_path(name).or_else(|| {
            let mut named = self.queues.iter().filter(|q| q.name() == name);
            let only = named.next()?;
            if named.next().is_some() { None } else { self.lookup_path(&only.path) }
        })
    }

    fn lookup_path(&self, path: &str) -> Option<Target> {
        let q = &self.queues[self.find(path)?];
        let is_leaf = q.kind.is_leaf();
        let creates = !is_leaf && (q.kind == QueueKind::ManagedParent || q.auto_create_v2.enabled || q.dynamic);
        Some(Target { path: path.to_string(), is_leaf, creates })
    }

    fn is_ambiguous(&self, name: &str) -> bool {
        self.find(name).is_none() && self.queues.iter().filter(|q| q.name() == name).count() > 1
    }
}

/// Parses the rules and checks each path against the queues. Errors: as at a start of the ResourceManager.
pub fn checked_rules(conf: &MappingConf, queues: &impl QueueLookup) -> Result<Vec<MappingRule>, Refusal> {
    let rules = mapping_rules(conf)?;
    for rule in &rules {
        if let Action::Place { path, .. } = &rule.action {
            check_path(path, queues)?;
        }
    }
    Ok(rules)
}

/// `String.split("\\.")`: empty parts at the end are dropped.
pub(crate) fn segments(path: &str) -> Vec<&str> {
    let mut parts: Vec<&str> = path.split('.').collect();
    while parts.len() > 1 && parts.last().is_some_and(|p| p.is_empty()) {
        parts.pop();
    }
    parts
}

fn parent_of(path: &str) -> Option<&str> {
    path.rsplit_once('.').map(|(parent, _)| parent)
}

/// The validity of a path in a rule.
pub(crate) enum Validity {
    Exists,
    Creatable,
    AmbiguousParent,
    AmbiguousQueue,
    NoParent,
    NoDynamicParent,
}

pub(crate) fn validity(path: &str, queues: &impl QueueLookup) -> Validity {
    if queues.lookup(path).is_some() {
        return Validity::Exists;
    }
    if queues.is_ambiguous(path) {
        return Validity::AmbiguousQueue;
    }
    let Some(parent) = parent_of(path) else { return Validity::NoParent };
    if queues.is_ambiguous(parent) {
        return Validity::AmbiguousParent;
    }
    let creatable = |target: Target| if target.creates { Validity::Creatable } else { Validity::NoDynamicParent };
    match queues.lookup(parent) {
        Some(parent) => creatable(parent),
        None => match parent_of(parent) {
            None => Validity::NoParent,
            Some(above) if queues.is_ambiguous(above) => Validity::AmbiguousParent,
            Some(above) => queues.lookup(above).map_or(Validity::NoDynamicParent, creatable),
        },
    }
}

/// Replaces the first segment of a path by that queue's full path. Errors: no such queue, or several.
pub(crate) fn normalized(path: &str, queues: &impl QueueLookup) -> Result<String, Refusal> {
    let mut parts = segments(path);
    let first = parts.first().copied().unwrap_or("");
    match queues.lookup(first) {
        Some(root) => {
            let full = root.path;
            if let Some(part) = parts.first_mut() {
                *part = &full;
            }
            Ok(parts.join("."))
        }
        None if queues.is_ambiguous(first) => Err(Refusal::of(
            SettingsRule::RootUnknown,
            format!("Path root '{first}' is ambiguous. Path '{path}' is invalid"),
        )),
        None => Err(Refusal::of(
            SettingsRule::RootUnknown,
            format!("Path root '{first}' does not exist. Path '{path}' is invalid"),
        )),
    }
}

/// Checks a rule's path when it is loaded (MappingRuleValidationContextImpl). Errors: with Hadoop's message.
fn check_path(path: &str, queues: &impl QueueLookup) -> Result<(), Refusal> {
    if path.is_empty() {
        return Err(Refusal::of(SettingsRule::QueuePath, "Queue path is empty."));
    }
    let parts = segments(path);
    for part in &parts {
        if part.is_empty() {
            return Err(Refusal::of(SettingsRule::EmptySegment, format!("Path segment cannot be empty '{path}'.")));
        }
        if is_variable(part) {
            return check_dynamic_path(path, &parts, queues);
        }
    }
    check_static_path(path, queues)
}

fn is_variable(part: &str) -> bool {
    matches!(part, "%user" | "%primary_group" | "%secondary_group" | "%application" | "%specified" | DEFAULT)
}

fn check_static_path(path: &str, queues: &impl QueueLookup) -> Result<(), Refusal> {
    let full = normalized(path, queues)?;
    let (parent, leaf) = path.rsplit_once('.').map_or(("null", path), |(p, l)| (p, l));
    let (rule, text) = match validity(&full, queues) {
        Validity::Creatable => return Ok(()),
        Validity::Exists if queues.lookup(&full).is_some_and(|q| q.is_leaf) => return Ok(()),
        Validity::Exists => (SettingsRule::NotLeaf, format!("Target queue '{path}' but it's not a leaf queue.")),
        Validity::AmbiguousParent => (
            SettingsRule::QueuePath,
            format!("Target queue path '{path}' contains an ambiguous parent queue '{parent}' reference."),
        ),
        Validity::AmbiguousQueue => {
            (SettingsRule::QueuePath, format!("Target queue is an ambiguous leaf queue '{path}'."))
        }
        Validity::NoParent => {
            (SettingsRule::RootUnknown, format!("Target queue does not exist and has no parent defined '{path}'."))
        }
        Validity::NoDynamicParent => (
            SettingsRule::NoParent,
            format!(
                "Mapping rule specified a parent queue '{parent}', but it is not a dynamic parent queue, and no queue exists with name '{leaf}' under it."
            ),
        ),
    };
    Err(Refusal::of(rule, text))
}

fn check_dynamic_path(path: &str, parts: &[&str], queues: &impl QueueLookup) -> Result<(), Refusal> {
    let fixed = parts.iter().take_while(|p| !is_variable(p)).count();
    if fixed == 0 {
        return Ok(());
    }
    let beginning = normalized(&parts[..fixed].join("."), queues)?;
    if let Some(queue) = queues.lookup(&beginning) {
        return if queue.is_leaf {
            Err(Refusal::of(
                SettingsRule::BelowLeaf,
                format!(
                    "Queue path '{path}' is invalid because '{beginning}' is a leaf queue, which can have no other queues under it."
                ),
            ))
        } else {
            Ok(())
        };
    }
    if fixed > 1 {
        let above = normalized(&parts[..fixed - 1].join("."), queues)?;
        if queues.lookup(&above).is_some_and(|q| q.creates) {
            return Ok(());
        }
    }
    Err(Refusal::of(SettingsRule::NoParent, format!("No eligible parent found on path '{path}'.")))
}
