//! Templates of auto-created queues: the properties that a queue takes from its parent (AutoCreatedQueueTemplate,
//! ManagedParentQueue of Hadoop 3.5.0; capacity-scheduler.md 3.3).

use super::queue::max_depth;
use super::{PREFIX, ROOT};
use crate::api::{Properties, Refusal};
use crate::config::values::Conf;
use indexmap::IndexMap;
use std::collections::BTreeSet;

/// The three templates of a parent; its own path overrides wildcards.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Templates {
    /// `template`: for every kind of child.
    pub any: IndexMap<String, String>,
    /// `leaf-template`.
    pub leaf: IndexMap<String, String>,
    /// `parent-template`.
    pub parent: IndexMap<String, String>,
}

impl Templates {
    /// Collects the templates for children of `path`; empty if it is not a path from root. Errors: an invalid depth.
    pub(super) fn of(conf: &Conf, given: &BTreeSet<String>, path: &str) -> Result<Self, Refusal> {
        let mut out = Templates::default();
        if path != ROOT && !path.contains('.') {
            return Ok(out);
        }
        for path in wildcarded(path, max_depth(conf, path)?) {
            let prefix = format!("{PREFIX}{path}.auto-queue-creation-v2.");
            for (key, value) in conf.map().iter().filter(|(k, _)| !given.contains(*k)) {
                let Some(rest) = key.strip_prefix(&prefix) else { continue };
                let (template, name) = if let Some(name) = rest.strip_prefix("template.") {
                    (&mut out.any, name)
                } else if let Some(name) = rest.strip_prefix("leaf-template.") {
                    (&mut out.leaf, name)
                } else if let Some(name) = rest.strip_prefix("parent-template.") {
                    (&mut out.parent, name)
                } else {
                    continue;
                };
                template.entry(name.to_string()).or_insert_with(|| value.clone());
            }
        }
        Ok(out)
    }

    /// The templates for children of `path` in these properties. Errors: an invalid depth.
    pub fn of_properties(properties: &Properties, path: &str) -> Result<Self, Refusal> {
        Templates::of(&Conf::new(properties.clone()), &BTreeSet::new(), path)
    }

    /// The properties for a child of this kind; the kind's own template comes before the common one.
    pub fn for_child(&self, is_leaf: bool) -> impl Iterator<Item = (&String, &String)> {
        let own = if is_leaf { &self.leaf } else { &self.parent };
        own.iter().chain(self.any.iter().filter(move |(key, _)| !own.contains_key(*key)))
    }
}

/// The path, then with its last segment as `*`, its last two, and so on, up to `depth` segments; root stays root.
fn wildcarded(path: &str, depth: i32) -> Vec<String> {
    let segments: Vec<&str> = path.split('.').collect();
    let stars = usize::try_from(depth).unwrap_or(0).min(segments.len().saturating_sub(1));
    let with_stars = |n: usize| {
        let kept = &segments[..segments.len() - n];
        kept.iter().copied().chain(std::iter::repeat_n("*", n)).collect::<Vec<_>>().join(".")
    };
    (0..=stars).map(with_stars).collect()
}

/// The keys that may set a property of a queue that is auto-created below `parent` (v2), the most specific first. Empty
/// if the depth of the templates is invalid.
pub(super) fn keys(conf: &Conf, parent: &str, property: &str, is_leaf: bool) -> Vec<String> {
    let Ok(depth) = max_depth(conf, parent) else { return Vec::new() };
    let paths = wildcarded(parent, depth);
    let key = |template: &str, path: &str| format!("{PREFIX}{path}.auto-queue-creation-v2.{template}.{property}");
    let own = if is_leaf { "leaf-template" } else { "parent-template" };
    [own, "template"].iter().flat_map(|template| paths.iter().map(|path| key(template, path))).collect()
}

/// The properties that a v1 leaf takes from its parent's `leaf-queue-template`.
pub(super) fn of_v1(conf: &Conf, parent: &str) -> Vec<(String, String)> {
    let prefix = format!("{PREFIX}{parent}.leaf-queue-template.");
    conf.map().iter().filter_map(|(key, value)| Some((key.strip_prefix(&prefix)?.to_string(), value.clone()))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn root_is_never_a_wildcard() {
        assert_eq!(wildcarded("root.a.b", 2), ["root.a.b", "root.a.*", "root.*.*"]);
        assert_eq!(wildcarded("root.a.b", 1), ["root.a.b", "root.a.*"]);
        assert_eq!(wildcarded("root", 2), ["root"]);
    }

    #[test]
    fn a_name_alone_is_no_path_and_has_no_templates() {
        let key = |path: &str| format!("{PREFIX}{path}.auto-queue-creation-v2.template.capacity");
        let conf: Properties = ["a", "root", "root.a"].map(|path| (key(path), "6w".to_string())).into_iter().collect();
        for (path, some) in [("a", false), ("root", true), ("root.a", true)] {
            let templates = Templates::of_properties(&conf, path).unwrap();
            assert_eq!(templates.any.contains_key("capacity"), some, "{path}");
        }
    }
}
