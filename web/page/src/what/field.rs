//! Fields: they commit on leaving or Enter, so that a half-typed number is no error; live ones commit on every letter.

use heddle_view::form::{Control, Field, Note, Property, Tone};
use web_sys::{HtmlInputElement, HtmlSelectElement, HtmlTextAreaElement};
use yew::prelude::*;

/// The most values of a menu; among more one searches.
const MENU: usize = 20;

/// Draws the field itself; `help` is the id of its description.
pub fn control(f: &Field, help: Option<String>, on: Callback<String>) -> Html {
    let some = |text: &String| (!text.is_empty()).then(|| text.clone());
    let (id, title) = (some(&f.id), some(&f.title));
    let label = f.id.is_empty().then(|| f.label.clone());
    let invalid = f.invalid.then_some("true");
    let value = f.value.clone();
    if let Control::Choice(options) = &f.control
        && options.len() > MENU
    {
        return among(f, options, help, on);
    }
    if let Control::Choice(options) = &f.control {
        let onchange = on.reform(|e: Event| e.target_unchecked_into::<HtmlSelectElement>().value());
        // Names that a narrow column would cut off.
        let wide = options.iter().any(|(_, name)| name.len() > 9).then_some("wide");
        return html! {
            <select class={classes!("in", wide)} {id} aria-label={label} {onchange} aria-describedby={help}>
                { for options.iter().map(|(v, name)| html! { <option value={v.clone()} selected={*v == value}>{ name }</option> }) }
            </select>
        };
    }
    if let Control::Lines(rows) = f.control {
        let typed = |e: &Event| e.target_unchecked_into::<HtmlTextAreaElement>().value();
        let (onchange, oninput) = when(f.live, on, typed);
        return html! {
            <textarea class="in" {id} rows={rows.to_string()} {value} spellcheck="false" autocomplete="off" aria-invalid={invalid} aria-describedby={help} {onchange} {oninput}/>
        };
    }
    let (onchange, oninput) = when(f.live, on, |e| e.target_unchecked_into::<HtmlInputElement>().value());
    if f.control == Control::Range {
        return html! { <input type="range" {id} min="0" max="100" step="1" {value} {oninput} aria-describedby={help}/> };
    }
    html! {
        <input class={classes!("in", (f.control == Control::Wide).then_some("wide"))} {id} {title} aria-label={label} {value} placeholder={f.placeholder.clone()}
            spellcheck="false" autocomplete="off" aria-invalid={invalid} aria-describedby={help} {onchange} {oninput}/>
    }
}

/// Draws a long choice as a field that lists the values with the typed letters.
fn among(f: &Field, options: &[(String, String)], help: Option<String>, on: Callback<String>) -> Html {
    let list = format!("{}-list", f.id);
    let label = f.id.is_empty().then(|| f.label.clone());
    let onchange = on.reform(|e: Event| e.target_unchecked_into::<HtmlInputElement>().value());
    html! {
        <>
            <input class="in wide" id={(!f.id.is_empty()).then(|| f.id.clone())} list={list.clone()} aria-label={label} value={f.value.clone()} title={f.value.clone()}
                spellcheck="false" autocomplete="off" aria-describedby={help} {onchange}/>
            <datalist id={list}>{ for options.iter().map(|(value, _)| html! { <option value={value.clone()}/> }) }</datalist>
        </>
    }
}

/// Returns the handlers that call back with the typed text, on every letter or on leaving the field.
fn when(
    live: bool,
    on: Callback<String>,
    typed: fn(&Event) -> String,
) -> (Option<Callback<Event>>, Option<Callback<InputEvent>>) {
    if live {
        (None, Some(Callback::from(move |e: InputEvent| on.emit(typed(&e.into())))))
    } else {
        (Some(Callback::from(move |e: Event| on.emit(typed(&e)))), None)
    }
}

/// Draws a property's name, field, problems and help.
pub fn property(p: &Property, on: Callback<String>) -> Html {
    let help = (!p.help.is_empty()).then(|| format!("{}-help", p.field.id));
    html! {
        <>
            <div class="ph"><label for={p.field.id.clone()}>{ &p.field.label }</label>if !p.unit.is_empty() { <span>{ &p.unit }</span> }</div>
            { control(&p.field, help.clone(), on) }
            { for p.notes.iter().map(said) }
            if help.is_some() { <span class="hp" id={help}>{ &p.help }</span> }
        </>
    }
}

fn said(note: &Note) -> Html {
    let words = crate::ui::rich::rich(&note.text);
    let class = match note.tone {
        Tone::Rejected => "hp rejected",
        Tone::Waiting => "hp waiting",
        _ => "hp",
    };
    html! { <span {class}>if note.tone == Tone::Strong { <b>{ words }</b> } else { { words } }</span> }
}
