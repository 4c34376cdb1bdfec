//! The record of checks: its brackets match, and each check fails in some situation.
#![cfg(not(target_arch = "wasm32"))]
mod corpus;

use heddle_core::check::{About, Check};
use heddle_core::journal::{Change, Entry, Finding, Full, MasterAct, Processing, tree};
use heddle_core::sim::{Simulation, TriedOutcome};
use heddle_core::{preemption_checks, turn_checks};
use heddle_player::explain::view::Met;
use heddle_player::explain::{Names, waiting, wants};
use std::collections::BTreeSet;
use std::sync::Arc;

/// The most events read of one run.
const EVENTS: u64 = 6_000;

/// Returns what a run recorded, and the failed checks outside the record: refusals, preemption rounds, waits of masters.
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
            let looked = search.picks.iter().flat_map(|pick| &pick.looked);
            failed.extend(looked.flat_map(|look| &look.spared).map(|spared| spared.why.check()));
        }
    }
    let of_masters = full.entries.iter().filter_map(|(_, entry)| of_master(entry));
    failed.extend(of_masters);
    let noticed =
        sim.notices().iter().filter_map(|n| if let TriedOutcome::Refused(r) = &n.outcome { Some(r) } else { None });
    let rejected = sim.rm().apps().iter().filter_map(|app| app.rejected());
    failed.extend(noticed.chain(rejected).filter_map(|r| r.kind.check()));
    (full, failed)
}

/// The number of moments of a run at which preemption's conditions are read, and of things asked about at each.
const MOMENTS: i64 = 5;
const ASKED: usize = 5;

/// Returns the conditions of preemption that block something waiting, or a container's end, at some moments of a run.
fn conditions(text: &str) -> Vec<Check> {
    let mut failed = Vec::new();
    let Some(mut player) = corpus::player(text) else { return failed };
    let end = player.snapshot(None).end_ms;
    for part in 1..=MOMENTS {
        player.seek(end * part / MOMENTS - part % 3 * 137);
        let (sim, names) = (player.simulation(), Names::at(player.simulation(), player.now()));
        let waiting = waiting::waiting(sim).into_iter().map(|w| names.request(w.app, w.key)).take(ASKED);
        let rm = sim.rm();
        let alive = rm.nodes().iter().flat_map(|node| rm.containers_on(node.id).map(|c| names.container(c.id)));
        for about in waiting.chain(alive.take(ASKED)) {
            let told = player.why(&about).preemption.into_iter().flat_map(|told| told.conditions);
            let unmet = told.filter(|c| matches!(c.met, Met::No | Met::Slows));
            failed.extend(unmet.filter_map(|c| Check::ALL.iter().copied().find(|check| check.row().name == c.check)));
        }
    }
    failed
}

/// Returns the checks that keep applications from asking YARN for what they lack, at some moments of a run.
fn kept_back(text: &str) -> Vec<Check> {
    let mut failed = Vec::new();
    let Some(mut player) = corpus::player(text) else { return failed };
    let end = player.snapshot(None).end_ms;
    for part in 1..=4 * MOMENTS {
        player.seek(end * part / (4 * MOMENTS) - part % 3 * 137);
        let names = Names::at(player.simulation(), player.now());
        failed.extend(wants::all(names).iter().map(|lack| lack.check));
    }
    failed
}

/// Returns the check that failed by a decision of an ApplicationMaster.
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

/// Scenarios for checks that the corpora do not cover.
fn own() -> impl Iterator<Item = (String, String)> {
    const NODE: &str = "[[nodes]]\nname = \"n1\"\nsize = \"16 GB/16\"\n";
    const APP: &str = "[[apps]]\nname = \"x{1}\"\nat = \"12 s\"\ncopies = 2\nqueue = \"root.a\"\nuser = \"u\"\nam = \"1 GB/1\"\n\
                       tasks = [{ count = 12, size = \"1 GB/1\", duration = \"forever\" }]\n";
    const LOWERED: &str = "heddle = 1\nscheduler = \"fair\"\nuntil = \"40 s\"\n[files]\n\
                           \"fair-scheduler.xml\" = '<allocations><queue name=\"a\"/></allocations>'\n\
                           [[happenings]]\nat = \"25 s\"\ndo = \"refresh\"\n\"fair-scheduler.xml\" = \
                           '<allocations><queue name=\"a\"><maxResources>1024 mb, 1 vcores</maxResources></queue></allocations>'\n";
    const NO_NUMBER: &str = "heddle = 1\nuntil = \"20 s\"\n[capacity-scheduler]\nroot.queues = \"a\"\n\
                             root.a.capacity = 100\nuser.u.max-parallel-apps = \"x\"\n";
    const NO_TIME: &str = "heddle = 1\nuntil = \"20 s\"\n[capacity-scheduler]\nroot.queues = \"a\"\nroot.a.capacity = 100\n\
                           [[apps]]\nname = \"brief\"\nqueue = \"root.a\"\nlifetime = \"0 s\"\ntasks = [{ size = \"1 GB/1\" }]\n";
    const MOVE: &str = "[[happenings]]\nat = \"20 s\"\ndo = \"move_app\"\napp = \"x1\"\nqueue = \"root.b\"\n";
    const FIFO: &str = "heddle = 1\nscheduler = \"fifo\"\nuntil = \"40 s\"\n";
    const FAIR: &str = "heddle = 1\nscheduler = \"fair\"\nuntil = \"40 s\"\n[files]\n\
                        \"fair-scheduler.xml\" = '<allocations><queue name=\"a\"/>\
                        <queue name=\"b\"><maxRunningApps>0</maxRunningApps></queue></allocations>'\n";
    const OFF: &str = "heddle = 1\ntitle = \"preemption is off\"\nuntil = \"60 s\"\n[capacity-scheduler]\nroot.queues = \"a, b\"\n\
                       root.a.capacity = 50\nroot.b.capacity = 50\nmaximum-am-resource-percent = 1.0\nroot.b.user-limit-factor = 2\n";
    const FAIR_OFF: &str = "heddle = 1\ntitle = \"preemption is off\"\nscheduler = \"fair\"\nuntil = \"60 s\"\n\
                            [files]\n\"fair-scheduler.xml\" = '<allocations><queue name=\"a\"/><queue name=\"b\"/></allocations>'\n";
    const FAIR_ON: &str = "heddle = 1\nscheduler = \"fair\"\nuntil = \"60 s\"\n[yarn-site]\nscheduler.fair.preemption = true\n\
                           scheduler.fair.waitTimeBeforeKill = 4250\n[files]\n\"fair-scheduler.xml\" = '<allocations>\
                           <queue name=\"a\"><fairSharePreemptionTimeout>2</fairSharePreemptionTimeout>\
                           <fairSharePreemptionThreshold>1.0</fairSharePreemptionThreshold></queue>\
                           <queue name=\"b\"><allowPreemptionFrom>false</allowPreemptionFrom></queue></allocations>'\n";
    const FIRST: &str = "[[apps]]\nname = \"first\"\nqueue = \"root.b\"\nam = \"1 GB/1\"\n\
                         tasks = [{ count = 15, size = \"1 GB/1\", duration = \"forever\" }]\n\
                         [[apps]]\nname = \"later\"\nat = \"20 s\"\nqueue = \"root.a\"\nam = \"1 GB/1\"\ntasks = [{ size = \"1 GB/1\" }]\n";
    let all = [
        ("a maximum that is lowered", LOWERED, ""),
        ("a limit that is no number", NO_NUMBER, ""),
        ("a lifetime of nothing", NO_TIME, ""),
        ("a move under FIFO", FIFO, MOVE),
        ("a move to a queue that runs nothing", FAIR, MOVE),
        ("preemption that is off", OFF, FIRST),
        ("preemption that is off under the FairScheduler", FAIR_OFF, FIRST),
        ("a leaf that gives nothing", FAIR_ON, FIRST),
    ];
    all.into_iter().map(|(name, text, more)| (name.to_string(), format!("{text}{more}{NODE}{APP}")))
}

/// Every visit ends, in the order of a stack, and every check is about the visited thing, something above it, or something
/// below that is only mentioned. The offers' tree has all checks.
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

/// The place where a check is seen to fail.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Seen {
    /// In a run played here.
    Played,
    /// In a test with this name, in this file.
    Test { name: &'static str, file: &'static str },
}

/// A new check does not compile until this function says where it is seen.
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
        | Check::RequestTurn
        | Check::RetryDelay
        | Check::RetriesLeft
        | Check::PlacementStopped
        | Check::AskDue
        | Check::CallTaken
        | Check::LossAskedAgain
        | Check::AmCalls
        | Check::ProcessStays
        | Check::SubmissionLifetime
        | Check::MoveSupported
        | Check::MoveLimits
        | turn_checks!()
        | preemption_checks!() => Seen::Played,
        // Only a scheduling run that commits at its end reaches these, and no scenario has one.
        Check::CommitReservation | Check::CommitWanted => Seen::Test {
            name: "a_walk_that_commits_at_its_end_refuses_what_the_state_has_outrun",
            file: include_str!("../../core/src/scheduler/capacity/walk/tests.rs"),
        },
        // No request is forgotten in the runs played.
        Check::RequestMade => Seen::Test {
            name: "a_request_that_is_forgotten_counts_as_made",
            file: include_str!("../../core/src/apps/slider/strategy/tests/causes.rs"),
        },
        // No scenario has MapReduce.
        Check::SlowStart | Check::ReduceRoom => {
            Seen::Test { name: "slow_start", file: include_str!("../../core/src/apps/mapreduce/strategy/reduces.rs") }
        }
    }
}

/// Texts of applications that may lack something without asking YARN contain one of these words.
const MASTERS: [&str; 6] = ["hang_am", "slider", "samza", "service", "preemption", "placement-processor"];

#[test]
fn every_check_is_seen_to_fail() {
    let mut failed: BTreeSet<Check> = BTreeSet::new();
    let more = corpus::traces(110, 1);
    for (name, text) in all().chain(more) {
        let (full, refused) = played(&name, &text);
        failed.extend(refused);
        if text.contains("preemption") {
            failed.extend(conditions(&text));
        }
        if MASTERS.iter().any(|word| text.contains(word)) {
            failed.extend(kept_back(&text));
        }
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
    failed.extend(corpus::situations().iter().flat_map(|(_, text)| kept_back(text)));
    // Depends on the run.
    failed.remove(&Check::RequestMade);
    let missing: Vec<Check> =
        Check::ALL.iter().copied().filter(|c| seen(*c) == Seen::Played && !failed.contains(c)).collect();
    assert_eq!(missing, [], "never seen to fail");
    for check in Check::ALL {
        if seen(*check) != Seen::Played {
            assert!(!failed.contains(check), "{check:?} is seen here");
        }
        let Seen::Test { name, file } = seen(*check) else { continue };
        assert!(file.contains(name) && file.contains(&format!("Check::{check:?}")), "{name} has no {check:?}");
    }
}
