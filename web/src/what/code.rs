//! A text with a coloured layer behind it: a plain `<textarea>`, so that everything a browser can do with text works.

use crate::ui::hover;
use std::rc::Rc;
use web_sys::{HtmlElement, HtmlTextAreaElement};
use yew::prelude::*;

/// Above this the layer is left out: colouring a long text on every key would be felt.
const COLOURED_MAX: usize = 120_000;

/// A stretch of the text with a class.
#[derive(Clone, Debug, PartialEq)]
pub struct Stretch {
    /// First byte.
    pub start: usize,
    /// One past the last.
    pub end: usize,
    /// Class.
    pub class: &'static str,
    /// A number after it, as the clauses of a spec have.
    pub number: Option<usize>,
}

/// See the module.
#[derive(Properties, PartialEq)]
pub struct Props {
    /// What it is, for screen readers.
    pub label: AttrValue,
    /// The text.
    pub text: Rc<str>,
    /// What is coloured. Stretches may lie in each other but not across.
    #[prop_or_default]
    pub marks: Vec<Stretch>,
    /// No wrapping of lines.
    #[prop_or_default]
    pub long: bool,
    /// As high as its text, at least so many lines.
    #[prop_or_default]
    pub fit: bool,
    /// Edge in red.
    #[prop_or_default]
    pub error: bool,
    /// Id of what describes an error.
    #[prop_or_default]
    pub described_by: Option<AttrValue>,
    /// Called with the whole text at every key.
    pub on: Callback<String>,
}

/// The editor.
#[component]
pub fn Code(props: &Props) -> Html {
    let layer = use_node_ref();
    let onscroll = {
        let layer = layer.clone();
        move |e: Event| {
            let area: HtmlTextAreaElement = e.target_unchecked_into();
            if let Some(layer) = layer.cast::<HtmlElement>() {
                layer.set_scroll_top(area.scroll_top());
                layer.set_scroll_left(area.scroll_left());
            }
        }
    };
    let on = props.on.clone();
    let oninput = move |e: InputEvent| on.emit(e.target_unchecked_into::<HtmlTextAreaElement>().value());
    let coloured = props.text.len() <= COLOURED_MAX;
    let class = classes!(
        "code",
        props.long.then_some("long"),
        props.fit.then_some("fit"),
        props.error.then_some("err"),
        (!coloured).then_some("plain")
    );
    // What stands under the pointer and around the caret, in a text with clauses.
    let clauses: Vec<(usize, usize, usize)> =
        props.marks.iter().filter_map(|m| Some((m.start, m.end, m.number?))).collect();
    let onpointermove =
        (!clauses.is_empty()).then(|| Callback::from(|e: PointerEvent| hover::under(e.client_x(), e.client_y())));
    let onkeyup = (!clauses.is_empty()).then(|| {
        let text = props.text.clone();
        Callback::from(move |e: KeyboardEvent| {
            let area: HtmlTextAreaElement = e.target_unchecked_into();
            let units = area.selection_start().ok().flatten().unwrap_or(0) as usize;
            let mut left = units;
            let at = text.char_indices().find(|(_, c)| {
                let here = left == 0;
                left = left.saturating_sub(c.len_utf16());
                here
            });
            let at = at.map_or(text.len(), |(at, _)| at);
            hover::clause(clauses.iter().find(|(start, end, _)| (*start..=*end).contains(&at)).map(|c| c.2));
        })
    });
    html! {
        <div {class}>
            if coloured {
                <pre aria-hidden="true" ref={layer}>{ coloured_text(&props.text, &props.marks) }{ "\n" }</pre>
            }
            <textarea aria-label={props.label.clone()} aria-invalid={props.error.to_string()} aria-describedby={props.described_by.clone()} spellcheck="false" autocomplete="off" autocapitalize="off"
                rows="1" wrap={if props.long { "off" } else { "soft" }} value={props.text.to_string()} {oninput} {onscroll} {onpointermove} {onkeyup}/>
        </div>
    }
}

fn boundary(text: &str, at: usize) -> usize {
    let mut at = at.min(text.len());
    while !text.is_char_boundary(at) {
        at -= 1;
    }
    at
}

fn coloured_text(text: &str, marks: &[Stretch]) -> Html {
    let mut marks: Vec<&Stretch> = marks.iter().filter(|m| m.start < m.end && m.start < text.len()).collect();
    // The outer one first.
    heddle_core::model::order::sort_by_key(&mut marks, |m| (m.start, std::cmp::Reverse(m.end)));
    nested(text, 0, text.len(), &mut marks.into_iter().peekable())
}

fn nested<'a>(
    text: &str,
    from: usize,
    to: usize,
    marks: &mut std::iter::Peekable<impl Iterator<Item = &'a Stretch>>,
) -> Html {
    let mut out = Vec::new();
    let mut at = from;
    while let Some(mark) = marks.peek().filter(|m| m.start < to).copied() {
        marks.next();
        let (start, end) = (boundary(text, mark.start.max(at)), boundary(text, mark.end.min(to)));
        if start >= end {
            continue;
        }
        out.push(html! { { &text[at..start] } });
        let inner = nested(text, start, end, marks);
        out.push(html! { <span class={mark.class} data-clause={mark.number.map(|n| n.to_string())}>{ inner }</span> });
        at = end;
    }
    out.push(html! { { &text[boundary(text, at)..boundary(text, to)] } });
    html! { { for out } }
}
