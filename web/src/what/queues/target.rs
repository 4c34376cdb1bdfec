//! Where a change of the queues goes: into the start of the scenario, or into a refresh at the current time.

use super::{Editor, FILE};
use crate::edits;
use crate::path;
use crate::store::{LookAt, Msg};
use crate::ui::{Segment, time};
use heddle_core::config::xml;
use heddle_core::explain::view::{Fate, Selection};
use heddle_core::model::Millis;
use heddle_core::rm::Properties;
use heddle_core::scenario::edit::{self, Change};
use heddle_core::scenario::units;
use std::rc::Rc;
use yew::prelude::*;

/// See the module.
#[derive(Clone)]
pub struct Target {
    /// When the queues are refreshed; `None`: at the start.
    at: Option<Millis>,
    /// The file as it is in force there, if the queues are written as one.
    pub file: Option<Rc<str>>,
    /// The properties in force there.
    pub properties: Rc<Properties>,
}

impl Target {
    /// As chosen.
    pub fn of(e: &Editor<'_>) -> Target {
        let doc = &e.props.doc;
        let at = e.props.view.refresh.then_some(e.props.answers.frame.snapshot.time_ms);
        let scenario = doc.scenario.as_deref();
        let file = match (at, scenario) {
            (Some(at), Some(scenario)) => edit::file_in_force(&doc.text, scenario, at),
            _ => Some(e.written.text(path!["files", FILE])).filter(|f| !f.is_empty()),
        };
        let properties = scenario.map(|s| edit::in_force(s, at.unwrap_or(-1)).clone()).unwrap_or_default();
        Target { at, file: file.map(Into::into), properties: Rc::new(properties) }
    }

    /// The file, or what it would be.
    pub fn text(&self) -> Rc<str> {
        self.file.clone().unwrap_or_else(|| xml::write(&self.properties).into())
    }

    /// The scenario's text with a change.
    pub fn put(&self, text: &str, change: Change<'_>) -> Result<String, String> {
        let first = self.at.is_none() && self.file.is_none() && matches!(change, Change::File(_));
        let text = edit::change_queues(text, self.at, change)?;
        // What stood in short form is in the file now, and would go before it.
        if first { edits::remove(&text, path!["capacity-scheduler"]) } else { Ok(text) }
    }

    /// What an edit is called.
    pub fn called(&self, what: &str) -> String {
        match self.at {
            Some(at) => format!("{what}, refreshed at {}", time(at)),
            None => what.to_owned(),
        }
    }
}

/// The choice, and the refreshes that there are.
pub fn choice(e: &Editor<'_>) -> Html {
    let (go, view) = (e.props.go.clone(), &e.props.view);
    let now = e.props.answers.frame.snapshot.time_ms;
    let there = edit::refreshed_at(&e.props.doc.text);
    html! {
        <div class="apply">
            <span class="eyebrow">{ "A change applies" }</span>
            <Segment label="A change of the queues applies" options={vec!["from the start", "as a refresh now"]} chosen={usize::from(view.refresh)}
                on={Callback::from(move |i| go.emit(Msg::Look(LookAt::Refresh(i == 1))))}/>
            if view.refresh { <p class="eyebrow">{ format!("Into refreshQueues at {}: what runs then keeps running.", units::time_text(now)) }</p> }
            { for there.into_iter().map(|(at, entry)| {
                let go = e.props.go.clone();
                let remove = e.press(&format!("remove the refresh at {}", time(at)), move |t| edits::remove(t, path!["happenings", entry]));
                let label = units::time_text(at);
                let refused = e.props.answers.frame.events.iter().find(|ev| ev.fate == Fate::Rejected && ev.who == Some(Selection::Refresh(at)));
                html! {
                    <div class="msg"><span/><div>{ "Refreshed at " }<button type="button" class="link" onclick={move |_| go.emit(Msg::Seek(at))}>{ label.clone() }</button>
                        { " " }<button type="button" class="link" aria-label={format!("Remove the refresh at {label}")} onclick={remove}>{ "remove" }</button>
                        if let Some(refused) = refused { <><div class="rejected">{ "The ResourceManager refuses it: " }{ &refused.yarn }</div><div class="mend">{ &refused.mend }</div></> }</div></div>
                }
            }) }
        </div>
    }
}
