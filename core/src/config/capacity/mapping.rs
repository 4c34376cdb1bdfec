//! Queue mapping rules as text: the legacy lists and the JSON form (capacity-scheduler.md section 4;
//! CapacitySchedulerConfiguration.parseLegacyMappingRules, MappingRuleCreator of Hadoop 3.5.0). The scheduler has the
//! engine that applies them.

use super::{MappingConf, MappingText};
use crate::api::{Refusal, SettingsRule};
use crate::config::values::trim;
use serde_json::Value;

/// A rule: the applications that it matches, and its action.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MappingRule {
    /// The applications that it matches.
    pub matcher: Matcher,
    pub action: Action,
    /// The fallback if its queue cannot be used.
    pub fallback: Fallback,
}

/// The applications that a rule matches. Variables in the text are replaced before the comparison.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Matcher {
    /// All applications.
    Anything,
    User(String),
    /// Applications of a user in this group.
    Group(String),
    /// Applications with this name.
    Application(String),
}

/// The action of a rule.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Action {
    /// Places into a queue; the path may contain variables.
    Place {
        path: String,
        /// Whether the queue may be created.
        create: bool,
    },
    Reject,
    /// Sets `%default` for the rules that follow.
    SetDefault(String),
}

/// The action if a rule's queue cannot be used.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fallback {
    /// The next rule is tried.
    Skip,
    /// The application is rejected.
    Reject,
    /// The application goes to `%default`.
    PlaceDefault,
}

/// Parses the rules. Errors: what Hadoop refuses; for invalid JSON the parser's own message.
pub fn mapping_rules(conf: &MappingConf) -> Result<Vec<MappingRule>, Refusal> {
    match &conf.rules {
        MappingText::Legacy { users, applications } => {
            let users = users.iter().map(|entry| user_rule(entry));
            users.chain(applications.iter().map(|entry| application_rule(entry))).collect()
        }
        MappingText::Json(text) if text.is_empty() => Ok(Vec::new()),
        MappingText::Json(text) => json_rules(text),
    }
}

/// The parts between colons, trimmed; empty ones are dropped, as by Hadoop's helper.
pub(super) fn parts(entry: &str) -> Vec<&str> {
    entry.split(':').map(trim).filter(|p| !p.is_empty()).collect()
}

/// `u:user:queue` or `g:group:queue`.
pub fn user_rule(entry: &str) -> Result<MappingRule, Refusal> {
    let [kind, source, path] = parts(entry)[..] else {
        return Err(Refusal::of(SettingsRule::Mapping, format!("Illegal queue mapping {entry}")));
    };
    let matcher = match kind {
        "u" if source == "%user" => Matcher::Anything,
        "u" => Matcher::User(source.into()),
        "g" => Matcher::Group(source.into()),
        other => return Err(Refusal::of(SettingsRule::Mapping, format!("unknown mapping prefix {other}"))),
    };
    Ok(legacy(matcher, path))
}

/// `application:queue`.
fn application_rule(entry: &str) -> Result<MappingRule, Refusal> {
    let [name, path] = parts(entry)[..] else {
        return Err(Refusal::of(SettingsRule::Mapping, format!("Illegal queue mapping {entry}")));
    };
    Ok(legacy(Matcher::Application(name.into()), path))
}

fn legacy(matcher: Matcher, path: &str) -> MappingRule {
    MappingRule { matcher, action: Action::Place { path: path.into(), create: true }, fallback: Fallback::PlaceDefault }
}

fn json_rules(text: &str) -> Result<Vec<MappingRule>, Refusal> {
    let value: Value = serde_json::from_str(text).map_err(|e| Refusal::new(e.to_string()))?;
    let no_list = |words: &str| Err(Refusal::of(SettingsRule::Mapping, words));
    let rules = match (value.get("rules"), &value) {
        (Some(Value::Array(rules)), _) => rules,
        (None, Value::Object(_)) => return Ok(Vec::new()),
        (Some(Value::Null), _) | (_, Value::Null) => return no_list("NullPointerException"),
        _ => return no_list("mapping-rule-json has no list called rules"),
    };
    rules.iter().map(json_rule).collect()
}

fn field<'a>(rule: &'a Value, name: &str) -> Option<&'a str> {
    rule.get(name).and_then(Value::as_str)
}

fn json_rule(rule: &Value) -> Result<MappingRule, Refusal> {
    let needed = |name: &str, text: &str| field(rule, name).ok_or_else(|| Refusal::new(text));
    let policy = needed("policy", "Rule policy is undefined")?;
    let kind = needed("type", "Rule type is undefined")?;
    let matches = needed("matches", "Match string is undefined")?;
    if matches.is_empty() {
        return Err(Refusal::new("Match string is empty"));
    }
    let matcher = match kind {
        "user" if matches == "*" => Matcher::Anything,
        "user" => Matcher::User(matches.into()),
        "group" if matches == "*" => return Err(Refusal::new("Cannot match '*' for groups")),
        "group" => Matcher::Group(matches.into()),
        "application" => Matcher::Application(matches.into()),
        other => return Err(Refusal::new(other)),
    };
    let fallback = match field(rule, "fallbackResult") {
        None | Some("skip") => Fallback::Skip,
        Some("reject") => Fallback::Reject,
        Some("placeDefault") => Fallback::PlaceDefault,
        Some(other) => return Err(Refusal::new(other)),
    };
    Ok(MappingRule { matcher, action: json_action(rule, policy)?, fallback })
}

fn json_action(rule: &Value, policy: &str) -> Result<Action, Refusal> {
    let create = match rule.get("create") {
        Some(Value::Bool(create)) => *create,
        Some(Value::String(text)) => text.trim().eq_ignore_ascii_case("true"),
        _ => true,
    };
    let place = |path: String| Action::Place { path, create };
    let below = |name: &str| match field(rule, "parentQueue") {
        Some(parent) => place(format!("{parent}.{name}")),
        None => place(name.to_string()),
    };
    Ok(match policy {
        "specified" => place("%specified".into()),
        "defaultQueue" => Action::Place { path: "%default".into(), create: false },
        "reject" => Action::Reject,
        "user" => below("%user"),
        "primaryGroup" => below("%primary_group"),
        "secondaryGroup" => below("%secondary_group"),
        "primaryGroupUser" => below("%primary_group.%user"),
        "secondaryGroupUser" => below("%secondary_group.%user"),
        "applicationName" => below("%application"),
        "custom" => match field(rule, "customPlacement") {
            Some(path) => place(path.into()),
            None => return Err(Refusal::new("custom queue is undefined")),
        },
        "setDefaultQueue" => match field(rule, "value") {
            Some(queue) => Action::SetDefault(queue.into()),
            None => return Err(Refusal::new("default queue is undefined")),
        },
        other => return Err(Refusal::new(other)),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn legacy_entries_are_trimmed_and_need_all_parts() {
        let rule = user_rule("    u : a : q1").unwrap();
        assert_eq!(rule.matcher, Matcher::User("a".into()));
        assert_eq!(rule.action, Action::Place { path: "q1".into(), create: true });
        for bad in ["x:a:b", "u:a", "u::", "u:", "u:a:", "g:a:d:e"] {
            assert!(user_rule(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn json_rules_have_defaults() {
        let rules =
            json_rules(r#"{"rules":[{"type":"user","matches":"*","policy":"user","parentQueue":"root.u"}]}"#).unwrap();
        assert_eq!(rules[0].fallback, Fallback::Skip);
        assert_eq!(rules[0].action, Action::Place { path: "root.u.%user".into(), create: true });
        assert!(json_rules(r#"{"rules":[{"type":"group","matches":"*","policy":"user"}]}"#).is_err());
    }
}
