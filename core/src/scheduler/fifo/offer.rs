//! A node's turn under the FifoScheduler (FifoScheduler.assignContainers; fair-scheduler.md 21, "Heartbeat").

use super::{FifoScheduler, ONLY, used};
use crate::check::{About, Amounts, Check, Checked, Figures};
use crate::journal::{AppOrder, Finding, ORDER_SHOWN, OfferResult, Recorder, VisitEnd};
use crate::model::{AppId, NodeId, PartitionId, Resource};
use crate::scheduler::life::Grant;
use crate::scheduler::{Cluster, Locality, Origin, PlaceId};

/// Containers to be placed: of a key of an application, on a node, at a level of locality.
#[derive(Clone, Copy)]
struct FifoKeyTry {
    app: AppId,
    /// The place of its key among the application's requests.
    place: usize,
    node: NodeId,
    locality: Locality,
}

impl FifoScheduler {
    #[inline(never)]
    pub(crate) fn node_turn<R: Recorder>(&mut self, c: &mut Cluster, node: NodeId, rec: &mut R) {
        let (total, free) = (c.node(node).total, c.node(node).free());
        rec.note(c.now, || Finding::Offer { node, partition: PartitionId::DEFAULT, total, free, reserved: None });
        let least = c.minimum.memory_mb();
        let mut given = false;
        let about = About::Queue(ONLY);
        rec.enter(c.now, about);
        if free.memory_mb() < least {
            rec.failed(c.now, || Checked::failed(Check::NodeMinimum, about, Amounts::fit(c.minimum, free).into()));
        } else {
            rec.detail(c.now, || apps_order(c));
            for i in 0..c.apps.len() {
                let app = AppId::from(i);
                if !c.app(app).alive {
                    continue;
                }
                rec.enter(c.now, About::App(app));
                let served = self.serve(c, app, node, rec);
                given |= served;
                rec.leave(c.now, About::App(app), if served { VisitEnd::Served } else { VisitEnd::Next });
                if c.node(node).free().memory_mb() < least {
                    break;
                }
            }
            self.tell_headroom(c);
        }
        rec.leave(c.now, about, if given { VisitEnd::Served } else { VisitEnd::Next });
        let result = if given { OfferResult::Allocated } else { OfferResult::Skipped };
        rec.note(c.now, || Finding::OfferOver { result });
    }

    /// Serves an application's requests, most urgent first, until one gets nothing. Returns whether anything was
    /// allocated.
    fn serve<R: Recorder>(&mut self, c: &mut Cluster, app: AppId, node: NodeId, rec: &mut R) -> bool {
        let (host, rack) = (c.node(node).host_place, c.node(node).rack);
        let keys = c.app(app).asks.open().to_vec();
        if let Some(place) = c.app(app).avoided().iter().copied().find(|p| *p == host || *p == rack) {
            for (key, _) in keys {
                let about = About::OnNode(app, key, node);
                rec.failed(c.now, || Checked::failed(Check::Blacklist, about, Figures::Place(place)));
            }
            return false;
        }
        if keys.is_empty() {
            rec.nothing_wanted(c.now, Check::AppPending, About::App(app));
        }
        let mut given = false;
        for (key, place) in keys {
            let place = place as usize;
            let (request, on_node) = (About::Request(app, key), About::OnNode(app, key, node));
            rec.enter(c.now, request);
            let mut got = 0;
            for locality in [Locality::NodeLocal, Locality::RackLocal, Locality::OffSwitch] {
                got += self.assign(c, FifoKeyTry { app, place, node, locality }, rec);
            }
            if got == 0 {
                let need = c.app(app).asks.at(place).any().map_or(Resource::ZERO, |row| row.size);
                let amounts = || Amounts::fit(need, c.node(node).free()).into();
                rec.enter(c.now, on_node);
                rec.failed(c.now, || Checked::failed(Check::NodeFree, on_node, amounts()));
                rec.leave(c.now, on_node, VisitEnd::Next);
                rec.leave(c.now, request, VisitEnd::Last);
                break;
            }
            given = true;
            rec.leave(c.now, request, VisitEnd::Served);
        }
        given
    }

    /// Allocates as many containers as are requested at this locality and fit the node's memory.
    fn assign<R: Recorder>(&mut self, c: &mut Cluster, want: FifoKeyTry, rec: &mut R) -> i64 {
        let FifoKeyTry { app, place, node, locality } = want;
        let (host, rack) = (c.node(node).host_place, c.node(node).rack);
        let asks = c.app(app).asks.at(place);
        let count = |name: PlaceId| asks.row(name).map_or(0, |row| row.count);
        let (name, limit) = match locality {
            // Where a host's row counts more than its rack's, YARN ends in a NullPointerException.
            Locality::NodeLocal => (host, count(PlaceId::ANY).min(count(host)).min(count(rack))),
            Locality::RackLocal => (rack, count(PlaceId::ANY).min(count(rack))),
            Locality::OffSwitch => (PlaceId::ANY, count(PlaceId::ANY)),
        };
        let Some(size) = asks.row(name).map(|row| row.size).filter(|_| limit > 0) else { return 0 };
        let key = asks.key;
        let n = limit.min(c.node(node).free().memory_mb() / size.memory_mb().max(1));
        for _ in 0..n {
            let partition = PartitionId::DEFAULT;
            c.grant_asked(
                &Grant {
                    app,
                    place,
                    key,
                    tags: 0,
                    node,
                    partition,
                    size,
                    locality,
                    from: None,
                    origin: Origin::default(),
                },
                rec,
            );
            self.used += size;
            let about = About::OnNode(app, key, node);
            rec.enter(c.now, about);
            rec.leave(c.now, about, VisitEnd::Allocated { locality, missed: 0 });
        }
        n.max(0)
    }

    /// Sets the headroom of every application: the cluster's total minus the usage.
    fn tell_headroom(&mut self, c: &Cluster) {
        self.tell(c.total.minus_not_below_zero(self.used), c.apps.len());
    }
}

fn apps_order(c: &Cluster) -> Finding {
    let alive = || c.apps.iter().filter(|a| a.alive);
    let order = alive().take(ORDER_SHOWN).map(|a| AppOrder {
        app: a.id,
        priority: a.priority,
        share: 0.0,
        started_at: a.started_at,
        demands: !used(c, a.id).is_zero() || !a.asks.open().is_empty(),
        has_pending: !a.asks.open().is_empty(),
    });
    let order: Vec<AppOrder> = order.collect();
    let others = alive().count() - order.len();
    Finding::Apps { queue: ONLY, order, others }
}
