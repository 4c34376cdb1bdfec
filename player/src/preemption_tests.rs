//! WHY about preemption as an operator meets it: what is being freed and when, why nothing is, why this container, rounds
//! that free nothing, and what would help.

use super::EventFilter;
use super::fixtures::at;
use crate::explain::view::{ConditionView, HelpView, Met, PreemptionView, Selection, WhyView};

const ON: &str = "\"yarn.resourcemanager.scheduler.monitor.enable\" = \"true\"\n";
const AT_ONCE: &str = "\"yarn.resourcemanager.monitor.capacity.preemption.total_preemption_per_round\" = \"1.0\"\n\
    \"yarn.resourcemanager.monitor.capacity.preemption.natural_termination_factor\" = \"1.0\"\n";

/// Two queues with half each; the first fills both nodes, the second comes at 30 s.
fn scenario(site: &str, queues: &str, nodes: &[&str], first: (i64, &str), second: (i64, &str, &str)) -> String {
    let mut text = format!(
        "heddle = 1\nscheduling = \"heartbeat\"\nuntil = \"5 min\"\n[yarn-site]\n{site}\n[capacity-scheduler]\nroot.queues = \"a,b\"\n\
         root.a.capacity = 50\nroot.b.capacity = 50\nroot.a.user-limit-factor = 2\nroot.b.user-limit-factor = 2\n{queues}\n"
    );
    for (i, size) in nodes.iter().enumerate() {
        text.push_str(&format!("[[nodes]]\nname = \"n{}\"\nsize = \"{size}\"\n", i + 1));
    }
    let app = |name: &str, queue: &str, am: &str, at: &str, (count, size): (i64, &str)| {
        format!(
            "[[apps]]\nname = \"{name}\"\nuser = \"{name}\"\nqueue = \"{queue}\"\nam = \"{am}/1\"\nat = \"{at}\"\n\
             tasks = [{{ count = {count}, size = \"{size}/1\", duration = \"10 min\" }}]\n"
        )
    };
    text.push_str(&app("first", "a", "1 GB", "0 s", first));
    text.push_str(&app("second", "b", second.2, "30 s", (second.0, second.1)));
    text
}

const TWO: [&str; 2] = ["4 GB/8"; 2];

fn two_queues(site: &str, queues: &str) -> String {
    scenario(site, queues, &TWO, (7, "1 GB"), (3, "1 GB", "1 GB"))
}

fn am_of_second() -> Selection {
    Selection::Request { app: "second".into(), key: "0_-1".into() }
}

fn of_second(text: &str, seconds: i64) -> (WhyView, PreemptionView) {
    let why = at(text, seconds).why(&am_of_second());
    let told = why.preemption.clone().unwrap_or_else(|| panic!("preemption is told: {}", why.sentence));
    (why, told)
}

fn met<'v>(told: &'v PreemptionView, name: &str) -> &'v ConditionView {
    told.conditions.iter().find(|c| c.name == name).unwrap_or_else(|| panic!("no {name}: {:#?}", told.conditions))
}

#[test]
fn what_is_being_freed_is_told_with_its_end_and_ends_then() {
    let text = two_queues(&format!("{ON}{AT_ONCE}"), "");
    let (why, told) = of_second(&text, 40);
    assert!(why.sentence.ends_with("Preemption is to free 1 GB for **root.b**, from 0:45 on."), "{}", why.sentence);
    let headline = at(&text, 40).snapshot(None).headline;
    assert_eq!(
        headline,
        "second AM has waited 10 s: both nodes are full; first has 8 GB of 8 GB. Preemption is to free 1 GB for root.b, from 0:45 on."
    );
    let [one] = told.freeing.as_slice() else { panic!("{:?}", told.freeing) };
    assert_eq!((one.name.as_str(), one.killed_ms, one.killable), ("first-7", Some(45_000), false));
    assert!(told.conditions.iter().all(|c| matches!(c.met, Met::Yes | Met::Slows)), "{:#?}", told.conditions);
    let container = at(&text, 46).why(&one.who);
    let told = container.preemption.expect("it was preempted");
    assert!(
        told.sentence.contains("**root.a** used 8 GB, was guaranteed 4 GB and was to keep 7 GB"),
        "{}",
        told.sentence
    );
    assert!(told.sentence.contains("for **root.b**, which used 0 MB and was to have 1 GB: 1 GB."), "{}", told.sentence);
    assert!(told.sentence.ends_with("it was killed at 0:45. Next **n2** gave room to **second AM**, at 0:45.75."));
    let verbs: Vec<String> = at(&text, 60)
        .events(&EventFilter { about: Some(one.who.clone()), ..EventFilter::default() })
        .into_iter()
        .map(|e| e.verb)
        .collect();
    assert_eq!(verbs, ["placed", "marked", "preempted"], "a kill is told once");
}

#[test]
fn each_reason_for_nothing_is_told_as_what_it_is() {
    let cap = "smallest container that it looked at is larger, 1 GB";
    let observe = format!("{ON}{AT_ONCE}\"yarn.resourcemanager.monitor.capacity.preemption.observe_only\" = \"true\"");
    let other = "\"yarn.resourcemanager.scheduler.monitor.policies\" = \
                 \"org.apache.hadoop.yarn.server.resourcemanager.scheduler.capacity.QueueManagementDynamicEditPolicy\"";
    let both = format!("{ON}{AT_ONCE}");
    let disabled = "root.a.disable_preemption = \"true\"";
    let cases = [
        (two_queues("", ""), "monitor on", "Preemption is off: **root.b** uses 0 MB of the 4 GB"),
        (two_queues(&format!("{ON}{other}"), ""), "policy listed", "the preemption policy is not among them"),
        (two_queues(ON, ""), "round cap", cap),
        (two_queues(&both, disabled), "preemptable", "nothing may be taken from it (disable_preemption)"),
        (
            scenario(&both, "", &["4 GB/8", "4 GB/8", "4 GB/8", "4 GB/8"], (11, "1 GB"), (1, "1 GB", "3 GB")),
            "to give",
            "4 GB was free in the preemption round at 0:30",
        ),
    ];
    for (text, stop, sentence) in cases {
        let seconds = if stop == "to give" { 30 } else { 50 };
        let (_, told) = of_second(&text, seconds);
        assert!(told.sentence.contains(sentence), "{sentence:?}: {}", told.sentence);
        assert!(told.freeing.is_empty());
        assert_eq!(met(&told, stop).met, Met::No, "{stop}");
    }
    let (_, told) = of_second(&two_queues(&observe, ""), 50);
    assert!(told.sentence.contains("chose 1 container, and it is not marked"), "{}", told.sentence);
    let (_, told) = of_second(&two_queues(&both, disabled), 50);
    assert!(met(&told, "preemptable").properties.iter().any(|p| p.contains("root.a.disable_preemption = true")));
}

#[test]
fn a_reservation_counts_as_used_and_is_told_so() {
    let text = scenario(&format!("{ON}{AT_ONCE}"), "", &TWO, (7, "1 GB"), (1, "1 GB", "4 GB"));
    let (why, told) = of_second(&text, 100);
    assert!(told.sentence.contains("it has reserved **n2**"), "{}", told.sentence);
    let killed = ["3", "4"].map(|n| format!("{n} containers of **root.a**"));
    assert!(killed.iter().any(|killed| why.sentence.contains(killed)), "{}", why.sentence);
    assert!(why.sentence.contains("has been given nothing since"), "{}", why.sentence);
}

#[test]
fn a_container_that_lives_is_told_why() {
    let text = two_queues(&format!("{ON}{AT_ONCE}"), "");
    let player = at(&text, 40);
    let of = |k: usize| {
        let why = player.why(&Selection::Container { app: "first".into(), k });
        why.preemption.expect("the monitor is on")
    };
    assert_eq!(of(3).sentence, "It is not chosen: the preemption round at 0:39 had enough before its turn: first-7.");
    assert_eq!(met(&of(3), "its turn").met, Met::No);
    assert_eq!(met(&of(0), "an AM").met, Met::Slows);
    assert!(of(7).sentence.contains("It is killed at 0:45 unless"), "{}", of(7).sentence);
    let second = at(&text, 80).why(&Selection::Container { app: "second".into(), k: 1 });
    let told = second.preemption.expect("the monitor is on");
    assert!(told.sentence.contains("**root.b** used no more than its guarantee"), "{}", told.sentence);
    // With preemption off, a container's answer does not mention it.
    let off = at(&two_queues("", ""), 40).why(&Selection::Container { app: "first".into(), k: 3 });
    assert_eq!(off.preemption, None);
}

#[test]
fn killable_containers_are_told_with_who_took_their_room() {
    let text = two_queues(&format!("{ON}{AT_ONCE}"), "lazy-preemption-enabled = \"true\"");
    let (_, told) = of_second(&text, 40);
    assert!(told.sentence.contains("it becomes killable at 0:45 unless"), "{}", told.sentence);
    let killed = at(&text, 60).why(&Selection::Container { app: "first".into(), k: 7 });
    let told = killed.preemption.expect("it was preempted");
    assert!(told.sentence.contains("It was killable, and second took its room."), "{}", told.sentence);
}

#[test]
fn a_livelock_is_found_with_its_cycle() {
    let zone = "\"yarn.resourcemanager.monitor.capacity.preemption.max_ignored_over_capacity\" = \"0.0\"";
    let text = scenario(&format!("{ON}{AT_ONCE}{zone}"), "", &["11 GB/40"], (4, "3 GB"), (4, "3 GB", "1 GB"));
    let mut player = at(&text, 60);
    assert!(!player.snapshot(None).headline.contains("circles"), "not yet");
    player.seek(200_000);
    let snapshot = player.snapshot(None);
    assert!(
        snapshot.headline.starts_with(
            "Preemption goes in circles: since 1:09 8 rounds have killed 8 containers of root.a, one every 18 s."
        ),
        "{}",
        snapshot.headline
    );
    assert_eq!(snapshot.headline_about, Some(Selection::Queue("root.b".into())));
    let why = player.why(&Selection::Queue("root.b".into()));
    assert!(why.sentence.replace("**", "").contains(&snapshot.headline), "{}", why.sentence);
}

#[test]
fn what_would_help_preemption_is_run() {
    let helps = |text: &str| -> Vec<(String, bool)> {
        let why = at(text, 40).why_with_help(&am_of_second());
        why.help.into_iter().map(|h| (h.change, h.helps)).collect()
    };
    let found = helps(&two_queues("", ""));
    let has = |found: &[(String, bool)], change: &str, helps: bool| {
        found.iter().any(|(c, h)| c.contains(change) && *h == helps)
    };
    // Alone it has no effect here: by default a round may choose less than one container.
    assert!(
        has(&found, "monitor.enable = true and", true) || has(&found, "natural_termination_factor = 1", true),
        "{found:?}"
    );
    assert!(!found.iter().any(|(c, h)| c == "yarn.resourcemanager.scheduler.monitor.enable = true" && *h), "{found:?}");
    let disabled = two_queues(&format!("{ON}{AT_ONCE}"), "root.a.disable_preemption = \"true\"");
    assert!(has(&helps(&disabled), "root.a.disable_preemption = false", true), "{:?}", helps(&disabled));
    // What its user may not have does not count as demand of its queue.
    let all = scenario(&format!("{ON}{AT_ONCE}"), "", &TWO, (7, "1 GB"), (6, "1 GB", "1 GB"));
    let limited = all.replace("root.b.user-limit-factor = 2", "root.b.user-limit-factor = 0.4");
    let player = at(&limited, 100);
    let why = player.why_with_help(&Selection::Request { app: "second".into(), key: "20_-1".into() });
    let told = why.preemption.expect("it waits");
    assert_eq!(
        met(&told, "pending counted").formula[1],
        "second wants 5 GB, and second may have 0 MB more: counted 0 MB"
    );
    let factor = |h: &&HelpView| h.change.contains("root.b.user-limit-factor");
    assert!(why.help.iter().find(factor).is_some_and(|h| h.helps), "{:?}", why.help);
    let slow = two_queues(&format!("{ON}{AT_ONCE}"), "");
    assert!(has(&helps(&slow), "max_wait_before_kill = 3000", true), "{:?}", helps(&slow));
}

/// The announced end of a mark comes true: by then the container is gone, killable, or no longer chosen.
#[test]
fn a_mark_ends_as_it_is_told() {
    let zone = "\"yarn.resourcemanager.monitor.capacity.preemption.max_ignored_over_capacity\" = \"0.0\"\n";
    let own = |name: &str, value: &str| {
        format!("\"yarn.resourcemanager.monitor.capacity.preemption.{name}\" = \"{value}\"\n")
    };
    let both = format!("{ON}{AT_ONCE}");
    let texts = [
        two_queues(&both, ""),
        two_queues(
            &format!("{both}{}{}", own("max_wait_before_kill", "10000"), own("monitoring_interval", "4000")),
            "",
        ),
        two_queues(&both, "lazy-preemption-enabled = \"true\""),
        two_queues(&format!("{ON}{}", own("total_preemption_per_round", "0.5")), ""),
        two_queues(&format!("{both}{}", own("select_based_on_reserved_containers", "true")), ""),
        scenario(&format!("{both}{zone}"), "", &["11 GB/40"], (4, "3 GB"), (4, "3 GB", "1 GB")),
        scenario(&both, "", &TWO, (7, "1 GB"), (1, "1 GB", "4 GB")),
    ];
    let mut kept = 0;
    for text in &texts {
        let mut player = at(text, 0);
        for seconds in (31..130).step_by(5) {
            player.seek(seconds * 1000);
            let told = player
                .why(&am_of_second())
                .preemption
                .or_else(|| player.why(&Selection::App("second".into())).preemption);
            for f in told.map_or(Vec::new(), |t| t.freeing) {
                let Some(end) = f.killed_ms else { continue };
                assert!(end > seconds * 1000, "{} at {seconds}: {}", f.name, f.text);
                player.seek(end);
                let then = player.why(&f.who);
                let told = then.preemption.expect("the monitor is on");
                let over = then.status.starts_with("preempted at")
                    || then.status == "over; its node has yet to report it"
                    || then.status == "over";
                let gone = over || told.sentence.contains("killable since");
                let chosen =
                    told.sentence.contains(" is killed at ") || told.sentence.contains(" becomes killable at ");
                assert!(
                    gone || !chosen,
                    "{} at {seconds}: {}; then {}: {}",
                    f.name,
                    f.text,
                    then.status,
                    told.sentence
                );
                kept += usize::from(gone);
                player.seek(seconds * 1000);
            }
        }
    }
    assert!(kept > 25, "only {kept} marks");
}

/// No sentence names a queue twice in a row or has a gap, and each ends properly.
#[test]
fn every_sentence_is_one() {
    let both = format!("{ON}{AT_ONCE}");
    let texts = [
        two_queues(&both, ""),
        two_queues("", ""),
        two_queues(ON, ""),
        two_queues(&both, "lazy-preemption-enabled = \"true\""),
        two_queues(&both, "root.a.disable_preemption = \"true\""),
        scenario(&both, "", &TWO, (7, "1 GB"), (1, "1 GB", "4 GB")),
        scenario(&both, "", &["4 GB/8"; 4], (11, "1 GB"), (1, "1 GB", "3 GB")),
    ];
    let mut said = 0;
    for text in &texts {
        let mut player = at(text, 0);
        for seconds in (1..120).step_by(16) {
            player.seek(seconds * 1000);
            let containers = ["first", "second"]
                .into_iter()
                .flat_map(|app| [0, 3, 7].map(move |k| Selection::Container { app: app.to_string(), k }));
            for about in
                containers.chain([am_of_second(), Selection::App("first".into()), Selection::Queue("root.b".into())])
            {
                let Some(told) = player.why(&about).preemption else { continue };
                let all = std::iter::once(&told.sentence).chain(told.conditions.iter().map(|c| &c.value));
                for text in all.filter(|t| !t.is_empty()) {
                    assert!(!text.contains("  ") && !text.contains("****") && !text.contains(" ,"), "{about}: {text}");
                    said += 1;
                }
                assert!(told.sentence.ends_with('.'), "{about} at {seconds}: {:?}", told.sentence);
                let unreached = |c: &&ConditionView| c.met == Met::Unreached;
                assert!(
                    told.conditions.iter().filter(unreached).all(|c| c.value.is_empty() && c.properties.is_empty())
                );
                assert!(
                    told.conditions.iter().all(|c| c.met == Met::Unreached || !c.value.is_empty()),
                    "{:#?}",
                    told.conditions
                );
            }
        }
    }
    assert!(said > 400, "only {said}");
}

/// The killing round is the latest for three seconds: the answer says what it did, and that it frees no room where the
/// request may go.
#[test]
fn a_kill_of_the_latest_round_is_told_as_a_kill() {
    let mut player = at(include_str!("../../scenarios/q10-kills-for-nothing.toml"), 120);
    let about = Selection::Request { app: "picky".into(), key: "20_-1".into() };
    let mut killed = 0;
    for tenth in 1_000..2_000 {
        player.seek(tenth * 100);
        let Some(told) = player.why(&about).preemption else { continue };
        assert!(!told.sentence.contains("left them alone"), "{tenth}: {}", told.sentence);
        if let Some(fits) = told.conditions.iter().find(|c| c.name == "fits" && c.met != Met::Unreached) {
            assert_eq!((fits.met, &fits.value[..2]), (Met::Slows, "n1"), "it goes to n1 only: {}", fits.value);
        }
        if told.sentence.contains("killed 1 container for **root.b**; nothing more is marked. No node") {
            killed += 1;
        }
    }
    assert!(killed > 30, "{killed}");
}

#[test]
fn killable_containers_that_make_no_room_together_are_told_so() {
    let lazy = "lazy-preemption-enabled = \"true\"";
    let text = scenario(&format!("{ON}{AT_ONCE}"), lazy, &TWO, (7, "1 GB"), (1, "2 GB", "1 GB"));
    let why = at(&text, 80).why(&Selection::Request { app: "second".into(), key: "20_-1".into() });
    let told = why.preemption.expect("they are killable").sentence;
    assert!(told.starts_with("2 containers are killable, **first-5** on **n1** among them:"), "{told}");
    assert!(told.contains("That makes room for it on no single node yet."), "{told}");
}

/// Applications show what applications of their queue preempt from each other, and what they do not.
#[test]
fn what_a_queue_does_within_itself_is_told_of_its_applications() {
    let text = include_str!("../../tests/scenarios/preemption-within-a-queue.toml");
    let (why, told) = of_second(text, 34);
    assert!(why.sentence.ends_with("Preemption is to free 1 GB for **second**, from 0:45 on."), "{}", why.sentence);
    assert!(told.sentence.contains("is marked for **second**: it is killed at 0:45"), "{}", told.sentence);
    let player = at(text, 80);
    let about = Selection::Request { app: "second".into(), key: "20_-1".into() };
    let told = player.why(&about).preemption.expect("it waits").sentence;
    let own =
        " Within the queue **second** uses 1 GB beside its AM and is to have 2 GB, and no other application gives it.";
    assert!(told.ends_with(own), "{told}");
    let first = player.why(&Selection::Container { app: "first".into(), k: 5 }).preemption.expect("it lives");
    let value = &met(&first, "within its queue").value;
    assert_eq!(value, "uses 5 GB, is to have 4 GB; one smallest container more is left to it");
}

#[test]
fn an_am_is_not_said_to_keep_itself() {
    let player = at(include_str!("../../scenarios/q13-killed-my-am.toml"), 120);
    let told =
        player.why(&Selection::Container { app: "job5".into(), k: 0 }).preemption.expect("it was killed").sentence;
    assert!(told.contains("It is an AM") && told.contains(". It was killed at "), "{told}");
    assert!(!told.contains("Its AM did not"), "{told}");
}

/// A queue may be owed room with one label only: the answer must not say that a container on other nodes is spared because
/// nobody is owed any.
#[test]
fn room_that_nobody_is_owed_is_told_by_its_label() {
    let site = format!("{ON}{AT_ONCE}\"yarn.node-labels.enabled\" = \"true\"");
    let mut queues =
        "\"root.accessible-node-labels\" = \"*\"\n\"root.accessible-node-labels.gpu.capacity\" = 100\n".to_string();
    for q in ["a", "b"] {
        queues.push_str(&format!(
            "\"root.{q}.accessible-node-labels\" = \"gpu\"\n\"root.{q}.accessible-node-labels.gpu.capacity\" = 50\n"
        ));
    }
    let text = scenario(&site, &queues, &["4 GB/8", "8 GB/8"], (8, "1 GB"), (2, "1 GB", "1 GB"));
    let text = text.replacen("heddle = 1\n", "heddle = 1\nlabels = [{ name = \"gpu\", exclusive = false }]\n", 1);
    let text = text.replacen("name = \"n2\"\n", "name = \"n2\"\nlabel = \"gpu\"\n", 1);
    let player = at(&text, 40);
    let kept = player.why(&Selection::Container { app: "first".into(), k: 4 }).preemption.expect("it lives").sentence;
    assert!(kept.ends_with("no other queue was owed room of label gpu."), "{kept}");
    let taken =
        player.why(&Selection::Container { app: "first".into(), k: 3 }).preemption.expect("it is marked").sentence;
    assert!(taken.contains("for **root.b**, which used 0 MB and was to have 1 GB"), "{taken}");
}

#[test]
fn two_queues_that_take_from_each_other_are_found_in_a_run() {
    let text = include_str!("../../tests/scenarios/preemption-ping-pong.toml");
    let mut player = at(text, 80);
    assert!(!player.snapshot(None).headline.contains("to and fro"), "not yet");
    player.seek(170_000);
    let snapshot = player.snapshot(None);
    assert_eq!(
        snapshot.headline,
        "Preemption goes to and fro: since 0:54 root.a and root.b have taken the same room from each other 6 times, back \
         and forth in 44 s; 6 containers were killed."
    );
    for (queue, waits) in [("root.b", 174), ("root.a", 194)] {
        player.seek(waits * 1000);
        let told = player.why(&Selection::Queue(queue.into())).sentence;
        assert!(told.contains("goes to and fro"), "{told}");
    }
    // The cycle ends if a queue may exceed its guarantee by that much.
    let ended = text.replace("[capacity-scheduler]", "\"yarn.resourcemanager.monitor.capacity.preemption.max_ignored_over_capacity\" = \"0.2\"\n[capacity-scheduler]");
    assert!(!at(&ended, 170).snapshot(None).headline.contains("to and fro"));
}

/// A marked event has the figures of its round.
#[test]
fn a_marked_event_tells_the_figures_of_its_round() {
    let marked = |text: &str, seconds: i64, words: &str| {
        let all = at(text, seconds).events(&EventFilter::default());
        let marks = || all.iter().filter(|e| e.verb == "marked").map(|e| e.why.as_str());
        let found = marks().find(|why| why.contains(words));
        found.unwrap_or_else(|| panic!("{words:?} in none of {:#?}", marks().collect::<Vec<_>>())).to_string()
    };
    let text = two_queues(&format!("{ON}{AT_ONCE}"), "");
    let figures = "Others are owed room that root.a uses: root.a used 8 GB of 4 GB guaranteed; 1 GB of that may be taken in \
                   this round, which is to take 1 GB. It is killed at 0:45 unless";
    assert!(marked(&text, 40, "root.a").starts_with(figures), "{}", marked(&text, 40, "root.a"));
    let within = marked(include_str!("../../tests/scenarios/preemption-within-a-queue.toml"), 60, "Other applications");
    assert!(within.contains("are owed its room: its application still owed"), "{within}");
    let reserved = marked(include_str!("../../tests/scenarios/preemption-for-a-reservation.toml"), 290, "reservation");
    assert!(reserved.starts_with("A reservation on its node needs its room: that of big in root.b."), "{reserved}");
}

/// A queue beyond its maximum is preempted for nobody, and killing a container that was reserved on lent room frees nothing.
#[test]
fn what_is_beyond_a_maximum_is_told_so_and_so_is_a_kill_that_comes_to_nothing() {
    let mut player = at(include_str!("../../tests/scenarios/preemption-beyond-the-maximum.toml"), 13);
    let told = |player: &mut super::Player, k: usize, seconds: i64| {
        player.seek(seconds * 1000);
        let told = player.why(&Selection::Container { app: "lent".into(), k }).preemption;
        told.unwrap_or_else(|| panic!("container {k} at {seconds} s"))
    };
    let first = told(&mut player, 5, 13);
    assert!(
        first.sentence.contains("those on room that the partition lends, the latest first. It is killed at 0:18"),
        "{first:#?}"
    );
    let owed = met(&first, "others owed");
    assert_eq!(
        (owed.met, owed.value.as_str()),
        (Met::Yes, "nobody need be: root.d uses more than its maximum of 3 GB")
    );
    let marked = told(&mut player, 6, 23);
    assert!(marked.sentence.contains("Its kill will come to nothing"), "{marked:#?}");
    let after = told(&mut player, 6, 28);
    assert!(
        after.sentence.starts_with("The preemption round at 0:27 killed it, and that came to nothing"),
        "{after:#?}"
    );
    let marked_anew = told(&mut player, 6, 31);
    assert!(marked_anew.sentence.contains("at 0:30"), "{marked_anew:#?}");
    let all = player.events(&EventFilter::default());
    let why = |verb: &str| all.iter().filter(|e| e.verb == verb).map(|e| e.why.as_str()).collect::<Vec<_>>();
    assert!(
        why("marked")
            .iter()
            .all(|why| why.starts_with("Its queue uses more than its maximum: root.d used 3.5 GB of at most 3 GB"))
    );
    assert_eq!(why("preempted"), ["Marked since 0:12 and not given back: its queue uses more than its maximum."]);
    let ledger = player.ledger(None);
    let said = format!("{ledger:?}");
    assert!(said.contains("its kill comes to nothing"), "{said}");
}

/// An AM does not register if its attempt has ended by then, even if its process still runs, and is not taken for the next
/// attempt's.
#[test]
fn an_am_that_is_killed_before_it_registers_does_not_register() {
    let mut player = at(include_str!("../../tests/scenarios/preemption-before-registration.toml"), 9);
    let told = player.events(&EventFilter::default());
    assert!(told.iter().any(|e| e.verb == "starts again"), "its first attempt is over: {told:#?}");
    // It would have registered at 9.25 s; its node learns at 9.5 s that it must stop it.
    player.seek(9_400);
    assert!(player.simulation().apps()[0].master.is_none());
}
