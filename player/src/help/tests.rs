//! Situations as an operator meets them: which advice is given, in which order, and what it says about others.
//! tests/tests/help.rs checks that the figures are true.

use crate::Player;
use crate::explain::view::{HelpView, Selection};
use crate::fixtures::at;

const HEAD: &str = "heddle = 1\nscheduling = \"heartbeat\"\nuntil = \"3 min\"\n";

fn nodes(count: usize, size: &str) -> String {
    format!("[[nodes]]\nname = \"n\"\ncount = {count}\nsize = \"{size}\"\n")
}

fn app(name: &str, queue: &str, user: &str, at: &str, tasks: &str) -> String {
    format!(
        "[[apps]]\nname = \"{name}\"\nqueue = \"{queue}\"\nuser = \"{user}\"\nat = \"{at}\"\nam = \"1 GB\"\ntasks = [{{ {tasks} }}]\n"
    )
}

fn player(text: &str) -> Player {
    let loaded = Player::load(&format!("{HEAD}{text}"));
    let mut player = loaded.player.unwrap_or_else(|| panic!("{:#?}\n{text}", loaded.problems));
    player.seek(60_000);
    player
}

/// Returns the advice for an application's waiting requests after a minute.
fn advice(text: &str, app: &str) -> Vec<HelpView> {
    player(text).why_with_help(&Selection::App(app.to_string())).help
}

fn of<'h>(help: &'h [HelpView], change: &str) -> &'h HelpView {
    let found = help.iter().find(|h| h.change == change);
    found.unwrap_or_else(|| panic!("{change} is not among {:#?}", help.iter().map(|h| &h.change).collect::<Vec<_>>()))
}

#[test]
fn who_loses_all_its_containers_is_named() {
    let queues = "[capacity-scheduler]\nroot.queues = \"a\"\nroot.a.capacity = 100\nroot.a.user-limit-factor = 0.5\n\
        root.a.minimum-user-limit-percent = 50\nmaximum-am-resource-percent = 0.5\n";
    let etl = app("etl", "root.a", "alice", "0 s", "count = 20, size = \"1 GB/1\", duration = \"forever\"");
    let report = app("report", "root.a", "bob", "20 s", "count = 10, size = \"1 GB/1\", duration = \"forever\"");
    let help = advice(&format!("{queues}{}{etl}{report}", nodes(2, "11 GB/11")), "etl");
    let factor = of(&help, "root.a.user-limit-factor = 0.9");
    assert_eq!((factor.promise.end, factor.helps), ((11, 20), true));
    let [worse] = factor.worse.as_slice() else { panic!("{factor:?}") };
    assert_eq!((worse.app.as_str(), worse.end), ("report", (9, 0)));
    let told = "But **report** gets 0 of 9 containers. Set only at 1:00, it does not help: at 1:05 the cluster has nothing free \
                of 22 GB; the request needs 1 GB.";
    assert!(factor.effect.ends_with(told), "{}", factor.effect);
}

#[test]
fn two_limits_are_lifted_together_where_one_is_not_enough() {
    let queues = |maximum: i64, factor: &str| {
        format!(
            "[capacity-scheduler]\nroot.queues = \"a,b\"\nroot.a.capacity = 30\nroot.b.capacity = 70\nroot.a.maximum-capacity = {maximum}\n\
             root.a.user-limit-factor = {factor}\nmaximum-am-resource-percent = 0.5\n"
        )
    };
    let etl = app("etl", "root.a", "u", "0 s", "count = 12, size = \"1 GB/1\", duration = \"forever\"");
    let text = |maximum, factor: &str| format!("{}{}{etl}", queues(maximum, factor), nodes(2, "10 GB/10"));
    let help = advice(&text(45, "1"), "etl");
    let both = of(&help, "root.a.user-limit-factor = 1.9 and root.a.maximum-capacity = 66");
    assert_eq!((both.promise.end, both.worse.len()), ((6, 12), 0));
    assert_eq!(help[0], *both, "what does most comes first");
    // Each is as small as it can be, and neither is enough alone.
    for (maximum, factor) in [(66, "1.8"), (65, "1.9"), (100, "1"), (45, "4")] {
        let mut weaker = player(&text(maximum, factor));
        weaker.run_to_end();
        weaker.seek(180_000);
        assert!(weaker.snapshot(None).tally.waiting > 0, "{maximum} and {factor} are enough");
    }
    assert!(help.iter().any(|h| h.change.starts_with("root.a.user-limit-factor") && h.promise.end.1 == 7));
}

#[test]
fn the_maximum_of_the_label_and_that_of_the_parent_are_named_where_they_decide() {
    let labelled = "labels = [{ name = \"gpu\" }]\n[yarn-site]\nnode-labels.enabled = true\n[capacity-scheduler]\nroot.queues = \"a,b\"\nroot.a.capacity = 50\n\
        root.b.capacity = 50\nroot.a.accessible-node-labels = \"gpu\"\nroot.b.accessible-node-labels = \"gpu\"\n\
        \"root.accessible-node-labels.gpu.capacity\" = 100\n\"root.a.accessible-node-labels.gpu.capacity\" = 50\n\
        \"root.a.accessible-node-labels.gpu.maximum-capacity\" = 50\n\"root.b.accessible-node-labels.gpu.capacity\" = 50\nroot.a.user-limit-factor = 10\n";
    let node = "[[nodes]]\nname = \"g\"\nsize = \"8 GB/8\"\nlabel = \"gpu\"\n";
    let train =
        app("train", "root.a", "u", "0 s", "count = 6, size = \"1 GB/1\", duration = \"forever\", label = \"gpu\"");
    let help = advice(&format!("{labelled}{}{node}{train}", nodes(1, "8 GB/8")), "train");
    assert_eq!(of(&help, "root.a.accessible-node-labels.gpu.maximum-capacity = 75").promise.end, (4, 6));
    assert_eq!(of(&help, "One more node like g (8 GB · 8 vcores, label gpu)").promise.end, (4, 6));

    let nested = "[capacity-scheduler]\nroot.queues = \"p,o\"\nroot.p.capacity = 40\nroot.p.maximum-capacity = 40\nroot.o.capacity = 60\n\
        root.p.queues = \"x,y\"\nroot.p.x.capacity = 50\nroot.p.y.capacity = 50\nroot.p.x.user-limit-factor = 10\nmaximum-am-resource-percent = 0.5\n";
    let etl = app("etl", "root.p.x", "u", "0 s", "count = 14, size = \"1 GB/1\", duration = \"forever\"");
    let other = app("other", "root.o", "v", "40 s", "count = 12, size = \"1 GB/1\", duration = \"forever\"");
    let help = advice(&format!("{nested}{}{etl}{other}", nodes(2, "10 GB/10")), "etl");
    let parent = of(&help, "root.p.maximum-capacity = 75");
    assert_eq!((parent.promise.end, parent.worse[0].end), ((7, 14), (11, 4)));
    assert!(help.iter().all(|h| !h.change.contains("root.p.x.maximum-capacity")), "{help:#?}");
}

#[test]
fn the_user_is_named_as_the_property_names_it() {
    let queues = "[capacity-scheduler]\nroot.queues = \"a\"\nroot.a.capacity = 100\nuser.airflow.max-parallel-apps = 1\nmaximum-am-resource-percent = 0.5\n";
    let each =
        |i| app(&format!("d{i}"), "root.a", "airflow", "0 s", "count = 2, size = \"1 GB/1\", duration = \"50 s\"");
    let all: String = (0..3).map(each).collect();
    let help = advice(&format!("{queues}{}{all}", nodes(2, "10 GB/10")), "d2");
    let more = of(&help, "user.airflow.max-parallel-apps = 3");
    assert!(more.helps && more.effect.starts_with("Placed at 0:01, 1 min 56 s sooner."), "{more:?}");
}

#[test]
fn smaller_containers_fewer_masters_and_the_fair_schedulers_limits() {
    let one = "[capacity-scheduler]\nroot.queues = \"a\"\nroot.a.capacity = 100\nmaximum-am-resource-percent = 1\n";
    let big = app("etl", "root.a", "u", "0 s", "count = 5, size = \"5 GB/1\", duration = \"forever\"");
    let help = advice(&format!("{one}{}{big}", nodes(3, "8 GB/8")), "etl");
    assert_eq!(of(&help, "Containers of 4 GB · 1 vcore for etl").promise.end, (3, 5), "two go on each node");

    let many: String = (0..8)
        .map(|i| app(&format!("d{i}"), "root.a", "u", "0 s", "count = 2, size = \"1 GB/1\", duration = \"20 s\""))
        .collect();
    let help = advice(&format!("{one}{}{many}", nodes(2, "4 GB/4")), "d0");
    let fewer = of(&help, "maximum-am-resource-percent = 0.87");
    assert!(fewer.promise.end == (0, 2) && fewer.effect.contains("the AM of **d7** waits"), "{fewer:?}");

    let fair = "scheduler = \"fair\"\n[files]\n\"fair-scheduler.xml\" = '''\n<allocations><queue name=\"a\"><maxResources>6144 mb, 6 vcores</maxResources></queue>\
        <queue name=\"b\"><maxRunningApps>1</maxRunningApps></queue></allocations>\n'''\n";
    let tasks = "count = 10, size = \"1 GB/1\", duration = \"forever\"";
    let apps = [
        app("etl", "root.a", "u", "0 s", tasks),
        app("b1", "root.b", "v", "0 s", "count = 1"),
        app("b2", "root.b", "v", "0 s", tasks),
    ];
    let text = format!("{fair}{}{}", nodes(2, "10 GB/10"), apps.concat())
        .replace("count = 1 ", "count = 1, duration = \"forever\" ");
    assert_eq!(of(&advice(&text, "etl"), "maxResources of root.a = 11264 mb, 20 vcores").promise.end, (5, 10));
    assert_eq!(of(&advice(&text, "b2"), "maxRunningApps of root.b = 2").promise.end, (0, 1));
    // A user's limit and the defaults are elsewhere in the file.
    for (file, change) in [
        ("<user name=\"v\"><maxRunningApps>1</maxRunningApps></user>", "maxRunningApps of user v = 2"),
        ("<userMaxAppsDefault>1</userMaxAppsDefault>", "userMaxAppsDefault = 2"),
        // It also applies to root, where three run then.
        ("<queueMaxAppsDefault>1</queueMaxAppsDefault>", "queueMaxAppsDefault = 3"),
    ] {
        let text = text.replace("<queue name=\"b\"><maxRunningApps>1</maxRunningApps></queue>", file);
        let help = advice(&text, "b2");
        assert!(of(&help, change).helps, "{help:#?}");
    }
}

#[test]
fn less_than_a_second_sooner_is_no_help() {
    let queues = "[capacity-scheduler]\nroot.queues = \"a\"\nroot.a.capacity = 100\n";
    let text = format!(
        "{queues}{}{}",
        nodes(2, "8 GB/8"),
        app("etl", "root.a", "u", "54 s", "count = 2, size = \"4 GB/1\", duration = \"forever\"")
    );
    let mut player = player(&text);
    let waits = (590..620).map(|t| t * 100).find(|t| {
        player.seek(*t);
        player.snapshot(None).tally.waiting > 0
    });
    assert!(waits.is_some(), "for a moment it waits");
    let help = player.why_with_help(&Selection::App("etl".into())).help;
    assert!(!help.is_empty() && help.iter().all(|h| !h.helps || h.scenario.is_none()), "{help:#?}");
}

#[test]
fn a_search_in_slices_finds_the_same_and_tells_how_far_it_is() {
    let text = include_str!("../../../scenarios/q19-user-limit-factor.toml");
    let mut player = Player::load(text).player.expect("it loads");
    player.seek(player.scenario().start_at);
    let about = player.snapshot(None).waiting[0].id.clone();
    let whole = player.why_with_help(&about).help;
    let mut search = player.help(&about);
    let (mut slices, mut seen, mut before) = (0, 0, 0);
    loop {
        let progress = search.step(50);
        assert!(progress.tried >= before && progress.tried <= progress.of, "{progress:?}");
        before = progress.tried;
        slices += 1;
        if progress.done {
            break;
        }
        seen = seen.max(search.found().len());
    }
    assert!(slices > 20 && seen > 1, "{slices} slices, {seen} found on the way");
    assert_eq!(search.found(), whole);
    // There is nothing to do for what does not wait.
    let mut nothing = player.help(&Selection::Node("n1".into()));
    assert!(nothing.step(1).done && nothing.found().is_empty());
}

#[test]
fn what_may_be_changed_about_the_fair_schedulers_shares_clocks_and_updates() {
    let fair = |site: &str, file: &str, apps: &[String]| {
        format!(
            "scheduler = \"fair\"\n[yarn-site]\n{site}\n[files]\n\"fair-scheduler.xml\" = '''\n<allocations>{file}</allocations>\n'''\n{}{}",
            nodes(2, "8 GB/8"),
            apps.concat()
        )
    };
    let tasks = "count = 20, size = \"1 GB/1\", duration = \"forever\"";
    let apps = [app("etl", "root.a", "u", "0 s", tasks), app("late", "root.b", "v", "30 s", tasks)];
    // Preemption is off, and no timeout is set.
    let help = advice(&fair("", "<queue name=\"a\"/><queue name=\"b\"/>", &apps), "late");
    let both =
        help.iter().find(|h| h.change.contains("yarn.scheduler.fair.preemption = true and fairSharePreemptionTimeout"));
    let both = both.unwrap_or_else(|| panic!("{help:#?}"));
    assert!(both.helps && both.worse.iter().any(|w| w.app == "etl"), "{both:#?}");
    // It is on, and too little is used.
    let on = "scheduler.fair.preemption = true\nscheduler.fair.waitTimeBeforeKill = 1000\n";
    let file = "<queue name=\"q\"><maxResources>8192 mb, 8 vcores</maxResources><fairSharePreemptionTimeout>5</fairSharePreemptionTimeout>\
        <queue name=\"a\"/><queue name=\"b\"/></queue>";
    let below = [app("etl", "root.q.a", "u", "0 s", tasks), app("late", "root.q.b", "v", "30 s", tasks)];
    let help = advice(&fair(on, file, &below), "late");
    assert!(of(&help, "yarn.scheduler.fair.preemption.cluster-utilization-threshold = 0.49").helps, "{help:#?}");
    // The other queue is protected.
    let file = "<queue name=\"a\"><allowPreemptionFrom>false</allowPreemptionFrom></queue>\
        <queue name=\"b\"><fairSharePreemptionTimeout>5</fairSharePreemptionTimeout></queue>";
    let help = advice(&fair(on, file, &apps), "late");
    assert!(of(&help, "allowPreemptionFrom of root.a = true").helps, "{help:#?}");
    // Containers end, and those of the queue with more weight follow them.
    let short = "count = 200, size = \"1 GB/1\", duration = \"5 s\"";
    let apps = [app("etl", "root.a", "u", "0 s", short), app("late", "root.b", "v", "0 s", short)];
    let file = "<queue name=\"a\"><weight>7</weight></queue><queue name=\"b\"/>";
    let help = advice(&fair("", file, &apps), "late");
    assert!(help.iter().any(|h| h.helps && h.change.starts_with("weight of root.b = ")), "{help:#?}");
    // Demand is updated too seldom.
    let apps = [
        app("etl", "root.a", "u", "0 s", short),
        app("late", "root.b", "v", "41 s", "count = 2, size = \"1 GB/1\", duration = \"5 s\""),
    ];
    let slow = "scheduler.fair.update-interval-ms = 40000\n";
    let help = advice(&fair(slow, "<queue name=\"a\"/><queue name=\"b\"/>", &apps), "late");
    assert!(of(&help, "yarn.scheduler.fair.update-interval-ms = 500").helps, "{help:#?}");
}

/// Whoever goes first each time can be put behind; a change that leaves no room for the AMs of others is no help.
#[test]
fn the_order_is_changed_and_nobodys_master_is_starved() {
    let text = "heddle = 1\nscheduling = \"heartbeat\"\nuntil = \"5 min\"\n[yarn-site]\ncluster.max-application-priority = 10\n\
        [capacity-scheduler]\nmaximum-am-resource-percent = 1.0\nroot.queues = \"q\"\nroot.q.capacity = 100\n\
        [[nodes]]\nname = \"n{1}\"\ncount = 2\nsize = \"4 GB/8\"\n\
        [[apps]]\nname = \"low\"\nqueue = \"q\"\nuser = \"ann\"\nam = \"1 GB/1\"\n\
        tasks = [{ count = 2, size = \"1 GB/1\", duration = \"30 s\", delay = \"20 s\" }]\n\
        [[apps]]\nname = \"vip\"\nat = \"1 s\"\nqueue = \"q\"\nuser = \"ann\"\npriority = 10\nam = \"1 GB/1\"\n\
        tasks = [{ count = 150, size = \"1 GB/1\", duration = \"12 s\" }]\n";
    let help = at(text, 90).why_with_help(&Selection::App("low".to_string())).help;
    let helping: Vec<&str> = help.iter().filter(|h| h.helps).map(|h| h.change.as_str()).collect();
    for change in ["priority = 10 for low", "root.q.ordering-policy = fair"] {
        assert!(helping.contains(&change), "{change} is not among {helping:?}");
    }
    assert!(help.iter().all(|h| !h.change.contains("maximum-am-resource-percent")), "{help:?}");
}

/// A change is reported alone if more changes bring nothing more; a guess that fails is not reported.
#[test]
fn no_more_is_changed_than_helps() {
    let text = "heddle = 1\nscheduling = \"heartbeat\"\nuntil = \"2 min\"\n[capacity-scheduler]\nroot.queues = \"a,b\"\n\
        root.a.capacity = 50\nroot.b.capacity = 50\nroot.a.user-limit-factor = 2\nroot.b.user-limit-factor = 2\n\
        [[nodes]]\nname = \"n{1}\"\ncount = 2\nsize = \"8 GB/16\"\n\
        [[apps]]\nname = \"fill\"\nqueue = \"a\"\nuser = \"ann\"\nam = \"1 GB/1\"\n\
        tasks = [{ count = 15, size = \"1 GB/1\", duration = \"forever\" }]\n\
        [[apps]]\nname = \"job\"\nat = \"20 s\"\nqueue = \"b\"\nuser = \"bob\"\nam = \"1 GB/1\"\ntasks = [{ count = 1 }]\n";
    let help = at(text, 60).why_with_help(&Selection::App("job".to_string())).help;
    let enable = help.iter().filter(|h| h.helps && h.change.contains("monitor.enable = true"));
    assert_eq!(enable.count(), 1, "{help:?}");
    assert!(help.iter().all(|h| h.helps || !h.change.contains("priority")), "{help:?}");
}

/// Nodes that are away come back, however they left.
#[test]
fn nodes_that_are_away_come_back() {
    for (way, change) in [
        ("do = \"remove_node\"", "Bring n1 back"),
        ("do = \"decommission_node\"\ntimeout = \"10 min\"", "Recommission n1"),
        ("do = \"unhealthy_node\"", "Mend n1"),
    ] {
        let text = format!(
            "heddle = 1\nscheduling = \"heartbeat\"\nuntil = \"3 min\"\n[capacity-scheduler]\n\
             maximum-am-resource-percent = 1\n[[nodes]]\nname = \"n1\"\nsize = \"8 GB/8\"\n\
             [[apps]]\nname = \"first\"\nam = \"1 GB/1\"\ntasks = [{{ count = 1, duration = \"forever\" }}]\n\
             [[happenings]]\nat = \"20 s\"\n{way}\nnode = \"n1\"\n\
             [[apps]]\nname = \"job\"\nat = \"30 s\"\nam = \"1 GB/1\"\ntasks = [{{ count = 1 }}]\n"
        );
        let help = at(&text, 40).why_with_help(&Selection::App("job".to_string())).help;
        assert!(help.iter().any(|h| h.helps && h.change == change), "{change}: {help:?}");
    }
}

/// Returns the advice for an application in a file's situation after so many seconds.
fn of_file(text: &str, seconds: i64, app: &str) -> Vec<HelpView> {
    at(text, seconds).why_with_help(&Selection::App(app.to_string())).help
}

#[test]
fn what_a_setting_has_to_be_by_now_is_told() {
    let help = of_file(include_str!("../../../tests/scenarios/why/am-limit-raised-too-late.toml"), 120, "nb4");
    let percent = of(&help, "maximum-am-resource-percent = 0.14");
    assert!(
        percent.effect.contains(" Set only at 2:00, it takes maximum-am-resource-percent = 0.27: placed at 2:00"),
        "{}",
        percent.effect
    );
    let capacity = help.iter().find(|h| h.change.starts_with("root.ds.capacity")).expect("it is tried");
    assert!(capacity.effect.ends_with(" Set only at 2:00, it does not help."), "{}", capacity.effect);
}

macro_rules! situation {
    ($name:literal) => {
        include_str!(concat!("../../../tests/scenarios/why/", $name, ".toml"))
    };
}

/// Changes of what the answer names come first, whatever else helps as much: more hardware, smaller containers.
#[test]
fn what_the_answer_names_is_changed_first() {
    let cases = [
        (situation!("preemption-disabled-for-the-queue"), 60, "late", "root.a.disable_preemption = false"),
        (
            situation!("gpu-round-takes-less-than-one"),
            120,
            "late",
            "yarn.resourcemanager.monitor.capacity.preemption.total",
        ),
        (situation!("am-limit-of-a-user"), 60, "job6", "maximum-am-resource-percent"),
        (situation!("user-factor-then-maximum"), 60, "spark", "root.etl.user-limit-factor"),
        (situation!("parallel-apps-queue-then-user"), 20, "c", "user.bob.max-parallel-apps"),
        (situation!("fair-am-share-then-max"), 30, "late", "maxAMShare of root.q"),
        (situation!("fair-file-rewritten"), 120, "late", "maxResources of root.a"),
        (situation!("fair-applications-refreshed"), 120, "late", "maxRunningApps of root.a = 2 in the refresh at 0:30"),
        (situation!("cardinality-and-silent-node"), 60, "web", "Bring n3 back"),
        (situation!("priority-starves"), 90, "low", "priority = "),
        (situation!("processor-user-limit"), 20, "zk", "root.q.user-limit-factor"),
    ];
    let mut wrong = Vec::new();
    for (text, seconds, app, change) in cases {
        let help = of_file(text, seconds, app);
        if !help.first().is_some_and(|h| h.helps && h.change.contains(change)) {
            let all: Vec<&str> = help.iter().map(|h| h.change.as_str()).collect();
            wrong.push(format!("{app} at {seconds}: {change} is not first of {all:?}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// A refused refresh is not in force: a change from now on does not start from it.
#[test]
fn a_change_from_now_on_forgets_refused_refreshes() {
    let help = of_file(situation!("refresh-refused-then-now"), 60, "job");
    let maximum = of(&help, "root.a.maximum-capacity = 57");
    assert!(maximum.helps && !maximum.effect.contains("it does not help"), "{}", maximum.effect);
}

/// The weakest reported change starves nobody, if there is one.
#[test]
fn a_weaker_change_starves_nobody() {
    let help = of_file(situation!("am-limit-counted-before"), 60, "big2");
    let percent = help.iter().find(|h| h.change.starts_with("maximum-am-resource-percent")).expect("it is tried");
    assert!(percent.helps && percent.worse.iter().all(|worse| !worse.starved), "{percent:?}");
}

/// Waiting does not help if what comes is useless: a Samza job releases it, or an application was started again.
#[test]
fn what_is_given_back_is_not_placed() {
    let cases = [
        (situation!("samza-replica-given-back"), 60, "join", (1, 0)),
        (situation!("slider-restarted-without-its-host"), 150, "db", (2, 1)),
        (situation!("slider-restarted-without-its-host"), 240, "db", (2, 1)),
    ];
    for (text, seconds, app, (of_all, end)) in cases {
        let waiting = of(&of_file(text, seconds, app), "Waiting").clone();
        assert_eq!((waiting.promise.of, waiting.promise.end.0, waiting.helps), (of_all, end, false), "{waiting:?}");
    }
}

/// The number of instances is changed where it was set, and nothing is advised if nothing is lacking in the end.
#[test]
fn fewer_instances_are_those_of_the_flex() {
    let help = of_file(situation!("slider-flexed-beyond-hosts"), 90, "hb");
    let fewer = of(&help, "yarn.component.instances = 3 for rs of hb in the flex at 1:00");
    assert!(fewer.helps && fewer.effect.ends_with("nothing waits. Nobody is worse off."), "{}", fewer.effect);
    let help = of_file(situation!("slider-flexed-down-while-held-back"), 60, "hbase");
    assert!(!help.iter().any(|h| h.change.starts_with("yarn.component.instances")), "{help:?}");
    assert!(of(&help, "Waiting").effect.ends_with(" In the end it wants no more."), "{help:?}");
}

#[test]
fn what_an_am_that_hangs_never_fetches_is_not_counted() {
    let help = of_file(include_str!("../../../tests/scenarios/why/hung-am-gets-containers.toml"), 60, "one");
    let helps: Vec<&str> = help.iter().filter(|h| h.helps).map(|h| h.change.as_str()).collect();
    assert_eq!(helps, ["yarn.am.liveness-monitor.expiry-interval-ms = 60000"], "{help:#?}");
    assert_eq!(of(&help, "Waiting").promise.end, (14, 14));
}
