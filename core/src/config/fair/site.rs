//! The FairScheduler's settings in yarn-site.xml (FairSchedulerConfiguration; fair-scheduler.md section 3).

use super::preemption::FairPreemption;
use crate::api::{Properties, Refusal};
use crate::config::properties::Key;
use crate::config::resource_text::allocations;
use crate::config::units;
use crate::config::values::{Conf, not_a_number};
use crate::model::{Millis, Resource, ResourceTypes};

#[derive(Clone, Debug, PartialEq)]
pub struct FairConf {
    /// The cluster's resource types.
    pub types: ResourceTypes,
    pub minimum: Resource,
    pub maximum: Resource,
    /// Requests are rounded up to multiples of it; a type with 0 is not rounded.
    pub increment: Resource,
    /// The smallest container for which a node is reserved.
    pub reservation_threshold: Resource,
    /// Whether one offer of a node may allocate several containers.
    pub assign_multiple: bool,
    /// With `assign_multiple`: whether allocation stops when half of the free resources are used.
    pub dynamic_max_assign: bool,
    /// Otherwise: the maximum number of containers; 0 or less: no limit.
    pub max_assign: i32,
    /// The fraction of the nodes that must be offered before a rack is accepted; negative: no delay.
    pub node_threshold: f32,
    /// The further fraction before any place is accepted.
    pub rack_threshold: f32,
    /// Whether a thread offers nodes continuously.
    pub continuous: bool,
    /// The pause of that thread.
    pub continuous_sleep_ms: Millis,
    /// With continuous scheduling: the time before a rack is accepted; negative: no delay.
    pub node_delay_ms: Millis,
    /// The further time before any place is accepted.
    pub rack_delay_ms: Millis,
    /// Whether the weight of an application follows its demand.
    pub size_based_weight: bool,
    /// The time between two updates of demand and shares.
    pub update_interval_ms: Millis,
    /// The fraction of the nodes that one application may reserve.
    pub reservable_nodes: f32,
    /// Without placement rules: whether queues that are not configured may be created.
    pub allow_undeclared: bool,
    /// Without placement rules: whether an application without a queue goes to one with its user's name.
    pub user_as_default: bool,
    /// `yarn.acl.enable`.
    pub acl_enabled: bool,
    pub preemption: FairPreemption,
    /// Whether the scheduler exists only for the converter of its settings. It then has no threads: nothing is ever
    /// updated, so nothing is placed.
    pub migration: bool,
    /// With `migration`, `no-terminal-rule.check`: whether placement rules may be unreachable.
    pub unreached_rules: bool,
}

/// The settings of a resource type that every cluster has.
struct Bounds {
    place: usize,
    name: &'static str,
    smallest: Key<i32>,
    largest: Key<i32>,
    step: Key<i64>,
}

const BOUNDS: [Bounds; 2] = [
    Bounds {
        place: 0,
        name: "memory",
        smallest: Key::site("yarn.scheduler.minimum-allocation-mb"),
        largest: Key::site("yarn.scheduler.maximum-allocation-mb"),
        step: Key::site("yarn.scheduler.increment-allocation-mb"),
    },
    Bounds {
        place: 1,
        name: "vcores",
        smallest: Key::site("yarn.scheduler.minimum-allocation-vcores"),
        largest: Key::site("yarn.scheduler.maximum-allocation-vcores"),
        step: Key::site("yarn.scheduler.increment-allocation-vcores"),
    },
];

impl FairConf {
    /// Reads them. Errors: the ResourceManager does not start, with its message.
    pub fn read(yarn_site: &Properties) -> Result<Self, Refusal> {
        let conf = Conf::layered(yarn_site, &Properties::default());
        let mut increment = Resource::ZERO;
        let bounds = allocations(&conf)?;
        let mut minimum = bounds.minimum;
        for Bounds { place, name: what, smallest: low_key, largest: high_key, step: step_key } in BOUNDS {
            let (low, high) = (conf.get(low_key)?, conf.get(high_key)?);
            let (low_key, high_key) = (low_key.name(), high_key.name());
            if low < 0 || low > high {
                return Err(Refusal::new(format!(
                    "Invalid resource scheduler {what} allocation configuration: {low_key}={low}, {high_key}={high}.  \
                     Both values must be greater than or equal to 0and the maximum allocation value must be greater \
                     than or equal tothe minimum allocation value."
                ))
                .at(conf.wrong_bound(low < 0, &low_key, &high_key)));
            }
            let step = typed_increment(&conf, &bounds.types, place)?;
            let step = step.map_or_else(|| conf.get(step_key), Ok)?;
            let step_key = step_key.name();
            if step <= 0 {
                return Err(Refusal::new(format!(
                    "Invalid resource scheduler {what} allocation configuration: {step_key}={step}. Values must be \
                     greater than 0."
                ))
                .at(&step_key));
            }
            increment[place] = step;
            minimum[place] = minimum[place].max(0);
        }
        for place in 2..bounds.types.len() {
            increment[place] = typed_increment(&conf, &bounds.types, place)?.unwrap_or(0);
        }
        let multiple =
            conf.get(const { Key::<f32>::site("yarn.scheduler.reservation-threshold.increment-multiple") })?;
        let interval = conf.get(const { Key::<i64>::site("yarn.scheduler.fair.update-interval-ms") })?;
        let continuous = conf.get(const { Key::<bool>::site("yarn.scheduler.fair.continuous-scheduling-enabled") })?;
        let pause = conf.get(const { Key::<i64>::site("yarn.scheduler.fair.continuous-scheduling-sleep-ms") })?.max(1);
        let preemption = FairPreemption::read(&conf, continuous.then_some(pause))?;
        let migration = conf.get(const { Key::<bool>::site("yarn.scheduler.fair.migration.mode") })?;
        Ok(FairConf {
            types: bounds.types,
            minimum,
            maximum: bounds.maximum,
            increment,
            reservation_threshold: increment.multiply_round_down(multiple),
            assign_multiple: conf.get(const { Key::<bool>::site("yarn.scheduler.fair.assignmultiple") })?,
            dynamic_max_assign: conf.get(const { Key::<bool>::site("yarn.scheduler.fair.dynamic.max.assign") })?,
            max_assign: conf.get(const { Key::<i32>::site("yarn.scheduler.fair.max.assign") })?,
            node_threshold: conf
                .get(const { Key::<f32>::site("yarn.scheduler.fair.locality.threshold.node") })?
                .min(1.0),
            rack_threshold: conf
                .get(const { Key::<f32>::site("yarn.scheduler.fair.locality.threshold.rack") })?
                .min(1.0),
            continuous,
            continuous_sleep_ms: pause,
            node_delay_ms: conf.get(const { Key::<i64>::site("yarn.scheduler.fair.locality-delay-node-ms") })?,
            rack_delay_ms: conf.get(const { Key::<i64>::site("yarn.scheduler.fair.locality-delay-rack-ms") })?,
            size_based_weight: conf.get(const { Key::<bool>::site("yarn.scheduler.fair.sizebasedweight") })?,
            update_interval_ms: if interval < 0 { 500 } else { interval.max(1) },
            reservable_nodes: conf.get(const { Key::<f32>::site("yarn.scheduler.fair.reservable-nodes") })?,
            allow_undeclared: conf.get(const { Key::<bool>::site("yarn.scheduler.fair.allow-undeclared-pools") })?,
            user_as_default: conf.get(const { Key::<bool>::site("yarn.scheduler.fair.user-as-default-queue") })?,
            acl_enabled: conf.get(const { Key::<bool>::site("yarn.acl.enable") })?,
            preemption,
            migration,
            unreached_rules: migration
                && conf.get(const { Key::<bool>::site("yarn.scheduler.fair.no-terminal-rule.check") })?,
        })
    }
}

impl FairConf {
    /// [`Self::unreached_rules`], for callers without a scheduler.
    pub fn lets_rules_be_unreached(yarn_site: &Properties) -> bool {
        Self::read(yarn_site).is_ok_and(|conf| conf.unreached_rules)
    }

    /// Normalizes a requested size: no less than the minimum, up to a multiple of the step, no more than the maximum
    /// (12.1).
    pub fn normalize(&self, size: Resource, maximum: Resource) -> Resource {
        let mut out = size;
        for i in 0..self.types.len() {
            let (v, step) = (size[i].max(self.minimum[i]), self.increment[i]);
            let v = if step == 0 { v } else { v.saturating_add(step - 1).div_euclid(step).saturating_mul(step) };
            out[i] = v.min(maximum[i]);
        }
        out
    }
}

/// `yarn.resource-types.<name>.increment-allocation`, which takes precedence over the old keys. Errors: an unknown
/// unit.
fn typed_increment(conf: &Conf, types: &ResourceTypes, place: usize) -> Result<Option<i64>, Refusal> {
    let Some(name) = types.names().get(place) else { return Ok(None) };
    let Some(text) = conf.trimmed(&format!("yarn.resource-types.{name}.increment-allocation"))? else {
        return Ok(None);
    };
    let at = text.find(|c: char| c.is_alphabetic()).unwrap_or(text.len());
    let (number, unit) = text.split_at(at);
    let number: i64 = number.trim().parse().map_err(|_| not_a_number(number.trim()))?;
    let own = if place == 0 { "Mi" } else { "" };
    let unit = if unit.is_empty() { own } else { unit };
    units::convert(number, unit, own).map(Some)
}
