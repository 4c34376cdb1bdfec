//! The FairScheduler's preemption settings: those of yarn-site.xml ([`FairPreemption`]), and the allocation file's for
//! each queue ([`QueuePreemption`]) (preemption.md B1).

use crate::api::Refusal;
use crate::config::properties::Key;
use crate::config::values::Conf;
use crate::model::{Millis, SortedMap};

const AM: &str = "yarn.scheduler.fair.am.preemption";

/// Settings of yarn-site.xml, read once.
#[derive(Clone, Debug, PartialEq)]
pub struct FairPreemption {
    /// `yarn.scheduler.fair.preemption`: without it no application is starved.
    pub on: bool,
    /// The fraction of the cluster's memory or vcores that must be used before any application counts as starved.
    pub utilization_threshold: f32,
    /// The time between the warning and the kill.
    pub wait_before_kill_ms: Millis,
    /// The time after a search during which the application is not found starved again.
    pub next_check_ms: Millis,
    /// Whether ApplicationMasters may be preempted.
    pub am: bool,
    /// Overrides of `am` for applications in these queues.
    pub am_of: SortedMap<String, bool>,
}

impl FairPreemption {
    /// Reads them; `pause`: that of continuous scheduling, if it is on. The node heartbeats for which YARN means to
    /// wait are missing: it computes the time before their interval is known.
    pub(super) fn read(conf: &Conf, pause: Option<Millis>) -> Result<Self, Refusal> {
        let kill = Millis::from(conf.get(const { Key::<i32>::site("yarn.scheduler.fair.waitTimeBeforeKill") })?).max(0);
        let check = conf.get(const { Key::<i64>::site("yarn.scheduler.fair.waitTimeBeforeNextStarvationCheck") })?;
        let offers = pause.map_or(0, |ms| ms.saturating_mul(10));
        let am = conf.boolean(AM, true)?;
        let mut am_of = SortedMap::default();
        for key in conf.map().keys() {
            if let Some(queue) = key.strip_prefix(AM).and_then(|rest| rest.strip_prefix('.')) {
                am_of.insert(queue.to_string(), conf.boolean(key, am)?);
            }
        }
        Ok(FairPreemption {
            on: conf.get(const { Key::<bool>::site("yarn.scheduler.fair.preemption") })?,
            utilization_threshold: conf
                .get(const { Key::<f32>::site("yarn.scheduler.fair.preemption.cluster-utilization-threshold") })?,
            wait_before_kill_ms: kill,
            next_check_ms: kill.saturating_add(offers).saturating_add(check),
            am,
            am_of,
        })
    }

    /// Returns whether ApplicationMasters of applications in this queue may be preempted.
    pub fn takes_am(&self, queue: &str) -> bool {
        self.am_of.get(queue).copied().unwrap_or(self.am)
    }
}

/// A queue's settings in the allocation file; `None` if not set.
#[derive(Clone, Copy, Debug, PartialEq, Default)]
pub struct QueuePreemption {
    /// minSharePreemptionTimeout.
    pub minimum_timeout_ms: Option<Millis>,
    /// fairSharePreemptionTimeout.
    pub fair_timeout_ms: Option<Millis>,
    /// fairSharePreemptionThreshold.
    pub threshold: Option<f32>,
    /// Whether allowPreemptionFrom is set to false.
    pub protected: bool,
}

/// How long a queue and its applications wait before they count as starved, and for which share.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Patience {
    /// The timeout below the minimum share.
    pub minimum_ms: Millis,
    /// The timeout below the fair share.
    pub fair_ms: Millis,
    /// The fraction of the fair share that counts.
    pub threshold: f32,
}

/// The default: no timeout.
impl Default for Patience {
    fn default() -> Self {
        Patience { minimum_ms: Millis::MAX, fair_ms: Millis::MAX, threshold: 0.5 }
    }
}

impl QueuePreemption {
    /// The settings that apply in the queue: those that it does not set come from its parent.
    pub fn below(&self, above: Patience) -> Patience {
        Patience {
            minimum_ms: self.minimum_timeout_ms.unwrap_or(above.minimum_ms),
            fair_ms: self.fair_timeout_ms.unwrap_or(above.fair_ms),
            threshold: self.threshold.unwrap_or(above.threshold),
        }
    }
}
