//! The offer of a node: to starved applications that it has promised resources, to its reservation alone, otherwise to
//! the tree, repeatedly if several containers may be placed (FairScheduler.attemptScheduling,
//! continuousSchedulingAttempt; fair-scheduler.md 11, 17).

use super::keys::{Sortable, SortedEntry};
use super::try_app::FairKeyTry;
use super::{FairScheduler, ROOT, fit, fits};
use crate::check::{About, Amounts, Check, Checked, Figures};
use crate::config::fair::Policy;
use crate::journal::{AppOrder, Finding, ORDER_SHOWN, OfferResult, Recorder, ShareOrder, UnreserveCause, VisitEnd};
use crate::model::{AppId, NodeId, PartitionId, QueueId, Resource};
use crate::scheduler::{Cluster, Slot};

/// The result of a visit.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Given {
    Nothing,
    /// The node is reserved.
    Reservation,
    /// A container of this size.
    Container(Resource),
}

impl Given {
    pub(super) fn result(self) -> OfferResult {
        match self {
            Given::Nothing => OfferResult::Skipped,
            Given::Reservation => OfferResult::Reserved,
            Given::Container(_) => OfferResult::Allocated,
        }
    }

    /// Returns how the visit of a queue or an application ends.
    pub(super) fn end(self) -> VisitEnd {
        match self {
            Given::Nothing => VisitEnd::Next,
            Given::Reservation | Given::Container(_) => VisitEnd::Served,
        }
    }
}

/// The maximum number of containers in one offer, whatever the settings say.
const CONTAINERS_PER_OFFER: i32 = 100_000;

impl FairScheduler {
    #[inline(never)]
    pub(crate) fn node_turn<R: Recorder>(&mut self, c: &mut Cluster, node: NodeId, rec: &mut R) {
        if !c.node(node).in_scheduler {
            return;
        }
        self.serve_claims(c, node, rec);
        let held = c.node(node).reserved;
        let (check, figures) = match held {
            Some(slot) if self.serve_reservation(c, node, slot, rec) => (Check::TurnUnreserved, Figures::None),
            Some(_) | None => self.offer(c, node, rec),
        };
        rec.detail(c.now, || Finding::TurnOver { by: Checked::failed(check, About::Node(node), figures) });
        self.note_available(c);
    }

    pub(super) fn begin<R: Recorder>(&self, c: &Cluster, node: NodeId, rec: &mut R) {
        rec.note(c.now, || {
            let n = c.node(node);
            let reserved = n.reserved.map(|slot| c.containers.at(slot).id);
            Finding::Offer { node, partition: PartitionId::DEFAULT, total: n.total, free: n.free(), reserved }
        });
    }

    /// 14.3: serves a reservation. A valid one, fulfilled or not, ends the offer; an invalid one is dropped. Returns
    /// whether it is valid.
    fn serve_reservation<R: Recorder>(&mut self, c: &mut Cluster, node: NodeId, slot: Slot, rec: &mut R) -> bool {
        self.begin(c, node, rec);
        let r = c.containers.at(slot);
        let (app, key, size) = (r.id.app, r.key, r.size);
        let place = c.app(app).asks.find(key);
        let (of_app, of_request, about) = (About::App(app), About::Request(app, key), About::OnNode(app, key, node));
        [of_app, of_request, about].into_iter().for_each(|about| rec.enter(c.now, about));
        let mut end = VisitEnd::Last;
        // Does not record the AM's status here.
        let want = place.map(|place| FairKeyTry { app, place, node, from: Some(slot) });
        let valid =
            want.is_some_and(|want| self.is_suitable(c, want, rec)) && self.over_am_share(c, app, rec).is_none();
        let mut result = OfferResult::Skipped;
        if !valid {
            rec.leave(c.now, about, end);
            self.unreserve(c, slot, UnreserveCause::Excess, rec);
        } else if fits(size, c.node(node).free()) {
            let given = want.and_then(|want| self.try_key(c, want, rec));
            match given.unwrap_or(Given::Nothing) {
                Given::Container(_) => (result, end) = (OfferResult::AllocatedFromReserved, VisitEnd::Served),
                Given::Reservation => end = VisitEnd::Served,
                Given::Nothing => rec.leave(c.now, about, end),
            }
        } else {
            let free = c.node(node).free();
            end = VisitEnd::Served;
            rec.leave(c.now, about, VisitEnd::ReReserved { need: size, free });
        }
        [of_request, of_app].into_iter().for_each(|about| rec.leave(c.now, about, end));
        rec.note(c.now, || Finding::OfferOver { result });
        valid
    }

    /// Offers the node repeatedly; returns the check that ended it.
    fn offer<R: Recorder>(&mut self, c: &mut Cluster, node: NodeId, rec: &mut R) -> (Check, Figures) {
        let half = c.node(node).free().map(|v| (v as f64 * 0.5) as i64);
        let (mut assigned, mut count) = (Resource::ZERO, 0);
        while c.node(node).reserved.is_none() {
            self.begin(c, node, rec);
            let given = self.visit(c, ROOT, node, rec);
            rec.note(c.now, || Finding::OfferOver { result: given.result() });
            match given {
                Given::Nothing => return (Check::OfferGave, Figures::None),
                Given::Reservation => assigned[0] -= 1,
                Given::Container(size) => assigned += size,
            }
            count += 1;
            let conf = &self.conf;
            if !conf.assign_multiple {
                return (Check::MultipleAssignments, Figures::None);
            }
            if conf.dynamic_max_assign && !fits(assigned, half) {
                return (Check::HalfOfFreeRoom, Amounts::within(assigned, half).into());
            }
            let most = match conf.max_assign {
                most if most <= 0 || conf.dynamic_max_assign => CONTAINERS_PER_OFFER,
                most => most.min(CONTAINERS_PER_OFFER),
            };
            if count >= most {
                let figures = Figures::Count { have: count.into(), need: most.into() };
                return (Check::AssignmentsPerHeartbeat, figures);
            }
        }
        (Check::TurnUnreserved, Figures::None)
    }

    fn visit<R: Recorder>(&mut self, c: &mut Cluster, queue: QueueId, node: NodeId, rec: &mut R) -> Given {
        let about = About::Queue(queue);
        rec.enter(c.now, about);
        let (used, maximum) = (&self.queue(queue).used, self.most_of(c, queue));
        let mut given = Given::Nothing;
        if c.node(node).reserved.is_some() {
            rec.failed(c.now, || Checked::failed(Check::NodeUnreserved, about, Figures::None));
        } else if !fit(used, maximum) {
            rec.failed(c.now, || {
                Checked::failed(Check::MaxResources, about, Amounts::within(*used, *maximum).each_type().into())
            });
        } else if self.queue(queue).leaf {
            given = self.visit_leaf(c, queue, node, rec);
        } else {
            self.bring_in_order(c, queue);
            rec.detail(c.now, || self.shares_order(queue, &self.queue(queue).children_asked));
            // A visit that gives nothing changes no order.
            for place in 0..self.queue(queue).children_asked.len() {
                let child = self.queue(queue).children_asked[place].who;
                given = self.visit(c, child, node, rec);
                if given != Given::Nothing {
                    break;
                }
            }
        }
        rec.leave(c.now, about, given.end());
        given
    }

    fn visit_leaf<R: Recorder>(&mut self, c: &mut Cluster, leaf: QueueId, node: NodeId, rec: &mut R) -> Given {
        self.bring_in_order(c, leaf);
        rec.record(|rec| self.tell_idle(c, leaf, rec));
        let (host, rack) = (c.node(node).host_place, c.node(node).rack);
        rec.detail(c.now, || {
            let asked = self.queue(leaf).apps_asked.iter().map(|asked| asked.who);
            self.apps_order(c, leaf, &asked.filter(|app| self.has_demand(c, *app)).collect::<Vec<_>>())
        });
        let mut stopped = self.stopped_row(c, leaf);
        let mut place = 0;
        while place < self.queue(leaf).apps_asked.len() {
            if let Some(row) = stopped.take_if(|row| row.places.start == place) {
                place = row.places.end;
                self.pass_stopped(c, leaf, row, rec);
                continue;
            }
            let app = self.queue(leaf).apps_asked[place].who;
            place += 1;
            if !self.has_demand(c, app) {
                continue;
            }
            if let Some(place) = c.app(app).avoided().iter().copied().find(|p| *p == host || *p == rack) {
                rec.enter(c.now, About::App(app));
                for (key, _) in c.app(app).asks.open() {
                    let about = About::OnNode(app, *key, node);
                    rec.failed(c.now, || Checked::failed(Check::Blacklist, about, Figures::Place(place)));
                }
                rec.leave(c.now, About::App(app), VisitEnd::Next);
                continue;
            }
            rec.enter(c.now, About::App(app));
            let given = self.try_app(c, app, node, rec);
            rec.leave(c.now, About::App(app), given.end());
            if given != Given::Nothing {
                return given;
            }
        }
        Given::Nothing
    }

    fn shares_order(&self, queue: QueueId, children: &[SortedEntry<QueueId>]) -> Finding {
        let order = children.iter().take(ORDER_SHOWN).map(|asked| {
            let q = self.queue(asked.who);
            ShareOrder { queue: q.id, used: q.used, minimum: q.minimum, demand: q.demand, weight: q.weight }
        });
        let order: Vec<ShareOrder> = order.collect();
        let others = children.len() - order.len();
        Finding::Shares { queue, order, others }
    }

    fn apps_order(&self, c: &Cluster, queue: QueueId, apps: &[AppId]) -> Finding {
        let drf = self.queue(queue).policy == Policy::Drf;
        let share = |s: &Sortable| {
            let types = 0..if drf { c.types.len() } else { 1 };
            let of = |i: usize| if drf { s.used[i] as f64 / c.total[i].max(1) as f64 } else { s.used[i] as f64 };
            types.map(of).fold(0.0, f64::max) / f64::from(s.weight)
        };
        let order = apps.iter().take(ORDER_SHOWN).map(|app| {
            let (a, s) = (c.app(*app), self.sortable(c, *app));
            AppOrder {
                app: *app,
                priority: a.priority,
                share: share(&s),
                started_at: self.apps[app.index()].started_at,
                demands: s.demand.memory_mb() > 0,
                has_pending: !a.asks.open().is_empty(),
            }
        });
        let order: Vec<AppOrder> = order.collect();
        let others = apps.len() - order.len();
        Finding::Apps { queue, order, others }
    }

    /// Makes one pass of the thread that offers nodes continuously: those with most free memory first, and of nodes
    /// with the same free memory only the first that registered (quirk). Returns whether it changed anything.
    pub(crate) fn continuous_pass<R: Recorder>(&mut self, c: &mut Cluster, rec: &mut R) -> bool {
        let mut nodes: Vec<NodeId> = Vec::new();
        let free = |c: &Cluster, id: NodeId| c.node(id).free().memory_mb();
        for id in c.nodes_by_registration() {
            if nodes.iter().all(|other| free(c, *other) != free(c, id)) {
                nodes.push(id);
            }
        }
        nodes.sort_by_key(|id| std::cmp::Reverse(free(c, *id)));
        let state = |c: &Cluster| {
            let reserved = c.nodes.iter().filter(|n| n.reserved.is_some()).count();
            (c.apps.iter().map(|a| a.next_seq).sum::<u64>(), reserved, c.node_count)
        };
        let before = (state(c), self.queue(ROOT).used);
        for id in nodes {
            if fits(c.minimum, c.node(id).free()) {
                self.node_turn(c, id, rec);
            }
        }
        before != (state(c), self.queue(ROOT).used)
    }
}
