//! Requests that YARN refuses (SchedulerUtils.normalizeAndValidateRequest).

use super::draft::{AM, Draft, JOB, TASK, name, queue_name, tasks, user_name};
use crate::config::resource_text::DOMINANT;
use crate::import::lines::figure::{Figure, Figures};
use crate::scenario::units::AMOUNT_MAX;

/// A resource: each type with its amount.
type Size = Vec<(String, i64)>;

fn amount(of: &Size, kind: &str) -> Option<i64> {
    of.iter().find(|(name, _)| name == kind).map(|(_, amount)| *amount)
}

fn set(of: &mut Size, kind: &str, amount: i64) {
    match of.iter_mut().find(|(name, _)| name == kind) {
        Some((_, known)) => *known = amount,
        None => of.push((kind.to_string(), amount)),
    }
}

fn text(of: &Size) -> String {
    let (mb, vcores) = (amount(of, "memory-mb").unwrap_or(0), amount(of, "vcores").unwrap_or(0));
    let more = of.iter().filter(|(name, amount)| !["memory-mb", "vcores"].contains(&name.as_str()) && *amount != 0);
    let more: String = more.map(|(name, amount)| format!(", {name}={amount}")).collect();
    format!("{mb} MB/{vcores}{more}")
}

/// Adds up the parts that a client computes for one container.
fn sum(f: &Figures, parts: &[&str]) -> Option<i64> {
    let found: Vec<i64> = parts.iter().filter_map(|part| f.number(part)).collect();
    (!found.is_empty()).then(|| found.iter().fold(0_i64, |sum, part| sum.saturating_add(*part)))
}

pub fn too_large(f: &Figures) -> Result<Draft, String> {
    let mut d = Draft::new("A request larger than the largest container", 30_000, JOB);
    let size_of = |name: &str| match f.0.get(name) {
        Some(Figure::Size(size)) => Some(size.clone()),
        _ => None,
    };
    let (mut ask, mut most, mut configured) = (size_of("ask"), size_of("max_now"), size_of("max_configured"));
    let executor = sum(f, &["executor_mb", "offheap_mb", "overhead_mb", "pyspark_mb"]).filter(|_| f.has("executor_mb"));
    let master = sum(f, &["am_mb", "overhead_mb"]).filter(|_| f.has("am_mb"));
    if let Some(mb) = executor.or(master).or(f.number("ask_mb")) {
        if executor.is_some() || master.is_some() {
            d.assume(format!("{mb} MB in all for the container"));
        }
        set(ask.get_or_insert_default(), "memory-mb", mb);
    }
    for (kind, asked, largest) in
        [("memory-mb", "", "max_mb"), ("vcores", "ask_vcores", "max_vcores"), ("yarn.io/gpu", "ask_gpus", "max_gpus")]
    {
        if let Some(n) = f.number(asked) {
            set(ask.get_or_insert_default(), kind, n);
        }
        if let Some(n) = f.number(largest) {
            set(most.get_or_insert_default(), kind, n);
        }
    }
    let kind = f.text("type").map(str::to_string).or_else(|| {
        // The first type whose request exceeds the maximum.
        let (ask, most) = (ask.as_ref()?, most.as_ref()?);
        ask.iter().find(|(name, n)| amount(most, name).is_some_and(|most| *n > most)).map(|(name, _)| name.clone())
    });
    let mut ask = ask.unwrap_or_else(|| {
        d.assume("the size that was asked for is not in the text: 16384 MB");
        vec![("memory-mb".into(), 16_384), ("vcores".into(), 1)]
    });
    let mut most = most.unwrap_or_else(|| {
        d.assume("the maximum is not in the text: half of what is asked");
        ask.iter().map(|(name, n)| (name.clone(), if name == "memory-mb" { (n / 2).max(1) } else { *n })).collect()
    });
    let kind = kind.unwrap_or_else(|| "memory-mb".into());
    for (name, fallback) in [("memory-mb", 1024), ("vcores", 1)] {
        if amount(&ask, name).is_none() {
            let fallback =
                if name == "memory-mb" { amount(&most, name).map_or(fallback, |most| most.clamp(1, 1024)) } else { 1 };
            set(&mut ask, name, fallback);
            if kind != name {
                d.assume(format!("{fallback} of {name} asked"));
            }
        }
        if amount(&most, name).is_none() {
            let least = if name == "memory-mb" { 8192 } else { 8 };
            let chosen = amount(&ask, name).unwrap_or(1).max(least);
            set(&mut most, name, chosen);
            d.assume(format!(
                "{} of {name} at most",
                if name == "memory-mb" { format!("{chosen} MB") } else { chosen.to_string() }
            ));
        }
    }
    if amount(&most, &kind).is_none() {
        set(&mut most, &kind, 0);
    }
    let bad = |of: &Size| of.iter().any(|(_, n)| !(0..=AMOUNT_MAX / 4096).contains(n));
    if bad(&ask) || bad(&most) {
        return Err(format!("amounts beyond {} are more than a scenario can have", AMOUNT_MAX / 4096));
    }
    let least = amount(&most, "memory-mb").unwrap_or(1024).min(1024);
    let (asked, largest) = (amount(&ask, &kind).unwrap_or(0), amount(&most, &kind).unwrap_or(0));
    if asked <= largest {
        return Err("what is asked is not more than the maximum by these figures".into());
    }
    if amount(&most, "memory-mb") == Some(0) || amount(&most, "vcores") == Some(0) {
        return Err("a largest container of nothing comes from a cluster without nodes".into());
    }
    let extra: Vec<String> = ask
        .iter()
        .chain(&most)
        .map(|(name, _)| name.clone())
        .filter(|name| !["memory-mb", "vcores"].contains(&name.as_str()))
        .fold(Vec::new(), |mut known, name| {
            if !known.contains(&name) {
                known.push(name);
            }
            known
        });
    if extra
        .iter()
        .any(|name| name.len() > 60 || !name.chars().all(|c| c.is_ascii_alphanumeric() || "-_./".contains(c)))
    {
        return Err("a resource type with such a name is none".into());
    }
    if least != 1024 {
        d.site("scheduler.minimum-allocation-mb", least);
        d.assume(format!("minimum allocation {least} MB"));
    }
    let configured = configured.get_or_insert_with(|| most.clone());
    let of = |kind: &str| amount(configured, kind).or(amount(&most, kind)).unwrap_or(0);
    let beyond = |kind: &str| of(kind) > AMOUNT_MAX / 4096;
    if beyond("memory-mb") || beyond("vcores") {
        return Err("the configured maximum is more than a scenario can have".into());
    }
    d.site("scheduler.maximum-allocation-mb", of("memory-mb").max(least));
    d.site("scheduler.maximum-allocation-vcores", of("vcores").max(1));
    if !extra.is_empty() {
        d.site("resource-types", extra.join(","));
        d.capacity("resource-calculator", DOMINANT);
        d.assume(format!("resource types {}", extra.join(", ")));
        for name in &extra {
            if let Some(n) = amount(configured, name).filter(|n| *n <= AMOUNT_MAX) {
                d.site(&format!("resource-types.{name}.maximum-allocation"), n.max(amount(&most, name).unwrap_or(0)));
            }
        }
    }
    let path = d.queue(f.text("queue").and_then(queue_name).unwrap_or("default"));
    d.assume(format!("one node of {}; taken as the AM's own request, refused at submission", text(&most)));
    d.entries.push(format!("[[nodes]]\nname = \"n1\"\nsize = \"{}\"\n", text(&most)));
    let user = f.text("user").and_then(user_name).unwrap_or("alice");
    // For ten seconds after its start, YARN uses the configured maximum instead of the largest node.
    d.app("job", "20 s", &path, user, &format!("\"{}\"", text(&ask)), &tasks(1, (least, 1), ""));
    Ok(d)
}

fn label(f: &Figures) -> Result<&str, String> {
    let label = f.text("label").map(str::trim).unwrap_or("gpu");
    name(label).filter(|label| !label.contains('.')).ok_or_else(|| "this is no name of a label".to_string())
}

fn draft(title: &str) -> Draft {
    let mut d = Draft::new(title, 20_000, JOB);
    d.node("n1", (8192, 8), "");
    d
}

fn job(d: &mut Draft, f: &Figures, path: &str, more: &str) {
    let user = f.text("user").and_then(user_name).unwrap_or("alice");
    d.app("job", "5 s", path, user, AM, &format!("{more}{TASK}"));
}

pub fn label_access(f: &Figures) -> Result<Draft, String> {
    let mut d = draft("A label that the queue may not use");
    let label = label(f)?;
    let queue = f.text("queue").and_then(queue_name).unwrap_or("default");
    let open: Vec<&str> = f
        .text("queue_labels")
        .unwrap_or_default()
        .split(',')
        .map(str::trim)
        .filter_map(name)
        .filter(|l| *l != label)
        .take(20)
        .collect();
    d.site("node-labels.enabled", true);
    d.labels.push(label.to_string());
    d.labels.extend(open.iter().map(ToString::to_string));
    let path = d.queue(queue);
    d.capacity(
        &format!("{path}.accessible-node-labels"),
        if open.is_empty() { " ".to_string() } else { open.join(",") },
    );
    d.assume(format!("{path} may use {}", if open.is_empty() { "no label".to_string() } else { open.join(", ") }));
    job(&mut d, f, &path, &format!("label = \"{label}\"\n"));
    Ok(d)
}

pub fn label_unknown(f: &Figures) -> Result<Draft, String> {
    let mut d = draft("A label that the cluster does not have");
    let label = label(f)?;
    d.site("node-labels.enabled", true);
    let path = d.queue(f.text("queue").and_then(queue_name).unwrap_or("default"));
    d.capacity(&format!("{path}.accessible-node-labels"), "*");
    d.assume(format!("{path} may use all labels, and there are none"));
    job(&mut d, f, &path, &format!("label = \"{label}\"\n"));
    Ok(d)
}

pub fn labels_off(f: &Figures) -> Result<Draft, String> {
    let mut d = draft("A label while labels are off");
    let label = label(f)?;
    d.site("node-labels.enabled", false);
    let path = d.queue("default");
    d.assume(format!("yarn.node-labels.enabled is false, and the application asks for {label}"));
    job(&mut d, f, &path, &format!("label = \"{label}\"\n"));
    Ok(d)
}

pub fn several_labels(f: &Figures) -> Result<Draft, String> {
    let mut d = draft("Several labels in one request");
    let given = f.text("label").unwrap_or("a && b");
    let found: Vec<&str> = given
        .split("&&")
        .map(str::trim)
        .map(|l| l.split_whitespace().next().unwrap_or(""))
        .filter_map(name)
        .take(8)
        .collect();
    if found.len() < 2 {
        return Err("the expression has no two labels".into());
    }
    let between = if given.contains(" && ") { " && " } else { "&&" };
    let label = found.join(between);
    d.site("node-labels.enabled", true);
    d.labels = found.iter().map(ToString::to_string).fold(Vec::new(), |mut known: Vec<String>, l| {
        if !known.contains(&l) {
            known.push(l);
        }
        known
    });
    let path = d.queue(f.text("queue").and_then(queue_name).unwrap_or("default"));
    d.capacity(&format!("{path}.accessible-node-labels"), "*");
    job(&mut d, f, &path, &format!("label = \"{label}\"\n"));
    Ok(d)
}

pub fn label_on_place(f: &Figures) -> Result<Draft, String> {
    let mut d = draft("A label on a host or rack");
    let place = f.text("place").unwrap_or("n1");
    let host = place.trim_start_matches('/');
    if name(host).is_none() {
        return Err("this is no name of a host or rack".into());
    }
    d.site("node-labels.enabled", true);
    d.labels.push("gpu".into());
    let path = d.queue(f.text("queue").and_then(queue_name).unwrap_or("default"));
    d.capacity(&format!("{path}.accessible-node-labels"), "*");
    d.capacity("root.accessible-node-labels.gpu.capacity", 100);
    d.capacity(&format!("{path}.accessible-node-labels.gpu.capacity"), 100);
    d.assume("label gpu");
    let user = f.text("user").and_then(user_name).unwrap_or("alice");
    let call = format!(
        "kind = \"requests\"\n[[apps.calls]]\nat = \"1 s\"\nasks = [{{ count = 1, size = \"1024 MB/1\", place = \"{place}\", label = \"gpu\", duration = \"forever\" }}]"
    );
    d.app("job", "5 s", &path, user, AM, &call);
    Ok(d)
}
