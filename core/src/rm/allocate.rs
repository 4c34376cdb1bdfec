//! The allocate call of an ApplicationMaster (ApplicationMasterService, DefaultAMSProcessor,
//! CapacityScheduler.allocate; lifecycles-and-timing.md 2.2, capacity-scheduler.md 11.1).

use super::apps::EndedAm;
use super::autocorrect::{Like, correct};
use super::manager::{AmEnd, AppState, ResourceManager};
use super::texts;
use crate::api::{AllocateCall, AllocateResponse, AskRow, Completed, Granted, NodeUpdate, Refusal, RefusalRule};
use crate::constraint::Handler;
use crate::journal::Recorder;
use crate::model::{AppId, AttemptId, ContainerId, NodeId, PartitionId, RequestKey};
use crate::scheduler::app::{ABORTED, EndCause, ReportedEnd};
use crate::scheduler::{ContainerState, PlaceId, RequestRow, Scheduler, Slot};
use std::collections::BTreeSet;

/// The rows of one key for the scheduler.
struct KeyRows {
    key: RequestKey,
    rows: Vec<(PlaceId, RequestRow)>,
    partition: PartitionId,
}

/// The caller's application.
pub(super) struct Caller<'a> {
    pub rm: &'a mut ResourceManager,
    pub app: AppId,
}

impl ResourceManager {
    /// Processes an allocate call. Errors: the call is refused and has no effect.
    pub fn allocate<R: Recorder>(
        &mut self,
        app: AppId,
        call: AllocateCall,
        rec: &mut R,
    ) -> Result<AllocateResponse, Refusal> {
        let state = self.may_call(app)?;
        // The handler of placement constraints comes first.
        let mut caller = Caller { rm: self, app };
        let handler = caller.handler(&call.scheduling)?;
        if state == AppState::Finishing {
            caller.key_rows(&call.asks)?;
            caller.check_others(&call)?;
            return Ok(AllocateResponse { nodes: caller.rm.cluster.node_count, ..Default::default() });
        }
        if handler != Handler::Processor {
            return caller.allocate(&call, handler, rec);
        }
        caller.dispatch(&call.scheduling);
        let mut response = caller.allocate(&call, handler, rec);
        if let Ok(response) = &mut response {
            self.processor.tell_rejections(&self.cluster, app, response, rec);
        }
        self.processor.run(&mut self.cluster, &mut self.scheduler, rec);
        self.after(rec);
        response
    }

    /// Checks that the AM of an application may call (ApplicationMasterService.allocate), and returns the application's
    /// state. Errors: its attempt is over, does not exist yet, or has not registered.
    fn may_call(&self, app: AppId) -> Result<AppState, Refusal> {
        let attempt = self.cluster.apps.get(app.index());
        let id = AttemptId { app, attempt: attempt.map_or(1, |a| a.attempt.max(1)) };
        let state = self.apps.get(app.index()).map(|a| a.state).filter(|state| !state.is_final());
        match (state, attempt) {
            (Some(state @ (AppState::Running | AppState::Finishing)), Some(a)) if a.alive && a.registered => Ok(state),
            (Some(_), Some(a)) if a.alive => Err(Refusal::new(format!(
                "AM is not registered for known application attempt: {} or RM had restarted after AM registered.  AM \
                 should re-register.",
                texts::attempt(id)
            ))),
            _ => Err(Refusal::new(format!(
                "Application attempt {} doesn't exist in ApplicationMasterService cache.",
                texts::attempt(id)
            ))),
        }
    }
}

impl Caller<'_> {
    /// Runs the checks of DefaultAMSProcessor.allocate that come after those of the requests. Errors: `*` is to be
    /// blacklisted; or a container of an earlier attempt is to be released and the application does not keep
    /// containers.
    fn check_others(&self, call: &AllocateCall) -> Result<(), Refusal> {
        if call.blacklist_add.iter().any(|name| name == "*") {
            return Err(Refusal::of(RefusalRule::BlacklistsAll, "Cannot add * to the blacklist!"));
        }
        if self.rm.apps[self.app.index()].submission.keep_containers {
            return Ok(());
        }
        let own = self.rm.cluster.app(self.app).attempt_id();
        let foreign = call.releases.iter().find(|id| (id.app, id.attempt) != (own.app, own.attempt));
        foreign.map_or(Ok(()), |id| {
            let words = format!(
                "Cannot release container : {} not belonging to this application attempt : {}",
                texts::container(*id),
                texts::attempt(own)
            );
            Err(Refusal::of(RefusalRule::ForeignContainer, words))
        })
    }

    /// Releases containers. Returns whether the AM's own was among them, which ends its attempt once the call is
    /// answered.
    fn release<R: Recorder>(&mut self, releases: &[ContainerId], rec: &mut R) -> bool {
        let mut own = false;
        for id in releases.iter().filter(|id| id.app == self.app) {
            own |= self.rm.cluster.container(*id).is_some_and(|c| c.am && c.state != ContainerState::Over);
            self.rm.scheduler.end_container(&mut self.rm.cluster, *id, ABORTED, EndCause::Released, rec);
        }
        own
    }

    /// Runs the scheduler's part of a call.
    fn allocate<R: Recorder>(
        &mut self,
        call: &AllocateCall,
        handler: Handler,
        rec: &mut R,
    ) -> Result<AllocateResponse, Refusal> {
        // An invalid request fails the whole call.
        let mut keys = self.key_rows(&call.asks)?;
        self.check_others(call)?;
        let queue = self.rm.cluster.app(self.app).queue;
        self.rm.checks().types(self.app, queue, &call.asks)?;
        // YARN's order: releases, then requests (scheduling requests apart), then the blacklist.
        let released_itself = self.release(&call.releases, rec);
        self.correct_counts(&mut keys, rec);
        for k in &keys {
            self.key_is_free(k.key)?;
            self.rm.scheduler.update_asks(&mut self.rm.cluster, self.app, k.key, &k.rows, k.partition);
        }
        let changed = keys.iter().any(|k| k.rows.iter().any(|(place, _)| *place == PlaceId::ANY));
        if handler != Handler::Processor && !changed {
            self.schedule_tagged(&call.scheduling)?;
        }
        self.change_blacklist(&call.blacklist_add, &call.blacklist_remove);
        let mut response = self.pull();
        if let Some(contract) = &response.preempt.negotiable {
            let (app, containers) = (self.app, contract.containers.len() as u32);
            rec.note(self.rm.cluster.now, || crate::journal::Change::AskedBack { app, containers });
        }
        if handler != Handler::Processor {
            self.tell_unevaluable(&mut response);
        }
        if released_itself {
            let why = AmEnd::Container(EndCause::Released);
            self.rm.am_containers_ended(vec![EndedAm::of(self.app, why)], rec);
        }
        self.rm.after(rec);
        Ok(response)
    }

    /// Checks the requests and groups them by key, in the order of the keys' first rows; the last row of a name counts.
    /// Errors: a size or a label that may not be asked for.
    fn key_rows(&mut self, asks: &[AskRow]) -> Result<Vec<KeyRows>, Refusal> {
        let queue = self.rm.scheduler.queue_of_that_name(self.rm.cluster.app(self.app).queue);
        let own = self.rm.cluster.app(self.app).label;
        let checks = self.rm.checks();
        let mut partitions = Vec::with_capacity(asks.len());
        for ask in asks {
            partitions.push(checks.request(queue, own, ask)?);
        }
        let c = &mut self.rm.cluster;
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
            let size = self.rm.scheduler.scheduled_size(c, queue, ask.size);
            let place = c.place(&ask.place);
            let count = ask.count.clamp(i64::from(i32::MIN), i64::from(i32::MAX));
            let k = &mut keys[at];
            if place == PlaceId::ANY {
                k.partition = partition;
            }
            k.rows.retain(|(p, _)| *p != place);
            k.rows.push((place, RequestRow { count, size, relax: ask.relax }));
        }
        Ok(keys)
    }

    /// With `autocorrect.container.allocation`, subtracts containers that were allocated and not yet pulled from the
    /// counts of rows with the same (id, priority, size). Containers beyond a count expire, the oldest first, and are
    /// not requested again (AbstractYarnScheduler.autoCorrectContainerAllocation).
    fn correct_counts<R: Recorder>(&mut self, keys: &mut [KeyRows], rec: &mut R) {
        // The FifoScheduler does not correct counts.
        let fifo = matches!(self.rm.scheduler, Scheduler::Fifo(_));
        if fifo || !self.rm.site.autocorrects {
            return;
        }
        let c = &self.rm.cluster;
        let slots = c.app(self.app).granted.clone();
        let like = |key, size| Like { key, size, opportunistic: false };
        let granted: Vec<Like> =
            slots.iter().map(|s| like(c.containers.at(*s).key, c.containers.at(*s).size)).collect();
        let rows = keys.iter().flat_map(|k| k.rows.iter().map(move |(_, row)| (like(k.key, row.size), row.count)));
        let mut rows: Vec<(Like, i64)> = rows.collect();
        let surplus: Vec<Slot> =
            correct(&mut rows, &granted).into_iter().filter_map(|i| slots.get(i).copied()).collect();
        let counts = rows.into_iter().map(|(_, count)| count);
        for ((_, row), count) in keys.iter_mut().flat_map(|k| &mut k.rows).zip(counts) {
            row.count = count;
        }
        for slot in surplus {
            // Marked as pulled, so that its end does not restore the request.
            let container = self.rm.cluster.containers.at_mut(slot);
            container.state = ContainerState::Acquired;
            let id = container.id;
            self.rm.cluster.app_mut(self.app).granted.retain(|s| *s != slot);
            self.rm.scheduler.end_container(&mut self.rm.cluster, id, ABORTED, EndCause::Expired, rec);
        }
    }

    fn change_blacklist(&mut self, add: &[String], remove: &[String]) {
        let mut changed = false;
        for (names, adding) in [(add, true), (remove, false)] {
            for name in names {
                let place = self.rm.cluster.place(name);
                let list = &mut self.rm.cluster.app_mut(self.app).blacklist;
                changed |= list.contains(&place) != adding;
                list.retain(|p| *p != place);
                if adding {
                    list.push(place);
                }
            }
        }
        if let (true, Scheduler::Fair(scheduler)) = (changed, &mut self.rm.scheduler) {
            scheduler.blacklist_changed(self.app);
        }
    }

    /// Returns the nodes that were added, removed or changed since the application's latest answer, each once.
    fn node_updates(&mut self) -> Vec<NodeUpdate> {
        let known = self.rm.node_changes.len();
        let told = std::mem::replace(&mut self.rm.apps[self.app.index()].nodes_told, known);
        let mut changed: Vec<NodeId> = Vec::new();
        let mut seen = BTreeSet::new();
        changed.extend(self.rm.node_changes[told..].iter().filter(|id| seen.insert(**id)));
        changed.into_iter().map(|id| self.rm.node_update(self.rm.cluster.node(id))).collect()
    }

    /// Makes the answer: the AM has its grants from now on.
    fn pull(&mut self) -> AllocateResponse {
        let updated_nodes = self.node_updates();
        let headroom = self.rm.scheduler.headroom(&self.rm.cluster, self.app);
        let preempt = self.rm.preemption_message(self.app);
        let c = &mut self.rm.cluster;
        let now = c.now;
        let a = &mut c.apps[self.app.index()];
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
        // This call acknowledges the last answer: nodes may forget the ends that it reported.
        let mut confirmed = std::mem::replace(&mut a.told, std::mem::take(&mut a.ended));
        for ReportedEnd { id, exit_code, why, .. } in &c.apps[self.app.index()].told {
            let diagnostics = match why {
                EndCause::Vanished(node) => texts::vanished(*id, c.node(*node)),
                why => texts::end_of_container(*why).into(),
            };
            response.completed.push(Completed { id: *id, exit_code: *exit_code, diagnostics });
        }
        for ReportedEnd { id, node, .. } in confirmed.drain(..) {
            c.node_mut(node).waiting.forget.push(id);
        }
        // Reuses the allocation for the next ends.
        c.apps[self.app.index()].ended = confirmed;
        response
    }
}
