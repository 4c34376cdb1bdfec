//! The FairScheduler's limits before a node: the demand at the last update, the leaf's limit of AMs, the maxima of the queues
//! (fair-scheduler.md 7, 13, 15), from the record of the latest look.

use super::activation::masters_half;
use super::{Chain, ChainBuilder, Link, RequestStop};
use crate::explain::fair::apps_below;
use crate::explain::record::{PassRecord, PassResult};
use crate::explain::{say, words};
use heddle_core::check::{Amounts, Check, Checked};
use heddle_core::model::Resource;
use heddle_core::scheduler::fair::FairScheduler;

const WITHIN: (&str, &str) = ("≤", ">");

impl ChainBuilder<'_> {
    pub(super) fn fair(&self, out: &mut Chain) {
        // The maxima of queues are checked after the size of the node: a node that is too small hides them.
        let of_limit = |l: &&PassRecord| l.fate.is_reason() && !l.fate.is_of_node();
        let Some(look) = self.looks.iter().rev().find(of_limit).or_else(|| self.primary()) else { return };
        out.looked = Some((look.at, look.node));
        look.passed.iter().for_each(|pass| self.tell(out, look, pass));
        if let PassResult::Stopped(checked) = &look.fate {
            self.tell(out, look, checked);
        }
    }

    pub(in crate::explain::waits) fn tell_demand(&self, out: &mut Chain, _: &PassRecord, checked: &Checked) {
        let Some(s) = self.names.rm().fair().filter(|_| checked.fails()) else { return };
        let text = say::updated_every(&words::span(s.conf().update_interval_ms));
        let of = self.names.app(self.w.app).to_string();
        out.limits.push(self.plain(Check::InDemand, of, false, text));
        out.stop = Some(RequestStop::at(checked.clone(), say::NOT_IN_DEMAND.to_string()));
    }

    pub(in crate::explain::waits) fn tell_am_share(&self, out: &mut Chain, _: &PassRecord, checked: &Checked) {
        let (Some(s), Some(a)) = (self.names.rm().fair(), checked.figures.as_amounts()) else { return };
        if !checked.fails() {
            if self.w.am {
                self.am_share(s, out, a, true);
            }
            return;
        }
        self.am_share(s, out, a, false);
        let leaf = self.names.queue(self.app.queue);
        let sentence = self.am_share_words(s, leaf, a);
        let stop = RequestStop::at(checked.clone(), sentence).yarn(self.names.rm().am_diagnostics(self.w.app));
        let holders = apps_below(self.names.rm(), s, self.app.queue).filter(|a| *a != self.w.app).collect();
        out.stop = Some(RequestStop { holders, ..stop });
    }

    pub(in crate::explain::waits) fn tell_max_share(&self, out: &mut Chain, _: &PassRecord, checked: &Checked) {
        let (Some(s), Some(a)) = (self.names.rm().fair(), checked.figures.as_amounts()) else { return };
        if !checked.fails() {
            if a.limit.memory_mb() != i64::MAX {
                self.max_share(out, a, true);
            }
            return;
        }
        self.max_share(out, a, false);
        let queue = a.queue.unwrap_or(self.app.queue);
        let path = self.names.queue(queue);
        let (element, of) = s.maximum_from(queue);
        let from = (element, of.map(|of| self.names.queue(of)));
        let [used, asked, limit] = [a.used(), a.asked(), a.limit].map(|r| self.told(a, r));
        let masters = masters_half(self, queue, a.used()).map(|held| self.told(a, held));
        let beside = masters.map_or(String::new(), |held| say::masters_hold(&held, None));
        let sentence = say::max_share_stop(path, (&used, &beside), &asked, &limit, from);
        let stop = RequestStop::at(checked.clone(), sentence).yarn(checked.check.row().yarn);
        let holders = apps_below(self.names.rm(), s, queue).filter(|a| *a != self.w.app).collect();
        out.stop = Some(RequestStop { never: !self.fits(a.asked(), a.limit), holders, ..stop });
    }

    /// Adds a queue that now has more than its maximum, so that it is skipped whatever is requested.
    pub(in crate::explain::waits) fn tell_max_resources(&self, out: &mut Chain, _: &PassRecord, checked: &Checked) {
        let (Some(s), Some(a)) = (self.names.rm().fair(), checked.figures.as_amounts()) else { return };
        let Some(queue) = checked.about.queue().filter(|_| checked.fails()) else { return };
        let path = self.names.queue(queue).to_string();
        let (used, limit, asked) = (a.used(), a.limit, Resource::ZERO);
        let (check, signs) = (Check::MaxResources, WITHIN);
        let of = path.clone();
        out.limits.push(self.link(Link { check, of, used, asked, limit, passes: false, signs }));
        let (element, of) = s.maximum_from(queue);
        let from = (element, of.map(|of| self.names.queue(of)));
        let sentence = say::max_resources_stop(&path, &self.told(a, used), &self.told(a, limit), from);
        let stop = RequestStop::at(checked.clone(), sentence).yarn(checked.check.row().yarn);
        let holders = apps_below(self.names.rm(), s, queue).filter(|a| *a != self.w.app).collect();
        out.stop = Some(RequestStop { holders, ..stop });
    }

    /// Returns the types in which an AM exceeds the limit, and those of them of which the leaf has a share: an exhausted share
    /// decides before what is free.
    fn beyond_am_share(&self, s: &FairScheduler, a: &Amounts) -> (Vec<usize>, Vec<usize>) {
        let kinds = self.names.rm().cluster().types.len();
        let over: Vec<usize> = (0..kinds).filter(|i| a.used()[*i] + a.asked()[*i] > a.limit[*i]).collect();
        let share = s.queue(self.app.queue).fair_share;
        let shared = over.iter().copied().filter(|i| share[*i] > 0).collect();
        (over, shared)
    }

    /// Returns the words about the types that exceed the limit; for a type of which the policy gives no share, the limit is
    /// computed from what is free.
    fn am_share_words(&self, s: &FairScheduler, leaf: &str, a: &Amounts) -> String {
        let types = &self.names.rm().cluster().types;
        let (over, shared) = self.beyond_am_share(s, a);
        let told = if shared.is_empty() { &over } else { &shared };
        let text = |r: Resource| words::list(&told.iter().map(|i| words::one(r, *i, types)).collect::<Vec<_>>(), 8);
        let [used, asked, limit] = [a.used(), a.asked(), a.limit].map(&text);
        if !shared.is_empty() {
            let queue = s.queue(self.app.queue);
            let part = words::percent(f64::from(queue.max_am_share));
            return say::am_share_stop(leaf, &used, &asked, &limit, &part, &text(queue.fair_share));
        }
        let names: Vec<&str> = over.iter().map(|i| words::type_name(*i, types)).collect();
        let mut path = self.names.path_up(self.app.queue);
        let weightless = path.find(|queue| s.queue(*queue).weight <= 0.0).map(|queue| self.names.queue(queue));
        say::am_share_of_free(leaf, &used, &asked, &limit, &words::list(&names, 8), weightless)
    }

    fn am_share(&self, s: &FairScheduler, out: &mut Chain, a: &Amounts, passes: bool) {
        let (_, shared) = self.beyond_am_share(s, a);
        // The types in the sentence decide here too.
        let decides = |i: usize| shared.is_empty() || shared.contains(&i);
        let only = |r: Resource| {
            let mut r = r;
            (0..r.0.len()).filter(|i| !decides(*i)).for_each(|i| r[i] = 0);
            r
        };
        let [asked, used, limit] = [a.asked(), a.used(), a.limit].map(only);
        let (check, of) = (Check::AmShare, self.names.queue(self.app.queue).to_string());
        let mut link = self.link(Link { check, of, used, asked, limit, passes, signs: WITHIN });
        let queue = s.queue(self.app.queue);
        let share = words::fair_share(queue.fair_share, &self.names.rm().cluster().types);
        link.formula = vec![say::am_share_formula(&words::percent(f64::from(queue.max_am_share)), &share)];
        out.limits.push(link);
    }

    fn max_share(&self, out: &mut Chain, a: &Amounts, passes: bool) {
        let (queue, used, asked, limit) = (a.queue.unwrap_or(self.app.queue), a.used(), a.asked(), a.limit);
        let (check, of) = (Check::MaxShare, self.names.queue(queue).to_string());
        out.limits.push(self.link(Link { check, of, used, asked, limit, passes, signs: WITHIN }));
    }
}
