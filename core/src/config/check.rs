//! The import report: what is in a configuration file, what is odd about it, and what the ResourceManager would refuse
//! (product.md; formats.md 1.2, 2.2, 2.3; capacity-scheduler.md 2.3).

mod mends;
mod structure;

pub use mends::mend;

use super::capacity::targets::checked_rules;
use super::capacity::{CapacityConf, PREFIX};
use super::properties::{self, Support};
use super::resource_text::allocations;
use super::values::{Conf, trim};
use super::xml::{self, Document, Effective, Origin};
use crate::api::{NodeLabel, Properties};
use crate::model::{Problem, Severity, Span};
use indexmap::IndexMap;

/// How a refusal begins.
const REFUSED: &str = "The ResourceManager refuses this file";

/// What a text is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Recognised {
    /// capacity-scheduler.xml.
    CapacityScheduler,
    /// yarn-site.xml, resource-types.xml and the like.
    Site,
    /// A FairScheduler's allocation file.
    FairAllocations,
    /// Other XML, with its root element.
    OtherXml(String),
    /// No XML.
    NotXml,
}

/// How much is in a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct Counts {
    /// Queues besides root.
    pub queues: usize,
    /// Of them leaves.
    pub leaves: usize,
    /// Labels that are named anywhere.
    pub labels: usize,
    /// Effective properties.
    pub properties: usize,
    /// Properties that decide something here.
    pub modelled: usize,
    /// Properties that are kept and written back.
    pub kept: usize,
    /// Of the kept ones, those that are not known at all.
    pub unknown: usize,
    /// Problems that are errors or warnings.
    pub problems: usize,
}

/// What is found in a file.
#[derive(Clone, Debug, PartialEq)]
pub struct Report {
    /// What it is.
    pub recognised: Recognised,
    /// Everything odd, by place in the file.
    pub problems: Vec<Problem>,
    /// Hadoop's own words when the ResourceManager would refuse the file: the first thing it meets.
    pub refusal: Option<String>,
    /// Is asynchronous scheduling switched on or off in the file? Not said: the release decides (3.5: on), so ask.
    pub asynchronous: Option<bool>,
    /// How much is in it.
    pub counts: Counts,
    /// Effective properties, variables replaced where they can be.
    pub properties: Properties,
    /// Those of them that are kept and written back, but decide nothing here.
    pub kept: Properties,
    /// Where each effective property stands.
    pub places: IndexMap<String, Origin>,
}

impl Report {
    /// What is wrong with a property: the problems that stand at its name or its value.
    pub fn of<'r>(&'r self, key: &str) -> impl Iterator<Item = &'r Problem> + use<'r> {
        let place = self.places.get(key).map(|o| (o.name_span, o.value_span));
        self.problems.iter().filter(move |p| {
            let at = |of: Span| p.span.is_some_and(|s| of.start <= s.start && s.end <= of.end);
            place.is_some_and(|(name, value)| at(name) || at(value))
        })
    }

    /// What the file is refused for, in plain words: what is wrong at the place that the refusal hangs on.
    pub fn plainly(&self) -> Option<&Problem> {
        let refused = self.problems.iter().find(|p| p.what.starts_with(REFUSED))?;
        let same =
            |p: &&Problem| p.severity == Severity::Error && p.span == refused.span && !p.what.starts_with(REFUSED);
        self.problems.iter().find(same).filter(|_| refused.span.is_some())
    }

    /// `41 queues, 3 labels, 212 properties: 188 modelled, 19 kept but not modelled, 5 problems`.
    pub fn summary(&self) -> String {
        let many = |n: usize, one: &str, more: &str| format!("{n} {}", if n == 1 { one } else { more });
        let c = &self.counts;
        // Leaves are what applications go to.
        let leaves = if c.leaves < c.queues { format!(" ({} leaves)", c.leaves) } else { String::new() };
        format!(
            "{}{leaves}, {}, {}: {} modelled, {} kept but not modelled, {}",
            many(c.queues, "queue", "queues"),
            many(c.labels, "label", "labels"),
            many(c.properties, "property", "properties"),
            c.modelled,
            c.kept,
            many(c.problems, "problem", "problems")
        )
    }
}

/// What the text of a file is.
pub fn recognise(document: &Document) -> Recognised {
    match document.root.as_str() {
        "" => Recognised::NotXml,
        "allocations" => Recognised::FairAllocations,
        _ if document.entries().any(|e| e.name.starts_with(PREFIX)) => Recognised::CapacityScheduler,
        "configuration" => Recognised::Site,
        other => Recognised::OtherXml(other.to_string()),
    }
}

/// Looks a file over. `yarn_site`: the effective properties it lies on top of; `labels`: the cluster's.
pub fn check(source: &str, text: &str, yarn_site: &Properties, labels: &[NodeLabel]) -> Report {
    let (document, mut problems) = xml::read(source, text);
    let recognised = recognise(&document);
    if recognised == Recognised::FairAllocations {
        // Its root and its elements are right where they are.
        problems.retain(|p| p.severity == Severity::Error);
        let what = "This is the allocation file of the FairScheduler, not a file of the CapacityScheduler.";
        problems.push(
            Problem::error(source, document.content, what)
                .mend("In a scenario it stands under [files] as \"fair-scheduler.xml\", with scheduler = \"fair\"."),
        );
        let site = Conf::layered(yarn_site, &Properties::default());
        let types = allocations(&site).map(|a| a.types).unwrap_or_default();
        match super::fair::read(source, text, &types) {
            Ok((_, found)) => problems.extend(found),
            Err(found) => problems.push(*found),
        }
    }
    let effective = xml::effective(&[&document], &|_| None);
    let conf = Conf::layered(yarn_site, &effective.values);
    let mut file = File { source, text, effective: &effective, conf: &conf, problems, kept: Vec::new() };
    file.doubles();
    let mut counts = Counts { properties: effective.values.len(), ..Counts::default() };
    let mut refusal = None;
    if matches!(recognised, Recognised::CapacityScheduler | Recognised::Site) {
        file.values(&mut counts);
        counts.kept = file.kept.len();
    }
    if recognised == Recognised::CapacityScheduler {
        structure::check(&mut file, labels, &mut counts);
        refusal = file.refusal(yarn_site, labels);
    }
    let (mut problems, kept) = (file.problems, file.kept);
    crate::model::order::sort_by_key(&mut problems, |p| p.span.map_or(usize::MAX, |s| s.start));
    counts.problems = problems.iter().filter(|p| p.severity > Severity::Note).count();
    let asynchronous = conf
        .raw(&format!("{PREFIX}schedule-asynchronously.enable"))
        .and_then(|v| super::values::parse_boolean(trim(v)));
    let replaced = |key: &String, raw: &String| conf.text(key).ok().flatten().unwrap_or_else(|| raw.clone());
    let properties: Properties = effective.values.iter().map(|(k, v)| (k.clone(), replaced(k, v))).collect();
    let kept = kept.into_iter().filter_map(|k| properties.get(&k).cloned().map(|v| (k, v))).collect();
    let places = effective.origins;
    Report { recognised, problems, refusal, asynchronous, counts, properties, kept, places }
}

/// A file that is looked over.
struct File<'a> {
    source: &'a str,
    text: &'a str,
    effective: &'a Effective,
    conf: &'a Conf,
    problems: Vec<Problem>,
    /// Keys of what decides nothing here.
    kept: Vec<String>,
}

impl File<'_> {
    fn value_span(&self, key: &str) -> Option<Span> {
        self.effective.origins.get(key).map(|o| o.value_span)
    }

    /// Keys that are given more than once, and values that came too late.
    fn doubles(&mut self) {
        let line = |span: Span| span.line_col(self.text).0;
        let mut found = Vec::new();
        for (key, lost, won) in &self.effective.replaced {
            let what = format!("{key} is given again in line {}; that value wins over this one.", line(won.span));
            found.push(Problem::warning(self.source, lost.value_span, what).mend("Take one of the two out."));
        }
        for (key, late) in &self.effective.refused {
            let what = format!("{key} is final before: this value is ignored.");
            found
                .push(Problem::warning(self.source, late.value_span, what).mend("Take it out, or the <final> before."));
        }
        self.problems.extend(found);
    }

    /// Each value by itself, and keys that are not known.
    fn values(&mut self, counts: &mut Counts) {
        let paths = structure::listed_paths(self.conf);
        let known: Vec<&str> = paths.iter().map(String::as_str).collect();
        let is_queue = |path: &str| paths.contains(path);
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
            let Some(found) = properties::find(key, &is_queue) else {
                counts.unknown += 1;
                self.kept.push(key.clone());
                let near = properties::nearest(key, &known);
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
            match found.property.support {
                Support::Modelled => counts.modelled += 1,
                Support::Kept => self.kept.push(key.clone()),
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
                // What a template gives is read when a queue is made of it.
                let problem = if bad.refused && meaning.name == found.property.name {
                    Problem::error(self.source, span, what)
                } else {
                    Problem::warning(self.source, span, what)
                };
                let mut problem = problem.mend(bad.mend);
                problem.fix = bad.fix;
                self.problems.push(problem);
            }
        }
    }

    /// What the ResourceManager would refuse, with the property that it hangs on: the first one without which nothing
    /// is refused, else the first one without which the refusal is another.
    fn refusal(&mut self, yarn_site: &Properties, labels: &[NodeLabel]) -> Option<String> {
        let read = |p: &Properties| {
            let conf = CapacityConf::read(p, yarn_site, labels);
            conf.and_then(|c| checked_rules(&c.mapping, &c)).err()
        };
        let values = &self.effective.values;
        let refusal = read(values)?;
        let mut culprit = None;
        if values.len() <= 2000 {
            for key in values.keys() {
                let mut without = values.clone();
                without.shift_remove(key);
                let then = read(&without);
                if then.as_ref() == Some(&refusal) || key.ends_with(".queues") {
                    continue;
                }
                if then.is_none() {
                    culprit = Some(key.clone());
                    break;
                }
                culprit.get_or_insert_with(|| key.clone());
            }
        }
        let span = culprit.as_deref().and_then(|k| self.value_span(k));
        let at = culprit.map_or(String::new(), |k| format!(" ({k})"));
        let what = format!("{REFUSED}{at}: {}", refusal.message);
        self.problems.push(Problem::error(self.source, span, what).mend(mend(&refusal)));
        Some(refusal.message)
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
        // Since 3.4 a weight counts for every user name; older releases passed this one over.
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
        assert_eq!(at("capacity-scheduler.syntax.bad.xml", "was opened at 9:5"), Some((9, 15)));
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
        assert_eq!(report.plainly().map(|p| &p.what), Some(&found.what));
        assert!(whats(&report).contains("Illegal capacity sum of 0.0 for children of queue root for label=gpu"));
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
