//! Every limit on a scenario's text: a text at the limit, one beyond it, and the problem of the second.

use heddle_core::model::limits;

pub fn lines(n: usize, line: impl Fn(usize) -> String) -> String {
    (0..n).map(line).collect()
}

fn queues(n: usize) -> String {
    let names: Vec<String> = (1..n).map(|i| format!("q{i}")).collect();
    let weights = lines(n - 1, |i| format!("\"root.q{}.capacity\" = \"1w\"\n", i + 1));
    format!("[capacity-scheduler]\n\"root.queues\" = \"{}\"\n{weights}", names.join(","))
}

/// Returns queues of this depth, root included.
fn deep(levels: usize) -> String {
    let mut out = String::from("[capacity-scheduler]\n");
    let mut path = String::from("root");
    for _ in 1..levels {
        out.push_str(&format!("\"{path}.queues\" = \"q\"\n"));
        path.push_str(".q");
        out.push_str(&format!("\"{path}.capacity\" = 100\n"));
    }
    out
}

fn xml(depth: usize) -> String {
    format!("[files]\n\"capacity-scheduler.xml\" = '''\n{}{}'''\n", "<a>".repeat(depth), "</a>".repeat(depth))
}

fn spec(text: &str) -> String {
    let handler = "[yarn-site]\nresourcemanager.placement-constraints.handler = \"scheduler\"\n";
    format!("{handler}[[apps]]\nname = \"a\"\nkind = \"distributed-shell\"\nspec = \"{text}\"\n")
}

fn slider(instances: &str) -> String {
    format!(
        "[[apps]]\nname = \"a\"\nkind = \"slider\"\n\"resources.json\" = '''{{\"schema\":\"http://example.org/specification/v2.0.0\",\"components\":{{\"slider-appmaster\":{{}},\"s\":{{\"yarn.role.priority\":\"1\",\"yarn.component.instances\":\"{instances}\"}}}}}}'''\n"
    )
}

fn job(containers: u64) -> String {
    format!("\"job.properties\" = '''\njob.name=j\njob.container.count={containers}\ntask.inputs=kafka.in\n'''\n")
}

/// Returns another application of another kind.
fn other(containers: u64) -> String {
    slider(&containers.to_string()).replace("\"a\"", "\"b\"")
}

fn nested(depth: usize) -> String {
    spec(&format!("a(1),{}notin,node,a{}", "and(".repeat(depth), ")".repeat(depth)))
}

fn worlds(n: usize) -> String {
    let values: Vec<String> = (1..=n).map(|i| i.to_string()).collect();
    format!("[[worlds]]\nproperty = \"root.default.user-limit-factor\"\nvalues = [{}]\n", values.join(", "))
}

/// Returns a text at the limit, one beyond it, and words of the problem that only the second has. Each follows two lines
/// that begin a scenario.
pub fn cases() -> Vec<(String, String, &'static str)> {
    use limits::*;
    let node = |n: usize| format!("[[nodes]]\nname = \"n{{}}\"\nsize = \"8 GB/8\"\ncount = {n}\n");
    let apps = |n: usize| format!("[[apps]]\nname = \"a{{}}\"\ncopies = {n}\ntasks = []\n");
    let tasks = |n: usize| format!("[[apps]]\nname = \"a\"\ntasks = [{{ count = {n} }}]\n");
    let shell = |n: u64| spec(&format!("a({n}),NOTIN,NODE,a"));
    let slider = |n: u64| slider(&n.to_string());
    let service = |n: u64| {
        format!(
            "[[apps]]\nname = \"a\"\nkind = \"yarn-service\"\ncomponents = [{{ name = \"s\", count = {n}, size = \"1 GB/1\" }}]\n"
        )
    };
    let samza =
        |n: u64| format!("[[apps]]\nname = \"a\"\nkind = \"samza\"\nstreams = {{ \"kafka.in\" = 10 }}\n{}", job(n));
    let flex = |n: u64| {
        format!(
            "{}[[happenings]]\nat = \"1 s\"\ndo = \"flex_app\"\napp = \"a\"\ncomponents = {{ s = {n} }}\n",
            service(0)
        )
    };
    let one_by_one = "250001 containers in all; at most 250000 that are asked for one by one";
    let labels = |n: usize| {
        let names: Vec<String> = (1..n).map(|i| format!("\"l{i}\"")).collect();
        format!("labels = [{}]\n[yarn-site]\nnode-labels.enabled = true\n", names.join(", "))
    };
    let types = |n: usize| {
        let names: Vec<String> = (2..n).map(|i| format!("t{i}")).collect();
        format!("[yarn-site]\nresource-types = \"{}\"\n", names.join(","))
    };
    let long = |bytes: usize| spec(&"a".repeat(bytes));
    vec![
        (node(NODES), node(NODES + 1), "more than the 20000 that can be played"),
        (apps(APPLICATIONS), apps(APPLICATIONS + 1), "more than the 20000 that can be played"),
        (tasks(CONTAINERS_ALIVE), tasks(CONTAINERS_ALIVE + 1), "more than 2000000 containers"),
        (shell(INSTANCES), shell(INSTANCES + 1), "at most 250000"),
        (slider(INSTANCES), slider(INSTANCES + 1), one_by_one),
        (service(INSTANCES), service(INSTANCES + 1), one_by_one),
        (samza(INSTANCES), samza(INSTANCES + 1), one_by_one),
        (flex(INSTANCES), flex(INSTANCES + 1), "`s` is no number of instances"),
        (
            service(INSTANCES / 2) + &other(INSTANCES / 2),
            service(INSTANCES / 2) + &other(INSTANCES / 2 + 1),
            one_by_one,
        ),
        (labels(PARTITIONS), labels(PARTITIONS + 1), "more than 999 labels"),
        (types(RESOURCE_TYPES), types(RESOURCE_TYPES + 1), "one resource type too many"),
        (queues(QUEUES), queues(QUEUES + 1), "at most 5000 queues, 20 levels"),
        (deep(QUEUE_DEPTH), deep(QUEUE_DEPTH + 1), "at most 5000 queues, 20 levels"),
        (xml(XML_DEPTH), xml(XML_DEPTH + 1), "nested more than 64 deep"),
        (long(PLACEMENT_SPEC_BYTES), long(PLACEMENT_SPEC_BYTES + 1), "has 65537 bytes; at most 65536 are read"),
        (nested(PLACEMENT_SPEC_DEPTH), nested(PLACEMENT_SPEC_DEPTH + 1), "64"),
        (worlds(WORLDS), worlds(WORLDS + 1), "13 worlds to compare with; 12 are enough"),
    ]
}
