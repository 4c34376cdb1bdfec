//! The policies that run in rounds beside the CapacityScheduler (SchedulingMonitorManager; preemption.md A1). Read only
//! here: at the start, and at each refresh, which starts and stops them.

use crate::api::{Refusal, SettingsRule};
use crate::config::properties::Key;
use crate::config::values::{Conf, trimmed_list};
use crate::model::Millis;

/// The property that enables monitors.
pub const ENABLE: &str = "yarn.resourcemanager.scheduler.monitor.enable";
/// The property that lists their policies.
pub const POLICIES: &str = "yarn.resourcemanager.scheduler.monitor.policies";
const MANAGEMENT: Key<i64> = Key::site("yarn.resourcemanager.monitor.capacity.queue-management.monitoring-interval");

/// Hadoop's own policies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Policy {
    /// ProportionalCapacityPreemptionPolicy.
    Preemption,
    /// QueueManagementDynamicEditPolicy.
    QueueManagement,
    /// AutoCreatedQueueDeletionPolicy.
    QueueDeletion,
    /// QueueConfigurationAutoRefreshPolicy.
    AutoRefresh,
}

impl Policy {
    /// All policies with their classes.
    pub const ALL: [(&'static str, Policy); 4] = [
        (
            "org.apache.hadoop.yarn.server.resourcemanager.monitor.capacity.ProportionalCapacityPreemptionPolicy",
            Policy::Preemption,
        ),
        (
            "org.apache.hadoop.yarn.server.resourcemanager.scheduler.capacity.QueueManagementDynamicEditPolicy",
            Policy::QueueManagement,
        ),
        (
            "org.apache.hadoop.yarn.server.resourcemanager.scheduler.capacity.AutoCreatedQueueDeletionPolicy",
            Policy::QueueDeletion,
        ),
        (
            "org.apache.hadoop.yarn.server.resourcemanager.scheduler.capacity.QueueConfigurationAutoRefreshPolicy",
            Policy::AutoRefresh,
        ),
    ];

    /// Returns the policy of a class.
    pub fn of(class: &str) -> Option<Policy> {
        Policy::ALL.into_iter().find(|(name, _)| *name == class).map(|(_, policy)| policy)
    }
}

/// The configured monitors.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Monitors {
    /// `scheduler.monitor.enable`. Without it every queue counts as one that is not preempted.
    pub on: bool,
    /// The classes in `scheduler.monitor.policies`, by default that of preemption. A refresh to an empty list keeps the
    /// running ones.
    pub listed: Vec<String>,
    /// The interval of QueueManagementDynamicEditPolicy, if it runs.
    pub queue_management_ms: Option<Millis>,
}

impl Monitors {
    /// Reads them as a start does, or as a refresh of `running` does. Errors: an unknown class while monitors are on.
    pub fn read(conf: &Conf, running: Option<&Monitors>) -> Result<Self, Refusal> {
        let mut listed = match conf.text(POLICIES)? {
            Some(text) => trimmed_list(&text),
            None => vec![Policy::ALL[0].0.to_string()],
        };
        let on = conf.get(const { Key::<bool>::site(ENABLE) })?;
        if let Some(running) = running.filter(|m| on && m.on && listed.is_empty()) {
            listed.clone_from(&running.listed);
        }
        let mut out = Monitors { on, listed, queue_management_ms: None };
        if let Some(class) = out.listed.iter().find(|class| out.on && Policy::of(class).is_none()) {
            let words = format!("Failed to find class of specified policy={class}");
            return Err(Refusal::of(SettingsRule::ClassUnknown, words));
        }
        if out.runs(Policy::QueueManagement) {
            // A running policy has read it at its creation.
            let before = running.and_then(|m| m.queue_management_ms);
            let written = || conf.get(MANAGEMENT).ok().filter(|ms| *ms > 0);
            out.queue_management_ms = before.or_else(written).or(Some(MANAGEMENT.default()));
        }
        Ok(out)
    }

    /// Returns whether a policy runs.
    pub fn runs(&self, policy: Policy) -> bool {
        self.on && self.listed.iter().any(|class| Policy::of(class) == Some(policy))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(lines: &[(&str, &str)]) -> Monitors {
        let conf = Conf::new(lines.iter().map(|(k, v)| (k.to_string(), v.to_string())).collect());
        Monitors::read(&conf, None).expect("it is read")
    }

    #[test]
    fn policies_run_where_monitors_are_on_and_name_them() {
        let [(preemption, _), (management, _), ..] = Policy::ALL;
        let of = |enable, policies: &str| {
            let m = read(&[(ENABLE, enable), (POLICIES, policies)]);
            (m.runs(Policy::Preemption), m.queue_management_ms)
        };
        assert!(read(&[(ENABLE, " True ")]).runs(Policy::Preemption), "the default list");
        assert!(!read(&[]).runs(Policy::Preemption));
        assert_eq!(of("true", management), (false, Some(1500)), "only those that are named");
        assert_eq!(of("true", &format!(" {management},\n{preemption} ")), (true, Some(1500)));
        assert_eq!(of("false", preemption), (false, None));
        let short = [(ENABLE, "true"), (POLICIES, "ProportionalCapacityPreemptionPolicy")];
        let conf = |lines: &[(&str, &str)]| lines.iter().map(|(k, v)| (k.to_string(), v.to_string())).collect();
        let refused = Monitors::read(&Conf::new(conf(&short)), None).expect_err("a class has a package");
        assert_eq!(refused.message, "Failed to find class of specified policy=ProportionalCapacityPreemptionPolicy");
        assert!(Monitors::read(&Conf::new(conf(&short[1..])), None).is_ok(), "nobody looks for it");
    }

    #[test]
    fn a_refresh_to_no_policies_at_all_stops_none() {
        let conf = |on: &str, policies: &str| {
            let lines = [(ENABLE, on), (POLICIES, policies)];
            Conf::new(lines.into_iter().map(|(k, v)| (k.to_string(), v.to_string())).collect())
        };
        let [(preemption, _), (management, _), ..] = Policy::ALL;
        let runs = |m: &Monitors| (m.runs(Policy::Preemption), m.queue_management_ms.is_some());
        let running = Monitors::read(&conf("true", preemption), None).expect("it is read");
        let blank = Monitors::read(&conf("true", " "), Some(&running)).expect("it is read");
        assert_eq!(runs(&blank), (true, false));
        assert_eq!(runs(&Monitors::read(&conf("true", management), Some(&blank)).expect("read")), (false, true));
        let off = Monitors::read(&conf("false", " "), Some(&running)).expect("it is read");
        assert_eq!(runs(&off), (false, false), "a switch stops all");
        assert_eq!(runs(&Monitors::read(&conf("true", " "), Some(&off)).expect("read")), (false, false));
        assert_eq!(runs(&Monitors::read(&conf("true", " "), None).expect("read")), (false, false), "at a start");
    }

    #[test]
    fn a_refresh_leaves_the_interval_of_a_policy_that_runs() {
        let conf = |ms: &str| {
            let lines = [(ENABLE, "true"), (POLICIES, Policy::ALL[1].0), (&MANAGEMENT.name(), ms)];
            Conf::new(lines.into_iter().map(|(k, v)| (k.to_string(), v.to_string())).collect())
        };
        let running = Monitors::read(&conf(" 700 "), None).expect("it is read");
        assert_eq!(running.queue_management_ms, Some(700));
        let after = Monitors::read(&conf("900"), Some(&running)).expect("it is read");
        assert_eq!(after.queue_management_ms, Some(700));
        assert_eq!(Monitors::read(&conf("soon"), None).map(|m| m.queue_management_ms), Ok(Some(1500)));
    }
}
