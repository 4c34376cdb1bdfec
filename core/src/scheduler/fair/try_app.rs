//! The visit to an application on a node: key by key, at the allowed locality, until one reaches a try
//! (FSAppAttempt.assignContainer; fair-scheduler.md 13).

use super::offer::Given;
use super::{FairScheduler, fit, fit_more};
use crate::check::{About, Amounts, Check, Checked, Failure, Figures};
use crate::journal::{Recorder, VisitEnd};
use crate::model::{AppId, NodeId, PartitionId, Resource};
use crate::scheduler::app::{FairStop, FairWait};
use crate::scheduler::life::Grant;
use crate::scheduler::{Cluster, Locality, Origin, PlaceId, Slot};

/// A container to be placed, of a key of an application, on a node.
#[derive(Clone, Copy, Debug)]
pub(super) struct FairKeyTry {
    pub app: AppId,
    /// The place of its key among the application's requests.
    pub place: usize,
    pub node: NodeId,
    /// The reservation that is retried.
    pub from: Option<Slot>,
}

impl FairScheduler {
    pub(super) fn try_app<R: Recorder>(&mut self, c: &mut Cluster, app: AppId, node: NodeId, rec: &mut R) -> Given {
        if self.am_share_stops(c, app, rec) {
            return Given::Nothing;
        }
        // A key that reaches no try does not open or close any key.
        for at in 0..c.app(app).asks.open().len() {
            let Some((key, place)) = c.app(app).asks.open().get(at).copied() else { break };
            let want = FairKeyTry { app, place: place as usize, node, from: None };
            let (of_request, about) = (About::Request(app, key), About::OnNode(app, key, node));
            rec.enter(c.now, of_request);
            rec.enter(c.now, about);
            let given = match self.is_suitable(c, want, rec) {
                true => self.try_key(c, want, rec),
                false => None,
            };
            // An allocation or a reservation has already recorded its end.
            if given.is_none_or(|given| given == Given::Nothing) {
                rec.leave(c.now, about, VisitEnd::Next);
            }
            // The first key that reaches a try decides, even if it gets nothing.
            let end = match given {
                None => VisitEnd::Next,
                Some(Given::Nothing) => VisitEnd::Last,
                Some(Given::Reservation | Given::Container(_)) => VisitEnd::Served,
            };
            rec.leave(c.now, of_request, end);
            if let Some(given) = given {
                return given;
            }
        }
        Given::Nothing
    }

    /// Step 2a: returns whether the node could serve the key at all and the maxima of all queues allow it.
    pub(super) fn is_suitable<R: Recorder>(&mut self, c: &mut Cluster, want: FairKeyTry, rec: &mut R) -> bool {
        let FairKeyTry { app, place, node, .. } = want;
        let Some((size, refused)) = self.unsuitable(c, want) else {
            if rec.details() {
                self.tell_passed(c, want, rec);
            }
            return true;
        };
        if refused.check == Check::MaxShare && c.app(app).waiting_for_am {
            let leaf = c.app(app).queue;
            let maximum = self.maximum_of(c, leaf);
            self.note_wait(c, app, FairWait { stop: FairStop::MaxShare { maximum }, leaf, size });
        }
        let key = c.app(app).asks.at(place).key;
        rec.failed(c.now, || refused.about(About::OnNode(app, key, node)));
        false
    }

    /// Records the maxima of the queues above it that a key fits in.
    fn tell_passed<R: Recorder>(&self, c: &Cluster, want: FairKeyTry, rec: &mut R) {
        let FairKeyTry { app, place, node, .. } = want;
        let asks = c.app(app).asks.at(place);
        let (key, Some(any)) = (asks.key, asks.any()) else { return };
        for queue in self.path_up(c.app(app).queue) {
            let (used, maximum) = (self.queue(queue).used, self.maximum_of(c, queue));
            let figures = || Amounts::sum(used, any.size, maximum).of_queue(queue).into();
            rec.check(c.now, true, Check::MaxShare, About::OnNode(app, key, node), figures);
        }
    }

    fn unsuitable(&self, c: &Cluster, want: FairKeyTry) -> Option<(Resource, Failure)> {
        let FairKeyTry { app, place, node, .. } = want;
        let a = c.app(app);
        let (n, asks) = (c.node(node), a.asks.at(place));
        let Some(any) = asks.any().filter(|row| row.count > 0) else {
            return Some((Resource::ZERO, Failure::of(Check::LocalityRow)));
        };
        let named = asks.unique_names() > 1;
        let row = |name: PlaceId| if named { asks.row(name) } else { None };
        let count = |name: PlaceId| row(name).map_or(0, |row| row.count);
        let refuse = |check, figures| Some((any.size, Failure { check, figures }));
        if !any.relax && count(n.rack) <= 0 {
            return refuse(Check::RelaxLocality, Figures::Place(PlaceId::ANY));
        }
        let of_rack = row(n.rack);
        if of_rack.is_some_and(|row| row.count != 0 && !row.relax) && count(n.host_place) <= 0 {
            return refuse(Check::RelaxLocality, Figures::Place(n.rack));
        }
        if !fit(&any.size, &n.total) {
            return refuse(Check::NodeTotal, Amounts::fit(any.size, n.total).into());
        }
        for queue in self.path_up(a.queue) {
            let (used, maximum) = (&self.queue(queue).used, self.most_of(c, queue));
            if !fit_more(used, &any.size, maximum) {
                let amounts = Amounts::sum(*used, any.size, *maximum).of_queue(queue);
                return refuse(Check::MaxShare, amounts.into());
            }
        }
        None
    }

    /// Does 2b and the steps after it; `None`: no try, and the next key is visited.
    pub(super) fn try_key<R: Recorder>(&mut self, c: &mut Cluster, want: FairKeyTry, rec: &mut R) -> Option<Given> {
        let FairKeyTry { app, place, node, from } = want;
        c.app_mut(app).asks.at_mut(place).opportunities += 1;
        let level = self.allowed_level(c, app, place);
        let (host, rack) = (c.node(node).host_place, c.node(node).rack);
        let asks = c.app(app).asks.at(place);
        let named = asks.unique_names() > 1;
        let row = |name: PlaceId| if named { asks.row(name) } else { None };
        let (of_host, of_rack, any) = (row(host), row(rack), asks.any()?);
        let at_rack = of_rack.filter(|row| row.count > 0);
        let key = asks.key;
        let verdict = if let (Some(row), true) = (of_host.filter(|row| row.count > 0), at_rack.is_some()) {
            Ok((&row.size, Locality::NodeLocal))
        } else if of_rack.is_some_and(|row| !row.relax) {
            Err((Check::RelaxLocality, Figures::Place(rack)))
        } else if let Some(row) = at_rack.filter(|_| level >= Locality::RackLocal) {
            Ok((&row.size, Locality::RackLocal))
        } else if !any.relax {
            Err((Check::RelaxLocality, Figures::Place(PlaceId::ANY)))
        } else if any.count > 0 && (!named || level == Locality::OffSwitch) {
            Ok((&any.size, Locality::OffSwitch))
        } else {
            let (missed, needed) = self.delay(c, app, place);
            Err(if self.conf.continuous {
                (Check::LocalityDelayTime, Figures::Waited { level, waited_ms: missed, needed_ms: needed as i64 })
            } else {
                (Check::LocalityDelay, Figures::Missed { level, missed, needed })
            })
        };
        let (size, locality) = match verdict {
            Ok(chosen) => chosen,
            Err((check, figures)) => {
                rec.failed(c.now, || Checked::failed(check, About::OnNode(app, key, node), figures));
                return None;
            }
        };
        let free = c.node(node).free();
        let (size, fitting) = (*size, fit(size, &free));
        let (partition, origin) = (PartitionId::DEFAULT, Origin::default());
        let g = Grant { app, place, key, tags: 0, node, partition, size, locality, from, origin };
        Some(if fitting { self.allocate(c, g, rec) } else { self.try_reserve(c, &g, free, rec) })
    }

    fn allocate<R: Recorder>(&mut self, c: &mut Cluster, mut g: Grant, rec: &mut R) -> Given {
        if let Some(slot) = g.from {
            g.size = self.convert(c, slot);
        }
        let size = g.size;
        self.tighten(g.app, g.place, g.locality);
        let missed = c.app(g.app).asks.at(g.place).opportunities;
        let key = g.key;
        self.give(c, &g, rec);
        let end = VisitEnd::Allocated { locality: g.locality, missed };
        rec.leave(c.now, About::OnNode(g.app, key, g.node), end);
        Given::Container(size)
    }

    /// Grants a container and updates leaf, application and node.
    pub(super) fn give<R: Recorder>(&mut self, c: &mut Cluster, g: &Grant, rec: &mut R) {
        let size = g.size;
        let am = c.grant_asked(g, rec);
        let leaf = c.app(g.app).queue;
        self.told_alone(leaf, g.app);
        self.charge(leaf, size, true);
        self.use_changed(c, g.app);
        self.claim_served(c, g.app, g.node, size);
        if am {
            self.app_mut(g.app).am = Some(size);
            self.queue_mut(leaf).am_used += size;
        }
    }
}
