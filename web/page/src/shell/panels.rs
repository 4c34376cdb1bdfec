//! The tabs WHERE, WHY and WHAT on narrow screens.

use crate::store::{Go, LookAt, Msg, Panel};
use yew::prelude::*;

#[derive(Properties, PartialEq)]
pub struct Props {
    pub panel: Panel,
    /// The callback for messages.
    pub go: Go,
}

#[component]
pub fn PanelTabs(props: &Props) -> Html {
    let tab = |panel: Panel, text: &'static str| {
        let go = props.go.clone();
        let on = panel == props.panel;
        html! {
            <button type="button" role="tab" data-item="" aria-selected={on.to_string()} tabindex={if on { "0" } else { "-1" }}
                onclick={move |_| go.emit(Msg::Look(LookAt::Panel(panel)))}>{ text }</button>
        }
    };
    html! {
        <nav class="ptabs" aria-label="Panels">
            <div class="tabs" role="tablist" aria-label="Panels" data-roving="press">
                { tab(Panel::Where, "Where") }{ tab(Panel::Why, "Why") }{ tab(Panel::What, "What") }{ tab(Panel::When, "When") }
            </div>
        </nav>
    }
}
