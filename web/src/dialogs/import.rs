//! Import: drop, choose, paste; and the report on what came in.

use super::Props;
use crate::share::import::{self, Report};
use crate::store::{Dialog, LookAt, Msg, Opening, WhatTab};
use crate::what;
use heddle_engine::forms::{ask_release, problems};
use heddle_view::form::Part;
use web_sys::{HtmlInputElement, HtmlTextAreaElement};
use yew::prelude::*;

/// Choose or paste.
pub fn body(props: &Props) -> Html {
    let chosen = {
        let go = props.go.clone();
        move |e: Event| {
            let input: HtmlInputElement = e.target_unchecked_into();
            if let Some(files) = input.files() {
                import::files(&go, &files);
            }
            input.set_value("");
        }
    };
    let area = NodeRef::default();
    let paste = {
        let (go, area) = (props.go.clone(), area.clone());
        move |_: MouseEvent| {
            if let Some(text) = area.cast::<HtmlTextAreaElement>().map(|a| a.value()).filter(|t| !t.trim().is_empty()) {
                go.emit(Msg::Import { name: String::new(), text });
            }
        }
    };
    html! {
        <>
            <p>{ "Drop a file anywhere on the page, choose one, or paste its text: " }<code>{ "capacity-scheduler.xml" }</code>{ ", " }<code>{ "yarn-site.xml" }</code>{ ", " }
                <code>{ "resource-types.xml" }</code>{ ", a change for yarn schedulerconf, a scenario, or a link. Read here, in this tab. Nothing is sent." }</p>
            <label class="check"><span>{ "File" }</span><input type="file" id="import-file" multiple={true} accept=".xml,.toml,.txt,.json,text/*" onchange={chosen}/></label>
            <textarea class="in" id="import-text" ref={area} aria-label="Text of a file, or a link" spellcheck="false" placeholder="<configuration> … or heddle = 1 … or https://…#1.…"/>
            <div class="acts2">
                <button type="button" class="btn prim" id="import-read" onclick={paste}>{ "Read it" }</button>
                <button type="button" class="btn" onclick={props.go.reform(|_: MouseEvent| Msg::Dialog(Some(Dialog::Drafts)))}>{ "Drafts kept here" }</button>
            </div>
        </>
    }
}

/// What came in.
pub fn report(report: &Report, props: &Props) -> Html {
    let [errors, warnings, notes] = report.counts();
    let mut counts = report.facts.clone();
    for (n, word) in [(errors, "error"), (warnings, "warning"), (notes, "note")] {
        if n > 0 && report.facts.is_empty() {
            counts.push(format!("{n} {word}{}", if n == 1 { "" } else { "s" }));
        }
    }
    let queues = {
        let go = props.go.clone();
        move |_: MouseEvent| {
            go.emit(Msg::Look(LookAt::What(WhatTab::Queues)));
            go.emit(Msg::Look(LookAt::AsText(true)));
            go.emit(Msg::Dialog(None));
        }
    };
    let anyway = {
        let (go, text) = (props.go.clone(), report.text.clone());
        move |_: MouseEvent| {
            go.emit(Msg::Open { text: text.clone(), how: Opening::Chosen, view: None });
            go.emit(Msg::Look(LookAt::AsText(true)));
        }
    };
    let asks = report.ask_release && props.doc.scenario.as_ref().is_some_and(|s| s.release.is_none());
    let problems = problems::list("file", &report.problems, &report.text, None);
    let kept: Vec<(String, String)> = report.kept.iter().map(|(k, v)| (k.clone(), v.clone())).collect();
    html! {
        <div class="report">
            <p><b>{ &report.name }</b>{ ": " }{ &report.what }</p>
            { for counts.iter().map(|c| html! { <p class="soft">{ c }</p> }) }
            if asks { { what::alone(&ask_release(), &props.go) } }
            { for problems.iter().map(|p| what::alone(p, &props.go)) }
            if !kept.is_empty() { { what::alone(&Part::Kept(kept), &props.go) } }
            <div class="acts2">
                <button type="button" class="btn prim" onclick={props.go.reform(|_: MouseEvent| Msg::Dialog(None))}>{ "Go on" }</button>
                if !report.taken && report.text.contains("heddle") { <button type="button" class="btn" onclick={anyway}>{ "Open it to mend it" }</button> }
                if report.taken { <button type="button" class="btn" onclick={queues}>{ "Show the text" }</button> }
                if report.taken { <button type="button" class="btn" onclick={props.go.reform(|_: MouseEvent| Msg::Undo)}>{ "Undo the import" }</button> }
            </div>
        </div>
    }
}
