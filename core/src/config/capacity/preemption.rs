//! Settings of the preemption monitor (ProportionalCapacityPreemptionPolicy, SchedulingMonitorManager; preemption.md
//! A1). The policy reads them when it is made, and again in the first round after a refresh.

use super::CapacityConf;
use crate::api::Refusal;
use crate::config::values::{Conf, parse_double};
use crate::model::Millis;

/// Of the monitor's settings.
pub const PREFIX: &str = "yarn.resourcemanager.monitor.capacity.preemption.";
const UNDERUTILIZED: &str = "yarn.scheduler.capacity.ordering-policy.priority-utilization.underutilized-preemption.";

/// By what the applications of one queue are ordered when they take from each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum IntraQueueOrder {
    /// Who is above its user's limit gives, whatever its priority.
    UserLimitFirst,
    /// Who has a lower priority gives, whoever its user is.
    PriorityFirst,
}

/// Settings of the preemption monitor.
#[derive(Clone, Debug, PartialEq)]
pub struct PreemptionConf {
    /// `observe_only`: everything is worked out, nothing is marked or killed.
    pub observe_only: bool,
    /// `monitoring_interval`: from round to round.
    pub monitoring_interval_ms: Millis,
    /// `max_wait_before_kill`: from a mark to the kill.
    pub max_wait_before_kill_ms: Millis,
    /// `total_preemption_per_round`: part of the cluster that one round may choose.
    pub total_preemption_per_round: f32,
    /// `max_ignored_over_capacity`: a queue gives nothing up to its guarantee and so much of it more.
    pub max_ignored_over_capacity: f64,
    /// `natural_termination_factor`: part of what is owed that one round takes.
    pub natural_termination_factor: f64,
    /// `select_based_on_reserved_containers`.
    pub select_reserved: bool,
    /// `additional_res_balance_based_on_reserved_containers`: does what is reserved count as wanted?
    pub count_reserved_as_wanted: bool,
    /// `preemption-to-balance-queue-after-satisfied.enabled`.
    pub balance: bool,
    /// `preemption-to-balance-queue-after-satisfied.max-wait-before-kill`.
    pub balance_max_wait_ms: Millis,
    /// `conservative-drf`: nothing is taken any more once one wanted type is used up.
    pub conservative_drf: bool,
    /// `intra-queue-preemption.enabled`.
    pub intra_queue: bool,
    /// `intra-queue-preemption.minimum-threshold`: part of its guarantee that a queue must use.
    pub intra_minimum_threshold: f32,
    /// `intra-queue-preemption.max-allowable-limit`: part of its guarantee that may be taken in one round.
    pub intra_max_allowable_limit: f32,
    /// `intra-queue-preemption.preemption-order-policy`.
    pub intra_order: IntraQueueOrder,
    /// `intra-queue-preemption.conservative-drf`.
    pub intra_conservative_drf: bool,
    /// `underutilized-preemption.enabled`: may queues of higher priority take from those of lower for reservations?
    pub priority_queues: bool,
    /// `underutilized-preemption.reserved-container-delay-ms`: age that such a reservation needs.
    pub priority_reservation_delay_ms: Millis,
    /// `underutilized-preemption.allow-move-reservation`.
    pub allow_move_reservation: bool,
}

impl Default for PreemptionConf {
    fn default() -> Self {
        PreemptionConf {
            observe_only: false,
            monitoring_interval_ms: 3000,
            max_wait_before_kill_ms: 15_000,
            total_preemption_per_round: 0.1,
            max_ignored_over_capacity: 0.1,
            natural_termination_factor: 0.2,
            select_reserved: false,
            count_reserved_as_wanted: false,
            balance: false,
            balance_max_wait_ms: 300_000,
            conservative_drf: false,
            intra_queue: false,
            intra_minimum_threshold: 0.5,
            intra_max_allowable_limit: 0.2,
            intra_order: IntraQueueOrder::UserLimitFirst,
            intra_conservative_drf: true,
            priority_queues: false,
            priority_reservation_delay_ms: 60_000,
            allow_move_reservation: false,
        }
    }
}

impl PreemptionConf {
    /// Reads them anew, in YARN's order. Errors: a value that cannot be read; those before it are new, the others stay.
    pub fn reread(&mut self, conf: &Conf) -> Result<(), Refusal> {
        let was = PreemptionConf::default();
        let key = |name: &str| format!("{PREFIX}{name}");
        let flag = |name: &str, default| conf.boolean(&key(name), default);
        self.max_ignored_over_capacity =
            double(conf, &key("max_ignored_over_capacity"), was.max_ignored_over_capacity)?;
        self.natural_termination_factor =
            double(conf, &key("natural_termination_factor"), was.natural_termination_factor)?;
        self.max_wait_before_kill_ms = conf.long(&key("max_wait_before_kill"), was.max_wait_before_kill_ms)?;
        self.monitoring_interval_ms = conf.long(&key("monitoring_interval"), was.monitoring_interval_ms)?;
        self.total_preemption_per_round =
            conf.float(&key("total_preemption_per_round"), was.total_preemption_per_round)?;
        self.observe_only = flag("observe_only", was.observe_only)?;
        self.intra_max_allowable_limit =
            conf.float(&key("intra-queue-preemption.max-allowable-limit"), was.intra_max_allowable_limit)?;
        self.intra_minimum_threshold =
            conf.float(&key("intra-queue-preemption.minimum-threshold"), was.intra_minimum_threshold)?;
        self.intra_order = order(conf, &key("intra-queue-preemption.preemption-order-policy"))?;
        self.conservative_drf = flag("conservative-drf", was.conservative_drf)?;
        self.intra_conservative_drf = flag("intra-queue-preemption.conservative-drf", was.intra_conservative_drf)?;
        let of_priorities = |name: &str| conf.boolean(&format!("{UNDERUTILIZED}{name}"), false);
        self.priority_queues = of_priorities("enabled")?;
        self.priority_reservation_delay_ms =
            conf.long(&format!("{UNDERUTILIZED}reserved-container-delay-ms"), was.priority_reservation_delay_ms)?;
        self.allow_move_reservation = of_priorities("allow-move-reservation")?;
        self.select_reserved = flag("select_based_on_reserved_containers", was.select_reserved)?;
        self.count_reserved_as_wanted =
            flag("additional_res_balance_based_on_reserved_containers", was.count_reserved_as_wanted)?;
        self.balance = flag("preemption-to-balance-queue-after-satisfied.enabled", was.balance)?;
        self.balance_max_wait_ms = conf
            .long(&key("preemption-to-balance-queue-after-satisfied.max-wait-before-kill"), was.balance_max_wait_ms)?;
        self.intra_queue = flag("intra-queue-preemption.enabled", was.intra_queue)?;
        Ok(())
    }

    /// As a ResourceManager that starts with these properties reads them.
    pub fn read(conf: &Conf) -> Result<Self, Refusal> {
        let mut out = PreemptionConf::default();
        out.reread(conf).map(|()| out)
    }
}

/// `getDouble`.
fn double(conf: &Conf, key: &str, default: f64) -> Result<f64, Refusal> {
    let Some(text) = conf.trimmed(key)? else { return Ok(default) };
    parse_double(&text)
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
    /// The monitor's settings are read into `monitor`. Errors: as [`PreemptionConf::reread`].
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
