//! What preemption does for a request within its own queue, and for its reservation.

use super::waiting::{BlockedBy, CapacityFindings, Freeing, Hidden, not_negative};
use crate::explain::say::preemption as say;
use crate::explain::view::Met;
use crate::explain::words;
use heddle_core::check::Check;
use heddle_core::model::{AppId, CalculatorKind, ContainerId, Millis, NodeId, Resource, Selector};
use heddle_core::preemption::{Because, IdealPass, IntraStop, LeafApp, QueueIdeal, UnservedBy};

impl<'a> CapacityFindings<'a> {
    /// Returns its application within its leaf, as the latest round saw it.
    pub(super) fn own(&self) -> Option<&'a LeafApp> {
        let case = self.case;
        let mut passes = case.round?.intra.iter().filter(|i| i.queue == case.leaf && i.partition == case.p);
        passes.next()?.apps.iter().find(|a| a.app == self.w.app)
    }

    /// Returns whether the application uses less within its leaf than its ideal assignment.
    pub(super) fn is_short(&self, app: &LeafApp) -> bool {
        self.case.above(app.ideal, app.used - app.am)
    }

    /// Returns the applications of its leaf that use less than their ideal assignment, its own first.
    pub(super) fn short_apps(&self) -> Vec<AppId> {
        let case = self.case;
        let passes =
            case.round.into_iter().flat_map(|r| &r.intra).filter(|i| i.queue == case.leaf && i.partition == case.p);
        let short = passes.take(1).flat_map(|i| &i.apps).filter(|a| a.app != self.w.app && self.is_short(a));
        std::iter::once(self.w.app).chain(short.map(|a| a.app)).collect()
    }

    /// Checks whether applications of its own leaf give resources to it. Runs where the selector is on, or with `enough`: no
    /// other queue has to give.
    pub(super) fn within(&mut self, enough: bool) {
        let case = self.case;
        let (Some(round), Some(monitor)) = (case.round, case.monitor) else { return };
        let on = monitor.conf().intra_queue;
        let alone = case.names.rm().queues().get(case.leaf.index()).and_then(|q| q.leaf.as_deref());
        let alone = alone.is_none_or(|leaf| leaf.active.len() + leaf.pending.len() < 2);
        if !on && (!enough || alone) {
            return;
        }
        let found = round.intra.iter().find(|i| i.queue == case.leaf && i.partition == case.p);
        let (check, met, value) = match (on, found) {
            (false, _) => (Check::IntraOn, Met::No, say::WITHIN_OFF.to_string()),
            (true, None) => (Check::IntraLooked, Met::No, say::WITHIN_NOT_LOOKED.to_string()),
            (true, Some(pass)) => match (pass.stop, self.own()) {
                (Some(stop), _) => (stop.check(), Met::No, say::intra_stop(&stop)),
                (None, Some(app)) if self.is_short(app) => {
                    let owed = self.givers_within();
                    let [used, ideal] = [app.used - app.am, app.ideal].map(|r| case.text(r));
                    let met = if owed.is_empty() { Met::No } else { Met::Yes };
                    (Check::IntraOwed, met, say::app_is_to_have(&used, &ideal, &owed))
                }
                (None, app) => {
                    let has = app.map(|a| [a.used - a.am, a.ideal].map(|r| case.text(r)));
                    let value = has.map_or(String::new(), |[used, ideal]| say::app_has_enough(&used, &ideal));
                    (Check::IntraOwed, Met::No, value)
                }
            },
        };
        let forbidden = matches!(found.and_then(|pass| pass.stop), Some(IntraStop::Disabled)) && on;
        let set = if forbidden { case.disabled_by(case.leaf) } else { Vec::new() };
        self.add(check, met, value).properties.extend(set);
    }

    /// Returns what other applications of its leaf are to give in the latest round: "1638 MB of old".
    pub(super) fn givers_within(&self) -> Vec<String> {
        let case = self.case;
        let mut passes = case.round.into_iter().flat_map(|r| &r.intra);
        let pass = passes.find(|i| i.queue == case.leaf && i.partition == case.p && i.stop.is_none());
        let owed = pass.into_iter().flat_map(|pass| &pass.apps).filter(|a| case.positive(a.wanted));
        owed.map(|a| say::app_gives(case.names.app(a.app), &case.text(a.wanted))).collect()
    }

    /// Returns a sentence on what its application should get within its leaf; empty if that changes nothing. If other queues
    /// cannot give, it is shown only when applications of the leaf have to.
    pub(super) fn own_part(&self) -> String {
        let case = self.case;
        let Some(app) = self.own() else { return String::new() };
        let (short, givers) = (self.is_short(app), self.givers_within());
        let told = match self.cause.lies() {
            BlockedBy::InItself => true,
            BlockedBy::WithOthers | BlockedBy::BehindProtection => short && !givers.is_empty(),
            BlockedBy::Elsewhere => false,
        };
        if !told {
            return String::new();
        }
        let [used, ideal] = [app.used - app.am, app.ideal].map(|r| case.text(r));
        let spared = self.spared_within();
        let gives = short.then_some((givers.as_slice(), spared.as_str()));
        say::own_share(case.names.app(app.app), &used, &ideal, gives)
    }

    /// Returns the containers of its leaf that the latest round considered for that and spared, by reason.
    pub(super) fn spared_within(&self) -> String {
        let case = self.case;
        let here = |id: ContainerId| case.names.rm().scheduled(id.app).is_some_and(|a| a.queue == case.leaf);
        let spared = case.round.into_iter().flat_map(|r| &r.spared);
        let spared = spared.filter(|s| s.selector == Selector::IntraQueue && here(s.container));
        say::spared(&spared.map(|s| s.why).collect::<Vec<_>>())
    }

    /// Returns its reservations as a cause, if it has any.
    pub(super) fn reserved(&self) -> Option<Freeing> {
        let (app, conf) = (self.case.names.rm().scheduled(self.w.app)?, self.case.monitor?.conf());
        let asks = app.asks.at(app.asks.find(self.w.key)?);
        let nodes: Vec<NodeId> = asks.reserved.iter().map(|(node, _)| *node).collect();
        let makes_room = conf.select_reserved || conf.priority_queues;
        (!nodes.is_empty()).then_some(Freeing::Reserved { nodes, makes_room })
    }

    /// Returns the age of its reservation and the age from which a round makes room for it, if it is too young.
    pub(super) fn young(&self) -> Option<[Millis; 2]> {
        let mut mine = self.case.round?.unserved.iter().rev().filter(|u| u.reservation.app == self.w.app);
        match mine.next()?.why {
            UnservedBy::Young { age, delay } => Some([age, delay]),
            _ => None,
        }
    }

    /// Returns why no queue gives: killable containers do not count as used.
    pub(super) fn nobody_gives(&self, pass: &IdealPass, free: Resource) -> String {
        let case = self.case;
        let others = case.leaves(pass).filter(|l| l.queue != case.leaf);
        let killable = others.fold(Resource::ZERO, |sum, l| sum + l.killable);
        if case.positive(killable) {
            return say::all_killable(&case.text(killable));
        }
        say::all_keep(&case.text(not_negative(free)))
    }

    /// Returns a queue that uses more than it is to keep of a type that the request lacks, but not by dominant share.
    pub(super) fn hidden(&self, pass: &IdealPass, over: &[&QueueIdeal], free: Resource) -> Option<Hidden> {
        let (case, cluster) = (self.case, self.case.names.rm().cluster());
        if cluster.calculator.kind == CalculatorKind::Default {
            return None;
        }
        let lacks = |i: &usize| self.w.size[*i] > free[*i];
        let surplus = |l: &QueueIdeal| {
            let kind =
                (0..cluster.types.len()).filter(lacks).max_by_key(|i| l.used[*i] - l.killable[*i] - l.keep[*i])?;
            let more = l.used[kind] - l.killable[kind] > l.keep[kind];
            more.then_some(kind)
        };
        let (line, kind) = over.iter().filter(|l| !l.disabled).find_map(|l| Some((*l, surplus(l)?)))?;
        // Siblings are compared by their shares of what their parent has.
        let whole = line.parent.and_then(|parent| case.line(pass, parent)).map(|parent| parent.ideal)?;
        let share = |r: Resource, i: usize| r[i] as f64 / whole[i] as f64;
        let types = || (0..cluster.types.len()).filter(|i| whole[*i] > 0);
        let dominant = |r: Resource| types().max_by(|a, b| share(r, *a).total_cmp(&share(r, *b)));
        let (own, by) = (dominant(line.used - line.killable)?, dominant(line.keep)?);
        let shares = [share(line.used - line.killable, own), share(line.keep, by)];
        (by != kind).then_some(Hidden { queue: line.queue, kind, used: line.used, keep: line.keep, shares, by })
    }

    /// Returns the name of a resource type.
    pub(super) fn type_name(&self, kind: usize) -> &'a str {
        words::type_name(kind, &self.case.names.rm().cluster().types)
    }

    /// Checks whether a round makes room for its reservation.
    pub(super) fn reservation(&mut self) {
        let case = self.case;
        let (Some(round), Some(monitor)) = (case.round, case.monitor) else { return };
        let held = case.names.rm().scheduled(self.w.app).and_then(|a| Some(a.asks.at(a.asks.find(self.w.key)?)));
        if held.is_none_or(|asks| asks.reserved.is_empty()) {
            return;
        }
        let mine = |id: ContainerId| id.app == self.w.app;
        let conf = monitor.conf();
        let unserved = round.unserved.iter().rev().find(|u| mine(u.reservation)).map(|u| u.why);
        let served = round.chosen.iter().any(|c| {
            matches!(c.because, Because::MakesRoom { reservation, .. } | Because::Priority { reservation } if mine(reservation))
        });
        let (check, met, value) = match unserved {
            _ if served => (Check::ReservationServable, Met::Yes, say::ROOM_IS_MADE.to_string()),
            _ if !conf.select_reserved && !conf.priority_queues => {
                (Check::ReservationSelector, Met::No, say::RESERVED_OFF.to_string())
            }
            Some(UnservedBy::Fits) => (UnservedBy::Fits.check(), Met::Yes, self.unserved(UnservedBy::Fits)),
            Some(why) => (why.check(), Met::No, self.unserved(why)),
            None => return,
        };
        self.add(check, met, value);
    }

    /// Returns why no room is made for its reservation.
    fn unserved(&self, why: UnservedBy) -> String {
        let case = self.case;
        match why {
            UnservedBy::Young { age, delay } => say::young(&words::span(age), &words::span(delay)),
            UnservedBy::AtGuarantee { used, guaranteed } => say::at_guarantee(&case.text(used), &case.text(guaranteed)),
            UnservedBy::Fits => say::RESERVATION_FITS.to_string(),
            UnservedBy::NotEnough => say::NOT_ENOUGH_ON_NODE.to_string(),
        }
    }
}
