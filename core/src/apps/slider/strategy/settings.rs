//! resources.json as the ApplicationMaster reads it: keys resolved, numbers parsed by Java's rules, refused with Slider's
//! exceptions (slider-placement.md 3.1 to 3.4).

use super::policy::Policy;
use crate::model::Resource;
use crate::model::java_number::decode_int;
use indexmap::IndexMap;

/// Keys and their values.
pub type Keys = IndexMap<String, String>;

/// The ApplicationMaster's own component.
pub const MASTER: &str = "slider-appmaster";

/// Keys of resources.json.
pub mod key {
    /// The id of a component.
    pub const PRIORITY: &str = "yarn.role.priority";
    /// The number of containers.
    pub const INSTANCES: &str = "yarn.component.instances";
    /// The placement policy.
    pub const POLICY: &str = "yarn.component.placement.policy";
    /// The seconds until a request for a host is relaxed.
    pub const ESCALATE: &str = "yarn.placement.escalate.seconds";
    /// The node label.
    pub const LABEL: &str = "yarn.label.expression";
    /// The memory of a container.
    pub const MEMORY: &str = "yarn.memory";
    /// The cores of a container.
    pub const VCORES: &str = "yarn.vcores";
    /// Whether memory is rounded to YARN's allocations.
    pub const NORMALIZE: &str = "yarn.resource.normalization.enabled";
    /// The number of recent failures that a node may have.
    pub const NODE_FAILURES: &str = "yarn.node.failure.threshold";
    /// The number of recent failures that a component may have.
    pub const FAILURES: &str = "yarn.container.failure.threshold";
    /// The prefix of the keys of the failure window.
    pub const WINDOW: &str = "yarn.container.failure.window";
    /// Whether every instance has a name of its own.
    pub const UNIQUE: &str = "component.unique.names";
    /// The threshold of 0.93's health monitor, in percent.
    pub const HEALTH: &str = "yarn.container.health.threshold.percent";
    /// How long failures of the ApplicationMaster count, in milliseconds; only in `global`.
    pub const FAILURES_WINDOW: &str = "yarn.resourcemanager.am.retry-count-window-ms";
    /// The seconds below which a container is short-lived.
    pub const SHORT_LIFE: &str = "internal.container.failure.shortlife";
}

/// Defaults of the keys.
pub mod default {
    /// `yarn.placement.escalate.seconds`.
    pub const ESCALATE: i32 = 30;
    /// `escalation.check.interval.seconds` of internal.json.
    pub const ESCALATION_CHECK: i32 = 30;
    /// `yarn.node.failure.threshold`.
    pub const NODE_FAILURES: i32 = 3;
    /// `yarn.container.failure.threshold`.
    pub const FAILURES: i32 = 5;
    /// `internal.container.failure.shortlife`.
    pub const SHORT_LIFE: i32 = 60;
    /// `yarn.memory`.
    pub const MEMORY_MB: i32 = 256;
    /// `yarn.vcores`.
    pub const VCORES: i32 = 1;
    /// The hours of the failure window.
    pub const WINDOW_HOURS: i64 = 6;
}

/// The exception that Slider throws at settings or calls that it refuses.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SliderException {
    /// The exception's class.
    pub kind: Exception,
    /// What is wrong.
    pub what: String,
}

/// Slider's exceptions, by their Java names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Exception {
    /// BadConfigException.
    BadConfig,
    /// UnknownFormatConversionException: the message for a negative count is itself faulty.
    UnknownFormatConversion,
    /// NumberFormatException.
    NumberFormat,
    /// SliderInternalStateException.
    InternalState,
    /// IllegalArgumentException: two components of one name.
    IllegalArgument,
    /// RuntimeException: a live container belongs to no component.
    UnknownComponent,
}

impl Exception {
    /// Returns the simple name of the class.
    pub fn class(self) -> &'static str {
        match self {
            Exception::BadConfig => "BadConfigException",
            Exception::UnknownFormatConversion => "UnknownFormatConversionException",
            Exception::NumberFormat => "NumberFormatException",
            Exception::InternalState => "SliderInternalStateException",
            Exception::IllegalArgument => "IllegalArgumentException",
            Exception::UnknownComponent => "RuntimeException",
        }
    }
}

pub(super) fn refuse<T>(kind: Exception, what: impl Into<String>) -> Result<T, SliderException> {
    Err(SliderException { kind, what: what.into() })
}

/// Parses a number without trimming it.
fn int(keys: &Keys, name: &str, default: i32) -> Result<i32, SliderException> {
    match keys.get(name) {
        None => Ok(default),
        Some(text) => match decode_int(text) {
            Ok(n) => Ok(n),
            Err(_) => refuse(Exception::NumberFormat, format!("`{name}` is {text:?}, no whole number")),
        },
    }
}

/// Trims and parses a number with a lower bound.
fn bounded(keys: &Keys, name: &str, default: i32, low: i32) -> Result<i32, SliderException> {
    let Some(text) = keys.get(name) else { return Ok(default) };
    match decode_int(text.trim_matches(|c| c <= ' ')) {
        Ok(n) if n >= low => Ok(n),
        Ok(n) => refuse(Exception::BadConfig, format!("`{name}` is {n}, less than {low}")),
        Err(_) => refuse(Exception::BadConfig, format!("`{name}` is {text:?}, no whole number")),
    }
}

/// An application's definition.
#[derive(Clone, Debug, PartialEq, Eq, Default, serde::Serialize, serde::Deserialize)]
pub struct Definition {
    /// Keys of every component that lacks its own.
    pub global: Keys,
    /// Components and their keys, in the order of the file.
    pub components: IndexMap<String, Keys>,
}

/// The settings read once, when a component is created.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Settings {
    /// Its id, which is the priority of its requests.
    pub id: i32,
    /// Its placement policy.
    pub policy: Policy,
    /// The seconds until a request for a host is relaxed.
    pub escalate_seconds: i32,
    /// The recent failures on a node above which the node is not requested.
    pub node_failure_threshold: i32,
    /// The node label; `None`: the application's.
    pub label: Option<String>,
}

impl Settings {
    /// Returns the settings of a component that has only its id.
    pub fn new(id: i32) -> Self {
        Settings {
            id,
            policy: Policy::default(),
            escalate_seconds: default::ESCALATE,
            node_failure_threshold: default::NODE_FAILURES,
            label: None,
        }
    }

    /// Reads a component's keys, those of `global` included.
    pub fn read(keys: &Keys) -> Result<Self, SliderException> {
        if !keys.contains_key(key::PRIORITY) {
            return refuse(Exception::BadConfig, format!("`{}` is missing", key::PRIORITY));
        }
        Ok(Settings {
            id: bounded(keys, key::PRIORITY, 0, 1)?,
            policy: Policy(bounded(keys, key::POLICY, 0, 0)?),
            escalate_seconds: int(keys, key::ESCALATE, default::ESCALATE)?,
            node_failure_threshold: int(keys, key::NODE_FAILURES, default::NODE_FAILURES)?,
            label: keys.get(key::LABEL).cloned(),
        })
    }
}

/// YARN's minimum and maximum allocations.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// `yarn.scheduler.minimum-allocation-*`.
    pub min: Resource,
    /// The largest container, as YARN reports it at the registration.
    pub max: Resource,
}

impl Definition {
    /// Returns a component's keys, with those of `global` that it lacks; `None`: there is no such component.
    pub fn resolved(&self, name: &str) -> Option<Keys> {
        let mut keys = self.components.get(name)?.clone();
        for (key, text) in &self.global {
            if !keys.contains_key(key) {
                keys.insert(key.clone(), text.clone());
            }
        }
        Some(keys)
    }

    fn keys(&self, name: &str) -> Keys {
        self.resolved(name).unwrap_or_default()
    }

    /// Returns whether every instance of this component has a name of its own.
    pub fn unique_names(&self, name: &str) -> bool {
        self.resolved(name).is_some_and(|k| k.get(key::UNIQUE).is_some_and(|v| v.eq_ignore_ascii_case("true")))
    }

    /// Returns the definition with another number of instances of a component; `None`: there is no such component.
    pub fn with_instances(&self, name: &str, count: i64) -> Option<Self> {
        let mut out = self.clone();
        out.components.get_mut(name)?.insert(key::INSTANCES.into(), count.to_string());
        Some(out)
    }

    /// Returns the number of instances of a component.
    pub fn instances(&self, name: &str) -> Result<i64, SliderException> {
        match int(&self.keys(name), key::INSTANCES, 0)? {
            n if n < 0 => {
                refuse(Exception::UnknownFormatConversion, format!("`{}` of {name} is {n}, below 0", key::INSTANCES))
            }
            n => Ok(i64::from(n)),
        }
    }

    /// Returns the number of recent failures above which the application fails; 0 and less: no limit. `base`: the default.
    pub fn failure_threshold(&self, name: &str, base: i32) -> Result<i32, SliderException> {
        int(&self.keys(name), key::FAILURES, base)
    }

    /// Returns the threshold of components that the definition does not have.
    pub fn global_failure_threshold(&self) -> Result<i32, SliderException> {
        int(&self.global, key::FAILURES, default::FAILURES)
    }

    /// Returns whether the health monitor of 0.93 replaces the failure threshold of a component.
    pub fn health_monitored(&self, name: &str) -> bool {
        int(&self.keys(name), key::HEALTH, -1).is_ok_and(|percent| (1..=100).contains(&percent))
    }

    /// Returns the seconds below which a container is short-lived.
    pub fn short_life(&self) -> Result<i32, SliderException> {
        int(&self.global, key::SHORT_LIFE, default::SHORT_LIFE)
    }

    /// Returns the seconds after which failures are forgotten; 0: never.
    pub fn failure_window(&self) -> Result<i64, SliderException> {
        time_range(&self.global, key::WINDOW, [0, default::WINDOW_HOURS, 0, 0])
    }

    /// Returns the size of a component's containers (3.4).
    pub fn size(&self, name: &str, limits: &Limits) -> Result<Resource, SliderException> {
        let keys = self.keys(name);
        let amount = |key: &str, default: i32, max: i64| match keys.get(key).map(String::as_str) {
            Some("max") => Ok(max),
            _ => int(&keys, key, default).map(i64::from),
        };
        let vcores = amount(key::VCORES, default::VCORES, limits.max.vcores())?;
        let asked = amount(key::MEMORY, default::MEMORY_MB, limits.max.memory_mb())?;
        let as_is = keys.get(key::NORMALIZE).is_some_and(|v| !v.eq_ignore_ascii_case("true"));
        if as_is {
            return Ok(Resource::new(asked, vcores));
        }
        let step = limits.min.memory_mb().max(1);
        let rounded = (asked.max(step) + step - 1) / step * step;
        Ok(Resource::new(rounded.min(limits.max.memory_mb()), vcores))
    }
}

/// Returns days, hours, minutes and seconds in seconds, with Slider's own arithmetic: an hour has 24 minutes.
pub fn time_range(keys: &Keys, prefix: &str, defaults: [i64; 4]) -> Result<i64, SliderException> {
    let mut parts = defaults;
    for (part, name) in parts.iter_mut().zip(["days", "hours", "minutes", "seconds"]) {
        let name = format!("{prefix}.{name}");
        *part = i64::from(bounded(keys, &name, i32::try_from(*part).unwrap_or(0), 0)?);
    }
    let [days, hours, minutes, seconds] = parts;
    Ok((days * 24 * 60 + hours * 24 + minutes) * 60 + seconds)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn six_hours_are_144_minutes() {
        assert_eq!(Definition::default().failure_window(), Ok(8640));
    }
}
