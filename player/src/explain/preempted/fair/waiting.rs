//! Whether the application of a waiting request is starved, since when, and who makes room for it; or what prevents that.

use super::super::case::unreached;
use super::{on_condition, since, text, told};
use crate::explain::names::Names;
use crate::explain::request::may_go_to;
use crate::explain::say::preemption::{WHY_NOT_MORE, comes_short, fair as say, freed_in_vain};
use crate::explain::view::{ConditionView, FreeingView, Met, PreemptionView};
use crate::explain::waiting::Waiting;
use crate::explain::words;
use heddle_core::check::Check;
use heddle_core::model::{AppId, ContainerId, Millis, NodeId, QueueId, Resource};
use heddle_core::preemption::fair::{
    AppLook, LeafLook, NodeChoice, Pick, Search, SearchOutcome, SpareReason, Standing, StarvedRequest, UncountedReason,
};
use heddle_core::scheduler::ContainerState;
use heddle_core::scheduler::fair::{FairQueue, FairScheduler};

/// The number of a search's nodes that are listed.
const ROWS: usize = 8;

/// Why a request gets room, or what prevents it.
#[derive(Clone, Debug, PartialEq)]
pub enum FairFreeingCause {
    /// Preemption is off.
    Off,
    /// Too little of the cluster is used.
    Idle,
    /// Updates do not check its application.
    NotLookedAt { check: Check, why: String },
    /// It has its share, and its queue the minimum share.
    HasShare,
    /// A timeout has not passed, or none is set: that of its share, or of its queue's minimum share.
    Waits { check: Check },
    /// It is starved, and no search has been made for it yet.
    Starved,
    /// A search was made for it, whose record is not at hand; the next check is at `next`.
    Lately { next: Millis },
    /// The search was not for this request.
    NotCounted { check: Check, why: String },
    /// No node can give enough; `left`: what was spared.
    NobodyGives { left: Vec<String> },
    /// Resources are free without preemption.
    RoomThere { nodes: Vec<NodeId> },
    /// Containers were chosen.
    Comes,
}

impl FairFreeingCause {
    /// Returns the check that failed, whose figures these are. `None`: none failed.
    pub fn check(&self) -> Option<Check> {
        Some(match self {
            FairFreeingCause::Off => Check::FairPreemptionOn,
            FairFreeingCause::Idle => Check::ClusterBusy,
            FairFreeingCause::NotLookedAt { check, .. }
            | FairFreeingCause::NotCounted { check, .. }
            | FairFreeingCause::Waits { check } => *check,
            FairFreeingCause::HasShare => Check::BelowShare,
            FairFreeingCause::Starved | FairFreeingCause::Lately { .. } => Check::SomebodyStarved,
            FairFreeingCause::NobodyGives { .. } => Check::VictimsFound,
            FairFreeingCause::RoomThere { .. } | FairFreeingCause::Comes => return None,
        })
    }
}

/// The conditions that come after the timeouts.
const OF_SEARCH: [Check; 4] = [Check::SomebodyStarved, Check::StarvedCounted, Check::VictimsFound, Check::FairKillWait];

struct FairFindings<'a> {
    names: Names<'a>,
    s: &'a FairScheduler,
    w: &'a Waiting,
    leaf: QueueId,
    /// The latest search for its application, while the next is not due.
    search: Option<&'a Search>,
    conditions: Vec<ConditionView>,
    freeing: Vec<FreeingView>,
    size: Resource,
    /// The parts of the sentence about running timeouts.
    clocks: Vec<String>,
    /// Nodes on which containers are taken for it, although it may not go there.
    useless: Vec<NodeId>,
}

/// Returns what is being freed for a waiting request, in a few words. Empty: nothing.
pub fn short(names: Names<'_>, w: &Waiting) -> String {
    find(names, w, latest_search(names, w)).map_or(String::new(), |(found, _)| found.short())
}

/// Returns the latest search for its application.
fn latest_search<'a>(names: Names<'a>, w: &Waiting) -> Option<&'a Search> {
    names.sim.latest_searches().iter().find(|search| search.app == w.app)
}

/// Returns a clause: its application uses less than its fair share, and why preemption takes nothing for it, or nothing yet.
pub fn owed(names: Names<'_>, w: &Waiting) -> Option<String> {
    let (found, cause) = find(names, w, latest_search(names, w))?;
    let (used, share) = found.used_of_share();
    // One type decides a dominant share. An application that has its whole share of a type is not certainly owed anything; a
    // share of zero is always met.
    let below = |share: Resource| !share.is_zero() && (0..share.0.len()).all(|i| share[i] == 0 || used[i] < share[i]);
    let has_all = |share: Resource| (0..share.0.len()).all(|i| used[i] >= share[i]);
    let patience = found.s.queue(found.leaf).patience;
    let due = share.map(|v| (v as f64 * f64::from(patience.threshold)) as i64);
    // Below a minimum share, another timeout applies.
    let by_minimum = !found.s.queue(found.leaf).minimum.is_zero() && patience.minimum_ms < Millis::MAX;
    let endless = patience.fair_ms == Millis::MAX && !by_minimum;
    let above_due = || say::above_threshold(&found.text(due), patience.threshold);
    let why = match cause {
        FairFreeingCause::HasShare => above_due(),
        // With preemption on, nothing would be taken for it either.
        FairFreeingCause::Off if has_all(due) => return None,
        _ if found.lacks_what_no_share_counts() => say::SHARES_OF_MEMORY.to_string(),
        FairFreeingCause::Off if endless => say::OFF_AND_NO_TIMEOUT.to_string(),
        FairFreeingCause::Off => say::OFF.to_string(),
        FairFreeingCause::Waits { check: Check::ShareTimeout } if endless => say::NO_TIMEOUT.to_string(),
        FairFreeingCause::Waits { check: Check::ShareTimeout | Check::MinimumTimeout } => {
            let (of_share, of_minimum) = (found.share_over(), found.minimum_over().filter(|_| by_minimum));
            match (of_share, of_minimum) {
                (share, Some(minimum)) if share.is_none_or(|share| minimum <= share) => {
                    let queue = found.s.queue(found.leaf);
                    say::starved_of_minimum_from(
                        names.queue(found.leaf),
                        &found.text(queue.minimum),
                        &words::clock(minimum),
                    )
                }
                (share, _) => say::starved_from(&words::clock(share?)),
            }
        }
        FairFreeingCause::NobodyGives { left } if !left.is_empty() => say::nobody_gives_of(&left),
        FairFreeingCause::NobodyGives { .. }
        | FairFreeingCause::Waits { .. }
        | FairFreeingCause::Idle
        | FairFreeingCause::NotLookedAt { .. }
        | FairFreeingCause::Starved
        | FairFreeingCause::Lately { .. }
        | FairFreeingCause::NotCounted { .. }
        | FairFreeingCause::RoomThere { .. }
        | FairFreeingCause::Comes => return None,
    };
    let why = match found.minimum_above() {
        Some((queue, minimum)) => say::and_minimum_above(&why, queue, &minimum),
        None => why,
    };
    below(share).then(|| say::owed(found.app(), &found.text(used), &found.text(share), &why))
}

/// Returns a clause: its application already has its fair share.
pub fn has_its_share(names: Names<'_>, w: &Waiting) -> Option<String> {
    let s = names.rm().fair()?;
    let (used, share) = (names.rm().scheduled(w.app)?.used_total(), s.app(w.app)?.fair_share);
    let counts = |i: &usize| share[*i] > 0;
    let all =
        |is: fn(i64, i64, i64) -> bool| (0..share.0.len()).filter(counts).all(|i| is(used[i], w.size[i], share[i]));
    // One more container would exceed its share in every type that counts, and it uses at least 90 % of it.
    let has = !share.is_zero() && all(|used, more, share| used + more > share && 10 * used >= 9 * share);
    has.then(|| {
        let types = &names.rm().cluster().types;
        let of = |r: Resource| words::fair_share(r, types);
        say::has_its_share(names.app(w.app), &of(used), &of(share))
    })
}

/// Returns why a waiting request gets room, or what prevents it; `search`: the latest for its application.
pub fn cause(names: Names<'_>, w: &Waiting, search: Option<&Search>) -> Option<FairFreeingCause> {
    find(names, w, search).map(|(_, cause)| cause)
}

/// Returns the answer for a waiting request; `search`: the latest for its application.
pub fn waiting(names: Names<'_>, w: &Waiting, search: Option<&Search>) -> Option<PreemptionView> {
    let (mut found, cause) = find(names, w, search)?;
    let mut sentence = found.sentence(&cause);
    if !found.useless.is_empty() {
        let hosts: Vec<&str> = found.useless.iter().map(|node| names.node(*node)).collect();
        sentence = format!("{sentence} {}", say::useless(&hosts));
    }
    let promised = found.promised();
    if !promised.is_empty() {
        found.add(Check::RoomNotPromised, Met::Yes, words::list(&promised, 4));
        sentence = format!("{sentence} {}", say::keeps(names.app(w.app), &promised));
    }
    Some(PreemptionView {
        short: found.short(),
        title: WHY_NOT_MORE.to_string(),
        sentence,
        round_ms: found.search.map(|search| search.at),
        check: cause.check().map(|check| check.row().name.to_string()),
        freeing: found.freeing,
        conditions: found.conditions,
    })
}

fn find<'a>(
    names: Names<'a>,
    w: &'a Waiting,
    search: Option<&'a Search>,
) -> Option<(FairFindings<'a>, FairFreeingCause)> {
    let s = names.rm().fair()?;
    let leaf = names.rm().scheduled(w.app).filter(|_| w.placing.is_empty())?.queue;
    let next = s.starving(w.app)?.next_check;
    // The search of an earlier attempt does not count.
    let search = search.filter(|search| search.app == w.app && search.next_check == next && next > names.now);
    let (conditions, freeing, clocks, useless) = Default::default();
    let mut found =
        FairFindings { names, s, w, leaf, search, conditions, freeing, size: Resource::ZERO, clocks, useless };
    let on = s.conf().preemption.on;
    found.conditions.push(on_condition(names, on));
    let cause = if !on {
        let (used, share) = found.used_of_share();
        // Preemption that is off is shown only where it would matter.
        if (0..used.0.len()).all(|i| used[i] >= share[i]) {
            return None;
        }
        found.leave_out(&[Check::ClusterBusy, Check::StarvationLooked, Check::BelowShare, Check::ShareTimeout]);
        found.leave_out(&OF_SEARCH);
        FairFreeingCause::Off
    } else if let Some(search) = search {
        found.searched(search)
    } else if next > names.now {
        found.add(Check::SomebodyStarved, Met::Slows, say::not_searched_before(&words::clock(next)));
        FairFreeingCause::Lately { next }
    } else {
        let cause = found.looked_at();
        let seen = usize::from(cause == FairFreeingCause::Starved);
        if cause == FairFreeingCause::Starved {
            found.add(Check::SomebodyStarved, Met::Slows, say::NOT_SEARCHED.to_string());
        }
        found.leave_out(&OF_SEARCH[seen..]);
        cause
    };
    Some((found, cause))
}

impl FairFindings<'_> {
    fn add(&mut self, check: Check, met: Met, value: String) -> &mut ConditionView {
        let at = self.conditions.len();
        self.conditions.push(told(self.names, check, met, value));
        &mut self.conditions[at]
    }

    fn leave_out(&mut self, checks: &[Check]) {
        self.conditions.extend(checks.iter().copied().map(unreached));
    }

    fn text(&self, r: Resource) -> String {
        text(self.names, r)
    }

    fn app(&self) -> &str {
        self.names.app(self.w.app)
    }

    /// Returns when its share's timeout ends.
    fn share_over(&self) -> Option<Millis> {
        let leaf = self.s.looks().leaves.iter().find(|l| l.queue == self.leaf)?;
        over(leaf.apps.iter().find(|a| a.app == self.w.app)?.standing)
    }

    /// Returns when the timeout of its queue's minimum share ends.
    fn minimum_over(&self) -> Option<Millis> {
        over(self.s.looks().leaves.iter().find(|l| l.queue == self.leaf)?.minimum.standing)
    }

    /// Returns whether the nodes lack only types that its share does not count.
    fn lacks_what_no_share_counts(&self) -> bool {
        let (_, share) = self.used_of_share();
        let nodes = self.names.rm().nodes().iter().filter(|node| node.in_scheduler);
        let mut lacked = nodes.flat_map(|node| {
            let free = node.free();
            (0..share.0.len()).filter(move |i| free[*i] < self.w.size[*i])
        });
        !share.is_zero() && lacked.by_ref().next().is_some_and(|i| share[i] == 0) && lacked.all(|i| share[i] == 0)
    }

    /// Returns an ancestor of its leaf that is below its minimum share while the leaf has no minimum share: only leaves are
    /// starved for one.
    fn minimum_above(&self) -> Option<(&str, String)> {
        let above = self.names.path_up(self.leaf).skip(1).map(|queue| (queue, self.s.queue(queue)));
        let lacks = |queue: &FairQueue| (0..queue.minimum.0.len()).any(|i| queue.used[i] < queue.minimum[i]);
        let own = self.s.queue(self.leaf).minimum;
        let (id, queue) = above.filter(|_| own.is_zero()).find(|(_, queue)| lacks(queue))?;
        Some((self.names.queue(id), self.text(queue.minimum)))
    }

    fn used_of_share(&self) -> (Resource, Resource) {
        let used = self.names.rm().cluster().app(self.w.app).used_total();
        (used, self.s.app(self.w.app).map(|a| a.fair_share).unwrap_or_default())
    }

    // ---- what the latest update found

    fn looked_at(&mut self) -> FairFreeingCause {
        let (s, app) = (self.s, self.w.app);
        let looks = s.looks();
        let threshold = s.conf().preemption.utilization_threshold;
        let value = say::used_of(looks.used, threshold);
        self.add(Check::ClusterBusy, yes(looks.busy), value);
        if !looks.busy {
            self.leave_out(&[Check::StarvationLooked, Check::BelowShare, Check::ShareTimeout]);
            return FairFreeingCause::Idle;
        }
        let leaf = looks.leaves.iter().find(|l| l.queue == self.leaf);
        let leaf = leaf.filter(|l| l.of_minimum.iter().any(|part| part.app == app));
        let Some(leaf) = leaf else {
            let runs = s.queue(self.leaf).runnable.contains(&app);
            let why = if runs { say::WANTS_NOTHING } else { say::NOT_RUNNABLE }.to_string();
            self.add(Check::StarvationLooked, Met::No, why.clone());
            self.leave_out(&[Check::BelowShare, Check::ShareTimeout]);
            return FairFreeingCause::NotLookedAt { check: Check::StarvationLooked, why };
        };
        self.add(Check::StarvationLooked, Met::Yes, say::WANTS_MORE.to_string());
        self.legs(leaf)
    }

    /// Checks both ways to be starved; an unmet condition of one does not block the other.
    fn legs(&mut self, leaf: &LeafLook) -> FairFreeingCause {
        let app = self.w.app;
        let own = leaf.apps.iter().find(|a| a.app == app);
        let part = leaf.of_minimum.iter().find(|part| part.app == app);
        let by_share = own.is_some_and(|a| matches!(a.standing, Standing::Starved { .. }));
        let by_minimum = part.is_some_and(|part| part.starved);
        let stop = if by_share || by_minimum { Met::Slows } else { Met::No };
        let (why, runs) = self.share_leg(leaf, own, stop);
        let owed = self.minimum_leg(leaf, stop);
        match why {
            _ if by_share || by_minimum => FairFreeingCause::Starved,
            _ if runs => FairFreeingCause::Waits { check: Check::ShareTimeout },
            _ if owed => FairFreeingCause::Waits { check: Check::MinimumTimeout },
            Some(why) => FairFreeingCause::NotLookedAt { check: Check::BelowShare, why },
            None => FairFreeingCause::HasShare,
        }
    }

    /// Returns why its share is not checked, if it is not, and whether its timeout runs.
    fn share_leg(&mut self, leaf: &LeafLook, own: Option<&AppLook>, stop: Met) -> (Option<String>, bool) {
        let Some(a) = own else {
            let before = leaf.apps.last().map_or("", |last| self.names.app(last.app));
            let why = say::behind(before);
            self.add(Check::BelowShare, stop, why.clone());
            self.leave_out(&[Check::ShareTimeout]);
            return (Some(why), false);
        };
        let [used, due, share] = [a.used, a.due, a.share].map(|r| self.text(r));
        let value = say::share(&used, &due, self.s.queue(self.leaf).patience.threshold, &share);
        match a.standing {
            Standing::Served => {
                self.add(Check::BelowShare, stop, value);
                self.leave_out(&[Check::ShareTimeout]);
                self.clocks.push(say::has_share(self.app(), &used, &due));
                (None, false)
            }
            Standing::Waiting { since, until } => {
                self.add(Check::BelowShare, Met::Yes, value);
                let (since, until) = (words::clock(since), ends(until));
                self.add(Check::ShareTimeout, stop, say::clock(&since, until.as_deref()));
                self.clocks.push(say::share_waits(self.app(), &since, until.as_deref()));
                (None, true)
            }
            Standing::Starved { since } => {
                self.add(Check::BelowShare, Met::Yes, value);
                self.add(Check::ShareTimeout, Met::Yes, say::clock_over(&words::clock(since)));
                (None, true)
            }
        }
    }

    /// Checks whether its queue lacks any of its minimum share.
    fn minimum_leg(&mut self, leaf: &LeafLook, stop: Met) -> bool {
        let minimum = self.s.queue(self.leaf).minimum;
        if minimum.is_zero() {
            return false;
        }
        let lack = leaf.minimum.lack;
        let lacks = (!lack.is_zero()).then(|| self.text(lack));
        let value = say::minimum(lacks.as_deref(), &self.text(minimum));
        self.add(Check::BelowMinimum, if lacks.is_some() { Met::Yes } else { stop }, value);
        match leaf.minimum.standing {
            Standing::Served => self.leave_out(&[Check::MinimumTimeout]),
            Standing::Waiting { since, until } => {
                let (since, until) = (words::clock(since), ends(until));
                self.add(Check::MinimumTimeout, stop, say::clock(&since, until.as_deref()));
                let said = say::minimum_waits(self.names.queue(self.leaf), &since, until.as_deref());
                self.clocks.push(said);
            }
            Standing::Starved { since } => {
                self.add(Check::MinimumTimeout, Met::Yes, say::clock_over(&words::clock(since)));
            }
        }
        lacks.is_some()
    }

    // ---- what the search for it found

    fn searched(&mut self, search: &Search) -> FairFreeingCause {
        let lack = search.lack;
        let fair = since(self.names, lack.fair, lack.fair_since);
        let minimum = since(self.names, lack.minimum, lack.minimum_since);
        // Starved for its fair share, or for its queue's minimum share.
        let check = if lack.fair.is_zero() { Check::BelowMinimum } else { Check::BelowShare };
        self.add(check, Met::Yes, say::lacks(fair, minimum));
        self.add(
            Check::SomebodyStarved,
            Met::Yes,
            say::searched(&words::clock(search.at), &words::clock(search.next_check)),
        );
        let mine = |want: &StarvedRequest| want.priority == self.w.key.priority && want.size == self.w.size;
        let wants: Vec<(usize, &StarvedRequest)> =
            search.wants.iter().enumerate().filter(|(_, want)| mine(want)).collect();
        let count: i64 = wants.iter().map(|(_, want)| want.count).sum();
        if count == 0 {
            let want = wants.first().map(|(_, want)| *want);
            let why = self.not_counted(search, want);
            let check = want.and_then(|want| want.refused).map_or(Check::StarvedCounted, UncountedReason::check);
            self.add(check, Met::No, why.clone());
            self.leave_out(&[Check::VictimsFound, Check::FairKillWait]);
            return FairFreeingCause::NotCounted { check, why };
        }
        let asked = wants.iter().filter(|(_, want)| want.count > 0).map(|(_, want)| want.asked).sum();
        let met = if count < asked { Met::Slows } else { Met::Yes };
        self.add(Check::StarvedCounted, met, say::counted(count, asked));
        let picks: Vec<&Pick> = search.picks.iter().filter(|p| wants.iter().any(|(i, _)| *i == p.want)).collect();
        self.picked(search, &picks)
    }

    fn not_counted(&self, search: &Search, want: Option<&StarvedRequest>) -> String {
        match want.map(|want| (want, want.refused)) {
            None if self.w.since > search.at => say::came_later(&words::clock(search.at)),
            None => say::NOT_REACHED.to_string(),
            Some((_, Some(UncountedReason::NoSuchPlace))) => say::NO_SUCH_PLACE.to_string(),
            Some((_, Some(UncountedReason::CountedElsewhere))) => say::COUNTED_ELSEWHERE.to_string(),
            Some((want, _)) => say::more_than_lacking(&self.text(want.size), &self.text(want.lack)),
        }
    }

    fn picked(&mut self, search: &Search, picks: &[&Pick]) -> FairFreeingCause {
        let choices: Vec<&NodeChoice> = picks.iter().filter_map(|p| p.choice.as_ref()).collect();
        let names = self.names;
        let name = |ids: &[ContainerId]| ids.iter().map(|id| names.container_name(*id)).collect::<Vec<_>>();
        let w = self.w;
        let barred = |node| names.rm().node(node).is_some_and(|node| !may_go_to(names, w, node));
        let given =
            choices.iter().map(|c| say::given(names.node(c.node), &name(&c.containers), c.elsewhere, barred(c.node)));
        let given: Vec<String> = given.collect();
        for choice in choices.iter().filter(|c| !c.containers.is_empty() && barred(c.node)) {
            if !self.useless.contains(&choice.node) {
                self.useless.push(choice.node);
            }
        }
        let met = match choices.len() {
            0 => Met::No,
            n if n < picks.len() => Met::Slows,
            _ => Met::Yes,
        };
        let told = picks.iter().find(|p| p.choice.is_none()).or(picks.first());
        let rows = told.map(|p| self.rows(p)).unwrap_or_default();
        self.add(Check::VictimsFound, met, say::gives(choices.len() as i64, &given)).formula = rows;
        if choices.is_empty() {
            self.leave_out(&[Check::FairKillWait]);
            return FairFreeingCause::NobodyGives { left: told.map(|p| left_alone(names, p)).unwrap_or_default() };
        }
        let chosen: Vec<ContainerId> = choices.iter().flat_map(|c| c.containers.iter().copied()).collect();
        if chosen.is_empty() {
            return FairFreeingCause::RoomThere { nodes: choices.iter().map(|c| c.node).collect() };
        }
        let (at, kill_at) = (words::clock(search.at), words::clock(search.kill_at));
        let text = say::warned_until(&at, &kill_at);
        self.add(Check::FairKillWait, Met::Slows, text.clone());
        for id in chosen {
            let live = |c: &&heddle_core::scheduler::Container| c.state != ContainerState::Over;
            let Some(c) = names.rm().container(id).filter(live) else { continue };
            self.size += c.size;
            self.freeing.push(FreeingView {
                who: names.container(id),
                name: names.container_name(id),
                node: names.node(c.node).to_string(),
                size: words::size(c.size, &names.rm().cluster().types),
                killed_ms: Some(search.kill_at),
                killable: false,
                text: text.clone(),
            });
        }
        FairFreeingCause::Comes
    }

    /// Returns the rows of the nodes that the search examined.
    fn rows(&self, pick: &Pick) -> Vec<String> {
        let row = |look: &heddle_core::preemption::fair::NodeLook| {
            let outcome = match look.outcome {
                SearchOutcome::Best => say::BEST,
                SearchOutcome::NoFewerMasters => say::NO_FEWER_MASTERS,
                SearchOutcome::TooLittle => say::TOO_LITTLE,
            };
            let [free, gathered] = [look.free, look.gathered].map(|r| self.text(r));
            say::node(self.names.node(look.node), &free, &gathered, look.taken as i64, outcome)
        };
        pick.looked.iter().take(ROWS).map(row).collect()
    }

    /// Returns what is promised to its present attempt on nodes.
    fn promised(&self) -> Vec<String> {
        let rm = self.names.rm();
        let attempt = rm.cluster().app(self.w.app).attempt_id();
        let nodes = rm.cluster().nodes.iter().filter(|n| n.in_scheduler);
        nodes
            .flat_map(|n| self.s.promised(n.id).filter(|(a, _)| *a == attempt).map(move |(_, amount)| (n, amount)))
            .map(|(n, amount)| say::promised(&n.host, &self.text(amount)))
            .collect()
    }

    fn short(&self) -> String {
        match self.freeing.first().and_then(|f| f.killed_ms) {
            Some(at) => {
                let comes = comes_short(&self.text(self.size), &[self.app()], Some(&words::clock(at)), true);
                if self.may_not_start() { freed_in_vain(&comes, self.app(), None) } else { comes }
            }
            None => String::new(),
        }
    }

    /// Returns whether it is an AM that would exceed the AM share even with the freed resources: for a type of which its queue
    /// has no share, the free amount counts.
    fn may_not_start(&self) -> bool {
        self.w.am && self.s.am_is_over_with(self.names.rm().cluster(), self.w.app, self.size)
    }

    /// Returns the answer in a sentence or two.
    fn sentence(&self, cause: &FairFreeingCause) -> String {
        let app = self.app();
        let conf = &self.s.conf().preemption;
        let (at, next, kill_at) = match self.search {
            Some(search) => (search.at, search.next_check, search.kill_at),
            None => Default::default(),
        };
        let [at, next, kill_at] = [at, next, kill_at].map(words::clock);
        match cause {
            FairFreeingCause::Off => {
                let (used, share) = self.used_of_share();
                say::off(app, &self.text(used), &self.text(share))
            }
            FairFreeingCause::Idle => say::idle(self.s.looks().used, conf.utilization_threshold),
            FairFreeingCause::NotLookedAt { why, .. } => say::not_looked_at(app, why),
            FairFreeingCause::HasShare | FairFreeingCause::Waits { .. } => self.clocks.join(" "),
            FairFreeingCause::Starved => say::starved(app),
            FairFreeingCause::Lately { next } => say::searched_lately(app, &words::clock(*next)),
            FairFreeingCause::NotCounted { why, .. } => say::not_counted(app, &at, why, &next),
            FairFreeingCause::NobodyGives { left } => say::nobody_gives(app, &at, left, &next),
            FairFreeingCause::RoomThere { nodes } => {
                let nodes: Vec<&str> = nodes.iter().map(|n| self.names.node(*n)).collect();
                say::room_there(app, &nodes, &at)
            }
            FairFreeingCause::Comes => match self.freeing.as_slice() {
                [] => say::is_over(app, &at, &next),
                [first, more @ ..] => say::comes(app, &first.name, &first.node, more.len() as i64, &at, &kill_at),
            },
        }
    }
}

/// Returns the containers that the search for one container spared, by reason.
fn left_alone(names: Names<'_>, pick: &Pick) -> Vec<String> {
    let mut queues: Vec<(QueueId, i64)> = Vec::new();
    let mut apps: Vec<(AppId, Resource, i64)> = Vec::new();
    let (mut masters, mut over) = (0, 0);
    for spared in pick.looked.iter().flat_map(|look| &look.spared) {
        let app = spared.container.app;
        match spared.why {
            SpareReason::Over => over += 1,
            SpareReason::Master => masters += 1,
            SpareReason::Protected { queue } => match queues.iter_mut().find(|(q, _)| *q == queue) {
                Some((_, n)) => *n += 1,
                None => queues.push((queue, 1)),
            },
            SpareReason::BelowShare { share, .. } => match apps.iter_mut().find(|(a, ..)| *a == app) {
                Some((.., n)) => *n += 1,
                None => apps.push((app, share, 1)),
            },
        }
    }
    let mut out: Vec<String> = queues.iter().map(|(q, n)| say::protected(*n, names.queue(*q))).collect();
    out.extend(apps.iter().map(|(a, share, n)| say::below_share(*n, names.app(*a), &text(names, *share))));
    out.extend((masters > 0).then(|| say::masters(masters)));
    out.extend((over > 0).then(|| say::over(over)));
    out
}

fn yes(holds: bool) -> Met {
    if holds { Met::Yes } else { Met::No }
}

/// Returns when a running timeout ends. `None`: never, or it does not run.
fn over(standing: Standing) -> Option<Millis> {
    match standing {
        Standing::Waiting { until, .. } => (until < Millis::MAX).then_some(until),
        Standing::Served | Standing::Starved { .. } => None,
    }
}

/// Returns the time in words; `None`: never.
fn ends(until: Millis) -> Option<String> {
    (until < Millis::MAX).then(|| words::clock(until))
}
