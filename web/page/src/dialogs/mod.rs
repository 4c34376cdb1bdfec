//! Dialogs, each a native `<dialog>`: Escape closes it, the focus stays inside and then returns.

mod card_picture;
mod commands;
mod drafts;
mod examples;
mod goto;
mod import;
mod keys;
mod landing;
mod limits;
mod share;

use crate::store::{Answers, Dialog, Doc, Go, Msg, Shared, View};
use crate::ui::focus;
use wasm_bindgen::JsCast;
use web_sys::HtmlDialogElement;
use yew::prelude::*;

#[derive(Clone, Properties, PartialEq)]
pub struct Props {
    pub dialog: Option<Dialog>,
    pub doc: Shared<Doc>,
    pub view: Shared<View>,
    pub answers: Shared<Answers>,
    /// The error in the text typed into the dialog.
    pub field: Option<String>,
    /// The callback for messages.
    pub go: Go,
}

#[component]
pub fn Dialogs(props: &Props) -> Html {
    let node = use_node_ref();
    let before = use_mut_ref(|| None::<focus::FocusPlace>);
    {
        let node = node.clone();
        use_effect_with(props.dialog.is_some(), move |open| {
            if *open {
                *before.borrow_mut() = focus::here();
                if let Some(dialog) = node.cast::<HtmlDialogElement>() {
                    let _ = dialog.show_modal();
                }
            } else if let Some(before) = before.borrow_mut().take() {
                before.back();
            }
        });
    }
    let Some(dialog) = &props.dialog else { return html! {} };
    let (title, body) = match dialog {
        Dialog::Examples => {
            let all = props.answers.gallery.clone();
            ("Questions people ask", html! { <examples::Gallery doc={props.doc.clone()} {all} go={props.go.clone()}/> })
        }
        Dialog::Import => ("Import", import::body(props)),
        Dialog::Share { with_view } => ("Share", share::body(props, *with_view)),
        Dialog::Commands => ("Find an act or a thing", html! { <commands::Commands ..props.clone()/> }),
        Dialog::Keys => ("Keys and help", keys::body()),
        Dialog::Limits => ("What is not modelled", limits::body(props)),
        Dialog::Drafts => ("Drafts kept in this browser", drafts::body(props)),
        Dialog::GoTo => ("Go to a time", goto::body(props)),
        Dialog::Landing => ("Where would an application go?", landing::body(props)),
    };
    let close = props.go.reform(|_: Event| Msg::Dialog(None));
    let backdrop = {
        let (go, node) = (props.go.clone(), node.clone());
        Callback::from(move |e: MouseEvent| {
            // A click on the element itself is outside its content.
            if e.target().is_some_and(|t| node.get().is_some_and(|n| n.is_same_node(t.dyn_ref::<web_sys::Node>()))) {
                go.emit(Msg::Dialog(None));
            }
        })
    };
    html! {
        <dialog ref={node} aria-label={title} onclose={close} onclick={backdrop}>
            <header><h2>{ title }</h2>
                <button type="button" class="btn sq" aria-label="Close" onclick={props.go.reform(|_: MouseEvent| Msg::Dialog(None))}>{ "✕" }</button></header>
            <div class="body" tabindex={matches!(dialog, Dialog::Keys | Dialog::Limits).then_some("0")}>{ body }</div>
        </dialog>
    }
}
