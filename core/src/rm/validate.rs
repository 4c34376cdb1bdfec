//! Checks of requests (SchedulerUtils.normalizeAndValidateRequest; capacity-scheduler.md 1.1, 11.1), and of a
//! submission before it has a queue (ClientRMService.checkTags).

use super::manager::ResourceManager;
use super::texts;
use crate::api::{AskRow, Refusal, RefusalRule, TooLarge};
use crate::config::yarn_site::YarnSite;
use crate::constraint::order::set_order;
use crate::model::{AppId, PartitionId, QueueId, Resource, java};
use crate::scheduler::{Cluster, Scheduler};

/// What requests are checked against.
#[derive(Clone, Copy)]
pub(super) struct Checks<'a> {
    cluster: &'a Cluster,
    scheduler: &'a Scheduler,
    site: &'a YarnSite,
}

impl ResourceManager {
    pub(super) fn checks(&self) -> Checks<'_> {
        Checks { cluster: &self.cluster, scheduler: &self.scheduler, site: &self.site }
    }
}

/// Checks the tags of a submission (ClientRMService.checkTags, the first check of all). Errors: too many, too long, or
/// characters other than printable ASCII.
pub(super) fn tags(site: &YarnSite, tags: &[String]) -> Result<(), Refusal> {
    let refused = |kind, words: String| Err(Refusal::of(kind, format!("java.lang.IllegalArgumentException: {words}")));
    let tags = set_order(tags);
    if tags.len() as i64 > i64::from(site.most_tags) {
        let most = site.most_tags;
        let words = format!("Too many applicationTags, a maximum of only {most} are allowed!");
        return refused(RefusalRule::TooManyTags { most }, words);
    }
    for tag in tags {
        let (text, most) = (tag.to_string(), site.longest_tag);
        // Java counts UTF-16 code units.
        if tag.encode_utf16().count() as i64 > i64::from(most) {
            let words = format!("Tag {tag} is too long, maximum allowed length of a tag is {most}");
            return refused(RefusalRule::TagTooLong { tag: text, most }, words);
        }
        if !tag.chars().all(|c| c == ' ' || c.is_ascii_graphic()) {
            let words = format!("A tag can only have ASCII characters! Invalid tag - {tag}");
            return refused(RefusalRule::TagNotAscii { tag: text }, words);
        }
    }
    Ok(())
}

impl Checks<'_> {
    /// Checks the size of a request in a queue; `am`: whether it is for an ApplicationMaster's own container.
    fn size(&self, queue: Option<QueueId>, size: Resource, am: bool) -> Result<(), Refusal> {
        let c = self.cluster;
        let maximum = self.scheduler.maximum(c, queue);
        for (i, name) in c.types.names().iter().enumerate() {
            let start = "Invalid resource request! Cannot allocate containers as requested resource is";
            let asked = size.text(&c.types);
            if size[i] < 0 {
                let words =
                    format!("{start} less than 0! Requested resource type=[{name}], Requested resource={asked}");
                return Err(Refusal::of(RefusalRule::Negative(i), words));
            }
            if size[i] > maximum[i] {
                let words = format!(
                    "{start} greater than maximum allowed allocation. Requested resource type=[{name}], Requested \
                     resource={asked}, maximum allowed allocation={}, please note that maximum allowed allocation is \
                     calculated by scheduler based on maximum resource of registered NodeManagers, which might be \
                     less than configured maximum allocation={}",
                    maximum.text(&c.types),
                    c.maximum_at_start.text(&c.types)
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
                return Err(Refusal::of(RefusalRule::TooLarge(Box::new(kind)), words));
            }
        }
        Ok(())
    }

    /// Returns the partition of a row of an allocate call. Errors: its size or its label may not be asked for.
    pub(super) fn request(
        &self,
        queue: QueueId,
        own: Option<PartitionId>,
        ask: &AskRow,
    ) -> Result<PartitionId, Refusal> {
        let mut label = ask.label.clone();
        if ask.place == "*" {
            let own = own.map(|p| self.cluster.partition_name(p));
            label = self.enforced(label.as_deref().or(own), own);
        }
        self.one(Some(queue), label.as_deref(), &ask.place, (ask.size, false))
    }

    /// Returns the label that an ANY request gets: a label that `yarn.node-labels.exclusive-enforced-partitions` names
    /// is for applications with that label only, and these get no other (SchedulerUtils.enforcePartitionExclusivity).
    pub(super) fn enforced(&self, label: Option<&str>, of_app: Option<&str>) -> Option<String> {
        // A request trims its label (ResourceRequestPBImpl); an application does not.
        let label = label.map(str::trim);
        let is_enforced = |label: Option<&str>| label.is_some_and(|l| self.site.enforced_labels.iter().any(|e| e == l));
        let label = if is_enforced(of_app) || is_enforced(label) { of_app } else { label };
        label.map(str::to_string)
    }

    /// Returns the partition of one request (SchedulerUtils.normalizeAndValidateRequest). `label`: its own, if it has
    /// one; an ANY request without one gets its queue's default. `queue`: `None` where the queue is yet to be created,
    /// whose labels are not checked then. Errors: the first check that fails, in YARN's order.
    pub(super) fn one(
        &self,
        queue: Option<QueueId>,
        label: Option<&str>,
        place: &str,
        (size, am): (Resource, bool),
    ) -> Result<PartitionId, Refusal> {
        let any = place == "*";
        let label = label.map(str::trim);
        if let Some(label) = label.filter(|l| !l.is_empty() && !self.site.node_labels) {
            return Err(Refusal::of(
                RefusalRule::LabelsOff { label: label.to_string() },
                "Invalid resource request, node label not enabled but request contains label expression",
            ));
        }
        let of_queue = || queue.and_then(|q| self.scheduler.capacity()?.queue(q).conf.default_label.as_deref());
        let label = label.or_else(|| of_queue().filter(|_| any)).unwrap_or_default();
        self.size(queue, size, am)?;
        if label.is_empty() {
            return Ok(PartitionId::DEFAULT);
        }
        let queue_name = queue.map(|q| self.queue_name(q));
        let refused = |kind, words: String| Err(Refusal::of(kind, words));
        // YARN reads the name of the queue, which does not exist yet.
        let (Some(id), Some(name)) = (queue, queue_name) else {
            return match !any || label.contains("&&") {
                true => refused(RefusalRule::SeveralLabels { label: label.to_string() }, "NullPointerException".into()),
                false => self.known_label(label),
            };
        };
        if !any {
            let words = format!(
                "Invalid resource request, queue={name} specified node label expression in a resource request has \
                 resource name = {place}"
            );
            return refused(RefusalRule::LabelOnPlace { place: place.to_string() }, words);
        }
        if label.contains("&&") {
            let words = format!(
                "Invalid resource request, queue={name} specified more than one node label in a node label \
                 expression, node label expression = {label}"
            );
            return refused(RefusalRule::SeveralLabels { label: label.to_string() }, words);
        }
        // Only the CapacityScheduler's queues have labels.
        let access = self.scheduler.capacity().map(|s| &s.queue(id).conf.access);
        if !access.is_some_and(|access| access.has(label)) {
            let open = access.map_or(Vec::new(), |access| access.labels.to_vec());
            let shown: Vec<&str> = open.iter().map(String::as_str).collect();
            let words = format!(
                "Invalid resource request, queue={name} doesn't have permission to access all labels in resource \
                 request. labelExpression of resource request={label}. Queue labels={}",
                java::set_walk(&shown).join(",")
            );
            let queue = self.scheduler.queue_path(id).to_string();
            return refused(RefusalRule::LabelAccess { queue, label: label.to_string(), open }, words);
        }
        self.known_label(label)
    }

    /// Returns the partition of a label. Errors: the cluster has no such label; schedulers without labels do not check.
    fn known_label(&self, label: &str) -> Result<PartitionId, Refusal> {
        if self.scheduler.capacity().is_none() {
            return Ok(PartitionId::DEFAULT);
        }
        self.cluster.partition(label).ok_or_else(|| {
            let words = format!("Invalid label resource request, cluster do not contain , label= {label}");
            Refusal::of(RefusalRule::LabelUnknown { label: label.to_string() }, words)
        })
    }

    /// Returns the name of a queue in YARN's messages about requests.
    fn queue_name(&self, queue: QueueId) -> &str {
        match self.scheduler.capacity() {
            Some(scheduler) => scheduler.queue(queue).name(),
            None => self.scheduler.queue_path(queue),
        }
    }

    /// Checks that no row requests a resource type of which the FairScheduler's queue may have nothing. Errors: some
    /// row does.
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
        Err(Refusal::of(RefusalRule::NothingOfType { queue: path.to_string(), types }, words))
    }
}
