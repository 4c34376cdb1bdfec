//! Supporting detail behind the answer: one line that says what is inside and opens it.

use yew::prelude::*;

/// Draws a part that is closed until it is opened, and then stays open whatever is selected; `says` is its content in short.
pub fn fold(name: &'static str, title: &str, says: &str, body: Html) -> Html {
    html! {
        <details class="fold" key={name} data-fold={name}>
            <summary><span class="h3">{ title.to_owned() }</span><span class="eyebrow" title={says.to_owned()}>{ says.to_owned() }</span></summary>
            { body }
        </details>
    }
}
