//! Who took the room, by which key, and what is owed: each way to come first, under each scheduler.

use crate::explain::view::{Selection, WhyView};
use crate::fixtures::at;

/// Two nodes that the first application keeps full with short tasks; the second waits.
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
        assert!(why.sentence.contains("**vip** went first since ") && why.sentence.contains(key), "{}", why.sentence);
        let [(who, values)] = why.taken.rows.as_slice() else { panic!("{:?}", why.taken) };
        assert_eq!(who, "vip");
        assert!(values[3].contains(key.trim_matches(['(', ')'])), "{values:?}");
        // What is counted was placed since it waits, in the log too.
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
    assert!(why.sentence.contains("request of priority 2 went first"), "{}", why.sentence);
    assert_eq!(why.taken.rows.first().map(|(who, _)| who.as_str()), Some("its own request of priority 2"));
}

/// Nothing was placed since it waits: nobody took anything.
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
