//! The allocate call of an ApplicationMaster (ApplicationMasterService, DefaultAMSProcessor,
//! CapacityScheduler.allocate; lifecycles-and-timing.md 2.2, capacity-scheduler.md 11.1).

use super::manager::{AppState, ResourceManager};
use super::texts;
use crate::api::{AllocateCall, AllocateResponse, AskRow, Completed, Granted, NodeUpdate, Refusal, Refused};
use crate::constraint::Handler;
use crate::journal::Recorder;
use crate::model::{AppId, NodeId, PartitionId, QueueId, RequestKey};
use crate::scheduler::app::{ABORTED, EndCause};
use crate::scheduler::{ContainerState, PlaceId, Row, Scheduler, Slot};
use std::collections::BTreeSet;

/// Rows of one key, ready for the scheduler.
struct KeyRows {
    key: RequestKey,
    rows: Vec<(PlaceId, Row)>,
    partition: PartitionId,
}

impl ResourceManager {
    /// One allocate call. Errors: the call is refused and nothing of it is done.
    pub fn allocate<R: Recorder>(
        &mut self,
        app: AppId,
        call: AllocateCall,
        rec: &mut R,
    ) -> Result<AllocateResponse, Refusal> {
        let state = self.apps.get(app.index()).map(|a| a.state);
        match state {
            Some(AppState::Finishing) => {
                return Ok(AllocateResponse { nodes: self.cluster.node_count, ..Default::default() });
            }
            Some(AppState::Running) if self.cluster.app(app).registered => {}
            _ => {
                let attempt = crate::model::AttemptId {
                    app,
                    attempt: self.cluster.apps.get(app.index()).map_or(1, |a| a.attempt.max(1)),
                };
                return Err(Refusal::new(format!(
                    "AM is not registered for known application attempt: {} or RM had restarted after AM registered. \
                     AM should re-register.",
                    texts::attempt(attempt)
                )));
            }
        }
        // The handler of placement constraints stands in front.
        let handler = self.handler_takes(app, &call.scheduling)?;
        if handler != Handler::Processor {
            return self.allocate_from_scheduler(app, &call, handler, rec);
        }
        self.dispatch_placement(app, &call.scheduling);
        let mut response = self.allocate_from_scheduler(app, &call, handler, rec);
        if let Ok(response) = &mut response {
            self.tell_rejections(app, response, rec);
        }
        self.run_placement(rec);
        self.after(rec);
        response
    }

    /// The call as the scheduler sees it.
    fn allocate_from_scheduler<R: Recorder>(
        &mut self,
        app: AppId,
        call: &AllocateCall,
        handler: Handler,
        rec: &mut R,
    ) -> Result<AllocateResponse, Refusal> {
        // Validation: an invalid ask fails the whole call.
        let mut keys = self.key_rows(app, &call.asks)?;
        // Releases, then asks (with them no requests with tags), then blacklists.
        for id in &call.releases {
            if id.app == app {
                self.scheduler.end_container(&mut self.cluster, *id, ABORTED, EndCause::Released, rec);
            }
        }
        self.correct_counts(app, &mut keys, rec);
        for k in &keys {
            self.key_is_free(app, k.key)?;
            self.scheduler.update_asks(&mut self.cluster, app, k.key, &k.rows, k.partition);
        }
        let changed = keys.iter().any(|k| k.rows.iter().any(|(place, _)| *place == PlaceId::ANY));
        if handler != Handler::Processor && !changed {
            self.schedule_tagged(app, &call.scheduling)?;
        }
        self.change_blacklist(app, &call.blacklist_add, &call.blacklist_remove);
        let mut response = self.pull(app);
        if handler != Handler::Processor {
            self.tell_unevaluable(app, &mut response);
        }
        self.after(rec);
        Ok(response)
    }

    /// Checks the asks and groups them by key, in the order in which keys appear; of a name sent twice the last
    /// counts.
    fn key_rows(&mut self, app: AppId, asks: &[AskRow]) -> Result<Vec<KeyRows>, Refusal> {
        let queue = self.cluster.app(app).queue;
        let own = self.cluster.app(app).label;
        let mut partitions = Vec::with_capacity(asks.len());
        for ask in asks {
            self.validate_size(Some(queue), ask.size, false)?;
            partitions.push(self.ask_partition(queue, own, ask)?);
        }
        self.types_allowed(app, queue, asks)?;
        let c = &mut self.cluster;
        let mut keys: Vec<KeyRows> = Vec::new();
        for (ask, partition) in asks.iter().zip(partitions) {
            let key = ask.key();
            let at = match keys.iter().position(|k| k.key == key) {
                Some(at) => at,
                None => {
                    keys.push(KeyRows { key, rows: Vec::new(), partition: PartitionId::DEFAULT });
                    keys.len() - 1
                }
            };
            let size = self.scheduler.normalize(c, Some(queue), ask.size);
            let place = c.place(&ask.place);
            let count = ask.count.clamp(0, i64::from(i32::MAX));
            let k = &mut keys[at];
            if place == PlaceId::ANY {
                k.partition = partition;
            }
            k.rows.retain(|(p, _)| *p != place);
            k.rows.push((place, Row { count, size, relax: ask.relax }));
        }
        Ok(keys)
    }

    /// Under the FairScheduler nothing may be wanted of a type of which the queue may have nothing. Errors: some row does.
    fn types_allowed(&self, app: AppId, queue: QueueId, asks: &[AskRow]) -> Result<(), Refusal> {
        let Some(scheduler) = self.scheduler.fair() else { return Ok(()) };
        let (mut types, mut refused) = (Vec::new(), Vec::new());
        for (which, words) in asks.iter().filter_map(|ask| scheduler.forbidden_types(&self.cluster, queue, ask)) {
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
    fn ask_partition(&self, queue: QueueId, own: Option<PartitionId>, ask: &AskRow) -> Result<PartitionId, Refusal> {
        // The other schedulers know no labels.
        let Some(scheduler) = self.scheduler.capacity() else { return Ok(PartitionId::DEFAULT) };
        if ask.place == "*" {
            let default = &scheduler.queue(queue).conf.default_label;
            let own = own.map(|p| self.cluster.partition_name(p).to_string());
            let label = ask.label.clone().or(own).or_else(|| default.clone()).unwrap_or_default();
            return self.validate_label(Some(queue), &label);
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

    /// With `autocorrect.container.allocation`, what was granted and not yet pulled is taken off the counts of rows
    /// for the same (id, priority, size); what is granted beyond a count expires, the oldest first, and is not asked
    /// for again (AbstractYarnScheduler.autoCorrectContainerAllocation).
    fn correct_counts<R: Recorder>(&mut self, app: AppId, keys: &mut [KeyRows], rec: &mut R) {
        // The FifoScheduler does not do it.
        let fifo = matches!(self.scheduler, Scheduler::Fifo(_));
        if fifo || !self.site.autocorrects {
            return;
        }
        let c = &self.cluster;
        let mut surplus = Vec::new();
        for k in keys {
            for (_, row) in &mut k.rows {
                let like = |slot: &&Slot| {
                    let granted = c.containers.at(**slot);
                    granted.key == k.key && granted.size == row.size
                };
                let granted: Vec<Slot> = c.app(app).granted.iter().filter(like).copied().collect();
                let beyond = granted.len() as i64 - row.count;
                row.count = (-beyond).max(0);
                // The last row of a kind decides how many are too many.
                if beyond > 0 {
                    surplus.retain(|slot| !granted.contains(slot));
                    surplus.extend(granted.into_iter().take(beyond as usize));
                }
            }
        }
        for slot in surplus {
            // It counts as told, so that its end does not ask for it again.
            let container = self.cluster.containers.at_mut(slot);
            container.state = ContainerState::Acquired;
            let id = container.id;
            self.cluster.app_mut(app).granted.retain(|s| *s != slot);
            self.scheduler.end_container(&mut self.cluster, id, ABORTED, EndCause::Expired, rec);
        }
    }

    fn change_blacklist(&mut self, app: AppId, add: &[String], remove: &[String]) {
        let mut changed = false;
        for (names, adding) in [(add, true), (remove, false)] {
            for name in names {
                let place = self.cluster.place(name);
                let list = &mut self.cluster.app_mut(app).blacklist;
                changed |= list.contains(&place) != adding;
                list.retain(|p| *p != place);
                if adding {
                    list.push(place);
                }
            }
        }
        if let (true, Scheduler::Fair(scheduler)) = (changed, &mut self.scheduler) {
            scheduler.blacklist_changed(app);
        }
    }

    /// Nodes that came, left or changed since the application was last told, each once.
    fn node_updates(&mut self, app: AppId) -> Vec<NodeUpdate> {
        let known = self.node_changes.len();
        let Some(rm_app) = self.apps.get_mut(app.index()) else { return Vec::new() };
        let told = std::mem::replace(&mut rm_app.nodes_told, known);
        let mut changed: Vec<NodeId> = Vec::new();
        let mut seen = BTreeSet::new();
        changed.extend(self.node_changes[told..].iter().filter(|id| seen.insert(**id)));
        changed.into_iter().map(|id| self.node_update(self.cluster.node(id))).collect()
    }

    /// What the AM is told: grants are its own from now on.
    fn pull(&mut self, app: AppId) -> AllocateResponse {
        let updated_nodes = self.node_updates(app);
        let headroom = self.scheduler.headroom(&self.cluster, app);
        let preempt = self.preemption_message(app);
        let c = &mut self.cluster;
        let now = c.now;
        let a = &mut c.apps[app.index()];
        let mut response = AllocateResponse {
            allocated: Vec::with_capacity(a.granted.len()),
            completed: Vec::with_capacity(a.ended.len()),
            headroom,
            updated_nodes,
            nodes: c.node_count,
            preempt,
            ..AllocateResponse::default()
        };
        for slot in a.granted.drain(..) {
            let container = c.containers.at_mut(slot);
            container.state = ContainerState::Acquired;
            container.acquired_at = Some(now);
            let tags = match container.tags {
                0 => Vec::new(),
                tags => c.tag_sets.get_index(tags as usize).cloned().unwrap_or_default(),
            };
            response.allocated.push(Granted {
                id: container.id,
                node: container.node,
                size: container.size,
                priority: container.key.priority,
                allocation_request_id: container.key.allocation_request_id,
                tags,
            });
        }
        for (id, exit_code, why) in a.ended.drain(..) {
            let diagnostics = texts::end_of_container(why).into();
            response.completed.push(Completed { id, exit_code, diagnostics });
        }
        response
    }
}
