//! The limit that would stop a request next, for people to read; nothing here is part of a decision or changes one.

use super::{FairScheduler, ROOT, fit, fit_more};
use crate::check::{About, Amounts, Check, Checked};
use crate::model::{AppId, QueueId, RequestKey, Resource};
use crate::scheduler::Cluster;

/// The limits before a node, in the order of the checks.
const ORDER: [Check; 5] =
    [Check::UserParallelApps, Check::QueueParallelApps, Check::MaxResources, Check::AmShare, Check::MaxShare];

impl FairScheduler {
    /// Returns the first limit that would stop a request now, before any node. A maximum that is the whole cluster is
    /// left to full nodes.
    pub fn first_limit(&self, c: &Cluster, app: AppId, key: RequestKey) -> Option<Checked> {
        self.limits_in_order(c, app, key).into_iter().next()
    }

    /// Returns the first limit that would stop the request if `stop` did not.
    pub fn next_limit(&self, c: &Cluster, app: AppId, key: RequestKey, stop: &Checked) -> Option<Checked> {
        let rank = |check: Check| ORDER.iter().position(|known| *known == check);
        let at = rank(stop.check)?;
        let is_behind = |limit: &Checked| {
            let of_maximum = matches!(stop.check, Check::MaxResources | Check::MaxShare);
            let again = of_maximum && limit.queue() == stop.queue();
            let of_another = match stop.check == limit.check {
                true if stop.check == Check::QueueParallelApps => limit.about != stop.about,
                same => same && of_maximum,
            };
            (of_another || rank(limit.check) > Some(at)) && !again
        };
        self.limits_in_order(c, app, key).into_iter().find(is_behind)
    }

    /// Returns whether the AM's container that an application waits for would exceed the AM limit even with `more`
    /// available.
    pub fn am_is_over_with(&self, c: &Cluster, app: AppId, more: Resource) -> bool {
        self.am_share_of(c, app, self.available + more).is_some_and(|(within, _)| !within)
    }

    fn limits_in_order(&self, c: &Cluster, app: AppId, key: RequestKey) -> Vec<Checked> {
        let a = c.app(app);
        let mut out = Vec::new();
        if !a.runnable {
            out.extend(self.running_stops(c, a.user, a.queue));
        }
        let is_whole = |maximum: &Resource| fit(&c.total, maximum);
        let path: Vec<QueueId> = self.path_up(a.queue).filter(|queue| *queue != ROOT).collect();
        let maxima = || path.iter().map(|id| (*id, self.queue(*id).used, self.maximum_of(c, *id)));
        for (queue, used, maximum) in
            maxima().rev().filter(|(_, used, maximum)| !fit(used, maximum) && !is_whole(maximum))
        {
            let amounts = Amounts::within(used, maximum).each_type();
            out.push(Checked::failed(Check::MaxResources, About::Queue(queue), amounts.into()));
        }
        // The share of a leaf that runs nothing yet changes as soon as it does.
        let share = &self.queue(a.queue).fair_share;
        let known = |amounts: &Amounts| {
            let over = (0..share.0.len()).filter(|i| amounts.used()[*i] + amounts.asked()[*i] > amounts.limit[*i]);
            a.runnable || over.into_iter().all(|i| share[i] > 0)
        };
        if let Some((false, amounts)) = self.am_share(c, app)
            && known(&amounts)
        {
            out.push(Checked::failed(Check::AmShare, About::App(app), amounts.into()));
        }
        let any = a.asks.find(key).and_then(|place| a.asks.at(place).any());
        for (queue, used, maximum) in maxima() {
            let Some(size) = any.map(|row| row.size).filter(|size| !fit_more(&used, size, &maximum)) else { continue };
            if !is_whole(&maximum) {
                let amounts = Amounts::sum(used, size, maximum).of_queue(queue);
                out.push(Checked::failed(Check::MaxShare, About::Request(app, key), amounts.into()));
            }
        }
        out
    }
}
