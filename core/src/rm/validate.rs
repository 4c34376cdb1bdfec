//! What a request may ask for (SchedulerUtils.validateResourceRequest; capacity-scheduler.md 1.1, 11.1).

use super::manager::ResourceManager;
use super::texts;
use crate::api::{AskRow, Refusal, Refused, TooLarge};
use crate::model::{AppId, PartitionId, QueueId, Resource, java};
use crate::scheduler::{Cluster, Scheduler};

/// By what requests are checked.
#[derive(Clone, Copy)]
pub(super) struct Checks<'a> {
    cluster: &'a Cluster,
    scheduler: &'a Scheduler,
    /// Is `yarn.node-labels.enabled` true?
    labels: bool,
}

impl ResourceManager {
    pub(super) fn checks(&self) -> Checks<'_> {
        Checks { cluster: &self.cluster, scheduler: &self.scheduler, labels: self.site.node_labels }
    }
}

impl Checks<'_> {
    /// May a container of this size (an ApplicationMaster's own?) be asked for in a queue?
    pub(super) fn size(&self, queue: Option<QueueId>, size: Resource, am: bool) -> Result<(), Refusal> {
        let c = self.cluster;
        let maximum = self.scheduler.maximum(c, queue);
        for (i, name) in c.types.names().iter().enumerate() {
            let start = "Invalid resource request! Cannot allocate containers as requested resource is";
            let asked = size.text(&c.types);
            if size[i] < 0 {
                let words =
                    format!("{start} less than 0! Requested resource type=[{name}], Requested resource={asked}");
                return Err(Refusal::of(Refused::Negative(i), words));
            }
            if size[i] > maximum[i] {
                let words = format!(
                    "{start} greater than maximum allowed allocation. Requested resource type=[{name}], Requested \
                     resource={asked}, maximum allowed allocation={}, please note that maximum allowed allocation is \
                     calculated by scheduler based on maximum resource of registered NodeManagers, which might be \
                     less than configured maximum allocation={}",
                    maximum.text(&c.types),
                    c.maximum.text(&c.types)
                );
                let kind = TooLarge {
                    am,
                    kind: i,
                    asked: size,
                    maximum,
                    configured: c.maximum,
                    largest_node: (c.node_count > 0).then_some(c.largest_node),
                    of_queue: queue.and_then(|q| {
                        let own = self.scheduler.own_maximum(q)?;
                        Some((self.scheduler.queue_path(q).to_string(), own))
                    }),
                };
                return Err(Refusal::of(Refused::TooLarge(Box::new(kind)), words));
            }
        }
        Ok(())
    }

    /// The partition of an ANY request: its own label, else the application's, else the queue's default.
    pub(super) fn label(&self, queue: Option<QueueId>, label: &str) -> Result<PartitionId, Refusal> {
        let label = label.trim();
        if label.is_empty() {
            return Ok(PartitionId::DEFAULT);
        }
        if !self.labels {
            return Err(Refusal::of(
                Refused::LabelsOff { label: label.to_string() },
                "Invalid resource request, node label not enabled but request contains label expression",
            ));
        }
        if let (Some(id), Some(scheduler)) = (queue, self.scheduler.capacity()) {
            let q = scheduler.queue(id);
            if label.contains("&&") {
                let words = format!(
                    "Invalid resource request, queue={} specified more than one node label in a node label \
                     expression, node label expression = {label}",
                    q.name()
                );
                return Err(Refusal::of(Refused::SeveralLabels { label: label.to_string() }, words));
            }
            if !q.conf.access.has(label) {
                let labels: Vec<&str> = q.conf.access.labels.iter().map(String::as_str).collect();
                let words = format!(
                    "Invalid resource request, queue={} doesn't have permission to access all labels in resource \
                     request. labelExpression of resource request={label}. Queue labels={}",
                    q.name(),
                    java::set_walk(&labels).join(",")
                );
                let kind = Refused::LabelAccess {
                    queue: q.path.clone(),
                    label: label.to_string(),
                    open: q.conf.access.labels.to_vec(),
                };
                return Err(Refusal::of(kind, words));
            }
        }
        self.cluster.partition(label).ok_or_else(|| {
            let words = format!("Invalid label resource request, cluster do not contain , label= {label}");
            Refusal::of(Refused::LabelUnknown { label: label.to_string() }, words)
        })
    }

    /// Under the FairScheduler nothing may be wanted of a type of which the queue may have nothing. Errors: some row does.
    pub(super) fn types(&self, app: AppId, queue: QueueId, asks: &[AskRow]) -> Result<(), Refusal> {
        let Some(scheduler) = self.scheduler.fair() else { return Ok(()) };
        let (mut types, mut refused) = (Vec::new(), Vec::new());
        for (which, words) in asks.iter().filter_map(|ask| scheduler.forbidden_types(self.cluster, queue, ask, "")) {
            types.extend(which.into_iter().filter(|i| !types.contains(i)).collect::<Vec<_>>());
            refused.push(words);
        }
        if refused.is_empty() {
            return Ok(());
        }
        let path = self.scheduler.queue_path(queue);
        let words = format!(
            "Resource request is invalid for application {} because queue {} has 0 amount of resource for a resource \
             type! Validation result: [{}]",
            texts::application(app),
            path,
            refused.join(", ")
        );
        Err(Refusal::of(Refused::NothingOfType { queue: path.to_string(), types }, words))
    }

    /// The partition that a row is for. Errors: it may not be.
    pub(super) fn partition_of(
        &self,
        queue: QueueId,
        own: Option<PartitionId>,
        ask: &AskRow,
    ) -> Result<PartitionId, Refusal> {
        // The other schedulers know no labels.
        let Some(scheduler) = self.scheduler.capacity() else { return Ok(PartitionId::DEFAULT) };
        if ask.place == "*" {
            let default = &scheduler.queue(queue).conf.default_label;
            let own = own.map(|p| self.cluster.partition_name(p).to_string());
            let label = ask.label.clone().or(own).or_else(|| default.clone()).unwrap_or_default();
            return self.label(Some(queue), &label);
        }
        if ask.label.as_deref().is_some_and(|l| !l.trim().is_empty()) {
            let words = format!(
                "Invalid resource request, queue={} specified node label expression in a resource request has \
                 resource name = {}",
                scheduler.queue(queue).name(),
                ask.place
            );
            return Err(Refusal::of(Refused::LabelOnPlace { place: ask.place.clone() }, words));
        }
        Ok(PartitionId::DEFAULT)
    }
}
