//! Lines of applications that stay pending: a pass over thousands of them is recorded once, and copied into their lines
//! when something happens to one of them, or when the lines are read.

use super::{Folded, SKIPS, Times};
use crate::check::{Check, Figures};
use crate::journal::{
    AmLimitSkips, Change, Entry, Finding, PendingGroupId, PendingPass, Rank, Reason, Recorder, RefusedUpTo, Subject,
};
use crate::model::{AppId, Millis, QueueId, Resource, SortedMap};
use std::sync::Arc;

/// The applications that passes record as a whole.
#[derive(Clone, Debug, Default)]
pub(super) struct Pending {
    leaves: SortedMap<QueueId, Passes>,
    /// By application.
    members: Vec<Option<Member>>,
    /// Whether a pass has recorded something that the lines do not show yet.
    ahead: bool,
}

/// The passes over a leaf.
#[derive(Clone, Debug, Default)]
struct Passes {
    /// The number of passes.
    count: u64,
    times: Times,
    /// The number of events of no application, at the latest pass.
    happened: u64,
    why: PassRefusal,
    /// Stretches of more than a round between two passes, as in [`super::FoldedLine::gaps`].
    gaps: Vec<(Millis, Millis)>,
    /// The members with a line, and those whose line was dropped for lack of space.
    listed: usize,
    dropped: usize,
}

/// The result of the latest pass.
#[derive(Clone, Debug)]
enum PassRefusal {
    Refused(Arc<Vec<RefusedUpTo>>),
    /// The usage of the leaf's AMs, and their limit.
    AmShare(Resource, Resource),
}

impl Default for PassRefusal {
    fn default() -> Self {
        PassRefusal::Refused(Arc::default())
    }
}

/// An application that its leaf's passes refuse.
#[derive(Clone, Copy, Debug)]
struct Member {
    leaf: QueueId,
    /// Its place for finding the reason, in passes that distinguish groups.
    place: Option<(PendingGroupId, Rank)>,
    line: Option<usize>,
    /// The number of passes that its line includes; `gaps` is that of their gaps.
    told: u64,
    gaps: usize,
}

impl Folded {
    /// Copies what passes have recorded as a whole into the lines of applications that stay pending.
    pub fn settle(&mut self) {
        if std::mem::take(&mut self.pending.ahead) {
            (0..self.pending.members.len()).for_each(|app| self.catch_up(AppId::from(app)));
        }
    }

    /// Returns whether the lines show all that was recorded.
    pub fn is_settled(&self) -> bool {
        !self.pending.ahead
    }

    /// Brings a member's line up to date, as if each pass had recorded it by itself.
    fn catch_up(&mut self, app: AppId) {
        let Some(Some(member)) = self.pending.members.get_mut(app.index()) else { return };
        let Some(passes) = self.pending.leaves.get(&member.leaf) else { return };
        let (Member { place, gaps, .. }, times) = (*member, passes.count - member.told);
        let Some((line, latest)) = member.line.zip(passes.times.last).filter(|_| times > 0) else { return };
        (member.told, member.gaps) = (passes.count, passes.gaps.len());
        let Some(told) = self.lines.get_mut(line) else { return };
        told.last = latest;
        told.times += times;
        told.gaps.extend_from_slice(&passes.gaps[gaps..]);
        match (&passes.why, &mut told.entry) {
            (PassRefusal::Refused(all), Entry::Changed(Change::NotActivated { why, .. })) => {
                let place = place.and_then(|(crowd, rank)| RefusedUpTo::find(all, crowd, rank));
                place.into_iter().for_each(|at| why.clone_from(&all[at].why));
            }
            (PassRefusal::AmShare(now, most), Entry::Found(Finding::Checked(checked))) => {
                if let (Check::AmShare, Figures::Amounts(amounts)) = (checked.check, &mut checked.figures) {
                    amounts.as_of_now(*now, *most);
                }
            }
            _ => debug_assert!(false, "passes and lines tell of different things"),
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

    /// Removes an application from the passes, since an entry of its own follows.
    pub(super) fn leave_pass(&mut self, app: AppId) {
        self.catch_up(app);
        let Some(member) = self.pending.members.get_mut(app.index()).and_then(Option::take) else { return };
        if let Some(passes) = self.pending.leaves.get_mut(&member.leaf) {
            *passes.number_of(member.line) -= 1;
        }
    }

    /// Returns whether a pass may record the members of a leaf as a whole. It may not if some had an entry of their own
    /// since, so that their number is not `members`, or if each would begin a line of its own.
    fn passes_alike(&mut self, at: Millis, leaf: QueueId, members: usize) -> bool {
        let Some(passes) = self.pending.leaves.get_mut(&leaf) else { return members == 0 };
        let (Some(last), true) = (passes.times.last, passes.listed + passes.dropped == members) else {
            self.members_of(leaf).into_iter().for_each(|app| self.leave_pass(app));
            return members == 0;
        };
        // Like `goes_on`, for all members.
        let meanwhile = || self.queues.earlier(at).is_some_and(|t| t > last);
        let goes_on = passes.happened == self.happened.0 && (at - last <= self.round || !meanwhile());
        if goes_on || passes.listed == 0 {
            return true;
        }
        if self.skips < SKIPS {
            return false;
        }
        // There is no space for new lines: no line of the members is ever extended again.
        passes.dropped += std::mem::take(&mut passes.listed);
        for app in self.members_of(leaf) {
            self.catch_up(app);
            self.pending.members[app.index()].iter_mut().for_each(|m| m.line = None);
        }
        true
    }

    fn members_of(&self, leaf: QueueId) -> Vec<AppId> {
        let all = self.pending.members.iter().enumerate();
        all.filter(|(_, m)| m.is_some_and(|m| m.leaf == leaf)).map(|(app, _)| AppId::from(app)).collect()
    }

    /// Records a pass over the pending applications of a leaf. Those that the latest pass has refused too are recorded
    /// as a whole if their lines continue.
    pub(super) fn add_pass(&mut self, at: Millis, pass: &PendingPass<'_>) {
        let all = (!self.passes_alike(at, pass.leaf, pass.known)).then(pass.all);
        let told = all.as_deref().unwrap_or(pass.fresh);
        pass.entries(told).into_iter().for_each(|entry| self.keep(at, entry));
        self.pass(at, pass.leaf, PassRefusal::Refused(pass.refused.clone()));
        for member in told.iter().filter(|member| !member.active) {
            let (crowd, rank) = (member.crowd, member.rank);
            self.join_pass(at, pass.leaf, rank.1, Reason::Activation, Some((crowd, rank)));
        }
    }

    /// Records an offer that skipped applications because of the AM limit.
    pub(super) fn add_row(&mut self, at: Millis, row: &AmLimitSkips<'_>) {
        let all = (!self.passes_alike(at, row.leaf, row.known)).then(row.all);
        let told = all.as_deref().unwrap_or(row.fresh);
        told.iter().for_each(|(app, size)| self.keep(at, row.entry(*app, *size)));
        self.pass(at, row.leaf, PassRefusal::AmShare(row.used, row.limit));
        let reason = Reason::Failed(Check::AmShare, None);
        told.iter().for_each(|(app, _)| self.join_pass(at, row.leaf, *app, reason, None));
    }

    fn pass(&mut self, at: Millis, leaf: QueueId, why: PassRefusal) {
        let (happened, round) = (self.happened.0, self.round);
        let passes = self.pending.leaves.or_default(leaf);
        passes.count += 1;
        // Rounds do not try applications that wait for activation.
        let in_rounds = matches!(why, PassRefusal::AmShare(..));
        if let Some(last) = passes.times.last.filter(|last| in_rounds && passes.listed > 0 && at - last > round) {
            passes.gaps.push((last, at));
            self.gaps += passes.listed;
        }
        passes.times.note(at);
        passes.happened = happened;
        passes.why = why;
        self.dropped += passes.dropped as u64;
        self.decided |= passes.listed + passes.dropped > 0;
        self.pending.ahead |= passes.listed > 0;
    }

    /// Records an application as part of the whole from now on; the latest pass recorded it by itself.
    fn join_pass(
        &mut self,
        at: Millis,
        leaf: QueueId,
        app: AppId,
        reason: Reason,
        place: Option<(PendingGroupId, Rank)>,
    ) {
        // The line that was extended just now, if there was space for one.
        let latest = self.latest.first().and_then(|of| of.get(&(Subject::app(app), reason.level())));
        let latest = latest.filter(|l| l.reason == reason && l.happened == self.happened_to(Some(app)));
        let line = latest.map(|l| l.line).filter(|line| self.lines.get(*line).is_some_and(|l| l.last == at));
        if self.pending.members.len() <= app.index() {
            self.pending.members.resize(app.index() + 1, None);
        }
        let Some(passes) = self.pending.leaves.get_mut(&leaf) else { return };
        *passes.number_of(line) += 1;
        let (told, gaps) = (passes.count, passes.gaps.len());
        self.pending.members[app.index()] = Some(Member { leaf, place, line, told, gaps });
    }
}

impl Passes {
    /// The number of members with a line, or of those without.
    fn number_of(&mut self, line: Option<usize>) -> &mut usize {
        if line.is_some() { &mut self.listed } else { &mut self.dropped }
    }
}
