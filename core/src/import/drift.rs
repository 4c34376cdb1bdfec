//! Settings that the running scheduler has otherwise than the file: it was edited and not refreshed, or is of another cluster. The
//! cluster of this minute has those of the scheduler.

use super::seen::SeenQueue;
use super::{Gathered, RemarkAbout, count};
use crate::api::{Properties, SchedulerChoice};
use crate::config::capacity::CapacityConf;
use crate::config::capacity::targets::checked_rules;
use crate::config::fair::{self, Policy};
use crate::config::properties::PREFIX;
use std::collections::BTreeSet;

/// The number of differences listed; the rest are counted.
const TOLD: usize = 6;

/// The settings that are compared, with their defaults; `None`: compared only if the file sets it.
const COMPARED: [(&str, Option<&str>); 8] = [
    ("capacity", None),
    ("maximum-capacity", Some("100")),
    ("state", Some("RUNNING")),
    ("minimum-user-limit-percent", Some("100")),
    ("user-limit-factor", Some("1")),
    ("maximum-am-resource-percent", Some("0.1")),
    ("maximum-applications", None),
    ("ordering-policy", None),
];

/// Settings that an answer leaves out at their default.
const UNSAID: [(&str, &str); 2] = [("maximum-capacity", "100"), ("state", "RUNNING")];

/// A setting that differs.
struct Drift {
    /// The queue and its setting.
    setting: String,
    running: String,
    file: String,
}

/// Compares the queues of `/scheduler` with the file that is given with it. Settings of the CapacityScheduler are taken from the
/// answer; an allocation file stays as it is.
pub(super) fn settle(g: &mut Gathered) {
    let Some(root) = g.seen.queues.clone() else { return };
    let before = (g.capacity.clone(), g.capacity_so_far());
    let found = match g.scheduler.as_ref().map(|(scheduler, _)| *scheduler) {
        Some(SchedulerChoice::Capacity) if g.has_capacity_queues() => of_capacity(g, &root),
        Some(SchedulerChoice::Fair) => of_fair(g, &root),
        Some(SchedulerChoice::Capacity | SchedulerChoice::Fifo) | None => return,
    };
    if !found.is_empty() && is_of_another_cluster(g, &before.1) {
        g.capacity = before.0;
        g.files.shift_remove("capacity-scheduler.xml");
        let what = "capacity-scheduler.xml is left out: it has other queues than the running scheduler, and its other settings do not go with those. It is of another cluster, or much older.";
        g.infer(what, g.seen.source("queues").to_owned());
        return;
    }
    let fair = g.files.contains_key("fair-scheduler.xml")
        && g.scheduler.as_ref().is_some_and(|(s, _)| *s == SchedulerChoice::Fair);
    let (name, end) = if fair {
        ("fair-scheduler.xml", "The file is taken, which may change shares and who goes first.")
    } else {
        ("capacity-scheduler.xml", "The running one is taken.")
    };
    let source = format!("{} (/scheduler) and {name}", g.seen.source("queues"));
    let all = found.len();
    for Drift { setting, running, file } in found.into_iter().take(TOLD) {
        let what = format!(
            "{setting} is {running} in the running scheduler and {file} in {name}: it was edited and not refreshed, or is of another cluster. {end}"
        );
        let about = RemarkAbout::Property(setting);
        match fair {
            true => g.lack_of([about], what, source.clone()),
            false => g.infer_of(about, what, source.clone()),
        }
    }
    if all > TOLD {
        let more = count(all - TOLD, "more setting");
        let what = format!("{more} of queues differ between the running scheduler and {name}. {end}");
        if fair { g.lack(what, source) } else { g.infer(what, source) }
    }
}

/// Returns whether a file of queues that is sound is refused with the settings that run.
fn is_of_another_cluster(g: &Gathered, file: &Properties) -> bool {
    let (site, labels) = (g.site_so_far(), g.node_labels());
    let is_sound = |settings: &Properties| {
        CapacityConf::read(settings, &site, &labels).is_ok_and(|conf| checked_rules(&conf.mapping, &conf).is_ok())
    };
    g.files.contains_key("capacity-scheduler.xml") && is_sound(file) && !is_sound(&g.capacity_so_far())
}

/// Returns whether two values of a setting differ for certain: two numbers, two weights or two words.
fn differs(file: &str, running: &str) -> bool {
    let number = |text: &str| text.trim().parse::<f32>().ok();
    let weight = |text: &str| number(text.trim().strip_suffix('w')?);
    let of = |read: &dyn Fn(&str) -> Option<f32>| Some((read(file)?, read(running)?));
    if let Some((a, b)) = of(&number).or_else(|| of(&weight)) {
        return (a - b).abs() > 1e-4 * a.abs().max(1.0);
    }
    let word = |text: &str| text.trim().chars().all(|c| c.is_ascii_alphabetic() || c == '-');
    word(file) && word(running) && !file.trim().eq_ignore_ascii_case(running.trim())
}

fn of_capacity(g: &mut Gathered, root: &SeenQueue) -> Vec<Drift> {
    let before = g.capacity_so_far();
    let mut found = Vec::new();
    let mut todo = vec![root];
    while let Some(queue) = todo.pop() {
        children(queue, &before, &mut found, &mut g.capacity);
        let stopped = queue.properties.iter().any(|(key, _)| key == "state");
        let own = format!("{PREFIX}{}.", queue.path);
        for (key, default) in COMPARED.iter().filter(|_| queue.path != "root") {
            let said = queue.properties.iter().find(|(name, _)| name == key).map(|(_, value)| value.as_str());
            let unsaid = || UNSAID.iter().find(|(name, _)| name == key).map(|(_, value)| *value);
            let Some(running) = said.or_else(unsaid) else { continue };
            // The limit for all queues is divided among them, so it is not the queue's own.
            let of_all = (*key != "maximum-applications").then(|| before.get(&format!("{PREFIX}{key}"))).flatten();
            let file = before.get(&format!("{own}{key}")).or(of_all).map(String::as_str).or(*default);
            let Some(file) = file.filter(|file| differs(file, running)) else { continue };
            let setting = format!("{}.{key}", queue.path);
            found.push(Drift { setting, running: running.to_owned(), file: file.to_owned() });
            g.capacity.insert(format!("{own}{key}"), running.to_owned());
        }
        // The state of a queue below a stopped one is not its own.
        todo.extend(
            queue.children.iter().rev().filter(|child| !child.dynamic && !stopped && is_listed(child, &before)),
        );
    }
    found
}

/// Returns whether a queue is in the file: another one is new with all its settings.
fn is_listed(queue: &SeenQueue, file: &Properties) -> bool {
    queue.path.rsplit_once('.').is_some_and(|(parent, name)| listed(parent, file).contains(name))
}

fn listed<'p>(parent: &str, file: &'p Properties) -> BTreeSet<&'p str> {
    let names = file.get(&format!("{PREFIX}{parent}.queues")).map_or("", String::as_str);
    names.split(',').map(str::trim).filter(|name| !name.is_empty()).collect()
}

/// Takes over the children that a queue has in the answer.
fn children(queue: &SeenQueue, file: &Properties, found: &mut Vec<Drift>, set: &mut Properties) {
    let own = format!("{PREFIX}{}.", queue.path);
    // Some releases do not say which queues were created by themselves.
    let creates = ["auto-create-child-queue.enabled", "auto-queue-creation-v2.enabled"];
    let creates = creates.iter().any(|key| file.get(&format!("{own}{key}")).is_some_and(|v| v.trim() == "true"));
    let running: Vec<&SeenQueue> = queue.children.iter().filter(|child| !child.dynamic).collect();
    let name = |queue: &SeenQueue| queue.path.rsplit('.').next().unwrap_or_default().to_owned();
    let names: Vec<String> = running.iter().map(|child| name(child)).collect();
    let in_file = listed(&queue.path, file);
    let same = in_file.len() == names.len() && names.iter().all(|name| in_file.contains(name.as_str()));
    if same || creates || (names.is_empty() && in_file.is_empty()) {
        return;
    }
    let shown = |names: Vec<&str>| if names.is_empty() { "nothing".to_owned() } else { names.join(",") };
    found.push(Drift {
        setting: format!("{}.queues", queue.path),
        running: shown(names.iter().map(String::as_str).collect()),
        file: shown(in_file.iter().copied().collect()),
    });
    set.insert(format!("{own}queues"), names.join(","));
    for child in running.into_iter().filter(|child| !in_file.contains(name(child).as_str())) {
        super::queues::write(child, true, set);
    }
}

fn of_fair(g: &Gathered, root: &SeenQueue) -> Vec<Drift> {
    let name = "fair-scheduler.xml";
    let Some(text) = g.files.get(name) else { return Vec::new() };
    // Amounts of other types are not compared.
    let Ok((file, _)) = fair::read(name, text, &Default::default(), true) else { return Vec::new() };
    let mut found = Vec::new();
    let mut running = BTreeSet::new();
    let mut todo = vec![root];
    while let Some(queue) = todo.pop() {
        running.insert(queue.path.as_str());
        todo.extend(queue.children.iter().rev());
        let Some(own) = file.queues.get(&queue.path) else { continue };
        let said = |key: &str| queue.properties.iter().find(|(name, _)| name == key).map(|(_, value)| value.as_str());
        let mut differ = |key: &str, running: String, file: String| {
            if running != file {
                found.push(Drift { setting: format!("{key} of {}", queue.path), running, file });
            }
        };
        if let Some(policy) = said("schedulingPolicy").and_then(Policy::read) {
            differ("schedulingPolicy", policy.text().to_owned(), file.policy(&queue.path).text().to_owned());
        }
        let minimum = own.minimum.unwrap_or_default();
        let written = format!("{} mb, {} vcores", minimum.memory_mb(), minimum.vcores());
        differ("minResources", said("minResources").unwrap_or("0 mb, 0 vcores").to_owned(), written);
        if let Some(most) = own.max_apps {
            let most = if most == i32::MAX { None } else { Some(most.to_string()) };
            let shown = |most: Option<String>| most.unwrap_or_else(|| "unlimited".to_owned());
            differ("maxRunningApps", shown(said("maxRunningApps").map(str::to_owned)), shown(most));
        }
    }
    for path in file.queues.keys().filter(|path| !running.contains(path.as_str())) {
        found.push(Drift { setting: format!("queue {path}"), running: "missing".into(), file: "there".into() });
    }
    found
}

#[cfg(test)]
mod tests {
    use super::super::{Given, Import, import};

    const FILE: &str = "<configuration>
        <property><name>yarn.scheduler.capacity.root.queues</name><value>a,b</value></property>
        <property><name>yarn.scheduler.capacity.root.a.capacity</name><value>30</value></property>
        <property><name>yarn.scheduler.capacity.root.a.user-limit-factor</name><value>2</value></property>
        <property><name>yarn.scheduler.capacity.root.b.capacity</name><value>70</value></property></configuration>";

    fn queue(name: &str, capacity: f64, more: &str) -> String {
        format!(
            r#"{{"queueName": "{name}", "queuePath": "root.{name}", "capacity": {capacity}, "maxCapacity": 100.0, "state": "RUNNING"{more}}}"#
        )
    }

    fn with_answer(queues: &[String]) -> String {
        format!(
            r#"{{"scheduler": {{"schedulerInfo": {{"type": "capacityScheduler", "queueName": "root", "queues": {{"queue": [{}]}}}}}}}}"#,
            queues.join(",")
        )
    }

    fn with(queues: &[String]) -> Import {
        let answer = with_answer(queues);
        import(&[Given { name: "c.xml", text: FILE }, Given { name: "s.json", text: &answer }])
    }

    fn settings(found: &Import) -> crate::api::Properties {
        let text = found.scenario.as_deref().unwrap_or_default();
        crate::scenario::read(text).scenario.expect("it can be read").settings.capacity_scheduler
    }

    fn drifts(found: &Import) -> Vec<&str> {
        found.inferred.iter().map(|r| r.what.as_str()).filter(|what| what.contains("running scheduler")).collect()
    }

    #[test]
    fn the_same_settings_are_no_drift() {
        let a = queue("a", 30.0, r#", "userLimitFactor": 2.0, "userLimit": 100, "maxApplications": 3000"#);
        let found = with(&[a, queue("b", 70.000_001, "")]);
        assert_eq!(drifts(&found), Vec::<&str>::new());
    }

    #[test]
    fn what_runs_is_taken_and_the_difference_is_told() {
        let a = queue("a", 40.0, r#", "userLimitFactor": 1.0"#);
        let found = with(&[a, queue("b", 60.0, "").replace("RUNNING", "STOPPED")]);
        let begins = [
            "root.a.capacity is 40 in the running scheduler and 30 in",
            "root.a.user-limit-factor is 1 ",
            "root.b.capacity is 60 ",
            "root.b.state is STOPPED in the running scheduler and RUNNING",
        ];
        let drifts = drifts(&found);
        assert_eq!(drifts.len(), begins.len(), "{drifts:?}");
        drifts.iter().zip(begins).for_each(|(what, begin)| assert!(what.starts_with(begin), "{what}"));
        let settings = settings(&found);
        let of = |key: &str| settings.get(&format!("yarn.scheduler.capacity.root.{key}")).map(String::as_str);
        assert_eq!([of("a.capacity"), of("b.capacity"), of("b.state")], [Some("40"), Some("60"), Some("STOPPED")]);
    }

    #[test]
    fn queues_that_run_take_the_place_of_those_in_the_file() {
        let found = with(&[queue("a", 30.0, r#", "userLimitFactor": 2.0"#), queue("c", 70.0, "")]);
        let drifts = drifts(&found);
        assert!(
            matches!(drifts.as_slice(), [one] if one.starts_with("root.queues is a,c in the running scheduler and a,b in")),
            "{drifts:?}"
        );
        let settings = settings(&found);
        assert_eq!(settings.get("yarn.scheduler.capacity.root.c.capacity").map(String::as_str), Some("70"));
    }

    #[test]
    fn a_file_that_does_not_go_with_the_queues_is_left_out() {
        let mapping = "<property><name>yarn.scheduler.capacity.queue-mappings</name><value>u:bob:b</value></property></configuration>";
        let file = FILE.replace("</configuration>", mapping);
        let answer = with_answer(&[queue("a", 30.0, ""), queue("c", 70.0, "")]);
        let found = import(&[Given { name: "c.xml", text: &file }, Given { name: "s.json", text: &answer }]);
        assert!(found.inferred.iter().any(|r| r.what.contains("is left out: it has other queues")), "{found:?}");
        assert!(settings(&found).keys().all(|key| !key.contains("queue-mappings") && !key.contains("root.b.")));
    }

    #[test]
    fn an_allocation_file_that_is_not_in_force_is_told() {
        let file = "<allocations><queue name=\"a\"><minResources>1024 mb, 1 vcores</minResources><schedulingPolicy>fifo</schedulingPolicy></queue><queue name=\"b\"/></allocations>";
        let queue = |policy: &str| {
            format!(
                r#"{{"scheduler": {{"schedulerInfo": {{"type": "fairScheduler", "rootQueue": {{"queueName": "root", "schedulingPolicy": "fair", "childQueues": {{"queue": [
                    {{"queueName": "root.a", "schedulingPolicy": "{policy}", "minResources": {{"memory": 1024, "vCores": 1}}, "maxApps": 2147483647}}]}}}}}}}}}}"#
            )
        };
        for (policy, lacks) in [
            ("fair", ["schedulingPolicy of root.a is fair", "queue root.b is missing"].as_slice()),
            ("fifo", &["queue root.b is missing"]),
        ] {
            let found = import(&[Given { name: "f.xml", text: file }, Given { name: "s.json", text: &queue(policy) }]);
            let told: Vec<&str> = found
                .unknown
                .iter()
                .map(|r| r.what.as_str())
                .filter(|what| what.contains("running scheduler"))
                .collect();
            assert_eq!(told.len(), lacks.len(), "{told:?}");
            told.iter().zip(lacks).for_each(|(what, lack)| assert!(what.starts_with(lack), "{what}"));
        }
    }
}
