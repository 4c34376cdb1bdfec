//! Scheduling requests in an allocate call: the three handlers at the call's boundary, and the requests that go to the
//! CapacityScheduler (placement-constraints.md sections 7 and 9.1).

use super::allocate::Caller;
use super::texts;
use crate::api::{AllocateResponse, BadConstraint, Cut, Refusal, RefusalRule, RejectedRequest, SchedulingAsk};
use crate::check::Check;
use crate::constraint::order::set_order;
use crate::constraint::{Handler, settings};
use crate::model::{AppId, CalculatorKind, RequestKey, Resource};
use crate::scheduler::capacity::tagged::TaggedRequest;
use crate::scheduler::{Cluster, Scheduler};

/// Returns a request key as Java prints it.
fn key_text(key: RequestKey) -> String {
    format!(
        "SchedulerRequestKey{{priority={}, allocationRequestId={}, containerToUpdate=null}}",
        key.priority, key.allocation_request_id
    )
}

const ALLOCATORS: &str = "org.apache.hadoop.yarn.server.resourcemanager.scheduler.placement";

impl Caller<'_> {
    /// Checks that scheduling requests have a handler. Errors: none is configured; the call has no effect.
    pub(super) fn handler(&self, asks: &[SchedulingAsk]) -> Result<Handler, Refusal> {
        let handler = self.rm.cluster.placement.settings.handler;
        if handler == Handler::Disabled && !asks.is_empty() {
            let words = format!(
                "Found non empty SchedulingRequest in AllocateRequest for application={}, but the configured {} \
                 cannot handle placement constraints. Rejecting this allocate operation",
                texts::attempt(self.rm.cluster.app(self.app).attempt_id()),
                settings::HANDLER
            );
            return Err(Refusal::of(RefusalRule::ConstraintsOff, words));
        }
        if handler == Handler::Scheduler && !asks.is_empty() && self.rm.scheduler.capacity().is_none() {
            let words = format!(
                "Found non empty SchedulingRequest of AllocateRequest for application={}, however the configured \
                 scheduler={} cannot handle placement constraints, rejecting this allocate operation",
                texts::attempt(self.rm.cluster.app(self.app).attempt_id()),
                self.rm.scheduler.class()
            );
            let scheduler = self.rm.scheduler.class().to_string();
            return Err(Refusal::of(RefusalRule::ConstraintsUnknown { scheduler }, words));
        }
        Ok(handler)
    }

    /// Checks that a ResourceRequest may have this key. Errors: a scheduling request has it.
    pub(super) fn key_is_free(&self, key: RequestKey) -> Result<(), Refusal> {
        let asks = &self.rm.cluster.app(self.app).asks;
        let taken = asks.find(key).is_some_and(|place| asks.at(place).claimed || asks.at(place).tagged.is_some());
        if !taken {
            return Ok(());
        }
        Err(refused(self.app, key, BadConstraint::KeyOfSchedulingRequest))
    }

    /// Adds scheduling requests to the CapacityScheduler, in order. Errors: one is refused; those before it count.
    /// Other schedulers ignore them.
    pub(super) fn schedule_tagged(&mut self, asks: &[SchedulingAsk]) -> Result<(), Refusal> {
        let Scheduler::Capacity(scheduler) = &mut self.rm.scheduler else { return Ok(()) };
        for ask in asks {
            let c = &mut self.rm.cluster;
            let tags: Vec<String> = set_order(&ask.tags).into_iter().map(str::to_string).collect();
            let key = ask.key();
            let size = c.rounded(ask.size);
            if let Some(cut) = cut_of(c, self.app, ask, size) {
                self.rm.cuts.push(cut);
            }
            let request = TaggedRequest {
                key,
                tags: c.tag_set(&tags),
                count: ask.count.clamp(i64::from(i32::MIN), i64::from(i32::MAX)),
                size,
                constraint: ask.constraint.clone(),
                opportunistic: ask.opportunistic,
            };
            let done = scheduler.update_tagged(&mut self.rm.cluster, self.app, request);
            done.map_err(|why| refused(self.app, key, why))?;
        }
        Ok(())
    }

    /// Returns the requests whose constraint failed to evaluate too often; every answer has them until they are
    /// cancelled.
    pub(super) fn tell_unevaluable(&self, response: &mut AllocateResponse) {
        let limit = self.rm.cluster.placement.settings.retry_attempts;
        for asks in self.rm.cluster.app(self.app).asks.unevaluable(limit) {
            response.rejected.push(RejectedRequest {
                allocation_request_id: asks.key.allocation_request_id,
                count: asks.outstanding(),
                reason: Check::ProcessorCommitted.row().yarn.into(),
                placed: true,
            });
        }
    }
}

/// Returns what a request loses when its size becomes this one; resources that the scheduler does not count are
/// ignored.
pub(super) fn cut_of(c: &Cluster, app: AppId, ask: &SchedulingAsk, given: Resource) -> Option<Cut> {
    let counted = if c.calculator.kind == CalculatorKind::Default { 1 } else { c.types.len() };
    let key = ask.key();
    let less = ask.count > 0 && (0..counted).any(|i| given[i] < ask.size[i]);
    less.then_some(Cut { app, key, asked: ask.size, given })
}

fn refused(app: AppId, key: RequestKey, why: BadConstraint) -> Refusal {
    let of_new =
        |what: &str| format!("AppId={} Key={}. Exception message:{what}", texts::application(app), key_text(key));
    let words = match why {
        BadConstraint::KeyOfSchedulingRequest => format!(
            "{ALLOCATORS}.SingleConstraintAppPlacementAllocator not be able to handle ResourceRequest, there exists a \
             SchedulingRequest with the same scheduler key={}, please send ResourceRequest with a different \
             allocationId and priority",
            key_text(key)
        ),
        BadConstraint::KeyOfResourceRequest => format!(
            "{ALLOCATORS}.LocalityAppPlacementAllocator not be able to handle SchedulingRequest, there exists a \
             ResourceRequest with the same scheduler key={}, please send SchedulingRequest with a different \
             allocationId and priority",
            key_text(key)
        ),
        BadConstraint::NotGuaranteed => of_new("Only GUARANTEED execution type is supported."),
        BadConstraint::SeveralPartitions => {
            of_new("Inside one targetExpression, we only support affinity to at most one node partition now")
        }
        BadConstraint::NothingToCompare => "NullPointerException".into(),
        BadConstraint::OtherThanCount => "Invalid updated SchedulingRequest added to scheduler,  we only allows \
             changing numAllocations for the updated SchedulingRequest. if any fields need to be updated, please \
             cancel the old request (by setting numAllocations to 0) and send a SchedulingRequest with different \
             combination of priority/allocationId"
            .into(),
        BadConstraint::NegativeCount => {
            "numAllocation in ResourceSizing field must be >= 0, updating schedulingRequest failed.".into()
        }
    };
    Refusal::of(RefusalRule::Constraint(why), words)
}
