//! Waiting means that something is wanted and lacking since a moment, whatever YARN has of it now: each kind of application
//! and each way to lack, everywhere it is shown.

use crate::explain::view::{EventOutcome, Selection};
use crate::fixtures::at;
use crate::{EventFilter, Player};

/// A situation: its text, the application, when, how many wait then, and between which moments (in ms) the want began.
struct Lacks {
    what: &'static str,
    text: String,
    app: &'static str,
    seconds: i64,
    count: i64,
    since: (i64, i64),
}

macro_rules! situation {
    ($name:literal) => {
        include_str!(concat!("../../tests/scenarios/why/", $name, ".toml"))
    };
}

fn queue(settings: &str, rest: &str) -> String {
    format!(
        "heddle = 1\nscheduling = \"heartbeat\"\nuntil = \"5 min\"\n[capacity-scheduler]\nroot.queues = \"q\"\n\
         root.q.capacity = 100\n{settings}[[nodes]]\nname = \"n{{1}}\"\ncount = 2\nsize = \"4 GB/16\"\n{rest}"
    )
}

const FIRST: &str = "[[apps]]\nname = \"first\"\nqueue = \"root.q\"\nam = \"1 GB/1\"\n\
    tasks = [{ count = 1, size = \"1 GB/1\", duration = \"forever\" }]\n";
const JOB: &str = "[[apps]]\nname = \"job\"\nat = \"20 s\"\nqueue = \"root.q\"\nam = \"1 GB/1\"\n\
    tasks = [{ count = 2, size = \"1 GB/1\", duration = \"forever\" }]\n";

fn lacks() -> Vec<Lacks> {
    let row = |what, text: String, app, seconds, count, since| Lacks { what, text, app, seconds, count, since };
    let held = |settings: &str| queue(settings, &format!("{FIRST}{JOB}"));
    let fair = |settings: &str| {
        let file = format!("<allocations><queue name='q'>{settings}</queue></allocations>");
        format!(
            "heddle = 1\nscheduling = \"heartbeat\"\nuntil = \"5 min\"\nscheduler = \"fair\"\n[files]\n\"fair-scheduler.xml\" = \
             \"{file}\"\n[[nodes]]\nname = \"n{{1}}\"\ncount = 2\nsize = \"4 GB/16\"\n{FIRST}{JOB}"
        )
    };
    let samza_between = situation!("samza-host-lost-then-standby").to_string();
    let hangs = queue("", &format!("{JOB}[[happenings]]\nat = \"60 s\"\ndo = \"hang_am\"\napp = \"job\"\n"));
    vec![
        row("not active", held("maximum-am-resource-percent = 0.1\n"), "job", 60, 1, (20_000, 20_000)),
        row("not runnable", held("root.q.max-parallel-apps = 1\n"), "job", 60, 1, (20_000, 20_000)),
        row("not runnable, fair", fair("<maxRunningApps>1</maxRunningApps>"), "job", 60, 1, (20_000, 20_000)),
        row("AM share, fair", fair("<maxAMShare>0.2</maxAMShare>"), "job", 60, 1, (20_000, 20_000)),
        row("AM hangs", hangs, "job", 180, 1, (58_000, 60_000)),
        row("preempted", situation!("preempted-and-gone").into(), "old", 120, 2, (40_000, 80_000)),
        row("preempted, a shell", situation!("shell-preempted").into(), "old", 120, 4, (51_000, 53_000)),
        row("lost, a shell", situation!("shell-lost-with-its-node").into(), "kv", 90, 1, (60_000, 62_000)),
        row("rejected and asked anew", situation!("processor-gives-up").into(), "zk", 40, 1, (3_000, 8_000)),
        row("rejected and asked anew, later", situation!("processor-gives-up").into(), "zk", 58, 1, (3_000, 8_000)),
        row("Slider holds back", situation!("slider-aa-label-and-too-few").into(), "hbase", 60, 3, (2_000, 12_000)),
        row(
            "Slider waits for its host",
            situation!("slider-escalation-then-label").into(),
            "web",
            145,
            1,
            (120_000, 145_000),
        ),
        row("Samza given up", situation!("samza-no-retry").into(), "join", 60, 1, (3_000, 20_000)),
        row("Samza between two requests", samza_between, "join", 150, 1, (120_000, 135_000)),
        row("service call refused", situation!("service-handler-disabled").into(), "shop", 60, 2, (1_000, 8_000)),
        row("service held back", situation!("service-dependency-crashes").into(), "shop", 30, 2, (1_000, 8_000)),
        row("process ends again", situation!("service-dependency-crashes").into(), "shop", 180, 1, (10_000, 50_000)),
    ]
}

fn player_of(l: &Lacks) -> Player {
    // Expectations use the same notion.
    let expected = format!(
        "\n[[expect]]\nat = \"{} s\"\napp = \"{}\"\nwaiting = {}\n[[expect]]\nat = \"{} s\"\nwaiting = \">= {}\"\n",
        l.seconds, l.app, l.count, l.seconds, l.count
    );
    at(&format!("{}{expected}", l.text), l.seconds)
}

#[test]
fn whatever_somebody_lacks_is_told_in_every_place_since_it_was_wanted() {
    let mut wrong = Vec::new();
    for l in lacks() {
        let mut player = player_of(&l);
        let s = player.snapshot(None);
        let mut say = |what: String| wrong.push(format!("{}: {what}", l.what));
        // The lane and the table of requests.
        let mine: Vec<_> = s.waiting.iter().filter(|w| w.app == l.app).collect();
        let count: i64 = mine.iter().map(|w| w.count).sum();
        if count != l.count {
            say(format!("{count} wait: {mine:?}"));
        }
        let since = mine.iter().map(|w| w.since_ms).min().unwrap_or(-1);
        if !(l.since.0..=l.since.1).contains(&since) {
            say(format!("since {since}"));
        }
        if mine.iter().any(|w| w.reason.is_empty()) {
            say(format!("a card says no reason: {mine:?}"));
        }
        // The sum.
        if (s.tally.waiting as i64) < l.count {
            say(format!("the sum is {}", s.tally.waiting));
        }
        // The headline.
        if s.headline_about.as_ref().and_then(Selection::app) != Some(l.app) || s.headline.contains("placed in") {
            say(format!("the headline is {:?}", s.headline));
        }
        // WHY of the headline's subject, and of the application.
        let about_app = Selection::App(l.app.into());
        for about in [s.headline_about.clone().unwrap_or(about_app.clone()), about_app.clone()] {
            let why = player.why(&about);
            if !matches!(why.fate, Some(EventOutcome::Waiting | EventOutcome::Rejected)) || why.sentence.is_empty() {
                say(format!("WHY of {about}: {:?} {}", why.fate, why.sentence));
            }
        }
        let clause = s.headline.split_once(": ").map_or("", |(_, clause)| clause).trim_end_matches('.').to_lowercase();
        let told = player.why(&s.headline_about.clone().unwrap_or(about_app.clone())).sentence.replace("**", "");
        if !told.to_lowercase().contains(&clause) {
            say(format!("the headline says {clause:?}, WHY {told:?}"));
        }
        // The events.
        let filter = EventFilter { about: Some(about_app), skips: true, until_now: true, last: 0 };
        let bad = |fate: EventOutcome| {
            matches!(
                fate,
                EventOutcome::Waiting | EventOutcome::Rejected | EventOutcome::Preempting | EventOutcome::Lost
            )
        };
        if !player.events(&filter).iter().any(|e| bad(e.fate)) {
            say("no event tells it".into());
        }
        // Expectations.
        for verdict in player.verdicts().iter().rev().take(2).filter(|v| !v.passed) {
            say(verdict.told());
        }
    }
    assert!(wrong.is_empty(), "{}:\n{}", wrong.len(), wrong.join("\n"));
}
