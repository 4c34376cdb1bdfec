//! The report on an import that became a scenario: each file, what is inferred, what is not known; and the load that a cluster
//! without applications is run with.

use super::import::ImportResult;
use super::open::NewText;
use crate::edits::load;
use crate::forms;
use heddle_core::config::check;
use heddle_core::config::properties::{self, File, PREFIX, Support};
use heddle_core::import::{
    FileReport, Given, Import, Moment, Remark, RemarkAbout, Status, TextKind, alike, folder_of, name_of,
};
use heddle_core::model::Severity;
use heddle_core::scenario;
use heddle_player::agreement::yarn_words;
use heddle_view::{FileView, LinkView, Load, ReadStatus, RemarkValue, RemarkView, Report};

/// The most leaf queues that get an application by themselves.
const FILLED: usize = 300;

/// Opens a scenario made from texts, with a report that names each file; a pasted line opens at the moment when YARN writes
/// it.
pub fn made(import: Import, given: &[Given<'_>]) -> ImportResult {
    made_of(import, |name| given.iter().find(|one| one.name == name).map_or("", |one| one.text))
}

/// The same; `text` returns what is known still of a file's text, by its name.
pub fn made_of<'t>(mut import: Import, text: impl Fn(&str) -> &'t str) -> ImportResult {
    import.check_line(yarn_words);
    let Import { files, scenario, inferred, unknown, moment, lists_nodes, offers, .. } = import;
    let name = match files.as_slice() {
        [only] if only.name.is_empty() => "pasted text".to_owned(),
        [only] => only.name.clone(),
        _ => format!("{} files", files.len()),
    };
    let views = views(&files, text);
    let Some(scenario) = scenario else {
        let what = match files.as_slice() {
            [only] => format!("{}: nothing of it can be used.", only.what),
            _ => "nothing of them can be used.".to_owned(),
        };
        let problems = files.into_iter().flat_map(|file| file.problems).collect();
        // What is wrong with a single file stands by itself.
        let (files, list) = match views.len() {
            1 => (Vec::new(), views.into_iter().next().and_then(|view| view.problems)),
            _ => (views, None),
        };
        return ImportResult::Unknown(Box::new(Report { name, what, files, problems, list, ..Report::default() }));
    };
    let names: Vec<String> = files.iter().map(|file| file.name.clone()).collect();
    let said = left_open(inferred.len(), unknown.len());
    let mut new = NewText { text: scenario, offers, ..NewText::default() };
    let about_one = !moment.what.is_empty();
    // A line alone opens at what it is about, and its report is one click away; a list of nodes is about all of them.
    let line = about_one && names.len() == 1 && !lists_nodes;
    if line {
        let what = files.first().map(|file| file.what.clone()).unwrap_or_default();
        new.notice = Some(format!("{what}. {said}").trim_end().to_owned());
    }
    let mut report = Report {
        name,
        what: format!("one scenario of {}. {said}", if files.len() == 1 { "it" } else { "them" }).trim_end().to_owned(),
        files: views,
        opened: true,
        ..Report::default()
    };
    let missing = missing(&files, &new.text);
    report.unknown = missing.into_iter().chain(unknown.into_iter().map(remark)).collect();
    report.inferred = inferred.into_iter().map(remark).collect();
    if !line {
        fill(&mut new, &mut report);
        entitle(&mut new.text, &names);
    }
    report.problems = files.into_iter().flat_map(|file| file.problems).collect();
    // What a line among the files is about is shown, else the moment when most is missing.
    if about_one && (line || names.len() > 1) {
        new.view = Some(looks_at(moment));
    }
    new.stand = !line;
    new.report = Some(Box::new(report));
    ImportResult::Scenario(Box::new(new))
}

fn looks_at(moment: Moment) -> LinkView {
    LinkView { time_ms: Some(moment.at_ms), select: Some(moment.what), ..LinkView::default() }
}

/// Says how many values are inferred and how many are not known; nothing of none.
fn left_open(inferred: usize, unknown: usize) -> String {
    let are = |n: usize| if n == 1 { "1 value is".to_owned() } else { format!("{n} values are") };
    let also = if unknown == 1 { "1 is".to_owned() } else { format!("{unknown} are") };
    match (inferred, unknown) {
        (0, 0) => String::new(),
        (n, 0) => format!("{} inferred.", are(n)),
        (0, n) => format!("{} not known.", are(n)),
        (n, _) => format!("{} inferred, {also} not known.", are(n)),
    }
}

/// Returns what each file is, and what was read of it; files that are alike in one line, without the folder that all are in.
fn views<'t>(files: &[FileReport], text: impl Fn(&str) -> &'t str) -> Vec<FileView> {
    let folder = common_folder(files.iter().map(|file| file.name.as_str())).map_or(0, |folder| folder.len() + 1);
    let mut out = Vec::new();
    for group in alike(files) {
        let Some(first) = files.get(group.start) else { continue };
        let mut one = view(first, text(&first.name));
        one.name.drain(..folder);
        if group.len() > 1 {
            one.name = format!("{}: {} files", folder_of(&one.name), group.len()).trim_start_matches(": ").to_owned();
            one.holds = "all of each".to_owned();
        }
        out.push(one);
    }
    out
}

/// Returns the folder that all files are in.
fn common_folder<'n>(mut names: impl Iterator<Item = &'n str>) -> Option<&'n str> {
    let mut folder = folder_of(names.next()?);
    for name in names {
        while !name.strip_prefix(folder).is_some_and(|rest| rest.starts_with('/')) {
            folder = folder_of(folder);
            if folder.is_empty() {
                return None;
            }
        }
    }
    Some(folder).filter(|folder| !folder.is_empty())
}

/// Returns what a file is, and what was read of it.
fn view(file: &FileReport, text: &str) -> FileView {
    let kind = file.kind.and_then(name_of).unwrap_or(&file.what);
    let holds = file.what.strip_prefix(kind).map_or("", |rest| rest.trim_start_matches(':').trim());
    let count = |s: Severity| file.problems.iter().filter(|p| p.severity == s).count();
    let of_settings = [TextKind::CapacityScheduler, TextKind::Site, TextKind::FairScheduler];
    let kept = file
        .kind
        .is_some_and(|kind| of_settings.contains(&kind))
        .then(|| check::check(&file.name, text, &Default::default(), &[]).kept.into_iter().collect::<Vec<_>>());
    FileView {
        name: file.name.clone(),
        kind: kind.to_owned(),
        holds: holds.to_owned(),
        status: match file.status {
            Status::Read => ReadStatus::Read,
            Status::Partly => ReadStatus::Partly,
            Status::NotRead => ReadStatus::NotRead,
        },
        problems: forms::problems::list(&file.name, &file.problems, text, None),
        counts: (count(Severity::Error), count(Severity::Warning)),
        kept: kept.unwrap_or_default(),
    }
}

fn remark(remark: Remark) -> RemarkView {
    let Remark { what, source, about } = remark;
    let value = |about| match about {
        RemarkAbout::Release => Some(RemarkValue::Release),
        RemarkAbout::Nodes => Some(RemarkValue::Nodes),
        RemarkAbout::Property(name) => property(&name),
        RemarkAbout::Labels => Some(RemarkValue::Labels),
        RemarkAbout::RunTimes => Some(RemarkValue::RunTimes),
    };
    RemarkView { what, source, about: about.into_iter().filter_map(value).collect() }
}

/// Returns the property that a name means, whether its prefix is written or not.
fn property(name: &str) -> Option<RemarkValue> {
    let full = |name: &str| properties::find(name, &|_| true).map(|row| row.property.file);
    if let Some(File::Site) = full(name) {
        return Some(RemarkValue::Site(name.to_owned()));
    }
    let capacity = if name.starts_with(PREFIX) { name.to_owned() } else { format!("{PREFIX}{name}") };
    full(&capacity).is_some_and(|file| file != File::Site).then_some(RemarkValue::Capacity(capacity))
}

/// Returns the remark that yarn-site.xml was not given, with the number of its modelled properties that nothing sets.
fn missing(files: &[FileReport], text: &str) -> Option<RemarkView> {
    let settings = files.iter().any(|f| matches!(f.kind, Some(TextKind::CapacityScheduler | TextKind::FairScheduler)));
    let has = |file: &FileReport| {
        use TextKind::{Ambari, Cloudera, Conf, Emr, Scenario, Site};
        file.kind.is_some_and(|kind| [Site, Conf, Emr, Ambari, Cloudera, Scenario].contains(&kind))
    };
    if !settings || files.iter().any(has) {
        return None;
    }
    let set = scenario::read(text).scenario.map(|s| s.settings.yarn_site).unwrap_or_default();
    let all = properties::table(File::Site, false);
    let taken = all.iter().filter(|p| p.support == Support::Modelled && !set.contains_key(p.name)).count();
    Some(RemarkView {
        what: format!("`yarn-site.xml` is missing: {taken} of its settings are taken as defaults."),
        source: "Add the file, or drop it here".into(),
        about: vec![RemarkValue::File],
    })
}

/// Names a scenario without a title after its files.
fn entitle(text: &mut String, files: &[String]) {
    let Some(first) = files.first().filter(|name| !name.is_empty()) else { return };
    let title = match files.len() {
        1 => first.to_owned(),
        n => match common_folder(files.iter().map(String::as_str)) {
            Some(folder) => format!("{folder}: {n} files"),
            None => format!("{first} and {} more", n - 1),
        },
    };
    // The title stands before all tables: the rest need not be read for it.
    let head = text.find("\n[").map_or(text.len(), |end| end + 1);
    let titled = text[..head].lines().any(|line| line.trim_start().starts_with("title"));
    if !titled && let Ok(next) = scenario::edit::set_title(&text[..head], &title) {
        text.replace_range(..head, &next);
    }
}

/// Fills every queue of a cluster that came without applications, so that its run has something to tell.
fn fill(new: &mut NewText, report: &mut Report) {
    let Some(scenario) = scenario::read(&new.text).scenario else { return };
    if !scenario.apps.is_empty() || !scenario.happenings.is_empty() {
        return;
    }
    let leaves = load::leaves(&scenario).len();
    if leaves > FILLED {
        report.facts.push(format!("No load was added: there are {leaves} queues. Choose one below."));
        return;
    }
    match load::load(&new.text, &new.text, Load::FillQueues) {
        Ok(text) => {
            new.text = text;
            report
                .facts
                .push("The files have no applications, so a load was generated. Choose another one above.".into());
        }
        Err(why) => report.facts.push(format!("No load could be added: {why}")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_that_are_alike_are_one_line_without_the_folder_of_all() {
        let file = |name: &str, kind| FileReport {
            name: name.to_owned(),
            kind: Some(kind),
            what: name_of(kind).unwrap_or_default().to_owned(),
            status: Status::Read,
            problems: Vec::new(),
        };
        let mut files: Vec<FileReport> = (0..5).map(|i| file(&format!("dump/app/{i}.json"), TextKind::Apps)).collect();
        files.push(file("dump/nodes.json", TextKind::Nodes));
        let names = |files: &[FileReport]| views(files, |_| "").into_iter().map(|v| v.name).collect::<Vec<_>>();
        assert_eq!(names(&files), ["app: 5 files", "nodes.json"]);
        assert_eq!(names(&files[..5]), ["5 files"]);
        assert_eq!(names(&files[4..]), ["app/4.json", "nodes.json"]);
        let folder = |names: &[&str]| common_folder(names.iter().copied()).map(str::to_owned);
        assert_eq!(folder(&["a/b/c", "a/bc/d"]).as_deref(), Some("a"));
        assert_eq!((folder(&["a/b", "c"]), folder(&["ab/c", "a/d"]), folder(&[])), (None, None, None));
        let mut text = String::from("heddle = 1\n");
        entitle(&mut text, &files.iter().map(|f| f.name.clone()).collect::<Vec<_>>());
        assert!(text.contains("title = \"dump: 6 files\""), "{text}");
    }

    #[test]
    fn nothing_is_said_of_none() {
        assert_eq!(left_open(0, 0), "");
        assert_eq!(left_open(3, 0), "3 values are inferred.");
        assert_eq!(left_open(0, 1), "1 value is not known.");
        assert_eq!(left_open(1, 2), "1 value is inferred, 2 are not known.");
    }
}
