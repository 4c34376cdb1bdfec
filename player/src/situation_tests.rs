//! Situations of operators about which the player once said something false.

use super::{EventFilter, Player};
use crate::explain::view::{Selection, WhyView};
use crate::fixtures::at;

fn why(text: &str, ms: i64, about: &Selection) -> WhyView {
    let mut player = Player::load(text).player.expect(text);
    player.seek(ms);
    player.why(about)
}

fn request(app: &str, key: &str) -> Selection {
    Selection::Request { app: app.to_string(), key: key.to_string() }
}

/// The label's property limits the AMs there, not the queue's.
#[test]
fn the_limit_of_ams_on_a_label_is_set_by_the_property_of_the_label() {
    let text = "heddle = 1\nscheduling = \"heartbeat\"\nuntil = \"60 s\"\nlabels = [\"gpu\"]\n\
        [yarn-site]\nnode-labels.enabled = true\n[capacity-scheduler]\nroot.queues = \"a\"\nroot.a.capacity = 100\n\
        \"root.accessible-node-labels.gpu.capacity\" = 100\n\"root.a.accessible-node-labels\" = \"gpu\"\n\
        \"root.a.accessible-node-labels.gpu.capacity\" = 100\n\
        \"root.a.accessible-node-labels.gpu.maximum-am-resource-percent\" = 0.1\n\
        [[nodes]]\nname = \"n1\"\nsize = \"10 GB/10\"\n[[nodes]]\nname = \"g1\"\nlabel = \"gpu\"\nsize = \"10 GB/10\"\n\
        [[apps]]\nname = \"x\"\nqueue = \"a\"\nlabel = \"gpu\"\nam = \"1 GB/1\"\ntasks = [{ duration = \"forever\" }]\n\
        [[apps]]\nname = \"y\"\nat = \"5 s\"\nqueue = \"a\"\nlabel = \"gpu\"\nam = \"1 GB/1\"\ntasks = [{ count = 1 }]\n";
    let why = why(text, 20_000, &request("y", "0_-1"));
    assert_eq!(why.sentence, "AMs of root.a on label gpu (x) use 1 GB; 1 GB more would pass the limit of 1 GB.");
    let stop = why.limits.iter().find(|l| l.reached && !l.passes).expect("a limit that stops");
    let property = "yarn.scheduler.capacity.root.a.accessible-node-labels.gpu.maximum-am-resource-percent = 0.1";
    assert!(stop.properties[0].starts_with(property), "{:?}", stop.properties);
}

/// The FairScheduler notifies an application that waits for a limit of running ones; the CapacityScheduler does not.
#[test]
fn only_the_capacity_scheduler_holds_applications_back_silently() {
    let rest = "[[nodes]]\nname = \"n1\"\nsize = \"8 GB/8\"\n[[apps]]\nname = \"y\"\nqueue = \"root.b\"\nuser = \"ann\"\n\
        tasks = [{ duration = \"forever\" }]\n[[apps]]\nname = \"z\"\nat = \"3 s\"\nqueue = \"root.b\"\nuser = \"ann\"\n\
        tasks = [{ count = 1 }]\n";
    let head = "heddle = 1\nscheduling = \"heartbeat\"\nuntil = \"60 s\"\n";
    let fair = format!(
        "{head}scheduler = \"fair\"\n[files]\n\"fair-scheduler.xml\" = \"<allocations><queue name='b'>\
         <maxRunningApps>1</maxRunningApps></queue></allocations>\"\n{rest}"
    );
    let capacity = format!(
        "{head}[capacity-scheduler]\nroot.queues = \"b\"\nroot.b.capacity = 100\nuser.max-parallel-apps = 1\n{rest}"
    );
    for (text, sentence, silent) in [
        (fair, "root.b runs 1 application and may run 1 at a time", false),
        (capacity, "ann runs 1 application and may run 1 at a time", true),
    ] {
        let why = why(&text, 20_000, &request("z", "0_-1"));
        assert!(why.sentence.starts_with(sentence), "{}", why.sentence);
        let stop = why.limits.iter().find(|l| l.reached && !l.passes).expect("a limit that stops");
        assert_eq!(stop.formula.iter().any(|f| f.contains("diagnostics")), silent, "{:?}", stop.formula);
        assert_eq!(why.yarn.iter().all(|(words, _)| words.is_empty()), silent, "{:?}", why.yarn);
    }
}

/// A value that is read late and is not a number: the attempt or the application does not exist, and all answers agree.
#[test]
fn numbers_that_are_read_late_stop_what_they_are_read_for() {
    let rest = "[[nodes]]\nname = \"n\"\nsize = \"8 GB/8\"\n[[apps]]\nname = \"etl\"\nuser = \"bob\"\nqueue = \"root.a.x\"\n\
        tasks = [{ count = 2 }]\n";
    let head = "heddle = 1\nscheduling = \"heartbeat\"\nuntil = \"60 s\"\n[capacity-scheduler]\nroot.queues = \"a\"\n";
    let user =
        "root.a.capacity = 100\nroot.a.queues = \"x\"\nroot.a.x.capacity = 100\nuser.bob.max-parallel-apps = \"1k\"\n";
    let queues = "root.a.capacity = \"1w\"\nroot.a.auto-queue-creation-v2.enabled = true\n\
        root.a.auto-queue-creation-v2.max-queues = \"x\"\n";
    for (settings, verb, because) in [
        (user, "not added", "How many applications bob may run is no number: adding the attempt throws an exception"),
        (queues, "not answered", "Making its queue throws an exception: the application gets no answer"),
    ] {
        let player = at(&format!("{head}{settings}{rest}"), 20);
        let snapshot = player.snapshot(None);
        assert!(snapshot.headline.starts_with(&format!("etl was {verb} at 0:00: {because}")), "{}", snapshot.headline);
        let why = player.why(&Selection::App("etl".into()));
        assert!(why.sentence.starts_with(because) && why.sentence.contains("Here it goes on"), "{}", why.sentence);
        let facts: Vec<String> = why.facts.iter().map(|f| f.value.clone()).collect();
        assert!(!facts.iter().any(|f| f.contains("parallel applications")), "{facts:?}");
    }
}

/// An application moved to a queue whose AM limit it exceeds runs on and gets nothing.
#[test]
fn an_application_that_is_not_active_in_its_new_queue_waits_for_that() {
    let text = "heddle = 1\nscheduling = \"heartbeat\"\nuntil = \"60 s\"\n[capacity-scheduler]\nroot.queues = \"a, b\"\n\
        root.a.capacity = 50\nroot.b.capacity = 50\nmaximum-am-resource-percent = 0.1\n\
        [[nodes]]\nname = \"n1\"\nsize = \"10 GB/10\"\n\
        [[apps]]\nname = \"stays\"\nqueue = \"b\"\nam = \"1 GB/1\"\ntasks = [{ duration = \"forever\" }]\n\
        [[apps]]\nname = \"moves\"\nqueue = \"a\"\nam = \"1 GB/1\"\ntasks = [{ count = 2, delay = \"20 s\" }]\n\
        [[happenings]]\nat = \"15 s\"\ndo = \"move_app\"\napp = \"moves\"\nqueue = \"b\"\n";
    let why = why(text, 50_000, &request("moves", "20_-1"));
    assert_eq!(
        why.sentence,
        "**moves** is not active in root.b, and nothing is placed for it until it is: AMs of root.b (stays) use 1 GB; 1 GB \
         more would pass the limit of 1 GB."
    );
    assert_eq!(why.yarn, [("Queue's AM resource limit exceeded.".to_string(), 0)]);
}

/// A try that ends at the ANY row counts no missed chance if that row may not relax: the rack's row, which opens after some,
/// never does (capacity-scheduler.md 8.4). Without a delay it is open at once.
#[test]
fn waiting_does_not_open_a_rack_where_the_row_for_any_place_may_not_relax() {
    let text = |delay: i32| {
        format!(
            "heddle = 1\nscheduling = \"heartbeat\"\nuntil = \"10 min\"\n[capacity-scheduler]\nnode-locality-delay = {delay}\n\
             root.queues = \"a\"\nroot.a.capacity = 100\n\
             [[nodes]]\nname = \"n{{1}}\"\ncount = 2\nsize = \"8 GB/8\"\nrack = \"/r1\"\n\
             [[nodes]]\nname = \"o1\"\nsize = \"8 GB/8\"\nrack = \"/r2\"\n\
             [[apps]]\nname = \"etl\"\nqueue = \"a\"\nkind = \"requests\"\n[[apps.calls]]\nat = \"10 s\"\nasks = [\n\
             {{ priority = 5, place = \"/r1\", count = 1, size = \"1 GB/1\", duration = \"forever\" }},\n\
             {{ priority = 5, count = 1, size = \"1 GB/1\", relax = false, duration = \"forever\" }}]\n"
        )
    };
    let waits = |delay: i32, ms: i64| {
        let mut player = Player::load(&text(delay)).player.expect("it loads");
        player.seek(ms);
        player.snapshot(None).waiting.len()
    };
    assert_eq!((waits(2, 60_000), waits(2, 600_000)), (1, 1), "no waiting helps");
    assert_eq!(waits(0, 60_000), 0, "without a delay its rack is open");
    let why = why(&text(2), 600_000, &request("etl", "5_-1"));
    let rack = "**n1** and **n2** are in a rack it asked for, which is taken after more than 2 missed chances; none is \
        counted while the row for any place may not relax, **o1** is not where it asked to be.";
    assert!(why.sentence.ends_with(rack), "{}", why.sentence);
}

const FAIR: &str =
    "heddle = 1\nscheduler = \"fair\"\nuntil = \"2 min\"\n[[nodes]]\nname = \"n{1}\"\ncount = 2\nsize = \"8 GB/8\"\n";

/// A FairScheduler scenario from its allocation file and applications of ten containers each, by queue and user.
fn fair(file: &str, apps: &[(&str, &str)]) -> String {
    let app = |(i, (queue, user)): (usize, &(&str, &str))| {
        let queue = if queue.is_empty() { String::new() } else { format!("queue = \"{queue}\"\n") };
        format!(
            "[[apps]]\nname = \"a{i}\"\n{queue}user = \"{user}\"\nam = \"1 GB/1\"\n\
             tasks = {{ count = 10, size = \"1 GB/1\", duration = \"forever\" }}\n"
        )
    };
    let apps: String = apps.iter().enumerate().map(app).collect();
    format!("{FAIR}{apps}[files]\n\"fair-scheduler.xml\" = '''\n<allocations>{file}</allocations>\n'''\n")
}

#[test]
fn a_maximum_of_a_queue_is_told_by_the_element_that_it_comes_from() {
    let rules = "<queuePlacementPolicy><rule name='nestedUserQueue'><rule name='default' queue='u'/></rule>\
        </queuePlacementPolicy>";
    let three = "3072 mb, 3 vcores";
    let nested = format!("<queue name='u' type='parent'><maxChildResources>{three}</maxChildResources></queue>{rules}");
    let default = format!("<queueMaxResourcesDefault>{three}</queueMaxResourcesDefault>");
    let own = format!("<queue name='x'><maxResources>{three}</maxResources></queue>");
    for (file, queue, wanted) in [
        (nested, "", "maximum of 3 GB · 3 vcores (maxChildResources of root.u)."),
        (own, "root.x", "(maxResources)."),
        (default, "root.x", "(queueMaxResourcesDefault)."),
    ] {
        let told = why(&fair(&file, &[(queue, "ann")]), 30_000, &Selection::App("a0".into())).sentence;
        assert!(told.ends_with(wanted), "{told}");
    }
}

#[test]
fn minima_that_come_to_more_than_there_is_are_told_instead_of_a_sum_that_does_not_hold() {
    let file = "<queue name='a'><minResources>12288 mb, 12 vcores</minResources></queue>\
        <queue name='b'><minResources>12288 mb, 12 vcores</minResources></queue><queue name='c'/>";
    let apps = [("root.a", "ann"), ("root.b", "bob"), ("root.c", "cat")];
    let why = why(&fair(file, &apps), 30_000, &Selection::Queue("root.a".into()));
    let told = why.facts.iter().find(|f| f.name == "fair share").expect("it has one").formula.join("; ");
    assert!(told.contains("their minima alone come to 24 GB, more than the 16 GB"), "{told}");
    assert!(!told.contains("come to 16 GB") && told.ends_with("it gets the minimum of 12 GB"), "{told}");
}

/// A reserved node has room for the size asked for when it was reserved, and not for the present one.
#[test]
fn a_reservation_of_another_size_waits_for_what_is_asked_for_now() {
    for scheduler in ["capacity", "fair"] {
        let text = format!(
            "heddle = 1\nscheduler = \"{scheduler}\"\nscheduling = \"heartbeat\"\nuntil = \"60 s\"\n\
             [capacity-scheduler]\nroot.queues = \"default\"\nroot.default.capacity = 100\n\
             maximum-am-resource-percent = 1.0\n[[nodes]]\nname = \"n1\"\nsize = \"10 GB/10\"\n\
             [[apps]]\nname = \"h\"\nuser = \"ann\"\nqueue = \"root.default\"\nam = \"1 GB/1\"\n\
             tasks = [{{ count = 1, size = \"4 GB/1\", duration = \"forever\" }}, {{ count = 1, size = \"1 GB/1\", duration = \"20 s\" }}]\n\
             [[apps]]\nname = \"a\"\nuser = \"ann\"\nqueue = \"root.default\"\nat = \"5 s\"\nkind = \"requests\"\nam = \"1 GB/1\"\n\
             [[apps.calls]]\nat = \"12 s\"\nasks = [{{ priority = 3, count = 1, size = \"4 GB/1\", duration = \"forever\" }}]\n\
             [[apps.calls]]\nat = \"16 s\"\nasks = [{{ priority = 3, count = 1, size = \"5 GB/1\", duration = \"forever\" }}]\n"
        );
        let why = why(&text, 45_000, &request("a", "3_-1"));
        assert!(why.status.starts_with("waiting"), "{scheduler}: {}", why.status);
        assert!(!why.sentence.contains("looked at next"), "{scheduler}: {}", why.sentence);
    }
}

/// Entries for moments that a run never reaches.
#[test]
fn what_comes_after_the_end_is_told() {
    let rest = "[[nodes]]\nname = \"n1\"\nsize = \"8 GB/8\"\n[[happenings]]\nat = \"3 h\"\ndo = \"crash_node\"\nnode = \"n1\"\n\
        [[expect]]\nat = \"5 h\"\nwaiting = 0\n[[expect]]\nby = \"30 s\"\nwaiting = 0\n";
    let told = |until: &str| {
        let text = format!("heddle = 1\nscheduling = \"heartbeat\"\n{until}{rest}");
        Player::load(&text).problems.iter().filter(|p| p.to_string().contains("after the end of the run")).count()
    };
    assert_eq!((told("until = \"1 min\"\n"), told("until = \"6 h\"\n"), told("")), (2, 0, 0));
}

/// A live node's heartbeats come regularly, whether anything happens in them or not.
#[test]
fn the_last_heartbeat_of_a_node_that_lives_is_a_moment_ago() {
    let text = "heddle = 1\nscheduling = \"heartbeat\"\nuntil = \"10 min\"\n[[nodes]]\nname = \"n1\"\nsize = \"8 GB/8\"\n\
        [[nodes]]\nname = \"n2\"\nsize = \"8 GB/8\"\n[[happenings]]\nat = \"3 min\"\ndo = \"crash_node\"\nnode = \"n2\"\n\
        [[happenings]]\nat = \"5 min\"\ndo = \"unhealthy_node\"\nnode = \"n1\"\n";
    let heard = |node: &str, ms: i64| {
        let why = why(text, ms, &Selection::Node(node.to_string()));
        why.facts.iter().find(|f| f.name == "last heartbeat").map(|f| f.value.clone()).expect("it is told")
    };
    assert_eq!([heard("n1", 250_000), heard("n1", 299_400)], ["4:10", "4:59"]);
    assert!(heard("n2", 290_000).starts_with("2:59"), "it is silent since 3:00: {}", heard("n2", 290_000));
}

/// An application that moves after its AM has started does not become ACCEPTED again.
#[test]
fn an_application_that_moves_stays_running() {
    let text = "heddle = 1\nscheduling = \"heartbeat\"\nuntil = \"60 s\"\n[capacity-scheduler]\nroot.queues = \"a,b\"\n\
        root.a.capacity = 50\nroot.b.capacity = 50\nroot.a.maximum-am-resource-percent = 1\n\
        root.b.maximum-am-resource-percent = 1\n[[nodes]]\nname = \"n1\"\nsize = \"8 GB/8\"\n[[apps]]\nname = \"x\"\n\
        queue = \"root.a\"\nam = \"1 GB/1\"\ntasks = [{ duration = \"forever\" }]\n\
        [[happenings]]\nat = \"20 s\"\ndo = \"move_app\"\napp = \"x\"\nqueue = \"root.b\"\n";
    let why = why(text, 50_000, &Selection::App("x".to_string()));
    let accepted = why.facts.iter().filter(|f| f.value.starts_with("ACCEPTED") && f.name.as_str() >= "0:20");
    assert_eq!(accepted.count(), 0, "{:?}", why.facts);
}

macro_rules! situation {
    ($name:literal) => {
        include_str!(concat!("../../tests/scenarios/why/", $name, ".toml"))
    };
}

/// The chain has each checked limit and each group of nodes behind it once.
#[test]
fn each_limit_is_told_once() {
    let cases = [
        (situation!("refresh-lowers-the-maximum"), 60, request("job", "20_1")),
        (situation!("refresh-lowers-the-max"), 60, request("job", "20_1")),
        (situation!("parent-full-of-a-sibling"), 90, request("yjob", "0_-1")),
        (situation!("raw-large-before-small"), 60, Selection::App("raw".into())),
        (situation!("async-two-causes"), 60, Selection::App("job".into())),
        (situation!("fair-maximum-of-the-parent"), 60, Selection::App("x".into())),
    ];
    let mut wrong = Vec::new();
    for (text, seconds, about) in cases {
        let limits = at(text, seconds).why(&about).limits;
        assert!(!limits.is_empty(), "{about}");
        let stops = limits.iter().filter(|l| l.reached && !l.passes).count();
        for (i, limit) in limits.iter().enumerate() {
            if limits[..i].iter().any(|other| (&other.name, &other.of) == (&limit.name, &limit.of)) {
                wrong.push(format!("{about}: {} of {} twice", limit.name, limit.of));
            }
        }
        if stops > 1 {
            wrong.push(format!("{about}: {stops} limits stop it"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Every act that may change nothing says so among the events.
#[test]
fn an_act_that_changes_nothing_is_told() {
    let acts: [(&str, Option<&str>); 11] = [
        ("do = \"kill_app\"\napp = \"short\"", Some("it is over already")),
        ("do = \"kill_app\"\napp = \"long\"", None),
        ("do = \"move_app\"\napp = \"long\"\nqueue = \"root.a\"", Some("it is there already")),
        ("do = \"move_app\"\napp = \"long\"\nqueue = \"root.b\"", None),
        ("do = \"set_priority\"\napp = \"long\"\npriority = 0", Some("it has that priority already")),
        ("do = \"healthy_node\"\nnode = \"n1\"", Some("it is so already")),
        ("do = \"unhealthy_node\"\nnode = \"n1\"", None),
        ("do = \"recommission_node\"\nnode = \"n1\"", Some("it is not decommissioning")),
        ("do = \"resize_node\"\nnode = \"n1\"\nsize = \"8 GB/8\"", Some("it has that size already")),
        ("do = \"resize_node\"\nnode = \"n1\"\nsize = \"9 GB/8\"", None),
        ("do = \"label_node\"\nnode = \"n1\"\nlabel = \"\"", Some("it has that label already")),
    ];
    for (act, words) in acts {
        let text = format!(
            "heddle = 1\nscheduling = \"heartbeat\"\nuntil = \"60 s\"\nlabels = [\"x\"]\n[yarn-site]\nnode-labels.enabled = true\n\
             cluster.max-application-priority = 5\n[capacity-scheduler]\nroot.queues = \"a,b\"\nroot.a.capacity = 50\n\
             root.b.capacity = 50\n[[nodes]]\nname = \"n1\"\nsize = \"8 GB/8\"\n\
             [[apps]]\nname = \"short\"\nqueue = \"root.a\"\ntasks = [{{ duration = \"3 s\" }}]\n\
             [[apps]]\nname = \"long\"\nqueue = \"root.a\"\ntasks = [{{ duration = \"forever\" }}]\n\
             [[happenings]]\nat = \"30 s\"\n{act}\n"
        );
        let player = at(&text, 40);
        let events = player.events(&EventFilter::default());
        let told: Vec<&str> = { events.iter() }.filter(|e| e.verb == "no change").map(|e| e.why.as_str()).collect();
        match words {
            Some(words) => assert!(told.len() == 1 && told[0].ends_with(words), "{act}: {told:?}"),
            None => assert!(told.is_empty(), "{act}: {told:?}"),
        }
    }
}

/// A name that the scenario never has does not exist, whatever its kind.
#[test]
fn what_never_was_is_not_there() {
    let refresh =
        "[[happenings]]\nat = \"30 s\"\ndo = \"refresh\"\ncapacity-scheduler = { \"root.q.maximum-capacity\" = 100 }\n";
    let player = at(&format!("{}\n{refresh}", situation!("user-beyond-its-limit")), 60);
    let first = player.snapshot(None).headline_about.expect("somebody waits").to_string();
    for (about, there) in [
        ("container:ann/0", true),
        ("container:ann/99", false),
        ("container:bob/0", false),
        (first.as_str(), true),
        ("request:bob/0_77", false),
        ("request:bob/77", false),
        ("request:nobody/0_-1", false),
        ("clause:bob/0_77/1", false),
        ("refresh:30000", true),
        ("refresh:31000", false),
    ] {
        let told = player.not_there(&about.parse().expect("a selection"));
        assert_eq!(told.is_none(), there, "{about}: {told:?}");
    }
}

/// A second unset of the same property is no mistake: YARN may have refused the first.
#[test]
fn a_second_unset_is_no_mistake() {
    let refresh = "[[happenings]]\nat = \"30 s\"\ndo = \"refresh\"\nunset = [\"root.a.maximum-capacity\"]\n";
    let never = "[[happenings]]\nat = \"30 s\"\ndo = \"refresh\"\nunset = [\"root.a.user-limit-factor\"]\n";
    let head = "heddle = 1\n[capacity-scheduler]\nroot.queues = \"a\"\nroot.a.capacity = 100\nroot.a.maximum-capacity = 100\n\
                [[nodes]]\nname = \"n1\"\nsize = \"8 GB/8\"\n";
    for (text, warned) in [
        (format!("{head}{refresh}"), false),
        (format!("{head}{refresh}{}", refresh.replace("30 s", "40 s")), false),
        (format!("{head}{never}"), true),
    ] {
        let problems = Player::load(&text).problems;
        let told = problems.iter().any(|p| p.what.contains("nothing to unset"));
        assert_eq!(told, warned, "{problems:#?}");
    }
}

/// Each copy's number is in its user's name too.
#[test]
fn copies_have_users_of_their_own() {
    let text = "heddle = 1\nuntil = \"20 s\"\n[capacity-scheduler]\nroot.queues = \"a\"\nroot.a.capacity = 100\n\
                [[nodes]]\nname = \"n1\"\nsize = \"8 GB/8\"\n\
                [[apps]]\nname = \"job{1}\"\ncopies = 3\nuser = \"u{1}\"\nqueue = \"root.a\"\ntasks = [{ count = 1 }]\n";
    let player = at(text, 10);
    let users: Vec<&str> = player.scenario().apps.iter().map(|app| app.user.as_str()).collect();
    assert_eq!(users, ["u1", "u2", "u3"]);
}

/// The events show when the FairScheduler warns and kills containers, and for whom.
#[test]
fn kills_of_the_fair_scheduler_are_told() {
    let player = at(situation!("fair-starved-later"), 60);
    let events = player.events(&EventFilter::default());
    let of = |verb: &str| events.iter().find(|e| e.verb == verb && e.time_ms <= 60_000).map(|e| e.why.as_str());
    assert!(of("warned").is_some_and(|why| why.contains("bjob") && why.contains("0:55")), "{:?}", of("warned"));
    assert!(of("preempted").is_some(), "{:?}", events.iter().map(|e| &e.verb).collect::<Vec<_>>());
}

macro_rules! situation {
    ($name:literal) => {
        include_str!(concat!("../../tests/scenarios/why/", $name, ".toml"))
    };
}

/// Words that must be in the answer at a moment, and words that once were and were false.
#[test]
fn what_is_said_of_a_moment_is_so_then() {
    let cases = [
        // The container in its rack has narrowed the places of the next one.
        (
            situation!("fair-locality-narrowed"),
            45_200,
            "job",
            "**m1** is taken after 4 missed chances",
            "was served last",
        ),
        // It was killed, and its node has not reported that.
        (
            situation!("killed-not-reported"),
            45_000,
            "late",
            "**old-15** has been stopped and holds its room until **n2** reports its end",
            "has 16 GB",
        ),
        // The other node is none of its places.
        (situation!("strict-host-full-other-unhealthy"), 60_000, "pin", "**n1** has 0 MB free", "unhealthy"),
        // Slider keeps an instance that is no longer wanted.
        (situation!("slider-flexed-down-while-held-back"), 150_000, "hbase", "nothing of it waits", "not asked for"),
        (
            situation!("processor-user-limit"),
            20_000,
            "zk",
            "ann uses 5 GB in root.q; the user limit is 4 GB; **n1** and **n2** are barred",
            "not looked at",
        ),
        (
            situation!("gpus-in-pieces"),
            60_000,
            "tiny",
            "2 gpu free of 8 gpu, but 2 gpu is reserved (two-1 on n1)",
            "2 gpu of it, ",
        ),
        (
            situation!("gpu-round-takes-less-than-one"),
            120_000,
            "late",
            "a round of preemption may take less than 1 gpu of it (total_preemption_per_round)",
            "was free",
        ),
        (
            situation!("moved-with-its-reservation"),
            60_000,
            "sm",
            "preemption is off; 5 GB of **root.b** is only reserved",
            "held",
        ),
        (
            situation!("round-smaller-than-a-container"),
            120_000,
            "late",
            "a round of preemption may take 3481 MB · 1 vcore, less than one container (total_preemption_per_round); both",
            "was free",
        ),
        (
            situation!("only-call-refused"),
            60_000,
            "web",
            "A call of **web** was refused at 0:04",
            "nothing of it waits",
        ),
        (
            situation!("parallel-limit-and-hung-am"),
            60_000,
            "v",
            "the AM of **u** has made no call since 0:29 and holds its room until 20:00; root.a runs 1 application",
            "nothing of it waits",
        ),
        (situation!("am-limit-counted-before"), 60_000, "big2", "AMs of root.q (big) use 3 GB; 3 GB more", "sml"),
        (
            situation!("samza-second-of-two-hosts"),
            22_000,
            "join",
            "Samza starts it there with its next look",
            "container 0 on n1",
        ),
        (
            situation!("label-lends-no-am"),
            60_000,
            "idx",
            "**root.b** uses 0 MB of the 4 GB that it is guaranteed, **root.a** uses more than its guarantee, and preemption is off",
            "not looked at",
        ),
        (
            situation!("move-that-was-refused"),
            60_000,
            "mover",
            "Its move to root.b was refused at 0:30: root.b has 1",
            "not looked at",
        ),
        // Whatever came first then is placed or gone by now.
        (situation!("master-was-large-then-full"), 120_000, "svc", "both nodes are full", "more urgent request"),
        (situation!("first-killed-then-full"), 120_000, "next", "both nodes are full", "head"),
        (situation!("raised-above-the-first"), 60_000, "lo", "both nodes are full", "comes first"),
        (
            situation!("raised-while-the-nodes-are-full"),
            60_000,
            "tail",
            "needs 5 GB: both nodes are full",
            "may still take",
        ),
        (
            situation!("room-kept-for-a-gpu"),
            120_000,
            "infer",
            "room is kept for root.x, where xjob waits for 2 GB · 1 vcore · 1 gpu: root.svc uses",
            "g2 has been unhealthy",
        ),
        (situation!("slider-restarted-room-taken"), 90_000, "kafka", "**n4** has 0 MB free", "nothing behind it"),
        (
            situation!("own-maximum-beside-a-full-cluster"),
            60_000,
            "spark",
            "5 vcores more would pass its maximum of 28 vcores",
            "the cluster has",
        ),
        (situation!("slider-host-mended"), 120_000, "hbase", "3 with an instance, 1 not usable", "2 with an instance"),
        (
            situation!("rack-without-the-row-for-any"),
            60_000,
            "erase",
            "without a row for any place",
            "nothing of it waits",
        ),
        (
            situation!("rack-counts-one-that-is-lost"),
            100_000,
            "cache",
            "1 of them left by a container of a lost node",
            "racks ",
        ),
        (
            situation!("rack-counts-one-that-is-lost"),
            50_000,
            "cache",
            "racks **r1** and **r2** each run 2 cache",
            "left by",
        ),
        (situation!("rack-closed-beside-a-blacklist"), 60_000, "erase", "may not relax; of 5 nodes", "not looked at"),
        (
            situation!("small-ones-behind-a-large-one"),
            80_000,
            "big",
            "9 more stand behind that request",
            "not looked at yet",
        ),
        (
            situation!("managed-parent-nearly-full"),
            60_000,
            "bob",
            "root.m uses 9 GB of its maximum of",
            "not looked at",
        ),
        (
            situation!("refreshed-and-a-node-lost"),
            120_000,
            "spark",
            "was set to 0.5 by the refresh",
            "takes nothing; ann uses",
        ),
        (
            situation!("fair-file-lowers-the-maximum"),
            90_000,
            "job",
            "maxResources was set to 6144 mb, 6 vcores by the file written at 0:30",
            "not looked at",
        ),
        (situation!("fair-am-share-of-a-full-cluster"), 50_000, "cc", "ll 3 nodes are full", "besides"),
        // One container exists, and another is still to come from YARN.
        (
            situation!("samza-one-container-for-two"),
            33_600,
            "join",
            "A container on n3 is there for container 0",
            "there for container 1",
        ),
        // An application that got something while the other was not runnable or not active did not go first.
        (
            situation!("fair-am-share-and-maximum"),
            180_000,
            "y2",
            "root.dept.y uses 6 GB · 6 vcores; 1 GB · 1 vcore more",
            "has gone first",
        ),
        (situation!("active-too-late-for-its-turns"), 360_000, "hi2", "4 GB is free on 4 nodes", "has gone first"),
        // What is preempted for an AM at its limit goes back to its former owner.
        (
            situation!("preempted-for-an-am-behind-its-limit"),
            300_000,
            "hi2",
            "in vain: **hi2** may not start, and **lo** has got such room again 22 times since 1:15.",
            "gets nothing of it",
        ),
        (
            situation!("fair-preempted-for-an-am-behind-its-share"),
            180_000,
            "a3",
            "in vain: **a3** may not start and gets nothing of it; so far **a1** has got such room, 10 times since 1:05.",
            "has killed",
        ),
        (situation!("gpu-nodes-full-of-cpu-work"), 45_000, "train", "2 are full and 2 have no gpu", "too small"),
        (
            situation!("slider-host-drained-and-flexed"),
            120_000,
            "hb",
            "**n3** has been decommissioned since 0:40.5 and takes nothing",
            "nothing of it waits",
        ),
        (
            situation!("fair-slot-held-without-an-am"),
            120_000,
            "t2",
            "**t1** counts as running, and waits for its AM itself; ann runs 1 application",
            "besides",
        ),
        (
            situation!("silent-node-with-the-am"),
            120_000,
            "master",
            "counts as lost at 13:20: the next attempt begins then.",
            "20:00",
        ),
        (
            situation!("own-reservations-fill-the-queue"),
            240_000,
            "high",
            "its maximum is 24 GB (4 GB of that is reserved by itself)",
            "has gone first",
        ),
        // 12 MB of a guarantee are too little for a container.
        (
            situation!("reserved-makes-root-full"),
            120_000,
            "etl",
            "root uses all of its 32 GB, 12 GB of it only reserved",
            "that it is guaranteed",
        ),
    ];
    let mut wrong = Vec::new();
    for (text, ms, app, so, not) in cases {
        let said = why(text, ms, &Selection::App(app.to_string())).sentence;
        if !said.contains(so) || said.contains(not) {
            wrong.push(format!("{app} at {ms}: {said}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// An application that got room which preemption had promised it did not go first by a key.
#[test]
fn room_that_was_promised_is_told_as_such() {
    let why = why(situation!("fair-room-promised"), 60_000, &Selection::App("more".to_string()));
    let of_late = why.taken.rows.iter().find(|(who, _)| who == "late").map(|(_, values)| values.join(", "));
    let told = of_late.unwrap_or_default();
    assert!(told.contains("preemption made room on n1 for it, and promised it that"), "{told}");
}

/// The headline names an application that ended before it ever had its AM, and does not say that all others are placed.
#[test]
fn the_headline_tells_who_never_had_its_am() {
    let player = at(situation!("killed-before-its-am"), 170);
    let said = "two waited 1 min 20 s for its AM and never had one: it ended at 1:30, since somebody killed it.";
    assert_eq!(player.snapshot(None).headline, said);
}

/// An unmanaged AM has no container: its application's first one is a task's.
#[test]
fn the_life_of_an_application_with_an_unmanaged_am_has_no_am_container() {
    let why = why(situation!("unmanaged-am-and-attributes"), 60_000, &Selection::App("kv".to_string()));
    let life: Vec<&str> = why.facts.iter().map(|fact| fact.value.as_str()).collect();
    assert!(!life.iter().any(|step| step.contains("AM container")), "{life:?}");
    assert!(life.iter().any(|step| step.starts_with("RUNNING: activated")), "{life:?}");
}

/// Equal shares are followed by the next ones in the comparison, and a limit that YARN computed earlier is not recomputed
/// with the present users.
#[test]
fn figures_of_links_come_to_what_is_said() {
    let of = |text: &str, app: &str, check: &str| {
        let why = why(text, 60_000, &Selection::App(app.to_string()));
        why.limits.into_iter().find(|l| l.check == check).unwrap_or_else(|| panic!("{app} has no {check}"))
    };
    let shares = of(situation!("gpu-shares-equal"), "train", "QueueLimit");
    assert_ne!(shares.text, "75 % < 75 %", "{shares:?}");
    let masters = of(situation!("am-limit-of-user-of-before"), "bobbig", "UserAmLimit");
    let how =
        masters.formula.iter().find(|line| line.starts_with("limit of one user's AMs")).expect("how it came about");
    assert!(how.contains("= 5 GB when YARN last worked it out") && how.ends_with("= 3 GB"), "{how}");
}

/// Loading warns of a rack row without the ANY row: it is never served.
#[test]
fn rows_without_one_for_any_place_are_warned_of() {
    let problems = Player::load(situation!("rack-without-the-row-for-any")).problems;
    assert!(problems.iter().any(|p| p.what.contains("without a row for any place")), "{problems:?}");
}

/// Reserved resources count as used, and the tables show it.
#[test]
fn what_is_only_reserved_is_told_in_tables() {
    let why = why(situation!("reserved-counts-as-used"), 180_000, &Selection::App("late".to_string()));
    let columns: Vec<&str> = why.orders.iter().flat_map(|order| order.keys.iter().map(String::as_str)).collect();
    assert!(columns.contains(&"of it only reserved"), "{columns:?}");
}

/// A kill on a node where the request may not go does not help it, and the answer says so.
#[test]
fn kills_where_the_request_may_not_go_are_told() {
    let why = why(situation!("fair-kills-on-other-hosts"), 150_000, &Selection::App("prod1".to_string()));
    let told = why.preemption.expect("preemption").sentence;
    assert!(told.contains("may not go to **w2**: what is taken there does not help it"), "{told}");
}

/// The time before the request was made is shown as such, though the queue was at its limit for others.
#[test]
fn what_was_not_asked_for_yet_was_at_no_limit() {
    let why = why(situation!("room-kept-for-a-gpu"), 120_000, &Selection::App("infer".to_string()));
    let stretches: Vec<_> = why.over_time.iter().map(|s| (s.from_ms, s.checks.len())).collect();
    assert_eq!(stretches, [(4_000, 0), (35_000, 1)]);
}

/// If other queues are protected, the answer says what applications of its own queue are to give.
#[test]
fn what_its_own_queue_is_to_give_is_told_where_others_are_protected() {
    let why = why(situation!("protected-queue-and-own-share"), 58_000, &Selection::App("hi".to_string()));
    let told = why.preemption.expect("preemption").sentence;
    assert!(told.contains("nothing may be taken from it (disable_preemption)."), "{told}");
    assert!(
        told.contains("Within the queue **hi** uses 0 MB beside its AM and is to have 10 GB; 1638 MB of lo"),
        "{told}"
    );
}

/// Of two queues above their guarantees one may be in the dead zone and the other disabled; neither reason is given for the
/// other.
#[test]
fn a_protected_queue_is_not_said_to_use_too_little() {
    let why = why(situation!("protected-beside-dead-zone"), 120_000, &Selection::App("n1".to_string()));
    let told = &why.sentence;
    assert!(told.contains("and that is too little for preemption (max_ignored_over_capacity)"), "{told}");
    assert!(!told.contains("**root.d** and **root.z** use more"), "{told}");
    let beside = "nothing may be taken from **root.d** (disable_preemption), which uses more than its guarantee too";
    assert!(told.contains(beside), "{told}");
    let preemption = why.preemption.expect("preemption").sentence;
    assert!(preemption.contains(beside), "{preemption}");
}

/// Adding a value to an attribute that has one is ignored, and the events have a row for that.
#[test]
fn an_attribute_that_keeps_its_first_value_is_told() {
    let ignored = |text: &str, until_ms| {
        let mut player = Player::load(text).player.expect(text);
        player.seek(until_ms);
        let about = Some(Selection::Node("d1".to_string()));
        let events = player.events(&EventFilter { about, until_now: true, ..EventFilter::default() });
        let rows = events.into_iter().filter(|e| e.verb == "keeps its attributes").map(|e| e.why);
        rows.collect::<Vec<_>>()
    };
    let text = situation!("attribute-corrected");
    assert!(ignored(text, 39_000).is_empty());
    let told = ignored(text, 90_000);
    assert_eq!(told.len(), 1, "{told:?}");
    assert!(told[0].starts_with("It keeps disk=hdd, and disk=ssd is ignored"), "{told:?}");
    for how in ["replace", "remove"] {
        let taken = format!("{text}how = \"{how}\"\n");
        assert!(ignored(&taken, 90_000).is_empty(), "{how}");
    }
    // Only the CapacityScheduler receives attributes.
    let fair = text.replacen("heddle = 1\n", "heddle = 1\nscheduler = \"fair\"\n", 1);
    assert!(ignored(&fair, 90_000).is_empty());
}

/// Advice at a moment: how it begins, words of its effect, and words that no advice may have.
#[test]
fn what_is_said_of_advice_is_so() {
    let cases = [
        // Four are wanted, and one is never asked for.
        (
            situation!("slider-host-drained-and-flexed"),
            120,
            "hb",
            "Bring n3 back",
            "All 4 are placed by 6:28",
            "All 3 are",
        ),
        (situation!("slider-host-drained-and-flexed"), 120, "hb", "Waiting", "3 of 4 are placed", "All 3 are"),
        // Smaller containers would have been placed before those that they have to be near were killed.
        (
            situation!("near-a-tag-that-was-killed"),
            180,
            "near",
            "Containers of 1 GB",
            "All of that comes before 3:00, and nothing after.",
            "Set only at",
        ),
        (
            situation!("slider-strict-host-made-smaller"),
            120,
            "kafka",
            "Resize n1 to 8 GB",
            "Placed at 2:00; without it never. Nobody is worse off.",
            "no sooner",
        ),
        (
            situation!("am-comes-and-is-lost-again"),
            30,
            "j2",
            "maximum-am-resource-percent",
            "It runs at 0:30 and is lost again; it runs in the end either way, since 0:40.333.",
            "no sooner than without it",
        ),
    ];
    let mut wrong = Vec::new();
    for (text, seconds, app, change, effect, not) in cases {
        let why = at(text, seconds).why_with_help(&Selection::App(app.to_string()));
        let told = why.help.iter().find(|help| help.change.starts_with(change));
        let is_so = told.is_some_and(|help| help.effect.contains(effect) && !help.effect.contains(not));
        if !is_so {
            wrong.push(format!(
                "{app}: {change} in {:#?}",
                why.help.iter().map(|h| (&h.change, &h.effect)).collect::<Vec<_>>()
            ));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// A protected queue is named as such, whatever reason the others have not to give; their reasons are not given for it.
#[test]
fn a_protected_queue_is_told_beside_each_cause() {
    let why = why(situation!("protected-beside-a-small-round"), 120_000, &Selection::App("n1".to_string()));
    let barred = "nothing may be taken from **root.d** (disable_preemption), which uses more than its guarantee too";
    assert!(why.sentence.contains(barred), "{}", why.sentence);
    assert!(!why.sentence.contains("**root.d** and **root.z** use more"), "{}", why.sentence);
    let preemption = why.preemption.expect("preemption").sentence;
    assert!(preemption.contains(barred), "{preemption}");
}

/// The link compares the resource types that the sentence names.
#[test]
fn the_link_of_a_share_tells_the_type_of_its_sentence() {
    let why = why(situation!("fair-am-share-of-memory"), 30_000, &Selection::App("e2".to_string()));
    let link = why.limits.iter().find(|l| l.check == "AmShare").expect("the share of AMs");
    assert!(why.sentence.contains("would pass the limit of 2458 MB"), "{}", why.sentence);
    assert_eq!(link.unit, "GB", "{link:?}");
}

/// A node's answer has its attributes.
#[test]
fn a_node_tells_its_attributes() {
    let why = why(situation!("attribute-corrected"), 90_000, &Selection::Node("d1".to_string()));
    let attributes = why.facts.iter().find(|fact| fact.name == "attributes").map(|fact| fact.value.as_str());
    assert_eq!(attributes, Some("disk=hdd"));
}
