//! Where the value of a setting comes from: the place where it is written, the queue or the template that it is inherited from,
//! the time of a refresh, or the default. It is found by the same search as the setting's readers use, never listed.

use crate::explain::names::Names;
use crate::explain::say::formulas as say;
use crate::explain::words;
use heddle_core::config::capacity::{PREFIX, QueueKind, given_to_auto_created, is_inherited};
use heddle_core::config::fair::edit::ParsedFile;
use heddle_core::config::properties;
use heddle_core::model::Millis;
use heddle_core::rm::Properties;
use heddle_core::scenario::{Act, Happening, Origin, Scenario};
use heddle_core::sim::{Simulation, Tried};

/// A setting in force, by the key that has its value.
#[derive(Clone, Debug, PartialEq)]
pub struct Setting {
    /// The key; the queue's own if nothing is written.
    pub key: String,
    pub source: Source,
}

/// The source of a value.
#[derive(Clone, Debug, PartialEq)]
pub enum Source {
    /// Written; `place` is ` (FILE, line N)`, or empty if it is in the scenario itself.
    Written { value: String, place: String },
    /// Set by a refresh.
    Refreshed { value: String, at: Millis },
    /// Given to each leaf by auto-creation, unless a template has another value.
    Given { value: &'static str },
    /// The default, as nothing is written.
    Default { value: String },
    /// Neither written nor with a default of its own.
    NotSet,
}

impl Setting {
    /// Returns the setting that a property of a queue, or of all queues (`""`), comes from.
    pub fn of_queue(names: Names<'_>, queue: &str, property: &str) -> Setting {
        let everywhere = || written(names, &format!("{PREFIX}{property}"));
        found(names, queue, property).or_else(everywhere).unwrap_or_else(|| by_default(queue, property))
    }

    /// Returns `KEY = VALUE (FILE, line N)`.
    pub fn said(&self) -> String {
        let key = &self.key;
        match &self.source {
            Source::Written { value, place } => say::property_at(key, value, place),
            Source::Refreshed { value, at } => say::property_refreshed(key, value, &words::clock(*at)),
            Source::Given { value } => say::property_given(key, &number(value)),
            Source::Default { value } => say::property_by_default(key, value),
            Source::NotSet => say::property_not_set(key),
        }
    }
}

/// Returns the setting written for a queue: at its own key, in the template that it was made from, or for its parent if the
/// property is inherited.
fn found(names: Names<'_>, queue: &str, property: &str) -> Option<Setting> {
    if queue.is_empty() {
        return None;
    }
    let own = format!("{PREFIX}{queue}.{property}");
    let above = queue.rsplit_once('.').map(|(above, _)| above);
    let inherited = || above.filter(|_| is_inherited(property)).and_then(|above| found(names, above, property));
    written(names, &own).or_else(|| of_template(names, queue, property)).or_else(inherited)
}

/// Returns the setting from the template of an auto-created queue, or from auto-creation itself.
fn of_template(names: Names<'_>, queue: &str, property: &str) -> Option<Setting> {
    let rm = names.rm();
    let conf = &rm.queues().get(rm.queue(queue)?.index())?.conf;
    let v1 = conf.kind == QueueKind::AutoCreatedLeaf;
    if !v1 && !conf.dynamic {
        return None;
    }
    let (parent, _) = queue.rsplit_once('.')?;
    let keys = rm.capacity()?.conf().template_keys(parent, property, conf.kind);
    let given = || {
        let value = given_to_auto_created(property).filter(|_| !v1 && conf.kind.is_leaf())?;
        Some(Setting { key: format!("{PREFIX}{queue}.{property}"), source: Source::Given { value } })
    };
    keys.iter().find_map(|key| written(names, key)).or_else(given)
}

/// Returns the setting that holds if nothing is written.
fn by_default(queue: &str, property: &str) -> Setting {
    let key = if queue.is_empty() { format!("{PREFIX}{property}") } else { format!("{PREFIX}{queue}.{property}") };
    let own = properties::find(&key, &|path| path == queue).map_or("", |found| found.property.default);
    let all =
        || properties::find(&format!("{PREFIX}{property}"), &|_| false).map_or("", |found| found.property.default);
    let default = if own.is_empty() { all() } else { own };
    let source = if default.is_empty() { Source::NotSet } else { Source::Default { value: number(default) } };
    Setting { key, source }
}

/// Returns a number as we print numbers; anything else unchanged.
fn number(text: &str) -> String {
    text.parse::<f32>().map_or_else(|_| text.to_string(), |n| n.to_string())
}

/// Returns the capacity-scheduler properties in force at a time: those of the last refresh that was not refused.
fn in_effect(names: Names<'_>, at: Millis) -> &Properties {
    let scenario = names.scenario();
    let notices = names.sim.notices();
    let refused = |i: usize| notices.iter().any(|n| n.tried == Tried::Happening(i));
    let earlier = scenario.happenings.iter().enumerate().filter(|(_, h)| h.at <= at);
    let refreshed = earlier.rev().find_map(|(i, h)| match &h.act {
        Act::Refresh { capacity_scheduler, .. } if !refused(i) => Some(capacity_scheduler),
        _ => None,
    });
    refreshed.unwrap_or(&scenario.settings.capacity_scheduler)
}

/// Returns the setting at a key as it is in force now; `None`: nothing is written.
pub(super) fn written(names: Names<'_>, name: &str) -> Option<Setting> {
    let scenario = names.scenario();
    let now = names.now;
    let value = in_effect(names, now).get(name)?;
    if scenario.settings.capacity_scheduler.get(name) != Some(value) {
        let set = scenario.happenings.iter().filter(|h| h.at <= now).rev().map(|h| h.at);
        let since = set.take_while(|at| in_effect(names, *at).get(name) == Some(value)).last().unwrap_or(now);
        let source = Source::Refreshed { value: value.clone(), at: since };
        return Some(Setting { key: name.to_string(), source });
    }
    let place = place(scenario, scenario.origins.capacity_scheduler.get(name));
    Some(Setting { key: name.to_string(), source: Source::Written { value: value.clone(), place } })
}

/// Returns ` (FILE, line N)`.
pub(super) fn place(scenario: &Scenario, origin: Option<&Origin>) -> String {
    let Some(origin) = origin else { return String::new() };
    match scenario.files.get(&origin.source).zip(origin.span) {
        Some((file, span)) => say::place(&origin.source, Some(span.line_col(&file.text).0)),
        None => say::place(&origin.source, None),
    }
}

/// Returns the value of a queue's element that a later allocation file set, when that file was written, and whether the
/// scheduler found it by itself; `None`: the value is from the start of the run.
pub fn brought_by_file(names: Names<'_>, path: &str, element: &str) -> Option<(String, Millis, bool)> {
    let scenario = names.scenario();
    let of = |text: &str| ParsedFile::of(text).and_then(|file| file.value(path, element));
    let refused = |i: usize| names.sim.notices().iter().any(|notice| notice.tried == Tried::Happening(i));
    let brings = |(i, h): (usize, &Happening)| match &h.act {
        Act::Refresh { fair_allocations: Some(text), written, .. } if !refused(i) => {
            let from = if *written { Simulation::file_is_loaded_at(h.at) } else { h.at };
            (from <= names.now).then(|| (of(text), h.at, *written))
        }
        _ => None,
    };
    let later: Vec<(Option<String>, Millis, bool)> =
        scenario.happenings.iter().enumerate().filter_map(brings).collect();
    let now = later.last()?.0.clone();
    let first = scenario.settings.fair_allocations.as_deref().and_then(of);
    // An earlier file had another value.
    let changed = later.iter().rposition(|(value, ..)| *value != now).map_or(0, |i| i + 1);
    let (value, at, written) = later.get(changed)?.clone();
    (changed > 0 || first != now).then_some((value?, at, written))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixtures::at;

    const V2: &str = "root.a.capacity = \"1w\"\nroot.a.auto-queue-creation-v2.enabled = true\n";
    const V1: &str = "root.a.capacity = 100\nroot.a.auto-create-child-queue.enabled = true\n\
                      root.a.leaf-queue-template.capacity = 50\nqueue-mappings = \"u:ann:root.a.ann\"\n";

    /// Tests every place that a value can come from: the settings, the queue, the property, and how the setting begins.
    #[test]
    fn a_setting_names_the_place_that_its_value_comes_from() {
        const FACTOR: &str = "user-limit-factor";
        const SIZE: &str = "maximum-allocation-mb";
        let plain = |rest: &str| format!("root.a.capacity = 100\n{rest}\n");
        let v2 = |rest: &str| format!("{V2}{rest}\n");
        let v1 = |rest: &str| format!("{V1}{rest}\n");
        let refresh = "[[happenings]]\nat = \"10 s\"\ndo = \"refresh\"\n\
                       capacity-scheduler = { \"root.a.user-limit-factor\" = 6 }\n";
        let rows = [
            (plain("root.a.user-limit-factor = 2"), "root.a", FACTOR, "root.a.user-limit-factor = 2"),
            (plain("user-limit-factor = 3"), "root.a", FACTOR, "user-limit-factor = 3"),
            (plain(""), "root.a", FACTOR, "root.a.user-limit-factor = 1 (not set)"),
            (plain("root.user-limit-factor = 5"), "root.a", FACTOR, "root.a.user-limit-factor = 1 (not set)"),
            (plain("root.maximum-allocation-mb = 4096"), "root.a", SIZE, "root.maximum-allocation-mb = 4096"),
            (plain(""), "root.a", SIZE, "root.a.maximum-allocation-mb (not set)"),
            (v2(""), "root.a.ann", FACTOR, "root.a.ann.user-limit-factor = -1 (given to auto-created queues)"),
            (
                v2("root.a.auto-queue-creation-v2.template.user-limit-factor = 4\n\
                    root.a.auto-queue-creation-v2.leaf-template.user-limit-factor = 7"),
                "root.a.ann",
                FACTOR,
                "root.a.auto-queue-creation-v2.leaf-template.user-limit-factor = 7",
            ),
            (
                v2("\"root.*.auto-queue-creation-v2.template.user-limit-factor\" = 8"),
                "root.a.ann",
                FACTOR,
                "root.*.auto-queue-creation-v2.template.user-limit-factor = 8",
            ),
            (v2("root.a.maximum-allocation-mb = 4096"), "root.a.ann", SIZE, "root.a.maximum-allocation-mb = 4096"),
            (
                v1("root.a.leaf-queue-template.user-limit-factor = 9"),
                "root.a.ann",
                FACTOR,
                "root.a.leaf-queue-template.user-limit-factor = 9",
            ),
            (v1(""), "root.a.ann", FACTOR, "root.a.ann.user-limit-factor = 1 (not set)"),
            (plain("") + refresh, "root.a", FACTOR, "root.a.user-limit-factor = 6 (refreshed at 0:10)"),
        ];
        for (settings, queue, property, begins) in rows {
            let node = "[[nodes]]\nname = \"n\"\nsize = \"8 GB/8\"\n";
            let app = format!(
                "[[apps]]\nname = \"x\"\nuser = \"ann\"\nqueue = \"{queue}\"\ntasks = [{{ duration = \"forever\" }}]\n"
            );
            let text = format!(
                "heddle = 1\nuntil = \"60 s\"\n[capacity-scheduler]\nroot.queues = \"a\"\n{settings}{node}{app}"
            );
            let player = at(&text, 20);
            let said = Setting::of_queue(Names::at(&player.cursor, player.clock), queue, property).said();
            let expected = format!("{PREFIX}{begins}");
            assert!(said.starts_with(&expected), "{settings}: {said}, not {expected}");
        }
    }
}
