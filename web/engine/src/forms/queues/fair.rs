//! Queues under the other schedulers: the FairScheduler's are in its allocation file; the FifoScheduler has a single one.

use super::super::{make, problems};
use super::Editor;
use crate::path;
use heddle_core::config::fair::{self, FILE, FairConf, edit};
use heddle_core::model::Span;
use heddle_view::form::{Button, Code, Control, Field, GroupShape, Head, Note, Part, Property, Source, Tone};
use heddle_view::{Change, Edit, Problem, QueueChange, QueueView, SchedulerChoice, Severity};

/// The content of a first file.
const EMPTY: &str = "<?xml version=\"1.0\"?>\n<allocations>\n  <queue name=\"default\"/>\n</allocations>\n";

/// An element: name, unit, default, meaning (fair-scheduler.md 4.1, 4.2).
type FairElement = (&'static str, &'static str, &'static str, &'static str);

const POLICIES: [&str; 3] = ["fair", "drf", "fifo"];
const AMOUNT: &str = "4096 mb, 4 vcores";

/// The elements of a queue.
const OF_QUEUE: [FairElement; 14] = [
    ("weight", "", "1.0", "Its part among its siblings: 2 gets twice what 1 gets."),
    ("minResources", AMOUNT, "", "Below this it is served before its siblings that have theirs."),
    ("maxResources", AMOUNT, "", "The most that it may use; queueMaxResourcesDefault unless set."),
    ("maxRunningApps", "applications", "", "The most that may run at a time; queueMaxAppsDefault unless set."),
    (
        "maxAMShare",
        "fraction",
        "",
        "How much of its fair share ApplicationMasters may take; -1: no check. Leaves only.",
    ),
    (
        "schedulingPolicy",
        "",
        "",
        "By memory (fair), by dominant resource (drf), or first come, first served (fifo, leaves only).",
    ),
    ("maxChildResources", AMOUNT, "", "The most that each queue made below it by a rule may use."),
    ("maxContainerAllocation", AMOUNT, "", "The largest container that an application may ask for in it."),
    ("minSharePreemptionTimeout", "s", "", "How long it is below minResources before containers of others are taken."),
    (
        "fairSharePreemptionTimeout",
        "s",
        "",
        "How long an application is below its part of the fair share before containers of others are taken.",
    ),
    ("fairSharePreemptionThreshold", "fraction", "", "Which part of the fair share that is; 0.5 unless set."),
    ("allowPreemptionFrom", "", "true", "May containers be taken from it for others?"),
    ("aclSubmitApps", "", "*", "Who may submit to it: user,user group,group. What its parents allow is allowed here."),
    ("aclAdministerApps", "", "*", "Who may end and move what runs in it."),
];

/// The elements of the whole file.
const OF_FILE: [FairElement; 8] = [
    ("queueMaxResourcesDefault", AMOUNT, "", "maxResources of queues without one."),
    ("queueMaxAppsDefault", "applications", "", "maxRunningApps of queues without one."),
    ("queueMaxAMShareDefault", "fraction", "0.5", "maxAMShare of leaves without one."),
    ("userMaxAppsDefault", "applications", "", "The most that a user may run at a time."),
    ("defaultQueueSchedulingPolicy", "", "fair", "schedulingPolicy of queues without one."),
    ("defaultMinSharePreemptionTimeout", "s", "", "minSharePreemptionTimeout of root."),
    ("defaultFairSharePreemptionTimeout", "s", "", "fairSharePreemptionTimeout of root."),
    ("defaultFairSharePreemptionThreshold", "fraction", "0.5", "fairSharePreemptionThreshold of root."),
];

/// The rows that the form shows first; the others are under "more".
const FIRST: usize = 6;

/// Returns the scheduler, unless it is the CapacityScheduler.
pub fn other(e: &Editor<'_>) -> Option<SchedulerChoice> {
    let scheduler = e.of.scenario?.settings.scheduler;
    (scheduler != SchedulerChoice::Capacity).then_some(scheduler)
}

/// Returns the file as written, with its faults; the running scenario may be an earlier one.
fn written(e: &Editor<'_>) -> String {
    e.written.text(&path!["files", FILE])
}

fn found(e: &Editor<'_>, text: &str) -> Vec<Problem> {
    let types = e.of.scenario.map(|s| s.resource_types.clone()).unwrap_or_default();
    let unreached = e.of.scenario.is_some_and(|s| FairConf::lets_rules_be_unreached(&s.settings.yarn_site));
    match fair::read(FILE, text, &types, unreached) {
        Ok((_, found)) => found,
        Err(fault) => vec![*fault],
    }
}

/// Returns the form of the selected queue, and the file.
pub fn form(e: &Editor<'_>, scheduler: SchedulerChoice, chosen: Option<&QueueView>) -> Vec<Part> {
    let text = written(e);
    let found = found(e, &text);
    let file = edit::ParsedFile::of(&text).filter(|_| scheduler == SchedulerChoice::Fair);
    let mut out = Vec::new();
    if let (Some(file), Some(q)) = (file, chosen) {
        let of = ElementOwner { file, found: &found, queue: &q.path };
        let remove = (of.file.has(&q.path) && q.path != "root").then(|| {
            let edit = change(format!("remove queue {}", q.name), QueueChange::Remove { queue: q.path.clone() });
            Button { label: format!("Remove {}", q.path), ..make::button("Remove", edit) }
        });
        out.push(Part::Head(Head { title: q.path.clone(), button: remove, ..Head::default() }));
        out.push(of.child(e));
        let (first, rest) = OF_QUEUE.split_at(FIRST);
        out.extend(first.iter().map(|row| of.row(&q.path, row)));
        out.push(of.more(&q.path, "More", rest));
        if q.path == "root" {
            out.push(of.more("", "For all queues", &OF_FILE));
        }
    }
    out.extend(whole(scheduler, &text, &found));
    out
}

fn change(what: String, change: QueueChange) -> Edit {
    make::edit(what, Change::Queues { at_ms: None, change })
}

/// The owner of elements.
struct ElementOwner<'a> {
    file: edit::ParsedFile<'a>,
    /// The problems of the file.
    found: &'a [Problem],
    queue: &'a str,
}

impl ElementOwner<'_> {
    fn child(&self, e: &Editor<'_>) -> Part {
        let there = |name: &String| {
            let path = format!("{}.{name}", self.queue);
            self.file.has(&path) || e.of.snapshot.queues.iter().any(|q| q.path == path)
        };
        let name = (1..).map(|i| format!("q{i}")).find(|n| !there(n)).unwrap_or_default();
        let edit = change(
            format!("add queue under {}", self.queue),
            QueueChange::Child { parent: self.queue.into(), name: name.clone() },
        );
        let label = format!("Name of a new queue under {}", self.queue);
        let field = Field { id: "q-child".into(), ..make::bare(&label, "", &name, edit) };
        Part::Line { field, button: "+ Child".into(), clear: true }
    }

    fn more(&self, queue: &str, title: &str, rows: &[FairElement]) -> Part {
        let set = rows.iter().filter(|(name, ..)| self.file.value(queue, name).is_some()).count();
        Part::Details {
            key: format!("{}{title}", self.queue),
            summary: if set > 0 { format!("{title}, {set} set") } else { title.to_owned() },
            parts: rows.iter().map(|row| self.row(queue, row)).collect(),
        }
    }

    /// Returns the row of an element of a queue, or of the whole file ("").
    fn row(&self, queue: &str, (name, unit, default, help): &FairElement) -> Part {
        let value = self.file.value(queue, name).unwrap_or_default();
        let full = if queue.is_empty() { (*name).to_owned() } else { format!("{queue}.{name}") };
        let of = if queue.is_empty() { "all queues" } else { queue };
        let edit = change(format!("{name} of {of}"), QueueChange::Property { name: full.clone(), blank: false });
        let words: &[&str] = match *name {
            "schedulingPolicy" | "defaultQueueSchedulingPolicy" => &POLICIES,
            "allowPreemptionFrom" => &["true", "false"],
            _ => &[],
        };
        let control = if !words.is_empty() && (value.is_empty() || words.contains(&value.as_str())) {
            let none = if default.is_empty() { "not set".to_owned() } else { format!("{default} (default)") };
            let words = words.iter().map(|w| (w.to_string(), w.to_string()));
            Control::Choice([(String::new(), none)].into_iter().chain(words).collect())
        } else {
            Control::Line
        };
        let notes = self.notes(self.file.span(queue, name));
        let invalid = notes.iter().any(|n| n.tone == Tone::Rejected);
        let amount = *unit == AMOUNT;
        let placeholder = if amount { AMOUNT } else { default };
        let id = format!("{}-{name}", if queue.is_empty() { "all" } else { "q" });
        Part::Property(Property {
            field: Field { id, control, invalid, ..make::field("", name, value.clone(), placeholder, edit) },
            name: full,
            unit: if amount { String::new() } else { (*unit).into() },
            set: !value.is_empty(),
            notes,
            help: (*help).into(),
        })
    }

    /// Returns the notes for a place.
    fn notes(&self, span: Option<Span>) -> Vec<Note> {
        let at = |p: &&Problem| span.zip(p.span).is_some_and(|(own, p)| own.start <= p.start && p.end <= own.end);
        let said = self.found.iter().filter(at).flat_map(|p| {
            let tone = if p.severity == Severity::Error { Tone::Rejected } else { Tone::Waiting };
            [make::note(p.what.clone(), tone), make::note(p.mend.clone(), Tone::Small)]
        });
        said.filter(|n| !n.text.is_empty()).collect()
    }
}

/// Returns the editor of the file, and its problems.
pub fn file(e: &Editor<'_>, scheduler: SchedulerChoice) -> Vec<Part> {
    let text = written(e);
    whole(scheduler, &text, &found(e, &text))
}

fn whole(scheduler: SchedulerChoice, text: &str, found: &[Problem]) -> Vec<Part> {
    if scheduler == SchedulerChoice::Fifo {
        return vec![make::soft("The FifoScheduler has one queue, default, without settings.")];
    }
    let edit = |what: &str, text: Option<&str>| {
        make::edit(what, Change::File { name: FILE.into(), text: text.map(str::to_owned) })
    };
    if text.is_empty() {
        let write = make::button("Write fair-scheduler.xml", edit("write fair-scheduler.xml", Some(EMPTY)));
        return vec![
            make::soft("There is no fair-scheduler.xml: queues are made for the applications that name them."),
            make::row(write, ""),
        ];
    }
    let code = Part::Code(Code {
        label: FILE.into(),
        text: Source::Text(text.to_owned()),
        marks: problems::marks(found, text),
        long: true,
        error: false,
        edit: edit(FILE, None),
    });
    let parts = [code].into_iter().chain(problems::list("file", found, text, None)).collect();
    vec![make::group("text", GroupShape::Text, None, parts)]
}
