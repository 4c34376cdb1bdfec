//! The form for a property with a name in its name. The page knows typed text at once; the engine says what it means.

use super::field::property;
use crate::store::{Go, LookAt, Msg};
use heddle_view::form::{Adder, Property};
use heddle_view::{Change, Draft, Edit, QueueChange};
use web_sys::{HtmlInputElement, HtmlSelectElement};
use yew::prelude::*;

#[derive(Properties, PartialEq)]
pub struct Props {
    pub adder: Adder,
    pub go: Go,
}

#[component]
pub fn Adding(props: &Props) -> Html {
    let adder = &props.adder;
    let draft = use_state(|| adder.draft.clone());
    let put = |change: fn(&mut Draft, String)| {
        let (draft, go) = (draft.clone(), props.go.clone());
        Callback::from(move |typed: String| {
            let mut next = (*draft).clone();
            change(&mut next, typed);
            go.emit(Msg::Look(LookAt::Draft(next.clone())));
            draft.set(next);
        })
    };
    let typed = |on: Callback<String>| on.reform(|e: InputEvent| e.target_unchecked_into::<HtmlInputElement>().value());
    let choose = put(|d, at| {
        *d = Draft { owner: d.owner.clone(), kind: at.parse().unwrap_or(0), queue: d.queue.take(), ..Draft::default() };
    });
    let choose = choose.reform(|e: Event| e.target_unchecked_into::<HtmlSelectElement>().value());
    let onsubmit = {
        let (draft, go, what, at_ms) = (draft.clone(), props.go.clone(), adder.what.clone(), adder.at_ms);
        let empty = put(|d, _| (d.name, d.value) = Default::default());
        Callback::from(move |e: SubmitEvent| {
            e.prevent_default();
            let change = Change::Queues { at_ms, change: QueueChange::Named((*draft).clone()) };
            go.emit(Msg::Change { edit: Edit { what: what.clone(), change }, typed: String::new() });
            empty.emit(String::new());
        })
    };
    let name = draft.name.trim();
    let valued = !draft.value.trim().is_empty() || (adder.blank && !draft.value.is_empty());
    let ready = !name.is_empty() && !name.contains(char::is_whitespace) && valued;
    let mut value: Property = adder.property.clone();
    value.field.value.clone_from(&draft.value);
    value.field.live = true;
    let id = |what: &str| format!("{}-{what}", adder.id);
    html! {
        <details><summary class="h3">{ &adder.summary }</summary>
            <form class="prop" {onsubmit} title={adder.property.name.clone()}>
                <label for={id("of")}>{ "property" }</label>
                <select class="in" id={id("of")} onchange={choose}>
                    { for adder.kinds.iter().enumerate().map(|(i, kind)| html! { <option value={i.to_string()} selected={i == draft.kind}>{ kind }</option> }) }
                </select>
                if let Some(queue) = &adder.queue {
                    <label for={id("queue")}>{ "of the queue (* stands for any name)" }</label>
                    <input class="in" id={id("queue")} value={draft.queue.as_ref().unwrap_or(queue).clone()} spellcheck="false" autocomplete="off" oninput={typed(put(|d, typed| d.queue = Some(typed)))}/>
                }
                <label for={id("name")}>{ &adder.named_by }</label>
                <input class="in" id={id("name")} list={id("names")} value={draft.name.clone()} spellcheck="false" autocomplete="off" oninput={typed(put(|d, typed| d.name = typed))}/>
                <datalist id={id("names")}>{ for adder.names.iter().map(|n| html! { <option value={n.clone()}/> }) }</datalist>
                { property(&value, put(|d, typed| d.value = typed)) }
                <div class="row"><button class="btn edge sm" disabled={!ready}>{ "Add" }</button></div>
            </form>
        </details>
    }
}
