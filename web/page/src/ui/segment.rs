//! A row of choices with one chosen: a radio group with one tab stop.

use yew::prelude::*;

/// The properties of a segment.
#[derive(Properties, PartialEq)]
pub struct Props {
    /// The subject of the choice, for screen readers.
    pub label: AttrValue,
    /// The choices, in order.
    pub options: Vec<&'static str>,
    /// The index of the chosen one.
    pub chosen: usize,
    /// Called with the index of the new choice.
    pub on: Callback<usize>,
}

#[component]
pub fn Segment(props: &Props) -> Html {
    let options = props.options.iter().enumerate().map(|(i, text)| {
        let on = props.on.clone();
        let chosen = i == props.chosen;
        html! {
            <button type="button" role="radio" data-item="" aria-checked={chosen.to_string()} tabindex={if chosen { "0" } else { "-1" }}
                onclick={move |_| on.emit(i)}>{ *text }</button>
        }
    });
    html! { <div class="seg" role="radiogroup" aria-label={props.label.clone()} data-roving="press">{ for options }</div> }
}
