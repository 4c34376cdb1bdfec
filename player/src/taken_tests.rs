//! Who took the room, by which key, and what is owed: each way to come first, under each scheduler.

use crate::explain::view::{Selection, WhyView};
use crate::fixtures::at;

/// Two nodes that the first application keeps full with short tasks while the second waits.
fn scenario(head: &str, first: &str, second: &str) -> String {
    format!(
        "heddle = 1\nscheduling = \"heartbeat\"\nuntil = \"3 min\"\n{head}\n\
         [[nodes]]\nname = \"n{{1}}\"\ncount = 2\nsize = \"4 GB/8\"\n\
         [[apps]]\nname = \"low\"\nuser = \"ann\"\nam = \"1 GB/1\"\n{second}\n\
         tasks = [{{ count = 2, size = \"1 GB/1\", duration = \"30 s\", delay = \"20 s\" }}]\n\
         [[apps]]\nname = \"vip\"\nat = \"1 s\"\nuser = \"bob\"\nam = \"1 GB/1\"\n{first}\n\
         tasks = [{{ count = 300, size = \"1 GB/1\", duration = \"8 s\" }}]\n"
    )
}

fn of_low(text: &str) -> WhyView {
    at(text, 90).why(&Selection::App("low".to_string()))
}

const CAPACITY: &str = "[yarn-site]\ncluster.max-application-priority = 10\n[capacity-scheduler]\n\
    maximum-am-resource-percent = 1.0\n";

#[test]
fn whoever_goes_first_each_time_is_told_with_the_key() {
    let one = format!(
        "{CAPACITY}root.queues = \"q\"\nroot.q.capacity = 100\nroot.q.user-limit-factor = 2\n\
        root.q.minimum-user-limit-percent = 100"
    );
    let two = format!(
        "{CAPACITY}root.queues = \"p,q\"\nroot.p.capacity = 90\nroot.q.capacity = 10\n\
        root.q.maximum-capacity = 100\nroot.q.user-limit-factor = 20\nroot.p.user-limit-factor = 2"
    );
    let fair = "scheduler = \"fair\"\n[yarn-site]\n\"yarn.resourcemanager.scheduler.class\" = \
        \"org.apache.hadoop.yarn.server.resourcemanager.scheduler.fair.FairScheduler\"\n[files]\n\"fair-scheduler.xml\" = \
        \"<allocations><queue name='p'><weight>20</weight></queue><queue name='q'/></allocations>\"";
    for (text, key) in [
        (scenario(&one, "queue = \"q\"\npriority = 10", "queue = \"q\""), "(priority: 10 before 0)"),
        (scenario(&two, "queue = \"p\"", "queue = \"q\""), "(root.p before root.q by used of guaranteed: "),
        (scenario(fair, "queue = \"p\"", "queue = \"q\""), "(root.p before root.q by used ÷ weight: "),
    ] {
        let why = of_low(&text);
        assert!(
            why.sentence.contains("**vip** has gone first since ") && why.sentence.contains(key),
            "{}",
            why.sentence
        );
        let [(who, values)] = why.taken.rows.as_slice() else { panic!("{:?}", why.taken) };
        assert_eq!(who, "vip");
        assert!(values[3].contains(key.trim_matches(['(', ')'])), "{values:?}");
        // The log, too, has that many containers placed since it waits.
        let containers: i64 = values[0].parse().expect("a count");
        assert!(why.sentence.contains(&format!("was given {containers} containers")), "{}", why.sentence);
    }
}

#[test]
fn an_own_request_that_is_more_urgent_takes_the_room() {
    let text = "heddle = 1\nscheduling = \"heartbeat\"\nuntil = \"2 min\"\n[capacity-scheduler]\nroot.queues = \"q\"\n\
        root.q.capacity = 100\nmaximum-am-resource-percent = 1\n[[nodes]]\nname = \"n1\"\nsize = \"4 GB/8\"\n\
        [[apps]]\nname = \"job\"\nqueue = \"q\"\nam = \"1 GB/1\"\ntasks = [{ count = 60, size = \"1 GB/1\", priority = 2, \
        duration = \"5 s\" }, { count = 2, size = \"1 GB/1\", priority = 3, duration = \"5 s\" }]\n";
    let why = at(text, 60).why(&Selection::Request { app: "job".into(), key: "3_-1".into() });
    assert!(why.sentence.contains("request of priority 2 has gone first"), "{}", why.sentence);
    assert_eq!(why.taken.rows.first().map(|(who, _)| who.as_str()), Some("its own request of priority 2"));
}

/// Two applications that take turns: neither goes first.
#[test]
fn whoever_is_given_as_much_is_not_behind() {
    let queues = "[capacity-scheduler]\nroot.queues = \"q\"\nroot.q.capacity = 100\nroot.q.ordering-policy = \"fair\"\n\
        root.q.minimum-user-limit-percent = 25\nmaximum-am-resource-percent = 1";
    let text = scenario(queues, "queue = \"q\"", "queue = \"q\"").replace(
        "count = 2, size = \"1 GB/1\", duration = \"30 s\", delay = \"20 s\"",
        "count = 300, size = \"1 GB/1\", duration = \"7 s\"",
    );
    let why = of_low(&text);
    assert!(!why.sentence.contains("went first"), "{}", why.sentence);
    let itself = why.taken.rows.iter().find(|(who, _)| who == "the request itself");
    assert!(itself.is_some(), "{:?}", why.taken);
}

/// Nothing was placed since it waits, so nobody took anything.
#[test]
fn nobody_took_room_that_never_came_free() {
    let text = scenario(
        &format!("{CAPACITY}root.queues = \"q\"\nroot.q.capacity = 100"),
        "queue = \"q\"",
        "at = \"30 s\"\nqueue = \"q\"",
    )
    .replace("8 s\" }]", "forever\" }]");
    let why = of_low(&text);
    assert!(why.taken.rows.is_empty() && !why.sentence.contains("went first"), "{} {:?}", why.sentence, why.taken);
}

/// Two queues with half each: the first fills both nodes, the second is owed.
fn owed(site: &str, queues: &str) -> String {
    format!(
        "heddle = 1\nscheduling = \"heartbeat\"\nuntil = \"3 min\"\n[yarn-site]\n{site}\n[capacity-scheduler]\n\
         root.queues = \"a,b\"\nroot.a.capacity = 50\nroot.b.capacity = 50\nroot.a.user-limit-factor = 2\n\
         root.b.user-limit-factor = 2\n{queues}\n[[nodes]]\nname = \"n{{1}}\"\ncount = 2\nsize = \"8 GB/16\"\n\
         [[apps]]\nname = \"first\"\nuser = \"ann\"\nqueue = \"a\"\nam = \"1 GB/1\"\n\
         tasks = [{{ count = 15, size = \"1 GB/1\", duration = \"forever\" }}]\n\
         [[apps]]\nname = \"second\"\nuser = \"bob\"\nqueue = \"b\"\nam = \"1 GB/1\"\nat = \"30 s\"\n\
         tasks = [{{ count = 3, size = \"1 GB/1\", duration = \"10 min\" }}]\n"
    )
}

/// In WHY and the headline, whatever keeps preemption from giving back what is owed comes before its symptoms.
#[test]
fn what_is_owed_comes_before_full_nodes() {
    let on = "\"yarn.resourcemanager.scheduler.monitor.enable\" = \"true\"\n";
    let preemption = "yarn.resourcemanager.monitor.capacity.preemption";
    let cases = [
        (String::new(), "", "preemption is off"),
        (
            format!("{on}\"yarn.resourcemanager.scheduler.monitor.policies\" = \"\""),
            "",
            "the preemption policy is not among the monitors",
        ),
        (
            format!("{on}\"{preemption}.observe_only\" = \"true\""),
            "",
            "the preemption monitor only watches (observe_only)",
        ),
        (
            on.to_string(),
            "root.a.disable_preemption = true",
            "nothing may be taken from **root.a** (disable_preemption)",
        ),
        (
            format!("{on}\"{preemption}.max_ignored_over_capacity\" = \"2\""),
            "",
            "that is too little for preemption (max_ignored_over_capacity)",
        ),
    ];
    for (site, queues, reason) in cases {
        let player = at(&owed(&site, queues), 100);
        let why = player.why(&Selection::App("second".to_string()));
        let owes =
            "**root.b** uses 0 MB of the 8 GB that it is guaranteed, **root.a** uses more than its guarantee, and ";
        let wanted = format!("{owes}{reason}; both nodes are full; **first** has ");
        assert!(why.sentence.contains(&wanted), "{}", why.sentence);
        let headline = player.snapshot(None).headline;
        assert!(headline.contains(&owes.replace("**", "")), "{headline}");
    }
}

/// What an application lacks without a request to YARN is shown with it and over the page.
#[test]
fn what_nobody_asks_yarn_for_is_told() {
    let head =
        "heddle = 1\nscheduling = \"heartbeat\"\nuntil = \"10 min\"\n[[nodes]]\nname = \"n1\"\nsize = \"8 GB/8\"\n";
    let text = format!(
        "{head}[[apps]]\nname = \"job\"\nam = \"1 GB/1\"\ntasks = [{{ count = 1, size = \"1 GB/1\", duration = \"forever\" }}]\n\
         [[happenings]]\nat = \"40 s\"\ndo = \"hang_am\"\napp = \"job\"\n"
    );
    let player = at(&text, 300);
    let why = player.why(&Selection::App("job".to_string()));
    assert!(why.sentence.contains("Its AM has made no call since 0:"), "{}", why.sentence);
    let headline = player.snapshot(None).headline;
    assert!(headline.contains("its AM has made no call since 0:"), "{headline}");
}
