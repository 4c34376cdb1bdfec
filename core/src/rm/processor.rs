//! The placement processor (PlacementConstraintProcessor, PlacementDispatcher, BatchedRequests;
//! placement-constraints.md section 8): scheduling requests are taken out of the allocate call, placed in batches by
//! an algorithm in front of the scheduler, and committed one by one.
//!
//! In YARN two thread pools work between the calls. Here the work of a call is done once that call is answered, in its
//! order: call k starts the algorithm, call k + 1 commits its proposals and takes its rejections, call k + 2 starts the
//! retries.

use super::allocate::Caller;
use super::manager::ResourceManager;
use super::scheduling::cut_of;
use crate::api::{AllocateResponse, RejectedRequest, SchedulingAsk};
use crate::check::{Check, Failure};
use crate::constraint::algorithm::{Batch, BatchRequest, Candidate, Placed, Temporaries, Work};
use crate::constraint::order::set_order;
use crate::journal::{Change, Processing, Recorder};
use crate::model::{AppId, Calculator, CalculatorKind, NodeId, RequestKey, SortedMap};
use crate::scheduler::capacity::CapacityScheduler;
use crate::scheduler::{Cluster, Scheduler};
use std::sync::Arc;

/// A request for which the algorithm found no node, and the attempt.
type Unplaced = (BatchRequest, i32);

/// The processor's lists of an application.
#[derive(Clone, Debug, PartialEq, Default)]
struct Lists {
    /// Batches to be placed again, one for each attempt number.
    retry: Vec<Batch>,
    /// Refused by the scheduler for good.
    refused: Vec<BatchRequest>,
    /// Placed by the algorithm, to be committed.
    placed: Vec<Placed>,
    /// Not placed by the algorithm.
    unplaced: Vec<Unplaced>,
}

/// The stage of a request in the placement processor between two calls of its AM.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Stage {
    /// It goes into the algorithm's next batch.
    Again,
    /// The algorithm proposes these nodes, one for each container; the scheduler has yet to accept them.
    Proposed(Vec<NodeId>),
    /// The algorithm found no node; the next call tries again, or rejects it.
    NotPlaced,
    /// The scheduler has refused it in its last attempt; the next call rejects it.
    Refused,
}

/// A request inside the placement processor.
#[derive(Clone, Debug, PartialEq)]
pub struct Placing<'a> {
    /// The request, with the count that stands here.
    pub request: &'a BatchRequest,
    /// Which attempt, from 1.
    pub attempt: i32,
    pub stage: Stage,
    /// Nodes barred in the next pass: a commit failed there.
    pub barred: Vec<NodeId>,
}

/// The work that waits for the thread pools.
#[derive(Clone, Debug, PartialEq)]
enum Task {
    Place(Batch),
    Commit(Proposal),
}

/// A container of a request, for which the algorithm has found this node.
#[derive(Clone, Debug, PartialEq)]
struct Proposal {
    request: BatchRequest,
    attempt: i32,
    node: NodeId,
}

#[derive(Clone, Debug, PartialEq, Default)]
pub(crate) struct Processor {
    lists: SortedMap<AppId, Lists>,
    temporaries: Temporaries,
    tasks: Vec<(AppId, Task)>,
}

impl Processor {
    /// Removes the lists of an AM that unregistered.
    pub(super) fn forget(&mut self, app: AppId) {
        self.lists.remove(&app);
        self.tasks.retain(|(owner, _)| *owner != app);
    }
}

impl Lists {
    fn is_empty(&self) -> bool {
        self.retry.is_empty() && self.refused.is_empty() && self.placed.is_empty() && self.unplaced.is_empty()
    }

    /// Puts a refused commit into the next attempt, with this node barred for requests with this tag.
    fn again(&mut self, request: BatchRequest, attempt: i32, barred: Option<NodeId>) {
        let at = self.retry.iter().position(|b| b.attempt == attempt).unwrap_or_else(|| {
            self.retry.push(Batch::new(Vec::new(), attempt));
            self.retry.len() - 1
        });
        let batch = &mut self.retry[at];
        if let (Some(node), Some(tag)) = (barred, request.tags.first()) {
            batch.blacklist.entry(tag.clone()).or_default().insert(node);
        }
        batch.requests.push(request);
    }

    /// Handles the scheduler's refusal of a proposal: the request is tried again on other nodes, unless `limit`
    /// attempts were made.
    fn commit_refused(&mut self, proposal: Proposal, limit: i32) {
        let Proposal { request, attempt, node } = proposal;
        if attempt < limit {
            self.again(request, attempt + 1, Some(node));
        } else {
            self.refused.push(request);
        }
    }

    /// Returns the requests in the lists with their stages; `limit`: the number of attempts that a request has.
    fn placing(&self, limit: i32) -> Vec<Placing<'_>> {
        let at = |request, attempt, stage| Placing { request, attempt, stage, barred: Vec::new() };
        let mut out = Vec::new();
        for batch in &self.retry {
            for request in &batch.requests {
                let barred = request.tags.first().and_then(|tag| batch.blacklist.get(tag));
                let barred = barred.into_iter().flatten().copied().collect();
                out.push(Placing { barred, ..at(request, batch.attempt, Stage::Again) });
            }
        }
        out.extend(self.placed.iter().map(|p| at(&p.request, p.attempt, Stage::Proposed(p.nodes.clone()))));
        out.extend(self.unplaced.iter().map(|(request, attempt)| at(request, *attempt, Stage::NotPlaced)));
        out.extend(self.refused.iter().map(|request| at(request, limit, Stage::Refused)));
        out
    }
}

impl Proposal {
    /// Proposes a container to the scheduler. Returns whether the proposal is settled: accepted, or its application is
    /// gone.
    fn commit<R: Recorder>(&self, c: &mut Cluster, scheduler: &mut Scheduler, app: AppId, rec: &mut R) -> bool {
        // Only the CapacityScheduler takes proposals.
        let committed = match scheduler {
            Scheduler::Capacity(s) => s.commit_tagged(c, app, self.node, &self.request, rec),
            _ => {
                let (key, node, size) = (self.request.key(), self.node, self.request.size);
                rec.note(c.now, || {
                    let why = Box::new(Failure::of(Check::CommitSupported));
                    Change::CommitRefused { app, key, node, size, why }
                });
                Some(false)
            }
        };
        committed != Some(false) || !c.app(app).alive
    }
}

impl ResourceManager {
    /// Returns whether the placement processor has work for an application that its next call continues.
    pub fn is_placing(&self, app: AppId) -> bool {
        self.processor.lists.get(&app).is_some_and(|lists| !lists.is_empty())
    }

    /// Returns the requests of an application in the placement processor.
    pub fn placing(&self, app: AppId) -> Vec<Placing<'_>> {
        let limit = self.cluster.placement.settings.retry_attempts;
        self.processor.lists.get(&app).map_or(Vec::new(), |lists| lists.placing(limit))
    }
}

impl Caller<'_> {
    /// Hands new requests, retries and commits to the pools, before the scheduler gets the call.
    pub(super) fn dispatch(&mut self, asks: &[SchedulingAsk]) {
        let app = self.app;
        let mut new: Vec<BatchRequest> = Vec::with_capacity(asks.len());
        for ask in asks {
            new.push(self.batch_request(ask, new.last()));
        }
        let sizes = asks.iter().zip(&new).filter_map(|(ask, new)| cut_of(&self.rm.cluster, app, ask, new.size));
        self.rm.cuts.extend(sizes);
        let lists = self.rm.processor.lists.or_default(app);
        let tasks = &mut self.rm.processor.tasks;
        if !new.is_empty() {
            tasks.push((app, Task::Place(Batch::new(new, 1))));
        }
        tasks.extend(lists.retry.drain(..).map(|batch| (app, Task::Place(batch))));
        for placed in lists.placed.drain(..) {
            for node in placed.nodes {
                let request = BatchRequest { count: 1, ..placed.request.clone() };
                tasks.push((app, Task::Commit(Proposal { request, attempt: placed.attempt, node })));
            }
        }
    }

    /// Normalizes a request: its size is rounded up, and silently lowered to what queue and nodes allow. `before`: the
    /// request before it, whose tags it shares where they are equal.
    fn batch_request(&self, ask: &SchedulingAsk, before: Option<&BatchRequest>) -> BatchRequest {
        let own = set_order(&ask.tags);
        let tags = match before {
            Some(before) if before.tags.iter().eq(own.iter()) => Arc::clone(&before.tags),
            Some(_) | None => own.into_iter().map(str::to_string).collect(),
        };
        let c = &self.rm.cluster;
        let queue = c.app(self.app).queue;
        let of_name = |s: &CapacityScheduler| s.queues_named(s.queue(queue).name()).len();
        let ambiguous = self.rm.scheduler.capacity().is_some_and(|s| of_name(s) > 1);
        BatchRequest {
            allocation_request_id: ask.allocation_request_id,
            priority: ask.priority,
            tags,
            count: ask.count,
            size: self.rm.scheduler.normalize(c, (!ambiguous).then_some(queue), ask.size),
            constraint: ask.constraint.clone(),
        }
    }
}

impl Processor {
    /// Retries or reports what could not be placed, after the scheduler has answered.
    pub(super) fn tell_rejections<R: Recorder>(
        &mut self,
        cluster: &Cluster,
        app: AppId,
        response: &mut AllocateResponse,
        rec: &mut R,
    ) {
        let limit = cluster.placement.settings.retry_attempts;
        let lists = self.lists.or_default(app);
        let mut told = Vec::new();
        for (request, attempt) in std::mem::take(&mut lists.unplaced) {
            if attempt < limit {
                lists.again(request, attempt + 1, None);
            } else {
                told.push((request, Check::ProcessorPlaced));
            }
        }
        told.extend(lists.refused.drain(..).map(|request| (request, Check::ProcessorCommitted)));
        for (request, check) in told {
            let allocation_request_id = request.allocation_request_id;
            rec.note(cluster.now, || Processing::Rejected {
                app,
                key: RequestKey { priority: request.priority, allocation_request_id },
                count: request.count,
                check,
            });
            let reason = check.row().yarn.to_string();
            let placed = check == Check::ProcessorCommitted;
            response.rejected.push(RejectedRequest { allocation_request_id, count: request.count, reason, placed });
        }
    }

    /// Runs the work of the pools before the next call.
    pub(super) fn run<R: Recorder>(&mut self, cluster: &mut Cluster, scheduler: &mut Scheduler, rec: &mut R) {
        for (app, task) in std::mem::take(&mut self.tasks) {
            match task {
                Task::Place(batch) => self.place_batch(cluster, scheduler, app, &batch, rec),
                Task::Commit(proposal) => {
                    if !proposal.commit(cluster, scheduler, app, rec) {
                        let limit = cluster.placement.settings.retry_attempts;
                        self.lists.or_default(app).commit_refused(proposal, limit);
                    }
                }
            }
        }
    }

    fn place_batch<R: Recorder>(
        &mut self,
        c: &mut Cluster,
        scheduler: &Scheduler,
        app: AppId,
        batch: &Batch,
        rec: &mut R,
    ) {
        if !c.app(app).alive {
            return;
        }
        let default_rack = c.place("default-rack").0;
        // The other schedulers compare memory only.
        let capacity = scheduler.capacity().is_some();
        let order = if capacity { c.nodes_by_hash() } else { c.nodes_by_registration() };
        let kind = if capacity { c.calculator.kind } else { CalculatorKind::Default };
        // The candidate nodes borrow the accounting, so the counters are moved out during the run.
        let mut placement = std::mem::take(&mut c.placement);
        let nodes: Vec<Candidate<'_>> =
            order.into_iter().map(|id| Candidate { site: c.site(id), free: c.node(id).free() }).collect();
        let iterator = placement.settings.iterator;
        let run = Work {
            state: &mut placement,
            temporaries: &mut self.temporaries,
            app,
            nodes: &nodes,
            calculator: Calculator { kind, ..c.calculator },
            iterator,
            default_rack,
            trails: rec.on(),
        }
        .run(batch);
        drop(nodes);
        c.placement = placement;
        c.placement_changes += 1;
        rec.note(c.now, || Processing::Batch {
            app,
            attempt: batch.attempt,
            proposed: run.placed.iter().map(|p| (p.request.allocation_request_id, p.nodes.clone())).collect(),
            left: run.rejected.iter().map(|r| (r.allocation_request_id, r.count)).collect(),
            died: run.died,
            trails: run.trails,
        });
        let lists = self.lists.or_default(app);
        lists.placed.extend(run.placed);
        lists.unplaced.extend(run.rejected.into_iter().map(|request| (request, batch.attempt)));
    }
}
