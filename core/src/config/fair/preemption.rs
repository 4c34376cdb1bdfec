//! What the FairScheduler's settings say of preemption: yarn-site.xml ([`FairPreemption`]), and the allocation file of
//! each queue ([`QueuePreemption`]) (preemption.md B1).

use crate::api::Refusal;
use crate::config::properties::Key;
use crate::config::values::Conf;
use crate::model::{Millis, SortedMap};

const AM: &str = "yarn.scheduler.fair.am.preemption";

/// Settings of yarn-site.xml, read once.
#[derive(Clone, Debug, PartialEq)]
pub struct FairPreemption {
    /// `yarn.scheduler.fair.preemption`: without it nobody is found starved.
    pub on: bool,
    /// Nobody is found starved before so large a share of the cluster's memory or vcores is used.
    pub utilization_threshold: f32,
    /// Between the warning and the kill.
    pub wait_before_kill_ms: Millis,
    /// After a search for an application: it is not found starved again before.
    pub next_check_ms: Millis,
    /// May containers of ApplicationMasters be taken?
    pub am: bool,
    /// The same of applications in these queues.
    pub am_of: SortedMap<String, bool>,
}

impl FairPreemption {
    /// Reads them; `pause`: of continuous scheduling, where that is on. The node heartbeats that YARN means to wait for
    /// beside are none: their interval is not known yet when it reckons.
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

    /// May ApplicationMasters of applications in this queue be taken?
    pub fn takes_am(&self, queue: &str) -> bool {
        self.am_of.get(queue).copied().unwrap_or(self.am)
    }
}

/// What the allocation file says of a queue; `None` where it says nothing.
#[derive(Clone, Copy, Debug, PartialEq, Default)]
pub struct QueuePreemption {
    /// minSharePreemptionTimeout.
    pub minimum_timeout_ms: Option<Millis>,
    /// fairSharePreemptionTimeout.
    pub fair_timeout_ms: Option<Millis>,
    /// fairSharePreemptionThreshold.
    pub threshold: Option<f32>,
    /// allowPreemptionFrom is there, and false.
    pub protected: bool,
}

/// How long a queue and its applications wait before they count as starved, and for what.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Patience {
    /// Below the minimum share for so long.
    pub minimum_ms: Millis,
    /// Below the fair share for so long.
    pub fair_ms: Millis,
    /// The part of the fair share that is meant.
    pub threshold: f32,
}

/// As long as nothing is said: for ever.
impl Default for Patience {
    fn default() -> Self {
        Patience { minimum_ms: Millis::MAX, fair_ms: Millis::MAX, threshold: 0.5 }
    }
}

impl QueuePreemption {
    /// What holds in the queue: what is not said of it holds as above it.
    pub fn below(&self, above: Patience) -> Patience {
        Patience {
            minimum_ms: self.minimum_timeout_ms.unwrap_or(above.minimum_ms),
            fair_ms: self.fair_timeout_ms.unwrap_or(above.fair_ms),
            threshold: self.threshold.unwrap_or(above.threshold),
        }
    }
}
