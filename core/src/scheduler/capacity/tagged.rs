//! Requests with allocation tags and constraints inside the CapacityScheduler (SingleConstraintAppPlacementAllocator,
//! AppSchedulingInfo.updateSchedulingRequests, CapacityScheduler.attemptAllocationOnNode; placement-constraints.md
//! 8.5 and 9).

use super::CapacityScheduler;
use super::books::Accounting;
use super::books::short_cuts::Unmet;
use super::offer::{Candidates, KeyTry, Proposal, Terms};
use super::users::Mode;
use super::walk::memory_and_vcores;
use crate::api::BadConstraint;
use crate::check::{Amounts, Check, Failure};
use crate::constraint::algorithm::BatchRequest;
use crate::constraint::{Asking, Constraint, Question, Target, Verdict};
use crate::journal::{Change, Recorder};
use crate::model::{AppId, NodeId, PartitionId, RequestKey, Resource};
use crate::scheduler::asks::TaggedAsk;
use crate::scheduler::container::RowsLowered;
use crate::scheduler::{Cluster, Locality, Origin, PlaceId, RequestRow};
use std::sync::Arc;

/// A scheduling request, its size normalised.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct TaggedRequest {
    pub key: RequestKey,
    /// A place in [`Cluster::tag_sets`], the tags in the order of a Java set.
    pub tags: u32,
    pub count: i64,
    pub size: Resource,
    pub constraint: Option<Arc<Constraint>>,
    /// Whether its execution type is not GUARANTEED.
    pub opportunistic: bool,
}

/// Evaluates the constraints that apply to a key's request on a node. Requests without tags always pass. `Err`: the
/// leaf that failed, in YARN's words (if `words`); `None` if the evaluation failed, which is counted.
fn evaluate(c: &mut Cluster, app: AppId, place: usize, node: NodeId, words: bool) -> Result<(), Option<Unmet>> {
    let Some(tagged) = &c.app(app).asks.at(place).tagged else { return Ok(()) };
    let tags = c.tag_sets.get_index(tagged.tags as usize).map_or(&[][..], Vec::as_slice);
    let asking = Asking { app, tags, constraint: tagged.constraint.as_deref() };
    let applying = c.placement.constraints.applying(app, tags, asking.constraint);
    match c.placement.evaluate_all(app, applying, c.site(node)) {
        Ok(Verdict::Satisfied) => Ok(()),
        Ok(Verdict::Unsatisfied(failing)) => {
            let text = if words { failing.yarn_text().into() } else { no_words() };
            Err(Some(Unmet { words: text, failing: failing.number_in(&applying) }))
        }
        Err(_) => {
            c.app_mut(app).asks.count_error(place);
            Err(None)
        }
    }
}

/// Returns the question that a key's request asks of a node; `None`: it has no tags.
fn question(c: &mut Cluster, app: AppId, place: usize) -> Option<Question> {
    let tagged = c.app(app).asks.at(place).tagged.as_ref()?;
    let (tags, known) = (tagged.tags, tagged.question);
    if known.edits == c.placement.constraints.edits() {
        debug_assert!(known.question == c.question(app, tags, known.question.own).question);
        return Some(known.question);
    }
    let now = c.question(app, tags, known.question.own);
    if let Some(tagged) = &mut c.app_mut(app).asks.at_mut(place).tagged {
        tagged.question = now;
    }
    Some(now.question)
}

/// Returns empty words: there are none, or nothing is recorded.
pub(super) fn no_words() -> Arc<str> {
    Arc::from("")
}

/// Returns why a container's proposal fails at commit: nothing is pending any more, or the constraint does not hold.
pub(super) fn refusal(c: &mut Cluster, p: &Proposal) -> Option<Failure> {
    let asks = c.app(p.app).asks.at(p.key);
    asks.tagged.as_ref()?;
    if asks.outstanding() <= 0 || evaluate(c, p.app, p.key, p.node, false).is_err() {
        return Some(Failure::of(Check::CommitConstraint));
    }
    None
}

impl CapacityScheduler {
    /// Returns the number of constraints evaluated so far; requests that are alike count once.
    pub fn evaluations(&self) -> u64 {
        self.books.evaluations()
    }

    /// Counts the opportunities missed in repeated offers.
    #[cfg(test)]
    pub(crate) fn count_owed(&mut self, c: &mut Cluster) {
        self.books.count_owed(c);
    }

    /// Adds a scheduling request, or changes the count of an existing one.
    pub(crate) fn update_tagged(
        &mut self,
        c: &mut Cluster,
        app: AppId,
        request: TaggedRequest,
    ) -> Result<(), BadConstraint> {
        let place = c.app_mut(app).asks.key_place(request.key);
        let asks = c.app(app).asks.at(place);
        match &asks.tagged {
            Some(old) => {
                tagged_matches(c, old, asks.any().map_or(Resource::ZERO, |r| r.size), &request)?;
                self.books.change_tagged_count(c, app, place, request.count)
            }
            None if asks.outstanding() > 0 => Err(BadConstraint::KeyOfResourceRequest),
            None => self.books.add_tagged(c, app, place, request),
        }
    }

    /// Commits what the placement processor proposes: one allocation of a request on a node. Evaluates the constraint
    /// again, then makes the checks of any proposal; priority, locality, headroom and reservations play no part.
    /// `None`: the node has left meanwhile, and the request vanishes.
    pub(crate) fn commit_tagged<R: Recorder>(
        &mut self,
        c: &mut Cluster,
        app: AppId,
        node: NodeId,
        request: &BatchRequest,
        rec: &mut R,
    ) -> Option<bool> {
        let (size, key) = (request.size, request.key());
        // A container has its number before anything is checked; one that is refused has used it up
        // (CapacityScheduler.createResourceCommitRequest).
        let refuse = |c: &mut Cluster, rec: &mut R, why: Failure| {
            c.app_mut(app).next_seq += 1;
            rec.note(c.now, || Change::CommitRefused { app, key, node, size, why: Box::new(why) });
            Some(false)
        };
        if !c.app(app).alive {
            return Some(false);
        }
        let asking = Asking { app, tags: &request.tags, constraint: request.constraint.as_deref() };
        if !c.placement.can_satisfy(asking, c.site(node)).is_ok_and(|v| v.holds()) {
            return refuse(c, rec, Failure::of(Check::CommitConstraint));
        }
        let n = c.node(node);
        if !n.in_scheduler {
            c.app_mut(app).next_seq += 1;
            return None;
        }
        c.app_mut(app).unproposed += memory_and_vcores(size);
        let n = c.node(node);
        if n.reserved.is_some() {
            return refuse(c, rec, Failure::of(Check::CommitUnreserved));
        }
        if !c.calculator.fits_in(&size, &n.free()) {
            return refuse(c, rec, Failure::amounts(Check::CommitNodeFree, Amounts::fit(size, n.free())));
        }
        let terms =
            Terms { node, partition: n.partition, mode: Mode::Respect, candidates: Candidates::One, listed: false };
        let p = Proposal {
            app,
            key: usize::MAX,
            node,
            size,
            reserve: false,
            locality: Locality::OffSwitch,
            from: None,
            unreserve: None,
            user_has_room: false,
        };
        if let Some(why) = self.books.refusal(c, &terms, &p) {
            return refuse(c, rec, *why);
        }
        let key = RequestKey { priority: request.priority, allocation_request_id: request.allocation_request_id };
        let tags = c.tag_set(&request.tags);
        let mut origin = self.books.origin_of(c, &terms, app);
        // The record of a container that the processor places has neither queue nor label: if its node has a label, its
        // leaf counts it as on lent room (CapacityScheduler.createResourceCommitRequest,
        // AbstractLeafQueue.allocateResource).
        origin.set(Origin::AMBIGUOUS);
        if !terms.partition.is_default() {
            origin.set(Origin::LENT);
        }
        let grant = p.grant(&terms, key, tags, origin);
        self.books.grant(c, &grant, RowsLowered::default(), rec);
        Some(true)
    }
}

/// Checks that everything but the count is as before.
fn tagged_matches(c: &Cluster, old: &TaggedAsk, size: Resource, new: &TaggedRequest) -> Result<(), BadConstraint> {
    let set = |tags: u32| {
        let mut tags: Vec<&String> = c.tag_sets.get_index(tags as usize).into_iter().flatten().collect();
        crate::model::order::sort(&mut tags);
        tags.dedup();
        tags
    };
    if new.opportunistic || new.size != size || set(old.tags) != set(new.tags) {
        return Err(BadConstraint::OtherThanCount);
    }
    match (&old.constraint, &new.constraint) {
        (None, _) => Err(BadConstraint::NothingToCompare),
        (Some(a), Some(b)) if a.same(b) => Ok(()),
        _ => Err(BadConstraint::OtherThanCount),
    }
}

impl Accounting {
    /// Calls [`evaluate`] once for requests that are alike.
    pub(super) fn constraint_holds(
        &mut self,
        c: &mut Cluster,
        want: KeyTry,
        node: NodeId,
        words: bool,
    ) -> Result<(), Option<Unmet>> {
        let KeyTry { app, place, .. } = want;
        let Some(question) = question(c, app, place) else { return Ok(()) };
        if let Some(known) = self.answer(c, node, question, words) {
            return known.map_err(Some);
        }
        self.count_evaluation();
        let outcome = evaluate(c, app, place, node, words);
        match &outcome {
            Ok(()) => self.note_answer(c, node, question, Ok(())),
            Err(Some(unmet)) => self.note_answer(c, node, question, Err(unmet.clone())),
            Err(None) => {}
        }
        outcome
    }

    fn change_tagged_count(
        &mut self,
        c: &mut Cluster,
        app: AppId,
        place: usize,
        count: i64,
    ) -> Result<(), BadConstraint> {
        let asks = c.app(app).asks.at(place);
        let Some(row) = asks.any().copied() else { return Ok(()) };
        let partition = asks.partition;
        if count == row.count {
            return Ok(());
        }
        if count < 0 {
            return Err(BadConstraint::NegativeCount);
        }
        self.change_pending(c, app, partition, row.size, count - row.count);
        self.demand_updated(c, app);
        let asks = &mut c.app_mut(app).asks;
        if count == 0 {
            asks.at_mut(place).clear();
            asks.close_key(place);
            self.asks_may_have_ended(c, app);
        } else {
            asks.at_mut(place).put(PlaceId::ANY, RequestRow { count, ..row });
            if row.count <= 0 {
                self.asks_begin(c, app);
            }
        }
        Ok(())
    }

    fn add_tagged(
        &mut self,
        c: &mut Cluster,
        app: AppId,
        place: usize,
        request: TaggedRequest,
    ) -> Result<(), BadConstraint> {
        c.app_mut(app).asks.at_mut(place).claimed = true;
        if request.opportunistic {
            return Err(BadConstraint::NotGuaranteed);
        }
        let partition = self.target_partition(c, app, request.constraint.as_deref())?;
        self.change_pending(c, app, partition, request.size, request.count);
        self.demand_updated(c, app);
        let own = request.constraint.as_ref().map(|own| c.placement.constraints.number(own));
        let question = c.question(app, request.tags, own);
        let asks = &mut c.app_mut(app).asks;
        let key = asks.at_mut(place);
        key.claimed = false;
        // A count of zero or less is accepted and forgotten at once.
        if request.count <= 0 {
            return Ok(());
        }
        key.clear();
        key.partition = partition;
        key.put(PlaceId::ANY, RequestRow { count: request.count, size: request.size, relax: true });
        key.tagged =
            Some(Box::new(TaggedAsk { tags: request.tags, constraint: request.constraint, question, errors: 0 }));
        asks.open_key(place);
        self.asks_begin(c, app);
        Ok(())
    }

    /// Returns the partition of a new request: the one that its own constraint names, if that is a single leaf;
    /// otherwise its queue's default.
    fn target_partition(
        &self,
        c: &mut Cluster,
        app: AppId,
        constraint: Option<&Constraint>,
    ) -> Result<PartitionId, BadConstraint> {
        let mut by_name = |name: &str| c.partition_or_unknown(name);
        if let Some(Constraint::Single(leaf)) = constraint {
            for target in &leaf.targets {
                match target {
                    Target::Partition { values } if values.len() > 1 => return Err(BadConstraint::SeveralPartitions),
                    Target::Partition { values } if !values.is_empty() => return Ok(by_name(&values[0])),
                    _ => {}
                }
            }
        }
        let default = self.queue(c.app(app).queue).conf.default_label.as_deref();
        Ok(c.partition_or_unknown(default.unwrap_or("")))
    }
}
