//! Import: drop, choose, paste; and the report on the result.

use super::Props;
use crate::share::files;
use crate::store::{Dialog, LookAt, Msg, Opening, ScenarioSource, Tab};
use crate::what;
use heddle_view::form::Part;
use heddle_view::{Report, Severity};
use web_sys::{HtmlInputElement, HtmlTextAreaElement};
use yew::prelude::*;

/// Draws the ways to choose or paste.
pub fn body(props: &Props) -> Html {
    let chosen = {
        let go = props.go.clone();
        move |e: Event| {
            let input: HtmlInputElement = e.target_unchecked_into();
            if let Some(files) = input.files() {
                files::read(&go, &files);
            }
            input.set_value("");
        }
    };
    let area = NodeRef::default();
    let paste = {
        let (go, area) = (props.go.clone(), area.clone());
        move |_: MouseEvent| {
            if let Some(text) = area.cast::<HtmlTextAreaElement>().map(|a| a.value()).filter(|t| !t.trim().is_empty()) {
                go.emit(Msg::Import { name: String::new(), text, more: vec![] });
            }
        }
    };
    html! {
        <>
            <p>{ "Drop a file anywhere on the page, choose one, or paste its text: " }<code>{ "capacity-scheduler.xml" }</code>{ ", " }<code>{ "yarn-site.xml" }</code>{ ", " }
                <code>{ "resource-types.xml" }</code>{ ", " }<code>{ "fair-scheduler.xml" }</code>{ ", a change for yarn schedulerconf, a scenario, or a link. Read here, in this tab. Nothing is sent." }</p>
            <label class="check"><span>{ "File" }</span><input type="file" id="import-file" multiple={true} accept=".xml,.toml,.properties,.json,text/*" onchange={chosen}/></label>
            <textarea class="in" id="import-text" ref={area} aria-label="Text of a file, or a link" spellcheck="false" placeholder="<configuration> … or heddle = 1 … or https://…#1.…"/>
            <div class="acts2">
                <button type="button" class="btn prim" id="import-read" onclick={paste}>{ "Read it" }</button>
                <button type="button" class="btn" onclick={props.go.reform(|_: MouseEvent| Msg::Dialog(Some(Dialog::Drafts)))}>{ "Drafts kept here" }</button>
            </div>
        </>
    }
}

/// Draws the report.
pub fn report(report: &Report, props: &Props) -> Html {
    let count = |s: Severity| report.problems.iter().filter(|p| p.severity == s).count();
    let [errors, warnings, notes] = [Severity::Error, Severity::Warning, Severity::Note].map(count);
    let mut counts = report.facts.clone();
    for (n, word) in [(errors, "error"), (warnings, "warning"), (notes, "note")] {
        if n > 0 && report.facts.is_empty() {
            counts.push(format!("{n} {word}{}", if n == 1 { "" } else { "s" }));
        }
    }
    let queues = {
        let go = props.go.clone();
        move |_: MouseEvent| {
            go.emit(Msg::Look(LookAt::What(Tab::Queues)));
            go.emit(Msg::Look(LookAt::AsText(true)));
            go.emit(Msg::Dialog(None));
        }
    };
    let anyway = report.mendable.clone().map(|text| {
        let go = props.go.clone();
        let click = move |_: MouseEvent| {
            go.emit(Msg::Open { source: ScenarioSource::Text(text.clone()), how: Opening::Chosen });
            go.emit(Msg::Look(LookAt::AsText(true)));
        };
        html! { <button type="button" class="btn" onclick={click}>{ "Open it to mend it" }</button> }
    });
    // The scenario shows whether the question has been answered.
    let ask = report.ask.as_ref().filter(|_| {
        props.doc.about.as_ref().is_some_and(|about| report.switch.map_or(!about.release, |to| about.scheduler != to))
    });
    let kept = (!report.kept.is_empty()).then(|| Part::Kept(report.kept.clone()));
    html! {
        <div class="report">
            <p><b>{ &report.name }</b>{ ": " }{ &report.what }</p>
            { for counts.iter().map(|c| html! { <p class="soft">{ c }</p> }) }
            { for ask.into_iter().chain(&report.list).chain(&kept).map(|part| what::alone(part, &props.go)) }
            <div class="acts2">
                <button type="button" class="btn prim" onclick={props.go.reform(|_: MouseEvent| Msg::Dialog(None))}>{ "Go on" }</button>
                { for anyway }
                if report.taken { <button type="button" class="btn" onclick={queues}>{ "Show the text" }</button> }
                if report.taken { <button type="button" class="btn" onclick={props.go.reform(|_: MouseEvent| Msg::Undo)}>{ "Undo the import" }</button> }
            </div>
        </div>
    }
}
