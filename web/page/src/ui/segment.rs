//! A row of choices of which one holds: a radio group with one tab stop.

use yew::prelude::*;

/// What a segment shows.
#[derive(Properties, PartialEq)]
pub struct Props {
    /// What is chosen, for screen readers.
    pub label: AttrValue,
    /// The choices in order.
    pub options: Vec<&'static str>,
    /// Which holds.
    pub chosen: usize,
    /// Called with the place of the new choice.
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
