//! The batch placement of the placement processor (DefaultPlacementAlgorithm, CircularIterator,
//! SerialIterator and PopularTagsIterator, LocalAllocationTagsManager; placement-constraints.md sections 8.3, 8.4).
//!
//! A run proposes nodes for a batch of requests in at most two passes, each followed by a validation of all proposals
//! so far. Proposals count in the real tag counters while the run lasts. The run checks what fits, but the free
//! resources that it tracks grow with each proposal (YARN adds where it should subtract): only the commit protects the
//! node.

use super::Constraint;
use super::evaluate::{Asking, EvalError, PlacementState, Site, Verdict};
use crate::model::{AppId, Calculator, NodeId, RequestKey, Resource};
use indexmap::{IndexMap, IndexSet};
use std::collections::BTreeMap;
use std::sync::Arc;

/// The order in which a batch is processed (`…placement-constraints.algorithm.iterator`).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub enum IteratorKind {
    /// In the order of arrival.
    #[default]
    Serial,
    /// Requests with the most frequent tags first.
    PopularTags,
}

/// A scheduling request as the algorithm sees it.
#[derive(Clone, Debug, PartialEq)]
pub struct BatchRequest {
    pub allocation_request_id: i64,
    pub priority: i32,
    /// Its tags, in the order of a Java set: blacklists use the first one. Requests with the same tags share them.
    pub tags: Arc<[String]>,
    pub count: i64,
    /// The size of each allocation, normalised.
    pub size: Resource,
    pub constraint: Option<Arc<Constraint>>,
}

impl BatchRequest {
    pub fn key(&self) -> RequestKey {
        RequestKey { priority: self.priority, allocation_request_id: self.allocation_request_id }
    }
}

/// Requests that are placed together.
#[derive(Clone, Debug, PartialEq)]
pub struct Batch {
    /// The requests in the order of arrival.
    pub requests: Vec<BatchRequest>,
    /// The number of the attempt, from 1.
    pub attempt: i32,
    /// By first tag: nodes on which a commit failed. They are excluded in the first pass only.
    pub blacklist: IndexMap<String, IndexSet<NodeId>>,
}

impl Batch {
    /// A batch with an empty blacklist.
    pub fn new(requests: Vec<BatchRequest>, attempt: i32) -> Self {
        Batch { requests, attempt, blacklist: IndexMap::new() }
    }
}

/// A request with the nodes proposed for it, one for each allocation.
#[derive(Clone, Debug, PartialEq)]
pub struct Placed {
    /// The request, with its count in its pass.
    pub request: BatchRequest,
    pub attempt: i32,
    pub nodes: Vec<NodeId>,
}

/// The result of a run.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct Run {
    /// Proposals, in order; a request may appear once for each pass.
    pub placed: Vec<Placed>,
    /// Requests with their remaining counts.
    pub rejected: Vec<BatchRequest>,
    /// A request without tags ended the run with an unchecked error: nothing is placed or rejected, and temporary tags
    /// stay until the application's next run.
    pub died: bool,
    /// The trail of every request, if trails are on.
    pub trails: Vec<Trail>,
    /// The index of a request's latest trail, by pass and allocation request id.
    trail_of: BTreeMap<(u8, i64), usize>,
}

impl Run {
    /// Shares the latest trail with the one before if they are equal: a thousand equal requests store it once.
    fn share_latest_trail(&mut self) {
        if let [.., before, latest] = self.trails.as_mut_slice()
            && before.met == latest.met
        {
            latest.met = Arc::clone(&before.met);
        }
    }
}

/// A node as a run sees it.
#[derive(Clone, Copy, Debug)]
pub struct Candidate<'a> {
    pub site: Site<'a>,
    /// Its unallocated resources.
    pub free: Resource,
}

/// The outcomes of a request in one pass, node by node, counted by kind.
#[derive(Clone, Debug, PartialEq)]
pub struct Trail {
    /// The pass, 1 or 2.
    pub pass: u8,
    pub allocation_request_id: i64,
    /// The outcome, its number, and the first node. Consecutive requests with the same outcomes share it.
    pub met: Arc<Vec<(Met, u32, NodeId)>>,
}

/// The outcome of a request on a node.
#[derive(Clone, Debug, PartialEq)]
pub enum Met {
    /// A commit for this tag failed on the node before.
    Blacklisted,
    /// It does not fit in the node's free resources as the run tracks them.
    DoesNotFit,
    /// The constraint does not hold: YARN's text for the leaf.
    Unsatisfied(Arc<str>),
    /// The constraint cannot be evaluated.
    Error(EvalError),
    Proposed,
    /// Dropped by the validation: a later proposal has made its constraint false.
    Dropped,
}

/// Proposals that count temporarily: application -> node, rack and tags. Between runs it is empty unless a run died.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct Temporaries(BTreeMap<AppId, Vec<Tagged>>);

/// A node and the tags that count there.
type Tagged = (NodeId, Arc<[String]>);

impl Temporaries {
    fn add(&mut self, state: &mut PlacementState, app: AppId, site: Site<'_>, tags: &Arc<[String]>) {
        state.tags.add(app, site.node.0, site.rack, tags);
        self.0.entry(app).or_default().push((site.node, Arc::clone(tags)));
    }

    /// Removes one proposal.
    fn remove(&mut self, state: &mut PlacementState, app: AppId, site: Site<'_>, tags: &[String]) {
        state.tags.remove(app, site.node.0, site.rack, tags);
        self.forget(app, site.node, tags);
    }

    fn forget(&mut self, app: AppId, node: NodeId, tags: &[String]) {
        if let Some(own) = self.0.get_mut(&app)
            && let Some(i) = own.iter().position(|(n, t)| *n == node && **t == *tags)
        {
            own.remove(i);
        }
    }

    /// Removes all proposals of an application. A node that is not listed any more counts as in the rack
    /// `default_rack`.
    pub fn clean(&mut self, state: &mut PlacementState, app: AppId, nodes: &[Candidate<'_>], default_rack: u32) {
        for (node, tags) in self.0.remove(&app).unwrap_or_default() {
            let rack = nodes.iter().find(|c| c.site.node == node).map_or(default_rack, |c| c.site.rack);
            state.tags.remove(app, node.0, rack, &tags);
        }
    }

    /// The application's proposals that count now.
    pub fn of(&self, app: AppId) -> &[Tagged] {
        self.0.get(&app).map_or(&[], Vec::as_slice)
    }
}

/// The walk of a pass over the nodes for one request: `first`, if any, then all nodes from the position of the shared
/// iterator on. Checking for a next one advances the iterator.
#[derive(Debug)]
pub struct Circular<'c> {
    len: usize,
    shared: &'c mut usize,
    own: Option<usize>,
    first: Option<usize>,
    next: Option<usize>,
    start: usize,
}

impl<'c> Circular<'c> {
    /// A walk over `len` places; `shared` is the position of the shared iterator. `None` if there are no places.
    pub fn new(len: usize, shared: &'c mut usize, first: Option<usize>) -> Option<Self> {
        if len == 0 {
            return None;
        }
        let own = if *shared >= len { Some(0) } else { None };
        let mut walk = Circular { len, shared, own, first, next: None, start: 0 };
        walk.start = walk.draw();
        walk.next = Some(walk.start);
        Some(walk)
    }

    fn draw(&mut self) -> usize {
        let at = match &mut self.own {
            Some(at) => at,
            None if *self.shared < self.len => self.shared,
            // A fresh iterator; the shared one stays at its end.
            None => self.own.insert(0),
        };
        if *at >= self.len {
            *at = 0;
        }
        *at += 1;
        *at - 1
    }

    /// Returns whether there is a next place. Advances the iterator if necessary.
    pub fn has_next(&mut self) -> bool {
        if self.first.is_some() || self.next.is_some() {
            return true;
        }
        let drawn = self.draw();
        if drawn == self.start {
            return false;
        }
        self.next = Some(drawn);
        true
    }
}

impl Iterator for Circular<'_> {
    type Item = usize;

    fn next(&mut self) -> Option<usize> {
        if !self.has_next() {
            return None;
        }
        self.first.take().or_else(|| self.next.take())
    }
}

/// The order in which a batch's requests are processed, as indices. `None`: computing it raises an unchecked error.
pub fn request_order(kind: IteratorKind, requests: &[BatchRequest]) -> Option<Vec<usize>> {
    match kind {
        IteratorKind::Serial => Some((0..requests.len()).collect()),
        IteratorKind::PopularTags => super::popular::order(requests),
    }
}

/// The state and the input of a run.
#[derive(Debug)]
pub struct Work<'a> {
    /// Tags, attributes, constraints.
    pub state: &'a mut PlacementState,
    pub temporaries: &'a mut Temporaries,
    pub app: AppId,
    /// The nodes in YARN's order.
    pub nodes: &'a [Candidate<'a>],
    pub calculator: Calculator,
    pub iterator: IteratorKind,
    /// The number of the rack named `default-rack`, which stands for the rack of an unlisted node.
    pub default_rack: u32,
    /// Whether to record the trails.
    pub trails: bool,
}

impl Work<'_> {
    /// Runs the algorithm over a batch.
    pub fn run(&mut self, batch: &Batch) -> Run {
        let mut out = Run::default();
        let mut room: Vec<Resource> = self.nodes.iter().map(|c| c.free).collect();
        let mut second: Option<Batch> = None;
        for pass in 1..=2u8 {
            let batch = second.as_ref().unwrap_or(batch);
            let Some(mut rejected) = self.place(batch, pass, &mut room, &mut out) else {
                return Run { died: true, trails: out.trails, ..Run::default() };
            };
            self.validate(pass, &mut room, &mut out, &mut rejected);
            out.rejected = rejected;
            if out.rejected.is_empty() {
                break;
            }
            second = Some(Batch::new(out.rejected.clone(), batch.attempt));
        }
        self.temporaries.clean(self.state, self.app, self.nodes, self.default_rack);
        out
    }

    fn trail<'o>(&self, out: &'o mut Run, pass: u8, request: &BatchRequest) -> Option<&'o mut Trail> {
        if !self.trails {
            return None;
        }
        let id = request.allocation_request_id;
        let at = *out.trail_of.entry((pass, id)).or_insert_with(|| {
            out.trails.push(Trail { pass, allocation_request_id: id, met: Arc::default() });
            out.trails.len() - 1
        });
        out.trails.get_mut(at)
    }

    fn meet(&self, out: &mut Run, pass: u8, request: &BatchRequest, node: NodeId, met: impl FnOnce() -> Met) {
        if let Some(trail) = self.trail(out, pass, request) {
            let met = met();
            let all = Arc::make_mut(&mut trail.met);
            match all.iter_mut().find(|(kind, ..)| *kind == met) {
                Some((_, times, _)) => *times += 1,
                None => all.push((met, 1, node)),
            }
        }
    }

    /// The placement pass (8.3.1); `None` if the run dies.
    fn place(&mut self, batch: &Batch, pass: u8, room: &mut [Resource], out: &mut Run) -> Option<Vec<BatchRequest>> {
        let mut left: Vec<i64> = batch.requests.iter().map(|r| r.count).collect();
        let mut shared = 0;
        let mut last: Option<usize> = None;
        // The outcomes of an equal request, by node, since the latest proposal.
        let mut alike: Option<(&BatchRequest, Vec<Option<Met>>)> = None;
        for i in request_order(self.iterator, &batch.requests)? {
            let request = &batch.requests[i];
            let Some(mut walk) = Circular::new(self.nodes.len(), &mut shared, last) else { break };
            let mut nodes = Vec::new();
            let like = |other: &BatchRequest| other.tags == request.tags && other.constraint == request.constraint;
            if !alike.as_ref().is_some_and(|(other, _)| like(other)) {
                alike = Some((request, vec![None; self.nodes.len()]));
            }
            // "Is there a next node" is checked before "is more wanted": one more node is consumed unseen.
            while walk.has_next() && left[i] > 0 {
                let Some(at) = walk.next() else { break };
                let site = self.nodes[at].site;
                let tag = request.tags.first()?;
                let known = alike.as_mut().and_then(|(_, met)| met.get_mut(at));
                let met = self.try_node(batch, request, tag, at, room[at], known);
                if met == Met::Proposed {
                    if let Some((_, met)) = &mut alike {
                        met.fill(None);
                    }
                    left[i] -= 1;
                    room[at] += request.size;
                    nodes.push(site.node);
                    self.temporaries.add(self.state, self.app, site, &request.tags);
                    last = Some(at);
                }
                self.meet(out, pass, request, site.node, || met);
            }
            out.share_latest_trail();
            if !nodes.is_empty() {
                out.placed.push(Placed { request: request.clone(), attempt: batch.attempt, nodes });
            }
        }
        let rest = |(request, left): (&BatchRequest, i64)| BatchRequest { count: left, ..request.clone() };
        Some(batch.requests.iter().zip(left).filter(|(_, left)| *left > 0).map(rest).collect())
    }

    /// `known`: the outcome of the constraint of an equal request there.
    fn try_node(
        &self,
        batch: &Batch,
        request: &BatchRequest,
        tag: &str,
        at: usize,
        room: Resource,
        known: Option<&mut Option<Met>>,
    ) -> Met {
        let site = self.nodes[at].site;
        if batch.blacklist.get(tag).is_some_and(|barred| barred.contains(&site.node)) {
            return Met::Blacklisted;
        }
        if !self.calculator.fits_in(&request.size, &room) {
            return Met::DoesNotFit;
        }
        if let Some(Some(known)) = &known {
            return known.clone();
        }
        let met = match self.evaluate(request, site) {
            Ok(Verdict::Satisfied) => Met::Proposed,
            Ok(Verdict::Unsatisfied(failing)) => {
                Met::Unsatisfied(if self.trails { failing.yarn_text().into() } else { Arc::from("") })
            }
            Err(error) => Met::Error(error),
        };
        if let Some(known) = known {
            *known = Some(met.clone());
        }
        met
    }

    fn evaluate<'r>(&'r self, request: &'r BatchRequest, site: Site<'_>) -> Result<Verdict<'r>, EvalError> {
        let asking = Asking { app: self.app, tags: &request.tags, constraint: request.constraint.as_deref() };
        self.state.can_satisfy(asking, site)
    }

    /// The validation of all proposals so far (8.3.2): one sweep in the order of proposals.
    fn validate(&mut self, pass: u8, room: &mut [Resource], out: &mut Run, rejected: &mut Vec<BatchRequest>) {
        let mut placed = std::mem::take(&mut out.placed);
        for proposal in &mut placed {
            let before = proposal.nodes.len();
            let request = proposal.request.clone();
            proposal.nodes.retain(|node| self.still_holds(pass, &request, *node, room, out));
            let dropped = before - proposal.nodes.len();
            if dropped > 0 {
                rejected.push(BatchRequest { count: dropped as i64, ..request });
            }
        }
        placed.retain(|p| !p.nodes.is_empty());
        out.placed = placed;
    }

    /// Returns whether a proposal's constraint still holds without the proposal's own tags. If so they are added again.
    /// An error is not a failure here: the proposal stays, but its tags do not.
    fn still_holds(
        &mut self,
        pass: u8,
        request: &BatchRequest,
        node: NodeId,
        room: &mut [Resource],
        out: &mut Run,
    ) -> bool {
        let Some(at) = self.nodes.iter().position(|c| c.site.node == node) else { return true };
        let site = self.nodes[at].site;
        self.temporaries.remove(self.state, self.app, site, &request.tags);
        match self.evaluate(request, site).map(|v| v.holds()) {
            Ok(true) => {
                self.temporaries.add(self.state, self.app, site, &request.tags);
                true
            }
            Ok(false) => {
                room[at] -= request.size;
                self.meet(out, pass, request, node, || Met::Dropped);
                false
            }
            Err(_) => true,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::parse_expression;
    use super::*;
    use crate::model::{CalculatorKind, ResourceTypes};

    const HOSTS: [&str; 4] = ["n1", "n2", "n3", "n4"];

    fn request(id: i64, tag: &str, count: i64, constraint: Option<&str>) -> BatchRequest {
        BatchRequest {
            allocation_request_id: id,
            priority: 1,
            tags: if tag.is_empty() { [].into() } else { [tag.into()].into() },
            count,
            size: Resource::new(512, 1),
            constraint: constraint.map(|c| Arc::new(parse_expression(c).expect(c).constraint)),
        }
    }

    fn run(state: &mut PlacementState, requests: Vec<BatchRequest>) -> (Run, Temporaries) {
        let site = |(i, host)| Site { node: NodeId(i as u32), host, rack: 1, partition: "" };
        let nodes: Vec<Candidate<'_>> = HOSTS
            .iter()
            .copied()
            .enumerate()
            .map(|(i, host)| Candidate { site: site((i, host)), free: Resource::new(4096, 4) })
            .collect();
        let mut temporaries = Temporaries::default();
        let mut work = Work {
            state,
            temporaries: &mut temporaries,
            app: AppId(0),
            nodes: &nodes,
            calculator: Calculator::new(CalculatorKind::Default, &ResourceTypes::default()),
            iterator: IteratorKind::Serial,
            default_rack: 0,
            trails: true,
        };
        let run = work.run(&Batch::new(requests, 1));
        (run, temporaries)
    }

    fn nodes(run: &Run) -> Vec<(i64, Vec<u32>)> {
        let ids = |p: &Placed| p.nodes.iter().map(|n| n.0 + 1).collect();
        run.placed.iter().map(|p| (p.request.allocation_request_id, ids(p))).collect()
    }

    #[test]
    fn a_request_gets_one_container_per_node_and_pass() {
        let mut state = PlacementState::default();
        let (run, _) = run(&mut state, vec![request(1, "foo", 10, None)]);
        assert_eq!(nodes(&run), [(1, vec![1, 2, 3, 4]), (1, vec![1, 2, 3, 4])]);
        assert_eq!(run.rejected[0].count, 2);
        assert_eq!(state.tags, {
            let mut empty = state.tags.clone();
            empty.remove(AppId(0), 0, 1, &["foo"]);
            empty
        });
        assert_eq!(state.tags.listed().count(), 0, "temporary tags are gone");
    }

    #[test]
    fn one_node_is_drawn_unseen_after_each_request() {
        let mut state = PlacementState::default();
        let five = (1..=5).map(|id| request(id, "foo", 1, Some("notin,node,foo"))).collect();
        let (run, _) = run(&mut state, five);
        assert_eq!(nodes(&run), [(1, vec![1]), (2, vec![3]), (3, vec![2]), (4, vec![4])]);
        assert_eq!(run.rejected.iter().map(|r| r.allocation_request_id).collect::<Vec<_>>(), [5]);
        let last = run.trails.iter().find(|t| t.allocation_request_id == 5).unwrap();
        assert!(matches!(&last.met[0].0, Met::Unsatisfied(text) if text.contains("notin,node,foo")));
    }

    #[test]
    fn a_request_without_tags_ends_the_run_and_leaves_temporary_tags() {
        let mut state = PlacementState::default();
        let (run, temporaries) = run(&mut state, vec![request(1, "foo", 1, None), request(2, "", 1, None)]);
        assert!(run.died && run.placed.is_empty() && run.rejected.is_empty());
        assert_eq!(temporaries.of(AppId(0)).len(), 1);
    }
}
