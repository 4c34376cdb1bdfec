//! Which worlds are compared: the baseline, the others that are drawn, and further ones that are added to the scenario.

use super::Props;
use crate::store::Msg;
use heddle_view::{AS_IT_IS, AS_OPENED, Change, Comparison, DRAWN_MAX, Edit};
use web_sys::{HtmlInputElement, HtmlSelectElement};
use yew::prelude::*;

/// Returns the names of all worlds that can be drawn.
fn names(props: &Props) -> Vec<String> {
    let given = props.view.compare.iter().flat_map(|c| &c.given).map(|world| world.name.clone());
    let run = props.answers.worlds.iter().flatten().map(|world| world.name.clone());
    let named = props.doc.about.iter().flat_map(|about| &about.worlds).map(|world| world.name.clone());
    // What was opened has the names that were left since.
    let opened = (props.doc.edited() && props.doc.names().is_none()).then(|| AS_OPENED.to_owned());
    let mut out = vec![AS_IT_IS.to_owned()];
    for name in given.chain(opened).chain(named).chain(run) {
        if !out.contains(&name) {
            out.push(name);
        }
    }
    out
}

/// Returns the comparison in which another world stands at a place; "" takes the world at that place away.
fn with(comparison: &Comparison, drawn: &[String], place: usize, name: &str) -> Comparison {
    let mut drawn = drawn.to_vec();
    let old = drawn.get(place).cloned();
    // A world that is drawn already changes places with it.
    if let (Some(other), Some(old)) = (drawn.iter().position(|d| d == name), &old) {
        drawn[other].clone_from(old);
    }
    match old {
        Some(_) if name.is_empty() => {
            drawn.remove(place);
        }
        Some(_) => name.clone_into(&mut drawn[place]),
        None => drawn.push(name.to_owned()),
    }
    let base = drawn.first().cloned().unwrap_or_default();
    Comparison { base, shown: drawn.into_iter().skip(1).collect(), ..comparison.clone() }
}

/// Draws the choice of the world at a place.
pub fn choice(props: &Props, drawn: &[String], place: usize) -> Html {
    let Some(comparison) = props.view.compare.clone() else { return html! {} };
    let label = if place == 0 { "Baseline".to_owned() } else { format!("World {}", super::letter(place)) };
    let chosen = drawn.get(place).cloned().unwrap_or_default();
    let on = {
        let (comparison, drawn) = (comparison.clone(), drawn.to_vec());
        props.go.reform(move |e: Event| {
            let name = e.target_unchecked_into::<HtmlSelectElement>().value();
            // What is tried stays the subject: its message is not that of a comparison opened anew.
            Msg::Beside(with(&comparison, &drawn, place, &name))
        })
    };
    html! {
        <select class="in" id={format!("world-{place}")} aria-label={label} onchange={on}>
            { for names(props).into_iter().map(|name| html! { <option value={name.clone()} selected={name == chosen}>{ super::short(&name).to_owned() }</option> }) }
        </select>
    }
}

/// Draws the button that adds a third world, or takes it away.
pub fn third(props: &Props) -> Html {
    let (Some(comparison), Some(beside)) = (props.view.compare.clone(), &props.answers.beside) else { return html! {} };
    let drawn: Vec<String> = beside.worlds.iter().map(|world| world.name.clone()).collect();
    let other = names(props).into_iter().find(|name| !drawn.contains(name));
    let (label, place, name) = match (drawn.len(), other) {
        (DRAWN_MAX, _) => ("Two worlds", DRAWN_MAX - 1, String::new()),
        (2, Some(other)) => ("A third world", 2, other),
        _ => return html! {},
    };
    let next = with(&comparison, &drawn, place, &name);
    html! { <button type="button" class="btn edge sm" id="third-world" onclick={props.go.reform(move |_: MouseEvent| Msg::Beside(next.clone()))}>{ label }</button> }
}

/// Draws the line that adds worlds.
pub fn adder(props: &Props) -> Html {
    let go = props.go.clone();
    let onsubmit = Callback::from(move |e: SubmitEvent| {
        e.prevent_default();
        let Some(form) = e.target_dyn_into::<web_sys::Element>() else { return };
        let typed = |id: &str| {
            let input = form.query_selector(id).ok().flatten()?;
            Some(wasm_bindgen::JsCast::unchecked_into::<HtmlInputElement>(input).value().trim().to_owned())
        };
        let (property, values) = (typed("#w-property").unwrap_or_default(), typed("#w-values").unwrap_or_default());
        let edit = Edit { what: "add worlds".into(), change: Change::Worlds { property } };
        go.emit(Msg::Change { edit, typed: values });
    });
    // Offers the other schedulers' worlds by name until they are added.
    let named = props.doc.about.as_ref().map(|about| about.worlds.as_slice()).unwrap_or_default();
    let there = named.iter().filter(|w| w.name.ends_with("Scheduler")).count() > 1;
    let edit = Edit { what: "compare schedulers".into(), change: Change::Schedulers };
    let all = props.go.reform(move |_: MouseEvent| Msg::Change { edit: edit.clone(), typed: String::new() });
    let wrong = props.field.as_ref();
    let invalid = wrong.map(|_| "true");
    let described = wrong.map(|_| "w-wrong");
    html! {
        <form class="row cmpadd" {onsubmit}>
            <input class="in" id="w-property" aria-invalid={invalid} aria-describedby={described} aria-label="Property that is different in other worlds" placeholder="root.default.user-limit-factor" spellcheck="false" autocomplete="off"/>
            <input class="in" id="w-values" aria-label="Its values there, with commas" placeholder="1, 2, 4" spellcheck="false" autocomplete="off"/>
            <button type="submit" class="btn edge sm">{ "Compare with these" }</button>
            if !there { <button type="button" class="btn edge sm" id="w-schedulers" onclick={all}>{ "Capacity, Fair and FIFO" }</button> }
            if let Some(wrong) = wrong { <p class="rejected" id="w-wrong" role="alert">{ wrong }</p> }
        </form>
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_world_is_drawn_once_wherever_it_is_chosen() {
        let drawn: Vec<String> = ["a", "b", "c"].map(String::from).to_vec();
        let names = |c: Comparison| [vec![c.base], c.shown].concat();
        let none = Comparison::default();
        assert_eq!(names(with(&none, &drawn, 0, "d")), ["d", "b", "c"]);
        assert_eq!(names(with(&none, &drawn, 0, "b")), ["b", "a", "c"]);
        assert_eq!(names(with(&none, &drawn, 2, "")), ["a", "b"]);
        assert_eq!(names(with(&none, &drawn[..2], 2, "d")), ["a", "b", "d"]);
    }
}
