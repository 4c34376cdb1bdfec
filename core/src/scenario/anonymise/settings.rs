//! Names in properties: in their keys and their values.

use super::{NameKind, Visit, files, text};
use crate::config::properties::{self, PREFIX, ParsedKey};

/// The one property of yarn-site.xml with a queue in its name.
const OF_QUEUE: &str = "yarn.scheduler.fair.am.preemption.<t>";

/// An anonymised property.
pub(super) struct AnonymisedProperty {
    pub key: String,
    pub value: String,
    /// Whether Heddle knows the property; an unknown one is left out of files that are passed on.
    pub known: bool,
}

/// Anonymises a property, given its full name.
pub(super) fn property(key: &str, value: &str, v: &mut dyn Visit) -> AnonymisedProperty {
    let Some(found) = properties::find(key, &|path| v.is_queue(path)) else {
        let value = v.words(value).unwrap_or_else(|| value.to_owned());
        return AnonymisedProperty { key: unknown(key, v), value, known: false };
    };
    let value_new = match found.meaning() {
        _ if value.contains("${") => v.words(value),
        Some(meaning) => self::value(meaning.name, value, v),
        None => v.words(value),
    };
    AnonymisedProperty {
        key: self::key(&found, key, v),
        value: value_new.unwrap_or_else(|| value.to_owned()),
        known: true,
    }
}

/// Returns the new key of a known property.
fn key(found: &ParsedKey, key: &str, v: &mut dyn Visit) -> String {
    let name = found.variable.as_deref().map_or_else(
        || found.property.name.to_owned(),
        |variable| {
            let new = match found.property.named_by() {
                _ if found.property.name == OF_QUEUE => text::queue(variable, v),
                Some("label") => v.name(NameKind::Label, variable),
                Some("user") => v.name(NameKind::User, variable),
                Some("property") => properties::of_queue(variable).map(|inner| self::key(&inner, variable, v)),
                _ => None,
            };
            found.property.named(new.as_deref().unwrap_or(variable))
        },
    );
    match &found.queue {
        Some(path) => format!("{PREFIX}{}.{name}", text::queue(path, v).as_deref().unwrap_or(path)),
        None if key.starts_with(PREFIX) => format!("{PREFIX}{name}"),
        None => name,
    }
}

/// Replaces the parts of an unknown key that are names.
fn unknown(key: &str, v: &mut dyn Visit) -> String {
    let (start, rest) = if key.starts_with(PREFIX) { key.split_at(PREFIX.len()) } else { ("", key) };
    let of_queue = rest.starts_with("root.");
    let new = text::parts(rest, &['.'], &mut |part| match of_queue && v.is_queue(&format!("root.{part}")) {
        true => v.name(NameKind::Queue, part),
        false => v.words(part),
    });
    format!("{start}{}", new.as_deref().unwrap_or(rest))
}

/// Returns the new value of a property, by its name in the table of properties.
fn value(name: &str, value: &str, v: &mut dyn Visit) -> Option<String> {
    match name {
        "queues" => text::list(value, NameKind::Queue, v),
        "queue-mappings" => text::mappings(value, v),
        "workflow-priority-mappings" => text::first_to_queue(value, NameKind::Tag, v),
        "yarn.scheduler.queue-placement-rules.app-name" => text::first_to_queue(value, NameKind::App, v),
        "mapping-rule-json" => Some(files::mapping_rules(value, v)),
        "mapping-rule-json-file" => file(value, v),
        "accessible-node-labels" | "ordering-policy.exclusive-enforced-partitions" => text::labels(value, v),
        "yarn.node-labels.exclusive-enforced-partitions" => text::labels(value, v),
        "default-node-label-expression" => text::labels(value, v),
        "yarn.resourcemanager.node-labels.am.default-node-label-expression" => text::labels(value, v),
        "acl_submit_applications" | "acl_administer_queue" | "yarn.admin.acl" => text::acl(value, v),
        "acl_application_max_priority" => text::priorities(value, v),
        "yarn.service.queue" => text::queue(value, v),
        "yarn.resourcemanager.application-tag-based-placement.username.whitelist" => {
            text::list(value, NameKind::User, v)
        }
        "yarn.scheduler.fair.allocation.file" | "net.topology.script.file.name" | "net.topology.table.file.name" => {
            file(value, v)
        }
        "yarn.service.am.java.opts" => v.name(NameKind::Path, value.trim()),
        _ => None,
    }
}

/// Anonymises a path to a file; the scenario knows the file by the path's last part.
pub(super) fn file(path: &str, v: &mut dyn Visit) -> Option<String> {
    let path = path.trim();
    let name = path.rsplit('/').next().unwrap_or(path);
    if files::is_known(name) {
        return Some(name.to_owned()).filter(|name| name != path);
    }
    v.name(NameKind::Path, name)
}
