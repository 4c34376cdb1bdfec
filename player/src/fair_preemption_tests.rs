//! WHY about the FairScheduler's preemption as an operator meets it: clocks, searches, who gives room, who is spared.

use super::fixtures::at;
use crate::explain::view::{Met, PreemptionView, Selection};

/// Queue a fills both nodes of 8 GB, b comes at 30 s; `site` has settings, `a` and `b` what the allocation file has for each
/// queue.
fn scenario(site: &str, a: &str, b: &str) -> String {
    let app = |name: &str, at: &str| {
        format!(
            "[[apps]]\nname = \"{name}-job\"\nuser = \"{name}\"\nqueue = \"root.{name}\"\nam = \"1 GB/1\"\nat = \"{at}\"\n\
             tasks = {{ count = 30, size = \"1 GB/1\", duration = \"forever\" }}\n"
        )
    };
    format!(
        "heddle = 1\nscheduler = \"fair\"\nuntil = \"3 min\"\n[yarn-site]\n{site}\n[files]\n\"fair-scheduler.xml\" = '''\n\
         <allocations><queue name=\"a\">{a}</queue><queue name=\"b\">{b}</queue></allocations>\n'''\n\
         [[nodes]]\nname = \"n{{1}}\"\ncount = 2\nsize = \"8 GB/8\"\n{}{}",
        app("a", "0 s"),
        app("b", "30 s")
    )
}

const ON: &str = "scheduler.fair.preemption = true\nscheduler.fair.waitTimeBeforeKill = 10000\n";
const PATIENCE: &str = "<fairSharePreemptionTimeout>5</fairSharePreemptionTimeout>\
    <fairSharePreemptionThreshold>1.0</fairSharePreemptionThreshold>";

fn of_b(text: &str, seconds: i64) -> PreemptionView {
    let why = at(text, seconds).why(&Selection::App("b-job".into()));
    why.preemption.unwrap_or_else(|| panic!("preemption is told: {}", why.sentence))
}

fn stop(told: &PreemptionView) -> &str {
    told.conditions.iter().find(|c| c.met == Met::No).map_or("", |c| c.name.as_str())
}

#[test]
fn a_clock_tells_since_when_and_until_when() {
    let told = of_b(&scenario(ON, "", PATIENCE), 33);
    assert_eq!(stop(&told), "for as long as fairSharePreemptionTimeout", "{told:#?}");
    assert!(told.sentence.contains("counts as starved from 0:3"), "{}", told.sentence);
    let never = of_b(&scenario(ON, "", ""), 60);
    assert!(never.sentence.contains("fairSharePreemptionTimeout is not set"), "{}", never.sentence);
}

#[test]
fn who_makes_room_is_told_with_the_time_of_its_end_and_ends_then() {
    let text = scenario(ON, "", PATIENCE);
    let told = of_b(&text, 40);
    assert_eq!(stop(&told), "", "{told:#?}");
    let [one] = told.freeing.as_slice() else { panic!("{told:#?}") };
    let end = one.killed_ms.expect("a time");
    assert!(told.sentence.contains(&one.name) && told.sentence.contains("comes first"), "{}", told.sentence);
    let why = at(&text, 40).why(&one.who).preemption.expect("it is warned");
    assert!(why.sentence.contains("**b-job** was found starved: it lacked 1 GB"), "{}", why.sentence);
    assert!(why.sentence.ends_with("if it still runs then."), "{}", why.sentence);
    let killed = at(&text, end / 1000 + 1).why(&one.who).preemption.expect("it was killed");
    assert!(killed.sentence.contains("It was killed at"), "{}", killed.sentence);
}

#[test]
fn those_that_give_nothing_are_told_with_the_reason() {
    let text = scenario(ON, "<allowPreemptionFrom>false</allowPreemptionFrom>", PATIENCE);
    let told = of_b(&text, 40);
    assert_eq!(stop(&told), "a node can give the room", "{told:#?}");
    assert!(told.sentence.contains("16 containers below **root.a**, from which nothing"), "{}", told.sentence);
    let one = Selection::Container { app: "a-job".into(), k: 3 };
    let why = at(&text, 40).why(&one).preemption.expect("it is told");
    assert!(why.sentence.ends_with("nothing is taken from **root.a** (allowPreemptionFrom)."), "{}", why.sentence);
    assert_eq!(stop(&why), "its queue may give", "{why:#?}");
}

#[test]
fn what_is_off_or_idle_is_told() {
    let told = of_b(&scenario("", "", PATIENCE), 40);
    assert_eq!(stop(&told), "preemption is on");
    assert!(told.sentence.contains("its fair share is 8 GB"), "{}", told.sentence);
    let idle = format!("{ON}\"scheduler.fair.preemption.cluster-utilization-threshold\" = 1.0\n");
    let told = of_b(&scenario(&idle, "", PATIENCE), 40);
    assert_eq!(stop(&told), "enough of the cluster is used");
    assert!(told.sentence.contains("100 % used"), "{}", told.sentence);
}
