//! Checks of a tree of queues: lists, sums, bounds, labels, mappings.

use super::refused::{self, Cause};
use super::{Counts, File};
use crate::api::{NodeLabel, Refusal, RefusalRule, SettingsRule};
use crate::config::capacity::{Capacity, CapacityVector, Maximum, PREFIX, ROOT, user_rule};
use crate::config::capacity::{capacity_of, maximum_of};
use crate::config::properties;
use crate::config::properties::Key;
use crate::config::values::{Conf, list, trim, trimmed_list};
use crate::model::limits::{QUEUE_DEPTH, QUEUES};
use crate::model::nearest::distance;
use crate::model::{Problem, ResourceTypes, Span, nearest};
use indexmap::{IndexMap, IndexSet};
use std::collections::BTreeSet;

/// The maximum number of queues among which a similar name is searched.
const NEAR: usize = 500;

/// The paths of all queues in the lists, parents first.
pub(super) fn listed_paths(conf: &Conf) -> IndexSet<String> {
    let mut out = IndexSet::from([ROOT.to_string()]);
    let mut at = 0;
    while let Some(path) = out.get_index(at).cloned() {
        at += 1;
        if out.len() > QUEUES || path.split('.').count() >= QUEUE_DEPTH {
            continue;
        }
        out.extend(children(conf, &path).into_iter().map(|name| format!("{path}.{name}")));
    }
    out
}

fn children(conf: &Conf, path: &str) -> Vec<String> {
    let text = conf.text(&format!("{PREFIX}{path}.queues")).ok().flatten().unwrap_or_default();
    list(&text).iter().map(|n| trim(n).to_string()).filter(|n| !n.is_empty()).collect()
}

/// Checks the whole tree.
pub(super) fn check(
    file: &mut File<'_>,
    cluster_labels: &[NodeLabel],
    refusal: Option<&Refusal>,
    top: Span,
    counts: &mut Counts,
) {
    let paths = listed_paths(file.conf);
    counts.queues = paths.len() - 1;
    counts.leaves = paths.iter().filter(|p| children(file.conf, p).is_empty() && *p != ROOT).count();
    if children(file.conf, ROOT).is_empty() {
        let place = file.value_span(&format!("{PREFIX}{ROOT}.queues")).unwrap_or(top);
        let what = "The root queue has no children: yarn.scheduler.capacity.root.queues is missing.";
        file.problems.push(Problem::error(file.source, place, what).mend("Name the queues below root there."));
    }
    lists(file, &paths);
    let labels = label_names(file, &paths, cluster_labels);
    counts.labels = labels.len();
    let legacy = file.conf.get(const { Key::<bool>::scheduler("legacy-queue-mode.enabled") }).unwrap_or(true);
    for path in &paths {
        let names = children(file.conf, path);
        let doubles = names.iter().collect::<BTreeSet<_>>().len() < names.len();
        if legacy && !names.is_empty() && !doubles {
            sums(file, path, &names, "", refusal);
            for label in &labels {
                sums(file, path, &names, label, refusal);
            }
        }
        if path != ROOT {
            bounds(file, path, legacy);
        }
    }
    orders(file, refusal);
    access(file, &paths, &labels);
    mappings(file);
}

/// Reports ordering policies of the wrong kind: leaves order applications, parents order queues.
fn orders(file: &mut File<'_>, refusal: Option<&Refusal>) {
    let Some(refusal) = refusal else { return };
    let (of, words) = match &*refusal.kind {
        RefusalRule::Settings(SettingsRule::ParentOrdering) => {
            ("has queues below it, and", "utilization, priority-utilization")
        }
        RefusalRule::Settings(SettingsRule::LeafOrdering) => {
            ("is a leaf, and", "fifo, fair, fifo-with-partitions, fifo-for-pending-apps")
        }
        _ => return,
    };
    let parent = words.starts_with("utilization");
    // YARN's root cause is only the value; its log has the rest.
    let wrong: Vec<(String, String)> = file
        .effective
        .values
        .iter()
        .filter_map(|(key, value)| {
            let path = key.strip_prefix(PREFIX)?.strip_suffix(".ordering-policy")?;
            let here = trim(value) == refusal.message && children(file.conf, path).is_empty() != parent;
            here.then(|| (key.clone(), path.to_string()))
        })
        .collect();
    let value = &refusal.message;
    let log = match &wrong[..] {
        [(_, path)] if parent => format!("Unable to construct queue ordering policy={value} queue={path}"),
        _ if parent => format!("Unable to construct queue ordering policy={value}"),
        _ => format!("Unable to construct ordering policy for: {value}"),
    };
    for (key, path) in wrong {
        let Some(span) = file.value_span(&key) else { continue };
        let what = format!("{path} {of} `{value}` is none of the orders for that: {words}.");
        let problem = Problem::error(file.source, span, what);
        file.problems.push(problem.mend("Write one of these, or take the property out."));
        file.causes.push(Cause { words: value.clone(), span, log: Some(log.clone()) });
    }
}

/// Reports blank and repeated names in queue lists, and queues that have keys but are in no list.
fn lists(file: &mut File<'_>, paths: &IndexSet<String>) {
    for path in paths {
        let key = format!("{PREFIX}{path}.queues");
        let text = file.conf.text(&key).ok().flatten().unwrap_or_default();
        let span = file.value_span(&key);
        let mut seen = BTreeSet::new();
        for name in list(&text) {
            let name = trim(&name);
            if name.is_empty() {
                let what = format!("The list {path}.queues has a blank name: that is a queue without a name.");
                file.problems.push(Problem::error(file.source, span, what).mend("Take the extra comma out."));
            } else if !seen.insert(name.to_string()) {
                let what = format!("The list {path}.queues names {name} twice.");
                file.problems.push(Problem::error(file.source, span, what).mend("Name it once."));
                // It counts twice.
                file.causes.extend(refused::of_sum(path, "", span));
            }
        }
    }
    let mut dead: IndexMap<String, (String, usize)> = IndexMap::new();
    for key in file.effective.values.keys() {
        let found = properties::find(key, &|path| paths.contains(path));
        let Some(queue) = found.and_then(|f| f.queue).filter(|q| !paths.contains(q) && !q.contains('*')) else {
            continue;
        };
        dead.entry(queue).or_insert_with(|| (key.clone(), 0)).1 += 1;
    }
    for (queue, (key, count)) in dead {
        let span = file.effective.origins.get(&key).map(|o| o.name_span);
        let parent = queue.rsplit_once('.').map_or(ROOT, |(p, _)| p);
        let what = format!("The queue {queue} is not listed in {parent}.queues: its {} nothing.", properties_do(count));
        let known = paths.iter().map(String::as_str).take(NEAR);
        let mend = match nearest(&queue, known) {
            Some(near) => format!("Did you mean {near}? Else add it to that list, or take its properties out."),
            None => "Add it to that list, or take its properties out.".to_string(),
        };
        file.problems.push(Problem::warning(file.source, span, what).mend(mend));
    }
}

fn properties_do(count: usize) -> String {
    if count == 1 { "1 property does".into() } else { format!("{count} properties do") }
}

fn capacity_key(path: &str, label: &str, name: &str) -> String {
    if label.is_empty() {
        format!("{PREFIX}{path}.{name}")
    } else {
        format!("{PREFIX}{path}.accessible-node-labels.{label}.{name}")
    }
}

fn capacity(file: &File<'_>, path: &str, label: &str) -> Option<Capacity> {
    let text = file.conf.text(&capacity_key(path, label, "capacity")).ok()?;
    capacity_of(text.as_deref(), path, label, &types(file)).ok()
}

fn types(file: &File<'_>) -> ResourceTypes {
    crate::config::resource_text::allocations(file.conf).map(|a| a.types).unwrap_or_default()
}

/// Checks the percentages of a parent's children, for one label.
fn sums(file: &mut File<'_>, parent: &str, names: &[String], label: &str, refusal: Option<&Refusal>) {
    let paths: Vec<String> = names.iter().map(|n| format!("{parent}.{n}")).collect();
    let capacities: Vec<Option<Capacity>> = paths.iter().map(|p| capacity(file, p, label)).collect();
    let percent: Option<Vec<f32>> =
        capacities.iter().map(|c| if let Some(Capacity::Percent(p)) = c { Some(*p) } else { None }).collect();
    let Some(percent) = percent else {
        mixed(file, parent, &paths, &capacities, label);
        return;
    };
    let sum: f32 = percent.iter().sum();
    let configured = |file: &File<'_>, p: &String| file.conf.raw(&capacity_key(p, label, "capacity")).is_some();
    let none = sum.abs() <= 0.05;
    let given: Vec<&String> = paths.iter().filter(|p| configured(file, p)).collect();
    let first = given.first().map(|p| capacity_key(p, label, "capacity"));
    let span = file.value_span(&first.unwrap_or_else(|| format!("{PREFIX}{parent}.queues")));
    let Some(sum_of) = refused::of_sum(parent, label, span) else { return };
    let refused = refusal.is_some_and(|r| r.message.contains(&sum_of.words));
    if (sum - 100.0).abs() <= 0.05 || (none && label.is_empty() && given.is_empty() && !refused) {
        return;
    }
    let zero_allowed =
        file.conf.get_of(parent, const { Key::<bool>::queue("allow-zero-capacity-sum") }).unwrap_or(false);
    if none && zero_allowed {
        return;
    }
    if none && !label.is_empty() {
        unshared(file, parent, &paths, label);
        return;
    }
    let of_label = if label.is_empty() { String::new() } else { format!(" for the label {label}") };
    let missing: Vec<&String> = paths.iter().filter(|p| !configured(file, p)).collect();
    let mut what = format!("The capacities of the children of {parent} sum to {sum} %, 100 needed{of_label}");
    let mut mend = String::from("Change one of them so that they sum to 100.");
    if let [child, more @ ..] = &missing[..] {
        what.push_str(&match more.len() {
            0 => format!(": {child} has none, which counts as 0"),
            more => format!(": {child} and {more} more have none, which counts as 0"),
        });
        mend = match renamed(file, parent, &paths, child, label) {
            Some(other) => format!(
                "{other} has a capacity and is not in the list {parent}.queues: if it is {child} by another name, write one \
                 name in both places. Else give {child} a capacity."
            ),
            None if more.is_empty() => format!("Set the capacity of {child}, so that they sum to 100."),
            None => "Set the capacities of these, so that they sum to 100.".into(),
        };
    }
    let what = format!("{what}.");
    file.problems.push(Problem::error(file.source, Some(sum_of.span), what).mend(mend));
    file.causes.push(sum_of);
}

/// Finds the queue that `child`, a queue without a capacity, probably was: a sibling that has a capacity and is in no
/// list, if it is the only one or has a similar name.
fn renamed(file: &File<'_>, parent: &str, listed: &[String], child: &str, label: &str) -> Option<String> {
    let end = capacity_key("", label, "capacity");
    let end = end.strip_prefix(PREFIX)?;
    let mut others: Vec<&str> = file
        .effective
        .values
        .keys()
        .filter_map(|key| key.strip_prefix(PREFIX)?.strip_suffix(end))
        .filter(|path| path.rsplit_once('.').is_some_and(|(above, _)| above == parent))
        .filter(|path| !listed.iter().any(|known| known == path))
        .collect();
    if others.len() > 1 {
        others.retain(|path| distance(path, child, 2) <= 2);
    }
    others.first().map(|path| path.to_string())
}

/// Reports a label of which the parent has a share and none of its children has: the ResourceManager refuses that. For
/// root it only matters that a capacity is written: root always has 100 (oracle, Hadoop 3.5.0).
fn unshared(file: &mut File<'_>, parent: &str, paths: &[String], label: &str) {
    let key = capacity_key(parent, label, "capacity");
    let has_share = match capacity(file, parent, label) {
        _ if file.conf.raw(&key).is_none() => false,
        Some(Capacity::Percent(p)) => parent == ROOT || p > 0.0,
        _ => parent == ROOT,
    };
    let Some(child) = paths.first().filter(|_| has_share) else { return };
    let root_has_100 = if parent == ROOT { " (root has 100 whatever is written here)" } else { "" };
    let what =
        format!("{parent} has a share of the label {label}{root_has_100}, but none of its children has: 100 needed.");
    let mend = match paths {
        [_] => format!("Set {child}.accessible-node-labels.{label}.capacity to 100."),
        _ => {
            format!("Set accessible-node-labels.{label}.capacity of its children, 100 together; {child} is the first.")
        }
    };
    let span = file.value_span(&key);
    file.causes.extend(refused::of_sum(parent, label, span));
    file.problems.push(Problem::error(file.source, span, what).mend(mend));
}

/// Reports children in different capacity modes.
fn mixed(file: &mut File<'_>, parent: &str, paths: &[String], capacities: &[Option<Capacity>], label: &str) {
    let kind = |c: &Option<Capacity>| match c {
        Some(Capacity::Percent(p)) if *p > 0.0 => Some("percent"),
        Some(Capacity::Weight(_)) => Some("weight"),
        Some(Capacity::Absolute(_)) => Some("absolute"),
        _ => None,
    };
    let kinds: BTreeSet<&str> = capacities.iter().filter_map(kind).collect();
    if kinds.len() < 2 {
        return;
    }
    let names: Vec<&str> = kinds.into_iter().collect();
    let span = paths.iter().find_map(|p| file.value_span(&capacity_key(p, label, "capacity")));
    if let Some(span) = span {
        let words = format!("Parent queue '{parent}' have children queue used mixed of");
        file.causes.push(Cause { words, span, log: None });
    }
    let what = format!("The children of {parent} use different kinds of capacity: {}.", names.join(", "));
    let mend = "Use one kind for all of them, or set legacy-queue-mode.enabled to false.";
    file.problems.push(Problem::error(file.source, span, what).mend(mend));
}

/// Checks a queue's capacities by themselves: readable, in range, not above the maximum.
fn bounds(file: &mut File<'_>, path: &str, legacy: bool) {
    let mut labels = vec![String::new()];
    let prefix = format!("{PREFIX}{path}.accessible-node-labels.");
    let named = file.effective.values.keys().filter_map(|k| k.strip_prefix(&prefix)?.split_once('.'));
    for (label, _) in named {
        if !labels.iter().any(|l| l == label) {
            labels.push(label.to_string());
        }
    }
    let types = types(file);
    for label in labels {
        let key = capacity_key(path, &label, "capacity");
        let text = file.conf.text(&key).ok().flatten();
        let span = file.value_span(&key);
        match capacity_of(text.as_deref(), path, &label, &types) {
            Err(why) => {
                let shown = text.as_deref().map_or("", trim);
                let fix = shown.strip_suffix('%').map(str::trim).filter(|t| t.parse::<f32>().is_ok());
                let what = format!("{key}: `{shown}` is not a capacity ({}).", why.message);
                let mend = if fix.is_some() {
                    "Leave the % out."
                } else {
                    "Write percent from 0 to 100, a weight such as 2w, or amounts such as [memory=10240,vcores=4]."
                };
                let mut problem = Problem::error(file.source, span, what).mend(mend);
                problem.fix = fix.map(str::to_string);
                file.problems.push(problem);
            }
            Ok(read) => {
                vector_losses(file, &key, text.as_deref(), read, legacy, &types);
                above_maximum(file, path, &label, read, &types);
            }
        }
    }
}

/// Reports parts of a vector that the ResourceManager ignores.
fn vector_losses(
    file: &mut File<'_>,
    key: &str,
    text: Option<&str>,
    read: Capacity,
    legacy: bool,
    types: &ResourceTypes,
) {
    let Some(text) = text.filter(|t| trim(t).starts_with('[')) else { return };
    let span = file.value_span(key);
    let Ok(vector) = CapacityVector::parse(Some(text), false, types) else { return };
    for (name, _) in vector.unknown() {
        let what = format!("{key}: the cluster has no resource type {name}; that part is lost.");
        file.problems.push(
            Problem::warning(file.source, span, what).mend("Correct the name, or add the type to yarn.resource-types."),
        );
    }
    if !legacy {
        return;
    }
    let inner = trim(text).trim_matches(['[', ']']);
    let blank = inner.split(',').find(|pair| pair.starts_with(' ') && pair.contains('='));
    if let Some((name, _)) = blank.and_then(|pair| pair.split_once('=')) {
        let what = format!(
            "{key}: {} in `{}` has a blank before it: releases before 3.4 lose it without a word.",
            trim(name),
            trim(text)
        );
        let mut problem = Problem::note(file.source, span, what).mend("Leave the blank out.");
        problem.fix = Some(text.replace(", ", ","));
        file.problems.push(problem);
    }
    match read {
        Capacity::Percent(_) => {
            let what = format!("{key}: `{}` counts as 0 % in legacy queue mode.", trim(text));
            file.problems.push(
                Problem::warning(file.source, span, what)
                    .mend("Set legacy-queue-mode.enabled to false, or write one percentage."),
            );
        }
        Capacity::Absolute(amounts) if amounts.is_zero() => {
            let what = format!("{key}: without memory the whole of `{}` counts as not given.", trim(text));
            file.problems.push(Problem::warning(file.source, span, what).mend("Give memory above 0."));
        }
        _ => {}
    }
}

fn above_maximum(file: &mut File<'_>, path: &str, label: &str, read: Capacity, types: &ResourceTypes) {
    let key = capacity_key(path, label, "maximum-capacity");
    let text = file.conf.text(&key).ok().flatten();
    let span = file.value_span(&key);
    match (read, maximum_of(text.as_deref(), path, label, types)) {
        (_, Err(why)) => {
            let what = format!("{key}: `{}` is not a maximum ({}).", text.as_deref().map_or("", trim), why.message);
            file.problems.push(
                Problem::error(file.source, span, what)
                    .mend("Write percent, or amounts such as [memory=10240,vcores=4]."),
            );
        }
        (Capacity::Percent(capacity), Ok(Maximum::Percent(maximum))) if capacity > maximum => {
            let what = format!(
                "{path}: capacity {capacity} % is above its maximum {maximum} %: it can never use its guarantee."
            );
            let mend = "Raise the maximum or lower the capacity; releases before 3.4 refuse this.";
            file.problems.push(Problem::warning(file.source, span, what).mend(mend));
        }
        _ => {}
    }
}

/// All labels that occur: in the cluster, in lists, in keys.
fn label_names(file: &File<'_>, paths: &IndexSet<String>, cluster: &[NodeLabel]) -> IndexSet<String> {
    let mut out: IndexSet<String> = cluster.iter().map(|l| l.name.clone()).collect();
    for path in paths {
        let own = file.conf.text(&format!("{PREFIX}{path}.accessible-node-labels")).ok().flatten();
        out.extend(own.iter().flat_map(|t| trimmed_list(t)).filter(|l| l != "*"));
        let prefix = format!("{PREFIX}{path}.accessible-node-labels.");
        let in_keys = file.effective.values.keys().filter_map(|k| k.strip_prefix(&prefix)?.split_once('.'));
        out.extend(in_keys.map(|(label, _)| label.to_string()));
    }
    out
}

/// The labels that a queue may use; `None`: all.
fn accessible(conf: &Conf, path: &str) -> Option<Vec<String>> {
    if path == ROOT {
        return None;
    }
    match conf.text(&format!("{PREFIX}{path}.accessible-node-labels")).ok().flatten() {
        Some(text) => {
            let labels = trimmed_list(&text);
            if labels.iter().any(|l| l == "*") { None } else { Some(labels) }
        }
        None => accessible(conf, path.rsplit_once('.').map_or(ROOT, |(parent, _)| parent)),
    }
}

/// Reports labels that a queue may use without a share, and shares of labels that it may not use.
fn access(file: &mut File<'_>, paths: &IndexSet<String>, labels: &IndexSet<String>) {
    let used: Vec<&String> = labels
        .iter()
        .filter(|l| paths.iter().any(|p| file.conf.raw(&capacity_key(p, l, "capacity")).is_some()))
        .collect();
    for path in paths.iter().filter(|p| *p != ROOT) {
        let access = accessible(file.conf, path);
        for label in labels {
            let may = access.as_ref().is_none_or(|a| a.contains(label));
            let key = capacity_key(path, label, "capacity");
            let has_key =
                ["capacity", "maximum-capacity"].iter().any(|n| file.conf.raw(&capacity_key(path, label, n)).is_some());
            if has_key && !may {
                let span =
                    file.value_span(&key).or_else(|| file.value_span(&capacity_key(path, label, "maximum-capacity")));
                let what = format!(
                    "{path} has a share of the label {label}, but may not use the label {label}: the share is idle."
                );
                file.problems.push(
                    Problem::warning(file.source, span, what)
                        .mend(format!("Add {label} to {path}.accessible-node-labels, or take the share out.")),
                );
            }
            if may && !has_key && access.is_some() {
                let list_key = format!("{PREFIX}{path}.accessible-node-labels");
                let span = file.value_span(&list_key);
                if span.is_some() {
                    let what = format!(
                        "{path} may use the label {label}, but has no capacity for it: guarantee and maximum there are 0."
                    );
                    file.problems.push(
                        Problem::warning(file.source, span, what)
                            .mend(format!("Set {path}.accessible-node-labels.{label}.capacity.")),
                    );
                }
            }
        }
    }
    for label in used {
        if file.conf.raw(&capacity_key(ROOT, label, "capacity")).is_none() {
            let what = format!(
                "root has no capacity for the label {label}. Since 3.4 it counts as 100; older releases refuse the file or give the label to nobody."
            );
            let mend = format!(
                "Set root.accessible-node-labels.{label}.capacity to 100 when the file is also for an older release."
            );
            file.problems.push(Problem::note(file.source, None, what).mend(mend));
        }
    }
}

/// Checks the entries of queue-mappings.
fn mappings(file: &mut File<'_>) {
    let key = format!("{PREFIX}queue-mappings");
    let text = file.conf.text(&key).ok().flatten().unwrap_or_default();
    let span = file.value_span(&key);
    for entry in trimmed_list(&text) {
        if let Err(why) = user_rule(&entry) {
            let what = format!("queue-mappings: {} in `{entry}`.", why.message);
            file.problems.push(Problem::error(file.source, span, what).mend("Write u:user:queue or g:group:queue."));
        }
    }
}
