//! Node labels of queues: which are configured for a queue, and which it may use (ConfiguredNodeLabels,
//! QueueNodeLabelsSettings of Hadoop 3.5.0).

use super::{LabelAccess, PREFIX};
use crate::api::{Properties, Refusal, SettingsRule};
use crate::config::values::trim;
use crate::model::SortedMap;
use crate::model::java::set_walk;

const KEY: &str = "accessible-node-labels";

/// The length of a text in Java's units.
fn units(text: &str) -> usize {
    text.encode_utf16().count()
}

/// The labels for which a path has any key, by path. Paths of templates count too.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub(super) struct ConfiguredLabels {
    by_path: SortedMap<String, Vec<String>>,
}

impl ConfiguredLabels {
    /// Collects the labels from all keys. Errors: a key that ends after its label, with Java's message.
    pub fn of(properties: &Properties) -> Result<Self, Refusal> {
        let mut by_path: SortedMap<String, Vec<String>> = SortedMap::default();
        for key in properties.keys() {
            let Some(key) = key.strip_prefix(PREFIX) else { continue };
            let Some(at) = key.find("accessible-node-labels.") else { continue };
            let from = at + KEY.len() + 1;
            let Some(label) = key[from..].split_once('.').map(|(label, _)| label) else {
                let begin = units(&key[..from]);
                return Err(Refusal::new(format!("begin {begin}, end -1, length {}", units(key))));
            };
            // One character is removed before the key, whether or not it is a dot.
            let mut path = key[..at].chars();
            if path.next_back().is_none() {
                return Err(Refusal::new(format!("begin 0, end -1, length {}", units(key))));
            }
            let path = path.as_str();
            let labels = by_path.or_default(path.to_string());
            if labels.is_empty() {
                labels.push(String::new());
            }
            if !labels.iter().any(|l| l == label) {
                labels.push(label.to_string());
            }
        }
        Ok(ConfiguredLabels { by_path })
    }

    /// The labels of a path, the default partition first.
    pub fn of_path(&self, path: &str) -> Vec<String> {
        self.by_path.get(path).map_or_else(|| vec![String::new()], |l| walked(l.clone()))
    }

    /// Every label that is configured anywhere, the default partition first.
    pub fn all(&self) -> Vec<String> {
        let mut all = vec![String::new()];
        for label in self.by_path.values().flatten() {
            if !all.contains(label) {
                all.push(label.clone());
            }
        }
        walked(all)
    }

    /// Copies the labels of one path to another.
    pub fn copy(&mut self, from: &str, to: &str) {
        if let Some(labels) = self.by_path.get(from).filter(|l| l.len() > 1).cloned() {
            self.by_path.insert(to.to_string(), labels);
        }
    }
}

/// Sorts into the iteration order of a HashSet (the empty one comes first).
fn walked(labels: Vec<String>) -> Vec<String> {
    let labels: Vec<&str> = labels.iter().map(String::as_str).collect();
    set_walk(&labels).into_iter().map(str::to_string).collect()
}

/// Parses `accessible-node-labels`.
pub(super) fn access(text: &str) -> LabelAccess {
    let mut labels: Vec<String> = Vec::new();
    for item in text.split(',').map(trim).filter(|i| !i.is_empty()) {
        if !labels.iter().any(|l| l == item) {
            labels.push(item.to_string());
        }
    }
    if labels.iter().any(|l| l == "*") {
        return LabelAccess { any: true, labels: Vec::new() };
    }
    LabelAccess { any: false, labels: walked(labels) }
}

impl LabelAccess {
    /// Returns whether it contains every label of `other`, with `*` as a label of its own.
    pub(super) fn holds_all_of(&self, other: &LabelAccess) -> bool {
        (self.any || !other.any) && other.labels.iter().all(|l| self.labels.contains(l))
    }

    /// Checks a child's labels against its parent's, as Hadoop does.
    pub(super) fn check_below(&self, parent: &LabelAccess) -> Result<(), Refusal> {
        if parent.any {
            return Ok(());
        }
        if self.any {
            return Err(Refusal::of(
                SettingsRule::AnyLabel,
                "Parent's accessible queue is not ANY(*), but child's accessible queue is *",
            ));
        }
        let beyond: Vec<&str> = self.labels.iter().filter(|l| !parent.labels.contains(l)).map(String::as_str).collect();
        if beyond.is_empty() {
            return Ok(());
        }
        Err(Refusal::of(
            SettingsRule::LabelsOfParent,
            format!("Some labels of child queue is not a subset of parent queue, these labels=[{}]", beyond.join(",")),
        ))
    }

    /// Returns whether a request with this label expression may run here (SchedulerUtils.checkQueueLabelExpression,
    /// without the check that the cluster has the labels).
    pub(super) fn allows_expression(&self, expression: Option<&str>) -> bool {
        let Some(expression) = expression else { return true };
        expression.split("&&").map(trim).all(|label| label.is_empty() || self.has(label))
    }
}
