//! The queues as capacity-scheduler.xml, what is wrong with it, and what it takes to make a running ResourceManager follow.

use super::{Editor, FILE, Target, target};
use crate::store::{Effect, Msg};
use crate::what::code::Code;
use crate::what::{problems, report};
use heddle_core::config::check;
use heddle_core::config::mutation::Mutation;
use heddle_core::scenario::Scenario;
use heddle_core::scenario::edit::Change;
use heddle_view::{Problem, Severity};
use std::cell::RefCell;
use std::rc::Rc;
use yew::prelude::*;

/// The queues as the file: as it is written, else as it would be; an edit makes it the scenario's.
pub fn as_text(e: &Editor<'_>) -> Html {
    if let Some(scheduler) = super::fair::other(e) {
        return super::fair::file(e, scheduler);
    }
    let doc = &e.props.doc;
    if doc.scenario.is_none() {
        return super::super::whole(e);
    }
    let target = Target::of(e);
    let text = target.text();
    let marks = found(e, &text).map(|f| problems::marks(&f.problems, 0, text.len())).unwrap_or_default();
    let on = {
        let target = target.clone();
        e.edit(&target.called(FILE), move |t, typed| target.put(t, Change::File(typed)))
    };
    html! {
        <div class="wtext">
            { target::choice(e) }
            if target.file.is_none() { <p class="eyebrow">{ "Written from the scenario’s [capacity-scheduler]; an edit makes it this file." }</p> }
            <Code label={FILE} text={text.clone()} {marks} long={true} {on}/>
            { wrong(e, &target, &text) }
            if doc.stale() { <p class="eyebrow" role="status">{ "Running: the last scenario without an error." }</p> }
            { export(e, &target, &text) }
        </div>
    }
}

/// What was found in a file, with what it was found from.
type Found = (Rc<Scenario>, Rc<str>, Rc<check::Report>);

thread_local! {
    /// The last answer of [`found`]: it takes a while, and the panel is drawn often.
    static FOUND: RefCell<Option<Found>> = const { RefCell::new(None) };
}

/// What is in the file and what is wrong with it: how it is written, what the ResourceManager would refuse, what is only
/// odd. `None` while there is no scenario.
pub fn found(e: &Editor<'_>, text: &Rc<str>) -> Option<Rc<check::Report>> {
    let scenario = e.props.doc.scenario.as_ref()?;
    let known = FOUND.with_borrow(|f| {
        let (of, file, found) = f.as_ref()?;
        (Rc::ptr_eq(of, scenario) && file == text).then(|| found.clone())
    });
    Some(known.unwrap_or_else(|| {
        let settings = &scenario.settings;
        let found = Rc::new(check::check(FILE, text, &settings.yarn_site, &settings.labels));
        FOUND.set(Some((scenario.clone(), text.clone(), found.clone())));
        found
    }))
}

/// The problems of the file (`text`: as it is or would be), with fixes, and what in it decides nothing here.
pub fn wrong(e: &Editor<'_>, target: &Target, text: &Rc<str>) -> Html {
    let Some(found) = found(e, text) else { return html! {} };
    let kept = report::kept(&found.kept.clone().into_iter().collect::<Vec<_>>());
    let Some(file) = &target.file else {
        // Not written as a file: the same rules, without places.
        let said = found.problems.iter().filter(|p| p.severity >= Severity::Warning).map(|p| Problem {
            span: None,
            fix: None,
            ..p.clone()
        });
        let list = problems::list("queues", &said.collect::<Vec<_>>(), text, None, &e.props.go);
        return html! { <>{ list }{ kept }</> };
    };
    let fix: problems::Fix = {
        let (file, target, text) = (file.clone(), target.clone(), e.props.doc.text.clone());
        Rc::new(move |p| {
            let (span, new) = (p.span?, p.fix.as_ref()?);
            let fixed = format!("{}{new}{}", file.get(..span.start)?, file.get(span.end..)?);
            let text = target.put(&text, Change::File(&fixed)).ok()?;
            Some(Msg::Edit { text, what: target.called("fix") })
        })
    };
    let list = problems::list("file", &found.problems, file, Some(&fix), &e.props.go);
    html! { <>{ list }{ kept }</> }
}

/// The file (`text`: as it is or would be), and the change since it was opened, to be taken away.
pub fn export(e: &Editor<'_>, target: &Target, text: &Rc<str>) -> Html {
    let go = &e.props.go;
    let change = Mutation::between(&e.props.doc.delivered, &target.properties);
    let save = |name: &'static str, label: &'static str, text: String| {
        let go = go.clone();
        html! { <button type="button" class="btn edge sm" onclick={move |_| go.emit(Msg::Do(Effect::Save { name: name.into(), text: text.clone() }))}>{ label }</button> }
    };
    let copy = |label: &'static str, text: String| {
        let go = go.clone();
        html! { <button type="button" class="btn edge sm" onclick={move |_| go.emit(Msg::Do(Effect::Copy { text: text.clone(), what: label.into() }))}>{ label }</button> }
    };
    let file = text.to_string();
    let (json, put) = (change.to_json(), change.to_xml());
    html! {
        <details class="export"><summary class="h3">{ "Take it away" }</summary>
            <div class="row">{ save(FILE, "Save capacity-scheduler.xml", file.clone()) }{ copy("Copy it", file) }</div>
            if change.is_empty() {
                <p class="eyebrow">{ "Nothing differs from what was opened: there is no change to send to a ResourceManager." }</p>
            } else {
                <p class="eyebrow">{ "The change since it was opened, for PUT /ws/v1/cluster/scheduler-conf or yarn schedulerconf:" }</p>
                <div class="snip" id="mutation" tabindex="0" role="region" aria-label="Change as JSON">{ &json }</div>
                <div class="row">{ copy("Copy JSON", json.clone()) }{ copy("Copy XML", put.clone()) }{ save("scheduler-conf.json", "Save JSON", json.clone()) }{ save("scheduler-conf.xml", "Save XML", put.clone()) }</div>
            }
        </details>
    }
}
