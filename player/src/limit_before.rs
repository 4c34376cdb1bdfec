//! A user limit that has fallen below the user's usage: its former value, and until when it had it.

use super::Player;
use crate::explain::names::Names;
use crate::explain::request::Explained;
use crate::explain::view::WhyView;
use crate::explain::{say, words};
use heddle_core::check::{Check, Checked};
use heddle_core::journal::{Change, Entry};
use heddle_core::model::{Millis, Resource};

/// The precision of the search for the moment at which it fell.
const NEAR: Millis = 500;

impl Player {
    /// Adds to the answer what the user limit that stops a request was before it fell.
    pub(super) fn add_limit_before(&self, e: &Explained, why: &mut WhyView) {
        if let Some(was) = self.user_limit_before(e) {
            why.sentence = say::then(&why.sentence, &was);
        }
    }

    /// Returns that as a sentence, or `None` if no user limit stops the request or the limit did not fall.
    fn user_limit_before(&self, e: &Explained) -> Option<String> {
        let names = Names::at(&self.cursor, self.clock);
        let (rm, w) = (names.rm(), &e.waiting);
        let stop = e.chain.stop.as_ref().and_then(|stop| stop.by.checked());
        let amounts = stop.filter(|c| c.check == Check::UserLimit && Checked::fails(c))?.figures.as_amounts()?;
        let (app, calc) = (rm.scheduled(w.app)?, rm.cluster().calculator);
        let total = rm.partition_total(w.partition);
        let above = |a: &Resource, b: &Resource| calc.gt(&total, a, b);
        // YARN lets the last container exceed the limit.
        if !above(&(amounts.used() - w.size), &amounts.limit) {
            return None;
        }
        // The record may have a limit that YARN computed earlier.
        let now = rm.capacity()?.user_limit_of(rm.cluster(), app.queue, app.user, w.partition);
        if now != amounts.limit {
            return None;
        }
        let (leaf, user) = (names.queue(app.queue), rm.cluster().user_name(app.user));
        let is_theirs = |l: &&heddle_core::journal::FoldedLine| match l.entry {
            Entry::Changed(Change::Allocated { container, .. }) => {
                rm.app(container.app).is_some_and(|other| other.queue == leaf && other.submission.user == user)
            }
            _ => false,
        };
        let mut before = self.here().lines().rev().find(is_theirs)?.first;
        let limit_at = |at: Millis| {
            let (_, sim) = self.here().earlier(at);
            let rm = sim.rm();
            let there = rm.queues().get(app.queue.index()).is_some_and(|queue| queue.path == leaf && queue.is_leaf());
            let scheduler = rm.capacity().filter(|_| there)?;
            Some(scheduler.user_limit_of(rm.cluster(), app.queue, app.user, w.partition))
        };
        let mut was = limit_at(before).filter(|was| above(was, &amounts.limit))?;
        let mut after = self.clock;
        while after - before > NEAR {
            let middle = before + (after - before) / 2;
            match limit_at(middle) {
                Some(limit) if above(&limit, &amounts.limit) => (before, was) = (middle, limit),
                Some(_) | None => after = middle,
            }
        }
        // The moment of the change.
        let happened = self.track.log().lines.iter().map(|l| l.first).find(|at| *at > before && *at <= after);
        let after = happened.unwrap_or(after);
        let text = words::counted_for(was, w.size, calc, &rm.cluster().types);
        Some(say::user_limit_was(user, leaf, &text, &words::clock(after)))
    }
}
