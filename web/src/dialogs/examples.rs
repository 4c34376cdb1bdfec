//! The gallery: questions in the asker's voice.

use super::Props;
use crate::share::examples;
use crate::store::{Msg, Opening};
use yew::prelude::*;

/// The cards.
pub fn body(props: &Props) -> Html {
    html! {
        <div class="cards">
            { for examples::all().into_iter().map(|x| {
                let text = x.text;
                let click = props.go.reform(move |_: MouseEvent| Msg::Open { text: text.to_owned(), how: Opening::Chosen, view: None });
                html! {
                    <button type="button" class="card" key={x.name} onclick={click}>
                        <span class="q">{ x.question }</span><span class="a">{ x.answer }</span>
                        if !x.source.is_empty() { <span class="eyebrow">{ x.source }</span> }
                    </button>
                }
            }) }
        </div>
    }
}
