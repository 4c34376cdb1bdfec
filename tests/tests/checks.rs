//! The record of checks: brackets that match, and a situation in which each check fails.
#![cfg(not(target_arch = "wasm32"))]
mod corpus;

use heddle_core::check::{About, Check};
use heddle_core::journal::{Change, Entry, Finding, Full, MasterAct, Processing, tree};
use heddle_core::sim::{Outcome, Simulation};
use heddle_core::{preemption_checks, turn_checks};
use std::collections::BTreeSet;
use std::sync::Arc;

/// Events of one run that are read.
const EVENTS: u64 = 6_000;

/// What a run recorded, and the checks that failed beside: refusals, rounds of preemption, waits of masters.
fn played(name: &str, text: &str) -> (Full, Vec<Check>) {
    let Some(scenario) = heddle_core::scenario::read(text).scenario else { panic!("{name} is no scenario") };
    let (mut full, mut failed) = (Full::default(), Vec::new());
    let Ok(mut sim) = Simulation::new(Arc::new(scenario)) else { return (full, failed) };
    for _ in 0..EVENTS {
        if sim.step(&mut full).is_none() {
            break;
        }
        if let Some(round) = sim.latest_preemption().filter(|round| round.at == sim.now()) {
            failed.extend(round.spared.iter().map(|s| s.why.check()));
            failed.extend(round.unserved.iter().map(|u| u.why.check()));
            failed.extend(round.intra.iter().filter_map(|pass| pass.stop).map(|stop| stop.check()));
        }
        for search in sim.latest_searches().iter().filter(|search| search.at == sim.now()) {
            failed.extend(search.wants.iter().filter_map(|want| want.refused).map(|why| why.check()));
        }
    }
    let of_masters = full.entries.iter().filter_map(|(_, entry)| of_master(entry));
    failed.extend(of_masters);
    let noticed =
        sim.notices().iter().filter_map(|n| if let Outcome::Refused(r) = &n.outcome { Some(r) } else { None });
    let rejected = sim.rm().apps().iter().filter_map(|app| app.rejected());
    failed.extend(noticed.chain(rejected).filter_map(|r| r.kind.check()));
    (full, failed)
}

/// The check that a decision of an ApplicationMaster tells to have failed.
fn of_master(entry: &Entry) -> Option<Check> {
    match entry {
        Entry::Acted(MasterAct::Service(act)) => act.decision.check(),
        Entry::Acted(MasterAct::Slider(act)) => act.decision.check(),
        Entry::Acted(MasterAct::Samza(act)) => act.decision.check(),
        _ => None,
    }
}

fn all() -> impl Iterator<Item = (String, String)> {
    corpus::gallery()
        .into_iter()
        .chain(corpus::samples())
        .chain(corpus::traces(3, 1))
        .chain(corpus::random(20))
        .chain(own())
}

/// What the corpora do not have.
fn own() -> impl Iterator<Item = (String, String)> {
    const NODE: &str = "[[nodes]]\nname = \"n1\"\nsize = \"16 GB/16\"\n";
    const APP: &str = "[[apps]]\nname = \"x{1}\"\ncopies = 2\nqueue = \"root.a\"\nuser = \"u\"\nam = \"1 GB/1\"\n\
                       tasks = [{ count = 12, size = \"1 GB/1\", duration = \"forever\" }]\n";
    const LOWERED: &str = "heddle = 1\nscheduler = \"fair\"\nuntil = \"40 s\"\n[files]\n\
                           \"fair-scheduler.xml\" = '<allocations><queue name=\"a\"/></allocations>'\n\
                           [[happenings]]\nat = \"9 s\"\ndo = \"refresh\"\n\"fair-scheduler.xml\" = \
                           '<allocations><queue name=\"a\"><maxResources>1024 mb, 1 vcores</maxResources></queue></allocations>'\n";
    const NO_NUMBER: &str = "heddle = 1\nuntil = \"20 s\"\n[capacity-scheduler]\nroot.queues = \"a\"\n\
                             root.a.capacity = 100\nuser.u.max-parallel-apps = \"x\"\n";
    let all = [("a maximum that is lowered", LOWERED), ("a limit that is no number", NO_NUMBER)];
    all.into_iter().map(|(name, text)| (name.to_string(), format!("{text}{NODE}{APP}")))
}

/// Every visit that begins ends, in the order of a stack, and every check is about what is visited, about something above
/// it, or about something below that is only told of. The tree of the offers has all checks.
#[test]
fn the_brackets_of_each_offer_match() {
    let mut visits = 0;
    for (name, text) in all() {
        let (full, _) = played(&name, &text);
        let (mut open, mut recorded): (Vec<About>, usize) = (Vec::new(), 0);
        for (at, entry) in &full.entries {
            match entry {
                Entry::Found(Finding::Enter(about)) => open.push(*about),
                Entry::Found(Finding::Leave { about, .. }) => {
                    assert_eq!(open.pop(), Some(*about), "{name} at {at} ms");
                    visits += 1;
                }
                Entry::Found(Finding::Checked(checked)) => {
                    let told_of = !matches!(open.last(), None | Some(About::OnNode(..)));
                    let visited = open.contains(&checked.about) || told_of;
                    assert!(visited, "{name} at {at} ms: {checked:?} within {open:?}");
                    recorded += 1;
                }
                Entry::Found(Finding::Offer { .. } | Finding::OfferOver { .. } | Finding::TurnOver { .. }) => {
                    assert!(open.is_empty(), "{name} at {at} ms: {open:?} is left open");
                }
                _ => {}
            }
        }
        assert!(open.is_empty(), "{name}: {open:?} is left open");
        let offers = tree::offers(&full.entries);
        let read: usize = offers.iter().flat_map(|o| &o.passes).map(|p| checks_of(&p.visits)).sum();
        assert_eq!(read, recorded, "{name}: checks in the tree");
    }
    assert!(visits > 10_000, "{visits} visits");
}

fn checks_of(visits: &tree::Visits<'_>) -> usize {
    let mut left: Vec<&tree::Visit<'_>> = visits.iter().collect();
    let mut checks = 0;
    while let Some(visit) = left.pop() {
        checks += visit.checks.len();
        left.extend(visit.below.iter());
    }
    checks
}

/// Where a check is seen to fail.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Seen {
    /// In what is played here.
    Played,
    /// By conformance traces or unit tests of the code that decides it, and by nothing that is played here.
    Beside,
    /// In a test of this name.
    Test(&'static str),
    /// By nothing that is played.
    Never,
}

/// A check that is added does not compile before it is said where it is seen.
fn seen(check: Check) -> Seen {
    match check {
        Check::QueueParallelApps
        | Check::UserParallelApps
        | Check::QueueAmLimit
        | Check::UserAmLimit
        | Check::PartitionAccess
        | Check::QueuePending
        | Check::NodeUnreserved
        | Check::NodeMinimum
        | Check::QueueLimit
        | Check::LeafHeadroom
        | Check::MaxResources
        | Check::AppPending
        | Check::UserLimit
        | Check::InDemand
        | Check::AmShare
        | Check::RequestPending
        | Check::AmExclusivity
        | Check::ReservationsNeeded
        | Check::Headroom
        | Check::NonPartitionedFirst
        | Check::NodePartition
        | Check::Constraint
        | Check::Blacklist
        | Check::LocalityDelay
        | Check::LocalityDelayTime
        | Check::MaxShare
        | Check::RelaxLocality
        | Check::LocalityRow
        | Check::NodeTotal
        | Check::NodeFree
        | Check::Unreserve
        | Check::BelowFairShare
        | Check::ReservationThreshold
        | Check::ReservableNodes
        | Check::CommitUserLimit
        | Check::CommitQueueMaximum
        | Check::CommitConstraint
        | Check::CommitSupported
        | Check::CommitNodeFree
        | Check::CommitUnreserved
        | Check::ClusterResources
        | Check::ConstraintErrors
        | Check::CandidateUnreserved
        | Check::RequestKept
        | Check::NodeRoom
        | Check::RoomNotPromised
        | Check::UserParallelLimitReadable
        | Check::CommitNodeRunning
        | Check::CommitKillable
        | Check::SubmissionTags
        | Check::PlacementRule
        | Check::SubmissionQueue
        | Check::QueueRunning
        | Check::SubmitPermission
        | Check::PriorityPermission
        | Check::SystemApplications
        | Check::QueueApplications
        | Check::UserApplications
        | Check::AskSize
        | Check::AskTypes
        | Check::AskLabel
        | Check::AskBlacklist
        | Check::AskRelease
        | Check::ConstraintHandler
        | Check::ConstraintAsk
        | Check::ProcessorPlaced
        | Check::ProcessorCommitted
        | Check::RegisteredSize
        | Check::SettingsValid
        | Check::MoveState
        | Check::DependenciesReady
        | Check::AffinityOneByOne
        | Check::AffinityHost
        | Check::PriorityChange
        | Check::StandbyHost
        | turn_checks!()
        | preemption_checks!() => Seen::Played,
        // Traces of the front door and unit tests of Slider reach these; no scenario here does.
        Check::SubmissionLifetime | Check::MoveSupported | Check::MoveLimits | Check::AffinityNodes => Seen::Beside,
        // A late commit whose request was served meanwhile: only threads that race come to it.
        Check::CommitWanted => Seen::Never,
        Check::CommitReservation => Seen::Test("a_walk_that_commits_at_its_end_refuses_what_the_state_has_outrun"),
    }
}

#[test]
fn every_check_is_seen_to_fail() {
    let mut failed: BTreeSet<Check> = BTreeSet::new();
    let more = corpus::traces(60, 1);
    for (name, text) in all().chain(more) {
        let (full, refused) = played(&name, &text);
        failed.extend(refused);
        for (_, entry) in &full.entries {
            match entry {
                Entry::Found(Finding::Checked(checked)) if checked.fails() => failed.extend([checked.check]),
                Entry::Found(Finding::TurnOver { by }) => failed.extend([by.check]),
                Entry::Changed(Change::CommitRefused { why, .. }) => failed.extend([why.check]),
                Entry::Changed(Change::NotActivated { why, .. }) => failed.extend([why.check]),
                Entry::Changed(Change::NotRunnable { why, .. }) => failed.extend([why.check]),
                Entry::Processed(Processing::Rejected { check, .. }) => failed.extend([*check]),
                _ => {}
            }
        }
    }
    let missing: Vec<Check> =
        Check::ALL.iter().copied().filter(|c| seen(*c) == Seen::Played && !failed.contains(c)).collect();
    assert_eq!(missing, [], "never seen to fail");
    for check in Check::ALL {
        if seen(*check) != Seen::Played {
            assert!(!failed.contains(check), "{check:?} is seen here");
        }
        let Seen::Test(name) = seen(*check) else { continue };
        let tests = include_str!("../../core/src/scheduler/capacity/walk/tests.rs");
        assert!(tests.contains(name) && tests.contains(&format!("Check::{check:?}")), "{name} has no {check:?}");
    }
}
