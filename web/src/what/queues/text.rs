//! The queues as capacity-scheduler.xml, what is wrong with it, and what it takes to make a running ResourceManager follow.

use super::{Editor, FILE, Target, target};
use crate::edits;
use crate::path;
use crate::store::{Effect, Msg};
use crate::what::code::Code;
use crate::what::problems;
use heddle_core::config::mutation::Mutation;
use heddle_core::config::{check, xml};
use heddle_core::model::{Problem, Severity};
use heddle_core::scenario::Scenario;
use heddle_core::scenario::edit::Change;
use std::cell::RefCell;
use std::rc::Rc;
use yew::prelude::*;

/// The file as text; without one, the scenario and a button that makes the file.
pub fn as_text(e: &Editor<'_>) -> Html {
    if let Some(scheduler) = super::fair::other(e) {
        return super::fair::file(e, scheduler);
    }
    let target = Target::of(e);
    let doc = &e.props.doc;
    let Some(text) = target.file.clone() else {
        let properties = target.properties.clone();
        let write = e.press("write capacity-scheduler.xml", move |t| {
            let text = edits::set_file(t, FILE, &xml::write(&properties))?;
            edits::remove(&text, path!["capacity-scheduler"])
        });
        return html! { <>{ super::super::whole(e) }<div class="row"><button type="button" class="btn edge sm" onclick={write}>{ "Write as capacity-scheduler.xml" }</button></div></> };
    };
    let all = problems(e, &text);
    let on = {
        let target = target.clone();
        e.edit(&target.called(FILE), move |t, typed| target.put(t, Change::File(typed)))
    };
    html! {
        <div class="wtext">
            { target::choice(e) }
            <Code label={FILE} text={text.clone()} marks={problems::marks(&all, 0, text.len())} long={true} {on}/>
            { wrong(e, &target) }
            if doc.stale() { <p class="eyebrow" role="status">{ "Running: the last scenario without an error." }</p> }
            { export(e, &target) }
        </div>
    }
}

/// What was found in a file, with what it was found from.
type Found = (Rc<Scenario>, Rc<str>, Rc<[Problem]>);

thread_local! {
    /// The last answer of [`problems`]: it takes a while, and the panel is drawn often.
    static FOUND: RefCell<Option<Found>> = const { RefCell::new(None) };
}

/// What is wrong with the file: how it is written, what the ResourceManager would refuse, what is only odd.
fn problems(e: &Editor<'_>, text: &Rc<str>) -> Rc<[Problem]> {
    let Some(scenario) = &e.props.doc.scenario else { return Rc::default() };
    let known = FOUND.with_borrow(|f| {
        let (of, file, found) = f.as_ref()?;
        (Rc::ptr_eq(of, scenario) && file == text).then(|| found.clone())
    });
    known.unwrap_or_else(|| {
        let settings = &scenario.settings;
        let found: Rc<[Problem]> = check::check(FILE, text, &settings.yarn_site, &settings.labels).problems.into();
        FOUND.set(Some((scenario.clone(), text.clone(), found.clone())));
        found
    })
}

/// The problems of the file, with fixes.
pub fn wrong(e: &Editor<'_>, target: &Target) -> Html {
    let Some(file) = &target.file else {
        // Not written as a file: the same rules, without places.
        let text: Rc<str> = xml::write(&target.properties).into();
        let found = problems(e, &text);
        let said = found.iter().filter(|p| p.severity >= Severity::Warning).map(|p| Problem {
            span: None,
            fix: None,
            ..p.clone()
        });
        return problems::list("queues", &said.collect::<Vec<_>>(), &text, None, &e.props.go);
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
    problems::list("file", &problems(e, file), file, Some(&fix), &e.props.go)
}

/// The file, and the change since it was opened, to be taken away.
pub fn export(e: &Editor<'_>, target: &Target) -> Html {
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
    let file = match &target.file {
        Some(file) => file.to_string(),
        None => xml::write(&target.properties),
    };
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
