//! Each way in which the CapacityScheduler skips a request is shown with the figures in our words and with YARN's message
//! (capacity-scheduler.md section 12).

use super::*;
use crate::explain::view::WhyView;

const HEAD: &str = "heddle = 1\nscheduling = \"heartbeat\"\nuntil = \"5 min\"\n";

/// Returns the answer of WHY at a moment, in a scenario with these scheduler settings, nodes and applications.
fn why(queues: &str, rest: &str, at: i64, about: &str) -> WhyView {
    why_in("", queues, rest, at, about)
}

/// Like `why`, with more at the head of the scenario.
fn why_in(head: &str, queues: &str, rest: &str, at: i64, about: &str) -> WhyView {
    let text = format!("{HEAD}{head}[capacity-scheduler]\nmaximum-am-resource-percent = 0.9\n{queues}\n{rest}");
    let loaded = Player::load(&text);
    let problems: Vec<String> = loaded.problems.iter().map(|p| p.render(&text)).collect();
    let Some(mut player) = loaded.player else { panic!("{problems:#?}") };
    player.seek(at);
    player.why(&about.parse().expect("a selection"))
}

fn nodes(name: &str, count: u32, size: &str) -> String {
    format!("[[nodes]]\nname = \"{name}{{1}}\"\ncount = {count}\nsize = \"{size}/8\"\n")
}

/// Returns an application with calls of (second, priority, count, size).
fn app(name: &str, at: u32, queue: &str, calls: &[(u32, u32, u32, &str)]) -> String {
    let mut text = format!(
        "[[apps]]\nname = \"{name}\"\nat = \"{at} s\"\nuser = \"u-{name}\"\nqueue = \"root.{queue}\"\nkind = \"requests\"\nam = \"1 GB/1\"\n"
    );
    for (at, priority, count, size) in calls {
        text.push_str(&format!(
            "[[apps.calls]]\nat = \"{at} s\"\nasks = [{{ priority = {priority}, count = {count}, size = \"{size}/1\", duration = \"forever\" }}]\n"
        ));
    }
    text
}

fn says(why: &WhyView, sentence: &str, yarn: &str) {
    assert!(why.sentence.contains(sentence), "{}", why.sentence);
    assert!(why.yarn.iter().any(|(words, _)| words == yarn), "{:?}", why.yarn);
}

const ONE: &str = "root.queues = \"a\"\nroot.a.capacity = 100\nroot.a.user-limit-factor = 10";

#[test]
fn a_request_that_does_not_fit_in_the_headroom_blocks_those_behind_it() {
    let queues = "root.queues = [\"a\", \"b\"]\nroot.a.capacity = 50\nroot.a.maximum-capacity = 50\n\
                  root.a.user-limit-factor = 10\nroot.b.capacity = 50";
    let rest = nodes("n", 2, "8 GB")
        + &app("big", 0, "a", &[(10, 1, 1, "7 GB")])
        + &app("little", 1, "a", &[(10, 1, 2, "1 GB")]);
    let said = why(queues, &rest, 40_000, "request:little/1_-1");
    let yarn = "Queue does not have enough headroom for inner highest-priority request from application_0_0001";
    says(&said, "root.a waits for **big**, which comes first and needs 7 GB: root.a may still take 6 GB", yarn);
    assert!(said.limits.iter().any(|l| l.name == "turn" && !l.passes));
    assert_eq!(said.waits_for[0].2, "its request comes before this one in the queue");
    // The request in front has its own figures.
    let said = why(queues, &rest, 40_000, "request:big/1_-1");
    let yarn = "Queue does not have enough headroom for inner highest-priority request";
    says(&said, "7 GB more would pass its maximum of 8 GB", yarn);
}

#[test]
fn a_more_urgent_request_of_the_application_goes_first() {
    // It has a reservation on one node; on the others it finds too little room and ends the application's turn.
    let rest = nodes("n", 3, "8 GB")
        + &app("fill", 0, "a", &[(5, 1, 12, "1 GB")])
        + &app("one", 1, "a", &[(30, 1, 1, "7 GB"), (30, 2, 1, "1 GB")]);
    let said = why(ONE, &rest, 60_000, "request:one/2_-1");
    let yarn = "Node does not have sufficient resource for request";
    says(&said, "A more urgent request of **one**, of priority 1, comes first", yarn);
    // A request that exceeds the headroom.
    let rest = nodes("n", 2, "6 GB") + &app("one", 0, "a", &[(10, 1, 2, "6 GB"), (10, 2, 1, "1 GB")]);
    let said = why(ONE, &rest, 40_000, "request:one/2_-1");
    let yarn = "Queue does not have enough headroom for inner highest-priority request from application_0_0001";
    says(&said, "a more urgent request of **one**, which comes first and needs 6 GB", yarn);
}

#[test]
fn room_kept_for_a_sibling_is_told() {
    let queues = "root.queues = [\"p\", \"q\"]\nroot.p.queues = \"l\"\nroot.p.capacity = 20\n\
                  root.p.maximum-capacity = 100\nroot.p.l.capacity = 100\nroot.p.l.user-limit-factor = 10\n\
                  root.q.capacity = 80\nroot.q.maximum-capacity = 90\nroot.q.user-limit-factor = 10";
    let rest = nodes("n", 4, "8 GB")
        + &app("hog", 0, "p.l", &[(10, 1, 9, "1 GB"), (90, 2, 1, "1 GB")])
        + &app("big", 5, "q", &[(20, 1, 17, "1 GB"), (60, 2, 1, "7 GB")]);
    let said = why(queues, &rest, 120_000, "request:hog/2_-1");
    says(
        &said,
        "Room is kept for root.q, where big waits for 7 GB: root.p uses 10 GB, and its parent leaves it 10 GB for now.",
        "Queue hits max-capacity limit",
    );
}

#[test]
fn a_reservation_that_cannot_be_given_up_is_told() {
    let queues = "root.queues = [\"a\", \"b\"]\nroot.a.capacity = 50\nroot.a.maximum-capacity = 100\n\
                  root.b.capacity = 50\nroot.b.user-limit-factor = 10";
    let rest = nodes("n", 4, "8 GB")
        + &app("fill", 0, "b", &[(5, 1, 8, "1 GB")])
        + &app("one", 5, "a", &[(15, 5, 8, "1 GB"), (40, 2, 1, "8 GB"), (50, 1, 1, "1 GB")]);
    let said = why(queues, &rest, 80_000, "request:one/1_-1");
    says(
        &said,
        "u-one uses 17 GB in root.a, more than the user limit of 16 GB: a reservation of 1 GB for this request would have to be \
         given up",
        "Node can't find a container to be unreserved when needed",
    );
    let user = said.limits.iter().find(|l| l.name == "user limit").expect("a link");
    assert_eq!((user.text.as_str(), user.passes), ("9 ≤ 16", true), "without what it has reserved itself");
}

#[test]
fn enough_reservations_without_continued_looking_are_told() {
    let queues = format!("reservations-continue-look-all-nodes = false\n{ONE}");
    let rest =
        nodes("n", 3, "8 GB") + &app("fill", 0, "a", &[(5, 1, 6, "2 GB")]) + &app("big", 1, "a", &[(30, 1, 1, "7 GB")]);
    let said = why(&queues, &rest, 34_000, "request:big/1_-1");
    says(&said, "held for it", "Request skipped based on reservation algo");
}

#[test]
fn labelled_nodes_lend_later_and_never_to_masters() {
    let queues = "root.queues = \"a\"\n\"root.accessible-node-labels.x.capacity\" = 100\nroot.a.capacity = 100\n\
                  root.a.user-limit-factor = 10\nroot.a.accessible-node-labels = \"x\"\n\
                  \"root.a.accessible-node-labels.x.capacity\" = 100\n[yarn-site]\nnode-labels.enabled = true";
    let labelled = nodes("x", 19, "8 GB") + "label = \"x\"\n";
    // A plain node that is too small for it: the others lend their room after 20 missed chances.
    let rest = nodes("p", 1, "4 GB") + &labelled + &app("one", 0, "a", &[(5, 1, 1, "2 GB"), (10, 2, 1, "2 GB")]);
    let labels = "labels = [\"x(exclusive=false)\"]\n";
    let yarn = "Request skipped because non-partitioned resource request should be scheduled to non-partitioned \
                partition first";
    let said = why_in(labels, queues, &rest, 10_500, "request:one/2_-1");
    says(&said, "A request borrows after 20 missed chances, one for each node", yarn);
    // The second application's AM finds the plain node full.
    let first = app("first", 0, "a", &[(5, 1, 1, "3 GB")]);
    let rest = nodes("p", 1, "4 GB") + &labelled + &first + &app("second", 20, "a", &[]);
    let yarn = "Request skipped in Ignore Exclusivity mode for AM allocation";
    let said = why_in(labels, queues, &rest, 30_000, "request:second/0_-1");
    says(&said, "Label x lends its idle room, but not to ApplicationMasters.", yarn);
}

#[test]
fn without_a_sorting_policy_multi_node_placement_tries_one_node() {
    let queues = format!("multi-node-placement-enabled = true\n{ONE}");
    let rest =
        nodes("n", 3, "8 GB") + &app("fill", 0, "a", &[(5, 1, 7, "1 GB")]) + &app("one", 1, "a", &[(30, 1, 1, "7 GB")]);
    let said = why(&queues, &rest, 60_000, "request:one/1_-1");
    let tries = "multi-node placement without a sorting policy tries **n2** and no other";
    assert!(
        said.sentence.contains(&format!("**n1** and **n3** are not tried: {tries}, **n2** has ")),
        "{}",
        said.sentence
    );
}

#[test]
fn a_queue_at_its_maximum_may_borrow_from_a_label() {
    let queues = "root.queues = [\"a\", \"b\"]\n\"root.accessible-node-labels.x.capacity\" = 100\nroot.a.capacity = 50\n\
                  root.a.maximum-capacity = 50\nroot.a.user-limit-factor = 10\nroot.a.accessible-node-labels = \"x\"\n\
                  \"root.a.accessible-node-labels.x.capacity\" = 100\nroot.b.capacity = 50\n[yarn-site]\nnode-labels.enabled = true";
    let labelled = nodes("x", 1, "3 GB") + "label = \"x\"\n";
    let rest = nodes("p", 1, "8 GB") + &labelled + &app("one", 0, "a", &[(5, 1, 3, "1 GB"), (30, 2, 1, "4 GB")]);
    let said = why_in("labels = [\"x(exclusive=false)\"]\n", queues, &rest, 60_000, "request:one/2_-1");
    assert!(said.sentence.contains("Label x lends its idle room"), "{}", said.sentence);
}

/// The container has the reserved size though less is asked for by then: YARN puts it on a node that it does not fit on
/// (capacity-scheduler.md 9; tried on the real system, own-capacity).
#[test]
fn a_reservation_of_which_less_is_asked_by_then_is_no_break() {
    let rest = nodes("n", 2, "8 GB")
        + &app("fill", 0, "a", &[(5, 1, 7, "1 GB")])
        + &app("one", 1, "a", &[(30, 1, 1, "6 GB"), (40, 1, 1, "2 GB")]);
    let text = format!("{HEAD}[capacity-scheduler]\nmaximum-am-resource-percent = 0.9\n{ONE}\n{rest}");
    let mut player = Player::load(&text).player.expect("it can be read");
    player.seek(60_000);
    let snapshot = player.snapshot(None);
    assert_eq!(snapshot.invariants.broken, None);
    let held = |n: &heddle_core::model::NodeId| player.simulation().rm().node(*n).map(|n| n.allocated.memory_mb());
    let most = (0..2).filter_map(|n| held(&heddle_core::model::NodeId(n))).max();
    assert_eq!(most, Some(12 * 1024));
}
