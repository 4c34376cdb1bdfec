//! Runs the same workload under the other schedulers: adds worlds that express queues, shares and limits in their settings.
//! The conversion from the FairScheduler to the CapacityScheduler follows Hadoop's own converter
//! (FSConfigToCSConfigConverter): weights, maxima in percent, no limits of users.

use super::super::document::{Because, Scenario};
use super::super::read::read;
use super::{Setting, push, set};
use crate::api::SchedulerChoice;
use crate::config::capacity::PREFIX;
use crate::config::fair::{self, Amount, FILE, FairConf, Policy, unlimited};
use crate::config::resource_text::DOMINANT;
use crate::config::xml::escape;
use crate::model::Resource;
use toml_edit::{InlineTable, Value};

const ASYNC: &str = "schedule-asynchronously.enable";
const MONITOR: &str = "yarn.resourcemanager.scheduler.monitor.enable";
const FAIR_PREEMPTION: &str = "yarn.scheduler.fair.preemption";

/// A queue, independent of the scheduler.
#[derive(Clone, Debug, PartialEq)]
struct Queue {
    path: String,
    weight: f64,
    /// Its maximum share of the cluster's memory.
    most: Option<f64>,
    /// The maximum number of running applications.
    apps: Option<i64>,
    /// The share of the queue that ApplicationMasters may use.
    masters: Option<f64>,
    /// Whether its applications are served in the order of their submission.
    fifo: bool,
    /// Whether its containers are exempt from preemption.
    protected: bool,
}

impl Queue {
    fn new(path: &str) -> Self {
        let (weight, path) = (1.0, path.to_string());
        Queue { path, weight, most: None, apps: None, masters: None, fifo: false, protected: false }
    }
}

/// All queues but root, parents before their children, and whether all resource types count.
struct Queues {
    all: Vec<Queue>,
    dominant: bool,
    /// Whether preemption is on.
    preempts: bool,
}

impl Queues {
    fn of(s: &Scenario) -> Result<Self, String> {
        let (mut out, names) = match s.settings.scheduler {
            SchedulerChoice::Capacity => (Self::of_capacity(s), false),
            SchedulerChoice::Fair => (Self::of_fair(s)?, true),
            SchedulerChoice::Fifo => (Queues { all: Vec::new(), dominant: false, preempts: false }, true),
        };
        // The scheduler creates queues for the applications that name them.
        if names {
            s.apps.iter().for_each(|app| out.add(&rooted(&app.queue)));
        }
        Ok(out)
    }

    /// Adds a queue and its ancestors if they are missing.
    fn add(&mut self, path: &str) {
        for cut in path.match_indices('.').map(|(at, _)| at).skip(1).chain([path.len()]) {
            if path != "root" && !self.all.iter().any(|q| q.path == path[..cut]) {
                self.all.push(Queue::new(&path[..cut]));
            }
        }
    }

    fn get(&mut self, path: &str) -> Option<&mut Queue> {
        self.add(path);
        self.all.iter_mut().find(|q| q.path == path)
    }

    fn children<'a>(&'a self, path: &'a str) -> impl Iterator<Item = &'a Queue> {
        self.all.iter().filter(move |q| q.path.rsplit_once('.').is_some_and(|(above, _)| above == path))
    }

    fn of_fair(s: &Scenario) -> Result<Self, String> {
        let file = match &s.settings.fair_allocations {
            Some(text) => {
                let unreached = FairConf::lets_rules_be_unreached(&s.settings.yarn_site);
                fair::read(FILE, text, &s.resource_types, unreached).map_err(|p| p.what)?.0
            }
            None => fair::Allocations::default(),
        };
        let total = memory(s).max(1) as f64;
        let part = |amount: &Amount| match amount {
            Amount::Share(shares) => Some(shares[0]),
            Amount::Absolute(r) if r.memory_mb() >= unlimited().memory_mb() => None,
            Amount::Absolute(r) => Some(r.memory_mb() as f64 / total),
        };
        let preempts = is_on(s, FAIR_PREEMPTION);
        let mut out = Queues { all: Vec::new(), dominant: file.default_policy == Policy::Drf, preempts };
        for (path, q) in file.queues.iter().filter(|(path, _)| *path != "root") {
            let Some(known) = out.get(path) else { continue };
            known.weight = f64::from(q.weight.unwrap_or(1.0));
            known.most = q.maximum.as_ref().or(Some(&file.queue_max_default)).and_then(part);
            known.apps = q.max_apps.map(i64::from);
            known.masters = Some(f64::from(q.max_am_share.unwrap_or(file.queue_max_am_share_default)));
            known.fifo = q.policy.unwrap_or(file.default_policy) == Policy::Fifo;
            known.protected = q.preemption.protected;
            out.dominant |= q.policy == Some(Policy::Drf);
        }
        Ok(out)
    }

    fn of_capacity(s: &Scenario) -> Self {
        let value = |name: &str| s.settings.capacity_scheduler.get(&format!("{PREFIX}{name}")).map(|v| v.trim());
        let number = |name: &str| value(name).and_then(|v| v.parse::<f64>().ok());
        let dominant = value("resource-calculator").is_some_and(|v| v.ends_with("DominantResourceCalculator"));
        let mut out = Queues { all: Vec::new(), dominant, preempts: is_on(s, MONITOR) };
        let mut open = vec![("root".to_string(), 1.0)];
        while let Some((parent, most)) = open.pop() {
            let names = value(&format!("{parent}.queues")).unwrap_or_default().split(',').map(str::trim);
            for name in names.filter(|n| !n.is_empty()) {
                let path = format!("{parent}.{name}");
                let own = |what: &str| format!("{path}.{what}");
                let amount = |what: &str| value(&own(what)).and_then(memory_of);
                let capacity = value(&own("capacity")).unwrap_or_default();
                let weight = capacity.trim_end_matches('w').parse().ok();
                let maximum = number(&own("maximum-capacity")).filter(|m| (0.0..100.0).contains(m));
                let absolute = amount("maximum-capacity").map(|mb| mb as f64 / memory(s).max(1) as f64);
                let most = absolute.or(maximum.map(|m| most * m / 100.0)).unwrap_or(most);
                let masters = number(&own("maximum-am-resource-percent")).or(number("maximum-am-resource-percent"));
                let Some(q) = out.get(&path) else { continue };
                q.weight = weight.or(amount("capacity").map(|mb| mb as f64)).unwrap_or(1.0);
                q.most = (most < 1.0).then_some(most);
                q.apps = number(&own("max-parallel-apps")).map(|n| n as i64);
                q.masters = masters;
                q.fifo = value(&own("ordering-policy")).is_none_or(|policy| policy == "fifo");
                q.protected = value(&own("disable_preemption")) == Some("true");
                open.push((path, most));
            }
        }
        out
    }

    // ---- as CapacityScheduler properties

    fn as_capacity(&self, s: &Scenario) -> Vec<(String, String)> {
        let mut out: Vec<(String, String)> = Vec::new();
        let mut put = |name: String, value: String| out.push((format!("{PREFIX}{name}"), value));
        let mut most = std::collections::BTreeMap::from([("root", 1.0)]);
        for path in std::iter::once("root").chain(self.all.iter().map(|q| q.path.as_str())) {
            let names: Vec<&str> = self.children(path).filter_map(|q| q.path.rsplit('.').next()).collect();
            if !names.is_empty() {
                put(format!("{path}.queues"), names.join(","));
            }
        }
        for q in &self.all {
            let path = &q.path;
            put(format!("{path}.capacity"), format!("{}w", plain(q.weight)));
            let above = path.rsplit_once('.').and_then(|(above, _)| most.get(above).copied()).unwrap_or(1.0);
            let own = q.most.unwrap_or(above).clamp(0.0, above);
            if own < above {
                put(format!("{path}.maximum-capacity"), plain((own / above * 100.0).clamp(0.0, 100.0)));
            }
            most.insert(path, own);
            if let Some(n) = q.apps {
                put(format!("{path}.max-parallel-apps"), n.to_string());
            }
            if q.protected {
                put(format!("{path}.disable_preemption"), "true".into());
            }
            if self.children(path).next().is_some() {
                continue;
            }
            let masters = q.masters.unwrap_or(0.5);
            let masters = if (0.0..=1.0).contains(&masters) { masters } else { 1.0 };
            put(format!("{path}.maximum-am-resource-percent"), plain(masters));
            put(format!("{path}.user-limit-factor"), "-1".into());
            put(format!("{path}.ordering-policy"), if q.fifo { "fifo" } else { "fair" }.into());
        }
        if self.dominant {
            put("resource-calculator".into(), DOMINANT.into());
        }
        if self.preempts {
            out.push((MONITOR.into(), "true".into()));
        }
        // Sets the mode explicitly, since nobody chose the default.
        if s.scheduling.because == Because::Default {
            out.push((format!("{PREFIX}{ASYNC}"), "false".into()));
        }
        out
    }

    // ---- as a FairScheduler allocation file

    fn as_fair(&self) -> String {
        let mut out = "<?xml version=\"1.0\"?>\n<allocations>\n".to_string();
        if self.dominant {
            out.push_str("  <defaultQueueSchedulingPolicy>drf</defaultQueueSchedulingPolicy>\n");
        }
        if self.preempts {
            // Follows the preemption monitor: the whole share, after one of its rounds.
            out.push_str("  <defaultFairSharePreemptionTimeout>3</defaultFairSharePreemptionTimeout>\n");
            out.push_str("  <defaultFairSharePreemptionThreshold>1.0</defaultFairSharePreemptionThreshold>\n");
        }
        self.write("root", 1, &mut out);
        out.push_str("</allocations>\n");
        out
    }

    fn write(&self, parent: &str, depth: usize, out: &mut String) {
        let gap = "  ".repeat(depth);
        for q in self.children(parent) {
            let name = q.path.rsplit('.').next().unwrap_or_default();
            out.push_str(&format!("{gap}<queue name=\"{}\">\n", escape(name).replace('"', "&quot;")));
            let mut put = |element: &str, value: String| {
                out.push_str(&format!("{gap}  <{element}>{value}</{element}>\n"));
            };
            put("weight", plain(q.weight));
            if let Some(most) = q.most {
                put("maxResources", format!("{}%", plain(most * 100.0)));
            }
            if let Some(n) = q.apps {
                put("maxRunningApps", n.to_string());
            }
            let leaf = self.children(&q.path).next().is_none();
            if leaf {
                if let Some(masters) = q.masters {
                    put("maxAMShare", plain(masters.min(1.0)));
                }
                if q.fifo {
                    put("schedulingPolicy", "fifo".into());
                }
            }
            if q.protected {
                put("allowPreemptionFrom", "false".into());
            }
            self.write(&q.path, depth + 1, out);
            out.push_str(&format!("{gap}</queue>\n"));
        }
    }
}

/// Returns the full path of a queue; names may leave out `root.`.
fn rooted(name: &str) -> String {
    if name == "root" || name.starts_with("root.") { name.to_string() } else { format!("root.{name}") }
}

/// Returns a switch of yarn-site.xml, or of capacity-scheduler.xml, which the monitors read too.
fn is_on(s: &Scenario, name: &str) -> bool {
    let found = s.settings.capacity_scheduler.get(name).or_else(|| s.settings.yarn_site.get(name));
    found.is_some_and(|v| v.trim() == "true")
}

/// Prints a number with at most three decimals.
fn plain(x: f64) -> String {
    let text = format!("{x:.3}");
    text.trim_end_matches('0').trim_end_matches('.').to_string()
}

/// Returns the memory of all nodes.
fn memory(s: &Scenario) -> i64 {
    s.nodes.iter().fold(Resource::ZERO, |sum, n| sum + n.spec.total).memory_mb()
}

/// Reads the memory of `[memory=4096,vcores=4]`.
fn memory_of(text: &str) -> Option<i64> {
    let inner = text.strip_prefix('[')?.strip_suffix(']')?;
    inner.split(',').find_map(|part| part.trim().strip_prefix("memory="))?.trim().parse().ok()
}

/// Returns the text with each application's queue as a full path, which every scheduler understands.
pub fn name_queues_in_full(text: &str) -> Result<String, String> {
    let scenario = read(text).scenario.ok_or("The text has an error; mend it first.")?;
    let queues = Queues::of(&scenario)?;
    let full = |name: &str| {
        let mut named = queues.all.iter().filter(|q| q.path.rsplit('.').next() == Some(name));
        match (scenario.settings.scheduler, named.next(), named.next()) {
            (SchedulerChoice::Capacity, Some(q), None) => q.path.clone(),
            _ => rooted(name),
        }
    };
    let mut told = std::collections::BTreeSet::new();
    let mut text = text.to_string();
    for app in scenario.apps.iter().filter(|app| told.insert(app.entry)) {
        let path = full(&app.queue);
        if path != app.queue {
            text = set(&text, &["apps".into(), app.entry.into(), "queue".into()], &Setting::Text(path))?;
        }
    }
    Ok(text)
}

/// Adds worlds in which the other schedulers run the same workload, with queues derived from the present ones. Errors: the
/// worlds exist already, or the text cannot be read.
pub fn add_other_schedulers(text: &str) -> Result<String, String> {
    let scenario = read(text).scenario.ok_or("The text has an error; mend it first.")?;
    let queues = Queues::of(&scenario)?;
    let all = SchedulerChoice::ALL.map(|one| (one, one.text(), one.class()));
    let there = |name: &str| scenario.worlds.iter().any(|w| w.scheduler.as_deref() == Some(name));
    let mut out = text.to_string();
    let others = all.into_iter().filter(|(choice, name, _)| *choice != scenario.settings.scheduler && !there(name));
    for (choice, name, title) in others {
        let mut fields = vec![("name", Setting::Text(title.into())), ("scheduler", Setting::Text(name.into()))];
        match choice {
            SchedulerChoice::Capacity => {
                let mut table = InlineTable::new();
                for (key, value) in queues.as_capacity(&scenario) {
                    table.insert(key, Value::from(value));
                }
                fields.push(("set", Setting::Toml(Value::InlineTable(table).to_string())));
            }
            SchedulerChoice::Fair => {
                fields.push((FILE, Setting::Text(queues.as_fair())));
                if queues.preempts {
                    let on = InlineTable::from_iter([(FAIR_PREEMPTION, Value::from("true"))]);
                    fields.push(("set", Setting::Toml(Value::InlineTable(on).to_string())));
                }
            }
            SchedulerChoice::Fifo => {}
        }
        out = push(&out, "worlds", &fields)?;
    }
    if out == text { Err("The worlds of the other schedulers are there already.".to_string()) } else { Ok(out) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sim::Simulation;
    use std::sync::Arc;

    const FAIR: &str = "heddle = 1\nscheduler = \"fair\"\n[files]\n\"fair-scheduler.xml\" = '''\n<allocations>\n\
        <queue name=\"a\"><weight>3</weight><maxResources>8192 mb, 8 vcores</maxResources><maxRunningApps>2</maxRunningApps>\
        <queue name=\"x\"><maxResources>25.0%</maxResources></queue></queue>\n<queue name=\"b\"><schedulingPolicy>fifo</schedulingPolicy></queue>\n</allocations>\n'''\n\
        [[nodes]]\nname = \"n1\"\nsize = \"16 GB/16\"\n\
        [[apps]]\nname = \"one\"\nqueue = \"a.x\"\nuser = \"u\"\ntasks = { count = 2, size = \"1 GB/1\", duration = \"10 s\" }\n\
        [[apps]]\nname = \"two\"\nqueue = \"root.c\"\nuser = \"u\"\ntasks = { count = 2, size = \"1 GB/1\", duration = \"10 s\" }\n";
    const CAPACITY: &str = "heddle = 1\nscheduling = \"heartbeat\"\n[capacity-scheduler]\nroot.queues = \"a,b\"\nroot.a.capacity = 30\n\
        root.a.maximum-capacity = 50\nroot.a.queues = \"x\"\nroot.a.x.capacity = 100\nroot.a.x.max-parallel-apps = 3\nroot.b.capacity = 70\n\
        root.b.ordering-policy = \"fair\"\n[[nodes]]\nname = \"n1\"\nsize = \"16 GB/16\"\n\
        [[apps]]\nname = \"one\"\nqueue = \"x\"\nuser = \"u\"\ntasks = { count = 2, size = \"1 GB/1\", duration = \"10 s\" }\n";

    /// Returns the worlds of a text by their names; each can be run.
    fn worlds(text: &str) -> Vec<(String, Scenario)> {
        let text = add_other_schedulers(text).expect("it is added");
        assert!(add_other_schedulers(&text).is_err(), "once is enough");
        let scenario = read(&text).scenario.expect("it reads");
        let world = |w: &super::super::super::World| {
            let there = read(&w.text(&text).expect("it is written"));
            let there = there.scenario.unwrap_or_else(|| panic!("{}: {:?}", w.name, there.problems));
            Simulation::new(Arc::new(there.clone())).unwrap_or_else(|r| panic!("{}: {}", w.name, r.message));
            (w.name.clone(), there)
        };
        scenario.worlds.iter().map(world).collect()
    }

    #[test]
    fn queues_of_the_fair_scheduler_in_the_words_of_the_capacity_scheduler() {
        let [(capacity, there), (fifo, _)] = &worlds(FAIR)[..] else { panic!("two worlds") };
        assert_eq!((capacity.as_str(), fifo.as_str()), ("CapacityScheduler", "FifoScheduler"));
        let value = |name: &str| there.settings.capacity_scheduler.get(&format!("{PREFIX}{name}")).map(String::as_str);
        for (name, wanted) in [
            ("root.queues", "a,b,c"),
            ("root.a.queues", "x"),
            ("root.a.capacity", "3w"),
            ("root.a.maximum-capacity", "50"),
            ("root.a.max-parallel-apps", "2"),
            ("root.a.x.capacity", "1w"),
            ("root.a.x.maximum-capacity", "50"),
            ("root.a.x.user-limit-factor", "-1"),
            ("root.b.ordering-policy", "fifo"),
            ("root.c.ordering-policy", "fair"),
            (ASYNC, "false"),
        ] {
            assert_eq!(value(name), Some(wanted), "{name}");
        }
        assert_eq!(there.apps.iter().map(|a| a.queue.as_str()).collect::<Vec<_>>(), ["root.a.x", "root.c"]);
    }

    #[test]
    fn queues_of_the_capacity_scheduler_in_the_words_of_the_fair_scheduler() {
        let [(fair, there), _] = &worlds(CAPACITY)[..] else { panic!("two worlds") };
        let file = there.settings.fair_allocations.as_deref().expect("a file");
        let (read, _) = fair::read(FILE, file, &there.resource_types, false).expect("it reads");
        assert_eq!(fair, "FairScheduler");
        let of = |path: &str| read.queues.get(path).unwrap_or_else(|| panic!("{path}"));
        assert_eq!((of("root.a").weight, of("root.b").weight), (Some(30.0), Some(70.0)));
        assert!(matches!(of("root.a").maximum, Some(Amount::Share(s)) if s[0] == 0.5), "{:?}", of("root.a").maximum);
        assert_eq!(of("root.a.x").max_apps, Some(3));
        assert_eq!((of("root.a.x").policy, of("root.b").policy), (Some(Policy::Fifo), None));
        assert_eq!(there.apps[0].queue, "root.a.x");
        // Preemption is converted too.
        let on = CAPACITY.replacen(
            "[[nodes]]",
            "[yarn-site]\nresourcemanager.scheduler.monitor.enable = true\n[[nodes]]",
            1,
        );
        let [(_, there), _] = &worlds(&on)[..] else { panic!("two worlds") };
        assert_eq!(there.settings.yarn_site.get(FAIR_PREEMPTION).map(String::as_str), Some("true"));
        assert!(there.settings.fair_allocations.as_deref().is_some_and(|f| f.contains("PreemptionTimeout>3<")));
    }
}
