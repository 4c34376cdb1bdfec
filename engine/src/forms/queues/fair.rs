//! Queues under the other schedulers: the FairScheduler's stand in its allocation file; the FifoScheduler has one.

use super::super::{make, problems};
use super::Editor;
use crate::path;
use heddle_core::config::fair::{self, FairConf};
use heddle_view::form::{Code, Part, Shape, Source};
use heddle_view::{Change, SchedulerChoice};

/// The FairScheduler's file of queues.
const FILE: &str = "fair-scheduler.xml";
/// What a first file says.
const EMPTY: &str = "<?xml version=\"1.0\"?>\n<allocations>\n  <queue name=\"default\"/>\n</allocations>\n";

/// Which scheduler runs, if it is not the CapacityScheduler.
pub fn other(e: &Editor<'_>) -> Option<SchedulerChoice> {
    let scheduler = e.of.scenario?.settings.scheduler;
    (scheduler != SchedulerChoice::Capacity).then_some(scheduler)
}

/// The file, to be changed, and what is wrong with it.
pub fn file(e: &Editor<'_>, scheduler: SchedulerChoice) -> Vec<Part> {
    let Some(s) = e.of.scenario else { return vec![] };
    if scheduler == SchedulerChoice::Fifo {
        return vec![make::soft("The FifoScheduler has one queue, default, without settings.")];
    }
    // As it is written, with its faults; the scenario that runs may be an earlier one.
    let text = e.written.text(&path!["files", FILE]);
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
    let unreached = FairConf::lets_rules_be_unreached(&s.settings.yarn_site);
    let found = match fair::read(FILE, &text, &s.resource_types, unreached) {
        Ok((_, found)) => found,
        Err(fault) => vec![*fault],
    };
    let code = Part::Code(Code {
        label: FILE.into(),
        text: Source::Text(text.clone()),
        marks: problems::marks(&found, &text),
        long: true,
        error: false,
        edit: edit(FILE, None),
    });
    let parts = [code].into_iter().chain(problems::list("file", &found, &text, None)).collect();
    vec![make::group("text", Shape::Text, None, parts)]
}
