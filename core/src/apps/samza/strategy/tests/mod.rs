//! Hand-written tests of the machine: its decisions and their figures.

mod books;

use super::decision::{AfterFailure, AskReason, Buffer, Clash, Ended, Failed, FailoverTo, Fallback, Hit, Unread};
use super::decision::{ReleaseReason, StopReason};
use super::job::{ContainerModel, JobModel, Mode, Settings, TaskModel, standby};
use super::placements::{Message, Status as Answered};
use super::*;
use crate::model::{AppId, ContainerId};

fn c(seq: u64) -> ContainerId {
    ContainerId { app: AppId(0), attempt: 1, seq }
}

/// Returns a model of active containers with one task each, and their replicas.
fn model(count: i32, replication: i32) -> JobModel {
    let mut model = JobModel::default();
    for i in 0..count {
        for r in 0..replication {
            let (id, task, mode) = match r {
                0 => (i.to_string(), format!("Partition {i}"), Mode::Active),
                _ => (
                    standby::container_id(&i.to_string(), r - 1),
                    standby::task_name(&format!("Partition {i}"), r - 1),
                    Mode::Standby,
                ),
            };
            let task = BTreeMap::from([(task, TaskModel { partitions: BTreeSet::new(), changelog: i, mode })]);
            model.containers.insert(id, ContainerModel { tasks: task });
        }
    }
    model
}

struct Job {
    samza: Samza,
    now: Millis,
}

impl Job {
    fn new(count: i32, settings: &[(&str, &str)], hosts: &[(&str, &str)]) -> (Self, Report) {
        Self::with(RequestMode::Strict, count, settings, hosts)
    }

    fn with(mode: RequestMode, count: i32, settings: &[(&str, &str)], hosts: &[(&str, &str)]) -> (Self, Report) {
        let mut config: job::Config = settings.iter().map(|(k, v)| (k.to_string(), v.to_string())).collect();
        config.entry("job.host-affinity.enabled".into()).or_insert_with(|| "true".into());
        config.insert("app.run.id".into(), "run".into());
        let settings = Settings::of(&config).expect("settings");
        let mut stream = CoordinatorStream::default();
        hosts.iter().for_each(|(p, h)| stream.write_host(p, h));
        let nodes = ["n1", "n2", "n3", "n4"].iter().enumerate();
        let start = Start {
            model: model(count, settings.replication),
            settings,
            mode,
            stream,
            nodes: nodes.map(|(i, n)| (n.to_string(), format!("r{}", i / 2))).collect(),
            kept: Vec::new(),
            changed: false,
            next_request: 0,
        };
        let (samza, report) = Samza::start(0, start);
        (Job { samza, now: 0 }, report)
    }

    fn at(&mut self, now: Millis, event: Event) -> Report {
        self.now = now;
        self.samza.handle(now, event)
    }

    fn tick(&mut self, now: Millis) -> Vec<Decision> {
        self.at(now, Event::Tick).decisions
    }

    fn grant(&mut self, seq: u64, host: &str) -> Vec<Decision> {
        self.samza.handle(self.now, Event::Granted(vec![(c(seq), host.into())])).decisions
    }

    /// Starts a launched container, which records its host.
    fn start(&mut self, seq: u64) {
        let (p, host) = {
            let (p, x) = self.samza.pending().iter().find(|(_, x)| x.container == c(seq)).expect("it was launched");
            (p.clone(), x.host.clone())
        };
        self.samza.handle(self.now, Event::Started(c(seq)));
        self.samza.stream_mut().write_host(&p, &host);
    }

    fn end(&mut self, now: Millis, seq: u64, exit: i32) -> Report {
        self.at(now, Event::Completed(vec![(c(seq), exit)]))
    }
}

fn waits(request: RequestId, p: &str, host: &str, age: Millis, behind: usize) -> Decision {
    Decision::Waits { request, processor: p.into(), wish: Wish::of(host), age, timeout: 5000, behind }
}

fn launched(request: RequestId, p: &str, seq: u64, host: &str, how: Hit) -> Decision {
    Decision::Launched { request, processor: p.into(), container: c(seq), host: host.into(), how }
}

/// The worked example of samza-host-affinity.md section 19.
#[test]
fn a_full_host_keeps_all_behind_it_waiting_until_it_expires() {
    let (mut job, first) = Job::new(2, &[], &[("0", "n1"), ("1", "n2")]);
    assert_eq!(first.operations.len(), 2);
    assert_eq!(job.tick(0), [waits(0, "0", "n1", 0, 1)]);
    job.now = 2000;
    let buffer = Buffer::Host { asked: 1, held: 0 };
    assert_eq!(job.grant(7, "n2"), [Decision::Buffered { container: c(7), host: "n2".into(), buffer }]);
    assert_eq!(job.tick(3600), [waits(0, "0", "n1", 3600, 1)], "the container on n2 is not looked at");
    let again = Decision::Asked {
        request: 2,
        processor: "0".into(),
        wish: Wish::AnyHost,
        due: None,
        why: AskReason::Expired(0),
    };
    let expired = Decision::Expired {
        request: 0,
        processor: "0".into(),
        wish: Wish::of("n1"),
        age: 7200,
        timeout: 5000,
        then: Fallback::AnyHost,
    };
    let told = [expired, again, launched(1, "1", 7, "n2", Hit::Wanted), waits(2, "0", ANY_HOST, 0, 0)];
    assert_eq!(job.tick(7200), told);
    job.now = 9000;
    job.grant(8, "n3");
    job.grant(9, "n4");
    let spare = Decision::Released { container: c(9), why: ReleaseReason::Spare };
    assert_eq!(job.tick(10_800), [launched(2, "0", 8, "n3", Hit::Any), spare]);
    assert!(job.samza.requests().counts().is_empty() && job.samza.requests().buffers().is_empty());
}

#[test]
fn an_expired_request_takes_what_is_spare_and_five_seconds_are_not_enough() {
    let (mut job, _) = Job::new(1, &[], &[("0", "n1")]);
    job.grant(1, "n2");
    assert_eq!(job.tick(5000), [waits(0, "0", "n1", 5000, 0)]);
    assert!(job.tick(5001).contains(&launched(0, "0", 1, "n2", Hit::Spare)));
    assert_eq!(job.samza.counters().expired_preferred, 1);
}

#[test]
fn a_container_older_than_nine_and_a_half_minutes_is_given_back() {
    for (age, old) in [(570_000, false), (570_001, true)] {
        let (mut job, _) = Job::new(1, &[], &[("0", "n1")]);
        job.grant(1, "n1");
        let told = job.tick(age);
        let released = Decision::Released { container: c(1), why: ReleaseReason::TooOld { age } };
        assert_eq!(told.contains(&released), old, "{told:?}");
        assert_eq!(job.samza.requests().head().map(|r| (r.at, r.wish.clone())), old.then(|| (age, Wish::of("n1"))));
    }
}

/// Returns a job with one container that runs on n1.
fn running(settings: &[(&str, &str)]) -> Job {
    let (mut job, _) = Job::new(1, settings, &[("0", "n1")]);
    job.grant(1, "n1");
    job.tick(0);
    job.start(1);
    assert!(job.samza.healthy() && job.samza.counters().needed == 0);
    job
}

fn failure(report: &Report) -> Failed {
    let of = |d: &Decision| match d {
        Decision::Ended { how: Ended::Failed(failed), .. } => Some(*failed),
        _ => None,
    };
    report.decisions.iter().find_map(of).expect("a failure")
}

#[test]
fn what_yarn_takes_away_is_no_failure_and_may_run_anywhere() {
    for exit in [-100, -101, -102] {
        let mut job = running(&[]);
        let report = job.end(10, 1, exit);
        assert!(matches!(&report.decisions[0], Decision::Ended { how: Ended::TakenAway, .. }));
        let why = AskReason::TakenAway(exit);
        let asked = Decision::Asked { request: 1, processor: "0".into(), wish: Wish::AnyHost, due: None, why };
        assert_eq!(report.decisions[1], asked);
        assert!(job.samza.failures().is_empty() && !job.samza.healthy());
    }
}

#[test]
fn the_last_retry_waits_for_its_host_and_the_next_failure_ends_the_job() {
    let mut job = running(&[("cluster-manager.container.retry.count", "2")]);
    let first = failure(&job.end(1000, 1, 137));
    let retry = |delay| AfterFailure::Retry { delay };
    assert_eq!(first, Failed { count: 1, of: 2, gap: 0, window: 300_000, anew: false, then: retry(0) });
    job.grant(2, "n1");
    job.tick(1000);
    job.start(2);
    let second = failure(&job.end(4000, 2, 1));
    assert_eq!(second, Failed { count: 2, of: 2, gap: 3000, window: 300_000, anew: false, then: retry(361_000) });
    job.tick(365_000);
    assert_eq!(job.samza.requests().queue().count(), 0, "due, and not past");
    assert!(job.tick(365_001).contains(&Decision::Sent { request: 2 }));
    job.grant(3, "n1");
    job.tick(366_000);
    job.start(3);
    let third = failure(&job.end(367_000, 3, 1));
    assert_eq!((third.count, third.gap, third.then), (3, 2000, AfterFailure::JobFails));
    assert_eq!((job.samza.ends(), job.samza.status()), (Some(End::Finished), Status::Failed));
}

#[test]
fn a_quiet_time_makes_the_count_begin_anew() {
    for (gap, count) in [(299_999, 2), (300_000, 1)] {
        let mut job = running(&[]);
        job.end(0, 1, 1);
        job.grant(2, "n1");
        job.tick(0);
        job.start(2);
        let failed = failure(&job.end(gap, 2, 1));
        assert_eq!((failed.count, failed.anew), (count, count == 1));
    }
}

#[test]
fn without_retries_yarn_is_told_nothing() {
    let mut job = running(&[("cluster-manager.container.retry.count", "0")]);
    job.end(1, 1, 1);
    assert_eq!((job.samza.ends(), job.samza.status()), (Some(End::Finished), Status::Undefined));
    let go_on = ("cluster-manager.container.fail.job.after.retries", "false");
    let mut job = running(&[("cluster-manager.container.retry.count", "0"), go_on]);
    assert_eq!(failure(&job.end(1, 1, 7)).then, AfterFailure::GoesOn);
    assert_eq!((job.samza.ends(), job.samza.given_up().get("0")), (None, Some(&7)));
}

/// Returns a job with an active container on n1 and its replica on n3.
fn with_standby(more: &[(&str, &str)]) -> Job {
    let settings = [&[("job.standbytasks.replication.factor", "2")], more].concat();
    let (mut job, _) = Job::new(1, &settings, &[("0", "n1"), ("0-0", "n3")]);
    job.grant(1, "n1");
    job.grant(2, "n3");
    job.tick(0);
    job.start(1);
    job.start(2);
    job
}

#[test]
fn a_lost_active_container_takes_the_place_of_its_replica() {
    let mut job = with_standby(&[]);
    let lost = job.end(100, 1, -100);
    let to = FailoverTo::Running { standby: "0-0".into(), host: "n3".into() };
    let stopping =
        Decision::Stopping { container: c(2), processor: "0-0".into(), why: StopReason::GivesWay("0".into()) };
    assert_eq!(lost.decisions[1..], [Decision::Failover { processor: "0".into(), to }, stopping]);
    assert_eq!(lost.operations, [Operation::Stop(c(2))]);
    let stopped = job.end(200, 2, -105);
    let asked: Vec<(&str, &Wish, &AskReason)> = stopped
        .decisions
        .iter()
        .filter_map(|d| match d {
            Decision::Asked { processor, wish, why, .. } => Some((processor.as_str(), wish, why)),
            _ => None,
        })
        .collect();
    let (there, any) = (Wish::of("n3"), Wish::AnyHost);
    assert_eq!(asked, [("0", &there, &AskReason::Failover), ("0-0", &any, &AskReason::GaveWay)]);
    // The replica may not go to the host where its active container is about to run.
    job.grant(3, "n3");
    job.tick(200);
    job.grant(4, "n3");
    let told = job.tick(300);
    let clash = Decision::Forbidden {
        processor: "0-0".into(),
        host: "n3".into(),
        by: "0".into(),
        at: "n3".into(),
        clash: Clash::Host,
    };
    assert!(told.contains(&clash), "{told:?}");
}

#[test]
fn a_rack_forbids_its_other_hosts() {
    let job = |host: &str| {
        let mut job = with_standby(&[("cluster-manager.fault-domain-aware.standby.enabled", "true")]);
        job.end(10, 2, 1);
        job.grant(3, host);
        let told = job.tick(6000);
        told.iter().any(|d| matches!(d, Decision::Forbidden { clash: Clash::Rack, .. }))
    };
    assert!(job("n2") && !job("n4"), "n1 and n2 are on one rack");
}

fn message(id: u64, p: &str, to: &str) -> Message {
    Message { id, run: "run".into(), processor: p.into(), to: to.into(), expiry_ms: None }
}

fn answers(told: &[Decision]) -> Vec<(u64, Answered)> {
    let of = |d: &Decision| match d {
        Decision::Answered { id, status, .. } => Some((*id, *status)),
        _ => None,
    };
    told.iter().filter_map(of).collect()
}

#[test]
fn a_move_reserves_then_stops_then_starts() {
    let mut job = running(&[]);
    job.samza.stream_mut().place(message(5, "0", "n2"));
    assert_eq!(answers(&job.at(10, Event::ReadPlacements).decisions), [(5, Answered::InProgress)]);
    job.samza.stream_mut().place(message(6, "0", "n3"));
    let unread = Decision::Unread { id: 6, processor: "0".into(), why: Unread::ActionOf("0".into()) };
    assert_eq!(job.at(11, Event::ReadPlacements).decisions, [unread]);
    job.grant(2, "n2");
    let report = job.at(20, Event::Tick);
    assert_eq!(report.operations, [Operation::Stop(c(1))]);
    assert_eq!(
        report.decisions.last(),
        Some(&Decision::WaitsForStop { request: 1, processor: "0".into(), action: 5, behind: 0 })
    );
    assert!(job.end(30, 1, -105).operations.is_empty(), "no other request");
    assert!(job.tick(40).contains(&launched(1, "0", 2, "n2", Hit::Wanted)));
    let started = job.at(50, Event::Started(c(2)));
    assert_eq!(answers(&started.decisions), [(5, Answered::Succeeded)]);
    assert_eq!(job.samza.counters().failed_containers, 1, "the stop counts as a failure");
}

#[test]
fn messages_of_another_deployment_are_deleted() {
    let mut job = running(&[]);
    job.samza.stream_mut().place(Message { run: "other".into(), ..message(5, "0", "n2") });
    assert_eq!(job.at(1, Event::ReadPlacements).decisions, [Decision::NotOurs { id: 5 }]);
    assert!(job.samza.stream().placements.is_empty());
}

#[test]
fn what_was_granted_twice_is_told_with_its_figures() {
    let (mut job, _) = Job::new(2, &[], &[("0", "n1"), ("1", "n2")]);
    let buffer = |told: Vec<Decision>| match told.as_slice() {
        [Decision::Buffered { buffer, .. }] => *buffer,
        other => panic!("{other:?}"),
    };
    assert_eq!(buffer(job.grant(1, "n1")), Buffer::Host { asked: 1, held: 0 });
    assert_eq!(buffer(job.grant(2, "n1")), Buffer::MoreThanAsked { asked: 1, held: 1 });
    assert_eq!(buffer(job.grant(3, "n9")), Buffer::NotAsked);
    let (mut job, _) = Job::new(1, &[("job.host-affinity.enabled", "no")], &[("0", "n1")]);
    assert_eq!(buffer(job.grant(1, "n1")), Buffer::NoAffinity);
}

/// samza-host-affinity.md section 20, the left column.
#[test]
fn old_releases_trust_yarn_to_go_elsewhere() {
    let (mut job, _) = Job::with(RequestMode::Relaxed, 1, &[], &[("0", "n1")]);
    let told = job.tick(7200);
    assert!(matches!(told.as_slice(), [Decision::Expired { then: Fallback::Trusts, .. }]), "{told:?}");
    assert_eq!(job.samza.requests().head().map(|r| r.id), Some(0), "the request stays");
    // YARN has relaxed it: the granted container is spare, and the request takes it.
    job.grant(1, "n2");
    assert!(job.tick(10_800).contains(&launched(0, "0", 1, "n2", Hit::Spare)));
    job.start(1);
    let lost = job.end(11_000, 1, -102);
    let asked = |d: &Decision| matches!(d, Decision::Asked { wish, .. } if *wish == Wish::of("n2"));
    assert!(lost.decisions.iter().any(asked), "the same host after preemption");
}

/// Runs the worked example again, with its threads and YARN's client.
#[test]
fn an_attempt_passes_its_moments_on() {
    let racks = |_: &str| Some("/r".to_string());
    let (job, _) = Job::new(2, &[], &[("0", "n1"), ("1", "n2")]);
    let start = Start {
        settings: job.samza.settings().clone(),
        mode: RequestMode::Strict,
        model: model(2, 1),
        stream: job.samza.stream().clone(),
        nodes: BTreeMap::new(),
        kept: Vec::new(),
        changed: false,
        next_request: 0,
    };
    let (mut attempt, first) = attempt::Attempt::start(0, start, &racks);
    assert!(matches!(first.decisions.last(), Some(Decision::Waits { .. })), "the first tick is at once");
    let places: Vec<(i32, String)> = attempt.call().asks.into_iter().map(|r| (r.priority, r.place)).collect();
    assert_eq!(places, ["*", "/r", "n1", "n2"].map(|p| (0, p.to_string())));
    let heard = attempt.hear(2000, Vec::new(), vec![(c(7), "n2".into())], &racks);
    assert!(heard.launch.is_empty() && heard.decisions.len() == 1, "no tick at two seconds");
    assert_eq!(attempt.wakes_at(), Some(3600));
    assert!(attempt.handle(3600, None, &racks).launch.is_empty());
    assert_eq!(attempt.handle(7200, None, &racks).launch, [(c(7), "1".to_string())]);
    let asks: Vec<(i32, String, i64)> =
        attempt.call().asks.into_iter().map(|r| (r.priority, r.place, r.count)).collect();
    let row = |priority, place: &str, count| (priority, place.to_string(), count);
    assert_eq!(asks, [row(0, "*", 0), row(0, "/r", 0), row(0, "n1", 0), row(0, "n2", 0), row(1, "*", 1)]);
    let ended = attempt.hear(8000, Vec::new(), vec![(c(8), "n3".into())], &racks);
    assert!(ended.end.is_none());
    assert_eq!(attempt.handle(10_800, None, &racks).launch, [(c(8), "0".to_string())]);
    for container in [7, 8] {
        attempt.handle(11_000, Some(Event::Started(c(container))), &racks);
    }
    assert_eq!(attempt.wakes_at(), None, "nothing to do until something happens");
    let done = attempt.hear(20_500, vec![(c(7), 0), (c(8), 0)], Vec::new(), &racks);
    assert_eq!((done.end, attempt.wakes_at()), (None, Some(21_000)), "the main loop looks every second");
    let end = attempt.handle(21_000, None, &racks).end;
    assert_eq!(end, Some(attempt::Ending::Unregisters { succeeded: true }));
}
