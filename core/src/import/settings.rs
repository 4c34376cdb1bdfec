//! Hadoop's settings, which go into the scenario as verbatim files, or as properties if they have another form.

use super::{Gathered, InputText, ReadOutcome, RemarkAbout, count};
use crate::api::{Properties, SchedulerChoice};
use crate::config::check::{Recognised, Report, check};
use crate::config::properties::{PREFIX, find};
use crate::config::releases::{self, Difference, Release, What};
use crate::model::names::problem_in_file;
use crate::model::{Problem, Severity};

/// Reads a scenario of Heddle's.
pub(super) fn scenario(look: &InputText<'_>, gathered: &mut Gathered) -> ReadOutcome {
    let read = crate::scenario::read(look.text);
    let Some(scenario) = read.scenario else { return ReadOutcome::not_read(read.problems) };
    let holds = format!("{}, {}", count(scenario.nodes.len(), "node"), count(scenario.apps.len(), "application"));
    gathered.scenario = Some(look.text.to_owned());
    ReadOutcome::of(holds, read.problems)
}

/// Keeps a file of Hadoop's verbatim under `file`.
fn keep(look: &InputText<'_>, file: &'static str, gathered: &mut Gathered) -> (ReadOutcome, Report) {
    let text = look.whole();
    let site = gathered.site_so_far();
    let report = check(look.name, text, &site, &gathered.node_labels());
    let mut problems = report.problems.clone();
    if let Some(hidden) = problem_in_file(file, text) {
        problems.push(hidden);
        return (ReadOutcome::not_read(problems), report);
    }
    let nothing = report.properties.is_empty() && report.recognised != Recognised::FairAllocations;
    if nothing && problems.iter().any(|p| p.severity == Severity::Error) {
        return (ReadOutcome::not_read(problems), report);
    }
    if let Some(other) = gathered.files.insert(file, text.to_owned())
        && other != text
    {
        let words = format!("Another {file} was given before: this one is used.");
        problems.push(Problem::warning(look.name, None, words).mend("Give the one that is in force."));
    }
    (ReadOutcome::of(report.summary(), problems), report)
}

pub(super) fn fair(look: &InputText<'_>, gathered: &mut Gathered) -> ReadOutcome {
    gathered.runs(SchedulerChoice::Fair, look.name);
    keep(look, "fair-scheduler.xml", gathered).0
}

/// Raises the maximum allocation that yarn-site.xml must have, if queues allow more than its default.
fn largest_of_queues(look: &InputText<'_>, gathered: &mut Gathered) {
    for (unit, default) in [("mb", 8192), ("vcores", 4)] {
        let (ending, key) =
            (format!(".maximum-allocation-{unit}"), format!("yarn.scheduler.maximum-allocation-{unit}"));
        let of_queues =
            look.configuration().entries().filter(|e| e.name.starts_with(PREFIX) && e.name.ends_with(&ending));
        let most = of_queues.filter_map(|e| e.value.as_deref()?.trim().parse::<i64>().ok()).max();
        if let Some(most) = most.filter(|most| (default + 1..=i64::from(i32::MAX)).contains(most)) {
            gathered.assumed_site.insert(key, most.to_string());
        }
    }
}

pub(super) fn capacity(look: &InputText<'_>, gathered: &mut Gathered) -> ReadOutcome {
    largest_of_queues(look, gathered);
    let (outcome, report) = keep(look, "capacity-scheduler.xml", gathered);
    labels_of(&report.properties, gathered);
    // The answer of /conf has everything in one; the properties of yarn-site.xml give the sizes of nodes and the scheduler.
    let of_site = |(key, _): &(&String, &String)| !key.starts_with(PREFIX) && find(key, &|_| false).is_some();
    let site: Properties =
        report.properties.iter().filter(of_site).map(|(key, value)| (key.clone(), value.clone())).collect();
    scheduler_of(&site, look.name, gathered);
    core(look, &report.properties, gathered);
    gathered.site.extend(site);
    outcome
}

pub(super) fn site(look: &InputText<'_>, gathered: &mut Gathered) -> ReadOutcome {
    let document = look.configuration();
    let types = |name: &str| name.starts_with("yarn.resource-types");
    let only_types = document.entries().next().is_some() && document.entries().all(|e| types(&e.name));
    let file = if only_types { "resource-types.xml" } else { "yarn-site.xml" };
    let (outcome, report) = keep(look, file, gathered);
    scheduler_of(&report.properties, look.name, gathered);
    core(look, &report.properties, gathered);
    outcome
}

/// Sets the scheduler that yarn-site.xml names.
pub(super) fn scheduler_of(properties: &Properties, source: &str, gathered: &mut Gathered) {
    let class = properties.get("yarn.resourcemanager.scheduler.class").map_or("", |c| c.trim());
    if let Some(scheduler) = SchedulerChoice::of_class(class) {
        gathered.scheduler = Some((scheduler, source.to_owned()));
    }
}

/// Reads a file of settings that are neither YARN's nor its schedulers', such as core-site.xml and SLS settings.
pub(super) fn others(look: &InputText<'_>, gathered: &mut Gathered) -> ReadOutcome {
    let entries = look.configuration().entries();
    let pairs = entries.filter_map(|entry| {
        let value = entry.value.clone()?;
        Some(super::properties::Pair { key: entry.name.clone(), value, at: entry.value_span })
    });
    super::properties::take(look, pairs.collect(), Vec::new(), gathered)
}

/// Returns whether [`others`] reads a file of settings.
pub(super) fn is_others(look: &InputText<'_>) -> bool {
    let ours = ["yarn.sls.", "net.topology.", "hadoop.proxyuser.", "hadoop.security.", "fs.defaultFS", "spark."];
    let of_yarn = |name: &str| name.starts_with("yarn.") && !name.starts_with("yarn.sls.");
    let has = |wanted: &dyn Fn(&str) -> bool| look.configuration().entries().any(|entry| wanted(&entry.name));
    look.root() == Some("configuration")
        && has(&|name| ours.iter().any(|start| name.starts_with(start)))
        && !has(&of_yarn)
}

/// Notes the source of racks and proxy users in core-site.xml. Returns whether any of its settings was found.
pub(super) fn core(look: &InputText<'_>, properties: &Properties, gathered: &mut Gathered) -> bool {
    let racks = ["net.topology.table.file.name", "net.topology.script.file.name"];
    for key in racks {
        if let Some(file) = properties.get(key).map(|f| f.trim()).filter(|f| !f.is_empty()) {
            gathered.lack(
                format!("Racks: `{file}` has them, by {key}; without it every node is in /default-rack."),
                format!("{}: give that file, or what it prints", look.name),
            );
        }
    }
    let proxies = properties.keys().filter(|key| key.starts_with("hadoop.proxyuser.")).count();
    if proxies > 0 {
        let what = "Proxy users: the user that an application is submitted for is the one that counts, as in YARN.";
        gathered.infer(what, format!("{}: hadoop.proxyuser", look.name));
    }
    properties.keys().any(|key| key.starts_with("hadoop.") || key.starts_with("fs.") || racks.contains(&key.as_str()))
}

/// Adds the labels that capacity-scheduler.xml names; their exclusivity is not known from it.
pub(super) fn labels_of(properties: &Properties, gathered: &mut Gathered) {
    let mark = ".accessible-node-labels.";
    for key in properties.keys() {
        let Some((_, rest)) = key.split_once(mark) else { continue };
        if let Some((label, _)) = rest.rsplit_once('.')
            && !label.is_empty()
            && !label.contains('.')
        {
            gathered.label(label, None);
        }
    }
}

impl Gathered {
    /// Adds the assumed properties of yarn-site.xml, unless a text sets them.
    pub(super) fn settle_site(&mut self) {
        let assumed = std::mem::take(&mut self.assumed_site);
        let known = self.site_so_far();
        for (key, value) in assumed.into_iter().filter(|(key, _)| !known.contains_key(key)) {
            let about = RemarkAbout::Property(key.clone());
            self.infer_of(about, format!("{key} is {value}: a queue allows as much."), "capacity-scheduler.xml");
            self.site.insert(key, value);
        }
    }

    /// Returns whether the release takes capacities as weights.
    pub(super) fn takes_weights(&self) -> bool {
        let told = || self.version.as_ref().and_then(|(version, _)| Release::nearest(version));
        self.release.or_else(told).is_none_or(|release| release >= Release::V3_4)
    }

    /// Returns the release whose settings and defaults are taken, and says what it changes. A vendor's build may have settings
    /// of a later release: it is taken for the first one that takes all that is written.
    pub(super) fn settle_release(&mut self) -> Option<Release> {
        let scheduler = self.scheduler.as_ref().map_or(SchedulerChoice::Capacity, |(scheduler, _)| *scheduler);
        let (capacity, site) = (self.capacity_so_far(), self.site_so_far());
        let differences = |release| releases::apply(release, scheduler, &mut capacity.clone(), &mut site.clone());
        let takes_all = |release| {
            let takes = |d: &Difference| matches!(d.what, What::Default(_) | What::Otherwise(_));
            differences(release).iter().all(takes)
        };
        let (release, source) = match (self.release, self.version.clone()) {
            (Some(release), _) => (release, "--release".to_owned()),
            (None, Some((version, text))) => {
                let own = Release::nearest(&version)?;
                let vendors =
                    version.split('.').count() > 3 || !version.bytes().all(|b| b.is_ascii_digit() || b == b'.');
                let later = || Release::ALL.iter().map(|(_, release)| *release).filter(|release| *release >= own);
                let fits = later().filter(|release| *release < Release::V3_5).find(|release| takes_all(*release));
                let taken = if vendors && own < Release::V3_5 { fits.unwrap_or(own) } else { own };
                if taken != own {
                    let (own, taken) = (own.name(), taken.name());
                    self.infer_of(
                        RemarkAbout::Release,
                        format!("Hadoop {version} is taken for {taken}: its settings have what {own} does not know."),
                        format!("{text}: hadoopVersion"),
                    );
                }
                (taken, format!("{text}: hadoopVersion {version}"))
            }
            (None, None) => {
                if !self.seen.any() && capacity.is_empty() && site.is_empty() && self.files.is_empty() {
                    return None;
                }
                self.lack_of(
                    [RemarkAbout::Release],
                    "Which release of Hadoop runs: settings, defaults and rules are those of 3.5.",
                    "/ws/v1/cluster/info says it, or --release",
                );
                return None;
            }
        };
        self.infer_of(
            RemarkAbout::Release,
            format!("Settings and defaults are those of Hadoop {}.", release.name()),
            source.clone(),
        );
        for difference in differences(release) {
            if !matches!(difference.what, What::Refused { .. }) {
                let about = RemarkAbout::Property(difference.key.clone());
                self.infer_of(about, difference.said(release).0, source.clone());
            }
        }
        for rule in releases::RULES.iter().filter(|rule| rule.of == scheduler && release < rule.since) {
            let (name, since) = (release.name(), rule.since.name());
            let what =
                format!("A rule of Hadoop {name} is not played; that of {since} is. Before {since}: {}", rule.before);
            self.lack(what, "releases of Hadoop");
        }
        Some(release)
    }

    /// The properties of capacity-scheduler.xml as far as they are known by now.
    pub(super) fn capacity_so_far(&self) -> Properties {
        let file = "capacity-scheduler.xml";
        let mut out = Properties::default();
        if let Some(text) = self.files.get(file) {
            out.extend(crate::config::xml::read(file, text).0.properties());
        }
        out.extend(self.capacity.clone());
        out
    }

    /// Returns the properties of yarn-site.xml known so far.
    pub(super) fn site_so_far(&self) -> Properties {
        let mut out = self.assumed_site.clone();
        for file in ["yarn-site.xml", "resource-types.xml"] {
            if let Some(text) = self.files.get(file) {
                let read = crate::config::xml::read(file, text).0;
                out.extend(read.properties());
            }
        }
        out.extend(self.site.clone());
        out
    }
}
