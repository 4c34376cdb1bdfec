//! Properties with a name in their names: a label's, a user's, a sorting policy's, a template's. The table of descriptors has
//! the possible ones; this module finds those that are set.

use super::property::Owner;
use super::{PREFIX, QueueView};
use heddle_core::config::properties::{self, File, ParsedKey, Property};
use heddle_core::rm::Properties;

/// A property shown in a form.
#[derive(Debug)]
pub struct Named {
    /// The name after the queue's path.
    pub name: String,
    /// The meaning of its value.
    pub property: &'static Property,
    /// The property that sets it: itself, or a template.
    pub by: &'static Property,
}

impl Named {
    fn new(name: &str, found: &ParsedKey) -> Named {
        // A template's property that no queue has is text, like the template's own entry.
        let (name, by) = (name.to_owned(), found.property);
        Named { name, property: found.meaning().unwrap_or(by), by }
    }
}

/// Returns those of a queue: its shares of each label that it may use, whatever else is set, and settings of queues below it
/// that do not exist (`root.*`); `known` are the existing queues.
pub fn given(of: &Owner<'_>, q: &QueueView, known: &[QueueView]) -> Vec<Named> {
    let mut out = Vec::new();
    for p in q.partitions.iter().filter(|p| !p.partition.is_empty()) {
        for property in properties::table(File::Queue, true) {
            if property.named_by() == Some("label") {
                out.push(Named { name: property.named(&p.partition), property, by: property });
            }
        }
    }
    // A map from paths to empty texts serves for looking up paths.
    let paths: Properties = known.iter().map(|q| (q.path.clone(), String::new())).collect();
    for named in set(&of.target.properties, &paths, &q.path) {
        if !out.iter().any(|n| n.name == named.name) {
            out.push(named);
        }
    }
    out
}

/// Returns what is set for a queue beyond properties with fixed names.
fn set(properties: &Properties, paths: &Properties, queue: &str) -> Vec<Named> {
    let mut out = Vec::new();
    for key in properties.keys() {
        let Some(rest) = key.strip_prefix(PREFIX).filter(|r| r.starts_with(queue)) else { continue };
        let owner = rest.rmatch_indices('.').map(|(at, _)| &rest[..at]).find(|path| paths.contains_key(*path));
        if owner != Some(queue) {
            continue;
        }
        let Some(found) = properties::find(key, &|path| paths.contains_key(path)) else { continue };
        if found.variable.is_some() || found.queue.as_deref() != Some(queue) {
            out.push(Named::new(&rest[queue.len() + 1..], &found));
        }
    }
    out
}

/// Returns those of the whole scheduler that are set.
pub fn of_all(properties: &Properties) -> Vec<Named> {
    let mut out = Vec::new();
    for key in properties.keys() {
        let found = properties::find(key, &|_| false).filter(|f| f.property.file == File::Scheduler);
        if let (Some(name), Some(found)) = (key.strip_prefix(PREFIX), found.filter(|f| f.variable.is_some())) {
            out.push(Named::new(name, &found));
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_set_stands_at_the_nearest_queue() {
        let keys = [
            "root.queues",
            "root.a.user-settings.ann.b.weight",
            "root.a.capacity",
            "root.a.accessible-node-labels.gpu.capacity",
            "root.*.auto-queue-creation-v2.template.capacity",
            "root.a.gone.capacity",
            "root.a.leaf-queue-template.priority",
            "root.a.unheard-of",
        ];
        let properties: Properties = keys.iter().map(|k| (format!("{PREFIX}{k}"), "1".to_owned())).collect();
        let paths = Properties::from(["root", "root.a"].map(|p| (p.to_owned(), String::new())));
        let names = |queue: &str| -> Vec<(String, &str)> {
            set(&properties, &paths, queue).into_iter().map(|n| (n.name, n.property.name)).collect()
        };
        assert_eq!(names("root"), [("*.auto-queue-creation-v2.template.capacity".to_owned(), "capacity")]);
        assert_eq!(
            names("root.a"),
            [
                ("user-settings.ann.b.weight".to_owned(), "user-settings.<u>.weight"),
                ("accessible-node-labels.gpu.capacity".to_owned(), "accessible-node-labels.<l>.capacity"),
                ("gone.capacity".to_owned(), "capacity"),
                ("leaf-queue-template.priority".to_owned(), "priority"),
            ]
        );
        let all = Properties::from([(format!("{PREFIX}user.ann.max-parallel-apps"), "2".to_owned())]);
        assert_eq!(of_all(&all).iter().map(|n| n.name.as_str()).collect::<Vec<_>>(), ["user.ann.max-parallel-apps"]);
    }
}
