//! Settings that a refresh refuses: the cluster runs with good ones, and at 10 s gets those of the line.

use super::draft::{AM, Draft, Pair, TASK, bounded, name, path, queue_name, user_name};
use crate::import::lines::figure::Figures;
use crate::import::lines::row::LinePattern;

/// When the settings are loaded, and what WHY is asked about.
const AT: &str = "10 s";
const WHAT: &str = "refresh:10000";
const NODE: Pair = (8192, 8);

/// Settings that the refresh sets.
type Set = Vec<(String, String)>;

fn key(path: &str, name: &str, value: impl std::fmt::Display) -> (String, String) {
    (format!("{path}.{name}"), value.to_string())
}

fn absolute((mb, vcores): Pair) -> String {
    format!("[memory={mb},vcores={vcores}]")
}

/// Returns the queue that a text names, as a path.
fn queue(f: &Figures, d: &mut Draft) -> Result<String, String> {
    match f.text("queue") {
        Some("root") => Ok("root".into()),
        Some(text) => queue_name(text).map(path).ok_or_else(|| "this is no name of a queue".to_string()),
        None => {
            d.assume("queue root.a");
            Ok("root.a".into())
        }
    }
}

/// Adds two children of half a queue each. Returns their paths.
fn two_children(d: &mut Draft, parent: &str) -> [String; 2] {
    if parent != "root" {
        d.queue(parent);
    }
    d.capacity(&format!("{parent}.queues"), "a,b");
    let children = ["a", "b"].map(|child| format!("{parent}.{child}"));
    for child in &children {
        d.capacity(&format!("{child}.capacity"), 50);
    }
    d.assume(format!("{parent} has two children, a and b"));
    children
}

/// Adds a queue with half of the cluster, and another one with the rest. Returns the path of the other one.
fn half(d: &mut Draft, of: &str) -> String {
    d.queue_of(of, 50.0, 100.0, &|percent: f64| percent.to_string());
    let (parent, leaf) = of.rsplit_once('.').unwrap_or(("root", of));
    format!("{parent}.{}", if leaf == "rest" { "rest2" } else { "rest" })
}

/// Builds the scenario of refused settings.
pub fn refused(row: &LinePattern, f: &Figures) -> Result<Draft, String> {
    let mut d = Draft::new("New settings are refused", 20_000, WHAT);
    let mut node = NODE;
    let set = settings(row, f, &mut d, &mut node)?;
    bounded(&[node])?;
    d.node("n1", node, "");
    d.assume("the ResourceManager ran with other settings before");
    let set: Vec<String> =
        set.iter().map(|(key, value)| format!("\"{key}\" = \"{}\"", value.replace(['"', '\\'], ""))).collect();
    d.happening(AT, &format!("do = \"refresh\"\ncapacity-scheduler = {{ {} }}", set.join(", ")));
    let leaf = d.leaf();
    d.app("job", "1 s", &leaf, "alice", AM, TASK);
    Ok(d)
}

fn settings(row: &LinePattern, f: &Figures, d: &mut Draft, node: &mut Pair) -> Result<Set, String> {
    let number = |name: &str| f.real(name).ok_or_else(|| format!("the text does not have the {name}"));
    let label = f.text("label").and_then(name).unwrap_or_default();
    Ok(match row.id {
        "V01" => {
            let of = queue(f, d)?;
            let what = if row.template.contains("maximum-capacity") { "maximum-capacity" } else { "capacity" };
            half(d, &of);
            vec![key(&of, what, number("capacity")?)]
        }
        "V02" | "V04" | "V02a" | "V02b" => {
            let of = queue(f, d)?;
            let [a, b] = two_children(d, &of);
            let sum = number("sum")? * 100.0;
            let halves = [sum / 2.0, sum - sum / 2.0];
            if row.id == "V02b" {
                if of == "root" {
                    return Err("root always has 100 %".into());
                }
                let beside = half(d, &of);
                return Ok(vec![key(&of, "capacity", 0), key(&beside, "capacity", 100)]);
            }
            if label.is_empty() {
                return Ok(vec![key(&a, "capacity", halves[0]), key(&b, "capacity", halves[1])]);
            }
            d.label(label, &of, true);
            d.capacity(&format!("root.accessible-node-labels.{label}.capacity"), 100);
            let what = format!("accessible-node-labels.{label}.capacity");
            for child in [&a, &b] {
                d.capacity(&format!("{child}.accessible-node-labels"), label);
                d.capacity(&format!("{child}.{what}"), 50);
            }
            vec![key(&a, &what, halves[0]), key(&b, &what, halves[1])]
        }
        "V03" => {
            let of = queue(f, d)?;
            if of == "root" || label.is_empty() {
                return Err("root's capacity of a label is that of 2.6 and 2.7 only".into());
            }
            d.queue(&of);
            d.label(label, &of, true);
            vec![key(&of, &format!("accessible-node-labels.{label}.capacity"), number("capacity")?)]
        }
        "V08" => {
            let of = queue(f, d)?;
            if of != "root" {
                return Err("a queue without children is a leaf: 3.5.0 refuses root alone".into());
            }
            d.queue("default");
            vec![key("root", "queues", "")]
        }
        "V09" => {
            let of = queue(f, d)?;
            mixed(f.text("details"), &of, d)
        }
        "V10" => {
            let of = queue(f, d)?;
            let (own, children) = (f.pair("size").unwrap_or((1024, 1)), f.pair("children").unwrap_or((2048, 2)));
            if of == "root" {
                return Err("root has all of the cluster".into());
            }
            let [a, b] = two_children(d, &of);
            *node = (own.0.max(children.0).max(8192), own.1.max(children.1).max(8));
            let first = (children.0 / 2, children.1 / 2);
            let second = (children.0 - first.0, children.1 - first.1);
            vec![
                key(&of, "capacity", absolute(own)),
                key(&a, "capacity", absolute(first)),
                key(&b, "capacity", absolute(second)),
            ]
        }
        "V11" => {
            let of = queue(f, d)?;
            let most = f.pair("maximum").unwrap_or((1024, 1));
            let least = f.pair("size").unwrap_or((2048, 1));
            *node = (least.0.max(most.0).max(8192), least.1.max(most.1).max(8));
            if row.template.starts_with("Min") {
                d.queue(&of);
                return Ok(vec![key(&of, "capacity", absolute(least)), key(&of, "maximum-capacity", absolute(most))]);
            }
            let [a, b] = two_children(d, &of);
            let (own, low) = (absolute(least), absolute((1, 1)));
            vec![
                key(&of, "capacity", &low),
                key(&of, "maximum-capacity", own),
                key(&a, "capacity", &low),
                key(&a, "maximum-capacity", absolute(most)),
                key(&b, "capacity", absolute((0, 0))),
            ]
        }
        "V12" => {
            let of = queue(f, d)?;
            let user = f.text("user").and_then(user_name).unwrap_or("bob");
            d.queue(&of);
            let percent = f.real("user_limit").unwrap_or(100.0);
            vec![
                key(&of, "minimum-user-limit-percent", percent),
                key(&of, &format!("user-settings.{user}.weight"), number("weight")?),
            ]
        }
        "V13" => {
            let labels: Vec<&str> = f.text("label").unwrap_or("*").split(',').map(str::trim).collect();
            let [of, _] = two_children(d, "root.parent");
            d.capacity("root.parent.accessible-node-labels", " ");
            if labels != ["*"] {
                d.site("node-labels.enabled", true);
                d.labels = labels.iter().filter_map(|label| name(label)).map(str::to_owned).collect();
            }
            vec![key(&of, "accessible-node-labels", labels.join(","))]
        }
        "V15" => {
            let of = queue(f, d)?;
            let (own, most) = (f.pair("size").unwrap_or((16_384, 4)), f.pair("maximum").unwrap_or((8192, 4)));
            d.site("scheduler.maximum-allocation-mb", most.0);
            d.site("scheduler.maximum-allocation-vcores", most.1);
            d.queue(&of);
            vec![key(&of, "maximum-allocation-mb", own.0), key(&of, "maximum-allocation-vcores", own.1)]
        }
        "V16" => {
            let of = queue(f, d)?;
            let (was, is) = (f.pair("size").unwrap_or((8192, 4)), f.pair("maximum").unwrap_or((4096, 4)));
            d.site("scheduler.maximum-allocation-mb", was.0.max(8192));
            d.site("scheduler.maximum-allocation-vcores", was.1.max(4));
            d.queue(&of);
            d.capacity(&format!("{of}.maximum-allocation-mb"), was.0);
            d.capacity(&format!("{of}.maximum-allocation-vcores"), was.1);
            vec![key(&of, "maximum-allocation-mb", is.0), key(&of, "maximum-allocation-vcores", is.1)]
        }
        "V17" => {
            let of = queue(f, d)?;
            let beside = half(d, &of);
            let (parent, other) = beside.rsplit_once('.').unwrap_or(("root", "rest"));
            vec![key(parent, "queues", other), key(&beside, "capacity", 100)]
        }
        "V19" if row.template.contains("leaf queue: {queue} to parent") => {
            let of = queue(f, d)?;
            d.queue(&of);
            vec![key(&of, "queues", "child"), key(&format!("{of}.child"), "capacity", 100)]
        }
        "V20" => {
            let of = queue(f, d)?;
            if !row.template.contains("{parent}") {
                d.assume("a state PAUSED");
                d.queue(&of);
                return Ok(vec![key(&of, "state", "PAUSED")]);
            }
            d.queue(&of);
            let parent = f.text("parent").and_then(queue_name).map_or_else(|| "root".to_string(), path);
            vec![key(&parent, "state", "STOPPED"), key(&of, "state", "RUNNING")]
        }
        "V21" if row.template.starts_with("Illegal") => {
            d.queue("default");
            vec![("queue-mappings".into(), f.text("mapping").unwrap_or("u:bob").to_owned())]
        }
        "V21" if row.template.starts_with("mapping contains") => {
            d.queue("default");
            let of = f.text("queue").and_then(queue_name).unwrap_or("nosuch");
            vec![("queue-mappings".into(), format!("u:bob:{of}"))]
        }
        "V21" if row.template.starts_with("Path root") => {
            d.queue("default");
            let of = f.text("path").and_then(queue_name).unwrap_or("nosuch");
            vec![("queue-mappings".into(), format!("u:bob:{of}"))]
        }
        "V27" => {
            let of = queue(f, d)?;
            d.queue(&of);
            vec![key(&of, "capacity", format!("{}w", number("weight")?))]
        }
        "V28" => {
            let of = queue(f, d)?;
            d.queue(&of);
            vec![
                key(&of, "default-application-lifetime", number("lifetime")?),
                key(&of, "maximum-application-lifetime", number("most")?),
            ]
        }
        _ => return Err("the settings that are meant are not in the text".into()),
    })
}

/// Returns the capacities of children of different kinds, as the text lists them.
fn mixed(details: Option<&str>, parent: &str, d: &mut Draft) -> Set {
    let listed = details.unwrap_or_default().split("{Queue=").skip(1).filter_map(|part| {
        let (of, rest) = part.split_once(',')?;
        let (_, rest) = rest.split_once("uses ")?;
        Some((queue_name(of.trim())?.to_owned(), rest.split_whitespace().next()?.to_owned()))
    });
    let mut listed: Vec<(String, String)> = listed.take(50).collect();
    if listed.is_empty() {
        d.assume("a child in percent and one with a weight");
        listed = vec![(format!("{parent}.a"), "percentage".into()), (format!("{parent}.b"), "weight".into())];
    }
    let names: Vec<&str> = listed.iter().filter_map(|(of, _)| of.rsplit('.').next()).collect();
    if parent != "root" {
        d.queue(parent);
    }
    d.capacity(&format!("{parent}.queues"), names.join(","));
    for (of, _) in &listed {
        d.capacity(&format!("{of}.capacity"), "1w");
    }
    let value = |mode: &str| match mode {
        "weight" => "1w".to_string(),
        "absolute" => absolute((1024, 1)),
        _ => "50".to_string(),
    };
    listed.iter().map(|(of, mode)| key(of, "capacity", value(mode))).collect()
}
