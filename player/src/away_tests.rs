//! The sentence, the buckets and the matrix name nodes that take no containers, each with since when and, if known, until
//! when. Their free resources are never shown.

use crate::Player;
use crate::explain::view::{Selection, WhyView};
use crate::fixtures::at;

/// A node that is away: its description, the happening, since when (seconds), and the words about its end.
type Away = (&'static str, &'static str, i64, &'static str);

const AWAY: [Away; 6] = [
    ("silent", "do = \"crash_node\"", 30, "lost at "),
    ("lost", "do = \"remove_node\"", 30, ""),
    ("unhealthy", "do = \"unhealthy_node\"", 30, ""),
    ("decommissioning", "do = \"decommission_node\"\ntimeout = \"5 min\"", 30, "leaves by "),
    ("decommissioning", "do = \"decommission_node\"", 30, ""),
    ("decommissioned", "do = \"decommission_node\"\ntimeout = \"0 s\"", 30, ""),
];

const HEADS: [(&str, &str); 3] = [
    (
        "capacity",
        "[capacity-scheduler]\nroot.queues = \"q\"\nroot.q.capacity = 100\nroot.q.user-limit-factor = 3\n\
         maximum-am-resource-percent = 1.0\n",
    ),
    (
        "fair",
        "scheduler = \"fair\"\n[files]\n\"fair-scheduler.xml\" = \"<allocations><queue name='q'/></allocations>\"\n",
    ),
    ("fifo", "scheduler = \"fifo\"\n"),
];

/// Two nodes. `old` fills n1 and has a container on n2, to which something happens at 0:30; `job` waits from 0:40 on.
fn scenario(head: &str, act: &str) -> String {
    format!(
        "heddle = 1\nscheduling = \"heartbeat\"\nuntil = \"15 min\"\n{head}\
         [[nodes]]\nname = \"n{{1}}\"\ncount = 2\nsize = \"4 GB/8\"\n\
         [[apps]]\nname = \"old\"\nqueue = \"root.q\"\nuser = \"ann\"\nam = {{ size = \"1 GB/1\", places = [\"n1\"], relax = false }}\n\
         tasks = [{{ count = 3, size = \"1 GB/1\", duration = \"forever\", places = [\"n1\"], relax = false }}, \
         {{ name = \"t\", priority = 30, count = 1, size = \"1 GB/1\", duration = \"forever\", places = [\"n2\"], relax = false }}]\n\
         [[apps]]\nname = \"job\"\nat = \"40 s\"\nqueue = \"root.q\"\nuser = \"bob\"\nam = \"1 GB/1\"\ntasks = [{{ count = 1 }}]\n\
         [[happenings]]\nat = \"30 s\"\nnode = \"n2\"\n{act}\n"
    )
}

fn of_job(player: &Player) -> WhyView {
    let waiting = player.snapshot(None).waiting.into_iter().find(|w| w.app == "job").expect("job waits");
    player.why(&waiting.id)
}

#[test]
fn every_node_that_takes_nothing_is_told_with_its_times() {
    let mut wrong = Vec::new();
    for (scheduler, head) in HEADS {
        for (state, act, since, until) in AWAY {
            let player = at(&scenario(head, act), 120);
            let why = of_job(&player);
            let all = format!("{why:?}");
            let mut say = |what: &str| {
                wrong.push(format!(
                    "{state} ({until}) under {scheduler}: {what}: {}\n{:?}\n{:?}",
                    why.sentence, why.buckets, why.matrix.rows
                ))
            };
            let been = format!("{state} since 0:");
            let within = |text: &str| {
                let at = text
                    .split_once(&been)
                    .map(|(_, rest)| rest.split([' ', ',', '.', ';']).next().unwrap_or("").to_string());
                at.and_then(|s| s.parse::<i64>().ok()).is_some_and(|s| (since - 1..=since + 2).contains(&s))
            };
            if !why.sentence.contains("**n2**") || !within(&why.sentence) {
                say("the sentence");
            }
            // n2's state stops nothing there, because it is full.
            if state == "decommissioning" && scheduler != "capacity" {
                if !why.sentence.contains("both nodes are full") && !why.sentence.contains("Both nodes are full") {
                    say("it is not told to be full");
                }
                let node = player.why(&Selection::Node("n2".into()));
                if !within(&node.status.to_lowercase()) || !node.sentence.contains("its size follows what it runs") {
                    say(&format!("the node: {} {}", node.status, node.sentence));
                }
                continue;
            }
            let bucket = why.buckets.iter().find(|b| b.nodes == ["n2"]);
            if bucket.is_none_or(|b| !within(&b.text) || !b.text.contains(until)) {
                say("the buckets");
            }
            let row = why.matrix.rows.iter().find(|r| r.node == "n2");
            let cell = row.and_then(|r| r.cells.iter().find(|c| c.first));
            if cell.is_none_or(|c| !within(&c.text)) {
                say("the matrix");
            }
            let free = why.matrix.checks.iter().position(|c| c.title.ends_with(" free"));
            if row.zip(free).is_some_and(|(r, free)| !r.cells[free].text.is_empty() && !r.cells[free].passes) {
                say("the matrix tells what it has free");
            }
            // n1 is full; n2 must not be called full.
            if all.contains("n2** has 0 MB free") || all.contains("both nodes are full") {
                say("it is told to be full");
            }
            // WHY of the node, and the headline.
            let node = player.why(&Selection::Node("n2".into()));
            if !within(&node.status.to_lowercase()) || node.facts.iter().any(|f| f.name == "free") {
                say(&format!("the node: {} {:?}", node.status, node.facts));
            }
            let headline = player.snapshot(None).headline;
            if !within(&headline) {
                say(&format!("the headline: {headline}"));
            }
        }
    }
    assert!(wrong.is_empty(), "{}:\n{}", wrong.len(), wrong.join("\n\n"));
}

/// The announced end comes true: a silent node is lost then, and a decommissioned one has left.
#[test]
fn nodes_are_gone_when_they_are_told_to_be() {
    for (act, verb) in [("do = \"crash_node\"", "lost"), ("do = \"decommission_node\"\ntimeout = \"60 s\"", "left")] {
        let player = at(&scenario(HEADS[0].1, act), 60);
        let why = of_job(&player);
        let bucket = why.buckets.iter().find(|b| b.nodes == ["n2"]).expect("a bucket");
        let told = bucket.text.rsplit(' ').next().expect("a moment");
        let (min, s) = told.split_once(':').expect("a clock");
        let told: f64 = min.parse::<f64>().expect("minutes") * 60.0 + s.parse::<f64>().expect("seconds");
        let events = player.events(&crate::EventFilter::default());
        let gone = events.iter().find(|e| e.node == "n2" && e.verb == verb).expect("it goes");
        let late = gone.time_ms as f64 / 1000.0 - told;
        assert!(
            (-0.5..=if verb == "lost" { 0.5 } else { 20.0 }).contains(&late),
            "{act}: told {told}, gone at {}",
            gone.time_ms
        );
    }
}

/// Every scheduler's application shows the containers that YARN still counts on a silent node.
#[test]
fn containers_on_a_silent_node_are_told_of_their_application() {
    for (scheduler, head) in HEADS {
        let player = at(&scenario(head, "do = \"crash_node\""), 120);
        let why = player.why(&Selection::App("old".into()));
        assert!(
            why.sentence.contains("YARN counts 1 of its containers on **n2**, which has been silent since 0:"),
            "{scheduler}: {}",
            why.sentence
        );
    }
}

/// No new attempt is promised after an application's last one, whatever happens to its AM.
#[test]
fn no_attempt_is_promised_after_the_last_one() {
    for (attempts, last) in [(1, true), (2, false)] {
        for (act, promised) in [
            ("do = \"crash_node\"\nnode = \"n1\"", "the next attempt begins"),
            ("do = \"hang_am\"\napp = \"old\"", "ends the attempt"),
        ] {
            let site = format!("[yarn-site]\nresourcemanager.am.max-attempts = {attempts}\n{}", HEADS[0].1);
            let player = at(
                &scenario(&site, "do = \"healthy_node\"").replace(
                    "do = \"healthy_node\"",
                    &format!("do = \"healthy_node\"\n[[happenings]]\nat = \"31 s\"\n{act}"),
                ),
                120,
            );
            let why = player.why(&Selection::App("old".into()));
            assert_eq!(why.sentence.contains("may have no other attempt"), last, "{act}: {}", why.sentence);
            assert_eq!(why.sentence.contains(promised), !last, "{act}: {}", why.sentence);
        }
    }
}

/// An unmanaged AM has no attempt before it registers.
#[test]
fn an_unmanaged_master_that_has_not_registered_is_told_as_that() {
    for (scheduler, head) in HEADS {
        let text = scenario(head, "do = \"healthy_node\"").replace("am = \"1 GB/1\"", "am = { unmanaged = true }");
        let player = at(&text, 40);
        let why = player.why(&Selection::App("job".into()));
        assert!(why.sentence.contains("AM is unmanaged"), "{scheduler}: {}", why.sentence);
    }
}
