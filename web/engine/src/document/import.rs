//! Imports of dropped, pasted or chosen texts: a scenario, a link, or a Hadoop file; and the reports on them.

use super::added;
use super::mutation;
use super::open::{NewText, linked};
use super::report;
use crate::edits::load;
use crate::{apps, edits, forms};
use heddle_core::config::check::Recognised;
use heddle_core::config::{check, properties::PREFIX, xml};
use heddle_core::import::{Given, InputText, TextKind, import, lines, recognise};
use heddle_core::model::names::problem_in_file;
use heddle_core::model::{Problem, Severity, limits};
use heddle_core::scenario::files::says_nothing;
use heddle_core::scenario::{self, edit, pasted};
use heddle_view::form::{Button, Part};
use heddle_view::{How, ImportTarget, LinkView, Report, SchedulerChoice, encoding, secrets};
use std::borrow::Cow;
use std::collections::BTreeSet;

/// The result of recognising a text.
pub enum ImportResult {
    /// A scenario, or a link with one.
    Scenario(Box<NewText>),
    /// A file that belongs in the scenario.
    File {
        /// The scenario with the file.
        text: String,
        /// The report on the file.
        report: Box<Report>,
    },
    /// Nothing usable; the report says why.
    Unknown(Box<Report>),
}

#[cfg(test)]
impl ImportResult {
    /// Returns the scenario with a file added, if the file belongs there.
    pub fn of_file(name: &str, text: &str, current: &str) -> Option<String> {
        match read(name, text, current, ImportTarget::Open) {
            ImportResult::File { text, .. } => Some(text),
            _ => None,
        }
    }
}

/// Recognises a text; `current` is the open scenario.
pub fn read(name: &str, text: &str, current: &str, target: ImportTarget) -> ImportResult {
    let masked = secrets::mask(text);
    let text = masked.as_ref().map_or(text, |masked| masked.text.as_str());
    let mut found = kind_of(name, text, current, target);
    if let (ImportResult::Scenario(new), Some(masked)) = (&mut found, &masked) {
        let said = secrets::sentence(&masked.secrets);
        new.notice = Some(new.notice.take().map_or_else(|| said.clone(), |notice| format!("{notice} {said}")));
    }
    if let ImportResult::File { report, .. } | ImportResult::Unknown(report) = &mut found {
        report.facts.extend(masked.iter().map(|masked| secrets::sentence(&masked.secrets)));
        report.list = forms::problems::list("file", &report.problems, text, None);
    }
    found
}

/// Recognises texts that came together: several are one import, and so are those of other kinds that follow while nothing of
/// it was changed; while its report is open, also those that take the place of one.
pub fn read_all(
    name: &str,
    text: &str,
    more: &[(String, String)],
    current: &str,
    (target, with): (ImportTarget, &[(String, String)]),
) -> ImportResult {
    let others = more.iter().map(|(name, text)| (name.as_str(), text.as_str()));
    let all: Vec<(&str, &str)> = std::iter::once((name, text)).chain(others).collect();
    if !with.is_empty() && all.iter().all(|(name, text)| is_of_import(name, text)) {
        let kind = |name: &str, text: &str| recognise(&InputText::at(name, text)).map(|kind| kind.what);
        let same = |name: &str| !name.is_empty() && all.iter().any(|(other, _)| *other == name);
        let kinds: Vec<Option<TextKind>> = all.iter().map(|(name, text)| kind(name, text)).collect();
        let again = || with.iter().any(|(name, text)| same(name) || kinds.contains(&kind(name, text)));
        // Once its report is closed, the next version of a file is a change of what is open.
        if target == ImportTarget::Fitting || !again() {
            let before = with.iter().filter(|(name, _)| !same(name)).map(|(name, text)| (name.as_str(), text.as_str()));
            return together(&before.chain(all.iter().copied()).collect::<Vec<_>>());
        }
    }
    if more.is_empty() {
        return read(name, text, current, target);
    }
    if target == ImportTarget::Open { one_by_one(&all, current) } else { together(&all) }
}

/// Returns whether a text may be one more file of an import: it tells of a cluster, and stands for nothing of its own.
fn is_of_import(name: &str, text: &str) -> bool {
    let own = [TextKind::Scenario, TextKind::Line, TextKind::Change];
    recognise(&InputText::at(name, text))
        .is_some_and(|kind| !own.contains(&kind.what) && apps::adds(kind.what).is_none())
}

/// Adds texts to the open scenario, one after the other, with one report on all.
fn one_by_one(all: &[(&str, &str)], current: &str) -> ImportResult {
    let (mut current, mut whole) =
        (current.to_owned(), Report { name: format!("{} files", all.len()), ..Report::default() });
    let mut list = None;
    for (name, text) in all {
        let report = match read(name, text, &current, ImportTarget::Open) {
            ImportResult::Scenario(new) => return ImportResult::Scenario(new),
            ImportResult::File { text, report } => {
                current = text;
                report
            }
            ImportResult::Unknown(report) => report,
        };
        whole.what = format!("{}{}{name}: {}", whole.what, if whole.what.is_empty() { "" } else { " " }, report.what);
        whole.facts.extend(report.facts);
        whole.problems.extend(report.problems);
        whole.kept.extend(report.kept);
        whole.taken |= report.taken;
        (whole.ask, whole.switch) = (report.ask.or(whole.ask), report.switch.or(whole.switch));
        list = report.list.or(list);
    }
    whole.list = list;
    let report = Box::new(whole);
    if report.taken { ImportResult::File { text: current, report } } else { ImportResult::Unknown(report) }
}

/// Makes one scenario of several texts.
fn together(all: &[(&str, &str)]) -> ImportResult {
    let masked: Vec<Option<secrets::Masked>> = all.iter().map(|(_, text)| secrets::mask(text)).collect();
    let texts: Vec<Given<'_>> = all
        .iter()
        .zip(&masked)
        .map(|((name, text), masked)| Given { name, text: masked.as_ref().map_or(text, |masked| &masked.text) })
        .collect();
    let mut found = report::made(import(&texts), &texts);
    if let ImportResult::Scenario(new) = &mut found
        && let Some(report) = &mut new.report
    {
        report.facts.extend(masked.iter().flatten().map(|masked| secrets::sentence(&masked.secrets)));
    }
    found
}

fn kind_of(name: &str, text: &str, current: &str, target: ImportTarget) -> ImportResult {
    let trimmed = added::bare(text);
    if text.len() > limits::TEXT_BYTES {
        return unknown(
            name,
            text,
            format!(
                "The text has {} MB; up to {} MB can be read. Take out of it what is not about queues and applications.",
                text.len() >> 20,
                limits::TEXT_BYTES >> 20
            ),
        );
    }
    if trimmed.is_empty() {
        let what = "The file is empty. The scenario that is open stays; choose another file.";
        return unknown(name, text, what.to_owned());
    }
    if says_nothing(trimmed) {
        let what = "There are only comments in the file. The scenario that is open stays; choose another file.";
        return unknown(name, text, what.to_owned());
    }
    if is_link(trimmed) {
        return match linked(trimmed) {
            Ok(new) => ImportResult::Scenario(Box::new(new.masked())),
            Err(why) => unknown("link", text, why),
        };
    }
    if mutation::is_mutation(trimmed) {
        return mutation::read(name, trimmed, current);
    }
    let look = InputText::at(name, text);
    let what = recognise(&look).map(|kind| kind.what);
    if let Some(add) = what.and_then(apps::adds) {
        return if target == ImportTarget::New { cluster(name, text) } else { add(name, text, current) };
    }
    match what {
        Some(TextKind::Scenario) => return opened(name, text),
        Some(TextKind::CapacityScheduler | TextKind::FairScheduler | TextKind::Site) => {}
        // A single property is explained; several become a scenario.
        Some(TextKind::PropertyLines) if trimmed.lines().count() < 2 => {}
        Some(TextKind::Line) => return joined(&look, current).unwrap_or_else(|| cluster(name, text)),
        // Everything else becomes a scenario of its own.
        Some(_) => return cluster(name, text),
        // An unrecognised text with an error: its name shows what was meant.
        None if name.ends_with(".toml") => return opened(name, text),
        None => {
            if let Some(add) = apps::meant(name, text) {
                return add(name, text, current);
            }
        }
    }
    if trimmed.starts_with('<') {
        let whole = pasted::with_root(text);
        let added = match &whole {
            Some(whole) => bare(name, whole, current),
            None => xml(name, text, current),
        };
        return placed(added, name, whole.as_deref().unwrap_or(text), current, target);
    }
    // A text meant as a Hadoop file gets the same report as on the command line.
    if name.ends_with(".xml") || trimmed.lines().any(|line| line.trim_start().starts_with(PREFIX)) {
        return unusable(name, text, current);
    }
    if let Some(told) = pasted::explain(trimmed) {
        return unknown(name, text, told);
    }
    let what = "This is neither a scenario, nor a link, nor one of Hadoop's XML files, nor a change for schedulerconf, nor a \
                yarnfile, nor Slider's resources.json, nor a Samza job's .properties. Choose one of these, or paste its text.";
    unknown(name, text, what.to_owned())
}

/// Returns a text that was probably meant as a scenario, to be opened and repaired.
fn mendable(text: &str) -> Option<String> {
    (text.len() <= limits::TEXT_BYTES && text.contains("heddle") && !says_nothing(text)).then(|| text.to_owned())
}

fn is_link(text: &str) -> bool {
    let fragment = text.rsplit_once('#').map(|(_, f)| f);
    let first = fragment.unwrap_or(text);
    !text.contains('\n')
        && fragment.is_some()
        && first.split_once('.').is_some_and(|(n, _)| !n.is_empty() && n.bytes().all(|b| b.is_ascii_digit()))
}

/// Makes a scenario of one text.
fn cluster(name: &str, text: &str) -> ImportResult {
    let given = [Given { name, text }];
    report::made(import(&given), &given)
}

/// Puts settings where they belong: into the open scenario, as they were `added`, or into a new one. The report offers the
/// other place. Settings of an imported cluster are replaced by others with about the same queues; other queues are another
/// cluster's.
fn placed(added: ImportResult, name: &str, text: &str, current: &str, target: ImportTarget) -> ImportResult {
    let ImportResult::File { text: next, mut report } = added else { return added };
    if target == ImportTarget::Open {
        return ImportResult::File { text: next, report };
    }
    if target == ImportTarget::FittingImported && has_queues_of(&next, current) {
        report.other = Some(ImportTarget::New);
        return ImportResult::File { text: load::again(&next, current).unwrap_or(next), report };
    }
    let utf8 = encoding::in_utf8(text);
    let text = utf8.as_ref().map_or(text, |(text, _)| text.as_str());
    let mut found = cluster(name, text);
    if let ImportResult::Scenario(new) = &mut found
        && let Some(of_new) = &mut new.report
    {
        // What the file's own text made necessary; the counts are told with the file.
        let changed =
            report.facts.drain(..).filter(|fact| fact.starts_with("The file declares") || fact.starts_with(BARE));
        of_new.facts.splice(0..0, changed);
        if target != ImportTarget::New {
            of_new.other = Some(ImportTarget::Open);
        }
    }
    found
}

/// Opens what a pasted line is about in the scenario that is open, if that is of the same cluster.
fn joined(look: &InputText<'_>, current: &str) -> Option<ImportResult> {
    let line = look.line()?;
    let moment = lines::joins(line, look.text, &scenario::read(current).scenario?)?;
    let (_, about) = moment.what.split_once(':')?;
    let notice = format!("{}: {about} is in the scenario that is open.", line.row.what);
    let view = LinkView { time_ms: Some(moment.at_ms), select: Some(moment.what.clone()), ..LinkView::default() };
    let new = NewText { text: current.to_owned(), notice: Some(notice), view: Some(view), ..NewText::default() };
    Some(ImportResult::Scenario(Box::new(new)))
}

/// Opens a scenario, or reports why it cannot be opened.
fn opened(name: &str, text: &str) -> ImportResult {
    let read = scenario::read(text);
    if let Some(scenario) = read.scenario {
        let title = scenario.title;
        let notice = if title.is_empty() { "Opened.".to_owned() } else { format!("Opened: {title}") };
        return ImportResult::Scenario(Box::new(NewText {
            text: text.to_owned(),
            notice: Some(notice),
            ..NewText::default()
        }));
    }
    ImportResult::Unknown(Box::new(Report {
        name: if name.is_empty() { "scenario".into() } else { name.into() },
        what: "this scenario has errors. The one that is open stays.".into(),
        mendable: mendable(text),
        problems: Problem::placed(read.problems, text),
        ..Report::default()
    }))
}

pub fn unknown(name: &str, text: &str, what: String) -> ImportResult {
    let name = if name.is_empty() { "pasted text" } else { name };
    ImportResult::Unknown(Box::new(Report { name: name.into(), what, mendable: mendable(text), ..Report::default() }))
}

/// Returns which of the scenario's files an XML text becomes, by its name or else its content.
fn kind(name: &str, text: &str, recognised: &Recognised) -> Option<&'static str> {
    let known = ["capacity-scheduler.xml", "yarn-site.xml", "resource-types.xml"];
    match recognised {
        Recognised::FairAllocations => return Some("fair-scheduler.xml"),
        Recognised::CapacityScheduler | Recognised::Site => {}
        // Text that is not XML has a problem with a place, and its name shows which file was meant.
        Recognised::NotXml => return known.into_iter().chain(["fair-scheduler.xml"]).find(|k| name.ends_with(k)),
        _ => return None,
    }
    if let Some(by_name) = known.iter().find(|k| name.ends_with(**k)) {
        return Some(by_name);
    }
    let count = |what: &str| text.matches(what).count();
    let types =
        count("yarn.resource-types") > 0 && count("yarn.resourcemanager") == 0 && count("yarn.nodemanager") == 0;
    Some(match recognised {
        Recognised::CapacityScheduler => "capacity-scheduler.xml",
        _ if types => "resource-types.xml",
        _ => "yarn-site.xml",
    })
}

/// Reads properties as documents show them, without the enclosing element, which was added.
fn bare(name: &str, whole: &str, current: &str) -> ImportResult {
    let mut found = xml(name, whole, current);
    if let ImportResult::File { report, .. } = &mut found {
        report.facts.insert(0, format!("{BARE}: they were given one."));
    }
    found
}

/// Returns whether at least half of the queues of two scenarios are the same.
fn has_queues_of(next: &str, current: &str) -> bool {
    let of = |text: &str| scenario::read(text).scenario.map(|s| load::leaves(&s).into_iter().collect::<BTreeSet<_>>());
    match (of(next), of(current)) {
        (Some(next), Some(current)) => 2 * next.intersection(&current).count() >= next.len().max(current.len()),
        // What cannot be played has no queues to compare.
        _ => true,
    }
}

const BARE: &str = "The properties stand in no <configuration>";

fn xml(name: &str, text: &str, current: &str) -> ImportResult {
    // Scenarios are in UTF-8, and so is what they write.
    let (text, was) = match encoding::in_utf8(text) {
        Some((text, was)) => (Cow::Owned(text), Some(was)),
        None => (Cow::Borrowed(text), None),
    };
    let text = text.as_ref();
    let recognised = check::recognise(&xml::read(name, text).0, text);
    let Some(file) = kind(name, text, &recognised).filter(|_| recognised != Recognised::NotXml) else {
        return unusable(kind(name, text, &recognised).unwrap_or(name), text, current);
    };
    if problem_in_file(file, text).is_some() {
        return unusable(file, text, current);
    }
    let mut next = match edit::set_file(current, file, text) {
        Ok(next) => next,
        Err(why) => return unknown(file, text, why),
    };
    let mut facts = Vec::new();
    if let Some(was) = was {
        facts.push(format!("The file declares {was}; here it is in UTF-8, and its first line says so."));
    }
    // Short-form settings would override a file; the imported one is meant to count.
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
    if report.problems.iter().any(|p| p.severity == Severity::Error) && unreadable(file, text, &recognised) {
        return unusable(file, text, current);
    }
    facts.append(&mut report.facts);
    report.facts = facts;
    ImportResult::File { text: next, report: Box::new(report) }
}

/// Reports a text without anything usable; the scenario does not change.
fn unusable(name: &str, text: &str, current: &str) -> ImportResult {
    let name = if name.is_empty() { "pasted text" } else { name };
    let mut report = of_file(name, text, current);
    report.taken = false;
    report.what = "this file cannot be read. The scenario is as it was.".to_owned();
    report.facts.clear();
    (report.ask, report.switch) = (None, None);
    ImportResult::Unknown(Box::new(report))
}

/// Returns the report on a file that `scenario` already contains.
fn of_file(name: &str, text: &str, scenario: &str) -> Report {
    let settings = scenario::read(scenario).scenario.map(|s| s.settings);
    let runs = settings.as_ref().map(|s| s.scheduler);
    let settings = settings.unwrap_or_default();
    let schedulers = ["capacity-scheduler.xml", "fair-scheduler.xml"];
    let site = if schedulers.contains(&name) { settings.yarn_site } else { Default::default() };
    let found = check::check(name, text, &site, &settings.labels);
    let facts = vec![found.summary()];
    let meant = match found.recognised {
        Recognised::CapacityScheduler => Some(SchedulerChoice::Capacity),
        Recognised::FairAllocations => Some(SchedulerChoice::Fair),
        _ => None,
    };
    let switch = meant.filter(|meant| name != "yarn-site.xml" && runs.is_some_and(|runs| runs != *meant));
    let asks = found.recognised == Recognised::CapacityScheduler && found.asynchronous.is_none();
    Report {
        name: name.to_owned(),
        what: "it is part of the scenario that is open now.".to_owned(),
        taken: true,
        facts,
        problems: Problem::placed(found.problems, text),
        kept: found.kept.into_iter().collect(),
        // If the file does not set how scheduling is driven, the Hadoop release decides.
        ask: switch.map(ask_switch).or_else(|| asks.then(forms::ask_release)),
        switch,
        ..Report::default()
    }
}

/// Asks whether to run the scheduler that a file is for.
fn ask_switch(to: SchedulerChoice) -> Part {
    let (value, name) = (to.text(), to.class());
    let edit = forms::make::put("scheduler", &["scheduler".into()], How::Text);
    Part::Ask {
        title: format!("Run the {name}?"),
        text: "This file is for another scheduler than the one that runs: it is kept, and decides nothing until that one runs.".into(),
        answers: vec![Button { typed: value.into(), ..forms::make::button(&format!("Switch to the {name}"), edit) }],
    }
}

/// Returns whether a file has nothing that can be read.
fn unreadable(name: &str, text: &str, recognised: &Recognised) -> bool {
    *recognised != Recognised::FairAllocations && !xml::read(name, text).0.entries().any(|_| true)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Reads a text into the open scenario.
    fn read(name: &str, text: &str, current: &str) -> ImportResult {
        super::read(name, text, current, ImportTarget::Open)
    }

    #[test]
    fn texts_are_told_apart() {
        let kind = |name: &str, text: &str| super::kind(name, text, &check::recognise(&xml::read(name, text).0, text));
        let property = |key: &str| {
            format!("<configuration><property><name>{key}</name><value>1</value></property></configuration>")
        };
        assert_eq!(kind("x.xml", &property("yarn.scheduler.capacity.root.queues")), Some("capacity-scheduler.xml"));
        assert_eq!(kind("x.xml", "<allocations/>"), Some("fair-scheduler.xml"));
        assert_eq!(kind("my-yarn-site.xml", "<configuration/>"), Some("yarn-site.xml"));
        assert_eq!(kind("x.xml", &property("dfs.replication")), None);
        assert!(is_link("https://a.example/heddle/#1.abc.def") && !is_link("a # 1.x") && !is_link("#draft"));
        assert!(matches!(read("a.txt", "hello", "heddle = 1\n"), ImportResult::Unknown(_)));
        assert!(matches!(read("a.toml", "heddle = 1\n", ""), ImportResult::Scenario(_)));
        let ImportResult::Unknown(report) = read("a.toml", " \n", "heddle = 1\n") else { panic!("nothing is opened") };
        assert!(report.what.contains("is empty") && report.mendable.is_none());
        for (name, text) in
            [("a.toml", "# only\n\n# this\n"), ("", "\u{feff}#heddle = 1"), ("a.properties", "#a=b\r\n")]
        {
            let ImportResult::Unknown(report) = read(name, text, "heddle = 1\n") else { panic!("nothing is opened") };
            assert!(report.what.contains("only comments") && !report.taken, "{name}: {report:?}");
        }
        let ImportResult::Unknown(report) = read("a.toml", "= =", "") else { panic!("an error") };
        assert!(!report.problems.is_empty() && !report.taken);
        let ImportResult::Unknown(report) =
            read("capacity-scheduler.xml", "<!DOCTYPE a [<!ENTITY b 'c'>]><a>&b;</a>", "heddle = 1\n")
        else {
            panic!("refused")
        };
        assert!(report.problems.iter().any(|p| p.what.contains("DOCTYPE")), "{:?}", report.problems);
    }

    const FAIR: &str = "<?xml version=\"1.0\" encoding=\"GBK\"?>\n<allocations><queue name=\"a\"><wieght>2</wieght></queue></allocations>\n";

    #[test]
    fn an_allocation_file_is_taken_and_offers_its_scheduler() {
        let ImportResult::File { text, report } = read("fair.xml", FAIR, "heddle = 1\n") else { panic!("it is taken") };
        assert!(text.contains("encoding=\"UTF-8\"") && report.taken, "{text}");
        assert_eq!(report.switch, Some(SchedulerChoice::Fair));
        assert!(matches!(&report.ask, Some(Part::Ask { answers, .. }) if answers[0].typed == "fair"));
        assert!(
            report.facts[0].contains("declares GBK") && report.facts[1].starts_with("1 queue, "),
            "{:?}",
            report.facts
        );
        assert!(report.problems.iter().any(|p| p.what.contains("did you mean `<weight>`") && p.place == Some((2, 30))));
        let ImportResult::File { report, .. } = read("fair.xml", FAIR, "heddle = 1\nscheduler = \"fair\"\n") else {
            panic!("it is taken")
        };
        assert_eq!((report.switch, report.ask), (None, None));
    }

    #[test]
    fn files_that_come_together_are_one_import() {
        let nodes =
            r#"{"nodes": {"node": [{"id": "n1:1", "state": "RUNNING", "usedMemoryMB": 0, "availMemoryMB": 8192}]}}"#;
        let apps = r#"{"apps": {"app": [{"id": "application_1_0001", "user": "ann", "name": "j", "queue": "root.a", "state": "ACCEPTED"}]}}"#;
        let more = [("apps.json".to_owned(), apps.to_owned())];
        let ImportResult::Scenario(new) =
            read_all("nodes.json", nodes, &more, "heddle = 1\n", (ImportTarget::Fitting, &[]))
        else {
            panic!("a cluster")
        };
        let scenario = scenario::read(&new.text).scenario.expect("it can be played");
        assert_eq!((scenario.nodes.len(), scenario.apps.len()), (1, 1));
        // One report names each file and what is unknown.
        let report = new.report.expect("a report");
        assert!(report.opened && report.name == "2 files" && !report.unknown.is_empty(), "{report:?}");
        let files: Vec<&str> = report.files.iter().map(|file| file.name.as_str()).collect();
        assert_eq!(files, ["nodes.json", "apps.json"]);
        // Into the open scenario.
        let site = "<configuration><property><name>yarn.scheduler.minimum-allocation-mb</name><value>512</value></property></configuration>";
        let more = [("fair-scheduler.xml".to_owned(), FAIR.to_owned())];
        let ImportResult::File { text, report } =
            read_all("yarn-site.xml", site, &more, "heddle = 1\n", (ImportTarget::Open, &[]))
        else {
            panic!("two files")
        };
        assert!(text.contains("\"yarn-site.xml\"") && text.contains("<allocations>"), "{text}");
        assert!(report.taken && report.what.contains("yarn-site.xml: ") && report.name == "2 files", "{report:?}");
    }

    /// A line about the cluster that is open opens there; the text stays.
    #[test]
    fn a_line_joins_the_cluster_that_is_open() {
        let open = "heddle = 1\n[[nodes]]\nname = \"n\"\nsize = \"8 GB/8\"\n[[apps]]\nname = \"application_7_0001\"\nkind = \"requests\"\n\
                    am = \"1 GB/1\"\n[apps.now]\nrunning = [{ node = \"n\", am = true, size = \"1 GB/1\" }]\n";
        let line = "Queue root.default already has 10000 applications, cannot accept submission of application: application_7_0001";
        let ImportResult::Scenario(new) = read("", line, open) else { panic!("it is recognised") };
        assert_eq!(new.text, open);
        assert_eq!(new.view.and_then(|v| v.select).as_deref(), Some("app:application_7_0001"));
        let ImportResult::Scenario(new) = read("", line, "heddle = 1\n") else { panic!("it is recognised") };
        assert_ne!(new.text, "heddle = 1\n");
    }

    /// A pasted line opens on its WHY.
    #[test]
    fn a_pasted_line_opens_at_the_moment_when_yarn_says_it() {
        let line = "Application is added to the scheduler and is not yet activated. Queue's AM resource limit exceeded.  Details : AM Partition = <DEFAULT_PARTITION>; AM Resource Request = <memory:2048, vCores:1>; Queue Resource Limit for AM = <memory:3072, vCores:1>; User AM Resource Limit of the queue = <memory:3072, vCores:1>; Queue AM Resource Usage = <memory:2048, vCores:1>; ";
        let ImportResult::Scenario(new) = read("", line, "heddle = 1\n") else { panic!("it is recognised") };
        let view = new.view.expect("where to look");
        assert!(
            view.select.is_some_and(|what| what.starts_with("app:"))
                && view.time_ms.is_some()
                && new.notice.is_some()
                && new.report.is_some()
        );
    }

    /// A log's line about a node opens on that node; a list of nodes is about all of them.
    #[test]
    fn a_line_about_a_node_opens_there_and_a_list_of_nodes_does_not() {
        let line = "2026-11-28 10:00:00,000 INFO org.apache.hadoop.yarn.server.resourcemanager.rmnode.RMNodeImpl: dn1.corp:45454 Node Transitioned from RUNNING to LOST";
        let list = "Total Nodes:1\n         Node-Id\t     Node-State\tNode-Http-Address\tNumber-of-Running-Containers\n\
            dn1.corp:45454\t        RUNNING\t   dn1.corp:8042\t                           0\n";
        for (text, there) in [(line, true), (list, false)] {
            let ImportResult::Scenario(new) = read("", text, "heddle = 1\n") else {
                panic!("it is recognised: {text}")
            };
            let opens = new.view.and_then(|view| view.select).is_some_and(|what| what.starts_with("node:"));
            assert_eq!((opens, new.notice.is_some()), (there, there), "{text}");
        }
    }

    #[test]
    fn a_service_that_is_there_already_comes_under_another_name() {
        let text = include_str!("../../../../tests/samples/yarnfile.json");
        let ImportResult::File { text: once, .. } = read("yarnfile", text, "heddle = 1\n") else {
            panic!("it is added")
        };
        let ImportResult::File { text: twice, report } = read("yarnfile", text, &once) else {
            panic!("it is added again")
        };
        let scenario = scenario::read(&twice);
        assert!(scenario.problems.iter().all(|p| p.severity != Severity::Error), "{:?}", scenario.problems);
        let apps = scenario.scenario.expect("it can be played").apps;
        assert_eq!(apps[1].name, format!("{}-2", apps[0].name));
        assert!(report.facts.iter().any(|f| f.contains(&apps[1].name)), "{:?}", report.facts);
    }

    /// Each scheduler × how its settings are written × what is known: a service that asks for GPUs can be played, and the
    /// report names the settings made for that.
    #[test]
    fn a_service_brings_its_resource_types_and_the_calculator_that_counts_them() {
        const SERVICE: &str = r#"{"name": "tf", "version": "1", "components": [{"name": "w", "number_of_containers": 1, "launch_command": "run",
            "resource": {"cpus": 1, "memory": "512", "additional": {"yarn.io/gpu": {"value": 1, "unit": ""}}}}]}"#;
        const QUEUES: &str = "[files]\n\"capacity-scheduler.xml\" = '''<configuration>\n\
            <property><name>yarn.scheduler.capacity.root.queues</name><value>default</value></property>\n\
            <property><name>yarn.scheduler.capacity.root.default.capacity</name><value>100</value></property>\n\
            </configuration>'''\n";
        const CLASS: &str = "org.apache.hadoop.yarn.util.resource.DominantResourceCalculator";
        let counted = format!(
            "[yarn-site]\n\"yarn.resource-types\" = \"disk\"\n[capacity-scheduler]\nresource-calculator = \"{CLASS}\"\n"
        );
        let both = counted.replace("\"disk\"", "\"disk,yarn.io/gpu\"");
        let only = "[capacity-scheduler]\nresource-calculator = \"org.apache.hadoop.yarn.util.resource.DefaultResourceCalculator\"\n";
        // Whether types are newly listed, and whether the calculator is set.
        let cases: [(&str, &str, &str, (bool, bool)); 9] = [
            ("nothing is set", "", "", (true, true)),
            (
                "short",
                "",
                "[capacity-scheduler]\nroot.queues = \"default\"\nroot.default.capacity = 100\n",
                (true, true),
            ),
            ("the default calculator is set", "", only, (true, true)),
            ("a file", "", QUEUES, (true, true)),
            ("another type is counted", "", &counted, (true, false)),
            ("this type is counted", "", &both, (false, false)),
            ("FairScheduler", "scheduler = \"fair\"\n", "", (true, false)),
            ("FifoScheduler", "scheduler = \"fifo\"\n", "", (true, false)),
            (
                "yarn-site.xml",
                "",
                "[files]\n\"yarn-site.xml\" = '''<configuration>\n</configuration>'''\n",
                (true, true),
            ),
        ];
        for (name, head, settings, (listed, dominant)) in cases {
            let before = format!(
                "heddle = 1\nscheduling = \"heartbeat\"\n{head}{settings}[[nodes]]\nname = \"n\"\nsize = \"8 GB/8\"\n"
            );
            let before = if head.is_empty() { before } else { before.replace("scheduling = \"heartbeat\"\n", "") };
            let ImportResult::File { text, report } = read("yarnfile", SERVICE, &before) else {
                panic!("{name}: it is added")
            };
            let told = report.facts.join(" ");
            assert_eq!(told.contains("yarn.resource-types lists it now"), listed, "{name}: {told}");
            assert_eq!(told.contains("DominantResourceCalculator now"), dominant, "{name}: {told}");
            let read = scenario::read(&text);
            let scenario = read.scenario.unwrap_or_else(|| panic!("{name}: {:?}\n{text}", read.problems));
            assert!(scenario.resource_types.names().iter().any(|t| t == "yarn.io/gpu"), "{name}: {text}");
            assert!(heddle_player::Player::load(&text).player.is_some(), "{name}: it starts: {text}");
        }
    }

    /// Each option of the distributed shell's command × what it becomes.
    #[test]
    fn a_command_of_the_distributed_shell_is_taken_with_all_it_says() {
        const BEFORE: &str = "heddle = 1\nscheduling = \"heartbeat\"\n[[nodes]]\nname = \"n\"\nsize = \"8 GB/8\"\n";
        let spec = "spec = \"zk(3),NOTIN,NODE,zk\"";
        for (options, parts) in [
            ("-placement_spec zk(3),NOTIN,NODE,zk", vec!["name = \"shell\"", spec, "size = \"1 GB/1\"", "forever"]),
            ("-placement_spec 'zk(3),NOTIN,NODE,zk'", vec![spec]),
            ("-placement_spec zk\\(3\\),NOTIN,NODE,zk", vec![spec]),
            ("-placement_spec zk=3,NOTIN,NODE,zk", vec!["spec = \"zk=3,NOTIN,NODE,zk\""]),
            ("-num_containers 4", vec!["containers = 4"]),
            ("-container_memory 2048 -container_vcores 2", vec!["size = \"2 GB/2\""]),
            ("-container_memory 500", vec!["size = \"500 MB/1\""]),
            (
                "-container_resources memory=3Gi,yarn.io/gpu=1",
                vec!["size = \"3 GB/1, yarn.io/gpu=1\"", "DominantResourceCalculator"],
            ),
            ("-master_memory 512 -master_vcores 2", vec!["am = \"512 MB/2\""]),
            (
                "-master_resources yarn.io/gpu=2",
                vec!["am = \"100 MB/1, yarn.io/gpu=2\"", "resource-types = \"yarn.io/gpu\""],
            ),
            (
                "-appname mine -priority 3 -shell_cmd_priority 4",
                vec!["name = \"mine\"", "\npriority = 3", "container_priority = 4"],
            ),
            ("-application_tags a,b", vec!["tags = [\"a\", \"b\"]"]),
            ("-attempt_failures_validity_interval 60000", vec!["failures_window = "]),
            ("-shell_args 20", vec!["duration = \"20 s\""]),
        ] {
            let command = format!(
                "yarn org.apache.hadoop.yarn.applications.distributedshell.Client -jar a.jar -shell_command sleep {options}"
            );
            let ImportResult::File { text, report } = read("", &command, BEFORE) else { panic!("{command} is added") };
            for part in parts {
                assert!(text.contains(part), "{options}: {part} in {text}");
            }
            let found = scenario::read(&text);
            assert!(found.scenario.is_some() && report.taken, "{options}: {:?}\n{text}", found.problems);
            let handler = report.facts.iter().any(|f| f.contains("No handler of constraints"));
            assert_eq!(handler, options.contains("placement_spec"), "{options}: {:?}", report.facts);
        }
    }

    #[test]
    fn what_cannot_be_seen_in_a_name_is_told_at_its_place_and_nothing_is_taken() {
        let c = '\u{202e}';
        let files = [
            ("fair.xml", "<allocations>\n<queue name=\"aNb\"/></allocations>", "&#x202e;"),
            (
                "yarn-site.xml",
                "<configuration>\n<property><name>yarn.resource-types</name><value>aNb</value></property></configuration>",
                "&#8238;",
            ),
            (
                "capacity-scheduler.xml",
                "<configuration>\n<property><name>yarn.scheduler.capacity.root.queues</name><value>aNb</value></property></configuration>",
                "&#x202E;",
            ),
            ("job.properties", "task.inputs=k.in\njob.name=aNb\n", "\\u202e"),
            (
                "resources.json",
                "{\"schema\": \"http://example.org/specification/v2.0.0\",\n\"components\": {\"aNb\": {\"yarn.role.priority\": \"1\"}}}",
                "\\u202e",
            ),
        ];
        for (name, text, written) in files {
            for written in [written.to_owned(), c.to_string()] {
                let text = text.replace('N', &written);
                let ImportResult::Unknown(report) = read(name, &text, "heddle = 1\n") else {
                    panic!("{name} is taken: {text}")
                };
                let told = report.problems.iter().find(|p| p.what.contains("U+202E"));
                assert!(
                    told.is_some_and(|p| p.place.is_some_and(|(line, _)| line == 2)) && !report.taken,
                    "{name}: {report:?}"
                );
            }
        }
    }

    #[test]
    fn a_samza_job_is_added_with_its_file_and_one_line_of_it_can_be_changed() {
        let text = include_str!("../../../../tests/samples/job.properties");
        let ImportResult::File { text: once, report } = read("page-views.properties", text, "heddle = 1\n") else {
            panic!("it is added")
        };
        assert_eq!(report.what, "A Samza job: 4 containers with 2 stores.");
        assert!(report.taken && report.problems.iter().any(|p| p.place == Some((5, 1))), "{:?}", report.problems);
        assert!(once.contains(text), "letter for letter: {once}");
        let key = |key: &str| crate::path!["apps", 0, "job.properties", key].to_vec();
        let edit = |change| heddle_view::Edit { what: String::new(), change };
        let put = edit(heddle_view::Change::Put { path: key("job.container.count"), how: How::Text });
        let changed = edits::apply(&once, &put, "6", None).expect("it is written");
        assert_eq!(changed, once.replace("container.count=4", "container.count=6"), "one line");
        let ImportResult::File { text: twice, report } = read("", text, &once) else { panic!("it is added again") };
        let apps = scenario::read(&twice).scenario.expect("it can be played").apps;
        assert_eq!(apps.iter().map(|a| a.name.as_str()).collect::<Vec<_>>(), ["page-views", "page-views-2"]);
        assert!(report.facts.iter().any(|f| f.contains("`page-views-2`")), "{:?}", report.facts);
        // A queue that the scenario does not have, and a job that does not start.
        let queued = format!("{text}yarn.queue=stream\n");
        let queues = "heddle = 1\n[capacity-scheduler]\nroot.queues = \"default\"\nroot.default.capacity = 100\n";
        let ImportResult::File { text: there, report } = read("a.properties", &queued, queues) else {
            panic!("it is added")
        };
        assert!(report.facts[0].contains("no queue `stream` here"), "{:?}", report.facts);
        assert!(there.contains("queue = \"default\""), "{there}");
        let ImportResult::Unknown(report) = read("a.properties", "job.id=x\n", queues) else {
            panic!("it does not start")
        };
        assert!(!report.taken && report.problems.iter().any(|p| p.what.contains("config: job.name")), "{report:?}");
    }

    #[test]
    fn sliders_resources_are_added_letter_for_letter() {
        let text = include_str!("../../../../tests/samples/resources.json");
        let ImportResult::File { text: once, report } = read("resources.json", text, "heddle = 1\n") else {
            panic!("it is added")
        };
        assert_eq!(report.what, "A Slider application: 2 components with 4 instances.");
        assert!(report.taken && once.contains(text), "{once}");
        let refused = text.replace("\"yarn.role.priority\": \"2\"", "\"yarn.role.priority\": \"1\"");
        let ImportResult::Unknown(report) = read("", &refused, "heddle = 1\n") else { panic!("its client refuses it") };
        assert!(!report.taken && report.problems[0].what.contains("duplicates that of"), "{report:?}");
    }

    #[test]
    fn what_is_none_of_ours_leaves_the_scenario_as_it_is() {
        let login = "<!DOCTYPE html>\n<html><input type=\"password\"></html>";
        let mapred = "<configuration><property><name>mapred.capacity-scheduler.queue.a.capacity</name><value>1</value></property></configuration>";
        for (text, part) in [(login, "a page to log in with"), (mapred, "of MapReduce 1"), ("<project/>", "<project>")]
        {
            let ImportResult::Unknown(report) = read("x.xml", text, "heddle = 1\n") else { panic!("{text}") };
            assert!(
                !report.taken && report.problems.iter().any(|p| p.what.contains(part)),
                "{text}: {:?}",
                report.problems
            );
        }
    }
}
