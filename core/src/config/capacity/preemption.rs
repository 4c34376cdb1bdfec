//! Settings of the preemption monitor (ProportionalCapacityPreemptionPolicy, SchedulingMonitorManager; preemption.md
//! A1). The policy reads them at its creation, and again in the first round after a refresh.

use super::CapacityConf;
use crate::api::Refusal;
use crate::config::properties::Key;
use crate::config::values::Conf;
use crate::model::Millis;

/// The prefix of the monitor's settings.
pub const PREFIX: &str = "yarn.resourcemanager.monitor.capacity.preemption.";

const MONITORING_INTERVAL: Key<i64> = Key::site("yarn.resourcemanager.monitor.capacity.preemption.monitoring_interval");
const WAIT_BEFORE_KILL: Key<i64> = Key::site("yarn.resourcemanager.monitor.capacity.preemption.max_wait_before_kill");
/// `total_preemption_per_round`.
pub const PER_ROUND: Key<f32> =
    Key::site("yarn.resourcemanager.monitor.capacity.preemption.total_preemption_per_round");
/// `max_ignored_over_capacity`.
pub const IGNORED_OVER_CAPACITY: Key<f64> =
    Key::site("yarn.resourcemanager.monitor.capacity.preemption.max_ignored_over_capacity");
const NATURAL_TERMINATION: Key<f64> =
    Key::site("yarn.resourcemanager.monitor.capacity.preemption.natural_termination_factor");
const OBSERVE_ONLY: Key<bool> = Key::site("yarn.resourcemanager.monitor.capacity.preemption.observe_only");
const SELECT_RESERVED: Key<bool> =
    Key::site("yarn.resourcemanager.monitor.capacity.preemption.select_based_on_reserved_containers");
const COUNT_RESERVED: Key<bool> =
    Key::site("yarn.resourcemanager.monitor.capacity.preemption.additional_res_balance_based_on_reserved_containers");
const BALANCE: Key<bool> =
    Key::site("yarn.resourcemanager.monitor.capacity.preemption.preemption-to-balance-queue-after-satisfied.enabled");
const BALANCE_WAIT: Key<i64> = Key::site(
    "yarn.resourcemanager.monitor.capacity.preemption.preemption-to-balance-queue-after-satisfied.max-wait-before-kill",
);
const CONSERVATIVE: Key<bool> = Key::site("yarn.resourcemanager.monitor.capacity.preemption.conservative-drf");
const INTRA: Key<bool> = Key::site("yarn.resourcemanager.monitor.capacity.preemption.intra-queue-preemption.enabled");
const INTRA_THRESHOLD: Key<f32> =
    Key::site("yarn.resourcemanager.monitor.capacity.preemption.intra-queue-preemption.minimum-threshold");
const INTRA_LIMIT: Key<f32> =
    Key::site("yarn.resourcemanager.monitor.capacity.preemption.intra-queue-preemption.max-allowable-limit");
const INTRA_CONSERVATIVE: Key<bool> =
    Key::site("yarn.resourcemanager.monitor.capacity.preemption.intra-queue-preemption.conservative-drf");
const UNDERUTILIZED: Key<bool> =
    Key::scheduler("ordering-policy.priority-utilization.underutilized-preemption.enabled");
const RESERVATION_DELAY: Key<i64> =
    Key::scheduler("ordering-policy.priority-utilization.underutilized-preemption.reserved-container-delay-ms");
const MOVE_RESERVATION: Key<bool> =
    Key::scheduler("ordering-policy.priority-utilization.underutilized-preemption.allow-move-reservation");

/// The order in which applications of one queue preempt from each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum IntraQueueOrder {
    /// Applications of users above their limits give, whatever their priority.
    UserLimitFirst,
    /// Applications of lower priority give, whoever their users are.
    PriorityFirst,
}

/// Settings of the preemption monitor.
#[derive(Clone, Debug, PartialEq)]
pub struct PreemptionConf {
    /// `observe_only`: everything is computed, but nothing is marked or killed.
    pub observe_only: bool,
    /// `monitoring_interval`: the time from round to round.
    pub monitoring_interval_ms: Millis,
    /// `max_wait_before_kill`: the time from a mark to the kill.
    pub max_wait_before_kill_ms: Millis,
    /// `total_preemption_per_round`: the fraction of the cluster that one round may select.
    pub total_preemption_per_round: f32,
    /// `max_ignored_over_capacity`: the fraction above its guarantee up to which a queue gives nothing.
    pub max_ignored_over_capacity: f64,
    /// `natural_termination_factor`: the fraction of what is owed that one round takes.
    pub natural_termination_factor: f64,
    /// `select_based_on_reserved_containers`.
    pub select_reserved: bool,
    /// `additional_res_balance_based_on_reserved_containers`: whether reserved resources count as wanted.
    pub count_reserved_as_wanted: bool,
    /// `preemption-to-balance-queue-after-satisfied.enabled`.
    pub balance: bool,
    /// `preemption-to-balance-queue-after-satisfied.max-wait-before-kill`.
    pub balance_max_wait_ms: Millis,
    /// `conservative-drf`: nothing more is taken once one wanted type is used up.
    pub conservative_drf: bool,
    /// `intra-queue-preemption.enabled`.
    pub intra_queue: bool,
    /// `intra-queue-preemption.minimum-threshold`: the fraction of its guarantee that a queue must use.
    pub intra_minimum_threshold: f32,
    /// `intra-queue-preemption.max-allowable-limit`: the fraction of its guarantee that may be taken in one round.
    pub intra_max_allowable_limit: f32,
    /// `intra-queue-preemption.preemption-order-policy`.
    pub intra_order: IntraQueueOrder,
    /// `intra-queue-preemption.conservative-drf`.
    pub intra_conservative_drf: bool,
    /// `underutilized-preemption.enabled`: whether queues of higher priority may preempt from lower ones for
    /// reservations.
    pub priority_queues: bool,
    /// `underutilized-preemption.reserved-container-delay-ms`: the age from which such a reservation counts.
    pub priority_reservation_delay_ms: Millis,
    /// `underutilized-preemption.allow-move-reservation`.
    pub allow_move_reservation: bool,
}

impl Default for PreemptionConf {
    fn default() -> Self {
        PreemptionConf {
            observe_only: OBSERVE_ONLY.default(),
            monitoring_interval_ms: MONITORING_INTERVAL.default(),
            max_wait_before_kill_ms: WAIT_BEFORE_KILL.default(),
            total_preemption_per_round: PER_ROUND.default(),
            max_ignored_over_capacity: IGNORED_OVER_CAPACITY.default(),
            natural_termination_factor: NATURAL_TERMINATION.default(),
            select_reserved: SELECT_RESERVED.default(),
            count_reserved_as_wanted: COUNT_RESERVED.default(),
            balance: BALANCE.default(),
            balance_max_wait_ms: BALANCE_WAIT.default(),
            conservative_drf: CONSERVATIVE.default(),
            intra_queue: INTRA.default(),
            intra_minimum_threshold: INTRA_THRESHOLD.default(),
            intra_max_allowable_limit: INTRA_LIMIT.default(),
            intra_order: IntraQueueOrder::UserLimitFirst,
            intra_conservative_drf: INTRA_CONSERVATIVE.default(),
            priority_queues: UNDERUTILIZED.default(),
            priority_reservation_delay_ms: RESERVATION_DELAY.default(),
            allow_move_reservation: MOVE_RESERVATION.default(),
        }
    }
}

impl PreemptionConf {
    /// Rereads them, in YARN's order. Errors: a value that cannot be parsed; those before it are new, the others stay.
    pub fn reread(&mut self, conf: &Conf) -> Result<(), Refusal> {
        self.max_ignored_over_capacity = conf.get(IGNORED_OVER_CAPACITY)?;
        self.natural_termination_factor = conf.get(NATURAL_TERMINATION)?;
        self.max_wait_before_kill_ms = conf.get(WAIT_BEFORE_KILL)?;
        self.monitoring_interval_ms = conf.get(MONITORING_INTERVAL)?;
        self.total_preemption_per_round = conf.get(PER_ROUND)?;
        self.observe_only = conf.get(OBSERVE_ONLY)?;
        self.intra_max_allowable_limit = conf.get(INTRA_LIMIT)?;
        self.intra_minimum_threshold = conf.get(INTRA_THRESHOLD)?;
        self.intra_order = order(conf, &format!("{PREFIX}intra-queue-preemption.preemption-order-policy"))?;
        self.conservative_drf = conf.get(CONSERVATIVE)?;
        self.intra_conservative_drf = conf.get(INTRA_CONSERVATIVE)?;
        self.priority_queues = conf.get(UNDERUTILIZED)?;
        self.priority_reservation_delay_ms = conf.get(RESERVATION_DELAY)?;
        self.allow_move_reservation = conf.get(MOVE_RESERVATION)?;
        self.select_reserved = conf.get(SELECT_RESERVED)?;
        self.count_reserved_as_wanted = conf.get(COUNT_RESERVED)?;
        self.balance = conf.get(BALANCE)?;
        self.balance_max_wait_ms = conf.get(BALANCE_WAIT)?;
        self.intra_queue = conf.get(INTRA)?;
        Ok(())
    }

    /// Reads them as a ResourceManager that starts with these properties does.
    pub fn read(conf: &Conf) -> Result<Self, Refusal> {
        let mut out = PreemptionConf::default();
        out.reread(conf).map(|()| out)
    }
}

fn order(conf: &Conf, key: &str) -> Result<IntraQueueOrder, Refusal> {
    let text = conf.trimmed(key)?.unwrap_or_default().to_uppercase();
    match text.as_str() {
        "" | "USERLIMIT_FIRST" => Ok(IntraQueueOrder::UserLimitFirst),
        "PRIORITY_FIRST" => Ok(IntraQueueOrder::PriorityFirst),
        other => Err(Refusal::new(format!(
            "No enum constant org.apache.hadoop.yarn.server.resourcemanager.monitor.capacity.\
             ProportionalCapacityPreemptionPolicy.IntraQueuePreemptionOrderPolicy.{other}"
        ))),
    }
}

impl CapacityConf {
    /// Rereads the monitor's settings into `monitor`. Errors: like [`PreemptionConf::reread`].
    pub fn reread_preemption(&self, monitor: &mut PreemptionConf) -> Result<(), Refusal> {
        monitor.reread(&self.conf)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn conf(lines: &[(&str, &str)]) -> Conf {
        Conf::new(lines.iter().map(|(k, v)| (format!("{PREFIX}{k}"), v.to_string())).collect())
    }

    #[test]
    fn what_cannot_be_read_leaves_the_settings_after_it_as_they_were() {
        let mut monitor = PreemptionConf::read(&conf(&[("observe_only", "true")])).unwrap();
        let changed = conf(&[("max_ignored_over_capacity", "0.3d"), ("max_wait_before_kill", "15s")]);
        assert_eq!(monitor.reread(&changed).unwrap_err().message, "For input string: \"15s\"");
        assert_eq!((monitor.max_ignored_over_capacity, monitor.observe_only), (0.3, true));
        assert!(PreemptionConf::read(&conf(&[("intra-queue-preemption.preemption-order-policy", "x")])).is_err());
        let order = conf(&[("intra-queue-preemption.preemption-order-policy", "Priority_First")]);
        assert_eq!(PreemptionConf::read(&order).unwrap().intra_order, IntraQueueOrder::PriorityFirst);
    }
}
