//! Lines of applications that stay pending: a pass over thousands of them is told once, and put into their lines when
//! something happens to one of them, or when the lines are read.

use super::{Folded, SKIPS, Times};
use crate::journal::{Change, CrowdId, Entry, Rank, Reason, Refused, Subject, Tried};
use crate::model::{AppId, Millis, QueueId, SortedMap};
use std::sync::Arc;

/// Applications of which passes tell in common.
#[derive(Clone, Debug, Default)]
pub(super) struct Pending {
    leaves: SortedMap<QueueId, Passes>,
    /// By application.
    members: Vec<Option<Member>>,
    /// Has a pass told in common what lines do not say yet?
    ahead: bool,
}

/// The passes over a leaf.
#[derive(Clone, Debug, Default)]
struct Passes {
    /// How many there were.
    count: u64,
    times: Times,
    /// How often something had happened to no application at the latest one.
    happened: u64,
    /// What the latest one came to.
    refused: Arc<Vec<Refused>>,
    /// Members with a line, and those whose line was dropped for want of room.
    listed: usize,
    dropped: usize,
}

/// An application that its leaf's passes refuse.
#[derive(Clone, Copy, Debug)]
struct Member {
    leaf: QueueId,
    crowd: CrowdId,
    rank: Rank,
    line: Option<usize>,
    /// So many passes are in its line.
    told: u64,
}

impl Folded {
    /// Puts into the lines of applications that stay pending what passes have told of them in common.
    pub fn settle(&mut self) {
        if std::mem::take(&mut self.pending.ahead) {
            (0..self.pending.members.len()).for_each(|app| self.catch_up(AppId::from(app)));
        }
    }

    /// Do the lines say all that was told?
    pub fn is_settled(&self) -> bool {
        !self.pending.ahead
    }

    /// The member's line is as if each pass had told of it.
    fn catch_up(&mut self, app: AppId) {
        let Some(Some(member)) = self.pending.members.get_mut(app.index()) else { return };
        let Some(passes) = self.pending.leaves.get(&member.leaf) else { return };
        let (Member { crowd, rank, .. }, times) = (*member, passes.count - member.told);
        let Some((line, latest)) = member.line.zip(passes.times.last).filter(|_| times > 0) else { return };
        member.told = passes.count;
        let Some(told) = self.lines.get_mut(line) else { return };
        told.last = latest;
        told.times += times;
        if let Some(at) = Refused::find(&passes.refused, crowd, rank)
            && let Entry::Changed(Change::NotActivated { why, .. }) = &mut told.entry
        {
            why.clone_from(&passes.refused[at].why);
        }
        let before = passes.times.before;
        let Some(places) = self.places_of.get(line).copied().flatten() else { return };
        for place in [places.any, places.own] {
            let Some(times) = self.times.get_mut(place as usize) else { continue };
            if let Some(before) = before.filter(|before| times.last.is_none_or(|last| last < *before)) {
                times.note(before);
            }
            times.note(latest);
        }
    }

    /// Something is told of an application by itself.
    pub(super) fn leave_pass(&mut self, app: AppId) {
        self.catch_up(app);
        let Some(member) = self.pending.members.get_mut(app.index()).and_then(Option::take) else { return };
        if let Some(passes) = self.pending.leaves.get_mut(&member.leaf) {
            *passes.number_of(member.line) -= 1;
        }
    }

    /// May a pass tell of the members of a leaf in common? They are so many, if none was told of by itself since. It may not
    /// where each would begin a line of its own.
    pub(super) fn passes_alike(&mut self, at: Millis, leaf: QueueId, members: usize) -> bool {
        let Some(passes) = self.pending.leaves.get_mut(&leaf) else { return members == 0 };
        let (Some(last), true) = (passes.times.last, passes.listed + passes.dropped == members) else {
            return members == 0;
        };
        // As in `goes_on`, of all of them.
        let meanwhile = || self.queues.earlier(at).is_some_and(|t| t > last);
        let goes_on = passes.happened == self.happened.0 && (at - last <= self.round || !meanwhile());
        if goes_on || passes.listed == 0 {
            return true;
        }
        if self.skips < SKIPS {
            return false;
        }
        // There is no room for new lines: none of theirs is ever added to again.
        passes.dropped += std::mem::take(&mut passes.listed);
        for app in 0..self.pending.members.len() {
            if self.pending.members[app].is_some_and(|m| m.leaf == leaf) {
                self.catch_up(AppId::from(app));
                self.pending.members[app].iter_mut().for_each(|m| m.line = None);
            }
        }
        true
    }

    /// A pass over the pending applications of a leaf.
    pub(super) fn passed(&mut self, at: Millis, leaf: QueueId, tried: &Tried<'_>) {
        let happened = self.happened.0;
        let passes = self.pending.leaves.or_default(leaf);
        passes.count += 1;
        passes.times.note(at);
        passes.happened = happened;
        passes.refused = tried.refused.clone();
        self.dropped += passes.dropped as u64;
        self.decided |= passes.listed + passes.dropped > 0;
        self.pending.ahead |= passes.listed > 0;
        let told = passes.count;
        for (crowd, rank) in tried.told {
            let app = rank.1;
            // The line that was added to just now, if there was room for one.
            let latest = self.latest.first().and_then(|of| of.get(&(Subject::app(app), Reason::Activation.level())));
            let latest = latest.filter(|l| l.happened == self.happened_to(Some(app))).map(|l| l.line);
            let line = latest.filter(|line| self.lines.get(*line).is_some_and(|l| l.last == at));
            if self.pending.members.len() <= app.index() {
                self.pending.members.resize(app.index() + 1, None);
            }
            self.pending.members[app.index()] = Some(Member { leaf, crowd: *crowd, rank: *rank, line, told });
            if let Some(passes) = self.pending.leaves.get_mut(&leaf) {
                *passes.number_of(line) += 1;
            }
        }
    }
}

impl Passes {
    /// How many members there are of this kind.
    fn number_of(&mut self, line: Option<usize>) -> &mut usize {
        if line.is_some() { &mut self.listed } else { &mut self.dropped }
    }
}
