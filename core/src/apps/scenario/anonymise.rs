//! Where names occur in the texts of single kinds: the table that `core/src/scenario/anonymise` asks.

use crate::apps::samza::scenario::anonymise as samza;
use crate::apps::slider::scenario::anonymise as slider;
use crate::apps::slider::strategy::settings::MASTER;
use crate::scenario::anonymise::Visit;
use crate::scenario::anonymise::places::TextMeaning;

/// The component name that stays as it is, since others are ordered relative to it.
pub(crate) const COMPONENT: &str = MASTER;
/// Other names that stay, since kinds give them a meaning.
pub(crate) const STAY: [&str; 4] = ["slider", "ANY_HOST", "LAST_SEEN", "FORCE_RESTART_LAST_SEEN"];
/// Prefixes that clients put before a name in an application's tags.
pub(crate) const BEFORE_TAG: [&str; 5] = ["yarn-service", "name", "version", "description", "slider"];

/// Returns the kind of text at this path of a scenario, if the path belongs to a kind of application.
pub(crate) fn place(path: &[&str]) -> Option<TextMeaning> {
    slider::place(path).or_else(|| samza::place(path))
}

/// Returns the kind of the keys in the table at this path, if the path belongs to a kind of application.
pub(crate) fn keys(path: &[&str]) -> Option<TextMeaning> {
    samza::keys(path)
}

/// Replaces the names in a property that a restart sets.
pub(crate) fn restart_property(key: &str, value: &str, v: &mut dyn Visit) -> (String, String) {
    samza::property(key, value, v)
}

/// Replaces the names in a setting of an application's own file that a world sets.
pub(crate) fn own_setting(key: &str, value: &str, v: &mut dyn Visit) -> (String, String) {
    slider::property(key, value, v).unwrap_or_else(|| samza::property(key, value, v))
}
