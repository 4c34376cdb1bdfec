//! Every piece of advice is true: the text that it carries is run, and everything that it promises is counted again, over the
//! gallery and over random scenarios (`random/script.rs`). The names in it exist.
#![cfg(not(target_arch = "wasm32"))]
#[path = "random/script.rs"]
#[allow(dead_code)] // not all of it is asked for
mod script;

use heddle_core::apps::samza::journal as samza;
use heddle_core::apps::service::journal as service;
use heddle_core::apps::slider::journal::Decision;
use heddle_core::apps::slider::strategy::requests::component_of;
use heddle_core::config::properties;
use heddle_core::journal::{Change, Entry, Full, MasterAct};
use heddle_core::model::{AppId, ContainerId, EndCause, RequestKey};
use heddle_core::scenario::{SamzaApp, SliderApp};
use heddle_core::scheduler::ContainerState;
use heddle_core::sim::Simulation;
use heddle_player::Player;
use heddle_player::explain::Names;
use heddle_player::explain::view::{HelpView, Selection};
use heddle_player::explain::words::plain;
use heddle_tests::project::root;
use std::collections::BTreeSet;
use std::ops::Range;
use std::sync::Arc;

const GALLERY: &[(&str, &str)] = include!(concat!(env!("OUT_DIR"), "/gallery.rs"));
/// Smaller delays count as none.
const SAME_MS: i64 = 1_000;
/// A live AM fetches its containers within this time.
const FETCHED_MS: i64 = 60_000;
/// The number of moments at which everybody's containers are counted.
const SAMPLES: i64 = 24;

fn seeds(usual: u64) -> Range<u64> {
    let given = std::env::var("HEDDLE_SEEDS").unwrap_or_default();
    match given.split_once("..") {
        Some((from, to)) => from.parse().expect("a number")..to.parse().expect("a number"),
        None => 0..usual,
    }
}

fn load(name: &str, text: &str) -> Player {
    let mut player = Player::load(text).player.unwrap_or_else(|| panic!("{name} does not load:\n{text}"));
    player.run_to_end();
    player
}

/// The owner of the containers counted.
#[derive(Clone, Copy)]
enum Whose<'a> {
    /// A request; "0/-1" and the like.
    Request(&'a str, &'a str, bool),
    /// An application, without its AMs.
    App(&'a str),
}

/// An allocated container, and when it was lost: preempted, gone with its node or its attempt, or its process failed.
struct Given {
    at: i64,
    id: ContainerId,
    key: String,
    am: bool,
    lost_at: Option<i64>,
    /// Whether its node is silent at the end.
    silent: bool,
}

/// A run, and the containers allocated in it by its journal.
struct Run {
    player: Player,
    /// By the application's index in the scenario.
    given: Vec<Vec<Given>>,
}

fn lose(sim: &Simulation, given: &mut [Vec<Given>], container: ContainerId, at: i64) {
    let mine = &mut given[sim.place_of(container.app).expect("it is of the scenario")];
    mine.iter_mut().filter(|g| g.id == container).for_each(|g| {
        g.lost_at.get_or_insert(at);
    });
}

impl Run {
    fn of(name: &str, text: &str) -> Run {
        let player = load(name, text);
        let mut sim = Simulation::new(Arc::new(player.scenario().clone())).expect("it starts");
        let mut full = Full::default();
        while sim.step(&mut full).is_some() {}
        let mut given: Vec<Vec<Given>> = player.scenario().apps.iter().map(|_| Vec::new()).collect();
        let attempts: Vec<(i64, AppId)> = { full.entries.iter() }
            .filter_map(|(at, entry)| match entry {
                Entry::Changed(Change::AttemptAdded { app, .. }) => Some((*at, *app)),
                _ => None,
            })
            .collect();
        let mut ended: Vec<(ContainerId, i64)> = Vec::new();
        let mut launched: BTreeSet<ContainerId> = BTreeSet::new();
        for (at, entry) in full.entries {
            if let Entry::Changed(Change::Completed { container, why: EndCause::AppOver, .. }) = &entry {
                ended.push((*container, at));
            }
            match entry {
                Entry::Changed(Change::Allocated { container: id, key, am, .. }) => {
                    let place = sim.place_of(id.app).expect("it is of the scenario");
                    // A Slider component's requests count together, relaxed or not.
                    let slider = player.scenario().apps[place].kind.is::<SliderApp>();
                    let priority = if slider && !am { component_of(key.priority) } else { key.priority };
                    let key = RequestKey { priority, ..key }.to_string();
                    given[place].push(Given { at, id, key, am, lost_at: None, silent: false });
                }
                Entry::Changed(Change::Preempted { container, .. }) => lose(&sim, &mut given, container, at),
                Entry::Changed(Change::Completed { container, why, exit_code, .. }) => {
                    // A container that ends with its application, not with one of its attempts, has done its work.
                    let lost = match why {
                        EndCause::Released => false,
                        EndCause::Completed => exit_code != 0,
                        EndCause::AppOver => attempts.iter().any(|(then, app)| *app == container.app && *then >= at),
                        _ => true,
                    };
                    if lost {
                        lose(&sim, &mut given, container, at);
                    }
                }
                Entry::Acted(MasterAct::Samza(act)) => {
                    if let samza::Decision::Launched { container, .. } = act.decision {
                        launched.insert(container);
                    }
                }
                // Containers that a service releases at once were not wanted.
                Entry::Acted(MasterAct::Service(act)) => {
                    if let service::Decision::Surplus { container } = act.decision {
                        given.iter_mut().for_each(|of_app| of_app.retain(|g| g.id != container));
                    }
                }
                // The same holds for Slider.
                Entry::Acted(MasterAct::Slider(act)) => {
                    if let Decision::Granted { container, used: None, .. } | Decision::NotOurs { container, .. } =
                        act.decision
                    {
                        given.iter_mut().for_each(|of_app| of_app.retain(|g| g.id != container));
                    }
                }
                _ => {}
            }
        }
        // Containers that a Samza job only holds, or releases, do not count.
        for (app, list) in player.scenario().apps.iter().zip(&mut given) {
            list.retain(|g| g.am || !app.kind.is::<SamzaApp>() || launched.contains(&g.id));
        }
        // Containers that ended with an application which was started again are lost.
        for (app, list) in sim.apps().iter().zip(&mut given) {
            let earlier = |g: &&mut Given| app.id.is_some_and(|now| now != g.id.app) && g.lost_at.is_none();
            for g in list.iter_mut().filter(earlier) {
                g.lost_at = ended.iter().find(|(id, _)| *id == g.id).map(|(_, at)| *at);
            }
        }
        // An application does not have the containers that a hanging AM never fetches.
        let waits = |g: &Given| {
            let granted = sim.rm().container(g.id).is_some_and(|c| c.state == ContainerState::Allocated);
            granted && !g.am && sim.now() - g.at >= FETCHED_MS
        };
        given.iter_mut().for_each(|of_app| of_app.retain(|g| !waits(g)));
        let names = Names::new(&sim);
        for g in given.iter_mut().flatten() {
            let node = sim.rm().container(g.id).map(|c| sim.rm().cluster().node(c.node));
            g.silent = node.is_some_and(|node| names.is_silent(node));
        }
        Run { player, given }
    }

    /// Counts an application's containers without those on nodes that are silent at the end, which are gone.
    fn alive(&self, at: i64, end: i64, app: &str) -> i64 {
        let place = self.player.scenario().apps.iter().position(|a| a.name == app).expect("it is there");
        let silent = |g: &&Given| !g.am && g.silent && g.at <= at && g.lost_at.is_none_or(|lost| lost > end);
        self.kept(at, end, Whose::App(app)) - self.given[place].iter().filter(silent).count() as i64
    }

    /// Counts containers that were allocated by one moment and not lost by another.
    fn kept(&self, at: i64, to: i64, whose: Whose<'_>) -> i64 {
        let name = match whose {
            Whose::Request(app, ..) | Whose::App(app) => app,
        };
        let place = self.player.scenario().apps.iter().position(|a| a.name == name).expect("it is there");
        // A Samza job's repeated request has another key.
        let samza = self.player.scenario().apps[place].kind.is::<SamzaApp>();
        let counts = |g: &&Given| match whose {
            Whose::Request(_, key, am) => g.am == am && (am || samza || g.key == key),
            Whose::App(_) => !g.am,
        };
        let kept = |g: &&Given| g.at <= at && g.lost_at.is_none_or(|lost| lost > to);
        self.given[place].iter().filter(counts).filter(kept).count() as i64
    }
}

/// Returns the part of a request's key that identifies its containers.
fn counted(player: &Player, app: &str, key: &str) -> String {
    let slider = player.scenario().apps.iter().any(|a| a.name == app && a.kind.is::<SliderApp>());
    match key.split_once('_').and_then(|(priority, id)| Some((priority.parse::<i32>().ok()?, id))) {
        Some((priority, id)) if slider => format!("{}_{id}", component_of(priority)),
        _ => key.to_string(),
    }
}

/// Elements of fair-scheduler.xml beside the queues.
const IN_THE_FILE: [&str; 7] = [
    "queueMaxAMShareDefault",
    "queueMaxAppsDefault",
    "queueMaxResourcesDefault",
    "userMaxAppsDefault",
    "defaultFairSharePreemptionTimeout",
    "defaultFairSharePreemptionThreshold",
    "defaultMinSharePreemptionTimeout",
];

/// Checks that every property in the advice is in the table, and that the advice does not remove the last instance of
/// something.
fn names_what_exists(name: &str, help: &HelpView) {
    assert!(!help.change.starts_with("yarn.component.instances = 0"), "{name}: {}", help.change);
    for part in help.change.split(", ").flat_map(|p| p.split(" and ")) {
        let Some((left, _)) = part.split_once(" = ") else { continue };
        // Keys of resources.json are Slider's own.
        let of_slider = ["yarn.component.", "yarn.placement.", "yarn.container.failure."]
            .iter()
            .any(|start| left.starts_with(start));
        // What one application asks for is no property of YARN.
        let of_app = part.contains(" for ") && ["relaxLocality", "priority"].contains(&left);
        // Keys of a job's file are Samza's own.
        let of_samza =
            part.contains(" for ") && ["cluster-manager.", "job."].iter().any(|start| left.starts_with(start));
        let of_file = IN_THE_FILE.contains(&left);
        if of_app || of_file || left.contains(" of ") || of_slider || of_samza {
            continue;
        }
        let key = if left.starts_with("yarn.") { left.to_string() } else { format!("{}{left}", properties::PREFIX) };
        let found = properties::find(&key, &|_| false);
        assert!(found.is_some(), "{name}: {left} is no property ({})", help.change);
    }
}

/// Checks what a piece of advice promises.
fn holds(name: &str, before: &Run, about: (&str, &str, bool), help: &HelpView, end: i64) {
    let Some(text) = &help.scenario else { return };
    let whose = Whose::Request(about.0, about.1, about.2);
    let p = &help.promise;
    let what = format!("{name}, {} {}: {help:?}", about.0, about.1);
    let mut after = Run::of(name, text);
    let end = p.known_ms.unwrap_or(end.max(after.player.progress().known_ms));
    let cap = |n: i64| n.min(p.of);
    assert_eq!(cap(before.kept(p.at_ms, p.at_ms, whose)), p.at.0, "at the moment without it: {what}");
    assert_eq!(cap(after.kept(p.at_ms, p.at_ms, whose)), p.at.1, "at the moment with it: {what}");
    assert_eq!(cap(before.kept(end, end, whose)), p.end.0, "in the end without it: {what}");
    assert_eq!(cap(after.kept(end, end, whose)), p.end.1, "in the end with it: {what}");
    for (run, all) in [(before, p.all_ms.0), (&after, p.all_ms.1)] {
        if let Some(at) = all {
            assert!(run.kept(at, end, whose) >= p.of, "all of them at {at}: {what}");
            assert!(run.kept(at - 1, end, whose) < p.of, "not all of them before {at}: {what}");
        }
    }
    assert_eq!(p.all_ms.1.is_some(), p.end.1 >= p.of, "{what}");
    if !help.helps {
        return;
    }
    let more = p.end.1 > p.end.0;
    let times: Vec<i64> = after.given.iter().flatten().map(|given| given.at).collect();
    let sooner = || match p.all_ms {
        (Some(b), Some(a)) => b - a >= SAME_MS,
        _ => p.end.1 == p.end.0 && p.end.1 > 0,
    };
    if p.fewer > 0 {
        assert_eq!(p.end.1, p.of, "all that are wanted come: {what}");
        after.player.seek(end);
        let waiting = after.player.snapshot(None).waiting;
        let alike = |key: &str| counted(&after.player, about.0, key) == about.1;
        let waits = |id: &Selection| matches!(id, Selection::Request { app, key } if app == about.0 && alike(key));
        assert!(!waiting.iter().any(|w| waits(&w.id)), "and nothing waits: {what}");
    } else {
        // Containers that are lost in the end either way were there in the meantime.
        let meanwhile = p.end.1 == p.end.0 && p.at.1 > p.at.0;
        // As many come and the last no sooner, but others do.
        let others = || {
            let more = |at: i64| after.kept(at, end, whose) > before.kept(at, end, whose);
            help.effect.contains(" either way, ") && times.iter().any(|at| more(*at))
        };
        assert!(more || sooner() || meanwhile || others(), "it helps: {what}");
    }
    // Exactly those who are said to be worse off are, by these figures.
    for worse in &help.worse {
        assert!(help.effect.contains(&worse.text) || help.worse.len() > 3, "{what}");
        if worse.app != about.0 {
            let at = [before, &after].map(|run| run.alive(p.at_ms, p.at_ms, &worse.app));
            let at = (at[0], at[1]);
            let last = (before.alive(end, end, &worse.app), after.alive(end, end, &worse.app));
            assert_eq!((at, last), (worse.at, worse.end), "{} is worse off: {what}", worse.app);
        }
    }
    let others: Vec<String> = before.player.scenario().apps.iter().map(|a| a.name.clone()).collect();
    for i in 1..=SAMPLES {
        let at = end * i / SAMPLES;
        for other in others.iter().filter(|o| *o != about.0 && help.worse.iter().all(|w| w.app != **o)) {
            let (had, has) = (before.alive(at, end, other), after.alive((at + SAME_MS).min(end), end, other));
            assert!(has >= had, "{other} has {has} a second after {at} ms, and {had} at it without: {what}");
        }
    }
}

/// Checks the advice for the longest wait at a moment. Returns how much of it helps.
fn all_hold(name: &str, text: &str, at: i64, most: usize) -> usize {
    let mut run = Run::of(name, text);
    let end = run.player.scenario().until.unwrap_or(0).max(run.player.progress().known_ms);
    run.player.seek(at);
    let waiting = run.player.snapshot(None).waiting;
    let mut helping = 0;
    for w in waiting.iter().take(most) {
        run.player.seek(at);
        let Selection::Request { app, key } = &w.id else { continue };
        let am = w.name.ends_with(" AM");
        let why = run.player.why_with_help(&w.id);
        assert!(!why.help.is_empty(), "{name}: nothing is told of {}", w.id);
        for help in &why.help {
            names_what_exists(name, help);
            let key = counted(&run.player, app, key);
            holds(name, &run, (app, &key, am), help, end);
            helping += usize::from(help.helps && help.scenario.is_some());
        }
    }
    helping
}

#[test]
fn each_advice_of_the_gallery_is_true() {
    let mut helping = 0;
    for (name, text) in GALLERY {
        let start = Player::load(text).player.expect(name).scenario().start_at;
        helping += all_hold(name, text, start, 2);
    }
    assert!(helping >= 60, "advice is given at all: {helping}");
}

/// Situations with two causes, or with causes that change (`tests/scenarios/why`).
#[test]
fn each_advice_of_situations_is_true() {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("scenarios/why");
    let files = std::fs::read_dir(&folder).expect("the situations").map(|f| f.expect("a file").path());
    let mut files: Vec<_> = files.collect();
    files.sort();
    let mut helping = 0;
    for path in files {
        let text = std::fs::read_to_string(&path).expect("a situation");
        let start = Player::load(&text).player.expect("it loads").scenario().start_at;
        helping += all_hold(&path.display().to_string(), &text, start, 2);
    }
    assert!(helping >= 30, "advice is given at all: {helping}");
}

#[test]
fn each_advice_by_chance_is_true() {
    let (seeds, mut helping) = (seeds(30), 0);
    let count = seeds.end - seeds.start;
    for seed in seeds {
        let text = script::scenario(seed);
        helping += all_hold(&format!("scenario {seed}"), &text, 30_000, 2);
    }
    assert!(helping as u64 >= count, "advice is given at all: {helping}");
}

#[test]
fn each_advice_by_chance_under_the_fair_scheduler_is_true() {
    let (seeds, mut helping) = (seeds(12), 0);
    let count = seeds.end - seeds.start;
    for seed in seeds {
        let text = script::fair(seed);
        helping += all_hold(&format!("fair {seed}"), &text, 30_000, 2);
    }
    assert!(helping as u64 * 4 >= count, "advice is given at all: {helping}");
}

/// Each cause of Slider's manual: its cure works when it is run.
#[test]
fn what_cures_each_cause_of_sliders_manual_does() {
    let cures: [(&str, &str, &str, &[&str]); 8] = [
        ("q47-1-cluster-too-small", "hbase", "1_-1", &["One more node", "yarn.component.instances = 7"]),
        ("q47-2-no-space", "hbase", "1_-1", &["One more node", "Containers of"]),
        ("q47-3-others-first", "hbase", "1_-1", &["root.", "yarn.component.instances = 3"]),
        (
            "q47-4-strict-host-gone",
            "kafka",
            "1_-1",
            &["yarn.component.placement.policy = 0", "yarn.component.placement.policy = 2"],
        ),
        ("q47-5-no-host-left", "hbase", "1_-1", &["One more node", "yarn.component.placement.policy = 0"]),
        ("q47-6-too-large", "solr", "1_-1", &["One more node", "Containers of"]),
        ("q47-7-label", "train", "1_-1", &["No label for worker of train", "Label gpu for plain", "One more node"]),
        (
            "slider-2-restart-in-other-worlds",
            "web",
            "1_-1",
            &["yarn.placement.escalate.seconds", "yarn.component.placement.policy = 2"],
        ),
    ];
    for (name, app, key, wanted) in cures {
        let text = GALLERY.iter().find(|(n, _)| *n == name).unwrap_or_else(|| panic!("{name}")).1;
        let mut run = Run::of(name, text);
        let end = run.player.scenario().until.unwrap_or(0).max(run.player.progress().known_ms);
        let at = run.player.scenario().start_at;
        run.player.seek(at);
        let why = run.player.why_with_help(&Selection::App(app.into()));
        for cure in wanted {
            let found = why.help.iter().find(|h| h.change.starts_with(cure) && h.helps);
            let help = found.unwrap_or_else(|| {
                panic!(
                    "{name}: {cure} is not among {:#?}",
                    why.help.iter().map(|h| (&h.change, &h.effect)).collect::<Vec<_>>()
                )
            });
            holds(name, &run, (app, key, false), help, end);
        }
    }
}

/// A limit, a situation in which it stops an application, and the beginning of the change that helps: file, second, who,
/// check, change. Refusals, and causes that are no check of one request, have an empty name.
const WHAT_HELPS: &[(&str, i64, &str, &str, &str)] = &[
    (
        "within-a-queue-by-threshold",
        120,
        "app:bea",
        "",
        "yarn.resourcemanager.monitor.capacity.preemption.intra-queue-preemption.minimum-threshold",
    ),
    ("template-maximum", 60, "app:ann2", "", "root.users.auto-queue-creation-v2.leaf-template.maximum-capacity"),
    ("fair-share-of-gpus", 70, "app:nlp", "", "maxResources of root.ml"),
    ("fair-running-apps-user-then-queue", 30, "app:c", "", "maxRunningApps of root.q"),
    ("parallel-apps-queue-then-user", 20, "app:c", "UserParallelApps", "user.bob.max-parallel-apps"),
    ("cluster-drained-empty", 40, "app:job", "ClusterResources", "Bring n1 back"),
    ("am-limit-of-a-partition", 60, "app:two", "QueueAmLimit", "root.q.accessible-node-labels.x.maximum-am-resource"),
    ("user-am-limit-then-queue", 30, "app:ann2", "QueueAmLimit", "maximum-am-resource-percent"),
    (
        "label-of-the-other-queue",
        60,
        "app:train",
        "PartitionAccess",
        "root.q2.accessible-node-labels.gpu.maximum-capacity",
    ),
    ("mapped-elsewhere", 60, "app:mine", "Headroom", "root.small.maximum-capacity"),
    ("headroom-blocks-the-leaf", 60, "app:small", "LeafHeadroom", "root.q.maximum-capacity"),
    ("room-kept-for-a-gpu", 120, "app:infer", "", "Containers of 2 GB · 1 vcore for xjob"),
    ("headroom-blocks-the-leaf", 60, "app:small", "LeafHeadroom", "Containers of 1 GB · 1 vcore for big"),
    ("blocked-headroom-for-sibling", 60, "app:a", "", "root.p.maximum-capacity"),
    ("async-two-causes", 60, "app:job", "UserLimit", "root.q.user-limit-factor"),
    ("fair-am-share-then-max", 30, "app:late", "AmShare", "maxAMShare of root.q"),
    ("absolute-max-vcores", 40, "app:job", "", "root.q.maximum-capacity = [memory"),
    ("rack-limit-and-full", 60, "app:zk", "", "Clause ① rack: ≤ 2 zk"),
    ("rack-limit-and-full", 60, "app:zk", "", "One more node like c1 on another rack"),
    ("registered-constraint", 60, "app:web", "", "Without clause ①"),
    ("registered-constraint", 60, "app:web", "", "One more node like b2 on another rack"),
    ("tag-misspelt", 60, "app:near", "", "Clause ① ≥ 1 all/hbase instead of ≥ 1 all/hbsae"),
    ("namespace-self", 60, "app:near", "", "Clause ① rack: ≥ 1 all/hbase instead of rack: ≥ 1 hbase"),
    ("affinity-host-application-left", 30, "app:near", "", "Resize n1"),
    ("fair-locality-threshold", 12, "app:job", "", "yarn.scheduler.fair.locality.threshold.rack = 0"),
    ("fair-continuous-locality", 20, "app:job", "", "yarn.scheduler.fair.locality-delay-node-ms = 0"),
    ("blacklist-and-full", 60, "app:job", "", "Without n2 on the blacklist of job"),
    ("impossible-key-blocks-the-next", 60, "request:job/1_-1", "", "One more node (12 GB"),
    ("impossible-key-blocks-the-next", 60, "request:job/2_-1", "", "Label x for the requests of priority 1 of job"),
    ("gpu-type-missing", 30, "app:train", "", "Containers of 1 GB · 1 vcore · 1 gpu for train"),
    ("multi-node-without-policy", 60, "app:job", "", "multi-node-sorting.policy.names"),
    ("dead-zone-and-slow", 120, "app:late", "", "yarn.resourcemanager.monitor.capacity.preemption.max_ignored"),
    ("fair-above-half-share", 120, "app:late", "", "fairSharePreemptionThreshold of root.b"),
    ("fair-others-min-share", 90, "app:late", "", "minResources of root.prod"),
    ("priority-starves", 90, "app:low", "", "root.q.ordering-policy = fair"),
    ("am-hangs-then-second-attempt", 300, "app:job", "", "yarn.am.liveness-monitor.expiry-interval-ms"),
    (
        "samza-no-retry",
        60,
        "app:join",
        "",
        "cluster-manager.container.retry.count = 2 for join and job.host-affinity.enabled = false",
    ),
    ("auto-creation-limits", 30, "app:third", "", "root.users.auto-queue-creation-v2.max-queues = 3"),
    ("auto-creation-limits", 30, "app:deep", "", "root.users.auto-queue-creation-v2.max-queues = 3 and root.users"),
    ("max-applications", 30, "app:carl", "", "root.q.maximum-applications"),
    ("lifetime-while-waiting", 70, "app:job", "", "No lifetime for job"),
    ("slider-failures-stop-it", 120, "app:web", "", "yarn.container.failure.threshold"),
    ("service-handler-disabled", 60, "app:shop", "", "yarn.resourcemanager.placement-constraints.handler"),
    ("am-limit-of-a-user", 60, "app:job6", "UserAmLimit", "maximum-am-resource-percent"),
    ("am-limit-of-a-user", 60, "app:job6", "UserAmLimit", "root.q.minimum-user-limit-percent"),
    ("fair-maximum-of-the-parent", 60, "app:x", "MaxShare", "maxResources of root.dept"),
    ("user-of-little-weight", 60, "app:one", "UserLimit", "root.q.user-settings.ann.weight"),
    ("fair-maximum-of-root", 60, "app:two", "MaxShare", "maxResources of root = 13312 mb, 16 vcores"),
    (
        "fair-file-rewritten",
        120,
        "app:late",
        "MaxShare",
        "maxResources of root.a = 7168 mb, 16 vcores in the file written",
    ),
    ("fair-applications-refreshed", 120, "app:late", "", "maxRunningApps of root.a = 2 in the refresh at 0:30"),
    ("slider-flexed-beyond-hosts", 90, "app:hb", "", "yarn.component.instances = 3 for rs of hb in the flex at 1:00"),
    ("samza-replica-given-back", 60, "app:join", "", "One more node like n1"),
    ("slider-restarted-without-its-host", 240, "app:db", "", "Mend n1"),
    ("cardinality-and-silent-node", 60, "app:web", "", "Bring n3 back"),
    ("processor-user-limit", 20, "app:zk", "", "root.q.user-limit-factor"),
    (
        "gpu-round-takes-less-than-one",
        120,
        "app:late",
        "",
        "yarn.resourcemanager.monitor.capacity.preemption.total_preemption_per_round = 0.13",
    ),
];

/// Situations as operators meet them: file, second, who; the beginning of WHY, with the cause before its symptom; and the
/// advice that is taken.
const OPERATORS: &[(&str, i64, &str, &str, &str)] = &[
    (
        "user-factor-then-maximum",
        60,
        "app:spark",
        "ann uses 33 GB in root.etl; the user limit is 32 GB",
        "root.etl.user-limit-factor",
    ),
    (
        "queue-priority-takes-all",
        60,
        "app:nightly",
        "root.adhoc uses 9 GB of the 14745 MB that it is guaranteed",
        "yarn.resourcemanager.scheduler.monitor.enable = true",
    ),
    (
        "two-nodes-lost-am-limit",
        180,
        "app:a2",
        "w3 has been lost since 1:00 and takes nothing; w4 has been lost since 1:02",
        "Bring w3 back and bring w4 back",
    ),
    (
        "silent-node-behind-the-first",
        180,
        "app:job2",
        "n1 has been silent since 1:09 and counts as lost at 13:20; root.default waits for job",
        "yarn.nm.liveness-monitor.expiry-interval-ms",
    ),
    (
        "fair-user-queues-by-default",
        90,
        "app:a2",
        "AMs of root.users.ann use 2 GB",
        "queueMaxAMShareDefault = 0.21 and",
    ),
    ("am-limit-and-full-cluster", 60, "app:mv", "besides, both nodes are full", "root.b.capacity"),
    (
        "am-limit-raised-too-late",
        120,
        "app:nb4",
        "AMs of root.ds (nb1, nb2, nb3 and 2 more)",
        "maximum-am-resource-percent",
    ),
    (
        "reservations-too-small-for-the-user-limit",
        90,
        "app:two",
        "n4 has room, but ann uses 7 GB in root.a, more than the user limit of 3 GB: a reservation of 4 GB for this request would have to be given up, and none is that large; n1 and n2 are held",
        "root.a.user-limit-factor",
    ),
    ("label-idle-beside-full", 60, "app:etl", "of 4 nodes, 2 are full and 2 have label gpu", "One more node like n2"),
    (
        "observe-only-and-protected",
        120,
        "app:sla",
        "nothing may be taken from root.dev (disable_preemption)",
        "yarn.resourcemanager.monitor.capacity.preemption.observe_only = false and root.dev.disable_preemption",
    ),
    (
        "urgent-behind-lower-priority",
        90,
        "app:urgent",
        "old, of a lower priority, uses 14 GB of root.a",
        "yarn.resourcemanager.monitor.capacity.preemption.intra-queue-preemption.enabled = true and",
    ),
    (
        "parallel-then-am-limit",
        40,
        "app:c",
        "root.q runs 2 applications and may run 2 at a time",
        "root.q.max-parallel-apps = 3 and maximum-am-resource-percent",
    ),
    (
        "lost-node-shrinks-the-maximum",
        120,
        "app:shop",
        "n2 has been lost since 1:10 and takes nothing; root.svc uses 5 GB",
        "Bring n2 back",
    ),
    ("draining-beside-full", 60, "app:job", "n3 has been decommissioning since 0:25", "Recommission n3"),
    ("affinity-host-full", 60, "app:web", "n2 and n3 have no hbase of any application", "Without clause ①"),
    ("strict-host-full", 60, "app:job", "n2 and n3 are not where it asked to be", "relaxLocality = true"),
    (
        "vcores-gone-memory-free",
        60,
        "app:ml",
        "root.q uses more than its guarantee, and preemption is off",
        "One more node like n2",
    ),
    ("gpus-gone", 60, "app:train2", "the cluster has 0 gpu free of 4 gpu", "One more node like n2"),
    ("slider-anti-affine-full", 60, "app:hbase", "n1 has an instance of rs", "yarn.component.placement.policy = 0"),
    (
        "slider-flexed-beyond-user",
        60,
        "app:web",
        "ann uses 9 GB in root.svc; the user limit is 8 GB",
        "root.svc.user-limit-factor",
    ),
    (
        "samza-beyond-the-maximum",
        60,
        "app:enrich",
        "root.rt uses 4 GB; 1 GB more would pass its maximum of 4915 MB",
        "root.rt.maximum-capacity",
    ),
    ("samza-beyond-the-maximum", 60, "app:enrich", "", "job.container.count = 3 for enrich"),
    ("service-dependency-owed", 60, "app:shop", "nightly has 12 GB of 16 GB", "One more node like n2"),
    (
        "refresh-lowers-the-maximum",
        60,
        "request:job/20_1",
        "its maximum is 16 GB; maximum-capacity was set to 50 by the refresh at 0:40",
        "root.a.maximum-capacity = 82 in the refresh at 0:40",
    ),
    (
        "parent-full-of-a-sibling",
        90,
        "app:yjob",
        "root.eng.y uses 0 MB of the 8 GB that it is guaranteed, root.eng.x uses more than its guarantee, and preemption is off",
        "root.eng.maximum-capacity = 88",
    ),
    ("preemption-would-not-help", 60, "app:fat", "filler has 12 GB of 16 GB", "One more node like n2"),
    ("within-the-dead-zone", 60, "app:job", "all 3 nodes are full; hog has 18 GB of 24 GB", "One more node like n3"),
    ("label-that-nobody-has", 90, "app:job", "no node has label old", "One more node (8 GB"),
    (
        "host-without-its-rack",
        60,
        "request:raw/5_-1",
        "n1 is asked for without its rack /r1",
        "relaxLocality = true for raw",
    ),
    (
        "fair-queue-gives-nothing",
        60,
        "app:prodjob",
        "no node can give enough: left alone are 24 containers below root.dev",
        "allowPreemptionFrom of root.dev = true",
    ),
    (
        "fair-starved-later",
        30,
        "app:bjob",
        "it counts as starved from 0:40 on (fairSharePreemptionTimeout)",
        "fairSharePreemptionTimeout of root.b",
    ),
    (
        "fair-am-larger-than-its-share",
        120,
        "app:low",
        "the limit of 819 MB (maxAMShare: 50 % of its fair share of 1638 MB)",
        "maxAMShare of root.iron",
    ),
    ("samza-request-expired", 22, "request:joiner/0_-1", "", "job.host-affinity.enabled = false"),
    (
        "user-beyond-its-limit",
        120,
        "app:bob",
        "ann uses 16 GB in root.q, beyond the user limit of 9 GB, and preemption within queues is off",
        "yarn.resourcemanager.monitor.capacity.preemption.intra-queue-preemption.enabled = true",
    ),
    (
        "hung-master-holds-the-limit",
        120,
        "app:b",
        "the AM of a has made no call since 0:07 and holds its room until",
        "yarn.am.liveness-monitor.expiry-interval-ms",
    ),
    (
        "reservations-enough",
        16,
        "app:big",
        "it looks at no other node yet (reservations-continue-look-all-nodes",
        "reservations-continue-look-all-nodes = true",
    ),
    ("lent-then-taken-back", 60, "app:etl", "preemption has taken 1 container of etl", "One more node like n2"),
    ("anti-affine-node-unhealthy", 60, "app:zk", "n3 has been unhealthy since 0:10.666", "Mend n3"),
    (
        "service-rejected-by-processor",
        60,
        "app:shop",
        "1 container of shop was rejected at 0:10",
        "yarn.resourcemanager.placement-constraints.handler = scheduler and one more node",
    ),
    ("fair-am-share-of-reports", 60, "app:r3", "AMs of root.rep use 2 GB", "maxAMShare of root.rep"),
    (
        "fair-owed-without-timeout",
        120,
        "app:late",
        "late uses 0 MB, its fair share is 8 GB, and no fairSharePreemptionTimeout is set; AMs of root.b",
        "fairSharePreemptionTimeout of root.b",
    ),
    (
        "fair-applications-of-a-user",
        40,
        "app:c",
        "ann runs 2 applications and may run 2 at a time",
        "maxRunningApps of user ann = 3",
    ),
    ("fifo-first-takes-all", 60, "app:last", "all 3 nodes are full", "One more node like n3"),
    (
        "fifo-node-lost",
        90,
        "app:raw",
        "n3 has been lost since 0:15 and takes nothing; both nodes that are left are full",
        "Bring n3 back",
    ),
    (
        "raw-large-before-small",
        60,
        "app:raw",
        "root.q uses 13 GB; 6 GB more would pass its maximum",
        "root.q.maximum-capacity",
    ),
];

#[test]
fn operators_are_told_the_cause_first_and_their_advice_is_true() {
    let mut wrong = Vec::new();
    for (file, seconds, about, first, change) in OPERATORS {
        let mut player = load(file, &situation(file));
        player.seek(seconds * 1_000);
        let said = plain(&player.why(&about.parse().expect("a selection")).sentence);
        let begin: String = said.chars().take(320).collect();
        if !begin.contains(first) {
            wrong.push(format!("{file}: {first:?} is not said first: {said}"));
        }
        wrong.extend(takes(file, *seconds, about, "", change));
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Returns the text of a situation.
fn situation(name: &str) -> String {
    let path = root().join("tests/scenarios/why").join(format!("{name}.toml"));
    std::fs::read_to_string(path).expect("a situation")
}

/// Takes one piece of advice for a situation and runs it. Returns what is wrong with it.
fn takes(file: &str, seconds: i64, about: &str, check: &str, change: &str) -> Option<String> {
    let mut before = Run::of(file, &situation(file));
    before.player.seek(seconds * 1_000);
    let about: Selection = about.parse().expect("a selection");
    let why = before.player.why_with_help(&about);
    let stopped = |l: &&heddle_player::explain::view::LimitView| !l.passes && l.reached;
    let stops: Vec<&str> = why.limits.iter().filter(stopped).map(|l| l.check.as_str()).collect();
    if !check.is_empty() && !stops.contains(&check) {
        return Some(format!("{file}: {stops:?} stop it, not {check}"));
    }
    let Some(help) = why.help.iter().find(|h| h.helps && h.change.starts_with(change)) else {
        let all: Vec<&str> = why.help.iter().map(|h| h.change.as_str()).collect();
        return Some(format!("{file}: {change} is not among {all:#?}"));
    };
    names_what_exists(file, help);
    let after = Run::of(file, help.scenario.as_ref().expect("it carries the scenario"));
    let name = about.app().expect("an application");
    let place = |run: &Run| run.player.scenario().apps.iter().position(|a| a.name == name).expect("it is there");
    let key = if let Selection::Request { key, .. } = &about { Some(key.as_str()) } else { None };
    let times = |run: &Run| -> Vec<i64> {
        let samza = run.player.scenario().apps[place(run)].kind.is::<SamzaApp>();
        let given = run.given[place(run)].iter().filter(|g| key.is_none_or(|key| samza || g.key == key));
        given.filter(|g| g.lost_at.is_none()).map(|g| g.at).collect()
    };
    let (b, a) = (times(&before), times(&after));
    // Containers that are lost in the end either way were there in the meantime; a change that asks for fewer brings no more.
    let meanwhile = help.promise.at.1 > help.promise.at.0 && a.len() >= b.len();
    let sooner = || a.iter().zip(&b).any(|(a, b)| b - a >= SAME_MS) && a.len() >= b.len();
    // What continues to wait gets nothing more, and does not end.
    let goes_on = help.effect.starts_with("it would not be over");
    let told = (a.len() <= b.len() && !sooner() && !goes_on && !meanwhile && help.promise.fewer == 0)
        .then(|| format!("given at {b:?}, with it at {a:?}"));
    told.map(|told| format!("{file}: {}: {told}", help.change))
}

/// For each limit the advice of one situation is taken and run: more is placed, or the last of it sooner, or what was refused
/// is admitted.
#[test]
fn what_helps_against_each_limit_is_found_and_does() {
    let takes = |row: &(&str, i64, &str, &str, &str)| takes(row.0, row.1, row.2, row.3, row.4);
    let wrong: Vec<String> = WHAT_HELPS.iter().filter_map(takes).collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    for limit in LIMITS {
        assert!(WHAT_HELPS.iter().any(|(_, _, _, check, _)| *check == limit), "{limit} has no situation");
    }
}

/// The names of the limits before any node that a change can lift.
const LIMITS: [&str; 10] = [
    "UserAmLimit",
    "MaxShare",
    "UserParallelApps",
    "ClusterResources",
    "QueueAmLimit",
    "PartitionAccess",
    "LeafHeadroom",
    "UserLimit",
    "Headroom",
    "AmShare",
];
