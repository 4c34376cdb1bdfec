//! The import report: what a configuration file contains, what is odd about it, and what the ResourceManager would
//! refuse (product.md; formats.md 1.2, 2.2, 2.3; capacity-scheduler.md 2.3).

mod fair;
mod kinds;
mod mends;
mod missing;
mod monitors;
mod names;
mod odd;
mod refused;
mod structure;

pub use kinds::{Recognised, recognise};
pub use mends::mend;

use super::capacity::PREFIX;
use super::properties::{self, PropertyType, Support};
use super::values::{Conf, MANAGER_USER, trim};
use super::xml::{self, Effective, Origin};
use crate::api::{NodeLabel, Properties};
use crate::model::names::problem_in_file;
use crate::model::{CappedProblems, Lines, Problem, Severity, Span};
use indexmap::IndexMap;

/// Numbers that are read only where they are needed, and when that is (CapacitySchedulerConfiguration).
const LATE: [(&str, &str); 4] = [
    ("user.max-parallel-apps", "when an attempt of a user without a limit of its own is added"),
    ("user.<u>.max-parallel-apps", "when an attempt of that user is added"),
    ("auto-create-child-queue.max-queues", "when a queue is to be made"),
    ("auto-queue-creation-v2.max-queues", "when a queue is to be made"),
];

/// The beginning of a refusal.
const REFUSED: &str = "The ResourceManager refuses this file";

/// The maximum number of unknown keys for which a similar known key is searched.
const LOOKED: usize = 300;

/// Counts of a file's contents.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct Counts {
    /// Queues besides root.
    pub queues: usize,
    pub leaves: usize,
    /// Labels that occur anywhere.
    pub labels: usize,
    /// Placement rules of an allocation file.
    pub rules: usize,
    /// Limits in an allocation file, of queues, users and ApplicationMasters.
    pub limits: usize,
    /// Properties, or elements of an allocation file that set something.
    pub properties: usize,
    /// Properties that affect a decision.
    pub modelled: usize,
    /// Properties that are kept and written back.
    pub kept: usize,
    /// The kept properties that are unknown.
    pub unknown: usize,
    /// Problems that are errors or warnings.
    pub problems: usize,
}

/// The report about a file.
#[derive(Clone, Debug, PartialEq)]
pub struct Report {
    pub recognised: Recognised,
    /// All findings, by position in the file.
    pub problems: Vec<Problem>,
    /// Hadoop's own message if the ResourceManager would refuse the file: the first refusal.
    pub refusal: Option<String>,
    /// Whether the file switches asynchronous scheduling on or off. `None`: the release decides (3.5: on), so ask.
    pub asynchronous: Option<bool>,
    /// The counts.
    pub counts: Counts,
    /// Effective properties, with variables replaced if possible.
    pub properties: Properties,
    /// The effective properties that are kept and written back, but affect nothing here.
    pub kept: Properties,
    /// The position of each effective property.
    pub places: IndexMap<String, Origin>,
    /// The cause of the refusal, in plain words.
    plain: Option<Problem>,
    /// The position at which the refusal is reported.
    refused_at: Option<Span>,
}

impl Report {
    /// The problems of a property, at its name or its value.
    pub fn of<'r>(&'r self, key: &str) -> impl Iterator<Item = &'r Problem> + use<'r> {
        let place = self.places.get(key).map(|o| (o.name_span, o.value_span));
        self.problems.iter().filter(move |p| {
            let at = |of: Span| p.span.is_some_and(|s| of.start <= s.start && s.end <= of.end);
            place.is_some_and(|(name, value)| at(name) || at(value))
        })
    }

    /// The cause of the refusal in plain words: the problem at the place that causes it.
    pub fn plainly(&self) -> Option<&Problem> {
        self.plain.as_ref()
    }

    /// The property at a position, by its name or its value.
    pub fn key_at(&self, at: Span) -> Option<&str> {
        let (key, _) = self.places.iter().find(|(_, o)| o.span.start <= at.start && at.end <= o.span.end)?;
        Some(key)
    }

    /// The property for which the file is refused, if it is one.
    pub fn refused_key(&self) -> Option<&str> {
        self.key_at(self.refused_at?)
    }

    /// `41 queues, 3 labels, 212 properties: 188 modelled, 19 kept but not modelled, 5 problems`.
    pub fn summary(&self) -> String {
        let many = |n: usize, one: &str, more: &str| format!("{n} {}", if n == 1 { one } else { more });
        let c = &self.counts;
        // Applications go to leaves.
        let leaves =
            if c.leaves < c.queues { format!(" ({})", many(c.leaves, "leaf", "leaves")) } else { String::new() };
        let queues = format!("{}{leaves}", many(c.queues, "queue", "queues"));
        let settings = match self.recognised {
            Recognised::FairAllocations => format!(
                "{queues}, {}, {}, {}",
                many(c.rules, "placement rule", "placement rules"),
                many(c.limits, "limit", "limits"),
                many(c.properties, "setting", "settings")
            ),
            Recognised::CapacityScheduler => format!(
                "{queues}, {}, {}",
                many(c.labels, "label", "labels"),
                many(c.properties, "property", "properties")
            ),
            Recognised::Site => many(c.properties, "property", "properties"),
            _ => return "Nothing that is read here.".into(),
        };
        let problems = many(c.problems, "problem", "problems");
        format!("{settings}: {} modelled, {} kept but not modelled, {problems}", c.modelled, c.kept)
    }
}

/// YARN's message as a sentence.
fn sentence(words: &str) -> String {
    let words = words.trim_end();
    if words.ends_with(['.', '!', '?']) { words.into() } else { format!("{words}.") }
}

/// Checks a file. `yarn_site`: the effective properties below it; `labels`: the cluster's.
pub fn check(source: &str, text: &str, yarn_site: &Properties, labels: &[NodeLabel]) -> Report {
    let (document, mut problems) = xml::read(source, text);
    let recognised = recognise(&document, text);
    if recognised == Recognised::FairAllocations {
        // Its root and its elements are right as they are.
        problems.retain(|p| p.severity == Severity::Error);
    }
    problems.extend(problem_in_file(source, text));
    let effective = match recognised {
        Recognised::CapacityScheduler | Recognised::Site => xml::effective(&[&document], &|_| None),
        _ => Effective::default(),
    };
    let conf = Conf::layered(yarn_site, &effective.values);
    let (kept, causes) = (Vec::new(), Vec::new());
    let mut file = File { source, text, effective: &effective, conf: &conf, problems, kept, causes };
    let mut counts = Counts { properties: effective.values.len(), ..Counts::default() };
    let (mut refusal, mut plain, mut refused_at) = (None, None, None);
    match recognised {
        Recognised::CapacityScheduler | Recognised::Site => {
            file.doubles();
            file.values(&mut counts);
            counts.kept = file.kept.len();
            monitors::check(&mut file);
        }
        Recognised::FairAllocations => refusal = fair::check(&mut file, yarn_site, &mut counts),
        _ => kinds::other(&mut file, &recognised, &document),
    }
    if recognised == Recognised::CapacityScheduler {
        let found = refused::find(&effective.values, yarn_site, labels);
        let top = Span::new(document.content.start, document.content.start);
        structure::check(&mut file, labels, found.as_ref(), top, &mut counts);
        if let Some(found) = &found {
            (plain, refused_at) = refused::tell(&mut file, found, yarn_site, labels);
        }
        refusal = found.map(|found| found.message);
    }
    kinds::template(&mut file, &recognised);
    let (mut problems, kept) = (file.problems, file.kept);
    let place = |p: &Problem| (!missing::is(p), p.span.map_or(usize::MAX, |s| s.start));
    crate::model::order::sort_by_key(&mut problems, place);
    problems.dedup();
    counts.problems = problems.iter().filter(|p| p.severity > Severity::Note).count();
    let mut few = CappedProblems::default();
    few.extend(problems);
    let problems = few.into_list(source);
    let asynchronous = conf
        .raw(&format!("{PREFIX}schedule-asynchronously.enable"))
        .and_then(|v| super::values::parse_boolean(trim(v)));
    let replaced = |key: &String, raw: &String| conf.text(key).ok().flatten().unwrap_or_else(|| raw.clone());
    let properties: Properties = effective.values.iter().map(|(k, v)| (k.clone(), replaced(k, v))).collect();
    let kept = kept.into_iter().filter_map(|k| properties.get(&k).cloned().map(|v| (k, v))).collect();
    let places = effective.origins;
    Report { recognised, problems, refusal, asynchronous, counts, properties, kept, places, plain, refused_at }
}

/// A file during the check.
struct File<'a> {
    source: &'a str,
    text: &'a str,
    effective: &'a Effective,
    conf: &'a Conf,
    problems: Vec<Problem>,
    /// Keys of properties that affect nothing.
    kept: Vec<String>,
    /// Possible causes of a refusal, with their positions.
    causes: Vec<refused::Cause>,
}

impl File<'_> {
    fn value_span(&self, key: &str) -> Option<Span> {
        self.effective.origins.get(key).map(|o| o.value_span)
    }

    /// Reports keys that are given more than once, and values that came too late.
    fn doubles(&mut self) {
        let (mut lines, mut found) = (Lines::of(self.text), Vec::new());
        for (key, lost, won) in &self.effective.replaced {
            let what =
                format!("{key} is given again in line {}; that value wins over this one.", lines.place(won.span).0);
            found.push(Problem::warning(self.source, lost.value_span, what).mend("Take one of the two out."));
        }
        for (key, late) in &self.effective.refused {
            let what = format!("{key} is final before: this value is ignored.");
            found
                .push(Problem::warning(self.source, late.value_span, what).mend("Take it out, or the <final> before."));
        }
        self.problems.extend(found);
    }

    /// Checks each value by itself, and reports unknown keys.
    fn values(&mut self, counts: &mut Counts) {
        let paths = structure::listed_paths(self.conf);
        let known: Vec<&str> = paths.iter().map(String::as_str).collect();
        let is_queue = |path: &str| paths.contains(path);
        let mut looked = 0;
        for (key, raw) in &self.effective.values {
            let span = self.value_span(key);
            let name_span = self.effective.origins.get(key).map(|o| o.name_span);
            let value = match self.conf.text(key) {
                Ok(value) => value.unwrap_or_default(),
                Err(why) => {
                    self.problems.push(Problem::error(self.source, span, format!("{}.", why.message)));
                    raw.clone()
                }
            };
            let not_modelled = missing::of(key, &value);
            let Some(found) = properties::find(key, &is_queue) else {
                counts.unknown += 1;
                self.kept.push(key.clone());
                if let Some(what) = not_modelled {
                    missing::tell(self, span, what);
                    continue;
                }
                if let Some((what, instead)) = names::became(key, &is_queue) {
                    let problem = Problem::warning(self.source, name_span, what);
                    self.problems.push(match instead {
                        Some(instead) => problem.mend(format!("Write {instead} instead.")).fix(instead),
                        None => problem.mend("Take it out."),
                    });
                    continue;
                }
                looked += 1;
                let near = if looked <= LOOKED { properties::nearest(key, &known) } else { None };
                match near {
                    Some(near) => {
                        let what = format!("{key} is not known; did you mean {near}?");
                        self.problems
                            .push(Problem::warning(self.source, name_span, what).mend("Correct the name.").fix(near));
                    }
                    None if key.starts_with(PREFIX) => {
                        let what =
                            format!("{key} is not known here: it is kept and written back, but decides nothing.");
                        self.problems.push(Problem::note(self.source, name_span, what));
                    }
                    None => {}
                }
                continue;
            };
            let class = || {
                let known = if let PropertyType::Class(known) = found.property.kind { known } else { return None };
                let what = properties::unknown_class(known, trim(&value))?;
                Some(format!("{}{what} ({key})", missing::START))
            };
            let not_modelled = not_modelled.or_else(class);
            match found.property.support {
                Support::Modelled if not_modelled.is_none() => counts.modelled += 1,
                _ => self.kept.push(key.clone()),
            }
            if let Some(what) = not_modelled {
                missing::tell(self, span, what);
                continue;
            }
            if raw.contains("${user.name}") && !value.contains("${user.name}") {
                let what = format!(
                    "{key}: for ${{user.name}} Hadoop puts in the user that the ResourceManager runs as; here {MANAGER_USER}."
                );
                self.problems.push(Problem::note(self.source, span, what));
            }
            if value.contains("${") {
                let what = format!("{key} holds a variable that has no value here: `{}`.", trim(&value));
                self.problems.push(Problem::warning(self.source, span, what).mend("Write the value instead."));
                continue;
            }
            let Some(meaning) = found.meaning() else {
                let name = found.variable.unwrap_or_default();
                let near = properties::nearest(&format!("{PREFIX}root.{name}"), &["root"]);
                let near = near.as_deref().and_then(|near| near.strip_prefix(PREFIX)?.strip_prefix("root."));
                let mut what =
                    format!("{key}: {name} is not a property of a queue; the queues that are made have nothing of it.");
                if let Some(near) = near {
                    what.push_str(&format!(" Did you mean {near}?"));
                }
                let mut problem = Problem::warning(self.source, name_span, what).mend("Correct the name.");
                problem.fix = near.and_then(|near| Some(format!("{}{near}", key.strip_suffix(&name)?)));
                self.problems.push(problem);
                continue;
            };
            if let Err(bad) = properties::check(meaning, &value) {
                let what = format!("{key}: {}", bad.what);
                // A template's values are read when a queue is created from it.
                let late = LATE.iter().find(|(name, _)| *name == meaning.name).filter(|_| bad.refused);
                let what = match late {
                    Some((_, when)) => format!(
                        "{} YARN loads the file all the same; {when} the scheduler throws NumberFormatException, and the ResourceManager ends.",
                        what.replace(properties::NO_START, ".")
                    ),
                    None => what,
                };
                let problem = if bad.refused && late.is_none() && meaning.name == found.property.name {
                    Problem::error(self.source, span, what)
                } else {
                    Problem::warning(self.source, span, what)
                };
                let mut problem = problem.mend(bad.mend);
                problem.fix = bad.fix;
                self.problems.push(problem);
            } else {
                self.problems.extend(odd::of(self.source, span, key, meaning, &value));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sample(name: &str) -> Report {
        let path = format!("{}/../tests/samples/{name}", env!("CARGO_MANIFEST_DIR"));
        let text = std::fs::read_to_string(path).unwrap();
        check(name, &text, &Properties::new(), &[])
    }

    fn whats(report: &Report) -> String {
        report.problems.iter().map(|p| format!("{} {}\n", p.what, p.mend)).collect()
    }

    #[test]
    fn good_files_have_no_problems() {
        for (name, leaves, queues) in [
            ("capacity-scheduler.small.xml", 2, 2),
            ("capacity-scheduler.medium-labels.xml", 9, 12),
            ("capacity-scheduler.large-40.xml", 40, 48),
            ("capacity-scheduler.absolute.xml", 3, 4),
            ("capacity-scheduler.weight-3.4.xml", 2, 2),
        ] {
            let report = sample(name);
            assert_eq!((report.counts.leaves, report.counts.queues), (leaves, queues), "{name}");
            assert_eq!(report.counts.problems, 0, "{name}: {}", whats(&report));
            assert_eq!(report.refusal, None, "{name}");
            assert_eq!(report.counts.modelled + report.counts.kept, report.counts.properties, "{name}");
            assert_eq!(report.counts.kept, report.kept.len(), "{name}: {:?}", report.kept);
        }
    }

    #[test]
    fn quirks_are_named() {
        let report = sample("capacity-scheduler.quirks.xml");
        let refused = report.problems.iter().find(|p| p.what.contains("refuses this file")).expect("the refusal");
        assert!(refused.mend.contains("minimum-user-limit-percent") && refused.span.is_some(), "{refused:?}");
        // Since 3.4 a weight counts for every user name; older releases ignored this one.
        assert!(report.refusal.as_deref().is_some_and(|r| r.starts_with("Weight (3.0) for user \"svc-etl\"")));
        let whats = whats(&report);
        for part in [
            "is empty: Hadoop ignores",
            "`yes` is neither true nor false",
            "root.c is not listed",
            "without a name",
            "is given again in line",
            "is final before",
        ] {
            assert!(whats.contains(part), "{part} in:\n{whats}");
        }
        let p = |key: &str| report.properties[&format!("{PREFIX}{key}")].trim().to_string();
        assert_eq!(p("root.a.capacity"), "60");
        assert_eq!(p("root.b.capacity"), "40");
        assert_eq!(p("maximum-am-resource-percent"), "0.3");
        assert_eq!(p("root.a.maximum-applications"), "250");
        assert_eq!(p("root.a.user-limit-factor"), "1.5");
    }

    #[test]
    fn broken_files_say_what_and_where() {
        let at = |name: &str, part: &str| {
            let report = sample(name);
            let path = format!("{}/../tests/samples/{name}", env!("CARGO_MANIFEST_DIR"));
            let text = std::fs::read_to_string(path).unwrap();
            let problem = report.problems.iter().find(|p| p.what.contains(part));
            let problem = problem.unwrap_or_else(|| panic!("{name}: {part} in:\n{}", whats(&report)));
            problem.span.map(|s| s.line_col(&text))
        };
        assert_eq!(at("capacity-scheduler.syntax.bad.xml", "must be terminated by"), Some((9, 15)));
        assert_eq!(at("capacity-scheduler.entity-bomb.bad.xml", "DOCTYPE"), Some((2, 1)));
        at("capacity-scheduler.include.bad.xml", "never fetched");
        at("capacity-scheduler.sum.bad.xml", "children of root sum to 90 %, 100 needed");
        at("capacity-scheduler.sum.bad.xml", "Illegal capacity sum of 0.90");
        at("capacity-scheduler.sum.bad.xml", "capacity 10 % is above its maximum 5 %");
        at("capacity-scheduler.label.bad.xml", "may not use the label gpu");
        let whats = whats(&sample("capacity-scheduler.values.bad.xml"));
        for part in [
            "`40%`",
            "110",
            "`PAUSED` is none of",
            "Illegal queue mapping u:u01",
            "unknown mapping prefix x",
            "`forty`",
            "vcores in `[memory=10240, vcores=4]` has a blank before it",
        ] {
            assert!(whats.contains(part), "{part} in:\n{whats}");
        }
    }

    #[test]
    fn a_mapping_to_a_queue_that_is_not_there_is_refused() {
        let entry = |name: &str, value: &str| {
            format!("<property><name>{PREFIX}{name}</name><value>{value}</value></property>\n")
        };
        let rules = entry("queue-mappings", "u:bob:root.default,u:%user:root.users.%user");
        let text = format!(
            "<configuration>\n{}{}{rules}</configuration>",
            entry("root.queues", "default"),
            entry("root.default.capacity", "100"),
        );
        let report = check("x", &text, &Properties::new(), &[]);
        assert_eq!(report.refusal.as_deref(), Some("No eligible parent found on path 'root.users.%user'."));
        let named = report.problems.iter().find(|p| p.what.contains("queue-mappings")).expect("the property is named");
        assert_eq!(named.span.map(|s| s.line_col(&text).0), Some(4));
    }

    #[test]
    fn a_label_of_the_root_has_to_be_shared_out() {
        let entry = |name: &str, value: &str| {
            format!("<property><name>{PREFIX}{name}</name><value>{value}</value></property>\n")
        };
        let text = format!(
            "<configuration>\n{}{}{}</configuration>",
            entry("root.queues", "default"),
            entry("root.default.capacity", "100"),
            entry("root.accessible-node-labels.gpu.capacity", "-1"),
        );
        let report = check("x", &text, &Properties::new(), &[]);
        let found = report.problems.iter().find(|p| p.what.contains("but none of its children has"));
        let found = found.unwrap_or_else(|| panic!("{}", whats(&report)));
        assert_eq!(found.mend, "Set root.default.accessible-node-labels.gpu.capacity to 100.");
        assert_eq!(found.span.map(|s| s.line_col(&text).0), Some(4));
        assert!(report.plainly().is_some_and(|p| found.what.starts_with(&p.what)), "{:?}", report.plainly());
        assert!(whats(&report).contains("Illegal capacity sum of 0.0 for children of queue root for label=gpu"));
    }

    #[test]
    fn a_refusal_is_told_once_with_its_place_and_its_mend() {
        let report = |lines: &[(&str, &str)]| {
            let entry =
                |(k, v): &(&str, &str)| format!("<property><name>{PREFIX}{k}</name><value>{v}</value></property>\n");
            let text = format!("<configuration>\n{}</configuration>", lines.iter().map(entry).collect::<String>());
            let report = check("x", &text, &Properties::new(), &[]);
            let errors = report.problems.iter().filter(|p| p.severity == Severity::Error);
            let line = |p: &Problem| p.span.map_or(0, |s| s.line_col(&text).0);
            errors.map(|p| (line(p), format!("{} {}", p.what, p.mend))).collect::<Vec<_>>()
        };
        let two = [("root.queues", "a,b"), ("root.a.capacity", "40")];
        let renamed = report(&[&two[..], &[("root.bb.capacity", "60")]].concat());
        assert!(renamed.len() == 1 && renamed[0].0 == 3, "{renamed:?}");
        assert!(
            renamed[0].1.contains("root.b has none, which counts as 0. The ResourceManager refuses this file: Illegal")
        );
        assert!(renamed[0].1.contains("root.bb has a capacity and is not in the list root.queues"), "{renamed:?}");
        let fifo = [("root.queues", "a"), ("root.a.capacity", "100"), ("root.ordering-policy", "fifo")];
        let ordered = report(&fifo);
        assert!(ordered.len() == 1 && ordered[0].0 == 4, "{ordered:?}");
        assert!(
            ordered[0].1.contains("Unable to construct queue ordering policy=fifo queue=root. Write"),
            "{ordered:?}"
        );
        let halves = [("root.a.capacity", "50"), ("root.b.capacity", "50")];
        for (lists, line, parts) in [
            (
                vec![("root.queues", "a,b,a")],
                2,
                ["The list root.queues names a twice. The ResourceManager", "Name it once."],
            ),
            (
                vec![
                    ("root.queues", "a,b"),
                    ("root.a.queues", "x"),
                    ("root.a.x.capacity", "100"),
                    ("queue-mappings", "u:u:a"),
                ],
                5,
                ["Target queue 'a' but it's not a leaf queue.", "Name a leaf: one of the queues below that one."],
            ),
            (
                vec![("root.queues", "a,b,c"), ("root.c.capacity", "2w")],
                4,
                [
                    "different kinds of capacity: percent, weight. The ResourceManager refuses",
                    "Use one kind for all of them",
                ],
            ),
        ] {
            let told = report(&[&lists[..], &halves[..]].concat());
            assert!(told.len() == 1 && told[0].0 == line, "{lists:?}: {told:?}");
            assert!(parts.iter().all(|part| told[0].1.contains(part)), "{told:?}");
        }
    }

    #[test]
    fn a_class_of_ones_own_is_told_once() {
        let text = |class: &str| {
            let entry = |name: &str, value: &str| {
                format!("<property><name>{PREFIX}{name}</name><value>{value}</value></property>\n")
            };
            let queues = entry("root.queues", "a") + &entry("root.a.capacity", "100");
            format!("<configuration>\n{queues}{}</configuration>", entry("resource-calculator", class))
        };
        let own = check("x", &text("org.example.Mine"), &Properties::new(), &[]);
        let [told] = &own.problems[..] else { panic!("{}", whats(&own)) };
        assert!(told.what.starts_with("Not modelled: the class org.example.Mine."), "{}", told.what);
        assert!(
            told.what.ends_with("Without it, the ResourceManager refuses this file: Class org.example.Mine not found."),
            "{}",
            told.what
        );
        assert_eq!((told.severity, told.mend.is_empty(), own.counts.kept), (Severity::Error, false, 1));
        // The package in Hadoop 2.0.
        let moved = "org.apache.hadoop.yarn.server.resourcemanager.resource.DominantResourceCalculator";
        let moved = check("x", &text(moved), &Properties::new(), &[]);
        let [told] = &moved.problems[..] else { panic!("{}", whats(&moved)) };
        assert_eq!(told.fix.as_deref(), Some("org.apache.hadoop.yarn.util.resource.DominantResourceCalculator"));
    }

    #[test]
    fn other_files_are_recognised() {
        assert_eq!(sample("fair-scheduler.xml").recognised, Recognised::FairAllocations);
        assert_eq!(sample("yarn-site.xml").recognised, Recognised::Site);
        assert_eq!(check("x", "{}", &Properties::new(), &[]).recognised, Recognised::NotXml);
    }

    #[test]
    fn unset_asynchronous_scheduling_is_asked_for() {
        assert_eq!(sample("capacity-scheduler.small.xml").asynchronous, None);
    }

    #[test]
    fn what_a_template_gives_is_checked_like_what_is_given() {
        let entry = |name: &str, value: &str| {
            format!("<property><name>{PREFIX}{name}</name><value>{value}</value></property>\n")
        };
        let text = format!(
            "<configuration>\n{}{}{}{}</configuration>",
            entry("root.queues", "a"),
            entry("root.a.capacity", "100"),
            entry("root.a.leaf-queue-template.user-limit-factor", "40%"),
            entry("root.*.auto-queue-creation-v2.template.capcity", "1w"),
        );
        let report = check("x", &text, &Properties::new(), &[]);
        let value = report.problems.iter().find(|p| p.what.contains("`40%` is not a number")).expect("the value");
        assert_eq!((value.span.map(|s| s.line_col(&text).0), value.fix.as_deref()), (Some(4), Some("40")));
        let key = format!("{PREFIX}root.a.leaf-queue-template.user-limit-factor");
        assert_eq!(report.of(&key).map(|p| &p.what).collect::<Vec<_>>(), [&value.what]);
        assert_eq!(report.of(&format!("{PREFIX}root.a.capacity")).count(), 0);
        let name = report.problems.iter().find(|p| p.what.contains("capcity is not a property")).expect("the name");
        let fixed = format!("{PREFIX}root.*.auto-queue-creation-v2.template.capacity");
        assert_eq!((name.span.map(|s| s.line_col(&text).0), name.fix.as_deref()), (Some(5), Some(fixed.as_str())));
    }
}
