//! The FairScheduler's limits before a node: what the last update saw, the leaf's limit of AMs, the maxima of the queues
//! (fair-scheduler.md 7, 13, 15), from what the latest look recorded.

use super::{Chain, Link, Maker, Stop};
use crate::explain::cause::Cause;
use crate::explain::fair::apps_below;
use crate::explain::record::{Fate, Look};
use crate::explain::view::LimitKind;
use crate::explain::waits::of_check::link;
use crate::explain::{say, words};
use heddle_core::check::{Amounts, Check};
use heddle_core::model::Resource;
use heddle_core::scheduler::fair::FairScheduler;

const WITHIN: (&str, &str) = ("≤", ">");

impl Maker<'_> {
    pub(super) fn fair(&self, s: &FairScheduler, out: &mut Chain) {
        // The maxima of queues come after the size of the node: a node that is too small hides them.
        let of_limit = |l: &&Look| l.fate.is_reason() && !l.fate.is_of_node();
        let Some(look) = self.looks.iter().rev().find(of_limit).or_else(|| self.primary()) else { return };
        out.looked = Some((look.at, look.node));
        for pass in &look.passed {
            let Some(a) = pass.figures.as_amounts() else { continue };
            match pass.check {
                Check::AmShare if self.w.am => self.am_share(s, out, a, true),
                Check::MaxShare if a.limit.memory_mb() != i64::MAX => self.max_share(out, a, true),
                _ => {}
            }
        }
        let Fate::Stopped(checked) = &look.fate else { return };
        let Some(at) = link(checked.check) else { return };
        match (at, checked.figures.as_amounts()) {
            (LimitKind::Demand, _) => {
                let text = say::updated_every(&words::span(s.conf().update_interval_ms));
                let of = self.names.app(self.w.app).to_string();
                out.limits.push(self.plain(LimitKind::Demand, of, false, text));
                out.stop = Some(Stop::new(Cause::NotInDemand, say::NOT_IN_DEMAND.to_string()));
            }
            (LimitKind::AmShare, Some(a)) => {
                self.am_share(s, out, a, false);
                let leaf = self.names.queue(self.app.queue);
                let sentence = self.am_share_words(s, leaf, a);
                let stop = Stop::new(Cause::AmShare(self.app.queue), sentence);
                let holders = apps_below(self.names.rm(), s, self.app.queue).filter(|a| *a != self.w.app).collect();
                out.stop = Some(Stop { holders, ..stop.yarn(self.names.rm().am_diagnostics(self.w.app)) });
            }
            (LimitKind::MaxShare, Some(a)) => {
                self.max_share(out, a, false);
                let queue = a.queue.unwrap_or(self.app.queue);
                let path = self.names.queue(queue);
                let (element, of) = s.maximum_from(queue);
                let from = (element, of.map(|of| self.names.queue(of)));
                let (used, asked) = (self.text(a.used), self.text(a.asked));
                let sentence = say::max_share_stop(path, &used, &asked, &self.text(a.limit), from);
                let stop = Stop::new(Cause::MaxShare(queue), sentence).yarn(checked.check.row().yarn);
                let holders = apps_below(self.names.rm(), s, queue).filter(|a| *a != self.w.app).collect();
                out.stop = Some(Stop { never: !self.fits(a.asked, a.limit), holders, ..stop });
            }
            // The CapacityScheduler's.
            (_, _) => {}
        }
    }

    /// Of the types that pass the limit alone; where the policy gives no share of one, its limit is made from what is free.
    fn am_share_words(&self, s: &FairScheduler, leaf: &str, a: &Amounts) -> String {
        let types = &self.names.rm().cluster().types;
        let over: Vec<usize> = (0..types.len()).filter(|i| a.used[*i] + a.asked[*i] > a.limit[*i]).collect();
        let text = |r: Resource| words::list(&over.iter().map(|i| words::one(r, *i, types)).collect::<Vec<_>>(), 8);
        let share = s.queue(self.app.queue).fair_share;
        let shared = over.iter().any(|i| share[*i] > 0);
        say::am_share_stop(leaf, &text(a.used), &text(a.asked), &text(a.limit), shared)
    }

    fn am_share(&self, s: &FairScheduler, out: &mut Chain, a: &Amounts, passes: bool) {
        let (asked, used, limit) = (a.asked, a.used, a.limit);
        let (kind, of) = (LimitKind::AmShare, self.names.queue(self.app.queue).to_string());
        let mut link = self.link(Link { kind, of, used, asked, limit, passes, signs: WITHIN });
        let queue = s.queue(self.app.queue);
        let share = words::fair_share(queue.fair_share, &self.names.rm().cluster().types);
        link.formula = vec![say::am_share_formula(&words::percent(f64::from(queue.max_am_share)), &share)];
        out.limits.push(link);
    }

    fn max_share(&self, out: &mut Chain, a: &Amounts, passes: bool) {
        let (queue, used, asked, limit) = (a.queue.unwrap_or(self.app.queue), a.used, a.asked, a.limit);
        let (kind, of) = (LimitKind::MaxShare, self.names.queue(queue).to_string());
        out.limits.push(self.link(Link { kind, of, used, asked, limit, passes, signs: WITHIN }));
    }
}
