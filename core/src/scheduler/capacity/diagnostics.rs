//! The reason why an ApplicationMaster does not run yet: the figures, and YARN's words for them
//! (CSAMContainerLaunchDiagnosticsConstants, FiCaSchedulerApp.updateAMContainerDiagnostics; capacity-scheduler.md
//! section 12, formats.md 8.1).

use super::books::Accounting;
use super::offer::Terms;
use crate::check::{Amounts, Check, Failure};
use crate::model::java::float_text;
use crate::model::{AppId, DEFAULT_PARTITION, PartitionId, QueueId, Resource};
use crate::scheduler::app::{Active, AmStatus, Inactive, PassedNode};
use crate::scheduler::{App, Cluster};

impl Accounting {
    /// Records a leaf's figures for an application that has become active and waits for its AM's container.
    pub(super) fn note_active_in(&self, c: &mut Cluster, app: AppId, leaf: QueueId) {
        if c.app(app).waiting_for_am {
            let status = self.active(c, app, leaf);
            c.set_am_status(app, AmStatus::Active(Box::new(status)));
        }
    }

    /// Records that the user's limit stopped an application that waits for its AM's container; `used`: the user's
    /// usage, `None` if the leaf has dropped its record of the user.
    #[cold]
    pub(super) fn note_user_limit(&self, c: &mut Cluster, app: AppId, used: Option<Resource>, limit: Resource) {
        if c.app(app).waiting_for_am {
            let amounts = Amounts::within(used.unwrap_or_default(), limit);
            let stopped = Some(Failure::amounts(Check::UserLimit, amounts));
            let status = Active { stopped, user_unknown: used.is_none(), ..self.active(c, app, c.app(app).queue) };
            c.set_am_status(app, AmStatus::Active(Box::new(status)));
        }
    }

    /// Returns the current figures.
    fn active(&self, c: &Cluster, app: AppId, leaf: QueueId) -> Active {
        let a = c.app(app);
        let p = a.am_partition;
        let part = self.queue(leaf).part(p);
        let total = c.partition_total(p);
        let absolute_used = if total.is_zero() { 0.0 } else { c.calculator.divide(total, &part.used, total) };
        Active {
            stopped: None,
            passed_over: None,
            user_unknown: false,
            partition: p,
            partition_total: *total,
            absolute_capacity: part.shares.absolute_capacity,
            absolute_used_capacity: absolute_used,
            absolute_max_capacity: part.shares.absolute_max_capacity,
            guarantee: part.shares.effective_min,
            used: part.used,
            maximum: part.shares.effective_max,
        }
    }

    /// Records that a node gave nothing to an application that waits for its AM's container.
    #[cold]
    pub(super) fn note_node_passed(&self, c: &mut Cluster, app: AppId, terms: &Terms) {
        if !c.app(app).waiting_for_am {
            return;
        }
        let n = c.node(terms.node);
        let partition = terms.own_partition(c);
        let passed_over = Some(PassedNode { node: terms.node, partition, total: n.total, free: n.free() });
        let stopped = c.app_mut(app).am_skip.take().map(Failure::of);
        let status = Active { stopped, passed_over, ..self.active(c, app, c.app(app).queue) };
        c.set_am_status(app, AmStatus::Active(Box::new(status)));
    }
}

fn partition_text(c: &Cluster, p: PartitionId) -> &str {
    if p.is_default() { DEFAULT_PARTITION } else { c.partition_name(p) }
}

/// Returns YARN's words for why an AM does not run yet; `inactive`: the result of its leaf's latest pass over the
/// pending applications, if that is the reason.
pub fn am_status_text(c: &Cluster, app: &App, inactive: Option<&Inactive>) -> String {
    if let Some(i) = inactive {
        let why = i.check.row().yarn;
        return format!(
            "Application is added to the scheduler and is not yet activated. {why}  Details : AM Partition = {}; \
             AM Resource Request = {}; Queue Resource Limit for AM = {}; User AM Resource Limit of the queue = \
             {}; Queue AM Resource Usage = {};",
            partition_text(c, i.partition),
            i.am_size.text(&c.types),
            i.queue_limit.text(&c.types),
            i.user_limit.text(&c.types),
            i.queue_used.text(&c.types),
        );
    }
    match &app.am_status {
        AmStatus::Silent | AmStatus::Fair(_) | AmStatus::Inactive(_) => String::new(),
        AmStatus::Before(words) => words.to_string(),
        AmStatus::Launched => "AM container is launched, waiting for AM container to Register with RM".into(),
        AmStatus::Active(a) => active_text(c, app, a),
        AmStatus::Assigned => {
            "Scheduler has assigned a container for AM, waiting for AM container to be launched".into()
        }
    }
}

/// YARN's words for the checks that skip a node for an AM (CSAMContainerLaunchDiagnosticsConstants).
const PASSED_OVER: [(Check, &str); 3] = [
    (Check::AmExclusivity, "Skipping assigning to Node in Ignore Exclusivity mode. "),
    (Check::Blacklist, "Skipped scheduling for this Node as its black listed. "),
    (Check::LocalityDelay, "Skipping assigning to Node as request locality is not matching. "),
];

fn passed_over_text(check: Check) -> &'static str {
    PASSED_OVER.iter().find(|(known, _)| *known == check).map_or("", |(_, words)| words)
}

fn active_text(c: &Cluster, app: &App, a: &Active) -> String {
    let why = match (&a.passed_over, &a.stopped) {
        (Some(PassedNode { node, partition, total, free }), stopped) => {
            let why = stopped.as_ref().map_or("", |why| passed_over_text(why.check));
            let node = c.node(*node);
            format!(
                "{why} Last Node which was processed for the application : {}:{} ( Partition : [{}], Total resource \
                 : {}, Available resource : {} ).",
                node.host,
                node.port,
                c.partition_name(*partition),
                total.text(&c.types),
                free.text(&c.types),
            )
        }
        (None, Some(Failure { figures, .. })) => {
            let amounts = figures.as_amounts().filter(|_| !a.user_unknown);
            let limit = figures.as_amounts().map_or(Resource::ZERO, |amounts| amounts.limit);
            format!(
                "User capacity has reached its maximum limit, user limit is {}, resource used by {} is {}.",
                limit.text(&c.types),
                c.user_name(app.user),
                amounts.map_or_else(|| "null".to_string(), |amounts| amounts.used().text(&c.types)),
            )
        }
        (None, None) => String::new(),
    };
    format!(
        "Application is Activated, waiting for resources to be assigned for AM. {why} Details : AM Partition = {} ; \
         Partition Resource = {} ; Queue's Absolute capacity = {} % ; Queue's Absolute used capacity = {} % ; \
         Queue's Absolute max capacity = {} % ; Queue's capacity (absolute resource) = {} ; Queue's used capacity \
         (absolute resource) = {} ; Queue's max capacity (absolute resource) = {} ;",
        partition_text(c, a.partition),
        a.partition_total.text(&c.types),
        float_text(a.absolute_capacity * 100.0),
        float_text(a.absolute_used_capacity * 100.0),
        float_text(a.absolute_max_capacity * 100.0),
        a.guarantee.text(&c.types),
        a.used.text(&c.types),
        a.maximum.text(&c.types),
    )
}
