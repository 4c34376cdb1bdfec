//! Each refusal as the user sees it: headline, picture, scrubber, list of applications, events, and the answer of WHY.

use super::{EventFilter, Player};
use crate::explain::view::{EventOutcome, Selection, Snapshot, StepBy, WhyView};
use heddle_core::model::Severity;

const HEAD: &str = "heddle = 1\nscheduling = \"heartbeat\"\nuntil = \"3 min\"\n";
const NODES: &str = "[[nodes]]\nname = \"n{1}\"\ncount = 3\nsize = \"8 GB/8\"\n";
const TWO_QUEUES: &str = "root.queues = [\"a\", \"b\"]\nroot.a.capacity = 50\nroot.b.capacity = 50\n";

/// Plays a scenario with three nodes, from its head, the scheduler's settings, and the rest.
fn player(head: &str, capacity: &str, rest: &str) -> Player {
    played(&format!("{HEAD}{head}{NODES}[capacity-scheduler]\n{capacity}\n{rest}"))
}

fn played(text: &str) -> Player {
    let loaded = Player::load(text);
    let problems: Vec<String> = loaded.problems.iter().map(|p| p.render(text)).collect();
    let Some(mut player) = loaded.player else { panic!("{problems:#?}") };
    player.run_to_end();
    player.seek(170_000);
    player
}

/// Returns an application with two small tasks.
fn app(name: &str, at: u32, queue: &str, more: &str) -> String {
    let more = if more.contains("tasks") || more.contains("kind") {
        more.to_string()
    } else {
        format!("{more}\ntasks = [{{ count = 2, size = \"1 GB/1\", duration = \"10 s\" }}]")
    };
    format!("[[apps]]\nname = \"{name}\"\nat = \"{at} s\"\nuser = \"u-{name}\"\nqueue = \"{queue}\"\n{more}\n")
}

fn why(player: &Player, about: &str) -> WhyView {
    player.why(&about.parse().expect("a selection"))
}

/// Checks what must hold for every refusal: the headline is `headline`, and every part of the page shows it.
fn told(player: &Player, about: &str, headline: &str, by: &str) -> WhyView {
    let selection: Selection = about.parse().expect("a selection");
    let s: Snapshot = player.snapshot(None);
    assert_eq!(s.headline, headline);
    assert_eq!(s.headline_about.as_ref(), Some(&selection));
    assert!(s.refused.iter().any(|r| r.id == selection && !r.short.is_empty()), "{:?}", s.refused);
    assert_eq!(s.tally.refused, s.refused.len());
    let marked =
        |m: &crate::explain::view::Mark| m.fate == EventOutcome::Rejected && m.about.as_ref() == Some(&selection);
    assert!(player.timeline().marks.iter().any(marked), "{:?}", player.timeline().marks);
    let filter = EventFilter { about: Some(selection.clone()), ..EventFilter::default() };
    assert!(player.events(&filter).iter().any(|e| e.fate == EventOutcome::Rejected), "{:?}", player.events(&filter));
    let why = player.why(&selection);
    assert_eq!(why.fate, Some(EventOutcome::Rejected), "{why:?}");
    // The headline says nothing beyond the answer.
    let reason = headline.split_once(": ").map_or("", |(_, reason)| reason).trim_end_matches('.');
    assert!(why.sentence.replace("**", "").contains(reason), "{}", why.sentence);
    assert!(why.sources.iter().any(|s| s == by), "{:?}", why.sources);
    assert!(
        !why.yarn.is_empty() && why.yarn.iter().all(|(words, _)| !words.contains('<') || words.contains("memory:"))
    );
    why
}

fn limit(why: &WhyView) -> (&str, &str, &str) {
    let limit = why.limits.iter().find(|l| !l.passes && l.reached).expect("a limit");
    (limit.name.as_str(), limit.of.as_str(), limit.text.as_str())
}

fn help(why: &WhyView) -> &str {
    why.facts.iter().find(|f| f.name == "what would help").map_or("", |f| f.value.as_str())
}

#[test]
fn an_am_above_the_maximum_allocation() {
    let apps = app("ok", 0, "default", "") + &app("etl", 5, "default", "am = \"20 GB/1\"");
    let player = player(
        "",
        "maximum-am-resource-percent = 0.5",
        &format!("[yarn-site]\nscheduler.maximum-allocation-mb = 16384\n{apps}"),
    );
    let headline = "etl was refused at 0:05: its AM asks for 20 GB, and the largest node has 8 GB.";
    let why = told(&player, "app:etl", headline, "RMAppManager.validateAndCreateResourceRequest");
    assert!(why.sentence.ends_with(" No application appears."), "{}", why.sentence);
    assert_eq!(limit(&why), ("maximum allocation", "the largest node", "20 > 8"));
    assert_eq!(
        help(&why),
        "Ask for 8 GB or less; or raise the cluster's maximum allocation to 20 GB and add a node with 20 GB."
    );
    assert!(why.limits[0].formula.contains(&"configured for the cluster = 16 GB".to_string()), "{:?}", why.limits);
    let apps = player.snapshot(None).apps;
    assert_eq!((apps[0].progress.as_str(), apps[1].progress.as_str()), ("2 done", "refused"));
    // Nothing is refused before the submission.
    let mut player = player;
    player.seek(4_000);
    assert_eq!(why_is(&player, "app:etl"), "**etl** is submitted at 0:05.");
    assert_eq!(player.snapshot(None).apps[1].progress, "from 0:05");
    assert!(player.snapshot(None).refused.is_empty());
}

fn why_is(player: &Player, about: &str) -> String {
    why(player, about).sentence
}

#[test]
fn a_container_above_the_queues_maximum_allocation() {
    let capacity = "root.queues = \"a\"\nroot.a.capacity = 100\nroot.a.maximum-allocation-mb = 4096";
    let etl = app("etl", 0, "root.a", "tasks = [{ count = 4, size = \"6 GB/1\", duration = \"10 s\" }]");
    let player = player("", capacity, &(etl + &app("ok", 0, "root.a", "")));
    let headline = "A call of etl was refused at 0:05: it asks for containers of 6 GB, and root.a allows 4 GB at most.";
    let why = told(&player, "app:etl", headline, "SchedulerUtils.validateResourceRequest");
    assert_eq!(limit(&why), ("maximum allocation", "root.a", "6 > 4"));
    assert_eq!(why.status, "FINISHED, final status FAILED");
    assert!(why.sentence.starts_with("**etl** failed after "), "{}", why.sentence);
    assert!(why.sentence.ends_with(" 0 containers did their work."), "{}", why.sentence);
    assert_eq!(help(&why), "Ask for 4 GB or less, or raise root.a's maximum allocation to 6 GB.");
    let s = player.snapshot(None);
    assert_eq!(s.apps[0].state, "FINISHED, final status FAILED");
    // Its user's answer has it, too.
    assert!(why_is(&player, "user:u-etl").contains("A call of **etl** was refused at 0:05"));
    // So has the answer about its request, which does not exist.
    assert!(why_is(&player, "request:etl/20_-1").starts_with("A call of **etl** was refused at 0:05"));
}

#[test]
fn a_call_refused_of_an_am_that_goes_on() {
    let raw = app("raw", 0, "default", "kind = \"requests\"\nam = \"1 GB/1\"")
        + "[[apps.calls]]\nat = \"5 s\"\nasks = [{ priority = 1, count = 2, size = \"9 GB/1\", duration = \"10 s\" }]\n";
    let player = player("", "", &raw);
    let headline = "A call of raw was refused at 0:05: it asks for containers of 9 GB, and 8 GB is the most that may be asked for.";
    let why = told(&player, "app:raw", headline, "DefaultAMSProcessor.allocate");
    assert_eq!(why.status, "RUNNING");
    assert_eq!(player.snapshot(None).apps[0].progress, "call refused");
}

#[test]
fn who_may_not_submit() {
    let closed = "root.acl_submit_applications = \" \"\nroot.acl_administer_queue = \" \"\nroot.a.acl_submit_applications = \"u-ok\"\n";
    let rest =
        "[yarn-site]\nacl.enable = true\n".to_string() + &app("ok", 0, "root.a", "") + &app("etl", 5, "root.a", "");
    let player = player("", &format!("{TWO_QUEUES}{closed}"), &rest);
    let headline = "etl was refused at 0:05: u-etl may not submit to root.a.";
    let why = told(&player, "app:etl", headline, "RMAppManager.createAndPopulateNewRMApp");
    assert_eq!(why.yarn[0].0, "User u-etl does not have permission to submit application_0_0002 to queue root.a");
    assert_eq!(limit(&why), ("permission", "root.a", "u-etl is not named"));
    let set = "yarn.scheduler.capacity.root.a.acl_submit_applications = u-ok";
    assert!(why.limits[0].properties.iter().any(|p| p.starts_with(set)), "{:?}", why.limits);
}

#[test]
fn a_priority_that_is_not_granted() {
    let capacity =
        format!("{TWO_QUEUES}root.a.acl_application_max_priority = \"[user=u-etl max_priority=2 default_priority=1]\"");
    let site = "[yarn-site]\nacl.enable = true\ncluster.max-application-priority = 10\n";
    let player = player("", &capacity, &(site.to_string() + &app("etl", 5, "root.a", "priority = 5")));
    let headline = "etl was refused at 0:05: u-etl may not have priority 5 in root.a.";
    let why = told(&player, "app:etl", headline, "AppPriorityACLsManager.checkAccess");
    assert!(why.yarn[0].0.contains("submit/update application_0_0001 for 5"), "{:?}", why.yarn);
}

#[test]
fn queues_that_take_nothing() {
    // A queue that is configured so; the other finishes what it has.
    let stop = "[[happenings]]\nat = \"20 s\"\ndo = \"refresh\"\n[happenings.capacity-scheduler]\nroot.a.state = \"STOPPED\"\n";
    let long = "tasks = [{ count = 1, size = \"1 GB/1\", duration = \"forever\" }]";
    let rest = app("ok", 0, "root.a", long) + &app("late", 40, "root.a", "") + stop;
    let draining = player("", TWO_QUEUES, &rest);
    let headline = "late was refused at 0:40: root.a is DRAINING: it finishes what it has and takes nothing new.";
    let why = told(&draining, "app:late", headline, "AbstractLeafQueue.validateSubmitApplication");
    assert_eq!(limit(&why), ("queue state", "root.a", "DRAINING"));
    assert!(why.limits[0].properties[0].ends_with("root.a.state = STOPPED (refreshed at 0:20)"), "{:?}", why.limits);

    let capacity = format!("{TWO_QUEUES}root.b.state = \"STOPPED\"");
    let stopped = player("", &capacity, &(app("ok", 0, "root.a", "") + &app("etl", 5, "root.b", "")));
    let headline = "etl was refused at 0:05: root.b is STOPPED and takes no applications.";
    let why = told(&stopped, "app:etl", headline, "AbstractLeafQueue.validateSubmitApplication");
    assert!(why.sentence.ends_with(" The application is FAILED and never had an attempt."), "{}", why.sentence);
}

#[test]
fn as_many_applications_as_there_may_be() {
    let long = "tasks = [{ count = 1, size = \"1 GB/1\", duration = \"forever\" }]";
    let apps = |queue: &str| app("one", 0, queue, long) + &app("two", 5, queue, "");
    // The queue's limit, by its share.
    let share = "maximum-applications = 100\nroot.queues = [\"a\", \"b\"]\nroot.a.capacity = 1\nroot.a.maximum-capacity = 100\n\
                 root.a.user-limit-factor = 100\nroot.b.capacity = 99";
    let of_share = player("", share, &apps("root.a"));
    let by = "AbstractLeafQueue.validateSubmitApplication";
    let headline = "two was refused at 0:05: root.a has 1 application, and 1 is its most (100 × 1 %).";
    let why = told(&of_share, "app:two", headline, by);
    assert_eq!(limit(&why), ("maximum-applications", "root.a", "1 + 1 > 1"));
    assert_eq!(why.limits[0].formula, ["maximum-applications × its share of the cluster = 100 × 1 % = 1"]);
    assert!(why.limits[0].properties[0].starts_with("yarn.scheduler.capacity.maximum-applications = 100"));
    assert_eq!(help(&why), "Raise root.a.maximum-applications above 1.");
    // A limit of none: a queue without a share, as in a well-known file.
    let none = "root.queues = [\"a\", \"yarn-system\"]\nroot.a.capacity = 100\nroot.yarn-system.capacity = 0";
    let of_none = player("", none, &app("svc", 0, "root.yarn-system", ""));
    let headline =
        "svc was refused at 0:00: root.yarn-system takes no application at all: its most is 0 (10000 × 0 %).";
    let why = told(&of_none, "app:svc", headline, by);
    assert_eq!(limit(&why).2, "0 + 1 > 0");
    // A share that leaves less than one.
    let little = "maximum-applications = 10\nroot.queues = [\"a\", \"b\"]\nroot.a.capacity = 5\nroot.b.capacity = 95";
    let why = why_of(&player("", little, &app("svc", 0, "root.a", "")), "app:svc");
    assert_eq!(why.limits[0].formula, ["maximum-applications × its share of the cluster = 10 × 5 %, rounded down = 0"]);
    // The queue's own limit, the common one, and the system's.
    let own = "root.queues = \"a\"\nroot.a.capacity = 100\nroot.a.maximum-applications = 1";
    let headline = "two was refused at 0:05: root.a has 1 application, and 1 is its most.";
    told(&player("", own, &apps("root.a")), "app:two", headline, by);
    let every = "global-queue-max-application = 1\nroot.queues = \"a\"\nroot.a.capacity = 100";
    let headline = "two was refused at 0:05: root.a has 1 application, and 1 is its most, as of every queue.";
    let why = told(&player("", every, &apps("root.a")), "app:two", headline, by);
    assert_eq!(help(&why), "Raise global-queue-max-application.");
    let headline = "two was refused at 0:05: the cluster has 1 application, and 1 is its most.";
    told(
        &player("", "maximum-applications = 1", &apps("default")),
        "app:two",
        headline,
        "CapacityScheduler.addApplication",
    );
}

fn why_of(player: &Player, about: &str) -> WhyView {
    why(player, about)
}

#[test]
fn as_many_applications_of_a_user_as_there_may_be() {
    let capacity = "root.queues = \"a\"\nroot.a.capacity = 100\nroot.a.maximum-applications = 4\nroot.a.minimum-user-limit-percent = 25";
    let long = "tasks = [{ count = 1, size = \"1 GB/1\", duration = \"forever\" }]";
    let apps = (app("one", 0, "root.a", long) + &app("two", 5, "root.a", "")).replace("u-two", "u-one");
    let player = player("", capacity, &apps);
    let headline = "two was refused at 0:05: u-one has 1 application in root.a, and 1 is the most of one user.";
    let why = told(&player, "app:two", headline, "AbstractLeafQueue.validateSubmitApplication");
    assert_eq!(limit(&why), ("applications of a user", "u-one in root.a", "1 + 1 > 1"));
    assert!(why.limits[0].formula[1].contains("4 × 25 % (minimum-user-limit-percent) × 1 (user-limit-factor)"));
}

#[test]
fn queues_that_are_none() {
    let capacity = "root.queues = [\"a\", \"b\"]\nroot.a.capacity = 50\nroot.a.queues = [\"x\", \"y\"]\nroot.a.x.capacity = 50\n\
                    root.a.y.capacity = 50\nroot.b.capacity = 50\nroot.b.queues = [\"x\"]\nroot.b.x.capacity = 100";
    let by = "CapacityScheduler.addApplication";
    for (queue, reason, mend) in [
        ("nowhere", "there is no queue nowhere", "Submit it to a leaf that is there, or add the queue."),
        ("root.a", "root.a is a parent, and applications go to leaf queues", "Submit it to root.a.x or root.a.y."),
        (
            "x",
            "more than one queue is called x (root.a.x and root.b.x): the whole path is needed",
            "Write the whole path of the queue.",
        ),
    ] {
        let player = player("", capacity, &(app("ok", 0, "root.a.x", "") + &app("etl", 5, queue, "")));
        let why = told(&player, "app:etl", &format!("etl was refused at 0:05: {reason}."), by);
        assert_eq!(help(&why), mend);
    }
}

#[test]
fn labels_that_may_not_be_asked_for() {
    let two = "root.queues = [\"a\", \"b\"]\nroot.a.capacity = 50\nroot.b.capacity = 50\n";
    let labelled =
        "[[nodes]]\nname = \"g\"\nlabel = \"gpu\"\nsize = \"8 GB/8\"\n[yarn-site]\nnode-labels.enabled = true\n";
    let asks =
        |label: &str| format!("tasks = [{{ count = 1, size = \"1 GB/1\", duration = \"1 s\", label = \"{label}\" }}]");
    let closed = format!("{two}root.a.accessible-node-labels = \" \"");
    let player_of = |capacity: &str, label: &str| {
        let rest = labelled.to_string() + &app("etl", 0, "root.a", &asks(label));
        player("labels = [\"gpu\"]\n", capacity, &rest)
    };
    let headline = "A call of etl was refused at 0:05: it asks for label gpu, and root.a has access to no label.";
    let why = told(&player_of(&closed, "gpu"), "app:etl", headline, "SchedulerUtils.validateResourceRequest");
    assert_eq!(limit(&why), ("label access", "root.a", "gpu: none is open"));
}

#[test]
fn a_node_below_the_minimum_allocation() {
    let tiny = "[[nodes]]\nname = \"tiny\"\nsize = \"512 MB/8\"\nat = \"3 s\"\n";
    let player = player("", "", &(tiny.to_string() + &app("ok", 0, "default", "")));
    let headline = "Node tiny was refused at 0:03: it has 512 MB, and the smallest container takes 1 GB.";
    let why = told(&player, "node:tiny", headline, "ResourceTrackerService.registerNodeManager");
    assert_eq!(limit(&why), ("minimum allocation", "the cluster", "1 > 0.5"));
    assert_eq!(help(&why), "Make the node larger, or lower yarn.scheduler.minimum-allocation-mb.");
    assert!(why_is(&player, "node:n9").contains("has no node"));
}

#[test]
fn refused_settings_until_others_are_taken() {
    let refresh = |at: u32, share: u32| {
        format!(
            "[[happenings]]\nat = \"{at} s\"\ndo = \"refresh\"\n[happenings.capacity-scheduler]\nroot.a.capacity = {share}\n"
        )
    };
    let rest = app("ok", 0, "root.a", "") + &refresh(60, 70);
    let refused = player("", TWO_QUEUES, &rest);
    let headline =
        "The new settings were refused at 1:00: The capacities of the children of root sum to 120 %, 100 needed.";
    let why = told(&refused, "refresh:60000", headline, "CapacityScheduler.reinitialize");
    assert!(why.sentence.ends_with(" The old ones stay."), "{}", why.sentence);
    assert_eq!(help(&why), "Change one of them so that they sum to 100.");
    // A later refresh was accepted: this refusal is over, but can still be asked about.
    let taken = player("", TWO_QUEUES, &(rest + &refresh(90, 50)));
    assert!(taken.snapshot(None).headline.starts_with("Both requests placed in "), "{}", taken.snapshot(None).headline);
    assert!(taken.snapshot(None).refused.is_empty());
    assert!(why_is(&taken, "refresh:60000").starts_with("The new settings were refused at 1:00: "));
    assert_eq!(why_is(&taken, "refresh:90000"), "The new settings took effect at 1:30.");
}

#[test]
fn several_refusals_are_counted_and_the_last_is_told() {
    let apps = app("ok", 0, "default", "")
        + &app("a", 5, "no", "")
        + &app("b", 6, "no", "")
        + &app("c", 7, "default", "lifetime = \"0 s\"");
    let player = player("", "", &apps);
    let headline = "3 applications were refused, the last at 0:07: c: its lifetime is 0 s, and has to be more than 0.";
    assert_eq!(player.snapshot(None).headline, headline);
    assert_eq!(player.snapshot(None).tally.refused, 3);
    // A step by change stops at refusals, though the journal does not have them.
    let mut player = player;
    player.seek(6_500);
    while player.now() < 7_000 {
        player.step(StepBy::Change, false);
    }
    assert_eq!(player.now(), 7_000);
}

#[test]
fn applications_that_failed_are_no_success() {
    let crash = "am = { size = \"1 GB/1\", fails_after = \"2 s\", exit_code = 3 }";
    let player = player("", "", &(app("ok", 0, "default", "") + &app("crash", 0, "default", crash)));
    let headline = player.snapshot(None).headline;
    assert!(headline.starts_with("crash failed at 0:"), "{headline}");
    assert!(headline.ends_with(": its AM exited with code 3, the last of 2 attempts."), "{headline}");
    assert!(why_is(&player, "app:crash").ends_with("its AM exited with code 3, the last of 2 attempts."));
}

#[test]
fn a_size_that_is_cut_is_told_where_it_is_asked_for() {
    for handler in ["scheduler", "placement-processor"] {
        let site = format!("[yarn-site]\nresourcemanager.placement-constraints.handler = \"{handler}\"\n");
        let zk = "kind = \"requests\"\nam = \"1 GB/1\"\ncalls = [{ scheduling = [{ id = 1, tags = [\"zk\"], count = 1, size = \"16 GB/1\", constraint = \"NOTIN,NODE,zk\" }] }]";
        let player = player("", "", &(site + &app("zk", 0, "default", zk)));
        let events = player.events(&EventFilter::default());
        let cut = events.iter().find(|e| e.verb == "size cut").expect(handler);
        assert!(cut.why.starts_with("Asked for with 8 GB instead of 16 GB"), "{}", cut.why);
        let said = |about: &str| {
            why(&player, about).facts.iter().any(|f| f.name.starts_with("size cut at ") && f.value.contains("16 GB"))
        };
        assert!(said("app:zk"), "{handler}");
        assert!(said("container:zk/1"), "{handler}");
    }
    // Requests that fit are not mentioned.
    let player = player("", "", &app("ok", 0, "default", ""));
    assert!(player.events(&EventFilter::default()).iter().all(|e| e.verb != "size cut"));
}

/// The scheduler checks a queue's limit before it checks whether the application has requests.
#[test]
fn nobody_is_passed_over_of_whom_nothing_waits() {
    let capacity = "maximum-am-resource-percent = 0.9\nroot.queues = [\"a\", \"b\"]\nroot.a.capacity = 25\nroot.b.capacity = 75\n\
                    root.a.maximum-capacity = 25\nroot.a.user-limit-factor = 10";
    // The first fills the queue and has no more requests; the second waits for its AM.
    let one = app("one", 0, "root.a", "tasks = [{ count = 4, size = \"1 GB/1\", duration = \"forever\" }]");
    let player = player("", capacity, &(one + &app("more", 20, "root.a", "")));
    let events = player.events(&EventFilter { skips: true, ..EventFilter::default() });
    let passed = |name: &str| events.iter().any(|e| e.verb == "passed over" && e.name == name && e.time_ms > 12_000);
    let looked = player.here().watched(crate::explain::record::Watch::all(), player.clock);
    use heddle_core::check::Outcome;
    use heddle_core::journal::{Entry, Finding};
    let idle = |e: &Entry| matches!(e, Entry::Found(Finding::Checked(c)) if c.outcome == Outcome::Moot);
    assert!(looked.iter().any(|(_, e)| idle(e)), "the scheduler looks at the first");
    assert!(!passed("one") && passed("root.a"), "{events:#?}");
}

/// Every change reported as helpful was run; with it, nothing of the application is refused.
#[test]
fn what_would_help_helps() {
    let long = "tasks = [{ count = 1, size = \"1 GB/1\", duration = \"forever\" }]";
    let two = |queue: &str| app("one", 0, queue, long) + &app("etl", 5, queue, "");
    let share = "maximum-applications = 100\nroot.queues = [\"a\", \"b\"]\nroot.a.capacity = 1\nroot.a.maximum-capacity = 100\n\
                 root.a.user-limit-factor = 100\nroot.b.capacity = 99";
    let of_user = "root.queues = \"a\"\nroot.a.capacity = 100\nroot.a.maximum-applications = 4\nroot.a.minimum-user-limit-percent = 25";
    let every = "global-queue-max-application = 1\nroot.queues = \"a\"\nroot.a.capacity = 100";
    let own = "root.queues = \"a\"\nroot.a.capacity = 100\nroot.a.maximum-allocation-mb = 4096";
    let six = app("etl", 0, "root.a", "tasks = [{ count = 4, size = \"6 GB/1\", duration = \"10 s\" }]");
    let stopped = format!("{TWO_QUEUES}root.a.state = \"STOPPED\"");
    let stop =
        "[[happenings]]\nat = \"2 s\"\ndo = \"refresh\"\n[happenings.capacity-scheduler]\nroot.a.state = \"STOPPED\"\n";
    let closed = "root.acl_submit_applications = \" \"\nroot.acl_administer_queue = \" \"\nroot.a.acl_submit_applications = \"u-one staff\"\n";
    let closed = format!("{TWO_QUEUES}{closed}");
    let acl = "[yarn-site]\nacl.enable = true\n".to_string() + &two("root.a");
    for (capacity, rest, changes) in [
        (share, two("root.a"), vec!["root.a.maximum-applications = 2"]),
        (
            of_user,
            two("root.a").replace("u-etl", "u-one"),
            vec!["root.a.user-limit-factor = 2", "root.a.maximum-applications = 8"],
        ),
        (every, two("root.a"), vec!["global-queue-max-application = 2"]),
        ("maximum-applications = 1", two("default"), vec!["maximum-applications = 2"]),
        (own, six, vec!["root.a.maximum-allocation-mb = 6144"]),
        (&stopped, app("etl", 0, "root.a", ""), vec!["root.a.state = RUNNING"]),
        (TWO_QUEUES, two("root.a") + stop, vec!["root.a.state = RUNNING"]),
        (&closed, acl, vec!["root.a.acl_submit_applications = u-one,u-etl staff"]),
    ] {
        let player = player("", capacity, &rest);
        let about = Selection::App("etl".into());
        assert_eq!(player.why(&about).fate, Some(EventOutcome::Rejected));
        let help = player.help(&about).found().to_vec();
        assert_eq!(help.iter().map(|h| h.change.as_str()).collect::<Vec<_>>(), changes);
        for h in help {
            assert!(h.helps, "{h:?}");
            let mut changed = Player::load(h.scenario.as_deref().unwrap_or_default()).player.expect("it can be read");
            changed.seek(170_000);
            assert!(changed.snapshot(None).refused.iter().all(|r| r.id != about), "{}", h.change);
        }
    }
}

/// A queue of the allocation file that YARN does not create is no parent; the advice is tried.
#[test]
fn queues_of_the_fair_scheduler_that_are_not_made() {
    let by = "FairScheduler.addApplication";
    let player = |queues: &str, to: &str| {
        let text = format!(
            "heddle = 1\nscheduler = \"fair\"\n[files]\n\"fair-scheduler.xml\" = '<allocations>{queues}</allocations>'\n\
             [[nodes]]\nname = \"n1\"\nsize = \"8 GB/8\"\n[[apps]]\nname = \"etl\"\nuser = \"ann\"\nqueue = \"{to}\"\n\
             am = \"1 GB/1\"\ntasks = [{{ count = 1, size = \"1 GB/1\", duration = \"5 s\" }}]\n"
        );
        played(&text)
    };
    let drf = "<schedulingPolicy>drf</schedulingPolicy>";
    let a = |inside: &str| format!("<queue name=\"a\">{inside}</queue>");
    for (queues, to, reason, mend, mended) in [
        (
            a(drf),
            "root.a",
            "root.a is not there and cannot be made: root.a has the policy drf, and root with fair may not have such a child",
            "Give root the policy drf, or root.a that of its parent.",
            [format!("<queue name=\"root\">{drf}{}</queue>", a(drf)), a("")],
        ),
        (
            a("<schedulingPolicy>fifo</schedulingPolicy><queue name=\"b\"/>"),
            "root.a.b",
            "root.a.b is not there and cannot be made: root.a would be a parent of policy fifo, below which there are no queues",
            "Give root.a the policy fair.",
            [a("<schedulingPolicy>fair</schedulingPolicy><queue name=\"b\"/>"), a("<queue name=\"b\"/>")],
        ),
        (
            a(""),
            "root.a.b",
            "root.a.b is not there and cannot be made: root.a is a leaf, and has no queues below it",
            "Submit it to root.a, or mark that as a parent: type=\"parent\".",
            [a("<queue name=\"b\"/>"), a("").replace("name", "type=\"parent\" name")],
        ),
        (
            a("<queue name=\"b\"/><queue name=\"c\"/>"),
            "root.a",
            "root.a is a parent, and applications go to leaf queues",
            "Submit it to root.a.b or root.a.c.",
            [a(""), a("")],
        ),
    ] {
        let why = told(&player(&queues, to), "app:etl", &format!("etl was refused at 0:00: {reason}."), by);
        assert_eq!(help(&why), mend);
        for queues in mended {
            let end = player(&queues, to);
            let state = end.snapshot(None).apps[0].state.clone();
            assert_eq!(state, "FINISHED", "{queues}");
        }
    }
}

/// Settings with which the ResourceManager does not start are reported at the line at fault, marked `#`.
#[test]
fn a_refusal_of_the_settings_has_its_line() {
    let one = "root.queues = \"a\"\nroot.a.capacity = 100\n";
    for settings in [
        "root.queues = \"a,b\"\nroot.a.capacity = 50 #\nroot.b.capacity = 60\n".to_string(),
        "root.queues = \"a,b\" \nroot.a.capacity = 50 #\n".into(),
        "root.queues = \"a\" #\n".into(),
        "root.queues = \"a\"\nroot.a.capacity = \"many\" #\n".into(),
        "root.queues = \"a\"\n[capacity-scheduler.root.a]\ncapacity = \"many\" #\n".into(),
        format!("{one}root.a.state = \"ON\" #\n"),
        format!("{one}root.a.ordering-policy = \"nope\" #\n"),
        format!("{one}maximum-applications = \"x\" #\n"),
        format!("{one}queue-mappings = \"u:x\" #\n"),
        format!("{one}resource-calculator = \"a.B\" #\n"),
        format!(
            "{one}\"root.a.accessible-node-labels\" = \"x\"\n\"root.a.accessible-node-labels.x.capacity\" = 50 #\n"
        ),
        format!("{one}root.a.user-limit-factor = \"x\" #\n"),
    ] {
        let labels = if settings.contains("labels") {
            "labels = [\"x\"]\n[yarn-site]\nnode-labels.enabled = true\n"
        } else {
            ""
        };
        let text = format!("{HEAD}{labels}[capacity-scheduler]\n{settings}{NODES}");
        let loaded = Player::load(&text);
        let (refused, told) = (loaded.player.is_none(), loaded.problems.iter().rev());
        let problem = told.clone().find(|p| p.severity == Severity::Error).unwrap_or_else(|| panic!("{settings}"));
        assert!(refused && problem.what.contains("does not start"), "{settings}: {problem:?}");
        let line = problem.span.map_or(0, |s| s.line_col(&text).0);
        let marked = text.lines().position(|l| l.ends_with('#')).map_or(0, |at| at + 1);
        assert_eq!(line, marked, "{settings}: {}", problem.render(&text));
    }
}
