//! Writes the gathered contents as the text of a scenario: readable, and complete enough to be played. Values that no text
//! gives are assumed, and reported.

use super::{Gathered, RemarkAbout};
use crate::api::{Properties, SchedulerChoice};
use crate::config::properties::PREFIX;
use crate::config::resource_text::{CALCULATOR, DOMINANT, TYPES};
use crate::config::values::trimmed_list;
use crate::model::Millis;
use crate::scenario::edit::{push_entry, set_file};
use crate::scenario::units::{size_text, time_text};
use indexmap::IndexSet;
use std::fmt::Write;
use toml_edit::Value;

/// The number of nodes of an unknown cluster, without a label and of each label. From nine leaf queues on there is one for two, so
/// that each queue can have its ApplicationMaster and the cluster is not full with them.
const NODES: usize = 4;
const NODES_MOST: usize = 40;
const NODES_OF_LABEL: usize = 2;
/// YARN's default maximum allocation.
const MAXIMUM: (i64, i64) = (8192, 4);
/// The minimum and the maximum length of a run.
const UNTIL: Millis = 30 * 60 * 1000;
const UNTIL_MOST: Millis = 7 * 24 * 3600 * 1000;
/// The size of a node if yarn-site.xml does not give it: the NodeManager's default.
const NODE: (i64, i64) = (8192, 8);

/// Returns a text as a basic string of TOML.
pub(crate) fn quoted(text: &str) -> String {
    Value::from(text).to_string()
}

/// Returns the scenario's text.
pub(super) fn scenario(g: &mut Gathered) -> String {
    g.settle_site();
    super::spark::entries(g);
    crate::apps::import::complete(g);
    let calculator = super::calculator::settle(g);
    super::drift::settle(g);
    super::queues::settings(g, calculator);
    super::workloads::nodes(g);
    super::hosts::nodes(g);
    super::shown::sizes(g);
    let (jobs, types_of_jobs) = super::workloads::entries(g);
    limits(g);
    labels(g);
    let own = g.scenario.is_some();
    if own && g.release.is_some() {
        g.lack("The release that was named changes nothing: the scenario that is given has its own.", "--release");
    }
    let mut text = g.scenario.clone().unwrap_or_else(|| head(g));
    let files = std::mem::take(&mut g.files);
    for (name, content) in &files {
        match set_file(&text, name, content) {
            Ok(next) => text = next,
            Err(why) => g.lack(format!("{name} has no place in the scenario: {why}"), *name),
        }
    }
    g.files = files;
    types(g, types_of_jobs);
    if !own {
        tables(g, &mut text);
        if g.seen.any() {
            super::now::cluster(g, &mut text);
        }
        if g.seen.nodes.is_empty() && !super::sums::nodes(g, &mut text) {
            nodes(g, &mut text);
        }
        for happening in &g.happenings {
            let _ = write!(text, "\n[[happenings]]\n{happening}");
        }
    }
    for entry in g.entries.clone() {
        match push_entry(&text, "apps", &entry.toml) {
            Ok(next) => text = next,
            Err(why) => g.lack(format!("{} has no place in the scenario: {why}", entry.name), "the file"),
        }
    }
    // Appends the entries at the end without parsing the text for each: there may be thousands.
    for entry in &jobs {
        let _ = write!(text, "\n[[apps]]\n{entry}");
    }
    text
}

/// Sets the minimum and maximum allocation from the overview and the traces, if no file sets them.
fn limits(g: &mut Gathered) {
    let known = g.site_so_far();
    let mut set = |key: &str, value: i64| {
        let sets = value > 0 && !known.contains_key(key);
        if sets {
            g.site.insert(key.into(), value.to_string());
        }
        sets
    };
    let mut raised = false;
    if let Some(largest) = &g.traced.largest {
        for (key, wanted, default) in [
            ("yarn.scheduler.maximum-allocation-mb", largest.size.memory, MAXIMUM.0),
            ("yarn.scheduler.maximum-allocation-vcores", largest.size.vcores, MAXIMUM.1),
        ] {
            raised |= wanted > default && set(key, wanted);
        }
    }
    if let Some(minimum) = &g.seen.minimum {
        set("yarn.scheduler.minimum-allocation-mb", minimum.memory);
        set("yarn.scheduler.minimum-allocation-vcores", minimum.vcores);
    }
    if let Some(maximum) = &g.seen.maximum {
        set("yarn.scheduler.maximum-allocation-mb", maximum.memory);
        set("yarn.scheduler.maximum-allocation-vcores", maximum.vcores);
    }
    // What runs or waits was granted or asked for: no limit is below it.
    let largest = g.seen.largest();
    for (key, largest, default) in [
        ("yarn.scheduler.maximum-allocation-mb", largest.memory, MAXIMUM.0),
        ("yarn.scheduler.maximum-allocation-vcores", largest.vcores, MAXIMUM.1),
    ] {
        let limit = g.site.get(key).or(known.get(key)).and_then(|limit| limit.trim().parse::<i64>().ok());
        if largest > limit.unwrap_or(default) && !g.seen.apps.is_empty() {
            g.site.insert(key.into(), largest.to_string());
            let source = g.seen.source("apps").to_owned();
            let about = RemarkAbout::Property(key.to_owned());
            g.infer_of(about, format!("{key} is {largest}: an application asks for as much."), source);
        }
    }
    if raised {
        let about = RemarkAbout::Property("yarn.scheduler.maximum-allocation-mb".to_owned());
        g.infer_of(about, "yarn.scheduler.maximum-allocation allows the largest container of the jobs.", "the jobs");
    }
    if g.seen.any() && g.seen.minimum.is_none() && !known.contains_key("yarn.scheduler.minimum-allocation-mb") {
        let about = RemarkAbout::Property("yarn.scheduler.minimum-allocation-mb".to_owned());
        g.lack_of(
            [about],
            "The smallest container: 1 GB, the default, is taken.",
            "yarn-site.xml or /scheduler-overview says it",
        );
    }
}

/// Registers the labels of nodes as cluster labels, and enables node labels if there are any.
fn labels(g: &mut Gathered) {
    let of_nodes: Vec<String> =
        g.seen.nodes.values().filter_map(|n| n.label.clone()).chain(g.labels_of_nodes.values().cloned()).collect();
    let of_apps = g.seen.apps.values().filter(|app| app.is_there()).flat_map(|app| {
        let asked = app.asks.iter().flatten().filter_map(|ask| ask.label.clone());
        asked.chain(app.am_label.clone()).chain(app.label.clone()).collect::<Vec<_>>()
    });
    let of_apps: Vec<String> = of_apps.collect();
    let of_sums: Vec<String> = g.seen.sums.parts.keys().filter(|_| g.seen.nodes.is_empty()).cloned().collect();
    for label in of_nodes.iter().chain(&of_apps).chain(&of_sums) {
        g.label(label, None);
    }
    let applications = !g.named_queues.is_empty() || (!g.entries.is_empty() && g.site_so_far().is_empty());
    let alone = g.files.is_empty() && g.site_so_far().is_empty() && g.capacity_so_far().is_empty();
    if (g.seen.any() || applications || alone)
        && !g.labels.is_empty()
        && !g.site_so_far().contains_key("yarn.node-labels.enabled")
    {
        g.site.insert("yarn.node-labels.enabled".into(), "true".into());
        let source = match g.seen.source("nodes") {
            "" if alone && !applications => "the list of labels",
            "" if g.labels_of_nodes.is_empty() => "the applications",
            "" => "the labels of nodes",
            source => source,
        };
        let source = source.to_owned();
        g.infer_of(RemarkAbout::Labels, "yarn.node-labels.enabled is true: there are labels.", source);
    }
}

fn head(g: &mut Gathered) -> String {
    let mut out = String::from("heddle = 1\n");
    if let Some((scheduler, _)) = &g.scheduler {
        let _ = writeln!(out, "scheduler = {}", quoted(scheduler.text()));
    }
    if let Some(release) = g.settle_release() {
        let _ = writeln!(out, "release = {}", quoted(release.name()));
    }
    // Long enough for all jobs of a trace, and as much again for those that wait.
    let end = g.traced.largest.as_ref().map_or(0, |largest| largest.end_ms.saturating_mul(2));
    let _ = writeln!(out, "until = {}", quoted(&time_text(end.clamp(UNTIL, UNTIL_MOST))));
    if !g.labels.is_empty() {
        let label = |(name, exclusive): (&String, &Option<bool>)| match exclusive {
            Some(false) => quoted(&format!("{name}(exclusive=false)")),
            _ => quoted(name),
        };
        let labels: Vec<String> = g.labels.iter().map(label).collect();
        let _ = writeln!(out, "labels = [{}]", labels.join(", "));
        let unsure: Vec<String> = g.labels.iter().filter(|(_, e)| e.is_none()).map(|(n, _)| n.clone()).collect();
        if !unsure.is_empty() {
            let what = format!("Whether the labels {} are exclusive: exclusive is assumed.", unsure.join(", "));
            g.lack_of([RemarkAbout::Labels], what, "/ws/v1/cluster/get-node-labels says it");
        }
    }
    out
}

/// Sets the properties that applications with further resource types need.
fn types(g: &mut Gathered, of_jobs: IndexSet<String>) {
    let mut wanted: IndexSet<String> = g.entries.iter().flat_map(|e| e.types.clone()).collect();
    wanted.extend(of_jobs);
    let asked = wanted.len();
    wanted.extend(g.seen.types());
    let site = g.site_so_far();
    let mut all = site.get(TYPES).map_or_else(Vec::new, |list| trimmed_list(list));
    wanted.retain(|kind| !all.contains(kind));
    if wanted.is_empty() {
        // A file of the queues names its own calculator, or is refused without it.
        let known = ["memory", "memory-mb", "vcores"];
        let further = all.iter().any(|kind| !known.contains(&kind.as_str()));
        if further && !g.files.contains_key("capacity-scheduler.xml") && g.scenario.is_none() {
            dominant(g, "yarn.resource-types");
        }
        return;
    }
    let source = if asked > 0 { "the applications, which ask for them" } else { "the answers, which have them" };
    all.extend(wanted);
    g.site.insert(TYPES.into(), all.join(","));
    g.infer_of(
        RemarkAbout::Property(TYPES.to_owned()),
        format!("yarn.resource-types lists {}.", all.join(", ")),
        source,
    );
    dominant(g, source);
}

/// Sets the calculator that counts further resource types, unless another one is named.
fn dominant(g: &mut Gathered, source: &str) {
    let other = g.scheduler.as_ref().is_some_and(|(s, _)| *s != SchedulerChoice::Capacity);
    if !other && !g.capacity_so_far().contains_key(CALCULATOR) {
        g.capacity.insert(CALCULATOR.into(), DOMINANT.into());
        let what = "resource-calculator is DominantResourceCalculator: with the default one the ResourceManager does not start with further resource types.";
        g.infer_of(RemarkAbout::Property(CALCULATOR.to_owned()), what, source);
    }
}

fn tables(g: &Gathered, out: &mut String) {
    let mut table = |name: &str, properties: &Properties| {
        if properties.is_empty() {
            return;
        }
        let _ = writeln!(out, "\n[{name}]");
        for (key, value) in properties {
            let _ = writeln!(out, "{} = {}", quoted(key), quoted(value));
        }
    };
    table("yarn-site", &g.site);
    table("capacity-scheduler", &g.capacity);
}

/// Writes nodes of one size and label; "" is no label.
pub(super) fn alike_nodes(out: &mut String, name: &str, count: usize, size: &str, label: &str) {
    let _ = writeln!(out, "\n[[nodes]]\nname = {}", quoted(name));
    if count > 1 {
        let _ = writeln!(out, "count = {count}");
    }
    let _ = writeln!(out, "size = {}", quoted(size));
    if !label.is_empty() {
        let _ = writeln!(out, "label = {}", quoted(label));
    }
}

/// Counts the leaf queues that files set up, by the lists of children; an allocation file nests its queues, and those that have
/// others in them are counted as well.
fn leaf_queues(g: &Gathered) -> usize {
    let capacity = g.capacity_so_far();
    let lists = capacity.iter().filter(|(key, _)| key.starts_with(PREFIX) && key.ends_with(".queues"));
    let (parents, children) =
        lists.fold((0, 0), |(parents, children), (_, list)| (parents + 1, children + trimmed_list(list).len()));
    let nested = g.files.get("fair-scheduler.xml").map_or(0, |file| file.matches("<queue ").count());
    (children + 1).saturating_sub(parents).max(nested)
}

/// Writes the nodes; unknown ones are assumed.
fn nodes(g: &mut Gathered, out: &mut String) {
    let site = g.site_so_far();
    let number = |key: &str| site.get(key).and_then(|v| v.trim().parse::<i64>().ok()).filter(|n| *n > 0);
    let memory = number("yarn.nodemanager.resource.memory-mb");
    let vcores = number("yarn.nodemanager.resource.cpu-vcores");
    let types = site.get(TYPES).map_or_else(Vec::new, |list| trimmed_list(list));
    let more = types.iter().map(|kind| {
        let amount = number(&format!("yarn.nodemanager.resource-type.{kind}")).unwrap_or(4);
        (kind.as_str(), amount)
    });
    // Room for the largest container that a trace requests.
    let wanted = g.traced.largest.as_ref().map(|l| (l.size.memory, l.size.vcores)).unwrap_or_default();
    let size = size_text(memory.unwrap_or(NODE.0.max(wanted.0)), vcores.unwrap_or(NODE.1.max(wanted.1)), more);
    let mut add = |name: &str, count: usize, label: &str| alike_nodes(out, name, count, &size, label);
    let count = leaf_queues(g).div_ceil(2).clamp(NODES, NODES_MOST);
    add("n", count, "");
    for label in g.labels.keys() {
        add(&format!("{label}-n"), NODES_OF_LABEL, label);
    }
    let source =
        if memory.is_some() { "yarn-site.xml, yarn.nodemanager.resource" } else { "the defaults of a NodeManager" };
    let of_labels =
        if g.labels.is_empty() { String::new() } else { format!(" without a label, {NODES_OF_LABEL} of each label") };
    g.infer_of(RemarkAbout::Nodes, format!("{count} nodes of {size}{of_labels}."), source);
    g.lack_of([RemarkAbout::Nodes], "How many nodes there are, and how large.", "/ws/v1/cluster/nodes says it");
}
