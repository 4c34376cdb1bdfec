//! What proves the answer and is not the answer: one line that says what is in it, and opens.

use yew::prelude::*;

/// A part that is shut until it is asked for, and then stays open, whatever is selected. `says`: what is in it.
pub fn fold(name: &'static str, title: &str, says: &str, body: Html) -> Html {
    html! {
        <details class="fold" key={name} data-fold={name}>
            <summary><span class="h3">{ title.to_owned() }</span><span class="eyebrow" title={says.to_owned()}>{ says.to_owned() }</span></summary>
            { body }
        </details>
    }
}
