//! Many pending applications: a pass over them tries and tells of a few, and comes to the same as if each were tried and
//! told of for itself.

use super::Simulation;
use crate::check::Check;
use crate::journal::{AmLimitSkips, Change, Entry, Finding, Folded, Full, PendingPass, PlainLog, Recorder};
use crate::model::Millis;
use crate::scheduler::Scheduler;
use std::cell::Cell;
use std::sync::Arc;

/// So many applications at once on nodes that have room for a few masters.
fn many(apps: usize) -> String {
    format!(
        "heddle = 1\nscheduling = \"heartbeat\"\n[capacity-scheduler]\nroot.queues = \"default\"\n\
         root.default.capacity = 100\nmaximum-am-resource-percent = 0.5\n[[nodes]]\nname = \"n{{1}}\"\ncount = 4\n\
         size = \"8 GB/8\"\n[[apps]]\nname = \"job{{1}}\"\ncopies = {apps}\nuser = \"ann\"\nam = \"1 GB/1\"\n\
         tasks = [{{ count = 1, size = \"1 GB/1\", duration = \"5 s\" }}]\n"
    )
}

/// Twelve applications, one after the other; `am` as it is written in a scenario.
fn app(name: &str, user: &str, queue: &str, am: &str, at: &str, more: &str) -> String {
    format!(
        "[[apps]]\nname = \"{name}{{1}}\"\ncopies = 12\nat = \"{at}\"\nevery = \"700 ms\"\nuser = \"{user}\"\n\
         queue = \"root.{queue}\"\nam = {am}\n{more}tasks = [{{ count = 2, size = \"1 GB/1\", duration = \"9 s\" }}]\n"
    )
}

fn happens(at: &str, what: &str) -> String {
    format!("[[happenings]]\nat = \"{at}\"\ndo = {what}\n")
}

/// Three users with masters of three sizes in two leaves and a partition, and all that happens to applications that are
/// pending: they are killed, moved, put before others, nodes come and go, limits change.
fn mixed(leaves: &str, more: &str) -> String {
    let plain = "labels = [{ name = \"x\" }]\n[capacity-scheduler]\nmaximum-am-resource-percent = 0.3\n\
                 resource-calculator = \"org.apache.hadoop.yarn.util.resource.DominantResourceCalculator\"\n\
                 root.queues = [\"a\", \"b\"]\nroot.a.capacity = 60\nroot.b.capacity = 40\n";
    let text = [
        "heddle = 1\nscheduling = \"heartbeat\"\nuntil = \"2 min\"\n".to_string(),
        plain.to_string(),
        "\"root.accessible-node-labels.x.capacity\" = 100\n".to_string(),
        "root.a.accessible-node-labels = \"x\"\n\"root.a.accessible-node-labels.x.capacity\" = 100\n".to_string(),
        leaves.to_string(),
        "[yarn-site]\nnode-labels.enabled = true\ncluster.max-application-priority = 9\n".to_string(),
        "[[nodes]]\nname = \"n{1}\"\ncount = 3\nsize = \"20 GB/16\"\n".to_string(),
        "[[nodes]]\nname = \"x{1}\"\nsize = \"20 GB/16\"\nlabel = \"x\"\n".to_string(),
        app("small", "ann", "a", "\"1 GB/1\"", "1 s", ""),
        app("large", "bob", "a", "\"3 GB/1\"", "1 s", "priority = 2\n"),
        app("wide", "ann", "a", "\"1 GB/3\"", "2 s", "priority = 1\n"),
        app("other", "cid", "b", "\"1 GB/1\"", "3 s", ""),
        app("there", "bob", "a", "{ size = \"2 GB/1\", label = \"x\" }", "2 s", ""),
        happens("8 s", "\"kill_app\"\napp = \"small9\""),
        happens("9 s", "\"move_app\"\napp = \"small11\"\nqueue = \"root.b\""),
        happens("10 s", "\"move_app\"\napp = \"large1\"\nqueue = \"root.b\""),
        happens("11 s", "\"set_priority\"\napp = \"wide12\"\npriority = 7"),
        happens("12 s", "\"set_priority\"\napp = \"large1\"\npriority = 7"),
        happens("14 s", "\"set_priority\"\napp = \"small2\"\npriority = 7"),
        happens("15 s", "\"move_app\"\napp = \"other2\"\nqueue = \"root.a\""),
        happens("16 s", "\"remove_node\"\nnode = \"n2\""),
        happens("20 s", "\"label_node\"\nnode = \"n3\"\nlabel = \"x\""),
        happens("25 s", "\"return_node\"\nnode = \"n2\""),
        happens("30 s", "\"refresh\"\ncapacity-scheduler = { maximum-am-resource-percent = 0.2 }"),
        more.to_string(),
    ];
    text.concat()
}

fn scenarios() -> Vec<String> {
    vec![
        many(60),
        mixed("", ""),
        mixed("root.a.user-limit-factor = 0.5\nroot.a.minimum-user-limit-percent = 25\n", ""),
        mixed("root.a.user-limit-factor = 0.5\nroot.b.user-limit-factor = -1\nroot.a.ordering-policy = \"fair\"\n", ""),
        mixed(
            "root.a.ordering-policy = \"fair\"\nroot.b.ordering-policy = \"fair\"\nroot.a.max-parallel-apps = 30\n",
            "",
        ),
        mixed(
            "root.a.user-settings.bob.weight = 0.5\nroot.a.maximum-capacity = 70\n",
            "[[nodes]]\nname = \"late\"\nat = \"40 s\"\nsize = \"64 GB/64\"\n",
        ),
    ]
}

/// Pending applications under the FairScheduler, where the limit of AMs stops most of them: leaves of two policies, preemption that
/// gives room to single ones, a limit of running applications, other limits after a while.
fn fair(policy: &str, more: &str) -> String {
    let file = |share: &str, of_b: &str| {
        format!(
            "<allocations><defaultQueueSchedulingPolicy>drf</defaultQueueSchedulingPolicy><queue name=\"a\"><schedulingPolicy>{policy}</schedulingPolicy>\
             <maxAMShare>{share}</maxAMShare><weight>3</weight>\
             <fairSharePreemptionTimeout>4</fairSharePreemptionTimeout></queue>\
             <queue name=\"b\"><maxAMShare>{of_b}</maxAMShare><maxRunningApps>12</maxRunningApps>\
             <fairSharePreemptionThreshold>0.9</fairSharePreemptionThreshold>\
             <fairSharePreemptionTimeout>4</fairSharePreemptionTimeout></queue></allocations>"
        )
    };
    let text = [
        "heddle = 1\nscheduler = \"fair\"\nuntil = \"3 min\"\n".to_string(),
        "[yarn-site]\ncluster.max-application-priority = 9\n".to_string(),
        "scheduler.fair.preemption = true\n\"scheduler.fair.preemption.cluster-utilization-threshold\" = 0.3\n".into(),
        format!("[files]\n\"fair-scheduler.xml\" = '{}'\n", file("0.15", "0.2")),
        "[[nodes]]\nname = \"n{1}\"\ncount = 3\nsize = \"20 GB/16\"\n".to_string(),
        app("small", "ann", "a", "\"1 GB/1\"", "1 s", ""),
        app("large", "bob", "a", "\"3 GB/1\"", "1 s", "priority = 2\n"),
        app("wide", "ann", "a", "\"1 GB/3\"", "2 s", "priority = 1\n"),
        app("other", "cid", "b", "\"1 GB/1\"", "3 s", ""),
        app("late", "bob", "b", "\"2 GB/1\"", "20 s", ""),
        happens("8 s", "\"kill_app\"\napp = \"small9\""),
        happens("9 s", "\"move_app\"\napp = \"small10\"\nqueue = \"root.b\""),
        happens("10 s", "\"move_app\"\napp = \"large1\"\nqueue = \"root.b\""),
        happens("11 s", "\"set_priority\"\napp = \"wide10\"\npriority = 7"),
        happens("15 s", "\"move_app\"\napp = \"other2\"\nqueue = \"root.a\""),
        happens("16 s", "\"remove_node\"\nnode = \"n2\""),
        happens("25 s", "\"return_node\"\nnode = \"n2\""),
        happens("40 s", &format!("\"refresh\"\n\"fair-scheduler.xml\" = '{}'", file("0.4", "-1"))),
        more.to_string(),
    ];
    text.concat()
}

fn fair_scenarios() -> Vec<String> {
    let late = "[[nodes]]\nname = \"late\"\nat = \"40 s\"\nsize = \"64 GB/64\"\n";
    vec![fair("fair", ""), fair("fifo", late), fair("drf", "[timing]\nnode_heartbeat = \"2500 ms\"\n")]
}

fn start(text: &str) -> Simulation {
    let read = crate::scenario::read(text);
    let scenario = read.scenario.unwrap_or_else(|| panic!("{:?}\n{text}", read.problems));
    Simulation::new(Arc::new(scenario)).expect("it starts")
}

fn disperse(sim: &mut Simulation) {
    if let Scheduler::Capacity(s) = &mut sim.rm.scheduler {
        s.disperse_pending(&mut sim.rm.cluster);
    }
}

/// What is known of why applications are not active, in figures and in YARN's words.
fn told(sim: &Simulation) -> String {
    let of = |id| format!("{id:?} {:?} {}\n", sim.rm().inactive(id), sim.rm().am_diagnostics(id));
    sim.rm().apps().iter().map(|a| of(a.id)).collect()
}

#[test]
fn crowds_come_to_what_each_comes_to_for_itself() {
    let mut stops = [0, 0];
    for text in scenarios() {
        let mut crowds = start(&text);
        let mut single = crowds.clone();
        let (mut a, mut b) = (Full::default(), Full::default());
        loop {
            disperse(&mut single);
            let (stepped, other) = (crowds.step(&mut a), single.step(&mut b));
            assert_eq!(stepped.is_some(), other.is_some());
            if stepped.is_none() {
                break;
            }
            assert!(
                told(&crowds) == told(&single),
                "{} ms: {}\n{}\n{text}",
                crowds.now(),
                told(&crowds),
                told(&single)
            );
        }
        assert!(a == b, "{text}");
        for (_, entry) in &a.entries {
            match entry {
                Entry::Changed(Change::NotActivated { why, .. }) if why.check == Check::QueueAmLimit => stops[0] += 1,
                Entry::Changed(Change::NotActivated { why, .. }) if why.check == Check::UserAmLimit => stops[1] += 1,
                _ => {}
            }
        }
        assert!(single.rm.cluster.activations_tried > crowds.rm.cluster.activations_tried);
    }
    assert!(stops[0] > 5_000 && stops[1] > 1_000, "{stops:?}");
}

/// However often the lines are read in between.
#[test]
fn lines_are_as_if_each_pass_told_of_each() {
    for (i, text) in scenarios().iter().chain(&fair_scenarios()).enumerate() {
        let mut sim = start(text);
        let mut other = sim.clone();
        let (mut log, mut told) = (Folded::new(1_000), PlainLog(Folded::new(1_000)));
        let mut event = 0;
        loop {
            log.begin(event);
            told.0.begin(event);
            let stepped = sim.step(&mut log);
            other.step(&mut told);
            if i % 2 == 0 && event % 53 == 0 {
                log.settle();
                assert!(log.lines == told.0.lines, "event {event}: {text}");
            }
            assert_eq!((log.decided, log.changed, log.dropped), (told.0.decided, told.0.changed, told.0.dropped));
            event += 1;
            if stepped.is_none() {
                break;
            }
        }
        log.settle();
        assert!(log.lines == told.0.lines, "{text}");
        assert_eq!(log.weight(), told.0.weight());
        let refused = log.lines.iter().filter(|line| is_refusal(&line.entry)).map(|line| line.times).sum::<u64>();
        assert!(refused > 1_000, "{refused} refusals: {text}");
    }
}

fn is_refusal(entry: &Entry) -> bool {
    match entry {
        Entry::Changed(Change::NotActivated { .. }) => true,
        Entry::Found(Finding::Checked(checked)) => checked.check == Check::AmShare,
        _ => false,
    }
}

/// A log that counts what it is told of pending applications.
struct Counted {
    log: Folded,
    told: usize,
    passes: usize,
}

impl Recorder for Counted {
    fn on(&self) -> bool {
        true
    }

    fn details(&self) -> bool {
        false
    }

    fn pending_pass(&mut self, at: Millis, pass: &PendingPass<'_>) {
        let one_by_one = Cell::new(0);
        let all = || {
            let all = (pass.all)();
            one_by_one.set(all.len());
            all
        };
        self.log.pending_pass(at, &PendingPass { all: &all, ..*pass });
        self.passes += 1;
        self.told += pass.refused.len() + pass.fresh.len() + one_by_one.get();
    }

    fn stopped_row(&mut self, at: Millis, row: &AmLimitSkips<'_>) {
        let one_by_one = Cell::new(0);
        let all = || {
            let all = (row.all)();
            one_by_one.set(all.len());
            all
        };
        self.log.stopped_row(at, &AmLimitSkips { all: &all, ..*row });
        self.passes += 1;
        self.told += row.fresh.len() + one_by_one.get();
    }

    fn keep(&mut self, at: Millis, entry: Entry) {
        self.told += usize::from(is_refusal(&entry));
        self.log.keep(at, entry);
    }
}

/// A run that is counted, and how often an application was refused in it.
fn counted(sim: &mut Simulation) -> (Counted, u64) {
    let mut rec = Counted { log: Folded::new(1_000), told: 0, passes: 0 };
    while sim.step(&mut rec).is_some() {}
    rec.log.settle();
    let refusals = rec.log.lines.iter().filter(|line| is_refusal(&line.entry)).map(|line| line.times).sum();
    (rec, refusals)
}

#[test]
fn work_grows_with_the_applications_and_not_with_those_that_are_pending() {
    let apps = 600;
    let mut sim = start(&many(apps));
    let (rec, refusals) = counted(&mut sim);
    assert!(refusals > 200_000, "they are refused again and again: {refusals}");
    // A pass when each comes and when each ends: for the one that comes, the first of those that stay, each once when a
    // node comes.
    assert!((2 * apps - 50..2 * apps + 50).contains(&rec.passes), "{}", rec.passes);
    assert!(rec.told < 6 * apps, "{}", rec.told);
    assert!(sim.rm.cluster.activations_tried < 6 * apps as u64, "{}", sim.rm.cluster.activations_tried);
}

/// Under the FairScheduler each is tried at every heartbeat.
#[test]
fn heartbeats_come_past_those_that_the_limit_of_ams_stops() {
    let apps = 600;
    let text = many(apps).replace("scheduling = \"heartbeat\"", "scheduler = \"fair\"");
    let text = text
        .split_inclusive('\n')
        .filter(|l| !l.contains("capacity") && !l.contains("root.") && !l.contains("percent"))
        .collect::<String>();
    let (rec, refusals) = counted(&mut start(&text));
    assert!(refusals > 200_000, "they are refused again and again: {refusals}");
    assert!(refusals as usize > 100 * rec.passes, "{} passes for {refusals} refusals", rec.passes);
    // Each once when it comes, and the first ones when AMs end.
    assert!(rec.told < 4 * apps, "{}", rec.told);
}
