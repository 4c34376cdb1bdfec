//! Further resource types keep their names, minima and maxima in whatever order they are declared, through every reader and
//! writer: one list defines the order of amounts (`ResourceTypes::with`), as Hadoop's ResourceUtils has it.
#![cfg(not(target_arch = "wasm32"))]

use heddle_core::config::resource_text::{Allocations, allocations, parse_resource};
use heddle_core::config::values::Conf;
use heddle_core::model::{Resource, ResourceTypes};
use heddle_core::scenario::read::read;
use heddle_player::Player;

/// Names with and without a namespace; their indices here determine their amounts.
const NAMES: [&str; 6] = ["yarn.io/gpu", "fpga", "yarn.io/fpga", "gpu", "disk", "a.b/nic"];

/// Returns the maximum allocation of a type. All types have different ones, and none is another's minimum or node amount.
fn maximum(name: &str) -> i64 {
    20 + 10 * place(name)
}

fn minimum(name: &str) -> i64 {
    1 + place(name)
}

fn on_node(name: &str) -> i64 {
    200 + place(name)
}

/// Returns the amount that a container asks for.
fn asked(name: &str) -> i64 {
    10 + place(name)
}

fn place(name: &str) -> i64 {
    NAMES.iter().position(|n| *n == name).map_or(0, |i| i as i64)
}

/// Returns every ordered choice of `count` names.
fn orders(count: usize) -> Vec<Vec<&'static str>> {
    if count == 0 {
        return vec![Vec::new()];
    }
    let shorter = orders(count - 1);
    let more = |got: Vec<&'static str>| {
        let left: Vec<&'static str> = NAMES.into_iter().filter(|n| !got.contains(n)).collect();
        left.into_iter().map(move |n| got.iter().copied().chain([n]).collect())
    };
    shorter.into_iter().flat_map(more).collect()
}

/// Returns `, a=1, b=2`.
fn amounts(names: &[&str], of: fn(&str) -> i64) -> String {
    names.iter().map(|n| format!(", {n}={}", of(n))).collect()
}

fn of_types(r: Resource, types: &ResourceTypes, name: &str) -> i64 {
    r[types.place(name).unwrap_or_else(|| panic!("{name} is a type"))]
}

/// The orders that ResourceUtils of Hadoop 3.5.0 gave.
#[test]
fn types_are_numbered_as_hadoop_numbers_them() {
    for (declared, order) in [
        ("yarn.io/gpu,fpga", "fpga,yarn.io/gpu"),
        ("fpga,yarn.io/gpu", "fpga,yarn.io/gpu"),
        ("yarn.io/fpga,fpga", "fpga,yarn.io/fpga"),
        ("gpu,yarn.io/fpga,a.b/nic", "a.b/nic,yarn.io/fpga,gpu"),
        ("a.b/nic,disk,gpu,yarn.io/fpga,fpga,yarn.io/gpu", "disk,fpga,yarn.io/gpu,a.b/nic,yarn.io/fpga,gpu"),
    ] {
        let types = ResourceTypes::with(declared.split(',')).expect("they are few");
        assert_eq!(types.names()[2..].join(","), order, "{declared}");
    }
}

/// Bounds by name, from properties and from text.
#[test]
fn bounds_follow_their_names() {
    for count in 1..=NAMES.len() {
        for names in orders(count) {
            let mut conf = Conf::default();
            conf.set("yarn.resource-types", names.join(","));
            for name in &names {
                conf.set(format!("yarn.resource-types.{name}.minimum-allocation"), minimum(name).to_string());
                conf.set(format!("yarn.resource-types.{name}.maximum-allocation"), maximum(name).to_string());
            }
            let Allocations { types, minimum: low, maximum: high } = allocations(&conf).expect("they are types");
            for name in &names {
                assert_eq!(of_types(low, &types, name), minimum(name), "{names:?}");
                assert_eq!(of_types(high, &types, name), maximum(name), "{names:?}");
            }
            // In such lists YARN reads plain `gpu` and `fpga` as yarn.io's.
            let listed: Vec<&str> = names.iter().copied().filter(|n| !matches!(*n, "gpu" | "fpga")).collect();
            let text = format!("memory-mb=5,vcores=6{}", amounts(&listed, asked));
            let read = parse_resource(&text, &types).expect("it is a list");
            for name in &listed {
                assert_eq!(of_types(read, &types, name), asked(name), "{names:?}");
                assert!(read.text(&types).contains(&format!("{name}: {}", asked(name))), "{names:?}");
            }
        }
    }
}

/// Returns a scenario with every kind of application that can ask for further types; `declared` in yarn-site.xml, or else by
/// the nodes' amounts.
fn scenario(names: &[&str], declared: bool, scheduler: &str) -> String {
    let more = amounts(names, asked);
    let quoted: String = names.iter().map(|n| format!(", \"{n}\" = {}", asked(n))).collect();
    let mut text = format!(
        "heddle = 1\nuntil = \"1 min\"\nscheduling = \"heartbeat\"\nscheduler = \"{scheduler}\"\n[yarn-site]\n"
    );
    if declared {
        text += &format!("resource-types = \"{}\"\n", names.join(","));
    }
    for name in names {
        text += &format!("\"resource-types.{name}.maximum-allocation\" = {}\n", maximum(name));
    }
    text += "resourcemanager.placement-constraints.handler = \"scheduler\"\n";
    text += "scheduler.minimum-allocation-mb = 512\n";
    if scheduler == "capacity" {
        text += "[capacity-scheduler]\n\
            resource-calculator = \"org.apache.hadoop.yarn.util.resource.DominantResourceCalculator\"\n\
            root.queues = \"q\"\nroot.q.capacity = 100\nmaximum-am-resource-percent = 1\n";
    }
    text += &format!(
        "[[nodes]]\nname = \"n\"\nsize = \"64 GB/64{}\"\n[[nodes]]\nname = \"m\"\nsize = {{ memory = \"64 GB\", vcores = 64{} }}\n",
        amounts(names, on_node),
        names.iter().map(|n| format!(", \"{n}\" = {}", on_node(n))).collect::<String>()
    );
    let app =
        |name: &str, rest: &str| format!("[[apps]]\nname = \"{name}\"\nqueue = \"root.q\"\nam = \"1 GB/1\"\n{rest}\n");
    text += &app("batch", &format!("tasks = [{{ count = 1, size = \"2 GB/1{more}\", duration = \"forever\" }}]"));
    text += &app(
        "table",
        &format!(
            "tasks = [{{ count = 1, size = {{ memory = \"2 GB\", vcores = 1{quoted} }}, duration = \"forever\" }}]"
        ),
    );
    text += &format!(
        "[[apps]]\nname = \"raw\"\nkind = \"requests\"\nqueue = \"root.q\"\nam = \"1 GB/1{more}\"\n[[apps.calls]]\n\
         at = \"1 s\"\nasks = [{{ priority = 1, count = 1, size = \"2 GB/1{more}\", duration = \"forever\" }}]\n"
    );
    if scheduler == "capacity" {
        text += &app(
            "shell",
            &format!(
                "kind = \"distributed-shell\"\nspec = \"zk(1),NOTIN,NODE,zk\"\nsize = \"2 GB/1{more}\"\nduration = \"forever\""
            ),
        );
    }
    text
}

/// Checks that running containers have what was asked for, by name, and that the snapshot says so.
fn plays(names: &[&str], declared: bool, scheduler: &str) {
    let text = scenario(names, declared, scheduler);
    let what = format!("{names:?} {declared} {scheduler}");
    let loaded = Player::load(&text);
    let Some(mut player) = loaded.player else { panic!("{what}: {:?}\n{text}", loaded.problems) };
    player.run_to_end();
    player.seek(50_000);
    let types = player.scenario().resource_types.clone();
    let cluster = player.simulation().rm().cluster();
    assert_eq!(cluster.types, types, "{what}");
    for name in names {
        assert_eq!(of_types(cluster.maximum, &types, name), maximum(name), "{what}");
        for node in player.simulation().rm().nodes() {
            assert_eq!(of_types(node.total, &types, name), on_node(name), "{what}");
        }
    }
    let rm = player.simulation().rm();
    let apps = rm.apps().len();
    let mut tasks = 0;
    for app in rm.apps() {
        for c in rm.containers_of(app.id).filter(|c| !c.am) {
            tasks += 1;
            for name in names {
                assert_eq!(of_types(c.size, &types, name), asked(name), "{what}: {}", app.submission.name);
            }
        }
    }
    assert_eq!(tasks, apps, "{what}: each application has one task");
    let snapshot = player.snapshot(None);
    for node in snapshot.racks.iter().flat_map(|rack| &rack.nodes) {
        for name in names {
            let shown = node.total.more.iter().find(|(n, _)| n == name).map(|(_, amount)| *amount);
            assert_eq!(shown, Some(on_node(name)), "{what}");
        }
    }
}

#[test]
fn applications_get_what_they_ask_for_by_name() {
    // The FifoScheduler allocates memory and one vcore.
    for scheduler in ["capacity", "fair"] {
        for count in [1, 2, 3, 6] {
            // All orders of few names; some spread-out ones of many.
            let all = orders(count);
            let step = (all.len() / 12).max(1);
            for names in all.iter().step_by(if count == 2 { 1 } else { step }) {
                plays(names, true, scheduler);
                plays(names, false, scheduler);
            }
        }
    }
}

/// Names and amounts in queues, services, and fair-scheduler.xml.
#[test]
fn queues_and_files_follow_their_names() {
    for names in orders(2).into_iter().chain(orders(3).into_iter().step_by(7)) {
        let listed: Vec<&str> = names.iter().copied().filter(|n| !matches!(*n, "gpu" | "fpga")).collect();
        let mut text = scenario(&names, true, "capacity");
        let maximum_allocation = format!("memory-mb=8192,vcores=4{}", amounts(&listed, maximum)).replace(' ', "");
        let vector = format!("[memory=1024,vcores=8{}]", amounts(&names, on_node)).replace(' ', "");
        text = text.replace(
            "root.q.capacity = 100",
            &format!("root.q.capacity = \"{vector}\"\nroot.q.maximum-allocation = \"{maximum_allocation}\""),
        );
        let scenario = read(&text);
        let Some(scenario) = scenario.scenario else { panic!("{names:?}: {:?}\n{text}", scenario.problems) };
        let rm = heddle_core::rm::ResourceManager::new(scenario.settings.clone()).expect("it starts");
        let queue = rm.queue("root.q").expect("the queue is there");
        let conf = &rm.capacity().expect("it runs that").queue(queue).conf;
        let types = &rm.cluster().types;
        for name in &listed {
            assert_eq!(of_types(conf.maximum_allocation, types, name), maximum(name), "{names:?}");
        }
        let amounts_of_queue = rm.capacity().expect("it runs that").queue(queue).parts[0].configured_min;
        for name in &names {
            assert_eq!(of_types(amounts_of_queue, types, name), on_node(name), "{names:?}");
        }
        let fair = format!(
            "<allocations><queue name=\"q\"><maxResources>memory-mb=4096, vcores=9{}</maxResources></queue></allocations>",
            amounts(&names, on_node)
        );
        let (file, _) = heddle_core::config::fair::read("f", &fair, types, false).expect("it reads");
        let total = Resource([1_000_000; heddle_core::model::limits::RESOURCE_TYPES]);
        let maximum = file.queues["root.q"].maximum.expect("it has one").of(total);
        for name in &names {
            assert_eq!(of_types(maximum, types, name), on_node(name), "{names:?}");
        }
    }
}

/// The sentence about a waiting request names the type that decides, even if nothing of it is free.
#[test]
fn a_type_of_which_nothing_is_free_is_named() {
    for (name, short) in [("yarn.io/gpu", "gpu"), ("fpga", "fpga")] {
        let text = format!(
            "heddle = 1\nscheduling = \"heartbeat\"\nuntil = \"1 min\"\n[capacity-scheduler]\n\
             resource-calculator = \"org.apache.hadoop.yarn.util.resource.DominantResourceCalculator\"\n\
             root.queues = \"default\"\nroot.default.capacity = 100\nmaximum-am-resource-percent = 0.5\n\
             [[nodes]]\nname = \"cpu{{1}}\"\ncount = 2\nsize = \"32 GB/16\"\n\
             [[nodes]]\nname = \"special\"\nsize = {{ memory = \"32 GB\", vcores = 16, \"{name}\" = 2 }}\n\
             [[apps]]\nname = \"dask\"\nam = \"1 GB/1\"\n\
             tasks = [{{ count = 6, size = {{ memory = \"1 GB\", vcores = 1, \"{name}\" = 1 }}, duration = \"forever\" }}]\n"
        );
        let mut player = Player::load(&text).player.expect("it loads");
        player.run_to_end();
        player.seek(50_000);
        let waiting = player.snapshot(None).waiting.first().map(|w| w.id.clone()).expect("four wait");
        let sentence = player.why(&waiting).sentence.replace("**", "");
        let wanted = format!("0 {short} free of 2 {short}; the request needs 1 {short}");
        assert!(sentence.contains(&wanted), "{sentence}");
    }
}

/// A user limit names first the property that decides it, with its value even if it is the default.
#[test]
fn a_user_limit_names_what_decides_it() {
    let text = |settings: &str, others: &str| {
        format!(
            "heddle = 1\nscheduling = \"heartbeat\"\nuntil = \"1 min\"\n[capacity-scheduler]\n\
             root.queues = [\"a\", \"b\"]\nroot.a.capacity = 40\nroot.a.maximum-capacity = 100\nroot.b.capacity = 60\n\
             maximum-am-resource-percent = 1\n{settings}\n[[nodes]]\nname = \"n{{1}}\"\ncount = 5\nsize = \"20 GB/20\"\n\
             [[apps]]\nname = \"one\"\nqueue = \"root.a\"\nuser = \"ann\"\nam = \"1 GB/1\"\n\
             tasks = [{{ count = 90, size = \"1 GB/1\", duration = \"forever\" }}]\n{others}"
        )
    };
    let second = "[[apps]]\nname = \"two\"\nqueue = \"root.a\"\nuser = \"bob\"\nam = \"1 GB/1\"\n\
                  tasks = [{ count = 90, size = \"1 GB/1\", duration = \"forever\" }]\n";
    // Two users with half each fill the cluster in the end and the nodes stop them, so the question comes while there is
    // room.
    for (settings, others, at, first) in [
        ("", "", 50_000, "root.a.user-limit-factor = 1 (not set)"),
        ("root.a.user-limit-factor = 1.5", "", 50_000, "root.a.user-limit-factor = 1.5"),
        (
            "root.a.user-limit-factor = 9\nroot.a.minimum-user-limit-percent = 50",
            second,
            20_000,
            "root.a.minimum-user-limit-percent = 50",
        ),
    ] {
        let text = text(settings, others);
        let mut player = Player::load(&text).player.unwrap_or_else(|| panic!("{text}"));
        player.run_to_end();
        player.seek(at);
        let waiting = player.snapshot(None).waiting.iter().map(|w| w.id.clone()).collect::<Vec<_>>();
        let why = waiting.iter().map(|id| player.why(id));
        let limit = why.flat_map(|w| w.limits).find(|l| l.name == "user limit" && !l.passes);
        let said = limit.as_ref().and_then(|l| l.properties.first()).cloned().unwrap_or_default();
        assert!(said.starts_with(&format!("yarn.scheduler.capacity.{first}")), "{said} instead of {first}");
    }
}
