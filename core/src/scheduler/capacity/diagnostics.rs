//! Why an ApplicationMaster does not run yet: the figures, and YARN's words for them
//! (CSAMContainerLaunchDiagnosticsConstants, FiCaSchedulerApp.updateAMContainerDiagnostics; capacity-scheduler.md
//! section 12, formats.md 8.1).

use super::books::Books;
use crate::model::java::float_text;
use crate::model::{AppId, NodeId, PartitionId, QueueId};
use crate::scheduler::app::{Active, ActiveStop, AmLimit, AmSkip, AmStatus, Inactive};
use crate::scheduler::{App, Cluster};

impl Books {
    /// An application that waits for its AM's container was looked at: keeps the figures of the moment.
    pub(super) fn note_active(&self, c: &mut Cluster, app: AppId, stop: ActiveStop) {
        self.note_active_in(c, app, c.app(app).queue, stop);
    }

    /// As [`Self::note_active`], with the figures of this leaf.
    pub(super) fn note_active_in(&self, c: &mut Cluster, app: AppId, leaf: QueueId, stop: ActiveStop) {
        let a = c.app(app);
        if !a.waiting_for_am {
            return;
        }
        let p = a.am_partition;
        let part = self.queue(leaf).part(p);
        let total = c.partition_total(p);
        let absolute_used = if total.is_zero() { 0.0 } else { c.calculator.divide(total, &part.used, total) };
        let status = Active {
            stop,
            partition: p,
            partition_total: *total,
            absolute_capacity: part.shares.absolute_capacity,
            absolute_used_capacity: absolute_used,
            absolute_max_capacity: part.shares.absolute_max_capacity,
            guarantee: part.shares.effective_min,
            used: part.used,
            maximum: part.shares.effective_max,
        };
        c.set_am_status(app, AmStatus::Active(Box::new(status)));
    }

    /// A node gave nothing to an application that waits for its AM's container.
    pub(super) fn note_node_passed(&self, c: &mut Cluster, app: AppId, node: NodeId) {
        if !c.app(app).waiting_for_am {
            return;
        }
        let n = c.node(node);
        let (partition, total, free) = (n.partition, n.total, n.free());
        let why = c.app_mut(app).am_skip.take();
        self.note_active(c, app, ActiveStop::Node { why, node, partition, total, free });
    }
}

fn partition_text(c: &Cluster, p: PartitionId) -> &str {
    if p.is_default() { "<DEFAULT_PARTITION>" } else { c.partition_name(p) }
}

/// YARN's words for why an AM does not run yet; `inactive`: what its leaf's latest pass over pending ones came to, if that
/// is what there is to say.
pub fn am_status_text(c: &Cluster, app: &App, inactive: Option<&Inactive>) -> String {
    if let Some(i) = inactive {
        let why = match i.limit {
            AmLimit::EmptyCluster => "Skipping AM assignment as cluster resource is empty. ",
            AmLimit::Queue => "Queue's AM resource limit exceeded. ",
            AmLimit::User => "User's AM resource limit exceeded. ",
        };
        return format!(
            "Application is added to the scheduler and is not yet activated. {why} Details : AM Partition = {}; \
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
        AmStatus::Launched => "AM container is launched, waiting for AM container to Register with RM".into(),
        AmStatus::Active(a) => active_text(c, app, a),
        AmStatus::Assigned => {
            "Scheduler has assigned a container for AM, waiting for AM container to be launched".into()
        }
    }
}

fn active_text(c: &Cluster, app: &App, a: &Active) -> String {
    let why = match &a.stop {
        ActiveStop::None => String::new(),
        ActiveStop::UserLimit { limit, used } => format!(
            "User capacity has reached its maximum limit, user limit is {}, resource used by {} is {}.",
            limit.text(&c.types),
            c.user_name(app.user),
            used.map_or_else(|| "null".to_string(), |used| used.text(&c.types)),
        ),
        ActiveStop::Node { why, node, partition, total, free } => {
            let why = match why {
                None => "",
                Some(AmSkip::IgnoreExclusivity) => "Skipping assigning to Node in Ignore Exclusivity mode. ",
                Some(AmSkip::Blacklisted) => "Skipped scheduling for this Node as its black listed. ",
                Some(AmSkip::Locality) => "Skipping assigning to Node as request locality is not matching. ",
            };
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
