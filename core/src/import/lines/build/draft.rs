//! A scenario under construction, with its assumptions.

use crate::import::lines::figure::{Figure, Figures};
use crate::import::lines::log::NODES;
use crate::model::Millis;
use crate::scenario::units::{AMOUNT_MAX, time_text};
use std::fmt::Write as _;

/// Memory (MiB) and vcores.
pub type Pair = (i64, i64);

/// The selection that WHY shows in most scenarios.
pub const JOB: &str = "app:job";
/// An AM of the smallest size, and a task of that size that never ends.
pub const AM: &str = "\"1024 MB/1\"";
pub const TASK: &str = "tasks = [{ count = 1, size = \"1024 MB/1\", duration = \"forever\" }]";
/// Replaces an AM: the application has none in the cluster.
pub const NO_AM: &str = "{ unmanaged = true }";

/// A scenario under construction.
#[derive(Debug, Default)]
pub struct Draft {
    pub title: String,
    pub fair: bool,
    pub labels: Vec<String>,
    /// Keys of yarn-site.xml and of capacity-scheduler.xml, with values as TOML.
    pub site: Vec<(String, String)>,
    pub capacity: Vec<(String, String)>,
    /// The fair-scheduler.xml.
    pub allocations: Option<String>,
    pub timing: Vec<(String, String)>,
    /// Entries of nodes, applications and happenings, as TOML.
    pub entries: Vec<String>,
    pub assumed: Vec<String>,
    pub unknown: Vec<String>,
    /// Why YARN does not print the very line in the scenario, if it does not.
    pub lost: Option<String>,
    pub at: Millis,
    pub what: String,
}

impl Draft {
    pub fn new(title: &str, at: Millis, what: &str) -> Draft {
        Draft { title: title.to_string(), at, what: what.to_string(), ..Draft::default() }
    }

    /// Records a choice that the text does not determine.
    pub fn assume(&mut self, what: impl Into<String>) {
        self.assumed.push(what.into());
    }

    /// Records why the scenario does not give the very line.
    pub fn lose(&mut self, why: impl Into<String>) {
        self.lost.get_or_insert(why.into());
    }

    /// Sets a key of yarn-site.xml; of two maxima the larger one stays.
    pub fn site(&mut self, key: &str, value: impl std::fmt::Display) {
        let (key, value) = (format!("yarn.{key}"), value.to_string());
        let number = |text: &str| text.trim_matches('"').parse::<i64>().unwrap_or(0);
        match self.site.iter_mut().find(|(known, _)| *known == key) {
            Some((_, known)) if key.contains("maximum") && number(known) >= number(&value) => {}
            Some((_, known)) => *known = format!("\"{value}\""),
            None => self.site.push((key, format!("\"{value}\""))),
        }
    }

    pub fn capacity(&mut self, key: &str, value: impl std::fmt::Display) {
        let (key, value) = (format!("yarn.scheduler.capacity.{key}"), format!("\"{value}\""));
        match self.capacity.iter_mut().find(|(known, _)| *known == key) {
            Some((_, known)) => *known = value,
            None => self.capacity.push((key, value)),
        }
    }

    pub fn node(&mut self, name: &str, (mb, vcores): Pair, more: &str) {
        self.entries.push(format!("[[nodes]]\nname = \"{name}\"\nsize = \"{}\"\n{more}", size((mb, vcores))));
    }

    pub fn app(&mut self, name: &str, at: &str, queue: &str, user: &str, am: &str, more: &str) {
        self.entries.push(format!(
            "[[apps]]\nname = \"{name}\"\nat = \"{at}\"\nqueue = \"{queue}\"\nuser = \"{user}\"\nam = {am}\n{more}\n"
        ));
    }

    pub fn happening(&mut self, at: &str, what: &str) {
        self.entries.push(format!("[[happenings]]\nat = \"{at}\"\n{what}\n"));
    }

    /// Adds the nodes that other lines of a log name; without any, one of this size.
    pub fn nodes_of_log(&mut self, f: &Figures, usual: Pair) {
        let listed = match f.0.get(NODES) {
            Some(Figure::Data(serde_json::Value::Array(listed))) => listed.as_slice(),
            _ => &[],
        };
        let mut added = 0;
        for node in listed.iter().take(200) {
            let (Some(of), Some(mb), Some(vcores)) =
                (node["node"].as_str(), node["mb"].as_i64(), node["vcores"].as_i64())
            else {
                continue;
            };
            let Some(host) = name(host(of)) else { continue };
            if mb <= 0 || bounded(&[(mb, vcores.max(1))]).is_err() {
                continue;
            }
            let port = of.split_once(':').and_then(|(_, port)| port.parse::<u16>().ok());
            let port = port.map_or(String::new(), |port| format!("port = {port}\n"));
            self.node(host, (mb, vcores.max(1)), &port);
            added += 1;
        }
        if added == 0 {
            self.node("n1", usual, "");
        }
    }

    /// Returns whether other lines of a log name nodes.
    pub fn has_nodes(f: &Figures) -> bool {
        f.has(NODES)
    }

    /// Allows requests of these sizes: the minimum divides them, and the maximum is not smaller.
    pub fn allow(&mut self, sizes: &[Pair]) {
        let step = step(sizes.iter().map(|(mb, _)| *mb));
        if step != 1024 {
            self.site("scheduler.minimum-allocation-mb", step);
            if self.fair {
                self.site("resource-types.memory-mb.increment-allocation", step);
            }
            self.assume(format!("minimum allocation {step} MB: the sizes are no multiples of 1024"));
        }
        let most = |of: fn(&Pair) -> i64| sizes.iter().map(of).max().unwrap_or(0);
        let (mb, vcores) = (most(|s| s.0), most(|s| s.1));
        if mb > 8192 {
            self.site("scheduler.maximum-allocation-mb", mb);
        }
        if vcores > 4 {
            self.site("scheduler.maximum-allocation-vcores", vcores);
        }
    }

    /// Adds a label with its full capacity for a queue, given by its path.
    pub fn label(&mut self, label: &str, path: &str, exclusive: bool) {
        self.labels.push(if exclusive { label.to_string() } else { format!("{label}(exclusive=false)") });
        self.site("node-labels.enabled", true);
        let parts: Vec<&str> = path.split('.').collect();
        for i in 1..=parts.len() {
            let at = parts[..i].join(".");
            if i > 1 {
                self.capacity(&format!("{at}.accessible-node-labels"), label);
            }
            self.capacity(&format!("{at}.accessible-node-labels.{label}.capacity"), 100);
        }
    }

    /// Adds a queue with the whole cluster, by its path or its name below the root. Returns its path.
    pub fn queue(&mut self, name: &str) -> String {
        self.queue_of(name, 100.0, 100.0, &|percent: f64| percent.to_string())
    }

    /// Adds a queue with a share in percent and a maximum; the rest of its parent goes to a queue `rest`.
    pub fn queue_of(&mut self, name: &str, share: f64, maximum: f64, text: &dyn Fn(f64) -> String) -> String {
        let path = path(name);
        let parts: Vec<&str> = path.split('.').collect();
        for i in 1..parts.len() {
            let (parent, child) = (parts[..i].join("."), parts[i]);
            let last = i + 1 == parts.len();
            let partial = last && share < 100.0;
            let rest = if child == "rest" { "rest2" } else { "rest" };
            let children = if partial { format!("{child},{rest}") } else { child.to_string() };
            self.capacity(&format!("{parent}.queues"), children);
            let own = if last { share } else { 100.0 };
            self.capacity(&format!("{parent}.{child}.capacity"), text(own));
            if last && maximum < 100.0 {
                self.capacity(&format!("{parent}.{child}.maximum-capacity"), text(maximum));
            }
            if partial {
                self.capacity(&format!("{parent}.{rest}.capacity"), left(&text(own)));
            }
        }
        path
    }

    /// Returns the path of a queue without children.
    pub fn leaf(&self) -> String {
        let mut at = "root".to_string();
        // As deep as a queue's name may be.
        for _ in 0..20 {
            let key = format!("yarn.scheduler.capacity.{at}.queues");
            let Some((_, children)) = self.capacity.iter().find(|(known, _)| *known == key) else { break };
            let Some(first) = children.trim_matches('"').split(',').next().filter(|name| !name.is_empty()) else {
                break;
            };
            at = format!("{at}.{first}");
        }
        at
    }

    /// Returns the scenario as text.
    pub fn text(&self) -> String {
        let mut out = String::from("# Made from a pasted line.\n");
        for what in &self.assumed {
            let _ = writeln!(out, "# Assumed: {}.", one_line(what));
        }
        for what in &self.unknown {
            let _ = writeln!(out, "# Not known: {}.", one_line(what));
        }
        if let Some(why) = &self.lost {
            let _ = writeln!(out, "# YARN does not say the very line here: {}.", one_line(why));
        }
        let _ = writeln!(
            out,
            "heddle = 1\ntitle = \"{}\"\nscheduling = \"heartbeat\"",
            self.title.replace(['"', '\\'], "'")
        );
        let until = self.at.saturating_add(60_000);
        let _ = writeln!(out, "start_at = \"{}\"\nuntil = \"{}\"", time_text(self.at), time_text(until));
        if self.fair {
            let _ = writeln!(out, "scheduler = \"fair\"");
        }
        if !self.labels.is_empty() {
            let labels: Vec<String> = self.labels.iter().map(|label| format!("\"{label}\"")).collect();
            let _ = writeln!(out, "labels = [{}]", labels.join(", "));
        }
        if let Some(file) = &self.allocations {
            let _ = write!(out, "\n[files]\n\"fair-scheduler.xml\" = '''\n{file}\n'''\n");
        }
        for (heading, keys) in
            [("timing", &self.timing), ("yarn-site", &self.site), ("capacity-scheduler", &self.capacity)]
        {
            if !keys.is_empty() {
                let _ = write!(out, "\n[{heading}]\n");
                for (key, value) in keys {
                    let _ = writeln!(out, "\"{key}\" = {value}");
                }
            }
        }
        for entry in &self.entries {
            let _ = write!(out, "\n{entry}");
        }
        out
    }
}

fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Returns the rest of 100, as a decimal that adds up with `share`.
pub fn left(share: &str) -> String {
    let share: f32 = share.parse().unwrap_or(0.0);
    (100.0 - share).to_string()
}

/// Returns a size as a scenario writes it.
pub fn size((mb, vcores): Pair) -> String {
    format!("{mb} MB/{vcores}")
}

/// Returns an AM of a size.
pub fn am(of: Pair) -> String {
    format!("\"{}\"", size(of))
}

/// Returns tasks of a size that never end; `more`: their other keys.
pub fn tasks(count: i64, of: Pair, more: &str) -> String {
    format!("tasks = [{{ count = {count}, size = \"{}\", duration = \"forever\"{more} }}]", size(of))
}

/// Returns the host of a node's name, which may include the port.
pub fn host(node: &str) -> &str {
    node.split_once(':').map_or(node, |(host, _)| host)
}

/// Returns the largest power of two up to 1024 that divides all amounts, which suits as the minimum allocation.
pub fn step(amounts: impl Iterator<Item = i64>) -> i64 {
    let mut step = 1024;
    for amount in amounts {
        while step > 1 && amount % step != 0 {
            step /= 2;
        }
    }
    step
}

/// Returns the path of a queue, given by its name or its path.
pub fn path(name: &str) -> String {
    if name.starts_with("root.") { name.to_string() } else { format!("root.{name}") }
}

/// Returns the text if it is valid as a name in a scenario.
pub fn name(text: &str) -> Option<&str> {
    let plain = |c: char| c.is_ascii_alphanumeric() || "-_.".contains(c);
    let ends = text.starts_with('.') || text.ends_with('.') || text.contains("..");
    (!text.is_empty() && text.len() <= 200 && !ends && text.chars().all(plain)).then_some(text)
}

/// Returns the text if it is valid as a user's name: as a queue's, or a whole Kerberos principal.
pub fn user_name(text: &str) -> Option<&str> {
    let plain = |c: char| c.is_ascii_alphanumeric() || "-_.@/$+=~".contains(c);
    (!text.is_empty() && text.len() <= 200 && text.chars().all(plain)).then_some(text)
}

/// Adds up two resources.
pub fn plus(one: Pair, other: Pair) -> Pair {
    (one.0.saturating_add(other.0), one.1.saturating_add(other.1))
}

/// Returns the text if it is valid as a queue's name; `root` itself is not. The depth below the root is limited.
pub fn queue_name(text: &str) -> Option<&str> {
    name(text).filter(|name| *name != "root" && name.split('.').count() < 12)
}

/// Checks sizes. Errors: a size is beyond the limits of a scenario.
pub fn bounded(sizes: &[Pair]) -> Result<(), String> {
    let fits = |(mb, vcores): &Pair| (0..=AMOUNT_MAX / 4096).contains(mb) && (0..=1_000_000).contains(vcores);
    match sizes.iter().find(|size| !fits(size)) {
        Some((mb, vcores)) => Err(format!(
            "{mb} MB and {vcores} vcores are beyond what a scenario can have: it takes up to {} MB and 1000000 vcores here",
            AMOUNT_MAX / 4096
        )),
        None => Ok(()),
    }
}
