//! The limit that would stop a request next, if the present one did not: by the scheduler's own rules, with the present
//! figures.

use super::{Chain, ChainBuilder, RequestStop};
use crate::explain::names::Names;
use crate::explain::record::{PassRecord, Record};
use crate::explain::view::LimitView;
use crate::explain::waiting::Waiting;
use heddle_core::check::{Check, Checked};

/// Returns the limit that would stop a request now, before any node, whatever was recorded.
pub fn first_limit(names: Names<'_>, w: &Waiting) -> Option<RequestStop> {
    let rm = names.rm();
    let limit = rm.scheduler().first_limit(rm.cluster(), w.app, w.key, w.partition)?;
    let (app, record) = (rm.scheduled(w.app)?, Record::default());
    let maker = ChainBuilder { names, w, app, looks: &[], record: &record, history: super::History::default() };
    Some(maker.told_of(limit)?.0)
}

impl ChainBuilder<'_> {
    /// Returns the limit that would stop it next, and its link.
    pub(super) fn next_limit(&self, stop: &RequestStop) -> Option<(RequestStop, LimitView)> {
        let stopped = stop.by.checked().filter(|_| !stop.never)?;
        let rm = self.names.rm();
        let whose = (self.w.app, self.w.key, self.w.partition);
        match rm.scheduler().next_limit(rm.cluster(), whose, stopped) {
            Some(limit) => self.told_of(limit),
            None => self.behind_in_leaf(stopped),
        }
    }

    /// Returns, for an application that is not active, the application of its leaf that now comes first and does not fit in the
    /// headroom, so that the scheduler does not try those behind it.
    fn behind_in_leaf(&self, stopped: &Checked) -> Option<(RequestStop, LimitView)> {
        if !matches!(stopped.check, Check::QueueAmLimit | Check::UserAmLimit) {
            return None;
        }
        let mine = |place: &&_| **place == (self.app.queue, self.w.partition);
        let (_, (_, _, checked)) = self.record.queues.iter().find(|(place, _)| mine(place))?;
        let first = checked.figures.as_amounts().filter(|_| checked.check == Check::LeafHeadroom)?.app?;
        // Unless its priority is higher, it would come after applications submitted before it.
        let before = self.names.rm().scheduled(first).is_some_and(|other| other.priority >= self.app.priority);
        if first == self.w.app || !before || first > self.w.app {
            return None;
        }
        let mut out = Chain::default();
        self.behind(&mut out, &self.look_of(checked.clone()), (self.app.queue, first, None), checked);
        Some((out.stop?, out.limits.pop()?))
    }

    /// Returns the stop and the link of a limit that would apply in the present state.
    fn told_of(&self, limit: Checked) -> Option<(RequestStop, LimitView)> {
        let mut out = Chain::default();
        match limit.check {
            Check::UserParallelApps | Check::QueueParallelApps => self.tell_parallel(&mut out, &limit),
            Check::QueueAmLimit | Check::UserAmLimit => {
                self.tell_am_limit(&mut out, limit, (self.app.am_partition, Vec::new(), String::new()));
            }
            check => {
                let look = PassRecord { passed: self.passed_now(), ..self.look_of(limit.clone()) };
                debug_assert!(crate::explain::waits::of_check::teller(check).is_some(), "{check:?} tells nothing");
                self.tell(&mut out, &look, &limit);
            }
        }
        Some((out.stop?, out.limits.pop()?))
    }
}
