//! Queues under the other schedulers: the FairScheduler's stand in its allocation file; the FifoScheduler has one.

use super::super::Editor;
use crate::edits;
use crate::path;
use crate::what::code::Code;
use crate::what::problems;
use heddle_core::config::fair;
use heddle_view::SchedulerChoice;
use std::rc::Rc;
use yew::prelude::*;

/// The FairScheduler's file of queues.
const FILE: &str = "fair-scheduler.xml";
/// What a first file says.
const EMPTY: &str = "<?xml version=\"1.0\"?>\n<allocations>\n  <queue name=\"default\"/>\n</allocations>\n";

/// Which scheduler runs, if it is not the CapacityScheduler.
pub fn other(e: &Editor<'_>) -> Option<SchedulerChoice> {
    let scheduler = e.props.doc.scenario.as_ref()?.settings.scheduler;
    (scheduler != SchedulerChoice::Capacity).then_some(scheduler)
}

/// The file, to be changed, and what is wrong with it.
pub fn file(e: &Editor<'_>, scheduler: SchedulerChoice) -> Html {
    let Some(s) = &e.props.doc.scenario else { return html! {} };
    if scheduler == SchedulerChoice::Fifo {
        return html! { <p class="soft">{ "The FifoScheduler has one queue, default, without settings." }</p> };
    }
    // As it is written, with its faults; the scenario that runs may be an earlier one.
    let text: Rc<str> = e.written.text(path!["files", FILE]).into();
    if text.is_empty() {
        let write = e.press("write fair-scheduler.xml", |t| edits::set_file(t, FILE, EMPTY));
        return html! {
            <>
                <p class="soft">{ "There is no fair-scheduler.xml: queues are made for the applications that name them." }</p>
                <div class="row"><button type="button" class="btn edge sm" onclick={write}>{ "Write fair-scheduler.xml" }</button></div>
            </>
        };
    }
    let found = match fair::read(FILE, &text, &s.resource_types) {
        Ok((_, found)) => found,
        Err(fault) => vec![*fault],
    };
    let on = e.edit(FILE, |t, typed| edits::set_file(t, FILE, typed));
    html! {
        <div class="wtext">
            <Code label={FILE} text={text.clone()} marks={problems::marks(&found, 0, text.len())} long={true} {on}/>
            { problems::list("file", &found, &text, None, &e.props.go) }
        </div>
    }
}
