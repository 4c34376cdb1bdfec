//! Causes over time: the stretches of situations in which the cause changes, with the events between them.

use crate::explain::view::{Selection, StretchView};
use crate::fixtures::at;

macro_rules! situation {
    ($name:literal) => {
        include_str!(concat!("../../tests/scenarios/why/", $name, ".toml"))
    };
}

fn of_app(text: &str, app: &str, seconds: i64) -> Vec<StretchView> {
    at(text, seconds).why(&Selection::App(app.into())).over_time
}

/// "AM limit (2:10)", with the event after it.
fn told(stretches: &[StretchView]) -> String {
    let each = stretches.iter().map(|s| {
        let happened = if s.happened.is_empty() { String::new() } else { format!(" ({})", s.happened.join("; ")) };
        format!("{}{happened}", s.text)
    });
    each.collect::<Vec<_>>().join(", then ")
}

#[test]
fn a_cause_that_changes_is_told_with_what_changed_it() {
    let limits = "heddle = 1\nscheduling = \"heartbeat\"\nuntil = \"3 min\"\n[capacity-scheduler]\nroot.queues = \"q\"\n\
        root.q.capacity = 100\nroot.q.user-limit-factor = 5\nmaximum-am-resource-percent = 0.3\n[[nodes]]\nname = \"n1\"\nsize = \"8 GB/16\"\n\
        [[apps]]\nname = \"first\"\nqueue = \"q\"\nam = \"2 GB/1\"\ntasks = [{ count = 1, size = \"1 GB/1\", duration = \"50 s\" }]\n\
        [[apps]]\nname = \"fill\"\nat = \"1 s\"\nqueue = \"q\"\nam = { unmanaged = true }\n\
        tasks = [{ count = 30, size = \"1 GB/1\", duration = \"forever\" }]\n\
        [[apps]]\nname = \"late\"\nat = \"20 s\"\nqueue = \"q\"\nam = \"2 GB/1\"\ntasks = [{ count = 1 }]\n";
    let refreshed = "heddle = 1\nscheduling = \"heartbeat\"\nuntil = \"3 min\"\n[capacity-scheduler]\nroot.queues = \"q\"\n\
        root.q.capacity = 100\nroot.q.user-limit-factor = 5\nmaximum-am-resource-percent = 1\nuser.max-parallel-apps = 1\n\
        [[nodes]]\nname = \"n1\"\nsize = \"8 GB/16\"\n[[apps]]\nname = \"first\"\nqueue = \"q\"\nuser = \"ann\"\nam = \"1 GB/1\"\n\
        tasks = [{ count = 30, size = \"1 GB/1\", duration = \"forever\" }]\n\
        [[apps]]\nname = \"late\"\nat = \"20 s\"\nqueue = \"q\"\nuser = \"ann\"\nam = \"1 GB/1\"\ntasks = [{ count = 1 }]\n\
        [[happenings]]\nat = \"80 s\"\ndo = \"refresh\"\n[happenings.capacity-scheduler]\nuser.max-parallel-apps = 3\n";
    let cases = [
        (limits, "late", 120, vec!["AM limit", "no room"], "first ended at "),
        (refreshed, "late", 120, vec!["too many applications", "no room"], "settings were refreshed at 1:20"),
        (situation!("silent-node-still-counts"), "job", 120, vec!["no room"], "n2 has been silent since 0:"),
        (situation!("affinity-host-application-left"), "near", 90, vec!["constraint"], "db-4 ended at 0:58"),
        (situation!("fair-running-apps-user-then-queue"), "c", 80, vec!["too many applications"], "b ended at "),
        (
            situation!("label-taken-away"),
            "four",
            60,
            vec!["it was served, then no room, then no node has its label"],
            "x1 lost its label at 0:40",
        ),
        (situation!("moved-in-over-its-maximum"), "two", 60, vec!["no room, then queue at its limit"], ""),
        (situation!("relabelled-away"), "job", 60, vec!["no room"], "n2 got another label at 0:30"),
        (situation!("am-hangs-then-second-attempt"), "job", 1_400, vec!["no room"], "attempt 2 began at 20:00"),
        // Requests for hosts first, then repeatedly for any host, are one want.
        (situation!("samza-hosts-full"), "join", 100, vec!["no room", "then no headroom"], ""),
        // A node that has another label and is full besides.
        (situation!("label-lends-no-am"), "idx", 150, vec!["no room"], "n2 got another label at 2:00"),
    ];
    let mut wrong = Vec::new();
    for (text, app, seconds, causes, happened) in cases {
        let told = told(&of_app(text, app, seconds));
        let mut from = 0;
        for cause in &causes {
            match told[from..].find(cause) {
                Some(at) => from += at + cause.len(),
                None => wrong.push(format!("{app} at {seconds}: {cause:?} is not in {told:?}")),
            }
        }
        if !told.contains(happened) {
            wrong.push(format!("{app} at {seconds}: {happened:?} is not in {told:?}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn there_are_a_few_stretches_at_most_and_the_last_ends_now() {
    // Room comes and goes every few seconds, and so does what stops the second application.
    let text = "heddle = 1\nscheduling = \"heartbeat\"\nuntil = \"10 min\"\n[capacity-scheduler]\nroot.queues = \"q,p\"\n\
        root.q.capacity = 50\nroot.q.maximum-capacity = 50\nroot.p.capacity = 50\nmaximum-am-resource-percent = 1\n\
        root.q.user-limit-factor = 2\nroot.p.user-limit-factor = 2\n\
        [[nodes]]\nname = \"n{1}\"\ncount = 2\nsize = \"4 GB/16\"\n\
        [[apps]]\nname = \"waves\"\nqueue = \"q\"\nam = \"1 GB/1\"\ntasks = [{ count = 200, size = \"1 GB/1\", duration = \"20 s\" }]\n\
        [[apps]]\nname = \"fill\"\nqueue = \"p\"\nam = \"1 GB/1\"\ntasks = [{ count = 200, size = \"1 GB/1\", duration = \"33 s\" }]\n\
        [[apps]]\nname = \"job\"\nat = \"5 s\"\nqueue = \"q\"\nam = \"3 GB/1\"\ntasks = [{ count = 1 }]\n";
    let told = of_app(text, "job", 500);
    assert!(told.len() <= 6, "{told:?}");
    assert!(told.last().is_none_or(|s| s.to_ms.is_none()), "{told:?}");
    assert!(told.iter().rev().skip(1).all(|s| s.to_ms.is_some_and(|to| to > s.from_ms)), "{told:?}");
}

/// Asynchronous scheduling offers nodes all the time. Heddle skips runs of it that change nothing; the answers must not say
/// that it does not look.
#[test]
fn what_waits_is_looked_at_all_the_time_by_a_scheduler_that_walks_by_itself() {
    let text = "heddle = 1\nuntil = \"60 s\"\n[yarn-site]\nresourcemanager.placement-constraints.handler = \"scheduler\"\n\
        [[nodes]]\nname = \"n{}\"\ncount = 5\nsize = \"4 GB/4\"\n[[apps]]\nname = \"zk\"\nkind = \"distributed-shell\"\n\
        spec = \"zk(8),NOTIN,NODE,zk\"\nsize = \"1 GB/1\"\nduration = \"forever\"\n";
    for mode in ["async", "heartbeat"] {
        let text = text.replace("heddle = 1\n", &format!("heddle = 1\nscheduling = \"{mode}\"\n"));
        let told = told(&of_app(&text, "zk", 30));
        assert!(!told.contains("not looked at"), "{mode}: {told}");
    }
}
