//! Worlds side by side, in place of WHAT and the picture: what each holds at the moment shown, what is unequal, and the change
//! that is tried among them. The same figures stand in a table, its twin.

mod choose;
pub mod gains;
mod pictures;
mod table;
mod trial;
pub mod why;

use crate::store::{Answers, Doc, Go, LookAt, Msg, Palette, Shared, Trying, View};
use crate::ui::{Segment, rich};
use heddle_view::{Comparison, WorldView};
use yew::prelude::*;

#[derive(Properties, PartialEq)]
pub struct Props {
    pub doc: Shared<Doc>,
    pub view: Shared<View>,
    pub answers: Shared<Answers>,
    /// The colours assigned so far.
    pub palette: Shared<Palette>,
    /// The change that is tried.
    pub trying: Option<Trying>,
    /// The error in the text typed for other worlds.
    pub field: Option<String>,
    /// The callback for messages.
    pub go: Go,
}

/// Returns the letter of a drawn world.
pub fn letter(place: usize) -> char {
    char::from(b'A' + place.min(25) as u8)
}

/// Returns the result of a world by its name.
fn result<'w>(answers: &'w Answers, name: &str) -> Option<&'w WorldView> {
    answers.worlds.as_ref()?.iter().find(|world| world.name == name)
}

/// Returns the first difference of each drawn world from the baseline, with its letter, earliest first.
pub fn first_differences(answers: &Answers) -> Vec<(char, i64)> {
    let drawn = answers.beside.iter().flat_map(|beside| beside.worlds.iter().enumerate()).skip(1);
    let first = drawn.filter_map(|(i, world)| Some((letter(i), result(answers, &world.name)?.first.as_ref()?.time_ms)));
    let mut out: Vec<(char, i64)> = first.collect();
    out.sort_by_key(|(_, at)| *at);
    out
}

#[component]
pub fn Compare(props: &Props) -> Html {
    let (view, go) = (&props.view, &props.go);
    let twin = go.clone();
    let title = if props.trying.is_some() { "Before and after" } else { "Compare" };
    html! {
        <main class="where compare" id="where" aria-label={title} tabindex="-1">
            <header>
                <h2 class="axis">{ title }</h2>
                <span class="sp"/>
                { choose::third(props) }
                <Segment label="Show as" options={vec!["picture", "table"]} chosen={usize::from(view.twin)}
                    on={Callback::from(move |i| twin.emit(Msg::Look(LookAt::Twin(i == 1))))}/>
                <button type="button" class="btn sq" id="leave-compare" aria-label="Close: back to the scenario alone" title="Close: back to the scenario alone (Esc)"
                    onclick={go.reform(|_: MouseEvent| Msg::Compare(None))}>{ "✕" }</button>
            </header>
            { trial::lead(props) }
            { body(props) }
            if props.trying.is_none() { { choose::adder(props) } }
        </main>
    }
}

fn body(props: &Props) -> Html {
    let Some(worlds) = &props.answers.worlds else { return waiting(props) };
    if props.view.twin {
        return html! { <div class="twin">{ table::table(props, worlds) }</div> };
    }
    let refused = worlds.iter().filter(|world| !world.refused.is_empty());
    html! {
        <>
            if worlds.len() < 2 {
                <p class="cmpsay">{ "Nothing to compare with yet. Name a property and the values that it has in other worlds, or edit the scenario: then it stands beside what was opened." }</p>
            }
            { for refused.map(|world| html! { <p class="cmpsay rejected">{ rich::rich(&format!("**{}** cannot be run: {}", world.name, world.refused)) }</p> }) }
            { pictures::pictures(props, worlds) }
        </>
    }
}

/// Returns the name of a property, or of a world with another value of it, without what all properties of queues begin with.
pub fn short(name: &str) -> &str {
    name.strip_prefix("yarn.scheduler.capacity.").unwrap_or(name)
}

/// Shows the progress; closing the view cancels the comparison.
fn waiting(props: &Props) -> Html {
    let far = props.answers.running.map_or_else(String::new, |(ran, of)| format!(" {ran} of {of}"));
    html! { <p class="cmpsay soft" role="status">{ "Running the other worlds…" }{ far }</p> }
}

/// Draws the button that compares, with the names of the scenario's other worlds.
pub fn invitation(names: &[&str], go: &Go) -> Html {
    let text = match names {
        [] => return html! {},
        [one] => format!("Compare with {one}"),
        [first, ..] => format!("Compare with {first} and {} more", names.len() - 1),
    };
    html! { <button type="button" class="link" id="compare" onclick={go.reform(|_: MouseEvent| Msg::Compare(Some(Comparison::default())))}>{ text }</button> }
}
