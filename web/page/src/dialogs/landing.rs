//! Where an application would go: its user, the user's groups, the requested queue, its name. WHY shows the answer.

use super::Props;
use crate::store::Msg;
use heddle_view::Selection;
use wasm_bindgen::JsCast;
use web_sys::{Element, HtmlInputElement};
use yew::prelude::*;

/// The fields: label, id and example.
const FIELDS: [(&str, &str, &str); 4] = [
    ("user", "landing-user", "bob"),
    ("groups, the primary one first", "landing-groups", "as in the scenario"),
    ("queue asked for", "landing-queue", "none"),
    ("application's name", "landing-application", "any"),
];

/// Draws the four fields.
pub fn body(props: &Props) -> Html {
    let go = props.go.clone();
    let onsubmit = move |e: SubmitEvent| {
        e.prevent_default();
        let Some(form) = e.target_dyn_into::<Element>() else { return };
        let value = |id: &str| {
            let input = form.query_selector(&format!("#{id}")).ok().flatten();
            let input = input.and_then(|i| i.dyn_into::<HtmlInputElement>().ok());
            input.map_or_else(String::new, |i| i.value().trim().to_owned())
        };
        let [user, groups, queue, application] = FIELDS.map(|(_, id, _)| value(id));
        if user.is_empty() {
            return;
        }
        let groups = groups.split(',').map(str::trim).filter(|g| !g.is_empty()).map(str::to_owned).collect();
        go.emit(Msg::Dialog(None));
        go.emit(Msg::Select(Some(Selection::Landing { user, groups, queue, application })));
    };
    let field = |(i, (name, id, example)): (usize, (&'static str, &'static str, &'static str))| {
        html! {
            <p class="row"><label for={id}>{ name }</label>
                <input class="in" {id} placeholder={example} required={i == 0} autofocus={i == 0} autocomplete="off"/></p>
        }
    };
    html! {
        <form class="rows" {onsubmit}>
            { for FIELDS.into_iter().enumerate().map(field) }
            <button type="submit" class="btn prim">{ "Ask the rules" }</button>
        </form>
    }
}
