//! The queues as capacity-scheduler.xml, its problems, and what a running ResourceManager needs to adopt it.

use super::super::{Checked, make, problems, stale, whole};
use super::{Editor, FILE, Target, target};
use heddle_core::config::check;
use heddle_core::config::mutation::Mutation;
use heddle_core::rm::{NodeLabel, Properties};
use heddle_view::form::{Code, Export, GroupShape, Part, Source};
use heddle_view::{Fixed, Problem, QueueChange, Severity};
use std::rc::Rc;

/// Returns the queues as a file, written or generated; editing it makes it part of the scenario.
pub fn as_text(e: &Editor<'_>) -> Vec<Part> {
    if let Some(scheduler) = super::fair::other(e) {
        return super::fair::file(e, scheduler);
    }
    if e.of.scenario.is_none() {
        return vec![whole(e)];
    }
    let target = Target::of(e);
    let text = target.text();
    let found = found(e, &text);
    let mut parts = vec![target::choice(e)];
    if target.file.is_none() {
        let note = "Written from the scenario’s [capacity-scheduler]; an edit makes it this file.";
        parts.push(make::small(note));
    }
    parts.push(Part::Code(Code {
        label: FILE.into(),
        text: Source::Text(text.clone()),
        marks: found.as_ref().map(|f| problems::marks(&f.problems, &text)).unwrap_or_default(),
        long: true,
        error: false,
        edit: target.edit(FILE, QueueChange::File),
    }));
    parts.extend(wrong(&target, &text, found.as_ref()));
    parts.extend(stale(e));
    parts.push(export(e, &target, text));
    vec![make::group("text", GroupShape::Text, None, parts)]
}

/// The report on a file, with what it depends on.
#[derive(Clone)]
pub struct QueueFileReport {
    file: String,
    yarn_site: Properties,
    labels: Vec<NodeLabel>,
    found: Checked,
}

impl QueueFileReport {
    /// Returns whether the file's report has a problem.
    pub fn tells(&self, problem: &Problem) -> bool {
        self.found.problems.iter().any(|p| p.what == problem.what)
    }
}

/// Returns the report on the file: its notation, what the ResourceManager would refuse, and what is only odd. `None` without
/// a scenario.
pub fn found(e: &Editor<'_>, file: &str) -> Option<Checked> {
    let settings = &e.of.scenario?.settings;
    let mut memo = e.found.borrow_mut();
    let same =
        |m: &&QueueFileReport| m.file == file && m.yarn_site == settings.yarn_site && m.labels == settings.labels;
    if let Some(known) = memo.as_ref().filter(same) {
        return Some(known.found.clone());
    }
    let found = Rc::new(check::check(FILE, file, &settings.yarn_site, &settings.labels));
    let (yarn_site, labels) = (settings.yarn_site.clone(), settings.labels.clone());
    *memo = Some(QueueFileReport { file: file.to_owned(), yarn_site, labels, found: found.clone() });
    Some(found)
}

/// Returns the problems of the file (`text`, written or generated) with fixes, and the settings in it that have no effect
/// here.
pub fn wrong(target: &Target, text: &str, found: Option<&Checked>) -> Vec<Part> {
    let Some(found) = found else { return vec![] };
    let list = match &target.file {
        Some(file) => {
            let what = target.called("fix");
            problems::list("file", &found.problems, file, Some(&(Fixed::Queues(target.at), &what)))
        }
        // Generated text has no places to point at; the same rules apply.
        None => {
            let said = found.problems.iter().filter(|p| p.severity >= Severity::Warning);
            let said: Vec<Problem> = said.map(|p| Problem { span: None, fix: None, ..p.clone() }).collect();
            problems::list("queues", &said, text, None)
        }
    };
    let kept: Vec<(String, String)> = found.kept.iter().map(|(k, v)| (k.clone(), v.clone())).collect();
    list.into_iter().chain((!kept.is_empty()).then_some(Part::Kept(kept))).collect()
}

/// Returns the file, written or generated, and the change since it was opened, for copying.
pub fn export(e: &Editor<'_>, target: &Target, file: String) -> Part {
    let change = Mutation::between(e.of.delivered, &target.properties);
    let change = (!change.is_empty()).then(|| (change.to_json(), change.to_xml()));
    Part::Export(Export { file, change })
}
