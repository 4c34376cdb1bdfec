//! Reading scenarios: what is understood, and the problems of what is not.

use super::super::*;
use super::read;
use crate::api::SchedulerChoice;
use crate::model::{Resource, Severity, limits};

fn good(text: &str) -> Scenario {
    let read = read(text);
    let shown: Vec<String> = read.problems.iter().map(|p| p.render(text)).collect();
    read.scenario.unwrap_or_else(|| panic!("refused: {shown:#?}"))
}

/// Returns the problems as `line:column: what mend`.
fn bad(text: &str) -> Vec<String> {
    let read = read(text);
    read.problems.iter().map(|p| p.render(text).replace("scenario:", "")).collect()
}

const WHOLE: &str = r#"
heddle = 1
title = "Everything once"
seed = 7
start_at = "20 s"
until = "2 min"
scheduling = "heartbeat"
labels = ["gpu", "x(exclusive=false)"]

[users]
alice = ["eng", "dev"]

[timing]
node_heartbeat = "500 ms"
phases = "aligned"

[capacity-scheduler]
root.queues = ["a", "b"]
root.a.capacity = 40
root.b.capacity = 60
maximum-am-resource-percent = 0.5
"root.a.accessible-node-labels.gpu.capacity" = 100

[yarn-site]
scheduler.minimum-allocation-mb = 512

[[nodes]]
name = "n{01}"
count = 4
racks = 2
size = "64 GB/16, yarn.io/gpu=2" # a comment
label = "gpu"
attributes = { os = "centos8", java = 17 }

[[nodes]]
name = "m"
memory = "8 GB"
vcores = 4
at = 5

[[apps]]
name = "job"
copies = 2
every = "10 s"
queue = "root.a"
user = "alice"
am = "2 GB"
tasks = [
  { name = "map", count = 10, size = "1 GB/1", duration = "30 s", places = ["m"] },
  { name = "reduce", count = 2, size = { memory = 2048, vcores = 2 }, duration = "forever", after = "map" },
]

[[apps]]
name = "zk"
kind = "distributed-shell"
at = "1:00"
spec = "zk(3),NOTIN,NODE,zk"
size = "1 GB/1"

[[apps]]
name = "raw"
kind = "requests"
am = { unmanaged = true }
[[apps.calls]]
at = 1
asks = [{ place = "n01", count = 1, relax = false }, { place = "/r1", count = 1, relax = false }, { count = 1 }]
[[apps.calls]]
at = 2
scheduling = [{ id = 1, tags = "zk", constraint = "notin,node,zk", duration = 5 }]
release = [1]

[[happenings]]
at = "30 s"
do = "resize_node"
node = "m"
size = "4 GB/2"

[[happenings]]
at = "20 s"
do = "add_node"
name = "late"
size = "8 GB/8"

[[happenings]]
at = "40 s"
do = "refresh"
capacity-scheduler = { root.a.capacity = 50, root.b.capacity = 50 }
unset = ["maximum-am-resource-percent"]

[[captions]]
at = "20 s"
text = "Look here."

[[expect]]
at = "10 s"
app = "zk"
placed = 2
waiting = ">= 1"
on = { n01 = 1 }
state = "RUNNING"

[[expect]]
always = true
from = 5
queue = "root.a"
used_memory = "<= 4 GB"
"#;

#[test]
fn everything_once() {
    let s = good(WHOLE);
    assert_eq!((s.seed, s.start_at, s.until), (7, 20_000, Some(120_000)));
    assert_eq!(s.scheduling, Scheduling { mode: Mode::Heartbeat, because: Because::Scenario });
    assert_eq!(s.settings.scheduler, SchedulerChoice::Capacity);
    let names: Vec<_> = s.nodes.iter().map(|n| (n.spec.host.as_str(), n.spec.rack.as_str(), n.entry)).collect();
    assert_eq!(
        names,
        [("n01", "/r1", 0), ("n02", "/r1", 0), ("n03", "/r2", 0), ("n04", "/r2", 0), ("m", "/default-rack", 1)]
    );
    assert_eq!(s.resource_types.names(), ["memory-mb", "vcores", "yarn.io/gpu"]);
    assert_eq!(s.nodes[0].spec.total[2], 2);
    assert_eq!(s.nodes[0].attributes[1], ("java".into(), "17".into()));
    assert_eq!(s.nodes[4].at, 5_000);
    let capacity = &s.settings.capacity_scheduler;
    for (name, value) in [
        ("root.queues", "a,b"),
        ("root.b.capacity", "60"),
        ("maximum-am-resource-percent", "0.5"),
        ("root.a.accessible-node-labels.gpu.capacity", "100"),
        ("schedule-asynchronously.enable", "false"),
    ] {
        assert_eq!(capacity.get(&format!("yarn.scheduler.capacity.{name}")).map(String::as_str), Some(value));
    }
    assert_eq!(s.settings.yarn_site["yarn.scheduler.minimum-allocation-mb"], "512");
    assert_eq!(s.settings.yarn_site["yarn.resource-types"], "yarn.io/gpu");
    let origin = &s.origins.capacity_scheduler["yarn.scheduler.capacity.root.a.capacity"];
    assert_eq!(&WHOLE[origin.in_scenario.start..origin.in_scenario.end], "40");

    let apps: Vec<_> = s.apps.iter().map(|a| (a.name.as_str(), a.at)).collect();
    assert_eq!(apps, [("job1", 0), ("job2", 10_000), ("zk", 60_000), ("raw", 0)]);
    assert_eq!(s.apps[0].am.size, Resource::new(2048, 1));
    let tasks = s.apps[1].kind.tasks();
    assert_eq!((tasks[0].duration, tasks[1].duration), (Some(30_000), None));
    assert_eq!(tasks[1].size, Resource::new(2048, 2));
    assert_eq!(tasks[1].after, ["map"]);
    let shell = s.apps[2].kind.get::<Shell>().expect("a shell");
    let spec = shell.spec.as_ref().unwrap();
    assert_eq!(&WHOLE[spec.span.start..spec.span.end], "zk(3),NOTIN,NODE,zk");
    let calls = s.apps[3].kind.calls();
    assert!(s.apps[3].am.unmanaged && calls[0].asks.len() == 3 && calls[1].release == [1]);

    let times: Vec<_> = s.happenings.iter().map(|h| h.at).collect();
    assert_eq!(times, [20_000, 30_000, 40_000]);
    let Act::Refresh { capacity_scheduler, .. } = &s.happenings[2].act else { panic!() };
    assert_eq!(capacity_scheduler["yarn.scheduler.capacity.root.a.capacity"], "50");
    assert!(!capacity_scheduler.contains_key("yarn.scheduler.capacity.maximum-am-resource-percent"));
    assert_eq!(s.expectations[0].conditions.len(), 4);
    assert_eq!(s.expectations[1].when, When::Always(5_000, None));
    assert_eq!(
        s.expectations[1].conditions,
        [Condition::Number(Figure::UsedMemory, Wanted { compare: Compare::AtMost, number: 4096 })]
    );
}

#[test]
fn an_empty_scenario_has_one_queue_and_says_that_nothing_chose_the_mode() {
    let s = good("");
    assert_eq!(s.settings.capacity_scheduler["yarn.scheduler.capacity.root.queues"], "default");
    assert_eq!(s.scheduling, Scheduling { mode: Mode::Async, because: Because::Default });
    assert_eq!(good("release = \"3.4\"").scheduling, Scheduling { mode: Mode::Heartbeat, because: Because::Release });
    assert_eq!(good("release = 3.5").scheduling.mode, Mode::Async);
}

#[test]
fn problems_say_where_what_and_how_to_mend() {
    assert_eq!(bad("titel = \"x\""), ["1:1: error: `titel` is not known in a scenario. Did you mean `title`?"]);
    assert_eq!(
        bad("[[nodes]]\nname = \"n\"\nmemory = \"64 QB\""),
        ["3:10: error: `64 QB` is not an amount of memory. Write \"64 GB\" or a number of MB."]
    );
    assert_eq!(bad("[[nodes]]\nname = \"n\""), ["1:1: error: The node `n` has no memory. Add `size = \"64 GB/16\"`."]);
    assert_eq!(
        bad("until = -1"),
        ["1:9: error: `-1` is not a time. Write seconds as a number, or a text such as \"90 s\" or \"1:30\"."]
    );
    assert_eq!(bad("a = [1,"), [bad("a = [1,")[0].clone()]);
    assert!(bad("a = [1,")[0].starts_with("1:8: error: This cannot be read as TOML"));
    assert!(bad("heddle = 2")[0].contains("format 2; here formats up to 1"));
    assert!(bad("[[apps]]\nname = \"a\"\nkind = \"spark\"")[0].contains("`spark` is not a kind"));
    assert!(bad("[[nodes]]\nname=\"n\"\nsize=\"1 GB\"\nfoo={gpu=1}")[0].contains("`foo` is not known in a node"));
    assert!(bad("[[apps]]\nname=\"a\"\ntasks=[{size=\"1 GB/1, gpu=1\"}]")[0].contains("`gpu` is not a resource type"));
    assert!(
        bad("[[apps]]\nname=\"a\"\ntasks=[{}]\n[[expect]]\napp=\"a\"\nfree_memory=1")[0]
            .contains("is a figure of: node; this is about: app")
    );
    assert!(bad("[[happenings]]\nat=1\ndo=\"remove_nod\"")[0].contains("Did you mean `remove_node`?"));
}

#[test]
fn problems_of_a_placement_spec_are_placed_in_the_scenario() {
    let text = "[[apps]]\nname = \"zk\"\nkind = \"distributed-shell\"\nspec = \"zk(3),NOTIN,NOD,zk\"";
    let problems = read(text).problems;
    let span = problems[0].span.unwrap();
    assert_eq!(&text[span.start..span.end], "NOD", "{problems:?}");
    let on = "[yarn-site]\nresourcemanager.placement-constraints.handler = \"scheduler\"\n";
    let huge = format!("{on}[[apps]]\nname=\"a\"\nkind=\"distributed-shell\"\nspec=\"zk(9999999)\"");
    assert_eq!(bad(&huge).len(), 1);
}

#[test]
fn limits_are_told_before_anything_is_unrolled() {
    assert!(bad("[[nodes]]\nname=\"n\"\ncount=9000000000000000000\nsize=\"1 GB\"")[0].contains("more than the 20000"));
    assert!(bad("[[apps]]\nname=\"a\"\ncopies=20001\ntasks=[{}]")[0].contains("20001 applications are more"));
    assert!(bad("[[apps]]\nname=\"a\"\ncopies=20000\ntasks=[{count=200}]")[0].contains("more than 2000000 containers"));
    let huge = "#".repeat((16 << 20) + 1);
    assert!(bad(&huge)[0].contains("The text has 16 MB; up to 16 MB can be read"));
    let many: String = (0..1000).map(|i| format!("key{i} = 1\n")).collect();
    assert_eq!(bad(&many).len(), limits::PROBLEMS + 1);
    assert!(read(&"[".repeat(100_000)).scenario.is_none());
    assert!(read(&format!("a = {}", "[".repeat(100_000))).scenario.is_none());
}

#[test]
fn a_contradiction_between_scheduling_and_property_is_a_warning_and_the_property_wins() {
    let text = "scheduling = \"heartbeat\"\n[capacity-scheduler]\nschedule-asynchronously.enable = true";
    let read = read(text);
    assert_eq!(read.problems.len(), 1);
    assert_eq!(read.problems[0].severity, Severity::Warning);
    assert_eq!(read.scenario.unwrap().scheduling, Scheduling { mode: Mode::Async, because: Because::Property });
}

#[test]
fn files_are_kept_verbatim_and_their_problems_are_placed_in_the_scenario() {
    let text = "scheduling = \"heartbeat\"\n[capacity-scheduler]\nroot.a.capacity = 50\n[files]\n\"capacity-scheduler.xml\" = '''\n<configuration>\n  <property><name>yarn.scheduler.capacity.root.queues</name><value>a,b</value></property>\n  <property><name>yarn.scheduler.capacity.root.a.capacity</name><value>40</value></property>\n</configuration>\n'''\n";
    let s = good(text);
    let capacity = &s.settings.capacity_scheduler;
    assert_eq!(capacity["yarn.scheduler.capacity.root.queues"], "a,b");
    assert_eq!(capacity["yarn.scheduler.capacity.root.a.capacity"], "50", "the short form goes before the file");
    let origin = &s.origins.capacity_scheduler["yarn.scheduler.capacity.root.queues"];
    assert_eq!(origin.source, "capacity-scheduler.xml");
    assert_eq!(&text[origin.in_scenario.start..origin.in_scenario.end], "a,b");
    assert!(s.files["capacity-scheduler.xml"].text.starts_with("<configuration>"));
    let broken = text.replace("</configuration>", "</configuratio>");
    let problems = read(&broken).problems;
    assert_eq!(problems[0].severity, Severity::Error);
    assert!(problems[0].span.unwrap().line_col(&broken).0 == 9, "{}", problems[0].render(&broken));
}

#[test]
fn names_are_looked_up_across_the_parts() {
    let nodes = "[[nodes]]\nname = \"n\"\ncount = 2\nsize = \"8 GB/8\"\n";
    let says = |more: &str| {
        let text = format!("{nodes}{more}");
        read(&text).problems.iter().map(|p| format!("{:?}: {} {}", p.severity, p.what, p.mend)).collect::<Vec<_>>()
    };
    let app = "[[apps]]\nname = \"a\"\ntasks = [{}]\n";
    assert_eq!(says(app), Vec::<String>::new());
    assert_eq!(says(&format!("{app}{app}")), ["Error: Two applications are called `a`. Rename one."]);
    let twice = |n| format!("Error: Two nodes are called `{n}`. Rename one; a node that comes back is `return_node`.");
    assert_eq!(says(nodes), [twice("n1"), twice("n2")]);
    assert_eq!(
        says("[[apps]]\nname = \"a\"\nqueue = \"defalt\"\ntasks = [{}]"),
        ["Warning: There is no queue `defalt`. Did you mean `default`?"]
    );
    assert!(says("[[apps]]\nname = \"a\"\nqueue = \"root\"\ntasks = [{}]")[0].contains("`root` is a parent"));
    assert!(says("[[apps]]\nname = \"a\"\nlabel = \"gpu\"\ntasks = [{}]")[0].contains("no label `gpu`"));
    assert!(says("[[apps]]\nname = \"a\"\ntasks = [{ places = \"n3\" }]")[0].contains("no host or rack `n3`"));
    assert!(
        says("[[apps]]\nname=\"a\"\nkind=\"distributed-shell\"\nspec=\"zk(3),NOTIN,NODE,zk\"")[0]
            .contains("switched off")
    );
    assert!(
        says("[[happenings]]\nat = 1\ndo = \"kill_app\"\napp = \"b\"")[0]
            .starts_with("Warning: There is no application `b`")
    );
    assert!(
        says("[[expect]]\nnode = \"n7\"\nplaced = 1")[0]
            .starts_with("Warning: There is no node `n7`. Did you mean `n1`?")
    );
}

/// A node that cannot be read still exists, so references to it are not reported as unknown.
#[test]
fn names_of_what_cannot_be_read_are_not_missing() {
    let says = |size: &str| {
        let text = format!(
            "[[nodes]]\nname = \"n1\"\nsize = \"{size}\"\n[[apps]]\nname = \"a\"\ntasks = [{{ places = \"n1\" }}]\n\
             [[happenings]]\nat = 1\ndo = \"crash_node\"\nnode = \"n1\"\n[[expect]]\nnode = \"n2\"\nplaced = 1\n"
        );
        read(&text).problems.into_iter().map(|p| p.what).collect::<Vec<_>>()
    };
    assert_eq!(says("8 GB/8"), ["There is no node `n2`."]);
    assert_eq!(says("8 XB/8"), ["`8 XB` is not an amount of memory."]);
}

#[test]
fn mapping_rules_may_stand_in_a_file_of_their_own() {
    let text = |name: &str| {
        format!(
            "[capacity-scheduler]\nmapping-rule-format = \"json\"\nmapping-rule-json-file = \"/etc/hadoop/rules.json\"\n\
             [files]\n\"{name}\" = '''{{\"rules\":[]}}'''\n"
        )
    };
    let s = good(&text("rules.json"));
    let inline = "yarn.scheduler.capacity.mapping-rule-json";
    assert_eq!(s.settings.capacity_scheduler[inline], "{\"rules\":[]}");
    assert_eq!(s.origins.capacity_scheduler[inline].source, "rules.json");
    let problems = bad(&text("other.json"));
    assert!(problems.iter().any(|p| p.contains("The mapping rules of `/etc/hadoop/rules.json` are not here")));
    assert!(problems.iter().any(|p| p.contains("The file `other.json` is kept but not used.")));
}

#[test]
fn hangings_and_lifetimes_are_read() {
    let s = good(
        "[[nodes]]\nname = \"n\"\nsize = \"8 GB/8\"\n\
         [[apps]]\nname = \"a\"\nlifetime = \"90 s\"\ntasks = [{ name = \"t\", size = \"1 GB/1\" }]\n\
         [[happenings]]\nat = \"1 s\"\ndo = \"hang_am\"\napp = \"a\"\n\
         [[happenings]]\nat = \"2 s\"\ndo = \"recommission_node\"\nnode = \"n\"\n",
    );
    assert_eq!(s.apps[0].lifetime, Some(90_000));
    let acts: Vec<_> = s.happenings.iter().map(|h| h.act.clone()).collect();
    assert_eq!(acts, [Act::HangAm("a".into()), Act::Recommission("n".into())]);
}

/// Every place where a constraint can be written, with the setting on and off.
#[test]
fn an_application_tag_in_other_letters_than_those_stored_is_told_where_a_namespace_looks_for_it() {
    let constraint = r#"{ scope = "node", max = 0, targets = [{ namespace = "app-tag/NAME", values = ["w"] }] }"#;
    for (name, tag, lower, told) in [
        ("Web", "Web", true, Some("`w` is tagged `Web`.")),
        ("Web", "web", true, Some("`w` is tagged `web`.")),
        ("Web", "other", true, Some("in lower case.")),
        ("web", "Web", true, None),
        ("Web", "Web", false, None),
        ("web", "Web", false, Some("keep their capitals")),
        ("web", "other", false, None),
    ] {
        let constraint = constraint.replace("NAME", name);
        for place in [
            format!("[[apps.calls]]\nscheduling = [{{ id = 1, tags = \"zk\", constraint = {constraint} }}]"),
            format!("[[apps.constraints]]\ntags = [\"zk\"]\nconstraint = {constraint}"),
            format!(
                "[[happenings]]\nat = \"1 s\"\ndo = \"put_constraint\"\ntags = [\"zk\"]\nconstraint = {constraint}"
            ),
        ] {
            let text = format!(
                "heddle = 1\n[yarn-site]\nresourcemanager.placement-constraints.handler = \"scheduler\"\nresourcemanager.application-tag-based-placement.force-lowercase = {lower}\n[[apps]]\nname = \"w\"\ntags = [\"{tag}\"]\ntasks = [{{ count = 1, size = \"1 GB/1\", duration = 5 }}]\n[[apps]]\nname = \"r\"\nkind = \"requests\"\n{place}\n"
            );
            let of_tags: Vec<String> = bad(&text).into_iter().filter(|p| p.contains("app-tag/")).collect();
            match told {
                Some(words) => assert!(of_tags.iter().any(|p| p.contains(words)), "{text}\n{:?}", bad(&text)),
                None => assert!(of_tags.is_empty(), "{text}\n{of_tags:?}"),
            }
        }
    }
}

#[test]
fn a_dotted_key_that_goes_on_from_a_value_is_told_with_its_quotes() {
    let head = "heddle = 1\nlabels = [\"gpu\"]\n[capacity-scheduler]\nroot.queues = \"default\"\n";
    let short = "root.default.accessible-node-labels = \"gpu\"\n";
    let long = "  root.default.accessible-node-labels.gpu.capacity = 100\n";
    let longer = "root.default.accessible-node-labels.gpu.maximum-capacity = 100\n";
    for text in [
        format!("{head}{short}{long}"),
        format!("{head}{long}{short}"),
        format!("{head}{short}# between\n{long}{longer}"),
        format!("{head}{long}{short}{longer}[[nodes]]\nname = \"n\"\nsize = \"1 GB\"\n"),
        format!("{head}{long}{longer}{short}"),
    ] {
        let found = read(&text);
        assert_eq!(found.problems.len(), 1, "{:?}", found.problems);
        let problem = &found.problems[0];
        let told = problem.render(&text);
        assert!(told.contains("goes on from `root.default.accessible-node-labels`"), "{text}: {told}");
        assert!(told.contains("in quotes") && told.contains("\"root.default.accessible-node-labels.gpu."), "{told}");
        // The fix repairs all of them, with both settings set.
        let (span, fix) = (problem.span.expect("a place"), problem.fix.as_deref().expect("a fix"));
        let mended = format!("{}{fix}{}", &text[..span.start], &text[span.end..]);
        let scenario = good(&mended);
        let set = |key: &str| {
            let key = format!("yarn.scheduler.capacity.root.default.accessible-node-labels{key}");
            scenario.settings.capacity_scheduler.get(&key).map(String::as_str)
        };
        assert_eq!((set(""), set(".gpu.capacity")), (Some("gpu"), Some("100")), "{mended}");
        assert_eq!(set(".gpu.maximum-capacity").is_some(), text.contains("maximum"), "{mended}");
    }
    // Another error of the same table is reported as it is.
    for text in [format!("{head}{short}root.a. = 3\n"), format!("{head}{short}{short}"), format!("{head}a = = 3\n")] {
        let told = bad(&text);
        assert!(told.len() == 1 && told[0].contains("cannot be read as TOML"), "{text}: {told:?}");
    }
}

#[test]
fn a_path_under_files_is_not_taken_for_a_text() {
    for (name, path) in
        [("yarn-site.xml", "conf/yarn-site.xml"), ("fair-scheduler.xml", "fair.xml"), ("rules.json", "/etc/rules.json")]
    {
        let told = bad(&format!("heddle = 1\n[files]\n\"{name}\" = \"{path}\"\n"));
        assert_eq!(told.len(), 1, "{told:?}");
        assert!(told[0].starts_with("3:") && told[0].contains(&format!("the path `{path}`")), "{told:?}");
        assert!(told[0].contains("Drop that file onto the page"), "{told:?}");
    }
}
