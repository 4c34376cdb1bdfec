//! Makes message texts comparable: replaces generated identities by the placeholders of the format.

use crate::facts::read::text;
use serde_json::Value;

/// Replaces `prefix` followed by digits and underscores by `with`.
fn replace_id(s: &str, prefix: &str, with: &str) -> String {
    let mut out = String::with_capacity(s.len());
    let mut rest = s;
    while let Some(i) = rest.find(prefix) {
        let after = &rest[i + prefix.len()..];
        let id = after.find(|c: char| !c.is_ascii_digit() && c != '_').unwrap_or(after.len());
        out.push_str(&rest[..i]);
        if id == 0 {
            out.push_str(prefix);
            rest = after;
        } else {
            out.push_str(with);
            rest = &after[id..];
        }
    }
    out.push_str(rest);
    out
}

/// Replaces application ids by `<app>`.
pub(crate) fn apps(s: &str) -> String {
    replace_id(s, "application_", "<app>")
}

/// Returns an error's message: its first line, without ids.
pub(crate) fn message(s: &str) -> String {
    let line = s.lines().next().unwrap_or("");
    let line = replace_id(&apps(line), "container_", "<container>");
    let line = replace_id(&line, "appattempt_", "<attempt>");
    // The two printed requests of this message are left out.
    match (line.find(" Old="), line.find(", if any fields")) {
        (Some(old), Some(rest)) if old < rest => format!("{}{}", &line[..old], &line[rest + 1..]),
        _ => line,
    }
}

/// Returns an application's diagnostics without the leading date, ids and ports.
pub(crate) fn diagnostics(s: &str) -> String {
    let s = match (s.strip_prefix('['), s.find("] ")) {
        (Some(_), Some(i)) if !s[1..i].contains(']') => &s[i + 2..],
        _ => s,
    };
    apps(s).replace(":1 ", " ").trim().to_owned()
}

/// Returns a step in a few words.
pub(crate) fn step(step: &Value) -> String {
    let mut out = text(&step["op"]).to_owned();
    if let Some(node) = step["node"].as_str() {
        out.push_str(&format!(" {node}"));
    }
    if let Some(app) = step["app"].as_i64() {
        out.push_str(&format!(" app {app}"));
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_become_placeholders() {
        assert_eq!(apps("application_17_0001 is in application_"), "<app> is in application_");
        assert_eq!(message("no container_1_0001_01_000001\nat x"), "no <container>");
        assert_eq!(message("Invalid, Old=a New=b, if any fields differ"), "Invalid, if any fields differ");
        assert_eq!(diagnostics("[Sat Nov 21] App on n1:1 waits "), "App on n1 waits");
    }
}
