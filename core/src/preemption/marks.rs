//! Containers that were asked back, by number.

use super::record::{Chosen, Deed};
use crate::model::{ContainerId, Millis, Selector};

/// A container that its ApplicationMaster was asked to give back.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Mark {
    /// Since when.
    pub since: Millis,
    /// By whom it was chosen last.
    pub selector: Selector,
}

/// Containers that were asked back, and not forgotten.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Marks {
    /// Sorted.
    all: Vec<(ContainerId, Mark)>,
}

/// What came of a round's choice.
pub(super) struct TakenIn {
    /// Of each chosen one, in the order of choice.
    pub deeds: Vec<(Deed, Millis)>,
    /// By container.
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

    /// Is it marked?
    pub fn contains(&self, id: ContainerId) -> bool {
        self.place(id).is_some()
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.all.len()
    }

    /// Is there none?
    pub fn is_empty(&self) -> bool {
        self.all.is_empty()
    }

    /// Who is marked, by number.
    pub fn ids(&self) -> impl Iterator<Item = ContainerId> + '_ {
        self.all.iter().map(|(id, _)| *id)
    }

    /// What becomes of each chosen one, and since when it has been marked: marks and chosen ones are gone through
    /// together, by container. `order`: the places of the chosen ones, so sorted. Marks that are `stale` by then are
    /// forgotten.
    pub(super) fn take_in(
        &mut self,
        chosen: &[Chosen],
        order: &[usize],
        now: Millis,
        wait: impl Fn(Selector) -> Millis,
        stale: impl Fn(&Mark) -> bool,
    ) -> TakenIn {
        let mut deeds = vec![(Deed::Mark, now); chosen.len()];
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
                    deeds[place] = (if outdated { Deed::Void } else { Deed::Kill }, mark.since);
                }
                Some((_, mark)) => {
                    deeds[place] = (Deed::Wait, mark.since);
                    keep(container, Mark { selector, ..mark });
                }
            }
        }
        old.for_each(|(id, mark)| keep(id, mark));
        self.all = all;
        TakenIn { deeds, forgotten }
    }
}
