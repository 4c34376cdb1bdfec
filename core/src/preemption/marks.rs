//! The containers that were asked back, sorted by id.

use super::record::{Chosen, PreemptionStep};
use crate::model::{ContainerId, Millis, Selector};

/// The mark of a container that its ApplicationMaster was asked to give back.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Mark {
    /// The time of the mark.
    pub since: Millis,
    /// The selector that selected it last.
    pub selector: Selector,
}

/// The containers that were asked back, until their marks are dropped.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Marks {
    /// Sorted.
    all: Vec<(ContainerId, Mark)>,
}

/// The effects of a round's selection on the marks.
pub(super) struct TakenIn {
    /// What happens to each selected container, with the time of its mark, in the order of selection.
    pub deeds: Vec<(PreemptionStep, Millis)>,
    /// Containers whose marks are dropped, by id.
    pub forgotten: Vec<ContainerId>,
}

impl Marks {
    fn place(&self, id: ContainerId) -> Option<usize> {
        self.all.binary_search_by_key(&id, |(marked, _)| *marked).ok()
    }

    /// The mark of a container.
    pub fn get(&self, id: ContainerId) -> Option<&Mark> {
        self.place(id).map(|i| &self.all[i].1)
    }

    /// Returns whether it is marked.
    pub fn contains(&self, id: ContainerId) -> bool {
        self.place(id).is_some()
    }

    /// The number of marks.
    pub fn len(&self) -> usize {
        self.all.len()
    }

    /// Returns whether there are no marks.
    pub fn is_empty(&self) -> bool {
        self.all.is_empty()
    }

    /// The marked containers, by id.
    pub fn ids(&self) -> impl Iterator<Item = ContainerId> + '_ {
        self.all.iter().map(|(id, _)| *id)
    }

    /// Decides what happens to each selected container, and since when it has been marked, by merging marks and
    /// selected containers in the order of ids. `order`: the indices of the selected ones, in that order. Drops marks
    /// that are `stale`.
    pub(super) fn take_in(
        &mut self,
        chosen: &[Chosen],
        order: &[usize],
        now: Millis,
        wait: impl Fn(Selector) -> Millis,
        stale: impl Fn(&Mark) -> bool,
    ) -> TakenIn {
        let mut deeds = vec![(PreemptionStep::Mark, now); chosen.len()];
        let mut forgotten = Vec::new();
        let mut all = Vec::with_capacity(self.all.len() + chosen.len());
        let mut keep = |id: ContainerId, mark: Mark| {
            if stale(&mark) {
                forgotten.push(id);
            } else {
                all.push((id, mark));
            }
        };
        let mut old = self.all.iter().copied().peekable();
        for place in order.iter().copied() {
            let Chosen { container, selector, outdated, .. } = chosen[place];
            while let Some((id, mark)) = old.next_if(|(id, _)| *id < container) {
                keep(id, mark);
            }
            match old.next_if(|(id, _)| *id == container) {
                None => keep(container, Mark { since: now, selector }),
                Some((_, mark)) if mark.since.saturating_add(wait(selector)) <= now => {
                    deeds[place] = (if outdated { PreemptionStep::Void } else { PreemptionStep::Kill }, mark.since);
                }
                Some((_, mark)) => {
                    deeds[place] = (PreemptionStep::Wait, mark.since);
                    keep(container, Mark { selector, ..mark });
                }
            }
        }
        old.for_each(|(id, mark)| keep(id, mark));
        self.all = all;
        TakenIn { deeds, forgotten }
    }
}
