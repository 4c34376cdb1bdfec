//! Samza jobs in a simulation: where containers return to, what is on the disks, how long restores take, what users do.

use crate::apps::samza::journal::{Decision, Fallback, Hit, Reads, Unfit};
use crate::apps::samza::strategy::Wish;
use crate::journal::{Entry, MasterAct};
use crate::rm::AppState;
use crate::sim::Phase;
use crate::sim::fixtures::{GATE, Played, happens};

/// Returns a cluster with the node `gate` for ApplicationMasters and three others, and a job of two containers with one task
/// each and 6000 MB of state.
fn scenario(scheduler: &str, properties: &str, app: &str, more: &str) -> String {
    format!(
        r#"
heddle = 1
scheduling = "heartbeat"
scheduler = "{scheduler}"
until = "30 min"
[yarn-site]
"yarn.scheduler.fair.user-as-default-queue" = false
{GATE}
[[nodes]]
name = "n{{1}}"
count = 3
size = "4 GB/8"
[[apps]]
name = "join"
kind = "samza"
am = {{ places = ["gate"], relax = false }}
streams = {{ "kafka.orders" = 2 }}
stores = [{{ name = "table", size = "6000 MB", rate = "1 MB" }}]
"job.properties" = """
job.name=join
job.host-affinity.enabled=true
job.container.count=2
cluster-manager.container.memory.mb=3072
task.inputs=kafka.orders
task.checkpoint.factory=org.apache.samza.checkpoint.kafka.KafkaCheckpointManagerFactory
stores.table.factory=org.apache.samza.storage.kv.RocksDbKeyValueStorageEngineFactory
stores.table.changelog=kafka.table
{properties}
"""
{app}
{more}
"#
    )
}

/// Returns an application that takes a whole node from a time on.
fn tenant(at: &str, host: &str, lasts: &str) -> String {
    format!(
        "[[apps]]\nname = \"tenant-{host}\"\nat = \"{at}\"\nam = {{ unmanaged = true }}\n\
         tasks = [{{ size = \"4 GB/1\", duration = \"{lasts}\", places = [\"{host}\"], relax = false }}]\n"
    )
}

/// The job ran on n1 and n2 before; its stores are there.
const BEFORE: &str = "before = { hosts = { \"0\" = \"n1\", \"1\" = \"n2\" }, stopped = \"1 min\" }";

impl Played {
    /// Returns processor and host of each process, and whether it processes.
    fn processes(&self) -> Vec<(String, String, bool)> {
        let all = self.sim.samza_state().processes().values();
        let mut out: Vec<_> =
            all.map(|p| (p.processor.clone(), p.host.clone(), matches!(p.phase, Phase::Processing(_)))).collect();
        out.sort();
        out
    }

    fn hosts(&self) -> Vec<String> {
        self.processes().into_iter().map(|(p, host, _)| format!("{p} {host}")).collect()
    }

    fn decisions(&self) -> Vec<(i64, &Decision)> {
        let acts = self.journal.entries.iter();
        acts.filter_map(|(at, e)| match e {
            Entry::Acted(MasterAct::Samza(act)) => Some((*at, &act.decision)),
            _ => None,
        })
        .collect()
    }

    /// Returns the reads of all starts, in the order of the starts.
    fn reads(&self) -> Vec<Reads> {
        let of = |(_, d): &(i64, &Decision)| match d {
            Decision::Up { reads, .. } => reads.iter().map(|r| r.reads).collect(),
            _ => Vec::new(),
        };
        self.decisions().iter().flat_map(of).collect()
    }

    fn took(&self) -> Vec<i64> {
        let of = |(_, d): &(i64, &Decision)| match d {
            Decision::Restored { took, .. } => Some(*took),
            _ => None,
        };
        self.decisions().iter().filter_map(of).collect()
    }
}

const WHOLE: u64 = 6000 << 20;

#[test]
fn it_runs_under_every_scheduler_and_returns_to_its_hosts() {
    for scheduler in ["capacity", "fair", "fifo"] {
        let restart = happens("4 min", "do = \"restart_app\"\napp = \"join\"\nafter = \"10 s\"");
        let mut played = Played::of(&scenario(scheduler, "", BEFORE, &restart));
        assert_eq!(played.to(60).hosts(), ["0 n1", "1 n2"], "{scheduler}");
        assert_eq!(played.reads(), [Reads::Delta(0), Reads::Delta(0)], "{scheduler}");
        assert!(played.processes().iter().all(|(_, _, processes)| *processes), "{scheduler}: at once");
        assert_eq!(played.to(320).hosts(), ["0 n1", "1 n2"], "{scheduler}: after the restart");
        // Nothing was written after the last commit, from which a transactional restore continues.
        assert_eq!(played.reads().len(), 4, "{scheduler}");
        assert!(played.reads()[2..].iter().all(|r| r.bytes() == 0), "{scheduler}: {:?}", played.reads());
    }
}

#[test]
fn without_state_on_disks_all_of_the_changelog_is_read() {
    let without = "[samza]\nlogged_store_base_dir = \"\"\n";
    for (more, affinity) in [("", "true"), (without, "true")] {
        let restart = happens("5 min", "do = \"restart_app\"\napp = \"join\"\nafter = \"10 s\"");
        let text =
            scenario("capacity", &format!("job.host-affinity.enabled={affinity}"), "", &format!("{restart}{more}"));
        let mut played = Played::of(&text);
        played.to(280);
        assert_eq!(played.reads(), [Reads::NoCopy(WHOLE), Reads::NoCopy(WHOLE)]);
        // The system delivers 100 MB/s to two containers of at most 50 MB/s.
        assert_eq!(played.took(), [120_000, 120_000]);
        played.to(600);
        let again = if more.is_empty() { 0 } else { 2 * WHOLE };
        assert_eq!(played.reads()[2..].iter().map(|r| r.bytes()).sum::<u64>(), again);
    }
}

#[test]
fn a_host_that_is_full_is_given_up_after_the_timeout() {
    for scheduler in ["capacity", "fair", "fifo"] {
        let mut played =
            Played::of(&scenario(scheduler, "", &format!("at = \"20 s\"\n{BEFORE}"), &tenant("1 s", "n1", "5 min")));
        played.to(120);
        assert_eq!(played.hosts(), ["0 n3", "1 n2"], "{scheduler}");
        let expired = played.decisions().into_iter().find_map(|(_, d)| match d {
            Decision::Expired { processor, age, timeout, then, .. } => Some((processor.clone(), *age, *timeout, *then)),
            _ => None,
        });
        let (processor, age, timeout, then) = expired.expect("a request expired");
        assert_eq!((processor.as_str(), timeout), ("0", 5000), "{scheduler}");
        // The FifoScheduler ignores relaxLocality and has granted another host.
        let spare = matches!(then, Fallback::Spare(_));
        assert_eq!((spare, then == Fallback::AnyHost), (scheduler == "fifo", scheduler != "fifo"), "{scheduler}");
        assert!(age > 5000, "{scheduler}: {age}");
        assert!(played.reads().contains(&Reads::NoCopy(WHOLE)), "{scheduler}: {:?}", played.reads());
        assert_eq!(played.sim.coordinator_stream(0).last_host("0"), Some("n3"), "{scheduler}: it is written down");
        assert!(played.to(200).processes().iter().all(|(_, _, processes)| *processes), "{scheduler}");
    }
}

/// In relaxed mode YARN goes elsewhere by itself, once its delays are over.
#[test]
fn an_old_release_waits_for_yarn_to_go_elsewhere() {
    let text = scenario(
        "fair",
        "",
        &format!("at = \"20 s\"\nrequests = \"relaxed\"\n{BEFORE}"),
        &tenant("1 s", "n1", "5 min"),
    );
    let mut played = Played::of(&text);
    played.to(200);
    assert_eq!(played.hosts().len(), 2);
    let any = |(_, d): &(i64, &Decision)| matches!(d, Decision::Expired { then: Fallback::AnyHost, .. });
    assert!(!played.decisions().iter().any(any));
}

#[test]
fn a_failure_returns_to_the_host_and_a_lost_node_to_any() {
    let fails = happens("2 min", "do = \"finish_processor\"\napp = \"join\"\nprocessor = \"1\"\nexit_code = 1");
    let lost = happens("4 min", "do = \"remove_node\"\nnode = \"n1\"");
    let back = happens("6 min", "do = \"return_node\"\nnode = \"n1\"");
    let again = happens("7 min", "do = \"place_processor\"\napp = \"join\"\nprocessor = \"0\"\nto = \"n1\"");
    let mut played = Played::of(&scenario("capacity", "", BEFORE, &format!("{fails}{lost}{back}{again}")));
    assert_eq!(played.to(200).hosts(), ["0 n1", "1 n2"]);
    assert_eq!(played.to(300).hosts(), ["0 n3", "1 n2"], "the node is lost: any host");
    assert_eq!(played.to(480).hosts(), ["0 n1", "1 n2"], "a placement message brings it back");
    // Its store is still on n1's disk, so only the writes on n3 are missing: commits come less than a minute apart.
    let last = played.reads().last().copied().expect("a start");
    assert!(matches!(last, Reads::Delta(_)), "{last:?}");
    let answers = &played.sim.coordinator_stream(0).answers;
    assert_eq!(answers.values().map(|a| a.status.name()).collect::<Vec<_>>(), ["SUCCEEDED"]);
}

#[test]
fn what_is_too_old_or_cleared_is_of_no_use() {
    let day = BEFORE.replace("1 min", "24 h");
    let mut played = Played::of(&scenario("capacity", "", &day, ""));
    played.to(60);
    assert!(matches!(played.reads()[0], Reads::Unfit(WHOLE, Unfit::Stale { .. })), "{:?}", played.reads());
    let clear = happens("0 s", "do = \"clear_disks\"\nnode = \"n2\"");
    let mut played = Played::of(&scenario("capacity", "", &format!("at = \"5 s\"\n{BEFORE}"), &clear));
    played.to(60);
    assert_eq!(played.reads(), [Reads::Delta(0), Reads::NoCopy(WHOLE)]);
}

#[test]
fn retries_on_a_bad_host_end_the_job() {
    let bad = "fails_on = [{ node = \"n1\", after = \"1 s\", exit_code = 1 }]";
    let properties =
        "cluster-manager.container.retry.count=3\ncluster-manager.container.preferred-host.last.retry.delay.ms=19000";
    let mut played = Played::of(&scenario("capacity", properties, &format!("{BEFORE}\n{bad}\nmax_attempts = 1"), ""));
    played.to(300);
    let starts =
        played.decisions().iter().filter(|(_, d)| matches!(d, Decision::Up { host, .. } if host == "n1")).count();
    assert_eq!(starts, 4, "once, and three retries");
    let id = played.sim.apps()[0].id.expect("submitted");
    assert_eq!(played.sim.apps()[0].succeeded, Some(false));
    assert_eq!(played.sim.rm().app(id).expect("known").state, AppState::Finished);
}

#[test]
fn standby_containers_take_over_with_their_state() {
    let properties = "job.standbytasks.replication.factor=2\njob.container.count=1";
    let hosts = "before = { hosts = { \"0\" = \"n1\", \"0-0\" = \"n2\" } }";
    let lost = happens("3 min", "do = \"remove_node\"\nnode = \"n1\"");
    let mut played = Played::of(&scenario("capacity", properties, hosts, &lost));
    assert_eq!(played.to(120).hosts(), ["0 n1", "0-0 n2"]);
    played.to(300);
    let (_, host, processes) = played.processes().into_iter().find(|(p, ..)| p == "0").expect("it runs");
    assert_eq!((host.as_str(), processes), ("n2", true), "where its replica was");
    assert!(played.hosts().iter().any(|h| h.starts_with("0-0") && !h.ends_with("n2")), "{:?}", played.hosts());
    let moved = |(_, d): &&(i64, &Decision)| matches!(d, Decision::Failover { .. });
    assert_eq!(played.decisions().iter().filter(moved).count(), 1);
}

#[test]
fn an_upgrade_changes_the_number_of_containers() {
    let restart = happens(
        "4 min",
        "do = \"restart_app\"\napp = \"join\"\nafter = \"10 s\"\nset = { \"job.container.count\" = 1 }",
    );
    let mut played = Played::of(&scenario("capacity", "", BEFORE, &restart));
    assert_eq!(played.to(60).hosts(), ["0 n1", "1 n2"]);
    assert_eq!(played.to(330).hosts(), ["0 n1"]);
    let last: Vec<u64> = played.reads()[2..].iter().map(|r| r.bytes()).collect();
    assert_eq!(last, [0, WHOLE], "the task that came from n2 is read as a whole");
    assert_eq!(played.sim.coordinator_stream(0).last_host("1"), Some("n2"), "its record stays");
}

#[test]
fn with_high_availability_containers_outlive_the_master() {
    for (ha, kept) in [("true", true), ("false", false)] {
        let end = happens("3 min", "do = \"finish_container\"\napp = \"join\"\ncontainer = 0\nexit_code = 1");
        let properties = format!("yarn.am.high-availability.enabled={ha}");
        let mut played = Played::of(&scenario("capacity", &properties, BEFORE, &end));
        let before: Vec<_> = played.to(170).sim.samza_state().processes().keys().copied().collect();
        let after: Vec<_> = played.to(300).sim.samza_state().processes().keys().copied().collect();
        assert_eq!((before == after, after.len()), (kept, 2), "{ha}");
        let running = played.sim.samza(0).and_then(|m| m.attempt()).expect("the second one").samza().running().len();
        assert_eq!(running, 2, "{ha}");
        assert_eq!(played.hosts(), ["0 n1", "1 n2"], "{ha}");
    }
}

#[test]
fn restores_share_the_changelog() {
    let slow = "[samza]\nchangelogs = { kafka = \"60 MB\" }\n";
    let mut played = Played::of(&scenario("capacity", "", "restore_cap = \"none\"", slow));
    played.to(400);
    assert_eq!(played.took(), [200_000, 200_000], "two of 6000 MB, 30 MB in a second each");
}

#[test]
fn a_job_that_cannot_start_says_why() {
    let text = scenario("capacity", "job.container.count=3", "max_attempts = 1", "");
    let mut played = Played::of(&text);
    played.to(60);
    assert!(played.decisions().iter().any(|(_, d)| matches!(d, Decision::NoModel(_))));
    let text = scenario("capacity", "cluster-manager.container.memory.mb=9000", "", "");
    let mut played = Played::of(&text);
    played.to(60);
    assert!(played.decisions().iter().any(|(_, d)| matches!(d, Decision::TooLarge)));
    assert_eq!(played.sim.apps()[0].succeeded, Some(false));
}

#[test]
fn containers_that_are_done_end_the_job() {
    let mut played = Played::of(&scenario("capacity", "", &format!("{BEFORE}\nduration = \"1 min\""), ""));
    played.to(300);
    assert_eq!(played.sim.apps()[0].succeeded, Some(true));
    assert!(played.hosts().is_empty());
    let hits = |(_, d): &&(i64, &Decision)| matches!(d, Decision::Launched { how: Hit::Wanted, .. });
    assert_eq!(played.decisions().iter().filter(hits).count(), 2);
}

#[test]
fn a_store_that_nobody_uses_is_cleaned_up_in_two_rounds() {
    let restart = happens(
        "4 min",
        "do = \"restart_app\"\napp = \"join\"\nafter = \"10 s\"\nset = { \"job.container.count\" = 1 }",
    );
    for (rounds, left) in [("", WHOLE), ("clean_up = \"1 min\"\noffset_ttl = \"3 min\"", 0)] {
        let mut played = Played::of(&scenario("capacity", "", BEFORE, &format!("{restart}[samza]\n{rounds}\n")));
        let on = |played: &Played, host: &str| played.sim.samza_state().disks(played.sim.now()).bytes(host);
        played.to(330);
        assert_eq!((on(&played, "n1"), on(&played, "n2")), (2 * WHOLE, WHOLE), "container 1 is gone, its store is not");
        played.to(600);
        assert_eq!((on(&played, "n1"), on(&played, "n2")), (2 * WHOLE, left), "{rounds}");
        let of = |(at, d): &(i64, &Decision)| match d {
            Decision::CleanedUp { host, age, .. } => Some((*at, host.clone(), age.is_some())),
            _ => None,
        };
        let cleaned: Vec<_> = played.decisions().iter().filter_map(of).collect();
        let both = [(420_000, "n2".to_string(), true), (480_000, "n2".to_string(), false)];
        assert_eq!(cleaned, if left == 0 { both.to_vec() } else { Vec::new() });
    }
}

#[test]
fn how_a_container_came_to_its_host_is_kept_with_who_had_the_room() {
    let text = scenario("capacity", "", &format!("at = \"20 s\"\n{BEFORE}"), &tenant("1 s", "n1", "5 min"));
    let mut played = Played::of(&text);
    played.to(120);
    let told = |processor: &str| {
        let process = played.sim.samza_state().processes().values().find(|p| p.processor == processor);
        process.and_then(|p| p.course.clone()).expect("it came somehow")
    };
    let stays = told("1");
    assert_eq!((stays.last_host.as_deref(), stays.course.missed, stays.room), (Some("n2"), None, None));
    let moved = told("0");
    let missed = moved.course.missed.expect("its request expired");
    assert_eq!((moved.course.first, moved.course.last), (Wish::of("n1"), Wish::AnyHost));
    assert_eq!((moved.last_host.as_deref(), missed.wish), (Some("n1"), Wish::of("n1")));
    assert!(missed.age > missed.timeout && moved.course.since + missed.age == missed.at && moved.launched > missed.at);
    let room = moved.room.expect("somebody had the room");
    let holder = room.holders.first().and_then(|(id, size)| Some((played.sim.place_of(id.app)?, size.memory_mb())));
    assert_eq!((room.free.map(|r| r.memory_mb()), holder), (Some(0), Some((1, 4096))));
}
