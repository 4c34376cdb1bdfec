//! The headline names the victim and not the hog: an application that lacks what it is promised comes before one that has
//! much and wants more, however long that has waited.

use crate::Player;
use crate::explain::view::{Selection, Snapshot};
use crate::fixtures::at;

const CAPACITY: &str = "[yarn-site]\nscheduler.maximum-allocation-mb = 8192\n\
    resourcemanager.placement-constraints.handler = \"scheduler\"\nnode-labels.enabled = true\n[capacity-scheduler]\n\
    maximum-am-resource-percent = 1.0\nroot.queues = \"a,b\"\nroot.a.capacity = 10\nroot.a.maximum-capacity = 100\n\
    root.a.user-limit-factor = 20\nroot.b.capacity = 90\n\
    \"root.accessible-node-labels.x.capacity\" = 100\n\"root.b.accessible-node-labels\" = \"x\"\n\
    \"root.b.accessible-node-labels.x.capacity\" = 100\n";
const FAIR: &str = "scheduler = \"fair\"\n[yarn-site]\nscheduler.maximum-allocation-mb = 8192\n\
    resourcemanager.placement-constraints.handler = \"placement-processor\"\n[files]\n\"fair-scheduler.xml\" = \
    \"<allocations><queue name='a'><weight>1</weight></queue><queue name='b'><weight>9</weight>B</queue></allocations>\"\n";
const FIFO: &str = "scheduler = \"fifo\"\n[yarn-site]\nscheduler.maximum-allocation-mb = 8192\n\
    resourcemanager.placement-constraints.handler = \"placement-processor\"\n";

/// Three nodes that the hog has filled and wants more of since 0:02, and one for the others.
fn scenario(head: &str, labels: bool, rest: &str) -> String {
    let labels = if labels { "labels = [\"x\"]\n" } else { "" };
    format!(
        "heddle = 1\nscheduling = \"heartbeat\"\nuntil = \"6 min\"\n{labels}{head}\
         [[nodes]]\nname = \"n{{1}}\"\ncount = 4\nsize = \"4 GB/16\"\n\
         [[apps]]\nname = \"hog\"\nuser = \"ann\"\nqueue = \"root.a\"\nam = {{ size = \"1 GB/1\", places = [\"n1\"], relax = false }}\n\
         tasks = [{{ count = 30, size = \"1 GB/1\", duration = \"forever\", places = [\"n1\", \"n2\", \"n3\"], relax = false }}]\n\
         {rest}"
    )
}

fn app(rest: &str) -> String {
    format!("[[apps]]\nname = \"vic\"\nat = \"20 s\"\nuser = \"bob\"\nqueue = \"root.b\"\n{rest}\n")
}

fn batch(count: usize, more: &str) -> String {
    app(&format!("am = \"1 GB/1\"\ntasks = [{{ count = {count}, size = \"1 GB/1\", duration = \"forever\"{more} }}]"))
}

/// Another application of the victim's queue, which has its ApplicationMaster and no requests.
const FIRST: &str = "[[apps]]\nname = \"first\"\nat = \"5 s\"\nuser = \"cat\"\nqueue = \"root.b\"\nam = \"1 GB/1\"\n\
    tasks = [{ count = 1, size = \"1 GB/1\", delay = \"30 min\" }]\n";

fn samza() -> String {
    app(
        "kind = \"samza\"\nstreams = { \"kafka.orders\" = 2 }\nbefore = { hosts = { \"0\" = \"n4\", \"1\" = \"n4\" } }\n\
         fails_on = [{ node = \"n4\", after = \"1 s\" }]\n\"job.properties\" = \"\"\"\njob.name=vic\n\
         job.host-affinity.enabled=true\njob.container.count=2\ncluster-manager.container.memory.mb=1024\n\
         cluster-manager.container.retry.count=0\ncluster-manager.container.fail.job.after.retries=false\n\
         task.inputs=kafka.orders\n\"\"\"",
    )
}

fn slider(policy: i32, instances: usize) -> String {
    app(&format!(
        "kind = \"slider\"\nam = \"1 GB/1\"\ncomponents = [{{ name = \"worker\", \"yarn.role.priority\" = 1, \
         \"yarn.component.instances\" = {instances}, \"yarn.memory\" = 1024, \"yarn.component.placement.policy\" = {policy} }}]"
    ))
}

fn service(components: &str) -> String {
    app(&format!("kind = \"yarn-service\"\nam = \"1 GB/1\"\ncomponents = [{components}]"))
}

/// Everything that can be wrong with the victim: its fault, its settings under the CapacityScheduler and the FairScheduler,
/// its text. Settings of `None` mean that it is no victim under that scheduler.
type Victim = (&'static str, Option<&'static str>, Option<&'static str>, Option<()>, String);

fn victims() -> Vec<Victim> {
    let (any, none) = (Some(""), None);
    let hang = format!("{}[[happenings]]\nat = \"40 s\"\ndo = \"hang_am\"\napp = \"vic\"\n", batch(2, ""));
    let large =
        "kind = \"requests\"\nam = \"1 GB/1\"\n[[apps.calls]]\nat = \"1 s\"\nasks = [{ count = 1, size = \"9 GB/1\" }]";
    vec![
        (
            "AM limit",
            Some("root.b.maximum-am-resource-percent = 0.05\n"),
            Some("<maxAMShare>0.1</maxAMShare>"),
            None,
            format!("{FIRST}{}", batch(1, "")),
        ),
        (
            "parallel applications",
            Some("root.b.max-parallel-apps = 1\n"),
            Some("<maxRunningApps>1</maxRunningApps>"),
            None,
            format!("{FIRST}{}", batch(1, "")),
        ),
        ("user limit", Some("root.b.user-limit-factor = 0.1\n"), none, None, batch(8, "")),
        ("label", any, none, None, batch(1, ", label = \"x\"")),
        ("no room, preemption off", any, any, Some(()), batch(8, "")),
        (
            "constraint",
            any,
            any,
            Some(()),
            app(
                "kind = \"distributed-shell\"\nam = \"1 GB/1\"\nspec = \"zk(3),NOTIN,NODE,zk\"\nsize = \"1 GB/1\"\nduration = \"forever\"",
            ),
        ),
        ("place", any, any, Some(()), batch(2, ", places = [\"n1\"], relax = false")),
        ("refused submission", any, any, Some(()), app("am = \"9 GB/1\"\ntasks = [{ count = 1 }]")),
        ("refused call", any, any, Some(()), app(large)),
        ("AM hangs", any, any, Some(()), hang),
        ("AM without room", any, any, Some(()), app("am = \"8 GB/1\"\ntasks = [{ count = 1 }]")),
        ("Slider short", any, any, Some(()), slider(0, 6)),
        ("Slider held back", any, any, Some(()), slider(4, 3)),
        ("Samza given up", any, any, Some(()), samza()),
        ("service short", any, any, Some(()), service("{ name = \"web\", count = 6, size = \"1 GB/1\" }")),
        (
            "service held back",
            any,
            any,
            Some(()),
            service(
                "{ name = \"web\", count = 1, size = \"1 GB/1\", dependencies = [\"db\"] }, \
                 { name = \"db\", count = 1, size = \"1 GB/1\", restart_policy = \"ON_FAILURE\", duration = \"5 s\", exit_code = 1 }",
            ),
        ),
    ]
}

fn about(s: &Snapshot) -> Option<&str> {
    s.headline_about.as_ref().and_then(Selection::app)
}

#[test]
fn the_headline_is_about_the_victim_and_not_about_the_hog() {
    let mut wrong = Vec::new();
    let mut tried = 0;
    for (what, capacity, fair, fifo, rest) in victims() {
        let heads = [
            capacity.map(|more| match more.contains("factor") {
                true => format!("{CAPACITY}{more}"),
                false => format!("{CAPACITY}root.b.user-limit-factor = 2\n{more}"),
            }),
            fair.map(|more| FAIR.replace('B', more)),
            fifo.map(|()| FIFO.to_string()),
        ];
        for (head, scheduler) in heads.into_iter().zip(["capacity", "fair", "fifo"]) {
            let Some(head) = head else { continue };
            let rest = if scheduler == "capacity" { rest.clone() } else { rest.replace(", label = \"x\"", "") };
            let player = at(&scenario(&head, scheduler == "capacity", &rest), 120);
            let s = player.snapshot(None);
            tried += 1;
            if about(&s) != Some("vic") {
                wrong.push(format!("{what} under {scheduler}: {:?}: {}", s.headline_about, s.headline));
            }
            // The hog waits too, and longer.
            let hog = s.waiting.iter().find(|w| w.app == "hog");
            if hog.is_none_or(|hog| hog.since_ms > 20_000) {
                wrong.push(format!("{what} under {scheduler}: the hog does not wait"));
            }
            // Whoever the headline names waits in the lane and in the sum, or is refused.
            let vic: i64 = s.waiting.iter().filter(|w| w.app == "vic").map(|w| w.count).sum();
            let refused = s.refused.iter().any(|r| r.id.app() == Some("vic"));
            let sum: i64 = s.waiting.iter().map(|w| w.count).sum();
            if vic == 0 && !refused || sum != s.tally.waiting as i64 {
                wrong.push(format!("{what} under {scheduler}: {vic} wait of {sum} and {}", s.tally.waiting));
            }
        }
    }
    assert!(wrong.is_empty(), "{} of {tried}:\n{}", wrong.len(), wrong.join("\n"));
    assert!(tried > 36, "only {tried}");
}

/// Among applications of one rank time decides, then who was submitted first; one that has not yet waited a round comes last.
#[test]
fn of_equal_stories_the_longest_wait_is_first() {
    let two = |first: &str, second: &str| {
        format!(
            "heddle = 1\nscheduling = \"heartbeat\"\nuntil = \"2 min\"\n[capacity-scheduler]\nroot.queues = \"q\"\n\
             root.q.capacity = 100\nmaximum-am-resource-percent = 0.2\n[[nodes]]\nname = \"n1\"\nsize = \"8 GB/8\"\n\
             [[apps]]\nname = \"runs\"\nqueue = \"q\"\nam = \"2 GB/1\"\ntasks = [{{ count = 1, duration = \"forever\" }}]\n\
             [[apps]]\nname = \"x\"\nat = \"{first}\"\nqueue = \"q\"\nam = \"1 GB/1\"\ntasks = [{{ count = 1 }}]\n\
             [[apps]]\nname = \"y\"\nat = \"{second}\"\nqueue = \"q\"\nam = \"1 GB/1\"\ntasks = [{{ count = 1 }}]\n"
        )
    };
    let first = |text: String, ms: i64| {
        let mut player: Player = at(&text, 1);
        player.seek(ms);
        about(&player.snapshot(None)).map(str::to_string)
    };
    assert_eq!(first(two("10 s", "20 s"), 60_000).as_deref(), Some("x"), "it has waited longer");
    assert_eq!(first(two("20 s", "10 s"), 60_000).as_deref(), Some("y"), "it has waited longer");
    assert_eq!(first(two("10 s", "10 s"), 60_000).as_deref(), Some("x"), "it was submitted first");
    assert_eq!(first(two("10 s", "59.5 s"), 60_000).as_deref(), Some("x"));
}
