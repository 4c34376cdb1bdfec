//! Hand-written jobs: the problems of a file, and where containers and tasks go.

use super::containers::{Known, by_count, by_location};
use super::model::{self, Dropped, Impossible};
use super::*;
use crate::apps::samza::strategy::CoordinatorStream;
use crate::model::Severity;
use std::collections::BTreeMap;

const GOOD: &str = "# a job
job.name=page-counts
job.host-affinity.enabled=true
job.container.count=6
cluster-manager.container.memory.mb=4096
cluster-manager.container.cpu.cores:2
stores.counts.factory=a.b.RocksDb
stores.counts.changelog=kafka.counts-changelog
";

fn problems(text: &str) -> Vec<String> {
    check::read(text).2.iter().map(|p| p.render(text)).collect()
}

#[test]
fn a_good_job_has_no_problems() {
    let (properties, settings, problems) = check::read(GOOD);
    assert_eq!(problems, []);
    let s = settings.expect("accepted");
    assert_eq!((s.containers, s.size.memory_mb(), s.size.vcores(), s.host_affinity), (6, 4096, 2, true));
    assert_eq!((s.id.as_str(), s.request_timeout_ms, s.retries), ("1", 5000, 8));
    assert_eq!((s.last_retry_delay_ms, s.effective_last_retry_delay()), (360_000, 361_000));
    assert_eq!(s.stores[0].changelog.as_deref(), Some("kafka.counts-changelog"));
    assert_eq!(properties.text(), GOOD);
}

#[test]
fn every_rule_names_the_place() {
    let only = |from: &str, to: &str, start: &str| {
        let found = problems(&GOOD.replace(from, to));
        assert!(found.len() == 1 && found[0].starts_with(start), "{from} -> {to}: {found:?}");
    };
    only("page-counts", "", "job.properties:2:10: warning: The name of the job is empty");
    only("=6", "=six", "job.properties:4:21: error: `job.container.count` is `six`, no whole number of 32 bits");
    only("=6", "=6 ", "job.properties:4:21: error: `job.container.count` is `6 `");
    only("=6", "=0", "job.properties:4:21: error: `job.container.count` is 0, and 1 is the least");
    only("4096", "4 GB", "job.properties:5:37: error: `cluster-manager.container.memory.mb` is `4 GB`");
    only(
        "enabled=true",
        "enabled=yes",
        "job.properties:3:27: warning: `job.host-affinity.enabled` is `yes`, which counts as false",
    );
    only(
        "job.container.count",
        "yarn.container.count",
        "job.properties:4:1: note: `yarn.container.count` is the old name",
    );
    only("job.container.count", "job.container.cuont", "job.properties:4:1: warning: `job.container.cuont` is nothing");
    only(
        "kafka.counts",
        "counts",
        "job.properties:8:25: error: `stores.counts.changelog` is `counts-changelog`, a stream without",
    );
    only("stores.counts.changelog", "other", "job.properties:3:1: note: Host affinity is on, and no store");
    only("# a job", "yarn.container.count=9", "job.properties:1:1: warning: `yarn.container.count` is not read");
    only("# a job", "task.broadcast.inputs=a.b#c", "job.properties:1:23: error: `task.broadcast.inputs`");
    only(
        "# a job",
        "task.name.grouper.factory=my.Own",
        "job.properties:1:27: error: `task.name.grouper.factory` names the class",
    );
    only("# a job", "job.elasticity.factor=0", "job.properties:1:23: error");
    only(
        "# a job",
        "job.autosizing.container.count=9",
        "job.properties:1:1: warning: `job.autosizing.container.count` is not read",
    );
    only("# a job", "cluster-manager.container.request.timeout.ms=-1", "job.properties:1:46: error");
    only("# a job", "a\\u12=1", "job.properties:1:2: error: `\\u12` is no character");
}

#[test]
fn a_job_with_five_faults_tells_all_five() {
    let text = "job.name=\njob.container.count=six\ncluster-manager.container.memory.mb=4 GB\n\
                job.host-affinity.enabled=yes\nbroken\\u00zz=1";
    let (_, settings, problems) = check::read(text);
    let count = |s: Severity| problems.iter().filter(|p| p.severity == s).count();
    assert_eq!((settings, count(Severity::Error), count(Severity::Warning)), (None, 3, 2), "{problems:?}");
}

#[test]
fn whatever_the_text_nothing_panics() {
    let mut state = 7u64;
    for _ in 0..2000 {
        let mut text = GOOD.to_string();
        for _ in 0..3 {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            let at = (state >> 33) as usize % text.len();
            let with = ["\\", "\\u", "é", "\n", "=", " ", "", "#", "\r"][(state >> 20) as usize % 9];
            if text.is_char_boundary(at) && text.is_char_boundary(at + 1) {
                text.replace_range(at..=at, with);
            }
        }
        let (mut properties, ..) = check::read(&text);
        properties.set("job.name", "x y\\");
        assert_eq!(properties.get("job.name"), Some("x y\\"), "{text:?}");
    }
}

fn names(count: usize) -> Vec<String> {
    (0..count).map(|i| format!("Partition {i}")).collect()
}

#[test]
fn as_many_containers_keep_what_they_have_and_others_move_little() {
    let previous: BTreeMap<String, String> =
        names(6).into_iter().zip(["0", "0", "0", "0", "1", "1"].map(String::from)).collect();
    let sizes = |n: i32| {
        by_count(&names(6), n, Some(&previous)).expect("groups").into_values().map(|g| g.len()).collect::<Vec<_>>()
    };
    assert_eq!(sizes(2), [4, 2], "even if uneven");
    assert_eq!(sizes(3), [2, 2, 2]);
    let three = by_count(&names(6), 3, Some(&previous)).expect("groups");
    assert_eq!(three["2"], ["Partition 3", "Partition 2"], "the last ones of container 0");
    assert_eq!(by_count(&names(6), 3, None).expect("groups")["0"], ["Partition 0", "Partition 3"]);
    assert_eq!(by_count(&names(2), 3, None), Err(Impossible::TooFewTasks { tasks: 2, containers: 3 }));
}

#[test]
fn tasks_go_where_they_were_as_far_as_there_is_room() {
    let host = |p: &[(&str, &str)]| p.iter().map(|(k, v)| (k.to_string(), v.to_string())).collect::<BTreeMap<_, _>>();
    let known = Known {
        previous: BTreeMap::new(),
        processor_hosts: host(&[("0", "a"), ("1", "b")]),
        task_hosts: host(&[("Partition 0", "b"), ("Partition 1", "b"), ("Partition 2", "b")]),
    };
    let groups = by_location(&names(4), &known).expect("groups");
    assert_eq!(groups["1"], ["Partition 0", "Partition 1"]);
    assert_eq!(groups["0"], ["Partition 2", "Partition 3"]);
}

/// Builds the model of one run after another over one stream.
fn run(stream: &mut CoordinatorStream, more: &[(&str, &str)], partitions: u32) -> Result<model::Built, Impossible> {
    let mut config: Config =
        [("job.host-affinity.enabled", "true"), ("task.inputs", "k.a"), ("job.container.count", "2")]
            .iter()
            .chain(more)
            .map(|(k, v)| (k.to_string(), v.to_string()))
            .collect();
    config.insert("stores.s.factory".into(), "x.RocksDb".into());
    let settings = Settings::of(&config).expect("settings");
    model::build(&settings, &BTreeMap::from([("k.a".into(), partitions)]), stream)
}

#[test]
fn a_stream_that_doubles_keeps_its_tasks_and_one_that_grows_by_one_is_refused() {
    let mut stream = CoordinatorStream::default();
    assert_eq!(run(&mut stream, &[], 4).expect("a model").dropped.active, Some(Vec::new()), "none before");
    let doubled = run(&mut stream, &[], 8).expect("a model");
    assert_eq!(doubled.dropped, Dropped::default());
    let task = &doubled.model.containers["0"].tasks["Partition 0"];
    assert_eq!(task.partitions.iter().map(ToString::to_string).collect::<Vec<_>>(), ["k.a#0", "k.a#4"]);
    let before = stream.clone();
    let refused = Impossible::NotMultiple { stream: "k.a".into(), before: 8, now: 9 };
    assert_eq!(run(&mut stream, &[], 9), Err(refused));
    assert_eq!(stream, before, "nothing is written");
}

#[test]
fn other_tasks_drop_what_was_stored_and_old_changelog_partitions_stay() {
    let mut stream = CoordinatorStream::default();
    run(&mut stream, &[], 2).expect("a model");
    let by_stream = ("job.systemstreampartition.grouper.factory", "o.a.s.GroupBySystemStreamPartitionFactory");
    let off = ("job.systemstreampartition.input.expansion.enabled", "false");
    let unknown = Impossible::UnknownTask { task: "Partition 0".into() };
    assert_eq!(run(&mut stream, &[by_stream, off], 2), Err(unknown), "as many tasks, and none of those before");
    let other = run(&mut stream, &[by_stream, off], 3).expect("a model");
    assert_eq!(other.dropped.active.map(|names| names.len()), Some(2));
    assert_eq!(stream.changelog.values().copied().collect::<Vec<_>>(), [0, 1, 2, 3, 4]);
    let replicas =
        run(&mut stream, &[by_stream, off, ("job.standbytasks.replication.factor", "2")], 3).expect("a model");
    assert_eq!((replicas.dropped.active, replicas.dropped.standby), (None, Some(Vec::new())));
    assert_eq!(standby::constraints(&replicas.model)["0"], ["0-0"]);
}
