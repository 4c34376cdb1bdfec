//! What was dropped, pasted or chosen: a scenario, a link, or a file of Hadoop's; and what was found in it.

use super::mutation;
use super::open::{NewText, linked};
use crate::{edits, forms};
use heddle_core::config::{check, xml};
use heddle_core::explain::words;
use heddle_core::model::{Problem, Severity, limits};
use heddle_core::scenario::{self, edit, yarnfile};
use heddle_view::Report;

/// What a text turned out to be.
pub enum Found {
    /// A scenario, or a link with one.
    Scenario(NewText),
    /// A file that belongs into the scenario.
    File {
        /// The scenario with the file in it.
        text: String,
        /// What was found in it.
        report: Box<Report>,
    },
    /// Nothing that can be used; the report says why.
    Unknown(Box<Report>),
}

/// Finds out what a text is. `current` is the scenario that a file would go into.
pub fn read(name: &str, text: &str, current: &str) -> Found {
    let mut found = kind_of(name, text, current);
    if let Found::File { report, .. } | Found::Unknown(report) = &mut found {
        report.list = forms::problems::list("file", &report.problems, text, None);
    }
    found
}

fn kind_of(name: &str, text: &str, current: &str) -> Found {
    let trimmed = text.trim().trim_start_matches('\u{feff}');
    if text.len() > limits::TEXT_BYTES {
        return unknown(
            name,
            text,
            format!("The text has {} MB; up to {} MB can be read.", text.len() >> 20, limits::TEXT_BYTES >> 20),
        );
    }
    if is_link(trimmed) {
        return match linked(trimmed) {
            Ok(new) => Found::Scenario(new),
            Err(why) => unknown("link", text, why),
        };
    }
    if mutation::is_mutation(trimmed) {
        return mutation::read(name, trimmed, current);
    }
    if trimmed.starts_with('<') {
        return xml(name, text, current);
    }
    if yarnfile::is_yarnfile(trimmed) {
        return service(name, trimmed, current);
    }
    if name.ends_with(".toml") || is_scenario(trimmed) {
        let read = scenario::read(text);
        if let Some(scenario) = read.scenario {
            let title = scenario.title;
            let notice = if title.is_empty() { "Opened.".to_owned() } else { format!("Opened: {title}") };
            return Found::Scenario(NewText { text: text.to_owned(), view: None, notice: Some(notice) });
        }
        return Found::Unknown(Box::new(Report {
            name: if name.is_empty() { "scenario".into() } else { name.into() },
            what: "this scenario has errors. The one that is open stays.".into(),
            mendable: mendable(text),
            problems: placed(read.problems, text),
            ..Report::default()
        }));
    }
    unknown(
        name,
        text,
        "This is neither a scenario, nor a link, nor one of Hadoop's XML files, nor a change for schedulerconf, nor a yarnfile.".to_owned(),
    )
}

/// A YARN service becomes one more application of the scenario.
fn service(name: &str, text: &str, current: &str) -> Found {
    let found = yarnfile::import(text);
    let added = found.entry.as_deref().map(|entry| edits::push(current, "apps", entry));
    let (next, refused) = match added {
        Some(Ok(next)) => (next, None),
        Some(Err(why)) => (current.to_owned(), Some(why)),
        None => (current.to_owned(), None),
    };
    let (components, constraints) = found.counts;
    let report = Report {
        name: if name.is_empty() { "yarnfile".into() } else { name.into() },
        what: match found.entry {
            Some(_) => format!(
                "A YARN service: {} with {}.",
                words::count(components as i64, "component"),
                words::count(constraints as i64, "placement constraint")
            ),
            None => "YARN refuses this service, for the errors below. Nothing was added.".to_owned(),
        },
        facts: refused
            .into_iter()
            .chain(
                found
                    .entry
                    .is_some()
                    .then(|| format!("Its first requests were added as the application `{}`.", found.name)),
            )
            .collect(),
        problems: placed(found.problems, text),
        taken: next != current,
        ..Report::default()
    };
    match found.entry {
        Some(_) => Found::File { text: next, report: Box::new(report) },
        None => Found::Unknown(Box::new(report)),
    }
}

/// A text that somebody may have meant as a scenario can be opened to be mended.
fn mendable(text: &str) -> Option<String> {
    (text.len() <= limits::TEXT_BYTES && text.contains("heddle")).then(|| text.to_owned())
}

/// Problems with their places in the text that they were found in.
pub fn placed(problems: Vec<Problem>, text: &str) -> Vec<Problem> {
    problems.into_iter().map(|p| p.placed(text)).collect()
}

fn is_link(text: &str) -> bool {
    let fragment = text.rsplit_once('#').map(|(_, f)| f);
    let first = fragment.unwrap_or(text);
    !text.contains('\n')
        && fragment.is_some()
        && first.split_once('.').is_some_and(|(n, _)| !n.is_empty() && n.bytes().all(|b| b.is_ascii_digit()))
}

fn is_scenario(text: &str) -> bool {
    text.lines().any(|l| {
        let l = l.trim_start();
        l.starts_with("[[nodes]]")
            || l.starts_with("[[apps]]")
            || l.strip_prefix("heddle").is_some_and(|r| r.trim_start().starts_with('='))
    })
}

fn unknown(name: &str, text: &str, what: String) -> Found {
    let name = if name.is_empty() { "pasted text" } else { name };
    Found::Unknown(Box::new(Report { name: name.into(), what, mendable: mendable(text), ..Report::default() }))
}

/// Which of Hadoop's files an XML text is: by its name, else by what stands in it.
fn kind(name: &str, text: &str) -> &'static str {
    let known = ["capacity-scheduler.xml", "yarn-site.xml", "resource-types.xml", "fair-scheduler.xml"];
    if text.contains("<allocations") {
        return "fair-scheduler.xml";
    }
    if let Some(by_name) = known.iter().find(|k| name.ends_with(**k)) {
        return by_name;
    }
    let count = |what: &str| text.matches(what).count();
    if count("yarn.scheduler.capacity.") > 0 {
        "capacity-scheduler.xml"
    } else if count("yarn.resource-types") > 0 && count("yarn.resourcemanager") == 0 && count("yarn.nodemanager") == 0 {
        "resource-types.xml"
    } else {
        "yarn-site.xml"
    }
}

fn xml(name: &str, text: &str, current: &str) -> Found {
    let file = kind(name, text);
    let mut next = match edit::set_file(current, file, text) {
        Ok(next) => next,
        Err(why) => return unknown(file, text, why),
    };
    let mut facts = Vec::new();
    // What stands in short form goes before a file: the imported file is meant to be what runs.
    let short = match file {
        "capacity-scheduler.xml" => Some("capacity-scheduler"),
        "yarn-site.xml" => Some("yarn-site"),
        _ => None,
    };
    if let Some(short) = short
        && let Ok(without) = edits::remove(&next, &[short.into()])
        && without != next
    {
        facts.push(format!("The scenario's own [{short}] was replaced by this file; undo brings it back."));
        next = without;
    }
    let mut report = of_file(file, text, &next);
    if report.problems.iter().any(|p| p.severity == Severity::Error) && unreadable(file, text) {
        // Nothing in it can be used: what there is stays.
        report.taken = false;
        report.what = "this file cannot be read. The scenario is as it was.".to_owned();
        report.facts.clear();
        report.ask = None;
        return Found::Unknown(Box::new(report));
    }
    facts.append(&mut report.facts);
    report.facts = facts;
    Found::File { text: next, report: Box::new(report) }
}

/// The report of a file, which stands in `scenario` already.
fn of_file(name: &str, text: &str, scenario: &str) -> Report {
    let settings = scenario::read(scenario).scenario.map(|s| s.settings).unwrap_or_default();
    let site = if name == "capacity-scheduler.xml" { settings.yarn_site } else { Default::default() };
    let found = check::check(name, text, &site, &settings.labels);
    let facts = vec![found.summary()];
    let mut problems = found.problems;
    // Fails to read at all: said once, with its place.
    let (_, broken) = xml::read(name, text);
    for p in broken {
        if !problems.iter().any(|q| q.what == p.what) {
            problems.push(p);
        }
    }
    let asks = found.recognised == check::Recognised::CapacityScheduler && found.asynchronous.is_none();
    Report {
        name: name.to_owned(),
        what: "read here, in this tab. Nothing was sent.".to_owned(),
        taken: true,
        facts,
        problems: placed(problems, text),
        list: None,
        kept: found.kept.into_iter().collect(),
        // Nothing in the file says how the scheduler is driven: the release decides.
        ask: asks.then(forms::ask_release),
        mendable: None,
    }
}

/// Has a file no property that could be read?
fn unreadable(name: &str, text: &str) -> bool {
    !xml::read(name, text).0.entries().any(|_| true)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_are_told_apart() {
        assert_eq!(
            kind("x.xml", "<configuration><name>yarn.scheduler.capacity.root.queues</name>"),
            "capacity-scheduler.xml"
        );
        assert_eq!(kind("x.xml", "<allocations/>"), "fair-scheduler.xml");
        assert_eq!(kind("my-yarn-site.xml", "<configuration/>"), "yarn-site.xml");
        assert!(is_link("https://a.example/heddle/#1.abc.def") && !is_link("a # 1.x") && !is_link("#draft"));
        assert!(is_scenario("# c\nheddle = 1\n") && !is_scenario("heddler = 1"));
        assert!(matches!(read("a.txt", "hello", "heddle = 1\n"), Found::Unknown(_)));
        assert!(matches!(read("a.toml", "heddle = 1\n", ""), Found::Scenario(_)));
        let Found::Unknown(report) = read("a.toml", "= =", "") else { panic!("an error") };
        assert!(!report.problems.is_empty() && !report.taken);
        let Found::Unknown(report) =
            read("capacity-scheduler.xml", "<!DOCTYPE a [<!ENTITY b 'c'>]><a>&b;</a>", "heddle = 1\n")
        else {
            panic!("refused")
        };
        assert!(report.problems.iter().any(|p| p.what.contains("DOCTYPE")), "{:?}", report.problems);
    }
}
