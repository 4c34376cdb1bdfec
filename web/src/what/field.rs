//! Fields of the forms: they commit when they are left or Enter is pressed, so that a half-typed number is no error.

use web_sys::{HtmlInputElement, HtmlSelectElement};
use yew::prelude::*;

/// A labelled field in a `.fields` grid.
pub fn field(id: &str, label: &str, value: String, placeholder: &str, on: Callback<String>) -> Html {
    wide(id, label, value, placeholder, on, false)
}

/// The same over the whole width.
pub fn wide(id: &str, label: &str, value: String, placeholder: &str, on: Callback<String>, wide: bool) -> Html {
    let id = format!("f-{id}");
    html! {
        <>
            <label for={id.clone()}>{ label.to_owned() }</label>
            <input class={classes!("in", wide.then_some("wide"))} id={id} value={value} placeholder={placeholder.to_owned()} spellcheck="false" autocomplete="off" onchange={commit(on)}/>
        </>
    }
}

/// Calls with what was typed.
pub fn commit(on: Callback<String>) -> Callback<Event> {
    Callback::from(move |e: Event| on.emit(e.target_unchecked_into::<HtmlInputElement>().value()))
}

/// A labelled choice in a `.fields` grid; options are values and their names.
pub fn choice(id: &str, label: &str, value: &str, options: &[(&str, &str)], on: Callback<String>) -> Html {
    let id = format!("f-{id}");
    let onchange = Callback::from(move |e: Event| on.emit(e.target_unchecked_into::<HtmlSelectElement>().value()));
    html! {
        <>
            <label for={id.clone()}>{ label.to_owned() }</label>
            <select class="in" id={id} {onchange}>{ for options.iter().map(|(v, name)| html! { <option value={v.to_string()} selected={*v == value}>{ *name }</option> }) }</select>
        </>
    }
}
