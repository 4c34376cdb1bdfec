//! Supporting detail behind the answer: one line that says what is inside and opens it.

use wasm_bindgen::JsCast;
use web_sys::Element;
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

/// The texts of a part of the evidence.
pub struct Texts<'a> {
    pub title: &'a str,
    /// What stands beside the title while the part is open.
    pub aside: &'a str,
    /// The content in short, beside the title of a closed part.
    pub says: &'a str,
}

/// Draws a part of the evidence, which is open if there is room for it above the advice ([`super::room`]). Whoever opens or
/// closes it decides from then on.
pub fn part(name: &'static str, texts: Texts<'_>, body: Html) -> Html {
    let Texts { title, aside, says } = texts;
    let chosen = |e: MouseEvent| {
        let details =
            e.target().and_then(|t| t.dyn_into::<Element>().ok()).and_then(|t| t.closest("details").ok().flatten());
        if let Some(details) = details {
            let _ = details.set_attribute(super::room::CHOSEN, "");
        }
    };
    html! {
        <details class="fold piece" key={name} data-part={name} open=true>
            <summary onclick={chosen}><h3 class="h3">{ title.to_owned() }</h3><span class="eyebrow aside">{ aside.to_owned() }</span><span class="eyebrow says" title={says.to_owned()}>{ says.to_owned() }</span></summary>
            { body }
        </details>
    }
}
