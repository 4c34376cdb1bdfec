//! The help sheet: keys and the meanings of terms.

use crate::shell::keys::SHEET;
use crate::ui::terms;
use yew::prelude::*;

pub fn body() -> Html {
    html! {
        <>
            <p>{ "Choose a thing, read why, change something, see it happen, share it. Everything on the page can be done with the keyboard." }</p>
            <dl class="keys">{ for SHEET.iter().map(|(keys, what)| html! {
                <><dt>{ for keys.iter().map(|k| html! { <kbd>{ *k }</kbd> }) }</dt><dd>{ *what }</dd></>
            }) }</dl>
            <h3 class="h3">{ "Words" }</h3>
            <dl class="keys">{ for terms::all().map(|(forms, says)| html! { <><dt><b>{ forms }</b></dt><dd>{ says }</dd></> }) }</dl>
        </>
    }
}
