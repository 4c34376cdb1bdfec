//! The top: mark, title, Examples, Import, Compare, Share, undo and redo, theme, help.

use crate::store::{Dialog, Doc, Go, LookAt, Msg, Opening, ScenarioSource, Shared, Theme, View};
use crate::ui::{dom, icon};
use heddle_view::{Change, Comparison, Edit};
use web_sys::HtmlInputElement;
use yew::prelude::*;

#[derive(Properties, PartialEq)]
pub struct Props {
    pub doc: Shared<Doc>,
    pub view: Shared<View>,
    /// The callback for messages.
    pub go: Go,
}

#[component]
pub fn Top(props: &Props) -> Html {
    let (doc, go) = (&props.doc, &props.go);
    let title = doc.title().to_owned();
    let rename = go.reform(|e: Event| Msg::Change {
        edit: Edit { what: "title".into(), change: Change::Title },
        typed: e.target_unchecked_into::<HtmlInputElement>().value(),
    });
    let open = |dialog: Dialog| go.reform(move |_: MouseEvent| Msg::Dialog(Some(dialog.clone())));
    let theme = {
        let now = props.view.theme;
        go.reform(move |_: MouseEvent| {
            let dark = match now {
                Theme::System => dom::media("(prefers-color-scheme: dark)"),
                chosen => chosen == Theme::Dark,
            };
            Msg::Look(LookAt::Theme(if dark { Theme::Light } else { Theme::Dark }))
        })
    };
    let comparing = props.view.compare.is_some();
    let compare = go.reform(move |_: MouseEvent| Msg::Compare((!comparing).then(Comparison::default)));
    let undo = doc.can_undo().map_or("Undo".to_owned(), |what| format!("Undo: {what}"));
    let redo = doc.can_redo().map_or("Redo".to_owned(), |what| format!("Redo: {what}"));
    let back = {
        let (go, text) = (go.clone(), doc.opened.to_string());
        move |_: MouseEvent| go.emit(Msg::Edit { text: text.clone(), what: "back to what was opened".into() })
    };
    html! {
        <header class="top">
            <span class="brand">{ icon::brand() }<span class="hide-p">{ "Heddle" }</span></span>
            <span class="slash" aria-hidden="true">{ "/" }</span>
            <input class="title" aria-label="Title of this scenario" value={title.clone()} placeholder="Untitled" maxlength="200" spellcheck="false" onchange={rename}/>
            if doc.is_title_old() { <span class="eyebrow edited hide-p" title="The title was written for the scenario before it was edited.">{ "edited" }</span> }
            <span class="sp"/>
            <nav class="acts" aria-label="Scenario">
                <button type="button" class="btn hide-m" title="A new, empty scenario" onclick={go.reform(|_: MouseEvent| Msg::Open { source: ScenarioSource::Empty, how: Opening::Chosen })}>{ "New" }</button>
                <button type="button" class="btn keep" onclick={open(Dialog::Examples)}>{ "Examples" }</button>
                <button type="button" class="btn keep" onclick={open(Dialog::Import)}>{ "Import" }</button>
                <button type="button" class="btn hide-m" title="Drafts kept in this browser" onclick={open(Dialog::Drafts)}>{ "Drafts" }</button>
                <button type="button" class="btn" id="compare-worlds" aria-pressed={comparing.to_string()} onclick={compare}>{ "Compare" }</button>
                <button type="button" class="btn edge keep" onclick={open(Dialog::Share { with_view: true })}>{ "Share" }</button>
                <button type="button" class="btn sq" aria-label={undo.clone()} title={undo} disabled={doc.can_undo().is_none()}
                    onclick={go.reform(|_: MouseEvent| Msg::Undo)}>{ icon::icon(icon::UNDO) }</button>
                <button type="button" class="btn sq" aria-label={redo.clone()} title={redo} disabled={doc.can_redo().is_none()}
                    onclick={go.reform(|_: MouseEvent| Msg::Redo)}>{ icon::icon(icon::REDO) }</button>
                <button type="button" class="btn sq" aria-label="Leave the edits, back to the opened text" title="Leave the edits: back to what was opened" disabled={doc.text == doc.opened} onclick={back}>{ icon::icon(icon::OPENED) }</button>
                <button type="button" class="btn sq keep" aria-label="Light or dark" title="Light or dark" onclick={theme}>{ icon::theme() }</button>
                <button type="button" class="btn sq" aria-label="Keys and help" title="Keys and help (?)" onclick={open(Dialog::Keys)}>{ "?" }</button>
                <button type="button" class="btn sq keep menu-opens" aria-label="More" title="More" popovertarget="menu">{ "⋯" }</button>
            </nav>
            { menu(props) }
        </header>
    }
}

/// Draws what the top has no room for on narrow and on low screens. The browser opens and shuts it; a choice shuts it as well.
fn menu(props: &Props) -> Html {
    let (doc, go) = (&props.doc, &props.go);
    let item = |text: String, off: bool, msg: Msg| {
        let onclick = go.reform(move |_: MouseEvent| msg.clone());
        html! { <li><button type="button" class="btn" disabled={off} popovertarget="menu" popovertargetaction="hide" {onclick}>{ text }</button></li> }
    };
    let open = |text: &str, dialog: Dialog| item(text.to_owned(), false, Msg::Dialog(Some(dialog)));
    let comparing = props.view.compare.is_some();
    let back = Msg::Edit { text: doc.opened.to_string(), what: "back to what was opened".into() };
    let named = |word: &str, what: Option<&str>| what.map_or(word.to_owned(), |what| format!("{word}: {what}"));
    html! {
        <ul id="menu" class="menu" popover="auto" aria-label="More">
            { item(named("Undo", doc.can_undo()), doc.can_undo().is_none(), Msg::Undo) }
            { item(named("Redo", doc.can_redo()), doc.can_redo().is_none(), Msg::Redo) }
            { item("Leave the edits".into(), doc.text == doc.opened, back) }
            { item(if comparing { "Leave Compare" } else { "Compare" }.into(), false, Msg::Compare((!comparing).then(Comparison::default))) }
            { open("Examples", Dialog::Examples) }
            { open("Import", Dialog::Import) }
            { item("New".into(), false, Msg::Open { source: ScenarioSource::Empty, how: Opening::Chosen }) }
            { open("Drafts", Dialog::Drafts) }
            { open("All commands", Dialog::Commands) }
            { open("Keys and help", Dialog::Keys) }
        </ul>
    }
}
