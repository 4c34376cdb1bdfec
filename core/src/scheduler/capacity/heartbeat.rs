//! A node's turn: the number of its offers, and one offer (CapacityScheduler.allocateContainersToNode,
//! allocateContainerOnSingleNode; capacity-scheduler.md 7, 7.1).

use super::CapacityScheduler;
use super::offer::{AppOutcome, Candidates, KeyTry, Limits, Offer, Proposed, QueueOutcome, Terms};
use super::users::Mode;
use crate::check::{About, Amounts, Check, Checked, Figures};
use crate::journal::{Collected, Finding, OfferResult, Recorder, VisitEnd};
use crate::model::{NodeId, PartitionId, QueueId, Resource};
use crate::scheduler::{Cluster, Locality, Slot};

/// The maximum number of assignments in one heartbeat, whatever the settings say.
const ASSIGNMENTS_PER_HEARTBEAT: i32 = 100_000;

const ROOT: QueueId = QueueId(0);

impl CapacityScheduler {
    /// Makes offers on a node that has reported (heartbeat mode).
    #[inline(never)]
    pub(crate) fn node_turn<R: Recorder>(&mut self, c: &mut Cluster, node: NodeId, rec: &mut R) {
        let (mut off_switch, mut count) = (0i32, 0i32);
        let turn_over = |c: &Cluster, rec: &mut R, check: Check, figures: Figures| {
            rec.detail(c.now, || Finding::TurnOver { by: Checked::failed(check, About::Node(node), figures) });
        };
        // 2: one offer; 3: more of them while the limits of a heartbeat allow.
        loop {
            let Some(proposal) = self.offer_node(c, node, rec) else {
                turn_over(c, rec, Check::OfferGave, Figures::None);
                break;
            };
            if proposal.locality == Locality::OffSwitch {
                off_switch += 1;
            }
            count += 1;
            let conf = &self.conf;
            // Without a limit, refused proposals could follow one another for ever.
            let most = match conf.maximum_container_assignments {
                -1 => ASSIGNMENTS_PER_HEARTBEAT,
                most => most.min(ASSIGNMENTS_PER_HEARTBEAT),
            };
            let of_count = |have: i32, need: i32| Figures::Count { have: have.into(), need: need.into() };
            let (check, figures) = if proposal.reserve {
                (Check::TurnUnreserved, Figures::None)
            } else if !conf.multiple_assignments {
                (Check::MultipleAssignments, Figures::None)
            } else if off_switch >= conf.maximum_offswitch_assignments {
                (Check::OffSwitchAssignments, of_count(off_switch, conf.maximum_offswitch_assignments))
            } else if count >= most {
                (Check::AssignmentsPerHeartbeat, of_count(count, most))
            } else {
                continue;
            };
            turn_over(c, rec, check, figures);
            break;
        }
    }

    /// Makes one offer on a node; a proposal counts even if its commit is refused.
    pub(super) fn offer_node<R: Recorder>(&mut self, c: &mut Cluster, id: NodeId, rec: &mut R) -> Option<Proposed> {
        if self.conf.multi_node.enabled {
            return self.offer_candidates(c, id, rec);
        }
        // 1: the node is gone.
        let node = c.node(id);
        if !node.in_scheduler {
            return None;
        }
        let (free, partition, reserved) = (node.free(), node.partition, node.reserved);
        rec.note(c.now, || Finding::Offer {
            node: id,
            partition,
            total: c.node(id).total,
            free,
            reserved: reserved.map(|slot| c.containers.at(slot).id),
        });
        // 2: a reserved node serves its reservation and nothing else.
        if let Some(slot) = reserved {
            self.retry_reservation(c, id, slot, rec);
            return None;
        }
        // 3: not even a minimum allocation fits.
        let room = free + self.books.preemption.killable_on(c, id);
        if !c.calculator.has_room_for(&room, &c.minimum) {
            rec.enter(c.now, About::Queue(ROOT));
            let amounts = || Amounts::fit(c.minimum, free).into();
            rec.failed(c.now, || Checked::failed(Check::NodeMinimum, About::Queue(ROOT), amounts()));
            rec.leave(c.now, About::Queue(ROOT), VisitEnd::Last);
            rec.note(c.now, || Finding::OfferOver { result: OfferResult::Skipped });
            return None;
        }
        let roomy = c.calculator.fits_in(&c.minimum, &free) && !self.books.preemption.is_lazy();
        if roomy && self.books.repeat_offer(c, id, rec) {
            return None;
        }
        let terms = Terms { node: id, partition, mode: Mode::Respect, candidates: Candidates::One, listed: false };
        let mut found = Collected::new(rec, c.now, self.room.take());
        let mut offer = self.offer(terms, c.short_cuts.skip_visits(&found));
        offer.assign_in_modes(c, &mut found);
        let (terms, proposal) = (offer.terms, offer.proposal);
        let Some(proposal) = proposal else {
            self.room = if roomy { self.books.came_to_nothing(c, id, found) } else { found.hand_over() };
            return None;
        };
        self.room = found.hand_over();
        self.books.came_to_something();
        self.propose(c, &terms, &proposal, rec);
        Some(proposal.kind())
    }

    /// Creates the offer of a node.
    pub(super) fn offer(&mut self, terms: Terms, skips: bool) -> Offer<'_> {
        Offer {
            conf: &self.conf,
            books: &mut self.books,
            sorted: &mut self.sorted_nodes,
            silent_after_ms: self.silent_after_ms,
            commits_late: self.uncommitted.is_some(),
            skips,
            terms,
            proposal: None,
        }
    }

    /// Step 2: offers the node to the reservation's application only.
    #[cold]
    pub(super) fn retry_reservation<R: Recorder>(&mut self, c: &mut Cluster, node: NodeId, slot: Slot, rec: &mut R) {
        let reservation = c.containers.at(slot);
        let (app, key) = (reservation.id.app, reservation.key);
        let leaf = c.app(app).queue;
        self.books.app_changes(c, leaf);
        let partition = c.node(node).partition;
        let terms = Terms { node, partition, mode: Mode::Respect, candidates: Candidates::One, listed: false };
        let mut limits = Limits::of(*c.partition_total(PartitionId::DEFAULT));
        self.books.note_limit(c, leaf, &limits.limit);
        let place = c.app(app).asks.find(key);
        debug_assert!(place.is_some(), "a key that something is reserved for stays known");
        let Some(place) = place else { return };
        let (of_leaf, of_app) = (About::Queue(leaf), About::App(app));
        let of_request = About::Request(app, key);
        [of_leaf, of_app, of_request].into_iter().for_each(|about| rec.enter(c.now, about));
        // YARN records this case for several nodes together, not for a single node.
        if self.conf.multi_node.enabled && c.app(app).asks.at(place).any().is_none() {
            rec.failed(c.now, || Checked::failed(Check::RequestKept, of_request, Figures::None));
        }
        let (outcome, proposal) = if c.app(app).asks.at(place).outstanding() == 0 {
            (AppOutcome::Excess, None)
        } else {
            let mut found = Collected::new(rec, c.now, self.room.take());
            let mut offer = self.offer(terms, c.short_cuts.skip_visits(&found));
            let want = KeyTry { from: Some(slot), ..KeyTry::new(app, place) };
            let outcome = offer.assign_key_on_node(c, want, &mut limits, &mut found);
            let proposal = offer.proposal;
            self.room = found.hand_over();
            (outcome, proposal)
        };
        rec.leave(c.now, of_request, outcome.end_of_request());
        rec.leave(c.now, of_app, outcome.end_of_app());
        // A node that serves a reservation serves nobody else.
        let (end, result) = match proposal {
            Some(p) if p.reserve => {
                let free = c.node(node).free();
                (VisitEnd::ReReserved { need: p.size, free }, OfferResult::Reserved)
            }
            Some(_) => (VisitEnd::Served, OfferResult::AllocatedFromReserved),
            None => (VisitEnd::Last, OfferResult::Default),
        };
        rec.leave(c.now, of_leaf, end);
        rec.note(c.now, || Finding::OfferOver { result });
        match proposal {
            Some(p) => self.propose(c, &terms, &p, rec),
            None if outcome == AppOutcome::Excess => self.propose_drop(c, slot, rec),
            None => {}
        }
    }
}

impl Offer<'_> {
    /// Steps 4 and 5: makes both passes over the tree.
    pub(super) fn assign_in_modes<R: Recorder>(&mut self, c: &mut Cluster, rec: &mut Collected<'_, R>) {
        let partition = self.terms.partition;
        // 4: requests for the node's own partition.
        self.assign_root(c, *c.partition_total(partition), rec);
        // 5: idle room of a non-exclusive partition is lent to requests for the default one.
        if self.proposal.is_none() && !partition.is_default() && !c.partitions[partition.index()].exclusive {
            rec.note(c.now, || Finding::IgnoreExclusivity);
            self.terms.mode = Mode::Ignore;
            self.assign_root(c, *c.partition_total(PartitionId::DEFAULT), rec);
        }
    }

    fn assign_root<R: Recorder>(&mut self, c: &mut Cluster, limit: Resource, rec: &mut Collected<'_, R>) {
        let outcome = self.assign_queue(c, ROOT, &mut Limits::of(limit), rec);
        if outcome != QueueOutcome::Proposal {
            self.proposal = None;
            self.books.preemption.kill_nothing();
        }
        let result = match &self.proposal {
            Some(p) if p.reserve => OfferResult::Reserved,
            Some(_) => OfferResult::Allocated,
            None => OfferResult::Skipped,
        };
        rec.note(c.now, || Finding::OfferOver { result });
    }
}
