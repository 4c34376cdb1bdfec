//! Names in YARN's texts: queue paths, lists, ACLs, label expressions, constraints, ids.

use super::{NameKind, Visit};
use crate::apps::scenario::anonymise as own;

/// Replaces each part of a text that is split at the characters `at`; `None`: nothing changes.
pub(crate) fn parts(text: &str, at: &[char], act: &mut dyn FnMut(&str) -> Option<String>) -> Option<String> {
    let (mut out, mut changed) = (String::with_capacity(text.len()), false);
    for piece in text.split_inclusive(at) {
        let bare = piece.trim_end_matches(at);
        let inner = bare.trim();
        match act(inner).filter(|new| new != inner) {
            Some(new) if !inner.is_empty() => {
                changed = true;
                let start = bare.find(inner).unwrap_or(0);
                out.push_str(&bare[..start]);
                out.push_str(&new);
                out.push_str(&bare[start + inner.len()..]);
            }
            _ => out.push_str(bare),
        }
        out.push_str(&piece[bare.len()..]);
    }
    changed.then_some(out)
}

/// Anonymises a list of names of one kind.
pub(super) fn list(text: &str, kind: NameKind, v: &mut dyn Visit) -> Option<String> {
    parts(text, &[','], &mut |name| v.name(kind, name))
}

/// Anonymises a queue's path or name.
pub(crate) fn queue(text: &str, v: &mut dyn Visit) -> Option<String> {
    parts(text, &['.'], &mut |name| v.name(NameKind::Queue, name))
}

/// Anonymises a rack, or a path of racks.
pub(super) fn rack(text: &str, v: &mut dyn Visit) -> Option<String> {
    parts(text, &['/'], &mut |name| v.name(NameKind::Rack, name))
}

/// Anonymises a host or a rack.
pub(crate) fn place(text: &str, v: &mut dyn Visit) -> Option<String> {
    if text.starts_with('/') { rack(text, v) } else { v.name(NameKind::Host, text) }
}

/// Anonymises a host, perhaps with its port.
pub(crate) fn host(text: &str, v: &mut dyn Visit) -> Option<String> {
    match text.rsplit_once(':').filter(|(_, port)| port.bytes().all(|b| b.is_ascii_digit())) {
        Some((host, port)) => v.name(NameKind::Host, host).map(|new| format!("{new}:{port}")),
        None => v.name(NameKind::Host, text),
    }
}

/// Anonymises a label expression: labels and their operators; in lists of labels also `x(exclusive=false)`.
pub(crate) fn labels(text: &str, v: &mut dyn Visit) -> Option<String> {
    let (names, rest) = text.split_at(text.find('(').unwrap_or(text.len()));
    let new = parts(names, &[',', '&', '|', '!', ' '], &mut |name| v.name(NameKind::Label, name))?;
    Some(format!("{new}{rest}"))
}

/// Anonymises users and groups: `user,user group,group`.
pub(super) fn acl(text: &str, v: &mut dyn Visit) -> Option<String> {
    let (users, groups) = text.split_once(' ').map_or((text, None), |(users, groups)| (users, Some(groups)));
    let new_users = list(users, NameKind::User, v);
    let new_groups = groups.and_then(|groups| list(groups, NameKind::Group, v));
    if new_users.is_none() && new_groups.is_none() {
        return None;
    }
    let users = new_users.unwrap_or_else(|| users.to_owned());
    Some(match groups {
        None => users,
        Some(groups) => format!("{users} {}", new_groups.unwrap_or_else(|| groups.to_owned())),
    })
}

/// Anonymises `[user=u group=g max_priority=5] …`.
pub(super) fn priorities(text: &str, v: &mut dyn Visit) -> Option<String> {
    parts(text, &[' ', '[', ']', ','], &mut |word| {
        let (key, name) = word.split_once('=')?;
        let kind = match key.trim() {
            "user" => NameKind::User,
            "group" => NameKind::Group,
            _ => return None,
        };
        v.name(kind, name.trim()).map(|new| format!("{key}={new}"))
    })
}

/// Anonymises `u:user:queue`, `g:group:queue`.
pub(super) fn mappings(text: &str, v: &mut dyn Visit) -> Option<String> {
    parts(text, &[','], &mut |entry| {
        let [kind, source, path] = entry.split(':').map(str::trim).collect::<Vec<_>>()[..] else {
            return v.words(entry);
        };
        let of = if kind == "g" { NameKind::Group } else { NameKind::User };
        let (new, path_new) = (v.name(of, source), queue(path, v));
        Some(format!("{kind}:{}:{}", new.unwrap_or_else(|| source.into()), path_new.unwrap_or_else(|| path.into())))
    })
}

/// Anonymises `application:queue`, `workflow:queue:priority`.
pub(super) fn first_to_queue(text: &str, of: NameKind, v: &mut dyn Visit) -> Option<String> {
    parts(text, &[','], &mut |entry| {
        let mut words = entry.split(':').map(str::trim);
        let (first, path) = (words.next()?, words.next()?);
        let (new, path_new) = (v.name(of, first), queue(path, v));
        let mut out = format!("{}:{}", new.unwrap_or_else(|| first.into()), path_new.unwrap_or_else(|| path.into()));
        words.for_each(|rest| out.push_str(&format!(":{rest}")));
        Some(out)
    })
}

/// Prefixes of names in application tags.
const BEFORE_TAG: [&str; 3] = ["workflowid", "u", "userid"];

/// Anonymises an application's tag: `workflowid:x`, `u=ann`.
pub(super) fn app_tag(text: &str, v: &mut dyn Visit) -> Option<String> {
    let Some(at) = text.find([':', '=']) else { return v.name(NameKind::Tag, text) };
    let (before, rest) = text.split_at(at);
    let (sign, name) = rest.split_at(1);
    let kind = if matches!(before, "u" | "userid") { NameKind::User } else { NameKind::Tag };
    let before_new = if BEFORE_TAG.iter().chain(&own::BEFORE_TAG).any(|known| *known == before.trim()) {
        None
    } else {
        v.name(NameKind::Tag, before)
    };
    let lead = &name[..name.len() - name.trim_start().len()];
    let new = v.name(kind, name.trim());
    if before_new.is_none() && new.is_none() {
        return None;
    }
    let name_new = new.unwrap_or_else(|| name.trim().to_owned());
    Some(format!("{}{sign}{lead}{name_new}", before_new.as_deref().unwrap_or(before)))
}

/// Keywords of the constraint language.
const WORDS: [&str; 18] = [
    "in",
    "notin",
    "node",
    "rack",
    "cardinality",
    "and",
    "or",
    "delayed_or",
    "self",
    "not-self",
    "all",
    "app-id",
    "app-tag",
    "app-label",
    "timed",
    "true",
    "false",
    "eq",
];

/// Anonymises a spec or a constraint: tags with their namespaces, attributes with their values.
pub(super) fn constraint(text: &str, v: &mut dyn Visit) -> Option<String> {
    parts(text, &[',', ':', '(', ')'], &mut |word| {
        let number = word.bytes().all(|b| b.is_ascii_digit() || b == b'-' || b == b'*');
        if number || WORDS.iter().any(|w| w.eq_ignore_ascii_case(word)) {
            return None;
        }
        if let Some((name, value)) = word.split_once('=') {
            let (name, sign) = name.strip_suffix('!').map_or((name, "="), |name| (name, "!="));
            let (new, new_value) = (attribute(name, v), v.name(NameKind::Value, value));
            return Some(format!("{}{sign}{}", new.as_deref().unwrap_or(name), new_value.as_deref().unwrap_or(value)));
        }
        if let Some(at) = word.rfind('/') {
            let (namespace, tag) = word.split_at(at);
            let (new, new_tag) = (self::namespace(namespace, v), v.name(NameKind::Tag, &tag[1..]));
            return Some(format!(
                "{}/{}",
                new.as_deref().unwrap_or(namespace),
                new_tag.as_deref().unwrap_or(&tag[1..])
            ));
        }
        v.name(NameKind::Tag, word)
    })
}

/// Anonymises an attribute's name, with its prefix.
pub(super) fn attribute(name: &str, v: &mut dyn Visit) -> Option<String> {
    match name.rsplit_once('/') {
        Some((prefix, bare)) if matches!(prefix, "rm.yarn.io" | "nm.yarn.io") => {
            v.name(NameKind::Attribute, bare).map(|new| format!("{prefix}/{new}"))
        }
        _ => v.name(NameKind::Attribute, name),
    }
}

/// Anonymises a namespace of tags.
pub(super) fn namespace(text: &str, v: &mut dyn Visit) -> Option<String> {
    let (kind, name) = text.split_once('/')?;
    let new = match kind {
        "app-tag" => app_tag(name, v)?,
        "app-id" => v.words(name)?,
        _ => return None,
    };
    Some(format!("{kind}/{new}"))
}

/// Anonymises a selection: `request:zk/0_3`, `queue:root.a`.
pub(super) fn selection(text: &str, v: &mut dyn Visit) -> Option<String> {
    let (kind, rest) = text.split_once(':')?;
    let new = match kind {
        "queue" => queue(rest, v)?,
        "node" => v.name(NameKind::Host, rest)?,
        "user" => v.name(NameKind::User, rest)?,
        "app" => v.name(NameKind::App, rest)?,
        "container" | "request" | "clause" => {
            let at = rest.find('/').unwrap_or(rest.len());
            format!("{}{}", v.name(NameKind::App, &rest[..at])?, &rest[at..])
        }
        "refresh" => return None,
        _ => v.words(rest)?,
    };
    Some(format!("{kind}:{new}"))
}
