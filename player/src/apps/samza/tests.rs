//! Samza jobs: the tables of their state, why a container moved, the charts, and what a happening does to the stream.

use crate::Player;
use crate::explain::view::{LedgerCell, LedgerTable, LedgerView, Selection};

fn example(name: &str) -> String {
    let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../scenarios").join(name);
    std::fs::read_to_string(path.with_extension("toml")).expect("an example")
}

fn player(text: &str) -> Player {
    let loaded = Player::load(text);
    let mut player = loaded.player.unwrap_or_else(|| panic!("{:#?}", loaded.problems));
    player.run_to_end();
    player
}

fn books(player: &mut Player, at: i64, app: &str) -> LedgerView {
    player.seek(at);
    player.service(Some(&Selection::App(app.into())))
}

fn table<'b>(books: &'b LedgerView, title: &str) -> &'b LedgerTable {
    let found = books.tables.iter().find(|t| t.title.starts_with(title));
    found.unwrap_or_else(|| panic!("{title} is not among {books:#?}"))
}

fn row<'t>(table: &'t LedgerTable, name: &str) -> Vec<&'t str> {
    let row = table.rows.iter().find(|r| r.name == name).unwrap_or_else(|| panic!("{name}: {table:#?}"));
    assert_eq!(row.cells.len(), table.columns.len());
    row.cells.iter().map(|c: &LedgerCell| c.text.as_str()).collect()
}

/// What a job lacks is in every answer about it, whether YARN is asked for it or not.
#[test]
fn a_job_that_runs_fewer_containers_than_it_wants_is_not_told_to_lack_nothing() {
    let told = |text: &str, ms: i64| {
        let loaded = Player::load(text);
        let mut player = loaded.player.unwrap_or_else(|| panic!("{:#?}", loaded.problems));
        player.seek(ms);
        let why = player.why(&Selection::App("join".to_string()));
        (why.sentence, player.snapshot(None).headline)
    };
    let (sentence, headline) = told(include_str!("../../../../tests/scenarios/why/samza-no-retry.toml"), 60_000);
    assert!(sentence.starts_with("**join** runs 1 container. Container 0 is given up: "), "{sentence}");
    assert!(
        sentence.ends_with("nobody processes its task.") && headline.contains("container 0 is given up"),
        "{sentence}, {headline}"
    );
    let (sentence, _) =
        told(include_str!("../../../../tests/scenarios/why/samza-host-lost-then-standby.toml"), 150_000);
    assert!(!sentence.contains("nothing of it waits"), "{sentence}");
    assert!(
        sentence.contains("No host but n2 has room for it: gate has 0 MB free and n1 has been lost since 2:00."),
        "{sentence}"
    );
}

#[test]
fn each_container_has_last_host_asked_host_got_host_bytes_and_times() {
    let mut player = player(&example("q52-preferred-host-full"));
    let then = books(&mut player, 60_000, "join");
    assert_eq!(then.law, "Apache Samza");
    assert_eq!(then.came_to[0], "**join** wants 2 containers: 1 processes, 1 restores.");
    let containers = table(&then, "Containers");
    let moved = row(containers, "0");
    assert_eq!(moved[1..6], ["n1", "n1, then any host", "n3", "1", "6000 MB"], "{moved:?}");
    assert!(moved[0].starts_with("restoring") && moved[7].contains("left"), "{moved:?}");
    let stays = row(containers, "1");
    assert_eq!(stays[1..6], ["n2", "n2", "n2", "1", "0 B"], "{stays:?}");
    assert_eq!(stays[7], "", "nothing was restored");
    let fact = |name: &str| then.facts.iter().find(|f| f.name == name).map(|f| f.value.as_str());
    assert_eq!(fact("match rate"), Some("50 %"), "{:#?}", then.facts);
    assert_eq!((fact("requests for a host"), fact("expired, for a host")), (Some("2"), Some("1")));
    let changelogs = table(&then, "Changelogs");
    assert_eq!(row(changelogs, "kafka")[..3], ["100 MB/s", "50 MB/s", "1"]);
    // The stores on disks, whose they are, and those left where nobody looks for them.
    let disks = table(&then, "Disks");
    assert!(row(disks, "n1")[0] == "6000 MB in 1 store" && row(disks, "n2")[0] == "6000 MB in 1 store", "{disks:#?}");
    let stores: Vec<(&str, &str)> =
        disks.rows.iter().filter(|r| r.depth == 1).map(|r| (r.name.as_str(), r.cells[2].text.as_str())).collect();
    assert_eq!(stores[0], ("join-1/table/Partition_0", "container 0 on n3"), "left on n1");
    assert!(disks.rows.iter().any(|r| r.cells[1].text == "none: of no use to a start"), "n3 restores: {disks:#?}");
    let stream = table(&then, "Coordinator stream");
    assert!(
        stream
            .rows
            .iter()
            .any(|r| r.name == "0" && r.cells[0].text == "set-container-host-assignment" && r.cells[1].text == "n3")
    );
    // Before there is an ApplicationMaster, what outlives it is shown all the same.
    let before = books(&mut player, 5_000, "join");
    assert!(before.came_to[0].starts_with("No ApplicationMaster"), "{before:#?}");
    assert_eq!(table(&before, "Disks").rows.len(), 4);
}

#[test]
fn a_container_that_moved_says_which_request_what_expired_and_who_had_the_room() {
    let mut player = player(&example("q52-preferred-host-full"));
    player.seek(60_000);
    let why = |player: &mut Player, host: &str| {
        let snapshot = player.snapshot(None);
        let nodes = snapshot.racks.iter().flat_map(|r| &r.nodes);
        let here = nodes.filter(|n| n.name == host).flat_map(|n| &n.containers).next().expect("a container");
        player.why(&here.id)
    };
    let moved = why(&mut player, "n3").sentence;
    for part in [
        "The coordinator stream had n1 as its last host: Samza asked for it at 0:",
        "That request expired at 0:",
        "old, more than 5 s.",
        "n1 had 1 GB of 3 GB free then. etl-1 (3 GB) had the room.",
        "Samza asked for any host then.",
        "It moved to n3 at 0:",
    ] {
        assert!(moved.contains(part), "{part}: {moved}");
    }
    let stays = why(&mut player, "n2");
    assert!(!stays.sentence.contains("expired"), "{}", stays.sentence);
    assert!(stays.facts.iter().any(|f| f.value.starts_with("It got n2 at 0:")), "{:#?}", stays.facts);
    let node = player.why(&Selection::Node("n1".into()));
    assert!(node.facts.iter().any(|f| f.name == "stores on its disks" && f.value == "6000 MB in 1 store"), "{node:#?}");
}

#[test]
fn changelogs_have_lines_of_what_they_deliver_and_of_their_lag() {
    let player = player(&example("samza-1-stream-table-join"));
    let all = player.series();
    let line = |name: &str| all.iter().find(|s| s.name == name).unwrap_or_else(|| panic!("{name}"));
    let rate = line("changelogs of kafka");
    let most = rate.points.iter().map(|p| p.used).max();
    assert_eq!((rate.resource.as_str(), most), ("KB/s", Some(100 << 10)), "saturated by four containers");
    let lag = &line("changelogs of kafka, still to read").points;
    let (first, last) = (lag.iter().map(|p| p.used).max(), lag.last().map(|p| p.used));
    assert_eq!((first, last), (Some(24_000), Some(0)), "in MB");
    assert!(lag.iter().all(|p| p.used <= p.maximum), "never more than what is read in all");
}

#[test]
fn what_is_written_into_the_stream_is_what_the_next_start_asks_for() {
    let text = example("q52-preferred-host-full");
    let write = "[[happenings]]\nat = \"2 min\"\ndo = \"restart_app\"\napp = \"join\"\nafter = \"5 s\"\n\
        [[happenings]]\nat = \"1 min 50 s\"\ndo = \"write_stream\"\napp = \"join\"\nrows = [{ kind = \"set-container-host-assignment\", key = \"1\", value = \"n3\" }, { kind = \"set-container-host-assignment\", key = \"0\", value = \"n2\" }]\n";
    let mut player = player(&format!("{text}\n{write}"));
    let late = books(&mut player, 180_000, "join");
    let stays = row(table(&late, "Containers"), "1").join(", ");
    assert!(stays.contains("n3, n3, n3"), "{stays}");
    let other = row(table(&late, "Containers"), "0").join(", ");
    assert!(other.contains("n2, n2, n2"), "{other}");
}

#[test]
fn a_wrong_rack_is_told_as_the_cause() {
    let mut player = player(&example("q57-everything-on-the-default-rack"));
    for at in [6_000, 9_000, 12_000] {
        player.seek(at);
        let why = player.why(&Selection::App("wrong".into())).sentence;
        let part = "**n1** is asked for without its rack /r1";
        assert!(why.contains(part), "at {at}: {why}");
    }
}

#[test]
fn a_replica_that_nobody_may_have_says_what_was_given_back() {
    let mut player = player(&example("q56-standby-on-another-rack"));
    let then = books(&mut player, 300_000, "apart");
    let told = then.came_to.get(1).cloned().unwrap_or_default();
    let part = "the last one on m2, were given back: a copy of the same state is on that host or rack, which YARN is not told.";
    assert!(told.contains(part), "{:#?}", then.came_to);
    let why = player.why(&Selection::App("apart".into()));
    assert!(why.facts.iter().any(|f| f.value.contains("given back")), "{:#?}", why.facts);
    let fact = |name: &str| then.facts.iter().find(|f| f.name == name).map_or("", |f| f.value.as_str()).to_string();
    assert_eq!((fact("failovers to a replica"), fact("match rate")), ("1".into(), "0 %".into()));
    // Once another host has room, a request for any host has brought it there.
    let late = books(&mut player, 700_000, "apart");
    assert_eq!(row(table(&late, "Containers"), "0-0")[2..4], ["any host", "n2"]);
}

#[test]
fn a_move_that_came_to_nothing_is_no_part_of_the_next_one() {
    let mut player = player(&example("q54-reserve-stop-move"));
    player.seek(180_000);
    let snapshot = player.snapshot(None);
    let nodes = snapshot.racks.iter().flat_map(|r| &r.nodes);
    let moved = nodes.filter(|n| n.name == "n2").flat_map(|n| &n.containers).next().expect("it moved").id.clone();
    let why = player.why(&moved).sentence;
    assert!(why.starts_with("A placement message wanted it on n2 at 2:3") && !why.contains("expired"), "{why}");
}

#[test]
fn other_worlds_have_other_placement_and_no_host_affinity() {
    let mut player = player(&example("samza-2-affinity-against-slider"));
    player.seek(300_000);
    let worlds = player.compare(&player.worlds());
    let of = |name: &str, app: &str| {
        let world = worlds.iter().find(|w| w.name == name).unwrap_or_else(|| panic!("{name}"));
        assert!(world.refused.is_empty(), "{}", world.refused);
        world.apps.iter().find(|a| a.name == app).map(|a| (a.placed, a.waiting)).expect("the application")
    };
    assert_eq!(
        (of("strict placement", "web"), of("strict placement", "join")),
        ((0, 1), (1, 0)),
        "strict waits for n1"
    );
    assert_eq!((of("no host affinity", "web"), of("no host affinity", "join")), ((1, 0), (1, 0)));
    let first = worlds
        .iter()
        .find(|w| w.name == "no host affinity")
        .and_then(|w| w.first.clone())
        .unwrap_or_else(|| panic!("{worlds:#?}"));
    assert!(first.time_ms < 150_000, "the first failure is not retried on n1: {first:?}");
    let now = books(&mut player, 300_000, "join");
    assert_eq!(row(table(&now, "Containers"), "0")[1..4], ["n1", "any host", "n2"]);
}

#[test]
fn a_host_that_nobody_knows_to_be_gone_yet_is_no_host_with_room() {
    let text = example("q52-preferred-host-full");
    let more = "[[happenings]]\nat = \"3 min\"\ndo = \"restart_app\"\napp = \"join\"\nafter = \"20 s\"\n\
        [[happenings]]\nat = \"3 min 5 s\"\ndo = \"crash_node\"\nnode = \"n3\"\n";
    let mut player = player(&format!("{text}\n{more}"));
    player.seek(350_000);
    let then = player.service(None);
    let row = table(&then, "Containers").rows.iter().find(|r| r.name == "0").expect("container 0");
    let told = row.cells[2].formula.join(" ");
    assert!(told.contains("n3 had been silent since 3:0"), "{told}");
    assert!(!told.contains("had the room"), "{told}");
}

/// A job of three containers on as many nodes as given; `file` has lines of its file, `more` happenings.
fn job(nodes: (i64, &str), file: &str, more: &str) -> Player {
    let (count, size) = nodes;
    player(&format!(
        "heddle = 1\nscheduling = \"heartbeat\"\nuntil = \"8 min\"\n[capacity-scheduler]\nroot.queues = \"default\"\n\
         root.default.capacity = 100\nmaximum-am-resource-percent = 0.5\n[[nodes]]\nname = \"n{{1}}\"\ncount = {count}\n\
         size = \"{size}\"\n[[apps]]\nname = \"join\"\nkind = \"samza\"\nstreams = {{ \"k.in\" = 6 }}\n\
         \"job.properties\" = \"\"\"\njob.name=join\njob.container.count=3\njob.host-affinity.enabled=true\n\
         task.inputs=k.in\ntask.checkpoint.factory=org.apache.samza.checkpoint.kafka.KafkaCheckpointManagerFactory\n\
         {file}\n\"\"\"\n{more}"
    ))
}

fn headline(player: &mut Player, at: i64) -> String {
    player.seek(at);
    player.snapshot(None).headline
}

fn why(player: &mut Player, at: i64, about: &Selection) -> crate::explain::view::WhyView {
    player.seek(at);
    player.why(about)
}

#[test]
fn a_container_that_is_too_large_for_yarn_is_why_the_job_ends() {
    let mut player = job((3, "4 GB/8"), "cluster-manager.container.memory.mb=9000", "");
    let because = "its containers are larger than any that YARN gives, and its AM gave up";
    assert_eq!(headline(&mut player, 300_000), format!("join gave up at 0:04: {because}."));
    let app = why(&mut player, 300_000, &Selection::App("join".into()));
    assert!(app.sentence.contains(because), "{}", app.sentence);
}

#[test]
fn a_call_that_was_refused_is_why_its_am_failed() {
    let mut player = job((3, "4 GB/8"), "yarn.container.label=gpu", "");
    let headline = headline(&mut player, 300_000);
    assert!(headline.starts_with("A call of join was refused at 0:04: it asks for label gpu"), "{headline}");
    let app = why(&mut player, 300_000, &Selection::App("join".into()));
    let told = "a call of it was refused at 0:08.333: it asks for label gpu, and node labels are switched off; its AM exited with \
        code 1, the last of 2 attempts";
    assert!(app.sentence.contains(told), "{}", app.sentence);
}

#[test]
fn a_container_on_a_silent_node_is_told_where_it_was_and_so_is_the_node() {
    let crash = "[[happenings]]\nat = \"3 min\"\ndo = \"crash_node\"\nnode = \"n2\"\n";
    let mut player = job((4, "4 GB/8"), "cluster-manager.container.memory.mb=2048", crash);
    let app = why(&mut player, 200_000, &Selection::App("join".into()));
    let lost: Vec<&str> = app.facts.iter().map(|f| f.value.as_str()).filter(|v| v.contains("silent")).collect();
    assert!(matches!(lost[..], [one] if one.starts_with("on n2, which has been silent since 2:59")), "{lost:?}");
    let node = why(&mut player, 200_000, &Selection::Node("n2".into()));
    assert!(node.status.starts_with("RUNNING, silent since 2:59"), "{}", node.status);
    assert!(node.sentence.starts_with("**n2** has been silent since 2:59"), "{}", node.sentence);
    assert!(node.sentence.contains("YARN counts 1 container there"), "{}", node.sentence);
}

#[test]
fn what_waits_alone_is_called_by_its_container() {
    // 1 GB for the AM and 2 GB for each of three containers do not fit 6 GB.
    let mut player = job((2, "3 GB/8"), "cluster-manager.container.memory.mb=2048", "");
    let headline = headline(&mut player, 100_000);
    assert!(headline.starts_with("join 2 has waited "), "{headline}");
}
